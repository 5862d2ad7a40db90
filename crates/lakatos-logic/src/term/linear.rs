//! Linear normal form: sums of monomials sorted by term, and comparisons of them with zero.

use std::mem;

use super::{Node, Sort, Term, Terms};
use crate::number::{Int, Rational, div_ceil, gcd, is_negative, lcm};

/// `(Σ coefficient · term + constant) / denominator`. The terms are sorted, distinct and no sums
/// or constants, the coefficients not zero, the denominator positive (one for integers) and
/// coprime to the numerator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sum {
    pub monomials: Vec<(Term, Int)>,
    pub constant: Int,
    pub denominator: Int,
}

/// How a sum is compared with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    NonPositive,
    Zero,
}

/// A conditional term with a constant branch.
struct Choice {
    condition: Term,
    constant: Term,
    other: Term,
    constant_first: bool,
}

impl Sum {
    pub fn constant(value: Int) -> Sum {
        Sum { monomials: Vec::new(), constant: value, denominator: Int::ONE }
    }

    fn of_term(term: Term) -> Sum {
        Sum { monomials: vec![(term, Int::ONE)], constant: Int::ZERO, denominator: Int::ONE }
    }

    pub fn scale(mut self, factor: &Int) -> Sum {
        if factor.is_zero() {
            return Sum::constant(Int::ZERO);
        }
        for (_, coefficient) in &mut self.monomials {
            *coefficient *= factor;
        }
        self.constant *= factor;
        self
    }

    /// `self + factor · other`.
    pub fn add_scaled(self, other: &Sum, factor: &Int) -> Sum {
        if self.denominator == other.denominator {
            return self.merge(other, factor);
        }
        let common = lcm(&self.denominator, &other.denominator);
        let (own, others) = (&common / &self.denominator, &common / &other.denominator);
        let mut scaled = self.scale(&own);
        scaled.denominator = common;
        scaled.merge(other, &(factor * others))
    }

    /// Adds numerators over one denominator.
    fn merge(mut self, other: &Sum, factor: &Int) -> Sum {
        self.constant += &other.constant * factor;
        let mut merged = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let mut left = mem::take(&mut self.monomials).into_iter().peekable();
        for (term, coefficient) in &other.monomials {
            while let Some(smaller) = left.next_if(|(t, _)| t < term) {
                merged.push(smaller);
            }
            let own = left.next_if(|(t, _)| t == term).map_or(Int::ZERO, |(_, c)| c);
            merged.push((*term, own + coefficient * factor));
        }
        merged.extend(left);
        merged.retain(|(_, c)| !c.is_zero());
        self.monomials = merged;
        self
    }

    /// The total of scaled sums: one sort instead of one merge each.
    pub(super) fn gather(scaled: &[(Sum, Int)]) -> Sum {
        let common = scaled.iter().fold(Int::ONE, |d, (sum, _)| lcm(&d, &sum.denominator));
        let mut total = Sum { denominator: common, ..Sum::constant(Int::ZERO) };
        let mut all = Vec::new();
        for (sum, factor) in scaled {
            let factor = factor * (&total.denominator / &sum.denominator);
            total.constant += &sum.constant * &factor;
            all.extend(sum.monomials.iter().map(|(term, c)| (*term, c * &factor)));
        }
        all.sort_unstable_by_key(|(term, _)| *term);
        for (term, coefficient) in all {
            match total.monomials.last_mut() {
                Some((last, sum)) if *last == term => *sum += coefficient,
                _ => total.monomials.push((term, coefficient)),
            }
        }
        total.monomials.retain(|(_, c)| !c.is_zero());
        total
    }

    /// Divides numerator and denominator by what they share.
    fn reduce(mut self) -> Sum {
        if self.denominator == Int::ONE {
            return self;
        }
        let shared = gcd(&gcd(&self.content(), &self.constant), &self.denominator);
        self.divide_exactly(&shared);
        self.denominator /= shared;
        self
    }

    /// The greatest common divisor of the coefficients; zero where there are none.
    fn content(&self) -> Int {
        self.monomials.iter().fold(Int::ZERO, |g, (_, c)| gcd(&g, c))
    }

    fn divide_exactly(&mut self, by: &Int) {
        if *by == Int::ONE {
            return;
        }
        for (_, coefficient) in &mut self.monomials {
            *coefficient /= by;
        }
        self.constant /= by;
    }
}

impl Terms {
    pub fn int(&mut self, value: impl Into<Int>) -> Term {
        self.intern(Node::Int(value.into()), Sort::Int)
    }

    pub fn real(&mut self, value: Rational) -> Term {
        self.intern(Node::Real(value), Sort::Real)
    }

    pub fn as_int(&self, term: Term) -> Option<&Int> {
        match self.node(term) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// A number as a linear combination.
    pub fn sum_of(&self, term: Term) -> Sum {
        match self.node(term) {
            Node::Int(value) => Sum::constant(value.clone()),
            Node::Real(value) => {
                let mut sum = Sum::constant(value.numerator().clone());
                sum.denominator = Int::from(value.denominator().clone());
                sum
            }
            Node::Sum(sum) => sum.clone(),
            _ => Sum::of_term(term),
        }
    }

    /// The term of a linear combination; `sort` is that of its terms.
    pub fn sum(&mut self, sum: Sum, sort: Sort) -> Term {
        debug_assert!(sort.is_numeric());
        debug_assert!(sum.monomials.iter().all(|(t, _)| self.sort(*t) == sort));
        let sum = sum.reduce();
        debug_assert!(sort == Sort::Real || sum.denominator == Int::ONE);
        match &sum.monomials[..] {
            [] if sort == Sort::Int => self.int(sum.constant),
            [] => self.real(Rational::from_parts(
                sum.constant,
                sum.denominator.try_into().expect("denominators are positive"),
            )),
            [(term, coefficient)]
                if *coefficient == Int::ONE
                    && sum.constant.is_zero()
                    && sum.denominator == Int::ONE =>
            {
                *term
            }
            _ => self.intern(Node::Sum(sum), sort),
        }
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.combine(a, b, &Int::ONE)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.combine(a, b, &Int::NEG_ONE)
    }

    /// `a + factor · b`.
    pub fn combine(&mut self, a: Term, b: Term, factor: &Int) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let sum = self.sum_of(a).add_scaled(&self.sum_of(b), factor);
        self.sum(sum, self.sort(a))
    }

    pub fn add_all(&mut self, terms: impl IntoIterator<Item = Term>, sort: Sort) -> Term {
        let sums: Vec<(Sum, Int)> =
            terms.into_iter().map(|term| (self.sum_of(term), Int::ONE)).collect();
        self.sum(Sum::gather(&sums), sort)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(&Int::NEG_ONE, a)
    }

    pub fn scale(&mut self, factor: &Int, a: Term) -> Term {
        let sum = self.sum_of(a).scale(factor);
        self.sum(sum, self.sort(a))
    }

    pub fn le(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let difference = self.sum_of(a).add_scaled(&self.sum_of(b), &Int::NEG_ONE);
        self.compare(Relation::NonPositive, difference, self.sort(a))
    }

    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        let reverse = self.le(b, a);
        self.not(reverse)
    }

    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    pub(super) fn eq_numbers(&mut self, a: Term, b: Term) -> Term {
        let difference = self.sum_of(a).add_scaled(&self.sum_of(b), &Int::NEG_ONE);
        self.compare(Relation::Zero, difference, self.sort(a))
    }

    /// The atom that `sum` stands in `relation` to zero.
    pub fn compare(&mut self, relation: Relation, sum: Sum, sort: Sort) -> Term {
        // A choice with a constant branch takes the comparison into its branches: truth values of C
        // come and go this way. Chains of them are long, so no recursion.
        let mut decided = Vec::new();
        let mut rest = sum;
        while let Some(choice) = self.constant_choice(&rest) {
            let atom = self.atom(relation, self.with_choice(&rest, choice.constant), sort);
            rest = self.with_choice(&rest, choice.other);
            decided.push((choice, atom));
        }
        let mut result = self.atom(relation, rest, sort);
        for (choice, atom) in decided.into_iter().rev() {
            result = match choice.constant_first {
                true => self.ite(choice.condition, atom, result),
                false => self.ite(choice.condition, result, atom),
            };
        }
        result
    }

    fn atom(&mut self, relation: Relation, sum: Sum, sort: Sort) -> Term {
        if let Some(decided) = self.decide(relation, &sum) {
            return self.bool(decided);
        }
        let Some(sum) = normalise(relation, sum, sort) else { return Term::FALSE };
        let term = self.sum(sum, sort);
        let node = match relation {
            Relation::NonPositive => Node::NonPositive(term),
            Relation::Zero => Node::Zero(term),
        };
        self.intern(node, Sort::Bool)
    }

    /// Where the bounds of the terms decide the comparison.
    fn decide(&self, relation: Relation, sum: &Sum) -> Option<bool> {
        let (low, high) = self.bounds_of_sum(sum);
        let positive = low.is_some_and(|low| low > Int::ZERO);
        match relation {
            _ if positive => Some(false),
            Relation::NonPositive => (high? <= Int::ZERO).then_some(true),
            Relation::Zero if sum.monomials.is_empty() => Some(sum.constant.is_zero()),
            Relation::Zero => is_negative(&high?).then_some(false),
        }
    }

    /// `factor · ite + constant` with a constant branch.
    fn constant_choice(&self, sum: &Sum) -> Option<Choice> {
        let [(choice, _)] = &sum.monomials[..] else { return None };
        let Node::Ite(condition, then, otherwise) = *self.node(*choice) else { return None };
        let constant_first = self.is_number(then);
        let (constant, other) = match constant_first {
            true => (then, otherwise),
            false => (otherwise, then),
        };
        let choice = Choice { condition, constant, other, constant_first };
        self.is_number(constant).then_some(choice)
    }

    /// `sum`, which has one monomial, with `chosen` in the place of its term.
    fn with_choice(&self, sum: &Sum, chosen: Term) -> Sum {
        let constant = Sum { monomials: Vec::new(), ..sum.clone() };
        let mut scaled = self.sum_of(chosen).scale(&sum.monomials[0].1);
        scaled.denominator *= &sum.denominator;
        constant.add_scaled(&scaled, &Int::ONE)
    }

    fn is_number(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Int(_) | Node::Real(_))
    }

    /// Conjuncts with `s = 0` in place of `s <= 0` and `-s <= 0`.
    pub fn with_equations(&mut self, mut parts: Vec<Term>) -> Vec<Term> {
        let mut number = 0;
        while number < parts.len() {
            if let Some((equation, opposite)) = self.opposite(parts[number])
                && let Some(other) = parts.iter().position(|part| *part == opposite)
            {
                parts[number] = equation;
                parts.remove(other);
                number -= usize::from(other < number);
            }
            number += 1;
        }
        parts
    }

    /// For `s <= 0`: `s = 0` and `-s <= 0`.
    fn opposite(&mut self, bound: Term) -> Option<(Term, Term)> {
        let (Relation::NonPositive, sum) = self.as_comparison(bound)? else { return None };
        let sort = self.sort(sum.monomials.first()?.0);
        let negated = sum.clone().scale(&-Int::ONE);
        let opposite = self.compare(Relation::NonPositive, negated, sort);
        Some((self.compare(Relation::Zero, sum, sort), opposite))
    }

    /// The sum and relation of a linear atom (not of its negation).
    pub fn as_comparison(&self, atom: Term) -> Option<(Relation, Sum)> {
        match *self.node(atom) {
            Node::NonPositive(sum) => Some((Relation::NonPositive, self.sum_of(sum))),
            Node::Zero(sum) => Some((Relation::Zero, self.sum_of(sum))),
            _ => None,
        }
    }
}

/// Coprime coefficients, integer bounds tightened, equations with a positive first coefficient.
/// `None`: an equation that has no solution in the integers.
fn normalise(relation: Relation, mut sum: Sum, sort: Sort) -> Option<Sum> {
    sum.denominator = Int::ONE;
    let content = sum.content();
    if sort == Sort::Real {
        let shared = gcd(&content, &sum.constant);
        sum.divide_exactly(&shared);
    } else if relation == Relation::NonPositive {
        let bound = div_ceil(&sum.constant, &content);
        sum.constant = Int::ZERO;
        sum.divide_exactly(&content);
        sum.constant = bound;
    } else if (&sum.constant % &content).is_zero() {
        sum.divide_exactly(&content);
    } else {
        return None;
    }
    if relation == Relation::Zero && is_negative(&sum.monomials[0].1) {
        sum = sum.scale(&Int::NEG_ONE);
    }
    Some(sum)
}
