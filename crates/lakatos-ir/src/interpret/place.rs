//! The meaning of places: finding them, reading them, writing them.

use super::eval::Bulk;
use super::exec::{Machine, Res};
use super::float;
use super::memory::Access;
use super::observe::{AccessKind, Accessor, Watch};
use super::plan::Quick;
use super::value::{Pointer, Value};
use crate::arena::Id;
use crate::expr::{ExprId, Place, PlaceId, PlaceKind};
use crate::source::Span;
use crate::ty::Type;

/// What an address is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Reading or writing what is there.
    Access,
    /// Only the address: one past the end will do, and nothing need be there.
    Address,
}

/// A place that has been found.
#[derive(Clone, Copy, Debug)]
enum Target {
    Slot(usize),
    /// In memory, with the lowest bit of a bit-field.
    Memory(Pointer, Option<u8>),
}

impl<'p, W: Watch> Machine<'p, '_, W> {
    pub(super) fn address_of(&mut self, place: PlaceId) -> Res<Pointer> {
        self.address(place, Purpose::Address)
    }

    pub(super) fn address_to_access(&mut self, place: PlaceId) -> Res<Pointer> {
        self.address(place, Purpose::Access)
    }

    #[inline]
    fn target(&mut self, id: PlaceId) -> Res<Target> {
        match self.plan.quick_places[id.index()] {
            Quick::Local(slot) => Ok(Target::Slot(self.frame.slots + slot as usize)),
            Quick::Static(slot) => Ok(Target::Slot(slot as usize)),
            _ => self.target_in_memory(id),
        }
    }

    fn target_in_memory(&mut self, id: PlaceId) -> Res<Target> {
        match self.program.places[id].kind {
            PlaceKind::Field(base, number) => {
                let address = self.address(id, Purpose::Access)?;
                let bit = match self.program.places[base].ty {
                    Type::Record(record) => {
                        self.program.types.records[record].fields[number as usize].bit
                    }
                    _ => None,
                };
                Ok(Target::Memory(address, bit))
            }
            _ => Ok(Target::Memory(self.address(id, Purpose::Access)?, None)),
        }
    }

    fn address(&mut self, id: PlaceId, purpose: Purpose) -> Res<Pointer> {
        let place = &self.program.places[id];
        match place.kind {
            PlaceKind::Var(var) => self.object_of(var),
            PlaceKind::Deref(pointer) => {
                let pointer = self.pointer(pointer)?;
                match purpose == Purpose::Access && pointer.is_null() {
                    true => Err(self.null_dereference(place.span)),
                    false => Ok(pointer),
                }
            }
            PlaceKind::Index(base, index) => self.element(place, base, index, purpose),
            PlaceKind::Field(base, number) => {
                let Type::Record(record) = self.program.places[base].ty else {
                    return Err(self.ill_typed("a record", place.span));
                };
                let offset = self.program.types.records[record].fields[number as usize].offset;
                let base = self.address(base, purpose)?;
                Ok(self.memory.displace(base, i128::from(offset)))
            }
        }
    }

    /// The address of an array element. Its array's own length counts, not the object's size: a
    /// flexible array has no length, there it is the object's.
    fn element(
        &mut self,
        place: &'p Place,
        base: PlaceId,
        index: ExprId,
        purpose: Purpose,
    ) -> Res<Pointer> {
        let array = self.address(base, purpose)?;
        let index = self.int(index)?;
        let Type::Array(element, length) = self.program.places[base].ty else {
            return Err(self.ill_typed("an array", place.span));
        };
        // An unsigned 128-bit index beyond `i128` looks negative, and is as far outside.
        let one_past = i128::from(purpose == Purpose::Address);
        let checked = !self.options.memory_safety;
        if checked
            && (index < 0 || length.is_some_and(|length| index >= i128::from(length) + one_past))
        {
            return Err(self.index_outside(index, base, length, place.span));
        }
        let size = self.program.types.size(self.program.types.get(element));
        let Some(bytes) = index.checked_mul(i128::from(size)) else {
            return Err(self.far_outside(place.span));
        };
        let checked = checked && (purpose == Purpose::Address || length.is_none());
        if !checked || self.memory.size(array).is_none() {
            // An access is checked when it happens; where there is no object (`offsetof` by a
            // null pointer) an address is just a number.
            return Ok(self.memory.displace(array, bytes));
        }
        self.memory.advance(array, bytes).map_err(|fault| self.arithmetic_fault(fault, place.span))
    }

    pub(super) fn load_int(&mut self, id: PlaceId) -> Res<i128> {
        let place = &self.program.places[id];
        let (pointer, bit) = match self.target(id)? {
            Target::Slot(slot) => return self.int_in_slot(slot, place.span),
            Target::Memory(pointer, bit) => (pointer, bit),
        };
        let Type::Int(ty) = place.ty else { return Err(self.ill_typed("an integer", place.span)) };
        let (length, shift) = match bit {
            None => (ty.bytes(), 0),
            Some(bit) => ((u64::from(bit) + u64::from(ty.bits)).div_ceil(8), u32::from(bit)),
        };
        match self.memory.load(pointer, length) {
            Ok(number) => {
                self.observe(Accessor::Place(id), AccessKind::Read, pointer, length);
                self.expect_written(pointer, bit, place.ty, place.span)?;
                Ok(ty.wrap((number >> shift) as i128))
            }
            Err(fault) => Err(self.access_fault(fault, Access::Read, place.span)),
        }
    }

    pub(super) fn load_pointer(&mut self, id: PlaceId) -> Res<Pointer> {
        let place = &self.program.places[id];
        match self.target(id)? {
            Target::Slot(slot) => match self.slots[slot] {
                Value::Pointer(value) => Ok(value),
                other => Err(self.unreadable(other, "a pointer", place.span)),
            },
            Target::Memory(pointer, _) => {
                let value = self
                    .memory
                    .load_pointer(pointer)
                    .map_err(|fault| self.access_fault(fault, Access::Read, place.span))?;
                let length = self.memory.layout.word;
                self.observe(Accessor::Place(id), AccessKind::Read, pointer, length);
                self.expect_written(pointer, None, place.ty, place.span)?;
                Ok(value)
            }
        }
    }

    pub(super) fn load_float(&mut self, id: PlaceId) -> Res<f64> {
        let place = &self.program.places[id];
        let Type::Float(ty) = place.ty else { return Err(self.ill_typed("a float", place.span)) };
        match self.target(id)? {
            Target::Slot(slot) => match self.slots[slot] {
                Value::Float(value) => Ok(value),
                other => Err(self.unreadable(other, "a float", place.span)),
            },
            Target::Memory(pointer, _) => {
                let length = self.program.types.size(place.ty);
                let bits = self
                    .memory
                    .load(pointer, length)
                    .map_err(|fault| self.access_fault(fault, Access::Read, place.span))?;
                self.observe(Accessor::Place(id), AccessKind::Read, pointer, length);
                self.expect_written(pointer, None, place.ty, place.span)?;
                float::decode(bits, ty).ok_or_else(|| self.no_wide_floats(place.span))
            }
        }
    }

    /// Where an aggregate is that can be read.
    pub(super) fn load_aggregate(&mut self, id: PlaceId) -> Res<Pointer> {
        let place = &self.program.places[id];
        let pointer = self.address(id, Purpose::Access)?;
        let size = self.program.types.size(place.ty);
        match self.memory.check(pointer, size, Access::Read) {
            Ok(_) => {
                self.observe(Accessor::Place(id), AccessKind::Read, pointer, size);
                Ok(pointer)
            }
            Err(fault) => Err(self.access_fault(fault, Access::Read, place.span)),
        }
    }

    pub(super) fn store(&mut self, id: PlaceId, value: Value) -> Res<()> {
        match self.target(id)? {
            Target::Slot(slot) => self.slots[slot] = value,
            Target::Memory(pointer, bit) => {
                let place = &self.program.places[id];
                let value = self.settled(value, place.span)?;
                self.store_at(pointer, bit, place.ty, value, place.span)?;
                let length = self.stored_bytes(place.ty, bit);
                self.observe(Accessor::Place(id), AccessKind::Write, pointer, length);
            }
        }
        if self.recording {
            self.note_assigned(super::Target::Place(id), self.program.places[id].ty, value);
        }
        Ok(())
    }

    /// The bytes that storing a scalar touches.
    fn stored_bytes(&self, ty: Type, bit: Option<u8>) -> u64 {
        match (bit, ty) {
            (Some(bit), Type::Int(ty)) => (u64::from(bit) + u64::from(ty.bits)).div_ceil(8),
            _ => self.program.types.size(ty),
        }
    }

    pub(super) fn store_at(
        &mut self,
        pointer: Pointer,
        bit: Option<u8>,
        ty: Type,
        value: Value,
        span: Span,
    ) -> Res<()> {
        let done = match (ty, value) {
            (Type::Int(ty), Value::Int(n)) => match bit {
                None => self.memory.store(pointer, ty.bytes(), n as u128),
                Some(bit) => self.memory.store_bits(pointer, bit, ty.bits, n as u128),
            },
            (Type::Float(ty), Value::Float(x)) => {
                self.expect_known_bits(x, ty, span)?;
                let length = self.program.types.size(Type::Float(ty));
                self.memory.store(pointer, length, float::encode(x, ty))
            }
            (Type::Pointer(_), Value::Pointer(p)) => self.memory.store_pointer(pointer, p),
            _ => return Err(self.ill_typed("a scalar of the place's type", span)),
        };
        done.map_err(|fault| self.access_fault(fault, Access::Write, span))
    }

    pub(super) fn write_aggregate(
        &mut self,
        target: Pointer,
        value: Bulk,
        ty: Type,
        span: Span,
    ) -> Res<()> {
        self.write_bytes(target, value, ty, span)?;
        match self.options.exhaustive {
            true => self.forget_padding(target, value, ty, span),
            false => Ok(()),
        }
    }

    fn write_bytes(&mut self, target: Pointer, value: Bulk, ty: Type, span: Span) -> Res<()> {
        let size = self.program.types.size(ty);
        self.charge(size)?;
        match value {
            Bulk::Zero => self.fill(target, 0, size, span),
            Bulk::Memory(source) => {
                self.expect_no_overlap(target, source, size, span)?;
                let copied = self.memory.copy(target, source, size);
                copied.map_err(|fault| self.access_fault(fault, Access::Write, span))?;
                self.write_padding(target, ty, span)
            }
            Bulk::Text(text) => {
                self.fill(target, 0, size, span)?;
                let text = &self.program.strings[text];
                let length = size.min(text.len() as u64);
                match self.memory.bytes_mut(target, length) {
                    Ok(bytes) => bytes.copy_from_slice(&text[..length as usize]),
                    Err(fault) => return Err(self.access_fault(fault, Access::Write, span)),
                }
                Ok(())
            }
        }
    }

    pub(super) fn fill(&mut self, target: Pointer, byte: u8, size: u64, span: Span) -> Res<()> {
        match self.memory.bytes_mut(target, size) {
            Ok(bytes) => {
                bytes.fill(byte);
                Ok(())
            }
            Err(fault) => Err(self.access_fault(fault, Access::Write, span)),
        }
    }
}
