//! The solver in process when it does not know: limits and their reasons, and what can be asked
//! afterwards.

mod hard;

use std::time::{Duration, Instant};

use lakatos_logic::smt::z3::{Z3, Z3Solver};
use lakatos_logic::smt::{Answer, Limits, Logic, Reason, Smt, Solver};
use lakatos_logic::term::{Sort, Term, Terms};

const RESOURCES: Limits = Limits { resources: Some(20_000), time: None };
const TIME: Limits = Limits { resources: None, time: Some(Duration::from_millis(20)) };
const BOTH_SHORT_TIME: Limits = Limits { resources: Some(u32::MAX), ..TIME };
const BOTH_FEW_RESOURCES: Limits = Limits { time: Some(Duration::from_secs(100)), ..RESOURCES };

/// `x > 3`, `x < 3`.
fn contradiction(terms: &mut Terms) -> [Term; 2] {
    let x = terms.symbol("x", Sort::Int);
    let three = terms.int(3);
    [terms.gt(x, three), terms.lt(x, three)]
}

/// Z3 says `canceled`, `timeout`, `no reason given` or more, depending on the logic and on what
/// was pushed.
#[test]
fn every_limit_has_its_reason() {
    let mut terms = Terms::new();
    let pigeons = hard::pigeons(&mut terms, 12);
    let cubes = hard::cubes(&mut terms);
    let factors = hard::factors(&mut terms);
    for (logic, formula) in [
        (Logic::QfUf, pigeons),
        (Logic::QfLia, pigeons),
        (Logic::QfNia, cubes),
        (Logic::QfBv, factors),
        (Logic::QfAuflia, pigeons),
        (Logic::All, pigeons),
        (Logic::All, cubes),
    ] {
        for (limits, expect) in [
            (TIME, Reason::Time),
            (BOTH_SHORT_TIME, Reason::Time),
            (RESOURCES, Reason::Resources),
            (BOTH_FEW_RESOURCES, Reason::Resources),
        ] {
            for pushed in [false, true] {
                let mut solver = Z3::new().solver(logic);
                solver.set_limits(limits);
                if pushed {
                    solver.push();
                }
                solver.assert(&terms, formula);
                let answer = solver.check(&terms, &[]);
                let expect = Answer::Unknown(expect.clone());
                assert_eq!(answer, expect, "{logic:?} {limits:?} pushed: {pushed}");
            }
        }
    }
}

fn solvers(terms: &mut Terms) -> Vec<(Z3Solver, Term)> {
    let z3 = Z3::new();
    let (pigeons, cubes) = (hard::pigeons(terms, 12), hard::cubes(terms));
    vec![
        (z3.solver(Logic::QfUf), pigeons),
        (z3.solver(Logic::All), pigeons),
        (z3.solver(Logic::QfNia), cubes),
    ]
}

/// A solver's resources are those of one query, not of its life.
#[test]
fn resources_are_for_each_query() {
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    for (mut solver, hard) in solvers(&mut terms) {
        solver.set_limits(RESOURCES);
        // Much more than a query may use, in total.
        for _ in 0..1500 {
            solver.push();
            solver.assert(&terms, more);
            assert_eq!(solver.check(&terms, &[]), Answer::Sat);
            assert_eq!(solver.check(&terms, &[less]), Answer::Unsat);
            solver.pop(1);
        }
        for _ in 0..2 {
            solver.push();
            solver.assert(&terms, hard);
            assert_eq!(solver.check(&terms, &[]), Answer::Unknown(Reason::Resources));
            solver.pop(1);
            assert_eq!(solver.check(&terms, &[more]), Answer::Sat);
            assert_eq!(solver.check(&terms, &[more, less]), Answer::Unsat);
        }
    }
}

#[test]
fn limits_come_and_go() {
    let mut terms = Terms::new();
    let few = hard::pigeons(&mut terms, 7);
    for (mut solver, hard) in solvers(&mut terms) {
        let tiny = Limits { resources: Some(2_000), time: None };
        for limits in [tiny, TIME, RESOURCES] {
            solver.set_limits(limits);
            solver.push();
            solver.assert(&terms, hard);
            assert!(matches!(solver.check(&terms, &[]), Answer::Unknown(_)));
            solver.pop(1);
        }
        solver.push();
        solver.assert(&terms, few);
        solver.set_limits(tiny);
        assert_eq!(solver.check(&terms, &[]), Answer::Unknown(Reason::Resources));
        solver.set_limits(Limits::default());
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat);
        solver.pop(1);
    }
}

#[test]
fn limits_of_a_pool_hold_for_solvers_that_exist() {
    let mut terms = Terms::new();
    let hard = hard::pigeons(&mut terms, 12);
    let mut smt = Smt::default();
    let easy = hard::pigeons(&mut terms, 3);
    assert_eq!(smt.check(&terms, &[easy]), Answer::Unsat);
    smt.set_limits(RESOURCES);
    assert_eq!(smt.check(&terms, &[hard]), Answer::Unknown(Reason::Resources));
    smt.set_limits(TIME);
    let began = Instant::now();
    assert_eq!(smt.check(&terms, &[hard]), Answer::Unknown(Reason::Time));
    assert!(began.elapsed() < Duration::from_secs(2));
}

/// Nothing to tell: no core, no model, no panic.
#[test]
fn cores_and_models_only_after_their_answer() {
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let hard = hard::pigeons(&mut terms, 12);
    let nothing = |solver: &mut Z3Solver, when: &str| {
        assert_eq!(solver.core(), [], "{when}");
        assert_eq!(solver.model(&terms, &[more]), None, "{when}");
    };
    let mut solver = Z3::new().solver(Logic::All);
    nothing(&mut solver, "at first");
    type Change = fn(&mut Z3Solver, &Terms, Term);
    let changes: [(&str, Change); 4] = [
        ("after an assertion", |solver, terms, more| solver.assert(terms, more)),
        ("after a push", |solver, _, _| solver.push()),
        ("after a pop", |solver, _, _| solver.pop(1)),
        ("after a reset", |solver, _, _| solver.reset()),
    ];
    for (when, change) in changes {
        solver.push();
        assert_eq!(solver.check(&terms, &[more]), Answer::Sat);
        assert!(solver.model(&terms, &[more]).is_some());
        assert_eq!(solver.core(), []);
        change(&mut solver, &terms, more);
        nothing(&mut solver, when);
        solver.reset();
        solver.push();
        assert_eq!(solver.check(&terms, &[more, less]), Answer::Unsat);
        assert_eq!(solver.core(), [more, less]);
        assert_eq!(solver.model(&terms, &[more]), None);
        change(&mut solver, &terms, more);
        nothing(&mut solver, when);
        solver.reset();
    }
    solver.set_limits(RESOURCES);
    solver.push();
    solver.assert(&terms, hard);
    assert_eq!(solver.check(&terms, &[more]), Answer::Unknown(Reason::Resources));
    nothing(&mut solver, "after Unknown");
    solver.pop(1);
    nothing(&mut solver, "after Unknown and a pop");
}

/// Wherever a query ends: what was asserted is still there, nothing else is, and the next answers
/// are right.
#[test]
fn a_limit_at_any_point_does_no_harm() {
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let few = hard::pigeons(&mut terms, 5);
    let p = terms.symbol("p", Sort::Bool);
    let z3 = Z3::new();
    for logic in [Logic::QfLia, Logic::QfUflia, Logic::QfBv, Logic::All] {
        let mut solver = z3.solver(logic);
        // Integers are too much for bits.
        let [one, two] = if logic == Logic::QfBv { [p, terms.not(p)] } else { [more, less] };
        let limits = (1..250).map(|n| Limits { resources: Some(n * 3), time: None });
        let time = |micros| Limits { resources: None, time: Some(Duration::from_micros(micros)) };
        for limits in limits.chain((0..40).map(|n| time(n * 100))) {
            let right = |solver: &mut Z3Solver, assumptions: &[Term], expect: Answer| {
                solver.set_limits(limits);
                match solver.check(&terms, assumptions) {
                    Answer::Unknown(Reason::Time | Reason::Resources) => {}
                    answer => assert_eq!(answer, expect, "{logic:?} {limits:?}"),
                }
                solver.set_limits(Limits::default());
                assert_eq!(solver.check(&terms, assumptions), expect, "{logic:?} {limits:?}");
            };
            solver.push();
            solver.assert(&terms, one);
            right(&mut solver, &[two], Answer::Unsat);
            right(&mut solver, &[], Answer::Sat);
            solver.push();
            solver.assert(&terms, two);
            right(&mut solver, &[], Answer::Unsat);
            solver.pop(1);
            right(&mut solver, &[one], Answer::Sat);
            solver.assert(&terms, few);
            right(&mut solver, &[], Answer::Unsat);
            solver.pop(1);
            right(&mut solver, &[two], Answer::Sat);
        }
    }
}
