//! Large-block encoding: loop-free parts of an automaton become single edges
//! ([`Instr::Block`]).
//!
//! What stays are the *cut points*: entry, exit, loop heads (in an irreducible automaton all of
//! [`Loops::cut_points`]), error locations, both ends of calls, locations without successors,
//! and locations that an annotation speaks of. Between two cut points all edges on paths without
//! a cut point in between become one block; a single edge stays that edge. A block from a loop
//! head to itself has `entry == exit`.
//!
//! Every run is kept, step for step: [`way_through`] finds the way a run takes through a block.
//! Blocks with different ends share edges (in a row of checks, each with its error location, the
//! first edge is on the way to all of them), which could make blocks of quadratic size in total;
//! a location from which more than [`MOST_ENDS`] can be reached becomes a cut point too.

use std::collections::{BTreeMap, BTreeSet};

use crate::arena::{Arena, Id};
use crate::graph::Graph;
use crate::loops::Loops;
use crate::pass::inverse::{Image, Inverse, Layer, Origin, ProcLayer};
use crate::pass::relocate_annotations;
use crate::program::{
    AnnotationTarget, Cfa, Edge, EdgeId, Instr, Loc, LocId, ProcId, Program, Region,
};

/// An edge is in at most so many blocks from one cut point.
pub const MOST_ENDS: usize = 8;

/// Makes blocks as large as possible.
pub fn large_blocks(program: Program) -> (Program, Inverse) {
    large_blocks_around(program, &BTreeSet::new())
}

/// Makes blocks as large as possible that end at some locations.
pub fn large_blocks_around(
    mut program: Program,
    kept: &BTreeSet<(ProcId, LocId)>,
) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        if let Some(old) = program.procs[proc].body.take() {
            let mut cuts = cut_points(&program, proc, &old);
            let here = kept.iter().filter(|(owner, _)| *owner == proc);
            here.for_each(|(_, loc)| cuts[loc.index()] = true);
            let cuts = limit_ends(&old, cuts);
            let (new, images, origins) = rebuild(&old, cuts);
            relocate_annotations(&mut program, proc, &images);
            program.procs[proc].body = Some(new);
            let images = Some(images);
            layer.procs.insert(proc, ProcLayer { images, origins, ..ProcLayer::default() });
        }
    }
    (program, Inverse::of(layer))
}

/// Finds a way through a block, given what each edge does to a state (`None` if it cannot be
/// taken from there): a concrete run, or the truth values of edges in a solver's model. Gives
/// the numbers of the edges taken and the state at the end. Tries edges in order and goes back
/// where a way ends, so with exclusive branches it never does anything twice.
pub fn way_through<S>(
    region: &Region,
    start: S,
    mut take: impl FnMut(&S, &Edge) -> Option<S>,
) -> Option<(Vec<u32>, S)> {
    let mut leaving: BTreeMap<LocId, Vec<u32>> = BTreeMap::new();
    for (number, edge) in region.edges.iter().enumerate() {
        leaving.entry(edge.from).or_default().push(number as u32);
    }
    let mut way: Vec<u32> = Vec::new();
    // The states along the way, each with the edges that are still to be tried from there.
    let mut stack = vec![(start, leaving.get(&region.entry)?.as_slice())];
    while let Some((state, untried)) = stack.last_mut() {
        let Some((&number, rest)) = untried.split_first() else {
            stack.pop();
            way.pop();
            continue;
        };
        *untried = rest;
        let edge = &region.edges[number as usize];
        if let Some(next) = take(state, edge) {
            way.push(number);
            if edge.to == region.exit {
                return Some((way, next));
            }
            stack.push((next, leaving.get(&edge.to).map_or(&[], Vec::as_slice)));
        }
    }
    None
}

fn cut_points(program: &Program, proc: ProcId, cfa: &Cfa) -> Vec<bool> {
    let mut cuts: Vec<bool> =
        cfa.locs.iter().map(|(_, l)| l.error.is_some() || l.out.is_empty()).collect();
    let mut cut = |loc: LocId| cuts[loc.index()] = true;
    cut(cfa.entry);
    cut(cfa.exit);
    Loops::new(cfa).cut_points().iter().copied().for_each(&mut cut);
    for (_, edge) in cfa.edges.iter().filter(|(_, e)| matches!(e.instr, Instr::Call(_))) {
        cut(edge.from);
        cut(edge.to);
    }
    for annotation in &program.annotations {
        match annotation.target {
            AnnotationTarget::Statement(p, loc) if p == proc => cut(loc),
            _ => {}
        }
    }
    cuts
}

/// Adds the locations from which too many cut points can be reached next.
fn limit_ends(cfa: &Cfa, mut cuts: Vec<bool>) -> Vec<bool> {
    let inner = cfa.edges.iter().filter(|(_, e)| !cuts[e.to.index()]);
    let inner: Vec<_> = inner.map(|(_, e)| (e.from.index(), e.to.index())).collect();
    // Every cycle has a cut point, so what lies between is visited before what leads to it.
    let order = Graph::new(cfa.locs.len(), &inner).depth_first(0..cfa.locs.len()).postorder;
    let mut ends: Vec<Vec<LocId>> = vec![Vec::new(); cfa.locs.len()];
    for at in order {
        if cuts[at] {
            continue;
        }
        let mut reached = Vec::new();
        for to in cfa.successors(LocId::from_index(at)) {
            match cuts[to.index()] {
                true => reached.push(to),
                false => reached.extend_from_slice(&ends[to.index()]),
            }
        }
        reached.sort_unstable();
        reached.dedup();
        match reached.len() > MOST_ENDS {
            true => cuts[at] = true,
            false => ends[at] = reached,
        }
    }
    cuts
}

/// Everything between one cut point and the next ones.
struct Area {
    /// Locations that are no cut points.
    inside: Vec<LocId>,
    /// The cut points at the end, in order of their first edge.
    ends: Vec<LocId>,
}

struct Areas<'a> {
    cfa: &'a Cfa,
    cuts: Vec<bool>,
    /// The place of each edge in the area looked at last, by stamp.
    rank: Vec<(u32, u32)>,
    /// Stamps of locations.
    seen: Vec<u32>,
    stamp: u32,
}

impl<'a> Areas<'a> {
    fn new(cfa: &'a Cfa, cuts: Vec<bool>) -> Areas<'a> {
        let (rank, seen) = (vec![(0, 0); cfa.edges.len()], vec![0; cfa.locs.len()]);
        Areas { cfa, cuts, rank, seen, stamp: 0 }
    }

    fn calls(&self, loc: LocId) -> impl Iterator<Item = EdgeId> + 'a {
        let edges = &self.cfa.edges;
        let out = self.cfa.locs[loc].out.iter().copied();
        out.filter(move |&e| matches!(edges[e].instr, Instr::Call(_)))
    }

    fn steps(&self, loc: LocId) -> impl Iterator<Item = EdgeId> + 'a {
        let edges = &self.cfa.edges;
        let out = self.cfa.locs[loc].out.iter().copied();
        out.filter(move |&e| !matches!(edges[e].instr, Instr::Call(_)))
    }

    /// The area that begins at a cut point.
    fn area(&mut self, start: LocId) -> Area {
        self.stamp += 1;
        let mut order = Vec::new();
        let mut stack = vec![(start, self.cfa.locs[start].out.as_slice())];
        while let Some((loc, untried)) = stack.last_mut() {
            let Some((&e, rest)) = untried.split_first() else {
                order.push(*loc);
                stack.pop();
                continue;
            };
            *untried = rest;
            let to = self.cfa.edges[e].to;
            if !self.cuts[to.index()] && self.seen[to.index()] != self.stamp {
                self.seen[to.index()] = self.stamp;
                stack.push((to, self.cfa.locs[to].out.as_slice()));
            }
        }
        order.reverse();
        let edges: Vec<EdgeId> = order.iter().flat_map(|&loc| self.steps(loc)).collect();
        let mut ends = Vec::new();
        for (rank, e) in edges.into_iter().enumerate() {
            self.rank[e.index()] = (self.stamp, rank as u32);
            let to = self.cfa.edges[e].to;
            if self.cuts[to.index()] && self.seen[to.index()] != self.stamp {
                self.seen[to.index()] = self.stamp;
                ends.push(to);
            }
        }
        Area { inside: order.split_off(1), ends }
    }

    /// The edges of the area looked at last on paths from its start to one of its ends, in
    /// topological order.
    fn between(&mut self, start: LocId, end: LocId) -> Vec<EdgeId> {
        let area = self.rank[self.steps(start).next().expect("an end was reached").index()].0;
        self.stamp += 1;
        let mut found = Vec::new();
        let mut work = vec![end];
        while let Some(loc) = work.pop() {
            let arriving = self.cfa.locs[loc].into.iter();
            let arriving = arriving.copied().filter(|e| self.rank[e.index()].0 == area);
            for e in arriving {
                found.push(e);
                let from = self.cfa.edges[e].from;
                if from != start && self.seen[from.index()] != self.stamp {
                    self.seen[from.index()] = self.stamp;
                    work.push(from);
                }
            }
        }
        found.sort_unstable_by_key(|e| self.rank[e.index()].1);
        found
    }
}

type Rebuilt = (Cfa, Arena<LocId, Image>, Arena<EdgeId, Origin>);

/// The automaton of cut points that can be reached.
fn rebuild(old: &Cfa, cuts: Vec<bool>) -> Rebuilt {
    let mut areas = Areas::new(old, cuts);
    let mut images: Arena<LocId, Image> = old.locs.ids().map(|_| Image::Unreachable).collect();
    let mut order = Vec::new();
    let mut steps: Vec<(LocId, LocId, Vec<EdgeId>)> = Vec::new();
    let mut locs: Arena<LocId, Loc> = Arena::new();
    let mut reach = |loc: LocId, images: &mut Arena<LocId, Image>, order: &mut Vec<LocId>| {
        if images[loc] == Image::Unreachable {
            let Loc { span, ref error, .. } = old.locs[loc];
            images[loc] =
                Image::At(locs.push(Loc { span, error: error.clone(), ..Loc::default() }));
            order.push(loc);
        }
    };
    reach(old.entry, &mut images, &mut order);
    let mut next = 0;
    while let Some(&start) = order.get(next) {
        next += 1;
        let area = areas.area(start);
        area.inside.iter().for_each(|&loc| images[loc] = Image::Inside);
        for call in areas.calls(start) {
            reach(old.edges[call].to, &mut images, &mut order);
            steps.push((start, old.edges[call].to, vec![call]));
        }
        for &end in &area.ends {
            reach(end, &mut images, &mut order);
            steps.push((start, end, areas.between(start, end)));
        }
    }
    reach(old.exit, &mut images, &mut order);
    let at = |loc: LocId| match images[loc] {
        Image::At(new) => new,
        Image::Unreachable | Image::Inside => unreachable!("blocks join cut points"),
    };
    let mut new = Cfa {
        locs,
        edges: Arena::new(),
        entry: at(old.entry),
        exit: at(old.exit),
        labels: Vec::new(),
    };
    let mut origins = Arena::new();
    for (from, to, edges) in steps {
        let (instr, span, origin) = join(old, from, to, edges);
        new.add_edge(at(from), at(to), instr, span);
        origins.push(origin);
    }
    new.labels = super::relocate_labels(&old.labels, &images);
    (new, images, origins)
}

/// Several edges as one.
fn join(
    old: &Cfa,
    entry: LocId,
    exit: LocId,
    ids: Vec<EdgeId>,
) -> (Instr, crate::source::Span, Origin) {
    if let [only] = ids[..] {
        let edge = &old.edges[only];
        return (edge.instr.clone(), edge.span, Origin::Path(ids));
    }
    let edges: Vec<Edge> = ids.iter().map(|&e| old.edges[e].clone()).collect();
    // Edges of our own have no source.
    let spans = edges.iter().map(|e| e.span).filter(|span| span.start < span.end);
    let span = spans.reduce(|a, b| a.to(b)).unwrap_or_default();
    (Instr::Block(Box::new(Region { entry, exit, edges })), span, Origin::Block(ids))
}
