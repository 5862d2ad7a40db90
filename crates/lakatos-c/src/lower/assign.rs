//! Assignments: `=`, `op=`, `++`, `--`.

use lakatos_ir::{BinOp as IrOp, ExprId, ExprKind as Ir, IntType, PlaceId, Span, Type};

use super::Lower;
use super::call::Want;
use super::expr::COMPLEX;
use crate::ast::{self, BinOp, ExprKind};
use crate::types::Ty;

/// An assignment's left side.
#[derive(Clone, Copy)]
struct Target {
    lvalue: ast::ExprId,
    place: PlaceId,
    /// As declared; a bit-field's place is narrower.
    ty: Ty,
    span: Span,
}

impl Lower<'_> {
    pub(super) fn assignment_value(&mut self, e: ast::ExprId) -> ExprId {
        let value = self.assignment(e, true);
        value.unwrap_or_else(|| {
            let ty = self.ty(self.unit.exprs[e].ty);
            self.placeholder(ty, self.unit.exprs[e].span)
        })
    }

    /// Does an assignment; its value if wanted.
    pub(super) fn assignment(&mut self, e: ast::ExprId, want: bool) -> Option<ExprId> {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        match expr.kind {
            ExprKind::Assign { lhs, rhs } if self.is_unseen_errno(lhs) => {
                if want {
                    return Some(self.value(rhs));
                }
                self.effect(rhs);
                None
            }
            ExprKind::Assign { lhs, rhs } => {
                let target = self.target(lhs, Some(rhs), span);
                self.plain(target, rhs, want)
            }
            ExprKind::AssignOp { op, lhs, rhs, compute } => {
                let target = self.target(lhs, Some(rhs), span);
                // To a call on the right, reading and writing the left side is one evaluation, which
                // comes after it (C11 6.5.16.2p3).
                let new = if self.complex_kind(compute).is_some() {
                    let right = self.complex_operand(rhs, compute, span);
                    let old = self.old_value(target);
                    self.complex_operate(op, old, right, (target.ty, compute), span)
                } else if self.has_effect(rhs) {
                    let right = self.value(rhs);
                    let right = self.hold(right);
                    let old = self.old_value(target);
                    self.operate(op, old, right, target.ty, compute, span)
                } else {
                    let old = self.old_value(target);
                    let right = self.value(rhs);
                    self.operate(op, old, right, target.ty, compute, span)
                };
                self.store(target, new, want)
            }
            ExprKind::IncDec { lhs, increment, prefix, compute } => {
                let target = self.target(lhs, None, span);
                let mut old = self.old_value(target);
                if want && !prefix {
                    old = self.hold(old);
                }
                let new = self.step(old, target.ty, compute, increment, span);
                let value = self.store(target, new, want && prefix);
                if prefix { value } else { want.then_some(old) }
            }
            _ => None,
        }
    }

    fn target(&mut self, lhs: ast::ExprId, rhs: Option<ast::ExprId>, span: Span) -> Target {
        let place = self.place(lhs);
        let place = match rhs {
            Some(rhs) if self.has_effect(rhs) => self.freeze(place),
            _ => place,
        };
        Target { lvalue: lhs, place, ty: self.unit.exprs[lhs].ty, span }
    }

    fn old_value(&mut self, target: Target) -> ExprId {
        self.read(target.lvalue, target.place, target.ty, self.unit.exprs[target.lvalue].span)
    }

    fn put(&mut self, target: Target, value: ExprId) {
        let Target { lvalue, place, span, .. } = target;
        match self.may_be_register(lvalue) {
            true => {
                let value = self.hold(value);
                let store = |l: &mut Self| l.assign_place(place, value, span);
                self.unless_register(lvalue, place, span, store, |_| {});
            }
            false => self.assign_place(place, value, span),
        }
    }

    /// `lhs = rhs`; a call stores its result directly.
    fn plain(&mut self, target: Target, rhs: ast::ExprId, want: bool) -> Option<ExprId> {
        let direct = !want || self.is_stable_place(target.place);
        if direct && !self.may_be_register(target.lvalue) && self.evaluate_into(target.place, rhs) {
            return want.then(|| self.load_as(target.place, target.ty, target.span));
        }
        let value = self.value(rhs);
        self.store(target, value, want)
    }

    /// Lowers a call so that its result goes to the place; `false` if the expression is no call
    /// of the place's type.
    pub(super) fn evaluate_into(&mut self, place: PlaceId, e: ast::ExprId) -> bool {
        let expr = &self.unit.exprs[e];
        let ExprKind::Call { callee, args } = &expr.kind else { return false };
        if self.ty(expr.ty) != self.ir.places[place].ty {
            return false;
        }
        self.call(expr, *callee, args, Want::Into(place));
        true
    }

    /// Stores a value of the declared type; the value of the assignment is what was stored.
    fn store(&mut self, target: Target, value: ExprId, want: bool) -> Option<ExprId> {
        let Target { lvalue, place, ty, span } = target;
        let stored = self.narrow(value, place, span);
        if !want {
            self.put(target, stored);
            return None;
        }
        if self.is_stable_place(place) && !self.may_be_register(lvalue) {
            self.assign_place(place, stored, span);
            return Some(self.load_as(place, ty, span));
        }
        let stored = self.hold(stored);
        self.put(target, stored);
        let ty = self.ty(ty);
        Some(if ty.is_scalar() { self.convert(stored, ty, span) } else { stored })
    }

    /// The value cut to a bit-field's width, if the place is one. One unsigned bit looks like a
    /// truth value, but `unsigned b : 1` takes the lowest bit.
    pub(super) fn narrow(&mut self, value: ExprId, place: PlaceId, span: Span) -> ExprId {
        let (from, to) = (self.type_of(value), self.ir.places[place].ty);
        match (from, to) {
            (Type::Int(int), Type::BOOL) if from != Type::BOOL => {
                if let Ir::Int(c) = self.ir.exprs[value].kind {
                    return self.int(c & 1, IntType::BOOL, span);
                }
                let one = self.int(1, int, span);
                let bit = self.binary(IrOp::BitAnd, value, one, from, span);
                self.truth_of(bit)
            }
            _ if to.is_scalar() => self.convert(value, to, span),
            _ => value,
        }
    }

    /// `old op rhs`, computed in type `compute` and converted back.
    fn operate(
        &mut self,
        op: BinOp,
        old: ExprId,
        rhs: ExprId,
        ty: Ty,
        compute: Ty,
        span: Span,
    ) -> ExprId {
        if let Some(pointee) = self.unit.types.pointee(ty) {
            let scale = self.scale(Some(pointee), span);
            return self.pointer_add(old, rhs, op == BinOp::Sub, scale, span);
        }
        if self.unit.types.vector(ty).is_some() {
            return self.vector_binary(op, old, rhs, ty, span);
        }
        let (compute, back) = (self.ty(compute), self.ty(ty));
        let old = self.convert(old, compute, span);
        let new = self.arithmetic(op, old, rhs, compute, span);
        self.convert(new, back, span)
    }

    /// `old + 1` or `old - 1`, as `++` and `--` compute it: promoted, then converted back.
    fn step(&mut self, old: ExprId, ty: Ty, compute: Ty, increment: bool, span: Span) -> ExprId {
        let back = self.type_of(old);
        let op = if increment { BinOp::Add } else { BinOp::Sub };
        match back {
            Type::Pointer(_) => {
                let one = self.int(1, self.unit.types.model.diff_type(), span);
                let scale = self.scale(self.unit.types.pointee(ty), span);
                self.pointer_add(old, one, !increment, scale, span)
            }
            Type::Float(_) => {
                let one = self.expr(Ir::Float(1f64.to_bits()), back, span);
                self.arithmetic(op, old, one, back, span)
            }
            Type::Int(_) => {
                let compute = self.ty(compute);
                let old = self.convert(old, compute, span);
                let one = self.int(1, compute.as_int().unwrap_or(IntType::I32), span);
                let new = self.arithmetic(op, old, one, compute, span);
                self.convert(new, back, span)
            }
            _ => self.unsupported_value(back, span, COMPLEX),
        }
    }
}
