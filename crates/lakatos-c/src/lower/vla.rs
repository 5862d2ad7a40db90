//! Variable-length arrays.
//!
//! An array whose size depends on the run is memory from `alloca` that ends with the variable
//! (`Program::arrays`), held by a pointer to its
//! *base*: the first element type, going inwards, whose size is fixed. `int a[n][m]` is an
//! `int *`, and `a[i]` is `a + i * m`; the products are exact numbers of base elements that are
//! computed where the declaration is passed and kept in temporaries.

use lakatos_ir::{
    BinOp, Builtin, Call, Callee, ExprId, ExprKind as Ir, IndexBound, InputKind, Instr, IntType,
    Span, Type, VarId,
};

use super::Lower;
use crate::ast::{self, DeclId, ExprKind};
use crate::types::{ArrayLen, Ty, TypeKind};

impl Lower<'_> {
    pub(super) fn vla_base(&self, mut ty: Ty) -> Ty {
        while self.unit.types.is_variably_sized(ty) {
            ty = self.unit.types.element(ty).expect("only arrays are variably sized");
        }
        ty
    }

    pub(super) fn vla_pointer_type(&mut self, ty: Ty) -> Type {
        let base = self.vla_base(ty);
        let base = self.ty(base);
        self.pointer_to(base)
    }

    /// A variable-length array is somewhere in the type, behind pointers perhaps.
    pub(super) fn is_variably_modified(&self, ty: Ty) -> bool {
        match self.unit.types.kind(ty) {
            TypeKind::Array(_, ArrayLen::Variable(_)) => true,
            TypeKind::Array(inner, _) | TypeKind::Pointer(inner) => {
                self.is_variably_modified(inner)
            }
            _ => false,
        }
    }

    /// Evaluates the lengths in a type that were not yet, outer before inner.
    pub(super) fn evaluate_lengths(&mut self, ty: Ty) {
        if !self.is_variably_modified(ty) {
            return;
        }
        match self.unit.types.kind(ty) {
            TypeKind::Pointer(inner) => self.evaluate_lengths(inner),
            TypeKind::Array(elem, len) => {
                if let ArrayLen::Variable(len) = len {
                    let bytes = self.base_bytes(elem);
                    self.length(len, bytes);
                }
                self.evaluate_lengths(elem);
                if self.unit.types.is_variably_sized(ty) && !self.f.counts.contains_key(&ty) {
                    self.compute_count(ty, elem, len);
                }
            }
            _ => {}
        }
    }

    /// The size of the base elements of an array.
    fn base_bytes(&mut self, ty: Ty) -> u64 {
        let base = self.vla_base(ty);
        let base = self.ty(base);
        self.ir.types.size(base).max(1)
    }

    fn size_type(&self) -> IntType {
        self.unit.types.model.size_type()
    }

    /// The number of elements, each of which has at least so many bytes.
    fn length(&mut self, len: ast::ExprId, bytes: u64) -> VarId {
        if let Some(&var) = self.f.lengths.get(&len) {
            return var;
        }
        let span = self.unit.exprs[len].span;
        self.warn_unsequenced(len);
        let value = self.value(len);
        let size = Type::Int(self.size_type());
        let constant = matches!(self.ir.exprs[value].kind, Ir::Int(c) if (0..1 << 16).contains(&c));
        let value = match constant {
            true => value,
            false => {
                let value = self.hold(value);
                self.require_length(value, bytes, span);
                value
            }
        };
        let value = self.convert(value, size, span);
        let var = self.temp(size, span);
        let place = self.var_place(var, span);
        self.assign_place(place, value, span);
        self.f.lengths.insert(len, var);
        var
    }

    fn compute_count(&mut self, ty: Ty, elem: Ty, len: ArrayLen) {
        let size = self.size_type();
        let (length, span) = match len {
            ArrayLen::Variable(len) => {
                let bytes = self.base_bytes(elem);
                let var = self.length(len, bytes);
                let span = self.unit.exprs[len].span;
                if !self.unit.types.is_variably_sized(elem) {
                    self.f.counts.insert(ty, var);
                    return;
                }
                (self.load_var(var, span), span)
            }
            ArrayLen::Fixed(n) => (self.int(i128::from(n), size, Span::default()), Span::default()),
            ArrayLen::Unknown => (self.int(0, size, Span::default()), Span::default()),
        };
        let inner = self.count(elem, span);
        // `inner == 0 || length <= most / inner`: the array is not too large.
        let most = self.unit.types.model.diff_type().max() / i128::from(self.base_bytes(elem));
        let (most, zero) = (self.int(most, size, span), self.int(0, size, span));
        let none = self.binary(BinOp::Eq, inner, zero, Type::BOOL, span);
        let most = self.binary(BinOp::Div, most, inner, Type::Int(size), span);
        let fits = self.binary(BinOp::Le, length, most, Type::BOOL, span);
        let fine = self.binary(BinOp::Or, none, fits, Type::BOOL, span);
        self.require_defined(fine, span);
        let product = self.binary(BinOp::Mul, length, inner, Type::Int(size), span);
        let var = self.temp(Type::Int(size), span);
        let place = self.var_place(var, span);
        self.assign_place(place, product, span);
        self.f.counts.insert(ty, var);
    }

    /// The number of base elements in a variably sized type.
    fn count(&mut self, ty: Ty, span: Span) -> ExprId {
        self.evaluate_lengths(ty);
        match self.f.counts.get(&ty) {
            Some(&var) => self.load_var(var, span),
            None => self.int(1, self.size_type(), span),
        }
    }

    /// How many of what a pointer's type says one element is; `None` if just one.
    pub(super) fn scale(&mut self, pointee: Option<Ty>, span: Span) -> Option<ExprId> {
        let pointee = pointee.filter(|&ty| self.unit.types.is_variably_sized(ty))?;
        Some(self.count(pointee, span))
    }

    /// The size in bytes of a variably sized type.
    pub(super) fn vla_size(&mut self, ty: Ty, span: Span) -> ExprId {
        let count = self.count(ty, span);
        let base = self.vla_base(ty);
        let base = self.ty(base);
        let size = self.size_type();
        let bytes = self.int(i128::from(self.ir.types.size(base)), size, span);
        self.binary(BinOp::Mul, count, bytes, Type::Int(size), span)
    }

    /// The pointer to the first base element of a variably sized array lvalue.
    pub(super) fn vla_pointer(&mut self, e: ast::ExprId) -> ExprId {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        match expr.kind {
            ExprKind::Var(decl) => {
                let var = self.var(decl);
                self.load_var(var, span)
            }
            ExprKind::Deref(pointer) => self.value(pointer),
            ExprKind::Index { base, index } => {
                let pointer = match self.is_variably_sized(base) {
                    true => self.vla_pointer(base),
                    false => self.value(base),
                };
                let pointer = if self.has_effect(index) { self.hold(pointer) } else { pointer };
                let index = self.value(index);
                let scale = self.scale(Some(expr.ty), span);
                let element = self.pointer_add(pointer, index, false, scale, span);
                if self.is_variably_sized(base) {
                    self.bound_index(element, self.unit.exprs[base].ty, index, span);
                }
                self.limit(element)
            }
            _ => {
                let ty = self.vla_pointer_type(expr.ty);
                self.unsupported_value(ty, span, "a variable-length array in this place")
            }
        }
    }

    /// The pointer is to an element of an array of variable length: what its index has to be below.
    pub(super) fn bound_index(&mut self, element: ExprId, array: Ty, index: ExprId, span: Span) {
        let TypeKind::Array(_, len) = self.unit.types.kind(array) else { return };
        let length = match len {
            ArrayLen::Variable(len) => {
                let bytes = self.base_bytes(array);
                let var = self.length(len, bytes);
                self.load_var(var, span)
            }
            ArrayLen::Fixed(n) => self.int(i128::from(n), self.size_type(), span),
            ArrayLen::Unknown => return,
        };
        let bound = IndexBound { index, length, one_past: false };
        self.ir.bounds.insert(element, bound);
    }

    /// A length is neither negative nor too large for an array of elements of so many bytes: both
    /// are undefined. (GNU C allows no elements.)
    fn require_length(&mut self, length: ExprId, bytes: u64, span: Span) {
        let Type::Int(int) = self.type_of(length) else { return };
        let most = self.unit.types.model.diff_type().max() / i128::from(bytes.max(1));
        let mut fine = self.int(1, IntType::BOOL, span);
        if int.is_u128() || most < int.max() {
            let limit = self.int(most, int, span);
            fine = self.binary(BinOp::Le, length, limit, Type::BOOL, span);
        }
        if int.signed {
            let zero = self.int(0, int, span);
            let not_negative = self.binary(BinOp::Ge, length, zero, Type::BOOL, span);
            fine = self.binary(BinOp::And, not_negative, fine, Type::BOOL, span);
        }
        self.require_defined(fine, span);
    }

    /// The run goes on only where the condition holds; it is undefined elsewhere.
    fn require_defined(&mut self, condition: ExprId, span: Span) {
        if let Ir::Int(1) = self.ir.exprs[condition].kind {
            return;
        }
        let (yes, no) = (self.fresh(), self.fresh());
        self.split(condition, yes, no, span);
        self.f.at = no;
        self.end_run(Builtin::Unreachable, span);
        self.f.at = yes;
    }

    /// The declaration of a variable-length array is passed: its memory is made.
    pub(super) fn allocate_vla(&mut self, decl: DeclId) {
        let data = &self.unit.decls[decl];
        let span = data.span;
        let size = self.vla_size(data.ty, span);
        let var = self.var(decl);
        self.ir.arrays.insert(var);
        let place = self.var_place(var, span);
        let name = self.name(decl).to_owned();
        let base = self.vla_base(data.ty);
        let ty = self.ty(base);
        let site = self.site(InputKind::Uninitialised, name, ty, span);
        self.emit(
            Instr::Call(Call {
                result: Some(place),
                callee: Callee::Builtin(Builtin::Alloca),
                args: vec![size],
                site: Some(site),
            }),
            span,
        );
    }
}
