//! Threads with a large stack, for algorithms that are recursive.
//!
//! Untouched pages of a stack cost nothing, but they count where the system limits the address
//! space. There a program says how large stacks may be ([`set_most`]); and where the system refuses
//! a thread, it is tried with smaller stacks before the failure is told.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// The size of a stack where there is no limit. Engines accept trees of a bounded depth, which this
/// holds.
pub const FULL: usize = 256 << 20;
/// The smallest size that is tried. Not critical: half of what the main thread has.
const LEAST: usize = 4 << 20;

static MOST: AtomicUsize = AtomicUsize::new(FULL);

/// Limits the stacks of threads that are started from now on; at least 4 MB stay.
pub fn set_most(bytes: usize) {
    MOST.store(bytes.clamp(LEAST, FULL), Ordering::Relaxed);
}

/// Starts a thread that may borrow, with a stack of `times` the full size if there is no limit. The
/// work is told how large its stack is.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    times: usize,
    work: impl FnOnce(usize) -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let work = Arc::new(Mutex::new(Some(work)));
    largest(times, |size| {
        let work = Arc::clone(&work);
        Builder::new().stack_size(size).spawn_scoped(scope, move || taken(&work)(size))
    })
}

/// Starts a thread that owns what it needs.
pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let work = Arc::new(Mutex::new(Some(work)));
    largest(1, |size| {
        let work = Arc::clone(&work);
        Builder::new().stack_size(size).spawn(move || taken(&work)())
    })
}

fn taken<F>(work: &Mutex<Option<F>>) -> F {
    let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
    work.take().expect("at most one thread is started")
}

fn largest<H>(times: usize, mut start: impl FnMut(usize) -> io::Result<H>) -> io::Result<H> {
    let mut size = match MOST.load(Ordering::Relaxed) {
        FULL => FULL * times,
        limited => limited,
    };
    while size > LEAST {
        if let Ok(handle) = start(size) {
            return Ok(handle);
        }
        size /= 2;
    }
    start(LEAST)
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// Uses so many kilobytes of stack.
    fn descend(kilobytes: usize) -> usize {
        let frame = black_box([1_u8; 1024]);
        match kilobytes {
            0 => usize::from(frame[0]),
            more => descend(more - 1) + usize::from(black_box(&frame)[1023]),
        }
    }

    #[test]
    fn stacks_are_large() {
        let deep = 64 << 10;
        assert_eq!(spawn(move || descend(deep)).unwrap().join().unwrap(), deep + 1);
        let borrowed = &deep;
        let sum = std::thread::scope(|scope| {
            spawn_scoped(scope, 1, |_| descend(*borrowed)).unwrap().join().unwrap()
        });
        assert_eq!(sum, deep + 1);
    }

    #[test]
    fn smaller_stacks_are_tried_and_the_last_failure_is_told() {
        let mut sizes = Vec::new();
        let end = largest(1, |size| -> io::Result<()> {
            sizes.push(size);
            Err(io::Error::other(format!("no thread with {size}")))
        });
        assert_eq!(end.unwrap_err().to_string(), format!("no thread with {LEAST}"));
        assert_eq!(sizes.last(), Some(&LEAST));
        assert!(sizes.windows(2).all(|pair| pair[1] < pair[0]), "{sizes:?}");
        let third = largest(1, |size| match size {
            _ if size > FULL / 4 => Err(io::Error::other("too large")),
            size => Ok(size),
        });
        assert_eq!(third.unwrap(), FULL / 4);
    }
}
