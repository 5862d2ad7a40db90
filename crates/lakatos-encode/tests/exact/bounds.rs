//! Intervals contain what is computed from what they contain.

use lakatos_encode::{Interval, Machine};
use lakatos_ir::{BinOp, IntType, UnOp, arith};
use lakatos_logic::number::Int;
use lakatos_logic::term::Value;

use crate::support::*;

fn exact(value: i128, ty: IntType) -> Int {
    match Machine::default().literal(value, ty) {
        Value::Int(value) => value,
        other => unreachable!("{other:?} is no integer"),
    }
}

/// Two values of a type and an interval that contains the first.
fn somewhere(rng: &mut Rng, ty: IntType) -> (i128, Interval) {
    let (x, y) = (rng.value(ty), rng.value(ty));
    let y = if rng.below(3) == 0 { x } else { y };
    (x, Interval::point(exact(x, ty)).union(&Interval::point(exact(y, ty))))
}

#[test]
fn intervals() {
    let mut rng = Rng(1);
    let types: Vec<IntType> = TYPES.into_iter().filter(|ty| *ty != IntType::BOOL).collect();
    for _ in 0..60_000 {
        let (ty, wraps) = (rng.pick(&types), rng.below(2) == 0);
        let ((x, a), (y, b)) = (somewhere(&mut rng, ty), somewhere(&mut rng, ty));
        let op = rng.pick(&BINARY[..10]);
        if let Ok(value) = arith::binary(op, x, y, ty, wraps) {
            let found = Interval::binary(op, &a, &b, ty, wraps);
            assert!(found.contains(&exact(value, ty)), "{x} {op:?} {y} in {ty:?}: {found:?}");
            assert!(found.is_within(&Interval::of(ty)));
        }
        let op = rng.pick(&[UnOp::Neg, UnOp::BitNot]);
        if let Ok(value) = arith::unary(op, x, ty, wraps) {
            let found = Interval::unary(op, &a, ty, wraps);
            assert!(found.contains(&exact(value, ty)), "{op:?} {x} in {ty:?}: {found:?}");
            assert!(found.is_within(&Interval::of(ty)));
        }
    }
}

#[test]
fn promotion_leaves_no_overflow() {
    for machine in machines() {
        let mut terms = lakatos_logic::term::Terms::new();
        let [a, b] = ["a", "b"].map(|name| symbol(&mut terms, machine, name, IntType::U8));
        let [a, b] = [a, b].map(|x| machine.cast(&mut terms, &x, IntType::I32));
        for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
            assert!(machine.binary(&mut terms, op, &a, &b).undefined.is_empty(), "{op:?}");
        }
    }
}
