//! Runs of the engine, under limits, on a thread of their own.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::{Context as _, Result, bail};
use lakatos_check::{Verdict, Why};
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_ir::Program;
use lakatos_logic::smt::{Cancel, Limits, Reason};

use super::Options;
use super::configuration::Configuration;
use super::truth::Question;

/// Deep recursion in terms must not end the fuzzer.
const STACK: usize = 256 << 20;
/// Work for the solver in one query where there is no limit of time.
const RESOURCES: u32 = 2_000_000;
/// After its time, for a run that is asked to end.
const GRACE: Duration = Duration::from_secs(5);
/// Between two tries to end a run whose time is over.
const TICK: Duration = Duration::from_millis(2);

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Proof,
    /// The engine's, but not the checker's: it says that a condition fails, or does not know.
    Rejected,
    Unchecked,
    Refutation,
    /// A counterexample that the interpreter does not follow.
    NotReplayed,
    /// The engine gave up before the limits were reached.
    Stuck,
    /// A limit was reached.
    Limit,
    Panic(String),
}

impl End {
    pub fn name(&self) -> &'static str {
        match self {
            End::Proof => "proofs",
            End::Rejected => "rejected",
            End::Unchecked => "unchecked",
            End::Refutation => "refutations",
            End::NotReplayed => "not replayed",
            End::Stuck => "stuck",
            End::Limit => "limits",
            End::Panic(_) => "panics",
        }
    }

    /// Of a program that is safe, or not.
    pub fn is_wrong(&self, safe: bool) -> bool {
        match self {
            // What the engine believed in is wrong, whatever the checker found.
            End::Proof | End::Rejected | End::Unchecked => !safe,
            End::Refutation => safe,
            End::Panic(_) => true,
            End::NotReplayed | End::Stuck | End::Limit => false,
        }
    }
}

#[derive(Debug)]
struct Limited {
    nodes: usize,
    deadline: Option<Instant>,
    cancel: Arc<Mutex<Option<Cancel>>>,
}

impl Watch for Limited {
    fn started(&mut self, cancel: Cancel) {
        *self.cancel.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel);
    }

    fn progress(&mut self, statistics: Statistics) -> std::result::Result<(), Reason> {
        match self.deadline {
            _ if statistics.nodes > self.nodes => Err(Reason::Memory),
            Some(deadline) if Instant::now() >= deadline => Err(Reason::Time),
            _ => Ok(()),
        }
    }
}

/// A question for the worker.
struct Job {
    program: Arc<Program>,
    question: Question,
    engine: Box<dyn Engine + Send>,
    watch: Limited,
}

/// A thread for runs, one after the other. Z3's memory of a thread is never given back, so there
/// must not be a thread for every run.
#[derive(Debug)]
pub struct Runner {
    jobs: Sender<Job>,
    ends: Receiver<End>,
}

impl Runner {
    pub fn new() -> io::Result<Runner> {
        let (jobs, asked) = mpsc::channel::<Job>();
        let (answer, ends) = mpsc::channel();
        thread::Builder::new().stack_size(STACK).spawn(move || {
            for job in asked {
                let end = panic::catch_unwind(AssertUnwindSafe(|| run(job)));
                if answer.send(end.unwrap_or_else(|panic| End::Panic(said(&*panic)))).is_err() {
                    return;
                }
            }
        })?;
        Ok(Runner { jobs, ends })
    }

    pub fn solve(
        &mut self,
        program: &Arc<Program>,
        question: Question,
        what: Configuration,
        options: &Options,
    ) -> Result<End> {
        let engine = what.engine(Limits {
            resources: options.timeout.is_none().then_some(RESOURCES),
            time: options.timeout,
        });
        let cancel = Arc::default();
        let deadline = options.timeout.map(|timeout| Instant::now() + timeout);
        let watch = Limited { nodes: options.nodes, deadline, cancel: Arc::clone(&cancel) };
        let job = Job { program: Arc::clone(program), question, engine, watch };
        self.jobs.send(job).ok().context("the worker is gone")?;
        loop {
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()).max(TICK));
            match self.ends.recv_timeout(left.unwrap_or(Duration::MAX)) {
                Ok(end) => {
                    if matches!(end, End::Panic(_)) {
                        // Nobody knows what it left behind on its thread.
                        *self = Runner::new()?;
                    }
                    return Ok(end);
                }
                Err(RecvTimeoutError::Disconnected) => bail!("the worker is gone"),
                Err(RecvTimeoutError::Timeout)
                    if deadline.is_some_and(|deadline| deadline.elapsed() > GRACE) =>
                {
                    // A query that does not listen. Its thread is left to itself.
                    *self = Runner::new()?;
                    return Ok(End::Limit);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let cancel = cancel.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(cancel) = cancel.as_ref() {
                        cancel.cancel();
                    }
                }
            }
        }
    }
}

fn run(job: Job) -> End {
    let Job { program, question, engine, mut watch } = job;
    let Question { property, signed_overflow } = question;
    let task = Task { program: &program, property, signed_overflow };
    end(engine.solve(&task, &mut watch).verdict)
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|t| t.to_string())).unwrap_or_default()
}

fn end(verdict: Verdict) -> End {
    match verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(Why::NotReplayed(_)) => End::NotReplayed,
        Verdict::Unknown(why) if why.is_end() => End::Limit,
        Verdict::Unknown(Why::Rejected { .. }) => End::Rejected,
        Verdict::Unknown(Why::Undecided { .. }) => End::Unchecked,
        Verdict::Unknown(_) => End::Stuck,
    }
}
