//! Facts: simple formulas that every solution may assume, because all that can be derived
//! satisfies them. Bounds, linear equations, remainders, equations of products, and equations for each
//! number of turns (what closed forms of loops say, DESIGN.md 6.3).
//!
//! They are the least fixpoint in their abstract domain with the best transformers: whatever the
//! facts do not admit yet is asked of the solver, and its answer, a point that is derived, is
//! joined to them (symbolic abstraction). So they are a solution of all clauses that have a head,
//! and no guess.

mod bounds;
mod congruences;
mod part;
mod turns;

use self::part::{Part, View, parts};
use super::products::multiplies;
use super::{Application, Clause, PredicateId, System};
use crate::smt::{Answer, Reason, Smt};
use crate::term::{Assignment, Term, Terms, Value};

/// Queries for each predicate; what takes more has no facts.
const MOST_QUERIES: usize = 150;

/// What a query about a clause counts: what it adds to the equations is a matter of all arguments,
/// and long formulas take their time.
fn price(terms: &Terms, clause: &Clause) -> usize {
    let arguments = clause.head.as_ref().map_or(0, |head| head.arguments.len());
    let parts = terms.parts_first(&clause.roots()).len();
    1 + arguments.pow(3) / 2_048 + (parts / 64).pow(2) / 4
}

/// How often what is known is made more exact in the end, where it is not enough.
const NARROWED: usize = 2;

/// For each predicate the conjuncts of what always holds, whatever the `open` predicates are true
/// of, in so many queries at most. Errors: nothing is known, for this reason.
pub fn facts(
    terms: &mut Terms,
    smt: &mut Smt,
    system: &System,
    open: &[PredicateId],
    most_queries: usize,
) -> Result<Vec<Vec<Term>>, Reason> {
    let roots: Vec<Term> = system.clauses.iter().flat_map(Clause::roots).collect();
    let view = View {
        steps: bounds::steps(terms, system),
        products: multiplies(terms, &roots),
        counters: turns::counters(terms, system),
    };
    let mut known = vec![Known::Nothing; system.predicates.len()];
    for predicate in open {
        known[predicate.0] = Known::Parts(Vec::new());
    }
    let fuel = most_queries.min(MOST_QUERIES * system.predicates.len());
    // To look at every clause once is the least.
    let prices: Vec<usize> = system.clauses.iter().map(|clause| price(terms, clause)).collect();
    if prices.iter().sum::<usize>() > most_queries {
        return Err(Reason::Resources);
    }
    let mut search = Search { terms, smt, system, prices, view, known, fuel };
    search.fixpoint()?;
    for _ in 0..NARROWED {
        if search.is_violated() {
            search.narrow(open);
        }
    }
    Ok((0..system.predicates.len()).map(|number| search.formulas(number)).collect())
}

/// What has been derived of a predicate.
#[derive(Clone, Debug)]
enum Known {
    Nothing,
    /// Points in all of these.
    Parts(Vec<Part>),
}

struct Search<'a> {
    terms: &'a mut Terms,
    smt: &'a mut Smt,
    system: &'a System,
    /// What a query about each clause counts.
    prices: Vec<usize>,
    view: View,
    known: Vec<Known>,
    fuel: usize,
}

/// A clause that has a head.
#[derive(Clone, Copy)]
struct Step<'a> {
    clause: &'a Clause,
    head: &'a Application,
    price: usize,
}

impl<'a> Search<'a> {
    fn step(&self, number: usize) -> Option<Step<'a>> {
        let clause = &self.system.clauses[number];
        clause.head.as_ref().map(|head| Step { clause, head, price: self.prices[number] })
    }

    fn fixpoint(&mut self) -> Result<(), Reason> {
        let clauses = &self.system.clauses;
        let mut open = vec![true; clauses.len()];
        while let Some(number) = open.iter().position(|open| *open) {
            open[number] = false;
            let Some(step) = self.step(number) else { continue };
            if self.close(step)? {
                for (other, clause) in clauses.iter().enumerate() {
                    open[other] |= clause.body.iter().any(|a| a.predicate == step.head.predicate);
                }
            }
        }
        Ok(())
    }

    /// Whether a clause without a head is not known to hold.
    fn is_violated(&mut self) -> bool {
        let clauses = &self.system.clauses;
        clauses.iter().filter(|clause| clause.head.is_none()).any(|clause| {
            self.premises(clause)
                .is_some_and(|premises| self.smt.check(self.terms, &premises) != Answer::Unsat)
        })
    }

    /// A bound that moved while something else was not known yet is gone, though it may hold in the
    /// end. So what the clauses of each predicate derive is looked at once more, with all that is
    /// known now; that holds as well.
    fn narrow(&mut self, open: &[PredicateId]) {
        self.view.steps.most_moves = bounds::ALL_MOVES;
        for number in 0..self.known.len() {
            if open.contains(&PredicateId(number)) {
                continue;
            }
            let Known::Parts(before) = self.known[number].clone() else { continue };
            let derived = self.derived(PredicateId(number));
            let derived = match derived {
                Ok(Known::Parts(parts)) => parts,
                Ok(Known::Nothing) | Err(_) => Vec::new(),
            };
            self.known[number] = Known::Parts([before, derived].concat());
        }
    }

    /// What the clauses of a predicate derive from what is known; that is then not known any more.
    fn derived(&mut self, predicate: PredicateId) -> Result<Known, Reason> {
        let steps = (0..self.system.clauses.len()).filter_map(|number| self.step(number));
        let steps: Vec<Step<'_>> = steps.filter(|step| step.head.predicate == predicate).collect();
        let mut all = Vec::new();
        for step in steps {
            all.extend(self.premises(step.clause).map(|premises| (step, premises)));
        }
        self.known[predicate.0] = Known::Nothing;
        for (step, premises) in all {
            while self.add_missing(step, &premises)? {}
        }
        Ok(self.known[predicate.0].clone())
    }

    /// Adds what a clause derives until nothing is missing; whether something was.
    fn close(&mut self, step: Step<'_>) -> Result<bool, Reason> {
        let Some(premises) = self.premises(step.clause) else { return Ok(false) };
        let mut grown = false;
        while self.add_missing(step, &premises)? {
            grown = true;
            // Its own body may say less now.
            if step.clause.body.iter().any(|a| a.predicate == step.head.predicate) {
                break;
            }
        }
        Ok(grown)
    }

    /// Adds something that a clause derives; `false` if nothing is missing.
    fn add_missing(&mut self, step: Step<'_>, premises: &[Term]) -> Result<bool, Reason> {
        let head = step.head;
        let missing = match self.known[head.predicate.0] {
            Known::Nothing => Term::TRUE,
            Known::Parts(_) => {
                let formulas = self.formulas(head.predicate.0);
                self.missing(head, formulas)
            }
        };
        let query = [premises, &[missing]].concat();
        match self.ask(step, &query)? {
            (Answer::Unsat, _) => return Ok(false),
            (Answer::Sat, Some(model)) => self.join(step, model),
            (Answer::Sat | Answer::Unknown(_), _) => self.weaken(step, premises)?,
        }
        Ok(true)
    }

    fn ask(
        &mut self,
        step: Step<'_>,
        query: &[Term],
    ) -> Result<(Answer, Option<Assignment>), Reason> {
        self.fuel = self.fuel.checked_sub(step.price).ok_or(Reason::Resources)?;
        match self.smt.model(self.terms, query) {
            (Answer::Unknown(reason), _) if reason.is_end() => Err(reason),
            answer => Ok(answer),
        }
    }

    /// `None`: nothing satisfies the body.
    fn premises(&mut self, clause: &Clause) -> Option<Vec<Term>> {
        let mut premises = vec![clause.constraint];
        for application in &clause.body {
            let formulas = match self.known[application.predicate.0] {
                Known::Nothing => return None,
                Known::Parts(_) => self.formulas(application.predicate.0),
            };
            premises.extend(self.system.instances(self.terms, application, &formulas));
        }
        Some(premises)
    }

    fn formulas(&mut self, predicate: usize) -> Vec<Term> {
        match &self.known[predicate] {
            Known::Nothing => vec![Term::FALSE],
            Known::Parts(parts) => {
                parts.iter().flat_map(|part| part.formulas(self.terms)).collect()
            }
        }
    }

    fn missing(&mut self, head: &Application, formulas: Vec<Term>) -> Term {
        let admitted = self.system.instances(self.terms, head, &formulas);
        let admitted = self.terms.and(admitted);
        self.terms.not(admitted)
    }

    /// Adds what the head says in a model.
    fn join(&mut self, Step { clause, head, .. }: Step<'_>, mut model: Assignment) {
        for symbol in self.system.bound(self.terms, clause) {
            let zero = Value::zero(self.terms, self.terms.symbol_sort(symbol));
            model.symbols.entry(symbol).or_insert(zero);
        }
        let parameters = &self.system.predicate(head.predicate).parameters;
        let mut point = Assignment::default();
        for (parameter, argument) in parameters.iter().zip(&head.arguments) {
            if let Some(value) = self.terms.evaluate(*argument, &model) {
                point.symbols.insert(*parameter, value);
            }
        }
        match &mut self.known[head.predicate.0] {
            known @ Known::Nothing => {
                *known = Known::Parts(parts(self.terms, &self.view, parameters, &point));
            }
            Known::Parts(parts) => {
                let mut grown = false;
                parts.retain_mut(|part| match part.join(self.terms, &point) {
                    Some(more) => {
                        grown |= more;
                        true
                    }
                    None => false,
                });
                // The solver's point is none that we can tell from the others.
                if !grown {
                    parts.clear();
                }
            }
        }
    }

    /// Gives up the parts of which the solver does not know whether they hold.
    fn weaken(&mut self, step: Step<'_>, premises: &[Term]) -> Result<(), Reason> {
        let head = step.head;
        let Known::Parts(parts) = self.known[head.predicate.0].clone() else {
            self.known[head.predicate.0] = Known::Parts(Vec::new());
            return Ok(());
        };
        let before = parts.len();
        let mut kept = Vec::new();
        for part in parts {
            let formulas = part.formulas(self.terms);
            let mut query = premises.to_vec();
            query.push(self.missing(head, formulas));
            match self.ask(step, &query)? {
                (Answer::Unsat | Answer::Sat, _) => kept.push(part),
                (Answer::Unknown(_), _) => {}
            }
        }
        // Each is decided alone, but not together.
        if kept.len() == before {
            kept.pop();
        }
        self.known[head.predicate.0] = Known::Parts(kept);
        Ok(())
    }
}
