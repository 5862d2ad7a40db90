//! What can be said about a state at a location: numbers, and the terms that they are the values of.

use std::borrow::Cow;

use lakatos_evidence::{Draft, Meaning};
use lakatos_ir::VarId;
use lakatos_logic::term::{Function, Sort, Term, Terms};

use super::functions::{Computed, Value};
use super::sample::{ELEMENTS, Sample, Samples};

/// A number that a state has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Constant(i128),
    /// A large constant, by its number.
    Parameter(usize),
    Var(VarId),
    Square(VarId),
    Product(Box<Number>, Box<Number>),
    Sum(Vec<Number>),
    /// One minus another one.
    Difference(Box<Number>, Box<Number>),
    /// With something added, by a factor, rounded down.
    Quotient(Box<Number>, i128, i128),
    /// So many times a variable, and a constant.
    Scaled(VarId, i128, i128),
    /// The first element of an array.
    First(VarId),
    /// The element at the value of a variable.
    Element(VarId, VarId),
    /// A function of the user: of arrays, and of other numbers.
    Applied(Function, Vec<Whole>, Vec<Number>),
}

/// All elements of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    Array(VarId),
    /// With another value at an index.
    Replaced {
        array: VarId,
        index: VarId,
        value: VarId,
    },
}

/// Something at an index that stands for any one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Indexed {
    /// The same at every index.
    Number(Number),
    Index,
    Element(VarId, At),
}

/// An index that goes with another one: a multiple of it, a constant, and a number of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct At {
    pub factor: i128,
    pub constant: i128,
    pub number: Option<Number>,
}

impl At {
    pub const SAME: At = At { factor: 1, constant: 0, number: None };
    pub const NEXT: At = At { factor: 1, constant: 1, number: None };
    pub const BEFORE: At = At { factor: 1, constant: -1, number: None };

    /// As far from the last index before a bound as the other one is from zero.
    pub fn mirrored(bound: Number) -> At {
        At { factor: -1, constant: -1, number: Some(bound) }
    }

    pub fn after(number: Number) -> At {
        At { factor: 1, constant: 0, number: Some(number) }
    }
}

/// Values and terms.
pub(super) struct Columns<'a, 'p> {
    pub draft: &'a mut Draft<'p>,
    pub samples: &'a Samples,
    pub computed: &'a Computed<'a>,
    /// The arena of the functions.
    pub functions: &'a Terms,
    /// The index that stands for any one.
    pub index: Term,
}

impl Columns<'_, '_> {
    /// The value in a state, if there is one.
    pub fn value(&self, number: &Number, sample: &Sample) -> Option<i128> {
        Some(match number {
            Number::Constant(value) => *value,
            Number::Parameter(number) => sample.parameters[*number],
            Number::Var(var) => *sample.integers.get(var)?,
            Number::Square(var) => {
                let value = *sample.integers.get(var)?;
                value.checked_mul(value)?
            }
            Number::Product(a, b) => self.value(a, sample)?.checked_mul(self.value(b, sample)?)?,
            Number::Sum(parts) => {
                let mut sum = 0i128;
                for part in parts {
                    sum = sum.checked_add(self.value(part, sample)?)?;
                }
                sum
            }
            Number::Difference(a, b) => {
                self.value(a, sample)?.checked_sub(self.value(b, sample)?)?
            }
            Number::Quotient(of, more, by) => {
                self.value(of, sample)?.checked_add(*more)?.div_euclid(*by)
            }
            Number::Scaled(var, factor, constant) => {
                sample.integers.get(var)?.checked_mul(*factor)?.checked_add(*constant)?
            }
            Number::First(array) => element(sample, *array, 0)?,
            Number::Element(array, var) => element(sample, *array, *sample.integers.get(var)?)?,
            Number::Applied(function, arrays, numbers) => {
                let arrays: Vec<Cow<'_, [i128]>> =
                    arrays.iter().map(|array| elements(sample, array)).collect::<Option<_>>()?;
                let mut arguments: Vec<Value<'_>> =
                    arrays.iter().map(|elements| Value::Array(elements)).collect();
                for number in numbers {
                    let value =
                        self.value(number, sample).filter(|v| *v <= i128::from(ELEMENTS))?;
                    arguments.push(Value::Number(value));
                }
                self.computed.apply(*function, &arguments)?
            }
        })
    }

    /// The value at an index in a state.
    pub fn indexed(&self, indexed: &Indexed, sample: &Sample, index: i128) -> Option<i128> {
        match indexed {
            Indexed::Number(number) => self.value(number, sample),
            Indexed::Index => Some(index),
            Indexed::Element(array, at) => {
                let number = match &at.number {
                    Some(number) => self.value(number, sample)?,
                    None => 0,
                };
                element(sample, *array, at.factor * index + at.constant + number)
            }
        }
    }

    pub fn term(&mut self, number: &Number) -> Term {
        match number {
            Number::Constant(value) => self.draft.terms().int(*value),
            Number::Parameter(number) => {
                let value = self.samples.parameters[*number];
                self.draft.terms().int(value)
            }
            Number::Var(var) => self.draft.symbol(Meaning::now(*var), Sort::Int),
            Number::Square(var) => {
                let value = self.draft.symbol(Meaning::now(*var), Sort::Int);
                self.draft.terms().mul(value, value)
            }
            Number::Product(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.draft.terms().mul(a, b)
            }
            Number::Sum(parts) => {
                let zero = self.draft.terms().int(0);
                parts.iter().fold(zero, |sum, part| {
                    let part = self.term(part);
                    self.draft.terms().add(sum, part)
                })
            }
            Number::Difference(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.draft.terms().sub(a, b)
            }
            Number::Quotient(of, more, by) => {
                let of = self.term(of);
                let terms = self.draft.terms();
                let (more, by) = (terms.int(*more), terms.int(*by));
                let sum = terms.add(of, more);
                terms.div(sum, by)
            }
            Number::Scaled(var, factor, constant) => {
                let value = self.draft.symbol(Meaning::now(*var), Sort::Int);
                let terms = self.draft.terms();
                let (scaled, constant) =
                    (terms.scale(&(*factor).into(), value), terms.int(*constant));
                terms.add(scaled, constant)
            }
            Number::First(array) => {
                let index = self.draft.terms().int(0);
                self.element(*array, index)
            }
            Number::Element(array, var) => {
                let index = self.draft.symbol(Meaning::now(*var), Sort::Int);
                self.element(*array, index)
            }
            Number::Applied(function, arrays, numbers) => {
                let mut arguments: Vec<Term> =
                    arrays.iter().map(|array| self.whole(array)).collect();
                arguments
                    .extend(numbers.iter().map(|number| self.term(number)).collect::<Vec<_>>());
                let signature = self.functions.signature(*function);
                let terms = self.draft.terms();
                let sorts: Vec<Sort> = arguments.iter().map(|a| terms.sort(*a)).collect();
                let function = terms.function(&signature.name, &sorts, Sort::Int);
                terms.apply(function, &arguments)
            }
        }
    }

    pub fn indexed_term(&mut self, indexed: &Indexed, index: Term) -> Term {
        match indexed {
            Indexed::Number(number) => self.term(number),
            Indexed::Index => index,
            Indexed::Element(array, at) => {
                let number = at.number.as_ref().map(|number| self.term(number));
                let terms = self.draft.terms();
                let (scaled, constant) =
                    (terms.scale(&at.factor.into(), index), terms.int(at.constant));
                let sum = terms.add(scaled, constant);
                let index = number.map_or(sum, |number| terms.add(sum, number));
                self.element(*array, index)
            }
        }
    }

    fn array(&mut self, array: VarId) -> Term {
        let sort = self.draft.terms().array_sort(Sort::Int, Sort::Int);
        self.draft.symbol(Meaning::now(array), sort)
    }

    fn whole(&mut self, whole: &Whole) -> Term {
        match *whole {
            Whole::Array(array) => self.array(array),
            Whole::Replaced { array, index, value } => {
                let array = self.array(array);
                let [index, value] =
                    [index, value].map(|var| self.draft.symbol(Meaning::now(var), Sort::Int));
                self.draft.terms().store(array, index, value)
            }
        }
    }

    fn element(&mut self, array: VarId, index: Term) -> Term {
        let array = self.array(array);
        self.draft.terms().select(array, index)
    }
}

fn elements<'s>(sample: &'s Sample, whole: &Whole) -> Option<Cow<'s, [i128]>> {
    match *whole {
        Whole::Array(array) => Some(sample.arrays.get(&array)?.into()),
        Whole::Replaced { array, index, value } => {
            let mut elements = sample.arrays.get(&array)?.clone();
            let index = usize::try_from(*sample.integers.get(&index)?).ok()?;
            *elements.get_mut(index)? = *sample.integers.get(&value)?;
            Some(elements.into())
        }
    }
}

fn element(sample: &Sample, array: VarId, index: i128) -> Option<i128> {
    sample.arrays.get(&array)?.get(usize::try_from(index).ok()?).copied()
}
