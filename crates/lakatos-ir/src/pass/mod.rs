//! Passes: functions from programs to programs, each with its [`Inverse`].
//!
//! | pass | what it preserves |
//! |---|---|
//! | [`unroll`] | every run with few turns of loops; others end in an error location, or nowhere |
//! | [`induct()`] | every run to an error location; may have more runs, and has no loops (for proofs only) |
//! | [`instrument()`] | every run; adds error locations for properties |
//! | [`cells`] | every run to an error location; follows memory by variables; may have more runs (for proofs only) |
//! | [`safety`] | the same; adds error locations for the properties of memory |
//! | [`pointers`] | the same as [`cells`]; follows pointers that are compared, or walk through arrays |
//! | `kept` | every run; numbers that nobody reads any more keep their values |
//! | `written` | every run; adds error locations where a local variable may not have been written |
//! | [`constants()`] | every run, with the same undefined behaviour; values known in advance are written out |
//! | [`without_edges_never_taken`] | every run, if whoever asks is right about these edges |
//! | [`dead_code()`] | every run, with the same undefined behaviour; what cannot be reached or seen is gone |
//! | [`one_error`] | every run to one error location; behind others a run goes on (for proofs only) |
//! | [`slice()`] | every run to an error location; may have more runs (for proofs only) |
//! | [`large_blocks()`] | every run; several steps become one |
//!
//! Ids of procedures, variables, sites, expressions and places keep their meaning; passes only
//! add to those tables (and may take a body away). Locations and edges are numbered anew, the
//! inverse knows how. No pass merges or reorders havocs: the inputs of a run stay the same,
//! except that [`slice()`] may drop some. [`large_blocks()`] comes last: the other passes want no
//! blocks.

mod cells;
pub mod constants;
mod control;
pub mod dead_code;
mod induct;
mod inline;
pub mod instrument;
mod inverse;
mod kept;
pub mod large_blocks;
mod never_taken;
mod one_error;
mod safety;
mod same;
pub mod slice;
mod unroll;
mod written;

pub use cells::cells;
pub use constants::constants;
pub use dead_code::dead_code;
pub use induct::{Bound, Induction, induct};
pub use instrument::{Request, instrument};
pub use inverse::{Image, Inverse, Step};
pub use large_blocks::{large_blocks, large_blocks_around, way_through};
pub use never_taken::without_edges_never_taken;
pub use one_error::one_error;
pub use safety::{pointers, safety};
pub use slice::slice;
pub use unroll::{Beyond, has_loops, in_one, unroll};

use crate::arena::Arena;
use crate::pass::inverse::Origin;
use crate::program::{AnnotationTarget, Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program};
use crate::property::Property;

/// The program whose runs show violations of a property: it has error locations, except for
/// properties of memory, for which a run shows by itself what it does.
pub fn replayed(program: &Program, property: Option<Property>) -> Program {
    let in_runs = property.filter(|property| !property.is_about_memory());
    let request = Request { properties: in_runs.as_slice(), is_run: true, ..Request::default() };
    instrument(program.clone(), &request).0
}

/// The program that proofs of a property are about: it has error locations where the property is
/// violated, and what is in memory is followed by variables.
pub fn subject(program: &Program, property: Option<Property>) -> Program {
    let request = Request { properties: property.as_slice(), ..Request::default() };
    let (mut instrumented, _) = instrument(program.clone(), &request);
    if property == Some(Property::UninitialisedRead) {
        instrumented = written::written(instrumented);
    }
    match property {
        Some(property) if property.is_about_memory() => safety(instrumented, property),
        Some(property) => pointers(instrumented, property, false),
        None => cells(instrumented),
    }
}

/// The same for proofs that speak of arrays as a whole: calls are written out, and arrays are
/// followed by variables that are arrays; numbers that are not needed any more keep their values.
/// `None` for properties of memory, and where the program becomes too large.
pub fn subject_of_arrays(program: &Program, property: Property) -> Option<Program> {
    if property.is_about_memory() {
        return None;
    }
    let request = Request { properties: &[property], ..Request::default() };
    Some(kept::kept(pointers(instrument(in_one(program)?, &request).0, property, true)))
}

/// The same with calls written out, for proofs by induction over turns ([`induct()`]).
pub fn subject_in_one(program: &Program, property: Property) -> Option<Program> {
    if property.is_about_memory() {
        return None;
    }
    let request = Request { properties: &[property], ..Request::default() };
    Some(pointers(instrument(in_one(program)?, &request).0, property, false))
}

/// The locations of an automaton with all that belongs to them, without edges.
fn without_edges(cfa: &Cfa) -> Cfa {
    let mut locs = cfa.locs.clone();
    for (_, loc) in locs.iter_mut() {
        loc.out.clear();
        loc.into.clear();
    }
    Cfa { locs, edges: Default::default(), labels: cfa.labels.clone(), ..*cfa }
}

/// Gives a body new instructions, edge by edge; `None` for an edge that goes. What each edge was.
fn rebuild(
    program: &mut Program,
    proc: ProcId,
    mut instr: impl FnMut(&mut Program, EdgeId, &Edge) -> Option<Instr>,
) -> Arena<EdgeId, Origin> {
    let old = program.procs[proc].body.take().expect("only bodies are rebuilt");
    let mut new = without_edges(&old);
    let mut origins = Arena::new();
    for &id in old.locs.iter().flat_map(|(_, l)| &l.out) {
        let edge = &old.edges[id];
        if let Some(instr) = instr(program, id, edge) {
            new.add_edge(edge.from, edge.to, instr, edge.span);
            origins.push(Origin::Path(vec![id]));
        }
    }
    program.procs[proc].body = Some(new);
    origins
}

/// Panics if some pass was applied after `large_blocks`.
fn expect_no_blocks(program: &Program) {
    let mut edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let block = edges.any(|(_, e)| matches!(e.instr, Instr::Block(_)));
    assert!(!block, "large blocks are made by the last pass");
}

/// Annotations follow the locations they speak of; those that are gone take theirs with them.
fn relocate_annotations(program: &mut Program, proc: ProcId, images: &Arena<LocId, Image>) {
    program.annotations.retain_mut(|annotation| match &mut annotation.target {
        AnnotationTarget::Statement(p, loc) if *p == proc => match images[*loc] {
            Image::At(new) => {
                *loc = new;
                true
            }
            Image::Unreachable | Image::Inside => false,
        },
        _ => true,
    });
}

/// Likewise for labels.
fn relocate_labels(
    labels: &[(String, LocId)],
    images: &Arena<LocId, Image>,
) -> Vec<(String, LocId)> {
    let kept = labels.iter().filter_map(|(name, loc)| match images[*loc] {
        Image::At(new) => Some((name.clone(), new)),
        Image::Unreachable | Image::Inside => None,
    });
    kept.collect()
}
