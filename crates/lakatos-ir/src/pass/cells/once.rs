//! Calls that are made at most once in a run.

use std::collections::BTreeSet;

use crate::arena::Id;
use crate::callgraph::CallGraph;
use crate::graph::Graph;
use crate::program::{Cfa, EdgeId, Instr, ProcId, Program};

/// The procedures that are entered at most once, those that call themselves, and edges in loops.
#[derive(Debug)]
pub(in crate::pass) struct Once {
    procs: BTreeSet<ProcId>,
    recursive: BTreeSet<ProcId>,
    repeated: BTreeSet<(ProcId, EdgeId)>,
}

impl Once {
    pub fn new(program: &Program, calls: &CallGraph) -> Once {
        let recursive = program.procs.ids().filter(|proc| calls.is_recursive(*proc)).collect();
        let mut once = Once { procs: BTreeSet::new(), recursive, repeated: BTreeSet::new() };
        let mut sites: Vec<(ProcId, EdgeId, ProcId)> = Vec::new();
        for (proc, _, body) in program.defined() {
            once.repeated.extend(repeated(body).into_iter().map(|edge| (proc, edge)));
            for (edge, data) in body.edges.iter() {
                if matches!(data.instr, Instr::Call(_)) {
                    let targets = calls.targets(proc, edge).iter();
                    sites.extend(targets.map(|target| (proc, edge, *target)));
                }
            }
        }
        once.procs.insert(program.start);
        // Callers come before callees, since nothing that is recursive is entered once.
        let order: Vec<ProcId> = calls.bottom_up().flatten().collect();
        for proc in order.into_iter().rev() {
            let mut own = sites.iter().filter(|(_, _, callee)| *callee == proc);
            if let (Some((caller, edge, _)), None) = (own.next(), own.next())
                && once.are(&[(*caller, *edge)])
            {
                once.procs.insert(proc);
            }
        }
        once
    }

    /// Whether the procedure is entered at most once.
    pub fn is_entered_once(&self, proc: ProcId) -> bool {
        self.procs.contains(&proc) && !self.recursive.contains(&proc)
    }

    /// Whether a run may pass the edge more than once in one frame.
    pub fn is_repeated(&self, proc: ProcId, edge: EdgeId) -> bool {
        self.repeated.contains(&(proc, edge))
    }

    /// Whether the last of some calls, each of which leads to the next, is made at most once.
    pub fn are(&self, calls: &[(ProcId, EdgeId)]) -> bool {
        let first = calls.first().is_some_and(|(proc, _)| self.procs.contains(proc));
        let is_once = |call: &(ProcId, EdgeId)| {
            !self.repeated.contains(call) && !self.recursive.contains(&call.0)
        };
        first && calls.iter().all(is_once)
    }
}

/// The edges that a run may pass more than once.
fn repeated(body: &Cfa) -> Vec<EdgeId> {
    let ends = body.edges.iter().map(|(_, edge)| (edge.from.index(), edge.to.index()));
    let ends: Vec<(usize, usize)> = ends.collect();
    let components = Graph::new(body.locs.len(), &ends).components();
    let edges = body.edges.ids().zip(ends);
    let within = edges.filter(|(_, (from, to))| components.of[*from] == components.of[*to]);
    within.map(|(edge, _)| edge).collect()
}
