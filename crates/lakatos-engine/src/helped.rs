//! Engines with lemmas of the user (lemma thesis; DESIGN.md 6.5). Most engines know arrays as memory, of
//! which no lemma speaks. With lemmas each of them looks first for predicates over words, where arrays
//! are values, in its own way ([`Means`](crate::Means)): predicate abstraction or Horn clauses. Without
//! an answer it does what it always does.

use lakatos_check::Verdict;

use crate::{Arrays, Engine, Report, Task, Watch};

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
        if !matches!(before.verdict, Verdict::Unknown(_)) {
            return before;
        }
        let mut report = self.engine.solve(task, watch);
        report.statistics.refinements += before.statistics.refinements;
        report.statistics.queries += before.statistics.queries;
        report.statistics.guesses += before.statistics.guesses;
        report
    }
}
