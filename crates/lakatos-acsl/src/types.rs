//! The types of terms: those of mathematics, and those of C as values of the logic.

use std::fmt;
use std::sync::Arc;

use lakatos_c::types::{FloatKind, IntKind};
use lakatos_ir::RecordKind;

/// The type of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The mathematical integers.
    Integer,
    /// The real numbers.
    Real,
    /// The two truth values as terms.
    Boolean,
    /// A type of the program.
    C(CType),
    /// Any number of values or places: `0 .. n - 1`, and what is made from it.
    Set(Box<Type>),
}

/// A type of C without qualifiers, which mean nothing in the logic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CType {
    Void,
    Int(IntKind),
    Enum(Enum),
    Float(FloatKind),
    Pointer(Arc<CType>),
    /// The number of elements, if it is known without running the program.
    Array(Arc<CType>, Option<u64>),
    Record(Record),
    /// Functions, complex numbers and the like, as they are shown.
    Other(String),
}

/// An enumeration of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    /// Which one, for the environment.
    pub id: u32,
    /// Empty if it has none.
    pub tag: String,
    /// The integer type that holds its values.
    pub underlying: IntKind,
}

/// A struct or union of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Which one, for the environment.
    pub id: u32,
    pub kind: RecordKind,
    /// Empty if it has none.
    pub tag: String,
}

impl Type {
    pub const INT: Type = Type::C(CType::Int(IntKind::Int));

    pub fn pointer_to(inner: CType) -> Type {
        Type::C(CType::Pointer(Arc::new(inner)))
    }

    /// The C type, if it is one.
    pub fn c(&self) -> Option<&CType> {
        match self {
            Type::C(ty) => Some(ty),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self) -> Option<&CType> {
        match self {
            Type::C(CType::Pointer(inner)) => Some(inner),
            _ => None,
        }
    }

    /// `integer`, or a type of C that is part of it.
    pub fn is_integral(&self) -> bool {
        match self {
            Type::Integer => true,
            Type::C(ty) => ty.int_kind().is_some(),
            _ => false,
        }
    }

    /// A number.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Type::Real | Type::C(CType::Float(_))) || self.is_integral()
    }

    pub fn is_pointer(&self) -> bool {
        self.pointee().is_some()
    }
}

impl CType {
    /// The integer type that holds the values, of enumerations too.
    pub fn int_kind(&self) -> Option<IntKind> {
        match self {
            CType::Int(kind) => Some(*kind),
            CType::Enum(e) => Some(e.underlying),
            _ => None,
        }
    }

    /// The element of an array.
    pub fn element(&self) -> Option<&CType> {
        match self {
            CType::Array(inner, _) => Some(inner),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Integer => f.write_str("integer"),
            Type::Real => f.write_str("real"),
            Type::Boolean => f.write_str("boolean"),
            Type::C(ty) => write!(f, "{ty}"),
            Type::Set(inner) => write!(f, "set of {inner}"),
        }
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut declarator = String::new();
        let mut ty = self;
        loop {
            ty = match ty {
                CType::Pointer(inner) => {
                    declarator = match **inner {
                        CType::Array(..) => format!("(*{declarator})"),
                        _ => format!("*{declarator}"),
                    };
                    inner
                }
                CType::Array(inner, length) => {
                    let length = length.map(|n| n.to_string()).unwrap_or_default();
                    declarator += &format!("[{length}]");
                    inner
                }
                _ => break,
            };
        }
        let space = if declarator.is_empty() { "" } else { " " };
        let tagged = |word: &str, tag: &str| match tag {
            "" => format!("{word} <anonymous>"),
            tag => format!("{word} {tag}"),
        };
        let base = match ty {
            CType::Void => "void".to_owned(),
            CType::Int(kind) => kind.name().into_owned(),
            CType::Float(kind) => kind.name().to_owned(),
            CType::Enum(e) => tagged("enum", &e.tag),
            CType::Record(r) => match r.kind {
                RecordKind::Struct => tagged("struct", &r.tag),
                RecordKind::Union => tagged("union", &r.tag),
            },
            CType::Other(text) => text.clone(),
            // Taken apart before.
            CType::Pointer(_) | CType::Array(..) => String::new(),
        };
        write!(f, "{base}{space}{declarator}")
    }
}
