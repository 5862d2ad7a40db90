//! The Z3 library is linked, is found when a test runs, and answers.

use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

use z3::ast::Int;
use z3::{Context, Params, SatResult, Solver};

#[test]
fn the_version_is_supported() {
    let version = lakatos_logic::z3_version();
    // `Z3_LIB_DIR` may provide another one than the build downloads.
    assert!(version.starts_with("5."), "{version}");
}

#[test]
fn unsat_and_sat() {
    let x = Int::new_const("x");
    let solver = Solver::new();
    solver.assert(x.gt(0));
    assert_eq!(solver.check(), SatResult::Sat);
    solver.assert((&x + &x).eq(1));
    assert_eq!(solver.check(), SatResult::Unsat);
}

#[test]
fn rlimit_ends_a_check_and_the_solver_lives_on() {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", 20_000);
    solver.set_params(&params);
    ends_with_unknown(&solver);
    still_answers(&solver);
}

/// An interrupt that arrives between two checks makes Z3 5.4.0 lose what is asserted next, and
/// later answers are wrong, in both directions. A check clears it: hence the scratch solver.
#[test]
fn an_interrupt_ends_a_check_and_the_solver_lives_on() {
    let solver = Solver::new();
    let context = Context::thread_local();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    // Before the first interrupt: one that arrives while a term is made is an error of the API.
    assert_hard_question(&solver);
    let answer = thread::scope(|scope| {
        let handle = context.handle();
        scope.spawn(move || {
            // Again and again: one that arrives before the check has begun is lost.
            while wait.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
                handle.interrupt();
            }
        });
        let answer = solver.check();
        drop(done);
        answer
    });
    assert_eq!(answer, SatResult::Unknown);
    context.interrupt(); // as one that comes too late would
    Solver::new().check();
    still_answers(&solver);
}

/// Three cubes that sum up to 114: nobody knows whether there are such numbers.
fn assert_hard_question(solver: &Solver) {
    let [x, y, z] = ["x", "y", "z"].map(Int::new_const);
    let cube = |n: &Int| Int::mul(&[n, n, n]);
    solver.push();
    solver.assert((cube(&x) + cube(&y) + cube(&z)).eq(114));
}

fn ends_with_unknown(solver: &Solver) {
    assert_hard_question(solver);
    assert_eq!(solver.check(), SatResult::Unknown);
}

/// Leaves the scope of [`assert_hard_question`].
fn still_answers(solver: &Solver) {
    solver.pop(1);
    let x = Int::new_const("x");
    solver.push();
    solver.assert(x.gt(3));
    assert_eq!(solver.check(), SatResult::Sat);
    solver.assert(x.lt(3));
    assert_eq!(solver.check(), SatResult::Unsat);
}
