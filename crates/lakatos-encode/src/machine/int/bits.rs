//! Bit operations on mathematical integers in two's complement.
//!
//! `x & c` is linear in `div` and `mod` by powers of two: each run of ones in the mask `c` cuts a
//! field out of `x` (so masks of low bits, alignment, single bits and the sign are all one case).
//! `x | y = x + y - (x & y)` and `x ^ y = x + y - 2 (x & y)` hold for all integers, so these two
//! are linear where the conjunction is. What is not goes through bit-vectors, exactly.

use lakatos_ir::{BinOp, IntType};
use lakatos_logic::number::{Int, power_of_two, rem_euclid, wrap_unsigned};
use lakatos_logic::term::{BvBinary, Node, Sort, Sum, Term, Terms};

use super::super::Operand;
use super::super::interval::bit_length;
use super::{FEW, floor_div, from_bits, low_bits, to_bits};

/// Masks with more runs of ones than this go through bit-vectors.
const MOST_RUNS: usize = 3;

/// How far the shape of a term is looked into.
pub(super) const DEPTH: u32 = 6;

pub(super) fn bitwise(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Term {
    if a.bounds.is_bit() && b.bounds.is_bit() {
        return single_bits(terms, op, a, b);
    }
    match conjunction(terms, a, b) {
        Some(both) => {
            let one_of_them = terms.add(a.term, b.term);
            match op {
                BinOp::BitAnd => both,
                BinOp::BitOr => terms.sub(one_of_them, both),
                _ => terms.combine(one_of_them, both, &Int::from(-2)),
            }
        }
        None => by_bits(terms, op, a, b),
    }
}

/// Two numbers that are zero or one: truth values in disguise.
fn single_bits(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Term {
    let (zero, one) = (terms.int(0), terms.int(1));
    let (x, y) = (terms.le(one, a.term), terms.le(one, b.term));
    let holds = match op {
        BinOp::BitAnd => terms.and([x, y]),
        BinOp::BitOr => terms.or([x, y]),
        _ => terms.xor(x, y),
    };
    terms.ite(holds, one, zero)
}

fn by_bits(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Term {
    let op = match op {
        BinOp::BitAnd => BvBinary::And,
        BinOp::BitOr => BvBinary::Or,
        _ => BvBinary::Xor,
    };
    let ty = narrowest(a, b);
    let width = u32::from(ty.bits);
    let (x, y) = (to_bits(terms, a.term, width), to_bits(terms, b.term, width));
    let result = terms.bv_binary(op, x, y);
    from_bits(terms, result, ty)
}

/// A type that has the values of both, and so what bit operations make of them: the fewer bits the
/// less there is to convert.
fn narrowest(a: &Operand, b: &Operand) -> IntType {
    if !a.bounds.is_never_negative() || !b.bounds.is_never_negative() {
        return a.ty;
    }
    let bits = bit_length((&a.bounds.high).max(&b.bounds.high)).max(1);
    match u16::try_from(bits) {
        Ok(bits) if bits < a.ty.bits => IntType::unsigned(bits),
        _ => a.ty,
    }
}

/// `a & b`, where it has a form without bit-vectors.
fn conjunction(terms: &mut Terms, a: &Operand, b: &Operand) -> Option<Term> {
    match (a.bounds.constant(), b.bounds.constant()) {
        (_, Some(mask)) => masked(terms, a, mask),
        (Some(mask), None) => masked(terms, b, mask),
        _ if a.term == b.term => Some(a.term),
        _ if a.bounds.is_bit() => Some(low_bit_if(terms, a, b)),
        _ if b.bounds.is_bit() => Some(low_bit_if(terms, b, a)),
        _ if are_apart(terms, a, b) || are_apart(terms, b, a) => Some(terms.int(0)),
        _ => None,
    }
}

fn low_bit_if(terms: &mut Terms, bit: &Operand, of: &Operand) -> Term {
    let (zero, one) = (terms.int(0), terms.int(1));
    let set = terms.le(one, bit.term);
    let low = low_bits(terms, of.term, &of.bounds, 1);
    terms.ite(set, low, zero)
}

/// Whether `low` has ones only where `high` has zeros: `byte << 8 | byte`.
fn are_apart(terms: &Terms, high: &Operand, low: &Operand) -> bool {
    low.bounds.is_never_negative()
        && trailing_zeros(terms, high.term, DEPTH) >= bit_length(&low.bounds.high)
}

/// `x & mask`; `None` for a mask with many runs of ones.
fn masked(terms: &mut Terms, x: &Operand, mask: &Int) -> Option<Term> {
    let bits = u32::from(x.ty.bits);
    // Beyond its highest bit a number that is not negative has no ones.
    let width = match x.bounds.is_never_negative() {
        true => bit_length(&x.bounds.high).min(bits),
        false => bits,
    };
    let fields = runs(wrap_unsigned(mask, width));
    if fields.len() > MOST_RUNS {
        return None;
    }
    let parts: Vec<Term> =
        fields.into_iter().map(|(low, high)| field(terms, x, low, high, width)).collect();
    Some(terms.add_all(parts, Sort::Int))
}

/// The runs of ones of a bit pattern, from the lowest: first bit, and the one after the last.
fn runs(pattern: Int) -> Vec<(u32, u32)> {
    let mut pattern = u128::try_from(pattern).expect("a pattern of at most 128 bits");
    let mut found = Vec::new();
    let mut at = 0;
    while pattern != 0 {
        let zeros = pattern.trailing_zeros();
        pattern >>= zeros;
        let ones = pattern.trailing_ones();
        pattern = pattern.checked_shr(ones).unwrap_or(0);
        found.push((at + zeros, at + zeros + ones));
        at += zeros + ones;
    }
    found
}

/// The bits of `x` from `low` up to (excluding) `high`, in their places; `x` has `width` bits.
fn field(terms: &mut Terms, x: &Operand, low: u32, high: u32, width: u32) -> Term {
    let unit = power_of_two(low);
    if high < width {
        let (quotient, bounds) = floor_div(terms, x.term, &x.bounds, &unit);
        let value = low_bits(terms, quotient, &bounds, high - low);
        return terms.scale(&unit, value);
    }
    // All the high bits, with the sign if there is one.
    if &x.bounds.high - &x.bounds.low < Int::from(FEW) * &unit {
        let (quotient, _) = floor_div(terms, x.term, &x.bounds, &unit);
        return terms.scale(&unit, quotient);
    }
    let rest = low_bits(terms, x.term, &x.bounds, low);
    terms.sub(x.term, rest)
}

/// A term congruent modulo `modulus`, simpler where its shape allows: what wrapped a number is
/// taken off again.
pub(super) fn congruent(terms: &mut Terms, term: Term, modulus: &Int, depth: u32) -> Term {
    if depth == 0 {
        return term;
    }
    match terms.node(term) {
        &Node::Ite(_, a, b) => {
            let a = congruent(terms, a, modulus, depth - 1);
            let b = congruent(terms, b, modulus, depth - 1);
            if a == b { a } else { term }
        }
        &Node::Mod(of, by) if terms.as_int(by).is_some_and(|by| is_multiple(by, modulus)) => {
            congruent(terms, of, modulus, depth - 1)
        }
        Node::Sum(sum) => {
            let sum = sum.clone();
            let mut total = Sum::constant(rem_euclid(&sum.constant, modulus));
            for (part, coefficient) in sum.monomials {
                let coefficient = rem_euclid(&coefficient, modulus);
                let part = congruent(terms, part, modulus, depth - 1);
                total = total.add_scaled(&terms.sum_of(part), &coefficient);
            }
            terms.sum(total, Sort::Int)
        }
        _ => term,
    }
}

fn is_multiple(number: &Int, of: &Int) -> bool {
    !number.is_zero() && (number % of).is_zero()
}

/// So many low bits of a number are surely zero.
fn trailing_zeros(terms: &Terms, term: Term, depth: u32) -> u32 {
    const ALL: u32 = 1 << 16;
    let of_constant = |value: &Int| value.trailing_zeros().map_or(ALL, |zeros| zeros as u32);
    if depth == 0 {
        return 0;
    }
    match terms.node(term) {
        Node::Int(value) => of_constant(value),
        Node::Ite(_, a, b) => {
            trailing_zeros(terms, *a, depth - 1).min(trailing_zeros(terms, *b, depth - 1))
        }
        Node::Mod(of, by) => match terms.as_int(*by) {
            Some(by) => of_constant(by).min(trailing_zeros(terms, *of, depth - 1)),
            None => 0,
        },
        Node::Sum(sum) => sum
            .monomials
            .iter()
            .map(|(part, factor)| of_constant(factor) + trailing_zeros(terms, *part, depth - 1))
            .fold(of_constant(&sum.constant), u32::min),
        _ => 0,
    }
}
