//! Interpolation where it could break: names, nodes without anything to say, many cases, long
//! paths, large numbers, sorts that certificates know nothing of.

mod common;

use std::thread;
use std::time::Duration;

use common::draft::Draft;
use common::formula::{Expr, Formula, all, any, flag, ite, named, number, var};
use common::{oracle, paths};
use lakatos_logic::interpolate::{BadTree, Failure, Interpolator, Problem, Strategy};
use lakatos_logic::number::Rational;
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Term, Terms};
use z3::{SatResult, Solver};

/// Bits are hard: without these, some questions have no end.
const LIMITS: Limits = Limits { resources: Some(1_000_000), time: Some(Duration::from_secs(10)) };

/// How many strategies find interpolants; what they find is right, and no candidate is rejected.
fn solved(draft: &Draft) -> usize {
    let found = Strategy::ALL.into_iter().filter(|strategy| {
        let mut terms = Terms::new();
        let problem = draft.problem(&mut terms);
        let mut smt = Smt::default();
        let mut interpolator = Interpolator::new(&mut smt);
        let found = interpolator.interpolate(&mut terms, &problem, *strategy);
        let rejected = interpolator.take_rejected();
        let hopes = *strategy == Strategy::WellScoped;
        assert!(rejected.is_empty() || hopes, "{strategy}: {rejected:?}");
        match found {
            Ok(interpolants) => {
                let verified = oracle::verify(draft, &mut terms, &interpolants);
                verified.unwrap_or_else(|wrong| panic!("{strategy}: {wrong}"));
                true
            }
            Err(Failure::NotFound(_)) => false,
            Err(failure) => panic!("{strategy}: {failure}"),
        }
    });
    found.count()
}

/// Each strategy finds interpolants.
fn all_solve(draft: &Draft) {
    assert_eq!(solved(draft), Strategy::ALL.len());
}

fn x() -> Expr {
    named("x")
}

#[test]
fn trees_that_are_none() {
    let tree = |parents: &[Option<usize>]| {
        Problem::tree(&parents.iter().map(|p| (Term::TRUE, *p)).collect::<Vec<_>>())
    };
    assert_eq!(tree(&[]), Err(BadTree::Empty));
    assert_eq!(tree(&[Some(1), None, None]), Err(BadTree::Parent(1)));
    assert_eq!(tree(&[Some(0), None]), Err(BadTree::Parent(0)));
    assert_eq!(tree(&[Some(2), None]), Err(BadTree::Parent(0)));
    assert_eq!(tree(&[Some(1), Some(0)]), Err(BadTree::Parent(1)));
    assert!(tree(&[Some(2), Some(2), None]).is_ok());
}

#[test]
fn one_formula() {
    all_solve(&Draft::sequence(vec![all([x().at_least(1), x().at_most(0)])]));
    all_solve(&Draft::sequence(vec![x().is(x() + 1)]));
}

/// The contradiction lies in one node, which may share nothing with the others.
#[test]
fn nodes_without_anything_to_say() {
    let (yes, no) = (Formula::truth, || !Formula::truth());
    let alone = || all([x().at_least(1), x().at_most(0)]);
    for formulas in [
        vec![no(), yes(), yes()],
        vec![yes(), no(), yes()],
        vec![yes(), yes(), no()],
        vec![alone(), yes(), named("y").is(0)],
        vec![named("y").is(0), alone(), yes()],
        vec![named("y").is(0), yes(), alone()],
        vec![x().at_least(1), yes(), yes(), x().at_most(0)],
        vec![(x() * 2).is(named("a") * 4 + 1), yes(), x().is(3)],
    ] {
        all_solve(&Draft::sequence(formulas.clone()));
        // The same as leaves of one root.
        let last = formulas.len();
        let mut nodes: Vec<_> = formulas.into_iter().map(|f| (f, Some(last))).collect();
        nodes.push((yes(), None));
        all_solve(&Draft { nodes });
    }
}

/// Programs may use the names that interpolators think of.
#[test]
fn names_are_not_captured() {
    for (quotient, other) in [("quotient0@0", "quotient0@1"), ("quotient0@1", "quotient1@1")] {
        let (a, b) = (|| named(quotient), || named(other));
        all_solve(&Draft::sequence(vec![
            all([x().is(a() * 2), (x() % 4).is(b()), b().at_least(0)]),
            all([(x() % 2).is(1), a().at_least(0), b().at_most(9)]),
        ]));
        all_solve(&Draft::sequence(vec![
            all([(a() % 3).is(1), x().is(a() + 3)]),
            all([(x() / 3).is(b()), x().is(b() * 3 + 2)]),
        ]));
    }
    let (a, b) = (|| named("lambda0"), || named("lambda1"));
    all_solve(&Draft::sequence(vec![a().at_most(b()), b().at_most(x()), a().more(x())]));
    let taken = (0..3).map(|i| Formula::Flag(format!("interpolant{i}")));
    let mut formulas: Vec<Formula> = taken.collect();
    formulas.push(any([!flag("q", 0), !Formula::Flag("interpolant1".to_string())]));
    formulas.push(flag("q", 0));
    all_solve(&Draft::sequence(formulas));
}

/// One formula in several nodes, one that has to be split among them.
#[test]
fn the_same_formula_twice() {
    let either = || any([x().at_most(0), x().at_least(9)]);
    let middle = || all([x().at_least(1), x().at_most(8)]);
    assert!(solved(&Draft::sequence(vec![either(), either(), middle(), middle()])) >= 8);
    let nodes = vec![
        (either(), Some(2)),
        (either(), Some(2)),
        (middle(), Some(4)),
        (either(), Some(4)),
        (x().is_not(20), None),
    ];
    assert!(solved(&Draft { nodes }) >= 8);
}

/// Cases below, beside and above each other: `or` above a split, `and` elsewhere.
#[test]
fn splits_all_over_a_tree() {
    let v = |at| var("v", at);
    // Each leaf says that its value is one of two, each inner node adds, the root wants another.
    let leaf = |at| any([v(at).is(0), v(at).is(2)]);
    let nodes = vec![
        (leaf(0), Some(2)),
        (leaf(1), Some(2)),
        (all([v(2).is(v(0) + v(1)), any([v(0).is(v(1)), v(0).is_not(v(1))])]), Some(6)),
        (leaf(3), Some(5)),
        (leaf(4), Some(5)),
        (v(5).is(ite(v(3).less(v(4)), v(3) * 2, v(4) * 2)), Some(6)),
        (any([(v(2) + v(5)).is(3), (v(2) + v(5)).more(8)]), None),
    ];
    assert!(solved(&Draft { nodes }) >= 7);
}

/// Nobody counts all the cases, and nobody runs out of stack on the way.
#[test]
fn more_cases_than_anybody_wants() {
    let count = 400;
    let one_of_two = |at| any([var("v", at).is(0), var("v", at).is(1)]);
    let mut formulas: Vec<Formula> = (0..count).map(one_of_two).collect();
    let total = (0..count).map(|at| var("v", at)).reduce(|a, b| a + b).expect("some");
    formulas.push(total.less(0));
    let draft = Draft::sequence(formulas);
    let run = move || {
        let mut terms = Terms::new();
        let problem = draft.problem(&mut terms);
        let mut smt = Smt::default();
        let mut interpolator = Interpolator::new(&mut smt);
        let found = interpolator.interpolate(&mut terms, &problem, Strategy::Farkas);
        assert_eq!(found, Err(Failure::NotFound(vec![Strategy::Farkas])));
    };
    thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("no");
}

#[test]
fn long_paths() {
    let draft = paths::equal_counters(600);
    let run = move || {
        let mut terms = Terms::new();
        let problem = draft.problem(&mut terms);
        let mut smt = Smt::default();
        let found = Interpolator::new(&mut smt).interpolate(&mut terms, &problem, Strategy::Auto);
        let found = found.expect("interpolants");
        let (x, y) = (var("x", 300).term(&mut terms), var("y", 300).term(&mut terms));
        assert_eq!(found[300], terms.eq(x, y));
    };
    thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("no");
}

#[test]
fn numbers_of_any_size() {
    let large = || number(1 << 40) * (1 << 40);
    let wrapped = |e: Expr| ite(e.clone().at_least(large()), e.clone() - large(), e);
    all_solve(&Draft::sequence(vec![
        all([var("x", 0).at_least(0), var("x", 0).less(large())]),
        var("x", 1).is(wrapped(var("x", 0) + 1)),
        var("x", 2).is(wrapped(var("x", 1) + 1)),
        any([var("x", 2).less(0), var("x", 2).at_least(large())]),
    ]));
    all_solve(&Draft::sequence(vec![
        (x() * 3 * (1 << 40) * (1 << 40)).at_most(large() + 7),
        x().at_least(1),
    ]));
}

/// Problems that no draft can say. Interpolants are checked as SMT-LIB text.
fn check_terms(make: impl Fn(&mut Terms) -> Vec<Term>, at_least: usize) {
    let mut solved = 0;
    for strategy in Strategy::ALL {
        let mut terms = Terms::new();
        let formulas = make(&mut terms);
        let mut smt = Smt::new(LIMITS);
        let mut interpolator = Interpolator::new(&mut smt);
        let problem = Problem::sequence(&formulas);
        let found = match interpolator.interpolate(&mut terms, &problem, strategy) {
            Ok(found) => found,
            Err(Failure::NotFound(_)) => continue,
            Err(failure) => panic!("{strategy}: {failure}"),
        };
        solved += 1;
        for node in 0..formulas.len() {
            let mut claim = vec![formulas[node]];
            claim.extend(node.checked_sub(1).map(|below| found[below]));
            if node < found.len() {
                claim.push(terms.not(found[node]));
                let names = oracle::names(&terms, found[node]);
                let inside = terms.and(formulas[..=node].iter().copied());
                let outside = terms.and(formulas[node + 1..].iter().copied());
                assert!(names.is_subset(&oracle::names(&terms, inside)), "{strategy}: {names:?}");
                assert!(names.is_subset(&oracle::names(&terms, outside)), "{strategy}: {names:?}");
            }
            let solver = Solver::new();
            solver.from_string(terms.smtlib_script("ALL", &claim));
            assert_eq!(solver.check(), SatResult::Unsat, "{strategy}: node {node}\n{solver}");
        }
    }
    assert!(solved >= at_least, "{solved} strategies");
}

#[test]
fn reals() {
    check_terms(
        |t| {
            let [x, y] = ["x", "y"].map(|name| t.symbol(name, Sort::Real));
            let half = t.real(Rational::from_parts(1.into(), 2u32.into()));
            let twice = t.add(y, y);
            vec![t.le(x, half), t.eq(x, twice), t.gt(y, half)]
        },
        2,
    );
}

#[test]
fn bit_vectors() {
    check_terms(
        |t| {
            let [x, y, z] = ["x", "y", "z"].map(|name| t.symbol(name, Sort::BitVec(4)));
            let (one, low) = (t.bv(1, 4), t.bv(3, 4));
            let masked = t.bv_binary(BvBinary::And, x, low);
            let next = t.bv_binary(BvBinary::Add, y, one);
            let four = t.bv(4, 4);
            vec![t.eq(y, masked), t.eq(z, next), t.bv_compare(BvCompare::Ult, four, z)]
        },
        1,
    );
}

#[test]
fn functions_and_arrays() {
    check_terms(
        |t| {
            let [x, y, z] = ["x", "y", "z"].map(|name| t.symbol(name, Sort::Int));
            let f = t.function("f", &[Sort::Int], Sort::Int);
            let [fx, fy, fz] = [x, y, z].map(|v| t.apply(f, &[v]));
            let (same, grown) = (t.eq(x, y), t.le(fx, fy));
            let first = t.and([same, grown]);
            vec![first, t.eq(y, z), t.lt(fz, fx)]
        },
        0,
    );
    check_terms(
        |t| {
            let sort = t.array_sort(Sort::Int, Sort::Int);
            let [a, b] = ["a", "b"].map(|name| t.symbol(name, sort));
            let [i, j] = ["i", "j"].map(|name| t.symbol(name, Sort::Int));
            let (zero, one) = (t.int(0), t.int(1));
            let written = t.store(a, i, one);
            let read = t.select(b, j);
            let (first, second) = (t.eq(b, written), t.eq(i, j));
            vec![first, second, t.eq(read, zero)]
        },
        0,
    );
}
