//! `lakatos verify --modular`: annotated programs, accepted, rejected, not supported.

mod support;

use std::process::Command;

use support::{Output, Sandbox};

fn verify(program: &str, flags: &[&str]) -> Output {
    let sandbox = Sandbox::new().file("a.c", program);
    sandbox.run(&[&["verify", "--modular", "a.c"], flags].concat())
}

/// What is not as it should be with a verdict.
fn flaw(name: &str, program: &str, code: i32, said: &[&str]) -> Option<String> {
    let output = verify(program, &[]);
    let missing: Vec<_> = said.iter().filter(|text| !output.stdout.contains(**text)).collect();
    let wrong = output.code != code || !missing.is_empty();
    let Output { stdout, stderr, code } = output;
    wrong.then(|| format!("{name}: exit {code}, without {missing:#?}\n{stdout}{stderr}"))
}

#[track_caller]
fn check(flaws: impl IntoIterator<Item = Option<String>>) {
    let flaws: Vec<String> = flaws.into_iter().flatten().collect();
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

/// Programs all of whose clauses hold, and follow.
const ACCEPTED: &[(&str, &str)] = &[
    ("nothing", "int main(void) { return 0; }"),
    (
        "absolute value",
        "/*@ requires x > -2147483648; assigns \\nothing;
             ensures \\result >= 0; ensures \\result == x || \\result == -x; */
         int magnitude(int x) { return x < 0 ? -x : x; }
         int main(void) { int a = magnitude(-5); //@ assert a == 5;
           return a; }",
    ),
    (
        "an old global",
        "int g;
         /*@ requires g < 100; assigns g; ensures g == \\old(g) + 1; */
         void tick(void) { g++; }
         int main(void) { tick(); tick(); //@ assert g == 2;
           return 0; }",
    ),
    (
        "a loop with its invariant",
        "int g;
         /*@ requires 0 <= n <= 1000 && g == 0; assigns g; ensures g == n; */
         void up(int n) {
           int i = 0;
           /*@ loop invariant 0 <= i <= n; loop invariant g == \\at(g, Pre) + i;
               loop assigns i, g; loop variant n - i; */
           while (i < n) { g++; i++; }
         }
         int main(void) { up(3); //@ assert g == 3;
           return 0; }",
    ),
    (
        "a parameter that changes",
        "/*@ requires 0 <= n <= 100; assigns \\nothing; ensures \\result == n; */
         int count(int n) { int i = 0; while (n > 0) { n--; i++; } return i; }
         int main(void) { int r = count(7); //@ assert r == 7;
           return 0; }",
    ),
    (
        "recursion by its own contract",
        "/*@ requires 0 <= n <= 100; assigns \\nothing; ensures \\result == 2 * n; */
         int twice(int n) { return n == 0 ? 0 : twice(n - 1) + 2; }
         int main(void) { int r = twice(3); //@ assert r == 6;
           return 0; }",
    ),
    (
        "behaviours",
        "/*@ assigns \\nothing;
             behavior low: assumes x < 0; ensures \\result == -1;
             behavior high: assumes x >= 0; ensures \\result == 1;
             complete behaviors; disjoint behaviors; */
         int sign(int x) { return x < 0 ? -1 : 1; }
         int main(void) { int r = sign(-7); //@ assert r == -1;
           return 0; }",
    ),
    (
        "callers know what a behaviour assigns",
        "int g, h;
         /*@ assigns g, h;
             behavior one: assumes c; assigns g; ensures g == 1;
             behavior other: assumes !c; assigns h; ensures h == 1; */
         void set(int c) { if (c) g = 1; else h = 1; }
         int main(void) { set(1); //@ assert g == 1 && h == 0;
           set(0); //@ assert h == 1 && g == 1;
           return 0; }",
    ),
    (
        "a function without a body",
        "int g;
         /*@ requires x > 0; assigns \\nothing; ensures 0 <= \\result < x; */
         int less(int x);
         int main(void) { int r = less(10); //@ assert r < 10 && g == 0;
           return 0; }",
    ),
    (
        "two contracts of one function",
        "/*@ requires x < 100; ensures \\result > x; */
         int inc(int x);
         /*@ requires y > -100; ensures \\result == y + 1; assigns \\nothing; */
         int inc(int y) { return y + 1; }
         int main(void) { int r = inc(1); //@ assert r == 2;
           return 0; }",
    ),
    (
        "definitions of the logic",
        "/*@ predicate small(integer n) = -1000 <= n <= 1000;
             logic integer square(integer n) = n * n; */
         /*@ requires small(x); assigns \\nothing; ensures \\result == square(x); */
         int sq(int x) { return x * x; }
         int main(void) { int r = sq(-3); //@ assert r == 9;
           return 0; }",
    ),
    (
        "numbers of mathematics in a requirement",
        "/*@ requires x + y <= 2147483647 && x + y >= -2147483648;
             assigns \\nothing; ensures \\result == x + y; */
         int sum(int x, int y) { return x + y; }
         int main(void) { return sum(1, 2); }",
    ),
    (
        "a library without a main",
        "/*@ requires x < 2147483647; assigns \\nothing; ensures \\result > x; */
         int inc(int x) { return x + 1; }",
    ),
    (
        "a library whose inner function is called as it has to be",
        "extern void reach_error(void);
         static void inner(int x) { if (x == 5) reach_error(); }
         void outer(int x) { if (x != 5) inner(x); }",
    ),
    (
        "an error function with a body and a contract",
        "/*@ requires x == 1; assigns \\nothing; ensures \\false; */ void reach_error(int x) { }
         int main(void) { int y = 0; if (y) reach_error(1); return 0; }",
    ),
    (
        "a function without a contract is part of its caller",
        "static int inc(int x) { //@ assert x == 1;
           return x + 1; }
         int main(void) { int r = inc(1); //@ assert r == 2;
           return 0; }",
    ),
    (
        "an assertion at the end of a branch",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = 0;
           if (__VERIFIER_nondet_int()) { x = 1; //@ assert x == 1;
           }
           return x; }",
    ),
    (
        "an assertion before a loop",
        "int main(void) { int i = 0;
           //@ assert i == 0;
           while (i < 3) i++;
           return i; }",
    ),
    (
        "an error function that requires the impossible, and is not called",
        "/*@ requires \\false; assigns \\nothing; */ extern void reach_error(void);
         int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }",
    ),
    (
        "a constant keeps its value",
        "static const int limit = 10;
         /*@ assigns \\nothing; ensures \\result == 10; */
         int get(void) { return limit; }
         int main(void) { return get(); }",
    ),
    (
        "a function that never returns",
        "/*@ assigns \\nothing; ensures \\false; */
         void die(void) __attribute__((noreturn));
         int main(void) { int x = 0; if (x) die(); //@ assert x == 0;
           return 0; }",
    ),
    (
        "by a pointer to the function",
        "/*@ requires x < 100; assigns \\nothing; ensures \\result == x + 1; */
         int inc(int x) { return x + 1; }
         int main(void) { int (*f)(int) = inc; int r = f(1); return r; }",
    ),
];

#[test]
fn accepted() {
    check(ACCEPTED.iter().map(|(name, program)| flaw(name, program, 0, &["contracts: proved ("])));
}

/// Programs with a clause that does not hold: what is said.
const REJECTED: &[(&str, &str, &str)] = &[
    (
        "ensures",
        "/*@ assigns \\nothing; ensures \\result > x; */
int inc(int x) { return x; }
int main(void) { return inc(1); }",
        "contracts: refuted: `ensures` of `inc` at a.c:1:23 does not hold",
    ),
    (
        "ensures of a wrapped sum",
        "/*@ assigns \\nothing; ensures \\result == x + y; */
unsigned sum(unsigned x, unsigned y) { return x + y; }
int main(void) { return sum(1, 2); }",
        "`ensures` of `sum` at a.c:1:23 does not hold",
    ),
    (
        "an old global",
        "int g;
/*@ requires g < 100; assigns g; ensures g == \\old(g); */
void tick(void) { g++; }
int main(void) { tick(); return 0; }",
        "`ensures` of `tick` at a.c:2:34 does not hold",
    ),
    (
        "requires",
        "/*@ requires x > 0; assigns \\nothing; */
void f(int x) {}
int main(void) { f(0); return 0; }",
        "`requires` of `f` at a.c:1:5 does not hold",
    ),
    (
        "requires of a function without a body",
        "/*@ requires x > 0; assigns \\nothing; */
void f(int x);
int main(void) { f(0); return 0; }",
        "`requires` of `f` at a.c:1:5 does not hold",
    ),
    (
        "requires of a recursive call",
        "/*@ requires n >= 0; assigns \\nothing; ensures \\result == 0; */
int down(int n) { return down(n - 1); }
int main(void) { return down(3); }",
        "`requires` of `down` at a.c:1:5 does not hold",
    ),
    (
        "assigns leaves something out",
        "int g, h;
/*@ assigns g; ensures g == 1; */
void f(void) { g = 1; h = 2; }
int main(void) { f(); return 0; }",
        "`assigns` of `f`, which does not list `h`, at a.c:2:5 does not hold",
    ),
    (
        "assigns leaves out what a callee changes",
        "int h;
static void set(void) { h = 2; }
/*@ assigns \\nothing; */
void f(void) { set(); }
int main(void) { f(); return 0; }",
        "`assigns` of `f`, which does not list `h`, at a.c:3:5 does not hold",
    ),
    (
        "assigns leaves out a static local",
        "/*@ assigns \\nothing; */
int next(void) { static int n; n = n + 1; return n; }
int main(void) { return next(); }",
        "`assigns` of `next`, which does not list `n`, at a.c:1:5 does not hold",
    ),
    (
        "assigns leaves out what a function without a body changes",
        "int g;
/*@ assigns g; */ void ext(void);
/*@ assigns \\nothing; */ void f(void) { ext(); }
int main(void) { f(); return 0; }",
        "`assigns` of `f`, which does not list `g`, at a.c:3:5 does not hold",
    ),
    (
        "assigns of a behaviour",
        "int g, h;
/*@ assigns g, h; behavior one: assumes c > 0; assigns g; */
void set(int c) { g = 1; h = 1; }
int main(void) { set(0); return 0; }",
        "`assigns` of `set`, which does not list `h`, at a.c:2:48 does not hold",
    ),
    (
        "an initial value is the entry's only",
        "int g = 7;
/*@ assigns \\nothing; ensures \\result == 7; */
int f(void) { return g; }
int main(void) { return f(); }",
        "`ensures` of `f` at a.c:2:23 does not hold",
    ),
    (
        "a static local is not what it was at first",
        "/*@ ensures \\result == 1; */
int next(void) { static int n; n = n + 1; return n; }
int main(void) { return next(); }",
        "`ensures` of `next` at a.c:1:5 does not hold",
    ),
    (
        "ensures of main",
        "/*@ ensures \\result == 0; */
int main(void) { return 1; }",
        "`ensures` of `main` at a.c:1:5 does not hold",
    ),
    (
        "a behaviour",
        "/*@ assigns \\nothing; behavior low: assumes x < 0; ensures \\result == -1; */
int sign(int x) { return x <= -2 ? -1 : 1; }
int main(void) { return sign(3); }",
        "`ensures` of `sign` at a.c:1:52 does not hold",
    ),
    (
        "behaviours are not complete",
        "/*@ assigns \\nothing; behavior a: assumes x < 0; behavior b: assumes x > 0;
    complete behaviors; */
void f(int x);
int main(void) { return 0; }",
        "`complete behaviors` of `f` at a.c:2:5 does not hold",
    ),
    (
        "behaviours are not disjoint",
        "/*@ assigns \\nothing; behavior a: assumes x <= 0; behavior b: assumes x >= 0;
    disjoint behaviors; */
void f(int x) {}
int main(void) { return 0; }",
        "`disjoint behaviors` of `f` at a.c:2:5 does not hold",
    ),
    (
        "an assertion",
        "int main(void) { int x = 1;
  //@ assert x == 2;
  return 0; }",
        "`assert` in `main` at a.c:2:7 does not hold",
    ),
    (
        "an assertion in a function that nobody calls",
        "void f(int x) {
  //@ assert x != 5;
}
int main(void) { return 0; }",
        "`assert` in `f` at a.c:2:7 does not hold",
    ),
    (
        "a loop invariant at the begin",
        "int main(void) { int i = 0;
  //@ loop invariant i > 0;
  while (i < 3) i++;
  return 0; }",
        "`loop invariant` in `main` at a.c:2:7 does not hold",
    ),
    (
        "a loop invariant later",
        "int main(void) { int i = 0;
  //@ loop invariant i < 3;
  for (; i < 3; i++) ;
  return 0; }",
        "`loop invariant` in `main` at a.c:2:7 does not hold",
    ),
    (
        "requires contradict each other",
        "/*@ requires x > 0 && x < 0; ensures \\result == 1; */
int f(int x) { return x; }
int main(void) { return 0; }",
        "the contract of `f` at a.c:1:1 contradicts itself: no call fulfils what it requires",
    ),
    (
        "main requires what its globals are not",
        "int g = 0;
/*@ requires g == 1; */
int main(void) { //@ assert \\false;
  return 0; }",
        "the contract of `main` at a.c:2:1 contradicts itself",
    ),
    (
        "a function without a body ensures the impossible",
        "/*@ assigns \\nothing; ensures \\result > 0 && \\result < 0; */
int f(void);
int main(void) { f(); //@ assert \\false;
  return 0; }",
        "the contract of `f` at a.c:1:1 contradicts itself: no call can end as it ensures",
    ),
    (
        "a function without a body ensures of an old global what assigns forbids",
        "int g;
/*@ assigns \\nothing; ensures g == \\old(g) + 1; */
void f(void);
int main(void) { f(); //@ assert \\false;
  return 0; }",
        "the contract of `f` at a.c:2:1 contradicts itself",
    ),
    (
        "an error function that requires the impossible",
        "/*@ requires \\false; assigns \\nothing; */
extern void reach_error(void);
int main(void) { reach_error(); return 0; }",
        "`requires` of `reach_error` at a.c:1:5 does not hold",
    ),
    (
        "requires by a pointer to the function",
        "/*@ requires x > 0; assigns \\nothing; */
void f(int x) {}
int main(void) { void (*p)(int) = f; p(0); return 0; }",
        "`requires` of `f` at a.c:1:5 does not hold",
    ),
    (
        "no assigns clause, no body: everything may change",
        "int g;
void f(void);
/*@ requires \\true; */ void f(void);
int main(void) { g = 1; f();
  //@ assert g == 1;
  return 0; }",
        "`assert` in `main` at a.c:5:7 does not hold",
    ),
    (
        "the assertion of a function whose contract is right",
        "/*@ requires x < 100; assigns \\nothing; ensures \\result == x + 1; */
int inc(int x) {
  //@ assert x > 0;
  return x + 1; }
int main(void) { return inc(1); }",
        "`assert` in `inc` at a.c:3:7 does not hold",
    ),
];

#[test]
fn rejected() {
    check(
        REJECTED.iter().map(|(name, program, said)| flaw(name, program, 1, &["refuted: ", said])),
    );
}

/// Programs of which nothing is proved, and why.
const UNKNOWN: &[(&str, &str, &str)] = &[
    (
        "a contract says too little",
        "/*@ requires x < 100; assigns \\nothing; ensures \\result > x; */
int inc(int x) { return x + 1; }
int main(void) { int a = inc(1);
  //@ assert a == 2;
  return 0; }",
        "`assert` in `main` at a.c:4:7 does not follow from the contracts of the functions that \
         `main` calls, which say too little; with their bodies it holds",
    ),
    (
        "check is shown and not used",
        "/*@ requires x < 100; assigns \\nothing; check ensures \\result == x + 1; */
int inc(int x) { return x + 1; }
int main(void) { int a = inc(1);
  //@ assert a == 2;
  return 0; }",
        "which say too little",
    ),
    (
        "a quantifier",
        "/*@ requires \\forall int k; k > x ==> k > 0; */
int f(int x) { return x; }
int main(void) { return 0; }",
        "unsupported: a quantifier at a.c:1:14",
    ),
    (
        "memory",
        "/*@ assigns *p; ensures *p == 1; */
void set(int *p) { *p = 1; }
int main(void) { int x; set(&x); return 0; }",
        "unsupported: memory that is reached by a pointer, an array or a record at a.c:1:",
    ),
    (
        "what is assigned through a pointer",
        "/*@ assigns \\nothing; */
void set(int *p) { *p = 1; }
int main(void) { int x; set(&x); return 0; }",
        "unsupported: whether `set` changes through pointers nothing but what `assigns` lists at \
         a.c:1:5",
    ),
    (
        "numbers that are too large",
        "/*@ requires x * x * x * x * x > 0; */
int f(long x) { return 1; }
int main(void) { return 0; }",
        "unsupported: the numbers here may need more than 128 bits at a.c:1:14",
    ),
    (
        "a recursive definition",
        "/*@ logic integer fact(integer n) = n <= 1 ? 1 : n * fact(n - 1); */
/*@ ensures \\result == fact(3); */
int f(void) { return 6; }
int main(void) { return 0; }",
        "unsupported: in `fact`:",
    ),
    (
        "what the reader leaves out",
        "/*@ requires x > 0; allocates \\nothing; ensures \\result > 0; */
int f(int x) { return x; }
int main(void) { return f(1); }",
        "unsupported: ",
    ),
    (
        "a contract of a function that is known by its name",
        "/*@ requires \\false; */ extern void abort(void);
int main(void) { abort(); }",
        "unsupported: a contract of `abort`, which Lakatos knows by its name, at a.c:1:1",
    ),
    (
        "an assertion about a label",
        "int main(void) { int x = 1; L: x = 2;
  //@ assert \\at(x, L) == 1;
  return 0; }",
        "unsupported: the label `L` at a.c:2:14",
    ),
    (
        "a loop changes what it does not list",
        "int main(void) { int i = 0, j = 0;
  //@ loop assigns i;
  while (i < 3) { i++; j++; }
  return 0; }",
        "unsupported: `j`, which the loop may change and `loop assigns` does not list at a.c:2:7",
    ),
    (
        "a library with an error",
        "extern void reach_error(void);
static void inner(int x) { if (x == 5) reach_error(); }
void outer(int x) { if (x != 5) inner(x); }
void other(int x) { inner(x); }",
        "`reach_error` is called at a.c:2:40, if `other` is called as its contract allows",
    ),
    (
        "an error in a function that its contract allows",
        "extern void reach_error(void);
/*@ assigns \\nothing; */
void f(int x) { if (x == 5) reach_error(); }
int main(void) { f(1); return 0; }",
        "unreach-call: unknown: `reach_error` is called at a.c:3:29, if `f` is called as its \
         contract allows; no run of the program is known",
    ),
];

#[test]
fn unknown() {
    check(UNKNOWN.iter().map(|(name, program, said)| flaw(name, program, 2, &["unknown: ", said])));
}

/// What is believed is said.
#[test]
fn assumptions() {
    let program = "int g;
/*@ assigns g; ensures g > 0; */ void ext(void);
/*@ requires g == 0; admit ensures \\result == 7; */
int main(void) {
  ext();
  //@ admit g < 10;
  //@ assert 0 < g < 10;
  return 0; }";
    let said = [
        "contracts: proved (",
        "assuming: `ext`, which has no body, does what its contract says (a.c:2:1)",
        "assuming: the program is started as `main` requires (a.c:3:5)",
        "assuming: `admit ensures` of `main` (a.c:3:22)",
        "assuming: `admit` of `main` (a.c:6:7)",
        "unreach-call: proved (",
        "assuming: what the contracts assume",
    ];
    check([flaw("assumptions", program, 0, &said)]);
}

/// The property is asked of each function, too.
#[test]
fn properties() {
    let program = "/*@ requires 0 < x < 100; assigns \\nothing; ensures \\result == x + 1; */
int inc(int x) { return x + 1; }
int main(void) { return inc(inc(1)); }";
    let output = verify(program, &["--property", "no-overflow"]);
    assert!(output.stdout.contains("no-overflow: proved (2 functions"), "{}", output.stdout);
    // What a pointer from a caller leads to may not have been written.
    let output = verify(program, &["--property", "uninitialised-read"]);
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert!(output.stdout.contains("ask without `--modular`"), "{}", output.stdout);
    let program = "/*@ requires x > 0; assigns \\nothing; */
int inc(int x) { return x + 1; }
int main(void) { return inc(2147483647); }";
    let output = verify(program, &["--property", "no-overflow"]);
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.contains("no-overflow: refuted: `x + 1` overflows"), "{}", output.stdout);
}

/// A counterexample says how the function is called, and what is wrong.
#[test]
fn a_counterexample() {
    let program = "/*@ requires 4 < x < 6; assigns \\nothing; ensures \\result == 6; */
int f(int x) { return x; }
int main(void) { return f(5); }";
    let output = verify(program, &[]);
    assert!(output.stdout.contains("x #1 at a.c:2:11 started as 5"), "{}", output.stdout);
    assert!(output.stdout.contains("`ensures` of `f` does not hold"), "{}", output.stdout);
}

/// Frama-C with provers that it knows; where they are absent, that is said, and nothing compared.
/// What it knows of them is in a file of our own.
fn frama_c() -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    let config = sandbox.path("why3.conf");
    let runs = |command: &mut Command| command.output().is_ok_and(|o| o.status.success());
    let there = runs(Command::new("frama-c").arg("-version"))
        && runs(Command::new("why3").args(["config", "detect", "-C"]).arg(config));
    if !there {
        eprintln!("Frama-C and Why3 are not installed: nothing is compared here");
    }
    there.then_some(sandbox)
}

/// Whether WP proves everything that it is asked to prove.
fn wp_accepts(sandbox: &Sandbox, program: &str) -> bool {
    let file = sandbox.path("a.i");
    std::fs::write(&file, program).expect("the sandbox is writable");
    let flags = ["-wp", "-wp-prover", "z3", "-wp-timeout", "2", "-machdep", "gcc_x86_64"];
    let mut command = Command::new("frama-c");
    command.env("WHY3CONFIG", sandbox.path("why3.conf")).args(flags).arg(&file);
    let output = command.output().expect("frama-c runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    let Some((_, goals)) = text.lines().find_map(|line| line.split_once("Proved goals:")) else {
        // Without a goal, there is nothing that it could refuse.
        return true;
    };
    let (proved, all) = goals.split_once('/').expect("so many of so many");
    proved.trim() == all.trim()
}

/// Where WP is asked for something else, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("a parameter that changes", "WP finds no loop invariants"),
    (
        "callers know what a behaviour assigns",
        "callers know only the `assigns` of the whole contract in WP",
    ),
    ("a function without a contract is part of its caller", "anybody may call it in WP"),
    ("behaviours are not complete", "WP does not look at contracts of functions without a body"),
    ("requires contradict each other", "WP asks only when it is told to (-wp-smoke-tests)"),
    ("a function without a body ensures the impossible", "likewise"),
    ("a function without a body ensures of an old global what assigns forbids", "likewise"),
    ("requires by a pointer to the function", "WP does not look at such calls"),
    (
        "an error function with a body and a contract",
        "a run ends here where it is called; WP looks at its body",
    ),
    (
        "no assigns clause, no body: everything may change",
        "Frama-C makes one up from the type, here `assigns \\nothing`",
    ),
];

#[test]
fn frama_c_agrees() {
    let Some(sandbox) = frama_c() else { return };
    let accepted = ACCEPTED.iter().map(|(name, program)| (*name, *program, true));
    let rejected = REJECTED.iter().map(|(name, program, _)| (*name, *program, false));
    let mut compared = 0;
    let mut differences = Vec::new();
    for (name, program, ours) in accepted.chain(rejected) {
        let explained = DIFFERENT.iter().any(|(other, _)| *other == name);
        // An explanation that explains nothing is wrong, too.
        if (wp_accepts(&sandbox, program) == ours) == explained {
            differences.push(name);
        }
        compared += usize::from(!explained);
    }
    assert!(differences.is_empty(), "Lakatos and WP differ: {differences:#?}");
    assert!(compared >= 30, "{compared} programs are compared");
}
