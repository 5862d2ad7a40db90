//! Systems as SMT-LIB text of the logic `HORN`, for other solvers and for people; solutions and
//! derivations as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Clause, Derivation, Solution, System};
use crate::number::Int;
use crate::smt::sexpr::Atom;
use crate::term::{Node, Relation, Sum, Symbol, Term, Terms};

/// The whole script. Notes of clauses are comments.
pub fn script(terms: &mut Terms, system: &System) -> String {
    let mut out = String::from("(set-logic HORN)\n");
    let used: BTreeSet<usize> = system
        .clauses
        .iter()
        .flat_map(|clause| clause.body.iter().chain(&clause.head))
        .map(|application| application.predicate.0)
        .collect();
    for predicate in used.iter().map(|number| &system.predicates[*number]) {
        let sorts: Vec<String> =
            predicate.parameters.iter().map(|s| terms.smtlib_sort(terms.symbol_sort(*s))).collect();
        let name = quoted(&predicate.name);
        let _ = writeln!(out, "(declare-fun {name} ({}) Bool)", sorts.join(" "));
    }
    for clause in &system.clauses {
        let _ = write!(out, "\n; {}\n", clause.note.replace('\n', " "));
        out += &assertion(terms, system, clause);
    }
    out + "\n(check-sat)\n"
}

fn assertion(terms: &mut Terms, system: &System, clause: &Clause) -> String {
    let clause = readable(terms, system, clause);
    let mut body: Vec<String> =
        clause.body.iter().map(|a| applied(terms, system, a.predicate.0, &a.arguments)).collect();
    body.extend(terms.conjuncts(clause.constraint).iter().map(|c| premise(terms, *c)));
    let head = match &clause.head {
        Some(head) => applied(terms, system, head.predicate.0, &head.arguments),
        None => "false".to_owned(),
    };
    let body = match body.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("(and {})", several.join("\n             "))),
    };
    let matrix = match body {
        None => head,
        Some(body) => format!("(=> {body}\n        {head})"),
    };
    let bound: Vec<String> = system
        .bound(terms, &clause)
        .into_iter()
        .map(|s| {
            let sort = terms.smtlib_sort(terms.symbol_sort(s));
            format!("({} {sort})", symbol_text(terms, s))
        })
        .collect();
    match bound.is_empty() {
        true => format!("(assert {matrix})\n"),
        false => format!("(assert\n  (forall ({})\n    {matrix}))\n", bound.join(" ")),
    }
}

/// A conjunct of a body. Of a comparison each side gets what it adds: `(<= x (+ y 3))`, not
/// `(<= (+ x (- y) (- 3)) 0)`.
fn premise(terms: &mut Terms, conjunct: Term) -> String {
    if let Node::Not(inner) = *terms.node(conjunct)
        && let Some((Relation::Zero, _)) = terms.as_comparison(inner)
    {
        return format!("(not {})", premise(terms, inner));
    }
    let Some((relation, sum)) = terms.as_comparison(conjunct) else {
        return terms.smtlib(conjunct);
    };
    let Some((first, _)) = sum.monomials.first() else { return terms.smtlib(conjunct) };
    let sort = terms.sort(*first);
    let (mut left, mut right) = (Sum::constant(Int::ZERO), Sum::constant(Int::ZERO));
    for (term, factor) in sum.monomials {
        match factor > Int::ZERO {
            true => left.monomials.push((term, factor)),
            false => right.monomials.push((term, -factor)),
        }
    }
    match left.monomials.is_empty() {
        true => left.constant = sum.constant,
        false => right.constant = -sum.constant,
    }
    let (left, right) = (terms.sum(left, sort), terms.sum(right, sort));
    let operator = match relation {
        Relation::Zero => "=",
        Relation::NonPositive => "<=",
    };
    format!("({operator} {} {})", terms.smtlib(left), terms.smtlib(right))
}

fn symbol_text(terms: &mut Terms, symbol: Symbol) -> String {
    let term = terms.symbol_term(symbol);
    terms.smtlib(term)
}

fn applied(terms: &Terms, system: &System, predicate: usize, arguments: &[Term]) -> String {
    let name = quoted(&system.predicates[predicate].name);
    match arguments.is_empty() {
        true => name,
        false => {
            let arguments: Vec<String> = arguments.iter().map(|a| terms.smtlib(*a)).collect();
            format!("({name} {})", arguments.join(" "))
        }
    }
}

fn quoted(name: &str) -> String {
    Atom::Symbol(name.to_owned()).to_string()
}

/// The clause with names that are as short as they can be.
fn readable(terms: &mut Terms, system: &System, clause: &Clause) -> Clause {
    let mut map = FxHashMap::default();
    let mut taken: BTreeSet<String> = system.predicates.iter().map(|p| p.name.clone()).collect();
    for symbol in system.bound(terms, clause) {
        let base = base(terms.symbol_name(symbol)).to_owned();
        let mut name = base.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            name = format!("{base}.{number}");
            number += 1;
        }
        let sort = terms.symbol_sort(symbol);
        map.insert(symbol, terms.symbol(&name, sort));
    }
    clause.map(|roots| terms.substitute_all(roots, &map))
}

/// A name without what makes it different from others.
fn base(name: &str) -> &str {
    match name.split(['#', '!', '@']).next() {
        None | Some("") => "v",
        Some(base) => base,
    }
}

/// A solution as definitions of the predicates.
pub fn model(terms: &mut Terms, system: &System, solution: &Solution) -> String {
    let mut out = String::from("(\n");
    for (predicate, formula) in system.predicates.iter().zip(solution) {
        let mut parameters = Vec::new();
        let mut map = FxHashMap::default();
        for (number, symbol) in predicate.parameters.iter().enumerate() {
            let sort = terms.symbol_sort(*symbol);
            let short = terms.symbol(&format!("x{number}"), sort);
            parameters.push(format!("(x{number} {})", terms.smtlib_sort(sort)));
            map.insert(*symbol, short);
        }
        let formula = terms.substitute(*formula, &map);
        let (name, formula) = (quoted(&predicate.name), terms.smtlib(formula));
        let parameters = parameters.join(" ");
        let _ = writeln!(out, "  (define-fun {name} ({parameters}) Bool\n    {formula})");
    }
    out + ")\n"
}

/// A derivation, a step a line: what it derives, from which steps, by which clause.
pub fn steps(terms: &mut Terms, system: &System, derivation: &Derivation) -> String {
    let mut out = String::new();
    for (number, step) in derivation.steps.iter().enumerate() {
        let clause = &system.clauses[step.clause];
        let fact = match &clause.head {
            None => "false".to_owned(),
            Some(head) => {
                let values: Vec<Term> = head
                    .arguments
                    .iter()
                    .map(|argument| match terms.evaluate(*argument, &step.values) {
                        Some(value) => terms.constant(&value),
                        None => *argument,
                    })
                    .collect();
                applied(terms, system, head.predicate.0, &values)
            }
        };
        let premises: Vec<String> = step.premises.iter().map(|p| (p + 1).to_string()).collect();
        let from = match premises.is_empty() {
            true => String::new(),
            false => format!(" from {}", premises.join(", ")),
        };
        let _ = writeln!(out, "{}: {fact}{from} ({})", number + 1, clause.note);
    }
    out
}
