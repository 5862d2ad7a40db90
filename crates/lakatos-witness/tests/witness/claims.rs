//! What correctness witnesses claim: as a proof for the checker, and as assertions for a run.

use lakatos_check::{Instrumented, Outcome, check};
use lakatos_ir::interpret::{self, InOrder, Interpreter};
use lakatos_ir::validate::validate;
use lakatos_ir::{DataModel, Property, SignedOverflow};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_witness::expression::Reader;
use lakatos_witness::format::{Invariant, InvariantKind, Location};
use lakatos_witness::invariants::{Claim, Problem, asserted, claims, proof};
use lakatos_witness::outline::Outline;

use crate::{HEAD, compile};

/// Line 1 is the head of declarations.
const PROGRAM: &str = "int g;
int twice(int n) { g = g + 1; n = n + n; return n; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    int s = 0, t = 0;
    for (int i = 0; i < n; i++) {
        s = s + 2;
    }
    do t = t + 1; while (t < 5);
    { again: if (t < 9) { t++; goto again; } }
    if (s != twice(n)) reach_error();
    return 0;
}
";

type Said<'a> = (&'a str, u32, &'a str);

fn invariants(said: &[Said<'_>]) -> Vec<Invariant> {
    let one = |(kind, line, text): &Said<'_>| {
        let text = (*text).to_owned();
        let kind = match *kind {
            "loop" => InvariantKind::Loop(text),
            "location" => InvariantKind::Location(text),
            "requires" => InvariantKind::Contract { requires: Some(text), ensures: None },
            _ => InvariantKind::Contract { requires: None, ensures: Some(text) },
        };
        let location =
            Location { file_name: "t.c".to_owned(), line: *line, column: None, function: None };
        Invariant { kind, location, format: "ext_c_expression".to_owned() }
    };
    said.iter().map(one).collect()
}

fn with_claims<R>(said: &[Said<'_>], judge: impl FnOnce(&Reader<'_>, &[Claim]) -> R) -> R {
    let program = compile(&format!("{HEAD}{PROGRAM}"), DataModel::Lp64);
    let outline = Outline::new(&program);
    let mut reader = Reader::new(program, &outline);
    let claims = claims(&mut reader, &outline, &invariants(said));
    let claims: Result<Vec<Claim>, Problem> = claims.into_iter().collect();
    judge(&reader, &claims.unwrap_or_else(|problem| panic!("{problem:?}")))
}

/// What the checker says of the claims alone.
fn checked(said: &[Said<'_>]) -> String {
    with_claims(said, |reader, claims| {
        let property = Property::UnreachCall;
        let subject = Instrumented::new(&reader.program, property);
        let overflow = SignedOverflow::Undefined;
        let (proof, left_out) = proof(reader, subject.program(), property, overflow, claims);
        assert_eq!(left_out, Vec::<&Claim>::new());
        let limits = Limits { resources: Some(20_000_000), time: None };
        match check(&subject, proof, overflow, &mut Smt::new(limits)) {
            Outcome::Checked(_) => "checked".to_owned(),
            Outcome::Rejected(rejected) => rejected.condition.describe(subject.program()),
            Outcome::Undecided(_) => "undecided".to_owned(),
        }
    })
}

const AFTER: &str = "s == 2 * n && 0 <= n && n <= 100";

/// Enough for a proof: every loop, that of the `goto` among them, and the function.
const GOOD: [Said<'_>; 4] = [
    ("loop", 8, "s == 2 * i && 0 <= i && i <= n && n <= 100"),
    ("ensures", 3, "\\result == 2 * n"),
    ("loop", 11, AFTER),
    ("location", 12, AFTER),
];

#[test]
fn claims_are_a_proof() {
    assert_eq!(checked(&GOOD), "checked");
    let with_more = [&GOOD[..], &[("ensures", 3, "g == \\at(g, Pre) + 1")]].concat();
    assert_eq!(checked(&with_more), "checked");
    // A parameter in a postcondition is the argument, not what the function makes of it.
    let instead = |index: usize, said: Said<'static>| {
        let mut claims = GOOD;
        claims[index] = said;
        checked(&claims)
    };
    let wrong = instead(1, ("ensures", 3, "\\result == n"));
    assert!(wrong.contains("`ensures` holds"), "{wrong}");
    let nothing = instead(1, ("ensures", 3, "1"));
    assert!(nothing.contains("it never happens that `reach_error` is called"), "{nothing}");
    let weak = instead(0, ("loop", 8, "s == 2 * i"));
    assert!(weak.contains("the invariant at t.c:11:5 holds"), "{weak}");
}

/// Runs the program with its claims as assertions: which of them fails first, if one does.
fn executed(said: &[Said<'_>], inputs: &[i128]) -> Option<usize> {
    with_claims(said, |reader, claims| {
        let program = asserted(reader, claims);
        assert_eq!(validate(&program), []);
        let mut oracle = InOrder::new(inputs.to_vec());
        let run = Interpreter::new(&program).run(&interpret::Options::default(), &mut oracle);
        match run.outcome {
            interpret::Outcome::ErrorReached { function, .. } => {
                Some(function.strip_prefix("claim ").unwrap().parse().unwrap())
            }
            interpret::Outcome::Exited(0) => None,
            other => panic!("{other:?}"),
        }
    })
}

#[test]
fn claims_are_assertions() {
    assert_eq!(executed(&GOOD, &[7]), None);
    assert_eq!(executed(&[("loop", 8, "i <= 5")], &[5]), None);
    assert_eq!(executed(&[("loop", 8, "i <= 5")], &[6]), Some(0));
    assert_eq!(executed(&[("loop", 8, "s < 3"), ("loop", 8, "i <= 5")], &[6]), Some(0));
    assert_eq!(executed(&[("location", 9, "i < 6")], &[6]), None);
    assert_eq!(executed(&[("location", 9, "i < 5")], &[6]), Some(0));
    assert_eq!(executed(&[("location", 7, "n == 6")], &[6]), None);
    assert_eq!(executed(&[("location", 13, "t == 9 && s == 2 * n")], &[6]), None);
    // Before a loop is not at its head.
    assert_eq!(executed(&[("location", 8, "s == 0 && n == 6")], &[6]), None);
    assert_eq!(executed(&[("location", 11, "t == 0")], &[6]), None);
    assert_eq!(executed(&[("location", 11, "t == 1")], &[6]), Some(0));
    // A `do` loop begins with its body.
    assert_eq!(executed(&[("loop", 11, "t < 5")], &[6]), None);
    assert_eq!(executed(&[("loop", 11, "t < 4")], &[6]), Some(0));
    assert_eq!(
        executed(&[("ensures", 3, "\\result == 2 * n && g == \\at(g, Pre) + 1")], &[6]),
        None
    );
    assert_eq!(executed(&[("ensures", 3, "\\result == n")], &[6]), Some(0));
    assert_eq!(executed(&[("ensures", 3, "\\result == n")], &[0]), None);
    assert_eq!(executed(&[("requires", 3, "n > 0"), ("ensures", 3, "g == 1")], &[6]), None);
    assert_eq!(executed(&[("requires", 3, "n > 0")], &[0]), Some(0));
    // Undefined is not true.
    assert_eq!(executed(&[("loop", 8, "100 / i >= 0 || 1")], &[6]), Some(0));
}

/// Whatever is claimed: what the checker accepts holds in every run.
#[test]
fn no_false_claim_is_a_proof() {
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut accepted, mut refuted) = (0, 0);
    for _ in 0..60 {
        let mut side = || {
            let name = ["s", "i", "n", "2 * i", "n - i", "s - i"][rng.usize(..6)];
            format!("{name} + {}", rng.u8(..3))
        };
        let (left, right) = (side(), side());
        let op = ["<", "<=", "==", "!=", ">="][rng.usize(..5)];
        let text = format!("{left} {op} {right}");
        let said = [&GOOD[..], &[("loop", 8, text.as_str())]].concat();
        let false_in_a_run = (0..=20).any(|n| executed(&said, &[n]).is_some());
        let checked = checked(&said) == "checked";
        assert!(!(checked && false_in_a_run), "{text}");
        accepted += u32::from(checked);
        refuted += u32::from(false_in_a_run);
    }
    assert!(accepted >= 5 && refuted >= 20, "{accepted} accepted, {refuted} refuted");
}

#[test]
fn misplaced_claims() {
    let program = compile(&format!("{HEAD}{PROGRAM}"), DataModel::Lp64);
    let outline = Outline::new(&program);
    let check = |kind: &str, line: u32, column: Option<u32>, function: &str, expected: &str| {
        let mut said = invariants(&[(kind, line, "1")]);
        said[0].location.column = column;
        said[0].location.function = (!function.is_empty()).then(|| function.to_owned());
        let mut reader = Reader::new(program.clone(), &outline);
        let problem = match claims(&mut reader, &outline, &said).remove(0) {
            Ok(claim) => claim.what,
            Err(Problem::Misplaced(reason)) => reason,
            Err(Problem::Unreadable(reason)) => format!("unreadable: {reason}"),
        };
        assert_eq!(problem, expected);
    };
    check("loop", 8, Some(5), "main", "the loop invariant of line 8");
    // Columns from 0, and columns that do not matter.
    check("loop", 8, Some(4), "main", "the loop invariant of line 8");
    check("loop", 8, Some(1), "main", "the loop invariant of line 8");
    check("loop", 9, None, "main", "no loop begins on line 9 of t.c");
    check("loop", 8, None, "twice", "line 8 is in `main`, not in `twice`");
    check("loop", 800, None, "", "no loop begins on line 800 of t.c");
    check("location", 3, Some(20), "twice", "the location invariant of line 3");
    check("location", 3, Some(3), "twice", "no statement begins at column 3 of line 3");
    check("requires", 3, None, "", "`requires` of `twice` on line 3");
    check("requires", 9, None, "", "no function begins on line 9 of t.c");
}

/// Files are compared by name.
#[test]
fn another_file() {
    let program = compile(&format!("{HEAD}{PROGRAM}"), DataModel::Lp64);
    let outline = Outline::new(&program);
    let mut said = invariants(&[("loop", 8, "1"), ("loop", 8, "1")]);
    said[0].location.file_name = "some/folder/t.c".to_owned();
    said[1].location.file_name = "other.c".to_owned();
    let mut reader = Reader::new(program.clone(), &outline);
    let found = claims(&mut reader, &outline, &said);
    assert!(found[0].is_ok());
    let reason = "no loop begins on line 8 of other.c".to_owned();
    assert_eq!(found[1], Err(Problem::Misplaced(reason)));
}
