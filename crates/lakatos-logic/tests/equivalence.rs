//! Terms against Z3: what the constructors make of a random expression is equivalent to the
//! expression as it was written, and the ways to Z3 (text, translation, models) say the same.

mod common;

use std::cell::Cell;

use common::generate::Choices;
use common::{Ast, Kind, text};
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::Terms;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use z3::{Params, SatResult, Solver};

const DEPTH: u32 = 4;
/// Z3's own measure: some thousandths of a second.
const RESOURCES: u32 = 100_000;

/// Runs `check` on bytes; it says whether Z3 had an answer, and most times it has to.
fn run(cases: u32, length: usize, check: impl Fn(&[u8]) -> bool) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let answered = Cell::new(0);
    let strategy = prop::collection::vec(any::<u8>(), 0..length);
    let result = TestRunner::new(config).run(&strategy, |bytes| {
        answered.set(answered.get() + u32::from(check(&bytes)));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(answered.get() > cases * 9 / 10, "only {} answers", answered.get());
}

fn solver() -> Solver {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", RESOURCES);
    solver.set_params(&params);
    solver
}

/// Whether the text holds for some values.
fn ask(solver: &Solver, script: &str) -> SatResult {
    // A solver remembers declarations for good, so each text has its own.
    let reader = Solver::new();
    reader.from_string(script);
    let read = reader.get_assertions();
    assert!(!read.is_empty(), "Z3 does not read\n{script}");
    solver.push();
    for formula in &read {
        solver.assert(formula);
    }
    let answer = solver.check();
    solver.pop(1);
    answer
}

#[test]
fn terms_are_what_they_were_made_from() {
    let solver = solver();
    run(10_000, 80, |bytes| {
        let mut choices = Choices::linear(bytes);
        let kind = choices.kind();
        let ast = choices.ast(kind, DEPTH);
        let mut terms = Terms::new();
        let term = ast.build(&mut terms);
        let (simplified, raw) = (terms.smtlib(term), text::render(&ast));
        let declarations = text::declarations(&ast.variables());
        let script = format!("{declarations}(assert (distinct {simplified} {raw}))");
        let answer = ask(&solver, &script);
        assert_ne!(answer, SatResult::Sat, "{script}");
        answer == SatResult::Unsat
    });
}

/// The translation in process finds what the text of the expression has, and its models are
/// models for the evaluation of terms.
#[test]
fn answers_and_models_agree() {
    let solver = solver();
    run(2_000, 80, |bytes| {
        let ast = Choices::linear(bytes).ast(Kind::Bool, DEPTH);
        let mut terms = Terms::new();
        let term = ast.build(&mut terms);
        let mut smt = Smt::new(Limits { resources: Some(RESOURCES), time: None });
        let (answer, model) = smt.model(&terms, &[term]);
        if let Some(model) = model {
            let value = terms.holds(term, &model);
            assert_ne!(value, Some(false), "{model:?} of {}", terms.display(term));
        }
        let expect = ask(&solver, &script_of(&ast));
        match (&answer, expect) {
            (Answer::Unknown(_), _) | (_, SatResult::Unknown) => false,
            (Answer::Sat, SatResult::Sat) | (Answer::Unsat, SatResult::Unsat) => true,
            _ => panic!("{answer:?}, but {expect:?} for\n{}", script_of(&ast)),
        }
    });
}

fn script_of(ast: &Ast) -> String {
    format!("{}(assert {})", text::declarations(&ast.variables()), text::render(ast))
}
