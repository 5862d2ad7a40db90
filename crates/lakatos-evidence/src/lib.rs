//! Evidence: what a verdict rests on (DESIGN.md section 7).
//!
//! - [`Proof`]: contracts and invariants, with the assumptions they are made under;
//! - [`Refutation`]: inputs and a trace, which exist only as the record of a run in the
//!   interpreter that ended in the violation;
//! - [`harness`]: a refutation as a C file that can be compiled and run;
//! - [`Verdict`]: one of the two, or the reason why there is neither ([`Why`]).
//!
//! Nothing prints a verdict that is not one of these. In here is no code of the engines and none
//! that they encode programs with: what they claim is judged by something else. A [`Proof`] is
//! well formed, not yet checked: that is the business of `lakatos-check`.

mod assumption;
pub mod harness;
mod proof;
mod refutation;
mod replay;
mod verdict;

pub use assumption::Assumption;
pub use proof::{Contract, Draft, Flaw, Meaning, Proof, When};
pub use refutation::{Refutation, Step, Trace};
pub use replay::NotReplayed;
pub use verdict::{Verdict, Why};
