//! How long small queries and sequence interpolation take, with the plain check of the same
//! formulas beside them.

use divan::Bencher;
use lakatos_logic::interpolate::{Interpolator, Problem, Strategy};
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Sort, Term, Terms};

fn main() {
    divan::main();
}

fn var(terms: &mut Terms, name: &str, at: usize) -> Term {
    terms.symbol(&format!("{name}@{at}"), Sort::Int)
}

/// `name@(at + 1) = name@at + by`.
fn step(terms: &mut Terms, name: &str, at: usize, by: i32) -> Term {
    let (old, new, by) = (var(terms, name, at), var(terms, name, at + 1), terms.int(by));
    let sum = terms.add(old, by);
    terms.eq(new, sum)
}

fn start(terms: &mut Terms) -> Term {
    let (x, y, zero) = (var(terms, "x", 0), var(terms, "y", 0), terms.int(0));
    let both = [terms.eq(x, zero), terms.eq(y, zero)];
    terms.and(both)
}

/// `x = y = 0; k times (x++, y++); x != y`.
fn equal_counters(terms: &mut Terms, k: usize) -> Problem {
    let mut steps = vec![start(terms)];
    for at in 0..k {
        let both = [step(terms, "x", at, 1), step(terms, "y", at, 1)];
        steps.push(terms.and(both));
    }
    let (x, y) = (var(terms, "x", k), var(terms, "y", k));
    steps.push(terms.ne(x, y));
    Problem::sequence(&steps)
}

/// `x = y = 0; k times (b <= x ? (x += 1, y += 2) : (x += 2, y += 1)); 2x < y || 2y < x`.
fn branching_counters(terms: &mut Terms, k: usize) -> Problem {
    let bound = var(terms, "b", 0);
    let mut steps = vec![start(terms)];
    for at in 0..k {
        let x = var(terms, "x", at);
        let low = terms.le(bound, x);
        let high = terms.not(low);
        let one = [low, step(terms, "x", at, 1), step(terms, "y", at, 2)];
        let two = [high, step(terms, "x", at, 2), step(terms, "y", at, 1)];
        let branches = [terms.and(one), terms.and(two)];
        steps.push(terms.or(branches));
    }
    let (x, y) = (var(terms, "x", k), var(terms, "y", k));
    let (two_x, two_y) = (terms.add(x, x), terms.add(y, y));
    let wrong = [terms.lt(two_x, y), terms.lt(two_y, x)];
    steps.push(terms.or(wrong));
    Problem::sequence(&steps)
}

fn interpolate(
    bencher: Bencher<'_, '_>,
    make: fn(&mut Terms, usize) -> Problem,
    k: usize,
    strategy: Strategy,
) {
    let mut smt = Smt::default();
    bencher.with_inputs(Terms::new).bench_local_values(|mut terms| {
        let problem = make(&mut terms, k);
        let found = Interpolator::new(&mut smt).interpolate(&mut terms, &problem, strategy);
        found.expect("interpolants")
    });
}

fn plain(bencher: Bencher<'_, '_>, make: fn(&mut Terms, usize) -> Problem, k: usize) {
    let mut smt = Smt::default();
    bencher.with_inputs(Terms::new).bench_local_values(|mut terms| {
        let problem = make(&mut terms, k);
        assert_eq!(smt.check(&terms, problem.formulas()), Answer::Unsat);
    });
}

#[divan::bench]
fn equal_counters_50_farkas(bencher: Bencher<'_, '_>) {
    interpolate(bencher, equal_counters, 50, Strategy::Farkas);
}

#[divan::bench]
fn equal_counters_50_plain_check(bencher: Bencher<'_, '_>) {
    plain(bencher, equal_counters, 50);
}

#[divan::bench(sample_count = 10)]
fn branching_counters_20_spacer(bencher: Bencher<'_, '_>) {
    interpolate(bencher, branching_counters, 20, Strategy::Spacer);
}

#[divan::bench]
fn branching_counters_20_plain_check(bencher: Bencher<'_, '_>) {
    plain(bencher, branching_counters, 20);
}

/// A query on a long-lived solver: three atoms.
#[divan::bench]
fn small_query(bencher: Bencher<'_, '_>) {
    let mut terms = Terms::new();
    let mut smt = Smt::default();
    let (x, y, z) = (var(&mut terms, "x", 0), var(&mut terms, "y", 0), var(&mut terms, "z", 0));
    let formulas = [terms.le(x, y), terms.le(y, z), terms.lt(z, x)];
    bencher.bench_local(|| assert_eq!(smt.check(&terms, &formulas), Answer::Unsat));
}
