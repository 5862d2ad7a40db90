//! Systems made easier by what is known: facts are put into constraints, and loops are divided
//! into their phases.

use super::cases::Cases;
use super::facts::facts;
use super::needed::needed;
use super::products::without_products;
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

/// What becomes of products of which equations say what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Products {
    Stay,
    Go,
}

/// What is known without search.
#[derive(Clone, Debug)]
pub enum Facts {
    /// A solution.
    Enough(Solution),
    Some(Solution),
}

impl Strengthened {
    /// Facts, and cases only if facts do not suffice; each found in so many queries at most. They
    /// hold whatever the `open` predicates are true of.
    pub fn new(
        terms: &mut Terms,
        smt: &mut Smt,
        system: &System,
        open: &[PredicateId],
        most_queries: usize,
    ) -> Result<Strengthened, Reason> {
        let limits = smt.limits();
        smt.set_limits(Limits { resources: Some(WORK), ..limits });
        let result = strengthened(terms, smt, system, open, most_queries);
        smt.set_limits(limits);
        result
    }

    /// With facts that come from elsewhere, over the parameters of each predicate. If they do not hold, a solution
    /// is none of the original system.
    pub fn by(
        terms: &mut Terms,
        smt: &mut Smt,
        system: &System,
        facts: &[Vec<Term>],
    ) -> Strengthened {
        let mut strengthened = Strengthened::plain(system);
        strengthened.add_facts(terms, smt, facts, Products::Go);
        strengthened
    }

    fn plain(system: &System) -> Strengthened {
        Strengthened {
            original: system.clone(),
            system: system.clone(),
            facts: Vec::new(),
            origins: (0..system.clauses.len()).collect(),
            cases: None,
        }
    }

    /// What is known of every predicate of the original system without Spacer: a solution, of which
    /// nothing is left out that it needs, or what any solution may assume.
    pub fn facts(&self, terms: &mut Terms, smt: &mut Smt) -> Facts {
        let anything = vec![Term::TRUE; self.system.predicates.len()];
        let known = self.solution(terms, &anything);
        match self.system.clauses.iter().all(|clause| clause.head.is_some()) {
            true => Facts::Enough(needed(terms, smt, &self.original, &known)),
            false => Facts::Some(known),
        }
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
        let all = all.map(|(fact, formula)| terms.and([*fact, *formula])).collect();
        match &self.cases {
            Some(cases) => cases.solution(terms, &all),
            None => all,
        }
    }

    /// The clauses with the facts; those go whose constraint is a contradiction then.
    fn add_facts(
        &mut self,
        terms: &mut Terms,
        smt: &mut Smt,
        facts: &[Vec<Term>],
        products: Products,
    ) {
        let clauses = std::mem::take(&mut self.system.clauses);
        let origins = std::mem::take(&mut self.origins);
        for (clause, origin) in clauses.into_iter().zip(origins) {
            let mut parts = vec![clause.constraint];
            for application in &clause.body {
                let facts = &facts[application.predicate.0];
                parts.extend(self.system.instances(terms, application, facts));
            }
            let simple = match products {
                Products::Go => without_products(terms, &clause, &parts[1..]),
                Products::Stay => None,
            };
            if may_hold(terms, smt, &parts)
                && simple.iter().all(|simple| may_hold(terms, smt, &[simple.constraint]))
            {
                let whole = Clause { constraint: terms.and(parts), ..clause };
                self.system.clauses.push(simple.unwrap_or(whole));
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
    most_queries: usize,
) -> Result<Strengthened, Reason> {
    let known = facts(terms, smt, system, open, most_queries)?;
    let mut plain = Strengthened::plain(system);
    plain.add_facts(terms, smt, &known, Products::Stay);
    if plain.system.clauses.iter().all(|clause| clause.head.is_some()) {
        return Ok(plain);
    }
    let Some(cases) = Cases::new(terms, smt, system, &known) else { return Ok(plain) };
    let copies = cases.copies(open);
    let known = facts(terms, smt, &cases.system, &copies, most_queries)?;
    let mut divided = Strengthened {
        system: cases.system.clone(),
        origins: cases.origins.clone(),
        cases: Some(cases),
        ..plain
    };
    divided.add_facts(terms, smt, &known, Products::Stay);
    Ok(divided)
}

fn may_hold(terms: &Terms, smt: &mut Smt, parts: &[Term]) -> bool {
    smt.check(terms, parts) != Answer::Unsat
}
