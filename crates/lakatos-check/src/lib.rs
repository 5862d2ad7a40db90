//! The independent checker of proofs (DESIGN.md section 7).
//!
//! A [`Proof`](lakatos_evidence::Proof) claims contracts and invariants; [`check`] asks whether
//! they are what they claim to be, and enough. It takes from the program what the IR says and
//! from the engines nothing: the encoder of expressions, the formulas of ways through procedures
//! and the treatment of calls are its own. For every procedure, from its entry (where `requires`
//! holds) and from each cut point (where its invariant holds), along all ways to the next ones:
//!
//! - on arrival at a cut point its invariant holds;
//! - at the exit `ensures` holds, and nothing has changed that `assigns` does not name;
//! - error locations are not reached;
//! - a call finds the callee's `requires` true; then the statics that the callee may change have
//!   any values that its `ensures` allows.
//!
//! Every cycle must have a cut point, and what `start` requires must hold of any initial state.
//! By induction over the steps of a run no error location is ever reached, under the assumptions
//! that the proof names: undefined behaviour ends a path only where it assumes so.
//!
//! Each condition is one query; a condition that the solver does not decide is never accepted.
//! What is not encoded (memory, pointers, floats) has any value whenever it is read, so a proof
//! may be rejected that is right, and none is accepted that is wrong.
//!
//! A proof may also consist of all runs of the program ([`execute_all`]). Then there are no
//! conditions: the checker makes the runs itself.
//!
//! A [`Verdict`] holds a [`Checked`] proof or a replayed refutation, so whoever has one has
//! evidence.
//!
//! Not in here: search for proofs or repair of them, C, and anything of `lakatos-encode`,
//! `lakatos-analysis` or `lakatos-engine`.

mod check;
mod condition;
mod cone;
mod cross;
mod divisors;
mod encoding;
mod errors;
mod expr;
mod formula;
mod guess;
mod inductive;
mod meaning;
mod minimise;
mod parts;
mod relation;
mod runs;
mod settle;
mod shape;
mod transitions;
mod verdict;
mod walk;

pub use self::check::{Instrumented, check};
pub use self::condition::{Checked, Condition, Kind, Outcome, Rejected, Source, Undecided};
pub use self::cross::{Second, cross_check};
pub use self::errors::open_errors;
pub use self::guess::{Guessed, needed_guesses};
pub use self::inductive::inductive;
pub use self::meaning::{Truth, number, truth};
pub use self::minimise::{minimise, minimise_invariants};
pub use self::relation::{Relations, Step, Steps};
pub use self::runs::{Budget, Done, Executed, execute_all};
pub use self::transitions::{Known, Place, Transition, Transitions, Words, transitions};
pub use self::verdict::{REJECTED, UNDECIDED, Verdict, Why};
