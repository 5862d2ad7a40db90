//! Calls written out.
//!
//! A copy of the callee's body, with variables of its own, takes the place of a call. What a run
//! does is the same, step by step; what is in memory of these variables dies where the callee
//! returned. Where there is no loop and no recursion, a run makes each call once at most, and nobody
//! finds in them what another call has left there; otherwise all of them die.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Id};
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::loops::Loops;
use crate::program::{
    Builtin, Call, Callee, Cfa, Edge, EdgeId, IndexBound, Instr, Loc, LocId, ProcId, Program, Var,
    VarId, VarKind,
};
use crate::source::Span;
use crate::walk::{self, Node};

/// The program with everything that `start` calls directly written out in it, but for recursive
/// procedures and those that allocate on the stack: what they allocate is gone when they return.
/// `None`: it becomes larger than this many edges. A run that `repeats` edges may make a call again.
pub(super) fn inline(mut program: Program, most: usize, repeats: bool) -> Option<Program> {
    let calls = CallGraph::new(&program);
    let start = program.start;
    let only = only_callee(&program);
    let inlined = program
        .procs
        .ids()
        .map(|proc| can_inline(&program, &calls, proc, only == Some(proc)))
        .collect();
    let body = program.procs[start].body.take().expect("the start has a body");
    let mut inliner = Inliner { program, inlined, body, next: 0, repeats };
    inliner.run(most)?;
    let Inliner { mut program, body, .. } = inliner;
    program.procs[start].body = Some(body);
    let calls = CallGraph::new(&program);
    for proc in program.procs.ids().filter(|proc| !calls.is_reachable(*proc)) {
        let procedure = &mut program.procs[proc];
        procedure.body = None;
        procedure.locals.clear();
    }
    Some(program)
}

/// The procedure that `start` calls before it ends, if it calls no other: `main`. What it allocates on
/// the stack may stay, since nothing comes after it.
fn only_callee(program: &Program) -> Option<ProcId> {
    let mut found = None;
    for (proc, _, body) in program.defined() {
        for (_, edge) in body.edges.iter() {
            let Instr::Call(Call { callee: Callee::Proc(callee), .. }) = edge.instr else {
                continue;
            };
            let is_first = proc == program.start && found.is_none();
            match found {
                _ if is_first => found = Some(callee),
                Some(known) if known == callee => return None,
                _ if proc == program.start => return None,
                _ => {}
            }
        }
    }
    let body = program.procs[program.start].body.as_ref()?;
    found.filter(|_| Loops::new(body).cut_points().is_empty())
}

fn can_inline(program: &Program, calls: &CallGraph, proc: ProcId, is_main: bool) -> bool {
    let procedure = &program.procs[proc];
    let Some(body) = &procedure.body else { return false };
    let allocates = |edge: &Edge| match &edge.instr {
        Instr::Call(call) => call.callee == Callee::Builtin(Builtin::Alloca),
        _ => false,
    };
    let stays = procedure.is_error || calls.is_recursive(proc);
    !stays && (is_main || !body.edges.iter().any(|(_, edge)| allocates(edge)))
}

struct Inliner {
    program: Program,
    inlined: Arena<ProcId, bool>,
    body: Cfa,
    /// Edges before this one have been looked at.
    next: usize,
    repeats: bool,
}

/// A copy of a body in the making.
struct Copied {
    vars: FxHashMap<VarId, VarId>,
    exprs: FxHashMap<ExprId, ExprId>,
    places: FxHashMap<PlaceId, PlaceId>,
}

impl Inliner {
    fn run(&mut self, most: usize) -> Option<()> {
        while self.next < self.body.edges.len() {
            let id = EdgeId::from_index(self.next);
            self.next += 1;
            if let Instr::Call(call @ Call { callee: Callee::Proc(callee), .. }) =
                &self.body.edges[id].instr
                && self.inlined[*callee]
            {
                self.write_out(id, *callee, call.clone());
            }
            if self.body.edges.len() > most {
                return None;
            }
        }
        Some(())
    }

    fn write_out(&mut self, id: EdgeId, callee: ProcId, call: Call) {
        let procedure = self.program.procs[callee].clone();
        let old = procedure.body.as_ref().expect("it can be written out");
        let Edge { to, span, .. } = self.body.edges[id];
        let own = procedure.params.iter().chain(&procedure.locals).chain(&procedure.result);
        let vars: Vec<VarId> = own.copied().collect();
        let mut copied = self.copy_vars(&vars);
        let mut at = self.detach(id);
        for (param, arg) in procedure.params.iter().zip(&call.args) {
            let place = self.program.var_place(copied.vars[param], span);
            at = self.step(at, Instr::Assign(place, *arg), span);
        }
        let locs = self.copy_body(old, &mut copied, procedure.result);
        self.body.add_edge(at, locs[old.entry], Instr::Skip, span);
        let mut at = locs[old.exit];
        if let (Some(place), Some(result)) = (call.result, procedure.result) {
            let value = self.program.load_var(copied.vars[&result], span);
            at = self.step(at, Instr::Assign(place, value), span);
        }
        for var in vars.iter().map(|var| copied.vars[var]) {
            if self.repeats || self.is_in_memory(var) {
                at = self.step(at, Instr::Dead(var), span);
            }
        }
        self.body.add_edge(at, to, Instr::Skip, span);
    }

    /// The edge leads to a new location instead, and does nothing.
    fn detach(&mut self, id: EdgeId) -> LocId {
        let Edge { to, span, .. } = self.body.edges[id];
        self.body.locs[to].into.retain(|other| *other != id);
        let at = self.body.add_loc(span);
        self.body.locs[at].into.push(id);
        let edge = &mut self.body.edges[id];
        (edge.to, edge.instr) = (at, Instr::Skip);
        at
    }

    fn step(&mut self, from: LocId, instr: Instr, span: Span) -> LocId {
        let to = self.body.add_loc(span);
        self.body.add_edge(from, to, instr, span);
        to
    }

    fn is_in_memory(&self, var: VarId) -> bool {
        let Var { ty, address_taken, .. } = &self.program.vars[var];
        *address_taken || !ty.is_scalar()
    }

    /// New variables of the start for those of a frame.
    fn copy_vars(&mut self, vars: &[VarId]) -> Copied {
        let start = self.program.start;
        let mut copies = FxHashMap::default();
        for var in vars {
            let kind = match self.program.vars[*var].kind {
                VarKind::Temp(_) | VarKind::Result(_) => VarKind::Temp(start),
                _ => VarKind::Local(start),
            };
            let copy = self.program.vars.push(Var { kind, ..self.program.vars[*var].clone() });
            self.program.procs[start].locals.push(copy);
            if self.program.arrays.contains(var) {
                self.program.arrays.insert(copy);
            }
            if let Some(constant) = self.program.constants.get(var).cloned() {
                self.program.constants.insert(copy, constant);
            }
            copies.insert(*var, copy);
        }
        Copied { vars: copies, exprs: FxHashMap::default(), places: FxHashMap::default() }
    }

    fn copy_body(
        &mut self,
        old: &Cfa,
        copied: &mut Copied,
        result: Option<VarId>,
    ) -> Arena<LocId, LocId> {
        let mut locs = Arena::new();
        for (_, loc) in old.locs.iter() {
            let (span, error) = (loc.span, loc.error.clone());
            locs.push(self.body.locs.push(Loc { span, error, ..Loc::default() }));
        }
        for (name, at) in &old.labels {
            self.body.labels.push((name.clone(), locs[*at]));
        }
        for (_, edge) in old.edges.iter() {
            let instr = self.copy_instr(&edge.instr, copied, result, edge.span);
            self.body.add_edge(locs[edge.from], locs[edge.to], instr, edge.span);
        }
        locs
    }

    fn copy_instr(
        &mut self,
        instr: &Instr,
        copied: &mut Copied,
        result: Option<VarId>,
        span: Span,
    ) -> Instr {
        match instr {
            Instr::Skip | Instr::Return(None) => Instr::Skip,
            Instr::Assign(place, value) => {
                let value = self.expr(copied, *value);
                Instr::Assign(self.place(copied, *place), value)
            }
            Instr::Assume(condition) => Instr::Assume(self.expr(copied, *condition)),
            Instr::Havoc(place, site) => Instr::Havoc(self.place(copied, *place), *site),
            Instr::Call(call) => Instr::Call(self.copy_call(call, copied)),
            Instr::Return(Some(value)) => {
                let value = self.expr(copied, *value);
                let result = copied.vars[&result.expect("it returns something")];
                Instr::Assign(self.program.var_place(result, span), value)
            }
            Instr::Dead(var) => Instr::Dead(copied.vars.get(var).copied().unwrap_or(*var)),
            Instr::Block(_) => unreachable!("large blocks are made by the last pass"),
        }
    }

    fn copy_call(&mut self, call: &Call, copied: &mut Copied) -> Call {
        let callee = match call.callee {
            Callee::Pointer(pointer) => Callee::Pointer(self.expr(copied, pointer)),
            other => other,
        };
        let args = call.args.iter().map(|arg| self.expr(copied, *arg)).collect();
        let result = call.result.map(|place| self.place(copied, place));
        Call { result, callee, args, site: call.site }
    }

    fn expr(&mut self, copied: &mut Copied, of: ExprId) -> ExprId {
        if let Some(known) = copied.exprs.get(&of) {
            return *known;
        }
        let old = self.program.exprs[of].clone();
        let kind: ExprKind = walk::map_parts(&old.kind, &mut |node| self.node(copied, node));
        let bound = self.program.bounds.get(&of).copied();
        let copy = match kind == old.kind && bound.is_none() {
            true => of,
            false => self.program.expr(kind, old.ty, old.span),
        };
        if let Some(bound) = bound {
            let (index, length) = (self.expr(copied, bound.index), self.expr(copied, bound.length));
            self.program.bounds.insert(copy, IndexBound { index, length, ..bound });
        }
        copied.exprs.insert(of, copy);
        copy
    }

    fn place(&mut self, copied: &mut Copied, of: PlaceId) -> PlaceId {
        if let Some(known) = copied.places.get(&of) {
            return *known;
        }
        let mut place = self.program.places[of].clone();
        let kind = match place.kind {
            PlaceKind::Var(var) => PlaceKind::Var(copied.vars.get(&var).copied().unwrap_or(var)),
            other => walk::map_place_parts(other, &mut |node| self.node(copied, node)),
        };
        let copy = match kind == place.kind {
            true => of,
            false => {
                place.kind = kind;
                self.program.places.push(place)
            }
        };
        copied.places.insert(of, copy);
        copy
    }

    fn node(&mut self, copied: &mut Copied, node: Node) -> Node {
        match node {
            Node::Expr(expr) => Node::Expr(self.expr(copied, expr)),
            Node::Place(place) => Node::Place(self.place(copied, place)),
        }
    }
}
