//! Watching an engine: the clock, the memory, Ctrl-C, and a line on the terminal that says how far
//! it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

use indicatif::{ProgressBar, ProgressStyle};
use lakatos_check::Why;
use lakatos_engine::{Statistics, Watch};
use lakatos_logic::smt::{Cancel, Reason};
use nix::sys::signal::{SigSet, Signal};

use crate::args;
use crate::exit::Exit;
use crate::memory;

/// How often the clock and the memory are looked at: a query is cancelled so soon after a limit.
const TICK: Duration = Duration::from_millis(50);

/// How long a job may take to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Of an attempt that another one follows, where there is no limit.
const FIRST_ATTEMPT: Duration = Duration::from_secs(20);

/// Engines are recursive here and there; a thread of their own gets this much.
const STACK: usize = 256 << 20;

/// When a run is ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    time: Option<Duration>,
    memory: Option<memory::Limit>,
}

impl Limits {
    /// As flags say. From here on they hold for the solver.
    pub fn set(args: &args::Limits) -> Limits {
        Limits { time: args.timeout, memory: memory::Limit::set(args) }
    }

    /// What is left of them for something that began a while ago.
    pub fn since(self, begin: Instant) -> Limits {
        Limits { time: self.time.map(|time| time.saturating_sub(begin.elapsed())), ..self }
    }

    /// For the first of two attempts, which must leave something to the second.
    pub fn first_of_two(self) -> Limits {
        Limits { time: Some(self.time.map_or(FIRST_ATTEMPT, |time| time / 2)), ..self }
    }

    /// For the second of two attempts.
    pub fn second_of_two(self) -> Limits {
        Limits { time: self.time.map(|time| time / 2), ..self }
    }
}

/// Z3 takes Ctrl-C for itself while it answers a query, ends that query, and tells nobody. So the
/// signal is blocked in this thread and those that it starts, and one of them waits for it. (Children
/// begin without that.)
fn wait_for_interrupts(user: &Arc<AtomicBool>) {
    let interrupt = SigSet::from(Signal::SIGINT);
    if interrupt.thread_block().is_err() {
        return;
    }
    let user = Arc::clone(user);
    thread::spawn(move || {
        while interrupt.wait().is_ok() {
            user.store(true, Ordering::SeqCst);
        }
    });
}

/// What ended a run from outside.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    time: Arc<AtomicBool>,
    memory: Arc<AtomicBool>,
    user: Arc<AtomicBool>,
}

impl Ends {
    /// From now on Ctrl-C ends runs instead of the process.
    pub fn with_ctrl_c() -> Ends {
        let ends = Ends::default();
        wait_for_interrupts(&ends.user);
        let user = Arc::clone(&ends.user);
        // Without a handler Ctrl-C ends the process, as ever.
        let _ = ctrlc::set_handler(move || user.store(true, Ordering::SeqCst));
        ends
    }

    /// Set when the user wants an end.
    pub fn stop(&self) -> &AtomicBool {
        &self.user
    }

    fn by_time(&self) -> bool {
        self.time.load(Ordering::SeqCst)
    }

    fn by_memory(&self) -> bool {
        self.memory.load(Ordering::SeqCst)
    }

    fn by_user(&self) -> bool {
        self.user.load(Ordering::SeqCst)
    }

    /// Why a run ended without an answer. An engine knows only that it was cancelled.
    pub fn explain(&self, why: Why) -> Why {
        match why {
            Why::Cancelled if self.by_user() => Why::Cancelled,
            Why::Cancelled if self.by_memory() => Why::MemoryLimit,
            Why::Cancelled if self.by_time() => Why::TimeLimit,
            other => other,
        }
    }
}

/// Runs a job on a thread of its own and watches it. There are queries that do not listen, and
/// threads cannot be ended; so when the job goes on too long after it was told to end, `stuck`
/// says why it ends all the same, and the process exits as it says.
pub fn watched<R: Send>(
    ends: &Ends,
    limits: Limits,
    stuck: impl Fn(Why) -> Exit,
    job: impl FnOnce(&mut Watcher) -> R + Send,
) -> R {
    ends.time.store(false, Ordering::SeqCst);
    ends.memory.store(false, Ordering::SeqCst);
    let deadline = limits.time.and_then(|limit| Instant::now().checked_add(limit));
    let cancel = Arc::default();
    let mut watcher =
        Watcher { ends: ends.clone(), deadline, cancel: Arc::clone(&cancel), line: line() };
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                let result = job(&mut watcher);
                if let Some(line) = &watcher.line {
                    line.finish_and_clear();
                }
                result
            })
            .expect("threads can be started");
        let mut told: Option<Instant> = None;
        while !worker.is_finished() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                ends.time.store(true, Ordering::SeqCst);
            }
            if limits.memory.is_some_and(memory::Limit::is_exceeded) {
                ends.memory.store(true, Ordering::SeqCst);
            }
            if ends.by_time() || ends.by_memory() || ends.by_user() {
                if let Some(cancel) = lock(&cancel).as_ref() {
                    cancel.cancel();
                }
                if told.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                    process::exit(stuck(ends.explain(Why::Cancelled)) as i32);
                }
            }
            thread::park_timeout(TICK.min(remaining(deadline)));
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn remaining(deadline: Option<Instant>) -> Duration {
    let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
    left.unwrap_or(TICK).max(Duration::from_millis(1))
}

fn lock(cancel: &Mutex<Option<Cancel>>) -> std::sync::MutexGuard<'_, Option<Cancel>> {
    cancel.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A spinner on a terminal; `indicatif` shows nothing elsewhere.
fn line() -> Option<ProgressBar> {
    let line = ProgressBar::new_spinner();
    if line.is_hidden() {
        return None;
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    line.set_style(style.expect("the template is right"));
    Some(line)
}

/// What an engine reports to.
#[derive(Debug)]
pub struct Watcher {
    ends: Ends,
    deadline: Option<Instant>,
    cancel: Arc<Mutex<Option<Cancel>>>,
    line: Option<ProgressBar>,
}

impl Watch for Watcher {
    fn started(&mut self, cancel: Cancel) {
        *lock(&self.cancel) = Some(cancel);
    }

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        if let Some(line) = &self.line {
            let Statistics { refinements, nodes, .. } = statistics;
            line.set_message(format!("refinement {refinements}, {nodes} nodes"));
            line.tick();
        }
        if self.ends.by_user() {
            return Err(Reason::Cancelled);
        }
        if self.ends.by_memory() {
            return Err(Reason::Memory);
        }
        match self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            true => Err(Reason::Time),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};

    use super::*;

    /// A job that does nothing but what `work` does, until it is ended.
    fn until_ended(limits: Limits, mut work: impl FnMut() + Send) -> (Ends, Reason) {
        let ends = Ends::default();
        let reason = watched(
            &ends,
            limits,
            |_| unreachable!("it ends"),
            |watcher| {
                loop {
                    work();
                    if let Err(reason) = watcher.progress(Statistics::default()) {
                        return reason;
                    }
                }
            },
        );
        (ends, reason)
    }

    /// Other tests share the process, and its memory; they use little.
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_ends_a_run() {
        let limits = Limits { memory: memory::Limit::beyond_now(128 << 20), ..Limits::default() };
        let mut blocks = Vec::new();
        let (ends, reason) = until_ended(limits, || {
            blocks.push(vec![1u8; 1 << 20]);
            thread::sleep(Duration::from_millis(1));
        });
        assert_eq!(reason, Reason::Memory);
        assert!((64..1024).contains(&blocks.len()), "{} megabytes", blocks.len());
        assert_eq!(ends.explain(Why::Cancelled), Why::MemoryLimit, "a query that was cancelled");
        // The next run begins anew.
        drop(blocks);
        assert_eq!(watched(&ends, Limits::default(), |_| unreachable!("it ends"), |_| 7), 7);
        assert!(!ends.by_memory());
    }

    /// The process would exit; here the verdict is a panic, and lets the job end.
    #[test]
    fn a_job_that_does_not_listen_is_left_behind() {
        let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::default() };
        let left = AtomicBool::new(false);
        let stuck = |why| {
            left.store(true, Ordering::SeqCst);
            panic!("left behind: {why:?}")
        };
        let listen = |_: &mut Watcher| {
            while !left.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let run = AssertUnwindSafe(|| watched(&Ends::default(), limits, stuck, listen));
        let panic = panic::catch_unwind(run).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "left behind: TimeLimit");
    }

    #[test]
    fn time_ends_a_run() {
        let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
        let (ends, reason) = until_ended(limits, || thread::sleep(Duration::from_millis(1)));
        assert_eq!(reason, Reason::Time);
        assert_eq!(ends.explain(Why::NoProgress), Why::NoProgress);
    }
}
