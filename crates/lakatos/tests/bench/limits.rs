//! Limits hold for everything that a task starts, and nothing of it stays behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Output, Sandbox};
use crate::{bench, counts, sandbox_with};

/// Does as the file's name says; processes that must die write their numbers to `pids`.
const PARENT: &str = r#"#!/bin/sh
for file; do :; done
here="$(cd "$(dirname "$0")" && pwd)"
busy="echo \$\$ >> '$here/pids'; while :; do :; done"
idle="echo \$\$ >> '$here/pids'; exec sleep 600"
full="echo \$\$ >> '$here/pids'; (head -c 60000000 /dev/zero; sleep 600) | tail"
case "$file" in
    *children.c) sh -c "$busy" & sh -c "$busy" & wait ;;
    *session.c) setsid sh -c "$busy" & sleep 600 ;;
    *orphan.c) (setsid sh -c "$busy" &) ; sleep 600 ;;
    *short.c) while :; do sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done'; done ;;
    *memory.c) sh -c "$full" & sh -c "$full" & wait ;;
    *shared.c) x=$(head -c 10000000 /dev/zero | tr '\0' x)
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do (sleep 1; echo "${#x}") & done; wait ;;
    *leaver.c) (setsid sh -c "$idle" &); until [ -s "$here/pids" ]; do sleep 0.01; done ;;
    *stubborn.c) trap '' TERM INT HUP; sh -c "trap '' TERM; $idle" & wait ;;
esac
echo "unreach-call: proved"
"#;

fn parent(task: &str) -> Sandbox {
    sandbox_with(PARENT, &[(task, true)])
}

/// Every process that wrote its number has ended.
#[track_caller]
fn nothing_is_left(sandbox: &Sandbox) {
    let pids = fs::read_to_string(sandbox.path("pids")).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(60);
    for pid in pids.lines() {
        while Path::new("/proc").join(pid).exists() {
            assert!(Instant::now() < deadline, "{pid} is still there");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[track_caller]
fn check(task: &str, limits: &[&str], column: &str) -> Output {
    let sandbox = parent(task);
    let output = bench(&sandbox, limits);
    assert!(output.stderr.contains(&format!(" {column} ")), "{output:?}");
    nothing_is_left(&sandbox);
    output
}

const LITTLE_CPU: [&str; 4] = ["--timeout", "0.2", "--wall", "600"];

#[test]
fn children_use_the_processor_time_of_the_task() {
    check("a/children.c", &LITTLE_CPU, "timeout");
}

#[test]
fn a_session_of_its_own_is_no_way_out() {
    check("a/session.c", &LITTLE_CPU, "timeout");
}

#[test]
fn a_process_without_a_parent_is_still_ours() {
    check("a/orphan.c", &LITTLE_CPU, "timeout");
}

#[test]
fn many_short_processes_add_up() {
    check("a/short.c", &LITTLE_CPU, "timeout");
}

/// Each of them alone would be allowed.
#[test]
fn memory_is_that_of_all_processes_together() {
    check("a/memory.c", &["--timeout", "600", "--memory", "100"], "memory");
}

/// A dozen copies of a process that share what they do not change.
#[test]
fn memory_that_processes_share_counts_once() {
    let sandbox = parent("a/shared.c");
    let output = bench(&sandbox, &["--memory", "90", "-o", "rows.jsonl"]);
    assert!(output.stderr.contains("correct"), "{output:?}");
    // Otherwise this shows nothing.
    let rows = fs::read_to_string(sandbox.path("rows.jsonl")).unwrap();
    let row: serde_json::Value = serde_json::from_str(rows.lines().nth(1).unwrap()).unwrap();
    assert!(row["memory"].as_u64().unwrap() > 90 << 20, "{row}");
}

#[test]
fn time_on_the_clock_ends_what_does_not_want_to_end() {
    check("a/stubborn.c", &["--timeout", "600", "--wall", "0.3"], "timeout");
}

/// It holds the output open, and is not waited for.
#[test]
fn what_outlives_its_task_is_ended() {
    let output = check("a/leaver.c", &[], "correct");
    assert_eq!(output.code, 0);
    assert!(counts(&output.stdout).contains("a      1     1 "), "{output:?}");
}

/// When nobody waits for a verdict any more, nobody looks for one.
#[test]
fn a_killed_run_takes_its_tasks_with_it() {
    let sandbox = parent("a/stubborn.c");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"))
        .args(["bench", "index.tsv", "--verifier", "./fake"])
        .current_dir(sandbox.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !fs::read_to_string(sandbox.path("pids")).is_ok_and(|pids| pids.contains("\n")) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    nothing_is_left(&sandbox);
}
