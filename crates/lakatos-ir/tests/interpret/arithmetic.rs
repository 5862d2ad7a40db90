//! Arithmetic against Rust's own.

use lakatos_ir::interpret::{InOrder, Interpreter, Options, Outcome};
use lakatos_ir::*;

use crate::build::*;

/// `main` stores `op(x, y)` of two inputs and exits with it.
fn binary_program(op: BinOp, ty: Type, right: Type) -> Program {
    let mut b = Build::new();
    let (x, y) = (b.local("x", ty), b.local("y", right));
    let sx = b.site(InputKind::Nondet, "x", ty);
    let sy = b.site(InputKind::Nondet, "y", right);
    b.havoc(x, sx);
    b.havoc(y, sy);
    let (ex, ey) = (b.get(x), b.get(y));
    let e = b.bin(op, ex, ey);
    b.builtin(None, Builtin::Exit, &[e]);
    b.finish()
}

fn unary_program(op: UnOp, ty: Type) -> Program {
    let mut b = Build::new();
    let x = b.local("x", ty);
    let site = b.site(InputKind::Nondet, "x", ty);
    b.havoc(x, site);
    let ex = b.get(x);
    let e = b.un(op, ex);
    b.builtin(None, Builtin::Exit, &[e]);
    b.finish()
}

fn wrap_options() -> Options {
    Options { signed_overflow: SignedOverflow::Wrap, ..Options::default() }
}

/// The outcome as a value or the undefined behaviour.
fn result(outcome: Outcome) -> Result<i128, Undefined> {
    match outcome {
        Outcome::Exited(value) => Ok(value),
        Outcome::Undefined { kind, .. } => Err(kind),
        other => panic!("{other:?}"),
    }
}

/// Numbers that matter for a type, and some in between.
fn samples(ty: IntType) -> Vec<i128> {
    if ty.bits <= 5 {
        return (ty.min()..=ty.max()).collect();
    }
    let mut state = 0x1234_5678_9abc_def1_u128;
    let mut values: Vec<i128> = (0..4).flat_map(|i| [ty.min() + i, i, -i]).collect();
    values.extend((0..4).map(|i| ty.max().wrapping_sub(i)));
    values.extend([ty.max() / 2, ty.min() / 2 - 1]);
    for _ in 0..6 {
        state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(99);
        values.push(state as i128);
    }
    values.into_iter().map(|v| ty.wrap(v)).collect()
}

/// What C says, on mathematical integers where they fit `i128`; only for widths up to 64.
fn expected(op: BinOp, x: i128, y: i128, ty: IntType, wraps: bool) -> Result<i128, Undefined> {
    let fit = |exact: i128| match ty.contains(exact) || !ty.signed || wraps {
        true => Ok(ty.wrap(exact)),
        false => Err(Undefined::SignedOverflow),
    };
    match op {
        BinOp::Add => fit(x + y),
        BinOp::Sub => fit(x - y),
        BinOp::Mul if !ty.signed => Ok(ty.wrap((x as u128).wrapping_mul(y as u128) as i128)),
        BinOp::Mul => fit(x * y),
        BinOp::Div | BinOp::Rem if y == 0 => Err(Undefined::DivByZero),
        BinOp::Div | BinOp::Rem if !ty.contains(x / y) => Err(Undefined::SignedOverflow),
        BinOp::Div => Ok(x / y),
        BinOp::Rem => Ok(x % y),
        BinOp::Shl | BinOp::Shr if y < 0 || y >= ty.bits.into() => Err(Undefined::ShiftOutOfRange),
        BinOp::Shl => Ok(ty.wrap(x << y)),
        BinOp::Shr => Ok(x >> y),
        BinOp::BitAnd => Ok(x & y),
        BinOp::BitOr => Ok(x | y),
        BinOp::BitXor => Ok(x ^ y),
        BinOp::Eq => Ok((x == y).into()),
        BinOp::Ne => Ok((x != y).into()),
        BinOp::Lt => Ok((x < y).into()),
        BinOp::Le => Ok((x <= y).into()),
        BinOp::Gt => Ok((x > y).into()),
        BinOp::Ge => Ok((x >= y).into()),
        BinOp::And => Ok((x != 0 && y != 0).into()),
        BinOp::Or => Ok((x != 0 || y != 0).into()),
    }
}

const OPS: [BinOp; 16] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Rem,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::BitAnd,
    BinOp::BitOr,
    BinOp::BitXor,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
];

#[test]
fn binary_operations_of_every_width_up_to_64() {
    for (bits, signed) in (1..=64).flat_map(|bits| [(bits, false), (bits, true)]) {
        let ty = IntType { bits, signed };
        for op in OPS {
            let program = binary_program(op, Type::Int(ty), Type::Int(ty));
            let interpreter = Interpreter::new(&program);
            for options in [Options::default(), wrap_options()] {
                let wraps = options.signed_overflow == SignedOverflow::Wrap;
                for x in samples(ty) {
                    for y in samples(ty) {
                        let run = interpreter.run(&options, &mut InOrder::new(vec![x, y]));
                        let want = expected(op, x, y, ty, wraps);
                        assert_eq!(result(run.outcome), want, "{x} {op:?} {y} in {ty:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn binary_operations_on_128_bits() {
    type Checked = fn(i128, i128) -> Option<i128>;
    type CheckedUnsigned = fn(u128, u128) -> Option<u128>;
    let signed: [(BinOp, Checked, Checked); 5] = [
        (BinOp::Add, i128::checked_add, |a, b| Some(a.wrapping_add(b))),
        (BinOp::Sub, i128::checked_sub, |a, b| Some(a.wrapping_sub(b))),
        (BinOp::Mul, i128::checked_mul, |a, b| Some(a.wrapping_mul(b))),
        (BinOp::Div, i128::checked_div, i128::checked_div),
        (BinOp::Rem, i128::checked_rem, i128::checked_rem),
    ];
    let unsigned: [(BinOp, CheckedUnsigned); 7] = [
        (BinOp::Add, |a, b| Some(a.wrapping_add(b))),
        (BinOp::Sub, |a, b| Some(a.wrapping_sub(b))),
        (BinOp::Mul, |a, b| Some(a.wrapping_mul(b))),
        (BinOp::Div, u128::checked_div),
        (BinOp::Rem, u128::checked_rem),
        (BinOp::Lt, |a, b| Some((a < b).into())),
        (BinOp::Shr, |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shr(b))),
    ];
    let (s, u) = (IntType::signed(128), IntType::unsigned(128));
    for x in samples(s) {
        for y in samples(s) {
            let inputs = || InOrder::new(vec![x, y]);
            for (op, checked, wrapping) in signed {
                let program = binary_program(op, Type::Int(s), Type::Int(s));
                let interpreter = Interpreter::new(&program);
                let run = interpreter.run(&Options::default(), &mut inputs());
                assert_eq!(result(run.outcome).ok(), checked(x, y), "{x} {op:?} {y}");
                let run = interpreter.run(&wrap_options(), &mut inputs());
                assert_eq!(result(run.outcome).ok(), wrapping(x, y), "{x} {op:?} {y}");
            }
            for (op, exact) in unsigned {
                let program = binary_program(op, Type::Int(u), Type::Int(u));
                let run = Interpreter::new(&program).run(&Options::default(), &mut inputs());
                let want = exact(x as u128, y as u128).map(|v| v as i128);
                assert_eq!(result(run.outcome).ok(), want, "{x} {op:?} {y} unsigned");
            }
        }
    }
}

#[test]
fn shift_amounts_have_their_own_type() {
    for (amount, want) in [
        (0, Ok(-8)),
        (1, Ok(-4)),
        (31, Ok(-1)),
        (32, Err(Undefined::ShiftOutOfRange)),
        (-1, Err(Undefined::ShiftOutOfRange)),
    ] {
        let program = binary_program(BinOp::Shr, INT, LONG);
        let mut oracle = InOrder::new(vec![-8, amount]);
        let run = Interpreter::new(&program).run(&Options::default(), &mut oracle);
        assert_eq!(result(run.outcome), want, "-8 >> {amount}");
    }
}

#[test]
fn unary_operations() {
    for (bits, signed) in (1..=127).flat_map(|bits| [(bits, false), (bits, true)]) {
        let ty = IntType { bits, signed };
        for x in samples(ty) {
            let run = |op, options: &Options| {
                let program = unary_program(op, Type::Int(ty));
                let run = Interpreter::new(&program).run(options, &mut InOrder::new(vec![x]));
                result(run.outcome)
            };
            let negated = match signed && x == ty.min() {
                true => Err(Undefined::SignedOverflow),
                false => Ok(ty.wrap(-x)),
            };
            assert_eq!(run(UnOp::Neg, &Options::default()), negated, "-{x} in {ty:?}");
            assert_eq!(run(UnOp::Neg, &wrap_options()), Ok(ty.wrap(x.wrapping_neg())));
            assert_eq!(run(UnOp::BitNot, &Options::default()), Ok(ty.wrap(!x)), "~{x} in {ty:?}");
        }
    }
}

#[test]
fn overflows_tells_what_the_operation_would_do() {
    let cases = [
        (Arith::Add, BinOp::Add),
        (Arith::Sub, BinOp::Sub),
        (Arith::Mul, BinOp::Mul),
        (Arith::Div, BinOp::Div),
    ];
    for bits in [2, 8, 32, 64] {
        let ty = IntType::signed(bits);
        for (arith, op) in cases {
            for x in samples(ty) {
                for y in samples(ty) {
                    if op == BinOp::Div && y == 0 {
                        continue;
                    }
                    let mut b = Build::new();
                    let (ex, ey) = (b.int(x, Type::Int(ty)), b.int(y, Type::Int(ty)));
                    let kind = ExprKind::Overflows(arith, ex, ey, ty);
                    let e = b.expr(kind, Type::BOOL, "overflows".to_owned());
                    b.builtin(None, Builtin::Exit, &[e]);
                    let want = expected(op, x, y, ty, false).is_err();
                    assert_eq!(b.outcome(&[]), Outcome::Exited(want.into()), "{x} {op:?} {y}");
                }
            }
        }
    }
}

#[test]
fn overflows_is_exact_beyond_128_bits() {
    let (u64_, u128_, i128_) =
        (IntType::unsigned(64), IntType::unsigned(128), IntType::signed(128));
    let max64 = u64_.max();
    for (op, x, y, from, to, want) in [
        // 2^128 - 2^65 + 1 fits 128 bits without sign only.
        (Arith::Mul, max64, max64, u64_, u128_, false),
        (Arith::Mul, max64, max64, u64_, i128_, true),
        (Arith::Add, -1, 1, u128_, u128_, true),
        (Arith::Sub, 0, 1, u128_, u128_, true),
        (Arith::Sub, 0, 1, u128_, i128_, false),
        (Arith::Sub, 0, i128::MIN, u128_, i128_, false),
        (Arith::Sub, 0, i128::MIN + 1, u128_, i128_, true),
        (Arith::Add, i128::MAX, 1, i128_, i128_, true),
        (Arith::Sub, i128::MIN, 1, i128_, i128_, true),
        (Arith::Div, i128::MIN, -1, i128_, i128_, true),
        (Arith::Div, -1, -1, u128_, i128_, false),
        (Arith::Mul, i128::MIN, -1, i128_, u128_, false),
        (Arith::Mul, -1, 1, IntType::I32, IntType::U8, true),
    ] {
        let mut b = Build::new();
        let (ex, ey) = (b.int(x, Type::Int(from)), b.int(y, Type::Int(from)));
        let e = b.expr(ExprKind::Overflows(op, ex, ey, to), Type::BOOL, "overflows".to_owned());
        b.builtin(None, Builtin::Exit, &[e]);
        assert_eq!(b.outcome(&[]), Outcome::Exited(want.into()), "{x} {op:?} {y} to {to:?}");
    }
}

#[test]
fn integer_conversions_wrap() {
    for (value, from, to, want) in [
        (-1, IntType::I32, IntType::unsigned(64), u64::MAX as i128),
        (300, IntType::I32, IntType::U8, 44),
        (200, IntType::U8, IntType::signed(8), -56),
        (-1, IntType::signed(64), IntType::unsigned(128), -1),
        (5, IntType::I32, IntType::signed(3), -3),
        (-1, IntType::unsigned(128), IntType::I32, -1),
    ] {
        let mut b = Build::new();
        let e = b.int(value, Type::Int(from));
        let e = b.cast(Type::Int(to), e);
        b.builtin(None, Builtin::Exit, &[e]);
        assert_eq!(b.outcome(&[]), Outcome::Exited(want), "{value} from {from:?} to {to:?}");
    }
}

#[test]
fn floats_round_to_their_type() {
    // 16777216 + 1 is lost in a float, kept in a double.
    for (ty, want) in [(FLOAT, 16777216), (DOUBLE, 16777217)] {
        let mut b = Build::new();
        let (x, y) = (b.double(16777216.0, ty), b.double(1.0, ty));
        let sum = b.add(x, y);
        let e = b.cast(INT, sum);
        b.ret(e);
        b.check_exit(want);
    }
    // Through memory and a union: the bits of 1.0f.
    let mut b = Build::new();
    let union = b.record(RecordKind::Union, 4, &[(FLOAT, 0, None), (INT, 0, None)]);
    let u = b.local("u", union);
    let one = b.double(1.0, FLOAT);
    let place = b.at(u);
    let place = b.field(place, 0);
    b.assign(place, one);
    let place = b.at(u);
    let place = b.field(place, 1);
    let bits = b.load(place);
    b.ret(bits);
    b.check_exit(0x3f80_0000);
}

#[test]
fn comparisons_with_nan_are_false() {
    for (op, want) in [(BinOp::Eq, 0), (BinOp::Ne, 1), (BinOp::Lt, 0), (BinOp::Ge, 0)] {
        let mut b = Build::new();
        let (x, y) = (b.double(f64::NAN, DOUBLE), b.double(1.0, DOUBLE));
        let e = b.bin(op, x, y);
        let e = b.cast(INT, e);
        b.ret(e);
        b.check_exit(want);
    }
}

#[test]
fn lazy_operators_do_not_look_further() {
    let mut b = Build::new();
    let (one, zero) = (b.i(1), b.i(0));
    let division = b.bin(BinOp::Div, one, zero);
    let bad = b.bin(BinOp::Eq, division, one);
    let (no, yes) = (b.int(0, Type::BOOL), b.int(1, Type::BOOL));
    let and = b.bin(BinOp::And, no, bad);
    let or = b.bin(BinOp::Or, yes, bad);
    let chosen = b.ite(or, one, division);
    let and = b.cast(INT, and);
    let sum = b.add(and, chosen);
    b.ret(sum);
    b.check_exit(1);
}
