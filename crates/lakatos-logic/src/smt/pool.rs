//! Long-lived solvers: a fresh one costs milliseconds, one kept alive tenths of one (DESIGN.md
//! section 4).

use super::z3::{Z3, Z3Solver};
use super::{Answer, Cancel, Limits, Logic, Solver};
use crate::term::{Assignment, Term, Terms};

/// A thread's solvers, one for each logic, and the short questions they answer.
#[derive(Debug)]
pub struct Smt {
    z3: Z3,
    solvers: Vec<(Logic, Z3Solver)>,
    limits: Limits,
}

impl Default for Smt {
    fn default() -> Self {
        Smt::new(Limits::default())
    }
}

impl Smt {
    /// `limits` hold for every query.
    pub fn new(limits: Limits) -> Smt {
        Smt { z3: Z3::new(), solvers: Vec::new(), limits }
    }

    pub fn z3(&self) -> &Z3 {
        &self.z3
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        for (_, solver) in &mut self.solvers {
            solver.set_limits(limits);
        }
    }

    pub fn cancel_handle(&self) -> Cancel {
        self.z3.cancel_handle()
    }

    /// A new solver for formulas like `of`, for callers that keep one themselves.
    pub fn fresh(&self, terms: &Terms, of: &[Term]) -> Z3Solver {
        let mut solver = self.z3.solver(Logic::of(terms, of));
        solver.set_limits(self.limits);
        solver
    }

    /// The shared solver for formulas like `of`, without assertions at base level. Who pushes,
    /// pops.
    pub fn shared(&mut self, terms: &Terms, of: &[Term]) -> &mut Z3Solver {
        let logic = Logic::of(terms, of);
        let at = match self.solvers.iter().position(|(l, _)| *l == logic) {
            Some(at) => at,
            None => {
                let mut solver = self.z3.solver(logic);
                solver.set_limits(self.limits);
                self.solvers.push((logic, solver));
                self.solvers.len() - 1
            }
        };
        &mut self.solvers[at].1
    }

    /// Whether the formulas hold together.
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.ask(terms, formulas, |_, answer| answer)
    }

    /// A model of the formulas: `Ok(None)` where the solver cannot tell its values.
    pub fn model(&mut self, terms: &Terms, formulas: &[Term]) -> (Answer, Option<Assignment>) {
        self.ask(terms, formulas, |solver, answer| {
            let model = match answer {
                Answer::Sat => solver.model(terms, formulas),
                _ => None,
            };
            (answer, model)
        })
    }

    /// `Unsat`: whenever the premises hold, the conclusion does.
    pub fn refute(&mut self, terms: &mut Terms, premises: &[Term], conclusion: Term) -> Answer {
        let mut formulas = premises.to_vec();
        formulas.push(terms.not(conclusion));
        self.check(terms, &formulas)
    }

    /// Assumptions that contradict the formulas: needed ones, in their order. `Err`: the answer
    /// was another.
    pub fn core(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        assumptions: &[Term],
    ) -> Result<Vec<Term>, Answer> {
        let all: Vec<Term> = formulas.iter().chain(assumptions).copied().collect();
        let solver = self.shared(terms, &all);
        solver.push();
        for formula in formulas {
            solver.assert(terms, *formula);
        }
        let answer = solver.check(terms, assumptions);
        let core = match answer {
            Answer::Unsat => Ok(solver.core()),
            other => Err(other),
        };
        solver.pop(1);
        core
    }

    fn ask<R>(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        read: impl FnOnce(&mut Z3Solver, Answer) -> R,
    ) -> R {
        let solver = self.shared(terms, formulas);
        solver.push();
        for formula in formulas {
            solver.assert(terms, *formula);
        }
        let answer = solver.check(terms, &[]);
        let result = read(solver, answer);
        solver.pop(1);
        result
    }
}
