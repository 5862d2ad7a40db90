//! Who calls whom: targets of every call edge, recursion, reachability from the start.
//!
//! A call through a function pointer may reach every procedure whose address is taken and whose
//! type is compatible with the pointer's; where the pointer's type says nothing, every procedure
//! whose address is taken. A call of a function of another type is undefined behaviour
//! ([`Undefined::BadCall`](crate::Undefined::BadCall)).

use crate::arena::{Arena, Id};
use crate::expr::{ExprId, ExprKind};
use crate::graph::{Components, Graph};
use crate::program::{Call, Callee, EdgeId, Instr, ProcId, Program};
use crate::ty::Type;

/// A call edge of a procedure, calls of [`Builtin`](crate::Builtin)s excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    pub edge: EdgeId,
    /// The procedures it may call, in order of id. May be empty for a call through a pointer:
    /// such a call is a violation or unknown, never an assumption (DESIGN.md section 3).
    pub targets: Vec<ProcId>,
    pub through_pointer: bool,
}

#[derive(Clone, Debug)]
pub struct CallGraph {
    sites: Arena<ProcId, Vec<CallSite>>,
    callees: Arena<ProcId, Vec<ProcId>>,
    callers: Arena<ProcId, Vec<ProcId>>,
    components: Components,
    reachable: Arena<ProcId, bool>,
}

/// Finds the targets of a call through a pointer: the procedure and the edge it is on.
type Resolve<'a> = dyn Fn(ProcId, EdgeId, ExprId) -> Vec<ProcId> + 'a;

impl CallGraph {
    /// Targets of function pointers by their types.
    pub fn new(program: &Program) -> CallGraph {
        CallGraph::with_targets(program, &|_, _, pointer| pointees(program, pointer))
    }

    /// Targets of function pointers as someone else has found them
    /// ([`PointsTo`](crate::points_to::PointsTo)).
    pub fn resolved(
        program: &Program,
        targets: &dyn Fn(ProcId, EdgeId) -> Vec<ProcId>,
    ) -> CallGraph {
        CallGraph::with_targets(program, &|proc, edge, _| targets(proc, edge))
    }

    fn with_targets(program: &Program, resolve: &Resolve<'_>) -> CallGraph {
        let sites: Arena<ProcId, Vec<CallSite>> =
            program.procs.ids().map(|p| call_sites(program, p, resolve)).collect();
        let callees: Arena<ProcId, Vec<ProcId>> =
            sites.iter().map(|(_, s)| sorted(s.iter().flat_map(|c| c.targets.clone()))).collect();
        let edges =
            callees.iter().flat_map(|(from, to)| to.iter().map(move |t| (from.index(), t.index())));
        let graph = Graph::new(callees.len(), &edges.collect::<Vec<_>>());
        let reversed = graph.reversed();
        let callers =
            callees.ids().map(|p| reversed.successors(p.index()).map(Id::from_index).collect());
        let reached = graph.depth_first([program.start.index()]);
        CallGraph {
            callers: callers.collect(),
            reachable: callees.ids().map(|p| reached.reached(p.index())).collect(),
            components: graph.components(),
            sites,
            callees,
        }
    }

    /// The call edges of a procedure, in order of edge id.
    pub fn sites(&self, proc: ProcId) -> &[CallSite] {
        &self.sites[proc]
    }

    /// The procedures an edge may call; nothing if it calls none, or a builtin.
    pub fn targets(&self, proc: ProcId, edge: EdgeId) -> &[ProcId] {
        let sites = &self.sites[proc];
        match sites.binary_search_by_key(&edge, |site| site.edge) {
            Ok(at) => &sites[at].targets,
            Err(_) => &[],
        }
    }

    /// The procedures called directly, in order of id, without repetition.
    pub fn callees(&self, proc: ProcId) -> &[ProcId] {
        &self.callees[proc]
    }

    pub fn callers(&self, proc: ProcId) -> &[ProcId] {
        &self.callers[proc]
    }

    /// May be called in a run of the program.
    pub fn is_reachable(&self, proc: ProcId) -> bool {
        self.reachable[proc]
    }

    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.component(proc).len() > 1 || self.callees[proc].contains(&proc)
    }

    /// The procedures that can call each other, `proc` among them, in order of id.
    pub fn component(&self, proc: ProcId) -> Vec<ProcId> {
        ids(&self.components.members[self.components.of[proc.index()]])
    }

    /// All components, callees before callers.
    pub fn bottom_up(&self) -> impl DoubleEndedIterator<Item = Vec<ProcId>> + '_ {
        self.components.members.iter().map(|members| ids(members))
    }
}

fn ids(indices: &[usize]) -> Vec<ProcId> {
    indices.iter().map(|&i| Id::from_index(i)).collect()
}

fn sorted(procs: impl Iterator<Item = ProcId>) -> Vec<ProcId> {
    let mut procs: Vec<ProcId> = procs.collect();
    procs.sort_unstable();
    procs.dedup();
    procs
}

fn call_sites(program: &Program, proc: ProcId, resolve: &Resolve<'_>) -> Vec<CallSite> {
    let Some(body) = &program.procs[proc].body else { return Vec::new() };
    let calls = body.edges.iter().filter_map(|(edge, e)| match &e.instr {
        Instr::Call(call) => Some((edge, call)),
        _ => None,
    });
    calls.filter_map(|(edge, call)| call_site(proc, edge, call, resolve)).collect()
}

fn call_site(proc: ProcId, edge: EdgeId, call: &Call, resolve: &Resolve<'_>) -> Option<CallSite> {
    match call.callee {
        Callee::Proc(p) => Some(CallSite { edge, targets: vec![p], through_pointer: false }),
        Callee::Pointer(pointer) => {
            let targets = resolve(proc, edge, pointer);
            Some(CallSite { edge, targets, through_pointer: true })
        }
        Callee::Builtin(_) => None,
    }
}

/// The procedures a function pointer may mean.
fn pointees(program: &Program, pointer: ExprId) -> Vec<ProcId> {
    if let ExprKind::Function(proc) = program.exprs[pointer].kind {
        return vec![proc];
    }
    let signature = match program.exprs[pointer].ty {
        Type::Function(sig) => Some(sig),
        ty => match program.types.inner(ty) {
            Some(Type::Function(sig)) => Some(sig),
            _ => None,
        },
    };
    let compatible = |proc: ProcId| {
        program.foreign == Some(proc)
            || signature.is_none_or(|sig| {
                program.types.compatible_signatures(sig, program.procs[proc].signature)
            })
    };
    program.procs.ids().filter(|&p| program.procs[p].address_taken && compatible(p)).collect()
}
