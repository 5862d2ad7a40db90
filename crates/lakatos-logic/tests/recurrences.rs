//! Closed forms against the loops that they are of.

use std::collections::BTreeMap;

use lakatos_logic::number::{Int, wrap_unsigned};
use lakatos_logic::recurrence::{Closed, Polynomial, solve};
use lakatos_logic::term::{Assignment, Sort, Symbol, Term, Terms, Value};
use proptest::prelude::*;

const NAMES: [&str; 4] = ["x", "y", "z", "p"];

/// A loop over `x`, `y` and `z`; `p` stays as it is.
struct Loop {
    terms: Terms,
    symbols: Vec<Symbol>,
    /// Of the first three.
    updates: Vec<Term>,
}

impl Loop {
    fn new(updates: impl Fn(&mut Terms, &[Term]) -> Vec<Term>) -> Loop {
        let mut terms = Terms::new();
        let values: Vec<Term> = NAMES.iter().map(|name| terms.symbol(name, Sort::Int)).collect();
        let symbols = values.iter().map(|v| terms.as_symbol(*v).expect("a symbol")).collect();
        let updates = updates(&mut terms, &values);
        Loop { terms, symbols, updates }
    }

    fn solve(&self) -> BTreeMap<Symbol, Closed> {
        let update = |(symbol, update): (&Symbol, &Term)| {
            (*symbol, Polynomial::of_term(&self.terms, *update))
        };
        solve(&self.symbols.iter().zip(&self.updates).map(update).collect())
    }

    fn assignment(&self, values: &[Int]) -> Assignment {
        let values = self.symbols.iter().zip(values);
        let symbols = values.map(|(symbol, value)| (*symbol, Value::Int(value.clone()))).collect();
        Assignment { symbols, ..Assignment::default() }
    }

    fn value(&self, term: Term, values: &[Int]) -> Int {
        match self.terms.evaluate(term, &self.assignment(values)) {
            Some(Value::Int(value)) => value,
            other => panic!("{other:?}"),
        }
    }

    /// Of the variables with a closed form, which depend on no others: those may grow beyond all
    /// bounds.
    fn turn(&self, closed: &BTreeMap<Symbol, Closed>, values: &[Int]) -> Vec<Int> {
        let mut next = values.to_vec();
        for (at, update) in self.updates.iter().enumerate() {
            if closed.contains_key(&self.symbols[at]) {
                next[at] = self.value(*update, values);
            }
        }
        next
    }

    /// Compares all closed forms with the loop, also in 32 bits; says how many there are.
    fn compare(&mut self, start: &[i64]) -> usize {
        let closed = self.solve();
        let start: Vec<Int> = start.iter().map(|v| Int::from(*v)).collect();
        let narrow = |values: &[Int]| -> Vec<Int> {
            values.iter().map(|value| wrap_unsigned(value, 32)).collect()
        };
        let (mut values, mut wrapped) = (start.clone(), narrow(&start));
        for n in 0..=50u32 {
            for (at, symbol) in self.symbols.clone().iter().enumerate().take(3) {
                let Some(Closed { form, from }) = closed.get(symbol) else { continue };
                if n < *from || form.last().is_some_and(|last| n > last) {
                    continue;
                }
                let count = self.terms.int(n);
                let (term, denominator) = form.to_term(&mut self.terms, count);
                let found = self.value(term, &start);
                assert_eq!(found, &values[at] * &denominator, "{} after {n}", NAMES[at]);
                let found = wrap_unsigned(&(found / denominator), 32);
                assert_eq!(found, wrapped[at], "{} after {n}, in 32 bits", NAMES[at]);
            }
            values = self.turn(&closed, &values);
            wrapped = narrow(&self.turn(&closed, &wrapped));
        }
        closed.len()
    }
}

/// How many of the three variables have a closed form.
fn check(what: &str, updates: impl Fn(&mut Terms, &[Term]) -> Vec<Term>, expected: usize) {
    let found = Loop::new(updates).compare(&[3, -2, 7, 5]);
    assert_eq!(found, expected, "{what}");
}

#[test]
fn known_loops() {
    let one = |t: &mut Terms, x: Term| {
        let one = t.int(1);
        t.add(x, one)
    };
    check("counters", |t, v| vec![one(t, v[0]), t.add(v[1], v[3]), v[2]], 3);
    check("a sum of a counter", |t, v| vec![one(t, v[0]), t.add(v[1], v[0]), v[2]], 3);
    check(
        "squares and cubes",
        |t, v| {
            let square = t.mul(v[0], v[0]);
            vec![one(t, v[0]), t.add(v[1], square), t.add(v[2], v[1])]
        },
        3,
    );
    check("doubling", |t, v| vec![t.scale(&Int::from(2), v[0]), t.add(v[1], v[0]), v[2]], 3);
    check("alternating", |t, v| vec![t.neg(v[0]), t.add(v[1], v[0]), v[2]], 3);
    check("swapping", |_, v| vec![v[1], v[0], v[2]], 3);
    check("a reset", |t, v| vec![v[3], t.add(v[1], v[0]), t.add(v[2], v[1])], 3);
    check("a chain of copies", |t, v| vec![one(t, v[0]), v[0], v[1]], 3);
    check("Fibonacci's, whose base is no integer", |t, v| vec![v[1], t.add(v[0], v[1]), v[2]], 1);
    check("a power, which is no sum of such parts", |t, v| vec![t.mul(v[0], v[0]), v[1], v[0]], 1);
    check("a factorial", |t, v| vec![one(t, v[0]), t.mul(v[1], v[0]), t.add(v[2], v[0])], 2);
    check(
        "a remainder is no polynomial",
        |t, v| {
            let two = t.int(2);
            vec![t.modulo(v[0], two), t.add(v[1], v[0]), one(t, v[2])]
        },
        1,
    );
}

#[test]
fn the_paper_s_closed_form() {
    // j := j + 1; i := i + j
    let mut subject = Loop::new(|t, v| {
        let one = t.int(1);
        let j = t.add(v[0], one);
        vec![j, t.add(v[1], j), v[2]]
    });
    let closed = subject.solve();
    let n = subject.terms.symbol("n", Sort::Int);
    let (term, denominator) = closed[&subject.symbols[1]].form.to_term(&mut subject.terms, n);
    assert_eq!(denominator, Int::from(2));
    // 2i + 2jn + n(n + 1)
    let (x, y) = (subject.terms.symbol("x", Sort::Int), subject.terms.symbol("y", Sort::Int));
    let terms = &mut subject.terms;
    let (xn, nn) = (terms.mul(x, n), terms.mul(n, n));
    let (a, b) = (terms.scale(&Int::from(2), y), terms.scale(&Int::from(2), xn));
    assert_eq!(term, terms.add_all([a, b, nn, n], Sort::Int));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_loops(
        matrix in prop::collection::vec(prop::collection::vec(-2i64..=2, 5), 3),
        mask in prop::collection::vec(any::<bool>(), 9),
        squares in prop::collection::vec(-1i64..=1, 3),
        start in prop::collection::vec(-9i64..=9, 4),
    ) {
        let mut subject = Loop::new(|terms, v| {
            let one = terms.int(1);
            let inputs = [v[0], v[1], v[2], v[3], one];
            (0..3).map(|row| {
                let mut parts: Vec<Term> = (0..5)
                    .filter(|column| *column >= 3 || mask[row * 3 + column])
                    .map(|column| terms.scale(&Int::from(matrix[row][column]), inputs[column]))
                    .collect();
                let square = terms.mul(v[0], v[0]);
                if row > 0 {
                    parts.push(terms.scale(&Int::from(squares[row]), square));
                }
                terms.add_all(parts, Sort::Int)
            }).collect()
        });
        subject.compare(&start);
    }
}
