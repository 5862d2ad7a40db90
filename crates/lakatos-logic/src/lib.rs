//! Terms, solvers, interpolants and predicate abstraction (DESIGN.md section 4). Knows nothing of
//! programs.

/// The version of the Z3 library that is loaded, like `5.4.0.0`.
pub fn z3_version() -> &'static str {
    z3::full_version()
}
