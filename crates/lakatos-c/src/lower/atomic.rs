//! Atomic operations, in a program with one thread.

use lakatos_ir::{
    BinOp, ExprId, ExprKind as Ir, InputKind, IntType, PlaceId, PlaceKind, Span, Type, UnOp,
    Volatile,
};

use super::Lower;
use crate::ast::{self, Atomic};

impl Lower<'_> {
    /// The operation on `*args[0]`; its value.
    pub(super) fn atomic(
        &mut self,
        kind: Atomic,
        args: &[ast::ExprId],
        ty: Type,
        span: Span,
    ) -> Option<ExprId> {
        let pointee = self.unit.types.pointee(self.unit.exprs[args[0]].ty)?;
        let environment = &self.unit.environment;
        if self.holds_volatile(pointee)
            && (environment.volatile == Volatile::Any || !environment.mmio.is_empty())
        {
            return Some(self.unsupported_value(ty, span, "an atomic update of volatile memory"));
        }
        let values = self.arguments(args);
        let values: Vec<ExprId> = values.into_iter().map(|value| self.hold(value)).collect();
        let object = self.ty(pointee);
        let place = self.new_place(PlaceKind::Deref(values[0]), object, span);
        let place = self.limit_place(place);
        let old = self.load(place, span);
        let old = self.spill(old);
        match (kind, &values[1..]) {
            (Atomic::Exchange, &[new]) => {
                self.assign_place(place, new, span);
                Some(old)
            }
            (Atomic::Update { update, gives_old }, &[operand]) => {
                let new = self.updated(update, old, operand, span);
                let new = self.spill(new);
                self.assign_place(place, new, span);
                Some(if gives_old { old } else { new })
            }
            (Atomic::CompareSwap { gives_old }, &[expected, new]) => {
                let equal = self.binary(BinOp::Eq, old, expected, Type::BOOL, span);
                let equal = self.spill(equal);
                self.store_if(equal, (place, new), None, span);
                Some(if gives_old { old } else { equal })
            }
            (Atomic::CompareExchange { weak }, &[expected, new]) => {
                let known = self.new_place(PlaceKind::Deref(expected), object, span);
                let known = self.limit_place(known);
                let wanted = self.load(known, span);
                let equal = self.binary(BinOp::Eq, old, wanted, Type::BOOL, span);
                let mut equal = self.spill(equal);
                if weak {
                    let may = self.temp_place(Type::BOOL, span);
                    self.havoc(
                        may,
                        InputKind::Library,
                        "__atomic_compare_exchange".to_owned(),
                        span,
                    );
                    let may = self.load(may, span);
                    let both = self.binary(BinOp::BitAnd, equal, may, Type::BOOL, span);
                    equal = self.spill(both);
                }
                self.store_if(equal, (place, new), Some((known, old)), span);
                Some(equal)
            }
            _ => None,
        }
    }

    /// What the object holds afterwards: arithmetic wraps.
    fn updated(
        &mut self,
        update: Option<BinOp>,
        old: ExprId,
        operand: ExprId,
        span: Span,
    ) -> ExprId {
        let ty = self.type_of(old);
        let Type::Int(int) = ty else { return old };
        let wrapping = Type::Int(IntType::unsigned(int.bits));
        let [a, b] = [old, operand].map(|value| self.convert(value, wrapping, span));
        let new = match update {
            Some(op) => self.binary(op, a, b, wrapping, span),
            None => {
                let both = self.binary(BinOp::BitAnd, a, b, wrapping, span);
                self.expr(Ir::Unary(UnOp::BitNot, both), wrapping, span)
            }
        };
        self.convert(new, ty, span)
    }

    /// One store where the condition holds, and perhaps another one where it does not.
    fn store_if(
        &mut self,
        condition: ExprId,
        holds: (PlaceId, ExprId),
        fails: Option<(PlaceId, ExprId)>,
        span: Span,
    ) {
        let (yes, no, end) = (self.fresh(), self.fresh(), self.fresh());
        self.split(condition, yes, no, span);
        for (at, store) in [(yes, Some(holds)), (no, fails)] {
            self.f.at = at;
            if let Some((place, value)) = store {
                self.assign_place(place, value, span);
            }
            self.jump(end, span);
        }
        self.f.at = end;
    }
}
