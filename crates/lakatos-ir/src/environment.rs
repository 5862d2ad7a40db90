//! What the world outside of the program does: decisions of the user that lowering builds into the
//! automata (docs/semantics.md).

use std::fmt;
use std::str::FromStr;

/// How the program's surroundings behave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    pub volatile: Volatile,
    /// Address ranges that may be dereferenced: device registers.
    pub mmio: Vec<AddressRange>,
    pub allocation: Allocation,
}

/// What a read of `volatile` memory gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volatile {
    /// Any value of its type, each time: the memory changes by itself. An automatic object whose
    /// address does not leave its function is memory.
    #[default]
    Any,
    /// What was stored last.
    Memory,
}

/// What becomes of a request for at most `PTRDIFF_MAX` bytes. A larger one always fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocation {
    #[default]
    Succeeds,
    /// It succeeds or fails; which is an input.
    MayFail,
}

/// Addresses from `start` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    pub start: u64,
    pub last: u64,
}

impl AddressRange {
    pub fn contains(self, address: u64) -> bool {
        (self.start..=self.last).contains(&address)
    }

    /// Whether an object of so many bytes at the address is inside.
    pub fn holds(self, address: u64, bytes: u64) -> bool {
        bytes > 0
            && self.contains(address)
            && address.checked_add(bytes - 1).is_some_and(|last| self.contains(last))
    }

    pub fn overlaps(self, start: u64, end: u64) -> bool {
        self.start < end && start <= self.last
    }
}

/// Why a text names no address range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRange {
    #[error("not of the form START:SIZE, such as 0x40000000:0x1000")]
    Form,
    #[error("the start is not a number (write 0x40000000)")]
    Start,
    #[error("the size is not a number (write 4096 or 0x1000)")]
    Size,
    #[error("a range of 0 bytes")]
    Empty,
    #[error("the null pointer points to address 0, which cannot be in the range")]
    Null,
    #[error("the range goes beyond the last address")]
    TooLong,
}

impl FromStr for AddressRange {
    type Err = BadRange;

    /// `START:SIZE`, decimal or hexadecimal.
    fn from_str(text: &str) -> Result<AddressRange, BadRange> {
        let (start, size) = text.split_once(':').ok_or(BadRange::Form)?;
        let start = number(start).ok_or(BadRange::Start)?;
        let size = number(size).ok_or(BadRange::Size)?;
        if start == 0 {
            return Err(BadRange::Null);
        }
        let last = size.checked_sub(1).ok_or(BadRange::Empty)?;
        let last = start.checked_add(last).ok_or(BadRange::TooLong)?;
        Ok(AddressRange { start, last })
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = digits.map_or((text, 10), |digits| (digits, 16));
    // `from_str_radix` takes a sign as well.
    digits.starts_with(|c: char| c.is_ascii_hexdigit()).then_some(())?;
    u64::from_str_radix(digits, radix).ok()
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One byte less than the size, which may be 2^64 - 1 at most as the start is not 0.
        write!(f, "{:#x}:{:#x}", self.start, self.last - self.start + 1)
    }
}

impl fmt::Display for Volatile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Volatile::Any => "any",
            Volatile::Memory => "memory",
        })
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Allocation::Succeeds => "succeeds",
            Allocation::MayFail => "may-fail",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, expected) in [
            ("0x40000000:0x1000", Ok((0x4000_0000, 0x4000_0fff))),
            ("16:1", Ok((16, 16))),
            ("0xffffffffffffffff:1", Ok((u64::MAX, u64::MAX))),
            ("1:0xffffffffffffffff", Ok((1, u64::MAX))),
            ("0xffffffffffffffff:2", Err(BadRange::TooLong)),
            ("0x10", Err(BadRange::Form)),
            ("0x10:", Err(BadRange::Size)),
            ("+5:3", Err(BadRange::Start)),
            ("x:3", Err(BadRange::Start)),
            ("0x10:0", Err(BadRange::Empty)),
            ("0:16", Err(BadRange::Null)),
        ] {
            let read = text.parse::<AddressRange>().map(|range| (range.start, range.last));
            assert_eq!(read, expected, "{text}");
        }
        let range: AddressRange = "0x40000000:0x1000".parse().unwrap();
        assert_eq!(range.to_string(), "0x40000000:0x1000");
    }

    #[test]
    fn objects_are_inside_with_all_their_bytes() {
        let range: AddressRange = "0x100:0x10".parse().unwrap();
        for (address, bytes, inside) in [
            (0x100, 4, true),
            (0x10c, 4, true),
            (0x10d, 4, false),
            (0xff, 4, false),
            (0x110, 1, false),
            (0x100, 16, true),
            (0x100, 17, false),
            (u64::MAX, 4, false),
        ] {
            assert_eq!(range.holds(address, bytes), inside, "{address:#x}, {bytes}");
        }
    }
}
