//! C11 and GNU C to `lakatos-ir` (DESIGN.md section 3): lexer, parser, type checker, lowering.

pub mod ast;
pub mod symbol;
pub mod types;

use lakatos_ir::{DataModel, Diagnostic, Program, Source};

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub model: DataModel,
}

/// Why there is no program: at least one error, or a construct that is not supported.
#[derive(Clone, Debug)]
pub struct Failure {
    pub source: Source,
    pub diagnostics: Vec<Diagnostic>,
}

/// From preprocessed C text to a program that starts at `main`.
pub fn compile(source: Source, options: &Options) -> Result<Program, Box<Failure>> {
    let _ = options;
    let diagnostics = vec![Diagnostic::error(Default::default(), "the front-end is being built")];
    Err(Box::new(Failure { source, diagnostics }))
}
