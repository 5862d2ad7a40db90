//! Tests of the analyses and passes, on hand-built and random programs.

mod build;
mod callgraph;
mod execute;
mod loops;
mod passes;
mod random;
mod random_passes;
mod show;
mod undefined;
mod validate;
