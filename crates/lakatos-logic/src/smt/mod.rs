//! Solvers: one trait, whatever answers.
//!
//! An answer is three-valued. [`Answer::Unknown`] is a value with a [`Reason`]; no caller may take
//! it for one of the others.

mod dump;
mod logic;
mod pace;
pub mod pipe;
mod pool;
pub mod sexpr;
mod solver;
pub mod z3;

pub use self::dump::DumpError;
pub use self::logic::{Features, Logic, dump};
pub use self::pace::{Pace, judging, made, terms_made};
pub use self::pool::Smt;
pub use self::solver::{Answer, Cancel, Limits, Reason, Solver};
