//! Trees by binary problems, one a node (BAM thesis, section 2.6.3, algorithms 6 and 7). The ways
//! differ in what stands on the two sides.

use super::newton::restrict;
use super::{Interpolator, Problem};
use crate::term::{Term, Terms};

/// Algorithm 7: from the leaves to the root; what is done already stands for its subtree. `order`
/// has children before parents.
fn upwards(
    interpolator: &mut Interpolator<'_>,
    terms: &mut Terms,
    problem: &Problem,
    order: &[usize],
) -> Option<Vec<Term>> {
    let mut done: Vec<Option<Term>> = vec![None; problem.len()];
    done[problem.root()] = Some(Term::FALSE);
    for node in order.iter().copied().filter(|n| *n != problem.root()) {
        let below: Vec<Term> =
            problem.children(node).iter().map(|c| done[*c].expect("children first")).collect();
        let inside = terms.and(below.into_iter().chain([problem.formulas()[node]]));
        let outside = outside(terms, problem, &done, node);
        done[node] = Some(interpolator.between(terms, inside, outside)?);
    }
    done.into_iter().collect()
}

/// The rest of the tree: interpolants stand for subtrees that have one.
fn outside(terms: &mut Terms, problem: &Problem, done: &[Option<Term>], node: usize) -> Term {
    let mut parts = Vec::new();
    let mut open = vec![problem.root()];
    while let Some(at) = open.pop() {
        if at == node {
            continue;
        }
        match done[at] {
            Some(interpolant) if at != problem.root() && !problem.contains(at, node) => {
                parts.push(interpolant);
            }
            _ => {
                parts.push(problem.formulas()[at]);
                open.extend_from_slice(problem.children(at));
            }
        }
    }
    terms.and(parts)
}

/// In the order of a counterexample: calls that are done stand by what they showed.
pub(super) fn nested(
    interpolator: &mut Interpolator<'_>,
    terms: &mut Terms,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let order: Vec<usize> = (0..problem.len()).collect();
    upwards(interpolator, terms, problem, &order)
}

/// All leaves first, then their parents.
pub(super) fn binary_per_node(
    interpolator: &mut Interpolator<'_>,
    terms: &mut Terms,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let mut heights = vec![0; problem.len()];
    for node in 0..problem.len() {
        heights[node] =
            problem.children(node).iter().map(|c| heights[*c] + 1).max().unwrap_or_default();
    }
    let mut order: Vec<usize> = (0..problem.len()).collect();
    order.sort_by_key(|n| heights[*n]);
    upwards(interpolator, terms, problem, &order)
}

/// Algorithm 6: one contradiction, and every node's share of it by itself. Nothing makes the
/// results fit together, so they are candidates more than elsewhere.
pub(super) fn well_scoped(
    interpolator: &mut Interpolator<'_>,
    terms: &mut Terms,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let problem = restrict(terms, interpolator.smt, problem)?;
    let mut candidates = Vec::with_capacity(problem.len());
    for node in 0..problem.root() {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..problem.len()).partition(|n| problem.contains(node, *n));
        let inside = terms.and(inside.into_iter().map(|n| problem.formulas()[n]));
        let outside = terms.and(outside.into_iter().map(|n| problem.formulas()[n]));
        candidates.push(interpolator.between(terms, inside, outside)?);
    }
    candidates.push(Term::FALSE);
    Some(candidates)
}

/// From the root: a node's interpolant contradicts what its parent needs shown. For a sequence,
/// repeated binary interpolation from the end.
pub(super) fn backward(
    interpolator: &mut Interpolator<'_>,
    terms: &mut Terms,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let mut done: Vec<Option<Term>> = vec![None; problem.len()];
    done[problem.root()] = Some(Term::FALSE);
    for node in (0..problem.root()).rev() {
        let parent = problem.parent(node).expect("only the root has none");
        let wanted = terms.not(done[parent].expect("parents first"));
        let mut outside = vec![problem.formulas()[parent], wanted];
        for sibling in problem.children(parent).iter().copied().filter(|c| *c != node) {
            match done[sibling] {
                Some(interpolant) => outside.push(interpolant),
                None => {
                    outside.extend(problem.subtree(sibling).iter().map(|n| problem.formulas()[*n]));
                }
            }
        }
        let inside = terms.and(problem.subtree(node).iter().map(|n| problem.formulas()[*n]));
        let outside = terms.and(outside);
        done[node] = Some(interpolator.between(terms, inside, outside)?);
    }
    done.into_iter().collect()
}
