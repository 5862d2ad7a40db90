//! Several tasks at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};

use super::child::{Limits, Verifier};
use super::results::Row;
use super::select::Chosen;
use super::tasks::Task;

/// Runs all tasks, `jobs` at a time, and hands over each row as it comes. Ends early if `stop`
/// is set, or with the first error.
pub fn run(
    tasks: &[&Chosen],
    verifier: &Verifier,
    limits: &Limits,
    jobs: usize,
    stop: &AtomicBool,
    mut done: impl FnMut(&Task, Row) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, rows) = mpsc::channel();
    let work = |sender: mpsc::Sender<Result<(usize, Row)>>| {
        while let Some((number, task)) =
            take(tasks, &next).filter(|_| !stop.load(Ordering::Relaxed))
        {
            let row = match verifier.run(task, limits, stop) {
                Ok(None) => return,
                Ok(Some(finished)) => Ok((number, Row::new(task, &finished, limits))),
                Err(error) => Err(error).with_context(|| format!("cannot run {}", task.name)),
            };
            if sender.send(row).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        let result = rows.iter().try_for_each(|row| {
            let (number, row) = row?;
            done(&tasks[number].task, row)
        });
        if result.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        result
    })
}

fn take<'a>(tasks: &[&'a Chosen], next: &AtomicUsize) -> Option<(usize, &'a Task)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    tasks.get(number).map(|chosen| (number, &chosen.task))
}
