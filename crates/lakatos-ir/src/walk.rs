//! Walking over instructions, expressions and places.

use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::program::{Callee, Instr, Program};

/// An expression or a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Expr(ExprId),
    Place(PlaceId),
}

/// The direct parts of an expression, in order of evaluation.
pub fn parts(kind: &ExprKind) -> impl Iterator<Item = Node> + use<> {
    use Node::{Expr, Place};
    let parts = match *kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Null
        | ExprKind::Zero
        | ExprKind::Str(_)
        | ExprKind::Function(_) => [None; 3],
        ExprKind::Load(p) | ExprKind::AddrOf(p) => [Some(Place(p)), None, None],
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => [Some(Expr(a)), None, None],
        ExprKind::Binary(_, a, b)
        | ExprKind::Overflows(_, a, b, _)
        | ExprKind::PtrAdd(a, b)
        | ExprKind::PtrDiff(a, b) => [Some(Expr(a)), Some(Expr(b)), None],
        ExprKind::Ite(c, a, b) => [Some(Expr(c)), Some(Expr(a)), Some(Expr(b))],
    };
    parts.into_iter().flatten()
}

/// The direct parts of a place, in order of evaluation.
pub fn place_parts(kind: PlaceKind) -> impl Iterator<Item = Node> + use<> {
    use Node::{Expr, Place};
    let parts = match kind {
        PlaceKind::Var(_) => [None; 2],
        PlaceKind::Deref(e) => [Some(Expr(e)), None],
        PlaceKind::Index(p, e) => [Some(Place(p)), Some(Expr(e))],
        PlaceKind::Field(p, _) => [Some(Place(p)), None],
    };
    parts.into_iter().flatten()
}

/// Calls `see` with a node and everything below it, outer before inner.
pub fn walk(program: &Program, node: Node, see: &mut impl FnMut(Node)) {
    see(node);
    match node {
        Node::Expr(e) => {
            parts(&program.exprs[e].kind).for_each(|part| walk(program, part, see));
        }
        Node::Place(p) => {
            place_parts(program.places[p].kind).for_each(|part| walk(program, part, see));
        }
    }
}

/// The expressions an instruction evaluates, in order; those inside the place it writes excluded
/// ([`written`]). Nothing for a block, whose edges have instructions of their own ([`steps`]).
pub fn operands(instr: &Instr) -> Vec<ExprId> {
    match instr {
        Instr::Assign(_, e) | Instr::Assume(e) | Instr::Return(Some(e)) => vec![*e],
        Instr::Call(call) => {
            let pointer = match call.callee {
                Callee::Pointer(e) => Some(e),
                Callee::Proc(_) | Callee::Builtin(_) => None,
            };
            pointer.into_iter().chain(call.args.iter().copied()).collect()
        }
        Instr::Skip | Instr::Havoc(..) | Instr::Return(None) | Instr::Dead(_) | Instr::Block(_) => {
            Vec::new()
        }
    }
}

/// The place an instruction assigns, where it names one.
pub fn written(instr: &Instr) -> Option<PlaceId> {
    match instr {
        Instr::Assign(place, _) | Instr::Havoc(place, _) => Some(*place),
        Instr::Call(call) => call.result,
        _ => None,
    }
}

/// The instructions of a block, or the instruction itself.
pub fn steps(instr: &Instr) -> Vec<&Instr> {
    match instr {
        Instr::Block(region) => region.edges.iter().map(|e| &e.instr).collect(),
        other => vec![other],
    }
}

/// The same expression with other parts, mapped in order of evaluation.
pub fn map_parts(kind: &ExprKind, map: &mut impl FnMut(Node) -> Node) -> ExprKind {
    match *kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Null
        | ExprKind::Zero
        | ExprKind::Str(_)
        | ExprKind::Function(_) => kind.clone(),
        ExprKind::Load(p) => ExprKind::Load(place_of(map, p)),
        ExprKind::AddrOf(p) => ExprKind::AddrOf(place_of(map, p)),
        ExprKind::Unary(op, a) => ExprKind::Unary(op, expr_of(map, a)),
        ExprKind::Cast(a) => ExprKind::Cast(expr_of(map, a)),
        ExprKind::Binary(op, a, b) => {
            let a = expr_of(map, a);
            ExprKind::Binary(op, a, expr_of(map, b))
        }
        ExprKind::Overflows(op, a, b, ty) => {
            let a = expr_of(map, a);
            ExprKind::Overflows(op, a, expr_of(map, b), ty)
        }
        ExprKind::PtrAdd(a, b) => {
            let a = expr_of(map, a);
            ExprKind::PtrAdd(a, expr_of(map, b))
        }
        ExprKind::PtrDiff(a, b) => {
            let a = expr_of(map, a);
            ExprKind::PtrDiff(a, expr_of(map, b))
        }
        ExprKind::Ite(c, a, b) => {
            let c = expr_of(map, c);
            let a = expr_of(map, a);
            ExprKind::Ite(c, a, expr_of(map, b))
        }
    }
}

/// The same place with other parts.
pub fn map_place_parts(kind: PlaceKind, map: &mut impl FnMut(Node) -> Node) -> PlaceKind {
    match kind {
        PlaceKind::Var(_) => kind,
        PlaceKind::Deref(e) => PlaceKind::Deref(expr_of(map, e)),
        PlaceKind::Field(p, n) => PlaceKind::Field(place_of(map, p), n),
        PlaceKind::Index(p, e) => {
            let p = place_of(map, p);
            PlaceKind::Index(p, expr_of(map, e))
        }
    }
}

fn expr_of(map: &mut impl FnMut(Node) -> Node, e: ExprId) -> ExprId {
    match map(Node::Expr(e)) {
        Node::Expr(e) => e,
        Node::Place(_) => unreachable!("an expression was mapped to a place"),
    }
}

fn place_of(map: &mut impl FnMut(Node) -> Node, p: PlaceId) -> PlaceId {
    match map(Node::Place(p)) {
        Node::Place(p) => p,
        Node::Expr(_) => unreachable!("a place was mapped to an expression"),
    }
}
