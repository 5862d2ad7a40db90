//! Declarations and initialisers.

use lakatos_ir::{ExprKind as Ir, InputKind, PlaceId, PlaceKind, Span, StrId, Type};

use rustc_hash::FxHashMap;

use super::Lower;
use super::jump::Passed;
use crate::ast::{DeclId, DeclKind, ExprId, ExprKind, Init, InitItem, InitStep, Object, Storage};
use crate::types::Ty;

impl<'u> Lower<'u> {
    pub(super) fn object(&self, decl: DeclId) -> Option<&'u Object> {
        match &self.unit.decls[decl].kind {
            DeclKind::Object(object) => Some(object),
            DeclKind::Function(_) => None,
        }
    }

    /// How many elements an object's flexible array member has.
    pub(super) fn flexible_length(&self, decl: DeclId) -> Option<u64> {
        self.object(decl)?.init.as_ref()?.flexible
    }

    /// The declaration of an object is passed.
    pub(super) fn declaration(&mut self, decl: DeclId) {
        let Some(object) = self.object(decl) else { return };
        let data = &self.unit.decls[decl];
        if object.storage != Storage::Local {
            // Initialised before `main`; named here, so that it belongs to this function.
            self.var(decl);
            return;
        }
        self.evaluate_lengths(data.ty);
        if self.unit.types.is_variably_sized(data.ty) {
            self.allocate_vla(decl);
            let var = self.var(decl);
            self.declare_in_scope(var, Passed::Error);
            if object.init.is_some() {
                self.unsupported(data.span, "an initialised variable-length array");
            }
            return;
        }
        let var = self.var(decl);
        if let Some(function) = object.cleanup {
            self.f.cleanups.insert(var, function);
        }
        self.declare_in_scope(var, Passed::AnyValue);
        let init = object.init.as_ref();
        if init.is_none_or(|init| self.mentions_itself(init, decl)) {
            let place = self.var_place(var, data.span);
            let name = self.name(decl).to_owned();
            self.havoc(place, InputKind::Uninitialised, name, data.span);
        }
        if let Some(init) = init {
            self.initialise(decl, init);
        }
    }

    /// `int x = x;` reads `x` before it has a value.
    fn mentions_itself(&self, init: &Init, decl: DeclId) -> bool {
        init.items.iter().any(|item| self.mentions(item.value, decl))
    }

    fn mentions(&self, e: ExprId, decl: DeclId) -> bool {
        let kind = &self.unit.exprs[e].kind;
        let mut found = matches!(*kind, ExprKind::Var(d) if d == decl);
        kind.for_each_operand(|operand| found = found || self.mentions(operand, decl));
        found
    }

    /// Stores what an initialiser says.
    pub(super) fn initialise(&mut self, decl: DeclId, init: &Init) {
        let var = self.var(decl);
        let (place_span, ty) = (self.unit.decls[decl].span, self.unit.decls[decl].ty);
        let place = self.var_place(var, place_span);
        if init.zero {
            let zero = self.zero(self.ir.vars[var].ty, init.span);
            self.assign_place(place, zero, init.span);
        }
        let mut shared = FxHashMap::default();
        for item in &init.items {
            let span = self.unit.exprs[item.value].span;
            // `x = 3` of `int x = 3;`
            let span = if item.path.is_empty() { place_span.to(span) } else { span };
            self.initialise_item(place, ty, item, span, &mut shared);
        }
    }

    /// `shared`: the values of items that others have as well, once they were evaluated.
    fn initialise_item(
        &mut self,
        object: PlaceId,
        ty: Ty,
        item: &InitItem,
        span: Span,
        shared: &mut FxHashMap<ExprId, lakatos_ir::ExprId>,
    ) {
        let expr = &self.unit.exprs[item.value];
        let place = self.part(object, ty, &item.path, expr.span);
        if let Some(var) = self.ir.root(object)
            && self.ir.constants.contains_key(&var)
            && self.ir.root(place).is_none()
        {
            self.unsupported(expr.span, "a constant with parts nested this deep");
        }
        if let Some(&value) = shared.get(&item.value) {
            let value = self.narrow(value, place, expr.span);
            self.assign_place(place, value, span);
            return;
        }
        self.warn_unsequenced(item.value);
        if let ExprKind::Str(id) = expr.kind {
            self.store_string(place, id, span);
        } else if item.shared {
            let value = self.value(item.value);
            let value = self.hold(value);
            shared.insert(item.value, value);
            let value = self.narrow(value, place, expr.span);
            self.assign_place(place, value, span);
        } else if !self.evaluate_into(place, item.value) {
            let value = self.value(item.value);
            let value = self.narrow(value, place, expr.span);
            self.assign_place(place, value, span);
        }
    }

    /// Stores a string literal in an array; a wide one element by element.
    pub(super) fn store_string(&mut self, array: PlaceId, id: StrId, span: Span) {
        let ty = self.ir.places[array].ty;
        let elem = self.pointee(ty);
        match elem {
            Type::Int(int) if int.bits > 8 => {
                let zero = self.zero(ty, span);
                self.assign_place(array, zero, span);
                let units = self.unit.strings[id].chunks(usize::from(int.bits / 8));
                let room = if let Type::Array(_, Some(room)) = ty { room } else { 0 };
                for (index, unit) in (0..room).zip(units) {
                    let number = unit.iter().rev().fold(0, |n, &byte| n << 8 | i128::from(byte));
                    let diff = self.unit.types.model.diff_type();
                    let index = self.int(i128::from(index), diff, span);
                    let place = self.new_place(PlaceKind::Index(array, index), elem, span);
                    let value = self.int(number, int, span);
                    self.assign_place(place, value, span);
                }
            }
            _ => {
                let value = self.expr(Ir::Str(id), ty, span);
                self.assign_place(array, value, span);
            }
        }
    }

    /// A part of an object.
    fn part(&mut self, object: PlaceId, ty: Ty, path: &[InitStep], span: Span) -> PlaceId {
        let unit = self.unit;
        let (mut place, mut ty) = (object, ty);
        for &step in path {
            place = self.limit_place(place);
            match step {
                InitStep::Index(index) => {
                    let vector = unit.types.vector(ty);
                    if vector.is_some() {
                        place = self.elements(place, span);
                    }
                    let elem = unit.types.element(ty).or(vector.map(|vector| vector.element));
                    let Some(elem) = elem else { break };
                    let index = self.int(i128::from(index), unit.types.model.diff_type(), span);
                    let mapped = self.ty(elem);
                    place = self.new_place(PlaceKind::Index(place, index), mapped, span);
                    ty = elem;
                }
                InitStep::Field(field) => {
                    let Some(record) = unit.types.record(ty) else { break };
                    let data = &unit.types.records[record].fields[field as usize];
                    let mapped = self.member_type(place, field, data);
                    place = self.new_place(PlaceKind::Field(place, field), mapped, span);
                    ty = data.ty;
                }
            }
        }
        place
    }

    /// `(type){ … }`: an object of the block, initialised where it is evaluated.
    pub(super) fn compound_literal(&mut self, decl: DeclId, span: Span) -> PlaceId {
        let object = self.object(decl);
        if object.is_some_and(|o| o.storage == Storage::Local)
            && self.vars[decl.0 as usize].is_none()
        {
            let var = self.var(decl);
            self.declare_in_scope(var, Passed::Nothing);
        }
        if let Some(init) = object.and_then(|object| object.init.as_ref()) {
            self.initialise(decl, init);
        }
        let var = self.var(decl);
        self.var_place(var, span)
    }
}
