//! Interpolants as solutions of recursion-free Horn clauses: one predicate a node over what it
//! shares. Spacer solves disjunctive, integer and tree problems (DESIGN.md section 4).

use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{FuncDecl, Params, SatResult, Sort as ZSort};

use super::Problem;
use crate::smt::z3::{Translator, read, symbol_constant, z3_sort};
use crate::smt::{Answer, Limits, Smt};
use crate::term::{Symbol, Term, Terms};

/// A predicate over a node's vocabulary.
struct Predicate {
    arguments: Vec<Dynamic>,
    declaration: FuncDecl,
}

impl Predicate {
    fn new(terms: &Terms, node: usize, vocabulary: &[Symbol]) -> Predicate {
        let sorts: Vec<ZSort> =
            vocabulary.iter().map(|s| z3_sort(terms, terms.symbol_sort(*s))).collect();
        Predicate {
            arguments: vocabulary.iter().map(|s| symbol_constant(terms, *s)).collect(),
            declaration: FuncDecl::new(
                // No symbol of a program has such a name.
                format!("interpolant!!{node}"),
                &sorts.iter().collect::<Vec<_>>(),
                &ZSort::bool(),
            ),
        }
    }

    fn applied(&self) -> Bool {
        let arguments: Vec<&dyn Ast> = self.arguments.iter().map(|a| a as &dyn Ast).collect();
        self.declaration.apply(&arguments).as_bool().expect("predicates are Boolean")
    }
}

/// Candidates for all nodes.
pub(super) fn interpolate(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let health = smt.z3().health().clone();
    health.believe(|| solve(terms, smt, problem)).ok()?
}

fn solve(terms: &mut Terms, smt: &mut Smt, problem: &Problem) -> Option<Vec<Term>> {
    let predicates: Vec<Predicate> = problem
        .vocabularies(terms)
        .iter()
        .enumerate()
        .map(|(node, v)| Predicate::new(terms, node, &v.iter().copied().collect::<Vec<_>>()))
        .collect();
    let solver = z3::Solver::new_for_logic("HORN")?;
    solver.set_params(&settings(problem, smt.limits()));
    let mut translator = smt.z3().translator().borrow_mut();
    for node in 0..problem.len() {
        solver.assert(clause(terms, &mut translator, problem, &predicates, node));
    }
    drop(translator);
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let mut candidates = Vec::with_capacity(problem.len());
    for (node, predicate) in predicates[..problem.root()].iter().enumerate() {
        // Without completion, which knows nothing of clauses.
        let applied = predicate.applied();
        let solution = model.eval(&applied, false)?;
        candidates.push(match solution == applied {
            true => left_open(terms, smt, problem, &candidates, node),
            false => read(terms, &Dynamic::from(solution))?,
        });
    }
    candidates.push(Term::FALSE);
    Some(candidates)
}

/// For a predicate without a solution: nothing reaches its node, or nothing above needs it.
fn left_open(
    terms: &Terms,
    smt: &mut Smt,
    problem: &Problem,
    candidates: &[Term],
    node: usize,
) -> Term {
    let mut body: Vec<Term> = problem.children(node).iter().map(|c| candidates[*c]).collect();
    body.push(problem.formulas()[node]);
    match smt.check(terms, &body) {
        Answer::Unsat => Term::FALSE,
        _ => Term::TRUE,
    }
}

/// Inlining would leave values of single points instead of predicates. No derivation is less
/// deep than the tree, so Spacer need not look at fewer levels first.
fn settings(problem: &Problem, limits: Limits) -> Params {
    let mut params = Params::new();
    params.set_u32("fp.spacer.min_level", problem.height().try_into().unwrap_or(u32::MAX));
    params.set_bool("fp.xform.inline_eager", false);
    params.set_bool("fp.xform.inline_linear", false);
    params.set_bool("fp.xform.slice", false);
    if let Some(resources) = limits.resources {
        params.set_u32("rlimit", resources);
    }
    if let Some(time) = limits.time {
        params.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX));
    }
    params
}

/// A node's formula and its children's predicates imply its own.
fn clause(
    terms: &Terms,
    translator: &mut Translator,
    problem: &Problem,
    predicates: &[Predicate],
    node: usize,
) -> Bool {
    let formula = problem.formulas()[node];
    let mut body: Vec<Bool> =
        problem.children(node).iter().map(|c| predicates[*c].applied()).collect();
    body.push(translator.bool(terms, formula));
    let head = match node == problem.root() {
        true => Bool::from_bool(false),
        false => predicates[node].applied(),
    };
    let mut bound: Vec<Dynamic> =
        terms.free_symbols(formula).iter().map(|s| symbol_constant(terms, *s)).collect();
    for predicate in problem.children(node).iter().chain([&node]).map(|n| &predicates[*n]) {
        bound.extend(predicate.arguments.iter().cloned());
    }
    let mut distinct: Vec<Dynamic> = Vec::new();
    for symbol in bound {
        if !distinct.contains(&symbol) {
            distinct.push(symbol);
        }
    }
    let bound: Vec<&dyn Ast> = distinct.iter().map(|b| b as &dyn Ast).collect();
    forall_const(&bound, &[], &Bool::and(&body).implies(&head))
}
