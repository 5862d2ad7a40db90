//! `errno` (C11 7.5). Models set it; here is what functions of the library do to it that have no model, or a
//! row of the table. In a program that does not look at it nothing sets it: it would be state, and choices of
//! the environment, that nothing depends on.

use lakatos_ir::{BinOp, ExprKind as Ir, InputKind, Instr, IntType, PlaceId, Span, Type};

use super::Lower;
use crate::ast::{DeclId, ExprId, ExprKind, Unit};
use crate::models;

/// What glibc and musl call to find it.
const LOCATION: &str = "__errno_location";
/// Not enough memory.
const ENOMEM: i128 = 12;
/// The largest error number of Linux: `EHWPOISON`.
const LARGEST: i128 = 133;

impl Lower<'_> {
    /// The object of the model that is `errno`, in a program that looks at it.
    pub(super) fn find_errno(unit: &Unit, models_from: u32) -> Option<DeclId> {
        let is_location = |decl: DeclId| {
            let name = unit.link_name(decl);
            name.strip_prefix(models::PREFIX).unwrap_or(name) == LOCATION
        };
        let looks_at_it =
            |kind: &ExprKind| matches!(*kind, ExprKind::Function(decl) if is_location(decl));
        if !unit.exprs.iter().any(|(_, expr)| looks_at_it(&expr.kind)) {
            return None;
        }
        let symbol = unit.symbols.find(models::ERRNO)?;
        let is_it = |&decl: &DeclId| unit.decls[decl].name == symbol;
        let mut objects = unit.objects.iter().copied();
        objects.find(|decl| is_it(decl) && unit.decls[*decl].span.start >= models_from)
    }

    /// A model sets it, and nothing looks at it.
    pub(super) fn is_unseen_errno(&self, place: ExprId) -> bool {
        let is_errno = |decl: DeclId| {
            let name = self.unit.decls[decl].name;
            self.is_of_model(decl) && self.unit.symbols.name(name) == models::ERRNO
        };
        let place = &self.unit.exprs[place].kind;
        self.errno.is_none() && matches!(*place, ExprKind::Var(decl) if is_errno(decl))
    }

    /// A function of models that only sets it, where nothing looks at it.
    pub(super) fn sets_unseen_errno(&self, function: DeclId) -> bool {
        let name = self.unit.symbols.name(self.unit.decls[function].name);
        self.errno.is_none() && self.is_of_model(function) && models::SETS_ERRNO.contains(&name)
    }

    fn errno_place(&mut self, span: Span) -> Option<PlaceId> {
        let var = self.var(self.errno?);
        Some(self.var_place(var, span))
    }

    /// A function without a model was called: nothing is known of `errno`.
    pub(super) fn forget_errno(&mut self, function: &str, span: Span) {
        if let Some(place) = self.errno_place(span) {
            self.havoc(place, InputKind::Library, function.to_owned(), span);
        }
    }

    /// A function was called that may set it, to the number of an error, even where it succeeds
    /// (C11 7.5p3).
    pub(super) fn set_errno_or_not(&mut self, span: Span) {
        let Some(errno) = self.errno_place(span) else { return };
        let temp = self.temp_place(Type::I32, span);
        self.havoc(temp, InputKind::Nondet, "errno".to_owned(), span);
        let (new, old) = (self.load(temp, span), self.load(errno, span));
        let zero = self.int(0, IntType::I32, span);
        let is_positive = self.binary(BinOp::Gt, new, zero, Type::BOOL, span);
        let largest = self.int(LARGEST, IntType::I32, span);
        let is_known = self.binary(BinOp::Le, new, largest, Type::BOOL, span);
        let is_error = self.expr(Ir::Binary(BinOp::And, is_positive, is_known), Type::BOOL, span);
        let is_kept = self.binary(BinOp::Eq, new, old, Type::BOOL, span);
        let either = self.expr(Ir::Binary(BinOp::Or, is_error, is_kept), Type::BOOL, span);
        self.emit(Instr::Assume(either), span);
        self.assign_place(errno, new, span);
    }

    /// An allocation has failed.
    pub(super) fn set_errno_of_failed_allocation(&mut self, span: Span) {
        if let Some(errno) = self.errno_place(span) {
            let reason = self.int(ENOMEM, IntType::I32, span);
            self.assign_place(errno, reason, span);
        }
    }
}
