//! Initialisers as written: expressions, brace lists, designators.

use super::Parser;
use crate::sema::Res;
use crate::sema::init::{Designator, Entry, InitSyntax};
use crate::syntax::token::Tok;

impl Parser<'_> {
    pub fn initialiser_syntax(&mut self) -> Res<InitSyntax> {
        if self.at(Tok::LBrace) {
            return self.nested(Self::brace_list);
        }
        Ok(InitSyntax::Expr(self.assignment()?))
    }

    fn brace_list(&mut self) -> Res<InitSyntax> {
        let start = self.start();
        self.advance()?;
        let mut entries = Vec::new();
        while !self.at(Tok::RBrace) {
            entries.push(self.entry()?);
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::RBrace, "after the initialiser")?;
        Ok(InitSyntax::List(entries, self.since(start)))
    }

    fn entry(&mut self) -> Res<Entry> {
        let start = self.start();
        let mut designators = Vec::new();
        if let (Tok::Ident(name), Tok::Colon) = (self.tok.kind, self.next.kind) {
            // GNU's old `field: value`.
            self.advance()?;
            self.advance()?;
            designators.push(Designator::Field(name));
        } else {
            while matches!(self.tok.kind, Tok::Dot | Tok::LBracket) {
                designators.push(self.designator()?);
            }
            // GNU allows `[i] value` without the `=`.
            if !designators.is_empty() {
                self.eat(Tok::Assign)?;
            }
        }
        let value = self.initialiser_syntax()?;
        Ok(Entry { designators, value, span: self.since(start) })
    }

    fn designator(&mut self) -> Res<Designator> {
        if self.eat(Tok::Dot)? {
            let (name, _) = self.expect_ident("the name of a member")?;
            return Ok(Designator::Field(name));
        }
        self.advance()?;
        let low = self.designated_index()?;
        let high = match self.eat(Tok::Ellipsis)? {
            true => self.designated_index()?,
            false => low,
        };
        self.expect(Tok::RBracket, "after the index")?;
        Ok(Designator::Index { low, high })
    }

    fn designated_index(&mut self) -> Res<u64> {
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        self.sema.require_size(e, span, "the index")
    }
}
