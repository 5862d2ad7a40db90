//! The way back: from runs and facts of a transformed program to those of the original.

use std::collections::BTreeMap;

use crate::arena::Arena;
use crate::program::{EdgeId, LocId, ProcId, VarId};

/// One step of a run: an edge that is taken, and, if it is a block, the way through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub proc: ProcId,
    pub edge: EdgeId,
    /// For a block: the numbers of its edges that are taken, in order
    /// ([`way_through`](super::large_blocks::way_through)). Empty otherwise.
    pub within: Vec<u32>,
}

impl Step {
    pub fn new(proc: ProcId, edge: EdgeId) -> Step {
        Step { proc, edge, within: Vec::new() }
    }
}

/// Where to look for a fact about a location of the original program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// What holds at this location of the new program holds there.
    At(LocId),
    /// No run gets there: everything holds.
    Unreachable,
    /// The location has gone into a block: its facts follow from those at the block's entry.
    Inside,
}

/// What a pass, or several one after the other, did to a program, so that results for the new
/// program can be told about the old one. Procedures and variables keep their ids. Facts may
/// speak of variables that a pass has added; those are of no meaning in the old program.
#[derive(Clone, Debug, Default)]
pub struct Inverse {
    /// The first pass comes first.
    layers: Vec<Layer>,
}

/// One pass: what it did to each procedure. A procedure that is not listed is unchanged.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub procs: BTreeMap<ProcId, ProcLayer>,
}

/// What a pass did to one procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcLayer {
    /// For each old location. `None`: locations are as before.
    pub images: Option<Arena<LocId, Image>>,
    /// For each new edge.
    pub origins: Arena<EdgeId, Origin>,
    /// Values of variables at old locations that the pass found out and used.
    pub known: BTreeMap<LocId, Vec<(VarId, i128)>>,
}

/// What an edge of the new program is in the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// These edges, one after the other; none for a step that the pass has added. A call is
    /// always the last one: the callee's steps come next.
    Path(Vec<EdgeId>),
    /// A block with these edges.
    Block(Vec<EdgeId>),
}

impl Inverse {
    /// Of doing nothing.
    pub fn identity() -> Inverse {
        Inverse::default()
    }

    pub(super) fn of(layer: Layer) -> Inverse {
        Inverse { layers: vec![layer] }
    }

    /// Of this pass and then the later one.
    pub fn then(mut self, later: Inverse) -> Inverse {
        self.layers.extend(later.layers);
        self
    }

    /// A run of the new program as a run of the old one. The step into an error location that
    /// instrumentation has added becomes the edge in which it goes wrong; if that is a call that
    /// has returned, and its result has no place to go, the run ends with that return. For a sliced program
    /// the result may lack the inside of calls that were dropped.
    pub fn trace(&self, steps: &[Step]) -> Vec<Step> {
        let mut steps = steps.to_vec();
        for layer in self.layers.iter().rev() {
            steps = steps.into_iter().flat_map(|step| layer.undo(step)).collect();
        }
        steps
    }

    /// Where in the new program the facts about a location of the old program are.
    pub fn image(&self, proc: ProcId, loc: LocId) -> Image {
        let mut at = loc;
        for layer in &self.layers {
            match layer.image(proc, at) {
                Image::At(next) => at = next,
                other => return other,
            }
        }
        Image::At(at)
    }

    /// Values of variables at a location of the old program that passes found out. The new
    /// program uses them silently; a proof for the old one must state them. They are recorded
    /// for entries, exits and cut points.
    pub fn known(&self, proc: ProcId, loc: LocId) -> Vec<(VarId, i128)> {
        let mut known = Vec::new();
        let mut at = loc;
        for layer in &self.layers {
            let here = layer.procs.get(&proc).and_then(|p| p.known.get(&at));
            known.extend(here.into_iter().flatten().copied());
            match layer.image(proc, at) {
                Image::At(next) => at = next,
                _ => break,
            }
        }
        known.sort_unstable();
        known.dedup();
        known
    }
}

impl Layer {
    fn undo(&self, step: Step) -> Vec<Step> {
        let Some(layer) = self.procs.get(&step.proc) else { return vec![step] };
        let old = |&edge: &EdgeId| Step::new(step.proc, edge);
        match &layer.origins[step.edge] {
            Origin::Path(edges) => edges.iter().map(old).collect(),
            Origin::Block(edges) => {
                step.within.iter().map(|&number| old(&edges[number as usize])).collect()
            }
        }
    }

    fn image(&self, proc: ProcId, loc: LocId) -> Image {
        match self.procs.get(&proc).and_then(|p| p.images.as_ref()) {
            Some(images) => images[loc],
            None => Image::At(loc),
        }
    }
}
