//! The functions of the user, computed: definitions are programs.

use std::cell::RefCell;

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

/// Calls whose values are known: definitions may ask for the same one several times, each of which
/// would do so in turn.
type Calls<'a> = RefCell<FxHashMap<(Function, Vec<Key>), Option<Value<'a>>>>;

/// Which value it is; an array is known by where its elements are.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Number(i128),
    Truth(bool),
    Array(*const [i128]),
}

impl Value<'_> {
    fn key(&self) -> Key {
        match self {
            Value::Number(number) => Key::Number(*number),
            Value::Truth(truth) => Key::Truth(*truth),
            Value::Array(elements) => Key::Array(*elements),
        }
    }
}

/// The inside of a definition, or of a formula.
struct Inside<'c, 'a> {
    values: &'c Values<'a>,
    calls: &'c Calls<'a>,
    depth: usize,
}

impl<'t> Computed<'t> {
    pub fn new(terms: &'t Terms, theory: &'t Theory) -> Computed<'t> {
        let definitions = theory.definitions.iter().map(|d| (d.function, d)).collect();
        Computed { terms, definitions }
    }

    /// The functions from arrays and then whole numbers, or from one number, to whole numbers, with
    /// how many of each they take.
    pub fn of_numbers(&self) -> Vec<(Function, usize, usize)> {
        let mut found: Vec<(Function, usize, usize)> = Vec::new();
        for function in self.definitions.keys() {
            let signature = self.terms.signature(*function);
            let arrays =
                signature.arguments.iter().take_while(|s| matches!(s, Sort::Array(_))).count();
            let rest = &signature.arguments[arrays..];
            let is_plain = rest.iter().all(|sort| *sort == Sort::Int);
            let is_asked = arrays > 0 && !rest.is_empty() || rest.len() == 1;
            if is_asked && is_plain && signature.result == Sort::Int {
                found.push((*function, arrays, rest.len()));
            }
        }
        found.sort_unstable_by_key(|(function, ..)| self.terms.signature(*function).name.clone());
        found
    }

    /// `None` if it is not defined there, reads outside of an array, or takes too long.
    pub fn apply(&self, function: Function, arguments: &[Value<'_>]) -> Option<i128> {
        match self.call(function, arguments.to_vec(), &Calls::default(), DEEPEST)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Whether a formula holds.
    pub fn holds(&self, formula: Term, values: &Values<'_>) -> Option<bool> {
        self.truth(formula, &Inside { values, calls: &Calls::default(), depth: DEEPEST })
    }

    fn call<'a>(
        &self,
        function: Function,
        arguments: Vec<Value<'a>>,
        calls: &Calls<'a>,
        depth: usize,
    ) -> Option<Value<'a>> {
        let key = (function, arguments.iter().map(Value::key).collect());
        if let Some(known) = calls.borrow().get(&key) {
            return *known;
        }
        let definition = self.definitions.get(&function)?;
        let values = definition.parameters.iter().copied().zip(arguments).collect();
        let value = self.value(definition.body, &Inside { values: &values, calls, depth });
        calls.borrow_mut().insert(key, value);
        value
    }

    fn number(&self, term: Term, inside: &Inside<'_, '_>) -> Option<i128> {
        match self.value(term, inside)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn truth(&self, term: Term, inside: &Inside<'_, '_>) -> Option<bool> {
        match self.value(term, inside)? {
            Value::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    fn value<'a>(&self, term: Term, inside: &Inside<'_, 'a>) -> Option<Value<'a>> {
        let Inside { values, calls, .. } = *inside;
        let inner = Inside { depth: inside.depth.checked_sub(1)?, ..*inside };
        let number = |term: Term| self.number(term, &inner);
        let truth = |term: Term| self.truth(term, &inner);
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
                self.value(*branch, &inner)?
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
                let Value::Array(elements) = self.value(*array, &inner)? else {
                    return None;
                };
                Value::Number(*elements.get(usize::try_from(number(*index)?).ok()?)?)
            }
            Node::Apply(function, arguments) => {
                let arguments: Option<Vec<Value<'a>>> =
                    arguments.iter().map(|argument| self.value(*argument, &inner)).collect();
                self.call(*function, arguments?, calls, inner.depth)?
            }
            _ => return None,
        })
    }
}
