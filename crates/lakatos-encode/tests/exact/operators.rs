//! Single operations: symbols under an assignment, constants, and one of each.

use lakatos_encode::{Encoded, Encoding, Machine, Operand};
use lakatos_ir::{Arith, BinOp, IntType, SignedOverflow, UnOp, Undefined, arith};
use lakatos_logic::term::{Assignment, Terms};

use crate::support::*;

/// An operation on two operands, and what it should give.
struct Case<'a> {
    machine: Machine,
    types: (IntType, IntType),
    what: String,
    encode: &'a dyn Fn(&mut Terms, &Operand, &Operand) -> Encoded,
    meaning: &'a dyn Fn(i128, i128) -> Result<i128, Undefined>,
}

impl Case<'_> {
    /// Both operands symbols; then, for each pair, both constants.
    fn check(&self, terms: &mut Terms, pairs: &[(i128, i128)]) {
        self.check_symbols(terms, pairs);
        for &(x, y) in pairs {
            let a = self.machine.constant(terms, x, self.types.0);
            let b = self.machine.constant(terms, y, self.types.1);
            let folded = (self.encode)(terms, &a, &b);
            self.compare(terms, &folded, &Assignment::default(), (x, y), "constants");
        }
    }

    fn check_symbols(&self, terms: &mut Terms, pairs: &[(i128, i128)]) {
        let (ta, tb) = self.types;
        let a = symbol(terms, self.machine, "a", ta);
        let b = symbol(terms, self.machine, "b", tb);
        let encoded = (self.encode)(terms, &a, &b);
        for &(x, y) in pairs {
            let values = [(a.term, x, ta), (b.term, y, tb)]
                .map(|(term, value, ty)| (term, self.machine.literal(value, ty)));
            let values = assignment(terms, &values);
            self.compare(terms, &encoded, &values, (x, y), "symbols");
        }
    }

    /// One operand a constant, on either side.
    fn check_constant(&self, terms: &mut Terms, constants: &[i128], others: &[i128]) {
        let (ta, tb) = self.types;
        let a = symbol(terms, self.machine, "a", ta);
        let b = symbol(terms, self.machine, "b", tb);
        for &c in constants {
            let left = self.machine.constant(terms, ta.wrap(c), ta);
            let right = self.machine.constant(terms, tb.wrap(c), tb);
            let by_constant = (self.encode)(terms, &a, &right);
            let of_constant = (self.encode)(terms, &left, &b);
            for &x in others {
                let (u, v) = (ta.wrap(x), tb.wrap(x));
                let values = assignment(terms, &[(a.term, self.machine.literal(u, ta))]);
                self.compare(terms, &by_constant, &values, (u, tb.wrap(c)), "right constant");
                let values = assignment(terms, &[(b.term, self.machine.literal(v, tb))]);
                self.compare(terms, &of_constant, &values, (ta.wrap(c), v), "left constant");
            }
        }
    }

    #[track_caller]
    fn compare(
        &self,
        terms: &Terms,
        encoded: &Encoded,
        values: &Assignment,
        (x, y): (i128, i128),
        how: &str,
    ) {
        let (found, expected) =
            (outcome(terms, self.machine, encoded, values), (self.meaning)(x, y));
        assert_eq!(
            found, expected,
            "{} of {x} and {y}, types {:?}, {how}, {:?}",
            self.what, self.types, self.machine
        );
    }
}

/// A pair of types that an operator works on.
fn operand_types(op: BinOp) -> Vec<(IntType, IntType)> {
    match op {
        BinOp::And | BinOp::Or => vec![(IntType::BOOL, IntType::BOOL)],
        BinOp::Shl | BinOp::Shr => {
            let amounts = [IntType::I32, unsigned(64), IntType::BOOL, signed(3), signed(128)];
            let same = TYPES.iter().map(|&ty| (ty, ty));
            let other = TYPES.iter().flat_map(|&ty| amounts.map(|amount| (ty, amount)));
            same.chain(other).collect()
        }
        _ => TYPES.iter().map(|&ty| (ty, ty)).collect(),
    }
}

/// Signed overflow means something to the operation.
fn minds_overflow(op: BinOp, ty: IntType) -> bool {
    ty.signed && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
}

fn each_binary(ops: &[BinOp], mut see: impl FnMut(&mut Terms, &Case<'_>)) {
    for machine in machines() {
        let mut terms = Terms::new();
        for &op in ops {
            for types in operand_types(op) {
                if wraps(machine) && !minds_overflow(op, types.0) {
                    continue;
                }
                let case = Case {
                    machine,
                    types,
                    what: format!("{op:?}"),
                    encode: &|terms, a, b| machine.binary(terms, op, a, b),
                    meaning: &|x, y| meaning(op, x, y, types.0, wraps(machine)),
                };
                see(&mut terms, &case);
            }
        }
    }
}

#[test]
fn binary_at_the_boundaries() {
    each_binary(&BINARY, |terms, case| {
        let (left, right) = (boundary(case.types.0), boundary(case.types.1));
        let pairs: Vec<_> = left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y))).collect();
        case.check(terms, &pairs);
    });
}

#[test]
fn binary_at_random() {
    let mut rng = Rng(1);
    each_binary(&BINARY, |terms, case| {
        let pairs: Vec<_> =
            (0..100).map(|_| (rng.value(case.types.0), rng.value(case.types.1))).collect();
        case.check(terms, &pairs);
    });
}

#[test]
fn binary_with_a_constant() {
    let mut rng = Rng(2);
    each_binary(&BINARY, |terms, case| {
        let bits = u32::from(case.types.0.bits);
        let mut constants = vec![0, 1, -1, 0b101, 10, 0xff, 0x55, 0x0ff0, -8];
        for k in [1, bits / 2, bits.saturating_sub(2), bits - 1].map(|k| k.min(126)) {
            let power = 1_i128 << k;
            constants.extend([power, power - 1, -power, power | 1, !power, power - 2]);
        }
        constants.extend((0..4).map(|_| rng.value(case.types.0)));
        constants.sort_unstable();
        constants.dedup();
        let others: Vec<_> = (0..8).map(|_| rng.value(case.types.0)).collect();
        case.check_constant(terms, &constants, &others);
    });
}

/// All operators on one type, where it is not skipped.
fn each_operator(ty: IntType, mut see: impl FnMut(&mut Terms, &Case<'_>)) {
    each_binary(&BINARY, |terms, case| {
        if case.types == (ty, ty) {
            see(terms, case);
        }
    });
}

fn all_pairs(ty: IntType) -> Vec<(i128, i128)> {
    let all = || ty.min()..=ty.max();
    all().flat_map(|x| all().map(move |y| (x, y))).collect()
}

#[test]
fn small_types_exhaustively() {
    for ty in [unsigned(3), signed(3), signed(1), IntType::BOOL] {
        let all: Vec<i128> = (ty.min()..=ty.max()).collect();
        each_operator(ty, |terms, case| {
            case.check(terms, &all_pairs(ty));
            case.check_constant(terms, &all, &all);
        });
    }
}

#[test]
fn signed_bytes_exhaustively() {
    each_operator(signed(8), |terms, case| case.check_symbols(terms, &all_pairs(signed(8))));
}

#[test]
fn unsigned_bytes_exhaustively() {
    each_operator(unsigned(8), |terms, case| case.check_symbols(terms, &all_pairs(unsigned(8))));
}

/// Every mask and every other constant of five bits.
#[test]
fn constants_exhaustively() {
    for ty in [unsigned(5), signed(5)] {
        let types = (ty, ty);
        let all: Vec<i128> = (ty.min()..=ty.max()).collect();
        for machine in machines() {
            let mut terms = Terms::new();
            for op in BINARY.into_iter().filter(|op| !op.is_lazy()) {
                let case = Case {
                    machine,
                    types,
                    what: format!("{op:?}"),
                    encode: &|terms, a, b| machine.binary(terms, op, a, b),
                    meaning: &|x, y| meaning(op, x, y, ty, wraps(machine)),
                };
                case.check_constant(&mut terms, &all, &all);
            }
        }
    }
}

/// Only what overflows differs between the two meanings of signed overflow.
#[test]
fn wrapping_matters_to_arithmetic_only() {
    for encoding in [Encoding::Int, Encoding::Bv] {
        let [undefined, wrap] = [SignedOverflow::Undefined, SignedOverflow::Wrap]
            .map(|overflow| Machine::new(encoding, overflow));
        let mut terms = Terms::new();
        for op in BINARY {
            for (ta, tb) in operand_types(op) {
                if minds_overflow(op, ta) {
                    continue;
                }
                let a = symbol(&mut terms, undefined, "a", ta);
                let b = symbol(&mut terms, undefined, "b", tb);
                let one = undefined.binary(&mut terms, op, &a, &b);
                assert_eq!(one, wrap.binary(&mut terms, op, &a, &b), "{op:?} {ta:?}");
            }
        }
    }
}

#[test]
fn unary() {
    let mut rng = Rng(3);
    for machine in machines() {
        let mut terms = Terms::new();
        for op in [UnOp::Neg, UnOp::BitNot, UnOp::Not] {
            for ty in TYPES {
                // The second operand is not looked at.
                let case = Case {
                    machine,
                    types: (ty, IntType::BOOL),
                    what: format!("{op:?}"),
                    encode: &|terms, a, _| machine.unary(terms, op, a),
                    meaning: &|x, _| arith::unary(op, x, ty, wraps(machine)),
                };
                let mut values = boundary(ty);
                values.extend((0..20).map(|_| rng.value(ty)));
                let pairs: Vec<_> = values.into_iter().map(|x| (x, 0)).collect();
                case.check(&mut terms, &pairs);
            }
        }
    }
}

#[test]
fn casts() {
    let mut rng = Rng(4);
    for machine in machines() {
        let mut terms = Terms::new();
        for from in TYPES {
            for to in TYPES {
                let case = Case {
                    machine,
                    types: (from, IntType::BOOL),
                    what: format!("a cast to {to:?}"),
                    encode: &|terms, a, _| Encoded {
                        value: machine.cast(terms, a, to),
                        undefined: Vec::new(),
                    },
                    meaning: &|x, _| Ok(to.wrap(x)),
                };
                let mut values = boundary(from);
                values.extend((0..20).map(|_| rng.value(from)));
                let pairs: Vec<_> = values.into_iter().map(|x| (x, 0)).collect();
                case.check(&mut terms, &pairs);
            }
        }
    }
}

#[test]
fn overflows() {
    let mut rng = Rng(5);
    for machine in machines().filter(|m| !wraps(*m)) {
        let mut terms = Terms::new();
        for op in [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div] {
            let same = TYPES.iter().map(|&ty| (ty, ty, ty)).collect::<Vec<_>>();
            let mixed = (0..60).map(|_| (rng.pick(&TYPES), rng.pick(&TYPES), rng.pick(&TYPES)));
            for (ta, tb, ty) in same.into_iter().chain(mixed.collect::<Vec<_>>()) {
                let case = Case {
                    machine,
                    types: (ta, tb),
                    what: format!("overflow of {op:?} to {ty:?}"),
                    encode: &|terms, a, b| machine.overflows(terms, op, a, b, ty),
                    meaning: &|x, y| match op == Arith::Div && y == 0 {
                        true => Err(Undefined::DivByZero),
                        false => Ok(i128::from(!arith::fits(op, (x, ta), (y, tb), ty))),
                    },
                };
                let mut pairs: Vec<_> = (0..40).map(|_| (rng.value(ta), rng.value(tb))).collect();
                for x in boundary(ta) {
                    pairs.push((x, rng.pick(&boundary(tb))));
                    pairs.push((x, tb.wrap(-1)));
                }
                case.check(&mut terms, &pairs);
                let constants: Vec<_> = (0..6).map(|_| rng.value(ty)).chain([-1, 0, 1]).collect();
                let others: Vec<_> = (0..6).map(|_| rng.value(ty)).collect();
                case.check_constant(&mut terms, &constants, &others);
            }
        }
    }
}
