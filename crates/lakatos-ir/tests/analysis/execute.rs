//! A tiny executor that explores all runs of a program over small integers. It shares no code
//! with the passes: arithmetic is on mathematical integers, with ranges checked afterwards.
//!
//! Values are numbers: integers, pointers to static variables (`POINTER + 100 * variable +
//! element`) and functions (`FUNCTION + procedure`). Variables are lists of numbers.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::pass::Step;
use lakatos_ir::*;

const POINTER: i128 = 1_000_000;
const FUNCTION: i128 = 5_000_000;

type Store = BTreeMap<VarId, Vec<i128>>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    pub proc: ProcId,
    pub loc: LocId,
    pub vars: Store,
    /// The call edge that is being executed, in a frame that is not the innermost.
    pub calling: Option<EdgeId>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub stack: Vec<Frame>,
    pub statics: Store,
}

/// What happens in a step.
pub enum Outcome {
    Next(State),
    Undefined(Undefined, Span),
}

#[derive(Default)]
pub struct Runs {
    /// Messages and spans of the violations that were reached, with a run to the first of each.
    pub errors: BTreeMap<(String, Span), Vec<Step>>,
    pub undefined: BTreeSet<(Undefined, Span)>,
    pub states: BTreeSet<State>,
    /// The limit was hit: the rest means nothing.
    pub cut_off: bool,
}

impl Runs {
    pub fn error_keys(&self) -> BTreeSet<(String, Span)> {
        self.errors.keys().cloned().collect()
    }
}

pub struct Executor<'p> {
    pub program: &'p Program,
    pub max_depth: usize,
    pub max_states: usize,
}

impl<'p> Executor<'p> {
    pub fn new(program: &'p Program) -> Executor<'p> {
        Executor { program, max_depth: 4, max_states: 30_000 }
    }

    fn cfa(&self, proc: ProcId) -> &'p Cfa {
        self.program.procs[proc].body.as_ref().expect("executes bodies")
    }

    pub fn initial(&self) -> State {
        let start = self.program.start;
        let statics = self.program.vars.iter().filter(|(_, v)| v.kind.frame().is_none());
        State {
            statics: statics.map(|(id, _)| (id, self.zero(id))).collect(),
            stack: vec![self.frame(start)],
        }
    }

    fn zero(&self, var: VarId) -> Vec<i128> {
        match self.program.vars[var].ty {
            Type::Array(_, Some(len)) => vec![0; len as usize],
            _ => vec![0],
        }
    }

    fn frame(&self, proc: ProcId) -> Frame {
        let p = &self.program.procs[proc];
        let vars = p.params.iter().chain(&p.result).chain(&p.locals);
        let vars = vars.map(|&v| (v, self.zero(v))).collect();
        Frame { proc, loc: self.cfa(proc).entry, vars, calling: None }
    }

    /// All runs.
    pub fn explore(&self) -> Runs {
        let mut runs = Runs::default();
        let mut states = vec![self.initial()];
        let mut reached_by: Vec<Option<(usize, Step)>> = vec![None];
        runs.states.insert(states[0].clone());
        let mut next = 0;
        while next < states.len() {
            let state = states[next].clone();
            let here = state.stack.last().expect("somewhere").clone();
            if let Some(violation) = &self.cfa(here.proc).locs[here.loc].error {
                let key = (violation.message.clone(), violation.span);
                let run = || {
                    let before = |&(at, _): &(usize, Step)| reached_by[at].clone();
                    let steps = std::iter::successors(reached_by[next].clone(), before);
                    let mut steps: Vec<Step> = steps.map(|(_, step)| step).collect();
                    steps.reverse();
                    steps.retain(|step| step.edge != RETURN);
                    steps
                };
                runs.errors.entry(key).or_insert_with(run);
            } else {
                for (step, outcome) in self.steps(&state) {
                    match outcome {
                        Outcome::Undefined(kind, span) => {
                            runs.undefined.insert((kind, span));
                        }
                        Outcome::Next(state) => {
                            if runs.states.insert(state.clone()) {
                                states.push(state);
                                reached_by.push(Some((next, step)));
                            }
                        }
                    }
                }
            }
            next += 1;
            if states.len() > self.max_states {
                runs.cut_off = true;
                return runs;
            }
        }
        runs
    }

    /// All steps that can be taken.
    pub fn steps(&self, state: &State) -> Vec<(Step, Outcome)> {
        let frame = state.stack.last().expect("somewhere");
        let cfa = self.cfa(frame.proc);
        if frame.loc == cfa.exit {
            return self.returned(state).into_iter().collect();
        }
        let out = &cfa.locs[frame.loc].out;
        out.iter().flat_map(|&e| self.take(state, e)).collect()
    }

    /// All results of taking an edge.
    pub fn take(&self, state: &State, edge: EdgeId) -> Vec<(Step, Outcome)> {
        let frame = state.stack.last().expect("somewhere");
        let step = Step::new(frame.proc, edge);
        let e = &self.cfa(frame.proc).edges[edge];
        match &e.instr {
            Instr::Block(region) => self.block(state, e, region, step),
            _ => {
                let outcomes = self.instr(state, edge, e, e.to);
                outcomes.into_iter().map(|outcome| (step.clone(), outcome)).collect()
            }
        }
    }

    fn block(
        &self,
        state: &State,
        edge: &Edge,
        region: &Region,
        step: Step,
    ) -> Vec<(Step, Outcome)> {
        let mut done = Vec::new();
        let mut work = vec![(state.clone(), region.entry, Vec::new())];
        while let Some((state, at, within)) = work.pop() {
            for (number, inner) in region.edges.iter().enumerate().filter(|(_, e)| e.from == at) {
                let within = [within.clone(), vec![number as u32]].concat();
                for outcome in self.instr(&state, EdgeId(0), inner, edge.to) {
                    match outcome {
                        Outcome::Next(next) if inner.to != region.exit => {
                            work.push((next, inner.to, within.clone()));
                        }
                        outcome => {
                            done.push((Step { within: within.clone(), ..step.clone() }, outcome));
                        }
                    }
                }
            }
        }
        done
    }

    fn instr(&self, state: &State, id: EdgeId, edge: &Edge, to: LocId) -> Vec<Outcome> {
        match self.try_instr(state, id, edge, to) {
            Ok(states) => states.into_iter().map(Outcome::Next).collect(),
            Err((kind, span)) => vec![Outcome::Undefined(kind, span)],
        }
    }

    fn try_instr(
        &self,
        state: &State,
        id: EdgeId,
        edge: &Edge,
        to: LocId,
    ) -> Result<Vec<State>, Ub> {
        let mut next = state.clone();
        let frame = next.stack.last_mut().expect("somewhere");
        let proc = frame.proc;
        frame.loc = to;
        Ok(match &edge.instr {
            Instr::Skip | Instr::Dead(_) => vec![next],
            Instr::Assign(place, value) => {
                let value = self.value(state, *value)?;
                let (var, element) = self.place(state, *place)?;
                *self.cell(&mut next, var, element) = value;
                vec![next]
            }
            Instr::Assume(condition) => {
                if self.value(state, *condition)? != 0 {
                    vec![next]
                } else {
                    vec![]
                }
            }
            Instr::Havoc(place, _) => {
                let (var, element) = self.place(state, *place)?;
                let ty = self.program.places[*place].ty.as_int().expect("havocs integers");
                let values = ty.min()..=ty.max();
                let with = |value| {
                    let mut next = next.clone();
                    *self.cell(&mut next, var, element) = value;
                    next
                };
                values.map(with).collect()
            }
            Instr::Return(value) => {
                if let (Some(value), Some(result)) = (value, self.program.procs[proc].result) {
                    *self.cell(&mut next, result, 0) = self.value(state, *value)?;
                }
                vec![next]
            }
            Instr::Call(call) => return self.call(state, next, id, edge, call),
            Instr::Block(_) => unreachable!("blocks do not nest"),
        })
    }

    fn call(
        &self,
        state: &State,
        mut next: State,
        id: EdgeId,
        edge: &Edge,
        call: &Call,
    ) -> Result<Vec<State>, Ub> {
        let callee = match call.callee {
            // The edge leads to a location without successors.
            Callee::Builtin(_) => return Ok(vec![next]),
            Callee::Proc(proc) => proc,
            Callee::Pointer(pointer) => {
                let value = self.value(state, pointer)?;
                match usize::try_from(value - FUNCTION) {
                    Ok(index) if index < self.program.procs.len() => ProcId::from_index(index),
                    _ => return Err((Undefined::BadCall, edge.span)),
                }
            }
        };
        let args: Result<Vec<i128>, Ub> =
            call.args.iter().map(|&arg| self.value(state, arg)).collect();
        let args = args?;
        let target = &self.program.procs[callee];
        if target.is_error || state.stack.len() >= self.max_depth {
            return Ok(vec![]);
        }
        if target.body.is_none() {
            return Ok(vec![next]);
        }
        let mut frame = self.frame(callee);
        for (&param, arg) in target.params.iter().zip(args) {
            frame.vars.insert(param, vec![arg]);
        }
        next.stack.last_mut().expect("somewhere").calling = Some(id);
        next.stack.push(frame);
        Ok(vec![next])
    }

    /// The innermost frame is at its exit.
    fn returned(&self, state: &State) -> Option<(Step, Outcome)> {
        let mut next = state.clone();
        let callee = next.stack.pop().expect("somewhere");
        let caller = next.stack.last_mut()?;
        let edge = caller.calling.take().expect("it called");
        let step = Step::new(callee.proc, RETURN);
        let Instr::Call(call) = &self.cfa(caller.proc).edges[edge].instr else { unreachable!() };
        if let (Some(place), Some(result)) = (call.result, self.program.procs[callee.proc].result) {
            match self.place(&next, place) {
                Ok((var, element)) => {
                    *self.cell(&mut next, var, element) = callee.vars[&result][0];
                }
                Err((kind, span)) => return Some((step, Outcome::Undefined(kind, span))),
            }
        }
        Some((step, Outcome::Next(next)))
    }

    fn cell<'s>(&self, state: &'s mut State, var: VarId, element: usize) -> &'s mut i128 {
        let frame = &mut state.stack.last_mut().expect("somewhere").vars;
        let store = if frame.contains_key(&var) { frame } else { &mut state.statics };
        &mut store.get_mut(&var).expect("known")[element]
    }

    fn place(&self, state: &State, place: PlaceId) -> Result<(VarId, usize), Ub> {
        let Place { kind, span, .. } = self.program.places[place];
        match kind {
            PlaceKind::Var(var) => Ok((var, 0)),
            PlaceKind::Field(..) => unreachable!("no records in these tests"),
            PlaceKind::Index(base, index) => {
                let (var, _) = self.place(state, base)?;
                let index = self.value(state, index)?;
                let Type::Array(_, Some(len)) = self.program.vars[var].ty else { unreachable!() };
                if index < 0 || index >= i128::from(len) {
                    return Err((Undefined::OutOfBounds, span));
                }
                Ok((var, index as usize))
            }
            PlaceKind::Deref(pointer) => {
                let at = self.value(state, pointer)? - POINTER;
                if !(0..FUNCTION - POINTER).contains(&at) {
                    return Err((Undefined::NullDeref, span));
                }
                Ok((VarId((at / 100) as u32), (at % 100) as usize))
            }
        }
    }

    pub fn value(&self, state: &State, e: ExprId) -> Result<i128, Ub> {
        let Expr { ref kind, ty, span } = self.program.exprs[e];
        let of = |e: ExprId| self.value(state, e);
        let overflow = || (Undefined::SignedOverflow, span);
        Ok(match *kind {
            ExprKind::Int(value) => value,
            ExprKind::Null | ExprKind::Zero => 0,
            ExprKind::Load(place) => {
                let (var, element) = self.place(state, place)?;
                let frame = &state.stack.last().expect("somewhere").vars;
                frame.get(&var).or_else(|| state.statics.get(&var)).expect("known")[element]
            }
            ExprKind::AddrOf(place) => {
                let (var, element) = self.place(state, place)?;
                POINTER + i128::from(var.0) * 100 + element as i128
            }
            ExprKind::Function(proc) => FUNCTION + i128::from(proc.0),
            ExprKind::Unary(UnOp::Not, a) => 1 - of(a)?,
            ExprKind::Unary(UnOp::BitNot, a) => wrap(ty, -1 - of(a)?),
            ExprKind::Unary(UnOp::Neg, a) => in_type(ty, -of(a)?).ok_or_else(overflow)?,
            ExprKind::Binary(BinOp::And, a, b) => {
                if of(a)? == 0 {
                    0
                } else {
                    of(b)?
                }
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                if of(a)? == 1 {
                    1
                } else {
                    of(b)?
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                binary(op, ty, a, b).map_err(|kind| (kind, span))?
            }
            ExprKind::Overflows(op, a, b, into) => {
                let (a, b) = (of(a)?, of(b)?);
                let exact = match op {
                    Arith::Add => Some(a + b),
                    Arith::Sub => Some(a - b),
                    Arith::Mul => a.checked_mul(b),
                    Arith::Div => Some(a / b),
                };
                i128::from(exact.is_none_or(|exact| exact < into.min() || exact > into.max()))
            }
            ExprKind::Cast(a) => {
                let value = of(a)?;
                if ty.as_int().is_some() { wrap(ty, value) } else { value }
            }
            ExprKind::Ite(c, a, b) => {
                if of(c)? != 0 {
                    of(a)?
                } else {
                    of(b)?
                }
            }
            ref other => unreachable!("{other:?} is not used in these tests"),
        })
    }
}

/// The step that a procedure's end takes: no edge.
pub const RETURN: EdgeId = EdgeId(u32::MAX);

type Ub = (Undefined, Span);

fn wrap(ty: Type, value: i128) -> i128 {
    let int = ty.as_int().expect("an integer");
    (value - int.min()).rem_euclid(1 << int.bits) + int.min()
}

/// Unsigned results wrap, signed ones must fit.
fn in_type(ty: Type, value: i128) -> Option<i128> {
    let wrapped = wrap(ty, value);
    (wrapped == value || !ty.as_int().expect("an integer").signed).then_some(wrapped)
}

fn binary(op: BinOp, ty: Type, a: i128, b: i128) -> Result<i128, Undefined> {
    let bits = || i128::from(ty.as_int().expect("an integer").bits);
    let exact = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        // Only unsigned 64-bit numbers need more, and those wrap.
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div | BinOp::Rem if b == 0 => return Err(Undefined::DivByZero),
        BinOp::Div => a / b,
        BinOp::Rem => {
            in_type(ty, a / b).ok_or(Undefined::SignedOverflow)?;
            a % b
        }
        BinOp::Shl | BinOp::Shr if b < 0 || b >= bits() => {
            return Err(Undefined::ShiftOutOfRange);
        }
        BinOp::Shl => return Ok(wrap(ty, a * (1 << b))),
        BinOp::Shr => a.div_euclid(1 << b),
        BinOp::BitAnd => a & b,
        BinOp::BitOr => a | b,
        BinOp::BitXor => a ^ b,
        BinOp::Eq => return Ok(i128::from(a == b)),
        BinOp::Ne => return Ok(i128::from(a != b)),
        BinOp::Lt => return Ok(i128::from(a < b)),
        BinOp::Le => return Ok(i128::from(a <= b)),
        BinOp::Gt => return Ok(i128::from(a > b)),
        BinOp::Ge => return Ok(i128::from(a >= b)),
        BinOp::And | BinOp::Or => unreachable!("lazy"),
    };
    in_type(ty, exact).ok_or(Undefined::SignedOverflow)
}
