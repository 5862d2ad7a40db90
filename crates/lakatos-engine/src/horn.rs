//! Horn: the program as constrained Horn clauses, which Spacer solves (Horn clause paper;
//! DESIGN.md 6.4). A solution is a proof for the checker, a derivation a run for the interpreter.
//!
//! No setting of Spacer is best, so several take turns, each time with more work allowed; work is
//! counted by the solver, so a run is the same everywhere.

use lakatos_analysis::core::Cx;
use lakatos_analysis::semantics::Semantics;
use lakatos_check::{Verdict, Why};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_horn::{Encoded, Place, encode, inputs};
use lakatos_logic::horn::check::{Flaw, check};
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{
    Outcome, PredicateId, Settings, Solution, Solve, Spacer, System, readable, text,
};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Terms;

use crate::judge::{judge, replay};
use crate::prepare::Prepared;
use crate::probe::probe;
use crate::proof::{Projection, States};
use crate::{Engine, Report, Statistics, Task, Watch};

/// The solver's work in the first round, and how much more each time.
const FIRST: u32 = 2_000_000;
const GROWTH: u32 = 4;

/// The engine and its settings.
#[derive(Clone, Copy, Debug)]
pub struct Horn {
    /// Whether a few concrete runs come first.
    pub probe: bool,
    /// Of each query; the work of a query is limited by rounds as well.
    pub limits: Limits,
}

impl Default for Horn {
    fn default() -> Self {
        Horn { probe: true, limits: Limits::default() }
    }
}

/// What is said of clauses that are no equivalent of their program.
const OPAQUE: &str = "\
; Memory, pointers and floats have any value here whenever they are read: what these clauses
; contradict need not be a run of the program.
";

/// One way to ask.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Whether variables are in the ranges of their types. Without, proofs are simpler.
    ranges: bool,
    settings: Settings,
}

const PLAIN: Settings = Settings { global: false };
const GLOBAL: Settings = Settings { global: true };

const WAYS: [Way; 4] = [
    Way { ranges: true, settings: PLAIN },
    Way { ranges: false, settings: PLAIN },
    Way { ranges: false, settings: GLOBAL },
    Way { ranges: true, settings: GLOBAL },
];

impl Engine for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let prepared = Prepared::new(task.program, task.property);
        let smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        let mut statistics = Statistics::default();
        if self.probe
            && let Some(verdict) = probe(task, &prepared, &mut statistics, watch)
        {
            return Report { verdict, statistics };
        }
        let machine = Machine::new(Encoding::Int, task.signed_overflow);
        let semantics = Semantics::new(&prepared.reduced, machine);
        let cx = Cx { terms: Terms::new(), smt, semantics };
        let mut search = Search { task, prepared: &prepared, cx, watch, limits: self.limits };
        let verdict = search.run(&mut statistics);
        Report { verdict, statistics }
    }
}

/// A task's clauses as SMT-LIB text: satisfiable if and only if no violation is reached, as far as
/// the program has no memory, pointers or floats in it, whose values are anything.
pub fn script(task: &Task<'_>) -> String {
    let prepared = Prepared::new(task.program, task.property);
    let machine = Machine::new(Encoding::Int, task.signed_overflow);
    let mut cx = Cx {
        terms: Terms::new(),
        smt: Smt::new(Limits::default()),
        semantics: Semantics::new(&prepared.reduced, machine),
    };
    let asked = ask(&mut cx, &prepared, WAYS[0]);
    let script = text::script(&mut cx.terms, &asked.reduction.system);
    match asked.encoded.opaque {
        true => format!("{OPAQUE}{script}"),
        false => script,
    }
}

/// Solves a system that comes from elsewhere, as the engine solves its own. A solution has been
/// checked, and so has a derivation.
pub fn solve(terms: &mut Terms, system: &System, limits: Limits, watch: &mut dyn Watch) -> Outcome {
    let mut smt = Smt::new(limits);
    watch.started(smt.cancel_handle());
    let most = limits.resources.unwrap_or(u32::MAX);
    let mut work = FIRST.min(most);
    loop {
        let mut last = Reason::Resources;
        for settings in [PLAIN, GLOBAL] {
            if let Err(reason) = watch.progress(Statistics::default()) {
                return Outcome::Unknown(reason);
            }
            smt.set_limits(Limits { resources: Some(work), ..limits });
            last = match (Spacer { smt: &mut smt, settings }).solve(terms, system) {
                Outcome::Solved(solution) => match check(terms, &mut smt, system, &solution) {
                    Ok(()) => return Outcome::Solved(solution),
                    Err(Flaw::Violated(clause)) => {
                        let note = &system.clauses[clause].note;
                        Reason::Failed(format!("its solution does not satisfy the clause: {note}"))
                    }
                    Err(Flaw::Undecided(_, reason)) => reason,
                },
                Outcome::Violated(derivation) => return Outcome::Violated(derivation),
                Outcome::Unknown(reason) => reason,
            };
            if last.is_end() {
                return Outcome::Unknown(last);
            }
        }
        // What is beyond the solver stays so with more work.
        if work >= most || matches!(last, Reason::Incomplete(_)) {
            return Outcome::Unknown(last);
        }
        work = work.saturating_mul(GROWTH).min(most);
    }
}

struct Search<'a, 'p> {
    task: &'a Task<'p>,
    prepared: &'a Prepared,
    cx: Cx<'a>,
    watch: &'a mut dyn Watch,
    limits: Limits,
}

/// A way with its system.
struct Asked {
    way: Way,
    encoded: Encoded,
    reduction: Reduction,
}

impl Search<'_, '_> {
    fn run(&mut self, statistics: &mut Statistics) -> Verdict {
        let asked: Vec<Asked> =
            WAYS.iter().map(|way| ask(&mut self.cx, self.prepared, *way)).collect();
        let mut work = FIRST;
        let mut last = Why::SolverGaveUp { reason: Reason::Resources.to_string() };
        loop {
            for asked in &asked {
                if let Err(reason) = self.watch.progress(*statistics) {
                    return Verdict::Unknown(why(reason));
                }
                statistics.queries += 1;
                match self.turn(asked, work) {
                    Verdict::Unknown(why) if is_end(&why) => return Verdict::Unknown(why),
                    Verdict::Unknown(why) => last = why,
                    verdict => return verdict,
                }
            }
            let most = self.limits.resources.unwrap_or(u32::MAX);
            if work >= most {
                return Verdict::Unknown(last);
            }
            work = work.saturating_mul(GROWTH).min(most);
        }
    }

    fn turn(&mut self, asked: &Asked, work: u32) -> Verdict {
        let Cx { terms, smt, semantics } = &mut self.cx;
        smt.set_limits(Limits { resources: Some(work), ..self.limits });
        let system = &asked.reduction.system;
        let outcome = Spacer { smt, settings: asked.way.settings }.solve(terms, system);
        match outcome {
            Outcome::Unknown(reason) => Verdict::Unknown(why(reason)),
            Outcome::Violated(derivation) => {
                let inputs = inputs(terms, semantics, &asked.encoded, system, &derivation);
                replay(self.task, self.prepared, &inputs)
            }
            Outcome::Solved(solution) => self.proof(asked, &solution),
        }
    }

    fn proof(&mut self, asked: &Asked, solution: &Solution) -> Verdict {
        let program = self.cx.semantics.program;
        let mut states = States::new();
        let formulas = asked.reduction.solution(solution);
        for (place, formula) in asked.encoded.places.iter().zip(formulas) {
            let Some(formula) = formula else { continue };
            let formula = readable(&mut self.cx.terms, formula);
            let at = match *place {
                Place::At(proc, loc) => (proc, loc),
                Place::Entry(proc) => {
                    (proc, program.procs[proc].body.as_ref().expect("it has a body").entry)
                }
            };
            // Where a loop begins with the procedure, its invariant holds at the entry as well.
            if matches!(place, Place::At(..)) || !states.contains_key(&at) {
                states.insert(at, vec![formula]);
            }
        }
        let mut projection =
            Projection::of_states(self.task.into(), self.prepared, &mut self.cx, states);
        judge(self.task, &mut projection, self.watch)
    }
}

fn ask(cx: &mut Cx<'_>, prepared: &Prepared, way: Way) -> Asked {
    let Cx { terms, semantics, .. } = cx;
    let encoded = encode(terms, semantics, way.ranges);
    let program = semantics.program;
    let kept = |predicate: PredicateId| match encoded.places[predicate.0] {
        Place::Entry(_) => true,
        Place::At(proc, loc) => {
            let body = program.procs[proc].body.as_ref().expect("a predicate of a body");
            loc == body.exit || prepared.heads.contains(&(proc, loc))
        }
    };
    let reduction = Reduction::new(terms, encoded.system.clone(), kept);
    Asked { way, encoded, reduction }
}

/// Another way will not help.
fn is_end(why: &Why) -> bool {
    matches!(why, Why::TimeLimit | Why::MemoryLimit | Why::Cancelled)
}

/// Why there is no answer.
pub fn why(reason: Reason) -> Why {
    match reason {
        Reason::Time => Why::TimeLimit,
        Reason::Memory => Why::MemoryLimit,
        Reason::Cancelled => Why::Cancelled,
        other => Why::SolverGaveUp { reason: other.to_string() },
    }
}
