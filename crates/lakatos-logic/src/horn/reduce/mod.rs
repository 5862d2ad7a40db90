//! Smaller systems that say the same. Each step leaves the numbers of predicates as they are and
//! knows the way back for solutions; derivations keep their marks.
//!
//! - `tidy`: equations are put in place of symbols;
//! - `cone`: what nothing derives, and what no contradiction needs, goes;
//! - `unfold`: predicates with one clause are replaced by its body;
//! - `slice`: arguments go that nobody looks at.

mod cone;
mod slice;
mod tidy;
mod unfold;

pub(super) use self::unfold::renamed;
use super::{PredicateId, Solution, System};
use crate::term::{Term, Terms};

/// The solution of a system in which nothing leads to a contradiction, whatever constraints say.
pub(super) fn plain_solution(system: &System) -> Option<Solution> {
    let mut system = system.clone();
    let mut fates = vec![Fate::Kept; system.predicates.len()];
    cone::cone(&mut system, &mut fates);
    let solved = fates.into_iter().map(|fate| match fate {
        Fate::Solved(formula) => Some(formula),
        Fate::Kept | Fate::Unfolded => None,
    });
    solved.collect::<Option<Solution>>().filter(|_| system.clauses.is_empty())
}

/// What has become of a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// Perhaps with fewer parameters.
    Kept,
    /// Its solution is this, whatever the others are.
    Solved(Term),
    /// Replaced by its definition.
    Unfolded,
}

/// A smaller system, and the way back.
#[derive(Clone, Debug)]
pub struct Reduction {
    pub system: System,
    fates: Vec<Fate>,
}

impl Reduction {
    /// Predicates that are wanted in solutions are `kept`; others may be replaced.
    pub fn new(
        terms: &mut Terms,
        mut system: System,
        kept: impl Fn(PredicateId) -> bool,
    ) -> Reduction {
        let mut fates = vec![Fate::Kept; system.predicates.len()];
        tidy::tidy(terms, &mut system);
        cone::cone(&mut system, &mut fates);
        unfold::unfold(terms, &mut system, &mut fates, kept);
        slice::slice(terms, &mut system);
        Reduction { system, fates }
    }

    /// A solution of the system as it was: `None` for predicates that were replaced. The
    /// parameters are those of before, of which a formula need not use all.
    pub fn solution(&self, solution: &Solution) -> Vec<Option<Term>> {
        let fates = self.fates.iter().zip(solution);
        fates
            .map(|(fate, formula)| match fate {
                Fate::Kept => Some(*formula),
                Fate::Solved(known) => Some(*known),
                Fate::Unfolded => None,
            })
            .collect()
    }
}
