//! Cancellation of the solver in process, from other threads, at any moment. An interrupt at the
//! wrong one makes Z3 lose assertions: whatever happens, no wrong answer may come of it.

#[allow(dead_code, reason = "shared with other tests")]
mod hard;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use lakatos_logic::interpolate::{Failure, Interpolator, Problem, Strategy};
use lakatos_logic::smt::z3::Z3;
use lakatos_logic::smt::{Answer, Cancel, Logic, Reason, Smt, Solver};
use lakatos_logic::term::{Sort, Term, Terms};

const CANCELLED: Answer = Answer::Unknown(Reason::Cancelled);

fn dice(state: &mut u64, sides: u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) % sides
}

/// Small questions whose answers are known.
struct Stream {
    terms: Terms,
    x: Term,
    y: Term,
    p: Term,
    answered: u32,
    cancelled: u32,
}

impl Stream {
    fn new() -> Stream {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let p = terms.symbol("p", Sort::Bool);
        Stream { terms, x, y, p, answered: 0, cancelled: 0 }
    }

    /// `x = n`, `y = x + 1`, `y <= n`.
    fn parts(&mut self, n: i64) -> [Term; 3] {
        let terms = &mut self.terms;
        let (number, one) = (terms.int(n), terms.int(1));
        let next = terms.add(self.x, one);
        [terms.eq(self.x, number), terms.eq(self.y, next), terms.le(self.y, number)]
    }

    fn count(&mut self, answer: Answer, expect: Answer) {
        match answer {
            CANCELLED => self.cancelled += 1,
            answer => {
                assert_eq!(answer, expect);
                self.answered += 1;
            }
        }
    }

    /// Through a pool: answers, a core and a model.
    fn ask(&mut self, smt: &mut Smt, n: i64) {
        let [is, next, below] = self.parts(n);
        // First what is `Sat` if an assertion is lost.
        let answer = smt.check(&self.terms, &[is, next, below]);
        self.count(answer, Answer::Unsat);
        let answer = smt.check(&self.terms, &[is, next]);
        self.count(answer, Answer::Sat);
        match smt.core(&self.terms, &[is], &[self.p, below, next]) {
            Err(answer) => self.count(answer, Answer::Unsat),
            // All of them where the interrupt came between the answer and the core.
            Ok(core) => assert!(core.contains(&below) && core.contains(&next), "{core:?}"),
        }
        let (answer, model) = smt.model(&self.terms, &[is, next]);
        if let Some(model) = model {
            for formula in [is, next] {
                assert_eq!(self.terms.holds(formula, &model), Some(true));
            }
        }
        self.count(answer, Answer::Sat);
    }

    /// Through one solver with levels.
    fn climb(&mut self, solver: &mut impl Solver, n: i64) {
        let [is, next, below] = self.parts(n);
        solver.push();
        solver.assert(&self.terms, is);
        solver.push();
        solver.assert(&self.terms, below);
        let answer = solver.check(&self.terms, &[next]);
        self.count(answer, Answer::Unsat);
        let answer = solver.check(&self.terms, &[]);
        self.count(answer, Answer::Sat);
        solver.pop(1);
        let answer = solver.check(&self.terms, &[next]);
        self.count(answer, Answer::Sat);
        solver.assert(&self.terms, next);
        let answer = solver.check(&self.terms, &[below]);
        self.count(answer, Answer::Unsat);
        solver.pop(1);
        let answer = solver.check(&self.terms, &[is, below, next]);
        self.count(answer, Answer::Unsat);
    }
}

/// Cancels whatever it is given, after a while that is short and never the same.
fn canceller(handles: Receiver<Cancel>, seed: u64) {
    let mut state = seed;
    for handle in handles {
        let longest = if dice(&mut state, 2) == 0 { 1_000_000 } else { 30_000_000 };
        let pause = Duration::from_nanos(dice(&mut state, longest));
        let began = Instant::now();
        // Sleeping is too coarse.
        while began.elapsed() < pause {
            std::hint::spin_loop();
        }
        for _ in 0..=dice(&mut state, 3) {
            handle.cancel();
        }
    }
}

#[test]
fn a_stream_of_questions_under_fire() {
    let (send, handles) = mpsc::channel();
    let firing = thread::spawn(move || canceller(handles, 1));
    let mut stream = Stream::new();
    let mut n = 0;
    // Sessions that were cancelled live on beside those that work.
    let mut old: Vec<Smt> = Vec::new();
    for session in 0..60 {
        let mut smt = Smt::default();
        let mut solver = smt.z3().solver(Logic::QfLia);
        for n in 0..session % 4 {
            stream.ask(&mut smt, n);
        }
        send.send(smt.cancel_handle()).unwrap();
        while !smt.cancel_handle().is_cancelled() {
            n += 1;
            stream.ask(&mut smt, n);
            stream.climb(&mut solver, n);
        }
        let before = stream.answered;
        stream.ask(&mut smt, n);
        stream.climb(&mut solver, n);
        assert_eq!(stream.answered, before, "cancelled for good");
        old.push(smt);
        old.drain(..old.len().saturating_sub(3));
        for smt in &mut old {
            assert_eq!(smt.check(&stream.terms, &[stream.p]), CANCELLED);
            smt.cancel_handle().cancel();
        }
    }
    drop(send);
    firing.join().unwrap();
    assert!(stream.answered > 90 && stream.cancelled > 60 * 8);
}

/// The same with sessions that are interrupted while they translate, and by two at once.
#[test]
fn two_threads_fire() {
    let (send, handles) = mpsc::channel();
    let (send_too, handles_too) = mpsc::channel();
    let firing = [
        thread::spawn(move || canceller(handles, 2)),
        thread::spawn(move || canceller(handles_too, 3)),
    ];
    let mut n = 0;
    for _ in 0..40 {
        let mut stream = Stream::new();
        let mut smt = Smt::default();
        send.send(smt.cancel_handle()).unwrap();
        send_too.send(smt.cancel_handle()).unwrap();
        while !smt.cancel_handle().is_cancelled() {
            n += 1;
            stream.ask(&mut smt, n);
        }
    }
    drop((send, send_too));
    for thread in firing {
        thread.join().unwrap();
    }
}

#[test]
fn before_between_and_repeatedly() {
    let mut stream = Stream::new();
    for _ in 0..20 {
        let cancelled = stream.cancelled;
        let mut before = Smt::default();
        before.cancel_handle().cancel();
        assert_eq!(before.check(&stream.terms, &[stream.p]), CANCELLED);
        let mut between = Smt::default();
        stream.ask(&mut between, 4);
        for _ in 0..3 {
            between.cancel_handle().cancel();
            before.cancel_handle().cancel();
            assert_eq!(between.check(&stream.terms, &[stream.p]), CANCELLED);
        }
        let mut new = Smt::default();
        stream.ask(&mut new, 5);
        assert_eq!(stream.cancelled, cancelled, "new sessions are not cancelled");
        // Its cancellation is nobody else's.
        before.cancel_handle().cancel();
        stream.ask(&mut new, 6);
        assert_eq!(stream.cancelled, cancelled);
    }
}

#[test]
fn other_threads_are_not_cancelled() {
    let running = AtomicBool::new(true);
    thread::scope(|scope| {
        scope.spawn(|| {
            while running.load(Ordering::SeqCst) {
                Smt::default().cancel_handle().cancel();
            }
        });
        let mut stream = Stream::new();
        let mut smt = Smt::default();
        (0..100).for_each(|n| stream.ask(&mut smt, n));
        running.store(false, Ordering::SeqCst);
        assert_eq!(stream.cancelled, 0);
    });
}

/// Late shots at sessions that are over hit nobody.
#[test]
fn sessions_that_are_over() {
    let mut stream = Stream::new();
    for n in 0..10 {
        let over = Smt::default().cancel_handle();
        let mut smt = Smt::default();
        over.cancel();
        assert!(over.is_cancelled());
        stream.ask(&mut smt, n);
    }
    assert_eq!(stream.cancelled, 0);
}

/// A handle outlives its thread.
#[test]
fn a_handle_of_a_thread_that_is_gone() {
    let handle = thread::spawn(|| Smt::default().cancel_handle()).join().unwrap();
    handle.cancel();
    assert!(handle.is_cancelled());
}

#[test]
fn a_hard_question_ends_at_once() {
    let mut terms = Terms::new();
    let formulas =
        [hard::pigeons(&mut terms, 12), hard::cubes(&mut terms), hard::factors(&mut terms)];
    for formula in formulas {
        let mut smt = Smt::default();
        let handle = smt.cancel_handle();
        let firing = thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            handle.cancel();
        });
        let began = Instant::now();
        assert_eq!(smt.check(&terms, &[formula]), CANCELLED);
        assert!(began.elapsed() < Duration::from_secs(5));
        firing.join().unwrap();
    }
}

/// All assumptions where the solver cannot say which: never too few.
#[test]
fn the_core_of_a_cancelled_solver() {
    let mut stream = Stream::new();
    let [is, next, below] = stream.parts(5);
    let z3 = Z3::new();
    let mut solver = z3.solver(Logic::QfLia);
    assert_eq!(solver.check(&stream.terms, &[stream.p, is, next, below]), Answer::Unsat);
    z3.cancel_handle().cancel();
    assert_eq!(solver.core(), [stream.p, is, next, below]);
    assert_eq!(solver.check(&stream.terms, &[]), CANCELLED);
    assert_eq!(solver.core(), []);
}

#[test]
fn interpolation_under_fire() {
    let (send, handles) = mpsc::channel();
    let firing = thread::spawn(move || canceller(handles, 4));
    let mut stream = Stream::new();
    let parts = stream.parts(7);
    let problem = Problem::sequence(&parts);
    let (mut found, mut cancelled) = (0, 0);
    for round in 0..20 {
        for strategy in [Strategy::Farkas, Strategy::Spacer, Strategy::Newton] {
            let mut smt = Smt::default();
            if round % 3 > 0 {
                send.send(smt.cancel_handle()).unwrap();
            }
            let mut interpolator = Interpolator::new(&mut smt);
            let result = interpolator.interpolate(&mut stream.terms, &problem, strategy);
            drop(smt);
            match result {
                Ok(interpolants) => {
                    found += 1;
                    // Checked again by a session that nobody cancels.
                    check_sequence(&mut stream.terms, &parts, &interpolants);
                }
                Err(Failure::Unknown(Reason::Cancelled)) => cancelled += 1,
                Err(other) => panic!("{strategy}: {other}"),
            }
        }
    }
    drop(send);
    firing.join().unwrap();
    assert!(found >= 20, "{found} found, {cancelled} cancelled");
}

fn check_sequence(terms: &mut Terms, parts: &[Term], interpolants: &[Term]) {
    let mut smt = Smt::default();
    let mut before = Term::TRUE;
    for (at, part) in parts.iter().enumerate() {
        let after = interpolants.get(at).copied().unwrap_or(Term::FALSE);
        assert_eq!(smt.refute(terms, &[before, *part], after), Answer::Unsat);
        before = after;
    }
}
