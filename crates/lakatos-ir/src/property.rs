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
}

impl Property {
    pub const ALL: [Property; 4] =
        [Property::UnreachCall, Property::NoOverflow, Property::DivByZero, Property::ArrayBounds];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::DivByZero => "div-by-zero",
            Property::ArrayBounds => "array-bounds",
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
