//! The inputs of a run, from a model of its formulas.

use lakatos_ir::pass::way_through;
use lakatos_ir::{Instr, SiteId};
use lakatos_logic::term::{Assignment, Symbol, Term, Value};
use rustc_hash::FxHashMap;

use super::trace::Trace;
use crate::core::Cx;

/// Each value that comes in, with its site and how often that was passed before. Where the model
/// leaves a value open it is zero.
pub fn inputs(cx: &mut Cx<'_>, trace: &Trace, model: &Assignment) -> Vec<((SiteId, u32), i128)> {
    let mut counts: FxHashMap<SiteId, u32> = FxHashMap::default();
    let mut found = Vec::new();
    for (position, step) in trace.positions.iter().zip(&trace.steps) {
        let (Some((proc, edge)), Some(taken)) = (position.step, step) else { continue };
        let (transition, map) = (&taken.transition, &taken.versions);
        let program = cx.semantics.program;
        let body = program.procs[proc].body.as_ref().expect("an edge of a body");
        let way: Vec<u32> = match &body.edges[edge].instr {
            Instr::Block(region) => {
                let passes: Vec<bool> = transition
                    .guards
                    .iter()
                    .map(|guard| value(cx, map, model, *guard) == Some(Value::Bool(true)))
                    .collect();
                let number = |edge: &lakatos_ir::Edge| {
                    region.edges.iter().position(|e| std::ptr::eq(e, edge)).expect("its own edge")
                };
                way_through(region, (), |(), edge| passes[number(edge)].then_some(()))
                    .map(|(way, ())| way)
                    .unwrap_or_default()
            }
            _ => vec![0],
        };
        for input in &transition.inputs {
            if !way.contains(&(input.edge as u32)) {
                continue;
            }
            let count = counts.entry(input.site).or_default();
            let value = value(cx, map, model, input.value.term)
                .and_then(|v| cx.semantics.machine().value(&v, input.value.ty))
                .unwrap_or(0);
            found.push(((input.site, *count), value));
            *count += 1;
        }
    }
    found
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
