//! How long a predicate abstraction takes, and how long the solver alone takes for the formula:
//! `cargo bench -p lakatos-logic --bench cubes`.

use divan::Bencher;
use lakatos_logic::cubes::{Abstractor, PredId};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Sort, Term, Terms};

fn main() {
    divan::main();
}

/// A path through a loop: `i = 0; x = y; while (i < n) { if (*) x += 2, y++; else x++, y += 2;
/// i++ }`, the older values of the variables under numbered names.
struct Path {
    terms: Terms,
    smt: Smt,
    formula: Term,
    predicates: Vec<Term>,
}

impl Path {
    fn new(rounds: usize) -> Path {
        let mut terms = Terms::new();
        let name = |v: &str, at: usize| match at == rounds {
            true => v.to_string(),
            false => format!("{v}@{at}"),
        };
        let var = |t: &mut Terms, v: &str, at: usize| t.symbol(&name(v, at), Sort::Int);
        let n = terms.symbol("n", Sort::Int);
        let zero = terms.int(0);
        let [i, x, y] = ["i", "x", "y"].map(|v| var(&mut terms, v, 0));
        let mut conjuncts = vec![terms.eq(i, zero), terms.eq(x, y)];
        for at in 1..=rounds {
            let [i, x, y] = ["i", "x", "y"].map(|v| var(&mut terms, v, at - 1));
            let [new_i, new_x, new_y] = ["i", "x", "y"].map(|v| var(&mut terms, v, at));
            conjuncts.push(terms.lt(i, n));
            conjuncts.push(step(&mut terms, new_i, i, 1));
            let left = [step(&mut terms, new_x, x, 2), step(&mut terms, new_y, y, 1)];
            let right = [step(&mut terms, new_x, x, 1), step(&mut terms, new_y, y, 2)];
            let (left, right) = (terms.and(left), terms.and(right));
            conjuncts.push(terms.or([left, right]));
        }
        let formula = terms.and(conjuncts);
        let predicates = predicates(&mut terms);
        Path { terms, smt: Smt::default(), formula, predicates }
    }

    /// Without the memory of earlier ones; the solver stays.
    fn abstractor(&mut self) -> (Abstractor, Vec<PredId>) {
        let mut abstractor = Abstractor::new();
        let add = |p: &Term| abstractor.predicate(&mut self.terms, *p).expect("room").predicate;
        let ids = self.predicates.iter().map(add).collect();
        (abstractor, ids)
    }
}

fn step(terms: &mut Terms, new: Term, old: Term, by: i64) -> Term {
    let by = terms.int(by);
    let sum = terms.add(old, by);
    terms.eq(new, sum)
}

fn predicates(terms: &mut Terms) -> Vec<Term> {
    let [i, n, x, y] = ["i", "n", "x", "y"].map(|v| terms.symbol(v, Sort::Int));
    let [zero, two, ten] = [0, 2, 10].map(|c| terms.int(c));
    let difference = terms.sub(x, y);
    vec![
        terms.le(i, n),
        terms.le(zero, i),
        terms.lt(i, n),
        terms.eq(x, y),
        terms.le(x, y),
        terms.le(difference, two),
        terms.le(x, ten),
        terms.eq(n, ten),
    ]
}

const ROUNDS: [usize; 3] = [1, 4, 16];

#[divan::bench(args = ROUNDS)]
fn boolean(bencher: Bencher<'_, '_>, rounds: usize) {
    let mut path = Path::new(rounds);
    bencher.bench_local(|| {
        let (mut abstractor, ids) = path.abstractor();
        abstractor.boolean(&mut path.terms, &mut path.smt, path.formula, &ids)
    });
}

#[divan::bench(args = ROUNDS)]
fn cartesian(bencher: Bencher<'_, '_>, rounds: usize) {
    let mut path = Path::new(rounds);
    bencher.bench_local(|| {
        let (mut abstractor, ids) = path.abstractor();
        abstractor.cartesian(&mut path.terms, &mut path.smt, path.formula, &ids)
    });
}

/// Asked a second time.
#[divan::bench(args = ROUNDS)]
fn remembered(bencher: Bencher<'_, '_>, rounds: usize) {
    let mut path = Path::new(rounds);
    let (mut abstractor, ids) = path.abstractor();
    bencher.bench_local(|| abstractor.boolean(&mut path.terms, &mut path.smt, path.formula, &ids));
}

/// The formula alone, satisfiable or not.
#[divan::bench(args = ROUNDS)]
fn plain_check(bencher: Bencher<'_, '_>, rounds: usize) {
    let mut path = Path::new(rounds);
    bencher.bench_local(|| path.smt.check(&path.terms, &[path.formula]));
}
