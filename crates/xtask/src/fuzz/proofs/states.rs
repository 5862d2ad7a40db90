//! The states that all runs of a program together pass, where a proof speaks of states.
//!
//! They come from the traces of the interpreter alone: what a step assigns is kept for each frame.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Meaning, Proof, Slot, When};
use lakatos_ir::interpret::{Outcome, Step, Target, Value};
use lakatos_ir::{Callee, Cfa, EdgeId, Instr, IntType, LocId, PlaceKind, ProcId, Program, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Assignment, Sort, Term, Value as TermValue};

use crate::fuzz::truth::{Question, each_run};

/// The values of variables that have one.
type Values = BTreeMap<VarId, i128>;

/// A state at a place that a proof speaks of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seen {
    pub slot: Slot,
    now: Values,
    /// When the procedure was entered.
    entry: Values,
}

impl Seen {
    /// The static variables with another value than when the procedure was entered.
    pub fn changed<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = VarId> + 'a {
        let is_static = |var: VarId| program.vars[var].kind.frame().is_none();
        let now = self.now.iter();
        now.filter(move |(var, value)| {
            is_static(**var) && self.entry.get(var).is_some_and(|before| before != *value)
        })
        .map(|(var, _)| *var)
    }

    /// Whether a formula of a proof holds in the state; `None`: it speaks of what has no value.
    pub fn holds(&self, program: &Program, proof: &Proof, formula: Term) -> Option<bool> {
        let terms = proof.terms();
        let mut assignment = Assignment::default();
        for symbol in terms.free_symbols(formula) {
            let Meaning { var, when } = proof.meaning(symbol);
            let values = match when {
                When::Now => &self.now,
                When::Entry => &self.entry,
            };
            let value = *values.get(&var)?;
            let value = match (terms.symbol_sort(symbol), program.vars[var].ty.as_int()?) {
                (Sort::Bool, IntType::BOOL) => TermValue::Bool(value != 0),
                (Sort::Int, ty) if !ty.is_u128() => TermValue::Int(Int::from(value)),
                _ => return None,
            };
            assignment.symbols.insert(symbol, value);
        }
        terms.holds(formula, &assignment)
    }
}

/// All states at entries, exits and the given locations of an instrumented program; `None` where
/// nobody knows.
pub fn states(
    program: &Program,
    question: Question,
    cuts: &BTreeSet<(ProcId, LocId)>,
) -> Option<BTreeSet<Seen>> {
    let mut seen = BTreeSet::new();
    let mut known = true;
    each_run(program, question, true, |run, _| {
        let mut follower =
            Follower { program, cuts, statics: Values::new(), stack: Vec::new(), seen: &mut seen };
        follower.enter(program.start, Values::new());
        // The step in which a run becomes undefined does not lead anywhere.
        let undone = usize::from(matches!(run.outcome, Outcome::Undefined { .. }));
        let done = &run.trace[..run.trace.len().saturating_sub(undone)];
        known &= done.iter().all(|step| follower.step(step).is_some());
    })?;
    known.then_some(seen)
}

/// A call in progress.
struct Frame {
    proc: ProcId,
    locals: Values,
    entry: Values,
    /// The call whose result is still to be assigned.
    awaited: Option<EdgeId>,
    /// The call that was made last.
    called: Option<EdgeId>,
}

/// Follows a trace.
struct Follower<'a> {
    program: &'a Program,
    cuts: &'a BTreeSet<(ProcId, LocId)>,
    statics: Values,
    stack: Vec<Frame>,
    seen: &'a mut BTreeSet<Seen>,
}

impl Follower<'_> {
    fn body(&self, proc: ProcId) -> Option<&Cfa> {
        self.program.procs[proc].body.as_ref()
    }

    fn top(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("a run has a frame")
    }

    fn enter(&mut self, proc: ProcId, params: Values) {
        let mut entry = self.statics.clone();
        entry.extend(params.iter());
        self.stack.push(Frame { proc, locals: params, entry, awaited: None, called: None });
        self.see(Slot::Requires(proc));
    }

    fn see(&mut self, slot: Slot) {
        let frame = self.stack.last().expect("a run has a frame");
        let mut now = self.statics.clone();
        now.extend(frame.locals.iter());
        self.seen.insert(Seen { slot, now, entry: frame.entry.clone() });
    }

    /// `None`: nothing is known from here on.
    fn step(&mut self, step: &Step) -> Option<()> {
        let program = self.program;
        let edge = &program.procs[step.proc].body.as_ref()?.edges[step.edge];
        let returned = self.top().awaited.take() == Some(step.edge);
        match &edge.instr {
            Instr::Call(call) if !returned => match call.callee {
                Callee::Pointer(_) => return None,
                Callee::Proc(callee) if self.body(callee).is_some() => {
                    self.top().called = Some(step.edge);
                    let params = self.params(step);
                    self.enter(callee, params);
                    return Some(());
                }
                Callee::Proc(_) | Callee::Builtin(_) => {}
            },
            Instr::Dead(var) => drop(self.top().locals.remove(var)),
            Instr::Block(_) => return None,
            _ => {}
        }
        self.assign(step);
        self.arrive(edge.to);
        Some(())
    }

    fn params(&self, step: &Step) -> Values {
        let param = |assigned: &lakatos_ir::interpret::Assigned| match assigned.target {
            Target::Param(var) => self.followed(var, assigned.value),
            _ => None,
        };
        step.assigned.iter().filter_map(param).collect()
    }

    /// Integers that no pointer reaches.
    fn followed(&self, var: VarId, value: Value) -> Option<(VarId, i128)> {
        let info = &self.program.vars[var];
        match value {
            Value::Int(value) if info.ty.as_int().is_some() && !info.address_taken => {
                Some((var, value))
            }
            _ => None,
        }
    }

    fn assign(&mut self, step: &Step) {
        for assigned in &step.assigned {
            let var = match assigned.target {
                Target::Place(place) => match self.program.places[place].kind {
                    PlaceKind::Var(var) => Some(var),
                    _ => None,
                },
                Target::Param(var) => Some(var),
                Target::Result => self.program.procs[step.proc].result,
            };
            let Some((var, value)) = var.and_then(|var| self.followed(var, assigned.value)) else {
                continue;
            };
            match self.program.vars[var].kind.frame() {
                None => self.statics.insert(var, value),
                Some(_) => self.top().locals.insert(var, value),
            };
        }
    }

    fn arrive(&mut self, loc: LocId) {
        let proc = self.top().proc;
        let exit = self.body(proc).map(|body| body.exit);
        if exit != Some(loc) {
            if self.cuts.contains(&(proc, loc)) {
                self.see(Slot::Invariant(proc, loc));
            }
            return;
        }
        self.see(Slot::Ensures(proc));
        self.stack.pop();
        let Some(caller) = self.stack.last_mut() else { return };
        let edge = caller.called.take().expect("it called");
        let proc = caller.proc;
        let Some(edge_info) = self.body(proc).map(|body| &body.edges[edge]) else { return };
        match &edge_info.instr {
            Instr::Call(call) if call.result.is_some() => self.top().awaited = Some(edge),
            _ => {
                let to = edge_info.to;
                self.arrive(to);
            }
        }
    }
}
