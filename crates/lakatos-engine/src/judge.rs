//! What engines find, judged: proofs by the checker, inputs by the interpreter.

use lakatos_analysis::cegar::Inputs;
use lakatos_check::{Checked, Instrumented, Outcome, Verdict, Why, check, minimise};
use lakatos_evidence::{NotReplayed, Proof, Refutation};
use lakatos_ir::interpret::{self, Keyed, Outcome as Ended};
use lakatos_ir::{InputKind, Part, Piece, Program};
use lakatos_logic::smt::{Limits, Smt, judging};

use crate::prepare::Prepared;
use crate::proof::{By, Projection};
use crate::{Task, Watch};

/// A run that replays a counterexample may take so many steps: a few seconds.
const REPLAY_STEPS: u64 = 100_000_000;

/// Formulas do not know which input it is that a large array holds where nothing was written. What
/// such integers may be instead of zero, where the run with zeros is no violation.
const NEVER_WRITTEN: [i128; 3] = [1, -1, 100];

/// Of each condition of a proof.
pub(crate) const CHECKED: Limits = Limits { resources: Some(50_000_000), time: None };

/// The first projection that the checker accepts, made small. The checker has solvers of its own:
/// those of the search are full of what was found on the way.
pub(crate) fn judge(
    task: &Task<'_>,
    projection: &mut Projection<'_, '_>,
    watch: &mut dyn Watch,
) -> Result<Box<Checked>, Why> {
    let subject = Instrumented::new(task.program, task.property);
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let has_contexts = projection.has_contexts();
    match checked(task, &subject, projection.proof(By::Location), &mut smt) {
        Err(Why::Rejected { .. } | Why::Undecided { .. }) if has_contexts => {
            checked(task, &subject, projection.proof(By::Context), &mut smt)
        }
        judged => judged,
    }
}

/// A proof that the checker accepts, made small.
pub(crate) fn checked(
    task: &Task<'_>,
    subject: &Instrumented,
    proof: Proof,
    smt: &mut Smt,
) -> Result<Box<Checked>, Why> {
    let checked = accepted(task, subject, proof, smt)?;
    Ok(judging(|| minimise(subject, checked, task.signed_overflow, smt)))
}

/// A proof that the checker accepts, as it is.
pub(crate) fn accepted(
    task: &Task<'_>,
    subject: &Instrumented,
    proof: Proof,
    smt: &mut Smt,
) -> Result<Box<Checked>, Why> {
    match judging(|| check(subject, proof, task.signed_overflow, smt)) {
        Outcome::Checked(checked) => Ok(checked),
        Outcome::Rejected(rejected) => Err(Why::rejected(subject.program(), *rejected)),
        Outcome::Undecided(undecided) => Err(Why::undecided(subject.program(), &undecided)),
    }
}

/// As a verdict.
pub(crate) fn verdict(judged: Result<Box<Checked>, Why>) -> Verdict {
    judged.map_or_else(Verdict::Unknown, Verdict::Proved)
}

/// The verdict that inputs lead to.
pub(crate) fn replay(task: &Task<'_>, prepared: &Prepared, inputs: &Inputs) -> Verdict {
    replay_within(task, prepared, inputs, REPLAY_STEPS)
}

/// The verdict that inputs lead to in so many steps.
pub(crate) fn replay_within(
    task: &Task<'_>,
    prepared: &Prepared,
    inputs: &Inputs,
    max_steps: u64,
) -> Verdict {
    run(task, &prepared.instrumented, &keyed(&prepared.subject, inputs), max_steps)
}

/// The verdict of a run of a program with errors in so many steps. What is in memory where nothing was
/// written is zero, or else something else.
pub(crate) fn run(task: &Task<'_>, program: &Program, inputs: &Keyed, max_steps: u64) -> Verdict {
    let options = interpret::Options {
        signed_overflow: task.signed_overflow,
        max_steps,
        ..interpret::Options::default()
    };
    let one = |inputs: &Keyed| Refutation::replay(program, task.property, &options, inputs);
    let reason = match one(inputs) {
        Ok(refutation) => return Verdict::Refuted(Box::new(refutation)),
        Err(reason) => reason,
    };
    let has_more = program.sites.iter().any(|(_, site)| site.kind == InputKind::Uninitialised);
    let is_short = !matches!(*reason, NotReplayed::Ended(Ended::StepLimit));
    let others = NEVER_WRITTEN.iter().filter(|_| has_more && is_short);
    let mut others = others.map(|value| one(&inputs.clone().with_rest(*value)));
    match others.find_map(Result::ok) {
        Some(refutation) => Verdict::Refuted(Box::new(refutation)),
        None => Verdict::Unknown(Why::NotReplayed(reason)),
    }
}

/// Inputs as those who run the program ask for them: a cell of memory is part of another input.
fn keyed(subject: &Program, inputs: &Inputs) -> Keyed {
    let mut keyed = Keyed::default();
    for ((site, nth), value) in inputs {
        match subject.pieces.get(site) {
            None => keyed.insert(*site, *nth, 0, *value),
            Some(Piece { of, part: Part::Leaf(leaf) }) => keyed.insert(*of, *nth, *leaf, *value),
            Some(Piece { of, part: Part::Bytes(first) }) => {
                let size = subject.types.size(subject.sites[*site].ty);
                for (at, byte) in (*first..first + size).zip(value.to_le_bytes()) {
                    keyed.insert(*of, *nth, at, byte.into());
                }
            }
        }
    }
    keyed
}
