//! Probes: a few concrete runs before an engine begins. Many a violation needs no search. What a
//! probe finds is replayed like every refutation; that it finds nothing means nothing, unless its
//! runs were all runs (`all`): then they are a proof.

mod all;
mod inputs;
mod runs;
mod states;

use lakatos_check::Verdict;
use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{self, Interpreter, Keyed, Outcome, Run};
use lakatos_ir::{Program, Property};

pub(crate) use self::all::decided_at_once;
use self::inputs::{Inputs, Sequence};
pub use self::runs::Runs;
use crate::{Statistics, Task, Watch};

/// Steps of one run.
const STEPS: u64 = 100_000;
/// Steps of all runs.
const ALL_STEPS: u64 = 600_000;
/// Steps of the only run of a program without inputs.
const ONLY_STEPS: u64 = 5_000_000;
/// Steps from state to state.
const STATES: u64 = 400_000;
const BYTES: u64 = 32 << 20;
const DEPTH: usize = 20_000;

/// Runs a program with error locations a few times; gives a refutation if one of the runs is one.
pub(crate) fn probe(
    task: &Task<'_>,
    instrumented: &Program,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Option<Verdict> {
    let interpreter = Interpreter::new(instrumented);
    let mut left = ALL_STEPS;
    for sequence in inputs::first(task.program) {
        let steps = STEPS.min(left);
        if steps == 0 {
            break;
        }
        watch.progress(*statistics).ok()?;
        let mut run = one(task, &interpreter, steps, sequence);
        statistics.probes += 1;
        statistics.steps += run.steps;
        left -= run.steps.min(left);
        let only = run.inputs.is_empty();
        if only && run.outcome == Outcome::StepLimit {
            run = one(task, &interpreter, ONLY_STEPS, sequence);
        }
        if violates(&run, task.property) {
            let refutation = confirmed(task, instrumented, &run);
            if refutation.is_some() {
                return refutation;
            }
        }
        // Another run would be the same, or end as soon.
        if only || matches!(run.outcome, Outcome::Unsupported { .. }) {
            return None;
        }
    }
    states::explore(task, instrumented, STATES, statistics, watch).ok().flatten()
}

fn options(task: &Task<'_>, max_steps: u64) -> interpret::Options {
    interpret::Options {
        signed_overflow: task.signed_overflow,
        max_steps,
        max_depth: DEPTH,
        max_bytes: BYTES,
        ..interpret::Options::default()
    }
    .watching(task.property)
}

fn one(task: &Task<'_>, interpreter: &Interpreter<'_>, steps: u64, sequence: Sequence) -> Run {
    interpreter.run(&options(task, steps), &mut Inputs::new(sequence))
}

/// Whether it is worth replaying.
fn violates(run: &Run, property: Property) -> bool {
    match &run.outcome {
        Outcome::Exited(_) => property.includes(Property::ValidMemtrack) && !run.lost.is_empty(),
        outcome => shows(outcome, property),
    }
}

/// Whether an outcome is by itself a violation.
fn shows(outcome: &Outcome, property: Property) -> bool {
    match outcome {
        Outcome::Violated(violation) => violation.property == property,
        Outcome::ErrorReached { .. } => property == Property::UnreachCall,
        Outcome::Undefined { kind, .. } => {
            property.is_about_memory() && property.is_violated_by(*kind)
        }
        _ => false,
    }
}

fn confirmed(task: &Task<'_>, instrumented: &Program, run: &Run) -> Option<Verdict> {
    let inputs: Keyed =
        run.inputs.iter().map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
    // A run that takes assembly into account asks more; its steps are the same.
    let options = options(task, run.steps.saturating_mul(2));
    let refutation = Refutation::replay(instrumented, task.property, &options, &inputs).ok()?;
    Some(Verdict::Refuted(Box::new(refutation)))
}
