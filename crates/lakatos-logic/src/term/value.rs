//! Concrete values, and assignments of them to symbols.

use std::collections::{BTreeMap, BTreeSet};

use super::{ArraySort, Function, Sort, Symbol, Terms};
use crate::number::{Int, Rational};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(Int),
    Real(Rational),
    /// The unsigned value, and the width.
    BitVec(Int, u32),
    Array(Box<ArrayValue>),
}

/// A table with a default; no entry holds the default. Over infinitely many indices equal arrays
/// are equal values; over bits or booleans they may differ in what is the default:
/// [`Value::same`] is the equality of the logic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    pub sort: ArraySort,
    pub entries: BTreeMap<Value, Value>,
    pub default: Value,
}

/// What a model says of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionValue {
    pub entries: BTreeMap<Vec<Value>, Value>,
    pub default: Value,
}

/// Values of symbols and functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    pub symbols: BTreeMap<Symbol, Value>,
    pub functions: BTreeMap<Function, FunctionValue>,
}

impl Value {
    /// Zero of a sort: what a symbol without a value may be taken to be.
    pub fn zero(terms: &Terms, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::ZERO),
            Sort::Real => Value::Real(Rational::ZERO),
            Sort::BitVec(width) => Value::BitVec(Int::ZERO, width),
            Sort::Array(sort) => Value::Array(Box::new(ArrayValue {
                sort,
                entries: BTreeMap::new(),
                default: Value::zero(terms, terms.array_parts(sort).1),
            })),
        }
    }

    /// Equality of values of one sort.
    pub fn same(&self, other: &Value, terms: &Terms) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => a.same(b, terms),
            _ => self == other,
        }
    }
}

impl ArrayValue {
    pub fn get(&self, terms: &Terms, index: &Value) -> &Value {
        self.key(terms, index).map_or(&self.default, |key| &self.entries[key])
    }

    pub fn set(&mut self, terms: &Terms, index: Value, element: Value) {
        let index = self.key(terms, &index).cloned().unwrap_or(index);
        match element.same(&self.default, terms) {
            true => self.entries.remove(&index),
            false => self.entries.insert(index, element),
        };
    }

    /// The key of the entry of an index.
    fn key(&self, terms: &Terms, index: &Value) -> Option<&Value> {
        match index {
            Value::Array(_) => self.entries.keys().find(|key| key.same(index, terms)),
            _ => self.entries.get_key_value(index).map(|(key, _)| key),
        }
    }

    fn same(&self, other: &ArrayValue, terms: &Terms) -> bool {
        let mut keys: BTreeSet<&Value> = self.entries.keys().collect();
        keys.extend(other.entries.keys().filter(|key| self.key(terms, key).is_none()));
        keys.iter().all(|key| self.get(terms, key).same(other.get(terms, key), terms))
            && (self.default.same(&other.default, terms) || self.has_as_many(keys.len(), terms))
    }

    /// Whether the array has no more than so many indices.
    fn has_as_many(&self, keys: usize, terms: &Terms) -> bool {
        cardinality(terms, terms.array_parts(self.sort).0).is_some_and(|all| all <= keys)
    }
}

/// How many values a sort has; `None`: more than any table.
fn cardinality(terms: &Terms, sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(2),
        Sort::Int | Sort::Real => None,
        Sort::BitVec(width) => 1usize.checked_shl(width),
        Sort::Array(sort) => {
            let (index, element) = terms.array_parts(sort);
            let indices = u32::try_from(cardinality(terms, index)?).ok()?;
            cardinality(terms, element)?.checked_pow(indices)
        }
    }
}

impl FunctionValue {
    pub fn get(&self, terms: &Terms, arguments: &[Value]) -> &Value {
        let has_arrays = arguments.iter().any(|a| matches!(a, Value::Array(_)));
        let found = match has_arrays {
            false => self.entries.get(arguments),
            true => {
                let same = |key: &[Value]| key.iter().zip(arguments).all(|(a, b)| a.same(b, terms));
                self.entries.iter().find(|(key, _)| same(key)).map(|(_, value)| value)
            }
        };
        found.unwrap_or(&self.default)
    }
}
