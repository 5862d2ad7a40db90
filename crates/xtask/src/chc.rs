//! Horn clauses: what Lakatos answers against what the command `z3` answers. They are different
//! versions of one solver, but ours reads, reduces and checks by itself: an answer that only one of
//! them can be right with is a finding.
//!
//! Problems are random clauses, the clauses of random programs, of the programs of this repository,
//! and of benchmark tasks. A seed names a problem.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use lakatos_engine::{Task, Unwatched, horn};
use lakatos_ir::{DataModel, Property, SignedOverflow, Source};
use lakatos_logic::horn::{Outcome, read};
use lakatos_logic::smt::Limits;
use lakatos_logic::term::Terms;
use tempfile::TempDir;

use crate::generate::Rng;
use crate::{fuzz, index, parallel};

/// Of each problem; counted by the solver, so the answer is the same everywhere.
const LIMITS: Limits = Limits { resources: Some(1_000_000), time: None };

/// Larger scripts are no small problems.
const MOST_BYTES: usize = 4_000;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Options {
    pub first: u64,
    /// Random problems: so many of each kind.
    pub count: u64,
    /// Folders with programs.
    pub folders: Vec<PathBuf>,
    /// The folder with index.tsv; nothing if it is absent.
    pub bench: Option<PathBuf>,
    /// Only every so many of its integer tasks.
    pub every: usize,
    /// The command, and its seconds for a problem.
    pub z3: PathBuf,
    pub seconds: u32,
}

/// Clauses as SMT-LIB text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub name: String,
    pub script: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// A problem with both answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub problem: Problem,
    pub ours: Answer,
    pub theirs: Answer,
}

impl Row {
    /// Only one of the answers can be right.
    pub fn disagrees(&self) -> bool {
        let known = self.ours != Answer::Unknown && self.theirs != Answer::Unknown;
        known && self.ours != self.theirs
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub rows: Vec<Row>,
}

/// Asks both about all problems, and tells of how many there is how many are done; `None` if the
/// command is absent.
pub fn chc(options: &Options, tell: impl Fn(usize, usize) + Sync) -> Result<Option<Summary>> {
    let version = Command::new(&options.z3).arg("--version").stdout(Stdio::null()).status();
    match version {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        version => drop(version.with_context(|| options.z3.display().to_string())?),
    }
    let problems = problems(options)?;
    let folder = || tempfile::tempdir().context("a temporary folder");
    let done = AtomicUsize::new(0);
    let rows = parallel::map(&problems, folder, |folder, problem| {
        let (ours, theirs) = (ours(problem)?, theirs(options, folder, problem)?);
        tell(done.fetch_add(1, Ordering::Relaxed) + 1, problems.len());
        Ok(Row { problem: problem.clone(), ours, theirs })
    })?;
    Ok(Some(Summary { rows }))
}

fn problems(options: &Options) -> Result<Vec<Problem>> {
    let mut all = Vec::new();
    for seed in options.first..options.first + options.count {
        all.push(Problem { name: format!("clauses of seed {seed}"), script: random(seed) });
    }
    for seed in options.first..options.first + options.count {
        if let Some((text, question)) = fuzz::task(seed) {
            let name = format!("program of seed {seed}");
            let (property, overflow) = (question.property, question.signed_overflow);
            all.extend(of_program(&name, &text, DataModel::Lp64, property, overflow));
        }
    }
    for folder in &options.folders {
        for path in programs(folder)? {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let (property, overflow) = (Property::UnreachCall, SignedOverflow::Undefined);
            let name = path.display().to_string();
            all.extend(of_program(&name, &text, DataModel::Lp64, property, overflow));
        }
    }
    if let Some(bench) = &options.bench {
        all.extend(of_tasks(bench, options.every)?);
    }
    Ok(all)
}

/// The C files of a folder, in order.
fn programs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The clauses of integer tasks about reachability.
fn of_tasks(bench: &Path, every: usize) -> Result<Vec<Problem>> {
    let path = bench.join("index.tsv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let entries = index::read(&fs::read_to_string(path)?)?.into_iter();
    let wanted = entries.filter(|entry| entry.integers && entry.property == "unreach-call");
    let mut problems = Vec::new();
    for entry in wanted.step_by(every.max(1)) {
        let text = fs::read(bench.join(&entry.file)).with_context(|| entry.file.clone())?;
        let text = String::from_utf8_lossy(&text);
        let overflow = match entry.semantics.as_str() {
            "wrap" => SignedOverflow::Wrap,
            _ => SignedOverflow::Undefined,
        };
        let property = Property::UnreachCall;
        problems.extend(of_program(&entry.file, &text, entry.model, property, overflow));
    }
    Ok(problems)
}

/// `None`: the front-end does not take it as it is, or it is not small.
fn of_program(
    name: &str,
    text: &str,
    model: DataModel,
    property: Property,
    signed_overflow: SignedOverflow,
) -> Option<Problem> {
    let options = lakatos_c::Options::of_model(model);
    let program = lakatos_c::compile(Source::new(name, text), &options).ok()?;
    let script =
        horn::script(&Task { program: &program, property, signed_overflow }, horn::Encoding::Int);
    (script.len() <= MOST_BYTES).then(|| Problem { name: name.to_owned(), script })
}

/// What Lakatos says of a script, which it reads like any other.
fn ours(problem: &Problem) -> Result<Answer> {
    let mut terms = Terms::new();
    let system = read::read(&mut terms, &problem.script)
        .map_err(|error| anyhow::anyhow!("{}:{error}\n{}", problem.name, problem.script))?;
    Ok(match horn::solve(&mut terms, &system, LIMITS, &mut Unwatched) {
        Outcome::Solved(_) => Answer::Sat,
        Outcome::Violated(_) => Answer::Unsat,
        Outcome::Unknown(_) => Answer::Unknown,
    })
}

fn theirs(options: &Options, folder: &TempDir, problem: &Problem) -> Result<Answer> {
    let file = folder.path().join("problem.smt2");
    fs::write(&file, &problem.script)?;
    let mut command = Command::new(&options.z3);
    command.arg(format!("-T:{}", options.seconds)).arg(&file).stdin(Stdio::null());
    let output = command.output().with_context(|| options.z3.display().to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    anyhow::ensure!(!said.contains("(error"), "{}: z3 says: {said}", problem.name);
    Ok(match said.lines().next().unwrap_or_default() {
        "sat" => Answer::Sat,
        "unsat" => Answer::Unsat,
        _ => Answer::Unknown,
    })
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |is: &dyn Fn(&Row) -> bool| self.rows.iter().filter(|row| is(row)).count();
        let both = |answer| count(&|row| (row.ours, row.theirs) == (answer, answer));
        writeln!(f, "problems               {}", self.rows.len())?;
        writeln!(f, "both say sat           {}", both(Answer::Sat))?;
        writeln!(f, "both say unsat         {}", both(Answer::Unsat))?;
        writeln!(f, "Lakatos does not know  {}", count(&|row| row.ours == Answer::Unknown))?;
        writeln!(f, "z3 does not know       {}", count(&|row| row.theirs == Answer::Unknown))?;
        writeln!(f, "disagreements          {}", count(&Row::disagrees))
    }
}

/// Random clauses about a few integers: facts, steps from one predicate to another, some of them
/// from two at once, and one thing that must not be.
pub fn random(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let arities: Vec<usize> = (0..1 + rng.below(3)).map(|_| 1 + rng.below(2)).collect();
    let mut script = "(set-logic HORN)\n".to_owned();
    for (number, arity) in arities.iter().enumerate() {
        let sorts = vec!["Int"; *arity].join(" ");
        script += &format!("(declare-fun p{number} ({sorts}) Bool)\n");
    }
    script += &clause(&mut rng, &arities, &[], Some(0));
    for number in 0..arities.len() {
        let from = rng.below(arities.len());
        let bodies = if rng.percent(25) { vec![from, number] } else { vec![from] };
        script += &clause(&mut rng, &arities, &bodies, Some(number));
        let to = rng.below(arities.len());
        script += &clause(&mut rng, &arities, &[number], Some(to));
    }
    script += &clause(&mut rng, &arities, &[arities.len() - 1], None);
    script + "(check-sat)\n"
}

/// From some predicates to another one, or to a contradiction.
fn clause(rng: &mut Rng, arities: &[usize], bodies: &[usize], head: Option<usize>) -> String {
    let mut known = Vec::new();
    let mut parts = Vec::new();
    for body in bodies {
        let own: Vec<String> =
            (0..arities[*body]).map(|n| format!("x{}", known.len() + n)).collect();
        parts.push(format!("(p{body} {})", own.join(" ")));
        known.extend(own);
    }
    let conditions = if head.is_none() { 1 + rng.below(2) } else { rng.below(3) };
    for _ in 0..conditions {
        if let Some(condition) = condition(rng, &known) {
            parts.push(condition);
        }
    }
    let mut all = known.clone();
    let goal = match head {
        None => "false".to_owned(),
        Some(head) => {
            let new: Vec<String> = (0..arities[head]).map(|n| format!("y{n}")).collect();
            for name in &new {
                parts.push(format!("(= {name} {})", sum(rng, &known)));
            }
            let goal = format!("(p{head} {})", new.join(" "));
            all.extend(new);
            goal
        }
    };
    let bound: Vec<String> = all.iter().map(|name| format!("({name} Int)")).collect();
    format!("(assert (forall ({}) (=> (and {}) {goal})))\n", bound.join(" "), parts.join(" "))
}

/// A comparison; `None` if there is nothing to compare.
fn condition(rng: &mut Rng, known: &[String]) -> Option<String> {
    if known.is_empty() {
        return None;
    }
    let operator = rng.weighted(&[(4, "<="), (4, ">="), (2, "="), (1, "<"), (1, "distinct")]);
    let bound = rng.range(-5, 20).to_string().replace('-', "- ");
    let bound = if bound.starts_with('-') { format!("({bound})") } else { bound };
    Some(format!("({operator} {} {bound})", sum(rng, known)))
}

/// A sum of some of these and a number.
fn sum(rng: &mut Rng, known: &[String]) -> String {
    let number = rng.range(0, 4);
    if known.is_empty() {
        return number.to_string();
    }
    let one = rng.pick(known).clone();
    let other = rng.pick(known).clone();
    match rng.below(6) {
        0 | 1 => one,
        2 => format!("(+ {one} {number})"),
        3 => format!("(- {one} {number})"),
        4 => format!("(+ {one} {other})"),
        _ => format!("(- {one} {other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(z3: &str) -> Options {
        Options {
            first: 1,
            count: 10,
            folders: Vec::new(),
            bench: None,
            every: 1,
            z3: z3.into(),
            seconds: 2,
        }
    }

    #[test]
    fn random_clauses_can_be_read() {
        for seed in 0..200 {
            let script = random(seed);
            let read = read::read(&mut Terms::new(), &script);
            assert!(read.is_ok(), "{:?}\n{script}", read.err());
        }
    }

    /// Where z3 is absent, nothing is compared.
    #[test]
    fn z3_agrees() {
        assert_eq!(chc(&options("/nowhere/z3"), |_, _| {}).unwrap(), None);
        let Some(summary) = chc(&options("z3"), |_, _| {}).unwrap() else {
            eprintln!("z3 is not installed: nothing is compared");
            return;
        };
        let wrong: Vec<&Row> = summary.rows.iter().filter(|row| row.disagrees()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        for answer in [Answer::Sat, Answer::Unsat] {
            let same = |row: &&Row| (row.ours, row.theirs) == (answer, answer);
            assert!(summary.rows.iter().filter(same).count() >= 2, "{summary}");
        }
    }

    #[test]
    fn answers_disagree_only_if_both_are_known() {
        let problem = Problem { name: String::new(), script: String::new() };
        for (ours, theirs, disagree) in [
            (Answer::Sat, Answer::Unsat, true),
            (Answer::Unsat, Answer::Sat, true),
            (Answer::Sat, Answer::Sat, false),
            (Answer::Unknown, Answer::Sat, false),
            (Answer::Unsat, Answer::Unknown, false),
        ] {
            let row = Row { problem: problem.clone(), ours, theirs };
            assert_eq!(row.disagrees(), disagree, "{row:?}");
        }
    }
}
