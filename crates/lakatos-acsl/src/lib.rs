//! ACSL: reader, type checker and printer.
pub mod check;
pub mod env;
mod lexer;
pub mod literal;
pub mod parse;
mod print;
pub mod spec;
pub mod syntax;
pub mod tree;
pub mod types;
pub const MAX_DEPTH: u32 = 200;
