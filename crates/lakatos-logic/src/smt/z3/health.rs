//! Whether Z3 can be believed.
//!
//! Calls to Z3 fail in two ways: the `z3` crate panics, or nothing happens and nobody is told. The
//! first is caught here. The second is what interrupts and the end of memory do (see
//! [`super::interrupt`] and [`super::memory`]), and both can be noticed afterwards. A session
//! that has had such a problem has it for good: its solvers are no longer asked, and answer
//! `Unknown` with the [`Reason`].

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::catch::caught;
use super::interrupt::Pulse;
use super::memory;
use crate::smt::{Cancel, Reason, pace};

/// The health of a session.
#[derive(Clone, Debug)]
pub(crate) struct Health {
    cancel: Cancel,
    _pulse: Pulse,
    broken: Rc<RefCell<Option<Reason>>>,
}

impl Health {
    pub(super) fn new((cancel, pulse): (Cancel, Pulse)) -> Health {
        Health { cancel, _pulse: pulse, broken: Rc::default() }
    }

    /// Of a session that could not begin.
    pub(super) fn stillborn(reason: Reason) -> Health {
        let health = Health::new((Cancel::new(|| (), || false), Pulse::default()));
        *health.broken.borrow_mut() = Some(reason);
        health
    }

    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Why nothing that the session has said is to be believed.
    pub(crate) fn problem(&self) -> Option<Reason> {
        if let Some(reason) = self.known_problem() {
            return Some(reason);
        }
        let out = memory::is_out().then_some(Reason::Memory);
        self.broken.borrow_mut().clone_from(&out);
        out
    }

    /// Runs what calls Z3, unless there is a problem already; an answer that `work` finds is to be
    /// believed only if there is still none afterwards ([`Health::believe`]).
    pub(crate) fn attempt<T>(&self, work: impl FnOnce() -> T) -> Result<T, Reason> {
        if let Some(reason) = self.known_problem() {
            return Err(reason);
        }
        // Whatever is left half done belongs to a session that nobody asks again.
        caught(work).map_err(|panic| {
            let reason = self.problem().unwrap_or_else(|| Reason::Failed(message(&*panic)));
            *self.broken.borrow_mut() = Some(reason.clone());
            reason
        })
    }

    /// Like [`Health::attempt`], for answers to queries.
    pub(crate) fn believe<T>(&self, work: impl FnOnce() -> T) -> Result<T, Reason> {
        pace::query();
        let answer = self.attempt(work)?;
        match self.problem() {
            None => Ok(answer),
            Some(reason) => Err(reason),
        }
    }

    /// Without a look at the memory, which takes microseconds.
    fn known_problem(&self) -> Option<Reason> {
        match self.cancel.is_cancelled() {
            true => Some(Reason::Cancelled),
            false => self.broken.borrow().clone(),
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("Z3 failed").to_string()
}
