//! Contracts by cases, made small: how a procedure is called, and what it does then.

use lakatos_evidence::{Behaviour, Cases};
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Term, Terms};

use crate::simplify::{rank, under};

/// Of each question whether behaviours are complete or disjoint.
pub(crate) const DECIDED: Limits = Limits { resources: Some(2_000_000), time: None };

/// A behaviour, and what it assumes as that is spoken of when the procedure has returned.
#[derive(Clone, Copy)]
struct Case {
    assumes: Term,
    premise: Term,
    ensures: Term,
}

/// Cases that mean the same. `before` is what they require and what each of them assumes, as that
/// is spoken of when the procedure has returned.
pub(crate) fn simpler(terms: &mut Terms, smt: &mut Smt, cases: Cases, before: &[Term]) -> Cases {
    let requires = reduced(terms, smt, Term::TRUE, cases.requires);
    let known = before[0];
    let mut all: Vec<Case> = Vec::new();
    for (behaviour, premise) in cases.behaviours.iter().zip(&before[1..]) {
        let assumes = reduced(terms, smt, Term::TRUE, behaviour.assumes);
        let premise = terms.and([known, *premise]);
        let ensures = reduced(terms, smt, premise, behaviour.ensures);
        all.push(Case { assumes, premise, ensures });
    }
    let one = match all.is_empty() {
        true => known,
        false => terms.or(all.iter().map(|case| case.premise)),
    };
    let mut ensures = reduced(terms, smt, one, cases.ensures);
    for part in common(terms, smt, &all) {
        ensures = terms.and([ensures, part]);
    }
    for case in &mut all {
        let known = terms.and([case.premise, ensures]);
        case.ensures = reduced(terms, smt, known, case.ensures);
    }
    all = without_special(terms, smt, ensures, all);
    if all.iter().all(|case| case.ensures == Term::TRUE) {
        // It is only said how the procedure is called.
        let any = match all.is_empty() {
            true => Term::TRUE,
            false => terms.or(all.iter().map(|case| case.assumes)),
        };
        let any = reduced(terms, smt, Term::TRUE, any);
        let requires = terms.and([requires, any]);
        return Cases { requires, ensures, behaviours: Vec::new() };
    }
    if let [only] = all[..] {
        let requires = terms.and([requires, only.assumes]);
        let ensures = terms.and([ensures, only.ensures]);
        return Cases { requires, ensures, behaviours: Vec::new() };
    }
    let behaviours =
        all.iter().map(|case| Behaviour { assumes: case.assumes, ensures: case.ensures }).collect();
    Cases { requires, ensures, behaviours }
}

/// A formula that means the same where something is known, without parts that follow from others.
fn reduced(terms: &mut Terms, smt: &mut Smt, known: Term, formula: Term) -> Term {
    let formula = under(terms, smt, known, formula);
    let mut parts = terms.conjuncts(formula);
    parts.sort_by_key(|part| rank(terms, *part));
    let mut number = 0;
    while number < parts.len() {
        let part = parts.remove(number);
        let others: Vec<Term> = [known].into_iter().chain(parts.iter().copied()).collect();
        if smt.refute(terms, &others, part) != Answer::Unsat {
            parts.insert(number, part);
            number += 1;
        }
    }
    let parts = terms.with_equations(parts);
    terms.and(parts)
}

/// What every case ensures.
fn common(terms: &mut Terms, smt: &mut Smt, all: &[Case]) -> Vec<Term> {
    let mut found = Vec::new();
    let parts: Vec<Term> = all.iter().flat_map(|case| terms.conjuncts(case.ensures)).collect();
    for part in parts {
        let holds =
            |case: &Case| smt.refute(terms, &[case.premise, case.ensures], part) == Answer::Unsat;
        if !found.contains(&part) && all.iter().all(holds) {
            found.push(part);
        }
    }
    found
}

/// Leaves out a case that another one includes, if it does not say more.
fn without_special(terms: &mut Terms, smt: &mut Smt, ensures: Term, all: Vec<Case>) -> Vec<Case> {
    let mut kept = all;
    let mut number = 0;
    while number < kept.len() {
        let case = kept[number];
        let mut others = kept.iter().enumerate().filter(|(other, _)| *other != number);
        let included = others.any(|(_, other)| {
            let premises = [case.premise, ensures, other.ensures];
            smt.refute(terms, &[case.premise], other.premise) == Answer::Unsat
                && smt.refute(terms, &premises, case.ensures) == Answer::Unsat
        });
        match included {
            true => drop(kept.remove(number)),
            false => number += 1,
        }
    }
    kept
}

/// Whether assumptions include all calls that are allowed, and whether no call fulfils two of them:
/// `false` where that is not clear.
pub(crate) fn distinct(
    terms: &Terms,
    smt: &mut Smt,
    requires: Term,
    assumptions: &[Term],
) -> (bool, bool) {
    let mut own = Terms::new();
    let roots: Vec<Term> = [requires].into_iter().chain(assumptions.iter().copied()).collect();
    let roots = own.import(terms, &roots);
    let (requires, assumptions) = (roots[0], &roots[1..]);
    let any = own.or(assumptions.iter().copied());
    let complete = smt.refute(&mut own, &[requires], any) == Answer::Unsat;
    let pairs = assumptions.iter().enumerate();
    let mut pairs = pairs.flat_map(|(n, a)| assumptions[n + 1..].iter().map(move |b| (*a, *b)));
    let disjoint = pairs.all(|(a, b)| smt.check(&own, &[requires, a, b]) == Answer::Unsat);
    (complete, disjoint)
}
