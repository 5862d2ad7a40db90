//! Programs as constrained Horn clauses (Horn clause paper; DESIGN.md 6.4).
//!
//! Every procedure has a predicate for its entry (what it is called with), one for its exit (what
//! it was entered with and what it returns), and one for each location between, over the values at
//! the entry and now. A clause is an edge of the automaton; a call is two: into the callee's entry,
//! and past the call with the callee's exit. An edge to an error location contradicts. So a
//! solution is a contract for each procedure and an invariant for each location, and a derivation
//! is a run.
//!
//! What edges and calls mean is in [`lakatos_analysis::semantics`]; systems and their solvers are
//! in [`lakatos_logic::horn`].

mod encode;
mod run;

pub use self::encode::{Encoded, Place, encode};
pub use self::run::inputs;
