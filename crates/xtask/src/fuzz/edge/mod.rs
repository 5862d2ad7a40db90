//! The fuzzer for the edge of C: `cargo xtask fuzz --edge`.
//!
//! 1. `program` makes programs from templates (`parts`, `grammar`): library functions through
//!    pointers and tables, callbacks, bit-fields, packed records, unions, realloc, strings, goto,
//!    volatile locals, floats, weak and static symbols, other files, overridden initialisers.
//! 2. `compilers` runs each with all of its inputs, compiled by gcc and clang with sanitizers.
//!    Where the two disagree nothing is known.
//! 3. The values of the interpreter have to be those of the compiled programs (`interpretation`).
//! 4. What the runs show makes questions with known answers. The binary of Lakatos is asked, and a
//!    verdict that contradicts the answer is a finding.

mod compilers;
mod grammar;
mod interpretation;
mod parts;
mod program;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use tempfile::TempDir;

use self::compilers::{End, Run, Runs, run_all};
use self::program::{Program, program};
use super::truth::compile;
use crate::generate::Rng;
use crate::oracle::COMPILERS;
use crate::parallel;
use crate::reduce::reduce;

/// Programs that share an executable: with more the compiler's start is a small part of the time.
const BATCH: u64 = 20;
/// Each try compiles twice and runs Lakatos.
const MOST_TRIES: usize = 300;

/// How to fuzz.
#[derive(Clone, Debug)]
pub struct Options {
    pub first: u64,
    pub count: u64,
    /// The program to ask.
    pub lakatos: PathBuf,
    /// Seconds for each question.
    pub timeout: f64,
    /// Where findings are written.
    pub findings: Option<PathBuf>,
    /// Findings are made smaller.
    pub reduce: bool,
}

/// What a proof assumes that another file makes false.
const NO_OTHER_DEFINITION: &str = "assuming: no other file defines what is declared weak here";

/// A question with its answer.
#[derive(Clone, Debug)]
struct Question {
    text: String,
    other: String,
    property: &'static str,
    truth: Option<bool>,
}

/// A verdict that contradicts the runs, or no verdict at all.
#[derive(Clone, Debug)]
pub struct Finding {
    pub seed: u64,
    pub property: &'static str,
    pub truth: bool,
    pub said: String,
    pub parts: Vec<&'static str>,
    pub open: bool,
    pub text: String,
    pub other: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { seed, property, truth, said, parts, open, text, other } = self;
        let files = if *open { " (other files decide)" } else { "" };
        writeln!(
            f,
            "// property={property} args= truth={truth} got={said}; cause: {} (seed {seed}){files}; class=WRONG",
            parts.join(" + ")
        )?;
        if !other.is_empty() {
            writeln!(f, "// other file: {}", other.replace('\n', " "))?;
        }
        write!(f, "{text}")
    }
}

/// What was tried.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub programs: u64,
    /// Refused by a compiler, or different between the compilers.
    pub left_out: u64,
    pub questions: u64,
    /// Runs whose values were compared with those of the interpreter.
    pub values: u64,
    pub answers: BTreeMap<(&'static str, Option<bool>, String), u64>,
    pub findings: Vec<Finding>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { programs, left_out, questions, values, findings, .. } = self;
        writeln!(
            f,
            "{programs} programs ({left_out} left out), {questions} questions, {values} runs \
             interpreted, {} wrong answers",
            findings.len()
        )?;
        for ((property, truth, said), count) in &self.answers {
            let truth = truth.map_or("open".to_owned(), |truth| truth.to_string());
            writeln!(f, "  {property:15} {truth:5} {said:10} {count}")?;
        }
        Ok(())
    }
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.programs += other.programs;
        self.left_out += other.left_out;
        self.questions += other.questions;
        self.values += other.values;
        for (key, count) in other.answers {
            *self.answers.entry(key).or_default() += count;
        }
        self.findings.extend(other.findings);
    }
}

/// Whether the compilers that the fuzzer asks are there.
pub fn compilers_are_there() -> bool {
    let is_there = |name: &&str| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    COMPILERS.iter().all(is_there)
}

/// Tries the programs of the seeds. `watch` is told how many are done, and each finding.
pub fn fuzz(options: &Options, watch: impl Fn(u64, &[Finding]) + Sync) -> Result<Summary> {
    let end = options.first + options.count;
    let batches: Vec<(u64, u64)> = (options.first..end)
        .step_by(BATCH as usize)
        .map(|first| (first, (first + BATCH).min(end)))
        .collect();
    let done = AtomicU64::new(0);
    let tried = parallel::map(
        &batches,
        || Ok(TempDir::new()?),
        |dir, &(first, end)| {
            let summary = try_batch(options, first, end, dir.path())?;
            watch(done.fetch_add(end - first, Ordering::Relaxed) + end - first, &summary.findings);
            Ok(summary)
        },
    )?;
    let mut summary = Summary::default();
    tried.into_iter().for_each(|tried| summary.add(tried));
    Ok(summary)
}

/// The text of the program that a seed names, for looking at it.
pub fn show(seed: u64) -> String {
    program(seed).text("")
}

fn try_batch(options: &Options, first: u64, end: u64, dir: &Path) -> Result<Summary> {
    let programs: Vec<Program> = (first..end).map(program).collect();
    let texts: Vec<(String, String)> =
        programs.iter().map(|program| (program.observed(), program.other.clone())).collect();
    let [by_gcc, by_clang] = COMPILERS.map(|compiler| run_all(compiler, &texts, dir));
    let (by_gcc, by_clang) = (by_gcc?, by_clang?);
    let mut summary = Summary::default();
    for (program, (gcc, clang)) in programs.iter().zip(by_gcc.iter().zip(&by_clang)) {
        summary.programs += 1;
        match agreed(gcc, clang) {
            None => summary.left_out += 1,
            Some(runs) => {
                compare_values(program, runs, &mut summary);
                ask_all(options, program, runs, dir, &mut summary)?;
            }
        }
    }
    Ok(summary)
}

/// Holds the values of the interpreter against those of the compilers.
fn compare_values(program: &Program, runs: &[Run], summary: &mut Summary) {
    let text = program.printed();
    // Runs through functions of other files are not the same.
    let Some(compiled) = compile(&text).filter(|_| !program.open) else { return };
    for (run, values) in runs.iter().zip(interpretation::values(&compiled)) {
        let Some(values) = values.filter(|_| run.end == End::Returned && run.fault.is_none())
        else {
            continue;
        };
        summary.values += 1;
        if values != run.values {
            summary.findings.push(Finding {
                seed: program.seed,
                property: "interpretation",
                truth: false,
                said: format!("{values:?} instead of {:?}", run.values),
                parts: program.parts.clone(),
                open: program.open,
                text: text.clone(),
                other: program.other.clone(),
            });
            return;
        }
    }
}

/// The runs, if both compilers show the same.
fn agreed<'a>(gcc: &'a Runs, clang: &Runs) -> Option<&'a [Run]> {
    let (gcc, clang) = (gcc.as_ref()?, clang.as_ref()?);
    (gcc == clang).then_some(gcc)
}

fn ask_all(
    options: &Options,
    program: &Program,
    runs: &[Run],
    dir: &Path,
    summary: &mut Summary,
) -> Result<()> {
    for question in questions(program, runs) {
        let said = ask(options, &question, dir)?;
        summary.questions += 1;
        let key = (question.property, question.truth, said.clone());
        *summary.answers.entry(key).or_default() += 1;
        if !is_wrong(question.truth, &said) {
            continue;
        }
        let small = if options.reduce { minimise(options, &question, dir)? } else { question };
        let finding = Finding {
            seed: program.seed,
            property: small.property,
            truth: small.truth.unwrap_or_default(),
            said,
            parts: program.parts.clone(),
            open: program.open,
            text: small.text,
            other: small.other,
        };
        if let Some(folder) = &options.findings {
            let name = format!("edge_{}_{}.c", finding.seed, finding.property);
            fs::write(folder.join(name), finding.to_string())?;
        }
        summary.findings.push(finding);
    }
    Ok(())
}

/// Whether an answer contradicts the runs. Anything but a verdict is a fault, too.
fn is_wrong(truth: Option<bool>, said: &str) -> bool {
    match said {
        "true" => truth == Some(false),
        "false" => truth == Some(true),
        "assumed" | "unknown" => false,
        // A program that a compiler takes is no wrong input.
        _ => true,
    }
}

/// What the runs decide.
fn questions(program: &Program, runs: &[Run]) -> Vec<Question> {
    let mut rng = Rng::new(program.seed ^ 0x5eed);
    let make = |statement: &str, property, truth| Question {
        text: program.text(statement),
        other: program.other.clone(),
        property,
        truth,
    };
    let mut faults: Vec<_> = runs.iter().filter_map(|run| run.fault).collect();
    faults.sort();
    faults.dedup();
    if !faults.is_empty() {
        let named = faults.iter().filter_map(|fault| fault.property());
        return named.map(|property| make("", property, Some(false))).collect();
    }
    let safe = if program.open { None } else { Some(true) };
    let mut questions = Vec::new();
    if let Some((statement, is_reached)) = error(&mut rng, program, runs) {
        let truth = if is_reached { Some(false) } else { safe };
        questions.push(make(&statement, "unreach-call", truth));
    }
    let all_return = runs.iter().all(|run| run.end == End::Returned);
    let loses = runs.iter().any(|run| run.lost);
    match all_return && (loses || rng.percent(30)) {
        true => questions.push(make("", "valid-memtrack", if loses { Some(false) } else { safe })),
        false => {
            let properties =
                ["valid-deref", "valid-free", "no-overflow", "div-by-zero", "array-bounds"];
            let property = *rng.pick(&properties[..]);
            questions.push(make("", property, safe));
        }
    }
    questions
}

/// A call of the error function under a condition on one value, and whether a run reaches it.
fn error(rng: &mut Rng, program: &Program, runs: &[Run]) -> Option<(String, bool)> {
    let at = rng.below(program.parts.len());
    let seen: Vec<i32> = runs.iter().filter_map(|run| run.values.get(at).copied()).collect();
    if seen.is_empty() {
        return Some(("reach_error();\n".to_owned(), false));
    }
    let near = *rng.pick(&seen);
    let value = match rng.percent(50) {
        true => near,
        false => near.wrapping_add(rng.range(-9, 9) as i32),
    };
    Some((format!("if (o{at} == {value})\nreach_error();\n"), seen.contains(&value)))
}

fn ask(options: &Options, question: &Question, dir: &Path) -> Result<String> {
    fs::write(dir.join("asked.c"), &question.text)?;
    let output = Command::new(&options.lakatos)
        .current_dir(dir)
        .args(["verify", "--property", question.property, "--timeout"])
        .arg(options.timeout.to_string())
        .args(["--jobs", "1", "asked.c"])
        .stdin(Stdio::null())
        .output()
        .with_context(|| options.lakatos.display().to_string())?;
    let says = |text: &str| String::from_utf8_lossy(&output.stdout).contains(text);
    Ok(match output.status.code() {
        Some(0) if says(NO_OTHER_DEFINITION) => "assumed".to_owned(),
        Some(0) => "true".to_owned(),
        Some(1) => "false".to_owned(),
        Some(2) => "unknown".to_owned(),
        Some(code) => format!("exit {code}"),
        None => "a signal".to_owned(),
    })
}

/// A smaller question with the same wrong answer.
fn minimise(options: &Options, question: &Question, dir: &Path) -> Result<Question> {
    let said = ask(options, question, dir)?;
    let same = |text: &str| -> Result<bool> {
        let smaller = Question { text: text.to_owned(), ..question.clone() };
        if ask(options, &smaller, dir)? != said {
            return Ok(false);
        }
        let texts = [(smaller.text, smaller.other)];
        let [gcc, clang] = COMPILERS.map(|compiler| run_all(compiler, &texts, dir));
        let (gcc, clang) = (gcc?.remove(0), clang?.remove(0));
        let Some(runs) = agreed(&gcc, &clang) else { return Ok(false) };
        Ok(question.truth == truth(question.property, runs))
    };
    let text = reduce(&question.text, MOST_TRIES, |text| same(text).unwrap_or(false));
    Ok(Question { text, ..question.clone() })
}

/// What runs say about a property; `None`: they do not decide.
fn truth(property: &str, runs: &[Run]) -> Option<bool> {
    let violates = |run: &Run| match property {
        "unreach-call" => run.end == End::Reached,
        "valid-memtrack" => run.lost,
        _ => run.fault.and_then(|fault| fault.property()) == Some(property),
    };
    match runs.iter().any(violates) {
        true => Some(false),
        false => runs.iter().all(|run| run.fault.is_none()).then_some(true),
    }
}
