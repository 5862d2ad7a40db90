//! Guesses about arrays that make a proof: of many claims, those that are inductive and needed.
//!
//! The same as [`inductive`](crate::inductive) and [`minimise`](crate::minimise) do, for formulas with
//! quantifiers and with functions of the user: the queries are made free of quantifiers once, and what
//! is left of the claims is asserted as a whole. Each model denies some claims, which go. Then the
//! error locations say which of the rest they need, and these which they need in turn. Nothing here is
//! trusted: what comes out is no proof until it has been checked as one.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Reason, Smt, made};
use lakatos_logic::term::{Node, Sort, Term, Terms};

use crate::check::{Flaw, Instrumented, Ways};
use crate::divisors::{has_products, opaque};
use crate::parts::{Part, Parts};
use crate::settle::{settled, value};
use crate::walk::Goal;

/// What became of claims, one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guessed {
    /// It holds, if the others that hold do.
    pub held: Vec<bool>,
    /// Those of them that exclude the errors, and what these need; `None` if they do not.
    pub needed: Option<Vec<bool>>,
}

/// Which claims hold, each if the others do, and whether they exclude the errors.
pub fn needed_guesses(
    subject: &Instrumented,
    proof: &Proof,
    claims: &[(Slot, Term)],
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Result<Guessed, Reason> {
    let (parts, numbers) = Parts::of_claims(proof, claims);
    let mut ways = Ways::of_parts(subject.program(), proof, parts, signed_overflow);
    let mut left: BTreeMap<Part, Term> = BTreeMap::new();
    for part in &numbers {
        let selector = ways.maker.terms.fresh("used", Sort::Bool);
        left.insert(*part, selector);
    }
    ways.maker.selectors = left.clone();
    let Some(questions) = questions(subject, &mut ways) else {
        return Ok(Guessed { held: vec![false; claims.len()], needed: None });
    };
    let terms = ways.maker.terms;
    smt.refuting(|smt| {
        let mut houdini = Houdini { terms, smt, left: left.clone(), products: Products::Any };
        // What it takes to exclude the errors may not have to do with what products are.
        let guessed = houdini.guessed(&questions, &numbers)?;
        if guessed.needed.is_some() || houdini.products != Products::Forgotten {
            return Ok(guessed);
        }
        houdini.left = left;
        houdini.products = Products::Known;
        houdini.guessed(&questions, &numbers)
    })
}

/// What queries say of products and divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Products {
    /// They are any functions ([`opaque`]), if there are some.
    Any,
    /// The same, and there were some.
    Forgotten,
    Known,
}

struct Unfinished;

impl From<Flaw> for Unfinished {
    fn from(_: Flaw) -> Unfinished {
        Unfinished
    }
}

/// Whether claims hold at the end of some ways.
struct Question {
    query: Vec<Term>,
    /// Truth values: if one of them is true, the claim is false. Without a claim: something else is
    /// that has to hold.
    denials: BTreeMap<Option<Part>, Term>,
}

/// `None` where a cycle has no cut point.
fn questions(subject: &Instrumented, ways: &mut Ways<'_>) -> Option<Vec<Question>> {
    let mut questions = Vec::new();
    let walked = ways.walk(|maker, segment| {
        for obligation in segment.obligations {
            let mut known = segment.facts.clone();
            known.push(obligation.state.reach);
            for goals in apart(&maker.terms, obligation.goals) {
                let mut query = known.clone();
                let mut denials: BTreeMap<Option<Part>, Term> = BTreeMap::new();
                for goal in goals {
                    let denied = *denials
                        .entry(goal.part)
                        .or_insert_with(|| maker.terms.fresh("denied", Sort::Bool));
                    let fails = maker.terms.not(goal.formula);
                    query.push(maker.terms.implies(denied, fails));
                }
                let before = maker.terms.len();
                let query = subject.grounded(&mut maker.terms, query);
                made(maker.terms.len() - before);
                questions.push(Question { query, denials });
            }
        }
        Ok::<(), Unfinished>(())
    });
    walked.ok().map(|()| questions)
}

/// Claims about all indices one by one: each brings an index of its own, at which everything that is
/// known is said. The others together.
fn apart(terms: &Terms, goals: Vec<Goal>) -> Vec<Vec<Goal>> {
    let is_quantified = |goal: &Goal| {
        let parts = terms.parts_first(&[goal.formula]);
        parts.into_iter().any(|part| matches!(terms.node(part), Node::Quantified(..)))
    };
    let (quantified, plain): (Vec<Goal>, Vec<Goal>) = goals.into_iter().partition(is_quantified);
    let mut groups: Vec<Vec<Goal>> = quantified.into_iter().map(|goal| vec![goal]).collect();
    groups.extend((!plain.is_empty()).then_some(plain));
    groups
}

struct Houdini<'s> {
    terms: Terms,
    smt: &'s mut Smt,
    /// The claims that are left, and what says that they are used.
    left: BTreeMap<Part, Term>,
    products: Products,
}

impl Houdini<'_> {
    fn guessed(&mut self, questions: &[Question], numbers: &[Part]) -> Result<Guessed, Reason> {
        self.run(questions)?;
        let needed = self.needed(questions)?;
        let held = numbers.iter().map(|part| self.left.contains_key(part)).collect();
        let is_needed =
            |needed: BTreeSet<Part>| numbers.iter().map(|p| needed.contains(p)).collect();
        Ok(Guessed { held, needed: needed.map(is_needed) })
    }

    fn run(&mut self, questions: &[Question]) -> Result<(), Reason> {
        loop {
            let before = self.left.len();
            for question in questions {
                self.ask(question)?;
            }
            if self.left.len() == before {
                return Ok(());
            }
        }
    }

    /// Drops claims until those that are left cannot be denied.
    fn ask(&mut self, question: &Question) -> Result<(), Reason> {
        loop {
            let open: Vec<(Part, Term)> = self.open(question);
            if open.is_empty() {
                return Ok(());
            }
            let (answer, denied) = self.denied(question, &open);
            match answer {
                Answer::Unsat => return Ok(()),
                Answer::Unknown(reason) if reason.is_end() => return Err(reason),
                Answer::Sat if !denied.is_empty() => self.left.retain(|p, _| !denied.contains(p)),
                _ => return self.one_by_one(question),
            }
        }
    }

    fn open(&self, question: &Question) -> Vec<(Part, Term)> {
        let open = question.denials.iter().filter_map(|(part, denied)| {
            let part = (*part)?;
            self.left.contains_key(&part).then_some((part, *denied))
        });
        open.collect()
    }

    /// A query without products, as far as that is possible.
    fn simplified(&mut self, query: Vec<Term>) -> Vec<Term> {
        let query = settled(&mut self.terms, query);
        if self.products == Products::Known {
            return query;
        }
        match opaque(&mut self.terms, &query) {
            Some(weaker) => {
                self.products = Products::Forgotten;
                weaker
            }
            None => query,
        }
    }

    /// What becomes of "one of these is false", and which are.
    fn denied(&mut self, question: &Question, open: &[(Part, Term)]) -> (Answer, BTreeSet<Part>) {
        let mut query = question.query.clone();
        query.extend(self.left.values());
        query.push(self.terms.or(open.iter().map(|(_, denied)| *denied)));
        let query = self.simplified(query);
        let asked: Vec<Term> = open.iter().map(|(_, denied)| *denied).collect();
        let (answer, values) = self.smt.holding(&self.terms, &query, &asked);
        let denied = open.iter().zip(values.unwrap_or_default()).filter(|(_, is_true)| *is_true);
        (answer, denied.map(|((part, _), _)| *part).collect())
    }

    /// Where all together are too hard, or a model does not tell.
    fn one_by_one(&mut self, question: &Question) -> Result<(), Reason> {
        for claim in self.open(question) {
            match self.denied(question, &[claim]).0 {
                Answer::Unsat => {}
                Answer::Unknown(reason) if reason.is_end() => return Err(reason),
                _ => drop(self.left.remove(&claim.0)),
            }
        }
        Ok(())
    }

    /// What the error locations need, and what that needs. `None` if all is not enough.
    fn needed(&mut self, questions: &[Question]) -> Result<Option<BTreeSet<Part>>, Reason> {
        let mut needed: BTreeSet<Part> = BTreeSet::new();
        let mut open: Vec<Option<Part>> = vec![None];
        while let Some(part) = open.pop() {
            for question in questions {
                let Some(denied) = question.denials.get(&part) else { continue };
                let Some(core) = self.core(question, *denied, &needed)? else { return Ok(None) };
                for part in core {
                    if needed.insert(part) {
                        open.push(Some(part));
                    }
                }
            }
        }
        Ok(Some(needed))
    }

    /// The selectors of claims that say what a number is, where there are products: these are used
    /// whether they are needed or not.
    fn settling(&self, query: &[Term]) -> BTreeSet<Term> {
        if !has_products(&self.terms, query) {
            return BTreeSet::new();
        }
        let conjuncts = query.iter().flat_map(|formula| self.terms.conjuncts(*formula));
        let settling: BTreeSet<Term> = conjuncts.filter_map(|f| self.settling_one(f)).collect();
        self.left.values().copied().filter(|selector| settling.contains(selector)).collect()
    }

    /// What says that a claim is used, if it says what a number is: `used → x = 4`.
    fn settling_one(&self, formula: Term) -> Option<Term> {
        let Node::Or(parts) = self.terms.node(formula) else { return None };
        let [a, b] = parts[..] else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(unused, claim)| {
            let Node::Not(used) = *self.terms.node(unused) else { return None };
            value(&self.terms, claim).map(|_| used)
        })
    }

    /// The claims from which something follows: of those that are needed anyway, if they are enough.
    fn core(
        &mut self,
        question: &Question,
        denied: Term,
        needed: &BTreeSet<Part>,
    ) -> Result<Option<Vec<Part>>, Reason> {
        let mut query: Vec<Term> = question.query.iter().copied().chain([denied]).collect();
        let settling = self.settling(&query);
        query.extend(&settling);
        let query = self.simplified(query);
        for all in [false, true] {
            let usable = self.left.iter().filter(|(part, _)| all || needed.contains(part));
            let usable = usable.map(|(_, selector)| *selector).filter(|s| !settling.contains(s));
            let usable: Vec<Term> = usable.collect();
            match self.smt.core(&self.terms, &query, &usable) {
                Ok(mut core) => {
                    core.extend(&settling);
                    let is_in = |(_, selector): &(&Part, &Term)| core.contains(selector);
                    return Ok(Some(self.left.iter().filter(is_in).map(|(p, _)| *p).collect()));
                }
                Err(Answer::Unknown(reason)) if reason.is_end() => return Err(reason),
                Err(_) => {}
            }
        }
        // The solver may decide without selectors what it does not with them.
        let mut query: Vec<Term> = question.query.iter().copied().chain([denied]).collect();
        query.extend(self.left.values());
        let query = self.simplified(query);
        match self.smt.check(&self.terms, &query) {
            Answer::Unsat => Ok(Some(self.left.keys().copied().collect())),
            Answer::Unknown(reason) if reason.is_end() => Err(reason),
            _ => Ok(None),
        }
    }
}
