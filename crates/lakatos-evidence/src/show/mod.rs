//! Formulas as C or ACSL, the way a person would write them (DESIGN.md section 7).
//!
//! Formulas are over mathematical integers. ACSL's are, too; C's are not: there an operation is
//! printed with a cast to a wider type where it could overflow, wrap around, or where a conversion
//! between signed and unsigned would change a value, so that the expression means in C what the
//! formula means. How far values go is known from the types of variables alone; a comparison that
//! types decide is left out. Undefined operations are never printed: dividing by something that
//! may be zero, say. What cannot be printed so, or speaks of something that has no name, is
//! `None`.
//!
//! Only printing is in here: what text means as a formula is the business of `lakatos-witness`.

mod arrays;
mod bits;
mod compare;
mod logic;
mod names;
mod number;
mod text;

use std::cell::{Cell, RefCell};

use lakatos_ir::{DataModel, IntType, ProcId, Program};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Sort, Symbol, Term, Terms};

pub use self::names::name;
use crate::{Meaning, Proof};

/// A formula with more terms than this, shared ones counted as often as they are printed, is for
/// no person.
const MAX_TERMS: usize = 4000;

/// Nor is one that is nested deeper.
const MAX_DEPTH: usize = 100;

/// What the text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Mathematical integers, `==>`, `\old`, `\result`.
    Acsl,
    /// An expression that the C compiler evaluates to 0 or 1.
    C,
}

/// What a symbol is called, and the type of its values, or elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub ty: IntType,
}

/// A formula of a proof, at a place in a procedure.
pub fn formula(
    program: &Program,
    proof: &Proof,
    proc: ProcId,
    formula: Term,
    dialect: Dialect,
) -> Option<String> {
    let named = |symbol: Symbol| name(program, proc, proof.meaning(symbol), dialect);
    Printer::new(proof.terms(), program.types.model, dialect, &named).formula(formula)
}

/// The conjuncts of a formula, one by one, bounds of the same thing next to each other. What has
/// no text is left out; the number says how many.
pub fn conjuncts(
    program: &Program,
    proof: &Proof,
    proc: ProcId,
    formula: Term,
    dialect: Dialect,
) -> (Vec<String>, usize) {
    let named = |symbol: Symbol| name(program, proc, proof.meaning(symbol), dialect);
    Printer::new(proof.terms(), program.types.model, dialect, &named).conjuncts(formula)
}

/// A sum of variables with factors, and a number, at a place in a procedure: what a loop or a
/// recursion makes smaller.
pub fn linear(
    program: &Program,
    proc: ProcId,
    monomials: &[(Meaning, Int)],
    constant: &Int,
    dialect: Dialect,
) -> Option<String> {
    let mut terms = Terms::new();
    let (mut names, mut sum) = (Vec::new(), terms.int(constant.clone()));
    for (number, (meaning, factor)) in monomials.iter().enumerate() {
        let symbol = terms.symbol(&format!("v{number}"), Sort::Int);
        names.push((terms.as_symbol(symbol)?, name(program, proc, *meaning, dialect)?));
        sum = terms.combine(sum, symbol, factor);
    }
    let named = |symbol: Symbol| {
        names.iter().find(|(own, _)| *own == symbol).map(|(_, named)| named.clone())
    };
    Printer::new(&terms, program.types.model, dialect, &named).integer(sum)
}

/// Prints formulas of an arena whose symbols have names.
pub struct Printer<'a> {
    terms: &'a Terms,
    model: DataModel,
    dialect: Dialect,
    name: &'a dyn Fn(Symbol) -> Option<Named>,
    /// How many terms may still be printed.
    left: Cell<usize>,
    depth: Cell<usize>,
    /// Variables of the quantifiers around, and what they are called.
    bound: RefCell<Vec<(Symbol, String)>>,
}

impl std::fmt::Debug for Printer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Printer").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl<'a> Printer<'a> {
    pub fn new(
        terms: &'a Terms,
        model: DataModel,
        dialect: Dialect,
        name: &'a dyn Fn(Symbol) -> Option<Named>,
    ) -> Printer<'a> {
        let (left, depth) = (Cell::new(MAX_TERMS), Cell::new(0));
        Printer { terms, model, dialect, name, left, depth, bound: RefCell::default() }
    }

    /// The whole formula as one text.
    pub fn formula(&self, formula: Term) -> Option<String> {
        self.begin();
        Some(self.truth(formula)?.into_text(self.dialect).text)
    }

    /// An integer as text.
    pub fn integer(&self, term: Term) -> Option<String> {
        self.begin();
        Some(self.number(term)?.text.text)
    }

    /// All of several formulas as one text.
    pub fn all(&self, formulas: &[Term]) -> Option<String> {
        self.begin();
        Some(self.conjunction(formulas)?.into_text(self.dialect).text)
    }

    /// Its conjuncts, and how many of them have no text.
    pub fn conjuncts(&self, formula: Term) -> (Vec<String>, usize) {
        self.parts(&self.terms.conjuncts(formula))
    }

    /// Formulas that all hold, and how many of them have no text.
    pub fn parts(&self, parts: &[Term]) -> (Vec<String>, usize) {
        let printed = parts.iter().map(|part| {
            self.begin();
            self.truth(*part)
        });
        let (known, lost): (Vec<_>, Vec<_>) = printed.partition(Option::is_some);
        let known = logic::chained(known.into_iter().flatten().collect());
        let texts = known.into_iter().filter(|part| !part.is_true());
        (texts.map(|part| part.into_text(self.dialect).text).collect(), lost.len())
    }

    fn begin(&self) {
        self.left.set(MAX_TERMS);
        self.depth.set(0);
    }

    /// Prints a part, unless the whole gets too large.
    fn nested<R>(&self, print: impl FnOnce() -> Option<R>) -> Option<R> {
        self.left.set(self.left.get().checked_sub(1)?);
        if self.depth.get() == MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let printed = print();
        self.depth.set(self.depth.get() - 1);
        printed
    }

    fn is_c(&self) -> bool {
        self.dialect == Dialect::C
    }
}
