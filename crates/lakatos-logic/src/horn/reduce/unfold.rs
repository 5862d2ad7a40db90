//! Predicates with one clause, replaced by its body where they are used. Clauses become fewer, and
//! what is left are the predicates at loops and of procedures.

use rustc_hash::FxHashMap;

use super::Fate;
use super::tidy::tidy_clause;
use crate::horn::{Application, Clause, Mark, PredicateId, System};
use crate::term::{Symbol, Term, Terms};

/// A definition that is used several times may be so large.
const MOST_COPIED: usize = 2000;

pub(super) fn unfold(
    terms: &mut Terms,
    system: &mut System,
    fates: &mut [Fate],
    kept: impl Fn(PredicateId) -> bool,
) {
    for number in (0..system.predicates.len()).rev() {
        let predicate = PredicateId(number);
        if fates[number] == Fate::Kept
            && !kept(predicate)
            && let Some(definition) = definition(terms, system, predicate)
        {
            let definition = system.clauses.remove(definition);
            replace(terms, system, predicate, &definition);
            fates[number] = Fate::Unfolded;
        }
    }
}

/// The only clause of a predicate, if it can be put in its place.
fn definition(terms: &Terms, system: &System, predicate: PredicateId) -> Option<usize> {
    let defines = |clause: &Clause| clause.head.as_ref().is_some_and(|h| h.predicate == predicate);
    let mut defining = system.clauses.iter().enumerate().filter(|(_, clause)| defines(clause));
    let (number, definition) = defining.next()?;
    if defining.next().is_some() || uses(definition, predicate) > 0 {
        return None;
    }
    let used: usize = system.clauses.iter().map(|clause| uses(clause, predicate)).sum();
    (used <= 1 || terms.size(definition.constraint) <= MOST_COPIED).then_some(number)
}

fn uses(clause: &Clause, predicate: PredicateId) -> usize {
    clause.body.iter().filter(|a| a.predicate == predicate).count()
}

fn replace(terms: &mut Terms, system: &mut System, predicate: PredicateId, definition: &Clause) {
    for clause in &mut system.clauses {
        while let Some(at) = clause.body.iter().position(|a| a.predicate == predicate) {
            *clause = resolve(terms, clause, at, definition);
        }
    }
}

/// The clause with the body of a definition in place of an application.
fn resolve(terms: &mut Terms, clause: &Clause, at: usize, definition: &Clause) -> Clause {
    let (definition, _) = renamed(terms, definition);
    let arguments = &clause.body[at].arguments;
    let head = definition.head.as_ref().expect("a definition has a head");
    let mut map: FxHashMap<Symbol, Term> = FxHashMap::default();
    let mut equations = Vec::new();
    for (parameter, argument) in head.arguments.iter().zip(arguments) {
        match terms.as_symbol(*parameter) {
            Some(symbol) if !map.contains_key(&symbol) => {
                map.insert(symbol, *argument);
            }
            _ => equations.push((*parameter, *argument)),
        }
    }
    let definition = definition.map(|roots| terms.substitute_all(roots, &map));
    let mut parts = vec![clause.constraint, definition.constraint];
    for (parameter, argument) in equations {
        let parameter = terms.substitute(parameter, &map);
        parts.push(terms.eq(parameter, argument));
    }
    let inserted = definition.body.len();
    let mut body: Vec<Application> = clause.body[..at].to_vec();
    body.extend(definition.body);
    body.extend_from_slice(&clause.body[at + 1..]);
    let before = clause.marks.iter().filter(|m| m.after <= at).cloned();
    let own = definition.marks.into_iter().map(|m| Mark { after: m.after + at, ..m });
    let later = clause.marks.iter().filter(|m| m.after > at);
    let later = later.map(|m| Mark { after: m.after - 1 + inserted, ..m.clone() });
    let marks = before.chain(own).chain(later).collect();
    let constraint = terms.and(parts);
    let (head, note) = (clause.head.clone(), clause.note.clone());
    let mut resolved = Clause { body, constraint, head, marks, note };
    tidy_clause(terms, &mut resolved);
    resolved
}

/// The same clause with symbols of its own, and which they are.
pub(in crate::horn) fn renamed(
    terms: &mut Terms,
    clause: &Clause,
) -> (Clause, FxHashMap<Symbol, Term>) {
    let mut map = FxHashMap::default();
    for symbol in terms.free_symbols_of(&clause.roots()) {
        let name = base(terms.symbol_name(symbol)).to_owned();
        let sort = terms.symbol_sort(symbol);
        map.insert(symbol, terms.fresh(&name, sort));
    }
    (clause.map(|roots| terms.substitute_all(roots, &map)), map)
}

/// A name without what made it different from others.
fn base(name: &str) -> &str {
    name.split(['!', '@']).next().unwrap_or(name)
}
