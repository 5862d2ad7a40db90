//! Whole runs of C programs: step by step, the solver finds what the interpreter did.
//!
//! The inputs of a run are fixed; then at each location exactly one step is possible, and at the
//! exit the result is the run's. Where the run ends early no step is possible.

use std::collections::BTreeMap;

use lakatos_encode::Machine;
use lakatos_encode::ssa::{FrameId, Origin, Ssa, Step, Versions};
use lakatos_ir::interpret::{Input, Interpreter, Options, Outcome, Random, Run};
use lakatos_ir::pass::{large_blocks, way_through};
use lakatos_ir::*;
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Assignment, Term, Terms};

use crate::support::{Rng, machines};

fn compile(text: &str) -> Program {
    let header = "int __VERIFIER_nondet_int(); unsigned __VERIFIER_nondet_uint();
                  unsigned char __VERIFIER_nondet_uchar(); _Bool __VERIFIER_nondet__Bool();
                  long __VERIFIER_nondet_long(); void __VERIFIER_assume(int);\n";
    let source = Source::new("test.c", format!("{header}{text}"));
    let program = lakatos_c::compile(source, &lakatos_c::Options::default());
    large_blocks(program.expect("compiles")).0
}

/// A walk through `main` along a run.
struct Walk<'p> {
    program: &'p Program,
    machine: Machine,
    terms: Terms,
    ssa: Ssa<'p>,
    frame: FrameId,
    versions: Versions,
    /// The values of current versions.
    values: Assignment,
    inputs: BTreeMap<(SiteId, u32), &'p Input>,
    passed: BTreeMap<SiteId, u32>,
    smt: Smt,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, machine: Machine, run: &'p Run) -> Walk<'p> {
        let mut ssa = Ssa::new(program, machine);
        let frame = ssa.frame(program.main, "main");
        Walk {
            program,
            machine,
            terms: Terms::new(),
            ssa,
            frame,
            versions: Versions::default(),
            values: Assignment::default(),
            inputs: run.inputs.iter().map(|i| ((i.site, i.occurrence), i)).collect(),
            passed: BTreeMap::new(),
            smt: Smt::default(),
        }
    }

    /// The only step that is possible; `None` if there is none.
    fn advance(&mut self, cfa: &'p Cfa, at: LocId) -> Option<LocId> {
        let mut taken = None;
        for &id in &cfa.locs[at].out {
            let edge = &cfa.edges[id];
            let mut versions = self.versions.clone();
            let step = self
                .ssa
                .step(&mut self.terms, self.frame, &mut versions, &edge.instr, edge.span)
                .expect("no calls, no memory");
            let (answer, model) = self.ask(&step);
            assert!(matches!(answer, Answer::Sat | Answer::Unsat), "{answer:?}");
            if answer.is_sat() {
                assert!(taken.is_none(), "two steps are possible");
                taken = Some((edge, versions, step, model.expect("a model")));
            }
        }
        let (edge, versions, step, model) = taken?;
        self.versions = versions;
        self.note_inputs(&edge.instr, &step, &model);
        self.values.symbols.extend(model.symbols);
        Some(edge.to)
    }

    fn ask(&mut self, step: &Step) -> (Answer, Option<Assignment>) {
        let mut formulas = vec![step.formula, step.ranges];
        for symbol in self.terms.free_symbols_of(&[&step.guards[..], &formulas].concat()) {
            if let Some(value) = self.values.symbols.get(&symbol) {
                let (term, value) = (self.terms.symbol_term(symbol), self.terms.constant(value));
                formulas.push(self.terms.eq(term, value));
            }
        }
        for input in &step.inputs {
            let occurrence = self.passed.get(&input.site).copied().unwrap_or(0);
            if let Some(given) = self.inputs.get(&(input.site, occurrence)) {
                let value = self.machine.constant(&mut self.terms, given.value, input.value.ty);
                formulas.push(self.terms.eq(input.value.term, value.term));
            }
        }
        // Every symbol of a guard needs a value in the model.
        let guards = step.guards.iter().map(|g| {
            let negated = self.terms.not(*g);
            self.terms.or([*g, negated])
        });
        formulas.extend(guards.collect::<Vec<Term>>());
        self.smt.model(&self.terms, &formulas)
    }

    /// Counts the inputs on the way that the model shows.
    fn note_inputs(&mut self, instr: &Instr, step: &Step, model: &Assignment) {
        let way = match instr {
            Instr::Block(region) => {
                let number = |edge: &Edge| {
                    let same = |e: &Edge| std::ptr::eq(e, edge);
                    region.edges.iter().position(same).expect("of the region")
                };
                let take = |_: &(), edge: &Edge| {
                    let guard = step.guards[number(edge)];
                    let mut all = self.values.clone();
                    all.symbols.extend(model.symbols.clone());
                    self.terms.holds(guard, &all)?.then_some(())
                };
                way_through(region, (), take).expect("a model has a way").0
            }
            _ => vec![0],
        };
        for input in step.inputs.iter().filter(|i| way.contains(&(i.edge as u32))) {
            *self.passed.entry(input.site).or_default() += 1;
        }
    }

    /// The value that `main` returns.
    fn result(&mut self) -> i128 {
        let var = self.program.procs[self.program.main].result.expect("an `int`");
        let instance = self.ssa.instance(self.frame, var);
        let version = self.versions.get(instance);
        let found = self.values.symbols.iter().find(|(symbol, _)| {
            self.ssa.origin(**symbol) == Some(Origin::Version(instance, version))
        });
        self.machine.value(found.expect("has a value").1, IntType::I32).expect("in range")
    }
}

/// How often runs ended in each way.
#[derive(Default, Debug)]
struct Count {
    exited: u32,
    ended: u32,
}

#[track_caller]
fn check(text: &str, rng: &mut Rng, count: &mut Count) {
    let program = compile(text);
    let interpreter = Interpreter::new(&program);
    let cfa = program.procs[program.main].body.as_ref().expect("`main` is defined");
    for machine in machines() {
        for _ in 0..6 {
            let signed_overflow = machine.signed_overflow;
            let options = Options { signed_overflow, max_steps: 300, ..Options::default() };
            let run = interpreter.run(&options, &mut Random::new(rng.next()));
            if run.outcome == Outcome::StepLimit {
                continue;
            }
            let mut walk = Walk::new(&program, machine, &run);
            let mut at = cfa.entry;
            while at != cfa.exit
                && let Some(next) = walk.advance(cfa, at)
            {
                at = next;
            }
            match run.outcome {
                Outcome::Exited(code) => {
                    assert!(at == cfa.exit, "stuck: {machine:?} {:?}", run.inputs);
                    assert_eq!(walk.result(), code, "{machine:?} {:?}", run.inputs);
                    count.exited += 1;
                }
                Outcome::Undefined { .. } | Outcome::Blocked { .. } => {
                    assert!(at != cfa.exit, "{machine:?} {:?} {:?}", run.inputs, run.outcome);
                    count.ended += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

const PROGRAMS: [&str; 10] = [
    "int main() { int x = __VERIFIER_nondet_int(); if (x > 5) x = x - 1; else x = -x; return x; }",
    "int main() { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
       return (a & 0xff00) >> 8 | (b | 1) ^ a << 3; }",
    "int main() { unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
       unsigned c = a << 8 | b; short s = c; return s / 7 % 5 + (signed char)b; }",
    "int main() { int n = __VERIFIER_nondet_uchar() % 6; int s = 0;
       for (int i = 0; i < n; i++) { int y = __VERIFIER_nondet_int(); if (y & 1) s += y; else s ^= y; }
       return s; }",
    "int main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
       __VERIFIER_assume(b != 0 || a > 3); int r = b != 0 && a / b > 1 ? a % b : a << (b & 7);
       switch (r) { case 0: return 1; case 1: case 2: r = r * 3; break; case 7 ... 9: r--; default: r = ~r; }
       return r; }",
    "int main() { long x = __VERIFIER_nondet_long(); unsigned long y = x; int k = 0;
       while (y > 1 && k < 4) { y = y >> 17; k += y % 3 == 0; } return k - (int)x; }",
    "int main() { _Bool p = __VERIFIER_nondet__Bool(); int q; if (p) q = 4; unsigned u = q;
       do { u = u * 3 + 1; } while (u % 4 != 1 && u < 1000000000u); return u ^ p; }",
    "int main() { int s = __VERIFIER_nondet_int(); unsigned one = 1u << s; return one - 1 + s / -1; }",
    "int main() { int x = __VERIFIER_nondet_int();
       int lo = x & 7, neg = -(x >> 31); return lo == 3 ? neg | lo : (x ^ -8) + 1; }",
    // Few bits, and not the same number of them.
    "int main() { unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
       unsigned char c = __VERIFIER_nondet_uchar(); int low = x & 15;
       int a = low ^ (c & 7), b = low & c >> 4, d = (int)(y % 100) | low;
       return a * 10000 + b * 1000 + d + (int)(x % 1000 ^ y % 33); }",
];

#[test]
fn solver_follows_the_interpreter() {
    let mut rng = Rng(1);
    let mut count = Count::default();
    for program in PROGRAMS {
        check(program, &mut rng, &mut count);
    }
    assert!(count.exited > 100 && count.ended > 15, "{count:?}");
}
