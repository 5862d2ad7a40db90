//! A refutation that is compiled and run: `--harness` writes the C file, `--execute` runs it.
//!
//! The program under test runs in a folder of its own, which is deleted afterwards, in a process
//! group of its own, which is killed at the end, without input, its output thrown away, under
//! limits of the system for processor time, memory, stack and files. What it says in the end is
//! the harness' word, not the program's.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow};
use lakatos_evidence::Refutation;
use lakatos_evidence::harness::{self, Harness, RUNTIME_32};
use lakatos_ir::{DataModel, InputKind, Program, Property, library};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use crate::args::Verify;
use crate::preprocess::Compiler;
use crate::terminal;
use crate::whole;

/// On the wall clock; a run that the interpreter has made takes less.
const RUN_LIMIT: Duration = Duration::from_secs(30);
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// The longest time between two looks at a process.
const PAUSE: Duration = Duration::from_millis(50);

/// What is kept of the words of a process.
const OUTPUT: u64 = 1 << 16;

/// Processor time in seconds, then kilobytes of memory; files in blocks of 512 bytes.
const WITH_LIMITS: &str = r#"ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f 2048
ulimit -s 1000000 2>/dev/null || ulimit -s "$(ulimit -H -s)"; shift 2; exec "$@""#;

/// What the system sends when a limit is reached.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// The words of a verdict about its execution; after the last two, the reason. `bench` reads them.
pub const CONFIRMED: &str = ", confirmed by execution";
pub const NOT_CONFIRMED: &str = ", not confirmed by execution: ";
pub const CONTRADICTED: &str = ", not confirmed but contradicted by execution: ";

/// Why there is no execution that shows a read of what was never written.
const UNSEEN: &str = "no sanitizer of the C compiler sees what was never written";

/// How an execution went.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Execution {
    Confirmed,
    /// The program did something else.
    Contradicted(String),
    /// It cannot be executed here, or not to its end.
    Impossible(String),
}

/// Does what the flags ask for, and gives what the verdict's line has to say about it. Each of
/// several properties has a file of its own. Nothing that fails here takes back the verdict; a file
/// that cannot be written is the error. The execution ends when no time is `left`.
pub fn confirm(
    args: &Verify,
    several: bool,
    program: &Program,
    refutation: &Refutation,
    left: Option<Duration>,
) -> (String, Option<Error>) {
    if args.harness.is_none() && !args.execute {
        return (String::new(), None);
    }
    let harness = Harness::new(program, refutation, args.signed_overflow.into())
        .map_err(|reason| anyhow!("there is no harness: {reason}"));
    let mut lost = None;
    if let Some(path) = &args.harness {
        let path = path_for(path, several, refutation.property());
        match &harness {
            Ok(harness) => lost = whole::write(&path, &harness.text).err(),
            Err(reason) => terminal::note(&reason.to_string()),
        }
    }
    if !args.execute {
        return (String::new(), lost);
    }
    let until = left.and_then(|left| Instant::now().checked_add(left));
    let execution = match replaced(program, refutation) {
        Some(name) => Ok(Execution::Impossible(format!("the harness replaces `{name}`"))),
        None => harness.and_then(|harness| execute(&harness, until)),
    };
    (told(execution), lost)
}

/// A function of the C library whose result the run takes from the harness. A run of the program with
/// its own library may never see such a result.
fn replaced<'p>(program: &'p Program, refutation: &Refutation) -> Option<&'p str> {
    let names = refutation.inputs().iter().map(|input| &program.sites[input.site]);
    let calls = names.filter(|site| match site.kind {
        InputKind::Nondet | InputKind::External | InputKind::Library => true,
        InputKind::Uninitialised
        | InputKind::Assembly
        | InputKind::Volatile
        | InputKind::Allocation => false,
    });
    calls.map(|site| site.name.as_str()).find(|name| library::effects_of(name).is_some())
}

/// The words of a verdict about its execution.
fn told(execution: Result<Execution>) -> String {
    match execution.unwrap_or_else(|error| Execution::Impossible(format!("{error:#}"))) {
        Execution::Confirmed => CONFIRMED.to_owned(),
        Execution::Impossible(reason) => format!("{NOT_CONFIRMED}{reason}"),
        Execution::Contradicted(how) => {
            terminal::note(&format!(
                "the interpreter and the compiled program disagree: {how}\n  The program may depend \
                 on the order in which operands or arguments are evaluated: C leaves it open, and\n  \
                 Lakatos goes from left to right. Otherwise please report this; `--harness FILE` \
                 shows what was run."
            ));
            format!("{CONTRADICTED}{how}")
        }
    }
}

/// The words about an execution by themselves; none if there was none.
pub fn plainly(confirmation: &str) -> Option<String> {
    let words = confirmation.strip_prefix(", ").unwrap_or(confirmation);
    (!words.is_empty()).then(|| words.to_owned())
}

/// `out.c`, and for one of several properties `out.no-overflow.c`.
fn path_for(path: &Path, several: bool, property: Property) -> PathBuf {
    match (several, path.extension()) {
        (false, _) => path.to_owned(),
        (true, Some(extension)) => {
            path.with_extension(format!("{property}.{}", extension.display()))
        }
        (true, None) => path.with_extension(property.name()),
    }
}

/// What is left of a limit, where there is a time at which everything has to end.
fn within(limit: Duration, until: Option<Instant>) -> Duration {
    until.map_or(limit, |until| limit.min(until.saturating_duration_since(Instant::now())))
}

fn execute(harness: &Harness, until: Option<Instant>) -> Result<Execution> {
    let folder = tempfile::tempdir().context("a temporary folder")?;
    let folder = folder.path();
    fs::write(folder.join("harness.c"), &harness.text)?;
    fs::write(folder.join("runtime.c"), RUNTIME_32)?;
    if let Err(reason) = build(harness, folder, until)? {
        return Ok(Execution::Impossible(reason));
    }
    let megabytes = match harness.build.model {
        DataModel::Ilp32 => 4096,
        DataModel::Lp64 => 8192,
    };
    let mut command = Command::new("sh");
    let memory = match harness.build.is_sanitized() {
        // The sanitizer reserves address space that nobody uses.
        true => "unlimited".to_owned(),
        false => (megabytes << 10).to_string(),
    };
    let seconds = RUN_LIMIT.as_secs().to_string();
    command.args(["-c", WITH_LIMITS, "sh", &seconds, &memory, "./harness"]);
    command.env_clear().current_dir(folder);
    let limit = within(RUN_LIMIT, until);
    Ok(match run(command, &folder.join("said"), limit)? {
        (None, _) => Execution::Impossible(format!("no end within {limit:.1?}")),
        (Some(status), said) => judge(harness, status, &said),
    })
}

fn judge(harness: &Harness, status: ExitStatus, said: &str) -> Execution {
    let last = said.lines().last().unwrap_or_default();
    let told = last.strip_prefix("lakatos: ").unwrap_or(last).to_owned();
    match (status.code(), status.signal()) {
        (Some(code), _) if harness.expected.is_met(code, said) => Execution::Confirmed,
        (Some(harness::CANNOT_GO_ON), _) => Execution::Impossible(told),
        // However it ends, with a value that C leaves open.
        _ if !harness.build.is_seen() => Execution::Impossible(UNSEEN.to_owned()),
        // It does not see everything: memory may be in use again, by something else.
        (Some(0), _) if harness.build.property.is_about_memory() => {
            Execution::Impossible("the compiler's sanitizer sees nothing".to_owned())
        }
        (Some(code), _) if told.is_empty() => {
            Execution::Contradicted(format!("the program ends with code {code}"))
        }
        (Some(_), _) => Execution::Contradicted(told),
        (None, signal) => {
            let signal = signal.unwrap_or(0);
            let how = format!("the program is ended by {}", signal_name(signal));
            // A limit is no answer.
            match signal {
                SIGKILL | SIGXCPU | SIGXFSZ => Execution::Impossible(how),
                _ => Execution::Contradicted(how),
            }
        }
    }
}

fn signal_name(number: i32) -> String {
    let name = match number {
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        SIGKILL => "SIGKILL",
        11 => "SIGSEGV",
        SIGXCPU => "SIGXCPU",
        SIGXFSZ => "SIGXFSZ",
        number => return format!("signal {number}"),
    };
    name.to_owned()
}

/// Compiles and links; a 32-bit program without the C library if there is none of 32 bits.
fn build(harness: &Harness, folder: &Path, until: Option<Instant>) -> Result<Result<(), String>> {
    let build = &harness.build;
    let path = |name: &str| folder.join(name).display().to_string();
    let (source, object, program) = (path("harness.c"), path("harness.o"), path("harness"));
    let compile = [&["-c"][..], &build.compile_flags(), &[&source, "-o", &object]].concat();
    if let Err(reason) = compiler(folder, &compile, until)? {
        return Ok(Err(format!("it does not compile: {reason}")));
    }
    let link = [&build.link_flags()[..], &[&object, "-o", &program]].concat();
    let linked = compiler(folder, &link, until)?;
    if linked.is_ok() || build.model == DataModel::Lp64 || build.is_sanitized() {
        return Ok(linked.map_err(|reason| format!("it cannot be linked: {reason}")));
    }
    let runtime = path("runtime.c");
    let files = [&runtime, &object, "-o", &program];
    let alone = [&build.freestanding_flags()[..], &files].concat();
    Ok(compiler(folder, &alone, until)?
        .map_err(|reason| format!("it needs more than a 32-bit program can have here: {reason}")))
}

/// Runs the compiler; the first of its complaints if it fails.
fn compiler(folder: &Path, args: &[&str], until: Option<Instant>) -> Result<Result<(), String>> {
    let Compiler { program, options } = Compiler::from_env();
    let mut command = Command::new(&program);
    command.args(options).args(args).env("LC_ALL", "C");
    let limit = within(COMPILE_LIMIT, until);
    let (status, said) = run(command, &folder.join("complaints"), limit)
        .with_context(|| format!("the C compiler `{program}` cannot be run"))?;
    Ok(match status {
        Some(status) if status.success() => Ok(()),
        Some(_) => Err(complaint(&said)),
        None => Err(format!("no end within {limit:.1?}")),
    })
}

/// The line that says most.
fn complaint(said: &str) -> String {
    let is_error = |line: &&str| line.contains("error") || line.contains("cannot find");
    let line = said.lines().find(is_error).or(said.lines().next());
    line.unwrap_or("it does not say why").to_owned()
}

/// Runs a command to its end, or to the limit (`None`), with what it wrote to standard error.
fn run(
    mut command: Command,
    said: &Path,
    limit: Duration,
) -> io::Result<(Option<ExitStatus>, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(said)?);
    let mut child = command.process_group(0).spawn()?;
    let pid = Pid::from_child(&child);
    let in_time = ends_within(pid, limit)?;
    // Its number is nobody else's until it is waited for. An error means that nothing is left.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    let mut words = Vec::new();
    File::open(said)?.take(OUTPUT).read_to_end(&mut words)?;
    Ok((in_time.then_some(status), String::from_utf8_lossy(&words).into_owned()))
}

/// Waits for the end of a process. Short runs are looked at often.
fn ends_within(pid: Pid, limit: Duration) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let started = Instant::now();
    while rustix::process::waitid(WaitId::Pid(pid), options)?.is_none() {
        let elapsed = started.elapsed();
        if elapsed > limit {
            return Ok(false);
        }
        thread::sleep((elapsed / 10).clamp(Duration::from_millis(1), PAUSE));
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
