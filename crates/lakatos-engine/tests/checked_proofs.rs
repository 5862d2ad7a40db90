//! The engine's proofs before the independent checker: how many of them pass, and that the checker
//! calls none of the program's own a proof about something else.
//!
//! The projection of a reachability graph on locations is not always inductive, so some are
//! rejected; the numbers are written down here, and may only get better.

use std::fs;
use std::path::{Path, PathBuf};

use lakatos_check::{Instrumented, Kind, Outcome, Verdict, check};
use lakatos_engine::stack_cegar::{Kind as Domain, StackCegar};
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_evidence::{Assumption, Draft, Proof};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Cancel, Limits, Reason, Smt};
use lakatos_logic::term::{Term, Terms};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);\n";

const SAFE: &[(&str, &str)] = &[
    (
        "figure 2.1",
        "int main(void) { int a; int b = a % 10; while (a > 100) { b = a % 10; a = a - 1; }
         if (!(b < 10)) reach_error(); }",
    ),
    (
        "figure 5.3",
        "void rec(int k) { if (k <= 0) reach_error(); rec(k + 1); } int main(void) { rec(1); }",
    ),
    (
        "figure 6.2",
        "int abs_(int x) { if (x < 0) return -x; return x; }
         int main(void) { int r = abs_(__VERIFIER_nondet_int()); if (r < 0) reach_error(); }",
    ),
    (
        "returns",
        "void f(int n) { if (n < 3) return; n--; f(n); reach_error(); } int main(void) { f(2); }",
    ),
    (
        "set",
        "int g; void set(int v) { g = v; }
         int main(void) { set(1); set(2); if (g != 2) reach_error(); }",
    ),
    (
        "step",
        "int g; void step(void) { if (g < 5) { g = g + 1; step(); } }
         int main(void) { g = 0; step(); if (g < 5) reach_error(); }",
    ),
    (
        "inc",
        "int inc(int x) { return x + 1; }
         int main(void) { int a = inc(1); int b = inc(a); if (b != 3) reach_error(); }",
    ),
    (
        "f91",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
                          if (n <= 101 && r != 91) reach_error(); }",
    ),
    (
        "even",
        "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
                          int r = even(n); if (r < 0 || r > 1) reach_error(); }",
    ),
    (
        "twice",
        "int calls; int twice(int x) { calls = calls + 1; return x + x; }
         int main(void) { int a = twice(twice(3)); if (a != 12 || calls != 2) reach_error(); }",
    ),
    (
        "lock",
        "int lock; void acquire(void) { if (lock) reach_error(); lock = 1; }
         void release(void) { if (!lock) reach_error(); lock = 0; }
         int main(void) { while (__VERIFIER_nondet_int()) { acquire(); release(); } }",
    ),
    (
        "sum",
        "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = sum(n);
                          if (n >= 0 && r < n) reach_error(); }",
    ),
    (
        "swap",
        "int a, b; void swap(void) { int t = a; a = b; b = t; }
         int main(void) { a = 1; b = 2; swap(); swap(); if (a != 1) reach_error(); }",
    ),
    (
        "depth",
        "int depth; void down(int n) { depth = depth + 1; if (n > 0) down(n - 1);
                                       depth = depth - 1; }
         int main(void) { depth = 0; down(__VERIFIER_nondet_int());
                          if (depth != 0) reach_error(); }",
    ),
    ("count", "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); }"),
    (
        "pair",
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; }
         if (x != y) reach_error(); }",
    ),
    (
        "nested",
        "int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) n++;
         if (n < 0) reach_error(); }",
    ),
    (
        "break",
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); if (n < 0) return 0;
         while (1) { if (i >= n) break; i++; } if (i != n) reach_error(); }",
    ),
    (
        "unsigned",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 10) x = 10;
         while (x > 10) x--; if (x != 10) reach_error(); }",
    ),
    (
        "constant",
        "int limit = 5; int main(void) { int i = 0; while (i < limit) i++;
         if (i > 5) reach_error(); }",
    ),
    (
        "loop that is never gone through",
        "int g; void f(int n) { if (n < 0) reach_error(); g = n; }
         int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 3) return 0;
                          int v = 1, i = 0; while (i++ < 4 && v < 0) f(x - g);
                          f(x); if (g > 3) reach_error(); }",
    ),
    (
        "pointer",
        "int one(int x) { return 1; } int two(int x) { return 2; }
         int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
                          if (f(0) > 2) reach_error(); }",
    ),
    (
        "memory beside",
        "int main(void) { int x = 0, i = 0; int *p = &x; while (i < 3) { *p = i; i++; }
         if (i != 3) reach_error(); }",
    ),
];

/// Ends a run when the graph is large.
struct Nodes(usize);

impl Watch for Nodes {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        match statistics.nodes > self.0 {
            true => Err(Reason::Resources),
            false => Ok(()),
        }
    }
}

/// A program, and what is to be proved of it.
struct Case {
    name: String,
    program: Program,
    property: Property,
    signed_overflow: SignedOverflow,
}

fn compile(name: &str, text: &str, model: DataModel) -> Program {
    lakatos_c::compile(Source::new(name, text), &lakatos_c::Options::of_model(model))
        .unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics))
}

fn cases() -> Vec<Case> {
    let case = |(name, text): &(&str, &str)| Case {
        name: name.to_string(),
        program: compile(name, &format!("{HEAD}{text}"), DataModel::Lp64),
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    SAFE.iter().map(case).collect()
}

/// The programs of a folder of the corpus, as their headers say (`corpus/README.md`).
fn corpus(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).unwrap();
    let has = |line: &str| text.lines().any(|l| l == line);
    let property = Property::ALL.into_iter().find(|p| has(&format!("// property: {p}"))).unwrap();
    let model = match has("// data-model: ilp32") {
        true => DataModel::Ilp32,
        false => DataModel::Lp64,
    };
    let signed_overflow = match has("// signed-overflow: wrap") {
        true => SignedOverflow::Wrap,
        false => SignedOverflow::Undefined,
    };
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let program = compile(&name, &text, model);
    Case { name, program, property, signed_overflow }
}

fn prove(case: &Case, domain: Domain) -> Option<Proof> {
    let Case { program, property, signed_overflow, .. } = case;
    let task = Task { program, property: *property, signed_overflow: *signed_overflow };
    let limits = Limits { resources: Some(2_000_000), time: None };
    let engine = StackCegar { domain, limits, ..StackCegar::default() };
    match engine.solve(&task, &mut Nodes(300)).verdict {
        Verdict::Proved(checked) => Some(checked.into_proof()),
        _ => None,
    }
}

/// What the checker says, with the condition that fails.
fn judge(case: &Case, proof: Proof) -> (char, String) {
    let subject = Instrumented::new(&case.program, case.property);
    let mut smt = Smt::new(Limits { resources: Some(20_000_000), time: None });
    match check(&subject, proof, case.signed_overflow, &mut smt) {
        Outcome::Checked(checked) => ('+', format!("{} conditions", checked.conditions().len())),
        Outcome::Undecided(undecided) => {
            ('?', undecided.conditions[0].0.describe(subject.program()))
        }
        Outcome::Rejected(rejected) => {
            let about = rejected.condition.describe(subject.program());
            let kind = &rejected.condition.kind;
            // Whether it is a proof of this program at all is no question of invariants.
            assert!(!matches!(kind, Kind::Fits | Kind::Cut | Kind::Assumes(_)), "{about}");
            let memory = if rejected.approximate { " (approximate)" } else { "" };
            ('-', format!("{about}{memory} {:?}", rejected.values))
        }
    }
}

/// How many of the engine's proofs are accepted, rejected and undecided.
fn count(cases: &[Case], domain: Domain) -> [usize; 3] {
    let mut counts = [0; 3];
    for case in cases {
        let Some(proof) = prove(case, domain) else {
            println!("  {}: no proof", case.name);
            continue;
        };
        let (sign, why) = judge(case, proof);
        println!("{sign} {}: {why}", case.name);
        counts["+-?".find(sign).expect("one of them")] += 1;
    }
    println!("{domain:?}: accepted, rejected, undecided: {counts:?}");
    counts
}

/// A proof that speaks of other formulas: `change` gets the number and the formula.
fn redraft(
    subject: &Instrumented,
    proof: &Proof,
    mut change: impl FnMut(&mut Terms, usize, Term) -> Term,
) -> Proof {
    let mut number = 0..;
    let change = |terms: &mut Terms, _, formula| change(terms, number.next().unwrap(), formula);
    proof.redraft(subject.program(), change).unwrap()
}

/// The formulas of a proof that say something, by number.
fn telling(subject: &Instrumented, proof: &Proof) -> Vec<usize> {
    let mut telling = Vec::new();
    redraft(subject, proof, |_, number, formula| {
        if formula != Term::TRUE && formula != Term::FALSE {
            telling.push(number);
        }
        formula
    });
    telling
}

/// Negated, a formula that holds in some run is wrong there; `false` is wrong wherever a run
/// comes. Without it the rest may still be a proof.
#[test]
fn mutants_of_accepted_proofs_are_rejected() {
    let (mut originals, mut mutants, mut needed) = (0, 0, 0);
    for case in cases() {
        let subject = Instrumented::new(&case.program, case.property);
        let Some(proof) = prove(&case, Domain::Predicate) else { continue };
        if judge(&case, redraft(&subject, &proof, |_, _, formula| formula)).0 != '+' {
            continue;
        }
        originals += 1;
        for target in telling(&subject, &proof) {
            let mutate = |change: &dyn Fn(&mut Terms, Term) -> Term| {
                let mutant = redraft(&subject, &proof, |terms, number, formula| {
                    if number == target { change(terms, formula) } else { formula }
                });
                judge(&case, mutant).0
            };
            mutants += 1;
            assert_ne!(mutate(&|terms, f| terms.not(f)), '+', "{}: {target} negated", case.name);
            assert_ne!(mutate(&|_, _| Term::FALSE), '+', "{}: {target} false", case.name);
            needed += usize::from(mutate(&|_, _| Term::TRUE) == '-');
        }
    }
    println!("{originals} proofs, {mutants} formulas, {needed} of them needed");
    assert!(mutants >= 20, "{mutants}");
}

/// At least so many are accepted, at most so many rejected, and nothing is undecided.
#[track_caller]
fn expect(cases: &[Case], domain: Domain, least: usize, rejected: usize) {
    let [accepted, found, undecided] = count(cases, domain);
    assert!(accepted >= least && found <= rejected && undecided == 0);
}

#[test]
fn predicates() {
    expect(&cases(), Domain::Predicate, 23, 0);
}

#[test]
fn products() {
    expect(&cases(), Domain::Product, 19, 0);
}

#[test]
fn values() {
    expect(&cases(), Domain::Explicit, 13, 0);
}

#[test]
fn products_on_the_corpus() {
    expect(&corpus("pos"), Domain::Product, 25, 0);
}

/// Of a program that has a violation nothing is a proof, least of all nothing.
#[test]
fn no_violation_is_proved() {
    for case in corpus("neg") {
        let subject = Instrumented::new(&case.program, case.property);
        let program = subject.program();
        let mut draft = Draft::new(program, case.property);
        draft.assume(Assumption::of(program, case.property, case.signed_overflow));
        let (sign, _) = judge(&case, draft.finish());
        assert_ne!(sign, '+', "{}", case.name);
    }
}
