//! GCC's vectors (`vector_size`): operations element by element, in the type of the elements.
//!
//! A vector is a structure with one member, the array of its elements, so copies, arguments and
//! results are those of structures. An operation stores its result in a temporary.

use lakatos_ir::{
    BinOp as IrOp, ExprId, ExprKind as Ir, Field, InputKind, IntType, PlaceId, PlaceKind, Record,
    RecordKind, Span, Type, UnOp as IrUnOp,
};

use super::Lower;
use crate::ast::{self, BinOp, ExprKind, UnOp};
use crate::types::{Ty, Vector};

/// The field of a vector's structure.
const ELEMENTS: u32 = 0;

impl Lower<'_> {
    /// A structure of so many elements, with its size and alignment.
    pub(super) fn vector_type(
        &mut self,
        (element, count): (Type, u64),
        (size, align): (u64, u64),
    ) -> Type {
        let elements = self.ir.types.array_of(element, Some(count));
        let field = Field { name: Some("elements".to_owned()), ty: elements, offset: 0, bit: None };
        Type::Record(self.ir.types.records.push(Record {
            kind: RecordKind::Struct,
            name: format!("vector{}", self.ir.types.records.len()),
            fields: vec![field],
            size,
            align,
            incomplete: false,
        }))
    }

    /// The value of an operator on vectors; `None` if it has no vector operands.
    pub(super) fn vector_operator(&mut self, e: ast::ExprId) -> Option<ExprId> {
        let (unit, expr) = (self.unit, &self.unit.exprs[e]);
        let vector = unit.types.vector(expr.ty);
        match expr.kind {
            ExprKind::Unary(op, operand) => {
                let vector = vector?;
                let value = self.value(operand);
                Some(self.vector_unary(op, value, vector, expr.ty, expr.span))
            }
            ExprKind::Binary(op, lhs, rhs) => {
                vector?;
                let (left, right) = self.operands(lhs, rhs);
                Some(self.vector_binary(op, left, right, expr.ty, expr.span))
            }
            ExprKind::Convert { operand, .. } => {
                vector.or_else(|| unit.types.vector(unit.exprs[operand].ty))?;
                let to = self.ty(expr.ty);
                if to == Type::Void {
                    return None;
                }
                let value = self.value(operand);
                Some(self.same_bits(value, to, expr.span))
            }
            _ => None,
        }
    }

    /// `vector[index]`.
    pub(super) fn vector_element(
        &mut self,
        base: ast::ExprId,
        index: ast::ExprId,
        ty: Ty,
        span: Span,
    ) -> PlaceId {
        let base = match self.unit.exprs[base].kind {
            ExprKind::Load(lvalue) => lvalue,
            _ => base,
        };
        let mut place = match self.unit.exprs[base].kind.is_place() {
            true => self.place(base),
            false => {
                let value = self.value(base);
                self.in_place(value, span)
            }
        };
        if self.has_effect(index) {
            place = self.freeze(place);
        }
        let index = self.value(index);
        let ty = self.ty(ty);
        self.element_of(place, index, ty, span)
    }

    fn element_of(&mut self, vector: PlaceId, index: ExprId, ty: Type, span: Span) -> PlaceId {
        let elements = self.elements(vector, span);
        self.new_place(PlaceKind::Index(elements, index), ty, span)
    }

    /// The array of a vector's elements.
    pub(super) fn elements(&mut self, vector: PlaceId, span: Span) -> PlaceId {
        let ty = match self.ir.places[vector].ty {
            Type::Record(record) => self.ir.types.records[record].fields[ELEMENTS as usize].ty,
            ty => ty,
        };
        self.new_place(PlaceKind::Field(vector, ELEMENTS), ty, span)
    }

    /// An element of an operand, or the operand itself, which counts for each element.
    pub(super) fn operand_element(&mut self, operand: ExprId, number: u64, span: Span) -> ExprId {
        if self.type_of(operand).is_scalar() {
            return operand;
        }
        let place = self.in_place(operand, span);
        let elements = self.elements(place, span);
        let element = self.pointee(self.ir.places[elements].ty);
        let place = self.numbered(place, number, element, span);
        self.load(place, span)
    }

    fn numbered(&mut self, vector: PlaceId, number: u64, ty: Type, span: Span) -> PlaceId {
        let index = self.int(i128::from(number), self.unit.types.model.diff_type(), span);
        self.element_of(vector, index, ty, span)
    }

    /// A new vector; `make` gives the value of each element.
    pub(super) fn each_element(
        &mut self,
        ty: Ty,
        span: Span,
        mut make: impl FnMut(&mut Self, u64) -> ExprId,
    ) -> ExprId {
        let Some(vector) = self.unit.types.parts(ty) else {
            let ty = self.ty(ty);
            return self.unsupported_value(ty, span, "this vector");
        };
        let (mapped, element) = (self.ty(ty), self.ty(vector.element));
        let result = self.temp_place(mapped, span);
        for number in 0..vector.count {
            let value = make(self, number);
            let value = self.convert(value, element, span);
            let place = self.numbered(result, number, element, span);
            self.assign_place(place, value, span);
        }
        self.load(result, span)
    }

    fn vector_unary(
        &mut self,
        op: UnOp,
        value: ExprId,
        vector: Vector,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let op = if op == UnOp::Neg { IrUnOp::Neg } else { IrUnOp::BitNot };
        let element = self.ty(vector.element);
        self.each_element(ty, span, |l, number| {
            let operand = l.operand_element(value, number, span);
            l.expr(Ir::Unary(op, operand), element, span)
        })
    }

    /// `ty` is the type of the result. A comparison gives all bits, or none.
    pub(super) fn vector_binary(
        &mut self,
        op: BinOp,
        left: ExprId,
        right: ExprId,
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let [left, right] = [left, right].map(|operand| match self.type_of(operand).is_scalar() {
            true => self.hold(operand),
            false => operand,
        });
        self.each_element(ty, span, |l, number| {
            let a = l.operand_element(left, number, span);
            let b = l.operand_element(right, number, span);
            if !op.is_comparison() {
                return l.arithmetic(op, a, b, l.type_of(a), span);
            }
            let truth = l.binary(op.ir(), a, b, Type::BOOL, span);
            let [all, none] = [-1, 0].map(|value| l.int(value, IntType::I32, span));
            l.expr(Ir::Ite(truth, all, none), Type::I32, span)
        })
    }

    /// A vector as a number or another vector of the same size, or a number as a vector.
    fn same_bits(&mut self, value: ExprId, to: Type, span: Span) -> ExprId {
        if self.type_of(value) == to {
            return value;
        }
        let place = self.temp_place(self.type_of(value), span);
        self.assign_place(place, value, span);
        let pointer = self.pointer_to(to);
        let address = self.address_of(place, pointer, span);
        let place = self.new_place(PlaceKind::Deref(address), to, span);
        self.load(place, span)
    }

    /// `__builtin_shuffle(vector, mask)` and `(first, second, mask)`: the mask says which elements,
    /// modulo their number.
    pub(super) fn shuffle(&mut self, args: &[ast::ExprId], ty: Ty, span: Span) -> ExprId {
        let values = self.arguments(args);
        let (&mask, vectors) = values.split_last().expect("it takes two or three arguments");
        let sources: Vec<PlaceId> = vectors.iter().map(|&v| self.in_place(v, span)).collect();
        let count = self.unit.types.vector(ty).map_or(1, |vector| vector.count);
        let element = self.unit.types.vector(ty).map(|vector| vector.element);
        let element = element.map_or(Type::I32, |element| self.ty(element));
        let size = self.unit.types.model.size_type();
        self.each_element(ty, span, |l, number| {
            let index = l.operand_element(mask, number, span);
            let index = l.convert(index, Type::Int(size), span);
            let taken = |l: &mut Self, place| {
                // The number of elements is a power of two.
                let most = l.int(i128::from(count - 1), size, span);
                let within = l.binary(IrOp::BitAnd, index, most, Type::Int(size), span);
                let place = l.element_of(place, within, element, span);
                l.load(place, span)
            };
            let first = taken(l, sources[0]);
            let Some(&second) = sources.get(1) else { return first };
            let second = taken(l, second);
            let bit = l.int(i128::from(count), size, span);
            let bit = l.binary(IrOp::BitAnd, index, bit, Type::Int(size), span);
            let is_second = l.truth_of(bit);
            l.expr(Ir::Ite(is_second, second, first), element, span)
        })
    }

    /// `__builtin_shufflevector(first, second, numbers…)`: -1 stands for any value.
    pub(super) fn shuffle_by_numbers(
        &mut self,
        args: &[ast::ExprId],
        numbers: &[Option<u64>],
        ty: Ty,
        span: Span,
    ) -> ExprId {
        let values = self.arguments(args);
        let count = self.unit.types.vector(self.unit.exprs[args[0]].ty).map_or(1, |v| v.count);
        let element = self.unit.types.vector(ty).map(|vector| vector.element);
        let element = element.map_or(Type::I32, |element| self.ty(element));
        self.each_element(ty, span, |l, number| match numbers[number as usize] {
            Some(from) => l.operand_element(values[(from / count) as usize], from % count, span),
            None => {
                let any = l.temp_place(element, span);
                l.havoc(any, InputKind::Assembly, "__builtin_shufflevector".to_owned(), span);
                l.load(any, span)
            }
        })
    }
}
