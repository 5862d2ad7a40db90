//! What a variable is after `n` turns.

use std::collections::BTreeMap;

use super::polynomial::{Polynomial, Ring};
use crate::number::{Int, Rational, lcm, rem_euclid};
use crate::term::{Term, Terms};

/// A sum of `c · n^k · b^n`, by `(b, k)`. No coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form(BTreeMap<(Int, u32), Polynomial>);

/// Powers up to this size have terms: nothing larger fits a machine's integers.
const LARGEST_POWER: u32 = 64;

impl Form {
    pub fn constant(value: Polynomial) -> Form {
        Form::default().plus_part((Int::ONE, 0), value)
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (&Int, u32, &Polynomial)> + '_ {
        self.0.iter().map(|((base, degree), coefficient)| (base, *degree, coefficient))
    }

    pub(super) fn plus_part(mut self, key: (Int, u32), coefficient: Polynomial) -> Form {
        let sum = match self.0.remove(&key) {
            Some(own) => own.plus(&coefficient),
            None => coefficient,
        };
        if !sum.is_zero() {
            self.0.insert(key, sum);
        }
        self
    }

    /// Its value after so many turns.
    pub fn at(&self, n: u32) -> Polynomial {
        self.parts().fold(Polynomial::default(), |total, (base, degree, coefficient)| {
            total.plus(&coefficient.scaled(&part_at(base, degree, n)))
        })
    }

    /// It moves by the same amount each turn.
    pub fn is_affine(&self) -> bool {
        self.parts().all(|(base, degree, _)| *base == Int::ONE && degree <= 1)
    }

    /// It stays as it is.
    pub fn is_fixed(&self) -> bool {
        self.parts().all(|(base, degree, _)| *base == Int::ONE && degree == 0)
    }

    /// What it is made of in `n`: the coefficients of powers of `n`, lowest first; `None` if it
    /// grows faster than those.
    pub fn as_polynomial(&self) -> Option<Vec<Polynomial>> {
        let mut coefficients = Vec::new();
        for (base, degree, coefficient) in self.parts() {
            if *base != Int::ONE {
                return None;
            }
            coefficients.resize(coefficients.len().max(degree as usize + 1), Polynomial::default());
            coefficients[degree as usize] = coefficient.clone();
        }
        Some(coefficients)
    }

    /// The largest number of turns for which [`to_term`](Form::to_term) says what it is; `None`
    /// if there is no end.
    pub fn last(&self) -> Option<u32> {
        self.parts().filter_map(|(base, ..)| last_power(base)).min()
    }

    /// The form after `n` turns, times the second, as a term with the values before the first
    /// turn. It is right up to [`last`](Form::last).
    pub fn to_term(&self, terms: &mut Terms, n: Term) -> (Term, Int) {
        let denominator =
            self.parts().fold(Int::ONE, |common, (_, _, c)| lcm(&common, &c.denominator()));
        let mut parts = Vec::new();
        for (base, degree, coefficient) in self.parts() {
            let scaled = coefficient.scaled(&Rational::from(denominator.clone()));
            let (mut part, _) = scaled.to_term(terms);
            for _ in 0..degree {
                part = terms.mul(part, n);
            }
            parts.push(times_power(terms, base, n, part));
        }
        (terms.add_all(parts, crate::term::Sort::Int), denominator)
    }
}

/// `n^degree · base^n`.
pub(super) fn part_at(base: &Int, degree: u32, n: u32) -> Rational {
    let power = |of: &Int, exponent: u32| of.pow(exponent as usize);
    Rational::from(power(&Int::from(n), degree) * power(base, n))
}

fn last_power(base: &Int) -> Option<u32> {
    let size = if *base < Int::ZERO { -base.clone() } else { base.clone() };
    if size <= Int::ONE {
        return None;
    }
    let most = crate::number::power_of_two(LARGEST_POWER);
    let mut power = size.clone();
    let mut last = 0;
    while power <= most {
        power *= &size;
        last += 1;
    }
    Some(last)
}

/// `base^n · term`, by cases of `n` where there is no other way to say it.
fn times_power(terms: &mut Terms, base: &Int, n: Term, term: Term) -> Term {
    if *base == Int::ONE {
        return term;
    }
    if *base == Int::NEG_ONE {
        let (two, zero) = (terms.int(2), terms.int(0));
        let rest = terms.modulo(n, two);
        let even = terms.eq(rest, zero);
        let negative = terms.neg(term);
        return terms.ite(even, term, negative);
    }
    let last = last_power(base).unwrap_or(0);
    let mut value = terms.scale(&base.pow(last as usize), term);
    for exponent in (0..last).rev() {
        let number = terms.int(exponent);
        let here = terms.eq(n, number);
        let power = terms.scale(&base.pow(exponent as usize), term);
        value = terms.ite(here, power, value);
    }
    value
}

impl Ring for Form {
    fn add(&self, other: &Form) -> Form {
        other.parts().fold(self.clone(), |sum, (base, degree, coefficient)| {
            sum.plus_part((base.clone(), degree), coefficient.clone())
        })
    }

    fn mul(&self, other: &Form) -> Form {
        let mut product = Form::default();
        for (a, j, c) in self.parts() {
            for (b, k, d) in other.parts() {
                product = product.plus_part((a * b, j + k), c.times(d));
            }
        }
        product
    }
}

/// Whether an integer divides another.
pub(super) fn divides(a: &Int, b: &Int) -> bool {
    !a.is_zero() && rem_euclid(b, a).is_zero()
}
