//! Bit-vectors: a pattern of bits is printed as the number that it is when read with or without a
//! sign.

use lakatos_ir::IntType;
use lakatos_logic::number::{Int, power_of_two, to_signed};
use lakatos_logic::term::{BvBinary, BvCompare, Node, Term};

use super::Printer;
use super::compare::Op;
use super::logic::{Printed, choose};
use super::number::{Number, bounds, type_name, typed};
use super::text::{BIT_AND, BIT_OR, BIT_XOR, POSTFIX, PRODUCT, SHIFT, SUM, Text};

impl Printer<'_> {
    pub(super) fn compare_bits(
        &self,
        op: BvCompare,
        a: Term,
        b: Term,
        negated: bool,
    ) -> Option<Printed> {
        let (strict, signed) = match op {
            BvCompare::Ult => (true, false),
            BvCompare::Ule => (false, false),
            BvCompare::Slt => (true, true),
            BvCompare::Sle => (false, true),
        };
        let (a, b) = if negated { (b, a) } else { (a, b) };
        let op = if strict != negated { Op::Lt } else { Op::Le };
        let (a, b) = (self.bits(a, signed)?, self.bits(b, signed)?);
        // What is known comes last: `x > 3`.
        match a.low == a.high {
            true => self.comparison(b, op.mirrored(), a),
            false => self.comparison(a, op, b),
        }
    }

    /// Equal patterns are equal numbers, whichever way both are read.
    pub(super) fn equal_bits(&self, a: Term, b: Term, op: Op) -> Option<Printed> {
        let signed = self.is_signed(&[a, b]);
        let (a, b) = match self.terms.as_bv(a) {
            Some(_) => (b, a),
            None => (a, b),
        };
        self.comparison(self.bits(a, signed)?, op, self.bits(b, signed)?)
    }

    /// Only numbers with a sign are spoken of.
    fn is_signed(&self, sides: &[Term]) -> bool {
        let symbols = self.terms.free_symbols_of(sides);
        symbols.iter().all(|symbol| (self.name)(*symbol).is_some_and(|named| named.ty.signed))
    }

    /// A pattern as a number.
    pub(super) fn bits(&self, term: Term, signed: bool) -> Option<Number> {
        self.nested(|| {
            let width = self.terms.width(term);
            let ty = IntType { bits: u16::try_from(width).ok()?, signed };
            let (number, has_sign) = self.pattern(term, ty)?;
            match has_sign == signed {
                true => Some(number),
                false => self.reread(number, ty),
            }
        })
    }

    /// The other way to read the same bits.
    fn reread(&self, number: Number, ty: IntType) -> Option<Number> {
        if !ty.signed || number.high <= bounds(ty).1 {
            return self.wrapped(number, ty);
        }
        Some(typed(number.text.prefixed(&format!("({})", type_name(ty)?)), ty))
    }

    /// A term's number, and whether it is the one with a sign; the wanted one where both are as
    /// easy.
    fn pattern(&self, term: Term, wanted: IntType) -> Option<(Number, bool)> {
        let (width, signed) = (u32::from(wanted.bits), wanted.signed);
        let unsigned = IntType::unsigned(wanted.bits);
        let number = match *self.terms.node(term) {
            Node::BitVec(ref value, _) if signed => self.literal(&to_signed(value, width))?,
            Node::BitVec(ref value, _) => self.literal(value)?,
            Node::Symbol(symbol) => {
                let named = (self.name)(symbol)?;
                let number = typed(Text::new(POSTFIX, named.name), named.ty);
                return (named.ty.bits == wanted.bits).then_some((number, named.ty.signed));
            }
            Node::ZeroExtend(_, a) => return Some((self.bits(a, false)?, false)),
            Node::SignExtend(_, a) => return Some((self.bits(a, true)?, true)),
            Node::Extract { high, low, of } => return Some((self.extract(high, low, of)?, false)),
            Node::Concat(a, b) => return Some((self.concat(a, b)?, false)),
            Node::IntToBv(_, a) => {
                return Some((self.wrapped(self.number(a)?, unsigned)?, false));
            }
            Node::Ite(condition, yes, no) => {
                let holds = self.truth(condition)?.into_text(self.dialect);
                let (yes, no) = (self.bits(yes, signed)?, self.bits(no, signed)?);
                self.chosen(&holds, yes, no)?
            }
            Node::BvNot(a) => {
                let a = self.bits(a, true)?;
                // Of an unsigned type it would be another number.
                let a = self.cast(a.clone(), IntType::signed(a.ty.bits))?;
                let (low, high) = (-&a.high - Int::ONE, -&a.low - Int::ONE);
                let number = Number { text: a.text.prefixed("~"), low, high, ty: a.ty };
                return Some((number, true));
            }
            Node::BvNeg(a) => {
                let zero = self.literal(&Int::ZERO)?;
                return Some((
                    self.ring(BvBinary::Sub, zero, self.bits(a, false)?, unsigned)?,
                    false,
                ));
            }
            Node::BvBinary(op, a, b) => return self.binary(op, a, b, wanted),
            _ => return None,
        };
        Some((number, signed))
    }

    fn chosen(&self, holds: &Text, yes: Number, no: Number) -> Option<Number> {
        let (yes, no) = self.unified(yes, no)?;
        let ty = self.meet(&yes, &no)?;
        let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
        Some(Number { text: choose(holds, &yes.text, &no.text), low, high, ty })
    }

    fn binary(&self, op: BvBinary, a: Term, b: Term, wanted: IntType) -> Option<(Number, bool)> {
        let (signed, unsigned) = (wanted.signed, IntType::unsigned(wanted.bits));
        let by = self.terms.as_bv(b);
        let amount = || by.and_then(|by| u32::try_from(by.clone()).ok());
        let amount = || amount().filter(|by| *by < u32::from(wanted.bits));
        let divisor = |signed| {
            let by = if signed { to_signed(by?, wanted.bits.into()) } else { by?.clone() };
            (by > Int::ZERO).then_some(by)
        };
        Some(match op {
            BvBinary::Add | BvBinary::Sub | BvBinary::Mul => {
                let (a, b) = (self.bits(a, false)?, self.bits(b, false)?);
                (self.ring(op, a, b, unsigned)?, false)
            }
            BvBinary::And | BvBinary::Or | BvBinary::Xor => {
                let (a, b) = (self.bits(a, signed)?, self.bits(b, signed)?);
                (self.bitwise(op, a, b, wanted)?, signed)
            }
            BvBinary::Shl => {
                let factor = self.literal(&power_of_two(amount()?))?;
                (self.ring(BvBinary::Mul, self.bits(a, false)?, factor, unsigned)?, false)
            }
            BvBinary::Lshr => (self.shifted(self.bits(a, false)?, amount()?)?, false),
            BvBinary::Ashr => (self.shifted(self.bits(a, true)?, amount()?)?, true),
            BvBinary::Udiv => (self.divided(self.bits(a, false)?, &divisor(false)?)?, false),
            BvBinary::Urem => (self.remainder(self.bits(a, false)?, &divisor(false)?)?, false),
            BvBinary::Sdiv => (self.divided(self.bits(a, true)?, &divisor(true)?)?, true),
            BvBinary::Srem => (self.remainder(self.bits(a, true)?, &divisor(true)?)?, true),
        })
    }

    /// Arithmetic modulo 2^bits. C does it so by itself in its unsigned types.
    fn ring(&self, op: BvBinary, a: Number, b: Number, ty: IntType) -> Option<Number> {
        let (symbol, level) = match op {
            BvBinary::Add => ("+", SUM),
            BvBinary::Sub => ("-", SUM),
            _ => ("*", PRODUCT),
        };
        if self.is_c() && (ty.bits == 32 || ty.bits == 64) {
            let a = if a.ty == ty { a } else { self.converted(a, ty)? };
            let b = if b.ty.bits <= ty.bits { b } else { self.converted(b, ty)? };
            return Some(typed(a.text.then(symbol, level, &b.text), ty));
        }
        let exact = match op {
            BvBinary::Add => self.plus(a, b, false)?,
            BvBinary::Sub => self.plus(a, b, true)?,
            _ => self.times(a, b)?,
        };
        self.wrapped(exact, ty)
    }

    fn converted(&self, number: Number, ty: IntType) -> Option<Number> {
        Some(typed(number.text.prefixed(&format!("({})", type_name(ty)?)), ty))
    }

    fn bitwise(&self, op: BvBinary, a: Number, b: Number, ty: IntType) -> Option<Number> {
        let (symbol, level) = match op {
            BvBinary::And => ("&", BIT_AND),
            BvBinary::Or => ("|", BIT_OR),
            _ => ("^", BIT_XOR),
        };
        let (a, b) = self.unified(a, b)?;
        let work = self.meet(&a, &b)?;
        let (low, high) = bounds(ty);
        Some(Number { text: a.text.then(symbol, level, &b.text), low, high, ty: work })
    }

    /// To the right, by less than the width; copies of the sign come in.
    fn shifted(&self, a: Number, by: u32) -> Option<Number> {
        if by == 0 {
            return Some(a);
        }
        let text = a.text.then(">>", SHIFT, &Text::new(POSTFIX, by.to_string()));
        let (low, high) = (&a.low >> by as usize, &a.high >> by as usize);
        Some(Number { text, low, high, ty: a.ty })
    }

    fn extract(&self, high: u32, low: u32, of: Term) -> Option<Number> {
        let bits = high - low + 1;
        let above = self.shifted(self.bits(of, false)?, low)?;
        let ty = IntType::unsigned(u16::try_from(bits).ok()?);
        if let Some(wrapped) = self.wrapped(above.clone(), ty) {
            return Some(wrapped);
        }
        let mask = self.literal(&(power_of_two(bits) - Int::ONE))?;
        self.bitwise(BvBinary::And, above, mask, ty)
    }

    fn concat(&self, a: Term, b: Term) -> Option<Number> {
        let factor = self.literal(&power_of_two(self.terms.width(b)))?;
        let above = self.times(self.bits(a, false)?, factor)?;
        self.plus(above, self.bits(b, false)?, false)
    }
}
