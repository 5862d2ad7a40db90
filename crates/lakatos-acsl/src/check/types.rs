//! Types in the text.

use std::sync::Arc;

use super::Checker;
use crate::env::{Entity, Tag};
use crate::lexer::Res;
use crate::literal;
use crate::parse::error;
use crate::syntax::{TypeExpr, TypeKind};
use crate::types::{CType, Type};

impl Checker<'_> {
    pub(super) fn ty(&self, ty: &TypeExpr) -> Res<Type> {
        Ok(match &ty.node {
            TypeKind::Integer => Type::Integer,
            TypeKind::Real => Type::Real,
            TypeKind::Boolean => Type::Boolean,
            TypeKind::Void => Type::C(CType::Void),
            TypeKind::Int(kind) => Type::C(CType::Int(*kind)),
            TypeKind::Float(kind) => Type::C(CType::Float(*kind)),
            TypeKind::Name(name) => match self.env.name(name) {
                Some(Entity::Typedef(ty)) => Type::C(ty),
                _ => return error(ty.span, format!("`{name}` is not a type here")),
            },
            TypeKind::Struct(tag) => self.tag(Tag::Struct, tag, ty)?,
            TypeKind::Union(tag) => self.tag(Tag::Union, tag, ty)?,
            TypeKind::Enum(tag) => self.tag(Tag::Enum, tag, ty)?,
            TypeKind::Pointer(inner) => Type::C(CType::Pointer(self.inner(inner, ty)?)),
            TypeKind::Array(inner, length) => {
                let inner = self.inner(inner, ty)?;
                if *inner == CType::Void {
                    return error(ty.span, "an array of `void`");
                }
                let length = match length {
                    None => None,
                    Some(text) => match literal::integer(text).map(u64::try_from) {
                        Ok(Ok(length)) => Some(length),
                        _ => return error(ty.span, format!("`{text}` is no length of an array")),
                    },
                };
                Type::C(CType::Array(inner, length))
            }
        })
    }

    /// What a pointer or an array is made of.
    fn inner(&self, inner: &TypeExpr, whole: &TypeExpr) -> Res<Arc<CType>> {
        match self.ty(inner)? {
            Type::C(ty) => Ok(Arc::new(ty)),
            ty => error(whole.span, format!("`{ty}` is no type of C, so nothing in memory has it")),
        }
    }

    fn tag(&self, tag: Tag, name: &str, ty: &TypeExpr) -> Res<Type> {
        match self.env.tag(tag, name) {
            Some(ty) => Ok(Type::C(ty)),
            None => error(ty.span, format!("`{ty}` is not declared here")),
        }
    }
}
