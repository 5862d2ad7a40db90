//! The sum of a run: a line per category or group, and every verdict that is wrong.

use std::fmt;

use super::answer::Answer;
use super::results::{Results, Row};
use super::select::Chosen;
use crate::terminal::{BAD, BOLD};

/// Errors are listed up to so many; wrong verdicts are all listed.
const MOST_ERRORS: usize = 10;

#[derive(Debug)]
pub struct Table {
    lines: Vec<Line>,
    wrong: Vec<Row>,
    errors: Vec<Row>,
}

/// The counts of one line.
#[derive(Clone, Debug, Default, PartialEq)]
struct Line {
    name: String,
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
    /// Processor time of the correct ones, in seconds.
    cpu: f64,
}

impl Table {
    /// Lines in the order in which the tasks come.
    pub fn new(chosen: &[Chosen], results: &Results) -> Table {
        let mut table = Table { lines: Vec::new(), wrong: Vec::new(), errors: Vec::new() };
        for Chosen { row: name, task } in chosen {
            let row = results.get(task);
            table.line(name).count(row);
            match row {
                Some(row) if row.right == Some(false) => table.wrong.push(row.clone()),
                Some(row) if row.answer == Answer::Error => table.errors.push(row.clone()),
                _ => {}
            }
        }
        table
    }

    pub fn wrong(&self) -> usize {
        self.wrong.len()
    }

    fn line(&mut self, name: &str) -> &mut Line {
        let index = self.lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
            self.lines.push(Line { name: name.to_owned(), ..Line::default() });
            self.lines.len() - 1
        });
        &mut self.lines[index]
    }

    fn total(&self) -> Line {
        let zero = Line { name: "total".to_owned(), ..Line::default() };
        self.lines.iter().fold(zero, |sum, line| Line {
            name: sum.name,
            tasks: sum.tasks + line.tasks,
            proved: sum.proved + line.proved,
            refuted: sum.refuted + line.refuted,
            wrong: sum.wrong + line.wrong,
            unknown: sum.unknown + line.unknown,
            timeout: sum.timeout + line.timeout,
            memory: sum.memory + line.memory,
            error: sum.error + line.error,
            open: sum.open + line.open,
            cpu: sum.cpu + line.cpu,
        })
    }
}

impl Line {
    const HEADER: [&str; 11] = [
        "", "tasks", "true", "false", "wrong", "unknown", "timeout", "memory", "error", "open",
        "cpu (s)",
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
        if row.right == Some(true) {
            self.cpu += row.cpu;
        }
    }

    fn cells(&self) -> [String; 11] {
        let counts = [
            self.tasks,
            self.proved,
            self.refuted,
            self.wrong,
            self.unknown,
            self.timeout,
            self.memory,
            self.error,
            self.open,
        ];
        let mut cells: [String; 11] = Default::default();
        cells[0].clone_from(&self.name);
        for (cell, count) in cells[1..].iter_mut().zip(counts) {
            *cell = count.to_string();
        }
        cells[10] = format!("{:.1}", self.cpu);
        cells
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![Line::HEADER.map(str::to_owned)];
        rows.extend(self.lines.iter().map(Line::cells));
        if self.lines.len() > 1 {
            rows.push(self.total().cells());
        }
        let widths: [usize; 11] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for (number, row) in rows.iter().enumerate() {
            let mut line = format!("{:<1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(widths).skip(1) {
                line += &format!("  {cell:>width$}");
            }
            match number {
                0 => writeln!(f, "{BOLD}{line}{BOLD:#}")?,
                _ => writeln!(f, "{line}")?,
            }
        }
        self.errors(f)?;
        self.wrong_verdicts(f)
    }
}

impl Table {
    fn errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.errors.iter().take(MOST_ERRORS) {
            writeln!(f, "error: {} ({}): {}", row.task, row.property, row.reason)?;
        }
        match self.errors.len().saturating_sub(MOST_ERRORS) {
            0 => Ok(()),
            more => writeln!(f, "error: and {more} more"),
        }
    }

    fn wrong_verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.wrong {
            let (task, property, said) = (&row.task, &row.property, row.answer.name());
            writeln!(f, "{BAD}WRONG{BAD:#}: {task} ({property}) is {}, not {said}", row.expected)?;
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
    use lakatos_ir::Property;

    use super::*;
    use crate::bench::tasks::Task;

    /// Rows as (row, task, expected, answer).
    fn check(rows: &[(&str, &str, bool, Option<Answer>)], expected: Expect) {
        let mut results = Results::open(None, &settings()).unwrap();
        let mut chosen = Vec::new();
        for &(row, name, expected, answer) in rows {
            let task = Task {
                name: name.to_owned(),
                category: row.to_owned(),
                file: name.into(),
                property: Property::UnreachCall,
                expected,
                model: None,
                wraps: false,
            };
            if let Some(answer) = answer {
                results.add(&task, told(&task, answer)).unwrap();
            }
            chosen.push(Chosen { row: row.to_owned(), task });
        }
        let table = Table::new(&chosen, &results).to_string();
        expected.assert_eq(&anstream::adapter::strip_str(&table).to_string());
    }

    fn settings() -> crate::bench::results::Settings {
        crate::bench::results::Settings {
            lakatos: String::new(),
            build: String::new(),
            timeout: 1.0,
            wall: 1.0,
            memory: 1,
            flags: Vec::new(),
        }
    }

    fn told(task: &Task, answer: Answer) -> Row {
        Row {
            task: task.name.clone(),
            category: task.category.clone(),
            property: task.property.name().to_owned(),
            expected: task.expected,
            answer,
            right: answer.is_right(task.expected),
            reason: "a reason".to_owned(),
            cpu: 1.25,
            wall: 1.5,
            memory: 1 << 20,
        }
    }

    #[test]
    fn every_count_has_its_column() {
        let some = Some;
        check(
            &[
                ("loops", "a.c", true, some(Answer::True)),
                ("loops", "b.c", true, some(Answer::True)),
                ("loops", "c.c", false, some(Answer::False)),
                ("loops", "d.c", true, some(Answer::Unknown)),
                ("loops", "e.c", true, some(Answer::Timeout)),
                ("recursion", "f.c", true, some(Answer::Memory)),
                ("recursion", "g.c", true, some(Answer::Error)),
                ("recursion", "h.c", true, None),
            ],
            expect![[r#"
                           tasks  true  false  wrong  unknown  timeout  memory  error  open  cpu (s)
                loops          5     2      1      0        1        1       0      0     0      3.8
                recursion      3     0      0      0        0        0       1      1     1      0.0
                total          8     2      1      0        1        1       1      1     1      3.8
                error: g.c (unreach-call): a reason
                no verdict is wrong
            "#]],
        );
    }

    #[test]
    fn wrong_verdicts_come_last() {
        check(
            &[
                ("loops", "a.c", true, Some(Answer::False)),
                ("loops", "b.c", false, Some(Answer::True)),
                ("loops", "c.c", false, Some(Answer::Error)),
            ],
            expect![[r#"
                       tasks  true  false  wrong  unknown  timeout  memory  error  open  cpu (s)
                loops      3     0      0      2        0        0       0      1     0      0.0
                error: c.c (unreach-call): a reason
                WRONG: a.c (unreach-call) is true, not false
                WRONG: b.c (unreach-call) is false, not true
                2 VERDICTS ARE WRONG
            "#]],
        );
    }
}
