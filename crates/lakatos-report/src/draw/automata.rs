//! Automata as a picture: one panel per procedure.

use std::fmt::Write as _;

use lakatos_ir::{LocId, Program, Span};

use super::Drawn;
use super::chart::{Chart, Link, Node};
use super::marks::Kind;
use super::picture::{self, Key, Panel, Picture, Shape, Text};
use crate::excerpt::{Excerpt, shortened};

pub(super) fn picture(program: &Program, procs: &[Drawn<'_>]) -> Picture {
    let key = |(class, word)| Key {
        class,
        word,
        shape: if class == "loop" { Shape::Double } else { Shape::Round },
    };
    let keys = [
        ("entry", "entry"),
        ("exit", "exit"),
        ("loop", "loop head"),
        ("error", "error"),
        ("end", "run ends"),
        ("stub", "→ continued"),
    ];
    Picture {
        heading: program.source.name().to_owned(),
        keys: keys.map(key).into(),
        hint: "l3:12 = location 3, line 12",
        style: "",
        panels: procs.iter().map(|proc| Automaton { program, drawn: *proc }.panel()).collect(),
    }
}

/// A procedure to draw.
struct Automaton<'p> {
    program: &'p Program,
    drawn: Drawn<'p>,
}

impl Automaton<'_> {
    fn panel(&self) -> Panel {
        let chart = Chart::new(self.program, &self.drawn);
        let whole_title = self.program.show_signature(self.drawn.id).to_string();
        Panel {
            class: "proc",
            data: vec![("proc", self.drawn.proc.name.clone())],
            title: shortened(&whole_title, 70),
            whole_title,
            nodes: chart.nodes.iter().map(|node| self.node(node)).collect(),
            links: chart.links.iter().map(|link| self.link(&chart, link)).collect(),
        }
    }

    fn node(&self, node: &Node) -> picture::Node {
        let class = match node.kind {
            Kind::Plain if node.is_head => "loop",
            kind => kind.name(),
        };
        let dim = if node.is_reached { "" } else { " unreachable" };
        let locs: Vec<LocId> =
            [node.loc].into_iter().chain(node.absorbed.iter().map(|a| a.0)).collect();
        let edges: Vec<_> = node.absorbed.iter().map(|a| a.1).collect();
        let (text, aside) = node.texts();
        picture::Node {
            anchor: format!("{:?}-{:?}", self.drawn.id, node.loc),
            class: format!("{class}{dim}"),
            data: vec![("locs", names(&locs)), ("edges", names(&edges))],
            shape: if node.is_head { Shape::Double } else { Shape::Round },
            line: node.line,
            stub: format!("→ {text}{aside}"),
            lines: vec![Text { text, aside, class: "" }],
            tooltip: self.tooltip(node, dim),
        }
    }

    fn tooltip(&self, node: &Node, dim: &str) -> String {
        let data = &self.drawn.cfa.locs[node.loc];
        let mut title = format!("{:?}", node.loc);
        for (loc, _) in &node.absorbed {
            let _ = write!(title, " = {loc:?}");
        }
        title += dim;
        if let Some(error) = &data.error {
            let _ = write!(title, "\n{}: {}", error.property, error.message);
        }
        title + &place(self.program, data.span)
    }

    fn link(&self, chart: &Chart, link: &Link) -> picture::Link {
        let is_reached = chart.nodes[link.from].is_reached;
        let steps = link.lines.iter().map(|step| {
            let data = &self.drawn.cfa.edges[step.edge];
            let place = place(self.program, data.span);
            picture::Step {
                text: step.text.clone(),
                is_condition: step.is_condition,
                line: step.line,
                tooltip: format!("{}{place}", self.program.show_instr(&data.instr)),
            }
        });
        picture::Link {
            from: link.from,
            to: link.to,
            class: match chart.nodes[link.to].kind {
                _ if !is_reached => "edge unreachable",
                Kind::Error => "edge to-error",
                _ => "edge",
            },
            data: vec![("edges", names(&link.edges)), ("locs", names(&link.passed))],
            steps: steps.collect(),
            label_class: match is_reached {
                true if link.lines.len() > 1 => "label steps",
                true => "label",
                false => "label unreachable",
            },
            label_data: vec![("edges", names(&link.edges))],
            is_back: link.is_back,
        }
    }
}

/// For a tooltip: file, line, column and the source line.
fn place(program: &Program, span: Span) -> String {
    if span == Span::default() {
        return String::new();
    }
    let excerpt = Excerpt::new(&program.source, span, 120);
    format!("\n{}:{}:{}\n{}", excerpt.file, excerpt.line, excerpt.column, excerpt.text.trim())
}

fn names<T: std::fmt::Debug>(ids: &[T]) -> String {
    ids.iter().map(|id| format!("{id:?}")).collect::<Vec<_>>().join(" ")
}
