//! Graphviz text of a reachability graph.

use std::fmt::Write as _;

use super::super::dot::{quoted, quoted_lines};
use super::{Edge, EdgeKind, Graph, Node, NodeKind, cut};

const HEAD: &str = "digraph arg {
  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];
  edge [fontname=\"monospace\", fontsize=11];
";

pub(super) fn dot(graph: &Graph) -> String {
    let mut out = HEAD.to_owned();
    let title = quoted(&format!("{} · {}", graph.file, graph.title()));
    let _ = writeln!(out, "  label={title};");
    for node in &graph.nodes {
        write_node(&mut out, node);
    }
    for edge in &graph.edges {
        write_edge(&mut out, graph, edge);
    }
    out.push_str("}\n");
    out
}

fn write_node(out: &mut String, node: &Node) {
    let mut lines = vec![format!("{} {}", node.place(), node.name)];
    lines.extend(node.stack());
    lines.extend(node.state());
    let look = match node.kind {
        NodeKind::Expanded => "",
        NodeKind::Open => ", color=darkorange, style=\"rounded,dotted\"",
        NodeKind::Covered => ", color=gray40, style=\"rounded,dashed\"",
        NodeKind::Popped => ", color=blue, fontcolor=blue, style=\"\", peripheries=2",
        NodeKind::Entered => ", color=darkgreen, style=\"\"",
        NodeKind::Target => ", color=red, fontcolor=red, penwidth=2",
    };
    let whole: Vec<String> = node.whole().lines().map(str::to_owned).collect();
    let (name, label, whole) = (quoted(&node.name), quoted_lines(&lines), quoted_lines(&whole));
    let _ = writeln!(out, "  {name} [label={label}{look}, tooltip={whole}];");
}

fn write_edge(out: &mut String, graph: &Graph, edge: &Edge) {
    let (from, to) = (quoted(&graph.nodes[edge.from].name), quoted(&graph.nodes[edge.to].name));
    let mut attributes = Vec::new();
    if !edge.text.is_empty() {
        attributes.push(format!("label={}", quoted_lines(&cut(&edge.text))));
        attributes.push(format!("tooltip={}", quoted_lines(&edge.text)));
    }
    attributes.extend(match edge.kind {
        EdgeKind::Step => None,
        EdgeKind::Call => Some("color=darkgreen".to_owned()),
        EdgeKind::Return => Some("color=purple".to_owned()),
        EdgeKind::Skip => Some("color=blue, style=bold".to_owned()),
        EdgeKind::Over => Some("color=gray60, style=dotted, arrowhead=empty".to_owned()),
        EdgeKind::Cover => Some("color=gray40, style=dashed, constraint=false".to_owned()),
        EdgeKind::Pop => Some("color=blue, style=dashed, constraint=false".to_owned()),
        EdgeKind::Reduce => Some("color=darkgreen, style=bold".to_owned()),
        EdgeKind::Expand => Some("color=red, style=bold".to_owned()),
    });
    let _ = match attributes.is_empty() {
        true => writeln!(out, "  {from} -> {to};"),
        false => writeln!(out, "  {from} -> {to} [{}];", attributes.join(", ")),
    };
}
