//! Counterexamples with loops: the programs of the loops paper, with what it takes to solve them,
//! and a family in the manner of its Table 1, whose cost must not depend on the size of buffers.

mod common;

use common::{End, run};
use lakatos_analysis::cegar::Accelerate;
use lakatos_engine::Statistics;
use lakatos_engine::bam::Bam;
use lakatos_engine::stack_cegar::{Kind, StackCegar};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
void check(int c) { if (!c) reach_error(); }
";

const NODES: usize = 60_000;

fn engine(domain: Kind, accelerate: Accelerate) -> StackCegar {
    StackCegar { domain, accelerate, probe: false, ..StackCegar::default() }
}

fn main_with(body: &str) -> String {
    format!("{HEAD}int main(void) {{ {body} return 0; }}")
}

/// What a figure says: how it ends, and with how many refinements and predicates at most.
struct Figure {
    name: &'static str,
    body: &'static str,
    end: End,
    refinements: u64,
    predicates: usize,
}

const FIGURES: [Figure; 9] = [
    Figure {
        name: "1 and 6: the tenth turn",
        body: "int i = 0, j = 0; while (i < 10) { i++; j++; check(j < 10); }",
        end: End::Refutation,
        refinements: 0,
        predicates: 0,
    },
    Figure {
        name: "14, 15 and 17: i == j",
        body: "int i = 0, j = 0; while (i < 10) { i++; j++; } check(j >= 10);",
        end: End::Proof,
        refinements: 3,
        predicates: 8,
    },
    Figure {
        name: "18: a power of two, where the paper unrolls",
        body: "int k = __VERIFIER_nondet_int(); int i = 0, j = k;
               while (i < 10) { i++; j = 2 * j; } check(j == k * 1024);",
        end: End::Proof,
        refinements: 3,
        predicates: 30,
    },
    Figure {
        name: "21a: forty turns by turns",
        body: "int i = 0, j = 0, x = 0, y = 0, b = 0;
               while (i < 20 || x < 20) { if (b) { x++; y++; } else { i++; j++; } b = !b; }
               check(j < 20 || y < 20);",
        end: End::Refutation,
        refinements: 0,
        predicates: 0,
    },
    Figure {
        name: "21a, safe: x == y and i == j",
        body: "int i = 0, j = 0, x = 0, y = 0, b = 0;
               while (i < 20 || x < 20) { if (b) { x++; y++; } else { i++; j++; } b = !b; }
               check(j >= 20 && y >= 20);",
        end: End::Proof,
        refinements: 4,
        predicates: 12,
    },
    Figure {
        name: "21b: where plain refinement may go on for ever",
        body: "int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); int x = i, y = j;
               while (x != 0) { x--; y--; } if (i == j) check(y == 0);",
        end: End::Proof,
        refinements: 3,
        predicates: 6,
    },
    Figure {
        name: "21c: disjunctive and not linear; the paper's tool could not",
        body: "int i = 0, j = 0, b = __VERIFIER_nondet_int();
               while (j < 10) { j++; if (!b) i = i + 2; else i = i + j;
               if (!(i == 2 * j || 2 * i > j * j)) reach_error(); }",
        end: End::Proof,
        refinements: 4,
        predicates: 30,
    },
    Figure {
        name: "end of section 5: i < 210, in two refinements",
        body: "int i = 0, j = 0;
               while (__VERIFIER_nondet_int()) { j++; i = i + j; check(i < 210); }",
        end: End::Refutation,
        refinements: 2,
        predicates: 4,
    },
    Figure {
        name: "14, a million times",
        body: "int i = 0, j = 0; while (i < 1000000) { i++; j++; } check(j >= 1000000);",
        end: End::Proof,
        refinements: 4,
        predicates: 8,
    },
];

#[test]
fn figures_of_the_paper() {
    for Figure { name, body, end, refinements, predicates } in FIGURES {
        let (found, spent) = run(&main_with(body), engine(Kind::Predicate, Accelerate::On), NODES);
        assert_eq!(found, end, "{name}");
        assert!(spent.refinements <= refinements, "{name}: {} refinements", spent.refinements);
        assert!(spent.predicates <= predicates, "{name}: {} predicates", spent.predicates);
    }
}

#[test]
fn figures_with_values_and_by_blocks() {
    for Figure { name, body, end, .. } in FIGURES {
        let text = main_with(body);
        let product = engine(Kind::Product, Accelerate::On);
        assert_eq!(run(&text, product, NODES).0, end, "{name}: values and predicates");
        let bam = Bam { abstraction: product, ..Bam::default() };
        assert_eq!(run(&text, bam, NODES).0, end, "{name}: blocks");
    }
}

/// A string is read into a buffer of `N` bytes.
const OVERFLOWS: [(&str, &str, End); 7] = [
    (
        "a copy without a check",
        "int i = 0; while (1) { int c = __VERIFIER_nondet_int(); check(i < N); i++;
         if (c == 0) break; }",
        End::Refutation,
    ),
    (
        "a copy with a check",
        "int i = 0; while (i < N) { int c = __VERIFIER_nondet_int(); check(i < N); i++;
         if (c == 0) break; }",
        End::Proof,
    ),
    (
        "one too many",
        "int i = 0; while (i <= N) { int c = __VERIFIER_nondet_int(); check(i < N); i++;
         if (c == '\"') break; }",
        End::Refutation,
    ),
    (
        "a parser that forgets the end of an escape",
        "int i = 0; while (i < N) { int c = __VERIFIER_nondet_int(); check(i < N); i++;
         if (c == 0) break; if (c == '\\\\') { check(i < N); i++; } }",
        End::Refutation,
    ),
    (
        "a parser that does not",
        "int i = 0; while (i < N - 1) { int c = __VERIFIER_nondet_int(); check(i < N); i++;
         if (c == 0) break; if (c == '\\\\') { check(i < N); i++; } }",
        End::Proof,
    ),
    (
        "a length that is computed before",
        "int length = 0, i = 0; while (__VERIFIER_nondet_int()) length++;
         while (i < length) { check(i < N); i++; }",
        End::Refutation,
    ),
    (
        "a length that is computed and checked",
        "int length = 0, i = 0; while (__VERIFIER_nondet_int()) length++;
         if (length > N) return 0; while (i < length) { check(i < N); i++; }",
        End::Proof,
    ),
];

fn overflow(body: &str, size: u32, accelerate: Accelerate) -> (End, Statistics) {
    let text = main_with(body).replace('N', &size.to_string());
    run(&text, engine(Kind::Predicate, accelerate), NODES)
}

#[test]
fn buffers_of_any_size_take_the_same_refinements() {
    for (name, body, end) in OVERFLOWS {
        let all = [5, 10, 100, 512, 10_000, 1_000_000];
        let spent = all.map(|size| {
            let (found, spent) = overflow(body, size, Accelerate::On);
            assert_eq!(found, end, "{name}, {size}");
            (spent.refinements, spent.predicates)
        });
        // Bounds that are near are taken for what they are.
        assert!(spent[2..].iter().all(|one| *one == spent[2]), "{name}: {spent:?}");
        assert!(spent.iter().all(|one| one.0 <= 4), "{name}: {spent:?}");
    }
}

#[test]
fn small_buffers_without_acceleration() {
    for (name, body, end) in OVERFLOWS {
        for size in [2, 5] {
            for accelerate in [Accelerate::Off, Accelerate::Invariants] {
                let (found, _) = overflow(body, size, accelerate);
                assert_eq!(found, end, "{name}, {size}, {accelerate:?}");
            }
        }
    }
}

/// How runs end that closed forms alone would be wrong about.
#[test]
fn traps() {
    for (name, body, end) in [
        (
            "reached by wrapping only",
            "unsigned char i = 0; do i += 3; while (i != 1); reach_error();",
            End::Refutation,
        ),
        (
            "never zero, since odd",
            "unsigned char i = 1; do i += 2; while (i != 0); reach_error();",
            End::Proof,
        ),
        (
            "the sum wraps before it is large",
            "unsigned char s = 0; int i = 0; while (i < 1000) { s += 100; i++; check(s <= 252); }",
            End::Proof,
        ),
        (
            "the condition fails in between",
            "int x = 0; while (x < 100) { if (x == 50) return 0; x++; } reach_error();",
            End::Proof,
        ),
        (
            "stepped over",
            "int x = 1; while (x != 100) { x += 3; if (x > 200) reach_error(); }",
            End::Proof,
        ),
        (
            "stepped over, and not hit",
            "int x = 0; while (x != 100) { x += 3; if (x > 200) reach_error(); }",
            End::Refutation,
        ),
        (
            "other inputs in every turn",
            "int k = 0; while (__VERIFIER_nondet_int() == 3 * k + 5) { k++; check(k != 30); }",
            End::Refutation,
        ),
        (
            "two phases",
            "int x = 0, y = 0; while (x < 1000) { if (x >= 500) y++; x++; } check(y != 500);",
            End::Refutation,
        ),
        (
            "one loop after another",
            "int a = 0, b = 0; for (int i = 0; i < 1000; i++) a += 2;
             for (int j = 0; j < a; j++) b += 3; check(b != 6000);",
            End::Refutation,
        ),
        (
            "a callee in the turn",
            "int i = 0; while (i < 5000) { check(i != 4999); i++; }",
            End::Refutation,
        ),
    ] {
        for domain in [Kind::Predicate, Kind::Product] {
            let (found, _) = run(&main_with(body), engine(domain, Accelerate::On), NODES);
            assert_eq!(found, end, "{name}, {domain:?}");
        }
    }
}

/// Two procedures that call each other from their loops: the ways around one lead into the other's
/// loop and back. Looking for them ran out of stack.
#[test]
fn loops_that_call_each_other() {
    let text = format!(
        "{HEAD}int g; void f(int n); void h(int n) {{ while (n > 0) {{ n--; f(n); }} }}
         void f(int n) {{ while (n > 0) {{ n--; g++; h(n); }} }}
         int main(void) {{ f(3); check(g != 4); }}"
    );
    for domain in [Kind::Predicate, Kind::Explicit, Kind::Product] {
        let plain = engine(domain, Accelerate::On);
        let blocks = Bam { abstraction: plain, ..Bam::default() };
        for end in [run(&text, plain, 3000).0, run(&text, blocks, 3000).0] {
            assert_ne!(end, End::Proof, "{domain:?}");
        }
    }
}
