//! Layered drawing of a directed graph (Sugiyama's method): where boxes, labels and lines go.
//!
//! Knows nothing of programs: in goes a [`Graph`] of sizes, out comes a [`Layout`] of coordinates.
//! Stages, each in its own file: `layers` ranks nodes by longest path and cuts edges into cells,
//! one per layer; `order` reduces crossings; `place` gives coordinates; `route` bends the lines.
//!
//! Why nothing ever overlaps: nodes live in even layers, edge labels are cells of their own in odd
//! layers, and a line that passes a layer owns a narrow cell there. Cells of one layer are kept
//! apart, layers are stacked, and lines only swing sideways between layers. Edges marked as back
//! edges go up beside the nodes they pass and enter their target from the side.
//!
//! Memory is linear: when lines would need too many cells, the longest edges end in a *stub*, a
//! small box that names the target.

mod layers;
mod order;
mod place;
mod route;

pub(crate) use route::HEAD;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

/// A box by its centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub x: f64,
    pub y: f64,
    pub size: Size,
}

impl Area {
    pub fn left(&self) -> f64 {
        self.x - self.size.width / 2.0
    }
    pub fn right(&self) -> f64 {
        self.x + self.size.width / 2.0
    }
    pub fn top(&self) -> f64 {
        self.y - self.size.height / 2.0
    }
    pub fn bottom(&self) -> f64 {
        self.y + self.size.height / 2.0
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub nodes: Vec<Size>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: Option<Size>,
    /// Goes against the flow: up, beside the nodes it passes, or back to `from` itself. With the
    /// edges so marked turned round (but for those to themselves) the graph must have no cycle.
    pub is_back: bool,
    /// The size of the box that stands for the target if the edge is too long to draw.
    pub stub: Size,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub size: Size,
    pub nodes: Vec<Area>,
    pub edges: Vec<Line>,
}

/// How an edge is drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub label: Option<Area>,
    /// Present if the edge is too long to draw: it ends here.
    pub stub: Option<Area>,
    pub path: Vec<Segment>,
    pub tip: Tip,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    Move(f64, f64),
    Line(f64, f64),
    /// Two control points and the end.
    Curve([(f64, f64); 3]),
}

/// An arrow head: its point, and where it points to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tip {
    pub x: f64,
    pub y: f64,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Direction {
    #[default]
    Down,
    Left,
    Right,
}

pub(crate) fn layout(graph: &Graph) -> Layout {
    let mut layers = layers::Layers::new(graph);
    order::reduce_crossings(&mut layers);
    layers.insert_caps();
    let places = place::places(&layers);
    route::route(graph, &layers, &places)
}
