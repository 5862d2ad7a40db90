//! Which pointers may become integers: where memory that holds a pointer is not accessed as that
//! pointer, but through another type, byte by byte, or in part.
//!
//! It is looked at when everything else is solved; what is found may lead to more.

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Piece, Touch, Unit, What, range_pieces, scalar_pieces};
use super::build::Builder;
use super::layout::is_aligned;
use super::object::{Object, ObjectId, Offset, Target};
use super::solver::NodeId;
use crate::ty::Type;

/// A stored pointer: where, the set of what it points to, and the bytes it is in.
type Stored = (Offset, NodeId, Vec<Piece>);

impl Builder<'_> {
    /// Exposes what accesses reveal; whether there was anything new.
    pub(super) fn expose(&mut self) -> bool {
        let word = self.program.types.model.pointer_bytes();
        let mut stored: FxHashMap<ObjectId, Vec<Stored>> = FxHashMap::default();
        let mut revealed: Vec<NodeId> = Vec::new();
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
                        .or_insert_with(|| self.pointers_in(target.object, word));
                    if !pointers.is_empty() {
                        let object = &self.solver.objects.all[target.object];
                        reveal(object, target, touch, word, pointers, &mut revealed);
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

    fn pointers_in(&self, object: ObjectId, word: u64) -> Vec<Stored> {
        let data = &self.solver.objects.all[object];
        let contents = self.solver.contents_of(object);
        contents
            .filter(|&(_, node)| !self.solver.is_empty(node))
            .map(|(offset, node)| (offset, node, scalar_pieces(data, offset, word)))
            .collect()
    }
}

/// Adds the pointers of an object that an access to a place in it reveals.
fn reveal(
    object: &Object,
    target: Target,
    touch: &Touch,
    word: u64,
    pointers: &[Stored],
    revealed: &mut Vec<NodeId>,
) {
    let mode = touch.mode;
    let aligned = object.offsets_of(target.offset).is_some_and(|o| is_aligned(&o, word));
    let mut add = |pieces: Vec<Piece>, but: Option<Offset>| {
        let touched = |stored: &&Stored| {
            Some(stored.0) != but && stored.2.iter().any(|a| pieces.iter().any(|b| a.overlaps(b)))
        };
        revealed.extend(pointers.iter().filter(touched).map(|stored| stored.1));
    };
    match touch.what {
        What::Scalar { ty: Type::Pointer(_), size, .. } => {
            let pieces = scalar_pieces(object, target.offset, size);
            if !aligned {
                add(pieces, None);
            } else if mode.read {
                add(pieces, Some(target.offset));
            }
        }
        What::Scalar { size, bits, .. } => {
            if mode.read || bits || size < word {
                add(scalar_pieces(object, target.offset, size), None);
            }
        }
        What::Range { length, unit } => {
            let whole = unit == Unit::Words && (!mode.free || object.whole_words);
            let covers = whole || length.is_some_and(|length| length >= word);
            let reveals = match (mode.read, mode.write) {
                (true, _) => !whole || !aligned,
                (false, true) => !covers || !aligned,
                (false, false) => false,
            };
            if reveals {
                add(range_pieces(object, target.offset, length), None);
            }
        }
    }
}
