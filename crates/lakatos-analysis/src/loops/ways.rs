//! The ways once around a loop, each with one way through every block and every callee on it, and
//! past inner loops: with no turn of them, or with as many as one of their ways takes.

use std::rc::Rc;

use lakatos_ir::loops::{LoopId, Loops};
use lakatos_ir::{Cfa, Edge, EdgeId, Id, Instr, LocId, ProcId, Region};
use lakatos_logic::term::Term;

use super::count::some_turns;
use super::turn::turns;
use crate::core::{Cx, NodeId};
use crate::refine::Act;

/// A loop with more ways than this is not looked at.
const MOST_WAYS: usize = 16;
/// Steps that are looked at on the search for them.
const MOST_STEPS: usize = 1_000;
/// Callees in callees.
const MOST_CALLS: usize = 4;

/// A way around a loop. The nodes of its acts are numbers of places.
#[derive(Debug)]
pub(super) struct Way {
    pub acts: Vec<Act>,
    places: Rc<[(ProcId, LocId)]>,
}

impl Way {
    pub fn place(&self, node: NodeId) -> (ProcId, LocId) {
        self.places[node.index()]
    }
}

/// `None`: there are too many, or there is no natural loop with this head. The loop is in the last
/// of the procedures, the others are being walked through already: what calls one of them again has
/// no end.
pub(super) fn ways(cx: &mut Cx<'_>, callers: &[ProcId], head: LocId) -> Option<Vec<Way>> {
    let proc = *callers.last()?;
    let body = cx.semantics.program.procs[proc].body.as_ref()?;
    let loops = Loops::new(body);
    let inside = loops.headed_by(head)?;
    let mut walk = Walk { cx, places: Vec::new(), callers: callers.to_vec(), left: MOST_STEPS };
    let found = walk.between(proc, head, head, Some((&loops, inside)))?;
    let places: Rc<[(ProcId, LocId)]> = walk.places.into();
    Some(found.into_iter().map(|acts| Way { acts, places: Rc::clone(&places) }).collect())
}

struct Walk<'a, 'p> {
    cx: &'a mut Cx<'p>,
    places: Vec<(ProcId, LocId)>,
    /// The procedures that are being walked through.
    callers: Vec<ProcId>,
    left: usize,
}

impl Walk<'_, '_> {
    fn node(&mut self, proc: ProcId, loc: LocId) -> NodeId {
        self.places.push((proc, loc));
        NodeId::from_index(self.places.len() - 1)
    }

    /// The ways from a location to another one without a cycle, within a loop if one is given.
    fn between(
        &mut self,
        proc: ProcId,
        from: LocId,
        to: LocId,
        within: Option<(&Loops, LoopId)>,
    ) -> Option<Vec<Vec<Act>>> {
        let program = self.cx.semantics.program;
        let body = program.procs[proc].body.as_ref().expect("it is walked through");
        let loops = Loops::new(body);
        let mut found = Vec::new();
        let mut open: Vec<(Vec<Act>, Vec<LocId>)> = vec![(Vec::new(), vec![from])];
        while let Some((acts, passed)) = open.pop() {
            let at = *passed.last().expect("where it begins");
            for edge in body.locs[at].out.iter().rev().copied() {
                let next = body.edges[edge].to;
                let outside = within.is_some_and(|(loops, id)| !loops.contains(id, next));
                if outside || is_end(body, next, to) || (next != to && passed.contains(&next)) {
                    continue;
                }
                for step in self.steps(proc, edge)? {
                    self.left = self.left.checked_sub(1)?;
                    let way = [acts.as_slice(), step.as_slice()].concat();
                    if next == to {
                        found.push(way);
                        continue;
                    }
                    let passed = [passed.as_slice(), &[next]].concat();
                    for inner in self.inner(proc, next, &loops) {
                        open.push(([way.as_slice(), &[inner]].concat(), passed.clone()));
                    }
                    open.push((way, passed));
                }
                if found.len() + open.len() > MOST_WAYS {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// All turns at once of an inner loop, if there is one at a location, for each of its ways.
    fn inner(&mut self, proc: ProcId, head: LocId, loops: &Loops) -> Vec<Act> {
        if loops.headed_by(head).is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for turn in turns(self.cx, &self.callers, head) {
            if let Some(transition) = some_turns(self.cx, &turn) {
                let to = self.node(proc, head);
                found.push(Act::Along { transition: Rc::new(transition), times: None, to });
            }
        }
        found
    }

    /// The ways along an edge.
    fn steps(&mut self, proc: ProcId, edge: EdgeId) -> Option<Vec<Vec<Act>>> {
        let program = self.cx.semantics.program;
        let body = program.procs[proc].body.as_ref().expect("it is walked through");
        let to = body.edges[edge].to;
        let mut found = Vec::new();
        if let Instr::Block(region) = &body.edges[edge].instr {
            for way in through(region)? {
                let (cx, span) = (&mut *self.cx, body.edges[edge].span);
                let instr = Instr::Block(Box::new(way));
                let transition = cx.semantics.instruction(&mut cx.terms, proc, instr, span);
                if transition.formula != Term::FALSE {
                    let transition = Rc::new(transition);
                    let to = self.node(proc, to);
                    found.push(vec![Act::Along { transition, times: None, to }]);
                }
            }
            return Some(found);
        }
        if self.cx.semantics.stays(proc, edge) {
            let transition = self.cx.semantics.transition(&mut self.cx.terms, proc, edge);
            if transition.formula != Term::FALSE {
                found.push(vec![Act::Along { transition, times: None, to: self.node(proc, to) }]);
            }
        }
        for callee in self.cx.semantics.entered(proc, edge) {
            if self.callers.contains(&callee) || self.callers.len() > MOST_CALLS {
                return None;
            }
            found.extend(self.calls(proc, edge, callee, to)?);
        }
        Some(found)
    }

    fn calls(
        &mut self,
        proc: ProcId,
        edge: EdgeId,
        callee: ProcId,
        to: LocId,
    ) -> Option<Vec<Vec<Act>>> {
        let program = self.cx.semantics.program;
        let body = program.procs[callee].body.as_ref().expect("it is entered");
        let call = self.cx.semantics.call(&mut self.cx.terms, proc, edge, callee);
        self.callers.push(callee);
        let inside = self.between(callee, body.entry, body.exit, None)?;
        self.callers.pop();
        let mut found = Vec::with_capacity(inside.len());
        for way in inside {
            let entry = self.node(callee, body.entry);
            let enter = Act::Call { call: Rc::clone(&call), to: entry };
            let leave = Act::Return { to: self.node(proc, to) };
            found.push(std::iter::once(enter).chain(way).chain([leave]).collect());
        }
        Some(found)
    }
}

/// Nothing leads on to the end from here.
fn is_end(body: &Cfa, at: LocId, to: LocId) -> bool {
    at != to && (body.locs[at].error.is_some() || body.locs[at].out.is_empty())
}

/// The ways through a block, each as a block.
fn through(region: &Region) -> Option<Vec<Region>> {
    let mut found: Vec<Region> = Vec::new();
    let mut open: Vec<(LocId, Vec<Edge>)> = vec![(region.entry, Vec::new())];
    while let Some((at, edges)) = open.pop() {
        for edge in region.edges.iter().rev().filter(|edge| edge.from == at) {
            let way = [edges.as_slice(), std::slice::from_ref(edge)].concat();
            match edge.to == region.exit {
                true => found.push(Region { edges: way, ..region.clone() }),
                false => open.push((edge.to, way)),
            }
        }
        if found.len() + open.len() > MOST_WAYS {
            return None;
        }
    }
    Some(found)
}
