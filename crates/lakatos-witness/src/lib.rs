//! Witnesses: proofs and refutations in the exchange format of verifiers, YAML 2.0 and 2.1
//! (DESIGN.md section 7).
//!
//! ```text
//! Proof ──invariants──▶ format ──▶ text      text ──▶ format ──invariants──▶ claims ──▶ Proof
//! Refutation ──run────▶                                      ──run─────────▶ waypoints
//! ```
//!
//! - [`mod@format`]: what stands in a file, read with tolerance and written with none;
//! - [`outline`]: where the statements, loops, calls and scopes of a program are in its source;
//! - [`expression`]: C and ACSL expressions at a place of a program as expressions of the IR;
//! - [`invariants`]: correctness witnesses from proofs, and claims from correctness witnesses, as
//!   a proof to check and as assertions in a program;
//! - [`run`]: violation witnesses from refutations, and the runs that one allows, as a program.
//!
//! Nothing is decided in here: whether claims hold is the business of checker and engines. Not in
//! here: files, the clock, engines.

pub mod expression;
pub mod format;
pub mod invariants;
pub mod outline;
pub mod run;

mod place;
