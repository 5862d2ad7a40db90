//! Positions and lines of traces.

use lakatos_ir::{Source, Span};

use super::{Event, Position, Scope, Step, Trace, Value};

#[test]
fn positions_end_where_they_begin_at_least() {
    let mut source = Source::new("a.c", "int é = 1;\n# 7 \"b.h\"\nx;\n");
    source.add_line_marker(12, 7, Some("b.h".to_owned()));
    let check = |start, end, expected: (&str, u32, u32, u32, u32)| {
        let at = Position::new(&source, Span::new(start, end));
        let got = (at.file.as_str(), at.line, at.column, at.end_line, at.end_column);
        assert_eq!(got, expected, "{start}..{end}");
    };
    check(0, 3, ("a.c", 1, 1, 1, 4));
    // Columns are characters.
    check(4, 6, ("a.c", 1, 5, 1, 6));
    check(22, 24, ("b.h", 7, 1, 7, 3));
    // From one file to another one, and beyond the end.
    check(4, 23, ("a.c", 1, 5, 1, 5));
    check(22, 999, ("b.h", 7, 1, 8, 1));
    check(999, 999, ("b.h", 8, 1, 8, 1));
}

/// Function, depth, line, columns, event, names that are assigned.
type Told = (&'static str, usize, u32, (u32, u32), Event, &'static [&'static str]);

fn trace(steps: &[Told], cut: Option<usize>) -> Trace {
    let step = |(number, told): (usize, &Told)| {
        let &(function, depth, line, (column, end_column), event, names) = told;
        let position =
            Position { file: "a.c".to_owned(), line, column, end_line: line, end_column };
        let value = |name: &&str| Value {
            name: (*name).to_owned(),
            value: number.to_string(),
            scope: Scope::Local,
        };
        let assigned = names.iter().map(value).collect();
        Step {
            number: number as u64,
            function: function.to_owned(),
            depth,
            event,
            position,
            assigned,
        }
    };
    Trace {
        omitted: cut.map_or(0, |_| 7),
        omitted_after: cut,
        stack_after_omitted: Vec::new(),
        steps: steps.iter().enumerate().map(step).collect(),
    }
}

#[track_caller]
fn check(steps: &[Told], cut: Option<usize>, expected: &[(u32, &str, u64)]) {
    let trace = trace(steps, cut);
    let lines = trace.lines();
    let told: Vec<(u32, String, u64)> = lines
        .iter()
        .map(|line| {
            let values: Vec<String> =
                line.values().iter().map(|v| format!("{}={}", v.name, v.value)).collect();
            (line.first().position.line, values.join(" "), line.omitted)
        })
        .collect();
    let expected: Vec<_> = expected.iter().map(|(l, v, o)| (*l, (*v).to_owned(), *o)).collect();
    assert_eq!(told, expected);
}

#[test]
fn steps_on_one_line_are_one_line() {
    use Event::{Call, Result, Return, Step};
    check(&[], None, &[]);
    check(
        &[("f", 0, 3, (1, 4), Step, &["x"]), ("f", 0, 3, (6, 9), Step, &["y", "x"])],
        None,
        &[(3, "y=1 x=1", 0)],
    );
    // A call ends a line, and so does its end.
    check(
        &[
            ("f", 0, 3, (5, 9), Call, &["n"]),
            ("f", 1, 3, (5, 9), Call, &["n"]),
            ("f", 2, 2, (1, 9), Return, &[]),
            ("f", 1, 2, (1, 9), Return, &[]),
            ("f", 0, 3, (1, 9), Result, &["x"]),
            ("f", 0, 3, (1, 9), Step, &["y"]),
        ],
        None,
        &[(3, "n=0", 0), (3, "n=1", 0), (2, "", 0), (2, "", 0), (3, "x=4 y=5", 0)],
    );
    // A loop on one line goes back, and every turn is one.
    check(
        &[
            ("f", 0, 3, (5, 9), Step, &["i"]),
            ("f", 0, 3, (12, 15), Step, &["s"]),
            ("f", 0, 3, (5, 9), Step, &["i"]),
            ("f", 0, 3, (12, 15), Step, &["s"]),
        ],
        None,
        &[(3, "i=0 s=1", 0), (3, "i=2 s=3", 0)],
    );
    // What is left out is nobody's line.
    let same = ("f", 0, 3, (1, 4), Step, &["x"][..]);
    check(&[same, same], Some(1), &[(3, "x=0", 0), (3, "x=1", 7)]);
}
