//! What can be decided about a program before it runs: where each variable lives and how each
//! location goes on. Made once, so that a step needs no search and no hashing.

use super::memory::footprint;
use super::value::Value;
use crate::arena::Id;
use crate::expr::{BinOp, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::program::{Cfa, EdgeId, Instr, LocId, Program, VarId, VarKind};
use crate::ty::Type;

/// Where a variable lives. A scalar whose address no expression takes is a slot, all others are
/// objects in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// A slot of its frame.
    Local(u32),
    /// A slot of the whole run.
    Static(u32),
    /// An object of its frame, by its number in [`ProcPlan::objects`].
    Frame(u32),
    /// An object of the whole run, by its number in [`Plan::static_objects`].
    Object(u32),
}

/// An expression or place that needs no evaluation; most of them do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quick {
    /// A slot of the frame.
    Local(u32),
    /// A slot of the whole run.
    Static(u32),
    /// A small integer constant.
    Constant(i32),
    No,
}

/// How a run goes on from a location.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    /// The procedure's exit.
    Return,
    /// An error location.
    Error,
    One(EdgeId),
    /// Two assumptions of which exactly one holds.
    Branch {
        condition: ExprId,
        yes: EdgeId,
        no: EdgeId,
    },
    /// The first edge that can be passed.
    Many,
    /// Like `Many`, and some of the edges are blocks.
    Blocks,
}

/// A variable of a frame that is an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameObject {
    pub var: VarId,
    /// Its address, counted from the frame's.
    pub offset: u64,
    pub size: u64,
}

#[derive(Debug, Default)]
pub(super) struct ProcPlan {
    /// The slots of a new frame.
    pub slots: Vec<Value>,
    pub objects: Vec<FrameObject>,
    /// The address space of a frame.
    pub bytes: u64,
    pub choices: Vec<Choice>,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub storage: Vec<Storage>,
    pub procs: Vec<ProcPlan>,
    pub static_slots: Vec<Value>,
    pub static_objects: Vec<VarId>,
    pub quick_exprs: Vec<Quick>,
    pub quick_places: Vec<Quick>,
}

impl Plan {
    pub fn new(program: &Program) -> Plan {
        let mut plan = Plan {
            storage: Vec::with_capacity(program.vars.len()),
            procs: program.procs.iter().map(|_| ProcPlan::default()).collect(),
            static_slots: Vec::new(),
            static_objects: Vec::new(),
            quick_exprs: Vec::new(),
            quick_places: Vec::new(),
        };
        let in_memory = variables_in_memory(program);
        for (id, in_memory) in program.vars.ids().zip(in_memory) {
            let storage = plan.place(program, id, in_memory);
            plan.storage.push(storage);
        }
        plan.quick_places = program.places.iter().map(|(_, p)| plan.quick_place(p.kind)).collect();
        plan.quick_exprs = program.exprs.iter().map(|(_, e)| plan.quick_expr(&e.kind)).collect();
        for (id, _, cfa) in program.defined() {
            plan.procs[id.index()].choices =
                cfa.locs.ids().map(|loc| choice(program, cfa, loc)).collect();
        }
        plan
    }

    fn quick_place(&self, place: PlaceKind) -> Quick {
        match place {
            PlaceKind::Var(var) => match self.storage[var.index()] {
                Storage::Local(slot) => Quick::Local(slot),
                Storage::Static(slot) => Quick::Static(slot),
                _ => Quick::No,
            },
            _ => Quick::No,
        }
    }

    fn quick_expr(&self, expr: &ExprKind) -> Quick {
        match *expr {
            ExprKind::Load(place) => self.quick_places[place.index()],
            ExprKind::Int(value) => i32::try_from(value).map_or(Quick::No, Quick::Constant),
            _ => Quick::No,
        }
    }

    fn place(&mut self, program: &Program, id: VarId, in_memory: bool) -> Storage {
        let var = &program.vars[id];
        let next = |list_len: usize| u32::try_from(list_len).expect("ids are 32 bits");
        match (var.kind.frame(), in_memory) {
            (None, false) => {
                self.static_slots.push(Value::zero(var.ty));
                Storage::Static(next(self.static_slots.len() - 1))
            }
            (None, true) => {
                self.static_objects.push(id);
                Storage::Object(next(self.static_objects.len() - 1))
            }
            (Some(proc), false) => {
                let slots = &mut self.procs[proc.index()].slots;
                slots.push(Value::zero(var.ty));
                Storage::Local(next(slots.len() - 1))
            }
            (Some(proc), true) => {
                let proc = &mut self.procs[proc.index()];
                let size = program.types.size(var.ty);
                proc.objects.push(FrameObject { var: id, offset: proc.bytes, size });
                proc.bytes = proc.bytes.saturating_add(footprint(size));
                Storage::Frame(next(proc.objects.len() - 1))
            }
        }
    }
}

/// The variables that are objects in memory.
pub(crate) fn variables_in_memory(program: &Program) -> Vec<bool> {
    let aggregate = |ty: Type| !ty.is_scalar();
    let mut in_memory: Vec<bool> = program
        .vars
        .iter()
        .map(|(_, var)| aggregate(var.ty) || var.kind == VarKind::Literal)
        .collect();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::AddrOf(place) = expr.kind
            && let Some(var) = root(program, place)
        {
            in_memory[var.index()] = true;
        }
    }
    program.changed_outside().for_each(|var| in_memory[var.index()] = true);
    in_memory
}

/// The variable that a place is a part of.
fn root(program: &Program, mut place: PlaceId) -> Option<VarId> {
    loop {
        match program.places[place].kind {
            PlaceKind::Var(var) => return Some(var),
            PlaceKind::Deref(_) => return None,
            PlaceKind::Index(base, _) | PlaceKind::Field(base, _) => place = base,
        }
    }
}

fn choice(program: &Program, cfa: &Cfa, loc: LocId) -> Choice {
    let Some(out) = cfa.locs.get(loc).map(|l| l.out.as_slice()) else { return Choice::Many };
    if cfa.locs[loc].error.is_some() {
        return Choice::Error;
    }
    if loc == cfa.exit {
        return Choice::Return;
    }
    if out.iter().any(|&e| matches!(cfa.edges[e].instr, Instr::Block(_))) {
        return Choice::Blocks;
    }
    match *out {
        [edge] => Choice::One(edge),
        [first, second] => branch(program, cfa, first, second).unwrap_or(Choice::Many),
        _ => Choice::Many,
    }
}

fn branch(program: &Program, cfa: &Cfa, first: EdgeId, second: EdgeId) -> Option<Choice> {
    let (Instr::Assume(a), Instr::Assume(b)) = (&cfa.edges[first].instr, &cfa.edges[second].instr)
    else {
        return None;
    };
    if negates(program, *a, *b) {
        Some(Choice::Branch { condition: *a, yes: first, no: second })
    } else if negates(program, *b, *a) {
        Some(Choice::Branch { condition: *b, yes: second, no: first })
    } else {
        None
    }
}

/// Whether `b` is written as the negation of `a`.
fn negates(program: &Program, a: ExprId, b: ExprId) -> bool {
    match (&program.exprs[a].kind, &program.exprs[b].kind) {
        (_, ExprKind::Unary(UnOp::Not, inner)) if *inner == a => true,
        (ExprKind::Binary(p, a1, a2), ExprKind::Binary(q, b1, b2)) => {
            let float = matches!(program.exprs[*a1].ty, Type::Float(_));
            (a1, a2) == (b1, b2) && BinOp::negated(*p) == Some(*q) && !float
        }
        _ => false,
    }
}
