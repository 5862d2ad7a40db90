//! Evidence: what a verdict rests on (DESIGN.md section 7).
//!
//! - [`Proof`]: contracts and invariants, with the assumptions they are made under;
//! - [`Refutation`]: inputs and a trace, which exist only as the record of a run in the
//!   interpreter that ended in the violation;
//! - [`harness`]: a refutation as a C file that can be compiled and run;
//! - [`show`]: formulas of a proof as C or ACSL.
//!
//! Nothing is a verdict but the first two. In here is no code of the engines and none
//! that they encode programs with: what they claim is judged by something else. A [`Proof`] is
//! well formed, not yet checked: that is the business of `lakatos-check`, whose `Verdict` takes no
//! other.

mod assumption;
pub mod harness;
mod proof;
mod refutation;
mod replay;
pub mod show;

pub use assumption::Assumption;
pub use proof::{Behaviour, Cases, Contract, Draft, Flaw, Form, Meaning, Proof, Runs, Slot, When};
pub use refutation::{Refutation, Step, Trace};
pub use replay::NotReplayed;
