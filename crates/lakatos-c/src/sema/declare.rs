//! Declarations: linkage, redeclaration, storage (C11 6.2.2, 6.7, 6.9).

use lakatos_ir::{Diagnostic, Span};

use super::scope::Entity;
use super::{Res, Sema, error, unsupported};
use crate::ast::{
    Decl, DeclId, DeclKind, ExprId, ExprKind, Function, Init, InitItem, Object, Storage,
};
use crate::symbol::Symbol;
use crate::types::{ArrayLen, FnType, Quals, Ty, TypeKind};

/// The storage-class specifier of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
}

impl Sema {
    fn conflict<T>(&self, name: Symbol, span: Span, previous: Span, why: &str) -> Res<T> {
        let message = format!("{why} `{}`", self.name(name));
        Err(Diagnostic::error(span, message).note(previous, "it was declared here before").into())
    }

    /// Something with this name is in the scope already, and is not the same thing.
    fn require_free(&self, name: Symbol, span: Span) -> Res<()> {
        match self.names.lookup_here(name) {
            None => Ok(()),
            Some(binding) => self.conflict(name, span, binding.span, "redeclaration of"),
        }
    }

    pub fn declare_typedef(&mut self, name: Symbol, ty: Ty, span: Span) -> Res<()> {
        if let Some(binding) = self.names.lookup_here(name) {
            return match binding.entity {
                // C11 allows the same typedef again.
                Entity::Typedef(old) if self.compatible(old, ty) => Ok(()),
                _ => self.conflict(name, span, binding.span, "another meaning for"),
            };
        }
        self.names.declare(name, Entity::Typedef(ty), span);
        Ok(())
    }

    pub fn declare_enum_const(&mut self, name: Symbol, value: i128, ty: Ty, span: Span) -> Res<()> {
        self.require_free(name, span)?;
        self.names.declare(name, Entity::EnumConst { value, ty }, span);
        Ok(())
    }

    /// Declares a function, at any scope; every declaration of the name means the same function.
    pub fn declare_function(
        &mut self,
        name: Symbol,
        ty: Ty,
        noreturn: bool,
        span: Span,
    ) -> Res<DeclId> {
        if let Some(binding) = self.names.lookup_here(name)
            && !matches!(binding.entity, Entity::Decl(_))
        {
            return self.conflict(name, span, binding.span, "another meaning for");
        }
        let id = match self.linked.get(&name) {
            Some(&id) => {
                self.merge_function(id, ty, span)?;
                id
            }
            None => {
                let kind = DeclKind::Function(Function::default());
                let id = self.decls.push(Decl { name, ty, span, kind });
                self.linked.insert(name, id);
                self.functions.push(id);
                id
            }
        };
        if let DeclKind::Function(function) = &mut self.decls[id].kind {
            function.noreturn |= noreturn;
        }
        if self.names.lookup_here(name).is_none() {
            self.names.declare(name, Entity::Decl(id), span);
        }
        Ok(id)
    }

    fn merge_function(&mut self, id: DeclId, ty: Ty, span: Span) -> Res<()> {
        if let DeclKind::Function(function) = &mut self.decls[id].kind
            && std::mem::take(&mut function.implicit)
        {
            if !self.compatible(self.decls[id].ty, ty) {
                let name = self.name(self.decls[id].name).to_owned();
                self.warn(
                    span,
                    format!("`{name}` was called before this declaration as `int {name}()`"),
                );
            }
            self.decls[id].ty = ty;
            self.decls[id].span = span;
            return Ok(());
        }
        self.merge_declaration(id, ty, span)
    }

    fn merge_declaration(&mut self, id: DeclId, ty: Ty, span: Span) -> Res<()> {
        let old = &self.decls[id];
        let (name, old_ty, old_span) = (old.name, old.ty, old.span);
        if !self.compatible(old_ty, ty) {
            if self.differ_by_promotions(old_ty, ty) {
                let construct = "a definition in the old style whose prototype has promoted types";
                return unsupported(span, construct);
            }
            let why = format!(
                "`{}` conflicts with the earlier type `{}` of",
                self.show(ty),
                self.show(old_ty)
            );
            return self.conflict(name, span, old_span, &why);
        }
        self.decls[id].ty = self.composite(old_ty, ty);
        Ok(())
    }

    /// Declares an object. An array length may still be open, until [`Sema::finish_object`].
    pub fn declare_object(
        &mut self,
        name: Symbol,
        ty: Ty,
        class: Option<StorageClass>,
        has_init: bool,
        span: Span,
    ) -> Res<DeclId> {
        let file_scope = self.at_file_scope();
        let linked = class == Some(StorageClass::Extern) || file_scope;
        if class != Some(StorageClass::Extern) {
            self.use_type(ty, span);
        }
        if linked {
            let defines = has_init || (file_scope && class != Some(StorageClass::Extern));
            let is_static = class == Some(StorageClass::Static);
            return self.declare_linked(name, ty, defines, is_static, span);
        }
        self.require_free(name, span)?;
        let storage = match class {
            Some(StorageClass::Static) => Storage::StaticLocal,
            _ => Storage::Local,
        };
        let id = self.new_object(name, ty, storage, span);
        if storage == Storage::StaticLocal {
            self.objects.push(id);
        }
        self.names.declare(name, Entity::Decl(id), span);
        Ok(id)
    }

    /// A fresh object that has no binding (yet).
    pub fn new_object(&mut self, name: Symbol, ty: Ty, storage: Storage, span: Span) -> DeclId {
        let kind = DeclKind::Object(Object {
            storage,
            init: None,
            weak: false,
            is_shared: false,
            cleanup: None,
            register: false,
        });
        self.decls.push(Decl { name, ty, span, kind })
    }

    fn declare_linked(
        &mut self,
        name: Symbol,
        ty: Ty,
        defines: bool,
        is_static: bool,
        span: Span,
    ) -> Res<DeclId> {
        if let Some(binding) = self.names.lookup_here(name)
            && !matches!(binding.entity, Entity::Decl(_))
        {
            return self.conflict(name, span, binding.span, "another meaning for");
        }
        let id = match self.linked.get(&name) {
            Some(&id) => {
                self.merge_declaration(id, ty, span)?;
                id
            }
            None => {
                let id = self.new_object(name, ty, Storage::Extern, span);
                if let DeclKind::Object(object) = &mut self.decls[id].kind {
                    object.is_shared = !is_static;
                }
                self.linked.insert(name, id);
                self.objects.push(id);
                id
            }
        };
        if defines && let DeclKind::Object(object) = &mut self.decls[id].kind {
            object.storage = Storage::Global;
        }
        if self.names.lookup_here(name).is_none() {
            self.names.declare(name, Entity::Decl(id), span);
        }
        Ok(id)
    }

    /// After the initialiser: an object that is defined here must have a size.
    pub fn finish_object(&mut self, id: DeclId, span: Span) -> Res<()> {
        let ty = self.decls[id].ty;
        let DeclKind::Object(object) = &self.decls[id].kind else { return Ok(()) };
        let open_array = matches!(self.types.kind(ty), TypeKind::Array(_, ArrayLen::Unknown));
        let complete = self.types.size(ty).is_some() || self.types.is_variably_sized(ty);
        match object.storage {
            Storage::Extern => Ok(()),
            // A tentative definition may be completed later in the file; see `finish_unit`.
            Storage::Global if open_array || self.types.record(ty).is_some() => Ok(()),
            _ if complete => Ok(()),
            _ => {
                let name = self.name(self.decls[id].name);
                error(span, format!("the size of `{name}` (`{}`) is not known", self.show(ty)))
            }
        }
    }

    /// At the end of the file: tentative arrays get one element, tentative records must be known.
    pub fn finish_unit(&mut self) {
        for id in self.objects.clone() {
            let DeclKind::Object(object) = &self.decls[id].kind else { continue };
            if object.storage != Storage::Global {
                continue;
            }
            let (ty, span) = (self.decls[id].ty, self.decls[id].span);
            if let TypeKind::Array(elem, ArrayLen::Unknown) = self.types.kind(ty) {
                self.decls[id].ty = self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(1)));
            } else if self.types.size(ty).is_none() {
                let name = self.name(self.decls[id].name).to_owned();
                let message = format!("the size of `{name}` (`{}`) is not known", self.show(ty));
                self.report(Diagnostic::error(span, message));
            }
        }
        self.mark_weak_names();
        self.name_aliases();
        self.check_labels();
    }

    /// An alias is the function that it names, which is defined here. Its own name is one that only
    /// other files use.
    fn name_aliases(&mut self) {
        let is_body = |own: DeclId| match &self.decls[own].kind {
            DeclKind::Function(function) => function.body.is_some(),
            DeclKind::Object(_) => false,
        };
        // Or a definition that cannot be understood, which counts where a run reaches it.
        let is_defined = |own: DeclId| {
            is_body(own) || self.unsupported.iter().any(|&(refused, _)| refused == own)
        };
        let mut found = Vec::new();
        for &(alias, target, span) in &self.aliases {
            let mut functions = self.functions.iter().copied();
            if is_body(alias) {
                found.push(Diagnostic::error(span, "an alias has no body of its own"));
            } else if !functions.any(|own| is_defined(own) && self.link_name(own) == target) {
                let message = format!("`{}` is not defined in this file", self.name(target));
                found.push(Diagnostic::error(span, message));
            }
        }
        found.into_iter().for_each(|problem| self.report(problem));
        for (alias, target, span) in std::mem::take(&mut self.aliases) {
            self.labels.insert(alias, (target, span));
        }
    }

    /// `__attribute__((weak))` on one declaration is true of all.
    pub fn mark_weak(&mut self, id: DeclId) {
        match &mut self.decls[id].kind {
            DeclKind::Object(object) => object.weak = true,
            DeclKind::Function(function) => function.weak = true,
        }
    }

    /// `#pragma weak` is about a name with linkage, declared before it or after it.
    fn mark_weak_names(&mut self) {
        for name in std::mem::take(&mut self.weak_names) {
            if let Some(&id) = self.linked.get(&name) {
                self.mark_weak(id);
            }
        }
    }

    /// `name asm("symbol")`. An object in registers or on the stack has no name for the linker.
    pub fn label(&mut self, id: DeclId, label: Option<(Symbol, Span)>) {
        let Some((symbol, span)) = label else { return };
        let is_automatic = match &self.decls[id].kind {
            DeclKind::Function(_) => false,
            DeclKind::Object(object) => matches!(object.storage, Storage::Local | Storage::Param),
        };
        if is_automatic {
            return;
        }
        let (known, at) = *self.labels.entry(id).or_insert((symbol, span));
        if known != symbol {
            let message = "another name for the linker than before";
            self.report(Diagnostic::error(span, message).note(at, "it was given here before"));
        }
    }

    /// The name by which the linker knows a function or an object.
    fn link_name(&self, id: DeclId) -> Symbol {
        self.labels.get(&id).map_or(self.decls[id].name, |&(label, _)| label)
    }

    /// Two names in C of one thing for the linker that are objects, or both defined here: their uses are
    /// not the same to us. (What a function means that is not defined under its own name follows from
    /// the name for the linker.)
    fn check_labels(&mut self) {
        let mut found = Vec::new();
        for (&id, &(label, span)) in &self.labels {
            let is_function = |own: DeclId| matches!(self.decls[own].kind, DeclKind::Function(_));
            let is_body = |own: DeclId| match &self.decls[own].kind {
                DeclKind::Function(function) => function.body.is_some(),
                DeclKind::Object(_) => true,
            };
            let all = self.functions.iter().chain(&self.objects).copied();
            let mut others = all.filter(|&own| own != id && self.link_name(own) == label);
            // A function that is declared under another name than its definition is that definition.
            let clash = |other: DeclId| match is_function(other) && is_function(id) {
                true => is_body(other) && is_body(id),
                false => is_body(other) || is_body(id),
            };
            if others.any(clash) {
                let construct = format!("`{}` as another name of it", self.name(label));
                found.push(Diagnostic::unsupported(span, construct));
            }
        }
        for problem in found {
            self.report(problem);
        }
    }

    /// Adjustment of parameter types (6.7.6.3p7-8): arrays and functions become pointers.
    pub fn adjust_param(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty) {
            TypeKind::Array(elem, _) => self.types.pointer_to(elem),
            TypeKind::Function(_) => self.types.pointer_to(ty),
            _ => ty,
        }
    }

    /// A call of a function that was never declared: C89's `int f()`, or the library's own type.
    pub fn implicit_function(&mut self, name: Symbol, span: Span) -> Res<DeclId> {
        let text = self.name(name).to_owned();
        let ty = match self.library_type(&text) {
            Some(ty) => ty,
            None => {
                let result = self.types.int;
                let params = Vec::new();
                self.types.function(FnType { result, params, variadic: false, prototyped: false })
            }
        };
        self.warn(span, format!("`{text}` is called but not declared"));
        if let Some(&id) = self.linked.get(&name) {
            return Ok(id);
        }
        let kind = DeclKind::Function(Function { implicit: true, ..Function::default() });
        let id = self.decls.push(Decl { name, ty, span, kind });
        self.linked.insert(name, id);
        self.functions.push(id);
        Ok(id)
    }

    /// The address of a label: that of an object of its own.
    pub fn label_address(&mut self, label: Symbol, span: Span) -> ExprId {
        let known = self.current.iter().flat_map(|current| &current.label_objects);
        let known = known.clone().find(|(name, _)| *name == label).map(|&(_, object)| object);
        let object = match known {
            Some(object) => object,
            None => {
                let object = self.new_object(label, self.types.char, Storage::StaticLocal, span);
                self.objects.push(object);
                let current = self.current.iter_mut();
                current.for_each(|current| current.label_objects.push((label, object)));
                object
            }
        };
        let char_pointer = self.types.pointer_to(self.types.char);
        let named = self.expr(ExprKind::Var(object), self.types.char, span);
        let address = self.expr(ExprKind::AddrOf(named), char_pointer, span);
        let pointer = self.types.pointer_to(self.types.void);
        self.convert(address, pointer, true)
    }

    /// `__func__` and its relatives: a static array with the function's name.
    pub fn function_name(&mut self, symbol: Symbol, span: Span) -> Option<ExprId> {
        let current = self.current.as_ref()?;
        if let Some(decl) = current.func_name {
            return Some(self.reference(decl, span));
        }
        let bytes = self.name(current.name).as_bytes().to_vec();
        let elem = self.types.qualify(self.types.char, Quals { is_const: true, ..Quals::NONE });
        let len = ArrayLen::Fixed(bytes.len() as u64 + 1);
        let ty = self.types.intern(TypeKind::Array(elem, len));
        let string = self.strings.push(bytes);
        let value = self.expr(ExprKind::Str(string), ty, span);
        let decl = self.new_object(symbol, ty, Storage::StaticLocal, span);
        let items = vec![InitItem { path: Vec::new(), value, shared: false }];
        if let DeclKind::Object(object) = &mut self.decls[decl].kind {
            object.init = Some(Init { zero: false, items, flexible: None, span });
        }
        self.objects.push(decl);
        if let Some(current) = &mut self.current {
            current.func_name = Some(decl);
        }
        Some(self.reference(decl, span))
    }
}
