//! Truth values, which are Booleans in both encodings.

use lakatos_ir::{BinOp, UnOp};
use lakatos_logic::term::Terms;

use super::Operand;

/// Of one bit: its complement is the other one, its negation itself.
pub(super) fn unary(terms: &mut Terms, op: UnOp, a: &Operand) -> Operand {
    let term = match op {
        UnOp::Not | UnOp::BitNot => terms.not(a.term),
        UnOp::Neg => a.term,
    };
    Operand::truth(terms, term)
}

pub(super) fn bitwise(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Operand {
    let term = match op {
        BinOp::BitAnd => terms.and([a.term, b.term]),
        BinOp::BitOr => terms.or([a.term, b.term]),
        _ => terms.xor(a.term, b.term),
    };
    Operand::truth(terms, term)
}

/// `&&` and `||`.
pub(super) fn lazy(terms: &mut Terms, op: BinOp, a: &Operand, b: &Operand) -> Operand {
    let term = match op {
        BinOp::And => terms.and([a.term, b.term]),
        _ => terms.or([a.term, b.term]),
    };
    Operand::truth(terms, term)
}
