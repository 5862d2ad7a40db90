//! What is known of a predicate, in parts that are each true of the same points.

use std::collections::BTreeSet;

use super::bounds::{Bounds, Steps};
use super::congruences::{Congruences, Law};
use super::turns::Turns;
use crate::number::Int;
use crate::term::{Assignment, Sort, Symbol, Term, Terms, Value};

/// Products are looked at among so many numbers.
const MOST_FACTORS: usize = 7;

/// What is looked at.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub steps: Steps,
    /// Whether the system multiplies.
    pub products: bool,
    /// What counts turns, where that matters.
    pub counters: BTreeSet<Symbol>,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Bounds(Bounds),
    /// Of these terms; with or without remainders.
    Laws {
        of: Vec<Term>,
        points: Congruences,
        remainders: bool,
    },
    Turns(Turns),
}

/// The parts for one point of some parameters.
pub(super) fn parts(
    terms: &mut Terms,
    view: &View,
    parameters: &[Symbol],
    point: &Assignment,
) -> Vec<Part> {
    let of_sort = |terms: &mut Terms, sort: Sort| -> Vec<Term> {
        let wanted = parameters.iter().filter(|s| terms.symbol_sort(**s) == sort);
        let wanted: Vec<Symbol> = wanted.copied().collect();
        wanted.into_iter().map(|s| terms.symbol_term(s)).collect()
    };
    let numbers = of_sort(terms, Sort::Int);
    let mut linear = of_sort(terms, Sort::Bool);
    let (zero, one) = (terms.int(0), terms.int(1));
    linear.iter_mut().for_each(|flag| *flag = terms.ite(*flag, one, zero));
    linear.extend(&numbers);
    let mut parts = vec![Part::Bounds(Bounds::of_point(terms, &numbers, &view.steps, point))];
    parts.extend(Part::laws(terms, linear, true, point));
    if view.products && numbers.len() <= MOST_FACTORS {
        let products = with_products(terms, &numbers);
        parts.extend(Part::laws(terms, products, false, point));
    }
    for counter in parameters.iter().filter(|symbol| view.counters.contains(symbol)) {
        let counter = terms.symbol_term(*counter);
        let others: Vec<Term> = numbers.iter().copied().filter(|n| *n != counter).collect();
        parts.extend(Turns::of_point(terms, counter, others, point).map(Part::Turns));
    }
    parts
}

/// The numbers first, so that laws tell what products are.
fn with_products(terms: &mut Terms, numbers: &[Term]) -> Vec<Term> {
    let mut all = numbers.to_vec();
    for (at, x) in numbers.iter().enumerate() {
        for y in &numbers[..=at] {
            all.push(terms.mul(*x, *y));
        }
    }
    all
}

impl Part {
    fn laws(terms: &Terms, of: Vec<Term>, remainders: bool, point: &Assignment) -> Option<Part> {
        let points = Congruences::of_point(values(terms, &of, point)?);
        Some(Part::Laws { of, points, remainders })
    }

    /// Adds a point; `None` if it cannot be added, `Some(false)` if it is there already.
    pub fn join(&mut self, terms: &Terms, point: &Assignment) -> Option<bool> {
        match self {
            Part::Bounds(bounds) => Some(bounds.join(terms, point)),
            Part::Turns(turns) => turns.join(terms, point),
            Part::Laws { of, points, .. } => Some(points.join(&values(terms, of, point)?)),
        }
    }

    pub fn formulas(&self, terms: &mut Terms) -> Vec<Term> {
        match self {
            Part::Bounds(bounds) => bounds.formulas(terms),
            Part::Turns(turns) => turns.formulas(terms),
            Part::Laws { of, points, remainders } => {
                let laws = points.laws().into_iter();
                let laws = laws.filter(|law| *remainders || law.modulus.is_zero());
                laws.map(|law| formula(terms, of, law)).collect()
            }
        }
    }
}

pub(super) fn values(terms: &Terms, of: &[Term], point: &Assignment) -> Option<Vec<Int>> {
    let value = |term: &Term| match terms.evaluate(*term, point)? {
        Value::Int(value) => Some(value),
        _ => None,
    };
    of.iter().map(value).collect()
}

pub(super) fn formula(terms: &mut Terms, of: &[Term], law: Law) -> Term {
    let Law { factors, value, modulus } = law;
    let scaled: Vec<Term> = of.iter().zip(&factors).map(|(x, f)| terms.scale(f, *x)).collect();
    let sum = terms.add_all(scaled, Sort::Int);
    let value = terms.int(value);
    match modulus.is_zero() {
        true => terms.eq(sum, value),
        false => {
            let modulus = terms.int(modulus);
            let remainder = terms.modulo(sum, modulus);
            terms.eq(remainder, value)
        }
    }
}
