//! What is known of a value beforehand: the interval it lies in.
//!
//! An operand's type bounds it, and operations carry bounds on: a promoted `char` never overflows
//! an addition of `int`s. Both encodings leave out what the bounds exclude.

use lakatos_ir::{Arith, BinOp, IntType, UnOp};
use lakatos_logic::number::{Int, is_negative, power_of_two};

/// The integers from `low` to `high`; never empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    pub low: Int,
    pub high: Int,
}

/// A value of a type as a mathematical integer (128-bit unsigned ones are kept as bit patterns).
pub(crate) fn number(value: i128, ty: IntType) -> Int {
    match ty.signed {
        true => Int::from(value),
        false => Int::from(value as u128),
    }
}

/// How many bits a number needs that is not negative; 129 for every one beyond 128 bits.
pub(crate) fn bit_length(value: &Int) -> u32 {
    u128::try_from(value.clone()).map_or(129, |value| 128 - value.leading_zeros())
}

impl Interval {
    /// `None` where there is no number in between.
    pub fn new(low: Int, high: Int) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    pub fn point(value: Int) -> Interval {
        Interval { low: value.clone(), high: value }
    }

    /// The values of a type.
    pub fn of(ty: IntType) -> Interval {
        Interval { low: number(ty.min(), ty), high: number(ty.max(), ty) }
    }

    /// A constant of a type, as programs write it.
    pub fn literal(value: i128, ty: IntType) -> Interval {
        Interval::point(number(value, ty))
    }

    /// The only number, where there is but one.
    pub fn constant(&self) -> Option<&Int> {
        (self.low == self.high).then_some(&self.low)
    }

    pub fn contains(&self, value: &Int) -> bool {
        self.low <= *value && *value <= self.high
    }

    pub fn is_within(&self, other: &Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub fn is_never_negative(&self) -> bool {
        !is_negative(&self.low)
    }

    /// Whether every value is zero or one.
    pub(crate) fn is_bit(&self) -> bool {
        self.is_never_negative() && self.high <= Int::ONE
    }

    fn hull(mut values: Vec<Int>) -> Interval {
        values.sort_unstable();
        let high = values.pop().expect("a hull of something");
        Interval { low: values.into_iter().next().unwrap_or_else(|| high.clone()), high }
    }

    pub fn union(&self, other: &Interval) -> Interval {
        Interval {
            low: (&self.low).min(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
        }
    }

    /// The numbers of both, if there are any.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = (&self.low).max(&other.low).clone();
        Interval::new(low, (&self.high).min(&other.high).clone())
    }

    fn most_magnitude(&self) -> Int {
        let (low, high) = (-&self.low, self.high.clone());
        low.max(high)
    }

    /// Of the exact result; the divisor is not zero.
    pub fn exact(op: Arith, a: &Interval, b: &Interval) -> Interval {
        match op {
            Arith::Add => Interval { low: &a.low + &b.low, high: &a.high + &b.high },
            Arith::Sub => Interval { low: &a.low - &b.high, high: &a.high - &b.low },
            Arith::Mul => Interval::hull(vec![
                &a.low * &b.low,
                &a.low * &b.high,
                &a.high * &b.low,
                &a.high * &b.high,
            ]),
            Arith::Div => Interval::quotient(a, b),
        }
    }

    fn quotient(a: &Interval, b: &Interval) -> Interval {
        match b.constant() {
            Some(divisor) if !divisor.is_zero() => {
                Interval::hull(vec![&a.low / divisor, &a.high / divisor])
            }
            _ if a.is_never_negative() && b.is_never_negative() => {
                let least = b.low.clone().max(Int::ONE);
                Interval { low: Int::ZERO, high: &a.high / least }
            }
            _ => {
                let most = a.most_magnitude();
                Interval { low: -&most, high: most }
            }
        }
    }

    /// Of the remainder, which has the sign of the dividend and is smaller than the divisor. Where all
    /// quotients are the same it grows with the dividend.
    fn remainder(a: &Interval, b: &Interval) -> Interval {
        if let Some(divisor) = b.constant().filter(|divisor| !divisor.is_zero())
            && &a.low / divisor == &a.high / divisor
        {
            return Interval { low: &a.low % divisor, high: &a.high % divisor };
        }
        let most = (b.most_magnitude() - Int::ONE).max(Int::ZERO);
        let (low, high) = (Int::ZERO.min(a.low.clone()), Int::ZERO.max(a.high.clone()));
        Interval { low: low.max(-&most), high: high.min(most) }
    }

    fn shifted_right(a: &Interval, amount: &Interval, bits: u16) -> Interval {
        let last = Int::from(bits - 1);
        let clamp = |k: &Int| {
            let k = k.clone().clamp(Int::ZERO, last.clone());
            usize::try_from(k).expect("less than 128")
        };
        let (few, many) = (clamp(&amount.low), clamp(&amount.high));
        let (low, high) = (
            if is_negative(&a.low) { few } else { many },
            if is_negative(&a.high) { many } else { few },
        );
        Interval { low: &a.low >> low, high: &a.high >> high }
    }

    fn shifted_left(a: &Interval, amount: &Interval, ty: IntType) -> Interval {
        let range = Interval::of(ty);
        let most = u32::try_from(amount.high.clone()).ok().filter(|&k| k < u32::from(ty.bits));
        match (most, u32::try_from(amount.low.clone())) {
            (Some(most), Ok(least)) => {
                let factor = Interval { low: power_of_two(least), high: power_of_two(most) };
                let exact = Interval::exact(Arith::Mul, a, &factor);
                if exact.is_within(&range) { exact } else { range }
            }
            _ => range,
        }
    }

    fn bitwise(op: BinOp, a: &Interval, b: &Interval, ty: IntType) -> Interval {
        let highest = match (op, a.is_never_negative(), b.is_never_negative()) {
            (BinOp::BitAnd, true, true) => (&a.high).min(&b.high).clone(),
            (BinOp::BitAnd, true, false) => a.high.clone(),
            (BinOp::BitAnd, false, true) => b.high.clone(),
            (BinOp::BitOr | BinOp::BitXor, true, true) => {
                power_of_two(bit_length((&a.high).max(&b.high))) - Int::ONE
            }
            _ => return Interval::of(ty),
        };
        let low = match op {
            BinOp::BitOr => (&a.low).max(&b.low).clone(),
            _ => Int::ZERO,
        };
        Interval { low, high: highest }
    }

    /// Of `a op b` in type `ty` where it is defined; `op` gives no truth value.
    pub fn binary(op: BinOp, a: &Interval, b: &Interval, ty: IntType, wraps: bool) -> Interval {
        match op {
            BinOp::Add => Interval::exact(Arith::Add, a, b).settle(ty, wraps),
            BinOp::Sub => Interval::exact(Arith::Sub, a, b).settle(ty, wraps),
            BinOp::Mul => Interval::exact(Arith::Mul, a, b).settle(ty, wraps),
            BinOp::Div => Interval::quotient(a, b).settle(ty, false),
            BinOp::Rem => Interval::remainder(a, b).settle(ty, false),
            BinOp::Shr => Interval::shifted_right(a, b, ty.bits).settle(ty, false),
            BinOp::Shl => Interval::shifted_left(a, b, ty),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                Interval::bitwise(op, a, b, ty).settle(ty, false)
            }
            _ => Interval::of(IntType::BOOL),
        }
    }

    pub fn unary(op: UnOp, a: &Interval, ty: IntType, wraps: bool) -> Interval {
        match op {
            UnOp::Neg => Interval { low: -&a.high, high: -&a.low }.settle(ty, wraps),
            UnOp::BitNot => {
                let ones = complement_base(ty);
                Interval { low: &ones - &a.high, high: &ones - &a.low }.settle(ty, false)
            }
            UnOp::Not => Interval::of(IntType::BOOL),
        }
    }

    /// Of a value that is converted to an integer type.
    pub fn converted(&self, ty: IntType) -> Interval {
        match self.constant().and_then(|value| i128::try_from(value.clone()).ok()) {
            Some(value) if ty != IntType::BOOL => Interval::literal(ty.wrap(value), ty),
            _ => self.clone().settle(ty, true),
        }
    }

    /// What an exact result becomes in a type: it stays, or wraps, or (signed, and signed
    /// overflow undefined) the part in range is all that counts.
    fn settle(self, ty: IntType, wraps: bool) -> Interval {
        let range = Interval::of(ty);
        if self.is_within(&range) {
            return self;
        }
        match ty.signed && !wraps {
            true => self.meet(&range).unwrap_or(range),
            false => range,
        }
    }
}

/// What a number and its complement add up to.
pub(crate) fn complement_base(ty: IntType) -> Int {
    match ty.signed {
        true => Int::NEG_ONE,
        false => power_of_two(ty.bits.into()) - Int::ONE,
    }
}
