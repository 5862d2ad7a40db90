//! Queries without quantifiers: what is said of all values is said of those that occur.
//!
//! A formula that holds of all values is kept aside, guarded by a truth value in its place, and put
//! in again at the indices that occur (as in the array property fragment); "there is one" becomes a
//! new name. Definitions and lemmas come in by their [`instances`]. Everything that is added follows
//! from the query and the theory, and what is taken away only makes it weaker: if the result is a
//! contradiction, so is the query. The converse does not hold.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::instances::{Fuel, instances_at};
use super::matching::{Aliases, Binding, matches};
use super::{Origin, Theory};
use crate::term::{Function, Node, Quantifier, Sort, Symbol, Term, Terms};

/// How often what was added is looked at again.
const ROUNDS: usize = 2;
/// Instances of formulas about all values.
const MOST: usize = 2_000;
/// Instances of definitions and lemmas in each round.
const FUEL: Fuel = Fuel { rounds: 1, most: 150 };

/// Truth values that say whether a part of a theory is used.
pub type Guards = BTreeMap<Origin, Term>;

/// The query with a theory, without quantifiers (but for those in equations of truth values), and
/// which parts of the theory came in.
pub fn ground(terms: &mut Terms, theory: &Theory, query: &[Term]) -> (Vec<Term>, BTreeSet<Origin>) {
    grounded(terms, theory, query, &Guards::new())
}

/// The same with instances that count only where what they are of is used. Which parts of the theory
/// there are is decided later, then, and may be decided anew.
pub fn ground_guarded(
    terms: &mut Terms,
    theory: &Theory,
    query: &[Term],
    guards: &Guards,
) -> Vec<Term> {
    grounded(terms, theory, query, guards).0
}

fn grounded(
    terms: &mut Terms,
    theory: &Theory,
    query: &[Term],
    guards: &Guards,
) -> (Vec<Term>, BTreeSet<Origin>) {
    let mut grounding = Grounding {
        terms,
        guards,
        formulas: Vec::new(),
        locals: Vec::new(),
        known: FxHashSet::default(),
        seen: FxHashSet::default(),
        used: BTreeSet::new(),
    };
    for formula in query {
        grounding.add(*formula);
    }
    let (theory, origins) = relevant(grounding.terms, theory, query);
    for _ in 0..ROUNDS {
        let before = grounding.formulas.len();
        grounding.instantiate_theory(&theory, &origins);
        grounding.instantiate_locals();
        if grounding.formulas.len() == before {
            break;
        }
    }
    (grounding.formulas, grounding.used)
}

/// The part of a theory that is about functions in some formulas, and where it comes from: definitions
/// first.
fn relevant(terms: &Terms, theory: &Theory, query: &[Term]) -> (Theory, Vec<Origin>) {
    let mut functions = applied(terms, query);
    loop {
        let before = functions.len();
        for definition in &theory.definitions {
            if functions.contains(&definition.function) {
                functions.extend(applied(terms, &[definition.body]));
            }
        }
        if functions.len() == before {
            break;
        }
    }
    let (mut kept, mut origins) = (Theory::default(), Vec::new());
    for (number, definition) in theory.definitions.iter().enumerate() {
        if functions.contains(&definition.function) {
            kept.definitions.push(definition.clone());
            origins.push(Origin::Definition(number));
        }
    }
    for (number, lemma) in theory.lemmas.iter().enumerate() {
        if applied(terms, &[lemma.formula]).is_subset(&functions) {
            kept.lemmas.push(lemma.clone());
            origins.push(Origin::Lemma(number));
        }
    }
    (kept, origins)
}

fn applied(terms: &Terms, formulas: &[Term]) -> BTreeSet<Function> {
    let function = |part: Term| match terms.node(part) {
        Node::Apply(function, _) => Some(*function),
        _ => None,
    };
    terms.parts_first(formulas).into_iter().filter_map(function).collect()
}

/// A formula that holds of all values of its variables.
#[derive(Clone)]
struct Local {
    variables: Vec<Symbol>,
    formula: Term,
    /// Indices, and applications, in which variables occur.
    triggers: Vec<Term>,
}

struct Grounding<'t> {
    terms: &'t mut Terms,
    guards: &'t Guards,
    formulas: Vec<Term>,
    locals: Vec<Local>,
    /// The formulas, and the instances that they come from.
    known: FxHashSet<Term>,
    seen: FxHashSet<Term>,
    used: BTreeSet<Origin>,
}

impl Grounding<'_> {
    fn add(&mut self, formula: Term) {
        let formula = self.strip(formula, true);
        if formula != Term::TRUE && self.known.insert(formula) {
            self.formulas.push(formula);
        }
    }

    /// A formula without quantifiers that the formula implies (or that implies it, where it is
    /// denied), together with what is kept aside.
    fn strip(&mut self, formula: Term, holds: bool) -> Term {
        match self.terms.node(formula).clone() {
            Node::Not(inner) => {
                let inner = self.strip(inner, !holds);
                self.terms.not(inner)
            }
            Node::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.strip(*part, holds)).collect();
                self.terms.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.strip(*part, holds)).collect();
                self.terms.or(parts)
            }
            Node::Quantified(quantifier, bound, body) => {
                let fresh: FxHashMap<Symbol, Term> = bound
                    .iter()
                    .map(|symbol| {
                        let sort = self.terms.symbol_sort(*symbol);
                        let name = self.terms.symbol_name(*symbol).to_owned();
                        (*symbol, self.terms.fresh(&name, sort))
                    })
                    .collect();
                let body = self.terms.substitute(body, &fresh);
                if (quantifier == Quantifier::Forall) != holds {
                    return self.strip(body, holds);
                }
                let variables = bound.iter().map(|symbol| fresh[symbol]);
                let variables = variables.map(|v| self.terms.as_symbol(v).expect("it is one"));
                let variables = variables.collect();
                let guard = self.terms.fresh("all", Sort::Bool);
                let said = match holds {
                    true => self.terms.implies(guard, body),
                    false => self.terms.implies(body, guard),
                };
                self.keep(variables, said);
                guard
            }
            _ => formula,
        }
    }

    fn keep(&mut self, variables: Vec<Symbol>, formula: Term) {
        let own: BTreeSet<Symbol> = variables.iter().copied().collect();
        let mut triggers = BTreeSet::new();
        for part in self.terms.parts_first(&[formula]) {
            let candidate = match *self.terms.node(part) {
                Node::Select(_, index) | Node::Store(_, index, _) => index,
                Node::Apply(..) => part,
                _ => continue,
            };
            if !self.terms.free_symbols(candidate).is_disjoint(&own) {
                triggers.insert(candidate);
            }
        }
        self.locals.push(Local { variables, formula, triggers: triggers.into_iter().collect() });
    }

    fn instantiate_theory(&mut self, theory: &Theory, origins: &[Origin]) {
        let aliases = self.aliases();
        let also = self.applied_to_aliases(&aliases);
        for instance in instances_at(self.terms, theory, &self.formulas, &also, FUEL) {
            if self.seen.insert(instance.formula) {
                let lemma = |number| theory.definitions.len() + number;
                let of = match instance.of {
                    Origin::Definition(number) => origins[number],
                    Origin::Lemma(number) => origins[lemma(number)],
                };
                self.used.insert(of);
                let formula = match self.guards.get(&of) {
                    Some(guard) => self.terms.implies(*guard, instance.formula),
                    None => instance.formula,
                };
                self.add(formula);
            }
        }
    }

    /// What array symbols may be equal to.
    fn aliases(&self) -> FxHashMap<Symbol, Vec<Term>> {
        let mut aliases: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        for part in self.terms.parts_first(&self.formulas) {
            let Node::Eq(a, b) = *self.terms.node(part) else { continue };
            if !matches!(self.terms.sort(a), Sort::Array(_)) {
                continue;
            }
            for (symbol, value) in [(a, b), (b, a)] {
                if let Some(symbol) = self.terms.as_symbol(symbol) {
                    aliases.entry(symbol).or_default().push(value);
                }
            }
        }
        aliases
    }

    /// Applications to arrays as applications to what these arrays may be.
    fn applied_to_aliases(&mut self, aliases: &FxHashMap<Symbol, Vec<Term>>) -> Vec<Term> {
        let mut open: Vec<Term> = self
            .terms
            .parts_first(&self.formulas)
            .into_iter()
            .filter(|part| matches!(self.terms.node(*part), Node::Apply(..)))
            .collect();
        let mut found: BTreeSet<Term> = open.iter().copied().collect();
        while let Some(term) = open.pop() {
            let Node::Apply(function, arguments) = self.terms.node(term).clone() else { continue };
            for (number, argument) in arguments.iter().enumerate() {
                let inner = match *self.terms.node(*argument) {
                    Node::Store(inner, ..) => vec![inner],
                    Node::Symbol(symbol) => aliases.get(&symbol).cloned().unwrap_or_default(),
                    _ => continue,
                };
                for other in inner {
                    let mut arguments = arguments.to_vec();
                    arguments[number] = other;
                    let applied = self.terms.apply(function, &arguments);
                    if found.len() < MOST && found.insert(applied) {
                        open.push(applied);
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    fn instantiate_locals(&mut self) {
        let (indices, applied) = self.occurring();
        for local in self.locals.clone() {
            for binding in self.bindings(&local, &indices, &applied) {
                if self.seen.len() > MOST {
                    return;
                }
                let formula = self.terms.substitute(local.formula, &binding);
                if self.seen.insert(formula) {
                    self.add(formula);
                }
            }
        }
    }

    /// The indices, and the applications, of the formulas. (Bound variables are in none of them.)
    fn occurring(&self) -> (Vec<Term>, Vec<Term>) {
        let (mut indices, mut applied) = (BTreeSet::new(), BTreeSet::new());
        for part in self.terms.parts_first(&self.formulas) {
            match *self.terms.node(part) {
                Node::Select(_, index) | Node::Store(_, index, _) => {
                    indices.insert(index);
                }
                Node::Apply(..) => {
                    applied.insert(part);
                }
                _ => {}
            }
        }
        (indices.into_iter().collect(), applied.into_iter().collect())
    }

    /// The values with which one of the triggers for each variable occurs.
    fn bindings(&mut self, local: &Local, indices: &[Term], applied: &[Term]) -> Vec<Binding> {
        let variables: BTreeSet<Symbol> = local.variables.iter().copied().collect();
        let none = Aliases::default();
        let mut open: Vec<Binding> = vec![Binding::default()];
        for variable in &local.variables {
            let mut next = Vec::new();
            for binding in open {
                if binding.contains_key(variable) {
                    next.push(binding);
                    continue;
                }
                for trigger in &local.triggers {
                    if !self.terms.free_symbols(*trigger).contains(variable) {
                        continue;
                    }
                    let is_call = matches!(self.terms.node(*trigger), Node::Apply(..));
                    for term in if is_call { applied } else { indices } {
                        let mut more = binding.clone();
                        let fits =
                            matches(self.terms, &none, &variables, *trigger, *term, &mut more);
                        if fits && more.contains_key(variable) && !next.contains(&more) {
                            next.push(more);
                        }
                    }
                }
            }
            open = next;
        }
        open
    }
}
