//! Device registers: accesses of volatile memory within the address ranges that the user has named
//! (`--mmio`).
//!
//! Such an access is valid. A read gives any value, and a write changes nothing that the program
//! can see. Where the address is only known in a run, the run decides which kind of access it is.

use lakatos_ir::{
    AddressRange, BinOp, ExprId, ExprKind as Ir, PlaceId, PlaceKind, Span, Type, interpret,
};

use super::Lower;
use super::escape::{Root, root};
use crate::ast;
use crate::types::{Ty, TypeKind};

impl Lower<'_> {
    /// Whether an access of the lvalue may be one of a device register.
    pub(super) fn may_be_register(&self, lvalue: ast::ExprId) -> bool {
        !self.unit.environment.mmio.is_empty()
            && self.holds_volatile(self.unit.exprs[lvalue].ty)
            && matches!(root(self.unit, lvalue), Root::Pointer(_))
            && !self.homes.is_home(self.unit, lvalue)
    }

    /// Does the one thing in ordinary memory, and the other where the place is a device register.
    pub(super) fn unless_register(
        &mut self,
        lvalue: ast::ExprId,
        place: PlaceId,
        span: Span,
        ordinary: impl FnOnce(&mut Self),
        register: impl FnOnce(&mut Self),
    ) {
        if !self.may_be_register(lvalue) {
            return ordinary(self);
        }
        let bytes = self.ir.types.size(self.ir.places[place].ty).max(1);
        let address = self.address_value(place, span);
        if let Ir::Int(address) = self.ir.exprs[address].kind {
            let address = address as u64;
            return match self.unit.environment.mmio.iter().any(|r| r.holds(address, bytes)) {
                true => register(self),
                false => ordinary(self),
            };
        }
        let Some(inside) = self.is_inside(address, bytes, span) else { return ordinary(self) };
        let (yes, no, end) = (self.fresh(), self.fresh(), self.fresh());
        self.split(inside, yes, no, span);
        self.f.at = yes;
        register(self);
        self.jump(end, span);
        self.f.at = no;
        ordinary(self);
        self.join(end, span);
    }

    /// Whether so many bytes at an address are within a range, as a truth value; `None` if no
    /// range has room for them.
    fn is_inside(&mut self, address: ExprId, bytes: u64, span: Span) -> Option<ExprId> {
        let model = self.unit.types.model;
        let size = model.size_type();
        let unit = self.unit;
        let fits = |range: &&AddressRange| {
            u64::try_from(size.max()).is_ok_and(|max| range.last <= max)
                && range.last - range.start >= bytes - 1
        };
        let address = self.hold(address);
        let mut inside: Option<ExprId> = None;
        for range in unit.environment.mmio.iter().filter(fits) {
            if interpret::places_objects(model, *range) {
                let construct = format!(
                    "`--mmio {range}` with an address that is not constant: objects are there"
                );
                self.unsupported(span, construct);
            }
            // Below the range the difference wraps around.
            let start = self.int(i128::from(range.start), size, span);
            let room = self.int(i128::from(range.last - range.start - (bytes - 1)), size, span);
            let offset = self.binary(BinOp::Sub, address, start, Type::Int(size), span);
            let one = self.binary(BinOp::Le, offset, room, Type::BOOL, span);
            inside = Some(match inside {
                Some(others) => self.binary(BinOp::Or, others, one, Type::BOOL, span),
                None => one,
            });
        }
        inside
    }

    /// The address of a place as a number of type `size_t`.
    fn address_value(&mut self, place: PlaceId, span: Span) -> ExprId {
        let size = Type::Int(self.unit.types.model.size_type());
        match self.ir.places[place].kind {
            PlaceKind::Deref(pointer) => self.pointer_value(pointer, span),
            PlaceKind::Field(base, field) => {
                self.finish_records();
                let offset = match self.ir.places[base].ty {
                    Type::Record(record) => {
                        let fields = &self.ir.types.records[record].fields;
                        fields.get(field as usize).map_or(0, |field| field.offset)
                    }
                    _ => 0,
                };
                let base = self.address_value(base, span);
                let offset = self.int_of_size(offset, span);
                self.sum(base, offset, span)
            }
            PlaceKind::Index(base, index) => {
                let bytes = self.ir.types.size(self.ir.places[place].ty);
                let base = self.address_value(base, span);
                self.displaced(base, index, bytes, span)
            }
            PlaceKind::Var(_) => {
                let pointer = self.pointer_to(self.ir.places[place].ty);
                let address = self.address_of(place, pointer, span);
                self.convert(address, size, span)
            }
        }
    }

    fn pointer_value(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let size = Type::Int(self.unit.types.model.size_type());
        match self.ir.exprs[pointer].kind {
            Ir::Cast(inner) if matches!(self.type_of(inner), Type::Pointer(_)) => {
                self.pointer_value(inner, span)
            }
            Ir::Cast(inner) => self.convert(inner, size, span),
            Ir::PtrAdd(base, index) => {
                let pointee = self.pointee(self.type_of(base));
                let bytes = self.ir.types.size(pointee);
                let base = self.pointer_value(base, span);
                self.displaced(base, index, bytes, span)
            }
            _ => self.convert(pointer, size, span),
        }
    }

    /// `base + index * bytes`.
    fn displaced(&mut self, base: ExprId, index: ExprId, bytes: u64, span: Span) -> ExprId {
        let size = self.unit.types.model.size_type();
        let index = self.convert(index, Type::Int(size), span);
        let by = match self.ir.exprs[index].kind {
            Ir::Int(index) => self.int(index.wrapping_mul(i128::from(bytes)), size, span),
            _ if bytes == 1 => index,
            _ => {
                let bytes = self.int_of_size(bytes, span);
                self.binary(BinOp::Mul, index, bytes, Type::Int(size), span)
            }
        };
        self.sum(base, by, span)
    }

    fn int_of_size(&mut self, value: u64, span: Span) -> ExprId {
        self.int(i128::from(value), self.unit.types.model.size_type(), span)
    }

    fn sum(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let size = self.unit.types.model.size_type();
        match (&self.ir.exprs[a].kind, &self.ir.exprs[b].kind) {
            (&Ir::Int(a), &Ir::Int(b)) => self.int(a + b, size, span),
            (_, Ir::Int(0)) => a,
            _ => self.binary(BinOp::Add, a, b, Type::Int(size), span),
        }
    }

    /// A constant address of a device becomes a pointer to memory that is not volatile.
    pub(super) fn check_register_pointer(&mut self, value: ExprId, to: Ty, span: Span) {
        let types = &self.unit.types;
        let Some(pointee) = types.pointee(to) else { return };
        let is_data = !matches!(types.kind(pointee), TypeKind::Void | TypeKind::Function(_));
        let Ir::Cast(inner) = self.ir.exprs[value].kind else { return };
        let Ir::Int(address) = self.ir.exprs[inner].kind else { return };
        let address = self.unit.types.model.size_type().wrap(address) as u64;
        let named = |range: &AddressRange| range.contains(address);
        if is_data && !self.holds_volatile(pointee) && self.unit.environment.mmio.iter().any(named)
        {
            let construct = format!(
                "the address {address:#x}, which is in a range of `--mmio`, as a pointer to \
                 memory that is not volatile"
            );
            self.unsupported(span, construct);
        }
    }
}
