//! Numbers that a query says outright, put in: where one of its factors is such a number, a product is
//! none. Solvers that are kept alive do not do this themselves, and products cost them much.

use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;

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

pub(crate) fn has_products(terms: &Terms, query: &[Term]) -> bool {
    let parts = terms.parts_first(query);
    parts.into_iter().any(|part| matches!(terms.node(part), Node::Product(_)))
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
