//! Every domain on safe and unsafe programs, under every way of popping: none gives a wrong
//! verdict, and each proves and refutes what it is made for.

mod common;

use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_engine::Statistics;
use lakatos_engine::stack_cegar::{Kind, StackCegar};

use common::End;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void);\n";

fn run(text: &str, engine: StackCegar) -> (End, Statistics) {
    common::run(&format!("{HEAD}{text}"), engine, 3000)
}

fn with(domain: Kind) -> StackCegar {
    StackCegar { probe: false, domain, ..StackCegar::default() }
}

/// The settings that must not give a wrong verdict.
fn settings(domain: Kind) -> Vec<StackCegar> {
    let plain = with(domain);
    let mut all: Vec<StackCegar> =
        [Pop::Summary, Pop::Havoc, Pop::Off].map(|pop| StackCegar { pop, ..plain }).into();
    for initial in [Initial::AllAssumes, Initial::ParamAssumes, Initial::AllVars] {
        all.push(StackCegar { initial, ..plain });
    }
    for granularity in [Granularity::Location, Granularity::Global] {
        let explicit = explicit::Settings { granularity, ..plain.explicit };
        all.push(StackCegar { granularity, explicit, ..plain });
    }
    let explicit = explicit::Settings { successors: 0, ..plain.explicit };
    all.push(StackCegar { explicit, abstracts: Abstracts::Cartesian, ..plain });
    all.push(StackCegar { search: Search::Dfs, initial: Initial::AllVars, ..plain });
    all
}

/// These domains decide it; the others, and other settings, do so too or say nothing.
#[track_caller]
fn check(text: &str, expect: End, by: &[Kind]) {
    for kind in by {
        assert_eq!(run(text, with(*kind)).0, expect, "{kind:?}: {text}");
    }
    for engine in [Kind::Explicit, Kind::Product].into_iter().flat_map(settings) {
        let end = run(text, engine).0;
        assert!(end == expect || end == End::Unknown, "{end:?} by {engine:?}: {text}");
    }
}

#[track_caller]
fn check_twins(text: &str, safe: &str, unsafe_: &str, by: &[Kind]) {
    check(&text.replace("@", safe), End::Proof, by);
    check(&text.replace("@", unsafe_), End::Refutation, by);
}

const BOTH: &[Kind] = &[Kind::Explicit, Kind::Product];
const PRODUCT: &[Kind] = &[Kind::Product];

#[test]
fn constant_recursion() {
    check_twins(
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
         int main(void) { int r = fib(10); if (r @ 55) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
}

#[test]
fn loops_with_a_constant_bound() {
    check_twins(
        "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += 2;
                          if (s @ 200) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
}

/// Nobody knows how often: values are given up for predicates.
#[test]
fn loops_with_an_unknown_bound() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); int i = 0; if (n < 0) return 0;
                                 while (i < n) i++; if (i @ n) reach_error(); }";
    check_twins(text, "!=", "==", PRODUCT);
    let (_, statistics) = run(&text.replace("@", "!="), with(Kind::Product));
    assert!(statistics.nodes < 1000, "{statistics:?}");
    check_twins(
        "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x = x < 5 ? x + 1 : 0;
                          if (x @) reach_error(); }",
        "> 5",
        "== 5",
        BOTH,
    );
    check_twins(
        "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x += 2; if (x @) reach_error(); }",
        "< 0",
        "== 6",
        PRODUCT,
    );
}

/// An event loop whose state is in globals.
#[test]
fn event_loop() {
    check_twins(
        "int a = 1, b = 0, c = 7;
         int step(int input) {
           if (input == 1 && a == 1 && b < 3) { a = 2; b = b + 1; return 21; }
           if (input == 2 && a == 2) { a = 3; c = 8; return 22; }
           if (input == 3 && a == 3 && c == 8) { a = 1; c = 7; return 23; }
           if (input == 2 && a == 1 && b == 3) { a = 4; return 24; }
           if (a == 4 && b @ 3) reach_error();
           return -2;
         }
         int main(void) { int output = -1;
           while (1) { int input = __VERIFIER_nondet_int();
             if (input != 1 && input != 2 && input != 3) return -2;
             output = step(input); } }",
        "!=",
        "==",
        BOTH,
    );
}

/// Figure 5.3: every call has another value.
#[test]
fn figure_5_3() {
    let text = "void rec(int k) { if (k <= 0) reach_error(); rec(k + 1); }
                int main(void) { rec(1); }";
    assert_eq!(run(text, with(Kind::Explicit)).0, End::Unknown);
    check(text, End::Proof, &[]);
}

/// A few values of something unknown are followed each for itself.
#[test]
fn few_values() {
    check_twins(
        "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); int k = c % 3; int r = 0;
           if (k == 0) r = 5; if (k == 1) r = 6; if (k == 2) r = 7;
           int q = r * r; if (q @ 30 && q != 36 && q != 49) reach_error(); }",
        "< 25 ||  q > 49 || q ==",
        "<",
        PRODUCT,
    );
    check_twins(
        "int f(_Bool b) { if (b) return 3; return 4; }
         int main(void) { _Bool b = __VERIFIER_nondet_bool(); int r = f(b);
                          if (b && r @ 3) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
}

/// What a callee changes, and whose exits it takes over.
#[test]
fn calls() {
    check_twins(
        "int g; void set(int v) { g = v; }
         int main(void) { set(1); set(2); if (g @ 2) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
    check_twins(
        "int g; void inc(void) { g = g + 1; }
         int main(void) { g = 1; inc(); g = 5; inc(); if (g @ 6) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
    check_twins(
        "int depth; void down(int n) { depth++; if (n > 0) down(n - 1); depth -= @; }
         int main(void) { depth = 0; down(5); if (depth != 0) reach_error(); }",
        "1",
        "2",
        BOTH,
    );
    check_twins(
        "int f(int n) { n = n + 1; if (n > 3) return n; return f(n); }
         int main(void) { int a = f(0); int b = f(1); if (a @ b) reach_error(); }",
        "!=",
        "==",
        BOTH,
    );
    check(
        "int g = 0; void f(void) { if (__VERIFIER_nondet_int()) { f(); if (g != 0) reach_error(); }
         g = 1; } int main(void) { f(); }",
        End::Refutation,
        BOTH,
    );
    check(
        "void f(int k) { if (k == 1 && __VERIFIER_nondet_int()) { k = 0; goto M; } k = 0; R:; M:; }
         int main(void) { f(1); f(2); reach_error(); }",
        End::Refutation,
        BOTH,
    );
    check(
        "int x; void f(void) {}
         int main(void) { x = 1; f(); x = 2; f(); if (x == 2) reach_error(); }",
        End::Refutation,
        BOTH,
    );
}

/// What is undefined ends the path, and only that.
#[test]
fn undefined_operations() {
    check_twins(
        "int main(void) { int z = __VERIFIER_nondet_int(); int d = 0;
           if (@ 10 / d > 0) reach_error(); if (z && z != z) reach_error(); }",
        "",
        "z == 7 ||",
        BOTH,
    );
    check_twins(
        "int main(void) { int m = 2147483647; int z = __VERIFIER_nondet_int();
           if (@ m + 1 < 0) reach_error(); }",
        "",
        "z ||",
        BOTH,
    );
}

/// Nothing is known of memory.
#[test]
fn memory_is_opaque() {
    let text = "void set(int *p) { *p = 1; }
                int main(void) { int x = 0; set(&x); if (x == 1) reach_error(); }";
    for engine in [Kind::Explicit, Kind::Product].into_iter().flat_map(settings) {
        assert_ne!(run(text, engine).0, End::Proof, "{engine:?}");
    }
}
