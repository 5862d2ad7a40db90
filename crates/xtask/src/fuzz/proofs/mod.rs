//! Proofs and their mutants before the checker. A proof of a random program is changed in one
//! formula; all runs of the program together show whether the changed formula is false in a state
//! that is reached. If it is, the checker must not accept it. What it accepted is true everywhere.

mod change;
mod states;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context as _, Result};
use lakatos_check::{Checked, Instrumented, Outcome, Verdict, check};
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_evidence::{Proof, Slot};
use lakatos_ir::Program;
use lakatos_logic::smt::{Cancel, Limits, Reason, Smt};
use lakatos_logic::term::Term;

pub use self::change::Change;
use self::states::{Seen, states};
use super::task;
use super::truth::{Question, compile, truth};
use crate::generate::Rng;

/// Mutants of one formula by one kind of change.
const TRIES: usize = 2;
const STACK: usize = 256 << 20;
/// Of a search. Where there are many predicates, one state can take minutes.
const MOST_NODES: usize = 300;
const MOST_TIME: Duration = Duration::from_secs(3);
/// Of a query.
const QUERY: Limits = Limits { resources: Some(2_000_000), time: None };

/// What became of proofs and mutants.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub proofs: u64,
    /// The last seed that was tried.
    pub last: u64,
    /// By change: mutants that are false somewhere, and others that were accepted and not.
    pub mutants: BTreeMap<Change, Counts>,
    /// Proofs of which the solver did not know the second time; no verdict comes of that.
    pub undecided: u64,
    pub findings: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// False in a state that is reached; none of them was accepted.
    pub false_: u64,
    pub accepted: u64,
    pub rejected: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} proofs (seeds up to {})", self.proofs, self.last)?;
        if self.undecided > 0 {
            writeln!(f, "  {} not decided when checked again", self.undecided)?;
        }
        for (change, Counts { false_, accepted, rejected }) in &self.mutants {
            writeln!(
                f,
                "  {change:?}: {false_} false somewhere, all rejected; of the others {accepted} \
                 accepted, {rejected} rejected"
            )?;
        }
        Ok(())
    }
}

/// Proofs that say something, from the programs of seeds, until there are so many.
pub fn mutants(first: u64, proofs: u64, watch: impl Fn(u64) + Sync + Send) -> Result<Summary> {
    // One thread for all: terms are deep, and Z3's memory of a thread is never given back.
    let work = move || {
        let mut summary = Summary::default();
        let mut smt = Smt::new(QUERY);
        for seed in first.. {
            if summary.proofs == proofs {
                break;
            }
            summary.last = seed;
            if let Some(subject) = Subject::new(seed) {
                subject.try_mutants(&mut summary, &mut smt);
                watch(summary.proofs);
            }
        }
        summary
    };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        worker.join().ok().context("the worker panicked")
    })
}

/// Ends a search when its graph is large, or it takes long.
#[derive(Default)]
struct Limited {
    /// The clock waits for it to be dropped.
    alive: Option<Sender<Infallible>>,
}

impl Watch for Limited {
    fn started(&mut self, cancel: Cancel) {
        let (alive, end) = channel();
        self.alive = Some(alive);
        std::thread::spawn(move || {
            if end.recv_timeout(MOST_TIME) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
    }

    fn progress(&mut self, statistics: Statistics) -> std::result::Result<(), Reason> {
        match statistics.nodes > MOST_NODES {
            true => Err(Reason::Resources),
            false => Ok(()),
        }
    }
}

/// A checked proof, and all states that its formulas are about.
struct Subject {
    seed: u64,
    text: String,
    question: Question,
    instrumented: Instrumented,
    checked: Box<Checked>,
    seen: BTreeSet<Seen>,
}

impl Subject {
    fn new(seed: u64) -> Option<Subject> {
        let (text, question) = task(seed)?;
        let program = compile(&text)?;
        let instrumented = Instrumented::new(&program, question.property);
        // Cells have values from outside that no run of the program as it is knows.
        let vars = &instrumented.program().vars;
        vars.iter().all(|(_, var)| !var.kind.is_ghost()).then_some(())?;
        truth(&program, question).filter(|truth| truth.violated_by.is_none())?;
        let checked = prove(&program, question, seed)?;
        let proof = checked.proof();
        proof.formulas().any(|(_, f)| tells(f)).then_some(())?;
        let cuts = proof.invariants().map(|(proc, loc, _)| (proc, loc)).collect();
        let seen = states(instrumented.program(), question, &cuts)?;
        Some(Subject { seed, text, question, instrumented, checked, seen })
    }

    fn try_mutants(&self, summary: &mut Summary, smt: &mut Smt) {
        summary.proofs += 1;
        let proof = self.checked.proof();
        for (slot, formula) in proof.formulas() {
            if self.is_false(proof, slot, formula) {
                summary.findings.push(self.tell("an accepted formula is false", slot));
            }
        }
        let again = proof.redraft(self.instrumented.program(), |_, _, formula| formula);
        match again.ok().map(|again| self.check_again(again, smt)) {
            None | Some(Outcome::Checked(_)) => {}
            Some(Outcome::Undecided(_)) => summary.undecided += 1,
            Some(Outcome::Rejected(_)) => summary.findings.push(self.tell(
                "an accepted proof is rejected",
                Slot::Requires(self.instrumented.program().start),
            )),
        }
        let mut rng = Rng::new(self.seed);
        let telling: Vec<Slot> =
            proof.formulas().filter(|(_, f)| tells(*f)).map(|(slot, _)| slot).collect();
        for slot in telling {
            for change in Change::ALL {
                for _ in 0..TRIES {
                    self.try_one(summary, smt, &mut rng, slot, change);
                }
            }
        }
    }

    fn try_one(
        &self,
        summary: &mut Summary,
        smt: &mut Smt,
        rng: &mut Rng,
        slot: Slot,
        change: Change,
    ) {
        let program = self.instrumented.program();
        let mutant = self.checked.proof().redraft(program, |terms, at, formula| match at == slot {
            true => change.apply(rng, terms, formula),
            false => formula,
        });
        let Ok(mutant) = mutant else { return };
        let changed = mutant.formulas().find(|(at, _)| *at == slot);
        let is_false = changed.is_some_and(|(_, f)| self.is_false(&mutant, slot, f));
        let accepted = matches!(self.check(mutant, smt), Outcome::Checked(_));
        let counts = summary.mutants.entry(change).or_default();
        match (is_false, accepted) {
            (true, true) => {
                summary.findings.push(self.tell(&format!("{change:?} was accepted"), slot));
            }
            (true, false) => counts.false_ += 1,
            (false, true) => counts.accepted += 1,
            (false, false) => counts.rejected += 1,
        }
    }

    /// A solver that has seen many proofs may need more work than a new one.
    fn check_again(&self, proof: Proof, smt: &mut Smt) -> Outcome {
        match self.check(proof, smt) {
            Outcome::Undecided(undecided) => {
                self.check(undecided.proof, &mut Smt::new(Limits { resources: None, ..QUERY }))
            }
            outcome => outcome,
        }
    }

    fn check(&self, proof: Proof, smt: &mut Smt) -> Outcome {
        check(&self.instrumented, proof, self.question.signed_overflow, smt)
    }

    /// In a state that is reached.
    fn is_false(&self, proof: &Proof, slot: Slot, formula: Term) -> bool {
        let program = self.instrumented.program();
        let here = self.seen.iter().filter(|seen| seen.slot == slot);
        here.into_iter().any(|seen| seen.holds(program, proof, formula) == Some(false))
    }

    fn tell(&self, what: &str, slot: Slot) -> String {
        format!("// seed {}: {what}, at {slot:?}\n// {:?}\n{}", self.seed, self.question, self.text)
    }
}

/// Neither `true` nor `false`.
fn tells(formula: Term) -> bool {
    formula != Term::TRUE && formula != Term::FALSE
}

fn prove(program: &Program, question: Question, seed: u64) -> Option<Box<Checked>> {
    let Question { property, signed_overflow } = question;
    let domain = if seed.is_multiple_of(2) { Kind::Product } else { Kind::Predicate };
    let engine = StackCegar { domain, probe: false, limits: QUERY, ..StackCegar::default() };
    let task = Task { program, property, signed_overflow };
    match engine.solve(&task, &mut Limited::default()).verdict {
        Verdict::Proved(checked) => Some(checked),
        _ => None,
    }
}
