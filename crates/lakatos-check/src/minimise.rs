//! Smaller proofs. What nobody needs is left out: beginning with the error locations, each
//! condition is asked which parts of the proof it follows from, and those have to be shown in turn.
//!
//! What follows from a case distinction and is simpler is offered beside it, and taken where it
//! suffices.
//!
//! The result is checked like every other proof, so nothing here is trusted.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::SignedOverflow;
use lakatos_logic::number::Int;
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Node, Sort, Term, Terms};

use crate::check::{Flaw, Instrumented, Ways, check};
use crate::condition::{Checked, Outcome};
use crate::cone::Cone;
use crate::parts::{Part, Parts};

/// Proofs with more terms or parts, or formulas with more alternatives, are left as they are.
const MOST_TERMS: usize = 5_000;
const MOST_PARTS: usize = 200;
const MOST_ALTERNATIVES: usize = 200;
const MOST_OFFERED: usize = 60;

/// A proof that says no more than it needs, or the same one where that cannot be told.
pub fn minimise(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Box<Checked> {
    minimised(subject, checked, signed_overflow, smt, Kept::Needed)
}

/// A proof with the same contracts, whose invariants say no more than these need (and the error
/// locations, if there are any), or the same one where that cannot be told.
pub fn minimise_invariants(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Box<Checked> {
    minimised(subject, checked, signed_overflow, smt, Kept::Contracts)
}

/// What stays in a proof, whether or not the error locations need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    Needed,
    Contracts,
}

impl Kept {
    fn keeps(self, slot: Slot) -> bool {
        self == Kept::Contracts && !matches!(slot, Slot::Invariant(..))
    }
}

fn minimised(
    subject: &Instrumented,
    checked: Box<Checked>,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
    kept: Kept,
) -> Box<Checked> {
    if checked.proof().runs().is_some() {
        return checked;
    }
    match smaller(subject, checked.proof(), signed_overflow, smt, kept) {
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
    kept: Kept,
) -> Option<Proof> {
    if proof.terms().len() > MOST_TERMS {
        return None;
    }
    let program = subject.program();
    let mut stopped = false;
    let mut offer = |terms: &mut Terms, slot, formula| match stopped || kept.keeps(slot) {
        true => formula,
        false => split(terms, smt, formula).unwrap_or_else(|| {
            stopped = true;
            formula
        }),
    };
    let split = proof.redraft(program, &mut offer).ok().filter(|_| !stopped)?;
    let parts = Parts::new(&split);
    if parts.all().count() > MOST_PARTS {
        return None;
    }
    let is_simple = |part: &(Part, Term)| split.terms().disjuncts(part.1).len() == 1;
    let simple = parts.all().filter(is_simple).map(|(part, _)| part).collect();
    let roots = parts.all().map(|(part, _)| part).filter(|part| kept.keeps(part.slot)).collect();
    let needed = Needs::new(subject, &split, signed_overflow)?.closure(smt, &simple, roots)?;
    let needed: BTreeSet<(Slot, Term)> = parts
        .all()
        .filter(|(part, _)| needed.contains(part))
        .map(|(part, formula)| (part.slot, formula))
        .collect();
    split.retain(program, |slot, part| kept.keeps(slot) || needed.contains(&(slot, part))).ok()
}

/// What is common to all alternatives stands before them, what follows from them beside. `None`:
/// somebody wants an end.
fn split(terms: &mut Terms, smt: &mut Smt, formula: Term) -> Option<Term> {
    let parts: Vec<Term> =
        terms.conjuncts(formula).into_iter().map(|part| without_common(terms, part)).collect();
    let parts = terms.and(parts);
    let mut all = terms.conjuncts(parts);
    for part in all.clone() {
        all.extend(consequences(terms, smt, part)?);
    }
    Some(terms.and(all))
}

/// Comparisons of numbers that hold in every alternative, some of those that weaken what one of
/// them says.
fn consequences(terms: &mut Terms, smt: &mut Smt, part: Term) -> Option<Vec<Term>> {
    let alternatives = terms.disjuncts(part);
    if !(2..=MOST_ALTERNATIVES).contains(&alternatives.len()) {
        return Some(Vec::new());
    }
    let mut offered = BTreeSet::new();
    for alternative in alternatives {
        for literal in terms.conjuncts(alternative) {
            offered.extend(weakened(terms, literal));
        }
    }
    if offered.len() > MOST_OFFERED {
        return Some(Vec::new());
    }
    let mut following = Vec::new();
    for candidate in offered {
        match smt.refute(terms, &[part], candidate) {
            Answer::Unsat => following.push(candidate),
            Answer::Unknown(reason) if reason.is_end() => return None,
            _ => {}
        }
    }
    Some(following)
}

/// What a comparison with zero implies, itself included.
fn weakened(terms: &mut Terms, literal: Term) -> Vec<Term> {
    let (zero, one) = (terms.int(Int::ZERO), terms.int(Int::ONE));
    match *terms.node(literal) {
        Node::Zero(of) if terms.sort(of) == Sort::Int => {
            vec![literal, terms.le(of, zero), terms.ge(of, zero)]
        }
        Node::NonPositive(of) if terms.sort(of) == Sort::Int => vec![literal, terms.le(of, one)],
        _ => Vec::new(),
    }
}

fn without_common(terms: &mut Terms, part: Term) -> Term {
    let alternatives: Vec<Vec<Term>> =
        terms.disjuncts(part).into_iter().map(|a| terms.conjuncts(a)).collect();
    if alternatives.len() > MOST_ALTERNATIVES || alternatives.len() < 2 {
        return part;
    }
    let alternatives = without_special_cases(alternatives);
    let common: Vec<Term> = alternatives[0]
        .iter()
        .copied()
        .filter(|c| alternatives[1..].iter().all(|other| other.contains(c)))
        .collect();
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

/// Leaves out what says more than another alternative.
fn without_special_cases(alternatives: Vec<Vec<Term>>) -> Vec<Vec<Term>> {
    let includes = |more: &[Term], less: &[Term]| less.iter().all(|c| more.contains(c));
    let mut kept: Vec<Vec<Term>> = Vec::new();
    for alternative in alternatives {
        if !kept.iter().any(|other| includes(&alternative, other)) {
            kept.retain(|other| !includes(other, &alternative));
            kept.push(alternative);
        }
    }
    kept
}

/// A condition as a query: it holds if this contradicts the selectors of what it needs.
pub(crate) struct Query {
    pub facts: usize,
    pub denied: [Term; 2],
}

/// The conditions of a proof, and what they follow from.
pub(crate) struct Needs {
    pub terms: Terms,
    pub selectors: BTreeMap<Part, Term>,
    /// What holds of symbols, for each source.
    facts: Vec<RefCell<Cone>>,
    /// Conditions about parts, and those about none.
    pub queries: BTreeMap<Option<Part>, Vec<Query>>,
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
        Needs::of(Ways::new(subject.program(), proof, signed_overflow))
    }

    /// `None` where a cycle has no cut point.
    pub fn of(mut ways: Ways<'_>) -> Option<Needs> {
        let parts: Vec<Part> = ways.cx.parts.all().map(|(part, _)| part).collect();
        for part in parts {
            let selector = ways.maker.terms.fresh("used", Sort::Bool);
            ways.maker.selectors.insert(part, selector);
        }
        let selectors: Vec<Term> = ways.maker.selectors.values().copied().collect();
        let selectors = ways.maker.terms.free_symbols_of(&selectors);
        let mut facts = Vec::new();
        let mut queries: BTreeMap<Option<Part>, Vec<Query>> = BTreeMap::new();
        let walked = ways.walk(|maker, segment| {
            for obligation in segment.obligations {
                for goal in obligation.goals {
                    let denied = [obligation.state.reach, maker.terms.not(goal.formula)];
                    let query = Query { facts: facts.len(), denied };
                    queries.entry(goal.part).or_default().push(query);
                }
            }
            let cone = Cone::new(&maker.terms, &segment.facts, selectors.clone());
            facts.push(RefCell::new(cone));
            Ok::<(), Unfinished>(())
        });
        walked.ok()?;
        let maker = ways.maker;
        Some(Needs { terms: maker.terms, selectors: maker.selectors, facts, queries })
    }

    /// The parts that the error locations and some parts need, and those that these need.
    fn closure(
        &self,
        smt: &mut Smt,
        simple: &BTreeSet<Part>,
        roots: BTreeSet<Part>,
    ) -> Option<BTreeSet<Part>> {
        let mut open: Vec<Option<Part>> = vec![None];
        open.extend(roots.iter().copied().map(Some));
        let mut needed = roots;
        while let Some(part) = open.pop() {
            for query in self.queries.get(&part).into_iter().flatten() {
                for new in self.ask(smt, query, &needed, simple)? {
                    if needed.insert(new) {
                        open.push(Some(new));
                    }
                }
            }
        }
        Some(needed)
    }

    /// Which of the selectors a condition follows from; the answer if it follows from none.
    pub fn core(&self, smt: &mut Smt, query: &Query, usable: &[Term]) -> Result<Vec<Term>, Answer> {
        let mut cone = self.facts[query.facts].borrow_mut();
        if let Some(less) = cone.around(&self.terms, query.denied)
            && let Ok(core) = smt.core(&self.terms, &less, usable)
        {
            return Ok(core);
        }
        let all: Vec<Term> = cone.facts().iter().chain(&query.denied).copied().collect();
        smt.core(&self.terms, &all, usable)
    }

    /// What a condition follows from: something of what is needed anyway, if that is enough, or
    /// with something simple.
    fn ask(
        &self,
        smt: &mut Smt,
        query: &Query,
        needed: &BTreeSet<Part>,
        simple: &BTreeSet<Part>,
    ) -> Option<Vec<Part>> {
        let mut core = |may: &dyn Fn(&Part) -> bool| {
            let usable = self.selectors.iter().filter(|(part, _)| may(part));
            let usable: Vec<Term> = usable.map(|(_, selector)| *selector).collect();
            self.core(smt, query, &usable).ok()
        };
        let found = core(&|part| needed.contains(part))
            .or_else(|| core(&|part| needed.contains(part) || simple.contains(part)))
            .or_else(|| core(&|_| true))?;
        let of = |selector: &Term| self.selectors.iter().find(|(_, s)| *s == selector);
        Some(found.iter().filter_map(of).map(|(part, _)| *part).collect())
    }
}
