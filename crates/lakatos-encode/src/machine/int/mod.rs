//! The `int` encoding: mathematical integers, made to wrap.
//!
//! Operands are in the range of their types, so a sum wraps at most once and one conditional
//! subtraction is exact; solvers prefer that to `mod` (DESIGN.md section 6.4). Where a result may
//! leave its range by more than [`FEW`] multiples of the modulus, `mod` it is.

mod bits;
mod shift;

use lakatos_ir::{Arith, BinOp, IntType, UnOp};
use lakatos_logic::number::{Int, div_euclid, power_of_two};
use lakatos_logic::term::{Sort, Term, Terms};

pub(super) use self::shift::shift;
use super::interval::complement_base;
use super::{Interval, Operand};

/// Case splits have at most one case more than this.
const FEW: usize = 4;

pub(super) fn unary(terms: &mut Terms, op: UnOp, a: &Operand, wraps: bool) -> Term {
    match op {
        UnOp::Neg => {
            let exact = Interval { low: -&a.bounds.high, high: -&a.bounds.low };
            let negated = terms.neg(a.term);
            settle(terms, negated, &exact, a.ty, wraps)
        }
        _ => {
            let base = terms.int(complement_base(a.ty));
            terms.sub(base, a.term)
        }
    }
}

/// Arithmetic and bit operations of two operands of one type.
pub(super) fn binary(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand, wraps: bool) -> Term {
    let arith = match op {
        BinOp::Add => Arith::Add,
        BinOp::Sub => Arith::Sub,
        BinOp::Mul => Arith::Mul,
        BinOp::Div => return quotient(terms, a, b),
        BinOp::Rem => return remainder(terms, a, b),
        _ => return bits::bitwise(terms, op, a, b),
    };
    let bounds = Interval::exact(arith, &a.bounds, &b.bounds);
    let exact = exact(terms, arith, a, b);
    settle(terms, exact, &bounds, a.ty, wraps)
}

fn exact(terms: &mut Terms, op: Arith, a: &Operand, b: &Operand) -> Term {
    match op {
        Arith::Add => terms.add(a.term, b.term),
        Arith::Sub => terms.sub(a.term, b.term),
        Arith::Mul => terms.mul(a.term, b.term),
        Arith::Div => quotient(terms, a, b),
    }
}

/// The exact result, which lies within bounds, is not in range.
pub(super) fn misfit(
    terms: &mut Terms,
    op: Arith,
    a: &Operand,
    b: &Operand,
    bounds: &Interval,
    range: &Interval,
) -> Term {
    let result = exact(terms, op, a, b);
    let mut ways = Vec::new();
    if bounds.low < range.low {
        let low = terms.int(range.low.clone());
        ways.push(terms.lt(result, low));
    }
    if range.high < bounds.high {
        let high = terms.int(range.high.clone());
        ways.push(terms.lt(high, result));
    }
    terms.or(ways)
}

/// An exact result in its type. Where overflow is undefined, the exact result is the only one.
fn settle(terms: &mut Terms, exact: Term, bounds: &Interval, ty: IntType, wraps: bool) -> Term {
    match ty.signed && !wraps {
        true => exact,
        false => wrap(terms, exact, bounds, ty),
    }
}

/// The value of a type congruent to a number.
pub(super) fn wrap(terms: &mut Terms, term: Term, bounds: &Interval, ty: IntType) -> Term {
    let low = Interval::of(ty).low;
    congruent_from(terms, term, bounds, &low, &power_of_two(ty.bits.into()))
}

/// The number from `low` up to (excluding) `low + modulus` that is congruent to one within bounds.
fn congruent_from(
    terms: &mut Terms,
    term: Term,
    bounds: &Interval,
    low: &Int,
    modulus: &Int,
) -> Term {
    let first = div_euclid(&(&bounds.low - low), modulus);
    let last = div_euclid(&(&bounds.high - low), modulus);
    let Some(cases) = few_cases(&first, &last) else {
        let low = terms.int(low.clone());
        let (from_low, modulus) = (terms.sub(term, low), terms.int(modulus.clone()));
        let rest = terms.modulo(from_low, modulus);
        return terms.add(low, rest);
    };
    let one = terms.int(1);
    let shifted = |terms: &mut Terms, k: &Int| terms.combine(term, one, &-(k * modulus));
    let mut result = shifted(terms, &first);
    for k in cases {
        let bound = terms.int(low + &k * modulus);
        let reached = terms.le(bound, term);
        let value = shifted(terms, &k);
        result = terms.ite(reached, value, result);
    }
    result
}

/// The numbers after `first` up to `last`, if they are few.
fn few_cases(first: &Int, last: &Int) -> Option<Vec<Int>> {
    let count = usize::try_from(last - first).ok().filter(|&count| count <= FEW)?;
    Some((1..=count).map(|i| first + Int::from(i)).collect())
}

/// Rounded towards minus infinity; the divisor is positive.
fn floor_div(terms: &mut Terms, term: Term, bounds: &Interval, divisor: &Int) -> (Term, Interval) {
    let (low, high) = (div_euclid(&bounds.low, divisor), div_euclid(&bounds.high, divisor));
    let quotient = match few_cases(&low, &high) {
        Some(cases) => {
            let mut result = terms.int(low.clone());
            for k in cases {
                let bound = terms.int(&k * divisor);
                let reached = terms.le(bound, term);
                let value = terms.int(k);
                result = terms.ite(reached, value, result);
            }
            result
        }
        None => {
            let divisor = terms.int(divisor.clone());
            terms.div(term, divisor)
        }
    };
    (quotient, Interval { low, high })
}

/// The low `count` bits as a number.
fn low_bits(terms: &mut Terms, term: Term, bounds: &Interval, count: u32) -> Term {
    congruent_from(terms, term, bounds, &Int::ZERO, &power_of_two(count))
}

pub(super) fn is_odd(terms: &mut Terms, a: &Operand) -> Term {
    let (bit, one) = (low_bits(terms, a.term, &a.bounds, 1), terms.int(1));
    terms.eq(bit, one)
}

fn quotient(terms: &mut Terms, a: &Operand, b: &Operand) -> Term {
    truncating(terms, a, b, |terms, x, y| terms.div(x, y))
}

fn remainder(terms: &mut Terms, a: &Operand, b: &Operand) -> Term {
    // A dividend smaller than a constant divisor is what remains.
    if let Some(divisor) = b.bounds.constant()
        && Interval::point(Int::ZERO) == Interval::exact(Arith::Div, &a.bounds, &b.bounds)
        && !divisor.is_zero()
    {
        return a.term;
    }
    truncating(terms, a, b, |terms, x, y| terms.modulo(x, y))
}

/// C's division truncates, SMT-LIB's leaves a remainder that is not negative: for a dividend that
/// is not negative they agree, and the sign of any other one can be moved out.
fn truncating(
    terms: &mut Terms,
    a: &Operand,
    b: &Operand,
    euclidean: fn(&mut Terms, Term, Term) -> Term,
) -> Term {
    if b.bounds == Interval::point(Int::ZERO) {
        return b.term;
    }
    let upwards = |terms: &mut Terms| euclidean(terms, a.term, b.term);
    let downwards = |terms: &mut Terms| {
        let magnitude = terms.neg(a.term);
        let result = euclidean(terms, magnitude, b.term);
        terms.neg(result)
    };
    if a.bounds.is_never_negative() {
        upwards(terms)
    } else if a.bounds.high <= Int::ZERO {
        downwards(terms)
    } else {
        let zero = terms.int(0);
        let positive = terms.le(zero, a.term);
        let (up, down) = (upwards(terms), downwards(terms));
        terms.ite(positive, up, down)
    }
}

/// A number's low bits as a bit-vector.
fn to_bits(terms: &mut Terms, term: Term, width: u32) -> Term {
    let simpler = bits::congruent(terms, term, &power_of_two(width), bits::DEPTH);
    terms.int_to_bv(width, simpler)
}

/// A bit-vector as a value of a type of its width.
fn from_bits(terms: &mut Terms, term: Term, ty: IntType) -> Term {
    debug_assert_eq!(terms.sort(term), Sort::BitVec(ty.bits.into()));
    match ty.signed {
        true => terms.bv_to_signed_int(term),
        false => terms.bv_to_int(term),
    }
}
