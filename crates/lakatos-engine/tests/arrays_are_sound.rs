//! Random programs with arrays: what a run violates is never proved by guesses about arrays.
//!
//! The oracle is the interpreter on the program as it is: many runs, with small inputs and with
//! others. Programs are made of loops over arrays that fill, copy, exchange, mirror and add up, by
//! index, through pointers and in functions, of one dimension or two, and of an assertion about
//! elements or sums that may hold or not.

mod common;

use common::compile;
use lakatos_check::Verdict;
use lakatos_engine::{Arrays, Engine, Statistics, Task, Watch};
use lakatos_ir::interpret::{Interpreter, Options, Outcome, Random as Inputs};
use lakatos_ir::pass;
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::{Cancel, Reason};

const PROGRAMS: u64 = 16;
const MATRICES: u64 = 12;
const RUNS: u64 = 60;

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void *memset(void *, int, unsigned long);
int a[SIZE], b[SIZE], c[SIZE];
void set(int *p, int k, int v) { p[k] = v; }
int get(int *p, int k) { return p[k]; }
void swap(int *p, int i, int j) { int t = p[i]; p[i] = p[j]; p[j] = t; }
int input(void) { int x = __VERIFIER_nondet_int(); return x > 1000 || x < -1000 ? 3 : x; }
";

/// Two dimensions: of fixed and of variable length, and by hand. What stands for an element of each, and
/// how it begins.
const MATRICES_HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
int t[3][4], u[3][4];
void put(int r[4], int k, int v) { r[k] = v; }
int input(void) { int x = __VERIFIER_nondet_int(); return x > 1000 || x < -1000 ? 3 : x; }
int main(void) {
  int n = 4, s = 0, m = 0, c = input();
";
const KINDS: [(&str, &str); 5] = [
    ("t[I][J]", ""),
    ("u[I][J]", ""),
    ("v[I][J]", "int v[3][n]; for (int i = 0; i < 12; i++) (*v)[i] = 0;"),
    ("h[(I) * n + J]", "int *h = malloc(48); for (int i = 0; i < 12; i++) h[i] = 0;"),
    ("(*t)[4 * (I) + J]", ""),
];

struct Maker(u64);

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }

    fn array(&mut self) -> &'static str {
        self.one(&["a", "b", "c"])
    }

    /// An index that is in range for `i` from 0 to SIZE - 1.
    fn index(&mut self) -> &'static str {
        self.one(&["i", "i", "i", "SIZE - 1 - i", "i / 2", "i ? i - 1 : 0"])
    }

    fn value(&mut self) -> String {
        match self.below(8) {
            0 => "0".to_owned(),
            1 => self.below(5).to_string(),
            2 => "i".to_owned(),
            3 => format!("{}[{}]", self.array(), self.index()),
            4 => format!("{}[{}] + 1", self.array(), self.index()),
            5 => "input()".to_owned(),
            6 => format!("get({}, {})", self.array(), self.index()),
            _ => "2 * i + 1".to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        let (x, y, k) = (self.array(), self.array(), self.index());
        let value = self.value();
        match self.below(9) {
            0..=2 => format!("{x}[{k}] = {value};"),
            3 => format!("if ({y}[i] >= 0) {x}[{k}] = {value};"),
            4 => format!("s += {x}[{k}] % 1000;"),
            5 => format!("s -= {x}[{k}] % 1000;"),
            6 => format!("set({x}, {k}, {value});"),
            7 => format!("if ({x}[i] > m) m = {x}[i];"),
            _ => format!("if (i % 2) {x}[{k}] = {value};"),
        }
    }

    fn between(&mut self) -> &'static str {
        self.one(&[
            "",
            "",
            "",
            "a[2] = 5;",
            "swap(a, 1, 2);",
            "*(b + 1) = 7;",
            "m = 0;",
            "s = 0;",
            "memset(c, 0, sizeof c);",
            "if (s > 3) f = 1;",
        ])
    }

    /// An element in row `i` and column `j`, or close to it.
    fn cell(&mut self, kinds: &[(&str, &str)]) -> String {
        let i = self.one(&["i", "i", "i", "2 - i", "0"]);
        let j = self.one(&["j", "j", "j", "3 - j", "1"]);
        kinds[self.below(2) as usize].0.replace('I', i).replace('J', j)
    }

    fn filled(&mut self, kinds: &[(&str, &str)]) -> String {
        let (x, y) = (self.cell(kinds), self.cell(kinds));
        match self.below(9) {
            0 | 1 => format!("{x} = c;"),
            2 => format!("{x} = {y};"),
            3 => format!("{x} = {y} + 1;"),
            4 => format!("{x} = {};", self.one(&["i", "j", "i + j", "7"])),
            5 => format!("if ({y} > 0) {x} = c;"),
            6 => format!("s += {x} % 1000;"),
            7 => format!("if ({x} > m) m = {x};"),
            _ => "put(u[i], j, c);".to_owned(),
        }
    }

    fn matrices(&mut self) -> String {
        const LOOPS: &str = "  for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++)";
        let first = self.below(5) as usize;
        let kinds = [KINDS[first], KINDS[(first + 1) % 5]];
        let mut text = MATRICES_HEAD.to_owned() + kinds[0].1 + kinds[1].1;
        if self.below(3) == 0 {
            let x = kinds[0].0.replace('I', "i").replace('J', "j");
            return text + &format!("{LOOPS} {x} = c;\n{LOOPS} if ({x} != c) reach_error(); }}\n");
        }
        for _ in 0..1 + self.below(2) {
            text += &format!("{LOOPS} {{ {} }}\n", self.filled(&kinds));
            text += self.one(&["", "", "  t[1][2] = 5;\n", "  u[2][0] = c;\n"]);
        }
        let (x, y) = (self.cell(&kinds), self.cell(&kinds));
        let wrong = match self.below(5) {
            0 | 1 => format!("{x} != c"),
            2 => format!("{x} != {y}"),
            3 => format!("{x} > m"),
            _ => format!("{x} != 0"),
        };
        text + &format!("{LOOPS} if ({wrong}) reach_error();\n}}\n")
    }

    fn program(&mut self) -> String {
        let mut text = HEAD.replace("SIZE", self.one(&["4", "5", "40"]));
        text += "int main(void) { int s = 0, m = 0, f = 0;\n";
        for _ in 0..1 + self.below(3) {
            let begin = self.one(&["0", "0", "0", "1"]);
            text += &format!("for (int i = {begin}; i < SIZE; i++) {{ ");
            for _ in 0..1 + self.below(2) {
                text += &self.statement();
            }
            text += " }\n";
            text += self.between();
        }
        let (x, y, k) = (self.array(), self.array(), self.index());
        let wrong = match self.below(7) {
            0 => format!("{x}[{k}] != {}", self.below(4)),
            1 => format!("{x}[i] != {y}[{k}]"),
            2 => format!("{x}[i] < 0"),
            3 => format!("{x}[i] > m"),
            4 => format!("s != {}", self.below(3)),
            5 => format!("{x}[i] != 2 * i + 1 && f == 0"),
            _ => format!("{x}[i] + {y}[{k}] < 0"),
        };
        text += &format!("\nfor (int i = 0; i < SIZE; i++) if ({wrong}) reach_error(); }}\n");
        let size = if text.contains("a[40]") {
            "40"
        } else if text.contains("a[5]") {
            "5"
        } else {
            "4"
        };
        text.replace("SIZE", size)
    }
}

/// Whether some run reaches the error.
fn is_violated(program: &Program) -> bool {
    let replayed = pass::replayed(program, Some(Property::UnreachCall));
    let interpreter = Interpreter::new(&replayed);
    let options = Options { max_steps: 20_000, ..Options::default() };
    (0..RUNS).any(|seed| {
        let run = interpreter.run(&options, &mut Inputs::new(seed));
        matches!(run.outcome, Outcome::Violated(_) | Outcome::ErrorReached { .. })
    })
}

/// Ends the engine after its first guesses: those that go further take long.
#[derive(Default)]
struct Soon(u32);

impl Watch for Soon {
    fn started(&mut self, _: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        self.0 += u32::from(statistics.guesses > 0);
        // Once before these guesses are judged, and once after.
        if self.0 < 2 { Ok(()) } else { Err(Reason::Cancelled) }
    }
}

/// Whether a program is proved and some run of it goes wrong, which must not be, and which of the two.
fn judged(text: &str) -> (bool, bool) {
    let program = compile(text);
    let (property, signed_overflow) = (Property::UnreachCall, SignedOverflow::Undefined);
    let task = Task { program: &program, property, signed_overflow };
    let is_violated = is_violated(&program);
    let verdict = Arrays::default().solve(&task, &mut Soon::default()).verdict;
    let is_proved = matches!(verdict, Verdict::Proved(_));
    assert!(!(is_proved && is_violated), "{text}");
    (is_proved, is_violated)
}

fn check(programs: u64, make: impl Fn(&mut Maker) -> String) {
    let (mut violated, mut proved) = (0, 0);
    for seed in 1..=programs {
        let text = make(&mut Maker(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let (is_proved, is_violated) = judged(&text);
        violated += usize::from(is_violated);
        proved += usize::from(is_proved);
    }
    // Otherwise nothing was tested.
    assert!(violated > 2 && proved > 0, "{violated} violated, {proved} proofs");
}

#[test]
fn what_goes_wrong_is_not_proved() {
    check(PROGRAMS, Maker::program);
}

#[test]
fn what_goes_wrong_with_matrices_is_not_proved() {
    check(MATRICES, Maker::matrices);
}
