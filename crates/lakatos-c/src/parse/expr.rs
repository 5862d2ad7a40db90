//! Expressions (C11 6.5), from the comma down to casts and unary operators.

use super::Parser;
use crate::ast::{BinOp, DeclKind, ExprId, ExprKind, Object, Storage, UnOp};
use crate::sema::{Res, error, unsupported};
use crate::syntax::token::{Kw, Tok};
use crate::types::{FloatKind, Ty, TypeKind};

/// A binary operator of the precedence table.
#[derive(Clone, Copy)]
enum Infix {
    Op(BinOp),
    Logical { or: bool },
}

/// What stands in parentheses before an operand, or as one.
enum Parenthesised {
    Type(Ty),
    Expr(ExprId),
}

/// How tightly a token binds as a binary operator; larger is tighter.
fn infix(tok: Tok) -> Option<(u8, Infix)> {
    use BinOp::*;
    Some(match tok {
        Tok::OrOr => (1, Infix::Logical { or: true }),
        Tok::AndAnd => (2, Infix::Logical { or: false }),
        Tok::Pipe => (3, Infix::Op(BitOr)),
        Tok::Caret => (4, Infix::Op(BitXor)),
        Tok::Amp => (5, Infix::Op(BitAnd)),
        Tok::EqEq => (6, Infix::Op(Eq)),
        Tok::Ne => (6, Infix::Op(Ne)),
        Tok::Lt => (7, Infix::Op(Lt)),
        Tok::Gt => (7, Infix::Op(Gt)),
        Tok::Le => (7, Infix::Op(Le)),
        Tok::Ge => (7, Infix::Op(Ge)),
        Tok::Shl => (8, Infix::Op(Shl)),
        Tok::Shr => (8, Infix::Op(Shr)),
        Tok::Plus => (9, Infix::Op(Add)),
        Tok::Minus => (9, Infix::Op(Sub)),
        Tok::Star => (10, Infix::Op(Mul)),
        Tok::Slash => (10, Infix::Op(Div)),
        Tok::Percent => (10, Infix::Op(Rem)),
        _ => return None,
    })
}

fn compound_assignment(tok: Tok) -> Option<BinOp> {
    Some(match tok {
        Tok::PlusAssign => BinOp::Add,
        Tok::MinusAssign => BinOp::Sub,
        Tok::StarAssign => BinOp::Mul,
        Tok::SlashAssign => BinOp::Div,
        Tok::PercentAssign => BinOp::Rem,
        Tok::AmpAssign => BinOp::BitAnd,
        Tok::PipeAssign => BinOp::BitOr,
        Tok::CaretAssign => BinOp::BitXor,
        Tok::ShlAssign => BinOp::Shl,
        Tok::ShrAssign => BinOp::Shr,
        _ => return None,
    })
}

impl Parser<'_> {
    pub fn expression(&mut self) -> Res<ExprId> {
        let start = self.start();
        let mut e = self.assignment()?;
        while self.eat(Tok::Comma)? {
            let rhs = self.assignment()?;
            let span = self.since(start);
            e = self.sema.comma(e, rhs, span);
            self.check_expr_depth(e)?;
        }
        Ok(e)
    }

    pub fn assignment(&mut self) -> Res<ExprId> {
        self.nested(|p| {
            let start = p.start();
            let lhs = p.conditional()?;
            if p.eat(Tok::Assign)? {
                let rhs = p.assignment()?;
                let span = p.since(start);
                return p.sema.assign(lhs, rhs, span);
            }
            if let Some(op) = compound_assignment(p.tok.kind) {
                p.advance()?;
                let rhs = p.assignment()?;
                let span = p.since(start);
                return p.sema.assign_op(op, lhs, rhs, span);
            }
            Ok(lhs)
        })
    }

    pub fn conditional(&mut self) -> Res<ExprId> {
        let start = self.start();
        let cond = self.binary(0)?;
        if !self.eat(Tok::Question)? {
            return Ok(cond);
        }
        if self.eat(Tok::Colon)? {
            let els = self.nested(Self::conditional)?;
            let span = self.since(start);
            return self.sema.elvis(cond, els, span);
        }
        let then = self.expression()?;
        self.expect(Tok::Colon, "between the branches of `?`")?;
        let els = self.nested(Self::conditional)?;
        let span = self.since(start);
        self.sema.conditional(cond, then, els, span)
    }

    /// Operators that bind tighter than `above`, by precedence climbing.
    fn binary(&mut self, above: u8) -> Res<ExprId> {
        let start = self.start();
        let mut lhs = self.cast_expression()?;
        while let Some((precedence, op)) = infix(self.tok.kind) {
            if precedence <= above {
                break;
            }
            self.advance()?;
            let rhs = self.binary(precedence)?;
            let span = self.since(start);
            lhs = match op {
                Infix::Op(op) => self.sema.binary(op, lhs, rhs, span)?,
                Infix::Logical { or } => self.sema.logical(or, lhs, rhs, span)?,
            };
            self.check_expr_depth(lhs)?;
        }
        Ok(lhs)
    }

    fn cast_expression(&mut self) -> Res<ExprId> {
        match self.tok.kind {
            Tok::LParen if self.starts_type(self.next.kind) => {
                self.nested(Self::cast_or_compound_literal)
            }
            _ => self.unary(),
        }
    }

    fn cast_or_compound_literal(&mut self) -> Res<ExprId> {
        let start = self.start();
        let ty = match self.parenthesised()? {
            Parenthesised::Expr(e) => return self.postfix_of(e, start),
            Parenthesised::Type(ty) => ty,
        };
        if self.at(Tok::LBrace) {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix_of(literal, start);
        }
        let operand = self.cast_expression()?;
        let span = self.since(start);
        self.sema.cast(ty, operand, span)
    }

    /// `( type )`, or `(__extension__ expression)`, which begins like it.
    fn parenthesised(&mut self) -> Res<Parenthesised> {
        self.expect(Tok::LParen, "before the type")?;
        while self.eat_kw(Kw::Extension)? {}
        let inner = match self.at_type_name() {
            true => Parenthesised::Type(self.type_name()?),
            false => Parenthesised::Expr(self.nested(Self::expression)?),
        };
        self.expect(Tok::RParen, "after the type")?;
        Ok(inner)
    }

    fn compound_literal(&mut self, ty: Ty, start: u32) -> Res<ExprId> {
        self.sema.use_type(ty, self.since(start));
        let syntax = self.initialiser_syntax()?;
        let (init, ty) = self.sema.initialiser(ty, &syntax)?;
        let span = self.since(start);
        if init.flexible.is_some() {
            let construct = "a compound literal with an initialised flexible array member";
            return unsupported(span, construct);
        }
        let storage = if self.sema.at_file_scope() { Storage::StaticLocal } else { Storage::Local };
        let name = self.sema.symbols.intern("");
        let decl = self.sema.new_object(name, ty, storage, span);
        self.sema.decls[decl].kind = DeclKind::Object(Object {
            storage,
            init: Some(init),
            weak: false,
            is_shared: false,
            cleanup: None,
            register: false,
        });
        if storage == Storage::StaticLocal {
            self.sema.objects.push(decl);
            return Ok(self.sema.reference(decl, span));
        }
        Ok(self.sema.expr(ExprKind::CompoundLiteral(decl), ty, span))
    }

    /// GNU `&&label`.
    fn label_address(&mut self) -> Res<ExprId> {
        let start = self.advance()?.span;
        let (name, span) = self.expect_ident("the name of a label")?;
        if self.sema.current.is_none() {
            return error(start, "the address of a label outside of a function");
        }
        self.current().labels.entry(name).or_default().used.get_or_insert(span);
        Ok(self.sema.label_address(name, start.to(span)))
    }

    fn unary(&mut self) -> Res<ExprId> {
        match self.tok.kind {
            Tok::Plus | Tok::Minus | Tok::Tilde | Tok::Bang | Tok::Star | Tok::Amp => {
                self.nested(Self::prefix_operator)
            }
            Tok::PlusPlus | Tok::MinusMinus => self.nested(Self::prefix_increment),
            Tok::AndAnd => self.label_address(),
            Tok::Kw(Kw::Sizeof) => self.nested(Self::size_of),
            Tok::Kw(kw @ (Kw::Alignof | Kw::AlignofGnu)) => {
                self.nested(|p| p.align_of(kw == Kw::AlignofGnu))
            }
            Tok::Kw(Kw::Extension) => {
                self.advance()?;
                self.nested(Self::cast_expression)
            }
            Tok::Kw(kw @ (Kw::Real | Kw::Imag)) => self.nested(|p| p.complex_part(kw == Kw::Real)),
            _ => self.postfix(),
        }
    }

    fn prefix_operator(&mut self) -> Res<ExprId> {
        let start = self.start();
        let op = self.advance()?.kind;
        let operand = self.cast_expression()?;
        let span = self.since(start);
        match op {
            Tok::Plus => self.sema.plus(operand, span),
            Tok::Minus => self.sema.unary(UnOp::Neg, operand, span),
            Tok::Tilde => self.sema.unary(UnOp::BitNot, operand, span),
            Tok::Bang => self.sema.unary(UnOp::Not, operand, span),
            Tok::Star => self.sema.deref(operand, span),
            _ => self.sema.address_of(operand, span),
        }
    }

    fn prefix_increment(&mut self) -> Res<ExprId> {
        let start = self.start();
        let increment = self.advance()?.kind == Tok::PlusPlus;
        let operand = self.unary()?;
        let span = self.since(start);
        self.sema.inc_dec(operand, increment, true, span)
    }

    fn complex_part(&mut self, real: bool) -> Res<ExprId> {
        let start = self.start();
        self.advance()?;
        let operand = self.cast_expression()?;
        let e = self.sema.rvalue(operand);
        let ty = self.sema.ty(e);
        match self.sema.types.kind(ty) {
            TypeKind::Complex(_) => Ok(self.sema.complex_part(operand, real, self.since(start))),
            _ if real => Ok(e),
            _ => {
                let double = self.sema.types.float_ty(FloatKind::Double);
                let ty = if self.sema.types.is_arithmetic(ty) { ty } else { double };
                let zero = self.sema.int_const(0, self.sema.types.int, self.since(start));
                Ok(self.sema.convert(zero, ty, true))
            }
        }
    }

    /// The type an operand of `sizeof` or `_Alignof` has, and the operand if it is no type.
    fn operand_type(&mut self) -> Res<(Ty, Option<ExprId>)> {
        if self.at(Tok::LParen) && self.starts_type(self.next.kind) {
            let start = self.start();
            match self.parenthesised()? {
                // `sizeof (type){…}` is the size of the literal.
                Parenthesised::Type(ty) if self.at(Tok::LBrace) => {
                    let literal = self.compound_literal(ty, start)?;
                    let e = self.postfix_of(literal, start)?;
                    return Ok((self.sema.ty(e), Some(e)));
                }
                Parenthesised::Type(ty) => return Ok((ty, None)),
                Parenthesised::Expr(e) => {
                    let e = self.postfix_of(e, start)?;
                    return Ok((self.sema.ty(e), Some(e)));
                }
            }
        }
        let e = self.unary()?;
        if self.sema.bit_field(e).is_some() {
            return error(self.sema.exprs[e].span, "a bit-field has no size in bytes");
        }
        Ok((self.sema.ty(e), Some(e)))
    }

    fn size_of(&mut self) -> Res<ExprId> {
        let start = self.start();
        self.advance()?;
        let (ty, operand) = self.operand_type()?;
        let span = self.since(start);
        if let Some(operand) = operand
            && self.sema.types.is_variably_sized(ty)
            && self.sema.has_side_effect(operand)
        {
            return unsupported(span, "`sizeof` of a variable-length array with side effects");
        }
        if let Some(bits) = operand.and_then(|e| self.sema.bit_field_value(e)) {
            // GCC: the value has an integer type of the field's width.
            let bytes = u64::from(bits.width).div_ceil(8).next_power_of_two();
            let size_t = self.sema.types.size_ty();
            return Ok(self.sema.int_const(bytes.into(), size_t, span));
        }
        self.sema.size_of(ty, span)
    }

    fn align_of(&mut self, gnu: bool) -> Res<ExprId> {
        let start = self.start();
        self.advance()?;
        if !(self.at(Tok::LParen) && self.starts_type(self.next.kind)) {
            // An object may be declared with an alignment that its type does not have.
            return unsupported(self.tok.span, "the alignment of an expression");
        }
        let (ty, operand) = self.operand_type()?;
        let span = self.since(start);
        if operand.is_some() {
            return unsupported(span, "the alignment of an expression");
        }
        Ok(self.sema.align_of(ty, gnu, span))
    }
}
