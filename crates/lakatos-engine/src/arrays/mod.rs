//! Arrays as values, and invariants by guessing (lemma thesis; DESIGN.md 6.5).
//!
//! The program is run a few times, with small inputs. What its states at the heads of loops have in
//! common is guessed to hold always, functions of the user included, whose definitions can be computed
//! ([`claims`]). Of the guesses those are kept that follow from each other, turn by turn of each loop;
//! here definitions and lemmas come in, by instances. What is left is a proof if it excludes the
//! errors, which the checker says.
//!
//! Lemmas that are assumed, not proved, are left aside at first, and named by the proof if they were
//! needed.

mod affine;
mod atoms;
mod claims;
mod columns;
mod functions;
mod live;
mod range;
mod reach;
mod sample;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_check::{Guessed, Instrumented, Outcome, Verdict, Why, check, needed_guesses};
use lakatos_evidence::{Assumption, Draft, Proof, Slot};
use lakatos_ir::loops::Loops;
use lakatos_ir::{LocId, Program, VarId};
use lakatos_logic::lemma::Knowledge;
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Term;

use self::functions::Computed;
use self::reach::Reach;
use crate::horn::why;
use crate::judge::CHECKED;
use crate::{Engine, Report, Statistics, Task, Watch};

/// A formula that is guessed to hold somewhere.
type Claim = (Slot, Term);

/// Of each question about guesses.
const GUESSED: Limits = Limits { resources: Some(3_000_000), time: None };

/// The engine and what is known beside the program.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    pub knowledge: Knowledge,
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
        match attempt(&subject, task, watch, statistics) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(why(reason)),
        }
    }
}

/// Guesses that do not exclude the errors are followed by others that go further.
fn attempt(
    subject: &Instrumented,
    task: &Task<'_>,
    watch: &mut dyn Watch,
    statistics: &mut Statistics,
) -> Result<Verdict, Reason> {
    let (program, knowledge) = (subject.program(), subject.knowledge());
    let samples = sample::samples(program, &wanted(program), task.signed_overflow);
    let computed = Computed::new(&knowledge.terms, &knowledge.theory);
    let mut failed: BTreeSet<(Slot, String)> = BTreeSet::new();
    let mut before: BTreeSet<(Slot, String)> = BTreeSet::new();
    for reach in Reach::STAGES {
        watch.progress(*statistics)?;
        let mut draft = new_draft(subject, task);
        let terms = &knowledge.terms;
        let stage = claims::claims(program, &mut draft, &samples, &computed, terms, reach);
        let guessed = draft.finish().of_arrays();
        let text = |(slot, formula): &Claim| (*slot, guessed.terms().display(*formula).to_string());
        // What failed before is not tried again, unless there is much that may support it.
        if reach.is_far {
            failed.clear();
        }
        let claims: Vec<Claim> = stage.into_iter().filter(|c| !failed.contains(&text(c))).collect();
        if claims.iter().all(|claim| before.contains(&text(claim))) {
            continue;
        }
        before.extend(claims.iter().map(text));
        statistics.guesses += claims.len() as u64;
        watch.progress(*statistics)?;
        let mut smt = Smt::new(GUESSED);
        watch.started(smt.cancel_handle());
        let Guessed { held, needed } =
            needed_guesses(subject, &guessed, &claims, task.signed_overflow, &mut smt)?;
        if let Some(needed) = needed {
            let mut draft = new_draft(subject, task);
            for ((slot, formula), _) in claims.iter().zip(needed).filter(|(_, needed)| *needed) {
                say(&mut draft, &guessed, *slot, *formula);
            }
            return Ok(checked(subject, draft.finish().of_arrays(), task, watch));
        }
        failed.extend(claims.iter().zip(held).filter(|(_, held)| !held).map(|(c, _)| text(c)));
    }
    Ok(Verdict::Unknown(Why::NoInvariant { guesses: statistics.guesses }))
}

fn checked(
    subject: &Instrumented,
    proof: Proof,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Verdict {
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let program = subject.program();
    match check(subject, proof, task.signed_overflow, &mut smt) {
        Outcome::Checked(checked) => Verdict::Proved(checked),
        Outcome::Rejected(rejected) => Verdict::Unknown(Why::rejected(program, *rejected)),
        Outcome::Undecided(undecided) => Verdict::Unknown(Why::undecided(program, &undecided)),
    }
}

fn new_draft<'p>(subject: &'p Instrumented, task: &Task<'_>) -> Draft<'p> {
    let mut draft = Draft::new(subject.program(), task.property);
    draft.assume(Assumption::of(subject.program(), task.property, task.signed_overflow));
    draft.assume(subject.knowledge().assumed.iter().cloned().map(Assumption::Lemma));
    draft
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
    let live = live::live(program, body);
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
