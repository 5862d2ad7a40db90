//! Types, and declarations of variables with them.

use lakatos_c::types::{FloatKind, IntKind};

use super::{Parser, Res, unsupported};
use crate::lexer::Tok;
use crate::syntax::{Name, Spanned, TypeExpr, TypeKind, Variable};

const C_WORDS: [&str; 19] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "float",
    "double",
    "_Bool",
    "const",
    "volatile",
    "struct",
    "union",
    "enum",
    "__int128",
    "_Float128",
    "__float128",
    "_Complex",
];

/// Words that no variable can have as its name.
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(word, "integer" | "real" | "boolean" | "sizeof") || C_WORDS.contains(&word)
}

/// The words of a basic type of C, in any order.
#[derive(Default)]
struct Words {
    base: Option<&'static str>,
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u8,
}

/// A declarator: the name in it, and the type around it.
struct Declarator {
    name: Option<Name>,
    /// From the inside: what the name is first of all.
    parts: Vec<Part>,
}

enum Part {
    Pointer,
    Array(Option<String>),
}

impl Parser<'_> {
    /// Whether a type begins `by` tokens ahead.
    pub(super) fn at_type(&self, by: usize) -> bool {
        self.word_ahead(by).is_some_and(|word| {
            (is_type_word(word) && word != "sizeof") || self.words.is_type(word)
        })
    }

    /// A type as it stands in a cast: no name, perhaps `*` and `[3]`.
    pub(super) fn type_name(&mut self) -> Res<TypeExpr> {
        let start = self.start();
        let base = self.base_type()?;
        let declarator = self.declarator()?;
        let ty = self.derived(base, declarator.parts, start);
        match declarator.name {
            None => Ok(ty),
            Some(name) => super::error(name.span, "a type has no name here"),
        }
    }

    /// `int *p`: a type with a name.
    pub(super) fn variable(&mut self) -> Res<Variable> {
        let base = self.base_type()?;
        self.variable_of(&base)
    }

    /// The declarator of one variable whose basic type is known.
    pub(super) fn variable_of(&mut self, base: &TypeExpr) -> Res<Variable> {
        let (name, ty) = self.declared(base)?;
        match name {
            Some(name) => Ok(Variable { ty, name }),
            None => self.unexpected("the name of a variable"),
        }
    }

    /// The same for a parameter, which gets a name if it has none.
    pub(super) fn parameter_of(
        &mut self,
        base: &TypeExpr,
        default: impl FnOnce() -> String,
    ) -> Res<Variable> {
        let (name, ty) = self.declared(base)?;
        let name = name.unwrap_or_else(|| Spanned::new(default(), base.span));
        Ok(Variable { ty, name })
    }

    fn declared(&mut self, base: &TypeExpr) -> Res<(Option<Name>, TypeExpr)> {
        let start = self.start();
        let declarator = self.declarator()?;
        let ty = self.derived(base.clone(), declarator.parts, start);
        Ok((declarator.name, Spanned::new(ty.node, base.span)))
    }

    /// `integer i, j, int *p`: a type may be left out where it is the one before.
    pub(super) fn binders(&mut self) -> Res<Vec<Variable>> {
        if !self.at_type(0) {
            return self.unexpected("the type of a variable");
        }
        let mut base = self.base_type()?;
        let mut variables = vec![self.variable_of(&base)?];
        while self.eat(",") {
            if self.at_type(0) {
                base = self.base_type()?;
            }
            variables.push(self.variable_of(&base)?);
        }
        Ok(variables)
    }

    pub(super) fn base_type(&mut self) -> Res<TypeExpr> {
        let start = self.start();
        while self.eat_word("const") {}
        let kind = match self.word() {
            Some("integer") => self.take(TypeKind::Integer),
            Some("real") => self.take(TypeKind::Real),
            Some("boolean") => self.take(TypeKind::Boolean),
            Some("struct") => TypeKind::Struct(self.tag()?),
            Some("union") => TypeKind::Union(self.tag()?),
            Some("enum") => TypeKind::Enum(self.tag()?),
            Some(word) if is_type_word(word) => self.basic()?,
            Some(word) if self.words.is_type(word) => {
                let name = word.to_owned();
                self.take(TypeKind::Name(name))
            }
            Some(word) if self.is_left_out(word) => {
                let construct = format!("the type `{word}`, whose declaration is not supported");
                return unsupported(self.tok().span, construct);
            }
            Some(_) if *self.ahead(1) == Tok::Sign("<") => {
                return unsupported(self.tok().span, "types with parameters");
            }
            Some(word) => {
                let message = format!("`{word}` is not a type");
                return super::error(self.tok().span, message);
            }
            None => return self.unexpected("a type"),
        };
        while self.eat_word("const") {}
        if self.at("<") {
            return unsupported(self.tok().span, "types with parameters");
        }
        Ok(Spanned::new(kind, self.since(start)))
    }

    fn is_left_out(&self, word: &str) -> bool {
        self.words.is_left_out(word) || self.left_out.iter().any(|w| w == word)
    }

    fn take(&mut self, kind: TypeKind) -> TypeKind {
        self.advance();
        kind
    }

    fn tag(&mut self) -> Res<String> {
        self.advance();
        Ok(self.name("a tag")?.node)
    }

    fn basic(&mut self) -> Res<TypeKind> {
        let start = self.start();
        let mut words = Words::default();
        while let Some(word) = self.word() {
            let known = match word {
                "signed" => std::mem::replace(&mut words.signed, true),
                "unsigned" => std::mem::replace(&mut words.unsigned, true),
                "short" => std::mem::replace(&mut words.short, true),
                "long" => {
                    words.long += 1;
                    words.long > 2
                }
                "const" => false,
                "volatile" | "_Complex" => {
                    return unsupported(self.tok().span, format!("`{word}` in a type"));
                }
                "struct" | "union" | "enum" | "integer" | "real" | "boolean" | "sizeof" => break,
                _ => match C_WORDS.into_iter().find(|w| *w == word) {
                    Some(base) => words.base.replace(base).is_some(),
                    None => break,
                },
            };
            self.advance();
            if known {
                return super::error(self.since(start), "this combination of words is no type");
            }
        }
        match words.kind() {
            Some(kind) => Ok(kind),
            None => super::error(self.since(start), "this combination of words is no type"),
        }
    }

    /// Pointers, a name, and lengths of arrays.
    fn declarator(&mut self) -> Res<Declarator> {
        self.nested(|p| {
            if p.eat("*") {
                while p.eat_word("const") {}
                let mut inner = p.declarator()?;
                inner.parts.push(Part::Pointer);
                return Ok(inner);
            }
            p.direct_declarator()
        })
    }

    fn direct_declarator(&mut self) -> Res<Declarator> {
        let mut declarator = Declarator { name: None, parts: Vec::new() };
        match self.tok().kind {
            // `(*p)[3]`; of a function pointer's parameters nothing is known here.
            Tok::Sign("(") if matches!(self.ahead(1), Tok::Sign("*" | "(")) => {
                self.advance();
                declarator = self.declarator()?;
                self.expect(")", "after the declarator")?;
                if self.at("(") {
                    return unsupported(self.tok().span, "pointers to functions");
                }
            }
            Tok::Word(_) if !self.at_type(0) => {
                declarator.name = Some(self.name("the name of a variable")?);
            }
            _ => {}
        }
        let mut lengths = Vec::new();
        while self.eat("[") {
            let length = match &self.tok().kind {
                Tok::Number(text) => Some(text.clone()),
                _ => None,
            };
            if length.is_some() {
                self.advance();
            }
            self.expect("]", "after the length, which is a number")?;
            lengths.push(Part::Array(length));
            if lengths.len() as u32 > crate::MAX_DEPTH {
                return super::too_deep(self.tok().span);
            }
        }
        declarator.parts.extend(lengths);
        Ok(declarator)
    }

    fn derived(&self, base: TypeExpr, parts: Vec<Part>, start: u32) -> TypeExpr {
        let span = self.since(start.min(base.span.start));
        parts.into_iter().rev().fold(base, |ty, part| {
            let kind = match part {
                Part::Pointer => TypeKind::Pointer(ty.into()),
                Part::Array(length) => TypeKind::Array(ty.into(), length),
            };
            Spanned::new(kind, span)
        })
    }
}

impl Words {
    fn kind(&self) -> Option<TypeKind> {
        if (self.signed && self.unsigned) || (self.short && self.long > 0) {
            return None;
        }
        let plain = !self.signed && !self.unsigned && !self.short;
        let float = |kind| Some(TypeKind::Float(kind));
        let kind = match (self.base, self.long) {
            (Some("void"), 0) if plain => return Some(TypeKind::Void),
            (Some("float"), 0) if plain => return float(FloatKind::Float),
            (Some("double"), 0) if plain => return float(FloatKind::Double),
            (Some("double"), 1) if plain => return float(FloatKind::LongDouble),
            (Some("_Float128" | "__float128"), 0) if plain => return float(FloatKind::Float128),
            (Some("_Bool"), 0) if plain => IntKind::Bool,
            (Some("char"), 0) if self.signed => IntKind::SChar,
            (Some("char"), 0) if !self.short => IntKind::Char,
            (Some("__int128"), 0) if !self.short => IntKind::Int128,
            (None | Some("int"), 0) if self.short => IntKind::Short,
            (None, 0) if plain => return None,
            (None | Some("int"), 0) => IntKind::Int,
            (None | Some("int"), 1) => IntKind::Long,
            (None | Some("int"), 2) => IntKind::LongLong,
            _ => return None,
        };
        Some(TypeKind::Int(if self.unsigned { kind.to_unsigned() } else { kind }))
    }
}
