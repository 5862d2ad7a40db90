//! Auto: which engines look at a task, and how they take turns (DESIGN.md 6.6).
//!
//! No engine is best for all programs, and none can be told beforehand how long it will take. So the
//! likely ones are asked by turns, each on a thread of its own, where it keeps what it has found
//! while it waits. The first verdict wins; it has been checked or replayed by then.
//!
//! Before them comes what needs no search and is over in no time: `ranges`, and a few runs.
//!
//! The first engine has its first turn alone, since most programs are easy. A turn is measured in
//! work (what the solver counts, nodes of graphs) and not in time, and each is longer than the one
//! before. So with one engine at a time the same program takes the same turns everywhere.

mod plan;
mod relay;

use lakatos_analysis::bam;
use lakatos_check::{Verdict, Why};
use lakatos_ir::library::Gap;
use lakatos_ir::points_to::PointsTo;
use lakatos_ir::{Procedure, Span, pass};
use lakatos_logic::lemma::Knowledge;

use self::plan::plan;
use self::relay::relay;
use crate::arrays::Remark;
use crate::probe::{decided_at_once, probe};
use crate::stack_cegar::{Kind, StackCegar};
use crate::{End, Engine, Ranges, Report, Statistics, Task, Tried, Watch};

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
        let ranges = Ranges.solve(task, watch);
        let errors = match ranges.verdict {
            Verdict::Unknown(Why::OpenErrors { open, .. }) => open,
            _ => 0,
        };
        let mut tried = vec![Tried::alone(Ranges.name(), &ranges)];
        if is_answer(&ranges.verdict) {
            return Report { tried, ..ranges };
        }
        let mut statistics = Statistics::default();
        if self.probe {
            let program = pass::replayed(task.program, Some(task.property));
            let decided = decided_at_once(task, &program, &mut statistics, watch)
                .or_else(|| probe(task, &program, &mut statistics, watch));
            if let Some(verdict) = decided {
                let report = Report::new(verdict, statistics);
                tried.push(Tried::alone("probes", &report));
                return Report { tried, ..report };
            }
        }
        let mut report = relay(plan(self, task, errors), self.jobs, task, watch);
        if let Verdict::Unknown(why) = &mut report.verdict
            && !why.is_end()
            && let Some(no_model) = missing_model(task)
        {
            *why = no_model;
        }
        report.statistics.probes += statistics.probes;
        report.statistics.steps += statistics.steps;
        tried.append(&mut report.tried);
        Report { tried, ..report }
    }
}

impl Tried {
    /// What came of an engine that had one turn, for as long as it wanted.
    fn alone(engine: &'static str, report: &Report) -> Tried {
        let end = match &report.verdict {
            Verdict::Unknown(why) => End::GaveUp(why.clone()),
            _ => End::Answered,
        };
        Tried { engine, turns: 1, end, statistics: report.statistics }
    }
}

/// The first call in the source after which nothing is known.
fn missing_model(task: &Task<'_>) -> Option<Why> {
    let program = task.program;
    let is_about_memory = task.property.is_about_memory();
    let needs_model = |procedure: &Procedure| {
        procedure.unmodelled().is_some_and(|effects| effects.needs_model(is_about_memory))
    };
    if !program.procs.iter().any(|(_, procedure)| needs_model(procedure)) {
        return None;
    }
    let memory = PointsTo::new(program);
    let mut found: Vec<(Span, Gap)> = Vec::new();
    for (proc, _, body) in program.defined().filter(|(proc, ..)| memory.is_reached(*proc)) {
        for (id, edge) in body.edges.iter() {
            let targets = memory.targets(proc, id).iter().copied();
            let missing = targets.filter(|&target| needs_model(&program.procs[target]));
            found.extend(missing.map(|target| (edge.span, Gap::of(program, target))));
        }
    }
    let (at, gap) = found.into_iter().min()?;
    Some(Why::NoModel { gap, at })
}

/// Whether a verdict ends the race.
fn is_answer(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}
