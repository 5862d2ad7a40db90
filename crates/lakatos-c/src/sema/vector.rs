//! Typing rules of GCC's vectors: operators apply to elements, without promotions.

use lakatos_ir::Span;

use super::{Res, Sema, error, unsupported};
use crate::ast::{BinOp, CBuiltin, ExprId, ExprKind};
use crate::types::{FloatKind, IntKind, Opaque, Ty, TypeKind};

impl Sema {
    /// An operator with a vector on one side or on both. A number on the other side counts for each
    /// element.
    pub(super) fn vector_binary(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Res<ExprId> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (ty, vector) = match (self.types.vector(ta), self.types.vector(tb)) {
            (Some(left), Some(right)) if left == right => (ta, left),
            // The other operand of a shift only has to have as many elements.
            (Some(left), Some(right))
                if matches!(op, BinOp::Shl | BinOp::Shr) && left.count == right.count =>
            {
                (ta, left)
            }
            (Some(left), None) if self.types.is_arithmetic(tb) => (ta, left),
            (None, Some(right)) if self.types.is_arithmetic(ta) => (tb, right),
            // GCC converts some of these, Clang others.
            (Some(_), Some(_)) => return unsupported(span, "an operator on vectors of two types"),
            _ => return self.operand_error(span, op.ir().symbol(), &[a, b]),
        };
        let only_integers = matches!(
            op,
            BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shl | BinOp::Shr
        );
        let is_float = |s: &Sema, ty: Ty| {
            let element = s.types.vector(ty).map_or(ty, |vector| vector.element);
            s.types.is_float(element)
        };
        // An integer may stand beside a vector of floats, not the other way round.
        let has_float = is_float(self, ta) || is_float(self, tb);
        if has_float && (only_integers || !is_float(self, ty)) {
            return self.operand_error(span, op.ir().symbol(), &[a, b]);
        }
        let [a, b] = [a, b].map(|operand| match self.types.vector(self.ty(operand)) {
            Some(_) => operand,
            None => self.convert(operand, vector.element, false),
        });
        let result = match op.is_comparison() {
            true => self.truths_of(ty, span)?,
            false => ty,
        };
        Ok(self.expr(ExprKind::Binary(op, a, b), result, span))
    }

    /// `__real__ z` and `__imag__ z`: an lvalue if the number is one.
    pub fn complex_part(&mut self, number: ExprId, real: bool, span: Span) -> ExprId {
        let ty = self.ty(number);
        let Some(parts) = self.types.parts(ty) else { return number };
        let ty = self.types.qualify(parts.element, self.types.quals(ty));
        let index = self.int_const(i128::from(!real), self.types.int, span);
        self.expr(ExprKind::Index { base: number, index }, ty, span)
    }

    /// `__builtin_complex(re, im)`.
    pub(super) fn complex_builtin(&mut self, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let args: Vec<ExprId> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let kind_of = |s: &Sema, e: ExprId| match s.types.kind(s.ty(e)) {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        };
        match args[..] {
            [re, im]
                if let Some(kind) = kind_of(self, re)
                    && kind_of(self, im) == Some(kind) =>
            {
                Ok(self.complex_of(re, im, kind, span))
            }
            _ => error(span, "this takes two floating-point numbers of one type"),
        }
    }

    /// A complex number of two parts.
    pub fn complex_of(&mut self, re: ExprId, im: ExprId, kind: FloatKind, span: Span) -> ExprId {
        let ty = self.types.intern(TypeKind::Complex(kind));
        let builtin = CBuiltin::Complex;
        self.expr(ExprKind::Builtin { builtin, args: vec![re, im] }, ty, span)
    }

    /// The type of a comparison: signed integers as wide as the elements.
    fn truths_of(&mut self, ty: Ty, span: Span) -> Res<Ty> {
        let TypeKind::Opaque(Opaque::Vector { element, bytes }) = self.types.kind(ty) else {
            return unsupported(span, "a comparison of these vectors");
        };
        let size = self.types.size(element);
        let kinds =
            [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let fits =
            |kind: &IntKind| Some(u64::from(kind.int_type(self.types.model).bits / 8)) == size;
        let Some(kind) = kinds.into_iter().find(fits) else {
            return unsupported(span, "a comparison of these vectors");
        };
        let element = self.types.intern(TypeKind::Int(kind));
        Ok(self.types.intern(TypeKind::Opaque(Opaque::Vector { element, bytes })))
    }

    /// Vectors of integers of one width: what a comparison gives may become one of unsigned integers.
    pub(super) fn is_vector_like(&self, to: Ty, from: Ty) -> bool {
        let (Some(to), Some(from)) = (self.types.vector(to), self.types.vector(from)) else {
            return false;
        };
        let are_integers = [to, from].iter().all(|v| self.types.is_integer(v.element));
        let sizes = [to, from].map(|v| self.types.size(v.element));
        are_integers && to.count == from.count && sizes[0] == sizes[1]
    }

    /// `__builtin_convertvector(vector, type)`.
    pub fn convert_vector(&mut self, vector: ExprId, ty: Ty, span: Span) -> Res<ExprId> {
        let vector = self.rvalue(vector);
        let ty = self.types.unqualified(ty);
        let counts = [self.ty(vector), ty].map(|ty| self.types.vector(ty).map(|v| v.count));
        if counts[0].is_none() || counts[0] != counts[1] {
            return unsupported(span, "a call of `__builtin_convertvector` like this");
        }
        let builtin = CBuiltin::ConvertVector;
        Ok(self.expr(ExprKind::Builtin { builtin, args: vec![vector] }, ty, span))
    }

    /// A cast of a vector gives another type to the same bits.
    pub(super) fn has_bits_of(&self, to: Ty, from: Ty) -> bool {
        let t = &self.types;
        let fits = |ty: Ty| t.vector(ty).is_some() || t.is_integer(ty);
        let one_is = t.vector(to).or(t.vector(from)).is_some();
        one_is && fits(to) && fits(from) && t.size(to) == t.size(from)
    }

    /// `__builtin_shuffle` and `__builtin_shufflevector`.
    pub(super) fn shuffle_builtin(
        &mut self,
        by_numbers: bool,
        args: Vec<ExprId>,
        span: Span,
    ) -> Res<ExprId> {
        let args: Vec<ExprId> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let vector_of = |s: &Sema, e: &ExprId| s.types.vector(s.ty(*e));
        let vectors = args.iter().take_while(|e| vector_of(self, e).is_some()).count();
        let Some(first) = args.first().and_then(|e| vector_of(self, e)) else {
            return error(span, "this takes vectors");
        };
        if !by_numbers {
            let mask = args.last().and_then(|e| vector_of(self, e));
            let is_mask = mask.is_some_and(|mask| {
                mask.count == first.count && self.types.is_integer(mask.element)
            });
            let same = args[..vectors - 1].iter().all(|e| vector_of(self, e) == Some(first));
            if vectors != args.len() || !matches!(vectors, 2 | 3) || !is_mask || !same {
                return error(span, "this takes one or two vectors and a mask of integers");
            }
            let ty = self.ty(args[0]);
            let builtin = CBuiltin::Shuffle;
            return Ok(self.expr(ExprKind::Builtin { builtin, args }, ty, span));
        }
        let second = args.get(1).and_then(|e| vector_of(self, e));
        let numbers: Option<Vec<i128>> =
            args.iter().skip(2).map(|&e| self.constant_int(e)).collect();
        let (Some(second), Some(numbers)) = (second, numbers) else {
            return error(span, "this takes two vectors and constant numbers of elements");
        };
        let count = numbers.len() as u64;
        let inside = |&n: &i128| (-1..i128::from(first.count + second.count)).contains(&n);
        if first != second
            || vectors != 2
            || !count.is_power_of_two()
            || !numbers.iter().all(inside)
        {
            return unsupported(span, "a call of `__builtin_shufflevector` like this");
        }
        let element = first.element;
        let bytes = count * self.types.size(element).unwrap_or(1);
        let ty = self.types.intern(TypeKind::Opaque(Opaque::Vector { element, bytes }));
        let builtin = CBuiltin::ShuffleNumbers;
        let numbers = numbers.into_iter().map(|n| self.int_const(n, self.types.int, span));
        let args = args[..2].iter().copied().chain(numbers).collect();
        Ok(self.expr(ExprKind::Builtin { builtin, args }, ty, span))
    }
}
