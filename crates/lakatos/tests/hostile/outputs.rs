//! Every file that a command writes, in every place where it cannot be written, or should not.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::folder::{Folder, OLD, is_root};
use crate::{Line, expect, marked, with};

/// Every output of every command: its exit code, whether the file may be `-`, and the command.
const OUTPUTS: [(i32, bool, Line<'static>); 20] = [
    (0, true, &["verify", "a.c", "--json", "@out.json"]),
    (1, false, &["verify", "b.c", "--sarif", "@out.sarif"]),
    (0, false, &["verify", "a.c", "--junit", "@out.xml"]),
    (1, false, &["verify", "b.c", "--report", "@out.html"]),
    (0, false, &["verify", "a.c", "--report", "@out.html", "--engine", "cegar"]),
    (0, false, &["verify", "a.c", "--witness", "@out.yml"]),
    (1, false, &["verify", "b.c", "--witness", "@out.yml"]),
    (1, false, &["verify", "b.c", "--harness", "@out.c"]),
    (0, true, &["contracts", "a.c", "-o", "@out.c"]),
    (0, true, &["contracts", "a.c", "--json", "-o", "@out.json"]),
    (0, true, &["contracts", "a.c", "--diff", "-o", "@out.diff"]),
    (0, true, &["contracts", "merge", "c.json", "-o", "@out.json"]),
    (0, true, &["contracts", "merge", "c.json", "--acsl", "-o", "@out.acsl"]),
    (0, true, &["cfa", "a.c", "-o", "@out.svg"]),
    (0, true, &["cfa", "a.c", "-o", "@out.json", "--format", "json"]),
    (0, true, &["arg", "a.c", "-o", "@out.svg"]),
    (0, true, &["arg", "a.c", "-o", "@out.dot"]),
    (0, true, &["horn", "a.c", "-o", "@out.smt2"]),
    (0, true, &["bench", "plot", "rows.jsonl", "-o", "@out.svg"]),
    (0, false, &["bench", "index.tsv", "-o", "@out.jsonl"]),
];

/// Refused before the work, with words about it; `name` makes the output's name of what it should be.
fn refused(name: impl Fn(&Folder, &str) -> String, words: &[&str]) {
    for (_, _, line) in OUTPUTS {
        let folder = Folder::new();
        let output = name(&folder, marked(line));
        let run = folder.run(&with(line, &output));
        expect(&run, 3, &[&[output.as_str()], words].concat());
        assert_eq!(run.stdout, "", "{run:?}");
    }
}

#[test]
fn a_directory() {
    let directory = |folder: &Folder, name: &str| {
        fs::create_dir(folder.path(name)).unwrap();
        name.to_owned()
    };
    refused(directory, &["it is a directory"]);
}

#[test]
fn no_folder() {
    refused(|_, name| format!("no/such/{name}"), &["there is no folder no/such; make it first"]);
}

#[test]
fn a_file_in_place_of_the_folder() {
    refused(|_, name| format!("a.c/{name}"), &["a.c is not a folder"]);
}

#[test]
fn a_read_only_folder() {
    if is_root("folders that may not be written to") {
        return;
    }
    let locked = |folder: &Folder, name: &str| {
        fs::create_dir(folder.path("locked")).unwrap();
        fs::set_permissions(folder.path("locked"), Permissions::from_mode(0o555)).unwrap();
        format!("locked/{name}")
    };
    refused(locked, &["nothing may be written in locked; choose another folder"]);
}

/// What is read is not overwritten, by whatever name: `Folder` sees that nothing has changed.
#[test]
fn an_input() {
    for (_, _, line) in OUTPUTS {
        let input = line.iter().find(|arg| arg.contains('.') && !arg.starts_with('@')).unwrap();
        let folder = Folder::new();
        symlink(input, folder.path("link")).unwrap();
        for name in [(*input).to_owned(), format!("./{input}"), "link".to_owned()] {
            expect(&folder.run(&with(line, &name)), 3, &[&name]);
        }
    }
}

/// Files of other people are not rows to go on from.
#[test]
fn rows_are_added_to_rows_only() {
    for bytes in [&b"precious, without an end of line"[..], b"precious\n", b"{}\n", b"\0", b"\n"] {
        let mut folder = Folder::new();
        folder.put("mine", bytes);
        let run = folder.run(&["bench", "index.tsv", "-o", "mine"]);
        expect(&run, 3, &["cannot go on from mine"]);
    }
    for device in ["/dev/full", "/dev/zero"] {
        let run = Folder::new().run(&["bench", "index.tsv", "-o", device]);
        expect(&run, 3, &[device, "this is no file"]);
    }
    // The beginning of a run that was killed at once is nobody's.
    let mut folder = Folder::new();
    let rows = folder.text("rows.jsonl").unwrap();
    folder.remove("rows.jsonl");
    for length in [0, 1, 30, rows.find('\n').unwrap() + 20] {
        folder.put_output("rows.jsonl", &rows.as_bytes()[..length]);
        expect(&folder.run(&["bench", "index.tsv", "-o", "rows.jsonl"]), 0, &[]);
        assert_eq!(folder.text("rows.jsonl").unwrap().lines().count(), 3);
    }
}

/// `-` is standard output, or refused; never a file of that name.
#[test]
fn a_dash() {
    for (code, possible, line) in OUTPUTS {
        let run = Folder::new().run(&with(line, "-"));
        match possible {
            true => {
                expect(&run, code, &[]);
                assert!(run.stdout.ends_with('\n'), "{run:?}");
            }
            false => expect(&run, 3, &["standard output", "Give a file"]),
        }
    }
}

/// A verdict is told even if nothing can be written of it.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let files = OUTPUTS.iter().filter(|(_, _, line)| line[1] != "index.tsv");
    for (_, _, line) in files {
        let run = Folder::new().run(&with(line, "/dev/full"));
        expect(&run, 3, &["cannot write /dev/full", "no room left"]);
        if line[0] == "verify" {
            let word = if line[1] == "a.c" { ": proved" } else { ": refuted" };
            assert!(run.stdout.contains(word), "{run:?}");
        }
    }
}

/// What is there is replaced as a whole; a link stays one, and what it leads to is replaced.
#[test]
fn something_old() {
    for (code, _, line) in OUTPUTS.iter().filter(|(_, _, line)| line[1] != "index.tsv") {
        let folder = Folder::new();
        let name = marked(line);
        folder.put_output(name, OLD.as_bytes());
        let link = format!("link-{name}");
        symlink(name, folder.path(&link)).unwrap();
        let run = folder.run(&with(line, &link));
        expect(&run, *code, &[]);
        assert!(fs::symlink_metadata(folder.path(&link)).unwrap().is_symlink());
        assert_ne!(folder.text(name).as_deref(), Some(OLD), "{run:?}");
    }
}

/// Contracts in place: as a whole, or refused without a change.
#[test]
fn in_place() {
    let mut folder = Folder::new();
    folder.remove("a.c");
    folder.put_output("a.c", crate::folder::SAFE.as_bytes());
    expect(&folder.run(&["contracts", "a.c", "--in-place"]), 0, &["proved"]);
    let text = folder.text("a.c").unwrap();
    assert!(text.contains("loop invariant") && text.contains("int half(int n)"), "{text}");
    expect(&Folder::new().run(&["contracts", "b.c", "--in-place"]), 1, &["refuted"]);
    expect(&Folder::new().run(&["contracts", "slow.c", "--in-place", "--timeout", "0"]), 2, &[]);
}

/// One output fails, the others are written all the same.
#[test]
#[cfg(target_os = "linux")]
fn others_are_written() {
    let flags = ["--json", "--sarif", "--junit", "--report", "--witness", "--harness"];
    let names = ["o.json", "o.sarif", "o.xml", "o.html", "o.yml", "o.c"];
    for full in 0..flags.len() {
        let mut args = vec!["verify", "b.c"];
        for (at, (flag, name)) in flags.into_iter().zip(names).enumerate() {
            args.extend([flag, if at == full { "/dev/full" } else { name }]);
        }
        let folder = Folder::new();
        let run = folder.run(&args);
        expect(&run, 3, &["cannot write /dev/full"]);
        assert!(run.stdout.contains("unreach-call: refuted"), "{run:?}");
        for (at, name) in names.into_iter().enumerate() {
            assert_eq!(folder.text(name).is_some(), at != full, "{name}: {run:?}");
        }
    }
}
