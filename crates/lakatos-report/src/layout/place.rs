//! Coordinates. Across: Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment" (GD
//! 2001): four extreme alignments of cells with their median neighbours, then their mean. Down:
//! layers are stacked.

use super::layers::{Cell, Kind, Layers, Neighbours};
use super::{Area, Size};

/// Between two layers, where lines swing from side to side.
const LAYER_GAP: f64 = 26.0;
/// The same beside a layer that lines only pass.
const SMALL_GAP: f64 = 14.0;

#[derive(Debug)]
pub(super) struct Places {
    /// Per cell.
    pub areas: Vec<Area>,
    /// Top and bottom per layer.
    pub bands: Vec<(f64, f64)>,
    pub size: Size,
}

pub(super) fn places(graph: &Layers) -> Places {
    let xs = across(graph);
    let height =
        |layer: &Vec<usize>| layer.iter().map(|&c| graph.cells[c].size.height).fold(0.0, f64::max);
    let heights: Vec<f64> = graph.layers.iter().map(height).collect();
    let mut bands = Vec::with_capacity(graph.layers.len());
    let mut top = 0.0;
    for (i, &height) in heights.iter().enumerate() {
        let is_thin = height == 0.0 || heights.get(i + 1) == Some(&0.0);
        bands.push((top, top + height));
        top += height + if is_thin { SMALL_GAP } else { LAYER_GAP };
    }
    let area = |(&x, cell): (&f64, &Cell)| {
        let (top, bottom) = bands[cell.layer];
        // Labels hang below the node they come from.
        let bottom = if cell.kind == Kind::Label { top + cell.size.height } else { bottom };
        Area { x, y: (top + bottom) / 2.0, size: cell.size }
    };
    let areas: Vec<Area> = xs.iter().zip(&graph.cells).map(area).collect();
    let size = Size {
        width: areas.iter().map(Area::right).fold(0.0, f64::max),
        height: bands.last().map_or(0.0, |band| band.1 + SMALL_GAP),
    };
    Places { areas, bands, size }
}

/// The least distance between the centres of two neighbours in a layer.
fn separation(left: &Cell, right: &Cell) -> f64 {
    let is_line = |c: &Cell| matches!(c.kind, Kind::Bend | Kind::Cap);
    let gap = match (is_line(left), is_line(right)) {
        (true, true) => 12.0,
        (false, false) => 28.0,
        _ => 16.0,
    };
    (left.size.width + right.size.width) / 2.0 + gap
}

/// The centres of all cells, from 0 to the right.
fn across(graph: &Layers) -> Vec<f64> {
    let position = graph.positions();
    let mut near = [graph.neighbours(false), graph.neighbours(true)];
    near.iter_mut().for_each(|n| n.sort_by(&position));
    let conflicts = conflicts(graph, &near[0], &position);
    let mut runs: Vec<Vec<f64>> = Vec::with_capacity(4);
    for (near, is_down) in near.iter().zip([true, false]) {
        for is_left in [true, false] {
            let view =
                View { graph, position: &position, near, conflicts: &conflicts, is_down, is_left };
            let root = view.align();
            runs.push(view.compact(&root));
        }
    }
    balance(graph, &mut runs)
}

/// Moves the four results together and takes the mean of the middle two.
fn balance(graph: &Layers, runs: &mut [Vec<f64>]) -> Vec<f64> {
    let extent = |xs: &[f64]| {
        let cells = graph.layers.iter().flatten().map(|&c| (c, graph.cells[c].size.width / 2.0));
        cells.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (c, half)| {
            (low.min(xs[c] - half), high.max(xs[c] + half))
        })
    };
    let extents: Vec<_> = runs.iter().map(|xs| extent(xs)).collect();
    let narrowest = extents.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let (low, high) = narrowest.unwrap_or_default();
    for (i, xs) in runs.iter_mut().enumerate() {
        let shift = if i % 2 == 0 { low - extents[i].0 } else { high - extents[i].1 };
        xs.iter_mut().for_each(|x| *x += shift);
    }
    let middle = |cell: usize| {
        let mut four: Vec<f64> = runs.iter().map(|xs| xs[cell]).collect();
        four.sort_by(f64::total_cmp);
        (four[1] + four[2]) / 2.0
    };
    let mut xs: Vec<f64> = (0..graph.cells.len()).map(middle).collect();
    let (low, _) = extent(&xs);
    xs.iter_mut().for_each(|x| *x -= low);
    xs
}

/// Links that must not be straightened because they cross a line that passes two layers: marked
/// by their upper and lower cell.
fn conflicts(graph: &Layers, above: &Neighbours, position: &[usize]) -> Conflicts {
    let passes = |c: usize| graph.cells[c].kind != Kind::Node && graph.cells[c].kind != Kind::Stub;
    let inner = |c: usize| above.of(c).first().copied().filter(|&up| passes(c) && passes(up));
    let mut found = Vec::new();
    for pair in graph.layers.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let (mut left, mut scanned) = (0, 0);
        for (i, &cell) in lower.iter().enumerate() {
            let line = inner(cell);
            if line.is_none() && i + 1 < lower.len() {
                continue;
            }
            let right = line.map_or(upper.len(), |up| position[up]);
            for &other in &lower[scanned..=i] {
                let crossed = above.of(other).iter().filter(|&&up| {
                    (position[up] < left || position[up] > right) && !(passes(other) && passes(up))
                });
                found.extend(crossed.map(|&up| (up, other)));
            }
            scanned = i + 1;
            left = right;
        }
    }
    found.sort_unstable();
    Conflicts(found)
}

struct Conflicts(Vec<(usize, usize)>);

impl Conflicts {
    fn has(&self, a: usize, b: usize) -> bool {
        let is_in = |pair| self.0.binary_search(&pair).is_ok();
        !self.0.is_empty() && (is_in((a, b)) || is_in((b, a)))
    }
}

/// One of the four directions in which cells are aligned and pushed together.
struct View<'g> {
    graph: &'g Layers,
    position: &'g [usize],
    /// Neighbours in the layer that comes before, sorted by position.
    near: &'g Neighbours,
    conflicts: &'g Conflicts,
    is_down: bool,
    is_left: bool,
}

impl View<'_> {
    /// For every cell, the first cell of the vertical block it belongs to.
    fn align(&self) -> Vec<usize> {
        let mut root: Vec<usize> = (0..self.graph.cells.len()).collect();
        let count = self.graph.layers.len();
        for i in 0..count {
            let layer = &self.graph.layers[if self.is_down { i } else { count - 1 - i }];
            // The place that the next alignment must be beyond, as a distance from the near side.
            let mut free = 0;
            for j in 0..layer.len() {
                let cell = layer[if self.is_left { j } else { layer.len() - 1 - j }];
                for up in self.medians(cell).into_iter().flatten() {
                    let depth = self.depth(up);
                    if depth >= free && !self.conflicts.has(cell, up) {
                        root[cell] = root[up];
                        free = depth + 1;
                        break;
                    }
                }
            }
        }
        root
    }

    fn depth(&self, cell: usize) -> usize {
        let at = self.position[cell];
        match self.is_left {
            true => at,
            false => self.graph.layers[self.graph.cells[cell].layer].len() - 1 - at,
        }
    }

    /// The one or two neighbours in the middle, the preferred one first.
    fn medians(&self, cell: usize) -> [Option<usize>; 2] {
        let near = self.near.of(cell);
        let n = near.len();
        match (n, n % 2) {
            (0, _) => [None, None],
            (_, 1) => [Some(near[n / 2]), None],
            _ if self.is_left => [Some(near[n / 2 - 1]), Some(near[n / 2])],
            _ => [Some(near[n / 2]), Some(near[n / 2 - 1])],
        }
    }

    /// Pushes the blocks together as far as separations allow, then draws them back where
    /// there is room. Returns the centre of every cell.
    fn compact(&self, root: &[usize]) -> Vec<f64> {
        let cells = &self.graph.cells;
        let mut links = Vec::with_capacity(cells.len());
        for layer in &self.graph.layers {
            for pair in layer.windows(2) {
                let distance = separation(&cells[pair[0]], &cells[pair[1]]);
                let (a, b) = (root[pair[0]], root[pair[1]]);
                links.push(if self.is_left { (a, b, distance) } else { (b, a, distance) });
            }
        }
        let order = topological(cells.len(), &links);
        let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); cells.len()];
        links.iter().for_each(|&(a, b, distance)| after[a].push((b, distance)));
        let mut xs = vec![0.0f64; cells.len()];
        for &block in &order {
            for &(next, distance) in &after[block] {
                xs[next] = xs[next].max(xs[block] + distance);
            }
        }
        for &block in order.iter().rev() {
            let room = after[block].iter().map(|&(next, distance)| xs[next] - distance);
            let room = room.fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                xs[block] = xs[block].max(room);
            }
        }
        let sign = if self.is_left { 1.0 } else { -1.0 };
        root.iter().map(|&r| sign * xs[r]).collect()
    }
}

/// Blocks in an order in which every one comes after those it must be beyond.
fn topological(count: usize, links: &[(usize, usize, f64)]) -> Vec<usize> {
    let next = Neighbours::new(count, links.iter().map(|l| (l.0, l.1)));
    let mut waiting = vec![0usize; count];
    links.iter().for_each(|l| waiting[l.1] += 1);
    let mut order: Vec<usize> = (0..count).filter(|&b| waiting[b] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &to in next.of(order[done]) {
            waiting[to] -= 1;
            if waiting[to] == 0 {
                order.push(to);
            }
        }
        done += 1;
    }
    debug_assert_eq!(order.len(), count, "blocks form a cycle");
    order
}
