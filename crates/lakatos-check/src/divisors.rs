//! What divides what: laws of remainders by numbers that are not known, which solvers hardly find.
//! Each is true whatever the numbers are, so a query says with them what it says without. And queries
//! for which it does not matter what products and quotients are ([`opaque`]).

use lakatos_logic::term::{Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// With more remainders than that, the laws about three of them are left out: they are too many.
const MOST: usize = 16;

/// A remainder by a number that is not known.
#[derive(Clone, Copy)]
struct Rest {
    of: Term,
    by: Term,
    rest: Term,
}

/// A query with the laws about the remainders in it.
pub(crate) fn with_divisors(terms: &mut Terms, mut query: Vec<Term>) -> Vec<Term> {
    let rests: Vec<Rest> = terms
        .parts_first(&query)
        .into_iter()
        .filter_map(|rest| match *terms.node(rest) {
            Node::Mod(of, by) if terms.as_int(by).is_none() => Some(Rest { of, by, rest }),
            _ => None,
        })
        .collect();
    for rest in &rests {
        query.extend(alone(terms, *rest));
    }
    for (at, a) in rests.iter().enumerate() {
        for b in &rests[..at] {
            query.extend(pair(terms, *a, *b));
            query.extend(pair(terms, *b, *a));
        }
    }
    if rests.len() <= MOST {
        for (at, a) in rests.iter().enumerate() {
            for b in &rests[..at] {
                for sum in &rests {
                    query.extend(triple(terms, *a, *b, *sum));
                }
            }
        }
    }
    query
}

/// Whether there are products of numbers that are not known, or divisions by such.
pub(crate) fn has_products(terms: &Terms, query: &[Term]) -> bool {
    let is_one = |part: Term| match terms.node(part) {
        Node::Product(_) => true,
        Node::Div(_, by) | Node::Mod(_, by) => terms.as_int(*by).is_none(),
        _ => false,
    };
    terms.parts_first(query).into_iter().any(is_one)
}

/// A query in which products of numbers that are not known, and divisions by such, are any functions:
/// what contradicts itself then does so in any case. Solvers spend long on them where all that matters
/// is that equal numbers have equal squares. `None` if there are none.
pub(crate) fn opaque(terms: &mut Terms, query: &[Term]) -> Option<Vec<Term>> {
    let mut made: FxHashMap<Term, Term> = FxHashMap::default();
    for part in terms.parts_first(query) {
        let (name, of) = match terms.node(part) {
            Node::Div(of, by) if terms.as_int(*by).is_none() => ("a / b", vec![*of, *by]),
            Node::Mod(of, by) if terms.as_int(*by).is_none() => ("a % b", vec![*of, *by]),
            Node::Product(factors) => ("a * b", factors.to_vec()),
            _ => continue,
        };
        let sorts = vec![Sort::Int; of.len()];
        if of.iter().any(|part| terms.sort(*part) != Sort::Int) {
            continue;
        }
        let arguments = terms.replace_all(&of, &made);
        let function = terms.function(name, &sorts, Sort::Int);
        let any = terms.apply(function, &arguments);
        made.insert(part, any);
    }
    (!made.is_empty()).then(|| terms.replace_all(query, &made))
}

fn is_zero(terms: &mut Terms, term: Term) -> Term {
    let zero = terms.int(0);
    terms.eq(term, zero)
}

/// Smaller numbers are their own remainders; and nothing is left of the divisor itself.
fn alone(terms: &mut Terms, Rest { of, by, rest }: Rest) -> [Term; 2] {
    let zero = terms.int(0);
    let within = [terms.le(zero, of), terms.lt(of, by)];
    let (within, same) = (terms.and(within), terms.eq(rest, of));
    let small = terms.implies(within, same);
    let (is_divisor, none) = (terms.eq(of, by), is_zero(terms, rest));
    let divisible = is_zero(terms, by);
    let divisible = [is_divisor, terms.not(divisible)];
    let divisible = terms.and(divisible);
    [small, terms.implies(divisible, none)]
}

/// The same by the same; and one divisor more or less changes nothing.
fn pair(terms: &mut Terms, a: Rest, b: Rest) -> Option<Term> {
    let difference = terms.sub(a.of, b.of);
    let by = [b.by, terms.neg(b.by)];
    let zero = terms.int(0);
    if difference != zero && !by.contains(&difference) {
        return None;
    }
    let (same, none) = (terms.eq(a.by, b.by), is_zero(terms, a.by));
    let premises = [same, terms.not(none)];
    let (premises, equal) = (terms.and(premises), terms.eq(a.rest, b.rest));
    Some(terms.implies(premises, equal))
}

/// What divides two numbers divides their sum and their difference.
fn triple(terms: &mut Terms, a: Rest, b: Rest, sum: Rest) -> Option<Term> {
    let combined = [terms.add(a.of, b.of), terms.sub(a.of, b.of), terms.sub(b.of, a.of)];
    if !combined.contains(&sum.of) {
        return None;
    }
    let none = is_zero(terms, sum.by);
    let premises = [
        terms.not(none),
        terms.eq(a.by, sum.by),
        terms.eq(b.by, sum.by),
        is_zero(terms, a.rest),
        is_zero(terms, b.rest),
    ];
    let (premises, divisible) = (terms.and(premises), is_zero(terms, sum.rest));
    Some(terms.implies(premises, divisible))
}

#[cfg(test)]
mod tests {
    use lakatos_logic::number::Int;
    use lakatos_logic::smt::{Answer, Smt};
    use lakatos_logic::term::{Assignment, Sort, Value};
    use proptest::prelude::*;

    use super::*;

    fn remainders(terms: &mut Terms) -> (Vec<Term>, Vec<Term>) {
        let [x, y, z, c, d] = ["x", "y", "z", "c", "d"].map(|n| terms.symbol(n, Sort::Int));
        let sums = [x, y, terms.add(x, y), terms.sub(x, y), terms.add(x, c), terms.sub(y, d), z, c];
        let mut query = Vec::new();
        for sum in sums {
            for by in [c, d] {
                let rest = terms.modulo(sum, by);
                query.push(terms.eq(rest, z));
            }
        }
        (vec![x, y, z, c, d], query)
    }

    proptest! {
        /// They are laws: no numbers contradict them.
        #[test]
        fn laws_hold_of_all_numbers(values in prop::collection::vec(-12i64..13, 5)) {
            prop_assume!(values[3] != 0 && values[4] != 0);
            let mut terms = Terms::new();
            let (symbols, query) = remainders(&mut terms);
            let asked = query.len();
            let all = with_divisors(&mut terms, query);
            prop_assert!(all.len() > asked + 40);
            let mut numbers = Assignment::default();
            for (symbol, value) in symbols.iter().zip(values) {
                let symbol = terms.as_symbol(*symbol).expect("it is one");
                numbers.symbols.insert(symbol, Value::Int(Int::from(value)));
            }
            for law in &all[asked..] {
                prop_assert_eq!(terms.holds(*law, &numbers), Some(true), "{}", terms.display(*law));
            }
        }
    }

    /// Equal numbers have equal quotients and squares, inside of others, too; other laws are gone.
    #[test]
    fn products_and_quotients_may_be_anything() {
        let mut terms = Terms::new();
        let [x, y, n] = ["x", "y", "n"].map(|name| terms.symbol(name, Sort::Int));
        let mut halved = |number: Term| {
            let quotient = terms.div(number, n);
            terms.div(quotient, n)
        };
        let (a, b) = (halved(x), halved(y));
        let (same, other) = (terms.eq(x, y), terms.ne(a, b));
        let mut smt = Smt::default();
        let query = opaque(&mut terms, &[same, other]).expect("there are divisions");
        let is_left = |part: Term| matches!(terms.node(part), Node::Div(..));
        assert!(!terms.parts_first(&query).into_iter().any(is_left));
        assert_eq!(smt.check(&terms, &query), Answer::Unsat);
        let own = terms.div(n, n);
        let (two, one) = (terms.int(2), terms.int(1));
        let query = [terms.le(two, n), terms.ne(own, one)];
        let weaker = opaque(&mut terms, &query).expect("there is one");
        assert_eq!(smt.check(&terms, &weaker), Answer::Sat);
        let (square, other) = (terms.mul(x, x), terms.mul(y, y));
        let query = [terms.le(x, y), terms.le(y, x), terms.lt(square, other)];
        let query = opaque(&mut terms, &query).expect("there are products");
        assert_eq!(smt.check(&terms, &query), Answer::Unsat);
        let known = terms.div(x, two);
        let query = [terms.eq(known, y)];
        assert_eq!(opaque(&mut terms, &query), None);
    }

    #[test]
    fn remainders_by_constants_are_left_to_the_solver() {
        let mut terms = Terms::new();
        let (x, three) = (terms.symbol("x", Sort::Int), terms.int(3));
        let rest = terms.modulo(x, three);
        let query = vec![is_zero(&mut terms, rest)];
        assert_eq!(with_divisors(&mut terms, query.clone()), query);
    }
}
