//! Compilers as oracles for verdicts: gcc and clang with sanitizers run the programs of
//! `corpus/soundness/` with the inputs of their headers.
//!
//! 1. A program is compiled together with a harness that gives it the inputs and ends the run
//!    where an error function is called.
//! 2. A run shows a violation where the sanitizers report what the property excludes.
//! 3. `false` needs a run that shows the violation, `true` needs runs in which nothing is reported.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lakatos_ir::Property;
use tempfile::TempDir;
use wait_timeout::ChildExt;

use crate::parallel;
use crate::tidy::corpus::header;

/// No program of the corpus takes longer than a fraction of it.
const RUN_LIMIT: Duration = Duration::from_secs(20);

/// How the harness tells that an error function was called.
pub const ERROR_EXIT: i32 = 77;

/// The compilers that are asked, where they are there.
pub const COMPILERS: [&str; 2] = ["gcc", "clang"];

/// What the sanitizers have to be told: which reports end a run, and where they look.
pub const ENVIRONMENT: [(&str, &str); 3] = [
    ("ASAN_OPTIONS", "exitcode=78:detect_stack_use_after_return=1:allocator_may_return_null=1"),
    ("UBSAN_OPTIONS", "exitcode=78"),
    ("MSAN_OPTIONS", "exitcode=78"),
];

/// Inputs and error functions. The program may define each of them itself.
const HARNESS: &str = r#"
extern void _exit(int);
static const long long harness_inputs[] = { INPUTS };
static unsigned long harness_next;
static long long harness_input(void) {
    return harness_next + 1 < sizeof harness_inputs / sizeof *harness_inputs ? harness_inputs[harness_next++] : 0;
}
#define NONDET(type, name) __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)harness_input(); }
NONDET(_Bool, bool) NONDET(char, char) NONDET(unsigned char, uchar) NONDET(short, short)
NONDET(unsigned short, ushort) NONDET(int, int) NONDET(unsigned, uint) NONDET(unsigned, unsigned) NONDET(long, long)
NONDET(unsigned long, ulong) NONDET(long long, longlong) NONDET(unsigned long long, ulonglong)
NONDET(float, float) NONDET(double, double) NONDET(unsigned long, size_t) NONDET(void *, pointer)
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((weak)) void reach_error(void) { _exit(77); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(77); }
__attribute__((weak)) void __assert_fail(const char *a, const char *f, unsigned l, const char *n) { _exit(77); }
"#;

/// What became of the programs.
#[derive(Debug, Default)]
pub struct Summary {
    pub confirmed: usize,
    /// Without `inputs`, or for another machine than this.
    pub left_out: usize,
    pub problems: Vec<String>,
}

/// A program of the folder.
struct Program {
    path: PathBuf,
    property: Property,
    truth: bool,
    runs: Vec<String>,
    externals: String,
    oracle: Option<String>,
}

/// Asks the compilers about every program of a folder.
pub fn oracle(folder: &Path) -> Result<Summary> {
    let present: Vec<&str> = COMPILERS.into_iter().filter(|name| is_present(name)).collect();
    if present.is_empty() {
        bail!("neither gcc nor clang is there");
    }
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension() == Some(OsStr::new("c")));
    paths.sort();
    let judged = parallel::map(
        &paths,
        || Ok(TempDir::new()?),
        |dir, path| match Program::read(path)? {
            None => Ok(None),
            Some(program) => Ok(Some(program.problems(&present, dir.path())?)),
        },
    )?;
    let mut summary = Summary::default();
    for problems in judged {
        match problems {
            None => summary.left_out += 1,
            Some(problems) if problems.is_empty() => summary.confirmed += 1,
            Some(problems) => summary.problems.extend(problems),
        }
    }
    Ok(summary)
}

fn is_present(compiler: &str) -> bool {
    let asked = Command::new(compiler).arg("--version").stdout(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

impl Program {
    /// `None`: the compilers cannot be asked about it.
    fn read(path: &Path) -> Result<Option<Program>> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let header = header(&text);
        let get = |key: &str| header.iter().find(|(_, k, _)| *k == key).map(|(_, _, value)| *value);
        let need = |key: &str| get(key).with_context(|| format!("{}: no {key}", path.display()));
        let Some(inputs) = get("inputs") else { return Ok(None) };
        if get("data-model") == Some("ilp32") {
            return Ok(None);
        }
        Ok(Some(Program {
            path: path.to_owned(),
            property: need("property")?.parse().context("a property")?,
            truth: need("verdict")? == "true",
            runs: inputs.split(';').map(str::to_owned).collect(),
            externals: get("externals").unwrap_or("").to_owned(),
            oracle: get("oracle").map(str::to_owned),
        }))
    }

    fn problems(&self, compilers: &[&str], dir: &Path) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for compiler in compilers {
            let is_asked = self.oracle.as_ref().is_none_or(|only| only == compiler);
            // Only clang has a sanitizer for memory that was never written.
            let can_be_asked = self.property != Property::UninitialisedRead || *compiler == "clang";
            if is_asked
                && can_be_asked
                && let Some(problem) = self.problem(compiler, dir)?
            {
                problems.push(format!("{}: {compiler}: {problem}", self.path.display()));
            }
        }
        Ok(problems)
    }

    fn problem(&self, compiler: &str, dir: &Path) -> Result<Option<String>> {
        let mut shown = false;
        for run in &self.runs {
            let report = match self.run(compiler, dir, run)? {
                Ok(report) => report,
                Err(why) => return Ok(Some(why)),
            };
            shown |= report.violates(self.property);
            if self.truth && report.is_any() {
                return Ok(Some(format!("the inputs {run:?} show\n{}", report.text)));
            }
        }
        Ok((!self.truth && !shown).then(|| "no inputs show the violation".to_owned()))
    }

    /// Compiles and runs it once; the inner error tells why it could not be run.
    fn run(&self, compiler: &str, dir: &Path, inputs: &str) -> Result<Result<Report, String>> {
        let inputs: String = inputs.split(',').map(|v| format!("{}, ", v.trim())).collect();
        let inputs = inputs.trim_start_matches(", ").to_owned() + "0";
        let harness = HARNESS.replace("INPUTS", &inputs) + &self.externals + "\n";
        let (harness_path, binary) = (dir.join("harness.c"), dir.join("program"));
        fs::write(&harness_path, harness)?;
        let output = Command::new(compiler)
            .args(["-w", "-g", "-O0", "-std=gnu11", "-fno-builtin"])
            .args(sanitizers(self.property))
            .arg(&self.path)
            .arg(&harness_path)
            .args(["-lm", "-o"])
            .arg(&binary)
            .output()?;
        match output.status.success() {
            true => execute(&binary, &[], dir, self.property),
            false => Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned())),
        }
    }
}

/// The flags that make runs show violations of a property.
pub fn sanitizers(property: Property) -> &'static [&'static str] {
    match property {
        Property::UninitialisedRead => &["-fsanitize=memory"],
        Property::UnreachCall
        | Property::NoOverflow
        | Property::DivByZero
        | Property::ArrayBounds
        | Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::ValidMemsafety
        | Property::NullDeref
        | Property::UseAfterFree => &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    }
}

/// Runs a program and collects what the sanitizers say; the inner error: it did not end.
pub fn execute(
    binary: &Path,
    args: &[&str],
    dir: &Path,
    property: Property,
) -> Result<Result<Report, String>> {
    let said = dir.join("stderr");
    let leaks = matches!(property, Property::ValidMemtrack | Property::ValidMemsafety);
    let mut command = Command::new(binary);
    command.args(args).envs(ENVIRONMENT);
    command.env("LSAN_OPTIONS", if leaks { "detect_leaks=1" } else { "detect_leaks=0" });
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&said)?);
    let mut child = command.spawn()?;
    let Some(status) = child.wait_timeout(RUN_LIMIT)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Err("a run does not end".to_owned()));
    };
    let text = String::from_utf8_lossy(&fs::read(&said)?).into_owned();
    Ok(Ok(Report { code: status.code(), text }))
}

/// What a run showed.
#[derive(Clone, Debug)]
pub struct Report {
    /// None: a signal.
    pub code: Option<i32>,
    pub text: String,
}

impl Report {
    /// Whether the run reached an error or a sanitizer reported anything. A call of `abort` is a
    /// defined end.
    pub fn is_any(&self) -> bool {
        self.code == Some(ERROR_EXIT) || self.says(&["runtime error", "Sanitizer"])
    }

    /// Whether the run shows a violation of a property.
    pub fn violates(&self, property: Property) -> bool {
        match property {
            Property::UnreachCall => self.code == Some(ERROR_EXIT),
            Property::NoOverflow => {
                self.says(&["signed integer overflow", "negation of", "left shift", "division of"])
            }
            Property::DivByZero => self.says(&["division by zero"]),
            Property::ArrayBounds => self.says(&["out of bounds for type"]),
            Property::ValidDeref => self.is_bad_access(),
            Property::ValidFree => self.is_bad_free(),
            Property::ValidMemtrack => self.says(&["detected memory leaks"]),
            Property::ValidMemsafety => {
                self.is_bad_access() || self.is_bad_free() || self.says(&["detected memory leaks"])
            }
            Property::NullDeref => self.says(&["null pointer", "zero page"]),
            Property::UseAfterFree => self.says(&[
                "heap-use-after-free",
                "stack-use-after-scope",
                "stack-use-after-return",
            ]),
            Property::UninitialisedRead => self.says(&["use-of-uninitialized-value"]),
        }
    }

    fn is_bad_access(&self) -> bool {
        let access =
            ["use-after", "overflow on", "underflow on", "SEGV", "null pointer", "param-overlap"];
        self.says(&access) || self.says(&["out of bounds", "insufficient space"])
    }

    fn is_bad_free(&self) -> bool {
        self.says(&["double-free", "attempting free on", "attempting to call malloc_usable_size"])
    }

    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }
}
