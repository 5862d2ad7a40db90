//! Lemmas that follow from definitions and earlier lemmas, by induction.

use rustc_hash::FxHashMap;

use super::instances::{Fuel, instances};
use super::measure::candidates;
use super::{Lemma, Theory};
use crate::smt::{Answer, Smt};
use crate::term::{Quantifier, Sort, Symbol, Term, Terms};

/// How a lemma was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Induction {
    /// Without.
    None,
    /// On this number of its variables, over the numbers that are not negative.
    On(Term),
}

/// Definitions may be unfolded so often in a proof.
const FUEL: Fuel = Fuel { rounds: 4, most: 400 };

/// Proves a lemma from a theory, which it must not be part of. `None`: no proof was found.
///
/// The induction is over the relation `0 <= m' < m` of a number made of the variables, which has no
/// infinite descent: where the number is negative there is nothing to assume.
pub fn prove(
    terms: &mut Terms,
    smt: &mut Smt,
    theory: &Theory,
    lemma: &Lemma,
) -> Option<Induction> {
    let (values, negation) = negated(terms, lemma);
    if contradicts(terms, smt, theory, negation) {
        return Some(Induction::None);
    }
    for measure in candidates(terms, &lemma.variables) {
        let hypothesis = hypothesis(terms, lemma, measure, &values);
        let mut with = theory.clone();
        with.lemmas.push(hypothesis);
        if contradicts(terms, smt, &with, negation) {
            return Some(Induction::On(measure));
        }
    }
    None
}

/// The lemma's variables as values for which it does not hold.
fn negated(terms: &mut Terms, lemma: &Lemma) -> (FxHashMap<Symbol, Term>, Term) {
    let mut values = FxHashMap::default();
    for variable in &lemma.variables {
        let sort = terms.symbol_sort(*variable);
        let name = terms.symbol_name(*variable).to_owned();
        values.insert(*variable, terms.fresh(&name, sort));
    }
    let formula = terms.substitute(lemma.formula, &values);
    (values, terms.not(formula))
}

/// The lemma for all variables for which the measure is smaller, and not negative.
fn hypothesis(
    terms: &mut Terms,
    lemma: &Lemma,
    measure: Term,
    values: &FxHashMap<Symbol, Term>,
) -> Lemma {
    let bound = terms.substitute(measure, values);
    let zero = terms.int(0);
    let smaller = [terms.le(zero, measure), terms.lt(measure, bound)];
    let smaller = terms.and(smaller);
    Lemma { formula: terms.implies(smaller, lemma.formula), ..lemma.clone() }
}

fn contradicts(terms: &mut Terms, smt: &mut Smt, theory: &Theory, formula: Term) -> bool {
    let mut query = vec![formula];
    query.extend(instances(terms, theory, &[formula], FUEL).into_iter().map(|i| i.formula));
    smt.check(terms, &query) == Answer::Unsat
}

/// Whether a theory is not seen to be a contradiction: `Some(false)` if it is one, `None` if the
/// solver does not know.
pub fn consistent(terms: &mut Terms, smt: &mut Smt, theory: &Theory) -> Option<bool> {
    let mut all = Vec::new();
    for definition in &theory.definitions {
        let parameters: Vec<Term> =
            definition.parameters.iter().map(|p| terms.symbol_term(*p)).collect();
        let call = terms.apply(definition.function, &parameters);
        let equation = terms.eq(call, definition.body);
        all.push(terms.quantified(Quantifier::Forall, &definition.parameters, equation));
    }
    for lemma in &theory.lemmas {
        all.push(terms.quantified(Quantifier::Forall, &lemma.variables, lemma.formula));
    }
    // Instances at fresh values find what the solver's own choice may miss.
    let mut ground = Vec::new();
    for lemma in &theory.lemmas {
        let values: FxHashMap<Symbol, Term> = lemma
            .variables
            .iter()
            .map(|v| (*v, terms.symbol_sort(*v)))
            .collect::<Vec<(Symbol, Sort)>>()
            .into_iter()
            .map(|(v, sort)| (v, terms.fresh("any", sort)))
            .collect();
        ground.push(terms.substitute(lemma.formula, &values));
    }
    let instances = instances(terms, theory, &ground, FUEL);
    ground.extend(instances.into_iter().map(|instance| instance.formula));
    if smt.check(terms, &ground) == Answer::Unsat {
        return Some(false);
    }
    match smt.check(terms, &all) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}
