//! The types of C as the checker sees them: ranks, qualifiers, tags, layouts.
//!
//! Interned: equal types have equal ids. Layout follows the System V ABI of the data model, as
//! GCC lays out records (bit-fields included).

use std::borrow::Cow;

use indexmap::IndexMap;
use lakatos_ir::{Arena, DataModel, Id, IntType, RecordKind, Span, define_ids};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::ast::ExprId;
use crate::symbol::Symbol;

define_ids! {
    /// An interned C type, qualifiers included.
    Ty = "ty";
    RecordId = "rec";
    EnumId = "enum";
    FnId = "fn";
}

/// Bit-precise integers of other widths are not computed with.
const LEAST_BITS: u8 = 2;
const MOST_BITS: u8 = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntKind {
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
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// C23's `_BitInt(bits)`, of 2 to 128 bits.
    BitInt {
        bits: u8,
        unsigned: bool,
    },
}

impl IntKind {
    /// All but the bit-precise ones.
    pub const ALL: [IntKind; 14] = {
        use IntKind::*;
        [
            Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong,
            Int128, UInt128,
        ]
    };

    /// The bit-precise types that can be computed with.
    fn bit_precise() -> impl Iterator<Item = IntKind> {
        let signednesses = |bits| [false, true].map(|unsigned| IntKind::BitInt { bits, unsigned });
        (LEAST_BITS..=MOST_BITS).flat_map(signednesses)
    }

    /// The number of the type among all, the bit-precise ones last.
    fn index(self) -> u32 {
        match self {
            IntKind::BitInt { bits, unsigned } => {
                let before = IntKind::ALL.len() as u32;
                before + 2 * u32::from(bits - LEAST_BITS) + u32::from(unsigned)
            }
            plain => IntKind::ALL.iter().take_while(|&&kind| kind != plain).count() as u32,
        }
    }

    pub fn is_bit_precise(self) -> bool {
        matches!(self, IntKind::BitInt { .. })
    }

    /// C11 6.3.1.1p2: an expression of the type has type `int` where it is an operand.
    pub fn is_promoted(self) -> bool {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar | Short | UShort => true,
            Int | UInt | Long | ULong | LongLong | ULongLong | Int128 | UInt128 | BitInt { .. } => {
                false
            }
        }
    }

    pub fn int_type(self, model: DataModel) -> IntType {
        use IntKind::*;
        let bits = match self {
            Bool => 1,
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => model.pointer_bits(),
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
            BitInt { bits, .. } => u16::from(bits),
        };
        let signed = match self {
            BitInt { unsigned, .. } => !unsigned,
            Char | SChar | Short | Int | Long | LongLong | Int128 => true,
            Bool | UChar | UShort | UInt | ULong | ULongLong | UInt128 => false,
        };
        IntType { bits, signed }
    }

    /// C23 6.3.1.1p1, the order in which conversions go: wider types first, and of types of one width
    /// the bit-precise ones last.
    pub fn rank(self, model: DataModel) -> (u16, u8) {
        use IntKind::*;
        let among_equals = match self {
            BitInt { .. } => 0,
            Bool | Char | SChar | UChar | Short | UShort | Int | UInt | Int128 | UInt128 => 1,
            Long | ULong => 2,
            LongLong | ULongLong => 3,
        };
        (self.int_type(model).bits, among_equals)
    }

    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            BitInt { bits, .. } => BitInt { bits, unsigned: true },
            Bool | UChar | UShort | UInt | ULong | ULongLong | UInt128 => self,
        }
    }

    pub fn name(self) -> Cow<'static, str> {
        use IntKind::*;
        Cow::Borrowed(match self {
            BitInt { bits, unsigned } => {
                let sign = if unsigned { "unsigned " } else { "" };
                return Cow::Owned(format!("{sign}_BitInt({bits})"));
            }
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

impl FloatKind {
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    Int(IntKind),
    Enum(EnumId),
    Float(FloatKind),
    /// `_Complex`.
    Complex(FloatKind),
    Pointer(Ty),
    Array(Ty, ArrayLen),
    Record(RecordId),
    Function(FnId),
    /// `__builtin_va_list`.
    VaList,
    Opaque(Opaque),
}

/// A type of which only size and alignment are known: what computes with it is unsupported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// GCC's `vector_size`.
    Vector {
        element: Ty,
        bytes: u64,
    },
    /// Two bytes.
    Float16,
    BFloat16,
    /// `_Decimal32`, `_Decimal64` and `_Decimal128`.
    Decimal {
        bytes: u64,
    },
    /// C23 6.2.5, of other widths than those of [`IntKind::BitInt`].
    BitInt {
        bits: u64,
        unsigned: bool,
    },
}

/// A type of GCC's `vector_size` whose elements can be computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    pub element: Ty,
    pub count: u64,
}

/// Vectors with more elements are not computed with.
const MOST_ELEMENTS: u64 = 64;

impl Opaque {
    /// What it is called where it is unsupported.
    pub fn what(self) -> &'static str {
        match self {
            Opaque::Vector { .. } => "vector types",
            Opaque::Float16 => "`_Float16`",
            Opaque::BFloat16 => "`__bf16`",
            Opaque::Decimal { .. } => "decimal floating-point numbers",
            Opaque::BitInt { .. } => "`_BitInt`",
        }
    }

    pub fn size(self) -> u64 {
        match self {
            Opaque::Vector { bytes, .. } | Opaque::Decimal { bytes } => bytes,
            Opaque::Float16 | Opaque::BFloat16 => 2,
            Opaque::BitInt { bits: bits @ ..=64, .. } => bits.next_power_of_two().max(8) / 8,
            Opaque::BitInt { bits, .. } => bits.div_ceil(64) * 8,
        }
    }

    pub fn align(self) -> u64 {
        match self {
            Opaque::BitInt { .. } => self.size().min(8),
            Opaque::Vector { .. } | Opaque::Decimal { .. } | Opaque::Float16 | Opaque::BFloat16 => {
                self.size()
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLen {
    Fixed(u64),
    /// `[]`: an incomplete type, a flexible member, or an array completed by its initialiser.
    Unknown,
    /// A variable-length array: the checked length expression, evaluated (once) where the
    /// declaration is passed. `[*]` does not occur outside parameters, which are adjusted.
    Variable(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
}

impl Quals {
    pub const NONE: Quals = Quals { is_const: false, is_volatile: false, is_atomic: false };

    pub fn and(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnType {
    pub result: Ty,
    /// Adjusted (no arrays or functions) and unqualified at the top.
    pub params: Vec<Ty>,
    pub variadic: bool,
    /// `false` for `f()` and for K&R definitions: arguments are promoted, not converted.
    pub prototyped: bool,
}

#[derive(Clone, Debug)]
pub struct CRecord {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    /// Empty until `complete`.
    pub fields: Vec<CField>,
    pub complete: bool,
    pub size: u64,
    pub align: u64,
    /// The alignment is the user's: an attribute gives it to the record or to a member.
    pub user_align: bool,
    /// Its flexible members are written `[0]`: these have a size.
    pub flexible_by_zero: bool,
    /// `__attribute__((transparent_union))`: arguments may be values of the members.
    pub transparent: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CField {
    /// `None` for an anonymous member record. Unnamed bit-fields are only padding and not listed.
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// Bytes from the start; of a bit-field: the byte that holds its lowest bit.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Lowest bit counted from the field's `offset`, 0 to 7.
    pub bit: u8,
    /// 1 to 128 bits (zero-width ones are only alignment).
    pub width: u16,
}

#[derive(Clone, Debug)]
pub struct CEnum {
    pub tag: Option<Symbol>,
    /// The compatible integer type: `unsigned int` or `int`, wider if a value needs it.
    pub underlying: IntKind,
    /// What the declaration says of it (C23).
    pub fixed: Option<IntKind>,
    pub complete: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeKind,
    quals: Quals,
    /// `__attribute__((aligned))` on a typedef or a pointer. Such a type is a variant, as with
    /// qualifiers; values do not have it.
    align: Option<u64>,
}

/// Derived types nest at most this deep (pointers, arrays, functions, through typedefs too).
pub const MAX_TYPE_DEPTH: u32 = 500;

/// All types of a translation unit.
#[derive(Clone, Debug)]
pub struct CTypes {
    pub model: DataModel,
    interned: IndexMap<Key, u32, FxBuildHasher>,
    functions: IndexMap<FnType, (), FxBuildHasher>,
    pub records: Arena<RecordId, CRecord>,
    pub enums: Arena<EnumId, CEnum>,
    pub void: Ty,
    pub int: Ty,
    pub char: Ty,
    /// The program has names for bit-precise types.
    knows_bit_precise: bool,
}

impl CTypes {
    pub fn new(model: DataModel) -> CTypes {
        let mut types = CTypes {
            model,
            interned: IndexMap::default(),
            functions: IndexMap::default(),
            records: Arena::new(),
            enums: Arena::new(),
            void: Ty(0),
            int: CTypes::int_ty(IntKind::Int),
            char: CTypes::int_ty(IntKind::Char),
            knows_bit_precise: false,
        };
        types.void = types.intern(TypeKind::Void);
        for kind in IntKind::ALL.into_iter().chain(IntKind::bit_precise()) {
            let ty = types.intern(TypeKind::Int(kind));
            debug_assert_eq!(ty, CTypes::int_ty(kind));
        }
        types
    }

    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        self.intern_qualified(kind, Quals::NONE)
    }

    pub fn intern_qualified(&mut self, kind: TypeKind, quals: Quals) -> Ty {
        let depth = match kind {
            TypeKind::Pointer(t) | TypeKind::Array(t, _) => self.depth(t) + 1,
            TypeKind::Function(f) => {
                let ty = &self.functions.get_index(f.index()).expect("interned").0;
                1 + ty.params.iter().map(|&p| self.depth(p)).fold(self.depth(ty.result), u32::max)
            }
            // The type of the parts is there where a complex type is.
            TypeKind::Complex(float) => {
                let part = self.float_ty(float);
                self.depth(part)
            }
            _ => 0,
        };
        self.intern_key(Key { kind, quals, align: None }, depth)
    }

    fn intern_key(&mut self, key: Key, depth: u32) -> Ty {
        let entry = self.interned.entry(key);
        let index = entry.index();
        entry.or_insert(depth);
        Ty::from_index(index)
    }

    /// The variant of a type with an alignment of the user's, which may also be smaller.
    pub fn with_align(&mut self, ty: Ty, align: u64) -> Ty {
        let (key, depth) = (self.key(ty), self.depth(ty));
        self.intern_key(Key { align: Some(align), ..key }, depth)
    }

    /// The alignment that the user has given to this variant of a type.
    pub(crate) fn own_align(&self, ty: Ty) -> Option<u64> {
        self.key(ty).align
    }

    /// How many type constructors are nested; the parser refuses more than [`MAX_TYPE_DEPTH`].
    pub fn depth(&self, ty: Ty) -> u32 {
        self.interned[ty.index()]
    }

    fn key(&self, ty: Ty) -> Key {
        *self.interned.get_index(ty.index()).expect("a type of this unit").0
    }

    pub fn kind(&self, ty: Ty) -> TypeKind {
        self.key(ty).kind
    }

    pub fn quals(&self, ty: Ty) -> Quals {
        self.key(ty).quals
    }

    pub fn unqualified(&mut self, ty: Ty) -> Ty {
        match self.key(ty) {
            Key { quals: Quals::NONE, align: None, .. } => ty,
            Key { kind, .. } => self.intern(kind),
        }
    }

    /// Adds qualifiers; those of an array belong to its elements (C11 6.7.3p9).
    pub fn qualify(&mut self, ty: Ty, quals: Quals) -> Ty {
        if quals == Quals::NONE {
            return ty;
        }
        let key = self.key(ty);
        match key.kind {
            TypeKind::Array(elem, len) => {
                let elem = self.qualify(elem, quals);
                let depth = self.depth(ty);
                self.intern_key(Key { kind: TypeKind::Array(elem, len), ..key }, depth)
            }
            _ => {
                let depth = self.depth(ty);
                self.intern_key(Key { quals: key.quals.and(quals), ..key }, depth)
            }
        }
    }

    /// Some type of the unit is volatile.
    pub fn has_volatile(&self) -> bool {
        self.interned.keys().any(|key| key.quals.is_volatile)
    }

    /// Records that have a volatile part and may not be volatile themselves.
    pub fn volatile_records(&self) -> FxHashSet<RecordId> {
        let mut found = FxHashSet::default();
        if !self.has_volatile() {
            return found;
        }
        loop {
            let before = found.len();
            for (id, record) in self.records.iter() {
                if record.fields.iter().any(|field| self.has_volatile_part(field.ty, &found)) {
                    found.insert(id);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn has_volatile_part(&self, mut ty: Ty, known: &FxHashSet<RecordId>) -> bool {
        while let TypeKind::Array(elem, _) = self.kind(ty) {
            ty = elem;
        }
        let is_known = |id| known.contains(&id);
        self.quals(ty).is_volatile || self.record(ty).is_some_and(is_known)
    }

    /// Integer types are interned first, right after `void`.
    pub fn int_ty(kind: IntKind) -> Ty {
        Ty(1 + kind.index())
    }

    pub fn float_ty(&mut self, kind: FloatKind) -> Ty {
        self.intern(TypeKind::Float(kind))
    }

    /// A floating-point type of which there is a value, or a complex number.
    fn known_float(&self, kind: FloatKind) -> Option<Ty> {
        let key = Key { kind: TypeKind::Float(kind), quals: Quals::NONE, align: None };
        self.interned.get_index_of(&key).map(Ty::from_index)
    }

    pub fn size_ty(&self) -> Ty {
        CTypes::int_ty(self.size_kind())
    }

    pub fn pointer_to(&mut self, ty: Ty) -> Ty {
        self.intern(TypeKind::Pointer(ty))
    }

    pub fn function(&mut self, ty: FnType) -> Ty {
        let index = match self.functions.get_index_of(&ty) {
            Some(index) => index,
            None => self.functions.insert_full(ty, ()).0,
        };
        self.intern(TypeKind::Function(FnId::from_index(index)))
    }

    pub fn fn_type(&self, id: FnId) -> &FnType {
        self.functions.get_index(id.index()).expect("a type of this unit").0
    }

    /// `size_t`: `unsigned long` or `unsigned int`.
    pub fn size_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// `ptrdiff_t`: `long` or `int`.
    pub fn diff_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// The integer kind of an integer or enum type.
    pub fn int_kind(&self, ty: Ty) -> Option<IntKind> {
        match self.kind(ty) {
            TypeKind::Int(kind) => Some(kind),
            TypeKind::Enum(id) => Some(self.enums[id].underlying),
            _ => None,
        }
    }

    /// The bit-precise type of a width, if it can be computed with: in LP64 the System V ABI gives it a
    /// layout.
    pub fn bit_precise(&mut self, bits: u64, unsigned: bool) -> Option<IntKind> {
        let bits =
            u8::try_from(bits).ok().filter(|bits| (LEAST_BITS..=MOST_BITS).contains(bits))?;
        self.knows_bit_precise = true;
        (self.model == DataModel::Lp64).then_some(IntKind::BitInt { bits, unsigned })
    }

    /// Objects of the type have bits that belong to a `_BitInt` and not to its value.
    pub fn has_loose_bits(&self, ty: Ty) -> bool {
        if !self.knows_bit_precise {
            return false;
        }
        match self.kind(ty) {
            TypeKind::Int(IntKind::BitInt { bits, .. }) => bits < 8 || !bits.is_power_of_two(),
            TypeKind::Array(elem, _) => self.has_loose_bits(elem),
            TypeKind::Record(id) => {
                self.records[id].fields.iter().any(|field| self.has_loose_bits(field.ty))
            }
            TypeKind::Int(_)
            | TypeKind::Void
            | TypeKind::Enum(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Pointer(_)
            | TypeKind::Function(_)
            | TypeKind::VaList
            | TypeKind::Opaque(_) => false,
        }
    }

    pub fn int_type(&self, ty: Ty) -> Option<IntType> {
        Some(self.int_kind(ty)?.int_type(self.model))
    }

    pub fn is_integer(&self, ty: Ty) -> bool {
        self.int_kind(ty).is_some()
    }

    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_) | TypeKind::Complex(_))
    }

    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_void(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Pointer(inner) => Some(inner),
            _ => None,
        }
    }

    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Array(inner, _) => Some(inner),
            _ => None,
        }
    }

    pub fn vector(&self, ty: Ty) -> Option<Vector> {
        self.vector_of(self.kind(ty))
    }

    /// A vector, or a complex number: two parts.
    pub fn parts(&self, ty: Ty) -> Option<Vector> {
        match self.kind(ty) {
            TypeKind::Complex(kind) => Some(Vector { element: self.known_float(kind)?, count: 2 }),
            kind => self.vector_of(kind),
        }
    }

    pub fn vector_of(&self, kind: TypeKind) -> Option<Vector> {
        let TypeKind::Opaque(Opaque::Vector { element, bytes }) = kind else { return None };
        let is_number = match self.kind(element) {
            TypeKind::Int(kind) => kind != IntKind::Bool,
            TypeKind::Float(kind) => matches!(kind, FloatKind::Float | FloatKind::Double),
            _ => false,
        };
        let count = bytes / self.size(element)?;
        (is_number && count <= MOST_ELEMENTS).then_some(Vector { element, count })
    }

    pub fn record(&self, ty: Ty) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(id),
            _ => None,
        }
    }

    pub fn function_of(&self, ty: Ty) -> Option<&FnType> {
        match self.kind(ty) {
            TypeKind::Function(id) => Some(self.fn_type(id)),
            _ => None,
        }
    }

    /// The size depends on a run: a variable-length array, or an array of such.
    pub fn is_variably_sized(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, ArrayLen::Variable(_)) => true,
            TypeKind::Array(elem, _) => self.is_variably_sized(elem),
            _ => false,
        }
    }

    /// Size in bytes; `None` for incomplete, function and variably sized types, and for objects
    /// too large for the address space.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        let size = match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => return None,
            TypeKind::Int(kind) => kind.int_type(self.model).bytes(),
            TypeKind::Enum(id) => self.enums[id].underlying.int_type(self.model).bytes(),
            TypeKind::Float(kind) => self.float_size(kind),
            TypeKind::Complex(kind) => 2 * self.float_size(kind),
            TypeKind::Pointer(_) => self.model.pointer_bytes(),
            TypeKind::Array(elem, ArrayLen::Fixed(n)) => self.size(elem)?.checked_mul(n)?,
            TypeKind::Array(..) => return None,
            TypeKind::Record(id) => {
                let record = &self.records[id];
                return record.complete.then_some(record.size);
            }
            TypeKind::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
            TypeKind::Opaque(opaque) => opaque.size(),
        };
        (size <= self.model.diff_type().max() as u64).then_some(size)
    }

    pub(crate) fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) => 16,
            (FloatKind::Float128, _) => 16,
        }
    }
}
