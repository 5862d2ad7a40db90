//! Results for other programs: one line per task (TSV), or everything at once (JSON).

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::evidence::Evidence;
use super::results::{Row, Settings};
use super::runs::Run;
use super::table::{Line, Table};

const SCHEMA: &str = "lakatos-bench/1";

const COLUMNS: [&str; 13] = [
    "run", "task", "category", "property", "expected", "answer", "right", "score", "cpu", "wall",
    "memory", "reason", "said",
];

pub fn tsv(runs: &[Run]) -> String {
    let mut out = COLUMNS.join("\t") + "\n";
    for run in runs {
        for row in &run.rows {
            let cells = cells(&run.name, row).map(|cell| plain(&cell));
            let _ = writeln!(out, "{}", cells.join("\t"));
        }
    }
    out
}

fn cells(run: &str, row: &Row) -> [String; 13] {
    [
        run.to_owned(),
        row.task.clone(),
        row.category.clone(),
        row.property.clone(),
        row.expected.to_string(),
        row.answer.name().to_owned(),
        row.right.map(|right| right.to_string()).unwrap_or_default(),
        row.score().to_string(),
        row.cpu.to_string(),
        row.wall.to_string(),
        row.memory.to_string(),
        row.reason.clone(),
        row.said.clone(),
    ]
}

/// A cell has no tab and no end of line.
fn plain(cell: &str) -> String {
    cell.replace(char::is_control, " ")
}

#[derive(Serialize)]
struct Everything<'a> {
    schema: &'static str,
    runs: Vec<RunOut<'a>>,
    lines: &'a [Line],
}

#[derive(Serialize)]
struct RunOut<'a> {
    name: &'a str,
    settings: &'a Settings,
    total: Option<&'a Line>,
    /// Of Lakatos only.
    evidence: Option<&'a Evidence>,
    rows: Vec<RowOut<'a>>,
}

#[derive(Serialize)]
struct RowOut<'a> {
    #[serde(flatten)]
    row: &'a Row,
    score: i64,
}

pub fn json(runs: &[Run], table: &Table) -> Result<String> {
    let runs = runs.iter().map(|run| RunOut {
        name: &run.name,
        settings: &run.settings,
        total: table.totals.iter().find(|line| line.run == run.name),
        evidence: table.evidence.iter().find(|(name, _)| *name == run.name).map(|(_, e)| e),
        rows: run.rows.iter().map(|row| RowOut { row, score: row.score() }).collect(),
    });
    let everything = Everything { schema: SCHEMA, runs: runs.collect(), lines: &table.lines };
    Ok(serde_json::to_string_pretty(&everything)? + "\n")
}
