//! `lakatos bench` with verifiers that do as their task's name says.

mod limits;
mod resume;
#[path = "../support/mod.rs"]
mod support;
mod tools;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use expect_test::expect;
use support::{Output, Sandbox};

/// Answers as the last letters of the file's name say. Its flags are kept in `calls`.
const FAKE: &str = r#"#!/bin/sh
for file; do :; done
echo "$@" >> "$(dirname "$0")/calls"
case "$file" in
    *proved.c) echo "unreach-call: proved"; exit 0 ;;
    *refuted.c) echo "unreach-call: refuted"; exit 1 ;;
    *unknown.c) echo "unreach-call: unknown: too hard"; exit 2 ;;
    *slow.c) sleep 60; echo "unreach-call: proved"; exit 0 ;;
    *busy.c) while :; do :; done ;;
    *large.c) head -c 400000000 /dev/zero | tail; echo "unreach-call: proved"; exit 0 ;;
    *crash.c) kill -SEGV $$ ;;
    *silent.c) exit 0 ;;
    *) echo "no such case" >&2; exit 3 ;;
esac
"#;

/// A folder with the fake verifier and an index of (file, verdict).
fn sandbox(tasks: &[(&str, bool)]) -> Sandbox {
    sandbox_with(FAKE, tasks)
}

fn sandbox_with(verifier: &str, tasks: &[(&str, bool)]) -> Sandbox {
    let mut index = "category\tfile\tproperty\tverdict\tdata_model\tsemantics\n".to_owned();
    for (file, verdict) in tasks {
        let category = file.split('/').next().unwrap();
        index += &format!("{category}\t{file}\tunreach-call\t{verdict}\tILP32\tub\n");
    }
    let sandbox = Sandbox::new().file("fake", verifier).file("index.tsv", index);
    fs::set_permissions(sandbox.path("fake"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox
}

fn bench(sandbox: &Sandbox, args: &[&str]) -> Output {
    let mut all = vec!["bench", "index.tsv", "--verifier", "./fake"];
    all.extend(args);
    sandbox.run(&all)
}

/// A line of rows as TSV without times and memory.
fn untimed(line: &str) -> String {
    let cells: Vec<&str> = line.split('\t').collect();
    assert_eq!(cells.len(), 13, "{line}");
    [&cells[..8], &cells[11..]].concat().join(" | ")
}

/// The table without its last column: times differ.
fn counts(stdout: &str) -> String {
    let table = stdout.lines().take_while(|line| !line.contains(':') && !line.contains("no "));
    table.map(|line| line.rsplit_once("  ").unwrap().0.trim_end().to_owned() + "\n").collect()
}

#[test]
fn every_end_has_its_column() {
    let tasks = [
        ("a/1-proved.c", true),
        ("a/2-refuted.c", false),
        ("a/3-unknown.c", true),
        ("b/4-slow.c", true),
        ("b/5-large.c", true),
        ("b/6-crash.c", true),
        ("b/7-silent.c", true),
        ("b/8-other.c", true),
    ];
    let output = bench(&sandbox(&tasks), &["--timeout", "1", "--memory", "100", "--jobs", "4"]);
    assert_eq!(output.code, 0, "{output:?}");
    expect![[r#"
               tasks  true  false  wrong  unknown  timeout  memory  error  open  score
        a          3     1      1      0        1        0       0      0     0      3
        b          5     0      0      0        0        1       1      3     0      0
        total      8     1      1      0        1        1       1      3     0      3
    "#]]
    .assert_eq(&counts(&output.stdout));
    let told: Vec<&str> = output.stdout.lines().filter(|line| line.contains(':')).collect();
    expect![[r#"
        proofs: 0 of 1 checked
        refutations: 0 of 1 confirmed by execution
        error: b/6-crash.c (unreach-call): ended by signal 11
        error: b/7-silent.c (unreach-call): exit code 0, and nothing is said about unreach-call
        error: b/8-other.c (unreach-call): bad usage or input: no such case"#]]
    .assert_eq(&told.join("\n"));
    assert_eq!(output.stdout.lines().last(), Some("no verdict is wrong"));
    assert!(output.stderr.contains("[8/8] "), "{output:?}");
    // A bar is for terminals.
    assert!(!output.stderr.contains(['\r', '\x1b', '\u{2588}']), "{output:?}");
}

#[test]
fn wrong_verdicts_decide_the_exit_code() {
    let tasks = [("a/1-proved.c", false), ("a/2-refuted.c", true), ("a/3-proved.c", true)];
    let output = bench(&sandbox(&tasks), &[]);
    assert_eq!(output.code, 1);
    let last: Vec<&str> = output.stdout.lines().skip(2).collect();
    expect![[r#"
        proofs: 0 of 2 checked
        refutations: 0 of 1 confirmed by execution
          1 not executed
        WRONG: a/1-proved.c (unreach-call) is false, not true
        WRONG: a/2-refuted.c (unreach-call) is true, not false
        2 VERDICTS ARE WRONG"#]]
    .assert_eq(&last.join("\n"));
}

#[test]
fn processor_time_is_limited_too() {
    let started = Instant::now();
    let limits = ["--timeout", "0.2", "--wall", "600"];
    let output = bench(&sandbox(&[("a/1-busy.c", true)]), &limits);
    assert!(output.stderr.contains("timeout"), "{output:?}");
    assert!(started.elapsed() < Duration::from_secs(300));
}

#[test]
fn flags_are_passed_on() {
    let sandbox = sandbox(&[("a/1-proved.c", true)]).file(
        "wrap.tsv",
        "category\tfile\tproperty\tverdict\tsemantics\na\ta/2-refuted.c\tunreach-call\tfalse\twrap\n",
    );
    let output = bench(&sandbox, &["wrap.tsv", "--jobs", "1", "--", "--engine", "x"]);
    assert_eq!(output.code, 0, "{output:?}");
    let calls = fs::read_to_string(sandbox.path("calls")).unwrap();
    expect![[r#"
        verify --color never --timeout 60 --property unreach-call --data-model ilp32 --volatile memory --engine x a/1-proved.c
        verify --color never --timeout 60 --property unreach-call --signed-overflow wrap --volatile memory --engine x a/2-refuted.c
    "#]].assert_eq(&calls);
}

#[test]
fn a_run_is_gone_on_with() {
    let tasks = [("a/1-proved.c", true), ("a/2-refuted.c", false), ("a/3-unknown.c", true)];
    let sandbox = sandbox(&tasks);
    let args = ["--output", "rows.jsonl", "--jobs", "1"];
    let whole = bench(&sandbox, &args);
    let rows = fs::read_to_string(sandbox.path("rows.jsonl")).unwrap();
    let calls = || fs::read_to_string(sandbox.path("calls")).unwrap().lines().count();
    assert_eq!((whole.code, rows.lines().count(), calls()), (0, 4, 3));

    // Killed in the middle of a row.
    let cut = rows.lines().take(3).collect::<Vec<_>>().join("\n");
    fs::write(sandbox.path("rows.jsonl"), &cut[..cut.len() - 10]).unwrap();
    let again = bench(&sandbox, &args);
    assert_eq!((again.code, counts(&again.stdout)), (0, counts(&whole.stdout)));
    assert_eq!(calls(), 5, "the first row was there");
    assert!(again.stderr.contains("1 tasks are in the results already"), "{again:?}");
    let known = fs::read_to_string(sandbox.path("rows.jsonl")).unwrap();
    assert_eq!(known.lines().next(), rows.lines().next());
    assert_eq!(known.lines().count(), 4);

    let nothing = bench(&sandbox, &args);
    assert_eq!((nothing.stdout, calls()), (again.stdout, 5));
}

#[test]
fn rows_of_other_settings_are_refused() {
    let sandbox = sandbox(&[("a/1-proved.c", true)]);
    assert_eq!(bench(&sandbox, &["--output", "rows.jsonl"]).code, 0);
    for (args, what) in [
        (&["--timeout", "7"][..], "timeout 60, not 7"),
        (&["--wall", "7"], "wall 60, not 7"),
        (&["--memory", "7"], "memory 4294967296, not 7340032"),
        (&["--", "--engine", "x"], "flags , not --engine x"),
    ] {
        let output = bench(&sandbox, &[&["--output", "rows.jsonl"], args].concat());
        assert_eq!(output.code, 3);
        assert!(output.stderr.contains(what), "{output:?}");
    }
    fs::write(sandbox.path("fake"), FAKE.replace("too hard", "harder")).unwrap();
    let output = bench(&sandbox, &["--output", "rows.jsonl"]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.contains("build"), "{output:?}");
    let other = bench(&sandbox, &["--output", "index.tsv"]);
    assert_eq!(other.code, 3);
    assert!(other.stderr.contains("cannot go on from index.tsv"), "{other:?}");
}

/// Ctrl-C: the child dies, the rows stay, the same command goes on.
#[test]
fn an_interrupted_run_leaves_its_rows() {
    let tasks = [("a/1-proved.c", true), ("a/2-slow.c", true), ("a/3-proved.c", true)];
    let sandbox = sandbox(&tasks);
    let folder = sandbox.path("");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"))
        .args(["bench", "index.tsv", "--verifier", "./fake", "--output", "rows.jsonl"])
        .args(["--jobs", "1"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first row is there; the second task sleeps.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("1-proved.c"));
    std::thread::sleep(Duration::from_millis(300));
    let interrupted = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(interrupted.elapsed() < Duration::from_secs(20));
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(rest.iter().any(|line| line.contains("the same command goes on")), "{rest:?}");
    let rows = fs::read_to_string(sandbox.path("rows.jsonl")).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
    let left = Command::new("sh").args(["-c", "ps -ef | grep '[2]-slow.c'"]).output().unwrap();
    let folder = folder.to_str().unwrap();
    assert!(!String::from_utf8_lossy(&left.stdout).contains(folder), "{left:?}");
}

#[test]
fn tasks_from_files_folders_and_lists() {
    let task = |program: &str, verdict: &str| {
        format!(
            "format_version: '2.0'\ninput_files: '{program}'\nproperties:\n  \
             - property_file: unreach.prp\n{verdict}options:\n  language: C\n  data_model: LP64\n"
        )
    };
    let sandbox = sandbox(&[])
        .dir("set")
        .file("set/unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .file("set/x.yml", task("x-proved.c", "    expected_verdict: true\n"))
        .file("set/y.yml", task("y-refuted.c", "    expected_verdict: false\n"))
        .file("set/z.yml", task("z-proved.c", ""))
        .file("pattern.set", "set/[xy].yml\n")
        .file("some.set", "# two of them\nset/x.yml\n\nset/z.yml\n");
    let names = |args: &[&str]| {
        let output = sandbox.run(&[&["bench", "--dry-run"], args].concat());
        assert_eq!(output.code, 0, "{output:?}");
        (output.stdout, output.stderr)
    };
    let left_out = "note: left out: 1 task without an expected verdict\n";
    assert_eq!(names(&["set"]), ("set/x.yml\nset/y.yml\n".into(), left_out.into()));
    assert_eq!(names(&["some.set"]), ("set/x.yml\n".into(), left_out.into()));
    assert_eq!(names(&["set/y.yml"]), ("set/y.yml\n".into(), String::new()));
    let both = "set/x.yml\nset/y.yml\n";
    for pattern in ["set/[xy].yml", "*/[!z].yml", "**/[x-y].*ml", "./set/[xy].yml", "pattern.set"] {
        let (stdout, stderr) = names(&[pattern]);
        assert_eq!((stdout.replace("./", ""), stderr.as_str()), (both.into(), ""), "{pattern}");
    }
    let output = sandbox.run(&["bench", "set", "--verifier", "./fake", "--jobs", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
    expect![[r#"
             tasks  true  false  wrong  unknown  timeout  memory  error  open  score
        set      2     1      1      0        0        0       0      0     0      3
    "#]]
    .assert_eq(&counts(&output.stdout));
}

#[test]
fn bad_usage() {
    let sandbox = sandbox(&[("a/1-proved.c", true)]).file("empty.jsonl", "");
    for (args, message) in [
        (&["bench"][..], "required"),
        (&["bench", "nowhere.tsv"], "cannot read nowhere.tsv"),
        (&["bench", "fake"], "give an index"),
        (&["bench", "set/*.yml"], "nothing is called like set/*.yml"),
        (&["bench", "[/*.yml"], "[/*.yml"),
        (&["bench", "table"], "required"),
        (&["bench", "table", "index.tsv"], "index.tsv is no file of rows"),
        (&["bench", "table", "empty.jsonl"], "it is empty"),
        (&["bench", "diff", "empty.jsonl"], "required"),
        (&["bench", "diff", "nowhere.jsonl", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (&["bench", "diff", "a", "b", "--factor", "0.5"], "not a number that is at least 1"),
        (&["bench", "plot", "empty.jsonl"], "it is empty"),
        (&["bench", "index.tsv", "--group", "everything"], "invalid value"),
        (&["bench", "index.tsv", "--category", "none"], "no task is left"),
        (&["bench", "index.tsv", "--timeout", "0"], "not a number of seconds"),
        (&["bench", "index.tsv", "--verifier", "nobody"], "cannot read"),
    ] {
        let output = sandbox.run(args);
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{output:?}");
        assert!(output.stderr.contains(message), "{output:?}");
    }
}

/// The real verifier: today it knows nothing, and says so.
#[test]
fn this_program_verifies() {
    let sandbox = sandbox(&[("a.c", true)]).file("a.c", "int main(void) { return 0; }\n");
    let output = sandbox.run(&["bench", "index.tsv"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.stdout.contains("error:"), "{output:?}");
}
