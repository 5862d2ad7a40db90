//! Values: what an expression evaluates to.

use std::hash::{Hash, Hasher};

use super::memory::ObjectId;
use crate::ty::{FloatType, Type};

/// A scalar. The type that says how to read it is the expression's or the place's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// In the range of its type; an unsigned 128-bit one as its bit pattern.
    Int(i128),
    /// A `float` is kept in the `f64` that equals it.
    Float(f64),
    Pointer(Pointer),
    /// Never written. Only where that is looked for
    /// ([`Options::uninitialised`](super::Options)).
    Indeterminate,
    /// An integer from outside that is not chosen yet, by its number. Only in slots, and only if
    /// [`Options::exhaustive`](super::Options).
    Pending(u32),
}

impl Value {
    /// Adds it to a digest.
    pub(super) fn digest(self, into: &mut impl Hasher) {
        match self {
            Value::Int(value) => value.hash(into),
            Value::Float(value) => value.to_bits().hash(into),
            Value::Pointer(pointer) => (pointer.address, pointer.object.parts().0).hash(into),
            Value::Indeterminate => u64::MAX.hash(into),
            Value::Pending(number) => (u64::MAX - 1, number).hash(into),
        }
    }

    /// The scalar whose bytes are all zero.
    pub(super) fn zero(ty: Type) -> Value {
        match ty {
            Type::Float(_) => Value::Float(0.0),
            Type::Pointer(_) => Value::Pointer(Pointer::NULL),
            _ => Value::Int(0),
        }
    }
}

/// An address together with the object it was made from (its provenance): arithmetic can leave
/// the object only into [`Undefined`](crate::expr::Undefined), never into a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub(super) address: u64,
    pub(super) object: ObjectId,
}

impl Pointer {
    pub const NULL: Pointer = Pointer::wild(0);

    /// A pointer to no object.
    pub const fn wild(address: u64) -> Pointer {
        Pointer { address, object: ObjectId::NONE }
    }

    pub fn address(self) -> u64 {
        self.address
    }

    pub fn is_null(self) -> bool {
        self.address == 0
    }
}

/// The number by which a floating input is given: the bits of its `float` or `double`. Wider
/// types are given by the `double` that equals them.
pub fn float_input(value: f64, ty: FloatType) -> i128 {
    match ty {
        FloatType::F32 => i128::from((value as f32).to_bits()),
        _ => i128::from(value.to_bits()),
    }
}

/// The inverse of [`float_input`].
pub(super) fn float_from_input(input: i128, ty: FloatType) -> f64 {
    match ty {
        FloatType::F32 => f64::from(f32::from_bits(input as u32)),
        _ => f64::from_bits(input as u64),
    }
}
