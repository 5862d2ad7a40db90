//! What the constructors make of what they are given: pairs of terms that must be one.

use lakatos_logic::number::Int;
use lakatos_logic::term::{BvBinary, BvCompare, Node, Sort, Term, Terms};

/// Symbols of a fresh arena.
struct Build {
    t: Terms,
    x: Term,
    y: Term,
    p: Term,
    q: Term,
    /// Bytes.
    b: Term,
    c: Term,
}

fn build() -> Build {
    let mut t = Terms::new();
    let [x, y] = ["x", "y"].map(|n| t.symbol(n, Sort::Int));
    let [p, q] = ["p", "q"].map(|n| t.symbol(n, Sort::Bool));
    let [b, c] = ["b", "c"].map(|n| t.symbol(n, Sort::BitVec(8)));
    Build { t, x, y, p, q, b, c }
}

/// Both are the same term.
#[track_caller]
fn check(make: impl Fn(&mut Build) -> (Term, Term)) {
    let mut build = build();
    let (actual, expect) = make(&mut build);
    let text = |term| build.t.display(term).to_string();
    assert_eq!(actual, expect, "{} and {}", text(actual), text(expect));
}

#[test]
fn equivalences_have_one_form() {
    // Whichever side comes first, and wherever a negation stands.
    check(|b| (b.t.iff(b.p, b.q), b.t.iff(b.q, b.p)));
    check(|b| {
        let (not_p, not_q) = (b.t.not(b.p), b.t.not(b.q));
        (b.t.iff(not_p, not_q), b.t.iff(b.p, b.q))
    });
    check(|b| {
        let not_q = b.t.not(b.q);
        (b.t.iff(b.p, not_q), b.t.xor(b.p, b.q))
    });
    // A comparison may be older or younger than its negation.
    check(|b| {
        let less = b.t.lt(b.x, b.y);
        (b.t.iff(b.p, less), b.t.iff(less, b.p))
    });
    check(|b| {
        let less = b.t.lt(b.x, b.y);
        let not_less = b.t.le(b.y, b.x);
        (b.t.xor(not_less, b.p), b.t.iff(b.p, less))
    });
}

#[test]
fn a_decided_condition_is_not_asked_again() {
    check(|b| {
        let r = b.t.symbol("r", Sort::Bool);
        let s = b.t.symbol("s", Sort::Bool);
        let inner = b.t.ite(b.p, b.q, r);
        (b.t.ite(b.p, inner, s), b.t.ite(b.p, b.q, s))
    });
    check(|b| {
        let zero = b.t.int(0);
        let inner = b.t.ite(b.p, b.x, b.y);
        (b.t.ite(b.p, zero, inner), b.t.ite(b.p, zero, b.y))
    });
}

#[test]
fn extremes_of_bits() {
    use BvCompare::*;
    let constant = |b: &mut Build, n: i64| b.t.bv(n, 8);
    for (op, n, constant_first, expect) in [
        (Ule, 0, true, Some(true)),
        (Ule, 255, false, Some(true)),
        (Ult, 0, false, Some(false)),
        (Ult, 255, true, Some(false)),
        (Sle, -128, true, Some(true)),
        (Sle, 127, false, Some(true)),
        (Slt, -128, false, Some(false)),
        (Slt, 127, true, Some(false)),
        // Only the extreme itself is left.
        (Ule, 0, false, None),
        (Ule, 255, true, None),
        (Sle, -128, false, None),
        (Sle, 127, true, None),
    ] {
        check(|b| {
            let n = constant(b, n);
            let (left, right) = if constant_first { (n, b.b) } else { (b.b, n) };
            let actual = b.t.bv_compare(op, left, right);
            let expect = match expect {
                Some(value) => b.t.bool(value),
                None => b.t.eq(b.b, n),
            };
            (actual, expect)
        });
    }
}

#[test]
fn parts_of_parts() {
    let zeros = |b: &mut Build, width| b.t.bv(0, width);
    check(|b| {
        let wide = b.t.zero_extend(8, b.b);
        (b.t.extract(11, 9, wide), zeros(b, 3))
    });
    check(|b| {
        let wide = b.t.zero_extend(8, b.b);
        let high = b.t.extract(7, 4, b.b);
        (b.t.extract(9, 4, wide), b.t.zero_extend(2, high))
    });
    check(|b| {
        let both = b.t.concat(b.b, b.c);
        (b.t.extract(15, 8, both), b.b)
    });
    check(|b| {
        let both = b.t.concat(b.b, b.c);
        (b.t.extract(5, 2, both), b.t.extract(5, 2, b.c))
    });
    check(|b| {
        let (high, low) = (b.t.extract(7, 3, b.b), b.t.extract(2, 1, b.b));
        (b.t.concat(high, low), b.t.extract(7, 1, b.b))
    });
}

#[test]
fn bytes_of_a_word() {
    check(|b| {
        let word = b.t.symbol("w", Sort::BitVec(32));
        let bytes = [3, 2, 1, 0].map(|at| b.t.extract(8 * at + 7, 8 * at, word));
        let [first, rest @ ..] = bytes;
        (rest.into_iter().fold(first, |high, low| b.t.concat(high, low)), word)
    });
}

/// Z3 writes the extension of a sign bit by bit; read, it is an extension again.
#[test]
fn signs_in_front() {
    check(|b| {
        let sign = b.t.extract(7, 7, b.b);
        let twice = b.t.concat(sign, b.b);
        (b.t.concat(sign, twice), b.t.sign_extend(2, b.b))
    });
    check(|b| {
        let wide = b.t.sign_extend(8, b.b);
        (b.t.extract(12, 12, wide), b.t.extract(7, 7, b.b))
    });
    // Another bit, and the sign of another vector, stay in front.
    for bit in [6, 0] {
        check(|b| {
            let other = b.t.extract(bit, bit, b.b);
            let both = b.t.concat(other, b.b);
            (b.t.extract(8, 8, both), other)
        });
    }
    check(|b| {
        let sign = b.t.extract(7, 7, b.b);
        let both = b.t.concat(sign, b.c);
        (b.t.extract(8, 8, both), sign)
    });
}

#[test]
fn integers_modulo_a_power() {
    // An integer matters modulo 2^width only.
    check(|b| {
        let n = b.t.int(257);
        let scaled = b.t.mul(b.x, n);
        (b.t.int_to_bv(8, scaled), b.t.int_to_bv(8, b.x))
    });
    check(|b| {
        let n = b.t.int(1i64 << 32);
        let wrapped = b.t.modulo(b.x, n);
        let sum = b.t.add(wrapped, b.y);
        let plain = b.t.add(b.x, b.y);
        (b.t.int_to_bv(8, sum), b.t.int_to_bv(8, plain))
    });
    check(|b| {
        let int = b.t.bv_to_int(b.b);
        let n = b.t.int(512);
        let sum = b.t.add(int, n);
        (b.t.int_to_bv(8, sum), b.b)
    });
}

/// Each remainder is undone once, though it is reached in many ways.
#[test]
fn nested_remainders_are_undone_in_order() {
    let mut b = build();
    let mut previous = vec![b.x, b.y];
    for at in 0..60 {
        let twice = b.t.scale(&Int::from(3), previous[at]);
        let sum = b.t.add(twice, previous[at + 1]);
        // A sum of remainders by coprime numbers stays one.
        let modulus = b.t.int(if at % 2 == 0 { 6 } else { 10 });
        previous.push(b.t.modulo(sum, modulus));
    }
    let two = b.t.int(2);
    let sum = b.t.add(previous[60], previous[61]);
    let parity = b.t.modulo(sum, two);
    let Node::Mod(of, _) = *b.t.node(parity) else { panic!("{}", b.t.display(parity)) };
    assert!(b.t.size(of) <= 3, "{}", b.t.display(of));
}

/// A function without arguments is the constant of that name: solvers see no difference.
#[test]
fn functions_without_arguments_are_symbols() {
    check(|b| {
        let f = b.t.function("x", &[], Sort::Int);
        (b.t.apply(f, &[]), b.x)
    });
}

#[test]
fn operands_of_bits_that_do_nothing() {
    use BvBinary::*;
    for (op, n, constant_first, expect) in [
        (Add, 0, true, None),
        (Sub, 0, false, None),
        (Mul, 1, true, None),
        (Mul, 0, false, Some(0)),
        (And, -1, true, None),
        (And, 0, true, Some(0)),
        (Or, 0, false, None),
        (Or, -1, false, Some(-1)),
        (Xor, 0, true, None),
        (Udiv, 1, false, None),
        (Shl, 0, false, None),
        (Lshr, 0, true, Some(0)),
        (Ashr, 0, false, None),
    ] {
        check(|b| {
            let n = b.t.bv(n, 8);
            let (left, right) = if constant_first { (n, b.b) } else { (b.b, n) };
            let actual = b.t.bv_binary(op, left, right);
            (actual, expect.map_or(b.b, |value: i64| b.t.bv(value, 8)))
        });
    }
}
