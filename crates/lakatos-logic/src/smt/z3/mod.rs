//! Z3 in process, through the `z3` crate. One context per thread, which the crate provides; a
//! [`Z3`] and what comes from it stays on the thread that made it.

mod numeral;
mod read;
mod solver;
mod translate;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use self::read::read;
pub use self::solver::Z3Solver;
pub(crate) use self::translate::{Translator, symbol_constant, z3_sort};
use super::Cancel;

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

    /// A solver for an SMT-LIB logic (`QF_LIA`, say); `None`: Z3's own choice.
    pub fn solver(&self, logic: Option<&'static str>) -> Z3Solver {
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
    /// Somebody interrupted the context.
    pending: Arc<AtomicBool>,
}

thread_local! {
    static INTERRUPTS: Interrupts = Interrupts {
        context: Box::leak(Box::new(z3::Context::thread_local())),
        pending: Arc::default(),
    };
}

/// Interrupts the context of this thread.
///
/// An interrupt that finds no query running makes Z3 5.4 lose assertions until the next query,
/// and answer wrongly then. So nothing is believed of a session that was cancelled, and one that
/// starts after it runs a query to no purpose first.
fn interrupter() -> Cancel {
    INTERRUPTS.with(|interrupts| {
        if interrupts.pending.swap(false, Ordering::SeqCst) {
            z3::Solver::new().check();
        }
        let (handle, pending) = (interrupts.context.handle(), Arc::clone(&interrupts.pending));
        Cancel::new(move || {
            pending.store(true, Ordering::SeqCst);
            handle.interrupt();
        })
    })
}
