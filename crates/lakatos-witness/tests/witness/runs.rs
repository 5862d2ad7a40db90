//! The runs that violation witnesses allow.

use lakatos_ir::interpret::{self, InOrder, Interpreter, Outcome};
use lakatos_ir::validate::validate;
use lakatos_ir::{DataModel, Program, Property};
use lakatos_witness::format::{Constraint, Location, Segment, Waypoint, WaypointKind};
use lakatos_witness::invariants::Problem;
use lakatos_witness::outline::Outline;
use lakatos_witness::run::{Restricted, restricted};

use crate::{HEAD, compile};

/// Line 1 is the head of declarations.
const PROGRAM: &str = "int helper(int a) { return a + 1; }
int main(void) {
    int x = __VERIFIER_nondet_int(); int a[2];
    int y = 0;
    if (x > 5)
        y = helper(x);
    else if (!(x < 0))
        y = 7;
    for (int k = 0; k < 3; k++) {
        y = y + __VERIFIER_nondet_int();
    }
    if (y == 10) reach_error();
    a[1] = helper(y); a[0] = __VERIFIER_nondet_int();
    if (a[0] + a[1] == 4) reach_error();
    return 0;
}
";

fn program() -> Program {
    compile(&format!("{HEAD}{PROGRAM}"), DataModel::Lp64)
}

/// `kind line:column value`; a `!` before it is to avoid.
fn waypoint(text: &str) -> (bool, Waypoint) {
    let (avoid, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut words = text.splitn(3, ' ');
    let name = words.next().unwrap();
    let kind = WaypointKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap();
    let place = words.next().unwrap();
    let (line, column) = match place.split_once(':') {
        Some((line, column)) => (line, Some(column.parse().unwrap())),
        None => (place, None),
    };
    let constraint = words.next().map(|value| Constraint { value: value.to_owned(), format: None });
    let line = line.parse().unwrap();
    let location = Location { file_name: "t.c".to_owned(), line, column, function: None };
    (avoid, Waypoint { kind, location, constraint })
}

fn segments(texts: &[&str]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut current = Segment::default();
    for text in texts {
        match waypoint(text) {
            (true, waypoint) => current.avoid.push(waypoint),
            (false, waypoint) => {
                current.follow = Some(waypoint);
                segments.push(std::mem::take(&mut current));
            }
        }
    }
    segments
}

fn allowed(texts: &[&str]) -> Restricted {
    let program = program();
    let outline = Outline::new(&program);
    let allowed = restricted(&program, &outline, Property::UnreachCall, &segments(texts));
    let allowed = allowed.unwrap_or_else(|problem| panic!("{problem:?}"));
    assert_eq!(validate(&allowed.program), []);
    allowed
}

/// Whether the run with these inputs is one of those that the waypoints allow.
#[track_caller]
fn check(texts: &[&str], inputs: &[i128], expected: bool) {
    let mut all = texts.to_vec();
    all.push("target 13");
    let allowed = allowed(&all);
    assert_eq!(allowed.left_out, Vec::<String>::new());
    let mut oracle = InOrder::new(inputs.to_vec());
    let run = Interpreter::new(&allowed.program).run(&interpret::Options::default(), &mut oracle);
    let reached = matches!(run.outcome, Outcome::ErrorReached { .. });
    assert_eq!(reached, expected, "{texts:?} with {inputs:?}: {:?}", run.outcome);
}

#[test]
fn waypoints() {
    let direct: &[i128] = &[8, 1, 0, 0];
    let other: &[i128] = &[0, 1, 1, 1];
    for (waypoints, expected) in [
        (&[][..], [true, true]),
        (&["assumption 5 x == 8"], [true, false]),
        (&["assumption 6 x <= 5"], [false, true]),
        (&["function_return 4:35 \\result == 8"], [true, false]),
        (&["function_return 4 \\result > 1"], [true, false]),
        (&["function_enter 7"], [true, false]),
        (&["function_return 7 \\result == 9"], [true, false]),
        (&["function_return 7 \\result == 8"], [false, false]),
        (&["branching 6 true"], [true, false]),
        (&["branching 6 false"], [false, true]),
        (&["branching 6 false", "branching 8 true"], [false, true]),
        (&["branching 6 false", "branching 8 false"], [false, false]),
        // Every call passes one waypoint, in order.
        (&["function_return 11 \\result == 1"], [true, true]),
        (&["function_return 11 \\result == 1", "function_return 11 \\result == 0"], [true, false]),
        (&["function_return 11 \\result == 0", "function_return 11 \\result == 1"], [false, false]),
        (&["function_return 11 \\result == 1", "function_return 11 \\result == 1"], [false, true]),
        (&["branching 10 true", "branching 10 true", "branching 10 true"], [true, true]),
        (&["branching 10 true"; 4], [false, false]),
        // Before a loop is before what it begins with.
        (&["assumption 10 y == 9"], [true, false]),
        (&["assumption 10 y == 7"], [false, true]),
        // Several may hold at one place.
        (&["assumption 6 x >= 0", "assumption 6 y == 0"], [true, true]),
        // What is avoided is avoided only in its segment.
        (&["!function_enter 7", "assumption 13 1"], [false, true]),
        (&["!branching 6 false", "assumption 13 1"], [true, false]),
        (&["function_enter 7", "!function_enter 7", "assumption 13 y == 10"], [true, false]),
    ] {
        check(waypoints, direct, expected[0]);
        check(waypoints, other, expected[1]);
    }
}

/// Results may go into arrays.
#[test]
fn results_without_a_name() {
    for (waypoints, expected) in [
        (&["function_return 14:20 \\result == 1"][..], true),
        (&["function_return 14:20 \\result == 2"], false),
        (&["function_return 14:20 \\result == 1", "function_return 14:52 \\result == 3"], true),
        (&["function_return 14:52 \\result == 3", "function_return 14:52 \\result == 3"], false),
        (&["assumption 15 x == -1", "function_return 14:52 \\result == 3"], false),
    ] {
        let mut all = waypoints.to_vec();
        all.push("target 15");
        let allowed = allowed(&all);
        assert_eq!(allowed.left_out, Vec::<String>::new());
        let mut oracle = InOrder::new(vec![-1, 0, 0, 0, 3]);
        let run =
            Interpreter::new(&allowed.program).run(&interpret::Options::default(), &mut oracle);
        let reached = matches!(run.outcome, Outcome::ErrorReached { .. });
        assert_eq!(reached, expected, "{waypoints:?}: {:?}", run.outcome);
    }
}

/// What cannot be looked at is left out, which allows more runs.
#[test]
fn unknown_waypoints() {
    let note = |text: &str| {
        let allowed = allowed(&[text, "target 13"]);
        let run = Interpreter::new(&allowed.program)
            .run(&interpret::Options::default(), &mut InOrder::new(vec![8, 1, 0, 0]));
        assert!(matches!(run.outcome, Outcome::ErrorReached { .. }));
        allowed.left_out[0].clone()
    };
    assert_eq!(
        note("assumption 6 f(0) == 1"),
        "the waypoint `assumption` on line 6 is left out: calls are not supported (at character \
         2 of `f(0) == 1`)"
    );
    assert_eq!(
        note("branching 6 maybe"),
        "the waypoint `branching` on line 6 is left out: only `true` and `false` are understood"
    );
}

#[test]
fn misplaced() {
    let program = program();
    let outline = Outline::new(&program);
    let check = |texts: &[&str], expected: &str| match restricted(
        &program,
        &outline,
        Property::UnreachCall,
        &segments(texts),
    ) {
        Err(Problem::Misplaced(reason)) => assert_eq!(reason, expected),
        other => panic!("{other:?}"),
    };
    check(
        &["target 5"],
        "the target is on line 5, where nothing can be violated (lines where something can: 13, \
         15)",
    );
    check(&["function_enter 5", "target 13"], "no call begins on line 5 of t.c");
    check(&["branching 5 true", "target 13"], "no branch begins on line 5 of t.c");
    check(&["assumption 99 1", "target 13"], "no statement begins on line 99 of t.c");
    check(&["assumption 6 1"], "the last segment does not end with a target");
    check(&[], "there is no segment");
}

/// Values that waypoints fix need no search.
#[test]
fn guided() {
    let allowed = allowed(&[
        "function_return 4:35 \\result == 8",
        "function_return 11:39 \\result == 3",
        "function_return 11:39 \\result == -1",
        "function_return 11:39 \\result == -1",
        "target 13:18",
    ]);
    let mut guide = allowed.guide.clone();
    let run = Interpreter::new(&allowed.program).run(&interpret::Options::default(), &mut guide);
    assert!(matches!(run.outcome, Outcome::ErrorReached { .. }), "{:?}", run.outcome);
}
