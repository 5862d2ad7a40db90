//! Runs of random programs stay inside the states that BAM finds with a random precision: whatever
//! is reduced at the entry of a block, expanded and rebuilt at its exits, taken from the cache or
//! answered in the middle of a recursion includes what the program does.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lakatos_analysis::bam::{Bam, Cache, Kinds, Settings};
use lakatos_analysis::core::{Cx, Domain, Exploration, NodeId, Stop};
use lakatos_analysis::domain::explicit::{self, Explicit};
use lakatos_analysis::domain::{Abstracts, Granularity, Predicate, Product};
use lakatos_analysis::semantics::{Role, Semantics};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_ir::interpret::{self, Outcome, Random, Step, Target};
use lakatos_ir::{
    DataModel, Instr, LocId, PlaceKind, ProcId, Program, SignedOverflow, Source, VarId,
};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::{Assignment, Symbol, Term, Terms, Value};

/// A small generator of numbers, the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const VARS: &[&str] = &["a", "b", "g", "h"];

fn expr(rng: &mut Rng) -> String {
    let (var, other) = (rng.pick(VARS), rng.pick(VARS));
    match rng.below(5) {
        0 => rng.below(4).to_string(),
        1 => var.to_owned(),
        2 => format!("({var} + {}) % 8", 1 + rng.below(3)),
        3 => format!("({var} + {other}) % 8"),
        _ => format!("in() % {}", 2 + rng.below(3)),
    }
}

fn statements(rng: &mut Rng, depth: usize, out: &mut String) {
    for _ in 0..1 + rng.below(3) {
        let (var, value) = (rng.pick(VARS), expr(rng));
        let mut inner = String::new();
        match rng.below(if depth == 0 { 5 } else { 8 }) {
            0..=2 => write!(out, "{var} = {value};"),
            // Calls are deeper each time, and end.
            3 => write!(out, "if (n > 0) {var} = {}(n - 1, {value});", rng.pick(&["f", "k"])),
            4 => write!(out, "if ({var} == {}) return {value};", rng.below(4)),
            5 => {
                statements(rng, depth - 1, &mut inner);
                write!(out, "if ({var} < {value}) {{ {inner} }}")
            }
            _ => {
                statements(rng, depth - 1, &mut inner);
                let (i, most) = (format!("i{depth}"), 1 + rng.below(3));
                write!(out, "{{ int {i} = 0; while ({i} < {most}) {{ {i} = {i} + 1; {inner} }} }}")
            }
        }
        .expect("a string takes everything");
    }
}

fn program(rng: &mut Rng) -> Program {
    let mut body = || {
        let mut text = String::new();
        statements(rng, 2, &mut text);
        text
    };
    let (f, k, main) = (body(), body(), body());
    let text = format!(
        "extern unsigned char in(void); int g = 1; int h; int k(int n, int a);
         int f(int n, int a) {{ int b = 0; {f} return b; }}
         int k(int n, int a) {{ int b = 1; {k} return a; }}
         int main(void) {{ int n = 2; int a = 0; int b = 3; {main} return 0; }}"
    );
    let options = lakatos_c::Options::of_model(DataModel::Lp64);
    lakatos_c::compile(Source::new("random.c", text), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// Comparisons of variables, now or at the entry, at random locations.
fn random_formulas(rng: &mut Rng, cx: &mut Cx<'_>) -> Vec<(ProcId, LocId, Term)> {
    let program = cx.semantics.program;
    let mut found = Vec::new();
    for (proc, _, body) in program.defined() {
        let seen = |frame: Option<ProcId>| frame.is_none_or(|frame| frame == proc);
        let vars = program.vars.iter().filter(|(_, var)| seen(var.kind.frame()));
        let vars: Vec<VarId> =
            vars.map(|(id, _)| id).filter(|id| cx.semantics.tracks(*id)).collect();
        for (loc, _) in body.locs.iter() {
            if vars.is_empty() || rng.below(2) == 0 {
                continue;
            }
            let now = cx.semantics.symbol(&mut cx.terms, Role::Now, rng.pick(&vars));
            let changed = cx.semantics.changed(proc);
            let other = match rng.below(4) {
                0 if !changed.is_empty() => {
                    let var = rng.pick(&changed);
                    cx.semantics.symbol(&mut cx.terms, Role::Pre, var)
                }
                1 => cx.semantics.symbol(&mut cx.terms, Role::Now, rng.pick(&vars)),
                _ => cx.terms.int(rng.below(4) as i64),
            };
            if cx.terms.sort(now) == cx.terms.sort(other) {
                let formula = match rng.below(2) {
                    0 => cx.terms.eq(now, other),
                    _ => cx.terms.le(now, other),
                };
                found.push((proc, loc, formula));
            }
        }
    }
    found
}

type Values = BTreeMap<VarId, i128>;

/// A frame of a run.
#[derive(Clone)]
struct Frame {
    proc: ProcId,
    loc: LocId,
    locals: Values,
    /// The values of all that it sees, when it was entered.
    entry: Values,
    /// A call whose result will be put somewhere.
    waits: bool,
}

/// A run, step by step, as what each frame and the statics hold.
struct Replay<'p> {
    program: &'p Program,
    statics: Values,
    frames: Vec<Frame>,
}

impl<'p> Replay<'p> {
    fn new(program: &'p Program) -> Replay<'p> {
        let mut replay = Replay { program, statics: Values::new(), frames: Vec::new() };
        replay.push(program.start, Values::new());
        replay
    }

    fn push(&mut self, proc: ProcId, params: Values) {
        let body = self.program.procs[proc].body.as_ref().expect("it is entered");
        let mut entry = self.statics.clone();
        entry.extend(&params);
        let frame = Frame { proc, loc: body.entry, locals: params, entry, waits: false };
        self.frames.push(frame);
    }

    fn set(&mut self, var: VarId, value: i128) {
        match self.program.vars[var].kind.frame() {
            None => self.statics.insert(var, value),
            Some(_) => self.frames.last_mut().expect("something runs").locals.insert(var, value),
        };
    }

    /// Takes a step; gives the frames that are where a state can be looked at.
    fn step(&mut self, semantics: &Semantics<'_>, step: &Step) {
        let body = self.program.procs[step.proc].body.as_ref().expect("it runs");
        let edge = &body.edges[step.edge];
        let callee = semantics.entered(step.proc, step.edge).first().copied();
        let top = self.frames.last_mut().expect("something runs");
        assert_eq!(top.proc, step.proc);
        let returns = std::mem::take(&mut top.waits);
        if let (Some(callee), false) = (callee, returns) {
            let Instr::Call(call) = &edge.instr else { panic!("not a call") };
            top.waits = call.result.is_some();
            if !top.waits {
                top.loc = edge.to;
            }
            let params = step.assigned.iter().filter_map(|assigned| match assigned.target {
                Target::Param(var) => Some((var, number(&assigned.value)?)),
                _ => None,
            });
            return self.push(callee, params.collect());
        }
        top.loc = edge.to;
        for assigned in &step.assigned {
            let var = match assigned.target {
                Target::Place(place) => match self.program.places[place].kind {
                    PlaceKind::Var(var) => Some(var),
                    _ => None,
                },
                Target::Param(var) => Some(var),
                Target::Result => self.program.procs[step.proc].result,
            };
            if let (Some(var), Some(value)) = (var, number(&assigned.value)) {
                self.set(var, value);
            }
        }
    }

    /// Leaves frames that have come to their exit.
    fn leave(&mut self) {
        while let Some(top) = self.frames.last()
            && top.loc == self.program.procs[top.proc].body.as_ref().expect("it runs").exit
            && self.frames.len() > 1
        {
            self.frames.pop();
            // A result is put somewhere by a step of its own.
            if self.frames.last().is_some_and(|frame| frame.waits) {
                return;
            }
        }
    }

    fn holds(&self, role: Role, var: VarId) -> Option<i128> {
        let top = self.frames.last()?;
        match role {
            Role::Now => top.locals.get(&var).or_else(|| self.statics.get(&var)).copied(),
            Role::Pre => top.entry.get(&var).copied(),
            _ => None,
        }
    }
}

fn number(value: &interpret::Value) -> Option<i128> {
    match value {
        interpret::Value::Int(value) => Some(*value),
        _ => None,
    }
}

/// Whether a state includes what a run holds, as far as that is known.
fn includes(cx: &mut Cx<'_>, replay: &Replay<'_>, state: Term) -> bool {
    let mut symbols: Vec<(Symbol, Value)> = Vec::new();
    for symbol in cx.terms.free_symbols(state) {
        let Some((role, var)) = cx.semantics.role(symbol) else { return true };
        let Some(value) = replay.holds(role, var) else { return true };
        let ty = cx.semantics.program.vars[var].ty.as_int().expect("tracked");
        symbols.push((symbol, cx.semantics.machine().literal(value, ty)));
    }
    let model = Assignment { symbols: symbols.into_iter().collect(), ..Assignment::default() };
    cx.terms.evaluate(state, &model) == Some(Value::Bool(true))
}

/// Explores a program with a domain, and checks its runs; gives the number of states checked.
fn check<D: Domain>(program: &Program, rng: &mut Rng, mut domain: D, settings: Settings) -> usize {
    let machine = Machine::new(Encoding::Int, SignedOverflow::Undefined);
    let smt = Smt::new(Limits::default());
    let mut cx = Cx { terms: Terms::new(), smt, semantics: Semantics::new(program, machine) };
    for (proc, loc, formula) in random_formulas(rng, &mut cx) {
        domain.learn(&mut cx, proc, loc, formula).expect("there is room");
    }
    domain.settle(&mut cx).expect("there is room");
    let mut bam = Bam::new(&mut cx, domain, settings);
    let mut go_on = |nodes| match nodes < 400 {
        true => Ok(()),
        false => Err(Stop::Solver(Reason::Resources)),
    };
    let Ok(end) = bam.explore(&mut cx, &mut go_on) else { return 0 };
    assert_eq!(end, None, "there is no error");
    let bodies: Vec<_> = bam.bodies().collect();
    let mut states: BTreeMap<(ProcId, LocId), Vec<Term>> = BTreeMap::new();
    let parts = bam.arg.alive().map(|(id, _)| id).filter(|id| bam.is_part(*id));
    let parts: Vec<NodeId> = parts.collect();
    for id in parts {
        // Behind a loop, what the loop's graph knows is not enough.
        let frame = bam.arg.nodes[id].frame;
        let inside = bam.blocks.is_inside(bam.place(id));
        if inside || bodies.contains(&frame) {
            let state = bam.state(id).clone();
            let formula = bam.domain.to_term(&mut cx, &state);
            states.entry(bam.place(id)).or_default().push(formula);
        }
    }
    let options =
        interpret::Options { max_steps: 400, record_trace: true, ..interpret::Options::default() };
    let mut checked = 0;
    for seed in 0..4 {
        let mut inputs = Random::new(seed + rng.below(100) as u64);
        let run = interpret::run(program, &options, &mut inputs);
        let mut replay = Replay::new(program);
        for step in &run.trace {
            replay.step(&cx.semantics, step);
            let top = replay.frames.last().expect("something runs");
            let waits = top.waits;
            let at = (top.proc, top.loc);
            if !waits {
                let found = states.get(&at).cloned().unwrap_or_default();
                let included = found.iter().any(|state| includes(&mut cx, &replay, *state));
                // The step at which a run ends need not be finished.
                let last =
                    run.trace.last() == Some(step) && !matches!(run.outcome, Outcome::Exited(_));
                assert!(
                    included || last,
                    "{settings:?}: nothing at {at:?} includes the run\n{}",
                    program.source.text()
                );
                checked += 1;
            }
            replay.leave();
        }
    }
    checked
}

#[test]
fn runs_stay_inside() {
    let mut checked = 0;
    for seed in 1..=24 {
        let mut rng = Rng(seed * 0x9e37_79b9 + 1);
        let program = program(&mut rng);
        let kinds = rng.pick(&[Kinds::Functions, Kinds::Loops, Kinds::Both, Kinds::Both]);
        let cache = rng.pick(&[Cache::Exact, Cache::Aggressive, Cache::Off]);
        let settings = Settings { kinds, cache };
        let predicate = Predicate::new(Abstracts::Boolean, Granularity::Location);
        let values = explicit::Settings {
            granularity: Granularity::Location,
            ..explicit::Settings::default()
        };
        checked += match seed % 3 {
            0 => check(&program, &mut rng, Explicit::new(values), settings),
            1 => check(&program, &mut rng, predicate, settings),
            _ => {
                let product = Product::new(Explicit::new(values), predicate);
                check(&program, &mut rng, product, settings)
            }
        };
    }
    assert!(checked > 1000, "only {checked} states");
}
