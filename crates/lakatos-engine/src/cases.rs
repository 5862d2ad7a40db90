//! Cases: what variables can be together, in as many cases as the program's comparisons with constants
//! tell apart (`lakatos_analysis::ranges::Cases`). State machines are proved by it in the time that it takes to
//! look at each of their states once, however many numbers belong to one.

use lakatos_analysis::ranges::{Cases as Known, NoCases};
use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_encode::machine::Encoding;
use lakatos_evidence::Proof;
use lakatos_ir::Program;
use lakatos_logic::smt::Smt;

use crate::horn::why;
use crate::judge::{CHECKED, checked, verdict};
use crate::proof::Subject;
use crate::ranges::{slots, within};
use crate::{Engine, Report, Statistics, Task, Watch};

/// Steps of the analysis that are worth a node of a graph.
const STEPS: usize = 100;

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cases;

impl Engine for Cases {
    fn name(&self) -> &'static str {
        "cases"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let subject = Instrumented::new(task.program, task.property);
        let program = subject.program();
        let mut statistics = Statistics::default();
        let known = Known::new(program, task.signed_overflow, &mut |steps| {
            statistics.nodes = steps / STEPS;
            watch.progress(statistics)
        });
        let verdict = match known {
            Ok(known) => verdict(judged(task, &subject, &known, watch)),
            Err(NoCases::Open) => Verdict::Unknown(Why::OpenCase),
            Err(NoCases::TooMany) => Verdict::Unknown(Why::TooManyCases),
            Err(NoCases::Ended(reason)) => Verdict::Unknown(why(reason)),
        };
        Report::new(verdict, statistics)
    }
}

/// As integers, or else as bits: either may be what the solver can decide.
fn judged(
    task: &Task<'_>,
    subject: &Instrumented,
    known: &Known,
    watch: &mut dyn Watch,
) -> Result<Box<Checked>, Why> {
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let mut judge = |encoding| {
        checked(task, subject, proof(task, subject.program(), known, encoding), &mut smt)
    };
    match judge(Encoding::Int) {
        Err(why) if !why.is_end() => judge(Encoding::Bv),
        judged => judged,
    }
}

/// That one of the cases is there, wherever proofs speak.
fn proof(task: &Task<'_>, program: &Program, known: &Known, encoding: Encoding) -> Proof {
    let mut draft = Subject::from(task).draft(program);
    for (proc, _, body) in program.defined() {
        for (slot, loc) in slots(proc, body) {
            let mut cases = Vec::new();
            for case in known.at(proc, loc) {
                let mut bounds = Vec::new();
                for (var, number) in case {
                    bounds.extend(within(&mut draft, program, var, &number, encoding));
                }
                cases.push(draft.terms().and(bounds));
            }
            let formula = draft.terms().or(cases);
            // Where a formula has no words there, nothing is claimed.
            let _ = draft.add(slot, formula);
        }
    }
    draft.finish()
}
