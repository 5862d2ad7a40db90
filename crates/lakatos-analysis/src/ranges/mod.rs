//! Which numbers variables can be: intervals and lowest bits, by abstract interpretation of the whole program, without
//! a solver. It takes time linear in the program (but for widening), so it is what comes first where
//! the program is large; what it says is a guess for whoever proves, and the checker looks at it.
//!
//! Procedures are entered in one state, which includes those of all their calls. At loop heads and
//! entries that keep growing a bound goes to the next constant of the program, then to the end of the type
//! (*widening*); in the end all states are computed once more from each other, which takes back what
//! went too far (*narrowing*). Every state on the way down includes what is computed from it, so the
//! result is inductive.

mod number;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_encode::machine::Interval;
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::{Effects, ModSets};
use lakatos_ir::{
    Call, Cfa, EdgeId, ExprKind, Id, Instr, LocId, PlaceKind, ProcId, Program, SignedOverflow,
    VarId,
};
use lakatos_logic::number::Int;
use rustc_hash::FxHashMap;

pub use self::number::{Low, Number};
use self::state::{Meaning, State, is_followed};

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
        let state = self.states.get(&(proc, loc)).into_iter();
        let numbers = state.flat_map(|state| &state.numbers);
        let mut known: Vec<_> = numbers.map(|(var, number)| (*var, number.clone())).collect();
        known.sort_unstable_by_key(|(var, _)| *var);
        known
    }
}

/// A procedure and its place in the order of work: callees before callers.
struct Body<'p> {
    cfa: &'p Cfa,
    rank: usize,
    /// Of each location, its number in reverse postorder.
    order: Vec<usize>,
    /// The locations in that order; those that no edge leads to are missing.
    sorted: Vec<LocId>,
    /// Where states may grow without end.
    heads: BTreeSet<LocId>,
}

struct Search<'p> {
    meaning: Meaning<'p>,
    calls: CallGraph,
    mods: ModSets,
    bodies: BTreeMap<ProcId, Body<'p>>,
    /// The procedures of the ranks.
    ranked: Vec<ProcId>,
    /// Where each procedure is called.
    callers: BTreeMap<ProcId, Vec<(ProcId, EdgeId)>>,
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
        let calls = CallGraph::new(program);
        let mods = ModSets::new(program, &calls);
        let ranked: Vec<ProcId> = calls
            .bottom_up()
            .flatten()
            .filter(|proc| program.procs[*proc].body.is_some() && calls.is_reachable(*proc))
            .collect();
        let mut bodies = BTreeMap::new();
        let mut callers: BTreeMap<ProcId, Vec<(ProcId, EdgeId)>> = BTreeMap::new();
        for (rank, proc) in ranked.iter().enumerate() {
            let cfa = program.procs[*proc].body.as_ref().expect("those without were left out");
            bodies.insert(*proc, Body::new(cfa, rank, calls.is_recursive(*proc)));
            for site in calls.sites(*proc) {
                for target in &site.targets {
                    callers.entry(*target).or_default().push((*proc, site.edge));
                }
            }
        }
        Search {
            meaning: Meaning::new(program, signed_overflow),
            thresholds: thresholds(program),
            calls,
            mods,
            bodies,
            ranked,
            callers,
            states: BTreeMap::new(),
            grown: FxHashMap::default(),
            work: BTreeSet::new(),
        }
    }

    /// Until nothing grows any more.
    fn rise(&mut self) {
        let program = self.meaning.program;
        let entry = self.bodies[&program.start].cfa.entry;
        self.states.insert((program.start, entry), State::default());
        self.push(program.start, entry);
        while let Some((rank, order)) = self.work.pop_first() {
            let proc = self.ranked[rank];
            let (cfa, loc) = (self.bodies[&proc].cfa, self.bodies[&proc].sorted[order]);
            for &edge in &cfa.locs[loc].out {
                let state = &self.states[&(proc, loc)];
                let entries = self.entries(proc, edge, state);
                let after = self.after(proc, edge, state);
                for (callee, entry) in entries {
                    self.reach(callee, self.bodies[&callee].cfa.entry, entry);
                }
                if let Some(after) = after {
                    self.reach(proc, cfa.edges[edge].to, after);
                }
            }
        }
    }

    fn push(&mut self, proc: ProcId, loc: LocId) {
        let body = &self.bodies[&proc];
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
                if self.bodies[&proc].heads.contains(&loc) {
                    let grown = self.grown.entry(at).or_default();
                    widen(self.meaning.program, known, &before, grown, &self.thresholds);
                }
            }
        }
        self.push(proc, loc);
        if loc == self.bodies[&proc].cfa.exit {
            for (caller, edge) in self.callers.get(&proc).cloned().unwrap_or_default() {
                let from = self.bodies[&caller].cfa.edges[edge].from;
                if self.states.contains_key(&(caller, from)) {
                    self.push(caller, from);
                }
            }
        }
    }

    /// Computes every state from the others, callers first.
    fn descend(&mut self) {
        for proc in self.ranked.clone().into_iter().rev() {
            for number in 0..self.bodies[&proc].sorted.len() {
                let loc = self.bodies[&proc].sorted[number];
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
        let cfa = self.bodies[&proc].cfa;
        if loc == cfa.entry {
            if proc == self.meaning.program.start {
                add(State::default());
            }
            for (caller, edge) in self.callers.get(&proc).into_iter().flatten() {
                let from = self.bodies[caller].cfa.edges[*edge].from;
                let Some(state) = self.states.get(&(*caller, from)) else { continue };
                let entries = self.entries(*caller, *edge, state).into_iter();
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

    /// How an edge enters procedures that have a body.
    fn entries(&self, proc: ProcId, edge: EdgeId, state: &State) -> Vec<(ProcId, State)> {
        let program = self.meaning.program;
        let Instr::Call(call) = &self.bodies[&proc].cfa.edges[edge].instr else { return vec![] };
        let targets = self.calls.targets(proc, edge).iter().copied();
        let entered = |target: ProcId| {
            let mut entry = state.clone();
            entry.numbers.retain(|var, _| program.vars[*var].kind.frame().is_none());
            for (param, arg) in program.procs[target].params.iter().zip(&call.args) {
                if let (Some(ty), Some(number)) =
                    (is_followed(program, *param), self.meaning.number(state, *arg))
                {
                    entry.set(*param, ty, number.converted(ty));
                }
            }
            (target, entry)
        };
        targets.filter(|target| self.bodies.contains_key(target)).map(entered).collect()
    }

    /// The state after an edge, if it can be taken.
    fn after(&self, proc: ProcId, edge: EdgeId, state: &State) -> Option<State> {
        let program = self.meaning.program;
        let instr = &self.bodies[&proc].cfa.edges[edge].instr;
        let mut after = state.clone();
        match instr {
            Instr::Skip => {}
            Instr::Assume(condition) => {
                self.meaning.learn(&mut after, *condition, true).ok()?;
            }
            Instr::Call(call) => return self.returned(proc, edge, call, state),
            _ => {
                Effects::of_instr(program, proc, instr)
                    .writes
                    .vars
                    .into_iter()
                    .for_each(|var| after.forget(var));
                let assigned = match instr {
                    Instr::Assign(place, value) => match program.places[*place].kind {
                        PlaceKind::Var(var) => Some((var, *value)),
                        _ => None,
                    },
                    Instr::Return(Some(value)) => {
                        program.procs[proc].result.map(|result| (result, *value))
                    }
                    _ => None,
                };
                if let Some((var, value)) = assigned
                    && let Some(ty) = is_followed(program, var)
                    && let Some(number) = self.meaning.number(state, value)
                {
                    after.set(var, ty, number);
                }
            }
        }
        Some(after)
    }

    /// The state after a call: what callees leave in what they may change.
    fn returned(&self, proc: ProcId, edge: EdgeId, call: &Call, state: &State) -> Option<State> {
        let program = self.meaning.program;
        let written = self.mods.of_edge(program, &self.calls, proc, edge).writes.vars;
        let mut after = state.clone();
        written.iter().for_each(|var| after.forget(*var));
        let targets = self.calls.targets(proc, edge);
        if targets.is_empty() || targets.iter().any(|t| program.procs[*t].body.is_none()) {
            return Some(after);
        }
        let mut all: Option<State> = None;
        for target in targets {
            let Some(exit) = self.states.get(&(*target, self.bodies[target].cfa.exit)) else {
                continue;
            };
            let changed = &self.mods.of_proc(*target).writes.vars;
            let mut left = after.clone();
            for var in written.iter().filter(|v| program.vars[**v].kind.frame().is_none()) {
                let Some(ty) = is_followed(program, *var) else { continue };
                let from = if changed.contains(var) { exit } else { state };
                left.set(*var, ty, from.get(*var, ty));
            }
            let result =
                program.procs[*target].result.filter(|v| is_followed(program, *v).is_some());
            if let Some(place) = call.result
                && let PlaceKind::Var(var) = program.places[place].kind
                && let Some(ty) = is_followed(program, var)
            {
                left.forget(var);
                if let Some(result) = result {
                    left.set(var, ty, exit.get(result, ty));
                }
            }
            include(&mut all, left);
        }
        all
    }

    fn finish(self) -> Ranges {
        let mut never = BTreeSet::new();
        for (proc, body) in &self.bodies {
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

impl<'p> Body<'p> {
    fn new(cfa: &'p Cfa, rank: usize, is_recursive: bool) -> Body<'p> {
        let loops = Loops::new(cfa);
        let exit = is_recursive.then_some(cfa.exit);
        let heads = loops.cut_points().iter().copied().chain([cfa.entry]).chain(exit).collect();
        let sorted = reverse_postorder(cfa);
        let mut order = vec![usize::MAX; cfa.locs.len()];
        for (number, loc) in sorted.iter().enumerate() {
            order[loc.index()] = number;
        }
        Body { cfa, rank, order, sorted, heads }
    }
}

fn reverse_postorder(cfa: &Cfa) -> Vec<LocId> {
    let mut seen = BTreeSet::from([cfa.entry]);
    let mut done = Vec::new();
    let mut stack: Vec<(LocId, Vec<LocId>)> =
        vec![(cfa.entry, cfa.successors(cfa.entry).collect())];
    while let Some((loc, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => {
                stack.push((next, cfa.successors(next).collect()));
            }
            Some(_) => {}
            None => {
                done.push(*loc);
                stack.pop();
            }
        }
    }
    done.reverse();
    done
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
    state.numbers.retain(|var, number| {
        let (Some(old), Some(ty)) = (before.numbers.get(var), is_followed(program, *var)) else {
            return true;
        };
        let (range, old) = (&mut number.range, &old.range);
        if range == old {
            return true;
        }
        let grown = grown.entry(*var).or_default();
        *grown += 1;
        if *grown <= PATIENCE {
            return true;
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
        *number != Number::of(ty)
    });
}
