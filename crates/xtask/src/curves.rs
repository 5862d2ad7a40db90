//! How the cost of a proof grows, as curves and a table in `docs/benchmarks.md`: programs of growing
//! size, made here, and the time that `lakatos bench` measures for each.
//!
//! Programs, index and rows are in one folder, so a run that was stopped goes on. What was made from
//! rows once can be made from them again.

mod programs;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use lakatos_report::plot::{Plot, Scale, Series, svg};
use serde::Deserialize;

use crate::tables::{Made, machine, replace, today, versions};

pub use self::programs::{CURVES, Curve};

/// The mark in the document.
pub const TABLE: &str = "curves";

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The repository.
    pub root: PathBuf,
    pub lakatos: PathBuf,
    /// Where programs and rows are.
    pub folder: PathBuf,
    /// Nothing is run: the rows that are there are taken.
    pub only_rows: bool,
    /// Processor time in seconds, time on the clock, and megabytes of each program.
    pub timeout: f64,
    pub wall: f64,
    pub memory: u64,
}

/// Measures, and writes the document and the drawings. Says what was done.
pub fn curves(options: &Options) -> Result<Vec<String>> {
    if !options.only_rows {
        ensure!(options.lakatos.exists(), "{} is not built", options.lakatos.display());
        write_programs(&options.folder)?;
        measure(options)?;
    }
    let path = options.folder.join("rows.jsonl");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let points = points(&text).with_context(|| path.display().to_string())?;
    let path = options.folder.join("made.json");
    let made: Option<Made> = match fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?),
        Err(_) => None,
    };
    write(options, &points, made.as_ref())
}

/// `calls-100.c`.
fn file_name(curve: &Curve, size: u64) -> String {
    format!("{}-{size}.c", curve.name)
}

/// The programs of all curves, and an index of them.
fn write_programs(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut index = "category\tfile\tproperty\tverdict\n".to_owned();
    for curve in CURVES {
        for size in curve.sizes {
            let file = file_name(&curve, *size);
            fs::write(folder.join(&file), (curve.program)(*size))?;
            let _ = writeln!(index, "{}\t{file}\tunreach-call\ttrue", curve.name);
        }
    }
    Ok(fs::write(folder.join("index.tsv"), index)?)
}

/// Runs `lakatos bench`, which goes on from rows that are there.
fn measure(options: &Options) -> Result<()> {
    let Options { lakatos, folder, timeout, wall, memory, .. } = options;
    let made = folder.join("made.json");
    // Until the end it is not said that there is one.
    if made.exists() {
        fs::remove_file(&made)?;
    }
    let limits = [
        ("--timeout", timeout.to_string()),
        ("--wall", wall.to_string()),
        ("--memory", memory.to_string()),
        ("-j", "1".to_owned()),
    ];
    let limits: Vec<String> =
        limits.into_iter().flat_map(|(flag, n)| [flag.to_owned(), n]).collect();
    let mut command = Command::new(lakatos);
    command.arg("bench").arg(folder.join("index.tsv")).args(&limits);
    command.arg("-o").arg(folder.join("rows.jsonl")).args(["--", "--jobs", "1"]);
    let status = command.stdout(Stdio::null()).status();
    let status = status.with_context(|| format!("{} cannot be run", lakatos.display()))?;
    // Wrong verdicts (1) are told in the table.
    ensure!(
        matches!(status.code(), Some(0 | 1)),
        "`lakatos bench` ended early ({status}); the same command goes on"
    );
    let how = Made {
        machine: machine(),
        versions: versions(lakatos)?,
        date: today(),
        command: format!("lakatos bench INDEX {} -- --jobs 1", limits.join(" ")),
    };
    Ok(fs::write(made, serde_json::to_string_pretty(&how)? + "\n")?)
}

#[derive(Clone, Debug, Deserialize)]
struct Row {
    task: String,
    answer: String,
    right: Option<bool>,
    cpu: f64,
}

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    Proved { seconds: f64 },
    Wrong,
    Unknown,
}

/// Of each file. The last of several rows counts, and a half line at the end is no row.
pub fn points(text: &str) -> Result<BTreeMap<String, Point>> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut found = BTreeMap::new();
    for (number, line) in whole.lines().enumerate().skip(1) {
        let row: Row = serde_json::from_str(line).with_context(|| format!("row {number}"))?;
        let point = match (row.right, row.answer.as_str()) {
            (Some(true), "true") => Point::Proved { seconds: row.cpu },
            (Some(false), _) => Point::Wrong,
            _ => Point::Unknown,
        };
        found.insert(row.task, point);
    }
    Ok(found)
}

/// The drawings, beside the document, and the curves that each shows.
const DRAWINGS: [(&str, &str, &str, &[&str]); 2] = [
    (
        "growth-of-bounds.svg",
        "Bounds in a program of the same size",
        "bound",
        &["loop-bound", "recursion-depth"],
    ),
    (
        "growth-of-programs.svg",
        "Programs of growing size",
        "lines of the program",
        &["calls", "functions", "chain"],
    ),
];

fn write(
    options: &Options,
    points: &BTreeMap<String, Point>,
    made: Option<&Made>,
) -> Result<Vec<String>> {
    let folder = options.root.join("docs/benchmarks");
    for (file, title, across, names) in DRAWINGS {
        let named = CURVES.iter().filter(|curve| names.contains(&curve.name));
        let plot = Plot {
            title: Some(title.to_owned()),
            across: across.to_owned(),
            up: "processor time in seconds".to_owned(),
            series: named.map(|curve| series(curve, points)).collect(),
            limit: Some(options.timeout),
            scale: Scale::Logarithmic,
        };
        let path = folder.join(file);
        fs::write(&path, svg(&plot)).with_context(|| path.display().to_string())?;
    }
    let path = options.root.join("docs/benchmarks.md");
    let document = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let document = replace(&document, TABLE, &table(points, made))?;
    fs::write(&path, document).with_context(|| path.display().to_string())?;
    let count = |wanted: fn(&Point) -> bool| points.values().filter(|p| wanted(p)).count();
    let wrong = count(|point| matches!(point, Point::Wrong));
    let proved = count(|point| matches!(point, Point::Proved { .. }));
    let mut told = vec![format!("{proved} of {} programs proved", points.len())];
    if wrong > 0 {
        told.push(format!("{wrong} WRONG VERDICTS"));
    }
    Ok(told)
}

fn series(curve: &Curve, points: &BTreeMap<String, Point>) -> Series {
    let along = |size: u64| match curve.by_lines {
        true => (curve.program)(size).lines().count() as f64,
        false => size as f64,
    };
    let solved = solved(curve, points);
    Series {
        name: curve.title.to_owned(),
        note: format!("expected: {}", curve.expected),
        points: solved.into_iter().map(|(size, seconds)| (along(size), seconds)).collect(),
    }
}

/// Sizes with their times, as far as they were proved.
fn solved(curve: &Curve, points: &BTreeMap<String, Point>) -> Vec<(u64, f64)> {
    let time = |size: &u64| match points.get(&file_name(curve, *size)) {
        Some(Point::Proved { seconds }) => Some((*size, *seconds)),
        _ => None,
    };
    curve.sizes.iter().filter_map(time).collect()
}

/// The table, and below it how it was measured.
pub fn table(points: &BTreeMap<String, Point>, made: Option<&Made>) -> String {
    let mut text =
        "| what grows | size: seconds | expected | from the last size but one to the last |\n\
                    |---|---|---|---|\n"
            .to_owned();
    for curve in CURVES {
        let cell = |size: &u64| match points.get(&file_name(&curve, *size)) {
            Some(Point::Proved { seconds }) => format!("{size}: {seconds:.2}"),
            Some(Point::Wrong) => format!("{size}: **wrong**"),
            Some(Point::Unknown) => format!("{size}: no answer"),
            None => format!("{size}: not measured"),
        };
        let cells: Vec<String> = curve.sizes.iter().map(cell).collect();
        let growth = growth(&solved(&curve, points));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {growth} |",
            curve.title,
            cells.join("; "),
            curve.expected
        );
    }
    if let Some(Made { machine, versions, date, command }) = made {
        let _ = write!(
            text,
            "\n- Machine: {machine}.\n- Versions: {versions}, {date}.\n- Command: `{command}`; times are \
             processor time.\n"
        );
    }
    text
}

/// `size × 2.5, time × 3.1`.
fn growth(solved: &[(u64, f64)]) -> String {
    let [.., (small, before), (large, after)] = solved else { return String::new() };
    let times = |from: f64, to: f64| (to / from * 10.0).round() / 10.0;
    let size = times(*small as f64, *large as f64);
    format!("size × {size}, time × {}", times(before.max(0.01), after.max(0.01)))
}
