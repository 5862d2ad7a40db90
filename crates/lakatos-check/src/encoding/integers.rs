//! Mathematical integers with wrap-around.

use lakatos_ir::{Arith, BinOp, IntType};
use lakatos_logic::number::{Int, power_of_two, wrap_unsigned};
use lakatos_logic::term::{BvBinary, Sort, Term, Terms};

use super::{Encoding, Ring, Word, bounds};

/// A mask with more runs of ones than this is left to bit-vectors.
const RUNS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers;

impl Encoding for Integers {
    fn sort(&self, _ty: IntType) -> Sort {
        Sort::Int
    }

    fn number(&self, terms: &mut Terms, value: &Int, _ty: IntType) -> Term {
        terms.int(value.clone())
    }

    fn range(&self, terms: &mut Terms, value: Term, ty: IntType) -> Term {
        let (low, high) = bounds(ty);
        let (low, high) = (terms.int(low), terms.int(high));
        let (above, below) = (terms.le(low, value), terms.le(value, high));
        terms.and([above, below])
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
        let exact = match op {
            Ring::Add => terms.add(a, b),
            Ring::Sub => terms.sub(a, b),
            Ring::Mul => terms.mul(a, b),
        };
        if ty.signed && !wraps {
            let fits = self.range(terms, exact, ty);
            return (exact, terms.not(fits));
        }
        let wrapped = match op {
            Ring::Add | Ring::Sub => wrap_once(terms, exact, ty),
            Ring::Mul => wrap(terms, exact, ty),
        };
        (wrapped, Term::FALSE)
    }

    fn divide(&self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> (Term, Term) {
        let (quotient, rest) = (terms.div(a, b), terms.modulo(a, b));
        if !ty.signed {
            return (quotient, rest);
        }
        // The remainder of SMT-LIB's division is never negative; C's has the dividend's sign.
        let negated = terms.neg(a);
        let (mirrored, mirrored_rest) = (terms.div(negated, b), terms.modulo(negated, b));
        let (mirrored, mirrored_rest) = (terms.neg(mirrored), terms.neg(mirrored_rest));
        let zero = terms.int(0);
        let negative = terms.lt(a, zero);
        (terms.ite(negative, mirrored, quotient), terms.ite(negative, mirrored_rest, rest))
    }

    fn less(&self, terms: &mut Terms, a: Term, b: Term, _ty: IntType) -> Term {
        terms.lt(a, b)
    }

    /// All bits turned over: `-1 - a` in two's complement, modulo 2^bits.
    fn complement(&self, terms: &mut Terms, a: Term, ty: IntType) -> Term {
        let ones = match ty.signed {
            true => terms.int(-1),
            false => terms.int(bounds(ty).1),
        };
        terms.sub(ones, a)
    }

    /// The other two are sums with `&`: `a | b = a + b - (a & b)`, `a ^ b = a + b - 2 (a & b)`.
    fn bitwise(&self, terms: &mut Terms, op: BinOp, a: Term, b: Term, ty: IntType) -> Term {
        let both = and(terms, a, b, ty);
        let sum = terms.add(a, b);
        match op {
            BinOp::BitAnd => both,
            BinOp::BitOr => terms.sub(sum, both),
            _ => terms.combine(sum, both, &Int::from(-2)),
        }
    }

    fn shift(&self, terms: &mut Terms, left: bool, (a, ty): Word, (amount, _): Word) -> Term {
        if let Some(amount) = terms.as_int(amount) {
            let by = u32::try_from(amount.clone()).unwrap_or(0);
            return shift_by(terms, left, a, ty, by);
        }
        let mut value = a;
        for by in 1..u32::from(ty.bits) {
            let number = terms.int(by);
            let here = terms.eq(amount, number);
            let shifted = shift_by(terms, left, a, ty, by);
            value = terms.ite(here, shifted, value);
        }
        value
    }

    fn cast(&self, terms: &mut Terms, (a, from): Word, to: IntType) -> Term {
        let ((low, high), (least, greatest)) = (bounds(from), bounds(to));
        if least <= low && high <= greatest {
            a
        } else if from.bits <= to.bits {
            wrap_once(terms, a, to)
        } else {
            wrap(terms, a, to)
        }
    }

    fn exceeds(&self, terms: &mut Terms, op: Arith, a: Word, b: Word, to: IntType) -> Term {
        let exact = match op {
            Arith::Add => terms.add(a.0, b.0),
            Arith::Sub => terms.sub(a.0, b.0),
            Arith::Mul => terms.mul(a.0, b.0),
            Arith::Div => self.divide(terms, a.0, b.0, IntType::signed(128)).0,
        };
        let fits = self.range(terms, exact, to);
        terms.not(fits)
    }
}

/// The value of the type that is congruent modulo 2^bits.
fn wrap(terms: &mut Terms, value: Term, ty: IntType) -> Term {
    let low = terms.int(bounds(ty).0);
    let modulus = terms.int(power_of_two(ty.bits.into()));
    let above = terms.sub(value, low);
    let rest = terms.modulo(above, modulus);
    terms.add(rest, low)
}

/// The same for a value that is less than 2^bits away from the type's range.
fn wrap_once(terms: &mut Terms, value: Term, ty: IntType) -> Term {
    let (low, high) = bounds(ty);
    let (low, high) = (terms.int(low), terms.int(high));
    let modulus = terms.int(power_of_two(ty.bits.into()));
    let (too_high, too_low) = (terms.lt(high, value), terms.lt(value, low));
    let (down, up) = (terms.sub(value, modulus), terms.add(value, modulus));
    let rest = terms.ite(too_low, up, value);
    terms.ite(too_high, down, rest)
}

fn shift_by(terms: &mut Terms, left: bool, a: Term, ty: IntType, by: u32) -> Term {
    let factor = terms.int(power_of_two(by));
    match left {
        true => {
            let exact = terms.mul(a, factor);
            wrap(terms, exact, ty)
        }
        // Rounds downwards, which is what copying the sign does.
        false => terms.div(a, factor),
    }
}

fn and(terms: &mut Terms, a: Term, b: Term, ty: IntType) -> Term {
    let bits = u32::from(ty.bits);
    for (value, mask) in [(a, b), (b, a)] {
        let Some(mask) = terms.as_int(mask) else { continue };
        let runs = runs(&wrap_unsigned(mask, bits), bits);
        if runs.len() <= RUNS {
            return masked(terms, value, &runs, ty);
        }
    }
    let (a, b) = (terms.int_to_bv(bits, a), terms.int_to_bv(bits, b));
    let both = terms.bv_binary(BvBinary::And, a, b);
    match ty.signed {
        true => terms.bv_to_signed_int(both),
        false => terms.bv_to_int(both),
    }
}

/// The runs of ones in a bit pattern: the lowest bit of each, and how many.
fn runs(pattern: &Int, bits: u32) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let is_one = |bit: u32| &(pattern >> bit as usize) & Int::ONE == Int::ONE;
    for bit in (0..bits).filter(|bit| is_one(*bit)) {
        match runs.last_mut() {
            Some((low, length)) if *low + *length == bit => *length += 1,
            _ => runs.push((bit, 1)),
        }
    }
    runs
}

/// The bits of a value that lie in the runs.
fn masked(terms: &mut Terms, value: Term, runs: &[(u32, u32)], ty: IntType) -> Term {
    let mut pattern = terms.int(0);
    for &(low, length) in runs {
        let (down, size) = (terms.int(power_of_two(low)), terms.int(power_of_two(length)));
        let shifted = terms.div(value, down);
        let kept = terms.modulo(shifted, size);
        pattern = terms.combine(pattern, kept, &power_of_two(low));
    }
    match ty.signed {
        true => wrap_once(terms, pattern, ty),
        false => pattern,
    }
}
