//! Random loops: whatever gets a measure ends whenever it is run.

use lakatos_ir::SignedOverflow;
use lakatos_ir::interpret::{InOrder, Options, Outcome, run};
use lakatos_rank::rank;
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

proptest! {
    #![proptest_config(Config { cases: 40, failure_persistence: None, ..Config::default() })]

    #[test]
    fn what_has_a_measure_ends(
        guard in conditions(),
        condition in conditions(),
        yes in updates(),
        no in updates(),
        always in updates(),
    ) {
        let text = format!(
            "int main(void) {{ unsigned char x = __VERIFIER_nondet_uchar();
             unsigned char n = __VERIFIER_nondet_uchar();
             while ({guard}) {{ if ({condition}) {{ {yes} }} else {{ {no} }} {always} }}
             return 0; }}"
        );
        let program = compile(&text);
        let (subject, checked) = checked(&program);
        let measures = rank(&subject, &checked, SignedOverflow::Undefined, &mut smt());
        if measures.is_empty() {
            return Ok(());
        }
        let options = Options { max_steps: STEPS, ..Options::default() };
        for x in [0, 1, 2, 3, 7, 50, 127, 200, 254, 255] {
            for n in [0, 1, 2, 5, 100, 255] {
                let ended = run(&program, &options, &mut InOrder::new(vec![x, n])).outcome;
                prop_assert_eq!(ended, Outcome::Exited(0), "{} {} {:?}\n{}", x, n, measures, text);
            }
        }
    }
}
