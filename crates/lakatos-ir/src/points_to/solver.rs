//! Inclusion constraints between sets of positions, and their least solution (Andersen's
//! analysis, with differences on a worklist and cycles taken together).
//!
//! A node is a set of positions: the value of a pointer variable or expression, or what is stored
//! at a position (its *content*). What was written at no particular place of an object flows into
//! all its contents; what is read from anywhere flows out of all of them.

use std::collections::VecDeque;

use indexmap::IndexMap;
use roaring::RoaringBitmap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::layout::EVERYWHERE;
use super::object::{LocationId, ObjectId, Objects, Offset, Origin, Shift, ShiftId, Target};
use super::offsets::Offsets;
use crate::arena::{Arena, Id};
use crate::define_ids;
use crate::graph::Graph;
use crate::program::ProcId;

define_ids! {
    /// A set of positions.
    NodeId = "n";
    /// A copy of a range of bytes.
    RangeId = "c";
}

/// Cycles are looked for whenever so many nodes have been worked on, at least.
const BETWEEN_SEARCHES: usize = 2_000;

/// What is done with each member of a set.
#[derive(Clone, Debug)]
pub(super) enum Use {
    /// Moved, it is in another set.
    Shift(NodeId, ShiftId),
    /// What is stored there is in another set.
    Load(NodeId),
    /// The other set is stored there.
    Store(NodeId),
    /// The other set is stored somewhere in the object.
    Scatter(NodeId),
    From(RangeId),
    To(RangeId),
    /// A function among them is called.
    Call(usize),
    /// Integers may point into its object, if that is the program's.
    Expose,
    /// Everything reachable from here may change and be remembered by others.
    Escape,
    /// What is stored in the object is known to others, who do not change it.
    Reveal,
}

#[derive(Debug, Default)]
struct Node {
    set: RoaringBitmap,
    /// Members that have not been worked on.
    fresh: RoaringBitmap,
    copies: Vec<NodeId>,
    uses: Vec<Use>,
    queued: bool,
}

/// Contents of an object.
#[derive(Debug, Default)]
struct Contents {
    at: Vec<(Offset, NodeId)>,
    /// Written anywhere.
    into: Option<NodeId>,
    /// Read from anywhere.
    out: Option<NodeId>,
    /// Copies from a position in this object.
    copied: Vec<(RangeId, Offset)>,
    escaped: bool,
}

#[derive(Debug)]
struct Range {
    to: NodeId,
    /// `None`: any number of bytes.
    length: Option<u64>,
    /// What is copied, by how far it is from the start; `None`: anywhere.
    carried: IndexMap<Option<Offsets>, NodeId, FxBuildHasher>,
}

#[derive(Debug)]
pub(super) struct Solver {
    pub objects: Objects,
    nodes: Arena<NodeId, Node>,
    /// Nodes that were found to be equal to another one, as a forest.
    equal: Vec<NodeId>,
    edges: FxHashSet<(NodeId, NodeId)>,
    constants: FxHashMap<LocationId, NodeId>,
    contents: FxHashMap<(ObjectId, u64), NodeId>,
    memory: Vec<Contents>,
    ranges: Arena<RangeId, Range>,
    work: VecDeque<NodeId>,
    worked: usize,
    /// Functions that a call has been found to reach, not yet taken care of.
    pub called: Vec<(usize, ProcId)>,
    /// What a pointer to memory outside means when it is called.
    pub foreign: Option<ProcId>,
    /// Objects that integers may point to.
    pub exposed: NodeId,
    /// What external functions know.
    pub escaped: NodeId,
    exposing: FxHashSet<NodeId>,
}

impl Solver {
    pub fn new() -> Solver {
        let mut solver = Solver {
            objects: Objects::default(),
            nodes: Arena::new(),
            equal: Vec::new(),
            edges: FxHashSet::default(),
            constants: FxHashMap::default(),
            contents: FxHashMap::default(),
            memory: Vec::new(),
            ranges: Arena::new(),
            work: VecDeque::new(),
            worked: 0,
            called: Vec::new(),
            foreign: None,
            exposed: NodeId(0),
            escaped: NodeId(0),
            exposing: FxHashSet::default(),
        };
        solver.exposed = solver.node();
        solver.escaped = solver.node();
        solver.add_use(solver.escaped, Use::Escape);
        solver
    }

    pub fn node(&mut self) -> NodeId {
        let node = self.nodes.push(Node::default());
        self.equal.push(node);
        node
    }

    /// The set of one position.
    pub fn constant(&mut self, location: LocationId) -> NodeId {
        if let Some(&node) = self.constants.get(&location) {
            return node;
        }
        let node = self.node();
        self.constants.insert(location, node);
        self.insert(node, location);
        node
    }

    pub fn find(&self, mut node: NodeId) -> NodeId {
        while self.equal[node.index()] != node {
            node = self.equal[node.index()];
        }
        node
    }

    /// The positions in a set, in order of their numbers.
    pub fn targets(&self, node: NodeId) -> impl Iterator<Item = Target> + '_ {
        self.nodes[self.find(node)].set.iter().map(|number| self.objects.target_number(number))
    }

    pub fn is_empty(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].set.is_empty()
    }

    fn insert(&mut self, node: NodeId, location: LocationId) {
        let node = self.find(node);
        let number = location.0;
        if !self.nodes[node].set.contains(number) && self.nodes[node].fresh.insert(number) {
            self.enqueue(node);
        }
    }

    fn insert_all(&mut self, node: NodeId, more: &RoaringBitmap) {
        let node = self.find(node);
        let data = &mut self.nodes[node];
        let more = more - &data.set;
        if !more.is_empty() {
            data.fresh |= more;
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.nodes[node].queued, true) {
            self.work.push_back(node);
        }
    }

    /// Everything in the first set is in the second.
    pub fn include(&mut self, from: NodeId, into: NodeId) {
        let (from, into) = (self.find(from), self.find(into));
        if from != into && self.edges.insert((from, into)) {
            self.nodes[from].copies.push(into);
            let set = std::mem::take(&mut self.nodes[from].set);
            self.insert_all(into, &set);
            self.nodes[from].set = set;
        }
    }

    pub fn add_use(&mut self, node: NodeId, action: Use) {
        let node = self.find(node);
        let set = self.nodes[node].set.clone();
        self.nodes[node].uses.push(action.clone());
        self.apply(&action, &set);
    }

    /// A node for what the set is after a move.
    pub fn shifted(&mut self, node: NodeId, by: Shift) -> NodeId {
        let result = self.node();
        let by = self.objects.shift(by);
        self.add_use(node, Use::Shift(result, by));
        result
    }

    /// Copies bytes, and the pointers among them, between what the sets point to.
    pub fn copy_range(&mut self, from: NodeId, to: NodeId, length: Option<u64>) {
        let carried = IndexMap::default();
        let range = self.ranges.push(Range { to, length, carried });
        self.add_use(from, Use::From(range));
        self.add_use(to, Use::To(range));
    }

    /// Integers may point to what is stored here.
    pub fn expose(&mut self, node: NodeId) -> bool {
        let node = self.find(node);
        let is_new = self.exposing.insert(node);
        if is_new {
            self.add_use(node, Use::Expose);
        }
        is_new
    }

    pub fn has_work(&self) -> bool {
        !self.work.is_empty()
    }

    /// Works until nothing changes. Calls that are found are left in `called`.
    pub fn run(&mut self) {
        while let Some(node) = self.work.pop_front() {
            self.nodes[node].queued = false;
            if self.find(node) != node {
                continue;
            }
            self.work_on(node);
            self.worked += 1;
            if self.worked > BETWEEN_SEARCHES.max(self.nodes.len()) {
                self.worked = 0;
                self.merge_cycles();
            }
        }
    }

    fn work_on(&mut self, node: NodeId) {
        let data = &mut self.nodes[node];
        let fresh = std::mem::take(&mut data.fresh);
        data.set |= &fresh;
        let copies = std::mem::take(&mut data.copies);
        let uses = std::mem::take(&mut data.uses);
        for &into in &copies {
            self.insert_all(into, &fresh);
        }
        for action in &uses {
            self.apply(action, &fresh);
        }
        let data = &mut self.nodes[node];
        let (new_copies, new_uses) =
            (std::mem::replace(&mut data.copies, copies), std::mem::replace(&mut data.uses, uses));
        data.copies.extend(new_copies);
        data.uses.extend(new_uses);
    }

    fn apply(&mut self, action: &Use, members: &RoaringBitmap) {
        for number in members {
            self.apply_to(action, LocationId(number));
        }
    }

    fn apply_to(&mut self, action: &Use, location: LocationId) {
        let target = self.objects.target(location);
        if let Use::Shift(into, by) = action {
            for &moved in &*self.objects.moved(location, *by) {
                self.insert(*into, moved);
            }
            return;
        }
        let object = target.object;
        let origin = self.objects.all[object].origin.clone();
        match (action, &origin) {
            (Use::Expose, Origin::Outside) => return,
            (Use::Expose, _) => {
                let anywhere = self.objects.location(Target { object, offset: Offset::Any });
                return self.insert(self.exposed, anywhere);
            }
            (Use::Call(call), Origin::Function(proc)) => {
                return self.called.push((*call, *proc));
            }
            (Use::Call(call), Origin::Outside) => {
                return self.called.extend(self.foreign.map(|proc| (*call, proc)));
            }
            (_, Origin::Function(_)) => return,
            _ => {}
        }
        match action {
            Use::Load(into) => {
                if let Some(content) = self.read_from(target) {
                    self.include(content, *into);
                }
            }
            Use::Store(from) => {
                if let Some(content) = self.written_to(target) {
                    self.include(*from, content);
                }
            }
            Use::Scatter(from) => {
                let into = self.inflow(target.object);
                self.include(*from, into);
            }
            Use::From(range) => self.copy_from(*range, target),
            Use::To(range) => self.copy_to(*range, target),
            Use::Escape => self.escape(target.object),
            Use::Reveal => {
                let out = self.outflow(target.object);
                self.include(out, self.escaped);
            }
            Use::Call(_) | Use::Expose | Use::Shift(..) => {}
        }
    }

    fn read_from(&mut self, target: Target) -> Option<NodeId> {
        match target.offset {
            Offset::Any => Some(self.outflow(target.object)),
            Offset::At(at, _) => Some(self.content(target.object, at)),
            Offset::End | Offset::Beyond | Offset::Out { .. } => None,
        }
    }

    fn written_to(&mut self, target: Target) -> Option<NodeId> {
        match target.offset {
            Offset::Any => Some(self.inflow(target.object)),
            Offset::At(at, _) => Some(self.content(target.object, at)),
            Offset::End | Offset::Beyond | Offset::Out { .. } => None,
        }
    }

    fn memory(&mut self, object: ObjectId) -> &mut Contents {
        if self.memory.len() <= object.index() {
            self.memory.resize_with(object.index() + 1, Contents::default);
        }
        &mut self.memory[object.index()]
    }

    /// What is stored at a position.
    fn content(&mut self, object: ObjectId, at: u64) -> NodeId {
        if let Some(&node) = self.contents.get(&(object, at)) {
            return node;
        }
        let node = self.node();
        self.contents.insert((object, at), node);
        // What is stored in one element counts as stored in all of them.
        let offset = Offset::At(at, EVERYWHERE);
        let memory = self.memory(object);
        memory.at.push((offset, node));
        let (into, out) = (memory.into, memory.out);
        if let Some(into) = into {
            self.include(into, node);
        }
        if let Some(out) = out {
            self.include(node, out);
        }
        self.content_made(object, offset, node);
        node
    }

    fn inflow(&mut self, object: ObjectId) -> NodeId {
        if let Some(node) = self.memory(object).into {
            return node;
        }
        let node = self.node();
        let memory = self.memory(object);
        memory.into = Some(node);
        let out = memory.out;
        let all: Vec<NodeId> = memory.at.iter().map(|&(_, node)| node).chain(out).collect();
        for content in all {
            self.include(node, content);
        }
        self.content_made(object, Offset::Any, node);
        node
    }

    fn outflow(&mut self, object: ObjectId) -> NodeId {
        if let Some(node) = self.memory(object).out {
            return node;
        }
        let node = self.node();
        let memory = self.memory(object);
        memory.out = Some(node);
        let into = memory.into;
        let all: Vec<NodeId> = memory.at.iter().map(|&(_, node)| node).chain(into).collect();
        for content in all {
            self.include(content, node);
        }
        node
    }

    fn escape(&mut self, object: ObjectId) {
        if std::mem::replace(&mut self.memory(object).escaped, true) {
            return;
        }
        let (out, into) = (self.outflow(object), self.inflow(object));
        self.include(out, self.escaped);
        self.include(self.escaped, into);
    }

    /// Contents of an object with where they are; those at any place included.
    pub fn contents_of(&self, object: ObjectId) -> impl Iterator<Item = (Offset, NodeId)> + '_ {
        let memory = self.memory.get(object.index());
        memory.into_iter().flat_map(|memory| {
            memory.at.iter().copied().chain(memory.into.map(|node| (Offset::Any, node)))
        })
    }

    fn content_made(&mut self, object: ObjectId, offset: Offset, node: NodeId) {
        for (range, from) in self.memory(object).copied.clone() {
            self.carry(range, Target { object, offset: from }, (offset, node));
        }
    }

    fn copy_from(&mut self, range: RangeId, from: Target) {
        if from.offset.is_outside() {
            return;
        }
        self.memory(from.object).copied.push((range, from.offset));
        let contents: Vec<(Offset, NodeId)> = self.contents_of(from.object).collect();
        for content in contents {
            self.carry(range, from, content);
        }
    }

    /// What is stored at one place is copied from a start.
    fn carry(&mut self, range: RangeId, from: Target, (at, content): (Offset, NodeId)) {
        let source = &self.objects.all[from.object];
        let distance = match (source.offsets_of(from.offset), source.offsets_of(at)) {
            (Some(start), Some(place)) => {
                let distance = place.minus(&start, self.ranges[range].length);
                if distance.is_none() {
                    return;
                }
                distance
            }
            _ => None,
        };
        if let Some(&carried) = self.ranges[range].carried.get(&distance) {
            return self.include(content, carried);
        }
        let carried = self.node();
        self.ranges[range].carried.insert(distance.clone(), carried);
        self.include(content, carried);
        let targets: Vec<Target> = self.targets(self.ranges[range].to).collect();
        for to in targets {
            self.deliver(carried, distance.as_ref(), to);
        }
    }

    fn copy_to(&mut self, range: RangeId, to: Target) {
        let carried: Vec<(Option<Offsets>, NodeId)> =
            self.ranges[range].carried.iter().map(|(d, &node)| (d.clone(), node)).collect();
        for (distance, node) in carried {
            self.deliver(node, distance.as_ref(), to);
        }
    }

    /// Copied contents arrive so far from the start of the copy.
    fn deliver(&mut self, content: NodeId, distance: Option<&Offsets>, to: Target) {
        let target = &self.objects.all[to.object];
        if !target.is_data() || to.offset.is_outside() {
            return;
        }
        let (Some(start), Some(distance)) = (target.offsets_of(to.offset), distance) else {
            let into = self.inflow(to.object);
            return self.include(content, into);
        };
        for offset in target.places(&start.plus(distance)) {
            if let Some(node) = self.written_to(Target { object: to.object, offset }) {
                self.include(content, node);
            }
        }
    }

    /// Makes one node of all nodes that include each other.
    pub fn merge_cycles(&mut self) {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (id, node) in self.nodes.iter() {
            let targets = node.copies.iter().map(|&to| self.find(to).index());
            edges.extend(targets.map(|to| (id.index(), to)));
        }
        let components = Graph::new(self.nodes.len(), &edges).components();
        for members in components.members {
            if let [first, rest @ ..] = members.as_slice()
                && !rest.is_empty()
            {
                for &other in rest {
                    self.merge(NodeId::from_index(*first), NodeId::from_index(other));
                }
            }
        }
    }

    fn merge(&mut self, keep: NodeId, other: NodeId) {
        if self.find(other) != other {
            return;
        }
        let gone = std::mem::take(&mut self.nodes[other]);
        self.equal[other.index()] = keep;
        let data = &mut self.nodes[keep];
        // Both lists of uses have to see all members.
        data.fresh |= std::mem::take(&mut data.set) | gone.set | gone.fresh;
        data.copies.extend(gone.copies);
        data.uses.extend(gone.uses);
        if !data.fresh.is_empty() {
            self.enqueue(keep);
        }
    }
}
