//! What replays, and what does not.

use expect_test::{Expect, expect};
use lakatos_evidence::{NotReplayed, Refutation, Step};
use lakatos_ir::interpret::{Options, Outcome};
use lakatos_ir::{Property, Undefined};

use crate::{inputs, instrumented, wrapping};

type Values<'a> = &'a [(&'a str, u32, u64, i128)];

fn replay(
    text: &str,
    property: Property,
    options: &Options,
    values: Values,
) -> Result<Refutation, Box<NotReplayed>> {
    let program = instrumented(text, property);
    let inputs = inputs(&program, values);
    Refutation::replay(&program, property, options, &inputs)
}

/// The violation, or why there is none.
fn check(text: &str, property: Property, values: Values, expected: Expect) {
    let program = instrumented(text, property);
    let told = match replay(text, property, &Options::default(), values) {
        Ok(refutation) => {
            let violation = refutation.violation();
            let at = program.source.position(violation.span.start);
            format!("{at}: {}: {}", violation.property, violation.message)
        }
        Err(reason) => reason.describe(&program.source),
    };
    expected.assert_eq(&told);
}

const GUESS: &str = "int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 42) reach_error();
    return 7;
}";

#[test]
fn only_the_right_inputs_refute() {
    let check = |value, expected| {
        check(GUESS, Property::UnreachCall, &[("__VERIFIER_nondet_int", 0, 0, value)], expected)
    };
    check(42, expect!["t.c:4:18: unreach-call: `reach_error` is called"]);
    check(41, expect!["the program ends by itself and returns 7"]);
    // Values are read in the type asked for.
    check(42 + (1 << 32), expect!["t.c:4:18: unreach-call: `reach_error` is called"]);
}

#[test]
fn inputs_are_those_that_were_asked_for() {
    let text = "struct pair { int a; int b; };
        int main(void) {
            struct pair p; int never; int x = 0;
            for (int i = 0; i < 3; i++) x += __VERIFIER_nondet_int();
            if (x == 6 && p.b == 5) reach_error();
            return 0;
        }";
    let values = [
        ("__VERIFIER_nondet_int", 0, 0, 1),
        ("__VERIFIER_nondet_int", 1, 0, 2),
        ("__VERIFIER_nondet_int", 2, 0, 3),
        ("__VERIFIER_nondet_int", 3, 0, 4),
        ("p", 0, 1, 5),
    ];
    let found = replay(text, Property::UnreachCall, &Options::default(), &values).unwrap();
    let taken: Vec<_> = found.inputs().iter().map(|i| (i.occurrence, i.element, i.value)).collect();
    assert_eq!(taken, [(0, 0, 0), (0, 1, 5), (0, 0, 0), (0, 0, 1), (1, 0, 2), (2, 0, 3)]);
}

/// A run counts for the property it was asked for and for no other.
#[test]
fn another_property_is_not_refuted() {
    let text = "int main(void) {
        int a[2] = {0}, i = __VERIFIER_nondet_int(), d = 1 / i;
        a[i + 2147483640] = 1;
        reach_error();
        return d;
    }";
    let values: [_; 4] = [0, 7, 8, 1].map(|v| ("__VERIFIER_nondet_int", 0, 0, v));
    let [zero, too_far, overflow, _] = values.map(|v| vec![v]);
    let check = |property, values: &Vec<_>, expected| check(text, property, values, expected);
    check(Property::DivByZero, &zero, expect!["t.c:3:58: div-by-zero: `1 / i` divides by zero"]);
    check(
        Property::UnreachCall,
        &zero,
        expect!["it ends in undefined behaviour at t.c:3:58: `1 / i` divides 1 by zero"],
    );
    check(
        Property::ArrayBounds,
        &too_far,
        expect!["t.c:4:9: array-bounds: `a[i + 2147483640]` is outside the array of 2 elements"],
    );
    check(
        Property::NoOverflow,
        &overflow,
        expect!["t.c:4:11: no-overflow: `i + 2147483640` overflows `int`"],
    );
    check(
        Property::NoOverflow,
        &too_far,
        expect![
            "it ends in undefined behaviour at t.c:4:9: index 2147483647 is outside `a`, which has 2 elements"
        ],
    );
}

/// The run that a program instrumented for several properties does is one violation of one.
#[test]
fn the_first_violation_counts() {
    let program = {
        let request = lakatos_ir::pass::Request {
            properties: &Property::ALL,
            error_label: None,
            is_run: true,
        };
        let text = "int main(void) { int x = 2147483647; x++; reach_error(); return 0; }";
        lakatos_ir::pass::instrument(crate::compile(text), &request).0
    };
    let none = inputs(&program, &[]);
    let replay = |property| Refutation::replay(&program, property, &Options::default(), &none);
    assert_eq!(replay(Property::NoOverflow).unwrap().property(), Property::NoOverflow);
    assert!(matches!(
        *replay(Property::UnreachCall).unwrap_err(),
        NotReplayed::Ended(Outcome::Violated(violation)) if violation.property == Property::NoOverflow
    ));
}

#[test]
fn signed_overflow_ends_a_path() {
    let text = "int main(void) {
        int x = __VERIFIER_nondet_int();
        if (x > 0 && x + 1 < 0) reach_error();
        return 0;
    }";
    let values = [("__VERIFIER_nondet_int", 0, 0, i128::from(i32::MAX))];
    let undefined = replay(text, Property::UnreachCall, &Options::default(), &values);
    assert!(matches!(
        *undefined.unwrap_err(),
        NotReplayed::Ended(Outcome::Undefined { kind: Undefined::SignedOverflow, .. })
    ));
    assert!(replay(text, Property::UnreachCall, &wrapping(), &values).is_ok());
    assert!(replay(text, Property::NoOverflow, &Options::default(), &values).is_ok());
}

#[test]
fn assumptions_and_ends_block() {
    let check = |body: &str, expected| {
        let text = format!(
            "void abort(void); void exit(int); void __VERIFIER_assume(int);\n\
             int main(void) {{ {body} reach_error(); }}"
        );
        check(&text, Property::UnreachCall, &[], expected);
    };
    check(
        "__VERIFIER_assume(0);",
        expect!["it ends at t.c:3:36, where an assumption does not hold"],
    );
    check("abort();", expect!["the program calls abort at t.c:3:18"]);
    check("exit(3);", expect!["the program ends by itself and returns 3"]);
    check("", expect!["t.c:3:19: unreach-call: `reach_error` is called"]);
}

const COUNT_DOWN: &str = "int f(int n) {
    if (n == 0) { reach_error(); return 0; }
    return f(n - 1) + 1;
}
int main(void) { return f(__VERIFIER_nondet_int()); }";

#[test]
fn deep_recursion() {
    let run = |depth: i128, options: &Options| {
        let values = [("__VERIFIER_nondet_int", 0, 0, depth)];
        replay(COUNT_DOWN, Property::UnreachCall, options, &values)
    };
    let found = run(500_000, &Options::default()).unwrap();
    assert_eq!(found.stack().len(), 500_003);
    for (options, outcome) in [
        (Options { max_depth: 1000, ..Options::default() }, Outcome::DepthLimit),
        (Options { max_steps: 1000, ..Options::default() }, Outcome::StepLimit),
        (Options { max_bytes: 1000, ..Options::default() }, Outcome::MemoryLimit),
    ] {
        assert_eq!(*run(500_000, &options).unwrap_err(), NotReplayed::Ended(outcome));
    }
}

#[test]
fn long_traces_are_cut_in_the_middle() {
    let text = "int main(void) {
        int i = 0, n = __VERIFIER_nondet_int();
        while (i < n) i++;
        reach_error();
        return 0;
    }";
    let trace = |n| {
        let values = [("__VERIFIER_nondet_int", 0, 0, n)];
        let found = replay(text, Property::UnreachCall, &Options::default(), &values).unwrap();
        found.trace().clone()
    };
    let short = trace(100);
    assert_eq!((short.omitted, short.tail.len()), (0, 0));
    let long = trace(1_000_000);
    assert_eq!((long.head.len(), long.tail.len()), (10_000, 10_000));
    assert!(long.omitted > 1_900_000);
    let last = |steps: &[Step]| {
        let mut assigned = steps.iter().rev().flat_map(|step| &step.assigned);
        assigned.next().map(|a| format!("{} = {}", a.name, a.shown)).unwrap()
    };
    assert_eq!(last(&short.head), "i = 100");
    assert_eq!(last(&long.tail), "i = 1000000");
    assert_eq!(long.head[0].number, 0);
    assert_eq!(long.tail[0].number, 10_000 + long.omitted);
    let last_steps = [&short.head, &long.tail].map(|steps| steps.last().unwrap().edge);
    assert_eq!(last_steps[0], last_steps[1]);
}

/// Nobody knows what assembly does; what depends on it is not shown.
#[test]
fn assembly_refutes_nothing() {
    let check = |text, values: Values, expected| {
        check(text, Property::UnreachCall, values, expected);
    };
    let scalar = "int main(void) {
        int x = 5, y;
        asm(\"movl %1, %0\" : \"=r\"(y) : \"r\"(x));
        if (y != 5) reach_error();
        return 0;
    }";
    let unknown =
        || expect!["it takes an output of the assembly at t.c:4:9, which can be anything"];
    check(scalar, &[("asm", 0, 0, 6)], unknown());
    check(scalar, &[], unknown());
    check(
        scalar,
        &[("asm", 0, 0, 5)],
        expect!["it takes an output of the assembly at t.c:4:9, which can be anything"],
    );
    // An object whose scalars nobody asks for.
    let aggregate = "struct s { int a[3]; };
        int main(void) { struct s v; asm(\"\" : \"=m\"(v)); reach_error(); return 0; }";
    check(
        aggregate,
        &[],
        expect!["it takes an output of the assembly at t.c:3:38, which can be anything"],
    );
    // What comes after does no harm.
    let later = "int main(void) { int x; reach_error(); asm(\"\" : \"=r\"(x)); return x; }";
    check(later, &[], expect!["t.c:2:25: unreach-call: `reach_error` is called"]);
    let outputless = "int main(void) { asm(\"nop\"); reach_error(); return 0; }";
    check(outputless, &[], expect!["t.c:2:30: unreach-call: `reach_error` is called"]);
}

/// Without instrumentation, the call itself is the violation.
#[test]
fn error_functions_count_without_error_locations() {
    let program = crate::compile(GUESS);
    let inputs = inputs(&program, &[("__VERIFIER_nondet_int", 0, 0, 42)]);
    let replay = |property| Refutation::replay(&program, property, &Options::default(), &inputs);
    let found = replay(Property::UnreachCall).unwrap();
    assert_eq!(found.violation().message, "`reach_error` is called");
    assert!(replay(Property::NoOverflow).is_err());
}
