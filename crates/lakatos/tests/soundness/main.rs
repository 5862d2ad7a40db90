//! The programs in `corpus/soundness/`: `lakatos verify` never contradicts the truth in the header.
//! `corpus/README.md` describes the headers that are read here; `cargo xtask oracle` confirms the
//! truth with compilers.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use support::{Output, run_in};

/// Seconds for a program whose verdict has to be found, on a machine that does other work, too.
const TIMEOUT: &str = "120";
/// Seconds for a program that may be `unknown`: a wrong verdict comes quickly or not at all.
const SHORT_TIMEOUT: &str = "3";

/// A program with its header.
#[derive(Debug)]
struct Case {
    file: String,
    property: String,
    truth: bool,
    may_be_unknown: bool,
    /// Arguments for the command line that the header asks for.
    args: Vec<String>,
    cause: String,
}

impl Case {
    fn read(path: &Path) -> Result<Case, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let header = header(&text)?;
        let get = |key: &str| header.get(key).copied();
        let need = |key: &str| get(key).ok_or_else(|| format!("`{key}` is missing"));
        let mut args: Vec<String> =
            get("args").unwrap_or("").split_whitespace().map(str::to_owned).collect();
        for (key, flag) in
            [("data-model", "--data-model"), ("signed-overflow", "--signed-overflow")]
        {
            args.extend(get(key).into_iter().flat_map(|value| [flag.to_owned(), value.to_owned()]));
        }
        let name = path.file_name().ok_or("no name")?.to_str().ok_or("the name is not UTF-8")?;
        Ok(Case {
            file: name.to_owned(),
            property: need("property")?.to_owned(),
            truth: match need("verdict")? {
                "true" => true,
                "false" => false,
                other => return Err(format!("the verdict cannot be {other}")),
            },
            may_be_unknown: match get("allowed") {
                None => false,
                Some("unknown") => true,
                Some(other) => return Err(format!("`allowed` cannot be {other}")),
            },
            args,
            cause: get("cause").or(get("note")).ok_or("neither `cause` nor `note`")?.to_owned(),
        })
    }

    fn run(&self) -> Output {
        let timeout = if self.may_be_unknown { SHORT_TIMEOUT } else { TIMEOUT };
        let mut args = vec!["verify", "--property", &self.property, "--timeout", timeout];
        args.extend(self.args.iter().map(String::as_str));
        args.push(&self.file);
        run_in(&folder(), &args, &[], b"")
    }

    /// What is wrong with an answer.
    fn judge(&self, output: &Output) -> Option<String> {
        let said = match output.code {
            0 if self.truth => return None,
            1 if !self.truth => return None,
            2 if self.may_be_unknown => return None,
            0 => "WRONG: proved".to_owned(),
            1 => "WRONG: refuted".to_owned(),
            2 => "unknown".to_owned(),
            code => format!("exit code {code}"),
        };
        let Case { file, property, truth, cause, .. } = self;
        let Output { stdout, stderr, .. } = output;
        Some(format!("{file}: {said}, but {property} is {truth} ({cause})\n{stdout}{stderr}"))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/soundness")
}

/// The lines `// key: value` at the beginning. The order of the keys is free.
fn header(text: &str) -> Result<BTreeMap<&str, &str>, String> {
    let mut header = BTreeMap::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("no key in `{line}`"))?;
        if header.insert(key, value.trim()).is_some() {
            return Err(format!("`{key}` stands twice"));
        }
    }
    Ok(header)
}

/// All programs, in order of name.
fn cases() -> Vec<Case> {
    let entries = fs::read_dir(folder()).expect("the corpus is in the repository");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension() == Some("c".as_ref())).collect();
    paths.sort();
    let read =
        |path: &PathBuf| Case::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    paths.iter().map(read).collect()
}

/// Judges all cases, as many at a time as there are processors.
fn failures(cases: &[Case]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(at) else { return };
            if let Some(failure) = case.judge(&case.run()) {
                failures.lock().expect("no thread panicked").insert(at, failure);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, |n| n.get());
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    failures.into_inner().expect("no thread panicked").into_values().collect()
}

#[test]
fn no_verdict_contradicts_the_truth() {
    let cases = cases();
    assert!(!cases.is_empty());
    let failures = failures(&cases);
    assert!(
        failures.is_empty(),
        "{} of {} programs\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// The judgement bites: each kind of wrong answer is a failure, each right one is none.
#[test]
fn wrong_answers_are_failures() {
    let judge = |truth: bool, may_be_unknown: bool, code: i32| {
        let name = || String::from("x");
        let case = Case {
            file: name(),
            property: name(),
            truth,
            may_be_unknown,
            args: Vec::new(),
            cause: name(),
        };
        case.judge(&Output { code, stdout: String::new(), stderr: String::new() }).is_none()
    };
    for (truth, may_be_unknown, codes) in [
        (true, false, &[0][..]),
        (false, false, &[1]),
        (true, true, &[0, 2]),
        (false, true, &[1, 2]),
    ] {
        let fine: Vec<i32> = (0..6).filter(|&code| judge(truth, may_be_unknown, code)).collect();
        assert_eq!(fine, codes, "truth {truth}, unknown {may_be_unknown}");
    }
}
