//! Random programs, run by the compiler's machine and by ours.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use lakatos_ir::DataModel;

use crate::cc::{Build, Compiler, Ran};
use crate::generate;
use crate::lakatos::{Answer, execute};
use crate::mutate::save;
use crate::parallel;
use crate::reduce::reduce;
use crate::validate::{describe, problem};

/// Each try takes a few compilations.
const MOST_TRIES: usize = 2_000;

/// A program on which the two disagree.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub seed: u64,
    pub ours: Answer,
    pub theirs: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}", self.seed)?;
        writeln!(f, "  Lakatos: {}", self.ours.describe().trim_end().replace('\n', "\n    "))?;
        write!(f, "  the compiler: {}", self.theirs.trim_end().replace('\n', "\n    "))
    }
}

/// Tries the programs of `count` seeds.
pub fn differential(first: u64, count: u64, model: DataModel) -> Result<Vec<Disagreement>> {
    let seeds: Vec<u64> = (first..first + count).collect();
    let found = parallel::map(&seeds, Compiler::new, |compiler, &seed| {
        let text = generate::program(seed, model);
        let found = disagreement(compiler, &text, model, seed)?;
        Ok(found.map(|(ours, theirs)| Disagreement { seed, ours, theirs }))
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// One disagreement of each kind.
pub fn distinct(found: &[Disagreement]) -> Vec<&Disagreement> {
    let mut kinds = BTreeSet::new();
    found.iter().filter(|d| kinds.insert(d.ours.kind())).collect()
}

/// What the front-end says of arithmetic with bit-fields wider than `int`.
const WIDE_BIT_FIELD: &str = "arithmetic in the width of a bit-field";

/// Both answers, if they differ.
fn disagreement(
    compiler: &Compiler,
    text: &str,
    model: DataModel,
    seed: u64,
) -> Result<Option<(Answer, String)>> {
    let ours = execute(text, model, seed);
    let theirs = compiler.run(text, model, Build::Plain)?;
    let same = match (&ours, &theirs) {
        (Answer::Exited { code, stdout }, Ran::Exited { code: c, stdout: s, .. }) => {
            code == c && stdout == s
        }
        (_, Ran::CompilerCrashed) => true,
        // Where GCC and Clang compute in different widths, Lakatos says that it does not.
        (Answer::Refused(why), _) => why.contains(WIDE_BIT_FIELD),
        _ => false,
    };
    Ok(if same { None } else { Some((ours, describe(&theirs))) })
}

/// A smaller program that is still defined and still shows this kind of disagreement.
/// It is saved in the folder.
pub fn minimise(folder: &Path, model: DataModel, found: &Disagreement) -> Result<PathBuf> {
    let Disagreement { seed, ref ours, .. } = *found;
    let compiler = Compiler::new()?;
    let text = generate::program(seed, model);
    let keeps = |candidate: &str| {
        let answer = execute(candidate, model, seed);
        if answer.kind() != ours.kind() {
            return false;
        }
        let found = disagreement(&compiler, candidate, model, seed);
        matches!(found, Ok(Some(_)))
            && compiler.is_clean(candidate, model).unwrap_or(false)
            && matches!(problem(&compiler, candidate, model), Ok(None))
    };
    let small = reduce(&text, MOST_TRIES, keeps);
    let shown = match disagreement(&compiler, &small, model, seed)? {
        Some((ours, theirs)) => {
            format!("\n/* Lakatos: {}\n   the compiler: {theirs} */\n", ours.describe())
        }
        None => String::new(),
    };
    save(folder, &format!("differential-{model:?}-{seed}.c").to_lowercase(), &(small + &shown))
}
