//! Whether interpolants are interpolants, by the definition (BAM thesis, section 2.6.3) and a new
//! Z3 solver for each question. Shares no code with `interpolate`: the problem's formulas are
//! translated from the draft, and the interpolants by a walk of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Sort, Sum, Term, Terms};
use z3::ast::{self, Dynamic};
use z3::{Params, SatResult, Solver};

use super::draft::Draft;

/// Says what is wrong with the interpolants of all nodes but the root.
pub fn verify(draft: &Draft, terms: &mut Terms, interpolants: &[Term]) -> Result<(), String> {
    let root = draft.nodes.len() - 1;
    if interpolants.len() != root {
        return Err(format!("{} interpolants for {} nodes", interpolants.len(), root + 1));
    }
    verify_vocabulary(draft, terms, interpolants)?;
    for node in 0..=root {
        let mut formulas = vec![draft.nodes[node].0.z3()];
        for child in draft.children(node) {
            formulas.push(formula(terms, interpolants[child])?);
        }
        if node < root {
            formulas.push(formula(terms, interpolants[node])?.not());
        }
        contradict(&formulas).map_err(|wrong| format!("node {node} {wrong}"))?;
    }
    Ok(())
}

/// Remainders of unbounded sums send one of Z3's two solvers of arithmetic round in circles, and
/// rarely both.
fn contradict(formulas: &[ast::Bool]) -> Result<(), String> {
    let mut reasons = Vec::new();
    for arithmetic in [6, 2] {
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", 10_000_000);
        params.set_u32("arith.solver", arithmetic);
        solver.set_params(&params);
        formulas.iter().for_each(|f| solver.assert(f));
        match solver.check() {
            SatResult::Unsat => return Ok(()),
            SatResult::Sat => return Err(format!("does not follow:\n{solver}")),
            SatResult::Unknown => reasons.extend(solver.get_reason_unknown()),
        }
    }
    Err(format!("is too hard for the oracle: {reasons:?}"))
}

fn verify_vocabulary(
    draft: &Draft,
    terms: &mut Terms,
    interpolants: &[Term],
) -> Result<(), String> {
    // Of the terms, not of the draft: simplification may have removed a symbol.
    let formulas: Vec<Term> = draft.nodes.iter().map(|(f, _)| f.term(terms)).collect();
    let own: Vec<BTreeSet<String>> = formulas.iter().map(|f| names(terms, *f)).collect();
    for (node, interpolant) in interpolants.iter().enumerate() {
        let below = |at: usize| {
            let mut path = std::iter::successors(Some(at), |at| draft.nodes[*at].1);
            path.any(|up| up == node)
        };
        let (mut inside, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for (at, names) in own.iter().enumerate() {
            match below(at) {
                true => inside.extend(names.clone()),
                false => outside.extend(names.clone()),
            }
        }
        for name in names(terms, *interpolant) {
            if !inside.contains(&name) || !outside.contains(&name) {
                return Err(format!("node {node} speaks of `{name}`, which is not shared"));
            }
        }
    }
    Ok(())
}

/// The names of symbols and functions.
pub fn names(terms: &Terms, term: Term) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match terms.node(next) {
            Node::Symbol(symbol) => drop(found.insert(terms.symbol_name(*symbol).to_string())),
            Node::Apply(function, _) => {
                found.insert(terms.signature(*function).name.clone());
            }
            _ => {}
        }
        open.extend(terms.node(next).parts());
    }
    found
}

fn formula(terms: &Terms, term: Term) -> Result<ast::Bool, String> {
    let mut done: BTreeMap<Term, Dynamic> = BTreeMap::new();
    // Parts have smaller ids.
    let mut order = BTreeSet::from([term]);
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        open.extend(terms.node(next).parts().into_iter().filter(|p| order.insert(*p)));
    }
    for next in order {
        let translated = node(terms, next, &done)?;
        done.insert(next, translated);
    }
    Ok(done[&term].as_bool().expect("a formula"))
}

fn node(terms: &Terms, term: Term, done: &BTreeMap<Term, Dynamic>) -> Result<Dynamic, String> {
    let int = |t: &Term| done[t].as_int().expect("an integer");
    let bool = |t: &Term| done[t].as_bool().expect("a Boolean");
    let bools = |parts: &[Term]| parts.iter().map(bool).collect::<Vec<_>>();
    let zero = ast::Int::from_i64(0);
    Ok(match terms.node(term) {
        Node::Bool(value) => ast::Bool::from_bool(*value).into(),
        Node::Int(value) => numeral(value).into(),
        Node::Symbol(symbol) => {
            let name = terms.symbol_name(*symbol);
            match terms.symbol_sort(*symbol) {
                Sort::Bool => ast::Bool::new_const(name).into(),
                Sort::Int => ast::Int::new_const(name).into(),
                sort => return Err(format!("`{name}` is of sort {sort:?}")),
            }
        }
        Node::Not(a) => bool(a).not().into(),
        Node::And(parts) => ast::Bool::and(&bools(parts)).into(),
        Node::Or(parts) => ast::Bool::or(&bools(parts)).into(),
        Node::Ite(c, a, b) => bool(c).ite(&done[a], &done[b]),
        Node::Eq(a, b) => done[a].eq(&done[b]).into(),
        Node::Sum(sum) => linear(sum, int)?.into(),
        Node::NonPositive(a) => int(a).le(&zero).into(),
        Node::Zero(a) => int(a).eq(&zero).into(),
        Node::Div(a, b) => int(a).div(int(b)).into(),
        Node::Mod(a, b) => int(a).modulo(int(b)).into(),
        other => return Err(format!("an interpolant contains {other:?}")),
    })
}

fn linear(sum: &Sum, int: impl Fn(&Term) -> ast::Int) -> Result<ast::Int, String> {
    if sum.denominator != Int::ONE {
        return Err("an integer sum has a denominator".to_string());
    }
    let monomials = sum.monomials.iter().map(|(t, c)| numeral(c) * int(t));
    Ok(monomials.fold(numeral(&sum.constant), |total, monomial| total + monomial))
}

fn numeral(value: &Int) -> ast::Int {
    ast::Int::from_str(&value.to_string()).expect("a decimal number")
}
