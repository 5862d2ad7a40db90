//! The book in `docs/`: what the tutorial says is what happens, every page is in the summary, and no
//! link leads nowhere.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use support::book::{programs, with_real_output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a newcomer sees who types a command: both streams.
fn typed(folder: &Path, command: &str) -> String {
    let binary = Path::new(assert_cmd::cargo::cargo_bin!("lakatos"));
    let ours = binary.parent().expect("it is in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([ours].into_iter().chain(std::env::split_paths(&path)));
    let mut shell = Command::new("sh");
    for name in ["CC", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
        shell.env_remove(name);
    }
    let shell = shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder);
    let output = shell.env("PATH", path.expect("no colon is in a name")).output();
    String::from_utf8(output.expect("there is a shell").stdout).expect("output is UTF-8")
}

/// A newcomer's path: the programs of the page in an empty folder, its commands one after the other.
#[test]
fn the_tutorial_says_what_happens() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: the tutorial needs a C compiler");
        return;
    }
    let page = root().join("docs/tutorial.md");
    let text = read(&page);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let programs = programs(&text);
    for (name, program) in &programs {
        fs::write(folder.path().join(name), program).expect("it can be written");
    }
    let mut commands = 0;
    let shown = with_real_output(&text, |command| {
        commands += 1;
        typed(folder.path(), command)
    });
    expect_file![page].assert_eq(&shown);
    assert_eq!((programs.len(), commands), (3, 12), "nothing of the page was missed");
    for name in ["harness.c", "harness", "annotated.c", "report.html"] {
        assert!(folder.path().join(name).exists(), "{name} was not made");
    }
}

/// All documents that people read.
fn documents() -> Vec<PathBuf> {
    let root = root();
    let mut all: Vec<PathBuf> =
        [&root, &root.join("docs"), &root.join("contrib"), &root.join("corpus")]
            .into_iter()
            .flat_map(|folder| fs::read_dir(folder).expect("it is there"))
            .map(|entry| entry.expect("it can be listed").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
            .collect();
    all.sort();
    all
}

/// What the links of a page lead to, outside of code.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, part) in text.split("```").enumerate() {
        let starts = part.match_indices("](").filter(|_| at % 2 == 0);
        let ends = starts.filter_map(|(start, _)| part[start + 2..].split_once(')'));
        found.extend(ends.map(|(target, _)| target));
    }
    found
}

/// As in the address of a headline: words with hyphens.
fn anchors(text: &str) -> BTreeSet<String> {
    let headlines = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headlines.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for document in documents() {
        let text = read(&document);
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.parent().expect("it is in a folder").join(file),
            };
            let from = document.display();
            assert!(target.exists(), "{from}: {link} leads nowhere");
            if !anchor.is_empty() {
                assert!(anchors(&read(&target)).contains(anchor), "{from}: no headline {link}");
            }
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} links were found");
}

/// A page that is in no list is read by nobody.
#[test]
fn every_page_is_in_the_summary() {
    let summary = read(&root().join("docs/SUMMARY.md"));
    let listed: BTreeSet<&str> = links(&summary).into_iter().collect();
    let pages = fs::read_dir(root().join("docs")).expect("it is there");
    let names: Vec<String> = pages
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("text"))
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    let there: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(listed, there);
}

/// Files and folders that the page for developers names are there.
#[test]
fn paths_in_the_page_for_developers() {
    let text = read(&root().join("docs/extending.md"));
    let quoted = text.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = quoted.filter(|path| path.starts_with("crates/")).collect();
    assert!(paths.len() > 10, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "{path} is not there");
    }
    let engine = read(&root().join("crates/lakatos-engine/src/lib.rs"));
    let shown = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert!(engine.contains(shown.expect("the trait is shown")), "the trait is another one now");
}
