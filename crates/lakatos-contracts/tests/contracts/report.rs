//! Reports of Frama-C: only one that says everything is believed.

use lakatos_contracts::frama_c::{Output, Unreadable, Validation, judge};
use lakatos_contracts::goals::{Goals, goals};
use lakatos_ir::Property;

use super::{annotated, compile, contracts};

const PROGRAM: &str = "\
extern void reach_error(void);
int f(int x) { return x; }
int main(void) {
    int i = f(0);
    while (i < 9) i++;
    if (i < 9) reach_error();
    return 0;
}
";

const NUMBERS: &str = r#"{ "wp:global": { "wp:main": { "total": 9, "valid": 9 } } }"#;
const HEADER: &str = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty\n";

/// What has to be there for the program.
fn expected() -> Goals {
    let program = compile(PROGRAM);
    goals(&program, &annotated(PROGRAM).1)
}

/// A report that has all of it.
fn complete(goals: &Goals) -> Vec<String> {
    let mut rows = Vec::new();
    for (clause, count) in &goals.clauses {
        let kind = match clause.kind {
            lakatos_contracts::annotate::Kind::Assigns => "assigns clause",
            lakatos_contracts::annotate::Kind::LoopInvariant => "loop invariant",
            lakatos_contracts::annotate::Kind::Ensures => "postcondition",
            other => panic!("{other:?}"),
        };
        let row =
            format!(".\ta.i\t{}\t{}\t{kind}\tValid\tx", clause.line.unwrap_or(1), clause.function);
        rows.extend(std::iter::repeat_n(row, *count));
    }
    for ((caller, callee), count) in &goals.calls {
        let row = format!(".\ta.i\t9\t{caller}\tprecondition of {callee}\tValid\t\\false");
        rows.extend(std::iter::repeat_n(row, *count));
    }
    rows
}

fn run(rows: &[String], numbers: &str, messages: &str) -> Result<Validation, Unreadable> {
    let properties = format!("{HEADER}{}\n", rows.join("\n"));
    let output = Output { messages, numbers, properties: &properties, with_rte: false };
    judge(output, &expected())
}

#[test]
fn a_complete_report_is_believed() {
    let rows = complete(&expected());
    let validation = run(&rows, NUMBERS, "[wp] Warning: Missing RTE guards\n").unwrap();
    assert!(validation.is_valid(), "{validation:?}");
    assert_eq!((validation.total, validation.valid), (9, 9));
    assert!(rows.len() >= 4, "{rows:?}");
}

#[test]
fn a_report_that_lacks_a_goal_is_not() {
    let rows = complete(&expected());
    for left_out in 0..rows.len() {
        let mut rows = rows.clone();
        let row = rows.remove(left_out);
        let validation = run(&rows, NUMBERS, "").unwrap();
        assert!(!validation.is_valid(), "without {row}");
        assert_eq!(validation.missing.len(), 1, "without {row}");
    }
    assert!(!run(&[], NUMBERS, "").unwrap().is_valid(), "nothing at all");
}

#[test]
fn nor_is_one_with_something_else_than_valid() {
    let rows = complete(&expected());
    for status in
        ["Unknown", "Partially proven", "Considered valid", "Invalid", "", "valid", "Dead"]
    {
        for changed in 0..rows.len() {
            let mut rows = rows.clone();
            rows[changed] = rows[changed].replace("\tValid\t", &format!("\t{status}\t"));
            assert!(!run(&rows, NUMBERS, "").unwrap().is_valid(), "{}", rows[changed]);
        }
    }
}

#[test]
fn nor_is_one_whose_numbers_do_not_fit() {
    let rows = complete(&expected());
    for numbers in [
        r#"{ "wp:global": { "wp:main": { "total": 9, "valid": 8 } } }"#,
        r#"{ "wp:global": { "wp:main": { "total": 9 } } }"#,
        r#"{ "wp:global": { "wp:main": { "total": 0, "valid": 0 } } }"#,
        r#"{ "wp:global": {} }"#,
    ] {
        assert!(!run(&rows, numbers, "").unwrap().is_valid(), "{numbers}");
    }
}

#[test]
fn nor_is_one_beside_which_something_was_said() {
    let rows = complete(&expected());
    for messages in [
        "[wp] a.i:24: User Error: \n  Non natural loop detected.\n  WP for function 'f' aborted.\n",
        "[wp] a.i:3: Warning: Missing assigns clause (assigns 'everything' instead)\n",
        "[kernel] a.i:8: Warning: \n  unbound variable. Ignoring specification of function f\n",
    ] {
        let validation = run(&rows, NUMBERS, messages).unwrap();
        assert!(!validation.is_valid(), "{messages}");
        assert_eq!(validation.complaints.len(), 1, "{:?}", validation.complaints);
    }
}

#[test]
fn a_report_that_is_none_is_an_error() {
    let goals = expected();
    let rows = complete(&goals).join("\n");
    let good = format!("{HEADER}{rows}\n");
    let numbers = |numbers| {
        let output = Output { numbers, properties: &good, ..Output::default() };
        assert!(matches!(judge(output, &goals), Err(Unreadable::Numbers(_))), "{numbers}");
    };
    for text in ["", "{", "[]", "{}", &NUMBERS[..NUMBERS.len() - 9], "true"] {
        numbers(text);
    }
    numbers(r#"{ "wp:global": { "wp:main": { "total": "nine" } } }"#);
    let properties = |properties: &str| {
        judge(Output { numbers: NUMBERS, properties, ..Output::default() }, &goals).unwrap_err()
    };
    assert_eq!(properties(""), Unreadable::NoHeader);
    assert_eq!(properties(&rows), Unreadable::NoHeader);
    for cut in [good.len() - 12, good.len() / 2] {
        let text = &good[..cut];
        let last = text.lines().last().unwrap();
        // A line that is cut within its last field still says what it is about.
        if last.split('\t').count() != 7 {
            assert!(matches!(properties(text), Unreadable::Properties { .. }), "{text}");
        }
    }
    let line = good.lines().count() + 1;
    let text = format!("{good}.\ta.i\tnowhere\tf\tpostcondition\tValid\tx\n");
    let wrong = ".\ta.i\tnowhere\tf\tpostcondition\tValid\tx".to_owned();
    assert_eq!(properties(&text), Unreadable::Properties { line, text: wrong });
}

/// What `main` demands is owed by nobody but the beginning.
#[test]
fn what_main_requires_has_to_be_shown() {
    let text = "extern void reach_error(void);\nint g = 3;\n\
                int main(void) { if (g != 3) reach_error(); return 0; }\n";
    let (contracts, annotated) = annotated(text);
    assert_eq!(contracts.functions[1].requires, ["g == 3"]);
    let goals = goals(&compile(text), &annotated);
    let kinds: Vec<_> = goals.clauses.keys().map(|clause| (clause.kind, clause.line)).collect();
    let requires = lakatos_contracts::annotate::Kind::Requires;
    assert!(kinds.contains(&(requires, Some(6))), "{kinds:?}\n{}", annotated.text);
}

/// Whoever calls owes the precondition, as often as they call.
#[test]
fn calls_are_counted() {
    let text = "\
extern void reach_error(void);
void check(int c) { if (!c) reach_error(); }
int main(void) { int x = 1; check(x); check(x > 0); return 0; }
";
    let program = compile(text);
    let contracts = contracts(&program, &[Property::UnreachCall]);
    let annotated = lakatos_contracts::annotate(&program, text, &contracts);
    let goals = goals(&program, &annotated);
    let owed: Vec<_> = goals.calls.iter().map(|((a, b), n)| (a.as_str(), b.as_str(), *n)).collect();
    assert_eq!(owed, [("check", "reach_error", 1), ("main", "check", 2)]);
}

/// A list of behaviours is on a line of its own in the report.
#[test]
fn lists_of_behaviours() {
    let mut rows = complete(&expected());
    rows.push(
        ".\ta.i\t3\tf\tcomplete behaviors\tUnknown\tcomplete\n context_1, context_2".to_owned(),
    );
    let validation = run(&rows, NUMBERS, "").unwrap();
    assert!(!validation.is_valid());
    assert_eq!(validation.rows.last().unwrap().text, "complete context_1, context_2");
}
