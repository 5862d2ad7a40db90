//! Systems made easier by what is known: facts are put into constraints, and loops are divided
//! into their phases.

use super::cases::Cases;
use super::facts::facts;
use super::{Clause, Derivation, Outcome, PredicateId, Settings, Solution, Solve, Spacer, System};
use crate::smt::{Answer, Limits, Reason, Smt};
use crate::term::{Term, Terms};

/// Work for a query about facts: most need little, and others are not worth it.
const WORK: u32 = 300_000;

/// A system with the same derivations, and the way back for solutions.
#[derive(Clone, Debug)]
pub struct Strengthened {
    original: System,
    system: System,
    /// What holds always, of the system's predicates.
    facts: Vec<Term>,
    /// For each clause the original one.
    origins: Vec<usize>,
    cases: Option<Cases>,
}

impl Strengthened {
    /// Facts, and cases only if facts do not suffice. They hold whatever the `open` predicates are
    /// true of.
    pub fn new(
        terms: &mut Terms,
        smt: &mut Smt,
        system: &System,
        open: &[PredicateId],
    ) -> Result<Strengthened, Reason> {
        let limits = smt.limits();
        smt.set_limits(Limits { resources: Some(WORK), ..limits });
        let result = strengthened(terms, smt, system, open);
        smt.set_limits(limits);
        result
    }

    /// What is known about the original system.
    pub fn solve(&self, terms: &mut Terms, smt: &mut Smt, settings: Settings) -> Outcome {
        match (Spacer { smt, settings }).solve(terms, &self.system) {
            Outcome::Solved(solution) => {
                let solution = self.solution(terms, &solution);
                Outcome::Solved(needed(terms, smt, &self.original, &solution))
            }
            Outcome::Violated(Derivation { mut steps }) => {
                steps.iter_mut().for_each(|step| step.clause = self.origins[step.clause]);
                Outcome::Violated(Derivation { steps })
            }
            unknown => unknown,
        }
    }

    fn solution(&self, terms: &mut Terms, solution: &Solution) -> Solution {
        let all = self.facts.iter().zip(solution);
        let all: Solution = all.map(|(fact, formula)| terms.and([*fact, *formula])).collect();
        match &self.cases {
            Some(cases) => cases.solution(terms, &all),
            None => all,
        }
    }

    /// The clauses with the facts; those go whose constraint is a contradiction then.
    fn add_facts(&mut self, terms: &mut Terms, smt: &mut Smt, facts: &[Vec<Term>]) {
        let clauses = std::mem::take(&mut self.system.clauses);
        let origins = std::mem::take(&mut self.origins);
        for (clause, origin) in clauses.into_iter().zip(origins) {
            let mut parts = vec![clause.constraint];
            for application in &clause.body {
                let facts = &facts[application.predicate.0];
                parts.extend(self.system.instances(terms, application, facts));
            }
            if smt.check(terms, &parts) != Answer::Unsat {
                self.system.clauses.push(Clause { constraint: terms.and(parts), ..clause });
                self.origins.push(origin);
            }
        }
        self.facts = facts.iter().map(|facts| terms.and(facts.iter().copied())).collect();
    }
}

fn strengthened(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    open: &[PredicateId],
) -> Result<Strengthened, Reason> {
    let known = facts(terms, smt, system, open)?;
    let mut plain = Strengthened {
        original: system.clone(),
        system: system.clone(),
        facts: Vec::new(),
        origins: (0..system.clauses.len()).collect(),
        cases: None,
    };
    plain.add_facts(terms, smt, &known);
    if plain.system.clauses.iter().all(|clause| clause.head.is_some()) {
        return Ok(plain);
    }
    let Some(cases) = Cases::new(terms, smt, system, &known) else { return Ok(plain) };
    let known = facts(terms, smt, &cases.system, &cases.copies(open))?;
    let mut divided = Strengthened {
        system: cases.system.clone(),
        origins: cases.origins.clone(),
        cases: Some(cases),
        ..plain
    };
    divided.add_facts(terms, smt, &known);
    Ok(divided)
}

/// A solution with only those conjuncts that are needed: for the clauses without a head, and for
/// one another. As it was, where the solver does not know.
fn needed(terms: &mut Terms, smt: &mut Smt, system: &System, solution: &Solution) -> Solution {
    let conjuncts: Vec<Vec<Term>> = solution.iter().map(|f| terms.conjuncts(*f)).collect();
    match marks(terms, smt, system, &conjuncts) {
        None => solution.clone(),
        Some(marks) => {
            let kept = conjuncts.iter().zip(marks).map(|(conjuncts, marks)| {
                let kept = conjuncts.iter().zip(marks).filter(|(_, mark)| *mark);
                let kept: Vec<Term> = kept.map(|(conjunct, _)| *conjunct).collect();
                terms.and(kept)
            });
            kept.collect()
        }
    }
}

/// Which conjuncts are needed; `None`: the solver does not know.
fn marks(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    conjuncts: &[Vec<Term>],
) -> Option<Vec<Vec<bool>>> {
    let mut marks: Vec<Vec<bool>> = conjuncts.iter().map(|c| vec![false; c.len()]).collect();
    let mut open: Vec<(usize, Option<(usize, usize)>)> = Vec::new();
    for (number, clause) in system.clauses.iter().enumerate() {
        if clause.head.is_none() {
            open.push((number, None));
        }
    }
    while let Some((number, goal)) = open.pop() {
        let clause = &system.clauses[number];
        let mut fixed = vec![clause.constraint];
        if let (Some(head), Some((predicate, conjunct))) = (&clause.head, goal) {
            let wanted = system.instances(terms, head, &[conjuncts[predicate][conjunct]]);
            fixed.push(terms.not(wanted[0]));
        }
        let mut assumed: Vec<(Term, (usize, usize))> = Vec::new();
        for application in &clause.body {
            let predicate = application.predicate.0;
            let said = system.instances(terms, application, &conjuncts[predicate]);
            assumed.extend(said.into_iter().enumerate().map(|(c, term)| (term, (predicate, c))));
        }
        let assumptions: Vec<Term> = assumed.iter().map(|(term, _)| *term).collect();
        let core = smt.core(terms, &fixed, &assumptions).ok()?;
        for (term, (predicate, conjunct)) in assumed {
            if core.contains(&term) && !marks[predicate][conjunct] {
                marks[predicate][conjunct] = true;
                for (other, clause) in system.clauses.iter().enumerate() {
                    if clause.head.as_ref().is_some_and(|head| head.predicate.0 == predicate) {
                        open.push((other, Some((predicate, conjunct))));
                    }
                }
            }
        }
    }
    Some(marks)
}
