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
        Prepared::unreduced(program, property.into()).reduce()
    }

    /// The same, of which only what decides about errors is kept. It may have more runs.
    pub fn sliced(program: &Program, property: Property) -> Prepared {
        Prepared::unreduced(program, Some(property)).slice().reduce()
    }

    /// The same with one error in each procedure in the place of all: whether some error is reached is
    /// one question. Nothing is to be claimed of it.
    pub fn with_one_end(program: &Program, property: Property) -> Prepared {
        let mut prepared = Prepared::unreduced(program, Some(property));
        let procs: Vec<ProcId> = prepared.reduced.defined().map(|(proc, ..)| proc).collect();
        for proc in procs {
            let body = prepared.reduced.procs[proc].body.as_mut().expect("it is defined");
            let errors: BTreeSet<LocId> =
                body.locs.iter().filter(|(_, loc)| loc.error.is_some()).map(|(id, _)| id).collect();
            let Some(end) = errors.first().copied() else { continue };
            for (_, edge) in body.edges.iter_mut().filter(|(_, edge)| errors.contains(&edge.to)) {
                edge.to = end;
            }
        }
        prepared.reduce()
    }

    fn unreduced(program: &Program, property: Option<Property>) -> Prepared {
        let instrumented = Rc::new(pass::replayed(program, property));
        let subject = Rc::new(pass::subject(program, property));
        let (reduced, inverse) = pass::constants(Program::clone(&subject));
        Prepared::of(instrumented, subject, reduced, inverse)
    }

    fn of(
        instrumented: Rc<Program>,
        subject: Rc<Program>,
        reduced: Program,
        inverse: Inverse,
    ) -> Prepared {
        let (heads, aside) = (BTreeSet::new(), BTreeSet::new());
        Prepared { instrumented, subject, reduced, inverse, heads, aside }
    }

    /// Leaves out what does not matter, with procedures that are called for nothing else.
    fn slice(self) -> Prepared {
        let called = called(&self.reduced);
        let (mut reduced, slice) = pass::slice(self.reduced);
        let kept = self::called(&reduced);
        let aside: BTreeSet<ProcId> = called.difference(&kept).copied().collect();
        aside.iter().for_each(|proc| reduced.procs[*proc].body = None);
        Prepared { reduced, inverse: self.inverse.then(slice), aside, ..self }
    }

    /// Less to look at, in large blocks.
    fn reduce(self) -> Prepared {
        let Prepared { reduced, inverse, .. } = self;
        let (reduced, alive) = pass::dead_code(reduced);
        let inverse = inverse.then(alive);
        let kept = loop_heads(&self.subject, &self.aside, &inverse);
        let (reduced, blocks) = pass::large_blocks_around(reduced, &kept);
        let inverse = inverse.then(blocks);
        let heads = loop_heads(&self.subject, &self.aside, &inverse);
        Prepared { reduced, inverse, heads, ..self }
    }
}

/// The procedures with a body that a run may call.
fn called(program: &Program) -> BTreeSet<ProcId> {
    let calls = CallGraph::new(program);
    let defined = program.defined().map(|(proc, ..)| proc);
    defined.filter(|proc| calls.is_reachable(*proc)).collect()
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
    /// The subject is what proofs of the task speak of.
    pub fn new(task: &Task<'_>, subject: &Program) -> Whole {
        let instrumented = Rc::new(pass::replayed(task.program, Some(task.property)));
        let subject = Rc::new(subject.clone());
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
        let (instrumented, subject) = (Rc::clone(&self.instrumented), Rc::clone(&self.subject));
        let inverse = self.inverse.clone().then(alone);
        Prepared::of(instrumented, subject, program, inverse).slice().reduce()
    }
}

/// Where the cut points of a program are after passes. A proof has an invariant at each, also
/// where the passes have seen that the loop is never gone through.
fn loop_heads(
    program: &Program,
    aside: &BTreeSet<ProcId>,
    inverse: &Inverse,
) -> BTreeSet<(ProcId, LocId)> {
    let mut kept = BTreeSet::new();
    for (proc, _, body) in program.defined().filter(|(proc, ..)| !aside.contains(proc)) {
        for loc in Loops::new(body).cut_points() {
            if let Image::At(image) = inverse.image(proc, *loc) {
                kept.insert((proc, image));
            }
        }
    }
    kept
}
