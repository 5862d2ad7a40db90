//! Proofs and their mutants before the checker: what it accepts must be true.
//!
//! 1. Engines prove random programs and those of `corpus/pos`.
//! 2. All runs of such a program together give the states that its formulas speak of (`states`).
//! 3. A proof is changed in many ways (`change`). What the checker accepts must hold in all states.
//! 4. The numbers of unwindings and of induction are changed, and proofs are moved to a sibling of
//!    the program that a run violates (`bounds`). The checker must reject what a run violates.

mod bounds;
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
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::{Cancel, Limits, Reason, Smt};
use lakatos_logic::term::Term;

pub use self::bounds::Tried;
use self::bounds::{try_moved, try_numbers};
pub use self::change::Change;
use self::states::{Seen, states};
use super::configuration::{Engines, configurations};
use super::truth::{Question, compile, truth};
use super::{siblings, task};
use crate::generate::Rng;

/// Mutants of one formula by one kind of change.
const TRIES: usize = 1;
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
    /// Proofs of programs of the corpus among them.
    pub of_corpus: u64,
    /// Numbers of unwindings and of turns of induction.
    pub numbers: Tried,
    /// Proofs moved to a program that a run violates.
    pub moved: Tried,
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
        let Summary { proofs, of_corpus, last, .. } = self;
        writeln!(f, "{proofs} proofs ({of_corpus} of the corpus, seeds up to {last})")?;
        if self.undecided > 0 {
            writeln!(f, "  {} not decided when checked again", self.undecided)?;
        }
        for (what, tried) in [("numbers of turns", self.numbers), ("moved", self.moved)] {
            let Tried { false_, accepted, rejected } = tried;
            writeln!(
                f,
                "  {what}: {false_} violated by a run, all rejected; of the others {accepted} \
                 accepted, {rejected} rejected"
            )?;
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

impl Summary {
    /// All mutants, and those that were accepted.
    pub fn totals(&self) -> (u64, u64) {
        let tried =
            [self.numbers, self.moved].map(|t| (t.false_ + t.accepted + t.rejected, t.accepted));
        let changed =
            self.mutants.values().map(|c| (c.false_ + c.accepted + c.rejected, c.accepted));
        changed
            .chain(tried)
            .fold((0, 0), |(all, yes), (more, accepted)| (all + more, yes + accepted))
    }
}

/// What is proved and changed.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The first seed of random programs.
    pub first: u64,
    /// How many proofs.
    pub proofs: u64,
    /// Texts of other programs that are safe, with their properties.
    pub corpus: Vec<(String, Property)>,
}

/// Proofs that say something, from the corpus and from the programs of seeds, until there are so
/// many.
pub fn mutants(options: &Options, watch: impl Fn(u64) + Sync + Send) -> Result<Summary> {
    // One thread for all: terms are deep, and Z3's memory of a thread is never given back.
    let work = move || {
        let mut summary = Summary::default();
        let mut smt = Smt::new(QUERY);
        for (text, property) in &options.corpus {
            let signed_overflow = SignedOverflow::Undefined;
            let question = Question { property: *property, signed_overflow };
            if let Some(subject) = Subject::of(text.clone(), question, 0) {
                subject.try_mutants(&mut summary, &mut smt);
                summary.of_corpus += 1;
                watch(summary.proofs);
            }
        }
        for seed in options.first.. {
            if summary.proofs >= options.proofs {
                break;
            }
            summary.last = seed;
            try_sibling(seed, &mut summary, &mut smt);
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

/// Proofs of the safe program of a seed, for its violated sibling.
fn try_sibling(seed: u64, summary: &mut Summary, smt: &mut Smt) {
    let Some((safe, violating, question)) = siblings(seed) else { return };
    let (Some(safe), Some(program)) = (compile(&safe), compile(&violating)) else { return };
    let is_violated = truth(&program, question).is_some_and(|truth| truth.violated_by.is_some());
    if !is_violated {
        return;
    }
    let mut tell = |what: &str| {
        summary.findings.push(format!("// seed {seed}: {what}\n// {question:?}\n{violating}"));
    };
    for form in try_numbers(&program, question, true, &mut summary.numbers, smt) {
        tell(&format!("accepted as {form:?}, though a run violates it"));
    }
    if let Some(checked) = prove(&safe, question, seed)
        && try_moved(&checked, &program, question, &mut summary.moved, smt)
    {
        tell("a proof of another program was accepted");
    }
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
    program: Program,
    question: Question,
    instrumented: Instrumented,
    checked: Box<Checked>,
    seen: BTreeSet<Seen>,
}

impl Subject {
    fn new(seed: u64) -> Option<Subject> {
        let (text, question) = task(seed)?;
        Subject::of(text, question, seed)
    }

    fn of(text: String, question: Question, seed: u64) -> Option<Subject> {
        let program = compile(&text)?;
        truth(&program, question).filter(|truth| truth.violated_by.is_none())?;
        let checked = prove(&program, question, seed)?;
        let instrumented = Instrumented::of(&program, question.property, &checked);
        // Cells have values from outside that no run of the program as it is knows.
        let vars = &instrumented.program().vars;
        vars.iter().all(|(_, var)| !var.kind.is_ghost()).then_some(())?;
        let proof = checked.proof();
        proof.formulas().any(|(_, f)| tells(f)).then_some(())?;
        let cuts = proof.invariants().map(|(proc, loc, _)| (proc, loc)).collect();
        let seen = states(instrumented.program(), question, &cuts)?;
        Some(Subject { seed, text, program, question, instrumented, checked, seen })
    }

    fn try_mutants(&self, summary: &mut Summary, smt: &mut Smt) {
        summary.proofs += 1;
        let proof = self.checked.proof();
        if let Some(slot) = self.false_at(proof) {
            summary.findings.push(self.tell("an accepted formula is false", slot));
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
        let Subject { program, question, .. } = self;
        for form in try_numbers(program, *question, false, &mut summary.numbers, smt) {
            let slot = Slot::Requires(self.instrumented.program().start);
            summary.findings.push(self.tell(&format!("{form:?} was accepted"), slot));
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
        let Some(mutant) = change.apply(rng, program, self.checked.proof(), slot) else { return };
        let false_at = self.false_at(&mutant);
        let accepted = matches!(self.check(mutant, smt), Outcome::Checked(_));
        let counts = summary.mutants.entry(change).or_default();
        match (false_at, accepted) {
            (Some(at), true) => {
                summary.findings.push(self.tell(&format!("{change:?} was accepted"), at));
            }
            (Some(_), false) => counts.false_ += 1,
            (None, true) => counts.accepted += 1,
            (None, false) => counts.rejected += 1,
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

    /// Where a formula is false in a state that is reached, or a procedure changes what it does not
    /// name.
    fn false_at(&self, proof: &Proof) -> Option<Slot> {
        let program = self.instrumented.program();
        let formulas: BTreeMap<Slot, Term> = proof.formulas().collect();
        let assigns: BTreeMap<_, _> =
            proof.contracts().map(|(proc, contract)| (proc, &contract.assigns)).collect();
        let is_wrong = |seen: &&Seen| {
            let formula = formulas.get(&seen.slot).copied().unwrap_or(Term::TRUE);
            let changes_more = match seen.slot {
                Slot::Ensures(proc) => assigns.get(&proc).is_some_and(|assigns| {
                    seen.changed(program).any(|var| !assigns.touches(program, var))
                }),
                Slot::Requires(_) | Slot::Invariant(..) => false,
            };
            changes_more || seen.holds(program, proof, formula) == Some(false)
        };
        self.seen.iter().find(is_wrong).map(|seen| seen.slot)
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
    let engine: Box<dyn Engine> = match seed % 4 {
        1 => configurations(seed / 4, 1, Engines::All).pop()?.engine(QUERY),
        _ => Box::new(StackCegar { domain, probe: false, limits: QUERY, ..StackCegar::default() }),
    };
    let task = Task { program, property, signed_overflow };
    match engine.solve(&task, &mut Limited::default()).verdict {
        Verdict::Proved(checked) => Some(checked),
        _ => None,
    }
}
