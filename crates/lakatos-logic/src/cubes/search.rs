//! One part of a formula on a solver: the valuations of predicates that agree with it, or the
//! literals that all of them have in common.
//!
//! Every valuation that is found comes from a model, and the search for further ones ends with
//! `unsat` or because an upper bound is reached; so a result without a [`Gap`] is exact. After
//! anything else, only literals that were proven one by one are kept.

use std::collections::VecDeque;

use super::abstractor::{Abstraction, Gap, Statistics};
use super::parts::Part;
use super::predicates::{Literal, PredId, Predicates};
use super::region::Region;
use crate::smt::{Answer, Reason, Solver};
use crate::term::{Term, Terms};

/// So many literals may stay open before the rest is not asked for: an open query takes as long
/// as its limits allow.
const PATIENCE: usize = 3;

/// A level of a solver, from [`Search::begin`] to the end of [`Search::boolean`] or
/// [`Search::cartesian`].
pub(super) struct Search<'a> {
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    predicates: &'a Predicates,
    statistics: &'a mut Statistics,
    /// The predicates in question, in their order.
    over: &'a [PredId],
    indicators: Vec<Term>,
    /// What is known of them: the formula implies it.
    upper: &'a Region,
}

impl<'a> Search<'a> {
    /// `upper`, over the part's predicates, is implied by its formula: the solver is told in
    /// order to spare it the way there, and loses no model.
    pub(super) fn begin(
        terms: &'a mut Terms,
        solver: &'a mut dyn Solver,
        predicates: &'a Predicates,
        statistics: &'a mut Statistics,
        part: &'a Part,
        upper: &'a Region,
    ) -> Search<'a> {
        let over = &part.over[..];
        solver.push();
        solver.assert(terms, part.formula);
        for predicate in over {
            solver.assert(terms, predicates.indicator(*predicate).definition);
        }
        if !upper.is_top() {
            let indicator = |l: Literal| predicates.indicator(l.predicate).term(l.positive);
            let upper = upper.to_term_with(terms, indicator);
            solver.assert(terms, upper);
        }
        let indicators = over.iter().map(|p| predicates.indicator(*p).literal).collect();
        Search { terms, solver, predicates, statistics, over, indicators, upper }
    }

    /// All valuations, or a bound of them when there are more than `models`.
    pub(super) fn boolean(mut self, models: usize) -> Abstraction {
        let mut found = Region::bottom();
        let mut gap = None;
        for count in 0.. {
            if found == *self.upper {
                break;
            }
            if count == models {
                gap = Some(Gap::Models);
                break;
            }
            match self.model(&[]) {
                Ok(None) => break,
                Ok(Some(cube)) => {
                    found = found.or(&Region::cube(cube.iter().copied()));
                    self.exclude(&widened(cube, &found));
                }
                Err(reason) => {
                    gap = Some(Gap::Unknown(reason));
                    break;
                }
            }
        }
        let result = match gap {
            None => Abstraction::exact(found),
            Some(gap) => {
                let facts = self.common(&found, &gap);
                Abstraction::bound(self.upper.and(&Region::cube(facts)), gap)
            }
        };
        self.solver.pop(1);
        result
    }

    /// The literals that hold in all valuations.
    pub(super) fn cartesian(mut self) -> Abstraction {
        let result = match self.model(&[]) {
            Ok(None) => Abstraction::exact(Region::bottom()),
            Ok(Some(cube)) => {
                let (facts, gap) = self.proven(cube);
                Abstraction { region: Region::cube(facts), gap: gap.map(Gap::Unknown) }
            }
            Err(reason) => {
                let gap = Gap::Unknown(reason);
                let facts = self.common(&Region::bottom(), &gap);
                Abstraction::bound(Region::cube(facts), gap)
            }
        };
        self.solver.pop(1);
        result
    }

    /// Literals that hold in all valuations when only some of these are known.
    fn common(&mut self, found: &Region, gap: &Gap) -> Vec<Literal> {
        match gap {
            Gap::Unknown(Reason::Cancelled) => Vec::new(),
            _ if found.is_bottom() => {
                let both = self.over.iter().flat_map(|p| [p.literal(true), p.literal(false)]);
                self.proven_singly(both.collect())
            }
            _ => self.proven(found.facts()).0,
        }
    }

    /// Which candidates hold in all models. One query asks for a model without one of them, and
    /// a model takes away at least one.
    fn proven(&mut self, mut candidates: Vec<Literal>) -> (Vec<Literal>, Option<Reason>) {
        while !candidates.is_empty() {
            self.exclude(&candidates);
            match self.model(&[]) {
                Ok(None) => break,
                Ok(Some(cube)) => candidates.retain(|c| cube.contains(c)),
                Err(Reason::Cancelled) => return (Vec::new(), Some(Reason::Cancelled)),
                Err(reason) => return (self.proven_singly(candidates), Some(reason)),
            }
        }
        (candidates, None)
    }

    /// Those of the candidates that the solver can prove alone.
    fn proven_singly(&mut self, candidates: Vec<Literal>) -> Vec<Literal> {
        let mut proven = Vec::new();
        let mut open = 0;
        let mut candidates = VecDeque::from(candidates);
        while let Some(candidate) = candidates.pop_front() {
            match self.model(&[!candidate]) {
                Ok(None) => proven.push(candidate),
                Ok(Some(cube)) => candidates.retain(|c| cube.contains(c)),
                Err(Reason::Cancelled) => break,
                Err(_) => open += 1,
            }
            if open == PATIENCE {
                break;
            }
        }
        proven
    }

    /// From now on, one of the literals does not hold.
    fn exclude(&mut self, cube: &[Literal]) {
        let clause: Vec<Term> = cube.iter().map(|l| self.indicator(!*l)).collect();
        self.solver.assert_any(self.terms, &clause);
    }

    /// The valuation of a model in which the assumptions hold; `None` when there is no model.
    fn model(&mut self, assumptions: &[Literal]) -> Result<Option<Vec<Literal>>, Reason> {
        let assumptions: Vec<Term> = assumptions.iter().map(|l| self.indicator(*l)).collect();
        self.statistics.queries += 1;
        let answer = self.solver.check(self.terms, &assumptions);
        let reason = match answer {
            Answer::Unsat => return Ok(None),
            Answer::Sat => match self.solver.bool_values(self.terms, &self.indicators) {
                Some(values) => {
                    self.statistics.models += 1;
                    let literals = self.over.iter().zip(values).map(|(p, v)| p.literal(v));
                    return Ok(Some(literals.collect()));
                }
                None => Reason::Incomplete("a model without values".to_string()),
            },
            Answer::Unknown(reason) => reason,
        };
        self.statistics.unknowns += 1;
        Err(reason)
    }

    fn indicator(&self, literal: Literal) -> Term {
        self.predicates.indicator(literal.predicate).term(literal.positive)
    }
}

/// A widest cube around this one in which everything has been found: the clause that excludes it
/// is short, and makes earlier ones needless.
fn widened(mut cube: Vec<Literal>, found: &Region) -> Vec<Literal> {
    for at in (0..cube.len()).rev() {
        let literal = cube.remove(at);
        if !found.restrict(&cube).is_top() {
            cube.insert(at, literal);
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::cache::Kind;
    use crate::smt::{Cancel, Limits, Smt};
    use crate::term::{Assignment, Sort};

    const KINDS: [Kind; 2] = [Kind::Boolean, Kind::Cartesian];

    /// A solver that does not answer every question.
    struct Forgetful<'a> {
        solver: &'a mut dyn Solver,
        /// Bit by bit, the questions that stay open.
        open: u32,
        reason: Reason,
        asked: u32,
    }

    impl Solver for Forgetful<'_> {
        fn name(&self) -> String {
            self.solver.name()
        }

        fn assert(&mut self, terms: &Terms, formula: Term) {
            self.solver.assert(terms, formula);
        }

        fn push(&mut self) {
            self.solver.push();
        }

        fn pop(&mut self, levels: u32) {
            self.solver.pop(levels);
        }

        fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
            let open = self.open.checked_shr(self.asked).is_some_and(|bits| bits & 1 == 1);
            self.asked += 1;
            match open {
                true => Answer::Unknown(self.reason.clone()),
                false => self.solver.check(terms, assumptions),
            }
        }

        fn core(&mut self) -> Vec<Term> {
            self.solver.core()
        }

        fn model(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
            self.solver.model(terms, of)
        }

        fn reset(&mut self) {
            self.solver.reset();
        }

        fn set_limits(&mut self, limits: Limits) {
            self.solver.set_limits(limits);
        }

        fn cancel_handle(&self) -> Cancel {
            self.solver.cancel_handle()
        }
    }

    struct World {
        terms: Terms,
        smt: Smt,
        predicates: Predicates,
        part: Part,
    }

    impl World {
        /// `0 <= x <= 2`, or nothing at all, and `x <= -1`, `x <= 0`, `x <= 1`, `x = 2`, `x <= 5`.
        fn new(empty: bool) -> World {
            let mut terms = Terms::new();
            let mut predicates = Predicates::new();
            let x = terms.symbol("x", Sort::Int);
            let mut over = Vec::new();
            for bound in [-1, 0, 1, 5] {
                let bound = terms.int(bound);
                let formula = terms.le(x, bound);
                over.push(predicates.add(&mut terms, formula).expect("room").predicate);
            }
            let (zero, two) = (terms.int(0), terms.int(2));
            let is_two = terms.eq(x, two);
            over.insert(3, predicates.add(&mut terms, is_two).expect("room").predicate);
            over.sort_unstable();
            let range = [terms.le(zero, x), terms.le(x, two)];
            let formula = match empty {
                false => terms.and(range),
                true => {
                    // No range, in a way that only the solver sees.
                    let (y, outside) = (terms.symbol("y", Sort::Int), terms.lt(two, x));
                    let (below, above) = (terms.lt(y, x), terms.lt(x, y));
                    let either = terms.or([outside, below]);
                    terms.and([range[0], range[1], either, above])
                }
            };
            World { terms, smt: Smt::default(), predicates, part: Part { formula, over } }
        }

        /// Also tells how many questions there were.
        fn run(&mut self, kind: Kind, open: u32, reason: &Reason) -> (Abstraction, u32) {
            self.run_with(usize::MAX, kind, open, reason)
        }

        fn run_with(
            &mut self,
            models: usize,
            kind: Kind,
            open: u32,
            reason: &Reason,
        ) -> (Abstraction, u32) {
            let solver = self.smt.shared(&self.terms, &[self.part.formula]);
            let mut solver = Forgetful { solver, open, reason: reason.clone(), asked: 0 };
            let (mut statistics, top) = (Statistics::default(), Region::top());
            let (terms, predicates) = (&mut self.terms, &self.predicates);
            let search =
                Search::begin(terms, &mut solver, predicates, &mut statistics, &self.part, &top);
            let found = match kind {
                Kind::Boolean => search.boolean(models),
                Kind::Cartesian => search.cartesian(),
            };
            assert_eq!(statistics.queries, u64::from(solver.asked));
            (found, solver.asked)
        }
    }

    #[test]
    fn open_questions_only_widen() {
        for (empty, kind) in [false, true].into_iter().flat_map(|e| KINDS.map(|k| (e, k))) {
            let mut world = World::new(empty);
            let (exact, asked) = world.run(kind, 0, &Reason::Time);
            assert!(exact.is_exact() && exact.region.is_bottom() == empty);
            let mut gaps = 0;
            for open in 0..1 << 8 {
                let (found, _) = world.run(kind, open, &Reason::Time);
                assert!(exact.region.implies(&found.region), "{kind:?} {open:b}");
                assert!(found == exact || !found.is_exact(), "{kind:?} {open:b}");
                let first = open.trailing_zeros() >= asked;
                assert!(!first || found == exact, "{kind:?} {open:b}");
                gaps += usize::from(!found.is_exact());
            }
            // An empty formula implies everything, which shows even when it was not seen to be.
            assert!(gaps >= if empty { 1 } else { 200 }, "{gaps}");
        }
    }

    #[test]
    fn patience_ends() {
        for kind in KINDS {
            let mut world = World::new(false);
            let (found, asked) = world.run(kind, u32::MAX, &Reason::Resources);
            assert_eq!(found.gap, Some(Gap::Unknown(Reason::Resources)));
            assert!(found.region.is_top());
            assert_eq!(asked as usize, 1 + PATIENCE);
            for before in 0..3 {
                let (found, asked) = world.run(kind, 1 << before, &Reason::Cancelled);
                assert_eq!(found.gap, Some(Gap::Unknown(Reason::Cancelled)));
                assert_eq!(asked, before + 1, "nothing is asked after a cancellation");
            }
        }
    }

    #[test]
    fn too_many_models_leave_the_facts() {
        let mut world = World::new(false);
        let (facts, _) = world.run(Kind::Cartesian, 0, &Reason::Time);
        assert_eq!(format!("{:?}", facts.region), "[[!p0, p3]]");
        let (all, _) = world.run(Kind::Boolean, 0, &Reason::Time);
        assert_eq!(all.region.cubes().count(), 3);
        for models in 1..3 {
            let (found, _) = world.run_with(models, Kind::Boolean, 0, &Reason::Time);
            assert_eq!(found, Abstraction::bound(facts.region.clone(), Gap::Models));
        }
        let (found, _) = world.run_with(4, Kind::Boolean, 0, &Reason::Time);
        assert_eq!(found, all);
    }
}
