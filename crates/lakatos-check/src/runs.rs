//! Proofs by complete execution: the interpreter makes all runs of a program, and none violates the
//! property.
//!
//! The runs are the leaves of a tree. A run asks for choices ([`Oracle::choose`]); the next run
//! repeats all choices but the last one that has another alternative left, and takes that. The
//! interpreter ends a run that depends on anything else ([`Options::exhaustive`]), and then there is
//! no proof. What has to be trusted is what has to be trusted for a refutation, and this module.
//!
//! A run may end by itself, by `abort` or `exit`, at an error function that the property is not
//! about, or where an assumption does not hold. One that ends in arithmetic that is undefined, and
//! that the property is not about, is covered by an assumption that the proof then names. After any
//! other end there is no proof: the interpreter does not know all that may follow.
//!
//! [`Options::exhaustive`]: lakatos_ir::interpret::Options::exhaustive

use std::collections::BTreeSet;

use lakatos_evidence::{Assumption, Draft, Proof, Runs};
use lakatos_ir::interpret::{
    BETWEEN, Interpreter, Options, Oracle, Outcome as Ended, Request, Run,
};
use lakatos_ir::{Program, Property, SignedOverflow, Span, Undefined};
use lakatos_logic::lemma::Knowledge;

use crate::check::Instrumented;
use crate::condition::{Checked, Condition, Kind, Outcome, Rejected};

/// Calls within each other in a run, and its memory: far more than programs need that a few
/// seconds of runs can decide.
const DEPTH: usize = 20_000;
const BYTES: u64 = 256 << 20;
/// Steps that a run counts besides its own: to begin a run takes time, too.
const BEGINNING: u64 = 20;

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub runs: u64,
    /// Of all runs together.
    pub steps: u64,
}

/// What has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub runs: u64,
    pub steps: u64,
}

/// What came of making all runs.
#[derive(Debug)]
pub enum Executed {
    Proved(Box<Checked>),
    /// A run that violates the property, to be replayed.
    Violating(Box<Run>),
    /// The budget is spent; `is_single` if that was in a run that had made no choice so far.
    Unfinished {
        is_single: bool,
    },
    /// The caller has ended it.
    Stopped,
    /// A run ended in a way after which there is no proof.
    Open(Box<Ended>),
}

/// Makes all runs of a program, as far as the budget goes. `goes_on` is asked now and then.
pub fn execute_all(
    program: &Program,
    property: Property,
    signed_overflow: SignedOverflow,
    budget: Budget,
    goes_on: &mut dyn FnMut(Done) -> bool,
) -> Executed {
    let runs = Runs { runs: 0, steps: 0 };
    let subject = Instrumented::executed(program, property, runs);
    match all_runs(subject.program(), property, signed_overflow, budget, goes_on) {
        Err(stop) => stop.into(),
        Ok(all) => {
            let runs = Runs { runs: all.done.runs, steps: all.done.steps };
            let mut draft = Draft::new(subject.program(), property);
            draft.assume(all.assumptions);
            Executed::Proved(Box::new(checked(subject.program(), draft.finish().of_runs(runs))))
        }
    }
}

/// Checks the claim that all runs of a program are so many.
pub(crate) fn check(
    subject: &Instrumented,
    proof: Proof,
    claimed: Runs,
    signed_overflow: SignedOverflow,
) -> Outcome {
    let program = subject.program();
    let budget = Budget { runs: claimed.runs, steps: claimed.steps };
    let found = match (subject.property(), proof.runs() == Some(claimed)) {
        (Some(property), true) if proof.property() == Some(property) => {
            all_runs(program, property, signed_overflow, budget, &mut |_| true).ok()
        }
        _ => None,
    };
    let missing = match found {
        None => Some(Kind::AllRuns),
        Some(all) if all.done != (Done { runs: claimed.runs, steps: claimed.steps }) => {
            Some(Kind::AllRuns)
        }
        Some(all) => {
            let mut needed = all.assumptions.into_iter();
            needed.find(|needed| !proof.assumptions().contains(needed)).map(Kind::Assumes)
        }
    };
    match missing {
        None => Outcome::Checked(Box::new(checked(program, proof))),
        Some(kind) => {
            let condition = condition(program, kind);
            let (values, approximate) = (Vec::new(), false);
            Outcome::Rejected(Box::new(Rejected { proof, condition, values, approximate }))
        }
    }
}

fn condition(program: &Program, kind: Kind) -> Condition {
    Condition { kind, proc: program.start, from: None, span: Span::default() }
}

fn checked(program: &Program, proof: Proof) -> Checked {
    let conditions = vec![condition(program, Kind::AllRuns)];
    Checked { proof, conditions, knowledge: Knowledge::default() }
}

/// All runs that there are.
struct All {
    done: Done,
    assumptions: BTreeSet<Assumption>,
}

/// Why not all runs have been made.
enum Stop {
    Violating(Box<Run>),
    Unfinished { is_single: bool },
    Stopped,
    Open(Box<Ended>),
}

impl From<Stop> for Executed {
    fn from(stop: Stop) -> Executed {
        match stop {
            Stop::Violating(run) => Executed::Violating(run),
            Stop::Unfinished { is_single } => Executed::Unfinished { is_single },
            Stop::Stopped => Executed::Stopped,
            Stop::Open(ended) => Executed::Open(ended),
        }
    }
}

fn all_runs(
    program: &Program,
    property: Property,
    signed_overflow: SignedOverflow,
    budget: Budget,
    goes_on: &mut dyn FnMut(Done) -> bool,
) -> Result<All, Stop> {
    let interpreter = Interpreter::new(program);
    let mut done = Done::default();
    let mut asked = 0;
    let mut assumptions = basic_assumptions(program, property, signed_overflow)?;
    let mut tree = Tree { taken: Vec::new(), at: 0, done, is_stopped: false, goes_on };
    loop {
        if done.runs >= budget.runs || done.steps >= budget.steps {
            return Err(Stop::Unfinished { is_single: false });
        }
        let options = Options {
            signed_overflow,
            max_steps: budget.steps - done.steps,
            max_depth: DEPTH,
            max_bytes: BYTES,
            ..Options::default()
        };
        let options = options.watching(property).exhaustive();
        (tree.at, tree.done) = (0, done);
        let run = interpreter.run(&options, &mut tree);
        done.runs += 1;
        done.steps += run.steps + BEGINNING;
        match judge(property, &run) {
            Judgement::Fine => {}
            Judgement::FineIf(assumption) => {
                assumptions.insert(assumption);
            }
            Judgement::Violates => return Err(Stop::Violating(Box::new(run))),
            Judgement::Limited if tree.is_stopped => return Err(Stop::Stopped),
            Judgement::Limited => {
                let is_single = tree.taken.is_empty();
                return Err(Stop::Unfinished { is_single });
            }
            Judgement::Open => return Err(Stop::Open(Box::new(run.outcome))),
        }
        if !tree.advance() {
            return Ok(All { done, assumptions });
        }
        if done.steps - asked >= BETWEEN {
            asked = done.steps;
            if !(tree.goes_on)(done) {
                return Err(Stop::Stopped);
            }
        }
    }
}

/// What a proof by runs assumes whatever its runs do.
fn basic_assumptions(
    program: &Program,
    property: Property,
    signed_overflow: SignedOverflow,
) -> Result<BTreeSet<Assumption>, Stop> {
    let mut kept = BTreeSet::new();
    for assumption in Assumption::of(program, property, signed_overflow) {
        match assumption {
            // Undefined operations are seen where they happen. No run calls a function of another
            // file or without a model, and there is no run where an object of another file is used.
            Assumption::SignedOverflow
            | Assumption::UndefinedBehaviour
            | Assumption::ExternalFunction(_)
            | Assumption::LibraryFunction(_)
            | Assumption::ExternalObject(_)
            | Assumption::ExternalAccess(_) => {}
            // There are other runs than those that the interpreter makes.
            Assumption::EvaluationOrder
            | Assumption::Assembly
            | Assumption::WeakDefinition
            | Assumption::Precision
            | Assumption::Lifetime => {
                let what = format!("the assumption that {assumption}");
                let open = Ended::Open { what, span: program.procs[program.main].span };
                return Err(Stop::Open(Box::new(open)));
            }
            Assumption::Volatile
            | Assumption::PlainAccess
            | Assumption::Sorting
            | Assumption::Locale
            | Assumption::NonlocalJump
            | Assumption::Signals
            | Assumption::StackSpace
            | Assumption::Allocation
            | Assumption::Format
            | Assumption::Lemma(_) => {
                kept.insert(assumption);
            }
        }
    }
    Ok(kept)
}

/// What the end of a run means.
enum Judgement {
    Fine,
    /// A path ends here, if that is assumed.
    FineIf(Assumption),
    Violates,
    Limited,
    Open,
}

fn judge(property: Property, run: &Run) -> Judgement {
    let judged = judge_end(property, &run.outcome);
    let loses = property.includes(Property::ValidMemtrack) && !run.lost.is_empty();
    match judged {
        // Only what is lost when `main` returns is surely a violation.
        Judgement::Fine if loses && matches!(run.outcome, Ended::Exited(_)) => Judgement::Violates,
        Judgement::Fine | Judgement::FineIf(_) if loses => Judgement::Open,
        judged => judged,
    }
}

fn judge_end(property: Property, end: &Ended) -> Judgement {
    match end {
        Ended::Exited(_) | Ended::Blocked { .. } | Ended::Aborted { .. } => Judgement::Fine,
        Ended::ErrorReached { .. } if property == Property::UnreachCall => Judgement::Violates,
        Ended::ErrorReached { .. } => Judgement::Fine,
        Ended::Violated(_) => Judgement::Violates,
        Ended::Undefined { kind, .. } if property.is_violated_by(*kind) => Judgement::Violates,
        Ended::Undefined { kind, .. } => match kind {
            Undefined::SignedOverflow => Judgement::FineIf(Assumption::SignedOverflow),
            Undefined::DivByZero | Undefined::ShiftOutOfRange => {
                Judgement::FineIf(Assumption::UndefinedBehaviour)
            }
            Undefined::OutOfBounds
            | Undefined::NullDeref
            | Undefined::Dangling
            | Undefined::WildPointer
            | Undefined::Uninitialised
            | Undefined::InvalidFree
            | Undefined::BadCall
            | Undefined::FloatToInt
            | Undefined::Unreachable
            | Undefined::UnrelatedPointers
            | Undefined::ReadOnly
            | Undefined::ShiftOverflow
            | Undefined::Overlap => Judgement::Open,
        },
        Ended::StepLimit => Judgement::Limited,
        Ended::NoModel { .. }
        | Ended::DepthLimit
        | Ended::MemoryLimit
        | Ended::Unsupported { .. }
        | Ended::Open { .. } => Judgement::Open,
    }
}

/// The choices of the runs.
struct Tree<'a> {
    /// Those of this run: the alternative, and how many there are.
    taken: Vec<(u64, u64)>,
    /// How many of them were asked for.
    at: usize,
    /// What was done before this run.
    done: Done,
    is_stopped: bool,
    goes_on: &'a mut dyn FnMut(Done) -> bool,
}

impl Tree<'_> {
    /// Goes on to the choices of the next run, if there is one.
    fn advance(&mut self) -> bool {
        while let Some((chosen, alternatives)) = self.taken.pop() {
            if chosen + 1 < alternatives {
                self.taken.push((chosen + 1, alternatives));
                return true;
            }
        }
        false
    }
}

impl Oracle for Tree<'_> {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        unreachable!("an exhaustive run asks for choices only, not for {request:?}")
    }

    fn choose(&mut self, alternatives: u64) -> u64 {
        let at = self.at;
        self.at += 1;
        match self.taken.get(at) {
            Some((chosen, _)) => *chosen,
            None => {
                self.taken.push((0, alternatives));
                0
            }
        }
    }

    fn goes_on(&mut self, steps: u64) -> bool {
        let done = Done { steps: self.done.steps + steps, ..self.done };
        self.is_stopped = !(self.goes_on)(done);
        !self.is_stopped
    }
}
