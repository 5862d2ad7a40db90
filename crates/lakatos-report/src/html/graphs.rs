//! Drawings in the page: automata of functions, and what an engine has explored. Large ones are
//! closed at first; one that no eye can follow is a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lakatos_ir::Program;

use super::{Report, escaped};
use crate::draw::{self, reach};
use crate::outcome::{Outcome, Verdict};

/// A drawing with more boxes is closed at first.
const MOST_OPEN: usize = 40;
/// A graph with more nodes is no drawing but a table.
const MOST_DRAWN: usize = 1500;
/// More automata are below one line.
const MOST_LISTED: usize = 6;
/// Automata with more boxes in all are not drawn.
const MOST_BOXES: usize = 20_000;

/// The rules of the drawings, for drawings only.
pub(super) fn style() -> String {
    draw::STYLES.iter().map(|css| scoped(css)).collect()
}

/// Rules with their selectors below `.drawing`. There is one rule a line.
fn scoped(css: &str) -> String {
    let line = |line: &str| match line.split_once('{') {
        Some((selectors, rule)) if !selectors.trim_start().starts_with('@') => {
            let below: Vec<String> = selectors
                .split(',')
                .map(|selector| format!(".drawing {}", selector.trim()))
                .collect();
            format!("{} {{{rule}\n", below.join(", "))
        }
        _ => format!("{line}\n"),
    };
    css.lines().map(line).collect()
}

pub(super) fn automata(out: &mut String, report: &Report<'_>) {
    let Some(program) = report.program else { return };
    let mut drawings = draw::embedded(program);
    if drawings.is_empty() {
        return;
    }
    out.push_str("<section class=\"card\" id=\"automata\"><h2>Control-flow automata</h2>\n");
    let chosen = of_interest(report.outcome, program);
    drawings.sort_by_key(|drawing| drawing.name != chosen);
    let mut boxes = 0;
    let mut folded = false;
    for (number, drawing) in drawings.iter().enumerate() {
        if number == MOST_LISTED {
            folded = true;
            let more = drawings.len() - number;
            let _ = writeln!(out, "<details class=\"more\"><summary>{more} more</summary>");
        }
        boxes += drawing.boxes();
        let name = escaped(&drawing.name);
        if boxes > MOST_BOXES {
            let _ = writeln!(
                out,
                "<p class=\"quiet\">The other automata are left out: the program is large. \
                 <code>lakatos cfa --function {name}</code> draws one.</p>"
            );
            break;
        }
        let open = drawing.name == chosen && drawing.boxes() <= MOST_OPEN;
        let summary =
            format!("<code>{name}</code> <span class=\"quiet\">{} boxes</span>", drawing.boxes());
        details(out, &summary, open, &format!(" data-function=\"{name}\""), &drawing.svg());
    }
    if folded {
        out.push_str("</details>");
    }
    out.push_str("</section>\n");
}

/// The function that a reader wants to see first.
fn of_interest(outcome: &Outcome, program: &Program) -> String {
    let refuted = outcome.results.iter().find(|answer| answer.verdict == Verdict::Refuted);
    let frame = refuted.and_then(|answer| answer.run()?.stack.last());
    match frame {
        Some(frame) => frame.function.clone(),
        None => program.procs[program.main].name.clone(),
    }
}

fn details(out: &mut String, summary: &str, open: bool, attributes: &str, svg: &str) {
    let open = if open { " open" } else { "" };
    let _ = writeln!(
        out,
        "<details class=\"graph\"{attributes}{open}><summary>{summary}</summary>\n\
         <div class=\"zoom\"><button data-zoom=\"in\" title=\"larger\">+</button>\
         <button data-zoom=\"out\" title=\"smaller\">−</button>\
         <button data-zoom=\"fit\" title=\"fit the width\">fit</button></div>\n\
         <div class=\"drawing\">{svg}</div></details>"
    );
}

/// The reachability graph of one property.
pub(super) fn explored(out: &mut String, number: usize, graph: &reach::Graph) {
    if graph.nodes.is_empty() {
        return;
    }
    let count = graph.nodes.len();
    out.push_str("<section class=\"card\"><h2>What the engine explored</h2>\n");
    if count <= MOST_DRAWN {
        let summary = format!("{count} abstract states");
        let svg = reach::embedded(graph, &format!("g{number}-"));
        details(out, &summary, count <= MOST_OPEN, "", &svg);
    } else {
        table(out, graph);
    }
    out.push_str("</section>\n");
}

/// How many states there are at each place.
fn table(out: &mut String, graph: &reach::Graph) {
    let mut places: BTreeMap<(&str, Option<u32>), (usize, usize)> = BTreeMap::new();
    for node in &graph.nodes {
        let (all, left_out) = places.entry((&node.function, node.line)).or_default();
        *all += 1;
        let covered = matches!(node.kind, reach::NodeKind::Covered | reach::NodeKind::Popped);
        *left_out += usize::from(covered);
    }
    let _ = writeln!(
        out,
        "<p class=\"quiet\">{} abstract states, too many for a drawing (<code>lakatos arg</code> \
         writes them as JSON).</p>\n<details><summary>By place</summary><table class=\"inputs\">\
         <tr><th>place</th><th>states</th><th>covered or popped</th></tr>",
        graph.nodes.len()
    );
    for ((function, line), (all, left_out)) in places {
        let at = line
            .map_or(String::new(), |n| format!(" <a class=\"there\" href=\"#L{n}\">line {n}</a>"));
        let name = escaped(function);
        let _ = writeln!(
            out,
            "<tr><td><code>{name}</code>{at}</td><td class=\"value\">{all}</td>\
             <td class=\"value\">{left_out}</td></tr>"
        );
    }
    out.push_str("</table></details>");
}
