//! Types after C: sizes, offsets and signedness are decided, names are gone.

use std::fmt;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Id};
use crate::define_ids;

define_ids! {
    /// An interned type, for the inside of compound types.
    TypeId = "t";
    /// A struct or union.
    RecordId = "r";
    /// A function type.
    SigId = "s";
}

/// Sizes of the basic types (DESIGN.md section 3): the two models of SV-COMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    Ilp32,
    #[default]
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    pub fn pointer_bits(self) -> u16 {
        self.pointer_bytes() as u16 * 8
    }

    /// The unsigned integer type as wide as a pointer (`size_t`, `uintptr_t`).
    pub fn size_type(self) -> IntType {
        IntType::unsigned(self.pointer_bits())
    }

    /// The signed integer type as wide as a pointer (`ptrdiff_t`).
    pub fn diff_type(self) -> IntType {
        IntType::signed(self.pointer_bits())
    }
}

/// A machine integer of 1 to 128 bits, two's complement. One unsigned bit is the truth value:
/// C's `_Bool`, the type of comparisons and of every condition. Widths other than 1, 8, 16, 32,
/// 64 and 128 are bit-fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntType {
    pub bits: u16,
    pub signed: bool,
}

impl IntType {
    pub const BOOL: IntType = IntType::unsigned(1);
    pub const I32: IntType = IntType::signed(32);
    pub const U8: IntType = IntType::unsigned(8);

    pub const fn signed(bits: u16) -> IntType {
        IntType { bits, signed: true }
    }

    pub const fn unsigned(bits: u16) -> IntType {
        IntType { bits, signed: false }
    }

    /// The bytes a variable of this type takes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits).div_ceil(8).next_power_of_two()
    }

    /// Smallest value. Values of 128-bit unsigned type are kept as the `i128` of the same bits.
    pub fn min(self) -> i128 {
        match (self.signed, self.bits) {
            (false, _) => 0,
            (true, bits) => i128::MIN >> (128 - bits),
        }
    }

    /// Largest value; for 128-bit unsigned see [`IntType::is_u128`].
    pub fn max(self) -> i128 {
        match (self.signed, self.bits) {
            (true, bits) => i128::MAX >> (128 - bits),
            (false, bits) => (u128::MAX >> (128 - bits)) as i128,
        }
    }

    /// The one type whose values do not fit `i128`: constants are stored as its bit pattern.
    pub fn is_u128(self) -> bool {
        !self.signed && self.bits == 128
    }

    /// The value of this type congruent to `value` modulo 2^bits (C's conversion to an unsigned
    /// type, and the compiler's to a signed one).
    pub fn wrap(self, value: i128) -> i128 {
        let shift = 128 - self.bits;
        match self.signed {
            true => (value << shift) >> shift,
            false => ((value as u128) << shift >> shift) as i128,
        }
    }

    pub fn contains(self, value: i128) -> bool {
        self.wrap(value) == value
    }
}

impl fmt::Debug for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatType {
    F32,
    F64,
    /// x87 `long double`: 10 bytes of value in 12 (ILP32) or 16 bytes.
    F80,
    F128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Int(IntType),
    Float(FloatType),
    Pointer(TypeId),
    /// Element type and number of elements; `None` for a flexible or unsized array, which has
    /// size 0 and is only ever reached through a pointer or as an external object.
    Array(TypeId, Option<u64>),
    Record(RecordId),
    Function(SigId),
}

impl Type {
    pub const BOOL: Type = Type::Int(IntType::BOOL);
    pub const I32: Type = Type::Int(IntType::I32);

    pub fn as_int(self) -> Option<IntType> {
        match self {
            Type::Int(int) => Some(int),
            _ => None,
        }
    }

    pub fn is_scalar(self) -> bool {
        matches!(self, Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    pub fn is_aggregate(self) -> bool {
        matches!(self, Type::Array(..) | Type::Record(_))
    }
}

/// A function's type as callers see it. `params` is `None` for `f()` without a prototype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub result: Type,
    pub params: Option<Vec<Type>>,
    pub variadic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: RecordKind,
    /// The C tag, or an invented name for an anonymous record.
    pub name: String,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// Declared but never defined: only pointers to it can be used.
    pub incomplete: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `None` for an anonymous member record (whose own fields have names).
    pub name: Option<String>,
    /// For a bit-field: an integer of the field's own width.
    pub ty: Type,
    /// Bytes from the start of the record. For a bit-field: the byte where its first bit is.
    pub offset: u64,
    /// For a bit-field: its lowest bit, counted from `offset` (0 to 7; little endian).
    pub bit: Option<u8>,
}

/// All types of a program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    pub model: DataModel,
    interned: IndexSet<Type, FxBuildHasher>,
    signatures: IndexSet<Signature, FxBuildHasher>,
    pub records: Arena<RecordId, Record>,
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types { model, ..Types::default() }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId::from_index(self.interned.insert_full(ty).0)
    }

    pub fn get(&self, id: TypeId) -> Type {
        self.interned[id.index()]
    }

    pub fn pointer_to(&mut self, ty: Type) -> Type {
        Type::Pointer(self.intern(ty))
    }

    pub fn array_of(&mut self, ty: Type, len: Option<u64>) -> Type {
        Type::Array(self.intern(ty), len)
    }

    pub fn function(&mut self, signature: Signature) -> Type {
        Type::Function(SigId::from_index(self.signatures.insert_full(signature).0))
    }

    pub fn signature(&self, id: SigId) -> &Signature {
        &self.signatures[id.index()]
    }

    /// What a pointer points to, or the element type of an array.
    pub fn inner(&self, ty: Type) -> Option<Type> {
        match ty {
            Type::Pointer(id) | Type::Array(id, _) => Some(self.get(id)),
            _ => None,
        }
    }

    /// Size in bytes. `void` and functions count 1, as in GNU C's pointer arithmetic.
    pub fn size(&self, ty: Type) -> u64 {
        match ty {
            Type::Void | Type::Function(_) => 1,
            Type::Int(int) => int.bytes(),
            Type::Float(FloatType::F32) => 4,
            Type::Float(FloatType::F64) => 8,
            Type::Float(FloatType::F80) => match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            Type::Float(FloatType::F128) => 16,
            Type::Pointer(_) => self.model.pointer_bytes(),
            Type::Array(elem, len) => self.size(self.get(elem)).saturating_mul(len.unwrap_or(0)),
            Type::Record(id) => self.records[id].size,
        }
    }

    /// A value of this type may contain a pointer.
    pub fn has_pointer(&self, ty: Type) -> bool {
        match ty {
            Type::Pointer(_) => true,
            Type::Array(elem, _) => self.has_pointer(self.get(elem)),
            Type::Record(id) => self.records[id].fields.iter().any(|f| self.has_pointer(f.ty)),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
        }
    }

    /// Structural equality that looks through interning, with `f()` compatible to every
    /// parameter list: which functions a function pointer may mean.
    pub fn compatible_signatures(&self, a: SigId, b: SigId) -> bool {
        let (a, b) = (self.signature(a), self.signature(b));
        a.result == b.result
            && match (&a.params, &b.params) {
                (Some(x), Some(y)) => x == y && a.variadic == b.variadic,
                _ => true,
            }
    }
}
