//! Expressions over values of which some are unknown.
//!
//! The meaning is that of [`lakatos_encode::expr`]: an operation that is undefined for the values
//! it gets ends the path, unless a lazy operator may have kept it from being evaluated. What
//! formulas take for opaque is unknown here. Knowing less than the formula is always allowed;
//! ending a path that the formula has is not.

use lakatos_ir::{
    BinOp, Expr, ExprId, ExprKind, IntType, PlaceId, PlaceKind, SignedOverflow, UnOp, Undefined,
    VarId, arith,
};

use super::values::Values;
use crate::semantics::Semantics;

/// `Ok(None)`: any value. `Err`: the path ends here.
pub(super) type Partial = Result<Option<i128>, Undefined>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluator<'a, 'p> {
    pub semantics: &'a Semantics<'p>,
}

impl Evaluator<'_, '_> {
    fn wraps(self) -> bool {
        self.semantics.machine().signed_overflow == SignedOverflow::Wrap
    }

    fn expr(&self, id: ExprId) -> &Expr {
        &self.semantics.program.exprs[id]
    }

    pub fn integer(self, id: ExprId) -> Option<IntType> {
        self.expr(id).ty.as_int()
    }

    /// The tracked variable that a place is.
    pub fn variable(self, place: PlaceId) -> Option<VarId> {
        match self.semantics.program.places[place].kind {
            PlaceKind::Var(var) if self.semantics.tracks(var) => Some(var),
            _ => None,
        }
    }

    pub fn value(self, values: &Values, id: ExprId) -> Partial {
        let expr = self.expr(id);
        // What is no integer is opaque, operands included: nothing in it ends a path.
        let Some(ty) = expr.ty.as_int() else { return Ok(None) };
        match expr.kind {
            ExprKind::Int(value) => Ok(Some(value)),
            ExprKind::Load(place) => Ok(self.variable(place).and_then(|var| values.get(var))),
            ExprKind::Unary(op, a) => self.unary(values, op, a),
            ExprKind::Binary(op, a, b) if op.is_lazy() => self.lazy(values, op, a, b),
            ExprKind::Binary(op, a, b) => self.binary(values, op, a, b),
            ExprKind::Overflows(op, a, b, to) => {
                let (x, y) = (self.value(values, a)?, self.value(values, b)?);
                if op == lakatos_ir::Arith::Div && y == Some(0) {
                    return Err(Undefined::DivByZero);
                }
                let (Some(x), Some(y)) = (x.zip(self.integer(a)), y.zip(self.integer(b))) else {
                    return Ok(None);
                };
                Ok(Some(i128::from(!arith::fits(op, x, y, to))))
            }
            ExprKind::Cast(a) => Ok(self.value(values, a)?.map(|value| ty.wrap(value))),
            ExprKind::Ite(condition, yes, no) => match self.value(values, condition)? {
                Some(0) => self.value(values, no),
                Some(_) => self.value(values, yes),
                None => match (self.value(values, yes), self.value(values, no)) {
                    (Ok(Some(x)), Ok(Some(y))) if x == y => Ok(Some(x)),
                    _ => Ok(None),
                },
            },
            _ => Ok(None),
        }
    }

    fn unary(self, values: &Values, op: UnOp, a: ExprId) -> Partial {
        let (value, ty) = (self.value(values, a)?, self.integer(a));
        match value.zip(ty) {
            Some((value, ty)) if op == UnOp::Not || ty != IntType::BOOL => {
                arith::unary(op, value, ty, self.wraps()).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn lazy(self, values: &Values, op: BinOp, a: ExprId, b: ExprId) -> Partial {
        // The value of the left operand that decides.
        let decisive = i128::from(op == BinOp::Or);
        match self.value(values, a)? {
            Some(left) if left == decisive => Ok(Some(decisive)),
            Some(_) => self.value(values, b),
            // The right operand may not be evaluated: if it is undefined, nothing is known.
            None => match self.value(values, b) {
                Ok(Some(right)) if right == decisive => Ok(Some(decisive)),
                _ => Ok(None),
            },
        }
    }

    fn binary(self, values: &Values, op: BinOp, a: ExprId, b: ExprId) -> Partial {
        let (x, y) = (self.value(values, a)?, self.value(values, b)?);
        let Some(ty) = self.integer(a) else { return Ok(None) };
        match (x, y) {
            (Some(x), Some(y)) if op.is_comparison() => {
                Ok(Some(i128::from(arith::compare(op, x, y, ty))))
            }
            (Some(x), Some(y)) if ty != IntType::BOOL || is_bitwise(op) => {
                arith::binary(op, x, y, ty, self.wraps()).map(Some)
            }
            (_, Some(0)) if matches!(op, BinOp::Div | BinOp::Rem) => Err(Undefined::DivByZero),
            (Some(0), _) | (_, Some(0)) if matches!(op, BinOp::Mul | BinOp::BitAnd) => Ok(Some(0)),
            _ => Ok(None),
        }
    }

    /// What follows for variables if an expression has a value; `false`: it cannot have it.
    pub fn constrain(self, values: &mut Values, id: ExprId, is: i128) -> bool {
        match self.value(values, id) {
            Ok(Some(known)) => return known == is,
            Ok(None) => {}
            Err(_) => return true,
        }
        let expr = self.expr(id);
        let Some(ty) = expr.ty.as_int() else { return true };
        match expr.kind {
            ExprKind::Load(place) => {
                if let Some(var) = self.variable(place) {
                    values.set(var, is);
                }
                true
            }
            ExprKind::Cast(a) => self.constrain_cast(values, a, ty, is),
            ExprKind::Unary(op, a) => {
                let Some(of) = self.integer(a) else { return true };
                match op {
                    UnOp::Not if of == IntType::BOOL => self.constrain(values, a, 1 - is),
                    UnOp::Neg if of != IntType::BOOL => {
                        self.constrain(values, a, of.wrap(is.wrapping_neg()))
                    }
                    UnOp::BitNot if of != IntType::BOOL => self.constrain(values, a, of.wrap(!is)),
                    _ => true,
                }
            }
            ExprKind::Binary(op, a, b) if op.is_lazy() => self.constrain_lazy(values, op, a, b, is),
            ExprKind::Binary(BinOp::Eq, a, b) => self.constrain_equality(values, a, b, is == 1),
            ExprKind::Binary(BinOp::Ne, a, b) => self.constrain_equality(values, a, b, is == 0),
            ExprKind::Binary(op, a, b) => self.constrain_sum(values, op, (a, b), ty, is),
            _ => true,
        }
    }

    /// A conversion that loses nothing goes back.
    fn constrain_cast(self, values: &mut Values, a: ExprId, to: IntType, is: i128) -> bool {
        match self.integer(a) {
            Some(from) if from.bits <= to.bits => {
                let before = from.wrap(is);
                to.wrap(before) == is && self.constrain(values, a, before)
            }
            _ => true,
        }
    }

    fn constrain_lazy(
        self,
        values: &mut Values,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        is: i128,
    ) -> bool {
        let decisive = i128::from(op == BinOp::Or);
        if is != decisive {
            return self.constrain(values, a, is) && self.constrain(values, b, is);
        }
        match self.value(values, a) {
            Ok(Some(left)) if left != decisive => self.constrain(values, b, is),
            _ => true,
        }
    }

    fn constrain_equality(self, values: &mut Values, a: ExprId, b: ExprId, equal: bool) -> bool {
        let (unknown, known) = match (self.value(values, a), self.value(values, b)) {
            (Ok(None), Ok(Some(known))) => (a, known),
            (Ok(Some(known)), Ok(None)) => (b, known),
            _ => return true,
        };
        if equal {
            return self.constrain(values, unknown, known);
        }
        // One of two values is the other one.
        match self.two_values(unknown) {
            Some([no, yes]) if known == no => self.constrain(values, unknown, yes),
            Some([no, yes]) if known == yes => self.constrain(values, unknown, no),
            _ => true,
        }
    }

    /// The one operand that gives the result together with a known one. It is so modulo the
    /// type's width, whatever overflow means: where that is undefined, the exact operand is among
    /// those that are congruent, and there is only one.
    fn constrain_sum(
        self,
        values: &mut Values,
        op: BinOp,
        (a, b): (ExprId, ExprId),
        ty: IntType,
        is: i128,
    ) -> bool {
        if ty == IntType::BOOL || !matches!(op, BinOp::Add | BinOp::Sub | BinOp::BitXor) {
            return true;
        }
        let (unknown, other) = match (self.value(values, a), self.value(values, b)) {
            (Ok(None), Ok(Some(right))) => match op {
                BinOp::Add => (a, is.wrapping_sub(right)),
                BinOp::Sub => (a, is.wrapping_add(right)),
                _ => (a, is ^ right),
            },
            (Ok(Some(left)), Ok(None)) => match op {
                BinOp::Add => (b, is.wrapping_sub(left)),
                BinOp::Sub => (b, left.wrapping_sub(is)),
                _ => (b, is ^ left),
            },
            _ => return true,
        };
        self.constrain(values, unknown, ty.wrap(other))
    }

    /// The values of an expression that has only two: a truth value, however wide.
    pub fn two_values(self, id: ExprId) -> Option<[i128; 2]> {
        let expr = self.expr(id);
        match (expr.ty.as_int()?, &expr.kind) {
            (IntType::BOOL, _) => Some([0, 1]),
            (to, ExprKind::Cast(a)) if self.integer(*a) == Some(IntType::BOOL) => {
                Some([0, to.wrap(1)])
            }
            (to, ExprKind::Cast(a)) if self.integer(*a)?.bits <= to.bits => {
                Some(self.two_values(*a)?.map(|value| to.wrap(value)))
            }
            _ => None,
        }
    }

    /// The tracked variables that an expression reads.
    pub fn reads(self, id: ExprId, found: &mut Vec<VarId>) {
        match self.expr(id).kind {
            ExprKind::Load(place) => found.extend(self.variable(place)),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.reads(a, found),
            ExprKind::Binary(_, a, b) | ExprKind::Overflows(_, a, b, _) => {
                self.reads(a, found);
                self.reads(b, found);
            }
            ExprKind::Ite(condition, yes, no) => {
                self.reads(condition, found);
                self.reads(yes, found);
                self.reads(no, found);
            }
            _ => {}
        }
    }

    /// Whether a condition, which holds or not, may leave few values to what it reads, but one that is
    /// seen at once. What differs from a number, or has a bit, may be almost anything.
    pub fn leaves_few(self, condition: ExprId) -> bool {
        let is_number = |id: ExprId| matches!(self.expr(id).kind, ExprKind::Int(_));
        match self.expr(condition).kind {
            ExprKind::Load(_) => false,
            ExprKind::Cast(inner) | ExprKind::Unary(UnOp::Not, inner) => self.leaves_few(inner),
            ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) if is_number(b) => self.leaves_few(a),
            ExprKind::Binary(BinOp::BitAnd, a, b) => !is_number(a) && !is_number(b),
            _ => true,
        }
    }

    /// Whether an expression may have few values though its operands have many.
    pub fn narrows(self, id: ExprId) -> bool {
        match self.expr(id).kind {
            ExprKind::Binary(BinOp::Rem | BinOp::BitAnd | BinOp::Div | BinOp::Shr, ..)
            | ExprKind::Ite(..) => true,
            ExprKind::Binary(op, a, b) => {
                op.is_comparison() || op.is_lazy() || self.narrows(a) || self.narrows(b)
            }
            ExprKind::Unary(op, a) => op == UnOp::Not || self.narrows(a),
            ExprKind::Cast(a) => self.narrows(a),
            _ => false,
        }
    }
}

fn is_bitwise(op: BinOp) -> bool {
    matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor)
}
