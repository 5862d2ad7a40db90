//! The process that does the work, and what it tells the one above it. Where there is none, the
//! same calls do nothing.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::pending::Pending;
use crate::exit::Exit;

/// The first word of a worker's command line; then come its parent and the parent's pipe.
pub const WORKER: &str = "worker-of";

/// A line of the pipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// What is to be said if there is an end now.
    Pending(Pending),
    /// So many seconds are left for what is done now; `None` is no limit.
    Left(Option<f64>),
    /// A file with this name is being written, and has to go if it stays.
    Writing(PathBuf),
    Written,
    /// Everything is done and said.
    Exit(u8),
}

#[derive(Debug)]
struct Channel {
    pipe: Option<File>,
    pending: Option<Pending>,
}

static CHANNEL: Mutex<Channel> = Mutex::new(Channel { pipe: None, pending: None });

fn channel() -> MutexGuard<'static, Channel> {
    CHANNEL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the words for a worker from a command line. True if this is one.
pub fn begin(words: &mut Vec<OsString>) -> bool {
    let number = |at: usize| -> Option<i32> { words.get(at)?.to_str()?.parse().ok() };
    let (true, Some(parent), Some(pipe)) =
        (words.get(1).is_some_and(|word| word == WORKER), number(2), number(3))
    else {
        return false;
    };
    words.drain(1..4);
    end_with(parent);
    accept_signals();
    channel().pipe = OpenOptions::new().write(true).open(format!("/proc/{parent}/fd/{pipe}")).ok();
    true
}

/// A worker ends when its parent ends, however that ends.
#[cfg(target_os = "linux")]
fn end_with(parent: i32) {
    let kill = Some(rustix::process::Signal::KILL);
    // Without it, only an orphan would go on for a while.
    let _ = rustix::process::set_parent_process_death_signal(kill);
    if rustix::process::getppid().is_none_or(|now| now.as_raw_nonzero().get() != parent) {
        process::exit(Exit::Unknown as i32);
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with(_parent: i32) {}

/// The parent waits for signals, and the signals that it has blocked for that are blocked here, too.
fn accept_signals() {
    let _ = SigSet::all().thread_swap_mask(SigmaskHow::SIG_UNBLOCK);
}

/// A file that becomes too large is an error to be told, and not the end of the process.
pub fn block_file_size_signal() {
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

fn tell(channel: &mut Channel, message: &Message) {
    let Some(pipe) = &mut channel.pipe else { return };
    let told = serde_json::to_vec(message).map_err(io::Error::from).and_then(|mut line| {
        line.push(b'\n');
        pipe.write_all(&line)
    });
    if told.is_err() {
        channel.pipe = None;
    }
}

/// From now on this is said if there is an end.
pub fn expect(pending: Pending) {
    let channel = &mut *channel();
    tell(channel, &Message::Pending(pending.clone()));
    channel.pending = Some(pending);
}

/// How long the work may take from now on.
pub fn left(time: Option<Duration>) {
    tell(&mut channel(), &Message::Left(time.map(|time| time.as_secs_f64())));
}

/// Runs `write` while the file `path` is known to be incomplete.
pub fn while_writing<T>(path: &Path, write: impl FnOnce() -> T) -> T {
    tell(&mut channel(), &Message::Writing(path.to_owned()));
    let written = write();
    tell(&mut channel(), &Message::Written);
    written
}

/// Says what is pending in this process, where nothing else can be done for this reason.
pub fn give_up(reason: &str) -> Exit {
    let pending = channel().pending.take();
    match pending {
        Some(pending) => pending.say(reason),
        None => {
            crate::terminal::unknown(reason);
            Exit::Unknown
        }
    }
}

/// Ends the process. A worker does not clean up: threads may still be inside the solver, and its
/// destructors know nothing of them. The parent knows the exit code, so a signal will do.
pub fn end(exit: Exit) -> ! {
    let channel = &mut *channel();
    if channel.pipe.is_some() {
        tell(channel, &Message::Exit(exit as u8));
        if channel.pipe.is_some() {
            let _ = kill(Pid::this(), Signal::SIGKILL);
        }
    }
    process::exit(exit as i32)
}
