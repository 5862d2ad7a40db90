//! What always holds, as far as it is easily found: bounds, linear equations, remainders and
//! equations of products. That includes what closed forms of loops say when the number of turns is
//! eliminated (loops paper, section 4.1), of all ways around a loop at once. The engines that
//! refine take it for predicates.

use lakatos_analysis::core::Cx;
use lakatos_horn::{Encoded, Place, encode};
use lakatos_ir::{LocId, ProcId};
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{Facts, PredicateId, Strengthened};
use lakatos_logic::term::{Relation, Term, Terms};

use crate::horn::{is_kept, is_large};
use crate::prepare::Prepared;

/// Of the solver, for one look: the engine has other ways to go on.
const MOST_QUERIES: usize = 2_000;

/// Formulas, and where they hold.
type Known = Vec<((ProcId, LocId), Term)>;

/// Nothing where the program is large, or facts are hard to find.
pub(crate) fn facts(cx: &mut Cx<'_>, prepared: &Prepared) -> Known {
    if is_large(prepared) {
        return Known::new();
    }
    let encoded = encode(&mut cx.terms, &mut cx.semantics, true);
    // States are abstracted everywhere, so what holds has to be known everywhere.
    let everywhere = |predicate: PredicateId| matches!(encoded.places[predicate.0], Place::At(..));
    let (enough, mut known) = of_system(cx, &encoded, everywhere);
    if enough {
        return known;
    }
    known.iter_mut().for_each(|(_, formula)| *formula = without_bounds(&mut cx.terms, *formula));
    // It may be easier to see what holds at loop heads; in between that must not be forgotten.
    let program = cx.semantics.program;
    let heads = |predicate: PredicateId| is_kept(program, prepared, &encoded, predicate);
    if let (true, more) = of_system(cx, &encoded, heads) {
        for ((proc, _), formula) in more {
            let body = program.procs[proc].body.as_ref().expect("it has a predicate");
            known.extend(body.locs.ids().map(|loc| ((proc, loc), formula)));
        }
    }
    known
}

/// What is known of the predicates that are kept, and whether that is enough for a proof.
fn of_system(
    cx: &mut Cx<'_>,
    encoded: &Encoded,
    kept: impl Fn(PredicateId) -> bool,
) -> (bool, Known) {
    let Cx { terms, smt, semantics } = cx;
    let reduction = Reduction::new(terms, encoded.system.clone(), kept);
    let Ok(strengthened) = Strengthened::new(terms, smt, &reduction.system, &[], MOST_QUERIES)
    else {
        return (false, Known::new());
    };
    let (enough, solution) = match strengthened.facts(terms, smt) {
        Facts::Enough(solution) => (true, solution),
        Facts::Some(solution) => (false, solution),
    };
    let mut known = Known::new();
    for (place, formula) in encoded.places.iter().zip(reduction.solution(&solution)) {
        let Some(formula) = formula.filter(|f| !matches!(*f, Term::TRUE | Term::FALSE)) else {
            continue;
        };
        known.push((place.location(semantics.program), formula));
    }
    (enough, known)
}

/// Bounds are many, and interpolants find those that matter.
pub(crate) fn without_bounds(terms: &mut Terms, formula: Term) -> Term {
    let is_bound = |terms: &Terms, part: Term| {
        matches!(terms.as_comparison(part), Some((Relation::NonPositive, _)))
    };
    let parts = terms.conjuncts(formula);
    let kept: Vec<Term> = parts.into_iter().filter(|part| !is_bound(terms, *part)).collect();
    terms.and(kept)
}
