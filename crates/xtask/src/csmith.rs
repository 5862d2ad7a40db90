//! Programs of Csmith (`apt-get install csmith libcsmith-dev`), run by the compiler's machine and by
//! ours. They have no undefined behaviour, and print a checksum of all that they have computed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use lakatos_ir::{DataModel, SignedOverflow};
use tempfile::TempDir;

use crate::cc::{Build, Compiler, Ran};
use crate::lakatos::{Answer, Machine};
use crate::parallel;
use crate::validate::describe;

/// The default set (which has no floats) without `volatile`.
const FLAGS: [&str; 2] = ["--no-volatiles", "--no-volatile-pointers"];

/// A program that takes more is not compared.
const MOST_STEPS: u64 = 200_000_000;

/// Where the headers of the system are.
const FOLDERS: [&str; 2] = ["/usr/include", "/usr/local/include"];

#[derive(Clone, Debug)]
pub struct Options {
    /// Of the programs that Csmith makes from these seeds.
    pub first: u64,
    pub count: u64,
    pub command: PathBuf,
    /// The folder of `csmith.h`; looked for if it is not given.
    pub headers: Option<PathBuf>,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Agrees,
    /// The compiled program does not end in time.
    Endless,
    /// The compiled program ends, the interpreter has too many steps to do.
    TooLong,
    /// Lakatos does not know something, and says so.
    Unsupported(String),
    Disagrees {
        ours: Answer,
        theirs: String,
    },
}

/// What became of all of them, by seed.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub programs: Vec<(u64, Comparison)>,
}

impl Summary {
    fn count(&self, of: &Comparison) -> usize {
        self.programs.iter().filter(|(_, became)| became == of).count()
    }

    /// Nothing is wrong, nothing is unsupported, and something was compared.
    pub fn passes(&self) -> bool {
        let agree = self.count(&Comparison::Agrees);
        let skipped = self.count(&Comparison::Endless) + self.count(&Comparison::TooLong);
        agree > 0 && agree + skipped == self.programs.len()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut causes: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (seed, became) in &self.programs {
            match became {
                Comparison::Unsupported(cause) => causes.entry(cause).or_default().push(*seed),
                Comparison::Disagrees { ours, theirs } => {
                    writeln!(f, "seed {seed} disagrees")?;
                    writeln!(f, "  Lakatos: {}", ours.describe().trim_end())?;
                    writeln!(f, "  the compiler: {}", theirs.trim_end())?;
                }
                Comparison::Agrees | Comparison::Endless | Comparison::TooLong => {}
            }
        }
        for (cause, seeds) in causes {
            writeln!(f, "{} programs {cause}: seeds {seeds:?}", seeds.len())?;
        }
        writeln!(f, "{} programs of Csmith", self.programs.len())?;
        writeln!(
            f,
            "  {} have the checksum of the compiled program",
            self.count(&Comparison::Agrees)
        )?;
        writeln!(
            f,
            "  {} skipped: the compiled program does not end",
            self.count(&Comparison::Endless)
        )?;
        writeln!(f, "  {} skipped: too many steps", self.count(&Comparison::TooLong))
    }
}

/// Compares the programs of all seeds; `None` where Csmith is absent.
pub fn csmith(options: &Options, progress: impl Fn(usize) + Sync) -> Result<Option<Summary>> {
    let Some(headers) = options.headers.clone().or_else(find_headers) else { return Ok(None) };
    if !works(options)? {
        return Ok(None);
    }
    let seeds: Vec<u64> = (options.first..options.first + options.count).collect();
    let done = AtomicUsize::new(0);
    let programs = parallel::map(&seeds, Compiler::new, |compiler, &seed| {
        let text = compiler.preprocess(&generate(options, seed)?, &headers)?;
        let became = compare(compiler, &text)?;
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Ok((seed, became))
    })?;
    Ok(Some(Summary { programs }))
}

/// The folder of `csmith.h`, which may have the version in its name.
fn find_headers() -> Option<PathBuf> {
    let entries = FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.into_iter().find(|folder| folder.join("csmith.h").is_file())
}

fn works(options: &Options) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let version = run_in(&folder, options).arg("--version").output();
    Ok(version.is_ok_and(|output| output.status.success()))
}

/// Csmith writes a file of its own into the folder that it runs in.
fn run_in(folder: &TempDir, options: &Options) -> Command {
    let mut command = Command::new(&options.command);
    command.current_dir(folder.path());
    command
}

fn generate(options: &Options, seed: u64) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let output =
        run_in(&folder, options).args(FLAGS).args(["--seed", &seed.to_string()]).output()?;
    if !output.status.success() {
        bail!("Csmith fails with seed {seed}");
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn compare(compiler: &Compiler, text: &str) -> Result<Comparison> {
    let model = DataModel::Lp64;
    let theirs = compiler.run(text, model, Build::Plain)?;
    if theirs == Ran::TimedOut {
        return Ok(Comparison::Endless);
    }
    let signed_overflow = SignedOverflow::Undefined;
    let machine = Machine { model, signed_overflow, max_steps: MOST_STEPS, seed: None };
    let ours = machine.execute(text);
    Ok(match (&ours, &theirs) {
        (Answer::Exited { code, stdout }, Ran::Exited { code: c, stdout: s, .. })
            if code == c && stdout == s =>
        {
            Comparison::Agrees
        }
        (Answer::Unfinished, _) => Comparison::TooLong,
        (Answer::Refused(why) | Answer::Stopped(why), _) if why.contains("unsupported: ") => {
            Comparison::Unsupported(ours.kind())
        }
        _ => Comparison::Disagrees { theirs: describe(&theirs), ours },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(programs: &[Comparison], passes: bool, said: &str) {
        let programs = (1..).zip(programs.iter().cloned()).collect();
        let summary = Summary { programs };
        assert_eq!((summary.passes(), summary.to_string().as_str()), (passes, said));
    }

    fn counts(all: usize, agree: usize, endless: usize, long: usize) -> String {
        format!(
            "{all} programs of Csmith\n  {agree} have the checksum of the compiled program\n  \
             {endless} skipped: the compiled program does not end\n  {long} skipped: too many steps\n"
        )
    }

    #[test]
    fn only_agreement_passes() {
        use Comparison::*;
        check(&[], false, &counts(0, 0, 0, 0));
        check(&[Endless], false, &counts(1, 0, 1, 0));
        check(&[Agrees, Endless, TooLong], true, &counts(3, 1, 1, 1));
        let unsupported = Unsupported("refused: unsupported: labels as values".to_string());
        let cause = "2 programs refused: unsupported: labels as values: seeds [2, 3]\n";
        check(
            &[Agrees, unsupported.clone(), unsupported],
            false,
            &(cause.to_string() + &counts(3, 1, 0, 0)),
        );
        let ours = Answer::Exited { code: 0, stdout: b"checksum = 1\n".to_vec() };
        let disagrees = Disagrees { ours, theirs: "exit code 0\nchecksum = 2\n".to_string() };
        let shown = "seed 2 disagrees\n  Lakatos: exit code 0\nchecksum = 1\n  \
                     the compiler: exit code 0\nchecksum = 2\n";
        check(&[Agrees, disagrees], false, &(shown.to_string() + &counts(2, 1, 0, 0)));
    }
}
