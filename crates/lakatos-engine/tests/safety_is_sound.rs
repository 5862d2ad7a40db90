//! Random programs that do all kinds of things with pointers: where the interpreter sees one of them
//! misuse memory, no engine proves that it does not.

mod common;

use common::{Nodes, compile};
use lakatos_check::Verdict;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Bmc, Engine, Task};
use lakatos_ir::interpret::{InOrder, Interpreter, Options, Outcome, Random};
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::Limits;

const PROGRAMS: u64 = 40;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *realloc(void *, unsigned long); void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
struct s { int v; int *f; } t;
int *g, e[3];
void set(int *p, int n) { p[n] = 1; }
int *forward(int *p, int n) { int *r = p + n; return r; }
int *local(int n) { int z[2]; g = z; z[n % 2] = 1; return n > 2 ? z : e; }
int *make(int n) { return malloc(4 * n); }
void drop(int *p) { if (p) free(p); }
int *deep(int n, int *p) { int y = n; if (n <= 0) return p; return deep(n - 1, n == 2 ? &y : p); }
";

const PROPERTIES: [Property; 7] = [
    Property::ValidDeref,
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::NullDeref,
    Property::UseAfterFree,
    Property::UninitialisedRead,
];

/// Makes programs.
struct Maker {
    random: Random,
    text: String,
    loops: usize,
}

impl Maker {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.bits() % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn pointer(&mut self) -> &'static str {
        self.one(&["p", "q", "p", "q", "g", "t.f", "h->f", "*pp"])
    }

    fn number(&mut self) -> &'static str {
        self.one(&["0", "0", "1", "1", "2", "3", "i", "n"])
    }

    /// Something to point to.
    fn target(&mut self) -> String {
        let (pointer, number) = (self.pointer(), self.number());
        match self.below(14) {
            0 => "&x".into(),
            1 => "a".into(),
            2 => format!("a + {number}"),
            3 => "e".into(),
            4 => format!("malloc(4 * {number})"),
            5 => "malloc(8)".into(),
            6 => format!("calloc({number}, 4)"),
            7 => format!("{pointer} + {number}"),
            8 => format!("{pointer} - {number}"),
            9 => format!("forward({pointer}, {number})"),
            10 => self.one(&["0", "local(1)", "local(3)", "make(2)", "&t.v"]).into(),
            11 => format!("deep({number}, {pointer})"),
            12 => format!("n > 0 ? {pointer} : &x"),
            _ => pointer.into(),
        }
    }

    fn statement(&mut self, depth: u64) {
        let (pointer, other, number) = (self.pointer(), self.pointer(), self.number());
        let line = match self.below(if depth == 0 { 12 } else { 17 }) {
            0..=3 => format!("{pointer} = {};", self.target()),
            4 => format!("*{pointer} = {number};"),
            5 => format!("x = {pointer}[{number}];"),
            6 => format!("if ({pointer}) {pointer}[{number}] = 1;"),
            7 => format!("free({pointer}); {}", self.one(&["", &format!("{pointer} = 0;")])),
            8 => format!("set({pointer}, {number});"),
            9 => format!("drop({pointer}); {}", self.one(&["", &format!("{pointer} = 0;")])),
            10 => self
                .one(&["memset(p, 0, 8);", "memcpy(a, p, 4);", "p = realloc(0, 8);", "x++;"])
                .into(),
            11 => format!("if ({pointer} == {other}) x = *{pointer};"),
            12 => {
                self.text += &format!("if ({pointer} != 0) {{\n");
                return self.block(depth);
            }
            13 => {
                self.text += "if (__VERIFIER_nondet_int()) {\n";
                return self.block(depth);
            }
            14 => {
                self.text += &format!("{{ int y = 1; {pointer} = &y;\n");
                return self.block(depth);
            }
            15 if self.loops < 2 => {
                self.loops += 1;
                self.text += "for (i = 0; i < 3; i++) {\n";
                self.block(depth);
                self.loops -= 1;
                return;
            }
            _ => format!("while ({pointer} == 0) {pointer} = {};", self.target()),
        };
        self.text += &line;
        self.text += "\n";
    }

    fn block(&mut self, depth: u64) {
        for _ in 0..1 + self.below(3) {
            self.statement(depth - 1);
        }
        self.text += "}\n";
    }
}

fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), text: HEAD.to_owned(), loops: 0 };
    maker.text += "int main(void) { int a[4], x = 0, i = 0, n = __VERIFIER_nondet_int() & 3;
        struct s u = {1, a}, *h = &u; int *p = a, *q = &x, **pp = &q; t.f = e; g = e;\n";
    for _ in 0..2 + maker.below(6) {
        maker.statement(2);
    }
    let end = maker.one(&["", "free(p);", "if (p == a) return 0; free(p);"]);
    maker.text += end;
    maker.text + "\nreturn 0; }\n"
}

/// Whether some run misuses memory.
fn is_violated(program: &Program, property: Property) -> bool {
    let interpreter = Interpreter::new(program);
    let options = Options { max_steps: 5_000, ..Options::default() }.watching(property);
    (0..32).any(|bits: i128| {
        let inputs = [bits & 3, bits >> 2 & 1, bits >> 3 & 1, bits >> 4 & 1, 1, 0];
        let run = interpreter.run(&options, &mut InOrder::new(inputs.to_vec()));
        match run.outcome {
            Outcome::Undefined { kind, .. } => property.is_violated_by(kind),
            Outcome::Exited(_) => {
                property.includes(Property::ValidMemtrack) && !run.lost.is_empty()
            }
            _ => false,
        }
    })
}

#[test]
fn what_goes_wrong_is_not_proved() {
    let limits = Limits { resources: Some(200_000), time: None };
    let horn = Horn { probe: false, limits, encoding: Encoding::Int };
    let stack = StackCegar { probe: false, limits, ..StackCegar::default() };
    let bmc = Bmc { limits, ..Bmc::default() };
    let engines: [&dyn Engine; 3] = [&horn, &stack, &bmc];
    let (mut violated, mut proved) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let compiled = compile(&text);
        let property = PROPERTIES[(seed % 7) as usize];
        let is_violated = is_violated(&compiled, property);
        violated += usize::from(is_violated);
        let signed_overflow = SignedOverflow::Undefined;
        let task = Task { program: &compiled, property, signed_overflow };
        let engine = engines[(seed / 7 % 3) as usize];
        let is_proved = matches!(engine.solve(&task, &mut Nodes(50)).verdict, Verdict::Proved(_));
        assert!(!(is_proved && is_violated), "seed {seed}, {property}: {text}");
        proved += usize::from(is_proved);
    }
    // Otherwise nothing was tested.
    assert!(violated > 5 && proved > 5, "{violated} violated, {proved} proofs");
}
