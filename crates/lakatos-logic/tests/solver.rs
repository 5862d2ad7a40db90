//! The in-process solver: answers, cores, models, and that no answer is given in a wrong logic.

use lakatos_logic::smt::z3::Z3;
use lakatos_logic::smt::{Answer, Logic, Smt, Solver};
use lakatos_logic::term::{Sort, Term, Terms, Value};

/// `x > 3`, `x < 3`.
fn contradiction(terms: &mut Terms) -> [Term; 2] {
    let x = terms.symbol("x", Sort::Int);
    let three = terms.int(3);
    [terms.gt(x, three), terms.lt(x, three)]
}

/// Z3 made for bit-vectors answers `sat` to this: such a solver must change before it is asked.
#[test]
fn a_solver_for_another_logic_widens() {
    let mut terms = Terms::new();
    let parts = contradiction(&mut terms);
    for logic in [Logic::QfUf, Logic::QfBv, Logic::QfAufbv, Logic::QfLra] {
        let mut asserted = Z3::new().solver(logic);
        asserted.assert(&terms, parts[0]);
        asserted.push();
        asserted.assert(&terms, parts[1]);
        assert_eq!(asserted.check(&terms, &[]), Answer::Unsat, "{logic:?}");
        asserted.pop(1);
        assert_eq!(asserted.check(&terms, &[]), Answer::Sat, "{logic:?}");
        let mut assumed = Z3::new().solver(logic);
        assert_eq!(assumed.check(&terms, &parts), Answer::Unsat, "{logic:?}");
        assert_eq!(assumed.core(), parts, "{logic:?}");
    }
}

#[test]
fn cores_and_models() {
    let mut terms = Terms::new();
    let mut smt = Smt::default();
    let [more, less] = contradiction(&mut terms);
    let p = terms.symbol("p", Sort::Bool);
    assert_eq!(smt.core(&terms, &[more], &[p, less]), Ok(vec![less]));
    assert_eq!(smt.core(&terms, &[more], &[p]), Err(Answer::Sat));
    let x = terms.symbol("x", Sort::Int);
    let four = terms.int(4);
    let bound = terms.le(x, four);
    let (answer, model) = smt.model(&terms, &[more, bound]);
    assert_eq!(answer, Answer::Sat);
    let x = terms.as_symbol(x).unwrap();
    assert_eq!(model.unwrap().symbols[&x], Value::Int(4.into()));
    assert_eq!(smt.refute(&mut terms, &[less], bound), Answer::Unsat);
}
