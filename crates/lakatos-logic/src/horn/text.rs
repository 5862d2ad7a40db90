//! Systems as SMT-LIB text of the logic `HORN`, for other solvers and for people.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Clause, System};
use crate::smt::sexpr::is_simple;
use crate::term::{Symbol, Terms};

/// The whole script. Notes of clauses are comments.
pub fn script(terms: &mut Terms, system: &System) -> String {
    let mut out = String::from("(set-logic HORN)\n");
    for predicate in &system.predicates {
        let sorts: Vec<String> =
            predicate.parameters.iter().map(|s| terms.smtlib_sort(terms.symbol_sort(*s))).collect();
        let name = quoted(&predicate.name);
        let _ = writeln!(out, "(declare-fun {name} ({}) Bool)", sorts.join(" "));
    }
    for clause in &system.clauses {
        let clause = readable(terms, system, clause);
        let _ = write!(out, "\n; {}\n", clause.note.replace('\n', " "));
        let formula = system.formula(terms, &clause);
        let _ = writeln!(out, "(assert {})", terms.smtlib(formula));
    }
    out + "\n(check-sat)\n"
}

fn quoted(name: &str) -> String {
    match is_simple(name) {
        true => name.to_owned(),
        false => format!("|{name}|"),
    }
}

/// The clause with names that are as short as they can be.
fn readable(terms: &mut Terms, system: &System, clause: &Clause) -> Clause {
    let mut map = FxHashMap::default();
    let mut taken: Vec<String> = system.predicates.iter().map(|p| p.name.clone()).collect();
    let symbols: Vec<Symbol> = system.bound(terms, clause);
    for symbol in symbols {
        let full = terms.symbol_name(symbol).to_owned();
        let base: String = full.split(['#', '!', '@']).next().unwrap_or("").to_owned();
        let base = if base.is_empty() { "v".to_owned() } else { base };
        let mut name = base.clone();
        let mut number = 1;
        while taken.contains(&name) {
            name = format!("{base}.{number}");
            number += 1;
        }
        taken.push(name.clone());
        let sort = terms.symbol_sort(symbol);
        map.insert(symbol, terms.symbol(&name, sort));
    }
    clause.map(|roots| terms.substitute_all(roots, &map))
}
