//! Robustness: broken inputs give a diagnostic or a program, never a panic, a crash, or more
//! than a second of waiting.
//!
//! Inputs are tried in worker processes of this program, so that even a stack overflow or an
//! endless loop is only a finding. What is found is made smaller and saved.

mod bombs;
mod texts;

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use lakatos_ir::{DataModel, Source};
use wait_timeout::ChildExt;

use crate::parallel;
use crate::reduce::reduce;

pub use bombs::{BOMBS, bomb};
pub use texts::Texts;

/// No input may take longer.
pub const LIMIT: Duration = Duration::from_secs(1);

/// Bombs that must also do no harm when they are ten megabytes long.
const PARENTHESES: [&str; 2] = ["parens", "open-parens"];

/// For making a finding smaller.
const MOST_TRIES: usize = 5_000;

/// Inputs that one worker process tries.
const CHUNK: u64 = 500;

/// What a run over broken inputs reads and writes.
#[derive(Clone, Debug)]
pub struct Options {
    pub first: u64,
    pub count: u64,
    /// Folders whose C files are broken, besides generated programs.
    pub folders: Vec<PathBuf>,
    /// Where findings go.
    pub save: PathBuf,
    /// This program, to start workers.
    pub worker: PathBuf,
}

/// Something that must not happen, and the input that makes it happen.
#[derive(Clone, Debug)]
pub struct Finding {
    pub input: String,
    pub problem: String,
    pub saved: PathBuf,
}

/// Tries `count` mutated texts.
pub fn mutate(options: &Options) -> Result<Vec<Finding>> {
    let end = options.first + options.count;
    let chunks: Vec<(u64, u64)> = (options.first..end)
        .step_by(CHUNK as usize)
        .map(|from| (from, CHUNK.min(end - from)))
        .collect();
    let texts = Texts::load(&options.folders)?;
    let found = parallel::map(
        &chunks,
        || Ok(()),
        |_, &(from, count)| search(options, &texts, from, count),
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Lets a worker try a range of seeds; if it dies, finds out where by halving.
fn search(options: &Options, texts: &Texts, from: u64, count: u64) -> Result<Vec<Finding>> {
    let mut command = Command::new(&options.worker);
    command.args(["mutate-worker", "--seed", &from.to_string(), "--count", &count.to_string()]);
    for folder in &options.folders {
        command.arg("--folder").arg(folder);
    }
    let limit = LIMIT * 20 + LIMIT * count as u32 / 4;
    match worker_answer(command, limit)? {
        Answer::Clean => Ok(Vec::new()),
        Answer::Found(seeds) => {
            seeds.into_iter().map(|(seed, problem)| report(options, texts, seed, problem)).collect()
        }
        Answer::Died(problem) if count == 1 => Ok(vec![report(options, texts, from, problem)?]),
        Answer::Died(_) => {
            let half = count / 2;
            let mut found = search(options, texts, from, half)?;
            found.extend(search(options, texts, from + half, count - half)?);
            Ok(found)
        }
    }
}

enum Answer {
    Clean,
    Found(Vec<(u64, String)>),
    Died(String),
}

fn worker_answer(mut command: Command, limit: Duration) -> Result<Answer> {
    let output = tempfile::NamedTempFile::new()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(output.reopen()?)
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start a worker")?;
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Answer::Died("does not end".to_string()));
    };
    if !status.success() {
        return Ok(Answer::Died(format!("the process dies: {status}")));
    }
    let text = fs::read_to_string(output.path())?;
    let line =
        |l: &str| l.split_once('\t').and_then(|(s, p)| Some((s.parse().ok()?, p.to_string())));
    let found: Vec<(u64, String)> = text.lines().filter_map(line).collect();
    Ok(if found.is_empty() { Answer::Clean } else { Answer::Found(found) })
}

/// Saves what a seed names; a panic or a slow input is made smaller first.
fn report(options: &Options, texts: &Texts, seed: u64, problem: String) -> Result<Finding> {
    let text = texts.mutated(seed);
    let same = |candidate: &str| {
        problem_with(candidate).is_some_and(|found| kind_of(&found) == kind_of(&problem))
    };
    let small = if same(&text) { reduce(&text, MOST_TRIES, same) } else { text };
    let saved = save(&options.save, &format!("mutate-{seed}.c"), &small)?;
    Ok(Finding { input: format!("seed {seed}"), problem, saved })
}

/// The part of a problem that stays when the input gets smaller.
fn kind_of(problem: &str) -> &str {
    problem.split(": ").next().unwrap_or(problem)
}

pub fn save(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}

/// What a worker does: one line per seed that misbehaves.
pub fn work(first: u64, count: u64, folders: &[PathBuf]) -> Result<()> {
    let texts = Texts::load(folders)?;
    on_small_stack(|| {
        for seed in first..first + count {
            if let Some(problem) = problem_with(&texts.mutated(seed)) {
                println!("{seed}\t{}", problem.replace('\n', " "));
            }
        }
    })
}

/// What a worker does with a bomb.
pub fn work_on_bomb(name: &str, depth: usize) -> Result<()> {
    let text = bomb(name, depth).with_context(|| format!("there is no bomb {name}"))?;
    on_small_stack(|| {
        if let Some(problem) = problem_with(&text) {
            println!("0\t{problem}");
        }
    })
}

/// Runs with the stack that Rust gives to threads, which is smaller than the main one.
fn on_small_stack(work: impl FnOnce() + Send) -> Result<()> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| anyhow!("the worker panicked"))
    })
}

/// Tries every bomb in a process of its own, and ten million parentheses.
pub fn bombs(depth: usize, worker: &Path) -> Result<Vec<(String, String)>> {
    let deep = BOMBS.iter().map(|name| (*name, depth));
    let jobs: Vec<_> = deep.chain(PARENTHESES.map(|name| (name, 10_000_000))).collect();
    let found = parallel::map(
        &jobs,
        || Ok(()),
        |_, &(name, depth)| {
            let mut command = Command::new(worker);
            command.args(["bomb-worker", name, "--depth", &depth.to_string()]);
            Ok(match worker_answer(command, LIMIT * 60)? {
                Answer::Clean => None,
                Answer::Found(found) => Some((format!("{name} {depth}"), found[0].1.clone())),
                Answer::Died(problem) => Some((format!("{name} {depth}"), problem)),
            })
        },
    )?;
    Ok(found.into_iter().flatten().collect())
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// What is wrong with the way a text is treated: a panic or too much time.
pub fn problem_with(text: &str) -> Option<String> {
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), ToString::to_string);
        let message = info.payload_as_str().unwrap_or("?");
        *PANIC.lock().expect("not poisoned: nothing panics here") =
            format!("panic at {place}: {message}");
    }));
    let problem = [DataModel::Lp64, DataModel::Ilp32].into_iter().find_map(|model| {
        let options = lakatos_c::Options::of_model(model);
        observe(LIMIT, || drop(lakatos_c::compile(Source::new("input.c", text), &options)))
    });
    panic::set_hook(before);
    problem
}

/// A panic, or more processor time than the limit.
fn observe(limit: Duration, run: impl FnOnce()) -> Option<String> {
    let start = time_used();
    if panic::catch_unwind(AssertUnwindSafe(run)).is_err() {
        return Some(PANIC.lock().expect("not poisoned").clone());
    }
    let used = time_used() - start;
    (used > limit).then(|| format!("slow: {used:?}"))
}

/// Processor time of this process, as others may keep the machine busy; where the system does not
/// tell, time on the clock.
fn time_used() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    processor_ticks().map_or_else(|| BEGIN.elapsed(), |ticks| Duration::from_millis(10) * ticks)
}

/// User and system time in hundredths of a second, the unit of Linux's `/proc`.
fn processor_ticks() -> Option<u32> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let mut times = fields.skip(11).map_while(|field| field.parse::<u32>().ok());
    Some(times.next()? + times.next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_behaviour_is_seen() {
        assert!(observe(LIMIT, || panic!("on purpose")).is_some());
        let slow = || {
            let start = time_used();
            while time_used() - start < Duration::from_millis(50) {}
        };
        let limit = Duration::from_millis(20);
        assert!(observe(limit, slow).is_some_and(|p| p.starts_with("slow")));
        assert_eq!(observe(LIMIT, || ()), None);
    }
}
