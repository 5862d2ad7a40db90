//! A way around a loop as what it does: new values of variables, and when it can be taken.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lakatos_encode::machine::Operand;
use lakatos_ir::{LocId, ProcId, SiteId, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::smt::{Answer, Limits};
use lakatos_logic::term::{Node, Relation, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::ways::{Way, ways};
use crate::core::Cx;
use crate::refine::Trace;
use crate::semantics::Role;

/// Turns of a loop that are looked at.
const MOST_TURNS: usize = 8;
/// A way is divided into at most so many by the conditions inside its values.
const MOST_CASES: usize = 4;
/// Work for a question that need not be answered.
const WORK: u32 = 300_000;

/// Once around a loop, or a few times. Before it variables have their values in [`Role::Old`];
/// other symbols stand for inputs.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// One after the other.
    pub ways: Vec<Rc<Way>>,
    pub updates: BTreeMap<VarId, Term>,
    /// All of it has to hold.
    pub guard: Vec<Term>,
    pub inputs: Vec<(SiteId, Operand)>,
    pub opaque: bool,
}

/// The turns of a loop of the last procedure, on the way through the others. Those that cannot
/// follow themselves may do so in pairs.
pub(super) fn turns(cx: &mut Cx<'_>, callers: &[ProcId], head: LocId) -> Vec<Turn> {
    let Some(ways) = ways(cx, callers, head) else { return Vec::new() };
    let proc = *callers.last().expect("the loop is in one");
    let limits = cx.smt.limits();
    cx.smt.set_limits(Limits { resources: Some(WORK), ..limits });
    let mut single = Vec::new();
    for way in ways {
        let trace = Trace::within(cx, proc, &way.acts, &|node| way.place(node));
        let turn = Turn::of_trace(cx, &trace, Rc::new(way));
        single.extend(turn.cases(cx));
    }
    let (mut found, others): (Vec<Turn>, Vec<Turn>) =
        single.into_iter().partition(|turn| turn.then(cx, turn).is_possible(cx));
    for (number, first) in others.iter().enumerate() {
        for second in &others[number + 1..] {
            let pair = first.then(cx, second);
            if found.len() < MOST_TURNS && pair.then(cx, &pair).is_possible(cx) {
                found.push(pair);
            }
        }
    }
    found.extend(others);
    cx.smt.set_limits(limits);
    found.truncate(MOST_TURNS);
    found
}

impl Turn {
    fn of_trace(cx: &mut Cx<'_>, trace: &Trace, way: Rc<Way>) -> Turn {
        let mut inputs = Vec::new();
        for taken in trace.steps.iter().flatten() {
            for input in &taken.transition.inputs {
                let term = cx.terms.substitute(input.value.term, &taken.versions);
                inputs.push((input.site, Operand { term, ..input.value.clone() }));
            }
        }
        let (initial, values) = trace.ends();
        let mut changed: Vec<(VarId, Term)> = values.iter().map(|(v, t)| (*v, *t)).collect();
        changed.sort_unstable();
        let mut start = FxHashMap::default();
        let mut before: Vec<(VarId, Term)> = initial.iter().map(|(v, t)| (*v, *t)).collect();
        before.sort_unstable();
        for (var, term) in before {
            let symbol = cx.terms.as_symbol(term).expect("a version");
            start.insert(symbol, cx.semantics.symbol(&mut cx.terms, Role::Old, var));
        }
        let mut roots: Vec<Term> = changed.iter().map(|(_, term)| *term).collect();
        roots.extend(inputs.iter().map(|(_, value)| value.term));
        let all: Vec<Term> = trace.formulas().collect();
        let mut guard: Vec<Term> = all.iter().flat_map(|f| cx.terms.conjuncts(*f)).collect();
        let known = inputs.iter().flat_map(|(_, v)| cx.terms.free_symbols(v.term));
        let kept: BTreeSet<Symbol> = known.chain(start.keys().copied()).collect();
        eliminate(&mut cx.terms, &mut guard, &mut roots, &kept);
        let mut renamed = cx.terms.substitute_all(&roots, &start).into_iter();
        let mut next = || renamed.next().expect("as many as before");
        let updates = changed.into_iter().map(|(var, _)| (var, next())).collect();
        let inputs = inputs
            .into_iter()
            .map(|(site, value)| (site, Operand { term: next(), ..value }))
            .collect();
        let guard = cx.terms.substitute_all(&guard, &start);
        Turn { ways: vec![way], updates, guard, inputs, opaque: trace.opaque }.tidy(cx)
    }

    /// Conjuncts once, without those that always hold.
    fn tidy(mut self, cx: &Cx<'_>) -> Turn {
        let all = std::mem::take(&mut self.guard);
        let all: BTreeSet<Term> = all.into_iter().flat_map(|f| cx.terms.conjuncts(f)).collect();
        self.guard = all.into_iter().filter(|f| *f != Term::TRUE).collect();
        self
    }

    /// The turn for every case of a condition in its values; those that are possible.
    fn cases(self, cx: &mut Cx<'_>) -> Vec<Turn> {
        let mut open = vec![self];
        let mut found = Vec::new();
        while let Some(turn) = open.pop() {
            let Some((choice, condition, then, otherwise)) = turn.choice(&cx.terms) else {
                if turn.is_possible(cx) {
                    found.push(turn);
                }
                continue;
            };
            if open.len() + found.len() >= MOST_CASES {
                continue;
            }
            for (holds, value) in [(false, otherwise), (true, then)] {
                let condition = match holds {
                    true => condition,
                    false => cx.terms.not(condition),
                };
                let map: FxHashMap<Term, Term> = [(choice, value)].into_iter().collect();
                let mut case = turn.clone();
                for update in case.updates.values_mut() {
                    *update = cx.terms.replace(*update, &map);
                }
                case.guard = cx.terms.replace_all(&case.guard, &map);
                case.guard.push(condition);
                open.push(case.tidy(cx));
            }
        }
        found
    }

    /// A conditional number in it whose condition has none.
    fn choice(&self, terms: &Terms) -> Option<(Term, Term, Term, Term)> {
        let roots: Vec<Term> = self.updates.values().chain(&self.guard).copied().collect();
        terms.parts_first(&roots).into_iter().find_map(|term| match terms.node(term) {
            Node::Ite(condition, a, b) if terms.sort(term) == Sort::Int => {
                Some((term, *condition, *a, *b))
            }
            _ => None,
        })
    }

    /// One after the other.
    pub fn then(&self, cx: &mut Cx<'_>, other: &Turn) -> Turn {
        let mut roots: Vec<Term> = other.updates.values().chain(&other.guard).copied().collect();
        roots.extend(other.inputs.iter().map(|(_, value)| value.term));
        let mut map = FxHashMap::default();
        for symbol in cx.terms.free_symbols_of(&roots) {
            match cx.semantics.role(symbol) {
                Some((Role::Old, var)) => {
                    if let Some(update) = self.updates.get(&var) {
                        map.insert(symbol, *update);
                    }
                }
                Some(_) => {}
                None => {
                    let sort = cx.terms.symbol_sort(symbol);
                    map.insert(symbol, cx.terms.fresh("again", sort));
                }
            }
        }
        let mut moved = cx.terms.substitute_all(&roots, &map).into_iter();
        let mut next = || moved.next().expect("as many as before");
        let mut both = self.clone();
        both.ways.extend(other.ways.iter().cloned());
        for var in other.updates.keys() {
            both.updates.insert(*var, next());
        }
        both.guard.extend(other.guard.iter().map(|_| next()));
        for (site, value) in &other.inputs {
            both.inputs.push((*site, Operand { term: next(), ..value.clone() }));
        }
        both.opaque |= other.opaque;
        both.tidy(cx)
    }

    /// What is not known to be impossible.
    fn is_possible(&self, cx: &mut Cx<'_>) -> bool {
        let mut formulas = self.guard.clone();
        let guard = cx.terms.and(formulas.iter().copied());
        formulas.push(cx.semantics.ranges(&mut cx.terms, guard));
        cx.smt.check(&cx.terms, &formulas) != Answer::Unsat
    }
}

/// Replaces symbols by what equations among the formulas say that they are, but for some.
fn eliminate(
    terms: &mut Terms,
    formulas: &mut Vec<Term>,
    roots: &mut [Term],
    kept: &BTreeSet<Symbol>,
) {
    add_equations(terms, formulas);
    while let Some((number, symbol, value)) = formulas
        .iter()
        .enumerate()
        .find_map(|(number, formula)| definition(terms, *formula, kept).map(|d| (number, d)))
        .map(|(number, (symbol, sum))| (number, symbol, terms.sum(sum, Sort::Int)))
    {
        formulas.swap_remove(number);
        let map: FxHashMap<Symbol, Term> = [(symbol, value)].into_iter().collect();
        let new = terms.substitute_all(formulas, &map);
        *formulas = new.into_iter().flat_map(|f| terms.conjuncts(f)).collect();
        add_equations(terms, formulas);
        roots.copy_from_slice(&terms.substitute_all(roots, &map));
    }
}

/// Adds that numbers are zero which are both at most and at least that: so many turns does a loop
/// take that counts to a bound.
fn add_equations(terms: &mut Terms, formulas: &mut Vec<Term>) {
    *formulas = terms.with_equations(std::mem::take(formulas));
}

fn definition(
    terms: &Terms,
    formula: Term,
    kept: &BTreeSet<Symbol>,
) -> Option<(Symbol, lakatos_logic::term::Sum)> {
    let (Relation::Zero, mut sum) = terms.as_comparison(formula)? else { return None };
    let is_free = |at: usize| -> Option<Symbol> {
        let (term, factor) = &sum.monomials[at];
        let symbol = terms.as_symbol(*term).filter(|symbol| !kept.contains(symbol))?;
        let others = sum.monomials.iter().enumerate().filter(|(other, _)| *other != at);
        let mut others = others.map(|(_, (term, _))| terms.free_symbols(*term));
        let is_unit = *factor == Int::ONE || *factor == Int::NEG_ONE;
        (is_unit && !others.any(|symbols| symbols.contains(&symbol))).then_some(symbol)
    };
    let (at, symbol) = (0..sum.monomials.len()).find_map(|at| is_free(at).map(|s| (at, s)))?;
    let (_, factor) = sum.monomials.remove(at);
    Some((symbol, sum.scale(&-factor)))
}
