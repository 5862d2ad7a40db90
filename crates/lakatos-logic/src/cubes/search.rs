//! One part of a formula on a solver: the valuations of predicates that agree with it, or the
//! literals that all of them have in common.
//!
//! Every valuation that is found comes from a model, and the search for further ones ends with
//! `unsat` or because an upper bound is reached; so a result without a [`Gap`] is exact. After
//! anything else, only literals that were proven one by one are kept.

use std::collections::VecDeque;

use super::abstractor::{Abstraction, Gap, Statistics};
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
    /// `upper` is over the predicates in `over`. It is implied already; the solver is told to
    /// spare it the way there.
    pub(super) fn begin(
        terms: &'a mut Terms,
        solver: &'a mut dyn Solver,
        predicates: &'a Predicates,
        statistics: &'a mut Statistics,
        (formula, over, upper): (Term, &'a [PredId], &'a Region),
    ) -> Search<'a> {
        solver.push();
        solver.assert(terms, formula);
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
                    self.exclude(&cube);
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
        match (gap, found.is_bottom()) {
            (Gap::Unknown(Reason::Cancelled), _) => Vec::new(),
            (_, true) => {
                let both = self.over.iter().flat_map(|p| [p.literal(true), p.literal(false)]);
                self.proven_singly(both.collect())
            }
            (_, false) => self.proven(found.facts()).0,
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
