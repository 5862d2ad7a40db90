//! ACSL: reader, type checker and printer of annotations, logic definitions and lemmas.
//!
//! ```text
//! text ──lexer, parse──▶ syntax ──check──▶ tree ──erase──▶ syntax ──print──▶ text
//!                                   ▲ env: the names of the program at a place
//! ```
//!
//! - [`read`]: `.acsl` files, and all annotations of a C file;
//! - [`lemma_set`]: lemma files of the witness format;
//! - [`check`]: single predicates, terms, contracts, given an [`env::Environment`];
//! - [`tree`]: what they mean, made for a translation to terms of a solver (not done here);
//! - [`erase`] and `Display` of [`syntax`]: back to text, which means the same again.
//!
//! Declarations of several files are collected in a [`tree::Theory`]. What is wrong is an error,
//! with its place; what is ACSL and not supported is named with its place and left out, never
//! passed over in silence. Whether a definition is well-founded, and whether a lemma holds, is not
//! asked here.

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

pub use lemma_set::read_lemma_sets;
pub use read::{Annotations, Failure, read_file, read_predicate, read_program};

/// How deep terms and types may be nested. Operators that group to the left do not count, so long
/// sums and conjunctions have no limit.
pub const MAX_DEPTH: u32 = 200;
