//! Making IR expressions and places: conversions, truth values, constants, depths.

use lakatos_ir::{
    BinOp, Expr, ExprId, ExprKind, FloatType, Id, IntType, MAX_DEPTH, Place, PlaceId, PlaceKind,
    Span, Type, UnOp, VarId, VarKind,
};

use super::Lower;
use super::expr::COMPLEX;

/// A C expression adds at most this many levels of IR expressions and places to its operands'.
const LEVELS: u32 = 6;
/// Deeper values are saved in a temporary, so that one more operator stays below the limit.
const SPILL_DEPTH: u32 = MAX_DEPTH - 2 * LEVELS;
/// C expressions up to this depth never need a temporary because of their depth.
pub(super) const LAZY_DEPTH: u32 = SPILL_DEPTH / LEVELS;

impl Lower<'_> {
    pub(super) fn expr(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        let depth = match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::Function(_) => 0,
            ExprKind::Load(p) | ExprKind::AddrOf(p) => self.place_depth[p.index()],
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr_depth[a.index()],
            ExprKind::Binary(_, a, b)
            | ExprKind::Overflows(_, a, b, _)
            | ExprKind::PtrAdd(a, b)
            | ExprKind::PtrDiff(a, b) => self.expr_depth[a.index()].max(self.expr_depth[b.index()]),
            ExprKind::Ite(c, a, b) => {
                let branches = self.expr_depth[a.index()].max(self.expr_depth[b.index()]);
                branches.max(self.expr_depth[c.index()])
            }
        };
        self.expr_depth.push(depth + 1);
        self.ir.exprs.push(Expr { kind, ty, span })
    }

    pub(super) fn new_place(&mut self, kind: PlaceKind, ty: Type, span: Span) -> PlaceId {
        let depth = match kind {
            PlaceKind::Var(_) => 0,
            PlaceKind::Deref(e) => self.expr_depth[e.index()],
            PlaceKind::Index(p, e) => self.place_depth[p.index()].max(self.expr_depth[e.index()]),
            PlaceKind::Field(p, _) => self.place_depth[p.index()],
        };
        self.place_depth.push(depth + 1);
        self.ir.places.push(Place { kind, ty, span })
    }

    /// The value, in a temporary if it is nested too deep.
    pub(super) fn limit(&mut self, value: ExprId) -> ExprId {
        match u32::from(self.expr_depth[value.index()]) > SPILL_DEPTH {
            true => self.spill(value),
            false => value,
        }
    }

    /// The place, through a pointer in a temporary if it is nested too deep.
    pub(super) fn limit_place(&mut self, place: PlaceId) -> PlaceId {
        if u32::from(self.place_depth[place.index()]) <= SPILL_DEPTH {
            return place;
        }
        let Place { ty, span, .. } = self.ir.places[place];
        let pointer = self.pointer_to(ty);
        let address = self.address_of(place, pointer, span);
        let address = self.spill(address);
        self.new_place(PlaceKind::Deref(address), ty, span)
    }

    pub(super) fn type_of(&self, value: ExprId) -> Type {
        self.ir.exprs[value].ty
    }

    pub(super) fn var_place(&mut self, var: VarId, span: Span) -> PlaceId {
        let ty = self.ir.vars[var].ty;
        self.new_place(PlaceKind::Var(var), ty, span)
    }

    pub(super) fn load_var(&mut self, var: VarId, span: Span) -> ExprId {
        let place = self.var_place(var, span);
        self.load(place, span)
    }

    pub(super) fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.ir.places[place].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    pub(super) fn int(&mut self, value: i128, int: IntType, span: Span) -> ExprId {
        self.expr(ExprKind::Int(int.wrap(value)), Type::Int(int), span)
    }

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        ty: Type,
        span: Span,
    ) -> ExprId {
        self.expr(ExprKind::Binary(op, a, b), ty, span)
    }

    /// The all-zero value of a type.
    pub(super) fn zero(&mut self, ty: Type, span: Span) -> ExprId {
        let kind = match ty {
            Type::Float(_) => ExprKind::Float(0f64.to_bits()),
            Type::Pointer(_) => ExprKind::Null,
            Type::Array(..) | Type::Record(_) => ExprKind::Zero,
            Type::Int(_) | Type::Void | Type::Function(_) => ExprKind::Int(0),
        };
        self.expr(kind, ty, span)
    }

    /// C's conversion between scalar types.
    pub(super) fn convert(&mut self, value: ExprId, to: Type, span: Span) -> ExprId {
        let from = self.type_of(value);
        if from == to || to == Type::Void {
            return value;
        }
        if !from.is_scalar() || !to.is_scalar() {
            return self.unsupported_value(to, span, COMPLEX);
        }
        if to == Type::BOOL {
            return self.truth_of(value);
        }
        let kind = match (self.ir.exprs[value].kind.clone(), to) {
            (ExprKind::Int(c), Type::Int(int)) => ExprKind::Int(int.wrap(c)),
            (ExprKind::Int(0), Type::Pointer(_)) | (ExprKind::Null, Type::Pointer(_)) => {
                ExprKind::Null
            }
            (ExprKind::Null, Type::Int(_)) => ExprKind::Int(0),
            // Every float type has at least 24 bits of precision.
            (ExprKind::Int(c), Type::Float(_)) if c.unsigned_abs() <= 1 << 24 && !is_u128(from) => {
                ExprKind::Float((c as f64).to_bits())
            }
            (ExprKind::Float(bits), Type::Float(FloatType::F64)) if from == F32 => {
                ExprKind::Float(bits)
            }
            // The integer of a truth value is the same in every integer type.
            (ExprKind::Cast(inner), Type::Int(_))
                if from.as_int().is_some() && self.type_of(inner) == Type::BOOL =>
            {
                ExprKind::Cast(inner)
            }
            _ => ExprKind::Cast(value),
        };
        self.expr(kind, to, span)
    }

    /// `value != 0` as a truth value.
    pub(super) fn truth_of(&mut self, value: ExprId) -> ExprId {
        let Expr { ref kind, ty, span } = self.ir.exprs[value];
        if ty == Type::BOOL {
            return value;
        }
        if !ty.is_scalar() {
            return self.unsupported_value(Type::BOOL, span, COMPLEX);
        }
        match *kind {
            ExprKind::Int(c) => self.int(i128::from(c != 0), IntType::BOOL, span),
            ExprKind::Null => self.int(0, IntType::BOOL, span),
            ExprKind::Cast(inner) if ty.as_int().is_some() && self.type_of(inner) == Type::BOOL => {
                inner
            }
            _ => {
                let zero = self.zero(ty, span);
                self.binary(BinOp::Ne, value, zero, Type::BOOL, span)
            }
        }
    }

    /// Not the truth value: comparisons are turned round, except of floats, where `!(a < b)` is
    /// not `a >= b`.
    pub(super) fn negate(&mut self, truth: ExprId) -> ExprId {
        let Expr { ref kind, span, .. } = self.ir.exprs[truth];
        let kind = match *kind {
            ExprKind::Int(c) => ExprKind::Int(1 - c),
            ExprKind::Unary(UnOp::Not, inner) => return inner,
            ExprKind::Binary(op, a, b) if !matches!(self.type_of(a), Type::Float(_)) => {
                match op.negated() {
                    Some(op) => ExprKind::Binary(op, a, b),
                    None => ExprKind::Unary(UnOp::Not, truth),
                }
            }
            _ => ExprKind::Unary(UnOp::Not, truth),
        };
        self.expr(kind, Type::BOOL, span)
    }

    /// C's `int` for a truth value.
    pub(super) fn int_of(&mut self, truth: ExprId, span: Span) -> ExprId {
        self.convert(truth, Type::I32, span)
    }

    /// No side effect changes the value: constants, addresses of variables, temporaries (which
    /// are assigned before they are read and never after).
    pub(super) fn is_stable(&self, value: ExprId) -> bool {
        match self.ir.exprs[value].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::Function(_) => true,
            ExprKind::AddrOf(place) => self.is_stable_place(place),
            ExprKind::Load(place) => match self.ir.places[place].kind {
                PlaceKind::Var(var) => {
                    let var = &self.ir.vars[var];
                    matches!(var.kind, VarKind::Temp(_)) && !var.address_taken
                }
                _ => false,
            },
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.is_stable(a),
            ExprKind::Binary(..)
            | ExprKind::Overflows(..)
            | ExprKind::Ite(..)
            | ExprKind::PtrAdd(..)
            | ExprKind::PtrDiff(..) => false,
        }
    }

    /// No side effect changes which place it is.
    pub(super) fn is_stable_place(&self, place: PlaceId) -> bool {
        match self.ir.places[place].kind {
            PlaceKind::Var(_) => true,
            PlaceKind::Field(base, _) => self.is_stable_place(base),
            PlaceKind::Index(base, index) => self.is_stable_place(base) && self.is_stable(index),
            PlaceKind::Deref(pointer) => self.is_stable(pointer),
        }
    }

    /// Evaluating may be undefined, so it must not be left out where the value is not used.
    pub(super) fn may_be_undefined(&self, value: ExprId) -> bool {
        match self.ir.exprs[value].kind {
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.may_fail(place),
            ExprKind::Cast(a) => {
                let floats = |ty| matches!(ty, Type::Float(_));
                self.may_be_undefined(a)
                    || (floats(self.type_of(a)) && !floats(self.type_of(value)))
            }
            ExprKind::Unary(UnOp::Not | UnOp::BitNot, a) => self.may_be_undefined(a),
            ExprKind::Binary(op, a, b) if op.is_comparison() || op.is_lazy() => {
                matches!(self.type_of(a), Type::Pointer(_))
                    || self.may_be_undefined(a)
                    || self.may_be_undefined(b)
            }
            ExprKind::Unary(UnOp::Neg, _)
            | ExprKind::Binary(..)
            | ExprKind::Ite(..)
            | ExprKind::PtrAdd(..)
            | ExprKind::PtrDiff(..) => true,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::Overflows(..)
            | ExprKind::Function(_) => false,
        }
    }

    pub(super) fn may_fail(&self, place: PlaceId) -> bool {
        match self.ir.places[place].kind {
            PlaceKind::Var(_) => false,
            PlaceKind::Field(base, _) => self.may_fail(base),
            PlaceKind::Index(..) | PlaceKind::Deref(_) => true,
        }
    }

    /// The value is not used.
    pub(super) fn discard(&mut self, value: ExprId) {
        if self.may_be_undefined(value) {
            self.spill(value);
        }
    }
}

const F32: Type = Type::Float(FloatType::F32);

fn is_u128(ty: Type) -> bool {
    ty.as_int().is_some_and(IntType::is_u128)
}
