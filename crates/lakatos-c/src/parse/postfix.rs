//! Postfix operators: calls, indices, members, `++` and `--`.

use super::Parser;
use crate::ast::ExprId;
use crate::sema::Res;
use crate::syntax::token::Tok;

impl Parser<'_> {
    pub fn postfix(&mut self) -> Res<ExprId> {
        let start = self.start();
        let e = self.primary()?;
        self.postfix_of(e, start)
    }

    /// The operators that follow an expression which began at `start`.
    pub fn postfix_of(&mut self, mut e: ExprId, start: u32) -> Res<ExprId> {
        loop {
            e = match self.tok.kind {
                Tok::LBracket => {
                    self.advance()?;
                    let index = self.expression()?;
                    self.expect(Tok::RBracket, "after the index")?;
                    let span = self.since(start);
                    self.sema.index(e, index, span)?
                }
                Tok::LParen => {
                    let args = self.arguments()?;
                    let span = self.since(start);
                    self.sema.call(e, args, span)?
                }
                Tok::Dot => {
                    self.advance()?;
                    let name = self.expect_ident("the name of a member")?;
                    let span = self.since(start);
                    self.sema.member(e, name, span)?
                }
                Tok::Arrow => {
                    let before = self.since(start);
                    self.advance()?;
                    let name = self.expect_ident("the name of a member")?;
                    let span = self.since(start);
                    let record = self.sema.deref(e, before)?;
                    self.sema.member(record, name, span)?
                }
                Tok::PlusPlus | Tok::MinusMinus => {
                    let increment = self.advance()?.kind == Tok::PlusPlus;
                    let span = self.since(start);
                    self.sema.inc_dec(e, increment, false, span)?
                }
                _ => return Ok(e),
            };
            self.check_expr_depth(e)?;
        }
    }

    /// `( a, b, … )`
    pub fn arguments(&mut self) -> Res<Vec<ExprId>> {
        self.expect(Tok::LParen, "before the arguments")?;
        let mut args = Vec::new();
        if !self.at(Tok::RParen) {
            loop {
                args.push(self.assignment()?);
                if !self.eat(Tok::Comma)? {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "after the arguments")?;
        Ok(args)
    }
}
