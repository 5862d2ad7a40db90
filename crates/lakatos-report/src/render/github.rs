//! Workflow commands of GitHub Actions, which become annotations of a change: an error for what is
//! refuted, a warning for what is unknown, a notice for a proof.
//!
//! Nothing but commands is written, and what they hold is escaped, so no text of the program can be
//! taken for a command.

use std::fmt::Write as _;

use super::words::{details, headline};
use crate::outcome::{Answer, Level, Outcome, Position, Verdict};

pub fn github(outcome: &Outcome) -> String {
    let mut out = String::new();
    for said in &outcome.diagnostics {
        let level = match said.severity {
            Level::Warning | Level::Unsupported => "warning",
            Level::Error => "error",
        };
        let mut text = said.message.clone();
        if let Some(help) = &said.help {
            let _ = write!(text, "\n{help}");
        }
        command(&mut out, level, Some(&said.position), "C", &text);
    }
    for answer in &outcome.results {
        result(&mut out, outcome, answer);
    }
    out
}

fn result(out: &mut String, outcome: &Outcome, answer: &Answer) {
    let level = match answer.verdict {
        Verdict::Proved => "notice",
        Verdict::Refuted => "error",
        Verdict::Unknown | Verdict::Invalid => "warning",
    };
    let file = Position::start_of(&outcome.file);
    let at = answer.run().map_or(&file, |run| &run.violation.position);
    let title = format!("{}: {}", answer.property, answer.verdict.word());
    let text = [vec![headline(answer)], details(answer)].concat().join("\n");
    command(out, level, Some(at), &title, &text);
}

/// `::error file=a.c,line=3,col=5,endLine=3,endColumn=9,title=…::message`
fn command(out: &mut String, level: &str, at: Option<&Position>, title: &str, message: &str) {
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(at) = at {
        properties.push(("file", at.file.clone()));
        properties.push(("line", at.line.to_string()));
        properties.push(("endLine", at.end_line.to_string()));
        // Columns are shown only within one line; the last one is part of it.
        if at.line == at.end_line {
            properties.push(("col", at.column.to_string()));
            let last = at.end_column.saturating_sub(1).max(at.column);
            properties.push(("endColumn", last.to_string()));
        }
    }
    properties.push(("title", title.to_owned()));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    let _ = writeln!(out, "::{level} {}::{}", properties.join(","), data(message));
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text between `=` and `,`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
