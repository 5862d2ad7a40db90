//! Disjunctions by cases: interpolants of the cases make interpolants of the whole. Above the node
//! that is split they are joined by `or`, elsewhere by `and`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::farkas::{self, Part, Style};
use super::{Problem, tidy};
use crate::number::Int;
use crate::smt::z3::{Z3Solver, work_done};
use crate::smt::{Answer, Smt, Solver};
use crate::term::{Node, Sort, Term, Terms};

/// Give up beyond so many cases: other strategies are made for many.
const CASES: usize = 64;
/// And beyond so much work of the solver.
const WORK: u32 = 8_000_000;

/// Candidates by certificates; `None` where the problem is beyond them.
pub(super) fn interpolate(
    terms: &mut Terms,
    smt: &mut Smt,
    problem: &Problem,
    style: Style,
) -> Option<Vec<Term>> {
    let parts: Vec<Part> = (0..problem.len())
        .flat_map(|node| {
            terms.conjuncts(problem.formulas()[node]).into_iter().map(move |c| (node, c))
        })
        .collect();
    let mut search = Search {
        terms,
        smt,
        problem,
        style,
        solver: None,
        alternatives: FxHashMap::default(),
        literals: Vec::new(),
        cases: 0,
        waiting: 0,
        begin: work_done().unwrap_or(0),
    };
    search.literals =
        parts.iter().copied().filter(|(_, t)| search.alternatives(*t).is_none()).collect();
    let needed = search.few_splits(parts)?;
    search.solve(needed)
}

/// The cases of a formula: conjunctions.
type Cases = Rc<[Vec<Term>]>;

struct Search<'a> {
    terms: &'a mut Terms,
    smt: &'a mut Smt,
    problem: &'a Problem,
    style: Style,
    /// Knows all parts once there are cases: the questions differ in what is assumed.
    solver: Option<Z3Solver>,
    /// [`Search::alternatives`] that were asked for.
    alternatives: FxHashMap<Term, Option<Cases>>,
    /// The parts of the problem that are no splits.
    literals: Vec<Part>,
    /// So many cases were closed.
    cases: usize,
    /// At least so many have to be looked at after the one at hand.
    waiting: usize,
    /// The solver's count of work when it began.
    begin: u32,
}

impl Search<'_> {
    /// From parts that contradict each other.
    fn solve(&mut self, needed: Vec<Part>) -> Option<Vec<Term>> {
        let Some(at) = needed.iter().position(|(_, t)| self.alternatives(*t).is_some()) else {
            self.cases += 1;
            return self.certificate(needed);
        };
        let (node, split) = needed[at];
        let alternatives = self.alternatives(split)?;
        let mut joined: Option<Vec<Term>> = None;
        for (done, case) in alternatives.iter().enumerate() {
            let after = alternatives.len() - done - 1;
            if self.cases + self.waiting + after >= CASES || self.is_too_much() {
                return None;
            }
            let own: Vec<Term> = case.iter().flat_map(|c| self.terms.conjuncts(*c)).collect();
            let mut parts = needed.clone();
            parts.remove(at);
            parts.extend(own.iter().map(|c| (node, *c)));
            let core = self.core(&parts)?;
            parts.retain(|(_, t)| core.contains(t));
            self.waiting += after;
            let candidates = self.solve(parts)?;
            self.waiting -= after;
            if !own.iter().any(|c| core.contains(c)) {
                // A contradiction without the case, so in all of them.
                return Some(candidates);
            }
            joined = Some(match joined {
                None => candidates,
                Some(others) => self.join(node, &others, &candidates),
            });
        }
        joined
    }

    /// What is needed for a contradiction of integers may not contradict in the rationals: then
    /// all literals are asked.
    fn certificate(&mut self, mut literals: Vec<Part>) -> Option<Vec<Term>> {
        let found = farkas::interpolate(self.terms, self.smt, self.problem, &literals, self.style);
        if found.is_some() {
            return found;
        }
        let more: Vec<Part> =
            self.literals.iter().copied().filter(|p| !literals.contains(p)).collect();
        if more.is_empty() {
            return None;
        }
        literals.extend(more);
        farkas::interpolate(self.terms, self.smt, self.problem, &literals, self.style)
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
    fn few_splits(&mut self, mut parts: Vec<Part>) -> Option<Vec<Part>> {
        let core: FxHashSet<Term> =
            self.smt.core(self.terms, &[], &distinct(&parts)).ok()?.into_iter().collect();
        parts.retain(|(_, t)| core.contains(t));
        let splits: Vec<Term> =
            distinct(&parts).into_iter().filter(|t| self.alternatives(*t).is_some()).collect();
        for split in splits {
            if self.is_too_much() {
                return None;
            }
            let without: Vec<Part> = parts.iter().copied().filter(|(_, t)| *t != split).collect();
            if without.len() < parts.len()
                && let Some(core) = self.core(&without)
            {
                parts.retain(|(_, t)| core.contains(t));
            }
        }
        Some(parts)
    }

    fn is_too_much(&self) -> bool {
        work_done().is_none_or(|now| now.wrapping_sub(self.begin) > WORK)
    }

    fn core(&mut self, parts: &[Part]) -> Option<FxHashSet<Term>> {
        let solver =
            self.solver.get_or_insert_with(|| self.smt.fresh(self.terms, self.problem.formulas()));
        match solver.check(self.terms, &distinct(parts)) {
            Answer::Unsat => Some(solver.core().into_iter().collect()),
            _ => None,
        }
    }

    /// The cases of a formula that is no literal of linear arithmetic; `None`: it is one.
    fn alternatives(&mut self, formula: Term) -> Option<Cases> {
        if let Some(known) = self.alternatives.get(&formula) {
            return known.clone();
        }
        let found = self.find_alternatives(formula).map(Cases::from);
        self.alternatives.insert(formula, found.clone());
        found
    }

    fn find_alternatives(&mut self, formula: Term) -> Option<Vec<Vec<Term>>> {
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

fn distinct(parts: &[Part]) -> Vec<Term> {
    let mut distinct: Vec<Term> = parts.iter().map(|(_, t)| *t).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}
