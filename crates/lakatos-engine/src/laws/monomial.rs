//! What sums consist of: products of words, and powers of two.

use lakatos_logic::number::power_of_two;
use lakatos_logic::term::{Term, Terms};

/// Powers of two are told up to here.
const LAST_POWER: u32 = 62;

/// By the number of a word among those of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Monomial {
    /// In ascending order; one if there is none.
    Product(Vec<usize>),
    /// Two to the power of a word.
    Power(usize),
}

impl Monomial {
    /// All products of so many words at most, those of fewer first.
    pub fn products(words: &[usize], degree: usize) -> Vec<Monomial> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..degree {
            let mut next = Vec::new();
            for product in &last {
                let from = product.last().copied().unwrap_or(0);
                for word in words.iter().filter(|word| **word >= from) {
                    next.push(product.iter().copied().chain([*word]).collect::<Vec<usize>>());
                }
            }
            all.extend(next.iter().cloned());
            last = next;
        }
        all.into_iter().map(Monomial::Product).collect()
    }

    /// `None` where it is too large, or no whole number.
    pub fn value(&self, row: &[i128]) -> Option<i128> {
        match self {
            Monomial::Product(words) => {
                words.iter().try_fold(1i128, |product, word| product.checked_mul(row[*word]))
            }
            Monomial::Power(word) => {
                let exponent = u32::try_from(row[*word]).ok().filter(|e| *e <= LAST_POWER)?;
                Some(1 << exponent)
            }
        }
    }

    pub fn term(&self, terms: &mut Terms, words: &[Term]) -> Term {
        match self {
            Monomial::Product(factors) => {
                let one = terms.int(1);
                factors.iter().fold(one, |product, word| terms.mul(product, words[*word]))
            }
            Monomial::Power(word) => power(terms, words[*word]),
        }
    }

    /// What all multiples of one follow from.
    pub fn divides(&self, other: &Monomial) -> bool {
        let (Monomial::Product(own), Monomial::Product(other)) = (self, other) else {
            return false;
        };
        let mut left = other.iter();
        own.iter().all(|word| left.any(|other| other == word))
    }
}

/// A table: solvers know no powers.
fn power(terms: &mut Terms, exponent: Term) -> Term {
    let mut result = terms.int(power_of_two(LAST_POWER));
    for number in (0..LAST_POWER).rev() {
        let (bound, value) = (terms.int(number), terms.int(power_of_two(number)));
        let is_here = terms.le(exponent, bound);
        result = terms.ite(is_here, value, result);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_two_words() {
        let all = Monomial::products(&[0, 2], 2);
        let expect: [&[usize]; 6] = [&[], &[0], &[2], &[0, 0], &[0, 2], &[2, 2]];
        assert_eq!(all, expect.map(|words| Monomial::Product(words.to_vec())));
        let values: Vec<i128> = all.iter().filter_map(|m| m.value(&[3, 100, -5])).collect();
        assert_eq!(values, [1, 3, -5, 9, -15, 25]);
    }

    #[test]
    fn divisors() {
        let product = |words: &[usize]| Monomial::Product(words.to_vec());
        assert!(product(&[0, 2]).divides(&product(&[0, 1, 2])));
        assert!(product(&[]).divides(&product(&[1])));
        assert!(!product(&[1, 1]).divides(&product(&[0, 1])));
        assert!(!Monomial::Power(1).divides(&product(&[1])));
    }

    #[test]
    fn powers_are_tables() {
        let mut terms = Terms::new();
        for exponent in [0u32, 1, 5, 31, 62] {
            let number = terms.int(exponent);
            let power = power(&mut terms, number);
            assert_eq!(terms.as_int(power), Some(&power_of_two(exponent)));
            let row = [i128::from(exponent)];
            assert_eq!(Monomial::Power(0).value(&row), Some(1 << exponent));
        }
        assert_eq!(Monomial::Power(0).value(&[-1]), None);
        assert_eq!(Monomial::Power(0).value(&[63]), None);
    }
}
