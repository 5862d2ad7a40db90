//! Broken inputs and depth bombs give a diagnostic or a program.

use std::path::{Path, PathBuf};

use xtask::mutate::{self, Options};

const WORKER: &str = env!("CARGO_BIN_EXE_xtask");

#[test]
fn broken_inputs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two deep");
    let options = Options {
        first: 1,
        count: 500,
        folders: vec![root.join("examples"), root.join("corpus")],
        save: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutate"),
        worker: PathBuf::from(WORKER),
    };
    let found = mutate::mutate(&options).expect("workers run");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn depth_bombs() {
    let found = mutate::bombs(100_000, Path::new(WORKER)).expect("workers run");
    assert!(found.is_empty(), "{found:#?}");
}
