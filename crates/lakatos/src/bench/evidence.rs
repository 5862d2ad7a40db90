//! What stands behind the verdicts of Lakatos, read from the words of `lakatos verify`.
//!
//! The words are constants of those who say them.

use std::collections::BTreeMap;
use std::fmt;

use lakatos_check::{REJECTED, UNDECIDED};
use lakatos_ir::Property;
use serde::Serialize;

use super::answer::Answer;
use super::results::Row;
use crate::execute::{CONFIRMED, CONTRADICTED, NOT_CONFIRMED};
use crate::terminal::BAD;

/// Of a proof that the checker has accepted.
const CHECKED: &str = "checked";

/// The words about a property: the rest of its line.
pub fn words(stdout: &str, property: Property) -> Option<&str> {
    let prefix = format!("{property}: ");
    stdout.lines().find_map(|line| line.strip_prefix(&prefix))
}

/// How many verdicts have which evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    pub proofs: usize,
    pub checked: usize,
    /// Proofs that the checker took for wrong, or could not decide: they count as unknown.
    pub rejected: Vec<Failed>,
    pub undecided: Vec<Failed>,
    pub refutations: usize,
    pub confirmed: usize,
    /// Refutations that could not be executed, by reason.
    pub unconfirmed: BTreeMap<String, Vec<String>>,
    /// Refutations that the compiled program contradicts: a bug of ours.
    pub contradicted: Vec<Failed>,
    /// Refutations of which nothing is said.
    pub not_executed: usize,
}

/// Evidence that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    pub task: String,
    pub property: String,
    pub reason: String,
}

impl Evidence {
    /// Only of rows of Lakatos: others use other words.
    pub fn count(&mut self, row: &Row) {
        match row.answer {
            Answer::True => {
                self.proofs += 1;
                self.checked += usize::from(row.said.contains(CHECKED));
            }
            Answer::False => self.refutation(row),
            // Also if the reason of the checker is a limit.
            _ if row.reason.starts_with(REJECTED) => {
                self.rejected.push(Failed::new(row, &row.reason));
            }
            _ if row.reason.starts_with(UNDECIDED) => {
                self.undecided.push(Failed::new(row, &row.reason));
            }
            _ => {}
        }
    }

    fn refutation(&mut self, row: &Row) {
        self.refutations += 1;
        if let Some((_, reason)) = row.said.split_once(CONTRADICTED) {
            self.contradicted.push(Failed::new(row, reason));
        } else if let Some((_, reason)) = row.said.split_once(NOT_CONFIRMED) {
            self.unconfirmed.entry(reason.to_owned()).or_default().push(row.task.clone());
        } else if row.said.contains(CONFIRMED) {
            self.confirmed += 1;
        } else {
            self.not_executed += 1;
        }
    }
}

impl Failed {
    fn new(row: &Row, reason: &str) -> Failed {
        let (task, property) = (row.task.clone(), row.property.clone());
        Failed { task, property, reason: reason.to_owned() }
    }
}

/// Only what there is something to say about.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.proofs + self.rejected.len() + self.undecided.len() > 0 {
            writeln!(f, "proofs: {} of {} checked", self.checked, self.proofs)?;
        }
        list(f, "rejected by the checker", &self.rejected)?;
        list(f, "could not be checked", &self.undecided)?;
        if self.refutations > 0 {
            let (confirmed, all) = (self.confirmed, self.refutations);
            writeln!(f, "refutations: {confirmed} of {all} confirmed by execution")?;
        }
        if self.not_executed > 0 {
            writeln!(f, "  {} not executed", self.not_executed)?;
        }
        for (reason, tasks) in &self.unconfirmed {
            writeln!(f, "  {} could not be executed: {reason}", tasks.len())?;
            tasks.iter().try_for_each(|task| writeln!(f, "    {task}"))?;
        }
        list(f, "CONTRADICTED by execution", &self.contradicted)
    }
}

fn list(f: &mut fmt::Formatter<'_>, what: &str, failed: &[Failed]) -> fmt::Result {
    if failed.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {BAD}{} {what}{BAD:#}", failed.len())?;
    for Failed { task, property, reason } in failed {
        writeln!(f, "    {task} ({property}): {reason}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(rows: &[(Answer, &str)], expected: Expect) {
        let mut evidence = Evidence::default();
        for (number, &(answer, said)) in rows.iter().enumerate() {
            let reason = said.strip_prefix("unknown: ").unwrap_or_default().to_owned();
            let (task, said) = (format!("{number}.c"), said.to_owned());
            evidence.count(&Row { task, answer, said, reason, ..Row::sample() });
        }
        let text = evidence.to_string();
        expected.assert_eq(&anstream::adapter::strip_str(&text).to_string());
    }

    #[test]
    fn nothing_is_said_about_nothing() {
        check(&[(Answer::Unknown, "unknown: too hard"), (Answer::Timeout, "")], expect![""]);
    }

    #[test]
    fn every_kind_is_counted() {
        check(
            &[
                (Answer::True, "proved (7 conditions checked)"),
                (Answer::True, "proved"),
                (Answer::True, "proved"),
                (Answer::Unknown, "unknown: the proof was rejected: line 3 does not follow"),
                (Answer::Timeout, "unknown: the proof could not be checked: the time limit"),
                (Answer::Unknown, "unknown: something else about the proof was rejected"),
                (Answer::False, "refuted: the assertion fails at x.c:1:2"),
                (Answer::False, "refuted: it fails at x.c:1:2, confirmed by execution"),
                (Answer::False, "refuted: it fails, confirmed by execution"),
                (Answer::False, "refuted: it fails, not confirmed by execution: no compiler"),
                (Answer::False, "refuted: it fails, not confirmed by execution: no compiler"),
                (Answer::False, "refuted: it fails, not confirmed by execution: a float"),
                (
                    Answer::False,
                    "refuted: it fails, not confirmed but contradicted by execution: it ended",
                ),
            ],
            expect![[r#"
                proofs: 1 of 3 checked
                  1 rejected by the checker
                    3.c (unreach-call): the proof was rejected: line 3 does not follow
                  1 could not be checked
                    4.c (unreach-call): the proof could not be checked: the time limit
                refutations: 2 of 7 confirmed by execution
                  1 not executed
                  1 could not be executed: a float
                    11.c
                  2 could not be executed: no compiler
                    9.c
                    10.c
                  1 CONTRADICTED by execution
                    12.c (unreach-call): it ended
            "#]],
        );
    }

    #[test]
    fn words_of_a_property() {
        let check = |stdout: &str, expected: Option<&str>| {
            assert_eq!(words(stdout, Property::UnreachCall), expected);
        };
        check("x.c (lp64)\nunreach-call: proved\n  more\n", Some("proved"));
        check("no-overflow: proved\n  unreach-call: refuted\n", None);
    }
}
