//! Derivations from Z3's proofs. A proof by Spacer is a tree of resolution steps with facts
//! without variables; the rules in it are Spacer's own, so the clauses are found again by the
//! solver, which gives the values of their symbols as well.

use rustc_hash::FxHashMap;
use z3::AstKind;
use z3::ast::{Ast, Dynamic};

use super::{Application, Clause, Derivation, Step, System};
use crate::smt::z3::read;
use crate::smt::{Answer, Smt};
use crate::term::{Assignment, Term, Terms};

/// More steps are for no person, and for no replay.
const MOST_FACTS: usize = 100_000;

/// A predicate of values, and the facts that it was derived from. Those come first.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    /// `None` is the contradiction.
    pub predicate: Option<usize>,
    pub values: Vec<Term>,
    pub premises: Vec<usize>,
}

/// The facts of a proof, up to the one that contradicts.
pub(super) fn facts(
    terms: &mut Terms,
    names: &FxHashMap<String, usize>,
    contradiction: &str,
    proof: &Dynamic,
) -> Option<Vec<Fact>> {
    let mut reader =
        Reader { terms, names, contradiction, facts: Vec::new(), done: FxHashMap::default() };
    let mut open = vec![proof.clone()];
    while let Some(next) = open.last().cloned() {
        if reader.done.contains_key(&next) {
            open.pop();
            continue;
        }
        let parts = proofs_in(&next);
        let missing: Vec<Dynamic> =
            parts.iter().filter(|p| !reader.done.contains_key(*p)).cloned().collect();
        if missing.is_empty() {
            let fact = reader.fact(&next, &parts)?;
            reader.done.insert(next, fact);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    let end = reader.facts.iter().position(|fact| fact.predicate.is_none())?;
    reader.facts.truncate(end + 1);
    Some(reader.facts)
}

struct Reader<'a> {
    terms: &'a mut Terms,
    names: &'a FxHashMap<String, usize>,
    contradiction: &'a str,
    facts: Vec<Fact>,
    /// The fact of a part of the proof; `None` for a rule.
    done: FxHashMap<Dynamic, Option<usize>>,
}

/// The parts of a proof that are proofs, rules included.
fn proofs_in(proof: &Dynamic) -> Vec<Dynamic> {
    match is_step(proof) {
        true => {
            let mut parts = proof.children();
            parts.pop();
            parts
        }
        false => Vec::new(),
    }
}

fn is_step(proof: &Dynamic) -> bool {
    proof.kind() == AstKind::App && {
        let name = proof.decl().name();
        name == "hyper-res" || name == "mp"
    }
}

impl Reader<'_> {
    fn fact(&mut self, proof: &Dynamic, parts: &[Dynamic]) -> Option<Option<usize>> {
        if !is_step(proof) {
            return Some(None);
        }
        let premises: Vec<usize> = parts.iter().filter_map(|p| self.done[p]).collect();
        let conclusion = proof.children().pop()?;
        let name = match conclusion.kind() {
            AstKind::App => conclusion.decl().name(),
            _ => return None,
        };
        let predicate = match self.names.get(&name) {
            Some(number) => Some(*number),
            None if name == self.contradiction => None,
            // Z3's own name for the question.
            None => return Some(premises.first().copied()),
        };
        let mut values = Vec::new();
        for child in conclusion.children() {
            let value = read(self.terms, &child)?;
            self.terms.as_value(value)?;
            values.push(value);
        }
        if self.facts.len() >= MOST_FACTS {
            return None;
        }
        self.facts.push(Fact { predicate, values, premises });
        Some(Some(self.facts.len() - 1))
    }
}

/// The clauses behind the facts.
pub(super) fn derivation(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    facts: &[Fact],
) -> Option<Derivation> {
    let facts = &with_plain_truths(terms, smt, system, facts);
    let mut steps = Vec::with_capacity(facts.len());
    for fact in facts {
        let step = system.clauses.iter().enumerate().find_map(|(number, clause)| {
            matching(terms, smt, facts, fact, clause).map(|(premises, values)| Step {
                clause: number,
                premises,
                values,
            })
        });
        steps.push(step?);
    }
    Some(Derivation { steps })
}

/// Predicates without arguments that follow from each other alone are no facts for Spacer: it has
/// simplified them away. They come first, and may be premises of all others.
fn with_plain_truths(terms: &Terms, smt: &mut Smt, system: &System, facts: &[Fact]) -> Vec<Fact> {
    let mut plain: Vec<Fact> = Vec::new();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &system.clauses {
            let known = |application: &Application| {
                plain.iter().position(|fact| fact.predicate == Some(application.predicate.0))
            };
            let Some(head) = &clause.head else { continue };
            let premises: Option<Vec<usize>> = clause.body.iter().map(known).collect();
            if let Some(premises) = premises
                && head.arguments.is_empty()
                && known(head).is_none()
                && smt.check(terms, &[clause.constraint]).is_sat()
            {
                let predicate = Some(head.predicate.0);
                plain.push(Fact { predicate, values: Vec::new(), premises });
                changed = true;
            }
        }
    }
    let offset = plain.len();
    plain.extend(facts.iter().map(|fact| {
        let own = fact.premises.iter().map(|premise| premise + offset);
        Fact { premises: own.chain(0..offset).collect(), ..fact.clone() }
    }));
    plain
}

/// The fact as a step of a clause: which premise stands for which application, and the values.
fn matching(
    terms: &mut Terms,
    smt: &mut Smt,
    facts: &[Fact],
    fact: &Fact,
    clause: &Clause,
) -> Option<(Vec<usize>, Assignment)> {
    if clause.head.as_ref().map(|head| head.predicate.0) != fact.predicate {
        return None;
    }
    let mut equations = vec![clause.constraint];
    if let Some(head) = &clause.head {
        equations.push(equal(terms, head, &fact.values));
    }
    let candidates = Candidates { facts, premises: &fact.premises, clause };
    candidates.choose(terms, smt, &mut equations, &mut Vec::new())
}

/// Facts that may stand for the applications of a clause.
struct Candidates<'a> {
    facts: &'a [Fact],
    premises: &'a [usize],
    clause: &'a Clause,
}

impl Candidates<'_> {
    /// Tries facts for the applications that have none yet.
    fn choose(
        &self,
        terms: &mut Terms,
        smt: &mut Smt,
        equations: &mut Vec<Term>,
        chosen: &mut Vec<usize>,
    ) -> Option<(Vec<usize>, Assignment)> {
        let Some(application) = self.clause.body.get(chosen.len()) else {
            return match smt.model(terms, equations) {
                (Answer::Sat, Some(values)) => Some((chosen.clone(), values)),
                _ => None,
            };
        };
        for &premise in self.premises {
            let fact = &self.facts[premise];
            if fact.predicate != Some(application.predicate.0) {
                continue;
            }
            equations.push(equal(terms, application, &fact.values));
            chosen.push(premise);
            let found = self.choose(terms, smt, equations, chosen);
            equations.pop();
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

fn equal(terms: &mut Terms, application: &Application, values: &[Term]) -> Term {
    let pairs = application.arguments.iter().zip(values);
    let equations: Vec<Term> = pairs.map(|(a, v)| terms.eq(*a, *v)).collect();
    terms.and(equations)
}
