//! Leaves out edges of which somebody knows that no run takes them, with what only they lead to.
//! Whoever knows that has to say why in a proof. Locations keep their ids.

use crate::pass::inverse::{Image, Inverse, Layer, ProcLayer};
use crate::program::{EdgeId, LocId, ProcId, Program};

/// Keeps the edges that are taken and the locations that are reached.
pub fn without_edges_never_taken(
    mut program: Program,
    is_taken: impl Fn(ProcId, EdgeId) -> bool,
    is_reached: impl Fn(ProcId, LocId) -> bool,
) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        let Some(body) = &program.procs[proc].body else { continue };
        let image = |loc| match is_reached(proc, loc) {
            true => Image::At(loc),
            false => Image::Unreachable,
        };
        let images = Some(body.locs.ids().map(image).collect());
        let origins = super::rebuild(&mut program, proc, |_, id, edge| {
            is_taken(proc, id).then(|| edge.instr.clone())
        });
        layer.procs.insert(proc, ProcLayer { images, origins, ..ProcLayer::default() });
    }
    (program, Inverse::of(layer))
}
