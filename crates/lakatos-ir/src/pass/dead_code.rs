//! Removes what no run can reach or see.
//!
//! - bodies of procedures that are not reachable from the start (the procedure stays, its id is
//!   used elsewhere);
//! - locations that are not reachable from the entry;
//! - assignments to locals and temporaries that are never read, if evaluating them cannot be
//!   undefined: an undefined operation ends a path, so it must stay;
//! - locations from which a single edge leads on that does nothing: whoever got there goes on to
//!   where it leads. (Entries, exits, error locations, those after calls, labelled and annotated
//!   ones stay.)
//!
//! Every run is kept with the same undefined behaviour and the same inputs: no havoc is removed.

use std::collections::BTreeSet;

use crate::arena::{Arena, Id};
use crate::callgraph::CallGraph;
use crate::graph::Graph;
use crate::modset::Effects;
use crate::pass::inverse::{Image, Inverse, Layer, Origin, ProcLayer};
use crate::pass::{relocate_annotations, relocate_labels};
use crate::program::{
    AnnotationTarget, Cfa, EdgeId, Instr, Loc, LocId, ProcId, Program, VarId, VarKind,
};
use crate::undefined;

/// Removes dead code.
pub fn dead_code(mut program: Program) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let calls = CallGraph::new(&program);
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        let Some(mut body) = program.procs[proc].body.take() else { continue };
        if calls.is_reachable(proc) {
            let reachable = reachable(&body);
            drop_unread(&program, proc, &mut body, &reachable);
            let kept = must_stay(&program, proc, &body);
            let (new, changes) = shorten(&body, &reachable, &kept);
            let images = changes.images.as_ref().expect("locations are numbered anew");
            relocate_annotations(&mut program, proc, images);
            program.procs[proc].body = Some(new);
            layer.procs.insert(proc, changes);
        } else {
            let images = body.locs.ids().map(|_| Image::Unreachable).collect();
            relocate_annotations(&mut program, proc, &images);
            let images = Some(images);
            layer.procs.insert(proc, ProcLayer { images, ..ProcLayer::default() });
        }
    }
    (program, Inverse::of(layer))
}

fn reachable(cfa: &Cfa) -> Vec<bool> {
    let edges: Vec<_> = cfa.edges.iter().map(|(_, e)| (e.from.index(), e.to.index())).collect();
    let reached = Graph::new(cfa.locs.len(), &edges).depth_first([cfa.entry.index()]);
    (0..cfa.locs.len()).map(|l| reached.reached(l)).collect()
}

/// Makes assignments skips whose variable nobody reads, until there are none.
fn drop_unread(program: &Program, proc: ProcId, cfa: &mut Cfa, reachable: &[bool]) {
    let reads = |instr: &Instr| Effects::of_instr(program, proc, instr).reads.vars;
    let mut readers = vec![0u32; program.vars.len()];
    // The assignments that may go, by variable.
    let mut removable: Vec<(VarId, EdgeId)> = Vec::new();
    for (id, edge) in cfa.edges.iter().filter(|(_, e)| reachable[e.from.index()]) {
        reads(&edge.instr).into_iter().for_each(|v| readers[v.index()] += 1);
        removable.extend(removable_assignment(program, proc, &edge.instr).map(|v| (v, id)));
    }
    removable.sort_unstable();
    let mut work: Vec<VarId> = removable.iter().map(|&(v, _)| v).collect();
    work.dedup();
    while let Some(var) = work.pop() {
        if readers[var.index()] > 0 {
            continue;
        }
        let first = removable.partition_point(|&(v, _)| v < var);
        for &(_, id) in removable[first..].iter().take_while(|&&(v, _)| v == var) {
            let instr = std::mem::replace(&mut cfa.edges[id].instr, Instr::Skip);
            for read in reads(&instr) {
                readers[read.index()] -= 1;
                if readers[read.index()] == 0 {
                    work.push(read);
                }
            }
        }
    }
}

/// The variable of an assignment that has no other effect than changing it.
fn removable_assignment(program: &Program, proc: ProcId, instr: &Instr) -> Option<VarId> {
    let &Instr::Assign(place, value) = instr else { return None };
    let written = Effects::of_instr(program, proc, instr).writes;
    let var = *written.vars.first()?;
    let own = matches!(program.vars[var].kind, VarKind::Local(_) | VarKind::Temp(_));
    let harmless =
        !undefined::possible(program, value) && !undefined::possible_in_place(program, place);
    (own && !program.vars[var].address_taken && harmless).then_some(var)
}

/// Locations that somebody may ask for.
fn must_stay(program: &Program, proc: ProcId, cfa: &Cfa) -> BTreeSet<LocId> {
    let annotated = program.annotations.iter().filter_map(|a| match a.target {
        AnnotationTarget::Statement(p, loc) if p == proc => Some(loc),
        _ => None,
    });
    let labelled = cfa.labels.iter().map(|&(_, loc)| loc);
    // The steps of a callee come between a call and what follows it: the two must not be merged.
    let calls = cfa.edges.iter().filter(|(_, e)| matches!(e.instr, Instr::Call(_)));
    let returned = calls.map(|(_, e)| e.to);
    annotated.chain(labelled).chain(returned).chain([cfa.entry, cfa.exit]).collect()
}

/// Leaves out unreachable locations and steps that do nothing.
fn shorten(old: &Cfa, reachable: &[bool], kept: &BTreeSet<LocId>) -> (Cfa, ProcLayer) {
    let next = skips(old, kept);
    let ends = ends_of_chains(old, &next);
    let skipped =
        |loc: LocId| std::iter::successors(next[loc.index()], |&e| next[old.edges[e].to.index()]);
    let mut locs: Arena<LocId, Loc> = Arena::new();
    let mut images: Arena<LocId, Image> = old.locs.ids().map(|_| Image::Unreachable).collect();
    let stays =
        |loc: &LocId| *loc == old.exit || reachable[loc.index()] && next[loc.index()].is_none();
    for loc in old.locs.ids().filter(stays) {
        let Loc { span, ref error, .. } = old.locs[loc];
        images[loc] = Image::At(locs.push(Loc { span, error: error.clone(), ..Loc::default() }));
    }
    for loc in old.locs.ids().filter(|&l| reachable[l.index()] && next[l.index()].is_some()) {
        images[loc] = images[ends[loc.index()]];
    }
    let at = |loc: LocId| match images[loc] {
        Image::At(new) => new,
        Image::Unreachable | Image::Inside => unreachable!("reachable locations have an image"),
    };
    let labels = relocate_labels(&old.labels, &images);
    let (entry, exit) = (at(old.entry), at(old.exit));
    let mut new = Cfa { locs, edges: Arena::new(), entry, exit, labels };
    let mut origins = Arena::new();
    for loc in old.locs.ids().filter(|loc| reachable[loc.index()] && stays(loc)) {
        for &id in &old.locs[loc].out {
            let edge = &old.edges[id];
            new.add_edge(at(loc), at(edge.to), edge.instr.clone(), edge.span);
            let path = std::iter::once(id).chain(skipped(edge.to));
            origins.push(Origin::Path(path.collect()));
        }
    }
    (new, ProcLayer { images: Some(images), origins, ..ProcLayer::default() })
}

/// For each location that can be left out the edge that leads on. Never all around a cycle.
fn skips(cfa: &Cfa, kept: &BTreeSet<LocId>) -> Vec<Option<EdgeId>> {
    let mut next: Vec<Option<EdgeId>> = cfa
        .locs
        .iter()
        .map(|(loc, l)| match l.out[..] {
            [only] if l.error.is_none() && !kept.contains(&loc) => {
                matches!(cfa.edges[only].instr, Instr::Skip).then_some(only)
            }
            _ => None,
        })
        .collect();
    let mut finished = vec![false; next.len()];
    for start in 0..next.len() {
        let mut path = BTreeSet::new();
        let mut at = start;
        while !finished[at] {
            if !path.insert(at) {
                // A cycle that does nothing: one location of it stays.
                next[at] = None;
                break;
            }
            match next[at] {
                Some(edge) => at = cfa.edges[edge].to.index(),
                None => break,
            }
        }
        path.into_iter().for_each(|loc| finished[loc] = true);
    }
    next
}

/// Where one ends up from each location by going on where there is nothing to do.
fn ends_of_chains(cfa: &Cfa, next: &[Option<EdgeId>]) -> Vec<LocId> {
    let mut ends: Vec<Option<LocId>> = vec![None; next.len()];
    for start in cfa.locs.ids() {
        let mut path = Vec::new();
        let mut at = start;
        let end = loop {
            match (ends[at.index()], next[at.index()]) {
                (Some(end), _) => break end,
                (None, None) => break at,
                (None, Some(edge)) => {
                    path.push(at);
                    at = cfa.edges[edge].to;
                }
            }
        };
        path.into_iter().chain([start]).for_each(|loc| ends[loc.index()] = Some(end));
    }
    ends.into_iter().flatten().collect()
}
