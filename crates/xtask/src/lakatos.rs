//! Lakatos as a compiler and machine for one program: front-end, passes, interpreter.

use std::cmp::Reverse;
use std::panic::{self, AssertUnwindSafe};

use lakatos_ir::interpret::{self, Outcome, Random, Zeros};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::validate::validate;
use lakatos_ir::{DataModel, Program, Property, Severity, SignedOverflow, Source};

use crate::corpus::nameless;

/// Generated programs take far fewer steps.
const MOST_STEPS: u64 = 20_000_000;

/// What Lakatos makes of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The front-end does not take it.
    Refused(String),
    /// The interpreter stopped before the end.
    Stopped(String),
    /// The interpreter was not ready within its steps.
    Unfinished,
    Panicked,
    Exited {
        code: i32,
        stdout: Vec<u8>,
    },
}

impl Answer {
    pub fn describe(&self) -> String {
        match self {
            Answer::Refused(why) => format!("refused: {why}"),
            Answer::Stopped(why) => format!("stopped: {why}"),
            Answer::Unfinished => "too many steps".to_string(),
            Answer::Panicked => "panicked".to_string(),
            Answer::Exited { code, stdout } => {
                format!("exit code {code}\n{}", String::from_utf8_lossy(stdout))
            }
        }
    }

    /// The kind of answer, without names, numbers and positions.
    pub fn kind(&self) -> String {
        match self {
            Answer::Refused(why) | Answer::Stopped(why) => {
                nameless(why.split(" at ").next().unwrap_or(why))
            }
            Answer::Unfinished => "steps".to_string(),
            Answer::Panicked => "panic".to_string(),
            Answer::Exited { .. } => "exit".to_string(),
        }
    }
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Machine {
    pub model: DataModel,
    pub signed_overflow: SignedOverflow,
    pub max_steps: u64,
    /// What is uninitialised holds values made from this; otherwise zeros.
    pub seed: Option<u64>,
}

/// Compiles and runs a program with wrapping signed arithmetic. What it leaves uninitialised holds
/// values made from the seed.
pub fn execute(text: &str, model: DataModel, seed: u64) -> Answer {
    let (signed_overflow, seed) = (SignedOverflow::Wrap, Some(seed));
    Machine { model, signed_overflow, max_steps: MOST_STEPS, seed }.execute(text)
}

impl Machine {
    /// Compiles and runs a program, as it is and after the passes, which must not change anything.
    pub fn execute(&self, text: &str) -> Answer {
        let run = || compile_and_run(text, self);
        panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(Answer::Panicked)
    }
}

fn compile_and_run(text: &str, machine: &Machine) -> Answer {
    let options = lakatos_c::Options::of_model(machine.model);
    let source = Source::new("program.c", text);
    let program = match lakatos_c::compile(source, &options) {
        Ok(program) => program,
        Err(failure) => {
            let worst = failure.diagnostics.iter().min_by_key(|d| Reverse(d.severity));
            return Answer::Refused(worst.map_or("no diagnostic".to_string(), |d| {
                let kind =
                    if d.severity == Severity::Unsupported { "unsupported" } else { "error" };
                format!("{kind}: {} at {}", d.message, failure.source.position(d.span.start))
            }));
        }
    };
    let plain = run(&program, machine);
    if !matches!(plain, Answer::Exited { .. }) {
        return plain;
    }
    let transformed = transform(program);
    if let Some(problem) = validate(&transformed).first() {
        return Answer::Stopped(format!("after the passes: {problem:?}"));
    }
    match run(&transformed, machine) {
        Answer::Unfinished => Answer::Unfinished,
        answer if answer == plain => plain,
        other => Answer::Stopped(format!("after the passes: {}", other.describe())),
    }
}

/// Every pass that keeps what a run does. The programs divide by no zero and stay inside their
/// arrays, so that the checks for these must not fail.
fn transform(program: Program) -> Program {
    let properties = &[Property::DivByZero, Property::ArrayBounds];
    let request = Request { properties, error_label: None, is_run: true };
    let (program, _) = pass::instrument(program, &request);
    let (program, _) = pass::constants(program);
    let (program, _) = pass::dead_code(program);
    pass::large_blocks(program).0
}

fn run(program: &Program, machine: &Machine) -> Answer {
    let options = interpret::Options {
        signed_overflow: machine.signed_overflow,
        max_steps: machine.max_steps,
        ..interpret::Options::default()
    };
    let run = match machine.seed {
        Some(seed) => interpret::run(program, &options, &mut Random::new(seed)),
        None => interpret::run(program, &options, &mut Zeros),
    };
    let at = |start: u32| program.source.position(start).to_string();
    match run.outcome {
        // The operating system keeps the low byte.
        Outcome::Exited(code) => Answer::Exited { code: (code & 255) as i32, stdout: run.output },
        Outcome::Undefined { message, span, .. } => {
            Answer::Stopped(format!("undefined: {message} at {}", at(span.start)))
        }
        Outcome::Unsupported { what, span } => {
            Answer::Stopped(format!("unsupported: {what} at {}", at(span.start)))
        }
        Outcome::StepLimit => Answer::Unfinished,
        other => Answer::Stopped(format!("{other:?}")),
    }
}
