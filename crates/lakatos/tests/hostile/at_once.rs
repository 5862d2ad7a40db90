//! Several runs that write the same file at once: whoever looks sees a whole one at any time.

use std::process::{Child, Stdio};

use crate::folder::{Folder, OLD, is_whole};
use crate::{Line, expect, marked};

const COMMANDS: [Line<'static>; 9] = [
    &["verify", "b.c", "--json", "@out.json"],
    &["verify", "b.c", "--sarif", "@out.sarif"],
    &["verify", "a.c", "--junit", "@out.xml"],
    &["verify", "b.c", "--report", "@out.html"],
    &["verify", "a.c", "--witness", "@out.yml"],
    &["verify", "b.c", "--harness", "@out.c"],
    &["contracts", "a.c", "-o", "@out.c"],
    &["cfa", "a.c", "-o", "@out.svg"],
    &["horn", "a.c", "-o", "@out.smt2"],
];

/// So many at a time.
const RUNS: usize = 4;

fn start(folder: &Folder, line: Line<'_>) -> Child {
    let args: Vec<&str> = line.iter().map(|arg| arg.trim_start_matches('@')).collect();
    folder.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_same_file() {
    for line in COMMANDS {
        let folder = Folder::new();
        let name = marked(line);
        folder.put_output(name, OLD.as_bytes());
        let mut children: Vec<Child> = (0..RUNS).map(|_| start(&folder, line)).collect();
        while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
            assert!(folder.text(name).is_some(), "{name} is gone for a moment");
            assert!(is_whole(&folder.path(name)), "{name} is there by half");
        }
        let expected = i32::from(line[1] == "b.c");
        for child in &mut children {
            assert_eq!(child.wait().unwrap().code(), Some(expected), "{line:?}");
        }
        assert_ne!(folder.text(name).as_deref(), Some(OLD), "{line:?}");
    }
}

/// Rows are added one by one, so a second run keeps away, or goes on when the first has ended.
#[test]
fn the_same_rows() {
    let folder = Folder::new();
    let line = ["bench", "index.tsv", "-o", "@out.jsonl"];
    let mut children: Vec<Child> = (0..RUNS).map(|_| start(&folder, &line)).collect();
    let codes: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 3))), "{codes:?}");
    let run = folder.run(&["bench", "table", "out.jsonl"]);
    expect(&run, 0, &[]);
    assert_eq!(folder.text("out.jsonl").unwrap().lines().count(), 3);
}
