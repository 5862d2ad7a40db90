//! Bounded model checking: loops are written out, with more and more turns, and what is left has none.
//!
//! First what is beyond the last turn is a violation, too. Where it is never reached, the loops take no
//! more turns, and a proof is one of the program; the checker unrolls the loops itself to see that.
//! Otherwise nothing is beyond the last turn: a violation that is found then is a violation of the
//! program, and is replayed there. Where calls are written out too, either is the question whether one
//! formula has a model.

use lakatos_check::{Instrumented, Outcome, Verdict, Why, check};
use lakatos_encode::machine::Encoding;
use lakatos_evidence::{Assumption, Draft, Proof, Refutation};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::interpret::Keyed;
use lakatos_ir::pass::{self, Beyond};
use lakatos_ir::{BinOp, ExprId, ExprKind, Program};
use lakatos_logic::smt::{Cancel, Limits, Reason, Smt};

use crate::history::{Event, What};
use crate::horn::{Horn, why};
use crate::judge::{CHECKED, run};
use crate::search::{Straight, straight};
use crate::{Engine, Report, Statistics, Task, Watch};

/// Turns of loops that are tried, one after the other.
const TURNS: [u32; 5] = [2, 6, 12, 24, 64];

/// A run that replays a counterexample may take so many steps; it may be one that never ends.
const STEPS: u64 = 1_000_000;

/// The engine and its settings.
#[derive(Clone, Copy, Debug)]
pub struct Bmc {
    /// Of each query.
    pub limits: Limits,
    /// More turns of a loop are not looked at.
    pub most_turns: u32,
}

impl Default for Bmc {
    fn default() -> Self {
        Bmc { limits: Limits::default(), most_turns: u32::MAX }
    }
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let mut watch = Bounded { watch, statistics: Statistics::default() };
        let turns = TURNS.into_iter().filter(|turns| *turns <= self.most_turns);
        for turns in turns {
            let why = match self.within(task, turns, &mut watch) {
                Found::Verdict(verdict) => return Report::new(verdict, watch.statistics),
                Found::More => {
                    watch.statistics.bound = turns;
                    watch.happened(Event { engine: self.name(), what: What::Bound(turns) });
                    if let Err(reason) = watch.progress(Statistics::default()) {
                        return Report::new(Verdict::Unknown(why(reason)), watch.statistics);
                    }
                    continue;
                }
                Found::Nothing(why) => why,
            };
            let why = match watch.statistics.bound {
                turns @ 1.. if !why.is_end() => Why::Bounded { turns },
                _ => why,
            };
            return Report::new(Verdict::Unknown(why), watch.statistics);
        }
        let turns = watch.statistics.bound;
        Report::new(Verdict::Unknown(Why::Bounded { turns }), watch.statistics)
    }
}

/// Whether a program computes with bits.
pub(crate) fn has_bits(program: &Program) -> bool {
    let is_bits = |op: &BinOp| {
        matches!(op, BinOp::Shl | BinOp::Shr | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor)
    };
    let mut exprs = program.exprs.iter();
    exprs.any(|(_, expr)| matches!(&expr.kind, ExprKind::Binary(op, ..) if is_bits(op)))
}

/// Whether some number is cut to fewer bits: as an integer that is a remainder.
fn has_narrowing(program: &Program) -> bool {
    let bits = |expr: ExprId| program.exprs[expr].ty.as_int().map(|ty| ty.bits);
    let is_fixed = |expr: ExprId| matches!(program.exprs[expr].kind, ExprKind::Int(_));
    program.exprs.iter().any(|(to, expr)| match expr.kind {
        ExprKind::Cast(from) if !is_fixed(from) => {
            bits(to).zip(bits(from)).is_some_and(|(to, from)| to < from)
        }
        _ => false,
    })
}

/// Whoever watches hears how far it came.
struct Bounded<'a> {
    watch: &'a mut dyn Watch,
    statistics: Statistics,
}

impl Watch for Bounded<'_> {
    fn started(&mut self, cancel: Cancel) {
        self.watch.started(cancel);
    }

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        self.statistics = Statistics { bound: self.statistics.bound, ..statistics };
        self.watch.progress(self.statistics)
    }

    fn listens(&self) -> bool {
        self.watch.listens()
    }

    fn happened(&mut self, event: Event) {
        self.watch.happened(event);
    }
}

/// What a number of turns tells.
enum Found {
    Verdict(Verdict),
    /// Nothing is violated in so many turns, but there may be more.
    More,
    Nothing(Why),
}

impl Bmc {
    fn within(&self, task: &Task<'_>, turns: u32, watch: &mut dyn Watch) -> Found {
        let write_out = |beyond| pass::unroll(task.program.clone(), task.property, turns, beyond);
        let Some(complete) = write_out(Beyond::Error) else {
            let what = format!(
                "{turns} turns of each loop written out (too large, or `goto` into a loop)"
            );
            return Found::Nothing(Why::Unsupported { what, at: None });
        };
        let bounded = write_out(Beyond::Nothing).expect("it was written out before");
        if is_alone(&bounded)
            && let Some(found) = by_formula(task, [&bounded, &complete], turns, watch)
        {
            return found;
        }
        if let Err(reason) = watch.progress(Statistics::default()) {
            return Found::Nothing(why(reason));
        }
        let plain = encodings(task.program).iter();
        let plain: Vec<Plain> =
            plain.map(|(e, l)| Plain { task, encoding: *e, limits: *l }).collect();
        for plain in &plain {
            if let Some(proof) = plain.proof(&complete, watch) {
                return Found::Verdict(of_program(task, proof, turns, CHECKED, watch));
            }
            if let Err(reason) = watch.progress(Statistics::default()) {
                return Found::Nothing(why(reason));
            }
        }
        if plain.iter().any(|plain| plain.proof(&bounded, watch).is_some()) {
            return Found::More;
        }
        if let Err(reason) = watch.progress(Statistics::default()) {
            return Found::Nothing(why(reason));
        }
        match self.ask(task, &complete, watch) {
            Verdict::Proved(checked) => {
                return Found::Verdict(of_program(
                    task,
                    checked.into_proof(),
                    turns,
                    CHECKED,
                    watch,
                ));
            }
            Verdict::Refuted(refutation) => {
                if let verdict @ Verdict::Refuted(_) = again(task, &refutation) {
                    return Found::Verdict(verdict);
                }
            }
            Verdict::Unknown(why) if why.is_end() => return Found::Nothing(why),
            Verdict::Unknown(_) => {}
        }
        match self.ask(task, &bounded, watch) {
            Verdict::Proved(_) => Found::More,
            Verdict::Refuted(refutation) => Found::Verdict(again(task, &refutation)),
            Verdict::Unknown(why) => Found::Nothing(why),
        }
    }

    /// Whoever calls others, or finds inputs, needs more than a formula.
    fn ask(&self, task: &Task<'_>, program: &Program, watch: &mut dyn Watch) -> Verdict {
        let (encoding, _) = *encodings(program).last().expect("there is one");
        let horn = Horn { probe: false, limits: self.limits, encoding };
        horn.solve(&Task { program, ..*task }, watch).verdict
    }
}

/// What the formulas of programs without loops and calls tell. `None`: that is not known.
fn by_formula(
    task: &Task<'_>,
    [bounded, complete]: [&Program; 2],
    turns: u32,
    watch: &mut dyn Watch,
) -> Option<Found> {
    let encodings = encodings(task.program);
    let mut spurious = None;
    for (number, (encoding, limits)) in encodings.iter().enumerate() {
        // One question instead of many.
        let resources = limits.resources.map(|resources| 10 * resources);
        let all = Limits { resources, ..*limits };
        let mut ask = |program| straight(&Task { program, ..*task }, *encoding, all, &mut *watch);
        match ask(bounded) {
            Straight::Safe => {}
            Straight::Reached(Verdict::Refuted(refutation)) => {
                return Some(Found::Verdict(again(task, &refutation)));
            }
            // As bits the program may be less than it is as numbers.
            Straight::Reached(Verdict::Unknown(why)) => {
                spurious = Some(Found::Nothing(why));
                continue;
            }
            Straight::Reached(Verdict::Proved(_)) | Straight::Unknown => continue,
        }
        match ask(complete) {
            Straight::Safe => {}
            Straight::Reached(_) => return Some(Found::More),
            Straight::Unknown => continue,
        }
        // With little work, then as others see it, if they know, then with more.
        let little = Limits { resources: limits.resources.map(|all| all / 4), ..*limits };
        let mut prove = |encoding: Encoding, limits: Limits| {
            let subject = Instrumented::new(complete, task.property);
            let proof = empty(task, &subject, encoding);
            let verdict = of_program(task, proof, turns, limits, &mut *watch);
            matches!(verdict, Verdict::Proved(_)).then_some(Found::Verdict(verdict))
        };
        if let Some(found) = prove(*encoding, little) {
            return Some(found);
        }
        for (encoding, limits) in encodings[number + 1..].iter().chain([&(*encoding, *limits)]) {
            if let Some(found) = prove(*encoding, *limits) {
                return Some(found);
            }
        }
    }
    spurious
}

/// Whether nobody is called but what begins.
fn is_alone(program: &Program) -> bool {
    let calls = CallGraph::new(program);
    program.defined().filter(|(proc, ..)| calls.is_reachable(*proc)).count() == 1
}

/// What numbers are tried as, with the work for each condition: bits only where the program is about
/// bits, and then not much else, or where numbers are cut to fewer bits.
pub(crate) fn encodings(program: &Program) -> &'static [(Encoding, Limits)] {
    const FEW: Limits = Limits { resources: Some(500_000), time: None };
    const MANY: Limits = Limits { resources: Some(5_000_000), time: None };
    const SOME: Limits = Limits { resources: Some(2_000_000), time: None };
    match (has_bits(program), has_narrowing(program)) {
        (true, _) => &[(Encoding::Int, FEW), (Encoding::Bv, MANY)],
        (false, true) => &[(Encoding::Int, SOME), (Encoding::Bv, MANY)],
        (false, false) => &[(Encoding::Int, MANY)],
    }
}

/// A proof without a word.
pub(crate) fn empty(task: &Task<'_>, subject: &Instrumented, encoding: Encoding) -> Proof {
    let mut draft = Draft::new(subject.program(), task.property);
    draft.assume(Assumption::of(subject.program(), task.property, task.signed_overflow));
    if encoding == Encoding::Bv {
        draft.in_bits();
    }
    draft.finish()
}

/// A program without loops and calls is a formula: its proof needs no words.
struct Plain<'a, 'p> {
    task: &'a Task<'p>,
    encoding: Encoding,
    limits: Limits,
}

impl Plain<'_, '_> {
    /// `None` if there is none, or it takes longer.
    fn proof(&self, program: &Program, watch: &mut dyn Watch) -> Option<Proof> {
        let subject = Instrumented::new(program, self.task.property);
        let proof = empty(self.task, &subject, self.encoding);
        let mut smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        match check(&subject, proof, self.task.signed_overflow, &mut smt) {
            Outcome::Checked(checked) => Some(checked.into_proof()),
            _ => None,
        }
    }
}

/// The verdict on the program that a proof of the unrolled one leads to.
fn of_program(
    task: &Task<'_>,
    proof: Proof,
    turns: u32,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Verdict {
    let subject =
        Instrumented::unrolled(task.program, task.property, turns).expect("it was unrolled before");
    let mut smt = Smt::new(limits);
    watch.started(smt.cancel_handle());
    match check(&subject, proof.of_unrolled(turns), task.signed_overflow, &mut smt) {
        Outcome::Checked(checked) => Verdict::Proved(checked),
        Outcome::Rejected(rejected) => {
            Verdict::Unknown(Why::rejected(subject.program(), *rejected))
        }
        Outcome::Undecided(undecided) => {
            Verdict::Unknown(Why::undecided(subject.program(), &undecided))
        }
    }
}

/// The same inputs in the program as it is.
fn again(task: &Task<'_>, refutation: &Refutation) -> Verdict {
    let inputs = refutation.inputs().iter();
    let keyed: Keyed = inputs.map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
    run(task, &pass::replayed(task.program, Some(task.property)), &keyed, STEPS)
}
