//! Programs that have annotations of their own: which of these hold, and what they need beside them.
//!
//! First every clause is judged ([`judge`]): a run shows that it is false, or a proof that it holds,
//! in every call that the contracts allow or at least in every call of the program. Clauses that
//! hold are candidates for the proofs of properties, and what an engine finds out completes them.
//! Nothing that the user wrote is said again, and the completed text is looked at once more,
//! function by function ([`gate`]).

mod gate;
mod judge;

use std::io::Write;

use anyhow::Result;
use lakatos_check::{Checked, Instrumented, Outcome, Verdict, Why};
use lakatos_contracts::claims::Completed;
use lakatos_contracts::kept::Kept;
use lakatos_contracts::user::{Scene, User};
use lakatos_engine::Watch;
use lakatos_engine::horn::why;
use lakatos_evidence::Refutation;
use lakatos_ir::{Program, Property, Span};
use lakatos_logic::smt::{Reason, Smt};
use lakatos_modular::Clauses;
use lakatos_rank::Measures;
use lakatos_report::{diagnostic, evidence};
use lakatos_witness::outline::Outline;

use super::claims::CHECKED;
use super::{Proof, Proving, Retold, SIMPLIFIED};
use crate::exit::Exit;
use crate::task::Asked;
use crate::terminal::{self, BAD, DIM, GOOD, UNSURE};
use crate::verify::{refuted, unknown};
use crate::watch::watched;

const NAME: &str = "annotations";

/// What the user has annotated.
pub struct Annotated {
    clauses: Clauses,
    pub kept: Kept,
}

impl Annotated {
    /// `None` if there is nothing. What is wrong with the annotations has been shown.
    pub fn read(program: &Program) -> Result<Result<Option<Annotated>, Exit>> {
        let source = program.source.own();
        let options = lakatos_c::Options::of_model(program.types.model);
        let unit = match lakatos_c::check(source, &options) {
            Ok(unit) if !unit.annotations.is_empty() => unit,
            _ => return Ok(Ok(None)),
        };
        let clauses = match Clauses::new(program, &unit) {
            Ok(clauses) => clauses,
            Err(failure) => {
                terminal::diagnostics(&failure.file, &failure.diagnostics);
                return Ok(Err(Exit::BadInput));
            }
        };
        Ok(Ok(Some(Annotated { clauses, kept: Kept::new(program) })))
    }
}

/// Clauses, and what is known of them.
pub(super) struct Session<'a> {
    proving: &'a Proving<'a>,
    user: &'a User<'a>,
}

impl Proving<'_> {
    /// Proofs of the annotations and of properties, and how that ended.
    pub(super) fn assisted(
        &self,
        annotated: &Annotated,
        asked: &[Asked],
    ) -> Result<(Vec<Exit>, Vec<Proof>)> {
        let outline = Outline::new(self.program);
        let user = User::new(&annotated.clauses, &outline);
        let session = Session { proving: self, user: &user };
        let mut exits = session.unsupported()?;
        let (exit, holding, proof) = session.annotations()?;
        exits.push(exit);
        let mut proofs = Vec::from_iter(proof);
        if exit == Exit::Bad {
            return Ok((exits, proofs));
        }
        for asked in asked {
            let known = proofs.first().map(|proof: &Proof| &*proof.checked);
            let (exit, proof) = session.asked(asked, &holding, known)?;
            exits.push(exit);
            proofs.extend(proof);
        }
        Ok((exits, proofs))
    }
}

impl Session<'_> {
    fn at(&self, span: Span) -> String {
        self.proving.program.source.position(span.start).to_string()
    }

    /// A clause with its place.
    fn told(&self, index: usize) -> String {
        let clause = self.user.clause(index);
        format!("{} at {}: `{}`", clause.what, self.at(clause.span), self.user.text(index))
    }

    /// What of the annotations nobody looks at.
    fn unsupported(&self) -> Result<Vec<Exit>> {
        let out = &mut terminal::stderr();
        let clauses = self.user.clauses();
        let mut exits = Vec::new();
        for problem in &clauses.problems {
            let reason = format!(
                "unsupported: {} at {}; this annotation is kept, and nothing is known of it",
                problem.message,
                self.at(problem.span)
            );
            unknown(out, NAME, &reason)?;
            exits.push(Exit::Unknown);
        }
        for (span, reason) in &clauses.incomplete {
            writeln!(
                out,
                "{NAME}: {UNSURE}too weak{UNSURE:#}: {reason} ({}: `{}`)",
                self.at(*span),
                self.user.snippet(*span)
            )?;
            exits.push(Exit::Unknown);
        }
        Ok(exits)
    }

    /// What holds of the annotations, by number, and the proof that they are together with what
    /// they need.
    fn annotations(&self) -> Result<(Exit, Vec<usize>, Option<Proof>)> {
        let judged = self.judge();
        self.say_judged(&judged)?;
        if !judged.wrong.is_empty() {
            return Ok((Exit::Bad, Vec::new(), None));
        }
        let owed = self.user.owed(&judged.shown, judged.scene);
        let subject = Instrumented::new(&owed, Property::UnreachCall);
        let out = &mut terminal::stderr();
        let completed = match self.complete(&subject, &Vec::from_iter(judged.help.as_deref())) {
            Ok(completed) => completed,
            Err(reason) => {
                unknown(out, NAME, &self.explain(why(reason)))?;
                return Ok((Exit::Unknown, Vec::new(), None));
            }
        };
        let open = self.open(&judged, &completed);
        for (index, reason) in &open {
            let told = self.told(*index);
            unknown(out, NAME, &format!("{told} is not shown to hold: {reason}"))?;
        }
        let holding: Vec<usize> =
            (0..self.user.number()).filter(|i| open.iter().all(|(other, _)| other != i)).collect();
        self.say_weak(&judged, &holding)?;
        let rejected = match completed.outcome {
            Outcome::Checked(checked) => {
                let proof = self.proof(subject, checked, None);
                if !open.is_empty() {
                    return Ok((Exit::Unknown, holding, Some(proof)));
                }
                self.say_proved(&proof.checked)?;
                return Ok((Exit::Good, holding, Some(proof)));
            }
            Outcome::Rejected(rejected) => Why::rejected(subject.program(), *rejected),
            Outcome::Undecided(undecided) => Why::undecided(subject.program(), &undecided),
        };
        unknown(out, NAME, &self.explain(rejected))?;
        Ok((Exit::Unknown, holding, None))
    }

    /// Clauses of which a run shows something.
    fn say_judged(&self, judged: &judge::Judged) -> Result<()> {
        let out = &mut terminal::stderr();
        for (index, shown) in &judged.wrong {
            writeln!(out, "{NAME}: {BAD}refuted{BAD:#}: {}", self.told(*index))?;
            write!(out, "{shown}")?;
        }
        // What is false may be why others are weak.
        let weak = judged.weak.iter().filter(|_| judged.wrong.is_empty());
        for (index, shown) in weak {
            writeln!(
                out,
                "{NAME}: {UNSURE}too weak{UNSURE:#}: {} holds in this program, but not in every \
                 call that the contracts allow",
                self.told(*index)
            )?;
            write!(out, "{shown}")?;
        }
        Ok(())
    }

    fn say_proved(&self, checked: &Checked) -> Result<()> {
        let out = &mut terminal::stderr();
        let clauses = match self.user.owed_number() {
            // There are only declarations of the logic.
            0 => return Ok(()),
            1 => "1 clause".to_owned(),
            number => format!("{number} clauses"),
        };
        let said = self.user.clauses();
        let all = match said.problems.is_empty() && said.incomplete.is_empty() {
            true => "",
            false => ", apart from what is named above",
        };
        writeln!(out, "{NAME}: {GOOD}proved{GOOD:#} ({clauses}{all})")?;
        for assumption in checked.proof().assumptions() {
            writeln!(out, "  {DIM}assuming:{DIM:#} {assumption}")?;
        }
        for assumed in &self.user.clauses().assumptions {
            let at = assumed.span.map(|span| format!(" ({})", self.at(span)));
            let at = at.unwrap_or_default();
            writeln!(out, "  {DIM}assuming:{DIM:#} {}{at}", assumed.text)?;
        }
        Ok(())
    }

    /// Clauses that hold only together with something that the user has not written.
    fn say_weak(&self, judged: &judge::Judged, holding: &[usize]) -> Result<()> {
        let program = self.user.assumed(holding, false, judged.scene);
        let subject = Instrumented::new(&program, None);
        let Ok(alone) = self.complete(&subject, &[]) else { return Ok(()) };
        let out = &mut terminal::stderr();
        for index in self.user.lacking(&alone) {
            let is_told = judged.weak.iter().any(|(other, _)| *other == index);
            if is_told || !holding.contains(&index) {
                continue;
            }
            let flaw = self.watched(SIMPLIFIED, |smt| {
                self.user.flaw(&subject, &alone, index, self.overflow(), smt)
            });
            let Some(Why::Rejected { condition, values, .. }) = flaw else { continue };
            writeln!(
                out,
                "{NAME}: {UNSURE}too weak{UNSURE:#}: {} holds, but does not follow from the \
                 annotations\n  {}",
                self.told(index),
                needed(&condition, &values)
            )?;
        }
        Ok(())
    }

    /// What is not shown to hold, and why.
    fn open(&self, judged: &judge::Judged, completed: &Completed) -> Vec<(usize, String)> {
        if judged.help.is_some() {
            let lacking = self.user.lacking(completed);
            let reason = "the checker does not accept it".to_owned();
            return lacking.into_iter().map(|index| (index, reason.clone())).collect();
        }
        let reason = judged.unknown.clone().unwrap_or_default();
        let lacking = self.user.lacking(completed);
        let open = (0..self.user.number()).filter(|index| {
            let is_claim = self.user.is_claim(*index);
            lacking.contains(index) || !is_claim
        });
        open.map(|index| (index, reason.clone())).collect()
    }

    fn overflow(&self) -> lakatos_ir::SignedOverflow {
        self.proving.args.signed_overflow.into()
    }

    fn explain(&self, why: Why) -> String {
        self.proving.ends.explain(why).describe(&self.proving.program.source)
    }

    fn watched<R: Send>(
        &self,
        limits: lakatos_logic::smt::Limits,
        job: impl FnOnce(&mut Smt) -> R + Send,
    ) -> R {
        let stuck = |why| self.proving.stuck(NAME, why);
        watched(&self.proving.ends, self.proving.limits, stuck, |watcher| {
            let mut smt = Smt::new(limits);
            watcher.started(smt.cancel_handle());
            job(&mut smt)
        })
    }

    fn complete(&self, subject: &Instrumented, help: &[&Checked]) -> Result<Completed, Reason> {
        let help: Vec<_> = help.iter().map(|checked| checked.proof()).collect();
        self.watched(CHECKED, |smt| self.user.complete(subject, &help, self.overflow(), smt))
    }

    /// A proof with what is new in it. `None` is about the annotations.
    fn proof(
        &self,
        subject: Instrumented,
        checked: Box<Checked>,
        property: Option<Property>,
    ) -> Proof {
        let (measures, retold) = self.watched(SIMPLIFIED, |smt| {
            let measures = Measures::new(&subject, &checked, self.overflow(), smt);
            let added = self.user.added(&subject, &checked, property, smt);
            let whole = self.user.whole(&subject, &checked, property);
            (measures, Retold { added, whole })
        });
        Proof { subject, checked, measures, retold: Some(retold) }
    }

    fn asked(
        &self,
        asked: &Asked,
        holding: &[usize],
        known: Option<&Checked>,
    ) -> Result<(Exit, Option<Proof>)> {
        let out = &mut terminal::stderr();
        let property = match asked {
            Asked::Known(property) => *property,
            Asked::Unsupported(name) => {
                unknown(out, name, "this property is not supported")?;
                return Ok((Exit::Unknown, None));
            }
        };
        let mut weak = None;
        let mut reason = None;
        for scene in [Scene::Open, Scene::Closed] {
            match self.property(property, holding, known, scene) {
                Answer::Proved(subject, checked, lacking) => {
                    self.say_property(property, &checked, weak.as_deref(), lacking.as_ref())?;
                    return Ok((Exit::Good, Some(self.proof(*subject, checked, Some(property)))));
                }
                Answer::Refuted(program, run) if scene == Scene::Closed => {
                    refuted(out, &program, property, &run, "")?;
                    return Ok((Exit::Bad, None));
                }
                Answer::Refuted(program, run) => weak = Some(shown(&program, &run)),
                Answer::Unknown(why) => reason = Some(why),
            }
        }
        let reason = reason.map_or_else(String::new, |why| self.explain(why));
        unknown(out, property.name(), &reason)?;
        Ok((Exit::Unknown, None))
    }

    fn say_property(
        &self,
        property: Property,
        checked: &Checked,
        weak: Option<&str>,
        lacking: Option<&Why>,
    ) -> Result<()> {
        let out = &mut terminal::stderr();
        if let Some(shown) = weak {
            writeln!(
                out,
                "{NAME}: {UNSURE}too weak{UNSURE:#}: {property} holds in this program, but not in \
                 every call that the contracts allow"
            )?;
            write!(out, "{shown}")?;
        }
        if let Some(Why::Rejected { condition, values, .. }) = lacking {
            writeln!(
                out,
                "{NAME}: {UNSURE}too weak{UNSURE:#}: they are not enough for {property}\n  {}",
                needed(condition, values)
            )?;
        }
        writeln!(out, "{property}: {GOOD}proved{GOOD:#}")?;
        for assumption in checked.proof().assumptions() {
            writeln!(out, "  {DIM}assuming:{DIM:#} {assumption}")?;
        }
        Ok(())
    }

    /// The clauses that hold as a proof of a property, completed where they are not enough: by what
    /// is known from their own proof, and by what an engine finds.
    fn property(
        &self,
        property: Property,
        holding: &[usize],
        known: Option<&Checked>,
        scene: Scene,
    ) -> Answer {
        let base = self.user.assumed(holding, false, scene);
        let subject = Instrumented::new(&base, property);
        let mut help = Vec::from_iter(known);
        let lacking = match self.complete(&subject, &help) {
            Err(reason) => return Answer::Unknown(why(reason)),
            Ok(Completed { outcome: Outcome::Checked(checked), .. }) => {
                return Answer::Proved(Box::new(subject), checked, None);
            }
            Ok(Completed { outcome: Outcome::Rejected(rejected), .. }) => {
                Some(Why::rejected(subject.program(), *rejected))
            }
            Ok(_) => None,
        };
        let assumed = self.user.assumed(holding, true, scene);
        let found = match self.proving.by_engines(&assumed, property) {
            Verdict::Proved(checked) => self.proving.shorter(&assumed, property, checked),
            Verdict::Refuted(_) => {
                // A run has to be shown in the program as it is.
                let plain = self.user.assumed(&[], false, scene);
                return match self.proving.by_engines(&plain, property) {
                    Verdict::Refuted(run) => Answer::Refuted(Box::new(plain), run),
                    Verdict::Unknown(why) => Answer::Unknown(why),
                    Verdict::Proved(_) => Answer::Unknown(Why::NoProgress),
                };
            }
            Verdict::Unknown(why) => return Answer::Unknown(why),
        };
        help.push(&found);
        match self.complete(&subject, &help) {
            Err(reason) => Answer::Unknown(why(reason)),
            Ok(Completed { outcome: Outcome::Checked(checked), .. }) => {
                Answer::Proved(Box::new(subject), checked, lacking)
            }
            Ok(Completed { outcome: Outcome::Rejected(rejected), .. }) => {
                Answer::Unknown(Why::rejected(subject.program(), *rejected))
            }
            Ok(Completed { outcome: Outcome::Undecided(undecided), .. }) => {
                Answer::Unknown(Why::undecided(subject.program(), &undecided))
            }
        }
    }
}

/// What is known of a property.
enum Answer {
    /// With what the annotations lack for it.
    Proved(Box<Instrumented>, Box<Checked>, Option<Why>),
    Refuted(Box<Program>, Box<Refutation>),
    Unknown(Why),
}

/// A condition that does not follow, and values for which it fails.
fn needed(condition: &str, values: &[(String, String)]) -> String {
    let values: Vec<String> =
        values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match values.is_empty() {
        true => format!("needed: {condition}"),
        false => format!("needed: {condition} (fails with {})", values.join(", ")),
    }
}

/// A run with its inputs and its trace.
fn shown(program: &Program, run: &Refutation) -> String {
    // Colours are taken out where they are not wanted.
    let style = diagnostic::Style { color: true, ..diagnostic::Style::default() };
    let shown = evidence::refutation(program, run, style);
    // Which call it is the trace tells.
    let own = |line: &&str| !line.contains(Clauses::CHOICE);
    shown.split_inclusive('\n').filter(own).collect()
}
