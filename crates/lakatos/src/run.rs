//! `lakatos run`: execute once, and tell a person what happened.

use std::io::{self, Write};

use anyhow::Result;
use lakatos_ir::interpret::{self, Input, Outcome, Step};
use lakatos_ir::{Diagnostic, InputKind, Instr, Position, Program, Span};

use crate::args;
use crate::exit::Exit;
use crate::load::choose;
use crate::terminal::{self, BOLD, DIM, GOOD, UNSURE};

/// Inputs or frames shown; a loop may have read millions, a recursion be as deep.
const MAX_LINES: usize = 20;

pub fn run(args: &args::Run) -> Result<Exit> {
    let program = match choose(&args.input)?.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let options = interpret::Options {
        signed_overflow: args.signed_overflow.into(),
        max_steps: args.steps,
        record_trace: args.trace,
        ..interpret::Options::default()
    };
    let mut oracle = interpret::InOrder::new(args.inputs.clone());
    let run = interpret::run(&program, &options, &mut oracle);
    let mut out = anstream::stdout().lock();
    Report { program: &program, run: &run }.write(&mut out)?;
    out.flush()?;
    Ok(exit(&run.outcome))
}

fn exit(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Exited(_) | Outcome::Aborted { .. } => Exit::Good,
        Outcome::ErrorReached { .. } | Outcome::Violated(_) | Outcome::Undefined { .. } => {
            Exit::Bad
        }
        Outcome::Blocked { .. }
        | Outcome::StepLimit
        | Outcome::DepthLimit
        | Outcome::MemoryLimit
        | Outcome::NoModel { .. }
        | Outcome::Unsupported { .. }
        | Outcome::Open { .. } => Exit::Unknown,
    }
}

/// What is written about a run that has ended.
struct Report<'r> {
    program: &'r Program,
    run: &'r interpret::Run,
}

impl Report<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.trace(out)?;
        self.printed(out)?;
        self.inputs(out)?;
        self.outcome(out)?;
        self.stack(out)?;
        writeln!(out, "{DIM}after {}{DIM:#}", counted(self.run.steps, "step"))
    }

    fn outcome(&self, out: &mut impl Write) -> io::Result<()> {
        let steps = self.run.steps;
        match &self.run.outcome {
            Outcome::Exited(code) => {
                writeln!(out, "{GOOD}ended{GOOD:#}: the program returned {code}")
            }
            Outcome::Aborted { span } => {
                writeln!(out, "{GOOD}ended{GOOD:#}: the program called abort at {}", self.at(*span))
            }
            Outcome::ErrorReached { function, span } if function.contains("assert") => {
                self.place(out, *span, "the assertion fails")
            }
            Outcome::ErrorReached { function, span } => {
                self.place(out, *span, &format!("`{function}` is reached"))
            }
            Outcome::Violated(violation) => self.place(out, violation.span, &violation.message),
            Outcome::Undefined { span, message, .. } => {
                self.place(out, *span, &format!("undefined behaviour: {message}"))
            }
            Outcome::Blocked { span } => writeln!(
                out,
                "{UNSURE}stopped{UNSURE:#}: an assumption does not hold at {}",
                self.at(*span)
            ),
            Outcome::StepLimit => {
                writeln!(out, "{UNSURE}stopped{UNSURE:#}: {steps} steps were not enough (--steps)")
            }
            Outcome::DepthLimit => {
                writeln!(out, "{UNSURE}stopped{UNSURE:#}: the calls are nested too deeply")
            }
            Outcome::MemoryLimit => {
                writeln!(out, "{UNSURE}stopped{UNSURE:#}: the program needs too much memory")
            }
            Outcome::NoModel { gap, span } => {
                writeln!(out, "{UNSURE}stopped{UNSURE:#}: {gap} at {}", self.at(*span))
            }
            Outcome::Unsupported { what, span } => {
                writeln!(
                    out,
                    "{UNSURE}stopped{UNSURE:#}: unsupported: {what} at {}",
                    self.at(*span)
                )
            }
            Outcome::Open { what, span } => {
                writeln!(
                    out,
                    "{UNSURE}stopped{UNSURE:#}: not decided: {what} at {}",
                    self.at(*span)
                )
            }
        }
    }

    /// A failure, with its source line.
    fn place(&self, out: &mut impl Write, span: Span, message: &str) -> io::Result<()> {
        let found = Diagnostic::error(span, message);
        let text = terminal::render(&self.program.source, &[found]);
        write!(out, "{text}")
    }

    /// Who called whom, innermost first. `main` is called by nobody.
    fn stack(&self, out: &mut impl Write) -> io::Result<()> {
        if exit(&self.run.outcome) == Exit::Good {
            return Ok(());
        }
        let (start, main) = (self.program.start, self.program.main);
        let frames = self.run.stack.iter().rev().filter(|frame| frame.proc != start);
        let lines = frames.map(|frame| {
            let name = &self.program.procs[frame.proc].name;
            match frame.call.filter(|_| frame.proc != main) {
                Some(call) => format!("  in {BOLD}{name}{BOLD:#}, called at {}", self.at(call)),
                None => format!("  in {BOLD}{name}{BOLD:#}"),
            }
        });
        elided(out, lines.collect())
    }

    fn inputs(&self, out: &mut impl Write) -> io::Result<()> {
        if self.run.inputs.is_empty() {
            return Ok(());
        }
        writeln!(out, "{BOLD}inputs{BOLD:#}")?;
        elided(out, self.run.inputs.iter().map(|input| self.input(input)).collect())
    }

    /// Kind, where it came in, how often that place was passed before, and the value.
    fn input(&self, input: &Input) -> String {
        let site = &self.program.sites[input.site];
        let kind = match input.kind {
            InputKind::Nondet => "nondet",
            InputKind::Uninitialised => "uninitialised",
            InputKind::External => "external",
            InputKind::Assembly => "assembly",
            InputKind::Library => "library",
            InputKind::Volatile => "volatile",
            InputKind::Allocation => "allocation",
        };
        let element = match input.element {
            0 => String::new(),
            element => format!("[{element}]"),
        };
        let (name, at, occurrence) = (&site.name, self.at(site.span), input.occurrence);
        format!("  {kind} {name}{element} at {at}, occurrence {occurrence}: {}", input.value)
    }

    /// What the program printed, marked so that it cannot be taken for ours.
    fn printed(&self, out: &mut impl Write) -> io::Result<()> {
        if self.run.output.is_empty() {
            return Ok(());
        }
        writeln!(out, "{BOLD}output{BOLD:#}")?;
        let text = String::from_utf8_lossy(&self.run.output);
        for line in text.lines() {
            let shown = line.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}");
            writeln!(out, "  | {shown}")?;
        }
        Ok(())
    }

    /// Function and line, what was done, and the value that it set. Our own procedure that
    /// calls `main` is left out.
    fn trace(&self, out: &mut impl Write) -> io::Result<()> {
        let steps = self.run.trace.iter().filter(|step| step.proc != self.program.start);
        for (i, step) in steps.enumerate() {
            if i == 0 {
                writeln!(out, "{BOLD}steps{BOLD:#}")?;
            }
            let (place, text) = self.step(step);
            write!(out, "  {DIM}{place:<16}{DIM:#} ")?;
            let set = step.assigned.iter().map(|set| format!("{} = {}", set.name, set.shown));
            match set.collect::<Vec<_>>().join(", ") {
                set if set.is_empty() => writeln!(out, "{text}")?,
                set => writeln!(out, "{text:<40} {DIM}{set}{DIM:#}")?,
            }
        }
        Ok(())
    }

    fn step(&self, step: &Step) -> (String, String) {
        let proc = &self.program.procs[step.proc];
        let line = self.at(step.span).line;
        let text = match proc.body.as_ref().map(|body| &body.edges[step.edge].instr) {
            None | Some(Instr::Skip) => self.program.source.snippet(step.span).to_owned(),
            Some(instr) => self.program.show_instr(instr).to_string(),
        };
        (format!("{}:{line}", proc.name), text.lines().next().unwrap_or_default().to_owned())
    }

    fn at(&self, span: Span) -> Position<'_> {
        self.program.source.position(span.start)
    }
}

/// The first and the last lines, if there are too many.
fn elided(out: &mut impl Write, lines: Vec<String>) -> io::Result<()> {
    let left_out = match lines.len() {
        n if n > MAX_LINES => MAX_LINES / 2..n - MAX_LINES / 2,
        _ => 0..0,
    };
    for (i, line) in lines.iter().enumerate() {
        if i == left_out.start && !left_out.is_empty() {
            writeln!(out, "  ... {} more ...", left_out.len())?;
        }
        if !left_out.contains(&i) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
