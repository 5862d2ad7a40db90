//! Escaping: whatever the program and its names are, every form stays what it is.

use expect_test::expect;

use super::{github, json, junit, sarif, svcomp};
use crate::outcome::{
    Answer, Event, Evidence, Frame, Level, Message, Outcome, Position, Proof, Run, SCHEMA, Scope,
    Statistics, Step, Tool, Trace, Value, Verdict, Violation,
};

const NASTY: &str = "<a href=\"x\">&amp; ]]> % %0A\r\n::error::, \u{1b}[31m 'é' \u{0}";

fn position(file: &str) -> Position {
    Position { file: file.to_owned(), line: 2, column: 3, end_line: 2, end_column: 9 }
}

fn outcome(file: &str, answers: Vec<Answer>) -> Outcome {
    Outcome {
        schema: SCHEMA,
        tool: Tool { name: "lakatos", version: "1.0".to_owned(), solver: "Z3 1".to_owned() },
        file: file.to_owned(),
        data_model: "lp64".to_owned(),
        signed_overflow: "undefined".to_owned(),
        engine: "cegar".to_owned(),
        verdict: Outcome::overall(&answers),
        results: answers,
        diagnostics: Vec::new(),
    }
}

fn refuted(text: &str) -> Answer {
    let value = Value { name: text.to_owned(), value: text.to_owned(), scope: Scope::Memory };
    let step = Step {
        number: 0,
        function: text.to_owned(),
        depth: 0,
        event: Event::Step,
        position: position(text),
        assigned: vec![value],
    };
    let run = Run {
        violation: Violation { message: text.to_owned(), position: position(text) },
        execution: Some(text.to_owned()),
        inputs: Vec::new(),
        trace: Trace {
            omitted: 0,
            omitted_after: None,
            stack_after_omitted: Vec::new(),
            steps: vec![step],
        },
        stack: vec![Frame { function: text.to_owned(), called_at: None }],
    };
    let statistics = Statistics { seconds: 0.25, ..Statistics::default() };
    Answer::new("unreach-call", Evidence::Run(Box::new(run)), Some(statistics))
}

fn nasty() -> Outcome {
    let mut outcome = outcome(
        NASTY,
        vec![
            refuted(NASTY),
            Answer::new("no-overflow", Evidence::Reason(NASTY.to_owned()), None),
            Answer::new(
                "div-by-zero",
                Evidence::Proof(Proof {
                    conditions: 1,
                    solvers: vec!["Z3".to_owned()],
                    unrolled: None,
                    inductive: None,
                    execution: None,
                    assumptions: vec![NASTY.to_owned()],
                    functions: Vec::new(),
                }),
                None,
            ),
        ],
    );
    outcome.diagnostics.push(Message {
        severity: Level::Warning,
        message: NASTY.to_owned(),
        position: position(NASTY),
        help: Some(NASTY.to_owned()),
    });
    outcome
}

/// The runner takes a line for a command if it begins with `::`, spaces aside; properties end at a
/// comma, and the message begins behind the next `::`.
#[test]
fn commands_stay_commands() {
    let text = github(&nasty());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let rest = line.strip_prefix("::").unwrap();
        let (head, message) = rest.split_once("::").unwrap();
        let (level, properties) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&level));
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&name));
            assert!(!value.contains([':', '\n', '\r']), "{property}");
        }
        let unescaped = message.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%");
        assert!(unescaped.contains("%0A"), "the program's own text is not a line break: {message}");
    }
}

#[test]
fn xml_stays_xml() {
    let text = junit(&nasty());
    let xml = roxmltree::Document::parse(&text).unwrap();
    let failure = xml.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    let message = failure.attribute("message").unwrap();
    assert!(message.starts_with("<a href=\"x\">&amp; ]]> % %0A"), "{message}");
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="lakatos" tests="1" failures="1" errors="0" skipped="0" time="0.250">
        <testsuite name="a.c" tests="1" failures="1" errors="0" skipped="0" time="0.250">
        <testcase classname="a.c" name="unreach-call" time="0.250">
        <failure type="refuted" message="bad (unreach-call is refuted)">execution: bad
        bad at bad:2: bad = bad
        violation: bad at bad:2:3</failure>
        </testcase>
        </testsuite>
        </testsuites>
    "#]]
    .assert_eq(&junit(&outcome("a.c", vec![refuted("bad")])));
}

#[test]
fn json_stays_json() {
    let parsed: serde_json::Value = serde_json::from_str(&json(&nasty())).unwrap();
    assert_eq!(parsed["results"][0]["run"]["violation"]["message"], NASTY);
    let parsed: serde_json::Value = serde_json::from_str(&sarif(&nasty())).unwrap();
    let uri = &parsed["runs"][0]["artifacts"][0]["location"]["uri"];
    // RFC 3986: nothing but these, and a percent sign only before two digits.
    let uri = uri.as_str().unwrap();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/+,=@:%".contains(c);
    assert!(uri.chars().all(plain), "{uri}");
}

#[test]
fn references_to_files() {
    let check = |file: &str, expected: &str| {
        let log: serde_json::Value =
            serde_json::from_str(&sarif(&outcome(file, vec![refuted(file)]))).unwrap();
        assert_eq!(log["runs"][0]["artifacts"][0]["location"]["uri"], expected);
    };
    check("a.c", "a.c");
    check("../a b/é.c", "../a%20b/%C3%A9.c");
    check("/src/a.c", "file:///src/a.c");
    check("c:a.c", "./c:a.c");
    check("a/c:a.c", "a/c:a.c");
    check("100%.c", "100%25.c");
    check("<stdin>", "%3Cstdin%3E");
}

#[test]
fn the_line_of_a_competition() {
    let answer = |name: &str, evidence: Evidence| Answer::new(name, evidence, None);
    let proof = || {
        Evidence::Proof(Proof {
            conditions: 0,
            solvers: Vec::new(),
            unrolled: None,
            inductive: None,
            execution: None,
            assumptions: Vec::new(),
            functions: Vec::new(),
        })
    };
    let reason = || Evidence::Reason("time".to_owned());
    let run = || refuted("x").evidence;
    let check = |answers: Vec<Answer>, expected: &str| {
        assert_eq!(svcomp(&outcome("a.c", answers)), format!("{expected}\n"));
    };
    check(vec![answer("unreach-call", proof())], "true");
    check(vec![answer("unreach-call", proof()), answer("no-overflow", reason())], "unknown");
    check(
        vec![answer("unreach-call", reason()), answer("no-overflow", run())],
        "false(no-overflow)",
    );
    check(Vec::new(), "unknown");
    assert_eq!(outcome("a.c", Vec::new()).verdict, Verdict::Invalid);
}
