//! The C compiler of the machine (`$CC`, else `cc`): builds, checks and runs programs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lakatos_ir::DataModel;
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// A program that takes longer does not terminate.
const RUN_LIMIT: Duration = Duration::from_secs(5);

/// Run-time support for 32-bit programs; most machines have no 32-bit libraries.
const RUNTIME_32: &str = lakatos_evidence::harness::RUNTIME_32;

/// What GCC says when it is broken itself.
const CRASH: &[u8] = b"internal compiler error";

/// How to build a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    Plain,
    Optimised,
    /// With run-time checks for undefined behaviour; LP64 only.
    Sanitized,
    /// Variables without initialiser hold zeros, or a pattern.
    Zeroed,
    Patterned,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Plain => &["-O0"],
            Build::Optimised => &["-O2"],
            Build::Sanitized => &[
                "-O0",
                "-fsanitize=undefined,address",
                "-fno-sanitize=signed-integer-overflow",
                "-fno-sanitize-recover=all",
            ],
            Build::Zeroed => &["-O0", "-ftrivial-auto-var-init=zero"],
            Build::Patterned => &["-O0", "-ftrivial-auto-var-init=pattern"],
        }
    }
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    Exited {
        code: i32,
        stdout: Vec<u8>,
        stderr: Vec<u8>,
    },
    Killed {
        signal: i32,
    },
    TimedOut,
    /// Not the program's fault.
    CompilerCrashed,
}

/// A compiler with a folder for its files.
#[derive(Debug)]
pub struct Compiler {
    program: OsString,
    folder: TempDir,
}

impl Compiler {
    /// Finds the compiler and tries it.
    pub fn new() -> Result<Compiler> {
        let program = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let works = Command::new(&program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !works {
            bail!(
                "no C compiler: `{}` does not run; install one (README: requirements) or set CC",
                program.display()
            );
        }
        let folder = tempfile::tempdir().context("a folder for compiled programs")?;
        let compiler = Compiler { program, folder };
        fs::write(compiler.path("runtime32.c"), RUNTIME_32)?;
        Ok(compiler)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text without directives, for LP64; headers are also looked for in the folder.
    pub fn preprocess(&self, text: &str, headers: &Path) -> Result<String> {
        let source = self.path("directives.c");
        fs::write(&source, text)?;
        let mut command = Command::new(&self.program);
        let output =
            command.args(["-E", "-P", "-w", "-m64", "-I"]).arg(headers).arg(&source).output()?;
        if !output.status.success() {
            bail!("cannot be preprocessed:\n{}", first_lines(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Compiles and runs a program; an error if it does not compile.
    pub fn run(&self, text: &str, model: DataModel, build: Build) -> Result<Ran> {
        let (source, program) = (self.path("program.c"), self.path("program"));
        fs::write(&source, text)?;
        let mut command = Command::new(&self.program);
        command.args(["-std=gnu11", "-w", "-fwrapv"]).args(build.flags());
        if model == DataModel::Ilp32 {
            command.args(["-m32", "-msse2", "-mfpmath=sse", "-nostdlib", "-static", "-no-pie"]);
            command.args(["-fno-pie", "-fno-stack-protector", "-ffreestanding"]);
            command.arg(self.path("runtime32.c"));
        }
        let output = command.arg(&source).arg("-o").arg(&program).output()?;
        if !output.status.success() {
            if output.stderr.windows(CRASH.len()).any(|w| w == CRASH) {
                return Ok(Ran::CompilerCrashed);
            }
            bail!("does not compile:\n{}", first_lines(&output.stderr));
        }
        self.execute(&program)
    }

    fn execute(&self, program: &Path) -> Result<Ran> {
        let (out, err) = (self.path("stdout"), self.path("stderr"));
        let mut child = Command::new(program)
            .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1")
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let Some(status) = child.wait_timeout(RUN_LIMIT)? else {
            child.kill()?;
            child.wait()?;
            return Ok(Ran::TimedOut);
        };
        Ok(match status.code() {
            Some(code) => Ran::Exited { code, stdout: fs::read(&out)?, stderr: fs::read(&err)? },
            None => Ran::Killed { signal: status.signal().unwrap_or(0) },
        })
    }

    /// Whether the text is accepted without the warnings that stand for undefined behaviour.
    pub fn is_clean(&self, text: &str, model: DataModel) -> Result<bool> {
        let source = self.path("clean.c");
        fs::write(&source, text)?;
        let errors = [
            "return-type",
            "uninitialized",
            "maybe-uninitialized",
            "sequence-point",
            "implicit-function-declaration",
            "implicit-int",
            "incompatible-pointer-types",
            "int-conversion",
        ];
        let output = Command::new(&self.program)
            .args(["-std=gnu11", "-fwrapv", "-O1", "-S", "-o"])
            .arg(self.path("clean.s"))
            .args(errors.map(|e| format!("-Werror={e}")))
            .arg(word(model))
            .arg(&source)
            .output()?;
        Ok(output.status.success())
    }

    /// Whether the text is accepted, and what the compiler says if not.
    pub fn check(&self, text: &str, model: DataModel) -> Result<Result<(), String>> {
        let source = self.path("check.c");
        fs::write(&source, text)?;
        let output = Command::new(&self.program)
            .args(["-std=gnu11", "-w", "-fsyntax-only", "-fmax-errors=0", word(model)])
            .arg(&source)
            .output()?;
        Ok(match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        })
    }
}

fn word(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    }
}

fn first_lines(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().take(8).collect::<Vec<_>>().join("\n")
}
