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
        let part = |(conjuncts, over): (Vec<Term>, Vec<PredId>)| Part { formula: terms.and(conjuncts), over };
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
