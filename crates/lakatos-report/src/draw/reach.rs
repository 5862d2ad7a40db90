//! Abstract reachability graphs as the figures of the stack-abstraction thesis draw them (2.2, 4.3
//! and 5.4 to 5.8): a box per node with its location, the calls it is under and its abstract state;
//! covered nodes with a dashed line to the node that covers them, popped ones in blue and the error
//! in red.
//!
//! In goes a plain description, texts and kinds, that whoever has a graph can make: nothing of an
//! analysis is known here.

mod dot;
mod json;
mod picture;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::svg::Within;
use super::{Format, svg};
use crate::excerpt::shortened;

/// A picture shows at most so many nodes: more are drawn in no sensible time, and for no eye.
pub const MOST_DRAWN: usize = 5_000;

/// Characters of a line in a box, and of one beside an arrow.
const WIDTH: usize = 60;
/// Lines of a state, of a label.
const LINES: usize = 10;
/// Of a stack the outermost and the innermost calls are shown.
const OUTER: usize = 2;
const INNER: usize = 3;

/// A graph. Nodes are in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub file: String,
    /// What was asked about the program.
    pub property: String,
    pub end: End,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// How far the graph goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to look at, and there is no target.
    Complete,
    /// A target was found that a run may reach; what was not looked at by then is open.
    Target,
    /// Stopped before, with the reason.
    Stopped(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Unique in the graph.
    pub name: String,
    pub kind: NodeKind,
    pub function: String,
    pub line: Option<u32>,
    /// What the location is for its function.
    pub role: Role,
    /// The calls that the node is under, outermost first.
    pub stack: Vec<String>,
    /// Formulas that hold; none: nothing is known.
    pub state: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    Expanded,
    /// Not looked at.
    Open,
    /// What can happen here happens at the node that covers it.
    Covered,
    /// The rest of the call was left out, for that of another call.
    Popped,
    /// What happens here is in the graph of a block.
    Entered,
    /// An error location.
    Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Entry,
    Exit,
    /// A loop's head.
    Loop,
    Error,
    Plain,
}

/// An arrow between nodes, given by their places in [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    /// Steps, one a line.
    pub text: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    Step,
    /// Into a callee.
    Call,
    /// From a callee's exit to after the call.
    Return,
    /// From a popped node to after the call.
    Skip,
    /// From before a call to after it.
    Over,
    /// To the node that covers.
    Cover,
    /// To the node that pops.
    Pop,
    /// To the first node of a block's own graph, which knows only what the block sees.
    Reduce,
    /// From an exit of a block's own graph to where that is part of what its user knows.
    Expand,
}

impl NodeKind {
    fn word(self) -> &'static str {
        match self {
            NodeKind::Expanded => "expanded",
            NodeKind::Open => "open",
            NodeKind::Covered => "covered",
            NodeKind::Popped => "popped",
            NodeKind::Entered => "entered",
            NodeKind::Target => "target",
        }
    }
}

/// A graph with too many nodes for a picture: so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub usize);

/// Draws a graph. Only a picture can be too large.
pub fn draw(graph: &Graph, format: Format) -> Result<String, TooLarge> {
    match format {
        Format::Dot => Ok(dot::dot(graph)),
        Format::Json => Ok(json::json(graph)),
        Format::Svg if graph.nodes.len() > MOST_DRAWN => Err(TooLarge(graph.nodes.len())),
        Format::Svg => Ok(svg::svg(&picture::picture(graph))),
    }
}

/// The drawing for a page that has the style ([`super::STYLES`]); anchors begin with the prefix.
pub(crate) fn embedded(graph: &Graph, prefix: &str) -> String {
    let picture = picture::picture(graph);
    let within = Within { prefix, has_lines: true };
    picture.panels.iter().map(|panel| svg::embedded(panel, within)).collect()
}

/// Rules of its own.
pub(super) const STYLE: &str = include_str!("reach/style.css");

impl Graph {
    /// What was asked, and how far the graph goes.
    fn title(&self) -> String {
        let end = match &self.end {
            End::Complete => "complete, without a target".to_owned(),
            End::Target => "a target is reached".to_owned(),
            End::Stopped(reason) => format!("stopped: {reason}"),
        };
        format!("{}: {end}", self.property)
    }
}

impl Node {
    /// Function, line and role: `rec:2 entry`.
    fn place(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        let role = match self.role {
            Role::Entry => " entry",
            Role::Exit => " exit",
            Role::Loop => " loop",
            Role::Error => " error",
            Role::Plain => "",
        };
        format!("{}{line}{role}", self.function)
    }

    /// The calls it is under, unless there are none: `main:6 > rec:3 >`.
    fn stack(&self) -> Option<String> {
        let count = self.stack.len();
        let calls = match count > OUTER + INNER {
            true => {
                let (outer, inner) = (&self.stack[..OUTER], &self.stack[count - INNER..]);
                let left_out = format!("… {} more …", count - OUTER - INNER);
                [outer, &[left_out], inner].concat().join(" > ")
            }
            false => self.stack.join(" > "),
        };
        (count > 0).then(|| calls + " >")
    }

    /// The state line by line, cut to what fits a box.
    fn state(&self) -> Vec<String> {
        match self.state.is_empty() {
            true => vec!["true".to_owned()],
            false => cut(&self.state),
        }
    }

    /// Everything, for a tooltip.
    fn whole(&self) -> String {
        let head = format!("{} {} at {}", self.name, self.kind.word(), self.place());
        let under = self.stack.iter().rev().map(|call| format!("called at {call}"));
        let state = match self.state.is_empty() {
            true => vec!["true".to_owned()],
            false => self.state.clone(),
        };
        [head].into_iter().chain(under).chain(state).collect::<Vec<_>>().join("\n")
    }
}

/// Some lines, and how many more there are.
fn cut(lines: &[String]) -> Vec<String> {
    let shown = if lines.len() > LINES { LINES - 1 } else { lines.len() };
    let rest = (shown < lines.len()).then(|| format!("… {} more", lines.len() - shown));
    lines[..shown].iter().map(|line| shortened(line, WIDTH)).chain(rest).collect()
}
