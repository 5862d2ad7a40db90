//! Panics of the `z3` crate: it has them where Z3 fails, interrupted or without memory. They are
//! caught here, and are no bugs of ours.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Result;

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs what may panic. Who catches a panic asks nobody again whom it has left half done.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result
}

/// Whether a panic of this thread is caught by who called Z3. A panic hook that ends the process
/// must leave such a panic alone.
pub fn catches_panics() -> bool {
    DEPTH.get() > 0
}
