//! Directed graphs over `0..n`: depth-first order, components, dominators.
//!
//! Everything is near-linear and uses no recursion, so that automata with hundreds of thousands
//! of locations neither take long nor overflow the host stack. Results depend only on the order
//! in which edges were given.

/// A directed graph with nodes `0..n`; parallel edges are allowed and keep their order.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where each node's successors begin in `targets`; one entry more than there are nodes.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

/// A depth-first forest.
#[derive(Clone, Debug)]
pub struct DepthFirst {
    /// Nodes in the order in which they were entered.
    pub preorder: Vec<usize>,
    /// Nodes in the order in which they were left.
    pub postorder: Vec<usize>,
    /// The tree parent; `None` for roots and for nodes that were not reached.
    pub parent: Vec<Option<usize>>,
    /// Per node its (first, last) preorder number below it; `None` if not reached.
    interval: Vec<Option<(u32, u32)>>,
}

/// Strongly connected components, in reverse topological order (successors first).
#[derive(Clone, Debug)]
pub struct Components {
    pub members: Vec<Vec<usize>>,
    /// The component of each node.
    pub of: Vec<usize>,
}

/// The dominator tree of the nodes reachable from a root.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// `None` for the root and for unreachable nodes.
    pub idom: Vec<Option<usize>>,
    tree: DepthFirst,
}

impl Graph {
    pub fn new(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut starts = vec![0u32; nodes + 1];
        for &(from, _) in edges {
            starts[from + 1] += 1;
        }
        for i in 0..nodes {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut targets = vec![0u32; starts[nodes] as usize];
        for &(from, to) in edges {
            targets[next[from] as usize] = to as u32;
            next[from] += 1;
        }
        Graph { starts, targets }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn successors(&self, node: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        self.targets[range].iter().map(|&t| t as usize)
    }

    /// The successor with the given number, if there are that many.
    fn successor(&self, node: usize, number: u32) -> Option<usize> {
        let at = self.starts[node] + number;
        (at < self.starts[node + 1]).then(|| self.targets[at as usize] as usize)
    }

    pub fn reversed(&self) -> Graph {
        let edges = (0..self.len()).flat_map(|n| self.successors(n).map(move |to| (to, n)));
        Graph::new(self.len(), &edges.collect::<Vec<_>>())
    }

    /// Visits what is reachable from the roots, taking roots and successors in order.
    pub fn depth_first(&self, roots: impl IntoIterator<Item = usize>) -> DepthFirst {
        let mut dfs = DepthFirst {
            preorder: Vec::new(),
            postorder: Vec::new(),
            parent: vec![None; self.len()],
            interval: vec![None; self.len()],
        };
        let mut stack: Vec<(usize, u32)> = Vec::new();
        for root in roots {
            if dfs.interval[root].is_some() {
                continue;
            }
            dfs.enter(root);
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                match self.successor(*node, *next) {
                    Some(to) => {
                        *next += 1;
                        if dfs.interval[to].is_none() {
                            dfs.parent[to] = Some(*node);
                            dfs.enter(to);
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        dfs.leave(*node);
                        stack.pop();
                    }
                }
            }
        }
        dfs
    }

    /// Tarjan's algorithm.
    pub fn components(&self) -> Components {
        const NEW: u32 = u32::MAX;
        let mut low = vec![NEW; self.len()];
        let mut of = vec![usize::MAX; self.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut stack: Vec<(usize, u32, u32)> = Vec::new();
        let mut count = 0;
        for root in 0..self.len() {
            if low[root] != NEW {
                continue;
            }
            stack.push((root, 0, count));
            while let Some(&mut (node, ref mut next, number)) = stack.last_mut() {
                if *next == 0 {
                    low[node] = number;
                    open.push(node);
                    count += 1;
                }
                // The successor visited last has its number by now: take it into account.
                if *next > 0 {
                    let before = self.successor(node, *next - 1).expect("visited before");
                    if of[before] == usize::MAX {
                        low[node] = low[node].min(low[before]);
                    }
                }
                match self.successor(node, *next) {
                    Some(to) => {
                        *next += 1;
                        if low[to] == NEW {
                            stack.push((to, 0, count));
                        }
                    }
                    None => {
                        stack.pop();
                        if low[node] == number {
                            let at = open.iter().rposition(|&n| n == node).expect("still open");
                            let mut component = open.split_off(at);
                            component.iter().for_each(|&n| of[n] = members.len());
                            component.sort_unstable();
                            members.push(component);
                        }
                    }
                }
            }
        }
        Components { members, of }
    }

    /// The algorithm of Lengauer and Tarjan with path compression, O(m log n).
    pub fn dominators(&self, root: usize) -> Dominators {
        let dfs = self.depth_first([root]);
        let number = |node: usize| dfs.interval[node].map(|(first, _)| first as usize);
        let n = dfs.preorder.len();
        let reversed = self.reversed();
        // From here on nodes are called by their preorder number.
        let mut forest = Forest { ancestor: vec![None; n], label: (0..n).collect() };
        let mut semi: Vec<usize> = (0..n).collect();
        let mut idom = vec![0; n];
        let mut bucket: Vec<Vec<usize>> = vec![Vec::new(); n];
        for w in (1..n).rev() {
            for v in reversed.successors(dfs.preorder[w]).filter_map(number) {
                let u = forest.eval(v, &semi);
                semi[w] = semi[w].min(semi[u]);
            }
            bucket[semi[w]].push(w);
            let parent = dfs.parent[dfs.preorder[w]].and_then(number).expect("not the root");
            forest.ancestor[w] = Some(parent);
            for v in std::mem::take(&mut bucket[parent]) {
                let u = forest.eval(v, &semi);
                idom[v] = if semi[u] < semi[v] { u } else { parent };
            }
        }
        let mut result = vec![None; self.len()];
        for w in 1..n {
            if idom[w] != semi[w] {
                idom[w] = idom[idom[w]];
            }
            result[dfs.preorder[w]] = Some(dfs.preorder[idom[w]]);
        }
        Dominators::new(root, result)
    }
}

impl DepthFirst {
    fn enter(&mut self, node: usize) {
        let number = self.preorder.len() as u32;
        self.preorder.push(node);
        self.interval[node] = Some((number, u32::MAX));
    }

    fn leave(&mut self, node: usize) {
        self.postorder.push(node);
        let last = self.preorder.len() as u32 - 1;
        self.interval[node].as_mut().expect("entered before").1 = last;
    }

    pub fn reached(&self, node: usize) -> bool {
        self.interval[node].is_some()
    }

    /// Whether `above` is `below` or one of its ancestors in the forest.
    pub fn is_ancestor(&self, above: usize, below: usize) -> bool {
        match (self.interval[above], self.interval[below]) {
            (Some((first, last)), Some((number, _))) => first <= number && number <= last,
            _ => false,
        }
    }
}

impl Dominators {
    fn new(root: usize, idom: Vec<Option<usize>>) -> Dominators {
        let edges = idom.iter().enumerate().filter_map(|(n, d)| d.map(|d| (d, n)));
        let tree = Graph::new(idom.len(), &edges.collect::<Vec<_>>()).depth_first([root]);
        Dominators { idom, tree }
    }

    /// Whether every path from the root to `below` passes `above`; reflexive, false where either
    /// is unreachable.
    pub fn dominates(&self, above: usize, below: usize) -> bool {
        self.tree.is_ancestor(above, below)
    }
}

/// The forest of Lengauer and Tarjan's algorithm.
struct Forest {
    ancestor: Vec<Option<usize>>,
    label: Vec<usize>,
}

impl Forest {
    /// The node with the least semidominator on the way to the root of the tree, root excluded.
    fn eval(&mut self, v: usize, semi: &[usize]) -> usize {
        let mut path = Vec::new();
        let mut at = v;
        while let Some(above) = self.ancestor[at] {
            path.push(at);
            at = above;
        }
        // `at` is the root; compress from the top down.
        path.pop();
        while let Some(node) = path.pop() {
            let above = self.ancestor[node].expect("on the path");
            if semi[self.label[above]] < semi[self.label[node]] {
                self.label[node] = self.label[above];
            }
            self.ancestor[node] = self.ancestor[above];
        }
        self.label[v]
    }
}
