//! Declarations and function definitions (C11 6.7, 6.9).

use lakatos_ir::{Diagnostic, Span};

use super::Parser;
use super::attribute::Attributes;
use super::declarator::{Declarator, Derived, Params};
use super::specifier::Specs;
use crate::ast::{Body, DeclId, DeclKind, Declaration, Init, StmtId, StmtKind, Storage, Target};
use crate::sema::constant::Constant;
use crate::sema::declare::StorageClass;
use crate::sema::scope::Entity;
use crate::sema::{Current, Res, Suspended, error, unsupported};
use crate::symbol::Symbol;
use crate::syntax::token::{Kw, Tok};
use crate::types::{FnType, Ty};

impl Parser<'_> {
    pub fn external_declaration(&mut self) -> Res<()> {
        let annotations = self.annotations_here();
        let start = self.start();
        match self.tok.kind {
            Tok::Semi => {
                self.advance()?;
                self.annotate(annotations, Target::Global);
                return Ok(());
            }
            Tok::Kw(Kw::Asm) => {
                self.file_assembly()?;
                self.annotate(annotations, Target::Global);
                return Ok(());
            }
            Tok::Kw(Kw::StaticAssert) => {
                self.annotate(annotations, Target::Global);
                return self.static_assert();
            }
            Tok::Ident(_) | Tok::Kw(_) | Tok::Star | Tok::LParen => {}
            _ if self.at_standard_attribute() => {}
            _ => return self.unexpected("a declaration"),
        }
        let specs = self.specifiers()?;
        if self.eat(Tok::Semi)? {
            self.annotate(annotations, Target::Global);
            return Ok(());
        }
        if !specs.explicit_type {
            self.check_implicit_int()?;
        }
        let target = self.external_declarators(&specs, start)?;
        self.annotate(annotations, target);
        Ok(())
    }

    /// Without a type only `name(` begins a C89 function, or `name =` / `name;` an `int`.
    fn check_implicit_int(&mut self) -> Res<()> {
        let plausible = matches!(
            (self.tok.kind, self.next.kind),
            (Tok::Ident(_), Tok::LParen | Tok::Semi | Tok::Comma | Tok::Assign | Tok::LBracket)
                | (Tok::Star, Tok::Ident(_))
        );
        if let (Tok::Ident(name), false) = (self.tok.kind, plausible) {
            let message = format!("`{}` is not a type", self.sema.name(name));
            return Err(Diagnostic::error(self.tok.span, message)
                .help("is a typedef or an `#include` missing?")
                .into());
        }
        if !plausible {
            return self.unexpected("a declaration");
        }
        self.sema.warn(self.tok.span, "the type is missing: `int` is assumed");
        Ok(())
    }

    fn external_declarators(&mut self, specs: &Specs, start: u32) -> Res<Target> {
        let mut target = Target::Global;
        let mut first = true;
        let mut declared = Vec::new();
        loop {
            let mut declarator = self.declarator(false)?;
            self.asm_label(&mut declarator)?;
            if first
                && let Some(Derived::Function(params)) = declarator.derived.first()
                && self.at_function_body(params)
            {
                let params = params.clone();
                let decl = self.function_definition(specs, &declarator, params, start)?;
                return Ok(Target::Decl(decl));
            }
            let params = declarator.params().map(|params| params.decls.clone());
            if let Some((decl, _)) = self.init_declarator(specs, declarator)?
                && matches!(self.sema.decls[decl].kind, DeclKind::Function(_))
            {
                target = Target::Decl(decl);
                declared.push((decl, params.unwrap_or_default()));
            }
            first = false;
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::Semi, "after the declaration")?;
        let span = self.since(start);
        for (decl, params) in declared {
            if let DeclKind::Function(function) = &mut self.sema.decls[decl].kind {
                function.declarations.push(Declaration { span, params });
            }
        }
        Ok(target)
    }

    /// `{`, or the parameter declarations of a K&R definition.
    fn at_function_body(&self, params: &Params) -> bool {
        self.at(Tok::LBrace)
            || (!params.prototyped && !params.names.is_empty() && self.at_type_name())
    }

    /// A declaration in a block; its statements go to `out`.
    pub fn block_declaration(&mut self, attributes: Attributes, out: &mut Vec<StmtId>) -> Res<()> {
        if self.at_kw(Kw::StaticAssert) {
            return self.static_assert();
        }
        let start = self.start();
        let specs = self.specifiers_after(attributes)?;
        if self.eat(Tok::Semi)? {
            return Ok(());
        }
        loop {
            let mut declarator = self.declarator(false)?;
            self.asm_label(&mut declarator)?;
            if self.at(Tok::LBrace)
                && matches!(declarator.derived.first(), Some(Derived::Function(_)))
            {
                return unsupported(self.since(start), "nested functions");
            }
            let declared = self.init_declarator(&specs, declarator)?;
            let span = self.since(start);
            match declared {
                Some((decl, Some(Storage::Local))) => {
                    out.push(self.sema.stmt(StmtKind::Decl(decl), span));
                }
                Some(_) => {}
                None => self.typedef_lengths(out, span),
            }
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::Semi, "after the declaration")?;
        Ok(())
    }

    /// `typedef int t[n];`: the length is taken where the typedef is passed.
    fn typedef_lengths(&mut self, out: &mut Vec<StmtId>, span: Span) {
        if let Some(ty) = self.last_typedef.take()
            && self.sema.types.is_variably_sized(ty)
        {
            out.push(self.sema.stmt(StmtKind::VlaType(ty), span));
        }
    }

    /// One declarator with its initialiser. `None` for a typedef; the storage for an object.
    fn init_declarator(
        &mut self,
        specs: &Specs,
        declarator: Declarator,
    ) -> Res<Option<(DeclId, Option<Storage>)>> {
        let (name, span) = declarator.require_name(self)?;
        let (ty, attributes) = self.declared_type(specs, &declarator)?;
        if specs.auto_type {
            let decl = self.auto_type(specs, name, span)?;
            self.note_attributes(decl, attributes)?;
            return Ok(Some((decl, self.storage(decl))));
        }
        if specs.class == Some(StorageClass::Typedef) {
            self.declare_typedef(name, ty, attributes, span)?;
            return Ok(None);
        }
        if self.sema.types.function_of(ty).is_some() {
            let decl = self.sema.declare_function(name, ty, attributes.noreturn, span)?;
            self.note_attributes(decl, attributes)?;
            self.sema.label(decl, declarator.label);
            if let Some((target, at)) = attributes.alias {
                self.sema.aliases.push((decl, target, at));
            }
            if self.at(Tok::Assign) {
                return error(span, "a function cannot be initialised");
            }
            return Ok(Some((decl, None)));
        }
        if self.sema.types.is_void(ty) {
            // GNU C: only its address can be used.
            if specs.class == Some(StorageClass::Extern) {
                return unsupported(span, "a variable of type `void`");
            }
            return error(span, "a variable cannot have type `void`");
        }
        let has_init = self.eat(Tok::Assign)?;
        let class = match specs.class {
            // C23 6.2.2: it has internal linkage.
            None if specs.constexpr && self.sema.at_file_scope() => Some(StorageClass::Static),
            class => class,
        };
        let decl = self.sema.declare_object(name, ty, class, has_init, span)?;
        let is_register = specs.register && declarator.label.is_some();
        self.note_attributes(decl, attributes)?;
        if !is_register {
            self.sema.label(decl, declarator.label);
        } else if let DeclKind::Object(object) = &mut self.sema.decls[decl].kind {
            object.register = true;
        }
        if has_init {
            // The name is known in its own initialiser (`int *p = malloc(sizeof *p);`).
            let syntax = self.initialiser_syntax()?;
            let (init, ty) = self.sema.initialiser(ty, &syntax)?;
            if specs.constexpr {
                self.note_constant(decl, ty, &init)?;
            }
            self.set_init(decl, init, ty, span)?;
        } else if specs.constexpr {
            return error(span, "a `constexpr` object has to be initialised");
        }
        self.sema.finish_object(decl, span)?;
        Ok(Some((decl, self.storage(decl))))
    }

    /// The value of a `constexpr` object; only numbers can stand in other constants.
    fn note_constant(&mut self, decl: DeclId, ty: Ty, init: &Init) -> Res<()> {
        if !self.sema.types.is_arithmetic(ty) {
            return Ok(());
        }
        let value = match &init.items[..] {
            [item] => self.sema.constant(item.value),
            [] if init.zero => Some(Constant::Int(0)),
            _ => None,
        };
        match value {
            Some(value) => {
                self.sema.constants.insert(decl, value);
                Ok(())
            }
            None => error(init.span, "the value of a `constexpr` object has to be a constant"),
        }
    }

    fn declare_typedef(
        &mut self,
        name: Symbol,
        ty: Ty,
        attributes: Attributes,
        span: Span,
    ) -> Res<()> {
        self.require_known(&attributes)?;
        if let (true, Some(id)) = (attributes.transparent, self.sema.types.record(ty)) {
            self.sema.types.records[id].transparent = true;
        }
        let ty = match attributes.type_align {
            Some(align) => self.sema.types.with_align(ty, align),
            None => ty,
        };
        self.sema.declare_typedef(name, ty, span)?;
        self.last_typedef = Some(ty);
        Ok(())
    }

    /// What attributes say of a function or an object. One without a meaning stands in the way of
    /// a thing with linkage only if a run depends on that.
    fn note_attributes(&mut self, decl: DeclId, attributes: Attributes) -> Res<()> {
        if attributes.weak {
            self.sema.mark_weak(decl);
        }
        if let (Some((_, span)), Some(_)) = (attributes.alias, self.storage(decl)) {
            return unsupported(span, "the attribute `alias` of an object");
        }
        if let Some((priority, span)) = attributes.constructor {
            match self.storage(decl) {
                None => self.sema.constructors.push((decl, priority, span)),
                Some(_) => return unsupported(span, "the attribute `constructor` of an object"),
            }
        }
        if let Some((priority, span)) = attributes.destructor {
            match self.storage(decl) {
                None => self.sema.destructors.push((decl, priority, span)),
                Some(_) => return unsupported(span, "the attribute `destructor` of an object"),
            }
        }
        if let Some((function, span)) = attributes.cleanup {
            match &mut self.sema.decls[decl].kind {
                DeclKind::Object(object) if object.storage == Storage::Local => {
                    object.cleanup = Some(function);
                }
                DeclKind::Object(_) | DeclKind::Function(_) => {
                    return unsupported(span, "the attribute `cleanup` in this place");
                }
            }
        }
        if !matches!(self.storage(decl), None | Some(Storage::Extern | Storage::Global)) {
            return self.require_known(&attributes);
        }
        if let Some(refusal) = self.refusal(&attributes) {
            self.sema.unsupported.push((decl, refusal));
        }
        Ok(())
    }

    fn storage(&self, decl: DeclId) -> Option<Storage> {
        match &self.sema.decls[decl].kind {
            DeclKind::Object(object) => Some(object.storage),
            DeclKind::Function(_) => None,
        }
    }

    fn set_init(&mut self, decl: DeclId, init: Init, ty: Ty, span: Span) -> Res<()> {
        if init.flexible.is_some() && self.storage(decl) == Some(Storage::Local) {
            let message = "a flexible array member is initialised in static objects only";
            return error(init.span, message);
        }
        self.sema.decls[decl].ty = self.sema.composite(ty, self.sema.decls[decl].ty);
        let name = self.sema.decls[decl].name;
        match &mut self.sema.decls[decl].kind {
            DeclKind::Object(object) if object.init.is_none() => {
                object.init = Some(init);
                Ok(())
            }
            _ => error(span, format!("a second definition of `{}`", self.sema.name(name))),
        }
    }

    /// `__auto_type x = e;`
    fn auto_type(&mut self, specs: &Specs, name: Symbol, span: Span) -> Res<DeclId> {
        self.expect(Tok::Assign, "after an `__auto_type` name")?;
        let e = self.assignment()?;
        let e = self.sema.rvalue(e);
        self.sema.require_own_type(e)?;
        let ty = self.sema.ty(e);
        let decl = self.sema.declare_object(name, ty, specs.class, true, span)?;
        let syntax = crate::sema::init::InitSyntax::Expr(e);
        let (init, ty) = self.sema.initialiser(ty, &syntax)?;
        self.set_init(decl, init, ty, span)?;
        Ok(decl)
    }

    pub fn static_assert(&mut self) -> Res<()> {
        let start = self.start();
        self.advance()?;
        self.expect(Tok::LParen, "after `_Static_assert`")?;
        let e = self.conditional()?;
        let holds = self.sema.require_int(e, "a static assertion")? != 0;
        let mut message = String::new();
        if self.eat(Tok::Comma)? {
            message = format!(": {}", self.lexer.text(self.tok.span));
            self.expect(Tok::Str, "as the message")?;
        }
        self.expect(Tok::RParen, "after the assertion")?;
        self.expect(Tok::Semi, "after the assertion")?;
        if !holds {
            return error(self.since(start), format!("the static assertion fails{message}"));
        }
        Ok(())
    }

    fn function_definition(
        &mut self,
        specs: &Specs,
        declarator: &Declarator,
        params: Params,
        start: u32,
    ) -> Res<DeclId> {
        let (name, span) = declarator.require_name(self)?;
        if specs.class == Some(StorageClass::Typedef) {
            return error(span, "a typedef has no body");
        }
        let (mut ty, attributes) = self.declared_type(specs, declarator)?;
        let (mut decls, mut scope) = (params.decls.clone(), params.scope.clone());
        if !params.names.is_empty() {
            self.sema.enter_scope();
            decls = self.old_style_params(&params)?;
            scope = self.sema.suspend_scope();
            ty = self.old_style_type(ty, &decls);
        }
        let decl = self.sema.declare_function(name, ty, attributes.noreturn, span)?;
        self.note_attributes(decl, attributes)?;
        self.sema.label(decl, declarator.label);
        if self.function(decl).is_some_and(|f| f.body.is_some()) {
            return error(span, format!("a second definition of `{}`", self.sema.name(name)));
        }
        self.sema.decls[decl].span = span;
        let result = self.sema.types.function_of(ty).map_or(self.sema.types.int, |f| f.result);
        if !self.sema.types.is_void(result) && self.sema.types.size(result).is_none() {
            return error(span, "the size of the result is not known");
        }
        let before = self.sema.diagnostic_count();
        if let Some(pragma) = self.lexer.options_at(start) {
            self.sema.use_opaque(pragma, span);
        }
        let body = match self.function_body(name, result, &decls, &scope) {
            Ok(body) => Some(body),
            Err(e) => {
                self.sema.report(*e);
                self.leave_declaration();
                None
            }
        };
        // Whether it counts that there is no body, is known when it is known who calls it.
        if let Some(refusal) = self.take_refusal(before) {
            self.sema.unsupported.push((decl, refusal));
            return Ok(decl);
        }
        let span = self.since(start);
        if let (DeclKind::Function(function), Some((block, labels))) =
            (&mut self.sema.decls[decl].kind, body)
        {
            function.body = Some(Body { params: decls, block, labels, span });
        }
        Ok(decl)
    }

    fn function(&self, decl: DeclId) -> Option<&crate::ast::Function> {
        match &self.sema.decls[decl].kind {
            DeclKind::Function(function) => Some(function),
            DeclKind::Object(_) => None,
        }
    }

    fn function_body(
        &mut self,
        name: Symbol,
        result: Ty,
        params: &[DeclId],
        scope: &Suspended,
    ) -> Res<(StmtId, Vec<(Symbol, DeclId)>)> {
        for &param in params {
            let (ty, span) = (self.sema.decls[param].ty, self.sema.decls[param].span);
            if self.sema.types.size(ty).is_none() {
                let message = format!("a parameter of type `{}` has no size", self.sema.show(ty));
                return error(span, message);
            }
        }
        self.sema.resume_scope(scope);
        self.sema.current = Some(Current {
            name,
            result,
            func_name: None,
            labels: Default::default(),
            label_objects: Vec::new(),
            switches: Vec::new(),
            loops: 0,
        });
        let block = self.block_in_scope()?;
        self.sema.leave_scope();
        self.check_labels();
        let labels = self.sema.current.take().map(|current| current.label_objects);
        Ok((block, labels.unwrap_or_default()))
    }

    fn check_labels(&mut self) {
        let Some(current) = &self.sema.current else { return };
        let mut missing: Vec<_> = current
            .labels
            .iter()
            .filter(|(_, l)| l.defined.is_none())
            .filter_map(|(&name, l)| l.used.map(|span| (span, name)))
            .collect();
        missing.sort();
        for (span, name) in missing {
            let message = format!("there is no label `{}` in this function", self.sema.name(name));
            self.sema.report(Diagnostic::error(span, message));
        }
    }

    /// `int f(a, b) char a; long b; { … }`
    fn old_style_params(&mut self, params: &Params) -> Res<Vec<DeclId>> {
        let mut declared: Vec<(Symbol, DeclId)> = Vec::new();
        while !self.at(Tok::LBrace) {
            if !self.at_type_name() {
                return self.unexpected("the declaration of a parameter, or `{`");
            }
            let specs = self.specifiers()?;
            loop {
                let declarator = self.declarator(false)?;
                let (name, span) = declarator.require_name(self)?;
                let (ty, attributes) = self.declared_type(&specs, &declarator)?;
                self.require_known(&attributes)?;
                let ty = self.sema.adjust_param(ty);
                if !params.names.iter().any(|&(n, _)| n == name) {
                    let message = format!("`{}` is not a parameter", self.sema.name(name));
                    return error(span, message);
                }
                let decl = self.sema.new_object(name, ty, Storage::Param, span);
                self.declare_param(name, decl, span)?;
                declared.push((name, decl));
                if !self.eat(Tok::Comma)? {
                    break;
                }
            }
            self.expect(Tok::Semi, "after the declaration of a parameter")?;
        }
        let int = self.sema.types.int;
        let mut decls = Vec::with_capacity(params.names.len());
        for &(name, span) in &params.names {
            let known = declared.iter().find(|&&(n, _)| n == name).map(|&(_, decl)| decl);
            decls.push(match known {
                Some(decl) => decl,
                None => {
                    let decl = self.sema.new_object(name, int, Storage::Param, span);
                    self.sema.names.declare(name, Entity::Decl(decl), span);
                    decl
                }
            });
        }
        Ok(decls)
    }

    fn old_style_type(&mut self, ty: Ty, decls: &[DeclId]) -> Ty {
        let result = self.sema.types.function_of(ty).map_or(ty, |f| f.result);
        let params = decls.iter().map(|&d| self.sema.decls[d].ty).collect();
        self.sema.types.function(FnType { result, params, variadic: false, prototyped: false })
    }
}
