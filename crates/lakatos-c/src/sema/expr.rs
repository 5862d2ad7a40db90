//! Typing rules of operators (C11 6.5): from operands as parsed to typed nodes.

use lakatos_ir::{RecordKind, Span};

use super::{Res, Sema, error, unsupported};
use crate::ast::{
    BinOp, DeclId, DeclKind, ExprId, ExprKind, Init, InitItem, InitStep, Storage, UnOp,
};
use crate::symbol::Symbol;
use crate::types::{CTypes, IntKind, RecordId, Ty, TypeKind};

impl Sema {
    /// The value of a scalar expression: conditions, operands of `!`, `&&`, `||`.
    pub fn condition(&mut self, e: ExprId) -> Res<ExprId> {
        let e = self.rvalue(e);
        if self.types.is_scalar(self.ty(e)) {
            return Ok(e);
        }
        let ty = self.show(self.ty(e));
        error(self.exprs[e].span, format!("a condition needs a number or pointer, this is `{ty}`"))
    }

    pub(super) fn operand_error<T>(&self, span: Span, op: &str, operands: &[ExprId]) -> Res<T> {
        let types: Vec<_> =
            operands.iter().map(|&e| format!("`{}`", self.show(self.ty(e)))).collect();
        error(span, format!("`{op}` does not apply to {}", types.join(" and ")))
    }

    pub fn unary(&mut self, op: UnOp, e: ExprId, span: Span) -> Res<ExprId> {
        if op == UnOp::Not {
            let e = self.condition(e)?;
            return Ok(self.expr(ExprKind::Unary(op, e), self.types.int, span));
        }
        let e = self.rvalue(e);
        if let Some(vector) = self.types.vector(self.ty(e))
            && (op == UnOp::Neg || self.types.is_integer(vector.element))
        {
            return Ok(self.expr(ExprKind::Unary(op, e), self.ty(e), span));
        }
        let ok = match op {
            UnOp::Neg => self.types.is_arithmetic(self.ty(e)),
            // GNU C: of a complex number it is the conjugate.
            UnOp::BitNot | UnOp::Not => {
                let is_complex = matches!(self.types.kind(self.ty(e)), TypeKind::Complex(_));
                is_complex || self.types.is_integer(self.ty(e))
            }
        };
        if !ok {
            return self.operand_error(span, if op == UnOp::Neg { "-" } else { "~" }, &[e]);
        }
        self.require_plain(e, None, false)?;
        let e = self.promote(e);
        Ok(self.expr(ExprKind::Unary(op, e), self.ty(e), span))
    }

    /// Unary `+`: only the promotion.
    pub fn plus(&mut self, e: ExprId, span: Span) -> Res<ExprId> {
        let e = self.rvalue(e);
        if self.types.vector(self.ty(e)).is_some() {
            return Ok(e);
        }
        if !self.types.is_arithmetic(self.ty(e)) {
            return self.operand_error(span, "+", &[e]);
        }
        self.require_plain(e, None, false)?;
        let e = self.promote(e);
        Ok(self.convert(e, self.ty(e), true))
    }

    pub fn deref(&mut self, e: ExprId, span: Span) -> Res<ExprId> {
        let e = self.rvalue(e);
        match self.types.kind(self.ty(e)) {
            TypeKind::Pointer(inner) => match (self.types.kind(inner), &self.exprs[e].kind) {
                // `*f` of a function is the function again.
                (TypeKind::Function(_), &ExprKind::FnDecay(function)) => Ok(function),
                _ => Ok(self.expr(ExprKind::Deref(e), inner, span)),
            },
            _ => self.operand_error(span, "*", &[e]),
        }
    }

    pub fn address_of(&mut self, e: ExprId, span: Span) -> Res<ExprId> {
        let ty = self.ty(e);
        if let ExprKind::Function(_) = self.exprs[e].kind {
            let ty = self.types.pointer_to(ty);
            return Ok(self.expr(ExprKind::AddrOf(e), ty, span));
        }
        if self.bit_field(e).is_some() {
            return error(span, "a bit-field has no address");
        }
        if !self.is_lvalue(e) {
            return error(span, "`&` needs something that has an address");
        }
        // `&*p` is `p`.
        if let ExprKind::Deref(pointer) = self.exprs[e].kind {
            return Ok(pointer);
        }
        let ty = self.types.pointer_to(ty);
        Ok(self.expr(ExprKind::AddrOf(e), ty, span))
    }

    pub fn index(&mut self, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        let is_base = |s: &Sema, e| {
            let is_vector = s.types.vector(s.ty(e)).is_some();
            is_vector || matches!(s.types.kind(s.ty(e)), TypeKind::Array(..) | TypeKind::Pointer(_))
        };
        let (base, index) = if is_base(self, a) { (a, b) } else { (b, a) };
        let index = self.rvalue(index);
        let elem = match self.types.kind(self.ty(base)) {
            TypeKind::Array(elem, _) | TypeKind::Pointer(elem)
                if self.types.is_integer(self.ty(index)) =>
            {
                elem
            }
            _ if let Some(vector) = self.types.vector(self.ty(base))
                && self.types.is_integer(self.ty(index)) =>
            {
                self.types.qualify(vector.element, self.types.quals(self.ty(base)))
            }
            _ => return self.operand_error(span, "[]", &[a, b]),
        };
        let index = self.promote(index);
        let base = match self.types.kind(self.ty(base)) {
            TypeKind::Array(..) => base,
            _ if self.types.vector(self.ty(base)).is_some() => base,
            _ => self.rvalue(base),
        };
        self.require_object(elem, span)?;
        Ok(self.expr(ExprKind::Index { base, index }, elem, span))
    }

    /// Pointer arithmetic needs to know the size (`void` and functions count one byte in GNU C).
    fn require_object(&self, ty: Ty, span: Span) -> Res<()> {
        let known = self.types.size(ty).is_some()
            || self.types.is_variably_sized(ty)
            || matches!(self.types.kind(ty), TypeKind::Void | TypeKind::Function(_));
        if known {
            return Ok(());
        }
        let ty = self.show(ty);
        error(span, format!("the size of `{ty}` is not known here"))
    }

    /// `base.name`; for `->` the parser has dereferenced.
    pub fn member(&mut self, base: ExprId, (name, at): (Symbol, Span), span: Span) -> Res<ExprId> {
        let ty = self.ty(base);
        let Some(record) = self.types.record(ty) else {
            let (ty, name) = (self.show(ty), self.name(name));
            return error(at, format!("`{ty}` has no members, so no `{name}`"));
        };
        let Some(path) = self.find_member(record, name) else {
            let (shown, name) = (self.show(ty), self.name(name));
            let problem = match self.types.records[record].complete {
                true => format!("`{shown}` has no member `{name}`"),
                false => format!("`{shown}` is not defined, so its member `{name}` is not known"),
            };
            return error(at, problem);
        };
        let mut place = base;
        for field in path {
            let outer = self.ty(place);
            let record = self.types.record(outer).expect("members lie in records");
            let ty = self.types.records[record].fields[field as usize].ty;
            let ty = self.types.qualify(ty, self.types.quals(outer));
            place = self.expr(ExprKind::Member { base: place, field }, ty, span);
        }
        Ok(place)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        let (ta, tb) = (self.ty(a), self.ty(b));
        let t = &self.types;
        let (pa, pb) = (t.is_pointer(ta), t.is_pointer(tb));
        let ints = t.is_integer(ta) && t.is_integer(tb);
        let numbers = t.is_arithmetic(ta) && t.is_arithmetic(tb);
        if t.vector(ta).or(t.vector(tb)).is_some() {
            return self.vector_binary(op, a, b, span);
        }
        match op {
            _ if op.is_comparison() && (pa || pb) => self.compare_pointers(op, a, b, span),
            BinOp::Add if pa && t.is_integer(tb) => self.pointer_add(a, b, false, span),
            BinOp::Add if pb && t.is_integer(ta) => self.pointer_add(b, a, false, span),
            BinOp::Sub if pa && t.is_integer(tb) => self.pointer_add(a, b, true, span),
            BinOp::Sub if pa && pb => self.pointer_diff(a, b, span),
            BinOp::Shl | BinOp::Shr if ints => {
                self.require_plain(a, None, false)?;
                let (a, b) = (self.promote(a), self.promote(b));
                Ok(self.expr(ExprKind::Binary(op, a, b), self.ty(a), span))
            }
            BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor if ints => {
                self.arithmetic(op, a, b, span)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div if numbers => {
                self.arithmetic(op, a, b, span)
            }
            _ if op.is_comparison() && numbers => self.arithmetic(op, a, b, span),
            _ => self.operand_error(span, op.ir().symbol(), &[a, b]),
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        self.require_plain(a, Some(b), op.is_comparison())?;
        self.require_plain(b, Some(a), op.is_comparison())?;
        let common = self.common_type(a, b);
        let (a, b) = (self.convert(a, common, false), self.convert(b, common, false));
        let ty = if op.is_comparison() { self.types.int } else { common };
        Ok(self.expr(ExprKind::Binary(op, a, b), ty, span))
    }

    fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
        span: Span,
    ) -> Res<ExprId> {
        let ty = self.ty(pointer);
        if let Some(elem) = self.types.pointee(ty) {
            self.require_object(elem, span)?;
        }
        let index = self.promote(index);
        Ok(self.expr(ExprKind::PtrAdd { pointer, index, subtract }, ty, span))
    }

    fn pointer_diff(&mut self, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        if let Some(elem) = self.types.pointee(self.ty(a)) {
            self.require_object(elem, span)?;
        }
        let b = self.convert(b, self.ty(a), false);
        let ty = CTypes::int_ty(self.types.diff_kind());
        Ok(self.expr(ExprKind::PtrDiff(a, b), ty, span))
    }

    fn compare_pointers(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let scalars = self.types.is_scalar(ta) && self.types.is_scalar(tb);
        if !scalars || self.types.is_float(ta) || self.types.is_float(tb) {
            return self.operand_error(span, op.ir().symbol(), &[a, b]);
        }
        let common = if self.types.is_pointer(ta) { ta } else { tb };
        for e in [a, b] {
            if self.types.is_integer(self.ty(e)) && !self.is_null_constant(e) {
                self.warn(span, "comparison of a pointer with an integer");
            }
        }
        let (a, b) = (self.convert(a, common, false), self.convert(b, common, false));
        Ok(self.expr(ExprKind::Binary(op, a, b), self.types.int, span))
    }

    pub fn logical(&mut self, or: bool, a: ExprId, b: ExprId, span: Span) -> Res<ExprId> {
        let (lhs, rhs) = (self.condition(a)?, self.condition(b)?);
        Ok(self.expr(ExprKind::Logical { or, lhs, rhs }, self.types.int, span))
    }

    pub fn comma(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        self.expr(ExprKind::Comma(a, b), self.ty(b), span)
    }

    fn require_modifiable(&self, e: ExprId, span: Span) -> Res<()> {
        if !self.is_lvalue(e) {
            return error(span, "only a variable, or a part of one, can be assigned to");
        }
        let ty = self.ty(e);
        if self.types.quals(ty).is_const {
            return error(span, "this is `const` and cannot be assigned to");
        }
        match self.types.kind(ty) {
            TypeKind::Array(..) => error(span, "an array cannot be assigned to as a whole"),
            _ if self.types.size(ty).is_none() => {
                let ty = self.show(ty);
                error(span, format!("a value of type `{ty}` cannot be assigned"))
            }
            _ => Ok(()),
        }
    }

    pub fn assign(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Res<ExprId> {
        self.require_modifiable(lhs, span)?;
        let rhs = self.assign_convert(rhs, self.ty(lhs), "the assignment")?;
        let ty = self.types.unqualified(self.ty(lhs));
        Ok(self.expr(ExprKind::Assign { lhs, rhs }, ty, span))
    }

    pub fn assign_op(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId, span: Span) -> Res<ExprId> {
        self.require_modifiable(lhs, span)?;
        let ty = self.types.unqualified(self.ty(lhs));
        // The operator's own rules decide the type it computes in; the node is thrown away.
        let applied = self.binary(op, lhs, rhs, span)?;
        let (compute, rhs) = match self.exprs[applied].kind {
            _ if self.types.vector(self.ty(applied)).is_some()
                && self.types.vector(ty).is_none() =>
            {
                return self.operand_error(span, op.ir().symbol(), &[lhs, rhs]);
            }
            ExprKind::Binary(_, a, b) => (self.ty(a), b),
            ExprKind::PtrAdd { index, .. } if self.types.is_pointer(ty) => (ty, index),
            _ => return self.operand_error(span, op.ir().symbol(), &[lhs, rhs]),
        };
        Ok(self.expr(ExprKind::AssignOp { op, lhs, rhs, compute }, ty, span))
    }

    pub fn inc_dec(
        &mut self,
        lhs: ExprId,
        increment: bool,
        prefix: bool,
        span: Span,
    ) -> Res<ExprId> {
        self.require_modifiable(lhs, span)?;
        let ty = self.types.unqualified(self.ty(lhs));
        if self.types.vector(ty).is_some() {
            return unsupported(span, "`++` and `--` of vectors");
        }
        if !self.types.is_scalar(ty) {
            return self.operand_error(span, if increment { "++" } else { "--" }, &[lhs]);
        }
        if let Some(elem) = self.types.pointee(ty) {
            self.require_object(elem, span)?;
        }
        let old = self.rvalue(lhs);
        let promoted = self.promote(old);
        let compute = self.ty(promoted);
        Ok(self.expr(ExprKind::IncDec { lhs, increment, prefix, compute }, ty, span))
    }

    pub fn conditional(
        &mut self,
        cond: ExprId,
        then: ExprId,
        els: ExprId,
        span: Span,
    ) -> Res<ExprId> {
        let cond = self.condition(cond)?;
        let (then, els) = (self.rvalue(then), self.rvalue(els));
        let ty = self.branch_type(then, els, span)?;
        let (then, els) = (self.convert_branch(then, ty), self.convert_branch(els, ty));
        Ok(self.expr(ExprKind::Cond { cond, then, els }, ty, span))
    }

    /// GNU `cond ?: els`.
    pub fn elvis(&mut self, cond: ExprId, els: ExprId, span: Span) -> Res<ExprId> {
        let cond = self.condition(cond)?;
        let els = self.rvalue(els);
        let ty = self.branch_type(cond, els, span)?;
        let els = self.convert_branch(els, ty);
        Ok(self.expr(ExprKind::Elvis { cond, els }, ty, span))
    }

    fn convert_branch(&mut self, e: ExprId, ty: Ty) -> ExprId {
        if self.types.record(ty).is_some() { e } else { self.convert(e, ty, false) }
    }

    /// C11 6.5.15p3-6.
    fn branch_type(&mut self, a: ExprId, b: ExprId, span: Span) -> Res<Ty> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let t = &self.types;
        if t.is_arithmetic(ta) && t.is_arithmetic(tb) {
            self.require_plain(a, Some(b), false)?;
            self.require_plain(b, Some(a), false)?;
            return Ok(self.common_type(a, b));
        }
        if t.is_void(ta) || t.is_void(tb) {
            return Ok(t.void);
        }
        match (t.is_pointer(ta), t.is_pointer(tb)) {
            (true, true) => Ok(self.pointer_branch_type(a, b, span)),
            (true, false) if t.is_integer(tb) => Ok(self.pointer_or_int(ta, b, span)),
            (false, true) if t.is_integer(ta) => Ok(self.pointer_or_int(tb, a, span)),
            _ if ta == tb => Ok(ta),
            _ => self.operand_error(span, "?:", &[a, b]),
        }
    }

    fn pointer_or_int(&mut self, pointer: Ty, int: ExprId, span: Span) -> Ty {
        if !self.is_null_constant(int) {
            self.warn(span, "a pointer on one side of `?:` and an integer on the other");
        }
        pointer
    }

    fn pointer_branch_type(&mut self, a: ExprId, b: ExprId, span: Span) -> Ty {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_null_constant(a) {
            return tb;
        }
        if self.is_null_constant(b) {
            return ta;
        }
        let (Some(x), Some(y)) = (self.types.pointee(ta), self.types.pointee(tb)) else {
            return ta;
        };
        let quals = self.types.quals(x).and(self.types.quals(y));
        let (x, y) = (self.types.unqualified(x), self.types.unqualified(y));
        let inner = if self.types.is_void(x) || self.types.is_void(y) {
            self.types.void
        } else {
            if !self.compatible(x, y) {
                self.warn(span, "pointers of different types on the sides of `?:`");
            }
            self.composite(x, y)
        };
        let inner = self.types.qualify(inner, quals);
        self.types.pointer_to(inner)
    }

    /// `(type) operand`.
    pub fn cast(&mut self, ty: Ty, operand: ExprId, span: Span) -> Res<ExprId> {
        self.use_type(ty, span);
        let operand = self.rvalue(operand);
        let (from, to) = (self.ty(operand), self.types.unqualified(ty));
        let t = &self.types;
        let allowed = t.is_void(to)
            || (t.is_arithmetic(to) && t.is_arithmetic(from))
            || (t.is_pointer(to) && (t.is_pointer(from) || t.is_integer(from)))
            || (t.is_integer(to) && t.is_pointer(from))
            || (t.kind(to) == t.kind(from) && t.record(to).is_some())
            || self.has_bits_of(to, from);
        if !allowed {
            if let Some(id) = self.types.record(to)
                && let Some(made) = self.union_of_member(operand, id, to)?
            {
                return Ok(made);
            }
            let (from, to) = (self.show(from), self.show(to));
            return error(span, format!("`{from}` cannot be cast to `{to}`"));
        }
        let result = self.convert(operand, to, true);
        if result != operand {
            self.exprs[result].span = span;
        }
        Ok(result)
    }

    pub fn call(&mut self, callee: ExprId, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let callee = match self.exprs[callee].kind {
            ExprKind::Function(_) => callee,
            _ => self.rvalue(callee),
        };
        // Calls through `&f` or `*f` are direct as well.
        let callee = match self.exprs[callee].kind {
            ExprKind::FnDecay(inner) | ExprKind::AddrOf(inner)
                if matches!(self.exprs[inner].kind, ExprKind::Function(_)) =>
            {
                inner
            }
            _ => callee,
        };
        let ty = self.types.pointee(self.ty(callee)).unwrap_or(self.ty(callee));
        let Some(function) = self.types.function_of(ty).cloned() else {
            let ty = self.show(self.ty(callee));
            return error(self.exprs[callee].span, format!("`{ty}` is not a function"));
        };
        if function.prototyped {
            self.check_arity(callee, &function.params, function.variadic, args.len(), span)?;
        }
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            converted.push(match function.params.get(i) {
                Some(&param) if function.prototyped => {
                    let arg = self.transparent_argument(arg, param)?;
                    self.assign_convert(arg, param, "passing this argument")?
                }
                _ => {
                    let arg = self.rvalue(arg);
                    self.promote_argument(arg)
                }
            });
        }
        Ok(self.expr(ExprKind::Call { callee, args: converted }, function.result, span))
    }

    /// What is passed for a transparent union may be a value of one of its members: then it is a
    /// union with that member, here written as a compound literal.
    fn transparent_argument(&mut self, arg: ExprId, param: Ty) -> Res<ExprId> {
        let records = &self.types.records;
        let is_transparent =
            |id: &RecordId| records[*id].transparent && records[*id].kind == RecordKind::Union;
        let Some(id) = self.types.record(param).filter(is_transparent) else {
            return Ok(arg);
        };
        let arg = self.rvalue(arg);
        if self.types.record(self.ty(arg)) == Some(id) {
            return Ok(arg);
        }
        Ok(self.union_of_member(arg, id, param)?.unwrap_or(arg))
    }

    /// The union in which a value is that of a member of its type, if there is such a member.
    fn union_of_member(&mut self, arg: ExprId, id: RecordId, union: Ty) -> Res<Option<ExprId>> {
        if self.types.records[id].kind != RecordKind::Union || self.at_file_scope() {
            return Ok(None);
        }
        let members: Vec<Ty> = self.types.records[id].fields.iter().map(|f| f.ty).collect();
        let Some(at) = members.iter().position(|&member| self.fits_member(arg, member)) else {
            return Ok(None);
        };
        let span = self.exprs[arg].span;
        let value = self.assign_convert(arg, members[at], "passing this argument")?;
        let path = vec![InitStep::Field(at as u32)];
        let items = vec![InitItem { path, value, shared: false }];
        let (name, ty) = (self.symbols.intern(""), self.types.unqualified(union));
        let decl = self.new_object(name, ty, Storage::Local, span);
        if let DeclKind::Object(object) = &mut self.decls[decl].kind {
            object.init = Some(Init { zero: true, items, flexible: None, span });
        }
        let literal = self.expr(ExprKind::CompoundLiteral(decl), ty, span);
        Ok(Some(self.rvalue(literal)))
    }

    fn fits_member(&mut self, arg: ExprId, member: Ty) -> bool {
        let (from, to) = (self.ty(arg), self.types.unqualified(member));
        match (self.types.pointee(from), self.types.pointee(to)) {
            (Some(a), Some(b)) => {
                let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
                self.types.is_void(a) || self.types.is_void(b) || self.compatible(a, b)
            }
            (None, Some(_)) => self.is_null_constant(arg),
            _ => self.compatible(from, to),
        }
    }

    fn check_arity(
        &self,
        callee: ExprId,
        params: &[Ty],
        variadic: bool,
        args: usize,
        span: Span,
    ) -> Res<()> {
        if args == params.len() || (variadic && args > params.len()) {
            return Ok(());
        }
        let name = match self.exprs[callee].kind {
            ExprKind::Function(decl) => format!("`{}`", self.name(self.decls[decl].name)),
            _ => "this function".to_owned(),
        };
        let least = if variadic { "at least " } else { "" };
        let message = format!("{name} takes {least}{} arguments, not {args}", params.len());
        error(span, message)
    }

    /// A use of a declared name.
    pub fn reference(&mut self, decl: DeclId, span: Span) -> ExprId {
        let ty = self.decls[decl].ty;
        let kind = match self.decls[decl].kind {
            DeclKind::Function(_) => ExprKind::Function(decl),
            DeclKind::Object(_) => ExprKind::Var(decl),
        };
        self.expr(kind, ty, span)
    }

    pub fn size_of(&mut self, ty: Ty, span: Span) -> Res<ExprId> {
        let size_t = self.types.size_ty();
        if self.types.is_variably_sized(ty) {
            return Ok(self.expr(ExprKind::SizeofVla(ty), size_t, span));
        }
        let size = match self.types.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(1),
            _ => self.types.size(ty),
        };
        match size {
            Some(size) => Ok(self.int_const(size.into(), size_t, span)),
            None => {
                let ty = self.show(ty);
                error(span, format!("the size of `{ty}` is not known here"))
            }
        }
    }

    /// `_Alignof`; GNU's `__alignof__` prefers 8 for 8-byte scalars of the 32-bit ABI.
    pub fn align_of(&mut self, ty: Ty, gnu: bool, span: Span) -> ExprId {
        let align = if gnu { self.types.own_alignment(ty) } else { self.types.align(ty) };
        let size_t = self.types.size_ty();
        self.int_const(align.into(), size_t, span)
    }

    /// Evaluating it may do more than give a value: it assigns, calls, or is made of statements.
    pub fn has_side_effect(&self, e: ExprId) -> bool {
        let kind = &self.exprs[e].kind;
        let own = matches!(
            kind,
            ExprKind::Assign { .. }
                | ExprKind::AssignOp { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Call { .. }
                | ExprKind::Builtin { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::VaArg(_)
        );
        let mut found = own;
        kind.for_each_operand(|operand| found = found || self.has_side_effect(operand));
        found
    }

    pub fn is_bool(&self, ty: Ty) -> bool {
        self.types.int_kind(ty) == Some(IntKind::Bool)
    }
}
