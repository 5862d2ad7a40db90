//! Reads of local variables that may not have been written, as error locations.
//!
//! For variables that are in no memory; [`safety`](super::safety()) looks at memory. A variable
//! that was written on every way to each of its reads needs nothing. Any other has a *flag*, a
//! variable of the frame that says whether it was written, and before a read the run branches on
//! that. A result that a function owes and does not return is such a variable, too, which is read
//! by whoever uses it: one flag says whether the last function that may do so returned a value.

use std::collections::{BTreeMap, BTreeSet};

use crate::arena::Id;
use crate::callgraph::CallGraph;
use crate::expr::{BinOp, ExprId, ExprKind, PlaceKind, UnOp, Undefined};
use crate::interpret::variables_in_memory;
use crate::pass::without_edges;
use crate::program::{Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program, Var, VarId, VarKind};
use crate::property::{Property, Violation};
use crate::source::Span;
use crate::ty::Type;
use crate::undefined::quote;
use crate::walk::{self, Node};

/// Variables that may not have been written, by location.
type Unset = BTreeMap<LocId, BTreeSet<VarId>>;

pub(super) fn written(mut program: Program) -> Program {
    let in_memory = variables_in_memory(&program);
    let calls = CallGraph::new(&program);
    let mut unset: BTreeMap<ProcId, Unset> = BTreeMap::new();
    for (proc, _, body) in program.defined() {
        unset.insert(proc, find_unset(&program, &in_memory, body));
    }
    let owing: BTreeSet<ProcId> = unset
        .iter()
        .filter(|(proc, unset)| owes(&program, **proc, unset))
        .map(|(p, _)| *p)
        .collect();
    let given = (!owing.is_empty()).then(|| flag(&mut program, "a value was returned", None));
    for (proc, unset) in unset {
        let Some(old) = program.procs[proc].body.take() else { continue };
        let flags = flags(&mut program, proc, &old, &unset);
        let new = without_edges(&old);
        let mut builder = Builder {
            program: &mut program,
            calls: &calls,
            proc,
            new,
            unset,
            flags,
            given,
            owing: &owing,
        };
        builder.body(&old);
        let new = builder.new;
        program.procs[proc].body = Some(new);
    }
    program
}

/// What comes to life without a value at an edge.
fn born(program: &Program, instr: &Instr) -> Option<VarId> {
    match *instr {
        Instr::Havoc(place, site) if program.leaves_indeterminate(place, site) => {
            match program.places[place].kind {
                PlaceKind::Var(var) => Some(var),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The variable that an instruction writes as a whole.
fn set(program: &Program, instr: &Instr) -> Option<VarId> {
    match program.places[walk::written(instr)?].kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

fn find_unset(program: &Program, in_memory: &[bool], body: &Cfa) -> Unset {
    let mut unset = Unset::new();
    unset.insert(body.entry, BTreeSet::new());
    let mut open = vec![body.entry];
    while let Some(loc) = open.pop() {
        for edge in body.locs[loc].out.iter().map(|id| &body.edges[*id]) {
            let mut after = unset[&loc].clone();
            match (born(program, &edge.instr), set(program, &edge.instr)) {
                (Some(var), _) if !in_memory[var.index()] => drop(after.insert(var)),
                (_, Some(var)) => drop(after.remove(&var)),
                _ => {}
            }
            let is_new = !unset.contains_key(&edge.to);
            let known = unset.entry(edge.to).or_default();
            let before = known.len();
            known.extend(after);
            if is_new || known.len() > before {
                open.push(edge.to);
            }
        }
    }
    unset
}

/// What stands for a result that was promised and is not given, where it is returned.
fn missing(program: &Program, instr: &Instr, unset: &BTreeSet<VarId>) -> Option<VarId> {
    let Instr::Return(Some(value)) = *instr else { return None };
    let ExprKind::Load(place) = program.exprs[value].kind else { return None };
    let PlaceKind::Var(var) = program.places[place].kind else { return None };
    let is_temp = matches!(program.vars[var].kind, VarKind::Temp(_));
    (is_temp && unset.contains(&var)).then_some(var)
}

/// Whether a procedure may return without the value that it owes.
fn owes(program: &Program, proc: ProcId, unset: &Unset) -> bool {
    let Some(body) = &program.procs[proc].body else { return false };
    let at = |edge: &Edge| unset.get(&edge.from);
    body.edges.iter().any(|(_, edge)| {
        at(edge).is_some_and(|unset| missing(program, &edge.instr, unset).is_some())
    })
}

/// Flags for the variables that are read where they may not have been written.
fn flags(program: &mut Program, proc: ProcId, body: &Cfa, unset: &Unset) -> BTreeMap<VarId, VarId> {
    let mut needed = BTreeSet::new();
    for (_, edge) in body.edges.iter() {
        let Some(unset) = unset.get(&edge.from) else { continue };
        needed.extend(reads(program, &edge.instr, unset).into_iter().map(|read| read.var));
    }
    let name = |program: &Program, var: VarId| format!("{} is written", program.vars[var].name);
    let flag = |var: VarId| {
        let name = name(program, var);
        (var, flag(program, &name, Some(proc)))
    };
    needed.into_iter().map(flag).collect()
}

fn flag(program: &mut Program, name: &str, frame: Option<ProcId>) -> VarId {
    let flag = program.vars.push(Var {
        name: name.to_owned(),
        ty: Type::BOOL,
        kind: frame.map_or(VarKind::Ghost, VarKind::Temp),
        span: Span::default(),
        address_taken: false,
        c_type: String::new(),
    });
    if let Some(proc) = frame {
        program.procs[proc].locals.push(flag);
    }
    flag
}

/// A read, with the conditions under which it happens, outermost first.
struct Read {
    guards: Vec<(ExprId, bool)>,
    var: VarId,
    span: Span,
}

/// What an instruction reads of some variables, in the order of evaluation.
fn reads(program: &Program, instr: &Instr, unset: &BTreeSet<VarId>) -> Vec<Read> {
    if unset.is_empty() || missing(program, instr, unset).is_some() {
        return Vec::new();
    }
    let mut finder = Finder { program, unset, guards: Vec::new(), found: Vec::new() };
    walk::operands(instr).into_iter().for_each(|operand| finder.expr(operand));
    if let Some(place) = walk::written(instr) {
        let parts = walk::place_parts(program.places[place].kind);
        parts.for_each(|part| finder.node(part));
    }
    finder.found
}

struct Finder<'a> {
    program: &'a Program,
    unset: &'a BTreeSet<VarId>,
    guards: Vec<(ExprId, bool)>,
    found: Vec<Read>,
}

impl Finder<'_> {
    fn expr(&mut self, e: ExprId) {
        match self.program.exprs[e].kind {
            ExprKind::Load(place) => {
                if let PlaceKind::Var(var) = self.program.places[place].kind
                    && self.unset.contains(&var)
                {
                    let (guards, span) = (self.guards.clone(), self.program.exprs[e].span);
                    self.found.push(Read { guards, var, span });
                }
                self.node(Node::Place(place));
            }
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                self.expr(a);
                self.guarded(a, op == BinOp::And, b);
            }
            ExprKind::Ite(condition, yes, no) => {
                self.expr(condition);
                self.guarded(condition, true, yes);
                self.guarded(condition, false, no);
            }
            ref kind => walk::parts(kind).for_each(|part| self.node(part)),
        }
    }

    fn guarded(&mut self, guard: ExprId, holds: bool, e: ExprId) {
        self.guards.push((guard, holds));
        self.expr(e);
        self.guards.pop();
    }

    fn node(&mut self, node: Node) {
        match node {
            Node::Expr(e) => self.expr(e),
            Node::Place(place) => {
                let parts = walk::place_parts(self.program.places[place].kind);
                parts.for_each(|part| self.node(part));
            }
        }
    }
}

struct Builder<'a> {
    program: &'a mut Program,
    calls: &'a CallGraph,
    proc: ProcId,
    new: Cfa,
    unset: Unset,
    flags: BTreeMap<VarId, VarId>,
    /// Whether the last procedure that may owe its value returned one.
    given: Option<VarId>,
    /// The procedures that may owe their value.
    owing: &'a BTreeSet<ProcId>,
}

impl Builder<'_> {
    fn body(&mut self, old: &Cfa) {
        for (loc, data) in old.locs.iter() {
            let none = BTreeSet::new();
            let unset = self.unset.get(&loc).unwrap_or(&none).clone();
            let is_branch = |id: &EdgeId| matches!(old.edges[*id].instr, Instr::Assume(_));
            if data.out.iter().all(is_branch) {
                let found = data.out.iter().flat_map(|id| self.reads(&old.edges[*id], &unset));
                let found = found.collect();
                let at = self.checks(loc, found);
                for edge in data.out.iter().map(|id| &old.edges[*id]) {
                    self.new.add_edge(at, edge.to, edge.instr.clone(), edge.span);
                }
                continue;
            }
            for id in &data.out {
                let edge = &old.edges[*id];
                let found = self.reads(edge, &unset);
                let at = match found.is_empty() || data.out.len() == 1 {
                    true => loc,
                    false => self.step(loc, Instr::Skip, edge.span),
                };
                let at = self.checks(at, found);
                self.instruction(at, *id, edge, &unset);
            }
        }
    }

    fn reads(&self, edge: &Edge, unset: &BTreeSet<VarId>) -> Vec<Read> {
        reads(self.program, &edge.instr, unset)
    }

    /// Before each read the run branches. What is read twice is checked once.
    fn checks(&mut self, at: LocId, found: Vec<Read>) -> LocId {
        let mut seen = BTreeSet::new();
        let mut at = at;
        for Read { guards, var, span } in found {
            if guards.is_empty() && !seen.insert(var) {
                continue;
            }
            let flag = self.program.load_var(self.flags[&var], span);
            let mut bad = self.not(flag, span);
            for (guard, holds) in guards.into_iter().rev() {
                let guard = if holds { guard } else { self.not(guard, span) };
                let kind = ExprKind::Binary(BinOp::And, guard, bad);
                bad = self.program.expr(kind, Type::BOOL, span);
            }
            let text = quote(self.program, span, "a variable");
            at = self.refuse(at, bad, span, format!("{text} is read, but was never written"));
        }
        at
    }

    /// An error where the condition holds; elsewhere on.
    fn refuse(&mut self, at: LocId, bad: ExprId, span: Span, message: String) -> LocId {
        let (property, undefined) = (Property::UninitialisedRead, Some(Undefined::Uninitialised));
        let error = self.step(at, Instr::Assume(bad), span);
        self.new.locs[error].error = Some(Violation { property, undefined, span, message });
        let fine = self.not(bad, span);
        self.step(at, Instr::Assume(fine), span)
    }

    /// The instruction, with what it does to flags.
    fn instruction(&mut self, at: LocId, id: EdgeId, edge: &Edge, unset: &BTreeSet<VarId>) {
        let Edge { to, ref instr, span, .. } = *edge;
        if let (Instr::Return(_), Some(given)) = (instr, self.given)
            && self.owing.contains(&self.proc)
        {
            let gives = missing(self.program, instr, unset).is_none();
            let at = self.set(at, given, gives, span);
            self.new.add_edge(at, to, instr.clone(), span);
            return;
        }
        let flag = set(self.program, instr).and_then(|var| self.flags.get(&var)).copied();
        let asked = self.given.filter(|_| self.uses_what_is_owed(id, instr));
        if flag.is_none() && asked.is_none() {
            self.new.add_edge(at, to, instr.clone(), span);
            return;
        }
        let is_set = born(self.program, instr).is_none();
        let mut at = self.step(at, instr.clone(), span);
        if let Some(given) = asked {
            let given = self.program.load_var(given, span);
            let bad = self.not(given, span);
            let text = quote(self.program, span, "a call");
            let message = format!("the value of {text} is used, but the function returned none");
            at = self.refuse(at, bad, span, message);
        }
        if let Some(flag) = flag {
            at = self.set(at, flag, is_set, span);
        }
        self.new.add_edge(at, to, Instr::Skip, span);
    }

    /// A call whose result is used, of a procedure that may not give one.
    fn uses_what_is_owed(&self, id: EdgeId, instr: &Instr) -> bool {
        let Instr::Call(call) = instr else { return false };
        let mut targets = self.calls.targets(self.proc, id).iter();
        call.result.is_some() && targets.any(|target| self.owing.contains(target))
    }

    fn set(&mut self, at: LocId, flag: VarId, value: bool, span: Span) -> LocId {
        let place = self.program.var_place(flag, span);
        let value = self.program.expr(ExprKind::Int(i128::from(value)), Type::BOOL, span);
        self.step(at, Instr::Assign(place, value), span)
    }

    fn not(&mut self, condition: ExprId, span: Span) -> ExprId {
        self.program.expr(ExprKind::Unary(UnOp::Not, condition), Type::BOOL, span)
    }

    fn step(&mut self, at: LocId, instr: Instr, span: Span) -> LocId {
        let next = self.new.add_loc(span);
        self.new.add_edge(at, next, instr, span);
        next
    }
}
