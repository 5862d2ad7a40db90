//! The partition of memory into regions.
//!
//! Scalar accesses that overlap make *cells*; cells that one scalar access may touch are in one
//! *region*. Accesses to ranges of bytes (copies of structures, `memcpy`, strings) touch many cells,
//! each for itself, so they make no regions one; where nothing else touches memory, they have cells
//! of their own. Padding has cells only where something looks at its bytes.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::access::{Piece, Pieces, Touch, Unit, What, range_tiles};
use super::layout::{EVERYWHERE, Tile};
use super::object::{Object, ObjectId, Offset, Origin};
use super::offsets::Offsets;
use super::solver::{NodeId, Solver};
use crate::arena::{Arena, Id};
use crate::define_ids;
use crate::interpret::Accessor;
use crate::ty::Type;

define_ids! {
    CellId = "c";
    RegionId = "r";
}

/// A part of an abstract object that is accessed as one; in an array, of all elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub object: ObjectId,
    /// Of the first element, where it is in an array.
    pub offset: u64,
    /// `None`: without end.
    pub size: Option<u64>,
    pub region: RegionId,
}

/// Cells that no access outside of it touches.
#[derive(Clone, Debug)]
pub struct Region {
    pub cells: Vec<CellId>,
    pub shape: Shape,
    /// One scalar of one object, which may stand for several that exist.
    pub scalar: bool,
    /// One scalar that exists once at most: a write to it changes it for certain.
    pub single: bool,
    pub read: bool,
    pub written: bool,
    /// Its memory may be given back.
    pub freed: bool,
    /// A copy of an aggregate, or a function of the library, touches many bytes of it at once.
    pub bulk: bool,
    /// Such an access may touch a part of a cell.
    pub bytewise: bool,
}

/// How the cells of a region are accessed, apart from bulk accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As scalars of one type. (Pointers of different types are of one type here.)
    Typed(Type),
    /// As scalars of so many bytes, of different types.
    Sized(u64),
    /// As parts of different sizes, or overlapping.
    Bytes,
}

impl Shape {
    fn join(self, other: Shape, size: impl Fn(Type) -> u64) -> Shape {
        let bytes = |shape: Shape| match shape {
            Shape::Typed(ty) => Some(size(ty)),
            Shape::Sized(bytes) => Some(bytes),
            Shape::Bytes => None,
        };
        match (self, other) {
            (Shape::Typed(a), Shape::Typed(b)) if same(a, b) => self,
            _ if bytes(self) != bytes(other) => Shape::Bytes,
            _ => bytes(self).map_or(Shape::Bytes, Shape::Sized),
        }
    }
}

fn same(a: Type, b: Type) -> bool {
    a == b || matches!((a, b), (Type::Pointer(_), Type::Pointer(_)))
}

/// What an access may touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// In order. Empty if it is never executed without undefined behaviour.
    pub cells: Vec<CellId>,
    /// In order; at most one for an access to a scalar.
    pub regions: Vec<RegionId>,
    pub reads: bool,
    pub writes: bool,
    pub frees: bool,
}

#[derive(Debug)]
pub(super) struct Partition {
    pub cells: Arena<CellId, Cell>,
    pub regions: Arena<RegionId, Region>,
    pub accesses: IndexMap<Accessor, Access, FxBuildHasher>,
    /// The number of the first cell of each object, and the number of all.
    pub first: Vec<usize>,
}

/// A cell that is not numbered yet.
struct Draft {
    piece: Piece,
    shape: Shape,
}

/// The tiles that a number of bytes from an address on are in.
type Ranges = FxHashMap<(NodeId, Option<u64>), Vec<(ObjectId, Tile)>>;

struct Maker<'a> {
    solver: &'a Solver,
    pieces: &'a mut Pieces,
    /// By object, in order of offsets.
    drafts: Vec<Vec<Draft>>,
    /// The number of the first cell of each object.
    first: Vec<usize>,
    scalars: FxHashMap<(NodeId, u64), Vec<(ObjectId, Piece)>>,
    ranges: Ranges,
}

pub(super) fn partition(
    solver: &Solver,
    pieces: &mut Pieces,
    touches: &IndexMap<Accessor, Touch, FxBuildHasher>,
    size: impl Fn(Type) -> u64 + Copy,
) -> Partition {
    let mut maker = Maker {
        solver,
        pieces,
        drafts: solver.objects.all.ids().map(|_| Vec::new()).collect(),
        first: Vec::new(),
        scalars: FxHashMap::default(),
        ranges: FxHashMap::default(),
    };
    maker.scalar_cells(touches, size);
    maker.bulk_cells(touches);
    maker.number();
    let touched: Vec<Vec<usize>> = touches.values().map(|touch| maker.touched(touch)).collect();
    let mut groups = Groups::new(maker.first[solver.objects.all.len()]);
    for (touch, cells) in touches.values().zip(&touched) {
        if let (What::Scalar { .. }, [first, rest @ ..]) = (touch.what, cells.as_slice()) {
            rest.iter().for_each(|&cell| groups.unite(*first, cell));
        }
    }
    let mut partition = maker.regions(groups, size);
    for ((by, touch), cells) in touches.iter().zip(touched) {
        for cell in maker.touched_in_part(touch, &cells) {
            let region = partition.cells[CellId::from_index(cell)].region;
            partition.regions[region].bytewise = true;
        }
        partition.add_access(*by, touch, cells);
    }
    partition
}

impl Maker<'_> {
    fn object(&self, id: ObjectId) -> &Object {
        &self.solver.objects.all[id]
    }

    /// The parts that a scalar access through an address touches.
    fn scalar(&mut self, address: NodeId, bytes: u64) -> &[(ObjectId, Piece)] {
        let address = self.solver.find(address);
        let (solver, known) = (self.solver, &mut *self.pieces);
        self.scalars.entry((address, bytes)).or_insert_with(|| {
            let mut found = IndexSet::<_, FxBuildHasher>::default();
            for target in solver.targets(address) {
                let object = &solver.objects.all[target.object];
                if object.is_data() {
                    let pieces = known.of(&solver.objects, target, bytes);
                    found.extend(pieces.iter().map(|&piece| (target.object, piece)));
                }
            }
            found.into_iter().collect()
        })
    }

    fn range(&mut self, address: NodeId, length: Option<u64>, whole: bool) -> &[(ObjectId, Tile)] {
        let address = self.solver.find(address);
        let solver = self.solver;
        // What is given back is all of an object.
        let key = (address, if whole { Some(u64::MAX) } else { length });
        self.ranges.entry(key).or_insert_with(|| {
            let mut found = Vec::new();
            for target in solver.targets(address) {
                let object = &solver.objects.all[target.object];
                let offset = if whole { Offset::Any } else { target.offset };
                if object.is_data() {
                    let tiles = range_tiles(object, offset, length);
                    found.extend(tiles.into_iter().map(|tile| (target.object, tile)));
                }
            }
            found.sort_unstable_by_key(|(object, tile)| (*object, tile.start));
            found.dedup();
            found
        })
    }

    /// Cells of everything that scalar accesses touch.
    fn scalar_cells(
        &mut self,
        touches: &IndexMap<Accessor, Touch, FxBuildHasher>,
        size: impl Fn(Type) -> u64 + Copy,
    ) {
        let mut seen: IndexMap<(ObjectId, Piece), Shape, FxBuildHasher> = IndexMap::default();
        for touch in touches.values() {
            let What::Scalar { ty, size: bytes, bits } = touch.what else { continue };
            for &address in &touch.addresses {
                let anywhere = self.solver.targets(address).any(|t| t.offset == Offset::Any);
                for &(object, piece) in self.scalar(address, bytes) {
                    let fits = piece.end - piece.start == bytes && !bits && !anywhere;
                    let shape = if fits { Shape::Typed(ty) } else { Shape::Bytes };
                    let entry = seen.entry((object, piece)).or_insert(shape);
                    *entry = entry.join(shape, size);
                }
            }
        }
        seen.sort_unstable_keys();
        for ((object, piece), shape) in seen {
            let drafts = &mut self.drafts[object.index()];
            match drafts.last_mut() {
                Some(last) if last.piece.overlaps(&piece) => {
                    last.piece.end = last.piece.end.max(piece.end);
                    last.shape = Shape::Bytes;
                }
                _ => drafts.push(Draft { piece, shape }),
            }
        }
    }

    /// Cells of what only bulk accesses touch.
    fn bulk_cells(&mut self, touches: &IndexMap<Accessor, Touch, FxBuildHasher>) {
        let mut tiles: IndexMap<(ObjectId, u64), Tile, FxBuildHasher> = IndexMap::default();
        for touch in touches.values() {
            let What::Range { length, unit } = touch.what else { continue };
            if touch.mode.free && !touch.mode.read {
                continue;
            }
            for &address in &touch.addresses {
                for &(object, tile) in self.range(address, length, false) {
                    if !tile.padding || unit == Unit::Data {
                        tiles.insert((object, tile.start), tile);
                    }
                }
            }
        }
        for ((object, _), tile) in tiles {
            self.fill(object, tile);
        }
    }

    /// Cells for what has none in a tile.
    fn fill(&mut self, object: ObjectId, tile: Tile) {
        let drafts = &mut self.drafts[object.index()];
        let mut at = tile.start;
        let mut gaps = Vec::new();
        let inside = drafts.iter().filter(|d| d.piece.start < tile.end() && d.piece.end > at);
        for draft in inside.collect::<Vec<_>>() {
            gaps.push(Piece { start: at, end: draft.piece.start });
            at = at.max(draft.piece.end);
        }
        gaps.push(Piece { start: at, end: tile.end() });
        gaps.retain(|gap| gap.start < gap.end);
        for piece in gaps {
            let whole = piece.start == tile.start && piece.end == tile.end();
            let shape = match tile.scalar {
                Some(ty) if whole => Shape::Typed(ty),
                _ => Shape::Bytes,
            };
            let place = drafts.partition_point(|d| d.piece.start < piece.start);
            drafts.insert(place, Draft { piece, shape });
        }
    }

    fn number(&mut self) {
        let mut next = 0;
        for drafts in &self.drafts {
            self.first.push(next);
            next += drafts.len();
        }
        self.first.push(next);
    }

    /// The cells of an object that overlap a part.
    fn overlapping(&self, object: ObjectId, piece: Piece) -> std::ops::Range<usize> {
        let drafts = &self.drafts[object.index()];
        let first = self.first[object.index()];
        let start = drafts.partition_point(|d| d.piece.end <= piece.start);
        let end = drafts.partition_point(|d| d.piece.start < piece.end);
        first + start..first + end.max(start)
    }

    fn touched(&mut self, touch: &Touch) -> Vec<usize> {
        let mut cells: Vec<usize> = Vec::new();
        for &address in &touch.addresses {
            let parts: Vec<(ObjectId, Piece)> = match touch.what {
                What::Scalar { size, .. } => self.scalar(address, size).to_vec(),
                What::Range { length, .. } => {
                    let tiles = self.range(address, length, touch.mode.free);
                    tiles.iter().map(|(object, tile)| (*object, tile.piece())).collect()
                }
            };
            for (object, piece) in parts {
                cells.extend(self.overlapping(object, piece));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Those of the touched cells of which a bulk access may touch a part only.
    fn touched_in_part(&self, touch: &Touch, cells: &[usize]) -> Vec<usize> {
        let What::Range { length, unit } = touch.what else { return Vec::new() };
        let length = match (length, unit) {
            (None, Unit::Words) => return Vec::new(),
            (Some(length), Unit::Words | Unit::Bytes) => length,
            _ => {
                let is_byte = |cell: &usize| self.draft(*cell).piece.size() == 1;
                return cells.iter().copied().filter(|cell| !is_byte(cell)).collect();
            }
        };
        let mut found = Vec::new();
        for &address in &touch.addresses {
            for target in self.solver.targets(address) {
                let object = self.object(target.object);
                let Some(start) = object.offsets_of(target.offset) else {
                    return cells.to_vec();
                };
                let end = start.plus(&Offsets::at(length.into()));
                // It begins, or ends, within a tile.
                for place in [start, end].iter().flat_map(|at| object.places(at)) {
                    let Offset::At(at, _) = place else { continue };
                    let Some(tile) = object.layout.tile(at) else { continue };
                    if tile.start != at {
                        found.extend(self.overlapping(target.object, tile.piece()));
                    }
                }
            }
        }
        found
    }

    fn draft(&self, cell: usize) -> &Draft {
        let object = self.first.partition_point(|&first| first <= cell) - 1;
        &self.drafts[object][cell - self.first[object]]
    }

    fn regions(&self, mut groups: Groups, size: impl Fn(Type) -> u64 + Copy) -> Partition {
        let mut numbers: FxHashMap<usize, RegionId> = FxHashMap::default();
        let mut cells: Arena<CellId, Cell> = Arena::new();
        let mut regions: Arena<RegionId, Region> = Arena::new();
        for (object, drafts) in self.solver.objects.all.ids().zip(&self.drafts) {
            for draft in drafts {
                let group = groups.find(cells.len());
                let region =
                    *numbers.entry(group).or_insert_with(|| regions.push(Region::new(draft.shape)));
                let Piece { start, end } = draft.piece;
                let bytes = (end != u64::MAX).then(|| end - start);
                let cell = cells.push(Cell { object, offset: start, size: bytes, region });
                let data = &mut regions[region];
                data.cells.push(cell);
                data.shape = data.shape.join(draft.shape, size);
            }
        }
        for (_, region) in regions.iter_mut() {
            if let [cell] = region.cells.as_slice()
                && region.shape != Shape::Bytes
            {
                let Cell { object, offset, .. } = cells[*cell];
                let object = self.object(object);
                region.scalar = object.layout.offsets_of(offset, EVERYWHERE).single().is_some();
                region.single =
                    region.scalar && object.unique && matches!(object.origin, Origin::Var(_));
            }
        }
        let first = self.first.clone();
        Partition { cells, regions, accesses: IndexMap::default(), first }
    }
}

impl Region {
    fn new(shape: Shape) -> Region {
        Region {
            cells: Vec::new(),
            shape,
            scalar: false,
            single: false,
            read: false,
            written: false,
            freed: false,
            bulk: false,
            bytewise: false,
        }
    }
}

impl Partition {
    fn add_access(&mut self, by: Accessor, touch: &Touch, cells: Vec<usize>) {
        let cells: Vec<CellId> = cells.into_iter().map(CellId::from_index).collect();
        let mut regions: Vec<RegionId> = cells.iter().map(|&c| self.cells[c].region).collect();
        regions.sort_unstable();
        regions.dedup();
        for &cell in &cells {
            let region = &mut self.regions[self.cells[cell].region];
            region.read |= touch.mode.read;
            region.written |= touch.mode.write;
            region.freed |= touch.mode.free;
            if let What::Range { .. } = touch.what {
                region.bulk |= touch.mode.read || touch.mode.write;
            }
        }
        let (reads, writes, frees) = (touch.mode.read, touch.mode.write, touch.mode.free);
        self.accesses.insert(by, Access { cells, regions, reads, writes, frees });
    }
}

/// Disjoint sets of numbers.
struct Groups {
    above: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups { above: (0..count).collect() }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.above[at] != at {
            self.above[at] = self.above[self.above[at]];
            at = self.above[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.above[a.max(b)] = a.min(b);
    }
}
