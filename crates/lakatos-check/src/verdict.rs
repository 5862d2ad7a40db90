//! Verdicts: how every question to Lakatos ends. There is no way to say "proved" without a proof
//! that was checked, nor "refuted" without a run that was replayed.

use std::collections::BTreeSet;

use lakatos_evidence::{NotReplayed, Refutation};
use lakatos_ir::interpret::Outcome;
use lakatos_ir::library::Gap;
use lakatos_ir::{Program, Source, Span};
use lakatos_logic::smt::Reason;

use crate::condition::{Checked, Rejected, Undecided};

#[derive(Debug)]
pub enum Verdict {
    Proved(Box<Checked>),
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
    /// The system lets no thread start, for this reason.
    NoThread {
        error: String,
    },
    /// A refined abstraction had the same counterexample again.
    NoProgress,
    /// So many concrete runs, and nothing was violated.
    NoViolation {
        runs: u64,
    },
    /// The same, and one of them ended so that making all runs is no proof.
    OpenRun {
        runs: u64,
        ended: Box<Outcome>,
    },
    /// Nothing is violated within so many turns of each loop; some loop takes more.
    Bounded {
        turns: u32,
    },
    /// So many guesses about loops, and those that hold do not exclude the errors.
    NoInvariant {
        guesses: u64,
    },
    /// What is known of each variable by itself does not exclude so many of all errors.
    OpenErrors {
        open: usize,
        all: usize,
    },
    /// What is known of variables together, case by case, does not exclude an error.
    OpenCase,
    /// Induction over the turns of loops, with up to so many as hypotheses, does not exclude an error.
    NotInductive {
        turns: u32,
    },
    /// There are too many cases to look at.
    TooManyCases,
    /// Assumed lemmas would be a proof, but exclude a state of a run that was made.
    ExcludedRun {
        lemmas: BTreeSet<String>,
        /// Where the run was: at the head of a loop.
        at: Span,
    },
    /// A counterexample could not be refuted in the abstraction's terms.
    Refinement {
        reason: String,
    },
    /// An engine's counterexample is no run of the program.
    NotReplayed(Box<NotReplayed>),
    /// The program calls a function after which nothing is known, and it is not shown that it does not.
    NoModel {
        gap: Gap,
        at: Span,
    },
    /// The engine does not know a construct; where, if it is somewhere.
    Unsupported {
        what: String,
        at: Option<Span>,
    },
    /// The checker found a condition of the proof that does not hold.
    Rejected {
        condition: String,
        /// Of variables by name, where it fails.
        values: Vec<(String, String)>,
        /// It may hold in the program: on the way is something that the checker knows nothing of.
        approximate: bool,
    },
    /// The checker could not decide a condition of the proof.
    Undecided {
        condition: String,
        reason: String,
    },
    /// A second solver says that a condition of the proof fails.
    Disagreement {
        solver: String,
        condition: String,
    },
    /// The solver could not decide a query, for this reason of its own.
    SolverGaveUp {
        reason: String,
    },
}

/// How a reason begins that is the checker's.
pub const REJECTED: &str = "the proof was rejected";
pub const UNDECIDED: &str = "the proof could not be checked";

impl Why {
    /// Somebody or something has ended it from outside.
    pub fn is_end(&self) -> bool {
        matches!(self, Why::TimeLimit | Why::MemoryLimit | Why::Cancelled)
    }

    /// The program is the instrumented one.
    pub fn rejected(program: &Program, rejected: Rejected) -> Why {
        let Rejected { condition, values, approximate, .. } = rejected;
        Why::Rejected { condition: condition.describe(program), values, approximate }
    }

    /// The program is the instrumented one. A limit that was reached is the reason, wherever.
    pub fn undecided(program: &Program, undecided: &Undecided) -> Why {
        let (condition, reason) = &undecided.conditions[0];
        match reason {
            Reason::Time => Why::TimeLimit,
            Reason::Memory => Why::MemoryLimit,
            Reason::Cancelled => Why::Cancelled,
            other => {
                Why::Undecided { condition: condition.describe(program), reason: other.to_string() }
            }
        }
    }

    /// For a person, to stand behind "unknown: ".
    pub fn describe(&self, source: &Source) -> String {
        match self {
            Why::TimeLimit => "the time limit was reached".to_owned(),
            Why::MemoryLimit => "the memory limit was reached".to_owned(),
            Why::Cancelled => "it was cancelled".to_owned(),
            Why::NoThread { error } => {
                format!(
                    "no thread could be started ({error}): the limit on processes (`ulimit -u`) or \
                     on address space (`ulimit -v`) is too low"
                )
            }
            Why::NoProgress => {
                "refinement made no progress: the same counterexample came back".to_owned()
            }
            Why::OpenErrors { open, all } => {
                format!("the ranges of variables do not exclude {open} of {all} violations")
            }
            Why::OpenCase => {
                "the ranges of variables in all cases do not exclude a violation".to_owned()
            }
            Why::NotInductive { turns } => {
                format!(
                    "induction over the turns of loops, up to {turns} at a time, does not exclude a violation"
                )
            }
            Why::ExcludedRun { lemmas, at } => {
                let names: Vec<String> = lemmas.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "refused: {} cannot be, since a run comes to {} in a state that is impossible with it",
                    names.join(" with "),
                    source.position(at.start)
                )
            }
            Why::TooManyCases => "there are too many cases of what variables can be".to_owned(),
            Why::NoInvariant { guesses: 0 } => {
                "nothing could be guessed about its loops".to_owned()
            }
            Why::NoInvariant { guesses } => {
                format!("{guesses} guesses about its loops, and those that hold are not enough")
            }
            Why::Bounded { turns } => {
                format!("nothing is violated within {turns} turns of each loop")
            }
            Why::NoViolation { runs } => format!("nothing was violated in {runs} runs"),
            Why::OpenRun { runs, ended } => {
                let ended = NotReplayed::Ended(Outcome::clone(ended)).describe(source);
                let s = if *runs == 1 { "" } else { "s" };
                format!(
                    "nothing was violated in {runs} run{s}, but not all are known: of one, {ended}"
                )
            }
            Why::Refinement { reason } => format!("refinement failed: {reason}"),
            Why::NotReplayed(reason) if reason.is_about_model() => reason.describe(source),
            Why::NotReplayed(reason) => {
                format!("a counterexample could not be replayed: {}", reason.describe(source))
            }
            Why::NoModel { gap, at } => format!("{gap} at {}", source.position(at.start)),
            Why::Unsupported { what, at: Some(span) } => {
                format!("unsupported: {what} at {}", source.position(span.start))
            }
            Why::Unsupported { what, at: None } => format!("unsupported: {what}"),
            Why::Rejected { condition, values, approximate } => {
                let values: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let values = match values.is_empty() {
                    true => String::new(),
                    false => format!(" (fails with {})", values.join(", ")),
                };
                let memory = match approximate {
                    true => "; the checker knows nothing of memory and floats",
                    false => "",
                };
                format!("{REJECTED}: {condition}{values}{memory}")
            }
            Why::Undecided { condition, reason } => {
                format!("{UNDECIDED}: {condition} ({reason})")
            }
            Why::Disagreement { solver, condition } => {
                format!("{REJECTED} by {solver}, but not by Z3: {condition}")
            }
            Why::SolverGaveUp { reason } => format!("the solver gave up: {reason}"),
        }
    }
}
