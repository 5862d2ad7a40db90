//! The project's own tools: fuzzing of the engine and against the C compiler, corpus runs, tidy checks.

pub mod cc;
pub mod chc;
pub mod contracts;
pub mod corpus;
pub mod csmith;
pub mod curves;
pub mod differential;
pub mod fuzz;
pub mod generate;
pub mod index;
pub mod lakatos;
pub mod library;
pub mod limits;
pub mod mutate;
pub mod oracle;
pub mod parallel;
pub mod probes;
pub mod reduce;
pub mod tables;
pub mod tidy;
pub mod validate;
