//! Witnesses: what `verify` writes and `check` confirms, and what `check` rejects.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use expect_test::expect;
use support::{Output, Sandbox, run_in};

const SUM: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int twice(int n) { return n + n; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    int s = 0;
    for (int i = 0; i < n; i++) {
        s = s + 2;
    }
    if (s != twice(n)) reach_error();
    return 0;
}
";

/// A witness about `sum.c` in the style of other tools. `{hash}` is filled in.
fn witness(content: &str) -> String {
    let hash = lakatos_witness::format::hash(SUM.as_bytes());
    format!(
        "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: 2024-05-05T13:18:43Z
    producer: {{name: hand, version: \"1\"}}
    task:
      input_files: [./sum.c]
      input_file_hashes: {{./sum.c: {hash}}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
      language: C
  content:
{content}"
    )
}

fn invariant(kind: &str, line: u32, text: &str) -> String {
    format!(
        "  - invariant:
      type: {kind}
      location: {{file_name: ./sum.c, line: {line}, column: 5, function: main}}
      value: {text}
      format: c_expression
"
    )
}

const CONTRACT: &str = "  - invariant:
      type: function_contract
      location: {file_name: ./sum.c, line: 3, column: 1, function: twice}
      ensures: \\result == n + n
      format: ext_c_expression
";

fn checked(text: &str, args: &[&str]) -> Output {
    let sandbox = Sandbox::new().file("sum.c", SUM).file("w.yml", text);
    sandbox.run(&[&["check", "sum.c", "--witness", "w.yml"], args].concat())
}

/// The verdict is the second line of the output.
#[track_caller]
fn check(text: &str, args: &[&str], code: i32, expected: &str) {
    let output = checked(text, args);
    let verdict = output.stdout.lines().nth(1).unwrap_or_default();
    assert_eq!(verdict, expected, "{output:?}");
    assert_eq!(output.code, code, "{output:?}");
}

#[test]
fn correctness() {
    let good = invariant("loop_invariant", 8, "s == 2 * i && 0 <= i && i <= n && n <= 100");
    check(
        &witness(&format!("{good}{CONTRACT}")),
        &[],
        0,
        "unreach-call: confirmed: 2 claims are true, and enough alone",
    );
    check(
        &witness(&invariant("loop_invariant", 8, "i <= n")),
        &[],
        0,
        "unreach-call: confirmed: 1 claim is true, but not enough alone (sum.c:11:24: in `main`, \
         from the invariant at sum.c:8:5: it never happens that `reach_error` is called); Lakatos \
         proves the property",
    );
    check(
        &witness(&invariant("location_invariant", 11, "s == 2 * n")),
        &["--property", "unreach-call", "--timeout", "60"],
        0,
        "unreach-call: confirmed: 1 claim is true, but not enough alone (sum.c:8:21: in `main`, \
         from the invariant at sum.c:8:5: the invariant at sum.c:11:5 holds); Lakatos proves the \
         property",
    );
}

#[test]
fn a_false_invariant_is_rejected_with_a_run() {
    let text = witness(&invariant("loop_invariant", 8, "i <= 2"));
    let sandbox = Sandbox::new().file("sum.c", SUM).file("w.yml", text);
    sandbox.check(
        &["check", "sum.c", "--witness", "w.yml"],
        1,
        expect![[r#"
            sum.c (lp64), w.yml
            unreach-call: rejected: the loop invariant of line 8 is false in this run: `i <= 2`
            inputs
              __VERIFIER_nondet_int() #1 at sum.c:5:13 returned 3
            trace
              main:5  int n = __VERIFIER_nondet_int();  n = 3
              main:6  if (n < 0 || n > 100) return 0;
              main:7  int s = 0;                        s = 0
              main:8  for (int i = 0; i < n; i++) {     i = 0
              main:9  s = s + 2;                        s = 2
              main:8  for (int i = 0; i < n; i++) {     i = 1
              main:9  s = s + 2;                        s = 4
              main:8  for (int i = 0; i < n; i++) {     i = 2
              main:9  s = s + 2;                        s = 6
              main:8  for (int i = 0; i < n; i++) {     i = 3
            error: the loop invariant of line 8 is false
             --> sum.c:8:5
              |
            8 |     for (int i = 0; i < n; i++) {
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              in main
        "#]],
        expect![""],
    );
}

#[test]
fn witnesses_about_something_else() {
    let good = invariant("loop_invariant", 8, "s == 2 * i");
    let wrong = witness(&good).replace("LP64", "ILP32");
    check(
        &wrong,
        &[],
        1,
        "unreach-call: rejected: the witness assumes the data model ILP32, and the program is \
         looked at in LP64; `--data-model` chooses another one",
    );
    let hash = lakatos_witness::format::hash(SUM.as_bytes());
    let wrong = witness(&good).replace(&hash, "00ff");
    check(
        &wrong,
        &[],
        1,
        &format!(
            "unreach-call: rejected: the hash of sum.c is another one: the witness says 00ff, the \
             file has {hash}"
        ),
    );
    let wrong = witness(&good).replace("./sum.c", "other.c").replace(&hash, "00ff");
    check(&wrong, &[], 1, "unreach-call: rejected: the witness is about other.c, not about sum.c");
    check(
        &witness(&good),
        &["--property", "no-overflow"],
        1,
        "witness: rejected: the witness is about unreach-call, not about no-overflow",
    );
    check(
        &witness(&good).replace("G ! call(reach_error())", "F end"),
        &[],
        2,
        "witness: unknown: the specification `CHECK( init(main()), LTL(F end) )` is not supported",
    );
    check(
        &witness(&invariant("loop_invariant", 9, "1")),
        &[],
        1,
        "unreach-call: rejected: no loop begins on line 9 of ./sum.c",
    );
    check(
        &witness(&good).replace("function: main", "function: twice"),
        &[],
        1,
        "unreach-call: rejected: line 8 is in `main`, not in `twice`",
    );
    check(
        &witness(&invariant("loop_invariant", 8, "a[0] == 1")),
        &[],
        2,
        "unreach-call: unknown: the loop invariant of line 8: `a` means nothing there (at character 1 of `a[0] == 1`); as for the \
         rest, nothing is claimed, but not enough alone \
         (sum.c:11:24: in `main`, from the invariant at sum.c:8:5: it never happens that \
         `reach_error` is called); Lakatos proves the property",
    );
}

#[test]
fn malformed_witnesses_are_bad_input() {
    let output = checked(&witness("  - invariants: {}\n"), &[]);
    assert_eq!(output.code, 3);
    assert_eq!(output.stderr, "error: w.yml:14:5: `invariant` is missing here\n");
    let output = checked("entry_type: [", &[]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.starts_with("error: w.yml:1:13: this is no YAML: "), "{output:?}");
    let output = Sandbox::new().file("sum.c", SUM).run(&["check", "sum.c", "--witness", "no.yml"]);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (3, "error: cannot read no.yml: there is no such file\n")
    );
}

const DEEP: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x == 1234567 && y == x - 7) reach_error();
    return 0;
}
";

fn violation(content: &str) -> String {
    let hash = lakatos_witness::format::hash(DEEP.as_bytes());
    witness(content)
        .replace("invariant_set", "violation_sequence")
        .replace(&lakatos_witness::format::hash(SUM.as_bytes()), &hash)
        .replace("./sum.c", "deep.c")
}

fn segment(kind: &str, line: u32, column: u32, constraint: &str) -> String {
    format!(
        "  - segment:
    - waypoint:
        type: {kind}
        action: follow
        location: {{file_name: deep.c, line: {line}, column: {column}, function: main}}
        {constraint}
"
    )
}

#[test]
fn violations() {
    let target = segment("target", 6, 37, "");
    let check = |content: &[&str], code: i32, expected: &str| {
        let text = violation(&content.concat());
        let sandbox = Sandbox::new().file("deep.c", DEEP).file("w.yml", text);
        let output = sandbox.run(&["check", "deep.c", "--witness", "w.yml"]);
        assert_eq!(output.stdout.lines().nth(1).unwrap_or_default(), expected, "{output:?}");
        assert_eq!(output.code, code);
    };
    let returns = |line, value| {
        let constraint =
            format!("constraint: {{value: \\result == {value}, format: ext_c_expression}}");
        segment("function_return", line, 35, &constraint)
    };
    check(
        &[&returns(4, 1_234_567), &returns(5, 1_234_560), &target],
        0,
        "unreach-call: confirmed: its values lead to the violation: `reach_error` is called at \
         deep.c:6:37",
    );
    let branch = segment("branching", 6, 5, "constraint: {value: true}");
    check(
        &[&branch, &target],
        0,
        "unreach-call: confirmed: a run through the waypoints exists: `reach_error` is called at \
         deep.c:6:37",
    );
    check(
        &[&returns(4, 5), &target],
        1,
        "unreach-call: rejected: no run through the waypoints reaches the target",
    );
    check(
        &[&segment("target", 4, 5, "")],
        1,
        "unreach-call: rejected: the target is on line 4, where nothing can be violated (lines \
         where something can: 6)",
    );
}

#[test]
fn verify_writes_what_check_confirms() {
    let sandbox = Sandbox::new().file("sum.c", SUM).env("SOURCE_DATE_EPOCH", "1700000000");
    // Beside the program, and named like it, it is no task file.
    let verify = sandbox.run(&["verify", "sum.c", "--witness", "sum.yml"]);
    assert_eq!((verify.code, verify.stderr.as_str()), (0, ""), "{verify:?}");
    let first = fs::read_to_string(sandbox.path("sum.yml")).unwrap();
    assert!(first.contains("creation_time: \"2023-11-14T22:13:20Z\""), "{first}");
    let check = sandbox.run(&["check", "sum.c", "--witness", "sum.yml"]);
    assert_eq!(check.code, 0, "{check:?}");
    sandbox.run(&["verify", "sum.c", "--witness", "again.yml"]);
    assert_eq!(fs::read_to_string(sandbox.path("again.yml")).unwrap(), first);
}

/// A variable that is not initialised is spoken of only where that matters, behind the inputs of
/// its declaration.
#[test]
fn uninitialised_variables() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i, n = __VERIFIER_nondet_int(), secret, unused;
    for (i = 1; i < 3; i++) unused = i;
    if (secret == 77 && n == 14 && unused == 2) reach_error();
    return 0;
}
";
    let sandbox = Sandbox::new().file("u.c", program);
    let verify = sandbox.run(&["verify", "u.c", "--witness", "w.yml"]);
    assert_eq!((verify.code, verify.stderr.as_str()), (1, ""), "{verify:?}");
    let text = fs::read_to_string(sandbox.path("w.yml")).unwrap();
    let values: Vec<&str> = text.lines().filter(|line| line.contains("value:")).collect();
    let told: Vec<&str> = values.iter().map(|line| line.trim()).collect();
    assert_eq!(told, ["value: \\result == 14", "value: secret == 77"]);
    let check = sandbox.run(&["check", "u.c", "--witness", "w.yml"]);
    assert_eq!(check.code, 0, "{check:?}");
    assert!(check.stdout.contains("its values lead to the violation"), "{check:?}");
}

#[test]
fn witness_of_what() {
    let sandbox = Sandbox::new().file("sum.c", SUM).stdin(SUM);
    let output = sandbox.run(&["verify", "-", "--witness", "w.yml"]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.contains("standard input has no name"), "{output:?}");
    let two = ["--property", "unreach-call", "--property", "no-overflow"];
    let output = sandbox.run(&[&["verify", "sum.c", "--witness", "w.yml"], &two[..]].concat());
    assert_eq!(output.code, 3);
    assert!(output.stderr.contains("about one property"), "{output:?}");
}

/// Programs of the corpus on which `verify` takes long today.
const SLOW: [&str; 16] = [
    "ackermann",
    "array_maximum",
    "bit_tricks",
    "fibonacci_bound",
    "function_pointer_table",
    "goto_out_of_blocks",
    "loop_alternating",
    "loop_deep",
    "mutual_recursion",
    "nested_loops",
    "overflow_loop_sum",
    "overflow_small_types",
    "recursion_through_loop",
    "shifts",
    "switch_duff",
    "vla",
];

/// What is left of their proofs as text is true, and the rest has to be found again: one multiplies
/// variables modulo 2^32, where the solver cannot tell that the text says the same, and of where
/// pointers point to there is no text.
const BEYOND_TEXT: [&str; 3] =
    ["pos/knr_definition.c", "pos/globals_zero.c", "pos/pointer_arithmetic.c"];

/// Witnesses about the corpus and the examples are confirmed, and proofs are enough alone, but for
/// those that no text says.
#[test]
fn round_trips() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["corpus/pos", "corpus/neg", "examples"] {
        files.extend(fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| {
        let stem = path.file_stem().unwrap().to_string_lossy();
        path.extension().is_some_and(|e| e == "c") && !SLOW.contains(&stem.as_ref())
    });
    files.sort();
    let (open, confirmed) = (Mutex::new(files), Mutex::new(0));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(file) = open.lock().unwrap().pop() else { return };
                    let done = round_trip(&file);
                    *confirmed.lock().unwrap() += usize::from(done);
                }
            });
        }
    });
    let confirmed = confirmed.into_inner().unwrap();
    assert!(confirmed >= 75, "only {confirmed}");
}

/// Whether there is a witness; if so, it is confirmed.
fn round_trip(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap();
    let header = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
        line.map(|value| vec![format!("--{key}"), value.to_owned()]).unwrap_or_default()
    };
    let settings = [header("data-model"), header("signed-overflow")].concat();
    let sandbox = Sandbox::new().file("program.c", &text);
    let run = |command: &str, more: &[String]| {
        let fixed = [command, "program.c", "--witness", "w.yml"];
        let rest = settings.iter().chain(more).map(String::as_str);
        run_in(&sandbox.path(""), &fixed.into_iter().chain(rest).collect::<Vec<_>>(), &[], &[])
    };
    // By turns, so that the same engine gives the answer every time.
    let by_turns = ["--jobs".to_owned(), "1".to_owned()];
    let verify = run("verify", &[header("property").as_slice(), &by_turns].concat());
    if verify.code > 1 {
        return false;
    }
    let check = run("check", &[]);
    let verdict = check.stdout.lines().nth(1).unwrap_or_default();
    assert_eq!(check.code, 0, "{}: {verdict}\n{}", file.display(), check.stderr);
    if BEYOND_TEXT.iter().any(|name| file.ends_with(name)) {
        assert!(verdict.contains("not enough alone"), "{verdict}");
        return true;
    }
    if verify.stdout.contains("complete execution") {
        // Such a proof has no invariants to write down.
        assert!(verdict.contains("nothing is claimed"), "{verdict}");
        return true;
    }
    let alone = ["enough alone", "nothing has to be", "its values lead to the violation"];
    assert!(
        alone.iter().any(|words| verdict.contains(words)) && !verdict.contains("not enough alone"),
        "{}: {verdict}",
        file.display()
    );
    true
}
