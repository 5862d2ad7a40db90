//! `lakatos lemmas`: what it says, and how it ends.

use assert_cmd::Command;
use expect_test::{Expect, expect};

/// Runs the command on files, given as names and texts.
fn check(files: &[(&str, &str)], flags: &[&str], code: i32, expected: Expect) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let names = files.iter().map(|(name, _)| *name);
    let output = Command::cargo_bin("lakatos")
        .unwrap()
        .current_dir(folder.path())
        .arg("lemmas")
        .args(names)
        .args(flags)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    expected.assert_eq(&(text(&output.stdout) + &text(&output.stderr)));
    assert_eq!(output.status.code(), Some(code));
}

const LENGTH: &str = "logic integer length(integer n) = n <= 0 ? 0 : length(n - 1) + 1;\n";

#[test]
fn proved() {
    let lemma = "lemma is: \\forall integer n; n >= 0 ==> length(n) == n;\n";
    let more = "lemma more: \\forall integer n; n >= 0 ==> length(n + 1) == n + 1;\n";
    check(&[("a.acsl", &format!("{LENGTH}{lemma}")), ("b.acsl", more)], &[], 0, expect![[""]]);
}

#[test]
fn assumed() {
    let text = "axiomatic x { logic integer f(integer n); axiom a: \\forall integer n; f(n) > n; }\n\
                lemma b: \\forall integer n; f(n) + 1 > n;\n\
                lemma c: \\forall integer n; f(n) == 7;\n\
                logic integer g(integer n) = n == 0 ? 0 : g(n - 1);\n";
    check(&[("a.acsl", text)], &[], 2, expect![[""]]);
}

#[test]
fn refused() {
    let lemma = "lemma is: \\forall integer n; length(n) == n;\n";
    check(&[("a.acsl", &format!("{LENGTH}{lemma}"))], &[], 1, expect![[""]]);
}

#[test]
fn left_out() {
    let text = "lemma r{L}: \\forall int *a, int *b; a == b;\n";
    check(&[("a.acsl", text)], &[], 2, expect![[""]]);
}

#[test]
fn wrong_files() {
    check(&[("a.acsl", "lemma r: 1 +;\n")], &[], 3, expect![[""]]);
    check(&[("a.txt", "lemma r: 1 == 1;\n")], &[], 3, expect![[""]]);
}

#[test]
fn a_program() {
    let text = "/*@ lemma one: 1 == 1; */\nint main(void) { return 0; }\n";
    check(&[("a.c", text)], &["--json"], 0, expect![[""]]);
}
