//! The lexer: one token at a time, so that a hopeless file is refused before it is all read.
//!
//! Preprocessing is over: line markers and `#pragma` are understood, any other directive is an
//! error that says what to do. ACSL comments are collected with their spans.

use lakatos_ir::{Diagnostic, Span};
use memchr::{memchr, memchr2, memmem};

use crate::symbol::{Symbol, Symbols};
use crate::syntax::literal;
use crate::syntax::pragma::{self, Options, PackStack, Pragma};
use crate::syntax::token::{Tok, Token, classify};

pub type Res<T> = Result<T, Box<Diagnostic>>;

const PRAGMA_OPERATOR: &str = "_Pragma";

#[derive(Clone, Debug)]
pub struct LineMarker {
    pub offset: u32,
    pub line: u32,
    pub file: Option<String>,
    pub is_system: bool,
}

#[derive(Debug)]
pub struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    pos: usize,
    /// Only white space since the line began: a `#` here is a directive.
    line_start: bool,
    pub markers: Vec<LineMarker>,
    /// `#pragma pack`: from these offsets on, members are aligned to at most so many bytes.
    packs: Vec<(u32, Option<u64>)>,
    pack_stack: PackStack,
    /// `#pragma GCC target` and its relatives: from these offsets on, functions are compiled with options
    /// that may change their meaning.
    options: Vec<(u32, Option<&'static str>)>,
    option_stack: Vec<Option<&'static str>>,
    /// `#pragma weak`
    pub weak_names: Vec<Symbol>,
    /// ACSL comments in order; `taken` of them have been handed out.
    annotations: Vec<Span>,
    taken: usize,
}

impl<'s> Lexer<'s> {
    pub fn new(text: &'s str) -> Lexer<'s> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            line_start: true,
            markers: Vec::new(),
            packs: Vec::new(),
            pack_stack: PackStack::default(),
            options: Vec::new(),
            option_stack: Vec::new(),
            weak_names: Vec::new(),
            annotations: Vec::new(),
            taken: 0,
        }
    }

    pub fn text(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The next ACSL comments, up to `offset`, without taking them.
    pub fn peek_annotations(&self, offset: u32) -> &[Span] {
        let rest = &self.annotations[self.taken..];
        &rest[..rest.iter().take_while(|a| a.end <= offset).count()]
    }

    /// The ACSL comments that end before `offset` and were not handed out yet.
    pub fn take_annotations(&mut self, offset: u32) -> &[Span] {
        let start = self.taken;
        while self.annotations.get(self.taken).is_some_and(|a| a.end <= offset) {
            self.taken += 1;
        }
        &self.annotations[start..self.taken]
    }

    /// `symbols` must hold the keywords ([`intern_keywords`](crate::syntax::token::intern_keywords)).
    pub fn next_token(&mut self, symbols: &mut Symbols) -> Res<Token> {
        let mut start;
        loop {
            self.skip_trivia(symbols)?;
            start = self.pos;
            self.line_start = false;
            if !self.at_pragma_operator() {
                break;
            }
            self.pos += PRAGMA_OPERATOR.len();
            self.pragma_operator(start, symbols)?;
        }
        let kind = match self.bytes.get(start) {
            None => Tok::Eof,
            Some(&byte) => self.token(byte, symbols)?,
        };
        Ok(Token { kind, span: self.span(start) })
    }

    fn at_pragma_operator(&self) -> bool {
        let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let rest = self.bytes[self.pos..].strip_prefix(PRAGMA_OPERATOR.as_bytes());
        rest.is_some_and(|rest| !rest.first().is_some_and(in_name))
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.pos as u32)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn skip_trivia(&mut self, symbols: &mut Symbols) -> Res<()> {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match byte {
                b'\n' => {
                    self.line_start = true;
                    self.pos += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'/' if self.peek(1) == b'*' => self.block_comment()?,
                b'\\' if self.continued_line() => {}
                b'#' if self.line_start => self.directive(symbols)?,
                _ => break,
            }
        }
        Ok(())
    }

    /// A backslash before a line break joins the lines.
    fn continued_line(&mut self) -> bool {
        let skip = match (self.peek(1), self.peek(2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => return false,
        };
        self.pos += skip;
        true
    }

    fn line_comment(&mut self) {
        let start = self.pos;
        loop {
            match memchr(b'\n', &self.bytes[self.pos..]) {
                None => self.pos = self.bytes.len(),
                Some(n) => self.pos += n,
            }
            let before = self.bytes[..self.pos].strip_suffix(b"\r").map_or(self.pos, <[u8]>::len);
            let continued = self.pos < self.bytes.len() && self.bytes[..before].ends_with(b"\\");
            if !continued {
                break;
            }
            self.pos += 1;
        }
        if self.bytes[start..].starts_with(b"//@") {
            self.annotations.push(self.span(start));
        }
    }

    fn block_comment(&mut self) -> Res<()> {
        let start = self.pos;
        match memmem::find(&self.bytes[start + 2..], b"*/") {
            None => {
                let span = Span::new(start as u32, start as u32 + 2);
                return Err(Diagnostic::error(span, "this comment is never closed")
                    .help("end it with `*/`")
                    .into());
            }
            Some(n) => self.pos = start + 2 + n + 2,
        }
        if self.bytes[start..].starts_with(b"/*@") {
            self.annotations.push(self.span(start));
        }
        Ok(())
    }

    fn directive(&mut self, symbols: &mut Symbols) -> Res<()> {
        let start = self.pos;
        let end = memchr(b'\n', &self.bytes[start..]).map_or(self.bytes.len(), |n| start + n);
        let line = self.text[start + 1..end].trim();
        let (word, rest) = match line.find(|c: char| c.is_whitespace()) {
            Some(n) => (&line[..n], line[n..].trim()),
            None => (line, ""),
        };
        let marker = match word {
            "line" => Some(rest),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Some(line),
            _ => None,
        };
        self.pos = end;
        if let Some(marker) = marker {
            return self.line_marker(start, marker);
        }
        if word == "pragma" {
            return self.pragma(start, rest, symbols);
        }
        if matches!(word, "" | "ident") {
            return Ok(());
        }
        let message = format!("preprocessor directive `#{word}` in preprocessed text");
        Err(Diagnostic::error(self.span(start), message)
            .help("preprocess the file first: `cc -E -C file.c > file.i`")
            .into())
    }

    /// The alignment that `#pragma pack` allows at an offset.
    pub fn pack_at(&self, offset: u32) -> Option<u64> {
        let before = self.packs.partition_point(|&(at, _)| at < offset);
        before.checked_sub(1).and_then(|i| self.packs[i].1)
    }

    /// The pragma by which a function at an offset is compiled with options that may change its meaning.
    pub fn options_at(&self, offset: u32) -> Option<&'static str> {
        let before = self.options.partition_point(|&(at, _)| at < offset);
        before.checked_sub(1).and_then(|i| self.options[i].1)
    }

    fn set_options(&mut self, start: usize, options: Options) {
        let current = self.options.last().and_then(|&(_, options)| options);
        let new = match options {
            Options::Set(name) => Some(name),
            Options::Push => {
                self.option_stack.push(current);
                return;
            }
            // GCC warns of one without a push, and goes on with what there is.
            Options::Pop => self.option_stack.pop().unwrap_or(current),
            Options::Reset => None,
        };
        self.options.push((start as u32, new));
    }

    fn pragma(&mut self, start: usize, text: &str, symbols: &mut Symbols) -> Res<()> {
        let construct = match pragma::read(text) {
            Pragma::Harmless => return Ok(()),
            Pragma::Weak(name) => {
                self.weak_names.push(symbols.intern(name));
                return Ok(());
            }
            Pragma::Options(options) => {
                self.set_options(start, options);
                return Ok(());
            }
            Pragma::Pack(pack) => match self.pack_stack.apply(pack) {
                Ok(align) => {
                    self.packs.push((start as u32, align));
                    return Ok(());
                }
                Err(construct) => construct,
            },
            Pragma::Unsupported(construct) => construct,
        };
        Err(Diagnostic::unsupported(self.span(start), construct).into())
    }

    /// `_Pragma("text")` is `#pragma text` (C11 6.10.9).
    fn pragma_operator(&mut self, start: usize, symbols: &mut Symbols) -> Res<()> {
        self.skip_trivia(symbols)?;
        self.require(b'(')?;
        self.skip_trivia(symbols)?;
        let from = self.pos;
        let prefix = self.text[from..].find('"').unwrap_or(0);
        if !matches!(&self.text[from..from + prefix], "" | "L" | "u" | "U" | "u8") {
            return Err(self.stray());
        }
        self.pos += prefix;
        self.require(b'"')?;
        self.pos -= 1;
        self.quoted(b'"', Tok::Str)?;
        let text = &self.text[from + prefix + 1..self.pos - 1];
        self.skip_trivia(symbols)?;
        self.require(b')')?;
        let text = text.replace("\\\"", "\"").replace("\\\\", "\\");
        self.pragma(start, &text, symbols)
    }

    fn require(&mut self, byte: u8) -> Res<()> {
        if self.peek(0) != byte {
            return Err(self.stray());
        }
        self.pos += 1;
        Ok(())
    }

    fn line_marker(&mut self, start: usize, marker: &str) -> Res<()> {
        let (number, rest) = marker.split_once(char::is_whitespace).unwrap_or((marker, ""));
        let Ok(line) = number.parse::<u32>() else {
            let message = format!("`{number}` is not a line number");
            return Err(Diagnostic::error(self.span(start), message).into());
        };
        let file = rest.trim().strip_prefix('"').and_then(|r| r.rfind('"').map(|end| &r[..end]));
        let file = file.map(literal::unescape_file_name);
        // GCC's flag 3 behind the file's name.
        let flags = rest.rsplit('"').next().unwrap_or_default();
        let is_system = file.is_some() && flags.split_whitespace().any(|flag| flag == "3");
        self.markers.push(LineMarker { offset: start as u32, line, file, is_system });
        Ok(())
    }

    fn token(&mut self, byte: u8, symbols: &mut Symbols) -> Res<Tok> {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.identifier(symbols),
            b'0'..=b'9' => Ok(self.number()),
            b'.' if self.peek(1).is_ascii_digit() => Ok(self.number()),
            b'"' => self.quoted(b'"', Tok::Str),
            b'\'' => self.quoted(b'\'', Tok::Char),
            0x80.. => self.identifier(symbols),
            _ => self.punctuator(byte),
        }
    }

    fn identifier(&mut self, symbols: &mut Symbols) -> Res<Tok> {
        let start = self.pos;
        while let Some(&byte) = self.bytes.get(self.pos) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => self.pos += 1,
                0x80.. => match self.text[self.pos..].chars().next() {
                    Some(c) if c.is_alphanumeric() => self.pos += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        if self.pos == start {
            return Err(self.stray());
        }
        let name = &self.text[start..self.pos];
        if matches!(self.peek(0), b'"' | b'\'') && matches!(name, "L" | "u" | "U" | "u8") {
            let kind = if self.peek(0) == b'"' { Tok::Str } else { Tok::Char };
            return self.quoted(self.peek(0), kind);
        }
        Ok(classify(symbols.intern(name)))
    }

    /// A preprocessing number (6.4.8), so `0x1e+2` is one token; `literal` decides what it is.
    fn number(&mut self) -> Tok {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match byte {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') => self.pos += 2,
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => self.pos += 1,
                // C23 separates digits.
                b'\'' if self.peek(1).is_ascii_alphanumeric() => self.pos += 2,
                _ => break,
            }
        }
        Tok::Number
    }

    fn quoted(&mut self, quote: u8, kind: Tok) -> Res<Tok> {
        let start = self.pos;
        self.pos += 1;
        loop {
            match memchr2(quote, b'\\', &self.bytes[self.pos..]) {
                Some(n) if memchr(b'\n', &self.bytes[self.pos..self.pos + n]).is_none() => {
                    self.pos += n;
                    if self.bytes[self.pos] == quote {
                        self.pos += 1;
                        return Ok(kind);
                    }
                    self.pos = self.after_escape();
                }
                _ => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    let span = Span::new(start as u32, start as u32 + 1);
                    let message = format!("this {what} is not closed on its line");
                    return Err(Diagnostic::error(span, message).into());
                }
            }
        }
    }

    /// The position after a backslash and the character it escapes.
    fn after_escape(&self) -> usize {
        let next = self.text[self.pos + 1..].chars().next().map_or(0, char::len_utf8);
        self.pos + 1 + next
    }

    fn stray(&mut self) -> Box<Diagnostic> {
        let c = self.text[self.pos..].chars().next().unwrap_or('\0');
        let span = Span::new(self.pos as u32, (self.pos + c.len_utf8()) as u32);
        let help = "is this a C source file?";
        Diagnostic::error(span, format!("stray {c:?} in the program")).help(help).into()
    }

    fn punctuator(&mut self, byte: u8) -> Res<Tok> {
        use Tok::*;
        let (second, third) = (self.peek(1), self.peek(2));
        let (tok, len) = match (byte, second, third) {
            (b'<', b'<', b'=') => (ShlAssign, 3),
            (b'>', b'>', b'=') => (ShrAssign, 3),
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'<', b'<', _) => (Shl, 2),
            (b'>', b'>', _) => (Shr, 2),
            (b'<', b'=', _) => (Le, 2),
            (b'>', b'=', _) => (Ge, 2),
            (b'=', b'=', _) => (EqEq, 2),
            (b'!', b'=', _) => (Ne, 2),
            (b'&', b'&', _) => (AndAnd, 2),
            (b'|', b'|', _) => (OrOr, 2),
            (b'+', b'=', _) => (PlusAssign, 2),
            (b'-', b'=', _) => (MinusAssign, 2),
            (b'*', b'=', _) => (StarAssign, 2),
            (b'/', b'=', _) => (SlashAssign, 2),
            (b'%', b'=', _) => (PercentAssign, 2),
            (b'&', b'=', _) => (AmpAssign, 2),
            (b'|', b'=', _) => (PipeAssign, 2),
            (b'^', b'=', _) => (CaretAssign, 2),
            (b'<', b':', _) => (LBracket, 2),
            (b':', b'>', _) => (RBracket, 2),
            (b'<', b'%', _) => (LBrace, 2),
            (b'%', b'>', _) => (RBrace, 2),
            (b'(', ..) => (LParen, 1),
            (b')', ..) => (RParen, 1),
            (b'{', ..) => (LBrace, 1),
            (b'}', ..) => (RBrace, 1),
            (b'[', ..) => (LBracket, 1),
            (b']', ..) => (RBracket, 1),
            (b';', ..) => (Semi, 1),
            (b',', ..) => (Comma, 1),
            (b':', ..) => (Colon, 1),
            (b'?', ..) => (Question, 1),
            (b'.', ..) => (Dot, 1),
            (b'+', ..) => (Plus, 1),
            (b'-', ..) => (Minus, 1),
            (b'*', ..) => (Star, 1),
            (b'/', ..) => (Slash, 1),
            (b'%', ..) => (Percent, 1),
            (b'&', ..) => (Amp, 1),
            (b'|', ..) => (Pipe, 1),
            (b'^', ..) => (Caret, 1),
            (b'~', ..) => (Tilde, 1),
            (b'!', ..) => (Bang, 1),
            (b'<', ..) => (Lt, 1),
            (b'>', ..) => (Gt, 1),
            (b'=', ..) => (Assign, 1),
            _ => return Err(self.stray()),
        };
        self.pos += len;
        Ok(tok)
    }
}
