//! Smaller formulas that mean the same: what an engine knows by cases, with much in each case that
//! nobody needs, as few and short cases.
//!
//! Cases are found one by one: a model of the formula that none of them has yet, all comparisons of
//! the formula that hold in it, and of these as few as still imply the formula. Then cases go that
//! the others imply. The proof is checked again, so what is printed is what was checked.

use std::collections::BTreeSet;

use lakatos_check::{Checked, Instrumented, Outcome, check, minimise, minimise_invariants};
use lakatos_evidence::Slot;
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Assignment, Node, Term, Terms};

/// Formulas with more comparisons, or that need more cases, are left as they are.
const MOST_LEAVES: usize = 400;
const MOST_CASES: usize = 100;

/// A proof that says the same in fewer words, or the same proof where that fails.
pub fn simplify(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Box<Checked> {
    let mut shorter = |terms: &mut Terms, _, formula| of_formula(terms, smt, formula);
    let Ok(proof) = checked.proof().redraft(subject.program(), &mut shorter) else {
        return checked;
    };
    match check(subject, proof, signed_overflow, smt) {
        Outcome::Checked(simpler) => minimise(subject, simpler, signed_overflow, smt),
        _ => checked,
    }
}

/// The same for contracts that stay as they are, whether or not a property needs them: how
/// procedures are called. What a behaviour ensures is said once, and what all of them ensure is no
/// matter of behaviours.
pub fn simplify_contexts(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Box<Checked> {
    let program = subject.program();
    let recased = checked
        .proof()
        .recase(program, |terms, cases, before| crate::cases::simpler(terms, smt, cases, before));
    let Ok(recased) = recased else { return checked };
    let shorter = recased.redraft(program, |terms, slot, formula| match slot {
        Slot::Invariant(..) => of_formula(terms, smt, formula),
        _ => formula,
    });
    let Ok(proof) = shorter else { return checked };
    match check(subject, proof, signed_overflow, smt) {
        Outcome::Checked(simpler) => minimise_invariants(subject, simpler, signed_overflow, smt),
        _ => checked,
    }
}

pub(crate) fn of_formula(terms: &mut Terms, smt: &mut Smt, formula: Term) -> Term {
    under(terms, smt, Term::TRUE, formula)
}

/// A formula that means the same as another one where something else holds.
pub(crate) fn under(terms: &mut Terms, smt: &mut Smt, known: Term, formula: Term) -> Term {
    let mut parts: Vec<Term> = Vec::new();
    for part in terms.conjuncts(formula) {
        let part = match terms.disjuncts(part).len() {
            1 => part,
            _ => of_cases(terms, smt, known, part),
        };
        if known == Term::TRUE || smt.refute(terms, &[known], part) != Answer::Unsat {
            parts.push(part);
        }
    }
    terms.and(parts)
}

fn of_cases(terms: &mut Terms, smt: &mut Smt, known: Term, formula: Term) -> Term {
    let leaves = leaves(terms, formula);
    if leaves.len() > MOST_LEAVES {
        return formula;
    }
    let Some(mut cases) = cover(terms, smt, known, formula, &leaves) else { return formula };
    // The last ones were the last that were needed.
    for number in 0..cases.len() {
        let case = std::mem::replace(&mut cases[number], Term::FALSE);
        let others = terms.or(cases.iter().copied());
        if smt.refute(terms, &[known, case], others) != Answer::Unsat {
            cases[number] = case;
        }
    }
    terms.or(cases)
}

/// Cases that are the formula together; `None` if that is too hard.
fn cover(
    terms: &mut Terms,
    smt: &mut Smt,
    known: Term,
    formula: Term,
    leaves: &[Term],
) -> Option<Vec<Term>> {
    let mut cases: Vec<Term> = Vec::new();
    loop {
        let mut rest = vec![known, formula];
        rest.extend(cases.iter().map(|case| terms.not(*case)));
        match smt.model(terms, &rest) {
            (Answer::Unsat, _) => return Some(cases),
            (Answer::Sat, Some(model)) if cases.len() < MOST_CASES => {
                let case = around(terms, smt, (known, formula), leaves, &model)?;
                let case = terms.with_equations(case);
                cases.push(terms.and(case));
            }
            _ => return None,
        }
    }
}

/// As few comparisons that hold in a model as imply the formula.
fn around(
    terms: &mut Terms,
    smt: &mut Smt,
    (known, formula): (Term, Term),
    leaves: &[Term],
    model: &Assignment,
) -> Option<Vec<Term>> {
    let holds = |leaf: &&Term| terms.holds(**leaf, model) == Some(true);
    let mut case: Vec<Term> = leaves.iter().filter(holds).copied().collect();
    let goal = terms.implies(known, formula);
    if smt.refute(terms, &case, goal) != Answer::Unsat {
        return None;
    }
    // Many at once as long as that works.
    let mut size = case.len().div_ceil(2).max(1);
    loop {
        let mut begin = 0;
        while begin < case.len() {
            let end = (begin + size).min(case.len());
            let left: Vec<Term> = [&case[..begin], &case[end..]].concat();
            match smt.refute(terms, &left, goal) {
                Answer::Unsat => case = left,
                _ => begin = end,
            }
        }
        if size == 1 {
            return Some(case);
        }
        size = size.div_ceil(2);
    }
}

/// The comparisons that a formula is made of, in the order in which a person can do without them.
fn leaves(terms: &Terms, formula: Term) -> Vec<Term> {
    let (mut found, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![formula]);
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::And(parts) | Node::Or(parts) => open.extend(parts.iter()),
            _ => found.push(term),
        }
    }
    found.sort_by_key(|leaf| (rank(terms, *leaf), *leaf));
    found
}

/// Equations say most: they are the last to go.
pub(crate) fn rank(terms: &Terms, leaf: Term) -> u8 {
    match terms.node(leaf) {
        Node::Not(_) => 0,
        Node::NonPositive(_) => 1,
        _ => 2,
    }
}
