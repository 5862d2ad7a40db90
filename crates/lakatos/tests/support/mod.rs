//! Runs the binary in a folder of its own.

#![allow(dead_code)] // every test binary uses its own part

pub mod book;
pub mod schema;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use expect_test::Expect;
use tempfile::TempDir;

#[derive(Debug)]
pub struct Sandbox {
    dir: TempDir,
    env: Vec<(&'static str, &'static str)>,
    stdin: Vec<u8>,
}

#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        let dir = TempDir::new().expect("a temporary folder");
        Sandbox { dir, env: Vec::new(), stdin: Vec::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Sandbox {
        std::fs::write(self.path(name), content).expect("the sandbox is writable");
        self
    }

    pub fn dir(self, name: &str) -> Sandbox {
        std::fs::create_dir(self.path(name)).expect("the sandbox is writable");
        self
    }

    pub fn env(mut self, name: &'static str, value: &'static str) -> Sandbox {
        self.env.push((name, value));
        self
    }

    pub fn stdin(mut self, content: impl AsRef<[u8]>) -> Sandbox {
        self.stdin = content.as_ref().to_vec();
        self
    }

    pub fn run(&self, args: &[&str]) -> Output {
        run_in(self.dir.path(), args, &self.env, &self.stdin)
    }

    #[track_caller]
    pub fn check(&self, args: &[&str], code: i32, stdout: Expect, stderr: Expect) {
        let output = self.run(args);
        stdout.assert_eq(&output.stdout);
        stderr.assert_eq(&output.stderr);
        assert_eq!(output.code, code, "{output:?}");
    }
}

/// Runs the binary in a folder, with nothing of our own environment that it would listen to.
pub fn run_in(dir: &Path, args: &[&str], env: &[(&str, &str)], stdin: &[u8]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"));
    for name in ["CC", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command.envs(env.iter().copied()).current_dir(dir);
    let output = command.args(args).write_stdin(stdin).output().expect("it runs");
    Output {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}
