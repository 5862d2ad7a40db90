//! What `lakatos contracts` prints is read: all expected outputs in the tests of that crate, and
//! the examples.

use std::fs;
use std::path::{Path, PathBuf};

use lakatos_acsl::erase::Eraser;
use lakatos_acsl::read;
use lakatos_acsl::tree::Theory;
use lakatos_c::Options;
use lakatos_ir::Source;

use crate::lines;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The expected texts in a file of tests.
fn expected(path: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let parts = text.split("[[r#\"").skip(1);
    parts.filter_map(|part| part.split_once("\"#]]")).map(|(block, _)| block.to_owned()).collect()
}

/// Reads an annotated program, and what is printed of it once more. How many annotations it has.
fn annotations(name: &str, text: &str) -> Option<usize> {
    let source = Source::new(name, text);
    let unit = lakatos_c::check(source, &Options::default()).ok()?;
    let mut theory = Theory::default();
    let read = read::read_program(&mut theory, &unit)
        .unwrap_or_else(|f| panic!("{text}\n{}", lines(&f.file, &f.diagnostics)));
    assert_eq!(read.unsupported, [], "{text}");
    let eraser = Eraser::new(&theory);
    let mut count = read.loops.len() + read.assertions.len();
    for contract in &read.contracts {
        let printed = eraser.contract(&contract.contract).to_string();
        let words = |name: &str| name == "number";
        let parsed =
            lakatos_acsl::parse::annotation(&printed, 0, lakatos_acsl::parse::Site::File, &words);
        assert!(parsed.diagnostics.is_empty(), "{printed}");
        count += 1;
    }
    Some(count)
}

#[test]
fn of_lakatos_are_read() {
    let (mut programs, mut count) = (0, 0);
    for path in [
        "crates/lakatos-contracts/tests/contracts/annotated.rs",
        "crates/lakatos-contracts/tests/contracts/gaps.rs",
    ] {
        for (number, block) in expected(path).iter().enumerate() {
            if !block.contains("/*@") {
                continue;
            }
            // Where lines end is shown in one of them.
            let block = block.replace("|\n", "\n");
            if let Some(found) = annotations(&format!("{path}#{number}"), &block) {
                programs += 1;
                count += found;
            }
        }
    }
    assert!(programs >= 10 && count >= 45, "{programs} programs, {count} annotations");
}

#[test]
fn of_examples_are_read() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "c") {
            let text = fs::read_to_string(&path).unwrap();
            count += annotations(&path.display().to_string(), &text).unwrap_or(0);
        }
    }
    assert!(count > 0);
}

/// Behaviours, as contracts of several clients are merged into them.
#[test]
fn of_several_clients_are_read() {
    let mut count = 0;
    for path in ["crates/lakatos-lattice/tests/lattice/merging.rs", "crates/lakatos/tests/merge.rs"]
    {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let comments = text.split("/*@").skip(1).filter_map(|part| part.split_once("*/"));
        for (comment, _) in comments {
            let site = lakatos_acsl::parse::Site::File;
            let parsed = lakatos_acsl::parse::annotation(comment, 0, site, &|_: &str| false);
            assert!(parsed.diagnostics.is_empty(), "{comment}\n{:?}", parsed.diagnostics);
            count += 1;
        }
    }
    assert!(count > 0);
}
