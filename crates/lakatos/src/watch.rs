//! Watching an engine: the clock, the memory, Ctrl-C and other signals, and a line on the terminal that says how far
//! it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lakatos_check::Why;
use lakatos_engine::{Statistics, Watch};
use lakatos_ir::large_stack;
use lakatos_logic::smt::{Cancel, Reason};
use nix::sys::signal::{SigSet, Signal};

use crate::args;
use crate::exit::Exit;
use crate::memory;
use crate::supervise::{grace, worker};

/// How often the memory and the user's wishes are looked at: a query is cancelled so soon after.
const TICK: Duration = Duration::from_millis(50);

/// How long a job may take to end. After its time it has a small part of that.
const PATIENCE: Duration = Duration::from_secs(3);

/// The part of the time that is kept for what comes after the job, and how much that is at most.
const KEPT: u32 = 20;
const MOST_KEPT: Duration = Duration::from_millis(500);

/// Of an attempt that another one follows, where there is no limit.
const FIRST_ATTEMPT: Duration = Duration::from_secs(20);

/// When a run is ended. Everything that is done for a question shares its time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of this attempt.
    time: Option<Duration>,
    /// Of the user, for all attempts.
    whole: Option<Duration>,
    /// When the time began.
    begin: Instant,
    memory: Option<memory::Limit>,
}

impl Default for Limits {
    /// No limits.
    fn default() -> Limits {
        Limits { time: None, whole: None, begin: Instant::now(), memory: None }
    }
}

impl Limits {
    /// As flags say, for the first question: its time began with the process. From here on they
    /// hold for the solver.
    pub fn set(args: &args::Limits) -> Limits {
        let (time, memory) = (args.timeout, memory::Limit::set(args));
        Limits { time, whole: time, begin: begin(), memory }
    }

    /// For another question, whose time begins now.
    pub fn anew(self) -> Limits {
        Limits { begin: Instant::now(), ..self }
    }

    /// For the first of two attempts, which must leave something to the second.
    pub fn first_of_two(self) -> Limits {
        match self.time {
            Some(time) => {
                let used = self.begin.elapsed();
                Limits { time: Some(used + time.saturating_sub(used) / 2), ..self }
            }
            None => Limits { time: Some(FIRST_ATTEMPT), ..self.anew() },
        }
    }

    /// What is left of the user's time.
    pub fn left(self) -> Option<Duration> {
        self.whole.map(|whole| whole.saturating_sub(self.begin.elapsed()))
    }

    /// When a job is told to end. A small part of the time is kept for what has to be said and
    /// written afterwards.
    fn soft(self) -> Option<Duration> {
        self.time.map(|time| time - (time / KEPT).min(MOST_KEPT))
    }

    fn deadline(self) -> Option<Instant> {
        self.soft().and_then(|soft| self.begin.checked_add(soft))
    }

    /// When everything is ended from outside, from now on.
    fn hard(self) -> Option<Duration> {
        self.left().zip(self.whole).map(|(left, whole)| left.saturating_add(grace(whole)))
    }

    /// How long a job may take to end, after it was told why: at a time limit to a moment before
    /// the end from outside.
    fn patience(self, by_time: bool) -> Duration {
        match (self.whole, self.soft()) {
            (Some(whole), Some(soft)) if by_time => {
                whole.saturating_add(grace(whole) / 2).saturating_sub(soft).min(PATIENCE)
            }
            _ => PATIENCE,
        }
    }
}

/// When this process began, as far as it knows.
pub fn begin() -> Instant {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    *BEGIN.get_or_init(Instant::now)
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
    let started = thread::Builder::new().spawn(move || {
        while interrupt.wait().is_ok() {
            user.store(true, Ordering::SeqCst);
        }
    });
    if started.is_err() {
        // Then the signal ends the process, as ever.
        let _ = interrupt.thread_unblock();
    }
}

/// What ended a run from outside.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    time: Arc<AtomicBool>,
    memory: Arc<AtomicBool>,
    user: Arc<AtomicBool>,
}

impl Ends {
    /// From now on Ctrl-C and the signals to terminate end runs instead of the process.
    pub fn with_ctrl_c() -> Ends {
        let ends = Ends::default();
        wait_for_interrupts(&ends.user);
        let user = Arc::clone(&ends.user);
        // Without a handler they end the process, as ever.
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
    let deadline = limits.deadline();
    worker::left(limits.hard());
    let cancel = Arc::default();
    let mut watcher =
        Watcher { ends: ends.clone(), deadline, cancel: Arc::clone(&cancel), line: line() };
    thread::scope(|scope| {
        let started = large_stack::spawn_scoped(scope, 1, move |_| {
            let result = job(&mut watcher);
            if let Some(line) = &watcher.line {
                line.finish_and_clear();
            }
            result
        });
        let worker = match started {
            Ok(worker) => worker,
            Err(error) => worker::end(stuck(Why::NoThread { error: error.to_string() })),
        };
        let mut told: Option<Instant> = None;
        while !worker.is_finished() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                ends.time.store(true, Ordering::SeqCst);
            }
            if limits.memory.is_some_and(memory::Limit::is_exceeded) || memory::was_short() {
                ends.memory.store(true, Ordering::SeqCst);
            }
            if ends.by_time() || ends.by_memory() || ends.by_user() {
                if let Some(cancel) = lock(&cancel).as_ref() {
                    cancel.cancel();
                }
                let patience = limits.patience(ends.by_time());
                if told.get_or_insert_with(Instant::now).elapsed() > patience {
                    worker::end(stuck(ends.explain(Why::Cancelled)));
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
    fn attempts_share_the_time_of_the_user() {
        let limit = Duration::from_secs(100);
        let limits = Limits { time: Some(limit), whole: Some(limit), ..Limits::default() };
        assert_eq!(limits.soft(), Some(Duration::from_millis(99_500)));
        let first = limits.first_of_two();
        let soft = first.soft().unwrap().as_secs_f64();
        assert!((49.0..50.0).contains(&soft), "{soft}");
        assert!(first.hard().unwrap() > limit && first.hard().unwrap() < limit * 11 / 10);
        assert_eq!((first.patience(true), first.patience(false)), (PATIENCE, PATIENCE));
        for seconds in [1, 2, 10, 1000] {
            let time = Duration::from_secs(seconds);
            let limits = Limits { time: Some(time), whole: Some(time), ..Limits::default() };
            let end = limits.soft().unwrap() + limits.patience(true);
            assert!(time < end && end < limits.hard().unwrap(), "{seconds}: {end:?}");
        }
        let unlimited = Limits::default().first_of_two();
        assert_eq!((unlimited.hard(), unlimited.left()), (None, None));
        assert_eq!(unlimited.patience(true), PATIENCE);
    }

    #[test]
    fn time_ends_a_run() {
        let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
        let (ends, reason) = until_ended(limits, || thread::sleep(Duration::from_millis(1)));
        assert_eq!(reason, Reason::Time);
        assert_eq!(ends.explain(Why::NoProgress), Why::NoProgress);
    }
}
