//! Which conjuncts of a solution are needed: those that contradict the bodies of clauses without a
//! head, those from which these follow in the clauses that derive them, and so on. The solver's
//! unsatisfiable cores tell.

use super::{Clause, Solution, System};
use crate::smt::{Answer, Smt};
use crate::term::{Term, Terms};

/// A conjunct of a predicate's formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    predicate: usize,
    conjunct: usize,
}

/// A solution with only what is needed of it. As it was, where the solver does not know.
pub(super) fn needed(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    solution: &Solution,
) -> Solution {
    let conjuncts: Vec<Vec<Term>> = solution.iter().map(|f| terms.conjuncts(*f)).collect();
    let kept = conjuncts.iter().map(|conjuncts| vec![false; conjuncts.len()]).collect();
    let mut search = Search { terms, smt, system, conjuncts, kept };
    match search.run() {
        Err(_) => solution.clone(),
        Ok(()) => {
            let Search { conjuncts, kept, .. } = search;
            let formulas = conjuncts.iter().zip(kept).map(|(conjuncts, kept)| {
                let kept = conjuncts.iter().zip(kept).filter(|(_, kept)| *kept);
                let kept: Vec<Term> = kept.map(|(conjunct, _)| *conjunct).collect();
                terms.and(kept)
            });
            formulas.collect()
        }
    }
}

struct Search<'a> {
    terms: &'a mut Terms,
    smt: &'a mut Smt,
    system: &'a System,
    conjuncts: Vec<Vec<Term>>,
    kept: Vec<Vec<bool>>,
}

impl Search<'_> {
    /// Errors: an answer that is no contradiction.
    fn run(&mut self) -> Result<(), Answer> {
        let system = self.system;
        let contradictions = system.clauses.iter().filter(|clause| clause.head.is_none());
        let mut goals: Vec<Place> = Vec::new();
        for clause in contradictions {
            goals.extend(self.support(clause, None)?);
        }
        while let Some(goal) = goals.pop() {
            let derives = |clause: &&Clause| {
                clause.head.as_ref().is_some_and(|head| head.predicate.0 == goal.predicate)
            };
            for clause in system.clauses.iter().filter(derives) {
                goals.extend(self.support(clause, Some(goal))?);
            }
        }
        Ok(())
    }

    /// Keeps what a clause's body needs so that its head has a conjunct, or so that it is a
    /// contradiction; what is new of that.
    fn support(&mut self, clause: &Clause, goal: Option<Place>) -> Result<Vec<Place>, Answer> {
        let mut fixed = vec![clause.constraint];
        if let (Some(head), Some(goal)) = (&clause.head, goal) {
            let wanted = self.conjuncts[goal.predicate][goal.conjunct];
            let wanted = self.system.instances(self.terms, head, &[wanted])[0];
            fixed.push(self.terms.not(wanted));
        }
        let mut assumed: Vec<(Term, Place)> = Vec::new();
        for application in &clause.body {
            let predicate = application.predicate.0;
            let said = self.system.instances(self.terms, application, &self.conjuncts[predicate]);
            let places = (0..).map(|conjunct| Place { predicate, conjunct });
            assumed.extend(said.into_iter().zip(places));
        }
        // What is kept anyway may do.
        let is_kept = |place: &Place| self.kept[place.predicate][place.conjunct];
        let kept = assumed.iter().filter(|(_, place)| is_kept(place)).map(|(term, _)| *term);
        let query: Vec<Term> = fixed.iter().copied().chain(kept).collect();
        if self.smt.check(self.terms, &query) == Answer::Unsat {
            return Ok(Vec::new());
        }
        let assumptions: Vec<Term> = assumed.iter().map(|(term, _)| *term).collect();
        let core = self.smt.core(self.terms, &fixed, &assumptions)?;
        let mut new = Vec::new();
        for (term, place) in assumed {
            let kept = &mut self.kept[place.predicate][place.conjunct];
            if core.contains(&term) && !*kept {
                *kept = true;
                new.push(place);
            }
        }
        Ok(new)
    }
}
