//! Engines with lemmas of the user (lemma thesis; DESIGN.md 6.5). Most engines know arrays as memory, of
//! which no lemma speaks. With lemmas each of them looks first for predicates over words, where arrays
//! are values, in its own way ([`Means`](crate::Means)): predicate abstraction or Horn clauses. Without
//! an answer it does what it always does.

use lakatos_check::{Verdict, Why};

use crate::graph::Graph;
use crate::{Arrays, Engine, Report, Statistics, Task, Watch};

/// An engine, and what it does with lemmas before.
#[expect(missing_debug_implementations, reason = "engines have none")]
pub struct Helped {
    pub engine: Box<dyn Engine>,
    pub lemmas: Arrays,
}

impl Engine for Helped {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let before = self.lemmas.solve(task, watch);
        match before.verdict {
            Verdict::Unknown(_) => after(before, self.engine.solve(task, watch)),
            _ => before,
        }
    }

    fn explore(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Option<Graph>) {
        let before = self.lemmas.solve(task, watch);
        match before.verdict {
            Verdict::Unknown(_) => {
                let (report, graph) = self.engine.explore(task, watch);
                (after(before, report), graph)
            }
            _ => (before, None),
        }
    }
}

/// The engine's own answer, after there was none with lemmas.
fn after(before: Report, mut own: Report) -> Report {
    let Statistics { probes, steps, refinements, queries, guesses, .. } = before.statistics;
    own.statistics.probes += probes;
    own.statistics.steps += steps;
    own.statistics.refinements += refinements;
    own.statistics.queries += queries;
    own.statistics.guesses += guesses;
    // That lemmas are refused is to be told.
    let refused = matches!(before.verdict, Verdict::Unknown(Why::ExcludedRun { .. }));
    if refused && matches!(own.verdict, Verdict::Unknown(_)) {
        own.verdict = before.verdict;
    }
    own
}
