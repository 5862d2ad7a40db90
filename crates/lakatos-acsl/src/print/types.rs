//! Types and declarations as C writes them.

use std::fmt;

use crate::syntax::{Spanned, TypeExpr, TypeKind};

impl fmt::Display for Spanned<TypeKind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_declaration(f, &self.node, "")
    }
}

/// The declaration of a name with a type; the type alone if the name is empty.
pub(super) fn write_declaration(
    f: &mut fmt::Formatter<'_>,
    ty: &TypeKind,
    name: &str,
) -> fmt::Result {
    let mut declarator = name.to_owned();
    let mut ty = ty;
    loop {
        ty = match ty {
            TypeKind::Pointer(inner) => {
                declarator = match inner.node {
                    TypeKind::Array(..) => format!("(*{declarator})"),
                    _ => format!("*{declarator}"),
                };
                node(inner)
            }
            TypeKind::Array(inner, length) => {
                declarator += &format!("[{}]", length.as_deref().unwrap_or_default());
                node(inner)
            }
            _ => break,
        };
    }
    write_base(f, ty)?;
    match declarator.is_empty() {
        true => Ok(()),
        false => write!(f, " {declarator}"),
    }
}

fn node(ty: &TypeExpr) -> &TypeKind {
    &ty.node
}

fn write_base(f: &mut fmt::Formatter<'_>, ty: &TypeKind) -> fmt::Result {
    match ty {
        TypeKind::Integer => f.write_str("integer"),
        TypeKind::Real => f.write_str("real"),
        TypeKind::Boolean => f.write_str("boolean"),
        TypeKind::Void => f.write_str("void"),
        TypeKind::Int(kind) => f.write_str(&kind.name()),
        TypeKind::Float(kind) => f.write_str(kind.name()),
        TypeKind::Name(name) => f.write_str(name),
        TypeKind::Struct(tag) => write!(f, "struct {tag}"),
        TypeKind::Union(tag) => write!(f, "union {tag}"),
        TypeKind::Enum(tag) => write!(f, "enum {tag}"),
        // Taken apart before.
        TypeKind::Pointer(_) | TypeKind::Array(..) => Ok(()),
    }
}
