//! Calls.

use lakatos_ir::{
    Builtin, Call, Callee, ExprId, ExprKind as Ir, Id, InputKind, Instr, PlaceId, ProcId,
    Signature, Span, Type,
};

use super::Lower;
use super::graph::NOWHERE;
use super::library::{Role, Shape};
use crate::ast::{self, DeclId, Expr, ExprKind};

/// What becomes of a call's result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want {
    Nothing,
    Value,
    /// Stored here; the place has the result's type and no side effect of the call's operands
    /// can change which place it is.
    Into(PlaceId),
}

impl Lower<'_> {
    /// Lowers a call; its value if wanted and not `void`.
    pub(super) fn call(
        &mut self,
        expr: &Expr,
        callee: ast::ExprId,
        args: &[ast::ExprId],
        want: Want,
    ) -> Option<ExprId> {
        let Some(decl) = self.direct_callee(callee) else {
            let mut pointer = self.value(callee);
            if args.iter().any(|&arg| self.has_effect(arg)) {
                pointer = self.hold(pointer);
            }
            let args = self.arguments(args);
            // It may point to an external function.
            let input = Some((InputKind::External, "a function pointer".to_owned()));
            let input = input.filter(|_| !self.unit.types.is_void(expr.ty));
            return self.finish_call(Callee::Pointer(pointer), args, input, expr, want);
        };
        match self.role(decl) {
            Role::Assume => {
                self.assume(args);
                None
            }
            Role::Assert => {
                self.assert(args, expr.span);
                None
            }
            Role::Nondet => {
                self.arguments(args);
                self.nondet(decl, expr, want)
            }
            Role::Builtin(builtin, shape) => {
                self.library_call(decl, builtin, shape, args, expr, want)
            }
            Role::Defined(proc) => {
                let args = self.arguments(args);
                let args = self.fit_arguments(proc, args, expr.span);
                self.procedure_call(proc, decl, args, expr, want)
            }
            Role::Error(proc) => {
                let args = self.arguments(args);
                let value = match want {
                    Want::Nothing => self.procedure_call(proc, decl, args, expr, want),
                    _ => self.external_call(proc, decl, args, expr, want),
                };
                self.f.at = NOWHERE;
                value
            }
            Role::External(proc) => {
                let args = self.arguments(args);
                self.check_external(decl, expr.span);
                self.external_call(proc, decl, args, expr, want)
            }
        }
    }

    /// The function that is called, unless it is called through a pointer.
    pub(super) fn direct_callee(&self, mut callee: ast::ExprId) -> Option<DeclId> {
        loop {
            match self.unit.exprs[callee].kind {
                ExprKind::Function(decl) => return Some(decl),
                ExprKind::FnDecay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => {
                    callee = inner;
                }
                _ => return None,
            }
        }
    }

    /// Arguments left to right, each valid when the last one has been evaluated.
    pub(super) fn arguments(&mut self, args: &[ast::ExprId]) -> Vec<ExprId> {
        let last = args.iter().rposition(|&arg| self.has_effect(arg)).unwrap_or(0);
        let mut values = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            let value = self.value(arg);
            values.push(if i < last { self.hold(value) } else { value });
        }
        values
    }

    /// The arguments as the procedure's parameters want them: after a call without a prototype
    /// they are only promoted.
    fn fit_arguments(&mut self, proc: ProcId, mut args: Vec<ExprId>, span: Span) -> Vec<ExprId> {
        let params = self.ir.procs[proc].params.clone();
        for (arg, &param) in args.iter_mut().zip(&params) {
            let (from, to) = (self.type_of(*arg), self.ir.vars[param].ty);
            if from != to && from.is_scalar() && to.is_scalar() {
                *arg = self.convert(*arg, to, span);
            } else if from != to {
                let name = &self.ir.procs[proc].name;
                let construct = format!("a call of `{name}` with an argument of another type");
                self.unsupported(span, construct);
            }
        }
        let variadic = self.ir.types.signature(self.ir.procs[proc].signature).variadic;
        if args.len() > params.len() && !variadic {
            for extra in args.split_off(params.len()) {
                self.discard(extra);
            }
        }
        if args.len() < params.len() {
            let name = &self.ir.procs[proc].name;
            let construct = format!("a call of `{name}` with too few arguments");
            self.unsupported(span, construct);
        }
        args
    }

    fn procedure_call(
        &mut self,
        proc: ProcId,
        decl: DeclId,
        args: Vec<ExprId>,
        expr: &Expr,
        want: Want,
    ) -> Option<ExprId> {
        self.mention(proc);
        let value = self.finish_call(Callee::Proc(proc), args, None, expr, want);
        if self.is_noreturn(decl) {
            self.f.at = NOWHERE;
        }
        value
    }

    fn external_call(
        &mut self,
        proc: ProcId,
        decl: DeclId,
        args: Vec<ExprId>,
        expr: &Expr,
        want: Want,
    ) -> Option<ExprId> {
        self.mention(proc);
        let name = self.name(decl).to_owned();
        let input = Some((InputKind::External, name));
        let value = self.finish_call(Callee::Proc(proc), args, input, expr, want);
        if self.is_noreturn(decl) {
            self.f.at = NOWHERE;
        }
        value
    }

    /// Emits a call; its value if wanted.
    fn finish_call(
        &mut self,
        callee: Callee,
        args: Vec<ExprId>,
        input: Option<(InputKind, String)>,
        expr: &Expr,
        want: Want,
    ) -> Option<ExprId> {
        let span = expr.span;
        let ty = self.result_type(callee, expr);
        let result = match want {
            Want::Into(place) if self.ir.places[place].ty == ty => Some(place),
            Want::Into(_) | Want::Value if ty != Type::Void => Some(self.temp_place(ty, span)),
            _ => None,
        };
        let input = input.filter(|_| self.is_live());
        let site = input.map(|(kind, name)| self.site(kind, name, ty, span));
        self.emit(Instr::Call(Call { result, callee, args, site }), span);
        match want {
            Want::Nothing => None,
            Want::Into(place) => {
                if result != Some(place) {
                    let value = self.returned(result, expr);
                    self.assign_place(place, value, span);
                }
                None
            }
            Want::Value => result.map(|_| self.returned(result, expr)),
        }
    }

    /// The result type of what is called. It is not always the type of the call: a function may
    /// have been declared otherwise after a call of it.
    fn result_type(&mut self, callee: Callee, expr: &Expr) -> Type {
        let signature = match callee {
            Callee::Proc(proc) => Some(self.ir.procs[proc].signature),
            Callee::Pointer(pointer) => match self.pointee(self.type_of(pointer)) {
                Type::Function(signature) => Some(signature),
                _ => None,
            },
            Callee::Builtin(_) => None,
        };
        match signature {
            Some(signature) => self.ir.types.signature(signature).result,
            None => self.ty(expr.ty),
        }
    }

    fn returned(&mut self, result: Option<PlaceId>, expr: &Expr) -> ExprId {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        let value = result.map(|place| self.load(place, span));
        match value {
            Some(value) if self.type_of(value) == ty => value,
            Some(value) if self.type_of(value).is_scalar() && ty.is_scalar() => {
                self.convert(value, ty, span)
            }
            _ => self.unsupported_value(ty, span, "the result of a function of another type"),
        }
    }

    /// `__VERIFIER_nondet_*()`: the place gets any value.
    fn nondet(&mut self, decl: DeclId, expr: &Expr, want: Want) -> Option<ExprId> {
        let ty = self.ty(expr.ty);
        let place = match want {
            Want::Into(place) => place,
            _ => self.temp_place(ty, expr.span),
        };
        let name = self.name(decl).to_owned();
        self.havoc(place, InputKind::Nondet, name, expr.span);
        matches!(want, Want::Value).then(|| self.load(place, expr.span))
    }

    fn library_call(
        &mut self,
        decl: DeclId,
        builtin: Builtin,
        shape: Shape,
        args: &[ast::ExprId],
        expr: &Expr,
        want: Want,
    ) -> Option<ExprId> {
        let mut args = self.arguments(args);
        let types: Vec<Type> = args.iter().map(|&arg| self.type_of(arg)).collect();
        if !self.arguments_fit(shape, &types) {
            let Role::External(proc) = self.external(decl) else { return None };
            self.roles[decl.index()] = Some(Role::External(proc));
            return self.external_call(proc, decl, args, expr, want);
        }
        let ints: Vec<_> = self.integer_params(shape).collect();
        for (arg, int) in args.iter_mut().zip(ints) {
            if let Some(int) = int {
                *arg = self.convert(*arg, Type::Int(int), expr.span);
            }
        }
        let ends = matches!(builtin, Builtin::Abort | Builtin::Exit);
        let want = if ends { Want::Nothing } else { want };
        let input =
            allocates(builtin).then(|| (InputKind::Uninitialised, self.name(decl).to_owned()));
        let value = self.finish_call(Callee::Builtin(builtin), args, input, expr, want);
        if ends {
            self.f.at = NOWHERE;
        }
        value
    }

    /// `__VERIFIER_assume(condition)`.
    fn assume(&mut self, args: &[ast::ExprId]) {
        let Some((&condition, rest)) = args.split_first() else { return };
        let mut truth = self.truth(condition);
        if rest.iter().any(|&arg| self.has_effect(arg)) {
            truth = self.hold(truth);
        }
        rest.iter().for_each(|&arg| self.effect(arg));
        let span = self.unit.exprs[condition].span;
        match self.ir.exprs[truth].kind {
            Ir::Int(0) => self.emit_last(Instr::Assume(truth), span),
            Ir::Int(_) => {}
            _ => self.emit(Instr::Assume(truth), span),
        }
    }

    /// `assert(condition)`: calls the error procedure if it does not hold.
    fn assert(&mut self, args: &[ast::ExprId], span: Span) {
        let Some(&condition) = args.first() else { return };
        let (holds, fails) = (self.fresh(), self.fresh());
        self.branch(condition, holds, fails);
        self.f.at = fails;
        let proc = self.assert_fail(span);
        let signature = self.ir.types.signature(self.ir.procs[proc].signature);
        let params = signature.params.clone().unwrap_or_default();
        let args = params.into_iter().map(|ty| self.zero(ty, span)).collect();
        self.mention(proc);
        let call = Call { result: None, callee: Callee::Proc(proc), args, site: None };
        self.emit(Instr::Call(call), span);
        self.f.at = holds;
    }

    fn assert_fail(&mut self, span: Span) -> ProcId {
        if let Some(proc) = self.assert_fail {
            return proc;
        }
        let unit = self.unit;
        let declared = unit.functions.iter().copied().find(|&d| self.name(d) == "__assert_fail");
        let proc = match declared {
            Some(decl) => self.proc(decl),
            None => {
                let signature = Signature { result: Type::Void, params: None, variadic: false };
                let signature = self.make_signature(signature);
                self.add_proc("__assert_fail", signature, span)
            }
        };
        self.assert_fail = Some(proc);
        proc
    }
}

/// The contents of new memory come from outside.
fn allocates(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Malloc | Builtin::Calloc | Builtin::Realloc | Builtin::Alloca)
}
