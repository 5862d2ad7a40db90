//! What always holds at loop heads, entries and exits, as far as it is easily found: bounds, linear
//! equations, remainders and equations of products. That includes what closed forms of loops say
//! when the number of turns is eliminated (loops paper, section 4.1), of all ways around a loop at
//! once. The engines that refine take it for predicates.

use lakatos_analysis::core::Cx;
use lakatos_horn::{Place, encode};
use lakatos_ir::{LocId, ProcId};
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{Facts, PredicateId, Strengthened};
use lakatos_logic::term::{Relation, Term, Terms};

use crate::horn::is_large;
use crate::prepare::Prepared;

/// Nothing where the program is large, or facts are hard to find.
pub(crate) fn facts(cx: &mut Cx<'_>, prepared: &Prepared) -> Vec<((ProcId, LocId), Term)> {
    if is_large(prepared) {
        return Vec::new();
    }
    let Cx { terms, semantics, smt } = cx;
    let encoded = encode(terms, semantics, true);
    let program = semantics.program;
    // States are abstracted everywhere, so what holds has to be known everywhere.
    let kept = |predicate: PredicateId| matches!(encoded.places[predicate.0], Place::At(..));
    let reduction = Reduction::new(terms, encoded.system.clone(), kept);
    let Ok(strengthened) = Strengthened::new(terms, smt, &reduction.system, &[]) else {
        return Vec::new();
    };
    let solution = match strengthened.facts(terms, smt) {
        Facts::Enough(solution) => solution,
        Facts::Some(solution) => {
            solution.into_iter().map(|formula| without_bounds(terms, formula)).collect()
        }
    };
    let formulas = reduction.solution(&solution);
    let places = encoded.places.iter().zip(formulas);
    let mut found = Vec::new();
    for (place, formula) in places {
        let Some(formula) = formula.filter(|f| !matches!(*f, Term::TRUE | Term::FALSE)) else {
            continue;
        };
        let (Place::At(proc, _) | Place::Entry(proc)) = *place;
        let body = program.procs[proc].body.as_ref().expect("a predicate of a body");
        match place {
            Place::Entry(_) => found.push(((proc, body.entry), formula)),
            Place::At(_, loc) => found.push(((proc, *loc), formula)),
        }
    }
    found
}

/// Bounds are many, and interpolants find those that matter.
fn without_bounds(terms: &mut Terms, formula: Term) -> Term {
    let is_bound = |terms: &Terms, part: Term| {
        matches!(terms.as_comparison(part), Some((Relation::NonPositive, _)))
    };
    let parts = terms.conjuncts(formula);
    let kept: Vec<Term> = parts.into_iter().filter(|part| !is_bound(terms, *part)).collect();
    terms.and(kept)
}
