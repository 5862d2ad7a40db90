//! Alignment of types, as GCC has it on x86-64 and, in the 32-bit model, on i386.
//!
//! A type has an alignment of its own (GCC's `TYPE_ALIGN`, which `__alignof__` gives). In records
//! of the 32-bit ABI, and for `_Alignof`, 8-byte integers and `double` are aligned to 4 only,
//! unless the alignment is the user's or the type is atomic.

use lakatos_ir::{DataModel, RecordKind};

use crate::types::{ArrayLen, CTypes, FloatKind, IntKind, RecordId, Ty, TypeKind};

/// What `aligned` without a number means: the largest alignment of any type of the target.
pub const BIGGEST_ALIGNMENT: u64 = 16;

/// What the 32-bit ABI aligns 8-byte numbers to inside records.
const FIELD_ALIGNMENT_32: u64 = 4;

/// How GCC holds values of a type (its machine mode, as far as layout depends on it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Integer,
    Float(FloatKind),
    Complex(FloatKind),
    /// Only in memory.
    Block,
}

impl CTypes {
    /// `_Alignof` of the type.
    pub fn align(&self, ty: Ty) -> u64 {
        let align = self.own_alignment(ty);
        if self.has_user_align(ty) { align } else { self.field_alignment(ty, align) }
    }

    /// What the 32-bit ABI makes of an alignment inside a record.
    pub fn field_alignment(&self, ty: Ty, align: u64) -> u64 {
        match self.is_less_aligned_in_records(ty) {
            true => align.min(FIELD_ALIGNMENT_32),
            false => align,
        }
    }

    /// The alignment that objects of the type have by themselves; `__alignof__` of the type.
    pub fn own_alignment(&self, ty: Ty) -> u64 {
        let align = self.plain_alignment(ty);
        match self.quals(ty).is_atomic {
            true => align.max(self.atomic_align(ty)),
            false => align,
        }
    }

    /// The alignment but for `_Atomic`, which in GCC does not raise that of an array.
    fn plain_alignment(&self, ty: Ty) -> u64 {
        match (self.own_align(ty), self.kind(ty)) {
            (Some(align), _) => align,
            (None, TypeKind::Void | TypeKind::Function(_)) => 1,
            (None, TypeKind::Array(elem, _)) => self.plain_alignment(elem),
            (None, TypeKind::Record(id)) => self.records[id].align,
            (None, TypeKind::VaList) => self.model.pointer_bytes(),
            (None, TypeKind::Opaque(opaque)) => opaque.align(),
            (None, TypeKind::Float(kind) | TypeKind::Complex(kind)) => self.plain_float_align(kind),
            // System V ABI: wide ones are arrays of 64-bit numbers.
            (None, TypeKind::Int(IntKind::BitInt { .. })) => self.size(ty).unwrap_or(1).min(8),
            (None, TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Pointer(_)) => {
                self.size(ty).unwrap_or(1)
            }
        }
    }

    pub fn plain_float_align(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::LongDouble, DataModel::Ilp32) => 4,
            (FloatKind::LongDouble | FloatKind::Float128, _) => 16,
            (FloatKind::Float | FloatKind::Double, _) => self.float_size(kind),
        }
    }

    /// Atomic objects of these sizes are aligned to their size.
    fn atomic_align(&self, ty: Ty) -> u64 {
        let has_core = |size: &u64| matches!(size, 1 | 2 | 4 | 8 | 16);
        self.size(ty).filter(has_core).unwrap_or(1)
    }

    /// The alignment was given with an attribute, to the type or to a part of it.
    pub fn has_user_align(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            _ if self.own_align(ty).is_some() => true,
            TypeKind::Array(elem, _) => self.has_user_align(elem),
            TypeKind::Record(id) => self.records[id].user_align,
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Pointer(_)
            | TypeKind::Function(_)
            | TypeKind::VaList
            | TypeKind::Opaque(_) => false,
        }
    }

    fn is_less_aligned_in_records(&self, ty: Ty) -> bool {
        let mut inner = ty;
        while let Some(elem) = self.element(inner) {
            inner = elem;
        }
        if self.model != DataModel::Ilp32 || self.quals(inner).is_atomic {
            return false;
        }
        match self.mode(inner) {
            Mode::Integer | Mode::Float(FloatKind::Double) | Mode::Complex(FloatKind::Double) => {
                true
            }
            Mode::Float(FloatKind::Float | FloatKind::LongDouble | FloatKind::Float128)
            | Mode::Complex(FloatKind::Float | FloatKind::LongDouble | FloatKind::Float128)
            | Mode::Block => false,
        }
    }

    /// The mode of a type of the 32-bit model.
    fn mode(&self, ty: Ty) -> Mode {
        match self.kind(ty) {
            TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::VaList => {
                Mode::Integer
            }
            TypeKind::Float(kind) => Mode::Float(kind),
            TypeKind::Complex(kind) => Mode::Complex(kind),
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Opaque(_) => Mode::Block,
            TypeKind::Array(elem, len) => self.array_mode(ty, elem, len),
            TypeKind::Record(id) => self.record_mode(id),
        }
    }

    fn array_mode(&self, array: Ty, elem: Ty, len: ArrayLen) -> Mode {
        match (self.mode(elem), len) {
            (mode, ArrayLen::Fixed(1)) => mode,
            (Mode::Block, _) => Mode::Block,
            _ => integer_mode(self.size(array)),
        }
    }

    fn record_mode(&self, id: RecordId) -> Mode {
        let record = &self.records[id];
        let mut whole = None;
        for field in &record.fields {
            let size = match field.bits {
                Some(_) => None,
                None if record.flexible_by_zero => Some(self.size(field.ty).unwrap_or(0)),
                None => self.size(field.ty),
            };
            let mode = self.mode(field.ty);
            // Members without a size do not count, but for a flexible one.
            if mode == Mode::Block && size != Some(0) {
                return Mode::Block;
            }
            if size == Some(record.size) && record.size > 0 && whole.is_none() {
                whole = Some(mode);
            }
        }
        match (record.kind, whole) {
            (RecordKind::Struct, Some(mode)) => mode,
            (RecordKind::Union, Some(Mode::Integer)) => Mode::Integer,
            _ => integer_mode(Some(record.size)),
        }
    }
}

/// What is as large as an integer is held as one.
fn integer_mode(size: Option<u64>) -> Mode {
    match size {
        Some(1 | 2 | 4 | 8) => Mode::Integer,
        _ => Mode::Block,
    }
}
