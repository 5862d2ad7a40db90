//! The inputs of a run, from a model of its formulas.

use lakatos_ir::pass::way_through;
use lakatos_ir::{EdgeId, Instr, ProcId, SiteId};
use lakatos_logic::term::{Assignment, Symbol, Term, Value};
use rustc_hash::FxHashMap;

use super::trace::{Taken, Trace};
use crate::core::Cx;

/// Each value that comes in, with its site and how often that was passed before. Where the model
/// leaves a value open it is zero.
pub fn inputs(cx: &mut Cx<'_>, trace: &Trace, model: &Assignment) -> Vec<((SiteId, u32), i128)> {
    let mut counts: FxHashMap<SiteId, u32> = FxHashMap::default();
    let mut found = Vec::new();
    for (position, step) in trace.positions.iter().zip(&trace.steps) {
        let Some(taken) = step else { continue };
        let (transition, map) = (&taken.transition, &taken.versions);
        let way = position.step.and_then(|step| way(cx, step, taken, model));
        let mut passed = Vec::new();
        for input in &transition.inputs {
            if way.as_ref().is_some_and(|way| !way.contains(&(input.edge as u32))) {
                continue;
            }
            let value = value(cx, map, model, input.value.term)
                .and_then(|v| cx.semantics.machine().value(&v, input.value.ty))
                .unwrap_or(0);
            passed.push((input.site, value));
        }
        let times = taken.times.map_or(1, |n| number(cx, model, n));
        for _ in 0..if passed.is_empty() { 0 } else { times } {
            for (site, value) in &passed {
                let count = counts.entry(*site).or_default();
                found.push(((*site, *count), *value));
                *count += 1;
            }
        }
    }
    found
}

/// The edges that a step takes through its block; `None` where it is none.
fn way(
    cx: &mut Cx<'_>,
    (proc, edge): (ProcId, EdgeId),
    taken: &Taken,
    model: &Assignment,
) -> Option<Vec<u32>> {
    let program = cx.semantics.program;
    let body = program.procs[proc].body.as_ref().expect("an edge of a body");
    let Instr::Block(region) = &body.edges[edge].instr else { return None };
    let guards = taken.transition.guards.iter();
    let passes: Vec<bool> = guards
        .map(|guard| value(cx, &taken.versions, model, *guard) == Some(Value::Bool(true)))
        .collect();
    let number = |edge: &lakatos_ir::Edge| {
        region.edges.iter().position(|e| std::ptr::eq(e, edge)).expect("its own edge")
    };
    let found = way_through(region, (), |(), edge| passes[number(edge)].then_some(()));
    Some(found.map(|(way, ())| way).unwrap_or_default())
}

/// A number that is not negative; zero where it is not known.
pub(crate) fn number(cx: &mut Cx<'_>, model: &Assignment, term: Term) -> u64 {
    match value(cx, &FxHashMap::default(), model, term) {
        Some(Value::Int(number)) => u64::try_from(&number).unwrap_or(0),
        _ => 0,
    }
}

fn value(
    cx: &mut Cx<'_>,
    map: &FxHashMap<Symbol, Term>,
    model: &Assignment,
    term: Term,
) -> Option<Value> {
    let term = cx.terms.substitute(term, map);
    let known = |symbol: Symbol| {
        let zero = || Value::zero(&cx.terms, cx.terms.symbol_sort(symbol));
        (symbol, model.symbols.get(&symbol).cloned().unwrap_or_else(zero))
    };
    // Only what the term speaks of: a model of a long run is large.
    let symbols = cx.terms.free_symbols(term).into_iter().map(known).collect();
    cx.terms.evaluate(term, &Assignment { symbols, functions: model.functions.clone() })
}
