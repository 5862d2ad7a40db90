//! Bit-vectors of the types' widths.

use lakatos_ir::{Arith, BinOp, IntType};
use lakatos_logic::number::{Int, wrap_unsigned};
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Term, Terms};

use super::{Encoding, Ring, Word, bounds};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits;

impl Encoding for Bits {
    fn sort(&self, ty: IntType) -> Sort {
        Sort::BitVec(ty.bits.into())
    }

    fn number(&self, terms: &mut Terms, value: &Int, ty: IntType) -> Term {
        terms.bv(wrap_unsigned(value, ty.bits.into()), ty.bits.into())
    }

    fn range(&self, _terms: &mut Terms, _value: Term, _ty: IntType) -> Term {
        Term::TRUE
    }

    fn arith(
        &self,
        terms: &mut Terms,
        op: Ring,
        a: Term,
        b: Term,
        ty: IntType,
        wraps: bool,
    ) -> (Term, Term) {
        let operation = ring(op);
        let value = terms.bv_binary(operation, a, b);
        if !ty.signed || wraps {
            return (value, Term::FALSE);
        }
        // As wide as every exact result, and compared with what the narrow one stands for.
        let more = if op == Ring::Mul { u32::from(ty.bits) } else { 1 };
        let (a, b) = (terms.sign_extend(more, a), terms.sign_extend(more, b));
        let exact = terms.bv_binary(operation, a, b);
        let widened = terms.sign_extend(more, value);
        (value, terms.ne(exact, widened))
    }

    fn divide(&self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> (Term, Term) {
        let (quotient, rest) = match ty.signed {
            true => (BvBinary::Sdiv, BvBinary::Srem),
            false => (BvBinary::Udiv, BvBinary::Urem),
        };
        (terms.bv_binary(quotient, a, b), terms.bv_binary(rest, a, b))
    }

    fn less(&self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> Term {
        let compare = if ty.signed { BvCompare::Slt } else { BvCompare::Ult };
        terms.bv_compare(compare, a, b)
    }

    fn complement(&self, terms: &mut Terms, a: Term, _ty: IntType) -> Term {
        terms.bv_not(a)
    }

    fn bitwise(&self, terms: &mut Terms, op: BinOp, a: Term, b: Term, _ty: IntType) -> Term {
        let op = match op {
            BinOp::BitAnd => BvBinary::And,
            BinOp::BitOr => BvBinary::Or,
            _ => BvBinary::Xor,
        };
        terms.bv_binary(op, a, b)
    }

    fn shift(
        &self,
        terms: &mut Terms,
        left: bool,
        (a, ty): Word,
        (amount, amount_ty): Word,
    ) -> Term {
        // The amount is small and not negative, so no bit that matters is lost.
        let unsigned = IntType::unsigned(amount_ty.bits);
        let amount = resize(terms, (amount, unsigned), ty.bits.into());
        let op = match (left, ty.signed) {
            (true, _) => BvBinary::Shl,
            (false, true) => BvBinary::Ashr,
            (false, false) => BvBinary::Lshr,
        };
        terms.bv_binary(op, a, amount)
    }

    fn cast(&self, terms: &mut Terms, a: Word, to: IntType) -> Term {
        resize(terms, a, to.bits.into())
    }

    fn exceeds(&self, terms: &mut Terms, op: Arith, a: Word, b: Word, to: IntType) -> Term {
        let width = u32::from(2 * a.1.bits.max(b.1.bits) + 2).max(u32::from(to.bits) + 2);
        let (a, b) = (resize(terms, a, width), resize(terms, b, width));
        let op = match op {
            Arith::Add => BvBinary::Add,
            Arith::Sub => BvBinary::Sub,
            Arith::Mul => BvBinary::Mul,
            Arith::Div => BvBinary::Sdiv,
        };
        let exact = terms.bv_binary(op, a, b);
        let (low, high) = bounds(to);
        let low = terms.bv(wrap_unsigned(&low, width), width);
        let high = terms.bv(wrap_unsigned(&high, width), width);
        let below = terms.bv_compare(BvCompare::Slt, exact, low);
        let above = terms.bv_compare(BvCompare::Slt, high, exact);
        terms.or([below, above])
    }
}

fn ring(op: Ring) -> BvBinary {
    match op {
        Ring::Add => BvBinary::Add,
        Ring::Sub => BvBinary::Sub,
        Ring::Mul => BvBinary::Mul,
    }
}

/// The same value, modulo 2^width where it gets narrower.
fn resize(terms: &mut Terms, (a, ty): Word, width: u32) -> Term {
    let bits = u32::from(ty.bits);
    match width.checked_sub(bits) {
        Some(0) => a,
        Some(more) if ty.signed => terms.sign_extend(more, a),
        Some(more) => terms.zero_extend(more, a),
        None => terms.extract(width - 1, 0, a),
    }
}
