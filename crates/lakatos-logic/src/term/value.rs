//! Concrete values, and assignments of them to symbols.

use std::collections::BTreeMap;

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

/// A table with a default; no entry holds the default, so equal arrays are equal values.
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
}
