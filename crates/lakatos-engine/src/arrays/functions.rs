//! The functions of the user, computed: definitions are programs.

use lakatos_logic::lemma::{Definition, Theory};
use lakatos_logic::term::{Function, Node, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// Calls inside of calls.
const DEEPEST: usize = 400;

/// A function whose definition says what it is.
#[derive(Debug)]
pub(super) struct Computed<'t> {
    terms: &'t Terms,
    definitions: FxHashMap<Function, &'t Definition>,
}

/// An argument or a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Number(i128),
    Truth(bool),
    /// An array has elements from zero on.
    Array(&'a [i128]),
}

pub(super) type Values<'a> = FxHashMap<Symbol, Value<'a>>;

impl<'t> Computed<'t> {
    pub fn new(terms: &'t Terms, theory: &'t Theory) -> Computed<'t> {
        let definitions = theory.definitions.iter().map(|d| (d.function, d)).collect();
        Computed { terms, definitions }
    }

    /// The functions from arrays and then whole numbers to whole numbers, with how many of each they
    /// take.
    pub fn of_arrays(&self) -> Vec<(Function, usize, usize)> {
        let mut found: Vec<(Function, usize, usize)> = Vec::new();
        for function in self.definitions.keys() {
            let signature = self.terms.signature(*function);
            let arrays =
                signature.arguments.iter().take_while(|s| matches!(s, Sort::Array(_))).count();
            let rest = &signature.arguments[arrays..];
            let is_plain = rest.iter().all(|sort| *sort == Sort::Int);
            if arrays > 0 && is_plain && !rest.is_empty() && signature.result == Sort::Int {
                found.push((*function, arrays, rest.len()));
            }
        }
        found.sort_unstable_by_key(|(function, ..)| self.terms.signature(*function).name.clone());
        found
    }

    /// `None` if it is not defined there, reads outside of an array, or takes too long.
    pub fn apply(&self, function: Function, arguments: &[Value<'_>]) -> Option<i128> {
        let definition = self.definitions.get(&function)?;
        let values = definition.parameters.iter().copied().zip(arguments.iter().copied());
        match self.value(definition.body, &values.collect(), DEEPEST)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Whether a formula holds.
    pub fn holds(&self, formula: Term, values: &Values<'_>) -> Option<bool> {
        self.truth(formula, values, DEEPEST)
    }

    fn number(&self, term: Term, values: &Values<'_>, depth: usize) -> Option<i128> {
        match self.value(term, values, depth)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn truth(&self, term: Term, values: &Values<'_>, depth: usize) -> Option<bool> {
        match self.value(term, values, depth)? {
            Value::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    fn value<'a>(&self, term: Term, values: &Values<'a>, depth: usize) -> Option<Value<'a>> {
        let depth = depth.checked_sub(1)?;
        let number = |term: Term| self.number(term, values, depth);
        let truth = |term: Term| self.truth(term, values, depth);
        Some(match self.terms.node(term) {
            Node::Bool(truth) => Value::Truth(*truth),
            Node::Int(value) => Value::Number(i128::try_from(value).ok()?),
            Node::Symbol(symbol) => *values.get(symbol)?,
            Node::Not(inner) => Value::Truth(!truth(*inner)?),
            Node::And(parts) => {
                let mut all = true;
                for part in parts {
                    all &= truth(*part)?;
                }
                Value::Truth(all)
            }
            Node::Or(parts) => {
                let mut any = false;
                for part in parts {
                    any |= truth(*part)?;
                }
                Value::Truth(any)
            }
            Node::Ite(condition, yes, no) => {
                let branch = if truth(*condition)? { yes } else { no };
                self.value(*branch, values, depth)?
            }
            Node::Sum(sum) => {
                let mut total = i128::try_from(&sum.constant).ok()?;
                for (part, factor) in &sum.monomials {
                    let factor = i128::try_from(factor).ok()?;
                    total = total.checked_add(factor.checked_mul(number(*part)?)?)?;
                }
                let below = i128::try_from(&sum.denominator).ok()?;
                (total % below == 0).then_some(Value::Number(total / below))?
            }
            Node::Product(factors) => {
                let mut product: i128 = 1;
                for factor in factors {
                    product = product.checked_mul(number(*factor)?)?;
                }
                Value::Number(product)
            }
            Node::NonPositive(of) => Value::Truth(number(*of)? <= 0),
            Node::Zero(of) => Value::Truth(number(*of)? == 0),
            Node::Div(a, b) => Value::Number(number(*a)?.checked_div_euclid(number(*b)?)?),
            Node::Mod(a, b) => Value::Number(number(*a)?.checked_rem_euclid(number(*b)?)?),
            Node::Select(array, index) => {
                let Value::Array(elements) = self.value(*array, values, depth)? else {
                    return None;
                };
                Value::Number(*elements.get(usize::try_from(number(*index)?).ok()?)?)
            }
            Node::Apply(function, arguments) => {
                let arguments: Vec<Value<'a>> = arguments
                    .iter()
                    .map(|argument| self.value(*argument, values, depth))
                    .collect::<Option<_>>()?;
                let definition = self.definitions.get(function)?;
                let inner: Values<'a> =
                    definition.parameters.iter().copied().zip(arguments).collect();
                self.value(definition.body, &inner, depth)?
            }
            _ => return None,
        })
    }
}
