//! Terms, solvers, interpolants and predicate abstraction (DESIGN.md section 4). Knows nothing of
//! programs.
//!
//! - [`term`]: hash-consed sorted terms in an arena, with constructors that simplify;
//! - [`number`]: the arbitrary-precision numbers in them;
//! - [`smt`]: solvers that decide them;
//! - [`interpolate`]: interpolants of sequences and trees of formulas, checked before they leave;
//! - [`horn`]: constrained Horn clauses, their solutions and derivations;
//! - [`lemma`]: what users know, instantiated and proved;
//! - [`recurrence`]: what variables are after `n` turns of a loop;
//! - [`cubes`]: what formulas say in terms of given predicates.

pub mod cubes;
pub mod horn;
pub mod interpolate;
pub mod lemma;
pub mod number;
pub mod recurrence;
pub mod smt;
pub mod term;

/// The version of the Z3 library that is loaded, like `5.4.0.0`.
pub fn z3_version() -> &'static str {
    z3::full_version()
}
