//! Stack-CEGAR: interprocedural abstraction refinement with stack abstraction (stack-abstraction
//! thesis, chapters 2, 4 and 5; DESIGN.md 6.1).

use lakatos_analysis::cegar::{Accelerate, Prune};
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::explicit;
use lakatos_analysis::domain::{Abstracts, Granularity};
use lakatos_analysis::initial::Initial;
use lakatos_check::{Verdict, Why};
use lakatos_logic::interpolate::Strategy;
use lakatos_logic::smt::Limits;

use crate::graph::Graph;
use crate::search::{By, search};
use crate::{Engine, Report, Task, Watch};

/// What states are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Values of variables.
    Explicit,
    #[default]
    Predicate,
    /// Both.
    Product,
}

/// The engine and its settings.
#[derive(Clone, Copy, Debug)]
pub struct StackCegar {
    /// Whether a few concrete runs come first.
    pub probe: bool,
    /// Whether only what decides about errors is looked at. A run that is found there may be none of
    /// the program; then all of it is.
    pub slice: bool,
    pub domain: Kind,
    pub explicit: explicit::Settings,
    pub initial: Initial,
    pub abstracts: Abstracts,
    /// Of predicates.
    pub granularity: Granularity,
    pub search: Search,
    pub strategy: Strategy,
    pub pop: Pop,
    pub prune: Prune,
    pub accelerate: Accelerate,
    /// Of each query.
    pub limits: Limits,
}

impl Default for StackCegar {
    fn default() -> Self {
        StackCegar {
            probe: true,
            slice: false,
            domain: Kind::default(),
            explicit: explicit::Settings::default(),
            initial: Initial::Empty,
            abstracts: Abstracts::Boolean,
            granularity: Granularity::Location,
            search: Search::Bfs,
            strategy: Strategy::Auto,
            pop: Pop::Summary,
            prune: Prune::Lazy,
            accelerate: Accelerate::On,
            limits: Limits::default(),
        }
    }
}

impl Engine for StackCegar {
    fn name(&self) -> &'static str {
        match self.domain {
            Kind::Explicit => "cegar of values",
            Kind::Predicate | Kind::Product => "cegar",
        }
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let report = search(self, By::Stacks, task, watch, None);
        match report.verdict {
            Verdict::Unknown(Why::NotReplayed(_)) if self.slice => {
                let all = StackCegar { slice: false, probe: false, ..*self };
                search(&all, By::Stacks, task, watch, None)
            }
            _ => report,
        }
    }

    /// The graph is empty where a probe has found the answer.
    fn explore(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Option<Graph>) {
        let (report, graph) = self.solve_and_record(task, watch);
        (report, Some(graph))
    }
}

impl StackCegar {
    /// As [`Engine::solve`], without probes, and the graph that the run ends with.
    pub fn solve_and_show(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Graph) {
        StackCegar { probe: false, ..*self }.solve_and_record(task, watch)
    }

    fn solve_and_record(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Graph) {
        let mut graph = Graph::default();
        let report = search(self, By::Stacks, task, watch, Some(&mut graph));
        (report, graph)
    }
}
