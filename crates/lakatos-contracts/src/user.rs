//! What the user wrote of a program, completed to a proof: the annotations that its source has.
//!
//! Each clause is a question ([`User::judged`]); those that hold and that others may rely on are
//! claims ([`crate::claims`]), and what an engine finds out beside them completes them. Of the proof
//! that they are then, [`User::added`] is what the user did not say.
//!
//! Questions have a scene: functions with contracts are called as the program does it, or also in
//! every state that their contracts allow. A proof of the latter needs no `requires` that the user
//! did not write.

use std::collections::BTreeMap;

use lakatos_check::{Checked, Instrumented, Outcome, Why};
use lakatos_evidence::{Draft, Meaning, Proof, Slot};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::{Program, Property, SignedOverflow, Span};
use lakatos_logic::smt::{Answer, Reason, Smt};
use lakatos_logic::term::{Symbol, Term};
use lakatos_modular::{Clauses, Use, UserClause, When};
use lakatos_witness::expression::Reader;
use lakatos_witness::invariants::{self, At, Claim};
use lakatos_witness::outline::Outline;

use crate::claims::{Claims, Completed};

/// How functions with contracts are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// As their contracts allow, and as the program calls them.
    Open,
    /// As the program calls them.
    Closed,
}

/// The clauses of a program as claims.
#[derive(Debug)]
pub struct User<'o> {
    clauses: &'o Clauses,
    claims: Claims<'o>,
    /// All clauses, in their order.
    all: Vec<Claim>,
    /// Of each claim that is `claims`, its clause.
    known: Vec<usize>,
}

impl<'o> User<'o> {
    pub fn new(clauses: &'o Clauses, outline: &'o Outline) -> User<'o> {
        let program = &clauses.program;
        let all: Vec<Claim> = clauses.all.iter().map(|clause| claim(program, clause)).collect();
        let known: Vec<usize> =
            (0..all.len()).filter(|index| clauses.all[*index].usage == Use::Known).collect();
        let reader = Reader::with_shadows(program.clone(), outline, clauses.shadows.clone());
        let claims = Claims::of(reader, known.iter().map(|index| all[*index].clone()).collect());
        User { clauses, claims, all, known }
    }

    pub fn clauses(&self) -> &'o Clauses {
        self.clauses
    }

    /// How many clauses there are.
    pub fn number(&self) -> usize {
        self.all.len()
    }

    /// How many of them have to be shown.
    pub fn owed_number(&self) -> usize {
        self.clauses.all.iter().filter(|clause| !clause.is_believed).count()
    }

    pub fn clause(&self, index: usize) -> &'o UserClause {
        &self.clauses.all[index]
    }

    /// A clause as the user wrote it, on one line.
    pub fn text(&self, index: usize) -> String {
        self.snippet(self.clauses.all[index].span)
    }

    pub fn snippet(&self, span: Span) -> String {
        let text = self.clauses.program.source.snippet(span);
        let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "@").collect();
        words.join(" ").trim_end_matches(';').to_owned()
    }

    /// The program comes to the function of a clause, as far as its calls tell.
    pub fn is_called(&self, index: usize) -> bool {
        let program = &self.clauses.program;
        let calls = CallGraph::new(program);
        let (mut seen, mut open) = (vec![program.start], vec![program.start]);
        while let Some(proc) = open.pop() {
            for callee in calls.callees(proc) {
                if !seen.contains(callee) {
                    seen.push(*callee);
                    open.push(*callee);
                }
            }
        }
        seen.contains(&self.clauses.all[index].proc)
    }

    /// The program in which it is an error if one of these clauses does not hold, and nothing else
    /// is.
    pub fn judged(&self, which: &[usize], scene: Scene) -> Program {
        let claims: Vec<Claim> = which.iter().map(|index| self.all[*index].clone()).collect();
        let mut program = invariants::asserted(self.claims.reader(), &claims);
        self.clauses.forgive(&mut program);
        self.staged(program, scene)
    }

    /// Which of the clauses that were asked for is violated, by the message.
    pub fn violated(which: &[usize], message: &str) -> Option<usize> {
        let named =
            |place: usize| message.contains(&format!("`{}`", invariants::error_name(place)));
        (0..which.len()).find(|place| named(*place)).map(|place| which[place])
    }

    /// The program in which the clauses that are no claims are errors where they do not hold.
    pub fn owed(&self, which: &[usize], scene: Scene) -> Program {
        let others: Vec<usize> =
            which.iter().copied().filter(|index| !self.known.contains(index)).collect();
        self.judged(&others, scene)
    }

    /// The program in which a run ends where one of these assertions does not hold, and, if they
    /// are claims, where these do not.
    pub fn assumed(&self, which: &[usize], with_claims: bool, scene: Scene) -> Program {
        let usable = |index: &&usize| match self.clauses.all[**index].usage {
            Use::Asserted => true,
            Use::Known => with_claims,
            Use::Nothing => false,
        };
        let claims: Vec<Claim> =
            which.iter().filter(usable).map(|index| self.all[*index].clone()).collect();
        self.staged(invariants::assumed(self.claims.reader(), &claims), scene)
    }

    fn staged(&self, mut program: Program, scene: Scene) -> Program {
        if scene == Scene::Open {
            self.clauses.open(&mut program);
        }
        debug_assert_eq!(lakatos_ir::validate::validate(&program), Vec::new());
        program
    }

    /// All that holds of the clauses and of some help, as a proof; see [`Claims::complete`].
    pub fn complete(
        &self,
        subject: &Instrumented,
        help: &[&Proof],
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Result<Completed, Reason> {
        self.claims.complete_with(subject, help, signed_overflow, smt)
    }

    /// Every claim is among what was shown to hold.
    pub fn is_all(&self, completed: &Completed) -> bool {
        completed.holding.len() == self.known.len()
    }

    /// The clauses that are claims and that some result does not have.
    pub fn lacking(&self, completed: &Completed) -> Vec<usize> {
        let lacks = |place: &usize| !completed.holding.contains(place);
        (0..self.known.len()).filter(lacks).map(|place| self.known[place]).collect()
    }

    /// Why a clause does not follow from those that hold by themselves: the condition that fails.
    pub fn flaw(
        &self,
        subject: &Instrumented,
        completed: &Completed,
        index: usize,
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Option<Why> {
        let mut with = completed.holding.clone();
        with.extend(self.known.iter().position(|known| *known == index));
        match self.claims.alone(subject, &with, signed_overflow, smt) {
            Outcome::Checked(_) => None,
            Outcome::Rejected(rejected) => Some(Why::rejected(subject.program(), *rejected)),
            Outcome::Undecided(undecided) => Some(Why::undecided(subject.program(), &undecided)),
        }
    }

    /// Others rely on a clause once it is shown, as on a contract or an invariant.
    pub fn is_claim(&self, index: usize) -> bool {
        self.known.contains(&index)
    }

    /// What a checked proof says, as if it were about some property or about none.
    pub fn whole(
        &self,
        subject: &Instrumented,
        checked: &Checked,
        property: Option<Property>,
    ) -> Proof {
        let proof = checked.proof();
        let mut draft = Draft::new(subject.program(), property);
        for (slot, formula) in proof.formulas() {
            let meaning = |symbol: Symbol| Some(proof.meaning(symbol));
            let formula = draft.import(proof.terms(), formula, meaning);
            let added = formula.and_then(|formula| draft.add(slot, formula));
            debug_assert!(added.is_ok(), "proofs of one program have the same words");
        }
        draft.finish()
    }

    /// What a checked proof says that its claims do not say themselves.
    pub fn added(
        &self,
        subject: &Instrumented,
        checked: &Checked,
        property: Option<Property>,
        smt: &mut Smt,
    ) -> Proof {
        let (program, proof) = (subject.program(), checked.proof());
        let (said, claims) = self.claims.said(subject);
        let mut draft = Draft::new(program, property);
        let mut claimed: BTreeMap<Slot, Vec<Term>> = BTreeMap::new();
        for (slot, formula) in claims {
            let meaning = |symbol: Symbol| Some(said.meaning(symbol));
            if let Ok(formula) = draft.import(said.terms(), formula, meaning) {
                claimed.entry(slot).or_default().push(formula);
            }
        }
        for (slot, formula) in proof.formulas() {
            let meaning = |symbol: Symbol| Some(proof.meaning(symbol));
            let Ok(whole) = draft.import(proof.terms(), formula, meaning) else { continue };
            // Claims that are no part of the proof have not been shown.
            let mut known = claimed.remove(&slot).unwrap_or_default();
            let terms = draft.terms();
            known.retain(|claim| smt.refute(terms, &[whole], *claim) == Answer::Unsat);
            // Whoever knows what a call ensures knows that it was made as required.
            if let Slot::Ensures(proc) = slot {
                let required = proof.contracts().find(|(other, _)| *other == proc);
                let required = required.map_or(Term::TRUE, |(_, contract)| contract.requires);
                let before = |symbol: Symbol| Some(Meaning::entry(proof.meaning(symbol).var));
                known.extend(draft.import(proof.terms(), required, before).ok());
            }
            for part in draft.terms().conjuncts(whole) {
                if smt.refute(draft.terms(), &known, part) != Answer::Unsat {
                    let added = draft.add(slot, part);
                    debug_assert!(added.is_ok(), "proofs of one program have the same words");
                }
            }
        }
        draft.finish()
    }
}

fn claim(program: &Program, clause: &UserClause) -> Claim {
    let at = match clause.when {
        When::Entry => At::Entry,
        When::Exit => At::Exit,
        When::Loop(loc) | When::Statement(loc) => At::Location(loc),
    };
    Claim {
        proc: clause.proc,
        at,
        condition: clause.condition,
        text: program.source.snippet(clause.span).to_owned(),
        what: clause.what.clone(),
    }
}
