//! Rows: one JSON object per line, written when a task has ended, so that a run that was cut
//! short can be gone on with. The first line says how the rows were made; under other settings
//! they would be others, so such a file is refused.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use lakatos_ir::Property;
use serde::{Deserialize, Serialize};

use super::answer::{self, Answer};
use super::child::{Finished, Limits, Verifier};
use super::select::fingerprint;
use super::tasks::Task;

/// How rows are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub lakatos: String,
    /// A fingerprint of the program that answered.
    pub build: String,
    /// Processor time and time on the wall clock, in seconds.
    pub timeout: f64,
    pub wall: f64,
    /// In bytes.
    pub memory: u64,
    pub flags: Vec<String>,
}

impl Settings {
    pub fn new(verifier: &Verifier, limits: &Limits) -> Result<Settings> {
        let program = &verifier.program;
        let bytes =
            fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
        Ok(Settings {
            lakatos: env!("CARGO_PKG_VERSION").to_owned(),
            build: format!("{:016x}", fingerprint(&bytes)),
            timeout: limits.cpu.as_secs_f64(),
            wall: limits.wall.as_secs_f64(),
            memory: limits.memory,
            flags: verifier.flags.clone(),
        })
    }
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub task: String,
    pub category: String,
    pub property: String,
    pub expected: bool,
    pub answer: Answer,
    /// `None` for no verdict.
    pub right: Option<bool>,
    pub reason: String,
    /// Processor time and time on the wall clock, in seconds.
    pub cpu: f64,
    pub wall: f64,
    /// The most memory used, in bytes.
    pub memory: u64,
}

impl Row {
    pub fn new(task: &Task, finished: &Finished, limits: &Limits) -> Row {
        let (answer, reason) = answer::read(finished, task.property, limits);
        let seconds = |time: std::time::Duration| time.as_millis() as f64 / 1000.0;
        Row {
            task: task.name.clone(),
            category: task.category.clone(),
            property: task.property.name().to_owned(),
            expected: task.expected,
            answer,
            right: answer.is_right(task.expected),
            reason,
            cpu: seconds(finished.usage.cpu),
            wall: seconds(finished.wall),
            memory: finished.usage.peak,
        }
    }
}

/// All rows of a run, and of the runs before it that it goes on from.
#[derive(Debug)]
pub struct Results {
    file: Option<File>,
    rows: BTreeMap<(String, Property), Row>,
}

impl Results {
    /// With a file: what it holds is taken over, and new rows are added to it.
    pub fn open(path: Option<&Path>, settings: &Settings) -> Result<Results> {
        let Some(path) = path else { return Ok(Results { file: None, rows: BTreeMap::new() }) };
        let there = match path.exists() {
            true => fs::read(path).with_context(|| format!("cannot read {}", path.display()))?,
            false => Vec::new(),
        };
        // A run that was killed may have left half a line.
        let whole = there.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rows = read(&there[..whole], settings)
            .with_context(|| format!("cannot go on from {}", path.display()))?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
        file.set_len(whole as u64)?;
        if whole == 0 {
            write_line(&mut file, settings)?;
        }
        Ok(Results { file: Some(file), rows })
    }

    pub fn get(&self, task: &Task) -> Option<&Row> {
        // A verdict that was expected otherwise is another row.
        let row = self.rows.get(&(task.name.clone(), task.property));
        row.filter(|row| row.expected == task.expected)
    }

    pub fn add(&mut self, task: &Task, row: Row) -> Result<()> {
        if let Some(file) = &mut self.file {
            write_line(file, &row)?;
        }
        self.rows.insert((task.name.clone(), task.property), row);
        Ok(())
    }
}

/// In one piece, so that a line is there or not.
fn write_line(file: &mut File, line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text).context("cannot write the results")?;
    file.flush().context("cannot write the results")
}

fn read(text: &[u8], settings: &Settings) -> Result<BTreeMap<(String, Property), Row>> {
    let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut rows = BTreeMap::new();
    let Some(first) = lines.next() else { return Ok(rows) };
    let made: Settings = serde_json::from_slice(first).context("its first line is no settings")?;
    let difference = difference(&made, settings);
    ensure!(
        difference.is_none(),
        "its rows were made with other settings: {}\n  Give another file to --output.",
        difference.unwrap_or_default()
    );
    for (number, line) in lines.enumerate() {
        let row: Row =
            serde_json::from_slice(line).with_context(|| format!("row {}", number + 1))?;
        rows.insert((row.task.clone(), row.property.parse()?), row);
    }
    Ok(rows)
}

fn difference(made: &Settings, now: &Settings) -> Option<String> {
    let differs =
        |what: &str, a: String, b: String| (a != b).then(|| format!("{what} {a}, not {b}"));
    differs("version", made.lakatos.clone(), now.lakatos.clone())
        .or_else(|| differs("build", made.build.clone(), now.build.clone()))
        .or_else(|| differs("timeout", made.timeout.to_string(), now.timeout.to_string()))
        .or_else(|| differs("wall", made.wall.to_string(), now.wall.to_string()))
        .or_else(|| differs("memory", made.memory.to_string(), now.memory.to_string()))
        .or_else(|| differs("flags", made.flags.join(" "), now.flags.join(" ")))
}
