//! Typed control-flow automata: the program every engine sees (DESIGN.md sections 1 to 3).
//!
//! No C syntax and no solver in here: the front-end decides everything about C once, engines and
//! the interpreter only meet what is in this crate.

pub mod arena;
pub mod arith;
pub mod behind;
pub mod callgraph;
pub mod expr;
pub mod graph;
pub mod interpret;
pub mod library;
pub mod live;
pub mod loops;
pub mod modset;
mod original;
pub mod pass;
pub mod points_to;
pub mod print;
pub mod program;
pub mod property;
pub mod source;
pub mod splice;
pub mod ty;
pub mod undefined;
pub mod validate;
pub mod walk;

pub use arena::{Arena, Id};
pub use expr::*;
pub use program::*;
pub use property::{Property, Violation};
pub use source::{Decision, Diagnostic, Position, Severity, Source, Span};
pub use ty::{
    DataModel, Field, FloatType, IntType, Record, RecordId, RecordKind, SigId, Signature, Type,
    TypeId, Types,
};
