//! Ranges by cases: what variables can be together, where the constants that they are compared with
//! tell cases apart.
//!
//! A state machine is written with comparisons: `state == 3`, `level > 100`. Numbers that no
//! comparison of a variable with a constant tells apart are a *class*. At each location there is one
//! state for each way in which ranges begin and end in classes; states of one way are joined, and what
//! grows for long grows to the end of its class, so there are finitely many. Conditions are taken apart,
//! so of `x == 1 || x == 2` there are two states.
//!
//! Not all variables tell states apart, which would be too many. Those that the program sets to constants
//! do, as machines do with their states; others begin to where a way to an error is no run since they would have had to
//! change (`lesson`).
//!
//! Whether a procedure was entered in one state or another is not followed: it leaves in any state in
//! which it can be left.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::arena::Arena;
use lakatos_ir::live::live;
use lakatos_ir::{Call, EdgeId, Id, Instr, LocId, ProcId, Program, SignedOverflow, VarId};
use lakatos_logic::smt::Reason;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cuts::{Cuts, Key};
use super::number::Number;
use super::state::{Change, State, is_followed};
use super::steps::Steps;

/// So often a range may grow before it grows to the end of its class.
const PATIENCE: u32 = 20;
/// Where there are more states, other engines do better.
const MOST_STATES: usize = 400_000;
/// How often variables that tell states apart may be added.
const MOST_LESSONS: usize = 40;
/// Steps between two looks at whoever watches.
const LOOK: usize = 100;

/// What is known of variables in one case.
pub type Case = BTreeMap<VarId, Number>;

/// What variables can be together at locations.
#[derive(Debug)]
pub struct Cases {
    states: BTreeMap<(ProcId, LocId), Vec<State>>,
}

/// How much is said of a number where loops and procedures begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// The classes that it is in: the program's own words, which are easily checked.
    Classes,
    /// The numbers in its classes that it can be.
    Numbers,
}

/// Why there are none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoCases {
    /// An error is not excluded.
    Open,
    /// There are too many.
    TooMany,
    /// Whoever watches has ended it.
    Ended(Reason),
}

impl Cases {
    /// Of a program without blocks, whose errors they exclude. `look` hears how many steps were made.
    pub fn new(
        program: &Program,
        signed_overflow: SignedOverflow,
        grain: Grain,
        look: &mut dyn FnMut(usize) -> Result<(), Reason>,
    ) -> Result<Cases, NoCases> {
        let mut search = Search::new(program, signed_overflow, grain);
        for _ in 0..=MOST_LESSONS {
            match search.run(look) {
                Ok(()) => {
                    let states = search.places.into_iter().map(|(at, place)| (at, place.states));
                    return Ok(Cases { states: states.collect() });
                }
                Err(Stop::Open(via)) => {
                    let lesson = search.lesson(via);
                    if !search.cuts.tell(lesson) {
                        return Err(NoCases::Open);
                    }
                    search.forget();
                }
                Err(Stop::TooMany) => return Err(NoCases::TooMany),
                Err(Stop::Ended(reason)) => return Err(NoCases::Ended(reason)),
            }
        }
        Err(NoCases::Open)
    }

    /// How many states there are, at all locations.
    pub fn states(&self) -> usize {
        self.states.values().map(Vec::len).sum()
    }

    /// What is known of variables in the cases at a location, as few as say the same; there are none
    /// where no run gets to.
    pub fn at(&self, proc: ProcId, loc: LocId) -> Vec<Case> {
        let states = self.states.get(&(proc, loc)).into_iter().flatten();
        let mut cases: Vec<Case> =
            states.map(|state| state.iter().map(|(var, n)| (var, n.clone())).collect()).collect();
        let vars: BTreeSet<VarId> = cases.iter().flat_map(|case| case.keys().copied()).collect();
        for var in vars {
            cases = merged(cases, var);
        }
        cases
    }
}

/// Cases that differ in one variable alone, as one where its ranges are next to each other.
fn merged(cases: Vec<Case>, var: VarId) -> Vec<Case> {
    let mut groups: Vec<(Case, Vec<Option<Number>>)> = Vec::new();
    let mut places: FxHashMap<Case, usize> = FxHashMap::default();
    for mut case in cases {
        let number = case.remove(&var);
        let place = *places.entry(case).or_insert_with_key(|case| {
            groups.push((case.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(number);
    }
    let mut merged = Vec::new();
    for (rest, numbers) in groups {
        // Where nothing is known in one of the cases, nothing is.
        let Some(mut numbers) = numbers.into_iter().collect::<Option<Vec<Number>>>() else {
            merged.push(rest);
            continue;
        };
        numbers.sort_by(|a, b| a.range.low.cmp(&b.range.low));
        let mut parts: Vec<Number> = Vec::new();
        for number in numbers {
            match parts.last_mut().and_then(|last| Some((last.together(&number)?, last))) {
                Some((both, last)) => *last = both,
                None => parts.push(number),
            }
        }
        for part in parts {
            let mut case = rest.clone();
            case.insert(var, part);
            merged.push(case);
        }
    }
    merged
}

/// A procedure, a location in it, and the number of a state there.
pub(super) type At = (ProcId, LocId, usize);

/// How a run first gets to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Via {
    Start,
    /// An edge from a state, which enters a procedure if it is a call.
    Edge(At, EdgeId),
    /// The return to a call from a state at an exit.
    Return(At, (ProcId, EdgeId)),
}

/// Why a search has ended.
#[derive(Debug)]
pub(super) enum Stop {
    /// An error may be reached.
    Open(Via),
    TooMany,
    Ended(Reason),
}

/// The states at a location.
#[derive(Default)]
pub(super) struct Place {
    numbers: FxHashMap<Key, usize>,
    pub states: Vec<State>,
    pub via: Vec<Via>,
    /// How often their ranges have grown.
    grown: Vec<FxHashMap<VarId, u32>>,
}

/// What a call leaves as it is, in all states in which it was made.
#[derive(Default)]
struct Callers {
    seen: FxHashSet<State>,
    states: Vec<State>,
}

pub(super) struct Search<'p> {
    pub steps: Steps<'p>,
    pub cuts: Cuts,
    grain: Grain,
    /// Variables of procedures that are read later.
    live: BTreeMap<ProcId, Arena<LocId, BTreeSet<VarId>>>,
    pub places: BTreeMap<(ProcId, LocId), Place>,
    /// By call.
    callers: FxHashMap<(ProcId, EdgeId), Callers>,
    /// Rank of the procedure, order of the location, number of the state.
    work: BTreeSet<(usize, usize, usize)>,
    states: usize,
    /// Edges that were followed, and returns from calls.
    count: usize,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, signed_overflow: SignedOverflow, grain: Grain) -> Search<'p> {
        let steps = Steps::new(program, signed_overflow);
        let live = steps.bodies.iter().map(|(proc, body)| (*proc, live(program, *proc, body.cfa)));
        Search {
            live: live.collect(),
            cuts: Cuts::new(steps.meaning),
            grain,
            steps,
            places: BTreeMap::new(),
            callers: FxHashMap::default(),
            work: BTreeSet::new(),
            states: 0,
            count: 0,
        }
    }

    /// To begin anew.
    fn forget(&mut self) {
        self.places.clear();
        self.callers.clear();
        self.work.clear();
        self.states = 0;
    }

    fn run(&mut self, look: &mut dyn FnMut(usize) -> Result<(), Reason>) -> Result<(), Stop> {
        let (start, entry) = self.steps.start();
        self.reach((start, entry), State::default(), Via::Start)?;
        let mut looked = self.count;
        while let Some((rank, order, number)) = self.work.pop_first() {
            let proc = self.steps.ranked[rank];
            let body = &self.steps.bodies[&proc];
            let (cfa, loc) = (body.cfa, body.sorted[order]);
            let state = self.places[&(proc, loc)].states[number].clone();
            if self.count >= looked + LOOK {
                looked = self.count;
                look(self.count).map_err(Stop::Ended)?;
            }
            let at = (proc, loc, number);
            if loc == cfa.exit {
                self.leave(at, &state)?;
            }
            for &edge in &cfa.locs[loc].out {
                self.count += 1;
                let to = (proc, cfa.edges[edge].to);
                if let Instr::Call(call) = self.steps.instr(proc, edge) {
                    self.call(at, edge, call, &state)?;
                    continue;
                }
                for after in self.after(proc, edge, &state) {
                    self.reach(to, after, Via::Edge(at, edge))?;
                }
            }
        }
        Ok(())
    }

    /// The states after an edge that is no call.
    pub fn after(&self, proc: ProcId, edge: EdgeId, state: &State) -> Vec<State> {
        let meaning = self.steps.meaning;
        let instr = self.steps.instr(proc, edge);
        if let Instr::Assume(condition) = instr {
            return meaning.cases(state, *condition, true);
        }
        let mut rest = state.clone();
        let Some((var, value)) = self.steps.assigned(proc, edge, &mut rest) else {
            return vec![rest];
        };
        let ty = is_followed(meaning.program, var).expect("it is assigned a number");
        let mut after = Vec::new();
        for (mut state, number) in meaning.values(state, value) {
            self.steps.assigned(proc, edge, &mut state);
            if let Some(number) = number {
                state.set(var, ty, number);
            }
            after.push(state);
        }
        after
    }

    fn call(&mut self, at: At, edge: EdgeId, call: &Call, state: &State) -> Result<(), Stop> {
        let (proc, ..) = at;
        for (callee, entry) in self.steps.entries(proc, edge, state) {
            let to = (callee, self.steps.bodies[&callee].cfa.entry);
            self.reach(to, entry, Via::Edge(at, edge))?;
        }
        let to = (proc, self.steps.bodies[&proc].cfa.edges[edge].to);
        let Some(targets) = self.steps.targets(proc, edge).map(<[ProcId]>::to_vec) else {
            return match self.steps.called(proc, edge, state) {
                Some(after) => self.reach(to, after, Via::Edge(at, edge)),
                None => Ok(()),
            };
        };
        let mut kept = self.steps.untouched(proc, edge, &targets, state);
        self.bury(to, &mut kept);
        let known = self.callers.entry((proc, edge)).or_default();
        if !known.seen.insert(kept.clone()) {
            return Ok(());
        }
        known.states.push(kept.clone());
        for target in targets {
            let (_, exit) = self.steps.exit(target);
            let exits = self.places.get(&(target, exit)).map_or(&[][..], |place| &place.states);
            let back = |exit| self.steps.returned((proc, edge), call, &kept, (target, exit));
            let states: Vec<State> = exits.iter().map(back).collect();
            for (number, after) in states.into_iter().enumerate() {
                self.count += 1;
                self.reach(to, after, Via::Return((target, exit, number), (proc, edge)))?;
            }
        }
        Ok(())
    }

    /// A procedure is left in this state, for all that have called it.
    fn leave(&mut self, at: At, exit: &State) -> Result<(), Stop> {
        let (proc, ..) = at;
        for (caller, edge) in self.steps.callers(proc).to_vec() {
            let Instr::Call(call) = self.steps.instr(caller, edge) else { continue };
            if self.steps.targets(caller, edge).is_none() {
                continue;
            }
            let to = (caller, self.steps.bodies[&caller].cfa.edges[edge].to);
            let known = self.callers.get(&(caller, edge)).map_or(&[][..], |known| &known.states);
            let back = |kept| self.steps.returned((caller, edge), call, kept, (proc, exit));
            let states: Vec<State> = known.iter().map(back).collect();
            for after in states {
                self.count += 1;
                self.reach(to, after, Via::Return(at, (caller, edge)))?;
            }
        }
        Ok(())
    }

    /// Forgets what is not read any more.
    fn bury(&self, (proc, loc): (ProcId, LocId), state: &mut State) {
        let program = self.steps.meaning.program;
        let live = &self.live[&proc][loc];
        let result = program.procs[proc].result;
        state.retain(|var| {
            program.vars[var].kind.frame().is_none() || live.contains(&var) || Some(var) == result
        });
    }

    /// A run may get to a location in this state, too.
    fn reach(
        &mut self,
        (proc, loc): (ProcId, LocId),
        mut state: State,
        via: Via,
    ) -> Result<(), Stop> {
        let body = &self.steps.bodies[&proc];
        if body.cfa.locs[loc].error.is_some() {
            return Err(Stop::Open(via));
        }
        self.bury((proc, loc), &mut state);
        let is_cut = body.heads.contains(&loc) || loc == body.cfa.exit;
        if is_cut && self.grain == Grain::Classes {
            self.cuts.round(self.steps.meaning.program, &mut state);
        }
        let key = self.cuts.key(&state);
        let place = self.places.entry((proc, loc)).or_default();
        let number = match place.numbers.get(&key) {
            None => {
                place.numbers.insert(key, place.states.len());
                place.states.push(state);
                place.via.push(via);
                place.grown.push(FxHashMap::default());
                self.states += 1;
                place.states.len() - 1
            }
            Some(&number) => {
                let known = &mut place.states[number];
                let before = known.clone();
                if !known.join(&state) {
                    return Ok(());
                }
                if is_cut {
                    let grown = &mut place.grown[number];
                    widen(self.steps.meaning.program, &self.cuts, known, &before, grown);
                }
                number
            }
        };
        self.work.insert((body.rank, body.order[loc.index()], number));
        match self.states > MOST_STATES {
            true => Err(Stop::TooMany),
            false => Ok(()),
        }
    }
}

/// Ranges that have grown, and not for the first time, grow to the ends of their classes.
fn widen(
    program: &Program,
    cuts: &Cuts,
    state: &mut State,
    before: &State,
    grown: &mut FxHashMap<VarId, u32>,
) {
    state.change(|var, number| {
        let (Some(old), Some(ty)) = (before.known(var), is_followed(program, var)) else {
            return Change::Keep;
        };
        if number.range == old.range {
            return Change::Keep;
        }
        let grown = grown.entry(var).or_default();
        *grown += 1;
        match *grown > PATIENCE {
            true => {
                let range = cuts.rounded(var, &number.range, ty);
                Change::to(Number { range, ..number.clone() }, ty)
            }
            false => Change::Keep,
        }
    });
}
