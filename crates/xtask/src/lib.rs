//! The project's own tools: fuzzing against the C compiler, corpus runs, tidy checks.

pub mod cc;
pub mod generate;
pub mod parallel;
pub mod validate;
