//! The engine's proofs before the independent checker: how many of them pass, and that the checker
//! calls none of the program's own a proof about something else.
//!
//! The projection of a reachability graph on locations is not always inductive, so some are
//! rejected; the numbers are written down here, and may only get better.

use lakatos_check::{Kind, Outcome, check};
use lakatos_engine::stack_cegar::{Kind as Domain, StackCegar};
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_evidence::{Proof, Verdict};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Cancel, Limits, Reason, Smt};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);\n";

const SAFE: &[(&str, &str)] = &[
    (
        "figure 2.1",
        "int main(void) { int a; int b = a % 10; while (a > 100) { b = a % 10; a = a - 1; }
         if (!(b < 10)) reach_error(); }",
    ),
    (
        "figure 5.3",
        "void rec(int k) { if (k <= 0) reach_error(); rec(k + 1); } int main(void) { rec(1); }",
    ),
    (
        "figure 6.2",
        "int abs_(int x) { if (x < 0) return -x; return x; }
         int main(void) { int r = abs_(__VERIFIER_nondet_int()); if (r < 0) reach_error(); }",
    ),
    (
        "returns",
        "void f(int n) { if (n < 3) return; n--; f(n); reach_error(); } int main(void) { f(2); }",
    ),
    (
        "set",
        "int g; void set(int v) { g = v; }
         int main(void) { set(1); set(2); if (g != 2) reach_error(); }",
    ),
    (
        "step",
        "int g; void step(void) { if (g < 5) { g = g + 1; step(); } }
         int main(void) { g = 0; step(); if (g < 5) reach_error(); }",
    ),
    (
        "inc",
        "int inc(int x) { return x + 1; }
         int main(void) { int a = inc(1); int b = inc(a); if (b != 3) reach_error(); }",
    ),
    (
        "f91",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
                          if (n <= 101 && r != 91) reach_error(); }",
    ),
    (
        "even",
        "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
                          int r = even(n); if (r < 0 || r > 1) reach_error(); }",
    ),
    (
        "twice",
        "int calls; int twice(int x) { calls = calls + 1; return x + x; }
         int main(void) { int a = twice(twice(3)); if (a != 12 || calls != 2) reach_error(); }",
    ),
    (
        "lock",
        "int lock; void acquire(void) { if (lock) reach_error(); lock = 1; }
         void release(void) { if (!lock) reach_error(); lock = 0; }
         int main(void) { while (__VERIFIER_nondet_int()) { acquire(); release(); } }",
    ),
    (
        "sum",
        "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = sum(n);
                          if (n >= 0 && r < n) reach_error(); }",
    ),
    (
        "swap",
        "int a, b; void swap(void) { int t = a; a = b; b = t; }
         int main(void) { a = 1; b = 2; swap(); swap(); if (a != 1) reach_error(); }",
    ),
    (
        "depth",
        "int depth; void down(int n) { depth = depth + 1; if (n > 0) down(n - 1);
                                       depth = depth - 1; }
         int main(void) { depth = 0; down(__VERIFIER_nondet_int());
                          if (depth != 0) reach_error(); }",
    ),
    ("count", "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); }"),
    (
        "pair",
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; }
         if (x != y) reach_error(); }",
    ),
    (
        "nested",
        "int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) n++;
         if (n < 0) reach_error(); }",
    ),
    (
        "break",
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); if (n < 0) return 0;
         while (1) { if (i >= n) break; i++; } if (i != n) reach_error(); }",
    ),
    (
        "unsigned",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 10) x = 10;
         while (x > 10) x--; if (x != 10) reach_error(); }",
    ),
    (
        "constant",
        "int limit = 5; int main(void) { int i = 0; while (i < limit) i++;
         if (i > 5) reach_error(); }",
    ),
    (
        "pointer",
        "int one(int x) { return 1; } int two(int x) { return 2; }
         int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
                          if (f(0) > 2) reach_error(); }",
    ),
    (
        "memory beside",
        "int main(void) { int x = 0, i = 0; int *p = &x; while (i < 3) { *p = i; i++; }
         if (i != 3) reach_error(); }",
    ),
];

/// Ends a run when the graph is large.
struct Nodes(usize);

impl Watch for Nodes {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        match statistics.nodes > self.0 {
            true => Err(Reason::Resources),
            false => Ok(()),
        }
    }
}

fn compile(text: &str) -> Program {
    let options = lakatos_c::Options { model: DataModel::Lp64 };
    lakatos_c::compile(Source::new("test.c", format!("{HEAD}{text}")), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

fn prove(program: &Program, domain: Domain) -> Option<Proof> {
    let task = Task {
        program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    let engine = StackCegar { domain, ..StackCegar::default() };
    match engine.solve(&task, &mut Nodes(600)).verdict {
        Verdict::Proved(proof) => Some(*proof),
        _ => None,
    }
}

/// What the checker says, with the condition that fails.
fn judge(program: &Program, proof: Proof) -> (char, String) {
    let request = Request { properties: &[Property::UnreachCall], error_label: None };
    let (instrumented, _) = pass::instrument(program.clone(), &request);
    let mut smt = Smt::new(Limits { resources: Some(20_000_000), time: None });
    match check(&instrumented, proof, SignedOverflow::Undefined, &mut smt) {
        Outcome::Checked(checked) => ('+', format!("{} conditions", checked.conditions().len())),
        Outcome::Undecided(undecided) => ('?', undecided.conditions[0].0.describe(&instrumented)),
        Outcome::Rejected(rejected) => {
            let kind = &rejected.condition.kind;
            let about = rejected.condition.describe(&instrumented);
            assert!(!matches!(kind, Kind::Fits | Kind::Cut | Kind::Assumes(_)), "{about}");
            ('-', format!("{about} {:?}", rejected.values))
        }
    }
}

fn count(domain: Domain) -> [usize; 3] {
    let mut counts = [0; 3];
    for (name, text) in SAFE {
        let program = compile(text);
        let Some(proof) = prove(&program, domain) else {
            println!("  {name}: no proof");
            continue;
        };
        let (sign, why) = judge(&program, proof);
        println!("{sign} {name}: {why}");
        counts["+-?".find(sign).expect("one of them")] += 1;
    }
    println!("{domain:?}: accepted, rejected, undecided: {counts:?}");
    counts
}

#[test]
fn predicates() {
    count(Domain::Predicate);
}

#[test]
fn products() {
    count(Domain::Product);
}

#[test]
fn values() {
    count(Domain::Explicit);
}
