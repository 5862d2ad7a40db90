//! Linear equations for each value of a counter. What a closed form says with a power of the number
//! of turns (`x' = 2·x`, loops paper, Figure 18) is linear in each turn.

use std::collections::{BTreeMap, BTreeSet};

use super::congruences::Congruences;
use super::part::{formula, values};
use crate::horn::{Clause, System};
use crate::number::{Int, is_negative};
use crate::term::{Assignment, Sort, Symbol, Term, Terms};

/// With more values a counter tells nothing. A number that is doubled so often is beyond the
/// machine's.
const MOST_VALUES: usize = 64;

/// The counters of a system in which something is multiplied again and again; there are none in
/// others.
pub(super) fn counters(terms: &mut Terms, system: &System) -> BTreeSet<Symbol> {
    let mut counters = BTreeSet::new();
    let mut has_powers = false;
    for clause in &system.clauses {
        let Some(head) = &clause.head else { continue };
        let after = system.predicate(head.predicate).parameters.iter().zip(&head.arguments);
        for (parameter, argument) in after {
            let Some((factor, constant)) = update(terms, system, clause, *parameter, *argument)
            else {
                continue;
            };
            let size = if is_negative(&factor) { -factor } else { factor };
            has_powers |= size > Int::ONE;
            if size == Int::ONE && !constant.is_zero() {
                counters.insert(*parameter);
            }
        }
    }
    if has_powers { counters } else { BTreeSet::new() }
}

/// How a parameter changes in a clause: a factor and a constant.
fn update(
    terms: &mut Terms,
    system: &System,
    clause: &Clause,
    parameter: Symbol,
    argument: Term,
) -> Option<(Int, Int)> {
    let before = clause.body.iter().find_map(|application| {
        let parameters = &system.predicate(application.predicate).parameters;
        let at = parameters.iter().position(|symbol| *symbol == parameter)?;
        Some(application.arguments[at])
    })?;
    if terms.sort(argument) != Sort::Int {
        return None;
    }
    let sum = terms.sum_of(argument);
    match sum.monomials.as_slice() {
        [(term, factor)] if *term == before && sum.denominator == Int::ONE => {
            Some((factor.clone(), sum.constant))
        }
        _ => None,
    }
}

/// Points, by the values of a counter.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    counter: Term,
    of: Vec<Term>,
    points: BTreeMap<Int, Congruences>,
}

impl Turns {
    pub fn of_point(
        terms: &Terms,
        counter: Term,
        of: Vec<Term>,
        point: &Assignment,
    ) -> Option<Turns> {
        let mut turns = Turns { counter, of, points: BTreeMap::new() };
        turns.join(terms, point)?;
        Some(turns)
    }

    /// Adds a point; `None` if there are too many values, `Some(false)` if it is there already.
    pub fn join(&mut self, terms: &Terms, point: &Assignment) -> Option<bool> {
        let at = values(terms, &[self.counter], point)?.remove(0);
        let values = values(terms, &self.of, point)?;
        if let Some(points) = self.points.get_mut(&at) {
            return Some(points.join(&values));
        }
        self.points.insert(at, Congruences::of_point(values));
        (self.points.len() <= MOST_VALUES).then_some(true)
    }

    /// The values that there are, and the equations for each.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<Term> {
        let mut formulas = Vec::new();
        let mut any = Vec::new();
        for (value, points) in &self.points {
            let value = terms.int(value.clone());
            let here = terms.eq(self.counter, value);
            any.push(here);
            for law in points.laws().into_iter().filter(|law| law.modulus.is_zero()) {
                let law = formula(terms, &self.of, law);
                formulas.push(terms.implies(here, law));
            }
        }
        formulas.push(terms.or(any));
        formulas
    }
}
