//! Just enough of C's lexical structure to tell code from literals and comments, for two
//! questions asked before parsing: does the file need a preprocessor, and where may bytes that
//! are not UTF-8 stand?

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Code,
    /// A string or character literal, quotes included.
    Literal,
    /// `/* … */` or `// …` up to its line break.
    Comment,
}

/// Divides a text into maximal parts of one kind. Every part begins and ends at an ASCII byte.
#[derive(Debug)]
pub struct Parts<'t> {
    text: &'t [u8],
    at: usize,
}

pub fn parts(text: &[u8]) -> Parts<'_> {
    Parts { text, at: 0 }
}

impl Iterator for Parts<'_> {
    type Item = (Kind, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let (kind, len) = match rest {
            [b'/', b'*', ..] => (Kind::Comment, block_comment(rest)),
            [b'/', b'/', ..] => (Kind::Comment, line_comment(rest)),
            [b'"' | b'\'', ..] => (Kind::Literal, literal(rest)),
            _ => (Kind::Code, code(rest)),
        };
        self.at = start + len;
        Some((kind, start..self.at))
    }
}

fn block_comment(text: &[u8]) -> usize {
    text[2..].windows(2).position(|pair| pair == b"*/").map_or(text.len(), |i| i + 4)
}

/// A backslash before the line break continues the comment.
fn line_comment(text: &[u8]) -> usize {
    let ends_here = |&i: &usize| {
        let before = text[..i].strip_suffix(b"\r").unwrap_or(&text[..i]);
        text[i] == b'\n' && !before.ends_with(b"\\")
    };
    (0..text.len()).find(ends_here).unwrap_or(text.len())
}

/// An unterminated literal ends with its line (an apostrophe in `#error don't`, say).
fn literal(text: &[u8]) -> usize {
    let mut i = 1;
    while let Some(&byte) = text.get(i) {
        match byte {
            b'\\' => i += 2,
            b'\n' => return i,
            _ if byte == text[0] => return i + 1,
            _ => i += 1,
        }
    }
    text.len()
}

fn code(text: &[u8]) -> usize {
    let ends_here = |&i: &usize| match text[i] {
        b'"' | b'\'' => true,
        b'/' => matches!(text.get(i + 1), Some(b'/' | b'*')),
        _ => false,
    };
    (1..text.len()).find(ends_here).unwrap_or(text.len())
}

/// The offset of the first directive that only a preprocessor can deal with: `#include`,
/// `#define`, `#if`, … at the start of a line. Line markers and `#pragma` are not among them.
pub fn first_directive(text: &[u8]) -> Option<usize> {
    if !text.contains(&b'#') {
        return None;
    }
    let mut line_start = true;
    for (kind, range) in parts(text) {
        match kind {
            Kind::Comment => {}
            Kind::Literal => line_start = false,
            Kind::Code => {
                for offset in range {
                    match text[offset] {
                        b'\n' => line_start = true,
                        byte if byte.is_ascii_whitespace() => {}
                        b'#' if line_start && needs_preprocessor(&text[offset + 1..]) => {
                            return Some(offset);
                        }
                        _ => line_start = false,
                    }
                }
            }
        }
    }
    None
}

/// The offset of the first name that is a macro of every compiler, like `__INT_MAX__` and `__LINE__`.
pub fn first_predefined_macro(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    for (kind, range) in parts(text) {
        if kind != Kind::Code {
            continue;
        }
        let mut at = range.start;
        while at < range.end {
            let length = text[at..range.end].iter().take_while(|byte| is_part(byte)).count();
            if is_predefined_macro(&text[at..at + length]) {
                return Some(at);
            }
            at += length.max(1);
        }
    }
    None
}

fn is_predefined_macro(name: &[u8]) -> bool {
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let inner = name.strip_prefix(b"__").and_then(|rest| rest.strip_suffix(b"__"));
    // These two are names that the compiler knows.
    !matches!(name, b"__FUNCTION__" | b"__PRETTY_FUNCTION__")
        && inner.is_some_and(|inner| !inner.is_empty() && inner.iter().all(is_upper))
}

/// What follows the `#` of a directive.
fn needs_preprocessor(after: &[u8]) -> bool {
    let word = after.trim_ascii_start();
    let blank = &after[..after.len() - word.len()];
    let len = word.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
    !blank.contains(&b'\n') && !matches!(&word[..len], b"" | b"pragma" | b"line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_macros() {
        let found = |text: &str| first_predefined_macro(text.as_bytes());
        assert_eq!(found("int x = __INT_MAX__;"), Some(8));
        assert_eq!(found("__SIZE_TYPE__ n;"), Some(0));
        assert_eq!(found("f(__LINE__);"), Some(2));
        assert_eq!(found("x /* __INT_MAX__ */ = \"__LINE__\"; // __FILE__"), None);
        assert_eq!(
            found("__FUNCTION__ __func__ __inline__ A__LINE__ __LINE ____ __VERIFIER_x"),
            None
        );
    }

    fn directive(text: &str) -> Option<&str> {
        first_directive(text.as_bytes()).map(|at| text[at..].lines().next().unwrap())
    }

    #[test]
    fn directives_count_only_at_the_start_of_a_line_of_code() {
        assert_eq!(directive("int x;\n  # include <a.h>\n"), Some("# include <a.h>"));
        assert_eq!(directive("/* c */ #define X 1"), Some("#define X 1"));
        assert_eq!(directive("/*\n#define X 1\n*/"), None);
        assert_eq!(directive("// a \\\n#define X 1\nint x;"), None);
        assert_eq!(directive("// a\\\r\n#define X 1\r\nint x;"), None);
        assert_eq!(directive("char *s = \"\\\n#define X\";"), None);
        assert_eq!(directive("char c = '#'; int x; #if"), None);
    }

    #[test]
    fn markers_and_pragmas_need_no_preprocessor() {
        assert_eq!(directive("# 1 \"a.c\" 1 3\n#line 7\n#pragma once\n#\nint x;"), None);
        assert_eq!(directive("#pragma don't\n#undef X"), Some("#undef X"));
    }

    #[test]
    fn parts_cover_the_text() {
        let text = br#"a/b "x\"//" /* " */ '"' // end"#;
        let all: Vec<_> = parts(text).collect();
        assert_eq!(all.iter().map(|(_, r)| r.len()).sum::<usize>(), text.len());
        let kinds: Vec<_> = all.iter().map(|(k, _)| *k).collect();
        use Kind::*;
        assert_eq!(kinds, [Code, Literal, Code, Comment, Code, Literal, Code, Comment]);
    }

    #[test]
    fn unterminated_parts_end_with_the_text() {
        for text in ["/*", "/* *", "//", "\"", "\"\\", "'", "/", "#", "# "] {
            assert_eq!(parts(text.as_bytes()).map(|(_, r)| r.len()).sum::<usize>(), text.len());
            assert_eq!(directive(text), None);
        }
    }
}
