//! What stands behind the verdicts of Lakatos, read from the words of `lakatos verify`.
//!
//! The words are the constants below, and only here: whoever changes them there changes them here.

use std::collections::BTreeMap;
use std::fmt;

use lakatos_ir::Property;
use serde::Serialize;

use super::answer::Answer;
use super::results::Row;

/// In the line of a proof that the checker has accepted…
const CHECKED: &str = "checked";
/// …unless it says this.
const NOT_CHECKED: [&str; 2] = ["not yet independently checked", "not checked"];

/// How the reason of an `unknown` begins when there was a proof.
const REJECTED: &str = "the proof was rejected";
const UNDECIDED: &str = "the proof could not be checked";

/// Of a refutation, in its line or in an indented one below it; a reason may follow after `: `.
const CONFIRMED: &str = "confirmed by execution";
const NOT_CONFIRMED: [&str; 2] = ["not confirmed by execution", "not executed"];

/// The words about a property: its line without the name, and what the indented lines below it
/// say about an execution.
pub fn words(stdout: &str, property: Property) -> Option<String> {
    let prefix = format!("{property}: ");
    let mut lines = stdout.lines();
    let mut words = lines.find_map(|line| line.strip_prefix(&prefix))?.to_owned();
    let below = lines.take_while(|line| line.starts_with(' ')).map(str::trim);
    for line in below.filter(|line| starts(line, &NOT_CONFIRMED) || line.starts_with(CONFIRMED)) {
        words += &format!("; {line}");
    }
    Some(words)
}

fn starts(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.starts_with(word))
}

/// How many verdicts have which evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    pub proofs: usize,
    pub checked: usize,
    /// Proofs that the checker took for wrong, or could not decide: they count as unknown.
    pub rejected: Vec<Unproved>,
    pub undecided: Vec<Unproved>,
    pub refutations: usize,
    pub confirmed: usize,
    /// Refutations that were to be executed and were not confirmed, by reason.
    pub unconfirmed: BTreeMap<String, Vec<String>>,
}

/// A proof that did not become a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproved {
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
                let denied = NOT_CHECKED.iter().any(|word| row.said.contains(word));
                self.checked += usize::from(row.said.contains(CHECKED) && !denied);
            }
            Answer::False => self.refutation(row),
            Answer::Unknown if row.reason.starts_with(REJECTED) => {
                self.rejected.push(Unproved::new(row));
            }
            Answer::Unknown if row.reason.starts_with(UNDECIDED) => {
                self.undecided.push(Unproved::new(row));
            }
            _ => {}
        }
    }

    fn refutation(&mut self, row: &Row) {
        self.refutations += 1;
        let denied = NOT_CONFIRMED.iter().find_map(|word| Some((word, row.said.find(word)?)));
        match denied {
            Some((word, at)) => {
                let rest = &row.said[at + word.len()..];
                let reason = rest.trim_start_matches([':', ' ']).trim_end_matches(')');
                let reason = if reason.is_empty() { "no reason is given" } else { reason };
                self.unconfirmed.entry(reason.to_owned()).or_default().push(row.task.clone());
            }
            None => self.confirmed += usize::from(row.said.contains(CONFIRMED)),
        }
    }
}

impl Unproved {
    fn new(row: &Row) -> Unproved {
        Unproved {
            task: row.task.clone(),
            property: row.property.clone(),
            reason: row.reason.clone(),
        }
    }
}

/// Only what there is something to say about.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.proofs > 0 {
            writeln!(f, "proofs: {} of {} checked", self.checked, self.proofs)?;
        }
        for (what, list) in [("rejected", &self.rejected), ("not decided", &self.undecided)] {
            if !list.is_empty() {
                writeln!(f, "proofs {what} by the checker: {}", list.len())?;
            }
            for Unproved { task, property, reason } in list {
                writeln!(f, "  {task} ({property}): {reason}")?;
            }
        }
        if self.refutations > 0 {
            let (confirmed, all) = (self.confirmed, self.refutations);
            writeln!(f, "refutations: {confirmed} of {all} confirmed by execution")?;
        }
        for (reason, tasks) in &self.unconfirmed {
            writeln!(f, "  {} not: {reason}", tasks.len())?;
            for task in tasks {
                writeln!(f, "    {task}")?;
            }
        }
        Ok(())
    }
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
        expected.assert_eq(&evidence.to_string());
    }

    #[test]
    fn nothing_is_said_about_nothing() {
        check(&[(Answer::Unknown, "unknown: too hard"), (Answer::Timeout, "")], expect![""]);
    }

    #[test]
    fn every_kind_is_counted() {
        check(
            &[
                (Answer::True, "proved (checked: 7 conditions)"),
                (Answer::True, "proof (not yet independently checked)"),
                (Answer::True, "proved"),
                (Answer::Unknown, "unknown: the proof was rejected: line 3 does not follow"),
                (Answer::Unknown, "unknown: the proof could not be checked: the solver gave up"),
                (Answer::Unknown, "unknown: something else about the proof was rejected"),
                (Answer::False, "refuted: the assertion fails at x.c:1:2"),
                (Answer::False, "refuted: it fails at x.c:1:2 (confirmed by execution)"),
                (Answer::False, "refuted: it fails; confirmed by execution"),
                (Answer::False, "refuted: it fails; not confirmed by execution: no compiler"),
                (Answer::False, "refuted: it fails (not executed: no compiler)"),
                (Answer::False, "refuted: it fails (not executed)"),
            ],
            expect![[r#"
                proofs: 1 of 3 checked
                proofs rejected by the checker: 1
                  3.c (unreach-call): the proof was rejected: line 3 does not follow
                proofs not decided by the checker: 1
                  4.c (unreach-call): the proof could not be checked: the solver gave up
                refutations: 2 of 6 confirmed by execution
                  2 not: no compiler
                    9.c
                    10.c
                  1 not: no reason is given
                    11.c
            "#]],
        );
    }

    #[test]
    fn words_of_a_property() {
        let check = |stdout: &str, expected: Option<&str>| {
            let words = words(stdout, Property::UnreachCall);
            assert_eq!(words.as_deref(), expected);
        };
        check("x.c (lp64)\nunreach-call: proved\n  more\n", Some("proved"));
        check("no-overflow: proved\n", None);
        check(
            "unreach-call: refuted: it fails\n  x.c:1 y = 1\n  confirmed by execution\nend",
            Some("refuted: it fails; confirmed by execution"),
        );
        let later = "unreach-call: refuted\nno-overflow: refuted\n  confirmed by execution\n";
        check(later, Some("refuted"));
    }
}
