//! Every file that a command reads, in every way in which it can be unusable.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::folder::{Folder, Run, is_root};
use crate::{Line, expect, marked, with};

/// Every command with every file that it reads.
const COMMANDS: [Line<'static>; 22] = [
    &["verify", "@a.c"],
    &["verify", "@a.c", "--json", "out.json", "--report", "out.html"],
    &["verify", "@a.c", "--modular"],
    &["verify", "@task.yml"],
    &["verify", "a.c", "--property", "@p.prp"],
    &["verify", "a.c", "--reuse", "@c.json"],
    &["run", "@a.c"],
    &["cfa", "@a.c", "-o", "out.svg"],
    &["arg", "@a.c", "-o", "out.dot"],
    &["horn", "@a.c", "-o", "out.smt2"],
    &["check", "@a.c", "--witness", "w.yml"],
    &["check", "a.c", "--witness", "@w.yml"],
    &["contracts", "@a.c", "--json", "-o", "out.json"],
    &["contracts", "a.c", "--from", "witness", "--witness", "@w.yml"],
    &["contracts", "merge", "c.json", "@c.json", "-o", "out.json"],
    &["contracts", "recheck", "c.json", "@c.json"],
    &["lemmas", "@l.acsl"],
    &["solve", "@h.smt2"],
    &["bench", "@index.tsv"],
    &["bench", "table", "@rows.jsonl"],
    &["bench", "diff", "rows.jsonl", "@rows.jsonl"],
    &["bench", "plot", "@rows.jsonl", "-o", "out.svg"],
];

/// Runs all commands with a file that `spoil` makes of the name `bad.…`.
fn check(spoil: impl Fn(&mut Folder, &str)) {
    for line in COMMANDS {
        let ending = marked(line).split_once('.').expect("names have endings").1;
        let bad = format!("bad.{ending}");
        let mut folder = Folder::new();
        spoil(&mut folder, &bad);
        let run = folder.run(&with(line, &bad));
        expect(&run, 3, &[&bad]);
        assert_eq!(run.stdout, "", "{run:?}");
        assert!(run.stderr.starts_with("error"), "{run:?}");
        // Of a program with errors there is a report, which says so.
        for output in ["out.svg", "out.dot", "out.smt2"] {
            assert_eq!(folder.text(output), None, "{run:?}");
        }
    }
}

#[test]
fn missing() {
    check(|_, _| {});
}

#[test]
fn a_directory() {
    check(|folder, name| fs::create_dir(folder.path(name)).unwrap());
}

/// `check` holds every command to naming the file; here it is only looked for in vain.
#[test]
fn a_folder_without_tasks() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).unwrap();
    expect(&folder.run(&["bench", "empty"]), 3, &["empty"]);
}

#[test]
fn empty() {
    check(|folder, name| folder.put(name, b""));
}

#[test]
fn binary() {
    check(|folder, name| folder.put(name, b"\x7fELF\x02\x01\x01\0\0\0\0\xff\xfe\n\0\0"));
}

#[test]
fn not_utf8() {
    check(|folder, name| folder.put(name, b"char *s = \"caf\xe9\"; \xff\xfe\n"));
}

/// Words, but no program, witness, rows, …
#[test]
fn something_else() {
    check(|folder, name| folder.put(name, b"Dear reader,\nthis is a letter.\n"));
}

#[test]
fn a_link_to_nothing() {
    check(|folder, name| symlink("nothing", folder.path(name)).unwrap());
}

#[test]
fn a_link_to_itself() {
    check(|folder, name| symlink(name, folder.path(name)).unwrap());
}

#[test]
fn unreadable() {
    if is_root("files that may not be read") {
        return;
    }
    check(|folder, name| {
        fs::write(folder.path(name), "int main(void) { return 0; }\n").unwrap();
        fs::set_permissions(folder.path(name), Permissions::from_mode(0o000)).unwrap();
    });
}

/// Text without end: one line of megabytes, and nesting that no stack holds.
#[test]
fn enormous() {
    let nested = format!("int x = {}1{};\n", "(".repeat(200_000), ")".repeat(200_000));
    let line = "a".repeat(4 << 20);
    check(|folder, name| folder.put(name, nested.as_bytes()));
    check(|folder, name| folder.put(name, line.as_bytes()));
}

/// Programs that no engine gets to see: what is wrong is said with its place.
#[test]
fn programs() {
    let check = |program: &str, code: i32, words: &[&str]| {
        for command in ["verify", "run", "cfa", "arg", "horn", "contracts"] {
            let mut folder = Folder::new();
            folder.put("bad.c", program.as_bytes());
            expect(&folder.run(&[command, "bad.c"]), code, words);
        }
    };
    check("#include \"absent.h\"\nint main(void) { return 0; }\n", 3, &["bad.c", "absent.h"]);
    check("int f(void) { return 0; }\n", 3, &["bad.c", "main"]);
    check("int main(void) { return 0 }\n", 3, &["bad.c:1:25"]);
    check("int main(void) { return x; }\n", 3, &["bad.c:1:25", "x"]);
    check("int main(void) { /* no end\n", 3, &["bad.c:1:18"]);
    check(
        "typedef int v __attribute__((vector_size(12))); int main(void) { return 0; }\n",
        2,
        &["bad.c:1:13"],
    );
}

/// A task, a list or an index that names a file that is not there.
#[test]
fn tasks_without_their_files() {
    let mut folder = Folder::new();
    folder.remove("a.c");
    expect(&folder.run(&["verify", "task.yml"]), 3, &["a.c", "no such file"]);
    folder.remove("p.prp");
    expect(&folder.run(&["verify", "task.yml"]), 3, &["p.prp"]);
    expect(&folder.run(&["bench", "task.yml"]), 3, &["p.prp"]);
    folder.put("tasks.set", b"gone.yml\n");
    expect(&folder.run(&["bench", "tasks.set"]), 3, &["tasks.set", "gone.yml", "no such file"]);
    expect(&folder.run(&["bench", "gone/*.yml"]), 3, &["gone/*.yml"]);
    // The others are run all the same, and the row says what is wrong.
    let run = folder.run(&["bench", "index.tsv", "-o", "out.jsonl"]);
    expect(&run, 0, &[]);
    assert!(run.stdout.contains("a.c (unreach-call): bad usage or input"), "{run:?}");
    let rows = folder.text("out.jsonl").expect("rows are written");
    assert_eq!(rows.lines().count(), 3, "{rows}");
    assert!(rows.contains("\"answer\":\"error\"") && rows.contains("\"right\":true"), "{rows}");
}

/// Nothing, or no text, on standard input.
#[test]
fn standard_input() {
    let lines: [Line<'_>; 6] = [
        &["verify", "-"],
        &["run", "-"],
        &["cfa", "-"],
        &["horn", "-"],
        &["solve", "-"],
        &["contracts", "merge", "-"],
    ];
    for line in lines {
        for bytes in [&b""[..], b"\x7fELF\0\0\xff", b"\xff\xfe", b"Dear reader,\n"] {
            expect(&fed(line, bytes), 3, &["<stdin>"]);
        }
    }
}

/// An editor that does not speak the protocol.
#[test]
fn no_editor() {
    let header = "Content-Length: 3\r\n\r\n";
    for text in ["", "garbage\n", header, &format!("{header}abc"), &format!("{header}{{}}")] {
        expect(&fed(&["lsp"], text.as_bytes()), 3, &["the editor did not begin as it should"]);
    }
}

fn fed(line: Line<'_>, bytes: &[u8]) -> Run {
    let folder = Folder::new();
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(bytes).unwrap();
    drop(writer);
    let mut command = folder.command(line);
    command.stdin(reader);
    folder.finish(command, line)
}
