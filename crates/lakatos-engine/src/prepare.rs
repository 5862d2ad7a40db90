//! A task's program as engines want it: error locations for the property, less to look at, large
//! blocks.

use std::collections::BTreeSet;
use std::rc::Rc;

use lakatos_analysis::ranges::Ranges;
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::{self, Image, Inverse};
use lakatos_ir::{LocId, ProcId, Program, Property};

use crate::Task;

pub(crate) struct Prepared {
    /// With error locations; what replays speak of.
    pub instrumented: Rc<Program>,
    /// The same with cells for what is in memory; what proofs speak of.
    pub subject: Rc<Program>,
    /// What is explored.
    pub reduced: Program,
    /// From the subject to what is explored.
    pub inverse: Inverse,
    /// Where the cut points of the subject are in it.
    pub heads: BTreeSet<(ProcId, LocId)>,
    /// Procedures that do not matter for what is asked: nothing is claimed of them.
    pub aside: BTreeSet<ProcId>,
}

impl Prepared {
    /// The program as the front-end made it. Without a property nothing is an error.
    pub fn new(program: &Program, property: impl Into<Option<Property>>) -> Prepared {
        let property = property.into();
        let instrumented = Rc::new(pass::replayed(program, property));
        let subject = Rc::new(pass::subject(program, property));
        let (reduced, known) = pass::constants(Program::clone(&subject));
        Prepared::reduced(instrumented, subject, reduced, known)
    }

    fn reduced(
        instrumented: Rc<Program>,
        subject: Rc<Program>,
        program: Program,
        inverse: Inverse,
    ) -> Prepared {
        let (reduced, alive) = pass::dead_code(program);
        let inverse = inverse.then(alive);
        let kept = loop_heads(&subject, &inverse);
        let (reduced, blocks) = pass::large_blocks_around(reduced, &kept);
        let inverse = inverse.then(blocks);
        let heads = loop_heads(&subject, &inverse);
        Prepared { instrumented, subject, reduced, inverse, heads, aside: BTreeSet::new() }
    }
}

/// A task's program whose errors are to be looked at one by one: without those that the ranges of
/// variables exclude.
pub(crate) struct Whole {
    instrumented: Rc<Program>,
    pub subject: Rc<Program>,
    /// What variables can be in the subject.
    pub ranges: Ranges,
    /// The subject without what these exclude.
    possible: Program,
    inverse: Inverse,
}

impl Whole {
    pub fn new(task: &Task<'_>) -> Whole {
        let instrumented = Rc::new(pass::replayed(task.program, Some(task.property)));
        let subject = Rc::new(pass::subject(task.program, Some(task.property)));
        let ranges = Ranges::new(&subject, task.signed_overflow);
        let (possible, inverse) = pass::without_edges_never_taken(
            Program::clone(&subject),
            |proc, edge| ranges.is_taken(proc, edge),
            |proc, loc| ranges.is_reached(proc, loc),
        );
        Whole { instrumented, subject, ranges, possible, inverse }
    }

    /// The errors that are left.
    pub fn errors(&self) -> Vec<(ProcId, LocId)> {
        let errors = self.possible.defined().flat_map(|(proc, _, body)| {
            let errors = body.locs.iter().filter(|(_, loc)| loc.error.is_some());
            errors.map(move |(loc, _)| (proc, loc))
        });
        errors.filter(|(proc, loc)| self.ranges.is_reached(*proc, *loc)).collect()
    }

    /// What decides whether one of them is reached.
    pub fn part(&self, error: (ProcId, LocId)) -> Prepared {
        let (program, alone) = pass::one_error(self.possible.clone(), error);
        let (mut sliced, slice) = pass::slice(program);
        let calls = CallGraph::new(&sliced);
        let before = CallGraph::new(&self.possible);
        let aside = self.possible.defined().map(|(proc, ..)| proc);
        let aside = aside.filter(|proc| before.is_reachable(*proc) && !calls.is_reachable(*proc));
        let aside: BTreeSet<ProcId> = aside.collect();
        aside.iter().for_each(|proc| sliced.procs[*proc].body = None);
        let (instrumented, subject) = (Rc::clone(&self.instrumented), Rc::clone(&self.subject));
        let inverse = self.inverse.clone().then(alone).then(slice);
        Prepared { aside, ..Prepared::reduced(instrumented, subject, sliced, inverse) }
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
