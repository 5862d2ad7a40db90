//! The door: candidates by a strategy, checked.

use super::farkas::Style;
use super::opaque::Opaque;
use super::{Problem, Rejection, Strategy, cases, check, newton, nodes, spacer, tidy};
use crate::smt::{Answer, Limits, Reason, Smt};
use crate::term::{Term, Terms};

/// The work for each query about a problem with hard parts that is seen from far.
const FROM_FAR: u32 = 10_000_000;

/// Finds interpolants with a thread's solvers.
#[derive(Debug)]
pub struct Interpolator<'a> {
    pub(super) smt: &'a mut Smt,
    rejected: Vec<Rejected>,
}

/// A candidate that was no interpolant: a bug report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    pub strategy: Strategy,
    pub problem: Problem,
    pub rejection: Rejection,
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    #[error("the formulas do not contradict each other")]
    Satisfiable,
    #[error("whether the formulas contradict each other is open: {0}")]
    Unknown(Reason),
    #[error("no strategy found interpolants (tried {})", names(.0))]
    NotFound(Vec<Strategy>),
}

fn names(strategies: &[Strategy]) -> String {
    strategies.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ")
}

impl<'a> Interpolator<'a> {
    pub fn new(smt: &'a mut Smt) -> Interpolator<'a> {
        Interpolator { smt, rejected: Vec::new() }
    }

    /// Candidates that were no interpolants, since the last call.
    pub fn take_rejected(&mut self) -> Vec<Rejected> {
        std::mem::take(&mut self.rejected)
    }

    /// Interpolants of all nodes but the root: canonical, without needless conjuncts, checked.
    pub fn interpolate(
        &mut self,
        terms: &mut Terms,
        problem: &Problem,
        strategy: Strategy,
    ) -> Result<Vec<Term>, Failure> {
        if strategy == Strategy::Auto
            && let Some(found) = self.seen_from_far(terms, problem)
        {
            return Ok(found);
        }
        // Strategies may look long for what is not there.
        let answer = self.smt.check(terms, problem.formulas());
        if answer.is_sat() {
            return Err(Failure::Satisfiable);
        }
        let strategies = match strategy {
            Strategy::Auto => self.by_shape(problem),
            other => vec![other],
        };
        for strategy in &strategies {
            if let Some(candidates) = self.candidates(terms, problem, *strategy)
                && let Some(mut checked) = self.checked(terms, problem, *strategy, &candidates)
            {
                checked.truncate(problem.root());
                return Ok(checked);
            }
        }
        match answer {
            _ if self.smt.cancel_handle().is_cancelled() => {
                Err(Failure::Unknown(Reason::Cancelled))
            }
            Answer::Unknown(reason) => Err(Failure::Unknown(reason)),
            _ => Err(Failure::NotFound(strategies)),
        }
    }

    /// Interpolants that do not depend on what hard parts are, found with little work.
    fn seen_from_far(&mut self, terms: &mut Terms, problem: &Problem) -> Option<Vec<Term>> {
        let opaque = Opaque::new(terms, problem)?;
        let limits = self.smt.limits();
        let resources = limits.resources.map_or(FROM_FAR, |own| own.min(FROM_FAR));
        self.smt.set_limits(Limits { resources: Some(resources), ..limits });
        let found = self.interpolate(terms, &opaque.problem, Strategy::Auto);
        self.smt.set_limits(limits);
        // They were checked, and what holds of any number holds of these.
        Some(opaque.meant(terms, &found.ok()?))
    }

    fn by_shape(&self, problem: &Problem) -> Vec<Strategy> {
        let mut order = vec![Strategy::Farkas, Strategy::Spacer, Strategy::Newton];
        order.push(match problem.is_sequence() {
            true => Strategy::Backward,
            false => Strategy::BinaryPerNode,
        });
        order
    }

    fn candidates(
        &mut self,
        terms: &mut Terms,
        problem: &Problem,
        strategy: Strategy,
    ) -> Option<Vec<Term>> {
        match strategy {
            Strategy::Auto | Strategy::Tree => {
                cases::interpolate(terms, self.smt, problem, Style::Sum)
                    .or_else(|| spacer::interpolate(terms, self.smt, problem))
            }
            Strategy::Farkas => cases::interpolate(terms, self.smt, problem, Style::Sum),
            Strategy::Decomposed => cases::interpolate(terms, self.smt, problem, Style::Pieces),
            Strategy::Spacer => spacer::interpolate(terms, self.smt, problem),
            Strategy::Newton => newton::interpolate(terms, self.smt, problem),
            Strategy::Backward => nodes::backward(self, terms, problem),
            Strategy::Nested => nodes::nested(self, terms, problem),
            Strategy::WellScoped => nodes::well_scoped(self, terms, problem),
            Strategy::BinaryPerNode => nodes::binary_per_node(self, terms, problem),
        }
    }

    fn checked(
        &mut self,
        terms: &mut Terms,
        problem: &Problem,
        strategy: Strategy,
        candidates: &[Term],
    ) -> Option<Vec<Term>> {
        let tidied: Vec<Term> = candidates.iter().map(|c| tidy(terms, *c)).collect();
        match check(terms, self.smt, problem, &tidied) {
            Ok(interpolants) => Some(interpolants),
            Err(rejection) => {
                let problem = problem.clone();
                self.rejected.push(Rejected { strategy, problem, rejection });
                None
            }
        }
    }

    /// A checked interpolant between two formulas, by whichever way finds one.
    pub(super) fn between(&mut self, terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
        let problem = Problem::binary(a, b);
        for strategy in [Strategy::Farkas, Strategy::Spacer, Strategy::Newton] {
            if let Some(candidates) = self.candidates(terms, &problem, strategy)
                && let Some(checked) = self.checked(terms, &problem, strategy, &candidates)
            {
                return Some(checked[0]);
            }
        }
        None
    }
}
