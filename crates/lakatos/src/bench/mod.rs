//! `lakatos bench`: many tasks with known verdicts, each in a child process under limits, and a
//! table of what came out.
//!
//! `tasks` finds them, `select` chooses among them, `pool` runs them side by side, `child` runs
//! one and `usage` sees what it uses, `answer` reads what it said, `results` keeps a row for each
//! in a file that a later run goes on from, `table` sums up. A wrong verdict is the worst that
//! can happen: it is told last and loudest, and decides the exit code.

mod answer;
mod child;
mod pool;
mod progress;
mod results;
mod select;
mod table;
mod tasks;
mod usage;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use self::child::{Limits, Verifier};
use self::progress::Progress;
use self::results::{Results, Settings};
pub use self::select::GROUPS;
use self::table::Table;
use crate::args;
use crate::exit::Exit;
use crate::terminal::note;

pub fn bench(args: &args::Bench) -> Result<Exit> {
    let found = tasks::find(&args.tasks)?;
    for remark in found.remarks() {
        note(&remark);
    }
    let chosen = select::select(found.tasks, &select::Wanted::new(args)?)?;
    let mut out = anstream::stdout().lock();
    if args.dry_run {
        let names: BTreeSet<&str> = chosen.iter().map(|c| c.task.name.as_str()).collect();
        for name in names {
            writeln!(out, "{name}")?;
        }
        return Ok(Exit::Good);
    }
    let verifier = Verifier { program: program(args)?, flags: args.flags.clone() };
    let limits = Limits::new(args);
    let settings = Settings::new(&verifier, &limits)?;
    let mut results = Results::open(args.output.as_deref(), &settings)?;
    let stop = stop_on_signal()?;
    let open: Vec<_> = chosen.iter().filter(|c| results.get(&c.task).is_none()).collect();
    let progress = Progress::new(open.len(), chosen.len() - open.len());
    pool::run(&open, &verifier, &limits, jobs(args), &stop, |task, row| {
        progress.told(&row);
        results.add(task, row)
    })?;
    progress.end();
    let table = Table::new(&chosen, &results);
    write!(out, "{table}")?;
    out.flush()?;
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

/// The program that verifies: this one.
fn program(args: &args::Bench) -> Result<PathBuf> {
    if let Some(program) = &args.verifier {
        return std::path::absolute(program).context("the verifier's path");
    }
    // By this name it is the program that is running, even if its file is replaced meanwhile.
    let running = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    match running.exists() {
        true => Ok(running),
        false => std::env::current_exe().context("cannot find the program that is running"),
    }
}

fn jobs(args: &args::Bench) -> usize {
    args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Set when the user wants an end: rows that are there stay, children are ended.
fn stop_on_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
