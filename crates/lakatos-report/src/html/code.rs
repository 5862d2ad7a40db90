//! C as coloured HTML, line by line: comments, literals, keywords, numbers, directives. A guess at
//! what the words are, for the eye only.

use super::escaped;

const KEYWORDS: &[&str] = &[
    "_Alignas",
    "_Alignof",
    "_Bool",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "asm",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Each line of a text as HTML.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut inside = false;
    let line = |line: &str| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        colour(line, &mut inside)
    };
    text.split('\n').map(line).collect()
}

/// One line; `inside` tells whether a comment goes on.
fn colour(line: &str, inside: &mut bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    if !*inside && line.trim_start().starts_with('#') {
        let end = line.find("/*").or_else(|| line.find("//")).unwrap_or(line.len());
        span(&mut out, "pre", &line[..end]);
        rest = &line[end..];
    }
    while !rest.is_empty() {
        let (class, length) = word(rest, inside);
        span(&mut out, class, &rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// What a text begins with, and how long that is.
fn word(text: &str, inside: &mut bool) -> (&'static str, usize) {
    if *inside || text.starts_with("/*") {
        let from = if *inside { 0 } else { 2 };
        let end = text[from..].find("*/").map(|at| from + at + 2);
        *inside = end.is_none();
        return ("com", end.unwrap_or(text.len()));
    }
    if text.starts_with("//") {
        return ("com", text.len());
    }
    let first = text.chars().next().unwrap_or(' ');
    let run = |belongs: fn(char) -> bool| text.find(|c| !belongs(c)).unwrap_or(text.len());
    match first {
        '"' | '\'' => ("str", literal(text, first)),
        c if c.is_ascii_digit() => ("num", run(|c| c.is_ascii_alphanumeric() || c == '.')),
        c if c.is_alphabetic() || c == '_' => {
            let length = run(|c| c.is_alphanumeric() || c == '_');
            (if KEYWORDS.contains(&&text[..length]) { "key" } else { "" }, length)
        }
        c => {
            let plain = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '/'));
            let length = text.find(|c| !plain(c)).unwrap_or(text.len());
            ("", length.max(c.len_utf8()))
        }
    }
}

/// The length of a literal that ends with its quote, or with the line.
fn literal(text: &str, quote: char) -> usize {
    let mut escape = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escape => escape = false,
            '\\' => escape = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn span(out: &mut String, class: &str, text: &str) {
    match class {
        "" => out.push_str(&escaped(text)),
        class => {
            out.push_str(&format!("<span class=\"{class}\">{}</span>", escaped(text)));
        }
    }
}
