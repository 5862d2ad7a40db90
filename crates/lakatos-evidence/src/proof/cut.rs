//! Cut points: locations such that every cycle of an automaton passes one.

use std::collections::BTreeSet;

use lakatos_ir::graph::Graph;
use lakatos_ir::loops::Loops;
use lakatos_ir::{Cfa, Id, LocId};

/// The locations that must join the given ones so that they cut every cycle. Where the given ones
/// suffice nothing is added: an extra `true` could make a good proof a bad one.
pub(super) fn missing(cfa: &Cfa, given: &BTreeSet<LocId>) -> Vec<LocId> {
    let uncut = cfa.edges.iter().filter(|(_, edge)| !given.contains(&edge.to));
    let edges: Vec<(usize, usize)> =
        uncut.map(|(_, edge)| (edge.from.index(), edge.to.index())).collect();
    let components = Graph::new(cfa.locs.len(), &edges).components();
    let mut cyclic: Vec<bool> = components.members.iter().map(|m| m.len() > 1).collect();
    for &(loc, _) in edges.iter().filter(|(from, to)| from == to) {
        cyclic[components.of[loc]] = true;
    }
    if !cyclic.contains(&true) {
        return Vec::new();
    }
    // A cycle that is left is a cycle of the automaton, so it has one of these.
    let loops = Loops::new(cfa);
    let on_cycle = |loc: &&LocId| cyclic[components.of[loc.index()]];
    loops.cut_points().iter().filter(on_cycle).copied().collect()
}
