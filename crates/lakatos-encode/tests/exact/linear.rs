//! Bit operations that have a linear form have one: no bit-vectors in the `int` encoding.

use lakatos_encode::{Encoding, Machine, Operand};
use lakatos_ir::{BinOp, IntType, SignedOverflow};
use lakatos_logic::term::{Node, Term, Terms};

use crate::support::*;

const MACHINE: Machine =
    Machine { encoding: Encoding::Int, signed_overflow: SignedOverflow::Undefined };

fn goes_through_bits(terms: &Terms, term: Term) -> bool {
    let through = |t: &Term| matches!(terms.node(*t), Node::IntToBv(..) | Node::BvToInt(_));
    terms.parts_first(&[term]).iter().any(through)
}

#[track_caller]
fn check(ty: IntType, op: BinOp, constant: i128, linear: bool) {
    let mut terms = Terms::new();
    let x = symbol(&mut terms, MACHINE, "x", ty);
    let c = MACHINE.constant(&mut terms, ty.wrap(constant), ty);
    for (a, b) in [(&x, &c), (&c, &x)] {
        let value = MACHINE.binary(&mut terms, op, a, b).value;
        assert_eq!(!goes_through_bits(&terms, value.term), linear, "{op:?} {constant} in {ty:?}");
        if !matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor) {
            break;
        }
    }
}

#[test]
fn constants() {
    for ty in TYPES.into_iter().filter(|ty| ty.bits > 1) {
        for op in [BinOp::BitAnd, BinOp::BitOr, BinOp::BitXor] {
            for constant in [0, -1, 1, 7, 8, -8, 0xff, 0x0ff0, !8, ty.min(), ty.max(), 0b101] {
                check(ty, op, constant, true);
            }
        }
        for op in [BinOp::Shl, BinOp::Shr] {
            for amount in [0, 1, i128::from(ty.bits) / 2] {
                check(ty, op, amount, true);
            }
        }
    }
    check(unsigned(32), BinOp::BitAnd, 0x55555555, false);
    check(signed(64), BinOp::BitXor, 0x5bd1e995, false);
}

/// Two operands made of symbols, combined by `op`.
#[track_caller]
fn check_two(
    op: BinOp,
    make: impl Fn(&mut Terms, [Operand; 2]) -> [Operand; 2],
    ty: IntType,
    linear: bool,
) {
    let mut terms = Terms::new();
    let operands = ["x", "y"].map(|name| symbol(&mut terms, MACHINE, name, ty));
    let [a, b] = make(&mut terms, operands);
    let value = MACHINE.binary(&mut terms, op, &a, &b).value;
    assert_eq!(!goes_through_bits(&terms, value.term), linear);
}

#[test]
fn two_operands() {
    let unsigned = unsigned(32);
    let byte = |terms: &mut Terms, x: Operand| MACHINE.cast(terms, &x, unsigned);
    let shifted = move |terms: &mut Terms, x: Operand| {
        let (x, eight) = (byte(terms, x), MACHINE.constant(terms, 8, unsigned));
        MACHINE.binary(terms, BinOp::Shl, &x, &eight).value
    };
    for op in [BinOp::BitAnd, BinOp::BitOr, BinOp::BitXor] {
        // `hi << 8 | lo`.
        check_two(op, |t, [x, y]| [shifted(t, x), byte(t, y)], IntType::U8, true);
        check_two(op, |t, [x, y]| [byte(t, y), shifted(t, x)], IntType::U8, true);
        // Truth values as numbers.
        check_two(op, |t, [x, y]| [byte(t, x), byte(t, y)], IntType::BOOL, true);
        check_two(op, |_, [x, _]| [x.clone(), x], unsigned, true);
        check_two(op, |_, operands| operands, unsigned, false);
    }
    // `1 << n` is a table.
    let one = |t: &mut Terms, [_, y]: [Operand; 2]| [MACHINE.constant(t, 1, unsigned), y];
    check_two(BinOp::Shl, one, unsigned, true);
    check_two(BinOp::Shl, |_, operands| operands, unsigned, false);
}

/// Conversions back and forth between integers and bit-vectors do not pile up.
#[test]
fn nested_bits_stay_bits() {
    for ty in [IntType::I32, unsigned(32)] {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| symbol(&mut terms, MACHINE, name, ty));
        let both = MACHINE.binary(&mut terms, BinOp::BitAnd, &x, &y).value;
        let nested = MACHINE.binary(&mut terms, BinOp::BitXor, &both, &z).value;
        let parts = terms.parts_first(&[nested.term]);
        let into = parts.iter().filter(|t| matches!(terms.node(**t), Node::IntToBv(..))).count();
        assert_eq!(into, 3, "one for each symbol");
    }
}
