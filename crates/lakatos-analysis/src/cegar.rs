//! Counterexample-guided abstraction refinement (stack-abstraction thesis, algorithm 2.1).

use lakatos_ir::{EdgeId, Id, LocId, ProcId, SiteId};
use lakatos_logic::cubes::Gap;
use lakatos_logic::interpolate::{Failure, Interpolator, Problem, Strategy};
use lakatos_logic::number::Int;
use lakatos_logic::smt::{Answer, Limits, Reason};
use lakatos_logic::term::{Assignment, Relation, Term, Terms};
use rustc_hash::FxHashMap;

use crate::core::{Cx, Domain, Exploration, Lesson, NodeId, Stop};
use crate::initial::{self, Initial};
use crate::loops::{Guess, Loops};
use crate::refine::{Act, Trace, inputs};

/// What is removed when the precision has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// What the new precision changes on the counterexample.
    #[default]
    Lazy,
    /// Everything.
    Full,
}

/// What is done about loops on counterexamples (loops paper).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Accelerate {
    /// The number of turns is solved for, and what holds in all turns is looked for.
    #[default]
    On,
    /// Only the latter.
    Invariants,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub strategy: Strategy,
    pub prune: Prune,
    pub accelerate: Accelerate,
    /// No counterexample with more steps is looked at.
    pub longest: usize,
    pub initial: Initial,
    /// Where a counterexample is too long for interpolants, variables whose values contradict each
    /// other are followed first, and not all at once.
    pub by_cores: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Auto,
            prune: Prune::Lazy,
            accelerate: Accelerate::On,
            longest: 20_000,
            initial: Initial::Empty,
            by_cores: true,
        }
    }
}

/// A value from outside: the site, and how often it was passed before.
pub type Inputs = Vec<((SiteId, u32), i128)>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No error location is reachable.
    Safe,
    /// A counterexample whose formula has a model.
    Feasible {
        inputs: Inputs,
        opaque: bool,
    },
    Unknown(Why),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    #[error("refinement made no progress")]
    NoProgress,
    #[error("refinement made no progress, since {0}")]
    Gap(Gap),
    #[error("a counterexample of more than {0} steps")]
    TooLong(usize),
    #[error("a counterexample could not be refined: {0}")]
    NoInterpolant(Failure),
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// What a run is doing, for whoever watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    pub refinements: u64,
    pub nodes: usize,
    /// Runs that were tried since closed forms of loops suggest them.
    pub guesses: u64,
}

/// A turn of the loop that ended with more known than it began with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refinement {
    /// From 1; 0 is what was known before the first counterexample.
    pub number: u64,
    /// Nodes that had been made by then.
    pub nodes: usize,
    pub how: How,
    /// Where the counterexample ends.
    pub target: Option<(ProcId, LocId)>,
    /// Its length, where it was unfolded.
    pub steps: Option<usize>,
    pub lessons: Vec<Lesson>,
}

/// What a refinement rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// The initial precision: no counterexample.
    Initially,
    /// Why the counterexample is no run.
    Contradiction,
    /// Why it is none with the values that its states know.
    Values,
    /// Why it is none with other numbers of turns of its loops.
    Turns,
    /// What always holds.
    Facts,
    /// Variables get values that contradict each other, carried from step to step: the counterexample
    /// is too long for interpolants.
    Core,
    /// All variables get values: the counterexample is too long for formulas, and nobody knows which of
    /// them would do.
    All,
    /// Variables with too many values have none any more.
    Dropped,
    /// States that had been taken for each other are told apart.
    Apart,
    /// What had been skipped is looked at.
    Skips,
}

/// Whoever runs the loop.
pub trait Host {
    /// Called now and then; an error ends the run.
    fn progress(&mut self, progress: Progress) -> Result<(), Reason>;

    /// The precision, or what is explored with it, has changed.
    fn refined(&mut self, _cx: &mut Cx<'_>, _refinement: Refinement) {}

    /// Whether a run with these inputs reaches an error. It goes around loops so often, apart from
    /// loops inside these.
    fn replays(&mut self, _inputs: &Inputs, _turns: u64) -> bool {
        false
    }

    /// What always holds at locations, as far as it is easily found. Asked once, when a
    /// counterexample goes around a loop.
    fn facts(&mut self, _cx: &mut Cx<'_>) -> Vec<((ProcId, LocId), Term)> {
        Vec::new()
    }
}

impl<F: FnMut(Progress) -> Result<(), Reason>> Host for F {
    fn progress(&mut self, progress: Progress) -> Result<(), Reason> {
        self(progress)
    }
}

/// Runs the loop to its end.
pub fn cegar(
    cx: &mut Cx<'_>,
    explorer: &mut impl Exploration,
    options: Options,
    host: &mut impl Host,
) -> Outcome {
    let mut refiner = Refiner {
        options,
        seen: FxHashMap::default(),
        loops: Loops::default(),
        guesses: 0,
        steps: None,
        has_facts: options.accelerate == Accelerate::Off,
    };
    let mut refinements = 0;
    if let Err(stop) = initial::apply(cx, explorer.domain_mut(), options.initial) {
        return Outcome::Unknown(stop.into());
    }
    let lessons = explorer.domain_mut().lessons();
    if !lessons.is_empty() {
        let (number, nodes, how) = (0, 0, How::Initially);
        host.refined(cx, Refinement { number, nodes, how, target: None, steps: None, lessons });
    }
    loop {
        let guesses = refiner.guesses;
        let mut go_on =
            |nodes| host.progress(Progress { refinements, nodes, guesses }).map_err(Stop::Solver);
        let found = explorer.explore(cx, &mut go_on);
        let target = match found {
            Ok(None) => return Outcome::Safe,
            Ok(Some(target)) => target,
            Err(stop) => return Outcome::Unknown(stop.into()),
        };
        let (nodes, place) = (explorer.made(), explorer.place(target));
        refiner.steps = None;
        match refiner.refine(cx, explorer, target, host) {
            Ok(Step::Refined(how)) => {
                refinements += 1;
                let lessons = explorer.domain_mut().lessons();
                let (number, target, steps) = (refinements, Some(place), refiner.steps);
                host.refined(cx, Refinement { number, nodes, how, target, steps, lessons });
            }
            Ok(Step::End(outcome)) => return outcome,
            Err(why) => return Outcome::Unknown(why),
        }
    }
}

/// Formulas for so many steps, or with so many parts, cost the solver more than it costs to know
/// the values of all variables, where these can be known.
const LARGE: (usize, usize) = (150, 2_000);

fn is_large(cx: &Cx<'_>, formulas: &[Term]) -> bool {
    formulas.len() > LARGE.0 || cx.terms.parts_first(formulas).len() > LARGE.1
}

/// Makes the precision see all variables, and begins anew; `false` where that is not possible.
fn learn_all(cx: &mut Cx<'_>, explorer: &mut impl Exploration) -> bool {
    let news = explorer.domain_mut().learn_all(cx);
    if news {
        explorer.restart();
    }
    news
}

/// Variables whose values, carried from step to step, contradict each other.
enum Core {
    /// They are followed from now on, and the search begins anew.
    Followed,
    /// They were followed before.
    Known,
    /// There are none, or nobody knows.
    None,
}

/// Looks for them, and makes the precision see them.
fn follow_core(
    cx: &mut Cx<'_>,
    explorer: &mut impl Exploration,
    trace: &Trace,
    plain: &Problem,
) -> Core {
    let (formulas, carried) = trace.apart(cx, plain.formulas());
    let selectors: Vec<Term> = carried.values().copied().collect();
    let limits = cx.smt.limits();
    let resources = limits.resources.map_or(PATIENCE, |most| most.min(PATIENCE));
    cx.smt.set_limits(Limits { resources: Some(resources), ..limits });
    let core = cx.smt.core(&cx.terms, &formulas, &selectors);
    cx.smt.set_limits(limits);
    let Ok(core) = core else { return Core::None };
    let mut news = false;
    for (var, _) in carried.iter().filter(|(_, selector)| core.contains(selector)) {
        let frame = cx.semantics.program.vars[*var].kind.frame();
        let proc = frame.unwrap_or(cx.semantics.program.start);
        news |= explorer.domain_mut().follow(cx, proc, *var);
    }
    match news {
        true => {
            explorer.restart();
            Core::Followed
        }
        false => Core::Known,
    }
}

/// A counterexample with the values that the states along it know.
enum Guided {
    /// Its formulas have a model with these values.
    Model(Assignment),
    /// They have none. That says nothing of runs with other values: a step may have led to
    /// several states.
    Excluded(Problem),
    Nothing,
}

/// With values in the place of variables, little is left to ask.
fn guided(cx: &mut Cx<'_>, explorer: &impl Exploration, trace: &Trace) -> Guided {
    let values = trace.values(cx, explorer).unwrap_or_default();
    if values.is_empty() {
        return Guided::Nothing;
    }
    let problem = trace.problem(cx, true);
    let formulas = cx.terms.substitute_all(problem.formulas(), &values);
    if formulas.contains(&Term::FALSE) {
        return Guided::Nothing;
    }
    match cx.smt.model(&cx.terms, &formulas) {
        (Answer::Sat, Some(mut model)) => {
            for (symbol, value) in values {
                let value = cx.terms.evaluate(value, &Assignment::default());
                model.symbols.insert(symbol, value.expect("a constant"));
            }
            Guided::Model(model)
        }
        (Answer::Unsat, _) => Guided::Excluded(problem.with_formulas(formulas)),
        _ => Guided::Nothing,
    }
}

/// Whether a counterexample is a run.
enum Decided {
    Run(Assignment),
    Contradiction(Problem),
    Unknown(Reason),
}

fn decide(cx: &mut Cx<'_>, trace: &Trace, plain: &Problem) -> Decided {
    if cx.smt.check(&cx.terms, plain.formulas()) == Answer::Unsat {
        return Decided::Contradiction(plain.clone());
    }
    let ranged = trace.problem(cx, true);
    match cx.smt.model(&cx.terms, ranged.formulas()) {
        (Answer::Unsat, _) => Decided::Contradiction(ranged),
        (Answer::Unknown(reason), _) => Decided::Unknown(reason),
        (Answer::Sat, model) => Decided::Run(model.unwrap_or_default()),
    }
}

/// What may be spent on a question that need not be answered.
const PATIENCE: u32 = 2_000_000;

fn decide_soon(cx: &mut Cx<'_>, trace: &Trace, plain: &Problem) -> Decided {
    let limits = cx.smt.limits();
    let resources = limits.resources.map_or(PATIENCE, |most| most.min(PATIENCE));
    cx.smt.set_limits(Limits { resources: Some(resources), ..limits });
    let decided = decide(cx, trace, plain);
    cx.smt.set_limits(limits);
    decided
}

/// What came of a guess.
enum Guessed {
    Run(Outcome),
    Learned,
    Nothing,
}

/// What comes of a counterexample.
enum Step {
    Refined(How),
    End(Outcome),
}

struct Refiner {
    options: Options,
    /// Of the counterexample at hand, where it was unfolded.
    steps: Option<usize>,
    /// Counterexamples that were refined, and how many nodes there were by then.
    seen: FxHashMap<Vec<(ProcId, EdgeId)>, usize>,
    loops: Loops,
    guesses: u64,
    /// The host was asked for facts, or will not be.
    has_facts: bool,
}

impl Refiner {
    fn refine(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        target: NodeId,
        host: &mut impl Host,
    ) -> Result<Step, Why> {
        if explorer.domain_mut().forgot() {
            explorer.restart();
            return Ok(Step::Refined(How::Dropped));
        }
        let longest = self.options.longest;
        let Some(acts) = explorer.unfold(target, longest) else {
            return match learn_all(cx, explorer) {
                true => Ok(Step::Refined(How::All)),
                false => Err(Why::TooLong(longest)),
            };
        };
        self.steps = Some(acts.len());
        let trace = Trace::new(cx, explorer, &acts);
        let excluded = match guided(cx, explorer, &trace) {
            Guided::Model(model) => return self.feasible(cx, explorer, &trace, &model),
            Guided::Excluded(problem) => Some(problem),
            Guided::Nothing => None,
        };
        match self.guess(cx, explorer, &acts, host)? {
            Guessed::Run(outcome) => return Ok(Step::End(outcome)),
            Guessed::Learned => return Ok(Step::Refined(How::Turns)),
            Guessed::Nothing => {}
        }
        if trace.repeats() && !self.has_facts {
            self.has_facts = true;
            if self.learn_facts(cx, explorer, host)? {
                return Ok(Step::Refined(How::Facts));
            }
        }
        let plain = trace.problem(cx, false);
        if is_large(cx, plain.formulas()) {
            let core = match self.options.by_cores {
                true => follow_core(cx, explorer, &trace, &plain),
                false => Core::None,
            };
            match core {
                Core::Followed => return Ok(Step::Refined(How::Core)),
                Core::None if learn_all(cx, explorer) => return Ok(Step::Refined(How::All)),
                // It takes more than values.
                Core::Known | Core::None => {}
            }
        }
        let decided = match excluded {
            None => decide(cx, &trace, &plain),
            Some(problem) => match decide_soon(cx, &trace, &plain) {
                Decided::Unknown(_) => {
                    if self.exclude(cx, explorer, &trace, problem, target)? {
                        return Ok(Step::Refined(How::Values));
                    }
                    decide(cx, &trace, &plain)
                }
                decided => decided,
            },
        };
        let problem = match decided {
            Decided::Run(model) => return self.feasible(cx, explorer, &trace, &model),
            Decided::Contradiction(problem) => problem,
            Decided::Unknown(reason) => return Err(Stop::Solver(reason).into()),
        };
        let problem = without_far_bounds(cx, problem);
        let (news, changed) = self.learn(cx, explorer, &trace, &problem)?;
        // The same steps may come back through nodes that are older than the precision; through
        // new ones they must not.
        let nodes = explorer.made();
        if let Some(then) = self.seen.insert(signature(&acts), nodes)
            && !news
            && changed.iter().all(|node| node.index() >= then)
        {
            let apart = explorer.tell_apart(cx, &trace)?;
            explorer.prune(cx, &[target])?;
            return match apart {
                true => Ok(Step::Refined(How::Apart)),
                false => Err(explorer.domain().gap().cloned().map_or(Why::NoProgress, Why::Gap)),
            };
        }
        self.prune(cx, explorer, &changed, target)?;
        Ok(Step::Refined(How::Contradiction))
    }

    /// A run that takes the way of a counterexample with other numbers of turns of its loops. Where
    /// that is none, why it is none is learned (loops paper, section 4.2).
    fn guess(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        acts: &[Act],
        host: &mut impl Host,
    ) -> Result<Guessed, Why> {
        if self.options.accelerate != Accelerate::On {
            return Ok(Guessed::Nothing);
        }
        let Some(Guess { constant, opaque, turns, unwound }) = self.loops.guess(cx, explorer, acts)
        else {
            return Ok(Guessed::Nothing);
        };
        self.guesses += 1;
        if host.replays(&constant, turns) {
            return Ok(Guessed::Run(Outcome::Feasible { inputs: constant, opaque }));
        }
        let Some(trace) = unwound else { return Ok(Guessed::Nothing) };
        let plain = trace.problem(cx, false);
        match decide_soon(cx, &trace, &plain) {
            Decided::Run(model) => {
                let inputs = inputs(cx, &trace, &model);
                Ok(match host.replays(&inputs, turns) {
                    true => Guessed::Run(Outcome::Feasible { inputs, opaque }),
                    false => Guessed::Nothing,
                })
            }
            Decided::Contradiction(problem) => {
                let problem = without_far_bounds(cx, problem);
                match self.learn(cx, explorer, &trace, &problem) {
                    Ok((true, _)) => {
                        explorer.restart();
                        Ok(Guessed::Learned)
                    }
                    Ok((false, _)) | Err(Why::NoInterpolant(_)) => Ok(Guessed::Nothing),
                    Err(why) => Err(why),
                }
            }
            Decided::Unknown(_) => Ok(Guessed::Nothing),
        }
    }

    /// Makes the precision see what always holds, and begins anew; `false` where it is no news.
    fn learn_facts(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        host: &mut impl Host,
    ) -> Result<bool, Why> {
        let mut news = false;
        for ((proc, loc), formula) in host.facts(cx) {
            news |= explorer.domain_mut().suppose(cx, proc, loc, formula)?;
        }
        if news {
            explorer.restart();
        }
        Ok(news)
    }

    fn prune(
        &self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        changed: &[NodeId],
        target: NodeId,
    ) -> Result<(), Why> {
        match self.options.prune {
            Prune::Lazy => explorer.prune(cx, changed)?,
            Prune::Full => explorer.restart(),
        }
        Ok(explorer.prune(cx, &[target])?)
    }

    /// Learns why a counterexample is none with the values that its states know. That excludes
    /// these states, and claims nothing. Says whether something was learned.
    fn exclude(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        trace: &Trace,
        problem: Problem,
        target: NodeId,
    ) -> Result<bool, Why> {
        let problem = without_far_bounds(cx, problem);
        match self.learn(cx, explorer, trace, &problem) {
            Ok((true, changed)) => self.prune(cx, explorer, &changed, target).map(|()| true),
            Ok((false, _)) | Err(Why::NoInterpolant(_)) => Ok(false),
            Err(why) => Err(why),
        }
    }

    /// A counterexample whose formulas have this model: a run, or one if something that was
    /// skipped can be passed so.
    fn feasible(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        trace: &Trace,
        model: &Assignment,
    ) -> Result<Step, Why> {
        if !trace.skips.is_empty() {
            explorer.forbid(cx, &trace.skips)?;
            return Ok(Step::Refined(How::Skips));
        }
        let inputs = inputs(cx, trace, model);
        Ok(Step::End(Outcome::Feasible { inputs, opaque: trace.opaque }))
    }

    /// Sums of bounds and bounds one by one, by turns where a loop was unrolled: either may go on
    /// for ever where the other is an invariant.
    fn interpolants(
        &mut self,
        cx: &mut Cx<'_>,
        trace: &Trace,
        problem: &Problem,
    ) -> Result<Vec<Term>, Why> {
        let mut interpolator = Interpolator::new(&mut cx.smt);
        if self.options.strategy == Strategy::Auto
            && self.seen.len() % 2 == 1
            && trace.repeats()
            && let Ok(found) =
                interpolator.interpolate(&mut cx.terms, problem, Strategy::Decomposed)
        {
            return Ok(found);
        }
        interpolator.interpolate(&mut cx.terms, problem, self.options.strategy).map_err(|failure| {
            match failure {
                Failure::Unknown(reason) => Why::Stopped(Stop::Solver(reason)),
                other => Why::NoInterpolant(other),
            }
        })
    }

    /// Adds what interpolants say to the precision. Says whether that is news, and gives the nodes
    /// whose state it may change.
    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        explorer: &mut impl Exploration,
        trace: &Trace,
        problem: &Problem,
    ) -> Result<(bool, Vec<NodeId>), Why> {
        let found = self.interpolants(cx, trace, problem)?;
        let mut news = false;
        let mut changed = Vec::new();
        for (at, interpolant) in found.into_iter().enumerate() {
            let Some(formula) = trace.localise(cx, at, interpolant) else { continue };
            let position = &trace.positions[at];
            if !matches!(formula, Term::TRUE | Term::FALSE) {
                news |= explorer.domain_mut().learn(cx, position.proc, position.loc, formula)?;
                changed.extend(&position.nodes);
            }
        }
        news |= explorer.domain_mut().settle(cx)?;
        if explorer.domain().spreads() {
            changed.extend(trace.nodes());
        }
        changed.sort_unstable();
        changed.dedup();
        Ok((news, changed))
    }
}

/// The edges of a counterexample.
fn signature(acts: &[Act]) -> Vec<(ProcId, EdgeId)> {
    let mut edges = Vec::new();
    let mut calls = Vec::new();
    for act in acts {
        edges.push(match act {
            Act::Step { proc, edge, .. } => (*proc, *edge),
            Act::Enter { call, .. } | Act::Skip { call, .. } => (call.caller, call.edge),
            Act::Call { call, .. } => {
                calls.push(call);
                (call.caller, call.edge)
            }
            // Where the callee ends is part of the way.
            Act::Return { .. } => {
                let call = calls.pop().expect("calls and returns match");
                (call.callee, call.edge)
            }
            Act::Jump { .. } | Act::Along { .. } => continue,
        });
    }
    edges
}

/// Bounds that are this far away are reached by counting, which no small formula describes.
const FAR: i32 = 16;

/// The problem without bounds that are far away, where it is a contradiction without them too:
/// whatever follows from less is more likely to hold in the next round of a loop.
fn without_far_bounds(cx: &mut Cx<'_>, problem: Problem) -> Problem {
    let mut formulas = Vec::with_capacity(problem.len());
    for formula in problem.formulas() {
        let conjuncts = cx.terms.conjuncts(*formula);
        let near: Vec<Term> = conjuncts.into_iter().filter(|c| !is_far(&cx.terms, *c)).collect();
        formulas.push(cx.terms.and(near));
    }
    match formulas != problem.formulas() && cx.smt.check(&cx.terms, &formulas) == Answer::Unsat {
        true => problem.with_formulas(formulas),
        false => problem,
    }
}

fn is_far(terms: &Terms, formula: Term) -> bool {
    match terms.as_comparison(formula) {
        Some((Relation::NonPositive, sum)) => {
            let far = Int::from(FAR);
            sum.constant > far || sum.constant < -far
        }
        _ => false,
    }
}
