//! An abstract counterexample as the steps of a run: returns from summaries are unfolded into the
//! callee's steps, so calls and returns match.

use std::rc::Rc;

use lakatos_ir::{EdgeId, ProcId};

use crate::core::{Arg, NodeId, Via};
use crate::semantics::Call;

/// A step, with the node that it leads to.
#[derive(Clone, Debug)]
pub enum Act {
    Step {
        proc: ProcId,
        edge: EdgeId,
        to: NodeId,
    },
    /// Into a callee that the run does not leave.
    Enter {
        call: Rc<Call>,
        to: NodeId,
    },
    /// Through a callee: its entry, its steps, back in the caller.
    Call {
        call: Rc<Call>,
        entry: NodeId,
        inside: Vec<Act>,
        to: NodeId,
    },
    /// Past a callee of which nothing is known.
    Skip {
        call: Rc<Call>,
        popped: NodeId,
        to: NodeId,
    },
    /// From a node to the one that covers or popped it: nothing happens.
    Jump {
        to: NodeId,
    },
}

/// The steps to a node; `None` if they are more than `limit`.
pub fn unfold<S>(arg: &Arg<S>, target: NodeId, limit: usize) -> Option<Vec<Act>> {
    let mut left = limit;
    let mut acts = Vec::new();
    let mut at = target;
    while let Some(parent) = arg.nodes[at].via.parent() {
        acts.push(act(arg, at, &mut left)?);
        at = parent;
    }
    acts.reverse();
    Some(acts)
}

/// How a node was reached from its parent.
fn act<S>(arg: &Arg<S>, to: NodeId, left: &mut usize) -> Option<Act> {
    *left = left.checked_sub(1)?;
    let node = &arg.nodes[to];
    Some(match &node.via {
        Via::Start => unreachable!("the start has no parent"),
        Via::Step { edge, .. } => Act::Step { proc: node.proc, edge: *edge, to },
        Via::Enter { call, .. } => Act::Enter { call: Rc::clone(call), to },
        Via::Skip { call, popped, .. } => Act::Skip { call: Rc::clone(call), popped: *popped, to },
        Via::Return { call, way, .. } => {
            let mut inside = Vec::new();
            for pair in way.windows(2) {
                inside.push(match arg.nodes[pair[1]].via.parent() == Some(pair[0]) {
                    true => act(arg, pair[1], left)?,
                    false => Act::Jump { to: pair[1] },
                });
            }
            Act::Call { call: Rc::clone(call), entry: way[0], inside, to }
        }
    })
}
