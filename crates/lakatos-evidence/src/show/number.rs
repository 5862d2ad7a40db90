//! Integers: sums, products, quotients and choices, each with the range of its values and, in C,
//! the type that the compiler evaluates it in.

use lakatos_ir::{DataModel, IntType};
use lakatos_logic::number::{Int, is_negative, power_of_two};
use lakatos_logic::term::{Node, Sort, Sum, Term};

use super::Printer;
use super::arrays::endless;
use super::logic::choose;
use super::text::{POSTFIX, PRODUCT, SUM, Text, UNARY};

const I64: IntType = IntType::signed(64);
const I128: IntType = IntType::signed(128);

/// An integer in print.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub text: Text,
    /// Its least and greatest value, as far as types tell.
    pub low: Int,
    pub high: Int,
    /// What C evaluates it in, after promotion.
    pub ty: IntType,
}

impl Number {
    fn fits(&self, ty: IntType) -> bool {
        let (low, high) = bounds(ty);
        low <= self.low && self.high <= high
    }
}

/// The least and the greatest value of a type.
pub(super) fn bounds(ty: IntType) -> (Int, Int) {
    let bits = u32::from(ty.bits);
    match ty.signed {
        true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
        false => (Int::ZERO, power_of_two(bits) - Int::ONE),
    }
}

/// What C calls a type.
pub(super) fn type_name(ty: IntType) -> Option<&'static str> {
    Some(match (ty.signed, ty.bits) {
        (true, 8) => "signed char",
        (true, 16) => "short",
        (true, 32) => "int",
        (true, 64) => "long long",
        (true, 128) => "__int128",
        (false, 8) => "unsigned char",
        (false, 16) => "unsigned short",
        (false, 32) => "unsigned int",
        (false, 64) => "unsigned long long",
        (false, 128) => "unsigned __int128",
        _ => return None,
    })
}

/// C's integer promotion.
pub(super) fn promoted(ty: IntType) -> IntType {
    if ty.bits < 32 { IntType::I32 } else { ty }
}

/// C's usual arithmetic conversions of promoted types.
fn common(a: IntType, b: IntType) -> IntType {
    match a.bits.cmp(&b.bits) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => IntType { bits: a.bits, signed: a.signed && b.signed },
    }
}

impl Printer<'_> {
    pub(super) fn number(&self, term: Term) -> Option<Number> {
        self.nested(|| self.number_inside(term))
    }

    fn number_inside(&self, term: Term) -> Option<Number> {
        match self.terms.node(term) {
            Node::Int(value) => self.literal(value),
            Node::Symbol(symbol) => self.bound(*symbol).or_else(|| {
                let named = (self.name)(*symbol)?;
                Some(typed(Text::new(POSTFIX, named.name), named.ty))
            }),
            Node::Select(array, index) => self.element(*array, *index),
            Node::Apply(function, args) => self.applied(*function, args).map(endless),
            Node::Sum(sum) => {
                let monomials: Vec<(Int, Term)> =
                    sum.monomials.iter().map(|(t, c)| (c.clone(), *t)).collect();
                self.sum(&monomials, &sum.constant)
            }
            Node::Product(factors) => {
                let mut product = self.number(factors[0])?;
                for factor in &factors[1..] {
                    product = self.times(product, self.number(*factor)?)?;
                }
                Some(product)
            }
            Node::Div(a, b) => self.quotient(*a, *b),
            Node::Mod(a, b) => self.modulo(*a, *b),
            Node::Ite(condition, yes, no) => self.number_choice(*condition, *yes, *no),
            Node::BvToInt(bits) => self.bits(*bits, false),
            _ => None,
        }
    }

    /// `Σ factor · term + constant`.
    pub(super) fn sum(&self, monomials: &[(Int, Term)], constant: &Int) -> Option<Number> {
        let mut parts: Vec<(bool, Number)> = Vec::new();
        for (factor, term) in monomials {
            let number = self.number(*term)?;
            let size = if is_negative(factor) { -factor } else { factor.clone() };
            let number = match size == Int::ONE {
                true => number,
                false => self.times(self.literal(&size)?, number)?,
            };
            parts.push((is_negative(factor), number));
        }
        parts.sort_by_key(|(minus, _)| *minus);
        let size = if is_negative(constant) { -constant } else { constant.clone() };
        if parts.is_empty() {
            return self.literal(constant);
        }
        if !constant.is_zero() {
            let part = (is_negative(constant), self.literal(&size)?);
            // `10 - x`, but `x + 10`.
            let at = if parts[0].0 && !part.0 { 0 } else { parts.len() };
            parts.insert(at, part);
        }
        match &parts[..] {
            [(false, _)] => Some(parts.remove(0).1),
            _ => self.widened(|ty| self.added(&parts, ty)),
        }
    }

    /// The first type in which an operation never leaves its type: the natural one, or a wider one.
    fn widened(&self, print: impl Fn(Option<IntType>) -> Option<Number>) -> Option<Number> {
        let wider = match self.model {
            // There is no wider type there.
            DataModel::Ilp32 => vec![None, Some(I64)],
            DataModel::Lp64 => vec![None, Some(I64), Some(I128)],
        };
        wider.into_iter().find_map(print)
    }

    /// `a + b`, or `a - b`.
    pub(super) fn plus(&self, a: Number, b: Number, minus: bool) -> Option<Number> {
        let parts = [(false, a), (minus, b)];
        self.widened(|ty| self.added(&parts, ty))
    }

    fn added(&self, parts: &[(bool, Number)], ty: Option<IntType>) -> Option<Number> {
        let (minus, first) = &parts[0];
        let mut sum = first.clone();
        if let Some(ty) = ty {
            sum = self.cast(sum, ty)?;
        }
        if *minus {
            (sum.low, sum.high) = (-sum.high, -sum.low);
            sum.text = sum.text.prefixed("-");
            self.stays(&sum)?;
        }
        for (minus, part) in &parts[1..] {
            let (low, high) = match minus {
                true => (&sum.low - &part.high, &sum.high - &part.low),
                false => (&sum.low + &part.low, &sum.high + &part.high),
            };
            let ty = self.meet(&sum, part)?;
            let text = sum.text.then(if *minus { "-" } else { "+" }, SUM, &part.text);
            sum = Number { text, low, high, ty };
            self.stays(&sum)?;
        }
        Some(sum)
    }

    pub(super) fn times(&self, a: Number, b: Number) -> Option<Number> {
        self.widened(|ty| {
            let a = match ty {
                Some(ty) => self.cast(a.clone(), ty)?,
                None => a.clone(),
            };
            let corners = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
            let ty = self.meet(&a, &b)?;
            let (low, high) = (corners.iter().min()?.clone(), corners.iter().max()?.clone());
            let number = Number { text: a.text.then("*", PRODUCT, &b.text), low, high, ty };
            self.stays(&number)?;
            Some(number)
        })
    }

    /// The result of an operation is a value of its type.
    fn stays(&self, number: &Number) -> Option<()> {
        (!self.is_c() || number.fits(number.ty)).then_some(())
    }

    /// The type that C does an operation in, where both operands keep their values.
    pub(super) fn meet(&self, a: &Number, b: &Number) -> Option<IntType> {
        let ty = common(a.ty, b.ty);
        (!self.is_c() || a.fits(ty) && b.fits(ty)).then_some(ty)
    }

    /// Two numbers that an operator may stand between, the left one with a cast if it has to be.
    pub(super) fn unified(&self, a: Number, b: Number) -> Option<(Number, Number)> {
        if self.meet(&a, &b).is_some() {
            return Some((a, b));
        }
        let widened = [I64, I128].into_iter().find_map(|ty| {
            let left = self.cast(a.clone(), ty).filter(|left| self.meet(left, &b).is_some());
            let right = self.cast(b.clone(), ty).filter(|right| self.meet(&a, right).is_some());
            match (left, right) {
                (Some(left), _) => Some((left, b.clone())),
                (None, Some(right)) => Some((a.clone(), right)),
                (None, None) => None,
            }
        });
        widened
            .filter(|(a, b)| self.model == DataModel::Lp64 || (a.ty.bits <= 64 && b.ty.bits <= 64))
    }

    /// In a type that has all its values. Mathematics needs none.
    pub(super) fn cast(&self, number: Number, ty: IntType) -> Option<Number> {
        if !self.is_c() || number.ty == ty {
            return Some(number);
        }
        if !number.fits(ty) {
            return None;
        }
        let text = match number.text.text.bytes().all(|byte| byte.is_ascii_digit()) && ty == I64 {
            true => Text::new(POSTFIX, format!("{}LL", number.text.text)),
            false => number.text.prefixed(&format!("({})", type_name(ty)?)),
        };
        Some(Number { text, ty, ..number })
    }

    pub(super) fn literal(&self, value: &Int) -> Option<Number> {
        let size = if is_negative(value) { -value } else { value.clone() };
        let (suffix, ty) = match () {
            () if size <= bounds(IntType::I32).1 => ("", IntType::I32),
            () if size <= bounds(I64).1 => ("LL", I64),
            () if size <= bounds(IntType::unsigned(64)).1 => ("ULL", IntType::unsigned(64)),
            () if self.is_c() => return None,
            () => ("", I128),
        };
        let suffix = if self.is_c() { suffix } else { "" };
        let text = match is_negative(value) {
            false => Text::new(POSTFIX, format!("{size}{suffix}")),
            // The least number has no literal.
            true if self.is_c() && suffix == "ULL" => {
                if *value != bounds(I64).0 {
                    return None;
                }
                let least = Text::new(SUM, format!("-{}LL - 1", bounds(I64).1));
                let (low, high) = (value.clone(), value.clone());
                return Some(Number { text: least, low, high, ty: I64 });
            }
            true => Text::new(UNARY, format!("-{size}{suffix}")),
        };
        Some(Number { text, low: value.clone(), high: value.clone(), ty })
    }

    /// Division by a positive number, rounded downwards.
    fn quotient(&self, a: Term, b: Term) -> Option<Number> {
        let by = self.terms.as_int(b).filter(|by| **by > Int::ZERO)?.clone();
        let a = self.number(a)?;
        if is_negative(&a.low) {
            let rest = self.euclidean(a.clone(), &by)?;
            let multiple = self.plus(a, rest, true)?;
            return self.divided(multiple, &by);
        }
        self.divided(a, &by)
    }

    /// `/`, which is right where it leaves no rest or nothing is negative.
    pub(super) fn divided(&self, a: Number, by: &Int) -> Option<Number> {
        let (a, divisor) = self.unified(a, self.literal(by)?)?;
        let ty = self.meet(&a, &divisor)?;
        let (low, high) = (&a.low / by, &a.high / by);
        Some(Number { text: a.text.then("/", PRODUCT, &divisor.text), low, high, ty })
    }

    fn modulo(&self, a: Term, b: Term) -> Option<Number> {
        let by = self.terms.as_int(b).filter(|by| **by > Int::ZERO)?.clone();
        let a = self.number(a)?;
        match [8, 16, 32, 64].into_iter().find(|bits| power_of_two(*bits) == by) {
            Some(bits) => self.wrapped(a, IntType::unsigned(bits as u16)),
            None => self.euclidean(a, &by),
        }
    }

    /// A conversion to an unsigned type: modulo 2^bits in both languages.
    pub(super) fn wrapped(&self, a: Number, ty: IntType) -> Option<Number> {
        if a.fits(ty) {
            return Some(a);
        }
        Some(typed(a.text.prefixed(&format!("({})", type_name(ty)?)), ty))
    }

    /// The rest that is never negative.
    fn euclidean(&self, a: Number, by: &Int) -> Option<Number> {
        let negative = is_negative(&a.low);
        let rest = self.remainder(a, by)?;
        if !negative {
            return Some(rest);
        }
        let divisor = self.literal(by)?;
        let above = self.plus(rest, divisor, false)?;
        let mut rest = self.remainder(above, by)?;
        rest.low = Int::ZERO;
        Some(rest)
    }

    /// `%`: the rest has the sign of the dividend.
    pub(super) fn remainder(&self, a: Number, by: &Int) -> Option<Number> {
        let (a, divisor) = self.unified(a, self.literal(by)?)?;
        let ty = self.meet(&a, &divisor)?;
        let most = by - Int::ONE;
        let low = if is_negative(&a.low) { (-&most).max(a.low.clone()) } else { Int::ZERO };
        let high = if is_negative(&a.high) { Int::ZERO } else { most.min(a.high.clone()) };
        Some(Number { text: a.text.then("%", PRODUCT, &divisor.text), low, high, ty })
    }

    /// The remainder by a number that is not known; in C it must be positive, in ACSL it means
    /// something whatever it is.
    pub(super) fn remainder_by(&self, a: Number, by: Number) -> Option<Number> {
        if self.is_c() && by.low <= Int::ZERO {
            return None;
        }
        let (a, by) = self.unified(a, by)?;
        let ty = self.meet(&a, &by)?;
        let (low, high) = (a.low.clone().min(Int::ZERO), a.high.clone().max(Int::ZERO));
        Some(Number { text: a.text.then("%", PRODUCT, &by.text), low, high, ty })
    }

    fn number_choice(&self, condition: Term, yes: Term, no: Term) -> Option<Number> {
        if let Some(number) = self.truncated(condition, yes, no) {
            return Some(number);
        }
        let holds = self.truth(condition)?.into_text(self.dialect);
        if self.is_c()
            && let (Some(one), Some(zero)) = (self.terms.as_int(yes), self.terms.as_int(no))
            && *one == Int::ONE
            && zero.is_zero()
        {
            let (low, high) = (Int::ZERO, Int::ONE);
            return Some(Number { text: holds, low, high, ty: IntType::I32 });
        }
        let (yes, no) = self.unified(self.number(yes)?, self.number(no)?)?;
        let ty = self.meet(&yes, &no)?;
        let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
        Some(Number { text: choose(&holds, &yes.text, &no.text), low, high, ty })
    }

    /// C's division, which is spelled out in formulas: `a < 0 ? -(-a div k) : a div k`.
    fn truncated(&self, condition: Term, yes: Term, no: Term) -> Option<Number> {
        let Node::NonPositive(number) = self.terms.node(condition) else { return None };
        let guard = self.terms.sum_of(*number);
        let negative = |a: &Sum| guard == a.clone().add_scaled(&Sum::constant(Int::ONE), &Int::ONE);
        let positive = |a: &Sum| guard == a.clone().scale(&Int::NEG_ONE);
        let (a, by, is_rest) = [(yes, no), (no, yes)].into_iter().find_map(|(below, above)| {
            let (a, by, is_rest) = self.division(above)?;
            let mirrored = self.terms.sum_of(below);
            let [(term, factor)] = &mirrored.monomials[..] else { return None };
            let (b, same, rest) = self.division(*term)?;
            let sum = self.terms.sum_of(a);
            let opposite = self.terms.sum_of(b).add_scaled(&sum, &Int::ONE);
            let guarded = if below == yes { negative(&sum) } else { positive(&sum) };
            let matches = *factor == Int::NEG_ONE
                && mirrored.constant.is_zero()
                && (same, rest) == (by.clone(), is_rest)
                && vanishes(&opposite, is_rest.then_some(&by))
                && guarded;
            matches.then_some((a, by, is_rest))
        })?;
        let a = self.number(a)?;
        if is_rest { self.remainder(a, &by) } else { self.divided(a, &by) }
    }

    /// Dividend and positive divisor, and whether the rest is meant.
    fn division(&self, term: Term) -> Option<(Term, Int, bool)> {
        let (a, b, is_rest) = match self.terms.node(term) {
            Node::Div(a, b) => (*a, *b, false),
            Node::Mod(a, b) => (*a, *b, true),
            _ => return None,
        };
        let by = self.terms.as_int(b).filter(|by| **by > Int::ZERO)?;
        (self.terms.sort(a) == Sort::Int).then(|| (a, by.clone(), is_rest))
    }
}

/// A sum is zero, or a multiple of something whatever its terms are.
fn vanishes(sum: &Sum, modulo: Option<&Int>) -> bool {
    let zero = |value: &Int| match modulo {
        None => value.is_zero(),
        Some(by) => (value % by).is_zero(),
    };
    zero(&sum.constant) && sum.monomials.iter().all(|(_, factor)| zero(factor))
}

/// Any value of a type.
pub(super) fn typed(text: Text, ty: IntType) -> Number {
    let (low, high) = bounds(ty);
    Number { text, low, high, ty: promoted(ty) }
}
