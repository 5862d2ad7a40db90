//! Instances of definitions and lemmas at the terms of formulas.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::matching::{Aliases, Binding, matches};
use super::{Lemma, Origin, Theory};
use crate::term::{Node, Symbol, Term, Terms};

/// How far instances of instances go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fuel {
    /// Terms that only occur in instances of so many generations are matched no more.
    pub rounds: usize,
    pub most: usize,
}

impl Default for Fuel {
    fn default() -> Self {
        Fuel { rounds: 3, most: 300 }
    }
}

/// A formula that holds if what it is an instance of does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    pub of: Origin,
    pub formula: Term,
}

/// Something to be instantiated, and the terms whose occurrence is the reason to do so: all
/// variables occur in them.
struct Rule {
    of: Origin,
    variables: BTreeSet<Symbol>,
    triggers: Vec<Term>,
    formula: Term,
}

/// The instances of a theory at the terms of some formulas, in the order in which they are found;
/// the same ones for the same formulas.
pub fn instances(
    terms: &mut Terms,
    theory: &Theory,
    formulas: &[Term],
    fuel: Fuel,
) -> Vec<Instance> {
    instances_at(terms, theory, formulas, &[], fuel)
}

/// The same, at some other terms as well.
pub(super) fn instances_at(
    terms: &mut Terms,
    theory: &Theory,
    formulas: &[Term],
    also: &[Term],
    fuel: Fuel,
) -> Vec<Instance> {
    let rules = rules(terms, theory);
    let aliases = aliases(terms, formulas);
    let mut found: Vec<Instance> = Vec::new();
    let mut known: BTreeSet<Term> = BTreeSet::new();
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    let mut roots = formulas.to_vec();
    roots.extend(aliases.values());
    roots.extend(also);
    // What has no variables is its own instance.
    for (number, lemma) in theory.lemmas.iter().enumerate() {
        if lemma.variables.is_empty() && lemma.formula != Term::TRUE && known.insert(lemma.formula)
        {
            found.push(Instance { of: Origin::Lemma(number), formula: lemma.formula });
            roots.push(lemma.formula);
        }
    }
    let mut all: Vec<Term> = Vec::new();
    for _ in 0..fuel.rounds {
        let new: Vec<Term> =
            ground(terms, &roots).into_iter().filter(|term| seen.insert(*term)).collect();
        if new.is_empty() {
            break;
        }
        let old = all.len();
        all.extend(new);
        roots.clear();
        for rule in &rules {
            for binding in bindings(terms, &aliases, rule, &all, old) {
                let formula = terms.substitute(rule.formula, &binding);
                if found.len() < fuel.most && formula != Term::TRUE && known.insert(formula) {
                    found.push(Instance { of: rule.of, formula });
                    roots.push(formula);
                }
            }
        }
    }
    found
}

/// Applications and reads in formulas, without those of bound variables.
fn ground(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut found: BTreeSet<Term> = BTreeSet::new();
    let mut open: Vec<(Term, Vec<Symbol>)> = roots.iter().map(|root| (*root, Vec::new())).collect();
    let mut seen: BTreeSet<(Term, Vec<Symbol>)> = BTreeSet::new();
    while let Some((term, mut bound)) = open.pop() {
        if !seen.insert((term, bound.clone())) {
            continue;
        }
        if matches!(terms.node(term), Node::Apply(..) | Node::Select(..))
            && (bound.is_empty() || terms.free_symbols(term).iter().all(|s| !bound.contains(s)))
        {
            found.insert(term);
        }
        if let Node::Quantified(_, symbols, _) = terms.node(term) {
            bound.extend(symbols.iter().copied());
        }
        open.extend(terms.node(term).parts().into_iter().map(|part| (part, bound.clone())));
    }
    found.into_iter().collect()
}

/// Equations of symbols with arrays to which something is written.
fn aliases(terms: &Terms, formulas: &[Term]) -> Aliases {
    let mut aliases = Aliases::default();
    for part in terms.parts_first(formulas) {
        let Node::Eq(a, b) = *terms.node(part) else { continue };
        for (symbol, value) in [(a, b), (b, a)] {
            if let (Some(symbol), Node::Store(..)) = (terms.as_symbol(symbol), terms.node(value)) {
                aliases.entry(symbol).or_insert(value);
            }
        }
    }
    aliases
}

fn rules(terms: &mut Terms, theory: &Theory) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (number, definition) in theory.definitions.iter().enumerate() {
        let parameters: Vec<Term> =
            definition.parameters.iter().map(|p| terms.symbol_term(*p)).collect();
        let call = terms.apply(definition.function, &parameters);
        rules.push(Rule {
            of: Origin::Definition(number),
            variables: definition.parameters.iter().copied().collect(),
            triggers: vec![call],
            formula: terms.eq(call, definition.body),
        });
    }
    for (number, lemma) in theory.lemmas.iter().enumerate() {
        for triggers in triggers(terms, lemma) {
            rules.push(Rule {
                of: Origin::Lemma(number),
                variables: lemma.variables.iter().copied().collect(),
                triggers,
                formula: lemma.formula,
            });
        }
    }
    rules
}

/// Sets of terms of a lemma in each of which all its variables occur: single ones, or else one
/// after the other until there are all. None: the lemma is about something that does not occur,
/// and is not used.
fn triggers(terms: &Terms, lemma: &Lemma) -> Vec<Vec<Term>> {
    let variables: BTreeSet<Symbol> = lemma.variables.iter().copied().collect();
    let of = |term: Term| -> BTreeSet<Symbol> {
        terms.free_symbols(term).intersection(&variables).copied().collect()
    };
    let mut candidates: Vec<Term> =
        ground(terms, &[lemma.formula]).into_iter().filter(|t| !of(*t).is_empty()).collect();
    // Applications of the lemma's functions say more than reads.
    candidates.sort_by_key(|term| matches!(terms.node(*term), Node::Select(..)));
    let alone: Vec<Vec<Term>> =
        candidates.iter().filter(|t| of(**t) == variables).map(|t| vec![*t]).collect();
    if !alone.is_empty() || variables.is_empty() {
        return alone;
    }
    let mut chosen = Vec::new();
    let mut covered: BTreeSet<Symbol> = BTreeSet::new();
    for candidate in candidates {
        let more = of(candidate);
        if !more.is_subset(&covered) {
            covered.extend(more);
            chosen.push(candidate);
        }
    }
    if covered == variables { vec![chosen] } else { Vec::new() }
}

/// The values of a rule's variables with which its triggers occur, at least one of them among the
/// terms from `new` on.
fn bindings(
    terms: &mut Terms,
    aliases: &Aliases,
    rule: &Rule,
    all: &[Term],
    new: usize,
) -> Vec<Binding> {
    let mut open: Vec<(Binding, bool)> = vec![(FxHashMap::default(), false)];
    for trigger in &rule.triggers {
        let mut next = Vec::new();
        for (binding, is_new) in &open {
            for (number, term) in all.iter().enumerate() {
                let mut extended = binding.clone();
                if matches(terms, aliases, &rule.variables, *trigger, *term, &mut extended) {
                    next.push((extended, *is_new || number >= new));
                }
            }
        }
        open = next;
    }
    open.into_iter().filter(|(_, is_new)| *is_new).map(|(binding, _)| binding).collect()
}
