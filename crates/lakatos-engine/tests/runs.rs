//! Concrete runs: what takes many steps and no thought is found, and nothing is claimed where
//! nothing is found.

mod common;

use common::compile;
use lakatos_check::{Verdict, Why};
use lakatos_engine::{Engine, Report, Runs, Statistics, Task, Unwatched, Watch};
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::{Cancel, Reason};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
";

fn solve(body: &str, watch: &mut dyn Watch) -> Report {
    let program = compile(&format!("{HEAD}{body}"));
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    Runs.solve(&task, watch)
}

#[test]
fn what_takes_many_steps_is_found() {
    let programs = [
        (
            "without inputs",
            "int main(void) { unsigned i = 0; while (i < 2000000) i++; reach_error(); return 0; }",
        ),
        (
            "two arrays that are hardly ever the same",
            "int a[100000], b[100000];
             int main(void) {
                 for (int i = 0; i < 100000; i++) {
                     a[i] = __VERIFIER_nondet_int();
                     b[i] = __VERIFIER_nondet_int();
                 }
                 for (int i = 0; i < 100000; i++) if (i == 99999 && a[i] != b[i]) reach_error();
                 return 0; }",
        ),
        (
            "a machine that ends where it does not know an input",
            "int main(void) {
                 int state = 0;
                 while (1) {
                     int x = __VERIFIER_nondet_int();
                     if (x < 1 || x > 4) return 1;
                     state = x == state % 4 + 1 ? state + 1 : 0;
                     if (state == 7) reach_error();
                 } }",
        ),
        (
            "inputs after a long time",
            "int main(void) { unsigned i = 0; while (i < 500000) i++;
                 if (__VERIFIER_nondet_int() > 5) reach_error(); return 0; }",
        ),
    ];
    for (name, body) in programs {
        let verdict = solve(body, &mut Unwatched).verdict;
        assert!(matches!(verdict, Verdict::Refuted(_)), "{name}: {verdict:?}");
    }
}

#[test]
fn nothing_is_claimed() {
    let why = |body: &str| match solve(body, &mut Unwatched).verdict {
        Verdict::Unknown(Why::NoViolation { runs }) => runs,
        other => panic!("{other:?}"),
    };
    // The only run there is.
    assert_eq!(why("int main(void) { int i = 0; while (i < 1000) i++; return i - 1000; }"), 1);
    let many = why("int main(void) { int x = __VERIFIER_nondet_int();
                    if (x / 3 == 123456789) reach_error(); return 0; }");
    assert!(many > 1000, "{many}");
}

/// Stops after some calls.
struct Impatient(u32);

impl Watch for Impatient {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
        self.0 -= 1;
        if self.0 == 0 { Err(Reason::Cancelled) } else { Ok(()) }
    }
}

#[test]
fn it_can_be_stopped() {
    let body = "int main(void) { while (__VERIFIER_nondet_int() != 123456789) ; return 0; }";
    let report = solve(body, &mut Impatient(5));
    assert!(matches!(report.verdict, Verdict::Unknown(Why::Cancelled)), "{:?}", report.verdict);
    assert_eq!(report.statistics.probes, 4);
}
