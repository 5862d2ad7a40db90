//! The explicit domain includes whatever formulas allow: models of random steps, calls and returns
//! from random states lead to states that it yields.

use std::fmt::Write as _;
use std::rc::Rc;

use lakatos_analysis::core::{Cx, Domain};
use lakatos_analysis::domain::explicit::{Explicit, Settings, State, Values};
use lakatos_analysis::semantics::{Role, Semantics};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::{
    DataModel, EdgeId, Instr, IntType, ProcId, Program, SignedOverflow, Source, VarId, pass,
};
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Assignment, Term, Terms, Value};

/// A small generator of numbers, the same every time.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const VARS: &[&str] = &["a", "b", "u", "s", "t", "c", "l", "g", "h", "k"];
const OPS: &[&str] = &[
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">", ">=", "&&",
    "||", "==", "!=", "&&", "||",
];
const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "7", "31", "255", "2147483647", "(-1)", "(-5)", "4294967295u"];

fn expr(rng: &mut Rng, depth: usize) -> String {
    let inner = |rng: &mut Rng| expr(rng, depth - 1);
    match rng.below(if depth == 0 { 5 } else { 14 }) {
        0..=2 => rng.pick(VARS).to_owned(),
        3 | 4 => rng.pick(NUMBERS).to_owned(),
        5..=8 => {
            let (a, op, b) = (inner(rng), rng.pick(OPS), inner(rng));
            format!("({a} {op} {b})")
        }
        9 => format!("({}{})", rng.pick(&["!", "-", "~"]), inner(rng)),
        10 => {
            let ty = rng.pick(&["unsigned char", "short", "unsigned", "long", "_Bool"]);
            format!("(({ty}){})", inner(rng))
        }
        11 => format!("({} ? {} : {})", inner(rng), inner(rng), inner(rng)),
        // What is undefined behind a condition.
        _ => {
            let (guard, lazy, a) = (rng.pick(VARS), rng.pick(&["&&", "||"]), inner(rng));
            format!("({guard} {lazy} ({a} {} {}))", rng.pick(&["/", "%", "<<"]), rng.pick(VARS))
        }
    }
}

fn statements(rng: &mut Rng, depth: usize, out: &mut String) {
    for _ in 0..1 + rng.below(3) {
        let var = rng.pick(VARS);
        match rng.below(if depth == 0 { 5 } else { 8 }) {
            0..=2 => write!(out, "{var} = {};", expr(rng, 2)),
            3 => write!(out, "{var} = __VERIFIER_nondet_int();"),
            4 => write!(
                out,
                "if ({} {} {}) return {};",
                var,
                rng.pick(&["==", "!=", "<"]),
                rng.pick(NUMBERS),
                expr(rng, 1)
            ),
            5 => write!(out, "{var} = f({}, {});", expr(rng, 1), expr(rng, 1)),
            _ => {
                let (mut yes, mut no) = (String::new(), String::new());
                statements(rng, depth - 1, &mut yes);
                statements(rng, depth - 1, &mut no);
                write!(out, "if ({}) {{ {yes} }} else {{ {no} }}", expr(rng, 2))
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
    let (f, main) = (body(), body());
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); int g = 3; unsigned h; signed char k = 1;
         int f(int a, unsigned char c) {{ int b = 1; unsigned u = 2; short s; _Bool t; long l;
           {f} return b; }}
         int main(void) {{ int a, b = 0; unsigned u; short s = 5; _Bool t = 1; unsigned char c;
           long l; {main} return a; }}"
    );
    let options = lakatos_c::Options::of_model(DataModel::Lp64);
    let program = lakatos_c::compile(Source::new("random.c", text), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    pass::large_blocks(program).0
}

/// A value that is worth trying.
fn value(rng: &mut Rng, ty: IntType) -> i128 {
    let small = rng.below(9) as i128 - 3;
    ty.wrap(rng.pick(&[small, small, 0, 1, ty.min(), ty.max(), 31, 255]))
}

/// Values of some of the variables that a frame sees.
fn values(rng: &mut Rng, cx: &Cx<'_>, vars: impl IntoIterator<Item = VarId>) -> Values {
    let tracked = vars.into_iter().filter(|var| cx.semantics.tracks(*var));
    let some: Vec<VarId> = tracked.filter(|_| rng.below(5) < 3).collect();
    let ty = |var: VarId| cx.semantics.program.vars[var].ty.as_int().expect("an integer");
    some.into_iter().map(|var| (var, value(rng, ty(var)))).collect()
}

fn visible(program: &Program, proc: ProcId) -> Vec<VarId> {
    let seen = |frame: Option<ProcId>| frame.is_none_or(|frame| frame == proc);
    program.vars.iter().filter(|(_, v)| seen(v.kind.frame())).map(|(id, _)| id).collect()
}

fn is_static(cx: &Cx<'_>, var: VarId) -> bool {
    cx.semantics.program.vars[var].kind.frame().is_none()
}

fn equal(cx: &mut Cx<'_>, values: &Values, role: impl Fn(&Cx<'_>, VarId) -> Role) -> Term {
    let mut parts = Vec::new();
    for (var, value) in values.iter() {
        let role = role(cx, var);
        let symbol = cx.semantics.operand(&mut cx.terms, role, var);
        let value = cx.semantics.machine().constant(&mut cx.terms, value, symbol.ty);
        parts.push(cx.terms.eq(symbol.term, value.term));
    }
    cx.terms.and(parts)
}

/// Some models of a formula, as different as blocking one value at a time makes them.
fn models(cx: &mut Cx<'_>, rng: &mut Rng, formula: Term) -> Vec<Assignment> {
    let symbols: Vec<_> = cx.terms.free_symbols(formula).into_iter().collect();
    let mut formulas = vec![formula];
    let mut found = Vec::new();
    while found.len() < 4 {
        let (Answer::Sat, Some(mut model)) = cx.smt.model(&cx.terms, &formulas) else { break };
        for symbol in &symbols {
            let sort = cx.terms.symbol_sort(*symbol);
            model.symbols.entry(*symbol).or_insert_with(|| Value::zero(&cx.terms, sort));
        }
        if !symbols.is_empty() {
            let symbol = rng.pick(&symbols);
            let value = cx.terms.constant(&model.symbols[&symbol].clone());
            let symbol = cx.terms.symbol_term(symbol);
            let other = cx.terms.ne(symbol, value);
            formulas.push(other);
        }
        found.push(model);
    }
    found
}

/// Whether a model's values in a role are those of a state.
fn agrees(cx: &mut Cx<'_>, model: &Assignment, values: &Values, role: Role) -> bool {
    values.iter().all(|(var, value)| {
        let symbol = cx.semantics.operand(&mut cx.terms, role, var);
        let name = cx.terms.as_symbol(symbol.term).expect("variables are symbols");
        let machine = cx.semantics.machine();
        let there = model.symbols.get(&name).and_then(|v| machine.value(v, symbol.ty));
        there == Some(value)
    })
}

struct Tester<'p> {
    cx: Cx<'p>,
    domain: Explicit,
    rng: Rng,
    checked: usize,
}

impl Tester<'_> {
    /// Every model of the formula is in one of the states. A changed variable that the formula
    /// does not speak of has any value.
    fn check(&mut self, formula: Term, changed: &[VarId], states: &[State], what: &str) {
        for mut model in models(&mut self.cx, &mut self.rng, formula) {
            self.checked += 1;
            for var in changed {
                let symbol = self.cx.semantics.operand(&mut self.cx.terms, Role::Now, *var);
                let name = self.cx.terms.as_symbol(symbol.term).expect("variables are symbols");
                let any = value(&mut self.rng, symbol.ty);
                let any = self.cx.semantics.machine().literal(any, symbol.ty);
                model.symbols.entry(name).or_insert(any);
            }
            let included = states.iter().any(|state| {
                agrees(&mut self.cx, &model, &state.now, Role::Now)
                    && agrees(&mut self.cx, &model, &state.pre, Role::Pre)
            });
            assert!(
                included,
                "{what}: {model:?} of {} is in none of {states:?}\n{}",
                self.cx.terms.display(formula),
                self.cx.semantics.program.source.text(),
            );
        }
    }

    fn step(&mut self, proc: ProcId, edge: EdgeId) {
        let vars = visible(self.cx.semantics.program, proc);
        let now = values(&mut self.rng, &self.cx, vars);
        let state = State { now: Rc::new(now), pre: Rc::default() };
        let cx = &mut self.cx;
        let states = self.domain.post(cx, &state, proc, edge).expect("no limit");
        let transition = cx.semantics.transition(&mut cx.terms, proc, edge);
        let before = equal(cx, &state.now, |_, var| match transition.assigned.contains(&var) {
            true => Role::Old,
            false => Role::Now,
        });
        let formula = cx.terms.and([before, transition.formula, transition.ranges]);
        self.check(formula, &transition.assigned, &states, "step");
    }

    fn call(&mut self, proc: ProcId, edge: EdgeId, callee: ProcId) {
        let program = self.cx.semantics.program;
        let call = self.cx.semantics.call(&mut self.cx.terms, proc, edge, callee);
        let now = values(&mut self.rng, &self.cx, visible(program, proc));
        let caller = State { now: Rc::new(now), pre: Rc::default() };
        let cx = &mut self.cx;
        let states = self.domain.enter(cx, &caller, &call).expect("no limit");
        let before = equal(cx, &caller.now, |cx, var| match is_static(cx, var) {
            true => Role::Now,
            false => Role::Caller,
        });
        let formula = cx.terms.and([before, call.enter, call.enter_ranges]);
        self.check(formula, &[], &states, "enter");

        let changed = self.cx.semantics.changed(callee);
        let now = values(&mut self.rng, &self.cx, visible(program, callee));
        let pre = values(&mut self.rng, &self.cx, changed.iter().copied());
        let exit = State { now: Rc::new(now), pre: Rc::new(pre) };
        let cx = &mut self.cx;
        let states = self.domain.rebuild(cx, &caller, &call, &exit).expect("no limit");
        let before = equal(cx, &caller.now, |_, var| match call.assigned.contains(&var) {
            true => Role::Old,
            false => Role::Now,
        });
        let end =
            equal(cx, &exit.now, |cx, var| match is_static(cx, var) && !changed.contains(&var) {
                true => Role::Now,
                false => Role::Callee,
            });
        let entry = equal(cx, &exit.pre, |_, _| Role::CalleePre);
        let formula = cx.terms.and([before, end, entry, call.leave, call.leave_ranges]);
        self.check(formula, &call.assigned, &states, "rebuild");
        let cx = &mut self.cx;
        let states = self.domain.skip(cx, &caller, &call).expect("no limit");
        self.check(formula, &call.assigned, &states, "skip");
    }
}

/// Checks the steps of random programs; gives the number of models.
fn run(seed: u64, signed_overflow: SignedOverflow, successors: usize) -> usize {
    let mut rng = Rng(seed * 0x9e37_79b9 + 1);
    let program = program(&mut rng);
    let calls = CallGraph::new(&program);
    let machine = Machine::new(Encoding::Int, signed_overflow);
    let cx = Cx {
        terms: Terms::new(),
        // What the solver cannot do quickly is not worth waiting for.
        smt: Smt::new(Limits { resources: Some(300_000), ..Limits::default() }),
        semantics: Semantics::new(&program, machine),
    };
    let domain = Explicit::new(Settings { successors, ..Settings::default() });
    let mut tester = Tester { cx, domain, rng, checked: 0 };
    tester.domain.learn_all(&mut tester.cx);
    for (proc, _, body) in program.defined() {
        for (edge, info) in body.edges.iter() {
            let targets = calls.targets(proc, edge);
            let entered = targets.iter().find(|t| program.procs[**t].body.is_some());
            for _ in 0..3 {
                match (entered, &info.instr) {
                    (Some(callee), Instr::Call(_)) => tester.call(proc, edge, *callee),
                    _ => tester.step(proc, edge),
                }
            }
        }
    }
    tester.checked
}

#[test]
fn random_steps() {
    let mut checked = 0;
    for seed in 1..=30 {
        let overflow = match seed % 2 {
            0 => SignedOverflow::Undefined,
            _ => SignedOverflow::Wrap,
        };
        checked += run(seed, overflow, if seed % 3 == 0 { 0 } else { 8 });
    }
    assert!(checked > 1000, "only {checked} models");
}
