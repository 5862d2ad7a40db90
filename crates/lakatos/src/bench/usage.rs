//! What the descendants of this process use, as `/proc` tells. Where there is no such folder
//! nothing is known: only the wall clock limits a command there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time of all descendants so far.
    pub cpu: Duration,
    /// Memory in use, in bytes; what processes share is counted for each of them.
    pub memory: u64,
    /// The most that was in use at a look, or that one of them ever used.
    pub peak: u64,
}

/// An account of all that this process starts, kept from look to look.
///
/// Processor time is known from two sides: the system adds the time of a process to that of the
/// one which waits for it, and we remember what we saw. The first misses processes that nobody
/// waits for, the second those that live between two looks.
#[derive(Debug, Default)]
pub struct Account {
    usage: Usage,
    /// By number and start, for numbers are used again.
    own: BTreeMap<(u32, u64), Duration>,
}

impl Account {
    pub fn look(&mut self) -> Usage {
        let us = std::process::id();
        let mut waited = Stat::of(us).map_or(Duration::ZERO, |stat| stat.waited);
        self.usage.memory = 0;
        for pid in descendants(us) {
            if let Some(stat) = Stat::of(pid) {
                waited += stat.own + stat.waited;
                self.own.insert((pid, stat.start), stat.own);
            }
            if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
                self.usage.memory += kilobytes(&status, "VmRSS:").unwrap_or(0) * 1024;
                let most = kilobytes(&status, "VmHWM:").unwrap_or(0) * 1024;
                self.usage.peak = self.usage.peak.max(most);
            }
        }
        let seen: Duration = self.own.values().sum();
        self.usage.cpu = self.usage.cpu.max(waited).max(seen);
        self.usage.peak = self.usage.peak.max(self.usage.memory);
        self.usage
    }

    /// Memory in use, with what processes share counted once. It takes the system long to say.
    pub fn shared_once(&self) -> u64 {
        let memory = |pid: u32| {
            let shares = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok();
            let share = shares.and_then(|text| kilobytes(&text, "Pss:"));
            let whole = || {
                let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
                kilobytes(&status, "VmRSS:")
            };
            share.or_else(whole).unwrap_or(0) * 1024
        };
        descendants(std::process::id()).into_iter().map(memory).sum()
    }
}

/// Parents come before their children, so that the time of a process which ends meanwhile is
/// never counted twice.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([pid]);
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        for child in children(pid) {
            if seen.insert(child) {
                found.push(child);
                open.push(child);
            }
        }
    }
    found
}

/// The children that any thread of a process has.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|c| c.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    /// Processor time.
    own: Duration,
    /// That of the processes it waited for.
    waited: Duration,
    /// When it began, in ticks of the system.
    start: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Stat> {
        Stat::read(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The second field may contain anything, in parentheses.
    fn read(stat: &str) -> Option<Stat> {
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
        let second = u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
        let time = |ticks: u64| Duration::from_secs(ticks) / second;
        Some(Stat {
            own: time(number(11)? + number(12)?),
            waited: time(number(13)? + number(14)?),
            start: number(19)?,
        })
    }
}

fn kilobytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_do_not_confuse() {
        let stat = "17 (a) b (c) R 1 17 17 0 -1 4194304 100 0 0 0 700 200 3000 400 20 0 1 0 55 0 0";
        let second = rustix::param::clock_ticks_per_second();
        let time = |ticks: u64| Duration::from_secs(ticks) / second as u32;
        let expected = Stat { own: time(900), waited: time(3400), start: 55 };
        assert_eq!(Stat::read(stat), Some(expected));
        assert_eq!(Stat::read("17 (x) R 1"), None);
    }

    #[test]
    fn kilobytes_by_name() {
        let status = "Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 99 kB\n";
        assert_eq!(kilobytes(status, "VmHWM:"), Some(1234));
        assert_eq!(kilobytes(status, "VmRSS:"), Some(99));
        assert_eq!(kilobytes(status, "VmSwap:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_seen() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(descendants(std::process::id()).contains(&child.id()));
        let mut account = Account::default();
        let usage = account.look();
        assert!(usage.memory > 0 && usage.peak >= usage.memory);
        assert!(account.shared_once() > 0);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
