//! Variable arguments (C11 7.16). A call of a variadic function puts them into an array, of which a
//! hidden variable tells the function where it is. Each element says of which kind its argument is, so
//! taking one of another kind, or one that is not there, is seen for what it is: undefined.

use lakatos_ir::{
    BinOp, Builtin, ExprId, ExprKind as Ir, Field, FloatType, Id, IntType, PlaceId, PlaceKind,
    Record, RecordKind, Span, Type, VarId, VarKind,
};

use super::Lower;
use crate::ast::{self, CBuiltin, ExprKind};
use crate::types::TypeKind;

/// The field of a list, and of an element of the array.
const NEXT: u32 = 0;
const KIND: u32 = 0;
const VALUE: u32 = 1;

/// The kind of the element behind the last argument.
const END: i128 = 0;

/// The hidden variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hidden {
    /// Where the arguments of the call that comes next are.
    var: VarId,
    /// An element of the array.
    element: Type,
}

impl Lower<'_> {
    /// The type of an element: the kind, and where the value is.
    pub(super) fn argument_type(&mut self) -> Type {
        if let Some(known) = self.argument_type {
            return known;
        }
        let pointer = self.pointer_to(Type::Void);
        let size = self.unit.types.model.pointer_bytes();
        let field = |name: &str, ty: Type, offset: u64| Field {
            name: Some(name.to_owned()),
            ty,
            offset,
            bit: None,
        };
        let record = self.ir.types.records.push(Record {
            kind: RecordKind::Struct,
            name: "__lakatos_argument".to_owned(),
            fields: vec![field("kind", Type::I32, 0), field("value", pointer, size)],
            size: 2 * size,
            align: size,
            incomplete: false,
        });
        *self.argument_type.insert(Type::Record(record))
    }

    /// The hidden variable, if a function of the program takes variable arguments.
    fn hidden(&mut self) -> Option<Hidden> {
        if self.hidden.is_none() && self.takes_arguments {
            let element = self.argument_type();
            let pointer = self.pointer_to(element);
            let name = "variable arguments".to_owned();
            let var = self.add_var(name, pointer, VarKind::Global, Span::default(), String::new());
            self.hidden = Some(Hidden { var, element });
        }
        self.hidden
    }

    /// Whether the program has a function that takes variable arguments.
    pub(super) fn takes_variable_arguments(unit: &ast::Unit) -> bool {
        unit.exprs.iter().any(|(_, expr)| {
            matches!(expr.kind, ExprKind::Builtin { builtin: CBuiltin::VaStart, .. })
        })
    }

    /// At the beginning of a program: there are no arguments yet.
    pub(super) fn no_arguments(&mut self, span: Span) {
        if let Some(Hidden { var, .. }) = self.hidden {
            let null = self.zero(self.ir.vars[var].ty, span);
            let place = self.var_place(var, span);
            self.assign_place(place, null, span);
        }
    }

    /// Before a call of a function with this type: its variable arguments.
    pub(super) fn hand_over(&mut self, function: Type, args: &[ExprId], span: Span) {
        let Type::Function(signature) = function else { return };
        let signature = self.ir.types.signature(signature);
        let fixed = signature.params.as_ref().map_or(0, Vec::len);
        if !signature.variadic || !self.is_live() {
            return;
        }
        let Some(Hidden { var, element }) = self.hidden() else { return };
        let values = args.get(fixed..).unwrap_or_default();
        let array = self.ir.types.array_of(element, Some(values.len() as u64 + 1));
        let array = self.temp_place(array, span);
        for (number, &value) in values.iter().enumerate() {
            let ty = self.type_of(value);
            let copy = self.temp_place(ty, span);
            self.assign_place(copy, value, span);
            let pointer = self.pointer_to(Type::Void);
            let address = self.address_of(copy, pointer, span);
            let kind = self.kind_of(ty);
            self.store_argument(array, number, kind, Some(address), span);
        }
        self.store_argument(array, values.len(), END, None, span);
        let first = self.element(array, 0, span);
        let pointer = self.ir.vars[var].ty;
        let first = self.address_of(first, pointer, span);
        let place = self.var_place(var, span);
        self.assign_place(place, first, span);
    }

    fn element(&mut self, array: PlaceId, number: usize, span: Span) -> PlaceId {
        let element = self.argument_type();
        let number = self.int(number as i128, self.unit.types.model.diff_type(), span);
        self.new_place(PlaceKind::Index(array, number), element, span)
    }

    fn store_argument(
        &mut self,
        array: PlaceId,
        number: usize,
        kind: i128,
        address: Option<ExprId>,
        span: Span,
    ) {
        let element = self.element(array, number, span);
        let place = self.new_place(PlaceKind::Field(element, KIND), Type::I32, span);
        let kind = self.int(kind, IntType::I32, span);
        self.assign_place(place, kind, span);
        let pointer = self.pointer_to(Type::Void);
        let place = self.new_place(PlaceKind::Field(element, VALUE), pointer, span);
        let address = address.unwrap_or_else(|| self.zero(pointer, span));
        self.assign_place(place, address, span);
    }

    /// Where a function begins that takes variable arguments: those of this call.
    pub(super) fn take_over(&mut self, function: Type, span: Span) {
        let Type::Function(signature) = function else { return };
        if !self.ir.types.signature(signature).variadic {
            return;
        }
        let Some(Hidden { var, .. }) = self.hidden() else { return };
        let all = self.load_var(var, span);
        let own = self.temp(self.ir.vars[var].ty, span);
        let place = self.var_place(own, span);
        self.assign_place(place, all, span);
        self.f.arguments = Some(own);
    }

    /// `va_start`, `va_copy`, `va_end`.
    pub(super) fn list_builtin(&mut self, builtin: CBuiltin, args: &[ast::ExprId], span: Span) {
        match (builtin, args) {
            (CBuiltin::VaStart, &[list, ..]) => {
                let Some(own) = self.f.arguments else {
                    return self.unsupported(span, "`va_start` in a function without `...`");
                };
                let next = self.next_of(list, span);
                let first = self.load_var(own, span);
                self.assign_place(next, first, span);
            }
            (CBuiltin::VaCopy, &[to, from]) => {
                let [to, from] = [to, from].map(|list| self.next_of(list, span));
                let next = self.load(from, span);
                self.assign_place(to, next, span);
            }
            (CBuiltin::VaEnd, &[list]) => {
                self.next_of(list, span);
            }
            _ => self.unsupported(span, "these arguments of a function of `<stdarg.h>`"),
        }
    }

    /// The field of a list that says which argument comes next. A list is an array of one element
    /// (LP64), of which there is a pointer here, or an object of its own (ILP32).
    fn next_of(&mut self, list: ast::ExprId, span: Span) -> PlaceId {
        let ty = self.unit.exprs[list].ty;
        let place = match self.unit.types.pointee(ty) {
            Some(inner) => {
                let pointer = self.value(list);
                let pointer = self.hold(pointer);
                let list = self.ty(inner);
                self.new_place(PlaceKind::Deref(pointer), list, span)
            }
            None => self.place(list),
        };
        let element = self.argument_type();
        let pointer = self.pointer_to(element);
        self.new_place(PlaceKind::Field(place, NEXT), pointer, span)
    }

    /// `va_arg(list, type)`.
    pub(super) fn next_argument(&mut self, list: ast::ExprId, ty: Type, span: Span) -> ExprId {
        if !self.is_list(list) {
            return self.unsupported_value(ty, span, "`va_arg` of what is no `va_list`");
        }
        let next = self.next_of(list, span);
        let element = self.load(next, span);
        let element = self.hold(element);
        let record = self.argument_type();
        let argument = self.new_place(PlaceKind::Deref(element), record, span);
        let kind = self.new_place(PlaceKind::Field(argument, KIND), Type::I32, span);
        let kind = self.load(kind, span);
        let wanted = self.int(self.kind_of(ty), IntType::I32, span);
        let fits = self.binary(BinOp::Eq, kind, wanted, Type::BOOL, span);
        let (there, other) = (self.fresh(), self.fresh());
        self.split(fits, there, other, span);
        self.f.at = other;
        self.end_run(Builtin::Unreachable, span);
        self.f.at = there;
        let pointer = self.pointer_to(Type::Void);
        let place = self.new_place(PlaceKind::Field(argument, VALUE), pointer, span);
        let address = self.load(place, span);
        let pointer = self.pointer_to(ty);
        let address = self.convert(address, pointer, span);
        let place = self.new_place(PlaceKind::Deref(address), ty, span);
        let value = self.load(place, span);
        let value = self.spill(value);
        let one = self.int(1, self.unit.types.model.diff_type(), span);
        let pointer = self.type_of(element);
        let after = self.expr(Ir::PtrAdd(element, one), pointer, span);
        self.assign_place(next, after, span);
        value
    }

    fn is_list(&self, list: ast::ExprId) -> bool {
        let types = &self.unit.types;
        let ty = self.unit.exprs[list].ty;
        types.kind(types.pointee(ty).unwrap_or(ty)) == TypeKind::VaList
    }

    /// Arguments of one kind are passed in the same way. Signed and unsigned integers are of one kind
    /// (C11 7.16.1.1p2, for values that both have), and so are all pointers.
    fn kind_of(&self, ty: Type) -> i128 {
        match ty {
            Type::Pointer(_) => 1,
            Type::Float(FloatType::F32) => 2,
            Type::Float(FloatType::F64) => 3,
            Type::Float(FloatType::F80) => 4,
            Type::Float(FloatType::F128) => 5,
            Type::Int(int) => 0x100 + i128::from(int.bits),
            Type::Record(record) => 0x10000 + record.index() as i128,
            Type::Void | Type::Array(..) | Type::Function(_) => -1,
        }
    }
}
