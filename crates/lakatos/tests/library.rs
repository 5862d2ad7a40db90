//! The programs in `examples/library`: correct ones run without undefined behaviour, broken ones
//! show it with the inputs of the table in `examples/library/README.md`, in the interpreter and
//! under the compiler's sanitizers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lakatos_ir::interpret::{InOrder, Interpreter, Options, Oracle, Outcome, Random, Request};
use lakatos_ir::{InputKind, Program, SiteId, Source, Type, Undefined};
use tempfile::TempDir;

/// How often each correct program is run.
const RUNS: u64 = 200;

/// Undefined behaviour as the table calls it.
const KINDS: [(&str, Undefined); 7] = [
    ("out of bounds", Undefined::OutOfBounds),
    ("invalid free", Undefined::InvalidFree),
    ("dangling pointer", Undefined::Dangling),
    ("null pointer", Undefined::NullDeref),
    ("shift out of range", Undefined::ShiftOutOfRange),
    ("signed overflow", Undefined::SignedOverflow),
    ("division by zero", Undefined::DivByZero),
];

/// A row of the table.
struct Broken {
    file: String,
    kind: Undefined,
    line: u32,
    inputs: Vec<i128>,
    /// What the sanitizers say.
    words: String,
}

impl Broken {
    fn read(row: &str) -> Broken {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [file, _, kind, line, inputs, words] = cells[..] else { panic!("not a row: {row}") };
        let named = KINDS.iter().find(|(name, _)| *name == kind);
        let number = |word: &str| word.trim().parse().unwrap_or_else(|_| panic!("{word} in {row}"));
        Broken {
            file: file.trim_matches('`').to_owned(),
            kind: named.unwrap_or_else(|| panic!("unknown kind: {row}")).1,
            line: line.parse().unwrap_or_else(|_| panic!("no line: {row}")),
            inputs: inputs.split(',').map(number).collect(),
            words: words.to_owned(),
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library")
}

fn table() -> Vec<Broken> {
    let text = fs::read_to_string(folder().join("README.md")).expect("it is in the repository");
    text.lines().filter(|line| line.starts_with("| `")).map(Broken::read).collect()
}

/// The correct programs, whose broken versions are the table's.
fn correct() -> Vec<String> {
    let name = |broken: &Broken| broken.file.replace("_broken.c", ".c");
    table().iter().map(name).collect()
}

#[track_caller]
fn compile(file: &str) -> Program {
    let text = fs::read_to_string(folder().join(file)).expect("the table names files");
    let compiled = lakatos_c::compile(Source::new(file, text), &lakatos_c::Options::default());
    compiled.unwrap_or_else(|failure| panic!("{file}: {:?}", failure.diagnostics))
}

/// Random values, often such that a harness goes on: small numbers, and letters that matter.
struct Likely(Random);

impl Oracle for Likely {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        const LETTERS: &[u8] = b" ,az09\"=\0\x80\xc3\xe2\xf0\xff";
        let bits = self.0.bits();
        let small = i128::from(bits >> 8 & 7);
        match request.ty {
            Type::Int(ty) if ty.bits == 8 && bits & 1 == 0 => {
                i128::from(LETTERS[(bits >> 8) as usize % LETTERS.len()])
            }
            Type::Int(ty) if ty.bits > 8 && bits & 3 != 0 => {
                if ty.signed && bits & 4 == 0 {
                    -small
                } else {
                    small
                }
            }
            _ => self.0.input(request),
        }
    }

    fn wants_elements(&self, site: SiteId, kind: InputKind) -> bool {
        self.0.wants_elements(site, kind)
    }
}

/// Runs a correct program; returns what it was given, run by run.
#[track_caller]
fn check_correct(file: &str) -> Vec<Vec<i128>> {
    let program = compile(file);
    let interpreter = Interpreter::new(&program);
    let run = |seed| {
        let run = interpreter.run(&Options::default(), &mut Likely(Random::new(seed)));
        assert_eq!(run.outcome, Outcome::Exited(0), "{file}, seed {seed}: {:?}", run.inputs);
        let asked = run.inputs.iter().filter(|input| input.kind == InputKind::Nondet);
        asked.map(|input| input.value).collect()
    };
    (0..RUNS).map(run).collect()
}

#[test]
fn every_program_is_in_the_table() {
    let mut named: Vec<String> = table().into_iter().map(|broken| broken.file).collect();
    named.extend(correct());
    let entries = fs::read_dir(folder()).expect("it is in the repository");
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut there: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
    assert_eq!(named.len(), 40);
}

/// The runs are not all over at once: many get behind the bounds of the harness.
#[test]
fn correct_programs_are_defined() {
    for file in correct() {
        let runs = check_correct(&file);
        let long = runs.iter().filter(|inputs| inputs.len() > 3).count();
        assert!(long >= 40, "{file}: only {long} runs take more than three inputs");
    }
}

#[test]
fn broken_programs_are_undefined_where_the_table_says() {
    for broken in table() {
        let program = compile(&broken.file);
        let mut oracle = InOrder::new(broken.inputs);
        let run = Interpreter::new(&program).run(&Options::default(), &mut oracle);
        let Outcome::Undefined { kind, span, message } = run.outcome else {
            panic!("{}: {:?}", broken.file, run.outcome)
        };
        let line = program.source.position(span.start).line;
        assert_eq!((kind, line), (broken.kind, broken.line), "{}: {message}", broken.file);
    }
}

/// A C compiler with sanitizers, and a folder for what it makes.
struct Sanitizers(TempDir);

impl Sanitizers {
    /// None where the compiler has no sanitizers, which is said.
    fn find() -> Option<Sanitizers> {
        let found = Sanitizers(TempDir::new().expect("a temporary folder"));
        let empty = found.0.path().join("empty.c");
        fs::write(&empty, "int main(void) { return 0; }\n").expect("the folder is writable");
        let works =
            found.build(&empty).is_ok_and(|out| out.status.success()) && found.execute(&[]).is_ok();
        if !works {
            eprintln!("skipped: there is no C compiler with -fsanitize=address,undefined");
        }
        works.then_some(found)
    }

    fn build(&self, file: &Path) -> std::io::Result<Output> {
        let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/inputs.c");
        Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
            .args(["-std=gnu11", "-w", "-g", "-Dmain=program_main"])
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"])
            .arg(self.0.path().join("program"))
            .args([file, &support])
            .output()
    }

    /// Runs what was built, once for each list of inputs: what it says if something is wrong.
    fn execute(&self, runs: &[Vec<i128>]) -> Result<(), String> {
        let line = |inputs: &Vec<i128>| {
            let numbers = inputs.iter().map(|&value| format!("{:x}", value as u64));
            numbers.collect::<Vec<_>>().join(" ") + "\n"
        };
        let path = self.0.path().join("inputs");
        fs::write(&path, runs.iter().map(line).collect::<String>()).expect("it is writable");
        // Leaks are looked for by stopping all threads, which not every machine allows.
        let output = Command::new(self.0.path().join("program"))
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .arg(path)
            .output()
            .map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    #[track_caller]
    fn build_example(&self, file: &str) {
        let output = self.build(&folder().join(file)).expect("it ran before");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{file}: {said}");
    }
}

#[test]
fn sanitizers_have_nothing_against_correct_programs() {
    let Some(sanitizers) = Sanitizers::find() else { return };
    for file in correct() {
        sanitizers.build_example(&file);
        let said = sanitizers.execute(&check_correct(&file));
        assert_eq!(said, Ok(()), "{file}");
    }
}

#[test]
fn sanitizers_report_what_the_table_says() {
    let Some(sanitizers) = Sanitizers::find() else { return };
    for Broken { file, line, inputs, words, .. } in table() {
        sanitizers.build_example(&file);
        let said = sanitizers.execute(&[inputs]).expect_err(&file);
        let place = format!("{file}:{line}");
        let first = said.lines().find(|line| line.contains(&file)).unwrap_or_default();
        assert!(first.contains(&place) && said.contains(&words), "{place}, {words}:\n{said}");
    }
}
