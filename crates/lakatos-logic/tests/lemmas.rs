//! Definitions that end, lemmas by induction, and what must not be proved.

use std::collections::BTreeSet;

use lakatos_logic::lemma::{
    Definition, Fuel, Induction, Lemma, Measure, Origin, Theory, consistent, ground,
    ground_guarded, instances, measure, numbers_of, prove,
};
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Function, Node, Sort, Symbol, Term, Terms};

const LIMITS: Limits = Limits { resources: Some(300_000), time: None };

/// Sums over arrays, from the front and between two ends, and the largest element.
struct World {
    terms: Terms,
    smt: Smt,
    array: Sort,
    sum: Function,
    between: Function,
    theory: Theory,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::new();
        let array = terms.array_sort(Sort::Int, Sort::Int);
        let sum = terms.function("sum", &[array, Sort::Int], Sort::Int);
        let between = terms.function("between", &[array, Sort::Int, Sort::Int], Sort::Int);
        let mut world =
            World { terms, smt: Smt::new(LIMITS), array, sum, between, theory: Theory::default() };
        let (sum, between) = (world.sum_definition(), world.between_definition());
        world.theory.definitions = vec![sum, between];
        world
    }

    fn variable(&mut self, name: &str) -> Term {
        let sort = if name == "a" { self.array } else { Sort::Int };
        self.terms.symbol(name, sort)
    }

    fn symbols(&mut self, names: &[&str]) -> Vec<Symbol> {
        let terms: Vec<Term> = names.iter().map(|name| self.variable(name)).collect();
        terms.into_iter().map(|term| self.terms.as_symbol(term).expect("a symbol")).collect()
    }

    fn sum_of(&mut self, array: Term, n: Term) -> Term {
        self.terms.apply(self.sum, &[array, n])
    }

    /// sum(a, n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1]
    fn sum_definition(&mut self) -> Definition {
        let (a, n) = (self.variable("a"), self.variable("n"));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let last = self.terms.sub(n, one);
        let (rest, element) = (self.sum_of(a, last), self.terms.select(a, last));
        let more = self.terms.add(rest, element);
        let is_empty = self.terms.le(n, zero);
        let body = self.terms.ite(is_empty, zero, more);
        Definition { function: self.sum, parameters: self.symbols(&["a", "n"]), body }
    }

    /// between(a, i, n) = i >= n ? 0 : a[i] + between(a, i + 1, n)
    fn between_definition(&mut self) -> Definition {
        let (a, i, n) = (self.variable("a"), self.variable("i"), self.variable("n"));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let next = self.terms.add(i, one);
        let rest = self.terms.apply(self.between, &[a, next, n]);
        let element = self.terms.select(a, i);
        let more = self.terms.add(element, rest);
        let is_empty = self.terms.ge(i, n);
        let body = self.terms.ite(is_empty, zero, more);
        Definition { function: self.between, parameters: self.symbols(&["a", "i", "n"]), body }
    }

    fn lemma(&mut self, name: &str, variables: &[&str], formula: Term) -> Lemma {
        Lemma { name: name.to_owned(), variables: self.symbols(variables), formula }
    }

    fn prove(&mut self, lemma: &Lemma) -> Option<Induction> {
        prove(&mut self.terms, &mut self.smt, &self.theory, lemma).map(|proof| proof.by)
    }

    fn measure(&mut self, definition: &Definition) -> Option<Measure> {
        measure(&mut self.terms, &mut self.smt, definition)
    }

    /// guard(i, n) ==> sum(a[i := v], n) == sum(a, n) + v * factors[0] + a[i] * factors[1] + rest
    fn update(&mut self, guard: Guard, factors: [i64; 2], rest: i64) -> Lemma {
        let [a, i, v, n] = ["a", "i", "v", "n"].map(|name| self.variable(name));
        let written = self.terms.store(a, i, v);
        let (after, before) = (self.sum_of(written, n), self.sum_of(a, n));
        let element = self.terms.select(a, i);
        let parts = [
            before,
            self.terms.scale(&factors[0].into(), v),
            self.terms.scale(&factors[1].into(), element),
            self.terms.int(rest),
        ];
        let right = self.terms.add_all(parts, Sort::Int);
        let equation = self.terms.eq(after, right);
        let zero = self.terms.int(0);
        let guard = match guard {
            Guard::Inside => {
                let both = [self.terms.le(zero, i), self.terms.lt(i, n)];
                self.terms.and(both)
            }
            Guard::Behind => self.terms.ge(i, n),
            Guard::Before => self.terms.lt(i, zero),
            Guard::None => Term::TRUE,
        };
        let formula = self.terms.implies(guard, equation);
        self.lemma("update", &["a", "i", "v", "n"], formula)
    }
}

#[derive(Clone, Copy, Debug)]
enum Guard {
    Inside,
    Behind,
    Before,
    None,
}

impl Guard {
    fn holds(self, i: i64, n: i64) -> bool {
        match self {
            Guard::Inside => 0 <= i && i < n,
            Guard::Behind => i >= n,
            Guard::Before => i < 0,
            Guard::None => true,
        }
    }
}

/// Whether the lemma of an update holds for arrays with a few small values.
fn update_holds(guard: Guard, factors: [i64; 2], rest: i64) -> bool {
    let sum = |array: &dyn Fn(i64) -> i64, n: i64| (0..n.max(0)).map(array).sum::<i64>();
    let arrays: [fn(i64) -> i64; 3] = [|_| 1, |i| i * i - 3, |i| 5 - i];
    let ranges = (-2..=4).flat_map(|i| (-2..=4).map(move |n| (i, n)));
    ranges.filter(|(i, n)| guard.holds(*i, *n)).all(|(i, n)| {
        arrays.iter().all(|a| {
            [-7, 0, 2].into_iter().all(|v| {
                let after = sum(&|k| if k == i { v } else { a(k) }, n);
                after == sum(a, n) + factors[0] * v + factors[1] * a(i) + rest
            })
        })
    })
}

#[test]
fn definitions_that_end() {
    let mut world = World::new();
    let n = world.variable("n");
    let sum = world.theory.definitions[0].clone();
    assert_eq!(world.measure(&sum), Some(Measure::Decreasing(n)));
    let i = world.variable("i");
    let distance = world.terms.sub(n, i);
    let between = world.theory.definitions[1].clone();
    assert_eq!(world.measure(&between), Some(Measure::Decreasing(distance)));
    let (one, double) = (world.terms.int(1), world.terms.add(n, n));
    let plain = world.terms.function("plain", &[Sort::Int], Sort::Int);
    let body = world.terms.add(double, one);
    let parameters = world.symbols(&["n"]);
    let plain = Definition { function: plain, parameters, body };
    assert_eq!(world.measure(&plain), Some(Measure::Plain));
}

#[test]
fn definitions_that_do_not_end() {
    let mut world = World::new();
    let n = world.variable("n");
    let bad = world.terms.function("bad", &[Sort::Int], Sort::Int);
    let one = world.terms.int(1);
    let parameters = world.symbols(&["n"]);
    // b(n) = b(n) + 1 has no solution, and proves that zero is one.
    let used = world.terms.apply(bad, &[n]);
    let body = world.terms.add(used, one);
    let definition = Definition { function: bad, parameters, body };
    assert_eq!(world.measure(&definition), None, "the same again");
    let mut other = World::new();
    let n = other.variable("n");
    let one = other.terms.int(1);
    let (below, above) = (other.terms.sub(n, one), other.terms.add(n, one));
    for (argument, up) in [(below, false), (above, true)] {
        let bad = other.terms.function("bad", &[Sort::Int], Sort::Int);
        let used = other.terms.apply(bad, &[argument]);
        let zero = other.terms.int(0);
        let goes_on = match up {
            true => other.terms.gt(n, zero),
            false => other.terms.le(n, zero),
        };
        let body = other.terms.ite(goes_on, used, zero);
        let definition = Definition { function: bad, parameters: other.symbols(&["n"]), body };
        assert_eq!(other.measure(&definition), None, "away from the end: {up}");
    }
}

#[test]
fn updates_of_sums_are_proved_where_they_hold() {
    let mut world = World::new();
    // What is written behind the end does not matter: the others rest on it.
    let behind = world.update(Guard::Behind, [0, 0], 0);
    assert!(matches!(world.prove(&behind), Some(Induction::On(_))));
    world.theory.lemmas.push(behind);
    for guard in [Guard::Inside, Guard::Behind, Guard::Before, Guard::None] {
        for factors in [[1, -1], [0, 0], [1, 0], [1, 1], [0, -1]] {
            for rest in [0, 1] {
                let lemma = world.update(guard, factors, rest);
                let holds = update_holds(guard, factors, rest);
                let proved = world.prove(&lemma);
                assert_eq!(proved.is_some(), holds, "{guard:?} {factors:?} {rest}: {proved:?}");
            }
        }
    }
}

#[test]
fn a_range_is_divided() {
    let mut world = World::new();
    let [a, i, m, n] = ["a", "i", "m", "n"].map(|name| world.variable(name));
    let between = world.between;
    let of = |world: &mut World, from: Term, to: Term| world.terms.apply(between, &[a, from, to]);
    let (whole, front, back) = (of(&mut world, i, n), of(&mut world, i, m), of(&mut world, m, n));
    let both = world.terms.add(front, back);
    let equation = world.terms.eq(whole, both);
    let order = [world.terms.le(i, m), world.terms.le(m, n)];
    let order = world.terms.and(order);
    let formula = world.terms.implies(order, equation);
    let lemma = world.lemma("divide", &["a", "i", "m", "n"], formula);
    assert!(matches!(world.prove(&lemma), Some(Induction::On(_))));
    let wrong = world.lemma("without an order", &["a", "i", "m", "n"], equation);
    assert_eq!(world.prove(&wrong), None);
}

#[test]
fn lemmas_that_do_not_hold_are_not_proved() {
    let mut world = World::new();
    let (a, n) = (world.variable("a"), world.variable("n"));
    let sum = world.sum_of(a, n);
    let zero = world.terms.int(0);
    for (what, formula) in [
        ("a sum is not negative", world.terms.ge(sum, zero)),
        ("a sum is zero", world.terms.eq(sum, zero)),
        ("a sum is less than its length", world.terms.le(sum, n)),
    ] {
        let lemma = world.lemma(what, &["a", "n"], formula);
        assert_eq!(world.prove(&lemma), None, "{what}");
    }
}

#[test]
fn contradictions_are_seen() {
    let mut world = World::new();
    assert_ne!(consistent(&mut world.terms, &mut world.smt, &world.theory), Some(false));
    let (a, n) = (world.variable("a"), world.variable("n"));
    let (sum, one) = (world.sum_of(a, n), world.terms.int(1));
    let formula = world.terms.eq(sum, one);
    let lemma = world.lemma("always one", &["a", "n"], formula);
    world.theory.lemmas.push(lemma);
    assert_eq!(consistent(&mut world.terms, &mut world.smt, &world.theory), Some(false));
}

/// A formula of a path, as a search makes it: `b` is `a` with something written, and the sum of `b`
/// is asked about.
#[test]
fn instances_across_writes() {
    let mut world = World::new();
    let lemma = world.update(Guard::Inside, [1, -1], 0);
    world.theory.lemmas.push(lemma);
    let (c, d) = (world.terms.symbol("c", world.array), world.terms.symbol("d", world.array));
    let [j, w, k] = ["j", "w", "k"].map(|name| world.terms.symbol(name, Sort::Int));
    let written = world.terms.store(c, j, w);
    let (before, after) = (world.sum_of(c, k), world.sum_of(d, k));
    let element = world.terms.select(c, j);
    let zero = world.terms.int(0);
    let grown = world.terms.add(before, w);
    let grown = world.terms.sub(grown, element);
    let path = [
        world.terms.eq(d, written),
        world.terms.le(zero, j),
        world.terms.lt(j, k),
        world.terms.ne(after, grown),
    ];
    assert_ne!(world.smt.check(&world.terms, &path), Answer::Unsat, "without the lemma");
    let found = instances(&mut world.terms, &world.theory, &path, Fuel::default());
    assert!(found.iter().any(|instance| instance.of == Origin::Lemma(0)));
    let mut query = path.to_vec();
    query.extend(found.iter().map(|instance| instance.formula));
    assert_eq!(world.smt.check(&world.terms, &query), Answer::Unsat, "with it");
    // With something else written it must not be one.
    let other = world.terms.store(c, k, w);
    let mut query = query.clone();
    query[0] = world.terms.eq(d, other);
    assert_ne!(world.smt.check(&world.terms, &query), Answer::Unsat, "another path");
}

#[test]
fn fuel_ends_unfolding() {
    let mut world = World::new();
    let (c, k) = (world.terms.symbol("c", world.array), world.terms.symbol("k", Sort::Int));
    let sum = world.sum_of(c, k);
    let zero = world.terms.int(0);
    let formula = world.terms.eq(sum, zero);
    for rounds in [1, 2, 5] {
        let fuel = Fuel { rounds, most: 100 };
        let found = instances(&mut world.terms, &world.theory, &[formula], fuel);
        assert_eq!(found.len(), rounds, "{rounds} rounds");
    }
    let fuel = Fuel { rounds: 50, most: 7 };
    assert_eq!(instances(&mut world.terms, &world.theory, &[formula], fuel).len(), 7);
}

/// A lemma without variables is used, though nothing in a formula looks like it.
#[test]
fn a_lemma_without_variables() {
    let mut world = World::new();
    let f = world.terms.function("f", &[Sort::Int], Sort::Int);
    let (n, zero, one) = (world.variable("n"), world.terms.int(0), world.terms.int(1));
    let of = |world: &mut World, argument: Term| world.terms.apply(f, &[argument]);
    let start = of(&mut world, zero);
    let formula = world.terms.eq(start, zero);
    let start = world.lemma("start", &[], formula);
    let next = world.terms.add(n, one);
    let (here, there) = (of(&mut world, n), of(&mut world, next));
    let (here, there) = (world.terms.eq(here, zero), world.terms.eq(there, zero));
    let formula = world.terms.implies(here, there);
    let step = world.lemma("step", &["n"], formula);
    let here = of(&mut world, n);
    let here = world.terms.eq(here, zero);
    let natural = world.terms.le(zero, n);
    let formula = world.terms.implies(natural, here);
    let all = world.lemma("natural numbers", &["n"], formula);
    world.theory.lemmas.extend([start, step]);
    assert_eq!(world.prove(&all), Some(Induction::On(n)));
    let wrong = world.lemma("all numbers", &["n"], here);
    assert_eq!(world.prove(&wrong), None);
}

/// `c = c + 1`: to the solver a variable, and no application.
#[test]
fn a_constant_that_uses_itself() {
    let mut world = World::new();
    let function = world.terms.function("c", &[], Sort::Int);
    let (own, one) = (world.terms.apply(function, &[]), world.terms.int(1));
    let body = world.terms.add(own, one);
    let bad = Definition { function, parameters: Vec::new(), body };
    assert_eq!(world.measure(&bad), None);
    let good = Definition { body: one, ..bad };
    assert_eq!(world.measure(&good), Some(Measure::Plain));
}

/// A proof names what it used, and nothing else.
#[test]
fn what_a_proof_uses() {
    let mut world = World::new();
    let behind = world.update(Guard::Behind, [0, 0], 0);
    let (terms, smt) = (&mut world.terms, &mut world.smt);
    let proof = prove(terms, smt, &world.theory, &behind).expect("a proof");
    assert_eq!(proof.used.into_iter().collect::<Vec<_>>(), [Origin::Definition(0)]);
    world.theory.lemmas.push(behind.clone());
    world.theory.definitions.clear();
    let (terms, smt) = (&mut world.terms, &mut world.smt);
    let proof = prove(terms, smt, &world.theory, &behind).expect("a proof");
    assert_eq!(proof.used.into_iter().collect::<Vec<_>>(), [Origin::Lemma(0)]);
}

/// Whether formulas contradict each other: as they are, and as far as numbers tell.
#[track_caller]
fn contradicts(world: &mut World, formulas: &[Term]) -> (Answer, Answer) {
    let numbers = numbers_of(&mut world.terms, formulas, &BTreeSet::new());
    for part in world.terms.parts_first(&numbers) {
        let is_number = !matches!(world.terms.sort(part), Sort::Array(_))
            && !matches!(world.terms.node(part), Node::Apply(..) | Node::Quantified(..));
        assert!(is_number, "{}", world.terms.display(part));
    }
    (world.smt.check(&world.terms, formulas), world.smt.check(&world.terms, &numbers))
}

/// What is known of elements and functions is known of the numbers in their place.
#[test]
fn elements_and_functions_as_numbers() {
    let mut w = World::new();
    let (a, b) = (w.variable("a"), w.terms.symbol("b", w.array));
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| w.variable(name));
    let written = w.terms.store(a, i, x);
    let (there, before) = (w.terms.select(written, j), w.terms.select(a, j));
    let (same, equal) = (w.terms.eq(i, j), w.terms.eq(b, written));
    let apart = w.terms.ne(i, j);
    let read = w.terms.select(b, j);
    let both = (Answer::Unsat, Answer::Unsat);
    let neither = (Answer::Sat, Answer::Sat);
    let (not_written, not_kept) = (w.terms.ne(there, x), w.terms.ne(there, before));
    assert_eq!(contradicts(&mut w, &[same, not_written]), both);
    assert_eq!(contradicts(&mut w, &[apart, not_kept]), both);
    assert_eq!(contradicts(&mut w, &[apart, not_written]), neither);
    let other = w.terms.ne(read, x);
    assert_eq!(contradicts(&mut w, &[equal, same, other]), both);
    assert_eq!(contradicts(&mut w, &[same, other]), neither);
    // The same of the same is the same, also under an equation of arrays.
    let (f, g) = (w.sum_of(a, x), w.sum_of(a, y));
    let (equal_numbers, apart_sums) = (w.terms.eq(x, y), w.terms.ne(f, g));
    assert_eq!(contradicts(&mut w, &[equal_numbers, apart_sums]), both);
    assert_eq!(contradicts(&mut w, &[apart_sums]), neither);
    let (of_b, of_written) = (w.sum_of(b, x), w.sum_of(written, x));
    let apart_sums = w.terms.ne(of_b, of_written);
    assert_eq!(contradicts(&mut w, &[equal, apart_sums]), both);
    assert_eq!(contradicts(&mut w, &[apart_sums]), neither);
    // One of two ways was taken.
    let ways = ["left", "right"].map(|name| w.terms.symbol(name, Sort::Bool));
    let [left, right] = [(ways[0], i), (ways[1], j)].map(|(way, at)| {
        let after = w.terms.store(a, at, x);
        let same = w.terms.eq(b, after);
        w.terms.implies(way, same)
    });
    let one = w.terms.or(ways);
    let (at_i, at_j) = (w.terms.select(b, i), w.terms.select(b, j));
    let denied = [w.terms.ne(at_i, x), w.terms.ne(at_j, x)];
    assert_eq!(contradicts(&mut w, &[left, right, one, denied[0], denied[1]]), both);
    assert_eq!(contradicts(&mut w, &[left, right, one, denied[0]]), neither);
}

/// Whatever formulas are made of: what numbers exclude is excluded.
#[test]
fn random_formulas_as_numbers() {
    let mut counts = [0, 0];
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut w = World::new();
        let mut arrays = vec![w.variable("a"), w.terms.symbol("b", w.array)];
        let mut numbers = ["i", "j", "x"].map(|name| w.variable(name)).to_vec();
        numbers.extend([w.terms.int(0), w.terms.int(1)]);
        let mut formulas = Vec::new();
        for _ in 0..rng.usize(6..14) {
            let (array, other) =
                (arrays[rng.usize(..arrays.len())], arrays[rng.usize(..arrays.len())]);
            let (m, n) = (numbers[rng.usize(..numbers.len())], numbers[rng.usize(..numbers.len())]);
            match rng.u8(0..8) {
                0 => arrays.push(w.terms.store(array, m, n)),
                1 => numbers.push(w.terms.select(array, m)),
                2 => numbers.push(w.sum_of(array, m)),
                3 => numbers.push(w.terms.add(m, n)),
                4 => formulas.push(w.terms.eq(array, other)),
                5 => formulas.push(w.terms.eq(m, n)),
                6 => formulas.push(w.terms.ne(m, n)),
                _ => {
                    let (a, b) = (w.terms.lt(m, n), w.terms.eq(array, other));
                    formulas.push(w.terms.or([a, b]));
                }
            }
        }
        let shown: Vec<String> = formulas.iter().map(|f| w.terms.display(*f).to_string()).collect();
        let (exact, weaker) = contradicts(&mut w, &formulas);
        assert!(exact == Answer::Unsat || weaker == Answer::Sat, "seed {seed}: {shown:?}");
        counts[usize::from(weaker == Answer::Unsat)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 30), "{counts:?}");
}

/// Instances count where what they are of is used.
#[test]
fn guarded_instances() {
    let mut w = World::new();
    let theory = w.theory.clone();
    let (a, n) = (w.variable("a"), w.variable("n"));
    let (zero, sum) = (w.terms.int(0), w.sum_of(a, n));
    let query = [w.terms.le(n, zero), w.terms.ne(sum, zero)];
    let (plain, used) = ground(&mut w.terms, &theory, &query);
    assert_eq!(w.smt.check(&w.terms, &plain), Answer::Unsat);
    assert_eq!(used, BTreeSet::from([Origin::Definition(0)]));
    let guards = theory.origins().map(|origin| (origin, w.terms.fresh("uses", Sort::Bool)));
    let guards = guards.collect();
    let guarded = ground_guarded(&mut w.terms, &theory, &query, &guards);
    assert_eq!(w.smt.check(&w.terms, &guarded), Answer::Sat);
    let core = w.smt.core(&w.terms, &guarded, &Vec::from_iter(guards.values().copied()));
    assert_eq!(core, Ok(vec![guards[&Origin::Definition(0)]]));
    let without = theory.filtered(|origin| origin != Origin::Definition(0));
    let (rest, _) = ground(&mut w.terms, &without, &query);
    assert_eq!(w.smt.check(&w.terms, &rest), Answer::Sat);
}
