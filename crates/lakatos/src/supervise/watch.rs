//! Waiting for the worker, for signals and for the time.

use std::fs;
use std::io::{PipeReader, PipeWriter, Read, pipe};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use std::{env, io};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{self, SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;

use super::pending::Pending;
use super::worker::{Message, WORKER};
use super::{grace, is_supervised, time_limit};
use crate::args::Cli;
use crate::exit::Exit;
use crate::processes::end_descendants;
use crate::{memory, panic, terminal};

/// After a signal of the user the worker has so long to end by itself: a little longer than it
/// gives its own threads.
const PATIENCE: Duration = Duration::from_millis(3500);

/// A worker that has not begun its work is ended for its time so long after its start at the
/// earliest: a busy machine may need this time to start it, and it has told nothing yet.
const START: Duration = Duration::from_secs(1);

/// The program that is running, even if its file is replaced meanwhile.
const PROGRAM: &str = "/proc/self/exe";

/// Does a command in a second process; `None` if it needs none, or there can be none.
pub fn run(cli: &Cli) -> Option<Exit> {
    let begin = Instant::now();
    if !is_supervised(&cli.command) {
        return None;
    }
    let mut watch = start().ok()?;
    let limit = time_limit(&cli.command);
    let end = limit.map(|limit| limit.saturating_add(grace(limit)));
    watch.deadline = end.and_then(|end| begin.checked_add(end));
    watch.start = begin.checked_add(START);
    // Without it, processes below the worker can get away if the worker is killed.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    Some(watch.follow())
}

/// What ends the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Time,
    User,
}

#[derive(Debug)]
struct Watch {
    child: Child,
    signals: SignalFd,
    messages: PipeReader,
    /// Open, so that the worker can open it.
    _writer: PipeWriter,
    heard: Heard,
    deadline: Option<Instant>,
    /// Until then the worker may be starting.
    start: Option<Instant>,
    cause: Option<Cause>,
}

/// What the worker has told.
#[derive(Debug, Default)]
struct Heard {
    rest: Vec<u8>,
    pending: Option<Pending>,
    /// A time limit that is new, if one was told.
    left: Option<Option<Duration>>,
    writing: Option<PathBuf>,
    exit: Option<u8>,
}

fn start() -> io::Result<Watch> {
    let (messages, writer) = pipe()?;
    let mut set = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCHLD] {
        set.add(signal);
    }
    let signals = SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    set.thread_block()?;
    let mut words = env::args_os();
    let mut command = Command::new(PROGRAM);
    if let Some(name) = words.next() {
        command.arg0(name);
    }
    command.arg(WORKER).arg(std::process::id().to_string());
    command.arg(writer.as_raw_fd().to_string()).args(words);
    if memory::of_the_system().is_some() {
        // Otherwise the allocator reserves 64 MB of address space for each of the first threads.
        command.env("MALLOC_ARENA_MAX", "2");
    }
    let heard = Heard::default();
    match command.spawn() {
        Ok(child) => Ok(Watch {
            child,
            signals,
            messages,
            _writer: writer,
            heard,
            deadline: None,
            start: None,
            cause: None,
        }),
        Err(error) => {
            // The work is done here, and signals have their usual meaning.
            set.thread_unblock()?;
            Err(error)
        }
    }
}

impl Watch {
    fn follow(mut self) -> Exit {
        loop {
            self.listen();
            match self.child.try_wait() {
                Ok(None) => {}
                Ok(Some(status)) => {
                    self.listen();
                    return self.ended(status);
                }
                // The end of a child is not told to a process that inherits to ignore it.
                Err(_) => return self.heard.exit.map_or(Exit::Unknown, Exit::from_code),
            }
            self.hear_signals();
            if self.end().is_some_and(|end| Instant::now() >= end) {
                self.cause.get_or_insert(Cause::Time);
                self.deadline = None;
                // It may have ended already.
                let _ = self.child.kill();
            }
            self.wait();
        }
    }

    /// When the worker is ended.
    fn end(&self) -> Option<Instant> {
        let starts = self.heard.pending.is_none() && self.cause.is_none();
        let start = self.start.filter(|_| starts);
        self.deadline.map(|deadline| start.map_or(deadline, |start| deadline.max(start)))
    }

    /// Until something happens.
    fn wait(&self) {
        let mut events = [
            PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.messages.as_fd(), PollFlags::POLLIN),
        ];
        let timeout = match self.end() {
            None => PollTimeout::NONE,
            Some(end) => {
                let left = end.saturating_duration_since(Instant::now());
                // Rounded up, so as not to wake up too early; at most a minute, and then again.
                let left = left.min(Duration::from_secs(60)) + Duration::from_millis(1);
                PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO)
            }
        };
        // An interruption is looked at as everything else.
        let _ = poll(&mut events, timeout);
    }

    /// Takes what is in the pipe.
    fn listen(&mut self) {
        while is_readable(&self.messages) {
            let mut buffer = [0; 1 << 16];
            match self.messages.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(length) => self.heard.add(&buffer[..length]),
            }
        }
        if let Some(left) = self.heard.left.take()
            && self.cause.is_none()
        {
            self.deadline = left.and_then(|left| Instant::now().checked_add(left));
        }
    }

    fn hear_signals(&mut self) {
        let wishes = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|s| s as u32);
        while let Ok(Some(signal)) = self.signals.read_signal() {
            if !wishes.contains(&signal.ssi_signo) {
                continue;
            }
            // A second wish is for an end at once.
            let patience = if self.cause.is_none() { PATIENCE } else { Duration::ZERO };
            self.cause = Some(Cause::User);
            let end = Instant::now() + patience;
            self.deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
            if let Ok(pid) = i32::try_from(self.child.id()) {
                let _ = signal::kill(Pid::from_raw(pid), Signal::SIGTERM);
            }
        }
    }

    fn ended(&mut self, status: ExitStatus) -> Exit {
        if let Some(code) = self.heard.exit {
            return Exit::from_code(code);
        }
        end_descendants();
        if let Some(path) = self.heard.writing.take() {
            // It may have its name already.
            let _ = fs::remove_file(path);
        }
        let signal = match (status.code(), status.signal()) {
            (Some(code), _) => return u8::try_from(code).map_or(Exit::Internal, Exit::from_code),
            (None, signal) => signal.unwrap_or_default(),
        };
        match reason(signal, self.cause) {
            Ok(reason) => match self.heard.pending.take() {
                Some(pending) => pending.say(&reason),
                None => {
                    terminal::unknown(&reason);
                    Exit::Unknown
                }
            },
            Err(bug) => {
                panic::say(&bug);
                Exit::Internal
            }
        }
    }
}

impl Heard {
    fn add(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return };
        let lines: Vec<u8> = self.rest.drain(..=end).collect();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            // A worker is the same program, so each line is a message.
            let Ok(message) = serde_json::from_slice(line) else { continue };
            match message {
                Message::Pending(pending) => self.pending = Some(pending),
                Message::Left(left) => {
                    let left = left.and_then(|left| Duration::try_from_secs_f64(left).ok());
                    self.left = Some(left);
                }
                Message::Writing(path) => self.writing = Some(path),
                Message::Written => self.writing = None,
                Message::Exit(code) => self.exit = Some(code),
            }
        }
    }
}

fn is_readable(messages: &PipeReader) -> bool {
    let mut event = [PollFd::new(messages.as_fd(), PollFlags::POLLIN)];
    poll(&mut event, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}

/// Why a worker has ended that was ended by a signal, or else which bug that is.
fn reason(signal: i32, cause: Option<Cause>) -> Result<String, String> {
    let name = Signal::try_from(signal).map_or("a signal", Signal::as_str);
    match (cause, Signal::try_from(signal)) {
        (Some(Cause::Time), _) => Ok("the time limit was reached".to_owned()),
        (Some(Cause::User), _) | (None, Ok(Signal::SIGINT | Signal::SIGTERM | Signal::SIGHUP)) => {
            Ok("it was cancelled".to_owned())
        }
        (None, Ok(Signal::SIGKILL)) => {
            Ok("the process was killed, as the system does when memory runs out".to_owned())
        }
        (None, Ok(Signal::SIGXCPU)) => {
            Ok("the system's limit on processor time (`ulimit -t`) was reached".to_owned())
        }
        (None, Ok(Signal::SIGABRT | Signal::SIGSEGV | Signal::SIGBUS))
            if memory::of_the_system().is_some() =>
        {
            Ok(format!(
                "the memory that the system allows (`ulimit -v`, `-d`, `-s`) did not suffice \
                 (ended by {name})"
            ))
        }
        _ => Err(format!("the process that does the work was ended by {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_in_pieces() {
        let mut heard = Heard::default();
        let pending = Pending::text("a: unknown".to_owned());
        let messages = [
            Message::Writing("a".into()),
            Message::Pending(pending.clone()),
            Message::Left(Some(1.5)),
            Message::Written,
        ];
        for message in messages {
            for byte in serde_json::to_vec(&message).unwrap() {
                heard.add(&[byte]);
            }
            heard.add(b"\n");
        }
        assert_eq!(heard.pending, Some(pending));
        assert_eq!(heard.left, Some(Some(Duration::from_millis(1500))));
        assert_eq!((heard.writing, heard.exit), (None, None));
    }

    #[test]
    fn signals_have_reasons() {
        let all = [
            (9, Some(Cause::Time), Ok("the time limit")),
            (9, Some(Cause::User), Ok("it was cancelled")),
            (15, None, Ok("it was cancelled")),
            (9, None, Ok("the process was killed")),
            (24, None, Ok("the system's limit on processor time")),
            (4, None, Err("ended by SIGILL")),
        ];
        for (signal, cause, expected) in all {
            match (reason(signal, cause), expected) {
                (Ok(said), Ok(part)) | (Err(said), Err(part)) => {
                    assert!(said.contains(part), "{signal}: {said}");
                }
                (said, _) => panic!("{signal}: {said:?}"),
            }
        }
    }
}
