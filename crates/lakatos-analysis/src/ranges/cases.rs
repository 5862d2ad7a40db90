//! Ranges by cases: what variables can be together, where the constants that they are compared with
//! tell cases apart.
//!
//! A state machine is written with comparisons: `state == 3`, `level > 100`. Numbers that no
//! comparison of a variable with a constant tells apart are a *class*. At each location there is one
//! state for each way in which ranges begin and end in classes; states of one way are joined, and what
//! grows for long grows to the end of its class, so there are finitely many. Conditions are taken apart,
//! so of `x == 1 || x == 2` there are two states.
//!
//! Whether a procedure was entered in one state or another is not followed: it leaves in any state in
//! which it can be left.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::arena::Arena;
use lakatos_ir::live::live;
use lakatos_ir::{
    BinOp, Call, EdgeId, ExprId, ExprKind, Id, Instr, IntType, LocId, ProcId, Program,
    SignedOverflow, UnOp, VarId,
};
use lakatos_logic::smt::Reason;
use rustc_hash::FxHashMap;

use super::cuts::{By, Cuts, Key};
use super::number::Number;
use super::state::{Meaning, State, is_followed};
use super::steps::Steps;

/// So often a range may grow before it grows to the end of its class.
const PATIENCE: u32 = 20;
/// States of a program that is one for other means.
const MOST_STATES: usize = 400_000;
/// Cases of one condition that are told apart.
const MOST_CASES: usize = 32;
/// Steps between two looks at whoever watches.
const LOOK: usize = 100;

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
        (by, grain): (By, Grain),
        look: &mut dyn FnMut(usize) -> Result<(), Reason>,
    ) -> Result<Cases, NoCases> {
        let mut search = Search::new(program, signed_overflow, by, grain);
        search.run(look)?;
        let states = search.places.into_iter().map(|(at, place)| (at, place.states));
        Ok(Cases { states: states.collect() })
    }

    /// How many states there are, at all locations.
    pub fn len(&self) -> usize {
        self.states.values().map(Vec::len).sum()
    }

    /// What is known of variables in the cases at a location, as few as say the same; there are none
    /// where no run gets to.
    pub fn at(&self, proc: ProcId, loc: LocId) -> Vec<BTreeMap<VarId, Number>> {
        let states = self.states.get(&(proc, loc)).into_iter().flatten();
        let mut cases: Vec<BTreeMap<VarId, Number>> =
            states.map(|state| state.sorted().into_iter().collect()).collect();
        let vars: BTreeSet<VarId> = cases.iter().flat_map(|case| case.keys().copied()).collect();
        for var in vars {
            cases = merged(cases, var);
        }
        cases
    }
}

/// Cases that differ in one variable alone, as one where its ranges are next to each other.
fn merged(cases: Vec<BTreeMap<VarId, Number>>, var: VarId) -> Vec<BTreeMap<VarId, Number>> {
    let mut groups: Vec<(BTreeMap<VarId, Number>, Vec<Option<Number>>)> = Vec::new();
    let mut places: FxHashMap<BTreeMap<VarId, Number>, usize> = FxHashMap::default();
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

/// The states at a location.
#[derive(Default)]
struct Place {
    numbers: FxHashMap<Key, usize>,
    states: Vec<State>,
    /// How often their ranges have grown.
    grown: Vec<FxHashMap<VarId, u32>>,
}

struct Search<'p> {
    steps: Steps<'p>,
    cuts: Cuts,
    grain: Grain,
    /// Variables of procedures that are read later.
    live: BTreeMap<ProcId, Arena<LocId, BTreeSet<VarId>>>,
    places: BTreeMap<(ProcId, LocId), Place>,
    /// What calls leave as it is, each once.
    callers: FxHashMap<(ProcId, EdgeId), Vec<State>>,
    /// Rank of the procedure, order of the location, number of the state.
    work: BTreeSet<(usize, usize, usize)>,
    states: usize,
}

impl<'p> Search<'p> {
    fn new(
        program: &'p Program,
        signed_overflow: SignedOverflow,
        by: By,
        grain: Grain,
    ) -> Search<'p> {
        let steps = Steps::new(program, signed_overflow);
        let live = steps.bodies.iter().map(|(proc, body)| (*proc, live(program, *proc, body.cfa)));
        Search {
            live: live.collect(),
            cuts: Cuts::new(steps.meaning, by),
            grain,
            steps,
            places: BTreeMap::new(),
            callers: FxHashMap::default(),
            work: BTreeSet::new(),
            states: 0,
        }
    }

    fn run(&mut self, look: &mut dyn FnMut(usize) -> Result<(), Reason>) -> Result<(), NoCases> {
        let (start, entry) = self.steps.start();
        self.reach(start, entry, State::default())?;
        let mut steps = 0;
        while let Some((rank, order, number)) = self.work.pop_first() {
            let proc = self.steps.ranked[rank];
            let body = &self.steps.bodies[&proc];
            let (cfa, loc) = (body.cfa, body.sorted[order]);
            let state = self.places[&(proc, loc)].states[number].clone();
            if loc == cfa.exit {
                self.leave(proc, &state)?;
            }
            for &edge in &cfa.locs[loc].out {
                steps += 1;
                if steps % LOOK == 0 {
                    look(steps).map_err(NoCases::Ended)?;
                }
                for after in self.after(proc, edge, &state)? {
                    self.reach(proc, cfa.edges[edge].to, after)?;
                }
            }
        }
        Ok(())
    }

    /// The states after an edge.
    fn after(&mut self, proc: ProcId, edge: EdgeId, state: &State) -> Result<Vec<State>, NoCases> {
        let meaning = self.steps.meaning;
        match self.steps.instr(proc, edge) {
            Instr::Assume(condition) => Ok(meaning.cases(state, *condition, true)),
            Instr::Call(call) => self.call(proc, edge, call, state),
            instr => {
                let mut rest = state.clone();
                let Some((var, value)) = self.steps.assigned(proc, instr, &mut rest) else {
                    return Ok(vec![rest]);
                };
                let ty = is_followed(meaning.program, var).expect("it is assigned a number");
                let mut after = Vec::new();
                for (mut state, number) in meaning.values(state, value) {
                    self.steps.assigned(proc, instr, &mut state);
                    if let Some(number) = number {
                        state.set(var, ty, number);
                    }
                    after.push(state);
                }
                Ok(after)
            }
        }
    }

    fn call(
        &mut self,
        proc: ProcId,
        edge: EdgeId,
        call: &Call,
        state: &State,
    ) -> Result<Vec<State>, NoCases> {
        for (callee, entry) in self.steps.entries(proc, edge, state) {
            self.reach(callee, self.steps.bodies[&callee].cfa.entry, entry)?;
        }
        let Some(targets) = self.steps.targets(proc, edge) else {
            return Ok(self.steps.called(proc, edge, state).into_iter().collect());
        };
        let mut kept = self.steps.untouched(proc, edge, targets, state);
        self.bury(proc, self.steps.bodies[&proc].cfa.edges[edge].to, &mut kept);
        let known = self.callers.entry((proc, edge)).or_default();
        if known.contains(&kept) {
            return Ok(Vec::new());
        }
        known.push(kept.clone());
        let mut after = Vec::new();
        for target in targets {
            if let Some(place) = self.places.get(&self.steps.exit(*target)) {
                for exit in &place.states {
                    after.push(self.steps.returned((proc, edge), call, &kept, (*target, exit)));
                }
            }
        }
        Ok(after)
    }

    /// A procedure is left in this state, for all that have called it.
    fn leave(&mut self, proc: ProcId, exit: &State) -> Result<(), NoCases> {
        for &(caller, edge) in &self.steps.callers(proc).to_vec() {
            let Instr::Call(call) = self.steps.instr(caller, edge) else { continue };
            if self.steps.targets(caller, edge).is_none() {
                continue;
            }
            let to = self.steps.bodies[&caller].cfa.edges[edge].to;
            for kept in self.callers.get(&(caller, edge)).cloned().unwrap_or_default() {
                let after = self.steps.returned((caller, edge), call, &kept, (proc, exit));
                self.reach(caller, to, after)?;
            }
        }
        Ok(())
    }

    /// Forgets what is not read any more.
    fn bury(&self, proc: ProcId, loc: LocId, state: &mut State) {
        let program = self.steps.meaning.program;
        let live = &self.live[&proc][loc];
        let result = program.procs[proc].result;
        state.numbers.retain(|var, _| {
            program.vars[*var].kind.frame().is_none() || live.contains(var) || Some(*var) == result
        });
    }

    /// A run may get to a location in this state, too.
    fn reach(&mut self, proc: ProcId, loc: LocId, mut state: State) -> Result<(), NoCases> {
        let body = &self.steps.bodies[&proc];
        if body.cfa.locs[loc].error.is_some() {
            return Err(NoCases::Open);
        }
        self.bury(proc, loc, &mut state);
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
            true => Err(NoCases::TooMany),
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
    state.numbers.retain(|var, number| {
        let (Some(old), Some(ty)) = (before.numbers.get(var), is_followed(program, *var)) else {
            return true;
        };
        if number.range != old.range {
            let grown = grown.entry(*var).or_default();
            *grown += 1;
            if *grown > PATIENCE {
                number.range = cuts.rounded(*var, &number.range, ty);
            }
        }
        *number != Number::of(ty)
    });
}

impl Meaning<'_> {
    /// The states in which a condition has this truth value: several, where it has it for several
    /// reasons.
    fn cases(self, state: &State, condition: ExprId, holds: bool) -> Vec<State> {
        let cases = self.reasons(state, condition, holds);
        match cases.len() <= MOST_CASES {
            true => cases,
            false => self.learnt(state, condition, holds).into_iter().collect(),
        }
    }

    fn reasons(self, state: &State, condition: ExprId, holds: bool) -> Vec<State> {
        let truth = self.truth(state, condition);
        let (may, may_not) = match holds {
            true => (truth.may_hold, truth.may_fail),
            false => (truth.may_fail, truth.may_hold),
        };
        if !may || !may_not {
            return may.then(|| state.clone()).into_iter().collect();
        }
        let learnt = || self.learnt(state, condition, holds).into_iter().collect();
        match (&self.program.exprs[condition].kind, holds) {
            (&ExprKind::Unary(UnOp::Not, a), _) => self.reasons(state, a, !holds),
            (&ExprKind::Binary(BinOp::And, a, b), true)
            | (&ExprKind::Binary(BinOp::Or, a, b), false) => {
                let first = self.cases(state, a, holds).into_iter();
                first.flat_map(|state| self.cases(&state, b, holds)).collect()
            }
            (&ExprKind::Binary(BinOp::And | BinOp::Or, a, b), _) => {
                // The second only where the first has not decided.
                let mut cases = self.cases(state, a, holds);
                let rest = self.cases(state, a, !holds).into_iter();
                cases.extend(rest.flat_map(|state| self.cases(&state, b, holds)));
                cases
            }
            (&ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b), _)
                if (op == BinOp::Ne) == holds =>
            {
                self.on_both_sides(state, a, b).unwrap_or_else(learnt)
            }
            _ => learnt(),
        }
    }

    /// A variable that differs from a constant is less or greater.
    fn on_both_sides(self, state: &State, a: ExprId, b: ExprId) -> Option<Vec<State>> {
        let known = |e: ExprId| self.number(state, e)?.range.constant().cloned();
        let (var, ty, constant) = match (self.loaded(a), self.loaded(b)) {
            (Some((var, ty)), _) => (var, ty, known(b)?),
            (_, Some((var, ty))) => (var, ty, known(a)?),
            _ => return None,
        };
        let sides = state.get(var, ty).around(&constant);
        let with = |number: Number| {
            let mut state = state.clone();
            state.set(var, ty, number);
            state
        };
        Some(sides.into_iter().map(with).collect())
    }

    /// The values of an expression, and the states in which it has them: several, where the program
    /// chooses.
    fn values(self, state: &State, e: ExprId) -> Vec<(State, Option<Number>)> {
        let values = self.choices_of(state, e);
        match values.len() <= MOST_CASES {
            true => values,
            false => vec![(state.clone(), self.number(state, e))],
        }
    }

    fn choices_of(self, state: &State, e: ExprId) -> Vec<(State, Option<Number>)> {
        let expr = &self.program.exprs[e];
        let as_is = || vec![(state.clone(), self.number(state, e))];
        match (&expr.kind, expr.ty.as_int()) {
            (&ExprKind::Cast(a), Some(ty)) if self.program.exprs[a].ty.as_int().is_some() => {
                let values = self.values(state, a).into_iter();
                values.map(|(state, value)| (state, value.map(|v| v.converted(ty)))).collect()
            }
            (&ExprKind::Ite(c, a, b), Some(_)) => {
                let ways = [(true, a), (false, b)].into_iter();
                ways.flat_map(|(holds, value)| {
                    let states = self.cases(state, c, holds).into_iter();
                    states.flat_map(move |state| self.values(&state, value))
                })
                .collect()
            }
            (ExprKind::Unary(UnOp::Not, _), Some(ty)) => self.truths(state, e, ty),
            (ExprKind::Binary(op, ..), Some(ty)) if op.is_comparison() || op.is_lazy() => {
                self.truths(state, e, ty)
            }
            _ => as_is(),
        }
    }

    /// A condition as a number.
    fn truths(self, state: &State, e: ExprId, ty: IntType) -> Vec<(State, Option<Number>)> {
        let ways = [true, false].into_iter();
        ways.flat_map(|holds| {
            let states = self.cases(state, e, holds).into_iter();
            states.map(move |state| (state, Some(Number::literal(holds.into(), ty))))
        })
        .collect()
    }
}
