//! Random loops: whatever gets a measure ends whenever it is run.

use lakatos_ir::SignedOverflow;
use lakatos_ir::interpret::{InOrder, Options, Outcome, run};
use lakatos_rank::{decreases, rank};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::{checked, compile, smt};

fn conditions() -> impl Strategy<Value = String> {
    let left = prop_oneof![Just("x"), Just("n"), Just("x - n"), Just("x + n")];
    let op = prop_oneof![Just("<"), Just(">"), Just("!="), Just("<="), Just("==")];
    let right = prop_oneof![Just("n".to_owned()), (0..12i32).prop_map(|c| c.to_string())];
    (left, op, right).prop_map(|(left, op, right)| format!("{left} {op} {right}"))
}

fn updates() -> impl Strategy<Value = String> {
    let by = || 0..4i32;
    prop_oneof![
        by().prop_map(|c| format!("x = x - {c};")),
        by().prop_map(|c| format!("x = x + {c};")),
        by().prop_map(|c| format!("if (n > {c}) n = n - 1;")),
        by().prop_map(|c| format!("n = n + {c};")),
        Just("x = x / 2;".to_owned()),
        Just("x = n;".to_owned()),
    ]
}

/// Bytes wrap around, so there are few states, and a run that takes more steps repeats itself.
const STEPS: u64 = 400_000;

/// Runs a program with some values of `x` and `n`: every run ends.
fn ends(text: &str) -> Result<(), TestCaseError> {
    let program = compile(text);
    let options = Options { max_steps: STEPS, ..Options::default() };
    for x in [0, 1, 2, 3, 7, 50, 127, 200, 254, 255] {
        for n in [0, 1, 2, 5, 100, 255] {
            let ended = run(&program, &options, &mut InOrder::new(vec![x, n])).outcome;
            prop_assert_eq!(ended, Outcome::Exited(0), "{} {}\n{}", x, n, text);
        }
    }
    Ok(())
}

const INPUTS: &str = "unsigned char x = __VERIFIER_nondet_uchar(); \
                      unsigned char n = __VERIFIER_nondet_uchar();";

/// How many loops of a program have a measure.
fn measured_loops(text: &str) -> usize {
    let (subject, checked) = checked(&compile(text));
    rank(&subject, &checked, SignedOverflow::Undefined, &mut smt()).len()
}

proptest! {
    #![proptest_config(Config { cases: 40, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_loop_that_has_a_measure_ends(
        guard in conditions(),
        condition in conditions(),
        yes in updates(),
        no in updates(),
        always in updates(),
    ) {
        let text = format!(
            "int main(void) {{ {INPUTS}
             while ({guard}) {{ if ({condition}) {{ {yes} }} else {{ {no} }} {always} }}
             return 0; }}"
        );
        if measured_loops(&text) == 1 {
            ends(&text)?;
        }
    }

    #[test]
    fn loops_in_loops_that_all_have_measures_end(
        guard in conditions(),
        inner_guard in conditions(),
        before in updates(),
        inner in updates(),
        after in updates(),
    ) {
        let text = format!(
            "int main(void) {{ {INPUTS}
             while ({guard}) {{ {before} while ({inner_guard}) {{ {inner} }} {after} }}
             return 0; }}"
        );
        if measured_loops(&text) == 2 {
            ends(&text)?;
        }
    }

    #[test]
    fn a_recursion_that_has_a_measure_ends(
        guard in conditions(),
        condition in conditions(),
        yes in updates(),
        no in updates(),
    ) {
        let text = format!(
            "int f(unsigned char x, unsigned char n) {{
             if ({guard}) {{ if ({condition}) {{ {yes} }} else {{ {no} f(n, x); }} return f(x, n); }}
             return 0; }}
             int main(void) {{ {INPUTS} return f(x, n); }}"
        );
        let (subject, checked) = checked(&compile(&text));
        let measures = decreases(&subject, &checked, SignedOverflow::Undefined, &mut smt());
        if !measures.is_empty() {
            ends(&text)?;
        }
    }
}

/// The random tests would say nothing if nothing had a measure.
#[test]
fn such_programs_have_measures() {
    for (text, loops) in [
        ("while (x > n) { x = x - 1; }", 1),
        ("while (x > n) { x = x - 1; while (n > 3) { if (n > 3) n = n - 1; } }", 2),
        ("while (x > 2) { x = x - 1; while (n > 3) { if (n > 3) n = n - 1; } }", 2),
        ("while (x != n) { x = x - 1; }", 0),
    ] {
        let text = format!("int main(void) {{ {INPUTS} {text} return 0; }}");
        assert_eq!(measured_loops(&text), loops, "{text}");
    }
}
