//! Truth values and branches.

use lakatos_ir::{BinOp as IrOp, ExprId, ExprKind as Ir, LocId, Span, Type};

use super::Lower;
use super::expr::COMPLEX;
use crate::ast::{self, ExprKind, UnOp};

impl Lower<'_> {
    /// Whether a scalar is not zero, as a truth value.
    pub(super) fn truth(&mut self, e: ast::ExprId) -> ExprId {
        let truth = self.truth_at_any_depth(e);
        self.limit(truth)
    }

    fn truth_at_any_depth(&mut self, e: ast::ExprId) -> ExprId {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        match expr.kind {
            ExprKind::Binary(op, lhs, rhs)
                if op.is_comparison()
                    && (self.complex_kind(self.unit.exprs[lhs].ty).is_some()
                        || self.complex_kind(self.unit.exprs[rhs].ty).is_some()) =>
            {
                let equal = self.complex_equal(lhs, rhs, span);
                match op {
                    ast::BinOp::Eq => equal,
                    ast::BinOp::Ne => self.negate(equal),
                    _ => self.unsupported_value(Type::BOOL, span, COMPLEX),
                }
            }
            ExprKind::Binary(op, lhs, rhs) if op.is_comparison() => {
                let (lhs, mut rhs) = self.operands(lhs, rhs);
                match self.type_of(lhs) {
                    // To compatible types, which may differ here.
                    ty @ Type::Pointer(_) => rhs = self.convert(rhs, ty, span),
                    ty if !ty.is_scalar() => {
                        return self.unsupported_value(Type::BOOL, span, COMPLEX);
                    }
                    _ => {}
                }
                self.comparison(op.ir(), lhs, rhs, span)
            }
            ExprKind::Logical { or, lhs, rhs } if self.is_lazy(rhs) => {
                let lhs = self.truth(lhs);
                match (&self.ir.exprs[lhs].kind, or) {
                    // The operand that decides makes the other one dead.
                    (Ir::Int(0), false) => lhs,
                    (Ir::Int(1), true) => lhs,
                    (Ir::Int(_), _) => self.truth(rhs),
                    _ => {
                        let rhs = self.truth(rhs);
                        let op = if or { IrOp::Or } else { IrOp::And };
                        self.binary(op, lhs, rhs, Type::BOOL, span)
                    }
                }
            }
            ExprKind::Logical { .. } => self.truth_by_branching(e),
            ExprKind::Unary(UnOp::Not, operand) => {
                let truth = self.truth(operand);
                self.negate(truth)
            }
            ExprKind::Cond { cond, then, els } if self.is_lazy(then) && self.is_lazy(els) => {
                let cond = self.truth(cond);
                match self.ir.exprs[cond].kind {
                    Ir::Int(0) => self.truth(els),
                    Ir::Int(_) => self.truth(then),
                    _ => {
                        let (then, els) = (self.truth(then), self.truth(els));
                        self.expr(Ir::Ite(cond, then, els), Type::BOOL, span)
                    }
                }
            }
            ExprKind::Convert { operand, .. } if self.keeps_truth(e, operand) => {
                self.truth(operand)
            }
            _ => {
                if let Some(truth) = self.complex_truth(e, span) {
                    return truth;
                }
                let value = self.value(e);
                self.truth_of(value)
            }
        }
    }

    /// A comparison; one of a truth value's integer with zero is just that truth value.
    fn comparison(&mut self, op: IrOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if let (Ir::Cast(inner), Ir::Int(0)) = (&self.ir.exprs[lhs].kind, &self.ir.exprs[rhs].kind)
        {
            let inner = *inner;
            match op {
                IrOp::Ne if self.type_of(inner) == Type::BOOL => return inner,
                IrOp::Eq if self.type_of(inner) == Type::BOOL => return self.negate(inner),
                _ => {}
            }
        }
        self.binary(op, lhs, rhs, Type::BOOL, span)
    }

    /// A truth value by control flow, as an operand has side effects.
    fn truth_by_branching(&mut self, e: ast::ExprId) -> ExprId {
        let span = self.unit.exprs[e].span;
        let temp = self.temp_place(Type::BOOL, span);
        let [yes, no] = [1, 0].map(|c| self.int(c, lakatos_ir::IntType::BOOL, span));
        let set = |value| move |l: &mut Self| l.assign_place(temp, value, span);
        self.choose(e, span, set(yes), set(no));
        self.load(temp, span)
    }

    /// The conversion gives zero exactly for zero.
    fn keeps_truth(&mut self, e: ast::ExprId, operand: ast::ExprId) -> bool {
        let exprs = &self.unit.exprs;
        let (from, to) = (self.ty(exprs[operand].ty), self.ty(exprs[e].ty));
        match (from, to) {
            (_, Type::BOOL) => from.is_scalar(),
            (Type::Int(from), Type::Int(to)) => to.bits >= from.bits,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
    }

    /// Goes to `yes` if the scalar is not zero, else to `no`.
    pub(super) fn branch(&mut self, e: ast::ExprId, yes: LocId, no: LocId) {
        let expr = &self.unit.exprs[e];
        match expr.kind {
            ExprKind::Unary(UnOp::Not, operand) => self.branch(operand, no, yes),
            ExprKind::Logical { or, lhs, rhs } if !self.is_lazy(rhs) => {
                let next = self.fresh();
                match or {
                    true => self.branch(lhs, yes, next),
                    false => self.branch(lhs, next, no),
                }
                self.f.at = next;
                self.branch(rhs, yes, no);
            }
            ExprKind::Cond { cond, then, els } if !self.is_lazy(then) || !self.is_lazy(els) => {
                let (first, second) = (self.fresh(), self.fresh());
                self.branch(cond, first, second);
                self.f.at = first;
                self.branch(then, yes, no);
                self.f.at = second;
                self.branch(els, yes, no);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.branch(second, yes, no);
            }
            ExprKind::Convert { operand, .. } if self.keeps_truth(e, operand) => {
                self.branch(operand, yes, no);
            }
            _ => {
                let truth = self.truth(e);
                self.split(truth, yes, no, expr.span);
            }
        }
    }
}
