//! Accesses through pointers as steps of their own: before an access, a variable gets the address
//! that it is at. No step accesses anything that the instruction after it does not access.

use std::collections::{BTreeMap, BTreeSet};

use super::Marks;
use crate::expr::{BinOp, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::pass::same::Same;
use crate::pass::without_edges;
use crate::program::{Call, Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program, Var, VarId, VarKind};
use crate::source::Span;
use crate::ty::{IntType, Type};
use crate::walk::{self, Node};

/// An access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// How far behind the address.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    pub role: Role,
    /// Only some of the bits: a bit-field.
    pub partial: bool,
    pub ty: Type,
    pub span: Span,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Read,
    Write,
    /// The following ones matter only to what was written. A value is handed on to where nobody
    /// looks whether it was written.
    Whole,
    /// A value is read in order to be copied.
    Source,
    /// It is written, and comes from where this variable has its address.
    Copy(VarId),
    /// An object comes to life.
    Unset,
}

/// Marks accesses by pointers; with variables that come to life without a value, all that may be
/// about whether something was written.
pub(super) fn mark(mut program: Program, watched: Option<&BTreeSet<VarId>>) -> (Program, Marks) {
    let mut marks = BTreeMap::new();
    for proc in program.procs.ids() {
        if let Some(old) = program.procs[proc].body.take() {
            let new = without_edges(&old);
            let mut marker = Marker {
                program: &mut program,
                marks: &mut marks,
                watched,
                proc,
                new,
                seen: Seen::default(),
            };
            marker.body(&old);
            let new = marker.new;
            program.procs[proc].body = Some(new);
        }
    }
    (program, marks)
}

/// An access, with the conditions under which it happens, outermost first.
struct Found {
    guards: Vec<(ExprId, bool)>,
    place: PlaceId,
    /// Of a copy, its source is not known yet.
    role: Role,
}

struct Marker<'a> {
    program: &'a mut Program,
    marks: &'a mut Marks,
    watched: Option<&'a BTreeSet<VarId>>,
    proc: ProcId,
    new: Cfa,
    /// Addresses that have been marked at the same place, with the bytes there.
    seen: Seen,
}

/// Equal expressions have one number; which of them were marked is another question, since parts of
/// expressions have numbers too.
#[derive(Default)]
struct Seen {
    same: Same,
    marked: BTreeSet<(ExprId, u64, u64, Role)>,
}

impl Seen {
    /// Whether it is the first time.
    fn insert(&mut self, program: &Program, address: ExprId, mark: &Mark) -> bool {
        let known = self.same.expr(program, address);
        self.marked.insert((known, mark.offset, mark.size, mark.role))
    }
}

impl Marker<'_> {
    fn body(&mut self, old: &Cfa) {
        for (loc, data) in old.locs.iter() {
            let is_branch = |id: &EdgeId| matches!(old.edges[*id].instr, Instr::Assume(_));
            let edges = data.out.iter().map(|id| &old.edges[*id]);
            if data.out.iter().all(is_branch) {
                let found = edges.clone().flat_map(|edge| self.accesses(&edge.instr)).collect();
                let at = self.all(loc, found);
                edges.for_each(|edge| self.edge(at, edge.to, edge.instr.clone(), edge.span));
                continue;
            }
            for edge in edges {
                let found = self.accesses(&edge.instr);
                let at = match found.is_empty() || data.out.len() == 1 {
                    true => loc,
                    false => self.step(loc, Instr::Skip, edge.span),
                };
                let at = self.all(at, found);
                self.instruction(at, edge);
            }
        }
    }

    /// Everything that an instruction accesses by pointers before it does something.
    fn accesses(&self, instr: &Instr) -> Vec<Found> {
        let mut finder = self.finder();
        match *instr {
            Instr::Havoc(place, site)
                if self.watched.is_some() && self.program.leaves_indeterminate(place, site) =>
            {
                finder.access(place, Role::Unset);
            }
            Instr::Assign(place, value)
                if self.watched.is_some() && self.program.exprs[value].ty.is_aggregate() =>
            {
                finder.assigned(place, value);
            }
            _ => {
                walk::operands(instr).into_iter().for_each(|operand| finder.expr(operand));
                if let (false, Some(place)) =
                    (matches!(instr, Instr::Call(_)), walk::written(instr))
                {
                    finder.access(place, Role::Write);
                }
            }
        }
        finder.found
    }

    fn finder(&self) -> Finder<'_> {
        let (program, watched) = (&*self.program, self.watched);
        Finder { program, watched, guards: Vec::new(), found: Vec::new() }
    }

    /// The place for a call's result is found after the call.
    fn instruction(&mut self, at: LocId, edge: &Edge) {
        let instr = edge.instr.clone();
        let Instr::Call(call @ Call { result: Some(place), .. }) = &instr else {
            return self.edge(at, edge.to, instr, edge.span);
        };
        let mut finder = self.finder();
        finder.access(*place, Role::Write);
        let found = finder.found;
        if found.is_empty() {
            return self.edge(at, edge.to, instr, edge.span);
        }
        let temp = self.temp(self.program.places[*place].ty, edge.span);
        let result = Some(self.program.var_place(temp, edge.span));
        let at = self.step(at, Instr::Call(Call { result, ..call.clone() }), edge.span);
        let at = self.all(at, found);
        let value = self.program.load_var(temp, edge.span);
        self.edge(at, edge.to, Instr::Assign(*place, value), edge.span);
    }

    fn all(&mut self, at: LocId, found: Vec<Found>) -> LocId {
        self.seen = Seen::default();
        let mut source = None;
        let mut at = at;
        for mut access in found {
            if let (Role::Copy(_), Some(source)) = (access.role, source) {
                access.role = Role::Copy(source);
            }
            let is_source = access.role == Role::Source;
            let (next, var) = self.one(at, access);
            at = next;
            source = if is_source { var } else { source };
        }
        at
    }

    /// The access, and the variable that has its address, unless it was marked before.
    fn one(&mut self, at: LocId, found: Found) -> (LocId, Option<VarId>) {
        let Found { guards, place, role } = found;
        let (address, mark) = self.address(place, role);
        let span = mark.span;
        // What was read may still have to be written.
        if guards.is_empty() {
            let is_new = self.seen.insert(self.program, address, &mark);
            if !is_new && matches!(role, Role::Read | Role::Whole) {
                return (at, None);
            }
        }
        let var = self.temp(self.program.exprs[address].ty, span);
        self.marks.insert(var, mark);
        let step = Instr::Assign(self.program.var_place(var, span), address);
        let guards: Vec<ExprId> =
            guards.into_iter().map(|(guard, holds)| self.truth(guard, holds, span)).collect();
        let Some(condition) =
            guards.into_iter().rev().reduce(|inner, outer| self.and(outer, inner, span))
        else {
            return (self.step(at, step, span), Some(var));
        };
        let otherwise = self.truth(condition, false, span);
        let inside = self.step(at, Instr::Assume(condition), span);
        let behind = self.step(inside, step, span);
        self.edge(at, behind, Instr::Assume(otherwise), span);
        (behind, Some(var))
    }

    /// The address of an access. A bit-field has none, the structure around it has.
    fn address(&mut self, place: PlaceId, role: Role) -> (ExprId, Mark) {
        let (value, span) = (self.program.places[place].ty, self.program.places[place].span);
        let (mut of, mut offset, mut size) = (place, 0, self.program.types.size(value));
        let mut partial = false;
        if let PlaceKind::Field(base, number) = self.program.places[place].kind
            && let Type::Record(record) = self.program.places[base].ty
        {
            let field = &self.program.types.records[record].fields[number as usize];
            if let (Some(bit), Type::Int(int)) = (field.bit, field.ty) {
                (of, offset, partial) = (base, field.offset, true);
                size = (u64::from(bit) + u64::from(int.bits)).div_ceil(8);
            }
        }
        let ty = self.program.types.pointer_to(self.program.places[of].ty);
        let address = self.program.expr(ExprKind::AddrOf(of), ty, span);
        (address, Mark { offset, size, role, partial, ty: value, span })
    }

    fn truth(&mut self, condition: ExprId, holds: bool, span: Span) -> ExprId {
        match holds {
            true => condition,
            false => self.program.expr(ExprKind::Unary(UnOp::Not, condition), Type::BOOL, span),
        }
    }

    fn and(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        self.program.expr(ExprKind::Binary(BinOp::And, a, b), Type::BOOL, span)
    }

    fn temp(&mut self, ty: Type, span: Span) -> VarId {
        let temp = self.program.vars.push(Var {
            name: format!("tmp{}", self.program.vars.len()),
            ty,
            kind: VarKind::Temp(self.proc),
            span,
            address_taken: false,
            c_type: String::new(),
        });
        self.program.procs[self.proc].locals.push(temp);
        temp
    }

    fn step(&mut self, at: LocId, instr: Instr, span: Span) -> LocId {
        let next = self.new.add_loc(span);
        self.edge(at, next, instr, span);
        next
    }

    fn edge(&mut self, from: LocId, to: LocId, instr: Instr, span: Span) {
        self.new.add_edge(from, to, instr, span);
    }
}

/// Finds accesses in the order of evaluation.
struct Finder<'p> {
    program: &'p Program,
    watched: Option<&'p BTreeSet<VarId>>,
    guards: Vec<(ExprId, bool)>,
    found: Vec<Found>,
}

impl Finder<'_> {
    fn expr(&mut self, e: ExprId) {
        match self.program.exprs[e].kind {
            ExprKind::Load(place) => self.read(place),
            ExprKind::AddrOf(place) => self.inside(place),
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

    fn node(&mut self, node: Node) {
        match node {
            Node::Expr(e) => self.expr(e),
            Node::Place(place) => self.inside(place),
        }
    }

    fn guarded(&mut self, guard: ExprId, holds: bool, e: ExprId) {
        self.guards.push((guard, holds));
        self.expr(e);
        self.guards.pop();
    }

    fn read(&mut self, place: PlaceId) {
        let ty = self.program.places[place].ty;
        match self.watched {
            Some(_) if ty.is_aggregate() => self.access(place, Role::Whole),
            // That is how bytes are copied, whatever they are.
            Some(_) if ty == Type::Int(IntType::U8) && !self.is_bit_field(place) => {
                self.inside(place);
            }
            _ => self.access(place, Role::Read),
        }
    }

    fn access(&mut self, place: PlaceId, role: Role) {
        self.inside(place);
        if self.matters(place) {
            self.found.push(Found { guards: self.guards.clone(), place, role });
        }
    }

    /// An aggregate becomes another one's value.
    fn assigned(&mut self, place: PlaceId, value: ExprId) {
        let source = match self.program.exprs[value].kind {
            ExprKind::Load(source) if self.matters(source) && self.matters(place) => source,
            _ => {
                self.expr(value);
                return self.access(place, Role::Write);
            }
        };
        self.access(source, Role::Source);
        self.inside(place);
        let role = Role::Copy(VarId(0));
        self.found.push(Found { guards: Vec::new(), place, role });
    }

    /// It may be about memory that is of interest.
    fn matters(&self, place: PlaceId) -> bool {
        match self.watched {
            None => self.is_by_pointer(place),
            Some(watched) => match self.program.places[place].kind {
                PlaceKind::Var(var) => watched.contains(&var),
                PlaceKind::Deref(_) => true,
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.matters(base),
            },
        }
    }

    fn is_bit_field(&self, place: PlaceId) -> bool {
        match self.program.places[place].kind {
            PlaceKind::Field(base, number) => match self.program.places[base].ty {
                Type::Record(record) => {
                    self.program.types.records[record].fields[number as usize].bit.is_some()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// What is accessed to find a place.
    fn inside(&mut self, place: PlaceId) {
        walk::place_parts(self.program.places[place].kind).for_each(|part| self.node(part));
    }

    /// A pointer leads to it, or an array whose length nobody knows.
    fn is_by_pointer(&self, place: PlaceId) -> bool {
        match self.program.places[place].kind {
            PlaceKind::Var(_) => false,
            PlaceKind::Deref(_) => true,
            PlaceKind::Field(base, _) => self.is_by_pointer(base),
            PlaceKind::Index(base, _) => {
                matches!(self.program.places[base].ty, Type::Array(_, None))
                    || self.is_by_pointer(base)
            }
        }
    }
}
