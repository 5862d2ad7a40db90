//! The meaning of expressions: one evaluator per sort of scalar, chosen by the expression's type.

use super::exec::{Machine, Res};
use super::float;
use super::memory::Fault;
use super::observe::Watch;
use super::plan::Quick;
use super::value::{Pointer, Value};
use crate::arena::Id;
use crate::arith;
use crate::expr::{Arith, BinOp, Expr, ExprId, ExprKind, SignedOverflow, StrId, UnOp, Undefined};
use crate::source::Span;
use crate::ty::{FloatType, IntType, Type};

/// An aggregate value, not copied yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bulk {
    Zero,
    Text(StrId),
    /// The bytes at a pointer, known to be readable.
    Memory(Pointer),
}

impl<W: Watch> Machine<'_, '_, W> {
    pub(super) fn scalar(&mut self, id: ExprId) -> Res<Value> {
        let expr = &self.program.exprs[id];
        match expr.ty {
            Type::Int(_) => self.int(id).map(Value::Int),
            Type::Float(_) => self.float(id).map(Value::Float),
            Type::Pointer(_) => self.pointer(id).map(Value::Pointer),
            _ => Err(self.ill_typed("a scalar", expr.span)),
        }
    }

    pub(super) fn truth(&mut self, id: ExprId) -> Res<bool> {
        self.int(id).map(|n| n != 0)
    }

    /// An integer: at once if it is a constant or in a slot.
    #[inline(always)]
    pub(super) fn int(&mut self, id: ExprId) -> Res<i128> {
        let slot = match self.plan.quick_exprs[id.index()] {
            Quick::Local(slot) => self.frame.slots + slot as usize,
            Quick::Static(slot) => slot as usize,
            Quick::Constant(value) => return Ok(value.into()),
            Quick::No => return self.compute_int(id),
        };
        match self.slots[slot] {
            Value::Int(value) => Ok(value),
            _ => self.int_in_slot(slot, self.program.exprs[id].span),
        }
    }

    /// A slot that does not hold a chosen integer is read as one.
    #[cold]
    pub(super) fn int_in_slot(&mut self, slot: usize, span: Span) -> Res<i128> {
        match self.slots[slot] {
            Value::Int(value) => Ok(value),
            Value::Pending(number) => {
                let value = self.choose(number, span)?;
                self.slots[slot] = Value::Int(value);
                Ok(value)
            }
            other => Err(self.unreadable(other, "an integer", span)),
        }
    }

    #[inline(never)]
    fn compute_int(&mut self, id: ExprId) -> Res<i128> {
        let expr = &self.program.exprs[id];
        match expr.kind {
            ExprKind::Int(value) => Ok(value),
            ExprKind::Load(place) => self.load_int(place),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.compare(expr, op, a, b).map(i128::from)
            }
            ExprKind::Binary(op, a, b) if op.is_lazy() => {
                match self.truth(a)? == (op == BinOp::Or) {
                    true => Ok(i128::from(op == BinOp::Or)),
                    false => self.int(b),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.int(a)?, self.int(b)?);
                let ty = self.int_type(expr)?;
                arith::binary(op, x, y, ty, self.wraps())
                    .map_err(|kind| self.binary_undefined(kind, expr, op, (x, y), ty))
            }
            ExprKind::Cast(from) => self.cast_to_int(expr, from),
            ExprKind::Unary(op, a) => {
                let x = self.int(a)?;
                let ty = self.int_type(expr)?;
                arith::unary(op, x, ty, self.wraps())
                    .map_err(|kind| self.negation_undefined(kind, expr, x, ty))
            }
            ExprKind::Ite(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.int(chosen)
            }
            ExprKind::Overflows(op, a, b, ty) => self.overflows(expr, op, a, b, ty),
            ExprKind::PtrDiff(a, b) => self.pointer_difference(expr, a, b),
            _ => Err(self.ill_typed("an integer", expr.span)),
        }
    }

    fn wraps(&self) -> bool {
        self.options.signed_overflow == SignedOverflow::Wrap
    }

    #[inline]
    fn int_type(&self, expr: &Expr) -> Res<IntType> {
        expr.ty.as_int().ok_or_else(|| self.ill_typed("an integer", expr.span))
    }

    fn compare(&mut self, expr: &Expr, op: BinOp, a: ExprId, b: ExprId) -> Res<bool> {
        match self.program.exprs[a].ty {
            Type::Int(ty) => {
                if self.options.exhaustive
                    && let Some(holds) = self.divide(op, a, b)?
                {
                    return Ok(holds);
                }
                let (x, y) = (self.int(a)?, self.int(b)?);
                Ok(arith::compare(op, x, y, ty))
            }
            Type::Float(_) => Ok(arith::holds(op, self.float(a)?, self.float(b)?)),
            _ => {
                let (x, y) = (self.pointer(a)?, self.pointer(b)?);
                let ordered = !matches!(op, BinOp::Eq | BinOp::Ne);
                if ordered && x.object != y.object {
                    return Err(self.unrelated(expr.span));
                }
                self.expect_comparable(x, y, expr.span)?;
                Ok(arith::holds(op, x.address, y.address))
            }
        }
    }

    fn overflows(
        &mut self,
        expr: &Expr,
        op: Arith,
        a: ExprId,
        b: ExprId,
        ty: IntType,
    ) -> Res<i128> {
        let (x, y) = (self.int(a)?, self.int(b)?);
        if op == Arith::Div && y == 0 {
            return Err(self.binary_undefined(Undefined::DivByZero, expr, BinOp::Div, (x, y), ty));
        }
        let x = (x, self.int_type(&self.program.exprs[a])?);
        let y = (y, self.int_type(&self.program.exprs[b])?);
        Ok(i128::from(!arith::fits(op, x, y, ty)))
    }

    fn cast_to_int(&mut self, expr: &Expr, from: ExprId) -> Res<i128> {
        let to = self.int_type(expr)?;
        match self.program.exprs[from].ty {
            Type::Int(_) => Ok(to.wrap(self.int(from)?)),
            Type::Float(_) => {
                let value = self.float(from)?;
                float::to_int(value, to).ok_or_else(|| self.float_too_large(expr, value, to))
            }
            _ => {
                let pointer = self.pointer(from)?;
                self.memory.expose(pointer.object);
                // GCC extends the sign where the integer is wider than the pointer.
                let address = self.program.types.model.diff_type().wrap(pointer.address.into());
                Ok(to.wrap(address))
            }
        }
    }

    fn pointer_difference(&mut self, expr: &Expr, a: ExprId, b: ExprId) -> Res<i128> {
        let (x, y) = (self.pointer(a)?, self.pointer(b)?);
        if x.object != y.object {
            return Err(self.unrelated(expr.span));
        }
        let pointee = self.program.types.inner(self.program.exprs[a].ty).unwrap_or(Type::Void);
        let bytes = i128::from(x.address) - i128::from(y.address);
        match self.program.types.size(pointee) {
            0 => Err(self.unsupported("difference of pointers to a type of size 0", expr.span)),
            size => Ok(self.int_type(expr)?.wrap(bytes / i128::from(size))),
        }
    }

    pub(super) fn pointer(&mut self, id: ExprId) -> Res<Pointer> {
        let expr = &self.program.exprs[id];
        match expr.kind {
            ExprKind::Null => Ok(Pointer::NULL),
            ExprKind::Load(place) => self.load_pointer(place),
            ExprKind::AddrOf(place) => self.address_of(place),
            ExprKind::Function(proc) => Ok(self.functions[proc.index()]),
            ExprKind::PtrAdd(base, count) => self.pointer_plus(expr, base, count),
            ExprKind::Cast(from) => match self.program.exprs[from].ty {
                Type::Int(_) => {
                    if let Some(pointer) = self.pointer_of_pending(from)? {
                        return Ok(pointer);
                    }
                    let address = self.int(from)?;
                    Ok(self.memory.pointer_at(self.memory.layout.truncate(address)))
                }
                _ => self.pointer(from),
            },
            ExprKind::Ite(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.pointer(chosen)
            }
            _ => Err(self.ill_typed("a pointer", expr.span)),
        }
    }

    fn pointer_plus(&mut self, expr: &Expr, base: ExprId, by: ExprId) -> Res<Pointer> {
        let pointer = self.pointer(base)?;
        // An unsigned count beyond half of the range is a negative one: `p - n` of a `size_t`.
        let count = self.program.types.model.diff_type().wrap(self.int(by)?);
        let pointee = self.program.types.inner(expr.ty).unwrap_or(Type::Void);
        let size = self.program.types.size(pointee);
        let bytes = count * i128::from(size);
        if self.options.memory_safety {
            return Ok(self.memory.displace(pointer, bytes));
        }
        match self.memory.advance(pointer, bytes) {
            // `container_of`: from a member to what may be no such record, by a constant. Compilers
            // compute such an address; an access through it is a fault.
            Err(Fault::Bounds { .. }) if size == 1 && self.is_offset(by) => {
                Ok(self.memory.displace(pointer, bytes))
            }
            moved => moved.map_err(|fault| self.arithmetic_fault(fault, expr.span)),
        }
    }

    /// A constant, as `offsetof` gives one, or its negation.
    fn is_offset(&self, e: ExprId) -> bool {
        match self.program.exprs[e].kind {
            ExprKind::Int(_) => true,
            ExprKind::Unary(UnOp::Neg, inner) | ExprKind::Cast(inner) => self.is_offset(inner),
            _ => false,
        }
    }

    pub(super) fn float(&mut self, id: ExprId) -> Res<f64> {
        let expr = &self.program.exprs[id];
        let Type::Float(ty) = expr.ty else { return Err(self.ill_typed("a float", expr.span)) };
        match expr.kind {
            ExprKind::Float(bits) => Ok(f64::from_bits(bits)),
            ExprKind::Load(place) => self.load_float(place),
            ExprKind::Unary(UnOp::Neg, a) => Ok(-self.float(a)?),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.float(a)?, self.float(b)?);
                self.expect_sse(expr)?;
                float::binary(op, x, y, ty).ok_or_else(|| self.no_wide_floats(expr.span))
            }
            ExprKind::Cast(from) => self.cast_to_float(expr, from, ty),
            ExprKind::Ite(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.float(chosen)
            }
            _ => Err(self.ill_typed("a float", expr.span)),
        }
    }

    fn cast_to_float(&mut self, expr: &Expr, from: ExprId, to: FloatType) -> Res<f64> {
        self.expect_sse(expr)?;
        match self.program.exprs[from].ty {
            Type::Int(ty) => {
                let value = self.int(from)?;
                float::from_int(value, ty, to).ok_or_else(|| self.no_wide_floats(expr.span))
            }
            _ => Ok(float::convert(self.float(from)?, to)),
        }
    }

    pub(super) fn aggregate(&mut self, id: ExprId) -> Res<Bulk> {
        let expr = &self.program.exprs[id];
        match expr.kind {
            ExprKind::Zero => Ok(Bulk::Zero),
            ExprKind::Str(text) => Ok(Bulk::Text(text)),
            ExprKind::Load(place) => self.load_aggregate(place).map(Bulk::Memory),
            ExprKind::Ite(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.aggregate(chosen)
            }
            _ => Err(self.ill_typed("an aggregate", expr.span)),
        }
    }
}
