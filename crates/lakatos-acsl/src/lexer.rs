//! From text to tokens. Tokens own their text, since the text of a lemma may be a value of YAML,
//! whose places in the file are not those in the value ([`Places`]).

use lakatos_ir::{Diagnostic, Span};

pub(crate) type Res<T> = Result<T, Box<Diagnostic>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    Eof,
    /// A name or a word of ACSL.
    Word(String),
    /// With its backslash: `\forall`.
    Keyword(String),
    /// Unread.
    Number(String),
    /// With its quotes.
    Char(String),
    Str(String),
    Sign(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Tok,
    pub span: Span,
}

/// Where the bytes of a text are in the file.
#[derive(Clone, Debug)]
pub(crate) enum Places {
    /// One after the other from here on.
    From(u32),
    /// Byte by byte.
    Table(Vec<u32>),
    /// Nobody knows more than this.
    Within(Span),
}

impl Places {
    fn span(&self, start: usize, end: usize) -> Span {
        match self {
            Places::From(base) => Span::new(base + start as u32, base + end as u32),
            Places::Within(span) => *span,
            Places::Table(table) => match table.get(start..end.max(start)) {
                Some([first, .., last]) => Span::new(*first, (*last + 1).max(*first)),
                Some([only]) => Span::new(*only, only + 1),
                _ => {
                    let at = table.get(start).copied();
                    let at = at.or_else(|| table.last().map(|last| last + 1)).unwrap_or(0);
                    Span::new(at, at)
                }
            },
        }
    }
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Inside an annotation comment, or a value of YAML.
    Comment,
    /// A file of its own, in which comment markers of annotations are allowed and mean nothing.
    File,
}

/// Longer ones first.
const SIGNS: [&str; 54] = [
    "<==>", "<-->", "==>", "-->", "...", "<<=", ">>=", "&&", "||", "^^", "==", "!=", "<=", ">=",
    "<<", ">>", "->", "..", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "(",
    ")", "[", "]", "{", "}", ";", ",", ":", "?", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "<", ">", "=", "#",
];

/// Signs of mathematics, as ACSL has them.
const MATHEMATICS: [(char, &str); 14] = [
    ('∀', "\\forall"),
    ('∃', "\\exists"),
    ('≤', "<="),
    ('≥', ">="),
    ('≡', "=="),
    ('≢', "!="),
    ('⇒', "==>"),
    ('⇔', "<==>"),
    ('∧', "&&"),
    ('∨', "||"),
    ('¬', "!"),
    ('⊻', "^^"),
    ('ℤ', "integer"),
    ('ℝ', "real"),
];

pub(crate) fn tokens(text: &str, form: Form, places: &Places) -> Res<Vec<Token>> {
    let mut lexer = Lexer { text, pos: 0, form, open: false, places };
    let mut tokens = Vec::new();
    loop {
        lexer.skip()?;
        let start = lexer.pos;
        let kind = lexer.token()?;
        let done = kind == Tok::Eof;
        tokens.push(Token { kind, span: places.span(start, lexer.pos) });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    form: Form,
    /// Inside `/*@ … */` of a file.
    open: bool,
    places: &'t Places,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn sign(text: &str) -> Option<&'static str> {
    SIGNS.into_iter().find(|sign| text.starts_with(sign))
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn error<T>(&self, start: usize, message: impl Into<String>, help: &str) -> Res<T> {
        let span = self.places.span(start, self.pos.max(start + 1));
        let error = Diagnostic::error(span, message);
        Err(if help.is_empty() { error } else { error.help(help) }.into())
    }

    /// White space, `@`, and comments.
    fn skip(&mut self) -> Res<()> {
        while let Some(c) = self.rest().chars().next() {
            let rest = self.rest();
            if c.is_whitespace() || c == '@' {
                self.pos += c.len_utf8();
            } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.pos += 1;
            } else if self.form == Form::File && rest.starts_with("//@") {
                self.pos += 3;
            } else if self.form == Form::File && rest.starts_with("/*@") && !self.open {
                self.open = true;
                self.pos += 3;
            } else if self.open && rest.starts_with("*/") {
                self.open = false;
                self.pos += 2;
            } else if rest.starts_with("//") {
                self.pos += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.comment()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Res<()> {
        let start = self.pos;
        match self.rest()[2..].find("*/") {
            Some(end) if !self.open => {
                self.pos += end + 4;
                Ok(())
            }
            Some(_) => {
                self.pos += 2;
                self.error(start, "a comment in a comment", "write `//` before it")
            }
            None => {
                self.pos += 2;
                self.error(start, "this comment is never closed", "end it with `*/`")
            }
        }
    }

    fn token(&mut self) -> Res<Tok> {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok(Tok::Eof) };
        if let Some((_, text)) = MATHEMATICS.iter().find(|(sign, _)| *sign == c) {
            self.pos += c.len_utf8();
            return Ok(match sign(text) {
                Some(sign) => Tok::Sign(sign),
                None if text.starts_with('\\') => Tok::Keyword((*text).to_owned()),
                None => Tok::Word((*text).to_owned()),
            });
        }
        let point = c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if c.is_ascii_digit() || point {
            return Ok(self.number());
        }
        if is_word(c) {
            return self.word();
        }
        match c {
            '\\' => self.keyword(),
            '"' | '\'' => self.quoted(c, self.pos),
            _ => match sign(rest) {
                Some(sign) => {
                    self.pos += sign.len();
                    Ok(Tok::Sign(sign))
                }
                None => {
                    let start = self.pos;
                    self.pos += c.len_utf8();
                    self.error(start, format!("{c:?} has no meaning in ACSL"), "")
                }
            },
        }
    }

    fn take_word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        self.pos += end;
        &rest[..end]
    }

    fn word(&mut self) -> Res<Tok> {
        let start = self.pos;
        let word = self.take_word();
        if let Some(quote @ ('"' | '\'')) = self.rest().chars().next()
            && matches!(word, "L" | "u" | "U" | "u8")
        {
            return self.quoted(quote, start);
        }
        Ok(Tok::Word(word.to_owned()))
    }

    fn keyword(&mut self) -> Res<Tok> {
        let start = self.pos;
        self.pos += 1;
        let word = self.take_word();
        match word.is_empty() {
            true => self.error(start, "a word is missing after `\\`", ""),
            false => Ok(Tok::Keyword(format!("\\{word}"))),
        }
    }

    /// A preprocessing number of C, but two points are a range: `0..9`.
    fn number(&mut self) -> Tok {
        let start = self.pos;
        let bytes = self.text.as_bytes();
        let hex = matches!(bytes[start..], [b'0', b'x' | b'X', ..]);
        while let Some(&byte) = bytes.get(self.pos) {
            let next = bytes.get(self.pos + 1).copied();
            match byte {
                b'e' | b'E' | b'p' | b'P' if matches!(next, Some(b'+' | b'-')) => {
                    // In `0xe+1` there is no exponent.
                    self.pos += if hex && byte.eq_ignore_ascii_case(&b'e') { 1 } else { 2 };
                }
                b'.' if next == Some(b'.') => break,
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => self.pos += 1,
                _ => break,
            }
        }
        Tok::Number(self.text[start..self.pos].to_owned())
    }

    /// From `start`, where a prefix may stand, to the closing quote.
    fn quoted(&mut self, quote: char, start: usize) -> Res<Tok> {
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\n' => break,
                '\\' => {
                    chars.next();
                }
                _ if c == quote => {
                    self.pos += at + c.len_utf8();
                    let text = self.text[start..self.pos].to_owned();
                    return Ok(if quote == '"' { Tok::Str(text) } else { Tok::Char(text) });
                }
                _ => {}
            }
        }
        self.pos += 1;
        let what = if quote == '"' { "string" } else { "character constant" };
        self.error(start, format!("this {what} is not closed on its line"), "")
    }
}
