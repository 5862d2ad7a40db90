//! What a condition may depend on: of all that is known on the ways to it, what shares symbols with it,
//! or with something that does. In a procedure with many calls one after the other that is little, and a
//! condition that follows from less follows from all.

use std::collections::BTreeSet;
use std::rc::Rc;

use lakatos_logic::term::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// Where there is less, all of it is asked at once.
const FEW: usize = 60;

/// What is known from one source on.
pub(crate) struct Cone {
    /// Symbols that connect nothing: they only say what may be used.
    selectors: BTreeSet<Symbol>,
    facts: Vec<Term>,
    /// The facts that a symbol occurs in.
    of_symbol: FxHashMap<Symbol, Vec<Term>>,
    symbols: FxHashMap<Term, Rc<[Symbol]>>,
}

impl Cone {
    pub fn new(terms: &Terms, facts: &[Term], selectors: BTreeSet<Symbol>) -> Cone {
        let mut cone = Cone {
            selectors,
            facts: facts.to_vec(),
            of_symbol: FxHashMap::default(),
            symbols: FxHashMap::default(),
        };
        for fact in facts {
            for symbol in cone.symbols(terms, *fact).iter() {
                cone.of_symbol.entry(*symbol).or_default().push(*fact);
            }
        }
        cone
    }

    pub fn facts(&self) -> &[Term] {
        &self.facts
    }

    fn symbols(&mut self, terms: &Terms, formula: Term) -> Rc<[Symbol]> {
        let selectors = &self.selectors;
        let found = || terms.free_symbols(formula).into_iter().filter(|s| !selectors.contains(s));
        let known = self.symbols.entry(formula).or_insert_with(|| found().collect());
        Rc::clone(known)
    }

    /// What a condition is asked with first, if that is much less than all: of the facts and of
    /// what it takes to get there, what the negated goal may depend on.
    pub fn around(&mut self, terms: &Terms, [reach, denied]: [Term; 2]) -> Option<Vec<Term>> {
        let on_the_way = terms.conjuncts(reach);
        let all = self.facts.len() + on_the_way.len();
        if all < FEW {
            return None;
        }
        let mut here: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        let mut kept: Vec<Term> = vec![denied];
        for part in on_the_way {
            let symbols = self.symbols(terms, part);
            if symbols.is_empty() {
                kept.push(part);
            }
            for symbol in symbols.iter() {
                here.entry(*symbol).or_default().push(part);
            }
        }
        let mut seen: BTreeSet<Term> = kept.iter().copied().collect();
        let mut symbols_seen: BTreeSet<Symbol> = BTreeSet::new();
        let mut open: Vec<Symbol> = self.symbols(terms, denied).to_vec();
        while let Some(symbol) = open.pop() {
            if !symbols_seen.insert(symbol) {
                continue;
            }
            let facts = self.of_symbol.get(&symbol).into_iter().flatten();
            let parts = here.get(&symbol).into_iter().flatten();
            let new: Vec<Term> = facts.chain(parts).filter(|f| seen.insert(**f)).copied().collect();
            if 2 * (kept.len() + new.len()) > all {
                return None;
            }
            for formula in &new {
                open.extend(self.symbols(terms, *formula).iter());
            }
            kept.extend(new);
        }
        Some(kept)
    }
}
