//! Interpolation: binary, sequence and tree problems behind one door (DESIGN.md section 4; BAM
//! thesis, section 2.6).
//!
//! Z3 has no interpolation of its own, so there are several ways to candidates ([`Strategy`]).
//! Whatever the way, [`check()`] shows a candidate to be an interpolant before it leaves; one that
//! is none is logged with its problem, and the next strategy is tried.

mod cases;
mod certificate;
mod check;
mod farkas;
mod interpolator;
mod newton;
mod nodes;
mod opaque;
mod pieces;
mod problem;
mod spacer;
mod strategy;
mod tidy;

pub use self::check::{Rejection, check};
pub use self::interpolator::{Failure, Interpolator, Rejected};
pub use self::problem::{BadTree, Problem};
pub use self::strategy::{Strategy, UnknownStrategy};
pub(crate) use self::tidy::tidy;
