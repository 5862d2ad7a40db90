//! The number of turns that a counterexample takes (loops paper, Figure 13).

use std::collections::BTreeMap;
use std::rc::Rc;

use lakatos_ir::{Id, LocId, ProcId};
use lakatos_logic::smt::{Answer, Limits};
use lakatos_logic::term::{Assignment, Sort, Term};
use rustc_hash::FxHashMap;

use super::count::Counted;
use super::turn::turns;
use crate::cegar::Inputs;
use crate::core::{Cx, Exploration, NodeId};
use crate::refine::{Act, Trace, inputs, number};

/// Steps with turns in one counterexample.
const MOST_STEPS: usize = 16;
/// Steps of a counterexample that is looked at.
const LONGEST: usize = 200;
/// Counterexamples that differ only in how often they take their turns: the first few are looked
/// at, since turns that no closed form describes may have to come last.
const MOST_ALIKE: usize = 3;
/// Work for each query.
const WORK: u32 = 3_000_000;
/// Queries on the way to the smallest numbers.
const MOST_QUERIES: usize = 40;
/// Turns that a run takes at most, in all loops.
const MOST_TURNS: u32 = 300_000_000;
/// Inputs of such a run.
const MOST_INPUTS: u64 = 20_000_000;

/// A run to be tried.
#[derive(Debug)]
pub(crate) struct Guess {
    /// The inputs, if they are the same in every turn.
    pub constant: Inputs,
    pub opaque: bool,
    /// How often it goes around loops, those inside others not counted.
    pub turns: u64,
    /// The counterexample with all these turns, where they are not too many.
    pub unwound: Option<Trace>,
}

/// A step of a counterexample: its own, or as many turns as it takes.
#[derive(Clone, Debug)]
enum Stage {
    Own(Act),
    Turns(Counted, NodeId),
}

impl Stage {
    fn act(&self) -> Act {
        match self {
            Stage::Own(act) => act.clone(),
            Stage::Turns(Counted { transition, times, .. }, to) => {
                Act::Along { transition: Rc::clone(transition), times: Some(*times), to: *to }
            }
        }
    }
}

/// The loops of a program, as far as they have been looked at.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    known: BTreeMap<(ProcId, LocId), Rc<[Counted]>>,
    /// The counterexamples that were looked at, without what is repeated in them, and how many
    /// there were of each kind.
    seen: FxHashMap<Vec<(ProcId, LocId)>, usize>,
}

impl Loops {
    /// The turns of the loop at a location, if there is one.
    fn at(&mut self, cx: &mut Cx<'_>, place: (ProcId, LocId)) -> Rc<[Counted]> {
        if let Some(known) = self.known.get(&place) {
            return Rc::clone(known);
        }
        let found = turns(cx, &[place.0], place.1);
        let counted: Rc<[Counted]> =
            found.iter().filter_map(|turn| Counted::new(cx, turn)).collect();
        self.known.insert(place, Rc::clone(&counted));
        counted
    }

    /// A run that takes the way of a counterexample, and as few turns of the loops on it as
    /// possible. `None` if there is none, if it is not found, or if the counterexample differs
    /// from several earlier ones in how often it takes its turns only.
    pub fn guess(
        &mut self,
        cx: &mut Cx<'_>,
        explored: &impl Exploration,
        acts: &[Act],
    ) -> Option<Guess> {
        if acts.len() > LONGEST {
            return None;
        }
        let alike = self.seen.entry(shape(explored, acts)).or_default();
        *alike += 1;
        if *alike > MOST_ALIKE {
            return None;
        }
        let stages = self.with_turns(cx, explored, acts)?;
        let acts: Vec<Act> = stages.iter().map(Stage::act).collect();
        let trace = Trace::new(cx, explored, &acts);
        if !trace.skips.is_empty() {
            return None;
        }
        let limits = cx.smt.limits();
        cx.smt.set_limits(Limits { resources: Some(WORK), ..limits });
        let model = smallest(cx, &trace, &stages);
        cx.smt.set_limits(limits);
        let model = model?;
        let mut counts = Vec::new();
        let mut many = 0;
        for step in trace.steps.iter().flatten() {
            if let Some(times) = step.times {
                let count = number(cx, &model, times);
                many += count.saturating_mul(step.transition.inputs.len() as u64);
                counts.push(count);
            }
        }
        if many > MOST_INPUTS {
            return None;
        }
        let constant = inputs(cx, &trace, &model);
        let unwound = unwound(cx, explored, &stages, &counts);
        let turns = counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
        Some(Guess { constant, opaque: trace.opaque, turns, unwound })
    }

    /// A counterexample with steps for the turns of its loops, where it comes to a loop first and
    /// where it leaves it. `None` if there are none, or too many.
    fn with_turns(
        &mut self,
        cx: &mut Cx<'_>,
        explored: &impl Exploration,
        acts: &[Act],
    ) -> Option<Vec<Stage>> {
        let mut found = Vec::new();
        let mut steps = 0;
        for (number, act) in acts.iter().enumerate() {
            found.push(Stage::Own(act.clone()));
            let Some(to) = arrives(act) else { continue };
            if !is_border(explored, acts, number) {
                continue;
            }
            let turns = self.at(cx, explored.place(to));
            // Which of several comes first is not known.
            let rounds = if turns.len() > 1 { 2 } else { 1 };
            for _ in 0..rounds {
                found.extend(turns.iter().map(|turn| Stage::Turns(turn.clone(), to)));
                steps += turns.len();
            }
        }
        (0 < steps && steps <= MOST_STEPS).then_some(found)
    }
}

/// The counterexample with so many turns of each loop, one after the other. `None` if it would be
/// too long.
fn unwound(
    cx: &mut Cx<'_>,
    explored: &impl Exploration,
    stages: &[Stage],
    counts: &[u64],
) -> Option<Trace> {
    // Nodes that are not in the graph follow those that are.
    let first = explored.made();
    let mut places: Vec<(ProcId, LocId)> = Vec::new();
    let mut acts = Vec::new();
    let mut counts = counts.iter();
    for stage in stages {
        let (ways, times) = match stage {
            Stage::Own(act) => {
                acts.push(act.clone());
                continue;
            }
            Stage::Turns(counted, _) => (&counted.ways, *counts.next().expect("one for each")),
        };
        for way in (0..times).flat_map(|_| ways) {
            for act in &way.acts {
                let mut act = act.clone();
                if let Some(to) = arrives_mut(&mut act) {
                    places.push(way.place(*to));
                    *to = NodeId::from_index(first + places.len() - 1);
                }
                acts.push(act);
            }
            if acts.len() > LONGEST {
                return None;
            }
        }
    }
    let start = cx.semantics.program.start;
    let place = |node: NodeId| match node.index().checked_sub(first) {
        None => explored.place(node),
        Some(number) => places[number],
    };
    Some(Trace::within(cx, start, &acts, &place))
}

/// Where an act leads to, if anything happens.
fn arrives(act: &Act) -> Option<NodeId> {
    arrives_mut(&mut act.clone()).copied()
}

fn arrives_mut(act: &mut Act) -> Option<&mut NodeId> {
    match act {
        Act::Step { to, .. } | Act::Enter { to, .. } | Act::Call { to, .. } => Some(to),
        Act::Return { to } | Act::Skip { to, .. } | Act::Along { to, .. } => Some(to),
        Act::Jump { .. } => None,
    }
}

/// The places that a counterexample comes to, each loop's body once.
fn shape(explored: &impl Exploration, acts: &[Act]) -> Vec<(ProcId, LocId)> {
    let mut places: Vec<(ProcId, LocId)> = Vec::new();
    for to in acts.iter().filter_map(arrives) {
        let place = explored.place(to);
        match places.iter().rposition(|known| *known == place) {
            Some(at) => places.truncate(at + 1),
            None => places.push(place),
        }
    }
    places
}

/// Whether a counterexample is at its place for the first time, or for the last one before it
/// goes elsewhere for good.
fn is_border(explored: &impl Exploration, acts: &[Act], number: usize) -> bool {
    let place = |act: &Act| arrives(act).map(|to| explored.place(to));
    let here = place(&acts[number]);
    let comes = |acts: &[Act]| acts.iter().any(|act| place(act) == here);
    !comes(&acts[..number]) || !comes(&acts[number + 1..])
}

/// A model with the smallest number of turns that is found; with the same inputs in every turn,
/// if there is one.
fn smallest(cx: &mut Cx<'_>, trace: &Trace, stages: &[Stage]) -> Option<Assignment> {
    let mut same = Vec::new();
    let mut total = Vec::new();
    let turns = stages.iter().filter_map(|stage| match stage {
        Stage::Own(_) => None,
        Stage::Turns(counted, _) => Some(counted),
    });
    let taken = trace.steps.iter().flatten();
    for (step, counted) in taken.filter(|step| step.times.is_some()).zip(turns) {
        same.push(cx.terms.substitute(counted.same, &step.versions));
        total.extend(step.times);
    }
    let total = cx.terms.add_all(total, Sort::Int);
    let mut formulas = trace.problem(cx, true).formulas().to_vec();
    let same = cx.terms.and(same);
    formulas.push(same);
    match least(cx, &formulas, total) {
        None if same != Term::TRUE => {
            formulas.pop();
            least(cx, &formulas, total)
        }
        found => found,
    }
}

/// A model of formulas in which a number is as small as it is found to be, and not zero.
fn least(cx: &mut Cx<'_>, formulas: &[Term], total: Term) -> Option<Assignment> {
    let (mut least, mut most) = (1, u64::from(MOST_TURNS));
    let mut best = None;
    for _ in 0..MOST_QUERIES {
        if least > most {
            break;
        }
        // At first any number will do; then less than half of what is known to do.
        let middle = if best.is_none() { most } else { least + (most - least) / 2 };
        let (low, high) = (cx.terms.int(least), cx.terms.int(middle));
        let within = [cx.terms.le(low, total), cx.terms.le(total, high)];
        let query = [formulas, &within].concat();
        match cx.smt.model(&cx.terms, &query) {
            (Answer::Sat, Some(model)) => {
                most = number(cx, &model, total).checked_sub(1)?;
                best = Some(model);
            }
            (Answer::Unsat, _) if best.is_some() => least = middle + 1,
            _ => break,
        }
    }
    best
}
