//! Functions that allocate for others, and what memory from the heap is used for.
//!
//! The memory that a function like `xmalloc` or `new_node` gives to its callers is different memory
//! at each call of it, so such functions are looked at once for each call. What the memory is used
//! for is seen from what its address is converted to on its way through variables. That is only a
//! guess at what is worth keeping apart; nothing relies on it being right.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Id};
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::program::{Builtin, Call, Callee, EdgeId, Instr, ProcId, Program, VarId};
use crate::ty::Type;
use crate::walk;

/// A function with more edges than this is not looked at for each call.
const MOST_EDGES: usize = 60;

/// Where the value of a variable goes.
#[derive(Debug, Default)]
struct Flow {
    /// Other variables, converted or not.
    vars: Vec<VarId>,
    /// What it is converted to point to.
    types: Vec<Type>,
}

#[derive(Debug)]
pub(super) struct Heap<'p> {
    program: &'p Program,
    flows: FxHashMap<VarId, Flow>,
    for_others: Arena<ProcId, bool>,
}

impl<'p> Heap<'p> {
    pub fn new(program: &'p Program) -> Self {
        let calls = CallGraph::new(program);
        let allocates = |proc: ProcId| {
            let body = program.procs[proc].body.as_ref();
            body.is_some_and(|body| body.edges.iter().any(|(_, e)| is_allocation(&e.instr)))
        };
        if !program.procs.ids().any(allocates) {
            let for_others = program.procs.ids().map(|_| false).collect();
            return Heap { program, flows: FxHashMap::default(), for_others };
        }
        let mut for_others: Arena<ProcId, bool> = program.procs.ids().map(|_| false).collect();
        for component in calls.bottom_up() {
            for proc in component {
                for_others[proc] = !calls.is_recursive(proc)
                    && is_small(program, proc)
                    && (allocates(proc) || calls.callees(proc).iter().any(|&c| for_others[c]));
            }
        }
        Heap { program, flows: flows(program), for_others }
    }

    /// A small function that returns a pointer, to new memory perhaps.
    pub fn allocates_for_others(&self, proc: ProcId) -> bool {
        self.for_others[proc]
    }

    /// What the memory from a call is used for. The chain of calls ends with this one.
    pub fn type_of(&self, chain: &[(ProcId, EdgeId)], call: &Call) -> Option<Type> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut places: Vec<PlaceId> = call.result.into_iter().collect();
        // From inside out: what a function returns is what its call gives.
        for (depth, &(proc, _)) in chain.iter().enumerate().rev() {
            let is_returned = self.follow(proc, &places, &mut found, &mut seen);
            let Some(&(caller, edge)) = depth.checked_sub(1).and_then(|at| chain.get(at)) else {
                break;
            };
            if !is_returned {
                break;
            }
            let body = self.program.procs[caller].body.as_ref();
            places = match body.map(|body| &body.edges[edge].instr) {
                Some(Instr::Call(call)) => call.result.into_iter().collect(),
                _ => Vec::new(),
            };
        }
        let size = |ty: &Type| self.program.types.size(*ty);
        let is_record = |ty: &Type| matches!(ty, Type::Record(_));
        found.retain(|ty| !matches!(ty, Type::Void | Type::Function(_)) && size(ty) > 0);
        // The first of the largest.
        found.into_iter().rev().max_by_key(|ty| (is_record(ty), size(ty)))
    }

    /// Collects what values in these places are converted to; whether `proc` returns one.
    fn follow(
        &self,
        proc: ProcId,
        places: &[PlaceId],
        found: &mut Vec<Type>,
        seen: &mut FxHashSet<VarId>,
    ) -> bool {
        let mut todo = Vec::new();
        for &place in places {
            found.extend(self.program.types.inner(self.program.places[place].ty));
            if let PlaceKind::Var(var) = self.program.places[place].kind {
                todo.push(var);
            }
        }
        while let Some(var) = todo.pop() {
            if !seen.insert(var) {
                continue;
            }
            found.extend(self.program.types.inner(self.program.vars[var].ty));
            if let Some(flow) = self.flows.get(&var) {
                found.extend(&flow.types);
                todo.extend(&flow.vars);
            }
        }
        self.program.procs[proc].result.is_some_and(|result| seen.contains(&result))
    }
}

fn is_allocation(instr: &Instr) -> bool {
    use Builtin::{Calloc, Malloc, Realloc};
    let Instr::Call(call) = instr else { return false };
    matches!(call.callee, Callee::Builtin(Malloc | Calloc | Realloc))
}

fn is_small(program: &Program, proc: ProcId) -> bool {
    let procedure = &program.procs[proc];
    let returns_pointer =
        procedure.result.is_some_and(|var| matches!(program.vars[var].ty, Type::Pointer(_)));
    returns_pointer
        && procedure.body.as_ref().is_some_and(|body| body.edges.len() <= MOST_EDGES)
        && proc != program.main
}

fn flows(program: &Program) -> FxHashMap<VarId, Flow> {
    let mut flows: FxHashMap<VarId, Flow> = FxHashMap::default();
    for (_, expr) in program.exprs.iter() {
        if let (ExprKind::Cast(inner), Some(pointee)) = (&expr.kind, program.types.inner(expr.ty))
            && let Some(var) = variable(program, *inner)
        {
            flows.entry(var).or_default().types.push(pointee);
        }
    }
    for (proc, _, body) in program.defined() {
        for (_, edge) in body.edges.iter() {
            for step in walk::steps(&edge.instr) {
                for (from, to) in moves(program, proc, step) {
                    flows.entry(from).or_default().vars.push(to);
                }
            }
        }
    }
    for flow in flows.values_mut() {
        let mut seen = BTreeSet::new();
        flow.vars.retain(|var| seen.insert(var.index()));
    }
    flows
}

/// The variables whose value an instruction puts into others.
fn moves(program: &Program, proc: ProcId, instr: &Instr) -> Vec<(VarId, VarId)> {
    let pair = |value: ExprId, to: Option<VarId>| variable(program, value).zip(to);
    match instr {
        Instr::Assign(place, value) => {
            let to = match program.places[*place].kind {
                PlaceKind::Var(var) => Some(var),
                _ => None,
            };
            pair(*value, to).into_iter().collect()
        }
        Instr::Return(Some(value)) => {
            pair(*value, program.procs[proc].result).into_iter().collect()
        }
        Instr::Call(Call { callee: Callee::Proc(callee), args, .. }) => {
            let params = &program.procs[*callee].params;
            args.iter().zip(params).filter_map(|(&arg, &param)| pair(arg, Some(param))).collect()
        }
        _ => Vec::new(),
    }
}

/// The variable whose value, converted perhaps, an expression is.
fn variable(program: &Program, expr: ExprId) -> Option<VarId> {
    match program.exprs[expr].kind {
        ExprKind::Cast(inner) => variable(program, inner),
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}
