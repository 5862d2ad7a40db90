//! Bounds of sums and differences of two numbers, by constants that occur in the system.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::horn::System;
use crate::number::{Int, is_negative};
use crate::term::{Assignment, Term, Terms, Value};

/// Of so many constants.
const MOST_STEPS: usize = 60;
/// With more numbers than this there are bounds of single ones only.
const MOST_PAIRED: usize = 10;

/// What bounds may be, in order.
pub(super) type Values = Rc<[Int]>;

/// How bounds move.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub values: Values,
    /// A bound that was moved more often goes.
    pub most_moves: u8,
}

/// While others move as well, what moves often may do so for ever.
pub(super) const FEW_MOVES: u8 = 10;
/// To any value that it may have.
pub(super) const ALL_MOVES: u8 = MOST_STEPS as u8;

/// The constants of a system's comparisons, and their neighbours.
pub(super) fn steps(terms: &Terms, system: &System) -> Steps {
    let mut found: BTreeSet<Int> = [-1, 0, 1].map(Int::from).into();
    let roots: Vec<Term> = system.clauses.iter().flat_map(|c| c.roots()).collect();
    for part in terms.parts_first(&roots) {
        let constant = match terms.as_comparison(part) {
            Some((_, sum)) => sum.constant,
            None => match terms.as_int(part) {
                Some(value) => value.clone(),
                None => continue,
            },
        };
        for near in [-1, 0, 1].map(Int::from) {
            found.insert(&constant + &near);
            found.insert(-&constant + &near);
        }
    }
    let mut found: Vec<Int> = found.into_iter().collect();
    // Small ones are of the program rather than of its types.
    found.sort_by_key(|value| match is_negative(value) {
        true => (-value, false),
        false => (value.clone(), true),
    });
    found.truncate(MOST_STEPS);
    found.sort();
    Steps { values: found.into(), most_moves: FEW_MOVES }
}

/// The least steps that some numbers never exceed.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    steps: Steps,
    bounds: Vec<Bound>,
}

#[derive(Clone, Debug)]
struct Bound {
    /// At most two numbers, added or subtracted.
    of: Term,
    /// `None`: no bound.
    limit: Option<Int>,
    moves: u8,
}

impl Bounds {
    /// Those of the numbers at a point.
    pub fn of_point(
        terms: &mut Terms,
        numbers: &[Term],
        steps: &Steps,
        point: &Assignment,
    ) -> Bounds {
        let mut of: Vec<Term> = Vec::new();
        for (at, x) in numbers.iter().enumerate() {
            of.extend([*x, terms.neg(*x)]);
            if numbers.len() > MOST_PAIRED {
                continue;
            }
            for y in &numbers[..at] {
                let (sum, difference) = (terms.add(*x, *y), terms.sub(*x, *y));
                of.extend([sum, terms.neg(sum), difference, terms.neg(difference)]);
            }
        }
        let bounds = of.into_iter().map(|of| {
            let limit = value(terms, of, point).and_then(|value| least(&steps.values, &value));
            Bound { of, limit, moves: 0 }
        });
        Bounds { bounds: bounds.collect(), steps: steps.clone() }
    }

    /// Moves the bounds that a point exceeds; whether there are any.
    pub fn join(&mut self, terms: &Terms, point: &Assignment) -> bool {
        let mut grown = false;
        for bound in &mut self.bounds {
            let Some(limit) = &bound.limit else { continue };
            let value = value(terms, bound.of, point);
            if value.as_ref().is_some_and(|value| value <= limit) {
                continue;
            }
            bound.moves += 1;
            bound.limit = match bound.moves > self.steps.most_moves {
                true => None,
                false => value.and_then(|value| least(&self.steps.values, &value)),
            };
            grown = true;
        }
        grown
    }

    /// As formulas, without bounds that follow from those of single numbers.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<Term> {
        let mut formulas = Vec::new();
        for bound in &self.bounds {
            let Some(limit) = bound.limit.clone() else { continue };
            if self.single(terms, bound.of).is_some_and(|follows| follows <= limit) {
                continue;
            }
            let limit = terms.int(limit);
            formulas.push(terms.le(bound.of, limit));
        }
        formulas
    }

    /// What the bounds of single numbers say of a sum of two.
    fn single(&self, terms: &mut Terms, of: Term) -> Option<Int> {
        let sum = terms.sum_of(of);
        if sum.monomials.len() < 2 {
            return None;
        }
        let mut all = Int::ZERO;
        for (term, factor) in &sum.monomials {
            let part = terms.scale(factor, *term);
            let bound = self.bounds.iter().find(|bound| bound.of == part)?;
            all += bound.limit.as_ref()?;
        }
        Some(all)
    }
}

fn value(terms: &Terms, of: Term, point: &Assignment) -> Option<Int> {
    match terms.evaluate(of, point)? {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// The least step that is not below a value.
fn least(steps: &[Int], value: &Int) -> Option<Int> {
    steps.get(steps.partition_point(|step| step < value)).cloned()
}
