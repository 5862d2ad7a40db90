//! Predicates and their numbers.

use std::fmt;
use std::ops::Not;

use rustc_hash::FxHashMap;

use super::parts::Footprint;
use crate::term::{Sort, Term, Terms};

/// How many predicates there can be: what the decision diagrams have room for.
pub const CAPACITY: u16 = u16::MAX - 2;

/// A predicate's number: predicates are numbered in the order of their registration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredId(pub(super) u16);

impl PredId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn literal(self, positive: bool) -> Literal {
        Literal { predicate: self, positive }
    }
}

impl fmt::Debug for PredId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// A predicate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    pub predicate: PredId,
    pub positive: bool,
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        self.predicate.literal(!self.positive)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.positive { "" } else { "!" };
        write!(f, "{sign}{:?}", self.predicate)
    }
}

/// Why a formula did not become a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Nothing is learned from it, and it would tell regions apart that mean the same.
    #[error("a constant is no predicate")]
    Constant,
    #[error("there are {CAPACITY} predicates already")]
    Full,
}

/// The predicates of an arena.
#[derive(Debug, Default)]
pub struct Predicates {
    entries: Vec<Entry>,
    /// Of formulas and their negations.
    literals: FxHashMap<Term, Literal>,
}

#[derive(Debug)]
struct Entry {
    formula: Term,
    negation: Term,
    indicator: Indicator,
    footprint: Footprint,
}

/// What stands for a predicate in a query: something whose value every solver can tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indicator {
    /// A symbol or its negation.
    pub literal: Term,
    pub negation: Term,
    /// That the literal holds when the predicate does, and not otherwise.
    pub definition: Term,
}

impl Predicates {
    pub fn new() -> Predicates {
        Predicates::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..self.entries.len() as u16).map(PredId)
    }

    /// The literal that means `formula`; a formula that is new becomes a predicate.
    pub fn add(&mut self, terms: &mut Terms, formula: Term) -> Result<Literal, Refused> {
        if let Some(known) = self.find(terms, formula) {
            return Ok(known);
        }
        if matches!(formula, Term::TRUE | Term::FALSE) {
            return Err(Refused::Constant);
        }
        if self.entries.len() == usize::from(CAPACITY) {
            return Err(Refused::Full);
        }
        let negation = terms.not(formula);
        let literal = PredId(self.entries.len() as u16).literal(true);
        self.entries.push(Entry {
            formula,
            negation,
            indicator: Indicator::of(terms, formula, negation),
            footprint: Footprint::of(terms, formula),
        });
        self.literals.insert(formula, literal);
        self.literals.entry(negation).or_insert(!literal);
        Ok(literal)
    }

    /// The literal of a formula that is a predicate or the negation of one.
    pub fn find(&self, terms: &mut Terms, formula: Term) -> Option<Literal> {
        // A formula may mean the same as a predicate and only share its negation.
        self.literal(formula).or_else(|| self.literal(terms.not(formula)).map(Literal::not))
    }

    /// The literal that was registered as just this formula.
    pub(super) fn literal(&self, formula: Term) -> Option<Literal> {
        self.literals.get(&formula).copied()
    }

    /// The predicate as it was registered.
    pub fn formula(&self, predicate: PredId) -> Term {
        self.entries[predicate.index()].formula
    }

    pub fn term(&self, literal: Literal) -> Term {
        let entry = &self.entries[literal.predicate.index()];
        if literal.positive { entry.formula } else { entry.negation }
    }

    pub(super) fn indicator(&self, predicate: PredId) -> Indicator {
        self.entries[predicate.index()].indicator
    }

    pub(super) fn footprint(&self, predicate: PredId) -> &Footprint {
        &self.entries[predicate.index()].footprint
    }
}

impl Indicator {
    fn of(terms: &mut Terms, formula: Term, negation: Term) -> Indicator {
        if terms.as_symbol(formula).or(terms.as_symbol(negation)).is_some() {
            return Indicator { literal: formula, negation, definition: Term::TRUE };
        }
        let literal = terms.fresh("predicate", Sort::Bool);
        let definition = terms.iff(literal, formula);
        Indicator { literal, negation: terms.not(literal), definition }
    }

    pub(super) fn term(self, positive: bool) -> Term {
        if positive { self.literal } else { self.negation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_for_both_polarities() {
        let mut terms = Terms::new();
        let mut predicates = Predicates::new();
        let (x, three, four) = (terms.symbol("x", Sort::Int), terms.int(3), terms.int(4));
        let (at_most, at_least) = (terms.le(x, three), terms.ge(x, four));
        let flag = terms.symbol("flag", Sort::Bool);
        let unset = terms.not(flag);

        let p = predicates.add(&mut terms, at_least).expect("room");
        assert_eq!(predicates.add(&mut terms, at_most), Ok(!p));
        let q = predicates.add(&mut terms, unset).expect("room");
        assert_eq!(predicates.add(&mut terms, flag), Ok(!q));
        assert_eq!(format!("{p:?} {:?}", !q), "p0 !p1");

        assert_eq!(predicates.formula(p.predicate), at_least);
        assert_eq!(predicates.term(!p), at_most);
        assert_eq!(predicates.term(q), unset);
        assert_eq!(predicates.find(&mut terms, flag), Some(!q));
        assert_eq!(predicates.ids().collect::<Vec<_>>(), [p.predicate, q.predicate]);
        let other = terms.le(x, four);
        assert_eq!(predicates.find(&mut terms, other), None);
        assert_eq!(predicates.add(&mut terms, Term::TRUE), Err(Refused::Constant));
        assert_eq!(predicates.add(&mut terms, Term::FALSE), Err(Refused::Constant));
        assert_eq!(predicates.len(), 2);
    }

    #[test]
    fn full() {
        let mut terms = Terms::new();
        let mut predicates = Predicates::new();
        for i in 0..CAPACITY {
            let flag = terms.symbol(&format!("b{i}"), Sort::Bool);
            let literal = predicates.add(&mut terms, flag).expect("room");
            assert_eq!(literal.predicate.index(), usize::from(i));
        }
        let (one_more, known) =
            (terms.symbol("one more", Sort::Bool), predicates.formula(PredId(7)));
        assert_eq!(predicates.add(&mut terms, one_more), Err(Refused::Full));
        assert_eq!(predicates.add(&mut terms, known), Ok(PredId(7).literal(true)));
    }
}
