//! Two runs compared, task by task.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::answer::Answer;
use super::results::Row;
use super::runs::{self, Run};
use crate::args::{DiffArgs, DiffFormat};
use crate::exit::Exit;
use crate::terminal::{BAD, BOLD, GOOD, note};

const SCHEMA: &str = "lakatos-bench-diff/1";

pub fn diff(args: &DiffArgs) -> Result<Exit> {
    ensure!(args.tools.len() <= 2, "--tool can be given twice: for the run before and after");
    let first = args.tools.first().map(String::as_str);
    let second = args.tools.last().map(String::as_str);
    let before = runs::one(&args.before, first)?;
    let after = runs::one(&args.after, second)?;
    if let Some(difference) = before.settings.limits_differ(&after.settings) {
        note(&format!("the runs had different limits: {difference}"));
    }
    let apart = Apart { factor: args.factor, least: args.least.as_secs_f64() };
    let diff = Diff::new(&before, &after, apart);
    super::print(&match args.format {
        DiffFormat::Text => diff.to_string(),
        DiffFormat::Json => serde_json::to_string_pretty(&diff)? + "\n",
    })?;
    Ok(if diff.is_worse() { Exit::Bad } else { Exit::Good })
}

/// When two times count as different: both must be reached.
#[derive(Clone, Copy, Debug)]
struct Apart {
    factor: f64,
    least: f64,
}

impl Apart {
    fn is_more(self, more: f64, less: f64) -> bool {
        more - less >= self.least && more >= less * self.factor
    }
}

#[derive(Debug, Serialize)]
struct Diff {
    schema: &'static str,
    before: Sum,
    after: Sum,
    /// Tasks in both runs.
    common: usize,
    solved: Vec<Change>,
    lost: Vec<Change>,
    /// Of the runs before and after.
    wrong_before: Vec<Change>,
    wrong_after: Vec<Change>,
    /// Another answer, solved neither before nor after.
    changed: Vec<Change>,
    slower: Vec<Change>,
    faster: Vec<Change>,
    /// The expected verdict is another one.
    expected: Vec<Name>,
    only_before: Vec<Name>,
    only_after: Vec<Name>,
}

/// Of the tasks in both runs.
#[derive(Debug, Default, Serialize)]
struct Sum {
    run: String,
    correct: usize,
    wrong: usize,
    score: i64,
    /// Processor time of the tasks that both runs have solved, in seconds.
    cpu: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Name {
    task: String,
    property: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Change {
    #[serde(flatten)]
    name: Name,
    expected: bool,
    before: Side,
    after: Side,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Side {
    answer: Answer,
    cpu: f64,
    reason: String,
}

impl Diff {
    fn new(before: &Run, after: &Run, apart: Apart) -> Diff {
        let sum = |run: &Run| Sum { run: run.name.clone(), ..Sum::default() };
        let mut diff = Diff {
            schema: SCHEMA,
            before: sum(before),
            after: sum(after),
            common: 0,
            solved: Vec::new(),
            lost: Vec::new(),
            wrong_before: Vec::new(),
            wrong_after: Vec::new(),
            changed: Vec::new(),
            slower: Vec::new(),
            faster: Vec::new(),
            expected: Vec::new(),
            only_before: Vec::new(),
            only_after: Vec::new(),
        };
        let (before, mut after) = (by_name(before), by_name(after));
        for (name, old) in before {
            match after.remove(&name) {
                None => diff.only_before.push(name),
                Some(new) if old.expected != new.expected => diff.expected.push(name),
                Some(new) => diff.compare(name, old, new, apart),
            }
        }
        diff.only_after = after.into_keys().collect();
        diff
    }

    fn compare(&mut self, name: Name, old: &Row, new: &Row, apart: Apart) {
        self.common += 1;
        self.before.count(old);
        self.after.count(new);
        let change = Change { name, expected: old.expected, before: old.into(), after: new.into() };
        if old.right == Some(false) {
            self.wrong_before.push(change.clone());
        }
        if new.right == Some(false) {
            self.wrong_after.push(change.clone());
        }
        match (old.right == Some(true), new.right == Some(true)) {
            (false, true) => self.solved.push(change),
            (true, false) => self.lost.push(change),
            (false, false) if old.answer != new.answer => self.changed.push(change),
            (false, false) => {}
            (true, true) => {
                self.before.cpu += old.cpu;
                self.after.cpu += new.cpu;
                if apart.is_more(new.cpu, old.cpu) {
                    self.slower.push(change);
                } else if apart.is_more(old.cpu, new.cpu) {
                    self.faster.push(change);
                }
            }
        }
    }

    fn is_worse(&self) -> bool {
        !self.lost.is_empty() || !self.wrong_after.is_empty()
    }
}

fn by_name(run: &Run) -> BTreeMap<Name, &Row> {
    let name = |row: &Row| Name { task: row.task.clone(), property: row.property.clone() };
    run.rows.iter().map(|row| (name(row), row)).collect()
}

impl Sum {
    fn count(&mut self, row: &Row) {
        self.correct += usize::from(row.right == Some(true));
        self.wrong += usize::from(row.right == Some(false));
        self.score += row.score();
    }
}

impl From<&Row> for Side {
    fn from(row: &Row) -> Side {
        Side { answer: row.answer, cpu: row.cpu, reason: row.reason.clone() }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.task, self.property)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { name, expected, before, after } = self;
        let (old, new) = (before.answer.name(), after.answer.name());
        write!(f, "{name}: {old} ({:.2} s) -> {new} ({:.2} s)", before.cpu, after.cpu)?;
        let is_wrong = |side: &Side| side.answer.is_right(*expected) == Some(false);
        if is_wrong(before) || is_wrong(after) {
            write!(f, ", it is {expected}")?;
        }
        if !after.reason.is_empty() && before.answer != after.answer {
            write!(f, ": {}", after.reason)?;
        }
        Ok(())
    }
}

/// What is worst comes last.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sums(f)?;
        section(f, "only before", BOLD, &self.only_before)?;
        section(f, "only after", BOLD, &self.only_after)?;
        section(f, "expected otherwise, not compared", BOLD, &self.expected)?;
        section(f, "faster", BOLD, &self.faster)?;
        section(f, "slower", BOLD, &self.slower)?;
        section(f, "another answer", BOLD, &self.changed)?;
        section(f, "newly solved", GOOD, &self.solved)?;
        section(f, "lost", BAD, &self.lost)?;
        section(f, "WRONG before", BAD, &self.wrong_before)?;
        section(f, "WRONG after", BAD, &self.wrong_after)?;
        let (solved, lost, wrong) = (self.solved.len(), self.lost.len(), self.wrong_after.len());
        writeln!(f, "{solved} newly solved, {lost} lost, {wrong} wrong")
    }
}

impl Diff {
    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |sum: &Sum| {
            let cpu = format!("{:.1}", sum.cpu);
            [sum.correct.to_string(), sum.wrong.to_string(), sum.score.to_string(), cpu]
        };
        let (before, after) = (cell(&self.before), cell(&self.after));
        let width = before.iter().chain(&after).map(String::len).max().unwrap_or(0).max(6);
        let head = format!("{} tasks in both", self.common);
        let names = ["correct", "wrong", "score", "cpu (s), solved by both"];
        let first = names.iter().map(|name| name.len()).max().unwrap_or(0).max(head.len());
        writeln!(f, "{BOLD}{head:<first$}  {:>width$}  {:>width$}{BOLD:#}", "before", "after")?;
        for (name, (old, new)) in names.iter().zip(before.iter().zip(&after)) {
            writeln!(f, "{name:<first$}  {old:>width$}  {new:>width$}")?;
        }
        Ok(())
    }
}

fn section<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    style: anstyle::Style,
    list: &[T],
) -> fmt::Result {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(f, "{style}{name}{style:#}: {}", list.len())?;
    list.iter().try_for_each(|item| writeln!(f, "  {item}"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::bench::results::Settings;

    fn run(rows: &[(&str, bool, Answer, f64)]) -> Run {
        let settings = Settings::sample();
        let row = |&(task, expected, answer, cpu): &(&str, bool, Answer, f64)| {
            let is_verdict = answer.is_right(expected).is_some();
            let reason = if is_verdict { String::new() } else { "a reason".to_owned() };
            Row { cpu, reason, ..Row::answered(task, expected, answer) }
        };
        Run { name: "lakatos".to_owned(), settings, rows: rows.iter().map(row).collect() }
    }

    fn check(
        before: &[(&str, bool, Answer, f64)],
        after: &[(&str, bool, Answer, f64)],
        is_worse: bool,
        expected: Expect,
    ) {
        let diff = Diff::new(&run(before), &run(after), Apart { factor: 2.0, least: 1.0 });
        expected.assert_eq(&anstream::adapter::strip_str(&diff.to_string()).to_string());
        assert_eq!(diff.is_worse(), is_worse);
    }

    #[test]
    fn every_change_has_its_section() {
        use Answer::*;
        check(
            &[
                ("expected.c", true, True, 1.0),
                ("faster.c", true, True, 9.0),
                ("gone.c", true, True, 1.0),
                ("little.c", true, True, 0.1),
                ("lost.c", true, True, 1.0),
                ("new.c", false, Unknown, 1.0),
                ("other.c", true, Unknown, 1.0),
                ("repaired.c", true, False, 1.0),
                ("same.c", true, Timeout, 10.0),
                ("slower.c", false, False, 2.0),
                ("third.c", false, False, 4.0),
                ("wrong.c", false, Timeout, 10.0),
            ],
            &[
                ("added.c", true, True, 1.0),
                ("expected.c", false, False, 1.0),
                ("faster.c", true, True, 3.0),
                ("little.c", true, True, 0.9),
                ("lost.c", true, Timeout, 10.0),
                ("new.c", false, False, 1.0),
                ("other.c", true, Error, 1.0),
                ("repaired.c", true, True, 1.0),
                ("same.c", true, Timeout, 10.0),
                ("slower.c", false, False, 4.0),
                ("third.c", false, False, 5.5),
                ("wrong.c", false, True, 1.0),
            ],
            true,
            expect![[r#"
                10 tasks in both         before   after
                correct                       5       6
                wrong                         1       1
                score                        -8     -23
                cpu (s), solved by both    15.1    13.4
                only before: 1
                  gone.c (unreach-call)
                only after: 1
                  added.c (unreach-call)
                expected otherwise, not compared: 1
                  expected.c (unreach-call)
                faster: 1
                  faster.c (unreach-call): true (9.00 s) -> true (3.00 s)
                slower: 1
                  slower.c (unreach-call): false (2.00 s) -> false (4.00 s)
                another answer: 2
                  other.c (unreach-call): unknown (1.00 s) -> error (1.00 s): a reason
                  wrong.c (unreach-call): timeout (10.00 s) -> true (1.00 s), it is false
                newly solved: 2
                  new.c (unreach-call): unknown (1.00 s) -> false (1.00 s)
                  repaired.c (unreach-call): false (1.00 s) -> true (1.00 s), it is true
                lost: 1
                  lost.c (unreach-call): true (1.00 s) -> timeout (10.00 s): a reason
                WRONG before: 1
                  repaired.c (unreach-call): false (1.00 s) -> true (1.00 s), it is true
                WRONG after: 1
                  wrong.c (unreach-call): timeout (10.00 s) -> true (1.00 s), it is false
                2 newly solved, 1 lost, 1 wrong
            "#]],
        );
    }

    #[test]
    fn a_repaired_verdict_is_no_alarm() {
        use Answer::*;
        check(
            &[("a.c", true, False, 1.0), ("b.c", true, True, 1.0)],
            &[("a.c", true, Unknown, 1.0), ("b.c", true, True, 1.0)],
            false,
            expect![[r#"
                2 tasks in both          before   after
                correct                       1       1
                wrong                         1       0
                score                       -14       2
                cpu (s), solved by both     1.0     1.0
                another answer: 1
                  a.c (unreach-call): false (1.00 s) -> unknown (1.00 s), it is true: a reason
                WRONG before: 1
                  a.c (unreach-call): false (1.00 s) -> unknown (1.00 s), it is true: a reason
                0 newly solved, 0 lost, 0 wrong
            "#]],
        );
    }
}
