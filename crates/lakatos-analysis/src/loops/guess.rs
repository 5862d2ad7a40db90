//! The number of turns that a counterexample takes (loops paper, Figure 13).

use std::collections::BTreeMap;
use std::rc::Rc;

use lakatos_ir::{LocId, ProcId};
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
const MOST_TURNS: u32 = 20_000_000;

/// A run to be tried.
#[derive(Clone, Debug)]
pub(crate) struct Guess {
    pub inputs: Inputs,
    pub opaque: bool,
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
        let found = turns(cx, place.0, place.1);
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
        let acts = self.with_turns(cx, explored, acts)?;
        let trace = Trace::new(cx, explored, &acts);
        if !trace.skips.is_empty() {
            return None;
        }
        let limits = cx.smt.limits();
        cx.smt.set_limits(Limits { resources: Some(WORK), ..limits });
        let model = smallest(cx, &trace);
        cx.smt.set_limits(limits);
        let inputs = inputs(cx, &trace, &model?);
        Some(Guess { inputs, opaque: trace.opaque })
    }

    /// A counterexample with steps for the turns of its loops, where it comes to a loop first and
    /// where it leaves it. `None` if there are none, or too many.
    fn with_turns(
        &mut self,
        cx: &mut Cx<'_>,
        explored: &impl Exploration,
        acts: &[Act],
    ) -> Option<Vec<Act>> {
        let mut found = Vec::new();
        let mut steps = 0;
        for (number, act) in acts.iter().enumerate() {
            found.push(act.clone());
            let Some(to) = arrives(act) else { continue };
            if !is_border(explored, acts, number) {
                continue;
            }
            let turns = self.at(cx, explored.place(to));
            // Which of several comes first is not known.
            let rounds = if turns.len() > 1 { 2 } else { 1 };
            for _ in 0..rounds {
                for Counted { transition, times } in turns.iter() {
                    let transition = Rc::clone(transition);
                    found.push(Act::Along { transition, times: Some(*times), to });
                    steps += 1;
                }
            }
        }
        (0 < steps && steps <= MOST_STEPS).then_some(found)
    }
}

/// Where an act leads to, if anything happens.
fn arrives(act: &Act) -> Option<NodeId> {
    match act {
        Act::Step { to, .. } | Act::Enter { to, .. } | Act::Call { to, .. } => Some(*to),
        Act::Return { to } | Act::Skip { to, .. } | Act::Along { to, .. } => Some(*to),
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

/// A model with the smallest number of turns that is found.
fn smallest(cx: &mut Cx<'_>, trace: &Trace) -> Option<Assignment> {
    let counts: Vec<Term> = trace.steps.iter().flatten().filter_map(|step| step.times).collect();
    let total = cx.terms.add_all(counts, Sort::Int);
    let problem = trace.problem(cx, true);
    let mut query = problem.formulas().to_vec();
    query.push(Term::TRUE);
    let bound = query.len() - 1;
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
        query[bound] = cx.terms.and(within);
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
