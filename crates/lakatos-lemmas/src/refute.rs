//! Lemmas that are false at small values: definitions are computed there.
//!
//! Up to a few hundred choices of small numbers and short arrays, the same in each run. What is left
//! of the lemma with these values says no more than that it is true or false, and the solver is
//! asked where it has quantifiers. Functions that have no definition, or one that may not end, are
//! left open: the lemma is false whatever they are.

use lakatos_ir::IntType;
use lakatos_logic::lemma::{Definition, Lemma};
use lakatos_logic::number::Int;
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Function, Node, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use crate::translate::Statement;
use crate::translate::bounds;

/// How long a counterexample is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// So many choices of values are tried.
    samples: u64,
    /// So many of them are given to the solver.
    queries: usize,
}

/// Before a proof is looked for.
pub(crate) const LITTLE: Effort = Effort { samples: 100, queries: 0 };
/// Where none was found.
pub(crate) const MUCH: Effort = Effort { samples: 400, queries: 40 };

/// What such a question may cost.
const QUERY: Limits = Limits { resources: Some(200_000), time: None };
/// Definitions are unfolded so often for one choice.
const FUEL: usize = 200;
/// Where arrays have values of their own.
const INDICES: std::ops::Range<i64> = -1..5;

/// The values of a lemma's variables at which it is false.
pub type Counterexample = Vec<(Symbol, Value)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(Int),
    Truth(bool),
    /// From index -1 on; this elsewhere.
    Array(Vec<Int>, Int),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Array(elements, rest) => {
                f.write_str("{")?;
                for (index, element) in INDICES.zip(elements) {
                    write!(f, "[{index}] = {element}, ")?;
                }
                write!(f, "otherwise {rest}}}")
            }
        }
    }
}

/// Values at which a lemma is false, if some are found.
pub(crate) fn counterexample(
    terms: &mut Terms,
    smt: &mut Smt,
    definitions: &FxHashMap<Function, Definition>,
    statement: &Statement,
    effort: Effort,
) -> Option<Counterexample> {
    let before = smt.limits();
    smt.set_limits(QUERY);
    let found = search(terms, smt, definitions, statement, effort);
    smt.set_limits(before);
    found
}

fn search(
    terms: &mut Terms,
    smt: &mut Smt,
    definitions: &FxHashMap<Function, Definition>,
    statement: &Statement,
    effort: Effort,
) -> Option<Counterexample> {
    let mut computation = Computation { definitions, known: FxHashMap::default(), fuel: 0 };
    let mut queries = 0;
    for number in 0..effort.samples {
        let values = sample(terms, statement, number);
        let formula = at(terms, &statement.general, &values);
        computation.fuel = FUEL;
        let Some(formula) = computation.run(terms, formula) else { continue };
        let is_false = match terms.as_value(formula) {
            Some(_) => formula == Term::FALSE,
            None if queries == effort.queries => false,
            None => {
                queries += 1;
                smt.check(terms, &[formula]) == Answer::Unsat
            }
        };
        if is_false {
            return Some(values);
        }
    }
    None
}

/// The lemma with values in the place of its variables.
fn at(terms: &mut Terms, lemma: &Lemma, values: &Counterexample) -> Term {
    let mut map = FxHashMap::default();
    for (symbol, value) in values {
        let term = match value {
            Value::Number(number) => terms.int(number.clone()),
            Value::Truth(truth) => terms.bool(*truth),
            Value::Array(elements, rest) => {
                let rest = terms.int(rest.clone());
                let mut array = terms.const_array(terms.symbol_sort(*symbol), rest);
                for (index, element) in INDICES.zip(elements) {
                    let (index, element) = (terms.int(index), terms.int(element.clone()));
                    array = terms.store(array, index, element);
                }
                array
            }
        };
        map.insert(*symbol, term);
    }
    terms.substitute(lemma.formula, &map)
}

/// Numbers that look random, from a few bits of state (Weyl sequence, mixed).
struct Mixed(u64);

impl Mixed {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }

    /// A number of a type, or any.
    fn number(&mut self, ty: Option<IntType>) -> Int {
        let far: [i64; 6] = [
            i64::from(i32::MAX),
            i64::from(i32::MIN),
            i64::from(i32::MAX) + 1,
            i64::from(u32::MAX),
            100,
            -100,
        ];
        let any = match self.next(12) {
            0 => Int::from(far[self.next(6) as usize]),
            _ => Int::from(self.next(8) as i64 - 3),
        };
        let Some(ty) = ty else { return any };
        let (low, high) = bounds(ty);
        match self.next(16) {
            0 => high,
            1 => low,
            _ if low <= any && any <= high => any,
            _ => Int::from(self.next(2)),
        }
    }
}

fn sample(terms: &Terms, statement: &Statement, number: u64) -> Counterexample {
    let mut mixed = Mixed(number.wrapping_mul(0x0123_4567_89ab_cdef));
    let element = |symbol: &Symbol| {
        statement.elements.iter().find(|(own, _)| own == symbol).map(|(_, ty)| *ty)
    };
    let value = |symbol: &Symbol| {
        let value = match terms.symbol_sort(*symbol) {
            Sort::Bool => Value::Truth(mixed.next(2) == 0),
            Sort::Array(_) => {
                let ty = element(symbol);
                let elements = INDICES.map(|_| mixed.number(ty)).collect();
                Value::Array(elements, mixed.number(ty))
            }
            _ => Value::Number(mixed.number(element(symbol))),
        };
        (*symbol, value)
    };
    statement.general.variables.iter().map(value).collect()
}

/// Definitions computed at values.
struct Computation<'d> {
    definitions: &'d FxHashMap<Function, Definition>,
    known: FxHashMap<Term, Term>,
    fuel: usize,
}

impl Computation<'_> {
    /// A formula in which nothing is left to be computed; `None` if that takes too long.
    fn run(&mut self, terms: &mut Terms, mut formula: Term) -> Option<Term> {
        loop {
            let mut map = FxHashMap::default();
            for call in self.calls(terms, formula) {
                map.insert(call, self.call(terms, call)?);
            }
            if map.is_empty() {
                return Some(formula);
            }
            formula = terms.replace(formula, &map);
        }
    }

    /// Calls of definitions with values as arguments.
    fn calls(&self, terms: &Terms, formula: Term) -> Vec<Term> {
        let is_value = |argument: &Term| {
            let applied = |part: Term| matches!(terms.node(part), Node::Apply(..));
            terms.free_symbols(*argument).is_empty()
                && !terms.parts_first(&[*argument]).into_iter().any(applied)
        };
        let is_call = |term: &Term| match terms.node(*term) {
            Node::Apply(function, arguments) => {
                self.definitions.contains_key(function) && arguments.iter().all(is_value)
            }
            _ => false,
        };
        terms.parts_first(&[formula]).into_iter().filter(is_call).collect()
    }

    fn call(&mut self, terms: &mut Terms, call: Term) -> Option<Term> {
        if let Some(known) = self.known.get(&call) {
            return Some(*known);
        }
        self.fuel = self.fuel.checked_sub(1)?;
        let Node::Apply(function, arguments) = terms.node(call).clone() else { return Some(call) };
        let definition = &self.definitions[&function];
        let map: FxHashMap<Symbol, Term> =
            definition.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        let body = terms.substitute(definition.body, &map);
        let value = self.run(terms, body)?;
        self.known.insert(call, value);
        Some(value)
    }
}
