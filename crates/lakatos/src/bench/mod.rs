//! `lakatos bench`: many tasks with known verdicts, each in a child process under limits, and a
//! table of what came out.
//!
//! `tasks` finds them, `select` chooses among them. `tool` knows what answers: Lakatos, or another
//! tool by a command `template`. `pool` runs them side by side, `child` runs one through a `guard`
//! process, which limits it and keeps account of its `usage`; `answer` reads what it said and
//! `evidence` what stands behind it. `results` keeps a row for each in a file that a later run goes
//! on from, and `table` sums up, with the points of `score`. `runs` reads such files again: for a
//! table, to `export` them, for the `diff` of two and the `plot` of several. A wrong verdict is the
//! worst that can happen: it is told last and loudest, and decides the exit code.

mod answer;
pub mod child;
mod diff;
mod evidence;
mod export;
mod guard;
mod plot;
mod pool;
mod progress;
mod results;
mod runs;
mod score;
mod select;
mod table;
mod tasks;
mod template;
mod tool;
pub mod usage;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};

use self::child::Limits;
pub use self::guard::guard;
use self::pool::{Job, Means};
use self::progress::Progress;
use self::results::{Results, Settings};
pub use self::select::GROUPS;
use self::select::{Chosen, Wanted};
use self::table::{Entry, Table};
use self::tool::Tool;
use crate::args::{self, BenchCommand, BenchRun, TableFormat};
use crate::exit::Exit;
use crate::terminal::note;

pub fn bench(args: &args::Bench) -> Result<Exit> {
    match &args.command {
        None => run(&args.run),
        Some(BenchCommand::Table(args)) => table(args),
        Some(BenchCommand::Diff(args)) => diff::diff(args),
        Some(BenchCommand::Plot(args)) => plot::plot(args),
    }
}

fn run(args: &BenchRun) -> Result<Exit> {
    let found = tasks::find(&args.tasks)?;
    for remark in found.remarks() {
        note(&remark);
    }
    let nothing = found.tasks.is_empty() && found.remarks().is_empty();
    ensure!(!nothing, "there is no task in {}", names(&args.tasks));
    let chosen = select::select(found.tasks, &Wanted::new(args)?)?;
    if args.dry_run {
        return list(&chosen);
    }
    let stop = stop_on_signal();
    let table = measured(args, &chosen, &stop)?;
    print(&table.to_string())?;
    let stopped = stop.load(Ordering::Relaxed);
    if stopped {
        note(&match &args.output {
            Some(path) => format!("stopped; the same command goes on from {}", path.display()),
            None => "stopped; with --output, a later run could go on from here".to_owned(),
        });
    }
    Ok(match (table.wrong(), stopped) {
        (1.., _) => Exit::Bad,
        (0, true) => Exit::Unknown,
        (0, false) => Exit::Good,
    })
}

/// Runs what is not in the results yet, and sums up.
fn measured(args: &BenchRun, chosen: &[Chosen], stop: &AtomicBool) -> Result<Table> {
    let program = this_program()?;
    let verifier = match &args.verifier {
        Some(path) => std::path::absolute(path).context("the verifier's path")?,
        None => program.clone(),
    };
    let tools = tool::tools(args, verifier)?;
    let limits = Limits::new(args);
    let settings = Settings::new(&tools, &args.flags, &limits)?;
    let mut results = Results::open(args.output.as_deref(), &settings)?;
    let all = jobs(&tools, chosen);
    let is_open = |job: &Job<'_>| results.get(job.tool, &job.chosen.task).is_none();
    let open: Vec<Job<'_>> = all.iter().copied().filter(is_open).collect();
    let progress = Progress::new(open.len(), all.len() - open.len());
    let means = Means { program: &program, limits: &limits, at_a_time: at_a_time(args), stop };
    pool::run(&open, &means, |row| {
        progress.told(&row);
        results.add(row)
    })?;
    Ok(Table::new(all.iter().map(|Job { tool, chosen }| Entry {
        line: &chosen.row,
        run: &tool.name,
        row: results.get(tool, &chosen.task),
    })))
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

fn list(chosen: &[Chosen]) -> Result<Exit> {
    let names: BTreeSet<&str> = chosen.iter().map(|c| c.task.name.as_str()).collect();
    print(&names.iter().map(|name| format!("{name}\n")).collect::<String>())?;
    Ok(Exit::Good)
}

/// Every task with every tool; the tools take turns, so that what else the machine does is shared.
fn jobs<'a>(tools: &'a [Tool], chosen: &'a [Chosen]) -> Vec<Job<'a>> {
    let jobs_of = |chosen: &'a Chosen| tools.iter().map(move |tool| Job { tool, chosen });
    chosen.iter().flat_map(jobs_of).collect()
}

fn table(args: &args::TableArgs) -> Result<Exit> {
    let runs = runs::read(&args.rows)?;
    let entries = runs.iter().flat_map(|run| {
        run.rows.iter().map(|row| Entry { line: row.line(), run: &run.name, row: Some(row) })
    });
    let table = Table::new(entries);
    print(&match args.format {
        TableFormat::Text => table.to_string(),
        TableFormat::Tsv => export::tsv(&runs),
        TableFormat::Json => export::json(&runs, &table)?,
    })?;
    Ok(if table.wrong() > 0 { Exit::Bad } else { Exit::Good })
}

fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// By this name it is the program that is running, even if its file is replaced meanwhile.
fn this_program() -> Result<PathBuf> {
    let running = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    match running.exists() {
        true => Ok(running),
        false => std::env::current_exe().context("cannot find the program that is running"),
    }
}

fn at_a_time(args: &BenchRun) -> usize {
    args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Set when the user wants an end: rows that are there stay, children are ended.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // Without a handler Ctrl-C ends this process, and its guards end everything else.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    stop
}
