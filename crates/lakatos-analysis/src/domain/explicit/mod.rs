//! Explicit values (stack-abstraction thesis, sections 2.2 and 5): a state is the values of some
//! variables of one frame, now and at its entry; all others may have any value.
//!
//! Edges are evaluated, not asked of the solver (`walk`, `evaluate`), so a step costs about
//! what it costs to run. The solver is asked only for the values of a variable of which the edge
//! says something without giving its value (`ask`), and whether an undecided edge can be taken
//! where that is about to matter. Which variables have values is the precision's business
//! (`precision`), as is giving up those with too many.

mod ask;
mod evaluate;
mod precision;
mod values;
mod walk;

use std::hash::Hasher;
use std::rc::Rc;

use lakatos_ir::{Callee, EdgeId, ExprId, Instr, LocId, PlaceKind, ProcId, VarId};
use lakatos_logic::term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHasher};

use self::ask::{Asked, shortly};
use self::evaluate::Evaluator;
pub use self::precision::Bounds;
use self::precision::Precision;
pub use self::values::Values;
use self::walk::{Plan, Walk, distinct};
use super::Granularity;
use super::predicate::{is_static, target};
use crate::core::{Cx, Domain, Lesson, Seen, Stop};
use crate::semantics::{Call, Role, Semantics};

/// What is known of a frame.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    pub now: Rc<Values>,
    /// At the procedure's entry, of what it may change; the same in all states of a frame.
    pub pre: Rc<Values>,
}

/// The variables of which a state knows the values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    now: Rc<[VarId]>,
    pre: Rc<[VarId]>,
}

/// How the domain works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub granularity: Granularity,
    /// Where a variable has no more values than this after an edge, each makes a state.
    pub successors: usize,
    pub bounds: Bounds,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { granularity: Granularity::Function, successors: 8, bounds: Bounds::NONE }
    }
}

/// The domain with its precision.
#[derive(Debug)]
pub struct Explicit {
    settings: Settings,
    precision: Precision,
    plans: FxHashMap<(ProcId, EdgeId), Rc<Plan>>,
    asked: Asked,
    /// Something was learned from the counterexample at hand.
    news: bool,
    /// Every undecided edge is asked about: values alone did not exclude a counterexample.
    thorough: bool,
    /// Every variable has values.
    complete: bool,
    /// Values changed all along the last counterexample.
    spreads: bool,
    /// How many variables had been dropped when somebody asked.
    dropped: usize,
    lessons: Vec<Lesson>,
}

impl Explicit {
    pub fn new(settings: Settings) -> Explicit {
        Explicit {
            settings,
            precision: Precision::new(settings.granularity, settings.bounds),
            plans: FxHashMap::default(),
            asked: Asked::default(),
            news: false,
            thorough: false,
            complete: false,
            spreads: false,
            dropped: 0,
            lessons: Vec::new(),
        }
    }

    /// How many variables have had values, and how many of them had too many.
    pub fn sizes(&self) -> (usize, usize) {
        self.precision.sizes()
    }

    /// Queries of the solver.
    pub fn queries(&self) -> u64 {
        self.asked.queries
    }

    fn plan(&mut self, cx: &Cx<'_>, proc: ProcId, edge: EdgeId) -> Option<Rc<Plan>> {
        if let Some(known) = self.plans.get(&(proc, edge)) {
            return Some(Rc::clone(known));
        }
        let Instr::Block(region) = &instr(&cx.semantics, proc, edge) else { return None };
        let plan = Rc::new(Plan::new(region));
        self.plans.insert((proc, edge), Rc::clone(&plan));
        Some(plan)
    }

    /// States with what the precision keeps of values.
    fn states(
        &mut self,
        cx: &Cx<'_>,
        proc: ProcId,
        loc: LocId,
        ends: Vec<Values>,
        pre: &Rc<Values>,
    ) -> Vec<State> {
        let kept = self.precision.at(cx.semantics.program, proc, loc);
        let kept = distinct(ends.iter().map(|end| end.project(&kept)).collect());
        kept.into_iter().map(|now| State { now: Rc::new(now), pre: Rc::clone(pre) }).collect()
    }

    /// The values after a call of something without a body: of its result nothing is known.
    fn outside_call(cx: &Cx<'_>, call: &lakatos_ir::Call, mut values: Values) -> Vec<Values> {
        if let Callee::Builtin(builtin) = call.callee
            && builtin.ends()
        {
            return Vec::new();
        }
        if let Some(PlaceKind::Var(var)) = call.result.map(|p| cx.semantics.program.places[p].kind)
        {
            values.forget(var);
        }
        vec![values]
    }

    /// The caller's values where the arguments are evaluated, and the arguments; `None`: one of
    /// them is undefined.
    fn arguments(cx: &Cx<'_>, caller: &State, call: &Call) -> Option<Vec<Argument>> {
        let semantics = &cx.semantics;
        let Instr::Call(instr) = instr(semantics, call.caller, call.edge) else {
            panic!("not a call")
        };
        let evaluator = Evaluator { semantics };
        let mut arguments = Vec::new();
        for arg in &instr.args {
            arguments.push(evaluator.value(&caller.now, *arg).ok()?);
        }
        let params = &semantics.program.procs[call.callee].params;
        let pairs = params.iter().zip(instr.args.iter().zip(arguments));
        // Without a prototype an argument may have another type: nothing is known of that one.
        let same = |param: VarId, expr: ExprId| {
            semantics.tracks(param)
                && evaluator.integer(expr) == semantics.program.vars[param].ty.as_int()
        };
        Some(
            pairs
                .filter(|(param, (expr, _))| same(**param, **expr))
                .map(|(param, (expr, value))| Argument { param: *param, expr: *expr, value })
                .collect(),
        )
    }
}

/// An argument of a call.
struct Argument {
    param: VarId,
    expr: ExprId,
    value: Option<i128>,
}

fn instr<'p>(semantics: &Semantics<'p>, proc: ProcId, edge: EdgeId) -> &'p Instr {
    &semantics.program.procs[proc].body.as_ref().expect("an edge of a body").edges[edge].instr
}

/// Values as a formula, each variable in the role that `role` gives it.
pub(super) fn equalities(
    cx: &mut Cx<'_>,
    values: &Values,
    mut role: impl FnMut(&Cx<'_>, VarId) -> Option<Role>,
) -> Term {
    let mut equal = Vec::new();
    for (var, value) in values.iter() {
        if let Some(role) = role(cx, var) {
            let symbol = cx.semantics.operand(&mut cx.terms, role, var);
            let value = cx.semantics.machine().constant(&mut cx.terms, value, symbol.ty);
            equal.push(cx.terms.eq(symbol.term, value.term));
        }
    }
    cx.terms.and(equal)
}

impl Domain for Explicit {
    type State = State;
    type Shape = Shape;

    fn shape(&self, state: &State) -> Shape {
        let vars = |values: &Values| values.iter().map(|(var, _)| var).collect();
        Shape { now: vars(&state.now), pre: vars(&state.pre) }
    }

    fn key(&self, state: &State, shape: &Shape) -> Option<u64> {
        let mut hasher = FxHasher::default();
        state.now.hash_part(&shape.now, &mut hasher)?;
        state.pre.hash_part(&shape.pre, &mut hasher)?;
        Some(hasher.finish())
    }

    fn start(&mut self, _cx: &mut Cx<'_>, _proc: ProcId) -> Result<State, Stop> {
        Ok(State::default())
    }

    fn post(
        &mut self,
        cx: &mut Cx<'_>,
        state: &State,
        proc: ProcId,
        edge: EdgeId,
    ) -> Result<Vec<State>, Stop> {
        let program = cx.semantics.program;
        let loc = program.procs[proc].body.as_ref().expect("an edge of a body").edges[edge].to;
        let wanted = self.precision.at(program, proc, loc);
        let plan = self.plan(cx, proc, edge);
        let evaluator = Evaluator { semantics: &cx.semantics };
        let mut walk = Walk::new(evaluator, proc, &wanted);
        let start = (*state.now).clone();
        let ends = match (instr(&cx.semantics, proc, edge), plan) {
            (Instr::Block(region), Some(plan)) => walk.block(region, &plan, start),
            (Instr::Call(call), _) => Self::outside_call(cx, call, start),
            (instr, _) => walk.instr(instr, start),
        };
        let Walk { undecided, involved, mut suspects, .. } = walk;
        suspects.sort_unstable();
        suspects.dedup();
        let ends = match undecided || !suspects.is_empty() {
            true => shortly(cx, |cx| {
                self.asked_about(cx, (proc, edge), state, ends, undecided, &suspects)
            })?,
            false => ends,
        };
        for end in &ends {
            self.precision.count((proc, loc), &end.project(&wanted), undecided, &involved);
        }
        Ok(self.states(cx, proc, loc, ends, &state.pre))
    }

    fn enter(&mut self, cx: &mut Cx<'_>, caller: &State, call: &Call) -> Result<Vec<State>, Stop> {
        let Some(arguments) = Self::arguments(cx, caller, call) else { return Ok(Vec::new()) };
        let mut now = (*caller.now).clone();
        now.retain(|var, _| is_static(cx, var));
        for argument in arguments {
            now.put(argument.param, argument.value);
        }
        let changed = cx.semantics.changed(call.callee);
        let kept = self.precision.at_entry(call.callee).filter(|var| changed.contains(var));
        let pre = kept.filter_map(|var| Some((var, now.get(var)?))).collect();
        let body = cx.semantics.program.procs[call.callee].body.as_ref();
        let entry = body.expect("a callee's body").entry;
        Ok(self.states(cx, call.callee, entry, vec![now], &Rc::new(pre)))
    }

    /// The exit may belong to a frame that was entered with other values; it is one of this call
    /// only if they agree.
    fn rebuild(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &State,
        call: &Call,
        exit: &State,
    ) -> Result<Vec<State>, Stop> {
        let Some(arguments) = Self::arguments(cx, caller, call) else { return Ok(Vec::new()) };
        let changed = cx.semantics.changed(call.callee);
        let at_entry = |var: VarId| match changed.contains(&var) {
            true => exit.pre.get(var),
            false => exit.now.get(var),
        };
        let mut now = (*caller.now).clone();
        let evaluator = Evaluator { semantics: &cx.semantics };
        for argument in arguments {
            if let Some(value) = at_entry(argument.param)
                && !evaluator.constrain(&mut now, argument.expr, value)
            {
                return Ok(Vec::new());
            }
        }
        let statics = exit.now.iter().chain(exit.pre.iter()).map(|(var, _)| var);
        for var in statics.filter(|var| is_static(cx, *var)) {
            match (at_entry(var), now.get(var)) {
                (Some(there), Some(here)) if there != here => return Ok(Vec::new()),
                (Some(there), None) => now.set(var, there),
                _ => {}
            }
        }
        for var in &call.assigned {
            now.put(*var, exit.now.get(*var).filter(|_| is_static(cx, *var)));
        }
        let Instr::Call(instr) = instr(&cx.semantics, call.caller, call.edge) else {
            panic!("not a call")
        };
        if let Some(place) = instr.result.and_then(|place| evaluator.variable(place)) {
            let result = cx.semantics.program.procs[call.callee].result;
            let same = |var: &VarId| {
                cx.semantics.program.vars[*var].ty == cx.semantics.program.vars[place].ty
            };
            now.put(place, result.filter(same).and_then(|var| exit.now.get(var)));
        }
        let to = target(cx, call.caller, call.edge);
        Ok(self.states(cx, call.caller, to, vec![now], &caller.pre))
    }

    fn skip(&mut self, cx: &mut Cx<'_>, caller: &State, call: &Call) -> Result<Vec<State>, Stop> {
        self.rebuild(cx, caller, call, &State::default())
    }

    fn reduce(&mut self, _cx: &mut Cx<'_>, state: &State, seen: &dyn Fn(VarId) -> bool) -> State {
        let kept = |values: &Rc<Values>| match values.iter().all(|(var, _)| seen(var)) {
            true => Rc::clone(values),
            false => Rc::new(values.iter().filter(|(var, _)| seen(*var)).collect()),
        };
        State { now: kept(&state.now), pre: kept(&state.pre) }
    }

    fn expand(
        &mut self,
        cx: &mut Cx<'_>,
        before: &State,
        exit: &State,
        (proc, loc): (ProcId, LocId),
        changed: &[VarId],
    ) -> Result<Vec<State>, Stop> {
        let kept = self.unchanged(cx, before, changed);
        let (Some(now), Some(pre)) = (exit.now.and(&kept.now), exit.pre.and(&kept.pre)) else {
            return Ok(Vec::new());
        };
        Ok(self.states(cx, proc, loc, vec![now], &Rc::new(pre)))
    }

    fn unchanged(&mut self, _cx: &mut Cx<'_>, state: &State, changed: &[VarId]) -> State {
        let mut now = (*state.now).clone();
        now.retain(|var, _| changed.binary_search(&var).is_err());
        State { now: Rc::new(now), pre: Rc::clone(&state.pre) }
    }

    fn stamp(&self, proc: ProcId, _loc: LocId) -> u64 {
        self.precision.stamp(proc) + u64::from(self.thorough)
    }

    fn covers(&mut self, _cx: &mut Cx<'_>, b: &State, a: &State) -> Result<bool, Stop> {
        Ok(b.now.is_part_of(&a.now) && (Rc::ptr_eq(&a.pre, &b.pre) || b.pre.is_part_of(&a.pre)))
    }

    fn to_term(&mut self, cx: &mut Cx<'_>, state: &State) -> Term {
        let now = equalities(cx, &state.now, |_, _| Some(Role::Now));
        let pre = equalities(cx, &state.pre, |_, _| Some(Role::Pre));
        cx.terms.and([now, pre])
    }

    fn values(&self, state: &State) -> Vec<(Role, VarId, i128)> {
        let now = state.now.iter().map(|(var, value)| (Role::Now, var, value));
        now.chain(state.pre.iter().map(|(var, value)| (Role::Pre, var, value))).collect()
    }

    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop> {
        let mut news = false;
        for symbol in cx.terms.free_symbols(formula) {
            let (is_new, seen) = match cx.semantics.role(symbol) {
                Some((Role::Now, var)) => {
                    let program = cx.semantics.program;
                    (self.precision.add(program, proc, loc, var), Seen::Variable(var))
                }
                Some((Role::Pre, var)) => (self.precision.add_entry(proc, var), Seen::AtEntry(var)),
                _ => continue,
            };
            if is_new {
                self.lessons.push(Lesson { seen, proc, loc });
                news = true;
            }
        }
        self.news |= news;
        Ok(news)
    }

    /// Interpolants speak of what excludes a counterexample, not of all that its values are
    /// computed from. Where they say nothing new, more is asked of the solver; then every variable
    /// gets values.
    fn settle(&mut self, cx: &mut Cx<'_>) -> Result<bool, Stop> {
        let stuck = !std::mem::take(&mut self.news);
        let more = stuck && !(self.thorough && self.complete);
        if more && self.thorough {
            self.learn_all(cx);
        }
        self.thorough |= stuck;
        self.spreads = more || !stuck;
        Ok(more)
    }

    fn spreads(&self) -> bool {
        self.spreads
    }

    fn forgot(&mut self) -> bool {
        let (_, dropped) = self.precision.sizes();
        std::mem::replace(&mut self.dropped, dropped) < dropped
    }

    fn lessons(&mut self) -> Vec<Lesson> {
        std::mem::take(&mut self.lessons)
    }

    fn learned(&self, cx: &mut Cx<'_>) -> Vec<(ProcId, Term)> {
        let start = cx.semantics.program.start;
        let mut found = Vec::new();
        for (role, proc, var) in self.precision.all() {
            let frame = cx.semantics.program.vars[var].kind.frame();
            let term = cx.semantics.symbol(&mut cx.terms, role, var);
            // Any formula about the variable will do.
            let formula = match cx.terms.sort(term) {
                Sort::Bool => term,
                _ => {
                    let zero = cx.terms.int(0);
                    cx.terms.eq(term, zero)
                }
            };
            found.push((proc.or(frame).unwrap_or(start), formula));
        }
        found
    }

    fn follow(&mut self, cx: &mut Cx<'_>, proc: ProcId, var: VarId) -> bool {
        let body = cx.semantics.program.procs[proc].body.as_ref();
        let locs: Vec<LocId> = body.into_iter().flat_map(|body| body.locs.ids()).collect();
        let mut news = false;
        for loc in locs.into_iter().filter(|_| cx.semantics.tracks(var)) {
            if self.precision.add(cx.semantics.program, proc, loc, var) {
                self.lessons.push(Lesson { seen: Seen::Variable(var), proc, loc });
                news = true;
            }
        }
        self.news |= news;
        news
    }

    fn learn_all(&mut self, cx: &mut Cx<'_>) -> bool {
        let semantics = &cx.semantics;
        let vars = semantics.program.vars.iter().map(|(var, _)| var);
        self.precision.add_everywhere(vars.filter(|var| semantics.tracks(*var)));
        !std::mem::replace(&mut self.complete, true)
    }
}
