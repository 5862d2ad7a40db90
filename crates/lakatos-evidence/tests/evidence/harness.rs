//! What a harness makes of a program's text. That it compiles and fails is tested where it is run
//! (`crates/lakatos/src/execute`).

use expect_test::{Expect, expect};
use lakatos_evidence::Refutation;
use lakatos_evidence::harness::Harness;
use lakatos_ir::interpret::Options;
use lakatos_ir::{Property, SignedOverflow};

use crate::{compile, inputs, instrumented};

fn harness(text: &str, property: Property, values: &[(&str, u32, u64, i128)]) -> Harness {
    let program = instrumented(text, property);
    let inputs = inputs(&program, values);
    let refutation =
        Refutation::replay(&program, property, &Options::default(), &inputs).expect("it replays");
    Harness::new(&compile(text), &refutation, SignedOverflow::Undefined).expect("it is written")
}

/// The part of the harness that is the program.
fn check(text: &str, values: &[(&str, u32, u64, i128)], expected: Expect) {
    let harness = harness(text, Property::UnreachCall, values).text;
    let program = harness.split("#line 1 \"t.c\"\n").nth(1).expect("the program's text");
    let program = program.split("\n#line 1 \"harness\"\n").next().unwrap_or_default();
    let (_, program) = program.split_once('\n').expect("our declarations are on a line");
    expected.assert_eq(program);
}

#[test]
fn only_places_that_take_inputs_are_edited() {
    check(
        "int *next(int); int zero(void);
int main(void) {
    int a, b, c[3]; // b is set before it is read
    b = __VERIFIER_nondet_int() + zero(); /* __VERIFIER_nondet_int() */
    if (a == 1 && b == 2 && c[2] == 3 && next(b) && \"reach_error()\")
        reach_error();
}",
        &[("a", 0, 0, 1), ("__VERIFIER_nondet_int", 0, 0, 2), ("c", 0, 2, 3), ("next", 0, 0, 8)],
        expect![[r#"
            int *next(int); int zero(void);
            int main(void) {
                int a = (int)__lakatos_integer(0), b, c[3], *__lakatos_at1 = __lakatos_fill(1, (void *)&c, sizeof c); // b is set before it is read
                b = ((int)__lakatos_integer(2)) + ((int)__lakatos_integer(3)); /* __VERIFIER_nondet_int() */
                if (a == 1 && b == 2 && c[2] == 3 && ({ __typeof__(next(b)) __lakatos_v = *(__typeof__(__lakatos_v) *)__lakatos_value(4, b); __lakatos_v; }) && "reach_error()")
                    ((void)__lakatos_error(0));
            }"#]],
    );
}

#[test]
fn inputs_of_zero_are_not_listed() {
    let text = "int main(void) { int s = 0;
        for (int i = 0; i < 9; i++) s = 2 * s + __VERIFIER_nondet_int();
        if (s == 3) reach_error(); }";
    let values: [_; 2] = std::array::from_fn(|i| ("__VERIFIER_nondet_int", 7 + i as u32, 0, 1));
    let harness = harness(text, Property::UnreachCall, &values).text;
    let rows: Vec<&str> = harness.lines().filter(|line| line.starts_with("  {")).collect();
    assert_eq!(rows, ["  {7, 0, 0, 32, 1u, 0u},", "  {8, 0, 0, 32, 1u, 0u},", "  {0}"]);
}

#[test]
fn flags() {
    let flags = |text: &str, property| {
        let build = harness(text, property, &[]).build;
        build.compile_flags().join(" ")
    };
    let overflow = flags("int main(void) { int x = 2147483647; x++; }", Property::NoOverflow);
    assert!(overflow.contains(" -fsanitize=signed-integer-overflow"), "{overflow}");
    assert!(!overflow.contains("-fwrapv"), "{overflow}");
    let errors = flags("int main(void) { reach_error(); }", Property::UnreachCall);
    assert!(!errors.contains("-fsanitize"), "{errors}");
}
