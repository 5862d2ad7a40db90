//! Which conversions a person would not write because C makes them by itself.
//!
//! The rule that keeps text honest: the text of an integer expression, read as C, has its type
//! after promotion ([`Printer::c_type`] says which). An operand's cast is left out only if
//! the usual arithmetic conversions bring it back.

use super::Printer;
use crate::expr::{BinOp, ExprId, ExprKind, UnOp};
use crate::ty::{FloatType, IntType, Type};

/// An expression, or the negation of a truth value.
#[derive(Clone, Copy)]
pub(super) struct Signed {
    pub id: ExprId,
    pub negated: bool,
}

impl From<ExprId> for Signed {
    fn from(id: ExprId) -> Signed {
        Signed { id, negated: false }
    }
}

/// A truth value seen through double negations and conversions to `int` and back.
#[derive(Clone, Copy)]
pub(super) enum Truth {
    /// The expression itself.
    Plain(ExprId),
    /// Its negation.
    Not(ExprId),
    /// A comparison, possibly the negation of the one in the program.
    Compare(BinOp, ExprId, ExprId),
    /// `&&` or `||`, likewise.
    Lazy(BinOp, Signed, Signed),
}

impl Printer<'_> {
    /// What to print for an expression once idle conversions of truth values are gone.
    pub(super) fn truth(&self, Signed { mut id, mut negated }: Signed) -> Truth {
        if self.is_exact() {
            return Truth::Plain(id);
        }
        loop {
            let expr = &self.program.exprs[id];
            match expr.kind {
                ExprKind::Unary(UnOp::Not, inner) => {
                    negated = !negated;
                    id = inner;
                }
                // In C a comparison is an `int`.
                ExprKind::Cast(inner) if self.is_truth(inner) && promote(expr.ty) == Type::I32 => {
                    id = inner;
                }
                ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), inner, zero)
                    if self.is_zero(zero) && self.as_truth(inner).is_some() =>
                {
                    negated ^= op == BinOp::Eq;
                    id = self.as_truth(inner).unwrap_or(inner);
                }
                ExprKind::Binary(op, a, b) if op.is_comparison() => {
                    return match (negated, self.is_float(a), op.negated()) {
                        (false, ..) => Truth::Compare(op, a, b),
                        (true, false, Some(op)) => Truth::Compare(op, a, b),
                        _ => Truth::Not(id),
                    };
                }
                ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                    return self.lazy(op, a, b, negated).unwrap_or(Truth::Not(id));
                }
                _ if negated => return Truth::Not(id),
                _ => return Truth::Plain(id),
            }
        }
    }

    /// De Morgan, where it leaves no `!` behind.
    fn lazy(&self, op: BinOp, a: ExprId, b: ExprId, negated: bool) -> Option<Truth> {
        let [a, b] = [a, b].map(|id| Signed { id, negated });
        let flipped = match op {
            _ if !negated => op,
            BinOp::And => BinOp::Or,
            _ => BinOp::And,
        };
        let is_clean = !negated || [a, b].iter().all(|&x| !matches!(self.truth(x), Truth::Not(_)));
        is_clean.then_some(Truth::Lazy(flipped, a, b))
    }

    fn is_truth(&self, id: ExprId) -> bool {
        self.program.exprs[id].ty == Type::BOOL
    }

    /// The truth value under a conversion to an integer.
    fn as_truth(&self, id: ExprId) -> Option<ExprId> {
        match self.program.exprs[id].kind {
            _ if self.is_truth(id) => Some(id),
            ExprKind::Cast(inner) if self.is_truth(inner) => Some(inner),
            _ => None,
        }
    }

    fn is_zero(&self, id: ExprId) -> bool {
        matches!(self.program.exprs[id].kind, ExprKind::Int(0))
    }

    fn is_float(&self, id: ExprId) -> bool {
        matches!(self.program.exprs[id].ty, Type::Float(_))
    }

    /// The operand without the conversion to another arithmetic type, if that is what it is, and
    /// without those inside that keep every value.
    pub(super) fn unconverted(&self, id: ExprId) -> ExprId {
        let exprs = &self.program.exprs;
        match exprs[id].kind {
            ExprKind::Cast(inner)
                if !self.is_exact()
                    && is_arithmetic(exprs[id].ty)
                    && is_arithmetic(exprs[inner].ty) =>
            {
                self.valued(inner)
            }
            _ => id,
        }
    }

    /// The expression without conversions that keep its value: for array indices and shift
    /// amounts, whose own type does not matter.
    pub(super) fn valued(&self, id: ExprId) -> ExprId {
        let exprs = &self.program.exprs;
        let (mut at, mut found, mut passed) = (id, id, Vec::new());
        while let ExprKind::Cast(inner) = exprs[at].kind
            && !self.is_exact()
        {
            passed.push(exprs[at].ty);
            at = inner;
            if passed.iter().all(|&ty| keeps_values(exprs[at].ty, ty)) {
                found = at;
            }
        }
        found
    }

    /// The operands of an operation in type `ty`, without the conversions that C makes. The flag
    /// says that constants need a suffix, or else C would compute in another type.
    pub(super) fn operands(&self, a: ExprId, b: ExprId, ty: Type) -> (ExprId, ExprId, bool) {
        let (x, y) = (self.unconverted(a), self.unconverted(b));
        let natural = [(x, y), (a, y), (x, b), (a, b)]
            .into_iter()
            .find(|&(l, r)| usual(self.c_type(l), self.c_type(r)) == ty);
        natural.map_or((a, b, true), |(l, r)| (l, r, false))
    }

    /// The same for an operator whose type is that of its one promoted operand.
    pub(super) fn promoted(&self, a: ExprId, ty: Type) -> (ExprId, bool) {
        let x = self.unconverted(a);
        if self.c_type(x) == ty { (x, false) } else { (a, self.c_type(a) != ty) }
    }

    /// What is assigned, passed or returned as `ty` without the conversion C makes by itself.
    pub(super) fn assigned(&self, id: ExprId) -> ExprId {
        let exprs = &self.program.exprs;
        match exprs[id].kind {
            ExprKind::Cast(inner) if !self.is_exact() => match (exprs[inner].ty, exprs[id].ty) {
                (Type::Pointer(from), Type::Pointer(to))
                    if [from, to].iter().any(|&t| self.program.types.get(t) == Type::Void) =>
                {
                    inner
                }
                _ => self.unconverted(id),
            },
            _ => id,
        }
    }

    /// The type that the printed text has in C, after promotion.
    fn c_type(&self, id: ExprId) -> Type {
        let expr = &self.program.exprs[id];
        match (&expr.kind, expr.ty) {
            (ExprKind::Int(value), Type::Int(int)) => {
                let unsigned = !int.signed && int.bits >= 32 && *value > int.max() / 2;
                let fits = |bits| IntType { bits, signed: !unsigned }.contains(*value);
                let bits = [32, 64].into_iter().find(|&bits| fits(bits)).unwrap_or(128);
                Type::Int(IntType { bits, signed: !unsigned })
            }
            (_, ty) => promote(ty),
        }
    }
}

fn is_arithmetic(ty: Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Float(_))
}

/// Every value of the one integer type is a value of the other.
fn keeps_values(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Int(a), Type::Int(b)) => match (a.signed, b.signed) {
            (true, false) => false,
            (false, true) => a.bits < b.bits,
            _ => a.bits <= b.bits,
        },
        _ => false,
    }
}

fn promote(ty: Type) -> Type {
    match ty {
        Type::Int(int) if int.bits < 32 => Type::I32,
        ty => ty,
    }
}

/// C's usual arithmetic conversions, of promoted types.
fn usual(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Float(x), Type::Float(y)) => Type::Float(x.max(y)),
        (Type::Float(_), Type::Int(_)) => a,
        (Type::Int(_), Type::Float(_)) => b,
        (Type::Int(x), Type::Int(y)) => Type::Int(IntType {
            bits: x.bits.max(y.bits),
            signed: match x.bits.cmp(&y.bits) {
                std::cmp::Ordering::Less => y.signed,
                std::cmp::Ordering::Equal => x.signed && y.signed,
                std::cmp::Ordering::Greater => x.signed,
            },
        }),
        _ => a,
    }
}

const _: () = assert!((FloatType::F32 as u8) < FloatType::F64 as u8, "`usual` relies on the order");
