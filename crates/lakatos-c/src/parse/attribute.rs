//! `__attribute__((…))`, `[[…]]`, `_Alignas` and `asm("name")`: read where they may stand. What
//! each means is in `attribute_table`.

use lakatos_ir::{Diagnostic, Span};

use super::Parser;
use super::attribute_table::{Meaning, meaning};
use super::declarator::Declarator;
use crate::ast::{DeclId, DeclKind};
use crate::sema::scope::Entity;
use crate::sema::{Res, error, unsupported};
use crate::symbol::Symbol;
use crate::syntax::literal;
use crate::syntax::options::is_harmless_option;
use crate::syntax::token::{Kw, Tok};
use crate::types::{CTypes, FloatKind, FnType, IntKind, Opaque, Ty, TypeKind};
use crate::types_align::BIGGEST_ALIGNMENT;

/// The attributes that change meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    pub packed: bool,
    /// The strictest alignment: what holds for an object or a member.
    pub align: Option<u64>,
    /// The last alignment of an attribute: what holds for a type.
    pub type_align: Option<u64>,
    pub noreturn: bool,
    pub weak: bool,
    pub mode: Option<Mode>,
    pub vector: Option<Vector>,
    /// `ms_struct` or `gcc_struct`.
    pub microsoft: Option<bool>,
    pub transparent: bool,
    /// `alias("name")`: a function that is defined here under another name for the linker.
    pub alias: Option<(Symbol, Span)>,
    /// `cleanup(function)`.
    pub cleanup: Option<(DeclId, Span)>,
    /// `constructor` with its priority.
    pub constructor: Option<(i128, Span)>,
    /// `destructor` with its priority.
    pub destructor: Option<(i128, Span)>,
    /// The name of an attribute that has no meaning here.
    pub refused: Option<Span>,
}

/// Of constructors that name none.
const LAST_PRIORITY: i128 = 65535;

/// `mode(DI)` and so on: another type of the same class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Of so many bits.
    Integer(u32),
    Float(FloatKind),
    Complex(FloatKind),
}

/// A vector of the type that is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Of so many bytes.
    Bytes(u64),
    /// Of so many elements.
    Elements(u64),
    /// A vector of another kind, or another type that is not plain C.
    Other,
}

impl Attributes {
    /// Takes what later attributes of the same declaration say as well.
    pub fn merge(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.type_align = other.type_align.or(self.type_align);
        self.noreturn |= other.noreturn;
        self.weak |= other.weak;
        self.mode = other.mode.or(self.mode);
        self.vector = other.vector.or(self.vector);
        // Of the two, the first counts.
        self.microsoft = self.microsoft.or(other.microsoft);
        self.transparent |= other.transparent;
        self.alias = self.alias.or(other.alias);
        self.cleanup = self.cleanup.or(other.cleanup);
        self.constructor = self.constructor.or(other.constructor);
        self.destructor = self.destructor.or(other.destructor);
        self.refused = self.refused.or(other.refused);
    }

    /// Something that belongs to a type rather than to a declaration.
    fn changes_type(&self) -> bool {
        self.align.is_some() || self.mode.is_some() || self.vector.is_some() || self.packed
    }
}

impl Parser<'_> {
    /// An attribute list begins here.
    pub fn at_attribute(&self) -> bool {
        self.at_kw(Kw::Attribute) || self.at_standard_attribute()
    }

    /// `[[` begins nothing else in C.
    pub fn at_standard_attribute(&self) -> bool {
        self.at(Tok::LBracket) && self.next.kind == Tok::LBracket
    }

    /// Any number of attributes, `asm` names and `__extension__`s.
    pub fn attributes(&mut self, into: &mut Attributes) -> Res<()> {
        loop {
            match self.tok.kind {
                Tok::Kw(Kw::Attribute) => self.attribute_list(into)?,
                Tok::Kw(Kw::Extension) => {
                    self.advance()?;
                }
                Tok::Kw(Kw::Alignas) => self.alignas(into)?,
                _ if self.at_standard_attribute() => self.standard_attributes(into)?,
                _ => return Ok(()),
            }
        }
    }

    /// Attributes where nothing has a layout: labels, statements, enumerators.
    pub fn plain_attributes(&mut self) -> Res<()> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        self.require_known(&attributes)
    }

    /// Attributes of a type that is a part of a declaration: none may change it.
    pub fn inner_attributes(&mut self, into: &mut Attributes) -> Res<()> {
        let start = self.start();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        if attributes.changes_type() {
            return unsupported(self.since(start), "an attribute in this place of a declaration");
        }
        into.merge(attributes);
        Ok(())
    }

    /// Refuses what has no meaning, where that cannot wait until something uses it.
    pub fn require_known(&self, attributes: &Attributes) -> Res<()> {
        match self.refusal(attributes) {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// What stands against a declaration, as soon as a run may depend on it.
    pub fn refusal(&self, attributes: &Attributes) -> Option<Diagnostic> {
        let span = attributes.refused?;
        let name = plain_name(self.lexer.text(span));
        Some(Diagnostic::unsupported(span, format!("the attribute `{name}`")))
    }

    /// After a declarator: `asm("symbol")` gives the function or object another name for the linker
    /// (`Sema::label`).
    pub fn asm_label(&mut self, declarator: &mut Declarator) -> Res<()> {
        self.attributes(&mut declarator.attributes)?;
        let start = self.start();
        if self.eat_kw(Kw::Asm)? {
            self.expect(Tok::LParen, "after `asm`")?;
            let mut label = String::new();
            while self.at(Tok::Str) {
                let span = self.advance()?.span;
                match literal::string(self.lexer.text(span)) {
                    Ok((_, units)) => label.extend(units.into_iter().filter_map(char::from_u32)),
                    Err(message) => return error(span, message),
                }
            }
            self.expect(Tok::RParen, "after the name for the linker")?;
            let symbol = self.sema.symbols.intern(label.trim_start_matches('*'));
            declarator.label = Some((symbol, self.since(start)));
            self.attributes(&mut declarator.attributes)?;
        }
        Ok(())
    }

    /// Skips to the `)` that closes a `(` already taken.
    pub fn skip_balanced(&mut self) -> Res<()> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.tok.kind {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Eof => return self.unexpected("`)`"),
                _ => {}
            }
            self.advance()?;
        }
        Ok(())
    }

    fn alignas(&mut self, into: &mut Attributes) -> Res<()> {
        self.advance()?;
        self.expect(Tok::LParen, "after `_Alignas`")?;
        let align = if self.at_type_name() {
            let ty = self.type_name()?;
            self.sema.types.align(ty)
        } else {
            self.alignment()?
        };
        into.align = into.align.max(Some(align));
        self.expect(Tok::RParen, "after the alignment")?;
        Ok(())
    }

    /// A constant power of two.
    fn alignment(&mut self) -> Res<u64> {
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        let align = self.sema.require_size(e, span, "an alignment")?;
        if align != 0 && (!align.is_power_of_two() || align > 1 << 28) {
            return error(span, "an alignment must be a (small) power of two");
        }
        Ok(align.max(1))
    }

    /// The argument of an attribute that makes vectors.
    fn vector(&mut self, attribute: &str) -> Res<Vector> {
        let make = match attribute {
            "vector_size" => Vector::Bytes,
            "ext_vector_type" => Vector::Elements,
            _ => return Ok(Vector::Other),
        };
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        Ok(make(self.sema.require_size(e, span, "the size of a vector")?))
    }

    fn attribute_list(&mut self, into: &mut Attributes) -> Res<()> {
        self.advance()?;
        self.expect(Tok::LParen, "after `__attribute__`")?;
        self.expect(Tok::LParen, "after `__attribute__`")?;
        while !self.at(Tok::RParen) {
            if self.at(Tok::Eof) {
                return self.unexpected("`)`");
            }
            if !self.at(Tok::Comma) {
                let name = self.advance()?.span;
                self.attribute(name, into)?;
            }
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::RParen, "after the attributes")?;
        self.expect(Tok::RParen, "after the attributes")?;
        Ok(())
    }

    /// `[[noreturn, gnu::packed]]` (C23 6.7.12).
    fn standard_attributes(&mut self, into: &mut Attributes) -> Res<()> {
        self.advance()?;
        self.advance()?;
        while !self.at(Tok::RBracket) {
            if self.at(Tok::Eof) {
                return self.unexpected("`]`");
            }
            if !self.at(Tok::Comma) {
                let mut name = self.advance()?.span;
                if self.at(Tok::Colon) && self.next.kind == Tok::Colon {
                    let space = plain_name(self.lexer.text(name));
                    self.advance()?;
                    self.advance()?;
                    let whole = Span::new(name.start, self.tok.span.end);
                    name = self.advance()?.span;
                    if !matches!(space, "gnu" | "clang" | "_Clang") {
                        into.refused = into.refused.or(Some(whole));
                        name = Span::new(name.start, name.start);
                    }
                }
                self.attribute(name, into)?;
            }
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::RBracket, "after the attributes")?;
        self.expect(Tok::RBracket, "after the attributes")?;
        Ok(())
    }

    /// One attribute, whose name was taken; an empty name is skipped with its arguments.
    fn attribute(&mut self, span: Span, into: &mut Attributes) -> Res<()> {
        let name = plain_name(self.lexer.text(span));
        let has_args = self.eat(Tok::LParen)?;
        let known = match name.is_empty() {
            true => Some(Meaning::Harmless),
            false => meaning(name),
        };
        let mut refused = false;
        match known {
            Some(Meaning::Harmless) => {}
            Some(Meaning::Aligned) => {
                let align = if has_args { self.alignment()? } else { BIGGEST_ALIGNMENT };
                into.align = into.align.max(Some(align));
                into.type_align = Some(align);
            }
            Some(Meaning::Packed) => into.packed = true,
            Some(Meaning::NoReturn) => into.noreturn = true,
            Some(Meaning::Weak) => into.weak = true,
            Some(Meaning::Vector) if has_args => into.vector = Some(self.vector(name)?),
            Some(Meaning::Vector) => into.vector = Some(Vector::Other),
            Some(Meaning::Microsoft(on)) => into.microsoft = into.microsoft.or(Some(on)),
            Some(Meaning::TransparentUnion) => into.transparent = true,
            Some(Meaning::Mode) => {
                into.mode = if has_args { self.mode() } else { None };
                refused = into.mode.is_none();
            }
            Some(Meaning::Alias) if has_args => match &self.words()?[..] {
                [name] => into.alias = Some((self.sema.symbols.intern(name), span)),
                _ => refused = true,
            },
            Some(Meaning::Alias) => refused = true,
            Some(Meaning::Cleanup) => {
                into.cleanup = self.cleanup().map(|function| (function, span));
                refused = into.cleanup.is_none();
            }
            Some(Meaning::Constructor) => {
                into.constructor = Some((self.priority(has_args)?, span));
            }
            Some(Meaning::Destructor) => {
                into.destructor = Some((self.priority(has_args)?, span));
            }
            Some(Meaning::Copy) => refused = !(has_args && self.copies_function(into)),
            Some(Meaning::StorageOrder) => {
                refused = !(has_args && self.words()?.iter().all(|word| word == "little-endian"));
            }
            Some(Meaning::Options) => {
                refused = has_args && !self.words()?.iter().all(|word| is_harmless_option(word));
            }
            Some(Meaning::Section) if has_args => self.section()?,
            Some(Meaning::Section | Meaning::Unsupported) | None => refused = true,
        }
        if refused {
            into.refused = into.refused.or(Some(span));
        }
        if has_args {
            self.skip_balanced()?;
        }
        Ok(())
    }

    /// The strings up to the closing parenthesis, adjacent ones joined, without their escapes.
    fn words(&mut self) -> Res<Vec<String>> {
        let mut words = Vec::new();
        let mut joins = false;
        while !self.at(Tok::RParen) && !self.at(Tok::Eof) {
            let span = self.tok.span;
            let text = self.lexer.text(span);
            match self.tok.kind {
                Tok::Str => {
                    let units = literal::string(text).map_err(|m| Diagnostic::error(span, m))?.1;
                    let chars = units.iter().map(|&u| char::from_u32(u).unwrap_or('\u{fffd}'));
                    match words.last_mut() {
                        Some(word) if joins => String::extend(word, chars),
                        _ => words.push(chars.collect()),
                    }
                }
                Tok::Comma => {}
                _ => words.push(text.to_owned()),
            }
            joins = self.at(Tok::Str);
            self.advance()?;
        }
        Ok(words)
    }

    /// Of what the linker puts together, functions are called before `main`, or after it.
    fn section(&mut self) -> Res<()> {
        let span = self.tok.span;
        let name = self.words()?.concat();
        let runs = [".init", ".fini", ".preinit_array", ".ctors", ".dtors", "__libc_"];
        if runs.iter().any(|table| name.starts_with(table)) {
            return unsupported(span, format!("the section `{name}`: it runs at start or end"));
        }
        // The assembler reads the name as text.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '$' | '/');
        if !name.chars().all(plain) {
            return unsupported(span, format!("the section `{}`", name.escape_default()));
        }
        Ok(())
    }

    /// `copy(function)`: all but what concerns the symbol. Of other things nothing is copied.
    fn copies_function(&self, into: &mut Attributes) -> bool {
        let Tok::Ident(name) = self.tok.kind else { return false };
        let Some(Entity::Decl(decl)) = self.sema.names.lookup(name).map(|b| b.entity) else {
            return false;
        };
        match &self.sema.decls[decl].kind {
            DeclKind::Function(function) if self.next.kind == Tok::RParen => {
                into.noreturn |= function.noreturn;
                !self.sema.unsupported.iter().any(|&(id, _)| id == decl)
            }
            DeclKind::Function(_) | DeclKind::Object(_) => false,
        }
    }

    /// The function that `cleanup` names.
    fn cleanup(&self) -> Option<DeclId> {
        let Tok::Ident(name) = self.tok.kind else { return None };
        let Some(Entity::Decl(decl)) = self.sema.names.lookup(name).map(|b| b.entity) else {
            return None;
        };
        matches!(self.sema.decls[decl].kind, DeclKind::Function(_)).then_some(decl)
    }

    /// Of a constructor: without a number it comes after those with one.
    fn priority(&mut self, is_given: bool) -> Res<i128> {
        if !is_given || self.at(Tok::RParen) {
            return Ok(LAST_PRIORITY);
        }
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        match self.sema.constant_int(e) {
            Some(priority @ 0..=LAST_PRIORITY) => Ok(priority),
            _ => error(span, "a priority is a number from 0 to 65535"),
        }
    }

    fn mode(&self) -> Option<Mode> {
        let pointer = self.sema.types.model.pointer_bits();
        Some(match plain_name(self.lexer.text(self.tok.span)) {
            "QI" | "byte" => Mode::Integer(8),
            "HI" => Mode::Integer(16),
            "SI" => Mode::Integer(32),
            "DI" => Mode::Integer(64),
            "TI" if pointer == 64 => Mode::Integer(128),
            "word" | "pointer" | "unwind_word" => Mode::Integer(pointer.into()),
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "TF" => Mode::Float(FloatKind::Float128),
            "SC" => Mode::Complex(FloatKind::Float),
            "DC" => Mode::Complex(FloatKind::Double),
            "XC" => Mode::Complex(FloatKind::LongDouble),
            "TC" => Mode::Complex(FloatKind::Float128),
            _ => return None,
        })
    }

    /// The type of what is declared, with what its attributes say of the type.
    pub fn attributed(&mut self, ty: Ty, attributes: &Attributes, span: Span) -> Res<Ty> {
        let ty = match attributes.mode {
            Some(mode) => self.with_mode(ty, mode, span)?,
            None => ty,
        };
        match attributes.vector {
            Some(vector) => self.vector_of(ty, vector, span),
            None => Ok(ty),
        }
    }

    /// Of a pointer, an array or a function what it points to, holds or gives is a vector.
    fn vector_of(&mut self, element: Ty, vector: Vector, span: Span) -> Res<Ty> {
        let quals = self.sema.types.quals(element);
        if let TypeKind::Pointer(inner) = self.sema.types.kind(element) {
            let inner = self.vector_of(inner, vector, span)?;
            return Ok(self.sema.types.intern_qualified(TypeKind::Pointer(inner), quals));
        }
        if let TypeKind::Array(inner, len) = self.sema.types.kind(element) {
            let inner = self.vector_of(inner, vector, span)?;
            return Ok(self.sema.types.intern_qualified(TypeKind::Array(inner, len), quals));
        }
        if let Some(function) = self.sema.types.function_of(element).cloned() {
            let result = self.vector_of(function.result, vector, span)?;
            return Ok(self.sema.types.function(FnType { result, ..function }));
        }
        let types = &mut self.sema.types;
        let is_number = types.is_arithmetic(element)
            || matches!(types.kind(element), TypeKind::Opaque(Opaque::Float16 | Opaque::BFloat16));
        let size = types.size(element).filter(|_| is_number);
        let bytes = match (vector, size) {
            (Vector::Bytes(bytes), Some(size)) if bytes % size == 0 => Some(bytes),
            (Vector::Elements(count), Some(size)) => {
                count.checked_mul(size).and_then(u64::checked_next_power_of_two)
            }
            (Vector::Bytes(_) | Vector::Elements(_) | Vector::Other, _) => None,
        };
        let is_vector = |bytes: &u64| bytes.is_power_of_two() && *bytes <= 1 << 20;
        let Some(bytes) = bytes.filter(is_vector) else { return unsupported(span, "vector types") };
        let quals = types.quals(element);
        let element = types.unqualified(element);
        let opaque = TypeKind::Opaque(Opaque::Vector { element, bytes });
        Ok(types.intern_qualified(opaque, quals))
    }

    fn with_mode(&mut self, ty: Ty, mode: Mode, span: Span) -> Res<Ty> {
        let quals = self.sema.types.quals(ty);
        let types = &mut self.sema.types;
        let new = match (mode, types.kind(ty), types.int_type(ty)) {
            (Mode::Integer(_), TypeKind::Int(IntKind::Bool), _) => None,
            (Mode::Integer(bits), _, Some(int)) => integer_of_mode(types, bits, int.signed),
            (Mode::Integer(bits), TypeKind::Pointer(_), _) => {
                (bits == u32::from(types.model.pointer_bits())).then_some(ty)
            }
            (Mode::Float(kind), TypeKind::Float(_), _) => Some(types.float_ty(kind)),
            (Mode::Complex(kind), TypeKind::Complex(_), _) => {
                Some(types.intern(TypeKind::Complex(kind)))
            }
            _ => None,
        };
        match new {
            Some(new) => Ok(types.qualify(new, quals)),
            None => {
                error(span, format!("this mode does not fit the type `{}`", self.sema.show(ty)))
            }
        }
    }
}

/// The integer type that GCC finds first for a width.
fn integer_of_mode(types: &CTypes, bits: u32, signed: bool) -> Option<Ty> {
    use IntKind::*;
    let candidates = [Int, SChar, Short, Long, LongLong, Int128];
    let fits = |kind: &IntKind| u32::from(kind.int_type(types.model).bits) == bits;
    let kind = candidates.into_iter().find(fits)?;
    Some(CTypes::int_ty(if signed { kind } else { kind.to_unsigned() }))
}

/// `__packed__` is `packed`.
fn plain_name(text: &str) -> &str {
    match text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")) {
        Some(name) if !name.is_empty() => name,
        _ => text,
    }
}
