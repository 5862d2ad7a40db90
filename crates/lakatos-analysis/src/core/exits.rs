//! Exits of procedures: which entries lead to an exit, in its own frame or by nodes that are
//! covered or popped by one of its frame (DESIGN.md 6.1). A call returns from every exit that its
//! callee's entry leads to.
//!
//! All of a frame is reached from its own entry, which needs no record. What else leads there
//! arrives at a node that covers or has popped others, and is kept at that node only.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use lakatos_ir::Id;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::arg::{Arg, FrameId, NodeId, Via};

#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    frames: FxHashMap<FrameId, Inside>,
    /// For a node, entries of other frames that lead to it, each with the node that it covers or
    /// has popped on the way. None of them leads to a node before it, when it is recorded: the
    /// nearest record is the oldest.
    arrivals: FxHashMap<NodeId, IndexMap<NodeId, NodeId, FxBuildHasher>>,
}

/// What is known of a frame.
#[derive(Clone, Debug, Default)]
struct Inside {
    exits: Vec<NodeId>,
    /// Nodes that are covered or popped, and by which node.
    covered: Vec<(NodeId, NodeId)>,
    /// Entries of other frames lead into it.
    has_arrivals: bool,
}

type Entries = IndexSet<NodeId, FxBuildHasher>;

/// A node and those before it in its frame, the nearest first.
fn before<S>(arg: &Arg<S>, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(node), |at| match &arg.nodes[*at].via {
        Via::Enter { .. } => None,
        via => via.parent(),
    })
}

fn is_before<S>(arg: &Arg<S>, first: NodeId, node: NodeId) -> bool {
    // Children are younger.
    arg.frames[arg.nodes[first].frame].entry == first
        || before(arg, node).take_while(|at| at.index() >= first.index()).any(|at| at == first)
}

impl Exits {
    pub fn clear(&mut self) {
        *self = Exits::default();
    }

    /// A node at its procedure's exit. Gives the entries that lead to it.
    pub fn add<S>(&mut self, arg: &Arg<S>, exit: NodeId) -> Vec<NodeId> {
        self.frames.entry(arg.nodes[exit].frame).or_default().exits.push(exit);
        let mut entries: Vec<NodeId> = self.entries(arg, exit).into_iter().collect();
        entries.sort_unstable_by_key(|n| n.index());
        entries
    }

    /// `node` is covered or popped by `by`. Gives pairs of an entry and an exit that it newly
    /// leads to.
    pub fn link<S>(&mut self, arg: &Arg<S>, node: NodeId, by: NodeId) -> Vec<(NodeId, NodeId)> {
        self.frames.entry(arg.nodes[node].frame).or_default().covered.push((node, by));
        let mut found = Vec::new();
        let mut open = VecDeque::from([(node, by, self.entries(arg, node))]);
        while let Some((from, to, mut entries)) = open.pop_front() {
            let known = self.entries(arg, to);
            entries.retain(|entry| !known.contains(entry));
            if entries.is_empty() {
                continue;
            }
            self.arrivals.entry(to).or_default().extend(entries.iter().map(|e| (*e, from)));
            let inside = self.frames.entry(arg.nodes[to].frame).or_default();
            inside.has_arrivals = true;
            for exit in inside.exits.iter().filter(|exit| is_before(arg, to, **exit)) {
                found.extend(entries.iter().map(|entry| (*entry, *exit)));
            }
            for (covered, by) in inside.covered.iter().filter(|(c, _)| is_before(arg, to, *c)) {
                open.push_back((*covered, *by, entries.clone()));
            }
        }
        found
    }

    /// The entries that lead to a node.
    fn entries<S>(&self, arg: &Arg<S>, node: NodeId) -> Entries {
        let mut entries = Entries::default();
        let id = arg.nodes[node].frame;
        let frame = &arg.frames[id];
        if frame.call.is_some() {
            entries.insert(frame.entry);
        }
        if self.frames.get(&id).is_some_and(|inside| inside.has_arrivals) {
            let arrivals = before(arg, node).filter_map(|at| self.arrivals.get(&at));
            entries.extend(arrivals.flat_map(IndexMap::keys).copied());
        }
        entries
    }

    /// The nodes from an entry to an exit that it leads to. From its own frame it is the way that
    /// made the exit, which explains its state; a way through a covered node need not.
    pub fn way<S>(&self, arg: &Arg<S>, entry: NodeId, exit: NodeId) -> Rc<[NodeId]> {
        let mut way = Vec::new();
        let mut next = Some(exit);
        while let Some(last) = next.take() {
            let own = arg.frames[arg.nodes[last].frame].entry == entry;
            for at in before(arg, last) {
                way.push(at);
                let arrived = self.arrivals.get(&at).and_then(|from| from.get(&entry));
                if !own && let Some(from) = arrived {
                    next = Some(*from);
                    break;
                }
            }
        }
        assert_eq!(way.last(), Some(&entry), "the entry leads to the exit");
        way.reverse();
        way.into()
    }
}
