//! A folder with one file of every kind that commands read, and what must hold of it after a run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

pub const SAFE: &str = "\
extern void reach_error(void);
int half(int n) { return n / 2; }
int main(void) {
    int i = half(2);
    while (i < 10) i++;
    if (i > 10) reach_error();
    return 0;
}
";

pub const BROKEN: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) reach_error();
    return 0;
}
";

/// No engine by itself is done with it soon.
pub const SLOW: &str = "\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = x;
    while (__VERIFIER_nondet_uint()) { x = x * x + 3; y = (y ^ x) * 7 + (x >> 3); }
    if (x == 2 && y == 12345) reach_error();
    return 0;
}
";

const LEMMA: &str = "/*@ lemma one: \\forall integer n; n + 1 > n; */\n";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const TASK: &str = "\
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: p.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
";
const INDEX: &str = "\
category\tfile\tproperty\tverdict
x\ta.c\tunreach-call\ttrue
x\tb.c\tunreach-call\tfalse
";

/// How a process ended, and what it said.
#[derive(Debug)]
pub struct Run {
    #[expect(dead_code, reason = "shown when a test fails")]
    args: Vec<String>,
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Debug)]
pub struct Folder {
    dir: TempDir,
    before: BTreeMap<String, Vec<u8>>,
}

impl Folder {
    /// With all the good files.
    pub fn new() -> Folder {
        let mut folder = Folder::with(&[]);
        for (name, bytes) in good_files() {
            folder.put(name, bytes);
        }
        folder
    }

    fn with(files: &[(&str, &str)]) -> Folder {
        let dir = TempDir::new().expect("a temporary folder");
        let mut folder = Folder { dir, before: BTreeMap::new() };
        for (name, text) in files {
            folder.put(name, text.as_bytes());
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A file that no run may change.
    pub fn put(&mut self, name: &str, bytes: &[u8]) {
        self.put_output(name, bytes);
        self.before.insert(name.to_owned(), bytes.to_vec());
    }

    /// A file that runs may replace.
    pub fn put_output(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the folder is writable");
    }

    /// A file that is gone, or something else by now.
    pub fn remove(&mut self, name: &str) {
        self.before.remove(name);
        fs::remove_file(self.path(name)).expect("it is there");
    }

    pub fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    /// The program in this folder, with nothing of our environment that it would listen to.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"));
        for name in ["CC", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    /// Runs it to its end, and looks at what is left.
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Run {
        self.finish(self.command(args), args)
    }

    #[track_caller]
    pub fn finish(&self, mut command: Command, args: &[&str]) -> Run {
        let output = command.output().expect("it can be started");
        let run = Run::new(args, output.status, &output.stdout, &output.stderr);
        self.look(&run);
        run
    }

    /// What must hold after every run.
    #[track_caller]
    pub fn look(&self, run: &Run) {
        let said = format!("{}{}", run.stdout, run.stderr);
        for word in ["panicked at", "This is a bug in lakatos", "overflowed its stack"] {
            assert!(!said.contains(word), "{run:?}");
        }
        assert_ne!(run.code, Some(4), "{run:?}");
        for (name, bytes) in &self.before {
            let now = fs::read(self.path(name)).ok();
            assert_eq!(now.as_ref(), Some(bytes), "{name} has changed: {run:?}");
        }
        for entry in fs::read_dir(self.dir.path()).expect("the folder is there") {
            let name = entry.expect("it can be listed").file_name();
            let name = name.to_str().expect("names are text");
            assert!(!name.starts_with(".lakatos-"), "{name} is left behind: {run:?}");
            assert_ne!(name, "-", "{run:?}");
            if !self.before.contains_key(name) {
                assert!(is_whole(&self.path(name)), "{name} is there by half: {run:?}");
            }
        }
    }
}

impl Run {
    pub fn new(args: &[&str], status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> Run {
        Run {
            args: args.iter().map(ToString::to_string).collect(),
            code: status.code(),
            signal: status.signal(),
            stdout: String::from_utf8_lossy(stdout).into_owned(),
            stderr: String::from_utf8_lossy(stderr).into_owned(),
        }
    }
}

/// What an output begins with that no run has touched.
pub const OLD: &str = "old\n";

/// Whether a file is what its name promises, from beginning to end. What is not there is.
pub fn is_whole(path: &Path) -> bool {
    let Ok(bytes) = fs::read(path) else { return true };
    if bytes == OLD.as_bytes() {
        return true;
    }
    let Ok(text) = String::from_utf8(bytes) else { return false };
    let between = |first: &str, last: &str| text.starts_with(first) && text.ends_with(last);
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "json" | "sarif" => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
        "jsonl" => {
            let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            text.ends_with('\n') && text.lines().all(row)
        }
        "xml" | "svg" => roxmltree::Document::parse(&text).is_ok(),
        "html" => between("<!doctype html>", "</html>\n"),
        "dot" => between("digraph", "}\n"),
        "smt2" => between("", "(check-sat)\n"),
        "yml" => between("- entry_type", "\n") && text.contains("content:"),
        "diff" => between("---", "\n"),
        "acsl" => between("/*@", ");\n"),
        "c" => text.contains("int main(void)") && text.ends_with("}\n"),
        _ => true,
    }
}

/// One of each kind, made once; the tool itself writes those that it writes.
fn good_files() -> &'static [(&'static str, Vec<u8>)] {
    static FILES: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let ours = [
            ("a.c", SAFE),
            ("b.c", BROKEN),
            ("slow.c", SLOW),
            ("l.acsl", LEMMA),
            ("p.prp", PROPERTY),
            ("task.yml", TASK),
            ("index.tsv", INDEX),
        ];
        let folder = Folder::with(&ours);
        let make: [(&str, &[&str]); 4] = [
            ("w.yml", &["verify", "a.c", "--data-model", "lp64", "--witness", "w.yml"]),
            ("c.json", &["contracts", "a.c", "--data-model", "lp64", "--json", "-o", "c.json"]),
            ("h.smt2", &["horn", "a.c", "--data-model", "lp64", "-o", "h.smt2"]),
            ("rows.jsonl", &["bench", "index.tsv", "-o", "rows.jsonl"]),
        ];
        let mut files: Vec<(&str, Vec<u8>)> =
            ours.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec();
        for (name, args) in make {
            let output = folder.command(args).output().expect("it can be started");
            assert!(output.status.success(), "{args:?}: {output:?}");
            files.push((name, fs::read(folder.path(name)).expect("it was written")));
        }
        files
    })
}

/// Nothing is forbidden to root; what shows in that only is left out, with a word about it.
pub fn is_root(what: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if root {
        eprintln!("left out, since root may do everything: {what}");
    }
    root
}
