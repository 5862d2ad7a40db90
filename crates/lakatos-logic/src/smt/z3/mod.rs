//! Z3 in process, through the `z3` crate. One context per thread, which the crate provides; a
//! [`Z3`] and what comes from it stays on the thread that made it.

mod catch;
mod health;
mod interrupt;
mod memory;
mod numeral;
mod read;
mod solver;
mod translate;

use std::cell::RefCell;
use std::rc::Rc;

pub use self::catch::catches_panics;
use self::catch::caught;
pub(crate) use self::health::Health;
pub use self::memory::{set_memory_limit, tell_shortage, work_done};
pub use self::read::read;
use self::solver::Way;
pub use self::solver::Z3Solver;
pub(crate) use self::translate::{Translator, symbol_constant, z3_sort};
use super::{Cancel, Logic, Reason};

/// A thread's Z3: solvers made here share the translation of terms, and are cancelled together.
#[derive(Clone, Debug)]
pub struct Z3 {
    translator: Rc<RefCell<Translator>>,
    health: Health,
}

impl Default for Z3 {
    fn default() -> Self {
        Z3::new()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        // A thread's first call to Z3 makes its context, for which there may be no memory.
        let health = match memory::is_out() {
            true => Health::stillborn(Reason::Memory),
            false => caught(interrupt::interrupter)
                .map_or_else(|_| Health::stillborn(Reason::Memory), Health::new),
        };
        Z3 { translator: Rc::default(), health }
    }

    /// A solver made for a logic; it changes to a wider one when it has to.
    pub fn solver(&self, logic: Logic) -> Z3Solver {
        self.make(Way::Usual, logic)
    }

    /// One that reasons about products in another way.
    pub(super) fn light_solver(&self) -> Z3Solver {
        self.make(Way::Light, Logic::All)
    }

    fn make(&self, way: Way, logic: Logic) -> Z3Solver {
        Z3Solver::new(way, logic, Rc::clone(&self.translator), self.health.clone())
    }

    pub fn cancel_handle(&self) -> Cancel {
        self.health.cancel().clone()
    }

    /// Whether to believe what comes from this Z3.
    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    pub(crate) fn translator(&self) -> &RefCell<Translator> {
        &self.translator
    }
}
