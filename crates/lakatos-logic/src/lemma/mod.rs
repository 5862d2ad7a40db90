//! What users know: recursive definitions and lemmas, used by substitution (lemma thesis; DESIGN.md
//! 6.5).
//!
//! A lemma is a formula about any values of its variables. Using it means to put terms in the place
//! of the variables and to assume the result, an *instance*; each instance stands for itself.
//! Which terms are put there is decided by matching what occurs in a formula (`matching`), in
//! rounds, since instances have new terms ([`instances`]). A definition is used in the same way.
//!
//! A definition is harmless if its recursion ends ([`measure`]); a lemma is if it follows from
//! earlier ones, by induction (`induction`). Everything else is an assumption, and whoever uses
//! it has to say so: that is why instances know what they are of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod ground;
mod induction;
mod instances;
mod matching;
mod measure;
mod numbers;

use crate::term::{Function, Symbol, Term, Terms};

pub use self::ground::{Guards, ground, ground_guarded};
pub use self::induction::{Induction, Proof, consistent, contradiction, prove};
pub use self::instances::{Fuel, Instance, instances};
pub use self::measure::{Measure, measure};
pub use self::numbers::numbers_of;

/// `function(parameters) = body`; the body may use the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub function: Function,
    pub parameters: Vec<Symbol>,
    pub body: Term,
}

/// A formula that is said to hold whatever its variables are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    pub name: String,
    pub variables: Vec<Symbol>,
    pub formula: Term,
}

/// Definitions and lemmas, in the order in which they may rest on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theory {
    pub definitions: Vec<Definition>,
    pub lemmas: Vec<Lemma>,
}

/// A theory that somebody has judged, in an arena of its own.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    pub terms: Arc<Terms>,
    pub theory: Theory,
    /// What rests on assumptions, and the names of these.
    pub rests: BTreeMap<Origin, BTreeSet<String>>,
    /// The names of all that is assumed in it, not shown.
    pub assumed: BTreeSet<String>,
}

impl Knowledge {
    pub fn is_empty(&self) -> bool {
        self.theory.definitions.is_empty() && self.theory.lemmas.is_empty()
    }

    /// What assumes nothing.
    pub fn without_assumptions(&self) -> Knowledge {
        self.without(|_| true)
    }

    /// What does not rest on some of the assumptions.
    pub fn without(&self, is_dropped: impl Fn(&str) -> bool) -> Knowledge {
        let nothing = BTreeSet::new();
        let rests = |origin: Origin| self.rests.get(&origin).unwrap_or(&nothing);
        let is_kept = |origin: Origin| !rests(origin).iter().any(|name| is_dropped(name));
        let mut kept = Knowledge { terms: self.terms.clone(), ..Knowledge::default() };
        for (number, definition) in self.theory.definitions.iter().enumerate() {
            let origin = Origin::Definition(number);
            if is_kept(origin) {
                let own = Origin::Definition(kept.theory.definitions.len());
                kept.theory.definitions.push(definition.clone());
                kept.rest(own, rests(origin));
            }
        }
        for (number, lemma) in self.theory.lemmas.iter().enumerate() {
            let origin = Origin::Lemma(number);
            if is_kept(origin) {
                let own = Origin::Lemma(kept.theory.lemmas.len());
                kept.theory.lemmas.push(lemma.clone());
                kept.rest(own, rests(origin));
            }
        }
        kept
    }

    fn rest(&mut self, origin: Origin, on: &BTreeSet<String>) {
        if !on.is_empty() {
            self.assumed.extend(on.iter().cloned());
            self.rests.insert(origin, on.clone());
        }
    }
}

impl Theory {
    /// All that it consists of.
    pub fn origins(&self) -> impl Iterator<Item = Origin> + use<> {
        let definitions = (0..self.definitions.len()).map(Origin::Definition);
        definitions.chain((0..self.lemmas.len()).map(Origin::Lemma))
    }

    /// Some of it.
    pub fn filtered(&self, is_kept: impl Fn(Origin) -> bool) -> Theory {
        let definitions = self.definitions.iter().enumerate();
        let definitions = definitions.filter(|(number, _)| is_kept(Origin::Definition(*number)));
        let lemmas = self.lemmas.iter().enumerate();
        let lemmas = lemmas.filter(|(number, _)| is_kept(Origin::Lemma(*number)));
        Theory {
            definitions: definitions.map(|(_, definition)| definition.clone()).collect(),
            lemmas: lemmas.map(|(_, lemma)| lemma.clone()).collect(),
        }
    }

    /// The same in another arena.
    pub fn import(&self, from: &Terms, into: &mut Terms) -> Theory {
        let definitions = self.definitions.iter().map(|definition| {
            let parameters = symbols(from, into, &definition.parameters);
            Definition {
                function: into.import_function(from, definition.function),
                parameters,
                body: into.import(from, &[definition.body])[0],
            }
        });
        let definitions = definitions.collect();
        let lemmas = self.lemmas.iter().map(|lemma| Lemma {
            name: lemma.name.clone(),
            variables: symbols(from, into, &lemma.variables),
            formula: into.import(from, &[lemma.formula])[0],
        });
        Theory { definitions, lemmas: lemmas.collect() }
    }
}

fn symbols(from: &Terms, into: &mut Terms, of: &[Symbol]) -> Vec<Symbol> {
    of.iter().map(|symbol| into.import_symbol(from, *symbol)).collect()
}

/// What an instance is an instance of, by its number in the theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    Definition(usize),
    Lemma(usize),
}
