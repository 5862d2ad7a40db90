//! Other tools beside Lakatos, and what is done with their rows.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;

use crate::support::Sandbox;
use crate::{bench, counts, sandbox, untimed};

/// Takes its time to come to the point, as others do.
const OTHER: &str = r#"#!/bin/sh
for file; do :; done
echo "$@" >> "$(dirname "$0")/other-calls"
echo "checking $file"
case "$file" in
    *proved.c) echo "VERIFICATION SUCCESSFUL" ;;
    *refuted.c) echo "** 1 of 3 failed"; echo "VERIFICATION FAILED"; exit 10 ;;
    *crash.c) kill -SEGV $$ ;;
    *slow.c) sleep 600 ;;
    *) echo "do not know" >&2; exit 6 ;;
esac
"#;

const SAYS: [&str; 4] =
    ["--says", "^VERIFICATION SUCCESSFUL$=true", "--says", "VERIFICATION FAILED=false"];

fn with_other(tasks: &[(&str, bool)]) -> Sandbox {
    let sandbox = sandbox(tasks).file("other", OTHER);
    fs::set_permissions(sandbox.path("other"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox
}

const TASKS: [(&str, bool); 5] = [
    ("a/1-proved.c", true),
    ("a/2-refuted.c", true),
    ("b/3-unknown.c", true),
    ("b/4-crash.c", true),
    ("b/5-slow.c", true),
];

fn run(sandbox: &Sandbox, more: &[&str]) -> crate::support::Output {
    let tool = ["--tool", "./other --{bits} -m {data_model} '{property} of' {timeout} {file}"];
    let limits = ["--timeout", "1", "--jobs", "1", "-o", "rows.jsonl"];
    bench(sandbox, &[&limits[..], &tool, &SAYS, more].concat())
}

#[test]
fn peers_are_measured_beside() {
    let sandbox = with_other(&TASKS);
    let output = run(&sandbox, &[]);
    assert_eq!(output.code, 1, "{output:?}");
    expect![[r#"
                        tasks  true  false  wrong  unknown  timeout  memory  error  open  score
        a      lakatos      2     1      0      1        0        0       0      0     0    -14
               other        2     1      0      1        0        0       0      0     0    -14
        b      lakatos      3     0      0      0        1        1       0      1     0      0
               other        3     0      0      0        1        1       0      1     0      0
        total  lakatos      5     1      0      1        1        1       0      1     0    -14
               other        5     1      0      1        1        1       0      1     0    -14
    "#]]
    .assert_eq(&counts(&output.stdout));
    let told: Vec<&str> = output.stdout.lines().skip(7).collect();
    expect![[r#"
        proofs: 0 of 1 checked
        refutations: 0 of 1 confirmed by execution
          1 not executed
        error: lakatos: b/4-crash.c (unreach-call): ended by signal 11
        error: other: b/4-crash.c (unreach-call): ended by signal 11
        WRONG: lakatos: a/2-refuted.c (unreach-call) is true, not false
        WRONG: other: a/2-refuted.c (unreach-call) is true, not false
        2 VERDICTS ARE WRONG"#]]
    .assert_eq(&told.join("\n"));
    let calls = fs::read_to_string(sandbox.path("other-calls")).unwrap();
    expect![[r#"
        --32 -m ILP32 unreach-call of 1 a/1-proved.c
        --32 -m ILP32 unreach-call of 1 a/2-refuted.c
        --32 -m ILP32 unreach-call of 1 b/3-unknown.c
        --32 -m ILP32 unreach-call of 1 b/4-crash.c
        --32 -m ILP32 unreach-call of 1 b/5-slow.c
    "#]]
    .assert_eq(&calls);

    // Nothing is run again; other tools or other words would be another run.
    let again = run(&sandbox, &[]);
    assert_eq!(again.stdout, output.stdout);
    assert_eq!(fs::read_to_string(sandbox.path("other-calls")).unwrap(), calls);
    let other = run(&sandbox, &["--says", "x=unknown"]);
    assert_eq!(other.code, 3, "{other:?}");
    assert!(other.stderr.contains("made with other settings: tools"), "{other:?}");

    rows_for_others(&sandbox);
    everything_as_json(&sandbox);
    files_side_by_side(&sandbox);
    plots(&sandbox);
}

fn everything_as_json(sandbox: &Sandbox) {
    let output = sandbox.run(&["bench", "table", "rows.jsonl", "--format", "json"]);
    assert_eq!(output.code, 1, "{output:?}");
    let all: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(all["schema"], "lakatos-bench/1");
    assert_eq!(all["lines"].as_array().unwrap().len(), 4);
    let [lakatos, other] = &all["runs"].as_array().unwrap()[..] else { panic!("{all}") };
    assert_eq!((&lakatos["name"], &other["name"]), (&"lakatos".into(), &"other".into()));
    assert_eq!(lakatos["total"]["score"], -14);
    assert_eq!(lakatos["evidence"]["proofs"], 1);
    assert!(other["evidence"].is_null());
    assert_eq!(other["settings"]["tools"][0]["says"][0], "^VERIFICATION SUCCESSFUL$=true");
    let rows = other["rows"].as_array().unwrap();
    let scores: Vec<i64> = rows.iter().map(|row| row["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, [2, -16, 0, 0, 0]);
    assert_eq!((&rows[1]["answer"], &rows[1]["right"]), (&"false".into(), &false.into()));
}

/// Each run has a name of its own.
fn files_side_by_side(sandbox: &Sandbox) {
    fs::copy(sandbox.path("rows.jsonl"), sandbox.path("copy.jsonl")).unwrap();
    let names = |files: &[&str]| {
        let args = [&["bench", "table", "--format", "tsv"], files].concat();
        let output = sandbox.run(&args);
        let mut names: Vec<String> = Vec::new();
        for line in output.stdout.lines().skip(1) {
            let name = line.split('\t').next().unwrap();
            if names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names
    };
    assert_eq!(names(&["rows.jsonl"]), ["lakatos", "other"]);
    let both = ["rows: lakatos", "rows: other", "copy: lakatos", "copy: other"];
    assert_eq!(names(&["rows.jsonl", "copy.jsonl"]), both);
    let same = ["rows.jsonl: lakatos", "rows.jsonl: other", "./rows.jsonl: lakatos"];
    assert_eq!(names(&["rows.jsonl", "./rows.jsonl"])[..3], same);
}

fn rows_for_others(sandbox: &Sandbox) {
    let table = sandbox.run(&["bench", "table", "rows.jsonl", "--format", "tsv"]);
    let lines: String = table.stdout.lines().map(|line| untimed(line) + "\n").collect();
    expect![[r#"
        run | task | category | property | expected | answer | right | score | reason | said
        lakatos | a/1-proved.c | a | unreach-call | true | true | true | 2 |  | proved
        lakatos | a/2-refuted.c | a | unreach-call | true | false | false | -16 |  | refuted
        lakatos | b/3-unknown.c | b | unreach-call | true | unknown |  | 0 | too hard | unknown: too hard
        lakatos | b/4-crash.c | b | unreach-call | true | error |  | 0 | ended by signal 11 | 
        lakatos | b/5-slow.c | b | unreach-call | true | timeout |  | 0 | killed | 
        other | a/1-proved.c | a | unreach-call | true | true | true | 2 |  | VERIFICATION SUCCESSFUL
        other | a/2-refuted.c | a | unreach-call | true | false | false | -16 |  | VERIFICATION FAILED
        other | b/3-unknown.c | b | unreach-call | true | unknown |  | 0 | nothing that it says is known: do not know | do not know
        other | b/4-crash.c | b | unreach-call | true | error |  | 0 | ended by signal 11 | 
        other | b/5-slow.c | b | unreach-call | true | timeout |  | 0 | killed | 
    "#]].assert_eq(&lines);
    let diff = ["bench", "diff", "rows.jsonl", "rows.jsonl"];
    let unclear = sandbox.run(&diff);
    assert_eq!(unclear.code, 3);
    assert!(unclear.stderr.contains("several tools (lakatos, other)"), "{unclear:?}");
    let tools = [&diff[..], &["--tool", "lakatos", "--tool", "other", "--format", "json"]].concat();
    let diff = sandbox.run(&tools);
    assert_eq!(diff.code, 1, "{diff:?}");
    let diff: serde_json::Value = serde_json::from_str(&diff.stdout).unwrap();
    assert_eq!(diff["common"], 5);
    assert_eq!(diff["wrong_after"][0]["task"], "a/2-refuted.c");
    assert_eq!(diff["before"]["run"], "lakatos");
}

fn plots(sandbox: &Sandbox) {
    for by in ["tasks", "score"] {
        let output = sandbox.run(&["bench", "plot", "rows.jsonl", "--by", by, "-o", "plot.svg"]);
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""));
        let svg = fs::read_to_string(sandbox.path("plot.svg")).unwrap();
        for words in ["<svg", ">lakatos<", ">other<", "1 of 5 correct, 1 WRONG, score -14"] {
            assert!(svg.contains(words), "{words}");
        }
    }
    let names = ["--name", "x", "--name", "y", "--name", "z"];
    let output = sandbox.run(&[&["bench", "plot", "rows.jsonl"][..], &names].concat());
    assert_eq!(output.code, 3, "{output:?}");
}

#[test]
fn tools_alone() {
    let sandbox = with_other(&[("a/1-proved.c", true)]);
    let output = run(&sandbox, &["--only-tools", "--tool", "./other {file}", "--tool-name", "2nd"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("say what its output means with --says"), "{output:?}");
    let second = ["--tool", "./other {prp} {file}", "--tool-name", "2nd", "--says", "do not=error"];
    let output = run(&sandbox, &[&["--only-tools"], &second[..]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    expect![[r#"
                  tasks  true  false  wrong  unknown  timeout  memory  error  open  score
        a  other      1     1      0      0        0        0       0      0     0      2
           2nd        1     0      0      0        1        0       0      0     0      0
    "#]]
    .assert_eq(&counts(&output.stdout));
    assert!(!sandbox.path("calls").exists());
    let calls = fs::read_to_string(sandbox.path("other-calls")).unwrap();
    assert!(calls.lines().nth(1).unwrap().ends_with("reach_error.prp a/1-proved.c"), "{calls}");
}

#[test]
fn bad_tools() {
    let sandbox = with_other(&[("a/1-proved.c", true)]);
    let ok = ["--says", "OK=true"];
    for (args, message) in [
        (&["--tool", "./other"][..], "write {file} for it"),
        (&["--tool", "./other {file} {unit}"], "there is no placeholder {unit}"),
        (&["--tool", "no-such-tool {file}"], "there is no program `no-such-tool` in PATH"),
        (&["--tool", "./nowhere {file}"], "cannot read ./nowhere"),
        (&["--tool", "./index.tsv {file}"], "cannot run index.tsv on a/1-proved.c: ./index.tsv"),
        (&["--tool", "./other {file}", "--tool-name", "lakatos"], "two tools are called lakatos"),
        (&["--only-tools"], "--says must come after"),
    ] {
        let output = bench(&sandbox, &[args, &ok].concat());
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{output:?}");
        assert!(output.stderr.contains(message), "{output:?}");
    }
    let output = bench(&sandbox, &["--only-tools"]);
    assert!(output.stderr.contains("there is nothing to run"), "{output:?}");
}
