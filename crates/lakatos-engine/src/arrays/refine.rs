//! Invariants about words, by refinement: what guesses do not find since it is no conjunction of what
//! all runs have in common.
//!
//! Loops have unknown predicates of words, and the transitions between them are Horn clauses about numbers:
//! for few words and little knowledge at first. They are solved by predicate abstraction, whose
//! interpolants speak of the words, or by Spacer ([`Means`]). Counterexamples that are none say which words and
//! which definitions and lemmas are missing ([`precision`](super::precision)). A solution is a claim
//! like any other: the checker judges it.

use lakatos_check::{Instrumented, Transitions, transitions};
use lakatos_evidence::{Draft, Proof, Slot};
use lakatos_ir::{Id, LocId, ProcId};
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{
    Abstraction, Derivation, Outcome, Settings, Solve, Spacer, System, readable,
};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::precision::{Asked, Precision, Scope, lesson};
use super::vocabulary::{Vocabulary, counting};
use super::{Claim, GUESSED, Means, never_called};
use crate::{Statistics, Task, Watch};

/// Refinements of a vocabulary.
const MOST_ROUNDS: usize = 40;
/// Of the queries about the clauses of one precision.
const ABSTRACTED: Limits = Limits { resources: Some(1_000_000), time: None };
const SOLVED: Limits = Limits { resources: Some(4_000_000), time: None };

/// Loops with words, and what is known of their transitions.
pub(super) struct Refinement {
    /// In whose arena the words are.
    words: Proof,
    vocabulary: Vocabulary,
    transitions: Transitions,
    precision: Precision,
    scope: Scope,
}

/// What is said of a loop.
pub(super) struct Found {
    head: LocId,
    formula: Term,
    /// The words that its symbols stand for.
    meant: Vec<(Symbol, usize)>,
}

impl Refinement {
    /// `None` where there is no loop, or one that cannot be spoken of.
    pub fn new(
        subject: &Instrumented,
        mut draft: Draft<'_>,
        vocabulary: Vocabulary,
        scope: Scope,
        task: &Task<'_>,
    ) -> Option<Refinement> {
        if vocabulary.is_empty() {
            return None;
        }
        let program = subject.program();
        let mut predicates: Vec<Claim> = Vec::new();
        for (head, words) in &vocabulary {
            let terms = draft.terms();
            let words: Vec<Term> = words.iter().map(|word| word.term).collect();
            let sorts: Vec<Sort> = words.iter().map(|word| terms.sort(*word)).collect();
            let name = format!("holds at {}", head.index());
            let function = terms.function(&name, &sorts, Sort::Bool);
            let predicate = terms.apply(function, &words);
            predicates.push((Slot::Invariant(program.start, *head), predicate));
        }
        let words = draft.finish().of_arrays();
        let known = never_called(program);
        let transitions = transitions(subject, &words, &predicates, &known, task.signed_overflow)?;
        let precision = Precision::default();
        Some(Refinement { words, vocabulary, transitions, precision, scope })
    }

    /// Formulas about words at loops that exclude the errors, as far as numbers can tell. `None` if none
    /// were found.
    pub fn search(
        &mut self,
        means: Means,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<Found>>, Reason> {
        for _ in 0..MOST_ROUNDS {
            watch.progress(*statistics)?;
            let asked = self.precision.clauses(&mut self.transitions);
            let terms = &mut self.transitions.terms;
            let reduction = Reduction::new(terms, asked.system.clone(), |_| true);
            statistics.queries += 1;
            let derivation = match solved(terms, &reduction.system, means, watch) {
                Outcome::Solved(solution) => {
                    let solution = reduction.solution(&solution);
                    return Ok(Some(self.found(&asked, &solution)));
                }
                Outcome::Unknown(reason) if reason.is_end() => return Err(reason),
                Outcome::Unknown(_) => return Ok(None),
                Outcome::Violated(derivation) => derivation,
            };
            if !self.learn(&path(&reduction.system, &derivation), watch)? {
                return Ok(None);
            }
            statistics.refinements += 1;
        }
        Ok(None)
    }

    /// Whether there was something to learn from transitions one after the other.
    fn learn(&mut self, path: &[usize], watch: &mut dyn Watch) -> Result<bool, Reason> {
        let mut smt = Smt::new(GUESSED);
        watch.started(smt.cancel_handle());
        let Some(more) = lesson(&mut self.transitions, &self.vocabulary, path, &mut smt)? else {
            return Ok(false);
        };
        let more = self.scope.extended(self.with_counting(more));
        let is_new = !more.is_subset(&self.precision);
        self.precision.extend(&more);
        Ok(is_new)
    }

    /// What is said of all elements is reached by counting them.
    fn with_counting(&self, mut precision: Precision) -> Precision {
        for (head, word) in precision.words.clone() {
            let words = &self.vocabulary[&head];
            let more = counting(self.words.terms(), words, words[word].term);
            precision.words.extend(more.into_iter().map(|word| (head, word)));
        }
        precision
    }

    fn found(&mut self, asked: &Asked, solution: &[Option<Term>]) -> Vec<Found> {
        let terms = &mut self.transitions.terms;
        let predicates = asked.heads.iter().zip(&asked.words).zip(&asked.system.predicates);
        let found = predicates.zip(solution).map(|(((head, words), predicate), formula)| Found {
            head: *head,
            formula: formula.map_or(Term::TRUE, |formula| readable(terms, formula)),
            meant: predicate.parameters.iter().copied().zip(words.iter().copied()).collect(),
        });
        found.collect()
    }

    /// Formulas as claims of a draft.
    pub fn claims(&self, draft: &mut Draft<'_>, start: ProcId, found: &[Found]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for Found { head, formula, meant } in found {
            let mut words: FxHashMap<Symbol, Term> = FxHashMap::default();
            for (symbol, number) in meant {
                let word = self.vocabulary[head][*number].term;
                let meaning = |symbol| Some(self.words.meaning(symbol));
                if let Ok(word) = draft.import(self.words.terms(), word, meaning) {
                    words.insert(*symbol, word);
                }
            }
            let word = |_: &mut Terms, symbol: Symbol, _| words.get(&symbol).copied().ok_or(());
            let from = &self.transitions.terms;
            let Ok(formula) = draft.terms().import_as(from, *formula, word) else { continue };
            let slot = Slot::Invariant(start, *head);
            claims.extend(draft.terms().conjuncts(formula).into_iter().map(|part| (slot, part)));
        }
        claims
    }
}

/// The transitions that lead to a contradiction, one after the other.
fn path(system: &System, derivation: &Derivation) -> Vec<usize> {
    let mut path = Vec::new();
    let mut last = derivation.steps.last();
    while let Some(step) = last {
        path.extend(system.clauses[step.clause].marks.iter().map(|mark| mark.tag));
        last = step.premises.first().map(|premise| &derivation.steps[*premise]);
    }
    path.reverse();
    path
}

/// By predicate abstraction, or else by Spacer, as far as both are wanted.
fn solved(terms: &mut Terms, system: &System, means: Means, watch: &mut dyn Watch) -> Outcome {
    let mut smt = Smt::new(ABSTRACTED);
    watch.started(smt.cancel_handle());
    if means != Means::Spacer {
        let outcome = Abstraction { smt: &mut smt }.solve(terms, system);
        let is_over = !matches!(&outcome, Outcome::Unknown(reason) if !reason.is_end());
        if is_over || means == Means::Abstraction {
            return outcome;
        }
    }
    smt.set_limits(SOLVED);
    Spacer { smt: &mut smt, settings: Settings::default() }.solve(terms, system)
}
