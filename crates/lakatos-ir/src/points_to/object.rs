//! Abstract objects and the positions in them that pointers point to.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::layout::{Layout, Tile};
use super::offsets::{Offsets, gcd};
use crate::arena::{Arena, Id};
use crate::define_ids;
use crate::program::{EdgeId, ProcId, VarId};
use crate::ty::Type;

define_ids! {
    /// An abstract object.
    ObjectId = "o";
    /// A position in an abstract object.
    LocationId = "at";
    /// A way of moving a pointer.
    ShiftId = "by";
}

/// A pointer that may point to more places in one object counts as pointing to any.
const MOST_PLACES: usize = 16;

/// What stands for one or more objects of a run.
#[derive(Clone, Debug)]
pub struct Object {
    pub origin: Origin,
    /// The declared type; for memory from the heap what it is used for, as far as that is seen.
    pub ty: Option<Type>,
    /// In bytes; `None` where it depends on the run.
    pub size: Option<u64>,
    /// There is never more than one of it at a time.
    pub unique: bool,
    /// Its size is a multiple of that of a pointer.
    pub(super) whole_words: bool,
    pub(super) layout: Arc<Layout>,
}

/// Where an object comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A variable that is not a plain one: an aggregate, a string literal, or a scalar whose
    /// address is taken.
    Var(VarId),
    /// Memory from `malloc`, `calloc` or `realloc`, by the calls that lead to it: the last one is
    /// that of the library function, the ones before are calls of functions that allocate for
    /// others.
    Heap(Vec<(ProcId, EdgeId)>),
    /// Memory from `alloca`, or of a variable-length array.
    Alloca(Vec<(ProcId, EdgeId)>),
    Function(ProcId),
    /// Memory that is not the program's: what `main`'s arguments, results of external functions
    /// and integers point to.
    Outside,
}

/// Where a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    pub object: ObjectId,
    pub offset: Offset,
}

/// A place in an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offset {
    /// At an offset, and at the same offset in other elements of so many of the arrays around it,
    /// from the outermost on. The offset is that in the first elements.
    At(u64, u8),
    /// Just past the last byte.
    End,
    /// Further on: where a field would be, if the object were as large as its pointer's type says.
    /// There is nothing, but arithmetic may lead back.
    Beyond,
    /// Before the object or behind it, where arithmetic has led: at a multiple of `step` plus `rest`.
    /// There is nothing either, but the same steps lead back.
    Out { step: u64, rest: u64 },
    /// Anywhere in the object.
    Any,
}

impl Offset {
    /// There is nothing to be read or written.
    pub(super) fn is_outside(self) -> bool {
        matches!(self, Offset::End | Offset::Beyond | Offset::Out { .. })
    }
}

impl Object {
    /// The places that some offsets, counted from the object's start, are in.
    pub(super) fn places(&self, offsets: &Offsets) -> Vec<Offset> {
        let mut found = Vec::new();
        if let Some(inside) = offsets.below(self.size) {
            self.layout.visit(&inside, &mut |tile, offsets, spread| {
                if tile.blob {
                    found.push(Offset::At(tile.start, spread));
                    return;
                }
                let end = self.size.map_or(u64::MAX, |size| size.saturating_sub(tile.start));
                let list = offsets.list(tile.size.unwrap_or(u64::MAX).min(end));
                found.extend(list.into_iter().map(|at| Offset::At(tile.start + at, spread)));
            });
        }
        if self.size.is_some_and(|size| offsets.may_hold(size)) {
            found.push(Offset::End);
        }
        found
    }

    /// The offsets that a place stands for; nothing for any place.
    pub(super) fn offsets_of(&self, offset: Offset) -> Option<Offsets> {
        match offset {
            Offset::At(at, spread) => Some(self.layout.offsets_of(at, spread)),
            Offset::End => self.size.map(|size| Offsets::at(size.into())),
            Offset::Beyond => Some(Offsets::at(u64::MAX.into())),
            Offset::Out { step, rest } => Some(Offsets::at(rest.into()).anywhere_by(step)),
            Offset::Any => None,
        }
    }

    /// The tiles that have one of the offsets.
    pub(super) fn tiles(&self, offsets: &Offsets) -> Vec<Tile> {
        let mut found = Vec::new();
        if let Some(inside) = offsets.below(self.size) {
            self.layout.visit(&inside, &mut |tile, _, _| found.push(tile));
        }
        found
    }

    pub(super) fn is_data(&self) -> bool {
        !matches!(self.origin, Origin::Function(_))
    }
}

/// All objects and positions, each with a number.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub all: Arena<ObjectId, Object>,
    by_origin: FxHashMap<Origin, ObjectId>,
    locations: Arena<LocationId, Target>,
    numbers: FxHashMap<Target, LocationId>,
    shifts: IndexSet<Shift, FxBuildHasher>,
    moves: FxHashMap<(LocationId, ShiftId), Arc<[LocationId]>>,
}

impl Objects {
    pub fn get(&self, origin: &Origin) -> Option<ObjectId> {
        self.by_origin.get(origin).copied()
    }

    pub fn add(&mut self, object: Object) -> ObjectId {
        let origin = object.origin.clone();
        let id = self.all.push(object);
        self.by_origin.insert(origin, id);
        id
    }

    pub fn location(&mut self, target: Target) -> LocationId {
        let locations = &mut self.locations;
        *self.numbers.entry(target).or_insert_with(|| locations.push(target))
    }

    /// The start of an object.
    pub fn start(&mut self, object: ObjectId) -> LocationId {
        let offset = match self.all[object].size {
            Some(0) => Offset::End,
            _ => Offset::At(0, 0),
        };
        self.location(Target { object, offset })
    }

    pub fn target(&self, location: LocationId) -> Target {
        self.locations[location]
    }

    pub fn target_number(&self, number: u32) -> Target {
        self.locations[LocationId::from_index(number as usize)]
    }

    pub fn shift(&mut self, by: Shift) -> ShiftId {
        ShiftId::from_index(self.shifts.insert_full(by).0)
    }

    /// Where something is that is some offsets away.
    pub fn moved(&mut self, from: LocationId, by: ShiftId) -> Arc<[LocationId]> {
        if let Some(moved) = self.moves.get(&(from, by)) {
            return moved.clone();
        }
        let shift = self.shifts[by.index()].clone();
        let moved: Arc<[LocationId]> = self.find_moved(from, &shift).into();
        self.moves.insert((from, by), moved.clone());
        moved
    }

    /// Going to fields may lead out of the object.
    fn leaves(&self, Target { object, offset }: Target, by: &Shift) -> bool {
        let Shift::Place { fields: fields @ 1.., .. } = *by else { return false };
        let data = &self.all[object];
        let (Some(size), Some(start)) = (data.size, data.offsets_of(offset)) else { return false };
        !start.plus(&Offsets::at(fields.into())).are_below(size.saturating_add(1))
    }

    fn find_moved(&mut self, from: LocationId, by: &Shift) -> Vec<LocationId> {
        let Target { object, offset } = self.target(from);
        let is_field = matches!(by, Shift::Place { .. });
        let Some(offsets) =
            self.all[object].offsets_of(offset).filter(|_| is_field || offset != Offset::Beyond)
        else {
            return vec![self.location(Target { object, offset: Offset::Any })];
        };
        let moved = match by {
            Shift::By(by) | Shift::Along { by, .. } | Shift::Place { by, .. } => offsets.plus(by),
            Shift::Multiples(size) => offsets.anywhere_by(*size),
        };
        let moved = match offset {
            Offset::Out { step, .. } => moved.anywhere_by(step),
            _ => moved,
        };
        let mut places = self.all[object].places(&moved);
        if self.leaves(Target { object, offset }, by) {
            places.push(Offset::Beyond);
        }
        places.extend(self.out(object, offset, &moved, by));
        if places.len() > MOST_PLACES {
            places = vec![Offset::Any];
        }
        places.into_iter().map(|offset| self.location(Target { object, offset })).collect()
    }

    /// Where a pointer is that has left its object, if it may have.
    fn out(&self, object: ObjectId, from: Offset, moved: &Offsets, by: &Shift) -> Option<Offset> {
        let unit = match by {
            // What is accessed is inside.
            Shift::By(_) => return None,
            Shift::Along { unit, .. } => *unit,
            Shift::Multiples(size) => *size,
            Shift::Place { .. } => 0,
        };
        let stays = match self.all[object].size {
            Some(size) => moved.first() >= 0 && moved.are_below(size.saturating_add(1)),
            None => moved.first() >= 0 && !matches!(by, Shift::Multiples(_)),
        };
        let was_out = matches!(from, Offset::Out { .. });
        match gcd(unit, moved.step()) {
            _ if stays && !was_out => None,
            // A single position.
            0 => Some(Offset::Beyond),
            step => {
                let rest = moved.first().rem_euclid(step.into()) as u64;
                Some(Offset::Out { step, rest })
            }
        }
    }
}

/// How a pointer is moved within its object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shift {
    /// To what is accessed.
    By(Offsets),
    /// By arithmetic in elements of so many bytes.
    Along { by: Offsets, unit: u64 },
    /// To a place whose address is taken: so much of it are fields, and nobody has to care whether
    /// these are in the object.
    Place { by: Offsets, fields: u64 },
    /// By any multiple of a number of bytes, in either direction.
    Multiples(u64),
}
