//! Smaller formulas that mean the same: what an engine knows by cases, with much in each case that
//! the others imply, as few and short cases.
//!
//! A case (a conjunction) loses a part if what is left still implies the whole formula; then cases
//! go that the others imply. The proof is checked again, so what is printed is what was checked.

use lakatos_check::{Checked, Instrumented, Outcome, check, minimise};
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Node, Term, Terms};

/// Formulas with more cases, or with more parts in all of them, are left as they are.
const MOST_CASES: usize = 300;
const MOST_PARTS: usize = 12_000;

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

fn of_formula(terms: &mut Terms, smt: &mut Smt, formula: Term) -> Term {
    let parts: Vec<Term> = terms
        .conjuncts(formula)
        .into_iter()
        .map(|part| match terms.disjuncts(part).len() {
            1 => part,
            _ => of_cases(terms, smt, part),
        })
        .collect();
    terms.and(parts)
}

fn of_cases(terms: &mut Terms, smt: &mut Smt, formula: Term) -> Term {
    let Some(mut cases) = cases(terms, formula) else { return formula };
    let size: usize = cases.iter().map(Vec::len).sum();
    if size > MOST_PARTS {
        return formula;
    }
    for case in &mut cases {
        // What was found last stands last, and often says most.
        let mut number = 0;
        while number < case.len() && case.len() > 1 {
            let part = case.remove(number);
            if smt.refute(terms, case, formula) != Answer::Unsat {
                case.insert(number, part);
                number += 1;
            }
        }
    }
    cases.sort_by_key(Vec::len);
    let mut whole: Vec<Term> = cases.iter().map(|case| terms.and(case.iter().copied())).collect();
    whole.dedup();
    // The longest ones are the first to go.
    for number in (0..whole.len()).rev() {
        let case = whole.remove(number);
        let others = terms.or(whole.iter().copied());
        if smt.refute(terms, &[case], others) != Answer::Unsat {
            whole.insert(number, case);
        }
    }
    terms.or(whole)
}

/// The formula as cases; `None` if there are too many.
fn cases(terms: &Terms, formula: Term) -> Option<Vec<Vec<Term>>> {
    let found = match terms.node(formula) {
        Node::Or(parts) => {
            let mut all = Vec::new();
            for part in parts.iter() {
                all.extend(cases(terms, *part)?);
            }
            all
        }
        Node::And(parts) => {
            let mut all: Vec<Vec<Term>> = vec![Vec::new()];
            for part in parts.iter() {
                let right = cases(terms, *part)?;
                if all.len() * right.len() > MOST_CASES {
                    return None;
                }
                let product = all
                    .iter()
                    .flat_map(|case| right.iter().map(move |more| [&case[..], &more[..]].concat()));
                all = product.collect();
            }
            all
        }
        _ => vec![vec![formula]],
    };
    (found.len() <= MOST_CASES).then_some(found)
}
