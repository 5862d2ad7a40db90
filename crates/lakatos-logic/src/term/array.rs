//! Arrays: reads over writes are resolved where indices are known to be equal or different.

use super::{Node, Sort, Term, Terms};
use crate::number::Int;

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
            _ if self.sort(a).is_numeric() => {
                let difference = self.sum_of(a).add_scaled(&self.sum_of(b), &Int::NEG_ONE);
                difference.monomials.is_empty() && !difference.constant.is_zero()
            }
            _ => false,
        }
    }

    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let Sort::Array(sort) = self.sort(array) else { panic!("store to {array:?}") };
        debug_assert_eq!((self.sort(index), self.sort(value)), self.array_parts(sort));
        let array = match *self.node(array) {
            Node::Store(inner, at, _) if at == index => inner,
            _ => array,
        };
        // Writing what is there already changes nothing.
        match *self.node(value) {
            Node::Select(from, at) if from == array && at == index => array,
            _ => match *self.node(array) {
                Node::ConstArray(_, element) if element == value => array,
                _ => self.intern(Node::Store(array, index, value), Sort::Array(sort)),
            },
        }
    }

    /// The array that holds `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        let Sort::Array(id) = sort else { panic!("not an array sort: {sort:?}") };
        debug_assert_eq!(self.sort(element), self.array_parts(id).1);
        self.intern(Node::ConstArray(id, element), sort)
    }
}
