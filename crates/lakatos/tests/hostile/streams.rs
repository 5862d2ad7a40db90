//! Standard output and standard error that nobody reads, or that are full.

use std::fs::OpenOptions;
use std::io;
use std::process::{Command, Stdio};

use crate::folder::Folder;
use crate::{Line, expect};

/// Every command that prints.
const COMMANDS: [Line<'static>; 20] = [
    &["verify", "a.c"],
    &["verify", "b.c", "--property", "all", "--stats", "--explain"],
    &["verify", "b.c", "--json", "-"],
    &["verify", "b.c", "--svcomp"],
    &["verify", "b.c", "--github"],
    &["verify", "a.c", "--modular"],
    &["run", "b.c", "--inputs", "7"],
    &["cfa", "a.c"],
    &["arg", "a.c"],
    &["horn", "a.c"],
    &["solve", "h.smt2"],
    &["check", "a.c", "--witness", "w.yml"],
    &["contracts", "a.c"],
    &["contracts", "merge", "c.json"],
    &["lemmas", "l.acsl"],
    &["bench", "index.tsv"],
    &["bench", "table", "rows.jsonl"],
    &["bench", "plot", "rows.jsonl"],
    &["completions", "bash"],
    &["help", "verify"],
];

/// A pipe that nobody reads from.
fn closed() -> Stdio {
    let (reader, writer) = io::pipe().expect("pipes can be made");
    drop(reader);
    writer.into()
}

#[cfg(target_os = "linux")]
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has it").into()
}

fn each(check: impl Fn(&Folder, Command, &[&str])) {
    for args in COMMANDS {
        let folder = Folder::new();
        check(&folder, folder.command(args), args);
    }
}

/// The reader of results has gone: nobody is left to tell.
#[test]
fn closed_output() {
    each(|folder, mut command, args| {
        command.stdout(closed());
        let run = folder.finish(command, args);
        expect(&run, 2, &[]);
        assert!(!run.stderr.contains("error"), "{run:?}");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn full_output() {
    each(|folder, mut command, args| {
        command.stdout(full());
        expect(&folder.finish(command, args), 3, &["cannot write to standard output"]);
    });
}

/// What is said beside the result is lost, and nothing else.
#[test]
fn closed_errors() {
    each(|folder, mut command, args| {
        command.stderr(closed());
        let (heard, unheard) = (folder.run(args), folder.finish(command, args));
        assert_eq!(heard.code, unheard.code, "{heard:?} {unheard:?}");
        assert_eq!(heard.stdout.lines().count(), unheard.stdout.lines().count(), "{heard:?}");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn full_errors() {
    each(|folder, mut command, args| {
        command.stderr(full());
        let heard = folder.run(args);
        assert_eq!(heard.code, folder.finish(command, args).code, "{heard:?}");
    });
}

#[test]
fn errors_that_nobody_reads() {
    for (code, args) in [
        (3, &["verify", "absent.c"][..]),
        (3, &["verify"]),
        (3, &["nonsense"]),
        (2, &["contracts", "slow.c", "--timeout", "0"]),
        (1, &["contracts", "b.c"]),
    ] {
        let folder = Folder::new();
        for both in [true, false] {
            let mut command = folder.command(args);
            command.stderr(closed());
            if both {
                command.stdout(closed());
            }
            expect(&folder.finish(command, args), code, &[]);
        }
    }
}

/// Files are written whether or not anybody reads the text.
#[test]
fn files_of_a_run_that_nobody_reads() {
    for (flag, name) in [("--report", "o.html"), ("--sarif", "o.sarif"), ("--witness", "o.yml")] {
        for (code, file) in [(0, "a.c"), (1, "b.c")] {
            let folder = Folder::new();
            let args = ["verify", file, flag, name];
            let mut command = folder.command(&args);
            command.stdout(closed()).stderr(closed());
            expect(&folder.finish(command, &args), code, &[]);
            assert!(folder.text(name).is_some(), "{name}");
        }
    }
}
