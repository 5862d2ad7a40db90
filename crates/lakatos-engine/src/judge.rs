//! What engines find, judged: proofs by the checker, inputs by the interpreter.

use lakatos_analysis::cegar::Inputs;
use lakatos_check::{self as check, Instrumented, Verdict, Why, check, minimise};
use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{self, Keyed};
use lakatos_logic::smt::{Limits, Smt};

use crate::prepare::Prepared;
use crate::proof::{By, Projection};
use crate::{Task, Watch};

/// A run that replays a counterexample may take so many steps: a few seconds.
const REPLAY_STEPS: u64 = 100_000_000;

/// Of each condition of a proof.
pub(crate) const CHECKED: Limits = Limits { resources: Some(50_000_000), time: None };

/// The first projection that the checker accepts, made small. The checker has solvers of its own:
/// those of the search are full of what was found on the way.
pub(crate) fn judge(
    task: &Task<'_>,
    projection: &mut Projection<'_, '_>,
    watch: &mut dyn Watch,
) -> Verdict {
    let subject = Instrumented::new(task.program, task.property);
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let has_contexts = projection.has_contexts();
    let mut judged =
        |by| match check(&subject, projection.proof(by), task.signed_overflow, &mut smt) {
            check::Outcome::Checked(checked) => {
                Verdict::Proved(minimise(&subject, checked, task.signed_overflow, &mut smt))
            }
            check::Outcome::Rejected(rejected) => {
                Verdict::Unknown(Why::rejected(subject.program(), *rejected))
            }
            check::Outcome::Undecided(undecided) => {
                Verdict::Unknown(Why::undecided(subject.program(), &undecided))
            }
        };
    match judged(By::Location) {
        Verdict::Unknown(Why::Rejected { .. } | Why::Undecided { .. }) if has_contexts => {
            judged(By::Context)
        }
        verdict => verdict,
    }
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
    let keyed: Keyed =
        inputs.iter().map(|((site, nth), value)| ((*site, *nth, 0), *value)).collect();
    let options = interpret::Options {
        signed_overflow: task.signed_overflow,
        max_steps,
        ..interpret::Options::default()
    };
    match Refutation::replay(&prepared.instrumented, task.property, &options, &keyed) {
        Ok(refutation) => Verdict::Refuted(Box::new(refutation)),
        Err(reason) => Verdict::Unknown(Why::NotReplayed(reason)),
    }
}
