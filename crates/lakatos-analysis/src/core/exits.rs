//! Exits of nodes: which exits of its procedure a node may come to, in its own frame or by the
//! nodes that cover or pop it (DESIGN.md 6.1). A call returns from every exit of its callee's
//! entry.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::IndexMap;
use lakatos_ir::Id;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::arg::{Arg, NodeId, Via};

/// For each node, its exits with the next node on the way there.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    of: FxHashMap<NodeId, IndexMap<NodeId, NodeId, FxBuildHasher>>,
    /// The nodes that a node covers or has popped.
    dependents: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Exits {
    pub fn clear(&mut self) {
        *self = Exits::default();
    }

    /// A node at its procedure's exit. Gives the entries that have it as a new exit.
    pub fn add<S>(&mut self, arg: &Arg<S>, exit: NodeId) -> Vec<NodeId> {
        self.spread(arg, exit, exit, exit)
    }

    /// `node` is covered or popped by `by`. Gives pairs of an entry and a new exit of it.
    pub fn link<S>(&mut self, arg: &Arg<S>, node: NodeId, by: NodeId) -> Vec<(NodeId, NodeId)> {
        self.dependents.entry(by).or_default().push(node);
        let exits: Vec<NodeId> =
            self.of.get(&by).map(|e| e.keys().copied().collect()).unwrap_or_default();
        let mut found = Vec::new();
        for exit in exits {
            found.extend(self.spread(arg, exit, node, by).into_iter().map(|entry| (entry, exit)));
        }
        found
    }

    /// Tells a node, and all before it, of an exit. Parents come first: the way that made an exit
    /// explains its state, which a way through a covered node need not.
    fn spread<S>(
        &mut self,
        arg: &Arg<S>,
        exit: NodeId,
        first: NodeId,
        next: NodeId,
    ) -> Vec<NodeId> {
        let mut entries = Vec::new();
        let mut open = VecDeque::from([(first, next)]);
        while let Some((node, next)) = open.pop_front() {
            let exits = self.of.entry(node).or_default();
            if exits.contains_key(&exit) {
                continue;
            }
            exits.insert(exit, next);
            match &arg.nodes[node].via {
                Via::Start => {}
                Via::Enter { .. } => entries.push(node),
                via => via.parent().into_iter().for_each(|parent| open.push_front((parent, node))),
            }
            let dependents = self.dependents.get(&node).into_iter().flatten();
            open.extend(dependents.map(|d| (*d, node)));
        }
        entries.sort_unstable_by_key(|n| n.index());
        entries
    }

    /// The nodes from a node to one of its exits.
    pub fn way(&self, node: NodeId, exit: NodeId) -> Rc<[NodeId]> {
        let mut way = vec![node];
        let mut at = node;
        while at != exit {
            at = self.of[&at][&exit];
            way.push(at);
        }
        way.into()
    }
}
