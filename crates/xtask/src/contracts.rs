//! Contracts of the benchmark tasks: for how many there are some, and how many of these Frama-C
//! proves, without and with guards against undefined behaviour.
//!
//! Rows are written one by one; the same command goes on from where it was stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use lakatos_ir::DataModel;

use crate::index::{self, Entry};

/// The groups of tasks, as `lakatos bench` knows them.
const GROUPS: [&str; 3] = ["recursion73", "recursion", "loops"];

/// What the guards of Frama-C ask for besides.
const GUARDED: [&str; 3] = ["unreach-call", "no-overflow", "div-by-zero"];

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with index.tsv.
    pub bench: PathBuf,
    /// The program `lakatos`.
    pub lakatos: PathBuf,
    /// Of each property, in seconds.
    pub timeout: u32,
    /// Only every so many tasks.
    pub every: usize,
    /// What finds the contracts, if not what `lakatos contracts` chooses.
    pub from: Option<String>,
    /// Where rows are written, and found again.
    pub rows: PathBuf,
}

/// How it went with one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub file: String,
    /// There are contracts.
    pub found: bool,
    pub functional: bool,
    /// There are contracts that exclude overflow as well.
    pub guarded: bool,
    pub rte: bool,
    /// Why not, in a few words.
    pub reason: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    file: String,
    model: DataModel,
}

/// Runs all tasks that have no row yet; `None` if the folder is absent.
pub fn contracts(options: &Options, mut tell: impl FnMut(usize, usize)) -> Result<Option<Summary>> {
    let index = options.bench.join("index.tsv");
    if !index.exists() {
        return Ok(None);
    }
    ensure!(options.lakatos.exists(), "{} is not built", options.lakatos.display());
    let names = names(options, &index)?;
    let tasks = tasks(&fs::read_to_string(&index)?, &names)?;
    let tasks: Vec<Task> = tasks.into_iter().step_by(options.every.max(1)).collect();
    let mut rows = read(&options.rows)?;
    let done: BTreeSet<String> = rows.iter().map(|row| row.file.clone()).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(&options.rows)?;
    for (number, task) in tasks.iter().enumerate() {
        tell(number, tasks.len());
        if !done.contains(&task.file) {
            let row = run(options, task)?;
            writeln!(file, "{row}")?;
            rows.push(row);
        }
    }
    Ok(Some(Summary { rows }))
}

/// The names of all tasks of the groups.
fn names(options: &Options, index: &Path) -> Result<BTreeSet<String>> {
    let mut command = Command::new(&options.lakatos);
    command.arg("bench").arg(index).args(["--dry-run", "--property", "unreach-call"]);
    for group in GROUPS {
        command.args(["--group", group]);
    }
    let output = command.stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} bench --dry-run: {said}", options.lakatos.display());
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Those of the named tasks that are safe and have only integers.
fn tasks(index: &str, names: &BTreeSet<String>) -> Result<Vec<Task>> {
    let wanted = |entry: &Entry| {
        names.contains(&entry.file)
            && (entry.property.as_str(), entry.verdict.as_str()) == ("unreach-call", "true")
            && entry.semantics == "ub"
            && entry.integers
    };
    let entries = index::read(index)?.into_iter().filter(wanted);
    Ok(entries.map(|entry| Task { file: entry.file, model: entry.model }).collect())
}

fn run(options: &Options, task: &Task) -> Result<Row> {
    let functional = lakatos(options, task, &["unreach-call"], "frama-c")?;
    let found = match options.from.as_deref() {
        Some("arg") => functional.contains("contexts: checked"),
        _ => functional.contains("unreach-call: proved"),
    };
    let validated = found && functional.contains("frama-c: validated");
    let mut row = Row {
        file: task.file.clone(),
        found,
        functional: validated,
        guarded: false,
        rte: false,
        reason: if validated { String::new() } else { reason(&functional) },
    };
    if found {
        let both = lakatos(options, task, &GUARDED, "frama-c-rte")?;
        row.guarded = both.contains("no-overflow: proved") && both.contains("call: proved");
        row.rte = row.guarded && both.contains("frama-c-rte: validated");
        if row.guarded && !row.rte && row.reason.is_empty() {
            row.reason = format!("with RTE: {}", reason(&both));
        }
    }
    Ok(row)
}

/// What is said about a task's contracts.
fn lakatos(options: &Options, task: &Task, properties: &[&str], with: &str) -> Result<String> {
    let mut command = Command::new(&options.lakatos);
    command.args(["contracts", "--memory", "4000", "--validate-timeout", "300"]);
    command.args(["--timeout", &options.timeout.to_string(), "--validate", with]);
    if let Some(from) = &options.from {
        command.args(["--from", from]);
    }
    for property in properties {
        command.args(["--property", property]);
    }
    let model = match task.model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    };
    command.args(["--data-model", model]).arg(options.bench.join(&task.file));
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(3) {
        bail!("{}: {said}", task.file);
    }
    Ok(said)
}

/// The first line that tells what is wrong, without positions and values.
fn reason(said: &str) -> String {
    let telling = |line: &&str| {
        let marks =
            ["unknown:", "refuted:", "note:", "not validated:", "line ", "missing:", "says:"];
        marks.iter().any(|mark| line.trim_start().starts_with(mark) || line.contains(mark))
            && !line.contains("data model")
    };
    let line = said.lines().find(telling).unwrap_or("no reason is given");
    line.trim().replace('\t', " ")
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { file, found, functional, guarded, rte, reason } = self;
        write!(f, "{file}\t{found}\t{functional}\t{guarded}\t{rte}\t{reason}")
    }
}

/// The rows of an earlier run. A line that was not finished is none.
fn read(path: &Path) -> Result<Vec<Row>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| path.display().to_string())?,
    };
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, found, functional, guarded, rte, reason] = fields[..] else { return None };
        Some(Row {
            file: file.to_owned(),
            found: found.parse().ok()?,
            functional: functional.parse().ok()?,
            guarded: guarded.parse().ok()?,
            rte: rte.parse().ok()?,
            reason: reason.to_owned(),
        })
    };
    Ok(text.lines().filter_map(row).collect())
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |is: fn(&Row) -> bool| self.rows.iter().filter(|row| is(row)).count();
        let (found, guarded) = (count(|row| row.found), count(|row| row.guarded));
        writeln!(f, "tasks                                  {}", self.rows.len())?;
        writeln!(f, "with contracts                         {}", share(found, self.rows.len()))?;
        writeln!(
            f,
            "  validated by Frama-C                 {}",
            share(count(|r| r.functional), found)
        )?;
        writeln!(f, "with contracts that exclude overflow   {}", share(guarded, self.rows.len()))?;
        writeln!(f, "  validated by Frama-C with RTE        {}", share(count(|r| r.rte), guarded))?;
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| !row.reason.is_empty()) {
            reasons.entry(&row.reason).or_default().push(&row.file);
        }
        for (reason, files) in reasons {
            writeln!(f, "{}: {reason}", files.join(", "))?;
        }
        Ok(())
    }
}

fn share(part: usize, all: usize) -> String {
    match all {
        0 => format!("{part}"),
        _ => format!("{part} ({:.0} %)", 100.0 * part as f64 / all as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_integer_tasks_of_the_groups_are_chosen() {
        let beyond = index::BEYOND_INTEGERS.join("\t");
        let zeros = ["0"; index::BEYOND_INTEGERS.len()].join("\t");
        let index = format!(
            "category\tfile\tproperty\tverdict\tdata_model\tsemantics\t{beyond}\n\
             loops\tloops/a.c\tunreach-call\ttrue\tILP32\tub\t{zeros}\n\
             loops\tloops/b.c\tunreach-call\tfalse\tILP32\tub\t{zeros}\n\
             loops\tloops/c.c\tno-overflow\ttrue\tILP32\tub\t{zeros}\n\
             loops\tloops/d.c\tunreach-call\ttrue\tILP32\twrap\t{zeros}\n\
             locks\tlocks/e.c\tunreach-call\ttrue\tILP32\tub\t{zeros}\n\
             loops\tloops/f.c\tunreach-call\ttrue\tLP64\tub\t1{}\n",
            &zeros[1..]
        );
        let names = ["a", "b", "c", "d", "f"].map(|name| format!("loops/{name}.c")).into();
        let task = Task { file: "loops/a.c".to_owned(), model: DataModel::Ilp32 };
        assert_eq!(tasks(&index, &names).unwrap(), [task]);
    }

    #[test]
    fn rows_are_read_again() {
        let row = Row {
            file: "loops/a.c".to_owned(),
            found: true,
            functional: true,
            guarded: true,
            rte: false,
            reason: "with RTE: frama-c-rte: not validated (3 of 4 goals)".to_owned(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.tsv");
        assert_eq!(read(&path).unwrap(), []);
        fs::write(&path, format!("{row}\nloops/b.c\ttrue\tfal")).unwrap();
        assert_eq!(read(&path).unwrap(), std::slice::from_ref(&row));
        let summary = Summary { rows: vec![row] }.to_string();
        assert!(summary.contains("  validated by Frama-C                 1 (100 %)"), "{summary}");
        assert!(summary.contains("  validated by Frama-C with RTE        0 (0 %)"), "{summary}");
    }

    #[test]
    fn reasons_are_the_first_thing_that_is_wrong() {
        let said = "note: data model ilp32, as t.yml says\nunreach-call: proved\n  assuming: x\n\
                    frama-c: not validated (3 of 4 goals)\n  main: 1 of 2 unproved\n    \
                    line 3: loop invariant: x ≥ 0 (Unknown)\n";
        assert_eq!(reason(said), "line 3: loop invariant: x ≥ 0 (Unknown)");
        assert_eq!(reason("unreach-call: unknown: why\n"), "unreach-call: unknown: why");
    }
}
