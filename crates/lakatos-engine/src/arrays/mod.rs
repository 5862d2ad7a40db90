//! Arrays as values, and invariants by guessing (lemma thesis; DESIGN.md 6.5).
//!
//! The program is run a few times, with small inputs. What its states at the heads of loops have in
//! common is guessed to hold always, functions of the user included, whose definitions can be computed
//! ([`claims`]). Of the guesses those are kept that follow from each other, turn by turn of each loop;
//! here definitions and lemmas come in, by instances. What is left is a proof if it excludes the
//! errors, which the checker says. What users say of loops ([`Remark`]) is tried first, and with the
//! guesses. Where that is not enough, predicates are looked for by refinement ([`refine`]).
//!
//! Lemmas that are assumed, not proved, are left aside at first, and named by the proof if they were
//! needed. Such a proof is held against runs ([`against`]).

mod against;
mod applied;
mod atoms;
mod bounds;
mod claims;
mod columns;
mod functions;
mod kept;
mod precision;
mod range;
mod reach;
mod refine;
mod remark;
mod rows;
mod sample;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_analysis::domain::Granularity;
use lakatos_check::{Guessed, Instrumented, Verdict, Why, needed_guesses};
use lakatos_evidence::{Assumption, Draft, Proof, Slot};
use lakatos_ir::loops::Loops;
use lakatos_ir::{LocId, Program, VarId};
use lakatos_logic::lemma::Knowledge;
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Term;

use self::against::contradicted;
use self::functions::Computed;
use self::kept::Kept;
use self::precision::Scope;
use self::reach::Reach;
use self::refine::Refinement;
pub use self::remark::Remark;
use self::vocabulary::vocabulary;
use crate::horn::why;
use crate::judge::{CHECKED, accepted, verdict};
use crate::{Engine, Report, Statistics, Task, Watch};
use lakatos_ir::live::live;

/// A formula that is guessed to hold somewhere.
type Claim = (Slot, Term);

/// Of each question about guesses.
const GUESSED: Limits = Limits { resources: Some(3_000_000), time: None };

/// The engine and what is known beside the program.
#[derive(Clone, Debug)]
pub struct Arrays {
    pub knowledge: Knowledge,
    /// What is said of loops.
    pub remarks: Vec<Remark>,
    /// Where a definition or a lemma is used that a counterexample needed, while predicates are looked
    /// for. (Guesses, and the checker, use all of them everywhere.)
    pub precision: Granularity,
}

impl Default for Arrays {
    fn default() -> Self {
        let (knowledge, remarks) = (Knowledge::default(), Vec::new());
        Arrays { knowledge, remarks, precision: Granularity::Global }
    }
}

impl Engine for Arrays {
    fn name(&self) -> &'static str {
        "arrays"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let mut statistics = Statistics::default();
        let mut verdict =
            self.with(self.knowledge.without_assumptions(), task, watch, &mut statistics);
        if !matches!(verdict, Verdict::Proved(_)) && !self.knowledge.assumed.is_empty() {
            verdict = self.with(self.knowledge.clone(), task, watch, &mut statistics);
            if let Verdict::Proved(checked) = &verdict
                && let Some(other) =
                    contradicted(checked, &self.knowledge, task, watch, &mut statistics)
            {
                verdict = other;
            }
        }
        Report::new(verdict, statistics)
    }
}

impl Arrays {
    fn with(
        &self,
        knowledge: Knowledge,
        task: &Task<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Verdict {
        let Some(subject) = Instrumented::arrays(task.program, task.property, knowledge) else {
            let what =
                "a property of memory, or a program that is too large with calls written out";
            return Verdict::Unknown(Why::Unsupported { what: what.to_owned(), at: None });
        };
        match self.attempt(&subject, task, watch, statistics) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(why(reason)),
        }
    }

    /// Guesses that do not exclude the errors are followed by others that go further, and by a search.
    fn attempt(
        &self,
        subject: &Instrumented,
        task: &Task<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Verdict, Reason> {
        let (program, knowledge) = (subject.program(), subject.knowledge());
        let (wanted, terms) = (wanted(program), &knowledge.terms);
        let said =
            |draft: &mut Draft<'_>| remark::claims(program, draft, terms, &self.remarks, &wanted);
        let mut attempt =
            Attempt { subject, task, failed: BTreeSet::new(), before: BTreeSet::new() };
        if !self.remarks.is_empty() {
            let mut draft = attempt.draft();
            let claims = said(&mut draft);
            if let Some(verdict) = attempt.judge(draft, claims, watch, statistics)? {
                return Ok(verdict);
            }
        }
        watch.progress(*statistics)?;
        let kept = Kept::new(program, &wanted);
        let samples = sample::samples(program, &kept.with_spent(&wanted), task.signed_overflow);
        let computed = Computed::new(terms, &knowledge.theory);
        for reach in Reach::STAGES {
            let has_functions = !computed.of_numbers().is_empty();
            let is_new = if reach.replaces { has_functions } else { !kept.is_empty() };
            if reach.keeps && !is_new {
                continue;
            }
            watch.progress(*statistics)?;
            let mut draft = attempt.draft();
            let mut claims =
                claims::claims(program, &mut draft, &samples, &kept, &computed, terms, reach);
            claims.extend(said(&mut draft));
            // What failed before is not tried again, unless there is much that may support it.
            if reach.is_far || has_functions && reach != Reach::PLAIN {
                attempt.failed.clear();
            }
            if let Some(verdict) = attempt.judge(draft, claims, watch, statistics)? {
                return Ok(verdict);
            }
        }
        // Numbers and single elements are what other engines search over.
        if computed.of_numbers().is_empty() && self.remarks.is_empty() {
            return Ok(Verdict::Unknown(Why::NoInvariant { guesses: statistics.guesses }));
        }
        let mut draft = attempt.draft();
        let spoken = said(&mut draft);
        let words = vocabulary(program, &mut draft, &wanted, (terms, &computed), &spoken);
        let scope = Scope::new(self.precision, program, task.program, words.keys().copied());
        if let Some(mut refinement) = Refinement::new(subject, draft, words, scope, task)
            && let Some(found) = refinement.search(watch, statistics)?
        {
            let mut draft = attempt.draft();
            let claims = refinement.claims(&mut draft, program.start, &found);
            if let Some(verdict) = attempt.judge(draft, claims, watch, statistics)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Unknown(Why::NoInvariant { guesses: statistics.guesses }))
    }
}

/// The proof that consists of remarks alone; otherwise the number of one that has no place in it.
pub fn proof_of_remarks(
    subject: &Instrumented,
    remarks: &[Remark],
    task: &Task<'_>,
) -> Result<Proof, usize> {
    let program = subject.program();
    let wanted = wanted(program);
    let attempt = Attempt { subject, task, failed: BTreeSet::new(), before: BTreeSet::new() };
    let mut draft = attempt.draft();
    for (slot, formula) in never_called(program) {
        // Without it there is less to use, and that is all.
        let _ = draft.add(slot, formula);
    }
    for (number, remark) in remarks.iter().enumerate() {
        let said = std::slice::from_ref(remark);
        let said = remark::claims(program, &mut draft, &subject.knowledge().terms, said, &wanted);
        let places: BTreeSet<Slot> = said.iter().map(|(slot, _)| *slot).collect();
        if places.is_empty() || places.len() < remark::heads(program, remark, &wanted) {
            return Err(number);
        }
        for (slot, formula) in said {
            draft.add(slot, formula).map_err(|_| number)?;
        }
    }
    Ok(draft.finish().of_arrays())
}

/// What was tried so far: claims, as texts.
struct Attempt<'a> {
    subject: &'a Instrumented,
    task: &'a Task<'a>,
    failed: BTreeSet<(Slot, String)>,
    before: BTreeSet<(Slot, String)>,
}

impl<'a> Attempt<'a> {
    fn draft(&self) -> Draft<'a> {
        let (program, property) = (self.subject.program(), self.task.property);
        let mut draft = Draft::new(program, property);
        draft.assume(Assumption::of(program, property, self.task.signed_overflow));
        let lemmas = self.subject.knowledge().assumed.iter().cloned();
        draft.assume(lemmas.map(Assumption::Lemma));
        draft
    }

    /// Whether claims are a proof, as far as they hold; `None` if not.
    fn judge(
        &mut self,
        draft: Draft<'_>,
        claims: Vec<Claim>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Option<Verdict>, Reason> {
        let guessed = draft.finish().of_arrays();
        let text = |(slot, formula): &Claim| (*slot, guessed.terms().display(*formula).to_string());
        let is_open = |claim: &Claim| !self.failed.contains(&text(claim));
        let mut claims: Vec<Claim> = claims.into_iter().filter(is_open).collect();
        claims.extend(never_called(self.subject.program()));
        if claims.iter().all(|claim| self.before.contains(&text(claim))) {
            return Ok(None);
        }
        self.before.extend(claims.iter().map(text));
        statistics.guesses += claims.len() as u64;
        watch.progress(*statistics)?;
        let mut smt = Smt::new(GUESSED);
        watch.started(smt.cancel_handle());
        let overflow = self.task.signed_overflow;
        let Guessed { held, needed } =
            needed_guesses(self.subject, &guessed, &claims, overflow, &mut smt)?;
        let Some(needed) = needed else {
            let failed = claims.iter().zip(held).filter(|(_, held)| !held);
            self.failed.extend(failed.map(|(claim, _)| text(claim)));
            return Ok(None);
        };
        let mut draft = self.draft();
        for ((slot, formula), _) in claims.iter().zip(needed).filter(|(_, needed)| *needed) {
            say(&mut draft, &guessed, *slot, *formula);
        }
        Ok(Some(checked(self.subject, draft.finish().of_arrays(), self.task, watch)))
    }
}

/// Of the procedures that are still called, most are those that say that an error has happened.
fn never_called(program: &Program) -> Vec<Claim> {
    let others = program.defined().filter(|(proc, ..)| *proc != program.start);
    others.map(|(proc, ..)| (Slot::Requires(proc), Term::FALSE)).collect()
}

fn checked(
    subject: &Instrumented,
    proof: Proof,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Verdict {
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    verdict(accepted(task, subject, proof, &mut smt))
}

fn say(draft: &mut Draft<'_>, guessed: &Proof, slot: Slot, formula: Term) {
    let formula = draft.import(guessed.terms(), formula, |symbol| Some(guessed.meaning(symbol)));
    if let Ok(formula) = formula {
        // What may not be said there is left out; the checker hears of what is said.
        let _ = draft.add(slot, formula);
    }
}

/// The variables that matter at the heads of the loops of the start.
fn wanted(program: &Program) -> BTreeMap<LocId, BTreeSet<VarId>> {
    let Some(body) = &program.procs[program.start].body else { return BTreeMap::new() };
    let live = live(program, program.start, body);
    let loops = Loops::new(body);
    let is_said = |var: &VarId| {
        let info = &program.vars[*var];
        info.ty.as_int().is_some() && !info.address_taken || program.whole_array(*var).is_some()
    };
    let wanted = loops.cut_points().iter().map(|loc| {
        let vars = live[*loc].iter().copied().filter(is_said).collect();
        (*loc, vars)
    });
    wanted.collect()
}
