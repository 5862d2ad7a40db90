//! The result of a run as plain data: what JSON, SARIF, JUnit, GitHub and HTML are made from
//! ([`crate::render`]). Texts and positions only; nothing in here knows formulas or automata, so
//! every rendering says the same.
//!
//! The fields are those of the JSON document, in its order; `docs/schema/verify-1.json` describes
//! them. New fields may be added, no field changes its meaning.

mod run;
mod said;
#[cfg(test)]
mod tests;

use lakatos_ir::{Diagnostic, Severity, Source, Span};
use serde::Serialize;

pub use self::run::{
    Event, Frame, Input, InputKind, Line, Run, Scope, Step, Trace, Value, Violation,
};
pub(crate) use self::said::functions;
pub use self::said::{Execution, Function, Invariant, Proof, conditions};

/// The name and version of the document.
pub const SCHEMA: &str = "lakatos-verify/1";

/// What was asked about a program, and what is known in the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    pub schema: &'static str,
    pub tool: Tool,
    /// As the user named it.
    pub file: String,
    pub data_model: String,
    pub signed_overflow: String,
    pub engine: String,
    /// Of all properties together.
    pub verdict: Verdict,
    pub results: Vec<Answer>,
    /// What the front-end says of the program: warnings, and the reasons why there is none.
    pub diagnostics: Vec<Message>,
}

/// Who says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    pub name: &'static str,
    pub version: String,
    pub solver: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Proved,
    Refuted,
    Unknown,
    /// There is no program to ask about.
    Invalid,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Unknown => "unknown",
            Verdict::Invalid => "invalid",
        }
    }
}

/// What is known of one property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    pub property: String,
    pub verdict: Verdict,
    #[serde(flatten)]
    pub evidence: Evidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// What a verdict rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    Proof(Proof),
    Run(Box<Run>),
    /// Why nothing is known.
    Reason(String),
}

impl Evidence {
    fn verdict(&self) -> Verdict {
        match self {
            Evidence::Proof(_) => Verdict::Proved,
            Evidence::Run(_) => Verdict::Refuted,
            Evidence::Reason(_) => Verdict::Unknown,
        }
    }
}

impl Answer {
    pub fn new(property: &str, evidence: Evidence, statistics: Option<Statistics>) -> Answer {
        let verdict = evidence.verdict();
        Answer { property: property.to_owned(), verdict, evidence, statistics }
    }

    pub fn proof(&self) -> Option<&Proof> {
        match &self.evidence {
            Evidence::Proof(proof) => Some(proof),
            _ => None,
        }
    }

    pub fn run(&self) -> Option<&Run> {
        match &self.evidence {
            Evidence::Run(run) => Some(run),
            _ => None,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match &self.evidence {
            Evidence::Reason(reason) => Some(reason),
            _ => None,
        }
    }
}

/// What it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// On the wall clock. The only field that differs between two runs.
    pub seconds: f64,
    pub probes: u64,
    pub refinements: u64,
    pub guesses: u64,
    pub nodes: u64,
    pub popped: u64,
    pub predicates: u64,
    pub variables: u64,
    pub dropped: u64,
    pub queries: u64,
    pub blocks: u64,
}

/// Where something is: the user's file, lines and columns from 1, columns in characters. The end
/// is the first column behind it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Position {
    /// Where what is said of a whole file is said.
    pub fn start_of(file: &str) -> Position {
        Position { file: file.to_owned(), line: 1, column: 1, end_line: 1, end_column: 1 }
    }

    pub fn new(source: &Source, span: Span) -> Position {
        let length = source.text().len() as u32;
        let begin = source.position(span.start.min(length));
        let end = source.position(span.end.clamp(span.start, length.max(span.start)));
        // What ends in another file (a macro of a header, say) has no end that makes sense here.
        let sensible =
            end.file == begin.file && (end.line, end.column) >= (begin.line, begin.column);
        let (end_line, end_column) = match sensible {
            true => (end.line, end.column),
            false => (begin.line, begin.column),
        };
        let (line, column) = (begin.line, begin.column);
        Position { file: begin.file.to_owned(), line, column, end_line, end_column }
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Something that the front-end says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub severity: Level,
    pub message: String,
    pub position: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Warning,
    Unsupported,
    Error,
}

impl Message {
    pub fn new(source: &Source, said: &Diagnostic) -> Message {
        Message {
            severity: match said.severity {
                Severity::Warning => Level::Warning,
                Severity::Unsupported => Level::Unsupported,
                Severity::Error => Level::Error,
            },
            message: said.message.clone(),
            position: Position::new(source, said.span),
            help: said.help.clone(),
        }
    }
}

impl Outcome {
    /// One that is refuted decides, then one that is unknown.
    pub fn overall(answers: &[Answer]) -> Verdict {
        let some = |verdict| answers.iter().any(|answer| answer.verdict == verdict);
        match () {
            () if answers.is_empty() => Verdict::Invalid,
            () if some(Verdict::Refuted) => Verdict::Refuted,
            () if some(Verdict::Unknown) => Verdict::Unknown,
            () => Verdict::Proved,
        }
    }
}
