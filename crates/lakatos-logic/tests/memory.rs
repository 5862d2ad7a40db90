//! What happens when Z3 has no memory left. Z3's limit is one of the process, and what comes after
//! its end is another life: every scenario runs in a process of its own.

#[allow(dead_code, reason = "shared with other tests")]
mod hard;

use std::process::Command;
use std::{env, thread};

use lakatos_logic::interpolate::{Failure, Interpolator, Problem, Strategy};
use lakatos_logic::smt::z3::{Z3, set_memory_limit};
use lakatos_logic::smt::{Answer, Limits, Logic, Reason, Smt, Solver};
use lakatos_logic::term::{BvBinary, Sort, Term, Terms};

const MEMORY: Answer = Answer::Unknown(Reason::Memory);

type Scenario = (&'static str, fn(megabytes: u32));

const SCENARIOS: [Scenario; 9] = [
    ("a large query", large_query),
    ("a large term", large_term),
    ("many small assertions", small_assertions),
    ("between questions", between_questions),
    ("in other threads", other_threads),
    ("raised afterwards", raised_afterwards),
    ("no memory from the start", from_the_start),
    ("Spacer", |megabytes| interpolation(Strategy::Spacer, megabytes)),
    ("Newton", |megabytes| interpolation(Strategy::Newton, megabytes)),
];

/// Limits in megabytes for those that look for trouble; a context takes 17.
const LIMITS: [u32; 3] = [19, 24, 32];

#[test]
fn every_scenario_in_its_own_process() {
    if let Ok(wanted) = env::var("SCENARIO") {
        let (name, megabytes) = wanted.split_once(':').unwrap();
        let (_, scenario) = SCENARIOS.iter().find(|(n, _)| *n == name).unwrap();
        return scenario(megabytes.parse().unwrap());
    }
    let mut failures = String::new();
    for (name, _) in SCENARIOS {
        let limits: &[u32] = match name {
            "many small assertions" | "Spacer" | "Newton" => &LIMITS,
            _ => &[64],
        };
        for megabytes in limits {
            let output = Command::new(env::current_exe().unwrap())
                .args(["--exact", "every_scenario_in_its_own_process", "--nocapture"])
                .env("SCENARIO", format!("{name}:{megabytes}"))
                .output()
                .unwrap();
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                failures += &format!("{name}, {megabytes} MB: {}\n{said}\n", output.status);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// `x > 3`, `x < 3`.
fn contradiction(terms: &mut Terms) -> [Term; 2] {
    let x = terms.symbol("x", Sort::Int);
    let three = terms.int(3);
    [terms.gt(x, three), terms.lt(x, three)]
}

fn one_of(answer: &Answer, expect: Answer) {
    assert!(*answer == expect || *answer == MEMORY, "{answer:?} instead of {expect:?}");
}

/// Z3 gives up by itself; nobody is harmed.
fn large_query(megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::BitVec(600)));
    let product = terms.bv_binary(BvBinary::Mul, a, b);
    let value = terms.bv(12_345_678_910_111_213u64, 600);
    let formula = terms.eq(product, value);
    let [more, less] = contradiction(&mut terms);
    let mut smt = Smt::default();
    assert_eq!(smt.check(&terms, &[formula]), MEMORY);
    one_of(&smt.check(&terms, &[more]), Answer::Sat);
    one_of(&smt.check(&terms, &[more, less]), Answer::Unsat);
    // Another thread begins with an empty context.
    thread::spawn(move || {
        let mut smt = Smt::default();
        one_of(&smt.check(&terms, &[more, less]), Answer::Unsat);
        one_of(&smt.check(&terms, &[more]), Answer::Sat);
    })
    .join()
    .unwrap();
}

/// A sum of so many symbols.
fn sum(terms: &mut Terms, length: usize) -> Term {
    let symbols: Vec<Term> =
        (0..length).map(|i| terms.symbol(&format!("a_long_name_{i}"), Sort::Int)).collect();
    let sum = terms.add_all(symbols, Sort::Int);
    let zero = terms.int(0);
    terms.le(sum, zero)
}

/// There is no memory for its translation.
fn large_term(megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let large = sum(&mut terms, 100_000);
    let [more, less] = contradiction(&mut terms);
    let z3 = Z3::new();
    let mut solver = z3.solver(Logic::QfLia);
    assert_eq!(solver.check(&terms, &[more, less]), Answer::Unsat);
    solver.push();
    solver.assert(&terms, large);
    assert_eq!(solver.check(&terms, &[]), MEMORY);
    assert_eq!(solver.check(&terms, &[large]), MEMORY);
    assert_eq!(solver.core(), []);
    assert_eq!(solver.model(&terms, &[large]), None);
    solver.pop(1);
    assert_eq!(solver.check(&terms, &[more, less]), MEMORY);
    solver.reset();
    solver.set_limits(Limits { resources: Some(1000), time: None });
    assert_eq!(solver.check(&terms, &[]), MEMORY);
    let mut other = z3.solver(Logic::All);
    other.assert(&terms, more);
    assert_eq!(other.check(&terms, &[]), MEMORY);
    assert_eq!(Smt::default().check(&terms, &[more]), MEMORY);
}

/// Without any doubt of its own Z3 loses one, and answers: never believe it.
fn small_assertions(megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let mut solver = Z3::new().solver(Logic::QfLia);
    solver.assert(&terms, more);
    let mut all: Vec<Term> = Vec::new();
    let (mut answered, mut out) = (0, 0);
    let mut smt = Smt::default();
    for round in 0..20_000 {
        let symbol = terms.symbol(&format!("{}_{round}", "long_name".repeat(50)), Sort::Int);
        let number = terms.int(round);
        let fact = terms.ge(symbol, number);
        all.push(fact);
        solver.push();
        solver.assert(&terms, fact);
        let sat = solver.check(&terms, &[]);
        solver.push();
        solver.assert(&terms, less);
        let unsat = solver.check(&terms, &[]);
        solver.pop(2);
        let pooled = smt.check(&terms, &[more, fact, less]);
        for (answer, expect) in
            [(sat, Answer::Sat), (unsat, Answer::Unsat), (pooled, Answer::Unsat)]
        {
            one_of(&answer, expect);
            match answer {
                MEMORY => out += 1,
                _ => answered += 1,
            }
        }
        if round % 1000 == 0 {
            smt = Smt::default();
        }
        if out > 100 {
            break;
        }
    }
    assert!(out > 0, "{answered} answers, never out of memory");
}

/// The end comes while a model, a core or nothing is asked for.
fn between_questions(megabytes: u32) {
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let p = terms.symbol("p", Sort::Bool);
    set_memory_limit(Some(megabytes));
    let z3 = Z3::new();
    let [mut sat, mut unsat, mut idle] =
        [Logic::QfLia, Logic::All, Logic::QfLia].map(|l| z3.solver(l));
    assert_eq!(sat.check(&terms, &[more]), Answer::Sat);
    assert_eq!(unsat.check(&terms, &[p, more, less]), Answer::Unsat);
    set_memory_limit(Some(1));
    assert_eq!(sat.model(&terms, &[more]), None);
    // All of them: the solver cannot say which.
    assert_eq!(unsat.core(), [p, more, less]);
    idle.push();
    idle.assert(&terms, less);
    assert_eq!(idle.check(&terms, &[more]), MEMORY);
    idle.pop(1);
    assert_eq!(z3.solver(Logic::QfBv).check(&terms, &[p]), MEMORY);
    let mut smt = Smt::default();
    assert_eq!(smt.check(&terms, &[p]), MEMORY);
    assert_eq!(smt.core(&terms, &[more], &[less]), Err(MEMORY));
    assert_eq!(smt.model(&terms, &[more]), (MEMORY, None));
}

/// The process has no memory left: nobody is believed, however little they need.
fn other_threads(megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let mut smt = Smt::default();
    assert_eq!(smt.check(&terms, &[more, less]), Answer::Unsat);
    thread::spawn(|| {
        let mut terms = Terms::new();
        let large = sum(&mut terms, 100_000);
        assert_eq!(Smt::default().check(&terms, &[large]), MEMORY);
    })
    .join()
    .unwrap();
    assert_eq!(smt.check(&terms, &[more, less]), MEMORY);
    let new = thread::spawn(move || Smt::default().check(&terms, &[more, less]));
    assert_eq!(new.join().unwrap(), MEMORY);
}

/// New threads may start again; what was there when memory ran out may not.
fn raised_afterwards(megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let large = sum(&mut terms, 100_000);
    let mut smt = Smt::default();
    assert_eq!(smt.check(&terms, &[large]), MEMORY);
    for limit in [Some(2000), None] {
        set_memory_limit(limit);
        assert_eq!(smt.check(&terms, &[more]), MEMORY);
        assert_eq!(Smt::default().check(&terms, &[more]), MEMORY);
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut smt = Smt::default();
                assert_eq!(smt.check(&terms, &[more, less]), Answer::Unsat);
                assert_eq!(smt.check(&terms, &[more]), Answer::Sat);
            });
        });
    }
}

/// Not even for a context.
fn from_the_start(_: u32) {
    set_memory_limit(Some(1));
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let mut smt = Smt::default();
    assert_eq!(smt.check(&terms, &[more, less]), MEMORY);
    smt.cancel_handle().cancel();
    let mut solver = smt.fresh(&terms, &[more]);
    solver.push();
    solver.assert(&terms, more);
    assert_ne!(solver.check(&terms, &[]), Answer::Sat);
    solver.pop(1);
}

/// Steps that count two variables up by two, many times, and do not become equal to an odd number.
fn interpolation(strategy: Strategy, megabytes: u32) {
    set_memory_limit(Some(megabytes));
    let mut terms = Terms::new();
    let mut var = |name: &str, at: usize| terms.symbol(&format!("{name}@{at}"), Sort::Int);
    let xs: Vec<Term> = (0..=8).map(|at| var("x", at)).collect();
    let ys: Vec<Term> = (0..=8).map(|at| var("y", at)).collect();
    let (zero, two, seven) = (terms.int(0), terms.int(2), terms.int(7));
    let starts = [terms.eq(xs[0], zero), terms.eq(ys[0], zero)];
    let mut steps = vec![terms.and(starts)];
    for at in 1..=8 {
        let next = [terms.add(xs[at - 1], two), terms.add(ys[at - 1], two)];
        let both = [terms.eq(xs[at], next[0]), terms.eq(ys[at], next[1])];
        let stays = [terms.eq(xs[at], xs[at - 1]), terms.eq(ys[at], next[1])];
        let choice = [terms.and(both), terms.and(stays)];
        steps.push(terms.or(choice));
    }
    let end = terms.add(xs[8], ys[8]);
    let sum = terms.eq(end, seven);
    steps.push(sum);
    let problem = Problem::sequence(&steps);
    for _ in 0..5 {
        let mut smt = Smt::default();
        let mut interpolator = Interpolator::new(&mut smt);
        match interpolator.interpolate(&mut terms, &problem, strategy) {
            Ok(interpolants) => assert_eq!(interpolants.len(), steps.len() - 1),
            Err(Failure::Unknown(reason)) => assert_eq!(reason, Reason::Memory),
            Err(Failure::NotFound(_)) => {}
            Err(Failure::Satisfiable) => panic!("a wrong answer"),
        }
    }
}
