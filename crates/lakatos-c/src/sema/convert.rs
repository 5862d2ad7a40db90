//! Implicit conversions made explicit (C11 6.3): lvalues, promotions, the usual arithmetic
//! conversions, assignment.

use lakatos_ir::Span;

use super::{LOOSE_BITS, Res, Sema, error, unsupported};
use crate::ast::{ExprId, ExprKind};
use crate::types::{BitField, CTypes, FloatKind, IntKind, Quals, Ty, TypeKind};

impl Sema {
    pub fn ty(&self, e: ExprId) -> Ty {
        self.exprs[e].ty
    }

    /// Lvalue in the sense of C: a member of a record *value* is not.
    pub fn is_lvalue(&self, mut e: ExprId) -> bool {
        while let ExprKind::Member { base, .. } = self.exprs[e].kind {
            e = base;
        }
        self.exprs[e].kind.is_place()
    }

    /// Lvalue, array and function conversion: the value of an expression.
    pub fn rvalue(&mut self, e: ExprId) -> ExprId {
        let (ty, span) = (self.ty(e), self.exprs[e].span);
        match self.types.kind(ty) {
            TypeKind::Array(elem, _) => {
                let ty = self.types.pointer_to(elem);
                self.expr(ExprKind::Decay(e), ty, span)
            }
            TypeKind::Function(_) => {
                let ty = self.types.pointer_to(ty);
                self.expr(ExprKind::FnDecay(e), ty, span)
            }
            TypeKind::Void => self.drop_void(e),
            _ if self.exprs[e].kind.is_place() => {
                let ty = self.types.unqualified(ty);
                self.expr(ExprKind::Load(e), ty, span)
            }
            _ => e,
        }
    }

    /// `*p` of a `void *`: nothing is read.
    fn drop_void(&mut self, e: ExprId) -> ExprId {
        match self.exprs[e].kind {
            ExprKind::Deref(operand) => {
                let (span, void) = (self.exprs[e].span, self.types.void);
                self.expr(ExprKind::Convert { operand, explicit: false }, void, span)
            }
            _ => e,
        }
    }

    /// Conversion of a value to a scalar type or `void`; no node where nothing changes.
    pub fn convert(&mut self, operand: ExprId, ty: Ty, explicit: bool) -> ExprId {
        let ty = self.types.unqualified(ty);
        // What is cast is no bit-field's value any more: it does not promote by the field's width.
        let stays = !explicit || self.bit_field_value(operand).is_none();
        if self.ty(operand) == ty && stays {
            return operand;
        }
        let span = self.exprs[operand].span;
        self.refuse_other_view(operand, ty);
        if let (ExprKind::Int(value), Some(int)) =
            (&self.exprs[operand].kind, self.types.int_type(ty))
        {
            // Truth values are `!= 0`, and u128 is only a bit pattern: leave both to `constant`.
            let from = self.types.int_type(self.ty(operand));
            if int.bits > 1 && from.is_some_and(|f| !f.is_u128()) {
                let value = int.wrap(*value);
                return self.int_const(value, ty, span);
            }
        }
        if let (&ExprKind::WideFloat(Some(value)), TypeKind::Float(FloatKind::Double)) =
            (&self.exprs[operand].kind, self.types.kind(ty))
        {
            return self.expr(ExprKind::Float(value), ty, span);
        }
        self.expr(ExprKind::Convert { operand, explicit }, ty, span)
    }

    /// The bits of a `_BitInt` that are no part of its value may be anything: no pointer of another
    /// type and no number leads to them.
    fn refuse_other_view(&mut self, operand: ExprId, to: Ty) {
        let types = &self.types;
        if self.is_bool(to) || types.kind(to) == TypeKind::Void {
            return;
        }
        let (from, to) = (types.pointee(self.ty(operand)), types.pointee(to));
        let is_loose = |ty: Option<Ty>| ty.is_some_and(|ty| types.has_loose_bits(ty));
        let same = from.zip(to).is_some_and(|(a, b)| types.kind(a) == types.kind(b));
        if !same && (is_loose(from) || is_loose(to)) && !self.is_null_constant(operand) {
            self.use_opaque(LOOSE_BITS, self.exprs[operand].span);
        }
    }

    /// Refuses what uses a bit-precise type in this way.
    pub fn refuse_bit_precise(&mut self, ty: Ty, what: &'static str, span: Span) {
        if self.types.int_kind(ty).is_some_and(IntKind::is_bit_precise) {
            self.use_opaque(what, span);
        }
    }

    /// The bit-field whose value an expression has: read from it, or just stored there.
    pub fn bit_field_value(&self, e: ExprId) -> Option<BitField> {
        match self.exprs[e].kind {
            ExprKind::Load(place)
            | ExprKind::Assign { lhs: place, .. }
            | ExprKind::AssignOp { lhs: place, .. }
            | ExprKind::IncDec { lhs: place, .. } => self.bit_field(place),
            ExprKind::Comma(_, value) | ExprKind::StmtExpr { result: Some(value), .. } => {
                self.bit_field_value(value)
            }
            _ => None,
        }
    }

    /// GCC gives the value of a narrow bit-field an integer type of the field's width, which has no
    /// name.
    pub fn require_own_type(&self, e: ExprId) -> Res<()> {
        let declared = self.types.int_type(self.ty(e)).map(|int| int.bits);
        match self.bit_field_value(e) {
            Some(bits) if Some(bits.width) != declared => {
                unsupported(self.exprs[e].span, "the type of a bit-field's value")
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The bit-field a place is.
    pub fn bit_field(&self, place: ExprId) -> Option<BitField> {
        match self.exprs[place].kind {
            ExprKind::Member { base, field } => {
                let record = self.types.record(self.ty(base))?;
                self.types.records[record].fields[field as usize].bits
            }
            _ => None,
        }
    }

    /// C11 6.3.1.1p2. A bit-field narrower than `int` promotes to `int`; one wider than `int`
    /// keeps its declared type (see [`Sema::require_plain`]).
    fn promoted_kind(&self, e: ExprId) -> Option<IntKind> {
        let kind = self.types.int_kind(self.ty(e))?;
        if let Some(bits) = self.bit_field_value(e) {
            let signed = kind.int_type(self.types.model).signed;
            if bits.width < 32 || (bits.width == 32 && signed) {
                return Some(IntKind::Int);
            }
            if bits.width == 32 {
                return Some(IntKind::UInt);
            }
        }
        Some(if kind.is_promoted() { IntKind::Int } else { kind })
    }

    /// Integer promotion of a value; other types stay.
    pub fn promote(&mut self, e: ExprId) -> ExprId {
        match self.promoted_kind(e) {
            Some(kind) => self.convert(e, CTypes::int_ty(kind), false),
            None => e,
        }
    }

    /// A bit-field wider than `int` and narrower than its declared type.
    fn is_wide_bit_field(&self, e: ExprId) -> Option<u16> {
        let bits = self.bit_field_value(e)?;
        let declared = self.types.int_type(self.ty(e)).map_or(0, |int| int.bits);
        (bits.width > 32 && bits.width < declared).then_some(bits.width)
    }

    /// GCC computes with a bit-field wider than `int` in as many bits as it has, Clang in its
    /// declared type: a result of such a type is unsupported, unless the `other` operand makes it
    /// the same.
    pub fn require_plain(&self, e: ExprId, other: Option<ExprId>, compares: bool) -> Res<()> {
        if self.is_wide_bit_field(e).is_none() {
            return Ok(());
        }
        let bits_of = |kind: Option<IntKind>| kind.map(|k| k.int_type(self.types.model));
        let declared = bits_of(self.promoted_kind(e));
        let same = other.is_some_and(|other| {
            let narrow = self.is_wide_bit_field(other);
            let ty = bits_of(self.promoted_kind(other));
            let is_float = ty.is_none();
            let wide = narrow.is_none() && ty.map(|t| t.bits) >= declared.map(|t| t.bits);
            let small = || self.constant_int(other).is_some_and(|v| (0..1 << 31).contains(&v));
            let alike = || narrow.is_some() && ty.map(|t| t.signed) == declared.map(|t| t.signed);
            is_float || wide || compares && (small() || alike())
        });
        match same {
            true => Ok(()),
            false => {
                let construct = "arithmetic in the width of a bit-field wider than `int`";
                unsupported(self.exprs[e].span, construct)
            }
        }
    }

    /// Default argument promotions (6.5.2.2p6).
    pub fn promote_argument(&mut self, e: ExprId) -> ExprId {
        match self.types.kind(self.ty(e)) {
            TypeKind::Float(FloatKind::Float) => {
                let double = self.types.float_ty(FloatKind::Double);
                self.convert(e, double, false)
            }
            _ => {
                let what = "a `_BitInt` among variable arguments";
                self.refuse_bit_precise(self.ty(e), what, self.exprs[e].span);
                // Nothing says what the function finds there.
                if self.types.pointee(self.ty(e)).is_some_and(|ty| self.types.has_loose_bits(ty)) {
                    self.use_opaque(LOOSE_BITS, self.exprs[e].span);
                }
                self.promote(e)
            }
        }
    }

    /// The common type of two arithmetic operands (6.3.1.8).
    pub fn common_type(&mut self, a: ExprId, b: ExprId) -> Ty {
        let (ta, tb) = (self.types.kind(self.ty(a)), self.types.kind(self.ty(b)));
        let float = |k| match k {
            TypeKind::Float(f) | TypeKind::Complex(f) => Some(f),
            _ => None,
        };
        if let Some(kind) = float(ta).max(float(tb)) {
            let complex = matches!((ta, tb), (TypeKind::Complex(_), _) | (_, TypeKind::Complex(_)));
            return match complex {
                true => self.types.intern(TypeKind::Complex(kind)),
                false => self.types.float_ty(kind),
            };
        }
        let (a, b) = (self.promoted_kind(a), self.promoted_kind(b));
        let kind = match (a, b) {
            (Some(a), Some(b)) => self.common_int(a, b),
            (Some(kind), None) | (None, Some(kind)) => kind,
            (None, None) => IntKind::Int,
        };
        CTypes::int_ty(kind)
    }

    fn common_int(&self, a: IntKind, b: IntKind) -> IntKind {
        let int = |k: IntKind| k.int_type(self.types.model);
        let rank = |k: IntKind| k.rank(self.types.model);
        let (signed, unsigned) = match (int(a).signed, int(b).signed) {
            (x, y) if x == y => return if rank(a) >= rank(b) { a } else { b },
            (true, _) => (a, b),
            (false, _) => (b, a),
        };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if int(signed).bits > int(unsigned).bits {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// `0`, `(void *)0` and other integer constant expressions that are zero.
    pub fn is_null_constant(&self, e: ExprId) -> bool {
        match self.exprs[e].kind {
            ExprKind::Int(0) => true,
            ExprKind::Convert { operand, .. } => {
                let ty = self.ty(e);
                let void_pointer = self
                    .types
                    .pointee(ty)
                    .is_some_and(|p| self.types.is_void(p) && self.types.quals(p) == Quals::NONE);
                (void_pointer || self.types.is_integer(ty)) && self.is_null_constant(operand)
            }
            _ if self.types.is_integer(self.ty(e)) => self.constant_int(e) == Some(0),
            _ => false,
        }
    }

    /// Conversion as if by assignment (6.5.16.1). `what` names the target for messages.
    pub fn assign_convert(&mut self, e: ExprId, to: Ty, what: &str) -> Res<ExprId> {
        let e = self.rvalue(e);
        let (from, to) = (self.ty(e), self.types.unqualified(to));
        if from == to {
            return Ok(e);
        }
        let span = self.exprs[e].span;
        self.use_type(to, span);
        let t = &self.types;
        let ok = if t.is_arithmetic(to) && t.is_arithmetic(from) {
            true
        } else if t.is_pointer(to) && t.is_pointer(from) {
            self.check_pointer_assignment(e, to, what);
            true
        } else if t.is_pointer(to) && t.is_integer(from) {
            if !self.is_null_constant(e) {
                self.warn(span, format!("{what} makes a pointer from an integer without a cast"));
            }
            true
        } else if t.is_integer(to) && t.is_pointer(from) {
            if t.int_kind(to) != Some(IntKind::Bool) {
                self.warn(span, format!("{what} makes an integer from a pointer without a cast"));
            }
            true
        } else if let (TypeKind::Record(a), TypeKind::Record(b)) = (t.kind(from), t.kind(to)) {
            if a == b && t.records[a].complete {
                return Ok(e);
            }
            false
        } else if self.is_vector_like(to, from) {
            true
        } else {
            t.kind(from) == TypeKind::VaList && t.kind(to) == TypeKind::VaList
        };
        if !ok {
            let (from, to) = (self.show(from), self.show(to));
            return error(span, format!("{what} needs a value of type `{to}`, this is `{from}`"));
        }
        Ok(self.convert(e, to, false))
    }

    fn check_pointer_assignment(&mut self, e: ExprId, to: Ty, what: &str) {
        let from = self.ty(e);
        let (Some(a), Some(b)) = (self.types.pointee(from), self.types.pointee(to)) else { return };
        let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
        let void = self.types.is_void(a) || self.types.is_void(b);
        if !void && !self.compatible(a, b) && !self.is_null_constant(e) {
            let (span, from, to) = (self.exprs[e].span, self.show(from), self.show(to));
            self.warn(span, format!("{what} turns `{from}` into `{to}`"));
        }
    }
}
