//! C types to IR types. Qualifiers, tags and typedefs are gone afterwards.

use lakatos_ir::{
    Field, FloatType, Id, IntType, PlaceId, Record, RecordId, RecordKind, SigId, Signature, Type,
};
use rustc_hash::FxHashMap;

use super::Lower;
use crate::ast::DeclId;
use crate::types::{self as c, ArrayLen, CField, FloatKind, Ty, TypeKind};

#[derive(Debug, Default)]
pub(super) struct TypeMap {
    known: Vec<Option<Type>>,
    records: Vec<Option<RecordId>>,
    /// Records that have an id but no fields yet: a record may contain pointers to itself.
    unfinished: Vec<(c::RecordId, RecordId)>,
    opaque: FxHashMap<TypeKind, Type>,
}

impl Lower<'_> {
    pub(super) fn ty(&mut self, ty: Ty) -> Type {
        if let Some(&Some(known)) = self.types.known.get(ty.index()) {
            return known;
        }
        let mapped = self.map_type(self.unit.types.kind(ty));
        if self.types.known.len() <= ty.index() {
            self.types.known.resize(ty.index() + 1, None);
        }
        self.types.known[ty.index()] = Some(mapped);
        mapped
    }

    pub(super) fn map_type(&mut self, kind: TypeKind) -> Type {
        let unit = self.unit;
        match kind {
            TypeKind::Void => Type::Void,
            TypeKind::Int(kind) => Type::Int(kind.int_type(unit.types.model)),
            TypeKind::Enum(id) => {
                Type::Int(unit.types.enums[id].underlying.int_type(unit.types.model))
            }
            TypeKind::Float(kind) => Type::Float(match kind {
                FloatKind::Float => FloatType::F32,
                FloatKind::Double => FloatType::F64,
                FloatKind::LongDouble => FloatType::F80,
                FloatKind::Float128 => FloatType::F128,
            }),
            TypeKind::Pointer(inner) => {
                let inner = self.vla_base(inner);
                let inner = self.ty(inner);
                self.ir.types.pointer_to(inner)
            }
            TypeKind::Array(elem, len) => {
                let elem = self.ty(elem);
                let len = match len {
                    ArrayLen::Fixed(n) => Some(n),
                    ArrayLen::Unknown | ArrayLen::Variable(_) => None,
                };
                self.ir.types.array_of(elem, len)
            }
            TypeKind::Record(id) => Type::Record(self.record(id)),
            TypeKind::Function(id) => {
                let function = unit.types.fn_type(id);
                let result = self.ty(function.result);
                let params = function.prototyped.then(|| self.types_of(&function.params));
                self.ir.types.function(Signature { result, params, variadic: function.variadic })
            }
            TypeKind::VaList => self.list_type(),
            TypeKind::Complex(float) => {
                let element = self.map_type(TypeKind::Float(float));
                let size = 2 * self.float_bytes(float);
                let align = unit.types.plain_float_align(float);
                self.parts_type(kind, (element, 2), (size, align))
            }
            TypeKind::Opaque(opaque) if let Some(vector) = unit.types.vector_of(kind) => {
                let element = self.ty(vector.element);
                self.parts_type(kind, (element, vector.count), (opaque.size(), opaque.size()))
            }
            TypeKind::Opaque(opaque) => {
                self.opaque(kind, opaque.what().replace('`', ""), opaque.size())
            }
        }
    }

    fn types_of(&mut self, types: &[Ty]) -> Vec<Type> {
        types.iter().map(|&ty| self.ty(ty)).collect()
    }

    pub(super) fn pointer_to(&mut self, ty: Type) -> Type {
        self.ir.types.pointer_to(ty)
    }

    pub(super) fn pointee(&self, ty: Type) -> Type {
        self.ir.types.inner(ty).unwrap_or(Type::Void)
    }

    /// The signature of a function's type.
    pub(super) fn signature(&mut self, ty: Ty) -> SigId {
        match self.ty(ty) {
            Type::Function(signature) => signature,
            result => self.make_signature(Signature { result, params: None, variadic: false }),
        }
    }

    pub(super) fn make_signature(&mut self, signature: Signature) -> SigId {
        match self.ir.types.function(signature) {
            Type::Function(id) => id,
            _ => unreachable!("a function type is made of a signature"),
        }
    }

    fn record(&mut self, id: c::RecordId) -> RecordId {
        if let Some(&Some(known)) = self.types.records.get(id.index()) {
            return known;
        }
        let record = &self.unit.types.records[id];
        let name = match record.tag {
            Some(tag) => self.unit.symbols.name(tag).to_owned(),
            None => format!("anonymous_{}", id.0),
        };
        let mapped = self.ir.types.records.push(Record {
            kind: record.kind,
            name,
            fields: Vec::new(),
            size: record.size,
            align: record.align,
            incomplete: !record.complete,
        });
        if self.types.records.len() <= id.index() {
            self.types.records.resize(id.index() + 1, None);
        }
        self.types.records[id.index()] = Some(mapped);
        self.types.unfinished.push((id, mapped));
        mapped
    }

    /// Gives all records their fields, which may bring in more records.
    pub(super) fn finish_records(&mut self) {
        let unit = self.unit;
        while let Some((id, mapped)) = self.types.unfinished.pop() {
            let mut fields = Vec::with_capacity(unit.types.records[id].fields.len());
            for field in &unit.types.records[id].fields {
                fields.push(Field {
                    name: field.name.map(|name| unit.symbols.name(name).to_owned()),
                    ty: self.field_type(field),
                    offset: field.offset,
                    bit: field.bits.map(|bits| bits.bit),
                });
            }
            self.ir.types.records[mapped].fields = fields;
        }
    }

    /// The type of an object: that of its declaration, but for what an initialiser gives to a flexible
    /// array member.
    pub(super) fn object_type(&mut self, decl: DeclId) -> Type {
        let ty = self.ty(self.unit.decls[decl].ty);
        let (Some(length), Type::Record(record)) = (self.flexible_length(decl), ty) else {
            return ty;
        };
        self.finish_records();
        let mut longer = self.ir.types.records[record].clone();
        if let Some(last) = longer.fields.last_mut()
            && let Type::Array(element, None) = last.ty
        {
            last.ty = Type::Array(element, Some(length));
            longer.size = longer.size.max(last.offset + self.ir.types.size(last.ty));
        }
        Type::Record(self.ir.types.records.push(longer))
    }

    /// The type of a member; that of a flexible array is known in some objects.
    pub(super) fn member_type(&mut self, record: PlaceId, number: u32, data: &CField) -> Type {
        let declared = self.field_type(data);
        match (declared, self.ir.places[record].ty) {
            (Type::Array(_, None), Type::Record(record)) => {
                let fields = &self.ir.types.records[record].fields;
                fields.get(number as usize).map_or(declared, |field| field.ty)
            }
            _ => declared,
        }
    }

    /// A bit-field's own width, or the declared type.
    pub(super) fn field_type(&mut self, field: &CField) -> Type {
        match (field.bits, self.ty(field.ty)) {
            (Some(bits), Type::Int(int)) => {
                Type::Int(IntType { bits: bits.width, signed: int.signed })
            }
            (_, ty) => ty,
        }
    }

    /// `va_list`: where the next argument is.
    fn list_type(&mut self) -> Type {
        let size = if self.unit.types.model.pointer_bytes() == 8 { 24 } else { 4 };
        let ty = self.opaque(TypeKind::VaList, "__builtin_va_list".to_owned(), size);
        let argument = self.argument_type();
        let pointer = self.pointer_to(argument);
        if let Type::Record(record) = ty {
            let next = Field { name: Some("next".to_owned()), ty: pointer, offset: 0, bit: None };
            self.ir.types.records[record].fields = vec![next];
        }
        ty
    }

    fn parts_type(&mut self, kind: TypeKind, parts: (Type, u64), layout: (u64, u64)) -> Type {
        if let Some(&known) = self.types.opaque.get(&kind) {
            return known;
        }
        let ty = self.vector_type(parts, layout);
        self.types.opaque.insert(kind, ty);
        ty
    }

    /// A type of which only size and alignment are known.
    fn opaque(&mut self, kind: TypeKind, name: String, size: u64) -> Type {
        if let Some(&known) = self.types.opaque.get(&kind) {
            return known;
        }
        let record = self.ir.types.records.push(Record {
            kind: RecordKind::Struct,
            name,
            fields: Vec::new(),
            size,
            align: self.unit.types.model.pointer_bytes(),
            incomplete: false,
        });
        self.types.opaque.insert(kind, Type::Record(record));
        Type::Record(record)
    }

    fn float_bytes(&mut self, kind: FloatKind) -> u64 {
        let ty = self.map_type(TypeKind::Float(kind));
        self.ir.types.size(ty)
    }
}
