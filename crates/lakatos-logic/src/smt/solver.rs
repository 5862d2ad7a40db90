//! What every solver can do.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::term::{Assignment, Term, Terms};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Reason),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }

    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    #[error("the time limit of a query was reached")]
    Time,
    #[error("the resource limit of a query was reached")]
    Resources,
    #[error("cancelled")]
    Cancelled,
    #[error("the solver ran out of memory")]
    Memory,
    /// The theory is beyond the solver; in its words.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The solver's process ended, or said something that is no answer.
    #[error("the solver failed: {0}")]
    Failed(String),
}

impl Reason {
    /// Somebody wants an end, or there is nothing left to go on with: the next query ends likewise.
    pub fn is_end(&self) -> bool {
        matches!(self, Reason::Cancelled | Reason::Memory)
    }
}

/// Limits of one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The solver's own count of work: the same on every machine, unlike time.
    pub resources: Option<u32>,
    pub time: Option<Duration>,
}

/// Ends a query from another thread; later queries are cancelled as well.
#[derive(Clone)]
pub struct Cancel {
    interrupt: Arc<dyn Fn() + Send + Sync>,
    cancelled: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Cancel {
    /// `interrupt` stops the query that is running, if one is; from then on `cancelled` holds.
    pub fn new(
        interrupt: impl Fn() + Send + Sync + 'static,
        cancelled: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Cancel {
        Cancel { interrupt: Arc::new(interrupt), cancelled: Arc::new(cancelled) }
    }

    pub fn cancel(&self) {
        (self.interrupt)();
    }

    pub fn is_cancelled(&self) -> bool {
        (self.cancelled)()
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("cancelled", &self.is_cancelled()).finish()
    }
}

/// An incremental solver. Formulas are of one [`Terms`] until [`Solver::reset`].
pub trait Solver {
    /// As shown to people: name and version.
    fn name(&self) -> String;
    fn assert(&mut self, terms: &Terms, formula: Term);
    /// Asserts that one of the formulas holds. A solver may do so without making a term of it,
    /// which callers with many short-lived clauses prefer.
    fn assert_any(&mut self, terms: &mut Terms, formulas: &[Term]) {
        let any = terms.or(formulas.iter().copied());
        self.assert(terms, any);
    }
    fn push(&mut self);
    /// Takes back the assertions since the push that many levels up.
    fn pop(&mut self, levels: u32);
    /// Whether the assertions and the assumptions (any formulas) hold together.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer;
    /// After `Unsat`: assumptions of the last check that suffice, in their order there. None of
    /// them after another answer, or when assertions or levels have changed since.
    fn core(&mut self) -> Vec<Term>;
    /// After `Sat`: values of the symbols and functions in `of`. `None` where the solver cannot
    /// say (a value that is no rational, say), after another answer, and when assertions or levels
    /// have changed since.
    fn model(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment>;
    /// After `Sat`: whether each of the formulas holds in the model. `None` as in
    /// [`Solver::model`].
    fn bool_values(&mut self, terms: &Terms, formulas: &[Term]) -> Option<Vec<bool>> {
        let model = self.model(terms, formulas)?;
        formulas.iter().map(|formula| terms.holds(*formula, &model)).collect()
    }
    /// Forgets all assertions.
    fn reset(&mut self);
    fn set_limits(&mut self, limits: Limits);
    fn cancel_handle(&self) -> Cancel;
}
