//! Snapshots of the text formats, and what must hold of every picture: everything is there,
//! nothing overlaps.

use std::collections::BTreeSet;

use expect_test::expect;
use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::samples::{self, Sample};
use super::*;

#[test]
fn dot_of_a_small_program() {
    expect![[r#"
        digraph cfa {
          node [shape=box, style=rounded, fontname="monospace", fontsize=11];
          edge [fontname="monospace", fontsize=11];
          subgraph cluster_f1 {
            label="int main(void)";
            f1l0 [label="l0 entry :3", color=darkgreen, penwidth=2];
            f1l1 [label="l1 exit", color=blue, penwidth=2];
            f1l2 [label="l2 :4"];
            f1l3 [label="l3"];
            f1l4 [label="l4 :9"];
            f1l5 [label="l5 :5", peripheries=2];
            f1l6 [label="l6 :7"];
            f1l7 [label="l7"];
            f1l8 [label="l8 :8"];
            f1l9 [label="l9"];
            f1l10 [label="l10 :12"];
            f1l11 [label="l11 :11"];
            f1l12 [label="l12"];
            f1l13 [label="l13"];
            f1l14 [label="l14 error :11", color=red, fontcolor=red, penwidth=2, tooltip="unreach-call: `reach_error` is called"];
            f1l0 -> f1l2 [label="x = x + 1", tooltip="x = x + 1"];
            f1l2 -> f1l3 [label="y = y + -2", tooltip="y = y + -2"];
            f1l3 -> f1l5;
            f1l5 -> f1l6 [label="[x < 10]", tooltip="[x < 10]"];
            f1l5 -> f1l7 [label="[x >= 10]", tooltip="[x >= 10]"];
            f1l7 -> f1l4;
            f1l6 -> f1l8 [label="x = x + 1", tooltip="x = x + 1"];
            f1l8 -> f1l9 [label="y = y + 2", tooltip="y = y + 2"];
            f1l9 -> f1l5;
            f1l4 -> f1l11 [label="[y < 3]", tooltip="[y < 3]"];
            f1l4 -> f1l12 [label="[y >= 3]", tooltip="[y >= 3]"];
            f1l11 -> f1l14 [label="reach_error()", tooltip="reach_error()"];
            f1l13 -> f1l10;
            f1l12 -> f1l10;
            f1l10 -> f1l1 [label="return", tooltip="return"];
          }
        }
    "#]].assert_eq(&dot(&samples::small(), None));
}

#[test]
fn json_of_a_small_program() {
    let text = json(&Sample::new().automaton("f", 2, &[(0, 0, true), (0, 1, false)]).build(), None);
    expect![[r#"
        {
          "schema": "lakatos-cfa/1",
          "file": "sample.c",
          "main": "f",
          "start": "f",
          "procedures": [
            {
              "name": "f",
              "signature": "int f(void)",
              "file": "sample.c",
              "line": 2,
              "column": 1,
              "entry": "l0",
              "exit": "l1",
              "locations": [
                {
                  "id": "l0",
                  "kind": "entry",
                  "loop_head": true,
                  "file": "sample.c",
                  "line": 3,
                  "column": 1
                },
                {
                  "id": "l1",
                  "kind": "exit",
                  "loop_head": false
                }
              ],
              "edges": [
                {
                  "id": "d0",
                  "from": "l0",
                  "to": "l0",
                  "kind": "skip",
                  "text": "skip",
                  "back": true
                },
                {
                  "id": "d1",
                  "from": "l0",
                  "to": "l1",
                  "kind": "assign",
                  "text": "x = x + 7",
                  "back": false,
                  "file": "sample.c",
                  "line": 3,
                  "column": 1,
                  "span": [
                    18,
                    27
                  ],
                  "source": "x = x + 7"
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn one_procedure_or_all() {
    let program = samples::medium();
    let clamp = program.proc_named("clamp");
    assert!(!dot(&program, clamp).contains("int main"));
    assert!(dot(&program, None).contains("int main") && dot(&program, None).contains("int clamp"));
    assert_eq!(svg(&program, clamp), draw(&program, clamp, Format::Svg));
    check_svg(&program, None);
}

#[test]
fn hostile_text_stays_well_formed() {
    let mut program = samples::small();
    let main = program.main;
    program.procs[main].name = "m<a>&\"'\u{1}\u{7f}\u{1b}]]>\\n日本".into();
    for var in program.vars.iter_mut() {
        var.1.name = "<script>&\u{0}\"".repeat(20);
    }
    check_svg(&program, None);
    let value: serde_json::Value = serde_json::from_str(&json(&program, None)).unwrap();
    assert_eq!(value["procedures"][0]["edges"][0]["kind"], "assign");
    assert!(!dot(&program, None).contains(|c: char| c.is_control() && c != '\n'));
}

#[test]
fn long_edges_become_stubs_and_memory_stays_linear() {
    // Every location of a long run of branches also leads to the exit.
    let count = 3_000;
    let edges = (0..count).filter(|&i| i != 1).flat_map(|i| {
        let next = if i == 0 { 2 } else { i + 1 };
        [(i, next.min(count - 1), false), (i, 1, i % 2 == 0)]
    });
    let edges: Vec<_> = edges.filter(|e| e.0 != e.1).collect();
    let program = Sample::new().automaton("f", count as usize, &edges).build();
    let text = svg(&program, None);
    assert!(text.contains("class=\"node stub\""));
    assert!(text.len() < 1_500 * count as usize, "{} bytes", text.len());
    check_svg(&program, None);
}

#[test]
fn large_programs_are_drawn_whole() {
    check_svg(&samples::large(400), None);
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    for format in [Format::Dot, Format::Svg, Format::Json] {
        let pictures = [(); 2].map(|()| draw(&samples::large(60), None, format));
        assert_eq!(pictures[0], pictures[1]);
    }
}

prop_compose! {
    /// Any automaton: unreachable parts, self-loops, irreducible cycles, parallel edges.
    fn automaton()(count in 2u32..24)(
        count in Just(count),
        edges in prop::collection::vec((0..count, 0..count, any::<bool>()), 0..60),
    ) -> Program {
        let edges: Vec<_> = edges.into_iter().filter(|e| e.0 != 1).collect();
        Sample::new().automaton("f", count as usize, &edges).build()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pictures_are_complete_and_nothing_overlaps(program in automaton()) {
        check_svg(&program, None);
        let value: serde_json::Value = serde_json::from_str(&json(&program, None)).unwrap();
        let cfa = program.procs[program.main].body.as_ref().unwrap();
        let proc = &value["procedures"][0];
        prop_assert_eq!(proc["edges"].as_array().unwrap().len(), cfa.edges.len());
        prop_assert_eq!(proc["locations"].as_array().unwrap().len(), cfa.locs.len());
    }
}

#[derive(Clone, Copy, Debug)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn of(rect: Node<'_, '_>) -> Rect {
        let get = |name| rect.attribute(name).unwrap().parse::<f64>().unwrap();
        let (left, top) = (get("x"), get("y"));
        Rect { left, top, right: left + get("width"), bottom: top + get("height") }
    }

    fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Every location and edge appears; boxes and labels are disjoint and lie within the panel;
/// lines keep clear of the boxes and labels of others.
fn check_svg(program: &Program, only: Option<ProcId>) {
    let text = svg(program, only);
    let document = Document::parse(&text).expect("well-formed XML");
    let procs = document.descendants().filter(|n| n.attribute("class") == Some("proc"));
    let drawn = selected(program, only);
    assert_eq!(procs.clone().count(), drawn.len());
    for (panel, drawn) in procs.zip(drawn) {
        check_complete(panel, drawn.cfa);
        check_disjoint(panel);
        check_lines(panel);
    }
}

fn check_complete(panel: Node<'_, '_>, cfa: &Cfa) {
    let named = |attribute| {
        let values = panel.descendants().filter_map(move |n| n.attribute(attribute));
        values.flat_map(str::split_whitespace).collect::<BTreeSet<_>>()
    };
    let (locs, edges) = (named("data-locs"), named("data-edges"));
    for loc in cfa.locs.ids() {
        assert!(locs.contains(format!("{loc:?}").as_str()), "{loc:?} is missing");
    }
    for edge in cfa.edges.ids() {
        assert!(edges.contains(format!("{edge:?}").as_str()), "{edge:?} is missing");
    }
}

fn boxes<'a>(panel: Node<'a, 'a>) -> Vec<Rect> {
    let class = |n: &Node<'_, '_>| n.attribute("class").unwrap_or("").to_owned();
    let groups = panel
        .descendants()
        .filter(|n| class(n).starts_with("node") || class(n).starts_with("label"));
    let mut found: Vec<Rect> = groups
        .filter_map(|g| g.children().find(|c| c.has_tag_name("rect")))
        .map(Rect::of)
        .collect();
    found.sort_by(|a, b| a.top.total_cmp(&b.top));
    found
}

pub(super) fn check_disjoint(panel: Node<'_, '_>) {
    let boxes = boxes(panel);
    let page = panel.children().find(|c| c.attribute("class") == Some("panel")).unwrap();
    let get = |name| page.attribute(name).unwrap().parse::<f64>().unwrap();
    for (i, a) in boxes.iter().enumerate() {
        assert!(a.left >= -48.0 && a.top >= -0.1, "{a:?}");
        assert!(a.right <= get("width") && a.bottom <= get("height"), "{a:?}");
        for b in boxes[i + 1..].iter().take_while(|b| b.top < a.bottom) {
            assert!(!a.overlaps(b), "{a:?} overlaps {b:?}");
        }
    }
}

/// Samples points of every line; none lies inside a box.
pub(super) fn check_lines(panel: Node<'_, '_>) {
    let boxes = boxes(panel);
    let tallest = boxes.iter().map(|b| b.bottom - b.top).fold(0.0, f64::max);
    for line in panel.descendants().filter(|n| n.attribute("class") == Some("line")) {
        for (x, y) in points(line.attribute("d").unwrap()) {
            let first = boxes.partition_point(|b| b.top < y - tallest - 1.0);
            for b in boxes[first..].iter().take_while(|b| b.top <= y) {
                let inside =
                    x > b.left + 0.3 && x < b.right - 0.3 && y > b.top + 0.3 && y < b.bottom - 0.3;
                assert!(!inside, "({x}, {y}) of {} is inside {b:?}", line.attribute("d").unwrap());
            }
        }
    }
}

/// Points along a path of `M`, `L` and `C` commands.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let (mut x, mut y) = (0.0, 0.0);
    let starts: Vec<usize> = path.match_indices(char::is_alphabetic).map(|m| m.0).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(path.len());
        let n: Vec<f64> =
            path[start + 1..end].split_whitespace().map(|n| n.parse().unwrap()).collect();
        let (a, b) = match path.as_bytes()[start] {
            b'M' => ((n[0], n[1]), (n[0], n[1])),
            b'L' => ((x, y), (n[0], n[1])),
            _ => ((n[0], n[1]), (n[2], n[3])),
        };
        let to = (n[n.len() - 2], n[n.len() - 1]);
        if path.as_bytes()[start] == b'M' {
            (x, y) = to;
        }
        for step in 1..=20 {
            let (t, s) = (f64::from(step) / 20.0, 1.0 - f64::from(step) / 20.0);
            let mix = |p0: f64, p1: f64, p2: f64, p3: f64| {
                s * s * s * p0 + 3.0 * s * s * t * p1 + 3.0 * s * t * t * p2 + t * t * t * p3
            };
            found.push((mix(x, a.0, b.0, to.0), mix(y, a.1, b.1, to.1)));
        }
        (x, y) = to;
    }
    found
}
