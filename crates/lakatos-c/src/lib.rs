//! C11 and GNU C to `lakatos-ir` (DESIGN.md section 3): lexer, parser, type checker, lowering.
//!
//! ```text
//! text ──syntax──▶ tokens ──parse + sema──▶ ast::Unit ──lower──▶ lakatos_ir::Program
//! ```

pub mod ast;
pub mod lower;
mod parse;
mod sema;
pub mod symbol;
mod syntax;
pub mod types;
mod types_print;

use lakatos_ir::{DataModel, Diagnostic, Environment, Program, Source};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub model: DataModel,
    /// What lowering assumes of the world outside of the program.
    pub environment: Environment,
}

impl Options {
    /// The usual environment.
    pub fn of_model(model: DataModel) -> Options {
        Options { model, ..Options::default() }
    }
}

/// Why there is no program: at least one error, or a construct that is not supported.
#[derive(Clone, Debug)]
pub struct Failure {
    pub source: Source,
    pub diagnostics: Vec<Diagnostic>,
}

/// Deep nesting is bounded, but deeper than a thread's usual stack may hold; untouched pages of a
/// large stack cost nothing.
const STACK_BYTES: usize = 256 << 20;

/// Runs a part of the front-end on a stack that holds any tree it accepts.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match thread.expect("a thread for the front-end").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Parses and type-checks preprocessed C text.
pub fn check(source: Source, options: &Options) -> Result<ast::Unit, Box<Failure>> {
    on_large_stack(|| parse(source, options))
}

fn parse(source: Source, options: &Options) -> Result<ast::Unit, Box<Failure>> {
    let mut unit = parse::parse(source, options.model).map_err(failure)?;
    unit.environment = options.environment.clone();
    Ok(unit)
}

fn failure((source, diagnostics): (Source, Vec<Diagnostic>)) -> Box<Failure> {
    Box::new(Failure { source, diagnostics })
}

/// From preprocessed C text to a program that starts at `main`.
pub fn compile(source: Source, options: &Options) -> Result<Program, Box<Failure>> {
    on_large_stack(|| lower::lower(parse(source, options)?))
}
