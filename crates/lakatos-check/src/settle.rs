//! Numbers that a query says outright, put in: where one of its factors is such a number, a product is
//! none, and a division by it is one that solvers know. Solvers that are kept alive do not do this
//! themselves, and products cost them much.

use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;

use crate::divisors::has_products;

/// What is put in may say more numbers, so many times.
const MOST_ROUNDS: usize = 4;

/// The same query, with the numbers and truth values that it says. Without products as it is.
pub(crate) fn settled(terms: &mut Terms, mut query: Vec<Term>) -> Vec<Term> {
    let mut said: Vec<Term> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if !has_products(terms, &query) {
            break;
        }
        let (mut values, mut others) = (FxHashMap::default(), Vec::new());
        let conjuncts: Vec<Term> =
            query.iter().flat_map(|formula| terms.conjuncts(*formula)).collect();
        for formula in conjuncts {
            match value(terms, formula) {
                Some((symbol, known)) if !values.contains_key(&symbol) => {
                    values.insert(symbol, terms.constant(&known));
                    said.push(formula);
                }
                _ => others.push(formula),
            }
        }
        query = terms.substitute_all(&others, &values);
        if values.is_empty() {
            break;
        }
    }
    said.extend(query);
    said
}

/// What a formula says that a symbol is, if it says nothing else.
pub(crate) fn value(terms: &Terms, formula: Term) -> Option<(Symbol, Value)> {
    match terms.node(formula) {
        Node::Symbol(symbol) => Some((*symbol, Value::Bool(true))),
        Node::Not(of) => match terms.node(*of) {
            Node::Symbol(symbol) => Some((*symbol, Value::Bool(false))),
            _ => None,
        },
        Node::Zero(of) => match terms.node(*of) {
            Node::Symbol(symbol) if terms.sort(*of) == Sort::Int => {
                Some((*symbol, Value::Int(Int::ZERO)))
            }
            Node::Sum(sum) => match &sum.monomials[..] {
                [(only, factor)] if terms.sort(*only) == Sort::Int => {
                    let Node::Symbol(symbol) = terms.node(*only) else { return None };
                    (&sum.constant % factor == Int::ZERO)
                        .then(|| (*symbol, Value::Int(-&sum.constant / factor)))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use lakatos_logic::term::Assignment;
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 3] = ["x", "y", "z"];

    /// `a·b ≤ number`, `factor·a = number`, a truth value or that it is not one, and `on → factor·a = b`.
    fn part(terms: &mut Terms, (kind, factor, a, b, number): (u8, i64, usize, usize, i64)) -> Term {
        let [a, b] = [a, b].map(|at| terms.symbol(NAMES[at], Sort::Int));
        let number = terms.int(number);
        let factor = terms.int(factor);
        let multiple = terms.mul(factor, a);
        match kind {
            0 => {
                let product = terms.mul(a, b);
                terms.le(product, number)
            }
            1 => terms.eq(multiple, number),
            2 => terms.symbol("on", Sort::Bool),
            3 => {
                let on = terms.symbol("on", Sort::Bool);
                terms.not(on)
            }
            _ => {
                let (on, equal) = (terms.symbol("on", Sort::Bool), terms.eq(multiple, b));
                terms.implies(on, equal)
            }
        }
    }

    proptest! {
        /// It says the same of all numbers.
        #[test]
        fn settled_queries_say_the_same(
            parts in prop::collection::vec((0..5u8, 1..3i64, 0..3usize, 0..3usize, -3..4i64), 1..6),
            joined: bool,
        ) {
            let mut terms = Terms::new();
            let product = part(&mut terms, (0, 1, 0, 1, 2));
            let mut query: Vec<Term> = parts.into_iter().map(|p| part(&mut terms, p)).collect();
            query.push(product);
            if joined {
                query = vec![terms.and(query)];
            }
            let settled = settled(&mut terms, query.clone());
            let symbols = NAMES.map(|name| terms.symbol(name, Sort::Int));
            let symbols = symbols.map(|symbol| terms.as_symbol(symbol).expect("it is one"));
            let on = terms.symbol("on", Sort::Bool);
            let on = terms.as_symbol(on).expect("it is one");
            let holds = |query: &[Term], values: &Assignment| {
                query.iter().all(|part| terms.holds(*part, values).expect("all has a value"))
            };
            for at in 0..2 * 7i64.pow(3) {
                let mut values = Assignment::default();
                values.symbols.insert(on, Value::Bool(at % 2 == 0));
                for (symbol, by) in symbols.iter().zip([1, 7, 49]) {
                    values.symbols.insert(*symbol, Value::Int(Int::from(at / 2 / by % 7 - 3)));
                }
                prop_assert_eq!(holds(&query, &values), holds(&settled, &values));
            }
        }
    }

    /// A truth value that is said leads to a number, and that to a sum where a product was.
    #[test]
    fn products_with_known_factors_are_none() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Int));
        let on = terms.symbol("on", Sort::Bool);
        let (product, two) = (terms.mul(x, y), terms.int(2));
        let is_two = terms.eq(x, two);
        let query = vec![terms.implies(on, is_two), on, terms.le(product, two)];
        assert!(has_products(&terms, &query));
        let settled = settled(&mut terms, query);
        assert!(!has_products(&terms, &settled));
        let one = terms.int(1);
        assert_eq!(settled, [on, is_two, terms.le(y, one)]);
    }
}
