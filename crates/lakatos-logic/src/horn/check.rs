//! Whether a solution is one: each clause is a query. Whether a derivation is one: by evaluation.

use super::{Application, Clause, Derivation, Solution, System};
use crate::smt::{Answer, Reason, Smt};
use crate::term::{Assignment, Term, Terms, Value};

/// What is wrong with a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// This clause does not hold.
    Violated(usize),
    /// Whether this clause holds is not known.
    Undecided(usize, Reason),
}

/// All clauses hold, or the first that is not known to.
pub fn check(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    solution: &Solution,
) -> Result<(), Flaw> {
    for (number, clause) in system.clauses.iter().enumerate() {
        let mut query = premises(terms, system, solution, clause);
        if let Some(head) = &clause.head {
            let head = system.instance(terms, solution, head);
            query.push(terms.not(head));
        }
        match smt.check(terms, &query) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Flaw::Violated(number)),
            Answer::Unknown(reason) => return Err(Flaw::Undecided(number, reason)),
        }
    }
    Ok(())
}

/// Whether every step follows from the steps before it, with its values, and the last contradicts.
pub fn derives(terms: &Terms, system: &System, derivation: &Derivation) -> bool {
    let values = |application: &Application, values: &Assignment| -> Option<Vec<Value>> {
        application.arguments.iter().map(|a| terms.evaluate(*a, values)).collect()
    };
    let follows = |(number, step): (usize, &super::Step)| {
        let clause = &system.clauses[step.clause];
        let derived = |(premise, application): (&usize, &Application)| {
            let before = derivation.steps[..number].get(*premise);
            let fact = before.and_then(|before| {
                let head = system.clauses[before.clause].head.as_ref()?;
                Some((head.predicate, values(head, &before.values)?))
            });
            let wanted = values(application, &step.values);
            wanted.is_some_and(|wanted| fact == Some((application.predicate, wanted)))
        };
        terms.holds(clause.constraint, &step.values) == Some(true)
            && step.premises.len() == clause.body.len()
            && step.premises.iter().zip(&clause.body).all(derived)
    };
    let end = derivation.steps.last().map(|step| &system.clauses[step.clause].head);
    end == Some(&None) && derivation.steps.iter().enumerate().all(follows)
}

/// What a clause's body says.
pub(super) fn premises(
    terms: &mut Terms,
    system: &System,
    solution: &Solution,
    clause: &Clause,
) -> Vec<Term> {
    let mut parts = vec![clause.constraint];
    for application in &clause.body {
        parts.push(system.instance(terms, solution, application));
    }
    parts
}
