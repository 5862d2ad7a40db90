//! Operators: arithmetic on mathematical numbers, pointers, connectives.

use lakatos_ir::Span;

use super::place::{many, single};
use super::term::{pred_of, term_of};
use super::{Checker, Value};
use crate::lexer::Res;
use crate::parse::{error, error_help, too_deep, unsupported};
use crate::syntax::{Expr, Infix, Level, Unary};
use crate::tree::{Arithmetic, Pred, PredKind, Term, TermKind};
use crate::types::Type;

use super::convert::coerced;

fn arithmetic(op: Infix) -> Option<Arithmetic> {
    Some(match op {
        Infix::Mul => Arithmetic::Mul,
        Infix::Div => Arithmetic::Div,
        Infix::Rem => Arithmetic::Rem,
        Infix::Add => Arithmetic::Add,
        Infix::Sub => Arithmetic::Sub,
        Infix::Shl => Arithmetic::Shl,
        Infix::Shr => Arithmetic::Shr,
        Infix::BitAnd => Arithmetic::BitAnd,
        Infix::BitXor => Arithmetic::BitXor,
        Infix::BitOr => Arithmetic::BitOr,
        Infix::BitIff => Arithmetic::BitIff,
        _ => return None,
    })
}

/// So many steps of one chain of pointers may be nodes in each other.
const MOST_NESTED: usize = 4;

/// What grows from left to right; `open` if the last node was made by this chain.
struct Accumulator {
    term: Term,
    open: bool,
    pointers: usize,
}

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn unary(&mut self, op: Unary, inner: &Expr, span: Span) -> Res<Value> {
        match op {
            Unary::Not => {
                let inner = self.pred(inner)?;
                Ok(Value::Pred(pred_of(PredKind::Not(inner.into()), span)))
            }
            Unary::BitNot => {
                let inner = self.term(inner)?;
                let inner = self.integer(inner)?;
                let kind = TermKind::BitNot(inner.into());
                Ok(Value::Term(term_of(kind, Type::Integer, span)))
            }
            Unary::AddressOf => self.address_of(inner, span).map(Value::Term),
            Unary::Neg | Unary::Plus => {
                let inner = self.term(inner)?;
                let inner = self.number(inner)?;
                // `+` says no more than that it is a number.
                if op == Unary::Plus {
                    let kind = match inner.kind {
                        TermKind::Coerce(inner) => TermKind::Cast(inner),
                        kind => kind,
                    };
                    return Ok(Value::Term(Term { kind, ty: inner.ty, span }));
                }
                let ty = inner.ty.clone();
                Ok(Value::Term(term_of(TermKind::Neg(inner.into()), ty, span)))
            }
            Unary::Deref => {
                // Handled as a place before.
                error(span, "a pointer is expected")
            }
        }
    }

    /// A number of mathematics.
    pub(super) fn number(&mut self, term: Term) -> Res<Term> {
        match term.ty.is_arithmetic() && !term.ty.is_integral() {
            true => Ok(coerced(term, Type::Real)),
            false if term.ty.is_integral() => Ok(coerced(term, Type::Integer)),
            false => {
                let message = format!("a number is expected, and this is `{}`", term.ty);
                error(term.span, message)
            }
        }
    }

    #[inline(never)]
    pub(super) fn infix(&mut self, first: &Expr, rest: &[(Infix, Expr)], span: Span) -> Res<Value> {
        let level = rest.first().map_or(Level::Postfix, |(op, _)| op.level());
        match level {
            Level::Relation => self.compare(first, rest, span).map(Value::Pred),
            Level::And | Level::Or | Level::Xor | Level::Iff => {
                self.connective(level, first, rest, span).map(Value::Pred)
            }
            Level::BitAnd | Level::BitXor | Level::BitOr => self.bits(level, first, rest, span),
            _ => {
                let first = self.term(first)?;
                let mut operands = Vec::with_capacity(rest.len());
                for (op, e) in rest {
                    operands.push((*op, self.term(e)?));
                }
                self.chain(first, operands).map(Value::Term)
            }
        }
    }

    fn connective(
        &mut self,
        level: Level,
        first: &Expr,
        rest: &[(Infix, Expr)],
        span: Span,
    ) -> Res<Pred> {
        let mut all = Vec::with_capacity(rest.len() + 1);
        for e in std::iter::once(first).chain(rest.iter().map(|(_, e)| e)) {
            all.push(self.pred(e)?);
        }
        Ok(joined(level, all, span))
    }

    /// Bits of integers; in C, conditions have them too.
    fn bits(
        &mut self,
        level: Level,
        first: &Expr,
        rest: &[(Infix, Expr)],
        span: Span,
    ) -> Res<Value> {
        let mut values = Vec::with_capacity(rest.len() + 1);
        for e in std::iter::once(first).chain(rest.iter().map(|(_, e)| e)) {
            values.push(self.value(e)?);
        }
        let condition = |v: &Value| match v {
            Value::Pred(_) => true,
            Value::Term(term) => term.ty == Type::Boolean,
        };
        if self.is_c() && values.iter().all(condition) {
            let all = values.into_iter().map(|v| self.condition(v)).collect::<Res<Vec<_>>>()?;
            let level = match level {
                Level::BitAnd => Level::And,
                Level::BitXor => Level::Xor,
                _ => Level::Or,
            };
            return Ok(Value::Pred(joined(level, all, span)));
        }
        let mut terms = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Term(term) if term.ty != Type::Boolean => terms.push(term),
                Value::Term(Term { span, .. }) | Value::Pred(Pred { span, .. }) => {
                    return error_help(
                        span,
                        "a condition has no bits",
                        "`&&`, `||` and `^^` join conditions; comparisons bind tighter than `&`",
                    );
                }
            }
        }
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else { return error(span, "an operand is missing") };
        let operands = rest.iter().map(|(op, _)| *op).zip(terms).collect();
        self.chain(first, operands).map(Value::Term)
    }

    /// From left to right.
    fn chain(&mut self, first: Term, rest: Vec<(Infix, Term)>) -> Res<Term> {
        let mut sum = Accumulator { term: first, open: false, pointers: 0 };
        for (op, operand) in rest {
            sum = self.step(sum, op, operand)?;
        }
        Ok(sum.term)
    }

    fn step(&mut self, sum: Accumulator, op: Infix, operand: Term) -> Res<Accumulator> {
        if matches!(op, Infix::Add | Infix::Sub) {
            let left = self.decayed(sum.term)?;
            let right = self.decayed(operand)?;
            if single(&left.ty).0.is_pointer() || single(&right.ty).0.is_pointer() {
                let (term, nested) = match sum.open {
                    true => self.further(left, op, right)?,
                    false => (self.pointers(left, op, right)?, true),
                };
                let pointers = sum.pointers + usize::from(nested);
                if pointers > MOST_NESTED {
                    return too_deep(term.span);
                }
                return Ok(Accumulator { term, open: true, pointers });
            }
            return self.numbers(Accumulator { term: left, ..sum }, op, right);
        }
        self.numbers(sum, op, operand)
    }

    /// One more step of a pointer: `p - 1 + 2` is `p - (1 - 2)`, so that long chains are not deep.
    /// Whether it is nested all the same.
    fn further(&mut self, left: Term, op: Infix, right: Term) -> Res<(Term, bool)> {
        let span = left.span.to(right.span);
        let plain = left.ty.is_pointer() && right.ty.is_integral();
        match left.kind {
            TermKind::PointerAdd { pointer, index, subtract } if plain => {
                let same = subtract == (op == Infix::Sub);
                let sum = Accumulator { open: is_sum(&index), term: *index, pointers: 0 };
                let op = if same { Infix::Add } else { Infix::Sub };
                let index = self.numbers(sum, op, right)?.term.into();
                let kind = TermKind::PointerAdd { pointer, index, subtract };
                Ok((term_of(kind, left.ty, span), false))
            }
            kind => {
                let left = term_of(kind, left.ty, left.span);
                Ok((self.pointers(left, op, right)?, true))
            }
        }
    }

    fn pointers(&mut self, left: Term, op: Infix, right: Term) -> Res<Term> {
        let span = left.span.to(right.span);
        let is_pointer = |t: &Term| single(&t.ty).0.is_pointer();
        let subtract = op == Infix::Sub;
        if is_pointer(&left) && is_pointer(&right) {
            if !subtract {
                return error(span, "two pointers cannot be added");
            }
            if let Some(set) = [&left, &right].into_iter().find(|t| matches!(t.ty, Type::Set(_))) {
                return unsupported(set.span, "differences of sets of pointers");
            }
            let ty = self.common_pointer(&[&left, &right])?;
            let (left, right) = (self.expect(left, &ty)?, self.expect(right, &ty)?);
            let kind = TermKind::PointerDiff(left.into(), right.into());
            return Ok(term_of(kind, Type::Integer, span));
        }
        let (pointer, index) = match is_pointer(&left) {
            true => (left, right),
            false if subtract => {
                return error(span, "a pointer cannot be subtracted from a number");
            }
            false => (right, left),
        };
        let index = self.indices(index)?;
        let set = matches!(index.ty, Type::Set(_));
        let ty = many(pointer.ty.clone(), set);
        let kind = TermKind::PointerAdd { pointer: pointer.into(), index: index.into(), subtract };
        Ok(term_of(kind, ty, span))
    }

    fn numbers(&mut self, sum: Accumulator, op: Infix, operand: Term) -> Res<Accumulator> {
        let span = sum.term.span.to(operand.span);
        let Some(arithmetic) = arithmetic(op) else { return error(span, "no operator on numbers") };
        let on_reals = matches!(op, Infix::Mul | Infix::Div | Infix::Add | Infix::Sub);
        let (left, right) = match on_reals {
            true => (self.number(sum.term)?, self.number(operand)?),
            false => (self.integer(sum.term)?, self.integer(operand)?),
        };
        let real = left.ty == Type::Real || right.ty == Type::Real;
        let ty = if real { Type::Real } else { Type::Integer };
        let same = left.ty == ty;
        let (left, right) = (coerced(left, ty.clone()), coerced(right, ty.clone()));
        let kind = match left.kind {
            TermKind::Arithmetic { first, mut rest } if sum.open && same => {
                rest.push((arithmetic, right));
                TermKind::Arithmetic { first, rest }
            }
            kind => {
                let first = term_of(kind, left.ty, left.span).into();
                TermKind::Arithmetic { first, rest: vec![(arithmetic, right)] }
            }
        };
        Ok(Accumulator { term: term_of(kind, ty, span), open: true, pointers: sum.pointers })
    }

    #[inline(never)]
    pub(super) fn bit_implies(&mut self, a: &Expr, b: &Expr, span: Span) -> Res<Term> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        let (a, b) = (self.integer(a)?, self.integer(b)?);
        let rest = vec![(Arithmetic::BitImplies, b)];
        Ok(term_of(TermKind::Arithmetic { first: a.into(), rest }, Type::Integer, span))
    }
}

/// Nothing but additions and subtractions.
fn is_sum(term: &Term) -> bool {
    let plain = |op: &Arithmetic| matches!(op, Arithmetic::Add | Arithmetic::Sub);
    matches!(&term.kind, TermKind::Arithmetic { rest, .. } if rest.iter().all(|(op, _)| plain(op)))
}

fn joined(level: Level, all: Vec<Pred>, span: Span) -> Pred {
    let kind = match level {
        Level::And => PredKind::And(all),
        Level::Or => PredKind::Or(all),
        Level::Xor => PredKind::Xor(all),
        _ => PredKind::Iff(all),
    };
    pred_of(kind, span)
}
