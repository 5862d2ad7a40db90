//! What a call of a function means by its name for the linker, where the file does not define it.

use std::collections::BTreeMap;

use lakatos_ir::library::{self, Effects, LibraryFunction, LibraryRole};
use lakatos_ir::points_to::PointsTo;
use lakatos_ir::{
    Decision, Diagnostic, ExprId, ExprKind, Field, Id, IntType, ProcId, Procedure, Program,
    RecordKind, Signature, Span, Type,
};

use super::{Lower, nonlocal};
use crate::ast::{DeclId, DeclKind};
use crate::models;

/// What a call of a function means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// A procedure with a body.
    Defined(ProcId),
    /// A call is a violation; without a body nothing happens after it.
    Error(ProcId),
    /// A function of another file, or one of the C library that has no model.
    External(ProcId),
    /// A function of the C library that every part knows.
    Library(&'static LibraryFunction),
    /// A function of the C library with a model in C: the model's declaration.
    Model(DeclId),
    /// A function of the C library whose result is any number in these bounds, included.
    Environment(i128, i128),
    /// `__VERIFIER_nondet_*`.
    Nondet,
    /// A value of which a model knows nothing.
    Unknown,
    SetJump,
    LongJump,
    /// `__VERIFIER_assume(condition)`.
    Assume,
    /// `assert(condition)`, the macro not expanded.
    Assert,
}

/// The functions whose call is what `unreach-call` is about, also where the program has a body for
/// them (SV-COMP programs do).
pub(super) fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// What `assert` calls when it fails, in the C libraries. A program's own function of such a name is
/// an ordinary function.
fn reports_assertion(name: &str) -> bool {
    matches!(name, "__assert_fail" | "__assert_rtn" | "__assert")
}

/// Functions that do what no external function is assumed to do: come back twice, leave
/// functions behind, start others.
fn leaves_the_model(name: &str) -> bool {
    matches!(name, "fork" | "vfork" | "getcontext" | "setcontext" | "swapcontext")
}

/// Functions of the C library that give a number that the environment chooses, with its bounds. What
/// `rand` gives is one of them since the C standard leaves the sequence open.
fn environment(name: &str) -> Option<Role> {
    match name {
        "rand" | "random" | "lrand48" => Some(Role::Environment(0, i32::MAX.into())),
        "getchar" | "getchar_unlocked" => Some(Role::Environment(-1, u8::MAX.into())),
        _ => None,
    }
}

/// A function that is known by its name where a file does not define it: its calls are no calls of
/// a procedure (where its type is the usual one).
pub fn is_known(name: &str) -> bool {
    let special = ["__VERIFIER_assume", "assert"].contains(&name);
    special
        || name.starts_with("__VERIFIER_nondet_")
        || LibraryFunction::named(name).is_some()
        || environment(name).is_some()
}

/// A function of another file may call what it can reach, which is not followed: nothing is known
/// after a call of it.
pub(super) fn mark_callbacks(program: &mut Program) {
    let is_address = |expr: ExprId| matches!(program.exprs[expr].kind, ExprKind::Function(_));
    let is_external =
        |proc: &Procedure| proc.body.is_none() && !proc.is_error && proc.unmodelled().is_none();
    if !program.exprs.ids().any(is_address) || !program.procs.iter().any(|(_, p)| is_external(p)) {
        return;
    }
    let memory = PointsTo::new(program);
    let mut found: BTreeMap<ProcId, ProcId> = BTreeMap::new();
    for (proc, edge, called) in memory.callbacks() {
        let targets = memory.targets(proc, edge).iter().copied();
        for external in targets.filter(|&target| is_external(&program.procs[target])) {
            found.entry(external).or_insert(called);
        }
    }
    for (external, called) in found {
        program.procs[external].library = Some(LibraryRole::CallsBack(called));
    }
}

impl Lower<'_> {
    pub(super) fn role(&mut self, decl: DeclId) -> Role {
        if let Some(role) = self.roles[decl.index()] {
            return role;
        }
        let role = self.find_role(decl);
        self.roles[decl.index()] = Some(role);
        role
    }

    fn find_role(&mut self, decl: DeclId) -> Role {
        if self.body(decl).is_some() {
            return Role::Defined(self.proc(decl));
        }
        let name = self.link_name(decl);
        if let Some(definition) = self.definition_of(decl, name) {
            return Role::Defined(self.proc(definition));
        }
        if let Some(left_out) = self.left_out(name) {
            return Role::External(self.proc(left_out));
        }
        if is_error_function(name) || reports_assertion(name) {
            return Role::Error(self.proc(decl));
        }
        let signature = self.declared_signature(decl);
        let has_params = signature.params.as_ref().is_none_or(|params| !params.is_empty());
        let params = signature.params.as_ref().map(Vec::len);
        if (name.starts_with("__VERIFIER_nondet_") || name.starts_with(models::CHOICE))
            && signature.result != Type::Void
            && params != Some(1)
        {
            return Role::Nondet;
        }
        match name {
            _ if name.starts_with(models::UNKNOWN) && signature.result != Type::Void => {
                return Role::Unknown;
            }
            _ if nonlocal::is_setjmp(name) => return Role::SetJump,
            _ if nonlocal::is_longjmp(name) => return Role::LongJump,
            _ if name.starts_with(models::GAP) => {
                let proc = self.proc(decl);
                self.ir.procs[proc].library = Some(LibraryRole::Unmodelled(Effects::Unbounded));
                return Role::External(proc);
            }
            "__VERIFIER_assume" | models::ASSUME if has_params => return Role::Assume,
            "assert" if has_params => return Role::Assert,
            _ => {}
        }
        if let Some(row) = LibraryFunction::named(name) {
            return Role::Library(row);
        }
        if let Some(role) = environment(name)
            && signature.result == Type::I32
        {
            return role;
        }
        match self.model_of(name).filter(|_| models::is_modelled(name)) {
            Some(model) if self.fits_model(model, &signature) => {
                self.warn_model(decl, model);
                Role::Model(model)
            }
            Some(_) | None => self.external(decl),
        }
    }

    /// The function here that has a body and this name for the linker, which is another one in C.
    pub(super) fn definition_of(&self, decl: DeclId, name: &str) -> Option<DeclId> {
        self.unit.labels.get(&decl)?;
        let mut functions = self.unit.functions.iter().copied();
        functions.find(|&f| self.body(f).is_some() && self.link_name(f) == name)
    }

    /// The function of this name for the linker that cannot be understood. The program is refused
    /// where a run reaches it.
    fn left_out(&self, name: &str) -> Option<DeclId> {
        let mut refused = self.unit.unsupported.iter().map(|&(decl, _)| decl);
        refused.find(|&decl| self.body(decl).is_none() && self.link_name(decl) == name)
    }

    /// The declaration of a model of a function that is not defined.
    pub(super) fn model_of(&self, name: &str) -> Option<DeclId> {
        if !models::has_model(name) {
            return None;
        }
        let symbol = self.unit.symbols.find(&format!("{}{name}", models::PREFIX))?;
        let mut functions = self.unit.functions.iter().copied();
        functions.find(|&f| self.unit.decls[f].name == symbol && self.is_of_model(f))
    }

    fn warn_model(&mut self, decl: DeclId, model: DeclId) {
        if let Some((decision, message)) = models::assumption(self.link_name(decl)) {
            let warning = Diagnostic::warning(self.unit.decls[decl].span, message);
            let proc = self.proc(model);
            self.external_warnings.push((proc, warning.decision(decision)));
        }
    }

    /// The declaration in the program is one of the function that the model stands for.
    fn fits_model(&mut self, model: DeclId, declared: &Signature) -> bool {
        let own = self.declared_signature(model);
        let gives_result = match (own.result, declared.result) {
            (_, Type::Void) | (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Void, _) => false,
            (own, declared) => {
                own == declared
                    || self.fit_library_result(own, declared) == Some(own)
                    || self.is_like_record(own, declared)
            }
        };
        let takes = |(&own, &given): (&Type, &Type)| self.takes_in_library(own, given);
        let takes_arguments = match (&own.params, &declared.params) {
            (Some(own), Some(given)) => {
                own.len() <= given.len() && own.iter().zip(given).all(takes)
            }
            // Without a prototype each call is looked at.
            (_, None) | (None, _) => true,
        };
        gives_result && takes_arguments
    }

    /// Two structures of the same numbers at the same places, as the program and a model declare `div_t`.
    pub(super) fn is_like_record(&mut self, own: Type, declared: Type) -> bool {
        let (Type::Record(own), Type::Record(declared)) = (own, declared) else { return false };
        self.finish_records();
        let (a, b) = (&self.ir.types.records[own], &self.ir.types.records[declared]);
        let are_alike = |(a, b): (&Field, &Field)| {
            matches!(a.ty, Type::Int(_) | Type::Float(_))
                && (a.ty, a.offset, a.bit) == (b.ty, b.offset, b.bit)
        };
        own != declared
            && (a.kind, b.kind) == (RecordKind::Struct, RecordKind::Struct)
            && a.size == b.size
            && !a.fields.is_empty()
            && a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(are_alike)
    }

    /// It stands in the text of a model.
    pub(super) fn is_of_model(&self, decl: DeclId) -> bool {
        self.unit.decls[decl].span.start >= self.models_from
    }

    /// A call of it is what `unreach-call` is about.
    pub(super) fn is_error(&self, decl: DeclId) -> bool {
        let name = self.link_name(decl);
        is_error_function(name) || self.body(decl).is_none() && reports_assertion(name)
    }

    pub(super) fn declared_signature(&mut self, decl: DeclId) -> Signature {
        let signature = self.signature(self.unit.decls[decl].ty);
        self.ir.types.signature(signature).clone()
    }

    /// A function without a body and without a model; warns once.
    fn external(&mut self, decl: DeclId) -> Role {
        let proc = self.proc(decl);
        let effects = library::effects_of(self.link_name(decl));
        self.ir.procs[proc].library = effects.map(LibraryRole::Unmodelled);
        let data = &self.unit.decls[decl];
        let returns = self.unit.types.function_of(data.ty);
        let result = match returns.is_some_and(|f| self.unit.types.is_void(f.result)) {
            true => "",
            false => "its result is any value, and ",
        };
        let name = self.name(decl);
        let message = match effects {
            Some(Effects::Unbounded) => {
                format!("there is no model of `{name}` yet: nothing is known after a call of it")
            }
            Some(Effects::Value | Effects::Reads) => {
                format!("there is no model of `{name}` yet: its result is any value")
            }
            Some(Effects::Writes) => format!(
                "there is no model of `{name}` yet: {result}it may change what its arguments \
                 point to"
            ),
            None => format!(
                "`{name}` is declared but not defined: {result}it may change everything that \
                 other files can reach"
            ),
        };
        self.external_warnings.push((proc, Diagnostic::warning(data.span, message)));
        Role::External(proc)
    }

    /// A call only gives a value.
    pub(super) fn changes_nothing(&mut self, decl: DeclId) -> bool {
        match self.role(decl) {
            Role::Nondet | Role::Unknown | Role::Environment(..) => true,
            Role::Library(row) => {
                let builtin = row.builtin;
                !builtin.changes_memory() && !builtin.ends() && !row.prints
            }
            Role::Defined(_)
            | Role::Model(_)
            | Role::Error(_)
            | Role::External(_)
            | Role::SetJump
            | Role::LongJump
            | Role::Assume
            | Role::Assert => false,
        }
    }

    /// A use of a function, by a call or by its address, that is not understood.
    pub(super) fn check_use(&mut self, decl: DeclId, span: Span) {
        if self.body(decl).is_some() {
            return;
        }
        let (name, link) = (self.name(decl), self.link_name(decl));
        if leaves_the_model(link) {
            self.unsupported(span, format!("`{name}`"));
        }
        if matches!(&self.unit.decls[decl].kind, DeclKind::Function(f) if f.weak) {
            match self.definition_of(decl, link) {
                Some(_) => self.warn_weak(decl),
                None => self.weak_symbol(decl, span),
            }
        }
    }

    /// Of a weak symbol that is defined here another file may have a definition that counts.
    pub(super) fn warn_weak(&mut self, decl: DeclId) {
        let name = self.name(decl);
        let message =
            format!("`{name}` is weak: its definition here is taken to be the one in use");
        let span = self.unit.decls[decl].span;
        if !self.warnings.iter().any(|known| known.span == span && known.message == message) {
            let warning = Diagnostic::warning(span, message);
            self.warnings.push(warning.decision(Decision::WeakDefinition));
        }
    }

    /// A weak symbol without a definition here: its address may be null.
    pub(super) fn weak_symbol(&mut self, decl: DeclId, span: Span) {
        let name = self.name(decl);
        self.unsupported(span, format!("the weak symbol `{name}`, which is not defined here"));
    }

    pub(super) fn is_noreturn(&self, decl: DeclId) -> bool {
        matches!(&self.unit.decls[decl].kind, DeclKind::Function(f) if f.noreturn)
    }

    /// The type of a parameter or result in a row of the library.
    pub(super) fn library_type(&mut self, letter: u8) -> Type {
        match letter {
            b'v' => Type::Void,
            b'i' => Type::I32,
            b'z' => Type::Int(self.unit.types.model.size_type()),
            b'p' | b'P' => self.pointer_to(Type::Void),
            _ => self.pointer_to(Type::Int(IntType { bits: 8, signed: true })),
        }
    }

    /// A library function finds a value of the type that it wants where one of the other type was
    /// given: both are in a register of the right width.
    fn takes_in_library(&self, wanted: Type, given: Type) -> bool {
        let size = self.unit.types.model.size_type();
        match (wanted, given) {
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Pointer(_), Type::Int(int)) => int.bits == size.bits,
            (Type::I32, Type::Int(int)) => int.bits <= size.bits,
            // The upper half of the register is zero where a 32-bit value was put into it.
            (Type::Int(own), Type::Int(int)) => {
                own.bits == int.bits || own == size && int.bits < size.bits
            }
            (own, given) => own == given,
        }
    }

    /// An argument as the library function finds it, whatever type it was declared with. `None` where
    /// what the function finds there is not defined.
    pub(super) fn fit_library_argument(
        &mut self,
        arg: ExprId,
        wanted: Type,
        span: Span,
    ) -> Option<ExprId> {
        let given = self.type_of(arg);
        if !self.takes_in_library(wanted, given) {
            return None;
        }
        Some(match (wanted, given) {
            (Type::Pointer(_), Type::Pointer(_)) => arg,
            (Type::Int(own), Type::Int(int)) if own.bits > int.bits && wanted != Type::I32 => {
                let unsigned = Type::Int(IntType { signed: false, ..int });
                let value = self.convert(arg, unsigned, span);
                self.convert(value, wanted, span)
            }
            _ => self.convert(arg, wanted, span),
        })
    }

    /// The type in which the library function gives its result, where the declaration can take it.
    pub(super) fn fit_library_result(&mut self, own: Type, declared: Type) -> Option<Type> {
        let size = self.unit.types.model.size_type();
        let fits = match (own, declared) {
            (_, Type::Void) | (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Pointer(_), Type::Int(int)) => int.bits == size.bits,
            (Type::Int(own), Type::Int(int)) => int.bits <= own.bits && declared != Type::BOOL,
            // What it seems to give is any value.
            (Type::Void, _) => true,
            _ => false,
        };
        let is_pointer = matches!(declared, Type::Pointer(_));
        fits.then_some(if is_pointer && own != Type::Void { declared } else { own })
    }
}
