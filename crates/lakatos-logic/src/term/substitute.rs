//! Terms with other terms in the place of some of their parts. Everything is rebuilt with the
//! constructors, parts first; quantifiers open scopes, which wait on a stack.

use rustc_hash::FxHashMap;

use super::{Node, Parts, Quantifier, Relation, Sort, Sum, Symbol, Term, TermSet, Terms};
use crate::number::Int;

/// A walk through the terms that one quantifier (or none) binds.
struct Scope {
    /// What is replaced in here.
    map: FxHashMap<Term, Term>,
    /// What the terms met so far became.
    done: FxHashMap<Term, Term>,
    /// The terms to rebuild, parts first.
    order: Vec<Term>,
    next: usize,
    quantifier: Option<Binder>,
}

/// The quantified formula that a scope is the body of, with the names of its symbols in there.
struct Binder {
    whole: Term,
    quantifier: Quantifier,
    bound: Vec<Symbol>,
    body: Term,
}

impl Terms {
    /// `term` with terms for free symbols, all at once. Bound symbols are renamed where they would
    /// capture a symbol of a new term.
    pub fn substitute(&mut self, term: Term, map: &FxHashMap<Symbol, Term>) -> Term {
        self.substitute_all(&[term], map)[0]
    }

    pub fn substitute_all(&mut self, roots: &[Term], map: &FxHashMap<Symbol, Term>) -> Vec<Term> {
        let map = map.iter().map(|(symbol, to)| (self.symbol_term(*symbol), *to)).collect();
        self.replace_all(roots, &map)
    }

    /// `term` with other terms for some of its parts, all at once and the outermost first. A part
    /// is what [`Node::parts`] says: `x + y` is no part of `x + y + z`. Below a quantifier only
    /// parts without bound symbols are meant, and nothing is captured.
    pub fn replace(&mut self, term: Term, map: &FxHashMap<Term, Term>) -> Term {
        self.replace_all(&[term], map)[0]
    }

    pub fn replace_all(&mut self, roots: &[Term], map: &FxHashMap<Term, Term>) -> Vec<Term> {
        debug_assert!(map.iter().all(|(from, to)| self.sort(*from) == self.sort(*to)));
        let mut scopes = vec![self.scope(roots, map.clone(), None)];
        loop {
            let scope = scopes.last_mut().expect("ends with the outermost scope");
            let Some(&term) = scope.order.get(scope.next) else {
                let Scope { done, quantifier, .. } = scopes.pop().expect("just seen");
                let Some(binder) = quantifier else {
                    return roots.iter().map(|root| done[root]).collect();
                };
                let body = done[&binder.body];
                let new = self.quantified(binder.quantifier, &binder.bound, body);
                let outer = scopes.last_mut().expect("a binder has a scope around it");
                outer.done.insert(binder.whole, new);
                continue;
            };
            scope.next += 1;
            if matches!(self.node(term), Node::Quantified(..)) {
                match self.enter(term, &scope.map) {
                    Some(inner) => scopes.push(inner),
                    None => drop(scope.done.insert(term, term)),
                }
            } else {
                let new = self.rebuild(term, |part| scope.done[&part]);
                scope.done.insert(term, new);
            }
        }
    }

    fn scope(
        &self,
        roots: &[Term],
        map: FxHashMap<Term, Term>,
        quantifier: Option<Binder>,
    ) -> Scope {
        let mut found = TermSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if map.contains_key(&term) || !found.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Quantified(..) => {}
                node => open.extend(node.parts()),
            }
        }
        Scope { done: map.clone(), map, order: found.sorted(), next: 0, quantifier }
    }

    /// The scope of a quantified formula's body; `None`: nothing is replaced in there.
    fn enter(&mut self, whole: Term, map: &FxHashMap<Term, Term>) -> Option<Scope> {
        let Node::Quantified(quantifier, ref bound, body) = *self.node(whole) else { return None };
        let mut bound = bound.to_vec();
        let mut inner: FxHashMap<Term, Term> =
            map.iter().filter(|(from, _)| self.is_free_in(**from, whole)).map(copied).collect();
        if inner.is_empty() {
            return None;
        }
        let new: Vec<Term> = inner.values().copied().collect();
        let captured = self.free_symbols_of(&new);
        for symbol in bound.iter_mut().filter(|s| captured.contains(s)) {
            let old = self.symbol_term(*symbol);
            let name = self.symbol_name(*symbol).to_string();
            let fresh = self.fresh(&name, self.symbol_sort(*symbol));
            *symbol = self.as_symbol(fresh).expect("a fresh symbol is a symbol");
            inner.insert(old, fresh);
        }
        Some(self.scope(&[body], inner, Some(Binder { whole, quantifier, bound, body })))
    }

    /// Whether all free symbols of `term` are free in the quantified formula `whole`.
    fn is_free_in(&self, term: Term, whole: Term) -> bool {
        let free = &self.free[&whole];
        self.free_symbols(term).iter().all(|symbol| free.binary_search(symbol).is_ok())
    }

    /// The term made of new parts with the constructor of the old one. It replaces the body of a
    /// quantified formula as it stands: [`Terms::replace`] is the one that knows of capture.
    pub fn rebuild(&mut self, term: Term, part: impl Fn(Term) -> Term) -> Term {
        let old = self.node(term).parts();
        let new: Parts = old.iter().map(|p| part(*p)).collect();
        match new == old {
            true => term,
            false => {
                let (node, sort) = (self.node(term).clone(), self.sort(term));
                self.with_parts(&node, sort, &new)
            }
        }
    }

    /// The term that a node stands for when its parts are these. The node and its sort are of this
    /// arena, what it has as parts does not matter.
    pub(super) fn with_parts(&mut self, node: &Node, sort: Sort, parts: &[Term]) -> Term {
        match (node, parts) {
            (Node::And(_), _) => self.and(parts.iter().copied()),
            (Node::Or(_), _) => self.or(parts.iter().copied()),
            (Node::Apply(function, _), _) => self.apply(*function, parts),
            (Node::Sum(sum), _) => self.sum_with_parts(sum, sort, parts),
            (Node::Product(_), [first, rest @ ..]) => {
                rest.iter().fold(*first, |product, factor| self.mul(product, *factor))
            }
            (Node::Quantified(quantifier, bound, _), &[body]) => {
                self.quantified(*quantifier, bound, body)
            }
            (_, &[a]) => self.with_part(node, sort, a),
            (_, &[a, b]) => self.with_two_parts(node, a, b),
            (Node::Ite(..), &[a, b, c]) => self.ite(a, b, c),
            (Node::Store(..), &[a, b, c]) => self.store(a, b, c),
            (node, _) => unreachable!("{node:?} has no parts like {parts:?}"),
        }
    }

    fn sum_with_parts(&mut self, old: &Sum, sort: Sort, parts: &[Term]) -> Term {
        let mut scaled = vec![(Sum::constant(old.constant.clone()), Int::ONE)];
        for ((_, coefficient), part) in old.monomials.iter().zip(parts) {
            scaled.push((self.sum_of(*part), coefficient.clone()));
        }
        let mut sum = Sum::gather(&scaled);
        sum.denominator *= &old.denominator;
        self.sum(sum, sort)
    }

    fn with_part(&mut self, node: &Node, sort: Sort, a: Term) -> Term {
        match *node {
            Node::Not(_) => self.not(a),
            Node::NonPositive(_) => {
                self.compare(Relation::NonPositive, self.sum_of(a), self.sort(a))
            }
            Node::Zero(_) => self.compare(Relation::Zero, self.sum_of(a), self.sort(a)),
            Node::ToReal(_) => self.int_to_real(a),
            Node::BvNot(_) => self.bv_not(a),
            Node::BvNeg(_) => self.bv_neg(a),
            Node::Extract { high, low, .. } => self.extract(high, low, a),
            Node::ZeroExtend(by, _) => self.zero_extend(by, a),
            Node::SignExtend(by, _) => self.sign_extend(by, a),
            Node::BvToInt(_) => self.bv_to_int(a),
            Node::IntToBv(width, _) => self.int_to_bv(width, a),
            Node::ConstArray(..) => self.const_array(sort, a),
            ref node => unreachable!("{node:?} has no single part"),
        }
    }

    fn with_two_parts(&mut self, node: &Node, a: Term, b: Term) -> Term {
        match *node {
            Node::Eq(..) => self.eq(a, b),
            Node::Div(..) => self.div(a, b),
            Node::Mod(..) => self.modulo(a, b),
            Node::BvBinary(op, ..) => self.bv_binary(op, a, b),
            Node::BvCompare(op, ..) => self.bv_compare(op, a, b),
            Node::Concat(..) => self.concat(a, b),
            Node::Select(..) => self.select(a, b),
            ref node => unreachable!("{node:?} has no two parts"),
        }
    }
}

fn copied((from, to): (&Term, &Term)) -> (Term, Term) {
    (*from, *to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(terms: &mut Terms, name: &str) -> (Symbol, Term) {
        let term = terms.symbol(name, Sort::Int);
        (terms.as_symbol(term).expect("a symbol"), term)
    }

    #[test]
    fn all_at_once() {
        let mut terms = Terms::new();
        let ((x, tx), (y, ty)) = (symbol(&mut terms, "x"), symbol(&mut terms, "y"));
        let formula = terms.le(tx, ty);
        let swapped = FxHashMap::from_iter([(x, ty), (y, tx)]);
        let expect = terms.le(ty, tx);
        assert_eq!(terms.substitute(formula, &swapped), expect);
        let six = terms.int(6);
        let expect = terms.le(six, ty);
        assert_eq!(terms.substitute(formula, &FxHashMap::from_iter([(x, six)])), expect);
    }

    /// `exists y. x < y`, and what becomes of it when `x` is replaced.
    #[test]
    fn nothing_is_captured() {
        let mut terms = Terms::new();
        let ((x, tx), (y, ty)) = (symbol(&mut terms, "x"), symbol(&mut terms, "y"));
        let less = terms.lt(tx, ty);
        let some = terms.quantified(Quantifier::Exists, &[y], less);

        // What is bound stays.
        assert_eq!(terms.substitute(some, &FxHashMap::from_iter([(y, tx)])), some);
        let renamed = terms.substitute(some, &FxHashMap::from_iter([(x, ty)]));
        assert_eq!(terms.free_symbols(renamed).into_iter().collect::<Vec<_>>(), [y]);
        let Node::Quantified(_, bound, body) = terms.node(renamed).clone() else { panic!() };
        assert_eq!(bound.len(), 1);
        let fresh = terms.symbol_term(bound[0]);
        let expect = terms.lt(ty, fresh);
        assert_eq!(body, expect);
    }

    #[test]
    fn outermost_first() {
        let mut terms = Terms::new();
        let ((_, x), (_, y)) = (symbol(&mut terms, "x"), symbol(&mut terms, "y"));
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let inner = terms.apply(f, &[x]);
        let outer = terms.apply(f, &[inner]);
        let sum = terms.add(outer, inner);
        let map = FxHashMap::from_iter([(outer, y), (inner, x)]);
        let expect = terms.add(x, y);
        assert_eq!(terms.replace(sum, &map), expect);
    }

    /// A part with a bound symbol is another part than the one outside.
    #[test]
    fn bound_parts_stay() {
        let mut terms = Terms::new();
        let ((x, tx), (_, y)) = (symbol(&mut terms, "x"), symbol(&mut terms, "y"));
        let f = terms.function("f", &[Sort::Int], Sort::Int);
        let (fx, fy) = (terms.apply(f, &[tx]), terms.apply(f, &[y]));
        let equal = terms.eq(fx, fy);
        let all = terms.quantified(Quantifier::Forall, &[x], equal);
        assert_eq!(terms.replace(all, &FxHashMap::from_iter([(fx, y)])), all);
        let replaced = terms.replace(all, &FxHashMap::from_iter([(fy, y)]));
        let equal = terms.eq(fx, y);
        let expect = terms.quantified(Quantifier::Forall, &[x], equal);
        assert_eq!(replaced, expect);
    }
}
