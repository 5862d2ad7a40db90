//! Formulas as a person would write them: bounds of one sum joined, two that meet as an equation,
//! and what another operand implies left out.

use std::collections::BTreeMap;

use crate::number::{Int, is_negative};
use crate::term::{Node, Relation, Sort, Sum, Term, Terms};

/// An equivalent formula, simpler at its top levels.
pub(crate) fn tidy(terms: &mut Terms, formula: Term) -> Term {
    match terms.node(formula).clone() {
        Node::And(parts) => conjunction(terms, &parts),
        Node::Or(parts) => {
            let negated: Vec<Term> = parts.iter().map(|p| terms.not(*p)).collect();
            let tidied = conjunction(terms, &negated);
            terms.not(tidied)
        }
        _ => formula,
    }
}

/// What is known of a sum without its constant.
#[derive(Default)]
struct Bounds {
    low: Option<Int>,
    high: Option<Int>,
}

fn conjunction(terms: &mut Terms, parts: &[Term]) -> Term {
    let mut bounds: BTreeMap<Vec<(Term, Int)>, Bounds> = BTreeMap::new();
    let mut others = Vec::new();
    for part in parts {
        match terms.as_comparison(*part) {
            Some((relation, sum)) if is_integral(terms, &sum) => note(&mut bounds, relation, sum),
            _ => others.push(tidy(terms, *part)),
        }
    }
    let mut kept = Vec::new();
    for (monomials, bounds) in bounds {
        kept.extend(write(terms, monomials, bounds));
    }
    absorb(terms, &mut others, &kept);
    terms.and(kept.into_iter().chain(others))
}

fn is_integral(terms: &Terms, sum: &Sum) -> bool {
    sum.monomials.iter().all(|(t, _)| terms.sort(*t) == Sort::Int)
}

fn note(bounds: &mut BTreeMap<Vec<(Term, Int)>, Bounds>, relation: Relation, mut sum: Sum) {
    // `sum <= 0` with a negative first coefficient bounds the opposite sum from below.
    let flipped = is_negative(&sum.monomials[0].1);
    if flipped {
        sum = sum.scale(&Int::NEG_ONE);
    }
    let bound = -sum.constant;
    let known = bounds.entry(sum.monomials).or_default();
    if relation == Relation::Zero || flipped {
        known.low = Some(known.low.take().map_or(bound.clone(), |low| low.max(bound.clone())));
    }
    if relation == Relation::Zero || !flipped {
        known.high = Some(known.high.take().map_or(bound.clone(), |high| high.min(bound)));
    }
}

fn write(terms: &mut Terms, monomials: Vec<(Term, Int)>, bounds: Bounds) -> Vec<Term> {
    let sum = Sum { monomials, constant: Int::ZERO, denominator: Int::ONE };
    let sum = terms.sum(sum, Sort::Int);
    let mut written = Vec::new();
    if let (Some(low), Some(high)) = (&bounds.low, &bounds.high)
        && low == high
    {
        let value = terms.int(low.clone());
        return vec![terms.eq(sum, value)];
    }
    if let Some(low) = bounds.low {
        let low = terms.int(low);
        written.push(terms.le(low, sum));
    }
    if let Some(high) = bounds.high {
        let high = terms.int(high);
        written.push(terms.le(sum, high));
    }
    written
}

/// Leaves out disjunctions with a disjunct that stands beside them.
fn absorb(terms: &Terms, others: &mut Vec<Term>, kept: &[Term]) {
    let beside: Vec<Term> = kept.iter().chain(others.iter()).copied().collect();
    others.retain(|part| match terms.node(*part) {
        Node::Or(disjuncts) => !disjuncts.iter().any(|d| beside.contains(d)),
        _ => true,
    });
}
