//! The project's own tools: fuzzing against the C compiler, corpus runs, tidy checks.

pub mod cc;
pub mod corpus;
pub mod differential;
pub mod generate;
pub mod lakatos;
pub mod mutate;
pub mod parallel;
pub mod probes;
pub mod reduce;
pub mod tidy;
pub mod validate;
