//! The memory that Z3 may use: one limit for the whole process, as Z3 has it.
//!
//! What Z3 5.4 does at the limit, by experiment: whatever needs more fails, and the calls that
//! fail without a word are the dangerous ones. An assertion or a `push` is lost, and the next
//! check answers `sat` or `unsat` to another question. So nobody may believe a solver that was
//! alive when memory ran out. That it did can be seen afterwards: Z3 throws when the memory in
//! use, which it looks at every hundred kilobytes, is above the limit, and by then it has counted
//! it into the peak that its statistics tell.
//!
//! Where the system limits memory, an allocation of Z3 can fail below Z3's own limit, and nothing
//! tells. The caller that sets the limit says how to find out ([`tell_shortage`]): from the moment
//! at which the system may have refused memory, no query is answered any more.
//!
//! Queries end well before, at three quarters of the limit, without any harm.

use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use z3::StatisticsValue;

use super::catch::caught;

/// In megabytes; zero: none.
static LIMIT: AtomicU32 = AtomicU32::new(0);
/// How often a limit was changed after memory had run out.
static GENERATION: AtomicU32 = AtomicU32::new(0);
static CHANGE: Mutex<()> = Mutex::new(());
/// Whether the system may have refused memory to this process.
static SHORTAGE: OnceLock<fn() -> bool> = OnceLock::new();

thread_local! {
    /// The generation in which this thread began to use Z3.
    static BORN: u32 = GENERATION.load(Ordering::SeqCst);
    /// This thread was alive when memory ran out.
    static OUT: Cell<bool> = const { Cell::new(false) };
    /// A solver that only tells statistics.
    static GAUGE: OnceCell<z3::Solver> = const { OnceCell::new() };
}

/// Limits the memory that Z3 uses in all threads of this process together; `None`: no limit.
/// Meant to be set once, before Z3 is used.
///
/// A query that needs more than three quarters of it ends with
/// [`Reason::Memory`](crate::smt::Reason::Memory); so does every later one while Z3 keeps that
/// memory, which it does for as long as the thread lives. If all of it is used nevertheless, no
/// query is answered in this process any more, until the limit is raised (or lifted) and then in
/// new threads only.
pub fn set_memory_limit(megabytes: Option<u32>) {
    let _change = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    if is_out() {
        GENERATION.fetch_add(1, Ordering::SeqCst);
    }
    let (old, new) = (LIMIT.load(Ordering::SeqCst), megabytes.unwrap_or(0));
    // Never a moment at which Z3's own limit is the lower one.
    let lower = [old, new].into_iter().filter(|limit| *limit > 0).min().unwrap_or(0);
    LIMIT.store(lower, Ordering::SeqCst);
    z3::set_global_param("memory_high_watermark_mb", &watermark(new).to_string());
    z3::set_global_param("memory_max_size", &new.to_string());
    LIMIT.store(new, Ordering::SeqCst);
}

/// From now on `probe` is asked, at every query, whether the system may have refused memory to this
/// process at some time. It must not change from true to false. Only the first call counts.
pub fn tell_shortage(probe: fn() -> bool) {
    let _ = SHORTAGE.set(probe);
}

/// Whether memory ran out since this thread began to use Z3: nothing from before is to be
/// believed.
pub(super) fn is_out() -> bool {
    let out = OUT.get()
        || BORN.with(|born| *born != GENERATION.load(Ordering::SeqCst))
        || at_limit()
        || SHORTAGE.get().is_some_and(|probe| probe());
    OUT.set(out);
    out
}

/// Where queries end.
fn watermark(limit: u32) -> u32 {
    limit - limit / 4
}

/// Whether a query would end for want of memory now.
pub(super) fn is_scarce() -> bool {
    match LIMIT.load(Ordering::SeqCst) {
        0 => false,
        limit => statistic("memory").is_none_or(|used| used >= f64::from(watermark(limit))),
    }
}

fn at_limit() -> bool {
    match LIMIT.load(Ordering::SeqCst) {
        0 => false,
        limit => statistic("max memory").is_none_or(|peak| peak >= f64::from(limit)),
    }
}

/// Z3's count of work in this thread, as [`Limits::resources`](crate::smt::Limits::resources) has it;
/// it begins anew after the largest number. `None`: Z3 has no memory left to tell.
pub fn work_done() -> Option<u32> {
    statistic("rlimit count").map(|count| count as u32)
}

/// `None`: Z3 has no memory left to tell.
fn statistic(key: &str) -> Option<f64> {
    let value = caught(|| {
        GAUGE.with(|gauge| gauge.get_or_init(z3::Solver::new).get_statistics().value(key))
    });
    match value.ok()?? {
        StatisticsValue::Double(value) => Some(value),
        StatisticsValue::UInt(value) => Some(f64::from(value)),
    }
}
