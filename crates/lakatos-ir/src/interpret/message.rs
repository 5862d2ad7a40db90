//! Ends of a run in words: what happened, about which piece of source, with the values.

use super::exec::Machine;
use super::memory::{Access, Fault, Kind, ObjectId};
use super::observe::Watch;
use super::value::{Pointer, Value, float_from_input};
use super::{Assigned, Input, Outcome, Target};
use crate::expr::{BinOp, Expr, PlaceId, PlaceKind, Undefined};
use crate::program::ProcId;
use crate::source::Span;
use crate::ty::{DataModel, FloatType, IntType, Type};

/// The source text in messages is cut to this many characters.
const SNIPPET: usize = 60;

impl<W: Watch> Machine<'_, '_, W> {
    #[cold]
    pub(super) fn undefined(
        &self,
        kind: Undefined,
        span: Span,
        message: impl Into<String>,
    ) -> Box<Outcome> {
        Box::new(Outcome::Undefined { kind, span, message: message.into() })
    }

    #[cold]
    pub(super) fn unsupported(&self, what: &str, span: Span) -> Box<Outcome> {
        Box::new(Outcome::Unsupported { what: what.to_owned(), span })
    }

    /// The program breaks a rule of the IR; that is no fault of the C program.
    #[cold]
    pub(super) fn ill_typed(&self, expected: &str, span: Span) -> Box<Outcome> {
        self.unsupported(&format!("malformed IR: expected {expected}"), span)
    }

    #[cold]
    pub(super) fn no_wide_floats(&self, span: Span) -> Box<Outcome> {
        self.unsupported("`long double` and `__float128` arithmetic", span)
    }

    /// The source text in backquotes, on one line.
    pub(super) fn quote(&self, span: Span) -> String {
        let text = self.program.source.snippet(span);
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            return "this expression".to_owned();
        }
        if let Some((cut, _)) = words.char_indices().nth(SNIPPET) {
            words.truncate(cut);
            words.push('…');
        }
        format!("`{words}`")
    }

    #[cold]
    pub(super) fn binary_undefined(
        &self,
        kind: Undefined,
        expr: &Expr,
        op: BinOp,
        (x, y): (i128, i128),
        ty: IntType,
    ) -> Box<Outcome> {
        let text = self.quote(expr.span);
        let name = int_name(ty, self.program.types.model);
        let message = match (kind, exact(op, x, y)) {
            (Undefined::DivByZero, _) => format!("{text} divides {x} by zero"),
            (Undefined::ShiftOutOfRange, _) => {
                format!("{text} shifts by {y}, but `{name}` has {} bits", ty.bits)
            }
            (_, Some(result)) => format!("{text} is {result}, which does not fit `{name}`"),
            _ => format!("{text} overflows `{name}`: the operands are {x} and {y}"),
        };
        self.undefined(kind, expr.span, message)
    }

    #[cold]
    pub(super) fn negation_undefined(
        &self,
        kind: Undefined,
        expr: &Expr,
        x: i128,
        ty: IntType,
    ) -> Box<Outcome> {
        self.binary_undefined(kind, expr, BinOp::Sub, (0, x), ty)
    }

    #[cold]
    pub(super) fn float_too_large(&self, expr: &Expr, value: f64, ty: IntType) -> Box<Outcome> {
        let name = int_name(ty, self.program.types.model);
        let text = self.quote(expr.span);
        let message = format!("{text} converts {value:?}, which does not fit `{name}`");
        self.undefined(Undefined::FloatToInt, expr.span, message)
    }

    #[cold]
    pub(super) fn unrelated(&self, span: Span) -> Box<Outcome> {
        let message = format!("{} is about pointers into different objects", self.quote(span));
        self.undefined(Undefined::UnrelatedPointers, span, message)
    }

    #[cold]
    pub(super) fn null_dereference(&self, span: Span) -> Box<Outcome> {
        let message = format!("{} uses a null pointer", self.quote(span));
        self.undefined(Undefined::NullDeref, span, message)
    }

    #[cold]
    pub(super) fn index_outside(
        &self,
        index: i128,
        array: PlaceId,
        length: Option<u64>,
        span: Span,
    ) -> Box<Outcome> {
        let array = self.quote(self.program.places[array].span);
        let message = match length {
            Some(length) => {
                format!("index {index} is outside {array}, which has {length} elements")
            }
            None => format!("index {index} is before {array}"),
        };
        self.undefined(Undefined::OutOfBounds, span, message)
    }

    #[cold]
    pub(super) fn far_outside(&self, span: Span) -> Box<Outcome> {
        let message = format!("{} is outside every object", self.quote(span));
        self.undefined(Undefined::OutOfBounds, span, message)
    }

    /// An access that is not allowed.
    #[cold]
    pub(super) fn access_fault(&self, fault: Fault, access: Access, span: Span) -> Box<Outcome> {
        let verb = match access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        let text = self.quote(span);
        let (kind, message) = match fault {
            // A number was an address outside the object, and arithmetic has led into it.
            Fault::Wild(address) if self.memory.pointer_at(address).object != ObjectId::NONE => {
                return self.unsupported("a pointer that was made outside its object", span);
            }
            Fault::Null => (Undefined::NullDeref, format!("{text} {verb} through a null pointer")),
            Fault::Wild(address) => (
                Undefined::WildPointer,
                format!("{text} {verb} at address {address:#x}, where no object is known"),
            ),
            Fault::Function(proc) => (
                Undefined::WildPointer,
                format!("{text} {verb} the code of {}", self.proc_name(proc)),
            ),
            Fault::Dangling => {
                (Undefined::Dangling, format!("{text} {verb} an object whose lifetime is over"))
            }
            Fault::Bounds { kind, size, offset, length } => (
                Undefined::OutOfBounds,
                format!(
                    "{text} {verb} {length} bytes at offset {offset} of {} of {size} bytes",
                    self.object_name(kind)
                ),
            ),
            Fault::ReadOnly(kind) => {
                let what = match kind {
                    Kind::Var(_) => format!("{}, which is `const`", self.object_name(kind)),
                    kind => self.object_name(kind),
                };
                (Undefined::ReadOnly, format!("{text} {verb} to {what}"))
            }
        };
        self.undefined(kind, span, message)
    }

    /// Pointer arithmetic that is not allowed.
    #[cold]
    pub(super) fn arithmetic_fault(&self, fault: Fault, span: Span) -> Box<Outcome> {
        let text = self.quote(span);
        let (kind, message) = match fault {
            Fault::Dangling => (
                Undefined::Dangling,
                format!("{text} computes with a pointer to an object whose lifetime is over"),
            ),
            Fault::Bounds { kind, size, offset, .. } => (
                Undefined::OutOfBounds,
                format!(
                    "{text} points to offset {offset} of {} of {size} bytes",
                    self.object_name(kind)
                ),
            ),
            Fault::Function(proc) => (
                Undefined::OutOfBounds,
                format!("{text} points into the code of {}", self.proc_name(proc)),
            ),
            _ => (Undefined::OutOfBounds, format!("{text} computes with a null pointer")),
        };
        self.undefined(kind, span, message)
    }

    pub(super) fn proc_name(&self, proc: ProcId) -> String {
        format!("`{}`", self.program.procs[proc].name)
    }

    pub(super) fn object_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Var(var) => format!("`{}`", self.program.vars[var].name),
            Kind::Literal(_) => "a string literal".to_owned(),
            Kind::Heap => "a heap object".to_owned(),
            Kind::Alloca => "a stack object".to_owned(),
            Kind::Function(proc) => self.proc_name(proc),
        }
    }

    #[cold]
    pub(super) fn bad_arguments(&self, span: Span) -> Box<Outcome> {
        let message = format!("{} gives other arguments than the function takes", self.quote(span));
        self.undefined(Undefined::BadCall, span, message)
    }

    #[cold]
    pub(super) fn bad_callee(&self, what: &str, span: Span) -> Box<Outcome> {
        let message = format!("{} {what}", self.quote(span));
        self.undefined(Undefined::BadCall, span, message)
    }

    #[cold]
    pub(super) fn invalid_free(&self, pointer: Pointer, span: Span) -> Box<Outcome> {
        let text = self.quote(span);
        let message = match self.memory.kind(pointer) {
            Some(Kind::Heap) => format!("{text} points into a heap object, not to its start"),
            Some(kind) => format!("{text} points to {}, not to the heap", self.object_name(kind)),
            None if pointer.object == ObjectId::NONE => format!("{text} points to no object"),
            None => format!("{text} points to an object whose lifetime is over"),
        };
        self.undefined(Undefined::InvalidFree, span, message)
    }

    /// Completes the last step of the trace with what it assigned.
    #[cold]
    pub(super) fn note_assigned(&mut self, target: Target, ty: Type, value: Value) {
        let name = match target {
            Target::Result => "return".to_owned(),
            Target::Param(var) => self.program.vars[var].name.clone(),
            Target::Place(id) => match self.program.places[id].kind {
                PlaceKind::Var(var) => self.program.vars[var].name.clone(),
                _ => self.program.source.snippet(self.program.places[id].span).to_owned(),
            },
        };
        if let Some(step) = self.trace.last_mut() {
            step.assigned.push(Assigned { target, name, value, shown: show(value, ty) });
        }
    }
}

/// The mathematical result, where `i128` has it.
fn exact(op: BinOp, x: i128, y: i128) -> Option<i128> {
    match op {
        BinOp::Add => x.checked_add(y),
        BinOp::Sub => x.checked_sub(y),
        BinOp::Mul => x.checked_mul(y),
        // `INT_MIN % -1` fits; what does not is the quotient.
        BinOp::Div => x.checked_div(y),
        _ => None,
    }
}

impl Input {
    /// The value as a person writes it.
    pub fn shown(&self) -> String {
        let value = match self.ty {
            Type::Float(ty) => Value::Float(float_from_input(self.value, ty)),
            Type::Pointer(_) => Value::Pointer(Pointer::wild(self.value as u64)),
            _ => Value::Int(self.value),
        };
        show(value, self.ty)
    }
}

/// A value as a person writes it.
pub(super) fn show(value: Value, ty: Type) -> String {
    match (value, ty) {
        (Value::Indeterminate, _) => "indeterminate".to_owned(),
        (Value::Pending(_), _) => "not chosen yet".to_owned(),
        (Value::Int(n), Type::Int(ty)) if ty.is_u128() => (n as u128).to_string(),
        (Value::Int(n), _) => n.to_string(),
        (Value::Float(x), Type::Float(FloatType::F32)) => format!("{:?}", x as f32),
        (Value::Float(x), _) => format!("{x:?}"),
        (Value::Pointer(p), _) if p.is_null() => "NULL".to_owned(),
        (Value::Pointer(p), _) => format!("{:#x}", p.address),
    }
}

/// The C name of an integer type.
pub(super) fn int_name(ty: IntType, model: DataModel) -> String {
    let name = match (ty.bits, model) {
        (1, _) if !ty.signed => return "_Bool".to_owned(),
        (8, _) => return (if ty.signed { "signed char" } else { "unsigned char" }).to_owned(),
        (16, _) => "short",
        (32, _) => "int",
        (64, DataModel::Lp64) => "long",
        (64, DataModel::Ilp32) => "long long",
        (128, _) => "__int128",
        (bits, _) => {
            let sign = if ty.signed { "signed" } else { "unsigned" };
            return format!("{sign} bit-field of {bits} bits");
        }
    };
    match ty.signed {
        true => name.to_owned(),
        false => format!("unsigned {name}"),
    }
}
