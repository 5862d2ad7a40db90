//! Stack-CEGAR on the programs of the documents, on traps, and on twins: a safe and an unsafe
//! program that differ in what a popped call does.

mod common;

use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::Granularity;
use lakatos_engine::Statistics;
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_logic::interpolate::Strategy;

use common::End;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn run(text: &str, engine: StackCegar) -> (End, Statistics) {
    common::run(&format!("{HEAD}{text}"), engine, 600)
}

fn popping(pop: Pop) -> StackCegar {
    StackCegar { probe: false, pop, ..StackCegar::default() }
}

/// Whatever the setting, the answer is `expect` or none; with summaries it is `expect`.
#[track_caller]
fn check(text: &str, expect: End) {
    let summary = popping(Pop::Summary);
    assert_eq!(run(text, summary).0, expect, "summary: {text}");
    for engine in [
        popping(Pop::Havoc),
        popping(Pop::Off),
        StackCegar { search: Search::Dfs, ..summary },
        StackCegar { search: Search::ErrorFirst, ..summary },
        StackCegar { prune: Prune::Full, ..summary },
        StackCegar { strategy: Strategy::Backward, ..summary },
        StackCegar { strategy: Strategy::Newton, pop: Pop::Havoc, ..summary },
    ] {
        let end = run(text, engine).0;
        assert!(end == expect || end == End::Unknown, "{end:?} by {engine:?}: {text}");
    }
}

/// Refuted under every way of popping.
#[track_caller]
fn check_refuted(text: &str) {
    check(text, End::Refutation);
    for pop in [Pop::Havoc, Pop::Off] {
        assert_eq!(run(text, popping(pop)).0, End::Refutation, "{pop:?}: {text}");
    }
}

#[test]
fn figure_2_1() {
    let text = |bound: u32| {
        format!(
            "int main(void) {{ int a; int b = a % 10; while (a > 100) {{ b = a % 10; a = a - 1; }}
             if (!(b < {bound})) reach_error(); }}"
        )
    };
    check(&text(10), End::Proof);
    check_refuted(&text(9));
}

#[test]
fn figure_4_1_is_not_proved() {
    check_refuted("void foo(int k) {} int main(void) { foo(2); foo(2); reach_error(); }");
}

#[test]
fn figure_5_3() {
    let text = "void rec(int k) { if (k <= 0) reach_error(); rec(k + 1); }
                int main(void) { rec(1); }";
    check(text, End::Proof);
    // As in the thesis: one precision for all locations; some call is popped.
    let everywhere = StackCegar { granularity: Granularity::Global, ..popping(Pop::Havoc) };
    let (end, statistics) = run(text, everywhere);
    assert_eq!(end, End::Proof);
    assert!(statistics.popped > 0 && statistics.refinements <= 3, "{statistics:?}");
    // Every call is a new stack.
    assert_eq!(run(text, popping(Pop::Off)).0, End::Unknown);
}

#[test]
fn figure_6_2() {
    check(
        "int abs_(int x) { if (x < 0) return -x; return x; }
         int main(void) { int r = abs_(__VERIFIER_nondet_int()); if (r < 0) reach_error(); }",
        End::Proof,
    );
}

/// The traps of DESIGN.md sections 5 and 6.1.
#[test]
fn traps() {
    check_refuted(
        "int g = 0; void f(void) { if (__VERIFIER_nondet_int()) { f(); if (g != 0) reach_error(); }
         g = 1; } int main(void) { f(); }",
    );
    check_refuted(
        "int x; void f(void) {}
         int main(void) { x = 1; f(); x = 2; f(); if (x == 2) reach_error(); }",
    );
    check_refuted(
        "void f(int k) { if (k == 1 && __VERIFIER_nondet_int()) { k = 0; goto M; } k = 0; R:; M:; }
         int main(void) { f(1); f(2); reach_error(); }",
    );
}

/// A value at entry matters only if something says that it has not changed since.
#[test]
fn returns_relate_results_to_arguments() {
    check(
        "void f(int n) { if (n < 3) return; n--; f(n); reach_error(); } int main(void) { f(2); }",
        End::Proof,
    );
    check_refuted(
        "void f(int n) { if (n < 3) return; n--; f(n); reach_error(); } int main(void) { f(4); }",
    );
}

#[track_caller]
fn check_twins(text: &str, safe: &str, unsafe_: &str) {
    check(&text.replace("@", safe), End::Proof);
    check(&text.replace("@", unsafe_), End::Refutation);
}

/// What the popped part changes matters: statics, results, in recursion direct and mutual.
#[test]
fn twins() {
    check_twins(
        "int g; void set(int v) { g = v; }
         int main(void) { set(1); set(2); if (g @ 2) reach_error(); }",
        "!=",
        "==",
    );
    check_twins(
        "int g; void step(void) { if (g < 5) { g = g + 1; step(); } }
         int main(void) { g = 0; step(); if (g @ 5) reach_error(); }",
        "<",
        "==",
    );
    check_twins(
        "int inc(int x) { return x + 1; }
         int main(void) { int a = inc(1); int b = inc(a); if (b @ 3) reach_error(); }",
        "!=",
        "==",
    );
    check_twins(
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
                          if (n <= 101 && r @ 91) reach_error(); }",
        "!=",
        "==",
    );
    check_twins(
        "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
                          int r = even(n); if (r @) reach_error(); }",
        "< 0 || r > 1",
        "== 0",
    );
    check_twins(
        "int calls; int twice(int x) { calls = calls + 1; return x + x; }
         int main(void) { int a = twice(twice(3)); if (a != 12 || calls @ 2) reach_error(); }",
        "!=",
        "==",
    );
    check_twins(
        "int lock; void acquire(void) { if (lock) reach_error(); lock = 1; }
         void release(void) { if (!lock) reach_error(); lock = 0; }
         int main(void) { while (__VERIFIER_nondet_int()) { acquire(); @ release(); } }",
        "",
        "if (__VERIFIER_nondet_int())",
    );
    check_twins(
        "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = sum(n);
                          if (n >= 0 && r @) reach_error(); }",
        "< n",
        "== 3",
    );
    check_twins(
        "int a, b; void swap(void) { int t = a; a = b; b = t; }
         int main(void) { a = 1; b = 2; swap(); swap(); if (a @ 1) reach_error(); }",
        "!=",
        "==",
    );
    check_twins(
        "int depth; void down(int n) { depth = depth + 1; if (n > 0) down(n - 1); depth = depth - @; }
         int main(void) { depth = 0; down(__VERIFIER_nondet_int()); if (depth != 0) reach_error(); }",
        "1",
        "2",
    );
}

/// What a pointer that can point to one variable only changes is followed; of what is behind other
/// pointers nothing is believed.
#[test]
fn memory_is_followed_or_opaque() {
    let text = "void set(int *p) { *p = 1; }
                int main(void) { int x = 0; set(&x); if (x == @) reach_error(); }";
    check_twins(text, "0", "1");
    let text = "void set(int *p) { *p = 1; }
                int main(void) { int x = 0, y = 0; set(&x); set(&y); if (x == @) reach_error(); }";
    let (end, _) = run(&text.replace("@", "0"), StackCegar::default());
    assert_eq!(end, End::Unknown, "not refuted: it does not replay");
    let (end, _) = run(&text.replace("@", "1"), StackCegar::default());
    assert_ne!(end, End::Proof);
}
