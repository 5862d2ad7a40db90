//! One command in a child process, under limits. A `guard` stands between, which enforces them
//! on everything that the command starts.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::guard::Report;
use super::usage::Usage;
use crate::args;

/// A command that knows its limit needs a moment to end by itself: later than its own means have
/// an effect, and within a tenth of the limit.
pub fn grace(limit: Duration) -> Duration {
    (limit / 100 * 8).clamp(Duration::from_millis(100), Duration::from_secs(20))
}

/// How long a wish to stop may wait.
const PAUSE: Duration = Duration::from_millis(50);

/// What is kept of the beginning of an output stream, and of its end: some tell their verdict
/// first, some last.
const OUTPUT: usize = 1 << 20;

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

/// A command that has ended.
#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
    pub usage: Usage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Code(i32),
    Signal(i32),
    OutOfTime,
    OutOfMemory,
}

impl Limits {
    pub fn new(args: &args::BenchRun) -> Limits {
        Limits {
            cpu: args.timeout,
            wall: args.wall.unwrap_or(args.timeout),
            memory: args.memory.saturating_mul(1 << 20),
        }
    }
}

/// Runs a command; `None` if it was stopped. `program` is this program, for the guard.
pub fn run(
    program: &Path,
    command: &[OsString],
    limits: &Limits,
    stop: &AtomicBool,
) -> io::Result<Option<Finished>> {
    let (mut guard, socket) = start(program, command, limits)?;
    let streams = drain(guard.stdout.take())
        .and_then(|stdout| Ok((stdout, drain(guard.stderr.take())?)))
        .inspect_err(|_| {
            // The guard ends the command when its socket is closed.
            let _ = socket.shutdown(Shutdown::Both);
            let _ = guard.wait();
        });
    let (stdout, stderr) = streams?;
    let told = listen(&socket, stop);
    drop(socket);
    let status = guard.wait()?;
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    let Some(told) = told? else { return Ok(None) };
    match serde_json::from_slice(&told) {
        Ok(Report::Ended { end, wall, usage }) => {
            Ok(Some(Finished { end, stdout, stderr, wall, usage }))
        }
        Ok(Report::CannotRun(message)) => Err(io::Error::other(message)),
        Err(_) => Err(io::Error::other(format!("its guard has died ({status}): {stderr}"))),
    }
}

fn start(program: &Path, command: &[OsString], limits: &Limits) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let guard = Command::new(program)
        .arg("guard")
        .args(["--cpu", &limits.cpu.as_secs_f64().to_string()])
        .args(["--wall", &limits.wall.as_secs_f64().to_string()])
        .args(["--memory", &limits.memory.to_string(), "--"])
        .args(command)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Ctrl-C on the terminal is for `bench` alone.
        .process_group(0)
        .spawn()?;
    Ok((guard, ours))
}

/// What the guard has to tell, when it has ended; `None` if we wanted it to stop.
fn listen(mut socket: &UnixStream, stop: &AtomicBool) -> io::Result<Option<Vec<u8>>> {
    socket.set_read_timeout(Some(PAUSE))?;
    let (mut told, mut buffer) = (Vec::new(), [0; 1024]);
    loop {
        if stop.load(Ordering::Relaxed) {
            socket.shutdown(Shutdown::Both)?;
            return Ok(None);
        }
        match socket.read(&mut buffer) {
            Ok(0) => return Ok(Some(told)),
            Ok(n) => told.extend(&buffer[..n]),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {}
                io::ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
    }
}

/// Reads a stream to its end, so that the command never waits for us.
fn drain(stream: Option<impl Read + Send + 'static>) -> io::Result<Option<JoinHandle<Vec<u8>>>> {
    let Some(mut stream) = stream else { return Ok(None) };
    let started = thread::Builder::new().spawn(move || {
        let mut kept = Kept(Vec::new());
        let _ = io::copy(&mut stream, &mut kept);
        kept.0
    });
    started.map(Some)
}

/// The beginning and the end of what is written to it, and a line's end between them.
struct Kept(Vec<u8>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend(bytes);
        if self.0.len() > 3 * OUTPUT {
            self.0.splice(OUTPUT..self.0.len() - OUTPUT, *b"\n");
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn collect(reader: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_long_output_are_kept() {
        let mut kept = Kept(Vec::new());
        kept.write_all(b"first\n").unwrap();
        for _ in 0..5000 {
            kept.write_all(&[b'x'; 1000]).unwrap();
        }
        kept.write_all(b"\nlast\n").unwrap();
        let text = String::from_utf8(kept.0).unwrap();
        assert!(text.starts_with("first\nxxx") && text.ends_with("xxx\nlast\n"));
        assert!(text.len() <= 3 * OUTPUT + 1000);
        assert_eq!(text.lines().count(), 4);
    }
}
