//! Typed operations of the IR as terms (DESIGN.md sections 3 and 4).
//!
//! - [`machine`]: machine integers in the `int` and the `bv` encoding: a term for the value and
//!   one for each way in which the operation is undefined;
//! - [`expr`]: whole expressions, lazy and left to right;
//! - [`ssa`]: instructions and blocks as formulas between versions of variables.
//!
//! What a term means is what [`lakatos_ir::arith`] computes: both encodings are exact. No search,
//! no policy (who adds range facts, what a call means, what is done about memory) and no C.

pub mod expr;
pub mod machine;
pub mod ssa;

pub use expr::{Evaluated, Fault, Read, Unsupported, evaluate};
pub use machine::{Encoded, Encoding, Interval, Machine, Operand};
