//! Walks over terms without recursion: parts have smaller ids than the whole.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::{Node, Symbol, Term, Terms};

/// A set of terms.
#[derive(Clone, Debug, Default)]
pub struct TermSet(FxHashSet<Term>);

impl TermSet {
    pub fn insert(&mut self, term: Term) -> bool {
        self.0.insert(term)
    }

    pub fn contains(&self, term: Term) -> bool {
        self.0.contains(&term)
    }

    /// In the order of ids: parts before wholes.
    pub fn sorted(&self) -> Vec<Term> {
        let mut sorted: Vec<Term> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        sorted
    }
}

/// The immediate parts of a term: few, as a rule, and asked for at every step of a walk.
pub type Parts = SmallVec<[Term; 4]>;

impl Node {
    /// The immediate parts.
    pub fn parts(&self) -> Parts {
        match self {
            Node::Bool(_) | Node::Int(_) | Node::Real(_) | Node::BitVec(..) | Node::Symbol(_) => {
                Parts::new()
            }
            Node::Apply(_, parts) | Node::And(parts) | Node::Or(parts) | Node::Product(parts) => {
                Parts::from_slice(parts)
            }
            Node::Sum(sum) => sum.monomials.iter().map(|(t, _)| *t).collect(),
            Node::Not(a)
            | Node::NonPositive(a)
            | Node::Zero(a)
            | Node::ToReal(a)
            | Node::BvNot(a)
            | Node::BvNeg(a)
            | Node::Extract { of: a, .. }
            | Node::ZeroExtend(_, a)
            | Node::SignExtend(_, a)
            | Node::BvToInt(a)
            | Node::IntToBv(_, a)
            | Node::ConstArray(_, a)
            | Node::Quantified(_, _, a) => smallvec![*a],
            Node::Eq(a, b)
            | Node::Div(a, b)
            | Node::Mod(a, b)
            | Node::BvBinary(_, a, b)
            | Node::BvCompare(_, a, b)
            | Node::Concat(a, b)
            | Node::Select(a, b) => smallvec![*a, *b],
            Node::Ite(a, b, c) | Node::Store(a, b, c) => smallvec![*a, *b, *c],
        }
    }
}

impl Terms {
    /// The terms that `roots` are made of, themselves included, parts first.
    pub fn parts_first(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = TermSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if found.insert(term) {
                open.extend(self.node(term).parts());
            }
        }
        found.sorted()
    }

    /// How many different terms a term is made of.
    pub fn size(&self, term: Term) -> usize {
        self.parts_first(&[term]).len()
    }

    /// The symbols that occur free, in the order of their creation.
    pub fn free_symbols(&self, term: Term) -> BTreeSet<Symbol> {
        self.free_symbols_of(&[term])
    }

    pub fn free_symbols_of(&self, roots: &[Term]) -> BTreeSet<Symbol> {
        let mut found = BTreeSet::new();
        let mut seen = TermSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Symbol(symbol) => {
                    found.insert(*symbol);
                }
                // What is bound in here may be free elsewhere: not through the body.
                Node::Quantified(..) => found.extend(self.free[&term].iter().copied()),
                node => open.extend(node.parts()),
            }
        }
        found
    }
}
