//! A report to look at: one HTML page with the source, verdicts, contracts and invariants at their
//! lines, a stepper through a refutation, timelines, automata, reachability graphs and statistics.
//!
//! The page stands alone: its style and script are in it, and nothing is loaded. Everything that
//! comes from the program is text, in elements and in the data for the script alike. The same
//! outcome gives the same bytes.

mod answer;
mod code;
mod data;
mod graphs;
mod history;
mod source;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use lakatos_ir::Program;

use crate::draw::reach;
use crate::outcome::{Level, Outcome, Position, Verdict};
use crate::timeline::Timeline;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// What a report is made from.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    pub outcome: &'a Outcome,
    /// The program's file, as the user wrote it.
    pub text: &'a str,
    /// Whose automata are drawn.
    pub program: Option<&'a Program>,
    /// Of each property in the outcome's order, what an engine has explored.
    pub graphs: &'a [Option<reach::Graph>],
    /// Likewise, what happened in the run.
    pub timelines: &'a [Option<Timeline>],
}

/// The page.
pub fn html(report: &Report<'_>) -> String {
    let Report { outcome, .. } = report;
    let file = escaped(&outcome.file);
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{file}: {}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n",
        outcome.verdict.word(),
        graphs::style(),
    );
    header(&mut out, outcome, &file);
    out.push_str("<main>\n");
    source::source(&mut out, report);
    out.push_str("<aside id=\"side\">\n");
    for number in 0..outcome.results.len() {
        answer::answer(&mut out, report, number);
    }
    diagnostics(&mut out, outcome);
    graphs::automata(&mut out, report);
    out.push_str("</aside>\n</main>\n");
    let data = data::data(outcome);
    let _ = writeln!(out, "<script type=\"application/json\" id=\"data\">{data}</script>");
    let _ = writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
    out
}

fn header(out: &mut String, outcome: &Outcome, file: &str) {
    let Outcome { data_model, signed_overflow, engine, tool, .. } = outcome;
    let _ = write!(
        out,
        "<header>\n<div class=\"head\"><h1>{file}</h1>\n<p class=\"meta\">{} · engine {} · signed \
         overflow: {} · Lakatos {} with {}</p></div>\n",
        escaped(data_model),
        escaped(engine),
        escaped(signed_overflow),
        escaped(&tool.version),
        escaped(&tool.solver),
    );
    out.push_str("<nav class=\"chips\" role=\"tablist\" aria-label=\"properties\">\n");
    // The first that is refuted is the one to look at.
    let chosen = outcome.results.iter().position(|a| a.verdict == Verdict::Refuted).unwrap_or(0);
    for (number, answer) in outcome.results.iter().enumerate() {
        let _ = writeln!(
            out,
            "<button class=\"chip {0}\" role=\"tab\" id=\"tab-{number}\" \
             aria-controls=\"answer-{number}\" aria-selected=\"{1}\" data-property=\"{number}\">\
             <b>{2}</b> {0}</button>",
            answer.verdict.word(),
            number == chosen,
            escaped(&answer.property),
        );
    }
    if outcome.verdict == Verdict::Invalid {
        out.push_str("<span class=\"chip invalid\"><b>no C program</b> see below</span>\n");
    }
    out.push_str("</nav>\n</header>\n");
}

/// What the front-end says.
fn diagnostics(out: &mut String, outcome: &Outcome) {
    if outcome.diagnostics.is_empty() {
        return;
    }
    out.push_str("<section class=\"card\"><h2>The front-end says</h2>\n<ul class=\"said\">\n");
    for said in &outcome.diagnostics {
        let word = match said.severity {
            Level::Warning => "warning",
            Level::Unsupported => "unsupported",
            Level::Error => "error",
        };
        let help = said.help.as_ref().map_or(String::new(), |help| {
            format!("<br><span class=\"quiet\">{}</span>", escaped(help))
        });
        let _ = writeln!(
            out,
            "<li><span class=\"{word}\">{word}</span> {} {}{help}</li>",
            escaped(&said.message),
            place(outcome, &said.position)
        );
    }
    out.push_str("</ul></section>\n");
}

/// A place as a link to its line, if it is in the file that is shown.
fn place(outcome: &Outcome, at: &Position) -> String {
    match at.file == outcome.file {
        true => format!("<a class=\"there\" href=\"#L{0}\">line {0}</a>", at.line),
        false => format!("<span class=\"there\">{}:{}</span>", escaped(&at.file), at.line),
    }
}

/// Text for an element or a quoted attribute. Characters that command something are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // What turns the direction of text could show a program that is not the one.
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => out.push('\u{FFFD}'),
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
