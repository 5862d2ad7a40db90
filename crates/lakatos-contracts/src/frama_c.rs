//! Reports of Frama-C: what its plug-in WP has proved, held against the goals that there must be.
//!
//! Frama-C ends with code 0 whatever WP could prove, so nothing is believed but its reports: the
//! numbers of proof goals (`-wp-report-json`) and the status of every property (`-report-csv`,
//! where a property is valid only if all that it rests on is). A run counts only if there are
//! goals, all of them are proved, and none is missing that [`Goals`] expects.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::annotate::Kind;
use crate::goals::{Clause, Goals};

/// What Frama-C left behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Output<'a> {
    /// What it said.
    pub messages: &'a str,
    /// `-wp-report-json`.
    pub numbers: &'a str,
    /// `-report-csv`.
    pub properties: &'a str,
    /// It was told to guard against undefined behaviour.
    pub with_rte: bool,
}

/// Why a report cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the report of proof goals is no JSON of WP: {0}")]
    Numbers(String),
    #[error("line {line} of the report of properties is not as expected: {text}")]
    Properties { line: usize, text: String },
    #[error("the report of properties has no header")]
    NoHeader,
}

/// What is known of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub function: String,
    /// In the annotated source.
    pub line: u32,
    /// As Frama-C calls it: `loop invariant`, `precondition of f`.
    pub kind: String,
    pub status: String,
    pub text: String,
}

/// What a run of Frama-C shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validation {
    /// Proof goals, and those of them that are proved.
    pub total: u64,
    pub valid: u64,
    /// The properties of functions with a body, in order of the report.
    pub rows: Vec<Row>,
    /// What should be there and is not.
    pub missing: Vec<String>,
    /// Messages after which a run is worth nothing.
    pub complaints: Vec<String>,
    /// What rests on annotations of code that is never executed is only partially proved for
    /// Frama-C: nobody proves those. It counts where all proof goals are proved.
    dead_counts: bool,
}

impl Validation {
    pub fn is_proved(&self, row: &Row) -> bool {
        row.status == "Valid" || (self.dead_counts && row.status == "Partially proven")
    }

    /// Everything is there, and proved.
    pub fn is_valid(&self) -> bool {
        self.total > 0
            && self.valid == self.total
            && self.rows.iter().all(|row| self.is_proved(row))
            && self.missing.is_empty()
            && self.complaints.is_empty()
    }

    /// Functions in order, each with its properties.
    pub fn by_function(&self) -> Vec<(&str, Vec<&Row>)> {
        let mut found: Vec<(&str, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            match found.iter_mut().find(|(name, _)| *name == row.function) {
                Some((_, rows)) => rows.push(row),
                None => found.push((&row.function, vec![row])),
            }
        }
        found
    }
}

/// Reads what Frama-C has left behind and compares it with what must be there.
pub fn judge(output: Output<'_>, goals: &Goals) -> Result<Validation, Unreadable> {
    let (total, valid) = numbers(output.numbers)?;
    let mut rows = properties(output.properties)?;
    rows.retain(|row| goals.defined.contains(&row.function));
    // Each call has a row of its own for what it owes.
    rows.retain(|row| !(row.kind == "precondition" && goals.called.contains(&row.function)));
    let missing = missing(&rows, goals);
    let complaints = complaints(output.messages, output.with_rte);
    let dead_counts = goals.has_dead && valid == total;
    Ok(Validation { total, valid, rows, missing, complaints, dead_counts })
}

/// All goals, and the proved ones. WP leaves out what is zero.
fn numbers(text: &str) -> Result<(u64, u64), Unreadable> {
    let wrong = |reason: String| Unreadable::Numbers(reason);
    let report: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let global = report.get("wp:global").ok_or_else(|| wrong("no `wp:global`".to_owned()))?;
    let Some(all) = global.get("wp:main") else { return Ok((0, 0)) };
    let number = |key: &str| match all.get(key) {
        None => Ok(0),
        Some(value) => value.as_u64().ok_or_else(|| wrong(format!("`{key}` is no number"))),
    };
    Ok((number("total")?, number("valid")?))
}

const HEADER: [&str; 7] =
    ["directory", "file", "line", "function", "property kind", "status", "property"];

pub(crate) fn properties(text: &str) -> Result<Vec<Row>, Unreadable> {
    let mut lines = text.lines().enumerate();
    match lines.next() {
        Some((_, header)) if header.split('\t').eq(HEADER) => {}
        _ => return Err(Unreadable::NoHeader),
    }
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let wrong = || Unreadable::Properties { line: number + 1, text: line.to_owned() };
        // A list of behaviours is on a line of its own.
        if let (true, Some(Row { text, .. })) = (line.starts_with(' '), rows.last_mut()) {
            *text += line;
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, _, at, function, kind, status, text] = fields[..] else { return Err(wrong()) };
        rows.push(Row {
            function: function.to_owned(),
            line: at.parse().map_err(|_| wrong())?,
            kind: kind.to_owned(),
            status: status.to_owned(),
            text: text.to_owned(),
        });
    }
    Ok(rows)
}

/// As the report calls clauses.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Requires => "precondition",
        Kind::Ensures | Kind::BehaviorEnsures => "postcondition",
        Kind::Behavior => "behavior",
        Kind::Assumes => "assumption",
        Kind::Complete => "complete behaviors",
        Kind::Disjoint => "disjoint behaviors",
        Kind::Assigns | Kind::LoopAssigns => "assigns clause",
        Kind::LoopInvariant => "loop invariant",
        Kind::LoopVariant => "loop variant",
        Kind::Decreases => "decreases clause",
    }
}

fn missing(rows: &[Row], goals: &Goals) -> Vec<String> {
    let mut missing = Vec::new();
    for (Clause { function, kind, line }, count) in &goals.clauses {
        let fits = |row: &&Row| {
            row.function == *function
                && row.kind == name(*kind)
                && line.is_none_or(|line| row.line == line)
        };
        if rows.iter().filter(fits).count() < *count {
            let at = line.map_or(String::new(), |line| format!(" (line {line})"));
            missing.push(format!("{} of `{function}`{at}", name(*kind)));
        }
    }
    for ((caller, callee), count) in &goals.calls {
        let kind = format!("precondition of {callee}");
        let there = rows.iter().filter(|row| row.function == *caller && row.kind == kind).count();
        if there < *count {
            missing.push(format!("{kind}, called in `{caller}`"));
        }
    }
    missing
}

/// Messages that say that something was left out.
const FATAL: [&str; 7] = [
    "User Error",
    "aborted",
    "Missing assigns clause",
    "Ignoring specification",
    "Missing RTE guards",
    "Skipped",
    "not (yet)",
];

/// A message may go on in the next line, which is indented.
fn complaints(messages: &str, with_rte: bool) -> Vec<String> {
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    let lines: Vec<&str> = messages.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let guards = line.contains("Missing RTE guards") && !with_rte;
        if guards || !FATAL.iter().any(|word| line.contains(word)) {
            continue;
        }
        let first = lines[..=number].iter().rposition(|line| !line.starts_with(' '));
        let first = first.unwrap_or(number);
        let rest = lines[first + 1..].iter().take_while(|next| next.starts_with(' '));
        let whole: Vec<&str> = [lines[first]].iter().chain(rest).map(|line| line.trim()).collect();
        found.insert(first, whole.join(" "));
    }
    found.into_values().collect()
}
