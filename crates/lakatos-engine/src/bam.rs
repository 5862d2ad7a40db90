//! BAM: block-abstraction memoization (BAM thesis, chapters 2.4, 3 and 4; DESIGN.md 6.2). Blocks
//! are analysed once for each abstract input, and recursion is a fixpoint over what they do.

use lakatos_analysis::bam::Settings;

use crate::graph::Graph;
use crate::search::{By, search};
use crate::stack_cegar::StackCegar;
use crate::{Engine, Report, Task, Watch};

pub(crate) const BAM: &str = "bam";

/// The engine and its settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bam {
    pub blocks: Settings,
    /// Domain, refinement and limits; how states are searched and popped is not asked.
    pub abstraction: StackCegar,
}

impl Engine for Bam {
    fn name(&self) -> &'static str {
        BAM
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        search(&self.abstraction, By::Blocks(self.blocks), task, watch, None)
    }

    /// With the graphs of blocks; there are none where a probe has found the answer.
    fn explore(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Option<Graph>) {
        let (report, graph) = self.solve_and_record(task, watch);
        (report, Some(graph))
    }
}

impl Bam {
    /// As [`Engine::solve`], without probes, and the graphs of blocks that the run ends with.
    pub fn solve_and_show(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Graph) {
        let abstraction = StackCegar { probe: false, ..self.abstraction };
        Bam { abstraction, ..*self }.solve_and_record(task, watch)
    }

    fn solve_and_record(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Graph) {
        let mut graph = Graph::default();
        let by = By::Blocks(self.blocks);
        let report = search(&self.abstraction, by, task, watch, Some(&mut graph));
        (report, graph)
    }
}
