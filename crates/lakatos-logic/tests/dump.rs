//! Queries as files: numbered, complete, with their answers, and read by other solvers.

#[allow(dead_code, reason = "shared with other tests")]
mod hard;

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use lakatos_logic::smt::{Answer, Limits, Smt, Solver};
use lakatos_logic::term::{Sort, Term, Terms};

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The text of a query, whatever the version of Z3.
fn check(folder: &Path, number: u32, expect: Expect) {
    let text = fs::read_to_string(folder.join(format!("query-{number:06}.smt2"))).unwrap();
    expect.assert_eq(&text.replace(lakatos_logic::z3_version(), "VERSION"));
}

/// `x > 3`, `x < 3`.
fn contradiction(terms: &mut Terms) -> [Term; 2] {
    let x = terms.symbol("x", Sort::Int);
    let three = terms.int(3);
    [terms.gt(x, three), terms.lt(x, three)]
}

#[test]
fn every_query_of_a_pool() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("new/folder");
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let p = terms.symbol("p", Sort::Bool);
    let mut smt = Smt::default();
    // Not written, but its solver lives on.
    assert_eq!(smt.check(&terms, &[more]), Answer::Sat);
    smt.dump_to(into.clone());
    assert_eq!(smt.check(&terms, &[more]), Answer::Sat);
    assert_eq!(smt.core(&terms, &[more], &[p, less]), Ok(vec![less]));
    let mut solver = smt.fresh(&terms, &[more]);
    solver.assert(&terms, more);
    solver.push();
    solver.assert_any(&mut terms, &[less, p]);
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    solver.pop(1);
    solver.reset();
    assert_eq!(solver.check(&terms, &[less]), Answer::Sat);
    smt.set_limits(Limits { resources: Some(20_000), time: None });
    let hard = hard::pigeons(&mut terms, 12);
    assert!(matches!(smt.check(&terms, &[hard]), Answer::Unknown(_)));
    assert!(smt.take_dump_error().is_none());
    let names: Vec<String> = (1..=5).map(|n| format!("query-{n:06}.smt2")).collect();
    assert_eq!(files(&into), names);
    check(
        &into,
        1,
        expect![[r#"
        ; Lakatos, query 1, QF_LIA
        ; answer: sat (Z3 VERSION)
        (set-info :status sat)
        (set-logic QF_LIA)
        (declare-fun x () Int)
        (assert (<= (+ (- x) 4) 0))
        (check-sat)
    "#]],
    );
    check(
        &into,
        2,
        expect![[r#"
        ; Lakatos, query 2, QF_LIA
        ; answer: unsat (Z3 VERSION)
        (set-info :status unsat)
        (set-logic QF_LIA)
        (declare-fun x () Int)
        (assert (<= (+ (- x) 4) 0))
        ; assumptions
        (declare-fun p () Bool)
        (assert p)
        (assert (<= (+ x (- 2)) 0))
        (check-sat)
    "#]],
    );
    check(
        &into,
        3,
        expect![[r#"
        ; Lakatos, query 3, QF_LIA
        ; answer: sat (Z3 VERSION)
        (set-info :status sat)
        (set-logic QF_LIA)
        (declare-fun x () Int)
        (assert (<= (+ (- x) 4) 0))
        (declare-fun p () Bool)
        (assert (or (<= (+ x (- 2)) 0) p))
        (check-sat)
    "#]],
    );
    check(
        &into,
        4,
        expect![[r#"
        ; Lakatos, query 4, QF_LIA
        ; answer: sat (Z3 VERSION)
        (set-info :status sat)
        (set-logic QF_LIA)
        ; assumptions
        (declare-fun x () Int)
        (assert (<= (+ x (- 2)) 0))
        (check-sat)
    "#]],
    );
    let unknown = fs::read_to_string(into.join(&names[4])).unwrap();
    assert!(
        unknown.contains("the resource limit of a query was reached)\n(set-info :status unknown)")
    );
}

/// A solver changes to a wider logic; its script must say so.
#[test]
fn the_logic_is_wide_enough() {
    let folder = tempfile::tempdir().unwrap();
    let mut terms = Terms::new();
    let [more, _] = contradiction(&mut terms);
    let p = terms.symbol("p", Sort::Bool);
    let mut smt = Smt::default();
    smt.dump_to(folder.path().to_path_buf());
    let mut solver = smt.fresh(&terms, &[p]);
    solver.assert(&terms, p);
    assert_eq!(solver.check(&terms, &[more]), Answer::Sat);
    let text = fs::read_to_string(folder.path().join("query-000001.smt2")).unwrap();
    assert!(text.contains("(set-logic QF_UFLIA)"), "{text}");
}

#[test]
fn the_same_names_and_texts_every_time() {
    let runs = [(); 2].map(|()| {
        let folder = tempfile::tempdir().unwrap();
        let mut terms = Terms::new();
        let parts = contradiction(&mut terms);
        let mut smt = Smt::default();
        smt.dump_to(folder.path().to_path_buf());
        smt.check(&terms, &parts);
        let _ = smt.core(&terms, &parts[..1], &parts[1..]);
        files(folder.path())
            .into_iter()
            .map(|name| (fs::read_to_string(folder.path().join(&name)).unwrap(), name))
            .collect::<Vec<_>>()
    });
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0].len(), 2);
}

/// Answers go on, and the error is told once.
#[test]
fn a_folder_that_cannot_be_written() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut terms = Terms::new();
    let parts = contradiction(&mut terms);
    let mut smt = Smt::default();
    smt.dump_to(file.path().join("folder"));
    assert!(smt.take_dump_error().is_none());
    for _ in 0..3 {
        assert_eq!(smt.check(&terms, &parts), Answer::Unsat);
    }
    let error = smt.take_dump_error().unwrap().to_string();
    assert!(error.contains("query-000001.smt2"), "{error}");
    assert_eq!(smt.check(&terms, &parts), Answer::Unsat);
    assert!(smt.take_dump_error().is_none());
}

/// What is written is the same question.
#[test]
fn written_queries_have_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut terms = Terms::new();
    let [more, less] = contradiction(&mut terms);
    let few = hard::pigeons(&mut terms, 5);
    let mut smt = Smt::default();
    smt.dump_to(folder.path().to_path_buf());
    for (formulas, assumptions) in
        [(vec![more], vec![less]), (vec![few], vec![]), (vec![], vec![more]), (vec![less], vec![])]
    {
        let _ = smt.core(&terms, &formulas, &assumptions);
    }
    for name in files(folder.path()) {
        let text = fs::read_to_string(folder.path().join(&name)).unwrap();
        let solver = z3::Solver::new();
        solver.from_string(text.as_str());
        let expect = match solver.check() {
            z3::SatResult::Sat => "answer: sat",
            z3::SatResult::Unsat => "answer: unsat",
            z3::SatResult::Unknown => "answer: unknown",
        };
        assert!(text.contains(expect), "{name}: {text}");
    }
}
