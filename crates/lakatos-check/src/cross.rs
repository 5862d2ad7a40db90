//! A second opinion: every condition of a checked proof, asked of another solver.

use lakatos_ir::SignedOverflow;
use lakatos_logic::smt::{Answer, Logic, Reason, Solver};
use lakatos_logic::term::Terms;

use crate::check::{Flaw, Instrumented, Ways};
use crate::condition::{Checked, Condition};

/// What the other solver makes of a proof.
#[derive(Debug)]
pub enum Second<E> {
    Agrees,
    /// The proof has no formulas: it consists of runs.
    NothingToAsk,
    /// It says that this condition fails.
    Disagrees(Condition),
    /// It does not know.
    Undecided(Condition, Reason),
    /// It could not be started.
    Failed(E),
}

/// What ends the walk.
struct End<E>(Second<E>);

impl<E> From<Flaw> for End<E> {
    fn from(flaw: Flaw) -> End<E> {
        End(Second::Disagrees(flaw.condition))
    }
}

/// Asks solvers that `start` makes, one for each logic, about all conditions. The proof is one
/// about the subject.
pub fn cross_check<S: Solver, E>(
    subject: &Instrumented,
    checked: &Checked,
    signed_overflow: SignedOverflow,
    mut start: impl FnMut(Logic) -> Result<S, E>,
) -> Second<E> {
    if checked.proof().runs().is_some() {
        return Second::NothingToAsk;
    }
    let mut solvers: Vec<(Logic, S)> = Vec::new();
    let mut ways = Ways::new(subject.program(), checked.proof(), signed_overflow);
    let walked = ways.walk(|maker, segment| {
        for obligation in segment.obligations {
            let mut query = segment.facts.clone();
            query.extend(obligation.denied(&mut maker.terms));
            let query = subject.grounded(&mut maker.terms, query);
            let logic = Logic::of(&maker.terms, &query);
            if solvers.iter().all(|(known, _)| *known != logic) {
                solvers.push((logic, start(logic).map_err(|error| End(Second::Failed(error)))?));
            }
            let (_, solver) =
                solvers.iter_mut().find(|(known, _)| *known == logic).expect("just made");
            let condition = obligation.condition;
            match ask(solver, &maker.terms, &query) {
                Answer::Unsat => {}
                Answer::Sat => return Err(End(Second::Disagrees(condition))),
                Answer::Unknown(reason) => return Err(End(Second::Undecided(condition, reason))),
            }
        }
        Ok(())
    });
    match walked {
        Ok(()) => Second::Agrees,
        Err(End(end)) => end,
    }
}

fn ask(solver: &mut impl Solver, terms: &Terms, query: &[lakatos_logic::term::Term]) -> Answer {
    solver.push();
    query.iter().for_each(|formula| solver.assert(terms, *formula));
    let answer = solver.check(terms, &[]);
    solver.pop(1);
    answer
}
