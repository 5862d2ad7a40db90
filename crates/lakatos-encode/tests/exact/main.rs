//! What the encodings say is what `lakatos_ir::arith` computes: value for value, fault for fault.

mod bounds;
mod operators;
mod support;
