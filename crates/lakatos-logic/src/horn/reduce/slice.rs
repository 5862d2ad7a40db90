//! Arguments that nobody looks at. An argument is needed if, somewhere in a body, it is more than
//! a symbol that occurs nowhere else but in arguments of the head that are not needed.

use rustc_hash::FxHashMap;

use crate::horn::{Application, Clause, Predicate, System};
use crate::term::{Symbol, Term, Terms};

pub(super) fn slice(terms: &mut Terms, system: &mut System) {
    let needed = needed(terms, system);
    for clause in &mut system.clauses {
        for application in clause.body.iter_mut().chain(&mut clause.head) {
            let mut position = needed[application.predicate.0].iter();
            application.arguments.retain(|_| *position.next().expect("one for each"));
        }
    }
    for (predicate, needed) in system.predicates.iter_mut().zip(&needed) {
        if needed.contains(&false) {
            let parameters = predicate.parameters.iter().zip(needed);
            let parameters = parameters.filter(|(_, needed)| **needed).map(|(p, _)| *p).collect();
            *predicate = Predicate::new(terms, &predicate.name, parameters);
        }
    }
}

/// For each predicate which arguments are needed.
fn needed(terms: &Terms, system: &System) -> Vec<Vec<bool>> {
    let mut needed: Vec<Vec<bool>> =
        system.predicates.iter().map(|p| vec![false; p.parameters.len()]).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &system.clauses {
            let seen = occurrences(terms, clause, &needed);
            for application in &clause.body {
                for (position, argument) in application.arguments.iter().enumerate() {
                    let known = &mut needed[application.predicate.0][position];
                    let alone = terms.as_symbol(*argument).is_some_and(|s| seen[&s] <= 1);
                    changed |= !*known && !alone;
                    *known |= !alone;
                }
            }
        }
    }
    needed
}

/// How often symbols occur: in the constraint, in the body, and in arguments of the head that are
/// needed.
fn occurrences(terms: &Terms, clause: &Clause, needed: &[Vec<bool>]) -> FxHashMap<Symbol, usize> {
    let mut seen: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut count = |term: Term| {
        for symbol in terms.free_symbols(term) {
            *seen.entry(symbol).or_default() += 1;
        }
    };
    count(clause.constraint);
    clause.body.iter().flat_map(|a| &a.arguments).for_each(|a| count(*a));
    if let Some(Application { predicate, arguments }) = &clause.head {
        let head = arguments.iter().zip(&needed[predicate.0]);
        head.filter(|(_, needed)| **needed).for_each(|(a, _)| count(*a));
    }
    seen
}
