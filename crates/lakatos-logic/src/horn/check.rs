//! Whether a solution is one: each clause is a query.

use super::{Clause, Solution, System};
use crate::smt::{Answer, Reason, Smt};
use crate::term::{Term, Terms};

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
