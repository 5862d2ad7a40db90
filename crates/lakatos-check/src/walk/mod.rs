//! From a cut point to the next ones: the ways between as one formula (DESIGN.md section 7).
//!
//! A walk goes forwards from its source through all locations up to the next cut points, the exit
//! and the error locations. A point of it has a [`State`]: what it takes to come here, and the
//! values of variables as terms. Where ways join, each of them gets a Boolean that says it was
//! this one, and variables that differ get a new symbol, equal to the value of the way that was
//! taken; so there is one formula, however many ways there are. Ways need not exclude each other:
//! a model chooses one.
//!
//! A walk may also go once around a loop ([`Walk::around`]), or collect the calls that are made
//! ([`Walk::calls`]), for those who ask what becomes smaller there.

mod call;
mod turn;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Meaning, Slot, When};
use lakatos_ir::{Cfa, Edge, EdgeId, ExprId, ExprKind, Instr, LocId, PlaceId, ProcId, Span, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Sort, Term, Terms};

use crate::check::Context;
use crate::condition::{Condition, Kind, Source, span_of};
use crate::expr::{Evaluated, Evaluator, Maker};
use crate::formula::instantiate;
use crate::parts::Part;
use crate::shape::Shape;

use self::turn::Around;
pub(crate) use self::turn::{Made, Turn};

/// A point on the way.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// What it takes to come here.
    pub reach: Term,
    /// The variables that are not what they were at the source.
    pub values: BTreeMap<VarId, Term>,
}

/// A condition with what it says: whenever the point is reached, the goals hold.
#[derive(Debug)]
pub(crate) struct Obligation {
    pub condition: Condition,
    pub state: State,
    pub goals: Vec<Goal>,
}

/// A formula that has to hold, and the part of the proof that it is, if it is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub part: Option<Part>,
    pub formula: Term,
}

impl Obligation {
    /// What contradicts the condition, beside the facts.
    pub fn denied(&self, terms: &mut Terms) -> [Term; 2] {
        let goal = terms.and(self.goals.iter().map(|goal| goal.formula));
        [self.state.reach, terms.not(goal)]
    }
}

/// All that has to be shown of the ways from one source.
#[derive(Debug)]
pub(crate) struct Segment {
    /// Values at the source.
    pub initial: BTreeMap<VarId, Term>,
    pub obligations: Vec<Obligation>,
    /// What holds of all symbols.
    pub facts: Vec<Term>,
    pub approximate: bool,
}

pub(crate) struct Walk<'c, 'p> {
    cx: &'c Context<'p>,
    maker: &'c mut Maker<'p>,
    shape: &'c Shape,
    proc: ProcId,
    body: &'p Cfa,
    source: Source,
    initial: BTreeMap<VarId, Term>,
    /// Values at the procedure's entry of what may have changed since.
    entries: BTreeMap<VarId, Term>,
    /// Points to go on from, by the location's position.
    pending: BTreeMap<usize, Vec<State>>,
    obligations: Vec<Obligation>,
    /// The calls of procedures with a body.
    made: Vec<Made>,
    /// The loop that is gone around, if one is.
    turn: Option<Around<'c>>,
}

impl<'c, 'p> Walk<'c, 'p> {
    /// Everything from a source of a procedure that has a body.
    pub fn segment(
        cx: &'c Context<'p>,
        maker: &'c mut Maker<'p>,
        shape: &'c Shape,
        proc: ProcId,
        source: Source,
    ) -> Segment {
        let mut walk = Walk::new(cx, maker, shape, proc, source);
        walk.begin();
        walk.go_on();
        let Walk { initial, obligations, maker, .. } = walk;
        let facts = std::mem::take(&mut maker.facts);
        Segment { initial, obligations, facts, approximate: maker.approximate }
    }

    fn new(
        cx: &'c Context<'p>,
        maker: &'c mut Maker<'p>,
        shape: &'c Shape,
        proc: ProcId,
        source: Source,
    ) -> Walk<'c, 'p> {
        let body = cx.program.procs[proc].body.as_ref().expect("only bodies are walked");
        maker.facts.clear();
        maker.approximate = false;
        Walk {
            cx,
            maker,
            shape,
            proc,
            body,
            source,
            initial: BTreeMap::new(),
            entries: BTreeMap::new(),
            pending: BTreeMap::new(),
            obligations: Vec::new(),
            made: Vec::new(),
            turn: None,
        }
    }

    /// As far as it goes without passing a cut point.
    fn go_on(&mut self) {
        while let Some((position, states)) = self.pending.pop_first() {
            let state = self.join(states);
            self.leave(self.shape.order[position], &state);
        }
    }

    fn begin(&mut self) {
        let mut state = State { reach: Term::TRUE, values: BTreeMap::new() };
        match self.source {
            Source::Entry => {
                // A run begins with anything in its variables: `start` initialises them.
                let slot = Slot::Requires(self.proc);
                if self.proc == self.cx.program.start {
                    let span = span_of(self.cx.program, self.proc, self.body.entry);
                    self.oblige_all(slot, Kind::Start, span, &state, Self::formula);
                }
                state.reach = self.assumed(slot, |walk, part| walk.formula(part, &state));
                self.arrive(self.body.entry, self.body.locs[self.body.entry].span, state);
            }
            Source::Cut(loc) => {
                let slot = Slot::Invariant(self.proc, loc);
                state.reach = self.assumed(slot, |walk, part| walk.formula(part, &state));
                match self.is_end(loc) {
                    true => self.end(loc, self.body.locs[loc].span, &state),
                    false => self.leave(loc, &state),
                }
            }
        }
    }

    fn oblige(&mut self, kind: Kind, span: Span, state: &State, goal: Term) {
        self.oblige_goals(kind, span, state, vec![Goal { part: None, formula: goal }]);
    }

    fn oblige_goals(&mut self, kind: Kind, span: Span, state: &State, mut goals: Vec<Goal>) {
        goals.retain(|goal| goal.formula != Term::TRUE);
        if !goals.is_empty() {
            let condition = Condition { kind, proc: self.proc, from: Some(self.source), span };
            self.obligations.push(Obligation { condition, state: state.clone(), goals });
        }
    }

    /// Every part of a formula of the proof has to hold.
    fn oblige_all(
        &mut self,
        slot: Slot,
        kind: Kind,
        span: Span,
        state: &State,
        mut meaning: impl FnMut(&mut Self, Term, &State) -> Term,
    ) {
        let cx = self.cx;
        let mut goals = Vec::new();
        for (part, formula) in cx.parts.of(slot) {
            goals.push(Goal { part: Some(part), formula: meaning(self, formula, state) });
        }
        self.oblige_goals(kind, span, state, goals);
    }

    /// All parts of a formula of the proof hold.
    fn assumed(&mut self, slot: Slot, mut meaning: impl FnMut(&mut Self, Term) -> Term) -> Term {
        let cx = self.cx;
        let mut held = Vec::new();
        for (part, formula) in cx.parts.of(slot) {
            let formula = meaning(self, formula);
            held.push(match self.maker.selectors.get(&part) {
                Some(selector) => self.maker.terms.implies(*selector, formula),
                None => formula,
            });
        }
        self.maker.terms.and(held)
    }

    fn arrive(&mut self, loc: LocId, span: Span, state: State) {
        if state.reach == Term::FALSE {
            return;
        }
        if self.turn.is_some() {
            self.arrive_on_turn(loc, state);
        } else if self.shape.cuts.contains(&loc) {
            let slot = Slot::Invariant(self.proc, loc);
            self.oblige_all(slot, Kind::Invariant(loc), span, &state, Self::formula);
        } else if self.is_end(loc) {
            self.end(loc, span, &state);
        } else {
            self.pending.entry(self.shape.position[loc]).or_default().push(state);
        }
    }

    fn is_end(&self, loc: LocId) -> bool {
        loc == self.body.exit || self.body.locs[loc].error.is_some()
    }

    fn end(&mut self, loc: LocId, span: Span, state: &State) {
        if let Some(violation) = &self.body.locs[loc].error {
            let kind = Kind::Unreachable(violation.message.clone());
            self.oblige(kind, violation.span, state, Term::FALSE);
            return;
        }
        self.oblige_all(Slot::Ensures(self.proc), Kind::Ensures, span, state, Self::formula);
        let goal = self.only_assigned(state);
        self.oblige(Kind::Assigns, span, state, goal);
    }

    /// What the contract does not name is what it was. (What is not tracked, and whether it is
    /// named, was looked at beforehand.)
    fn only_assigned(&mut self, state: &State) -> Term {
        let (program, assigns) = (self.cx.program, &self.cx.contracts[&self.proc].assigns);
        let writes = &self.cx.mods.of_proc(self.proc).writes.vars;
        let kept = |var: &&VarId| !assigns.touches(program, **var) && self.maker.tracks(**var);
        let kept: Vec<VarId> = writes.iter().filter(kept).copied().collect();
        let mut same = Vec::new();
        for var in kept {
            let (now, entry) = (self.value(state, var), self.entry(var));
            same.push(self.maker.terms.eq(now, entry));
        }
        self.maker.terms.and(same)
    }

    fn leave(&mut self, loc: LocId, state: &State) {
        for &edge in &self.body.locs[loc].out {
            let Edge { to, span, .. } = self.body.edges[edge];
            for after in self.step(edge, state.clone()) {
                self.arrive(to, span, after);
            }
        }
    }

    fn join(&mut self, mut states: Vec<State>) -> State {
        if states.len() == 1 {
            return states.pop().expect("there is one");
        }
        let picks: Vec<Term> = states.iter().map(|state| self.pick(state)).collect();
        let mut values = BTreeMap::new();
        let changed: BTreeSet<VarId> =
            states.iter().flat_map(|state| state.values.keys().copied()).collect();
        for var in changed {
            let all: Vec<Term> = states.iter().map(|state| self.value(state, var)).collect();
            let value = match all.iter().all(|value| *value == all[0]) {
                true => all[0],
                false => self.joined(var, &picks, &all),
            };
            values.insert(var, value);
        }
        State { reach: self.maker.terms.or(picks), values }
    }

    /// A truth value that says: this way was taken.
    fn pick(&mut self, state: &State) -> Term {
        let terms = &mut self.maker.terms;
        let pick = terms.fresh("way", Sort::Bool);
        let fact = terms.implies(pick, state.reach);
        self.maker.facts.push(fact);
        pick
    }

    fn joined(&mut self, var: VarId, picks: &[Term], values: &[Term]) -> Term {
        let joined = self.maker.any_of(var, "@join");
        for (pick, value) in picks.iter().zip(values) {
            let terms = &mut self.maker.terms;
            let same = terms.eq(joined, *value);
            let fact = terms.implies(*pick, same);
            self.maker.facts.push(fact);
        }
        joined
    }

    /// The value of a tracked variable.
    fn value(&mut self, state: &State, var: VarId) -> Term {
        read(self.maker, &mut self.initial, state, var)
    }

    /// The value of a tracked variable when the procedure was entered.
    fn entry(&mut self, var: VarId) -> Term {
        let changes = match self.cx.program.vars[var].kind.frame() {
            None => self.cx.mods.of_proc(self.proc).writes.vars.contains(&var),
            Some(_) => self.shape.written.contains(&var),
        };
        let state = State { reach: Term::TRUE, values: BTreeMap::new() };
        match (self.source, changes) {
            (Source::Entry, _) | (_, false) => self.value(&state, var),
            (Source::Cut(_), true) => {
                let maker = &mut *self.maker;
                *self.entries.entry(var).or_insert_with(|| maker.any_of(var, "@entry"))
            }
        }
    }

    /// The tracked values that a formula speaks of.
    fn meanings(&self, formula: Term) -> BTreeSet<Meaning> {
        let symbols = self.cx.proof.terms().free_symbols(formula).into_iter();
        let meanings = symbols.map(|symbol| self.cx.proof.meaning(symbol));
        meanings.filter(|meaning| self.maker.tracks(meaning.var)).collect()
    }

    /// A formula about this procedure at a point.
    fn formula(&mut self, formula: Term, state: &State) -> Term {
        let mut values = BTreeMap::new();
        for meaning in self.meanings(formula) {
            let value = match meaning.when {
                When::Now => self.value(state, meaning.var),
                When::Entry => self.entry(meaning.var),
            };
            values.insert(meaning, value);
        }
        instantiate(self.maker, self.cx.proof, formula, &values)
    }

    /// Where an edge leads; nothing where it is never passed.
    fn step(&mut self, edge: EdgeId, mut state: State) -> Vec<State> {
        let Edge { instr, span, .. } = &self.body.edges[edge];
        match instr {
            Instr::Skip => {}
            Instr::Assume(condition) => self.assume(&mut state, *condition),
            Instr::Assign(place, value) if self.is_cleared(*place, *value) => {
                let sort = self.maker.terms.array_sort(Sort::Int, Sort::Int);
                let zero = self.maker.terms.int(Int::ZERO);
                let cleared = self.maker.terms.const_array(sort, zero);
                self.assign(&mut state, *place, Some(cleared));
            }
            Instr::Assign(place, value) => {
                let value = self.evaluate(&mut state, *value).value;
                self.assign(&mut state, *place, value);
            }
            Instr::Havoc(place, _) => self.assign_any(&mut state, *place),
            Instr::Return(value) => self.give_back(&mut state, *value),
            Instr::Dead(var) => self.forget(&mut state, *var),
            Instr::Call(call) => return self.call(edge, call, *span, state),
            Instr::Block(_) => unreachable!("programs with blocks are refused before"),
        }
        vec![state]
    }

    fn evaluator<'e>(
        &'e mut self,
        state: &'e State,
    ) -> Evaluator<'e, 'p, impl FnMut(&mut Maker<'p>, VarId) -> Term + use<'e, 'c, 'p>> {
        let initial = &mut self.initial;
        Evaluator::new(self.maker, move |maker, var| read(maker, initial, state, var))
    }

    fn assume(&mut self, state: &mut State, condition: ExprId) {
        let (holds, defined) = self.evaluator(state).truth(condition);
        state.reach = self.maker.terms.and([state.reach, defined, holds]);
    }

    /// The path goes on only if the value is defined.
    fn evaluate(&mut self, state: &mut State, expr: ExprId) -> Evaluated {
        let evaluated = self.evaluator(state).expr(expr);
        state.reach = self.maker.terms.and([state.reach, evaluated.defined]);
        evaluated
    }

    /// A tracked array becomes zero as a whole.
    fn is_cleared(&self, place: PlaceId, value: ExprId) -> bool {
        let is_array =
            self.maker.tracked(place).is_some_and(|var| self.cx.program.whole_array(var).is_some());
        is_array && self.cx.program.exprs[value].kind == ExprKind::Zero
    }

    fn assign(&mut self, state: &mut State, place: PlaceId, value: Option<Term>) {
        match (self.maker.tracked(place), value) {
            (Some(var), Some(value)) => self.set(state, var, value),
            (Some(var), None) => self.forget(state, var),
            (None, value) => match self.maker.element(place) {
                Some((array, index)) => self.assign_element(state, array, index, value),
                None => self.find(state, place),
            },
        }
    }

    /// An element of a tracked array gets a value, any one if it is not known.
    fn assign_element(
        &mut self,
        state: &mut State,
        array: VarId,
        index: ExprId,
        value: Option<Term>,
    ) {
        let index = self.evaluate(state, index).value;
        let value = value.filter(|value| self.maker.terms.sort(*value) == Sort::Int);
        let element = self.cx.program.whole_array(array).expect("a tracked array");
        let value = value.unwrap_or_else(|| self.maker.any("any", element));
        let old = self.value(state, array);
        let new = index.map(|index| self.maker.terms.store(old, index, value));
        match new {
            Some(new) => drop(state.values.insert(array, new)),
            None => self.forget(state, array),
        }
    }

    fn assign_any(&mut self, state: &mut State, place: PlaceId) {
        self.assign(state, place, None);
    }

    /// A place in memory: nothing is known of what it holds, but finding it may be undefined.
    fn find(&mut self, state: &mut State, place: PlaceId) {
        let defined = self.evaluator(state).place_defined(place);
        state.reach = self.maker.terms.and([state.reach, defined]);
    }

    /// A value of another sort cannot be what the variable gets: then nothing is known of it.
    fn set(&mut self, state: &mut State, var: VarId, value: Term) {
        match self.maker.terms.sort(value) == self.maker.sort_of(var) {
            true => drop(state.values.insert(var, value)),
            false => self.forget(state, var),
        }
    }

    fn forget(&mut self, state: &mut State, var: VarId) {
        if self.maker.tracks(var) {
            let value = self.maker.any_of(var, "");
            state.values.insert(var, value);
        }
    }

    fn give_back(&mut self, state: &mut State, value: Option<ExprId>) {
        let Some(value) = value else { return };
        let value = self.evaluate(state, value).value;
        let result = self.cx.program.procs[self.proc].result;
        match (result.filter(|var| self.maker.tracks(*var)), value) {
            (Some(var), Some(value)) => self.set(state, var, value),
            (Some(var), None) => self.forget(state, var),
            (None, _) => {}
        }
    }
}

/// The value of a tracked variable at a point. At the source it is any value of its type.
fn read(
    maker: &mut Maker<'_>,
    initial: &mut BTreeMap<VarId, Term>,
    state: &State,
    var: VarId,
) -> Term {
    match state.values.get(&var) {
        Some(value) => *value,
        None => *initial.entry(var).or_insert_with(|| maker.any_of(var, "")),
    }
}
