//! A reachability graph as a picture: one panel.

use super::super::picture::{Key, Link, Node as Box, Panel, Picture, Shape, Step, Text};
use super::{Edge, EdgeKind, Graph, Node, NodeKind, cut};
use crate::excerpt::shortened;

pub(super) fn picture(graph: &Graph) -> Picture {
    let key = |(class, word, shape)| Key { class, word, shape };
    let keys = [
        ("expanded", "expanded", Shape::Round),
        ("covered", "covered", Shape::Round),
        ("popped", "popped", Shape::Square),
        ("target", "target", Shape::Double),
        ("open", "open", Shape::Round),
        ("stub", "→ continued", Shape::Round),
    ];
    let has_blocks = graph.nodes.iter().any(|node| node.kind == NodeKind::Entered);
    let entered = has_blocks.then_some(("entered", "entered", Shape::Square));
    let title = graph.title();
    Picture {
        heading: graph.file.clone(),
        keys: keys.into_iter().chain(entered).map(key).collect(),
        hint: "dashed: to coverer · dotted: over call",
        style: super::STYLE,
        panels: vec![Panel {
            class: "arg",
            data: vec![("property", graph.property.clone())],
            title: shortened(&title, 70),
            whole_title: title,
            nodes: graph.nodes.iter().map(node).collect(),
            links: graph.edges.iter().map(|edge| link(graph, edge)).collect(),
        }],
    }
}

fn node(node: &Node) -> Box {
    let line = |text: String, aside: String, class| Text { text, aside, class };
    let mut lines = vec![line(node.place(), format!(" · {}", node.name), "place")];
    lines.extend(node.stack().map(|stack| line(stack, String::new(), "at")));
    lines.extend(node.state().into_iter().map(|text| line(text, String::new(), "")));
    Box {
        anchor: node.name.clone(),
        class: node.kind.word().to_owned(),
        data: vec![("node", node.name.clone())],
        shape: match node.kind {
            NodeKind::Target => Shape::Double,
            NodeKind::Popped | NodeKind::Entered => Shape::Square,
            _ => Shape::Round,
        },
        line: node.line,
        lines,
        tooltip: node.whole(),
        stub: format!("→ {} {}", node.place(), node.name),
    }
}

fn link(graph: &Graph, edge: &Edge) -> Link {
    let step = |text: &String| Step {
        is_condition: text.starts_with('['),
        line: None,
        tooltip: edge.text.join("\n"),
        text: text.clone(),
    };
    let steps: Vec<Step> = cut(&edge.text).iter().map(step).collect();
    let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
    Link {
        from: edge.from,
        to: edge.to,
        class: match edge.kind {
            EdgeKind::Step if to.kind == NodeKind::Target => "edge to-error",
            EdgeKind::Step => "edge",
            EdgeKind::Call => "edge call",
            EdgeKind::Return => "edge return",
            EdgeKind::Skip => "edge skip",
            EdgeKind::Over => "edge over",
            EdgeKind::Cover => "edge cover",
            EdgeKind::Pop => "edge pop",
            EdgeKind::Reduce => "edge reduce",
            EdgeKind::Expand => "edge expand",
        },
        data: vec![("from", from.name.clone()), ("to", to.name.clone())],
        label_class: if steps.len() > 1 { "label steps" } else { "label" },
        steps,
        label_data: Vec::new(),
        // Nodes are in the order in which they were made: what leads to an older one goes up.
        is_back: edge.to <= edge.from,
    }
}
