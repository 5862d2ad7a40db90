//! Rows of `lakatos bench`, summed up, and as lines of a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{Comparison, Made};

/// The first line of a file of rows; what else it says is not needed here.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Settings {
    lakatos: String,
    build: String,
    timeout: f64,
    wall: f64,
    memory: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Row {
    tool: String,
    task: String,
    property: String,
    answer: String,
    pub(super) right: Option<bool>,
    pub(super) cpu: f64,
}

/// By task and property.
pub(super) type Rows = BTreeMap<(String, String), Row>;

/// How the rows were made, and those of one tool; the last of several rows for a task counts. A half
/// line at the end, of a run that was killed, is no row.
pub(super) fn read(text: &str, tool: &str) -> Result<(Settings, Rows)> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().filter(|line| !line.is_empty());
    let first = lines.next().context("there are no rows")?;
    let settings: Settings = serde_json::from_str(first).context("this is no file of rows")?;
    let mut rows = Rows::new();
    for (number, line) in lines.enumerate() {
        let row: Row = serde_json::from_str(line).with_context(|| format!("row {}", number + 1))?;
        if row.tool == tool {
            rows.insert((row.task.clone(), row.property.clone()), row);
        }
    }
    Ok((settings, rows))
}

/// The file of rows with these tasks alone.
pub(super) fn among(text: &str, tasks: &BTreeSet<&str>) -> Result<String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut kept = String::new();
    for (number, line) in whole.lines().filter(|line| !line.is_empty()).enumerate() {
        let is_kept = number == 0 || {
            let row: Row = serde_json::from_str(line).with_context(|| format!("row {number}"))?;
            tasks.contains(row.task.as_str())
        };
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Ok(kept)
}

/// What a file of rows comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub tasks: usize,
    pub proofs: usize,
    pub refutations: usize,
    pub wrong: usize,
    /// Processor time of those that are solved, in seconds, the fastest first.
    pub times: Vec<f64>,
    /// Version, build and limits.
    pub limits: String,
}

impl Summary {
    /// Of Lakatos' own rows.
    pub fn read(text: &str) -> Result<Summary> {
        let (settings, rows) = read(text, "lakatos")?;
        Ok(Summary::new(&settings, rows.values()))
    }

    fn new<'r>(settings: &Settings, rows: impl Iterator<Item = &'r Row> + Clone) -> Summary {
        let right = |answer: &str| {
            rows.clone().filter(|row| row.right == Some(true) && row.answer == answer).count()
        };
        let solved = rows.clone().filter(|row| row.right == Some(true));
        let mut times: Vec<f64> = solved.map(|row| row.cpu).collect();
        times.sort_by(f64::total_cmp);
        let Settings { lakatos, build, timeout, wall, memory } = settings;
        Summary {
            tasks: rows.clone().count(),
            proofs: right("true"),
            refutations: right("false"),
            wrong: rows.clone().filter(|row| row.right == Some(false)).count(),
            times,
            limits: format!(
                "{timeout} s of processor time, {wall} s on the clock and {} MB for each task; \
                 Lakatos {lakatos}, build {build}",
                memory >> 20
            ),
        }
    }

    pub fn solved(&self) -> usize {
        self.times.len()
    }

    /// Of the times; of an even number of them the mean of both in the middle.
    pub fn median(&self) -> Option<f64> {
        let half = self.times.len() / 2;
        match self.times.len() {
            0 => None,
            n if n % 2 == 1 => Some(self.times[half]),
            _ => Some((self.times[half - 1] + self.times[half]) / 2.0),
        }
    }
}

/// A line of a table, and how it was measured, if its run has come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub title: String,
    pub summary: Summary,
    /// How another tool did in the same run.
    pub peer: Option<Comparison>,
    pub made: Option<Made>,
}

/// The table, and below it machine, versions, limits and commands.
pub fn render(about: &str, lines: &[Line]) -> String {
    let mut text = format!(
        "| {about} | proofs | refutations | correct | wrong | median time of these | all of these |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for Line { title, summary, made, .. } in lines {
        let Summary { tasks, proofs, refutations, wrong, times, .. } = summary;
        let solved = summary.solved();
        let percent = (100 * solved).checked_div(*tasks).unwrap_or(0);
        let partial = if made.is_none() { " (the run has not ended)" } else { "" };
        let wrong = striking(*wrong);
        let median = summary.median().map_or_else(String::new, |time| format!("{time:.2} s"));
        let sum = times.iter().fold(0.0, |sum, time| sum + time);
        let _ = writeln!(
            text,
            "| {title} | {proofs} | {refutations} | {solved} of {tasks}, {percent} %{partial} | \
             {wrong} | {median} | {sum:.0} s |"
        );
    }
    text + &footnotes(lines)
}

/// What should be 0.
pub(super) fn striking(wrong: usize) -> String {
    if wrong > 0 { format!("**{wrong}**") } else { "0".to_owned() }
}

/// Machine, versions, limits and commands.
pub(super) fn footnotes(lines: &[Line]) -> String {
    let mut text = String::new();
    let distinct = |facts: BTreeSet<String>| facts.into_iter().collect::<Vec<_>>().join("; or: ");
    let made = || lines.iter().filter_map(|line| line.made.as_ref());
    let _ = writeln!(text);
    let machines: BTreeSet<String> = made().map(|made| made.machine.clone()).collect();
    if !machines.is_empty() {
        let _ = writeln!(text, "- Machine: {}.", distinct(machines));
    }
    let versions: BTreeSet<String> =
        made().map(|made| format!("{}, {}", made.versions, made.date)).collect();
    if !versions.is_empty() {
        let _ = writeln!(text, "- Versions: {}.", distinct(versions));
    }
    let limits = lines.iter().map(|line| line.summary.limits.clone()).collect();
    let _ = writeln!(text, "- Limits: {}.", distinct(limits));
    for Line { title, made, .. } in lines {
        if let Some(made) = made {
            let _ = writeln!(text, "- {title}: `{}`", made.command);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"{"lakatos":"0.1.0","build":"b1","timeout":60.0,"wall":120.0,"memory":4294967296,"flags":[]}
{"tool":"lakatos","task":"a.c","category":"x","property":"unreach-call","expected":true,"answer":"unknown","right":null,"reason":"","said":"","cpu":60.0,"wall":60.0,"memory":1}
{"tool":"lakatos","task":"b.c","category":"x","property":"unreach-call","expected":false,"answer":"false","right":true,"reason":"","said":"","cpu":0.5,"wall":1.0,"memory":1}
{"tool":"other","task":"b.c","category":"x","property":"unreach-call","expected":false,"answer":"true","right":false,"reason":"","said":"","cpu":0.5,"wall":1.0,"memory":1}
{"tool":"lakatos","task":"c.c","category":"x","property":"unreach-call","expected":true,"answer":"timeout","right":null,"reason":"","said":"","cpu":60.0,"wall":60.0,"memory":1}
{"tool":"lakatos","task":"a.c","category":"x","property":"unreach-call","expected":true,"answer":"true","right":true,"reason":"","said":"","cpu":2.0,"wall":2.0,"memory":1}
{"tool":"lakatos","task":"d.c","category":"x","prop"#;

    #[test]
    fn sums() {
        let summary = Summary::read(ROWS).unwrap();
        assert_eq!((summary.tasks, summary.proofs, summary.refutations), (3, 1, 1));
        assert_eq!((summary.wrong, summary.times.as_slice()), (0, &[0.5, 2.0][..]));
        assert_eq!(summary.median(), Some(1.25));
        assert_eq!(Summary { times: vec![], ..summary.clone() }.median(), None);
        assert_eq!(Summary { times: vec![1.0, 2.0, 9.0], ..summary }.median(), Some(2.0));
        for bad in ["", "\n", "{}\n", "half"] {
            assert!(Summary::read(bad).is_err(), "{bad:?}");
        }
        let broken = ROWS.replace("\"right\":null", "\"right\":7");
        assert!(format!("{:#}", Summary::read(&broken).unwrap_err()).starts_with("row 1"));
    }

    #[test]
    fn a_wrong_verdict_stands_out() {
        let rows = ROWS
            .replace("\"answer\":\"false\",\"right\":true", "\"answer\":\"true\",\"right\":false");
        let summary = Summary::read(&rows).unwrap();
        assert_eq!((summary.wrong, summary.solved(), summary.refutations), (1, 1, 0));
        let line = Line { title: "x".to_owned(), summary, peer: None, made: None };
        let text = render("tasks", &[line]);
        assert!(
            text.contains("| x | 1 | 0 | 1 of 3, 33 % (the run has not ended) | **1** |"),
            "{text}"
        );
    }

    #[test]
    fn a_table() {
        let made = Made {
            machine: "2 cores".to_owned(),
            versions: "lakatos 0.1.0, Z3 5.4.0".to_owned(),
            date: "2026-11-16".to_owned(),
            command: "lakatos bench index.tsv --group x".to_owned(),
        };
        let summary = Summary::read(ROWS).unwrap();
        let other =
            Summary { tasks: 0, proofs: 0, refutations: 0, times: vec![], ..summary.clone() };
        let lines = [
            Line { title: "x".to_owned(), summary, peer: None, made: Some(made.clone()) },
            Line { title: "y".to_owned(), summary: other, peer: None, made: Some(made) },
        ];
        let expected = "\
| tasks | proofs | refutations | correct | wrong | median time of these | all of these |
|---|---|---|---|---|---|---|
| x | 1 | 1 | 2 of 3, 66 % | 0 | 1.25 s | 2 s |
| y | 0 | 0 | 0 of 0, 0 % | 0 |  | 0 s |

- Machine: 2 cores.
- Versions: lakatos 0.1.0, Z3 5.4.0, 2026-11-16.
- Limits: 60 s of processor time, 120 s on the clock and 4096 MB for each task; Lakatos 0.1.0, build b1.
- x: `lakatos bench index.tsv --group x`
- y: `lakatos bench index.tsv --group x`
";
        assert_eq!(render("tasks", &lines), expected);
    }
}
