//! Library functions whose meaning is known: ends of the run, the heap, bit counting. Those on
//! bytes and strings are in `text`, output is in `printf`.

use super::Outcome;
use super::exec::{Machine, Res};
use super::memory::{Access, Kind, footprint};
use super::observe::{AccessKind, Watch};
use super::value::{Pointer, Value};
use crate::expr::{ExprId, Undefined};
use crate::program::{Builtin, Call};
use crate::source::Span;
use crate::ty::{IntType, Type};

impl<W: Watch> Machine<'_, '_, W> {
    pub(super) fn builtin(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<()> {
        use Builtin::*;
        let result = match builtin {
            Abort => return Err(Box::new(Outcome::Aborted { span })),
            Exit => return Err(Box::new(Outcome::Exited(self.int_argument(call, 0, span)?))),
            Unreachable => {
                let message = "`__builtin_unreachable()` is reached";
                return Err(self.undefined(Undefined::Unreachable, span, message));
            }
            Free => {
                let pointer = self.pointer_argument(call, 0, span)?;
                self.free(pointer, self.argument_span(call, 0, span))?;
                return Ok(());
            }
            Malloc | Calloc | Realloc | Alloca => {
                self.allocation(builtin, call, span).map(Value::Pointer)?
            }
            Clz | Ctz | Popcount | Parity | Ffs => {
                Value::Int(self.count_bits(builtin, call, span)?)
            }
            Printf => Value::Int(self.printf(call, span)?),
            Puts => Value::Int(self.puts(call, span)?),
            Putchar => {
                let byte = self.int_argument(call, 0, span)? as u8;
                self.print(&[byte])?;
                Value::Int(byte.into())
            }
            Memcpy | Memmove | Memset | Memcmp | Memchr | Strlen | Strnlen | Strcpy | Strncpy
            | Strcat | Strncat | Strcmp | Strncmp | Strchr | Strrchr | Strstr => {
                self.text_builtin(builtin, call, span)?
            }
        };
        let result = match self.options.exhaustive {
            true => self.told(builtin, result)?,
            false => result,
        };
        self.give(call, result, span)
    }

    fn give(&mut self, call: &Call, value: Value, span: Span) -> Res<()> {
        let Some(place) = call.result else { return Ok(()) };
        self.write_by_name(place);
        match (value, self.program.places[place].ty) {
            (Value::Int(n), Type::Int(ty)) => self.store(place, Value::Int(ty.wrap(n))),
            (Value::Pending(_), Type::Int(IntType::I32)) => self.store(place, value),
            (Value::Pointer(_), Type::Pointer(_)) => self.store(place, value),
            _ => Err(self.ill_typed("a place for the function's result", span)),
        }
    }

    fn argument_of(&self, call: &Call, number: usize, span: Span) -> Res<ExprId> {
        call.args.get(number).copied().ok_or_else(|| self.bad_arguments(span))
    }

    pub(super) fn argument_span(&self, call: &Call, number: usize, span: Span) -> Span {
        call.args.get(number).map_or(span, |&arg| self.program.exprs[arg].span)
    }

    pub(super) fn int_argument(&mut self, call: &Call, number: usize, span: Span) -> Res<i128> {
        let arg = self.argument_of(call, number, span)?;
        self.int(arg)
    }

    /// An argument of type `size_t`.
    pub(super) fn size_argument(&mut self, call: &Call, number: usize, span: Span) -> Res<u64> {
        let value = self.int_argument(call, number, span)?;
        Ok(self.program.types.model.size_type().wrap(value) as u64)
    }

    pub(super) fn pointer_argument(
        &mut self,
        call: &Call,
        number: usize,
        span: Span,
    ) -> Res<Pointer> {
        let arg = self.argument_of(call, number, span)?;
        self.pointer(arg)
    }

    fn allocation(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<Pointer> {
        match builtin {
            Builtin::Alloca => {
                let size = self.size_argument(call, 0, span)?;
                self.charge(size)?;
                let memory = self.make_alloca(size)?;
                self.observe_allocation(memory, size);
                self.fresh(memory, 0, size, call.site, span)?;
                Ok(memory)
            }
            Builtin::Calloc => {
                let count = self.size_argument(call, 0, span)?;
                let size = self.size_argument(call, 1, span)?;
                let total = u128::from(count) * u128::from(size);
                match self.is_too_large(total) {
                    true => Ok(Pointer::NULL),
                    false => self.heap(total as u64, span),
                }
            }
            Builtin::Realloc => self.realloc(call, span),
            _ => {
                let size = self.size_argument(call, 0, span)?;
                if self.is_too_large(size.into()) {
                    return Ok(Pointer::NULL);
                }
                let memory = self.heap(size, span)?;
                self.fresh(memory, 0, size, call.site, span)?;
                Ok(memory)
            }
        }
    }

    /// No object is larger than `PTRDIFF_MAX` bytes: the request fails.
    fn is_too_large(&self, bytes: u128) -> bool {
        bytes > self.program.types.model.diff_type().max() as u128
    }

    fn heap(&mut self, size: u64, span: Span) -> Res<Pointer> {
        self.charge(size)?;
        let (address, end) = (self.memory.next_heap, self.memory.layout.heap_end);
        let object = self.make_object(Kind::Heap, address, size, end)?;
        self.memory.next_heap += footprint(size);
        self.memory.made_by(object, span);
        self.observe_allocation(object, size);
        Ok(object)
    }

    /// Always moves, as every use of the old pointer is undefined anyway. A size of zero frees,
    /// as glibc has it.
    fn realloc(&mut self, call: &Call, span: Span) -> Res<Pointer> {
        let old = self.pointer_argument(call, 0, span)?;
        let size = self.size_argument(call, 1, span)?;
        let old_span = self.argument_span(call, 0, span);
        if !old.is_null() && !self.is_heap_start(old) {
            self.free(old, old_span)?;
        }
        if size == 0 && !old.is_null() {
            self.free(old, old_span)?;
            return Ok(Pointer::NULL);
        }
        if self.is_too_large(size.into()) {
            return Ok(Pointer::NULL);
        }
        let new = self.heap(size, span)?;
        let kept = self.memory.size(old).unwrap_or(0).min(size);
        if kept > 0 {
            let copied = self.memory.copy(new, old, kept);
            copied.map_err(|fault| self.access_fault(fault, Access::Read, old_span))?;
            self.observe(self.argument_accessor(0), AccessKind::Read, old, kept);
            self.observe(self.made_accessor(), AccessKind::Write, new, kept);
        }
        self.fresh(new, kept, size, call.site, span)?;
        self.free(old, old_span)?;
        Ok(new)
    }

    fn is_heap_start(&self, pointer: Pointer) -> bool {
        self.memory.kind(pointer) == Some(Kind::Heap) && self.memory.at_start(pointer)
    }

    fn free(&mut self, pointer: Pointer, span: Span) -> Res<()> {
        if pointer.is_null() {
            return Ok(());
        }
        if !self.is_heap_start(pointer) {
            return Err(self.invalid_free(pointer, span));
        }
        let size = self.memory.size(pointer).unwrap_or(0);
        self.observe(self.argument_accessor(0), AccessKind::Free, pointer, size);
        self.memory.release(pointer.object);
        Ok(())
    }

    /// Bit counting in the argument's own type.
    fn count_bits(&mut self, builtin: Builtin, call: &Call, span: Span) -> Res<i128> {
        let value = self.int_argument(call, 0, span)?;
        let arg = &self.program.exprs[call.args[0]];
        let Some(ty) = arg.ty.as_int() else { return Err(self.ill_typed("an integer", arg.span)) };
        let bits = value as u128 & (u128::MAX >> (128 - ty.bits));
        let undefined = bits == 0 && matches!(builtin, Builtin::Clz | Builtin::Ctz);
        if undefined {
            let message = "counting the leading or trailing zeros of 0 has no result";
            return Err(self.undefined(Undefined::ShiftOutOfRange, span, message));
        }
        Ok(i128::from(match builtin {
            Builtin::Clz => bits.leading_zeros() - (128 - u32::from(ty.bits)),
            Builtin::Ctz => bits.trailing_zeros(),
            Builtin::Popcount => bits.count_ones(),
            Builtin::Parity => bits.count_ones() % 2,
            _ if bits == 0 => 0,
            _ => bits.trailing_zeros() + 1,
        }))
    }
}
