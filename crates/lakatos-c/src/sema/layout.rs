//! Sizes and offsets of records, as GCC lays them out for the System V ABI of the data model.

use lakatos_ir::{RecordKind, Span};

use super::{Res, Sema, error};
use crate::symbol::Symbol;
use crate::types::{ArrayLen, BitField, CField, RecordId, Ty, TypeKind};

/// A member as declared.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// Width of a bit-field.
    pub width: Option<u16>,
    pub align: Option<u64>,
    pub packed: bool,
    pub span: Span,
}

/// What is said about the alignment of a record as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// `__attribute__((packed))`
    pub packed: bool,
    /// `#pragma pack`: no member is aligned to more, unless it says so itself.
    pub pack: Option<u64>,
    /// `__attribute__((aligned))`
    pub align: Option<u64>,
}

/// Where the next member may go, in bits.
#[derive(Debug)]
struct Layout {
    union: bool,
    limits: Limits,
    bit: u128,
    largest: u128,
    align: u64,
}

impl Layout {
    fn align_to(&mut self, align: u64) {
        self.bit = self.bit.next_multiple_of(u128::from(align) * 8);
    }

    /// Takes the bits and returns where they begin.
    fn place(&mut self, bits: u128) -> u128 {
        let at = self.bit;
        if self.union {
            self.largest = self.largest.max(at + bits);
            self.bit = 0;
        } else {
            self.bit += bits;
            self.largest = self.bit;
        }
        at
    }
}

impl Sema {
    /// Completes a record with its members.
    pub fn complete_record(
        &mut self,
        id: RecordId,
        members: Vec<Member>,
        limits: Limits,
        span: Span,
    ) -> Res<()> {
        let union = self.types.records[id].kind == RecordKind::Union;
        let mut layout = Layout { union, limits, bit: 0, largest: 0, align: 1 };
        let mut fields = Vec::with_capacity(members.len());
        let last = members.len().wrapping_sub(1);
        for (i, member) in members.into_iter().enumerate() {
            fields.extend(self.lay_out_member(&mut layout, member, i == last)?);
        }
        layout.align = layout.align.max(limits.align.unwrap_or(1));
        let bytes = layout.largest.div_ceil(8).next_multiple_of(u128::from(layout.align));
        if bytes > self.types.model.diff_type().max() as u128 {
            return error(span, "this record is larger than the address space");
        }
        let record = &mut self.types.records[id];
        record.fields = fields;
        record.size = bytes as u64;
        record.align = layout.align;
        record.complete = true;
        Ok(())
    }

    fn lay_out_member(
        &mut self,
        layout: &mut Layout,
        mut member: Member,
        last: bool,
    ) -> Res<Option<CField>> {
        // GCC's older way to write a flexible member.
        if let (true, TypeKind::Array(element, ArrayLen::Fixed(0))) =
            (last || layout.union, self.types.kind(member.ty))
        {
            member.ty = self.types.intern(TypeKind::Array(element, ArrayLen::Unknown));
        }
        let packed = layout.limits.packed || member.packed;
        let natural = if packed { 1 } else { self.types.align(member.ty) };
        let natural = natural.min(layout.limits.pack.unwrap_or(natural));
        let align = natural.max(member.align.unwrap_or(1));
        if let Some(width) = member.width {
            return self.lay_out_bit_field(layout, member, width, align, packed);
        }
        let flexible = matches!(self.types.kind(member.ty), TypeKind::Array(_, ArrayLen::Unknown));
        let size = match self.types.size(member.ty) {
            Some(size) => size,
            None if flexible && (last || layout.union) => 0,
            None => {
                let ty = self.show(member.ty);
                return error(member.span, format!("a member cannot have type `{ty}`"));
            }
        };
        layout.align_to(align);
        layout.align = layout.align.max(align);
        let offset = (layout.place(u128::from(size) * 8) / 8) as u64;
        let (name, ty, span) = (member.name, member.ty, member.span);
        Ok(Some(CField { name, ty, offset, bits: None, span }))
    }

    fn lay_out_bit_field(
        &mut self,
        layout: &mut Layout,
        member: Member,
        width: u16,
        align: u64,
        packed: bool,
    ) -> Res<Option<CField>> {
        let size = u128::from(self.types.size(member.ty).unwrap_or(4)) * 8;
        let unit = u128::from(align) * 8;
        let bits = u128::from(width);
        if width == 0 {
            let align = self.types.align(member.ty);
            layout.align_to(align);
            // At the end of a struct it still makes room.
            layout.largest = layout.largest.max(layout.bit);
            return Ok(None);
        }
        // A field that would touch more units of its type than one goes to the next (unless packed).
        let crosses = (layout.bit % unit + bits).div_ceil(unit) > size.div_ceil(unit);
        if (!packed && crosses) || member.align.is_some() {
            layout.align_to(align);
        }
        if member.name.is_some() {
            layout.align = layout.align.max(align);
        }
        let at = layout.place(bits);
        Ok(member.name.map(|name| CField {
            name: Some(name),
            ty: member.ty,
            offset: (at / 8) as u64,
            bits: Some(BitField { bit: (at % 8) as u8, width }),
            span: member.span,
        }))
    }

    /// The path of field numbers to a member, through anonymous records.
    pub fn find_member(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let fields = &self.types.records[record].fields;
        if let Some(i) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![i as u32]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_none()).find_map(|(i, f)| {
            let mut path = self.find_member(self.types.record(f.ty)?, name)?;
            path.insert(0, i as u32);
            Some(path)
        })
    }
}
