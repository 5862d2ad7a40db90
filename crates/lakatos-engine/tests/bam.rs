//! BAM on the programs of its thesis, on traps, and on programs whose work is counted.

mod common;

use lakatos_analysis::bam::{Cache, Kinds, Settings};
use lakatos_analysis::cegar::Prune;
use lakatos_analysis::domain::Granularity;
use lakatos_analysis::initial::Initial;
use lakatos_engine::Statistics;
use lakatos_engine::bam::Bam;
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_logic::interpolate::Strategy;

use common::End;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn run(text: &str, engine: Bam) -> (End, Statistics) {
    common::run(&format!("{HEAD}{text}"), engine, 3000)
}

fn with(domain: Kind) -> Bam {
    let abstraction = StackCegar { probe: false, domain, ..StackCegar::default() };
    Bam { blocks: Settings::default(), abstraction }
}

fn keeping(domain: Kind, kinds: Kinds, cache: Cache) -> Bam {
    Bam { blocks: Settings { kinds, cache }, ..with(domain) }
}

fn refining(strategy: Strategy) -> Bam {
    let plain = with(Kind::Predicate);
    Bam { abstraction: StackCegar { strategy, ..plain.abstraction }, ..plain }
}

/// Ways to keep analyses: every one of each kind.
const KEPT: [(Kinds, Cache); 4] = [
    (Kinds::Functions, Cache::Exact),
    (Kinds::Functions, Cache::Off),
    (Kinds::Both, Cache::Aggressive),
    (Kinds::Loops, Cache::Exact),
];

/// Whatever is kept, the answer is `expect`.
#[track_caller]
fn check_with(domain: Kind, text: &str, expect: End) {
    for (kinds, cache) in KEPT {
        let end = run(text, keeping(domain, kinds, cache)).0;
        assert_eq!(end, expect, "{domain:?}, {kinds:?}, {cache:?}: {text}");
    }
}

/// Predicates answer `expect`; values and the product do or do not answer.
#[track_caller]
fn check(text: &str, expect: End) {
    check_with(Kind::Predicate, text, expect);
    let some = [with(Kind::Explicit), with(Kind::Product)].into_iter();
    let more = [keeping(Kind::Product, Kinds::Both, Cache::Aggressive)];
    for engine in some.chain(more) {
        let end = common::run(&format!("{HEAD}{text}"), engine, 300).0;
        assert!(end == expect || end == End::Unknown, "{end:?} by {engine:?}: {text}");
    }
}

/// With `safe` for `@` it is proved, with `broken` it is refuted.
#[track_caller]
fn check_twins(text: &str, safe: &str, broken: &str) {
    check(&text.replace('@', safe), End::Proof);
    check(&text.replace('@', broken), End::Refutation);
}

/// Figures 1.2 and 4.4.
const F_OF_TWO: &str = "int f(int x) { if (x <= 0) return x; int tmp = f(x - 1); return tmp + 1; }
                        int main(void) { int a = 2; int b = f(a); if (b != 2) reach_error(); }";

#[test]
fn figure_4_4() {
    check(F_OF_TWO, End::Proof);
    check_with(Kind::Explicit, F_OF_TWO, End::Proof);
    check_with(Kind::Product, F_OF_TWO, End::Proof);
    check(&F_OF_TWO.replace("b != 2", "b == 2"), End::Refutation);
}

/// The tree interpolation problems of section 4.5.4, in every order.
#[test]
fn figure_4_4_by_every_strategy() {
    for strategy in
        [Strategy::Tree, Strategy::Nested, Strategy::WellScoped, Strategy::BinaryPerNode]
    {
        assert_eq!(run(F_OF_TWO, refining(strategy)).0, End::Proof, "{strategy:?}");
    }
}

/// The violation needs the recursive call to return once: what the block does is not known before
/// the second round.
#[test]
fn figure_3_1_takes_two_rounds() {
    let text = "int f(int x) { if (x <= 0) return 0; int tmp = f(x - 1); return tmp + 1; }
                int main(void) { int a = __VERIFIER_nondet_int(); int b = f(a);
                                 if (b == 1) reach_error(); }";
    let plain = with(Kind::Explicit);
    let everything = StackCegar { initial: Initial::AllVars, ..plain.abstraction };
    let (end, statistics) = run(text, Bam { abstraction: everything, ..plain });
    assert_eq!(end, End::Refutation);
    assert_eq!((statistics.refinements, statistics.bam.rounds), (0, 2), "{statistics:?}");
    check(text, End::Refutation);
}

#[test]
fn several_recursive_calls_in_one_expression() {
    check_twins(
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
                          if (n <= 101 && r @ 91) reach_error(); }",
        "<",
        "==",
    );
    check_twins(
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n > 8) return 0;
                          if (fib(n) < @) reach_error(); }",
        "n - 1",
        "1",
    );
    check_with(
        Kind::Explicit,
        "int a(int m, int n) { if (m == 0) return n + 1; if (n == 0) return a(m - 1, 1);
                               return a(m - 1, a(m, n - 1)); }
         int main(void) { if (a(2, 2) != 7) reach_error(); }",
        End::Proof,
    );
}

/// An analysis of `odd` that rests on one of `even` which is not finished must not be final.
#[test]
fn mutual_recursion_trap() {
    check_twins(
        "int odd(int n);
         int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
                          int first = even(n); int second = odd(n);
                          if (second @) reach_error(); }",
        "> 1",
        "== 1",
    );
    // g is analysed within f, with nothing known of f; later it is called by itself.
    check_with(
        Kind::Explicit,
        "int g(int n);
         int f(int n) { if (n == 0) return 3; return g(n); }
         int g(int n) { if (__VERIFIER_nondet_int()) return 7; return f(__VERIFIER_nondet_int() != 0); }
         int main(void) { f(1); int r = g(1); if (r == 3) reach_error(); }",
        End::Refutation,
    );
}

#[test]
fn recursion_through_loops() {
    check_twins(
        "int f(int n) { int s = 0; for (int i = 0; i < 2; i++) { if (n > 0) s += f(n - 1); else s += 1; }
                        return s; }
         int main(void) { int r = f(__VERIFIER_nondet_int() > 3); if (r @) reach_error(); }",
        "< 2",
        "== 4",
    );
}

#[test]
fn recursion_that_never_returns() {
    check("void f(int n) { f(n + 1); } int main(void) { f(0); reach_error(); }", End::Proof);
    check(
        "int g; void f(void) { if (g == 3) reach_error(); g++; f(); } int main(void) { f(); }",
        End::Refutation,
    );
}

/// The caller's facts are not those of the first call of the block.
#[test]
fn facts_stay_with_the_caller() {
    check(
        "int x; void f(void) {} int main(void) { x = 1; f(); x = 2; f(); if (x == 2) reach_error(); }",
        End::Refutation,
    );
    check(
        "int g = 0; void f(void) { if (__VERIFIER_nondet_int()) { f(); if (g != 0) reach_error(); } g = 1; }
         int main(void) { f(); }",
        End::Refutation,
    );
    check_twins(
        "int y; int f(int n) { if (n <= 0) return 0; return f(n - 1); }
         int main(void) { y = 5; int r = f(3); if (y @ 5) reach_error(); }",
        "!=",
        "==",
    );
}

/// What a loop does not touch is known after it; what it changes is not.
#[test]
fn facts_around_loops() {
    check_twins(
        "int main(void) { int y = 5; int i = 0; int n = __VERIFIER_nondet_int();
                          while (i < n) { i++; } if (y @ 5) reach_error(); }",
        "!=",
        "==",
    );
    check(
        "int main(void) { int y = 5; while (__VERIFIER_nondet_int()) { y = 6; } if (y == 6) reach_error(); }",
        End::Refutation,
    );
    check_twins(
        "int main(void) { int k = 1; int n = __VERIFIER_nondet_int();
           for (int i = 0; i < n; i++) { int j = 0; while (j < 3) j++; if (j @ 3 || k != 1) reach_error(); } }",
        "!=",
        "==",
    );
}

/// Depth of recursion in the program is a number here, nothing more.
#[test]
fn deep_recursion() {
    let text = "int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
                int main(void) { if (id(250) != 250) reach_error(); }";
    for domain in [Kind::Explicit, Kind::Product] {
        let (end, _) = common::run(&format!("{HEAD}{text}"), with(domain), 100_000);
        assert_eq!(end, End::Proof, "{domain:?}");
    }
}

/// One helper, called from 50 places with three values: it is analysed three times.
#[test]
fn reuse_pays() {
    let calls = |count: usize| -> String {
        (0..count).map(|n| format!("s = help({});\n", n % 3)).collect()
    };
    let text = |count: usize| {
        format!(
            "int g; int s;
             int help(int x) {{ int r = 0; if (x == 0) r = 1; if (x == 1) r = 2; if (x == 2) r = 3; return r; }}
             int main(void) {{ g = 0; {} if (s != {}) reach_error(); }}",
            calls(count),
            (count - 1) % 3 + 1
        )
    };
    let plain = with(Kind::Explicit);
    let everything = StackCegar { initial: Initial::AllVars, ..plain.abstraction };
    let engine =
        |cache| Bam { blocks: Settings { cache, ..Settings::default() }, abstraction: everything };
    let (end, few) = run(&text(6), engine(Cache::Exact));
    assert_eq!(end, End::Proof);
    let (end, many) = run(&text(50), engine(Cache::Exact));
    assert_eq!(end, End::Proof);
    assert_eq!(few.bam.misses, many.bam.misses);
    assert_eq!((many.bam.hits, few.bam.hits), (47, 3));
    let (end, off) = run(&text(50), engine(Cache::Off));
    assert_eq!(end, End::Proof);
    assert_eq!((off.bam.hits, off.bam.misses), (0, many.bam.misses + 47));
    assert!(off.nodes > many.nodes, "{off:?}, {many:?}");
}

/// What one helper has to learn does not touch the analysis of another.
#[test]
fn only_what_the_precision_changes_is_removed() {
    let text = "int a(int x) { if (x > 0) return 1; return 2; }
                int b(int x) { if (x > 0) return 3; return 4; }
                int main(void) { int r = b(__VERIFIER_nondet_int()); int s = a(1); if (s != 1) reach_error(); }";
    let (end, statistics) = run(text, with(Kind::Predicate));
    assert_eq!(end, End::Proof);
    // Every block is analysed once: a refinement changes a part of a's graph, and nothing of b's.
    assert_eq!(statistics.bam.misses, statistics.blocks as u64, "{statistics:?}");
    assert!(statistics.refinements > 0 && statistics.bam.removed == 0, "{statistics:?}");
    let full = with(Kind::Predicate);
    let full = Bam { abstraction: StackCegar { prune: Prune::Full, ..full.abstraction }, ..full };
    assert!(run(text, full).1.bam.misses > statistics.bam.misses);
}

/// Globals travel like parameters and results.
#[test]
fn globals() {
    check_twins(
        "int g; void inc(int n) { if (n == 0) return; g = g + 1; inc(n - 1); }
         int main(void) { g = 0; inc(2); if (g @ 2) reach_error(); }",
        "!=",
        "==",
    );
    let coarse = with(Kind::Predicate);
    let coarse = Bam {
        abstraction: StackCegar { granularity: Granularity::Global, ..coarse.abstraction },
        ..coarse
    };
    let text =
        "int g; void f(void) { g = 1; } int main(void) { g = 0; f(); if (g != 1) reach_error(); }";
    assert_eq!(run(text, coarse).0, End::Proof);
}
