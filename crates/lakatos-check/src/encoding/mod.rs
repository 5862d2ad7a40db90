//! Machine integers as terms: the checker's own reading of C's arithmetic.
//!
//! Nothing here is shared with the encoder of the engines, so that a mistake in one of them shows.
//! The yardstick of both is [`lakatos_ir::arith`]. Truth values (one unsigned bit) are Booleans
//! and are no business of an [`Encoding`]: [`crate::expr`] turns them into words first.

mod bits;
mod integers;

use std::fmt::Debug;

use lakatos_ir::{Arith, BinOp, IntType};
use lakatos_logic::number::{Int, power_of_two, wrap_unsigned};
use lakatos_logic::term::{Sort, Term, Terms};

pub(crate) use self::bits::Bits;
pub(crate) use self::integers::Integers;

/// A term for a value, with the value's type.
pub(crate) type Word = (Term, IntType);

/// How the values of machine integers other than truth values are terms. Operands are values of
/// their types.
pub(crate) trait Encoding: Debug {
    fn sort(&self, ty: IntType) -> Sort;

    /// A value of the type.
    fn number(&self, terms: &mut Terms, value: &Int, ty: IntType) -> Term;

    /// What holds of every value of the type.
    fn range(&self, terms: &mut Terms, value: Term, ty: IntType) -> Term;

    /// Sum, difference or product, and when the exact result does not fit. With `wraps`, or of an
    /// unsigned type, it is reduced modulo 2^bits and always fits.
    fn arith(
        &self,
        terms: &mut Terms,
        op: Ring,
        a: Term,
        b: Term,
        ty: IntType,
        wraps: bool,
    ) -> (Term, Term);

    /// Quotient and remainder of a division that is defined: towards zero.
    fn divide(&self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> (Term, Term);

    fn equal(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        terms.eq(a, b)
    }

    fn less(&self, terms: &mut Terms, a: Term, b: Term, ty: IntType) -> Term;

    fn complement(&self, terms: &mut Terms, a: Term, ty: IntType) -> Term;

    /// `&`, `|` or `^`.
    fn bitwise(&self, terms: &mut Terms, op: BinOp, a: Term, b: Term, ty: IntType) -> Term;

    /// A shift by an amount between zero and the width, exclusive.
    fn shift(&self, terms: &mut Terms, left: bool, a: Word, amount: Word) -> Term;

    fn cast(&self, terms: &mut Terms, a: Word, to: IntType) -> Term;

    /// The exact result of the operation is no value of the type. The divisor is not zero.
    fn exceeds(&self, terms: &mut Terms, op: Arith, a: Word, b: Word, to: IntType) -> Term;
}

/// The operations that a ring has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ring {
    Add,
    Sub,
    Mul,
}

/// The least and the greatest value of a type.
pub(crate) fn bounds(ty: IntType) -> (Int, Int) {
    let bits = u32::from(ty.bits);
    match ty.signed {
        true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
        false => (Int::ZERO, power_of_two(bits) - Int::ONE),
    }
}

/// A constant of the IR, which has unsigned numbers of 128 bits as their bit patterns.
pub(crate) fn exact(value: i128, ty: IntType) -> Int {
    match ty.is_u128() {
        true => wrap_unsigned(&Int::from(value), 128),
        false => Int::from(value),
    }
}

#[cfg(test)]
mod tests;
