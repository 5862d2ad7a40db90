//! Proofs that say nothing but a number: how often loops are unwound, or how many turns induction
//! has for hypotheses. The number is changed, and they are moved to programs that are violated.

use lakatos_check::{Checked, Instrumented, Outcome, check};
use lakatos_evidence::{Assumption, Draft, Form, Proof};
use lakatos_ir::interpret::Outcome as Ended;
use lakatos_ir::pass::Induction;
use lakatos_ir::{Program, Property};
use lakatos_logic::smt::Smt;

use super::change::formed;
use crate::fuzz::truth::{Question, each_run};

/// Unwindings, and turns of induction, that are tried.
const TURNS: [u32; 7] = [0, 1, 2, 3, 4, 6, 9];

/// What became of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tried {
    /// Proofs of what a run violates; none of them was accepted.
    pub false_: u64,
    pub accepted: u64,
    pub rejected: u64,
}

impl Tried {
    fn count(&mut self, violated: bool, accepted: bool) -> bool {
        match (violated, accepted) {
            (true, true) => return false,
            (true, false) => self.false_ += 1,
            (false, true) => self.accepted += 1,
            (false, false) => self.rejected += 1,
        }
        true
    }
}

/// Tries all numbers on a program; returns the forms that are accepted though a run violates them.
pub fn try_numbers(
    program: &Program,
    question: Question,
    violated: bool,
    tried: &mut Tried,
    smt: &mut Smt,
) -> Vec<Form> {
    let Question { property, .. } = question;
    let mut wrong = Vec::new();
    for turns in TURNS {
        let by = Induction { turns, bounds: Vec::new() };
        let subjects = [
            Instrumented::unrolled(program, property, turns),
            Instrumented::inductive(program, property, by),
        ];
        for subject in subjects.into_iter().flatten() {
            // A turn too many is a violation of the unrolled program, too.
            let violated = match subject.form() {
                Form::Unrolled(_) => violated || is_violated(&subject, question) == Some(true),
                Form::Program | Form::Inductive(_) | Form::Arrays | Form::Runs(_) => violated,
            };
            let accepted = is_accepted(&subject, says_nothing(&subject, question), question, smt);
            if !tried.count(violated, accepted) {
                wrong.push(subject.form().clone());
            }
        }
    }
    wrong
}

/// Tries the formulas of a proof, and none at all, on another program that a run violates. `true`:
/// it is accepted.
pub fn try_moved(
    checked: &Checked,
    violated: &Program,
    question: Question,
    tried: &mut Tried,
    smt: &mut Smt,
) -> bool {
    let subject = Instrumented::new(violated, question.property);
    let needed = needed(&subject, question);
    let proof = checked.proof();
    let moved = match proof.form() {
        Form::Program => proof.about(subject.program(), question.property, needed).ok(),
        Form::Unrolled(_) | Form::Inductive(_) | Form::Arrays | Form::Runs(_) => None,
    };
    let empty = says_nothing(&subject, question);
    let proofs = moved.into_iter().chain([empty]);
    proofs.into_iter().any(|proof| {
        let accepted = is_accepted(&subject, proof, question, smt);
        !tried.count(true, accepted)
    })
}

fn is_accepted(subject: &Instrumented, proof: Proof, question: Question, smt: &mut Smt) -> bool {
    matches!(check(subject, proof, question.signed_overflow, smt), Outcome::Checked(_))
}

fn needed(subject: &Instrumented, question: Question) -> std::collections::BTreeSet<Assumption> {
    Assumption::of(subject.program(), Some(question.property), question.signed_overflow)
}

/// The proof without formulas.
fn says_nothing(subject: &Instrumented, question: Question) -> Proof {
    let mut draft = Draft::new(subject.program(), question.property);
    draft.assume(needed(subject, question));
    formed(draft.finish(), subject.form())
}

/// Whether a run violates the property; `None` if the runs do not tell.
fn is_violated(subject: &Instrumented, question: Question) -> Option<bool> {
    let mut violated = false;
    let is_violation = |property: Property| property == question.property;
    each_run(subject.program(), question, false, |run, _| {
        violated |= matches!(&run.outcome, Ended::Violated(v) if is_violation(v.property));
    })?;
    Some(violated)
}
