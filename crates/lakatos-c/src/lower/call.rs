//! Calls.

use lakatos_ir::library::LibraryFunction;
use lakatos_ir::{
    BinOp, Call, Callee, ExprId, ExprKind as Ir, InputKind, Instr, IntType, LocId, PlaceId,
    PlaceKind, ProcId, Signature, Span, Type,
};

use super::Lower;
use super::graph::NOWHERE;
use super::library::Role;
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

/// A call: where it stands, the type of its value, and what becomes of that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub span: Span,
    pub ty: Type,
    pub want: Want,
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
        let site = Site { span: expr.span, ty: self.ty(expr.ty), want };
        let Some(decl) = self.direct_callee(callee) else {
            let mut pointer = self.value(callee);
            if args.iter().any(|&arg| self.has_effect(arg)) {
                pointer = self.hold(pointer);
            }
            let args = self.arguments(args);
            return self.pointer_call(pointer, args, site);
        };
        self.check_use(decl, expr.span);
        if self.sets_unseen_errno(decl) {
            args.iter().for_each(|&arg| self.effect(arg));
            return None;
        }
        if let Role::Model(_) = self.role(decl)
            && let Some(value) = self.formatted(decl, args, site)
        {
            return value;
        }
        match self.role(decl) {
            Role::Assume => {
                self.assume(args);
                None
            }
            Role::Assert => {
                self.assert(args, expr.span);
                None
            }
            role @ (Role::Nondet
            | Role::SetJump
            | Role::LongJump
            | Role::Unknown
            | Role::Environment(..)
            | Role::Library(_)
            | Role::Model(_)
            | Role::Defined(_)
            | Role::Error(_)
            | Role::External(_)) => {
                if let Role::Library(row) = role {
                    self.check_library_reads(row, args, expr.span);
                }
                let args = self.arguments(args);
                self.call_as(role, decl, args, site)
            }
        }
    }

    /// A call of a function by its role, with arguments that have been evaluated.
    pub(super) fn call_as(
        &mut self,
        role: Role,
        decl: DeclId,
        args: Vec<ExprId>,
        site: Site,
    ) -> Option<ExprId> {
        match role {
            Role::Assume => {
                let truth = args.first().map(|&arg| self.truth_of(arg));
                truth.into_iter().for_each(|truth| self.assume_truth(truth, site.span));
                None
            }
            Role::Assert => {
                let truth = args.first().map(|&arg| self.truth_of(arg));
                truth.into_iter().for_each(|truth| self.assert_truth(truth, site.span));
                None
            }
            Role::SetJump => self.set_jump(&args, site),
            Role::LongJump => self.long_jump(&args, site),
            Role::Nondet => self.nondet(InputKind::Nondet, self.name(decl), site),
            // Of the function that the model stands for.
            Role::Unknown => {
                let name = self.ir.procs[self.f.proc].name.clone();
                self.nondet(InputKind::Library, &name, site)
            }
            Role::Environment(low, high) => self.environment(decl, low, high, site),
            Role::Library(row) => self.library_call(decl, row, args, site),
            Role::Model(model) => self.model_call(model, decl, args, site),
            Role::Defined(proc) => {
                let args = self.fit_arguments(proc, args, site.span);
                self.procedure_call(proc, decl, args, site)
            }
            Role::Error(proc) => {
                let value = match site.want {
                    Want::Nothing => self.procedure_call(proc, decl, args, site),
                    Want::Value | Want::Into(_) => self.external_call(proc, decl, args, site),
                };
                self.f.at = NOWHERE;
                value
            }
            Role::External(proc) => self.external_call(proc, decl, args, site),
        }
    }

    fn pointer_call(&mut self, pointer: ExprId, args: Vec<ExprId>, site: Site) -> Option<ExprId> {
        let function = self.pointee(self.type_of(pointer));
        self.hand_over(function, &args, site.span);
        // It may point to an external function.
        let input = Some((InputKind::External, "a function pointer".to_owned()));
        let input = input.filter(|_| site.ty != Type::Void);
        self.finish_call(Callee::Pointer(pointer), args, input, site)
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
        site: Site,
    ) -> Option<ExprId> {
        self.mention(proc);
        self.hand_over(Type::Function(self.ir.procs[proc].signature), &args, site.span);
        let value = self.finish_call(Callee::Proc(proc), args, None, site);
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
        site: Site,
    ) -> Option<ExprId> {
        self.mention(proc);
        let name = self.name(decl).to_owned();
        let kind = match self.ir.procs[proc].unmodelled() {
            Some(_) => InputKind::Library,
            None => InputKind::External,
        };
        let value = self.finish_call(Callee::Proc(proc), args, Some((kind, name)), site);
        if kind == InputKind::Library {
            self.forget_errno(self.name(decl), site.span);
        }
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
        site: Site,
    ) -> Option<ExprId> {
        let ty = self.result_type(callee, site.ty);
        self.finish_call_of(callee, args, input, ty, site)
    }

    /// The same, where the callee's result has this type.
    fn finish_call_of(
        &mut self,
        callee: Callee,
        args: Vec<ExprId>,
        input: Option<(InputKind, String)>,
        ty: Type,
        site: Site,
    ) -> Option<ExprId> {
        let Site { span, want, .. } = site;
        let jumps = self.may_jump(callee);
        let result = match want {
            Want::Into(place) if self.ir.places[place].ty == ty && !jumps => Some(place),
            Want::Into(_) | Want::Value if ty != Type::Void => Some(self.temp_place(ty, span)),
            _ => None,
        };
        let input = input.filter(|_| self.is_live());
        let at = input.map(|(kind, name)| self.site(kind, name, ty, span));
        self.emit(Instr::Call(Call { result, callee, args, site: at }), span);
        if jumps {
            self.look_for_jump(span);
        }
        match want {
            Want::Nothing => None,
            Want::Into(place) => {
                if result != Some(place) {
                    let value = self.returned(result, site);
                    self.assign_place(place, value, span);
                }
                None
            }
            Want::Value => result.map(|_| self.returned(result, site)),
        }
    }

    /// The result type of what is called. It is not always the type of the call: a function may
    /// have been declared otherwise after a call of it.
    fn result_type(&mut self, callee: Callee, of_call: Type) -> Type {
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
            None => of_call,
        }
    }

    fn returned(&mut self, result: Option<PlaceId>, site: Site) -> ExprId {
        let Site { ty, span, .. } = site;
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
    fn nondet(&mut self, kind: InputKind, name: &str, site: Site) -> Option<ExprId> {
        let place = self.result_place(site);
        self.havoc(place, kind, name.to_owned(), site.span);
        matches!(site.want, Want::Value).then(|| self.load(place, site.span))
    }

    fn result_place(&mut self, site: Site) -> PlaceId {
        match site.want {
            Want::Into(place) => place,
            Want::Nothing | Want::Value => self.temp_place(site.ty, site.span),
        }
    }

    /// A number between bounds that the environment chooses.
    fn environment(&mut self, decl: DeclId, low: i128, high: i128, site: Site) -> Option<ExprId> {
        let span = site.span;
        let temp = self.temp_place(Type::I32, span);
        let name = self.name(decl).to_owned();
        self.havoc(temp, InputKind::Nondet, name, span);
        for (op, bound) in [(BinOp::Ge, low), (BinOp::Le, high)] {
            let (value, bound) = (self.load(temp, span), self.int(bound, IntType::I32, span));
            let truth = self.binary(op, value, bound, Type::BOOL, span);
            self.emit(Instr::Assume(truth), span);
        }
        let value = self.load(temp, span);
        let value = self.convert(value, site.ty, span);
        match site.want {
            Want::Nothing => None,
            Want::Value => Some(value),
            Want::Into(place) => {
                self.assign_place(place, value, span);
                None
            }
        }
    }

    fn library_call(
        &mut self,
        decl: DeclId,
        row: &'static LibraryFunction,
        args: Vec<ExprId>,
        site: Site,
    ) -> Option<ExprId> {
        let span = site.span;
        let Some(args) = self.library_arguments(row, args, span) else {
            return self.misfit(decl, "with arguments that it does not take", site);
        };
        if row.builtin.ends() {
            match self.link_name(decl) {
                "exit" => self.call_at_exit(args[0], span),
                "abort" => self.interrupt_before_abort(span),
                _ => {}
            }
            let site = Site { want: Want::Nothing, ..site };
            self.finish_call(Callee::Builtin(row.builtin), args, None, site);
            self.f.at = NOWHERE;
            return None;
        }
        let declared = self.declared_signature(decl).result;
        let own = self.library_type(row.result());
        let Some(ty) = self.fit_library_result(own, declared) else {
            return self.misfit(decl, "that is declared with another result", site);
        };
        let name = self.name(decl).to_owned();
        let input = row.builtin.allocates().then(|| (InputKind::Uninitialised, name.clone()));
        let callee = Callee::Builtin(row.builtin);
        if ty == Type::Void && site.ty != Type::Void {
            // The declaration promises a result that the function does not give.
            self.finish_call_of(callee, args, input, ty, Site { want: Want::Nothing, ..site });
            let place = self.result_place(site);
            self.havoc(place, InputKind::Library, name, span);
            return matches!(site.want, Want::Value).then(|| self.load(place, span));
        }
        if let Some(fails) = self.allocation_failure(row.builtin, &name, &args, span) {
            return self.failing_allocation(callee, args, input, fails, (ty, site));
        }
        let value = self.finish_call_of(callee, args, input, ty, site);
        if row.builtin.prints() {
            self.set_errno_or_not(span);
        }
        value
    }

    /// A call of a function of the library with a model in C.
    pub(super) fn model_call(
        &mut self,
        model: DeclId,
        decl: DeclId,
        args: Vec<ExprId>,
        site: Site,
    ) -> Option<ExprId> {
        let proc = self.proc(model);
        let signature = self.declared_signature(model);
        let params = signature.params.unwrap_or_default();
        let mut fitted = Vec::with_capacity(params.len());
        for (number, arg) in args.into_iter().enumerate() {
            match params.get(number) {
                Some(&wanted) => fitted.extend(self.fit_library_argument(arg, wanted, site.span)),
                None if signature.variadic => fitted.push(arg),
                None => self.discard(arg),
            }
        }
        if fitted.len() < params.len() {
            return self.misfit(decl, "with arguments that it does not take", site);
        }
        let args = self.fit_arguments(proc, fitted, site.span);
        if self.is_like_record(signature.result, site.ty) {
            return self.call_for_record(proc, model, args, signature.result, site);
        }
        self.procedure_call(proc, model, args, site)
    }

    /// A call of a model whose result is a record of its own, like the one of the program.
    fn call_for_record(
        &mut self,
        proc: ProcId,
        model: DeclId,
        args: Vec<ExprId>,
        own: Type,
        site: Site,
    ) -> Option<ExprId> {
        let span = site.span;
        let want = if matches!(site.want, Want::Nothing) { Want::Nothing } else { Want::Value };
        let value = self.procedure_call(proc, model, args, Site { ty: own, want, ..site })?;
        let (from, to) = (self.in_place(value, span), self.result_place(site));
        let (Type::Record(own), Type::Record(record)) = (own, site.ty) else { return None };
        for number in 0..self.ir.types.records[own].fields.len() as u32 {
            let types = [own, record].map(|r| self.ir.types.records[r].fields[number as usize].ty);
            let member = self.new_place(PlaceKind::Field(from, number), types[0], span);
            let value = self.load(member, span);
            let member = self.new_place(PlaceKind::Field(to, number), types[1], span);
            self.assign_place(member, value, span);
        }
        matches!(site.want, Want::Value).then(|| self.load(to, span))
    }

    /// The arguments as the row has them; those that it does not have are dropped.
    fn library_arguments(
        &mut self,
        row: &'static LibraryFunction,
        args: Vec<ExprId>,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let letters = row.params();
        if args.len() < letters.len() {
            return None;
        }
        let mut fitted = Vec::with_capacity(args.len());
        for (number, arg) in args.into_iter().enumerate() {
            match letters.get(number) {
                Some(&letter) => {
                    let wanted = self.library_type(letter);
                    fitted.push(self.fit_library_argument(arg, wanted, span)?);
                }
                None if row.is_variadic() => fitted.push(arg),
                None => self.discard(arg),
            }
        }
        Some(fitted)
    }

    /// A call of a function of the library through a declaration that does not fit it.
    fn misfit(&mut self, decl: DeclId, how: &str, site: Site) -> Option<ExprId> {
        let name = self.link_name(decl);
        self.refuse_call(format!("a call of the library's `{name}` {how}"), site)
    }

    /// A call that is not understood.
    pub(super) fn refuse_call(
        &mut self,
        construct: impl Into<String>,
        site: Site,
    ) -> Option<ExprId> {
        let value = self.unsupported_value(site.ty, site.span, construct);
        matches!(site.want, Want::Value).then_some(value)
    }

    /// A call that allocates, or fails.
    fn failing_allocation(
        &mut self,
        callee: Callee,
        args: Vec<ExprId>,
        input: Option<(InputKind, String)>,
        fails: ExprId,
        (ty, site): (Type, Site),
    ) -> Option<ExprId> {
        let temp = self.temp_place(ty, site.span);
        let into = Site { want: Want::Into(temp), ..site };
        self.allocate_or_fail(fails, temp, site.span, |l| {
            l.finish_call_of(callee, args, input, ty, into);
        });
        match site.want {
            Want::Nothing => None,
            Want::Value => Some(self.returned(Some(temp), site)),
            Want::Into(place) => {
                let value = self.returned(Some(temp), site);
                self.assign_place(place, value, site.span);
                None
            }
        }
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
        self.assume_truth(truth, span);
    }

    fn assume_truth(&mut self, truth: ExprId, span: Span) {
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
        self.fail_at(fails, span);
        self.f.at = holds;
    }

    fn assert_truth(&mut self, truth: ExprId, span: Span) {
        let (holds, fails) = (self.fresh(), self.fresh());
        self.split(truth, holds, fails, span);
        self.fail_at(fails, span);
        self.f.at = holds;
    }

    /// Where an assertion has failed, the error procedure is called.
    fn fail_at(&mut self, at: LocId, span: Span) {
        self.f.at = at;
        let proc = self.assert_fail(span);
        let signature = self.ir.types.signature(self.ir.procs[proc].signature);
        let params = signature.params.clone().unwrap_or_default();
        let args = params.into_iter().map(|ty| self.zero(ty, span)).collect();
        self.mention(proc);
        let call = Call { result: None, callee: Callee::Proc(proc), args, site: None };
        self.emit(Instr::Call(call), span);
    }

    fn assert_fail(&mut self, span: Span) -> ProcId {
        if let Some(proc) = self.assert_fail {
            return proc;
        }
        let unit = self.unit;
        let is_it = |l: &Self, d: DeclId| l.link_name(d) == "__assert_fail" && l.body(d).is_none();
        let declared = unit.functions.iter().copied().find(|&d| is_it(self, d));
        let proc = match declared {
            Some(decl) => self.proc(decl),
            None => {
                let signature = Signature { result: Type::Void, params: None, variadic: false };
                let signature = self.make_signature(signature);
                let proc = self.add_proc("__assert_fail", signature, span);
                self.ir.procs[proc].is_error = true;
                proc
            }
        };
        self.assert_fail = Some(proc);
        proc
    }
}
