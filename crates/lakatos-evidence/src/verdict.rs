//! Verdicts: how every question to Lakatos ends.

use lakatos_ir::{Source, Span};

use crate::proof::Proof;
use crate::refutation::Refutation;
use crate::replay::NotReplayed;

#[derive(Debug)]
pub enum Verdict {
    Proved(Box<Proof>),
    Refuted(Box<Refutation>),
    Unknown(Why),
}

/// Why there is neither a proof nor a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    TimeLimit,
    MemoryLimit,
    /// The user stopped it.
    Cancelled,
    /// A refined abstraction had the same counterexample again.
    NoProgress,
    /// A counterexample could not be refuted in the abstraction's terms.
    Refinement {
        reason: String,
    },
    /// An engine's counterexample is no run of the program.
    NotReplayed(Box<NotReplayed>),
    /// The engine does not know a construct; where, if it is somewhere.
    Unsupported {
        what: String,
        at: Option<Span>,
    },
    /// The solver could not decide a query, for this reason of its own.
    SolverGaveUp {
        reason: String,
    },
}

impl Why {
    /// For a person, to stand behind "unknown: ".
    pub fn describe(&self, source: &Source) -> String {
        match self {
            Why::TimeLimit => "the time limit was reached".to_owned(),
            Why::MemoryLimit => "the memory limit was reached".to_owned(),
            Why::Cancelled => "it was cancelled".to_owned(),
            Why::NoProgress => {
                "refinement made no progress: the same counterexample came back".to_owned()
            }
            Why::Refinement { reason } => format!("refinement failed: {reason}"),
            Why::NotReplayed(reason) => {
                format!("a counterexample could not be replayed: {}", reason.describe(source))
            }
            Why::Unsupported { what, at: Some(span) } => {
                format!("unsupported: {what} at {}", source.position(span.start))
            }
            Why::Unsupported { what, at: None } => format!("unsupported: {what}"),
            Why::SolverGaveUp { reason } => format!("the solver gave up: {reason}"),
        }
    }
}
