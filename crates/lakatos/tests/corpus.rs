//! The programs in `corpus/`: the front-end takes them, and no run contradicts their verdict.
//! `corpus/README.md` describes the headers that are read here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{self, Interpreter, Keyed, Oracle, Outcome, Random};
use lakatos_ir::library::Effects;
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{
    DataModel, Diagnostic, InputKind, Procedure, Program, Property, Severity, SignedOverflow,
    SiteId, Source, Undefined,
};

/// A corpus file with its header.
struct Case {
    name: String,
    text: String,
    property: Property,
    verdict: bool,
    model: DataModel,
    signed_overflow: SignedOverflow,
    inputs: Option<Vec<i128>>,
    uninitialised: Vec<i128>,
}

const KEYS: [&str; 7] =
    ["property", "verdict", "data-model", "signed-overflow", "inputs", "uninitialised", "note"];

impl Case {
    fn read(path: &Path) -> Result<Case, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let header = header(&text)?;
        let get = |key: &str| header.get(key).copied();
        let need = |key: &str| get(key).ok_or_else(|| format!("`{key}` is missing"));
        need("note")?;
        Ok(Case {
            name: path.strip_prefix(corpus()).expect("inside the corpus").display().to_string(),
            property: need("property")?.parse().map_err(|error| format!("{error}"))?,
            verdict: choice(need("verdict")?, [("true", true), ("false", false)])?,
            model: choice(
                get("data-model").unwrap_or("lp64"),
                [("ilp32", DataModel::Ilp32), ("lp64", DataModel::Lp64)],
            )?,
            signed_overflow: choice(
                get("signed-overflow").unwrap_or("undefined"),
                [("undefined", SignedOverflow::Undefined), ("wrap", SignedOverflow::Wrap)],
            )?,
            inputs: get("inputs").map(integers).transpose()?,
            uninitialised: integers(get("uninitialised").unwrap_or(""))?,
            text,
        })
    }

    fn source(&self) -> Source {
        Source::new(self.name.as_str(), self.text.as_str())
    }

    fn front_end_options(&self) -> lakatos_c::Options {
        lakatos_c::Options::of_model(self.model)
    }

    fn compile(&self) -> Result<Program, String> {
        let compiled = lakatos_c::compile(self.source(), &self.front_end_options());
        let program = compiled.map_err(|failure| {
            let lines = failure
                .diagnostics
                .iter()
                .map(|d| format!("{}: {}", failure.source.position(d.span.start), d.message));
            lines.collect::<Vec<_>>().join("\n")
        })?;
        match lakatos_ir::validate::validate(&program).as_slice() {
            [] => Ok(program),
            problems => Err(format!("the program is not well formed: {problems:?}")),
        }
    }

    fn instrument(&self, program: Program) -> Program {
        let request = Request { properties: &[self.property], error_label: None, is_run: true };
        pass::instrument(program, &request).0
    }

    fn options(&self) -> interpret::Options {
        interpret::Options {
            signed_overflow: self.signed_overflow,
            max_steps: 1_000_000,
            max_depth: 100_000,
            ..interpret::Options::default()
        }
    }

    fn oracle(&self) -> Listed {
        Listed {
            inputs: self.inputs.clone().unwrap_or_default().into_iter(),
            uninitialised: self.uninitialised.clone().into_iter(),
        }
    }

    /// Whether a run ended with a violation of this file's property.
    fn is_violation(&self, outcome: &Outcome) -> bool {
        let kind = match outcome {
            Outcome::ErrorReached { .. } => return self.property == Property::UnreachCall,
            Outcome::Undefined { kind, .. } => *kind,
            _ => return false,
        };
        match self.property {
            Property::UnreachCall => false,
            Property::NoOverflow => kind == Undefined::SignedOverflow,
            Property::DivByZero => kind == Undefined::DivByZero,
            Property::ArrayBounds => kind == Undefined::OutOfBounds,
            memory => panic!("the corpus has no programs about {memory}"),
        }
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// All files of a folder, in order of name.
fn cases(folder: &str) -> Vec<Case> {
    let entries = fs::read_dir(corpus().join(folder)).expect("the corpus is in the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} is empty");
    let read = |path: &PathBuf| Case::read(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    paths.iter().map(read).collect()
}

fn header(text: &str) -> Result<BTreeMap<&str, &str>, String> {
    let mut header = BTreeMap::new();
    let mut last = 0;
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("no key in `{line}`"))?;
        let at = KEYS.iter().position(|k| *k == key).ok_or_else(|| format!("unknown key {key}"))?;
        if at < last || header.insert(key, value.trim()).is_some() {
            return Err(format!("`{key}` stands twice or in the wrong order"));
        }
        last = at;
    }
    Ok(header)
}

fn choice<T: Copy, const N: usize>(text: &str, choices: [(&str, T); N]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| format!("`{text}` is none of the choices"))
}

fn integers(text: &str) -> Result<Vec<i128>, String> {
    let parse = |word: &str| match word.trim().strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => word.trim().parse(),
    };
    let words = text.split(',').filter(|word| !word.trim().is_empty());
    words.map(|word| parse(word).map_err(|e| format!("`{word}`: {e}"))).collect()
}

/// The header's values, for each kind in order; then zero.
struct Listed {
    inputs: std::vec::IntoIter<i128>,
    uninitialised: std::vec::IntoIter<i128>,
}

impl Oracle for Listed {
    fn input(&mut self, request: &interpret::Request<'_>) -> i128 {
        let values = match request.kind {
            InputKind::Uninitialised => &mut self.uninitialised,
            InputKind::Nondet
            | InputKind::External
            | InputKind::Assembly
            | InputKind::Library
            | InputKind::Volatile
            | InputKind::Allocation => &mut self.inputs,
        };
        values.next().unwrap_or(0)
    }

    fn wants_elements(&self, _site: SiteId, kind: InputKind) -> bool {
        kind != InputKind::Uninitialised
    }
}

/// Runs a check over every case and reports all failures at once.
fn check_all(cases: &[Case], check: impl Fn(&Case) -> Result<(), String>) {
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| check(case).err().map(|error| format!("{}: {error}", case.name)))
        .collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn headers_agree_with_folders() {
    check_all(&cases("pos"), |case| match (case.verdict, &case.inputs) {
        (true, None) if case.uninitialised.is_empty() => Ok(()),
        _ => Err("pos/ means verdict: true, and no inputs".to_owned()),
    });
    check_all(&cases("neg"), |case| match (case.verdict, &case.inputs) {
        (false, Some(_)) => Ok(()),
        _ => Err("neg/ means verdict: false, and inputs".to_owned()),
    });
}

#[test]
fn neg_programs_fail_with_their_inputs() {
    check_all(&cases("neg"), |case| {
        let program = case.compile()?;
        let run = interpret::run(&program, &case.options(), &mut case.oracle());
        match case.is_violation(&run.outcome) {
            true => Ok(()),
            false => Err(format!("no violation of {}: {:?}", case.property, run.outcome)),
        }
    });
}

/// What the engines will see fails like the original: at the same place, with the same inputs.
#[test]
fn neg_programs_fail_after_passes() {
    check_all(&cases("neg"), |case| {
        let program = case.compile()?;
        let instrumented = case.instrument(program);
        let (folded, _) = pass::constants(instrumented.clone());
        let (small, _) = pass::dead_code(folded.clone());
        let (blocks, _) = pass::large_blocks(small.clone());
        let mut found = Vec::new();
        for (name, program) in [
            ("instrument", &instrumented),
            ("constants", &folded),
            ("dead_code", &small),
            ("large_blocks", &blocks),
        ] {
            let run = interpret::run(program, &case.options(), &mut case.oracle());
            match run.outcome {
                Outcome::Violated(violation) if violation.property == case.property => {
                    found.push(violation.span);
                }
                outcome => return Err(format!("{name}: {outcome:?}")),
            }
        }
        found.dedup();
        match found.as_slice() {
            [_] => Ok(()),
            _ => Err(format!("violated at different places: {found:?}")),
        }
    });
}

/// The inputs, given by site as an engine gives them, are a refutation; of nothing else.
#[test]
fn neg_programs_replay() {
    check_all(&cases("neg"), |case| {
        let program = case.instrument(case.compile()?);
        let run = interpret::run(&program, &case.options(), &mut case.oracle());
        let keyed: Keyed =
            run.inputs.iter().map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
        let replay = |property| Refutation::replay(&program, property, &case.options(), &keyed);
        let found = replay(case.property)
            .map_err(|reason| format!("does not replay: {}", reason.describe(&program.source)))?;
        if Outcome::Violated(found.violation().clone()) != run.outcome {
            return Err(format!("another violation: {:?}", found.violation()));
        }
        if found.inputs() != run.inputs {
            return Err(format!("other inputs: {:?}", found.inputs()));
        }
        // Who reads what was never written violates that, too.
        let reads = run.inputs.iter().any(|input| input.kind == InputKind::Uninitialised);
        let is_other =
            |p: Property| p != case.property && !(reads && p == Property::UninitialisedRead);
        match Property::ALL.into_iter().find(|&p| is_other(p) && replay(p).is_ok()) {
            Some(other) => Err(format!("replays as {other}")),
            None => Ok(()),
        }
    });
}

#[test]
fn pos_programs_do_not_fail() {
    const SEEDS: u64 = 40;
    check_all(&cases("pos"), |case| {
        let program = case.compile()?;
        let instrumented = case.instrument(program.clone());
        let (interpreter, watched) = (Interpreter::new(&program), Interpreter::new(&instrumented));
        for seed in 0..SEEDS {
            let run = interpreter.run(&case.options(), &mut Random::new(seed));
            if case.is_violation(&run.outcome) {
                return Err(format!("seed {seed}: {:?}, {:?}", run.outcome, run.inputs));
            }
            let again = watched.run(&case.options(), &mut Random::new(seed));
            if let Outcome::Violated(violation) = again.outcome {
                return Err(format!("seed {seed}, instrumented: {violation:?}"));
            }
            if let Outcome::Unsupported { what, .. } = run.outcome {
                return Err(format!("seed {seed}: unsupported: {what}"));
            }
            if run.inputs.is_empty() {
                break;
            }
        }
        Ok(())
    });
}

/// What is not supported must say so. Two programs are taken, but nothing can be shown about
/// them: one is too slow, one assumes too little. Others call a function that has no model.
#[test]
fn todo_programs_are_unsupported() {
    const TAKEN: [&str; 2] = ["todo/inline_assembly.c", "todo/wrap_by_three_32.c"];
    check_all(&cases("todo"), |case| {
        let compiled = lakatos_c::compile(case.source(), &case.front_end_options());
        let is_error = |d: &Diagnostic| d.severity == Severity::Error;
        match (compiled, TAKEN.contains(&case.name.as_str())) {
            (Ok(_), true) => Ok(()),
            (Ok(program), false) if lacks_a_model(&program) => Ok(()),
            (Ok(_), false) => Err("it is taken: does it belong to pos or neg now?".to_owned()),
            (Err(failure), false) if !failure.diagnostics.iter().any(is_error) => Ok(()),
            (Err(failure), _) => Err(format!("refused as an error: {:?}", failure.diagnostics)),
        }
    });
}

fn lacks_a_model(program: &Program) -> bool {
    let needs_model = |proc: &Procedure| proc.unmodelled() == Some(Effects::Unbounded);
    program.procs.iter().any(|(_, proc)| needs_model(proc))
}
