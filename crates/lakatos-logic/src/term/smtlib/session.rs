//! Formulas for a solver that is told one after the other, and remembers.
//!
//! What was declared and defined once is used ever after, so the solver must keep declarations
//! when it goes back (`:global-declarations`).

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::{Names, OUTERMOST, Piece, Printer};
use crate::term::{ArenaId, Function, Sort, Symbol, Term, Terms};

/// What a solver has been told of an arena.
#[derive(Debug)]
pub struct Session {
    arena: ArenaId,
    names: Names,
    symbols: FxHashSet<Symbol>,
    functions: FxHashSet<Function>,
    fresh: u32,
}

impl Session {
    /// Nothing yet.
    pub fn new(terms: &Terms) -> Session {
        Session {
            arena: terms.id(),
            names: Names::default(),
            symbols: FxHashSet::default(),
            functions: FxHashSet::default(),
            fresh: 0,
        }
    }

    pub fn arena(&self) -> ArenaId {
        self.arena
    }

    /// The text of a term of the arena, once the solver has heard the `commands` that this adds.
    pub fn term(&mut self, terms: &Terms, term: Term, commands: &mut String) -> String {
        debug_assert_eq!(terms.id(), self.arena);
        let mut printer = Printer::under(std::mem::take(&mut self.names), terms, &[term]);
        for symbol in terms.free_symbols(term) {
            if self.symbols.insert(symbol) {
                printer.declare_symbol(symbol, commands);
            }
        }
        for function in terms.functions_in(&terms.parts_first(&[term])) {
            if self.functions.insert(function) {
                printer.declare_function(function, commands);
            }
        }
        printer.define(&[term], commands);
        let mut text = String::new();
        printer.write(vec![Piece::Term(term, OUTERMOST)], &mut text);
        self.names = printer.names;
        self.names.shared.retain(|(_, block), _| *block == OUTERMOST);
        text
    }

    /// A constant of the solver's that no term means.
    pub fn fresh(
        &mut self,
        terms: &Terms,
        like: &str,
        sort: Sort,
        commands: &mut String,
    ) -> String {
        self.fresh += 1;
        let name = self.names.pick(&format!("{like}!{}", self.fresh));
        let _ = writeln!(commands, "(declare-fun {name} () {})", terms.smtlib_sort(sort));
        name
    }

    /// What the solver calls a symbol that it has heard of.
    pub fn symbol(&self, symbol: Symbol) -> Option<&str> {
        let declared = self.symbols.contains(&symbol);
        self.names.symbols.get(&symbol).filter(|_| declared).map(String::as_str)
    }

    /// What the solver calls a function that it has heard of.
    pub fn function(&self, function: Function) -> Option<&str> {
        let declared = self.functions.contains(&function);
        self.names.functions.get(&function).filter(|_| declared).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Quantifier;

    #[test]
    fn everything_once() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let f = terms.function("x", &[Sort::Int], Sort::Int);
        let fx = terms.apply(f, &[x]);
        let square = terms.mul(fx, fx);
        let both = terms.add(fx, square);
        let (first, second) = (terms.le(both, y), terms.le(fx, y));
        let mut session = Session::new(&terms);
        let mut commands = String::new();
        assert_eq!(session.term(&terms, first, &mut commands), "(<= (+ (- y) ?1 (* ?1 ?1)) 0)");
        assert_eq!(
            commands,
            "(declare-fun x () Int)\n(declare-fun y () Int)\n\
             (declare-fun x!1 (Int) Int)\n(define-fun ?1 () Int (x!1 x))\n"
        );
        commands.clear();
        assert_eq!(session.term(&terms, second, &mut commands), "(<= (+ (- y) ?1) 0)");
        assert_eq!(commands, "");
    }

    #[test]
    fn names_do_not_clash() {
        let mut terms = Terms::new();
        let mut session = Session::new(&terms);
        let mut commands = String::new();
        let (x, p) = (terms.symbol("x", Sort::Int), terms.symbol("x", Sort::Bool));
        assert_eq!(session.term(&terms, x, &mut commands), "x");
        assert_eq!(session.term(&terms, p, &mut commands), "x!1");
        assert_eq!(session.fresh(&terms, "x", Sort::Bool, &mut commands), "x!1!1");
        let remainder = terms.modulo(x, x);
        let square = terms.mul(remainder, remainder);
        session.term(&terms, square, &mut commands);
        let odd = terms.symbol("?1", Sort::Int);
        assert_eq!(session.term(&terms, odd, &mut commands), "?1!1");
    }

    /// A name that was given where `x` is free must not be used where it is bound.
    #[test]
    fn bound_symbols_are_others() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Int);
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let fx = terms.apply(f, &[x]);
        let product = terms.mul(fx, fx);
        let free = terms.le(product, fx);
        let symbol = terms.as_symbol(x).expect("a symbol");
        let bound = terms.quantified(Quantifier::Forall, &[symbol], free);
        let mut session = Session::new(&terms);
        let mut commands = String::new();
        let free = session.term(&terms, free, &mut commands);
        assert!(free.contains("?1"), "{free}");
        assert_eq!(
            session.term(&terms, bound, &mut commands),
            format!("(forall ((x Int)) (let ((?2 (f x))) {}))", free.replace("?1", "?2"))
        );
    }

    #[test]
    fn only_what_was_heard_has_a_name() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let [x_symbol, y_symbol] = [x, y].map(|t| terms.as_symbol(t).expect("a symbol"));
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let small = terms.le(x, y);
        let exists = terms.quantified(Quantifier::Exists, &[y_symbol], small);
        let mut session = Session::new(&terms);
        session.term(&terms, exists, &mut String::new());
        assert_eq!(session.symbol(x_symbol), Some("x"));
        assert_eq!(session.symbol(y_symbol), None);
        assert_eq!(session.function(f), None);
    }
}
