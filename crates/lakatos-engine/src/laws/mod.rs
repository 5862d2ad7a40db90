//! Laws of numbers, guessed: what the numbers have in common that runs come by, products and powers
//! included, and what divides what (DESIGN.md 6.5).
//!
//! A search meets numbers one after the other, and solvers hardly find any where numbers are
//! multiplied. But to see whether a law holds that somebody says is easier: so the program is run a few
//! times, what holds at the heads of loops and at the ends of procedures is guessed to hold always, and
//! of the guesses those are kept that follow from each other. What is left is a proof if it
//! excludes the errors, which the checker says.

mod guess;
mod monomial;
mod watch;

use lakatos_analysis::cegar::How;
use lakatos_analysis::ranges::Ranges;
use lakatos_check::{Guessed, Instrumented, Verdict, Why, needed_guesses};
use lakatos_encode::machine::Encoding;
use lakatos_evidence::show::{self, Dialect, Printer};
use lakatos_evidence::{Draft, Meaning, Proof, Slot};
use lakatos_ir::Program;
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Term;

use self::guess::{Depth, guesses};
use self::watch::{Samples, samples};
use crate::board::Claims;
use crate::history::{Event, Kind, Learned, Refined, What};
use crate::horn::why;
use crate::judge::{CHECKED, accepted, verdict};
use crate::proof::Subject;
use crate::ranges::{slots, within};
use crate::{Engine, News, Report, Statistics, Task, Watch, Worth};

/// Of each question about guesses.
const GUESSED: Limits = Limits { resources: Some(2_000_000), time: None };

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Laws;

impl Engine for Laws {
    fn name(&self) -> &'static str {
        "laws"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let mut statistics = Statistics::default();
        let subject = Instrumented::new(task.program, task.property);
        let samples = samples(subject.program(), task.signed_overflow);
        let ranges = Ranges::new(subject.program(), task.signed_overflow);
        let mut search = Search { task, subject: &subject, samples, ranges, watch };
        let verdict = match search.attempt(&mut statistics) {
            Ok(Some(proof)) => search.judge(proof),
            Ok(None) => Verdict::Unknown(Why::NoInvariant { guesses: statistics.guesses }),
            Err(reason) => Verdict::Unknown(why(reason)),
        };
        Report::new(verdict, statistics)
    }
}

/// Guesses that hold, in words.
fn told(program: &Program, guessed: &Proof, held: impl Iterator<Item = (Slot, Term)>) -> What {
    let mut learned: Vec<Learned> = Vec::new();
    for (slot, formula) in held {
        let Slot::Invariant(proc, loc) = slot else { continue };
        let name = |symbol| show::name(program, proc, guessed.meaning(symbol), Dialect::C);
        let printer = Printer::new(guessed.terms(), program.types.model, Dialect::C, &name);
        let body = program.procs[proc].body.as_ref().expect("it has a loop");
        for text in printer.parts(&[formula]).0 {
            let (function, spans) = (program.procs[proc].name.clone(), vec![body.locs[loc].span]);
            learned.push(Learned { kind: Kind::Predicate, text, function, spans });
        }
    }
    let how = How::Initially;
    let refined =
        Refined { number: 0, nodes: 0, how, target: None, steps: None, learned, left_out: 0 };
    What::Refined(refined)
}

struct Search<'a, 'p> {
    task: &'a Task<'p>,
    subject: &'a Instrumented,
    samples: Samples,
    ranges: Ranges,
    watch: &'a mut dyn Watch,
}

impl Search<'_, '_> {
    /// Guesses that are enough for a proof: simple ones first.
    fn attempt(&mut self, statistics: &mut Statistics) -> Result<Option<Proof>, Reason> {
        for depth in Depth::ALL {
            self.watch.progress(*statistics)?;
            let mut draft = self.draft();
            let mut claims = guesses(&mut draft, &self.samples, depth);
            claims.extend(self.bounds(&mut draft));
            statistics.guesses += claims.len() as u64;
            let guessed = draft.finish();
            if let Some(needed) = self.needed(&guessed, &claims)? {
                return Ok(Some(self.proof(&guessed, &needed)));
            }
        }
        Ok(None)
    }

    /// What ranges say of the same words: wherever a number is small, laws about it hold that fail where it wraps.
    fn bounds(&self, draft: &mut Draft<'_>) -> Vec<(Slot, Term)> {
        let program = self.subject.program();
        let mut found = Vec::new();
        for (proc, _, body) in program.defined() {
            for (slot, loc) in slots(proc, body) {
                let Some(seen) = self.samples.get(&slot) else { continue };
                for (var, number) in self.ranges.at(proc, loc) {
                    if seen.words.contains(&Meaning::now(var)) {
                        let bounds = within(draft, program, var, &number, Encoding::Int);
                        found.extend(bounds.into_iter().map(|bound| (slot, bound)));
                    }
                }
            }
        }
        found
    }

    fn draft(&self) -> Draft<'_> {
        Subject::from(self.task).draft(self.subject.program())
    }

    /// The guesses that exclude the errors; `None` if those that hold do not.
    fn needed(
        &mut self,
        guessed: &Proof,
        claims: &[(Slot, Term)],
    ) -> Result<Option<Vec<(Slot, Term)>>, Reason> {
        let mut smt = Smt::new(GUESSED);
        self.watch.started(smt.cancel_handle());
        let overflow = self.task.signed_overflow;
        let Guessed { needed, held } =
            needed_guesses(self.subject, guessed, claims, overflow, &mut smt)?;
        if needed.is_none() {
            let held = claims.iter().zip(held).filter(|(_, held)| *held).map(|(claim, _)| *claim);
            self.tell(guessed, held);
        }
        let chosen = |needed: Vec<bool>| {
            claims.iter().zip(needed).filter(|(_, needed)| *needed).map(|(c, _)| *c).collect()
        };
        Ok(needed.map(chosen))
    }

    /// What holds is of use to others, and to people.
    fn tell(&mut self, guessed: &Proof, held: impl Iterator<Item = (Slot, Term)> + Clone) {
        if self.watch.listens() {
            let what = told(self.subject.program(), guessed, held.clone());
            self.watch.happened(Event { engine: Laws.name(), what });
        }
        if self.watch.shares() {
            let mut claims = Claims::default();
            for (slot, formula) in held {
                claims.add(slot, guessed.terms(), formula, |symbol| Some(guessed.meaning(symbol)));
            }
            self.watch.tell(News { from: Laws.name(), worth: Worth::Holds, claims });
        }
    }

    fn proof(&self, guessed: &Proof, claims: &[(Slot, Term)]) -> Proof {
        let mut draft = self.draft();
        for (slot, formula) in claims {
            let meaning = |symbol| Some(guessed.meaning(symbol));
            if let Ok(formula) = draft.import(guessed.terms(), *formula, meaning) {
                // What may not be said there is left out; the checker hears of what is said.
                let _ = draft.add(*slot, formula);
            }
        }
        draft.finish()
    }

    fn judge(&mut self, proof: Proof) -> Verdict {
        let mut smt = Smt::new(CHECKED);
        self.watch.started(smt.cancel_handle());
        verdict(accepted(self.task, self.subject, proof, &mut smt))
    }
}
