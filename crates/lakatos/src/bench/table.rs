//! The sum of a run: a line per category or group and tool, the evidence behind the verdicts, and
//! every verdict that is wrong.

use std::fmt;

use serde::Serialize;

use super::answer::Answer;
use super::evidence::Evidence;
use super::results::Row;
use super::tool::LAKATOS;
use crate::terminal::{BAD, BOLD};

/// Errors are listed up to so many; wrong verdicts are all listed.
const MOST_ERRORS: usize = 10;

/// A place in the table, with what is known there.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub line: &'a str,
    /// What answered: a tool, or a run of it.
    pub run: &'a str,
    /// `None` if it was not run yet.
    pub row: Option<&'a Row>,
}

#[derive(Debug, Default)]
pub struct Table {
    pub lines: Vec<Line>,
    /// The sum of each run.
    pub totals: Vec<Line>,
    /// Of the runs of Lakatos, by name.
    pub evidence: Vec<(String, Evidence)>,
    wrong: Vec<(String, Row)>,
    errors: Vec<(String, Row)>,
}

/// The counts of one line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    pub name: String,
    pub run: String,
    tasks: usize,
    /// Correct proofs and refutations.
    proved: usize,
    refuted: usize,
    wrong: usize,
    unknown: usize,
    timeout: usize,
    memory: usize,
    error: usize,
    /// Not run yet.
    open: usize,
    score: i64,
    /// Processor time of the correct ones, in seconds.
    cpu: f64,
}

impl Table {
    /// Lines and runs in the order in which they come first.
    pub fn new<'a>(entries: impl IntoIterator<Item = Entry<'a>>) -> Table {
        let mut table = Table::default();
        for Entry { line, run, row } in entries {
            counted(&mut table.lines, line, run).count(row);
            counted(&mut table.totals, "total", run).count(row);
            let Some(row) = row else { continue };
            if row.right == Some(false) {
                table.wrong.push((run.to_owned(), row.clone()));
            } else if row.answer == Answer::Error {
                table.errors.push((run.to_owned(), row.clone()));
            }
            if row.tool == LAKATOS {
                table.evidence_of(run).count(row);
            }
        }
        table.order();
        table
    }

    pub fn wrong(&self) -> usize {
        self.wrong.len()
    }

    fn evidence_of(&mut self, run: &str) -> &mut Evidence {
        let index = self.evidence.iter().position(|(name, _)| name == run).unwrap_or_else(|| {
            self.evidence.push((run.to_owned(), Evidence::default()));
            self.evidence.len() - 1
        });
        &mut self.evidence[index].1
    }

    /// Lines of the same name stand together.
    fn order(&mut self) {
        let names: Vec<String> = self.lines.iter().map(|line| line.name.clone()).collect();
        let runs: Vec<&str> = self.totals.iter().map(|line| line.run.as_str()).collect();
        self.lines.sort_by_key(|line| {
            let name = names.iter().position(|name| *name == line.name);
            (name, runs.iter().position(|run| *run == line.run))
        });
    }

    fn is_of_several(&self) -> bool {
        self.totals.len() > 1
    }

    /// Lines and, if there are several names, their sums.
    fn all_lines(&self) -> Vec<&Line> {
        let several = self.lines.iter().any(|line| line.name != self.lines[0].name);
        self.lines.iter().chain(self.totals.iter().filter(|_| several)).collect()
    }
}

fn counted<'t>(lines: &'t mut Vec<Line>, name: &str, run: &str) -> &'t mut Line {
    let index = lines.iter().position(|line| line.name == name && line.run == run);
    let index = index.unwrap_or_else(|| {
        lines.push(Line { name: name.to_owned(), run: run.to_owned(), ..Line::default() });
        lines.len() - 1
    });
    &mut lines[index]
}

impl Line {
    const HEADER: [&str; 13] = [
        "", "", "tasks", "true", "false", "wrong", "unknown", "timeout", "memory", "error", "open",
        "score", "cpu (s)",
    ];

    fn count(&mut self, row: Option<&Row>) {
        self.tasks += 1;
        let Some(row) = row else {
            self.open += 1;
            return;
        };
        let counter = match (row.right, row.answer) {
            (Some(false), _) => &mut self.wrong,
            (_, Answer::True) => &mut self.proved,
            (_, Answer::False) => &mut self.refuted,
            (_, Answer::Unknown) => &mut self.unknown,
            (_, Answer::Timeout) => &mut self.timeout,
            (_, Answer::Memory) => &mut self.memory,
            (_, Answer::Error) => &mut self.error,
        };
        *counter += 1;
        self.score += row.score();
        if row.right == Some(true) {
            self.cpu += row.cpu;
        }
    }

    fn cells(&self) -> [String; 13] {
        let count = |n: usize| n.to_string();
        [
            self.name.clone(),
            self.run.clone(),
            count(self.tasks),
            count(self.proved),
            count(self.refuted),
            count(self.wrong),
            count(self.unknown),
            count(self.timeout),
            count(self.memory),
            count(self.error),
            count(self.open),
            self.score.to_string(),
            format!("{:.1}", self.cpu),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![Line::HEADER.map(str::to_owned)];
        rows.extend(self.all_lines().into_iter().map(Line::cells));
        let widths: [usize; 13] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        let mut before = String::new();
        for (number, row) in rows.iter().enumerate() {
            // Several lines of one name show it once.
            let name = if row[0] == before { "" } else { row[0].as_str() };
            let mut line = format!("{name:<0$}", widths[0]);
            if self.is_of_several() {
                line += &format!("  {:<1$}", row[1], widths[1]);
            }
            for (cell, width) in row.iter().zip(widths).skip(2) {
                line += &format!("  {cell:>width$}");
            }
            match number {
                0 => writeln!(f, "{BOLD}{line}{BOLD:#}")?,
                _ => writeln!(f, "{line}")?,
            }
            before.clone_from(&row[0]);
        }
        self.write_evidence(f)?;
        self.write_errors(f)?;
        self.write_wrong(f)
    }
}

impl Table {
    fn write_evidence(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (run, evidence) in &self.evidence {
            let text = evidence.to_string();
            if self.evidence.len() > 1 && !text.is_empty() {
                writeln!(f, "{run}:")?;
            }
            write!(f, "{text}")?;
        }
        Ok(())
    }

    /// Which run a line is about, where there are several.
    fn whose(&self, run: &str) -> String {
        if self.is_of_several() { format!("{run}: ") } else { String::new() }
    }

    fn write_errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (run, row) in self.errors.iter().take(MOST_ERRORS) {
            let (whose, task, property) = (self.whose(run), &row.task, &row.property);
            writeln!(f, "error: {whose}{task} ({property}): {}", row.reason)?;
        }
        match self.errors.len().saturating_sub(MOST_ERRORS) {
            0 => Ok(()),
            more => writeln!(f, "error: and {more} more"),
        }
    }

    fn write_wrong(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (run, row) in &self.wrong {
            let (whose, task, property) = (self.whose(run), &row.task, &row.property);
            let (is, said) = (row.expected, row.answer.name());
            writeln!(f, "{BAD}WRONG{BAD:#}: {whose}{task} ({property}) is {is}, not {said}")?;
        }
        match self.wrong.len() {
            0 => writeln!(f, "no verdict is wrong"),
            1 => writeln!(f, "{BAD}1 VERDICT IS WRONG{BAD:#}"),
            n => writeln!(f, "{BAD}{n} VERDICTS ARE WRONG{BAD:#}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Rows as (line, tool, task, expected, answer).
    fn check(rows: &[(&'static str, &'static str, &str, bool, Option<Answer>)], expected: Expect) {
        let row = |&(line, run, task, expected, answer): &(_, &'static str, &str, _, Option<_>)| {
            let (tool, reason) = (run.to_owned(), "a reason".to_owned());
            let told = |answer| Row { tool, reason, ..Row::answered(task, expected, answer) };
            (line, run, answer.map(told))
        };
        let rows: Vec<(&str, &str, Option<Row>)> = rows.iter().map(row).collect();
        let table =
            Table::new(rows.iter().map(|(line, run, row)| Entry { line, run, row: row.as_ref() }));
        expected.assert_eq(&anstream::adapter::strip_str(&table.to_string()).to_string());
    }

    #[test]
    fn every_count_has_its_column() {
        check(
            &[
                ("loops", "lakatos", "a.c", true, Some(Answer::True)),
                ("loops", "lakatos", "b.c", true, Some(Answer::True)),
                ("loops", "lakatos", "c.c", false, Some(Answer::False)),
                ("loops", "lakatos", "d.c", true, Some(Answer::Unknown)),
                ("loops", "lakatos", "e.c", true, Some(Answer::Timeout)),
                ("recursion", "lakatos", "f.c", true, Some(Answer::Memory)),
                ("recursion", "lakatos", "g.c", true, Some(Answer::Error)),
                ("recursion", "lakatos", "h.c", true, None),
            ],
            expect![[r#"
                           tasks  true  false  wrong  unknown  timeout  memory  error  open  score  cpu (s)
                loops          5     2      1      0        1        1       0      0     0      5      3.8
                recursion      3     0      0      0        0        0       1      1     1      0      0.0
                total          8     2      1      0        1        1       1      1     1      5      3.8
                proofs: 0 of 2 checked
                refutations: 0 of 1 confirmed by execution
                  1 not executed
                error: g.c (unreach-call): a reason
                no verdict is wrong
            "#]],
        );
    }

    #[test]
    fn wrong_verdicts_come_last() {
        check(
            &[
                ("loops", "lakatos", "a.c", true, Some(Answer::False)),
                ("loops", "lakatos", "b.c", false, Some(Answer::True)),
                ("loops", "lakatos", "c.c", false, Some(Answer::Error)),
            ],
            expect![[r#"
                       tasks  true  false  wrong  unknown  timeout  memory  error  open  score  cpu (s)
                loops      3     0      0      2        0        0       0      1     0    -48      0.0
                proofs: 0 of 1 checked
                refutations: 0 of 1 confirmed by execution
                  1 not executed
                error: c.c (unreach-call): a reason
                WRONG: a.c (unreach-call) is true, not false
                WRONG: b.c (unreach-call) is false, not true
                2 VERDICTS ARE WRONG
            "#]],
        );
    }

    #[test]
    fn tools_stand_together() {
        check(
            &[
                ("loops", "lakatos", "a.c", true, Some(Answer::True)),
                ("recursion", "lakatos", "b.c", false, Some(Answer::False)),
                ("loops", "other", "a.c", true, Some(Answer::False)),
                ("recursion", "other", "b.c", false, Some(Answer::Error)),
            ],
            expect![[r#"
                                    tasks  true  false  wrong  unknown  timeout  memory  error  open  score  cpu (s)
                loops      lakatos      1     1      0      0        0        0       0      0     0      2      1.2
                           other        1     0      0      1        0        0       0      0     0    -16      0.0
                recursion  lakatos      1     0      1      0        0        0       0      0     0      1      1.2
                           other        1     0      0      0        0        0       0      1     0      0      0.0
                total      lakatos      2     1      1      0        0        0       0      0     0      3      2.5
                           other        2     0      0      1        0        0       0      1     0    -16      0.0
                proofs: 0 of 1 checked
                refutations: 0 of 1 confirmed by execution
                  1 not executed
                error: other: b.c (unreach-call): a reason
                WRONG: other: a.c (unreach-call) is true, not false
                1 VERDICT IS WRONG
            "#]],
        );
    }
}
