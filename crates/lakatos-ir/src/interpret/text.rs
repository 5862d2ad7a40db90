//! `<string.h>`: functions on bytes and on strings.

use super::exec::{Machine, Res};
use super::memory::Access;
use super::observe::{AccessKind, Watch};
use super::value::{Pointer, Value};
use crate::expr::Undefined;
use crate::program::{Builtin, Call};
use crate::source::Span;

/// No limit but the object's end.
const UNLIMITED: u64 = u64::MAX;

/// A pointer argument, with where it stands in the source.
#[derive(Clone, Copy)]
struct Arg {
    pointer: Pointer,
    number: u32,
    span: Span,
}

impl<W: Watch> Machine<'_, '_, W> {
    pub(super) fn text_builtin(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<Value> {
        use Builtin::*;
        match builtin {
            Memcpy | Memmove | Memset | Memcmp | Memchr => self.on_bytes(builtin, call, span),
            Strcpy | Strncpy | Strcat | Strncat => {
                self.write_string(builtin, call, span).map(Value::Pointer)
            }
            Strcmp | Strncmp => {
                let limit =
                    if builtin == Strcmp { UNLIMITED } else { self.size_argument(call, 2, span)? };
                let (a, b) = (self.arg(call, 0, span)?, self.arg(call, 1, span)?);
                self.compare_strings(a, b, limit).map(Value::Int)
            }
            Strlen => {
                let string = self.arg(call, 0, span)?;
                Ok(Value::Int(self.string_length(string, UNLIMITED)?.into()))
            }
            Strnlen => {
                let string = self.arg(call, 0, span)?;
                let limit = self.size_argument(call, 1, span)?;
                Ok(Value::Int(self.string_length(string, limit)?.into()))
            }
            Strchr | Strrchr | Strstr => {
                self.search_string(builtin, call, span).map(Value::Pointer)
            }
            Abort | Exit | Unreachable | Malloc | Calloc | Realloc | Free | Alloca | Printf
            | Puts | Putchar | Clz | Ctz | Popcount | Parity | Ffs => {
                Err(self.ill_typed("a function on bytes or strings", span))
            }
        }
    }

    fn arg(&mut self, call: &Call, number: usize, span: Span) -> Res<Arg> {
        let pointer = self.pointer_argument(call, number, span)?;
        Ok(Arg { pointer, number: number as u32, span: self.argument_span(call, number, span) })
    }

    fn on_bytes(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<Value> {
        let first = self.arg(call, 0, span)?;
        let length = self.size_argument(call, 2, span)?;
        match builtin {
            Builtin::Memset => {
                let byte = self.int_argument(call, 1, span)? as u8;
                if length > 0 {
                    self.fill(first.pointer, byte, length, first.span)?;
                    self.observe_arg(first, AccessKind::Write, length);
                    self.charge(length)?;
                }
                Ok(Value::Pointer(first.pointer))
            }
            Builtin::Memchr => {
                let byte = self.int_argument(call, 1, span)? as u8;
                let found = self.find(first, byte, length)?;
                Ok(Value::Pointer(found.map_or(Pointer::NULL, |at| self.beyond(first, at))))
            }
            Builtin::Memcmp => {
                let second = self.arg(call, 1, span)?;
                let (a, b) = (self.data(first, length)?, self.data(second, length)?);
                Ok(Value::Int(a.cmp(&b) as i128))
            }
            _ => {
                let source = self.arg(call, 1, span)?;
                if length > 0 {
                    self.check(source, length, Access::Read)?;
                    self.check(first, length, Access::Write)?;
                    if builtin == Builtin::Memcpy {
                        self.refuse_overlap(first, length, source, length, span)?;
                    }
                    self.charge(length)?;
                    let copied = self.memory.copy(first.pointer, source.pointer, length);
                    copied.map_err(|fault| self.access_fault(fault, Access::Write, first.span))?;
                    self.observe_arg(source, AccessKind::Read, length);
                    self.observe_arg(first, AccessKind::Write, length);
                }
                Ok(Value::Pointer(first.pointer))
            }
        }
    }

    fn check(&self, arg: Arg, length: u64, access: Access) -> Res<()> {
        match self.memory.check(arg.pointer, length, access) {
            Ok(_) => Ok(()),
            Err(fault) => Err(self.access_fault(fault, access, arg.span)),
        }
    }

    fn beyond(&self, arg: Arg, bytes: u64) -> Pointer {
        self.memory.displace(arg.pointer, i128::from(bytes))
    }

    fn refuse_overlap(&self, to: Arg, size: u64, from: Arg, length: u64, span: Span) -> Res<()> {
        let (a, b) = (to.pointer.address, from.pointer.address);
        let apart = to.pointer.object != from.pointer.object
            || a.saturating_add(size) <= b
            || b.saturating_add(length) <= a;
        if apart {
            return Ok(());
        }
        let message = "source and destination of the copy overlap";
        Err(self.undefined(Undefined::Overlap, span, message))
    }

    /// A copy of the bytes.
    fn data(&mut self, arg: Arg, length: u64) -> Res<Vec<u8>> {
        if length == 0 {
            return Ok(Vec::new());
        }
        self.charge(length)?;
        self.observe_arg(arg, AccessKind::Read, length);
        self.expect_data(arg.pointer, length, arg.span)?;
        match self.memory.bytes(arg.pointer, length) {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(fault) => Err(self.access_fault(fault, Access::Read, arg.span)),
        }
    }

    /// The first `byte` among the first `limit` bytes; they must exist up to there.
    fn find(&mut self, arg: Arg, byte: u8, limit: u64) -> Res<Option<u64>> {
        if limit == 0 {
            return Ok(None);
        }
        self.check(arg, 1, Access::Read)?;
        let available = self.memory.remaining(arg.pointer);
        let length = available.min(limit);
        let found = match self.memory.bytes(arg.pointer, length) {
            Ok(bytes) => memchr::memchr(byte, bytes),
            Err(fault) => return Err(self.access_fault(fault, Access::Read, arg.span)),
        };
        self.expect_data(arg.pointer, found.map_or(length, |at| at as u64 + 1), arg.span)?;
        self.charge(found.map_or(length, |at| at as u64))?;
        self.observe_arg(arg, AccessKind::Read, found.map_or(length, |at| at as u64 + 1));
        match found {
            Some(at) => Ok(Some(at as u64)),
            None if available >= limit => Ok(None),
            None => {
                let end = Arg { pointer: self.beyond(arg, available), ..arg };
                self.check(end, 1, Access::Read).map(|()| None)
            }
        }
    }

    fn string_length(&mut self, string: Arg, limit: u64) -> Res<u64> {
        self.expect_text(string.pointer, limit, string.span)?;
        Ok(self.find(string, 0, limit)?.unwrap_or(limit))
    }

    /// A string without its terminator; at most `limit` bytes of it.
    fn string(&mut self, string: Arg, limit: u64) -> Res<Vec<u8>> {
        let length = self.string_length(string, limit)?;
        self.data(string, length)
    }

    /// The string that an argument points to, cut at `limit` bytes.
    pub(super) fn string_at(
        &mut self,
        pointer: Pointer,
        limit: u64,
        number: usize,
        span: Span,
    ) -> Res<Vec<u8>> {
        self.string(Arg { pointer, number: number as u32, span }, limit)
    }

    fn observe_arg(&mut self, arg: Arg, kind: AccessKind, length: u64) {
        self.observe(self.argument_accessor(arg.number), kind, arg.pointer, length);
    }

    fn write_string(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<Pointer> {
        let target = self.arg(call, 0, span)?;
        let source = self.arg(call, 1, span)?;
        let limit = match builtin {
            Builtin::Strncpy | Builtin::Strncat => self.size_argument(call, 2, span)?,
            _ => UNLIMITED,
        };
        let appends = matches!(builtin, Builtin::Strcat | Builtin::Strncat);
        let start = if appends { self.string_length(target, UNLIMITED)? } else { 0 };
        let mut bytes = self.string(source, limit)?;
        let read = (bytes.len() as u64).saturating_add(1).min(limit);
        match builtin {
            Builtin::Strncpy => {
                // The padding must fit before room is made for it.
                if limit > 0 {
                    self.check(target, limit, Access::Write)?;
                }
                bytes.resize(limit as usize, 0);
            }
            _ => bytes.push(0),
        }
        let end = Arg { pointer: self.beyond(target, start), ..target };
        let length = bytes.len() as u64;
        if length == 0 {
            return Ok(target.pointer);
        }
        self.check(end, length, Access::Write)?;
        self.refuse_overlap(end, length, source, read, span)?;
        self.charge(length)?;
        match self.memory.bytes_mut(end.pointer, length) {
            Ok(place) => place.copy_from_slice(&bytes),
            Err(fault) => return Err(self.access_fault(fault, Access::Write, target.span)),
        }
        self.observe_arg(end, AccessKind::Write, length);
        Ok(target.pointer)
    }

    /// Reads no further than the first difference, as C says.
    fn compare_strings(&mut self, a: Arg, b: Arg, limit: u64) -> Res<i128> {
        for at in 0..limit {
            let (x, y) = (self.byte(a, at)?, self.byte(b, at)?);
            if x != y || x == 0 {
                self.charge(at)?;
                return Ok(x.cmp(&y) as i128);
            }
        }
        Ok(0)
    }

    fn byte(&mut self, arg: Arg, at: u64) -> Res<u8> {
        let pointer = self.beyond(arg, at);
        match self.memory.load(pointer, 1) {
            Ok(byte) => {
                self.observe_arg(Arg { pointer, ..arg }, AccessKind::Read, 1);
                self.expect_text(pointer, 1, arg.span)?;
                Ok(byte as u8)
            }
            Err(fault) => Err(self.access_fault(fault, Access::Read, arg.span)),
        }
    }

    fn search_string(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<Pointer> {
        let place = self.arg(call, 0, span)?;
        let mut text = self.string(place, UNLIMITED)?;
        let found = if builtin == Builtin::Strstr {
            let needle = self.arg(call, 1, span)?;
            let needle = self.string(needle, UNLIMITED)?;
            memchr::memmem::find(&text, &needle)
        } else {
            let byte = self.int_argument(call, 1, span)? as u8;
            text.push(0);
            match builtin {
                Builtin::Strchr => memchr::memchr(byte, &text),
                _ => memchr::memrchr(byte, &text),
            }
        };
        Ok(found.map_or(Pointer::NULL, |at| self.beyond(place, at as u64)))
    }
}
