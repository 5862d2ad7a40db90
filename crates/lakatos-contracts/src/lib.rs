//! Contracts: what a proof says as ACSL annotations in the user's source (DESIGN.md section 7), and
//! what Frama-C says of them.
//!
//! ```text
//! proofs ──infer──▶ Contracts ──annotate──▶ source with annotations
//!                       │                            │ Frama-C (run by the command line)
//!                       └──────────goals──▶ frama_c: proved, unproved, missing
//! ```
//!
//! - [`model`]: contracts of functions and annotations of loops as ACSL text, also as JSON;
//! - [`infer`]: from checked proofs to contracts. Several proofs of one program are conjoined: each
//!   is inductive, and so is their conjunction;
//! - [`claims`]: what others claim of a program, as far as it holds, completed to a proof;
//! - [`user`]: the same for the annotations that the source has already;
//! - [`kept`]: where these leave room for more;
//! - [`lengths`]: how much of arrays functions write;
//! - [`simplify`]: proofs in fewer words first;
//! - [`annotate()`]: the source with the annotations in it, nothing else changed;
//! - [`goals`]: what a deductive verifier has to prove of it at least;
//! - [`frama_c`]: reports of Frama-C's WP, read and held against these goals;
//! - [`eva`]: reports of Frama-C's Eva: which alarms the contracts remove.
//!
//! What a proof says and ACSL cannot, or what has no place in the source, is never dropped in
//! silence: it is a [`Gap`], and contracts with a gap are not complete.
//!
//! Not in here: engines, files, processes, the clock.

pub mod annotate;
mod bound;
mod bounds;
mod cases;
pub mod claims;
mod effects;
pub mod eva;
pub mod frama_c;
mod gap;
pub mod goals;
mod infer;
pub mod kept;
pub mod lengths;
mod memory;
pub mod model;
mod names;
mod outside;
pub mod reuse;
mod simplify;
mod unit;
pub mod user;
mod valid;

pub use self::annotate::{Annotated, annotate, annotate_beside};
pub use self::gap::Gap;
pub use self::infer::{Proved, infer, infer_beside};
pub use self::model::Contracts;
pub use self::simplify::{simplify, simplify_contexts};
