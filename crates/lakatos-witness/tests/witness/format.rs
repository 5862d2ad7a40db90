//! Files: what is read, what is written, what is refused.

use expect_test::{Expect, expect};
use lakatos_ir::Property;
use lakatos_witness::format::{
    Constraint, Content, Invariant, InvariantKind, Location, Metadata, Producer, Segment, Task,
    Waypoint, WaypointKind, Witness, property, read, specification, write,
};

fn location(line: u32, column: Option<u32>) -> Location {
    let function = Some("main".to_owned());
    Location { file_name: "t.c".to_owned(), line, column, function }
}

fn metadata(version: &str) -> Metadata {
    Metadata {
        format_version: version.to_owned(),
        uuid: String::new(),
        creation_time: "2026-01-02T03:04:05Z".to_owned(),
        producer: Producer { name: "Lakatos".to_owned(), version: "1".to_owned() },
        task: Task {
            files: vec![("t.c".to_owned(), Some("0f".to_owned()))],
            specification: specification(Property::UnreachCall),
            data_model: "LP64".to_owned(),
            language: "C".to_owned(),
        },
    }
}

/// Invariants with all that a YAML reader could stumble over.
fn correctness() -> Witness {
    let invariant = |kind, format: &str| Invariant {
        kind,
        location: location(3, Some(5)),
        format: format.to_owned(),
    };
    let texts = ["x == 1", "!x", "x # y", "x: y", "- 1", "yes", "0", "'a' == x", "x & y | \"", ""];
    let mut all: Vec<Invariant> = texts
        .iter()
        .map(|text| invariant(InvariantKind::Loop((*text).to_owned()), "c_expression"))
        .collect();
    let contract = InvariantKind::Contract {
        requires: Some("n >= 0".to_owned()),
        ensures: Some("\\result == \\at(n, Pre)".to_owned()),
    };
    all.push(invariant(contract, "ext_c_expression"));
    all.push(invariant(InvariantKind::Location("a &&\n b".to_owned()), "c_expression"));
    all.push(invariant(InvariantKind::Loop("x + 1 <= y && ".repeat(30)), "c_expression"));
    Witness { metadata: metadata("2.1"), content: Content::Correctness(all) }
}

fn violation() -> Witness {
    let waypoint = |kind, constraint: Option<(&str, Option<&str>)>| Waypoint {
        kind,
        location: location(7, None),
        constraint: constraint.map(|(value, format)| Constraint {
            value: value.to_owned(),
            format: format.map(str::to_owned),
        }),
    };
    let result = Some(("\\result == -3", Some("ext_c_expression")));
    let segments = vec![
        Segment {
            avoid: vec![waypoint(WaypointKind::Branching, Some(("true", None)))],
            follow: Some(waypoint(WaypointKind::FunctionReturn, result)),
        },
        Segment {
            avoid: Vec::new(),
            follow: Some(waypoint(
                WaypointKind::Assumption,
                Some(("x == 1", Some("c_expression"))),
            )),
        },
        Segment { avoid: Vec::new(), follow: Some(waypoint(WaypointKind::FunctionEnter, None)) },
        Segment { avoid: Vec::new(), follow: Some(waypoint(WaypointKind::Target, None)) },
    ];
    Witness { metadata: metadata("2.0"), content: Content::Violation(segments) }
}

#[test]
fn what_is_written_is_read() {
    for witness in [correctness(), violation()] {
        let text = write(&witness);
        let (found, notes) = read(&text).unwrap_or_else(|malformed| panic!("{malformed}\n{text}"));
        let [found] = &found[..] else { panic!("one entry") };
        assert_eq!(found.content, witness.content, "{text}");
        assert_eq!(found.metadata.task, witness.metadata.task);
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(found.metadata.uuid.len(), 36);
    }
}

/// The identifier is the content's; the time is not part of it.
#[test]
fn identifiers() {
    let uuid = |witness: &Witness| read(&write(witness)).unwrap().0[0].metadata.uuid.clone();
    let mut later = violation();
    later.metadata.creation_time = "2030-01-01T00:00:00Z".to_owned();
    assert_eq!(uuid(&violation()), uuid(&later));
    assert_ne!(uuid(&violation()), uuid(&correctness()));
}

#[test]
fn specifications() {
    for known in Property::ALL {
        assert_eq!(property(&specification(known)), Some(known));
    }
    let spaced = "CHECK(init(main()),LTL(G!call(__VERIFIER_error())))";
    assert_eq!(property(spaced), Some(Property::UnreachCall));
    assert_eq!(property("CHECK( init(main()), LTL(F end) )"), None);
}

/// In the style of other tools: other orders, more keys, no quotes, no columns.
#[test]
fn tolerant() {
    let text = r#"
- metadata:
    task: {language: C, data_model: ILP32, specification: "CHECK( init(main()), LTL(G ! overflow) )",
           input_files: dir/t.c, input_file_hashes: {dir/t.c: ABC}}
    producer: {name: other, version: 1, description: "a tool", command_line: "tool t.c"}
    format_version: 2.0
    creation_time: 2024-01-01T00:00:00+01:00
    uuid: 00000000-0000-0000-0000-000000000000
    sequence: 3
  content:
    - invariant: {format: c_expression, value: 1, location: {line: 3, file_name: t.c}, type: location_invariant}
  entry_type: invariant_set
- entry_type: ghost_instrumentation
  content: {}
"#;
    let (witnesses, notes) = read(text).unwrap();
    let [witness] = &witnesses[..] else { panic!("one entry") };
    assert_eq!(witness.metadata.task.files, [("dir/t.c".to_owned(), Some("ABC".to_owned()))]);
    let Content::Correctness(invariants) = &witness.content else { panic!("invariants") };
    assert_eq!(invariants[0].kind, InvariantKind::Location("1".to_owned()));
    assert_eq!((invariants[0].location.line, invariants[0].location.column), (3, None));
    let expected = [
        "line 9: the key `sequence` is ignored",
        "line 13: entries of type `ghost_instrumentation` are passed over",
    ];
    assert_eq!(notes, expected);
}

/// No text makes the reader fail otherwise than with a message.
#[test]
fn any_text_is_read_or_refused() {
    let mut rng = fastrand::Rng::with_seed(4);
    let texts = [write(&correctness()), write(&violation())];
    for _ in 0..400 {
        let mut lines: Vec<&str> = texts[rng.usize(..2)].lines().collect();
        for _ in 0..rng.usize(1..4) {
            let (at, other) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
            match rng.u8(..3) {
                0 => lines.swap(at, other),
                1 => lines[at] = ["", "- x", "  : ", "\t", "[", "  value: {", "é"][rng.usize(..7)],
                _ => drop(lines.remove(at)),
            }
        }
        if let Err(malformed) = read(&lines.join("\n")) {
            assert!(malformed.line >= 1 && !malformed.message.is_empty(), "{malformed}");
        }
    }
}

#[test]
fn malformed() {
    fn check(change: impl Fn(&str) -> String, expected: Expect) {
        let text = change(&write(&violation()));
        let message = match read(&text) {
            Ok(_) => "fine".to_owned(),
            Err(malformed) => malformed.to_string().lines().next().unwrap().to_owned(),
        };
        expected.assert_eq(&message);
    }
    fn replaced(from: &'static str, to: &'static str) -> impl Fn(&str) -> String {
        move |text: &str| {
            assert!(text.contains(from), "{from} is not in\n{text}");
            text.replacen(from, to, 1)
        }
    }
    check(|_| "{".to_owned(), expect!["1:1: this is no YAML: unclosed bracket '{'"]);
    check(|_| "just words".to_owned(), expect!["1:1: a witness is a list of entries"]);
    check(
        |_| "[]".to_owned(),
        expect!["1:1: there is no entry of type `invariant_set` or `violation_sequence`"],
    );
    check(
        replaced("entry_type: violation_sequence", "entry_type: other"),
        expect!["1:1: there is no entry of type `invariant_set` or `violation_sequence`"],
    );
    check(replaced("  content:", "  contents:"), expect!["1:3: `content` is missing here"]);
    check(
        replaced("format_version: \"2.0\"", "format_version: 0.1"),
        expect!["3:21: the format version is 0.1; 2.0 and 2.1 are supported"],
    );
    check(replaced("line: 7", "line: seven"), expect!["24:17: a number is expected here"]);
    check(replaced("line: 7", "line: -7"), expect!["24:17: a number is expected here"]);
    check(
        replaced("type: function_return", "type: function_call"),
        expect!["29:15: `function_call` is no type of waypoint"],
    );
    check(
        replaced("action: follow", "action: go"),
        expect!["30:17: `go` is no action; `follow` and `avoid` are"],
    );
    check(
        replaced("action: follow", "action: avoid"),
        expect!["19:7: a segment has a waypoint to follow"],
    );
    check(
        replaced("file_name: t.c", "file_name: [t.c]"),
        expect!["23:22: a single value is expected here"],
    );
    check(
        replaced("specification:", "specifications:"),
        expect!["10:7: `specification` is missing here"],
    );
    check(replaced("value: x == 1", "valu: x == 1"), expect!["47:11: `value` is missing here"]);
}
