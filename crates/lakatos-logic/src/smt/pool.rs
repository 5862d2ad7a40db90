//! Long-lived solvers: a fresh one costs milliseconds, one kept alive tenths of one (DESIGN.md
//! section 4).

use std::path::PathBuf;

use super::dump::Dumps;
use super::z3::{Z3, Z3Solver};
use super::{Answer, Cancel, DumpError, Features, Limits, Logic, Solver};
use crate::term::{Assignment, Term, Terms};

/// The first look at products takes so much less than the last.
const SHARE: u32 = 8;

/// A thread's solvers, one for each logic, and the short questions they answer.
#[derive(Debug)]
pub struct Smt {
    z3: Z3,
    solvers: Vec<(Logic, Z3Solver)>,
    /// For another opinion about products, once there was need of one.
    light: Option<Z3Solver>,
    /// Whether it is asked.
    asks_light: bool,
    limits: Limits,
    dumps: Option<Dumps>,
}

impl Default for Smt {
    fn default() -> Self {
        Smt::new(Limits::default())
    }
}

impl Smt {
    /// `limits` hold for every query.
    pub fn new(limits: Limits) -> Smt {
        Smt {
            z3: Z3::new(),
            solvers: Vec::new(),
            light: None,
            asks_light: false,
            limits,
            dumps: None,
        }
    }

    pub fn z3(&self) -> &Z3 {
        &self.z3
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        for solver in self.all() {
            solver.set_limits(limits);
        }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Z3Solver> {
        self.solvers.iter_mut().map(|(_, solver)| solver).chain(&mut self.light)
    }

    pub fn cancel_handle(&self) -> Cancel {
        self.z3.cancel_handle()
    }

    /// Writes every query of this pool to a folder of its own: `query-000001.smt2` and so on,
    /// over what an earlier run left there. Not while something is pushed to a solver.
    pub fn dump_to(&mut self, folder: PathBuf) {
        let dumps = Dumps::new(folder);
        for solver in self.all() {
            solver.dump_to(dumps.clone());
        }
        self.dumps = Some(dumps);
    }

    /// Why queries are no longer written; told once.
    pub fn take_dump_error(&mut self) -> Option<DumpError> {
        self.dumps.as_ref()?.take_error()
    }

    /// A new solver for formulas like `of`, for callers that keep one themselves.
    pub fn fresh(&self, terms: &Terms, of: &[Term]) -> Z3Solver {
        self.make(Logic::of(terms, of))
    }

    fn make(&self, logic: Logic) -> Z3Solver {
        self.prepared(self.z3.solver(logic))
    }

    fn prepared(&self, mut solver: Z3Solver) -> Z3Solver {
        solver.set_limits(self.limits);
        if let Some(dumps) = &self.dumps {
            solver.dump_to(dumps.clone());
        }
        solver
    }

    /// The shared solver for formulas like `of`, without assertions at base level. Who pushes,
    /// pops.
    pub fn shared(&mut self, terms: &Terms, of: &[Term]) -> &mut Z3Solver {
        let logic = Logic::of(terms, of);
        let at = match self.solvers.iter().position(|(l, _)| *l == logic) {
            Some(at) => at,
            None => {
                self.solvers.push((logic, self.make(logic)));
                self.solvers.len() - 1
            }
        };
        &mut self.solvers[at].1
    }

    /// Whether the formulas hold together.
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.ask(terms, formulas, &[], |_, answer| answer)
    }

    /// A model of the formulas: `Ok(None)` where the solver cannot tell its values.
    pub fn model(&mut self, terms: &Terms, formulas: &[Term]) -> (Answer, Option<Assignment>) {
        self.ask(terms, formulas, &[], |solver, answer| {
            let model = match answer {
                Answer::Sat => solver.model(terms, formulas),
                _ => None,
            };
            (answer, model)
        })
    }

    /// Which of `asked` hold in a model of the formulas: `None` where there is none, or the solver
    /// cannot tell.
    pub fn holding(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        asked: &[Term],
    ) -> (Answer, Option<Vec<bool>>) {
        self.ask(terms, formulas, &[], |solver, answer| {
            let values = match answer {
                Answer::Sat => solver.bool_values(terms, asked),
                _ => None,
            };
            (answer, values)
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
        self.ask(terms, formulas, assumptions, |solver, answer| match answer {
            Answer::Unsat => Ok(solver.core()),
            other => Err(other),
        })
    }

    /// Asks what is expected to be contradictory: there products are often easier without Gröbner
    /// bases.
    pub fn refuting<R>(&mut self, work: impl FnOnce(&mut Smt) -> R) -> R {
        let before = std::mem::replace(&mut self.asks_light, true);
        let result = work(self);
        self.asks_light = before;
        result
    }

    /// Asks; about products perhaps two solvers, each a little at first.
    fn ask<R>(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        assumptions: &[Term],
        read: impl Fn(&mut Z3Solver, Answer) -> R,
    ) -> R {
        let all: Vec<Term> = formulas.iter().chain(assumptions).copied().collect();
        let query = Query { terms, formulas, assumptions, read };
        let limits = self.limits;
        if self.asks_light
            && let Some(most) = limits.resources
            && Features::of(terms, &all).nonlinear
        {
            self.set_limits(Limits { resources: Some(most / SHARE), ..limits });
            let mut first = query.ask(self.light());
            if first.is_none() {
                first = query.ask(self.shared(terms, &all));
            }
            self.set_limits(limits);
            if let Some(result) = first {
                return result;
            }
        }
        query.last(self.shared(terms, &all))
    }

    fn light(&mut self) -> &mut Z3Solver {
        if self.light.is_none() {
            self.light = Some(self.prepared(self.z3.light_solver()));
        }
        self.light.as_mut().expect("just made")
    }
}

/// A question, and what is wanted of the answer.
struct Query<'a, F> {
    terms: &'a Terms,
    formulas: &'a [Term],
    assumptions: &'a [Term],
    read: F,
}

impl<R, F: Fn(&mut Z3Solver, Answer) -> R> Query<'_, F> {
    /// `None` if the solver does not know, and another one might.
    fn ask(&self, solver: &mut Z3Solver) -> Option<R> {
        self.with(solver, |solver, answer| match answer {
            Answer::Unknown(ref reason) if !reason.is_end() => None,
            answer => Some((self.read)(solver, answer)),
        })
    }

    fn last(&self, solver: &mut Z3Solver) -> R {
        self.with(solver, &self.read)
    }

    fn with<T>(&self, solver: &mut Z3Solver, read: impl FnOnce(&mut Z3Solver, Answer) -> T) -> T {
        solver.push();
        for formula in self.formulas {
            solver.assert(self.terms, *formula);
        }
        let answer = solver.check(self.terms, self.assumptions);
        let result = read(solver, answer);
        solver.pop(1);
        result
    }
}
