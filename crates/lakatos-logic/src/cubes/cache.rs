//! What is known of formulas from earlier questions.
//!
//! A question with the same predicates, or with some of them, is answered by projection. One with
//! others starts from what is known: whatever a formula implies, it implies whichever predicates
//! are asked for next.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::abstractor::{Abstraction, Gap};
use super::predicates::{Literal, PredId};
use super::region::Region;
use crate::smt::{Limits, Reason};
use crate::term::Term;

/// Formulas in each of the two generations.
const FORMULAS: usize = 1 << 13;
/// Regions of a formula, exact ones and others.
const REGIONS: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Boolean,
    Cartesian,
}

/// Formulas that were asked about since the last but one time that a generation was full.
#[derive(Debug, Default)]
pub(super) struct Cache {
    young: FxHashMap<Term, Known>,
    old: FxHashMap<Term, Known>,
}

/// What is known of a formula.
#[derive(Debug, Default)]
pub(super) struct Known {
    satisfiable: Option<bool>,
    /// Exact Boolean abstractions, oldest first.
    regions: Vec<(Vec<PredId>, Region)>,
    /// Whether a predicate is implied to be true, to be false, or neither.
    facts: BTreeMap<PredId, Option<bool>>,
    /// Answers that are bounds only, oldest first.
    bounds: Vec<Bound>,
}

#[derive(Debug)]
struct Bound {
    kind: Kind,
    over: Vec<PredId>,
    limits: Limits,
    region: Region,
    gap: Gap,
}

impl Cache {
    pub(super) fn of(&mut self, formula: Term) -> &mut Known {
        if !self.young.contains_key(&formula) {
            if self.young.len() == FORMULAS {
                self.old = std::mem::take(&mut self.young);
            }
            let known = self.old.remove(&formula).unwrap_or_default();
            self.young.insert(formula, known);
        }
        self.young.get_mut(&formula).expect("inserted above")
    }
}

impl Known {
    /// The answer to a question, when it follows from earlier ones. A question that stayed open
    /// is not repeated under the limits it had then.
    pub(super) fn answer(&self, kind: Kind, over: &[PredId], limits: Limits) -> Option<Abstraction> {
        if self.satisfiable == Some(false) {
            return Some(Abstraction::exact(Region::bottom()));
        }
        let exact = match kind {
            Kind::Boolean => self.boolean(over),
            Kind::Cartesian => self.cartesian(over),
        };
        let same = |b: &&Bound| b.kind == kind && b.over == over && b.limits == limits;
        exact.map(Abstraction::exact).or_else(|| {
            let bound = self.bounds.iter().find(same)?;
            Some(Abstraction { region: bound.region.clone(), gap: Some(bound.gap.clone()) })
        })
    }

    /// A valuation of some of the predicates is possible if and only if one of all of them is
    /// that extends it.
    fn boolean(&self, over: &[PredId]) -> Option<Region> {
        let (_, region) = self.regions.iter().find(|(of, _)| is_subset(over, of))?;
        Some(region.keep(over))
    }

    fn cartesian(&self, over: &[PredId]) -> Option<Region> {
        self.satisfiable?;
        let facts: Option<Vec<_>> =
            over.iter().map(|p| self.facts.get(p).map(|value| (*p, *value))).collect();
        Some(Region::cube(facts?.into_iter().filter_map(literal)))
    }

    /// Whether it was shown that the formula implies neither the predicate nor its negation.
    pub(super) fn is_open(&self, predicate: PredId) -> bool {
        self.facts.get(&predicate) == Some(&None)
    }

    /// What the formula implies about these predicates, as far as known.
    pub(super) fn upper(&self, over: &[PredId]) -> Region {
        let facts = over.iter().filter_map(|p| literal((*p, *self.facts.get(p)?)));
        let regions = self.regions.iter().map(|(_, region)| region);
        let bounds = self.bounds.iter().map(|bound| &bound.region);
        regions.chain(bounds).fold(Region::cube(facts), |upper, region| {
            upper.and(&region.keep(over))
        })
    }

    pub(super) fn store(&mut self, kind: Kind, over: &[PredId], limits: Limits, answer: &Abstraction) {
        match &answer.gap {
            None => self.store_exact(kind, over, &answer.region),
            Some(Gap::Unknown(Reason::Cancelled)) => {}
            Some(gap) => {
                self.bounds.retain(|b| b.kind != kind || b.over != over);
                make_room(&mut self.bounds);
                let (over, region, gap) = (over.to_vec(), answer.region.clone(), gap.clone());
                self.bounds.push(Bound { kind, over, limits, region, gap });
            }
        }
    }

    fn store_exact(&mut self, kind: Kind, over: &[PredId], region: &Region) {
        self.satisfiable = Some(!region.is_bottom());
        let facts = region.facts();
        for predicate in over {
            let fact = facts.iter().find(|l| l.predicate == *predicate);
            self.facts.insert(*predicate, fact.map(|l| l.positive));
        }
        self.bounds.retain(|b| b.kind != kind || !is_subset(&b.over, over));
        if kind == Kind::Boolean {
            self.regions.retain(|(of, _)| !is_subset(of, over));
            make_room(&mut self.regions);
            self.regions.push((over.to_vec(), region.clone()));
        }
    }
}

fn literal((predicate, value): (PredId, Option<bool>)) -> Option<Literal> {
    value.map(|positive| predicate.literal(positive))
}

fn make_room<T>(entries: &mut Vec<T>) {
    if entries.len() == REGIONS {
        entries.remove(0);
    }
}

/// Both sorted.
fn is_subset(a: &[PredId], b: &[PredId]) -> bool {
    a.iter().all(|p| b.binary_search(p).is_ok())
}
