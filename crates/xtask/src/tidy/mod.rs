//! House rules that neither the compiler nor clippy checks. One line per problem.

pub mod corpus;
mod edges;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// A file longer than this is missing a room.
const MOST_LINES: usize = 900;

/// Where `unsafe` may stand: the solver's foreign functions, once they exist.
const MAY_BE_UNSAFE: [&str; 1] = ["crates/lakatos-logic/src/smt/ffi.rs"];

/// Files that must name what they forbid.
const SELF: &str = "crates/xtask/src/tidy/";

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: String,
    pub line: usize,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

impl Problem {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Problem {
        Problem { path: path.to_string(), line, message: message.into() }
    }
}

/// All problems in a repository.
pub fn tidy(root: &Path) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for path in files(root)? {
        let name = path.to_string_lossy().replace('\\', "/");
        let bytes = match fs::read(root.join(&path)) {
            Ok(bytes) => bytes,
            // Deleted, and not yet committed.
            Err(_) => continue,
        };
        if let Ok(text) = String::from_utf8(bytes) {
            problems.extend(file_problems(&name, &text));
        }
    }
    problems.extend(edges::problems(root)?);
    problems.sort();
    Ok(problems)
}

/// The tracked and the new files; everything but `target` where there is no git.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let git = Command::new("git").arg("-C").arg(root).args(list).output();
    if let Ok(output) = git
        && output.status.success()
    {
        let text = String::from_utf8(output.stdout).context("file names are UTF-8")?;
        return Ok(text.split_terminator('\0').map(PathBuf::from).collect());
    }
    let mut found = Vec::new();
    walk(root, Path::new(""), &mut found)?;
    Ok(found)
}

fn walk(root: &Path, at: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(root.join(at))? {
        let entry = entry?;
        let path = at.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "target" && entry.file_name() != ".git" {
                walk(root, &path, found)?;
            }
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn file_problems(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut problem = |line, message: &str| problems.push(Problem::new(path, line, message));
    let lines = text.lines().count();
    if !text.is_empty() && !text.ends_with('\n') {
        problem(lines, "no newline at the end");
    }
    let is_rust = path.ends_with(".rs");
    let in_src = path.starts_with("crates/") && path.contains("/src/");
    if is_rust && in_src {
        if lines > MOST_LINES {
            problem(MOST_LINES, &format!("{lines} lines: a room is missing"));
        }
        if !text.trim_start().starts_with("//!") {
            problem(1, "no module documentation");
        }
    }
    let own = path.starts_with(SELF);
    for (number, line) in text.lines().enumerate() {
        if own {
            break;
        }
        if !path.ends_with("Cargo.lock")
            && let Some(found) = machine_path(line)
        {
            problem(number + 1, &format!("a path of one machine: {found}"));
        }
        if is_rust {
            let code = line.split("//").next().unwrap_or_default();
            for word in ["todo!", "unimplemented!", "dbg!"] {
                if has_word(code, word) {
                    problem(number + 1, &format!("{word} is left"));
                }
            }
            // Policies of HTML pages have a word of their own.
            let word = code.replace("'unsafe-inline'", "");
            if has_word(&word, "unsafe") && !MAY_BE_UNSAFE.contains(&path) {
                problem(number + 1, "unsafe outside the solver's foreign functions");
            }
        }
    }
    if path.starts_with("corpus/") && path.ends_with(".c") {
        problems.extend(corpus::problems(path, text));
    }
    problems
}

/// An absolute path that exists on one machine only.
fn machine_path(line: &str) -> Option<&str> {
    ["/work/", "/tmp/", "/home/", "/root/", "/Users/"].into_iter().find(|prefix| {
        line.match_indices(prefix).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '}'))
        })
    })
}

fn has_word(code: &str, word: &str) -> bool {
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"');
    code.match_indices(word).any(|(at, _)| {
        !inner(code[..at].chars().next_back()) && !inner(code[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expect: &[&str]) {
        let found: Vec<String> =
            file_problems(path, text).iter().map(ToString::to_string).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn rules_bite() {
        let path = "crates/a/src/b.rs";
        check(path, "//! Fine.\nfn f() {}\n", &[]);
        check(
            path,
            "fn f() {}",
            &[
                "crates/a/src/b.rs:1: no newline at the end",
                "crates/a/src/b.rs:1: no module documentation",
            ],
        );
        check(path, "//! d\nfn f() { todo!() }\n", &["crates/a/src/b.rs:2: todo! is left"]);
        check(path, "//! d\n// todo! in a comment\nfn my_todo() {}\n", &[]);
        check(
            path,
            "//! d\nunsafe fn f() {}\n",
            &["crates/a/src/b.rs:2: unsafe outside the solver's foreign functions"],
        );
        check("README.md", "see /tmp/x\n", &["README.md:1: a path of one machine: /tmp/"]);
        check("README.md", "see https://example.org/tmp/x\n", &[]);
    }
}
