//! The structure of pages, and that no text of a program is anything but text.

use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{Keyed, Options};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{Program, Property, Source};
use proptest::prelude::*;

use super::{Report, code, escaped, html};
use crate::draw::reach;
use crate::outcome::{
    Answer, Evidence, Function, Invariant, Outcome, Position, Proof, Run, SCHEMA, Statistics, Tool,
    Verdict,
};
use crate::timeline::{Asked, Event, Kind, Learned, Refined, Timeline, What};

const PROGRAM: &str = "\
extern void reach_error(void);
char *text = \"</script><script>alert(1)</script>\"; /* <!-- <img src=x onerror=alert(2)> */
int down(int n) {
    if (n > 0)
        return down(n - 1);
    reach_error();
    return 0;
}
int main(void) { return down(2); }
";

fn program(text: &str) -> Program {
    let program = match lakatos_c::compile(Source::new("t.c", text), &Default::default()) {
        Ok(program) => program,
        Err(failure) => panic!("{:?}", failure.diagnostics),
    };
    let request = Request { properties: &[Property::UnreachCall], error_label: None, is_run: true };
    pass::instrument(program, &request).0
}

fn outcome(file: &str, results: Vec<Answer>) -> Outcome {
    Outcome {
        schema: SCHEMA,
        tool: Tool { name: "lakatos", version: "1.0".to_owned(), solver: "Z3 1".to_owned() },
        file: file.to_owned(),
        data_model: "lp64".to_owned(),
        signed_overflow: "undefined".to_owned(),
        engine: "cegar".to_owned(),
        verdict: Outcome::overall(&results),
        results,
        diagnostics: Vec::new(),
    }
}

fn refuted(program: &Program) -> Answer {
    let found =
        Refutation::replay(program, Property::UnreachCall, &Options::default(), &Keyed::default());
    let run = Run::new(program, &found.unwrap(), None);
    Answer::new("unreach-call", Evidence::Run(Box::new(run)), Some(Statistics::default()))
}

fn proved(text: &str, line: u32) -> Answer {
    let position =
        || Position { file: "t.c".to_owned(), line, column: 1, end_line: line, end_column: 2 };
    let function = Function {
        name: text.to_owned(),
        position: position(),
        requires: vec![text.to_owned()],
        ensures: Vec::new(),
        assigns: vec![text.to_owned()],
        invariants: vec![Invariant { position: position(), holds: vec![text.to_owned()] }],
    };
    let proof = Proof {
        conditions: 2,
        solvers: vec![text.to_owned()],
        unrolled: None,
        inductive: None,
        execution: None,
        assumptions: vec![text.to_owned()],
        functions: vec![function],
    };
    Answer::new(text, Evidence::Proof(proof), None)
}

/// Tags that a text opens and closes, in order; what stands in `script` and `style` is skipped as a
/// browser does it.
fn tags(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = rest[..end].split([' ', '\n']).next().unwrap().to_ascii_lowercase();
        rest = &rest[end + 1..];
        if tag == "script" || tag == "style" {
            let close = format!("</{tag}");
            rest = &rest[rest.to_ascii_lowercase().find(&close).expect("it is closed")..];
        }
        found.push(tag);
    }
    found
}

/// Every element is closed, in order. Gives how many of each there are.
fn count(page: &str, name: &str) -> usize {
    let empty = ["!doctype", "meta", "input", "br"];
    let mut open: Vec<String> = Vec::new();
    let mut number = 0;
    for tag in tags(page) {
        number += usize::from(tag == name);
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "<{tag}> closes something else");
        } else if !empty.contains(&tag.as_str()) && !["rect", "path"].contains(&tag.as_str()) {
            open.push(tag);
        }
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    number
}

#[test]
fn a_refutation() {
    let program = program(PROGRAM);
    let outcome = outcome("t.c", vec![refuted(&program), proved("no-overflow", 3)]);
    let report = Report {
        outcome: &outcome,
        text: PROGRAM,
        program: Some(&program),
        graphs: &[],
        timelines: &[],
    };
    let page = html(&report);
    // The data and the script; none of the program's own.
    assert_eq!(count(&page, "script"), 2);
    assert_eq!(count(&page, "img"), 0);
    assert_eq!(count(&page, "svg"), 2);
    assert_eq!(page.matches("class=\"row\"").count(), 9);
    assert!(page.contains("<div class=\"note fails\" data-of=\"0\">`reach_error` is called</div>"));
    assert!(page.contains("id=\"tab-0\" aria-controls=\"answer-0\" aria-selected=\"true\""));
    // Nothing is loaded.
    for word in ["src=", "http:", "https:", "@import", "url("] {
        let there = page.matches(word).count() - PROGRAM.matches(word).count();
        assert_eq!(there, 0, "{word}");
    }
    assert_eq!(html(&report), page, "the same bytes");
    // The automaton of a function leads to its lines.
    let automaton = &page[page.find("data-function=\"down\"").unwrap()..];
    let automaton = &automaton[..automaton.find("</details>").unwrap()];
    for line in [4, 5, 6] {
        assert!(automaton.contains(&format!("data-line=\"{line}\"")), "{line}");
    }
}

#[test]
fn the_data_is_json_and_ends_nothing() {
    let program = program(PROGRAM);
    let outcome = outcome("t.c", vec![refuted(&program)]);
    let text = super::data::data(&outcome);
    assert!(!text.contains(['<', '>', '&']));
    let data: serde_json::Value = serde_json::from_str(&text).unwrap();
    let steps = data["runs"][0]["steps"].as_array().unwrap();
    let told: Vec<(u64, u64, &str)> = steps
        .iter()
        .map(|step| {
            let number = |name: &str| step[name].as_u64().unwrap();
            (number("line"), number("depth"), step["event"].as_str().unwrap())
        })
        .collect();
    let expected = [
        (9, 0, "call"),
        (4, 1, "step"),
        (5, 1, "call"),
        (4, 2, "step"),
        (5, 2, "call"),
        (4, 3, "step"),
        (6, 3, "step"),
    ];
    assert_eq!(told, expected);
    assert_eq!(data["runs"][0]["violation"]["line"], 6);
}

#[test]
fn what_is_unknown_or_no_program() {
    let reason = "<b>the time & memory limit</b>";
    let answers = vec![Answer::new("unreach-call", Evidence::Reason(reason.to_owned()), None)];
    let unknown = outcome("t.c", answers);
    let report = Report {
        outcome: &unknown,
        text: "int x;",
        program: None,
        graphs: &[None],
        timelines: &[None],
    };
    let page = html(&report);
    assert!(page.contains("&lt;b&gt;the time &amp; memory limit&lt;/b&gt;"));
    assert_eq!(count(&page, "b"), 1, "only that of the chip");
    let invalid = outcome("t.c", Vec::new());
    assert_eq!(invalid.verdict, Verdict::Invalid);
    let page =
        html(&Report { outcome: &invalid, text: "", program: None, graphs: &[], timelines: &[] });
    assert!(page.contains("no C program"));
    count(&page, "html");
}

/// Graphs are drawn, and one that is too large is a table.
#[test]
fn graphs() {
    let node = |number: usize| reach::Node {
        name: format!("n{number}"),
        kind: if number.is_multiple_of(3) {
            reach::NodeKind::Covered
        } else {
            reach::NodeKind::Expanded
        },
        function: "<f>".to_owned(),
        line: Some(1 + (number % 2) as u32),
        role: reach::Role::Plain,
        stack: Vec::new(),
        state: vec!["a < b".to_owned()],
    };
    let graph = |nodes: usize| reach::Graph {
        file: "t.c".to_owned(),
        property: "unreach-call".to_owned(),
        end: reach::End::Complete,
        nodes: (0..nodes).map(node).collect(),
        edges: Vec::new(),
    };
    let outcome = outcome("t.c", vec![proved("unreach-call", 1), proved("no-overflow", 1)]);
    let page = |nodes: usize| {
        let graphs = [Some(graph(nodes)), Some(graph(0))];
        html(&Report {
            outcome: &outcome,
            text: "int x;\nint y;\n",
            program: None,
            graphs: &graphs,
            timelines: &[],
        })
    };
    let small = page(3);
    assert_eq!(count(&small, "svg"), 1);
    assert!(small.contains("id=\"g0-n2\"") && small.contains("data-line=\"2\""));
    let large = page(10_000);
    assert_eq!(count(&large, "svg"), 0);
    assert!(large.contains("10000 abstract states"));
    let row = "<tr><td><code>&lt;f&gt;</code> <a class=\"there\" href=\"#L1\">line 1</a></td>\
               <td class=\"value\">5000</td><td class=\"value\">1667</td></tr>";
    assert!(large.contains(row), "{large}");
    assert!(large.len() < 100_000, "{}", large.len());
}

fn timeline(text: &str, refinements: u64) -> Timeline {
    let position = |file: &str, line: u32| Position {
        file: file.to_owned(),
        line,
        column: 1,
        end_line: line,
        end_column: 2,
    };
    let learned = |kind: Kind| Learned {
        kind,
        text: text.to_owned(),
        function: text.to_owned(),
        places: vec![position("t.c", 1), position("t.c", 2), position("h.h", 3)],
    };
    let refined = |number: u64| {
        let few = [learned(Kind::Predicate), learned(Kind::Predicate), learned(Kind::Variable)];
        What::Refined(Refined {
            number,
            nodes: number * 10,
            how: text.to_owned(),
            steps: Some(7),
            target: Some(position("t.c", 2)),
            learned: if number == 1 { few.to_vec() } else { Vec::new() },
            left_out: number % 2,
        })
    };
    let event = |what: What| Event { engine: text.to_owned(), what };
    let mut events = vec![event(What::Turn(1))];
    events.extend((1..=refinements).map(|number| event(refined(number))));
    events.push(event(What::LeftOut(1)));
    events.push(event(What::Said(text.to_owned(), true)));
    let asked = |answered: bool| Asked {
        engine: text.to_owned(),
        turns: 2,
        refinements: 1,
        nodes: 0,
        end: text.to_owned(),
        answered,
    };
    Timeline { engines: vec![asked(true), asked(false)], events }
}

#[test]
fn timelines() {
    let outcome = outcome("t.c", vec![proved("unreach-call", 1)]);
    let page = |timeline: Timeline| {
        let timelines = [Some(timeline)];
        let (text, graphs) = ("int x;\nint y;\n", &[][..]);
        html(&Report { outcome: &outcome, text, program: None, graphs, timelines: &timelines })
    };
    let some = page(timeline("a < b", 3));
    assert_eq!(count(&some, "details"), 3);
    for part in [
        "<li class=\"answered\"><b>a &lt; b</b> a &lt; b <span class=\"quiet\">2 turns, 1 refinement</span></li>",
        "<li id=\"e0-0\" class=\"turn\"><b>a &lt; b</b> turn 1</li>",
        "<summary><b>a &lt; b</b> <span class=\"nth\">#1</span> 2 predicates, 1 variable and more \
         <span class=\"quiet\">after 10 nodes</span></summary>",
        "<span class=\"nth\">#2</span> nothing to list <span class=\"quiet\">after 20 nodes</span>",
        "<li>values of <code class=\"what\">a &lt; b</code> <span class=\"quiet\">in <code>a &lt; b</code></span> \
         <a class=\"there\" href=\"#L1\">line 1</a>, <a class=\"there\" href=\"#L2\">line 2</a>, \
         <span class=\"there\">h.h:3</span></li>",
        "The counterexample of 7 steps ends at <a class=\"there\" href=\"#L2\">line 2</a>.",
        "<b>a &lt; b</b> … 1 refinement left out …",
        "<li id=\"e0-5\" class=\"turn answered\"><b>a &lt; b</b> a &lt; b</li>",
        "<a href=\"#e0-1\" tabindex=\"-1\" title=\"refinement 1: 10 nodes\"><i style=\"height:38%\">",
        "title=\"refinement 3: 30 nodes\"><i style=\"height:100%\">",
    ] {
        assert!(some.contains(part), "{part}\n{some}");
    }
    // An engine that is asked alone is not named, one refinement is no development, and where
    // nothing happened nothing is said.
    let alone = page(Timeline { engines: Vec::new(), ..timeline("x", 1) });
    assert!(alone.contains("<li id=\"e0-0\" class=\"turn\">turn 1</li>"));
    assert!(!alone.contains("class=\"bars\""));
    assert!(!page(Timeline::default()).contains("How it went"));
}

#[test]
fn colours() {
    let check = |text: &str, expected: &[&str]| assert_eq!(code::lines(text), expected);
    check(
        "int x1 = 0x1F;",
        &["<span class=\"key\">int</span> x1 = <span class=\"num\">0x1F</span>;"],
    );
    check(
        "a /* b\nc */ d",
        &["a <span class=\"com\">/* b</span>", "<span class=\"com\">c */</span> d"],
    );
    check(
        "\"/*\" '\\'' /",
        &[
            "<span class=\"str\">&quot;/*&quot;</span> <span class=\"str\">&#39;\\&#39;&#39;</span> /",
        ],
    );
    check(
        "#define A // b",
        &["<span class=\"pre\">#define A </span><span class=\"com\">// b</span>"],
    );
    check("é/2\r", &["é/<span class=\"num\">2</span>"]);
    check("\"open", &["<span class=\"str\">&quot;open</span>"]);
    check("", &[""]);
}

/// Back from HTML to text.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text += &rest[..at];
        rest = &rest[at + rest[at..].find('>').unwrap() + 1..];
    }
    let text = text + rest;
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}

proptest! {
    /// Colours lose nothing and add nothing.
    #[test]
    fn coloured_text_is_the_text(text in "([ -~é]|/\\*|\\*/|//|\"|'|\\\\|#|\n){0,60}") {
        let lines: Vec<String> = code::lines(&text).iter().map(|line| plain(line)).collect();
        prop_assert_eq!(lines.join("\n"), text);
    }

    /// Whatever names and formulas are, the page has the same elements.
    #[test]
    fn any_text_is_text(text in "\\PC{0,20}|<[a-z]+ [a-z]+=\"|</script>|--><script>|]]>|&lt;") {
        let page = |text: &str| {
            let outcome = outcome("t.c", vec![proved(text, 1)]);
            let source = format!("{text}\n");
            let timelines = &[Some(timeline(text, 2))];
            tags(&html(&Report {
                outcome: &outcome,
                text: &source,
                program: None,
                graphs: &[],
                timelines,
            }))
        };
        let elements = |text: &str| {
            let mut tags = page(text);
            // Words of the source are coloured.
            tags.retain(|tag| tag != "span" && tag != "/span");
            tags
        };
        prop_assert_eq!(elements(&text), elements("x"));
        prop_assert!(!escaped(&text).contains(['<', '>', '"', '\'']));
    }
}
