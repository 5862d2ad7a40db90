//! Lemmas that follow from definitions and earlier lemmas, by induction; and what contradicts itself.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::instances::{Fuel, Instance, instances};
use super::measure::candidates;
use super::{Lemma, Origin, Theory};
use crate::number::Int;
use crate::smt::{Answer, Smt};
use crate::term::{Node, Quantifier, Sort, Symbol, Term, Terms};

/// How a lemma was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Induction {
    /// Without.
    None,
    /// On this number of its variables, over the numbers that are not negative.
    On(Term),
}

/// A proof that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub by: Induction,
    /// The definitions and lemmas of the theory that it uses: no others are needed.
    pub used: BTreeSet<Origin>,
}

/// Definitions may be unfolded so often in a proof.
const FUEL: Fuel = Fuel { rounds: 4, most: 400 };

/// Proves a lemma from a theory, which it must not be part of. `None`: no proof was found.
///
/// The induction is over the relation `0 <= m' < m` of a number made of the variables, which has no
/// infinite descent: where the number is negative there is nothing to assume.
pub fn prove(terms: &mut Terms, smt: &mut Smt, theory: &Theory, lemma: &Lemma) -> Option<Proof> {
    let (values, negation) = negated(terms, lemma);
    if let Some(used) = contradicts(terms, smt, theory, negation) {
        return Some(Proof { by: Induction::None, used });
    }
    for measure in candidates(terms, &lemma.variables) {
        let hypothesis = hypothesis(terms, lemma, measure, &values);
        let mut with = theory.clone();
        with.lemmas.push(hypothesis);
        if let Some(mut used) = contradicts(terms, smt, &with, negation) {
            used.remove(&Origin::Lemma(theory.lemmas.len()));
            return Some(Proof { by: Induction::On(measure), used });
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

/// What of the theory contradicts a formula.
fn contradicts(
    terms: &mut Terms,
    smt: &mut Smt,
    theory: &Theory,
    formula: Term,
) -> Option<BTreeSet<Origin>> {
    let found = instances(terms, theory, &[formula], FUEL);
    contradiction_of(terms, smt, &[formula], &found)
}

/// Where instances contradict formulas: what those that are needed are instances of.
fn contradiction_of(
    terms: &Terms,
    smt: &mut Smt,
    formulas: &[Term],
    found: &[Instance],
) -> Option<BTreeSet<Origin>> {
    let mut query = formulas.to_vec();
    query.extend(found.iter().map(|instance| instance.formula));
    if smt.check(terms, &query) != Answer::Unsat {
        return None;
    }
    let assumptions: Vec<Term> = found.iter().map(|instance| instance.formula).collect();
    // Where the solver cannot say again what it said, all of them may be needed.
    let core = smt.core(terms, formulas, &assumptions).unwrap_or(assumptions);
    let needed: BTreeSet<Term> = core.into_iter().collect();
    Some(found.iter().filter(|i| needed.contains(&i.formula)).map(|i| i.of).collect())
}

/// Whether a theory is not seen to be a contradiction: `Some(false)` if it is one, `None` if the
/// solver does not know.
pub fn consistent(terms: &mut Terms, smt: &mut Smt, theory: &Theory) -> Option<bool> {
    if contradiction(terms, smt, theory).is_some() {
        return Some(false);
    }
    let all: Vec<Term> = closed(terms, theory).into_iter().map(|(_, formula)| formula).collect();
    match smt.check(terms, &all) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Definitions and lemmas that contradict each other: all that were needed to see it. `None`: none
/// were found.
pub fn contradiction(
    terms: &mut Terms,
    smt: &mut Smt,
    theory: &Theory,
) -> Option<BTreeSet<Origin>> {
    // Instances at some values find what the solver's own choice may miss.
    let zero = terms.int(0);
    let anywhere = vec![None, Some(zero)];
    let spoken_of = constants(terms, theory).into_iter().map(Some).collect();
    for numbers in [anywhere, spoken_of] {
        let ground = at_numbers(terms, theory, &numbers);
        let formulas: Vec<Term> = ground.iter().map(|instance| instance.formula).collect();
        let mut found = ground;
        found.extend(instances(terms, theory, &formulas, FUEL));
        if let Some(core) = contradiction_of(terms, smt, &[], &found) {
            return Some(core);
        }
    }
    let all = closed(terms, theory);
    let found: Vec<Instance> =
        all.into_iter().map(|(of, formula)| Instance { of, formula }).collect();
    contradiction_of(terms, smt, &[], &found)
}

/// All of a theory as formulas without variables.
fn closed(terms: &mut Terms, theory: &Theory) -> Vec<(Origin, Term)> {
    let mut all = Vec::new();
    for (of, variables, formula) in statements(terms, theory) {
        all.push((of, terms.quantified(Quantifier::Forall, &variables, formula)));
    }
    all
}

/// Each definition and lemma with each of these for all numbers, and fresh values for whatever is left.
fn at_numbers(terms: &mut Terms, theory: &Theory, numbers: &[Option<Term>]) -> Vec<Instance> {
    let mut ground = Vec::new();
    for (of, variables, formula) in statements(terms, theory) {
        for number in numbers {
            let mut values = FxHashMap::default();
            for variable in &variables {
                let value = match (terms.symbol_sort(*variable), *number) {
                    (Sort::Int, Some(number)) => number,
                    (sort, _) => terms.fresh("any", sort),
                };
                values.insert(*variable, value);
            }
            ground.push(Instance { of, formula: terms.substitute(formula, &values) });
        }
    }
    ground
}

/// Numbers of a theory at which it is looked at.
const MOST_CONSTANTS: usize = 6;

/// What a theory adds or compares with, the largest first: where the range of a type ends lemmas are wrong that
/// hold everywhere else.
fn constants(terms: &mut Terms, theory: &Theory) -> Vec<Term> {
    let formulas: Vec<Term> =
        statements(terms, theory).into_iter().map(|(_, _, formula)| formula).collect();
    let mut found = BTreeSet::new();
    for part in terms.parts_first(&formulas) {
        match terms.node(part) {
            Node::Int(value) => drop(found.insert(value.clone())),
            Node::Sum(sum) => drop(found.insert(-sum.constant.clone())),
            _ => {}
        }
    }
    found.into_iter().rev().take(MOST_CONSTANTS).map(|constant: Int| terms.int(constant)).collect()
}

fn statements(terms: &mut Terms, theory: &Theory) -> Vec<(Origin, Vec<Symbol>, Term)> {
    let mut all = Vec::new();
    for (number, definition) in theory.definitions.iter().enumerate() {
        let parameters: Vec<Term> =
            definition.parameters.iter().map(|p| terms.symbol_term(*p)).collect();
        let call = terms.apply(definition.function, &parameters);
        let equation = terms.eq(call, definition.body);
        all.push((Origin::Definition(number), definition.parameters.clone(), equation));
    }
    for (number, lemma) in theory.lemmas.iter().enumerate() {
        all.push((Origin::Lemma(number), lemma.variables.clone(), lemma.formula));
    }
    all
}
