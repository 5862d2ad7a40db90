//! A run that was killed half-way and gone on with gives the table of one that was not.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::Sandbox;
use crate::{bench, counts, sandbox_with, untimed};

/// Some tasks wait until there is a file `go`.
const WAITING: &str = r#"#!/bin/sh
for file; do :; done
here="$(dirname "$0")"
case "$file" in *wait*) until [ -e "$here/go" ]; do sleep 0.02; done ;; esac
case "$file" in
    *proved.c) echo "unreach-call: proved (checked)"; exit 0 ;;
    *refuted.c) echo "unreach-call: refuted: it fails"; exit 1 ;;
    *rejected.c) echo "unreach-call: unknown: the proof was rejected: no reason"; exit 2 ;;
    *) exit 3 ;;
esac
"#;

/// The rows without times and memory.
fn timeless(sandbox: &Sandbox, rows: &str) -> Vec<String> {
    let output = sandbox.run(&["bench", "table", rows, "--format", "tsv"]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""), "{output:?}");
    output.stdout.lines().map(untimed).collect()
}

#[test]
fn killed_half_way_and_gone_on_with() {
    let tasks = [
        ("a/1-proved.c", true),
        ("a/2-refuted.c", false),
        ("b/3-rejected.c", true),
        ("b/4-wait-proved.c", true),
        ("b/5-wait-refuted.c", true),
        ("c/6-proved.c", true),
        ("c/7-crash.c", true),
    ];
    let sandbox = sandbox_with(WAITING, &tasks);
    let args = ["--output", "rows.jsonl", "--jobs", "2"];
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"))
        .args(["bench", "index.tsv", "--verifier", "./fake"])
        .args(args)
        .current_dir(sandbox.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The settings and three rows; the fourth and the fifth task wait for ever.
    let rows = || fs::read_to_string(sandbox.path("rows.jsonl")).unwrap_or_default();
    while rows().lines().count() < 4 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = bench(&sandbox, &args);
    assert_eq!(second.code, 3);
    assert!(second.stderr.contains("another run writes to rows.jsonl"), "{second:?}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(rows().lines().count(), 4);
    let mut file = OpenOptions::new().append(true).open(sandbox.path("rows.jsonl")).unwrap();
    file.write_all(br#"{"tool":"lakatos","task":"b/4-wa"#).unwrap();
    drop(file);

    // The half row is no row, and no harm.
    let half = sandbox.run(&["bench", "table", "rows.jsonl"]);
    assert_eq!(half.code, 0, "{half:?}");
    assert!(half.stdout.contains("proofs: 1 of 1 checked"), "{half:?}");

    let sandbox = sandbox.file("go", "");
    let resumed = bench(&sandbox, &args);
    assert!(resumed.stderr.contains("3 tasks are in the results already"), "{resumed:?}");
    let whole = bench(&sandbox, &["--output", "whole.jsonl"]);
    assert_eq!((resumed.code, whole.code), (1, 1));
    assert_eq!(counts(&resumed.stdout), counts(&whole.stdout));
    let below = |text: &str| text.lines().skip(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(below(&resumed.stdout), below(&whole.stdout));
    assert_eq!(timeless(&sandbox, "rows.jsonl"), timeless(&sandbox, "whole.jsonl"));
    let diff = sandbox.run(&["bench", "diff", "rows.jsonl", "whole.jsonl"]);
    assert!(diff.stdout.contains("7 tasks in both"), "{diff:?}");
    assert!(diff.stdout.contains("0 newly solved, 0 lost, 1 wrong"), "{diff:?}");
}
