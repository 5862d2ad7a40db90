//! Lakatos under limits of the system: address space, size of files, processes, open files.
//!
//! Each limit is swept over many values, from one that nothing can work with to one that is enough.
//! Whatever the limit is, a run must end by itself with a documented exit code, never with an
//! internal error or by a signal, must not contradict what it answers without limits, and must
//! leave no incomplete file behind (`files`). A value with which not even `lakatos --version`
//! starts shows nothing: there the system's loader fails before the program begins.
//!
//! Limits are set by `prlimit` of util-linux. Those on processes do not bind root, so root runs
//! these as a user without processes, by `setpriv`.

mod files;
mod scenarios;

use std::fmt;
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use wait_timeout::ChildExt;

use self::scenarios::Scenario;

/// Longer than any run takes, with a limit of time of a few seconds, on a machine that does other
/// things.
const HANGS: Duration = Duration::from_secs(120);

/// A user and group that have no processes, for limits on these.
const USER: u32 = 54_321;

/// Parts of what is printed when something is wrong with the program itself.
const BUGS: [&str; 3] = ["internal error", "panicked", "This is a bug"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Limit {
    AddressSpace,
    FileSize,
    Processes,
    OpenFiles,
}

pub const ALL: [Limit; 4] =
    [Limit::AddressSpace, Limit::FileSize, Limit::Processes, Limit::OpenFiles];

#[derive(Debug)]
pub struct Options {
    pub lakatos: PathBuf,
    pub limits: Vec<Limit>,
    /// So many values of each limit.
    pub values: u64,
    /// Every command with every value, and not one after the other.
    pub thorough: bool,
}

/// How the runs under one limit went.
#[derive(Debug)]
pub struct Row {
    pub limit: Limit,
    pub values: u64,
    pub runs: u64,
    /// The program could not be loaded.
    pub not_started: u64,
    /// As without limits; unknown; refused or not written.
    pub ends: [u64; 3],
    pub failures: Vec<String>,
}

impl Limit {
    fn name(self) -> &'static str {
        match self {
            Limit::AddressSpace => "address space",
            Limit::FileSize => "file size",
            Limit::Processes => "processes",
            Limit::OpenFiles => "open files",
        }
    }

    fn flag(self) -> &'static str {
        match self {
            Limit::AddressSpace => "--as",
            Limit::FileSize => "--fsize",
            Limit::Processes => "--nproc",
            Limit::OpenFiles => "--nofile",
        }
    }

    /// The value of a number, of so many. Sizes are in bytes, and grow by the same factor from 40 MB
    /// to 8 GB (address space) and from 1 byte to 1 MB (files).
    fn value(self, number: u64, of: u64) -> u64 {
        let at = number as f64 / (of.max(2) - 1) as f64;
        let between = |low: f64, high: f64| (low * (high / low).powf(at)) as u64;
        match self {
            Limit::AddressSpace => between(40e6, 8e9),
            Limit::FileSize => between(1.0, 1e6),
            Limit::Processes => 1 + number * 200 / of,
            Limit::OpenFiles => 3 + number * 200 / of,
        }
    }
}

/// Runs all of it. `told` hears about every run.
pub fn limits(options: &Options, mut told: impl FnMut()) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir().context("a temporary folder")?;
    open_to_all(folder.path())?;
    let runner = Runner { lakatos: options.lakatos.canonicalize()?, folder: folder.path() };
    runner.ensure_tools(&options.limits)?;
    scenarios::write_inputs(runner.folder)?;
    let mut command = Command::new(&runner.lakatos);
    command.args(scenarios::MAKE_WITNESS);
    runner.run(command)?;
    let mut expected = Vec::new();
    for scenario in scenarios::ALL {
        expected.push(runner.without_limits(scenario)?);
    }
    let mut rows = Vec::new();
    for limit in &options.limits {
        let mut row = Row {
            limit: *limit,
            values: options.values,
            runs: 0,
            not_started: 0,
            ends: [0; 3],
            failures: Vec::new(),
        };
        for number in 0..options.values {
            let value = limit.value(number, options.values);
            for (index, scenario) in scenarios::ALL.iter().enumerate() {
                let count = scenarios::ALL.len() as u64;
                if !options.thorough && index as u64 != number % count {
                    continue;
                }
                runner.try_one(*limit, value, scenario, expected[index], &mut row)?;
                told();
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Files of another user are written there, too.
fn open_to_all(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

struct Runner<'a> {
    lakatos: PathBuf,
    folder: &'a Path,
}

/// A run that has ended, or was ended after [`HANGS`].
struct Ended {
    status: Option<ExitStatus>,
    said: String,
}

impl Runner<'_> {
    fn ensure_tools(&self, limits: &[Limit]) -> Result<()> {
        let mut needed = vec!["prlimit"];
        if is_root() && limits.contains(&Limit::Processes) {
            needed.push("setpriv");
        }
        for tool in needed {
            let mut command = Command::new(tool);
            command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            if !command.status().is_ok_and(|status| status.success()) {
                bail!("`{tool}` is needed (apt-get install util-linux)");
            }
        }
        Ok(())
    }

    /// What a scenario answers without limits.
    fn without_limits(&self, scenario: &Scenario) -> Result<i32> {
        let mut command = Command::new(&self.lakatos);
        command.args(scenario.words);
        let ended = self.run(command)?;
        self.remove(scenario);
        match ended.status.and_then(|status| status.code()) {
            Some(code) if code == scenario.code => Ok(code),
            _ => bail!(
                "{} without limits: {:?}, not exit code {}\n{}",
                scenario.words.join(" "),
                ended.status,
                scenario.code,
                ended.said
            ),
        }
    }

    fn try_one(
        &self,
        limit: Limit,
        value: u64,
        scenario: &Scenario,
        expected: i32,
        row: &mut Row,
    ) -> Result<()> {
        let ended = self.run(self.command(limit, value, scenario.words))?;
        row.runs += 1;
        let problems = match (self.problems(&ended, scenario, expected), &ended.status) {
            (problems, Some(status))
                if !problems.is_empty()
                    && is_of_loader(*status)
                    && !self.starts(limit, value)? =>
            {
                row.not_started += 1;
                Vec::new()
            }
            (problems, _) => problems,
        };
        match ended.status.and_then(|status| status.code()) {
            Some(code) if code == expected => row.ends[0] += 1,
            Some(2) => row.ends[1] += 1,
            Some(3) => row.ends[2] += 1,
            _ => {}
        }
        let command = scenario.words.join(" ");
        let failures = problems
            .iter()
            .map(|problem| format!("{} {value}: lakatos {command}: {problem}", limit.name()));
        row.failures.extend(failures);
        self.remove(scenario);
        Ok(())
    }

    fn command(&self, limit: Limit, value: u64, words: &[&str]) -> Command {
        let mut command = match limit {
            Limit::Processes if is_root() => {
                let mut command = Command::new("setpriv");
                command.arg(format!("--reuid={USER}")).arg(format!("--regid={USER}"));
                command.args(["--clear-groups", "prlimit"]);
                command
            }
            _ => Command::new("prlimit"),
        };
        command.arg(format!("{}={value}:{value}", limit.flag())).arg("--");
        command.arg(&self.lakatos).args(words);
        command
    }

    /// Whether the program can be loaded.
    fn starts(&self, limit: Limit, value: u64) -> Result<bool> {
        let ended = self.run(self.command(limit, value, &["--version"]))?;
        Ok(ended.status.is_some_and(|status| status.success()))
    }

    /// With standard output and standard error in pipes, which no limit is about.
    fn run(&self, mut command: Command) -> Result<Ended> {
        let (mut reader, writer) = std::io::pipe()?;
        command.current_dir(self.folder).stdin(Stdio::null());
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn().context("cannot start a process")?;
        drop(command);
        let read = std::thread::spawn(move || {
            let mut said = Vec::new();
            let _ = reader.read_to_end(&mut said);
            String::from_utf8_lossy(&said).into_owned()
        });
        let status = child.wait_timeout(HANGS)?;
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let said = read.join().unwrap_or_default();
        Ok(Ended { status, said })
    }

    /// What is wrong with a run.
    fn problems(&self, ended: &Ended, scenario: &Scenario, expected: i32) -> Vec<String> {
        let last = ended.said.lines().last().unwrap_or_default();
        let mut problems = Vec::new();
        match ended.status {
            None => problems.push(format!("no end within {HANGS:?}")),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) if code == expected || code == 2 || code == 3 => {}
                (Some(code), _) => problems.push(format!("exit code {code}: {last}")),
                (None, signal) => {
                    problems.push(format!("ended by signal {}: {last}", signal.unwrap_or(0)));
                }
            },
        }
        if let Some(bug) = BUGS.iter().find(|bug| ended.said.contains(**bug)) {
            let line = ended.said.lines().find(|line| line.contains(bug)).unwrap_or_default();
            problems.push(line.to_owned());
        }
        match files::problems(self.folder, scenarios::INPUTS, scenario.outputs) {
            Ok(found) => problems.extend(found),
            Err(error) => problems.push(format!("{error:#}")),
        }
        problems
    }

    fn remove(&self, scenario: &Scenario) {
        for output in scenario.outputs {
            // It may never have been written.
            let _ = fs::remove_file(self.folder.join(output));
        }
    }
}

/// How a program ends that cannot be loaded: the loader's exit code, or a signal.
fn is_of_loader(status: ExitStatus) -> bool {
    !matches!(status.code(), Some(0..=4))
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [same, unknown, refused] = self.ends;
        writeln!(
            f,
            "{}: {} values, {} runs: {same} as without a limit, {unknown} unknown, {refused} not \
             read or not written, {} not loaded; {} failures",
            self.limit.name(),
            self.values,
            self.runs,
            self.not_started,
            self.failures.len()
        )?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "  {failure}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_swept_from_too_little_to_enough() {
        for limit in ALL {
            let values: Vec<u64> = (0..200).map(|number| limit.value(number, 200)).collect();
            assert!(values.is_sorted(), "{limit:?}");
            assert_eq!(limit.value(0, 1), values[0]);
        }
        assert_eq!(Limit::AddressSpace.value(0, 200), 40_000_000);
        assert!(Limit::AddressSpace.value(199, 200) >= 7_999_999_999);
        assert_eq!(Limit::Processes.value(199, 200), 200);
    }

    #[test]
    fn a_documented_exit_is_not_the_loaders() {
        let of_code = |code: i32| ExitStatus::from_raw(code << 8);
        assert!(!is_of_loader(of_code(2)) && !is_of_loader(of_code(4)));
        assert!(is_of_loader(of_code(127)) && is_of_loader(ExitStatus::from_raw(6)));
    }
}
