//! Which objects an expression reads and writes, so that no two unsequenced parts of one
//! expression ever disagree about an object: Lakatos evaluates left to right, a compiler as it
//! likes.

use std::collections::BTreeSet;

/// An object that no pointer reaches has its own number.
pub type ObjectId = u32;

/// All objects that pointers and other functions may reach, and the output, count as one.
pub const SHARED: ObjectId = 0;

#[derive(Clone, Debug, Default)]
pub struct Effect {
    reads: BTreeSet<ObjectId>,
    writes: BTreeSet<ObjectId>,
}

impl Effect {
    pub fn none() -> Effect {
        Effect::default()
    }

    pub fn read(object: ObjectId) -> Effect {
        Effect { reads: BTreeSet::from([object]), writes: BTreeSet::new() }
    }

    pub fn write(object: ObjectId) -> Effect {
        Effect { reads: BTreeSet::from([object]), writes: BTreeSet::from([object]) }
    }

    pub fn and(mut self, other: &Effect) -> Effect {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self
    }

    /// The two may not stand unsequenced beside each other.
    pub fn clashes(&self, other: &Effect) -> bool {
        let touches = |writes: &BTreeSet<u32>, e: &Effect| {
            !writes.is_disjoint(&e.reads) || !writes.is_disjoint(&e.writes)
        };
        touches(&self.writes, other) || touches(&other.writes, self)
    }

    pub fn writes(&self, object: ObjectId) -> bool {
        self.writes.contains(&object)
    }
}
