//! The parser: recursive descent, two tokens of look-ahead, calling the checker as it goes.
//!
//! Errors are returned to the statement or declaration they are in, recorded, and parsing goes
//! on behind it. Nesting is bounded by [`Depth`], so that no input overflows the stack.

mod assembly;
mod attribute;
mod attribute_table;
mod decl;
mod declarator;
mod expr;
mod init;
mod postfix;
mod primary;
mod specifier;
mod stmt;

use lakatos_ir::{DataModel, Diagnostic, Environment, Severity, Source, Span};

use crate::Depth;
use crate::Failure;
use crate::ast::{Annotation, Target, Unit};
use crate::sema::{DiagnosticCount, Res, Sema};
use crate::symbol::Symbol;
use crate::syntax::lexer::Lexer;
use crate::syntax::token::{Kw, Tok, Token};
use crate::types::Ty;

#[derive(Debug)]
pub struct Parser<'s> {
    lexer: Lexer<'s>,
    sema: Sema,
    tok: Token,
    next: Token,
    /// Where the token before `tok` ended.
    prev_end: u32,
    depth: u32,
    /// How deep brackets, blocks and operators may be nested.
    most: u32,
    /// Braces open before `tok`, for finding the end of what cannot be parsed.
    braces: u32,
    /// The text cannot be read on: a lexical error, or nesting beyond the limit.
    hopeless: bool,
    /// The type of the typedef just declared, for its array lengths.
    last_typedef: Option<Ty>,
}

/// Parses and checks a translation unit; on failure the diagnostics say why.
pub(crate) fn parse(
    mut source: Source,
    model: DataModel,
    Depth(most): Depth,
) -> Result<Unit, Box<Failure>> {
    let eof = Token { kind: Tok::Eof, span: Span::default() };
    let mut parser = Parser {
        lexer: Lexer::new(source.text()),
        sema: Sema::new(model),
        tok: eof,
        next: eof,
        prev_end: 0,
        depth: 0,
        most,
        braces: 0,
        hopeless: false,
        last_typedef: None,
    };
    parser.translation_unit();
    let Parser { lexer, mut sema, .. } = parser;
    let markers = lexer.markers;
    for marker in markers {
        source.add_line_marker(marker.offset, marker.line, marker.file);
        if marker.is_system {
            source.mark_system_header();
        }
    }
    if !sema.errors.is_empty() {
        let mut diagnostics = sema.errors;
        let is_unsupported = |d: &Diagnostic| d.severity == Severity::Unsupported;
        if is_unsupported(&diagnostics[0]) {
            // What follows may be errors only because that could not be read.
            diagnostics.retain(is_unsupported);
        }
        diagnostics.append(&mut sema.warnings);
        return Err(Box::new(Failure { source, diagnostics }));
    }
    Ok(Unit {
        source,
        symbols: sema.symbols,
        types: sema.types,
        decls: sema.decls,
        exprs: sema.exprs,
        stmts: sema.stmts,
        strings: sema.strings,
        objects: sema.objects,
        functions: sema.functions,
        annotations: sema.annotations,
        constructors: sema.constructors,
        destructors: sema.destructors,
        labels: sema.labels.into_iter().map(|(id, (label, _))| (id, label)).collect(),
        names: sema.scopes,
        environment: Environment::default(),
        warnings: sema.warnings,
        unsupported: sema.unsupported,
    })
}

impl<'s> Parser<'s> {
    fn translation_unit(&mut self) {
        let primed = self.advance().and_then(|_| self.advance());
        if let Err(e) = primed {
            self.sema.report(*e);
            return;
        }
        while self.tok.kind != Tok::Eof && !self.stop() {
            let before = self.sema.diagnostic_count();
            if let Err(e) = self.external_declaration() {
                self.sema.report(*e);
                self.leave_declaration();
            }
            if let Some(refusal) = self.take_refusal(before) {
                self.sema.report(refusal);
            }
        }
        self.flush_annotations(Target::Global);
        self.sema.note_scope();
        self.sema.weak_names = std::mem::take(&mut self.lexer.weak_names);
        self.sema.finish_unit();
    }

    /// Why what was read since is unsupported; not where the rest of the text cannot be read.
    fn take_refusal(&mut self, before: DiagnosticCount) -> Option<Diagnostic> {
        if self.hopeless { None } else { self.sema.take_refusal(before) }
    }

    /// Goes on behind a declaration in which there is an error.
    fn leave_declaration(&mut self) {
        self.sema.current = None;
        while !self.sema.at_file_scope() {
            self.sema.leave_scope();
        }
        self.depth = 0;
        self.skip_declaration();
    }

    fn stop(&self) -> bool {
        self.hopeless || self.sema.too_many_errors()
    }

    /// Moves on by one token and returns the one that was current.
    fn advance(&mut self) -> Res<Token> {
        let token = self.tok;
        self.prev_end = token.span.end;
        self.sema.position = token.span.end;
        match token.kind {
            Tok::LBrace => self.braces += 1,
            Tok::RBrace => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.tok = self.next;
        match self.lexer.next_token(&mut self.sema.symbols) {
            Ok(next) => {
                self.next = next;
                Ok(token)
            }
            Err(e) => {
                self.hopeless = true;
                Err(e)
            }
        }
    }

    fn at(&self, kind: Tok) -> bool {
        self.tok.kind == kind
    }

    fn at_kw(&self, kw: Kw) -> bool {
        self.tok.kind == Tok::Kw(kw)
    }

    /// Takes the token if it is the one asked for.
    fn eat(&mut self, kind: Tok) -> Res<bool> {
        let here = self.at(kind);
        if here {
            self.advance()?;
        }
        Ok(here)
    }

    fn eat_kw(&mut self, kw: Kw) -> Res<bool> {
        self.eat(Tok::Kw(kw))
    }

    fn expect(&mut self, kind: Tok, context: &str) -> Res<Token> {
        if self.at(kind) {
            return self.advance();
        }
        let wanted = kind.text().unwrap_or("a name");
        self.unexpected(&format!("`{wanted}` {context}"))
    }

    /// An error at the current token: what was expected instead.
    fn unexpected<T>(&self, wanted: &str) -> Res<T> {
        let found = match self.tok.kind {
            Tok::Eof => "the end of the file".to_owned(),
            _ => format!("`{}`", shorten(self.lexer.text(self.tok.span))),
        };
        // A missing `;` is best shown where it is missing, not at the next line's token.
        let span = match wanted.starts_with("`;`") {
            true => Span::new(self.prev_end.saturating_sub(1), self.prev_end),
            false => self.tok.span,
        };
        Err(Diagnostic::error(span, format!("expected {wanted}, found {found}")).into())
    }

    fn expect_ident(&mut self, what: &str) -> Res<(Symbol, Span)> {
        match self.tok.kind {
            Tok::Ident(symbol) => Ok((symbol, self.advance()?.span)),
            _ => self.unexpected(what),
        }
    }

    /// From a starting offset to the end of the last token taken.
    fn since(&self, start: u32) -> Span {
        Span::new(start, self.prev_end.max(start))
    }

    fn start(&self) -> u32 {
        self.tok.span.start
    }

    /// Runs one more level of nesting, or refuses.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.nested_to(self.most, parse)
    }

    fn nested_to<T>(&mut self, most: u32, parse: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let most = most.min(self.most);
        if self.depth >= most {
            return self.too_deep(most);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self, limit: u32) -> Res<T> {
        self.hopeless = true;
        let span = self.tok.span;
        let message = "this is nested too deeply for Lakatos";
        // Where the system limits the stack, another machine may understand the program.
        let diagnostic = match limit == self.most && limit < Depth::MOST {
            true => Diagnostic::unsupported(span, "nesting this deep on a limited stack"),
            false => Diagnostic::error(span, message),
        };
        Err(diagnostic.help(format!("the limit is {limit} levels")).into())
    }

    /// Operators that nest to the left make deep trees without nesting in the grammar.
    fn check_expr_depth(&mut self, e: crate::ast::ExprId) -> Res<()> {
        if self.sema.exprs[e].depth > self.most {
            return self.too_deep(self.most);
        }
        Ok(())
    }

    /// Skips to the end of a statement in a block: behind its `;` or its own `}`, or before the
    /// `}` of the block, which is `braces` deep.
    fn skip_statement(&mut self, braces: u32) {
        while self.tok.kind != Tok::Eof && !self.hopeless {
            let inside = self.braces > braces;
            match self.tok.kind {
                Tok::RBrace if !inside => return,
                Tok::Semi | Tok::RBrace => {
                    // A lexical error makes the parser hopeless, which ends the loop.
                    let _ = self.advance();
                    if self.braces <= braces {
                        return;
                    }
                }
                _ => {
                    let _ = self.advance();
                }
            }
        }
    }

    /// Skips to the end of a declaration at file scope.
    fn skip_declaration(&mut self) {
        self.skip_statement(0);
        while self.at(Tok::RBrace) && !self.hopeless {
            let _ = self.advance();
        }
    }

    /// ACSL comments that stand before the current token.
    fn annotations_here(&mut self) -> Vec<Span> {
        let offset = self.start();
        self.lexer.take_annotations(offset).to_vec()
    }

    fn annotate(&mut self, spans: Vec<Span>, target: Target) {
        for span in spans {
            let text = self.lexer.text(span);
            let body = &text[3..];
            let body = if text.starts_with("/*") { &body[..body.len() - 2] } else { body };
            let text = body.trim_end_matches('@').trim().to_owned();
            self.sema.annotations.push(Annotation { span, text, target });
        }
    }

    fn flush_annotations(&mut self, target: Target) {
        let spans = self.annotations_here();
        self.annotate(spans, target);
    }
}

/// A token's text for a message: not more than a glance.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
