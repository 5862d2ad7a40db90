//! Parts: the errors of a program one by one, each in what is left of the program when only what decides
//! about it is kept. Functions that have nothing to do with each other are so many small programs.
//!
//! The ranges of variables come first: errors that they exclude are no part of any part, and nor is what
//! is never reached. What is proved of the parts is put together, with the ranges, and checked as a proof of
//! the program as it is. A slice may have more runs than the program, so a run that is found in one counts
//! only if it can be replayed.

use lakatos_check::{Instrumented, Verdict, Why};
use lakatos_encode::machine::Encoding;
use lakatos_evidence::Proof;
use lakatos_ir::Program;
use lakatos_logic::smt::Smt;

use crate::horn::{Effort, Horn};
use crate::judge::{CHECKED, checked, verdict};
use crate::prepare::Whole;
use crate::proof::Subject;
use crate::ranges::Claims;
use crate::{Engine, Report, Statistics, Task, Watch};

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts;

impl Engine for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let mut statistics = Statistics::default();
        let subject = Instrumented::new(task.program, task.property);
        let verdict = match claims(task, subject.program(), &mut statistics, watch) {
            Ok(proof) => {
                let mut smt = Smt::new(CHECKED);
                watch.started(smt.cancel_handle());
                verdict(checked(task, &subject, proof, &mut smt))
            }
            Err(verdict) => verdict,
        };
        Report::new(verdict, statistics)
    }
}

/// What is known of the program, with what excludes each error that is left.
fn claims(
    task: &Task<'_>,
    subject: &Program,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Result<Proof, Verdict> {
    let whole = Whole::new(task, subject);
    let mut claimed = Subject::from(task).draft(subject);
    let ranges = Claims { task, program: subject, known: &whole.ranges };
    ranges.speak(&mut claimed, Encoding::Int);
    let mut open = whole.errors();
    let mut effort = Effort::FIRST;
    loop {
        let mut last = Why::NoProgress;
        let mut left = Vec::new();
        for error in open {
            let part = whole.part(error);
            match Horn::default().part(task, &part, effort, &mut claimed, statistics, watch) {
                Ok(()) => {}
                Err(Verdict::Unknown(why)) if !why.is_end() => {
                    left.push(error);
                    last = why;
                }
                Err(end) => return Err(end),
            }
        }
        if left.is_empty() {
            return Ok(claimed.finish());
        }
        open = left;
        effort = effort.more(u32::MAX).ok_or(Verdict::Unknown(last))?;
    }
}
