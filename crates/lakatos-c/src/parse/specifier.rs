//! Declaration specifiers (C11 6.7.1–6.7.5): storage, basic types, records, enums, `typeof`.

use lakatos_ir::{DataModel, Diagnostic, RecordKind, Span};

use super::Parser;
use super::attribute::Attributes;
use crate::sema::declare::StorageClass;
use crate::sema::layout::{Limits, Member};
use crate::sema::scope::{Entity, Tag};
use crate::sema::{Res, error, unsupported};
use crate::symbol::Symbol;
use crate::syntax::token::{Kw, Tok};
use crate::types::{
    ArrayLen, CEnum, CRecord, CTypes, EnumId, FloatKind, IntKind, Opaque, Quals, RecordId, Ty,
    TypeKind,
};

/// Structures inside of structures. Types are walked on smaller stacks than the front-end's.
const MAX_RECORD_DEPTH: u32 = 1000;

/// What the specifiers of a declaration say.
#[derive(Clone, Copy, Debug)]
pub struct Specs {
    pub ty: Ty,
    pub class: Option<StorageClass>,
    pub register: bool,
    pub attributes: Attributes,
    /// `__auto_type`: the type comes from the initialiser.
    pub auto_type: bool,
    pub constexpr: bool,
    /// There was a type at all (otherwise it is C89's `int`).
    pub explicit_type: bool,
}

/// Basic type keywords counted, to be combined at the end.
#[derive(Clone, Copy, Debug, Default)]
struct Basic {
    base: Option<Base>,
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u8,
    complex: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Void,
    Bool,
    Char,
    Int,
    Int128,
    UInt128,
    Float,
    Double,
    Float128,
    VaList,
    Opaque(Opaque),
}

impl Basic {
    fn any(&self) -> bool {
        self.base.is_some()
            || self.signed
            || self.unsigned
            || self.short
            || self.long > 0
            || self.complex
    }
}

impl Parser<'_> {
    /// Does a declaration, or a type name, begin here?
    pub fn at_type_name(&self) -> bool {
        self.starts_type(self.tok.kind) || self.at_standard_attribute()
    }

    pub fn starts_type(&self, tok: Tok) -> bool {
        use Kw::*;
        match tok {
            Tok::Ident(symbol) => self.typedef(symbol).is_some() || self.is_constexpr(symbol),
            Tok::Kw(kw) => matches!(
                kw,
                Alignas
                    | Atomic
                    | Attribute
                    | Auto
                    | AutoType
                    | BFloat16
                    | BitInt
                    | Bool
                    | BuiltinVaList
                    | Char
                    | Complex
                    | Const
                    | Decimal32
                    | Decimal64
                    | Decimal128
                    | Double
                    | Enum
                    | Extension
                    | Extern
                    | Float
                    | Float16
                    | Float64
                    | Float128
                    | Inline
                    | Int
                    | Int128
                    | UInt128
                    | Long
                    | Noreturn
                    | Register
                    | Restrict
                    | Short
                    | Signed
                    | Static
                    | Struct
                    | ThreadLocal
                    | Typedef
                    | Typeof
                    | Union
                    | Unsigned
                    | Void
                    | Volatile
            ),
            _ => false,
        }
    }

    /// C23 6.7.2, where the program has no `constexpr` of its own.
    fn is_constexpr(&self, symbol: Symbol) -> bool {
        self.sema.name(symbol) == "constexpr" && self.sema.names.lookup(symbol).is_none()
    }

    fn typedef(&self, symbol: Symbol) -> Option<Ty> {
        match self.sema.names.lookup(symbol).map(|binding| binding.entity) {
            Some(Entity::Typedef(ty)) => Some(ty),
            Some(_) => None,
            // C23 6.2.5, where the program has no `bool` of its own.
            None => (self.sema.name(symbol) == "bool").then(|| CTypes::int_ty(IntKind::Bool)),
        }
    }

    pub fn specifiers(&mut self) -> Res<Specs> {
        self.specifiers_after(Attributes::default())
    }

    /// The specifiers of a declaration whose first attributes have been read.
    pub fn specifiers_after(&mut self, attributes: Attributes) -> Res<Specs> {
        let start = self.start();
        let mut specs = Specs {
            ty: self.sema.types.int,
            class: None,
            register: false,
            attributes,
            auto_type: false,
            constexpr: false,
            explicit_type: true,
        };
        let (mut basic, mut quals, mut named) = (Basic::default(), Quals::NONE, None);
        loop {
            let token = self.tok;
            match token.kind {
                Tok::Ident(symbol)
                    if self.is_constexpr(symbol)
                        && matches!(self.next.kind, Tok::Ident(_) | Tok::Kw(_)) =>
                {
                    specs.constexpr = true;
                    quals.is_const = true;
                    self.advance()?;
                }
                Tok::Ident(symbol) if named.is_none() && !basic.any() && !specs.auto_type => {
                    let Some(ty) = self.typedef(symbol) else { break };
                    self.advance()?;
                    named = Some(ty);
                }
                Tok::Kw(kw) => {
                    if self.storage_or_qualifier(kw, &mut specs, &mut quals)? {
                        continue;
                    }
                    if let Some(ty) = self.compound_specifier(kw, &mut specs)? {
                        self.require_first(named.is_some() || basic.any(), token.span)?;
                        named = Some(ty);
                    } else if !self.basic_specifier(kw, &mut basic, named.is_some())? {
                        break;
                    }
                }
                _ if self.at_standard_attribute() && !began(&specs, named, &basic, quals) => {
                    self.attributes(&mut specs.attributes)?;
                }
                // Behind a specifier it belongs to the type, in this declaration only.
                _ if self.at_standard_attribute() => {
                    self.inner_attributes(&mut specs.attributes)?;
                }
                _ => break,
            }
        }
        specs.explicit_type = named.is_some() || basic.any() || specs.auto_type;
        let ty = match named {
            Some(ty) => ty,
            None => self.basic_type(basic, start)?,
        };
        specs.ty = self.sema.types.qualify(ty, quals);
        Ok(specs)
    }

    fn require_first(&self, taken: bool, span: Span) -> Res<()> {
        if taken { error(span, "two types in one declaration") } else { Ok(()) }
    }

    /// Storage classes, qualifiers, function specifiers, attributes.
    fn storage_or_qualifier(&mut self, kw: Kw, specs: &mut Specs, quals: &mut Quals) -> Res<bool> {
        let class = match kw {
            Kw::Typedef => Some(StorageClass::Typedef),
            Kw::Extern => Some(StorageClass::Extern),
            Kw::Static => Some(StorageClass::Static),
            Kw::Auto | Kw::Register => Some(StorageClass::Auto),
            _ => None,
        };
        if let Some(class) = class {
            if specs.class.is_some_and(|old| old != class) {
                return error(self.tok.span, "two storage classes in one declaration");
            }
            specs.class = Some(class);
            specs.register |= kw == Kw::Register;
            self.advance()?;
            return Ok(true);
        }
        match kw {
            Kw::Const => quals.is_const = true,
            Kw::Volatile => quals.is_volatile = true,
            Kw::Restrict | Kw::Inline | Kw::ThreadLocal => {}
            Kw::Noreturn => specs.attributes.noreturn = true,
            Kw::Atomic if self.next.kind != Tok::LParen => quals.is_atomic = true,
            Kw::Attribute | Kw::Extension | Kw::Alignas => {
                self.attributes(&mut specs.attributes)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.advance()?;
        Ok(true)
    }

    /// `_Atomic(type)`.
    fn atomic_type(&mut self) -> Res<Ty> {
        self.advance()?;
        self.expect(Tok::LParen, "after `_Atomic`")?;
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "after the type")?;
        Ok(self.sema.types.qualify(ty, Quals { is_atomic: true, ..Quals::NONE }))
    }

    /// `struct`, `union`, `enum`, `typeof`, `_Atomic(…)`, `__auto_type`.
    fn compound_specifier(&mut self, kw: Kw, specs: &mut Specs) -> Res<Option<Ty>> {
        Ok(Some(match kw {
            Kw::Struct => self.nested_to(MAX_RECORD_DEPTH, |p| p.record(RecordKind::Struct))?,
            Kw::Union => self.nested_to(MAX_RECORD_DEPTH, |p| p.record(RecordKind::Union))?,
            Kw::Enum => self.enumeration()?,
            Kw::Typeof => self.nested(Self::type_of)?,
            Kw::Atomic => self.nested(Self::atomic_type)?,
            Kw::AutoType => {
                self.advance()?;
                specs.auto_type = true;
                self.sema.types.int
            }
            _ => return Ok(None),
        }))
    }

    fn basic_specifier(&mut self, kw: Kw, basic: &mut Basic, named: bool) -> Res<bool> {
        let base = match kw {
            Kw::Void => Some(Base::Void),
            Kw::Bool => Some(Base::Bool),
            Kw::Char => Some(Base::Char),
            Kw::Int => Some(Base::Int),
            Kw::Int128 => Some(Base::Int128),
            Kw::UInt128 => Some(Base::UInt128),
            Kw::Float => Some(Base::Float),
            Kw::Double | Kw::Float64 => Some(Base::Double),
            Kw::Float128 => Some(Base::Float128),
            Kw::BuiltinVaList => Some(Base::VaList),
            Kw::Float16 => Some(Base::Opaque(Opaque::Float16)),
            Kw::BFloat16 => Some(Base::Opaque(Opaque::BFloat16)),
            Kw::Decimal32 => Some(Base::Opaque(Opaque::Decimal { bytes: 4 })),
            Kw::Decimal64 => Some(Base::Opaque(Opaque::Decimal { bytes: 8 })),
            Kw::Decimal128 => Some(Base::Opaque(Opaque::Decimal { bytes: 16 })),
            Kw::BitInt => return self.bit_int(basic, named),
            _ => None,
        };
        match (base, kw) {
            (Some(base), _) => {
                self.require_first(basic.base.is_some(), self.tok.span)?;
                basic.base = Some(base);
            }
            (_, Kw::Signed) => basic.signed = true,
            (_, Kw::Unsigned) => basic.unsigned = true,
            (_, Kw::Short) => basic.short = true,
            (_, Kw::Long) => basic.long += 1,
            (_, Kw::Complex) => basic.complex = true,
            _ => return Ok(false),
        }
        self.require_first(named, self.tok.span)?;
        self.advance()?;
        Ok(true)
    }

    /// `_BitInt(N)`.
    fn bit_int(&mut self, basic: &mut Basic, named: bool) -> Res<bool> {
        let start = self.start();
        self.require_first(named || basic.base.is_some(), self.tok.span)?;
        self.advance()?;
        self.expect(Tok::LParen, "after `_BitInt`")?;
        let e = self.conditional()?;
        let bits = self.sema.require_size(e, self.sema.exprs[e].span, "the width of `_BitInt`")?;
        self.expect(Tok::RParen, "after the width")?;
        match bits {
            1..=65_535 => {
                basic.base = Some(Base::Opaque(Opaque::BitInt { bits, unsigned: false }));
                Ok(true)
            }
            _ => error(self.since(start), "the width of `_BitInt` is a number from 1 to 65535"),
        }
    }

    fn basic_type(&mut self, basic: Basic, start: u32) -> Res<Ty> {
        use IntKind::*;
        let types = &mut self.sema.types;
        let plain = !basic.signed && !basic.unsigned && !basic.short && basic.long == 0;
        let kind = match (basic.base, basic.short, basic.long) {
            (Some(Base::Void), ..) if plain && !basic.complex => return Ok(types.void),
            (Some(Base::VaList), ..) if plain => {
                let list = types.intern(TypeKind::VaList);
                // System V ABI: an array of one element, which a function gets a pointer to, or (i386)
                // a pointer.
                return Ok(match types.model {
                    DataModel::Lp64 => types.intern(TypeKind::Array(list, ArrayLen::Fixed(1))),
                    DataModel::Ilp32 => list,
                });
            }
            (Some(Base::Opaque(Opaque::BitInt { bits, .. })), false, 0) => {
                if let Some(kind) = types.bit_precise(bits, basic.unsigned) {
                    return Ok(CTypes::int_ty(kind));
                }
                let opaque = Opaque::BitInt { bits, unsigned: basic.unsigned };
                return Ok(types.intern(TypeKind::Opaque(opaque)));
            }
            (Some(Base::Opaque(opaque)), ..) if plain => {
                return Ok(types.intern(TypeKind::Opaque(opaque)));
            }
            (Some(Base::Bool), ..) if plain => Bool,
            (Some(Base::Float), ..) if plain => return Ok(self.float(FloatKind::Float, basic)),
            (Some(Base::Float128), ..) if plain => {
                return Ok(self.float(FloatKind::Float128, basic));
            }
            (Some(Base::Double), false, 0) if plain => {
                return Ok(self.float(FloatKind::Double, basic));
            }
            (None, false, 0) if plain && basic.complex => {
                return Ok(self.float(FloatKind::Double, basic));
            }
            (Some(Base::Double), false, 1) if !basic.signed && !basic.unsigned => {
                return Ok(self.float(FloatKind::LongDouble, basic));
            }
            (Some(Base::Char), false, 0) if basic.signed => SChar,
            (Some(Base::Char), false, 0) => Char,
            (None | Some(Base::Int), true, 0) => Short,
            (None | Some(Base::Int), false, 0) => Int,
            (None | Some(Base::Int), false, 1) => Long,
            (None | Some(Base::Int), false, 2) => LongLong,
            (Some(Base::Int128), false, 0) => Int128,
            (Some(Base::UInt128), false, 0) if plain => UInt128,
            _ => return error(self.since(start), "these words do not make a type together"),
        };
        if basic.signed && basic.unsigned {
            return error(self.since(start), "`signed` and `unsigned` together");
        }
        if basic.complex {
            return unsupported(self.since(start), "complex integers");
        }
        Ok(CTypes::int_ty(if basic.unsigned { kind.to_unsigned() } else { kind }))
    }

    fn float(&mut self, kind: FloatKind, basic: Basic) -> Ty {
        match basic.complex {
            true => self.sema.types.intern(TypeKind::Complex(kind)),
            false => self.sema.types.float_ty(kind),
        }
    }

    fn type_of(&mut self) -> Res<Ty> {
        self.advance()?;
        self.expect(Tok::LParen, "after `typeof`")?;
        let ty = if self.at_type_name() {
            self.type_name()?
        } else {
            let e = self.expression()?;
            let ty = self.sema.ty(e);
            self.sema.require_own_type(e)?;
            if self.sema.types.is_variably_sized(ty) && self.sema.has_side_effect(e) {
                let span = self.sema.exprs[e].span;
                return unsupported(span, "`typeof` of a variable-length array with side effects");
            }
            // GCC: of an atomic object, all qualifiers go.
            match self.sema.types.quals(ty).is_atomic {
                true => self.sema.types.unqualified(ty),
                false => ty,
            }
        };
        self.expect(Tok::RParen, "after the operand of `typeof`")?;
        Ok(ty)
    }

    fn record(&mut self, kind: RecordKind) -> Res<Ty> {
        self.advance()?;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = match self.tok.kind {
            Tok::Ident(symbol) => Some((symbol, self.advance()?.span)),
            _ => None,
        };
        // Attributes behind a tag belong to what is declared.
        let defines = self.at(Tok::LBrace);
        if tag.is_none() && !defines {
            return self.unexpected("a tag or `{`");
        }
        let id = self.record_id(kind, tag, defines)?;
        if defines {
            let start = self.start();
            self.advance()?;
            let members = self.members()?;
            let brace = self.expect(Tok::RBrace, "after the members")?.span;
            if self.at_kw(Kw::Attribute) {
                self.attributes(&mut attributes)?;
            }
            self.require_known(&attributes)?;
            if attributes.vector.is_some() || attributes.mode.is_some() {
                return unsupported(self.since(start), "this attribute of a record");
            }
            let limits = Limits {
                packed: attributes.packed,
                pack: self.lexer.pack_at(brace.start),
                align: attributes.type_align,
                microsoft: attributes.microsoft == Some(true),
                transparent: attributes.transparent,
            };
            let span = self.since(start);
            self.sema.complete_record(id, members, limits, span)?;
        }
        Ok(self.sema.types.intern(TypeKind::Record(id)))
    }

    /// The record a tag means here: a new one if it is defined, or not known yet (6.7.2.3).
    fn record_id(
        &mut self,
        kind: RecordKind,
        tag: Option<(Symbol, Span)>,
        defines: bool,
    ) -> Res<RecordId> {
        let declares = defines || self.at(Tok::Semi);
        if let Some((symbol, span)) = tag {
            let known = match declares {
                true => self.sema.tags.lookup_here(symbol),
                false => self.sema.tags.lookup(symbol),
            };
            match known.copied().map(|b| (b.entity, b.span)) {
                Some((Tag::Record(id), previous)) if self.sema.types.records[id].kind == kind => {
                    if defines && self.sema.types.records[id].complete {
                        return self.redefinition(symbol, span, previous);
                    }
                    return Ok(id);
                }
                Some((_, previous)) => return self.redefinition(symbol, span, previous),
                None => {}
            }
        }
        let span = tag.map_or(self.tok.span, |(_, span)| span);
        let id = self.sema.types.records.push(CRecord {
            kind,
            tag: tag.map(|(symbol, _)| symbol),
            fields: Vec::new(),
            complete: false,
            size: 0,
            align: 1,
            user_align: false,
            flexible_by_zero: false,
            transparent: false,
            span,
        });
        if let Some((symbol, span)) = tag {
            self.sema.tags.declare(symbol, Tag::Record(id), span);
        }
        Ok(id)
    }

    fn redefinition<T>(&self, symbol: Symbol, span: Span, previous: Span) -> Res<T> {
        let message = format!("another definition of the tag `{}`", self.sema.name(symbol));
        Err(Diagnostic::error(span, message).note(previous, "the first one is here").into())
    }

    fn members(&mut self) -> Res<Vec<Member>> {
        let mut members: Vec<Member> = Vec::new();
        let mut names = rustc_hash::FxHashMap::default();
        while !self.at(Tok::RBrace) {
            if self.eat(Tok::Semi)? {
                continue;
            }
            if self.at_kw(Kw::StaticAssert) {
                self.static_assert()?;
                continue;
            }
            if !self.at_type_name() {
                return self.unexpected("a member or `}`");
            }
            let from = members.len();
            self.member_declaration(&mut members)?;
            for member in &members[from..] {
                let Some(name) = member.name else { continue };
                if let Some(previous) = names.insert(name, member.span) {
                    let message = format!("a second member `{}`", self.sema.name(name));
                    let d = Diagnostic::error(member.span, message);
                    return Err(d.note(previous, "the first one is here").into());
                }
            }
        }
        Ok(members)
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Res<()> {
        let start = self.start();
        let specs = self.specifiers()?;
        if self.at(Tok::Semi) {
            self.advance()?;
            // An anonymous record's members are the outer record's; a tag alone declares nothing.
            if let Some(id) = self.sema.types.record(specs.ty)
                && self.sema.types.records[id].tag.is_none()
            {
                self.require_known(&specs.attributes)?;
                let Attributes { align, packed, .. } = specs.attributes;
                let (ty, span) = (specs.ty, self.since(start));
                members.push(Member { name: None, ty, width: None, align, packed, span });
            }
            return Ok(());
        }
        loop {
            members.push(self.member_declarator(&specs)?);
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        if self.at(Tok::RBrace) {
            let span = self.tok.span;
            self.sema.warn(span, "no `;` after the last member");
            return Ok(());
        }
        self.expect(Tok::Semi, "after the member")?;
        Ok(())
    }

    fn member_declarator(&mut self, specs: &Specs) -> Res<Member> {
        let mut attributes = specs.attributes;
        let (name, ty, span) = if self.at(Tok::Colon) {
            (None, specs.ty, self.tok.span)
        } else {
            let declarator = self.declarator(false)?;
            let (name, span) = declarator.require_name(self)?;
            let ty = self.build_type(specs.ty, &declarator)?;
            attributes.merge(declarator.attributes);
            (Some(name), ty, span)
        };
        let width = match self.eat(Tok::Colon)? {
            true => Some(self.bit_field_width(ty, name.is_some())?),
            false => None,
        };
        self.attributes(&mut attributes)?;
        self.require_known(&attributes)?;
        let ty = self.attributed(ty, &attributes, span)?;
        if self.sema.types.is_variably_sized(ty) {
            self.sema.use_opaque("members of variable length", span);
        }
        if self.sema.types.function_of(ty).is_some() || self.sema.types.is_variably_sized(ty) {
            return error(span, format!("a member cannot have type `{}`", self.sema.show(ty)));
        }
        let Attributes { align, packed, .. } = attributes;
        Ok(Member { name, ty, width, align, packed, span })
    }

    fn bit_field_width(&mut self, ty: Ty, named: bool) -> Res<u16> {
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        let Some(int) = self.sema.types.int_type(ty) else {
            return error(span, "a bit-field must be an integer");
        };
        self.sema.refuse_bit_precise(ty, "a bit-field of type `_BitInt`", span);
        let width = self.sema.require_size(e, span, "the width of a bit-field")?;
        if width > u64::from(int.bits) {
            return error(span, format!("{width} bits do not fit the field's type"));
        }
        if named && width == 0 {
            return error(span, "a named bit-field needs at least one bit");
        }
        Ok(width as u16)
    }

    fn enumeration(&mut self) -> Res<Ty> {
        self.advance()?;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = match self.tok.kind {
            Tok::Ident(symbol) => Some((symbol, self.advance()?.span)),
            _ => None,
        };
        let fixed = self.fixed_underlying()?;
        let defines = self.at(Tok::LBrace);
        if tag.is_none() && !defines {
            return self.unexpected("a tag or `{`");
        }
        let id = self.enum_id(tag, defines || fixed.is_some())?;
        if let Some((symbol, span)) = tag.filter(|_| defines && self.sema.types.enums[id].complete)
        {
            return self.redefinition(symbol, span, self.sema.types.enums[id].span);
        }
        if let Some((kind, span)) = fixed {
            self.fix_underlying(id, kind, span)?;
        }
        if defines {
            self.advance()?;
            self.enumerators(id, &mut attributes)?;
        }
        Ok(self.sema.types.intern(TypeKind::Enum(id)))
    }

    /// C23: `: type` in a declaration of an enumeration. A bit-field's width is no type.
    fn fixed_underlying(&mut self) -> Res<Option<(IntKind, Span)>> {
        if !self.at(Tok::Colon) || !self.starts_type(self.next.kind) {
            return Ok(None);
        }
        let start = self.advance()?.span;
        let ty = self.specifiers()?.ty;
        let span = self.since(start.start);
        match self.sema.types.kind(ty) {
            TypeKind::Int(kind) if !kind.is_bit_precise() => Ok(Some((kind, span))),
            _ => error(span, "an enumeration lies in an integer type of the standard"),
        }
    }

    fn fix_underlying(&mut self, id: EnumId, kind: IntKind, span: Span) -> Res<()> {
        let data = &mut self.sema.types.enums[id];
        match data.fixed {
            None if data.complete => error(span, "this enumeration was declared without a type"),
            Some(before) if before != kind => {
                error(span, "this enumeration was declared with another type")
            }
            _ => {
                (data.underlying, data.fixed) = (kind, Some(kind));
                Ok(())
            }
        }
    }

    /// `declares`: a declaration of this block, not only a use of one.
    fn enum_id(&mut self, tag: Option<(Symbol, Span)>, declares: bool) -> Res<EnumId> {
        if let Some((symbol, span)) = tag {
            let known = match declares {
                true => self.sema.tags.lookup_here(symbol),
                false => self.sema.tags.lookup(symbol),
            };
            match known.copied().map(|b| (b.entity, b.span)) {
                Some((Tag::Enum(id), _)) => return Ok(id),
                Some((_, previous)) => return self.redefinition(symbol, span, previous),
                None => {}
            }
        }
        let span = tag.map_or(self.tok.span, |(_, span)| span);
        let tag_symbol = tag.map(|(symbol, _)| symbol);
        let underlying = IntKind::UInt;
        let id = self.sema.types.enums.push(CEnum {
            tag: tag_symbol,
            underlying,
            fixed: None,
            complete: false,
            span,
        });
        if let Some((symbol, span)) = tag {
            self.sema.tags.declare(symbol, Tag::Enum(id), span);
        }
        Ok(id)
    }

    fn enumerators(&mut self, id: EnumId, attributes: &mut Attributes) -> Res<()> {
        let (mut next, mut low, mut high) = (0i128, 0i128, 0i128);
        let model = self.sema.types.model;
        while !self.at(Tok::RBrace) {
            let (name, span) = self.expect_ident("the name of an enumerator")?;
            self.plain_attributes()?;
            if self.eat(Tok::Assign)? {
                let e = self.conditional()?;
                next = self.sema.require_int(e, "the value of an enumerator")?;
            }
            let fixed = self.sema.types.enums[id].fixed;
            if fixed.is_some_and(|kind| !kind.int_type(model).contains(next)) {
                return error(span, "this enumerator does not fit the enumeration's type");
            }
            let kinds =
                [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::LongLong, IntKind::ULongLong];
            let fitting = kinds.into_iter().find(|k| k.int_type(model).contains(next));
            let Some(kind) = fitting else {
                return error(span, "this enumerator does not fit any integer type");
            };
            let ty = match fixed {
                Some(_) => self.sema.types.intern(TypeKind::Enum(id)),
                None => CTypes::int_ty(kind),
            };
            self.sema.declare_enum_const(name, next, ty, span)?;
            (low, high) = (low.min(next), high.max(next));
            next += 1;
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::RBrace, "after the enumerators")?;
        if self.at_kw(Kw::Attribute) {
            self.attributes(attributes)?;
        }
        self.require_known(attributes)?;
        let fixed = self.sema.types.enums[id].fixed;
        let mut underlying = fixed.unwrap_or_else(|| self.underlying(low, high, attributes.packed));
        if attributes.mode.is_some() || attributes.vector.is_some() {
            underlying = self.mode_of_enum(id, (low, high), attributes)?;
        }
        let data = &mut self.sema.types.enums[id];
        data.underlying = underlying;
        data.complete = true;
        Ok(())
    }

    /// `mode` gives the width of an enumeration; the values say whether it is signed.
    fn mode_of_enum(
        &mut self,
        id: EnumId,
        (low, high): (i128, i128),
        attributes: &Attributes,
    ) -> Res<IntKind> {
        let span = self.sema.types.enums[id].span;
        let plain = CTypes::int_ty(if low < 0 { IntKind::Int } else { IntKind::UInt });
        let ty = self.attributed(plain, attributes, span)?;
        let model = self.sema.types.model;
        match self.sema.types.int_kind(ty) {
            Some(kind)
                if kind.int_type(model).contains(low) && kind.int_type(model).contains(high) =>
            {
                Ok(kind)
            }
            _ => error(span, "the values of this enumeration do not fit its mode"),
        }
    }

    /// GCC: the first of these that holds all values.
    fn underlying(&self, low: i128, high: i128, packed: bool) -> IntKind {
        use IntKind::*;
        let model = self.sema.types.model;
        let small = [UChar, SChar, UShort, Short];
        let normal = [UInt, Int, ULong, Long, ULongLong, LongLong];
        let candidates = small.into_iter().filter(|_| packed).chain(normal);
        let fits =
            |k: &IntKind| k.int_type(model).contains(low) && k.int_type(model).contains(high);
        candidates.into_iter().find(fits).unwrap_or(LongLong)
    }
}

/// Something of the declaration was read already.
fn began(specs: &Specs, named: Option<Ty>, basic: &Basic, quals: Quals) -> bool {
    specs.class.is_some() || named.is_some() || basic.any() || quals != Quals::NONE
}
