//! Reads of what was never written, where a property is about them ([`Options::uninitialised`]).
//!
//! A local variable without initialiser, and memory from `malloc` or `alloca`, is *indeterminate*
//! until it is written ([`Program::leaves_indeterminate`]). A slot then holds
//! [`Value::Indeterminate`], an object has a bit for each of its bits that says so; copies of
//! structures, `memcpy` and `realloc` copy these bits and read nothing. A scalar that is read must
//! have been written, all its bits, except by an lvalue of type `unsigned char` in memory: such
//! reads are how C copies bytes, whatever they are.
//!
//! What a function without a body can reach by its arguments counts as written: it may have been.
//!
//! [`Options::uninitialised`]: super::Options
//! [`Program::leaves_indeterminate`]: crate::program::Program::leaves_indeterminate

use std::iter;
use std::ops::Range;

use super::Outcome;
use super::call::Argument;
use super::eval::Bulk;
use super::exec::{Machine, Res};
use super::memory::{Access, Kind, ObjectId};
use super::observe::Watch;
use super::plan::Storage;
use super::value::{Pointer, Value};
use crate::arena::Id;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind, Undefined};
use crate::program::{SiteId, VarKind};
use crate::source::Span;
use crate::ty::{IntType, RecordKind, Type, Types};

/// A type with more gaps than this counts as one without.
const GAPS: usize = 16;

/// The bytes of a type that belong to values, without padding: parts in ascending order. All of a
/// union, where one member's padding is another's value.
pub(crate) fn value_bytes(types: &Types, ty: Type) -> Vec<Range<u64>> {
    let one = |size: u64| iter::once(0..size).collect::<Vec<_>>();
    let all = || one(types.size(ty));
    let mut found: Vec<Range<u64>> = Vec::new();
    let mut add = |part: Range<u64>| match found.last_mut() {
        Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
        _ => found.push(part),
    };
    match ty {
        Type::Array(element, Some(length)) => {
            let element = types.get(element);
            let (parts, size) = (value_bytes(types, element), types.size(element));
            let dense = parts == one(size);
            if dense || parts.len() as u64 * length > GAPS as u64 {
                return all();
            }
            for at in 0..length {
                parts.iter().for_each(|p| add(at * size + p.start..at * size + p.end));
            }
        }
        Type::Record(id) if types.records[id].kind == RecordKind::Struct => {
            for field in &types.records[id].fields {
                let parts = match (field.bit, field.ty) {
                    (Some(bit), Type::Int(int)) => {
                        one((u64::from(bit) + u64::from(int.bits)).div_ceil(8))
                    }
                    _ => value_bytes(types, field.ty),
                };
                parts.iter().for_each(|p| add(field.offset + p.start..field.offset + p.end));
            }
        }
        _ => return all(),
    }
    if found.len() > GAPS { all() } else { found }
}

impl<W: Watch> Machine<'_, '_, W> {
    /// A value that is not of the sort that is asked for: it was never written, or the program
    /// breaks a rule of the IR.
    #[cold]
    pub(super) fn unreadable(&self, value: Value, expected: &str, span: Span) -> Box<Outcome> {
        match value {
            Value::Indeterminate => {
                let message = format!("{} is read, but was never written", self.quote(span));
                self.undefined(Undefined::Uninitialised, span, message)
            }
            _ => self.ill_typed(expected, span),
        }
    }

    /// A place that has got a value from outside has none if it only came to life.
    #[inline]
    pub(super) fn leave_indeterminate(&mut self, place: PlaceId, site: SiteId) -> Res<()> {
        if !self.options.uninitialised || !self.program.leaves_indeterminate(place, site) {
            return Ok(());
        }
        let PlaceKind::Var(var) = self.program.places[place].kind else { return Ok(()) };
        let span = self.program.places[place].span;
        match self.plan.storage[var.index()] {
            Storage::Local(slot) => {
                self.slots[self.frame.slots + slot as usize] = Value::Indeterminate;
            }
            _ => {
                let object = self.object_of(var)?;
                let size = self.program.types.size(self.program.vars[var].ty);
                self.forget_written(object, size, span)?;
            }
        }
        if let Some(assigned) = self.trace.last_mut().and_then(|step| step.assigned.last_mut())
            && self.recording
        {
            assigned.shown = "indeterminate".to_owned();
        }
        Ok(())
    }

    /// Nothing has been written to these bytes.
    pub(super) fn forget_written(&mut self, at: Pointer, length: u64, span: Span) -> Res<()> {
        if !self.options.uninitialised || length == 0 {
            return Ok(());
        }
        let forgotten = self.memory.unset(at, length);
        forgotten.map_err(|fault| self.access_fault(fault, Access::Write, span))
    }

    /// Where a value of a structure is stored, its padding is no question any more.
    #[inline]
    pub(super) fn write_padding(&mut self, target: Pointer, ty: Type, span: Span) -> Res<()> {
        if !self.options.uninitialised {
            return Ok(());
        }
        let mut from = 0;
        let end = self.program.types.size(ty);
        for part in value_bytes(&self.program.types, ty).into_iter().chain(iter::once(end..end)) {
            let padding = self.memory.displace(target, i128::from(from));
            let written = self.memory.assume_bytes_written(padding, part.start - from);
            written.map_err(|fault| self.access_fault(fault, Access::Write, span))?;
            from = part.end;
        }
        Ok(())
    }

    /// A scalar that is read in memory has been written.
    #[inline]
    pub(super) fn expect_written(
        &mut self,
        at: Pointer,
        bit: Option<u8>,
        ty: Type,
        span: Span,
    ) -> Res<()> {
        if !self.options.uninitialised {
            return Ok(());
        }
        if bit.is_none() && ty == Type::Int(IntType::U8) {
            return self.expect_data(at, 1, span);
        }
        let (length, bits) = match (bit, ty) {
            (Some(bit), Type::Int(int)) => {
                let bits = (u128::MAX >> (128 - int.bits)) << bit;
                ((u64::from(bit) + u64::from(int.bits)).div_ceil(8), bits)
            }
            _ => (self.program.types.size(ty), u128::MAX),
        };
        match self.memory.first_unset(at, length, bits) {
            Some(byte) => Err(self.never_written(self.memory.displace(at, byte.into()), span)),
            None => Ok(()),
        }
    }

    /// A string that is read has been written, up to its end or as far as it is read. The bytes
    /// behind a pointer are no further than their object.
    pub(super) fn expect_text(&mut self, at: Pointer, limit: u64, span: Span) -> Res<()> {
        if !self.options.uninitialised {
            return Ok(());
        }
        let length = self.memory.remaining(at).min(limit);
        let Some(unset) = self.memory.first_unset(at, length, u128::MAX) else { return Ok(()) };
        let ends = match self.memory.bytes(at, unset) {
            Ok(before) => before.contains(&0),
            Err(fault) => return Err(self.access_fault(fault, Access::Read, span)),
        };
        match ends {
            true => Ok(()),
            false => Err(self.never_written(self.memory.displace(at, unset.into()), span)),
        }
    }

    #[cold]
    fn never_written(&self, at: Pointer, span: Span) -> Box<Outcome> {
        let text = self.quote(span);
        let kind = self.memory.kind(at);
        let scalar = |kind: &Kind| match kind {
            Kind::Var(var) => self.program.vars[*var].ty.is_scalar(),
            _ => false,
        };
        let message = match kind.filter(|kind| !scalar(kind)) {
            Some(kind) => {
                let start = self.memory.start(at).unwrap_or(at.address);
                let (offset, object) = (at.address.wrapping_sub(start), self.object_name(kind));
                format!("{text} is read, but byte {offset} of {object} was never written")
            }
            None => format!("{text} is read, but was never written"),
        };
        self.undefined(Undefined::Uninitialised, span, message)
    }

    /// The value of a function that returned none: what stands for it was never written, which
    /// matters to whoever uses it.
    pub(super) fn is_missing_result(&self, value: ExprId) -> bool {
        if !self.options.uninitialised {
            return false;
        }
        let ExprKind::Load(place) = self.program.exprs[value].kind else { return false };
        let PlaceKind::Var(var) = self.program.places[place].kind else { return false };
        let is_temp = matches!(self.program.vars[var].kind, VarKind::Temp(_));
        match self.plan.storage[var.index()] {
            Storage::Local(slot) if is_temp => {
                self.slots[self.frame.slots + slot as usize] == Value::Indeterminate
            }
            _ => false,
        }
    }

    /// The result of a call is used.
    pub(super) fn expect_result(&self, value: Value, span: Span) -> Res<()> {
        if value != Value::Indeterminate {
            return Ok(());
        }
        let text = self.quote(span);
        let message = format!("the value of {text} is used, but the function returned none");
        Err(self.undefined(Undefined::Uninitialised, span, message))
    }

    /// A function without a body may have written to all that its arguments lead to.
    pub(super) fn lend_to_outside(&mut self) {
        if !self.options.uninitialised {
            return;
        }
        let given = self.arguments.iter().map(|argument| match argument {
            Argument::Scalar(Value::Pointer(pointer)) => pointer.object,
            Argument::Aggregate(Bulk::Memory(pointer)) => pointer.object,
            _ => ObjectId::NONE,
        });
        let given: Vec<ObjectId> = given.filter(|object| *object != ObjectId::NONE).collect();
        if !given.is_empty() {
            self.memory.assume_written(given.into_iter());
        }
    }
}
