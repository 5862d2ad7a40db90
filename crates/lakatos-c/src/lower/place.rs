//! Lvalues to places, and addresses.

use lakatos_ir::{
    Decision, Diagnostic, ExprId, ExprKind as Ir, Id, PlaceId, PlaceKind, Span, StrId, Type,
};
use lakatos_ir::{VarId, VarKind};

use super::Lower;
use crate::ast::{self, DeclId, ExprKind, Storage};
use crate::types::Ty;

pub(super) const NAMED_REGISTER: &str = "a variable in a register that the program names";

impl Lower<'_> {
    /// The place of an lvalue (of a value, a temporary that holds it).
    pub(super) fn place(&mut self, e: ast::ExprId) -> PlaceId {
        let expr = &self.unit.exprs[e];
        let span = expr.span;
        let place = match expr.kind {
            ExprKind::Var(decl) => self.object_place(decl, span),
            ExprKind::Deref(pointer) => self.deref(pointer, expr.ty, span),
            ExprKind::Index { base, index } => self.index(base, index, expr.ty, span),
            ExprKind::Member { base, field } => return self.member(base, field, span),
            ExprKind::Str(id) => self.literal_place(id, expr.ty, span),
            ExprKind::CompoundLiteral(decl) => self.compound_literal(decl, span),
            ExprKind::Load(lvalue) => return self.place(lvalue),
            _ => {
                let value = self.value(e);
                self.place_of_value(value)
            }
        };
        self.limit_place(place)
    }

    fn object_place(&mut self, decl: DeclId, span: Span) -> PlaceId {
        let is_missing = |object: &ast::Object| object.weak && object.storage == Storage::Extern;
        if self.object(decl).is_some_and(is_missing) {
            self.weak_symbol(decl, span);
        }
        if let Some(object) = self.object(decl).filter(|object| object.register) {
            match object.storage {
                Storage::Local if self.is_live() => self.f.register_uses.push(span),
                Storage::Local => {}
                Storage::Global | Storage::Extern | Storage::StaticLocal | Storage::Param => {
                    self.unsupported(span, NAMED_REGISTER);
                }
            }
        }
        let var = self.var(decl);
        let ty = self.unit.decls[decl].ty;
        if self.unit.types.is_variably_sized(ty) {
            let pointer = self.load_var(var, span);
            let ty = self.ty(ty);
            return self.new_place(PlaceKind::Deref(pointer), ty, span);
        }
        let place = self.var_place(var, span);
        let ty = self.ty(ty);
        if self.flexible_length(decl).is_none() {
            return place;
        }
        // The object is longer than its type.
        let pointer = self.pointer_to(ty);
        let address = self.address_of(place, pointer, span);
        self.new_place(PlaceKind::Deref(address), ty, span)
    }

    /// An object whose flexible array member has elements, as what it is.
    fn flexible_object(&mut self, e: ast::ExprId) -> Option<PlaceId> {
        let ExprKind::Var(decl) = self.unit.exprs[e].kind else { return None };
        self.flexible_length(decl)?;
        let var = self.var(decl);
        Some(self.var_place(var, self.unit.exprs[e].span))
    }

    fn place_of_value(&mut self, value: ExprId) -> PlaceId {
        self.finish_records();
        if self.holds_array(self.type_of(value)) {
            let message = "an array in this value is taken to live until the function returns";
            let warning = Diagnostic::warning(self.ir.exprs[value].span, message);
            self.warnings.push(warning.decision(Decision::Lifetime));
        }
        self.in_place(value, self.ir.exprs[value].span)
    }

    /// Where a value is, or a temporary that holds it.
    pub(super) fn in_place(&mut self, value: ExprId, span: Span) -> PlaceId {
        if let Ir::Load(place) = self.ir.exprs[value].kind {
            return place;
        }
        let temp = self.temp_place(self.type_of(value), span);
        self.assign_place(temp, value, span);
        temp
    }

    fn holds_array(&self, ty: Type) -> bool {
        match ty {
            Type::Array(..) => true,
            Type::Record(record) => {
                let fields = &self.ir.types.records[record].fields;
                fields.iter().any(|field| self.holds_array(field.ty))
            }
            _ => false,
        }
    }

    /// `*pointer`, where `*&x` is `x` and `*(array + i)` is `array[i]`.
    fn deref(&mut self, pointer: ast::ExprId, ty: Ty, span: Span) -> PlaceId {
        let unit = self.unit;
        match unit.exprs[pointer].kind {
            ExprKind::AddrOf(lvalue) if !self.is_variably_sized(lvalue) => {
                return self.place(lvalue);
            }
            ExprKind::Decay(array) if !self.is_variably_sized(array) => {
                let base = self.place(array);
                let zero = self.int(0, unit.types.model.diff_type(), span);
                let ty = self.ty(ty);
                return self.new_place(PlaceKind::Index(base, zero), ty, span);
            }
            ExprKind::PtrAdd { pointer: base, index, subtract: false } => {
                if let ExprKind::Decay(array) = unit.exprs[base].kind {
                    return self.index(array, index, ty, span);
                }
            }
            _ => {}
        }
        let pointer = self.value(pointer);
        let ty = self.ty(ty);
        self.new_place(PlaceKind::Deref(pointer), ty, span)
    }

    fn index(&mut self, base: ast::ExprId, index: ast::ExprId, ty: Ty, span: Span) -> PlaceId {
        let unit = self.unit;
        if unit.types.parts(unit.exprs[base].ty).is_some() {
            return self.vector_element(base, index, ty, span);
        }
        let base = match unit.exprs[base].kind {
            ExprKind::Decay(array) => array,
            _ => base,
        };
        let is_array = unit.types.element(unit.exprs[base].ty).is_some();
        if is_array && !self.is_variably_sized(base) {
            let mut array = self.place(base);
            if self.has_effect(index) {
                array = self.freeze(array);
            }
            let index = self.value(index);
            let ty = self.ty(ty);
            return self.new_place(PlaceKind::Index(array, index), ty, span);
        }
        let pointer = match is_array {
            true => self.vla_pointer(base),
            false => self.value(base),
        };
        let pointer = if self.has_effect(index) { self.hold(pointer) } else { pointer };
        let index = self.value(index);
        let element = self.pointer_add(pointer, index, false, None, span);
        if is_array {
            self.bound_index(element, unit.exprs[base].ty, index, span);
        }
        let ty = self.ty(ty);
        self.new_place(PlaceKind::Deref(element), ty, span)
    }

    fn member(&mut self, base: ast::ExprId, field: u32, span: Span) -> PlaceId {
        let unit = self.unit;
        let record = &unit.exprs[base];
        let place = match &record.kind {
            _ if let Some(object) = self.flexible_object(base) => object,
            ExprKind::Load(lvalue) if !self.is_input(*lvalue) => self.place(*lvalue),
            kind if kind.is_place() => self.place(base),
            _ => {
                let value = self.value(base);
                self.place_of_value(value)
            }
        };
        // Now, as the address of a bit-field cannot be taken later.
        let place = self.limit_place(place);
        let data = unit.types.record(record.ty).map(|id| &unit.types.records[id]);
        match data.and_then(|data| data.fields.get(field as usize)) {
            Some(data) => {
                let ty = self.member_type(place, field, data);
                self.new_place(PlaceKind::Field(place, field), ty, span)
            }
            None => place,
        }
    }

    pub(super) fn is_variably_sized(&self, e: ast::ExprId) -> bool {
        self.unit.types.is_variably_sized(self.unit.exprs[e].ty)
    }

    /// A place that later side effects cannot make another: its indices and pointers are saved.
    pub(super) fn freeze(&mut self, place: PlaceId) -> PlaceId {
        if self.is_stable_place(place) {
            return place;
        }
        let (ty, span) = (self.ir.places[place].ty, self.ir.places[place].span);
        let kind = match self.ir.places[place].kind {
            PlaceKind::Var(var) => PlaceKind::Var(var),
            PlaceKind::Field(base, field) => PlaceKind::Field(self.freeze(base), field),
            PlaceKind::Index(base, index) => {
                let base = self.freeze(base);
                PlaceKind::Index(base, self.hold(index))
            }
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.hold(pointer)),
        };
        self.new_place(kind, ty, span)
    }

    /// The address of a place, of the given pointer type.
    pub(super) fn address_of(&mut self, place: PlaceId, ty: Type, span: Span) -> ExprId {
        if let PlaceKind::Deref(pointer) = self.ir.places[place].kind {
            return self.convert(pointer, ty, span);
        }
        self.take_address(place);
        let exact = self.pointer_to(self.ir.places[place].ty);
        let address = self.expr(Ir::AddrOf(place), exact, span);
        self.convert(address, ty, span)
    }

    fn take_address(&mut self, mut place: PlaceId) {
        loop {
            match self.ir.places[place].kind {
                PlaceKind::Var(var) => {
                    self.ir.vars[var].address_taken = true;
                    return;
                }
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                PlaceKind::Deref(_) => return,
            }
        }
    }

    /// `&lvalue`.
    pub(super) fn address(&mut self, lvalue: ast::ExprId, ty: Ty, span: Span) -> ExprId {
        let ty = self.ty(ty);
        let unit = self.unit;
        if self.is_variably_sized(lvalue) {
            return self.vla_pointer(lvalue);
        }
        // `&p[i]` is `p + i`, also where there is no element to name.
        if let ExprKind::Deref(pointer) = unit.exprs[lvalue].kind {
            let value = self.value(pointer);
            return self.convert(value, ty, span);
        }
        let place = self.place(lvalue);
        if let PlaceKind::Deref(element) = self.ir.places[place].kind
            && let Some(bound) = self.ir.bounds.get_mut(&element)
        {
            bound.one_past = true;
        }
        self.address_of(place, ty, span)
    }

    /// The pointer to an array's first element.
    pub(super) fn decay(&mut self, array: ast::ExprId, ty: Ty, span: Span) -> ExprId {
        if self.is_variably_sized(array) {
            return self.vla_pointer(array);
        }
        let ty = self.ty(ty);
        let place = self.place(array);
        let zero = self.int(0, self.unit.types.model.diff_type(), span);
        let elem = self.pointee(ty);
        let first = self.new_place(PlaceKind::Index(place, zero), elem, span);
        self.address_of(first, ty, span)
    }

    /// The variable of a string literal.
    fn literal_place(&mut self, id: StrId, ty: Ty, span: Span) -> PlaceId {
        let mapped = self.ty(ty);
        if self.literals.len() <= id.index() {
            self.literals.resize(id.index() + 1, None);
        }
        let var = match self.literals[id.index()] {
            Some(var) => var,
            None => self.add_literal(id, mapped, ty, span),
        };
        self.var_place(var, span)
    }

    fn add_literal(&mut self, id: StrId, mapped: Type, ty: Ty, span: Span) -> VarId {
        let c_type = self.c_type(ty);
        let var = self.add_var(String::new(), mapped, VarKind::Literal, span, c_type);
        self.literals[id.index()] = Some(var);
        self.literal_order.push((var, id));
        var
    }
}
