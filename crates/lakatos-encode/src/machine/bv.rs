//! The `bv` encoding: every operation is one of bit-vectors.

use lakatos_ir::{Arith, BinOp, IntType, UnOp};
use lakatos_logic::number::{Int, div_ceil, div_euclid, is_negative};
use lakatos_logic::term::{BvBinary, BvCompare, Term, Terms};

use super::{Interval, Machine, Operand};

pub(super) fn unary(terms: &mut Terms, op: UnOp, a: &Operand) -> Term {
    match op {
        UnOp::Neg => terms.bv_neg(a.term),
        _ => terms.bv_not(a.term),
    }
}

/// Arithmetic and bit operations of two operands of one type.
pub(super) fn binary(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Term {
    let op = match (op, a.ty.signed) {
        (BinOp::Add, _) => BvBinary::Add,
        (BinOp::Sub, _) => BvBinary::Sub,
        (BinOp::Mul, _) => BvBinary::Mul,
        (BinOp::Div, true) => BvBinary::Sdiv,
        (BinOp::Div, false) => BvBinary::Udiv,
        (BinOp::Rem, true) => BvBinary::Srem,
        (BinOp::Rem, false) => BvBinary::Urem,
        (BinOp::BitAnd, _) => BvBinary::And,
        (BinOp::BitOr, _) => BvBinary::Or,
        (BinOp::BitXor, _) => BvBinary::Xor,
        _ => unreachable!("{op:?} is not arithmetic"),
    };
    terms.bv_binary(op, a.term, b.term)
}

pub(super) fn shift(terms: &mut Terms, op: BinOp, a: &Operand, amount: &Operand) -> Term {
    // An amount in range fits into as many bits as are shifted.
    let amount = resize(terms, amount, a.ty.bits.into());
    let op = match (op, a.ty.signed) {
        (BinOp::Shl, _) => BvBinary::Shl,
        (_, true) => BvBinary::Ashr,
        (_, false) => BvBinary::Lshr,
    };
    terms.bv_binary(op, a.term, amount)
}

pub(super) fn le(terms: &mut Terms, a: Term, b: Term, ty: IntType) -> Term {
    let op = if ty.signed { BvCompare::Sle } else { BvCompare::Ule };
    terms.bv_compare(op, a, b)
}

pub(super) fn is_odd(terms: &mut Terms, a: &Operand) -> Term {
    let (bit, one) = (terms.extract(0, 0, a.term), terms.bv(1, 1));
    terms.eq(bit, one)
}

/// The low bits, or more bits with the same value.
pub(super) fn resize(terms: &mut Terms, a: &Operand, width: u32) -> Term {
    let own = terms.width(a.term);
    match a.ty.signed {
        _ if own > width => terms.extract(width - 1, 0, a.term),
        // A sign that is known to be zero is extended as one.
        true if !a.bounds.is_never_negative() => terms.sign_extend(width - own, a.term),
        _ => terms.zero_extend(width - own, a.term),
    }
}

impl Machine {
    /// The exact result is no value of the type: computed with as many bits as it may take.
    pub(super) fn misfit_of_bits(
        self,
        terms: &mut Terms,
        op: Arith,
        a: &Operand,
        b: &Operand,
        ty: IntType,
    ) -> Term {
        if let Some(fits) = self.fits_by_constant(terms, op, a, b, &Interval::of(ty)) {
            return terms.not(fits);
        }
        // One bit more for the sign of an unsigned number, another one for the result.
        let (x, y) = (u32::from(a.ty.bits) + 1, u32::from(b.ty.bits) + 1);
        let needed = if op == Arith::Mul { x + y } else { x.max(y) + 1 };
        let width = needed.max(u32::from(ty.bits) + 1);
        let (x, y) = (resize(terms, a, width), resize(terms, b, width));
        let op = match op {
            Arith::Add => BvBinary::Add,
            Arith::Sub => BvBinary::Sub,
            Arith::Mul => BvBinary::Mul,
            Arith::Div => BvBinary::Sdiv,
        };
        let exact = terms.bv_binary(op, x, y);
        let Interval { low, high } = Interval::of(ty);
        let (low, high) = (terms.bv(low, width), terms.bv(high, width));
        let below = terms.bv_compare(BvCompare::Slt, exact, low);
        let above = terms.bv_compare(BvCompare::Slt, high, exact);
        terms.or([below, above])
    }

    /// The result is in range, where one operand is a constant: the other one is in a range.
    fn fits_by_constant(
        self,
        terms: &mut Terms,
        op: Arith,
        a: &Operand,
        b: &Operand,
        range: &Interval,
    ) -> Option<Term> {
        let Interval { low, high } = range;
        let (other, low, high) = match (op, a.bounds.constant(), b.bounds.constant()) {
            (Arith::Add, _, Some(c)) => (a, low - c, high - c),
            (Arith::Add, Some(c), _) => (b, low - c, high - c),
            (Arith::Sub, _, Some(c)) => (a, low + c, high + c),
            (Arith::Sub, Some(c), _) => (b, c - high, c - low),
            (Arith::Mul, _, Some(c)) => multiplied(a, c, range)?,
            (Arith::Mul, Some(c), _) => multiplied(b, c, range)?,
            _ => return None,
        };
        Some(match Interval::new(low, high) {
            Some(interval) => self.within(terms, other, &interval),
            None => Term::FALSE,
        })
    }
}

/// Between what ends an operand has to lie for its product with a constant to be in range.
fn multiplied<'a>(
    other: &'a Operand,
    factor: &Int,
    range: &Interval,
) -> Option<(&'a Operand, Int, Int)> {
    let Interval { low, high } = range;
    match is_negative(factor) {
        _ if factor.is_zero() => None,
        false => Some((other, div_ceil(low, factor), div_euclid(high, factor))),
        true => Some((other, div_ceil(&-high, &-factor), div_euclid(&-low, &-factor))),
    }
}
