//! Formulas and predicates in parts that have nothing in common.
//!
//! Models of parts without a common symbol are models of the whole when put together, so the
//! abstraction of a conjunction of such parts is the conjunction of their abstractions, and
//! searches that would multiply add up.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::predicates::{PredId, Predicates};
use crate::term::{Function, Node, Symbol, Term, Terms};

/// What a term's value depends on.
#[derive(Debug, Default)]
pub(super) struct Footprint(BTreeSet<Shared>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Shared {
    Symbol(Symbol),
    Function(Function),
    /// Integer division by zero: a function of the dividend that a model is free to choose.
    DivisionByZero,
}

impl Footprint {
    /// Symbols that a quantifier binds are counted as well: that joins more than need be, no less.
    pub(super) fn of(terms: &Terms, term: Term) -> Footprint {
        let shared = |part: &Term| match terms.node(*part) {
            Node::Symbol(symbol) => Some(Shared::Symbol(*symbol)),
            Node::Apply(function, _) => Some(Shared::Function(*function)),
            Node::Div(_, by) | Node::Mod(_, by) => match terms.as_int(*by) {
                Some(by) if !by.is_zero() => None,
                _ => Some(Shared::DivisionByZero),
            },
            _ => None,
        };
        Footprint(terms.parts_first(&[term]).iter().filter_map(shared).collect())
    }
}

/// A formula and the predicates to abstract it with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub formula: Term,
    /// In their order.
    pub over: Vec<PredId>,
}

impl Part {
    /// The parts of the whole, in the order of their first predicates; what no predicate speaks
    /// of comes last, as one part. Where there would be one part with predicates only, the whole
    /// is the part.
    pub(super) fn split(self, terms: &mut Terms, predicates: &Predicates) -> Vec<Part> {
        let conjuncts = terms.conjuncts(self.formula);
        let mut groups = Groups::default();
        for predicate in &self.over {
            groups.add(predicates.footprint(*predicate));
        }
        for conjunct in &conjuncts {
            groups.add(&Footprint::of(terms, *conjunct));
        }

        // Predicates come first, so a group that has one is led by one.
        let rest = self.over.len();
        let mut members: BTreeMap<usize, (Vec<Term>, Vec<PredId>)> = BTreeMap::new();
        for (i, predicate) in self.over.iter().enumerate() {
            members.entry(groups.leader(i)).or_default().1.push(*predicate);
        }
        if members.len() < 2 {
            return vec![self];
        }
        for (i, conjunct) in conjuncts.iter().enumerate() {
            let group = groups.leader(self.over.len() + i).min(rest);
            members.entry(group).or_default().0.push(*conjunct);
        }
        let part = |(conjuncts, over): (Vec<Term>, Vec<PredId>)| Part {
            formula: terms.and(conjuncts),
            over,
        };
        members.into_values().map(part).collect()
    }
}

/// Members that share something are in one group, whose leader is the first of them.
#[derive(Default)]
struct Groups {
    /// Of each member one that is nearer to the leader; of the leader itself.
    towards: Vec<usize>,
    first: FxHashMap<Shared, usize>,
}

impl Groups {
    fn add(&mut self, footprint: &Footprint) {
        let member = self.towards.len();
        self.towards.push(member);
        for shared in &footprint.0 {
            let other = *self.first.entry(*shared).or_insert(member);
            let (a, b) = (self.leader(other), self.leader(member));
            self.towards[a.max(b)] = a.min(b);
        }
    }

    fn leader(&mut self, mut member: usize) -> usize {
        while self.towards[member] != member {
            self.towards[member] = self.towards[self.towards[member]];
            member = self.towards[member];
        }
        member
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    /// Predicates and conjuncts, each named after what it is made of, to parts.
    fn check(predicates: &[&str], conjuncts: &[&str], expect: &str) {
        let mut terms = Terms::new();
        let mut registry = Predicates::new();
        let over = predicates.iter().map(|text| {
            let formula = formula(&mut terms, text);
            registry.add(&mut terms, formula).expect("room").predicate
        });
        let over: Vec<PredId> = over.collect();
        let conjuncts: Vec<Term> = conjuncts.iter().map(|c| formula(&mut terms, c)).collect();
        let whole = Part { formula: terms.and(conjuncts.iter().copied()), over };
        let parts = whole.split(&mut terms, &registry).into_iter().map(|part| {
            let inside = terms.conjuncts(part.formula);
            let numbers = (0..conjuncts.len()).filter(|i| inside.contains(&conjuncts[*i]));
            format!("{:?}{:?}", part.over, numbers.collect::<Vec<_>>())
        });
        assert_eq!(parts.collect::<Vec<_>>().join(" "), expect);
    }

    /// `1 <= ` the sum of its letters; `f` of the letter before, `/` the quotient of the letters
    /// around it.
    fn formula(terms: &mut Terms, text: &str) -> Term {
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let mut parts: Vec<Term> = Vec::new();
        let mut divide = false;
        for letter in text.chars() {
            let part = match letter {
                'f' => {
                    let argument = parts.pop().expect("a letter before");
                    terms.apply(f, &[argument])
                }
                '/' => {
                    divide = true;
                    continue;
                }
                '0' | '2' => terms.int(letter.to_digit(10).expect("a digit")),
                _ => terms.symbol(&letter.to_string(), Sort::Int),
            };
            match std::mem::take(&mut divide) {
                false => parts.push(part),
                true => {
                    let dividend = parts.pop().expect("a letter before");
                    parts.push(terms.div(dividend, part));
                }
            }
        }
        let (one, sum) = (terms.int(1), terms.add_all(parts, Sort::Int));
        terms.le(one, sum)
    }

    #[test]
    fn by_what_they_share() {
        check(&["x", "y"], &["x", "y"], "[p0][0] [p1][1]");
        check(&["x", "y"], &["xz", "zy", "w"], "[p0, p1][0, 1, 2]");
        check(&["x", "y"], &["xz", "w", "v"], "[p0][0] [p1][] [][1, 2]");
        check(&["xy", "z", "yw"], &[], "[p0, p2][] [p1][]");
        check(&["x"], &["y"], "[p0][0]");
        check(&[], &["x", "y"], "[][0, 1]");
        // A function is shared like a symbol; division is one only where it may be by zero.
        check(&["x", "y"], &["xf", "yf"], "[p0, p1][0, 1]");
        check(&["x", "y"], &["x/2", "y/2"], "[p0][0] [p1][1]");
        check(&["x", "y"], &["x/0", "y/z"], "[p0, p1][0, 1]");
    }
}
