//! `lakatos horn` and `lakatos solve`: Horn clauses out and in.

use std::io::Write;

use anyhow::{Result, anyhow};
use lakatos_check::Why;
use lakatos_engine::{Task, horn};
use lakatos_ir::Property;
use lakatos_logic::horn::{Outcome, System, read, text};
use lakatos_logic::smt;
use lakatos_logic::term::Terms;

use crate::args::{HornArgs, SolveArgs};
use crate::exit::Exit;
use crate::input;
use crate::load::choose;
use crate::supervise::pending::{Pending, REASON};
use crate::supervise::worker;
use crate::task;
use crate::verify::ensure_sensible;
use crate::watch::{Ends, Limits, watched};
use crate::whole;

pub fn horn(args: &HornArgs) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let asked = args.property.or_else(|| task::first(&choice.asked));
    let property = asked.unwrap_or(Property::UnreachCall);
    ensure_sensible(args.signed_overflow, property)?;
    whole::ensure_apart(args.output.as_deref(), &choice.files(&args.input))?;
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let signed_overflow = args.signed_overflow.into();
    let task = Task { program: &program, property, signed_overflow };
    let script = horn::script(&task, args.encoding.into());
    whole::write_or_print(args.output.as_deref(), &script)?;
    Ok(Exit::Good)
}

pub fn solve(args: &SolveArgs) -> Result<Exit> {
    let reason = if args.quiet { String::new() } else { format!("; {REASON}\n") };
    worker::expect(Pending::text(format!("unknown\n{reason}")));
    let name = input::display_name(&args.file);
    let script = String::from_utf8(input::read(&args.file)?)
        .map_err(|_| anyhow!("{name} is not text in UTF-8"))?;
    let (ends, limits) = (Ends::with_ctrl_c(), Limits::set(&args.limits));
    let mut terms = Terms::new();
    // Reading has the time limit, and the stack, that solving has.
    let systems = watched(
        &ends,
        limits,
        |why| stuck(args, &[], &why),
        |_| read::questions(&mut terms, &script),
    );
    let systems = systems.map_err(|error| anyhow!("{name}:{error}"))?;
    let mut exits = Vec::new();
    for system in systems {
        let exit = answer(args, &ends, limits, (&mut terms, &system), &exits)?;
        exits.push(exit);
    }
    Ok(Exit::overall(&exits))
}

/// What is said when something does not end when it has to.
fn stuck(args: &SolveArgs, before: &[Exit], why: &Why) -> Exit {
    // The process ends now, whether or not anybody reads this.
    let _ = unknown(args, &format!("{}, and the solver does not stop", plain(why)));
    Exit::overall(&[before, &[Exit::Unknown]].concat())
}

/// Answers one question.
fn answer(
    args: &SolveArgs,
    ends: &Ends,
    limits: Limits,
    (terms, system): (&mut Terms, &System),
    before: &[Exit],
) -> Result<Exit> {
    let answer = watched(
        ends,
        limits,
        |why| stuck(args, before, &why),
        |watcher| match horn::solve(terms, system, smt::Limits::default(), watcher) {
            Outcome::Solved(solution) => Ok((true, text::model(terms, system, &solution))),
            Outcome::Violated(steps) => Ok((false, text::steps(terms, system, &steps))),
            Outcome::Unknown(reason) => Err(reason),
        },
    );
    let out = &mut anstream::stdout().lock();
    match answer {
        Ok((solved, evidence)) => {
            writeln!(out, "{}", if solved { "sat" } else { "unsat" })?;
            if !args.quiet {
                write!(out, "{evidence}")?;
            }
            Ok(if solved { Exit::Good } else { Exit::Bad })
        }
        Err(reason) => {
            let why = ends.explain(horn::why(reason));
            unknown(args, &plain(&why))?;
            Ok(Exit::Unknown)
        }
    }
}

fn unknown(args: &SolveArgs, why: &str) -> Result<()> {
    let out = &mut anstream::stdout().lock();
    writeln!(out, "unknown")?;
    if !args.quiet {
        writeln!(out, "; {}", why.replace('\n', "\n; "))?;
    }
    Ok(())
}

/// A reason that has no place in a program.
fn plain(why: &Why) -> String {
    why.describe(&lakatos_ir::Source::new("", ""))
}
