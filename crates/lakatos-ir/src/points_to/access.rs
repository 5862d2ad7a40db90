//! Accesses: what touches memory, how much of it, and how.

use std::ops::BitOr;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::layout::Tile;
use super::object::{Object, Objects, Offset, Target};
use super::offsets::Offsets;
use super::solver::NodeId;
use crate::ty::Type;

/// Reading, writing, giving back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Mode {
    pub read: bool,
    pub write: bool,
    pub free: bool,
}

impl Mode {
    pub const READ: Mode = Mode { read: true, write: false, free: false };
    pub const WRITE: Mode = Mode { read: false, write: true, free: false };
    pub const FREE: Mode = Mode { read: false, write: false, free: true };
}

impl BitOr for Mode {
    type Output = Mode;
    fn bitor(self, other: Mode) -> Mode {
        Mode {
            read: self.read || other.read,
            write: self.write || other.write,
            free: self.free || other.free,
        }
    }
}

/// What an access touches, from an address on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// A scalar. `bits`: it is a bit-field, and its neighbours are read and written with it.
    Scalar { ty: Type, size: u64, bits: bool },
    /// Some bytes; `None`: any number of them.
    Range { length: Option<u64>, unit: Unit },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    /// Moved or overwritten as they are; a multiple of the size of a pointer.
    Words,
    /// Moved or overwritten as they are, perhaps a part of something.
    Bytes,
    /// Looked at byte by byte.
    Data,
}

/// All that is known about what touches memory at one place of the program.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub addresses: Vec<NodeId>,
    pub what: What,
    pub mode: Mode,
}

impl Touch {
    pub fn new(what: What) -> Touch {
        Touch { addresses: Vec::new(), what, mode: Mode::default() }
    }
}

/// A part of an object, by positions: those of the first elements of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Piece {
    pub start: u64,
    pub end: u64,
}

impl Piece {
    pub fn size(&self) -> u64 {
        self.end - self.start
    }

    pub fn overlaps(&self, other: &Piece) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The parts of objects that scalars are in, found once for each place and size.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    known: FxHashMap<(Target, u64), Arc<[Piece]>>,
}

impl Pieces {
    /// The parts of its object that `size` bytes from a place on are in.
    pub fn of(&mut self, objects: &Objects, target: Target, size: u64) -> Arc<[Piece]> {
        let find = || scalar_pieces(&objects.all[target.object], target.offset, size).into();
        self.known.entry((target, size)).or_insert_with(find).clone()
    }
}

fn scalar_pieces(object: &Object, offset: Offset, size: u64) -> Vec<Piece> {
    let (at, spread) = match offset {
        Offset::At(at, spread) => (at, spread),
        Offset::End | Offset::Beyond | Offset::Out { .. } => return Vec::new(),
        Offset::Any => return range_pieces(object, offset, None),
    };
    let mut found = Vec::new();
    // An access that crosses the end of an element goes on at several places.
    let mut todo = vec![((at, spread), size)];
    let mut next = 0;
    while let Some(&(at, size)) = todo.get(next) {
        next += 1;
        add_piece(object, at, size, &mut found, &mut todo);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Adds the part in the tile at a position, and where the rest is.
fn add_piece(
    object: &Object,
    (at, spread): (u64, u8),
    size: u64,
    found: &mut Vec<Piece>,
    todo: &mut Vec<((u64, u8), u64)>,
) {
    let Some(tile) = object.layout.tile(at) else { return };
    if tile.blob {
        // It may begin anywhere in the blob, and end after it.
        let mut bytes = Offsets::at(0);
        bytes.add_steps(1, Some(size));
        let offsets = object.layout.offsets_of(at, spread).plus(&bytes);
        found.extend(object.tiles(&offsets).iter().map(Tile::piece));
        return;
    }
    if at + size <= tile.end() {
        found.push(Piece { start: at, end: at + size });
        return;
    }
    found.push(Piece { start: at, end: tile.end() });
    let inside = tile.end() - at;
    let rest = object.layout.offsets_of(at, spread).plus(&Offsets::at(inside.into()));
    for place in object.places(&rest) {
        if let Offset::At(at, spread) = place
            && !todo.contains(&((at, spread), size - inside))
        {
            todo.push(((at, spread), size - inside));
        }
    }
}

/// The tiles that a range of bytes from a place on touches.
pub(super) fn range_tiles(object: &Object, offset: Offset, length: Option<u64>) -> Vec<Tile> {
    let mut bytes = Offsets::at(0);
    let offsets = match object.offsets_of(offset) {
        Some(_) if length == Some(0) => return Vec::new(),
        Some(start) => {
            bytes.add_steps(1, length);
            start.plus(&bytes)
        }
        None => {
            bytes.add_steps(1, None);
            bytes
        }
    };
    object.tiles(&offsets)
}

pub(super) fn range_pieces(object: &Object, offset: Offset, length: Option<u64>) -> Vec<Piece> {
    range_tiles(object, offset, length).iter().map(Tile::piece).collect()
}
