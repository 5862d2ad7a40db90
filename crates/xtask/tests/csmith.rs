//! The interpreter runs programs of Csmith like the compiler's machine, where Csmith is there.

use xtask::csmith::{Options, csmith};

fn options(command: &str) -> Options {
    Options { first: 3, count: 4, command: command.into(), headers: None }
}

#[test]
fn a_few_programs() {
    match csmith(&options("csmith"), |_| ()).expect("a C compiler") {
        None => eprintln!("skipped: Csmith is absent"),
        Some(summary) => assert!(summary.passes(), "{summary}"),
    }
}

#[test]
fn its_absence_is_told() {
    assert!(csmith(&options("no-such-csmith"), |_| ()).expect("no error").is_none());
}
