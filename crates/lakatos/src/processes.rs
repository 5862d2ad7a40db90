//! Ends what is left of the processes that were started.

use std::time::{Duration, Instant};
use std::{process, thread};

use rustix::process::{Pid, Signal, WaitOptions};

use crate::bench::usage::descendants;

/// So long it is tried to kill what is left. What the system itself holds back cannot be killed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Kills and waits for everything below this process, again and again: a process may start others
/// while we look. Those whose parent has died are below this process only if it is a reaper.
pub fn end_descendants() {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        for pid in descendants(process::id()) {
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                // An error means that it is gone.
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}
