//! A run's steps as formulas over versions of variables, in the shape of an interpolation problem.
//!
//! Each frame has versions of its own, of statics too where the call may change them, so that what
//! is found about a point of a frame speaks of that frame only. A call that returns is a subtree:
//! what is found inside it relates its values to those at its entry. It begins with what it may
//! change being as it was, so that whatever relies on that says so.

use std::collections::BTreeMap;
use std::rc::Rc;

use lakatos_ir::{EdgeId, LocId, ProcId, VarId};
use lakatos_logic::interpolate::Problem;
use lakatos_logic::term::{Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::unfold::Act;
use crate::core::{Cx, Domain, Exploration, NodeId};
use crate::semantics::{Call, Role, Transition};

/// A point of the run that has a formula of its own.
#[derive(Clone, Debug)]
pub struct Position {
    pub proc: ProcId,
    pub loc: LocId,
    /// The nodes of the graph that are there.
    pub nodes: Vec<NodeId>,
    pub frame: usize,
    /// The frame's values that are not as at entry.
    values: Rc<FxHashMap<VarId, Term>>,
    /// The step within a frame that leads here.
    pub step: Option<(ProcId, EdgeId)>,
}

/// A frame of the run.
#[derive(Clone, Debug)]
struct Frame {
    proc: ProcId,
    /// The frame that sees the statics which this one does not change, and its values meanwhile.
    caller: Option<(usize, Rc<FxHashMap<VarId, Term>>)>,
    /// The values at entry of what the frame has versions of.
    initial: FxHashMap<VarId, Term>,
    values: Rc<FxHashMap<VarId, Term>>,
}

/// The formulas of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    pub positions: Vec<Position>,
    formulas: Vec<Term>,
    ranges: Vec<Term>,
    parents: Vec<Option<usize>>,
    frames: Vec<Frame>,
    /// The variables that symbols are versions of.
    versions: FxHashMap<Symbol, VarId>,
    /// For each position, the step within a frame that leads there, if it is one.
    pub steps: Vec<Option<Taken>>,
    /// Something opaque is on the way.
    pub opaque: bool,
    /// A callee was skipped.
    pub skips: Vec<NodeId>,
}

/// A transition on the way, and what stands for its symbols there.
#[derive(Clone, Debug)]
pub struct Taken {
    pub transition: Rc<Transition>,
    pub versions: FxHashMap<Symbol, Term>,
    /// How often it is taken; once where there is no number.
    pub times: Option<Term>,
}

struct Builder<'a, 'p> {
    cx: &'a mut Cx<'p>,
    /// Where nodes are.
    place: &'a dyn Fn(NodeId) -> (ProcId, LocId),
    trace: Trace,
    versions: u32,
    /// The last position of the innermost call that returns.
    last: Option<usize>,
    /// The calls that return and have not done so yet.
    calls: Vec<Caller>,
}

/// Who waits for a call to return.
struct Caller {
    frame: usize,
    call: Rc<Call>,
    /// Its last position.
    last: Option<usize>,
}

impl Trace {
    pub fn new(cx: &mut Cx<'_>, explored: &impl Exploration, acts: &[Act]) -> Trace {
        let start = cx.semantics.program.start;
        Trace::within(cx, start, acts, &|node| explored.place(node))
    }

    /// Of a part of a run that begins and ends in one frame of a procedure.
    pub(crate) fn within(
        cx: &mut Cx<'_>,
        start: ProcId,
        acts: &[Act],
        place: &dyn Fn(NodeId) -> (ProcId, LocId),
    ) -> Trace {
        let trace = Trace {
            positions: Vec::new(),
            formulas: Vec::new(),
            ranges: Vec::new(),
            parents: Vec::new(),
            frames: Vec::new(),
            versions: FxHashMap::default(),
            steps: Vec::new(),
            opaque: false,
            skips: Vec::new(),
        };
        let mut builder = Builder { cx, place, trace, versions: 0, last: None, calls: Vec::new() };
        let frame = builder.frame(start, None);
        builder.acts(acts, frame);
        builder.trace
    }

    pub fn problem(&self, cx: &mut Cx<'_>, with_ranges: bool) -> Problem {
        let nodes: Vec<(Term, Option<usize>)> = (0..self.formulas.len())
            .map(|at| {
                let formula = match with_ranges {
                    true => cx.terms.and([self.formulas[at], self.ranges[at]]),
                    false => self.formulas[at],
                };
                (formula, self.parents[at])
            })
            .collect();
        Problem::tree(&nodes).expect("the last step is the root")
    }

    /// Everything that has to hold.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = Term> + '_ {
        self.formulas.iter().chain(&self.ranges).copied()
    }

    /// The first frame's values before the first step, and those that may not be the same after
    /// the last.
    pub(crate) fn ends(&self) -> (&FxHashMap<VarId, Term>, &FxHashMap<VarId, Term>) {
        (&self.frames[0].initial, &self.frames[0].values)
    }

    /// A formula about a position as one about the frame's variables there. `None` if it speaks
    /// of anything else.
    pub fn localise(&self, cx: &mut Cx<'_>, at: usize, formula: Term) -> Option<Term> {
        let mut map = FxHashMap::default();
        for symbol in cx.terms.free_symbols(formula) {
            let (role, var) = self.role_at(cx, &self.positions[at], symbol)?;
            map.insert(symbol, cx.semantics.symbol(&mut cx.terms, role, var));
        }
        Some(cx.terms.substitute(formula, &map))
    }

    fn role_at(
        &self,
        cx: &mut Cx<'_>,
        position: &Position,
        symbol: Symbol,
    ) -> Option<(Role, VarId)> {
        let term = |t: &Term| cx.terms.as_symbol(*t) == Some(symbol);
        if let Some((var, _)) = position.values.iter().find(|(_, t)| term(t)) {
            return Some((Role::Now, *var));
        }
        let frame = &self.frames[position.frame];
        if let Some((var, _)) = frame.initial.iter().find(|(_, t)| term(t)) {
            let role = match position.values.contains_key(var) {
                true => Role::Pre,
                false => Role::Now,
            };
            return Some((role, *var));
        }
        // A static that the frame cannot change: whichever version it sees is the current one.
        let var = *self.versions.get(&symbol)?;
        let is_static = cx.semantics.program.vars[var].kind.frame().is_none();
        let changed = cx.semantics.changed(frame.proc).contains(&var);
        (is_static && !changed).then_some((Role::Now, var))
    }

    /// What stands for a variable at a position: the inverse of [`localise`](Trace::localise).
    /// `None` if nothing does.
    fn version_at(&self, cx: &Cx<'_>, position: &Position, role: Role, var: VarId) -> Option<Term> {
        let is_static = cx.semantics.program.vars[var].kind.frame().is_none();
        let mut frame = &self.frames[position.frame];
        if role == Role::Pre {
            return frame.initial.get(&var).copied();
        }
        let mut values = &position.values;
        loop {
            if let Some(version) = values.get(&var).or_else(|| frame.initial.get(&var)) {
                return Some(*version);
            }
            // A static that the frame cannot change is the caller's.
            let (caller, meanwhile) = frame.caller.as_ref().filter(|_| is_static)?;
            (frame, values) = (&self.frames[*caller], meanwhile);
        }
    }

    /// The values of versions as the states along the run know them, as constants. `None` if they
    /// contradict each other: states behind a covered node are another run's.
    pub fn values(
        &self,
        cx: &mut Cx<'_>,
        explored: &impl Exploration,
    ) -> Option<FxHashMap<Symbol, Term>> {
        let mut found = FxHashMap::default();
        for position in &self.positions {
            for node in &position.nodes {
                for (role, var, value) in explored.domain().values(explored.state(*node)) {
                    let version = self.version_at(cx, position, role, var);
                    let Some(symbol) = version.and_then(|v| cx.terms.as_symbol(v)) else {
                        continue;
                    };
                    let ty = cx.semantics.program.vars[var].ty.as_int();
                    let ty = ty.expect("tracked variables are integers");
                    let value = cx.semantics.machine().constant(&mut cx.terms, value, ty).term;
                    if *found.entry(symbol).or_insert(value) != value {
                        return None;
                    }
                }
            }
        }
        Some(found)
    }

    /// The formulas of the run's steps, apart from each other: a step that speaks of the value that an
    /// earlier one has given to a variable has a symbol of its own for it, the same if the variable's
    /// selector holds. With the selectors.
    pub fn apart(&self, cx: &mut Cx<'_>, formulas: &[Term]) -> (Vec<Term>, BTreeMap<VarId, Term>) {
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        let mut selectors: BTreeMap<VarId, Term> = BTreeMap::new();
        let mut all = Vec::new();
        for formula in formulas {
            let mut own = FxHashMap::default();
            for symbol in cx.terms.free_symbols(*formula) {
                let Some(var) = self.versions.get(&symbol).filter(|_| !seen.insert(symbol)) else {
                    continue;
                };
                let sort = cx.terms.symbol_sort(symbol);
                let copy = cx.terms.fresh("copy", sort);
                let fresh = || cx.terms.fresh("carried", Sort::Bool);
                let selector = *selectors.entry(*var).or_insert_with(fresh);
                let value = cx.terms.symbol_term(symbol);
                let same = cx.terms.eq(copy, value);
                all.push(cx.terms.implies(selector, same));
                own.insert(symbol, copy);
            }
            all.push(cx.terms.substitute(*formula, &own));
        }
        (all, selectors)
    }

    /// Whether the run comes to a location a second time in a frame.
    pub fn repeats(&self) -> bool {
        let mut seen = FxHashSet::default();
        !self.positions.iter().all(|p| seen.insert((p.frame, p.loc)))
    }

    /// All nodes of the graph that the run passes, but for the first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.positions.iter().flat_map(|position| &position.nodes).copied()
    }
}

impl Builder<'_, '_> {
    fn frame(&mut self, proc: ProcId, caller: Option<usize>) -> usize {
        let caller = caller.map(|frame| (frame, Rc::clone(&self.trace.frames[frame].values)));
        self.trace.frames.push(Frame {
            proc,
            caller,
            initial: FxHashMap::default(),
            values: Rc::default(),
        });
        self.trace.frames.len() - 1
    }

    fn acts(&mut self, acts: &[Act], mut frame: usize) {
        for act in acts {
            match act {
                Act::Step { proc, edge, to } => {
                    let transition = self.cx.semantics.transition(&mut self.cx.terms, *proc, *edge);
                    let at = self.step(frame, transition, None, *to);
                    self.trace.positions[at].step = Some((*proc, *edge));
                }
                Act::Along { transition, times, to } => {
                    self.step(frame, Rc::clone(transition), *times, *to);
                }
                Act::Enter { call, to } => frame = self.enter(frame, call, *to),
                Act::Call { call, to } => frame = self.call(frame, call, *to),
                Act::Return { to } => {
                    let Caller { frame: caller, call, last } =
                        self.calls.pop().expect("calls and returns match");
                    let end = std::mem::replace(&mut self.last, last);
                    self.leave(caller, &call, Some((frame, end)), *to);
                    frame = caller;
                }
                Act::Skip { call, popped, to } => {
                    self.trace.skips.push(*popped);
                    self.leave(frame, call, None, *to);
                }
                Act::Jump { to } => {
                    // Nothing is known at the start of the program, whichever node it is.
                    if let Some(last) = self.last {
                        self.trace.positions[last].nodes.push(*to);
                    }
                }
            }
        }
    }

    fn fresh(&mut self, var: VarId) -> Term {
        self.versions += 1;
        let info = &self.cx.semantics.program.vars[var];
        let ty = info.ty.as_int().expect("tracked variables are integers");
        let name = format!("{}#{}@{}", info.name, var.0, self.versions);
        let sort = self.cx.semantics.machine().sort(ty);
        let term = self.cx.terms.symbol(&name, sort);
        let symbol = self.cx.terms.as_symbol(term).expect("just made");
        self.trace.versions.insert(symbol, var);
        term
    }

    /// The value of a variable in a frame now.
    fn value(&mut self, frame: usize, var: VarId) -> Term {
        let is_static = self.cx.semantics.program.vars[var].kind.frame().is_none();
        let mut frame = frame;
        loop {
            let at = &self.trace.frames[frame];
            if let Some(value) = at.values.get(&var).or_else(|| at.initial.get(&var)) {
                return *value;
            }
            match &at.caller {
                Some((caller, _)) if is_static => frame = *caller,
                _ => return self.initial(frame, var),
            }
        }
    }

    /// The value of a variable at a frame's entry, as a version of its own.
    fn initial(&mut self, frame: usize, var: VarId) -> Term {
        if let Some(known) = self.trace.frames[frame].initial.get(&var) {
            return *known;
        }
        let value = self.fresh(var);
        self.trace.frames[frame].initial.insert(var, value);
        value
    }

    fn assign(&mut self, frame: usize, var: VarId) -> Term {
        // What a frame assigns, it has an initial version of.
        self.value(frame, var);
        let value = self.fresh(var);
        Rc::make_mut(&mut self.trace.frames[frame].values).insert(var, value);
        value
    }

    /// Puts versions in place of roles, and new symbols in place of all others.
    fn instance(
        &mut self,
        formulas: &[Term],
        mut value: impl FnMut(&mut Self, Role, VarId) -> Term,
    ) -> (Vec<Term>, FxHashMap<Symbol, Term>) {
        let mut map = FxHashMap::default();
        for symbol in self.cx.terms.free_symbols_of(formulas) {
            let new = match self.cx.semantics.role(symbol) {
                Some((role, var)) => value(self, role, var),
                None => {
                    let sort = self.cx.terms.symbol_sort(symbol);
                    self.cx.terms.fresh("step", sort)
                }
            };
            map.insert(symbol, new);
        }
        (self.cx.terms.substitute_all(formulas, &map), map)
    }

    fn push(&mut self, frame: usize, formulas: &[Term], children: &[usize], to: NodeId) -> usize {
        let at = self.trace.positions.len();
        let (proc, loc) = (self.place)(to);
        for child in children {
            self.trace.parents[*child] = Some(at);
        }
        self.trace.formulas.push(formulas[0]);
        self.trace.ranges.push(formulas[1]);
        self.trace.parents.push(None);
        self.trace.steps.push(None);
        self.trace.positions.push(Position {
            proc,
            loc,
            nodes: vec![to],
            frame,
            values: Rc::clone(&self.trace.frames[frame].values),
            step: None,
        });
        self.last = Some(at);
        at
    }

    fn step(
        &mut self,
        frame: usize,
        transition: Rc<Transition>,
        times: Option<Symbol>,
        to: NodeId,
    ) -> usize {
        self.trace.opaque |= transition.opaque;
        let before: FxHashMap<VarId, Term> =
            transition.assigned.iter().map(|v| (*v, self.value(frame, *v))).collect();
        for var in &transition.assigned {
            self.assign(frame, *var);
        }
        let mut roots = vec![transition.formula, transition.ranges];
        roots.extend(&transition.guards);
        roots.extend(transition.inputs.iter().map(|i| i.value.term));
        let (formulas, map) = self.instance(&roots, |builder, role, var| match role {
            Role::Old => before[&var],
            _ => builder.value(frame, var),
        });
        let children: Vec<usize> = self.last.into_iter().collect();
        let at = self.push(frame, &formulas, &children, to);
        let times = times.map(|n| map[&n]);
        self.trace.steps[at] = Some(Taken { transition, versions: map, times });
        at
    }

    /// Into a frame that stays: its statics are the caller's.
    fn enter(&mut self, caller: usize, call: &Rc<Call>, to: NodeId) -> usize {
        self.trace.opaque |= call.opaque;
        let frame = self.frame(call.callee, Some(caller));
        for var in self.cx.semantics.changed_statics(call.callee) {
            let value = self.value(caller, var);
            self.trace.frames[frame].initial.insert(var, value);
        }
        let (formulas, _) =
            self.instance(&[call.enter, call.enter_ranges], |builder, role, var| match role {
                Role::Caller => builder.value(caller, var),
                _ => builder.value(frame, var),
            });
        let children: Vec<usize> = self.last.into_iter().collect();
        self.push(frame, &formulas, &children, to);
        frame
    }

    /// Into a frame that will be left.
    fn call(&mut self, caller: usize, call: &Rc<Call>, entry: NodeId) -> usize {
        let frame = self.frame(call.callee, Some(caller));
        let last = self.last.take();
        self.calls.push(Caller { frame: caller, call: Rc::clone(call), last });
        let mut unchanged = Vec::new();
        for var in self.cx.semantics.changed(call.callee).iter() {
            let (pre, now) = (self.initial(frame, *var), self.assign(frame, *var));
            unchanged.push(self.cx.terms.eq(now, pre));
        }
        let unchanged = self.cx.terms.and(unchanged);
        self.push(frame, &[unchanged, Term::TRUE], &[], entry);
        frame
    }

    /// Back from a callee, or past it.
    fn leave(
        &mut self,
        caller: usize,
        call: &Rc<Call>,
        callee: Option<(usize, Option<usize>)>,
        to: NodeId,
    ) {
        self.trace.opaque |= call.opaque;
        let before: FxHashMap<VarId, Term> =
            call.assigned.iter().map(|v| (*v, self.value(caller, *v))).collect();
        for var in &call.assigned {
            self.assign(caller, *var);
        }
        let (formulas, _) =
            self.instance(&[call.leave, call.leave_ranges], |builder, role, var| {
                match (role, callee) {
                    (Role::Old, _) => before[&var],
                    (Role::Callee, Some((frame, _))) => builder.value(frame, var),
                    (Role::CalleePre, Some((frame, _))) => builder.initial(frame, var),
                    (Role::Callee | Role::CalleePre, None) => builder.fresh(var),
                    _ => builder.value(caller, var),
                }
            });
        let end = callee.and_then(|(_, end)| end);
        let children: Vec<usize> = self.last.into_iter().chain(end).collect();
        self.push(caller, &formulas, &children, to);
    }
}
