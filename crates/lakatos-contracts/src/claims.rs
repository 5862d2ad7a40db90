//! What somebody else claims of a program, completed to a proof: the invariants of another tool's
//! witness, say.
//!
//! Claims are candidates. Those that hold, each if the others do, are kept ([`inductive`]); where
//! they are no proof of the property by themselves, an engine looks for the rest in the program in
//! which they are assumed ([`Claims::assumed`]), and what it proves there joins the candidates. The
//! result is checked in the program as it is, like every other proof.

use std::fmt;

use lakatos_check::{Checked, Instrumented, Outcome, check, inductive, minimise, open_errors};
use lakatos_evidence::{Assumption, Draft, Meaning, Proof, Slot, When};
use lakatos_ir::loops::Loops;
use lakatos_ir::{Call, Callee, ExprKind, Id, Instr, ProcId, Program, SignedOverflow, Span, Type};
use lakatos_logic::smt::{Reason, Smt};
use lakatos_logic::term::{Symbol, Term};
use lakatos_witness::expression::Reader;
use lakatos_witness::format::Invariant;
use lakatos_witness::invariants::{self, Claim, Problem, Said};
use lakatos_witness::outline::Outline;

use crate::effects::Changes;
use crate::lengths::Lengths;

/// The claims that can be read.
#[derive(Debug)]
pub struct Claims<'o> {
    reader: Reader<'o>,
    all: Vec<Claim>,
    unread: Vec<String>,
}

/// What became of claims.
#[derive(Debug)]
pub struct Completed {
    /// The proof that they, and what helped, are.
    pub outcome: Outcome,
    /// The claims that hold, by number.
    pub holding: Vec<usize>,
    pub left_out: Vec<LeftOut>,
}

/// A claim that is no part of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which one, with its line.
    pub what: String,
    pub text: String,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    NotShown,
    /// It speaks of something that proofs do not speak of.
    NoFormula,
    /// Annotations of functions and loops cannot say it, and the proof can do without it.
    NoPlace,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftOut { what, text, why } = self;
        let why = match why {
            Why::NotShown => "it is not shown to hold",
            Why::NoFormula => "proofs cannot say it",
            Why::NoPlace => "it holds, but it is neither about a loop nor a contract",
        };
        write!(f, "{what} is left out: `{text}`: {why}")
    }
}

/// Something that may become part of a proof.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The number of the claim that says it, if one does.
    claim: Option<usize>,
    slot: Slot,
    formula: Term,
    /// The proof is better without it, if it can do without: nothing that a person has said, or it
    /// has no place in annotations.
    spare: bool,
}

/// The candidates, in the arena of a proof.
struct Pool {
    proof: Proof,
    candidates: Vec<Candidate>,
}

impl<'o> Claims<'o> {
    /// The outline is the program's.
    pub fn new(program: &Program, outline: &'o Outline, said: &[Invariant]) -> Claims<'o> {
        let mut reader = Reader::new(program.clone(), outline);
        let (mut all, mut unread) = (Vec::new(), Vec::new());
        for claim in invariants::claims(&mut reader, outline, said) {
            match claim {
                Ok(claim) => all.push(claim),
                Err(Problem::Misplaced(reason) | Problem::Unreadable(reason)) => {
                    unread.push(reason);
                }
            }
        }
        Claims { reader, all, unread }
    }

    /// Claims that somebody has read; the reader's program has their conditions.
    pub fn of(reader: Reader<'o>, all: Vec<Claim>) -> Claims<'o> {
        Claims { reader, all, unread: Vec::new() }
    }

    pub(crate) fn reader(&self) -> &Reader<'o> {
        &self.reader
    }

    /// What all claims say, in the arena of what they would be as a proof.
    pub(crate) fn said(&self, subject: &Instrumented) -> (Proof, Vec<(Slot, Term)>) {
        let program = subject.program();
        let mut draft = Draft::new(program, subject.property());
        let mut all = Vec::new();
        for claim in &self.all {
            let said = invariants::add(&self.reader, program, &mut draft, claim);
            all.extend(said.map(|Said { slot, holds, .. }| (slot, holds)));
        }
        (draft.finish(), all)
    }

    /// Whether these claims are a proof by themselves.
    pub(crate) fn alone(
        &self,
        subject: &Instrumented,
        which: &[usize],
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Outcome {
        let program = subject.program();
        let mut draft = Draft::new(program, subject.property());
        draft.assume(Assumption::of(program, subject.property(), signed_overflow));
        for number in which {
            invariants::add(&self.reader, program, &mut draft, &self.all[*number]);
        }
        check(subject, draft.finish(), signed_overflow, smt)
    }

    /// Why claims cannot be read, those that cannot.
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// The program, in which everything has the number that it had.
    pub fn program(&self) -> &Program {
        &self.reader.program
    }

    /// The program in which a run ends where one of these claims does not hold. For claims that do
    /// hold it is the same program.
    pub fn assumed(&self, holding: &[usize]) -> Program {
        let claims: Vec<Claim> = holding.iter().map(|number| self.all[*number].clone()).collect();
        invariants::assumed(&self.reader, &claims)
    }

    /// The same, where of the errors only those are left that may be reached as far as these claims
    /// tell; by what [`Claims::open`] says.
    pub fn rest(&self, holding: &[usize], open: &[(ProcId, Span)]) -> Program {
        let mut program = self.assumed(holding);
        let never = program.expr(ExprKind::Int(0), Type::BOOL, Span::default());
        let errors: Vec<bool> = program.procs.iter().map(|(_, p)| p.is_error).collect();
        for (proc, procedure) in program.procs.iter_mut() {
            let Some(body) = &mut procedure.body else { continue };
            for (_, edge) in body.edges.iter_mut() {
                if let Instr::Call(Call { callee: Callee::Proc(callee), .. }) = edge.instr
                    && errors[callee.index()]
                    && !open.contains(&(proc, edge.span))
                {
                    edge.instr = Instr::Assume(never);
                }
            }
        }
        program
    }

    /// The errors that may be reached as far as these claims tell, by procedure and place; `None`
    /// if that cannot be told. An error if somebody wants an end.
    pub fn open(
        &self,
        subject: &Instrumented,
        holding: &[usize],
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Result<Option<Vec<(ProcId, Span)>>, Reason> {
        let program = subject.program();
        let mut draft = Draft::new(program, subject.property());
        draft.assume(Assumption::of(program, subject.property(), signed_overflow));
        for number in holding {
            invariants::add(&self.reader, program, &mut draft, &self.all[*number]);
        }
        open_errors(subject, &draft.finish(), signed_overflow, smt)
    }

    /// How many claims there are.
    pub fn number(&self) -> usize {
        self.all.len()
    }

    /// All that holds of the claims, and of a proof about the program in which some of them are
    /// assumed. An error if somebody wants an end.
    pub fn complete(
        &self,
        subject: &Instrumented,
        help: Option<&Proof>,
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Result<Completed, Reason> {
        self.complete_with(subject, &Vec::from_iter(help), signed_overflow, smt)
    }

    /// The same with several proofs.
    pub fn complete_with(
        &self,
        subject: &Instrumented,
        help: &[&Proof],
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Result<Completed, Reason> {
        let Pool { proof, candidates } = self.pool(subject, help, signed_overflow);
        let offered: Vec<(Slot, Term)> =
            candidates.iter().map(|candidate| (candidate.slot, candidate.formula)).collect();
        let holds = inductive(subject, &proof, &offered, signed_overflow, smt)?;
        let judged: Vec<(Candidate, bool)> = candidates.into_iter().zip(holds).collect();
        let kept = judged.iter().filter(|(_, holds)| *holds).map(|(candidate, _)| *candidate);
        let kept: Vec<Candidate> = kept.collect();
        let wanted: Vec<Candidate> = kept.iter().copied().filter(|one| !one.spare).collect();
        let work = Work { subject, signed_overflow, proof: &proof };
        let (outcome, spared) = match work.attempt(smt, &wanted, None) {
            Outcome::Checked(checked) => (work.shorter(smt, &wanted, checked), true),
            _ => (work.attempt(smt, &kept, None), false),
        };
        Ok(self.told(outcome, &judged, spared))
    }

    /// What became of each claim.
    fn told(&self, outcome: Outcome, judged: &[(Candidate, bool)], spared: bool) -> Completed {
        let (mut holding, mut left_out) = (Vec::new(), Vec::new());
        for (number, claim) in self.all.iter().enumerate() {
            let own = judged.iter().filter(|(candidate, _)| candidate.claim == Some(number));
            let own: Vec<&(Candidate, bool)> = own.collect();
            if !own.is_empty() && own.iter().all(|(_, holds)| *holds) {
                holding.push(number);
            }
            let why = match own[..] {
                [] => Why::NoFormula,
                [(_, false), ..] => Why::NotShown,
                [(Candidate { spare: true, .. }, _), ..] if spared => Why::NoPlace,
                _ => continue,
            };
            left_out.push(LeftOut { what: claim.what.clone(), text: claim.text.clone(), why });
        }
        Completed { outcome, holding, left_out }
    }

    fn pool(
        &self,
        subject: &Instrumented,
        help: &[&Proof],
        signed_overflow: SignedOverflow,
    ) -> Pool {
        let program = subject.program();
        let mut draft = Draft::new(program, subject.property());
        draft.assume(Assumption::of(program, subject.property(), signed_overflow));
        let mut candidates = Vec::new();
        for (number, claim) in self.all.iter().enumerate() {
            let Some(said) = invariants::add(&self.reader, program, &mut draft, claim) else {
                continue;
            };
            let Said { slot, holds, defined } = said;
            let homeless = !has_home(program, slot);
            for (formula, spare) in [(holds, homeless), (defined, true)] {
                candidates.push(Candidate { claim: Some(number), slot, formula, spare });
            }
        }
        for help in help {
            candidates.extend(self.offered(program, &mut draft, help));
        }
        Pool { proof: draft.finish(), candidates }
    }

    /// The parts of a proof about the program with assumptions, in the words of this one. Those
    /// that have none are nobody's loss: the result is checked.
    fn offered(&self, program: &Program, draft: &mut Draft<'_>, proof: &Proof) -> Vec<Candidate> {
        let unknown = Lengths::new();
        let changes = Changes::new(&self.reader.program, &unknown);
        let mut offered = Vec::new();
        for (slot, formula) in proof.formulas() {
            if !is_in(&self.reader.program, slot) || !is_in(program, slot) {
                continue;
            }
            let (Slot::Requires(proc) | Slot::Ensures(proc) | Slot::Invariant(proc, _)) = slot;
            let changed = match slot {
                Slot::Invariant(..) => Some(changes.of_procedure(proc).vars),
                Slot::Requires(_) | Slot::Ensures(_) => None,
            };
            let meaning = |symbol: Symbol| {
                let meant = proof.meaning(symbol);
                let at_entry = self.reader.at_entry(meant.var).filter(|_| meant.when == When::Now);
                Some(match at_entry {
                    // Inside, what nothing changes is what it was.
                    Some(var) if changed.as_ref().is_some_and(|c| !c.contains(&var)) => {
                        Meaning::now(var)
                    }
                    Some(var) => Meaning::entry(var),
                    None => meant,
                })
            };
            for part in proof.terms().conjuncts(formula) {
                let said = draft.import(proof.terms(), part, meaning);
                if let Ok(formula) = said
                    && draft.add(slot, formula).is_ok()
                {
                    offered.push(Candidate { claim: None, slot, formula, spare: false });
                }
            }
        }
        offered
    }
}

/// The place exists in the program.
fn is_in(program: &Program, slot: Slot) -> bool {
    let (Slot::Requires(proc) | Slot::Ensures(proc) | Slot::Invariant(proc, _)) = slot;
    let body = program.procs.get(proc).and_then(|procedure| procedure.body.as_ref());
    body.is_some_and(|body| match slot {
        Slot::Invariant(_, loc) => loc.index() < body.locs.len(),
        Slot::Requires(_) | Slot::Ensures(_) => true,
    })
}

/// Annotations have a place for it.
fn has_home(program: &Program, slot: Slot) -> bool {
    let Slot::Invariant(proc, loc) = slot else { return true };
    let body = program.procs[proc].body.as_ref();
    body.is_some_and(|body| Loops::new(body).cut_points().contains(&loc))
}

/// Makes proofs of candidates.
struct Work<'a> {
    subject: &'a Instrumented,
    signed_overflow: SignedOverflow,
    /// The arena of the candidates.
    proof: &'a Proof,
}

impl Work<'_> {
    /// Checks the proof that says these things, and what another one says.
    fn attempt(&self, smt: &mut Smt, said: &[Candidate], more: Option<&Proof>) -> Outcome {
        let (program, property) = (self.subject.program(), self.subject.property());
        let mut draft = Draft::new(program, property);
        draft.assume(Assumption::of(program, property, self.signed_overflow));
        let own = said.iter().map(|candidate| (self.proof, candidate.slot, candidate.formula));
        let others = more
            .into_iter()
            .flat_map(|proof| proof.formulas().map(move |(slot, formula)| (proof, slot, formula)));
        for (of, slot, formula) in own.chain(others) {
            let formula = draft.import(of.terms(), formula, |symbol| Some(of.meaning(symbol)));
            let added = formula.and_then(|formula| draft.add(slot, formula));
            debug_assert!(added.is_ok(), "proofs of one program have the same words");
        }
        check(self.subject, draft.finish(), self.signed_overflow, smt)
    }

    /// The claims with only as much help as the proof needs, where that can be told.
    fn shorter(&self, smt: &mut Smt, said: &[Candidate], checked: Box<Checked>) -> Outcome {
        let is_claim = |candidate: &&Candidate| candidate.claim.is_some();
        let claims: Vec<Candidate> = said.iter().filter(is_claim).copied().collect();
        if claims.len() == said.len() {
            return Outcome::Checked(checked);
        }
        let needed = minimise(self.subject, checked, self.signed_overflow, smt);
        match self.attempt(smt, &claims, Some(needed.proof())) {
            Outcome::Checked(checked) => Outcome::Checked(checked),
            _ => self.attempt(smt, said, None),
        }
    }
}
