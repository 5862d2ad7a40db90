//! Fewer crossings: cells are sorted by where their neighbours are, layer by layer, down and up.

use super::layers::{Layers, Neighbours};

/// Sweeps over the graph; fewer for large ones.
fn sweeps(cells: usize) -> usize {
    if cells < 5_000 { 16 } else { 4 }
}

/// Sorts each layer so that lines cross little. The best order met is kept.
pub(super) fn reduce_crossings(graph: &mut Layers) {
    let (above, below) = (graph.neighbours(false), graph.neighbours(true));
    let mut position = graph.positions();
    let mut best = graph.layers.clone();
    let mut fewest = crossings(graph, &below, &position);
    for sweep in 0..sweeps(graph.cells.len()) {
        if fewest == 0 {
            break;
        }
        let (is_down, near) = if sweep % 2 == 0 { (true, &above) } else { (false, &below) };
        let count = graph.layers.len();
        for i in 0..count {
            let layer = if is_down { i } else { count - 1 - i };
            sort_layer(&mut graph.layers[layer], near, &mut position);
        }
        let now = crossings(graph, &below, &position);
        if now < fewest {
            fewest = now;
            best.clone_from(&graph.layers);
        }
    }
    graph.layers = best;
}

/// Sorts by the mean position of the neighbours; a cell without any stays after the one it follows.
fn sort_layer(layer: &mut Vec<usize>, near: &Neighbours, position: &mut [usize]) {
    let mut last = 0.0;
    let mut keyed: Vec<(f64, usize)> = layer
        .iter()
        .map(|&cell| {
            let near = near.of(cell);
            if !near.is_empty() {
                last = near.iter().map(|&n| position[n]).sum::<usize>() as f64 / near.len() as f64;
            }
            (last, cell)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layer.clear();
    layer.extend(keyed.iter().map(|k| k.1));
    for (i, &cell) in layer.iter().enumerate() {
        position[cell] = i;
    }
}

fn crossings(graph: &Layers, below: &Neighbours, position: &[usize]) -> u64 {
    let pairs = graph.layers.windows(2);
    pairs.map(|pair| layer_crossings(&pair[0], pair[1].len(), below, position)).sum()
}

/// Counts inversions with a Fenwick tree.
fn layer_crossings(upper: &[usize], width: usize, below: &Neighbours, position: &[usize]) -> u64 {
    let mut tree = vec![0u64; width + 1];
    let (mut total, mut crossed, mut ends) = (0u64, 0u64, Vec::new());
    for &cell in upper {
        ends.clear();
        ends.extend(below.of(cell).iter().map(|&c| position[c] + 1));
        for &end in &ends {
            let (mut i, mut not_right) = (end, 0);
            while i > 0 {
                not_right += tree[i];
                i &= i - 1;
            }
            crossed += total - not_right;
        }
        for &end in &ends {
            let mut i = end;
            while i <= width {
                tree[i] += 1;
                i += i & i.wrapping_neg();
            }
            total += 1;
        }
    }
    crossed
}
