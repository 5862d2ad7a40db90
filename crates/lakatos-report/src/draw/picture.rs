//! What an SVG shows, whatever it is a picture of: panels of boxes and lines, with their texts.
//! Automata ([`super::automata`]) and reachability graphs ([`super::reach`]) become this; sizes are
//! settled here, places by [`crate::layout`], and [`super::svg`] writes it down.

use unicode_width::UnicodeWidthStr;

use crate::layout::{Edge, Graph, Size};

pub(super) const FONT_SIZE: f64 = 12.0;
/// The width of a column of the fixed-width font, a little generous.
pub(super) const COLUMN: f64 = 7.3;
pub(super) const LINE_HEIGHT: f64 = 16.0;
const NODE_HEIGHT: f64 = 24.0;

pub(super) struct Picture {
    pub heading: String,
    pub keys: Vec<Key>,
    /// How to read the texts.
    pub hint: &'static str,
    /// Rules for classes of its own.
    pub style: &'static str,
    pub panels: Vec<Panel>,
}

/// An entry of the legend.
pub(super) struct Key {
    pub class: &'static str,
    pub word: &'static str,
    pub shape: Shape,
}

/// A graph with a frame around it and a title.
pub(super) struct Panel {
    pub class: &'static str,
    pub data: Data,
    pub title: String,
    /// The title's tooltip.
    pub whole_title: String,
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
}

/// Attributes, for tools that read the picture.
pub(super) type Data = Vec<(&'static str, String)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Round,
    /// Round, with a second border.
    Double,
    /// With corners.
    Square,
}

pub(super) struct Node {
    /// What links name it by.
    pub anchor: String,
    pub class: String,
    pub data: Data,
    pub shape: Shape,
    /// In the source.
    pub line: Option<u32>,
    pub lines: Vec<Text>,
    pub tooltip: String,
    /// What a box says that stands for this node where it is far away.
    pub stub: String,
}

/// A line in a box.
pub(super) struct Text {
    pub text: String,
    /// More of it, in another colour.
    pub aside: String,
    pub class: &'static str,
}

pub(super) struct Link {
    pub from: usize,
    pub to: usize,
    pub class: &'static str,
    pub data: Data,
    pub steps: Vec<Step>,
    pub label_class: &'static str,
    pub label_data: Data,
    /// Drawn from below to above: see [`Edge::is_back`].
    pub is_back: bool,
}

/// A line of a label.
pub(super) struct Step {
    pub text: String,
    pub is_condition: bool,
    /// In the source.
    pub line: Option<u32>,
    pub tooltip: String,
}

impl Link {
    /// Line numbers stand beside the steps if there are several.
    pub fn gutter(&self) -> usize {
        let digits = self.steps.iter().filter_map(|s| s.line).max().map_or(0, |n| n.ilog10() + 1);
        if self.is_box() && digits > 0 { digits as usize + 1 } else { 0 }
    }

    /// Several steps have a frame around them.
    pub fn is_box(&self) -> bool {
        self.steps.len() > 1
    }

    fn label_size(&self) -> Option<Size> {
        let columns = self.steps.iter().map(|s| s.text.width()).max()? + self.gutter();
        Some(Size {
            width: columns as f64 * COLUMN + if self.is_box() { 14.0 } else { 6.0 },
            height: self.steps.len() as f64 * LINE_HEIGHT + if self.is_box() { 8.0 } else { 2.0 },
        })
    }
}

impl Panel {
    /// The graph as layout wants it.
    pub fn graph(&self) -> Graph {
        let edge = |l: &Link| Edge {
            from: l.from,
            to: l.to,
            label: l.label_size(),
            is_back: l.is_back,
            stub: size(self.nodes[l.to].stub.width(), 1),
        };
        let columns =
            |n: &Node| n.lines.iter().map(|l| l.text.width() + l.aside.width()).max().unwrap_or(0);
        Graph {
            nodes: self.nodes.iter().map(|n| size(columns(n), n.lines.len())).collect(),
            edges: self.links.iter().map(edge).collect(),
        }
    }
}

fn size(columns: usize, lines: usize) -> Size {
    Size {
        width: (columns as f64 * COLUMN + 16.0).max(36.0),
        height: NODE_HEIGHT + lines.saturating_sub(1) as f64 * LINE_HEIGHT,
    }
}
