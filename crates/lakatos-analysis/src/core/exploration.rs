//! What refinement needs of whatever is explored.

use std::collections::BTreeSet;

use lakatos_ir::{LocId, ProcId};

use super::arg::{Arg, NodeId};
use super::domain::{Cx, Domain, Stop};
use super::explore::Explorer;
use crate::refine::{Act, Trace, unfold};

/// A graph of states that is explored until it has a target, and explored again where that was
/// none.
pub trait Exploration {
    type Domain: Domain;

    fn domain(&self) -> &Self::Domain;

    fn domain_mut(&mut self) -> &mut Self::Domain;

    fn arg(&self) -> &Arg<<Self::Domain as Domain>::State>;

    fn place(&self, node: NodeId) -> (ProcId, LocId) {
        let node = &self.arg().nodes[node];
        (node.proc, node.loc)
    }

    fn state(&self, node: NodeId) -> &<Self::Domain as Domain>::State {
        &self.arg().nodes[node].state
    }

    /// How many nodes were ever made.
    fn made(&self) -> usize {
        self.arg().nodes.len()
    }

    /// Goes on until a target is found; `None`: there is none. `go_on` is asked before every node.
    fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        go_on: &mut dyn FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Option<NodeId>, Stop>;

    /// The steps to a target; `None` if they are more than `limit`.
    fn unfold(&self, target: NodeId, limit: usize) -> Option<Vec<Act>>;

    /// Removes everything.
    fn restart(&mut self);

    /// Removes nodes with all that follows from them, so that they are made again.
    fn prune(&mut self, cx: &mut Cx<'_>, nodes: &[NodeId]) -> Result<(), Stop>;

    /// A run may lead through a node that stands for another one and knows less, which refinement
    /// cannot help. Where that may be so, nodes do not stand for others any more. Says whether
    /// there was any.
    fn tell_apart(&mut self, cx: &mut Cx<'_>, trace: &Trace) -> Result<bool, Stop>;

    /// Explores what was skipped at these nodes.
    fn forbid(&mut self, cx: &mut Cx<'_>, skipped: &[NodeId]) -> Result<(), Stop>;
}

impl<D: Domain> Exploration for Explorer<'_, D> {
    type Domain = D;

    fn domain(&self) -> &D {
        &self.domain
    }

    fn domain_mut(&mut self) -> &mut D {
        &mut self.domain
    }

    fn arg(&self) -> &Arg<D::State> {
        &self.arg
    }

    fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        go_on: &mut dyn FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Option<NodeId>, Stop> {
        Explorer::explore(self, cx, go_on)
    }

    fn unfold(&self, target: NodeId, limit: usize) -> Option<Vec<Act>> {
        unfold(&self.arg, target, limit)
    }

    fn restart(&mut self) {
        Explorer::restart(self);
    }

    fn prune(&mut self, cx: &mut Cx<'_>, nodes: &[NodeId]) -> Result<(), Stop> {
        Explorer::prune(self, cx, nodes)
    }

    /// A way that leads through a covered node goes on with what is known of its coverer.
    fn tell_apart(&mut self, cx: &mut Cx<'_>, trace: &Trace) -> Result<bool, Stop> {
        let nodes = &self.arg.nodes;
        let differ = |pair: &[NodeId]| nodes[pair[0]].state != nodes[pair[1]].state;
        let apart: BTreeSet<(ProcId, LocId)> = trace
            .positions
            .iter()
            .filter(|p| !self.covers_exactly(p.proc, p.loc))
            .filter(|p| p.nodes.windows(2).any(differ))
            .map(|p| (p.proc, p.loc))
            .collect();
        let any = !apart.is_empty();
        self.cover_exactly(cx, apart)?;
        Ok(any)
    }

    /// The pops of a counterexample that is feasible past them are undone, for good, with those
    /// of all frames above them.
    fn forbid(&mut self, cx: &mut Cx<'_>, skipped: &[NodeId]) -> Result<(), Stop> {
        let mut stacks: BTreeSet<_> = BTreeSet::new();
        for popped in skipped {
            let base = self.arg.stack(*popped);
            for (id, _) in self.arg.alive() {
                let stack = self.arg.stack(id);
                if self.arg.is_above(stack, base) {
                    stacks.insert(stack);
                }
            }
            stacks.insert(base);
        }
        Explorer::forbid(self, cx, stacks)
    }
}
