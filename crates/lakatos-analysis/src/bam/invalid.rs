//! What goes when the precision has grown: the nodes that were made with less than their location
//! has now, and all that follows from them. What is left is what an exploration from the start
//! would find again. Runs stay in the cache when nobody uses them any more.

use std::collections::VecDeque;

use lakatos_ir::Id;

use super::{Bam, Cache, RunId};
use crate::core::{Domain, NodeId, Status, Via};

impl<D: Domain> Bam<'_, D> {
    /// Removes nodes with all that follows from them; they are made again when their place is
    /// explored.
    pub(super) fn invalidate(&mut self, nodes: &[NodeId]) {
        for node in nodes {
            self.remove_for_exploration(*node);
        }
        // A more aggressive cache keeps what is older than the precision.
        if self.cache_mode != Cache::Aggressive {
            for node in self.outdated() {
                self.remove_for_exploration(node);
            }
        }
        self.uncover();
        self.settle();
    }

    fn outdated(&self) -> Vec<NodeId> {
        self.arg
            .alive()
            .filter(|(id, node)| {
                let stamp = self.stamps[id.index()];
                stamp != self.domain.stamp(node.proc, node.loc)
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// Removes a node so that it is made again, if it is needed.
    fn remove_for_exploration(&mut self, node: NodeId) {
        if !self.arg.is_alive(node) {
            return;
        }
        match self.arg.nodes[node].via {
            Via::Start => self.remove_run(self.run_of(node)),
            ref via => {
                let parent = via.parent().expect("only the start has none");
                self.reopen(parent);
            }
        }
    }

    fn remove_run(&mut self, run: RunId) {
        self.counts.removed += 1;
        let users: Vec<NodeId> = self.runs[run].uses.iter().map(|used| used.input).collect();
        let key = (self.runs[run].block, self.runs[run].input.clone());
        if self.cache.get(&key) == Some(&run) {
            self.cache.remove(&key);
        }
        self.remove(self.runs[run].root);
        for input in users {
            let from = self.entered_from(input);
            self.reopen(from);
        }
        if self.main == Some(run) {
            self.main = None;
        }
    }

    /// A node is to be explored again: what follows from it goes.
    fn reopen(&mut self, node: NodeId) {
        if !self.arg.is_alive(node) {
            return;
        }
        for child in self.arg.nodes[node].children.clone() {
            self.remove(child);
        }
        // What removing has taken with it may lead back here.
        if self.arg.is_alive(node) {
            self.retract(node);
            self.arg.nodes[node].status = Status::Open;
            let run = self.run_of(node);
            self.runs[run].open.push_back(node);
        }
    }

    /// Removes a node with all that follows from it, in other runs as well.
    fn remove(&mut self, root: NodeId) {
        if let Some(parent) = self.arg.nodes[root].via.parent() {
            self.arg.nodes[parent].children.retain(|child| *child != root);
        }
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if self.arg.is_alive(node) {
                open.extend(self.retract(node));
                self.arg.nodes[node].status = Status::Pruned;
                open.append(&mut self.arg.nodes[node].children);
            }
        }
    }

    /// The node covers nothing any more, uses no run, and is no exit. Gives the nodes that follow
    /// from it as an exit.
    fn retract(&mut self, node: NodeId) -> Vec<NodeId> {
        self.unlist(node);
        let owner = self.owner(node);
        if let Some(used) = self.runs[owner].callees.shift_remove(&node) {
            self.runs[used].uses.retain(|one| one.input != node);
        }
        let Some(at) = self.runs[owner].exits.iter().position(|exit| *exit == node) else {
            return Vec::new();
        };
        self.runs[owner].exits.remove(at);
        let mut after = Vec::new();
        for used in &self.runs[owner].uses {
            let parent = self.entered_from(used.input);
            let follows = |child: &NodeId| match self.arg.nodes[*child].via {
                Via::Return { exit, .. } | Via::Expand { exit, .. } => exit == node,
                _ => false,
            };
            after.extend(self.arg.nodes[parent].children.iter().copied().filter(follows));
        }
        after
    }

    pub(super) fn unlist(&mut self, node: NodeId) {
        let info = &self.arg.nodes[node];
        if matches!(info.via, Via::Enter { .. }) {
            return;
        }
        let run = self.of_frame[&info.frame];
        if let Some(listed) = self.runs[run].expanded.get_mut(&info.loc) {
            listed.remove(&self.domain, &info.state, node);
        }
    }

    /// Nodes whose coverer is gone are open again.
    fn uncover(&mut self) {
        let uncovered: Vec<NodeId> = self
            .arg
            .alive()
            .filter(|(_, node)| match node.status {
                Status::Covered(by) => self.arg.nodes[by].status != Status::Expanded,
                _ => false,
            })
            .map(|(id, _)| id)
            .collect();
        for node in uncovered {
            self.arg.nodes[node].status = Status::Open;
            let run = self.run_of(node);
            self.runs[run].open.push_back(node);
        }
    }

    /// Which runs are part of the graph, and which of them have to be explored.
    fn settle(&mut self) {
        let arg = &self.arg;
        let is_used = |input: NodeId| matches!(arg.nodes[input].status, Status::Popped(_));
        self.pending.retain(|(input, exit)| is_used(*input) && arg.is_alive(*exit));
        for (_, run) in self.runs.iter_mut() {
            (run.live, run.waits) = (false, false);
            run.open.retain(|node| arg.nodes[*node].status == Status::Open);
        }
        self.stack.clear();
        self.ready.clear();
        let mut open: VecDeque<RunId> = self.main.into_iter().collect();
        while let Some(run) = open.pop_front() {
            if !std::mem::replace(&mut self.runs[run].live, true) {
                if !self.runs[run].open.is_empty() {
                    self.runs[run].waits = true;
                    self.stack.push(run);
                }
                open.extend(self.runs[run].callees.values());
            }
        }
        if self.cache_mode == Cache::Off {
            self.remove_unused();
        }
    }

    fn remove_unused(&mut self) {
        let unused: Vec<RunId> = self
            .runs
            .iter()
            .filter(|(id, run)| !run.live && self.is_alive(*id))
            .map(|(id, _)| id)
            .collect();
        for run in unused {
            self.remove(self.runs[run].root);
        }
    }
}
