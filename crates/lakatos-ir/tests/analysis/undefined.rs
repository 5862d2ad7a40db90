//! Checks for undefined operations, their order, guards and messages.

use lakatos_ir::undefined::{self, Check};
use lakatos_ir::*;

use crate::build::Build;
use crate::show;

/// A program with `int x, y; unsigned u; long l; char c; int a[3], m[2][3]` and source text.
struct Vars {
    x: ExprId,
    y: ExprId,
    u: ExprId,
    c: ExprId,
    a: PlaceId,
    m: PlaceId,
}

fn vars() -> (Build, Vars) {
    let mut b = Build::new();
    let main = b.main;
    let mut local = |name: &str, ty| b.local(main, name, ty);
    let x = local("x", Type::I32);
    let y = local("y", Type::I32);
    let u = local("u", Type::Int(IntType::unsigned(32)));
    let c = local("c", Type::Int(IntType::signed(8)));
    let three = b.types.array_of(Type::I32, Some(3));
    let two = b.types.array_of(three, Some(2));
    let (a, m) = (b.local(main, "a", three), b.local(main, "m", two));
    let v = Vars {
        x: b.load(x),
        y: b.load(y),
        u: b.load(u),
        c: b.load(c),
        a: b.var_at(a),
        m: b.var_at(m),
    };
    (b, v)
}

fn shown(b: &Build, checks: &[Check]) -> Vec<String> {
    let line = |c: &Check| format!("{:?}: {}", c.kind, show::expr(&b.program, c.condition));
    checks.iter().map(line).collect()
}

/// `make` builds an expression; `expect` lists its checks.
fn check(make: impl FnOnce(&mut Build, &Vars) -> ExprId, expect: &[&str]) {
    let (mut b, v) = vars();
    let e = make(&mut b, &v);
    // Left shifts are below.
    let wanted = |kind| kind != Undefined::ShiftOverflow;
    let checks = undefined::of_expr(&mut b.program, e, &wanted);
    assert_eq!(shown(&b, &checks), expect);
    let possible = undefined::possible(&b.program, e);
    assert!(possible || expect.is_empty(), "checks, but nothing is possible");
    b.done();
}

#[test]
fn arithmetic() {
    check(|b, v| b.bin(BinOp::Add, v.x, v.y), &["SignedOverflow: overflows(Add, x, y)"]);
    check(|b, v| b.bin(BinOp::Mul, v.u, v.u), &[]);
    check(
        |b, v| b.program.expr(ExprKind::Unary(UnOp::Neg, v.x), Type::I32, Span::default()),
        &["SignedOverflow: (x == -2147483648)"],
    );
    check(
        |b, v| b.bin(BinOp::Rem, v.x, v.y),
        &["DivByZero: (y == 0)", "SignedOverflow: ((x == -2147483648) && (y == -1))"],
    );
    check(|b, v| b.bin(BinOp::Shl, v.x, v.y), &["ShiftOutOfRange: ((y < 0) || (y >= 32))"]);
    check(|b, v| b.bin(BinOp::Shr, v.x, v.u), &["ShiftOutOfRange: (u >= 32)"]);
}

#[test]
fn what_cannot_happen_is_not_listed() {
    let by = |op, value: i128| {
        move |b: &mut Build, v: &Vars| {
            let value = b.i32(value);
            b.bin(op, v.x, value)
        }
    };
    check(by(BinOp::Div, 10), &[]);
    check(by(BinOp::Shl, 31), &[]);
    check(by(BinOp::Shl, 32), &["ShiftOutOfRange: ((32 < 0) || (32 >= 32))"]);
    check(by(BinOp::Div, 0), &["DivByZero: (0 == 0)"]);
    check(by(BinOp::Div, -1), &["SignedOverflow: ((x == -2147483648) && (-1 == -1))"]);
    // Two `char`s have room in an `int`.
    check(
        |b, v| {
            let c = b.cast(v.c, Type::I32);
            b.bin(BinOp::Mul, c, c)
        },
        &[],
    );
}

/// C leaves them undefined where GCC does not, so only those who ask hear of it.
#[test]
fn left_shifts_that_lose_bits() {
    let found = |make: &dyn Fn(&mut Build, &Vars) -> ExprId| {
        let (mut b, v) = vars();
        let e = make(&mut b, &v);
        let wanted = |kind| kind == Undefined::ShiftOverflow;
        undefined::of_expr(&mut b.program, e, &wanted).len()
    };
    assert_eq!(found(&|b, v| b.bin(BinOp::Shl, v.x, v.y)), 1);
    assert_eq!(found(&|b, v| b.bin(BinOp::Shl, v.u, v.y)), 0);
    assert_eq!(found(&|b, v| b.bin(BinOp::Shr, v.x, v.y)), 0);
    for (value, by, expected) in [(1, 30, 0), (1, 31, 1), (-1, 0, 1), (3, 29, 0), (3, 30, 1)] {
        let shift = |b: &mut Build, _: &Vars| {
            let (value, by) = (b.i32(value), b.i32(by));
            b.bin(BinOp::Shl, value, by)
        };
        assert_eq!(found(&shift), expected, "{value} << {by}");
    }
}

#[test]
fn lazy_operators_guard() {
    // y != 0 && x / y > 1
    check(
        |b, v| {
            let (zero, one) = (b.i32(0), b.i32(1));
            let guard = b.bin(BinOp::Ne, v.y, zero);
            let ratio = b.bin(BinOp::Div, v.x, v.y);
            let rest = b.bin(BinOp::Gt, ratio, one);
            b.bin(BinOp::And, guard, rest)
        },
        &[
            "DivByZero: ((y != 0) && (y == 0))",
            "SignedOverflow: ((y != 0) && ((x == -2147483648) && (y == -1)))",
        ],
    );
    // x == 0 || (x > 0 ? x - y : x + y) == 0
    check(
        |b, v| {
            let zero = b.i32(0);
            let (left, positive) = (b.bin(BinOp::Eq, v.x, zero), b.bin(BinOp::Gt, v.x, zero));
            let (minus, plus) = (b.bin(BinOp::Sub, v.x, v.y), b.bin(BinOp::Add, v.x, v.y));
            let kind = ExprKind::Ite(positive, minus, plus);
            let choice = b.program.expr(kind, Type::I32, Span::default());
            let right = b.bin(BinOp::Eq, choice, zero);
            b.bin(BinOp::Or, left, right)
        },
        &[
            "SignedOverflow: (!(x == 0) && ((x > 0) && overflows(Sub, x, y)))",
            "SignedOverflow: (!(x == 0) && (!(x > 0) && overflows(Add, x, y)))",
        ],
    );
}

#[test]
fn indices() {
    check(
        |b, v| {
            let place = b.index(v.a, v.x);
            b.load_place(place)
        },
        &["OutOfBounds: ((x < 0) || (x >= 3))"],
    );
    // &a[x] may be one past the end, &m[x][y] only in the inner array.
    check(
        |b, v| {
            let row = b.index(v.m, v.x);
            let place = b.index(row, v.u);
            b.addr_of(place)
        },
        &["OutOfBounds: ((x < 0) || (x >= 2))", "OutOfBounds: (u >= 4)"],
    );
    check(
        |b, v| {
            let index = b.i32(2);
            let place = b.index(v.a, index);
            b.load_place(place)
        },
        &[],
    );
}

#[test]
fn the_right_side_comes_before_the_place() {
    let (mut b, v) = vars();
    let place = b.index(v.a, v.x);
    let value = b.bin(BinOp::Add, v.x, v.y);
    let checks = undefined::of_instr(&mut b.program, &Instr::Assign(place, value), &|_| true);
    let expect = ["SignedOverflow: overflows(Add, x, y)", "OutOfBounds: ((x < 0) || (x >= 3))"];
    assert_eq!(shown(&b, &checks.before), expect);
    // The place for a call's result is found when the call has returned.
    let f = b.proc("f", &[Type::I32], Type::I32);
    let call = crate::build::call(f, vec![value], Some(place));
    let checks = undefined::of_instr(&mut b.program, &call, &|_| true);
    assert_eq!(shown(&b, &checks.before), expect[..1]);
    assert_eq!(shown(&b, &checks.after), expect[1..]);
}

#[test]
fn messages_quote_the_source() {
    let (mut b, v) = vars();
    b.program.source = Source::new("test.c", "a  +\n b; t[i]");
    let sum = b.program.expr(ExprKind::Binary(BinOp::Add, v.x, v.y), Type::I32, Span::new(0, 7));
    let message =
        |b: &mut Build, e| undefined::of_expr(&mut b.program, e, &|_| true)[0].message.clone();
    assert_eq!(message(&mut b, sum), "`a + b` overflows `int`");
    let place = b.program.place(PlaceKind::Index(v.a, v.x), Type::I32, Span::new(9, 13));
    let load = b.load_place(place);
    assert_eq!(message(&mut b, load), "`t[i]` is outside the array of 3 elements");
}
