//! Predicate abstraction of linear systems: what derivations reach is kept as far as a few formulas can
//! tell, and where that leads to a contradiction which is none, interpolants say which formulas were
//! missing.
//!
//! Spacer generalises as it goes and may do so for ever; here the formulas are those that paths needed,
//! and a region is any Boolean combination of them. Both have systems that only they solve.

use rustc_hash::FxHashMap;

use super::reduce::renamed;
use super::{Clause, Derivation, Outcome, PredicateId, Solution, Solve, Step, System};
use crate::cubes::{Abstractor, PredId, Region};
use crate::interpolate::{Failure, Interpolator, Problem, Strategy};
use crate::smt::{Answer, Reason, Smt};
use crate::term::{Assignment, Symbol, Term, Terms, Value};

/// Abstractions, each with more formulas.
const MOST_ROUNDS: usize = 20;
/// Regions in one of them.
const MOST_REGIONS: usize = 300;

/// Queries of all of them: what needs more mostly goes on for ever, turn by turn of a loop.
const MOST_QUERIES: u64 = 4_000;
/// Clauses one after the other, for each predicate.
const MOST_STEPS: usize = 4;
/// Cubes of one region.
const MOST_MODELS: usize = 256;

/// The solver by predicate abstraction, with the limits of the solvers that are handed in. Clauses with
/// several applications in their bodies are beyond it.
#[derive(Debug)]
pub struct Abstraction<'s> {
    pub smt: &'s mut Smt,
}

impl Solve for Abstraction<'_> {
    fn solve(&mut self, terms: &mut Terms, system: &System) -> Outcome {
        if system.clauses.iter().any(|clause| clause.body.len() > 1) {
            return incomplete("predicate abstraction is for clauses with one premise");
        }
        let precision = vec![Vec::new(); system.predicates.len()];
        let mut search = Search {
            smt: self.smt,
            system,
            abstractor: Abstractor::with_models(MOST_MODELS),
            precision,
        };
        for _ in 0..MOST_ROUNDS {
            match search.round(terms) {
                Ok(None) if search.abstractor.statistics().queries > MOST_QUERIES => break,
                Ok(None) => {}
                Ok(Some(outcome)) => return outcome,
                Err(reason) => return Outcome::Unknown(reason),
            }
        }
        incomplete("too many formulas for predicate abstraction")
    }
}

fn incomplete(what: &str) -> Outcome {
    Outcome::Unknown(Reason::Incomplete(what.to_owned()))
}

/// Something that is reached, and how.
struct Reached {
    predicate: PredicateId,
    region: Region,
    clause: usize,
    before: Option<usize>,
}

/// Where an exploration ends.
enum End {
    Solved(Solution),
    /// These clauses, one after the other, lead to a contradiction as far as regions tell.
    Path(Vec<usize>),
}

struct Search<'s> {
    smt: &'s mut Smt,
    system: &'s System,
    abstractor: Abstractor,
    /// The formulas that regions of a predicate are made of.
    precision: Vec<Vec<PredId>>,
}

impl Search<'_> {
    /// One exploration, and what is learnt from it; `None` if there is more to do.
    fn round(&mut self, terms: &mut Terms) -> Result<Option<Outcome>, Reason> {
        match self.explore(terms)? {
            End::Solved(solution) => Ok(Some(Outcome::Solved(solution))),
            End::Path(path) => self.refine(terms, &path),
        }
    }

    fn explore(&mut self, terms: &mut Terms) -> Result<End, Reason> {
        let system = self.system;
        let mut all = vec![Region::bottom(); system.predicates.len()];
        let mut reached: Vec<Reached> = Vec::new();
        let mut next = None;
        loop {
            for (number, clause) in system.clauses.iter().enumerate() {
                let from = clause.body.first().map(|application| application.predicate);
                if from != next.map(|node: usize| reached[node].predicate) {
                    continue;
                }
                let known = next.map(|node| reached[node].region.clone());
                let query = self.premises(terms, clause, known);
                let Some(head) = &clause.head else {
                    match self.smt.check(terms, &query) {
                        Answer::Unsat => continue,
                        Answer::Sat => return Ok(End::Path(path(&reached, next, number))),
                        Answer::Unknown(reason) => return Err(reason),
                    }
                };
                let predicate = head.predicate;
                let region = self.abstracted(terms, query, clause);
                if !region.implies(&all[predicate.0]) {
                    all[predicate.0] = all[predicate.0].or(&region);
                    reached.push(Reached { predicate, region, clause: number, before: next });
                }
            }
            let following = next.map_or(0, |node| node + 1);
            if following == reached.len() {
                let predicates = self.abstractor.predicates();
                let solution = all.iter().map(|region| region.to_term(terms, predicates));
                return Ok(End::Solved(solution.collect()));
            }
            let queries = self.abstractor.statistics().queries;
            if reached.len() > MOST_REGIONS || queries > MOST_QUERIES {
                return Err(Reason::Incomplete("too many regions".to_owned()));
            }
            next = Some(following);
        }
    }

    /// What a clause says where its premise is in a region.
    fn premises(&self, terms: &mut Terms, clause: &Clause, known: Option<Region>) -> Vec<Term> {
        let mut query = vec![clause.constraint];
        if let (Some(application), Some(region)) = (clause.body.first(), known) {
            let formula = region.to_term(terms, self.abstractor.predicates());
            query.extend(self.system.instances(terms, application, &[formula]));
        }
        query
    }

    /// The region of a clause's head.
    fn abstracted(&mut self, terms: &mut Terms, mut query: Vec<Term>, clause: &Clause) -> Region {
        let head = clause.head.as_ref().expect("it has one");
        let parameters = &self.system.predicate(head.predicate).parameters;
        for (parameter, argument) in parameters.iter().zip(&head.arguments) {
            let parameter = terms.symbol_term(*parameter);
            query.push(terms.eq(parameter, *argument));
        }
        let formula = terms.and(query);
        let over = self.precision[head.predicate.0].clone();
        self.abstractor.boolean(terms, self.smt, formula, &over).region
    }

    /// New formulas, or a derivation.
    fn refine(&mut self, terms: &mut Terms, path: &[usize]) -> Result<Option<Outcome>, Reason> {
        if path.len() > MOST_STEPS * (self.system.predicates.len() + 1) {
            return Ok(Some(incomplete("paths become longer and longer")));
        }
        let trace = Trace::new(terms, self.system, path);
        let problem = Problem::sequence(&trace.formulas);
        let found = Interpolator::new(self.smt).interpolate(terms, &problem, Strategy::Auto);
        let interpolants = match found {
            Ok(interpolants) => interpolants,
            Err(Failure::Satisfiable) => return Ok(Some(self.derivation(terms, path, &trace))),
            Err(Failure::Unknown(reason)) => return Err(reason),
            Err(other @ Failure::NotFound(_)) => {
                return Err(Reason::Incomplete(other.to_string()));
            }
        };
        let mut is_new = false;
        for (at, interpolant) in interpolants.into_iter().enumerate() {
            let (predicate, names) = &trace.between[at];
            let formula = terms.substitute(interpolant, names);
            for atom in terms.atoms(formula) {
                let Ok(literal) = self.abstractor.predicate(terms, atom) else { continue };
                let known = &mut self.precision[predicate.0];
                if !known.contains(&literal.predicate) {
                    known.push(literal.predicate);
                    is_new = true;
                }
            }
        }
        Ok((!is_new).then(|| incomplete("interpolants say nothing new")))
    }

    /// The values of a path that can be taken.
    fn derivation(&mut self, terms: &Terms, path: &[usize], trace: &Trace) -> Outcome {
        let (Answer::Sat, Some(model)) = self.smt.model(terms, &trace.formulas) else {
            return incomplete("a derivation without values");
        };
        let mut steps = Vec::new();
        for (number, (clause, symbols)) in path.iter().zip(&trace.symbols).enumerate() {
            let mut values = Assignment::default();
            for (own, renamed) in symbols {
                let value = terms.evaluate(*renamed, &model);
                let zero = || Value::zero(terms, terms.symbol_sort(*own));
                values.symbols.insert(*own, value.unwrap_or_else(zero));
            }
            let premises = number.checked_sub(1).into_iter().collect();
            steps.push(Step { clause: *clause, premises, values });
        }
        Outcome::Violated(Derivation { steps })
    }
}

/// The clauses that lead to one without a head.
fn path(reached: &[Reached], mut last: Option<usize>, end: usize) -> Vec<usize> {
    let mut path = vec![end];
    while let Some(node) = last {
        path.push(reached[node].clause);
        last = reached[node].before;
    }
    path.reverse();
    path
}

/// Clauses one after the other, each with symbols of its own.
struct Trace {
    formulas: Vec<Term>,
    /// The predicates between them, and which of their parameters symbols stand for.
    between: Vec<(PredicateId, FxHashMap<Symbol, Term>)>,
    /// The symbols of each clause, and what they are here.
    symbols: Vec<FxHashMap<Symbol, Term>>,
}

impl Trace {
    fn new(terms: &mut Terms, system: &System, path: &[usize]) -> Trace {
        let mut trace = Trace { formulas: Vec::new(), between: Vec::new(), symbols: Vec::new() };
        let mut last: Vec<Term> = Vec::new();
        for number in path {
            let (clause, symbols) = renamed(terms, &system.clauses[*number]);
            let mut parts = vec![clause.constraint];
            for (argument, value) in clause.body.iter().flat_map(|a| &a.arguments).zip(&last) {
                parts.push(terms.eq(*argument, *value));
            }
            last.clear();
            if let Some(head) = &clause.head {
                let mut names = FxHashMap::default();
                let parameters = &system.predicate(head.predicate).parameters;
                for (parameter, argument) in parameters.iter().zip(&head.arguments) {
                    let value = terms.fresh("between", terms.symbol_sort(*parameter));
                    parts.push(terms.eq(value, *argument));
                    let symbol = terms.as_symbol(value).expect("just made");
                    names.insert(symbol, terms.symbol_term(*parameter));
                    last.push(value);
                }
                trace.between.push((head.predicate, names));
            }
            trace.formulas.push(terms.and(parts));
            trace.symbols.push(symbols);
        }
        trace
    }
}
