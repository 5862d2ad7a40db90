//! The timeline of a property: engines that were asked, and what happened, with a line for each
//! refinement that opens to what was learned and where.

use std::fmt::Write as _;

use super::{escaped, place};
use crate::outcome::Outcome;
use crate::timeline::{Asked, Event, Kind, Learned, Refined, Timeline, What};

pub(super) fn history(out: &mut String, outcome: &Outcome, number: usize, timeline: &Timeline) {
    let Timeline { engines, events } = timeline;
    if engines.is_empty() && events.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<section class=\"card timeline\" data-property=\"{number}\"><h2>How it went</h2>"
    );
    if !engines.is_empty() {
        out.push_str("<ul class=\"asked\">\n");
        engines.iter().for_each(|asked| engine(out, asked));
        out.push_str("</ul>\n");
    }
    if !events.is_empty() {
        bars(out, number, events);
        let several = !engines.is_empty();
        out.push_str("<ol class=\"events\">\n");
        for (at, event) in events.iter().enumerate() {
            line(out, outcome, &format!("e{number}-{at}"), event, several);
        }
        out.push_str("</ol>\n");
    }
    out.push_str("</section>\n");
}

fn engine(out: &mut String, asked: &Asked) {
    let Asked { engine, turns, refinements, nodes, end, answered } = asked;
    let class = if *answered { " class=\"answered\"" } else { "" };
    let mut took = Vec::new();
    for (value, one) in
        [(u64::from(*turns), "turn"), (*refinements, "refinement"), (*nodes, "node")]
    {
        if value > 0 {
            took.push(counted(value, one));
        }
    }
    let _ = writeln!(
        out,
        "<li{class}><b>{}</b> {} <span class=\"quiet\">{}</span></li>",
        escaped(engine),
        escaped(end),
        took.join(", ")
    );
}

fn counted(value: u64, one: &str) -> String {
    let s = if value == 1 { "" } else { "s" };
    format!("{value} {one}{s}")
}

/// A bar for each refinement, as high as the graph was large; for the eye and the mouse, since the
/// lines below say the same.
fn bars(out: &mut String, number: usize, events: &[Event]) {
    let refined = |event: &Event| match &event.what {
        What::Refined(refined) => Some(refined.nodes),
        _ => None,
    };
    let highest = events.iter().filter_map(refined).max().unwrap_or(0).max(1);
    if events.iter().filter_map(refined).count() < 2 {
        return;
    }
    out.push_str("<div class=\"bars\" aria-hidden=\"true\">");
    for (at, event) in events.iter().enumerate() {
        if let What::Refined(Refined { number: n, nodes, .. }) = &event.what {
            let height = 8 + nodes * 92 / highest;
            let _ = write!(
                out,
                "<a href=\"#e{number}-{at}\" tabindex=\"-1\" title=\"refinement {n}: {}\">\
                 <i style=\"height:{height}%\"></i></a>",
                counted(*nodes, "node")
            );
        }
    }
    out.push_str("</div>\n");
}

fn line(out: &mut String, outcome: &Outcome, id: &str, event: &Event, several: bool) {
    let engine = match several {
        true => format!("<b>{}</b> ", escaped(&event.engine)),
        false => String::new(),
    };
    let _ = match &event.what {
        What::Turn(turn) => {
            writeln!(out, "<li id=\"{id}\" class=\"turn\">{engine}turn {turn}</li>")
        }
        What::LeftOut(number) => {
            let what = counted(*number, "refinement");
            writeln!(out, "<li id=\"{id}\" class=\"quiet\">{engine}… {what} left out …</li>")
        }
        What::Said(words, is_end) => {
            let class = if *is_end { "turn answered" } else { "turn" };
            let words = escaped(words);
            writeln!(out, "<li id=\"{id}\" class=\"{class}\">{engine}{words}</li>")
        }
        What::Refined(refined) => {
            let _ = writeln!(out, "<li id=\"{id}\" class=\"refined\">");
            refinement(out, outcome, &engine, refined);
            writeln!(out, "</li>")
        }
    };
}

fn refinement(out: &mut String, outcome: &Outcome, engine: &str, refined: &Refined) {
    let Refined { number, nodes, how, steps, target, learned, left_out } = refined;
    let _ = writeln!(
        out,
        "<details><summary>{engine}<span class=\"nth\">#{number}</span> {} \
         <span class=\"quiet\">after {}</span></summary>",
        gain(refined),
        counted(*nodes, "node"),
    );
    let steps = steps.map_or(String::new(), |n| format!(" of {}", counted(n, "step")));
    let to = target.as_ref().map_or(String::new(), |at| {
        format!(
            " <span class=\"there\">The counterexample{steps} ends at {}.</span>",
            place(outcome, at)
        )
    });
    let _ = writeln!(out, "<p class=\"quiet\">{}.{to}</p>", escaped(how));
    if !learned.is_empty() {
        out.push_str("<ul class=\"learned\">\n");
        learned.iter().for_each(|one| lesson(out, outcome, one));
        if *left_out > 0 {
            let _ = writeln!(out, "<li class=\"quiet\">… and {left_out} more</li>");
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</details>");
}

/// `2 predicates, 1 variable`.
fn gain(refined: &Refined) -> String {
    let of = |kind: Kind| refined.learned.iter().filter(|one| one.kind == kind).count() as u64;
    let counts = [(of(Kind::Predicate), "predicate"), (of(Kind::Variable), "variable")];
    let parts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, one)| counted(*n, one)).collect();
    let more = if refined.left_out > 0 { " and more" } else { "" };
    match parts.is_empty() {
        true => "nothing to list".to_owned(),
        false => parts.join(", ") + more,
    }
}

fn lesson(out: &mut String, outcome: &Outcome, learned: &Learned) {
    let Learned { kind, text, function, places } = learned;
    let what = match kind {
        Kind::Predicate => "",
        Kind::Variable => "values of ",
    };
    let mut links: Vec<String> = places.iter().map(|at| place(outcome, at)).collect();
    links.dedup();
    let _ = writeln!(
        out,
        "<li>{what}<code class=\"what\">{}</code> <span class=\"quiet\">in <code>{}</code></span> {}</li>",
        escaped(text),
        escaped(function),
        links.join(", ")
    );
}
