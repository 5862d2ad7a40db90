//! The process between `bench` and a task: it starts a command, watches everything that comes of
//! it, and leaves nothing behind.
//!
//! A process whose parent has died goes to the nearest *reaper* above it. The guard is one, so
//! that nothing which the command starts can get away from it, whatever groups and sessions it
//! makes; and what the guard has waited for, the system has added to its account. Standard input
//! is a socket to `bench`: the report goes there, and when its other end closes (`bench` has been
//! killed, or wants no more) the command is ended.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus};
use serde::{Deserialize, Serialize};

use super::child::{End, Limits, grace};
use super::usage::{Account, Usage};
use crate::args;
use crate::exit::Exit;
use crate::processes::end_descendants;

/// How often memory must be too much, one look after the other.
const LOOKS: u32 = 3;

/// The longest time between two looks at a command.
const PAUSE: Duration = Duration::from_millis(50);

/// What the guard tells `bench`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    CannotRun(String),
    Ended { end: End, wall: Duration, usage: Usage },
}

pub fn guard(args: &args::Guard) -> Result<Exit> {
    let socket = io::stdin().as_fd().try_clone_to_owned().context("standard input")?;
    let mut bench = UnixStream::from(socket);
    bench.set_nonblocking(true).context("standard input is not a socket")?;
    become_reaper()?;
    let limits = Limits { cpu: args.cpu, wall: args.wall, memory: args.memory };
    let started = Instant::now();
    let report = match start(args, &limits) {
        Err(error) => Report::CannotRun(format!("{}: {error}", args.command[0].display())),
        Ok(child) => {
            let mut account = Account::default();
            let end = watch(child, &limits, started, &mut account, &mut bench);
            let wall = started.elapsed();
            end_all(child);
            match end? {
                None => return Ok(Exit::Unknown),
                Some(end) => Report::Ended { end, wall, usage: account.look() },
            }
        }
    };
    bench.write_all(&serde_json::to_vec(&report)?).context("cannot report")?;
    Ok(Exit::Good)
}

fn become_reaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Starts the command as the head of a process group, with a limit of the system for each of its
/// processes: wider than ours, and only for the case that the guard is killed.
fn start(args: &args::Guard, limits: &Limits) -> io::Result<Pid> {
    let ours = rustix::process::getrlimit(Resource::Cpu);
    let seconds = (limits.cpu + 2 * grace(limits.cpu)).as_secs() + 1;
    let current = ours.maximum.map_or(seconds, |most| most.min(seconds));
    let (program, rest) = args.command.split_first().expect("clap asks for one");
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null()).process_group(0);
    rustix::process::setrlimit(Resource::Cpu, Rlimit { current: Some(current), ..ours })?;
    let child = command.spawn();
    rustix::process::setrlimit(Resource::Cpu, ours)?;
    // It is waited for together with all others.
    Ok(Pid::from_child(&child?))
}

/// Waits until the command has ended or must end; `None` if nobody wants to know any more. Short
/// runs are looked at often.
fn watch(
    child: Pid,
    limits: &Limits,
    started: Instant,
    account: &mut Account,
    bench: &mut UnixStream,
) -> io::Result<Option<End>> {
    loop {
        let usage = account.look();
        let elapsed = started.elapsed();
        if let Some(end) = reap(child)? {
            return Ok(Some(end));
        } else if is_closed(bench) {
            return Ok(None);
        } else if elapsed > limits.wall + grace(limits.wall)
            || usage.cpu > limits.cpu + grace(limits.cpu)
        {
            return Ok(Some(End::OutOfTime));
        } else if usage.memory > limits.memory && is_over(account, limits.memory) {
            return Ok(Some(End::OutOfMemory));
        }
        thread::sleep((elapsed / 10).clamp(Duration::from_millis(1), PAUSE));
    }
}

/// Looks more than once: while processes start, what they share with their parent may have been
/// counted as the parent's own just before.
fn is_over(account: &Account, memory: u64) -> bool {
    (0..LOOKS).all(|look| {
        if look > 0 {
            thread::sleep(PAUSE);
        }
        account.shared_once() > memory
    })
}

/// Waits for all that has ended, so that nothing is left out of the account; gives the end of
/// the command itself.
fn reap(child: Pid) -> io::Result<Option<End>> {
    let mut end = None;
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == child => end = Some(ended(status)),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(end),
            Err(rustix::io::Errno::CHILD) => return Ok(end),
            Err(error) => return Err(error.into()),
        }
    }
}

fn ended(status: WaitStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    }
}

fn is_closed(bench: &mut UnixStream) -> bool {
    match bench.read(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => {
            !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
        }
    }
}

/// Kills the command's group, and then whatever has left it.
fn end_all(child: Pid) {
    // An error means that there is nothing any more.
    let _ = rustix::process::kill_process_group(child, Signal::KILL);
    end_descendants();
}
