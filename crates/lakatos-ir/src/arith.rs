//! Integer arithmetic of every width, as pure functions: the one meaning that the interpreter,
//! constant propagation and the front-end's constant expressions share. Operands are in the range
//! of their types; 128-bit unsigned ones are bit patterns.

use crate::expr::{Arith, BinOp, UnOp, Undefined};
use crate::ty::IntType;

/// `a op b` in type `ty`. `wraps`: signed overflow wraps instead of being undefined.
///
/// `INT_MIN / -1` and `INT_MIN % -1` stay undefined even then: the hardware traps, and `-fwrapv`
/// promises nothing about them.
#[inline]
pub fn binary(op: BinOp, a: i128, b: i128, ty: IntType, wraps: bool) -> Result<i128, Undefined> {
    match op {
        BinOp::Add if ty.bits < 128 => in_range(a + b, ty, wraps),
        BinOp::Sub if ty.bits < 128 => in_range(a - b, ty, wraps),
        BinOp::Mul if ty.bits <= 64 => in_range(a.wrapping_mul(b), ty, wraps),
        BinOp::Add => in_range_wide(a.overflowing_add(b), ty, wraps),
        BinOp::Sub => in_range_wide(a.overflowing_sub(b), ty, wraps),
        BinOp::Mul => in_range_wide(a.overflowing_mul(b), ty, wraps),
        BinOp::Div => divide(a, b, ty, |a, b| a / b, |a, b| a / b),
        BinOp::Rem => divide(a, b, ty, |a, b| a % b, |a, b| a % b),
        BinOp::BitAnd => Ok(a & b),
        BinOp::BitOr => Ok(a | b),
        BinOp::BitXor => Ok(a ^ b),
        BinOp::Shl | BinOp::Shr => shift(op, a, b, ty),
        _ => unreachable!("{op:?} gives a truth value"),
    }
}

/// A result that is exact, or exact modulo 2^128 for an unsigned type.
fn in_range(result: i128, ty: IntType, wraps: bool) -> Result<i128, Undefined> {
    let wrapped = ty.wrap(result);
    match wrapped == result || !ty.signed || wraps {
        true => Ok(wrapped),
        false => Err(Undefined::SignedOverflow),
    }
}

/// A result that is right modulo 2^128, with whether it left `i128`.
fn in_range_wide(
    (result, overflowed): (i128, bool),
    ty: IntType,
    wraps: bool,
) -> Result<i128, Undefined> {
    match overflowed && ty.signed && !wraps {
        true => Err(Undefined::SignedOverflow),
        false => in_range(result, ty, wraps),
    }
}

fn divide(
    a: i128,
    b: i128,
    ty: IntType,
    signed: fn(i128, i128) -> i128,
    unsigned: fn(u128, u128) -> u128,
) -> Result<i128, Undefined> {
    if b == 0 {
        Err(Undefined::DivByZero)
    } else if !ty.signed {
        Ok(unsigned(a as u128, b as u128) as i128)
    } else if b == -1 && a == ty.min() {
        Err(Undefined::SignedOverflow)
    } else {
        Ok(signed(a, b))
    }
}

fn shift(op: BinOp, a: i128, amount: i128, ty: IntType) -> Result<i128, Undefined> {
    if !(0..i128::from(ty.bits)).contains(&amount) {
        return Err(Undefined::ShiftOutOfRange);
    }
    Ok(match op {
        BinOp::Shl => ty.wrap(a << amount),
        _ if ty.signed => a >> amount,
        _ => ((a as u128) >> amount) as i128,
    })
}

pub fn unary(op: UnOp, a: i128, ty: IntType, wraps: bool) -> Result<i128, Undefined> {
    match op {
        UnOp::Neg => in_range_wide(a.overflowing_neg(), ty, wraps),
        UnOp::BitNot => Ok(ty.wrap(!a)),
        UnOp::Not => Ok(i128::from(a == 0)),
    }
}

/// An operand with its type.
pub type Operand = (i128, IntType);

/// Whether the exact result of `a op b` is a value of `ty`. The divisor is not zero.
pub fn fits(op: Arith, a: Operand, b: Operand, ty: IntType) -> bool {
    match exact(op, split(a), split(b)) {
        None => false,
        Some((true, magnitude)) => magnitude <= ty.min().unsigned_abs(),
        // The cast is right for the 128-bit unsigned type as well: its largest bit pattern.
        Some((false, magnitude)) => magnitude <= ty.max() as u128,
    }
}

/// Sign and magnitude: an exact integer of 129 bits. Zero has no sign.
type Exact = (bool, u128);

fn split((value, ty): Operand) -> Exact {
    match ty.signed && value < 0 {
        true => (true, value.unsigned_abs()),
        false => (false, value as u128),
    }
}

/// `None`: the magnitude needs more than 128 bits, which is beyond every type.
fn exact(op: Arith, a: Exact, b: Exact) -> Option<Exact> {
    let (negative, magnitude) = match op {
        Arith::Add if a.0 == b.0 => (a.0, a.1.checked_add(b.1)?),
        Arith::Add if a.1 >= b.1 => (a.0, a.1 - b.1),
        Arith::Add => (b.0, b.1 - a.1),
        Arith::Sub => return exact(Arith::Add, a, (!b.0, b.1)),
        Arith::Mul => (a.0 != b.0, a.1.checked_mul(b.1)?),
        Arith::Div => (a.0 != b.0, a.1 / b.1),
    };
    Some((negative && magnitude != 0, magnitude))
}

/// The comparison `x op y` of two integers of one type.
pub fn compare(op: BinOp, x: i128, y: i128, ty: IntType) -> bool {
    match ty.is_u128() {
        true => holds(op, x as u128, y as u128),
        false => holds(op, x, y),
    }
}

/// The comparison `x op y`; for floats as IEEE 754 has it.
pub fn holds<T: PartialOrd>(op: BinOp, x: T, y: T) -> bool {
    match op {
        BinOp::Eq => x == y,
        BinOp::Ne => x != y,
        BinOp::Lt => x < y,
        BinOp::Le => x <= y,
        BinOp::Gt => x > y,
        BinOp::Ge => x >= y,
        _ => unreachable!("{op:?} is no comparison"),
    }
}
