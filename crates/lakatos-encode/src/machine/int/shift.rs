//! Shifts of mathematical integers: by a constant, multiplication and division by a power of two.

use lakatos_ir::{Arith, BinOp};
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::term::{BvBinary, Term, Terms};

use super::super::{Interval, Operand};
use super::{floor_div, from_bits, to_bits, wrap};

/// With at most so many possible amounts a case for each. Measured with Z3 5.4 on 32 bits: a
/// division for each amount refutes `x >> s > x` in 0.03 s, bit-vectors not in 20 s; but products
/// that wrap take ten times as long as bit-vectors.
fn most_amounts(op: BinOp) -> u32 {
    match op {
        BinOp::Shl => 8,
        _ => 64,
    }
}

/// `a << amount` (which wraps) or `a >> amount` for an amount that is in range.
pub(in super::super) fn shift(terms: &mut Terms, op: BinOp, a: &Operand, amount: &Operand) -> Term {
    let last = u32::from(a.ty.bits) - 1;
    let clamp = |k: &Int| {
        let k = k.clone().clamp(Int::ZERO, Int::from(last));
        u32::try_from(k).expect("less than 128")
    };
    let (first, last) = (clamp(&amount.bounds.low), clamp(&amount.bounds.high));
    // A table of constants is short, however many there are.
    match a.bounds.constant().is_some() || last - first < most_amounts(op) {
        true => by_cases(terms, op, a, amount, first, last),
        false => by_bits(terms, op, a, amount),
    }
}

fn by_cases(
    terms: &mut Terms,
    op: BinOp,
    a: &Operand,
    amount: &Operand,
    first: u32,
    last: u32,
) -> Term {
    let mut result = by_constant(terms, op, a, last);
    for k in (first..last).rev() {
        let bound = terms.int(k);
        let at_most = terms.le(amount.term, bound);
        let value = by_constant(terms, op, a, k);
        result = terms.ite(at_most, value, result);
    }
    result
}

fn by_constant(terms: &mut Terms, op: BinOp, a: &Operand, amount: u32) -> Term {
    let factor = power_of_two(amount);
    match op {
        BinOp::Shl => {
            let bounds = Interval::exact(Arith::Mul, &a.bounds, &Interval::point(factor.clone()));
            let product = terms.scale(&factor, a.term);
            wrap(terms, product, &bounds, a.ty)
        }
        _ => floor_div(terms, a.term, &a.bounds, &factor).0,
    }
}

fn by_bits(terms: &mut Terms, op: BinOp, a: &Operand, amount: &Operand) -> Term {
    let width = u32::from(a.ty.bits);
    let op = match (op, a.ty.signed) {
        (BinOp::Shl, _) => BvBinary::Shl,
        (_, true) => BvBinary::Ashr,
        (_, false) => BvBinary::Lshr,
    };
    let (x, y) = (to_bits(terms, a.term, width), to_bits(terms, amount.term, width));
    let shifted = terms.bv_binary(op, x, y);
    from_bits(terms, shifted, a.ty)
}
