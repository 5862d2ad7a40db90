//! Numbers of any size. Small ones live inside the value, so ordinary programs never allocate.

use dashu_base::{Abs, DivEuclid, Gcd, RemEuclid, Signed};

/// An integer.
pub type Int = dashu_int::IBig;
/// A rational number in lowest terms.
pub type Rational = dashu_ratio::RBig;

/// The quotient of SMT-LIB's `div`: rounded so that the remainder is never negative.
pub fn div_euclid(a: &Int, b: &Int) -> Int {
    a.div_euclid(b)
}

/// The remainder of SMT-LIB's `mod`: at least zero and less than `|b|`.
pub fn rem_euclid(a: &Int, b: &Int) -> Int {
    Int::from(a.rem_euclid(b))
}

/// `a / b` rounded upwards; `b` is positive.
pub fn div_ceil(a: &Int, b: &Int) -> Int {
    -div_euclid(&-a, b)
}

/// The greatest common divisor, not negative; that of zero and `b` is `|b|`.
pub fn gcd(a: &Int, b: &Int) -> Int {
    match (a.is_zero(), b.is_zero()) {
        (true, _) => b.clone().abs(),
        (_, true) => a.clone().abs(),
        _ => Int::from(a.gcd(b)),
    }
}

/// The least common multiple of two positive numbers.
pub fn lcm(a: &Int, b: &Int) -> Int {
    a / gcd(a, b) * b
}

pub fn is_negative(a: &Int) -> bool {
    a.is_negative()
}

/// 2 to the power of `bits`.
pub fn power_of_two(bits: u32) -> Int {
    Int::ONE << bits as usize
}

/// `a` modulo 2^`bits`, as an unsigned value.
pub fn wrap_unsigned(a: &Int, bits: u32) -> Int {
    rem_euclid(a, &power_of_two(bits))
}

/// The bit pattern `a` of `bits` bits read in two's complement.
pub fn to_signed(a: &Int, bits: u32) -> Int {
    match *a >= power_of_two(bits - 1) {
        true => a - power_of_two(bits),
        false => a.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding() {
        for (a, b, quotient, remainder, ceiling) in
            [(7, 2, 3, 1, 4), (-7, 2, -4, 1, -3), (6, 3, 2, 0, 2), (-6, 3, -2, 0, -2)]
        {
            let (a, b) = (Int::from(a), Int::from(b));
            assert_eq!(div_euclid(&a, &b), Int::from(quotient), "{a} div {b}");
            assert_eq!(rem_euclid(&a, &b), Int::from(remainder), "{a} mod {b}");
            assert_eq!(div_ceil(&a, &b), Int::from(ceiling), "ceiling of {a} / {b}");
        }
        assert_eq!(div_euclid(&Int::from(7), &Int::from(-2)), Int::from(-3));
        assert_eq!(rem_euclid(&Int::from(-7), &Int::from(-2)), Int::from(1));
    }

    #[test]
    fn divisors() {
        for (a, b, expect) in [(0, 0, 0), (0, -4, 4), (6, 0, 6), (-6, 4, 2), (5, 7, 1)] {
            assert_eq!(gcd(&Int::from(a), &Int::from(b)), Int::from(expect));
        }
        assert_eq!(lcm(&Int::from(4), &Int::from(6)), Int::from(12));
    }

    #[test]
    fn patterns() {
        assert_eq!(wrap_unsigned(&Int::from(-1), 8), Int::from(255));
        assert_eq!(to_signed(&Int::from(255), 8), Int::from(-1));
        assert_eq!(to_signed(&Int::from(127), 8), Int::from(127));
    }
}
