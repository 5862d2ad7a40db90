//! A task's program as engines want it: error locations for the property, less to look at, large
//! blocks.

use std::collections::BTreeSet;

use lakatos_ir::loops::Loops;
use lakatos_ir::pass::{self, Image, Inverse};
use lakatos_ir::{LocId, ProcId, Program, Property};

pub(crate) struct Prepared {
    /// With error locations; what replays speak of.
    pub instrumented: Program,
    /// The same with cells for what is in memory; what proofs speak of.
    pub subject: Program,
    /// What is explored.
    pub reduced: Program,
    /// From the subject to what is explored.
    pub inverse: Inverse,
    /// Where the cut points of the subject are in it.
    pub heads: BTreeSet<(ProcId, LocId)>,
}

impl Prepared {
    /// The program as the front-end made it. Without a property nothing is an error.
    pub fn new(program: &Program, property: impl Into<Option<Property>>) -> Prepared {
        let property = property.into();
        let instrumented = pass::replayed(program, property);
        let subject = pass::subject(program, property);
        let (reduced, known) = pass::constants(subject.clone());
        let (reduced, alive) = pass::dead_code(reduced);
        let inverse = known.then(alive);
        let kept = loop_heads(&subject, &inverse);
        let (reduced, blocks) = pass::large_blocks_around(reduced, &kept);
        let inverse = inverse.then(blocks);
        let heads = loop_heads(&subject, &inverse);
        Prepared { instrumented, subject, reduced, inverse, heads }
    }
}

/// Where the cut points of a program are after passes. A proof has an invariant at each, also
/// where the passes have seen that the loop is never gone through.
fn loop_heads(program: &Program, inverse: &Inverse) -> BTreeSet<(ProcId, LocId)> {
    let mut kept = BTreeSet::new();
    for (proc, _, body) in program.defined() {
        for loc in Loops::new(body).cut_points() {
            if let Image::At(image) = inverse.image(proc, *loc) {
                kept.insert((proc, image));
            }
        }
    }
    kept
}
