//! `lakatos verify --reuse`: what was found out about an older version of the program is looked at
//! first. What still holds is kept, and the engine is asked about the rest only.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use lakatos_check::{Instrumented, Outcome, Verdict, Why};
use lakatos_contracts::claims::{Claims, Completed};
use lakatos_contracts::model::{Document, SCHEMA};
use lakatos_contracts::reuse;
use lakatos_engine::horn::why;
use lakatos_engine::{Engine, Report, Statistics, Task, Watch};
use lakatos_evidence::Form;
use lakatos_ir::{Program, Property};
use lakatos_logic::smt::{self, Smt};
use lakatos_witness::format::Invariant;
use lakatos_witness::outline::Outline;

use crate::input;
use crate::load::{Choice, model_name};

/// Of each query about claims.
const CHECKED: smt::Limits = smt::Limits { resources: Some(50_000_000), time: None };

/// What an older proof says.
pub struct Old {
    document: Document,
    outline: Outline,
}

/// The claims, and what became of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reused {
    pub claims: usize,
    pub kept: usize,
    /// The engine was asked.
    pub searched: bool,
}

impl Old {
    pub fn read(path: &Path, choice: &Choice, program: &Program) -> Result<Old> {
        let name = input::display_name(path);
        let text = input::decode(&name, input::read(path)?)?;
        let document: Document = serde_json::from_str(&text).map_err(|error| {
            anyhow!(
                "{name} is no contracts file: {error}\n  `lakatos contracts --json` writes one."
            )
        })?;
        let schema = &document.schema;
        ensure!(schema == SCHEMA, "{name}: the schema is `{schema}`, and not `{SCHEMA}`");
        let (theirs, ours) = (&document.program.data_model, model_name(choice.model));
        ensure!(
            theirs == ours,
            "{name} is about a program in the data model {theirs}, and this one is in {ours}"
        );
        Ok(Old { document, outline: Outline::new(program) })
    }

    pub fn claims(&self, program: &Program) -> Claims<'_> {
        let said: Vec<Invariant> = reuse::claims(&self.document, program, &self.outline);
        Claims::new(program, &self.outline, &said)
    }
}

/// The engine's answer, where what the claims show has not to be found out again. The task is about
/// the program of the claims.
pub fn solve(
    claims: &Claims<'_>,
    engine: &dyn Engine,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> (Report, Reused) {
    let mut reused = Reused { claims: claims.number(), ..Reused::default() };
    let subject = Instrumented::new(task.program, task.property);
    let verdict = match complete(claims, &subject, None, task, watch) {
        Err(why) => Verdict::Unknown(why),
        Ok(Completed { outcome, holding, .. }) => {
            reused.kept = holding.len();
            match outcome {
                Outcome::Checked(checked) => Verdict::Proved(checked),
                _ => {
                    reused.searched = true;
                    let report = searched(claims, &subject, &holding, engine, task, watch);
                    return (report, reused);
                }
            }
        }
    };
    (Report::new(verdict, Statistics::default()), reused)
}

/// Asks about the rest; a proof of it is one of the whole together with what holds.
fn searched(
    claims: &Claims<'_>,
    subject: &Instrumented,
    holding: &[usize],
    engine: &dyn Engine,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Report {
    let rest = match rest(claims, subject, holding, task, watch) {
        Ok(rest) => rest,
        Err(why) => {
            let verdict = Verdict::Unknown(why);
            return Report::new(verdict, Statistics::default());
        }
    };
    let report = engine.solve(&Task { program: &rest, ..*task }, watch);
    let help = match &report.verdict {
        // It speaks of a program in which loops or calls are written out, and cannot be put together
        // with what holds in this one.
        Verdict::Proved(checked) if *checked.proof().form() != Form::Program => {
            return engine.solve(task, watch);
        }
        Verdict::Proved(checked) => checked,
        // A run of the one is a run of the other, but it has to be shown in the program as it is.
        Verdict::Refuted(_) => return engine.solve(task, watch),
        Verdict::Unknown(_) => return report,
    };
    let verdict = match complete(claims, subject, Some(help.proof()), task, watch) {
        Err(why) => Verdict::Unknown(why),
        Ok(Completed { outcome: Outcome::Checked(checked), .. }) => Verdict::Proved(checked),
        // What was assumed is not known to the proof, so it may be none of the program as it is.
        Ok(_) => return engine.solve(task, watch),
    };
    Report::new(verdict, report.statistics)
}

/// The program in which the claims are assumed, with the errors that they leave open.
fn rest(
    claims: &Claims<'_>,
    subject: &Instrumented,
    holding: &[usize],
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Result<Program, Why> {
    if task.property != Property::UnreachCall {
        return Ok(claims.assumed(holding));
    }
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let open = claims.open(subject, holding, task.signed_overflow, &mut smt).map_err(why)?;
    Ok(match open {
        Some(open) => claims.rest(holding, &open),
        None => claims.assumed(holding),
    })
}

fn complete(
    claims: &Claims<'_>,
    subject: &Instrumented,
    help: Option<&lakatos_evidence::Proof>,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Result<Completed, Why> {
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    claims.complete(subject, help, task.signed_overflow, &mut smt).map_err(why)
}
