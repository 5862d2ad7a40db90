//! The types of a generated program and how they are spelled.

use std::rc::Rc;

use lakatos_ir::DataModel;

use super::rng::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    I128,
    U128,
}

use Kind::*;

impl Kind {
    pub const ALL: [Kind; 14] = [
        Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, I128, U128,
    ];

    /// The kinds of a data model; `__int128` exists on LP64 only.
    pub fn all(model: DataModel) -> &'static [Kind] {
        match model {
            DataModel::Lp64 => &Kind::ALL,
            DataModel::Ilp32 => &Kind::ALL[..12],
        }
    }

    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Bool => 1,
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => u32::from(model.pointer_bits()),
            LLong | ULLong => 64,
            I128 | U128 => 128,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, Char | SChar | Short | Int | Long | LLong | I128)
    }

    pub fn is_wide(self) -> bool {
        matches!(self, I128 | U128)
    }

    /// Ways to write the type; the first is the plain one.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Bool => &["_Bool"],
            Char => &["char"],
            SChar => &["signed char", "char signed", "__signed__ char"],
            UChar => &["unsigned char", "char unsigned"],
            Short => &["short", "short int", "signed short", "int short signed"],
            UShort => &["unsigned short", "unsigned short int", "short unsigned"],
            Int => &["int", "signed", "signed int", "int signed"],
            UInt => &["unsigned", "unsigned int", "int unsigned"],
            Long => &["long", "long int", "signed long", "int long"],
            ULong => &["unsigned long", "long unsigned int", "unsigned long int"],
            LLong => &["long long", "long long int", "signed long long", "long int long"],
            ULLong => &["unsigned long long", "long long unsigned int", "long unsigned long"],
            I128 => &["__int128", "signed __int128"],
            U128 => &["unsigned __int128"],
        }
    }
}

/// How many elements an array has: known, or the value of a constant variable (1 to `most`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Len {
    Known(u32),
    Variable { name: String, most: u32 },
}

impl Len {
    pub fn text(&self) -> String {
        match self {
            Len::Known(n) => n.to_string(),
            Len::Variable { name, .. } => name.clone(),
        }
    }

    pub fn most(&self) -> u32 {
        match self {
            Len::Known(n) | Len::Variable { most: n, .. } => *n,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int(Kind),
    Enum(usize),
    Float,
    Double,
    Ptr(Rc<Ty>),
    Array(Rc<Ty>, Len),
    Record(usize),
}

impl Ty {
    pub fn ptr(to: &Ty) -> Ty {
        Ty::Ptr(Rc::new(to.clone()))
    }

    pub fn array(of: &Ty, len: u32) -> Ty {
        Ty::Array(Rc::new(of.clone()), Len::Known(len))
    }

    pub fn is_integer(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Enum(_))
    }

    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Float | Ty::Double)
    }

    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_float()
    }
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: a member record without a name, or (with a width) padding.
    pub name: Option<String>,
    pub ty: Ty,
    pub bits: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Record {
    /// Empty for the type of an anonymous member.
    pub tag: String,
    pub is_union: bool,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: String,
    pub constants: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: String,
    pub ty: Ty,
    /// A variable of the same name hides it.
    pub hidden: bool,
}

/// Everything that was declared about types, all of it at file scope.
#[derive(Clone, Debug, Default)]
pub struct Universe {
    pub enums: Vec<Enum>,
    pub records: Vec<Record>,
    pub typedefs: Vec<Typedef>,
}

impl Universe {
    /// A declaration of `name` (or a type name, if empty) with some spelling of the type.
    pub fn declare(&self, rng: &mut Rng, ty: &Ty, name: &str) -> String {
        if rng.percent(30) {
            let fits = |t: &&Typedef| t.ty == *ty && !t.hidden;
            if let Some(alias) = self.typedefs.iter().find(fits) {
                return joined(&alias.name, name);
            }
        }
        match ty {
            Ty::Int(kind) => {
                let spellings = kind.spellings();
                let at = if rng.percent(60) { 0 } else { rng.below(spellings.len()) };
                joined(spellings[at], name)
            }
            Ty::Enum(e) => joined(&format!("enum {}", self.enums[*e].tag), name),
            Ty::Float => joined("float", name),
            Ty::Double => joined("double", name),
            Ty::Record(r) => joined(&self.record_name(*r), name),
            Ty::Ptr(to) => match **to {
                Ty::Array(..) => self.declare(rng, to, &format!("(*{name})")),
                _ => self.declare(rng, to, &format!("*{name}")),
            },
            Ty::Array(of, len) => self.declare(rng, of, &format!("{name}[{}]", len.text())),
        }
    }

    pub fn record_name(&self, record: usize) -> String {
        let record = &self.records[record];
        format!("{} {}", if record.is_union { "union" } else { "struct" }, record.tag)
    }

    /// The fields a program can name, with those of anonymous members.
    pub fn named_fields(&self, record: usize) -> Vec<&Field> {
        let mut fields = Vec::new();
        for field in &self.records[record].fields {
            match (&field.name, &field.ty) {
                (Some(_), _) => fields.push(field),
                (None, Ty::Record(inner)) => fields.extend(self.named_fields(*inner)),
                (None, _) => {}
            }
        }
        fields
    }

    /// How many integers and floats a value of the type holds.
    pub fn leaves(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Array(of, len) => len.most() * self.leaves(of),
            Ty::Record(r) => self.named_fields(*r).iter().map(|f| self.leaves(&f.ty)).sum(),
            _ => 1,
        }
    }
}

fn joined(base: &str, name: &str) -> String {
    if name.is_empty() { base.to_string() } else { format!("{base} {name}") }
}
