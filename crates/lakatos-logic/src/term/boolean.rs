//! Booleans: conjunction and disjunction as sorted sets, negation pushed to the atoms.

use std::collections::BTreeSet;

use super::{Node, Quantifier, Sort, Symbol, Term, Terms};

/// `And` or `Or`: what the other one does with the roles of true and false exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

impl Junction {
    fn neutral(self) -> Term {
        match self {
            Junction::And => Term::TRUE,
            Junction::Or => Term::FALSE,
        }
    }

    fn absorbing(self) -> Term {
        match self {
            Junction::And => Term::FALSE,
            Junction::Or => Term::TRUE,
        }
    }
}

impl Terms {
    pub fn bool(&self, value: bool) -> Term {
        match value {
            true => Term::TRUE,
            false => Term::FALSE,
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::And, operands)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::Or, operands)
    }

    fn junction(&mut self, kind: Junction, operands: impl IntoIterator<Item = Term>) -> Term {
        let mut flat = Vec::new();
        for operand in operands {
            debug_assert_eq!(self.sort(operand), Sort::Bool);
            match (self.node(operand), kind) {
                (Node::And(inner), Junction::And) | (Node::Or(inner), Junction::Or) => {
                    flat.extend_from_slice(inner);
                }
                _ if operand == kind.neutral() => {}
                _ if operand == kind.absorbing() => return operand,
                _ => flat.push(operand),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if self.has_complements(&flat) {
            return kind.absorbing();
        }
        match flat[..] {
            [] => kind.neutral(),
            [single] => single,
            _ if kind == Junction::And => self.intern(Node::And(flat.into()), Sort::Bool),
            _ => self.intern(Node::Or(flat.into()), Sort::Bool),
        }
    }

    /// Whether a sorted list holds a term together with its (already known) negation.
    fn has_complements(&self, sorted: &[Term]) -> bool {
        sorted.iter().any(|t| match self.node(*t) {
            Node::Not(inner) => sorted.binary_search(inner).is_ok(),
            _ => self.negations.get(t).is_some_and(|n| sorted.binary_search(n).is_ok()),
        })
    }

    pub fn not(&mut self, term: Term) -> Term {
        debug_assert_eq!(self.sort(term), Sort::Bool);
        if let Some(&known) = self.negations.get(&term) {
            return known;
        }
        // Parts have smaller ids: negate them first, in that order, and no call is nested.
        for part in self.negatable_parts(term) {
            if !self.negations.contains_key(&part) {
                let negation = self.negate(part);
                self.negations.insert(part, negation);
                // Two terms that mean the same may have one negation; the first stays its own.
                self.negations.entry(negation).or_insert(part);
            }
        }
        self.negations[&term]
    }

    /// `term` and everything below it that negation is pushed to, parts first.
    fn negatable_parts(&self, term: Term) -> Vec<Term> {
        let mut found = super::TermSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if self.negations.contains_key(&t) || !found.insert(t) {
                continue;
            }
            match self.node(t) {
                Node::And(parts) | Node::Or(parts) => open.extend_from_slice(parts),
                Node::Ite(_, a, b) => open.extend([*a, *b]),
                _ => {}
            }
        }
        found.sorted()
    }

    /// The negation of a term whose parts have theirs in the table.
    fn negate(&mut self, term: Term) -> Term {
        match self.node(term).clone() {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            Node::And(parts) => {
                let negated: Vec<Term> = parts.iter().map(|p| self.negations[p]).collect();
                self.or(negated)
            }
            Node::Or(parts) => {
                let negated: Vec<Term> = parts.iter().map(|p| self.negations[p]).collect();
                self.and(negated)
            }
            Node::Ite(c, a, b) => {
                let (a, b) = (self.negations[&a], self.negations[&b]);
                self.ite(c, a, b)
            }
            Node::NonPositive(number) if self.sort(number) == Sort::Int => {
                let one = self.int(1);
                self.le(one, number)
            }
            _ => self.intern(Node::Not(term), Sort::Bool),
        }
    }

    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let negated = self.not(premise);
        self.or([negated, conclusion])
    }

    /// `a` and `b` have one sort, whichever.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        match self.sort(a) {
            _ if a == b => Term::TRUE,
            Sort::Int | Sort::Real => self.eq_numbers(a, b),
            Sort::Bool => self.iff(a, b),
            Sort::BitVec(_) => self.eq_bitvecs(a, b),
            Sort::Array(_) => self.intern(Node::Eq(a.min(b), a.max(b)), Sort::Bool),
        }
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        match (a, b) {
            _ if a == b => Term::TRUE,
            (Term::TRUE, other) | (other, Term::TRUE) => other,
            (Term::FALSE, other) | (other, Term::FALSE) => self.not(other),
            _ => self.iff_unknown(a, b),
        }
    }

    /// One form for `a <=> b`, `not a <=> not b` and the negation of `a <=> not b`: the older
    /// polarity of both sides.
    fn iff_unknown(&mut self, a: Term, b: Term) -> Term {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let opposite = (not_a < a) != (not_b < b);
        let (a, b) = (a.min(not_a), b.min(not_b));
        let equal = match a == b {
            true => Term::TRUE,
            false => self.intern(Node::Eq(a.min(b), a.max(b)), Sort::Bool),
        };
        if opposite { self.not(equal) } else { equal }
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.iff(a, b);
        self.not(equal)
    }

    /// If-then-else of any sort.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(then), self.sort(otherwise));
        match condition {
            Term::TRUE => return then,
            Term::FALSE => return otherwise,
            _ if then == otherwise => return then,
            _ => {}
        }
        // One of the two polarities: the older one.
        let negated = self.not(condition);
        let (condition, then, otherwise) = match negated < condition {
            true => (negated, otherwise, then),
            false => (condition, then, otherwise),
        };
        // A branch that decides the same condition again has decided it already.
        let then = match *self.node(then) {
            Node::Ite(c, a, _) if c == condition => a,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            Node::Ite(c, _, b) if c == condition => b,
            _ => otherwise,
        };
        match self.sort(then) {
            _ if then == otherwise => then,
            Sort::Bool => self.bool_ite(condition, then, otherwise),
            sort => self.intern(Node::Ite(condition, then, otherwise), sort),
        }
    }

    fn bool_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let negated = self.not(condition);
        match (then, otherwise) {
            (Term::TRUE, _) => self.or([condition, otherwise]),
            (Term::FALSE, _) => self.and([negated, otherwise]),
            (_, Term::TRUE) => self.or([negated, then]),
            (_, Term::FALSE) => self.and([condition, then]),
            _ if then == condition => self.or([condition, otherwise]),
            _ if then == negated => self.and([negated, otherwise]),
            _ if otherwise == condition => self.and([condition, then]),
            _ if otherwise == negated => self.or([negated, then]),
            _ if self.not(then) == otherwise => self.iff(condition, then),
            _ => self.intern(Node::Ite(condition, then, otherwise), Sort::Bool),
        }
    }

    pub fn quantified(&mut self, quantifier: Quantifier, symbols: &[Symbol], body: Term) -> Term {
        let free = self.free_symbols(body);
        let mut bound: Vec<Symbol> = symbols.iter().copied().filter(|s| free.contains(s)).collect();
        bound.sort_unstable();
        bound.dedup();
        if bound.is_empty() {
            return body;
        }
        let rest = free.into_iter().filter(|s| bound.binary_search(s).is_err()).collect();
        let term = self.intern(Node::Quantified(quantifier, bound.into(), body), Sort::Bool);
        self.free.entry(term).or_insert(rest);
        term
    }

    /// The formulas that a formula is a Boolean combination of, in order.
    pub fn atoms(&self, formula: Term) -> Vec<Term> {
        let mut atoms = Vec::new();
        let mut open = vec![formula];
        let mut seen = BTreeSet::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Not(inner) => open.push(*inner),
                Node::And(parts) | Node::Or(parts) => open.extend(parts.iter().rev()),
                Node::Ite(c, a, b) => open.extend([*b, *a, *c]),
                Node::Eq(a, b) if self.sort(*a) == Sort::Bool => open.extend([*b, *a]),
                _ => atoms.push(term),
            }
        }
        atoms
    }

    /// The conjuncts of a formula; those of `true` are none.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.node(formula) {
            Node::And(parts) => parts.to_vec(),
            Node::Bool(true) => Vec::new(),
            _ => vec![formula],
        }
    }

    /// The disjuncts of a formula; those of `false` are none.
    pub fn disjuncts(&self, formula: Term) -> Vec<Term> {
        match self.node(formula) {
            Node::Or(parts) => parts.to_vec(),
            Node::Bool(false) => Vec::new(),
            _ => vec![formula],
        }
    }
}
