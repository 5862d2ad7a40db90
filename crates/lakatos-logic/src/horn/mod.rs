//! Constrained Horn clauses (DESIGN.md 6.4): predicates that are looked for, and clauses that they
//! have to satisfy.
//!
//! A [`Clause`] says that its head follows from the applications in its body and its constraint,
//! for all values of its symbols; a clause without a head says that its body is never true. A
//! [`Solution`] gives every predicate a formula such that all clauses hold. Where there is none, a
//! [`Derivation`] shows it: clauses, with values, that lead to one without a head.
//!
//! - [`spacer`]: solutions and derivations from Z3, behind the trait [`Solve`];
//! - [`Abstraction`]: the same by predicate abstraction, of clauses with one premise;
//! - [`check`]: whether a solution is one;
//! - [`reduce`]: smaller systems, with the way back for solutions;
//! - [`Strengthened`]: systems with what always holds put into them;
//! - [`text`] and [`read`]: systems as SMT-LIB.

mod abstraction;
mod cases;
pub mod check;
mod derivation;
mod facts;
mod needed;
mod products;
pub mod read;
mod readable;
pub mod reduce;
pub mod spacer;
mod strengthen;
pub mod text;

use crate::smt::Reason;
use crate::term::{Assignment, Function, Quantifier, Sort, Symbol, Term, Terms};

pub use self::abstraction::Abstraction;
pub use self::readable::readable;
pub use self::spacer::{Settings, Spacer};
pub use self::strengthen::{Facts, Strengthened};

/// The number of a predicate in its system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub usize);

/// An unknown relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    pub name: String,
    /// What a solution speaks of, all different.
    pub parameters: Vec<Symbol>,
    function: Function,
}

/// A predicate of some terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    pub predicate: PredicateId,
    pub arguments: Vec<Term>,
}

/// A value in a derivation that somebody wants to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Its place among the applications of the body: after so many of them.
    pub after: usize,
    /// What it is, to whom it matters.
    pub tag: usize,
    /// There is such a value only if this holds.
    pub when: Term,
    pub value: Term,
}

/// The head follows from the body and the constraint. Its symbols are its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    pub body: Vec<Application>,
    pub constraint: Term,
    /// `None`: a contradiction.
    pub head: Option<Application>,
    pub marks: Vec<Mark>,
    /// Where it comes from, for those who read the system.
    pub note: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    pub predicates: Vec<Predicate>,
    pub clauses: Vec<Clause>,
}

/// For each predicate a formula over its parameters.
pub type Solution = Vec<Term>;

/// A clause with values.
#[derive(Clone, Debug)]
pub struct Step {
    pub clause: usize,
    /// The steps that derive the applications of its body, in their order.
    pub premises: Vec<usize>,
    pub values: Assignment,
}

/// Steps that lead to a contradiction, which is the last one. Premises come first.
#[derive(Clone, Debug)]
pub struct Derivation {
    pub steps: Vec<Step>,
}

/// What is known about a system.
#[derive(Debug)]
pub enum Outcome {
    Solved(Solution),
    Violated(Derivation),
    Unknown(Reason),
}

/// Whoever solves systems.
pub trait Solve {
    fn solve(&mut self, terms: &mut Terms, system: &System) -> Outcome;
}

impl Predicate {
    pub fn new(terms: &mut Terms, name: &str, parameters: Vec<Symbol>) -> Predicate {
        let sorts: Vec<Sort> = parameters.iter().map(|s| terms.symbol_sort(*s)).collect();
        let function = terms.function(name, &sorts, Sort::Bool);
        Predicate { name: name.to_owned(), parameters, function }
    }
}

impl Clause {
    /// All terms that it consists of.
    pub fn roots(&self) -> Vec<Term> {
        let applications = self.body.iter().chain(&self.head);
        let arguments = applications.flat_map(|a| a.arguments.iter().copied());
        let marks = self.marks.iter().flat_map(|m| [m.when, m.value]);
        arguments.chain(marks).chain([self.constraint]).collect()
    }

    /// The clause with its terms changed, all at once.
    pub fn map(&self, change: impl FnOnce(&[Term]) -> Vec<Term>) -> Clause {
        let mut changed = change(&self.roots()).into_iter();
        let mut clause = self.clone();
        let mut next = || changed.next().expect("as many as before");
        for application in clause.body.iter_mut().chain(&mut clause.head) {
            application.arguments.iter_mut().for_each(|a| *a = next());
        }
        for mark in &mut clause.marks {
            (mark.when, mark.value) = (next(), next());
        }
        clause.constraint = next();
        clause
    }
}

impl System {
    pub fn add_predicate(&mut self, predicate: Predicate) -> PredicateId {
        self.predicates.push(predicate);
        PredicateId(self.predicates.len() - 1)
    }

    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0]
    }

    /// An application as a term.
    pub fn applied(&self, terms: &mut Terms, application: &Application) -> Term {
        terms.apply(self.predicate(application.predicate).function, &application.arguments)
    }

    /// A clause as a closed formula.
    pub fn formula(&self, terms: &mut Terms, clause: &Clause) -> Term {
        let mut body: Vec<Term> = clause.body.iter().map(|a| self.applied(terms, a)).collect();
        body.push(clause.constraint);
        let head = match &clause.head {
            Some(head) => self.applied(terms, head),
            None => Term::FALSE,
        };
        let body = terms.and(body);
        let matrix = terms.implies(body, head);
        let bound = self.bound(terms, clause);
        terms.quantified(Quantifier::Forall, &bound, matrix)
    }

    /// The symbols of a clause, without those that stand for predicates that have no parameters.
    pub fn bound(&self, terms: &Terms, clause: &Clause) -> Vec<Symbol> {
        terms.free_symbols_of(&clause.roots()).into_iter().collect()
    }

    /// What a predicate's formula says of some terms.
    pub fn instance(
        &self,
        terms: &mut Terms,
        solution: &Solution,
        application: &Application,
    ) -> Term {
        self.instances(terms, application, &[solution[application.predicate.0]])[0]
    }

    /// What formulas over a predicate's parameters say of the terms that it is applied to.
    pub fn instances(
        &self,
        terms: &mut Terms,
        application: &Application,
        formulas: &[Term],
    ) -> Vec<Term> {
        let parameters = &self.predicate(application.predicate).parameters;
        let map = parameters.iter().copied().zip(application.arguments.iter().copied()).collect();
        terms.substitute_all(formulas, &map)
    }
}
