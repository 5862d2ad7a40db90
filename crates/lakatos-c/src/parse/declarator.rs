//! Declarators (C11 6.7.6) and type names: read from the name outwards, built from the type
//! inwards.

use lakatos_ir::Span;

use super::Parser;
use super::attribute::Attributes;
use super::specifier::Specs;
use crate::ast::{DeclId, ExprId, Storage};
use crate::sema::scope::Entity;
use crate::sema::{Res, Suspended, error, unsupported};
use crate::symbol::Symbol;
use crate::syntax::token::{Kw, Tok};
use crate::types::{ArrayLen, FnType, MAX_TYPE_DEPTH, Quals, Ty, TypeKind};

/// A declarator: what is between the name and the base type, nearest to the name first.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    pub name: Option<(Symbol, Span)>,
    pub derived: Vec<Derived>,
    pub attributes: Attributes,
    /// `asm("symbol")` behind it.
    pub label: Option<(Symbol, Span)>,
}

#[derive(Clone, Debug)]
pub enum Derived {
    /// With the alignment of an attribute.
    Pointer(Quals, Option<u64>),
    Array {
        len: Option<ExprId>,
        span: Span,
    },
    Function(Params),
}

#[derive(Clone, Debug, Default)]
pub struct Params {
    pub decls: Vec<DeclId>,
    pub variadic: bool,
    pub prototyped: bool,
    /// A K&R definition's names, whose types follow.
    pub names: Vec<(Symbol, Span)>,
    /// What the list declares: its names, and tags and enumerators in its types.
    pub scope: Suspended,
}

impl Declarator {
    /// The parameters of the function that it declares.
    pub fn params(&self) -> Option<&Params> {
        match self.derived.first() {
            Some(Derived::Function(params)) => Some(params),
            _ => None,
        }
    }

    pub fn require_name(&self, parser: &Parser<'_>) -> Res<(Symbol, Span)> {
        match self.name {
            Some(name) => Ok(name),
            None => parser.unexpected("a name"),
        }
    }
}

impl Parser<'_> {
    /// `type_name` of casts, `sizeof` and so on.
    pub fn type_name(&mut self) -> Res<Ty> {
        let specs = self.specifiers()?;
        let declarator = self.declarator(true)?;
        if let Some((_, span)) = declarator.name {
            return error(span, "a type name has no name in it");
        }
        let (ty, attributes) = self.declared_type(&specs, &declarator)?;
        self.require_known(&attributes)?;
        Ok(match attributes.align {
            Some(align) => self.sema.types.with_align(ty, align),
            None => ty,
        })
    }

    /// The type that a declarator gives, and all attributes of the declaration.
    pub fn declared_type(
        &mut self,
        specs: &Specs,
        declarator: &Declarator,
    ) -> Res<(Ty, Attributes)> {
        let ty = self.build_type(specs.ty, declarator)?;
        let mut attributes = specs.attributes;
        attributes.merge(declarator.attributes);
        let span = declarator.name.map_or(self.tok.span, |(_, span)| span);
        Ok((self.attributed(ty, &attributes, span)?, attributes))
    }

    /// Reads a declarator; an abstract one need not have a name.
    pub fn declarator(&mut self, may_be_abstract: bool) -> Res<Declarator> {
        self.nested(|p| p.declarator_inner(may_be_abstract))
    }

    fn declarator_inner(&mut self, may_be_abstract: bool) -> Res<Declarator> {
        let mut attributes = Attributes::default();
        let mut pointers = Vec::new();
        self.attributes(&mut attributes)?;
        while self.eat(Tok::Star)? {
            pointers.push(self.pointer(&mut attributes)?);
            self.limit_derived(pointers.len())?;
        }
        let mut declarator = match self.tok.kind {
            Tok::Ident(symbol) => {
                let span = self.advance()?.span;
                Declarator { name: Some((symbol, span)), ..Declarator::default() }
            }
            Tok::LParen if self.at_nested_declarator(may_be_abstract) => {
                self.advance()?;
                // Attributes here belong to what is declared, but for those of the type around it.
                self.inner_attributes(&mut attributes)?;
                let inner = self.declarator(may_be_abstract)?;
                self.expect(Tok::RParen, "after the declarator")?;
                inner
            }
            _ if may_be_abstract => Declarator::default(),
            _ => return self.unexpected("a name"),
        };
        loop {
            match self.tok.kind {
                _ if self.at_standard_attribute() => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                Tok::LBracket => {
                    let array = self.array_suffix()?;
                    declarator.derived.push(array);
                }
                Tok::LParen => {
                    let params = self.params()?;
                    declarator.derived.push(Derived::Function(params));
                }
                _ => break,
            }
            self.limit_derived(declarator.derived.len())?;
        }
        declarator.derived.extend(pointers.into_iter().rev());
        declarator.attributes.merge(attributes);
        Ok(declarator)
    }

    fn limit_derived(&mut self, count: usize) -> Res<()> {
        if count > MAX_TYPE_DEPTH as usize {
            return self.too_deep(MAX_TYPE_DEPTH);
        }
        Ok(())
    }

    /// In an abstract declarator `(` may also begin a parameter list.
    fn at_nested_declarator(&self, may_be_abstract: bool) -> bool {
        if !may_be_abstract {
            return true;
        }
        match self.next.kind {
            Tok::RParen => false,
            Tok::Kw(Kw::Attribute) => true,
            kind => !self.starts_type(kind),
        }
    }

    /// Behind `*`: qualifiers, and attributes, of which an alignment is the pointer's.
    fn pointer(&mut self, attributes: &mut Attributes) -> Res<Derived> {
        let mut quals = Quals::NONE;
        let mut own = Attributes::default();
        loop {
            match self.tok.kind {
                Tok::Kw(Kw::Const) => quals.is_const = true,
                Tok::Kw(Kw::Volatile) => quals.is_volatile = true,
                Tok::Kw(Kw::Atomic) => quals.is_atomic = true,
                Tok::Kw(Kw::Restrict) => {}
                Tok::Kw(Kw::Attribute | Kw::Extension) => {
                    self.attributes(&mut own)?;
                    continue;
                }
                _ if self.at_standard_attribute() => {
                    self.attributes(&mut own)?;
                    continue;
                }
                _ => break,
            }
            self.advance()?;
        }
        let align = own.type_align.take();
        // GCC ignores `packed` here.
        attributes.merge(Attributes { align: None, packed: false, ..own });
        Ok(Derived::Pointer(quals, align))
    }

    fn array_suffix(&mut self) -> Res<Derived> {
        let start = self.start();
        self.advance()?;
        while let Tok::Kw(Kw::Static | Kw::Const | Kw::Volatile | Kw::Restrict) = self.tok.kind {
            self.advance()?;
        }
        let unspecified = self.at(Tok::Star) && self.next.kind == Tok::RBracket;
        let len = if self.at(Tok::RBracket) || unspecified {
            self.eat(Tok::Star)?;
            None
        } else {
            Some(self.assignment()?)
        };
        self.expect(Tok::RBracket, "after the length of the array")?;
        Ok(Derived::Array { len, span: self.since(start) })
    }

    fn params(&mut self) -> Res<Params> {
        self.advance()?;
        self.sema.enter_scope();
        let mut params = self.nested(Self::param_list)?;
        params.scope = self.sema.suspend_scope();
        self.expect(Tok::RParen, "after the parameters")?;
        Ok(params)
    }

    fn param_list(&mut self) -> Res<Params> {
        let mut params = Params::default();
        if self.at(Tok::RParen) {
            return Ok(params);
        }
        if matches!(self.tok.kind, Tok::Ident(_)) && !self.at_type_name() {
            return self.identifier_list(params);
        }
        params.prototyped = true;
        if self.at_kw(Kw::Void) && self.next.kind == Tok::RParen {
            self.advance()?;
            return Ok(params);
        }
        loop {
            if self.eat(Tok::Ellipsis)? {
                params.variadic = true;
                break;
            }
            params.decls.push(self.param()?);
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        Ok(params)
    }

    fn identifier_list(&mut self, mut params: Params) -> Res<Params> {
        loop {
            params.names.push(self.expect_ident("the name of a parameter")?);
            if !self.eat(Tok::Comma)? {
                return Ok(params);
            }
        }
    }

    fn param(&mut self) -> Res<DeclId> {
        let start = self.start();
        if !self.at_type_name() {
            return self.unexpected("a parameter");
        }
        let specs = self.specifiers()?;
        let mut declarator = self.declarator(true)?;
        self.attributes(&mut declarator.attributes)?;
        let (ty, attributes) = self.declared_type(&specs, &declarator)?;
        self.require_known(&attributes)?;
        if let TypeKind::Array(_, ArrayLen::Variable(len)) = self.sema.types.kind(ty)
            && self.sema.has_side_effect(len)
        {
            let span = self.sema.exprs[len].span;
            return unsupported(span, "a parameter's array length with side effects");
        }
        let ty = self.sema.adjust_param(ty);
        let (name, span) = match declarator.name {
            Some((name, span)) => (name, span),
            None => (self.sema.symbols.intern(""), self.since(start)),
        };
        if self.sema.types.is_void(ty) {
            return error(span, "a parameter cannot have type `void`");
        }
        let decl = self.sema.new_object(name, ty, Storage::Param, span);
        if declarator.name.is_some() {
            self.declare_param(name, decl, span)?;
        }
        Ok(decl)
    }

    pub fn declare_param(&mut self, name: Symbol, decl: DeclId, span: Span) -> Res<()> {
        if self.sema.names.lookup_here(name).is_some() {
            return error(span, format!("a second parameter `{}`", self.sema.name(name)));
        }
        self.sema.names.declare(name, Entity::Decl(decl), span);
        Ok(())
    }

    /// The type of a declarator over its base type.
    pub fn build_type(&mut self, base: Ty, declarator: &Declarator) -> Res<Ty> {
        let mut ty = base;
        for derived in declarator.derived.iter().rev() {
            ty = match derived {
                Derived::Pointer(quals, align) => {
                    let types = &mut self.sema.types;
                    let ty = types.intern_qualified(TypeKind::Pointer(ty), *quals);
                    align.map_or(ty, |align| types.with_align(ty, align))
                }
                Derived::Array { len, span } => self.array_type(ty, *len, *span)?,
                Derived::Function(params) => self.function_type(ty, params, declarator)?,
            };
            if self.sema.types.depth(ty) > MAX_TYPE_DEPTH {
                return self.too_deep(MAX_TYPE_DEPTH);
            }
        }
        Ok(ty)
    }

    fn array_type(&mut self, elem: Ty, len: Option<ExprId>, span: Span) -> Res<Ty> {
        let types = &self.sema.types;
        let usable = types.size(elem).is_some() || types.is_variably_sized(elem);
        if !usable {
            let elem = self.sema.show(elem);
            return error(span, format!("an array of `{elem}` is not possible"));
        }
        if let (Some(align), Some(size)) = (types.own_align(elem), types.size(elem))
            && size % align != 0
        {
            return error(span, "the elements of this array are aligned to more than their size");
        }
        let len = match len {
            None => ArrayLen::Unknown,
            Some(e) => self.array_len(e, span)?,
        };
        let ty = self.sema.types.intern(TypeKind::Array(elem, len));
        if matches!(len, ArrayLen::Fixed(_))
            && self.sema.types.size(ty).is_none()
            && !self.sema.types.is_variably_sized(elem)
        {
            return error(span, "this array is larger than the address space");
        }
        Ok(ty)
    }

    fn array_len(&mut self, e: ExprId, span: Span) -> Res<ArrayLen> {
        let e = self.sema.rvalue(e);
        if !self.sema.types.is_integer(self.sema.ty(e)) {
            return error(span, "the length of an array must be an integer");
        }
        if let Some(value) = self.sema.constant_int(e) {
            return match u64::try_from(value) {
                Ok(n) => Ok(ArrayLen::Fixed(n)),
                Err(_) => error(span, "the length of this array is negative"),
            };
        }
        if self.sema.at_file_scope() {
            return error(span, "the length of an array at file scope must be constant");
        }
        let size_t = self.sema.types.size_ty();
        Ok(ArrayLen::Variable(self.sema.convert(e, size_t, false)))
    }

    fn function_type(&mut self, result: Ty, params: &Params, declarator: &Declarator) -> Res<Ty> {
        let span = declarator.name.map_or(self.tok.span, |(_, span)| span);
        let array = self.sema.types.element(result).is_some();
        if array || self.sema.types.function_of(result).is_some() {
            let result = self.sema.show(result);
            return error(span, format!("a function cannot return `{result}`"));
        }
        let result = self.sema.types.unqualified(result);
        let tys = params.decls.iter().map(|&d| self.sema.decls[d].ty).collect::<Vec<_>>();
        let tys = tys.into_iter().map(|ty| self.sema.types.unqualified(ty)).collect();
        let Params { variadic, prototyped, .. } = *params;
        Ok(self.sema.types.function(FnType { result, params: tys, variadic, prototyped }))
    }
}
