//! Sizes and offsets of records, as GCC lays them out for the System V ABI of the data model.

use lakatos_ir::{RecordKind, Span};

use super::place::{Bits, Item, Placement, Rules};
use super::{LOOSE_BITS, Res, Sema, error};
use crate::symbol::Symbol;
use crate::types::{ArrayLen, BitField, CField, RecordId, Ty, TypeKind};

/// A member as declared.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// Width of a bit-field.
    pub width: Option<u16>,
    /// `_Alignas` and `__attribute__((aligned))` of the member itself.
    pub align: Option<u64>,
    pub packed: bool,
    pub span: Span,
}

/// What attributes and pragmas say about a record as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// `__attribute__((packed))`
    pub packed: bool,
    /// `#pragma pack`: no member is aligned to more.
    pub pack: Option<u64>,
    /// `__attribute__((aligned))`
    pub align: Option<u64>,
    /// `__attribute__((ms_struct))`
    pub microsoft: bool,
    /// `__attribute__((transparent_union))`
    pub transparent: bool,
}

impl Sema {
    /// Completes a record with its members.
    pub fn complete_record(
        &mut self,
        id: RecordId,
        mut members: Vec<Member>,
        limits: Limits,
        span: Span,
    ) -> Res<()> {
        let union = self.types.records[id].kind == RecordKind::Union;
        if union && members.iter().any(|member| self.types.has_loose_bits(member.ty)) {
            self.use_opaque(LOOSE_BITS, span);
        }
        let last = members.len().wrapping_sub(1);
        let is_open = |s: &Sema, member: &Member| {
            matches!(s.types.kind(member.ty), TypeKind::Array(_, ArrayLen::Unknown))
        };
        let has_open = members.iter().any(|member| is_open(self, member));
        let mut items = Vec::with_capacity(members.len());
        for (i, member) in members.iter_mut().enumerate() {
            items.push(self.item(member, limits.packed, union || i == last)?);
        }
        let rules = Rules { union, pack: limits.pack, microsoft: limits.microsoft };
        let mut placement = Placement::new(rules, limits.align);
        let mut fields = Vec::with_capacity(members.len());
        for (i, (member, item)) in members.into_iter().zip(&items).enumerate() {
            let at = placement.place(item, i == last);
            fields.extend(field(member, item, at));
        }
        let (bytes, align) = placement.finish();
        if bytes > self.types.model.diff_type().max() as u128 {
            return error(span, "this record is larger than the address space");
        }
        let record = &mut self.types.records[id];
        record.fields = fields;
        record.size = bytes as u64;
        record.align = align;
        record.user_align = placement.has_user_align();
        record.flexible_by_zero = !has_open;
        record.transparent = limits.transparent;
        record.complete = true;
        Ok(())
    }

    /// What the layout has to know of a member. `may_be_open`: it may be a flexible array.
    fn item(&mut self, member: &mut Member, packed: bool, may_be_open: bool) -> Res<Item> {
        // GCC's older way to write a flexible member.
        if let (true, TypeKind::Array(element, ArrayLen::Fixed(0))) =
            (may_be_open, self.types.kind(member.ty))
        {
            let align = self.types.own_align(member.ty);
            member.ty = self.types.intern(TypeKind::Array(element, ArrayLen::Unknown));
            if let Some(align) = align {
                member.ty = self.types.with_align(member.ty, align);
            }
        }
        let flexible = matches!(self.types.kind(member.ty), TypeKind::Array(_, ArrayLen::Unknown));
        let size = match self.types.size(member.ty) {
            Some(size) => size,
            None if flexible && may_be_open => 0,
            None => {
                let ty = self.show(member.ty);
                return error(member.span, format!("a member cannot have type `{ty}`"));
            }
        };
        let types = &self.types;
        let type_align = types.own_alignment(member.ty);
        let bits = member.width.map(|width| Bits {
            width: u64::from(width),
            named: member.name.is_some(),
            largest_integer: types.model.pointer_bits() as u64 * 2,
        });
        Ok(Item {
            size,
            open: flexible,
            bits,
            type_align,
            user_type_align: types.has_user_align(member.ty),
            // GCC ignores `packed` on a member that needs no alignment.
            packed: packed || (member.packed && (type_align > 1 || member.width.is_some())),
            own_align: member.align,
            field_cap: types.field_alignment(member.ty, u64::MAX),
        })
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

/// The field that a member becomes; none for an unnamed bit-field.
fn field(member: Member, item: &Item, at: u128) -> Option<CField> {
    let bits = match (&item.bits, member.width) {
        (Some(bits), Some(_)) if !bits.named => return None,
        (Some(_), Some(width)) => Some(BitField { bit: (at % 8) as u8, width }),
        _ => None,
    };
    let (name, ty, span) = (member.name, member.ty, member.span);
    Some(CField { name, ty, offset: (at / 8) as u64, bits, span })
}
