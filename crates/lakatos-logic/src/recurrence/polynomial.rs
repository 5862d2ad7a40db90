//! Polynomials over symbols.

use std::collections::BTreeMap;

use crate::number::{Int, Rational};
use crate::term::{Node, Sort, Symbol, Term, Terms};

/// A product of powers: symbols in order, with exponents that are not zero.
type Monomial = Vec<(Symbol, u32)>;

/// A polynomial over symbols with rational coefficients, none of them zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial(BTreeMap<Monomial, Rational>);

impl Polynomial {
    pub fn constant(value: Rational) -> Polynomial {
        Polynomial::default().plus_monomial(Monomial::new(), value)
    }

    pub fn symbol(symbol: Symbol) -> Polynomial {
        Polynomial::default().plus_monomial(vec![(symbol, 1)], Rational::ONE)
    }

    /// A term that is one; `None` where it has parts of other kinds.
    pub fn of_term(terms: &Terms, term: Term) -> Option<Polynomial> {
        if terms.sort(term) != Sort::Int {
            return None;
        }
        match terms.node(term) {
            Node::Symbol(symbol) => Some(Polynomial::symbol(*symbol)),
            Node::Product(factors) => {
                let one = Polynomial::constant(Rational::ONE);
                factors.iter().try_fold(one, |product, factor| {
                    Some(product.times(&Polynomial::of_term(terms, *factor)?))
                })
            }
            Node::Int(_) | Node::Sum(_) => {
                let sum = terms.sum_of(term);
                let constant = Polynomial::constant(Rational::from(sum.constant));
                sum.monomials.iter().try_fold(constant, |total, (part, factor)| {
                    let part = Polynomial::of_term(terms, *part)?;
                    Some(total.plus(&part.scaled(&Rational::from(factor.clone()))))
                })
            }
            _ => None,
        }
    }

    /// The polynomial times the second, as a term of integer coefficients.
    pub fn to_term(&self, terms: &mut Terms) -> (Term, Int) {
        let denominator = self.denominator();
        let mut parts = Vec::with_capacity(self.0.len());
        for (monomial, coefficient) in &self.0 {
            let factor = coefficient * Rational::from(denominator.clone());
            let mut product = terms.int(factor.numerator().clone());
            for (symbol, exponent) in monomial {
                let symbol = terms.symbol_term(*symbol);
                for _ in 0..*exponent {
                    product = terms.mul(product, symbol);
                }
            }
            parts.push(product);
        }
        (terms.add_all(parts, Sort::Int), denominator)
    }

    pub fn denominator(&self) -> Int {
        let own = |c: &Rational| Int::from(c.denominator().clone());
        self.0.values().fold(Int::ONE, |common, c| crate::number::lcm(&common, &own(c)))
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// How many monomials there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_constant(&self) -> Option<Rational> {
        match self.0.len() {
            0 => Some(Rational::ZERO),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.0.keys().flatten().map(|(symbol, _)| *symbol)
    }

    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        other.0.iter().fold(self.clone(), |sum, (monomial, coefficient)| {
            sum.plus_monomial(monomial.clone(), coefficient.clone())
        })
    }

    pub fn scaled(&self, factor: &Rational) -> Polynomial {
        if *factor == Rational::ZERO {
            return Polynomial::default();
        }
        Polynomial(self.0.iter().map(|(m, c)| (m.clone(), c * factor)).collect())
    }

    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (a, c) in &self.0 {
            for (b, d) in &other.0 {
                product = product.plus_monomial(joined(a, b), c * d);
            }
        }
        product
    }

    /// With polynomials in place of symbols; those without one stay.
    pub fn composed(&self, value: &dyn Fn(Symbol) -> Option<Polynomial>) -> Polynomial {
        self.evaluated(&Polynomial::constant, &|symbol| {
            value(symbol).unwrap_or_else(|| Polynomial::symbol(symbol))
        })
    }

    /// What it is in another ring: constants and symbols have images there.
    pub(super) fn evaluated<R: Ring>(
        &self,
        constant: &dyn Fn(Rational) -> R,
        value: &dyn Fn(Symbol) -> R,
    ) -> R {
        self.0.iter().fold(constant(Rational::ZERO), |total, (monomial, coefficient)| {
            let powers = monomial.iter().flat_map(|(s, e)| std::iter::repeat_n(*s, *e as usize));
            let start = constant(coefficient.clone());
            total.add(&powers.fold(start, |product, symbol| product.mul(&value(symbol))))
        })
    }

    /// As a linear combination of some symbols and a rest without them; `None` if it is none with
    /// constant coefficients.
    pub(super) fn split(&self, of: &[Symbol]) -> Option<(Vec<Rational>, Polynomial)> {
        let mut factors = vec![Rational::ZERO; of.len()];
        let mut rest = Polynomial::default();
        for (monomial, coefficient) in &self.0 {
            let inside = monomial.iter().filter(|(symbol, _)| of.contains(symbol)).count();
            match (inside, monomial.as_slice()) {
                (0, _) => rest = rest.plus_monomial(monomial.clone(), coefficient.clone()),
                (_, [(symbol, 1)]) => {
                    let at = of.iter().position(|s| s == symbol).expect("it is one of them");
                    factors[at] = coefficient.clone();
                }
                _ => return None,
            }
        }
        Some((factors, rest))
    }

    fn plus_monomial(mut self, monomial: Monomial, coefficient: Rational) -> Polynomial {
        let sum = match self.0.remove(&monomial) {
            Some(own) => own + coefficient,
            None => coefficient,
        };
        if sum != Rational::ZERO {
            self.0.insert(monomial, sum);
        }
        self
    }
}

/// What polynomials can be evaluated in.
pub(super) trait Ring {
    fn add(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
}

impl Ring for Polynomial {
    fn add(&self, other: &Polynomial) -> Polynomial {
        self.plus(other)
    }

    fn mul(&self, other: &Polynomial) -> Polynomial {
        self.times(other)
    }
}

fn joined(a: &Monomial, b: &Monomial) -> Monomial {
    let mut all: BTreeMap<Symbol, u32> = a.iter().copied().collect();
    for (symbol, exponent) in b {
        *all.entry(*symbol).or_default() += exponent;
    }
    all.into_iter().collect()
}
