//! The concrete interpreter, on programs built by hand.

mod arithmetic;
mod build;
mod control;
mod memory;
mod undefined;
