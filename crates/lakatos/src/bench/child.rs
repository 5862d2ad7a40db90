//! One task in a child process, under limits.
//!
//! The child is the head of a process group of its own, which is killed as a whole. A shell sets
//! two limits of the system before it becomes the verifier; they are wider than ours and only
//! for the case that nobody is left to watch.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::tasks::Task;
use super::usage::Usage;
use crate::{args, load};

/// A child that knows its limit may need a moment to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The longest time between two looks at a child.
const PAUSE: Duration = Duration::from_millis(50);

/// What is kept of each output stream; verdicts come early, the rest is thrown away.
const OUTPUT: u64 = 1 << 20;

const WITH_LIMITS: &str = r#"ulimit -v "$1"; ulimit -t "$2"; shift 2; exec "$@""#;

/// What a task may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processor time.
    pub cpu: Duration,
    /// Time on the wall clock.
    pub wall: Duration,
    /// In bytes.
    pub memory: u64,
}

/// What answers.
#[derive(Clone, Debug)]
pub struct Verifier {
    pub program: PathBuf,
    pub flags: Vec<String>,
}

/// A child that has ended.
#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
    pub usage: Usage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
    OutOfTime,
    OutOfMemory,
}

impl Limits {
    pub fn new(args: &args::Bench) -> Limits {
        Limits {
            cpu: args.timeout,
            wall: args.wall.unwrap_or(args.timeout),
            memory: args.memory.saturating_mul(1 << 20),
        }
    }
}

impl Verifier {
    fn command(&self, task: &Task, limits: &Limits) -> Command {
        // Address space is not memory: stacks and heaps reserve more than they use.
        let kilobytes = limits.memory / 1024 * 2 + (1 << 20);
        let seconds = (limits.cpu + 2 * GRACE).as_secs() + 1;
        let mut command = Command::new("sh");
        command.args(["-c", WITH_LIMITS, "sh", &kilobytes.to_string(), &seconds.to_string()]);
        command.arg(&self.program).args(["verify", "--color", "never"]);
        command.args(["--timeout", &limits.wall.as_secs_f64().to_string()]);
        command.args(["--property", task.property.name()]);
        if let Some(model) = task.model {
            command.args(["--data-model", load::model_name(model)]);
        }
        if task.wraps {
            command.args(["--signed-overflow", "wrap"]);
        }
        command.args(&self.flags).arg(&task.file);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        command
    }

    /// Runs a task; `None` if it was stopped.
    pub fn run(
        &self,
        task: &Task,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> io::Result<Option<Finished>> {
        let started = Instant::now();
        let mut child = self.command(task, limits).spawn()?;
        let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
        let (seen, usage) = watch(&child, limits, started, stop)?;
        let wall = started.elapsed();
        let (status, usage) = reap(&mut child, usage)?;
        let (stdout, stderr) = (collect(stdout), collect(stderr));
        let end = match seen {
            Seen::Stopped => return Ok(None),
            Seen::OutOfTime => End::OutOfTime,
            Seen::OutOfMemory => End::OutOfMemory,
            Seen::Ended => ended(status),
        };
        Ok(Some(Finished { end, stdout, stderr, wall, usage }))
    }
}

fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    }
}

enum Seen {
    Ended,
    Stopped,
    OutOfTime,
    OutOfMemory,
}

/// Waits until a child has ended or must end. Short runs are looked at often.
fn watch(
    child: &Child,
    limits: &Limits,
    started: Instant,
    stop: &AtomicBool,
) -> io::Result<(Seen, Usage)> {
    let mut usage = Usage::default();
    let end = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    loop {
        usage = usage.most(Usage::of(child.id()));
        let elapsed = started.elapsed();
        let seen = if rustix::process::waitid(WaitId::Pid(Pid::from_child(child)), end)?.is_some() {
            Seen::Ended
        } else if stop.load(Ordering::Relaxed) {
            Seen::Stopped
        } else if elapsed > limits.wall + GRACE || usage.cpu > limits.cpu + GRACE {
            Seen::OutOfTime
        } else if usage.memory > limits.memory {
            Seen::OutOfMemory
        } else {
            thread::sleep((elapsed / 10).clamp(Duration::from_millis(1), PAUSE));
            continue;
        };
        return Ok((seen, usage));
    }
}

/// Kills what is left of a group. Its head is waited for last: until then its number is nobody
/// else's, and the system still knows what it used.
fn reap(child: &mut Child, usage: Usage) -> io::Result<(ExitStatus, Usage)> {
    let pid = Pid::from_child(child);
    // An error means that nothing is left.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let end = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    rustix::process::waitid(WaitId::Pid(pid), end)?;
    let usage = usage.most(Usage::of(child.id()));
    Ok((child.wait()?, usage))
}

/// Reads a stream to its end, so that the child never waits for us.
fn drain(stream: Option<impl Read + Send + 'static>) -> Option<JoinHandle<Vec<u8>>> {
    let mut stream = stream?;
    Some(thread::spawn(move || {
        let mut kept = Vec::new();
        let _ = stream.by_ref().take(OUTPUT).read_to_end(&mut kept);
        let _ = io::copy(&mut stream, &mut io::sink());
        kept
    }))
}

fn collect(reader: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
