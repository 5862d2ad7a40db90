//! Probes: what a few runs find, and what they leave to the search.

use lakatos_check::Verdict;
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Engine, Report, Statistics, Task, Unwatched, Watch};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Cancel, Reason};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool();
    extern double __VERIFIER_nondet_double(void); extern void reach_error(void);
    extern void __VERIFIER_assume(int);\n";

fn compile(text: &str) -> Program {
    let options = lakatos_c::Options::of_model(DataModel::Lp64);
    lakatos_c::compile(Source::new("test.c", format!("{HEAD}{text}")), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// Ends a run as soon as the search has begun.
struct NoSearch;

impl Watch for NoSearch {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        match statistics.nodes {
            0 => Ok(()),
            _ => Err(Reason::Cancelled),
        }
    }
}

fn run(program: &Program, property: Property, engine: StackCegar, watch: &mut dyn Watch) -> Report {
    let task = Task { program, property, signed_overflow: SignedOverflow::Undefined };
    engine.solve(&task, watch)
}

/// Whether probes refute the program, and how many there are.
fn probe(text: &str, property: Property) -> (bool, u64) {
    let report = run(&compile(text), property, StackCegar::default(), &mut NoSearch);
    let refuted = match report.verdict {
        Verdict::Refuted(_) => true,
        Verdict::Unknown(_) => false,
        Verdict::Proved(_) => panic!("a probe proves nothing: {text}"),
    };
    (refuted, report.statistics.probes)
}

#[test]
fn found_or_not() {
    use Property::{ArrayBounds, DivByZero, NoOverflow, UnreachCall};
    let x = "int x = __VERIFIER_nondet_int();";
    // The program, what is asked, whether a probe refutes it, how many probes at most.
    let table = [
        ("reach_error();".to_owned(), UnreachCall, true, 1),
        (String::new(), UnreachCall, false, 1),
        // One long run.
        ("for (int i = 0; i < 900000; i++) {} reach_error();".to_owned(), UnreachCall, true, 1),
        ("for (;;) {}".to_owned(), UnreachCall, false, 1),
        (format!("{x} if (x == 0) reach_error();"), UnreachCall, true, 1),
        (format!("{x} if (x == 1) reach_error();"), UnreachCall, true, 2),
        (format!("{x} if (x < 0) reach_error();"), UnreachCall, true, 9),
        (format!("{x} if (x == 2147483647) reach_error();"), UnreachCall, true, 9),
        (format!("{x} if (x == -x && x) reach_error();"), UnreachCall, false, 16),
        // The number is one of the inputs that are tried last.
        (format!("{x} if (x == 123456) reach_error();"), UnreachCall, true, 15),
        (format!("{x} if (3 * x == 370368) reach_error();"), UnreachCall, false, 18),
        (
            format!("{x} __VERIFIER_assume(x > 5); if (x < 5) reach_error();"),
            UnreachCall,
            false,
            20,
        ),
        (
            "int n = 0; while (__VERIFIER_nondet_bool()) n++; if (n == 2) reach_error();"
                .to_owned(),
            UnreachCall,
            true,
            14,
        ),
        (
            "double d = __VERIFIER_nondet_double(); if (d > 0) reach_error();".to_owned(),
            UnreachCall,
            true,
            14,
        ),
        (format!("{x} x = x + 1;"), NoOverflow, true, 14),
        (format!("{x} x = x + 1; if (x == -2147483648) reach_error();"), UnreachCall, false, 20),
        (format!("{x} x = 1 / x;"), DivByZero, true, 1),
        (format!("{x} x = 1 / x;"), UnreachCall, false, 16),
        (format!("{x} int a[2]; a[x] = 1;"), ArrayBounds, true, 14),
        (
            "for (;;) if (__VERIFIER_nondet_int() == 777777) reach_error();".to_owned(),
            UnreachCall,
            true,
            17,
        ),
        // From state to state.
        (
            "int n = 0; for (;;) switch (__VERIFIER_nondet_int()) { case 11: n += 3; break;
                 case 12: n = n % 2 ? n * 2 : 0; break; case 13: n = n == 18 ? 100 : n / 2; break;
                 case 14: if (n == 100) reach_error(); default: n = 0; }"
                .to_owned(),
            UnreachCall,
            true,
            200,
        ),
    ];
    for (body, property, expect, most) in table {
        let (refuted, probes) = probe(&format!("int main(void) {{ {body} }}"), property);
        assert_eq!(refuted, expect, "{property}: {body}");
        assert!((1..=most).contains(&probes), "{probes} probes: {body}");
    }
}

#[test]
fn the_same_every_time() {
    let text = "int main(void) { int n = 0; while (__VERIFIER_nondet_bool()) n++;
                if (n > 1 && __VERIFIER_nondet_int() > 3) reach_error(); }";
    let program = compile(text);
    let inputs = || {
        let engine = StackCegar::default();
        let report = run(&program, Property::UnreachCall, engine, &mut Unwatched);
        let Verdict::Refuted(refutation) = report.verdict else { panic!("not refuted") };
        (report.statistics, refutation.inputs().to_vec(), refutation.trace().clone())
    };
    let first = inputs();
    assert!(first.0.probes > 0 && first.0.nodes == 0, "{:?}", first.0);
    assert_eq!(first, inputs());
}

#[test]
fn not_where_they_are_not_wanted() {
    let program = compile("int main(void) { reach_error(); }");
    let engine = StackCegar { probe: false, ..StackCegar::default() };
    let report = run(&program, Property::UnreachCall, engine, &mut Unwatched);
    assert!(matches!(report.verdict, Verdict::Refuted(_)));
    assert_eq!(report.statistics.probes, 0);
    // Nothing would be drawn.
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    let (report, graph) = StackCegar::default().solve_and_show(&task, &mut Unwatched);
    assert!(report.statistics.probes == 0 && !graph.nodes.is_empty());
}
