//! Both encodings against [`lakatos_ir::arith`], on all values of small types. Constants fold, so
//! no solver is needed.

use lakatos_ir::arith;
use lakatos_ir::{Arith, BinOp, IntType, UnOp};
use lakatos_logic::number::to_signed;
use lakatos_logic::term::{Term, Terms};

use super::{Bits, Encoding, Integers, Ring, bounds, exact};

const ENCODINGS: [&dyn Encoding; 2] = [&Integers, &Bits];
const TYPES: [IntType; 4] =
    [IntType::signed(3), IntType::unsigned(3), IntType::signed(4), IntType::unsigned(4)];

fn values(ty: IntType) -> impl Iterator<Item = i128> + Clone {
    ty.min()..=ty.max()
}

/// The number that a term without symbols is.
fn number(terms: &Terms, term: Term, ty: IntType) -> i128 {
    let value = match (terms.as_int(term), terms.as_bv(term)) {
        (Some(value), _) => value.clone(),
        (_, Some(pattern)) if ty.signed => to_signed(pattern, ty.bits.into()),
        (_, Some(pattern)) => pattern.clone(),
        _ => panic!("not a number: {}", terms.display(term)),
    };
    i128::try_from(value).unwrap()
}

fn pairs(mut see: impl FnMut(&mut Terms, &dyn Encoding, IntType, (i128, Term), (i128, Term))) {
    for encoding in ENCODINGS {
        let mut terms = Terms::new();
        for ty in TYPES {
            for (a, b) in values(ty).flat_map(|a| values(ty).map(move |b| (a, b))) {
                let x = encoding.number(&mut terms, &exact(a, ty), ty);
                let y = encoding.number(&mut terms, &exact(b, ty), ty);
                see(&mut terms, encoding, ty, (a, x), (b, y));
            }
        }
    }
}

#[test]
fn sums_and_products() {
    let ops = [(Ring::Add, BinOp::Add), (Ring::Sub, BinOp::Sub), (Ring::Mul, BinOp::Mul)];
    pairs(|terms, encoding, ty, (a, x), (b, y)| {
        for (ring, op) in ops {
            let (value, overflow) = encoding.arith(terms, ring, x, y, ty, false);
            match arith::binary(op, a, b, ty, false) {
                Ok(expected) => {
                    assert_eq!(overflow, Term::FALSE, "{encoding:?} {op:?} {a} {b} {ty:?}");
                    assert_eq!(number(terms, value, ty), expected);
                }
                Err(_) => assert_eq!(overflow, Term::TRUE, "{encoding:?} {op:?} {a} {b} {ty:?}"),
            }
            let (value, overflow) = encoding.arith(terms, ring, x, y, ty, true);
            let expected = arith::binary(op, a, b, ty, true).unwrap();
            assert_eq!((number(terms, value, ty), overflow), (expected, Term::FALSE));
        }
    });
}

#[test]
fn quotients_and_remainders() {
    pairs(|terms, encoding, ty, (a, x), (b, y)| {
        let (quotient, rest) = match arith::binary(BinOp::Div, a, b, ty, false) {
            Ok(quotient) => (quotient, arith::binary(BinOp::Rem, a, b, ty, false).unwrap()),
            Err(_) => return,
        };
        let found = encoding.divide(terms, x, y, ty);
        let found = (number(terms, found.0, ty), number(terms, found.1, ty));
        assert_eq!(found, (quotient, rest), "{encoding:?} {a} {b} {ty:?}");
    });
}

#[test]
fn bits_and_order() {
    pairs(|terms, encoding, ty, (a, x), (b, y)| {
        for op in [BinOp::BitAnd, BinOp::BitOr, BinOp::BitXor] {
            let value = encoding.bitwise(terms, op, x, y, ty);
            let expected = arith::binary(op, a, b, ty, false).unwrap();
            assert_eq!(number(terms, value, ty), expected, "{encoding:?} {op:?} {a} {b} {ty:?}");
        }
        let complement = encoding.complement(terms, x, ty);
        let expected = arith::unary(UnOp::BitNot, a, ty, false).unwrap();
        assert_eq!(number(terms, complement, ty), expected);
        let less = encoding.less(terms, x, y, ty);
        assert_eq!(less, terms.bool(a < b));
    });
}

/// Masks and shifts of unknowns are other terms than those of constants.
#[test]
fn bits_of_unknowns() {
    use lakatos_logic::term::{Assignment, Sort, Value};
    let mut terms = Terms::new();
    let unknown = terms.symbol("x", Sort::Int);
    let amount = terms.symbol("n", Sort::Int);
    let (symbol, n) = (terms.as_symbol(unknown).unwrap(), terms.as_symbol(amount).unwrap());
    for ty in TYPES {
        for (a, b) in values(ty).flat_map(|a| values(ty).map(move |b| (a, b))) {
            let mut model = Assignment::default();
            model.symbols.insert(symbol, Value::Int(a.into()));
            model.symbols.insert(n, Value::Int(b.into()));
            let mask = terms.int(b);
            for op in [BinOp::BitAnd, BinOp::BitOr, BinOp::BitXor] {
                let expected = Value::Int(arith::binary(op, a, b, ty, false).unwrap().into());
                for other in [mask, amount] {
                    let value = Integers.bitwise(&mut terms, op, unknown, other, ty);
                    let found = terms.evaluate(value, &model);
                    assert_eq!(found.as_ref(), Some(&expected), "{op:?} {a} {b} {ty:?}");
                }
            }
            for op in [BinOp::Shl, BinOp::Shr] {
                let Ok(expected) = arith::binary(op, a, b, ty, false) else { continue };
                let left = op == BinOp::Shl;
                let value = Integers.shift(&mut terms, left, (unknown, ty), (amount, ty));
                assert_eq!(terms.evaluate(value, &model), Some(Value::Int(expected.into())));
            }
        }
    }
}

#[test]
fn shifts() {
    pairs(|terms, encoding, ty, (a, x), (b, y)| {
        for op in [BinOp::Shl, BinOp::Shr] {
            let Ok(expected) = arith::binary(op, a, b, ty, false) else { continue };
            let value = encoding.shift(terms, op == BinOp::Shl, (x, ty), (y, ty));
            assert_eq!(number(terms, value, ty), expected, "{encoding:?} {op:?} {a} {b} {ty:?}");
        }
    });
}

#[test]
fn casts_and_overflows() {
    let more = [IntType::signed(2), IntType::unsigned(2), IntType::signed(9), IntType::unsigned(9)];
    let types: Vec<IntType> = TYPES.into_iter().chain(more).collect();
    pairs(|terms, encoding, ty, (a, x), (b, y)| {
        for &to in &types {
            let value = encoding.cast(terms, (x, ty), to);
            assert_eq!(number(terms, value, to), to.wrap(a), "{encoding:?} {a} {ty:?} {to:?}");
            for op in [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div] {
                if op == Arith::Div && b == 0 {
                    continue;
                }
                let exceeds = encoding.exceeds(terms, op, (x, ty), (y, ty), to);
                let expected = !arith::fits(op, (a, ty), (b, ty), to);
                assert_eq!(exceeds, terms.bool(expected), "{encoding:?} {op:?} {a} {b} {to:?}");
            }
        }
    });
}

#[test]
fn bounds_of_wide_types() {
    let (low, high) = bounds(IntType::unsigned(128));
    assert_eq!((low, high), (0.into(), exact(-1, IntType::unsigned(128))));
    let (low, high) = bounds(IntType::signed(64));
    assert_eq!((low, high), (i64::MIN.into(), i64::MAX.into()));
}
