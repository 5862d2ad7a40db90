//! Induction over turns: what it proves and with how many turns, and that it proves nothing else.

mod common;

use std::fmt::Write as _;

use common::compile;
use lakatos_check::{Instrumented, Outcome, Verdict, Why, check};
use lakatos_engine::{Engine, Induction, Task, Unwatched};
use lakatos_ir::interpret::{self, Interpreter, Options, Random};
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::{Bound, Induction as By, subject_in_one};
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::{Limits, Smt};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); ";

fn task(program: &Program, property: Property) -> Task<'_> {
    Task { program, property, signed_overflow: SignedOverflow::Undefined }
}

/// With how many turns as hypotheses it is proved, or why it is not.
fn solved(property: Property, text: &str) -> Result<u32, Why> {
    let program = compile(&format!("{HEAD}{text}"));
    match Induction.solve(&task(&program, property), &mut Unwatched).verdict {
        Verdict::Proved(checked) => {
            Ok(checked.proof().inductive().expect("it proves nothing else"))
        }
        Verdict::Unknown(why) => Err(why),
        Verdict::Refuted(_) => panic!("it refutes nothing: {text}"),
    }
}

const FAILS: Result<u32, Why> = Err(Why::NotInductive { turns: 8 });

#[test]
fn what_needs_how_many_turns() {
    let rotate = "int a = 1, b = 2, c = 3; while (__VERIFIER_nondet_int()) { int t = a; a = b; b = c; c = t; ";
    let checks = [
        // An invariant by itself.
        ("int x = 1; while (__VERIFIER_nondet_int()) { if (x == 0) reach_error(); x = x == 7 ? 1 : 7; }".to_owned(), Ok(1)),
        // Two turns back it was the same.
        ("int x = 0, y = 1; while (__VERIFIER_nondet_int()) { if (x == y) reach_error(); int t = x; x = y; y = t; }".to_owned(), Ok(1)),
        (format!("{rotate} if (a == b) reach_error(); }}"), Ok(4)),
        (format!("{rotate} if (a == b || b == c || a == c) reach_error(); }}"), Ok(1)),
        (format!("{rotate} if (a == b) reach_error(); if (__VERIFIER_nondet_int()) break; }}"), Ok(4)),
        (format!("{rotate} if (a == 4) reach_error(); }}"), Ok(1)),
        // What is left of a loop behind it.
        ("int x = __VERIFIER_nondet_int(), i = 0; if (x < 0) return 0; while (i < x) i++; if (i != x) reach_error();".to_owned(), Ok(1)),
        ("unsigned i = 0; while (i < 1000) { i++; } if (i != 1000) reach_error();".to_owned(), Ok(1)),
        // What a loop does not change is known behind it.
        ("int x = __VERIFIER_nondet_int(), y = x; while (__VERIFIER_nondet_int()) { if (x != y) reach_error(); } if (x != y) reach_error();".to_owned(), Ok(1)),
        // The first turns have to be right as well.
        ("int x = 5; while (__VERIFIER_nondet_int()) { if (x == 5) reach_error(); x = 6; }".to_owned(), FAILS),
        ("int x = 0; while (__VERIFIER_nondet_int()) { x = x < 9 ? x + 1 : 9; if (x == 9) reach_error(); }".to_owned(), FAILS),
        // Leaving from any turn.
        ("int i = 0; while (1) { i++; if (i == 30) break; } if (i == 30) reach_error();".to_owned(), FAILS),
        ("int i = 0; while (1) { i++; if (i == 3) break; } if (i != 3) reach_error();".to_owned(), Ok(1)),
        // Loops inside each other, one behind the other, with calls.
        ("int s = 0; while (__VERIFIER_nondet_int()) { int j = 0; while (j < 5) { j++; if (s > 1) reach_error(); } s = j == 5 ? 1 : 2; }".to_owned(), Ok(1)),
        ("int s = 0; while (__VERIFIER_nondet_int()) { int j = 0; while (j < 5) { j++; if (s > 1) reach_error(); } s = j == 5 ? 2 : 1; }".to_owned(), FAILS),
        ("int s = 0; while (__VERIFIER_nondet_int()) s = 1; while (__VERIFIER_nondet_int()) { if (s == 3) reach_error(); s = s == 1 ? 2 : 1; }".to_owned(), Ok(1)),
    ];
    for (body, expected) in checks {
        let text = format!("int main(void) {{ {body} return 0; }}");
        assert_eq!(solved(Property::UnreachCall, &text), expected, "{text}");
    }
}

#[test]
fn calls_overflow_and_memory() {
    let twice = "int g; void step(void) { g = g == 1 ? 2 : 1; }
        int main(void) { step(); while (__VERIFIER_nondet_int()) { step(); @ } if (g > 2) reach_error(); }";
    assert_eq!(solved(Property::UnreachCall, &twice.replace('@', "")), Ok(1));
    assert_eq!(
        solved(Property::UnreachCall, &twice.replace('@', "g = __VERIFIER_nondet_int();")),
        FAILS
    );
    let sum = "int main(void) { int i = 0; while (i < @) { i += 7; } return i; }";
    assert_eq!(solved(Property::NoOverflow, &sum.replace('@', "2147483640")), Ok(1));
    assert_eq!(solved(Property::NoOverflow, &sum.replace('@', "2147483645")), FAILS);
    // What pointers write is forgotten, too.
    let through = "int main(void) { int x = 1; int *p = &x; while (__VERIFIER_nondet_int()) { if (x == 3) reach_error(); *p = @; } }";
    assert_eq!(solved(Property::UnreachCall, &through.replace('@', "2")), Ok(1));
    assert_eq!(solved(Property::UnreachCall, &through.replace('@', "3")), FAILS);
    let recursive = "int f(int n) { while (__VERIFIER_nondet_int()) n = f(n); return n; }
        int main(void) { if (f(1) != 1) reach_error(); }";
    assert!(matches!(solved(Property::UnreachCall, recursive), Err(Why::Unsupported { .. })));
    let memory = "int main(void) { int a[2]; int i = 0; while (i < 2) a[i++] = 0; }";
    assert!(matches!(solved(Property::ValidDeref, memory), Err(Why::Unsupported { .. })));
}

/// Bounds are no assumptions: a wrong one makes the proof fail, whatever else holds.
#[test]
fn bounds_are_checked() {
    let program = compile(&format!(
        "{HEAD} int main(void) {{ int i = 0; while (i < 100) i++; if (i > 100) reach_error(); }}"
    ));
    let property = Property::UnreachCall;
    let written_out = subject_in_one(&program, property).expect("nothing is recursive");
    let body = written_out.procs[written_out.start].body.as_ref().expect("it has one");
    let at = Loops::new(body).cut_points()[0];
    // The last one of this name is the one of the call that is written out.
    let var = written_out.vars.iter().rfind(|(_, var)| var.name == "i");
    let (var, _) = var.expect("it is there");
    let holds = |high: i128| {
        let by = By { turns: 1, bounds: vec![Bound { at, var, low: 0, high }] };
        let subject = Instrumented::inductive(&program, property, by.clone()).expect("it is small");
        let task = task(&program, property);
        let mut draft = lakatos_evidence::Draft::new(subject.program(), property);
        draft.assume(lakatos_evidence::Assumption::of(
            subject.program(),
            property,
            task.signed_overflow,
        ));
        let proof = draft.finish().of_inductive(by);
        let mut smt = Smt::new(Limits::default());
        matches!(check(&subject, proof, task.signed_overflow, &mut smt), Outcome::Checked(_))
    };
    assert!(holds(100));
    assert!(holds(1000));
    assert!(!holds(99));
    assert!(!holds(0));
}

/// Whatever a proof says: of no turns, and of more than there are numbers, nothing follows.
#[test]
fn turns_are_checked() {
    let program = compile(&format!(
        "{HEAD} int main(void) {{ int i = 0; while (1) {{ if (i == 3) reach_error(); i++; }} }}"
    ));
    for turns in [0, 1 << 31, u32::MAX] {
        let by = By { turns, bounds: Vec::new() };
        assert!(Instrumented::inductive(&program, Property::UnreachCall, by).is_none(), "{turns}");
    }
}

/// Numbers for programs, the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

const VARS: [&str; 4] = ["a", "b", "c", "g"];

fn statements(rng: &mut Rng, depth: u32, inside: bool, out: &mut String) {
    for _ in 0..1 + rng.below(4) {
        let (x, y, n) = (rng.pick(&VARS), rng.pick(&VARS), rng.below(4));
        let choice = if depth == 0 { rng.below(7) } else { rng.below(10) };
        match choice {
            0 => write!(out, "{x} = {y}; "),
            1 => write!(out, "{x} = {n}; "),
            2 => write!(out, "{x} = ({y} + 1) % 4; "),
            3 => write!(out, "swap(); "),
            4 if inside => write!(out, "if ({x} == {n}) {} ", rng.pick(&["break;", "continue;"])),
            4 | 5 => write!(out, "if ({x} == {n} && {y} == {}) reach_error(); ", rng.below(4)),
            6 => write!(out, "if (__VERIFIER_nondet_int()) {x} = {y}; else {y} = {n}; "),
            7 => {
                let mut yes = String::new();
                statements(rng, depth - 1, inside, &mut yes);
                write!(out, "if ({x} != {n}) {{ {yes}}} ")
            }
            _ => {
                let mut body = String::new();
                statements(rng, depth - 1, true, &mut body);
                match rng.below(3) {
                    0 => write!(out, "do {{ {body}}} while (__VERIFIER_nondet_int() > 0); "),
                    1 => write!(out, "for ({x} = 0; {x} < {n}; {x}++) {{ {body}}} "),
                    _ => write!(out, "while (__VERIFIER_nondet_int() > 0) {{ {body}}} "),
                }
            }
        }
        .expect("a string takes everything");
    }
}

/// Programs with few states and loops inside each other: nothing is proved that a run contradicts.
#[test]
fn random_programs() {
    let mut rng = Rng(20);
    let (mut proofs, mut violations) = (0, 0);
    for _ in 0..60 {
        let mut body = String::new();
        statements(&mut rng, 2, false, &mut body);
        let (x, y) = (rng.pick(&VARS), rng.pick(&VARS));
        let (m, n) = (rng.below(4), rng.below(4));
        write!(body, "while (__VERIFIER_nondet_int() > 0) {{ {x} = ({y} + 1) % 4; {y} = {x}; ")
            .expect("a string");
        statements(&mut rng, 1, true, &mut body);
        write!(body, "if ({x} == {m} && {y} == {n}) reach_error(); }}").expect("a string");
        let text = format!(
            "{HEAD} int g; void swap(void) {{ g = g == 2 ? 1 : g + 1; }}
             int main(void) {{ int a = 0, b = 1, c = 2; {body} return 0; }}"
        );
        let program = compile(&text);
        let task = task(&program, Property::UnreachCall);
        let verdict = Induction.solve(&task, &mut Unwatched).verdict;
        let is_proved = matches!(verdict, Verdict::Proved(_));
        let is_violated = (0..60).any(|seed| {
            let options = Options { max_steps: 2_000, ..Options::default() };
            let run = Interpreter::new(&program).run(&options, &mut Random::new(seed));
            matches!(run.outcome, interpret::Outcome::ErrorReached { .. })
        });
        assert!(!(is_proved && is_violated), "{text}");
        proofs += usize::from(is_proved);
        violations += usize::from(is_violated);
    }
    assert!(proofs > 10 && violations > 10, "{proofs} proofs, {violations} violations");
}
