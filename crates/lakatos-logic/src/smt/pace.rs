//! Threads that take turns.
//!
//! An engine may ask thousands of queries before it says how far it is, and one of them may take
//! longer than a turn. Whoever lets several engines take turns has a say before each query of a thread:
//! it may wait there, and says how much work the query may take. A query that takes more is asked again.
//! It hears whether the query is one about a *result*: whoever has one is nearly done. Whoever makes large
//! formulas between queries says so ([`made`]): that is work, too, and a place to wait.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use super::Limits;

/// Whether the query is about a result; how much work it may take.
type Hook = Box<dyn FnMut(bool) -> u32>;

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
    static MOST: Cell<Option<u32>> = const { Cell::new(None) };
    static HAS_RESULT: Cell<bool> = const { Cell::new(false) };
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// While it is alive queries are preceded by a hook. It stays on its thread.
#[must_use]
#[derive(Debug)]
pub struct Pace(PhantomData<*const ()>);

impl Pace {
    /// `before` is called before each query of this thread, with whether it is about a result, and says
    /// how much work it may take; it may not ask any itself.
    pub fn new(before: impl FnMut(bool) -> u32 + 'static) -> Pace {
        HOOK.set(Some(Box::new(before)));
        Pace(PhantomData)
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        HOOK.set(None);
        MOST.set(None);
    }
}

/// All queries of `judge` are about a result.
pub fn judging<R>(judge: impl FnOnce() -> R) -> R {
    let before = HAS_RESULT.replace(true);
    let judged = judge();
    HAS_RESULT.set(before);
    judged
}

/// So many terms were made for a query that is still to come.
pub fn made(terms: usize) {
    MADE.set(MADE.get() + terms as u64);
    query();
}

/// How many terms this thread has told of.
pub fn terms_made() -> u64 {
    MADE.get()
}

/// A query is about to be asked.
pub(super) fn query() {
    HOOK.with_borrow_mut(|hook| {
        if let Some(hook) = hook {
            MOST.set(Some(hook(HAS_RESULT.get())));
        }
    });
}

/// The limits of a query that has limits of its own. The largest number is no limit.
pub(super) fn limits(own: Limits) -> Limits {
    let most = MOST.get().filter(|most| *most < u32::MAX);
    let resources = most.into_iter().chain(own.resources).min();
    Limits { resources, ..own }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::smt::{Answer, Reason, Smt};
    use crate::term::{Sort, Term, Terms};

    #[test]
    fn hooks_come_after_terms_were_made() {
        let count = Rc::new(Cell::new(0));
        let own = Rc::clone(&count);
        let before = terms_made();
        let pace = Pace::new(move |_| {
            own.set(terms_made() - before);
            u32::MAX
        });
        made(7);
        made(5);
        assert_eq!(count.get(), 12);
        drop(pace);
        made(1);
        assert_eq!((count.get(), terms_made() - before), (12, 13));
    }

    #[test]
    fn hooks_come_before_queries_of_their_thread() {
        let count = Rc::new(Cell::new(0));
        let ask = || {
            let answer = Smt::new(Limits::default()).check(&Terms::new(), &[Term::TRUE]);
            assert_eq!(answer, Answer::Sat);
        };
        let own = Rc::clone(&count);
        let pace = Pace::new(move |has_result| {
            own.set(own.get() + 1 + 10 * u32::from(has_result));
            u32::MAX
        });
        ask();
        assert_eq!(count.get(), 1);
        std::thread::spawn(ask).join().unwrap();
        assert_eq!(count.get(), 1);
        judging(ask);
        assert_eq!(count.get(), 12);
        ask();
        assert_eq!(count.get(), 13);
        drop(pace);
        ask();
        assert_eq!(count.get(), 13);
    }

    /// Two small numbers, each larger than one, have no prime as their product.
    fn hard(terms: &mut Terms) -> Vec<Term> {
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let (two, most, prime) = (terms.int(2), terms.int(16), terms.int(251));
        let product = terms.mul(x, y);
        vec![terms.ge(x, two), terms.ge(y, x), terms.eq(product, prime), terms.le(y, most)]
    }

    #[test]
    fn what_takes_longer_than_a_turn_is_asked_again() {
        let mut terms = Terms::new();
        let formulas = hard(&mut terms);
        let alone = Smt::new(Limits::default()).check(&terms, &formulas);
        let lengths = Rc::new(RefCell::new(Vec::new()));
        let (own, mut length) = (Rc::clone(&lengths), 50);
        let _pace = Pace::new(move |_| {
            length *= 2;
            own.borrow_mut().push(length);
            length
        });
        assert_eq!(Smt::new(Limits::default()).check(&terms, &formulas), alone);
        let turns = lengths.borrow().len();
        assert!(turns > 1);
        // Limits of the query's own hold as before.
        let limits = Limits { resources: Some(1), time: None };
        let answer = Smt::new(limits).check(&terms, &formulas);
        assert_eq!(answer, Answer::Unknown(Reason::Resources));
        assert_eq!(lengths.borrow().len(), turns + 1);
    }
}
