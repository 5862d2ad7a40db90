//! Reads of what was never written: what engines say of programs, and what the interpreter sees in
//! random ones, held against a generator that knows what it has written.

mod common;

use std::collections::BTreeSet;

use common::{End, Nodes, compile};
use lakatos_check::Verdict;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Bmc, Engine, Task};
use lakatos_ir::interpret::{self, InOrder, Options, Outcome, Random};
use lakatos_ir::{Program, Property, SignedOverflow, Undefined};
use lakatos_logic::smt::Limits;

const PROPERTY: Property = Property::UninitialisedRead;
const LIMITS: Limits = Limits { resources: Some(3_000_000), time: None };

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void fill(int *);
    void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
    void *realloc(void *, unsigned long); void *memset(void *, int, unsigned long);
    void *memcpy(void *, const void *, unsigned long); unsigned long strlen(const char *);
    int printf(const char *, ...); struct s { char c; int f, g; }; struct s global;\n";

fn end(program: &Program, engine: &dyn Engine) -> End {
    let signed_overflow = SignedOverflow::Undefined;
    let task = Task { program, property: PROPERTY, signed_overflow };
    match engine.solve(&task, &mut Nodes(400)).verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(_) => End::Unknown,
    }
}

/// No engine says the wrong thing of a program, and one of them says the right thing. Where that
/// is nothing, none of them says anything.
#[track_caller]
fn check(text: &str, expect: End) {
    let program = compile(&format!("{HEAD}{text}"));
    let horn = Horn { probe: false, limits: LIMITS, encoding: Encoding::Int };
    let stacks = |probe| StackCegar { probe, limits: LIMITS, ..StackCegar::default() };
    let engines: [&dyn Engine; 4] =
        [&horn, &stacks(false), &stacks(true), &Bmc { limits: LIMITS, ..Bmc::default() }];
    let ends = engines.map(|engine| end(&program, engine));
    let may = |end: &End| *end == expect || *end == End::Unknown;
    assert!(ends.iter().all(may), "{ends:?}: {text}");
    assert!(ends.contains(&expect), "{ends:?}: {text}");
}

/// The body of `main`, where `c` is an input.
#[track_caller]
fn check_bodies(expect: End, bodies: &[&str]) {
    for body in bodies {
        check(&format!("int main(void) {{ int c = __VERIFIER_nondet_int(); {body} }}"), expect);
    }
}

#[test]
fn variables_that_are_written() {
    check_bodies(
        End::Proof,
        &[
            "int x; if (c) x = 1; else x = 2; return x;",
            "int x; if (c) x = 1; if (c) return x; return 0;",
            "int x; if (c < 1) return 0; for (int i = 0; i < c; i++) x = i; return x;",
            "int x; switch (c) { case 0: x = 1; break; case 1: x = 2; break; default: x = 3; }
             return x;",
            "int x; if (c) x = 1; if (c && x) return 1; return 0;",
            "int x; if (c) x = 1; return c ? x : 0;",
            "int x; x = __VERIFIER_nondet_int(); return x;",
            "static int x; return x;",
            "int x; return sizeof x;",
            "int x; int *p = &x; return p != 0;",
            "double d; d = 1.5; return d > 1.0;",
            "int x; do x = c; while (x < 0 && x > c); return x;",
        ],
    );
}

#[test]
fn variables_that_are_not_written() {
    check_bodies(
        End::Refutation,
        &[
            "int x; if (c) x = 1; return x;",
            "int x; for (int i = 0; i < c; i++) x = i; return x;",
            "for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 1; if (x == 1) continue; }
             return 0;",
            "int x; x += 1; return 0;",
            "int x; x++; return 0;",
            "int x = x; return 0;",
            "int x; switch (c) { case 0: x = 1; break; case 1: x = 2; } return x;",
            "if (c) goto end; int x = 1; end: return x;",
            "int i = 0; again: { if (i > 0) goto in; int x = 5; i++; in: if (x) goto again; }
             return 0;",
            "switch (c) { int x = 1; case 0: return x; default: return 0; }",
            "int x; if (c) x = 1; if (c || x) return 1; return 0;",
            "int *p; return *p;",
            "double d; return d > 1.0;",
            "unsigned char x; return x;",
            "int x; int a[2] = {0}; return a[x & 1];",
        ],
    );
}

#[test]
fn memory_that_is_written() {
    check_bodies(
        End::Proof,
        &[
            "int a[4]; for (int i = 0; i < 4; i++) a[i] = i; return a[2];",
            "int a[1000]; for (int i = 0; i < 1000; i++) a[i] = i; return a[c & 511];",
            "struct s s; s.f = 1; return s.f;",
            "struct s s, t; s.f = 1; t = s; return t.f;",
            "struct s s; s.f = 1; s.g = 2; s.c = 3; global = s; return global.f;",
            "struct s s = {1}; return s.g;",
            "if (c < 1 || c > 9) return 0; int a[c]; a[0] = 1; return a[0];",
            "int *p = malloc(8); p[0] = 1; p[1] = 2; c = p[0] + p[1]; free(p); return c;",
            "int *p = calloc(2, 4); return p[1];",
            "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); return p[0];",
            "int a[3]; memset(a, 0, sizeof a); return a[2];",
            "int a[3] = {1, 2, 3}, b[3]; memcpy(b, a, sizeof b); return b[2];",
            "struct s s, t; s.f = 1; memcpy(&t, &s, sizeof s); return t.f;",
            "union { int i; unsigned char b[4]; } u; u.i = 1; return u.b[0];",
            // Bytes are copied, whatever they are.
            "struct s s; s.f = 1; unsigned char b[12];
             for (int i = 0; i < 12; i++) b[i] = ((unsigned char *)&s)[i]; return 0;",
        ],
    );
}

#[test]
fn memory_that_is_not_written() {
    check_bodies(
        End::Refutation,
        &[
            "int a[4]; for (int i = 0; i < 3; i++) a[i] = i; return a[c & 3];",
            "struct s s; s.f = 1; return s.g;",
            "struct s s, t; s.f = 1; t = s; return t.g;",
            "struct s s; s.f = 1; global = s; return global.g;",
            "if (c < 2 || c > 9) return 0; int a[c]; a[0] = 1; return a[1];",
            "int *p = malloc(8); p[0] = 1; return p[1];",
            "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); return p[1];",
            "int a[3]; memset(a, 0, 8); return a[2];",
            "int a[3], b[3]; a[0] = 1; memcpy(b, a, sizeof b); return b[2];",
            "union { int i; char b[4]; } u; u.b[0] = 1; return u.i;",
            "struct { unsigned a : 3, b : 5; } s; s.a = 1; return s.b;",
            "char b[4]; return strlen(b);",
            "char b[4]; b[0] = 'a'; printf(\"%s\", b); return 0;",
            "int x, *p = &x; return *p;",
            "int *p = 0; for (int i = 0; i < 2; i++) { int y; if (i == 0) y = 1; p = &y; c = *p; }
             return 0;",
        ],
    );
}

#[test]
fn functions() {
    let proved = [
        "void init(int *p) { *p = 1; } int main(void) { int x; init(&x); return x; }",
        "int init(int *p) { if (__VERIFIER_nondet_int()) { *p = 1; return 1; } return 0; }
         int main(void) { int x; if (init(&x)) return x; return 0; }",
        "int f(struct s s) { return s.f; }
         int main(void) { struct s s; s.f = 1; s.g = 2; s.c = 3; return f(s); }",
        "int f(int a) { a++; return a; } int main(void) { return f(2); }",
        "int f(int c) { int r; if (c) r = 1; else r = 2; return r; }
         int main(void) { return f(__VERIFIER_nondet_int()); }",
        "int f(int c) { if (c) return 1; } int main(void) { f(__VERIFIER_nondet_int()); return 0; }",
        "int f(int n) { int x; if (n <= 0) x = 0; else x = f(n - 1); return x; }
         int main(void) { return f(5); }",
        "void f(int n, int *p) { if (n <= 0) *p = 1; else f(n - 1, p); }
         int main(void) { int x; f(3, &x); return x; }",
        "struct s make(void) { struct s s; s.f = s.g = s.c = 1; return s; }
         int main(void) { struct s t; t = make(); return t.g; }",
        "int main(int argc, char **argv) { return argc; }",
    ];
    let refuted = [
        "void init(int *p, int c) { if (c) *p = 1; }
         int main(void) { int x; init(&x, __VERIFIER_nondet_int()); return x; }",
        "int f(struct s s) { return s.c; } int main(void) { struct s s; s.f = 1; return f(s); }",
        "int f(int a) { return 0; } int main(void) { int x; return f(x); }",
        "int f(int c) { if (c) return 1; } int main(void) { return f(__VERIFIER_nondet_int()); }",
        "int f(int n) { int x; if (n > 0) x = f(n - 1); return x; } int main(void) { return f(2); }",
        "struct s make(void) { struct s s; s.f = 1; return s; }
         int main(void) { struct s t; t = make(); return t.g; }",
        "int get(int *p) { return *p; } int main(void) { int x; return get(&x); }",
    ];
    proved.iter().for_each(|text| check(text, End::Proof));
    refuted.iter().for_each(|text| check(text, End::Refutation));
}

/// Nothing wrong is said where something is not followed.
#[test]
fn what_is_not_known() {
    check_bodies(
        End::Unknown,
        &[
            "struct { unsigned a : 3, b : 5; } s; s.a = 1; return s.a;",
            "int x; fill(&x); return x;",
        ],
    );
}

const FUNCTIONS: &str = "void *malloc(unsigned long); void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long); extern int __VERIFIER_nondet_int(void);
struct s { char c; int f, g; };
void init(int *p) { *p = 3; }
int get(int *p) { return *p; }
int main(void) { int b = __VERIFIER_nondet_int(), k = 0, i = 0; struct s s, t; int x, y, a[3], v, w;
int *h = malloc(8), *p = &v;
";
/// The line of `return *p;`.
const GET: u32 = 5;
const FIRST: u32 = 8;

/// Scalars of the random programs; those from `MEMORY` on are in memory.
const CELLS: [&str; 12] =
    ["x", "y", "v", "w", "a[0]", "a[1]", "a[2]", "s.f", "s.g", "t.f", "t.g", "h[1]"];
const MEMORY: usize = 2;
/// The first of the array, of the structures, and of the heap.
const A: usize = 4;
const S: usize = 7;
const T: usize = 9;
const H: usize = 11;

#[derive(Clone, Copy)]
enum Act {
    Set(usize),
    Copy(usize, usize),
    Add(usize),
    Point(usize),
    Store,
    Load,
    Structure(bool),
    Fill,
    Bytes,
    Lazy(usize),
    Init(usize),
    Get(usize),
    Loop(usize),
}

/// An act, and the bit of the input that decides whether it is done.
type Statement = (Option<u32>, Act);

fn act(random: &mut Random) -> Act {
    let mut below = |n: usize| (random.bits() >> 16) as usize % n;
    let (any, other, held) =
        (below(CELLS.len()), below(CELLS.len()), MEMORY + below(CELLS.len() - MEMORY));
    match below(20) {
        0..=4 => Act::Set(any),
        5 | 6 => Act::Copy(any, other),
        7 => Act::Add(any),
        8 | 9 => Act::Point(held),
        10 => Act::Store,
        11 => Act::Load,
        12 => Act::Structure(below(2) == 0),
        13 => Act::Fill,
        14 => Act::Bytes,
        15 => Act::Lazy(any),
        16 | 17 => Act::Init(held),
        18 => Act::Get(held),
        _ => Act::Loop(1 + below(3)),
    }
}

fn text(act: Act) -> String {
    match act {
        Act::Set(cell) => format!("{} = 1;", CELLS[cell]),
        Act::Copy(to, from) => format!("{} = {};", CELLS[to], CELLS[from]),
        Act::Add(cell) => format!("{} &= 1;", CELLS[cell]),
        Act::Point(cell) => format!("p = &{};", CELLS[cell]),
        Act::Store => "*p = 2;".to_owned(),
        Act::Load => "k = *p;".to_owned(),
        Act::Structure(true) => "s = t;".to_owned(),
        Act::Structure(false) => "t = s;".to_owned(),
        Act::Fill => "memset(a, 0, sizeof a);".to_owned(),
        Act::Bytes => "memcpy(h, a, 8);".to_owned(),
        Act::Lazy(cell) => format!("if ((b & 8) && {}) k = 1;", CELLS[cell]),
        Act::Init(cell) => format!("init(&{});", CELLS[cell]),
        Act::Get(cell) => format!("k = get(&{});", CELLS[cell]),
        Act::Loop(turns) => format!("for (i = 0; i < {turns}; i++) a[i] = i;"),
    }
}

/// The line of the first read of what was never written.
fn oracle(statements: &[Statement], input: u32) -> Option<u32> {
    let mut written: BTreeSet<usize> = BTreeSet::new();
    let mut target = 2;
    for (number, (bit, act)) in statements.iter().enumerate() {
        let line = FIRST + number as u32;
        if bit.is_some_and(|bit| input >> bit & 1 == 0) {
            continue;
        }
        let (read, wrote) = match *act {
            Act::Set(cell) | Act::Init(cell) => (None, vec![cell]),
            Act::Copy(to, from) => (Some(from), vec![to]),
            Act::Add(cell) => (Some(cell), vec![]),
            Act::Store => (None, vec![target]),
            Act::Load => (Some(target), vec![]),
            Act::Fill => (None, vec![A, A + 1, A + 2]),
            Act::Lazy(cell) => ((input & 8 != 0).then_some(cell), vec![]),
            Act::Get(cell) => (Some(cell), vec![]),
            Act::Loop(turns) => (None, (A..A + turns).collect()),
            Act::Point(cell) => {
                target = cell;
                (None, vec![])
            }
            Act::Structure(_) | Act::Bytes => {
                let pairs: &[(usize, usize)] = match act {
                    Act::Structure(true) => &[(S, T), (S + 1, T + 1)],
                    Act::Structure(false) => &[(T, S), (T + 1, S + 1)],
                    _ => &[(H, A + 1)],
                };
                for (to, from) in pairs {
                    match written.contains(from) {
                        true => written.insert(*to),
                        false => written.remove(to),
                    };
                }
                continue;
            }
        };
        if read.is_some_and(|cell| !written.contains(&cell)) {
            return Some(if matches!(act, Act::Get(_)) { GET } else { line });
        }
        written.extend(wrote);
    }
    None
}

/// A program, of which much is written in the beginning, so that many runs get far.
fn program(seed: u64) -> (String, Vec<Statement>) {
    let mut random = Random::new(seed);
    let mut statements = Vec::new();
    for cell in 0..CELLS.len() {
        if random.bits() % 8 < seed % 9 {
            statements.push((None, Act::Set(cell)));
        }
    }
    for _ in 0..4 + random.bits() % 12 {
        let bit = (random.bits().is_multiple_of(3)).then(|| (random.bits() % 3) as u32);
        statements.push((bit, act(&mut random)));
    }
    let mut source = FUNCTIONS.to_owned();
    for (bit, act) in &statements {
        let guard = bit.map_or(String::new(), |bit| format!("if (b & {}) ", 1 << bit));
        source += &format!("{guard}{}\n", text(*act));
    }
    (source + "return k; }\n", statements)
}

/// The line at which a run reads what was never written.
fn seen(program: &Program, input: u32) -> Option<u32> {
    let options = Options { max_steps: 5_000, ..Options::default() }.watching(PROPERTY);
    let run = interpret::run(program, &options, &mut InOrder::new(vec![input.into()]));
    match run.outcome {
        Outcome::Undefined { kind: Undefined::Uninitialised, span, .. } => {
            Some(program.source.position(span.start).line)
        }
        Outcome::Exited(_) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_show_the_first_read() {
    let (mut bad, mut good) = (0, 0);
    for seed in 0..1_500 {
        let (text, statements) = program(seed);
        let compiled = compile(&text);
        for input in 0..16 {
            let expected = oracle(&statements, input);
            assert_eq!(seen(&compiled, input), expected, "seed {seed}, input {input}: {text}");
            let counted = if expected.is_some() { &mut bad } else { &mut good };
            *counted += 1;
        }
        // Whoever does not ask sees no difference.
        let run = interpret::run(&compiled, &Options::default(), &mut InOrder::new(vec![0]));
        assert!(matches!(run.outcome, Outcome::Exited(_)), "seed {seed}: {:?}", run.outcome);
    }
    assert!(bad > 2_000 && good > 2_000, "{bad} bad runs, {good} good ones");
}

#[test]
fn engines_agree_with_the_generator() {
    let limits = Limits { resources: Some(300_000), time: None };
    let horn = Horn { probe: false, limits, encoding: Encoding::Int };
    let stack = StackCegar { probe: false, limits, ..StackCegar::default() };
    let bmc = Bmc { limits, ..Bmc::default() };
    let engines: [&dyn Engine; 3] = [&horn, &stack, &bmc];
    let (mut refuted, mut proved) = (0, 0);
    for seed in 0..60 {
        let (text, statements) = program(seed);
        let is_bad = (0..16).any(|input| oracle(&statements, input).is_some());
        match end(&compile(&text), engines[(seed % 3) as usize]) {
            End::Proof => {
                assert!(!is_bad, "seed {seed}: {text}");
                proved += 1;
            }
            End::Refutation => {
                assert!(is_bad, "seed {seed}: {text}");
                refuted += 1;
            }
            End::Unknown => {}
        }
    }
    assert!(refuted > 5 && proved > 5, "{refuted} refuted, {proved} proofs");
}
