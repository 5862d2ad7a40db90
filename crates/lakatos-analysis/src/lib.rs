//! Abstraction refinement (DESIGN.md section 5).
//!
//! - [`semantics`]: what edges, calls and returns mean, as formulas between program variables;
//! - [`core`]: the abstract reachability graph, explored and pruned;
//! - [`domain`]: the abstract domains;
//! - [`initial`]: what they begin with;
//! - [`bam`]: exploration by blocks;
//! - [`cegar`]: the loop;
//! - [`ranges`]: which numbers variables can be, without refinement;
//! - [`refine`]: abstract counterexamples as runs and as formulas.

pub mod bam;
pub mod cegar;
pub mod core;
pub mod domain;
pub mod initial;
mod loops;
pub mod ranges;
pub mod refine;
pub mod semantics;
