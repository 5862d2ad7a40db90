//! Claims that hold together: of what somebody says of a program, all that is inductive.
//!
//! Nothing here is trusted: what is left is no proof until it has been checked as one.

use std::collections::BTreeSet;

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Reason, Smt};
use lakatos_logic::term::Term;

use crate::check::{Instrumented, Ways};
use crate::minimise::Needs;
use crate::parts::{Part, Parts};

/// Which of the claims hold, each if the others that are left do: whenever a run comes to where one
/// of them stands, it is true. They are the most that can be kept. Error locations do not matter.
///
/// The claims are formulas of the proof's arena. Of the proof only the arena, the cut points and
/// what procedures change are used, so claims may contradict each other. An error if somebody wants
/// an end.
pub fn inductive(
    subject: &Instrumented,
    proof: &Proof,
    claims: &[(Slot, Term)],
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Result<Vec<bool>, Reason> {
    let (parts, numbers) = Parts::of_claims(proof, claims);
    let ways = Ways::of_parts(subject.program(), proof, parts, signed_overflow);
    let Some(needs) = Needs::of(ways) else { return Ok(vec![false; claims.len()]) };
    let left = needs.inductive(smt)?;
    Ok(numbers.iter().map(|part| left.contains(part)).collect())
}

impl Needs {
    /// The parts that hold if the others of them do: those go that do not follow, until all do.
    /// What the solver cannot decide goes, too.
    fn inductive(&self, smt: &mut Smt) -> Result<BTreeSet<Part>, Reason> {
        let mut left: BTreeSet<Part> = self.selectors.keys().copied().collect();
        loop {
            let before = left.len();
            for part in left.clone() {
                if !self.follows(smt, part, &left)? {
                    left.remove(&part);
                }
            }
            if left.len() == before {
                return Ok(left);
            }
        }
    }

    /// Whether every condition about a part follows from these parts.
    fn follows(&self, smt: &mut Smt, part: Part, from: &BTreeSet<Part>) -> Result<bool, Reason> {
        let usable: Vec<Term> = from.iter().map(|part| self.selectors[part]).collect();
        for query in self.queries.get(&Some(part)).into_iter().flatten() {
            match self.core(smt, query, &usable) {
                Ok(_) => {}
                Err(Answer::Unknown(reason)) if reason.is_end() => return Err(reason),
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }
}
