//! The search of the engines that refine abstractions: states are explored by stacks or by blocks,
//! counterexamples make the precision grow, and what is found in the end is judged.

use std::mem;

use lakatos_analysis::bam::{self, Bam};
use lakatos_analysis::cegar::{
    self, Accelerate, Host, How, Inputs, Options, Outcome, Progress, Refinement, cegar,
};
use lakatos_analysis::core::{Cx, Domain, Exploration, Explorer, FrameId, NodeId, Stop};
use lakatos_analysis::domain::explicit::{self, Bounds, Explicit};
use lakatos_analysis::domain::{Predicate, Product};
use lakatos_analysis::semantics::Semantics;
use lakatos_check::{Verdict, Why};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_ir::{LocId, ProcId};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::{Term, Terms};

use crate::bam::BAM;
use crate::board::Claims;
use crate::facts::{facts, without_bounds};
use crate::graph::{Graph, describe};
use crate::history::{Event, Tell, What};
use crate::horn;
use crate::judge::{judge, replay, replay_within, verdict};
use crate::prepare::Prepared;
use crate::probe::probe;
use crate::proof::Projection;
use crate::stack_cegar::{Kind, StackCegar};
use crate::{Engine, News, Report, Statistics, Task, Watch, Worth};

/// A run that was guessed may take so many steps, and so many more for each turn around a loop,
/// but not more than these in all. Wrong guesses often do not end.
const GUESS_STEPS: u64 = 20_000_000;
const TURN_STEPS: u64 = 50;
const MOST_STEPS: u64 = 1_000_000_000;

/// After so many refinements others hear of predicates.
const FIRST_ASKED: u64 = 4;

/// How states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    Stacks,
    Blocks(bam::Settings),
}

/// Runs a search. `shown` becomes the graph, if anybody wants to see it; where a probe finds an
/// answer there is none.
pub(crate) fn search(
    settings: &StackCegar,
    by: By,
    task: &Task<'_>,
    watch: &mut dyn Watch,
    shown: Option<&mut Graph>,
) -> Report {
    let prepared = match settings.slice {
        true => Prepared::sliced(task.program, task.property),
        false => Prepared::new(task.program, task.property),
    };
    let smt = Smt::new(settings.limits);
    watch.started(smt.cancel_handle());
    let mut statistics = Statistics::default();
    if settings.probe
        && let Some(verdict) = probe(task, &prepared.instrumented, &mut statistics, watch)
    {
        return Report::new(verdict, statistics);
    }
    let machine = Machine::new(Encoding::Int, task.signed_overflow);
    let semantics = Semantics::new(&prepared.reduced, machine);
    let cx = Cx { terms: Terms::new(), smt, semantics };
    let search = Searching { settings, by, task, prepared: &prepared, watch, shown, statistics };
    let predicate = Predicate::new(settings.abstracts, settings.granularity);
    match settings.domain {
        Kind::Explicit => search.with(cx, Explicit::new(settings.explicit)),
        Kind::Predicate => search.with(cx, predicate),
        Kind::Product => {
            // What has too many values has predicates to turn to.
            let explicit = explicit::Settings { bounds: Bounds::default(), ..settings.explicit };
            search.with(cx, Product::new(Explicit::new(explicit), predicate))
        }
    }
}

/// What a program without loops and calls does: there a counterexample is one formula, whatever
/// numbers are taken for.
pub(crate) enum Straight {
    /// No run reaches an error, says the solver.
    Safe,
    /// One does, and this is what becomes of it when it is replayed.
    Reached(Verdict),
    Unknown,
}

/// Asks for a run to an error, of a program without loops and calls.
pub(crate) fn straight(
    task: &Task<'_>,
    encoding: Encoding,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Straight {
    let prepared = Prepared::with_one_end(task.program, task.property);
    let smt = Smt::new(limits);
    watch.started(smt.cancel_handle());
    let semantics = Semantics::new(&prepared.reduced, Machine::new(encoding, task.signed_overflow));
    let mut cx = Cx { terms: Terms::new(), smt, semantics };
    let StackCegar { abstracts, granularity, pop, search, .. } = StackCegar::default();
    let domain = Predicate::new(abstracts, granularity);
    let mut explorer = Explorer::new(&prepared.reduced, domain, pop, search);
    let options = Options { accelerate: Accelerate::Off, ..Options::default() };
    let mut host = |progress: Progress| match progress.refinements {
        0 => watch.progress(Statistics { nodes: progress.nodes, ..Statistics::default() }),
        // Refining is for others.
        _ => Err(Reason::Cancelled),
    };
    match cegar(&mut cx, &mut explorer, options, &mut host) {
        Outcome::Safe => Straight::Safe,
        Outcome::Feasible { inputs, .. } => Straight::Reached(replay(task, &prepared, &inputs)),
        Outcome::Unknown(_) => Straight::Unknown,
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

/// An exploration, as proofs and drawings see it.
pub(crate) trait Explored: Exploration {
    /// The nodes that are part of the graph, in the order in which they were made.
    fn nodes(&self) -> Vec<NodeId>;

    /// The frames that tell the contexts of procedures apart.
    fn contexts(&self) -> Vec<FrameId>;

    /// What the state of a node says all through the part of the graph that it is left out for,
    /// where that knows less of the same frame.
    fn unchanged(
        &mut self,
        _cx: &mut Cx<'_>,
        _node: NodeId,
    ) -> Option<<Self::Domain as Domain>::State> {
        None
    }

    fn count(&self, statistics: &mut Statistics);
}

impl<D: Domain> Explored for Explorer<'_, D> {
    fn nodes(&self) -> Vec<NodeId> {
        self.arg.alive().map(|(id, _)| id).collect()
    }

    fn contexts(&self) -> Vec<FrameId> {
        let frames = self.arg.frames.iter();
        frames.filter(|(_, frame)| self.arg.is_alive(frame.entry)).map(|(id, _)| id).collect()
    }

    fn count(&self, statistics: &mut Statistics) {
        statistics.popped = self.pops;
    }
}

impl<D: Domain> Explored for Bam<'_, D> {
    fn nodes(&self) -> Vec<NodeId> {
        self.arg.alive().map(|(id, _)| id).filter(|id| self.is_part(*id)).collect()
    }

    fn contexts(&self) -> Vec<FrameId> {
        self.bodies().collect()
    }

    fn unchanged(&mut self, cx: &mut Cx<'_>, node: NodeId) -> Option<D::State> {
        Bam::unchanged(self, cx, node)
    }

    fn count(&self, statistics: &mut Statistics) {
        statistics.blocks = self.blocks.all.len();
        statistics.bam = self.counts;
    }
}

/// The search, as the loop of refinements sees it.
struct Around<'a, 'p> {
    task: &'a Task<'p>,
    prepared: &'a Prepared,
    watch: &'a mut dyn Watch,
    /// As others call this search.
    engine: &'static str,
    /// Where somebody listens.
    tell: Option<Tell<'a>>,
    /// Predicates that others have not been told of.
    asked: Claims,
    statistics: Statistics,
    /// The last run that was tried, if it reached an error.
    refuted: Option<Verdict>,
}

impl Host for Around<'_, '_> {
    fn progress(&mut self, progress: Progress) -> Result<(), Reason> {
        self.statistics.refinements = progress.refinements;
        self.statistics.nodes = progress.nodes;
        self.statistics.guesses = progress.guesses;
        self.watch.progress(self.statistics)
    }

    fn refined(&mut self, cx: &mut Cx<'_>, refinement: Refinement) {
        self.ask_others(cx, &refinement);
        if let Some(tell) = &mut self.tell {
            let what = What::Refined(tell.refined(cx, refinement));
            self.watch.happened(Event { engine: self.engine, what });
        }
    }

    fn replays(&mut self, inputs: &Inputs, turns: u64) -> bool {
        self.statistics.guesses += 1;
        let steps = GUESS_STEPS.saturating_add(turns.saturating_mul(TURN_STEPS)).min(MOST_STEPS);
        let verdict = replay_within(self.task, self.prepared, inputs, steps);
        let found = matches!(verdict, Verdict::Refuted(_));
        self.refuted = found.then_some(verdict);
        found
    }

    fn facts(&mut self, cx: &mut Cx<'_>) -> Vec<((ProcId, LocId), Term)> {
        let mut all = facts(cx, self.prepared);
        for news in self.watch.heard() {
            for (place, formula) in news.claims.understood(cx, self.prepared) {
                let at = place.location(cx.semantics.program);
                all.push((at, without_bounds(&mut cx.terms, formula)));
            }
        }
        all
    }
}

impl Around<'_, '_> {
    /// What is needed here may be needed by others: told when there are twice as many refinements as before.
    fn ask_others(&mut self, cx: &Cx<'_>, refinement: &Refinement) {
        if !self.watch.shares() || refinement.how == How::Facts {
            return;
        }
        self.asked.ask(cx, self.prepared, &refinement.lessons);
        if refinement.number >= FIRST_ASKED
            && refinement.number.is_power_of_two()
            && !self.asked.is_empty()
        {
            let claims = mem::take(&mut self.asked);
            self.watch.tell(News { from: self.engine, worth: Worth::Asked, claims });
        }
    }
}

struct Searching<'a, 'p> {
    settings: &'a StackCegar,
    by: By,
    task: &'a Task<'p>,
    prepared: &'a Prepared,
    watch: &'a mut dyn Watch,
    shown: Option<&'a mut Graph>,
    statistics: Statistics,
}

impl<'a> Searching<'a, '_> {
    fn with<D: Domain + Measured>(self, mut cx: Cx<'a>, domain: D) -> Report {
        match self.by {
            By::Stacks => {
                let StackCegar { pop, search, .. } = *self.settings;
                let explorer = Explorer::new(&self.prepared.reduced, domain, pop, search);
                self.run(cx, explorer)
            }
            By::Blocks(settings) => {
                let bam = Bam::new(&mut cx, domain, settings);
                self.run(cx, bam)
            }
        }
    }

    fn run<E: Explored<Domain: Measured>>(mut self, mut cx: Cx<'a>, mut explored: E) -> Report {
        let options = Options {
            strategy: self.settings.strategy,
            prune: self.settings.prune,
            initial: self.settings.initial,
            accelerate: self.settings.accelerate,
            // Values alone say most if all are known.
            by_cores: self.settings.domain != Kind::Explicit,
            ..Options::default()
        };
        let Searching { task, prepared, .. } = self;
        let (watch, statistics) = (self.watch, self.statistics);
        let engine = match self.by {
            By::Stacks => self.settings.name(),
            By::Blocks(_) => BAM,
        };
        let tell = watch.listens().then(|| Tell::new(&prepared.reduced));
        let (asked, refuted) = (Claims::default(), None);
        let mut host = Around { task, prepared, watch, engine, tell, asked, statistics, refuted };
        let outcome = cegar(&mut cx, &mut explored, options, &mut host);
        let Around { watch, mut statistics, refuted, .. } = host;
        self.watch = watch;
        statistics.nodes = explored.made();
        explored.count(&mut statistics);
        explored.domain().measure(&mut statistics);
        if let Some(shown) = self.shown.take() {
            *shown = describe(&mut cx, &mut explored);
        }
        let verdict = match refuted {
            Some(verdict) => verdict,
            None => self.judged(&mut cx, &mut explored, outcome),
        };
        Report::new(verdict, statistics)
    }

    fn judged(self, cx: &mut Cx<'a>, explored: &mut impl Explored, outcome: Outcome) -> Verdict {
        let Searching { task, prepared, watch, .. } = self;
        match outcome {
            Outcome::Safe => {
                let mut projection = Projection::new(task.into(), prepared, cx, explored);
                verdict(judge(task, &mut projection, watch))
            }
            Outcome::Feasible { inputs, .. } => replay(task, prepared, &inputs),
            // What is too long for formulas may need no inputs at all.
            Outcome::Unknown(why @ cegar::Why::TooLong(_)) => {
                match replay(task, prepared, &Inputs::new()) {
                    Verdict::Refuted(refutation) => Verdict::Refuted(refutation),
                    _ => Verdict::Unknown(reason(why)),
                }
            }
            Outcome::Unknown(why) => Verdict::Unknown(reason(why)),
        }
    }
}

pub(crate) fn reason(why: cegar::Why) -> Why {
    match why {
        cegar::Why::NoProgress => Why::NoProgress,
        cegar::Why::Stopped(Stop::Solver(reason)) => horn::why(reason),
        other => Why::Refinement { reason: other.to_string() },
    }
}
