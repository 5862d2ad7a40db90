//! Control dependence: which branches decide whether a location is reached.

use crate::arena::{Arena, Id};
use crate::graph::Graph;
use crate::program::{Cfa, LocId};

/// For each location the locations where a run decides whether it gets there, provided that it
/// gets to an end. A run ends where no edge leaves, and may end at the locations that `may_end`
/// names; loops are taken to end (weak control dependence).
pub(super) fn dependence(cfa: &Cfa, may_end: &[bool]) -> Arena<LocId, Vec<LocId>> {
    let n = cfa.locs.len();
    let mut edges: Vec<(usize, usize)> =
        cfa.edges.iter().map(|(_, e)| (e.from.index(), e.to.index())).collect();
    // The virtual end comes after the last location.
    edges.extend(
        cfa.locs
            .iter()
            .filter(|(loc, l)| l.out.is_empty() || may_end[loc.index()])
            .map(|(loc, _)| (loc.index(), n)),
    );
    edges.extend(endless(&Graph::new(n + 1, &edges), n).into_iter().map(|loc| (loc, n)));
    let graph = Graph::new(n + 1, &edges);
    let postdominators = graph.reversed().dominators(n);
    let mut on: Arena<LocId, Vec<LocId>> = cfa.locs.ids().map(|_| Vec::new()).collect();
    for branch in cfa.locs.ids() {
        let join = postdominators.idom[branch.index()];
        for successor in graph.successors(branch.index()) {
            let mut at = Some(successor);
            while let Some(loc) = at.filter(|&loc| at != join && loc != n) {
                let on = &mut on[LocId::from_index(loc)];
                if on.last() == Some(&branch) {
                    break;
                }
                on.push(branch);
                at = postdominators.idom[loc];
            }
        }
    }
    on
}

/// One location of every cycle that cannot be left towards the end.
fn endless(graph: &Graph, end: usize) -> Vec<usize> {
    let ending = graph.reversed().depth_first([end]);
    let components = graph.components();
    let closed = components.members.iter().enumerate().filter(|(number, members)| {
        let mut successors = members.iter().flat_map(|&m| graph.successors(m));
        !ending.reached(members[0]) && successors.all(|s| components.of[s] == *number)
    });
    closed.map(|(_, members)| members[0]).collect()
}
