//! The soundness fuzzer: random small programs whose truth is known, since they are run with all
//! their inputs, are given to the engine in many settings. A proof where an input reaches the
//! error, a refutation where none does, and a panic are findings, and are made small.
//!
//! The rooms: `program` makes programs with places for errors, `assertion` their conditions,
//! `truth` runs them, `edge` is a fuzzer of its own for what is not arithmetic, `proofs` changes proofs of them, `configuration` chooses settings, `engine` runs the engine under limits, and
//! this one compares. A seed names a program with its settings; time is the only thing that may
//! turn a verdict into `unknown` on another machine.

mod assertion;
mod configuration;
pub mod edge;
mod engine;
mod program;
pub mod proofs;
mod truth;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use lakatos_ir::{Property, SignedOverflow};

pub use self::configuration::Engines;
use self::configuration::{Configuration, configurations};
use self::engine::{End, Runner};
use self::truth::{Question, compile, truth};
use crate::generate::Rng;
use crate::parallel;
use crate::reduce::reduce;

/// Seeds from here on name programs about memory.
pub const MEMORY: u64 = 1 << 32;

/// Each try runs the engine once.
const MOST_TRIES: usize = 1_500;

/// How to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub first: u64,
    pub count: u64,
    /// Of each run; none: only the nodes end it, and the answers are the same everywhere.
    pub timeout: Option<Duration>,
    /// Of each run.
    pub nodes: usize,
    /// Settings for each program.
    pub settings: usize,
    pub engines: Engines,
}

/// A wrong verdict or a panic.
#[derive(Clone, Debug)]
pub struct Finding {
    pub seed: u64,
    pub question: Question,
    pub configuration: Configuration,
    pub end: End,
    /// Inputs with which the program fails.
    pub violated_by: Option<Vec<i128>>,
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// seed {}: {:?}, but {}", self.seed, self.end, said(&self.violated_by))?;
        writeln!(f, "// {:?}", self.question)?;
        writeln!(f, "// {}", self.configuration)?;
        write!(f, "{}", self.text)
    }
}

fn said(violated_by: &Option<Vec<i128>>) -> String {
    match violated_by {
        Some(inputs) => format!("the inputs {inputs:?} violate the property"),
        None => "no input violates the property".to_string(),
    }
}

/// What was tried.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub safe: u64,
    pub unsafe_: u64,
    /// Seeds whose program has no known truth.
    pub left_out: u64,
    pub runs: u64,
    /// How runs ended, for each domain and way of popping, and for safe and unsafe programs.
    pub ends: BTreeMap<String, BTreeMap<(bool, &'static str), u64>>,
    pub findings: Vec<Finding>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { safe, unsafe_, left_out, runs, ends, .. } = self;
        writeln!(
            f,
            "{safe} programs are safe, {unsafe_} are not ({left_out} left out), {runs} runs"
        )?;
        for (setting, ends) in ends {
            for is_safe in [true, false] {
                let some = ends.iter().filter(|((safe, _), _)| *safe == is_safe);
                let shown: Vec<String> = some.map(|((_, e), n)| format!("{n} {e}")).collect();
                let kind = if is_safe { "safe" } else { "unsafe" };
                writeln!(f, "  {setting:20} {kind:7} {}", shown.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Tries the programs of the seeds. `watch` is told how many are done, and what the last one
/// showed.
pub fn fuzz(options: &Options, watch: impl Fn(usize, &[Finding]) + Sync) -> Result<Summary> {
    let seeds: Vec<u64> = (options.first..options.first + options.count).collect();
    let done = AtomicUsize::new(0);
    let tried = parallel::map(
        &seeds,
        || Ok(Runner::new()?),
        |runner, &seed| {
            let tried = try_seed(runner, options, seed)?;
            let findings = tried.as_ref().map_or(&[][..], |tried| &tried.findings);
            watch(done.fetch_add(1, Ordering::Relaxed) + 1, findings);
            Ok(tried)
        },
    )?;
    let mut summary = Summary::default();
    tried.into_iter().for_each(|tried| summary.add(tried));
    Ok(summary)
}

/// A program and how runs on it ended.
struct Tried {
    safe: bool,
    ends: Vec<(Configuration, End)>,
    findings: Vec<Finding>,
}

impl Summary {
    /// How many runs on safe or unsafe programs ended so.
    pub fn count(&self, safe: bool, end: &'static str) -> u64 {
        self.ends.values().filter_map(|ends| ends.get(&(safe, end))).sum()
    }

    fn add(&mut self, tried: Option<Tried>) {
        let Some(Tried { safe, ends, findings }) = tried else {
            self.left_out += 1;
            return;
        };
        match safe {
            true => self.safe += 1,
            false => self.unsafe_ += 1,
        }
        for (configuration, end) in ends {
            self.runs += 1;
            *self
                .ends
                .entry(configuration.kind())
                .or_default()
                .entry((safe, end.name()))
                .or_default() += 1;
        }
        self.findings.extend(findings);
    }
}

/// `None`: no program with a known truth.
fn try_seed(runner: &mut Runner, options: &Options, seed: u64) -> Result<Option<Tried>> {
    let known = task(seed).and_then(|(text, question)| {
        let program = compile(&text)?;
        let truth = truth(&program, question)?;
        Some((text, question, Arc::new(program), truth))
    });
    let Some((text, question, program, truth)) = known else { return Ok(None) };
    let safe = truth.violated_by.is_none();
    let mut tried = Tried { safe, ends: Vec::new(), findings: Vec::new() };
    for configuration in configurations(seed, options.settings, options.engines) {
        let end = runner.solve(&program, question, configuration, options)?;
        if end.is_wrong(safe) {
            tried.findings.push(Finding {
                seed,
                question,
                configuration,
                end: end.clone(),
                violated_by: truth.violated_by.clone(),
                text: text.clone(),
            });
        }
        tried.ends.push((configuration, end));
    }
    Ok(Some(tried))
}

/// A program with what may stand in its places for errors.
struct Made {
    program: program::Program,
    question: Question,
    /// Errors that no run reaches.
    unreachable: Vec<String>,
    /// An error that a run reaches, and whether it stands there.
    reachable: Option<(usize, String)>,
    is_reached: bool,
}

/// The program that a seed names, and what is asked about it; `None`: it takes too long to run.
pub fn task(seed: u64) -> Option<(String, Question)> {
    let Made { program, question, mut unreachable, reachable, is_reached } = made(seed)?;
    if question.property != Property::UnreachCall {
        return Some((program.text(|_| ";".to_string()), question));
    }
    if is_reached && let Some((at, error)) = reachable {
        unreachable[at] = error;
    }
    Some((program.text(|slot| unreachable[slot].clone()), question))
}

/// The program that a seed names without any error that is reached, and with one.
fn siblings(seed: u64) -> Option<(String, String, Question)> {
    let Made { program, question, unreachable, reachable, .. } = made(seed)?;
    let safe = program.text(|slot| unreachable.get(slot).cloned().unwrap_or_default());
    let (at, error) = reachable?;
    let violating = program.text(|slot| match slot == at {
        true => error.clone(),
        false => unreachable[slot].clone(),
    });
    Some((safe, violating, question))
}

fn made(seed: u64) -> Option<Made> {
    let mut rng = Rng::new(seed);
    let signed_overflow = match rng.percent(15) {
        true => SignedOverflow::Wrap,
        false => SignedOverflow::Undefined,
    };
    let property = match (rng.below(20), signed_overflow) {
        (0, SignedOverflow::Undefined) => Property::NoOverflow,
        (1, _) => Property::DivByZero,
        _ => Property::UnreachCall,
    };
    let question = Question { property, signed_overflow };
    let made = program::program(&mut rng, seed >= MEMORY);
    let (unreachable, reachable, is_reached) = (Vec::new(), None, false);
    let plain = Made { program: made, question, unreachable, reachable, is_reached };
    if property != Property::UnreachCall {
        return Some(plain);
    }
    let slots = &plain.program.slots;
    let probes = plain.program.text(|slot| assertion::probe(slot, &slots[slot]));
    let printed = truth(&compile(&probes)?, question)?.printed;
    let seen = assertion::seen(slots.len(), &printed);
    let unreachable: Vec<String> = slots
        .iter()
        .zip(&seen)
        .map(|(slot, seen)| assertion::unreachable(&mut rng, slot, seen))
        .collect();
    let is_reached = rng.percent(65);
    let at = rng.below(slots.len());
    let reachable = assertion::reachable(&mut rng, &slots[at], &seen[at]).map(|error| (at, error));
    Some(Made { unreachable, reachable, is_reached, ..plain })
}

/// A smaller program with the same kind of finding.
pub fn minimise(finding: &Finding, options: &Options) -> Result<Finding> {
    let kind = finding.end.name();
    let mut runner = Runner::new()?;
    let mut again = |text: &str| {
        let program = compile(text).filter(|_| is_restricted(text))?;
        let truth = truth(&program, finding.question)?;
        let (program, configuration) = (Arc::new(program), finding.configuration);
        let end = runner.solve(&program, finding.question, configuration, options).ok()?;
        let same = end.is_wrong(truth.violated_by.is_none()) && end.name() == kind;
        same.then_some((end, truth.violated_by))
    };
    let text = reduce(&finding.text, MOST_TRIES, |text| again(text).is_some());
    Ok(match again(&text) {
        Some((end, violated_by)) => Finding { text, end, violated_by, ..finding.clone() },
        None => finding.clone(),
    })
}

/// Whether every integer input is still restricted where it comes in; the truth of others is not
/// known by running.
fn is_restricted(text: &str) -> bool {
    let asks = |line: &&str| line.contains("nondet_int()") || line.contains("nondet_uint()");
    text.lines().filter(asks).all(|line| line.contains("; if (") && line.contains(" > "))
}
