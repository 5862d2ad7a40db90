//! Expressions: for their value, or only for what they do.

use lakatos_ir::{
    self as ir, DataModel, Decision, Diagnostic, ExprId, ExprKind as Ir, Instr, IntType, Span, Type,
};

use super::Lower;
use super::call::Want;
use crate::ast::{self, BinOp, Expr, ExprKind, UnOp};
use crate::types::Ty;

pub(super) const COMPLEX: &str = "complex arithmetic";

impl<'u> Lower<'u> {
    /// The value of an expression that is not `void`.
    pub(super) fn value(&mut self, e: ast::ExprId) -> ExprId {
        let value = self.value_at_any_depth(e);
        self.limit(value)
    }

    fn value_at_any_depth(&mut self, e: ast::ExprId) -> ExprId {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        let operated = self.vector_operator(e);
        if let Some(value) = operated.or_else(|| self.complex_operator(e)) {
            return value;
        }
        match &expr.kind {
            ExprKind::Int(value) => self.int_literal(*value, expr.ty, span),
            ExprKind::Float(value) => match self.ty(expr.ty) {
                ty @ Type::Float(_) => self.expr(Ir::Float(value.to_bits()), ty, span),
                ty => self.unsupported_value(ty, span, COMPLEX),
            },
            ExprKind::WideFloat(_) => {
                let name = self.unit.types.show(expr.ty, &self.unit.symbols);
                let construct = format!("a `{name}` that `double` cannot hold");
                let ty = self.ty(expr.ty);
                self.unsupported_value(ty, span, construct)
            }
            ExprKind::Load(lvalue) => {
                let place = self.place(*lvalue);
                self.read(*lvalue, place, expr.ty, span)
            }
            ExprKind::Decay(array) => self.decay(*array, expr.ty, span),
            ExprKind::FnDecay(function) | ExprKind::AddrOf(function)
                if self.unit.types.function_of(self.unit.exprs[*function].ty).is_some() =>
            {
                self.function_pointer(*function, expr.ty, span)
            }
            ExprKind::FnDecay(lvalue) | ExprKind::AddrOf(lvalue) => {
                self.address(*lvalue, expr.ty, span)
            }
            ExprKind::Convert { operand, explicit } => {
                // An implicit one goes to a declared type, whose lengths are known (or are those
                // of the function that is called).
                if *explicit {
                    self.evaluate_lengths(expr.ty);
                }
                self.check_dropped_volatile(*operand, e);
                let value = self.conversion(*operand, expr.ty, span);
                self.check_register_pointer(value, expr.ty, span);
                value
            }
            ExprKind::Unary(op, operand) => self.unary(e, *op, *operand),
            ExprKind::Binary(op, lhs, rhs) if !op.is_comparison() => {
                let (lhs, rhs) = self.operands(*lhs, *rhs);
                let ty = self.ty(expr.ty);
                self.arithmetic(*op, lhs, rhs, ty, span)
            }
            ExprKind::Binary(..) | ExprKind::Logical { .. } => {
                let truth = self.truth(e);
                self.int_of(truth, span)
            }
            ExprKind::PtrAdd { pointer, index, subtract } => {
                self.pointer_sum(*pointer, *index, *subtract, span)
            }
            ExprKind::PtrDiff(lhs, rhs) => self.pointer_difference(*lhs, *rhs, expr.ty, span),
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                self.assignment_value(e)
            }
            ExprKind::Cond { cond, then, els } => self.choice(*cond, *then, *els, expr),
            ExprKind::Elvis { cond, els } => self.elvis(*cond, *els, expr),
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.value(*second)
            }
            _ => self.rarer_value(e, expr),
        }
    }

    /// Calls, GNU's extensions, and lvalues whose value is meant.
    fn rarer_value(&mut self, e: ast::ExprId, expr: &'u Expr) -> ExprId {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                self.call(expr, *callee, args, Want::Value).unwrap_or_else(|| self.lost(expr))
            }
            ExprKind::Builtin { builtin, args } => {
                self.builtin(*builtin, args, expr).unwrap_or_else(|| self.lost(expr))
            }
            ExprKind::StmtExpr { body, result } => {
                self.stmt_expr(body, *result, true, span).unwrap_or_else(|| self.lost(expr))
            }
            ExprKind::SizeofVla(ty) => {
                let size = self.vla_size(*ty, span);
                let ty = self.ty(expr.ty);
                self.convert(size, ty, span)
            }
            &ExprKind::VaArg(list) => {
                let ty = self.ty(expr.ty);
                self.next_argument(list, ty, span)
            }
            ExprKind::Function(_) => self.function_pointer(e, expr.ty, span),
            kind if kind.is_place() => {
                let place = self.place(e);
                self.read(e, place, expr.ty, span)
            }
            _ => self.lost(expr),
        }
    }

    /// A value where there is none: of a `void` expression, which is never used.
    fn lost(&mut self, expr: &Expr) -> ExprId {
        let ty = self.ty(expr.ty);
        self.placeholder(ty, expr.span)
    }

    /// The value in a place as one of its declared type: a bit-field is as wide as declared.
    pub(super) fn load_as(&mut self, place: ir::PlaceId, ty: Ty, span: Span) -> ExprId {
        let mapped = self.ty(ty);
        if !mapped.is_scalar() {
            return self.load(place, span);
        }
        let value = self.load(place, span);
        self.convert(value, mapped, span)
    }

    fn int_literal(&mut self, value: i128, ty: Ty, span: Span) -> ExprId {
        match self.ty(ty) {
            Type::Int(int) => self.int(value, int, span),
            other => {
                let value = self.int(value, self.unit.types.model.diff_type(), span);
                self.convert(value, other, span)
            }
        }
    }

    fn function_pointer(&mut self, function: ast::ExprId, ty: Ty, span: Span) -> ExprId {
        let ty = match self.ty(ty) {
            Type::Function(signature) => self.pointer_to(Type::Function(signature)),
            ty => ty,
        };
        match self.unit.exprs[function].kind {
            ExprKind::Function(decl) => {
                self.check_use(decl, span);
                let proc = self.pointed_procedure(decl);
                self.mention(proc);
                self.ir.procs[proc].address_taken = true;
                let exact = self.pointer_to(Type::Function(self.ir.procs[proc].signature));
                let address = self.expr(Ir::Function(proc), exact, span);
                self.convert(address, ty, span)
            }
            ExprKind::Deref(pointer) => {
                let value = self.value(pointer);
                self.convert(value, ty, span)
            }
            _ => {
                let value = self.value(function);
                self.convert(value, ty, span)
            }
        }
    }

    fn conversion(&mut self, operand: ast::ExprId, ty: Ty, span: Span) -> ExprId {
        let to = self.ty(ty);
        match to {
            Type::BOOL => self.truth(operand),
            Type::Void => {
                self.effect(operand);
                self.placeholder(to, span)
            }
            _ => {
                let value = self.value(operand);
                self.convert(value, to, span)
            }
        }
    }

    fn unary(&mut self, e: ast::ExprId, op: UnOp, operand: ast::ExprId) -> ExprId {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        let op = match op {
            UnOp::Not => {
                let truth = self.truth(e);
                return self.int_of(truth, span);
            }
            UnOp::Neg => ir::UnOp::Neg,
            UnOp::BitNot => ir::UnOp::BitNot,
        };
        let value = self.value(operand);
        let ty = self.ty(expr.ty);
        match (&self.ir.exprs[value].kind, ty, op) {
            (&Ir::Int(c), Type::Int(int), ir::UnOp::BitNot) => self.int(!c, int, span),
            (&Ir::Int(c), Type::Int(int), _) if !int.signed || int.min() != c => {
                self.int(c.wrapping_neg(), int, span)
            }
            (&Ir::Float(bits), _, _) => {
                self.expr(Ir::Float((-f64::from_bits(bits)).to_bits()), ty, span)
            }
            _ if !ty.is_scalar() => self.unsupported_value(ty, span, COMPLEX),
            _ => self.expr(Ir::Unary(op, value), ty, span),
        }
    }

    /// Two operands, left to right.
    pub(super) fn operands(&mut self, lhs: ast::ExprId, rhs: ast::ExprId) -> (ExprId, ExprId) {
        let left = self.value(lhs);
        let left = if self.has_effect(rhs) { self.hold(left) } else { left };
        (left, self.value(rhs))
    }

    pub(super) fn arithmetic(
        &mut self,
        op: BinOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: Type,
        span: Span,
    ) -> ExprId {
        if !ty.is_scalar() {
            return self.unsupported_value(ty, span, COMPLEX);
        }
        self.warn_precision(ty, span);
        self.binary(op.ir(), lhs, rhs, ty, span)
    }

    /// GCC computes with x87 registers on 32-bit x86 unless it is told to use SSE.
    fn warn_precision(&mut self, ty: Type, span: Span) {
        let is_x87 = self.unit.types.model == DataModel::Ilp32 && matches!(ty, Type::Float(_));
        if is_x87 && self.is_live() && !std::mem::replace(&mut self.precision_warned, true) {
            let message = "floating-point operations round to their type, as with SSE: the x87 \
                           unit, which `gcc -m32` uses by default, may keep more precision";
            let warning = Diagnostic::warning(span, message).decision(Decision::Precision);
            self.warnings.push(warning);
        }
    }

    fn pointer_sum(
        &mut self,
        pointer: ast::ExprId,
        index: ast::ExprId,
        subtract: bool,
        span: Span,
    ) -> ExprId {
        let pointee = self.unit.types.pointee(self.unit.exprs[pointer].ty);
        let (pointer, index) = self.operands(pointer, index);
        let scale = self.scale(pointee, span);
        self.pointer_add(pointer, index, subtract, scale, span)
    }

    /// Pointer plus or minus an integer, in elements (each `scale` times what the pointer's type
    /// says). The number is brought to the width of pointers; valid ones keep their value.
    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
        scale: Option<ExprId>,
        span: Span,
    ) -> ExprId {
        let model = self.unit.types.model;
        let wide = match self.type_of(index) {
            Type::Int(int) if int == model.size_type() && !subtract => int,
            _ => model.diff_type(),
        };
        let mut index = self.convert(index, Type::Int(wide), span);
        if let Some(scale) = scale {
            // Unsigned, so that the product has no overflow of its own.
            let size = Type::Int(model.size_type());
            let unsigned = self.convert(index, size, span);
            let product = self.binary(ir::BinOp::Mul, unsigned, scale, size, span);
            index = self.convert(product, Type::Int(model.diff_type()), span);
        }
        if subtract {
            index = match self.ir.exprs[index].kind {
                Ir::Int(c) if c != wide.min() => self.int(-c, wide, span),
                _ => self.expr(Ir::Unary(ir::UnOp::Neg, index), Type::Int(wide), span),
            };
        }
        let ty = self.type_of(pointer);
        self.expr(Ir::PtrAdd(pointer, index), ty, span)
    }

    fn pointer_difference(
        &mut self,
        lhs: ast::ExprId,
        rhs: ast::ExprId,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let pointee = self.unit.types.pointee(self.unit.exprs[lhs].ty);
        let (left, mut right) = self.operands(lhs, rhs);
        let diff = Type::Int(self.unit.types.model.diff_type());
        right = self.convert(right, self.type_of(left), span);
        let mut value = self.expr(Ir::PtrDiff(left, right), diff, span);
        if let Some(scale) = self.scale(pointee, span) {
            let scale = self.convert(scale, diff, span);
            value = self.binary(ir::BinOp::Div, value, scale, diff, span);
        }
        let ty = self.ty(ty);
        self.convert(value, ty, span)
    }

    /// Evaluates an expression for what it does; its value is not used.
    pub(super) fn effect(&mut self, e: ast::ExprId) {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                self.assignment(e, false);
            }
            ExprKind::Call { callee, args } => {
                self.call(expr, *callee, args, Want::Nothing);
            }
            ExprKind::Builtin { builtin, args } => {
                self.builtin(*builtin, args, expr);
            }
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.effect(*second);
            }
            ExprKind::Convert { operand, .. } if self.unit.types.is_void(expr.ty) => {
                self.effect(*operand);
            }
            ExprKind::StmtExpr { body, result } => {
                self.stmt_expr(body, *result, false, span);
            }
            ExprKind::Cond { cond, then, els } if !self.is_lazy(e) => {
                self.choose(*cond, span, |l| l.effect(*then), |l| l.effect(*els));
            }
            ExprKind::Logical { or, lhs, rhs } if !self.is_lazy(*rhs) => {
                let (or, rhs) = (*or, *rhs);
                let then = |l: &mut Lower<'u>| {
                    if !or {
                        l.effect(rhs)
                    }
                };
                let els = |l: &mut Lower<'u>| {
                    if or {
                        l.effect(rhs)
                    }
                };
                self.choose(*lhs, span, then, els);
            }
            ExprKind::Deref(pointer) if self.unit.types.is_void(expr.ty) => self.effect(*pointer),
            ExprKind::Function(_) => {}
            _ => {
                let value = self.value(e);
                self.discard(value);
            }
        }
    }

    /// An `if` inside an expression.
    pub(super) fn choose(
        &mut self,
        cond: ast::ExprId,
        span: Span,
        then: impl FnOnce(&mut Self),
        els: impl FnOnce(&mut Self),
    ) {
        let (yes, no, end) = (self.fresh(), self.fresh(), self.fresh());
        self.branch(cond, yes, no);
        self.f.at = yes;
        then(self);
        self.jump(end, span);
        self.f.at = no;
        els(self);
        self.join(end, span);
    }

    /// `cond ? then : els`: lazily inside the expression if the branches emit nothing.
    fn choice(
        &mut self,
        cond: ast::ExprId,
        then: ast::ExprId,
        els: ast::ExprId,
        expr: &Expr,
    ) -> ExprId {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        if ty.is_scalar() && self.is_lazy(then) && self.is_lazy(els) {
            let cond = self.truth(cond);
            match self.ir.exprs[cond].kind {
                Ir::Int(0) => return self.value(els),
                Ir::Int(_) => return self.value(then),
                _ => {}
            }
            let (then, els) = (self.value(then), self.value(els));
            return self.expr(Ir::Ite(cond, then, els), ty, span);
        }
        if ty == Type::Void {
            self.choose(cond, span, |l| l.effect(then), |l| l.effect(els));
            return self.placeholder(ty, span);
        }
        let temp = self.temp_place(ty, span);
        let store = |e| {
            move |l: &mut Lower<'u>| {
                if !l.evaluate_into(temp, e) {
                    let value = l.value(e);
                    l.assign_place(temp, value, span);
                }
            }
        };
        self.choose(cond, span, store(then), store(els));
        self.load(temp, span)
    }

    /// GNU `cond ?: els`.
    fn elvis(&mut self, cond: ast::ExprId, els: ast::ExprId, expr: &Expr) -> ExprId {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        let value = self.value(cond);
        let value = self.hold(value);
        let truth = self.truth_of(value);
        let converted = self.convert(value, ty, span);
        if self.is_lazy(els) {
            let els = self.value(els);
            return self.expr(Ir::Ite(truth, converted, els), ty, span);
        }
        let temp = self.temp_place(ty, span);
        let (yes, no, end) = (self.fresh(), self.fresh(), self.fresh());
        self.split(truth, yes, no, span);
        self.f.at = yes;
        self.emit(Instr::Assign(temp, converted), span);
        self.jump(end, span);
        self.f.at = no;
        let els = self.value(els);
        self.emit(Instr::Assign(temp, els), span);
        self.join(end, span);
        self.load(temp, span)
    }

    /// An integer constant of the type of `like`.
    pub(super) fn int_like(&mut self, value: i128, like: ExprId) -> ExprId {
        let int = self.type_of(like).as_int().unwrap_or(IntType::I32);
        let span = self.ir.exprs[like].span;
        self.int(value, int, span)
    }
}
