//! README shows what the tool really says, and the picture it really draws.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use support::book::with_real_output;
use support::run_in;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command of the README prints.
fn printed(command: &str) -> String {
    let args = command.strip_prefix("lakatos ").expect("only our own commands are shown");
    run_in(&root(), &args.split(' ').collect::<Vec<_>>(), &[], &[]).stdout
}

#[test]
fn console_blocks_show_real_output() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    expect_file![root().join("README.md")].assert_eq(&with_real_output(&readme, printed));
    assert!(readme.matches("```console").count() >= 2);
}

#[test]
fn the_pictures_are_current() {
    let args = ["cfa", "examples/loop.c", "--function", "main", "--format", "svg"];
    let drawing = run_in(&root(), &args, &[], &[]).stdout;
    expect_file![root().join("docs/loop.svg")].assert_eq(&drawing);
    let args = ["arg", "examples/mccarthy91.c", "--format", "svg"];
    let drawing = run_in(&root(), &args, &[], &[]).stdout;
    expect_file![root().join("docs/arg.svg")].assert_eq(&drawing);
}

#[test]
fn examples_do_what_they_say_today() {
    for (example, inputs, ran, verified) in [
        ("mccarthy91", "50", 0, 0),
        ("loop", "5", 0, 0),
        ("deep_bug", "0", 1, 1),
        ("array", "3,-1,4,1,-5,9,-2,6", 0, 0),
        ("struct", "1,1,1,1,1", 1, 1),
        ("contract", "-3", 0, 0),
    ] {
        let file = format!("examples/{example}.c");
        let run = run_in(&root(), &["run", &file, "--inputs", inputs], &[], &[]);
        assert_eq!((run.code, run.stderr.as_str()), (ran, ""), "{example}: {}", run.stdout);
        let verify = run_in(&root(), &["verify", &file], &[], &[]);
        let ended = (verify.code, verify.stderr.as_str());
        assert_eq!(ended, (verified, ""), "{example}: {}", verify.stdout);
    }
}
