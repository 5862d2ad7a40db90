//! What is known of a number: the interval it lies in, and its lowest bits, which survive when it
//! wraps around (so multiples of four stay such).

use lakatos_encode::machine::Interval;
use lakatos_ir::{BinOp, IntType, UnOp};
use lakatos_logic::number::{Int, wrap_unsigned};

/// Numbers with these lowest bits; the others are not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Low {
    /// How many are known.
    pub bits: u32,
    /// Less than two to that power.
    pub value: u128,
}

impl Low {
    const ANY: Low = Low { bits: 0, value: 0 };
    const MOST: u32 = 128;

    fn new(bits: u32, value: u128) -> Low {
        let bits = bits.min(Low::MOST);
        let mask = 1_u128.checked_shl(bits).map_or(u128::MAX, |power| power - 1);
        Low { bits, value: value & mask }
    }

    fn of(value: &Int) -> Low {
        let wrapped = || u128::try_from(wrap_unsigned(value, Low::MOST)).expect("it was wrapped");
        let value = i128::try_from(value).map_or_else(|_| wrapped(), |value| value as u128);
        Low { bits: Low::MOST, value }
    }

    /// So many are known to be zero, as far as bits are known.
    fn zeros(self) -> u32 {
        self.value.trailing_zeros().min(self.bits)
    }

    fn union(self, other: Low) -> Low {
        let common = (self.value ^ other.value).trailing_zeros();
        Low::new(self.bits.min(other.bits).min(common), self.value)
    }

    fn meet(self, other: Low) -> Option<Low> {
        let (less, more) = if self.bits < other.bits { (self, other) } else { (other, self) };
        (Low::new(less.bits, more.value) == less).then_some(more)
    }

    fn negated(self) -> Low {
        Low::new(self.bits, self.value.wrapping_neg())
    }

    fn binary(op: BinOp, a: Low, b: Low) -> Low {
        let both = a.bits.min(b.bits);
        match op {
            BinOp::Add => Low::new(both, a.value.wrapping_add(b.value)),
            BinOp::Sub => Low::new(both, a.value.wrapping_sub(b.value)),
            BinOp::Mul => {
                let known = (a.zeros() + b.bits).min(b.zeros() + a.bits);
                Low::new(known, a.value.wrapping_mul(b.value))
            }
            BinOp::BitXor => Low::new(both, a.value ^ b.value),
            BinOp::BitAnd => Low::new(Low::decided(a, b, 0), a.value & b.value),
            BinOp::BitOr => Low::new(Low::decided(a, b, 1), a.value | b.value),
            BinOp::Shl => match b.bits {
                Low::MOST if b.value < u128::from(Low::MOST) => {
                    let by = b.value as u32;
                    Low::new(a.bits + by, a.value << by)
                }
                _ => Low::new(a.zeros(), 0),
            },
            BinOp::Shr if b.bits == Low::MOST && b.value < u128::from(a.bits) => {
                let by = b.value as u32;
                Low::new(a.bits - by, a.value >> by)
            }
            _ => Low::ANY,
        }
    }

    /// How many of the lowest bits are known in both, or decide by themselves.
    fn decided(a: Low, b: Low, decides: u128) -> u32 {
        let knows = |low: Low, at: u32| at < low.bits;
        let is = |low: Low, at: u32| knows(low, at) && low.value >> at & 1 == decides;
        let open = |at: &u32| !(knows(a, *at) && knows(b, *at) || is(a, *at) || is(b, *at));
        (0..Low::MOST).find(open).unwrap_or(Low::MOST)
    }
}

/// Numbers in an interval with these lowest bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    pub range: Interval,
    pub low: Low,
}

impl From<Interval> for Number {
    fn from(range: Interval) -> Number {
        let low = range.constant().map_or(Low::ANY, Low::of);
        Number { range, low }
    }
}

impl Number {
    pub fn of(ty: IntType) -> Number {
        Number { range: Interval::of(ty), low: Low::ANY }
    }

    pub fn literal(value: i128, ty: IntType) -> Number {
        Interval::literal(value, ty).into()
    }

    /// What is known of it as a value of a type; whatever happened on the way, its lowest bits are.
    fn in_type(range: Interval, low: Low, ty: IntType) -> Number {
        if low.bits >= u32::from(ty.bits) && ty != IntType::BOOL {
            return Number::literal(ty.wrap(low.value as i128), ty);
        }
        let known = Number::from(range);
        match known.low.bits {
            0 => Number { low: Low::new(low.bits.min(ty.bits.into()), low.value), ..known },
            _ => known,
        }
    }

    pub fn is_within(&self, other: &Number) -> bool {
        self.range.is_within(&other.range) && self.low.union(other.low) == other.low
    }

    pub fn union(&self, other: &Number) -> Number {
        Number { range: self.range.union(&other.range), low: self.low.union(other.low) }
    }

    pub fn meet(&self, other: &Number) -> Option<Number> {
        let (range, low) = (self.range.meet(&other.range)?, self.low.meet(other.low)?);
        let known = Number::from(range);
        Some(Number { low: known.low.meet(low)?, ..known })
    }

    /// The numbers of two parts next to each other, if there are no others.
    pub fn together(&self, above: &Number) -> Option<Number> {
        let is_plain = |n: &Number| n.low == Low::ANY || n.range.constant().is_some();
        let is_next = self.range.low <= above.range.low
            && above.range.low <= &self.range.high + Int::ONE
            && is_plain(self)
            && is_plain(above);
        is_next.then(|| Number::from(self.range.union(&above.range)))
    }

    /// Those that are less than a number, and those that are greater.
    pub fn around(&self, middle: &Int) -> Vec<Number> {
        let Interval { low, high } = &self.range;
        let less = Interval::new(low.clone(), high.min(&(middle - Int::ONE)).clone());
        let greater = Interval::new(low.max(&(middle + Int::ONE)).clone(), high.clone());
        let parts = less.into_iter().chain(greater);
        parts.filter_map(|part| self.meet(&part.into())).collect()
    }

    pub fn unary(op: UnOp, a: &Number, ty: IntType, wraps: bool) -> Number {
        let low = match op {
            UnOp::Neg => a.low.negated(),
            UnOp::BitNot => Low::new(a.low.bits, !a.low.value),
            UnOp::Not => Low::ANY,
        };
        Number::in_type(Interval::unary(op, &a.range, ty, wraps), low, ty)
    }

    pub fn binary(op: BinOp, a: &Number, b: &Number, ty: IntType, wraps: bool) -> Number {
        let range = Interval::binary(op, &a.range, &b.range, ty, wraps);
        Number::in_type(range, Low::binary(op, a.low, b.low), ty)
    }

    pub fn converted(&self, ty: IntType) -> Number {
        Number::in_type(self.range.converted(ty), self.low, ty)
    }
}
