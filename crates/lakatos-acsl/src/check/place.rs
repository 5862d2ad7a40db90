//! Places: variables, what pointers point to, elements, members.

use lakatos_ir::Span;

use super::{Checker, Value};
use crate::env::{CVariable, Entity};
use crate::lexer::Res;
use crate::parse::{error, error_help};
use crate::syntax::{Constant, Expr, ExprKind, Name, Unary};
use crate::tree::{Place, PlaceKind, Term, TermKind};
use crate::types::{CType, Type};

impl Place {
    /// It is read from memory, so it depends on the state.
    pub fn is_memory(&self) -> bool {
        match &self.kind {
            PlaceKind::Variable(_) | PlaceKind::Deref(_) | PlaceKind::Element { .. } => true,
            PlaceKind::Result | PlaceKind::Value(_) => false,
            PlaceKind::ArrayElement { array: base, .. } | PlaceKind::Field { record: base, .. } => {
                base.is_memory()
            }
        }
    }
}

/// A type and whether there may be many of it.
pub(crate) fn single(ty: &Type) -> (&Type, bool) {
    match ty {
        Type::Set(inner) => (inner, true),
        other => (other, false),
    }
}

pub(super) fn many(ty: Type, many: bool) -> Type {
    match (many, &ty) {
        (false, _) | (true, Type::Set(_)) => ty,
        (true, _) => Type::Set(ty.into()),
    }
}

impl Checker<'_> {
    /// A part of memory, or of a value.
    pub(super) fn place(&mut self, e: &Expr) -> Res<Place> {
        let span = e.span;
        match &e.kind {
            ExprKind::Name(name) if self.bound(name).is_none() => match self.env.name(name) {
                Some(Entity::Variable(variable)) if self.signature(name).is_none() => {
                    self.variable(variable, span)
                }
                _ => self.value_place(e),
            },
            ExprKind::Constant(Constant::Result) => self.result_place(span),
            ExprKind::Unary(Unary::Deref, inner) => {
                let pointer = self.term(inner)?;
                let pointer = self.decayed(pointer)?;
                let ty = self.pointed_to(&pointer, "`*`")?;
                Ok(Place { kind: PlaceKind::Deref(pointer.into()), ty, span })
            }
            ExprKind::Index(base, index) => self.index(base, index, span),
            ExprKind::Field(base, name) => {
                let base = self.place(base)?;
                self.member(base, name, span)
            }
            ExprKind::Arrow(base, name) => {
                let pointer = self.term(base)?;
                let pointer = self.decayed(pointer)?;
                let ty = self.pointed_to(&pointer, "`->`")?;
                let kind = PlaceKind::Deref(pointer.into());
                let base = Place { kind, ty, span: base.span };
                self.member(base, name, span)
            }
            _ => self.value_place(e),
        }
    }

    /// A variable of the program, which has to be there in the state that is spoken of.
    pub(super) fn variable(&self, variable: CVariable, span: Span) -> Res<Place> {
        if let Some(label) = &self.current
            && !self.env.exists(&variable, label)
        {
            let (name, label) = (&variable.name, label.name());
            return error(span, format!("there is no `{name}` in the state `{label}`"));
        }
        let ty = Type::C(variable.ty.clone());
        Ok(Place { kind: PlaceKind::Variable(variable), ty, span })
    }

    /// Something that is no place, but may have parts.
    #[inline(never)]
    fn value_place(&mut self, e: &Expr) -> Res<Place> {
        match self.value(e)? {
            Value::Term(term) => {
                let (ty, span) = (term.ty.clone(), term.span);
                Ok(Place { kind: PlaceKind::Value(term.into()), ty, span })
            }
            Value::Pred(_) => error(e.span, "a predicate is no place in memory"),
        }
    }

    /// The type of what a pointer, or a set of them, points to.
    fn pointed_to(&self, pointer: &Term, operator: &str) -> Res<Type> {
        let (ty, set) = single(&pointer.ty);
        match ty.pointee() {
            Some(CType::Void) => error_help(
                pointer.span,
                "this is a pointer to `void`",
                "cast it to a pointer to the type that is meant",
            ),
            Some(inner) => Ok(many(Type::C(inner.clone()), set)),
            None => {
                let message = format!("{operator} needs a pointer, and this is `{}`", pointer.ty);
                error(pointer.span, message)
            }
        }
    }

    #[inline(never)]
    fn index(&mut self, base: &Expr, index: &Expr, span: Span) -> Res<Place> {
        let base = self.place(base)?;
        let index = self.term(index)?;
        // C allows `1[a]`.
        if single(&base.ty).0.is_integral() && single(&index.ty).0.is_pointer() {
            let base = self.load(base)?;
            return self.element(index, base, span);
        }
        let (ty, set) = single(&base.ty);
        match ty {
            Type::C(CType::Array(element, _)) => {
                let (element, index) = (Type::C((**element).clone()), self.indices(index)?);
                let set = set || matches!(index.ty, Type::Set(_));
                let kind = PlaceKind::ArrayElement { array: base.into(), index: index.into() };
                Ok(Place { kind, ty: many(element, set), span })
            }
            _ if ty.is_pointer() => {
                let pointer = self.load(base)?;
                self.element(pointer, index, span)
            }
            _ => {
                let message =
                    format!("`[ ]` needs an array or a pointer, and this is `{}`", base.ty);
                error(base.span, message)
            }
        }
    }

    fn element(&mut self, pointer: Term, index: Term, span: Span) -> Res<Place> {
        let index = self.indices(index)?;
        let ty = self.pointed_to(&pointer, "`[ ]`")?;
        let ty = many(ty, matches!(index.ty, Type::Set(_)));
        let kind = PlaceKind::Element { pointer: pointer.into(), index: index.into() };
        Ok(Place { kind, ty, span })
    }

    #[inline(never)]
    fn member(&mut self, base: Place, name: &Name, span: Span) -> Res<Place> {
        let (ty, set) = single(&base.ty);
        let Type::C(CType::Record(record)) = ty else {
            let message = format!("`{}` is no struct or union, so it has no members", base.ty);
            return error(base.span, message);
        };
        let Some(members) = self.env.members(record) else {
            return error(base.span, format!("the members of `{ty}` are not known here"));
        };
        let Some(member) = members.into_iter().find(|m| m.name == name.node) else {
            return error(name.span, format!("`{ty}` has no member `{}`", name.node));
        };
        let ty = many(Type::C(member.ty), set);
        let (record, name) = (base.into(), member.name);
        Ok(Place { kind: PlaceKind::Field { record, name, path: member.path }, ty, span })
    }

    #[inline(never)]
    pub(super) fn address_of(&mut self, inner: &Expr, span: Span) -> Res<Term> {
        if let ExprKind::Name(name) = &inner.kind
            && self.bound(name).is_none()
            && self.env.name(name) == Some(Entity::Function)
        {
            return crate::parse::unsupported(span, "functions of the program as values");
        }
        let place = self.place(inner)?;
        if !place.is_memory() {
            return error(span, "only what is in memory has an address");
        }
        let (ty, set) = single(&place.ty);
        let Type::C(inner) = ty else {
            return error(span, "only what is in memory has an address");
        };
        let ty = many(Type::pointer_to(inner.clone()), set);
        Ok(Term { kind: TermKind::AddressOf(place.into()), ty, span })
    }
}
