//! Predicates divided by conditions: `P` becomes one predicate where a condition holds and one
//! where it does not. A loop that first does this and then that has simple invariants in each of
//! its phases, where one formula for both is hard to find.

use super::{Application, Clause, Predicate, PredicateId, Solution, System};
use crate::smt::{Answer, Smt};
use crate::term::{Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Conditions for one predicate; each doubles it.
const MOST_CONDITIONS: usize = 2;

/// A predicate, divided.
type Divided = Vec<(Term, PredicateId)>;

/// A divided system, and the way back.
#[derive(Clone, Debug)]
pub struct Cases {
    pub system: System,
    /// For each clause the one that it comes from.
    pub origins: Vec<usize>,
    /// For each predicate of before its conditions, of which always one holds.
    divided: Vec<Divided>,
}

impl Cases {
    /// Divides the predicates of loops by the conditions of their phases; `facts` hold always.
    /// `None`: there are none.
    pub fn new(
        terms: &mut Terms,
        smt: &mut Smt,
        system: &System,
        facts: &[Vec<Term>],
    ) -> Option<Cases> {
        let conditions: Vec<Vec<Term>> = (0..system.predicates.len())
            .map(|number| phases(terms, smt, system, facts, PredicateId(number)))
            .collect();
        if conditions.iter().all(Vec::is_empty) {
            return None;
        }
        let mut cases =
            Cases { system: System::default(), origins: Vec::new(), divided: Vec::new() };
        for (predicate, conditions) in system.predicates.iter().zip(&conditions) {
            cases.divide(terms, predicate, conditions);
        }
        for (origin, clause) in system.clauses.iter().enumerate() {
            cases.add(terms, clause);
            cases.origins.resize(cases.system.clauses.len(), origin);
        }
        Some(cases)
    }

    fn divide(&mut self, terms: &mut Terms, predicate: &Predicate, conditions: &[Term]) {
        let mut divided = Divided::new();
        for bits in 0..1usize << conditions.len() {
            let literals =
                conditions.iter().enumerate().map(|(bit, condition)| match bits >> bit & 1 == 0 {
                    true => *condition,
                    false => terms.not(*condition),
                });
            let literals: Vec<Term> = literals.collect();
            let condition = terms.and(literals);
            let name = match conditions.is_empty() {
                true => predicate.name.clone(),
                false => format!("{}/{bits}", predicate.name),
            };
            let copy = Predicate::new(terms, &name, predicate.parameters.clone());
            divided.push((condition, self.system.add_predicate(copy)));
        }
        self.divided.push(divided);
    }

    /// A clause for each choice of cases.
    fn add(&mut self, terms: &mut Terms, clause: &Clause) {
        let mut done = vec![Clause { body: Vec::new(), head: None, ..clause.clone() }];
        for application in clause.body.iter().chain(&clause.head) {
            let is_head = clause.head.as_ref().is_some_and(|head| std::ptr::eq(head, application));
            let mut more = Vec::new();
            for (condition, copy) in self.divided[application.predicate.0].clone() {
                let application =
                    Application { predicate: copy, arguments: application.arguments.clone() };
                let condition = self.system.instances(terms, &application, &[condition])[0];
                for clause in &done {
                    let mut clause = clause.clone();
                    clause.constraint = terms.and([clause.constraint, condition]);
                    match is_head {
                        true => clause.head = Some(application.clone()),
                        false => clause.body.push(application.clone()),
                    }
                    if clause.constraint != Term::FALSE {
                        more.push(clause);
                    }
                }
            }
            done = more;
        }
        self.system.clauses.extend(done);
    }

    /// What has become of some predicates.
    pub fn copies(&self, of: &[PredicateId]) -> Vec<PredicateId> {
        of.iter().flat_map(|predicate| &self.divided[predicate.0]).map(|(_, copy)| *copy).collect()
    }

    /// A solution of the system as it was. What holds in a case is said part by part, so that each
    /// can be left out.
    pub fn solution(&self, terms: &mut Terms, solution: &Solution) -> Solution {
        let mut whole = Solution::new();
        for divided in &self.divided {
            let mut parts = Vec::new();
            for (condition, copy) in divided {
                let held = terms.conjuncts(solution[copy.0]);
                parts.extend(held.into_iter().map(|part| terms.implies(*condition, part)));
            }
            whole.push(terms.and(parts));
        }
        whole
    }
}

/// Conditions in the clauses from a predicate to itself that hold sometimes and, once they do not
/// hold (or once they do), never (always) again.
fn phases(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    facts: &[Vec<Term>],
    predicate: PredicateId,
) -> Vec<Term> {
    let own = |clause: &&Clause| {
        clause.head.as_ref().is_some_and(|head| head.predicate == predicate)
            && clause.body.iter().any(|a| a.predicate == predicate)
    };
    let steps: Vec<&Clause> = system.clauses.iter().filter(own).collect();
    let mut found: Vec<Term> = Vec::new();
    for step in &steps {
        for Candidate { condition, is_side } in conditions(terms, system, step, predicate) {
            if found.len() == MOST_CONDITIONS {
                return found;
            }
            let negation = terms.not(condition);
            if found.contains(&condition) || found.contains(&negation) {
                continue;
            }
            let stays = stays(terms, smt, system, facts, &steps, predicate, condition);
            // Of the two sides of what is passed, the one that it is behind of then.
            if stays.is_some_and(
                |stays| if is_side { stays == [false, true] } else { stays != [false; 2] },
            ) {
                found.push(condition);
            }
        }
    }
    found
}

/// A condition that may divide a predicate.
struct Candidate {
    condition: Term,
    /// It is one side of an equation.
    is_side: bool,
}

/// Atoms below the connectives of a clause's constraint or in arguments of its head, as formulas
/// over the predicate's parameters.
fn conditions(
    terms: &mut Terms,
    system: &System,
    clause: &Clause,
    predicate: PredicateId,
) -> Vec<Candidate> {
    let applied = clause.body.iter().find(|a| a.predicate == predicate).expect("it is there");
    let mut back = FxHashMap::default();
    for (parameter, argument) in
        system.predicate(predicate).parameters.iter().zip(&applied.arguments)
    {
        if let Some(symbol) = terms.as_symbol(*argument) {
            let parameter = terms.symbol_term(*parameter);
            back.entry(symbol).or_insert(parameter);
        }
    }
    let top = terms.conjuncts(clause.constraint);
    let mut atoms = Vec::new();
    for part in terms.parts_first(&clause.roots()) {
        let is_atom = matches!(terms.node(part), Node::NonPositive(_) | Node::Zero(_));
        if is_atom
            && !top.contains(&part)
            && terms.free_symbols(part).iter().all(|s| back.contains_key(s))
        {
            let condition = terms.substitute(part, &back);
            let sides = sides(terms, condition).into_iter();
            atoms.extend(sides.map(|condition| Candidate { condition, is_side: true }));
            atoms.push(Candidate { condition, is_side: false });
        }
    }
    atoms
}

/// The sides of an equation between numbers: what is reached once, is ahead before and behind
/// after that.
fn sides(terms: &mut Terms, atom: Term) -> Vec<Term> {
    match *terms.node(atom) {
        Node::Zero(difference) if terms.sort(difference) == Sort::Int => {
            let zero = terms.int(0);
            vec![terms.le(difference, zero), terms.le(zero, difference)]
        }
        _ => Vec::new(),
    }
}

/// Of a condition and its negation, which is never left in the loop; `None` if one of them does not
/// occur there.
fn stays(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    facts: &[Vec<Term>],
    steps: &[&Clause],
    predicate: PredicateId,
    condition: Term,
) -> Option<[bool; 2]> {
    let negation = terms.not(condition);
    let mut occurs = [false; 2];
    let mut stays = [true; 2];
    for step in steps {
        let mut premises = vec![step.constraint];
        for application in &step.body {
            premises.extend(system.instances(terms, application, &facts[application.predicate.0]));
        }
        let before = step.body.iter().find(|a| a.predicate == predicate).expect("it is there");
        let after = step.head.as_ref().expect("it has a head");
        for (case, holds) in [condition, negation].into_iter().enumerate() {
            let mut query = premises.clone();
            query.extend(system.instances(terms, before, &[holds]));
            occurs[case] |= smt.check(terms, &query) == Answer::Sat;
            let left = terms.not(holds);
            query.extend(system.instances(terms, after, &[left]));
            stays[case] &= smt.check(terms, &query) == Answer::Unsat;
        }
    }
    (occurs == [true; 2]).then_some(stays)
}
