//! What an edge does, as text: a step a line.

use lakatos_ir::{Edge, Instr, LocId, Program, Region};

/// A block with more ways through it is told by its lines only.
const MOST_WAYS: usize = 3;

/// The steps of an instruction; those of a block with branches way by way.
pub(super) fn operation(program: &Program, instr: &Instr) -> Vec<String> {
    match instr {
        Instr::Skip => Vec::new(),
        Instr::Block(region) => block(program, region),
        other => vec![program.show_instr(other).to_string()],
    }
}

/// What a return does with the callee's result.
pub(super) fn result(program: &Program, instr: &Instr) -> String {
    match instr {
        Instr::Call(call) => match call.result {
            Some(place) => format!("return: {} = \\result", program.show_place(place)),
            None => "return".to_owned(),
        },
        _ => "return".to_owned(),
    }
}

fn block(program: &Program, region: &Region) -> Vec<String> {
    let Some(ways) = ways(region) else { return vec![lines(program, region)] };
    let mut text = Vec::new();
    for way in ways {
        if !text.is_empty() {
            text.push("or".to_owned());
        }
        let before = text.len();
        text.extend(way.iter().flat_map(|edge| operation(program, &edge.instr)));
        if text.len() == before {
            text.push("skip".to_owned());
        }
    }
    text
}

/// All ways through a block, if they are few.
fn ways(region: &Region) -> Option<Vec<Vec<&Edge>>> {
    let leaving = |loc: LocId| region.edges.iter().filter(move |edge| edge.from == loc);
    let mut open: Vec<Vec<&Edge>> = leaving(region.entry).map(|edge| vec![edge]).rev().collect();
    let mut ways = Vec::new();
    while let Some(way) = open.pop() {
        if ways.len() + open.len() >= MOST_WAYS {
            return None;
        }
        let end = way.last().expect("ways begin with an edge").to;
        if end == region.exit {
            ways.push(way);
            continue;
        }
        let next: Vec<Vec<&Edge>> =
            leaving(end).map(|edge| way.iter().copied().chain([edge]).collect()).collect();
        open.extend(next.into_iter().rev());
    }
    Some(ways)
}

/// How many steps there are, and on which lines.
fn lines(program: &Program, region: &Region) -> String {
    let spans = region.edges.iter().filter(|edge| edge.span != lakatos_ir::Span::default());
    let lines: Vec<u32> = spans.map(|edge| program.source.position(edge.span.start).line).collect();
    let steps = region.edges.len();
    match (lines.iter().min(), lines.iter().max()) {
        (Some(first), Some(last)) if first < last => {
            format!("{steps} steps, branching, lines {first} to {last}")
        }
        (Some(line), _) => format!("{steps} steps, branching, line {line}"),
        _ => format!("{steps} steps, branching"),
    }
}
