//! The shape of a procedure as the checker walks it: its cut points, and an order in which every
//! way between them goes forwards.

use std::collections::{BTreeSet, VecDeque};

use lakatos_ir::modset::Effects;
use lakatos_ir::{Arena, Cfa, Id, LocId, ProcId, Program, VarId};

#[derive(Debug)]
pub(crate) struct Shape {
    pub cuts: BTreeSet<LocId>,
    /// Ways go from smaller numbers to greater ones, as far as they end at no cut point.
    pub position: Arena<LocId, usize>,
    /// The inverse.
    pub order: Vec<LocId>,
    /// What instructions of the body name as changed.
    pub written: BTreeSet<VarId>,
}

impl Shape {
    /// `Err`: a location on a cycle without a cut point.
    pub fn new(
        program: &Program,
        proc: ProcId,
        body: &Cfa,
        cuts: BTreeSet<LocId>,
    ) -> Result<Shape, LocId> {
        let order = order(body, &cuts)?;
        let mut position: Arena<LocId, usize> = body.locs.ids().map(|_| 0).collect();
        for (number, loc) in order.iter().enumerate() {
            position[*loc] = number;
        }
        let mut written = BTreeSet::new();
        for (_, edge) in body.edges.iter() {
            written.extend(Effects::of_instr(program, proc, &edge.instr).writes.vars);
        }
        Ok(Shape { cuts, position, order, written })
    }
}

/// All locations, sorted topologically when no edge leads to a cut point (Kahn's algorithm).
fn order(body: &Cfa, cuts: &BTreeSet<LocId>) -> Result<Vec<LocId>, LocId> {
    let arriving = |loc: LocId| match cuts.contains(&loc) {
        true => 0,
        false => body.locs[loc].into.len(),
    };
    let mut missing: Arena<LocId, usize> = body.locs.ids().map(arriving).collect();
    let mut ready: VecDeque<LocId> = body.locs.ids().filter(|loc| missing[*loc] == 0).collect();
    let mut order = Vec::with_capacity(body.locs.len());
    while let Some(loc) = ready.pop_front() {
        order.push(loc);
        for next in body.successors(loc).filter(|next| !cuts.contains(next)) {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push_back(next);
            }
        }
    }
    match order.len() == body.locs.len() {
        true => Ok(order),
        // What is left waits for a cycle, or for something that does: go back until it repeats.
        false => Err(on_cycle(body, cuts, &missing)),
    }
}

fn on_cycle(body: &Cfa, cuts: &BTreeSet<LocId>, missing: &Arena<LocId, usize>) -> LocId {
    let waits = |loc: LocId| missing[loc] > 0 && !cuts.contains(&loc);
    let mut at = body.locs.ids().find(|loc| waits(*loc)).unwrap_or(LocId::from_index(0));
    let mut seen = BTreeSet::new();
    while seen.insert(at) {
        at = body.predecessors(at).find(|before| waits(*before)).unwrap_or(at);
    }
    at
}
