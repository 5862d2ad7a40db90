//! Claims about arrays that hold together: of many guesses, all that are inductive.
//!
//! The same as [`inductive`](crate::inductive) does, for formulas with quantifiers and with functions
//! of the user: the queries are made free of quantifiers once, and what is left of the claims is
//! asserted as a whole. Each model denies some claims, which go. Nothing here is trusted: what is left
//! is no proof until it has been checked as one.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Reason, Smt};
use lakatos_logic::term::{Sort, Term, Terms, Value};

use crate::check::{Flaw, Instrumented, Ways};
use crate::parts::{Part, Parts};

/// Which of the claims hold, each if the others that are left do.
pub fn inductive_guesses(
    subject: &Instrumented,
    proof: &Proof,
    claims: &[(Slot, Term)],
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Result<Vec<bool>, Reason> {
    let (parts, numbers) = Parts::of_claims(proof, claims);
    let mut ways = Ways::of_parts(subject.program(), proof, parts, signed_overflow);
    let mut left: BTreeMap<Part, Term> = BTreeMap::new();
    for part in &numbers {
        let selector = ways.maker.terms.fresh("used", Sort::Bool);
        left.insert(*part, selector);
    }
    ways.maker.selectors = left.clone();
    let mut questions = Vec::new();
    let walked = ways.walk(|maker, segment| {
        for obligation in segment.obligations {
            let mut denials = BTreeMap::new();
            let mut query = segment.facts.clone();
            query.push(obligation.state.reach);
            for goal in obligation.goals {
                let Some(part) = goal.part else { continue };
                let denied = maker.terms.fresh("denied", Sort::Bool);
                let fails = maker.terms.not(goal.formula);
                query.push(maker.terms.implies(denied, fails));
                denials.insert(part, denied);
            }
            if !denials.is_empty() {
                let query = subject.grounded(&mut maker.terms, query);
                questions.push(Question { query, denials });
            }
        }
        Ok::<(), Unfinished>(())
    });
    if walked.is_err() {
        return Ok(vec![false; claims.len()]);
    }
    let mut houdini = Houdini { terms: ways.maker.terms, smt, left };
    houdini.run(&questions)?;
    Ok(numbers.iter().map(|part| houdini.left.contains_key(part)).collect())
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
    /// Truth values: if one of them is true, the claim is false.
    denials: BTreeMap<Part, Term>,
}

struct Houdini<'s> {
    terms: Terms,
    smt: &'s mut Smt,
    /// The claims that are left, and what says that they are used.
    left: BTreeMap<Part, Term>,
}

impl Houdini<'_> {
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
        let open = question.denials.iter().filter(|(part, _)| self.left.contains_key(part));
        open.map(|(part, denied)| (*part, *denied)).collect()
    }

    /// What becomes of "one of these is false", and which are.
    fn denied(&mut self, question: &Question, open: &[(Part, Term)]) -> (Answer, BTreeSet<Part>) {
        let mut query = question.query.clone();
        query.extend(self.left.values());
        query.push(self.terms.or(open.iter().map(|(_, denied)| *denied)));
        let (answer, model) = self.smt.model(&self.terms, &query);
        let is_true = |denied: Term| match &model {
            Some(model) => self.terms.evaluate(denied, model) == Some(Value::Bool(true)),
            None => false,
        };
        let denied = open.iter().filter(|(_, denied)| is_true(*denied)).map(|(part, _)| *part);
        (answer, denied.collect())
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
}
