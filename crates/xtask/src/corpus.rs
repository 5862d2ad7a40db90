//! The benchmark tasks: how many of them the front-end takes, and why it refuses the others.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use anyhow::{Context, Result};
use lakatos_ir::{Severity, Source};

use crate::index::{self, Entry};
use crate::parallel;

/// Of all tasks, so many of a hundred must be taken.
const BAR: usize = 99;

/// How it went.
#[derive(Debug, Default)]
pub struct Summary {
    pub tasks: usize,
    pub taken: usize,
    pub integer_tasks: usize,
    pub integer_taken: usize,
    /// Why tasks are refused, with how many are and one of them.
    pub reasons: BTreeMap<String, (usize, String)>,
}

impl Summary {
    /// All integer tasks, and nearly all tasks.
    pub fn passes(&self) -> bool {
        self.integer_taken == self.integer_tasks && self.taken * 100 >= self.tasks * BAR
    }

    fn count(&mut self, task: &Entry, refused: Option<String>) {
        let taken = usize::from(refused.is_none());
        self.tasks += 1;
        self.taken += taken;
        if task.integers {
            self.integer_tasks += 1;
            self.integer_taken += taken;
        }
        if let Some(reason) = refused {
            let flag = if task.integers { " (only integers!)" } else { "" };
            let entry = self.reasons.entry(reason).or_insert_with(|| (0, task.file.clone() + flag));
            entry.0 += 1;
        }
    }
}

/// Runs the front-end over every task of a folder; `None` if the folder is absent.
pub fn corpus(bench: &Path) -> Result<Option<Summary>> {
    let index = bench.join("index.tsv");
    if !index.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&index).with_context(|| index.display().to_string())?;
    let tasks = index::read(&text)?;
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let refused = parallel::map(&tasks, || Ok(()), |_, task| refusal(bench, task));
    panic::set_hook(hook);
    let mut summary = Summary::default();
    for (task, refused) in tasks.iter().zip(refused?) {
        summary.count(task, refused);
    }
    Ok(Some(summary))
}

/// Why a task is refused, without names and numbers, so that reasons can be counted.
fn refusal(bench: &Path, task: &Entry) -> Result<Option<String>> {
    let path = bench.join(&task.file);
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let options = lakatos_c::Options::of_model(task.model);
    let compile = || lakatos_c::compile(Source::new(task.file.clone(), text), &options);
    Ok(match panic::catch_unwind(AssertUnwindSafe(compile)) {
        Err(_) => Some("panic".to_string()),
        Ok(Ok(_)) => None,
        Ok(Err(failure)) => {
            let worst = failure.diagnostics.iter().min_by_key(|d| Reverse(d.severity));
            Some(worst.map_or("no diagnostic".to_string(), |d| {
                let kind = match d.severity {
                    Severity::Unsupported => "unsupported",
                    _ => "error",
                };
                format!("{kind}: {}", nameless(&d.message))
            }))
        }
    })
}

/// A message with quoted names and numbers blotted out.
pub fn nameless(message: &str) -> String {
    let quoted = message.split('`').enumerate();
    let text: String = quoted.map(|(n, part)| if n % 2 == 1 { "`…`" } else { part }).collect();
    let mut short = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if short.ends_with('#') => {}
            true => short.push('#'),
            false => short.push(c),
        }
    }
    short
}

/// The numbers, one line each, and the reasons, the frequent ones first.
pub fn describe(summary: &Summary) -> String {
    let mut text = format!(
        "tasks with only integers: {} of {}\nall tasks: {} of {} ({:.2} %)\n",
        summary.integer_taken,
        summary.integer_tasks,
        summary.taken,
        summary.tasks,
        100.0 * summary.taken as f64 / summary.tasks.max(1) as f64
    );
    let mut reasons: Vec<_> = summary.reasons.iter().collect();
    reasons.sort_by_key(|(_, (count, _))| Reverse(*count));
    for (reason, (count, example)) in reasons {
        text.push_str(&format!("{count:6}  {reason}, e.g. {example}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_no_names() {
        assert_eq!(nameless("no `x1` at 12:7"), "no `…` at #:#");
    }
}
