//! Loops of an automaton: dominators, natural loops and their nesting, cut points.
//!
//! Locations that cannot be reached are treated as if each unreached part had an entry of its
//! own, so that *every* cycle of the automaton has a cut point, reachable or not.

use std::ops::Range;

use crate::arena::{Arena, Id};
use crate::define_ids;
use crate::graph::{DepthFirst, Dominators, Graph};
use crate::program::{Cfa, EdgeId, LocId};

define_ids! {
    /// A natural loop of one automaton.
    LoopId = "loop";
}

/// A natural loop: all back edges to one head, and everything that reaches them without passing
/// the head.
#[derive(Clone, Debug)]
pub struct Loop {
    pub head: LocId,
    /// The edges from the body to the head, in order of id.
    pub back_edges: Vec<EdgeId>,
    /// The innermost loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    body: Range<usize>,
}

/// The loops of one automaton.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Outer loops come before the loops inside them.
    pub loops: Arena<LoopId, Loop>,
    innermost: Arena<LocId, Option<LoopId>>,
    /// All locations in loops, such that every loop's body is a range.
    bodies: Vec<LocId>,
    /// Node `n` stands for location `n`; the node after the last location is a virtual entry.
    dominators: Dominators,
    cut_points: Vec<LocId>,
    irreducible: Vec<EdgeId>,
}

impl Loops {
    pub fn new(cfa: &Cfa) -> Loops {
        let (graph, dfs) = rooted(cfa);
        let dominators = graph.dominators(cfa.locs.len());
        let retreating: Vec<EdgeId> = cfa
            .edges
            .iter()
            .filter(|(_, e)| dfs.is_ancestor(e.to.index(), e.from.index()))
            .map(|(id, _)| id)
            .collect();
        let (back, irreducible): (Vec<EdgeId>, Vec<EdgeId>) = retreating
            .iter()
            .partition(|&&e| dominates(&dominators, cfa.edges[e].to, cfa.edges[e].from));
        // Every cycle has a retreating edge, whatever the graph looks like.
        let mut cut_points: Vec<LocId> = retreating.iter().map(|&e| cfa.edges[e].to).collect();
        cut_points.sort_unstable();
        cut_points.dedup();

        let heads = Heads::new(cfa, &graph.reversed(), &dfs, &back);
        let (loops, innermost, bodies) = heads.into_forest(cfa, &dfs);
        Loops { loops, innermost, bodies, dominators, cut_points, irreducible }
    }

    /// Every cycle of the automaton enters through the head of a natural loop.
    pub fn is_reducible(&self) -> bool {
        self.irreducible.is_empty()
    }

    /// The edges that go back in a cycle without going to the head of a natural loop.
    pub fn irreducible_edges(&self) -> &[EdgeId] {
        &self.irreducible
    }

    /// Locations, in order, such that every cycle has one: the loop heads, and in an irreducible
    /// automaton some more.
    pub fn cut_points(&self) -> &[LocId] {
        &self.cut_points
    }

    pub fn is_cut_point(&self, loc: LocId) -> bool {
        self.cut_points.binary_search(&loc).is_ok()
    }

    /// The loop with this head.
    pub fn headed_by(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc].filter(|&id| self.loops[id].head == loc)
    }

    pub fn innermost(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc]
    }

    /// All locations of a loop, those of inner loops included; the head comes first.
    pub fn body(&self, id: LoopId) -> &[LocId] {
        &self.bodies[self.loops[id].body.clone()]
    }

    pub fn contains(&self, id: LoopId, loc: LocId) -> bool {
        let body = &self.loops[id].body;
        self.innermost[loc].is_some_and(|inner| {
            let start = self.loops[inner].body.start;
            body.start <= start && start < body.end
        })
    }

    /// The edges that leave a loop.
    pub fn exits<'a>(&'a self, cfa: &'a Cfa, id: LoopId) -> impl Iterator<Item = EdgeId> + 'a {
        let leaving = self.body(id).iter().flat_map(|&loc| cfa.locs[loc].out.iter().copied());
        leaving.filter(move |&e| !self.contains(id, cfa.edges[e].to))
    }

    /// Every path from the entry to `below` passes `above` (reflexive).
    pub fn dominates(&self, above: LocId, below: LocId) -> bool {
        dominates(&self.dominators, above, below)
    }

    /// The closest location that dominates this one; `None` for the entry and for the first
    /// location of an unreachable part.
    pub fn immediate_dominator(&self, loc: LocId) -> Option<LocId> {
        let dominator = self.dominators.idom[loc.index()]?;
        (dominator < self.innermost.len()).then(|| Id::from_index(dominator))
    }
}

fn dominates(dominators: &Dominators, above: LocId, below: LocId) -> bool {
    dominators.dominates(above.index(), below.index())
}

/// The automaton as a graph with a virtual entry, after the last location, before the entry and
/// before one location of every part that cannot be reached otherwise; and a depth-first walk
/// from there. Edges from one part to another are left out: they are on no cycle, and dead code
/// that jumps into a loop must not make it irreducible.
fn rooted(cfa: &Cfa) -> (Graph, DepthFirst) {
    let n = cfa.locs.len();
    let mut edges: Vec<_> = cfa.edges.iter().map(|(_, e)| (e.from.index(), e.to.index())).collect();
    let entry = cfa.entry.index();
    let reached = Graph::new(n, &edges).depth_first(std::iter::once(entry).chain(0..n));
    let mut part: Vec<usize> = (0..n).collect();
    for &loc in &reached.preorder {
        part[loc] = reached.parent[loc].map_or(loc, |parent| part[parent]);
    }
    edges.retain(|&(from, to)| part[from] == part[to]);
    edges.push((n, entry));
    edges.extend((0..n).filter(|&l| l != entry && part[l] == l).map(|l| (n, l)));
    let graph = Graph::new(n + 1, &edges);
    let dfs = graph.depth_first([n]);
    (graph, dfs)
}

/// The loops, the innermost loop of each location, and the bodies.
type Forest = (Arena<LoopId, Loop>, Arena<LocId, Option<LoopId>>, Vec<LocId>);

/// Natural loops while they are found, innermost first.
struct Heads {
    /// The locations that head a loop with their back edges, outer before inner.
    heads: Vec<(LocId, Vec<EdgeId>)>,
    /// The head of the innermost loop around each location; for a head that of the next loop.
    around: Vec<Option<LocId>>,
}

impl Heads {
    fn new(cfa: &Cfa, reversed: &Graph, dfs: &DepthFirst, back: &[EdgeId]) -> Heads {
        let mut back_edges: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.locs.len()];
        for &e in back {
            back_edges[cfa.edges[e].to.index()].push(e);
        }
        let order = dfs.preorder.iter().filter(|&&l| l < cfa.locs.len());
        let heads: Vec<(LocId, Vec<EdgeId>)> = order
            .map(|&l| (LocId::from_index(l), std::mem::take(&mut back_edges[l])))
            .filter(|(_, edges)| !edges.is_empty())
            .collect();
        let mut around = vec![None; cfa.locs.len()];
        let mut merged = Merged::new(cfa.locs.len());
        for (head, back) in heads.iter().rev() {
            let latches = back.iter().map(|&e| cfa.edges[e].from.index()).collect();
            collect_body(reversed, *head, latches, &mut merged, &mut around);
        }
        Heads { heads, around }
    }

    /// Numbers the loops outer before inner and lays out their bodies.
    fn into_forest(self, cfa: &Cfa, dfs: &DepthFirst) -> Forest {
        let mut loop_of: Arena<LocId, Option<LoopId>> = cfa.locs.ids().map(|_| None).collect();
        // Depth-first through the forest: a loop, then the loops inside it, then the next.
        let position: Vec<Option<usize>> = {
            let mut at = vec![None; cfa.locs.len()];
            self.heads.iter().enumerate().for_each(|(i, (h, _))| at[h.index()] = Some(i));
            at
        };
        let k = self.heads.len();
        let parent_of = |head: LocId| self.around[head.index()].and_then(|h| position[h.index()]);
        let edges: Vec<_> = (0..k).map(|i| (parent_of(self.heads[i].0).unwrap_or(k), i)).collect();
        let order = Graph::new(k + 1, &edges).depth_first([k]);
        let mut loops: Arena<LoopId, Loop> = Arena::new();
        for &i in order.preorder.iter().skip(1) {
            let (head, back_edges) = &self.heads[i];
            let parent = self.around[head.index()].and_then(|h| loop_of[h]);
            let depth = parent.map_or(1, |p| loops[p].depth + 1);
            let back_edges = back_edges.clone();
            loop_of[*head] =
                Some(loops.push(Loop { head: *head, back_edges, parent, depth, body: 0..0 }));
        }
        let bodies = lay_out(&mut loops, &mut loop_of, &self.around, dfs);
        (loops, loop_of, bodies)
    }
}

/// Walks back from the ends of the back edges to the head; inner loops, already merged, count as
/// one node.
fn collect_body(
    reversed: &Graph,
    head: LocId,
    mut work: Vec<usize>,
    merged: &mut Merged,
    around: &mut [Option<LocId>],
) {
    while let Some(loc) = work.pop() {
        let inner = merged.find(loc);
        if inner != head.index() {
            around[inner] = Some(head);
            merged.parent[inner] = head.index();
            work.extend(reversed.successors(inner));
        }
    }
}

/// Completes `loop_of` for locations that are no heads and gives every loop its range: its own
/// locations, head first, then those of the loops inside it.
fn lay_out(
    loops: &mut Arena<LoopId, Loop>,
    loop_of: &mut Arena<LocId, Option<LoopId>>,
    around: &[Option<LocId>],
    dfs: &DepthFirst,
) -> Vec<LocId> {
    let mut own: Arena<LoopId, Vec<LocId>> = loops.iter().map(|(_, l)| vec![l.head]).collect();
    for &l in dfs.preorder.iter().filter(|&&l| l < around.len()) {
        let loc = LocId::from_index(l);
        if loop_of[loc].is_none() {
            loop_of[loc] = around[l].and_then(|head| loop_of[head]);
            if let Some(id) = loop_of[loc] {
                own[id].push(loc);
            }
        }
    }
    let mut bodies = Vec::new();
    for (id, own) in own.iter() {
        let start = bodies.len();
        bodies.extend_from_slice(own);
        loops[id].body = start..bodies.len();
    }
    for id in loops.ids().rev() {
        if let Some(parent) = loops[id].parent {
            let end = loops[id].body.end.max(loops[parent].body.end);
            loops[parent].body.end = end;
        }
    }
    bodies
}

/// Union-find over locations: a finished loop is represented by its head.
struct Merged {
    parent: Vec<usize>,
}

impl Merged {
    fn new(n: usize) -> Merged {
        Merged { parent: (0..n).collect() }
    }

    fn find(&mut self, mut node: usize) -> usize {
        // Path halving.
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }
}
