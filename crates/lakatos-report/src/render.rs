//! An [`Outcome`] for other tools: JSON, SARIF, JUnit, workflow commands
//! of GitHub, and the result line of SV-COMP.

mod github;
mod junit;
mod sarif;
#[cfg(test)]
mod tests;
mod words;

pub use github::github;
pub use junit::junit;
pub use sarif::sarif;

use crate::outcome::{Outcome, Verdict};

/// The whole outcome, schema [`SCHEMA`](crate::outcome::SCHEMA).
pub fn json(outcome: &Outcome) -> String {
    // Strings, numbers and lists only: this cannot fail.
    serde_json::to_string_pretty(outcome).unwrap_or_default() + "\n"
}

/// One line, as the rules of the competition on software verification want it. Of several properties
/// the first that is refuted is named.
pub fn svcomp(outcome: &Outcome) -> String {
    let refuted = outcome.results.iter().find(|answer| answer.verdict == Verdict::Refuted);
    match (outcome.verdict, refuted) {
        (Verdict::Refuted, Some(answer)) => format!("false({})\n", answer.property),
        (Verdict::Proved, _) => "true\n".to_owned(),
        _ => "unknown\n".to_owned(),
    }
}
