//! Several tasks at a time.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};

use super::child::{self, Limits};
use super::results::Row;
use super::select::Chosen;
use super::tool::Tool;

/// What there is to do.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub tool: &'a Tool,
    pub chosen: &'a Chosen,
}

/// How it is done.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// This program.
    pub program: &'a Path,
    pub limits: &'a Limits,
    pub at_a_time: usize,
    /// Ends the run early if it is set.
    pub stop: &'a AtomicBool,
}

/// Does all jobs and hands over each row as it comes. Ends early if it is to stop, or with the
/// first error.
pub fn run(
    jobs: &[Job<'_>],
    means: &Means<'_>,
    mut done: impl FnMut(Row) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, rows) = mpsc::channel();
    let work = |sender: mpsc::Sender<Result<Row>>| {
        while let Some(job) = take(jobs, &next, means.stop) {
            let name = || format!("cannot run {} on {}", job.tool.name, job.chosen.task.name);
            let Some(row) = job.row(means).with_context(name).transpose() else { return };
            if sender.send(row).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for number in 0..means.at_a_time.clamp(1, jobs.len().max(1)) {
            let sender = sender.clone();
            let started = thread::Builder::new().spawn_scoped(scope, || work(sender));
            // Fewer at a time do the same.
            if let Err(error) = started
                && number == 0
            {
                return Err(error).context("no thread could be started");
            }
        }
        drop(sender);
        let result = rows.iter().try_for_each(|row| done(row?));
        if result.is_err() {
            means.stop.store(true, Ordering::Relaxed);
        }
        result
    })
}

fn take<'a, 'b>(jobs: &'b [Job<'a>], next: &AtomicUsize, stop: &AtomicBool) -> Option<&'b Job<'a>> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    jobs.get(next.fetch_add(1, Ordering::Relaxed))
}

impl Job<'_> {
    /// `None` if it was stopped.
    fn row(&self, means: &Means<'_>) -> Result<Option<Row>> {
        let Means { program, limits, stop, .. } = *means;
        let command = self.tool.command(&self.chosen.task, limits)?;
        let finished = child::run(program, &command, limits, stop)?;
        Ok(finished.map(|finished| Row::new(self.tool, self.chosen, &finished, limits)))
    }
}
