//! What an abstract domain has to offer.

use std::hash::Hash;

use lakatos_ir::{EdgeId, LocId, ProcId, VarId};
use lakatos_logic::cubes::Gap;
use lakatos_logic::smt::{Reason, Smt};
use lakatos_logic::term::{Term, Terms};

use crate::semantics::{Call, Role, Semantics};

/// What every step works with.
#[derive(Debug)]
pub struct Cx<'p> {
    pub terms: Terms,
    pub smt: Smt,
    pub semantics: Semantics<'p>,
}

/// Why an analysis cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    #[error("{0}")]
    Solver(#[from] Reason),
    #[error("more than {0} predicates")]
    Predicates(usize),
}

/// Something that a precision has begun to see, and where it was learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lesson {
    pub seen: Seen,
    pub proc: ProcId,
    pub loc: LocId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Over [`Role::Now`] and [`Role::Pre`].
    Predicate(Term),
    /// The values of a variable.
    Variable(VarId),
    /// Those that it had when the procedure was entered.
    AtEntry(VarId),
}

/// An abstract domain with its precision. States speak of one frame: its variables now and, where
/// it changes them, at its entry. What a step yields includes every concrete successor.
pub trait Domain {
    type State: Clone + Eq + Hash + std::fmt::Debug;

    /// What has to be looked at in a state to see whether another one may include it: where
    /// `covers(b, a)`, the keys of `a` and `b` for the shape of `b` are equal. Spares comparing
    /// each state with all others.
    type Shape: Clone + Eq + Hash + std::fmt::Debug;

    fn shape(&self, state: &Self::State) -> Self::Shape;

    /// `None`: no state of that shape includes this one.
    fn key(&self, state: &Self::State, shape: &Self::Shape) -> Option<u64>;

    /// Everything, at the entry of the start procedure.
    fn start(&mut self, cx: &mut Cx<'_>, proc: ProcId) -> Result<Self::State, Stop>;

    /// After an edge within a frame; nothing if it cannot be taken.
    fn post(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Self::State,
        proc: ProcId,
        edge: EdgeId,
    ) -> Result<Vec<Self::State>, Stop>;

    /// At the callee's entry.
    fn enter(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Self::State,
        call: &Call,
    ) -> Result<Vec<Self::State>, Stop>;

    /// Back in the caller, from its state before the call and the callee's at its exit.
    fn rebuild(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Self::State,
        call: &Call,
        exit: &Self::State,
    ) -> Result<Vec<Self::State>, Stop>;

    /// Back in the caller, with nothing known of what the callee did.
    fn skip(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Self::State,
        call: &Call,
    ) -> Result<Vec<Self::State>, Stop>;

    /// BAM's *reduce*: less is known, nothing of what only concerns variables that are not `seen`.
    fn reduce(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Self::State,
        seen: &dyn Fn(VarId) -> bool,
    ) -> Self::State;

    /// BAM's *expand*, within a frame: at `place`, after a block that leads to `exit` and changes
    /// nothing but `changed` (sorted), from what was known before it.
    fn expand(
        &mut self,
        cx: &mut Cx<'_>,
        before: &Self::State,
        exit: &Self::State,
        place: (ProcId, LocId),
        changed: &[VarId],
    ) -> Result<Vec<Self::State>, Stop>;

    /// What is left of a state when nothing but `changed` (sorted) may have changed.
    fn unchanged(&mut self, cx: &mut Cx<'_>, state: &Self::State, changed: &[VarId])
    -> Self::State;

    /// Another number whenever the precision at a location has grown.
    fn stamp(&self, proc: ProcId, loc: LocId) -> u64;

    /// Whether every concrete state of `a` is one of `b`; `false` where that is not clear.
    fn covers(&mut self, cx: &mut Cx<'_>, b: &Self::State, a: &Self::State) -> Result<bool, Stop>;

    /// The state as a formula over [`Role::Now`] and [`Role::Pre`].
    fn to_term(&mut self, cx: &mut Cx<'_>, state: &Self::State) -> Term;

    /// The values that a state knows, as [`Role::Now`] and [`Role::Pre`].
    fn values(&self, _state: &Self::State) -> Vec<(Role, VarId, i128)> {
        Vec::new()
    }

    /// Makes the precision at a location see a formula. Says whether that is news.
    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop>;

    /// Makes the precision at a location see a formula that is said to hold there, where it is
    /// made of formulas. Says whether that is news.
    fn suppose(
        &mut self,
        _cx: &mut Cx<'_>,
        _proc: ProcId,
        _loc: LocId,
        _formula: Term,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// All that a counterexample teaches has been given to [`learn`](Domain::learn). Says whether
    /// there is more news than that said.
    fn settle(&mut self, _cx: &mut Cx<'_>) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Whether what the last counterexample taught may change states all along it, not only where
    /// it was learned: values have to come from somewhere.
    fn spreads(&self) -> bool {
        false
    }

    /// Whether the precision has lost something since it was last asked. The graph then has states
    /// that will not come again, and counterexamples that are longer than they need be.
    fn forgot(&mut self) -> bool {
        false
    }

    /// Why states may be weaker than the precision allows.
    fn gap(&self) -> Option<&Gap> {
        None
    }

    /// What the precision has begun to see one by one since it was last asked, in order.
    fn lessons(&mut self) -> Vec<Lesson>;

    /// Formulas from which a domain learns what this one has learned, each with its procedure.
    fn learned(&self, _cx: &mut Cx<'_>) -> Vec<(ProcId, Term)> {
        Vec::new()
    }

    /// Makes the precision see a variable in its procedure, where it is made of variables. Says
    /// whether that is news.
    fn follow(&mut self, _cx: &mut Cx<'_>, _proc: ProcId, _var: VarId) -> bool {
        false
    }

    /// Makes the precision see all variables, where it is made of variables. Says whether that is
    /// news.
    fn learn_all(&mut self, _cx: &mut Cx<'_>) -> bool {
        false
    }
}
