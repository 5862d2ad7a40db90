//! The memory that this process uses, and the limits for it: the user's, and the system's.
//!
//! The system's limits (`ulimit -v`, `ulimit -d`) are about address space. Allocations beyond them
//! fail, which ends a Rust process, and which Z3 survives without a word, having forgotten what it
//! was told. So a quarter of what is free at the beginning is a reserve: Z3 may use no more than
//! that, and once less than the reserve has been free, no query is answered any more. As long as
//! more is free, no allocation of Z3 can have failed: one that is larger than all that Z3 may use
//! is refused by Z3 itself, which can be seen.

use std::fs;
use std::sync::OnceLock;

use lakatos_ir::large_stack;
use lakatos_logic::smt::z3;
use rustix::process::{Resource, getrlimit};

use crate::args::Limits;
use crate::terminal;

/// The reserve is this part of what is free.
const RESERVE: u64 = 4;
/// A stack is this part of what is free: a portfolio has some fourteen threads, which together
/// leave more than three quarters.
const STACK: u64 = 64;

/// Where memory becomes short, in bytes of address space; `None` without a limit of the system.
static SHORT: OnceLock<Option<u64>> = OnceLock::new();

/// Of the solver, under the limit of the system.
static SOLVER: OnceLock<u32> = OnceLock::new();

/// A limit in bytes, of what [`resident`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u64);

impl Limit {
    /// Limits the solver's memory for the rest of the process, and gives the limit of all memory
    /// where this system tells how much is in use.
    pub fn set(limits: &Limits) -> Option<Limit> {
        let megabytes = limits.memory?;
        // The largest number means something else to the solver.
        let solver = megabytes.min(SOLVER.get().copied().unwrap_or(u32::MAX - 1));
        z3::set_memory_limit(Some(solver));
        if resident().is_none() {
            terminal::note(
                "this system does not tell how much memory is in use: `--memory` limits the \
                 solver's only",
            );
            return None;
        }
        Some(Limit(u64::from(megabytes) << 20))
    }

    /// So much more than is in use now.
    #[cfg(all(test, target_os = "linux"))]
    pub fn beyond_now(bytes: u64) -> Option<Limit> {
        resident().map(|now| Limit(now + bytes))
    }

    pub fn is_exceeded(self) -> bool {
        resident().is_some_and(|bytes| bytes > self.0)
    }
}

/// Keeps this process below the limits that the system has for its memory. To be called once, at
/// the beginning.
pub fn keep_below_the_systems_limit() {
    let Some(limit) = of_the_system() else { return };
    // What is in use now, or where the system does not tell, a usual number.
    let used = peak().unwrap_or(64 << 20);
    let free = limit.saturating_sub(used);
    let reserve = free / RESERVE;
    let _ = SHORT.set(Some(limit - reserve));
    large_stack::set_most(usize::try_from(free / STACK).unwrap_or(large_stack::FULL));
    let solver = u32::try_from(reserve >> 20).unwrap_or(u32::MAX - 1).clamp(1, u32::MAX - 1);
    let _ = SOLVER.set(solver);
    z3::set_memory_limit(Some(solver));
    z3::tell_shortage(was_short);
}

/// Whether so little memory was free at some time that the system may have refused some. Without
/// an answer of the system it may have been.
pub fn was_short() -> bool {
    match SHORT.get().copied().flatten() {
        None => false,
        Some(limit) => peak().is_none_or(|peak| peak > limit),
    }
}

/// The lower one of the system's limits for memory.
pub fn of_the_system() -> Option<u64> {
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    limits.into_iter().flatten().min()
}

/// The bytes of this process that are in memory now; `None` where there is no `/proc`.
fn resident() -> Option<u64> {
    let pages = second_field(&fs::read_to_string("/proc/self/statm").ok()?)?;
    Some(pages * rustix::param::page_size() as u64)
}

/// `/proc/PID/statm` begins with the size and the resident part, in pages.
fn second_field(statm: &str) -> Option<u64> {
    statm.split_whitespace().nth(1)?.parse().ok()
}

/// The most bytes of address space that this process had; `None` where there is no `/proc`.
fn peak() -> Option<u64> {
    peak_in(&fs::read_to_string("/proc/self/status").ok()?)
}

/// A line of `/proc/PID/status`.
fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_field_of_statm() {
        assert_eq!(second_field("5830 1234 98 7 0 6 0\n"), Some(1234));
        assert_eq!(second_field("5830"), None);
        assert_eq!(second_field("a b"), None);
    }

    #[test]
    fn the_peak_of_status() {
        assert_eq!(peak_in("Name:\tx\nVmPeak:\t   61216 kB\nVmSize:\t 1 kB\n"), Some(61216 << 10));
        assert_eq!(peak_in("Name:\tx\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_a_peak() {
        let before = peak().unwrap();
        let block = vec![1_u8; 64 << 20];
        assert!(peak().unwrap() >= before.max(block.len() as u64));
    }
}
