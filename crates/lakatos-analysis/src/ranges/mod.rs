//! Which numbers variables can be: intervals and lowest bits, by abstract interpretation of the whole program, without
//! a solver. It takes time linear in the program (but for widening), so it is what comes first where
//! the program is large; what it says is a guess for whoever proves, and the checker looks at it.
//!
//! Procedures are entered in one state, which includes those of all their calls. At loop heads and
//! entries that keep growing a bound goes to the next constant of the program, then to the end of the type
//! (*widening*); in the end all states are computed once more from each other, which takes back what
//! went too far (*narrowing*). Every state on the way down includes what is computed from it, so the
//! result is inductive.

mod cases;
mod choices;
mod cuts;
mod lesson;
mod number;
mod state;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_encode::machine::Interval;
use lakatos_ir::{
    Call, EdgeId, ExprKind, Id, Instr, LocId, ProcId, Program, SignedOverflow, VarId,
};
use lakatos_logic::number::Int;
use rustc_hash::FxHashMap;

pub use self::cases::{Case, Cases, Grain, NoCases};
pub use self::number::{Low, Number};
use self::state::{Change, State, is_followed};
use self::steps::Steps;

/// So often a range may grow before its bounds are widened, and before they go to the end.
const PATIENCE: u32 = 3;
const MOST: u32 = 12;
/// How often all states are computed again.
const NARROWINGS: usize = 2;

/// Where variables are at locations.
#[derive(Debug)]
pub struct Ranges {
    states: BTreeMap<(ProcId, LocId), State>,
    /// Edges that are never taken.
    never: BTreeSet<(ProcId, EdgeId)>,
}

impl Ranges {
    /// Of a program without blocks.
    pub fn new(program: &Program, signed_overflow: SignedOverflow) -> Ranges {
        let mut search = Search::new(program, signed_overflow);
        search.rise();
        for _ in 0..NARROWINGS {
            search.descend();
        }
        search.finish()
    }

    /// Whether a run may get to a location.
    pub fn is_reached(&self, proc: ProcId, loc: LocId) -> bool {
        self.states.contains_key(&(proc, loc))
    }

    /// Whether a run may take an edge.
    pub fn is_taken(&self, proc: ProcId, edge: EdgeId) -> bool {
        !self.never.contains(&(proc, edge))
    }

    /// What is known of variables at a location besides their types, in order.
    pub fn at(&self, proc: ProcId, loc: LocId) -> Vec<(VarId, Number)> {
        let state = self.states.get(&(proc, loc));
        let known = state.into_iter().flat_map(State::iter);
        known.map(|(var, number)| (var, number.clone())).collect()
    }
}

struct Search<'p> {
    steps: Steps<'p>,
    /// Constants of the program and their neighbours.
    thresholds: Vec<Int>,
    states: BTreeMap<(ProcId, LocId), State>,
    /// How often ranges of variables have grown there.
    grown: FxHashMap<(ProcId, LocId), FxHashMap<VarId, u32>>,
    /// Rank of the procedure, order of the location.
    work: BTreeSet<(usize, usize)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, signed_overflow: SignedOverflow) -> Search<'p> {
        Search {
            steps: Steps::new(program, signed_overflow),
            thresholds: thresholds(program),
            states: BTreeMap::new(),
            grown: FxHashMap::default(),
            work: BTreeSet::new(),
        }
    }

    /// Until nothing grows any more.
    fn rise(&mut self) {
        let (start, entry) = self.steps.start();
        self.states.insert((start, entry), State::default());
        self.push(start, entry);
        while let Some((rank, order)) = self.work.pop_first() {
            let proc = self.steps.ranked[rank];
            let (cfa, loc) = (self.steps.bodies[&proc].cfa, self.steps.bodies[&proc].sorted[order]);
            for &edge in &cfa.locs[loc].out {
                let state = &self.states[&(proc, loc)];
                let entries = self.steps.entries(proc, edge, state);
                let after = self.after(proc, edge, state);
                for (callee, entry) in entries {
                    self.reach(callee, self.steps.bodies[&callee].cfa.entry, entry);
                }
                if let Some(after) = after {
                    self.reach(proc, cfa.edges[edge].to, after);
                }
            }
        }
    }

    fn push(&mut self, proc: ProcId, loc: LocId) {
        let body = &self.steps.bodies[&proc];
        self.work.insert((body.rank, body.order[loc.index()]));
    }

    /// A run may get to a location in this state, too.
    fn reach(&mut self, proc: ProcId, loc: LocId, state: State) {
        let at = (proc, loc);
        match self.states.get_mut(&at) {
            None => {
                self.states.insert(at, state);
            }
            Some(known) => {
                let before = known.clone();
                if !known.join(&state) {
                    return;
                }
                if self.steps.bodies[&proc].heads.contains(&loc) {
                    let grown = self.grown.entry(at).or_default();
                    widen(self.steps.meaning.program, known, &before, grown, &self.thresholds);
                }
            }
        }
        self.push(proc, loc);
        if loc == self.steps.bodies[&proc].cfa.exit {
            for (caller, edge) in self.steps.callers(proc).to_vec() {
                let from = self.steps.bodies[&caller].cfa.edges[edge].from;
                if self.states.contains_key(&(caller, from)) {
                    self.push(caller, from);
                }
            }
        }
    }

    /// Computes every state from the others, callers first.
    fn descend(&mut self) {
        for proc in self.steps.ranked.clone().into_iter().rev() {
            for number in 0..self.steps.bodies[&proc].sorted.len() {
                let loc = self.steps.bodies[&proc].sorted[number];
                if self.states.contains_key(&(proc, loc)) {
                    match self.computed(proc, loc) {
                        Some(state) => self.states.insert((proc, loc), state),
                        None => self.states.remove(&(proc, loc)),
                    };
                }
            }
        }
    }

    /// What the states of all that lead to a location say of it.
    fn computed(&self, proc: ProcId, loc: LocId) -> Option<State> {
        let mut all: Option<State> = None;
        let mut add = |state: State| include(&mut all, state);
        let cfa = self.steps.bodies[&proc].cfa;
        if loc == cfa.entry {
            if (proc, loc) == self.steps.start() {
                add(State::default());
            }
            for (caller, edge) in self.steps.callers(proc) {
                let from = self.steps.bodies[caller].cfa.edges[*edge].from;
                let Some(state) = self.states.get(&(*caller, from)) else { continue };
                let entries = self.steps.entries(*caller, *edge, state).into_iter();
                entries.filter(|(callee, _)| *callee == proc).for_each(|(_, entry)| add(entry));
            }
        }
        for &edge in &cfa.locs[loc].into {
            if let Some(state) = self.states.get(&(proc, cfa.edges[edge].from))
                && let Some(after) = self.after(proc, edge, state)
            {
                add(after);
            }
        }
        all
    }

    /// The state after an edge, if it can be taken.
    fn after(&self, proc: ProcId, edge: EdgeId, state: &State) -> Option<State> {
        let meaning = self.steps.meaning;
        let instr = self.steps.instr(proc, edge);
        let mut after = state.clone();
        match instr {
            Instr::Assume(condition) => meaning.learn(&mut after, *condition, true).ok()?,
            Instr::Call(call) => return self.returned(proc, edge, call, state),
            _ => {
                if let Some((var, value)) = self.steps.assigned(proc, edge, &mut after)
                    && let Some(ty) = is_followed(meaning.program, var)
                    && let Some(number) = meaning.number(state, value)
                {
                    after.set(var, ty, number);
                }
            }
        }
        Some(after)
    }

    /// The state after a call: what callees leave in what they may change.
    fn returned(&self, proc: ProcId, edge: EdgeId, call: &Call, state: &State) -> Option<State> {
        let Some(targets) = self.steps.targets(proc, edge) else {
            return self.steps.called(proc, edge, state);
        };
        let mut all: Option<State> = None;
        for target in targets {
            if let Some(exit) = self.states.get(&self.steps.exit(*target)) {
                let left = self.steps.returned((proc, edge), call, state, (*target, exit));
                include(&mut all, left);
            }
        }
        all
    }

    fn finish(self) -> Ranges {
        let mut never = BTreeSet::new();
        for (proc, body) in &self.steps.bodies {
            for (edge, content) in body.cfa.edges.iter() {
                let state = self.states.get(&(*proc, content.from));
                // Whoever calls may get into the callee and never return.
                let is_taken = state.is_some_and(|state| {
                    matches!(content.instr, Instr::Call(_))
                        || self.after(*proc, edge, state).is_some()
                });
                if !is_taken {
                    never.insert((*proc, edge));
                }
            }
        }
        Ranges { states: self.states, never }
    }
}

/// What holds in all states; in none, anything does.
fn include(all: &mut Option<State>, state: State) {
    match all {
        None => *all = Some(state),
        Some(all) => {
            all.join(&state);
        }
    }
}

/// The constants of a program, and what is next to them: where comparisons change.
fn thresholds(program: &Program) -> Vec<Int> {
    let mut found = BTreeSet::new();
    for (_, expr) in program.exprs.iter() {
        if let (ExprKind::Int(value), Some(ty)) = (&expr.kind, expr.ty.as_int()) {
            let Interval { low, .. } = Interval::literal(*value, ty);
            found.extend([&low - Int::ONE, &low + Int::ONE, low]);
        }
    }
    found.into_iter().collect()
}

/// Bounds that have moved since `before`, and not for the first time, move on to the next threshold, or
/// in the end to that of the type.
fn widen(
    program: &Program,
    state: &mut State,
    before: &State,
    grown: &mut FxHashMap<VarId, u32>,
    thresholds: &[Int],
) {
    state.change(|var, number| {
        let (Some(old), Some(ty)) = (before.known(var), is_followed(program, var)) else {
            return Change::Keep;
        };
        let (mut range, old) = (number.range.clone(), &old.range);
        if range == *old {
            return Change::Keep;
        }
        let grown = grown.entry(var).or_default();
        *grown += 1;
        if *grown <= PATIENCE {
            return Change::Keep;
        }
        let thresholds = if *grown <= MOST { thresholds } else { &[] };
        let whole = Interval::of(ty);
        if range.low < old.low {
            let place = thresholds.partition_point(|t| *t <= range.low);
            let next = thresholds[..place].last().filter(|t| **t >= whole.low);
            range.low = next.cloned().unwrap_or_else(|| whole.low.clone());
        }
        if range.high > old.high {
            let place = thresholds.partition_point(|t| *t < range.high);
            let next = thresholds.get(place).filter(|t| **t <= whole.high);
            range.high = next.cloned().unwrap_or_else(|| whole.high.clone());
        }
        Change::to(Number { range, ..number.clone() }, ty)
    });
}
