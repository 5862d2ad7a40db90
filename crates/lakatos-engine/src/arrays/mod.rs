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
    pub means: Means,
}

/// How invariants are looked for that users do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Guesses, and then predicates by any solver.
    All,
    /// Predicates alone, by predicate abstraction with interpolants.
    Abstraction,
    /// Predicates alone, by Spacer.
    Spacer,
}

impl Default for Arrays {
    fn default() -> Self {
        let (knowledge, remarks) = (Knowledge::default(), Vec::new());
        Arrays { knowledge, remarks, precision: Granularity::Global, means: Means::All }
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

    /// What users say, guesses, and predicates by refinement, until the errors are excluded.
    fn attempt(
        &self,
        subject: &Instrumented,
        task: &Task<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Verdict, Reason> {
        let (program, knowledge) = (subject.program(), subject.knowledge());
        let computed = Computed::new(&knowledge.terms, &knowledge.theory);
        let scene = Scene { subject, remarks: &self.remarks, wanted: wanted(program), computed };
        let mut attempt = Attempt::new(subject, task);
        let mut verdict = scene.said(&mut attempt, watch, statistics)?;
        if verdict.is_none() && self.means == Means::All {
            verdict = scene.guessed(&mut attempt, watch, statistics)?;
        }
        if verdict.is_none() && scene.has_words() {
            verdict = self.searched(&scene, task, watch, statistics)?;
        }
        let unknown = Verdict::Unknown(Why::NoInvariant { guesses: statistics.guesses });
        Ok(verdict.unwrap_or(unknown))
    }

    /// Predicates over words, by refinement.
    fn searched(
        &self,
        scene: &Scene<'_>,
        task: &Task<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Option<Verdict>, Reason> {
        let program = scene.subject.program();
        // What failed alone may be part of a solution.
        let mut attempt = Attempt::new(scene.subject, task);
        let mut draft = attempt.draft();
        let said = scene.claims_said(&mut draft);
        let functions = (&*scene.subject.knowledge().terms, &scene.computed);
        let words = vocabulary(program, &mut draft, &scene.wanted, functions, &said);
        let scope = Scope::new(self.precision, program, task.program, words.keys().copied());
        let Some(mut refinement) = Refinement::new(scene.subject, draft, words, scope, task) else {
            return Ok(None);
        };
        let Some(found) = refinement.search(self.means, watch, statistics)? else {
            return Ok(None);
        };
        let mut draft = attempt.draft();
        let claims = refinement.claims(&mut draft, program.start, &found);
        attempt.judge(draft, claims, watch, statistics)
    }
}

/// What claims are made of.
struct Scene<'a> {
    subject: &'a Instrumented,
    remarks: &'a [Remark],
    wanted: BTreeMap<LocId, BTreeSet<VarId>>,
    computed: Computed<'a>,
}

impl Scene<'_> {
    fn claims_said(&self, draft: &mut Draft<'_>) -> Vec<Claim> {
        let (program, terms) = (self.subject.program(), &self.subject.knowledge().terms);
        remark::claims(program, draft, terms, self.remarks, &self.wanted)
    }

    /// Whether there is something to search over that other engines do not have.
    fn has_words(&self) -> bool {
        self.has_functions() || !self.remarks.is_empty()
    }

    fn has_functions(&self) -> bool {
        !self.computed.of_numbers().is_empty()
    }

    /// What users say may be enough, and so may nothing where there is no loop.
    fn said(
        &self,
        attempt: &mut Attempt<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Option<Verdict>, Reason> {
        if self.remarks.is_empty() && !self.wanted.is_empty() {
            return Ok(None);
        }
        let mut draft = attempt.draft();
        let claims = self.claims_said(&mut draft);
        attempt.judge(draft, claims, watch, statistics)
    }

    /// Guesses that do not exclude the errors are followed by others that go further.
    fn guessed(
        &self,
        attempt: &mut Attempt<'_>,
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
    ) -> Result<Option<Verdict>, Reason> {
        let (program, terms) = (self.subject.program(), &self.subject.knowledge().terms);
        watch.progress(*statistics)?;
        let kept = Kept::new(program, &self.wanted);
        let overflow = attempt.task.signed_overflow;
        let samples = sample::samples(program, &kept.with_spent(&self.wanted), overflow);
        for reach in Reach::STAGES {
            let is_new = if reach.replaces { self.has_functions() } else { !kept.is_empty() };
            if reach.keeps && !is_new {
                continue;
            }
            watch.progress(*statistics)?;
            let mut draft = attempt.draft();
            let computed = &self.computed;
            let mut claims =
                claims::claims(program, &mut draft, &samples, &kept, computed, terms, reach);
            claims.extend(self.claims_said(&mut draft));
            // What failed before is not tried again, unless there is much that may support it.
            if reach.is_far || self.has_functions() && reach != Reach::PLAIN {
                attempt.failed.clear();
            }
            if let Some(verdict) = attempt.judge(draft, claims, watch, statistics)? {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
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
    let mut draft = Attempt::new(subject, task).draft();
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
    /// `None` if nothing was tried.
    before: Option<BTreeSet<(Slot, String)>>,
}

impl<'a> Attempt<'a> {
    fn new(subject: &'a Instrumented, task: &'a Task<'a>) -> Attempt<'a> {
        Attempt { subject, task, failed: BTreeSet::new(), before: None }
    }

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
        if let Some(before) = &self.before
            && claims.iter().all(|claim| before.contains(&text(claim)))
        {
            return Ok(None);
        }
        self.before.get_or_insert_default().extend(claims.iter().map(text));
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
