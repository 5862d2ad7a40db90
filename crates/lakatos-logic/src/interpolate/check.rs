//! Nothing leaves unchecked: every interpolant is shown to follow, to contradict and to speak of
//! shared symbols only. The same pass drops conjuncts that are not needed.

use std::fmt;

use super::Problem;
use crate::smt::{Answer, Smt};
use crate::term::{Term, Terms};

/// Why a candidate is no interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The candidate of a node speaks of a symbol that is not shared.
    Vocabulary { node: usize, symbol: String },
    /// A node's interpolant does not follow from its formula and its children's interpolants.
    NotInductive { node: usize },
    /// The solver could not tell.
    Undecided { node: usize, answer: Answer },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Vocabulary { node, symbol } => {
                write!(f, "the candidate of node {node} speaks of `{symbol}`, which is not shared")
            }
            Rejection::NotInductive { node } => {
                write!(f, "the candidate of node {node} does not follow from those below it")
            }
            Rejection::Undecided { node, answer } => {
                write!(f, "whether the candidate of node {node} follows is open: {answer:?}")
            }
        }
    }
}

/// Checks candidates (one a node, the root's included) and returns them without the conjuncts
/// that nothing needs.
pub fn check(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
    candidates: &[Term],
) -> Result<Vec<Term>, Rejection> {
    assert_eq!(candidates.len(), problem.len(), "one candidate a node");
    check_vocabulary(terms, problem, candidates)?;
    let mut kept = candidates.to_vec();
    kept[problem.root()] = Term::FALSE;
    // From the root down: what a parent does not need of its children is gone before they are
    // asked to show it.
    for node in (0..problem.len()).rev() {
        let needed = step(terms, smt, problem, &kept, node)?;
        for child in problem.children(node) {
            let conjuncts = terms.conjuncts(kept[*child]);
            kept[*child] = terms.and(conjuncts.into_iter().filter(|c| needed.contains(c)));
        }
    }
    Ok(kept)
}

fn check_vocabulary(
    terms: &Terms,
    problem: &Problem,
    candidates: &[Term],
) -> Result<(), Rejection> {
    for (node, vocabulary) in problem.vocabularies(terms).iter().enumerate() {
        let used = terms.free_symbols(candidates[node]);
        if let Some(symbol) = used.difference(vocabulary).next()
            && node != problem.root()
        {
            let symbol = terms.symbol_name(*symbol).to_string();
            return Err(Rejection::Vocabulary { node, symbol });
        }
    }
    Ok(())
}

/// That a node's candidate follows, and from which conjuncts of its children's.
fn step(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
    kept: &[Term],
    node: usize,
) -> Result<Vec<Term>, Rejection> {
    if kept[node] == Term::TRUE {
        return Ok(Vec::new());
    }
    let below: Vec<Term> =
        problem.children(node).iter().flat_map(|c| terms.conjuncts(kept[*c])).collect();
    let negated = terms.not(kept[node]);
    let fixed = [problem.formulas()[node], negated];
    let mut needed = smt.core(terms, &fixed, &below).map_err(|answer| match answer {
        Answer::Sat => Rejection::NotInductive { node },
        answer => Rejection::Undecided { node, answer },
    })?;
    for conjunct in needed.clone() {
        if needed.len() < 2 || !needed.contains(&conjunct) {
            continue;
        }
        let without: Vec<Term> = needed.iter().copied().filter(|c| *c != conjunct).collect();
        if let Ok(fewer) = smt.core(terms, &fixed, &without) {
            needed = fewer;
        }
    }
    Ok(needed)
}
