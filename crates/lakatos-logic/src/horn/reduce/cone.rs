//! What matters: predicates that can be derived at all, and that lead to a contradiction.

use super::Fate;
use crate::horn::{Clause, System};
use crate::term::Term;

pub(super) fn cone(system: &mut System, fates: &mut [Fate]) {
    system.clauses.retain(|clause| clause.constraint != Term::FALSE);
    let derivable = derivable(system);
    for (fate, _) in fates.iter_mut().zip(&derivable).filter(|(_, derivable)| !**derivable) {
        *fate = Fate::Solved(Term::FALSE);
    }
    system.clauses.retain(|clause| clause.body.iter().all(|a| derivable[a.predicate.0]));
    let needed = needed(system);
    for (number, fate) in fates.iter_mut().enumerate() {
        if derivable[number] && !needed[number] {
            *fate = Fate::Solved(Term::TRUE);
        }
    }
    system.clauses.retain(|clause| clause.head.as_ref().is_none_or(|h| needed[h.predicate.0]));
}

fn derivable(system: &System) -> Vec<bool> {
    let mut known = vec![false; system.predicates.len()];
    grow(system, &mut known, |clause, known| {
        let head = clause.head.as_ref()?.predicate.0;
        clause.body.iter().all(|a| known[a.predicate.0]).then(|| vec![head])
    });
    known
}

fn needed(system: &System) -> Vec<bool> {
    let mut known = vec![false; system.predicates.len()];
    grow(system, &mut known, |clause, known| {
        let wanted = clause.head.as_ref().is_none_or(|head| known[head.predicate.0]);
        wanted.then(|| clause.body.iter().map(|a| a.predicate.0).collect())
    });
    known
}

/// Adds what a clause adds, until none adds anything.
fn grow(
    system: &System,
    known: &mut [bool],
    more: impl Fn(&Clause, &[bool]) -> Option<Vec<usize>>,
) {
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &system.clauses {
            for number in more(clause, known).unwrap_or_default() {
                changed |= !known[number];
                known[number] = true;
            }
        }
    }
}
