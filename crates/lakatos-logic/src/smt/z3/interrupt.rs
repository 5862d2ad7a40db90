//! Interrupts from other threads.
//!
//! An interrupt that finds no query running makes Z3 5.4 lose assertions until the next query, and
//! answer wrongly then. So an interrupt cancels every session of the thread, for good, and a
//! session that starts after it runs a query to no purpose first. A cancelled session interrupts
//! no more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::smt::Cancel;

/// What this thread's context has for other threads.
struct Interrupts {
    /// Kept for good: a handle may be used after the thread that made it is gone.
    context: &'static z3::Context,
    epoch: Arc<Mutex<Epoch>>,
}

/// How often the context was interrupted.
#[derive(Debug, Default)]
struct Epoch {
    now: u64,
    /// A query was run after so many interrupts.
    cleared: u64,
}

thread_local! {
    static INTERRUPTS: Interrupts = Interrupts {
        context: Box::leak(Box::new(z3::Context::thread_local())),
        epoch: Arc::default(),
    };
}

/// Alive while its session is.
pub(super) type Pulse = Arc<()>;

/// Interrupts the context of this thread, for a session that starts now.
pub(super) fn interrupter() -> (Cancel, Pulse) {
    INTERRUPTS.with(|interrupts| {
        let mut epoch = lock(&interrupts.epoch);
        if epoch.cleared < epoch.now {
            z3::Solver::new().check();
            epoch.cleared = epoch.now;
        }
        let own = epoch.now;
        let pulse = Pulse::default();
        let (alive, asked) = (Arc::downgrade(&pulse), Arc::new(AtomicBool::new(false)));
        let (shared, handle) = (Arc::clone(&interrupts.epoch), interrupts.context.handle());
        let (shared_too, asked_too) = (Arc::clone(&shared), Arc::clone(&asked));
        let cancel = Cancel::new(
            move || {
                asked.store(true, Ordering::SeqCst);
                let mut epoch = lock(&shared);
                // Not for a session that is over: another one may be at work.
                if epoch.now == own && alive.strong_count() > 0 {
                    epoch.now += 1;
                    handle.interrupt();
                }
            },
            move || asked_too.load(Ordering::SeqCst) || lock(&shared_too).now != own,
        );
        (cancel, pulse)
    })
}

/// Nobody panics while holding the lock.
fn lock(epoch: &Mutex<Epoch>) -> MutexGuard<'_, Epoch> {
    epoch.lock().unwrap_or_else(PoisonError::into_inner)
}
