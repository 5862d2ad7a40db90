//! Expressions and places: ids, depth, types.

use super::{DEPTH_SLACK, MAX_DEPTH, Report, in_range};
use crate::arena::Id;
use crate::expr::{BinOp, Expr, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::program::Program;
use crate::ty::{IntType, Type};
use crate::walk::{self, Node};

pub(super) fn check_ids(report: &mut Report) {
    let program = report.program;
    let known = |node: Node| match node {
        Node::Expr(e) => in_range(e, program.exprs.len()),
        Node::Place(p) => in_range(p, program.places.len()),
    };
    for (id, expr) in program.exprs.iter() {
        let others = match expr.kind {
            ExprKind::Str(s) => in_range(s, program.strings.len()),
            ExprKind::Function(p) => in_range(p, program.procs.len()),
            _ => true,
        };
        report.require(others && walk::parts(&expr.kind).all(known), || {
            format!("{id:?} has parts that do not exist")
        });
    }
    for (id, place) in program.places.iter() {
        let others = match place.kind {
            PlaceKind::Var(v) => in_range(v, program.vars.len()),
            _ => true,
        };
        report.require(others && walk::place_parts(place.kind).all(known), || {
            format!("{id:?} has parts that do not exist")
        });
    }
}

/// Nothing is deeper than allowed; so nothing contains itself.
pub(super) fn check_depths(report: &mut Report) {
    let program = report.program;
    let mut depths = Depths {
        program,
        exprs: vec![None; program.exprs.len()],
        places: vec![None; program.places.len()],
    };
    let limit = MAX_DEPTH + DEPTH_SLACK;
    let exprs = program.exprs.ids().map(Node::Expr);
    for node in exprs.chain(program.places.ids().map(Node::Place)) {
        if depths.of(node, 0) > limit {
            report.require(false, || format!("{node:?} is nested deeper than {limit}"));
            return;
        }
    }
}

struct Depths<'p> {
    program: &'p Program,
    exprs: Vec<Option<u32>>,
    places: Vec<Option<u32>>,
}

impl Depths<'_> {
    /// The depth of a node, or something beyond the limit as soon as that is clear.
    fn of(&mut self, node: Node, above: u32) -> u32 {
        const TOO_DEEP: u32 = MAX_DEPTH + DEPTH_SLACK + 1;
        let known = match node {
            Node::Expr(e) => self.exprs[e.index()],
            Node::Place(p) => self.places[p.index()],
        };
        if let Some(depth) = known {
            return depth;
        }
        if above >= TOO_DEEP {
            return TOO_DEEP;
        }
        let parts: Vec<Node> = match node {
            Node::Expr(e) => walk::parts(&self.program.exprs[e].kind).collect(),
            Node::Place(p) => walk::place_parts(self.program.places[p].kind).collect(),
        };
        let below = parts.into_iter().map(|part| self.of(part, above + 1)).max().unwrap_or(0);
        let depth = TOO_DEEP.min(below + 1);
        match node {
            Node::Expr(e) => self.exprs[e.index()] = Some(depth),
            Node::Place(p) => self.places[p.index()] = Some(depth),
        }
        depth
    }
}

pub(super) fn check_types(report: &mut Report) {
    let program = report.program;
    for (id, expr) in program.exprs.iter() {
        report.require(expr_agrees(program, expr), || {
            format!("{id:?} is ill-typed: {:?} of type {:?}", expr.kind, expr.ty)
        });
    }
    for id in program.places.ids() {
        report.require(place_agrees(program, id), || {
            format!("{id:?} is ill-typed: {:?}", program.places[id])
        });
    }
}

fn expr_agrees(program: &Program, expr: &Expr) -> bool {
    let ty = expr.ty;
    let of = |e: ExprId| program.exprs[e].ty;
    let is_int = |e: ExprId| matches!(of(e), Type::Int(_));
    let is_pointer = |e: ExprId| matches!(of(e), Type::Pointer(_));
    match expr.kind {
        ExprKind::Int(value) => ty.as_int().is_some_and(|int| int.contains(value)),
        ExprKind::Float(_) => matches!(ty, Type::Float(_)),
        ExprKind::Null => matches!(ty, Type::Pointer(_)),
        ExprKind::Zero => ty.is_aggregate(),
        ExprKind::Str(_) => matches!(ty, Type::Array(..)),
        ExprKind::Load(place) => {
            program.places[place].ty == ty && !matches!(ty, Type::Void | Type::Function(_))
        }
        ExprKind::AddrOf(place) => {
            matches!(ty, Type::Pointer(to) if program.types.get(to) == program.places[place].ty)
        }
        ExprKind::Function(proc) => {
            let callee = &program.procs[proc];
            let to = program.types.inner(ty);
            callee.address_taken && to == Some(Type::Function(callee.signature))
        }
        ExprKind::Unary(UnOp::Not, a) => ty == Type::BOOL && of(a) == ty,
        ExprKind::Unary(UnOp::BitNot, a) => of(a) == ty && is_int(a),
        ExprKind::Unary(UnOp::Neg, a) => of(a) == ty && is_number(ty),
        ExprKind::Binary(op, a, b) => binary_agrees(op, ty, of(a), of(b)),
        ExprKind::Overflows(_, a, b, _) => ty == Type::BOOL && is_int(a) && is_int(b),
        // Conversion to a truth value is a comparison with zero.
        ExprKind::Cast(a) => {
            of(a).is_scalar() && ty.is_scalar() && (ty != Type::BOOL || of(a) == ty)
        }
        ExprKind::Ite(c, a, b) => of(c) == Type::BOOL && of(a) == ty && of(b) == ty,
        ExprKind::PtrAdd(p, n) => {
            let width = program.types.model.pointer_bits();
            of(p) == ty && is_pointer(p) && of(n).as_int().is_some_and(|int| int.bits == width)
        }
        ExprKind::PtrDiff(a, b) => {
            is_pointer(a) && is_pointer(b) && ty == Type::Int(program.types.model.diff_type())
        }
    }
}

/// A number to calculate with; truth values are none.
fn is_number(ty: Type) -> bool {
    match ty {
        Type::Int(int) => int != IntType::BOOL,
        ty => matches!(ty, Type::Float(_)),
    }
}

fn binary_agrees(op: BinOp, ty: Type, a: Type, b: Type) -> bool {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div => is_number(ty) && a == ty && b == ty,
        BinOp::Rem => is_number(ty) && a == ty && b == ty && ty.as_int().is_some(),
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => a == ty && b == ty && ty.as_int().is_some(),
        BinOp::Shl | BinOp::Shr => a == ty && ty.as_int().is_some() && b.as_int().is_some(),
        BinOp::And | BinOp::Or => ty == Type::BOOL && a == ty && b == ty,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
            // Pointers are compared as addresses, whatever they point to.
            let both_pointers = matches!((a, b), (Type::Pointer(_), Type::Pointer(_)));
            ty == Type::BOOL && a.is_scalar() && (a == b || both_pointers)
        }
    }
}

fn place_agrees(program: &Program, id: PlaceId) -> bool {
    let ty = program.places[id].ty;
    match program.places[id].kind {
        PlaceKind::Var(var) => program.vars[var].ty == ty,
        PlaceKind::Deref(pointer) => matches!(program.exprs[pointer].ty, Type::Pointer(_)),
        PlaceKind::Index(base, index) => {
            let base = program.places[base].ty;
            matches!(base, Type::Array(elem, _) if program.types.get(elem) == ty)
                && program.exprs[index].ty.as_int().is_some()
        }
        PlaceKind::Field(base, number) => match program.places[base].ty {
            Type::Record(record) => {
                let field = program.types.records[record].fields.get(number as usize);
                field.is_some_and(|f| f.ty == ty)
            }
            _ => false,
        },
    }
}
