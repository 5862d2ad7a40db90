//! Built-ins whose value depends on what the compiler finds out: `__builtin_constant_p` and
//! `__builtin_object_size`.
//!
//! Where GCC and Clang agree at every level of optimisation the value is a constant. Everywhere
//! else it may be any value of its type, and a run that takes one refutes nothing.

use lakatos_ir::Span;

use super::{Res, Sema, error, unsupported};
use crate::ast::{CBuiltin, ExprId, ExprKind};
use crate::types::{CTypes, IntKind, Ty};

/// What a constant address points to.
struct Address {
    /// Bytes from there to the end of the object.
    left: i128,
    /// The object as a whole, or an element of an array that is all of the object.
    whole: bool,
}

impl Sema {
    /// A value that the compiler chooses is a part of it.
    pub fn depends_on_compiler(&self, e: ExprId) -> bool {
        let kind = &self.exprs[e].kind;
        let mut found = matches!(kind, ExprKind::Builtin { builtin: CBuiltin::CompilerChoice, .. });
        kind.for_each_operand(|operand| found = found || self.depends_on_compiler(operand));
        found
    }

    /// `__builtin_constant_p(e)`; `e` is not evaluated.
    pub fn constant_p(&mut self, e: ExprId, span: Span) -> ExprId {
        let e = self.rvalue(e);
        let int = self.types.int;
        let known = if self.constant(e).is_some() || self.address(e).is_some() {
            Some(1)
        } else if self.may_act(e) {
            Some(0)
        } else {
            self.address_is_constant(e).map(i128::from)
        };
        match known {
            Some(value) => self.int_const(value, int, span),
            // Outside functions GCC decides at once.
            None if self.current.is_none() => self.int_const(0, int, span),
            None => {
                let truth = self.compiler_choice(CTypes::int_ty(IntKind::Bool), span);
                self.convert(truth, int, false)
            }
        }
    }

    /// Of an address of an object: only that of a string literal counts as a constant.
    fn address_is_constant(&self, e: ExprId) -> Option<bool> {
        match self.exprs[e].kind {
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => match self.exprs[place].kind {
                ExprKind::Str(_) => Some(true),
                ExprKind::Var(_) => Some(false),
                _ => None,
            },
            ExprKind::FnDecay(_) => Some(false),
            _ => None,
        }
    }

    /// `__builtin_object_size(pointer, kind)`; the pointer is not evaluated.
    pub fn object_size(&mut self, pointer: ExprId, kind: ExprId, span: Span) -> Res<ExprId> {
        let pointer = self.rvalue(pointer);
        if !self.types.is_pointer(self.ty(pointer)) {
            return error(span, "this takes a pointer and a number");
        }
        let Some(kind @ 0..=3) = self.constant_int(kind) else {
            return error(span, "the second argument must be 0, 1, 2 or 3");
        };
        let (part, minimum) = (kind & 1 != 0, kind & 2 != 0);
        let size_t = self.types.size_ty();
        let unknown = if minimum { 0 } else { self.types.model.size_type().max() };
        // Neither side effects nor plain numbers leave compilers anything to find out.
        let value = if self.may_act(pointer) || self.address(pointer).is_some() {
            Some(unknown)
        } else {
            let address = self.object_address(pointer);
            address.filter(|address| address.whole || !part).map(|address| address.left.max(0))
        };
        match value {
            Some(value) => Ok(self.int_const(value, size_t, span)),
            None if self.current.is_none() => unsupported(span, "a size that is no constant"),
            None => Ok(self.compiler_choice(size_t, span)),
        }
    }

    fn compiler_choice(&mut self, ty: Ty, span: Span) -> ExprId {
        let kind = ExprKind::Builtin { builtin: CBuiltin::CompilerChoice, args: Vec::new() };
        self.expr(kind, ty, span)
    }

    /// A pointer that is made of the name of an object and constants.
    fn object_address(&self, e: ExprId) -> Option<Address> {
        match self.exprs[e].kind {
            ExprKind::Convert { operand, .. } if self.types.is_pointer(self.ty(operand)) => {
                self.object_address(operand)
            }
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.object_place(place),
            ExprKind::PtrAdd { pointer, index, subtract } => {
                let size = i128::from(self.types.size(self.types.pointee(self.ty(pointer))?)?);
                let offset = self.constant_int(index)?.checked_mul(size)?;
                let Address { left, .. } = self.object_address(pointer)?;
                let left =
                    if subtract { left.checked_add(offset)? } else { left.checked_sub(offset)? };
                Some(Address { left, whole: false })
            }
            _ => None,
        }
    }

    fn object_place(&self, place: ExprId) -> Option<Address> {
        let ty = self.ty(place);
        match self.exprs[place].kind {
            ExprKind::Var(_) | ExprKind::Str(_) => {
                Some(Address { left: i128::from(self.types.size(ty)?), whole: true })
            }
            ExprKind::Deref(pointer) => self.object_address(pointer),
            ExprKind::Member { base, field } => {
                let record = self.types.record(self.ty(base))?;
                let offset = self.types.records[record].fields[field as usize].offset;
                let Address { left, .. } = self.object_place(base)?;
                Some(Address { left: left - i128::from(offset), whole: false })
            }
            ExprKind::Index { base, index } => {
                let offset = self.constant_int(index)?;
                let offset = offset.checked_mul(i128::from(self.types.size(ty)?))?;
                let Address { left, whole } = match self.types.is_pointer(self.ty(base)) {
                    true => self.object_address(base).map(|a| Address { whole: false, ..a })?,
                    false => self.object_place(base)?,
                };
                let whole = whole && self.types.element(ty).is_none();
                Some(Address { left: left.checked_sub(offset)?, whole })
            }
            _ => None,
        }
    }

    /// Evaluating would change something, or may: also a read of volatile memory does.
    pub fn may_act(&self, e: ExprId) -> bool {
        self.has_side_effect(e) || self.needs_run(e)
    }

    fn needs_run(&self, e: ExprId) -> bool {
        let kind = &self.exprs[e].kind;
        let mut found = match kind {
            ExprKind::Load(place) => self.types.quals(self.ty(*place)).is_volatile,
            kind => matches!(kind, ExprKind::SizeofVla(_) | ExprKind::CompoundLiteral(_)),
        };
        kind.for_each_operand(|operand| found = found || self.needs_run(operand));
        found
    }
}
