//! One error at a time: the others are none any more, and a run that gets to one of them goes on at the
//! exit of its procedure. So what leads to them no longer decides whether it does.
//!
//! **For proofs only.** Every run to the error is a run of the new program; that has more of them.
//! Locations keep their ids.

use crate::arena::Arena;
use crate::pass::inverse::{Inverse, Layer, Origin, ProcLayer};
use crate::program::{Instr, LocId, ProcId, Program};

/// Keeps the error at this location only.
pub fn one_error(mut program: Program, kept: (ProcId, LocId)) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let mut layer = Layer::default();
    for (proc, procedure) in program.procs.iter_mut() {
        let Some(body) = &mut procedure.body else { continue };
        let is_other = |loc: &LocId| body.locs[*loc].error.is_some() && (proc, *loc) != kept;
        let others: Vec<LocId> = body.locs.ids().filter(is_other).collect();
        let mut origins: Arena<_, _> =
            body.edges.ids().map(|edge| Origin::Path(vec![edge])).collect();
        for loc in others {
            body.locs[loc].error = None;
            let span = body.locs[loc].span;
            if loc != body.exit {
                body.add_edge(loc, body.exit, Instr::Skip, span);
                origins.push(Origin::Path(Vec::new()));
            }
        }
        layer.procs.insert(proc, ProcLayer { origins, ..ProcLayer::default() });
    }
    (program, Inverse::of(layer))
}
