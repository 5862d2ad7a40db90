//! Exact integer arithmetic on constants. `None` where the result is undefined: that operation
//! must stay in the program.

use crate::expr::{Arith, BinOp, UnOp};
use crate::ty::IntType;

/// `op a` in the given type.
pub(super) fn unary(op: UnOp, int: IntType, a: i128) -> Option<i128> {
    match op {
        UnOp::Neg if int.signed && a == int.min() => None,
        UnOp::Neg => Some(int.wrap(a.wrapping_neg())),
        UnOp::BitNot => Some(int.wrap(!a)),
        UnOp::Not => Some(i128::from(a == 0)),
    }
}

/// `a op b` where `a` (and, but for shifts, `b`) has the given type.
pub(super) fn binary(op: BinOp, int: IntType, a: i128, b: i128) -> Option<i128> {
    let truth = |holds: bool| Some(i128::from(holds));
    match op {
        BinOp::Add => fit(int, a.checked_add(b), a.wrapping_add(b)),
        BinOp::Sub => fit(int, a.checked_sub(b), a.wrapping_sub(b)),
        BinOp::Mul => fit(int, a.checked_mul(b), a.wrapping_mul(b)),
        BinOp::Div | BinOp::Rem if b == 0 => None,
        BinOp::Div | BinOp::Rem if int.signed && a == int.min() && b == -1 => None,
        BinOp::Div if int.signed => Some(a / b),
        BinOp::Rem if int.signed => Some(a % b),
        // Unsigned values are not negative, but for the bit patterns of 128-bit ones.
        BinOp::Div => Some((a as u128 / b as u128) as i128),
        BinOp::Rem => Some((a as u128 % b as u128) as i128),
        BinOp::Shl | BinOp::Shr if b < 0 || b >= i128::from(int.bits) => None,
        BinOp::Shl => Some(int.wrap(a << b)),
        BinOp::Shr if int.signed => Some(a >> b),
        BinOp::Shr => Some((a as u128 >> b) as i128),
        BinOp::BitAnd => Some(a & b),
        BinOp::BitOr => Some(a | b),
        BinOp::BitXor => Some(a ^ b),
        BinOp::Eq => truth(a == b),
        BinOp::Ne => truth(a != b),
        BinOp::Lt => truth(less(int, a, b)),
        BinOp::Ge => truth(!less(int, a, b)),
        BinOp::Gt => truth(less(int, b, a)),
        BinOp::Le => truth(!less(int, b, a)),
        BinOp::And => truth(a != 0 && b != 0),
        BinOp::Or => truth(a != 0 || b != 0),
    }
}

/// The exact result of `a op b` does not fit `into`. `None` for division by zero and where
/// 128-bit unsigned numbers would need more than an `i128` to answer.
pub(super) fn overflows(
    op: Arith,
    (a, a_int): (i128, IntType),
    (b, b_int): (i128, IntType),
    into: IntType,
) -> Option<bool> {
    if a_int.is_u128() || b_int.is_u128() || into.is_u128() {
        return None;
    }
    let exact = match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div if b == 0 => return None,
        Arith::Div => a.checked_div(b),
    };
    Some(exact.is_none_or(|exact| !into.contains(exact)))
}

/// Signed results must fit, unsigned ones wrap.
fn fit(int: IntType, exact: Option<i128>, wrapped: i128) -> Option<i128> {
    match int.signed {
        true => exact.filter(|&value| int.contains(value)),
        false => Some(int.wrap(wrapped)),
    }
}

fn less(int: IntType, a: i128, b: i128) -> bool {
    if int.signed { a < b } else { (a as u128) < b as u128 }
}
