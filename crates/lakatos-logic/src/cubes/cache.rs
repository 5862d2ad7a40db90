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
/// Regions of a formula, exact ones and others. Many, for the sake of one formula: `true` is the
/// part of all predicates that a formula does not speak of.
const REGIONS: usize = 32;

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
    pub(super) fn answer(
        &self,
        kind: Kind,
        over: &[PredId],
        limits: Limits,
    ) -> Option<Abstraction> {
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

    pub(super) fn is_satisfiable(&self) -> bool {
        self.satisfiable == Some(true)
    }

    /// Whether it was shown that the formula implies neither the predicate nor its negation.
    pub(super) fn is_open(&self, predicate: PredId) -> bool {
        self.facts.get(&predicate) == Some(&None)
    }

    /// What the formula implies about these predicates, as far as known.
    pub(super) fn upper(&self, over: &[PredId]) -> Region {
        let facts = over.iter().filter_map(|p| literal((*p, *self.facts.get(p)?)));
        let regions = self.regions.iter().map(|(of, region)| (of, region));
        let bounds = self.bounds.iter().map(|bound| (&bound.over, &bound.region));
        let common = |of: &[PredId]| of.iter().any(|p| over.binary_search(p).is_ok());
        regions
            .chain(bounds)
            .filter(|(of, _)| common(of))
            .fold(Region::cube(facts), |upper, (_, region)| upper.and(&region.keep(over)))
    }

    pub(super) fn store(
        &mut self,
        kind: Kind,
        over: &[PredId],
        limits: Limits,
        answer: &Abstraction,
    ) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u16]) -> Vec<PredId> {
        numbers.iter().map(|n| PredId(*n)).collect()
    }

    fn cube(literals: &[i32]) -> Region {
        let literal = |l: &i32| PredId(l.unsigned_abs() as u16).literal(*l > 0);
        Region::cube(literals.iter().map(literal))
    }

    #[test]
    fn projections_facts_and_bounds() {
        let limits = Limits::default();
        let more = Limits { resources: Some(7), ..limits };
        let mut known = Known::default();
        let region = cube(&[1, -2]).or(&cube(&[1, 2, 3]));
        let answer = Abstraction::exact(region.clone());
        known.store(Kind::Boolean, &ids(&[1, 2, 3]), limits, &answer);
        assert_eq!(known.answer(Kind::Boolean, &ids(&[1, 2, 3]), more), Some(answer));
        let some = known.answer(Kind::Boolean, &ids(&[2, 3]), more).expect("a projection");
        assert_eq!(some, Abstraction::exact(cube(&[-2]).or(&cube(&[3]))));
        let facts = known.answer(Kind::Cartesian, &ids(&[1, 2]), more).expect("facts");
        assert_eq!(facts, Abstraction::exact(cube(&[1])));
        assert!(known.is_open(PredId(2)) && !known.is_open(PredId(1)) && !known.is_open(PredId(4)));

        assert_eq!(known.answer(Kind::Boolean, &ids(&[3, 4]), limits), None);
        assert_eq!(known.upper(&ids(&[1, 2, 3, 4])), region);
        assert_eq!(known.upper(&ids(&[1, 4])), cube(&[1]));
        let bound = Abstraction { region: cube(&[-4]), gap: Some(Gap::Unknown(Reason::Resources)) };
        known.store(Kind::Boolean, &ids(&[3, 4]), limits, &bound);
        assert_eq!(known.answer(Kind::Boolean, &ids(&[3, 4]), limits), Some(bound));
        assert_eq!(known.answer(Kind::Boolean, &ids(&[3, 4]), more), None);
        assert_eq!(known.answer(Kind::Cartesian, &ids(&[3, 4]), limits), None);
        assert_eq!(known.upper(&ids(&[1, 4])), cube(&[1, -4]));

        known.store(Kind::Cartesian, &ids(&[]), limits, &Abstraction::exact(Region::bottom()));
        let bottom = Some(Abstraction::exact(Region::bottom()));
        assert_eq!(known.answer(Kind::Boolean, &ids(&[9]), limits), bottom);
    }

    /// What was cancelled says nothing about a run that is not.
    #[test]
    fn cancelled_is_not_remembered() {
        let mut known = Known::default();
        let bound =
            Abstraction { region: Region::top(), gap: Some(Gap::Unknown(Reason::Cancelled)) };
        known.store(Kind::Boolean, &ids(&[1]), Limits::default(), &bound);
        assert_eq!(known.answer(Kind::Boolean, &ids(&[1]), Limits::default()), None);
    }

    #[test]
    fn bounded() {
        let mut known = Known::default();
        for i in 0..100 {
            let region = cube(&[i32::from(i) + 1]);
            let over = ids(&[i + 1]);
            known.store(Kind::Boolean, &over, Limits::default(), &Abstraction::exact(region));
        }
        assert_eq!(known.regions.len(), REGIONS);
        let of_all = Abstraction::exact(Region::top());
        let all: Vec<PredId> = (0..200).map(PredId).collect();
        known.store(Kind::Boolean, &all, Limits::default(), &of_all);
        assert_eq!(known.regions.len(), 1);

        let mut cache = Cache::default();
        let mut terms = crate::term::Terms::new();
        let first = terms.int(0);
        for i in 0..3 * FORMULAS as i64 {
            let other = terms.int(i);
            cache.of(other).satisfiable = Some(true);
            assert!(cache.of(first).is_satisfiable(), "used all the time");
        }
        assert!(cache.young.len() <= FORMULAS && cache.old.len() <= FORMULAS);
        let second = terms.int(1);
        assert!(!cache.of(second).is_satisfiable(), "used long ago");
    }
}
