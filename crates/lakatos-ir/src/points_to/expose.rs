//! Which pointers may become integers: where memory that holds a pointer is not accessed as that
//! pointer, but through another type, byte by byte, or in part.
//!
//! It is looked at when everything else is solved; what is found may lead to more.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Piece, Pieces, Touch, Unit, What, range_pieces};
use super::build::Builder;
use super::layout::is_aligned;
use super::object::{ObjectId, Objects, Offset, Target};
use super::solver::{NodeId, Solver};
use crate::ty::Type;

/// A stored pointer: where, the set of what it points to, and the bytes it is in.
type Stored = (Offset, NodeId, Arc<[Piece]>);

impl Builder<'_> {
    /// Exposes what accesses reveal; whether there was anything new.
    pub(super) fn expose(&mut self) -> bool {
        let word = self.program.types.model.pointer_bytes();
        let mut stored: FxHashMap<ObjectId, Vec<Stored>> = FxHashMap::default();
        let mut revealed: Vec<NodeId> = Vec::new();
        let pieces = &mut self.pieces;
        let mut sets = FxHashSet::default();
        let mut seen = FxHashSet::default();
        for touch in self.touches.values() {
            for &address in &touch.addresses {
                if !sets.insert((self.solver.find(address), touch.what, touch.mode)) {
                    continue;
                }
                for target in self.solver.targets(address) {
                    if !seen.insert((target, touch.what, touch.mode)) {
                        continue;
                    }
                    let pointers = stored
                        .entry(target.object)
                        .or_insert_with(|| stored_in(&self.solver, pieces, target.object, word));
                    if !pointers.is_empty() {
                        let objects = &self.solver.objects;
                        let found = reveal(objects, pieces, target, touch, word, pointers);
                        revealed.extend(found);
                    }
                }
            }
        }
        revealed.sort_unstable();
        revealed.dedup();
        let mut found = false;
        for node in revealed {
            found |= self.solver.expose(node);
        }
        found
    }
}

fn stored_in(solver: &Solver, pieces: &mut Pieces, object: ObjectId, word: u64) -> Vec<Stored> {
    let contents = solver.contents_of(object).filter(|&(_, node)| !solver.is_empty(node));
    contents
        .map(|(offset, node)| {
            let target = Target { object, offset };
            (offset, node, pieces.of(&solver.objects, target, word))
        })
        .collect()
}

/// The pointers stored in an object that an access to a place in it reveals.
fn reveal(
    objects: &Objects,
    pieces: &mut Pieces,
    target: Target,
    touch: &Touch,
    word: u64,
    pointers: &[Stored],
) -> Vec<NodeId> {
    let object = &objects.all[target.object];
    let mode = touch.mode;
    let aligned = object.offsets_of(target.offset).is_some_and(|o| is_aligned(&o, word));
    let touched = |pieces: &[Piece], but: Offset| {
        let overlaps = |stored: &&Stored| {
            !same_place(stored.0, but)
                && stored.2.iter().any(|a| pieces.iter().any(|b| a.overlaps(b)))
        };
        pointers.iter().filter(overlaps).map(|stored| stored.1).collect()
    };
    match touch.what {
        What::Scalar { ty: Type::Pointer(_), size, .. } => {
            let pieces = pieces.of(objects, target, size);
            match (aligned, mode.read) {
                (false, _) => touched(&pieces, Offset::End),
                (true, true) => touched(&pieces, target.offset),
                (true, false) => Vec::new(),
            }
        }
        What::Scalar { size, bits, .. } => match mode.read || bits || size < word {
            true => touched(&pieces.of(objects, target, size), Offset::End),
            false => Vec::new(),
        },
        What::Range { length, unit } => {
            let whole = unit == Unit::Words && (!mode.free || object.whole_words);
            let covers = whole || length.is_some_and(|length| length >= word);
            let reveals = match (mode.read, mode.write) {
                (true, _) => !whole || !aligned,
                (false, true) => !covers || !aligned,
                (false, false) => false,
            };
            match reveals {
                true => touched(&range_pieces(object, target.offset, length), Offset::End),
                false => Vec::new(),
            }
        }
    }
}

/// In the same place of an element, whichever it is.
fn same_place(a: Offset, b: Offset) -> bool {
    matches!((a, b), (Offset::At(a, _), Offset::At(b, _)) if a == b)
}
