//! Exploration: expanding nodes until all are expanded, covered or popped, or one is a target
//! (algorithms 2.2 and 5.1 of the thesis).

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use lakatos_ir::{EdgeId, LocId, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arg::{Arg, FrameId, Node, NodeId, StackId, Status, Via};
use super::candidates::Candidates;
use super::domain::{Cx, Domain, Stop};
use super::exits::Exits;
use crate::semantics::Call;

/// What happens to a node that a node with another stack covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pop {
    /// It is explored.
    Off,
    /// The rest of its procedure may do anything that its mod-set allows.
    Havoc,
    /// The rest of its procedure does what it does there.
    #[default]
    Summary,
}

/// Which node is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    #[default]
    Bfs,
    Dfs,
    /// The node from which an error location is the fewest edges away.
    ErrorFirst,
}

/// A node that includes another one: with all that is below it on the stack, or its frame only.
struct Coverer {
    by: NodeId,
    full: bool,
}

/// A graph that is being explored.
#[derive(Debug)]
pub struct Explorer<'p, D: Domain> {
    pub domain: D,
    pub arg: Arg<D::State>,
    pub(super) program: &'p Program,
    pub(super) pop: Pop,
    search: Search,
    pub(super) waitlist: VecDeque<NodeId>,
    /// Nodes that may cover others.
    pub(super) expanded: FxHashMap<(ProcId, LocId), Candidates<D::Shape>>,
    pub(super) exits: Exits,
    /// Returns that exist: the node before the call, and the exit.
    pub(super) returns: FxHashSet<(NodeId, NodeId)>,
    /// Stacks that are not popped: the thesis' stack precision.
    pub(super) stacks: BTreeSet<StackId>,
    /// Locations at which nodes cover only those with an equal state.
    pub(super) exact: BTreeSet<(ProcId, LocId)>,
    distances: FxHashMap<(ProcId, LocId), u32>,
    /// How many nodes were ever popped.
    pub pops: u64,
}

impl<'p, D: Domain> Explorer<'p, D> {
    pub fn new(program: &'p Program, domain: D, pop: Pop, search: Search) -> Explorer<'p, D> {
        Explorer {
            domain,
            arg: Arg::default(),
            program,
            pop,
            search,
            waitlist: VecDeque::new(),
            expanded: FxHashMap::default(),
            exits: Exits::default(),
            returns: FxHashSet::default(),
            stacks: BTreeSet::new(),
            exact: BTreeSet::new(),
            distances: match search {
                Search::ErrorFirst => distances(program),
                _ => FxHashMap::default(),
            },
            pops: 0,
        }
    }

    /// Goes on until a target is found; `None`: the graph is complete, without one.
    /// `go_on` is asked before every node.
    pub fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        go_on: &mut dyn FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Option<NodeId>, Stop> {
        if self.arg.alive().next().is_none() {
            self.begin(cx)?;
        }
        while let Some(node) = self.next() {
            go_on(self.arg.nodes.len())?;
            if self.is_target(node) {
                self.arg.nodes[node].status = Status::Target;
                return Ok(Some(node));
            }
            let done = match self.coverer(cx, node)? {
                Some(by) => self.cover(cx, node, by),
                None => self.expand(cx, node),
            };
            if let Err(stop) = done {
                // Something may be missing that follows from it.
                self.reopen(node);
                return Err(stop);
            }
        }
        // There is none, unless a refinement left it behind.
        Ok(self.arg.alive().find(|(_, n)| n.status == Status::Target).map(|(id, _)| id))
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Result<(), Stop> {
        let proc = self.program.start;
        let state = self.domain.start(cx, proc)?;
        let entry = self.body(proc).entry;
        let frame = self.arg.push_frame(proc, None);
        self.add(proc, entry, frame, state, Via::Start);
        Ok(())
    }

    pub(super) fn body(&self, proc: ProcId) -> &'p lakatos_ir::Cfa {
        self.program.procs[proc].body.as_ref().expect("only bodies are explored")
    }

    fn next(&mut self) -> Option<NodeId> {
        loop {
            let node = match self.search {
                Search::Bfs => self.waitlist.pop_front()?,
                Search::Dfs => self.waitlist.pop_back()?,
                Search::ErrorFirst => self.nearest()?,
            };
            if self.arg.nodes[node].status == Status::Open {
                return Some(node);
            }
        }
    }

    fn nearest(&mut self) -> Option<NodeId> {
        let distance = |node: &NodeId| {
            let node = &self.arg.nodes[*node];
            self.distances.get(&(node.proc, node.loc)).copied().unwrap_or(u32::MAX)
        };
        let at = (0..self.waitlist.len()).min_by_key(|at| distance(&self.waitlist[*at]))?;
        self.waitlist.remove(at)
    }

    fn is_target(&self, node: NodeId) -> bool {
        let node = &self.arg.nodes[node];
        self.body(node.proc).locs[node.loc].error.is_some()
    }

    pub(super) fn add(
        &mut self,
        proc: ProcId,
        loc: LocId,
        frame: FrameId,
        state: D::State,
        via: Via,
    ) -> NodeId {
        let parent = via.parent();
        let node =
            Node { proc, loc, frame, state, via, status: Status::Open, children: Vec::new() };
        let id = self.arg.nodes.push(node);
        if let Some(parent) = parent {
            self.arg.nodes[parent].children.push(id);
        }
        self.waitlist.push_back(id);
        id
    }

    /// An expanded node at the same location whose state includes this one's.
    fn coverer(&mut self, cx: &mut Cx<'_>, id: NodeId) -> Result<Option<Coverer>, Stop> {
        let node = &self.arg.nodes[id];
        let Some(candidates) = self.expanded.get(&(node.proc, node.loc)) else { return Ok(None) };
        let same_stack_only = match self.pop {
            Pop::Off => true,
            Pop::Summary => false,
            // At the exit there is nothing left to skip.
            Pop::Havoc => {
                node.loc == self.body(node.proc).exit || self.stacks.contains(&self.arg.stack(id))
            }
        };
        let exact = self.exact.contains(&(node.proc, node.loc));
        for by in candidates.of(&self.domain, &node.state) {
            debug_assert_eq!(self.arg.nodes[by].status, Status::Expanded);
            let same_frame = self.arg.nodes[id].frame == self.arg.nodes[by].frame;
            if same_stack_only && !self.stack_covers(cx, by, id)? {
                continue;
            }
            let (a, b) = (self.arg.nodes[id].state.clone(), self.arg.nodes[by].state.clone());
            if a == b || (!exact && self.domain.covers(cx, &b, &a)?) {
                return Ok(Some(Coverer { by, full: same_frame || same_stack_only }));
            }
        }
        Ok(None)
    }

    /// Whether what is below `a` on the stack is included in what is below `b`.
    fn stack_covers(&mut self, cx: &mut Cx<'_>, b: NodeId, a: NodeId) -> Result<bool, Stop> {
        let (mut a, mut b) = (a, b);
        if self.arg.stack(a) != self.arg.stack(b) {
            return Ok(false);
        }
        while self.arg.nodes[a].frame != self.arg.nodes[b].frame {
            let (fa, fb) = (self.arg.nodes[a].frame, self.arg.nodes[b].frame);
            let (Some((na, _)), Some((nb, _))) =
                (&self.arg.frames[fa].call, &self.arg.frames[fb].call)
            else {
                return Ok(false);
            };
            (a, b) = (*na, *nb);
            let (sa, sb) = (self.arg.nodes[a].state.clone(), self.arg.nodes[b].state.clone());
            if a != b && !self.domain.covers(cx, &sb, &sa)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn cover(&mut self, cx: &mut Cx<'_>, node: NodeId, coverer: Coverer) -> Result<(), Stop> {
        let by = coverer.by;
        if coverer.full {
            self.arg.nodes[node].status = Status::Covered(by);
            return match self.pop {
                Pop::Summary => self.depend(cx, node, by),
                Pop::Off | Pop::Havoc => Ok(()),
            };
        }
        self.pops += 1;
        self.arg.nodes[node].status = Status::Popped(by);
        match self.pop {
            Pop::Summary => self.depend(cx, node, by),
            _ => self.skip(cx, node),
        }
    }

    /// The exits of `by` are exits of `node`.
    fn depend(&mut self, cx: &mut Cx<'_>, node: NodeId, by: NodeId) -> Result<(), Stop> {
        for (entry, exit) in self.exits.link(&self.arg, node, by) {
            self.leave(cx, entry, exit)?;
        }
        Ok(())
    }

    fn skip(&mut self, cx: &mut Cx<'_>, node: NodeId) -> Result<(), Stop> {
        let frame = self.arg.nodes[node].frame;
        let Some((call_node, call)) = self.arg.frames[frame].call.clone() else { return Ok(()) };
        let caller = self.arg.nodes[call_node].state.clone();
        for state in self.domain.skip(cx, &caller, &call)? {
            let to = self.body(call.caller).edges[call.edge].to;
            let frame = self.arg.nodes[call_node].frame;
            let via = Via::Skip { call_node, call: Rc::clone(&call), popped: node };
            self.add(call.caller, to, frame, state, via);
        }
        Ok(())
    }

    fn expand(&mut self, cx: &mut Cx<'_>, id: NodeId) -> Result<(), Stop> {
        let Node { proc, loc, .. } = self.arg.nodes[id];
        let body = self.body(proc);
        self.arg.nodes[id].status = Status::Expanded;
        let state = &self.arg.nodes[id].state;
        self.expanded.entry((proc, loc)).or_default().insert(&self.domain, state, id);
        if loc == body.exit {
            return self.reach_exit(cx, id);
        }
        for edge in &body.locs[loc].out {
            self.take(cx, id, *edge)?;
        }
        Ok(())
    }

    fn take(&mut self, cx: &mut Cx<'_>, id: NodeId, edge: EdgeId) -> Result<(), Stop> {
        let Node { proc, frame, ref state, .. } = self.arg.nodes[id];
        let state = state.clone();
        for callee in cx.semantics.entered(proc, edge) {
            let call = cx.semantics.call(&mut cx.terms, proc, edge, callee);
            for entry in self.domain.enter(cx, &state, &call)? {
                self.enter(id, &call, entry);
            }
        }
        if cx.semantics.stays(proc, edge) {
            let to = self.body(proc).edges[edge].to;
            for next in self.domain.post(cx, &state, proc, edge)? {
                self.add(proc, to, frame, next, Via::Step { from: id, edge });
            }
        }
        Ok(())
    }

    fn enter(&mut self, from: NodeId, call: &Rc<Call>, state: D::State) {
        let entry = self.body(call.callee).entry;
        let frame = self.arg.push_frame(call.callee, Some((from, Rc::clone(call))));
        self.add(call.callee, entry, frame, state, Via::Enter { from, call: Rc::clone(call) });
    }

    fn reach_exit(&mut self, cx: &mut Cx<'_>, exit: NodeId) -> Result<(), Stop> {
        let frame = self.arg.nodes[exit].frame;
        if self.arg.frames[frame].call.is_none() {
            return Ok(());
        }
        for entry in self.exits.add(&self.arg, exit) {
            self.leave(cx, entry, exit)?;
        }
        Ok(())
    }

    /// Returns from an exit to the call of an entry, unless that is done.
    pub(super) fn leave(
        &mut self,
        cx: &mut Cx<'_>,
        entry: NodeId,
        exit: NodeId,
    ) -> Result<(), Stop> {
        let frame = self.arg.nodes[entry].frame;
        let (call_node, call) = self.arg.frames[frame].call.clone().expect("entries were called");
        if !self.returns.insert((call_node, exit)) {
            return Ok(());
        }
        let way = self.exits.way(&self.arg, entry, exit);
        let (caller, end) =
            (self.arg.nodes[call_node].state.clone(), self.arg.nodes[exit].state.clone());
        for state in self.domain.rebuild(cx, &caller, &call, &end)? {
            let to = self.body(call.caller).edges[call.edge].to;
            let frame = self.arg.nodes[call_node].frame;
            let via = Via::Return { call_node, call: Rc::clone(&call), exit, way: Rc::clone(&way) };
            self.add(call.caller, to, frame, state, via);
        }
        Ok(())
    }
}

/// How many edges it is from a location to an error location, over calls and back if need be.
fn distances(program: &Program) -> FxHashMap<(ProcId, LocId), u32> {
    // Weights: an edge is one, entering a callee too. Relaxed until nothing changes.
    let mut distances = FxHashMap::default();
    for (proc, _, body) in program.defined() {
        for (loc, info) in body.locs.iter() {
            if info.error.is_some() {
                distances.insert((proc, loc), 0);
            }
        }
    }
    let calls = lakatos_ir::callgraph::CallGraph::new(program);
    loop {
        let mut changed = false;
        for (proc, _, body) in program.defined() {
            for (id, edge) in body.edges.iter().rev() {
                let entries = calls.targets(proc, id).iter().filter_map(|t| {
                    let entry = program.procs[*t].body.as_ref()?.entry;
                    distances.get(&(*t, entry))
                });
                let after = entries.chain(distances.get(&(proc, edge.to))).copied().min();
                if let Some(better) = after.map(|d: u32| d.saturating_add(1))
                    && distances.get(&(proc, edge.from)).is_none_or(|d| *d > better)
                {
                    distances.insert((proc, edge.from), better);
                    changed = true;
                }
            }
        }
        if !changed {
            return distances;
        }
    }
}
