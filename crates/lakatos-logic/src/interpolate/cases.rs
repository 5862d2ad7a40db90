//! Disjunctions by cases: interpolants of the cases make interpolants of the whole. Above the node
//! that is split they are joined by `or`, elsewhere by `and`.

use rustc_hash::FxHashMap;

use super::farkas::{self, Part};
use super::{Problem, tidy};
use crate::number::Int;
use crate::smt::Smt;
use crate::term::{Node, Sort, Term, Terms};

/// Give up beyond so many cases: other strategies are made for many.
const CASES: usize = 64;

/// Candidates by certificates; `None` where the problem is beyond them.
pub(super) fn interpolate(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let parts: Vec<Part> = (0..problem.len())
        .flat_map(|node| {
            terms.conjuncts(problem.formulas()[node]).into_iter().map(move |c| (node, c))
        })
        .collect();
    Search { terms, smt, problem, cases: 0 }.solve(parts)
}

struct Search<'a> {
    terms: &'a mut Terms,
    smt: &'a mut Smt,
    problem: &'a Problem,
    cases: usize,
}

impl Search<'_> {
    fn solve(&mut self, parts: Vec<Part>) -> Option<Vec<Term>> {
        let needed = self.needed(parts)?;
        let Some(at) = needed.iter().position(|(_, t)| self.alternatives(*t).is_some()) else {
            self.cases += 1;
            return match self.cases <= CASES {
                true => farkas::interpolate(self.terms, self.smt, self.problem, &needed),
                false => None,
            };
        };
        let (node, split) = needed[at];
        let mut joined: Option<Vec<Term>> = None;
        for case in self.alternatives(split)? {
            let mut parts = needed.clone();
            parts.remove(at);
            parts.extend(case.into_iter().flat_map(|c| self.terms.conjuncts(c)).map(|c| (node, c)));
            let candidates = self.solve(parts)?;
            joined = Some(match joined {
                None => candidates,
                Some(others) => self.join(node, &others, &candidates),
            });
        }
        joined
    }

    fn join(&mut self, split: usize, a: &[Term], b: &[Term]) -> Vec<Term> {
        (0..self.problem.len())
            .map(|node| {
                let both = [a[node], b[node]];
                let joined = match self.problem.contains(node, split) {
                    true => self.terms.or(both),
                    false => self.terms.and(both),
                };
                tidy(self.terms, joined)
            })
            .collect()
    }

    /// Parts that contradict each other, with as few to split as can be had cheaply.
    fn needed(&mut self, parts: Vec<Part>) -> Option<Vec<Part>> {
        let mut core = self.core(&parts)?;
        let splits: Vec<Term> =
            core.iter().copied().filter(|t| self.alternatives(*t).is_some()).collect();
        for split in splits {
            let without: Vec<Part> =
                parts.iter().copied().filter(|(_, t)| *t != split && core.contains(t)).collect();
            if core.contains(&split)
                && let Some(fewer) = self.core(&without)
            {
                core = fewer;
            }
        }
        Some(parts.into_iter().filter(|(_, t)| core.contains(t)).collect())
    }

    fn core(&mut self, parts: &[Part]) -> Option<Vec<Term>> {
        let mut assumptions: Vec<Term> = parts.iter().map(|(_, t)| *t).collect();
        assumptions.sort_unstable();
        assumptions.dedup();
        self.smt.core(self.terms, &[], &assumptions).ok()
    }

    /// The cases of a formula that is no literal of linear arithmetic; `None`: it is one.
    fn alternatives(&mut self, formula: Term) -> Option<Vec<Vec<Term>>> {
        match self.terms.node(formula).clone() {
            Node::Or(parts) => Some(parts.iter().map(|p| vec![*p]).collect()),
            Node::Ite(c, a, b) => Some(vec![vec![c, a], vec![self.terms.not(c), b]]),
            Node::Eq(a, b) if self.terms.sort(a) == Sort::Bool => {
                let (na, nb) = (self.terms.not(a), self.terms.not(b));
                Some(vec![vec![a, b], vec![na, nb]])
            }
            Node::Not(inner) => self.negated_alternatives(inner),
            Node::NonPositive(_) | Node::Zero(_) => self.choices(formula),
            _ => None,
        }
    }

    fn negated_alternatives(&mut self, formula: Term) -> Option<Vec<Vec<Term>>> {
        match *self.terms.node(formula) {
            Node::Eq(a, b) if self.terms.sort(a) == Sort::Bool => {
                let (na, nb) = (self.terms.not(a), self.terms.not(b));
                Some(vec![vec![a, nb], vec![na, b]])
            }
            Node::Zero(number) if self.terms.sort(number) == Sort::Int => {
                let (low, high) = (self.terms.int(-1), self.terms.int(Int::ONE));
                let (less, greater) = (self.terms.le(number, low), self.terms.le(high, number));
                Some(vec![vec![less], vec![greater]])
            }
            _ => None,
        }
    }

    /// An atom with a choice inside: the atom with either branch.
    fn choices(&mut self, atom: Term) -> Option<Vec<Vec<Term>>> {
        let parts = self.terms.parts_first(&[atom]);
        let choice = parts.into_iter().find(|t| matches!(self.terms.node(*t), Node::Ite(..)))?;
        let Node::Ite(condition, a, b) = *self.terms.node(choice) else { unreachable!() };
        let negated = self.terms.not(condition);
        let mut with = |branch| self.terms.replace(atom, &FxHashMap::from_iter([(choice, branch)]));
        let (then, otherwise) = (with(a), with(b));
        Some(vec![vec![condition, then], vec![negated, otherwise]])
    }
}
