//! Complex numbers (C11 6.2.5, Annex G): a structure whose member is the array of the two parts.
//!
//! A real operand stays real, as in GCC: `x * z` is `x * re` and `x * im`. Where both parts of a product
//! are NaN, and in a division by a complex number, C leaves the result open: any value.

use lakatos_ir::{BinOp as IrOp, ExprId, ExprKind as Ir, InputKind, Span, Type, UnOp as IrUnOp};

use super::Lower;
use crate::ast::{self, BinOp, ExprKind, UnOp};
use crate::types::{FloatKind, Ty, TypeKind};

/// An operand: its real part, and its imaginary part unless it is a real number.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    re: ExprId,
    im: Option<ExprId>,
}

impl Lower<'_> {
    /// The type of the parts of a complex type.
    pub(super) fn complex_kind(&self, ty: Ty) -> Option<FloatKind> {
        match self.unit.types.kind(ty) {
            TypeKind::Complex(kind) => Some(kind),
            _ => None,
        }
    }

    fn part_type(&mut self, kind: FloatKind) -> Type {
        self.map_type(TypeKind::Float(kind))
    }

    /// The value of an operator on complex numbers; `None` if it is none.
    pub(super) fn complex_operator(&mut self, e: ast::ExprId) -> Option<ExprId> {
        let (unit, expr) = (self.unit, &self.unit.exprs[e]);
        let (kind, span) = (self.complex_kind(expr.ty), expr.span);
        match expr.kind {
            ExprKind::Unary(op, operand) if op != UnOp::Not => {
                let ty = self.part_type(kind?);
                let Parts { re, im } = self.parts_of(operand, ty, span);
                let im = im.unwrap_or_else(|| self.zero(ty, span));
                let re = match op {
                    UnOp::Neg => self.expr(Ir::Unary(IrUnOp::Neg, re), ty, span),
                    UnOp::BitNot | UnOp::Not => re,
                };
                let im = self.expr(Ir::Unary(IrUnOp::Neg, im), ty, span);
                Some(self.complex(re, im, expr.ty, span))
            }
            ExprKind::Binary(op, lhs, rhs) if !op.is_comparison() => {
                let ty = self.part_type(kind?);
                let left = self.parts_of(lhs, ty, span);
                let left = if self.has_effect(rhs) { self.hold_parts(left) } else { left };
                let right = self.parts_of(rhs, ty, span);
                Some(self.complex_arithmetic(op, left, right, expr.ty, span))
            }
            ExprKind::Convert { operand, .. } => {
                let from = self.complex_kind(unit.exprs[operand].ty);
                kind.or(from)?;
                let to = self.ty(expr.ty);
                match kind {
                    Some(kind) => {
                        let ty = self.part_type(kind);
                        let Parts { re, im } = self.parts_of(operand, ty, span);
                        let im = im.unwrap_or_else(|| self.zero(ty, span));
                        Some(self.complex(re, im, expr.ty, span))
                    }
                    None if to == Type::BOOL || to == Type::Void => None,
                    None => {
                        let ty = self.part_type(from?);
                        let Parts { re, .. } = self.parts_of(operand, ty, span);
                        Some(self.convert(re, to, span))
                    }
                }
            }
            _ => None,
        }
    }

    /// The parts of an operand, as numbers of a type.
    pub(super) fn parts_of(&mut self, e: ast::ExprId, ty: Type, span: Span) -> Parts {
        let unit = self.unit;
        // A real operand was made complex for its type only.
        if let ExprKind::Convert { operand, explicit: false } = unit.exprs[e].kind
            && self.complex_kind(unit.exprs[operand].ty).is_none()
            && let Some(kind) = self.complex_kind(unit.exprs[e].ty)
        {
            let real = self.value(operand);
            let part = self.part_type(kind);
            let real = self.convert(real, part, span);
            return self.parts_of_value(real, ty, span);
        }
        let value = self.value(e);
        self.parts_of_value(value, ty, span)
    }

    /// The parts of a value that is a number, or a complex number.
    pub(super) fn parts_of_value(&mut self, value: ExprId, ty: Type, span: Span) -> Parts {
        if self.type_of(value).is_scalar() {
            return Parts { re: self.convert(value, ty, span), im: None };
        }
        let [re, im] = [0, 1].map(|number| self.operand_element(value, number, span));
        let [re, im] = [re, im].map(|part| self.convert(part, ty, span));
        Parts { re, im: Some(im) }
    }

    fn hold_parts(&mut self, Parts { re, im }: Parts) -> Parts {
        let re = self.hold(re);
        Parts { re, im: im.map(|im| self.hold(im)) }
    }

    /// A complex number of these parts.
    pub(super) fn complex(&mut self, re: ExprId, im: ExprId, ty: Ty, span: Span) -> ExprId {
        self.each_element(ty, span, |_, number| if number == 0 { re } else { im })
    }

    /// `ty` is the complex type of the result.
    pub(super) fn complex_arithmetic(
        &mut self,
        op: BinOp,
        left: Parts,
        right: Parts,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let (left, right) = (self.hold_parts(left), self.hold_parts(right));
        let part = self.type_of(left.re);
        let compute = |l: &mut Self, op, a, b| l.arithmetic(op, a, b, part, span);
        let negated = |l: &mut Self, value| l.expr(Ir::Unary(IrUnOp::Neg, value), part, span);
        let (re, im) = match (op, left.im, right.im) {
            (BinOp::Add | BinOp::Sub, a, b) => {
                let re = compute(self, op, left.re, right.re);
                let im = match (a, b) {
                    (Some(a), Some(b)) => compute(self, op, a, b),
                    (Some(a), None) => a,
                    (None, Some(b)) if op == BinOp::Sub => negated(self, b),
                    (None, Some(b)) => b,
                    (None, None) => self.zero(part, span),
                };
                (re, im)
            }
            (BinOp::Mul, a, None) => {
                let re = compute(self, op, left.re, right.re);
                let zero = self.zero(part, span);
                (re, a.map_or(zero, |a| compute(self, op, a, right.re)))
            }
            (BinOp::Mul, None, Some(b)) => {
                (compute(self, op, left.re, right.re), compute(self, op, left.re, b))
            }
            (BinOp::Mul, Some(a), Some(b)) => {
                let (ac, bd) = (compute(self, op, left.re, right.re), compute(self, op, a, b));
                let (ad, bc) = (compute(self, op, left.re, b), compute(self, op, a, right.re));
                (compute(self, BinOp::Sub, ac, bd), compute(self, BinOp::Add, ad, bc))
            }
            (BinOp::Div, a, None) => {
                let re = compute(self, op, left.re, right.re);
                let zero = self.zero(part, span);
                (re, a.map_or(zero, |a| compute(self, op, a, right.re)))
            }
            (BinOp::Div, _, Some(_)) => (self.any_part(part, span), self.any_part(part, span)),
            (
                BinOp::Rem
                | BinOp::Shl
                | BinOp::Shr
                | BinOp::BitAnd
                | BinOp::BitOr
                | BinOp::BitXor
                | BinOp::Eq
                | BinOp::Ne
                | BinOp::Lt
                | BinOp::Le
                | BinOp::Gt
                | BinOp::Ge,
                ..,
            ) => {
                let mapped = self.ty(ty);
                return self.unsupported_value(mapped, span, "this operator on complex numbers");
            }
        };
        if op != BinOp::Mul || left.im.is_none() || right.im.is_none() {
            return self.complex(re, im, ty, span);
        }
        self.product_unless_nan(re, im, ty, span)
    }

    /// Where both parts are NaN, one of the factors may be infinite, and so the product.
    fn product_unless_nan(&mut self, re: ExprId, im: ExprId, ty: Ty, span: Span) -> ExprId {
        let part = self.type_of(re);
        let temps = [re, im].map(|value| {
            let temp = self.temp_place(part, span);
            self.assign_place(temp, value, span);
            temp
        });
        let is_nan = temps.map(|temp| {
            let (a, b) = (self.load(temp, span), self.load(temp, span));
            self.binary(IrOp::Ne, a, b, Type::BOOL, span)
        });
        let both = self.binary(IrOp::And, is_nan[0], is_nan[1], Type::BOOL, span);
        let (open, known) = (self.fresh(), self.fresh());
        self.split(both, open, known, span);
        self.f.at = open;
        for temp in temps {
            self.havoc(temp, InputKind::Assembly, "complex product".to_owned(), span);
        }
        self.join(known, span);
        let [re, im] = temps.map(|temp| self.load(temp, span));
        self.complex(re, im, ty, span)
    }

    fn any_part(&mut self, part: Type, span: Span) -> ExprId {
        let temp = self.temp_place(part, span);
        self.havoc(temp, InputKind::Assembly, "complex quotient".to_owned(), span);
        self.load(temp, span)
    }

    /// Whether two operands of `==` or `!=` are equal; one of them is complex.
    pub(super) fn complex_equal(
        &mut self,
        lhs: ast::ExprId,
        rhs: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let kinds = [lhs, rhs].map(|e| self.complex_kind(self.unit.exprs[e].ty));
        let kind = kinds[0].max(kinds[1]).unwrap_or(FloatKind::Double);
        let ty = self.part_type(kind);
        let left = self.parts_of(lhs, ty, span);
        let left = if self.has_effect(rhs) { self.hold_parts(left) } else { left };
        let right = self.parts_of(rhs, ty, span);
        let re = self.binary(IrOp::Eq, left.re, right.re, Type::BOOL, span);
        let zero = self.zero(ty, span);
        let [a, b] = [left.im, right.im].map(|im| im.unwrap_or(zero));
        let im = self.binary(IrOp::Eq, a, b, Type::BOOL, span);
        self.binary(IrOp::And, re, im, Type::BOOL, span)
    }

    /// Whether a complex number is not 0.
    pub(super) fn complex_truth(&mut self, e: ast::ExprId, span: Span) -> Option<ExprId> {
        let kind = self.complex_kind(self.unit.exprs[e].ty)?;
        let ty = self.part_type(kind);
        let Parts { re, im } = self.parts_of(e, ty, span);
        let re = self.truth_of(re);
        let im = im.map(|im| self.truth_of(im));
        Some(im.map_or(re, |im| self.binary(IrOp::Or, re, im, Type::BOOL, span)))
    }

    /// The right side of an assignment `lhs op= rhs` where one of the two is complex.
    pub(super) fn complex_operand(&mut self, rhs: ast::ExprId, compute: Ty, span: Span) -> Parts {
        let part = self.part_of(compute);
        let right = self.parts_of(rhs, part, span);
        self.hold_parts(right)
    }

    fn part_of(&mut self, compute: Ty) -> Type {
        let kind = self.complex_kind(compute).unwrap_or(FloatKind::Double);
        self.part_type(kind)
    }

    /// Its new value; `old` is the value of the left side.
    pub(super) fn complex_operate(
        &mut self,
        op: BinOp,
        old: ExprId,
        right: Parts,
        (ty, compute): (Ty, Ty),
        span: Span,
    ) -> ExprId {
        let part = self.part_of(compute);
        let left = self.parts_of_value(old, part, span);
        let left = self.hold_parts(left);
        let new = self.complex_arithmetic(op, left, right, compute, span);
        let [re, im] = [0, 1].map(|number| self.operand_element(new, number, span));
        match self.complex_kind(ty) {
            Some(_) => self.complex(re, im, ty, span),
            None => {
                let to = self.ty(ty);
                self.convert(re, to, span)
            }
        }
    }
}
