//! Rows: one JSON object per line, written when a task has ended, so that a run that was cut
//! short can be gone on with. The first line says how the rows were made; under other settings
//! they would be others, so such a file is refused.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::child::{Finished, Limits};
use super::score::score;
use super::select::Chosen;
use super::tasks::Task;
use super::tool::{self, LAKATOS, Tool};
use crate::{input, whole};

/// How rows are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub lakatos: String,
    /// A fingerprint of the program that answered; empty if Lakatos was not asked.
    pub build: String,
    /// Processor time and time on the wall clock, in seconds.
    pub timeout: f64,
    pub wall: f64,
    /// In bytes.
    pub memory: u64,
    pub flags: Vec<String>,
    /// Other tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<tool::Settings>,
}

impl Settings {
    pub fn new(tools: &[Tool], flags: &[String], limits: &Limits) -> Result<Settings> {
        let lakatos = tools.iter().find(|tool| tool.is_lakatos());
        let others: Vec<_> = tools.iter().map(Tool::settings).collect::<Result<_>>()?;
        Ok(Settings {
            lakatos: env!("CARGO_PKG_VERSION").to_owned(),
            build: lakatos.map(Tool::build).transpose()?.unwrap_or_default(),
            timeout: limits.cpu.as_secs_f64(),
            wall: limits.wall.as_secs_f64(),
            memory: limits.memory,
            flags: flags.to_vec(),
            tools: others.into_iter().flatten().collect(),
        })
    }

    #[cfg(test)]
    pub fn sample() -> Settings {
        Settings {
            lakatos: String::new(),
            build: String::new(),
            timeout: 10.0,
            wall: 10.0,
            memory: 1,
            flags: Vec::new(),
            tools: Vec::new(),
        }
    }

    /// The first thing that is otherwise.
    pub fn difference(&self, now: &Settings) -> Option<String> {
        let differs =
            |what: &str, a: String, b: String| (a != b).then(|| format!("{what} {a}, not {b}"));
        let tools = |settings: &Settings| {
            let tool = |t: &tool::Settings| format!("`{}` {:?} {}", t.command, t.says, t.build);
            settings.tools.iter().map(tool).collect::<Vec<_>>().join(" ")
        };
        differs("version", self.lakatos.clone(), now.lakatos.clone())
            .or_else(|| differs("build", self.build.clone(), now.build.clone()))
            .or_else(|| self.limits_differ(now))
            .or_else(|| differs("flags", self.flags.join(" "), now.flags.join(" ")))
            .or_else(|| differs("tools", tools(self), tools(now)))
    }

    /// The first limit that is otherwise.
    pub fn limits_differ(&self, now: &Settings) -> Option<String> {
        let differs = |what: &str, a: f64, b: f64| (a != b).then(|| format!("{what} {a}, not {b}"));
        differs("timeout", self.timeout, now.timeout)
            .or_else(|| differs("wall", self.wall, now.wall))
            .or_else(|| differs("memory", self.memory as f64, now.memory as f64))
    }
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What answered.
    #[serde(default = "lakatos")]
    pub tool: String,
    pub task: String,
    pub category: String,
    /// The line of the table that it counts for, if it is not that of the category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    pub property: String,
    pub expected: bool,
    pub answer: Answer,
    /// `None` for no verdict.
    pub right: Option<bool>,
    pub reason: String,
    /// The words in which the answer was found.
    #[serde(default)]
    pub said: String,
    /// Processor time and time on the wall clock, in seconds.
    pub cpu: f64,
    pub wall: f64,
    /// The most memory used, in bytes; what processes share is counted for each of them.
    pub memory: u64,
}

fn lakatos() -> String {
    LAKATOS.to_owned()
}

/// Tool, task and property.
pub type Key = (String, String, String);

impl Row {
    pub fn new(tool: &Tool, chosen: &Chosen, finished: &Finished, limits: &Limits) -> Row {
        let task = &chosen.task;
        let said = tool.read(finished, task, limits);
        let seconds = |time: std::time::Duration| time.as_millis() as f64 / 1000.0;
        Row {
            tool: tool.name.clone(),
            task: task.name.clone(),
            category: task.category.clone(),
            line: (chosen.row != task.category).then(|| chosen.row.clone()),
            property: task.property.name().to_owned(),
            expected: task.expected,
            answer: said.answer,
            right: said.answer.is_right(task.expected),
            reason: said.reason,
            said: said.words,
            cpu: seconds(finished.usage.cpu),
            wall: seconds(finished.wall),
            memory: finished.usage.peak,
        }
    }

    pub fn key(&self) -> Key {
        (self.tool.clone(), self.task.clone(), self.property.clone())
    }

    /// The name of its line in a table.
    pub fn line(&self) -> &str {
        self.line.as_deref().unwrap_or(&self.category)
    }

    pub fn score(&self) -> i64 {
        score(self.answer, self.expected)
    }

    #[cfg(test)]
    pub fn sample() -> Row {
        Row {
            tool: lakatos(),
            task: "a.c".to_owned(),
            category: "a".to_owned(),
            line: None,
            property: "unreach-call".to_owned(),
            expected: true,
            answer: Answer::Unknown,
            right: None,
            reason: String::new(),
            said: String::new(),
            cpu: 1.25,
            wall: 1.5,
            memory: 1 << 20,
        }
    }

    #[cfg(test)]
    pub fn answered(task: &str, expected: bool, answer: Answer) -> Row {
        let right = answer.is_right(expected);
        Row { task: task.to_owned(), expected, answer, right, ..Row::sample() }
    }
}

/// A file of rows. The last of several rows for a task counts.
#[derive(Clone, Debug)]
pub struct Log {
    pub settings: Settings,
    pub rows: BTreeMap<Key, Row>,
}

impl Log {
    pub fn read(path: &Path) -> Result<Log> {
        let text = input::bytes(path)?;
        let log = Log::parse(&text[..whole_lines(&text)]);
        let log = log.with_context(|| format!("{} is no file of rows", path.display()))?;
        log.with_context(|| format!("{} is no file of rows: it is empty", path.display()))
    }

    /// `None` if there is nothing.
    fn parse(text: &[u8]) -> Result<Option<Log>> {
        let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Ok(None) };
        let settings = serde_json::from_slice(first).context("its first line is no settings")?;
        let mut rows = BTreeMap::new();
        for (number, line) in lines.enumerate() {
            let row: Row =
                serde_json::from_slice(line).with_context(|| format!("row {}", number + 1))?;
            rows.insert(row.key(), row);
        }
        Ok(Some(Log { settings, rows }))
    }
}

/// The length of the whole lines: a run that was killed may have left half of one.
fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// All rows of a run, and of the runs before it that it goes on from.
#[derive(Debug, Default)]
pub struct Results {
    file: Option<File>,
    rows: BTreeMap<Key, Row>,
}

impl Results {
    /// With a file: what it holds is taken over, and new rows are added to it.
    pub fn open(path: Option<&Path>, settings: &Settings) -> Result<Results> {
        let Some(path) = path else { return Ok(Results::default()) };
        ensure_file(path)?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
        // Where the system has no locks, nothing is to be done about it.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("another run writes to {}", path.display());
        }
        let mut there = Vec::new();
        file.read_to_end(&mut there).with_context(|| format!("cannot read {}", path.display()))?;
        let whole = whole_lines(&there);
        let first = line(settings)?;
        let rows = match whole {
            // Of what was cut short so early nothing is lost; anything else is somebody's file.
            0 if first.starts_with(&there) => Ok(BTreeMap::new()),
            _ => known(&there[..whole], settings),
        };
        let rows = rows.with_context(|| format!("cannot go on from {}", path.display()))?;
        let written = match whole {
            0 => begin(&mut file, &first),
            _ => file.set_len(whole as u64),
        };
        written.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Results { file: Some(file), rows })
    }

    pub fn get(&self, tool: &Tool, task: &Task) -> Option<&Row> {
        let key = (tool.name.clone(), task.name.clone(), task.property.name().to_owned());
        // A verdict that was expected otherwise is another row.
        self.rows.get(&key).filter(|row| row.expected == task.expected)
    }

    pub fn add(&mut self, row: Row) -> Result<()> {
        if let Some(file) = &mut self.file {
            let text = line(&row)?;
            append(file, &text).context("cannot write the results")?;
        }
        self.rows.insert(row.key(), row);
        Ok(())
    }
}

/// Adds a line, or nothing.
fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let before = file.metadata()?.len();
    file.write_all(line).and_then(|()| file.flush()).inspect_err(|_| {
        // What cannot be taken back is half a line, which a later run leaves out.
        let _ = file.set_len(before);
    })
}

/// Rows are read again, so they go to a file.
fn ensure_file(path: &Path) -> Result<()> {
    ensure!(
        path != Path::new("-"),
        "rows go to a file, not to standard output\n  Give a file (`./-` if it is to be called so)."
    );
    ensure!(!path.is_dir(), "cannot write {}: it is a directory", path.display());
    ensure!(
        !path.exists() || path.is_file(),
        "cannot write {}: rows are read again, and this is no file\n  Give a file to --output.",
        path.display()
    );
    // What is there is added to, and needs no other file beside it.
    if path.exists() { Ok(()) } else { whole::ensure_possible(path) }
}

/// Written in one piece, so that a line is there or not.
fn line(row: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(row)?;
    text.push(b'\n');
    Ok(text)
}

/// The file with nothing but its first line.
fn begin(file: &mut File, first: &[u8]) -> io::Result<()> {
    file.set_len(0)?;
    append(file, first)
}

/// The rows of a file, if they were made as rows would be made now.
fn known(text: &[u8], settings: &Settings) -> Result<BTreeMap<Key, Row>> {
    let log = Log::parse(text)?;
    let log = log.context("it is no file of rows\n  Give another file to --output.")?;
    let difference = log.settings.difference(settings);
    ensure!(
        difference.is_none(),
        "its rows were made with other settings: {}\n  Give another file to --output.",
        difference.unwrap_or_default()
    );
    Ok(log.rows)
}
