//! Smaller proofs. What nobody needs is left out: beginning with the error locations, each
//! condition is asked which parts of the proof it follows from, and those have to be shown in turn.
//!
//! The result is checked like every other proof, so nothing here is trusted.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Sort, Term, Terms};

use crate::check::{Flaw, Instrumented, Ways, check};
use crate::condition::{Checked, Outcome};
use crate::parts::{Part, Parts};

/// Formulas of more parts, or with more alternatives, are left as they are.
const MOST_PARTS: usize = 400;
const MOST_ALTERNATIVES: usize = 200;

/// A proof that says no more than it needs, or the same one where that cannot be told.
pub fn minimise(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Box<Checked> {
    match smaller(subject, checked.proof(), signed_overflow, smt) {
        Some(proof) => match check(subject, proof, signed_overflow, smt) {
            Outcome::Checked(smaller) => smaller,
            _ => checked,
        },
        None => checked,
    }
}

fn smaller(
    subject: &Instrumented,
    proof: &Proof,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Option<Proof> {
    let program = subject.program();
    let split = proof.redraft(program, |terms, _, formula| factored(terms, formula)).ok()?;
    let parts = Parts::new(&split);
    if parts.all().count() > MOST_PARTS {
        return None;
    }
    let needed = Needs::new(subject, &split, signed_overflow)?.closure(smt)?;
    let needed: BTreeSet<(Slot, Term)> = parts
        .all()
        .filter(|(part, _)| needed.contains(part))
        .map(|(part, formula)| (part.slot, formula))
        .collect();
    split.retain(program, |slot, part| needed.contains(&(slot, part))).ok()
}

/// What is common to all alternatives stands before them.
fn factored(terms: &mut Terms, formula: Term) -> Term {
    let parts: Vec<Term> =
        terms.conjuncts(formula).into_iter().map(|part| without_common(terms, part)).collect();
    terms.and(parts)
}

fn without_common(terms: &mut Terms, part: Term) -> Term {
    let alternatives: Vec<Vec<Term>> =
        terms.disjuncts(part).into_iter().map(|a| terms.conjuncts(a)).collect();
    if alternatives.len() > MOST_ALTERNATIVES || alternatives.len() < 2 {
        return part;
    }
    let common: Vec<Term> = alternatives[0]
        .iter()
        .copied()
        .filter(|c| alternatives[1..].iter().all(|other| other.contains(c)))
        .collect();
    if common.is_empty() {
        return part;
    }
    let rest: Vec<Term> = alternatives
        .into_iter()
        .map(|alternative| {
            let rest: Vec<Term> = alternative.into_iter().filter(|c| !common.contains(c)).collect();
            terms.and(rest)
        })
        .collect();
    let rest = terms.or(rest);
    terms.and(common.into_iter().chain([rest]))
}

/// A condition as a query: it holds if this contradicts the selectors of what it needs.
struct Query {
    facts: usize,
    denied: [Term; 2],
}

/// The conditions of a proof, and what they follow from.
struct Needs {
    terms: Terms,
    selectors: BTreeMap<Part, Term>,
    /// What holds of symbols, for each source.
    facts: Vec<Vec<Term>>,
    /// Conditions about parts, and those about none.
    queries: BTreeMap<Option<Part>, Vec<Query>>,
}

/// The walk cannot be finished.
struct Unfinished;

impl From<Flaw> for Unfinished {
    fn from(_: Flaw) -> Unfinished {
        Unfinished
    }
}

impl Needs {
    fn new(
        subject: &Instrumented,
        proof: &Proof,
        signed_overflow: SignedOverflow,
    ) -> Option<Needs> {
        let mut ways = Ways::new(subject.program(), proof, signed_overflow);
        let parts: Vec<Part> = ways.cx.parts.all().map(|(part, _)| part).collect();
        for part in parts {
            let selector = ways.maker.terms.fresh("used", Sort::Bool);
            ways.maker.selectors.insert(part, selector);
        }
        let mut facts = Vec::new();
        let mut queries: BTreeMap<Option<Part>, Vec<Query>> = BTreeMap::new();
        let walked = ways.walk(|maker, segment| {
            for obligation in segment.obligations {
                let denied = [obligation.state.reach, maker.terms.not(obligation.goal)];
                let query = Query { facts: facts.len(), denied };
                queries.entry(obligation.part).or_default().push(query);
            }
            facts.push(segment.facts);
            Ok::<(), Unfinished>(())
        });
        walked.ok()?;
        let maker = ways.maker;
        Some(Needs { terms: maker.terms, selectors: maker.selectors, facts, queries })
    }

    /// The parts that the error locations need, and those that these need.
    fn closure(&self, smt: &mut Smt) -> Option<BTreeSet<Part>> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<Option<Part>> = vec![None];
        while let Some(part) = open.pop() {
            for query in self.queries.get(&part).into_iter().flatten() {
                for new in self.ask(smt, query, &needed)? {
                    if needed.insert(new) {
                        open.push(Some(new));
                    }
                }
            }
        }
        Some(needed)
    }

    /// What a condition follows from; of what is needed anyway, if that is enough.
    fn ask(&self, smt: &mut Smt, query: &Query, needed: &BTreeSet<Part>) -> Option<Vec<Part>> {
        let formulas: Vec<Term> =
            self.facts[query.facts].iter().chain(&query.denied).copied().collect();
        let known: Vec<Term> = needed.iter().map(|part| self.selectors[part]).collect();
        if smt.core(&self.terms, &formulas, &known).is_ok() {
            return Some(Vec::new());
        }
        let all: Vec<Term> = self.selectors.values().copied().collect();
        let core = smt.core(&self.terms, &formulas, &all).ok()?;
        let of = |selector: &Term| self.selectors.iter().find(|(_, s)| *s == selector);
        Some(core.iter().filter_map(of).map(|(part, _)| *part).collect())
    }
}
