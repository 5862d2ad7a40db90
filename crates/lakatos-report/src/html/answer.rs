//! What is known of one property: the verdict, the stepper of a run or the parts of a proof, what
//! it took, and what an engine has explored.

use std::fmt::Write as _;

use super::{Report, escaped, graphs, history, place};
use crate::excerpt::shortened;
use crate::outcome::{Answer, Evidence, Outcome, Proof, Run, Statistics, Verdict};

/// Inputs that are listed.
const MOST_INPUTS: usize = 200;

pub(super) fn answer(out: &mut String, report: &Report<'_>, number: usize) {
    let outcome = report.outcome;
    let answer = &outcome.results[number];
    let chosen = outcome.results.iter().position(|a| a.verdict == Verdict::Refuted).unwrap_or(0);
    let hidden = if number == chosen { "" } else { " hidden" };
    let _ = writeln!(
        out,
        "<div class=\"answer\" role=\"tabpanel\" id=\"answer-{number}\" \
         aria-labelledby=\"tab-{number}\" data-property=\"{number}\"{hidden}>"
    );
    verdict(out, outcome, answer);
    match &answer.evidence {
        Evidence::Proof(proof) => contracts(out, outcome, proof),
        Evidence::Run(run) => {
            stepper(out, number);
            inputs(out, outcome, run);
        }
        Evidence::Reason(_) => {}
    }
    if let Some(statistics) = &answer.statistics {
        figures(out, statistics);
    }
    if let Some(timeline) = report.timelines.get(number).and_then(Option::as_ref) {
        history::history(out, outcome, number, timeline);
    }
    if let Some(graph) = report.graphs.get(number).and_then(Option::as_ref) {
        graphs::explored(out, number, graph);
    }
    out.push_str("</div>\n");
}

fn verdict(out: &mut String, outcome: &Outcome, answer: &Answer) {
    let (property, word) = (escaped(&answer.property), answer.verdict.word());
    let _ = writeln!(out, "<section class=\"card verdict {word}\"><h2>{property}: {word}</h2>");
    let _ = match &answer.evidence {
        Evidence::Reason(reason) => writeln!(out, "<p>{}</p>", escaped(reason)),
        Evidence::Run(run) => {
            let (message, at) = (escaped(&run.violation.message), &run.violation.position);
            let executed = run.execution.as_ref().map_or(String::new(), |how| {
                format!("<br><span class=\"quiet\">{}</span>", escaped(how))
            });
            writeln!(out, "<p>{message} {}{executed}</p>", place(outcome, at))
        }
        Evidence::Proof(proof) => {
            let by = || escaped(&proof.solvers.join(" and "));
            let conditions = match (proof.execution, proof.conditions) {
                (Some(execution), _) => format!("Proved, {}", execution.describe()),
                (None, 0) => "Nothing had to be checked".to_owned(),
                (None, 1) => format!("1 condition, checked by {}", by()),
                (None, n) => format!("{n} conditions, checked by {}", by()),
            };
            writeln!(out, "<p>{conditions}{}.</p>", proof.turns())
        }
    };
    let assumptions = answer.proof().map_or(&[][..], |proof| &proof.assumptions);
    if !assumptions.is_empty() {
        out.push_str("<p class=\"quiet\">Assuming:</p><ul class=\"quiet\">");
        for text in assumptions {
            let _ = write!(out, "<li>{}</li>", escaped(text));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

/// Where something is said in the source; the words are there.
fn contracts(out: &mut String, outcome: &Outcome, proof: &Proof) {
    if proof.functions.is_empty() {
        return;
    }
    out.push_str(
        "<section class=\"card\"><h2>Contracts and invariants</h2>\n<ul class=\"said\">\n",
    );
    for function in &proof.functions {
        let name = escaped(&function.name);
        if function.has_contract() {
            let at = place(outcome, &function.position);
            let _ = writeln!(out, "<li>contract of <code>{name}</code> {at}</li>");
        }
        for invariant in &function.invariants {
            let at = place(outcome, &invariant.position);
            let _ = writeln!(out, "<li>loop in <code>{name}</code> {at}</li>");
        }
    }
    out.push_str("</ul></section>\n");
}

/// The frame that the script fills.
fn stepper(out: &mut String, number: usize) {
    let _ = writeln!(
        out,
        "<section class=\"card stepper\" data-property=\"{number}\"><h2>The run</h2>\n\
         <noscript><p>The steps are shown by a script; the JSON of `--json` has them, too.</p>\
         </noscript>\n\
         <div class=\"controls\"><button data-go=\"first\" title=\"first step (Home)\">⇤</button>\
         <button data-go=\"back\" title=\"one step back (←)\">←</button>\
         <button data-go=\"next\" title=\"one step on (→)\">→</button>\
         <button data-go=\"last\" title=\"the violation (End)\">⇥</button>\
         <input type=\"range\" min=\"0\" value=\"0\" aria-label=\"step\">\
         <output class=\"count\"></output></div>\n\
         <p class=\"now\" aria-live=\"polite\"></p>\n\
         <div class=\"state\"><div><h3>Values</h3><div class=\"values\"></div></div>\
         <div><h3>Calls</h3><ol class=\"calls\"></ol></div></div>\n\
         <ol class=\"around\"></ol></section>"
    );
}

fn inputs(out: &mut String, outcome: &Outcome, run: &Run) {
    if run.inputs.is_empty() {
        return;
    }
    let open = if run.inputs.len() <= 12 { " open" } else { "" };
    let _ = writeln!(
        out,
        "<section class=\"card\"><details{open}><summary>Inputs ({})</summary>\n<table class=\"inputs\">",
        run.inputs.len()
    );
    for input in run.inputs.iter().take(MOST_INPUTS) {
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code> #{}</td><td>{}</td><td class=\"value\">{}</td></tr>",
            escaped(&shortened(&input.source, 80)),
            input.occurrence,
            place(outcome, &input.position),
            escaped(&input.value),
        );
    }
    out.push_str("</table>");
    if run.inputs.len() > MOST_INPUTS {
        let more = run.inputs.len() - MOST_INPUTS;
        let _ = write!(out, "<p class=\"quiet\">… and {more} more</p>");
    }
    out.push_str("</details></section>\n");
}

fn figures(out: &mut String, statistics: &Statistics) {
    let Statistics { probes, refinements, guesses, nodes, popped, predicates, .. } = *statistics;
    let Statistics { seconds, variables, dropped, queries, blocks, .. } = *statistics;
    let rows = [
        ("refinements", refinements),
        ("predicates", predicates),
        ("variables with values", variables),
        ("of them too many", dropped),
        ("nodes", nodes),
        ("popped", popped),
        ("blocks", blocks),
        ("queries of the abstraction", queries),
        ("concrete runs", probes),
        ("guessed runs", guesses),
    ];
    out.push_str("<section class=\"card\"><h2>What it took</h2>\n<dl class=\"figures\">");
    let _ = write!(out, "<div><dd>{seconds:.3} s</dd><dt>time</dt></div>");
    for (name, value) in rows.into_iter().filter(|(_, value)| *value > 0) {
        let _ = write!(out, "<div><dd>{value}</dd><dt>{name}</dt></div>");
    }
    out.push_str("</dl></section>\n");
}
