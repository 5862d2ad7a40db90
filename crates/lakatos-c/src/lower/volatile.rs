//! Reads of volatile memory: each one gives any value of its type (docs/semantics.md).
//!
//! A read becomes an input, so that every engine, the checker and the interpreter treat it as one.
//! The access itself stays where it may fail, so that it is checked; writes stay as they are.
//! Automatic objects whose addresses do not leave their function ([`super::escape`]) are memory.

use lakatos_ir::library::{LibraryFunction, Use};
use lakatos_ir::{Decision, Diagnostic, ExprId, InputKind, PlaceId, PlaceKind, Span, Volatile};

use super::Lower;
use crate::ast::{self, ExprKind};
use crate::types::{ArrayLen, Ty, TypeKind};

/// Longer arrays of records with volatile members are not read element by element.
const MAX_ELEMENTS: u64 = 256;

/// What of an lvalue changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changing {
    Nothing,
    /// Members of it.
    Parts,
    All,
}

impl Lower<'_> {
    /// The value of an lvalue that is read.
    pub(super) fn read(
        &mut self,
        lvalue: ast::ExprId,
        place: PlaceId,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let changing = self.changing(lvalue);
        if changing == Changing::Nothing {
            return self.load_as(place, ty, span);
        }
        if self.unit.environment.volatile == Volatile::Memory {
            self.assume_memory(span);
            if !self.may_be_register(lvalue) {
                return self.load_as(place, ty, span);
            }
            let temp = self.temp_place(self.temp_type(place), span);
            self.copy_unless_register(lvalue, place, temp, span);
            return self.load_as(temp, ty, span);
        }
        let temp = self.temp_place(self.temp_type(place), span);
        match changing {
            Changing::All => {
                self.check_access(lvalue, place, span);
                let name = self.lvalue_name(lvalue);
                self.havoc(temp, InputKind::Volatile, name, span);
            }
            Changing::Parts | Changing::Nothing => {
                self.copy_unless_register(lvalue, place, temp, span);
                let (name, ty) = (self.lvalue_name(lvalue), self.unit.exprs[lvalue].ty);
                self.havoc_parts(temp, ty, &name, span);
            }
        }
        self.load_as(temp, ty, span)
    }

    fn temp_type(&self, place: PlaceId) -> lakatos_ir::Type {
        self.ir.places[place].ty
    }

    /// Whether reading the lvalue brings in a value from outside.
    pub(super) fn is_input(&self, lvalue: ast::ExprId) -> bool {
        match self.unit.environment.volatile {
            Volatile::Any => self.changing(lvalue) != Changing::Nothing,
            Volatile::Memory => self.may_be_register(lvalue),
        }
    }

    fn changing(&self, lvalue: ast::ExprId) -> Changing {
        let ty = self.unit.exprs[lvalue].ty;
        let changing = match self.unit.types.quals(ty).is_volatile {
            true => Changing::All,
            false if self.holds_volatile(ty) => Changing::Parts,
            false => return Changing::Nothing,
        };
        match self.homes.is_home(self.unit, lvalue) {
            true => Changing::Nothing,
            false => changing,
        }
    }

    /// The type is volatile, or a part of it is.
    pub(super) fn holds_volatile(&self, mut ty: Ty) -> bool {
        let types = &self.unit.types;
        loop {
            if types.quals(ty).is_volatile {
                return true;
            }
            match types.kind(ty) {
                TypeKind::Array(elem, _) => ty = elem,
                TypeKind::Record(id) => return self.volatile_records.contains(&id),
                _ => return false,
            }
        }
    }

    /// The access happens, whatever it reads.
    fn check_access(&mut self, lvalue: ast::ExprId, place: PlaceId, span: Span) {
        if self.may_fail(place) {
            let temp = self.temp_place(self.temp_type(place), span);
            let read = |l: &mut Self| {
                let value = l.load(place, span);
                l.assign_place(temp, value, span);
            };
            self.unless_register(lvalue, place, span, read, |_| {});
        }
    }

    /// The temporary gets what is stored in the place, or, of a device register, any value.
    fn copy_unless_register(
        &mut self,
        lvalue: ast::ExprId,
        place: PlaceId,
        temp: PlaceId,
        span: Span,
    ) {
        let name = self.lvalue_name(lvalue);
        let copy = |l: &mut Self| {
            let value = l.load(place, span);
            l.assign_place(temp, value, span);
        };
        let any = |l: &mut Self| l.havoc(temp, InputKind::Volatile, name, span);
        self.unless_register(lvalue, place, span, copy, any);
    }

    /// The volatile members of a copy get any value.
    fn havoc_parts(&mut self, place: PlaceId, ty: Ty, name: &str, span: Span) {
        let unit = self.unit;
        if !self.holds_volatile(ty) {
            return;
        }
        match unit.types.kind(ty) {
            _ if unit.types.quals(ty).is_volatile => {
                self.havoc(place, InputKind::Volatile, name.to_owned(), span);
            }
            TypeKind::Record(id) => {
                let record = &unit.types.records[id];
                if record.kind == lakatos_ir::RecordKind::Union {
                    return self.havoc(place, InputKind::Volatile, name.to_owned(), span);
                }
                for (number, field) in record.fields.iter().enumerate() {
                    let mapped = self.field_type(field);
                    let kind = PlaceKind::Field(place, number as u32);
                    let part = self.new_place(kind, mapped, span);
                    let part = self.limit_place(part);
                    let field_name = field.name.map_or("", |name| unit.symbols.name(name));
                    self.havoc_parts(part, field.ty, &format!("{name}.{field_name}"), span);
                }
            }
            TypeKind::Array(elem, ArrayLen::Fixed(length))
                if unit.types.quals(elem).is_volatile || length > MAX_ELEMENTS =>
            {
                self.havoc(place, InputKind::Volatile, name.to_owned(), span);
            }
            TypeKind::Array(elem, ArrayLen::Fixed(length)) => {
                let mapped = self.ty(elem);
                for index in 0..length {
                    let at = self.int(i128::from(index), unit.types.model.diff_type(), span);
                    let part = self.new_place(PlaceKind::Index(place, at), mapped, span);
                    self.havoc_parts(part, elem, &format!("{name}[{index}]"), span);
                }
            }
            _ => self.unsupported(span, "a copy of this volatile object"),
        }
    }

    /// `--volatile memory`: what depends on it is told.
    fn assume_memory(&mut self, span: Span) {
        let message = "`volatile` objects are treated as ordinary memory (`--volatile memory`): \
                       nothing but the program is assumed to change them";
        self.warn_volatile(span, message, Decision::Volatile);
    }

    /// A pointer to volatile memory becomes one to ordinary memory.
    pub(super) fn check_dropped_volatile(&mut self, operand: ast::ExprId, e: ast::ExprId) {
        let types = &self.unit.types;
        let pointee = |e: ast::ExprId| types.pointee(self.unit.exprs[e].ty);
        let (Some(from), Some(to)) = (pointee(operand), pointee(e)) else { return };
        let drops = match types.quals(from).is_volatile {
            true => !self.holds_volatile(to),
            // A pointer to `void` is made the old one again before it is used.
            false => self.holds_volatile(from) && !self.holds_volatile(to) && !types.is_void(to),
        };
        if drops
            && self.unit.environment.volatile == Volatile::Any
            && !self.homes.is_library_argument(e)
            && !self.homes.points_home(self.unit, operand)
        {
            let message = "this pointer to `volatile` becomes one to ordinary memory: what is \
                           read through it is assumed to be what was stored last";
            self.warn_volatile(self.unit.exprs[e].span, message, Decision::PlainAccess);
        }
    }

    /// One warning for a function; [`Lower::drop_unreachable`] keeps the first that counts.
    fn warn_volatile(&mut self, span: Span, message: &str, decision: Decision) {
        let known = |(proc, warning): &(lakatos_ir::ProcId, Diagnostic)| {
            *proc == self.f.proc && warning.decision == Some(decision)
        };
        if self.is_live() && !self.external_warnings.iter().any(known) {
            let warning = Diagnostic::warning(span, message).decision(decision);
            self.external_warnings.push((self.f.proc, warning));
        }
    }

    /// A function of the library that reads volatile memory has no meaning here.
    pub(super) fn check_library_reads(
        &mut self,
        row: &'static LibraryFunction,
        args: &[ast::ExprId],
        span: Span,
    ) {
        let registers = !self.unit.environment.mmio.is_empty();
        if self.unit.environment.volatile == Volatile::Memory && !registers {
            return;
        }
        for (number, &arg) in args.iter().enumerate() {
            let mut pointer = arg;
            while let ExprKind::Convert { operand, .. } = self.unit.exprs[pointer].kind {
                pointer = operand;
            }
            let pointee = self.unit.types.pointee(self.unit.exprs[pointer].ty);
            let is_volatile = pointee.is_some_and(|ty| self.holds_volatile(ty));
            if is_volatile
                && (registers || reads(row, number))
                && !self.homes.points_home(self.unit, pointer)
            {
                let construct = format!("`{}` of volatile memory", row.builtin.name());
                self.unsupported(span, construct);
            }
        }
    }

    /// An lvalue, more or less as in the source.
    fn lvalue_name(&self, e: ast::ExprId) -> String {
        let unit = self.unit;
        match unit.exprs[e].kind {
            ExprKind::Var(decl) => self.name(decl).to_owned(),
            ExprKind::Member { base, field } => {
                let record = unit.types.record(unit.exprs[base].ty);
                let data = record.and_then(|id| unit.types.records[id].fields.get(field as usize));
                let name = data.and_then(|data| data.name).map(|name| unit.symbols.name(name));
                match (unit.exprs[base].kind.clone(), name) {
                    (_, None) => self.lvalue_name(base),
                    (ExprKind::Deref(pointer), Some(name)) => {
                        format!("{}->{name}", self.lvalue_name(pointer))
                    }
                    (_, Some(name)) => format!("{}.{name}", self.lvalue_name(base)),
                }
            }
            ExprKind::Index { base, index } => match unit.exprs[index].kind {
                ExprKind::Int(index) => format!("{}[{index}]", self.lvalue_name(base)),
                _ => format!("{}[…]", self.lvalue_name(base)),
            },
            ExprKind::Deref(pointer) => format!("*{}", self.lvalue_name(pointer)),
            ExprKind::Load(inner)
            | ExprKind::Decay(inner)
            | ExprKind::Convert { operand: inner, .. } => self.lvalue_name(inner),
            ExprKind::AddrOf(inner) => format!("&{}", self.lvalue_name(inner)),
            ExprKind::Int(value) => format!("{value:#x}"),
            _ => "…".to_owned(),
        }
    }
}

/// Whether the function reads what this argument points to.
fn reads(row: &LibraryFunction, argument: usize) -> bool {
    let of_use = |own: &Use| match own {
        Use::Reads(_) | Use::ReadsText | Use::AppendsText | Use::Format => true,
        Use::Value | Use::Writes(_) | Use::WritesText | Use::Frees => false,
    };
    // What follows a format may be text.
    let more = || row.uses.contains(&Use::Format);
    row.uses.get(argument).map_or_else(more, of_use)
}
