//! Matching: the values of variables with which a pattern is a given term.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::number::Int;
use crate::term::{Node, Symbol, Term, Terms};

/// Values of variables.
pub(super) type Binding = FxHashMap<Symbol, Term>;

/// What symbols are said to be equal to, where that is an array with something written to it.
pub(super) type Aliases = FxHashMap<Symbol, Term>;

/// Extends a binding so that the pattern becomes the term; `false` if that cannot be.
pub(super) fn matches(
    terms: &mut Terms,
    aliases: &Aliases,
    variables: &BTreeSet<Symbol>,
    pattern: Term,
    term: Term,
    binding: &mut Binding,
) -> bool {
    if let Some(symbol) = terms.as_symbol(pattern)
        && variables.contains(&symbol)
    {
        let fits = terms.sort(pattern) == terms.sort(term);
        return fits && *binding.entry(symbol).or_insert(term) == term;
    }
    if pattern == term {
        return true;
    }
    match terms.node(pattern).clone() {
        Node::Apply(function, inner) => match terms.node(term).clone() {
            Node::Apply(other, parts) if other == function => {
                all(terms, aliases, variables, &inner, &parts, binding)
            }
            _ => false,
        },
        Node::Select(array, index) => match *terms.node(term) {
            Node::Select(a, i) => all(terms, aliases, variables, &[array, index], &[a, i], binding),
            _ => false,
        },
        Node::Store(array, index, value) => {
            let known = terms.as_symbol(term).and_then(|symbol| aliases.get(&symbol).copied());
            match *terms.node(known.unwrap_or(term)) {
                Node::Store(a, i, v) => {
                    all(terms, aliases, variables, &[array, index, value], &[a, i, v], binding)
                }
                _ => false,
            }
        }
        Node::Sum(_) => of_sum(terms, variables, pattern, term, binding),
        _ => false,
    }
}

fn all(
    terms: &mut Terms,
    aliases: &Aliases,
    variables: &BTreeSet<Symbol>,
    patterns: &[Term],
    parts: &[Term],
    binding: &mut Binding,
) -> bool {
    patterns
        .iter()
        .zip(parts)
        .all(|(pattern, part)| matches(terms, aliases, variables, *pattern, *part, binding))
}

/// A sum in which one variable has no value yet is solved for it, where that is a whole number for
/// sure: `n + 1` matches everything.
fn of_sum(
    terms: &mut Terms,
    variables: &BTreeSet<Symbol>,
    pattern: Term,
    term: Term,
    binding: &mut Binding,
) -> bool {
    if terms.sort(pattern) != terms.sort(term) {
        return false;
    }
    let pattern = terms.substitute(pattern, binding);
    let open: Vec<Symbol> = terms.free_symbols(pattern).intersection(variables).copied().collect();
    let [open] = open.as_slice() else { return open.is_empty() && pattern == term };
    let mut sum = terms.sum_of(pattern);
    let own = terms.symbol_term(*open);
    let Some(at) = sum.monomials.iter().position(|(part, _)| *part == own) else { return false };
    let (_, factor) = sum.monomials.remove(at);
    let elsewhere = sum.monomials.iter().any(|(part, _)| terms.free_symbols(*part).contains(open));
    if elsewhere || (factor != Int::ONE && factor != Int::NEG_ONE) || sum.denominator != Int::ONE {
        return false;
    }
    // factor · x + rest = term, so x = factor · (term - rest).
    let rest = terms.sum(sum, terms.sort(term));
    let difference = terms.sub(term, rest);
    let value = terms.scale(&factor, difference);
    binding.insert(*open, value);
    true
}
