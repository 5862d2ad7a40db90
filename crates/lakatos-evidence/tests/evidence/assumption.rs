//! Assumptions in words.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use lakatos_evidence::Assumption;
use lakatos_ir::{Property, SignedOverflow};

use crate::{compile, instrumented};

fn assumed(text: &str, property: Property, overflow: SignedOverflow) -> BTreeSet<Assumption> {
    let found = Assumption::of(&instrumented(text, property), property, overflow);
    assert_eq!(found, Assumption::of(&compile(text), property, overflow), "before the pass");
    found
}

#[test]
fn a_program_shows_what_is_assumed() {
    let check = |text: &str, expected: Expect| {
        let found = assumed(text, Property::UnreachCall, SignedOverflow::Undefined);
        let lines: String = found.iter().map(|assumption| format!("{assumption}\n")).collect();
        expected.assert_eq(&lines);
    };
    check("int main(void) { unsigned x = 1u; return x + 1u == 2u; }", expect![""]);
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }",
        expect![[r#"
            no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
        "#]],
    );
    check(
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); return 5u / x; }",
        expect![[r#"
            no other undefined behaviour: a path ends where it happens
        "#]],
    );
    check(
        "void *malloc(unsigned long); int get(int); volatile int v;
         int main(void) {
             int x = 0; char *p = malloc(3); asm(\"\" : \"=r\"(x));
             int *plain = (int *)&v; __builtin_alloca(2);
             return (x = get(*p)) == x;
         }",
        expect![[r#"
            no other undefined behaviour: a path ends where it happens
            operands are evaluated left to right where C leaves the order open and it matters
            `get`, which is not defined, returns, does not violate the property, and calls no function of this file by name
            assembly changes nothing but its outputs
            volatile memory that is read through a pointer without `volatile` behaves like ordinary memory
            memory that is asked for is there, if it is not more than PTRDIFF_MAX bytes (check it with `--malloc may-fail`)
            there is enough memory for `alloca` and arrays
        "#]],
    );
    // A function that is never called is nobody's assumption.
    check("int get(int); int f(void) { return get(1); } int main(void) { return 0; }", expect![""]);
}

#[test]
fn properties_and_options_take_assumptions_away() {
    let sum = "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }";
    let none = BTreeSet::new();
    assert_eq!(assumed(sum, Property::UnreachCall, SignedOverflow::Wrap), none);
    assert_eq!(assumed(sum, Property::NoOverflow, SignedOverflow::Undefined), none);
    let quotient = "int main(void) { unsigned x = __VERIFIER_nondet_int(); return 5u / x; }";
    assert_eq!(assumed(quotient, Property::DivByZero, SignedOverflow::Undefined), none);
}
