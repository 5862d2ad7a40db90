//! Hostile runs: inputs that cannot be used, outputs that cannot be written, readers that go away,
//! signals, several runs at once. Whatever happens, nothing panics, no file is there by half, no
//! file that is read changes, what is wrong is said, and the exit code is the right one.

mod at_once;
mod chains;
mod flags;
mod folder;
mod inputs;
mod outputs;
mod signals;
mod streams;
#[path = "../support/mod.rs"]
mod support;

use folder::Run;

/// A command line; `@` marks the file that is the hostile one.
type Line<'a> = &'a [&'a str];

/// The command line with another name for the marked file.
fn with<'a>(line: Line<'a>, name: &'a str) -> Vec<&'a str> {
    line.iter().map(|arg| if arg.starts_with('@') { name } else { arg }).collect()
}

/// The name of the marked file.
fn marked<'a>(line: Line<'a>) -> &'a str {
    let marked = line.iter().find_map(|arg| arg.strip_prefix('@'));
    marked.expect("a file is marked")
}

/// Ends with the code, and says something on standard error that has all these words.
#[track_caller]
fn expect(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, Some(code), "{run:?}");
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` is not said: {run:?}");
    }
}
