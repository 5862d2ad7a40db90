//! Ranks and cells: the graph cut into layers, every edge into pieces between adjacent layers.

use super::{Graph, Size};

/// What a cell is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Node,
    Label,
    /// A line passes.
    Bend,
    /// A line turns: beside the target of a back edge, or beside where it starts to go up.
    Cap,
    Stub,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub kind: Kind,
    pub layer: usize,
    pub size: Size,
}

/// The cells of one edge, in the order in which the line passes them (without the nodes).
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub down: Vec<usize>,
    /// For a back edge: from the cell beside the turning point up to the one beside the target.
    pub up: Vec<usize>,
    pub label: Option<usize>,
    pub stub: Option<usize>,
}

/// A cap waits until the order is known to find its place beside its anchor.
#[derive(Clone, Copy, Debug)]
struct Cap {
    cell: usize,
    anchor: usize,
    /// The cell in the adjacent layer whose place among the anchor's neighbours there says on
    /// which side the line runs; `None` if there is no other.
    next: Option<usize>,
    /// `next` is below.
    is_top: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    /// Nodes come first, with their own numbers.
    pub cells: Vec<Cell>,
    /// From upper to lower cell, between adjacent layers.
    pub links: Vec<(usize, usize)>,
    pub layers: Vec<Vec<usize>>,
    pub chains: Vec<Chain>,
    caps: Vec<Cap>,
}

/// Cells for passing lines: as many as a small graph may need, else a few per node and edge.
fn bend_budget(graph: &Graph) -> usize {
    (6 * (graph.nodes.len() + graph.edges.len())).max(4_000)
}

impl Layers {
    pub fn new(graph: &Graph) -> Layers {
        let ranks = ranks(graph);
        let stubs = too_long(graph, &ranks);
        let cells = graph.nodes.iter().zip(&ranks);
        let cells = cells.map(|(&size, &layer)| Cell { kind: Kind::Node, layer, size }).collect();
        let mut layers = Layers { cells, ..Layers::default() };
        layers.chains = vec![Chain::default(); graph.edges.len()];
        // Back edges first: their lines begin at the left, where loop bodies usually are.
        let (back, forward): (Vec<usize>, Vec<usize>) =
            (0..graph.edges.len()).partition(|&i| graph.edges[i].is_back);
        for i in back.into_iter().chain(forward) {
            let edge = &graph.edges[i];
            layers.chains[i] = match (stubs[i], edge.is_back) {
                (true, _) => layers.stub_chain(edge),
                (false, true) => layers.back_chain(edge),
                (false, false) => layers.forward_chain(edge),
            };
        }
        layers.fill(graph);
        layers
    }

    fn cell(&mut self, kind: Kind, layer: usize, size: Size) -> usize {
        self.cells.push(Cell { kind, layer, size });
        self.cells.len() - 1
    }

    fn bend(&mut self, layer: usize) -> usize {
        self.cell(Kind::Bend, layer, Size::default())
    }

    /// The label, or a bend in its place, in the layer below the edge's source.
    fn first_cell(&mut self, edge: &super::Edge) -> usize {
        let layer = self.cells[edge.from].layer + 1;
        match edge.label {
            Some(size) => self.cell(Kind::Label, layer, size),
            None => self.bend(layer),
        }
    }

    fn forward_chain(&mut self, edge: &super::Edge) -> Chain {
        let first = self.first_cell(edge);
        self.links.push((edge.from, first));
        let mut down = vec![first];
        for layer in self.cells[first].layer + 1..self.cells[edge.to].layer {
            let next = self.bend(layer);
            self.links.push((down[down.len() - 1], next));
            down.push(next);
        }
        self.links.push((down[down.len() - 1], edge.to));
        Chain { down, label: edge.label.map(|_| first), ..Chain::default() }
    }

    fn stub_chain(&mut self, edge: &super::Edge) -> Chain {
        let first = self.first_cell(edge);
        let stub = self.cell(Kind::Stub, self.cells[first].layer + 1, edge.stub);
        self.links.extend([(edge.from, first), (first, stub)]);
        let label = edge.label.map(|_| first);
        Chain { down: vec![first], label, stub: Some(stub), ..Chain::default() }
    }

    /// Down to the label if there is one, then up, from a cap beside the label (or the source)
    /// to a cap beside the target.
    fn back_chain(&mut self, edge: &super::Edge) -> Chain {
        let label = edge.label.map(|size| {
            let label = self.cell(Kind::Label, self.cells[edge.from].layer + 1, size);
            self.links.push((edge.from, label));
            label
        });
        let turn = label.unwrap_or(edge.from);
        let (top, bottom) = (self.cells[edge.to].layer, self.cells[turn].layer);
        let lower = self.cell(Kind::Cap, bottom, Size::default());
        let mut up = vec![lower];
        for layer in (top + 1..bottom).rev() {
            let next = self.bend(layer);
            // Until the caps are there, the line hangs on the nodes themselves.
            let below = if up.len() == 1 { turn } else { up[up.len() - 1] };
            self.links.push((next, below));
            up.push(next);
        }
        if top < bottom {
            let upper = self.cell(Kind::Cap, top, Size::default());
            if let [_, .., last] = up[..] {
                self.links.push((edge.to, last));
            }
            // A loop of one step runs beside its label.
            let next = if up.len() > 1 { up[up.len() - 1] } else { turn };
            self.caps.push(Cap { cell: upper, anchor: edge.to, next: Some(next), is_top: true });
            up.push(upper);
        }
        self.caps.push(Cap { cell: lower, anchor: turn, next: up.get(1).copied(), is_top: false });
        Chain { down: label.into_iter().collect(), up, label, stub: None }
    }

    /// Puts all cells but the caps into their layers, in the order of a depth-first walk.
    fn fill(&mut self, graph: &Graph) {
        let count = self.cells.iter().map(|c| c.layer + 1).max().unwrap_or(0);
        self.layers = vec![Vec::new(); count];
        let below = self.neighbours(true);
        let mut seen: Vec<bool> = self.cells.iter().map(|c| c.kind == Kind::Cap).collect();
        for root in 0..graph.nodes.len() {
            let mut stack = vec![root];
            while let Some(cell) = stack.pop() {
                if std::mem::replace(&mut seen[cell], true) {
                    continue;
                }
                self.layers[self.cells[cell].layer].push(cell);
                stack.extend(below.of(cell).iter().rev());
            }
        }
    }

    pub fn neighbours(&self, below: bool) -> Neighbours {
        let links =
            self.links.iter().map(|&(up, down)| if below { (up, down) } else { (down, up) });
        Neighbours::new(self.cells.len(), links)
    }

    /// The place of every cell in its layer.
    pub fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.cells.len()];
        for layer in &self.layers {
            for (i, &cell) in layer.iter().enumerate() {
                position[cell] = i;
            }
        }
        position
    }

    /// Puts every cap right beside its anchor, on the side where its line runs, and hangs the
    /// lines on the caps.
    pub fn insert_caps(&mut self) {
        let position = self.positions();
        let (below, above) = (self.neighbours(true), self.neighbours(false));
        let mut beside: Vec<(usize, bool, usize, usize)> = Vec::new();
        let mut is_left = vec![false; self.cells.len()];
        for cap in &self.caps {
            let upper = cap.next.filter(|&n| self.cells[n].kind == Kind::Cap);
            let next = cap.next.filter(|_| upper.is_none());
            let others = if cap.is_top { below.of(cap.anchor) } else { above.of(cap.anchor) };
            let is_right = next.map_or(!upper.is_some_and(|cap| is_left[cap]), |next| {
                let others = others.iter().filter(|&&o| o != next).map(|&o| position[o]);
                let (sum, count) = others.fold((0, 0), |(s, n), p| (s + p, n + 1));
                position[next] * count >= sum
            });
            is_left[cap.cell] = !is_right;
            let key = next.map_or(usize::MAX, |n| position[n]);
            beside.push((cap.anchor, is_right, key, cap.cell));
        }
        beside.sort_unstable();
        self.rehang();
        for layer in &mut self.layers {
            let with_caps = layer.iter().flat_map(|&cell| {
                let start = beside.partition_point(|c| c.0 < cell);
                let end = beside.partition_point(|c| c.0 <= cell);
                let (left, right) =
                    beside[start..end].split_at(beside[start..end].partition_point(|c| !c.1));
                let caps = |side: &[(usize, bool, usize, usize)]| -> Vec<usize> {
                    side.iter().map(|c| c.3).collect()
                };
                caps(left).into_iter().chain([cell]).chain(caps(right))
            });
            *layer = with_caps.collect();
        }
    }

    /// Replaces the links of back edges by those from cap to cap.
    fn rehang(&mut self) {
        let mut on_back = vec![false; self.cells.len()];
        for chain in &self.chains {
            chain.up.iter().for_each(|&cell| on_back[cell] = true);
        }
        self.links.retain(|&(up, down)| !on_back[up] && !on_back[down]);
        for chain in &self.chains {
            self.links.extend(chain.up.windows(2).map(|w| (w[1], w[0])));
        }
    }
}

/// Longest path from a source, two layers per step; back edges count the other way round, so that
/// they really go up. Sources come right above the first node they lead to.
fn ranks(graph: &Graph) -> Vec<usize> {
    let downward = |e: &super::Edge| if e.is_back { (e.to, e.from) } else { (e.from, e.to) };
    let forward = || graph.edges.iter().map(downward).filter(|(from, to)| from != to);
    let next = Neighbours::new(graph.nodes.len(), forward());
    let mut waiting = vec![0usize; graph.nodes.len()];
    forward().for_each(|(_, to)| waiting[to] += 1);
    let sources: Vec<usize> = (0..graph.nodes.len()).filter(|&n| waiting[n] == 0).collect();
    let (mut ready, mut rank) = (sources.clone(), vec![0; graph.nodes.len()]);
    while let Some(node) = ready.pop() {
        for &to in next.of(node) {
            rank[to] = rank[to].max(rank[node] + 2);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    for source in sources {
        let first = next.of(source).iter().map(|&to| rank[to]).min();
        rank[source] = first.map_or(0, |first| first - 2);
    }
    rank
}

/// Which edges must end in a stub to stay within the budget: the longest ones.
fn too_long(graph: &Graph, ranks: &[usize]) -> Vec<bool> {
    let span = |e: &super::Edge| ranks[e.from].abs_diff(ranks[e.to]);
    let mut total: usize = graph.edges.iter().map(span).sum();
    let mut by_span: Vec<usize> = (0..graph.edges.len()).collect();
    by_span.sort_by_key(|&i| std::cmp::Reverse(span(&graph.edges[i])));
    let mut stub = vec![false; graph.edges.len()];
    for i in by_span {
        if total <= bend_budget(graph) {
            break;
        }
        total -= span(&graph.edges[i]);
        stub[i] = true;
    }
    stub
}

/// Adjacency lists in one piece.
#[derive(Debug)]
pub(super) struct Neighbours {
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Neighbours {
    pub fn new(count: usize, links: impl Iterator<Item = (usize, usize)> + Clone) -> Neighbours {
        let mut starts = vec![0; count + 1];
        links.clone().for_each(|(from, _)| starts[from + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut free = starts.clone();
        let mut targets = vec![0; starts[count]];
        for (from, to) in links {
            targets[free[from]] = to;
            free[from] += 1;
        }
        Neighbours { starts, targets }
    }

    /// Sorts every list by the given key per node.
    pub fn sort_by(&mut self, key: &[usize]) {
        for i in 0..self.starts.len() - 1 {
            self.targets[self.starts[i]..self.starts[i + 1]].sort_by_key(|&t| key[t]);
        }
    }

    pub fn of(&self, node: usize) -> &[usize] {
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }
}
