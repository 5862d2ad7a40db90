//! How far a run has come: a bar on a terminal, else a line for each task. On standard error.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::results::Row;
use super::tool::LAKATOS;
use crate::terminal::{self, BAD};

const BAR: &str = "{bar:30} {pos}/{len} tasks, {elapsed} ({eta} left)  {msg}";

/// The clock goes on while tasks take their time.
const TICK: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    tasks: usize,
    done: Cell<usize>,
    wrong: Cell<usize>,
    solved: Cell<usize>,
}

impl Progress {
    /// `known` tasks need not be run again.
    pub fn new(tasks: usize, known: usize) -> Progress {
        if known > 0 {
            terminal::say(&format!("{known} tasks are in the results already\n"));
        }
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(BAR).expect("the template is right");
            let bar = ProgressBar::new(tasks as u64).with_style(style);
            bar.enable_steady_tick(TICK);
            bar
        });
        let zero = Cell::default;
        Progress { bar, tasks, done: zero(), wrong: zero(), solved: zero() }
    }

    pub fn told(&self, row: &Row) {
        self.done.update(|n| n + 1);
        match row.right {
            Some(true) => self.solved.update(|n| n + 1),
            Some(false) => self.wrong.update(|n| n + 1),
            None => {}
        }
        let line = line(row);
        match &self.bar {
            None => {
                let width = self.tasks.to_string().len();
                terminal::say(&format!("[{:width$}/{}] {line}\n", self.done.get(), self.tasks));
            }
            Some(bar) => {
                if row.right == Some(false) {
                    bar.println(format!("{BAD}{line}{BAD:#}"));
                }
                bar.inc(1);
                bar.set_message(format!(
                    "{} correct, {} wrong",
                    self.solved.get(),
                    self.wrong.get()
                ));
            }
        }
    }
}

/// Nothing is left of the bar, however the run ends.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `correct true      0.12 s  loops/a.c`.
fn line(row: &Row) -> String {
    let judged = match row.right {
        Some(true) => "correct",
        Some(false) => "WRONG",
        None => "-",
    };
    let answer = row.answer.name();
    let tool = match row.tool.as_str() {
        LAKATOS => String::new(),
        tool => format!(" ({tool})"),
    };
    format!("{judged:<7} {answer:<7} {:>8.2} s  {}{tool}", row.cpu, row.task)
}
