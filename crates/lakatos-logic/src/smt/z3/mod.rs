//! Z3 in process, through the `z3` crate. One context per thread, which the crate provides; a
//! [`Z3`] and what comes from it stays on the thread that made it.

mod numeral;
mod read;
mod solver;
mod translate;

use std::cell::RefCell;
use std::rc::Rc;

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

    /// Name and version of the library.
    pub fn version() -> String {
        let text = z3::full_version();
        text.split(',').next().unwrap_or(text).trim().to_string()
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

thread_local! {
    /// Kept for good: a handle may be used after the thread that made it is gone.
    static CONTEXT: &'static z3::Context = Box::leak(Box::new(z3::Context::thread_local()));
}

/// Interrupts the context of this thread.
fn interrupter() -> Cancel {
    let handle = CONTEXT.with(|context| context.handle());
    Cancel::new(move || handle.interrupt())
}
