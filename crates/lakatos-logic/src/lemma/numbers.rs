//! Formulas about numbers alone: elements of arrays and values of functions are numbers of which only
//! as much is known as follows from what they are of.
//!
//! What follows is said once, for the terms that occur: an element after a write is what was written or
//! what was there before, and the same function of the same things has the same value. All that is
//! forgotten makes formulas weaker, so what contradicts itself then did so before. The converse does not
//! hold, as little as it does for queries without quantifiers ([`ground`](super::ground())).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::number::Int;
use crate::term::{Function, Node, Sort, Symbol, Term, Terms};

/// Facts about writes and equal arrays.
const MOST_FACTS: usize = 3_000;
/// Of formulas that are taken apart.
const MOST_SPLIT: usize = 60;
/// Pairs of places, or of applications, that may be the same.
const MOST_PAIRS: usize = 3_000;

/// What formulas say of numbers and truth values, those that are `kept` above all; there are no arrays,
/// functions and quantifiers in it.
pub fn numbers_of(terms: &mut Terms, formulas: &[Term], kept: &BTreeSet<Symbol>) -> Vec<Term> {
    let formulas = without_choices(terms, formulas.to_vec(), kept);
    let all = with_facts(terms, &formulas);
    let mut naming = Naming::default();
    for part in terms.parts_first(&all) {
        naming.name(terms, part);
    }
    let said = terms.replace_all(&all, &naming.names);
    let said = split(terms, said);
    let mut said = without_choices(terms, said, kept);
    let names: BTreeSet<Symbol> = naming.symbols(terms);
    without_ends(terms, &mut said, &names);
    let used = terms.free_symbols_of(&said);
    said.extend(naming.same(terms, &used));
    without_choices(terms, said, kept)
}

/// Formulas with numbers that depend on conditions, case by case.
fn split(terms: &mut Terms, formulas: Vec<Term>) -> Vec<Term> {
    let mut open = formulas;
    let mut done = Vec::new();
    while let Some(formula) = open.pop() {
        let is_number = |part: &Term| terms.sort(*part) == Sort::Int;
        let parts = terms.parts_first(&[formula]).into_iter().rev().filter(is_number);
        let cases = parts.filter_map(|part| match *terms.node(part) {
            Node::Ite(condition, yes, no) => Some((part, condition, yes, no)),
            _ => None,
        });
        let first = if terms.size(formula) > MOST_SPLIT { None } else { cases.take(1).next() };
        let Some((part, condition, yes, no)) = first else {
            done.push(formula);
            continue;
        };
        let otherwise = terms.not(condition);
        for (case, value) in [(condition, yes), (otherwise, no)] {
            let said = terms.replace(formula, &FxHashMap::from_iter([(part, value)]));
            let said = terms.implies(case, said);
            open.extend(terms.conjuncts(said));
        }
    }
    done.retain(|formula| *formula != Term::TRUE);
    done.reverse();
    done
}

/// Leaves out equations that only say what some number is, of which nothing else is said but its bounds:
/// the ends of chains of definitions. (That it may be the same as another one is forgotten with it.)
fn without_ends(terms: &Terms, formulas: &mut Vec<Term>, names: &BTreeSet<Symbol>) {
    loop {
        let mut said: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        let mut bounds: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        for (number, formula) in formulas.iter().enumerate() {
            let about = terms.free_symbols(*formula);
            let place = if about.len() == 1 { &mut bounds } else { &mut said };
            for name in about.intersection(names) {
                place.entry(*name).or_default().push(number);
            }
        }
        let mut ends: BTreeSet<usize> = BTreeSet::new();
        for (name, said) in &said {
            if let [only] = said[..]
                && is_equation_of(terms, formulas[only], *name)
            {
                ends.insert(only);
            }
        }
        let alone = bounds.iter().filter(|(name, _)| !said.contains_key(name));
        ends.extend(alone.flat_map(|(_, bounds)| bounds));
        if ends.is_empty() {
            return;
        }
        let mut number = 0;
        formulas.retain(|_| {
            number += 1;
            !ends.contains(&(number - 1))
        });
    }
}

/// Whether a formula holds if a number is chosen well, whatever the others are.
fn is_equation_of(terms: &Terms, formula: Term, name: Symbol) -> bool {
    terms.disjuncts(formula).into_iter().any(|part| {
        let Node::Zero(of) = *terms.node(part) else { return false };
        let sum = terms.sum_of(of);
        let factor = sum.monomials.iter().find(|(term, _)| terms.as_symbol(*term) == Some(name));
        factor.is_some_and(|(_, factor)| *factor == Int::ONE || *factor == -Int::ONE)
    })
}

/// The formulas without truth values of which it is clear what they have to be, or that formulas want
/// one way only: ways that lead elsewhere, mostly.
fn without_choices(
    terms: &mut Terms,
    mut formulas: Vec<Term>,
    kept: &BTreeSet<Symbol>,
) -> Vec<Term> {
    loop {
        let wanted = wanted(terms, &formulas);
        let clear = wanted.into_iter().filter(|(symbol, _)| !kept.contains(symbol));
        let clear = clear.filter_map(|(symbol, ways)| match Vec::from_iter(ways)[..] {
            [only] => Some((symbol, terms.bool(only))),
            _ => None,
        });
        let mut clear: FxHashMap<Symbol, Term> = clear.collect();
        for formula in &formulas {
            let (symbol, is_true) = match *terms.node(*formula) {
                Node::Not(inner) => (terms.as_symbol(inner), false),
                _ => (terms.as_symbol(*formula), true),
            };
            if let Some(symbol) = symbol.filter(|symbol| !kept.contains(symbol)) {
                clear.insert(symbol, terms.bool(is_true));
            }
        }
        if clear.is_empty() {
            return formulas;
        }
        formulas = terms.substitute_all(&formulas, &clear);
        formulas = formulas.into_iter().flat_map(|formula| terms.conjuncts(formula)).collect();
        formulas.retain(|formula| *formula != Term::TRUE);
    }
}

/// How formulas want truth values to be: the one way, the other, or both.
fn wanted(terms: &Terms, formulas: &[Term]) -> BTreeMap<Symbol, BTreeSet<bool>> {
    let mut wanted: BTreeMap<Symbol, BTreeSet<bool>> = BTreeMap::new();
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut open: Vec<(Term, bool)> = formulas.iter().map(|formula| (*formula, true)).collect();
    while let Some((formula, holds)) = open.pop() {
        if !seen.insert((formula, holds)) {
            continue;
        }
        match terms.node(formula) {
            Node::Symbol(symbol) if terms.symbol_sort(*symbol) == Sort::Bool => {
                wanted.entry(*symbol).or_default().insert(holds);
            }
            Node::Not(inner) => open.push((*inner, !holds)),
            Node::And(parts) | Node::Or(parts) => {
                open.extend(parts.iter().map(|part| (*part, holds)));
            }
            node => open.extend(node.parts().into_iter().flat_map(|p| [(p, true), (p, false)])),
        }
    }
    wanted
}

/// The formulas with what follows from the theory of arrays at the places that occur.
fn with_facts(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut all = formulas.to_vec();
    let mut known: FxHashSet<Term> = all.iter().copied().collect();
    let mut new = all.clone();
    // Each round looks at all that there is: an equation may be older than what it is about.
    while !new.is_empty() && all.len() < formulas.len() + MOST_FACTS {
        new = facts(terms, &all).into_iter().filter(|fact| known.insert(*fact)).collect();
        all.extend(&new);
    }
    all
}

fn facts(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let parts = terms.parts_first(formulas);
    let equal = equal_arrays(terms, &parts);
    let mut found = Vec::new();
    for part in parts {
        match terms.node(part).clone() {
            Node::Select(array, index) => {
                found.extend(element(terms, part, array, index));
                for (equation, other) in equal.get(&array).into_iter().flatten() {
                    let there = terms.select(*other, index);
                    let same = terms.eq(part, there);
                    found.push(terms.implies(*equation, same));
                }
            }
            Node::Apply(function, arguments) => {
                for (number, argument) in arguments.iter().enumerate() {
                    for (equation, other) in equal.get(argument).into_iter().flatten() {
                        let mut arguments = arguments.to_vec();
                        arguments[number] = *other;
                        let there = terms.apply(function, &arguments);
                        let same = terms.eq(part, there);
                        found.push(terms.implies(*equation, same));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// What an element is if something was written to the array, or it is one of two.
fn element(terms: &mut Terms, read: Term, array: Term, index: Term) -> Vec<Term> {
    let (condition, yes, no) = match *terms.node(array) {
        Node::Store(before, at, value) => (terms.eq(at, index), value, terms.select(before, index)),
        Node::Ite(condition, yes, no) => {
            (condition, terms.select(yes, index), terms.select(no, index))
        }
        _ => return Vec::new(),
    };
    let otherwise = terms.not(condition);
    let cases = [(condition, yes), (otherwise, no)];
    let said = cases.map(|(case, value)| {
        let same = terms.eq(read, value);
        terms.implies(case, same)
    });
    said.into()
}

/// Which arrays may be which others, and what says that they are.
fn equal_arrays(terms: &Terms, parts: &[Term]) -> BTreeMap<Term, Vec<(Term, Term)>> {
    let mut equal: BTreeMap<Term, Vec<(Term, Term)>> = BTreeMap::new();
    for &part in parts {
        if let Node::Eq(a, b) = *terms.node(part)
            && matches!(terms.sort(a), Sort::Array(_))
        {
            equal.entry(a).or_default().push((part, b));
            equal.entry(b).or_default().push((part, a));
        }
    }
    equal
}

/// The arguments that are no arrays, and the name.
type Named = (Vec<Term>, Term);

/// New names for what is no number.
#[derive(Default)]
struct Naming {
    names: FxHashMap<Term, Term>,
    /// Elements of an array, and applications of a function to the same arrays: what else they are of,
    /// and their names.
    alike: BTreeMap<(Option<Function>, Vec<Term>), Vec<Named>>,
}

impl Naming {
    fn name(&mut self, terms: &mut Terms, part: Term) {
        let is_array = |terms: &Terms, term: Term| matches!(terms.sort(term), Sort::Array(_));
        match terms.node(part).clone() {
            Node::Select(array, index) => {
                let name = self.named(terms, "element", part);
                self.alike.entry((None, vec![array])).or_default().push((vec![index], name));
            }
            Node::Apply(function, arguments) => {
                let name = self.named(terms, "value", part);
                let (arrays, others): (Vec<Term>, Vec<Term>) =
                    arguments.iter().partition(|argument| is_array(terms, **argument));
                self.alike.entry((Some(function), arrays)).or_default().push((others, name));
            }
            Node::Eq(a, _) if is_array(terms, a) => {
                self.named(terms, "same", part);
            }
            Node::Quantified(..) => {
                self.named(terms, "all", part);
            }
            _ => {}
        }
    }

    fn named(&mut self, terms: &mut Terms, prefix: &str, part: Term) -> Term {
        let name = terms.fresh(prefix, terms.sort(part));
        self.names.insert(part, name);
        name
    }

    fn symbols(&self, terms: &Terms) -> BTreeSet<Symbol> {
        self.names.values().filter_map(|name| terms.as_symbol(*name)).collect()
    }

    /// The same of the same has the same value, if that is used.
    fn same(&self, terms: &mut Terms, used: &BTreeSet<Symbol>) -> Vec<Term> {
        let mut found = Vec::new();
        for alike in self.alike.values() {
            let is_used = |name: Term| terms.as_symbol(name).is_some_and(|s| used.contains(&s));
            let alike: Vec<Named> =
                alike.iter().filter(|(_, name)| is_used(*name)).cloned().collect();
            let alike: Vec<Named> = alike
                .iter()
                .map(|(of, name)| (terms.replace_all(of, &self.names), *name))
                .collect();
            for (at, (of, name)) in alike.iter().enumerate() {
                for (other, its_name) in &alike[..at] {
                    if found.len() >= MOST_PAIRS {
                        return found;
                    }
                    let equal: BTreeSet<Term> =
                        of.iter().zip(other).map(|(a, b)| terms.eq(*a, *b)).collect();
                    let equal = terms.and(equal);
                    let same = terms.eq(*name, *its_name);
                    found.push(terms.implies(equal, same));
                }
            }
        }
        found
    }
}
