//! C's operations on mathematical integers.

use lakatos_ir::IntType;
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::term::{Sort, Term, Terms};

/// The smallest and the largest value of a type.
pub(crate) fn bounds(ty: IntType) -> (Int, Int) {
    let bits = u32::from(ty.bits);
    match ty.signed {
        true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
        false => (Int::ZERO, power_of_two(bits) - Int::ONE),
    }
}

pub(super) fn in_range(terms: &mut Terms, value: Term, ty: IntType) -> Term {
    let (low, high) = bounds(ty);
    let (low, high) = (terms.int(low), terms.int(high));
    let both = [terms.le(low, value), terms.le(value, high)];
    terms.and(both)
}

/// A conversion to a type of C: modulo its size, or whether it is not 0.
pub(super) fn converted(terms: &mut Terms, value: Term, ty: IntType) -> Term {
    if ty == IntType::BOOL {
        let (zero, one) = (terms.int(0), terms.int(1));
        let is_zero = terms.eq(value, zero);
        return terms.ite(is_zero, zero, one);
    }
    let size = power_of_two(u32::from(ty.bits));
    let low = terms.int(bounds(ty).0);
    let size = terms.int(size);
    let shifted = terms.sub(value, low);
    let rest = terms.modulo(shifted, size);
    terms.add(rest, low)
}

/// Division that leaves out what is behind the point. By zero it is some number of the dividend.
pub(super) fn quotient(terms: &mut Terms, a: Term, b: Term) -> Term {
    let minus = terms.neg(a);
    let (of_positive, of_negative) = (terms.div(a, b), terms.div(minus, b));
    let of_negative = terms.neg(of_negative);
    by_sign(terms, "quotient by zero", a, b, of_positive, of_negative)
}

/// What is left of the dividend, with its sign.
pub(super) fn remainder(terms: &mut Terms, a: Term, b: Term) -> Term {
    let minus = terms.neg(a);
    let (of_positive, of_negative) = (terms.modulo(a, b), terms.modulo(minus, b));
    let of_negative = terms.neg(of_negative);
    by_sign(terms, "remainder by zero", a, b, of_positive, of_negative)
}

fn by_sign(
    terms: &mut Terms,
    by_zero: &str,
    a: Term,
    b: Term,
    of_positive: Term,
    of_negative: Term,
) -> Term {
    let zero = terms.int(0);
    let is_negative = terms.lt(a, zero);
    let value = terms.ite(is_negative, of_negative, of_positive);
    // No name of ACSL has a blank.
    let unknown = terms.function(by_zero, &[Sort::Int], Sort::Int);
    let unknown = terms.apply(unknown, &[a]);
    let is_zero = terms.eq(b, zero);
    terms.ite(is_zero, unknown, value)
}

/// By a constant that is not negative, and not absurd. To the right means to round down.
pub(super) fn shifted(terms: &mut Terms, a: Term, by: Term, left: bool) -> Option<Term> {
    let by = terms.as_int(by)?;
    let bits = u32::try_from(by).ok().filter(|bits| *bits <= 256)?;
    let factor = power_of_two(bits);
    Some(match left {
        true => terms.scale(&factor, a),
        false => {
            let factor = terms.int(factor);
            terms.div(a, factor)
        }
    })
}
