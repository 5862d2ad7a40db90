//! Lines: straight down through layers, in smooth curves between them.

use super::layers::{Chain, Layers};
use super::place::Places;
use super::{Direction, Edge, Graph, Layout, Line, Segment, Tip};

/// The length of an arrow head, left free at the end of a line.
pub(crate) const HEAD: f64 = 7.0;
/// The radius of corners where a back edge turns.
const CORNER: f64 = 7.0;

pub(super) fn route(graph: &Graph, layers: &Layers, places: &Places) -> Layout {
    let lines = graph.edges.iter().zip(&layers.chains).map(|(edge, chain)| {
        let mut pen = Pen { places, layers, at: (0.0, 0.0), path: Vec::new() };
        let tip = match chain.up.is_empty() {
            true => pen.forward(edge, chain),
            false => pen.back(edge, chain),
        };
        Line {
            label: chain.label.map(|c| places.areas[c]),
            stub: chain.stub.map(|c| places.areas[c]),
            path: pen.path,
            tip,
        }
    });
    Layout {
        size: places.size,
        edges: lines.collect(),
        nodes: places.areas[..graph.nodes.len()].to_vec(),
    }
}

struct Pen<'p> {
    places: &'p Places,
    layers: &'p Layers,
    at: (f64, f64),
    path: Vec<Segment>,
}

impl Pen<'_> {
    fn start(&mut self, x: f64, y: f64) {
        self.at = (x, y);
        self.path.push(Segment::Move(x, y));
    }

    fn line(&mut self, x: f64, y: f64) {
        let (from_x, from_y) = self.at;
        if (x, y) == self.at {
            return;
        }
        self.at = (x, y);
        // One straight piece instead of two.
        if let [.., Segment::Move(before, _) | Segment::Line(before, _), Segment::Line(..)] =
            self.path[..]
            && before == x
            && from_x == x
            && from_y != y
        {
            self.path.pop();
        }
        self.path.push(Segment::Line(x, y));
    }

    /// From one layer to the next: leaves and arrives vertically.
    fn swing(&mut self, x: f64, y: f64) {
        let (from_x, from_y) = self.at;
        if (from_x - x).abs() < 0.5 {
            return self.line(from_x, y);
        }
        let middle = (from_y + y) / 2.0;
        self.path.push(Segment::Curve([(from_x, middle), (x, middle), (x, y)]));
        self.at = (x, y);
    }

    fn corner(&mut self, by: (f64, f64), to: (f64, f64)) {
        self.path.push(Segment::Curve([by, by, to]));
        self.at = to;
    }

    fn band(&self, cell: usize) -> (f64, f64) {
        self.places.bands[self.layers.cells[cell].layer]
    }

    /// Out of the source's box to the lower edge of its layer.
    fn leave(&mut self, from: usize) {
        let source = &self.places.areas[from];
        self.start(source.x, source.bottom());
        self.line(source.x, self.band(from).1);
    }

    /// Through the label's or bend's own cell to the lower edge of its layer.
    fn pass(&mut self, cell: usize, is_label: bool) {
        let (area, (top, bottom)) = (self.places.areas[cell], self.band(cell));
        self.swing(area.x, top);
        let x = self.at.0;
        if is_label {
            self.start(x, area.bottom());
        }
        self.line(x, bottom);
    }

    fn forward(&mut self, edge: &Edge, chain: &Chain) -> Tip {
        self.leave(edge.from);
        for &cell in &chain.down {
            self.pass(cell, chain.label == Some(cell));
        }
        let target = chain.stub.unwrap_or(edge.to);
        let area = self.places.areas[target];
        self.swing(area.x, self.band(target).0);
        let x = self.at.0;
        self.line(x, area.top() - HEAD);
        Tip { x, y: area.top(), direction: Direction::Down }
    }

    fn back(&mut self, edge: &Edge, chain: &Chain) -> Tip {
        self.leave(edge.from);
        let turn = chain.label.unwrap_or(edge.from);
        if let Some(label) = chain.label {
            self.pass(label, true);
        }
        self.turn_up(self.band(turn).1, self.places.areas[chain.up[0]].x);
        for pair in chain.up.windows(2) {
            let (bottom_of_next, top) = (self.band(pair[1]).1, self.band(pair[0]).0);
            let x = self.at.0;
            self.line(x, top);
            self.swing(self.places.areas[pair[1]].x, bottom_of_next);
        }
        self.enter_from_side(edge.to)
    }

    /// Below a layer from where the line comes down to where it goes up.
    fn turn_up(&mut self, bottom: f64, x: f64) {
        let from = self.at.0;
        let r = CORNER.min((x - from).abs() / 2.0) * (x - from).signum();
        let y = bottom + CORNER;
        self.corner((from, y), (from + r, y));
        self.line(x - r, y);
        self.corner((x, y), (x, bottom));
    }

    fn enter_from_side(&mut self, to: usize) -> Tip {
        let (target, x) = (self.places.areas[to], self.at.0);
        let is_right = x > target.x;
        let (end, direction, sign) = match is_right {
            true => (target.right(), Direction::Left, 1.0),
            false => (target.left(), Direction::Right, -1.0),
        };
        self.line(x, target.y + CORNER);
        self.corner((x, target.y), (x - sign * CORNER, target.y));
        self.line(end + sign * HEAD, target.y);
        Tip { x: end, y: target.y, direction }
    }
}
