//! What a person, or another tool, sees: diagnostics with their source lines, proofs and
//! refutations, drawings of control-flow automata, plots, and the outcome of a run for other tools.
//!
//! Everything here turns data into a `String` and decides nothing: no analysis, no flags, no
//! terminal detection. The same input gives the same bytes.

pub mod diagnostic;
pub mod draw;
pub mod evidence;
mod excerpt;
pub mod html;
mod layout;
mod markup;
pub mod outcome;
pub mod plot;
pub mod render;
pub mod timeline;
