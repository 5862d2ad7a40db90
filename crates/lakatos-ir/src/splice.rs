//! Putting new instructions into automata. Locations keep their ids and what arrives at them; what
//! left a location leaves a new one, behind what was put in.

use crate::expr::{BinOp, ExprId, ExprKind, UnOp};
use crate::loops::Loops;
use crate::program::{Call, Callee, Cfa, EdgeId, Instr, LocId, ProcId, Procedure, Program, VarId};
use crate::source::Span;
use crate::ty::{IntType, Signature, Type};
use crate::undefined;

/// The automaton of a procedure that has one.
pub fn body(program: &mut Program, proc: ProcId) -> &mut Cfa {
    program.procs[proc].body.as_mut().expect("only procedures with a body have locations")
}

/// A new location that everything that left this one leaves.
pub fn split(cfa: &mut Cfa, at: LocId) -> LocId {
    let behind = cfa.add_loc(cfa.locs[at].span);
    let out = std::mem::take(&mut cfa.locs[at].out);
    for edge in &out {
        cfa.edges[*edge].from = behind;
    }
    cfa.locs[behind].out = out;
    behind
}

/// Two new locations on an edge: it arrives at the first, and its old target can be reached from
/// the second.
pub fn behind_edge(cfa: &mut Cfa, edge: EdgeId) -> LocId {
    let (to, span) = (cfa.edges[edge].to, cfa.edges[edge].span);
    let arrived = cfa.add_loc(span);
    cfa.locs[to].into.retain(|other| *other != edge);
    cfa.edges[edge].to = arrived;
    cfa.locs[arrived].into.push(edge);
    cfa.add_edge(arrived, to, Instr::Skip, span);
    arrived
}

/// New locations on the edges by which a loop is entered.
pub fn entering(cfa: &mut Cfa, head: LocId) -> Vec<LocId> {
    let loops = Loops::new(cfa);
    let back = loops.headed_by(head).map(|id| loops.loops[id].back_edges.clone());
    let back = back.unwrap_or_default();
    let edges: Vec<EdgeId> =
        cfa.locs[head].into.iter().filter(|edge| !back.contains(edge)).copied().collect();
    edges.into_iter().map(|edge| behind_edge(cfa, edge)).collect()
}

/// A new location from which an edge leaves; its old source leads there.
pub fn before_edge(cfa: &mut Cfa, edge: EdgeId) -> LocId {
    let (from, span) = (cfa.edges[edge].from, cfa.edges[edge].span);
    let ready = cfa.add_loc(span);
    let place = cfa.locs[from].out.iter().position(|other| *other == edge);
    cfa.edges[edge].from = ready;
    cfa.locs[ready].out.push(edge);
    let new = cfa.add_edge(from, ready, Instr::Skip, span);
    if let Some(place) = place {
        // In the same place among its siblings.
        cfa.locs[from].out.pop();
        cfa.locs[from].out[place] = new;
    }
    ready
}

/// A truth value.
pub fn truth(program: &mut Program, kind: ExprKind) -> ExprId {
    program.expr(kind, Type::BOOL, Span::default())
}

/// The negation of a condition.
pub fn not(program: &mut Program, condition: ExprId) -> ExprId {
    truth(program, ExprKind::Unary(UnOp::Not, condition))
}

/// Both conditions.
pub fn and(program: &mut Program, a: ExprId, b: ExprId) -> ExprId {
    truth(program, ExprKind::Binary(BinOp::And, a, b))
}

/// Conditions joined by `&&` or `||`, evaluated in order. They are grouped so that the expression is
/// hardly deeper than the deepest of them.
pub fn lazy(program: &mut Program, op: BinOp, all: &[ExprId]) -> ExprId {
    match all {
        [] => truth(program, ExprKind::Int(i128::from(op == BinOp::And))),
        [one] => *one,
        _ => {
            let (left, right) = all.split_at(all.len() / 2);
            let (left, right) = (lazy(program, op, left), lazy(program, op, right));
            truth(program, ExprKind::Binary(op, left, right))
        }
    }
}

/// The variable has this value.
pub fn equals(program: &mut Program, var: VarId, value: i128, ty: IntType) -> ExprId {
    let load = program.load_var(var, Span::default());
    let value = program.expr(ExprKind::Int(value), Type::Int(ty), Span::default());
    truth(program, ExprKind::Binary(BinOp::Eq, load, value))
}

/// The condition holds, and evaluating it is defined.
pub fn defined_and(program: &mut Program, condition: ExprId) -> ExprId {
    let checks = undefined::of_expr(program, condition, &|_| true);
    // Each check may be evaluated where those before it have passed.
    let mut all: Vec<ExprId> =
        checks.into_iter().map(|check| not(program, check.condition)).collect();
    all.push(condition);
    lazy(program, BinOp::And, &all)
}

/// A procedure whose call is an error.
pub fn error_procedure(program: &mut Program, name: String, span: Span) -> ProcId {
    let signature = Signature { result: Type::Void, params: Some(Vec::new()), variadic: false };
    let Type::Function(signature) = program.types.function(signature) else {
        unreachable!("a signature makes a function type")
    };
    program.procs.push(Procedure {
        name,
        signature,
        params: Vec::new(),
        result: None,
        locals: Vec::new(),
        body: None,
        is_error: true,
        address_taken: false,
        library: None,
        span,
    })
}

/// From a location, where the condition holds, an error; elsewhere on.
pub fn error_edge(
    program: &mut Program,
    proc: ProcId,
    at: LocId,
    condition: ExprId,
    error: ProcId,
    span: Span,
) {
    let cfa = body(program, proc);
    let (calls, end) = (cfa.add_loc(span), cfa.add_loc(span));
    cfa.add_edge(at, calls, Instr::Assume(condition), span);
    let call = Call { result: None, callee: Callee::Proc(error), args: Vec::new(), site: None };
    cfa.add_edge(calls, end, Instr::Call(call), span);
}

/// Checks a condition at a location: an error where it does not hold.
pub fn assert_at(program: &mut Program, proc: ProcId, at: LocId, condition: ExprId, error: ProcId) {
    let holds = defined_and(program, condition);
    let fails = not(program, holds);
    let cfa = body(program, proc);
    let span = cfa.locs[at].span;
    let behind = split(cfa, at);
    cfa.add_edge(at, behind, Instr::Assume(holds), span);
    error_edge(program, proc, at, fails, error, span);
}

/// From a location a run goes on only where the condition holds.
pub fn assume_at(program: &mut Program, proc: ProcId, at: LocId, condition: ExprId) {
    let holds = defined_and(program, condition);
    let cfa = body(program, proc);
    let span = cfa.locs[at].span;
    let behind = split(cfa, at);
    cfa.add_edge(at, behind, Instr::Assume(holds), span);
}

/// Errors of the program itself are none any more.
pub fn forgive(program: &mut Program) {
    for (_, procedure) in program.procs.iter_mut() {
        procedure.is_error = false;
    }
}

/// Assigns variables when a procedure is entered.
pub fn on_entry(program: &mut Program, proc: ProcId, assigned: &[(VarId, ExprId)]) {
    for (var, value) in assigned.iter().rev() {
        let place = program.var_place(*var, Span::default());
        let cfa = body(program, proc);
        let (entry, span) = (cfa.entry, cfa.locs[cfa.entry].span);
        let behind = split(cfa, entry);
        cfa.add_edge(entry, behind, Instr::Assign(place, *value), span);
    }
}
