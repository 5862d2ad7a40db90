//! Signals at any time: a run ends by the signal, or with what it knows. Files are there as a
//! whole, or as they were.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::Line;
use crate::folder::{Folder, OLD, Run};

/// Commands that do not end by themselves soon, and a file that each writes.
const COMMANDS: [Line<'static>; 8] = [
    &["verify", "slow.c", "--engine", "bam", "--json", "@out.json", "--report", "more.html"],
    &["verify", "slow.c", "--sarif", "@out.sarif", "--junit", "more.xml", "--witness", "more.yml"],
    &["verify", "slow.c", "--engine", "bmc", "--harness", "@out.c"],
    &["contracts", "slow.c", "--from", "cegar", "-o", "@out.c"],
    &["arg", "slow.c", "-o", "@out.dot"],
    &["solve", "slow.smt2"],
    &["bench", "slow.tsv", "--timeout", "30", "-o", "@out.jsonl"],
    &["run", "loop.c", "--steps", "100000000000"],
];

/// In milliseconds: before anything has begun, and in the midst of it.
const TIMES: [u64; 4] = [0, 4, 25, 150];

fn check(signal: Signal, commands: &[Line<'_>]) {
    for line in commands {
        for time in TIMES {
            let mut folder = Folder::new();
            folder.put("loop.c", b"int main(void) { for (;;) ; return 0; }\n");
            let index = "category\tfile\tproperty\tverdict\nx\tslow.c\tunreach-call\ttrue\n";
            folder.put("slow.tsv", index.as_bytes());
            if line.contains(&"slow.smt2") {
                let run = folder.run(&["horn", "slow.c", "-o", "slow.smt2"]);
                assert_eq!(run.code, Some(0), "{run:?}");
            }
            let run = interrupted(&folder, line, signal, time);
            folder.look(&run);
            match (run.code, run.signal) {
                (None, Some(number)) => assert_eq!(number, signal.as_raw(), "{run:?}"),
                (code, _) => assert_eq!(code, Some(2), "{run:?}"),
            }
        }
    }
}

/// Started, told to end after a while, and waited for.
fn interrupted(folder: &Folder, line: Line<'_>, signal: Signal, time: u64) -> Run {
    let output = line.iter().find_map(|arg| arg.strip_prefix('@'));
    if let Some(name) = output.filter(|name| !name.ends_with("jsonl")) {
        folder.put_output(name, OLD.as_bytes());
    }
    let args: Vec<&str> = line.iter().map(|arg| arg.trim_start_matches('@')).collect();
    let mut command = folder.command(&args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(time));
    // It is ours until it is waited for, even if it has ended.
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    Run::new(&args, output.status, &output.stdout, &output.stderr)
}

#[test]
fn terminated() {
    check(Signal::TERM, &COMMANDS);
}

#[test]
fn interrupted_by_the_user() {
    check(Signal::INT, &COMMANDS);
}

/// A signal that is ignored where the tests run, as under `nohup`, is ignored by what they start.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn hung_up() {
    if !is_ignored(Signal::HUP) {
        check(Signal::HUP, &COMMANDS[..2]);
    }
}
