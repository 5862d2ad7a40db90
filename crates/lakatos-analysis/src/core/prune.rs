//! Pruning: parts of the graph go, with everything that rests on them (algorithms 2.3 and 5.2 of
//! the thesis).

use lakatos_ir::{Id, LocId, ProcId};
use rustc_hash::FxHashSet;

use super::arg::{NodeId, StackId, Status, Via};
use super::domain::{Cx, Domain, Stop};
use super::explore::{Explorer, Pop};

impl<D: Domain> Explorer<'_, D> {
    /// Removes nodes with all that follows from them, and opens what is to be explored again.
    pub fn prune(&mut self, cx: &mut Cx<'_>, roots: &[NodeId]) -> Result<(), Stop> {
        for root in roots {
            if self.arg.is_alive(*root) {
                self.remove_for_exploration(*root);
            }
        }
        self.settle();
        self.reconnect(cx)
    }

    /// Removes everything.
    pub fn restart(&mut self) {
        for (_, node) in self.arg.nodes.iter_mut() {
            node.status = Status::Pruned;
            node.children.clear();
        }
        self.expanded.clear();
        self.exits.clear();
        self.returns.clear();
        self.waitlist.clear();
    }

    /// These stacks are not popped any more; nodes that were popped with them are explored.
    pub fn forbid(
        &mut self,
        cx: &mut Cx<'_>,
        stacks: impl IntoIterator<Item = StackId>,
    ) -> Result<(), Stop> {
        self.stacks.extend(stacks);
        let popped: Vec<NodeId> = self
            .arg
            .alive()
            .filter(|(id, n)| {
                matches!(n.status, Status::Popped(_)) && self.stacks.contains(&self.arg.stack(*id))
            })
            .map(|(id, _)| id)
            .collect();
        for node in popped {
            self.arg.nodes[node].status = Status::Open;
        }
        self.settle();
        self.reconnect(cx)
    }

    /// At these locations, nodes cover only those with an equal state from now on.
    pub fn cover_exactly(
        &mut self,
        cx: &mut Cx<'_>,
        locs: impl IntoIterator<Item = (ProcId, LocId)>,
    ) -> Result<(), Stop> {
        self.exact.extend(locs);
        let loosely: Vec<NodeId> = self
            .arg
            .alive()
            .filter(|(_, n)| match n.status {
                Status::Covered(by) | Status::Popped(by) => {
                    self.exact.contains(&(n.proc, n.loc)) && n.state != self.arg.nodes[by].state
                }
                _ => false,
            })
            .map(|(id, _)| id)
            .collect();
        for node in loosely {
            self.arg.nodes[node].status = Status::Open;
        }
        self.settle();
        self.reconnect(cx)
    }

    /// Whether only equal states cover at a location.
    pub fn covers_exactly(&self, proc: ProcId, loc: LocId) -> bool {
        self.exact.contains(&(proc, loc))
    }

    /// Removes a node so that it will be made anew.
    fn remove_for_exploration(&mut self, root: NodeId) {
        match self.arg.nodes[root].via {
            Via::Start => self.restart(),
            // Successors are made all at once.
            Via::Step { from, .. } | Via::Enter { from, .. } => {
                for child in self.arg.nodes[from].children.clone() {
                    self.remove(child);
                }
                self.reopen(from);
            }
            Via::Return { .. } => self.remove(root),
            Via::Expand { .. } => unreachable!("blocks have a graph of their own elsewhere"),
            Via::Skip { popped, .. } => {
                self.remove(root);
                self.reopen(popped);
            }
        }
    }

    fn remove(&mut self, root: NodeId) {
        if let Some(parent) = self.arg.nodes[root].via.parent() {
            self.arg.nodes[parent].children.retain(|c| *c != root);
        }
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            self.unlist(id);
            let node = &mut self.arg.nodes[id];
            node.status = Status::Pruned;
            open.append(&mut node.children);
        }
    }

    pub(super) fn reopen(&mut self, id: NodeId) {
        if self.arg.is_alive(id) {
            self.unlist(id);
            self.arg.nodes[id].status = Status::Open;
        }
    }

    /// The node covers nothing any more.
    fn unlist(&mut self, id: NodeId) {
        let node = &self.arg.nodes[id];
        if node.status == Status::Expanded
            && let Some(listed) = self.expanded.get_mut(&(node.proc, node.loc))
        {
            listed.remove(&self.domain, &node.state, id);
        }
    }

    /// Removes what rested on nodes that are gone or open again, until nothing does.
    fn settle(&mut self) {
        loop {
            let mut broken = Vec::new();
            let mut uncovered = Vec::new();
            for (id, node) in self.arg.alive() {
                match node.status {
                    Status::Covered(by) | Status::Popped(by)
                        if self.arg.nodes[by].status != Status::Expanded =>
                    {
                        uncovered.push(id);
                    }
                    _ => {}
                }
                match &node.via {
                    Via::Return { way, .. } if !self.leads(way) => broken.push(id),
                    Via::Skip { popped, .. } if !self.is_popped(*popped) => broken.push(id),
                    _ => {}
                }
            }
            if broken.is_empty() && uncovered.is_empty() {
                return;
            }
            for node in uncovered {
                self.reopen(node);
            }
            for node in broken {
                if self.arg.is_alive(node) {
                    self.remove(node);
                }
            }
        }
    }

    fn is_popped(&self, node: NodeId) -> bool {
        matches!(self.arg.nodes[node].status, Status::Popped(_))
    }

    /// Whether a way from an entry to an exit still exists.
    fn leads(&self, way: &[NodeId]) -> bool {
        let exit = *way.last().expect("a way has an end");
        let linked = |pair: &[NodeId]| {
            let (a, b) = (pair[0], pair[1]);
            self.arg.is_alive(b)
                && match self.arg.nodes[a].status {
                    Status::Covered(by) | Status::Popped(by) => by == b,
                    Status::Pruned => false,
                    _ => self.arg.nodes[b].via.parent() == Some(a),
                }
        };
        way.windows(2).all(linked) && self.arg.nodes[exit].status == Status::Expanded
    }

    /// Finds exits and open nodes anew; makes returns that are missing.
    fn reconnect(&mut self, cx: &mut Cx<'_>) -> Result<(), Stop> {
        self.exits.clear();
        self.returns = FxHashSet::default();
        let mut exits = Vec::new();
        for (id, node) in self.arg.alive() {
            if let Via::Return { call_node, exit, .. } = node.via {
                self.returns.insert((call_node, exit));
            }
            match node.status {
                Status::Covered(by) | Status::Popped(by) if self.pop == Pop::Summary => {
                    self.exits.link(&self.arg, id, by);
                }
                Status::Expanded if node.loc == self.body(node.proc).exit => exits.push(id),
                _ => {}
            }
        }
        for exit in exits {
            if self.arg.frames[self.arg.nodes[exit].frame].call.is_some() {
                for entry in self.exits.add(&self.arg, exit) {
                    self.leave(cx, entry, exit)?;
                }
            }
        }
        let mut open: Vec<NodeId> =
            self.arg.alive().filter(|(_, n)| n.status == Status::Open).map(|(id, _)| id).collect();
        open.sort_unstable_by_key(|n| n.index());
        self.waitlist = open.into();
        Ok(())
    }
}
