//! One run of the engine, under limits, on a thread of its own.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_evidence::{Verdict, Why};
use lakatos_ir::Program;
use lakatos_logic::smt::{Cancel, Limits, Reason};

use super::Options;
use super::configuration::Configuration;
use super::truth::Question;

/// Deep recursion in terms must not end the fuzzer.
const STACK: usize = 256 << 20;
/// Work for the solver in one query where there is no limit of time.
const RESOURCES: u32 = 2_000_000;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Proof,
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
            End::Proof => !safe,
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

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        match self.deadline {
            _ if statistics.nodes > self.nodes => Err(Reason::Memory),
            Some(deadline) if Instant::now() >= deadline => Err(Reason::Time),
            _ => Ok(()),
        }
    }
}

pub fn solve(program: &Program, question: Question, what: Configuration, options: &Options) -> End {
    let Question { property, signed_overflow } = question;
    let mut engine = what.0;
    engine.limits =
        Limits { resources: options.timeout.is_none().then_some(RESOURCES), time: options.timeout };
    let cancel = Arc::default();
    let deadline = options.timeout.map(|timeout| Instant::now() + timeout);
    let mut watch = Limited { nodes: options.nodes, deadline, cancel: Arc::clone(&cancel) };
    let task = Task { program, property, signed_overflow };
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        let worker =
            builder.spawn_scoped(scope, move || end(engine.solve(&task, &mut watch).verdict));
        let worker = worker.expect("threads can be started");
        while let Some(deadline) = deadline.filter(|_| !worker.is_finished()) {
            if Instant::now() >= deadline
                && let Some(cancel) = cancel.lock().unwrap_or_else(PoisonError::into_inner).as_ref()
            {
                cancel.cancel();
            }
            thread::park_timeout(Duration::from_micros(500));
        }
        worker.join().unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| t.to_string()));
            End::Panic(text.unwrap_or_default())
        })
    })
}

fn end(verdict: Verdict) -> End {
    match verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(Why::NotReplayed(_)) => End::NotReplayed,
        Verdict::Unknown(Why::TimeLimit | Why::MemoryLimit | Why::Cancelled) => End::Limit,
        Verdict::Unknown(_) => End::Stuck,
    }
}
