//! Values of terms under an assignment, and terms of values.
//!
//! A value is `None` where it depends on something that has none: a symbol the assignment does not
//! mention, a division by zero, a quantifier. `false and unknown` is `false`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{ArrayValue, Assignment, Node, Sort, Sum, Term, Terms, Value};
use crate::number::{
    Int, Rational, div_euclid, power_of_two, rem_euclid, to_signed, wrap_unsigned,
};

/// The values of the terms below the one that is asked for.
struct Values<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    known: FxHashMap<Term, Known>,
}

struct Known {
    value: Option<Value>,
    /// How often it is still needed: the last user may take it, so that a long chain of stores
    /// changes one array instead of copying each.
    uses: u32,
}

impl Terms {
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Option<Value> {
        let order = self.parts_first(&[term]);
        let mut values = Values { terms: self, assignment, known: FxHashMap::default() };
        for part in &order {
            for used in self.node(*part).parts() {
                values.known.get_mut(&used).expect("parts come first").uses += 1;
            }
            values.known.insert(*part, Known { value: None, uses: 0 });
        }
        for part in order {
            let value = values.value(part);
            values.known.get_mut(&part).expect("inserted above").value = value;
        }
        values.known.remove(&term)?.value
    }

    /// Whether a formula is true under an assignment.
    pub fn holds(&self, formula: Term, assignment: &Assignment) -> Option<bool> {
        match self.evaluate(formula, assignment)? {
            Value::Bool(value) => Some(value),
            other => unreachable!("{formula:?} is no formula: {other:?}"),
        }
    }

    /// The term of a value.
    pub fn constant(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Int(value) => self.int(value.clone()),
            Value::Real(value) => self.real(value.clone()),
            Value::BitVec(value, width) => self.bv(value.clone(), *width),
            Value::Array(array) => {
                let default = self.constant(&array.default);
                let mut term = self.const_array(Sort::Array(array.sort), default);
                for (index, element) in &array.entries {
                    let (index, element) = (self.constant(index), self.constant(element));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    /// The value of a term that is a constant.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        match self.node(term) {
            Node::Bool(value) => Some(Value::Bool(*value)),
            Node::Int(value) => Some(Value::Int(value.clone())),
            Node::Real(value) => Some(Value::Real(value.clone())),
            Node::BitVec(value, width) => Some(Value::BitVec(value.clone(), *width)),
            Node::Store(..) | Node::ConstArray(..) => self.evaluate(term, &Assignment::default()),
            _ => None,
        }
    }
}

impl Values<'_> {
    fn get(&self, term: Term) -> Option<&Value> {
        self.known[&term].value.as_ref()
    }

    /// The value for its user, which is the last one more often than not.
    fn take(&mut self, term: Term) -> Option<Value> {
        let known = self.known.get_mut(&term).expect("parts come first");
        match known.uses {
            1 => known.value.take(),
            _ => known.value.clone(),
        }
    }

    /// The value of a term whose parts have been met.
    fn value(&mut self, term: Term) -> Option<Value> {
        let value = match *self.terms.node(term) {
            Node::Store(array, index, element) => self.store(array, index, element),
            Node::Ite(condition, then, otherwise) => self.choice(condition, then, otherwise),
            _ => self.simple(term),
        };
        for part in self.terms.node(term).parts() {
            self.known.get_mut(&part).expect("parts come first").uses -= 1;
        }
        value
    }

    /// The value of a term that keeps none of its parts' values.
    fn simple(&self, term: Term) -> Option<Value> {
        match self.terms.node(term) {
            Node::Symbol(symbol) => self.assignment.symbols.get(symbol).cloned(),
            Node::Apply(function, arguments) => {
                let arguments: Option<Vec<Value>> =
                    arguments.iter().map(|a| self.get(*a).cloned()).collect();
                let table = self.assignment.functions.get(function)?;
                Some(table.get(self.terms, &arguments?).clone())
            }
            Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Eq(..)
            | Node::NonPositive(_)
            | Node::Zero(_)
            | Node::BvCompare(..) => self.truth(term).map(Value::Bool),
            Node::Sum(_) | Node::Product(_) | Node::ToReal(_) => self.number(term),
            Node::Div(..) | Node::Mod(..) | Node::BvToInt(_) => self.integer(term).map(Value::Int),
            Node::Select(array, index) => match self.get(*array)? {
                Value::Array(array) => Some(array.get(self.terms, self.get(*index)?).clone()),
                other => unreachable!("select from {other:?}"),
            },
            Node::ConstArray(sort, element) => Some(Value::Array(Box::new(ArrayValue {
                sort: *sort,
                entries: BTreeMap::new(),
                default: self.get(*element)?.clone(),
            }))),
            Node::Quantified(..) => None,
            Node::Bool(_) | Node::Int(_) | Node::Real(_) | Node::BitVec(..) => {
                self.terms.as_value(term)
            }
            _ => self.bits(term),
        }
    }

    fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Value> {
        match self.get(condition) {
            Some(Value::Bool(true)) => self.take(then),
            Some(Value::Bool(false)) => self.take(otherwise),
            Some(other) => unreachable!("a condition is {other:?}"),
            None if self.get(then)?.same(self.get(otherwise)?, self.terms) => self.take(then),
            None => None,
        }
    }

    fn store(&mut self, array: Term, index: Term, element: Term) -> Option<Value> {
        let (index, element) = (self.get(index)?.clone(), self.get(element)?.clone());
        match self.take(array)? {
            Value::Array(mut array) => {
                array.set(self.terms, index, element);
                Some(Value::Array(array))
            }
            other => unreachable!("store to {other:?}"),
        }
    }

    fn bool(&self, term: Term) -> Option<bool> {
        match self.get(term)? {
            Value::Bool(value) => Some(*value),
            other => unreachable!("{term:?} is {other:?}"),
        }
    }

    fn truth(&self, term: Term) -> Option<bool> {
        match self.terms.node(term) {
            Node::Not(a) => Some(!self.bool(*a)?),
            Node::And(parts) => self.junction(parts, true),
            Node::Or(parts) => self.junction(parts, false),
            Node::Eq(a, b) => Some(self.get(*a)?.same(self.get(*b)?, self.terms)),
            Node::NonPositive(a) => Some(self.sign(*a)? != Ordering::Greater),
            Node::Zero(a) => Some(self.sign(*a)? == Ordering::Equal),
            Node::BvCompare(op, a, b) => {
                let ((a, width), (b, _)) = (self.pattern(*a)?, self.pattern(*b)?);
                Some(op.holds(a, b, width))
            }
            node => unreachable!("{node:?} is no formula"),
        }
    }

    /// `neutral` where all parts are; its opposite where one is, whatever the others.
    fn junction(&self, parts: &[Term], neutral: bool) -> Option<bool> {
        let mut result = Some(neutral);
        for part in parts {
            match self.bool(*part) {
                Some(value) if value == neutral => {}
                None => result = None,
                decided => return decided,
            }
        }
        result
    }

    fn int(&self, term: Term) -> Option<&Int> {
        match self.get(term)? {
            Value::Int(value) => Some(value),
            other => unreachable!("{term:?} is {other:?}"),
        }
    }

    fn rational(&self, term: Term) -> Option<Rational> {
        match self.get(term)? {
            Value::Int(value) => Some(Rational::from(value.clone())),
            Value::Real(value) => Some(value.clone()),
            other => unreachable!("{term:?} is {other:?}"),
        }
    }

    fn sign(&self, term: Term) -> Option<Ordering> {
        match self.get(term)? {
            Value::Int(value) => Some(value.cmp(&Int::ZERO)),
            Value::Real(value) => Some(value.cmp(&Rational::ZERO)),
            other => unreachable!("{term:?} is {other:?}"),
        }
    }

    fn number(&self, term: Term) -> Option<Value> {
        match (self.terms.node(term), self.terms.sort(term)) {
            (Node::Sum(sum), Sort::Int) => self.int_sum(sum).map(Value::Int),
            (Node::Sum(sum), _) => self.real_sum(sum).map(Value::Real),
            (Node::Product(factors), sort) => self.product(factors, sort),
            (Node::ToReal(a), _) => self.rational(*a).map(Value::Real),
            (node, _) => unreachable!("{node:?} is no number"),
        }
    }

    fn int_sum(&self, sum: &Sum) -> Option<Int> {
        let mut total = sum.constant.clone();
        for (term, coefficient) in &sum.monomials {
            total += self.int(*term)? * coefficient;
        }
        Some(total)
    }

    fn real_sum(&self, sum: &Sum) -> Option<Rational> {
        let mut total = Rational::from(sum.constant.clone());
        for (term, coefficient) in &sum.monomials {
            total += self.rational(*term)? * Rational::from(coefficient.clone());
        }
        Some(total / Rational::from(sum.denominator.clone()))
    }

    /// Zero where a factor is, whatever the others.
    fn product(&self, factors: &[Term], sort: Sort) -> Option<Value> {
        if factors.iter().any(|f| self.sign(*f) == Some(Ordering::Equal)) {
            return Some(Value::zero(self.terms, sort));
        }
        match sort {
            Sort::Int => {
                let factors: Option<Vec<&Int>> = factors.iter().map(|f| self.int(*f)).collect();
                Some(Value::Int(factors?.into_iter().product()))
            }
            _ => {
                let mut product = Rational::ONE;
                for factor in factors {
                    product *= self.rational(*factor)?;
                }
                Some(Value::Real(product))
            }
        }
    }

    fn integer(&self, term: Term) -> Option<Int> {
        match *self.terms.node(term) {
            Node::Div(a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                (!b.is_zero()).then(|| div_euclid(a, b))
            }
            Node::Mod(a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                (!b.is_zero()).then(|| rem_euclid(a, b))
            }
            Node::BvToInt(a) => Some(self.pattern(a)?.0.clone()),
            ref node => unreachable!("{node:?} is no integer"),
        }
    }

    /// The unsigned value of a bit-vector, and its width.
    fn pattern(&self, term: Term) -> Option<(&Int, u32)> {
        match self.get(term)? {
            Value::BitVec(value, width) => Some((value, *width)),
            other => unreachable!("{term:?} is {other:?}"),
        }
    }

    fn bits(&self, term: Term) -> Option<Value> {
        let width = self.terms.width(term);
        let value = match *self.terms.node(term) {
            Node::BvNot(a) => Int::NEG_ONE - self.pattern(a)?.0,
            Node::BvNeg(a) => -self.pattern(a)?.0,
            Node::BvBinary(op, a, b) => op.apply(self.pattern(a)?.0, self.pattern(b)?.0, width),
            Node::Extract { low, of, .. } => self.pattern(of)?.0 >> low as usize,
            Node::Concat(a, b) => {
                let (low, shift) = self.pattern(b)?;
                self.pattern(a)?.0 * power_of_two(shift) + low
            }
            Node::ZeroExtend(_, a) => self.pattern(a)?.0.clone(),
            Node::SignExtend(_, a) => {
                let (value, width) = self.pattern(a)?;
                to_signed(value, width)
            }
            Node::IntToBv(_, a) => self.int(a)?.clone(),
            ref node => unreachable!("{node:?} is no bit-vector"),
        };
        Some(Value::BitVec(wrap_unsigned(&value, width), width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::FunctionValue;

    fn assign(terms: &mut Terms, values: &[(&str, i64)]) -> Assignment {
        let mut assignment = Assignment::default();
        for (name, value) in values {
            let term = terms.symbol(name, Sort::Int);
            let symbol = terms.as_symbol(term).expect("a symbol");
            assignment.symbols.insert(symbol, Value::Int(Int::from(*value)));
        }
        assignment
    }

    /// The value of `make`'s formula over the integers `x` (3), `z` (0) and `u` (unknown).
    fn check(make: impl Fn(&mut Terms, Term, Term) -> Term, expect: Option<bool>) {
        let mut terms = Terms::new();
        let (x, u) = (terms.symbol("x", Sort::Int), terms.symbol("u", Sort::Int));
        let assignment = assign(&mut terms, &[("x", 3), ("z", 0)]);
        let formula = make(&mut terms, x, u);
        assert_eq!(terms.holds(formula, &assignment), expect, "{:?}", terms.node(formula));
    }

    #[test]
    fn unknown_only_where_it_matters() {
        check(|t, x, u| t.le(x, u), None);
        let with_low = |t: &mut Terms, x, u| {
            let two = t.int(2);
            (t.le(x, two), t.le(u, two))
        };
        check(
            |t, x, u| {
                let (low, unknown) = with_low(t, x, u);
                t.and([low, unknown])
            },
            Some(false),
        );
        check(
            |t, x, u| {
                let (low, unknown) = with_low(t, x, u);
                t.or([low, unknown])
            },
            None,
        );
        check(
            |t, x, u| {
                let (low, unknown) = with_low(t, x, u);
                t.implies(low, unknown)
            },
            Some(true),
        );
        check(
            |t, x, u| {
                let (low, unknown) = with_low(t, x, u);
                t.ite(low, unknown, low)
            },
            Some(false),
        );
        check(
            |t, x, u| {
                let two = t.int(2);
                let unknown = t.le(u, two);
                let (above, three) = (t.add(x, two), t.int(5));
                let choice = t.ite(unknown, above, three);
                t.eq(choice, three)
            },
            Some(true),
        );
    }

    #[test]
    fn division_by_zero() {
        check(
            |t, x, _| {
                let z = t.symbol("z", Sort::Int);
                let quotient = t.div(x, z);
                t.le(quotient, x)
            },
            None,
        );
        check(
            |t, x, _| {
                let z = t.symbol("z", Sort::Int);
                let rest = t.modulo(x, z);
                let product = t.mul(rest, z);
                t.le(product, x)
            },
            Some(true),
        );
    }

    #[test]
    fn functions_have_tables() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Int);
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let fx = terms.apply(f, &[x]);
        let (three, seven) = (Value::Int(Int::from(3)), Value::Int(Int::from(7)));
        let mut assignment = assign(&mut terms, &[("x", 3)]);
        assert_eq!(terms.evaluate(fx, &assignment), None);
        let entries = BTreeMap::from([(vec![three], seven.clone())]);
        let table = FunctionValue { entries, default: Value::Int(Int::ZERO) };
        assignment.functions.insert(f, table);
        assert_eq!(terms.evaluate(fx, &assignment), Some(seven));
    }

    #[test]
    fn constants_and_values() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::Int, Sort::BitVec(4));
        let Sort::Array(id) = sort else { unreachable!("an array sort") };
        let array = ArrayValue {
            sort: id,
            entries: BTreeMap::from([(Value::Int(Int::from(-2)), Value::BitVec(Int::from(9), 4))]),
            default: Value::BitVec(Int::ONE, 4),
        };
        for value in [
            Value::Bool(true),
            Value::Int(Int::from(-5)),
            Value::Real(Rational::from_parts(Int::from(-1), 3u8.into())),
            Value::BitVec(Int::from(200), 8),
            Value::Array(Box::new(array)),
        ] {
            let term = terms.constant(&value);
            assert_eq!(terms.as_value(term), Some(value));
        }
        let symbol = terms.symbol("a", sort);
        assert_eq!(terms.as_value(symbol), None);
    }

    /// Two tables of one array: with two indices, the default may be either value.
    #[test]
    fn arrays_are_their_elements() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::Bool, Sort::Int);
        let (zero, one) = (terms.int(0), terms.int(1));
        let (zeros, ones) = (terms.const_array(sort, zero), terms.const_array(sort, one));
        let a = terms.store(zeros, Term::TRUE, one);
        let b = terms.store(ones, Term::FALSE, zero);
        let equal = terms.eq(a, b);
        assert_eq!(terms.holds(equal, &Assignment::default()), Some(true));
        let different = terms.eq(a, zeros);
        assert_eq!(terms.holds(different, &Assignment::default()), Some(false));
    }
}
