//! The tables of `docs/benchmarks.md` that come from runs of `lakatos bench`: measured, or made again
//! of rows that were measured earlier, and put between their marks in the document.
//!
//! Each line of a table is one run of `lakatos bench`, with rows in a file of its own, so a run that
//! was stopped goes on. Beside the rows of a run that has come to its end stands how it was made.

mod document;
mod peers;
mod rows;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

pub use self::document::{closing, opening, replace};
pub use self::peers::{CBMC, Comparison, Peer};
pub use self::rows::{Line, Summary};

/// As commands in the document name it, whose folder is the repository.
const INDEX: &str = "../shared/bench/index.tsv";

/// A table of the document.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// As the mark in the document names it.
    pub name: &'static str,
    /// What its first column is about.
    pub about: &'static str,
    /// The tool that is measured beside Lakatos.
    pub peer: Option<Peer>,
    pub lines: &'static [Run],
}

/// A line of a table: tasks of a group, with flags of `lakatos verify`.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub title: &'static str,
    pub group: &'static str,
    /// Only tasks of this list, beside the document.
    pub list: Option<&'static str>,
    pub flags: &'static [&'static str],
}

const fn by_group(group: &'static str) -> Run {
    Run { title: group, group, list: None, flags: &[] }
}

const fn one_at_a_time(group: &'static str) -> Run {
    Run { flags: &["--jobs", "1"], ..by_group(group) }
}

const fn by_engine(title: &'static str, flags: &'static [&'static str]) -> Run {
    Run { title, group: "recursion73", list: None, flags }
}

/// Tasks of arrays that are solved with a file of `lemmas/`, and not without.
const fn with_lemmas(
    title: &'static str,
    list: &'static str,
    flags: &'static [&'static str],
) -> Run {
    Run { title, group: "arrays", list: Some(list), flags }
}

pub const TABLES: [Table; 4] = [
    Table {
        name: "groups",
        about: "tasks",
        peer: None,
        lines: &[
            by_group("recursion73"),
            by_group("recursion"),
            by_group("loops"),
            Run {
                title: "loops with integers only",
                list: Some("integers.txt"),
                ..by_group("loops")
            },
            by_group("control"),
            by_group("eca"),
            by_group("bits"),
            by_group("arrays"),
            by_group("overflow"),
        ],
    },
    Table {
        name: "lemmas",
        about: "tasks of arrays, with",
        peer: None,
        lines: &[
            with_lemmas("`sum.acsl`", "lemmas-sum.txt", &["--lemmas", "lemmas/sum.acsl"]),
            with_lemmas("`even.acsl`", "lemmas-even.txt", &["--lemmas", "lemmas/even.acsl"]),
            with_lemmas("`max.acsl`", "lemmas-max.txt", &["--lemmas", "lemmas/max.acsl"]),
        ],
    },
    Table {
        name: "engines",
        about: "engine, on recursion73",
        peer: None,
        lines: &[
            by_engine("`auto`, one at a time", &["--jobs", "1"]),
            by_engine("`horn`", &["--engine", "horn"]),
            by_engine("`cegar`", &["--engine", "cegar"]),
            by_engine("`bam`", &["--engine", "bam"]),
            by_engine("`bmc`", &["--engine", "bmc"]),
        ],
    },
    Table {
        name: "peers",
        about: "tasks",
        peer: Some(CBMC),
        lines: &[one_at_a_time("recursion73"), one_at_a_time("control"), one_at_a_time("loops")],
    },
];

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The repository.
    pub root: PathBuf,
    /// The folder with index.tsv.
    pub bench: PathBuf,
    pub lakatos: PathBuf,
    /// Where rows are.
    pub rows: PathBuf,
    /// Nothing is run: the rows that are there are taken.
    pub only_rows: bool,
    /// Only these tables; all if there are none.
    pub tables: Vec<String>,
    /// Processor time in seconds, time on the clock, megabytes, and tasks at a time.
    pub timeout: f64,
    pub wall: f64,
    pub memory: u64,
    pub jobs: usize,
    /// Only so many tasks of each group.
    pub sample: Option<usize>,
}

/// How the rows of a line were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub machine: String,
    /// Of Lakatos and its solver.
    pub versions: String,
    pub date: String,
    pub command: String,
}

/// Measures, and writes the document. Says what was done, a line for each table.
pub fn tables(options: &Options, mut tell: impl FnMut(&str)) -> Result<Vec<String>> {
    let chosen = chosen(&options.tables)?;
    if !options.only_rows {
        ensure!(
            options.bench.join("index.tsv").exists(),
            "{} is absent: nothing can be measured\n  With `--from ROWS` tables are made of rows \
             that were measured earlier.",
            options.bench.display()
        );
        ensure!(options.lakatos.exists(), "{} is not built", options.lakatos.display());
        fs::create_dir_all(&options.rows)?;
        for table in &chosen {
            if let Some(absent) = table.peer.and_then(|peer| peer.version().err()) {
                tell(&format!("{}: not measured: {absent}", table.name));
                continue;
            }
            for run in table.lines {
                tell(&format!("{}: {}", table.name, run.title));
                measure(options, table, run)?;
            }
        }
    }
    write(options, &chosen)
}

fn chosen(names: &[String]) -> Result<Vec<Table>> {
    let known = |name: &String| TABLES.iter().any(|table| table.name == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        bail!("there is no table `{name}`; there are: {}", all.join(", "));
    }
    let wanted = |table: &&Table| names.is_empty() || names.iter().any(|name| name == table.name);
    Ok(TABLES.iter().filter(wanted).copied().collect())
}

/// The tables in the document, as far as there are rows for them.
fn write(options: &Options, chosen: &[Table]) -> Result<Vec<String>> {
    let path = options.root.join("docs/benchmarks.md");
    let mut document = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut told = Vec::new();
    for table in chosen {
        let lines = table.lines.iter().map(|run| line(options, table, run));
        let lines: Vec<Line> = lines.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        if lines.is_empty() {
            told.push(format!("{}: there are no rows, it stays as it is", table.name));
            continue;
        }
        let text = match table.peer {
            None => rows::render(table.about, &lines),
            Some(peer) => peers::render(&peer, table.about, &lines),
        };
        document =
            replace(&document, table.name, &text).with_context(|| path.display().to_string())?;
        let wrong: usize = lines.iter().map(|line| line.summary.wrong).sum();
        let wrong = if wrong > 0 { format!(", {wrong} WRONG VERDICTS") } else { String::new() };
        told.push(format!("{}: {} of {} lines{wrong}", table.name, lines.len(), table.lines.len()));
    }
    ensure!(
        told.iter().any(|line| line.contains(" of ")),
        "{} has no rows of these tables: nothing is written",
        options.rows.display()
    );
    fs::write(&path, document).with_context(|| path.display().to_string())?;
    Ok(told)
}

/// `groups.loops-with-integers-only`.
fn file_name(table: &Table, run: &Run) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let title: String = run.title.replace(['`', ','], "").chars().map(plain).collect();
    format!("{}.{title}", table.name)
}

/// A line of a table, if its rows are there.
fn line(options: &Options, table: &Table, run: &Run) -> Result<Option<Line>> {
    let base = options.rows.join(file_name(table, run));
    let path = base.with_added_extension("jsonl");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let summary = Summary::read(&text).with_context(|| path.display().to_string())?;
    let peer = table.peer.map(|peer| Comparison::read(&text, peer.name));
    let peer = peer.transpose().with_context(|| path.display().to_string())?;
    let path = base.with_added_extension("json");
    let made = match fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?),
        Err(_) => None,
    };
    Ok(Some(Line { title: run.title.to_owned(), summary, peer, made }))
}

/// Runs `lakatos bench`, which goes on from rows that are there.
fn measure(options: &Options, table: &Table, run: &Run) -> Result<()> {
    let base = options.rows.join(file_name(table, run));
    let rows = base.with_added_extension("jsonl");
    let made = base.with_added_extension("json");
    // Until the end it is not said that there is one.
    if made.exists() {
        fs::remove_file(&made)?;
    }
    if !rows.exists()
        && let Some(text) = shared(options, table, run)?
    {
        fs::write(&rows, text)?;
    }
    let (mut args, flags) = arguments(options, run);
    args.extend(table.peer.iter().flat_map(Peer::arguments));
    let mut command = Command::new(&options.lakatos);
    command.current_dir(&options.root).arg("bench").arg(options.bench.join("index.tsv"));
    command.args(&args).arg("-o").arg(&rows).args(&flags);
    let status = command.stdout(std::process::Stdio::null()).status();
    let status = status.with_context(|| format!("{} cannot be run", options.lakatos.display()))?;
    // Wrong verdicts (1) are told in the table.
    ensure!(
        matches!(status.code(), Some(0 | 1)),
        "`lakatos bench` ended early ({status}); the same command goes on from {}",
        rows.display()
    );
    let mut versions = versions(&options.lakatos)?;
    if let Some(peer) = table.peer {
        versions = format!("{versions}, {} {}", peer.title, peer.version()?);
    }
    let how = Made {
        machine: machine(),
        versions,
        date: today(),
        command: shown(
            &[&["lakatos", "bench", INDEX].map(str::to_owned), &args[..], &flags].concat(),
        ),
    };
    Ok(fs::write(made, serde_json::to_string_pretty(&how)? + "\n")?)
}

/// The rows of a list of tasks that are among those of another line: they are not measured twice.
fn shared(options: &Options, table: &Table, run: &Run) -> Result<Option<String>> {
    // Of a list there is another sample than of the group.
    let Some(list) = run.list.filter(|_| options.sample.is_none()) else { return Ok(None) };
    let has_all =
        |other: &&Run| (other.list, other.group, other.flags) == (None, run.group, run.flags);
    let Some(whole) = table.lines.iter().find(has_all) else { return Ok(None) };
    let path = options.rows.join(file_name(table, whole)).with_added_extension("jsonl");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let list = options.root.join("docs/benchmarks").join(list);
    let names = fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let names = names.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let among = rows::among(&text, &names.collect());
    among.with_context(|| path.display().to_string()).map(Some)
}

/// Options of `bench`, and what comes behind them: those of `verify`.
fn arguments(options: &Options, run: &Run) -> (Vec<String>, Vec<String>) {
    let mut args = vec!["--group".to_owned(), run.group.to_owned()];
    if let Some(list) = run.list {
        args.extend(["--list".to_owned(), format!("docs/benchmarks/{list}")]);
    }
    if let Some(sample) = options.sample {
        args.extend(["--sample".to_owned(), sample.to_string()]);
    }
    args.extend(["--timeout".to_owned(), options.timeout.to_string()]);
    args.extend(["--wall".to_owned(), options.wall.to_string()]);
    args.extend(["--memory".to_owned(), options.memory.to_string()]);
    args.extend(["-j".to_owned(), options.jobs.to_string()]);
    let mark = (!run.flags.is_empty()).then_some("--");
    (args, mark.iter().chain(run.flags).map(ToString::to_string).collect())
}

/// As one would type it.
fn shown(words: &[String]) -> String {
    let quoted = |word: &String| {
        if word.contains(['{', ' ']) { format!("'{word}'") } else { word.clone() }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Processor, cores, memory and system, as far as the system tells.
pub(crate) fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once([':', '='])?.1.trim().trim_matches('"').to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = field(&read("/proc/cpuinfo"), "model name");
    let kilobytes = field(&read("/proc/meminfo"), "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let memory = kilobytes.map(|kilobytes| format!("{} GB", (kilobytes + (1 << 19)) >> 20));
    let system = field(&read("/etc/os-release"), "PRETTY_NAME");
    let cores = Some(format!("{cores} cores"));
    [cores, processor, memory, system].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(crate) fn versions(lakatos: &Path) -> Result<String> {
    let output = Command::new(lakatos).arg("--version").output()?;
    ensure!(output.status.success(), "{} --version fails", lakatos.display());
    Ok(String::from_utf8_lossy(&output.stdout).trim().replace('\n', ", "))
}

pub(crate) fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.split('T').next().unwrap_or_default().to_owned()
}
