//! Formulas beyond linear integers, against the solver asked about every cube.

use lakatos_logic::cubes::{Abstractor, Literal, Region};
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{BvCompare, Quantifier, Sort, Term, Terms};

fn check(make: impl Fn(&mut Terms) -> (Vec<Term>, Vec<Term>)) {
    let (mut terms, mut smt, mut abstractor) = (Terms::new(), Smt::default(), Abstractor::new());
    let (conjuncts, predicates) = make(&mut terms);
    let formula = terms.and(conjuncts);
    let literals: Vec<Literal> = predicates
        .iter()
        .map(|p| abstractor.predicate(&mut terms, *p).expect("a predicate"))
        .collect();

    let mut expect = Region::bottom();
    for n in 0..1 << literals.len() {
        let cube: Vec<Literal> = literals
            .iter()
            .enumerate()
            .map(|(i, literal)| if n >> i & 1 == 1 { *literal } else { !*literal })
            .collect();
        let mut formulas: Vec<Term> =
            cube.iter().map(|l| abstractor.predicates().term(*l)).collect();
        formulas.push(formula);
        match smt.check(&terms, &formulas) {
            Answer::Sat => expect = expect.or(&Region::cube(cube)),
            Answer::Unsat => {}
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
    let over: Vec<_> = literals.iter().map(|l| l.predicate).collect();
    let facts = abstractor.cartesian(&mut terms, &mut smt, formula, &over);
    assert!(facts.is_exact());
    assert_eq!(facts.region, Region::cube(expect.facts()));
    let found = abstractor.boolean(&mut terms, &mut smt, formula, &over);
    assert!(found.is_exact());
    assert_eq!(found.region, expect);
    assert!(!expect.is_top() && !expect.is_bottom(), "a test that bites");
}

fn int(terms: &mut Terms, name: &str) -> Term {
    terms.symbol(name, Sort::Int)
}

fn is(terms: &mut Terms, term: Term, value: i64) -> Term {
    let value = terms.int(value);
    terms.eq(term, value)
}

/// `f(x) = 1` and `x = 3`: where `y = 3`, `f(y) = 1`, though no symbol is shared.
#[test]
fn functions_are_shared() {
    check(|t| {
        let f = t.function("f", &[Sort::Int], Sort::Int);
        let (x, y) = (int(t, "x"), int(t, "y"));
        let (fx, fy) = (t.apply(f, &[x]), t.apply(f, &[y]));
        let predicates = vec![is(t, y, 3), is(t, fy, 1), t.le(x, fx)];
        (vec![is(t, fx, 1), is(t, x, 3)], predicates)
    });
}

/// The same of a division by zero, which is a function.
#[test]
fn division_by_zero_is_shared() {
    check(|t| {
        let (x, y, zero) = (int(t, "x"), int(t, "y"), t.int(0));
        let (dx, dy) = (t.div(x, zero), t.div(y, zero));
        let predicates = vec![is(t, y, 3), is(t, dy, 1), is(t, x, 4)];
        (vec![is(t, dx, 1), is(t, x, 3)], predicates)
    });
}

#[test]
fn arrays() {
    check(|t| {
        let sort = t.array_sort(Sort::Int, Sort::Int);
        let (a, b) = (t.symbol("a", sort), t.symbol("b", sort));
        let (i, j, five) = (int(t, "i"), int(t, "j"), t.int(5));
        let (at_i, at_j) = (t.select(b, i), t.select(b, j));
        let written = t.store(a, i, five);
        let predicates = vec![is(t, at_i, 5), is(t, at_j, 5), t.eq(i, j), t.eq(a, b)];
        (vec![t.eq(b, written)], predicates)
    });
}

#[test]
fn bits() {
    check(|t| {
        let (x, y) = (t.symbol("x", Sort::BitVec(8)), t.symbol("y", Sort::BitVec(8)));
        let (odd, low) = (t.extract(0, 0, x), t.extract(3, 0, y));
        let (one, zero, ten) = (t.bv(1, 1), t.bv(0, 4), t.bv(10, 8));
        let predicates = vec![
            t.bv_compare(BvCompare::Ult, x, ten),
            t.bv_compare(BvCompare::Slt, x, ten),
            t.eq(x, ten),
            t.eq(x, y),
            t.bv_compare(BvCompare::Ule, y, ten),
        ];
        (vec![t.eq(odd, one), t.eq(low, zero)], predicates)
    });
}

#[test]
fn reals_and_quantifiers() {
    check(|t| {
        let (r, s) = (t.symbol("r", Sort::Real), t.symbol("s", Sort::Real));
        let (x, y) = (int(t, "x"), int(t, "y"));
        let symbol = t.as_symbol(y).expect("a symbol");
        let two_y = t.add(y, y);
        let double = t.eq(x, two_y);
        let even = t.quantified(Quantifier::Exists, &[symbol], double);
        let predicates = vec![t.lt(r, s), t.eq(r, s), is(t, x, 3), is(t, x, 4)];
        (vec![t.le(r, s), even], predicates)
    });
}

/// What no predicate speaks of may be false all the same.
#[test]
fn a_contradiction_elsewhere() {
    let (mut terms, mut smt) = (Terms::new(), Smt::default());
    let [x, y, z] = ["x", "y", "z"].map(|name| int(&mut terms, name));
    let twice = terms.add(z, z);
    let three = terms.int(3);
    let parity = terms.modulo(twice, three);
    let elsewhere = [is(&mut terms, parity, 1), is(&mut terms, z, 3)];
    let (x_is_1, y_is_1) = (is(&mut terms, x, 1), is(&mut terms, y, 1));
    let formula = terms.and(elsewhere.into_iter().chain([x_is_1]));
    for boolean in [true, false] {
        let mut abstractor = Abstractor::new();
        let mut add = |p| abstractor.predicate(&mut terms, p).expect("a predicate").predicate;
        let over = [add(x_is_1), add(y_is_1)];
        let found = match boolean {
            true => abstractor.boolean(&mut terms, &mut smt, formula, &over),
            false => abstractor.cartesian(&mut terms, &mut smt, formula, &over),
        };
        assert!(found.is_exact() && found.region.is_bottom());
    }
}
