//! Problems with parts that are hard to reason about, bits and remainders, seen from far: each such part
//! is a number of which nothing but its range is known. Formulas that contradict each other then do so
//! for whatever the parts are, and interpolants that speak of the numbers speak of the parts. That is
//! often all there is to it: the same bit is asked for twice.

use rustc_hash::FxHashMap;

use super::Problem;
use crate::number::{Int, power_of_two};
use crate::term::{Node, Sort, Symbol, Term, Terms};

/// A problem with symbols for its hard parts, and what they stand for.
pub(super) struct Opaque {
    pub problem: Problem,
    meant: FxHashMap<Symbol, Term>,
}

impl Opaque {
    /// `None`: nothing in it is hard.
    pub fn new(terms: &mut Terms, problem: &Problem) -> Option<Opaque> {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut meant = FxHashMap::default();
        for term in terms.parts_first(problem.formulas()) {
            if is_hard(terms, term) {
                let symbol = terms.symbol(&format!("part {}", map.len()), terms.sort(term));
                meant.insert(terms.as_symbol(symbol)?, term);
                map.insert(term, symbol);
            }
        }
        if map.is_empty() {
            return None;
        }
        let formulas = terms.replace_all(problem.formulas(), &map);
        let formulas = formulas.into_iter().map(|formula| {
            let ranges = ranges(terms, &meant, formula);
            terms.and(ranges.into_iter().chain([formula]))
        });
        let formulas = formulas.collect();
        Some(Opaque { problem: problem.with_formulas(formulas), meant })
    }

    /// What interpolants say of the parts.
    pub fn meant(&self, terms: &mut Terms, interpolants: &[Term]) -> Vec<Term> {
        terms.substitute_all(interpolants, &self.meant)
    }
}

fn is_hard(terms: &Terms, term: Term) -> bool {
    let is_bits = |part: &Term| matches!(terms.sort(*part), Sort::BitVec(_));
    match terms.node(term) {
        Node::BvToInt(_) | Node::Div(..) | Node::Mod(..) => true,
        Node::Eq(a, _) => is_bits(a),
        Node::BvCompare(..) => true,
        _ => false,
    }
}

/// What the numbers in a formula are, whatever the parts are.
fn ranges(terms: &mut Terms, meant: &FxHashMap<Symbol, Term>, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for symbol in terms.free_symbols(formula) {
        let Some(part) = meant.get(&symbol) else { continue };
        let above = match terms.node(*part) {
            Node::BvToInt(of) => match terms.sort(*of) {
                Sort::BitVec(width) => power_of_two(width),
                _ => continue,
            },
            Node::Mod(_, by) => match terms.node(*by) {
                Node::Int(by) if *by > Int::ZERO => by.clone(),
                _ => continue,
            },
            _ => continue,
        };
        let (value, zero, above) = (terms.symbol_term(symbol), terms.int(0), terms.int(above));
        found.push(terms.le(zero, value));
        found.push(terms.lt(value, above));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolate::{Interpolator, Strategy, check};
    use crate::smt::{Limits, Smt};

    fn interpolants(terms: &mut Terms, problem: &Problem) -> Vec<Term> {
        let mut smt = Smt::new(Limits::default());
        let found = Interpolator::new(&mut smt).interpolate(terms, problem, Strategy::Auto);
        let found = found.expect("they contradict each other");
        let all: Vec<Term> = found.iter().copied().chain([Term::FALSE]).collect();
        assert!(check(terms, &mut smt, problem, &all).is_ok(), "{}", terms.smtlib(found[0]));
        found
    }

    /// The same part twice: interpolants speak of it.
    #[test]
    fn parts_as_they_are() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let (six, many) = (terms.int(6), terms.int(64));
        let half = terms.div(x, six);
        let part = terms.modulo(half, many);
        let three = terms.int(3);
        let (small, large) = (terms.le(part, three), terms.lt(three, part));
        let apart = terms.lt(y, part);
        let first = terms.and([apart, large]);
        let problem = Problem::binary(first, small);
        let opaque = Opaque::new(&mut terms, &problem).expect("it is hard");
        let plain = opaque.problem.formulas().to_vec();
        assert!(terms.parts_first(&plain).into_iter().all(|part| !is_hard(&terms, part)));
        let found = interpolants(&mut terms, &problem);
        assert!(terms.parts_first(&found).contains(&part), "{}", terms.smtlib(found[0]));
    }

    /// What a part is matters.
    #[test]
    fn parts_that_have_to_be_looked_at() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let (two, three, zero) = (terms.int(2), terms.int(3), terms.int(0));
        let rest = terms.modulo(x, two);
        let (even, same) = (terms.eq(rest, zero), terms.eq(x, y));
        let first = terms.and([even, same]);
        let last = terms.eq(y, three);
        interpolants(&mut terms, &Problem::binary(first, last));
    }

    #[test]
    fn nothing_is_hard() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let problem = Problem::binary(terms.lt(x, y), terms.lt(y, x));
        assert!(Opaque::new(&mut terms, &problem).is_none());
    }
}
