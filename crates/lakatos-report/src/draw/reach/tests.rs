//! Snapshots of the text formats, and pictures of every shape: complete, disjoint, fast.

use expect_test::expect;
use proptest::prelude::*;
use roxmltree::Document;

use super::*;
use crate::draw::tests::{check_disjoint, check_lines};

fn node(number: usize, kind: NodeKind, role: Role, state: &[&str]) -> Node {
    Node {
        name: format!("n{number}"),
        kind,
        function: "rec".to_owned(),
        line: Some(2),
        role,
        stack: vec!["main:6".to_owned()],
        state: state.iter().map(|s| (*s).to_owned()).collect(),
    }
}

fn edge(from: usize, to: usize, kind: EdgeKind, text: &str) -> Edge {
    let text = if text.is_empty() { vec![] } else { vec![text.to_owned()] };
    Edge { from, to, kind, text }
}

/// Figure 5.7 of the thesis, with a target and an open node beside.
fn small() -> Graph {
    Graph {
        file: "rec.c".to_owned(),
        property: "unreach-call".to_owned(),
        end: End::Stopped("the \"time\" limit was reached".to_owned()),
        nodes: vec![
            Node {
                function: "main".to_owned(),
                line: None,
                stack: vec![],
                ..node(0, NodeKind::Expanded, Role::Entry, &[])
            },
            node(1, NodeKind::Expanded, Role::Entry, &["k >= 1", "g == 0"]),
            node(2, NodeKind::Popped, Role::Plain, &["k >= 2"]),
            node(3, NodeKind::Covered, Role::Loop, &["k >= 1"]),
            node(7, NodeKind::Target, Role::Error, &[]),
            node(8, NodeKind::Open, Role::Exit, &[]),
        ],
        edges: vec![
            edge(0, 1, EdgeKind::Call, "rec(1)"),
            edge(1, 2, EdgeKind::Step, "[k > 0]"),
            edge(2, 1, EdgeKind::Pop, ""),
            edge(1, 3, EdgeKind::Step, "k = k + 1"),
            edge(3, 1, EdgeKind::Cover, ""),
            edge(2, 4, EdgeKind::Skip, "skip the rest of rec"),
            edge(1, 4, EdgeKind::Over, ""),
            edge(4, 5, EdgeKind::Return, "return"),
        ],
    }
}

#[test]
fn dot_of_a_small_graph() {
    expect![[r#"
        digraph arg {
          node [shape=box, style=rounded, fontname="monospace", fontsize=11];
          edge [fontname="monospace", fontsize=11];
          label="rec.c · unreach-call: stopped: the \"time\" limit was reached";
          "n0" [label="main entry n0\ntrue", tooltip="n0 expanded at main entry\ntrue"];
          "n1" [label="rec:2 entry n1\nmain:6 >\nk >= 1\ng == 0", tooltip="n1 expanded at rec:2 entry\ncalled at main:6\nk >= 1\ng == 0"];
          "n2" [label="rec:2 n2\nmain:6 >\nk >= 2", color=blue, fontcolor=blue, style="", peripheries=2, tooltip="n2 popped at rec:2\ncalled at main:6\nk >= 2"];
          "n3" [label="rec:2 loop n3\nmain:6 >\nk >= 1", color=gray40, style="rounded,dashed", tooltip="n3 covered at rec:2 loop\ncalled at main:6\nk >= 1"];
          "n7" [label="rec:2 error n7\nmain:6 >\ntrue", color=red, fontcolor=red, penwidth=2, tooltip="n7 target at rec:2 error\ncalled at main:6\ntrue"];
          "n8" [label="rec:2 exit n8\nmain:6 >\ntrue", color=darkorange, style="rounded,dotted", tooltip="n8 open at rec:2 exit\ncalled at main:6\ntrue"];
          "n0" -> "n1" [label="rec(1)", tooltip="rec(1)", color=darkgreen];
          "n1" -> "n2" [label="[k > 0]", tooltip="[k > 0]"];
          "n2" -> "n1" [color=blue, style=dashed, constraint=false];
          "n1" -> "n3" [label="k = k + 1", tooltip="k = k + 1"];
          "n3" -> "n1" [color=gray40, style=dashed, constraint=false];
          "n2" -> "n7" [label="skip the rest of rec", tooltip="skip the rest of rec", color=blue, style=bold];
          "n1" -> "n7" [color=gray60, style=dotted, arrowhead=empty];
          "n7" -> "n8" [label="return", tooltip="return", color=purple];
        }
    "#]].assert_eq(&draw(&small(), Format::Dot).unwrap());
}

#[test]
fn json_of_a_small_graph() {
    let mut graph = small();
    graph.nodes.truncate(2);
    graph.edges.truncate(1);
    expect![[r#"
        {
          "schema": "lakatos-arg/1",
          "file": "rec.c",
          "property": "unreach-call",
          "end": "stopped",
          "reason": "the \"time\" limit was reached",
          "nodes": [
            {
              "id": "n0",
              "kind": "expanded",
              "function": "main",
              "role": "entry",
              "stack": [],
              "state": []
            },
            {
              "id": "n1",
              "kind": "expanded",
              "function": "rec",
              "line": 2,
              "role": "entry",
              "stack": [
                "main:6"
              ],
              "state": [
                "k >= 1",
                "g == 0"
              ]
            }
          ],
          "edges": [
            {
              "from": "n0",
              "to": "n1",
              "kind": "call",
              "text": [
                "rec(1)"
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&draw(&graph, Format::Json).unwrap());
}

#[test]
fn a_picture_marks_what_is_special() {
    let text = check_svg(&small());
    for class in [
        "node popped",
        "node covered",
        "node target",
        "node open",
        "edge pop",
        "edge cover",
        "edge skip",
        "edge return",
        "edge over",
        "edge call",
    ] {
        assert!(text.contains(&format!("class=\"{class}\"")), "{class}");
    }
    assert!(text.contains("stopped: the &quot;time&quot; limit was reached"));
}

#[test]
fn long_texts_are_cut() {
    let mut graph = small();
    graph.nodes[1].state = (0..40).map(|i| format!("x{i} >= {}", "9".repeat(100))).collect();
    graph.nodes[1].stack = (0..40).map(|i| format!("f:{i}")).collect();
    graph.edges[0].text = (0..40).map(|i| format!("y = y + {i}")).collect();
    let text = check_svg(&graph);
    for said in ["… 31 more", "f:0 &gt; f:1 &gt; … 35 more … &gt; f:37 &gt; f:38 &gt; f:39 &gt;"]
    {
        assert!(text.contains(said), "{said}");
    }
    assert_eq!(graph.nodes[1].state().len(), LINES);
}

#[test]
fn thousands_of_nodes_are_drawn_and_more_refused() {
    let count = MOST_DRAWN;
    let nodes = (0..count).map(|i| node(i, NodeKind::Expanded, Role::Plain, &["x >= 1"]));
    // A tree whose leaves are covered here and there.
    let tree = (1..count).map(|i| edge((i - 1) / 2, i, EdgeKind::Step, "x = x + 1"));
    let covers = (count / 2..count).step_by(3).map(|i| edge(i, i / 3, EdgeKind::Cover, ""));
    let mut graph =
        Graph { nodes: nodes.collect(), edges: tree.chain(covers).collect(), ..small() };
    let text = draw(&graph, Format::Svg).unwrap();
    assert!(text.len() < 2_000 * count, "{} bytes", text.len());
    graph.nodes.push(node(count, NodeKind::Open, Role::Plain, &[]));
    assert_eq!(draw(&graph, Format::Svg), Err(TooLarge(count + 1)));
    assert!(draw(&graph, Format::Dot).is_ok() && draw(&graph, Format::Json).is_ok());
}

/// Everything is there, nothing overlaps.
fn check_svg(graph: &Graph) -> String {
    let text = draw(graph, Format::Svg).unwrap();
    let document = Document::parse(&text).expect("well-formed XML");
    let panel =
        document.descendants().find(|n| n.attribute("class") == Some("arg")).expect("a panel");
    let with = |name| panel.descendants().filter(move |n| n.attribute(name).is_some()).count();
    assert_eq!(with("data-node"), graph.nodes.len());
    assert_eq!(with("data-from"), graph.edges.len());
    check_disjoint(panel);
    check_lines(panel);
    text
}

prop_compose! {
    fn any_graph()(count in 1usize..24)(
        count in Just(count),
        edges in prop::collection::vec((0..count, 0..count, 0usize..3, any::<bool>()), 0..50),
    ) -> Graph {
        let kinds = [EdgeKind::Step, EdgeKind::Cover, EdgeKind::Return];
        let edges = edges.into_iter().map(|(from, to, kind, label)| {
            edge(from, to, kinds[kind], if label { "x = 1" } else { "" })
        });
        let states: [&[&str]; 3] = [&[], &["x >= 1"], &["x >= 1", "y == 2", "z <= x + y"]];
        let nodes = (0..count).map(|i| node(i, NodeKind::Expanded, Role::Plain, states[i % 3]));
        Graph { nodes: nodes.collect(), edges: edges.collect(), ..small() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_is_drawn_whole(graph in any_graph()) {
        check_svg(&graph);
    }
}
