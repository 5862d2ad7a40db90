//! A complete reachability graph as a proof: the states at a location are its invariant, those at
//! entries and exits the contract (DESIGN.md 6.1).

use std::collections::BTreeMap;

use lakatos_analysis::core::{Cx, Domain, Explorer};
use lakatos_analysis::semantics::Role;
use lakatos_evidence::{Assumption, Draft, Meaning, Proof};
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::Image;
use lakatos_ir::{IntType, LocId, ProcId, VarId, VarKind};
use lakatos_logic::term::{Sort, Symbol, Term};

use crate::Task;
use crate::prepare::Prepared;

/// The proof that a graph without targets is.
pub(crate) fn extract<D: Domain>(
    task: &Task<'_>,
    prepared: &Prepared,
    cx: &mut Cx<'_>,
    explorer: &mut Explorer<'_, D>,
) -> Proof {
    let states = states(cx, explorer);
    let mut draft = Draft::new(&prepared.instrumented, task.property);
    draft.assume(Assumption::of(task.program, task.property, task.signed_overflow));
    for (proc, procedure, body) in prepared.instrumented.defined() {
        let at = |loc: LocId| match prepared.inverse.image(proc, loc) {
            Image::At(new) => Some(states.get(&(proc, new)).cloned().unwrap_or_default()),
            Image::Unreachable => Some(Vec::new()),
            Image::Inside => None,
        };
        let changed = cx.semantics.changed(proc);
        let own = |var| procedure.params.contains(&var) || procedure.result == Some(var);
        // A parameter that is never changed is at the exit what it was at the entry.
        let constant = |var| procedure.params.contains(&var) && !changed.contains(&var);
        for (var, value) in prepared.inverse.known(proc, body.entry) {
            let formula = constant_fact(&mut draft, prepared, var, value);
            // Where it is refused, nothing is claimed; so below.
            let _ = draft.requires(proc, formula);
        }
        for (var, value) in prepared.inverse.known(proc, body.exit) {
            let formula = constant_fact(&mut draft, prepared, var, value);
            let _ = draft.ensures(proc, formula);
        }
        if let Some(states) = at(body.entry) {
            let formula = visible(cx, &states, |role, var, kind| {
                role == Role::Now && (kind.frame().is_none() || own(var))
            });
            add(&mut draft, cx, formula, |_| false, |d, f| d.requires(proc, f));
        }
        if let Some(states) = at(body.exit) {
            let formula = visible(cx, &states, |role, var, kind| match role {
                Role::Now => {
                    kind.frame().is_none() || procedure.result == Some(var) || constant(var)
                }
                _ => kind.frame().is_none() || own(var),
            });
            add(&mut draft, cx, formula, constant, |d, f| d.ensures(proc, f));
        }
        for loc in Loops::new(body).cut_points() {
            for (var, value) in prepared.inverse.known(proc, *loc) {
                let formula = constant_fact(&mut draft, prepared, var, value);
                let _ = draft.invariant(proc, *loc, formula);
            }
            if let Some(states) = at(*loc) {
                let formula = visible(cx, &states, |_, _, _| true);
                add(&mut draft, cx, formula, |_| false, |d, f| d.invariant(proc, *loc, f));
            }
        }
    }
    draft.finish()
}

/// A value that a pass before the engine knew and put in place of the variable: the program that
/// the proof is about does not show it.
fn constant_fact(draft: &mut Draft<'_>, prepared: &Prepared, var: VarId, value: i128) -> Term {
    let ty = prepared.instrumented.vars[var].ty.as_int().expect("only integers are followed");
    if ty == IntType::BOOL {
        let symbol = draft.symbol(Meaning::now(var), Sort::Bool);
        return if value != 0 { symbol } else { draft.terms().not(symbol) };
    }
    let symbol = draft.symbol(Meaning::now(var), Sort::Int);
    let number = match ty.is_u128() {
        true => draft.terms().int(value as u128),
        false => draft.terms().int(value),
    };
    draft.terms().eq(symbol, number)
}

/// The states at each location.
fn states<D: Domain>(
    cx: &mut Cx<'_>,
    explorer: &mut Explorer<'_, D>,
) -> BTreeMap<(ProcId, LocId), Vec<Term>> {
    let mut states: BTreeMap<(ProcId, LocId), Vec<Term>> = BTreeMap::new();
    let nodes: Vec<_> =
        explorer.arg.alive().map(|(_, n)| (n.proc, n.loc, n.state.clone())).collect();
    for (proc, loc, state) in nodes {
        let formula = explorer.domain.to_term(cx, &state);
        let here = states.entry((proc, loc)).or_default();
        if !here.contains(&formula) {
            here.push(formula);
        }
    }
    states
}

/// One of the states holds, as far as that can be said with some values only.
fn visible(cx: &mut Cx<'_>, states: &[Term], keep: impl Fn(Role, VarId, VarKind) -> bool) -> Term {
    let seen = |cx: &Cx<'_>, symbol: Symbol| match cx.semantics.role(symbol) {
        Some((role, var)) => keep(role, var, cx.semantics.program.vars[var].kind),
        None => false,
    };
    let mut alternatives = Vec::with_capacity(states.len());
    for state in states {
        let conjuncts: Vec<Term> = cx
            .terms
            .conjuncts(*state)
            .into_iter()
            .filter(|c| cx.terms.free_symbols(*c).iter().all(|s| seen(cx, *s)))
            .collect();
        alternatives.push(cx.terms.and(conjuncts));
    }
    cx.terms.or(alternatives)
}

/// A formula that the proof's place does not allow is left out: a weaker claim. `at_entry` says
/// whose value now is spoken of as that at the entry.
fn add<E>(
    draft: &mut Draft<'_>,
    cx: &Cx<'_>,
    formula: Term,
    at_entry: impl Fn(VarId) -> bool,
    place: impl FnOnce(&mut Draft<'_>, Term) -> Result<(), E>,
) {
    let meaning = |symbol: Symbol| {
        let (role, var) = cx.semantics.role(symbol)?;
        Some(match role {
            Role::Pre => Meaning::entry(var),
            Role::Now if at_entry(var) => Meaning::entry(var),
            _ => Meaning::now(var),
        })
    };
    if let Ok(imported) = draft.import(&cx.terms, formula, meaning) {
        // Where it is refused, nothing is claimed.
        let _ = place(draft, imported);
    }
}
