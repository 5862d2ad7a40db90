//! Constant folding and propagation.
//!
//! Within a procedure, the values of integer variables whose address is not taken are followed
//! along all paths that can be taken (conditional constant propagation). Static variables that
//! only the start procedure assigns keep, everywhere else, the value it gave them. Known values
//! replace loads, expressions are folded, assumptions that hold are gone and edges whose
//! assumption fails are removed, with everything that becomes unreachable.
//!
//! Every run is kept with the same undefined behaviour: an operation that is undefined, or may
//! be, is never folded away (`10 / 0` and `INT_MAX + 1` stay). The values used are in
//! [`Inverse::known`], since a proof for the original program needs them. Locations keep their
//! ids.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::arena::Id;
use crate::arith;
use crate::callgraph::CallGraph;
use crate::expr::{Arith, BinOp, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::loops::Loops;
use crate::modset::{Effects, ModSets};
use crate::pass::inverse::{Image, Inverse, Layer, ProcLayer};
use crate::program::{Call, Callee, Cfa, EdgeId, Instr, LocId, ProcId, Program, VarId};
use crate::undefined;
use crate::walk::{self, Node};

/// Replaces what is known in advance by constants.
pub fn constants(mut program: Program) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let calls = CallGraph::new(&program);
    let mods = ModSets::new(&program, &calls);
    let globals = global_constants(&program, &calls, &mods);
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        if program.procs[proc].body.is_some() {
            let entry = if proc == program.start { Values::default() } else { globals.clone() };
            let findings = Flow::new(&program, &calls, &mods, proc).solve(entry).findings();
            layer.procs.insert(proc, rewrite(&mut program, proc, findings));
        }
    }
    (program, Inverse::of(layer))
}

type Values = FxHashMap<VarId, i128>;

/// The values of static variables that the start procedure has assigned whenever it calls
/// something, and that nobody else assigns.
fn global_constants(program: &Program, calls: &CallGraph, mods: &ModSets) -> Values {
    let start = program.start;
    if !calls.callers(start).is_empty() {
        return Values::default();
    }
    let others = program.procs.ids().filter(|&p| p != start);
    let assigned: BTreeSet<VarId> =
        others.flat_map(|p| mods.of_proc(p).writes.vars.iter().copied()).collect();
    let mut known: Option<Values> = None;
    let flow = Flow::new(program, calls, mods, start).solve(Values::default());
    flow.visit_all(|env, edge| {
        if !calls.targets(start, edge).is_empty() {
            let mut here = env.values.clone();
            here.retain(|v, _| program.vars[*v].kind.frame().is_none() && !assigned.contains(v));
            match &mut known {
                None => known = Some(here),
                Some(known) => meet(known, &here),
            }
        }
    });
    known.unwrap_or_default()
}

fn meet(values: &mut Values, other: &Values) {
    values.retain(|var, value| other.get(var) == Some(value));
}

/// What is known at one point of a walk; changes can be taken back.
#[derive(Default)]
struct Env {
    values: Values,
    trail: Vec<(VarId, Option<i128>)>,
}

impl Env {
    fn set(&mut self, var: VarId, value: Option<i128>) {
        let before = match value {
            Some(value) => self.values.insert(var, value),
            None => self.values.remove(&var),
        };
        self.trail.push((var, before));
    }

    fn undo_to(&mut self, length: usize) {
        for (var, before) in self.trail.drain(length..).rev() {
            match before {
                Some(value) => self.values.insert(var, value),
                None => self.values.remove(&var),
            };
        }
    }
}

/// The data flow of one procedure. States are kept only where paths join; what lies between is
/// a tree that is walked anew, so that long straight code does not cost its square.
struct Flow<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    mods: &'a ModSets,
    proc: ProcId,
    cfa: &'a Cfa,
    /// The values at joins that can be reached.
    joins: Vec<Option<Values>>,
}

impl<'a> Flow<'a> {
    fn new(
        program: &'a Program,
        calls: &'a CallGraph,
        mods: &'a ModSets,
        proc: ProcId,
    ) -> Flow<'a> {
        let cfa = program.procs[proc].body.as_ref().expect("only bodies have a data flow");
        Flow { program, calls, mods, proc, cfa, joins: vec![None; cfa.locs.len()] }
    }

    fn is_join(&self, loc: LocId) -> bool {
        loc == self.cfa.entry || self.cfa.locs[loc].into.len() != 1
    }

    fn solve(mut self, entry: Values) -> Flow<'a> {
        self.joins[self.cfa.entry.index()] = Some(entry);
        let mut work = BTreeSet::from([self.cfa.entry]);
        while let Some(join) = work.pop_first() {
            let mut reached: Vec<(LocId, Values)> = Vec::new();
            self.visit(join, &mut |env, _, to| {
                if self.is_join(to) {
                    reached.push((to, env.values.clone()));
                }
            });
            for (to, values) in reached {
                let state = &mut self.joins[to.index()];
                let size = state.as_ref().map(|known| known.len());
                match state {
                    None => *state = Some(values),
                    Some(known) => meet(known, &values),
                }
                if state.as_ref().map(|known| known.len()) != size {
                    work.insert(to);
                }
            }
        }
        self
    }

    /// Walks the tree below a join, calling `see` with the state *after* every edge that can be
    /// taken.
    fn visit(&self, join: LocId, see: &mut impl FnMut(&Env, EdgeId, LocId)) {
        self.walk(join, &mut |_, _| {}, see);
    }

    /// Calls `see` with the state *before* every edge that can be taken.
    fn visit_all(&self, mut see: impl FnMut(&Env, EdgeId)) {
        for loc in self.cfa.locs.ids() {
            self.walk(loc, &mut see, &mut |_, _, _| {});
        }
    }

    fn walk(
        &self,
        join: LocId,
        before: &mut impl FnMut(&Env, EdgeId),
        after: &mut impl FnMut(&Env, EdgeId, LocId),
    ) {
        let Some(values) = &self.joins[join.index()] else { return };
        let mut env = Env { values: values.clone(), trail: Vec::new() };
        let mut stack = vec![(self.cfa.locs[join].out.as_slice(), 0)];
        while let Some((untried, length)) = stack.last_mut() {
            env.undo_to(*length);
            let Some((&edge, rest)) = untried.split_first() else {
                stack.pop();
                continue;
            };
            *untried = rest;
            let length = env.trail.len();
            let to = self.cfa.edges[edge].to;
            if !self.can_take(&env, edge) {
                continue;
            }
            before(&env, edge);
            self.apply(&mut env, edge);
            after(&env, edge, to);
            if self.is_join(to) {
                env.undo_to(length);
            } else {
                let length = env.trail.len();
                stack.push((self.cfa.locs[to].out.as_slice(), length));
            }
        }
    }

    fn can_take(&self, env: &Env, edge: EdgeId) -> bool {
        match self.cfa.edges[edge].instr {
            Instr::Assume(condition) => eval(self.program, &env.values, condition) != Some(0),
            _ => true,
        }
    }

    fn apply(&self, env: &mut Env, edge: EdgeId) {
        let program = self.program;
        match &self.cfa.edges[edge].instr {
            Instr::Skip => {}
            Instr::Assign(place, value) => {
                if let PlaceKind::Var(var) = program.places[*place].kind
                    && is_tracked(program, var)
                {
                    let value = eval(program, &env.values, *value);
                    env.set(var, value);
                }
            }
            Instr::Assume(condition) => learn(program, env, *condition, true),
            Instr::Return(value) => {
                if let Some(result) =
                    program.procs[self.proc].result.filter(|&v| is_tracked(program, v))
                {
                    let value = value.and_then(|value| eval(program, &env.values, value));
                    env.set(result, value);
                }
            }
            Instr::Call(_) => {
                let Effects { writes, .. } =
                    self.mods.of_edge(program, self.calls, self.proc, edge);
                writes.vars.into_iter().for_each(|var| env.set(var, None));
            }
            instr => {
                let Effects { writes, .. } = Effects::of_instr(program, self.proc, instr);
                writes.vars.into_iter().for_each(|var| env.set(var, None));
            }
        }
    }
}

/// Only instructions that name the variable change it.
fn is_tracked(program: &Program, var: VarId) -> bool {
    let var = &program.vars[var];
    var.ty.as_int().is_some() && !var.address_taken
}

/// The values that follow from a truth value.
fn learn(program: &Program, env: &mut Env, condition: ExprId, holds: bool) {
    match (&program.exprs[condition].kind, holds) {
        (&ExprKind::Unary(UnOp::Not, a), _) => learn(program, env, a, !holds),
        (&ExprKind::Binary(BinOp::And, a, b), true)
        | (&ExprKind::Binary(BinOp::Or, a, b), false) => {
            learn(program, env, a, holds);
            learn(program, env, b, holds);
        }
        (&ExprKind::Binary(BinOp::Eq, a, b), true)
        | (&ExprKind::Binary(BinOp::Ne, a, b), false) => {
            for (one, other) in [(a, b), (b, a)] {
                if let (Some(var), value @ Some(_)) =
                    (loaded(program, one), eval(program, &env.values, other))
                {
                    env.set(var, value);
                }
            }
        }
        _ => {
            if let Some(var) = loaded(program, condition) {
                env.set(var, Some(i128::from(holds)));
            }
        }
    }
}

/// The tracked variable whose value this is.
fn loaded(program: &Program, e: ExprId) -> Option<VarId> {
    match program.exprs[e].kind {
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) if is_tracked(program, var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// The value of an expression, if it is known and its evaluation is defined.
fn eval(program: &Program, values: &Values, e: ExprId) -> Option<i128> {
    let of = |e: ExprId| eval(program, values, e);
    let int = |e: ExprId| program.exprs[e].ty.as_int();
    match program.exprs[e].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Load(_) => loaded(program, e).and_then(|var| values.get(&var).copied()),
        ExprKind::Unary(op, a) => arith::unary(op, of(a)?, int(a)?, false).ok(),
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            // The value that decides, wherever it is found.
            let decides = i128::from(op == BinOp::Or);
            match (of(a), of(b)) {
                (Some(a), _) if a == decides => Some(decides),
                (Some(_), b) => b,
                (None, Some(b)) if b == decides && !undefined::possible(program, a) => {
                    Some(decides)
                }
                (None, _) => None,
            }
        }
        ExprKind::Binary(op, a, b) => {
            int(b)?;
            let (int, a, b) = (int(a)?, of(a)?, of(b)?);
            match op.is_comparison() {
                true => Some(i128::from(arith::compare(op, a, b, int))),
                // Signed overflow is never folded away, whatever it may mean.
                false => arith::binary(op, a, b, int, false).ok(),
            }
        }
        ExprKind::Overflows(op, a, b, into) => {
            let (a, b) = ((of(a)?, int(a)?), (of(b)?, int(b)?));
            let defined = op != Arith::Div || b.0 != 0;
            defined.then(|| i128::from(!arith::fits(op, a, b, into)))
        }
        ExprKind::Cast(a) => {
            int(a)?;
            Some(int(e)?.wrap(of(a)?))
        }
        ExprKind::Ite(c, a, b) => {
            int(e)?;
            if of(c)? != 0 { of(a) } else { of(b) }
        }
        _ => None,
    }
}

/// What there is to write out.
struct Findings {
    reached: Vec<bool>,
    /// For each edge that can be taken, the values that its instruction reads.
    used: BTreeMap<EdgeId, Values>,
    known: BTreeMap<LocId, Vec<(VarId, i128)>>,
}

impl Flow<'_> {
    fn findings(&self) -> Findings {
        let cfa = self.cfa;
        let loops = Loops::new(cfa);
        let worth_telling =
            |loc: LocId| loc == cfa.entry || loc == cfa.exit || loops.is_cut_point(loc);
        let mut known = BTreeMap::new();
        let mut reached = vec![false; cfa.locs.len()];
        let mut used = BTreeMap::new();
        let mut reach = |loc: LocId, values: &Values| {
            reached[loc.index()] = true;
            if worth_telling(loc) && !values.is_empty() {
                known.insert(loc, sorted(values));
            }
        };
        for loc in cfa.locs.ids() {
            if let Some(values) = &self.joins[loc.index()] {
                reach(loc, values);
            }
            let before = &mut |env: &Env, edge| {
                let values = relevant(self.program, &env.values, &cfa.edges[edge].instr);
                used.insert(edge, values);
            };
            self.walk(loc, before, &mut |env, _, to| {
                if !self.is_join(to) {
                    reach(to, &env.values);
                }
            });
        }
        Findings { reached, used, known }
    }
}

/// Writes out what is known.
fn rewrite(program: &mut Program, proc: ProcId, findings: Findings) -> ProcLayer {
    let Findings { reached, used, known } = findings;
    let origins = super::rebuild(program, proc, |program, id, edge| {
        let values = used.get(&id)?;
        Some(Writer { program, values }.instr(&edge.instr))
    });
    let image = |(number, reached): (usize, &bool)| match reached {
        true => Image::At(LocId::from_index(number)),
        false => Image::Unreachable,
    };
    let images = reached.iter().enumerate().map(image).collect();
    ProcLayer { images: Some(images), origins, known }
}

fn sorted(values: &Values) -> Vec<(VarId, i128)> {
    let mut list: Vec<(VarId, i128)> = values.iter().map(|(&var, &value)| (var, value)).collect();
    list.sort_unstable();
    list
}

/// The known values of variables that an instruction reads.
fn relevant(program: &Program, values: &Values, instr: &Instr) -> Values {
    let mut reads = crate::modset::Footprint::default();
    walk::operands(instr).into_iter().for_each(|e| reads.add_expr(program, e));
    walk::written(instr).into_iter().for_each(|p| reads.add_address(program, p));
    let known = reads.vars.into_iter().filter_map(|v| values.get(&v).map(|&value| (v, value)));
    known.collect()
}

/// Writes known values into instructions.
struct Writer<'a> {
    program: &'a mut Program,
    values: &'a Values,
}

impl Writer<'_> {
    fn instr(&mut self, instr: &Instr) -> Instr {
        match instr {
            Instr::Assign(place, value) => {
                let value = self.expr(*value);
                Instr::Assign(self.place(*place), value)
            }
            Instr::Assume(condition) => {
                let condition = self.expr(*condition);
                match self.program.exprs[condition].kind {
                    ExprKind::Int(1) => Instr::Skip,
                    _ => Instr::Assume(condition),
                }
            }
            Instr::Havoc(place, site) => Instr::Havoc(self.place(*place), *site),
            Instr::Return(value) => Instr::Return(value.map(|value| self.expr(value))),
            Instr::Call(call) => Instr::Call(Call {
                callee: match call.callee {
                    Callee::Pointer(pointer) => Callee::Pointer(self.expr(pointer)),
                    other => other,
                },
                args: call.args.iter().map(|&arg| self.expr(arg)).collect(),
                // The place is evaluated after the call, when values may have changed.
                result: call.result,
                site: call.site,
            }),
            Instr::Skip | Instr::Dead(_) | Instr::Block(_) => instr.clone(),
        }
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Expr(e) => Node::Expr(self.expr(e)),
            Node::Place(p) => Node::Place(self.place(p)),
        }
    }

    fn expr(&mut self, e: ExprId) -> ExprId {
        let (ty, span) = (self.program.exprs[e].ty, self.program.exprs[e].span);
        let old = self.program.exprs[e].kind.clone();
        let kind = match eval(self.program, self.values, e) {
            Some(value) => ExprKind::Int(value),
            None => walk::map_parts(&old, &mut |part| self.node(part)),
        };
        if let Some(simpler) = self.decided(&kind) {
            simpler
        } else if kind == old {
            e
        } else {
            self.program.expr(kind, ty, span)
        }
    }

    /// The operand that is left of a lazy operator when the others are constant.
    fn decided(&self, kind: &ExprKind) -> Option<ExprId> {
        let constant = |e: ExprId| match self.program.exprs[e].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        match *kind {
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let neutral = Some(i128::from(op == BinOp::And));
                if constant(a) == neutral { Some(b) } else { (constant(b) == neutral).then_some(a) }
            }
            ExprKind::Ite(c, a, b) => constant(c).map(|c| if c != 0 { a } else { b }),
            _ => None,
        }
    }

    fn place(&mut self, p: PlaceId) -> PlaceId {
        let place = self.program.places[p].clone();
        let kind = walk::map_place_parts(place.kind, &mut |part| self.node(part));
        if kind == place.kind { p } else { self.program.place(kind, place.ty, place.span) }
    }
}
