//! `lakatos contracts` of programs that have annotations of their own: what is kept and added, and
//! what is said of annotations that are false, too weak or not supported.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::Sandbox;

/// A program, and what has to be said of it.
struct Case {
    name: &'static str,
    program: &'static str,
    /// In the annotated text, each exactly once.
    written: &'static [&'static str],
    /// On standard error.
    said: &'static [&'static str],
}

const fn case(
    name: &'static str,
    program: &'static str,
    written: &'static [&'static str],
    said: &'static [&'static str],
) -> Case {
    Case { name, program, written, said }
}

/// Programs that are completed.
const COMPLETED: &[Case] = &[
    case(
        "a loop invariant is missing",
        "extern void reach_error(void);
/*@ requires 0 <= n <= 1000;
    ensures \\result == 2 * n;
*/
int twice(int n) {
  int i = 0, r = 0;
  while (i < n) { i++; r += 2; }
  return r;
}
int main(void) { if (twice(5) != 10) reach_error(); return 0; }
",
        &[
            "ensures \\result == 2 * n;\n    assigns \\nothing;\n*/",
            "requires 0 <= n <= 1000;",
            "loop invariant r == 2 * i;",
            "loop assigns i, r;",
        ],
        &[
            "annotations: too weak: `ensures` of `twice` at a.c:3:5: `ensures \\result == 2 * n` \
             holds, but does not follow from the annotations\n  needed: a.c:8:3: in `twice`",
            "annotations: proved (2 clauses)",
            "unreach-call: proved",
        ],
    ),
    case(
        "a loop invariant is too weak",
        "int main(void) {
  int i = 0, s = 0;
  //@ loop invariant s <= 20;
  while (i < 10) { i++; s += 2; }
  //@ assert s == 20;
  return 0;
}
",
        &["//@ loop invariant s <= 20; loop invariant s == 2 * i;", "loop assigns i, s;"],
        &[
            "too weak: `loop invariant` in `main` at a.c:3:7: `loop invariant s <= 20` holds, but \
             does not follow from the annotations\n  needed: a.c:4:25: in `main`, from the invariant at \
             a.c:4:3: the invariant at a.c:4:3 holds (fails with i = ",
            "annotations: proved (2 clauses)",
        ],
    ),
    case(
        "a contract on one function and none on the other",
        "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int g;
/*@ requires 0 <= a <= 100;
  @ assigns g;
  @ ensures g == \\old(g) + a;
  @*/
void add(int a) { int i = 0; while (i < a) { g++; i++; } }
int clamp(int x) { return x < 0 ? 0 : x > 100 ? 100 : x; }
int main(void) {
  int n = clamp(__VERIFIER_nondet_int());
  add(n);
  if (g != n) reach_error();
  return 0;
}
",
        &[
            "assigns g;\n  @ ensures g == \\old(g) + a;\n  @*/",
            "loop assigns g, i;",
            "\\result <= 100",
        ],
        &[
            "`requires` of `add` at a.c:4:5: `requires 0 <= a <= 100` holds, but does not follow",
            "annotations: proved (2 clauses)",
        ],
    ),
    case(
        "what the user says is assigned is kept",
        "int g, h;
/*@ assigns g, h;
    ensures g == 1; */
void one(int c) {
  int i = 0;
  /*@ loop assigns i, g;
      loop invariant i <= 3; */
  while (i < 3) { i++; g = 1; }
  if (c) h = 2;
}
int main(void) { one(0); //@ assert g == 1;
  return 0; }
",
        &["/*@ assigns g, h;\n    ensures g == 1; */", "loop assigns i, g;"],
        &["annotations: proved (3 clauses)"],
    ),
    case(
        "what a contract requires is too weak",
        "//@ ensures \\result > 0;
int half(int x) { return x / 2; }
int main(void) { int x = half(10); //@ assert x > 0;
  return 0; }
",
        &["//@ requires x >= 10; ensures \\result > 0; assigns \\nothing;"],
        &[
            "annotations: too weak: `ensures` of `half` at a.c:1:5: `ensures \\result > 0` holds in \
             this program, but not in every call that the contracts allow\ninputs\n  x #1 at \
             a.c:2:14 started as ",
            "error: `ensures` of `half` does not hold",
            "annotations: proved (2 clauses)",
        ],
    ),
    case(
        "a contract is too weak for the property",
        "extern void reach_error(void);
/*@ requires x > 0;
    assigns \\nothing;
    ensures \\result == x; */
int id(int x) { if (x > 100) reach_error(); return x; }
int main(void) { return id(5); }
",
        &["requires x > 0;\n    requires x <= "],
        &[
            "annotations: proved (2 clauses)",
            "annotations: too weak: unreach-call holds in this program, but not in every call that \
             the contracts allow\ninputs\n  x #1 at a.c:5:12 started as ",
            "unreach-call: proved",
        ],
    ),
    case(
        "a contract at a declaration, with another name",
        "/*@ requires 0 <= n <= 1000;
    ensures \\result == n; */
int count(int n);
int count(int m) { int i = 0; while (i < m) i++; return i; }
int main(void) { int r = count(5); //@ assert r == 5;
  return 0; }
",
        &[
            "*/\nint count(int n);\n/*@ assigns \\nothing; */\nint count(int m)",
            "loop invariant i <= m;",
        ],
        &["annotations: proved (3 clauses)"],
    ),
    case(
        "behaviours",
        "extern void reach_error(void);
/*@ behavior low: assumes x < 0; ensures \\result == -1;
    behavior high: assumes x >= 0; ensures \\result == 1;
    complete behaviors; disjoint behaviors; */
int sign(int x) { return x < 0 ? -1 : 1; }
int main(void) { if (sign(-7) != -1) reach_error(); return 0; }
",
        &["/*@ assigns \\nothing;\n    behavior low:"],
        &["annotations: proved (4 clauses)"],
    ),
    case(
        "a function without a body does what its contract says",
        "/*@ assigns \\nothing; ensures 0 <= \\result <= 10; */
int read(void);
/*@ requires n >= 0; */
int inc(int n) { return n + 1; }
int main(void) { int s = inc(read()); //@ assert 1 <= s <= 11;
  return 0; }
",
        &["/*@ requires n >= 0; assigns \\nothing; ensures ", "ensures \\result <= n + 1;"],
        &[
            "annotations: proved (2 clauses)",
            "assuming: `read`, which has no body, does what its contract says (a.c:1:1)",
        ],
    ),
    case(
        "an assertion needs contracts",
        "static int inc(int x) { return x + 1; }
int main(void) {
  int i = 0;
  while (i < 5) i = inc(i);
  //@ assert i == 5;
  return 0;
}
",
        &["ensures \\result == x + 1;", "loop invariant i <= 5;", "//@ assert i == 5;"],
        &["annotations: proved (1 clause)"],
    ),
    case(
        "definitions of the logic",
        "//@ predicate small(integer n) = 0 <= n <= 100;
/*@ requires small(n);
    ensures small(\\result); */
int halve(int n) { int r = 0; while (n > 1) { n -= 2; r++; } return r; }
int main(void) { return halve(7); }
",
        &["loop assigns n, r;", "ensures small(\\result);\n    assigns \\nothing; */"],
        &["annotations: proved (2 clauses)"],
    ),
    case(
        "two loops, one of them annotated",
        "int main(void) {
  int i = 0, j = 0;
  /*@ loop invariant 0 <= i <= 4;
      loop invariant j == i;
      loop assigns i, j;
      loop variant 4 - i; */
  while (i < 4) { i++; j++; }
  while (i > 0) { i--; j++; }
  //@ assert j == 8;
  return 0;
}
",
        &["loop variant 4 - i; */", "loop invariant i + j == 8;"],
        &["annotations: proved (3 clauses)"],
    ),
    case(
        "recursion",
        "/*@ requires 0 <= n <= 100; */
int twice(int n) { return n == 0 ? 0 : twice(n - 1) + 2; }
int main(void) { int r = twice(3); //@ assert r == 6;
  return 0; }
",
        &["ensures \\result == 2 * n;"],
        &["annotations: proved (2 clauses)"],
    ),
    case(
        "a file with directives",
        "#define LIMIT 9
int count(void) {
  int i = 0;
  /*@ loop invariant i >= 0;
      loop assigns i; */
  while (i < LIMIT) i++;
  return i;
}
/*@ ensures \\result == 9; */
int main(void) { return count(); }
",
        &[
            "#define LIMIT 9\n",
            "loop invariant i <= 9;",
            "/*@ ensures \\result == 9; assigns \\nothing; */",
        ],
        &["annotations: proved (2 clauses)"],
    ),
    case(
        "nothing is missing",
        "int g;
/*@ requires 0 <= n <= 1000 && g == 0; assigns g; ensures g == n; */
void up(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n; loop invariant g == i; loop assigns i, g; loop variant n - i; */
  while (i < n) { g++; i++; }
}
/*@ requires g == 0; assigns g; */
int main(void) { up(3); //@ assert g == 3;
  return 0; }
",
        &[],
        &[
            "annotations: proved (5 clauses)",
            "assuming: a loop ends: `loop variant` is not checked",
        ],
    ),
];

/// Whether one text is the other with something left out.
fn is_within(text: &str, longer: &str) -> bool {
    let mut rest = longer.chars();
    text.chars().all(|c| rest.any(|other| other == c))
}

fn flaws(case: &Case, stdout: &str, stderr: &str) -> Vec<String> {
    let Case { name, written, said, .. } = case;
    let mut flaws = Vec::new();
    for text in *written {
        if stdout.matches(text).count() != 1 {
            flaws.push(format!("{name}: not once: {text}\n{stdout}{stderr}"));
        }
    }
    for text in *said {
        if !stderr.contains(text) {
            flaws.push(format!("{name}: not said: {text}\n{stderr}"));
        }
    }
    flaws
}

#[track_caller]
fn check(flaws: Vec<String>) {
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn what_is_missing_is_added() {
    let mut wrong = Vec::new();
    for case in COMPLETED {
        let sandbox = Sandbox::new().file("a.c", case.program);
        let output = sandbox.run(&["contracts", "a.c"]);
        wrong.extend(flaws(case, &output.stdout, &output.stderr));
        if output.code != 0 || !is_within(case.program, &output.stdout) {
            wrong.push(format!("{}: exit {}\n{}", case.name, output.code, output.stderr));
        }
        // It is a proof that others accept, and nothing more is missing from it.
        let sandbox = sandbox.file("b.c", &output.stdout);
        let modular = sandbox.run(&["verify", "--modular", "b.c"]);
        if modular.code != 0 {
            wrong.push(format!("{}: modular\n{}{}", case.name, output.stdout, modular.stdout));
        }
        let again = sandbox.run(&["contracts", "b.c"]);
        if (again.code, &again.stdout) != (0, &output.stdout) {
            wrong.push(format!("{}: again\n{}{}", case.name, again.stdout, again.stderr));
        }
    }
    check(wrong);
}

#[test]
fn frama_c_accepts_what_is_completed() {
    let there = Command::new("frama-c").arg("-version").output().is_ok_and(|o| o.status.success());
    if !there {
        return eprintln!("Frama-C is not installed: nothing is validated here");
    }
    let mut wrong = Vec::new();
    for Case { name, program, .. } in COMPLETED {
        let sandbox = Sandbox::new().file("a.c", program);
        let output = sandbox.run(&["contracts", "--validate", "frama-c", "-o", "b.c", "a.c"]);
        if output.code != 0 || !output.stderr.contains("frama-c: validated (") {
            wrong.push(format!("{name}: exit {}\n{}", output.code, output.stderr));
        }
    }
    check(wrong);
}

/// Programs with annotations that are false: nothing is written.
const REFUTED: &[Case] = &[
    case(
        "a postcondition",
        "/*@ requires 0 <= n; ensures \\result > n; */
int same(int n) { return n; }
int main(void) { return same(7); }
",
        &[],
        &[
            "annotations: refuted: `ensures` of `same` at a.c:1:22: `ensures \\result > n`",
            "error: `ensures` of `same` does not hold\n --> a.c:2:19",
            "main:3 ",
            "n = 7",
        ],
    ),
    case(
        "a loop invariant",
        "extern int __VERIFIER_nondet_int(void);
int count(int n) {
  int i = 0;
  //@ loop invariant 0 <= i < n;
  while (i < n) i++;
  return i;
}
int main(void) { int r = __VERIFIER_nondet_int(); if (r > 0) count(r); return 0; }
",
        &[],
        &[
            "annotations: refuted: `loop invariant` in `count` at a.c:4:7: `loop invariant 0 <= i < n`",
            "__VERIFIER_nondet_int() #1 at a.c:8:26 returned ",
            "error: `loop invariant` in `count` does not hold",
        ],
    ),
    case(
        "what is required, at a call",
        "/*@ requires x > 0; assigns \\nothing; */
int id(int x) { return x; }
int main(void) { int k = 0; return id(k); }
",
        &[],
        &[
            "annotations: refuted: `requires` of `id` at a.c:1:5: `requires x > 0`",
            "in id, called at a.c:3:36",
        ],
    ),
    case(
        "what a function without a body requires",
        "/*@ requires x > 0; assigns \\nothing; */
int less(int x);
int main(void) { return less(0); }
",
        &[],
        &["annotations: refuted: `requires` of `less` at a.c:1:5: `requires x > 0`"],
    ),
    case(
        "an assertion",
        "int main(void) { int x = 1; //@ assert x == 2;
  return x; }
",
        &[],
        &["annotations: refuted: `assert` in `main` at a.c:1:33: `assert x == 2`"],
    ),
    case(
        "what is assigned",
        "int g, h;
/*@ assigns g; */
void set(void) { g = 1; h = 1; }
int main(void) { set(); return 0; }
",
        &[],
        &[
            "annotations: refuted: `assigns` of `set`, which does not list `h`, at a.c:2:5: `assigns g`",
        ],
    ),
    case(
        "behaviours that are not complete",
        "/*@ behavior low: assumes x < 0; ensures \\result == -1;
    behavior high: assumes x > 0; ensures \\result == 1;
    complete behaviors; */
int sign(int x) { return x < 0 ? -1 : 1; }
int main(void) { return sign(0); }
",
        &[],
        &["annotations: refuted: `complete behaviors` of `sign` at a.c:3:5"],
    ),
    case(
        "a contract of a function that nobody calls",
        "/*@ ensures \\result != 4; */
int inc(int x) { return x + 1; }
int main(void) { return 0; }
",
        &[],
        &[
            "annotations: refuted: `ensures` of `inc` at a.c:1:5: `ensures \\result != 4`",
            "started as 3",
        ],
    ),
    case(
        "several",
        "/*@ ensures \\result == 1; ensures \\result >= 2; ensures \\result == 3; */
int two(void) { return 2; }
int main(void) { return two(); }
",
        &[],
        &[
            "annotations: refuted: `ensures` of `two` at a.c:1:5: `ensures \\result == 1`",
            "annotations: refuted: `ensures` of `two` at a.c:1:49: `ensures \\result == 3`",
        ],
    ),
    case(
        "a contract that contradicts itself",
        "/*@ requires x > 0 && x < 0; ensures \\result == 3; */
int f(int x) { return x; }
int main(void) { return 0; }
",
        &[],
        &["annotations: refuted: the contract of `f` contradicts itself: no call fulfils what it \
           requires (a.c (annotated):1:1)"],
    ),
    case(
        "the program itself",
        "extern void reach_error(void);
/*@ requires x >= 0; ensures \\result == x; */
int id(int x) { return x; }
int main(void) { if (id(3) == 3) reach_error(); return 0; }
",
        &[],
        &["annotations: proved (2 clauses)", "unreach-call: refuted: "],
    ),
];

#[test]
fn what_is_false_has_a_counterexample() {
    let mut wrong = Vec::new();
    for case in REFUTED {
        let sandbox = Sandbox::new().file("a.c", case.program);
        let output = sandbox.run(&["contracts", "a.c"]);
        wrong.extend(flaws(case, &output.stdout, &output.stderr));
        if (output.code, &output.stdout[..]) != (1, "") {
            wrong.push(format!("{}: exit {}\n{}", case.name, output.code, output.stderr));
        }
        // The file stays as it is.
        sandbox.run(&["contracts", "--in-place", "a.c"]);
        assert_eq!(fs::read_to_string(sandbox.path("a.c")).unwrap(), case.program);
    }
    check(wrong);
}

/// Programs of which something stays open: the text is written, and the exit code tells.
const OPEN: &[Case] = &[
    case(
        "quantifiers are not supported",
        "/*@ requires n >= 0;
    ensures \\forall integer k; k < n ==> k < \\result;
    ensures \\result == n; */
int id(int n) { return n; }
int main(void) { return id(3); }
",
        &["ensures \\forall integer k; k < n ==> k < \\result;", "    assigns \\nothing; */"],
        &[
            "annotations: unknown: unsupported: a quantifier at a.c:2:13; this annotation is kept, and \
             nothing is known of it",
            "annotations: proved (2 clauses, apart from what is named above)",
        ],
    ),
    case(
        "ghost code is not supported",
        "int main(void) { //@ ghost int x = 1;
  return 0; }
",
        &["//@ ghost int x = 1;"],
        &["annotations: unknown: unsupported: ghost code at a.c:1:22"],
    ),
    case(
        "a loop changes more than it says",
        "int main(void) {
  int i = 0, s = 0;
  //@ loop assigns i;
  while (i < 10) { i++; s += 2; }
  return 0;
}
",
        &["loop assigns i;"],
        &["annotations: too weak: `loop assigns` in `main` does not list `s`, which the loop may \
             change (a.c:3:7: `loop assigns i`)"],
    ),
    case(
        "a function is said to assign more than it does",
        "extern void reach_error(void);
int g, h;
/*@ assigns g, h; ensures g == 1; */
void set(void) { g = 1; }
int main(void) { set(); if (h) reach_error(); return 0; }
",
        &["/*@ assigns g, h; ensures g == 1; */"],
        &[
            "unreach-call: proved",
            "annotations: too weak: `requires` of `reach_error` at a.c (annotated):1:5 does not follow \
             in `main` from the contracts of the functions that it calls",
            "`h` after a call of `set`",
        ],
    ),
    case(
        "what is believed is not used, and no run counts against it",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  //@ admit x > 0;
  //@ assert x > 0;
  return 0;
}
",
        &["//@ admit x > 0;"],
        &["annotations: unknown: unsupported: `admit` at a.c:4:7", "is not shown to hold: "],
    ),
    case(
        "a function without a body whose contract is not supported",
        "int a[4];
/*@ assigns \\nothing; ensures \\result == a[0] * 0 + 1; */
int one(void);
int main(void) { int x = one(); //@ assert x == 1;
  return 0; }
",
        &[],
        &["annotations: unknown: unsupported: ", "`assert x == 1` is not shown to hold"],
    ),
];

#[test]
fn what_is_open_is_named() {
    let mut wrong = Vec::new();
    for case in OPEN {
        let sandbox = Sandbox::new().file("a.c", case.program);
        let output = sandbox.run(&["contracts", "a.c"]);
        wrong.extend(flaws(case, &output.stdout, &output.stderr));
        if output.code != 2 || !is_within(case.program, &output.stdout) {
            let Case { name, .. } = case;
            wrong.push(format!("{name}: exit {}\n{}{}", output.code, output.stdout, output.stderr));
        }
    }
    check(wrong);
}

#[test]
fn annotations_that_are_none() {
    let text =
        "/*@ ensures \\result == ; */\nint f(void) { return 1; }\nint main(void) { return f(); }\n";
    let output = Sandbox::new().file("a.c", text).run(&["contracts", "a.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{}", output.stderr);
    assert!(output.stderr.contains("a.c:1:24"), "{}", output.stderr);
}

/// The data has what the user said, too.
#[test]
fn the_whole_as_data() {
    let case = &COMPLETED[0];
    let sandbox = Sandbox::new().file("a.c", case.program);
    let output = sandbox.run(&["contracts", "--json", "a.c"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["complete"], true);
    let twice = &json["functions"][0];
    assert_eq!(twice["name"], "twice");
    assert_eq!(twice["ensures"], serde_json::json!(["\\result == 2 * n"]));
    assert_eq!(twice["assigns"], serde_json::json!([]));
    assert_eq!(twice["requires"].as_array().unwrap().len(), 2);
}

/// What witnesses and contexts say stays apart from what the user says.
#[test]
fn other_origins_add_nothing_to_annotations() {
    let sandbox = Sandbox::new().file("a.c", COMPLETED[0].program);
    let output = sandbox.run(&["contracts", "--from", "arg", "a.c"]);
    assert_eq!(output.code, 2, "{}", output.stderr);
    assert!(output.stderr.contains("has annotations already"), "{}", output.stderr);
}

const DOCUMENTED: &str = "\
extern void reach_error(void);

/*@ requires 0 <= n <= 1000;
    ensures \\result == 2 * n; */
int twice(int n) {
  int i = 0, r = 0;
  //@ loop invariant 0 <= r;
  while (i < n) { i++; r += 2; }
  return r;
}

int main(void) {
  if (twice(5) != 10) reach_error();
  return 0;
}
";

/// The example of docs/contracts.md, where it stands as it is.
#[test]
fn the_documented_example() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/contracts.md");
    let docs = fs::read_to_string(docs).unwrap();
    let wrong = DOCUMENTED.replace("== 2 * n", "> n").replace("twice(5) != 10", "twice(0) != 0");
    for (program, code) in [(DOCUMENTED.to_owned(), 0), (wrong, 1)] {
        let output = Sandbox::new().file("twice.c", &program).run(&["contracts", "twice.c"]);
        assert_eq!(output.code, code, "{}", output.stderr);
        for text in [&output.stdout, &output.stderr] {
            assert!(docs.contains(&**text), "not in docs/contracts.md:\n{text}");
        }
    }
    assert!(docs.contains(DOCUMENTED));
}

/// `left op factor * variable + offset`.
struct Comparison {
    op: &'static str,
    factor: i64,
    offset: i64,
}

impl Comparison {
    fn random(rng: &mut fastrand::Rng) -> Comparison {
        let op = ["==", "<=", ">=", "!="][rng.usize(..4)];
        Comparison { op, factor: rng.i64(0..4), offset: rng.i64(-2..4) }
    }

    fn text(&self, left: &str, variable: &str) -> String {
        let Comparison { op, factor, offset } = self;
        format!("{left} {op} {factor} * {variable} + {offset}")
    }

    fn holds(&self, left: i64, variable: i64) -> bool {
        let right = self.factor * variable + self.offset;
        match self.op {
            "==" => left == right,
            "<=" => left <= right,
            ">=" => left >= right,
            _ => left != right,
        }
    }
}

/// A loop with random annotations.
struct Annotated {
    begin: i64,
    step: i64,
    ensures: Comparison,
    invariant: Comparison,
    given: i64,
}

/// What the function requires.
const MOST: i64 = 9;

impl Annotated {
    fn random(rng: &mut fastrand::Rng) -> Annotated {
        Annotated {
            begin: rng.i64(0..2),
            step: rng.i64(1..4),
            ensures: Comparison::random(rng),
            invariant: Comparison::random(rng),
            given: rng.i64(0..=MOST),
        }
    }

    fn text(&self) -> String {
        let Annotated { begin, step, ensures, invariant, given } = self;
        format!(
            "/*@ requires 0 <= n <= {MOST};\n    ensures {}; */\nint f(int n) {{\n  int i = 0, r = \
             {begin};\n  //@ loop invariant {};\n  while (i < n) {{ i++; r += {step}; }}\n  return \
             r;\n}}\nint main(void) {{ return f({given}); }}\n",
            ensures.text("\\result", "n"),
            invariant.text("r", "i"),
        )
    }

    /// Whether `ensures` and the invariant hold in a call.
    fn holds(&self, n: i64) -> (bool, bool) {
        let mut r = self.begin;
        let mut always = self.invariant.holds(r, 0);
        for i in 1..=n {
            r += self.step;
            always &= self.invariant.holds(r, i);
        }
        (self.ensures.holds(r, n), always)
    }
}

/// What is said of random annotations is what calls of the function, one by one, show.
#[test]
fn verdicts_are_what_runs_show() {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut seen = [0; 3];
    for _ in 0..30 {
        let random = Annotated::random(&mut rng);
        let text = random.text();
        let output = Sandbox::new().file("a.c", &text).run(&["contracts", "a.c"]);
        let told = format!("{text}{}{}", output.stdout, output.stderr);
        let here = random.holds(random.given);
        let everywhere = (0..=MOST)
            .map(|n| random.holds(n))
            .fold((true, true), |all, one| (all.0 && one.0, all.1 && one.1));
        let places = [
            ("`ensures` of `f` at a.c:2:5", here.0, everywhere.0),
            ("`loop invariant` in `f` at a.c:5:7", here.1, everywhere.1),
        ];
        for (clause, here, everywhere) in places {
            let refuted = output.stderr.contains(&format!("annotations: refuted: {clause}"));
            assert_eq!(refuted, !here, "{told}");
            let weak = output.stderr.lines().any(|line| {
                line.contains(clause) && line.contains("not in every call that the contracts allow")
            });
            // Nothing is said of what is weak where something else is false.
            assert!(!weak || (here && !everywhere), "{told}");
            assert!(output.code == 1 || weak != everywhere, "{told}");
        }
        assert_eq!(output.code == 1, here != (true, true), "{told}");
        seen[usize::try_from(output.code).unwrap()] += 1;
    }
    assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
}
