//! What cannot be said, or has no place, is told.

use expect_test::{Expect, expect};
use lakatos_contracts::annotate;
use lakatos_ir::Property;

use super::{annotated, compile, contracts};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let (contracts, annotated) = annotated(text);
    let gaps = contracts.gaps.iter().chain(&annotated.gaps);
    expected.assert_eq(&gaps.map(|gap| format!("{gap}\n")).collect::<String>());
}

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn a_loop_of_jumps_has_no_place_for_an_invariant() {
    let text = "int main(void) { int i = 0;
again: if (i < 5) { i++; goto again; }
if (i != 5) reach_error(); }\n";
    check(&format!("{HEAD}{text}"), expect![[""]]);
}

#[test]
fn memory_has_no_assigns() {
    let text = "void set(int *p) { *p = 1; }
int main(void) { int x = 0; for (int i = 0; i < 2; i++) set(&x); return 0; }\n";
    check(&format!("{HEAD}{text}"), expect![[""]]);
}

#[test]
fn a_static_local_has_no_name_outside() {
    let text = "int next(void) { static int count; count = count + 1; return count; }
int main(void) { int a = next(); if (a == 2) reach_error(); return 0; }\n";
    check(&format!("{HEAD}{text}"), expect![[""]]);
}

#[test]
fn annotations_of_the_user_are_kept() {
    let text = "/*@ ensures \\result == 1; */ int one(void) { return 1; }
int main(void) { int i = 0;
/*@ loop invariant i >= 0; */
while (i < 3) i = i + one();
if (i < 3) reach_error(); }\n";
    let text = format!("{HEAD}{text}");
    check(&text, expect![[""]]);
    // Nothing is added where something is.
    let (_, once) = annotated(&text);
    let (_, twice) = annotated(&once.text);
    assert_eq!(once.text, twice.text);
}

#[test]
fn functions_without_a_useful_declaration() {
    let head = "extern void __VERIFIER_assume();\nextern int one(void), two(int *);\n";
    let text = "int main(void) { int x = one(); __VERIFIER_assume(x > 3); two(&x);
if (0) __VERIFIER_error(); return 0; }\n";
    check(&format!("{head}{text}"), expect![[""]]);
}

#[test]
fn different_contracts_in_one_declaration() {
    let text = "extern void abort(void), reach_error(void);
int main(void) { if (0) reach_error(); abort(); }\n";
    check(text, expect![[""]]);
}

/// The program's text is what a preprocessor made of the user's.
#[test]
fn what_a_macro_makes_has_no_place() {
    let user = "\
#define FOREVER while (1)
#define LOOP(i, n) for (i = 0; i < n; i++)
#include \"other.h\"
int main(void) {
    int i, j; for (j = 0; j < 4; j++) { }
    LOOP(i, 3) j++;
    if (i < 3) reach_error(); while (j > 0) j--;
    FOREVER { while (i < 9) i++; return 0; }
}
";
    let preprocessed = "\
# 1 \"t.c\"
# 1 \"other.h\" 1
extern void reach_error(void);
int other(int x) { while (x < 3) x++; return x; }
# 4 \"t.c\" 2
int main(void) {
    int i, j; for (j = 0; j < 4; j++) { }
    for (i = 0; i < 3; i++) j++;
    if (i < 3) reach_error(); while (j > 0) j--;
    while (1) { while (i < 9) i++; return 0; }
}
";
    let program = compile(preprocessed);
    let contracts = contracts(&program, &[Property::UnreachCall]);
    let annotated = annotate(&program, user, &contracts);
    let gaps: String = annotated.gaps.iter().map(|gap| format!("{gap}\n")).collect();
    expect![[""]].assert_eq(&gaps);
    expect![[""]].assert_eq(&annotated.text);
}
