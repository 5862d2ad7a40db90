//! Machine integers as terms, in two encodings (DESIGN.md section 4).
//!
//! In [`Encoding::Int`] a value is a mathematical integer: sums, differences and conversions wrap
//! by `ite`, products by `mod`, bit operations are linear where that is exact and go through
//! bit-vectors otherwise. A symbol has to be told its range ([`Machine::range`]). In
//! [`Encoding::Bv`] a value is a bit-vector of its width. A truth value (one unsigned bit) is a
//! Boolean in both.
//!
//! An operation gives a term for its value and the conditions under which it is undefined
//! ([`Encoded`]): together exactly what [`lakatos_ir::arith`] computes, for operands in the range
//! of their types. The rooms: `int` and `bv` hold the encodings, `truth` the Booleans,
//! [`Interval`] what is known of values beforehand.

mod bv;
mod int;
mod interval;
mod truth;

use lakatos_ir::{Arith, BinOp, IntType, SignedOverflow, UnOp, Undefined};
use lakatos_logic::number::{Int, to_signed, wrap_unsigned};
use lakatos_logic::term::{Sort, Term, Terms, Value};

pub use self::interval::Interval;
use self::interval::number;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Mathematical integers with range facts.
    #[default]
    Int,
    /// Bit-vectors.
    Bv,
}

/// How machine integers are encoded, and what signed overflow does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Machine {
    pub encoding: Encoding,
    pub signed_overflow: SignedOverflow,
}

/// A term that stands for a value of a machine type, and what is known of the value beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    pub term: Term,
    pub ty: IntType,
    /// Within the range of the type.
    pub bounds: Interval,
}

/// The result of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// Right where the operation is defined.
    pub value: Operand,
    /// When it is not: at most one of the conditions holds.
    pub undefined: Vec<(Undefined, Term)>,
}

impl Operand {
    /// A term of the type's sort whose value is in the type's range.
    pub fn new(terms: &Terms, term: Term, ty: IntType) -> Operand {
        let bounds = constant_of(terms, term, ty).map_or(Interval::of(ty), Interval::point);
        Operand { term, ty, bounds }
    }

    /// A truth value.
    pub fn truth(terms: &Terms, term: Term) -> Operand {
        Operand::new(terms, term, IntType::BOOL)
    }
}

/// The value of a term that is a constant.
fn constant_of(terms: &Terms, term: Term, ty: IntType) -> Option<Int> {
    match term {
        Term::TRUE => Some(Int::ONE),
        Term::FALSE => Some(Int::ZERO),
        _ => match (terms.as_int(term), terms.as_bv(term)) {
            (Some(value), _) => Some(value.clone()),
            (None, Some(pattern)) if ty.signed => Some(to_signed(pattern, ty.bits.into())),
            (None, pattern) => pattern.cloned(),
        },
    }
}

impl Machine {
    pub fn new(encoding: Encoding, signed_overflow: SignedOverflow) -> Machine {
        Machine { encoding, signed_overflow }
    }

    fn wraps(self) -> bool {
        self.signed_overflow == SignedOverflow::Wrap
    }

    pub fn sort(self, ty: IntType) -> Sort {
        match self.encoding {
            _ if ty == IntType::BOOL => Sort::Bool,
            Encoding::Int => Sort::Int,
            Encoding::Bv => Sort::BitVec(ty.bits.into()),
        }
    }

    /// A value of a type (an unsigned 128-bit one as its bit pattern).
    pub fn constant(self, terms: &mut Terms, value: i128, ty: IntType) -> Operand {
        let term = self.number(terms, &number(value, ty), ty);
        Operand::new(terms, term, ty)
    }

    fn number(self, terms: &mut Terms, value: &Int, ty: IntType) -> Term {
        match self.encoding {
            _ if ty == IntType::BOOL => terms.bool(!value.is_zero()),
            Encoding::Int => terms.int(value.clone()),
            Encoding::Bv => terms.bv(value.clone(), ty.bits.into()),
        }
    }

    /// What every value of the type satisfies; has to be said of symbols.
    pub fn range(self, terms: &mut Terms, term: Term, ty: IntType) -> Term {
        if self.sort(ty) != Sort::Int {
            return Term::TRUE;
        }
        let Interval { low, high } = Interval::of(ty);
        let (low, high) = (terms.int(low), terms.int(high));
        let (above, below) = (terms.le(low, term), terms.le(term, high));
        terms.and([above, below])
    }

    /// The value that a model gives to a term of the type. `None`: it is none of the type's.
    pub fn value(self, value: &Value, ty: IntType) -> Option<i128> {
        let exact = match value {
            Value::Bool(value) => Int::from(u8::from(*value)),
            Value::Int(value) => value.clone(),
            Value::BitVec(value, width) if ty.signed => to_signed(value, *width),
            Value::BitVec(value, _) => value.clone(),
            Value::Real(_) | Value::Array(_) => return None,
        };
        if !Interval::of(ty).contains(&exact) {
            return None;
        }
        let pattern = wrap_unsigned(&exact, 128);
        u128::try_from(pattern).ok().map(|pattern| pattern as i128)
    }

    /// A value of a type as a model would give it.
    pub fn literal(self, value: i128, ty: IntType) -> Value {
        match self.sort(ty) {
            Sort::Bool => Value::Bool(value != 0),
            Sort::BitVec(width) => Value::BitVec(wrap_unsigned(&Int::from(value), width), width),
            _ => Value::Int(number(value, ty)),
        }
    }

    /// A result within bounds: where they leave one value, or the term is none of the type's
    /// (so the operation was undefined), a constant takes the term's place.
    fn result(self, terms: &mut Terms, term: Term, ty: IntType, bounds: Interval) -> Operand {
        let constant = match constant_of(terms, term, ty) {
            Some(value) if Interval::of(ty).contains(&value) => Some(value),
            Some(_) => Some(bounds.low.clone()),
            None => bounds.constant().cloned(),
        };
        match constant {
            Some(value) => {
                let term = self.number(terms, &value, ty);
                Operand { term, ty, bounds: Interval::point(value) }
            }
            None => Operand { term, ty, bounds },
        }
    }

    /// `op a`. The result has the operand's type; that of `!` is a truth value.
    pub fn unary(self, terms: &mut Terms, op: UnOp, a: &Operand) -> Encoded {
        let (ty, wraps) = (a.ty, self.wraps());
        if op == UnOp::Not {
            let zero = self.equals(terms, a, &Int::ZERO);
            return defined(Operand::truth(terms, zero));
        }
        if ty == IntType::BOOL {
            return defined(truth::unary(terms, op, a));
        }
        let term = match self.encoding {
            Encoding::Int => int::unary(terms, op, a, wraps),
            Encoding::Bv => bv::unary(terms, op, a),
        };
        let least = number(ty.min(), ty);
        let undefined = match op == UnOp::Neg && ty.signed && !wraps {
            true => possible(Undefined::SignedOverflow, self.equals(terms, a, &least)),
            false => Vec::new(),
        };
        let bounds = Interval::unary(op, &a.bounds, ty, wraps);
        Encoded { value: self.result(terms, term, ty, bounds), undefined }
    }

    /// `a op b`, both operands evaluated (laziness is the caller's concern). They have one type,
    /// except those of a shift; the result has that of the left one, or is a truth value.
    pub fn binary(self, terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Encoded {
        match op {
            BinOp::And | BinOp::Or => defined(truth::lazy(terms, op, a, b)),
            _ if op.is_comparison() => {
                let holds = self.compare(terms, op, a, b);
                defined(Operand::truth(terms, holds))
            }
            BinOp::Shl | BinOp::Shr => self.shift(terms, op, a, b),
            _ if a.ty != IntType::BOOL => self.arithmetic(terms, op, a, b),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                defined(truth::bitwise(terms, op, a, b))
            }
            _ => self.narrow_arithmetic(terms, op, a, b),
        }
    }

    fn arithmetic(self, terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Encoded {
        let (ty, wraps) = (a.ty, self.wraps());
        let undefined = self.hazards(terms, op, a, b);
        let term = match self.encoding {
            Encoding::Int => int::binary(terms, op, a, b, wraps),
            Encoding::Bv => bv::binary(terms, op, a, b),
        };
        let bounds = Interval::binary(op, &a.bounds, &b.bounds, ty, wraps);
        Encoded { value: self.result(terms, term, ty, bounds), undefined }
    }

    /// Arithmetic of single bits, through bytes. (The IR has none; the operation is total.)
    fn narrow_arithmetic(self, terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Encoded {
        let (a, b) = (self.widened(terms, a), self.widened(terms, b));
        let wide = self.arithmetic(terms, op, &a, &b);
        Encoded { value: self.cast(terms, &wide.value, IntType::BOOL), ..wide }
    }

    fn shift(self, terms: &mut Terms, op: BinOp, a: &Operand, amount: &Operand) -> Encoded {
        let amount = self.widened(terms, amount);
        let last = Interval { low: Int::ZERO, high: Int::from(a.ty.bits - 1) };
        let inside = self.within(terms, &amount, &last);
        let undefined = possible(Undefined::ShiftOutOfRange, terms.not(inside));
        // A single bit is only ever shifted by zero.
        if a.ty.bits == 1 {
            return Encoded { value: a.clone(), undefined };
        }
        let term = match self.encoding {
            Encoding::Int => int::shift(terms, op, a, &amount),
            Encoding::Bv => bv::shift(terms, op, a, &amount),
        };
        let bounds = Interval::binary(op, &a.bounds, &amount.bounds, a.ty, self.wraps());
        Encoded { value: self.result(terms, term, a.ty, bounds), undefined }
    }

    /// When arithmetic is undefined.
    fn hazards(
        self,
        terms: &mut Terms,
        op: BinOp,
        a: &Operand,
        b: &Operand,
    ) -> Vec<(Undefined, Term)> {
        let ty = a.ty;
        let arith = match op {
            BinOp::Add => Arith::Add,
            BinOp::Sub => Arith::Sub,
            BinOp::Mul => Arith::Mul,
            BinOp::Div | BinOp::Rem => {
                let mut found = self.division_by_zero(terms, b);
                if ty.signed {
                    let overflow = self.least_by_minus_one(terms, a, b, ty);
                    found.extend(possible(Undefined::SignedOverflow, overflow));
                }
                return found;
            }
            _ => return Vec::new(),
        };
        match ty.signed && !self.wraps() {
            true => {
                let overflow = self.misfit(terms, arith, a, b, ty);
                possible(Undefined::SignedOverflow, overflow)
            }
            false => Vec::new(),
        }
    }

    fn division_by_zero(self, terms: &mut Terms, b: &Operand) -> Vec<(Undefined, Term)> {
        possible(Undefined::DivByZero, self.equals(terms, b, &Int::ZERO))
    }

    fn least_by_minus_one(self, terms: &mut Terms, a: &Operand, b: &Operand, ty: IntType) -> Term {
        let least = self.equals(terms, a, &number(ty.min(), ty));
        let minus_one = self.equals(terms, b, &Int::NEG_ONE);
        terms.and([least, minus_one])
    }

    /// Truth value: the exact result of the operation is no value of `ty`. The operands may have
    /// any types.
    pub fn overflows(
        self,
        terms: &mut Terms,
        op: Arith,
        a: &Operand,
        b: &Operand,
        ty: IntType,
    ) -> Encoded {
        let (a, b) = (self.widened(terms, a), self.widened(terms, b));
        let undefined = match op {
            Arith::Div => self.division_by_zero(terms, &b),
            Arith::Add | Arith::Sub | Arith::Mul => Vec::new(),
        };
        let misfit = self.misfit(terms, op, &a, &b, ty);
        Encoded { value: Operand::truth(terms, misfit), undefined }
    }

    fn misfit(self, terms: &mut Terms, op: Arith, a: &Operand, b: &Operand, ty: IntType) -> Term {
        let (exact, range) = (Interval::exact(op, &a.bounds, &b.bounds), Interval::of(ty));
        if exact.is_within(&range) {
            return Term::FALSE;
        }
        // Dividing makes nothing larger, but for a change of sign.
        if op == Arith::Div && ty.signed && a.bounds.is_within(&range) {
            return self.least_by_minus_one(terms, a, b, ty);
        }
        match self.encoding {
            Encoding::Int => int::misfit(terms, op, a, b, &exact, &range),
            Encoding::Bv => self.misfit_of_bits(terms, op, a, b, ty),
        }
    }

    /// The conversion of a value to a type: the type's value congruent to it.
    pub fn cast(self, terms: &mut Terms, a: &Operand, to: IntType) -> Operand {
        if a.ty == to {
            return a.clone();
        }
        let term = match (a.ty, to) {
            (IntType::BOOL, _) => {
                let (one, zero) =
                    (self.constant(terms, to.wrap(1), to), self.constant(terms, 0, to));
                terms.ite(a.term, one.term, zero.term)
            }
            (_, IntType::BOOL) if a.bounds.is_bit() => {
                let zero = self.equals(terms, a, &Int::ZERO);
                terms.not(zero)
            }
            (_, IntType::BOOL) => match self.encoding {
                Encoding::Int => int::is_odd(terms, a),
                Encoding::Bv => bv::is_odd(terms, a),
            },
            _ => match self.encoding {
                Encoding::Int => int::wrap(terms, a.term, &a.bounds, to),
                Encoding::Bv => bv::resize(terms, a, to.bits.into()),
            },
        };
        let range = Interval::of(to);
        let bounds = if a.bounds.is_within(&range) { a.bounds.clone() } else { range };
        self.result(terms, term, to, bounds)
    }

    /// A truth value as a number; others as they are.
    fn widened(self, terms: &mut Terms, a: &Operand) -> Operand {
        match a.ty {
            IntType::BOOL => self.cast(terms, a, IntType::U8),
            _ => a.clone(),
        }
    }

    /// If-then-else of two values of one type.
    pub fn choose(self, terms: &mut Terms, condition: Term, a: &Operand, b: &Operand) -> Operand {
        let bounds = match condition {
            Term::TRUE => a.bounds.clone(),
            Term::FALSE => b.bounds.clone(),
            _ => a.bounds.union(&b.bounds),
        };
        let term = terms.ite(condition, a.term, b.term);
        self.result(terms, term, a.ty, bounds)
    }

    /// `a op b` for a comparison of two values of one type.
    fn compare(self, terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Term {
        match op {
            BinOp::Eq if !overlap(&a.bounds, &b.bounds) => Term::FALSE,
            BinOp::Eq => terms.eq(a.term, b.term),
            BinOp::Le if a.bounds.high <= b.bounds.low => Term::TRUE,
            BinOp::Le if a.bounds.low > b.bounds.high => Term::FALSE,
            BinOp::Le => self.le(terms, a.term, b.term, a.ty),
            BinOp::Ge => self.compare(terms, BinOp::Le, b, a),
            BinOp::Ne => {
                let equal = self.compare(terms, BinOp::Eq, a, b);
                terms.not(equal)
            }
            BinOp::Lt => {
                let reverse = self.compare(terms, BinOp::Le, b, a);
                terms.not(reverse)
            }
            BinOp::Gt => {
                let reverse = self.compare(terms, BinOp::Le, a, b);
                terms.not(reverse)
            }
            _ => unreachable!("{op:?} is no comparison"),
        }
    }

    fn le(self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> Term {
        match self.encoding {
            _ if ty == IntType::BOOL => terms.implies(a, b),
            Encoding::Int => terms.le(a, b),
            Encoding::Bv => bv::le(terms, a, b, ty),
        }
    }

    fn equals(self, terms: &mut Terms, a: &Operand, value: &Int) -> Term {
        match a.bounds.contains(value) {
            true => {
                let value = self.number(terms, value, a.ty);
                terms.eq(a.term, value)
            }
            false => Term::FALSE,
        }
    }

    /// The value lies in an interval.
    fn within(self, terms: &mut Terms, a: &Operand, interval: &Interval) -> Term {
        if !overlap(&a.bounds, interval) {
            return Term::FALSE;
        }
        let mut conditions = Vec::new();
        if a.bounds.low < interval.low {
            let low = self.number(terms, &interval.low, a.ty);
            conditions.push(self.le(terms, low, a.term, a.ty));
        }
        if interval.high < a.bounds.high {
            let high = self.number(terms, &interval.high, a.ty);
            conditions.push(self.le(terms, a.term, high, a.ty));
        }
        terms.and(conditions)
    }
}

fn overlap(a: &Interval, b: &Interval) -> bool {
    a.low <= b.high && b.low <= a.high
}

fn defined(value: Operand) -> Encoded {
    Encoded { value, undefined: Vec::new() }
}

/// A way of being undefined, unless it is excluded.
fn possible(kind: Undefined, condition: Term) -> Vec<(Undefined, Term)> {
    match condition {
        Term::FALSE => Vec::new(),
        _ => vec![(kind, condition)],
    }
}
