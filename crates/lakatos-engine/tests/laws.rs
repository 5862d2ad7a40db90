//! Laws of numbers that runs have in common: products, powers, divisors.

mod common;

use common::{End, compile};
use lakatos_check::{Verdict, Why};
use lakatos_engine::{Engine, Laws, Task, Unwatched};
use lakatos_ir::{Property, SignedOverflow};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    void assume(int holds) { while (!holds) ; } ";

fn check(text: &str, expect: End) {
    let program = compile(&format!("{HEAD}{text}"));
    let signed_overflow = SignedOverflow::Undefined;
    let task = Task { program: &program, property: Property::UnreachCall, signed_overflow };
    let end = match Laws.solve(&task, &mut Unwatched).verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(Why::NoInvariant { .. }) => End::Unknown,
        Verdict::Unknown(why) => panic!("{text}: {why:?}"),
    };
    assert_eq!(end, expect, "{text}");
}

const TIMES: &str = "int times(int n, int m) { return m == 0 ? 0 : n + times(n, m - 1); } ";

#[test]
fn products() {
    let small = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a < 0 || a > 1000 || b < 0 || b > 1000) return 0;";
    let of_times = |body: &str| format!("{TIMES} int main(void) {{ {small} {body} return 0; }}");
    check(&of_times("if (times(a, b) != times(b, a)) reach_error();"), End::Proof);
    check(&of_times("if (times(a, b) != a * b) reach_error();"), End::Proof);
    check(&of_times("if (times(a, b) == times(b, a) + 1) reach_error();"), End::Proof);
    // Right in small runs only.
    check(&of_times("if (times(a, b) > 999000) reach_error();"), End::Unknown);
    let squares = |body: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(), i = 0, s = 0; assume(n >= 0 && n < 1000);
             while (i < n) {{ s = s + i; i++; }} {body} return 0; }}"
        )
    };
    check(&squares("if (2 * s != n * n - n) reach_error();"), End::Proof);
    check(&squares("if (2 * s != n * n) reach_error();"), End::Unknown);
    check(&squares("if (n > 900 && 2 * s == n * n - n) reach_error();"), End::Unknown);
}

/// What ranges say of numbers is what laws about them rest on: where they wrap, squares are none.
#[test]
fn laws_of_numbers_that_would_wrap() {
    let squares = |bound: &str, body: &str| {
        format!(
            "extern unsigned any(void); int main(void) {{ unsigned n = any(), i = 0, s = 0, k = 7; int mode = 0;
             {bound} while (i < n) {{ s = s + 2 * i + 1; i++; if (__VERIFIER_nondet_int()) {{ mode = 1; k = any(); }} }}
             if ({body}) reach_error(); return 0; }}"
        )
    };
    let bound = "if (n > 1000) return 0;";
    check(&squares(bound, "(mode == 0 && k != 7) || s != i * i"), End::Proof);
    check(&squares(bound, "mode == 1 && k == 7 || s != i * i"), End::Unknown);
    check(&squares(bound, "s / 1000 > 999 && s == i * i"), End::Unknown);
    check(&squares(bound, "i > 0 && s == 0"), End::Proof);
    check(&squares("", "i > 0 && s == 0"), End::Unknown);
}

#[test]
fn powers() {
    let both = |body: &str| {
        format!(
            "int steps; int moves(int n) {{ return n == 0 ? 0 : 2 * moves(n - 1) + 1; }}
             void move(int n) {{ if (n == 0) return; move(n - 1); steps++; move(n - 1); }}
             int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 20) return 0; move(n);
             if ({body}) reach_error(); return 0; }}"
        )
    };
    check(&both("steps != moves(n)"), End::Proof);
    check(&both("steps != (1 << n) - 1"), End::Proof);
    check(&both("steps == 1048575"), End::Unknown);
}

#[test]
fn divisors() {
    let gcd = |condition: &str| {
        format!(
            "int gcd(int a, int b) {{ return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }}
             int main(void) {{ int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a < 1 || b < 1) return 0;
             int g = gcd(a, b); if ({condition}) reach_error(); return 0; }}"
        )
    };
    check(&gcd("a % g != 0 || b % g != 0"), End::Proof);
    check(&gcd("(a - b) % g != 0"), End::Proof);
    check(&gcd("g > a"), End::Proof);
    check(&gcd("g != 1 && a == 100003"), End::Unknown);
}

/// What is seen in a few runs is a guess: errors that none of them comes to are no proof.
#[test]
fn guesses_that_runs_suggest_and_programs_contradict() {
    for text in [
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 123456) reach_error(); return 0; }",
        "int f(int x) { return x == 70000 ? 1 : 0; }
         int main(void) { if (f(__VERIFIER_nondet_int())) reach_error(); return 0; }",
        "int g; void step(void) { if (g == 900) g = 5000; else g++; }
         int main(void) { int n = __VERIFIER_nondet_int(); while (g < n) step();
         if (g == 5000) reach_error(); return 0; }",
        "int main(void) { unsigned x = 1, i = 0, n = __VERIFIER_nondet_int(); while (i < n) { x = 2 * x; i++; }
         if (x == 0) reach_error(); return 0; }",
        "int f(int n) { return n == 0 ? 1 : n == 333 ? 7 : f(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && f(n) != 1) reach_error(); return 0; }",
    ] {
        check(text, End::Unknown);
    }
}
