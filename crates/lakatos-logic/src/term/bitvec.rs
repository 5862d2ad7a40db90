//! Bit-vectors, with SMT-LIB's meaning: division by zero gives all ones, a shift by the width or
//! more gives zeros (or copies of the sign).

use super::{Node, Sort, Term, Terms};
use crate::number::{Int, is_negative, power_of_two, to_signed, wrap_unsigned};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvBinary {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    /// Truncates towards zero.
    Sdiv,
    /// Has the sign of the dividend.
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvCompare {
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BvBinary {
    /// The unsigned result for unsigned operands of `width` bits.
    pub fn apply(self, a: &Int, b: &Int, width: u32) -> Int {
        let signed = |x: &Int| to_signed(x, width);
        let result = match self {
            BvBinary::Add => a + b,
            BvBinary::Sub => a - b,
            BvBinary::Mul => a * b,
            BvBinary::Udiv if b.is_zero() => Int::NEG_ONE,
            BvBinary::Udiv => a / b,
            BvBinary::Urem | BvBinary::Srem if b.is_zero() => a.clone(),
            BvBinary::Urem => a % b,
            BvBinary::Sdiv if b.is_zero() => match is_negative(&signed(a)) {
                true => Int::ONE,
                false => Int::NEG_ONE,
            },
            BvBinary::Sdiv => signed(a) / signed(b),
            BvBinary::Srem => signed(a) % signed(b),
            BvBinary::And => a & b,
            BvBinary::Or => a | b,
            BvBinary::Xor => a ^ b,
            BvBinary::Shl => a << shift_amount(b, width),
            BvBinary::Lshr => a >> shift_amount(b, width),
            BvBinary::Ashr => signed(a) >> shift_amount(b, width),
        };
        wrap_unsigned(&result, width)
    }

    fn is_commutative(self) -> bool {
        use BvBinary::*;
        matches!(self, Add | Mul | And | Or | Xor)
    }
}

/// Beyond the width every amount does the same.
fn shift_amount(b: &Int, width: u32) -> usize {
    usize::try_from(b.clone()).map_or(width as usize, |b| b.min(width as usize))
}

impl BvCompare {
    pub fn holds(self, a: &Int, b: &Int, width: u32) -> bool {
        let signed = |x: &Int| to_signed(x, width);
        match self {
            BvCompare::Ult => a < b,
            BvCompare::Ule => a <= b,
            BvCompare::Slt => signed(a) < signed(b),
            BvCompare::Sle => signed(a) <= signed(b),
        }
    }
}

impl Terms {
    /// The constant `value` modulo 2^`width`.
    pub fn bv(&mut self, value: impl Into<Int>, width: u32) -> Term {
        let value = wrap_unsigned(&value.into(), width);
        self.intern(Node::BitVec(value, width), Sort::BitVec(width))
    }

    /// The unsigned value of a constant.
    pub fn as_bv(&self, term: Term) -> Option<&Int> {
        match self.node(term) {
            Node::BitVec(value, _) => Some(value),
            _ => None,
        }
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            other => panic!("{term:?} is of sort {other:?}"),
        }
    }

    pub fn bv_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::BitVec(value, _) => {
                let value = power_of_two(width) - Int::ONE - value;
                self.bv(value, width)
            }
            Node::BvNot(inner) => *inner,
            _ => self.intern(Node::BvNot(a), Sort::BitVec(width)),
        }
    }

    pub fn bv_neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::BitVec(value, _) => {
                let value = -value;
                self.bv(value, width)
            }
            Node::BvNeg(inner) => *inner,
            _ => self.intern(Node::BvNeg(a), Sort::BitVec(width)),
        }
    }

    pub fn bv_binary(&mut self, op: BvBinary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            let value = op.apply(x, y, width);
            return self.bv(value, width);
        }
        if let Some(simpler) = self.bv_identity(op, a, b, width) {
            return simpler;
        }
        let (a, b) = match op.is_commutative() {
            true => (a.min(b), a.max(b)),
            false => (a, b),
        };
        self.intern(Node::BvBinary(op, a, b), Sort::BitVec(width))
    }

    /// Neutral and absorbing operands, and equal ones.
    fn bv_identity(&mut self, op: BvBinary, a: Term, b: Term, width: u32) -> Option<Term> {
        use BvBinary::*;
        let zero = self.bv(0, width);
        let one = self.bv(1, width);
        let ones = self.bv(-1, width);
        match op {
            Add | Or | Xor if a == zero => Some(b),
            Add | Sub | Or | Xor | Shl | Lshr | Ashr if b == zero => Some(a),
            Sub | Xor if a == b => Some(zero),
            And | Or if a == b => Some(a),
            And | Mul if a == zero || b == zero => Some(zero),
            Or if a == ones || b == ones => Some(ones),
            And if a == ones => Some(b),
            And if b == ones => Some(a),
            Mul if a == one => Some(b),
            Mul | Udiv if b == one => Some(a),
            Shl | Lshr if a == zero => Some(zero),
            _ => None,
        }
    }

    pub fn bv_compare(&mut self, op: BvCompare, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        let reflexive = matches!(op, BvCompare::Ule | BvCompare::Sle);
        if a == b {
            return self.bool(reflexive);
        }
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            let holds = op.holds(x, y, width);
            return self.bool(holds);
        }
        // `a < b` is `not (b <= a)`: one spelling for both.
        match op {
            BvCompare::Ult => {
                let reverse = self.bv_at_most(BvCompare::Ule, b, a, Int::ZERO);
                self.not(reverse)
            }
            BvCompare::Slt => {
                let reverse = self.bv_at_most(BvCompare::Sle, b, a, power_of_two(width - 1));
                self.not(reverse)
            }
            BvCompare::Ule => self.bv_at_most(op, a, b, Int::ZERO),
            BvCompare::Sle => self.bv_at_most(op, a, b, power_of_two(width - 1)),
        }
    }

    /// `a <= b`, in the order whose least pattern is given; the greatest is its complement.
    fn bv_at_most(&mut self, op: BvCompare, a: Term, b: Term, least: Int) -> Term {
        let least = self.bv(least, self.width(a));
        let greatest = self.bv_not(least);
        match (a, b) {
            _ if a == least || b == greatest => Term::TRUE,
            _ if a == greatest || b == least => self.eq_bitvecs(a, b),
            _ => self.intern(Node::BvCompare(op, a, b), Sort::Bool),
        }
    }

    pub(super) fn eq_bitvecs(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => {
                let equal = x == y;
                self.bool(equal)
            }
            (Some(_), None) => self.eq_constant(b, a),
            (None, Some(_)) => self.eq_constant(a, b),
            (None, None) => self.intern(Node::Eq(a.min(b), a.max(b)), Sort::Bool),
        }
    }

    /// `a = constant`: into the branches of a choice between constants.
    fn eq_constant(&mut self, a: Term, constant: Term) -> Term {
        match *self.node(a) {
            Node::Ite(c, x, y) if self.as_bv(x).is_some() && self.as_bv(y).is_some() => {
                let (x, y) = (x == constant, y == constant);
                let (x, y) = (self.bool(x), self.bool(y));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Eq(a.min(constant), a.max(constant)), Sort::Bool),
        }
    }

    /// Bits `high` down to `low`.
    pub fn extract(&mut self, high: u32, low: u32, of: Term) -> Term {
        debug_assert!(low <= high && high < self.width(of));
        // Down to the term that the bits come from, with zeros to be put in front of them.
        let (mut high, mut low, mut of, mut zeros) = (high, low, of, 0);
        loop {
            match *self.node(of) {
                Node::Extract { low: inner, of: whole, .. } => {
                    (high, low, of) = (high + inner, low + inner, whole);
                }
                Node::ZeroExtend(_, inner) if low >= self.width(inner) => {
                    return self.bv(0, zeros + high - low + 1);
                }
                Node::ZeroExtend(_, inner) => {
                    let top = high.min(self.width(inner) - 1);
                    (high, of, zeros) = (top, inner, zeros + high - top);
                }
                Node::SignExtend(_, inner) if high < self.width(inner) => of = inner,
                // One of the copies of the sign.
                Node::SignExtend(_, inner) if high == low => {
                    let sign = self.width(inner) - 1;
                    (high, low, of) = (sign, sign, inner);
                }
                Node::Concat(_, right) if high < self.width(right) => of = right,
                Node::Concat(left, right) if low >= self.width(right) => {
                    let by = self.width(right);
                    (high, low, of) = (high - by, low - by, left);
                }
                _ => break,
            }
        }
        let part = self.extract_from(high, low, of);
        self.zero_extend(zeros, part)
    }

    /// The part of a term that is made of no other bit-vectors, as far as can be seen.
    fn extract_from(&mut self, high: u32, low: u32, of: Term) -> Term {
        let width = high - low + 1;
        match *self.node(of) {
            _ if width == self.width(of) => of,
            Node::BitVec(ref value, _) => {
                let value = value >> low as usize;
                self.bv(value, width)
            }
            _ => self.intern(Node::Extract { high, low, of }, Sort::BitVec(width)),
        }
    }

    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (left, right) = (self.width(high), self.width(low));
        if let (Some(x), Some(y)) = (self.as_bv(high), self.as_bv(low)) {
            let value = (x << right as usize) + y;
            return self.bv(value, left + right);
        }
        match (self.node(high), self.node(low)) {
            (Node::BitVec(x, _), _) if x.is_zero() => self.zero_extend(left, low),
            // Neighbours in one vector.
            (
                &Node::Extract { high, low: middle, of },
                &Node::Extract { high: below, low, of: same },
            ) if of == same && middle == below + 1 => self.extract(high, low, of),
            // The sign once more: Z3 writes an extension bit by bit.
            (&Node::Extract { high, low: bit, of }, _)
                if high == bit && self.sign(low) == (of, bit) =>
            {
                self.sign_extend(1, low)
            }
            _ => self.intern(Node::Concat(high, low), Sort::BitVec(left + right)),
        }
    }

    /// The bit of the vector that the uppermost bit comes from.
    fn sign(&self, mut of: Term) -> (Term, u32) {
        loop {
            match *self.node(of) {
                Node::SignExtend(_, inner) | Node::Concat(inner, _) => of = inner,
                Node::Extract { high, of, .. } => return (of, high),
                _ => return (of, self.width(of) - 1),
            }
        }
    }

    /// Zeros in front.
    pub fn zero_extend(&mut self, by: u32, a: Term) -> Term {
        let width = self.width(a) + by;
        match *self.node(a) {
            _ if by == 0 => a,
            Node::BitVec(ref value, _) => {
                let value = value.clone();
                self.bv(value, width)
            }
            Node::ZeroExtend(inner, of) => self.zero_extend(by + inner, of),
            _ => self.intern(Node::ZeroExtend(by, a), Sort::BitVec(width)),
        }
    }

    /// Copies of the sign in front.
    pub fn sign_extend(&mut self, by: u32, a: Term) -> Term {
        let width = self.width(a);
        match *self.node(a) {
            _ if by == 0 => a,
            Node::BitVec(ref value, _) => {
                let value = to_signed(value, width);
                self.bv(value, width + by)
            }
            Node::SignExtend(inner, of) => self.sign_extend(by + inner, of),
            Node::ZeroExtend(inner, of) => self.zero_extend(by + inner, of),
            _ => self.intern(Node::SignExtend(by, a), Sort::BitVec(width + by)),
        }
    }

    /// The unsigned value.
    pub fn bv_to_int(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match *self.node(a) {
            Node::BitVec(ref value, _) => {
                let value = value.clone();
                self.int(value)
            }
            Node::ZeroExtend(_, of) => self.bv_to_int(of),
            Node::IntToBv(_, of) => {
                let modulus = self.int(power_of_two(width));
                self.modulo(of, modulus)
            }
            _ => self.intern(Node::BvToInt(a), Sort::Int),
        }
    }

    /// The value in two's complement.
    pub fn bv_to_signed_int(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let value = self.bv_to_int(a);
        let modulus = self.int(power_of_two(width));
        let bound = self.int(power_of_two(width - 1));
        let negative = self.le(bound, value);
        let wrapped = self.sub(value, modulus);
        self.ite(negative, wrapped, value)
    }

    /// An integer modulo 2^`width`.
    pub fn int_to_bv(&mut self, width: u32, a: Term) -> Term {
        let rest = self.reduce_modulo(&self.sum_of(a), &power_of_two(width));
        let a = self.sum(rest, Sort::Int);
        match *self.node(a) {
            Node::Int(ref value) => {
                let value = value.clone();
                self.bv(value, width)
            }
            Node::BvToInt(of) if self.width(of) == width => of,
            Node::BvToInt(of) if self.width(of) < width => {
                self.zero_extend(width - self.width(of), of)
            }
            Node::BvToInt(of) => self.extract(width - 1, 0, of),
            _ => self.intern(Node::IntToBv(width, a), Sort::BitVec(width)),
        }
    }
}
