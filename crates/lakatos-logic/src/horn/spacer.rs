//! Z3's Spacer. Its solutions are candidates for [`super::check`]; its derivations are read as far
//! as the facts go, and every step is found again among the clauses by the solver.

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as ZSort};

use super::check::{derives, premises};
use super::derivation::{Fact, derivation};
use super::{Clause, Derivation, Outcome, Solution, Solve, System, reduce};
use crate::smt::z3::{read, symbol_constant, z3_sort};
use crate::smt::{Answer, Limits, Reason, Smt};
use crate::term::{Term, Terms};

/// How Spacer works; no setting is best for all systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Lemmas are generalised from several others.
    pub global: bool,
}

/// Spacer, with the limits of the solvers that are handed in.
#[derive(Debug)]
pub struct Spacer<'s> {
    pub smt: &'s mut Smt,
    pub settings: Settings,
}

/// A predicate that nothing in a program is called like.
const CONTRADICTION: &str = "contradiction!!";

impl Solve for Spacer<'_> {
    fn solve(&mut self, terms: &mut Terms, system: &System) -> Outcome {
        // Z3 gives no solution of what it need not think about.
        if let Some(solution) = reduce::plain_solution(system) {
            return Outcome::Solved(solution);
        }
        let health = self.smt.z3().health().clone();
        match health.believe(|| self.solution(terms, system)) {
            Err(reason) => Outcome::Unknown(reason),
            Ok(First::Solved(solution)) => Outcome::Solved(solution),
            Ok(First::Unknown(reason)) => Outcome::Unknown(reason),
            Ok(First::Violated) => {
                match health.believe(|| self.derivation(terms, system)).unwrap_or_else(Err) {
                    Ok(derivation) => Outcome::Violated(derivation),
                    Err(reason) => Outcome::Unknown(reason),
                }
            }
        }
    }
}

/// Spacer's first answer.
enum First {
    Solved(Solution),
    Violated,
    Unknown(Reason),
}

impl Spacer<'_> {
    fn solution(&mut self, terms: &mut Terms, system: &System) -> First {
        let Some(solver) = z3::Solver::new_for_logic("HORN") else {
            return First::Unknown(Reason::Failed("Z3 knows no Horn clauses".to_owned()));
        };
        solver.set_params(&self.parameters("fp."));
        for clause in &system.clauses {
            let formula = system.formula(terms, clause);
            solver.assert(self.smt.z3().translator().borrow_mut().bool(terms, formula));
        }
        match solver.check() {
            SatResult::Unsat => return First::Violated,
            SatResult::Unknown => {
                return First::Unknown(reason(solver.get_reason_unknown().unwrap_or_default()));
            }
            SatResult::Sat => {}
        }
        match solver.get_model().and_then(|model| self.read_solution(terms, system, &model)) {
            Some(solution) => First::Solved(solution),
            None => First::Unknown(Reason::Incomplete(
                "the solution of the Horn clauses has quantifiers".to_owned(),
            )),
        }
    }

    fn read_solution(
        &mut self,
        terms: &mut Terms,
        system: &System,
        model: &z3::Model,
    ) -> Option<Solution> {
        let mut solution = Vec::with_capacity(system.predicates.len());
        let mut open = Vec::new();
        for (number, predicate) in system.predicates.iter().enumerate() {
            let arguments: Vec<Dynamic> =
                predicate.parameters.iter().map(|s| symbol_constant(terms, *s)).collect();
            let arguments: Vec<&dyn Ast> = arguments.iter().map(|a| a as &dyn Ast).collect();
            let mut translator = self.smt.z3().translator().borrow_mut();
            let declaration = translator.declaration(terms, predicate.function);
            let applied = declaration.apply(&arguments);
            drop(translator);
            // Without completion, which knows nothing of clauses.
            let formula = model.eval(&applied, false)?;
            if formula == applied {
                open.push(number);
                solution.push(Term::FALSE);
            } else {
                solution.push(read(terms, &formula)?);
            }
        }
        self.fill(terms, system, &mut solution, &open);
        Some(solution)
    }

    /// Predicates without a formula: nothing derives them, or nothing needs them.
    fn fill(
        &mut self,
        terms: &mut Terms,
        system: &System,
        solution: &mut Solution,
        open: &[usize],
    ) {
        let mut changed = true;
        while changed {
            changed = false;
            for clause in &system.clauses {
                let Some(head) = clause.head.as_ref().map(|h| h.predicate.0) else { continue };
                if open.contains(&head) && solution[head] == Term::FALSE {
                    let body = premises(terms, system, solution, clause);
                    if self.smt.check(terms, &body) != Answer::Unsat {
                        solution[head] = Term::TRUE;
                        changed = true;
                    }
                }
            }
        }
    }

    /// Asks again, in the way that tells the steps.
    fn derivation(&mut self, terms: &mut Terms, system: &System) -> Result<Derivation, Reason> {
        let fixedpoint = Fixedpoint::new();
        fixedpoint.set_params(&self.parameters(""));
        let mut names = FxHashMap::default();
        for (number, predicate) in system.predicates.iter().enumerate() {
            let sorts: Vec<ZSort> = predicate
                .parameters
                .iter()
                .map(|s| z3_sort(terms, terms.symbol_sort(*s)))
                .collect();
            let sorts: Vec<&ZSort> = sorts.iter().collect();
            fixedpoint.register_relation(&FuncDecl::new(
                predicate.name.as_str(),
                &sorts,
                &ZSort::bool(),
            ));
            names.insert(predicate.name.clone(), number);
        }
        let contradiction = FuncDecl::new(CONTRADICTION, &[], &ZSort::bool());
        fixedpoint.register_relation(&contradiction);
        let target = contradiction.apply(&[]).as_bool().expect("a predicate");
        for clause in &system.clauses {
            fixedpoint.add_rule(&self.rule(terms, system, clause, &target), None);
        }
        match fixedpoint.query(&target) {
            SatResult::Sat => {}
            SatResult::Unsat => {
                return Err(Reason::Failed("Spacer contradicts itself".to_owned()));
            }
            SatResult::Unknown => return Err(reason(fixedpoint.get_reason_unknown())),
        }
        let answer = fixedpoint.get_answer();
        let facts = answer.and_then(|answer| {
            super::derivation::facts(terms, &names, CONTRADICTION, &Dynamic::from(answer))
        });
        let facts: Vec<Fact> =
            facts.ok_or_else(|| Reason::Incomplete("the derivation cannot be read".to_owned()))?;
        derivation(terms, self.smt, system, &facts)
            .filter(|derivation| derives(terms, system, derivation))
            .ok_or_else(|| {
                Reason::Incomplete("a step of the derivation is of no clause".to_owned())
            })
    }

    fn rule(&mut self, terms: &mut Terms, system: &System, clause: &Clause, target: &Bool) -> Bool {
        let mut body: Vec<Term> = clause.body.iter().map(|a| system.applied(terms, a)).collect();
        body.push(clause.constraint);
        let body = terms.and(body);
        let head = clause.head.as_ref().map(|head| system.applied(terms, head));
        let mut translator = self.smt.z3().translator().borrow_mut();
        let head = match head {
            Some(head) => translator.bool(terms, head),
            None => target.clone(),
        };
        let matrix = translator.bool(terms, body).implies(&head);
        let bound: Vec<Dynamic> =
            system.bound(terms, clause).iter().map(|s| symbol_constant(terms, *s)).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|b| b as &dyn Ast).collect();
        match bound.is_empty() {
            true => matrix,
            false => z3::ast::forall_const(&bound, &[], &matrix),
        }
    }

    /// Inlining would leave values of single points instead of predicates.
    fn parameters(&self, prefix: &str) -> Params {
        let mut params = Params::new();
        if prefix.is_empty() {
            params.set_symbol("engine", "spacer");
            // What always holds would be left out of derivations.
            params.set_bool("xform.subsumption_checker", false);
        }
        for off in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
            params.set_bool(format!("{prefix}{off}"), false);
        }
        params.set_bool(format!("{prefix}spacer.global"), self.settings.global);
        let Limits { resources, time } = self.smt.limits();
        if let Some(resources) = resources {
            params.set_u32("rlimit", resources);
        }
        if let Some(time) = time {
            params.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX));
        }
        params
    }
}

fn reason(text: String) -> Reason {
    match text.as_str() {
        text if text.contains("resource") || text.contains("cancel") => Reason::Resources,
        text if text.contains("timeout") => Reason::Time,
        text if text.contains("memory") => Reason::Memory,
        // It may go on with the clause that it does not understand, `in <null>:`.
        _ => {
            let first = text.lines().next().unwrap_or_default();
            Reason::Incomplete(first.trim_end_matches(" in <null>:").to_owned())
        }
    }
}
