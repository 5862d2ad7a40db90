//! What a pointer to a function means that is no procedure of the program: a procedure of our own
//! that only calls the function (a *forwarder*). So a call through a pointer, a table or a cast means
//! what the direct call means, and another file that is given the pointer is given a function that
//! does something.

use lakatos_ir::library::LibraryRole;
use lakatos_ir::{ProcId, SigId, Signature, Type, VarKind};
use rustc_hash::FxHashMap;

use super::call::{Site, Want};
use super::func::Func;
use super::library::Role;
use super::{Lower, Lowered};
use crate::ast::DeclId;

/// The forwarders so far, and those that have no body yet.
#[derive(Debug, Default)]
pub(super) struct Forwarders {
    made: FxHashMap<DeclId, ProcId>,
    open: Vec<(DeclId, ProcId, Role)>,
}

impl Lower<'_> {
    /// The procedure that a pointer to the function means.
    pub(super) fn pointed_procedure(&mut self, decl: DeclId) -> ProcId {
        match self.role(decl) {
            Role::Defined(proc) | Role::Error(proc) => proc,
            Role::External(proc) if !self.is_noreturn(decl) => proc,
            // Variable arguments cannot be handed on.
            Role::Library(row) if row.is_variadic() => {
                let proc = self.proc(decl);
                let effects = lakatos_ir::library::Effects::Unbounded;
                self.ir.procs[proc].library = Some(LibraryRole::Unmodelled(effects));
                proc
            }
            // It has to know the function that calls it.
            Role::SetJump => {
                let proc = self.proc(decl);
                let effects = lakatos_ir::library::Effects::Unbounded;
                self.ir.procs[proc].library = Some(LibraryRole::Unmodelled(effects));
                proc
            }
            Role::Model(model) if self.has_type_of(model, decl) => self.proc(model),
            role @ (Role::LongJump
            | Role::External(_)
            | Role::Library(_)
            | Role::Model(_)
            | Role::Environment(..)
            | Role::Nondet
            | Role::Unknown
            | Role::Assume
            | Role::Assert) => self.forwarder(decl, role),
        }
    }

    /// A function is declared as its model is defined, or without parameters.
    fn has_type_of(&mut self, model: DeclId, decl: DeclId) -> bool {
        let (own, declared) = (self.declared_signature(model), self.declared_signature(decl));
        own.result == declared.result
            && (declared.params.is_none() || own.params == declared.params)
    }

    fn forwarder(&mut self, decl: DeclId, role: Role) -> ProcId {
        if let Some(&proc) = self.forwarders.made.get(&decl) {
            return proc;
        }
        let signature = self.forwarded_signature(decl, role);
        let (name, span) = (self.name(decl), self.unit.decls[decl].span);
        let proc = self.add_proc(name, signature, span);
        self.ir.procs[proc].library = Some(LibraryRole::Forwarder);
        self.forwarders.made.insert(decl, proc);
        self.forwarders.open.push((decl, proc, role));
        proc
    }

    /// The declared type, or the library's own where the declaration names no parameters.
    fn forwarded_signature(&mut self, decl: DeclId, role: Role) -> SigId {
        let declared = self.signature(self.unit.decls[decl].ty);
        match (role, &self.ir.types.signature(declared).params) {
            (Role::Library(row), None) => {
                let params = row.params().iter().map(|&letter| self.library_type(letter));
                let params = Some(params.collect());
                let result = self.ir.types.signature(declared).result;
                self.make_signature(Signature { result, params, variadic: false })
            }
            _ => declared,
        }
    }

    /// Gives the forwarders their bodies, after everything that may ask for one.
    pub(super) fn lower_forwarders(&mut self, lowered: &mut Vec<Lowered>) {
        while let Some((decl, proc, role)) = self.forwarders.open.pop() {
            lowered.push(self.lower_forwarder(decl, proc, role));
        }
    }

    fn lower_forwarder(&mut self, decl: DeclId, proc: ProcId, role: Role) -> Lowered {
        let span = self.unit.decls[decl].span;
        self.f = Func::new(proc, span);
        let signature = self.ir.types.signature(self.ir.procs[proc].signature).clone();
        let mut args = Vec::new();
        for (number, ty) in signature.params.unwrap_or_default().into_iter().enumerate() {
            let kind = VarKind::Param(proc);
            let var =
                self.add_var(format!("argument{}", number + 1), ty, kind, span, String::new());
            self.ir.procs[proc].params.push(var);
            let place = self.var_place(var, span);
            args.push(self.load(place, span));
        }
        if signature.result != Type::Void {
            let kind = VarKind::Result(proc);
            let var = self.add_var(String::new(), signature.result, kind, span, String::new());
            self.ir.procs[proc].result = Some(var);
        }
        let want = if signature.result == Type::Void { Want::Nothing } else { Want::Value };
        let site = Site { span, ty: signature.result, want };
        let value = self.call_as(role, decl, args, site);
        if self.is_live() {
            let value = match (value, signature.result) {
                (_, Type::Void) => None,
                (Some(value), _) => Some(value),
                (None, ty) => Some(self.outside_result(ty, span)),
            };
            self.return_value(value, span);
        }
        self.resolve_jumps();
        self.finish_function()
    }
}
