//! The engine `horn` on the documents' programs, on traps, and on twins: a safe and an unsafe
//! program that differ in little.

mod common;

use lakatos_check::Verdict;
use lakatos_engine::horn::{Encoding, Horn, why};
use lakatos_engine::{Engine, Task, Unwatched};
use lakatos_evidence::show::{self, Dialect};
use lakatos_ir::{Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Reason};

use common::{End, compile};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);\n";

/// Work of each query; probes would refute before anything is derived.
const ENGINE: Horn = Horn {
    probe: false,
    limits: Limits { resources: Some(20_000_000), time: None },
    encoding: Encoding::Int,
};

fn verdict(text: &str, property: Property) -> (End, Verdict) {
    verdict_of(ENGINE, text, property)
}

fn verdict_of(engine: Horn, text: &str, property: Property) -> (End, Verdict) {
    let program = compile(&format!("{HEAD}{text}"));
    let task = Task { program: &program, property, signed_overflow: SignedOverflow::Undefined };
    let verdict = engine.solve(&task, &mut Unwatched).verdict;
    let end = match verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(_) => End::Unknown,
    };
    (end, verdict)
}

#[track_caller]
fn check(text: &str, expected: End) {
    let (end, verdict) = verdict(text, Property::UnreachCall);
    assert_eq!(end, expected, "{verdict:?}: {text}");
}

/// What a proof says of a function, as ACSL.
#[track_caller]
fn check_contract(text: &str, function: &str, requires: &str, ensures: &str) {
    let program = compile(&format!("{HEAD}{text}"));
    let (_, verdict) = verdict(text, Property::UnreachCall);
    let Verdict::Proved(checked) = verdict else { panic!("{verdict:?}") };
    let proof = checked.proof();
    let (proc, contract) = proof
        .contracts()
        .find(|(proc, _)| program.procs[*proc].name == function)
        .expect("every function has a contract");
    let shown = |formula| show::formula(&program, proof, proc, formula, Dialect::Acsl);
    assert_eq!(shown(contract.requires).as_deref(), Some(requires), "{text}");
    assert_eq!(shown(contract.ensures).as_deref(), Some(ensures), "{text}");
}

const MCCARTHY: &str = "int mc(int n) { if (n > 100) return n - 10; return mc(mc(n + 11)); }\n";

#[test]
fn mccarthy_91_under_three_harnesses() {
    let main = |body: &str| {
        format!("{MCCARTHY}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} }}")
    };
    check(&main("int r = mc(x); if (x <= 101 && r != 91) reach_error();"), End::Proof);
    check(&main("int r = mc(x); if (x > 101 && r != x - 10) reach_error();"), End::Proof);
    check(&main("if (x > 200) return 0; int r = mc(x); if (r > 190) reach_error();"), End::Proof);
    check(&main("int r = mc(x); if (r == 92) reach_error();"), End::Refutation);
}

#[test]
fn recursion_direct_mutual_and_nested() {
    let id = |end: &str| {
        format!(
            "int id(int x) {{ if (x == 0) return 0; return id(x - 1) + 1; }}
             int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
             int r = id(n); if ({end}) reach_error(); }}"
        )
    };
    check(&id("r != n"), End::Proof);
    check(&id("r == 5"), End::Refutation);
    let turns = |end: &str| {
        format!(
            "int down(int n); int up(int n) {{ if (n <= 0) return 1; return down(n - 1); }}
             int down(int n) {{ if (n <= 0) return 2; return up(n - 1); }}
             int main(void) {{ int r = up(__VERIFIER_nondet_int()); if ({end}) reach_error(); }}"
        )
    };
    check(&turns("r < 1 || r > 2"), End::Proof);
    check(&turns("r == 2"), End::Refutation);
}

#[test]
fn globals_that_calls_change() {
    let steps = |end: &str| {
        format!(
            "int g; void step(void) {{ g = g + 1; }} void leave(void) {{ }}
             int main(void) {{ g = 3; step(); leave(); step(); if ({end}) reach_error(); }}"
        )
    };
    check(&steps("g != 5"), End::Proof);
    check(&steps("g == 5"), End::Refutation);
    let result_in_global = |end: &str| {
        format!(
            "int g = 7; int read(void) {{ return g + 1; }}
             int main(void) {{ g = read(); g = read(); if ({end}) reach_error(); }}"
        )
    };
    check(&result_in_global("g != 9"), End::Proof);
    check(&result_in_global("g == 9"), End::Refutation);
}

/// What facts and phases show, and Spacer alone does not find.
#[test]
fn parities_phases_and_sums() {
    let steps = |step: u32, end: &str| {
        format!(
            "int main(void) {{ unsigned x = 0; while (x < 200000001u) x += {step};
             if ({end}) reach_error(); }}"
        )
    };
    check(&steps(2, "x % 2"), End::Proof);
    check(&steps(3, "x % 3 != 0"), End::Proof);
    let wraps = "int main(void) { unsigned x = 1; while (__VERIFIER_nondet_int()) x += 6;
        if (x % 2 == 0) reach_error(); }";
    check(wraps, End::Proof);
    // 256 is no multiple of 3, so a wrap-around changes the remainder.
    let other = "int main(void) { unsigned char x = 1; while (__VERIFIER_nondet_int()) x += 60;
        if (x % 3 != 1) reach_error(); }";
    check(other, End::Refutation);
    let phases = |half: u32, end: &str| {
        format!(
            "int main(void) {{ int x = 0, y = {half}; while (x < 2 * {half}) {{
             if (x >= {half}) y++; x++; }} if ({end}) reach_error(); }}"
        )
    };
    check(&phases(700_000, "y != x"), End::Proof);
    check(&phases(3, "y == 6"), End::Refutation);
    let sum = |end: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3000) return 0;
             int i = 0, s = 0; while (i < n) {{ i++; s += i; }} if ({end}) reach_error(); }}"
        )
    };
    check(&sum("2 * s != n * (n + 1)"), End::Proof);
    check(&sum("s == 15"), End::Refutation);
}

/// The traps of the design: a callee's effect that matters only after the call.
#[test]
fn traps() {
    check(
        "int g; void f(void) { g = 1; } int main(void) { f(); if (g == 1) reach_error(); }",
        End::Refutation,
    );
    check(
        "int x, y; void f(void) { if (x == 2) y = 1; }
         int main(void) { x = 1; f(); x = 2; f(); if (y == 1) reach_error(); }",
        End::Refutation,
    );
    check(
        "int foo(int a) { return a + 1; }
         int main(void) { int a = foo(1); int b = foo(2); if (a + b == 5) reach_error(); }",
        End::Refutation,
    );
}

#[test]
fn loops() {
    let count = |end: &str| {
        format!(
            "int main(void) {{ unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
             while (i < n) {{ i++; s = s + 2; if (s > 40) s = 0; }} if ({end}) reach_error(); }}"
        )
    };
    check(&count("s % 2 != 0"), End::Proof);
    check(&count("s == 6"), End::Refutation);
    // The loop begins with the function.
    check(
        "int n; void run(void) { while (n > 0) n = n - 1; }
         int main(void) { n = __VERIFIER_nondet_int(); run(); if (n > 0) reach_error(); }",
        End::Proof,
    );
    // A loop that the passes see is never gone through a second time.
    check(
        "int main(void) { int i = 0; while (1) { if (i == 0) break; reach_error(); } }",
        End::Proof,
    );
    check("int main(void) { while (1) { } reach_error(); }", End::Proof);
}

/// Inputs in callees, in loops and between calls come in the order of the run.
#[test]
fn inputs_keep_their_order() {
    check(
        "int f(int a) { int x = __VERIFIER_nondet_int(); if (x > a) return x; return a; }
         int main(void) { int s = 0; for (int i = 0; i < 3; i++) {
           int d = __VERIFIER_nondet_int(); s = f(s) - d;
           if (s == 77 + i && i == 2 && d == 5) reach_error(); } }",
        End::Refutation,
    );
}

#[test]
fn other_properties() {
    let text = |bound: &str| {
        format!("int main(void) {{ int x = __VERIFIER_nondet_int(); if (x < {bound}) x = x + 1; }}")
    };
    assert_eq!(verdict(&text("2147483647"), Property::NoOverflow).0, End::Proof);
    assert_eq!(
        verdict(
            "int main(void) { int x = __VERIFIER_nondet_int(); x = x + 1; }",
            Property::NoOverflow
        )
        .0,
        End::Refutation
    );
}

/// A reader of a global gets what it returns, not what the global began with.
#[test]
fn contracts_have_no_constants_of_one_run() {
    check_contract(
        "int level = 3; int get(void) { return level; }
         int main(void) { level = __VERIFIER_nondet_int(); int a = get();
           if (a != level) reach_error(); }",
        "get",
        "\\true",
        "\\result == level",
    );
}

/// With bit-vectors, what is said about bits is a proof, and runs replay. Where Spacer has no answer
/// that is no answer.
#[test]
fn clauses_of_bits() {
    let bits = Horn { encoding: Encoding::Bv, ..ENGINE };
    let check = |text: &str, property: Property, expected: End| {
        let (end, verdict) = verdict_of(bits, text, property);
        assert_eq!(end, expected, "{verdict:?}: {text}");
    };
    let flags = |end: &str| {
        format!(
            "unsigned char set(unsigned char f) {{ return f | 4; }}
             int main(void) {{ unsigned char f = 0; int n = 0;
             while (__VERIFIER_nondet_int()) {{ f = set(f) & 12; }} if ({end}) reach_error(); }}"
        )
    };
    check(&flags("f & 3"), Property::UnreachCall, End::Proof);
    check(&flags("f & 4"), Property::UnreachCall, End::Refutation);
    let wraps = |end: &str| {
        format!(
            "int main(void) {{ unsigned x = __VERIFIER_nondet_uint(); unsigned y = x + 1;
             if ({end}) reach_error(); }}"
        )
    };
    check(&wraps("y == x"), Property::UnreachCall, End::Proof);
    check(&wraps("y < x"), Property::UnreachCall, End::Refutation);
    let sum = "int main(void) { int x = __VERIFIER_nondet_int(); if (x & ~15) return 0;
               int s = x + x; }";
    check(sum, Property::NoOverflow, End::Proof);
    check(&sum.replace("x & ~15", "x & 1"), Property::NoOverflow, End::Refutation);
}

/// What the solver says of itself is told once.
#[test]
fn reasons_are_told_once() {
    let source = Source::new("t.c", "");
    let told = |reason: Reason| why(reason).describe(&source);
    let beyond = Reason::Incomplete("Uninterpreted 'div'".to_owned());
    assert_eq!(told(beyond), "the solver gave up: Uninterpreted 'div'");
    assert_eq!(told(Reason::Time), "the time limit was reached");
    let limit = "the solver gave up: the resource limit of a query was reached";
    assert_eq!(told(Reason::Resources), limit);
}
