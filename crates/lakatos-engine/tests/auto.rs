//! Several engines by turns: what one of them can is enough, and nothing is lost by the others.

mod common;

use common::{End, compile};
use lakatos_check::Verdict;
use lakatos_engine::auto::Auto;
use lakatos_engine::{self as engine, Engine, Report, Task, Unwatched};
use lakatos_ir::{Property, SignedOverflow};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
void check(int c) { if (!c) reach_error(); }
";

fn solve(body: &str, jobs: usize) -> Report {
    let program = compile(&format!("{HEAD}{body}"));
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    Auto { jobs, ..Auto::default() }.solve(&task, &mut Unwatched)
}

fn end(report: &Report) -> End {
    match report.verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(_) => End::Unknown,
    }
}

const PROGRAMS: [(&str, &str, End); 6] = [
    ("nothing", "int main(void) { return 0; }", End::Proof),
    ("a run without inputs", "int main(void) { check(0); return 0; }", End::Refutation),
    (
        "a loop",
        "int main(void) { unsigned n = __VERIFIER_nondet_int(), i = 0, j = 0;
         while (i < n) { i++; j++; } check(i == j); return 0; }",
        End::Proof,
    ),
    (
        "an input that no probe tries",
        "int main(void) { int x = __VERIFIER_nondet_int(); check(x * 7 != 77777 * 7 + 0); return 0; }",
        End::Refutation,
    ),
    (
        "recursion",
        "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
         int main(void) { int x = __VERIFIER_nondet_int(); int y = f(x);
         check(y == 91 || (x > 101 && y == x - 10)); return 0; }",
        End::Proof,
    ),
    (
        "bits",
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); unsigned y = x & 7;
         check(((x ^ y) & 7) == 0 && (x | 7) - (x | y) == 7 - y); return 0; }",
        End::Proof,
    ),
];

#[test]
fn answers_come_from_one_engine() {
    for (name, body, expected) in PROGRAMS {
        for jobs in [1, 2] {
            let report = solve(body, jobs);
            assert_eq!(end(&report), expected, "{name}, {jobs}: {:?}", report.tried);
            let answers = report.tried.iter().filter(|one| one.end == engine::End::Answered);
            assert_eq!(answers.count(), 1, "{name}, {jobs}: {:?}", report.tried);
        }
    }
}

/// That `s` is a square is known to one engine, what belongs to the mode to another: neither has a proof alone.
#[test]
fn what_one_engine_knows_helps_another() {
    let program = |error: &str| {
        format!(
            "int main(void) {{ unsigned n = __VERIFIER_nondet_int(), i = 0, s = 0, k = 0; int mode = 0;
             if (n > 1000) return 0;
             while (i < n) {{ s = s + 2 * i + 1;
                 if (__VERIFIER_nondet_int()) {{ mode = 1; k = i; }}
                 i++; }}
             check(!({error})); return 0; }}"
        )
    };
    let report = solve(&program("(mode == 1 && k >= i) || s != i * i"), 1);
    assert_eq!(end(&report), End::Proof, "{:?}", report.tried);
    let became = |name: &str| {
        let one = report.tried.iter().find(|one| one.engine == name);
        one.map(|one| one.end.clone())
    };
    assert!(matches!(became("laws"), Some(engine::End::GaveUp(_))), "{:?}", report.tried);
    assert_eq!(became("horn"), Some(engine::End::Answered), "{:?}", report.tried);
    let report = solve(&program("(mode == 1 && k >= i - 1) || s != i * i"), 1);
    assert_eq!(end(&report), End::Refutation, "{:?}", report.tried);
}
