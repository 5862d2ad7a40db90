//! Z3 in process, through the `z3` crate. One context per thread, which the crate provides; a
//! [`Z3`] and what comes from it stays on the thread that made it.

mod numeral;
mod read;
mod solver;
mod translate;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::read::read;
pub use self::solver::Z3Solver;
pub(crate) use self::translate::{Translator, symbol_constant, z3_sort};
use super::{Cancel, Logic};

/// A thread's Z3: solvers made here share the translation of terms, and are cancelled together.
#[derive(Clone, Debug)]
pub struct Z3 {
    translator: Rc<RefCell<Translator>>,
    cancel: Cancel,
}

impl Default for Z3 {
    fn default() -> Self {
        Z3::new()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        Z3 { translator: Rc::default(), cancel: interrupter() }
    }

    /// A solver made for a logic; it changes to a wider one when it has to.
    pub fn solver(&self, logic: Logic) -> Z3Solver {
        Z3Solver::new(logic, Rc::clone(&self.translator), self.cancel.clone())
    }

    pub fn cancel_handle(&self) -> Cancel {
        self.cancel.clone()
    }

    pub(crate) fn translator(&self) -> &RefCell<Translator> {
        &self.translator
    }
}

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

/// Interrupts the context of this thread.
///
/// An interrupt that finds no query running makes Z3 5.4 lose assertions until the next query,
/// and answer wrongly then. So an interrupt cancels every session of the thread, for good, and a
/// session that starts after it runs a query to no purpose first. A cancelled session interrupts
/// no more.
fn interrupter() -> Cancel {
    INTERRUPTS.with(|interrupts| {
        let mut epoch = lock(&interrupts.epoch);
        if epoch.cleared < epoch.now {
            z3::Solver::new().check();
            epoch.cleared = epoch.now;
        }
        let own = epoch.now;
        let (shared, handle) = (Arc::clone(&interrupts.epoch), interrupts.context.handle());
        let alive = Arc::clone(&shared);
        Cancel::new(
            move || {
                let mut epoch = lock(&shared);
                if epoch.now == own {
                    epoch.now += 1;
                    handle.interrupt();
                }
            },
            move || lock(&alive).now != own,
        )
    })
}

/// Nobody panics while holding the lock.
fn lock(epoch: &Mutex<Epoch>) -> MutexGuard<'_, Epoch> {
    epoch.lock().unwrap_or_else(PoisonError::into_inner)
}
