//! All runs of a program, where they are few: then they are a proof, or one of them is a refutation.

use lakatos_check::{Budget, Done, Executed, Verdict, execute_all};
use lakatos_ir::interpret::{Outcome, Run};
use lakatos_ir::{Program, Span};
use lakatos_logic::smt::Reason;

use super::confirmed;
use crate::{Statistics, Task, Watch};

/// What a first look may take: less than a tenth of a second. All values of a byte are looked at, not
/// all of two.
const FIRST: Budget = Budget { runs: 1 << 10, steps: 600_000 };
/// The same where the program makes no choices, so that nothing else is to be tried before.
const SINGLE: u64 = 5_000_000;

/// What came of it.
pub(super) enum All {
    Decided(Verdict),
    /// There are more, or longer ones, than may be made; `is_single` if there is no choice.
    Unfinished {
        is_single: bool,
    },
    /// They do not tell all.
    Open(Box<Outcome>),
}

/// The verdict of all runs, if that is quickly told.
pub(crate) fn decided_at_once(
    task: &Task<'_>,
    instrumented: &Program,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Option<Verdict> {
    let mut found = all(task, instrumented, FIRST, statistics, watch);
    if let Ok(All::Unfinished { is_single: true }) = found {
        let longer = Budget { runs: 1, steps: SINGLE };
        found = all(task, instrumented, longer, statistics, watch);
    }
    match found {
        Ok(All::Decided(verdict)) => Some(verdict),
        Ok(All::Unfinished { .. } | All::Open(_)) | Err(_) => None,
    }
}

/// The end of a run that violates the property by something that no run shows: another result of a
/// library function than the interpreter has, or memory that only locals hold at the end.
fn not_replayed(run: &Run) -> Outcome {
    let span = match &run.outcome {
        Outcome::ErrorReached { span, .. }
        | Outcome::Undefined { span, .. }
        | Outcome::Blocked { span }
        | Outcome::Aborted { span }
        | Outcome::NoModel { span, .. }
        | Outcome::Unsupported { span, .. }
        | Outcome::Open { span, .. } => *span,
        Outcome::Violated(violation) => violation.span,
        Outcome::Exited(_) | Outcome::StepLimit | Outcome::DepthLimit | Outcome::MemoryLimit => {
            Span::default()
        }
    };
    Outcome::Open { what: "a violation that cannot be replayed".to_owned(), span }
}

/// Makes all runs, as far as the budget goes.
pub(super) fn all(
    task: &Task<'_>,
    instrumented: &Program,
    budget: Budget,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Result<All, Reason> {
    watch.progress(*statistics)?;
    let before = *statistics;
    let mut stopped = None;
    let mut goes_on = |done: Done| {
        statistics.probes = before.probes + done.runs;
        statistics.steps = before.steps + done.steps;
        match watch.progress(*statistics) {
            Ok(()) => true,
            Err(reason) => {
                stopped = Some(reason);
                false
            }
        }
    };
    let Task { program, property, signed_overflow } = *task;
    let executed = execute_all(program, property, signed_overflow, budget, &mut goes_on);
    Ok(match executed {
        Executed::Proved(checked) => {
            if let Some(made) = checked.proof().runs() {
                statistics.probes = before.probes + made.runs;
                statistics.steps = before.steps + made.steps;
            }
            All::Decided(Verdict::Proved(checked))
        }
        Executed::Violating(run) => match confirmed(task, instrumented, &run) {
            Some(refutation) => All::Decided(refutation),
            None => All::Open(Box::new(not_replayed(&run))),
        },
        Executed::Unfinished { is_single } => All::Unfinished { is_single },
        Executed::Stopped => return Err(stopped.unwrap_or(Reason::Cancelled)),
        Executed::Open(ended) => All::Open(ended),
    })
}
