//! Allocations that fail: those of more than `PTRDIFF_MAX` bytes always, others if the user wants to
//! see that (`--malloc may-fail`).
//!
//! A failure is lowered to a branch of its own, in which the result is the null pointer and nothing
//! else happens; the call itself always succeeds.

use lakatos_ir::{
    Allocation, BinOp, Builtin, ExprId, ExprKind as Ir, InputKind, IntType, PlaceId, Span, Type,
};

use super::Lower;

impl Lower<'_> {
    /// Whether a call of a function that allocates fails; `None` if it never does.
    pub(super) fn allocation_failure(
        &mut self,
        builtin: Builtin,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Option<ExprId> {
        let too_large = match (builtin, args) {
            (Builtin::Malloc, &[size]) | (Builtin::Realloc, &[_, size]) => {
                self.is_above(size, self.largest(), span)
            }
            (Builtin::Calloc, &[count, size]) => self.product_is_too_large(count, size, span),
            _ => return None,
        };
        let is_certain = |large: ExprId| matches!(self.ir.exprs[large].kind, Ir::Int(_));
        if too_large.is_some_and(is_certain) {
            return too_large;
        }
        let fails = match self.unit.environment.allocation {
            Allocation::Succeeds => None,
            Allocation::MayFail => Some(self.any_outcome(name, span)),
        };
        match (too_large, fails) {
            (Some(large), Some(fails)) => {
                Some(self.binary(BinOp::Or, large, fails, Type::BOOL, span))
            }
            (large, fails) => large.or(fails),
        }
    }

    /// The pointer of the place is null where the allocation fails; `succeed` makes it otherwise.
    pub(super) fn allocate_or_fail(
        &mut self,
        fails: ExprId,
        into: PlaceId,
        span: Span,
        succeed: impl FnOnce(&mut Self),
    ) {
        let (yes, no, end) = (self.fresh(), self.fresh(), self.fresh());
        self.split(fails, yes, no, span);
        self.f.at = yes;
        let null = self.zero(self.ir.places[into].ty, span);
        self.assign_place(into, null, span);
        self.set_errno_of_failed_allocation(span);
        self.jump(end, span);
        self.f.at = no;
        succeed(self);
        self.join(end, span);
    }

    fn largest(&self) -> i128 {
        self.unit.types.model.diff_type().max()
    }

    fn any_outcome(&mut self, name: &str, span: Span) -> ExprId {
        let temp = self.temp_place(Type::BOOL, span);
        self.havoc(temp, InputKind::Allocation, name.to_owned(), span);
        self.load(temp, span)
    }

    /// `size > limit`; `None` if it never is.
    fn is_above(&mut self, size: ExprId, limit: i128, span: Span) -> Option<ExprId> {
        if self.upper_bound(size).is_some_and(|bound| bound <= limit) {
            return None;
        }
        if let Ir::Int(_) = self.ir.exprs[size].kind {
            return Some(self.int(1, IntType::BOOL, span));
        }
        let limit = self.int(limit, self.unit.types.model.size_type(), span);
        Some(self.binary(BinOp::Gt, size, limit, Type::BOOL, span))
    }

    /// `count * size`, as a mathematical product, is more than can be allocated.
    fn product_is_too_large(&mut self, count: ExprId, size: ExprId, span: Span) -> Option<ExprId> {
        let largest = self.largest();
        match (&self.ir.exprs[count].kind, &self.ir.exprs[size].kind) {
            (Ir::Int(0), _) | (_, Ir::Int(0)) => None,
            (_, &Ir::Int(each)) => self.is_above(count, largest / each, span),
            (&Ir::Int(count), _) => self.is_above(size, largest / count, span),
            _ => {
                let (a, b) = (self.upper_bound(count), self.upper_bound(size));
                let product = a.and_then(|a| a.checked_mul(b?));
                if product.is_some_and(|product| product <= largest) {
                    return None;
                }
                // `size != 0 && count > largest / size`; both operators stop early.
                let ty = self.unit.types.model.size_type();
                let (zero, largest) = (self.int(0, ty, span), self.int(largest, ty, span));
                let some = self.binary(BinOp::Ne, size, zero, Type::BOOL, span);
                let room = self.binary(BinOp::Div, largest, size, Type::Int(ty), span);
                let more = self.binary(BinOp::Gt, count, room, Type::BOOL, span);
                Some(self.binary(BinOp::And, some, more, Type::BOOL, span))
            }
        }
    }

    /// A number that an unsigned value of type `size_t` never exceeds, where its form tells.
    fn upper_bound(&self, value: ExprId) -> Option<i128> {
        let ty = self.type_of(value).as_int()?;
        let bound = match self.ir.exprs[value].kind {
            Ir::Int(value) => value,
            Ir::Cast(inner) => {
                let from = self.type_of(inner).as_int()?;
                if from.signed {
                    return self.non_negative_bound(inner).filter(|bound| *bound <= ty.max());
                }
                self.upper_bound(inner).unwrap_or(from.max())
            }
            Ir::Binary(BinOp::Mul, a, b) => {
                self.upper_bound(a)?.checked_mul(self.upper_bound(b)?)?
            }
            Ir::Binary(BinOp::Add, a, b) => {
                self.upper_bound(a)?.checked_add(self.upper_bound(b)?)?
            }
            Ir::Load(_) if !ty.signed => ty.max(),
            _ => return None,
        };
        // What wraps around is not bounded by this; a negative constant is no size.
        (0..=ty.max()).contains(&bound).then_some(bound)
    }

    /// The same of a signed value that is never negative.
    fn non_negative_bound(&self, value: ExprId) -> Option<i128> {
        match self.ir.exprs[value].kind {
            Ir::Int(value) => (value >= 0).then_some(value),
            Ir::Cast(inner) => {
                let (from, to) = (self.type_of(inner).as_int()?, self.type_of(value).as_int()?);
                (!from.signed && from.max() <= to.max()).then_some(from.max())
            }
            _ => None,
        }
    }
}
