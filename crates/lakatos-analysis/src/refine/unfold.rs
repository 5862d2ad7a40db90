//! An abstract counterexample as the steps of a run: returns from summaries are unfolded into the
//! callee's steps, so calls and returns match. Deep calls of the program are a long list here.

use std::rc::Rc;

use lakatos_ir::{EdgeId, ProcId};

use lakatos_logic::term::Symbol;

use crate::core::{Arg, NodeId, Via};
use crate::semantics::{Call, Transition};

/// A step, with the node that it leads to.
#[derive(Clone, Debug)]
pub enum Act {
    Step {
        proc: ProcId,
        edge: EdgeId,
        to: NodeId,
    },
    /// A step that is no edge: a way through a block, or several turns of a loop, whose number is
    /// `times` in the formula.
    Along {
        transition: Rc<Transition>,
        times: Option<Symbol>,
        to: NodeId,
    },
    /// Into a callee that the run does not leave.
    Enter {
        call: Rc<Call>,
        to: NodeId,
    },
    /// Into a callee that the run leaves by the [`Act::Return`] that matches.
    Call {
        call: Rc<Call>,
        to: NodeId,
    },
    /// Back in the caller.
    Return {
        to: NodeId,
    },
    /// Past a callee of which nothing is known.
    Skip {
        call: Rc<Call>,
        popped: NodeId,
        to: NodeId,
    },
    /// From a node to one that stands for it: nothing happens.
    Jump {
        to: NodeId,
    },
}

/// What a way to be unfolded is made of.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Act(Act),
    /// The last step to a node, whatever that is.
    To(NodeId),
}

/// The acts of a way; `None` if they are more than `limit`. `parts` says what the last step to a
/// node is made of, in order.
pub(crate) fn acts(
    way: Vec<Part>,
    limit: usize,
    mut parts: impl FnMut(NodeId) -> Vec<Part>,
) -> Option<Vec<Act>> {
    let mut left = limit;
    let mut acts = Vec::new();
    let mut open = way;
    open.reverse();
    while let Some(part) = open.pop() {
        match part {
            Part::Act(act) => acts.push(act),
            Part::To(node) => {
                left = left.checked_sub(1)?;
                open.extend(parts(node).into_iter().rev());
            }
        }
    }
    Some(acts)
}

/// The steps to a node; `None` if they are more than `limit`.
pub fn unfold<S>(arg: &Arg<S>, target: NodeId, limit: usize) -> Option<Vec<Act>> {
    let before = |at: &NodeId| arg.nodes[*at].via.parent();
    let mut way: Vec<Part> = std::iter::successors(Some(target), before).map(Part::To).collect();
    // Nothing leads to the start.
    way.pop();
    way.reverse();
    acts(way, limit, |node| parts(arg, node))
}

/// How a node was reached from its parent.
pub(crate) fn parts<S>(arg: &Arg<S>, to: NodeId) -> Vec<Part> {
    let node = &arg.nodes[to];
    let act = match &node.via {
        Via::Start => unreachable!("the start has no parent"),
        Via::Step { edge, .. } => Act::Step { proc: node.proc, edge: *edge, to },
        Via::Enter { call, .. } => Act::Enter { call: Rc::clone(call), to },
        Via::Skip { call, popped, .. } => Act::Skip { call: Rc::clone(call), popped: *popped, to },
        Via::Return { call, way, .. } => {
            let enter = Part::Act(Act::Call { call: Rc::clone(call), to: way[0] });
            let leave = Part::Act(Act::Return { to });
            return std::iter::once(enter).chain(inside(arg, way)).chain([leave]).collect();
        }
        Via::Expand { way, .. } => {
            return inside(arg, way).chain([Part::Act(Act::Jump { to })]).collect();
        }
    };
    vec![Part::Act(act)]
}

/// A way without its first node.
fn inside<'a, S>(arg: &'a Arg<S>, way: &'a [NodeId]) -> impl Iterator<Item = Part> + 'a {
    way.windows(2).map(|pair| match arg.nodes[pair[1]].via.parent() == Some(pair[0]) {
        true => Part::To(pair[1]),
        false => Part::Act(Act::Jump { to: pair[1] }),
    })
}
