//! Properties, and what it means to violate one.

use std::fmt;
use std::str::FromStr;

use crate::expr::Undefined;
use crate::source::Span;

/// What can be asked of a program. A pass turns a property into error locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// No error function is called, no assertion fails.
    UnreachCall,
    /// No signed integer overflow.
    NoOverflow,
    DivByZero,
    /// Every index into an array whose type gives its length is within it. Accesses through
    /// pointers (variable-length arrays and flexible members among them) are not looked at.
    ArrayBounds,
    /// Every read and write is within an object that is alive.
    ValidDeref,
    /// What is freed is null, or the start of an object on the heap that is alive.
    ValidFree,
    /// No memory on the heap is lost: when the program ends, what was not freed can be reached.
    ValidMemtrack,
    /// The three before, as SV-COMP asks for them.
    ValidMemsafety,
    /// No read or write goes through a null pointer.
    NullDeref,
    /// No object is read or written after its lifetime.
    UseAfterFree,
    /// Nothing is read that was never written: no local variable, and no memory from `malloc` or
    /// `alloca` (docs/semantics.md says what counts as a read).
    UninitialisedRead,
}

impl Property {
    pub const ALL: [Property; 11] = [
        Property::UnreachCall,
        Property::NoOverflow,
        Property::DivByZero,
        Property::ArrayBounds,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemsafety,
        Property::NullDeref,
        Property::UseAfterFree,
        Property::UninitialisedRead,
    ];
    /// Those that say all that the others say, each thing once.
    pub const DISTINCT: [Property; 8] = [
        Property::UnreachCall,
        Property::NoOverflow,
        Property::DivByZero,
        Property::ArrayBounds,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::UninitialisedRead,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::DivByZero => "div-by-zero",
            Property::ArrayBounds => "array-bounds",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemsafety => "valid-memsafety",
            Property::NullDeref => "null-deref",
            Property::UseAfterFree => "use-after-free",
            Property::UninitialisedRead => "uninitialised-read",
        }
    }

    /// It is about pointers and what they point to, or about what is in memory. Where a pointer
    /// points does not matter to these: only its use does.
    pub fn is_about_memory(self) -> bool {
        match self {
            Property::UnreachCall
            | Property::NoOverflow
            | Property::DivByZero
            | Property::ArrayBounds => false,
            Property::ValidDeref
            | Property::ValidFree
            | Property::ValidMemtrack
            | Property::ValidMemsafety
            | Property::NullDeref
            | Property::UseAfterFree
            | Property::UninitialisedRead => true,
        }
    }

    /// It says what the other one says, and maybe more.
    pub fn includes(self, other: Property) -> bool {
        let parts = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
        self == other || self == Property::ValidMemsafety && parts.contains(&other)
    }

    /// A run that is undefined in this way violates it. Where an access is meant by
    /// [`Undefined::OutOfBounds`], pointer arithmetic must not be.
    pub fn is_violated_by(self, kind: Undefined) -> bool {
        match kind {
            Undefined::SignedOverflow | Undefined::ShiftOverflow => self == Property::NoOverflow,
            Undefined::DivByZero => self == Property::DivByZero,
            Undefined::OutOfBounds => {
                self == Property::ArrayBounds || self.includes(Property::ValidDeref)
            }
            Undefined::NullDeref => {
                self == Property::NullDeref || self.includes(Property::ValidDeref)
            }
            Undefined::Dangling => {
                self == Property::UseAfterFree || self.includes(Property::ValidDeref)
            }
            Undefined::WildPointer | Undefined::ReadOnly => self.includes(Property::ValidDeref),
            Undefined::Uninitialised => self == Property::UninitialisedRead,
            Undefined::InvalidFree => self.includes(Property::ValidFree),
            Undefined::ShiftOutOfRange
            | Undefined::BadCall
            | Undefined::FloatToInt
            | Undefined::Unreachable
            | Undefined::UnrelatedPointers
            | Undefined::Overlap => false,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown property `{0}`")]
pub struct UnknownProperty(pub String);

impl FromStr for Property {
    type Err = UnknownProperty;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Property::ALL
            .into_iter()
            .find(|p| p.name() == name)
            .ok_or_else(|| UnknownProperty(name.to_owned()))
    }
}

/// The reason a location is an error location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: Property,
    /// The undefined behaviour, where the property is about one.
    pub undefined: Option<Undefined>,
    /// The call, or the operation that is undefined.
    pub span: Span,
    /// For a person: "`reach_error` is called", "`a + b` overflows `int`".
    pub message: String,
}
