//! Watching an engine: the clock, Ctrl-C, and a line on the terminal that says how far it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lakatos_engine::{Statistics, Watch};
use lakatos_logic::smt::{Cancel, Reason};

/// How often the line changes, and how soon after its end a query is cancelled.
const TICK: Duration = Duration::from_millis(50);

/// Engines are recursive here and there; a thread of their own gets this much.
const STACK: usize = 256 << 20;

/// What ended a run from outside.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    time: Arc<AtomicBool>,
    user: Arc<AtomicBool>,
}

impl Ends {
    /// From now on Ctrl-C ends runs instead of the process.
    pub fn with_ctrl_c() -> Ends {
        let ends = Ends::default();
        let user = Arc::clone(&ends.user);
        // Without a handler Ctrl-C ends the process, as ever.
        let _ = ctrlc::set_handler(move || user.store(true, Ordering::SeqCst));
        ends
    }

    pub fn by_time(&self) -> bool {
        self.time.load(Ordering::SeqCst)
    }

    pub fn by_user(&self) -> bool {
        self.user.load(Ordering::SeqCst)
    }
}

/// Runs a job on a thread of its own and watches it.
pub fn watched<R: Send>(
    ends: &Ends,
    limit: Option<Duration>,
    job: impl FnOnce(&mut Watcher) -> R + Send,
) -> R {
    ends.time.store(false, Ordering::SeqCst);
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
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
        while !worker.is_finished() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                ends.time.store(true, Ordering::SeqCst);
            }
            if (ends.by_time() || ends.by_user())
                && let Some(cancel) = lock(&cancel).as_ref()
            {
                cancel.cancel();
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
        match self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            true => Err(Reason::Time),
            false => Ok(()),
        }
    }
}
