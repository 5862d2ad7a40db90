//! What a process and its descendants use, as `/proc` tells. Where there is no such folder
//! nothing is known: only the wall clock limits a child there.

use std::fs;
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of the processes that are there, and of those they waited for.
    pub cpu: Duration,
    /// Memory in use, in bytes.
    pub memory: u64,
    /// The most that one of them ever used.
    pub peak: u64,
}

impl Usage {
    /// Of a process that has not been waited for (it may have ended), and its descendants.
    pub fn of(pid: u32) -> Usage {
        let mut usage = Usage::default();
        let mut open = vec![pid];
        while let Some(pid) = open.pop() {
            if let Some(cpu) = cpu(pid) {
                usage.cpu += cpu;
            }
            if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
                usage.memory += kilobytes(&status, "VmRSS:").unwrap_or(0) * 1024;
                usage.peak = usage.peak.max(kilobytes(&status, "VmHWM:").unwrap_or(0) * 1024);
            }
            open.extend(children(pid));
        }
        usage.peak = usage.peak.max(usage.memory);
        usage
    }

    /// Everything seen so far.
    pub fn most(self, other: Usage) -> Usage {
        Usage {
            cpu: self.cpu.max(other.cpu),
            memory: other.memory,
            peak: self.peak.max(other.peak),
        }
    }
}

fn cpu(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks = ticks(&stat)?;
    Some(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?)
}

/// `utime`, `stime`, `cutime` and `cstime` of `/proc/PID/stat`, whose second field may contain
/// anything, in parentheses.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<u64> =
        rest.split_whitespace().skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    (fields.len() == 4).then(|| fields.iter().sum())
}

fn kilobytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_do_not_confuse() {
        let stat = "17 (a) b (c) R 1 17 17 0 -1 4194304 100 0 0 0 7 2 30 4 20 0 1 0 5 0 0";
        assert_eq!(ticks(stat), Some(43));
        assert_eq!(ticks("17 (x) R 1"), None);
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
    fn we_use_something() {
        let usage = Usage::of(std::process::id());
        assert!(usage.memory > 0 && usage.peak >= usage.memory);
    }
}
