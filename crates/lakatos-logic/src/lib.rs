//! Terms, solvers, interpolants and predicate abstraction (DESIGN.md section 4). Knows nothing of
//! programs.
