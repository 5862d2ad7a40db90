//! Which variables are read later, before anything else is written to them.

use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::modset::Effects;
use crate::{Cfa, EdgeId, LocId, PlaceKind, ProcId, Program, VarId, walk};

/// By location.
pub fn live(program: &Program, proc: ProcId, body: &Cfa) -> Arena<LocId, BTreeSet<VarId>> {
    let mut live: Arena<LocId, BTreeSet<VarId>> =
        body.locs.ids().map(|_| BTreeSet::new()).collect();
    let mut open: Vec<LocId> = body.locs.ids().collect();
    while let Some(loc) = open.pop() {
        for &edge in &body.locs[loc].into {
            let from = body.edges[edge].from;
            let before = live[from].len();
            let read = read(program, (proc, body), edge, &live[loc]);
            live[from].extend(read);
            if live[from].len() > before {
                open.push(from);
            }
        }
    }
    live
}

/// What is live before an edge, for what is live after it.
fn read(
    program: &Program,
    (proc, body): (ProcId, &Cfa),
    edge: EdgeId,
    after: &BTreeSet<VarId>,
) -> BTreeSet<VarId> {
    let instr = &body.edges[edge].instr;
    let written = walk::written(instr).and_then(|place| match program.places[place].kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    });
    let mut live: BTreeSet<VarId> =
        after.iter().copied().filter(|var| Some(*var) != written).collect();
    live.extend(Effects::of_instr(program, proc, instr).reads.vars);
    live
}
