//! C11 and GNU C to `lakatos-ir` (DESIGN.md section 3): lexer, parser, type checker, lowering.
//!
//! ```text
//! text ──syntax──▶ tokens ──parse + sema──▶ ast::Unit ──lower──▶ lakatos_ir::Program
//! ```

pub mod ast;
pub mod lower;
mod models;
mod parse;
mod sema;
pub mod symbol;
mod syntax;
pub mod types;
mod types_align;
mod types_print;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use lakatos_ir::{DataModel, Diagnostic, Environment, Program, Source, Span, large_stack};

pub use models::{LibraryModel, library_models};

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

static LACKED_THREAD: AtomicBool = AtomicBool::new(false);

/// Whether a text was ever not looked at for want of a thread. What then failed to be a program may
/// be one, so nothing must be concluded from that.
pub fn has_lacked_thread() -> bool {
    LACKED_THREAD.load(Ordering::Relaxed)
}

/// The front-end's stack, in full stacks.
const STACKS: usize = 4;

/// How deep a program may be nested.
#[derive(Clone, Copy, Debug)]
struct Depth(u32);

impl Depth {
    /// Where there is no limit on address space.
    const MOST: u32 = 250_000;
    /// More than a level takes on the stack (tests/diagnostics.rs tries each kind of nesting).
    const BYTES: usize = 4 << 10;

    fn on_stack_of(bytes: usize) -> Depth {
        let levels = u32::try_from(bytes / Depth::BYTES).unwrap_or(Depth::MOST);
        Depth(levels.min(Depth::MOST))
    }
}

/// Runs a part of the front-end on a stack that holds any tree it accepts: nesting is bounded, but
/// deeper than a thread's usual stack may hold. Without such a thread there is no program, and the
/// failure says so.
fn on_large_stack<T: Send>(
    source: Source,
    work: impl FnOnce(Source, Depth) -> Result<T, Box<Failure>> + Send,
) -> Result<T, Box<Failure>> {
    let source = Mutex::new(Some(source));
    let take = || source.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        let started = large_stack::spawn_scoped(scope, STACKS, |size| {
            let source = take().expect("a thread that starts is the first to take it");
            work(source, Depth::on_stack_of(size))
        });
        match started.map(ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => {
                LACKED_THREAD.store(true, Ordering::Relaxed);
                let source = take().expect("no thread has taken it");
                let message = format!("no thread for the front-end could be started ({error})");
                let diagnostic = Diagnostic::unsupported(Span::new(0, 0), message).help(
                    "raise the limit on processes (`ulimit -u`) or address space (`ulimit -v`)",
                );
                Err(Box::new(Failure { source, diagnostics: vec![diagnostic] }))
            }
        }
    })
}

/// Parses and type-checks preprocessed C text.
pub fn check(source: Source, options: &Options) -> Result<ast::Unit, Box<Failure>> {
    on_large_stack(source, |source, most| parse(source, options, most))
}

fn parse(source: Source, options: &Options, most: Depth) -> Result<ast::Unit, Box<Failure>> {
    let mut unit = parse::parse(source, options.model, most)?;
    unit.environment = options.environment.clone();
    Ok(unit)
}

/// From preprocessed C text to a program that starts at `main`.
pub fn compile(source: Source, options: &Options) -> Result<Program, Box<Failure>> {
    on_large_stack(source, |source, most| {
        let unit = parse(source, options, most)?;
        match models::with_models(&unit) {
            Some(source) => lower::lower(parse(source, options, most)?),
            None => lower::lower(unit),
        }
    })
}
