//! A child process with its pipes: threads write and read, so nobody here waits for a child that
//! neither reads nor writes, and a wait ends at a deadline or when another thread says so.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A child that prints faster than it is read waits after so many chunks.
const CHUNKS: usize = 16;
const CHUNK: usize = 1 << 16;
/// How much of what a child complains about is kept.
const COMPLAINTS: usize = 1000;
/// How long a child that has closed its output may take to exit by itself.
const EXIT: Duration = Duration::from_millis(200);

/// A running child; killed when dropped.
#[derive(Debug)]
pub(super) struct Process {
    stopper: Stopper,
    input: Sender<String>,
    events: Receiver<Event>,
    complaints: Arc<Mutex<Vec<u8>>>,
    complaining: JoinHandle<()>,
}

#[derive(Debug)]
enum Event {
    Output(Vec<u8>),
    /// The child closed its output, or was stopped.
    End,
}

/// What a child did.
#[derive(Debug)]
pub(super) enum Heard {
    Output(Vec<u8>),
    End,
    /// Nothing, up to the deadline.
    Nothing,
}

/// Ends a child, from any thread.
#[derive(Clone, Debug)]
pub(super) struct Stopper {
    child: Arc<Mutex<Child>>,
    events: SyncSender<Event>,
}

impl Process {
    pub(super) fn start(command: &mut Command) -> io::Result<Process> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, texts) = mpsc::channel();
        let (sender, events) = mpsc::sync_channel(CHUNKS);
        let stopper = Stopper { child: Arc::new(Mutex::new(child)), events: sender.clone() };
        let complaints = Arc::default();
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            stopper.stop();
            return Err(io::Error::other("a pipe is missing"));
        };
        let kept = Arc::clone(&complaints);
        let threads = in_background(move || write(stdin, &texts))
            .and_then(|_| in_background(move || read(stdout, &sender)))
            .and_then(|_| in_background(move || read_complaints(stderr, &kept)));
        match threads {
            Ok(complaining) => Ok(Process { stopper, input, events, complaints, complaining }),
            Err(error) => {
                stopper.stop();
                Err(error)
            }
        }
    }

    /// For the child to read, at its leisure. That a child is gone shows when it is listened to.
    pub(super) fn send(&self, text: String) {
        let _ = self.input.send(text);
    }

    pub(super) fn listen(&mut self, deadline: Option<Instant>) -> Heard {
        let event = match deadline {
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => {
                self.events.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            }
        };
        match event {
            Ok(Event::Output(bytes)) => Heard::Output(bytes),
            Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => Heard::End,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
        }
    }

    /// How a child ended that has closed its output, and what it complained about, for people.
    pub(super) fn obituary(&self) -> String {
        let deadline = Instant::now() + EXIT;
        let status = loop {
            match lock(&self.stopper.child).try_wait() {
                Ok(Some(status)) if self.complaining.is_finished() => break status.to_string(),
                Ok(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => break status.to_string(),
                _ => break "it closed its output".to_string(),
            }
        };
        match String::from_utf8_lossy(&lock(&self.complaints)).trim() {
            "" => status,
            said => format!("{status}: {said}"),
        }
    }

    pub(super) fn stopper(&self) -> &Stopper {
        &self.stopper
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

impl Stopper {
    pub(super) fn stop(&self) {
        let mut child = lock(&self.child);
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
        // A listener with a full channel is awake, and will hear that the output ended.
        let _ = self.events.try_send(Event::End);
    }
}

/// What is locked here is never left half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("solver".to_string()).spawn(work)
}

fn write(mut to: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if to.write_all(text.as_bytes()).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn read(from: ChildStdout, to: &SyncSender<Event>) {
    chunks(from, |bytes| to.send(Event::Output(bytes.to_vec())).is_ok());
    // Whoever listened may be gone.
    let _ = to.send(Event::End);
}

fn read_complaints(from: ChildStderr, kept: &Mutex<Vec<u8>>) {
    chunks(from, |bytes| {
        let mut kept = lock(kept);
        let room = COMPLAINTS - kept.len();
        kept.extend(bytes.iter().take(room));
        true
    });
}

/// Reads to the end, or until `take` wants no more.
fn chunks(mut from: impl Read, mut take: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) if !take(&buffer[..length]) => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
