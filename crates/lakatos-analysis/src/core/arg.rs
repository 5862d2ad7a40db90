//! The graph: nodes in an arena, each in a frame.

use std::rc::Rc;

use indexmap::IndexSet;
use lakatos_ir::{Arena, EdgeId, Id, LocId, ProcId, define_ids};
use rustc_hash::FxBuildHasher;

use crate::semantics::Call;

define_ids! {
    NodeId = "n";
    /// A frame of the graph: a call that was entered.
    FrameId = "frame";
    /// A stack of call edges, shared by all frames that have it.
    StackId = "stack";
}

#[derive(Clone, Debug)]
pub struct Node<S> {
    pub proc: ProcId,
    pub loc: LocId,
    pub frame: FrameId,
    pub state: S,
    pub via: Via,
    pub status: Status,
    pub children: Vec<NodeId>,
}

/// How a node was reached.
#[derive(Clone, Debug)]
pub enum Via {
    Start,
    Step {
        from: NodeId,
        edge: EdgeId,
    },
    /// Into a callee.
    Enter {
        from: NodeId,
        call: Rc<Call>,
    },
    /// Out of a callee: from a node before the call, and an exit. The way leads from the callee's
    /// entry to the exit, a node a step; where neighbours are no parent and child, the first is
    /// covered or popped by the second. All of it is older than this node.
    Return {
        call_node: NodeId,
        call: Rc<Call>,
        exit: NodeId,
        way: Rc<[NodeId]>,
    },
    /// Out of a block of the same procedure that has a graph of its own, from a node before it
    /// and an exit. The way is as for returns.
    Expand {
        from: NodeId,
        exit: NodeId,
        way: Rc<[NodeId]>,
    },
    /// Out of a callee whose rest was popped.
    Skip {
        call_node: NodeId,
        call: Rc<Call>,
        popped: NodeId,
    },
}

impl Via {
    /// The node whose child this makes.
    pub fn parent(&self) -> Option<NodeId> {
        match self {
            Via::Start => None,
            Via::Step { from, .. } | Via::Enter { from, .. } | Via::Expand { from, .. } => {
                Some(*from)
            }
            Via::Return { call_node, .. } | Via::Skip { call_node, .. } => Some(*call_node),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Open,
    Expanded,
    /// By a node of the same frame, or of an equal stack: what can happen here happens there.
    Covered(NodeId),
    /// By a node with the same location and another stack.
    Popped(NodeId),
    Target,
    Pruned,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub proc: ProcId,
    /// The node before the call, and the call; none for the start procedure.
    pub call: Option<(NodeId, Rc<Call>)>,
    pub entry: NodeId,
    pub stack: StackId,
}

/// The call edges under a frame: the innermost one, and the stack below it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pushed {
    below: Option<StackId>,
    /// None for the start procedure.
    call: Option<(ProcId, EdgeId)>,
}

/// An abstract reachability graph.
#[derive(Clone, Debug)]
pub struct Arg<S> {
    pub nodes: Arena<NodeId, Node<S>>,
    pub frames: Arena<FrameId, Frame>,
    stacks: IndexSet<Pushed, FxBuildHasher>,
}

impl<S> Default for Arg<S> {
    fn default() -> Self {
        Arg { nodes: Arena::new(), frames: Arena::new(), stacks: IndexSet::default() }
    }
}

impl<S> Arg<S> {
    pub fn is_alive(&self, node: NodeId) -> bool {
        self.nodes[node].status != Status::Pruned
    }

    /// The nodes that are part of the graph, in the order they were made.
    pub fn alive(&self) -> impl Iterator<Item = (NodeId, &Node<S>)> + '_ {
        self.nodes.iter().filter(|(_, n)| n.status != Status::Pruned)
    }

    /// A new frame whose entry is the next node.
    pub fn push_frame(&mut self, proc: ProcId, call: Option<(NodeId, Rc<Call>)>) -> FrameId {
        let pushed = Pushed {
            below: call.as_ref().map(|(node, _)| self.stack(*node)),
            call: call.as_ref().map(|(_, call)| (call.caller, call.edge)),
        };
        let stack = StackId::from_index(self.stacks.insert_full(pushed).0);
        self.frames.push(Frame { proc, call, entry: self.nodes.next_id(), stack })
    }

    /// The call edges under a node.
    pub fn stack(&self, node: NodeId) -> StackId {
        self.frames[self.nodes[node].frame].stack
    }

    /// Whether a stack is `base` or has it as its lower part.
    pub fn is_above(&self, stack: StackId, base: StackId) -> bool {
        let mut at = Some(stack);
        while let Some(stack) = at {
            if stack == base {
                return true;
            }
            at = self.stacks[stack.index()].below;
        }
        false
    }
}
