//! Engines that need little: what ranges of variables exclude, and errors one by one.

mod common;

use std::fmt::Write as _;

use common::{End, compile, run};
use lakatos_check::{Verdict, Why};
use lakatos_engine::{Cases, Engine, Parts, Ranges, Task, Unwatched};
use lakatos_ir::interpret::{Interpreter, Options, Outcome, Random};
use lakatos_ir::{Property, SignedOverflow};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    extern unsigned char byte(void); ";

fn end(
    engine: &dyn Engine,
    property: Property,
    signed_overflow: SignedOverflow,
    text: &str,
) -> End {
    let program = compile(&format!("{HEAD}{text}"));
    let task = Task { program: &program, property, signed_overflow };
    match engine.solve(&task, &mut Unwatched).verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(Why::OpenErrors { .. } | Why::OpenCase) => End::Unknown,
        Verdict::Unknown(why) => panic!("{text}: {why:?}"),
    }
}

fn ranges(property: Property, signed_overflow: SignedOverflow, text: &str) -> End {
    end(&Ranges, property, signed_overflow, text)
}

fn cases(property: Property, text: &str) -> End {
    end(&Cases, property, SignedOverflow::Undefined, text)
}

#[test]
fn what_ranges_exclude() {
    let checks = [
        // Loops: widened, narrowed.
        ("int i = 0; while (i < 10) i++; if (i != 10) reach_error();", End::Proof),
        ("int i = 0; while (i < 10) i += 3; if (i > 12 || i < 10) reach_error();", End::Proof),
        ("int i = 0; while (i < 10) i += 3; if (i > 11) reach_error();", End::Unknown),
        ("int i = 0; while (i != 10) i++; if (i > 10) reach_error();", End::Proof),
        ("int i = 100; while (i > 0) { i--; } if (i) reach_error();", End::Proof),
        (
            "int i, j, n = 0; for (i = 0; i < 5; i++) for (j = 0; j < 7; j++) n = i + j;
             if (n < 0 || n > 10) reach_error();",
            End::Proof,
        ),
        // Conditions.
        ("int x = __VERIFIER_nondet_int(); if (x > 3 && x < 9) { if (x - 4 > 4) reach_error(); }", End::Proof),
        ("int x = __VERIFIER_nondet_int(); if (x < 3 || x > 9) { if (x == 5) reach_error(); }", End::Unknown),
        ("int x = __VERIFIER_nondet_int(); if (x == 3 || x == 9) { if (x > 9) reach_error(); }", End::Proof),
        ("int x = __VERIFIER_nondet_int(); if (!(x < 0)) { if (x == -1) reach_error(); }", End::Proof),
        ("int x = __VERIFIER_nondet_int(), y = x < 0 ? 0 : x > 9 ? 9 : x; if (y > 9) reach_error();", End::Proof),
        ("int x = __VERIFIER_nondet_int(); if (x != 0) {} else if (x) reach_error();", End::Proof),
        // Types and conversions.
        ("unsigned char c = byte(); if (c + 1 > 256) reach_error();", End::Proof),
        ("unsigned char c = byte(); c = c + 1; if (c > 255) reach_error();", End::Proof),
        ("unsigned u = __VERIFIER_nondet_int(); if (u < 0) reach_error();", End::Proof),
        ("unsigned u = 0; u = u - 1; if (u != 4294967295u) reach_error();", End::Proof),
        ("int x = __VERIFIER_nondet_int() & 15; if (x > 15 || x < 0) reach_error();", End::Proof),
        ("int x = __VERIFIER_nondet_int() % 8; if (x > 7 || x < -7) reach_error();", End::Proof),
        ("signed char c = (signed char)200; if (c != -56) reach_error();", End::Proof),
        ("_Bool b = __VERIFIER_nondet_int(); if (b > 1) reach_error();", End::Proof),
        ("long l = (long)__VERIFIER_nondet_int() * 2; if (l > 4294967294) reach_error();", End::Proof),
        // Bits that survive when numbers wrap around.
        (
            "unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 4u * __VERIFIER_nondet_int(); y += 8u * __VERIFIER_nondet_int(); }
             if (x + y == 1u || 3u * x + y == 6u) reach_error();",
            End::Proof,
        ),
        ("unsigned x = 4u * __VERIFIER_nondet_int(); if (x + 2u == 8u) reach_error();", End::Proof),
        ("unsigned x = 4u * __VERIFIER_nondet_int(); if (x + 4u == 8u) reach_error();", End::Unknown),
        ("int x = __VERIFIER_nondet_int() << 3 | 5; if (x == 4 || (x & 7) != 5) reach_error();", End::Proof),
        ("unsigned char c = 3; while (__VERIFIER_nondet_int()) c += 6; if (c == 8) reach_error();", End::Proof),
        ("int x = -8; while (__VERIFIER_nondet_int()) x -= 16; if ((x & 15) != 8) reach_error();", End::Proof),
        ("int x = 16 * (__VERIFIER_nondet_int() % 1000); if ((x >> 2) % 4 == 1) reach_error();", End::Unknown),
        ("int x = ~(__VERIFIER_nondet_int() & ~3); if ((x & 3) != 3) reach_error();", End::Proof),
        // Relations are not seen.
        ("int x = __VERIFIER_nondet_int(), y = x; if (x != y) reach_error();", End::Unknown),
    ];
    for (body, end) in checks {
        let text = format!("int main(void) {{ {body} return 0; }}");
        let found = ranges(Property::UnreachCall, SignedOverflow::Undefined, &text);
        assert_eq!(found, end, "{body}");
    }
}

#[test]
fn ranges_through_calls() {
    let checks = [
        (
            "int clamp(int x) { return x < 0 ? 0 : x > 9 ? 9 : x; }
             int main(void) { int s = clamp(__VERIFIER_nondet_int()) + clamp(__VERIFIER_nondet_int());
                 if (s > 18 || s < 0) reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "int g; void set(int x) { g = x; } int main(void) { set(3); set(5);
                 if (g < 3 || g > 5) reach_error(); return 0; }",
            End::Proof,
        ),
        // Calls are not told apart.
        (
            "int id(int x) { return x; } int main(void) { id(7);
                 if (id(3) != 3) reach_error(); return 0; }",
            End::Unknown,
        ),
        (
            "int down(int n) { if (n <= 0) return 0; return down(n - 1); }
             int main(void) { if (down(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }",
            End::Proof,
        ),
        // A callee that never returns.
        (
            "void stop(void) { while (1) {} } int main(void) { stop(); reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "int even(int n); int odd(int n) { if (n == 0) return 0; return even(n - 1); }
             int even(int n) { if (n == 0) return 1; return odd(n - 1); }
             int main(void) { int r = even(__VERIFIER_nondet_int()); if (r < 0 || r > 1) reach_error();
                 return 0; }",
            End::Proof,
        ),
        // Calls of what every C program knows.
        (
            "extern void *memset(void *, int, unsigned long);
             int main(void) { char b[4]; int x = 3; memset(b, 0, 4);
                 if (x != 3) reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "int five(void) { return 5; } int six(void) { return 6; }
             int main(void) { int (*p)(void) = __VERIFIER_nondet_int() ? five : six; int x = p();
                 if (x < 5 || x > 6) reach_error(); return 0; }",
            End::Proof,
        ),
    ];
    for (text, end) in checks {
        let found = ranges(Property::UnreachCall, SignedOverflow::Undefined, text);
        assert_eq!(found, end, "{text}");
    }
}

#[test]
fn ranges_and_overflow() {
    let checks = [
        ("int i, n = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) {} return 0;", End::Proof),
        ("int n = __VERIFIER_nondet_int(); return n + 1;", End::Unknown),
        ("int n = byte(), m = byte(); return n * m - n;", End::Proof),
        ("int n = byte(); return 2147483647 - n;", End::Proof),
        ("int n = byte(); return -2147483647 - n;", End::Unknown),
        (
            "int n = __VERIFIER_nondet_int(); if (n == -2147483647 - 1) n = 0; return -n;",
            End::Proof,
        ),
    ];
    for (body, end) in checks {
        let text = format!("int main(void) {{ {body} }}");
        let found = ranges(Property::NoOverflow, SignedOverflow::Undefined, &text);
        assert_eq!(found, end, "{body}");
    }
    // What wraps may be anything.
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) { x = x + 1;
        if (x < 0) reach_error(); } return 0; }";
    assert_eq!(ranges(Property::UnreachCall, SignedOverflow::Undefined, text), End::Proof);
    assert_eq!(ranges(Property::UnreachCall, SignedOverflow::Wrap, text), End::Unknown);
}

#[test]
fn what_cases_exclude() {
    let checks = [
        // What ranges exclude.
        ("int i = 0; while (i < 10) i++; if (i != 10) reach_error();", End::Proof),
        ("unsigned u = 4u * __VERIFIER_nondet_int(); if (u + 2u == 8u) reach_error();", End::Proof),
        // What is between two cases.
        ("int x = __VERIFIER_nondet_int(); if (x < 3 || x > 9) { if (x == 5) reach_error(); }", End::Proof),
        ("int x = __VERIFIER_nondet_int(); if (x != 5 && x != 7) { if (x == 7) reach_error(); }", End::Proof),
        ("int x = __VERIFIER_nondet_int() ? 1 : 5; if (x == 3) reach_error();", End::Proof),
        // Two variables that change together.
        (
            "int s = 0, t = 0; while (__VERIFIER_nondet_int()) { if (s == 0) { s = 1; t = 5; }
                 else if (s == 1) { s = 2; t = t + 1; } else { s = 0; t = 0; } }
             if (s == 2 && t != 6) reach_error();",
            End::Proof,
        ),
        (
            "int s = 0, t = 0; while (__VERIFIER_nondet_int()) { if (s == 0) { s = 1; t = 5; }
                 else if (s == 1) { s = 2; t = t + 1; } else { s = 0; } }
             if (s == 0 && t != 0) reach_error();",
            End::Unknown,
        ),
        // A truth value that is stored.
        ("int x = __VERIFIER_nondet_int(), b = x > 3; if (b && x < 2) reach_error();", End::Proof),
        ("int x = __VERIFIER_nondet_int(); _Bool b = x > 3 && x < 9; if (!b && x == 5) reach_error();", End::Proof),
        // An input that is asked for more than once: learnt from a way to the error.
        (
            "int hit = __VERIFIER_nondet_int(), s = 0; while (__VERIFIER_nondet_int()) { if (s == 0) { if (hit) s = 1; else s = 2; }
                 else if (s == 1) { if (!hit) s = 3; } else if (s == 2) { if (hit) s = 3; } }
             if (s == 3) reach_error();",
            End::Proof,
        ),
        // A constant that is copied, and compared as a copy only.
        (
            "int next = 0, s = 0; while (__VERIFIER_nondet_int()) { if (s == 0) { next = 7; s = 1; }
                 else if (s == 1) { s = next; } else if (s == 7) { next = 9; s = 0; } }
             if (s == 9) reach_error();",
            End::Proof,
        ),
        // Numbers within a class: the classes alone would not do.
        (
            "int level = 50; while (__VERIFIER_nondet_int()) { if (level > 40) level = level % 40 + 50; }
             if (level > 89) reach_error();",
            End::Proof,
        ),
        // Relations are not seen.
        ("int x = __VERIFIER_nondet_int(), y = x; if (x != y) reach_error();", End::Unknown),
        // A violation.
        ("int s = 0; while (__VERIFIER_nondet_int()) s = s == 3 ? 0 : s + 1; if (s == 2) reach_error();", End::Unknown),
    ];
    for (body, end) in checks {
        let text = format!("int main(void) {{ {body} return 0; }}");
        assert_eq!(cases(Property::UnreachCall, &text), end, "{body}");
    }
}

#[test]
fn cases_through_calls() {
    let checks = [
        // A machine in a function, as its globals.
        (
            "int s = 1, level = 150;
             int step(int input) { if (s == 1 && input == 2) { s = 2; level = level % 40 + 200; return 5; }
                 if (s == 2 && level > 190 && input == 3) { s = 1; level = 150; return 6; }
                 if (s == 2 && level <= 190) reach_error(); return -1; }
             int main(void) { while (1) { int input = __VERIFIER_nondet_int();
                 if (input != 1 && input != 2 && input != 3) return 0; step(input); } }",
            End::Proof,
        ),
        // A procedure is left in any state in which it can be.
        (
            "int id(int x) { return x; } int main(void) { id(7);
                 if (id(3) != 3) reach_error(); return 0; }",
            End::Unknown,
        ),
        (
            "int down(int n) { if (n <= 0) return 0; return down(n - 1); }
             int main(void) { if (down(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }",
            End::Proof,
        ),
        // Calls of what every C program knows.
        (
            "extern void *memset(void *, int, unsigned long);
             int main(void) { char b[4]; int x = 3; memset(b, 0, 4);
                 if (x != 3) reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "int five(void) { return 5; } int seven(void) { return 7; }
             int main(void) { int (*p)(void) = __VERIFIER_nondet_int() ? five : seven; int x = p();
                 if (x == 6) reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "int g, h; void a(void) { g = 1; } void b(void) { h = 1; }
             int main(void) { void (*p)(void) = __VERIFIER_nondet_int() ? a : b; p();
                 if (g == 1 && h == 1) reach_error(); return 0; }",
            End::Proof,
        ),
        (
            "void stop(void) { while (1) {} } int main(void) { stop(); reach_error(); return 0; }",
            End::Proof,
        ),
    ];
    for (text, end) in checks {
        assert_eq!(cases(Property::UnreachCall, text), end, "{text}");
    }
    let text = "int main(void) { int s = 0; while (__VERIFIER_nondet_int()) { if (s == 3) s = 0; s++; } return s; }";
    assert_eq!(cases(Property::NoOverflow, text), End::Proof);
}

fn parts(text: &str) -> End {
    run(&format!("{HEAD}{text}"), Parts, usize::MAX).0
}

/// Functions with a loop each, of which some are wrong.
fn functions(number: usize, wrong: &[usize]) -> String {
    let mut text = String::new();
    for k in 0..number {
        let (limit, sign) = if wrong.contains(&k) { (k + 3, "==") } else { (0, "!=") };
        let _ = write!(
            text,
            "void f{k}(void) {{ int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++;
                 if (n > {limit} && i {sign} n) reach_error(); }} "
        );
    }
    text += "int main(void) { ";
    (0..number).for_each(|k| {
        let _ = write!(text, "f{k}(); ");
    });
    text + "return 0; }"
}

#[test]
fn errors_one_by_one() {
    let checks = [
        (functions(12, &[]), End::Proof),
        (functions(12, &[0]), End::Refutation),
        (functions(12, &[11]), End::Refutation),
        (functions(12, &[5, 7]), End::Refutation),
        // What one part needs is done in another one's function.
        (
            "int g; void up(void) { if (g < 0) reach_error(); if (g < 100) g++; }
             int main(void) { int n = __VERIFIER_nondet_int(); while (n > 0) { up(); n--; }
                 if (g > 100) reach_error(); if (g < 0) reach_error(); return 0; }"
                .to_owned(),
            End::Proof,
        ),
        (
            "int x, y; void f(void) { x = y; } void h(void) { y++; }
             int main(void) { int n = __VERIFIER_nondet_int(), i; for (i = 0; i < n; i++) { f(); h(); }
                 if (x > y) reach_error(); if (n > 0 && x == y) reach_error(); return 0; }"
                .to_owned(),
            End::Proof,
        ),
        // An error behind another one.
        (
            "int main(void) { int x = __VERIFIER_nondet_int(), y = x; if (x != y) reach_error();
                 if (x == 5) reach_error(); return 0; }"
                .to_owned(),
            End::Refutation,
        ),
        // What does not matter may not end, but what is behind it is not reached then.
        (
            "int main(void) { int x = __VERIFIER_nondet_int(), y = x, z = 1; while (z) {}
                 if (x == 5) reach_error(); if (x != y) reach_error(); return 0; }"
                .to_owned(),
            End::Proof,
        ),
    ];
    for (text, end) in checks {
        assert_eq!(parts(&text), end, "{text}");
    }
}

/// A small generator of numbers, the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const VARS: [&str; 6] = ["a", "b", "c", "u", "g", "h"];
const NUMBERS: [&str; 9] = ["0", "1", "2", "3", "10", "100", "(-1)", "(-7)", "2147483647"];

fn expr(rng: &mut Rng, depth: usize) -> String {
    match rng.below(if depth == 0 { 5 } else { 12 }) {
        0..=2 => rng.pick(&VARS).to_owned(),
        3 | 4 => rng.pick(&NUMBERS).to_owned(),
        5..=8 => {
            let ops = ["+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||"];
            format!("({} {} {})", expr(rng, depth - 1), rng.pick(&ops), expr(rng, depth - 1))
        }
        9 => format!(
            "({} {} {})",
            expr(rng, depth - 1),
            rng.pick(&["/", "%"]),
            rng.pick(&["3", "7", "c"])
        ),
        10 => format!("({} ? {} : {})", expr(rng, depth - 1), expr(rng, 0), expr(rng, depth - 1)),
        _ => {
            let ty = rng.pick(&["unsigned char", "short", "unsigned", "long", "_Bool"]);
            format!("(({ty}){})", expr(rng, depth - 1))
        }
    }
}

fn statements(rng: &mut Rng, depth: usize, out: &mut String) {
    for _ in 0..1 + rng.below(4) {
        let var = rng.pick(&VARS);
        match rng.below(if depth == 0 { 5 } else { 9 }) {
            0 | 1 => write!(out, "{var} = {}; ", expr(rng, 2)),
            2 => write!(out, "{var} = __VERIFIER_nondet_int(); "),
            3 => write!(out, "{var} = f({}, {}); ", expr(rng, 1), expr(rng, 1)),
            4 => write!(
                out,
                "if ({var} {} {}) reach_error(); ",
                rng.pick(&["<", ">", "=="]),
                rng.pick(&NUMBERS)
            ),
            5 | 6 => {
                let (mut yes, mut no) = (String::new(), String::new());
                statements(rng, depth - 1, &mut yes);
                statements(rng, depth - 1, &mut no);
                write!(out, "if ({}) {{ {yes}}} else {{ {no}}} ", expr(rng, 2))
            }
            _ => {
                let mut body = String::new();
                statements(rng, depth - 1, &mut body);
                let (limit, step) = (rng.pick(&NUMBERS), rng.pick(&["1", "2", "3"]));
                write!(out, "while ({var} < {limit}) {{ {body}{var} = {var} + {step}; }} ")
            }
        }
        .expect("a string takes everything");
    }
}

fn program(rng: &mut Rng) -> String {
    let (mut f, mut main) = (String::new(), String::new());
    statements(rng, 1, &mut f);
    statements(rng, 2, &mut main);
    format!(
        "{HEAD} int g = 3; unsigned h;
         int f(int a, unsigned char c) {{ int b = 1; unsigned u = 2;
           if (a > 0 && __VERIFIER_nondet_int()) return f(a - 1, c); {f} return b; }}
         int main(void) {{ int a = 0, b = 0; unsigned u = 1; unsigned char c = 0; {main} return a; }}"
    )
}

/// What ranges claim is accepted by the checker, whatever the program does; and neither engine proves
/// what a run contradicts.
#[test]
fn random_programs() {
    let mut rng = Rng(2026);
    let (mut proofs, mut violations) = (0, 0);
    for _ in 0..150 {
        let text = program(&mut rng);
        let program = compile(&text);
        let task = Task {
            program: &program,
            property: Property::UnreachCall,
            signed_overflow: rng.pick(&[SignedOverflow::Undefined, SignedOverflow::Wrap]),
        };
        let mut is_proved = false;
        for engine in [&Ranges as &dyn Engine, &Cases] {
            match engine.solve(&task, &mut Unwatched).verdict {
                Verdict::Proved(_) => is_proved = true,
                Verdict::Unknown(why @ Why::Rejected { .. }) => panic!("{text}: {why:?}"),
                _ => {}
            }
        }
        let mut is_violated = false;
        for seed in 0..20 {
            let options = Options {
                signed_overflow: task.signed_overflow,
                max_steps: 20_000,
                ..Options::default()
            };
            let run = Interpreter::new(&program).run(&options, &mut Random::new(seed));
            is_violated |= matches!(run.outcome, Outcome::ErrorReached { .. });
        }
        assert!(!(is_proved && is_violated), "{text}");
        proofs += usize::from(is_proved);
        violations += usize::from(is_violated);
    }
    assert!(proofs > 10 && violations > 10, "{proofs} proofs, {violations} violations");
}
