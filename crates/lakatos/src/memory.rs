//! The memory that this process uses, and a limit for it.

use std::fs;

use crate::args::Limits;
use crate::terminal;

/// A limit in bytes, of what [`resident`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u64);

impl Limit {
    /// Limits the solver's memory for the rest of the process, and gives the limit of all memory
    /// where this system tells how much is in use.
    pub fn set(limits: &Limits) -> Option<Limit> {
        let megabytes = limits.memory?;
        // The largest number means something else to the solver.
        lakatos_logic::smt::z3::set_memory_limit(Some(megabytes.min(u32::MAX - 1)));
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

/// The bytes of this process that are in memory now; `None` where there is no `/proc`.
fn resident() -> Option<u64> {
    let pages = second_field(&fs::read_to_string("/proc/self/statm").ok()?)?;
    Some(pages * rustix::param::page_size() as u64)
}

/// `/proc/PID/statm` begins with the size and the resident part, in pages.
fn second_field(statm: &str) -> Option<u64> {
    statm.split_whitespace().nth(1)?.parse().ok()
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
}
