//! Contracts from another tool's witness: what it claims and holds, with what an engine adds.

use anyhow::{Result, anyhow, ensure};
use lakatos_check::{Checked, Instrumented, Outcome, Verdict, Why};
use lakatos_contracts::claims::{Claims, Completed};
use lakatos_contracts::simplify;
use lakatos_engine::Watch;
use lakatos_engine::horn::why;
use lakatos_ir::{Program, Property};
use lakatos_logic::smt::{self, Reason, Smt};
use lakatos_witness::format::{self, Content, Invariant, Witness};
use lakatos_witness::outline::Outline;

use super::{Proving, SIMPLIFIED};
use crate::check::{mismatch, read_witnesses};
use crate::input;
use crate::load::Choice;
use crate::task::Asked;
use crate::terminal::note;
use crate::watch::watched;

/// Of each query about claims.
pub(super) const CHECKED: smt::Limits = smt::Limits { resources: Some(50_000_000), time: None };

/// The invariants that witnesses of a program claim.
pub struct Claimed {
    name: String,
    witnesses: Vec<Witness>,
}

impl Claimed {
    pub fn read(path: &std::path::Path, choice: &Choice) -> Result<Claimed> {
        let name = input::display_name(path);
        let witnesses = read_witnesses(path)?;
        let hash = format::hash(&input::read(&choice.path)?);
        for witness in &witnesses {
            if let Some(reason) = mismatch(choice, &hash, witness) {
                return Err(anyhow!("{name}: {reason}"));
            }
            ensure!(
                matches!(witness.content, Content::Correctness(_)),
                "{name}: the witness is about a violation, and contracts are about what holds\n  \
                 Give a correctness witness (`invariant_set`)."
            );
        }
        Ok(Claimed { name, witnesses })
    }

    /// What the witnesses are about.
    pub fn properties(&self) -> Vec<Asked> {
        let mut all = Vec::new();
        for witness in &self.witnesses {
            let specification = &witness.metadata.task.specification;
            let asked = match format::property(specification) {
                Some(property) => Asked::Known(property),
                None => Asked::Unsupported(specification.clone()),
            };
            if !all.contains(&asked) {
                all.push(asked);
            }
        }
        all
    }

    /// All that is claimed, whatever for: these are candidates.
    pub fn invariants(&self) -> Vec<Invariant> {
        let mut all = Vec::new();
        for witness in &self.witnesses {
            if let Content::Correctness(invariants) = &witness.content {
                all.extend(invariants.iter().cloned());
            }
        }
        all
    }
}

impl Proving<'_> {
    /// The claims as a proof of a property, completed where they are not enough. The program that
    /// the proof is about goes with it.
    pub(super) fn completed(&self, claimed: &Claimed, property: Property) -> (Program, Verdict) {
        let outline = Outline::new(self.program);
        let claims = Claims::new(self.program, &outline, &claimed.invariants());
        for reason in claims.unread() {
            note(&format!("{}: {reason}", claimed.name));
        }
        let subject = Instrumented::new(claims.program(), property);
        let verdict = match self.complete(&claims, &subject, None, property) {
            Err(reason) => Verdict::Unknown(why(reason)),
            Ok(Completed { outcome: Outcome::Checked(checked), left_out, .. }) => {
                tell(claimed, &left_out);
                Verdict::Proved(checked)
            }
            Ok(Completed { holding, .. }) => {
                self.with_help(claimed, &claims, &subject, &holding, property)
            }
        };
        (claims.program().clone(), verdict)
    }

    /// What an engine proves where the claims that hold are assumed is offered beside them.
    fn with_help(
        &self,
        claimed: &Claimed,
        claims: &Claims<'_>,
        subject: &Instrumented,
        holding: &[usize],
        property: Property,
    ) -> Verdict {
        let assumed = claims.assumed(holding);
        let help = match self.by_engines(&assumed, property) {
            Verdict::Proved(checked) => self.shorter(&assumed, property, checked),
            // A run of the one is a run of the other, but it has to be shown in the program as it is.
            Verdict::Refuted(_) => return self.by_engines(self.program, property),
            unknown @ Verdict::Unknown(_) => return unknown,
        };
        match self.complete(claims, subject, Some(&help), property) {
            Err(reason) => Verdict::Unknown(why(reason)),
            Ok(Completed { outcome, left_out, .. }) => {
                tell(claimed, &left_out);
                match outcome {
                    Outcome::Checked(checked) => Verdict::Proved(checked),
                    Outcome::Rejected(rejected) => {
                        Verdict::Unknown(Why::rejected(subject.program(), *rejected))
                    }
                    Outcome::Undecided(undecided) => {
                        Verdict::Unknown(Why::undecided(subject.program(), &undecided))
                    }
                }
            }
        }
    }

    pub(super) fn shorter(
        &self,
        assumed: &Program,
        property: Property,
        checked: Box<Checked>,
    ) -> Box<Checked> {
        let subject = Instrumented::new(assumed, property);
        let overflow = self.args.signed_overflow.into();
        let stuck = |why| self.stuck(property.name(), why);
        watched(&self.ends, self.limits, stuck, |watcher| {
            let mut smt = Smt::new(SIMPLIFIED);
            watcher.started(smt.cancel_handle());
            simplify(&subject, checked, overflow, &mut smt)
        })
    }

    fn complete(
        &self,
        claims: &Claims<'_>,
        subject: &Instrumented,
        help: Option<&Checked>,
        property: Property,
    ) -> Result<Completed, Reason> {
        let overflow = self.args.signed_overflow.into();
        let stuck = |why| self.stuck(property.name(), why);
        watched(&self.ends, self.limits, stuck, |watcher| {
            let mut smt = Smt::new(CHECKED);
            watcher.started(smt.cancel_handle());
            claims.complete(subject, help.map(Checked::proof), overflow, &mut smt)
        })
    }
}

fn tell(claimed: &Claimed, left_out: &[lakatos_contracts::claims::LeftOut]) {
    for claim in left_out {
        note(&format!("{}: {claim}", claimed.name));
    }
}
