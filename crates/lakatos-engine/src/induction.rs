//! Induction over turns (*k*-induction): what holds in so many turns of each loop, one after the other,
//! holds in the next one, and in the first ones (`pass::induct`). A property need not be an invariant by itself for
//! that, and nothing has to be found: the program without loops is a formula, which has a model or has none.
//!
//! Ranges are known at the heads of loops before any search, and induction begins with them.

use lakatos_analysis::ranges::Ranges;
use lakatos_check::{Instrumented, Outcome, Verdict, Why, check};
use lakatos_encode::machine::Interval;
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::{self, Bound, Induction as By};
use lakatos_ir::{LocId, Program, VarId};
use lakatos_logic::smt::Smt;

use crate::bmc::{empty, encodings};
use crate::horn::why;
use crate::{Engine, Report, Statistics, Task, Watch};

/// How many turns are hypotheses, one try after the other.
const TURNS: [u32; 4] = [1, 2, 4, 8];

/// What there has to be.
const WANTED: &str = "induction over turns (too large, recursive, or `goto` into a loop)";

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Induction;

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let report = |verdict| Report::new(verdict, Statistics::default());
        let bounds = pass::subject_in_one(task.program, task.property)
            .map(|program| bounds(&program, task))
            .unwrap_or_default();
        let mut answer = Why::Unsupported { what: WANTED.to_owned(), at: None };
        for turns in TURNS {
            let by = By { turns, bounds: bounds.clone() };
            let tried = attempt(task, &by, watch);
            if let Some(Tried::Holds(verdict)) = tried {
                return report(verdict);
            }
            if let Err(reason) = watch.progress(Statistics::default()) {
                return report(Verdict::Unknown(why(reason)));
            }
            match tried {
                Some(Tried::Open(why)) if turns == TURNS[0] => answer = why,
                Some(Tried::Fails) => {
                    answer = Why::NotInductive { turns };
                    continue;
                }
                _ => {}
            }
            break;
        }
        report(Verdict::Unknown(answer))
    }
}

/// What came of a number of turns.
enum Tried {
    Holds(Verdict),
    /// With more turns it may hold.
    Fails,
    Open(Why),
}

/// `None`: there is no such program.
fn attempt(task: &Task<'_>, by: &By, watch: &mut dyn Watch) -> Option<Tried> {
    let subject = Instrumented::inductive(task.program, task.property, by.clone())?;
    let mut answer = None;
    for (encoding, limits) in encodings(task.program) {
        let proof = empty(task, &subject, *encoding).of_inductive(by.clone());
        let mut smt = Smt::new(*limits);
        watch.started(smt.cancel_handle());
        match check(&subject, proof, task.signed_overflow, &mut smt) {
            Outcome::Checked(checked) => return Some(Tried::Holds(Verdict::Proved(checked))),
            Outcome::Rejected(_) => return Some(Tried::Fails),
            Outcome::Undecided(undecided) => {
                answer = Some(Tried::Open(Why::undecided(subject.program(), &undecided)));
            }
        }
    }
    answer
}

/// What ranges say of variables at the heads of loops.
fn bounds(program: &Program, task: &Task<'_>) -> Vec<Bound> {
    let start = program.start;
    let Some(body) = &program.procs[start].body else { return Vec::new() };
    let known = Ranges::new(program, task.signed_overflow);
    let loops = Loops::new(body);
    let at = |head: &LocId| {
        let head = *head;
        let numbers = known.at(start, head).into_iter();
        numbers.filter_map(move |(var, number)| bound(program, head, var, &number.range))
    };
    loops.cut_points().iter().flat_map(at).collect()
}

/// `None` where a range says no more than the type.
fn bound(program: &Program, at: LocId, var: VarId, range: &Interval) -> Option<Bound> {
    let ty = program.vars[var].ty.as_int()?;
    let says_more = *range != Interval::of(ty) && !program.vars[var].address_taken;
    let [low, high] = [&range.low, &range.high].map(|number| i128::try_from(number).ok());
    says_more.then_some(Bound { at, var, low: low?, high: high? })
}
