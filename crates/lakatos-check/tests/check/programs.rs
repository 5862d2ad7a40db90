//! What a program means to the checker: each test is a program that an inattentive reading would
//! take for safe, with its safe twin.

use lakatos_check::{Outcome, check};
use lakatos_evidence::{Assumption, Draft};
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::{Limits, Smt};

use crate::{accepts, draft, judge, program, rejects};

fn under(text: &str, property: Property, overflow: SignedOverflow) -> String {
    let program = program(text, property);
    let proof = draft(&program, property, overflow, &[]);
    judge(&program, proof, overflow)
}

#[test]
fn straight_lines() {
    accepts("int main(void) { int x = 1; x = x + 1; if (x != 2) reach_error(); }", &[]);
    rejects(
        "int main(void) { int x = 1; x = x + 1; if (x == 2) reach_error(); }",
        &[],
        "main: error",
    );
    let picks = "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2;
                 if (x @) reach_error(); }";
    accepts(&picks.replace('@', "> 2 || x < 1"), &[]);
    rejects(&picks.replace('@', "== 2"), &[], "main: error");
    rejects(&picks.replace('@', "== 1"), &[], "main: error");
}

#[test]
fn abort_ends_a_path() {
    accepts(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x) abort(); if (x) reach_error(); }",
        &[],
    );
}

#[test]
fn globals_begin_as_the_program_says() {
    let text = "int g; int h = 3; int main(void) { if (g @ 0 || h != 3) reach_error(); }";
    let claims = [("main requires", "g == 0 && h == 3")];
    accepts(&text.replace('@', "!="), &claims);
    rejects(&text.replace('@', "=="), &claims, "main: error");
    rejects(&text.replace('@', "!="), &[], "main: error");
    let wrong = [("main requires", "g == 1 && h == 3")];
    rejects(&text.replace('@', "!="), &wrong, "__lakatos_start: requires of main");
    let early = [("__lakatos_start requires", "g == 0")];
    rejects(&text.replace('@', "!="), &early, "__lakatos_start: start");
}

/// What a callee changes is not what it was, though the callee's contract does not say so.
#[test]
fn callees_change_globals() {
    let text = "int g; void f(void) { g = g + 1; } void h(void) { @ }
                int main(void) { g = 1; h(); if (g != 1) reach_error(); }";
    rejects(&text.replace('@', "f();"), &[], "main: error");
    accepts(&text.replace('@', ""), &[]);
}

#[test]
fn assigns_is_checked() {
    let text = "int g; void f(void) { int t = g; g = 7; @ }
                int main(void) { g = 1; f(); if (g != 1) reach_error(); }";
    accepts(&text.replace('@', "g = t;"), &[("f assigns", "")]);
    rejects(&text.replace('@', ""), &[("f assigns", "")], "f: assigns");
    rejects(&text.replace('@', "g = t;"), &[("f assigns", "g")], "main: error");
    let array = "int a[3]; void f(void) { a[1] = 2; } int main(void) { f(); }";
    rejects(array, &[("f assigns", "")], "f: assigns");
    accepts(array, &[]);
}

#[test]
fn unsigned_numbers_wrap() {
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_uint();
                if (x @ && x + 1 < x) reach_error(); }";
    rejects(&text.replace('@', "> 0"), &[], "main: error");
    accepts(&text.replace('@', "< 4294967295u"), &[]);
    let only_by_wrapping =
        "int main(void) { unsigned i = 0; do i += 3; while (i != 1); reach_error(); }";
    rejects(only_by_wrapping, &[("main loop 0", "i % 3 == 0")], "main: invariant");
    let narrow = "int main(void) { unsigned char c = 255; c = c + 1; if (c @ 0) reach_error(); }";
    accepts(&narrow.replace('@', "!="), &[]);
    rejects(&narrow.replace('@', "=="), &[], "main: error");
}

/// Overflow ends a path if the proof says so, and not otherwise.
#[test]
fn signed_overflow() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int();
                if (x > 0 && x + 1 < x) reach_error(); }";
    let property = Property::UnreachCall;
    assert_eq!(under(text, property, SignedOverflow::Undefined), "checked");
    assert_eq!(under(text, property, SignedOverflow::Wrap), "main: error");
    let program = program(text, property);
    let bare = || Draft::new(program.program(), property).finish();
    assert_eq!(judge(&program, bare(), SignedOverflow::Undefined), "main: error");
    let wraps = "int main(void) { int x = 2147483647; x = x + 1; if (x != -2147483647 - 1) reach_error(); }";
    assert_eq!(under(wraps, property, SignedOverflow::Wrap), "checked");
}

#[test]
fn division() {
    let text = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
                int q = a / b, r = a % b; if (@) reach_error(); }";
    let property = Property::UnreachCall;
    let said =
        |condition: &str| under(&text.replace('@', condition), property, SignedOverflow::Undefined);
    assert_eq!(said("b == 0"), "checked");
    assert_eq!(said("a == -7 && b == 2 && (q != -3 || r != -1)"), "checked");
    assert_eq!(said("a == 7 && b == -2 && (q != -3 || r != 1)"), "checked");
    assert_eq!(said("a == -7 && b == 2 && r != 1"), "main: error");
    assert_eq!(said("b == 5 && r < 0 && a >= 0"), "checked");
}

#[test]
fn bits() {
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (@) reach_error(); }";
    let accept = |condition: &str| accepts(&text.replace('@', condition), &[]);
    accept("(x & 7) > 7");
    accept("(x & 1) != x % 2");
    accept("(x | 1) == 0");
    accept("(x << 1) % 2 == 1");
    accept("(x >> 31) > 1");
    accept("(x ^ 1) == x");
    rejects(&text.replace('@', "(x & 6) > 5"), &[], "main: error");
    rejects(&text.replace('@', "(x << 1) < x"), &[], "main: error");
}

#[test]
fn other_properties() {
    let text = "int main(void) { int i = 0; while (i < @) i = i + 2; return 10 / (i + 1); }";
    let said = |bound: &str, property, invariant: &str| {
        let program = program(&text.replace('@', bound), property);
        let overflow = SignedOverflow::Undefined;
        let proof = draft(&program, property, overflow, &[("main loop 0", invariant)]);
        judge(&program, proof, overflow)
    };
    assert_eq!(said("100", Property::NoOverflow, "i >= 0 && i <= 102"), "checked");
    assert_eq!(said("2147483647", Property::NoOverflow, "i >= 0"), "main: error");
    assert_eq!(said("100", Property::NoOverflow, "true"), "main: error");
    assert_eq!(said("-5", Property::DivByZero, "i >= 0"), "checked");
    assert_eq!(said("-5", Property::DivByZero, "i >= -1"), "main: error");
}

/// Nothing is known of memory.
#[test]
fn memory_is_any() {
    let text = "void set(int *p) { *p = 1; }
                int main(void) { int x = 0; set(&x); if (x == @) reach_error(); }";
    rejects(&text.replace('@', "1"), &[], "main: error");
    rejects(&text.replace('@', "0"), &[], "main: error");
    let beside =
        "int main(void) { int x = 0, y = 1; int *p = &x; *p = 5; if (y != 1) reach_error(); }";
    accepts(beside, &[]);
}

#[test]
fn calls_through_pointers() {
    let text = "int one(int x) { return 1; } int two(int x) { return 2; }
                int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
                if (f(0) @) reach_error(); }";
    let claims = [("one ensures", "result == 1"), ("two ensures", "result == 2")];
    accepts(&text.replace('@', "> 2"), &claims);
    rejects(&text.replace('@', "> 1"), &claims, "main: error");
    rejects(&text.replace('@', "== 1"), &claims, "main: error");
    let demands = [("one requires", "x > 0"), claims[0], claims[1]];
    rejects(&text.replace('@', "> 2"), &demands, "main: requires of one");
}

#[test]
fn what_it_rests_on_is_named() {
    let text = "int other(void); int main(void) { if (other() == 1 && other() == 2) return 1; }";
    let program = program(text, Property::UnreachCall);
    let mut draft = Draft::new(program.program(), Property::UnreachCall);
    draft.assume([Assumption::UndefinedBehaviour]);
    let said = judge(&program, draft.finish(), SignedOverflow::Undefined);
    assert_eq!(said, "assumption");
    accepts(text, &[]);
}

/// A proof about another program is none about this one.
#[test]
fn another_program() {
    let property = Property::UnreachCall;
    let straight = program("int main(void) { int i = 0; if (i < 1) i++; return i; }", property);
    let looping = program(
        "int main(void) { int i = 0; while (i < 9) i++; if (i == 9) reach_error(); }",
        property,
    );
    let proof = || draft(&straight, property, SignedOverflow::Undefined, &[]);
    let said = judge(&looping, proof(), SignedOverflow::Undefined);
    assert!(said == "main: cut" || said == "main: error", "{said}");
    let overflow = SignedOverflow::Undefined;
    let other = draft(&straight, Property::NoOverflow, overflow, &[]);
    assert_eq!(judge(&straight, other, overflow), "__lakatos_start: fits");
    let small = program("int main(void) { return 0; }", property);
    let big = program("int f(int n) { return n; } int main(void) { return f(1); }", property);
    let claims = [("f ensures", "result == old(n)")];
    let proof = draft(&big, property, SignedOverflow::Undefined, &claims);
    assert_eq!(judge(&small, proof, SignedOverflow::Undefined), "__lakatos_start: fits");
}

#[test]
fn rejections_tell_where_and_why() {
    let text = "int main(void) {
  int i = 0;
  while (i < 10) i++;
  if (i != 10) reach_error();
}";
    let program = program(text, Property::UnreachCall);
    let claims = [("main loop 0", "i >= 0")];
    let proof = draft(&program, Property::UnreachCall, SignedOverflow::Undefined, &claims);
    let mut smt = Smt::new(Limits::default());
    let Outcome::Rejected(rejected) = check(&program, proof, SignedOverflow::Undefined, &mut smt)
    else {
        panic!("not rejected");
    };
    let told = rejected.condition.describe(program.program());
    assert_eq!(
        told,
        "t.c:6:16: in `main`, from the invariant at t.c:5:3: it never happens that `reach_error` \
         is called"
    );
    let (name, value) = &rejected.values[0];
    assert_eq!(name, "i");
    assert!(value.parse::<i64>().unwrap() > 10);
    assert!(!rejected.approximate);
}

/// An undecided condition is never taken for one that holds.
#[test]
fn undecided_is_not_accepted() {
    let text = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
                if (a > 1 && b > 1 && a * a * a + b * b * b == 1000003) reach_error(); }";
    let program = program(text, Property::UnreachCall);
    let proof = draft(&program, Property::UnreachCall, SignedOverflow::Undefined, &[]);
    let limits = Limits { resources: Some(100), time: None };
    match check(&program, proof, SignedOverflow::Undefined, &mut Smt::new(limits)) {
        Outcome::Undecided(undecided) => assert_eq!(undecided.conditions.len(), 1),
        other => panic!("{other:?}"),
    }
}
