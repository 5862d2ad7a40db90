//! Terms as text: SMT-LIB for solvers, infix for people.

use expect_test::{Expect, expect};
use lakatos_logic::number::{Int, Rational};
use lakatos_logic::smt::dump;
use lakatos_logic::term::{BvBinary, BvCompare, Quantifier, Sort, Term, Terms};

/// The terms that the tests are made of.
struct Build {
    t: Terms,
    x: Term,
    y: Term,
    p: Term,
    q: Term,
    /// Reals.
    r: Term,
    s: Term,
    /// Bytes.
    b: Term,
    c: Term,
    /// From integers to integers.
    a: Term,
}

impl Build {
    fn new() -> Build {
        let mut t = Terms::new();
        let array = t.array_sort(Sort::Int, Sort::Int);
        let [x, y] = ["x", "y"].map(|n| t.symbol(n, Sort::Int));
        let [p, q] = ["p", "q"].map(|n| t.symbol(n, Sort::Bool));
        let [r, s] = ["r", "s"].map(|n| t.symbol(n, Sort::Real));
        let [b, c] = ["b", "c"].map(|n| t.symbol(n, Sort::BitVec(8)));
        let a = t.symbol("a", array);
        Build { t, x, y, p, q, r, s, b, c, a }
    }

    fn n(&mut self, value: i64) -> Term {
        self.t.int(value)
    }

    fn fraction(&mut self, numerator: i64, denominator: u64) -> Term {
        self.t.real(Rational::from_parts(Int::from(numerator), denominator.into()))
    }

    /// `i·x + j·y + k`.
    fn linear(&mut self, i: i64, j: i64, k: i64) -> Term {
        let (x, y, k) = (self.x, self.y, self.n(k));
        let (x, y) = (self.t.scale(&Int::from(i), x), self.t.scale(&Int::from(j), y));
        self.t.add_all([x, y, k], Sort::Int)
    }

    fn binary(&mut self, op: BvBinary) -> Term {
        self.t.bv_binary(op, self.b, self.c)
    }
}

/// One term per line, infix.
fn infix(make: impl Fn(&mut Build) -> Vec<Term>, expect: Expect) {
    let mut build = Build::new();
    let made = make(&mut build);
    let lines: Vec<String> = made.iter().map(|term| build.t.display(*term).to_string()).collect();
    expect.assert_eq(&(lines.join("\n") + "\n"));
}

fn smtlib(make: impl Fn(&mut Build) -> Vec<Term>, expect: Expect) {
    let mut build = Build::new();
    let made = make(&mut build);
    let lines: Vec<String> = made.iter().map(|term| build.t.smtlib(*term)).collect();
    expect.assert_eq(&(lines.join("\n") + "\n"));
}

fn script(make: impl Fn(&mut Build) -> Vec<Term>, expect: Expect) {
    let mut build = Build::new();
    let made = make(&mut build);
    expect.assert_eq(&dump(&build.t, &made));
}

fn comparisons(b: &mut Build) -> Vec<Term> {
    let zero = b.n(0);
    let mut made = Vec::new();
    for (i, j, k) in [(1, -1, -1), (-1, 0, 5), (1, 0, -4), (-1, -2, 3), (1, 1, 0), (-1, 1, 7)] {
        let sum = b.linear(i, j, k);
        let (le, eq) = (b.t.le(sum, zero), b.t.eq(sum, zero));
        made.extend([le, b.t.not(le), eq, b.t.not(eq)]);
    }
    made
}

fn reals(b: &mut Build) -> Vec<Term> {
    let (half, third) = (b.fraction(1, 2), b.fraction(-1, 3));
    let sum = b.t.add(b.r, half);
    let scaled = b.t.mul(sum, third);
    let sum = b.t.sub(scaled, b.s);
    let le = b.t.le(b.r, half);
    let lt = b.t.lt(b.s, b.r);
    let real = b.t.to_real(b.x);
    let mixed = b.t.mul(real, half);
    vec![half, third, scaled, sum, le, lt, mixed]
}

fn numbers(b: &mut Build) -> Vec<Term> {
    let (two, minus) = (b.n(2), b.n(-5));
    let rest = b.t.modulo(b.x, two);
    let odd = b.n(1);
    let odd = b.t.eq(rest, odd);
    let quotient = b.t.div(b.x, b.y);
    let product = b.t.mul(b.x, quotient);
    let twice = b.t.scale(&Int::from(-2), product);
    let product = b.t.mul(product, b.y);
    let choice = b.t.ite(b.p, b.x, b.y);
    let nested = b.t.ite(b.q, two, choice);
    let sum = b.t.add(choice, two);
    let less = b.t.le(choice, b.x);
    let f = b.t.function("f", &[Sort::Int, Sort::Int], Sort::Int);
    let call = b.t.apply(f, &[sum, minus]);
    let g = b.t.function("g", &[], Sort::Int);
    let nullary = b.t.apply(g, &[]);
    vec![minus, odd, twice, product, nested, sum, less, call, nullary]
}

fn booleans(b: &mut Build) -> Vec<Term> {
    let le = b.t.le(b.x, b.y);
    let np = b.t.not(b.p);
    let and = b.t.and([b.p, b.q]);
    let or = b.t.or([and, le]);
    let both = b.t.or([np, b.q]);
    let both = b.t.and([both, le]);
    let same = b.t.iff(b.p, le);
    let different = b.t.xor(b.p, b.q);
    let y = b.t.as_symbol(b.y).expect("a symbol");
    let all = b.t.quantified(Quantifier::Forall, &[y], le);
    let under = b.t.implies(all, b.p);
    vec![np, or, both, same, different, all, under]
}

fn arrays(b: &mut Build) -> Vec<Term> {
    let one = b.n(1);
    let next = b.t.add(b.x, one);
    let read = b.t.select(b.a, next);
    let written = b.t.store(b.a, b.x, read);
    let again = b.t.select(written, b.y);
    let sort = b.t.sort(b.a);
    let ones = b.t.const_array(sort, one);
    let equal = b.t.eq(written, ones);
    let choice = b.t.ite(b.p, b.a, ones);
    let of_choice = b.t.select(choice, b.x);
    vec![read, again, equal, of_choice]
}

fn bits(b: &mut Build) -> Vec<Term> {
    use BvBinary::*;
    let mut made: Vec<Term> =
        [Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, And, Or, Xor, Shl, Lshr, Ashr]
            .map(|op| b.binary(op))
            .to_vec();
    let [and, xor, sub] = [And, Xor, Sub].map(|op| b.binary(op));
    let one = b.t.bv(1, 8);
    let odd = b.t.bv_binary(And, b.b, one);
    made.push(b.t.eq(odd, one));
    made.push(b.t.bv_binary(And, and, xor));
    made.push(b.t.bv_binary(Sub, b.b, sub));
    made.push(b.t.bv_binary(Shl, sub, one));
    for op in [BvCompare::Ult, BvCompare::Ule, BvCompare::Slt, BvCompare::Sle] {
        made.push(b.t.bv_compare(op, b.b, b.c));
    }
    let (not, neg) = (b.t.bv_not(and), b.t.bv_neg(b.c));
    let (five, all) = (b.t.bv(5, 3), b.t.bv(-1, 8));
    made.extend([not, neg, five, all]);
    made.push(b.t.extract(6, 2, b.b));
    made.push(b.t.concat(b.b, b.c));
    made.push(b.t.zero_extend(24, b.b));
    made.push(b.t.sign_extend(24, b.b));
    made.push(b.t.bv_to_int(b.b));
    made.push(b.t.int_to_bv(16, b.x));
    made
}

#[test]
fn infix_comparisons() {
    infix(
        comparisons,
        expect![[r#"
        x <= y + 1
        y <= x - 2
        x == y + 1
        x != y + 1
        x >= 5
        x <= 4
        x == 5
        x != 5
        x <= 4
        x >= 5
        x == 4
        x != 4
        x + 2*y >= 3
        x + 2*y <= 2
        x + 2*y == 3
        x + 2*y != 3
        x + y <= 0
        x + y >= 1
        x + y == 0
        x + y != 0
        y <= x - 7
        x <= y + 6
        x == y + 7
        x != y + 7
    "#]],
    );
}

#[test]
fn infix_numbers() {
    infix(
        numbers,
        expect![[r#"
        -5
        mod(x, 2) == 1
        -2*x*div(x, y)
        x*y*div(x, y)
        q ? 2 : p ? x : y
        (p ? x : y) + 2
        (p ? x : y) <= x
        f((p ? x : y) + 2, -5)
        g()
    "#]],
    );
    infix(
        reals,
        expect![[r#"
        1/2
        -1/3
        (-2*r - 1)/6
        (-2*r - 6*s - 1)/6
        2*r <= 1
        r > s
        real(x)/2
    "#]],
    );
}

#[test]
fn infix_booleans() {
    infix(
        booleans,
        expect![[r#"
        !p
        x <= y || p && q
        x <= y && (q || !p)
        p == (x <= y)
        p != q
        forall y. x <= y
        p || !(forall y. x <= y)
    "#]],
    );
}

#[test]
fn infix_arrays_and_bits() {
    infix(
        arrays,
        expect![[r#"
        a[x + 1]
        a[x := a[x + 1]][y]
        a[x := a[x + 1]] == const(1)
        (p ? a : const(1))[x]
    "#]],
    );
    infix(
        bits,
        expect![[r#"
            b + c
            b - c
            b*c
            udiv(b, c)
            urem(b, c)
            sdiv(b, c)
            srem(b, c)
            b & c
            b | c
            b ^ c
            b << c
            lshr(b, c)
            ashr(b, c)
            (b & 1) == 1
            b & c & (b ^ c)
            b - (b - c)
            b - c << 1
            b <u c
            b <=u c
            b <s c
            b <=s c
            ~(b & c)
            -c
            5
            255
            extract(b, 6, 2)
            concat(b, c)
            zero_extend24(b)
            sign_extend24(b)
            int(b)
            bv16(x)
        "#]],
    );
}

/// A term of 2^60 leaves, and one that is deep.
#[test]
fn infix_of_large_terms_ends() {
    let mut b = Build::new();
    let f = b.t.function("f", &[Sort::Int, Sort::Int], Sort::Int);
    let doubled = (0..60).fold(b.x, |term, _| b.t.apply(f, &[term, term]));
    let text = b.t.display(doubled).to_string();
    assert!(text.ends_with("…)") && text.len() < 1_000_000, "{} bytes", text.len());
}

#[test]
fn smtlib_numbers() {
    smtlib(
        comparisons,
        expect![[r#"
        (<= (+ x (- y) (- 1)) 0)
        (<= (+ (- x) y 2) 0)
        (= (+ x (- y) (- 1)) 0)
        (not (= (+ x (- y) (- 1)) 0))
        (<= (+ (- x) 5) 0)
        (<= (+ x (- 4)) 0)
        (= (+ x (- 5)) 0)
        (not (= (+ x (- 5)) 0))
        (<= (+ x (- 4)) 0)
        (<= (+ (- x) 5) 0)
        (= (+ x (- 4)) 0)
        (not (= (+ x (- 4)) 0))
        (<= (+ (- x) (* (- 2) y) 3) 0)
        (<= (+ x (* 2 y) (- 2)) 0)
        (= (+ x (* 2 y) (- 3)) 0)
        (not (= (+ x (* 2 y) (- 3)) 0))
        (<= (+ x y) 0)
        (<= (+ (- x) (- y) 1) 0)
        (= (+ x y) 0)
        (not (= (+ x y) 0))
        (<= (+ (- x) y 7) 0)
        (<= (+ x (- y) (- 6)) 0)
        (= (+ x (- y) (- 7)) 0)
        (not (= (+ x (- y) (- 7)) 0))
    "#]],
    );
    smtlib(
        numbers,
        expect![[r#"
        (- 5)
        (= (+ (mod x 2) (- 1)) 0)
        (* (- 2) (* x (div x y)))
        (* x y (div x y))
        (ite q 2 (ite p x y))
        (+ (ite p x y) 2)
        (<= (+ (- x) (ite p x y)) 0)
        (f (+ (ite p x y) 2) (- 5))
        g
    "#]],
    );
    smtlib(
        reals,
        expect![[r#"
        (/ 1.0 2.0)
        (/ (- 1.0) 3.0)
        (+ (* (/ (- 1.0) 3.0) r) (/ (- 1.0) 6.0))
        (+ (* (/ (- 1.0) 3.0) r) (- s) (/ (- 1.0) 6.0))
        (<= (+ (* 2.0 r) (- 1.0)) 0.0)
        (not (<= (+ r (- s)) 0.0))
        (* (/ 1.0 2.0) (to_real x))
    "#]],
    );
}

#[test]
fn smtlib_others() {
    smtlib(
        booleans,
        expect![[r#"
        (not p)
        (or (<= (+ x (- y)) 0) (and p q))
        (and (<= (+ x (- y)) 0) (or q (not p)))
        (= p (<= (+ x (- y)) 0))
        (not (= p q))
        (forall ((y Int)) (<= (+ x (- y)) 0))
        (or p (not (forall ((y Int)) (<= (+ x (- y)) 0))))
    "#]],
    );
    smtlib(
        arrays,
        expect![[r#"
        (select a (+ x 1))
        (select (store a x (select a (+ x 1))) y)
        (= (store a x (select a (+ x 1))) ((as const (Array Int Int)) 1))
        (select (ite p a ((as const (Array Int Int)) 1)) x)
    "#]],
    );
    smtlib(
        bits,
        expect![[r#"
        (bvadd b c)
        (bvsub b c)
        (bvmul b c)
        (bvudiv b c)
        (bvurem b c)
        (bvsdiv b c)
        (bvsrem b c)
        (bvand b c)
        (bvor b c)
        (bvxor b c)
        (bvshl b c)
        (bvlshr b c)
        (bvashr b c)
        (= #x01 (bvand b #x01))
        (bvand (bvand b c) (bvxor b c))
        (bvsub b (bvsub b c))
        (bvshl (bvsub b c) #x01)
        (not (bvule c b))
        (bvule b c)
        (not (bvsle c b))
        (bvsle b c)
        (bvnot (bvand b c))
        (bvneg c)
        #b101
        #xff
        ((_ extract 6 2) b)
        (concat b c)
        ((_ zero_extend 24) b)
        ((_ sign_extend 24) b)
        (bv2nat b)
        ((_ int2bv 16) x)
    "#]],
    );
}

/// `f(f(x + 1, …), …)`, which has as many lines as steps.
#[test]
fn smtlib_shares() {
    let doubled = |b: &mut Build| {
        let f = b.t.function("f", &[Sort::Int, Sort::Int], Sort::Int);
        let one = b.n(1);
        let start = b.t.add(b.x, one);
        (0..4).fold(start, |term, _| b.t.apply(f, &[term, term]))
    };
    smtlib(
        |b| vec![doubled(b)],
        expect![[r#"
        (let ((?1 (+ x 1))) (let ((?2 (f ?1 ?1))) (let ((?3 (f ?2 ?2))) (let ((?4 (f ?3 ?3))) (f ?4 ?4)))))
    "#]],
    );
    let script_of = |b: &mut Build| {
        let big = doubled(b);
        let zero = b.n(0);
        vec![b.t.le(big, zero), b.t.eq(big, zero)]
    };
    script(
        script_of,
        expect![[r#"
        (set-logic QF_UFLIA)
        (declare-fun x () Int)
        (declare-fun f (Int Int) Int)
        (define-fun ?1 () Int (+ x 1))
        (define-fun ?2 () Int (f ?1 ?1))
        (define-fun ?3 () Int (f ?2 ?2))
        (define-fun ?4 () Int (f ?3 ?3))
        (define-fun ?5 () Int (f ?4 ?4))
        (assert (<= ?5 0))
        (assert (= ?5 0))
        (check-sat)
    "#]],
    );
}

/// What is used twice inside a quantifier and mentions its symbols is named inside; what does not
/// is named outside. The `x` outside is another one than that inside.
#[test]
fn smtlib_shares_in_quantifiers() {
    let make = |b: &mut Build| {
        let f = b.t.function("f", &[Sort::Int, Sort::Int], Sort::Int);
        let [ix, iy] = [b.x, b.y].map(|s| b.t.as_symbol(s).expect("a symbol"));
        let twice = |b: &mut Build, a: Term| b.t.apply(f, &[a, a]);
        let (square, other) = (b.t.mul(b.x, b.x), b.t.mul(b.y, b.y));
        let (on_x, on_y) = (twice(b, square), twice(b, other));
        let less = b.t.le(on_x, on_y);
        let inner = b.t.quantified(Quantifier::Exists, &[ix], less);
        let equal = b.t.eq(on_x, on_y);
        let both = b.t.and([inner, equal]);
        let all = b.t.quantified(Quantifier::Forall, &[ix], both);
        let outside = b.t.lt(on_x, square);
        let more = b.t.quantified(Quantifier::Forall, &[iy], less);
        vec![b.t.or([all, outside, more])]
    };
    script(
        make,
        expect![[r#"
        (set-logic ALL)
        (declare-fun x () Int)
        (declare-fun y () Int)
        (declare-fun f (Int Int) Int)
        (define-fun ?1 () Int (* x x))
        (assert (or (forall ((x Int)) (let ((?2 (* x x))) (let ((?3 (* y y))) (and (exists ((x Int)) (let ((?4 (* x x))) (let ((?5 (* y y))) (<= (+ (f ?4 ?4) (- (f ?5 ?5))) 0)))) (= (+ (f ?2 ?2) (- (f ?3 ?3))) 0))))) (<= (+ (- ?1) (f ?1 ?1) 1) 0) (forall ((y Int)) (let ((?6 (* x x))) (let ((?7 (* y y))) (<= (+ (f ?6 ?6) (- (f ?7 ?7))) 0))))))
        (check-sat)
    "#]],
    );
}

#[test]
fn smtlib_names() {
    let make = |b: &mut Build| {
        let names = ["main::x", "and", "bvx", "1st", "a b", "a|b", "a\\b", "", "@at", "?1", "x"];
        let mut sum: Vec<Term> = names.iter().map(|n| b.t.symbol(n, Sort::Int)).collect();
        sum.push(b.x);
        let total = b.t.add_all(sum, Sort::Int);
        let same_name = b.t.symbol("x", Sort::Bool);
        let function = b.t.function("x", &[Sort::Int], Sort::Int);
        let call = b.t.apply(function, &[total]);
        let le = b.t.le(call, total);
        vec![b.t.and([le, same_name])]
    };
    script(
        make,
        expect![[r#"
        (set-logic QF_UFLIA)
        (declare-fun x () Int)
        (declare-fun |main::x| () Int)
        (declare-fun and!1 () Int)
        (declare-fun _bvx () Int)
        (declare-fun |1st| () Int)
        (declare-fun |a b| () Int)
        (declare-fun a_b () Int)
        (declare-fun a_b!1 () Int)
        (declare-fun _!1 () Int)
        (declare-fun _@at () Int)
        (declare-fun ?1 () Int)
        (declare-fun x!1 () Bool)
        (declare-fun x!2 (Int) Int)
        (assert (and x!1 (<= (+ (* (- 2) x) (- |main::x|) (- and!1) (- _bvx) (- |1st|) (- |a b|) (- a_b) (- a_b!1) (- _!1) (- _@at) (- ?1) (x!2 (+ (* 2 x) |main::x| and!1 _bvx |1st| |a b| a_b a_b!1 _!1 _@at ?1))) 0)))
        (check-sat)
    "#]],
    );
}
