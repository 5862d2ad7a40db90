//! The parser: recursive descent over tokens, one clause at a time.
//!
//! A clause that cannot be read, or that has something unsupported, is recorded and left out, and
//! parsing goes on behind it. Nesting is bounded by [`MAX_DEPTH`], so that no text overflows the
//! stack, here or where the tree is walked.

mod contract;
pub(crate) mod declaration;
mod expr;
mod global;
mod types;

use lakatos_ir::{Diagnostic, Severity, Span};

use crate::MAX_DEPTH;
use crate::lexer::{Form, Places, Res, Tok, Token, tokens};
use crate::syntax::{Annotation, Expr, ExprKind, Global, Name, Spanned};

/// What a text says, and what is to be said about it.
#[derive(Clone, Debug)]
pub struct Parsed<T> {
    pub tree: T,
    /// Errors, and what is not supported and therefore left out.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of declarations that are left out.
    pub left_out: Vec<String>,
}

impl<T> Parsed<T> {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Where an annotation stands, which decides what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// Outside functions.
    File,
    /// In the body of a function.
    Body,
}

/// What is known of names: C cannot be parsed without knowing its types.
pub trait Vocabulary {
    /// A `typedef` of the program.
    fn is_type(&self, name: &str) -> bool;

    /// A name whose declaration was left out, since it is not supported.
    fn is_left_out(&self, _name: &str) -> bool {
        false
    }
}

impl<F: Fn(&str) -> bool> Vocabulary for F {
    fn is_type(&self, name: &str) -> bool {
        self(name)
    }
}

pub(crate) struct Parser<'n> {
    tokens: Vec<Token>,
    next: usize,
    /// Where the token before the current one ended.
    prev_end: u32,
    depth: u32,
    /// `name:` is the end of a branch of `? :`, not a name for what follows.
    in_branch: bool,
    words: &'n dyn Vocabulary,
    diagnostics: Vec<Diagnostic>,
    left_out: Vec<String>,
}

/// Reads the text of an annotation comment, without its markers, that begins at `at` in its file.
pub fn annotation(
    text: &str,
    at: u32,
    site: Site,
    words: &dyn Vocabulary,
) -> Parsed<Option<Annotation>> {
    run(text, Form::Comment, &Places::From(at), words, |p| p.annotation(site))
}

/// Reads the declarations of a file of its own.
pub fn file(text: &str, words: &dyn Vocabulary) -> Parsed<Vec<Spanned<Global>>> {
    let parsed = run(text, Form::File, &Places::From(0), words, |p| Ok(p.globals()));
    let Parsed { tree, diagnostics, left_out } = parsed;
    Parsed { tree: tree.unwrap_or_default(), diagnostics, left_out }
}

/// Reads one expression, which is all of the text, that begins at `at` in its file.
pub fn expression(text: &str, at: u32, words: &dyn Vocabulary) -> Parsed<Option<Expr>> {
    expression_at(text, &Places::From(at), words)
}

pub(crate) fn expression_at(
    text: &str,
    places: &Places,
    words: &dyn Vocabulary,
) -> Parsed<Option<Expr>> {
    run(text, Form::Comment, places, words, |p| {
        let expr = p.expr()?;
        p.expect_end()?;
        Ok(expr)
    })
}

pub(crate) fn run<T>(
    text: &str,
    form: Form,
    places: &Places,
    words: &dyn Vocabulary,
    parse: impl FnOnce(&mut Parser<'_>) -> Res<T>,
) -> Parsed<Option<T>> {
    let tokens = match tokens(text, form, places) {
        Ok(tokens) => tokens,
        Err(error) => {
            return Parsed { tree: None, diagnostics: vec![*error], left_out: Vec::new() };
        }
    };
    let prev_end = tokens.first().map_or(0, |t| t.span.start);
    let mut parser = Parser {
        tokens,
        next: 0,
        prev_end,
        depth: 0,
        in_branch: false,
        words,
        diagnostics: Vec::new(),
        left_out: Vec::new(),
    };
    let tree = match parse(&mut parser) {
        Ok(tree) => Some(tree),
        Err(error) => {
            parser.diagnostics.push(*error);
            None
        }
    };
    Parsed { tree, diagnostics: parser.diagnostics, left_out: parser.left_out }
}

impl Parser<'_> {
    fn tok(&self) -> &Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.next]
    }

    fn ahead(&self, by: usize) -> &Tok {
        &self.tokens[(self.next + by).min(self.tokens.len() - 1)].kind
    }

    fn advance(&mut self) -> Token {
        let token = self.tok().clone();
        self.prev_end = token.span.end;
        if token.kind != Tok::Eof {
            self.next += 1;
        }
        token
    }

    fn start(&self) -> u32 {
        self.tok().span.start
    }

    fn since(&self, start: u32) -> Span {
        Span::new(start.min(self.prev_end), self.prev_end)
    }

    fn at(&self, sign: &str) -> bool {
        matches!(self.tok().kind, Tok::Sign(s) if s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let here = self.at(sign);
        if here {
            self.advance();
        }
        here
    }

    fn expect(&mut self, sign: &str, context: &str) -> Res<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => self.unexpected(&format!("`{sign}` {context}")),
        }
    }

    fn at_end(&self) -> bool {
        self.tok().kind == Tok::Eof
    }

    fn expect_end(&mut self) -> Res<()> {
        match self.at_end() {
            true => Ok(()),
            false => self.unexpected("the end"),
        }
    }

    /// The word here, if it is one.
    fn word(&self) -> Option<&str> {
        match &self.tok().kind {
            Tok::Word(word) => Some(word),
            _ => None,
        }
    }

    fn word_ahead(&self, by: usize) -> Option<&str> {
        match self.ahead(by) {
            Tok::Word(word) => Some(word),
            _ => None,
        }
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        if here {
            self.advance();
        }
        here
    }

    fn expect_word(&mut self, word: &str, context: &str) -> Res<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => self.unexpected(&format!("`{word}` {context}")),
        }
    }

    fn name(&mut self, what: &str) -> Res<Name> {
        let span = self.tok().span;
        match self.word() {
            Some(word) if !types::is_type_word(word) => {
                let word = word.to_owned();
                self.advance();
                Ok(Spanned::new(word, span))
            }
            _ => self.unexpected(what),
        }
    }

    /// One or more names.
    fn names(&mut self, what: &str) -> Res<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// An error at the current token: what was expected instead.
    fn unexpected<T>(&self, wanted: &str) -> Res<T> {
        let found = match &self.tok().kind {
            Tok::Eof => "the end".to_owned(),
            Tok::Word(text)
            | Tok::Keyword(text)
            | Tok::Number(text)
            | Tok::Char(text)
            | Tok::Str(text) => format!("`{}`", shorten(text)),
            Tok::Sign(sign) => format!("`{sign}`"),
        };
        // A missing `;` is best shown where it is missing.
        let span = match wanted.starts_with("`;`") {
            true => Span::new(self.prev_end.saturating_sub(1), self.prev_end),
            false => self.tok().span,
        };
        error(span, format!("expected {wanted}, found {found}"))
    }

    /// Runs one more level of nesting, or refuses.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            return too_deep(self.tok().span);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// A node of the tree, unless it is too deep.
    fn node(&self, kind: ExprKind, start: u32) -> Res<Expr> {
        let expr = Expr::new(kind, self.since(start));
        match expr.depth() > MAX_DEPTH {
            true => too_deep(expr.span),
            false => Ok(expr),
        }
    }

    /// Reads items until the text, or the block, is over; what cannot be read is recorded.
    fn items(&mut self, begins: fn(&Self) -> bool, mut one: impl FnMut(&mut Self) -> Res<()>) {
        while !self.at_end() && !self.at("}") {
            let before = self.next;
            self.depth = 0;
            self.in_branch = false;
            if let Err(error) = one(self) {
                self.diagnostics.push(*error);
                self.skip(before, begins);
            }
        }
    }

    /// Behind a semicolon after which something new begins; at least one token further.
    fn skip(&mut self, from: usize, begins: fn(&Self) -> bool) {
        if self.next == from {
            self.advance();
        }
        // What cannot be read may have opened a block.
        let braces = self.tokens[from..self.next].iter().map(|t| match t.kind {
            Tok::Sign("{") => 1,
            Tok::Sign("}") => -1,
            _ => 0,
        });
        let mut braces = braces.sum::<i32>().max(0);
        while !self.at_end() {
            let end = match self.tok().kind {
                Tok::Sign("{") => {
                    braces += 1;
                    false
                }
                Tok::Sign("}") if braces == 0 => return,
                Tok::Sign("}") => {
                    braces -= 1;
                    braces == 0
                }
                Tok::Sign(";") => braces == 0,
                _ => false,
            };
            self.advance();
            if end && (self.at_end() || self.at("}") || begins(self)) {
                return;
            }
        }
    }
}

pub(crate) fn error<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

pub(crate) fn error_help<T>(span: Span, message: impl Into<String>, help: &str) -> Res<T> {
    Err(Box::new(Diagnostic::error(span, message).help(help)))
}

/// ACSL that Lakatos has no meaning for.
pub(crate) fn unsupported<T>(span: Span, construct: impl Into<String>) -> Res<T> {
    Err(Box::new(Diagnostic::unsupported(span, construct)))
}

pub(crate) fn too_deep<T>(span: Span) -> Res<T> {
    let help = format!("the limit is {MAX_DEPTH} levels");
    error_help(span, "this is nested too deeply for Lakatos", &help)
}

/// A token's text for a message: not more than a glance.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
