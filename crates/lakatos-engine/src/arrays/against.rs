//! Lemmas against runs.
//!
//! A proof that rests on lemmas that nobody has shown says what holds at the heads of loops. If a run
//! was there, and its state contradicts that and the lemmas, the run is impossible: but it was made.
//! So the lemmas are wrong, and there is no proof.

use std::collections::BTreeSet;

use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_evidence::{Draft, Meaning, Proof};
use lakatos_ir::{IntType, LocId, Program};
use lakatos_logic::lemma::{Knowledge, ground};
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Quantifier, Sort, Term, Terms};

use super::sample::{Sample, states};
use super::{GUESSED, wanted};
use crate::prepare::Prepared;
use crate::probe::probe;
use crate::{Statistics, Task, Watch};

/// States of one location that are asked about.
const MOST_STATES: usize = 400;

/// What is to be said instead, where a run is not as a proof with assumed lemmas has it: the run
/// violates the property, or comes to a state that the lemmas exclude.
pub(super) fn contradicted(
    checked: &Checked,
    knowledge: &Knowledge,
    task: &Task<'_>,
    watch: &mut dyn Watch,
    statistics: &mut Statistics,
) -> Option<Verdict> {
    let prepared = Prepared::new(task.program, task.property);
    if let Some(refuted) = probe(task, &prepared.instrumented, statistics, watch) {
        return Some(refuted);
    }
    let subject = Instrumented::arrays(task.program, task.property, knowledge.clone())?;
    let program = subject.program();
    let states = states(program, &wanted(program), task.signed_overflow);
    let mut smt = Smt::new(GUESSED);
    watch.started(smt.cancel_handle());
    let mut question = Question { subject: &subject, proof: checked.proof(), smt: &mut smt };
    let body = program.procs[program.start].body.as_ref()?;
    for (loc, samples) in states {
        for sample in spread(&samples) {
            let Some(lemmas) = question.excluding(loc, sample) else { continue };
            let at = body.locs[loc].span;
            return Some(Verdict::Unknown(Why::ExcludedRun { lemmas, at }));
        }
    }
    None
}

fn spread(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    samples.iter().step_by(samples.len().div_ceil(MOST_STATES).max(1))
}

struct Question<'a> {
    subject: &'a Instrumented,
    proof: &'a Proof,
    smt: &'a mut Smt,
}

impl Question<'_> {
    /// The assumptions that exclude a state: as few as are found by leaving out one after the other.
    fn excluding(&mut self, loc: LocId, sample: &Sample) -> Option<BTreeSet<String>> {
        let mut known = self.subject.knowledge().clone();
        if !self.is_excluded(&known, loc, sample) {
            return None;
        }
        for name in known.assumed.clone() {
            let fewer = known.without(|other| other == name);
            if self.is_excluded(&fewer, loc, sample) {
                known = fewer;
            }
        }
        // Without assumptions it is the proof that is wrong, or the run: that is for the checker.
        (!known.assumed.is_empty()).then_some(known.assumed)
    }

    fn is_excluded(&mut self, known: &Knowledge, loc: LocId, sample: &Sample) -> bool {
        let program = self.subject.program();
        let mut draft = Draft::new(program, self.subject.property());
        let mut query = values(program, &mut draft, sample);
        let here = |(proc, at, _): &(_, LocId, Term)| *proc == program.start && *at == loc;
        for (_, _, formula) in self.proof.invariants().filter(here) {
            let meaning = |symbol| Some(self.proof.meaning(symbol));
            let Ok(said) = draft.import(self.proof.terms(), formula, meaning) else {
                return false;
            };
            query.push(said);
        }
        let theory = known.theory.import(&known.terms, draft.terms());
        let (query, _) = ground(draft.terms(), &theory, &query);
        self.smt.check(draft.terms(), &query) == Answer::Unsat
    }
}

/// A state, as far as it is known: all elements are in the range of their type.
fn values(program: &Program, draft: &mut Draft<'_>, sample: &Sample) -> Vec<Term> {
    let mut query = Vec::new();
    for (var, value) in &sample.integers {
        let var = draft.symbol(Meaning::now(*var), Sort::Int);
        let value = draft.terms().int(*value);
        query.push(draft.terms().eq(var, value));
    }
    for (var, elements) in &sample.arrays {
        let sort = draft.terms().array_sort(Sort::Int, Sort::Int);
        let array = draft.symbol(Meaning::now(*var), sort);
        let terms = draft.terms();
        for (index, value) in elements.iter().enumerate() {
            let (index, value) = (terms.int(index as i128), terms.int(*value));
            let element = terms.select(array, index);
            query.push(terms.eq(element, value));
        }
        query.extend(program.whole_array(*var).map(|ty| in_range(terms, array, ty)));
    }
    query
}

fn in_range(terms: &mut Terms, array: Term, ty: IntType) -> Term {
    let index = terms.fresh("k", Sort::Int);
    let element = terms.select(array, index);
    let (least, most) = (terms.int(ty.min()), terms.int(ty.max()));
    let inside = [terms.le(least, element), terms.le(element, most)];
    let inside = terms.and(inside);
    let index = terms.as_symbol(index).expect("it is one");
    terms.quantified(Quantifier::Forall, &[index], inside)
}
