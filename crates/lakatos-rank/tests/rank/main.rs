//! Measures of loops and recursions with known answers, and random loops that are run.

mod random;

use lakatos_check::{Checked, Instrumented, Outcome, check};
use lakatos_ir::{Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_rank::{decreases, rank};
use lakatos_witness::expression::Reader;
use lakatos_witness::format::{Invariant, InvariantKind, Location};
use lakatos_witness::invariants::{claims, proof};
use lakatos_witness::outline::Outline;

const OVERFLOW: SignedOverflow = SignedOverflow::Undefined;

fn smt() -> Smt {
    Smt::new(Limits { resources: Some(5_000_000), time: None })
}

fn compile(text: &str) -> Program {
    let head = "extern int __VERIFIER_nondet_int(void); \
                extern unsigned char __VERIFIER_nondet_uchar(void);\n";
    let source = Source::new("t.c", format!("{head}{text}"));
    lakatos_c::compile(source, &lakatos_c::Options::default())
        .unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics))
}

/// A proof that has the invariants which stand behind `//` on the lines of loops.
fn checked(program: &Program) -> (Instrumented, Box<Checked>) {
    let property = Property::UnreachCall;
    let outline = Outline::new(program);
    let subject = Instrumented::new(program, property);
    let mut reader = Reader::new(subject.program().clone(), &outline);
    let mut invariants = Vec::new();
    for (number, line) in program.source.text().lines().enumerate() {
        let Some((_, text)) = line.split_once("// ") else { continue };
        let line = number as u32 + 1;
        let file_name = "t.c".to_owned();
        invariants.push(Invariant {
            kind: InvariantKind::Loop(text.to_owned()),
            location: Location { file_name, line, column: None, function: None },
            format: "acsl_expression".to_owned(),
        });
    }
    let claims: Vec<_> = claims(&mut reader, &outline, &invariants)
        .into_iter()
        .map(|claim| claim.unwrap_or_else(|problem| panic!("{problem:?}")))
        .collect();
    let (proof, left_out) = proof(&reader, &reader.program, property, OVERFLOW, &claims);
    assert!(left_out.is_empty(), "{left_out:?}");
    match check(&subject, proof, OVERFLOW, &mut smt()) {
        Outcome::Checked(checked) => (subject, checked),
        other => panic!("{other:?}"),
    }
}

/// The measures of loops, with their lines, and of procedures.
fn found(text: &str) -> Vec<String> {
    let (subject, checked) = checked(&compile(text));
    let program = subject.program();
    let text = |text: Option<String>| text.expect("only named variables");
    let mut found = Vec::new();
    for ((proc, loc), measure) in rank(&subject, &checked, OVERFLOW, &mut smt()) {
        let body = program.procs[proc].body.as_ref().expect("a loop is in a body");
        let line = program.source.physical_line(body.locs[loc].span.start) + 1;
        found.push((line, text(measure.acsl(program, proc))));
    }
    found.sort();
    let mut found: Vec<String> =
        found.into_iter().map(|(line, measure)| format!("{line}: {measure}")).collect();
    let procs = decreases(&subject, &checked, OVERFLOW, &mut smt()).into_iter();
    let procs = procs.map(|(proc, measure)| {
        format!("{}: {}", program.procs[proc].name, text(measure.acsl(program, proc)))
    });
    let mut procs: Vec<String> = procs.collect();
    procs.sort();
    found.extend(procs);
    found
}

#[track_caller]
fn measures(text: &str, expected: &[&str]) {
    assert_eq!(found(text), expected, "{text}");
}

/// The body of a function with two numbers, the first line is line 2.
#[track_caller]
fn body(text: &str, expected: &[&str]) {
    let program = format!(
        "void f(int x, int y) {{\n{text}\n}}\nint main(void) {{\n f(__VERIFIER_nondet_int(), \
         __VERIFIER_nondet_int());\n}}"
    );
    measures(&program, expected);
}

#[test]
fn counters() {
    body("for (int i = 0; i < x; i++) { }", &["3: x - i"]);
    body("for (int i = x; i > 0; i--) { }", &["3: i"]);
    body("for (int i = 0; i <= x; i += 2) { }", &["3: x - i"]);
    body("while (x > y) { x -= 3; y += 2; }", &["3: x - y"]);
    body("while (x < 100) x++;", &["3: 99 - x"]);
    body("do x--; while (x > 0);", &["3: x"]);
    body("L: if (x > 0) { x--; goto L; }", &["3: x"]);
}

#[test]
fn invariants_bound() {
    body("if (x < 0) return;\nwhile (x != 0) // x >= 0\n x--;", &["4: x"]);
    body("while (x != 0) x--;", &[]);
    body(
        "if (x < 0 || y < 0) return;\nwhile (x > 0 || y > 0) // x >= 0 && y >= 0\n { if (x > 0) x--; else y--; }",
        &["4: x + y"],
    );
}

#[test]
fn branches_and_arithmetic() {
    body(
        "while (x < y) { int m = x + (y - x) / 2; if (__VERIFIER_nondet_int()) x = m + 1; else y = m; }",
        &["3: y - x"],
    );
    body(
        "if (x < 0 || y < 0) return;\nwhile (y != 0) // x >= 0 && y >= 0\n { int t = y; y = x % y; x = t; }",
        &["4: y"],
    );
    body("while (x > 0) x = x / 2;", &["3: x"]);
}

#[test]
fn factors_are_found() {
    let text = "void f(int x, int y) {
        while (x > 0 && y > 0) { if (__VERIFIER_nondet_int()) { x--; y++; } else y -= 2; }
        }
        int main(void) { f(3, __VERIFIER_nondet_int()); }";
    assert_eq!(found(text).len(), 1, "twice `x`, and `y`");
}

#[test]
fn loops_that_need_not_end_have_none() {
    body("while (1) { }", &[]);
    body("while (x > 0) { }", &[]);
    body("while (x > 0) x = __VERIFIER_nondet_int();", &[]);
    body("while (x > 0) { x += y; }", &[]);
    body("while (x != y) { if (__VERIFIER_nondet_int()) x--; else x++; }", &[]);
    body("unsigned u = x; while (u != 0) u -= 2;", &[]);
    body("while (x > 0) { while (y > 0) { y--; x++; } x--; }", &["3: y"]);
}

#[test]
fn loops_in_loops() {
    body(
        "for (int i = 0; i < x; i++)\n for (int j = 0; j < y; j++) { }",
        &["3: x - i", "4: y - j"],
    );
    body(
        "for (int i = 0; i < x; i++)\n for (int j = i; j < y; j++)\n  for (int k = 0; k < j; k++) { }",
        &["3: x - i", "4: y - j", "5: j - k"],
    );
    // The inner loop changes the outer counter: without its invariant nothing is known of that.
    let outer = "for (int i = 0; i < x; i++) {\n int k = i;\n while (__VERIFIER_nondet_int()) ";
    body(&format!("{outer} i++;\n }}"), &[]);
    body(&format!("{outer}// i >= k\n i++;\n }}"), &["3: x - i"]);
}

#[test]
fn a_loop_that_never_comes_back() {
    body("while (x > 0) { x = 0; if (x == 0) break; }", &["3: 0"]);
}

#[test]
fn calls_may_change_statics() {
    let text = |body: &str| {
        format!(
            "int g;\nvoid h(void) {{ {body} }}\nint main(void) {{\n g = 10;\n while (g > 0) {{ h(); \
             g--; }}\n}}"
        )
    };
    measures(&text(""), &["6: g"]);
    measures(&text("g = __VERIFIER_nondet_int();"), &[]);
}

#[test]
fn recursion() {
    let main = "int main(void) { return f(__VERIFIER_nondet_int()); }";
    for (text, expected) in [
        ("int f(int n) { if (n <= 1) return 1; return n * f(n - 1); }", &["f: n"][..]),
        ("int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }", &["f: n"]),
        // With no contract the inner call may return anything.
        ("int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }", &[]),
        ("int f(int n) { return f(n - 1); }", &[]),
        ("int f(int n) { if (n >= 10) return 0; return f(n + 1); }", &["f: 9 - n"]),
        (
            "int g(int n); int f(int n) { return n <= 0 ? 1 : g(n - 1); }
             int g(int n) { return n <= 0 ? 0 : f(n - 1); }",
            &["f: n", "g: n"],
        ),
        (
            "int g(int n); int f(int n) { return n <= 0 ? 1 : g(n - 1); }
             int g(int n) { return n <= 0 ? 0 : f(n + 1); }",
            &[],
        ),
        ("int f(int n) { n--; if (n < 0) return 0; return f(n); }", &["f: n"]),
        (
            "int f(int n) { while (n > 5) n = n / 2;\n if (n <= 0) return 0; return f(n - 1); }",
            &["2: n"],
        ),
    ] {
        measures(&format!("{text}\n{main}"), expected);
    }
}

#[test]
fn a_flag_is_no_number() {
    let text = "int f(_Bool b, int n) { if (n > 0) return f(!b, n - 1); if (b) return f(0, n); \
                return 0; }\nint main(void) { return f(1, __VERIFIER_nondet_int()); }";
    measures(text, &[]);
}
