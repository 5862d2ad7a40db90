//! Stack-CEGAR: interprocedural abstraction refinement with stack abstraction (stack-abstraction
//! thesis, chapters 2, 4 and 5; DESIGN.md 6.1).

use lakatos_analysis::cegar::{self, Inputs, Options, Outcome, Progress, Prune, cegar};
use lakatos_analysis::core::{Cx, Domain, Explorer, Pop, Search, Stop};
use lakatos_analysis::domain::explicit::{self, Bounds, Explicit};
use lakatos_analysis::domain::{Abstracts, Granularity, Predicate, Product};
use lakatos_analysis::initial::Initial;
use lakatos_analysis::semantics::Semantics;
use lakatos_check::{Verdict, Why};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_logic::interpolate::Strategy;
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Terms;

use crate::graph::{Graph, describe};
use crate::judge::{judge, replay};
use crate::prepare::Prepared;
use crate::probe::probe;
use crate::proof::Projection;
use crate::{Engine, Report, Statistics, Task, Watch};

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
    /// Of each query.
    pub limits: Limits,
}

impl Default for StackCegar {
    fn default() -> Self {
        StackCegar {
            probe: true,
            domain: Kind::default(),
            explicit: explicit::Settings::default(),
            initial: Initial::Empty,
            abstracts: Abstracts::Boolean,
            granularity: Granularity::Location,
            search: Search::Bfs,
            strategy: Strategy::Auto,
            pop: Pop::Summary,
            prune: Prune::Lazy,
            limits: Limits::default(),
        }
    }
}

impl Engine for StackCegar {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        self.run(task, watch, None)
    }
}

/// What it took, as far as the domain knows.
trait Measured {
    fn measure(&self, statistics: &mut Statistics);
}

impl Measured for Predicate {
    fn measure(&self, statistics: &mut Statistics) {
        statistics.predicates = self.size();
        statistics.queries += self.statistics().queries;
    }
}

impl Measured for Explicit {
    fn measure(&self, statistics: &mut Statistics) {
        (statistics.variables, statistics.dropped) = self.sizes();
        statistics.queries += self.queries();
    }
}

impl Measured for Product {
    fn measure(&self, statistics: &mut Statistics) {
        self.explicit.measure(statistics);
        self.predicate.measure(statistics);
    }
}

impl StackCegar {
    /// As [`Engine::solve`], without probes, and the graph that the run ends with.
    pub fn solve_and_show(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Graph) {
        let mut graph = Graph::default();
        let report = self.run(task, watch, Some(&mut graph));
        (report, graph)
    }

    fn run(&self, task: &Task<'_>, watch: &mut dyn Watch, shown: Option<&mut Graph>) -> Report {
        let predicate = Predicate::new(self.abstracts, self.granularity);
        match self.domain {
            Kind::Explicit => self.run_with(task, watch, shown, Explicit::new(self.explicit)),
            Kind::Predicate => self.run_with(task, watch, shown, predicate),
            Kind::Product => {
                // What has too many values has predicates to turn to.
                let settings = explicit::Settings { bounds: Bounds::default(), ..self.explicit };
                let domain = Product::new(Explicit::new(settings), predicate);
                self.run_with(task, watch, shown, domain)
            }
        }
    }

    /// `shown` becomes the graph, if anybody wants to see it.
    fn run_with<D: Domain + Measured>(
        &self,
        task: &Task<'_>,
        watch: &mut dyn Watch,
        shown: Option<&mut Graph>,
        domain: D,
    ) -> Report {
        let prepared = Prepared::new(task.program, task.property);
        let machine = Machine::new(Encoding::Int, task.signed_overflow);
        let smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        let mut statistics = Statistics::default();
        if self.probe
            && shown.is_none()
            && let Some(verdict) = probe(task, &prepared, &mut statistics, watch)
        {
            return Report { verdict, statistics };
        }
        let semantics = Semantics::new(&prepared.reduced, machine);
        let mut cx = Cx { terms: Terms::new(), smt, semantics };
        let mut explorer = Explorer::new(&prepared.reduced, domain, self.pop, self.search);
        let options = Options {
            strategy: self.strategy,
            prune: self.prune,
            initial: self.initial,
            ..Options::default()
        };
        let outcome = cegar(&mut cx, &mut explorer, options, |progress: Progress| {
            statistics.refinements = progress.refinements;
            statistics.nodes = progress.nodes;
            watch.progress(statistics)
        });
        statistics.nodes = explorer.arg.nodes.len();
        statistics.popped = explorer.pops;
        explorer.domain.measure(&mut statistics);
        if let Some(shown) = shown {
            *shown = describe(&mut cx, &mut explorer);
        }
        let verdict = match outcome {
            Outcome::Safe => {
                let mut projection =
                    Projection::new(task.into(), &prepared, &mut cx, &mut explorer);
                judge(task, &mut projection, watch)
            }
            Outcome::Feasible { inputs, .. } => replay(task, &prepared, &inputs),
            // What is too long for formulas may need no inputs at all.
            Outcome::Unknown(why @ cegar::Why::TooLong(_)) => {
                match replay(task, &prepared, &Inputs::new()) {
                    Verdict::Refuted(refutation) => Verdict::Refuted(refutation),
                    _ => Verdict::Unknown(reason(why)),
                }
            }
            Outcome::Unknown(why) => Verdict::Unknown(reason(why)),
        };
        Report { verdict, statistics }
    }
}

pub(crate) fn reason(why: cegar::Why) -> Why {
    match why {
        cegar::Why::NoProgress => Why::NoProgress,
        cegar::Why::Stopped(Stop::Solver(reason)) => match reason {
            Reason::Time => Why::TimeLimit,
            Reason::Memory => Why::MemoryLimit,
            Reason::Cancelled => Why::Cancelled,
            other => Why::SolverGaveUp { reason: other.to_string() },
        },
        other => Why::Refinement { reason: other.to_string() },
    }
}
