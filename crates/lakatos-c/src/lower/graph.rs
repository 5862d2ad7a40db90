//! One automaton while it grows, and its tidying.
//!
//! Lowering joins and jumps with `Skip` edges freely. [`Graph::finish`] then, in linear time,
//! merges a location whose only edge is a `Skip` into that edge's target, and drops what cannot
//! be reached from the entry. Two loop heads are never merged: each keeps its own location, so that
//! an invariant of one is not taken for one of the other; and no edge leads back to the entry. Nor
//! is a location merged that an assertion stands at: where it leads to, others may arrive.

use lakatos_ir::{Arena, Cfa, Edge, Id, Instr, Loc, LocId, Span, VarId};

use super::nonlocal::JumpFlow;

pub(super) const ENTRY: LocId = LocId(0);
pub(super) const EXIT: LocId = LocId(1);
/// Where control is after a jump: nothing is emitted there.
pub(super) const NOWHERE: LocId = LocId(2);

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Of the statement that begins here; the default if none does.
    span: Span,
    /// A loop begins here.
    head: bool,
    /// An annotation speaks of this location.
    pinned: bool,
    /// May be reached, as far as known; labels and loop heads always.
    live: bool,
}

#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Graph {
    pub(super) fn new(span: Span) -> Graph {
        let end = Span { start: span.end.saturating_sub(1).max(span.start), end: span.end };
        let entry = Node { live: true, ..Node::default() };
        let exit = Node { span: end, ..Node::default() };
        Graph { nodes: vec![entry, exit, Node::default()], edges: Vec::new() }
    }

    pub(super) fn fresh(&mut self) -> LocId {
        let id = LocId::from_index(self.nodes.len());
        self.nodes.push(Node::default());
        id
    }

    pub(super) fn is_live(&self, loc: LocId) -> bool {
        self.nodes[loc.index()].live
    }

    /// Control may come here by a jump that is not known yet.
    pub(super) fn revive(&mut self, loc: LocId) {
        self.nodes[loc.index()].live = true;
    }

    pub(super) fn mark_head(&mut self, loc: LocId) {
        self.nodes[loc.index()].head = true;
    }

    /// The location stays one of its own.
    pub(super) fn pin(&mut self, loc: LocId) {
        self.nodes[loc.index()].pinned = true;
    }

    /// A statement begins at the location.
    pub(super) fn begin(&mut self, loc: LocId, span: Span) {
        let node = &mut self.nodes[loc.index()];
        if node.span == Span::default() {
            node.span = span;
        }
    }

    pub(super) fn edge(&mut self, from: LocId, to: LocId, instr: Instr, span: Span) {
        if self.is_live(from) {
            self.nodes[to.index()].live = true;
            self.edges.push(Edge { from, to, instr, span });
        }
    }

    /// Puts a location behind each edge with such an instruction. Gives these, and where each edge
    /// led to before.
    pub(super) fn divide_after(&mut self, wanted: impl Fn(&Instr) -> bool) -> Vec<(LocId, LocId)> {
        let mut divided = Vec::new();
        for number in 0..self.edges.len() {
            if wanted(&self.edges[number].instr) {
                let middle = self.fresh();
                self.nodes[middle.index()].live = true;
                let next = std::mem::replace(&mut self.edges[number].to, middle);
                divided.push((middle, next));
            }
        }
        divided
    }

    /// Visits the instructions that can follow one of these locations. `see` says where to stop.
    pub(super) fn each_reached_until(
        &self,
        from: &[LocId],
        flow: &JumpFlow,
        mut see: impl FnMut(&Instr) -> bool,
    ) {
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            edges[edge.from.index()].push(number);
        }
        let (mut seen, mut open) = (vec![false; self.nodes.len()], from.to_vec());
        while let Some(loc) = open.pop() {
            if std::mem::replace(&mut seen[loc.index()], true) {
                continue;
            }
            if flow.unwindings.contains(&loc) {
                open.extend(&flow.landings);
            }
            for &number in &edges[loc.index()] {
                if !see(&self.edges[number].instr) {
                    open.push(self.edges[number].to);
                }
            }
        }
    }

    /// The automaton, and for every location of the graph where it has gone. `needs_end` says for
    /// which variables a `Dead` matters.
    pub(super) fn finish(mut self, needs_end: impl Fn(VarId) -> bool) -> (Cfa, Moved) {
        for edge in &mut self.edges {
            if matches!(edge.instr, Instr::Dead(var) if !needs_end(var)) {
                edge.instr = Instr::Skip;
            }
        }
        let merged = self.merge_skips();
        let order = self.order(&merged);
        let mut places = vec![None; self.nodes.len()];
        let mut locs: Arena<LocId, Loc> = Arena::new();
        for loc in order {
            let span = self.nodes[loc.index()].span;
            places[loc.index()] = Some(locs.push(Loc { span, ..Loc::default() }));
        }
        let moved = Moved(merged.iter().map(|to| places[to.index()]).collect());
        let entry = moved.get(ENTRY).expect("the entry is reached");
        let exit = moved.get(EXIT).expect("the exit is kept");
        let mut cfa = Cfa { locs, edges: Arena::new(), entry, exit, labels: Vec::new() };
        for edge in self.edges {
            let gone = merged[edge.from.index()] != edge.from;
            let (false, Some(from), Some(to)) = (gone, moved.get(edge.from), moved.get(edge.to))
            else {
                continue;
            };
            if cfa.locs[from].span == Span::default() {
                cfa.locs[from].span = edge.span;
            }
            cfa.add_edge(from, to, edge.instr, edge.span);
        }
        name_dead_ends(&mut cfa);
        (cfa, moved)
    }

    /// For every location the one that stands for it. Fills the spans of those that remain.
    fn merge_skips(&mut self) -> Vec<LocId> {
        let mut next: Vec<Option<LocId>> = vec![None; self.nodes.len()];
        let mut out = vec![0u32; self.nodes.len()];
        let mut into = vec![0u32; self.nodes.len()];
        for edge in &self.edges {
            let from = edge.from.index();
            out[from] += 1;
            into[edge.to.index()] += 1;
            next[from] = (out[from] == 1 && edge.instr == Instr::Skip).then_some(edge.to);
        }
        let mut merged: Vec<LocId> = (0..self.nodes.len()).map(LocId::from_index).collect();
        // 0: not seen, 1: on the path, 2: done.
        let mut state = vec![0u8; self.nodes.len()];
        let mut path = Vec::new();
        for start in 1..self.nodes.len() {
            let mut at = LocId::from_index(start);
            while let (0, Some(to)) = (state[at.index()], next[at.index()]) {
                state[at.index()] = 1;
                path.push(at);
                at = to;
            }
            // A cycle of nothing but skips keeps one location, whose skip leads to itself.
            state[at.index()] = 2;
            while let Some(loc) = path.pop() {
                state[loc.index()] = 2;
                if let (true, Some(to)) = (loc != at, next[loc.index()]) {
                    let to = merged[to.index()];
                    if self.merge(loc, to, &mut merged) {
                        into[to.index()] = into[to.index()] + into[loc.index()] - 1;
                    }
                }
            }
        }
        // The entry last, when it is known what else leads to its target.
        if let Some(to) = next[ENTRY.index()].map(|to| merged[to.index()])
            && into[to.index()] == 1
        {
            self.merge(ENTRY, to, &mut merged);
        }
        merged
    }

    /// Lets `to` stand for `loc`, unless both are loop heads or something is said of `loc`.
    fn merge(&mut self, loc: LocId, to: LocId, merged: &mut [LocId]) -> bool {
        let node = self.nodes[loc.index()];
        let target = &mut self.nodes[to.index()];
        if loc == to || node.pinned || (node.head && target.head) {
            return false;
        }
        // A loop is what begins at its head, before the first statement in it.
        if target.span == Span::default() || (node.head && node.span != Span::default()) {
            target.span = node.span;
        }
        target.head |= node.head;
        merged[loc.index()] = to;
        true
    }

    /// The locations that can be reached, as a reader goes: entry and exit, then every location
    /// after those that lead to it (loops aside) and the first branch before the second.
    fn order(&self, merged: &[LocId]) -> Vec<LocId> {
        let (starts, targets) = self.successors(merged);
        let entry = merged[ENTRY.index()];
        let mut seen = vec![false; self.nodes.len()];
        let mut finished = Vec::new();
        // A location and how many of its successors are still to be visited, last one first.
        let mut path = vec![(entry, starts[entry.index() + 1])];
        seen[entry.index()] = true;
        seen[EXIT.index()] = true;
        while let Some((loc, left)) = path.last_mut() {
            if *left == starts[loc.index()] {
                finished.push(*loc);
                path.pop();
                continue;
            }
            *left -= 1;
            let to = targets[*left as usize];
            if !std::mem::replace(&mut seen[to.index()], true) {
                path.push((to, starts[to.index() + 1]));
            }
        }
        finished.reverse();
        finished.insert(1.min(finished.len()), EXIT);
        finished
    }

    /// The successors of all locations in one list, and where those of each begin in it.
    fn successors(&self, merged: &[LocId]) -> (Vec<u32>, Vec<LocId>) {
        let mut starts = vec![0u32; self.nodes.len() + 1];
        for edge in &self.edges {
            starts[edge.from.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![ENTRY; self.edges.len()];
        for edge in &self.edges {
            let slot = &mut next[edge.from.index()];
            targets[*slot as usize] = merged[edge.to.index()];
            *slot += 1;
        }
        (starts, targets)
    }
}

/// Where a run ends without having come to the exit, the location shows what ended it.
fn name_dead_ends(cfa: &mut Cfa) {
    for loc in cfa.locs.ids() {
        let data = &cfa.locs[loc];
        if let (true, Some(&edge)) = (data.span == Span::default(), data.into.first()) {
            cfa.locs[loc].span = cfa.edges[edge].span;
        }
    }
}

/// Where the locations of a graph are in its automaton; `None` for those that are gone.
#[derive(Debug)]
pub(super) struct Moved(Vec<Option<LocId>>);

impl Moved {
    pub(super) fn get(&self, loc: LocId) -> Option<LocId> {
        self.0[loc.index()]
    }
}
