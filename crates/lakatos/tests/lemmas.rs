//! `lakatos lemmas`: what it says, and how it ends; and `lakatos verify --lemmas`.

mod support;

use std::path::Path;

use support::{Sandbox, run_in};

/// Runs the command on files, and looks for lines in what it says.
#[track_caller]
fn check(files: &[(&str, &str)], flags: &[&str], code: i32, lines: &[&str]) {
    let mut sandbox = Sandbox::new();
    let mut args = vec!["lemmas"];
    for (name, text) in files {
        sandbox = sandbox.file(name, text);
        args.push(name);
    }
    args.extend(flags);
    let output = sandbox.run(&args);
    let said = format!("{}{}", output.stdout, output.stderr);
    for line in lines {
        assert!(said.contains(line), "`{line}` is missing in\n{said}");
    }
    assert_eq!(output.code, code, "{said}");
}

const LENGTH: &str = "logic integer length(integer n) = n <= 0 ? 0 : length(n - 1) + 1;\n";

#[test]
fn proved() {
    let first = format!("{LENGTH}lemma is: \\forall integer n; n >= 0 ==> length(n) == n;\n");
    let second = "lemma more: \\forall integer n; n >= 0 ==> length(n + 1) == n + 1;\n";
    check(
        &[("a.acsl", &first), ("b.acsl", second)],
        &[],
        0,
        &[
            "a.acsl:1:15: length: defined, its recursion ends: n gets smaller\n",
            "a.acsl:2:7: is: proved by induction on n\n",
            "b.acsl:1:7: more: proved ",
        ],
    );
}

#[test]
fn assumed() {
    let text = "axiomatic x { logic integer f(integer n); axiom a: \\forall integer n; f(n) > n; }\n\
                lemma b: \\forall integer n; f(n) + 1 > n;\n\
                lemma c: \\forall integer n; f(n) == n + 7;\n\
                logic integer g(integer n) = n == 0 ? 0 : g(n - 1);\n";
    check(
        &[("a.acsl", text)],
        &[],
        2,
        &[
            ": f: declared, nothing is known but what is assumed\n",
            ": a: assumed, as it is an axiom\n",
            ": b: follows without induction from assumptions: a\n",
            ": c: assumed, as no proof was found\n",
            ": g: assumed, as its recursion was not seen to end\n",
        ],
    );
}

#[test]
fn refused() {
    let text = format!("{LENGTH}lemma is: \\forall integer n; length(n) == n;\n");
    let contradiction = "refused: a contradiction follows from length, is\n";
    check(&[("a.acsl", &text)], &[], 1, &[": is: false, for example n = -", contradiction]);
    check(
        &[("a.acsl", &text)],
        &["--json"],
        1,
        &["\"standing\": \"false\"", "\"contradiction\": ["],
    );
}

#[test]
fn left_out() {
    let text = "lemma r{L}: \\forall int *a, int *b; a == b;\n";
    check(&[("a.acsl", text)], &[], 2, &["a comparison of pointers", "a.acsl:1:37"]);
}

#[test]
fn wrong_files() {
    check(&[("a.acsl", "lemma r: 1 +;\n")], &[], 3, &["a.acsl:1:"]);
    check(&[("a.txt", "lemma r: 1 == 1;\n")], &[], 3, &["a.txt is no lemma file"]);
}

#[test]
fn the_data_model_matters() {
    let text = "lemma r: \\forall long n; n <= 2147483647;\n";
    check(&[("a.acsl", text)], &["--data-model", "ilp32"], 0, &[": r: proved"]);
    check(&[("a.acsl", text)], &["--data-model", "lp64"], 1, &[": r: false"]);
}

#[test]
fn a_program() {
    let text = "/*@ lemma one: 1 == 1; */\nint main(void) { return 0; }\n";
    check(&[("a.c", text)], &["--json"], 0, &["\"name\": \"one\"", "\"standing\": \"proved\""]);
}

/// Programs of the lemma thesis, and others that are like them but fail.
#[test]
fn programs_of_the_thesis() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = [
        ("array_maximum_function", "max", "auto", 0),
        ("array_minimum_function", "min", "auto", 0),
        ("array_sums_opposite_10", "sum", "auto", 0),
        ("array_sums_opposite_1000", "sum", "arrays", 0),
        ("array_sums_opposite_any", "sum", "arrays", 0),
        ("array_sums_mirrored_1000", "sum", "arrays", 0),
        ("array_sums_zero_10", "sum", "auto", 1),
        ("array_sums_always_1000", "sum", "auto", 1),
    ];
    for (program, lemmas, engine, code) in cases {
        let program = format!("examples/lemmas/{program}.c");
        let lemmas = format!("lemmas/{lemmas}.acsl");
        let args =
            ["verify", "--timeout", "400", "--lemmas", &lemmas, "--engine", engine, &program];
        let output = run_in(&root, &args, &[], &[]);
        let said = if code == 0 { "unreach-call: proved" } else { "unreach-call: refuted" };
        assert!(output.stdout.contains(said), "{program}: {}{}", output.stdout, output.stderr);
        assert_eq!(output.code, code, "{program}");
    }
}

const SUMS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(); if (n < 1 || n > 900) return 0;
    int a[900]; long long s = 0, t = 0;
    for (int i = 0; i < n; i++) s += a[i];
    for (int i = 0; i < n; i++) t += a[i];
    if (s != t) reach_error();
}
";

/// Whoever looks for predicates looks for those with functions of lemma files, also for a report.
#[test]
fn every_engine_with_predicates() {
    let lemmas = include_str!("../../../lemmas/sum.acsl");
    let sandbox = Sandbox::new().file("a.c", SUMS).file("sum.acsl", lemmas);
    let engines: [&[&str]; 4] = [
        &["cegar"],
        &["bam", "--precision", "location"],
        &["horn"],
        &["cegar", "--report", "a.html"],
    ];
    for engine in engines {
        let args = ["verify", "--timeout", "400", "--lemmas", "sum.acsl", "a.c", "--engine"];
        let output = sandbox.run(&[&args, engine].concat());
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(output.stdout.contains("unreach-call: proved"), "{engine:?}: {said}");
    }
}
