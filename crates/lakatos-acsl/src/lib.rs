//! ACSL: reader, type checker and printer.
pub mod check;
pub mod env;
pub mod erase;
pub mod lemma_set;
mod lexer;
pub mod literal;
pub mod parse;
mod print;
pub mod program;
pub mod read;
pub mod spec;
pub mod syntax;
pub mod tree;
pub mod types;
pub const MAX_DEPTH: u32 = 200;
