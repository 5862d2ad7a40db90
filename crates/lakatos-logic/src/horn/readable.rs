//! Solutions as a person would write them: two opposite bounds are an equation.

use crate::number::Int;
use crate::term::{Node, Relation, Sort, Term, Terms};

/// The same formula with equations in place of opposite bounds, in all its conjunctions.
pub fn readable(terms: &mut Terms, formula: Term) -> Term {
    match terms.node(formula) {
        Node::And(parts) => {
            let parts: Vec<Term> = parts.to_vec();
            let parts: Vec<Term> = parts.into_iter().map(|part| readable(terms, part)).collect();
            let parts = with_equations(terms, parts);
            terms.and(parts)
        }
        Node::Or(parts) => {
            let parts: Vec<Term> = parts.to_vec();
            let parts: Vec<Term> = parts.into_iter().map(|part| readable(terms, part)).collect();
            terms.or(parts)
        }
        _ => formula,
    }
}

fn with_equations(terms: &mut Terms, mut parts: Vec<Term>) -> Vec<Term> {
    let mut number = 0;
    while number < parts.len() {
        if let Some((equation, opposite)) = opposite(terms, parts[number])
            && let Some(other) = parts.iter().position(|part| *part == opposite)
        {
            parts[number] = equation;
            parts.remove(other);
            number -= usize::from(other < number);
        }
        number += 1;
    }
    parts
}

/// For `s <= 0`: `s = 0` and `-s <= 0`.
fn opposite(terms: &mut Terms, bound: Term) -> Option<(Term, Term)> {
    let (Relation::NonPositive, sum) = terms.as_comparison(bound)? else { return None };
    let negated = sum.clone().scale(&-Int::ONE);
    let opposite = terms.compare(Relation::NonPositive, negated, Sort::Int);
    Some((terms.compare(Relation::Zero, sum, Sort::Int), opposite))
}
