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
    check(
        &format!("{HEAD}{text}"),
        expect![[r#"
        t.c:4:8: an invariant is needed here, and ACSL has no place for one: this is no `for`, `while` or `do` loop
          Write the loop as one of these.
    "#]],
    );
}

/// A pointer that is moved before it is written to is not what it was.
#[test]
fn memory_that_no_place_says() {
    let text = "void set(int *p) { p = p + 1; *p = 1; }
int main(void) { int x[2]; for (int i = 0; i < 2; i++) set(x); return 0; }\n";
    check(
        &format!("{HEAD}{text}"),
        expect![[r#"
        t.c:3:1: `set` may change memory that pointers reach, so there is no `assigns` for it
          Write down what it assigns.
    "#]],
    );
    // The variable of another call, and memory that is handed out.
    let text = "void *malloc(unsigned long);
void down(int *p, int n) { int x = 0, *q = p; q = q + 0; *q = 1; if (n > 0) down(&x, n - 1); }
int *make(void) { int *p = malloc(4); *p = 1; return p; }
int main(void) { down(make(), 3); return 0; }\n";
    check(
        &format!("{HEAD}{text}"),
        expect![[r#"
        t.c:4:1: `down` may change memory that pointers reach, so there is no `assigns` for it
          Write down what it assigns.
        t.c:5:1: `make` may change memory that pointers reach, so there is no `assigns` for it
          Write down what it assigns.
    "#]],
    );
}

#[test]
fn a_static_local_has_no_name_outside() {
    let text = "int next(void) { static int count; count = count + 1; return count; }
int main(void) { int a = next(); if (a == 2) reach_error(); return 0; }\n";
    check(
        &format!("{HEAD}{text}"),
        expect![[r#"
            t.c:3:1: the postcondition of `next` says something that has no text in ACSL (parts that are left out: 1)
            t.c:4:1: the precondition of `main` says something that has no text in ACSL (parts that are left out: 1)
            t.c:3:1: `next` changes `count`, which has no name there, so it is not in `assigns`
            t.c:4:1: `main` changes `count`, which has no name there, so it is not in `assigns`
        "#]],
    );
}

#[test]
fn annotations_of_the_user_are_kept() {
    let text = "/*@ ensures \\result == 1; */ int one(void) { return 1; }
int main(void) { int i = 0;
/*@ loop invariant i >= 0; */
while (i < 3) i = i + one();
if (i < 3) reach_error(); }\n";
    let text = format!("{HEAD}{text}");
    check(
        &text,
        expect![[r#"
        t.c:3:30: `one` has annotations already; they are kept as they are, and nothing is added
          Remove them to get the inferred ones.
        t.c:6:1: this loop has annotations already; they are kept as they are, and nothing is added
          Remove them to get the inferred ones.
    "#]],
    );
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
    check(
        &format!("{head}{text}"),
        expect![[r#"
            t.c:3:1: `main` may change memory that pointers reach, so there is no `assigns` for it
              Write down what it assigns.
            t.c:1:13: `__VERIFIER_assume` is declared without its parameters, so no contract can speak of them
              Declare them.
            t.c:2:1: there is no place for the contract of `one`: other functions with other contracts are declared together with it
              Give it a declaration of its own.
        "#]],
    );
}

/// A function that is given a pointer may change what is there, prototype or not.
#[test]
fn nothing_is_said_of_functions_with_pointers() {
    let text = "extern int a(), b(int *), c(void *, ...), plain();
int main(void) { int x = plain(1); a(&x); b(&x); c(&x); d(&x); return 0; }\n";
    let (contracts, _) = annotated(text);
    let known = contracts.functions.iter().filter(|f| f.assigns.is_some());
    assert_eq!(known.map(|f| &f.name[..]).collect::<Vec<_>>(), ["plain"]);
}

#[test]
fn different_contracts_in_one_declaration() {
    let text = "extern void abort(void), reach_error(void);
int main(void) { if (0) reach_error(); abort(); }\n";
    check(
        text,
        expect![[r#"
        t.c:1:1: there is no place for the contract of `abort`: other functions with other contracts are declared together with it
          Give it a declaration of its own.
        t.c:1:1: there is no place for the contract of `reach_error`: other functions with other contracts are declared together with it
          Give it a declaration of its own.
    "#]],
    );
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
    expect![[r#"
        other.h:1:1: there is no place for the contract of `reach_error`: it is not in the file itself (a macro, or an included file)
          Preprocess the file with `cc -E -C` and take the result.
        other.h:2:20: there is no place for the annotations of this loop: it is not in the file itself (a macro, or an included file)
          Preprocess the file with `cc -E -C` and take the result.
        t.c:6:5: there is no place for the annotations of this loop: it is not in the file itself (a macro, or an included file)
          Preprocess the file with `cc -E -C` and take the result.
        t.c:8:5: there is no place for the annotations of this loop: it is not in the file itself (a macro, or an included file)
          Preprocess the file with `cc -E -C` and take the result.
        t.c:8:17: there is no place for the annotations of this loop: it is not in the file itself (a macro, or an included file)
          Preprocess the file with `cc -E -C` and take the result.
    "#]].assert_eq(&gaps);
    expect![[r##"
        #define FOREVER while (1)
        #define LOOP(i, n) for (i = 0; i < n; i++)
        #include "other.h"
        /*@ assigns \nothing; */
        int main(void) {
            int i, j; /*@ loop assigns j; loop variant 3 - j; */ for (j = 0; j < 4; j++) { }
            LOOP(i, 3) j++;
            if (i < 3) reach_error(); /*@ loop assigns j; loop variant j; */ while (j > 0) j--;
            FOREVER { while (i < 9) i++; return 0; }
        }
    "##]]
    .assert_eq(&annotated.text);
}
