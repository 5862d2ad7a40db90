//! Horn: the program as constrained Horn clauses, which Spacer solves (Horn clause paper;
//! DESIGN.md 6.4). A solution is a proof for the checker, a derivation a run for the interpreter.
//!
//! No setting of Spacer is best, so several take turns, each time with more work allowed; work is
//! counted by the solver, so a run is the same everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use lakatos_analysis::core::Cx;
use lakatos_analysis::semantics::Semantics;
use lakatos_check::{Checked, Verdict, Why};
pub use lakatos_encode::machine::Encoding;
use lakatos_encode::machine::Machine;
use lakatos_evidence::Draft;
use lakatos_horn::{Encoded, Place, encode, inputs};
use lakatos_ir::Program;
use lakatos_logic::horn::check::{Flaw, check, derives};
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{
    Outcome, PredicateId, Settings, Solution, Solve, Spacer, Strengthened, System, readable, text,
};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::{Term, Terms};

use crate::judge::{judge, replay};
use crate::prepare::Prepared;
use crate::probe::probe;
use crate::proof::{By, Projection, States};
use crate::{Engine, News, Report, Statistics, Task, Watch, Worth};

/// The solver's work in the first round, and how much more each time.
const FIRST: u32 = 500_000;
const GROWTH: u32 = 4;
/// Queries about facts in the first round; as many more each time.
const FIRST_QUERIES: usize = 3_000;
/// Where there is one look only.
const MOST_QUERIES: usize = 20_000;

/// Of a formula that comes from another engine: what is longer makes clauses harder, whatever it says.
const MOST_PARTS: usize = 60;

/// The engine and its settings.
#[derive(Clone, Copy, Debug)]
pub struct Horn {
    /// Whether a few concrete runs come first.
    pub probe: bool,
    /// Of each query; the work of a query is limited by rounds as well.
    pub limits: Limits,
    /// What numbers are in clauses.
    pub encoding: Encoding,
}

impl Default for Horn {
    fn default() -> Self {
        Horn { probe: true, limits: Limits::default(), encoding: Encoding::Int }
    }
}

/// What is said of clauses that are no equivalent of their program.
const OPAQUE: &str = "\
; Memory, pointers and floats have any value here whenever they are read: what these clauses
; contradict need not be a run of the program.
";

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    /// Variables are in the ranges of their types.
    Ranges,
    /// They need not be, which makes simpler proofs.
    Free,
    /// In their ranges, with facts and phases that are looked for before and hold however
    /// procedures are called: they make contracts that others can use.
    Modular,
    /// The same, but only for the calls that there are.
    Contextual,
    /// In their ranges, with what other engines have told.
    Told,
}

const PLAIN: Settings = Settings { global: false };
const GLOBAL: Settings = Settings { global: true };

/// Who takes turns.
const WAYS: [(Form, Settings); 8] = [
    (Form::Told, PLAIN),
    (Form::Modular, PLAIN),
    (Form::Ranges, PLAIN),
    (Form::Contextual, PLAIN),
    (Form::Free, PLAIN),
    (Form::Free, GLOBAL),
    (Form::Ranges, GLOBAL),
    (Form::Contextual, GLOBAL),
];

/// Loops and procedures of a large program.
const LARGE: usize = 16;

/// Facts about all of a large program would take longer than most proofs, so it begins without them; so do
/// parts at first, of which there may be many.
fn soon() -> Vec<(Form, Settings)> {
    WAYS.into_iter().filter(|(form, _)| *form != Form::Modular).collect()
}

/// A bit-vector is always in its range.
const WAYS_OF_BITS: [(Form, Settings); 2] = [(Form::Ranges, PLAIN), (Form::Ranges, GLOBAL)];

impl Engine for Horn {
    fn name(&self) -> &'static str {
        match self.encoding {
            Encoding::Int => "horn",
            Encoding::Bv => "horn of bits",
        }
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let prepared = Prepared::new(task.program, task.property);
        let smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        let mut statistics = Statistics::default();
        if self.probe
            && let Some(verdict) = probe(task, &prepared.instrumented, &mut statistics, watch)
        {
            return Report::new(verdict, statistics);
        }
        let verdict = self.search(task, &prepared, smt, watch).run(&mut statistics);
        Report::new(verdict, statistics)
    }
}

impl Horn {
    fn search<'a, 'p>(
        &self,
        task: &'a Task<'p>,
        prepared: &'a Prepared,
        smt: Smt,
        watch: &'a mut dyn Watch,
    ) -> Search<'a, 'p> {
        let machine = Machine::new(self.encoding, task.signed_overflow);
        let semantics = Semantics::new(&prepared.reduced, machine);
        let cx = Cx { terms: Terms::new(), smt, semantics };
        let ways = match self.encoding {
            Encoding::Int if is_large(prepared) => soon(),
            Encoding::Int => WAYS.to_vec(),
            Encoding::Bv => WAYS_OF_BITS.to_vec(),
        };
        let (limits, systems) = (self.limits, BTreeMap::new());
        Search { task, prepared, cx, watch, limits, ways, systems }
    }

    /// One round for a part of a program. What it finds is added to what is claimed of the others.
    pub(crate) fn part(
        &self,
        task: &Task<'_>,
        prepared: &Prepared,
        effort: Effort,
        claimed: &mut Draft<'_>,
        statistics: &mut Statistics,
        watch: &mut dyn Watch,
    ) -> Result<(), Verdict> {
        let smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        let mut search = self.search(task, prepared, smt, watch);
        if effort == Effort::FIRST && self.encoding == Encoding::Int {
            search.ways = soon();
        }
        search.round(effort, statistics, |search, states| {
            let mut projection =
                Projection::of_states(task.into(), prepared, &mut search.cx, states);
            projection.speak(claimed, By::Location);
            Ok(())
        })
    }
}

/// What a round may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    work: u32,
    queries: usize,
}

impl Effort {
    pub const FIRST: Effort = Effort { work: FIRST, queries: FIRST_QUERIES };

    /// For the next round; `None` where this was the most.
    pub fn more(self, most: u32) -> Option<Effort> {
        let work = self.work.saturating_mul(GROWTH).min(most);
        let queries = self.queries.saturating_mul(GROWTH as usize);
        (self.work < most).then_some(Effort { work, queries })
    }
}

/// What a way leads to.
enum Turn {
    /// Formulas that exclude the errors.
    Solved(States),
    /// A run, or nothing.
    Ended(Verdict),
}

/// A task's clauses as SMT-LIB text: satisfiable if and only if no violation is reached, as far as
/// the program has no memory, pointers or floats in it, whose values are anything.
pub fn script(task: &Task<'_>, encoding: Encoding) -> String {
    let prepared = Prepared::new(task.program, task.property);
    let machine = Machine::new(encoding, task.signed_overflow);
    let mut cx = Cx {
        terms: Terms::new(),
        smt: Smt::new(Limits::default()),
        semantics: Semantics::new(&prepared.reduced, machine),
    };
    let asked = ask(&mut cx, &prepared, Form::Ranges);
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
    let strengthened = Strengthened::new(terms, &mut smt, system, &[], MOST_QUERIES).ok();
    let most = limits.resources.unwrap_or(u32::MAX);
    let mut work = FIRST.min(most);
    loop {
        let mut last = Reason::Resources;
        for (with_facts, settings) in [(true, PLAIN), (false, PLAIN), (false, GLOBAL)] {
            if let Err(reason) = watch.progress(Statistics::default()) {
                return Outcome::Unknown(reason);
            }
            smt.set_limits(Limits { resources: Some(work), ..limits });
            let outcome = match strengthened.as_ref().filter(|_| with_facts) {
                Some(strengthened) => strengthened.solve(terms, &mut smt, settings),
                None => Spacer { smt: &mut smt, settings }.solve(terms, system),
            };
            last = match checked(terms, &mut smt, system, outcome) {
                Outcome::Unknown(reason) if !reason.is_end() => reason,
                end => return end,
            };
        }
        // What is beyond the solver stays so with more work.
        if work >= most || matches!(last, Reason::Incomplete(_)) {
            return Outcome::Unknown(last);
        }
        work = work.saturating_mul(GROWTH).min(most);
    }
}

/// An answer that was looked at.
fn checked(terms: &mut Terms, smt: &mut Smt, system: &System, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Solved(solution) => match check(terms, smt, system, &solution) {
            Ok(()) => Outcome::Solved(solution),
            Err(Flaw::Violated(clause)) => {
                let note = &system.clauses[clause].note;
                let what = format!("its solution does not satisfy the clause: {note}");
                Outcome::Unknown(Reason::Failed(what))
            }
            Err(Flaw::Undecided(_, reason)) => Outcome::Unknown(reason),
        },
        Outcome::Violated(derivation) if !derives(terms, system, &derivation) => {
            Outcome::Unknown(Reason::Failed("its derivation is none".to_owned()))
        }
        other => other,
    }
}

struct Search<'a, 'p> {
    task: &'a Task<'p>,
    prepared: &'a Prepared,
    cx: Cx<'a>,
    watch: &'a mut dyn Watch,
    limits: Limits,
    ways: Vec<(Form, Settings)>,
    systems: BTreeMap<Form, Asked>,
}

/// A form's system.
struct Asked {
    encoded: Encoded,
    reduction: Reduction,
    facts: Facts,
}

/// What is known of a system before it is solved.
enum Facts {
    Unwanted,
    /// Wanted, whatever the `open` predicates are true of; so many queries were not enough.
    Missing {
        open: Vec<PredicateId>,
        queries: usize,
    },
    Found(Box<Strengthened>),
    /// What was told is known, of so many news.
    Told(usize, Box<Strengthened>),
    /// Nothing of it is about these clauses.
    Untold,
}

impl Asked {
    /// Looks for facts, if they are wanted and this is more than there was before.
    fn strengthen(&mut self, cx: &mut Cx<'_>, queries: usize) {
        let Facts::Missing { open, queries: before } = &mut self.facts else { return };
        if *before >= queries {
            return;
        }
        *before = queries;
        let Cx { terms, smt, .. } = cx;
        let found = Strengthened::new(terms, smt, &self.reduction.system, open, queries);
        if let Ok(found) = found {
            self.facts = Facts::Found(Box::new(found));
        }
    }

    /// Puts what others say holds into the clauses, if there is more of it than before.
    fn listen(&mut self, cx: &mut Cx<'_>, prepared: &Prepared, holds: &[Arc<News>]) {
        let before = match &self.facts {
            Facts::Told(news, _) => *news,
            _ => 0,
        };
        if holds.len() == before {
            return;
        }
        let system = &self.reduction.system;
        let mut facts = vec![Vec::new(); system.predicates.len()];
        let understood: Vec<(Place, Term)> =
            holds.iter().flat_map(|news| news.claims.understood(cx, prepared)).collect();
        for (place, formula) in understood {
            let Some(of) = self.encoded.places.iter().position(|one| *one == place) else {
                continue;
            };
            let parameters = &system.predicates[of].parameters;
            if cx.terms.parts_first(&[formula]).len() > MOST_PARTS {
                continue;
            }
            if cx.terms.free_symbols(formula).iter().all(|symbol| parameters.contains(symbol)) {
                facts[of].push(formula);
            }
        }
        if facts.iter().any(|facts| !facts.is_empty()) {
            let told = Strengthened::by(&mut cx.terms, &mut cx.smt, system, &facts);
            self.facts = Facts::Told(holds.len(), Box::new(told));
        }
    }
}

impl Search<'_, '_> {
    fn run(&mut self, statistics: &mut Statistics) -> Verdict {
        let most = self.limits.resources.unwrap_or(u32::MAX);
        let mut effort = Effort::FIRST;
        loop {
            let last = match self.round(effort, statistics, Self::judged) {
                Ok(checked) => return Verdict::Proved(checked),
                Err(Verdict::Unknown(why)) if !why.is_end() => why,
                Err(verdict) => return verdict,
            };
            match effort.more(most) {
                Some(more) => effort = more,
                None => return Verdict::Unknown(last),
            }
        }
    }

    /// Every way once, until one of them is the end. What solves the clauses may still be no
    /// proof to whoever looks at it.
    fn round<T>(
        &mut self,
        Effort { work, queries }: Effort,
        statistics: &mut Statistics,
        mut accept: impl FnMut(&mut Self, States) -> Result<T, Why>,
    ) -> Result<T, Verdict> {
        let mut last = Why::SolverGaveUp { reason: Reason::Resources.to_string() };
        let mut heard = self.watch.heard();
        heard.retain(|news| news.worth == Worth::Holds);
        for (form, settings) in self.ways.clone() {
            if form == Form::Told && heard.is_empty() {
                continue;
            }
            if let Err(reason) = self.watch.progress(*statistics) {
                return Err(Verdict::Unknown(why(reason)));
            }
            self.cx.smt.set_limits(Limits { resources: Some(work), ..self.limits });
            let mut asked = match self.systems.remove(&form) {
                Some(asked) => asked,
                None => ask(&mut self.cx, self.prepared, form),
            };
            asked.strengthen(&mut self.cx, queries);
            if form == Form::Told {
                asked.listen(&mut self.cx, self.prepared, &heard);
            }
            if matches!(asked.facts, Facts::Untold) {
                self.systems.insert(form, asked);
                continue;
            }
            statistics.queries += 1;
            let turn = self.turn(&asked, settings);
            self.systems.insert(form, asked);
            let end = match turn {
                Turn::Solved(states) => accept(self, states).map_err(Verdict::Unknown),
                Turn::Ended(verdict) => Err(verdict),
            };
            match end {
                Err(Verdict::Unknown(why)) if !why.is_end() => last = why,
                end => return end,
            }
        }
        Err(Verdict::Unknown(last))
    }

    fn turn(&mut self, asked: &Asked, settings: Settings) -> Turn {
        let Cx { terms, smt, semantics } = &mut self.cx;
        let system = &asked.reduction.system;
        let outcome = match &asked.facts {
            Facts::Found(strengthened) | Facts::Told(_, strengthened) => {
                strengthened.solve(terms, smt, settings)
            }
            _ => Spacer { smt, settings }.solve(terms, system),
        };
        match outcome {
            Outcome::Unknown(reason) => Turn::Ended(Verdict::Unknown(why(reason))),
            Outcome::Violated(derivation) => {
                let inputs = inputs(terms, semantics, &asked.encoded, system, &derivation);
                Turn::Ended(replay(self.task, self.prepared, &inputs))
            }
            Outcome::Solved(solution) => Turn::Solved(self.states(asked, &solution)),
        }
    }

    fn states(&mut self, asked: &Asked, solution: &Solution) -> States {
        let program = self.cx.semantics.program;
        let mut states = States::new();
        let formulas = asked.reduction.solution(solution);
        for (place, formula) in asked.encoded.places.iter().zip(formulas) {
            let Some(formula) = formula else { continue };
            let formula = readable(&mut self.cx.terms, formula);
            let at = place.location(program);
            // Where a loop begins with the procedure, its invariant holds at the entry as well.
            if matches!(place, Place::At(..)) || !states.contains_key(&at) {
                states.insert(at, vec![formula]);
            }
        }
        states
    }

    fn judged(&mut self, states: States) -> Result<Box<Checked>, Why> {
        let mut projection =
            Projection::of_states(self.task.into(), self.prepared, &mut self.cx, states);
        judge(self.task, &mut projection, self.watch)
    }
}

fn ask(cx: &mut Cx<'_>, prepared: &Prepared, form: Form) -> Asked {
    let Cx { terms, semantics, .. } = cx;
    let encoded = encode(terms, semantics, form != Form::Free);
    let program = semantics.program;
    let kept = |predicate| is_kept(program, prepared, &encoded, predicate);
    let reduction = Reduction::new(terms, encoded.system.clone(), kept);
    let is_open = |place: &Place| matches!(place, Place::Entry(proc) if *proc != program.start);
    let places = encoded.places.iter().enumerate();
    let open = places.filter(|(_, place)| is_open(place)).map(|(number, _)| PredicateId(number));
    let facts = match form {
        Form::Ranges | Form::Free => Facts::Unwanted,
        Form::Modular => Facts::Missing { open: open.collect(), queries: 0 },
        Form::Contextual => Facts::Missing { open: Vec::new(), queries: 0 },
        Form::Told => Facts::Untold,
    };
    Asked { encoded, reduction, facts }
}

/// Whether a predicate stays in the system: that of an entry, an exit or a loop head.
pub(crate) fn is_kept(
    program: &Program,
    prepared: &Prepared,
    encoded: &Encoded,
    predicate: PredicateId,
) -> bool {
    match encoded.places[predicate.0] {
        Place::Entry(_) => true,
        Place::At(proc, loc) => {
            let body = program.procs[proc].body.as_ref().expect("a predicate of a body");
            loc == body.exit || prepared.heads.contains(&(proc, loc))
        }
    }
}

pub(crate) fn is_large(prepared: &Prepared) -> bool {
    let bodies = prepared.reduced.procs.iter().filter(|(_, proc)| proc.body.is_some()).count();
    bodies + prepared.heads.len() > LARGE
}

/// Why there is no answer.
pub fn why(reason: Reason) -> Why {
    match reason {
        Reason::Time => Why::TimeLimit,
        Reason::Memory => Why::MemoryLimit,
        Reason::Cancelled => Why::Cancelled,
        Reason::Incomplete(reason) => Why::SolverGaveUp { reason },
        other => Why::SolverGaveUp { reason: other.to_string() },
    }
}
