//! Newton style: what a contradiction needs of each formula, then strongest postconditions from
//! the leaves to the root, projected to what is shared.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, exists_const};
use z3::{Goal, Tactic};

use super::{Problem, tidy};
use crate::number::Int;
use crate::smt::z3::{read, symbol_constant};
use crate::smt::{Features, Smt};
use crate::term::{Relation, Sort, Sum, Symbol, Term, Terms};

/// Candidates for all nodes.
pub(super) fn interpolate(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let problem = restrict(terms, smt, problem)?;
    let vocabularies = problem.vocabularies(terms);
    let mut states = Vec::with_capacity(problem.len());
    let mut strongest = true;
    for (node, vocabulary) in vocabularies.iter().enumerate() {
        let below: Vec<Term> = problem.children(node).iter().map(|c| states[*c]).collect();
        let state = terms.and(below.into_iter().chain([problem.formulas()[node]]));
        if node == problem.root() {
            // Where elimination failed too much may be forgotten.
            let contradiction = strongest || smt.check(terms, &[state]).is_unsat();
            states.push(Term::FALSE);
            return contradiction.then_some(states);
        }
        let (projected, exact) = project(terms, smt, state, vocabulary);
        strongest &= exact;
        states.push(projected);
    }
    None
}

/// The problem with only those conjuncts that a contradiction needs.
pub(super) fn restrict(terms: &mut Terms, smt: &mut Smt, problem: &Problem) -> Option<Problem> {
    let mut conjuncts: Vec<Term> =
        problem.formulas().iter().flat_map(|f| terms.conjuncts(*f)).collect();
    conjuncts.sort_unstable();
    conjuncts.dedup();
    let core = smt.core(terms, &[], &conjuncts).ok()?;
    let formulas = problem
        .formulas()
        .iter()
        .map(|f| {
            let conjuncts = terms.conjuncts(*f);
            terms.and(conjuncts.into_iter().filter(|c| core.contains(c)))
        })
        .collect();
    Some(problem.with_formulas(formulas))
}

/// A consequence of `formula` over `keep`, and whether it is the strongest one: elimination may
/// fail.
fn project(terms: &mut Terms, smt: &Smt, formula: Term, keep: &BTreeSet<Symbol>) -> (Term, bool) {
    let formula = solve_equations(terms, formula, keep);
    let gone: Vec<Symbol> =
        terms.free_symbols(formula).into_iter().filter(|s| !keep.contains(s)).collect();
    if gone.is_empty() {
        return (tidy(terms, formula), true);
    }
    let eliminated = eliminate(terms, smt, formula, &gone);
    let exact = eliminated.is_some();
    let projected = eliminated.unwrap_or_else(|| forget(terms, formula, &gone));
    (tidy(terms, projected), exact)
}

/// Symbols that an equation defines are replaced by their definition.
fn solve_equations(terms: &mut Terms, mut formula: Term, keep: &BTreeSet<Symbol>) -> Term {
    loop {
        let definition = terms.conjuncts(formula).into_iter().find_map(|c| solved(terms, c, keep));
        let Some((symbol, value)) = definition else { return formula };
        formula = terms.substitute(formula, &FxHashMap::from_iter([(symbol, value)]));
    }
}

/// An equation of integers solved for a symbol outside of `keep` with a unit coefficient.
fn solved(terms: &mut Terms, conjunct: Term, keep: &BTreeSet<Symbol>) -> Option<(Symbol, Term)> {
    let (Relation::Zero, sum) = terms.as_comparison(conjunct)? else { return None };
    let (term, coefficient) = sum.monomials.iter().find(|(t, c)| {
        (*c == Int::ONE || *c == Int::NEG_ONE)
            && terms.sort(*t) == Sort::Int
            && terms.as_symbol(*t).is_some_and(|s| !keep.contains(&s))
    })?;
    let symbol = terms.as_symbol(*term)?;
    let own = Sum { monomials: vec![(*term, coefficient.clone())], ..Sum::constant(Int::ZERO) };
    let rest = sum.clone().add_scaled(&own, &Int::NEG_ONE).scale(&-coefficient);
    let value = terms.sum(rest, Sort::Int);
    (!terms.free_symbols(value).contains(&symbol)).then_some((symbol, value))
}

/// Quantifier elimination by Z3. It takes for ever where products are involved, and no limit ends
/// it there.
fn eliminate(terms: &mut Terms, smt: &Smt, formula: Term, gone: &[Symbol]) -> Option<Term> {
    if Features::of(terms, &[formula]).nonlinear {
        return None;
    }
    let health = smt.z3().health().clone();
    health.believe(|| apply_tactic(terms, smt, formula, gone)).ok()?
}

fn apply_tactic(terms: &mut Terms, smt: &Smt, formula: Term, gone: &[Symbol]) -> Option<Term> {
    let body = smt.z3().translator().borrow_mut().bool(terms, formula);
    let constants: Vec<Dynamic> = gone.iter().map(|s| symbol_constant(terms, *s)).collect();
    let bound: Vec<&dyn Ast> = constants.iter().map(|c| c as &dyn Ast).collect();
    let goal = Goal::new(false, false, false);
    goal.assert(&exists_const(&bound, &[], &body));
    let tactic = Tactic::new("qe2");
    let tactic = match smt.limits().time {
        Some(time) => tactic.try_for(time),
        None => tactic,
    };
    let result = tactic.apply(&goal, None).ok()?;
    let formulas: Vec<Bool> = result.list_subgoals().flat_map(|g: Goal| g.get_formulas()).collect();
    let mut parts = Vec::with_capacity(formulas.len());
    for formula in formulas {
        parts.push(read(terms, &Dynamic::from(formula))?);
    }
    Some(terms.and(parts))
}

/// A weaker formula without the symbols: conjuncts that speak of them are dropped.
fn forget(terms: &mut Terms, formula: Term, gone: &[Symbol]) -> Term {
    let kept: Vec<Term> = terms
        .conjuncts(formula)
        .into_iter()
        .filter(|c| terms.free_symbols(*c).iter().all(|s| !gone.contains(s)))
        .collect();
    terms.and(kept)
}
