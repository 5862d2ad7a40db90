//! Solutions as a person would write them: two opposite bounds are an equation.

use crate::term::{Node, Term, Terms};

/// The same formula with equations in place of opposite bounds, in all its conjunctions.
pub fn readable(terms: &mut Terms, formula: Term) -> Term {
    match terms.node(formula) {
        Node::And(parts) => {
            let parts: Vec<Term> = parts.to_vec();
            let parts: Vec<Term> = parts.into_iter().map(|part| readable(terms, part)).collect();
            let parts = terms.with_equations(parts);
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
