//! Arrays: reads over writes are resolved where indices are known to be equal or different.

use super::{Node, Sort, Term, Terms};
use crate::number::Int;

/// So many writes may be passed by one to a smaller index.
const MOST_PASSED: usize = 8;

impl Terms {
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array(sort) = self.sort(array) else { panic!("select from {array:?}") };
        let (index_sort, element) = self.array_parts(sort);
        debug_assert_eq!(self.sort(index), index_sort);
        let mut from = array;
        loop {
            match *self.node(from) {
                Node::ConstArray(_, value) => return value,
                Node::Store(_, at, value) if at == index => return value,
                Node::Store(inner, at, _) if self.are_different(at, index) => from = inner,
                _ => return self.intern(Node::Select(from, index), element),
            }
        }
    }

    /// Whether two terms of one sort differ by a constant.
    fn are_different(&self, a: Term, b: Term) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::BitVec(x, _), Node::BitVec(y, _)) => x != y,
            _ => self.distance(a, b).is_some_and(|distance| !distance.is_zero()),
        }
    }

    /// By how much a number is larger than another one, if that is always the same.
    fn distance(&self, a: Term, b: Term) -> Option<Int> {
        if !self.sort(a).is_numeric() {
            return None;
        }
        let difference = self.sum_of(a).add_scaled(&self.sum_of(b), &Int::NEG_ONE);
        difference.monomials.is_empty().then_some(difference.constant)
    }

    /// Of writes to places that are always apart the one to the smaller index comes first, so that
    /// the same array is the same term (as far as not too many others stand between them).
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        self.store_below(array, index, value, MOST_PASSED)
    }

    fn store_below(&mut self, array: Term, index: Term, value: Term, passed: usize) -> Term {
        let Sort::Array(sort) = self.sort(array) else { panic!("store to {array:?}") };
        debug_assert_eq!((self.sort(index), self.sort(value)), self.array_parts(sort));
        if self.is_there(array, index, value) {
            return array;
        }
        match *self.node(array) {
            Node::Store(inner, at, _) if at == index => {
                self.store_below(inner, index, value, passed)
            }
            Node::Store(inner, at, other)
                if passed > 0 && self.distance(at, index).is_some_and(|d| d > Int::ZERO) =>
            {
                let inner = self.store_below(inner, index, value, passed - 1);
                self.intern(Node::Store(inner, at, other), Sort::Array(sort))
            }
            _ => self.intern(Node::Store(array, index, value), Sort::Array(sort)),
        }
    }

    /// Writing what is there already changes nothing.
    fn is_there(&self, mut array: Term, index: Term, value: Term) -> bool {
        let from = match *self.node(value) {
            Node::Select(from, at) if at == index => Some(from),
            _ => None,
        };
        loop {
            match *self.node(array) {
                _ if from == Some(array) => return true,
                Node::ConstArray(_, element) => return element == value,
                Node::Store(_, at, other) if at == index => return other == value,
                Node::Store(inner, at, _) if from.is_some() && self.are_different(at, index) => {
                    array = inner;
                }
                _ => return false,
            }
        }
    }

    /// The array that holds `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        let Sort::Array(id) = sort else { panic!("not an array sort: {sort:?}") };
        debug_assert_eq!(self.sort(element), self.array_parts(id).1);
        self.intern(Node::ConstArray(id, element), sort)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::number::Int;
    use crate::term::{Assignment, Sort, Term, Terms, Value};

    /// Writes and reads at two numbers, near to each other or not, and what elements are.
    #[derive(Clone, Debug)]
    struct Write {
        base: bool,
        offset: i64,
        /// A number, or what is at another place.
        value: Result<i64, i64>,
    }

    fn write() -> impl Strategy<Value = Write> {
        let value = prop_oneof![(0..4i64).prop_map(Ok), (-2..3i64).prop_map(Err)];
        (any::<bool>(), -2..3i64, value).prop_map(|(base, offset, value)| Write {
            base,
            offset,
            value,
        })
    }

    fn place(terms: &mut Terms, base: bool, offset: i64) -> Term {
        let base = terms.symbol(if base { "i" } else { "j" }, Sort::Int);
        let offset = terms.int(offset);
        terms.add(base, offset)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// However writes are ordered, or left out: reads find what a run would find.
        #[test]
        fn writes_are_what_they_were(
            writes in prop::collection::vec(write(), 0..12),
            i in -3..4i64,
            j in -3..4i64,
        ) {
            let mut terms = Terms::new();
            let sort = terms.array_sort(Sort::Int, Sort::Int);
            let zero = terms.int(0);
            let mut array = terms.const_array(sort, zero);
            let mut elements = std::collections::BTreeMap::new();
            let number = |base: bool, offset: i64| if base { i + offset } else { j + offset };
            for Write { base, offset, value } in writes {
                let at = place(&mut terms, base, offset);
                let (term, element) = match value {
                    Ok(value) => (terms.int(value), value),
                    Err(from) => {
                        let place = place(&mut terms, base, from);
                        let found = elements.get(&number(base, from)).copied().unwrap_or(0);
                        (terms.select(array, place), found)
                    }
                };
                array = terms.store(array, at, term);
                elements.insert(number(base, offset), element);
            }
            let mut values = Assignment::default();
            for (name, value) in [("i", i), ("j", j)] {
                let symbol = terms.symbol(name, Sort::Int);
                let symbol = terms.as_symbol(symbol).expect("it is one");
                values.symbols.insert(symbol, Value::Int(Int::from(value)));
            }
            for (base, offset) in [true, false].into_iter().flat_map(|b| (-4..5).map(move |o| (b, o))) {
                let at = place(&mut terms, base, offset);
                let read = terms.select(array, at);
                let element = elements.get(&number(base, offset)).copied().unwrap_or(0);
                prop_assert_eq!(terms.evaluate(read, &values), Some(Value::Int(Int::from(element))));
            }
        }
    }

    /// Neighbours that are exchanged in one order or the other; writing what is there.
    #[test]
    fn the_same_array_is_the_same_term() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::Int, Sort::Int);
        let (a, x) = (terms.symbol("a", sort), terms.symbol("x", Sort::Int));
        let (i, next) = (place(&mut terms, true, 0), place(&mut terms, true, 1));
        let (one, two) = (terms.store(a, i, x), terms.store(a, next, x));
        let other = terms.select(a, i);
        let (one, two) = (terms.store(one, next, other), terms.store(two, i, other));
        assert_ne!(one, two, "x is at another place");
        let (there, back) = (terms.store(a, next, other), terms.store(a, i, x));
        assert_eq!(terms.store(there, i, x), terms.store(back, next, other));
        let own = terms.select(a, next);
        assert_eq!(terms.store(back, next, own), back);
    }
}
