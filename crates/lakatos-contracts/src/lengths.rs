//! Lengths: which parameter of a function says how much of an array it writes.
//!
//! `assigns a[0 .. n - 1]` is a claim: whenever `a[i]` is written, `i` is not negative and less than `n`.
//! So it is put into the program as a question, to be answered by whoever can prove things.

use std::collections::BTreeMap;

use lakatos_ir::{
    BinOp, Cfa, Edge, EdgeId, ExprId, ExprKind, Instr, IntType, PlaceId, PlaceKind, ProcId,
    Program, Property, Span, Type, UnOp, VarId, VarKind, Violation, walk,
};

/// Pointers that are parameters, and the length of what is written behind them.
pub type Lengths = BTreeMap<VarId, VarId>;

/// The lengths that `is_safe` proves: it says whether an error of a program is never reached.
pub fn lengths(program: &Program, is_safe: &mut dyn FnMut(&Program) -> bool) -> Lengths {
    let mut found = Lengths::new();
    for (proc, procedure, _) in program.defined() {
        for pointer in procedure.params.iter().copied() {
            let writes = writes(program, proc, pointer);
            if writes.is_empty() || !is_kept(program, proc, pointer) {
                continue;
            }
            let mut numbers = procedure.params.iter().copied().filter(|param| {
                program.vars[*param].ty.as_int().is_some() && is_kept(program, proc, *param)
            });
            let length =
                numbers.find(|length| is_safe(&questioned(program, proc, &writes, *length)));
            found.extend(length.map(|length| (pointer, length)));
        }
    }
    found
}

/// A parameter is what it was.
fn is_kept(program: &Program, proc: ProcId, param: VarId) -> bool {
    let is_it = |place: PlaceId| program.places[place].kind == PlaceKind::Var(param);
    let body = program.procs[proc].body.as_ref();
    let mut edges = body.iter().flat_map(|body| body.edges.iter());
    program.vars[param].kind == VarKind::Param(proc)
        && !program.vars[param].address_taken
        && !edges.any(|(_, edge)| walk::written(&edge.instr).is_some_and(is_it))
}

/// Where elements behind a pointer are written, and their indices.
fn writes(program: &Program, proc: ProcId, pointer: VarId) -> Vec<(EdgeId, ExprId)> {
    let Some(body) = &program.procs[proc].body else { return Vec::new() };
    let written = body.edges.iter().filter_map(|(id, edge)| {
        let (base, index) = element(program, walk::written(&edge.instr)?)?;
        (base == pointer).then_some((id, index))
    });
    written.collect()
}

/// The element that a place is in: the variable that points to the first one, and the index.
fn element(program: &Program, place: PlaceId) -> Option<(VarId, ExprId)> {
    match program.places[place].kind {
        PlaceKind::Field(base, _) => element(program, base),
        PlaceKind::Deref(pointer) => match program.exprs[pointer].kind {
            ExprKind::PtrAdd(base, index) => match program.exprs[base].kind {
                ExprKind::Load(from) => match program.places[from].kind {
                    PlaceKind::Var(var) => Some((var, index)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        },
        PlaceKind::Var(_) | PlaceKind::Index(..) => None,
    }
}

/// The program with one error: an index that is not within the length.
fn questioned(
    program: &Program,
    proc: ProcId,
    writes: &[(EdgeId, ExprId)],
    length: VarId,
) -> Program {
    let mut program = program.clone();
    program.procs.iter_mut().for_each(|(_, procedure)| procedure.is_error = false);
    let mut body = program.procs[proc].body.take().expect("it writes something");
    for (edge, index) in writes {
        let (from, span) = (body.edges[*edge].from, body.edges[*edge].span);
        let within = within(&mut program, *index, length, span);
        let outside = program.expr(ExprKind::Unary(UnOp::Not, within), Type::BOOL, span);
        let error = body.add_loc(span);
        let (property, message) = (Property::UnreachCall, "an index is too large".to_owned());
        body.locs[error].error = Some(Violation { property, undefined: None, span, message });
        body.add_edge(from, error, Instr::Assume(outside), span);
        put_before(&mut body, *edge, Instr::Assume(within));
    }
    program.procs[proc].body = Some(body);
    program
}

/// Something happens before an edge.
fn put_before(body: &mut Cfa, edge: EdgeId, first: Instr) {
    let Edge { to, span, .. } = body.edges[edge];
    let between = body.add_loc(span);
    body.locs[to].into.retain(|into| *into != edge);
    body.locs[between].into.push(edge);
    body.edges[edge].to = between;
    let instr = std::mem::replace(&mut body.edges[edge].instr, first);
    body.add_edge(between, to, instr, span);
}

/// `0 <= index && index < length`, as mathematical integers.
fn within(program: &mut Program, index: ExprId, length: VarId, span: Span) -> ExprId {
    let wide = Type::Int(IntType::signed(128));
    let length = program.load_var(length, span);
    let zero = program.expr(ExprKind::Int(0), wide, span);
    let mut widened = |e: ExprId| program.expr(ExprKind::Cast(e), wide, span);
    let (index, length) = (widened(index), widened(length));
    let mut compare = |op, a, b| program.expr(ExprKind::Binary(op, a, b), Type::BOOL, span);
    let (above, below) = (compare(BinOp::Le, zero, index), compare(BinOp::Lt, index, length));
    compare(BinOp::And, above, below)
}
