//! Auto: which engines look at a task, and how they take turns (DESIGN.md 6.6).
//!
//! No engine is best for all programs, and none can be told beforehand how long it will take. So the
//! likely ones are asked by turns, each on a thread of its own, where it keeps what it has found
//! while it waits. The first verdict wins; it has been checked or replayed by then.
//!
//! Before them comes what needs no search (`ranges`), and is over in no time.
//!
//! The first engine has its first turn alone, since most programs are easy. A turn is measured in
//! work (what the solver counts, nodes of graphs) and not in time, and each is longer than the one
//! before. So with one engine at a time the same program takes the same turns everywhere.

mod plan;
mod relay;

use lakatos_analysis::bam;
use lakatos_check::{Verdict, Why};
use lakatos_logic::lemma::Knowledge;

use self::plan::plan;
use self::relay::relay;
use crate::arrays::Remark;
use crate::stack_cegar::{Kind, StackCegar};
use crate::{End, Engine, Ranges, Report, Task, Tried, Watch};

/// The engine and its settings.
#[derive(Clone, Debug)]
pub struct Auto {
    /// Whether a few concrete runs come first.
    pub probe: bool,
    /// So many engines are at work at the same time.
    pub jobs: usize,
    /// Of those that refine abstractions.
    pub abstraction: StackCegar,
    pub blocks: bam::Settings,
    /// What is known beside the program, and what is said of its loops.
    pub knowledge: Knowledge,
    pub remarks: Vec<Remark>,
}

impl Default for Auto {
    fn default() -> Self {
        let abstraction = StackCegar { domain: Kind::Product, ..StackCegar::default() };
        Auto {
            probe: true,
            jobs: 1,
            abstraction,
            blocks: bam::Settings::default(),
            knowledge: Knowledge::default(),
            remarks: Vec::new(),
        }
    }
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let quick = Ranges.solve(task, watch);
        let (end, errors) = match &quick.verdict {
            Verdict::Unknown(why @ Why::OpenErrors { open, .. }) => {
                (End::GaveUp(why.clone()), *open)
            }
            Verdict::Unknown(why) => (End::GaveUp(why.clone()), 0),
            _ => (End::Answered, 0),
        };
        let tried = Tried { engine: Ranges.name(), turns: 1, end, statistics: quick.statistics };
        let mut report = match is_answer(&quick.verdict) {
            true => quick,
            false => relay(plan(self, task, errors), self.jobs, task, watch),
        };
        report.tried.insert(0, tried);
        report
    }
}

/// Whether a verdict ends the race.
fn is_answer(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}
