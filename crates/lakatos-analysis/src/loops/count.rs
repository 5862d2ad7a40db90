//! Any number of turns as one step (loops paper, Figure 12).

use std::collections::BTreeMap;
use std::rc::Rc;

use lakatos_encode::machine::Operand;
use lakatos_ir::VarId;
use lakatos_logic::number::Int;
use lakatos_logic::recurrence::{Closed, Polynomial, solve};
use lakatos_logic::term::{Node, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::turn::Turn;
use super::ways::Way;
use crate::core::Cx;
use crate::semantics::{Input, Role, Transition};

/// Turns before closed forms are right: more are not looked at.
const LATEST: u32 = 3;

/// A turn taken `times` times in a row, maybe never.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub ways: Vec<Rc<Way>>,
    pub transition: Rc<Transition>,
    pub times: Symbol,
    /// The inputs of the last turn are those of the first.
    pub same: Term,
}

impl Counted {
    /// `None`: too little is known.
    pub fn new(cx: &mut Cx<'_>, turn: &Turn) -> Option<Counted> {
        let mut parts = Parts::new(cx, turn)?;
        let (n, times) = parts.number();
        let mut cases = parts.few(n);
        cases.push(parts.many(n));
        let same = parts.same();
        let formula = cx.terms.or(cases);
        let transition = Rc::new(transition(cx, turn, formula));
        Some(Counted { ways: turn.ways.clone(), transition, times, same })
    }
}

/// Some turns of a loop inside another one, without inputs: these would be another number of them
/// in every turn of the outer loop.
pub(super) fn some_turns(cx: &mut Cx<'_>, turn: &Turn) -> Option<Transition> {
    if !turn.inputs.is_empty() {
        return None;
    }
    let mut parts = Parts::new(cx, turn)?;
    let (n, _) = parts.number();
    let formula = parts.many(n);
    Some(transition(cx, turn, formula))
}

/// The step with this formula, in which unchanged variables are in [`Role::Old`].
fn transition(cx: &mut Cx<'_>, turn: &Turn, formula: Term) -> Transition {
    let mut roots = vec![formula];
    roots.extend(turn.inputs.iter().map(|(_, value)| value.term));
    let mut map = FxHashMap::default();
    for symbol in cx.terms.free_symbols_of(&roots) {
        if let Some((Role::Old, var)) = cx.semantics.role(symbol)
            && !turn.updates.contains_key(&var)
        {
            map.insert(symbol, cx.semantics.symbol(&mut cx.terms, Role::Now, var));
        }
    }
    let mut renamed = cx.terms.substitute_all(&roots, &map).into_iter();
    let formula = renamed.next().expect("the first");
    let inputs = turn
        .inputs
        .iter()
        .zip(renamed)
        .map(|((site, value), term)| Input {
            edge: 0,
            site: *site,
            value: Operand { term, ..value.clone() },
        })
        .collect();
    Transition {
        formula,
        ranges: cx.semantics.ranges(&mut cx.terms, formula),
        assigned: turn.updates.keys().copied().collect(),
        guards: Vec::new(),
        inputs,
        opaque: turn.opaque,
    }
}

/// Whether a value is nothing but an input.
fn is_input(cx: &Cx<'_>, value: Term) -> bool {
    cx.terms.as_symbol(value).is_some_and(|symbol| cx.semantics.role(symbol).is_none())
}

/// Other symbols for the inputs of the last turn. Those that numbers are made of stay: closed forms
/// take them for the same in every turn.
fn inputs_again(cx: &mut Cx<'_>, turn: &Turn) -> BTreeMap<Symbol, Term> {
    let updates = turn.updates.values().copied();
    let (inputs, made): (Vec<Term>, Vec<Term>) = updates.partition(|u| is_input(cx, *u));
    let fixed = cx.terms.free_symbols_of(&made);
    let used = cx.terms.free_symbols_of(&[inputs.as_slice(), &turn.guard].concat());
    let mut again = BTreeMap::new();
    for symbol in used.difference(&fixed) {
        if cx.semantics.role(*symbol).is_none() {
            let sort = cx.terms.symbol_sort(*symbol);
            again.insert(*symbol, cx.terms.fresh("again", sort));
        }
    }
    again
}

struct Parts<'a, 'p> {
    cx: &'a mut Cx<'p>,
    turn: &'a Turn,
    closed: BTreeMap<Symbol, Closed>,
    /// From which number of turns on closed forms are right.
    from: u32,
    /// The inputs of the last turn.
    again: BTreeMap<Symbol, Term>,
    /// What symbols stand for that were made for values.
    equations: Vec<Term>,
}

impl<'a, 'p> Parts<'a, 'p> {
    fn new(cx: &'a mut Cx<'p>, turn: &'a Turn) -> Option<Parts<'a, 'p>> {
        let mut updates = BTreeMap::new();
        for (var, update) in &turn.updates {
            let before = cx.semantics.symbol(&mut cx.terms, Role::Old, *var);
            let before = cx.terms.as_symbol(before).expect("a variable");
            let update = match is_input(cx, *update) {
                true => None,
                false => Polynomial::of_term(&cx.terms, *update),
            };
            updates.insert(before, update);
        }
        let closed = solve(&updates);
        let from = closed.values().map(|c| c.from).max().filter(|from| *from <= LATEST)?;
        let again = inputs_again(cx, turn);
        Some(Parts { cx, turn, closed, from, again, equations: Vec::new() })
    }

    fn number(&mut self) -> (Term, Symbol) {
        let n = self.cx.terms.fresh("turns", Sort::Int);
        (n, self.cx.terms.as_symbol(n).expect("just made"))
    }

    /// The inputs of the last turn are those of the first.
    fn same(&mut self) -> Term {
        let mut same = Vec::new();
        for (symbol, again) in &self.again {
            let first = self.cx.terms.symbol_term(*symbol);
            same.push(self.cx.terms.eq(first, *again));
        }
        self.cx.terms.and(same)
    }

    fn old(&mut self, var: VarId) -> Term {
        self.cx.semantics.symbol(&mut self.cx.terms, Role::Old, var)
    }

    fn now(&mut self, var: VarId) -> Term {
        self.cx.semantics.symbol(&mut self.cx.terms, Role::Now, var)
    }

    fn is_now(&mut self, values: &FxHashMap<Symbol, Term>) -> Term {
        let mut all = Vec::new();
        for var in self.turn.updates.keys() {
            let (old, now) = (self.old(*var), self.now(*var));
            let value = self.cx.terms.substitute(old, values);
            all.push(self.cx.terms.eq(now, value));
        }
        self.cx.terms.and(all)
    }

    /// None, one, and so on: one turn after the other, as long as closed forms are not right.
    fn few(&mut self, n: Term) -> Vec<Term> {
        let mut cases = Vec::new();
        let mut passed = Term::TRUE;
        let mut values = FxHashMap::default();
        for turns in 0..=self.from {
            let number = self.cx.terms.int(turns);
            let case = [self.cx.terms.eq(n, number), passed, self.is_now(&values)];
            cases.push(self.cx.terms.and(case));
            let guard = self.cx.terms.substitute_all(&self.turn.guard, &values);
            passed = self.cx.terms.and(guard.into_iter().chain([passed]));
            values = self.after(&values);
        }
        cases
    }

    /// More turns than that: the first ones one by one, the last by its number.
    fn many(&mut self, n: Term) -> Term {
        let first = self.cx.terms.int(self.from + 1);
        let mut all = vec![self.cx.terms.ge(n, first)];
        let last = self.closed.values().filter_map(|c| c.form.last()).min();
        if let Some(last) = last {
            let last = self.cx.terms.int(last);
            all.push(self.cx.terms.le(n, last));
        }
        let mut before = FxHashMap::default();
        for _ in 0..=self.from {
            all.extend(self.cx.terms.substitute_all(&self.turn.guard, &before));
            before = self.after(&before);
        }
        let one = self.cx.terms.int(1);
        let end = self.cx.terms.sub(n, one);
        let mut at_end = self.values(end);
        at_end.extend(self.again.iter().map(|(symbol, again)| (*symbol, *again)));
        all.extend(self.cx.terms.substitute_all(&self.turn.guard, &at_end));
        for formula in &self.turn.guard {
            all.push(self.between(*formula, &at_end));
        }
        let mut after = self.values(n);
        for (var, update) in &self.turn.updates {
            if is_input(self.cx, *update) {
                let old = self.old(*var);
                let old = self.cx.terms.as_symbol(old).expect("a variable");
                after.insert(old, self.cx.terms.substitute(*update, &at_end));
            }
        }
        all.push(self.is_now(&after));
        all.append(&mut self.equations);
        self.cx.terms.and(all)
    }

    /// The values after another turn.
    fn after(&mut self, values: &FxHashMap<Symbol, Term>) -> FxHashMap<Symbol, Term> {
        let mut after = FxHashMap::default();
        for (var, update) in &self.turn.updates {
            let old = self.old(*var);
            let old = self.cx.terms.as_symbol(old).expect("a variable");
            after.insert(old, self.cx.terms.substitute(*update, values));
        }
        after
    }

    /// The values after so many turns; anything where there is no closed form.
    fn values(&mut self, n: Term) -> FxHashMap<Symbol, Term> {
        let mut values = FxHashMap::default();
        for var in self.turn.updates.keys() {
            let old = self.old(*var);
            let old = self.cx.terms.as_symbol(old).expect("a variable");
            let terms = &mut self.cx.terms;
            let value = match self.closed.get(&old) {
                None => terms.fresh("any", terms.symbol_sort(old)),
                Some(Closed { form, .. }) => {
                    let (term, denominator) = form.to_term(terms, n);
                    match denominator == Int::ONE {
                        true => term,
                        false => {
                            let value = terms.fresh("value", Sort::Int);
                            let scaled = terms.scale(&denominator, value);
                            self.equations.push(terms.eq(scaled, term));
                            value
                        }
                    }
                }
            };
            values.insert(old, value);
        }
        values
    }

    /// What holds of a part of the condition in all turns between the first and the last. What
    /// moves by the same amount in each turn and is at most zero at both ends is so between them.
    /// What is not zero at the ends is not zero between them if it has the same sign there; that
    /// excludes some runs.
    fn between(&mut self, formula: Term, end: &FxHashMap<Symbol, Term>) -> Term {
        let Some(value) = unequal(&self.cx.terms, formula) else { return Term::TRUE };
        let terms = &mut self.cx.terms;
        let last = terms.substitute(value, end);
        if last == value {
            return Term::TRUE;
        }
        let zero = terms.int(0);
        let below = [terms.lt(value, zero), terms.lt(last, zero)];
        let above = [terms.gt(value, zero), terms.gt(last, zero)];
        let (below, above) = (terms.and(below), terms.and(above));
        terms.or([below, above])
    }
}

/// The number that a formula says not to be zero.
fn unequal(terms: &Terms, formula: Term) -> Option<Term> {
    let Node::Not(inner) = terms.node(formula) else { return None };
    match terms.node(*inner) {
        Node::Zero(value) => Some(*value),
        _ => None,
    }
}
