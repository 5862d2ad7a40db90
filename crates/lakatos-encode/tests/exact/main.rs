//! What the encodings say is what `lakatos_ir` computes: value for value, fault for fault.

mod bounds;
mod expressions;
mod linear;
mod names;
mod operators;
mod paths;
mod program;
mod runs;
mod support;
