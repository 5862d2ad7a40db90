//! The process that the user started, above the one that does the work (`worker`).
//!
//! An allocation that fails ends a process, and so do a crash of the solver and the system when
//! memory runs out. Queries exist that do not listen when they are cancelled. So the work is done
//! in a second process, which tells on a pipe what is to be said if it ends without its own words
//! (`pending`), and how long it may take. This process waits for its end, for signals, and for the
//! time; it says what is pending, removes what was half written, and leaves no process behind.
//!
//! It starts no thread and makes no call to the solver. Where it cannot start a process, the work
//! is done in this one.

pub mod pending;
#[cfg(target_os = "linux")]
mod watch;
pub mod worker;

use std::time::Duration;

#[cfg(target_os = "linux")]
pub use self::watch::run;
use crate::args::Command;
#[cfg(not(target_os = "linux"))]
use crate::{args::Cli, exit::Exit};

/// How much later than a time limit the work is ended from outside, where it did not end itself.
/// From a second on this is less than a tenth of the limit.
pub fn grace(limit: Duration) -> Duration {
    (limit / 100 * 6).clamp(Duration::from_millis(90), Duration::from_secs(10))
}

/// Without the means of Linux the work is done in this process.
#[cfg(not(target_os = "linux"))]
pub fn run(_cli: &Cli) -> Option<Exit> {
    None
}

/// Whether a command does work that has to be supervised. `bench` has a `guard` for each task.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn is_supervised(command: &Command) -> bool {
    match command {
        Command::Verify(_)
        | Command::Run(_)
        | Command::Cfa(_)
        | Command::Arg(_)
        | Command::Check(_)
        | Command::Horn(_)
        | Command::Solve(_)
        | Command::Contracts(_)
        | Command::Lemmas(_)
        | Command::Lsp(_) => true,
        Command::Bench(_)
        | Command::Guard(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Crash => false,
    }
}

/// The time limit that a command begins with.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn time_limit(command: &Command) -> Option<Duration> {
    match command {
        Command::Verify(args) => args.limits.timeout,
        Command::Arg(args) => args.limits.timeout,
        Command::Check(args) => args.limits.timeout,
        Command::Solve(args) => args.limits.timeout,
        Command::Contracts(args) => args.infer.limits.timeout,
        Command::Run(_)
        | Command::Cfa(_)
        | Command::Horn(_)
        | Command::Lemmas(_)
        | Command::Lsp(_)
        | Command::Bench(_)
        | Command::Guard(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Crash => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_from_outside_is_within_a_tenth() {
        for seconds in [1, 2, 5, 60, 900, 100_000] {
            let limit = Duration::from_secs(seconds);
            assert!(grace(limit) < limit / 10, "{limit:?}");
        }
    }
}
