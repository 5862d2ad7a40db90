//! Words of expressions.

use super::Res;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, or a keyword.
    Word(String),
    /// `\old` and the like, without the backslash.
    Keyword(String),
    /// As it is written, suffixes included.
    Number(String),
    /// A character constant's value.
    Character(i128),
    Sign(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    /// The byte at which it begins.
    pub at: usize,
}

/// Longer ones first.
const SIGNS: [&str; 37] = [
    "<==>", "==>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "++", "--",
    "->", "+=", "-=", "*=", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "!", "?", ":",
    "(", ")", "[", "]",
];

/// Known so that messages can name them; no expression has them.
const FOREIGN: [&str; 5] = [".", ",", "=", ";", "{"];

pub(super) fn tokens(text: &str) -> Res<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = one(&text[at..], at)?;
        tokens.push(Token { kind, at });
        at += length;
    }
    Ok(tokens)
}

fn one(rest: &str, at: usize) -> Res<(Kind, usize)> {
    let first = rest.chars().next().unwrap_or('\0');
    let word = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(text.len())
    };
    if first.is_alphabetic() || first == '_' || first == '$' {
        let length = word(rest);
        return Ok((Kind::Word(rest[..length].to_owned()), length));
    }
    if first == '\\' {
        let length = word(&rest[1..]);
        return Ok((Kind::Keyword(rest[1..=length].to_owned()), length + 1));
    }
    if first.is_ascii_digit() {
        let length = word(rest);
        if rest[length..].starts_with('.') {
            return Err(("floating-point numbers are not supported".to_owned(), at));
        }
        return Ok((Kind::Number(rest[..length].to_owned()), length));
    }
    if first == '\'' {
        return character(rest, at);
    }
    if first == '"' {
        return Err(("strings are not supported".to_owned(), at));
    }
    match SIGNS.iter().chain(&FOREIGN).find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Kind::Sign(sign), sign.len())),
        None => Err((format!("`{first}` has no meaning here"), at)),
    }
}

/// `'a'`, and the escapes of one letter.
fn character(rest: &str, at: usize) -> Res<(Kind, usize)> {
    let mut chars = rest[1..].chars();
    let unknown = || ("this character constant is not supported".to_owned(), at);
    let (value, length) = match chars.next().ok_or_else(unknown)? {
        '\\' => {
            let escaped = match chars.next().ok_or_else(unknown)? {
                'n' => 10,
                't' => 9,
                'r' => 13,
                '0' => 0,
                c @ ('\\' | '\'' | '"') => c as i128,
                _ => return Err(unknown()),
            };
            (escaped, 2)
        }
        c if c.is_ascii() => (c as i128, 1),
        _ => return Err(unknown()),
    };
    match chars.next() {
        Some('\'') => Ok((Kind::Character(value), length + 2)),
        _ => Err(unknown()),
    }
}
