//! Random programs, run by the compiler's machine and by ours.

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

/// A program on which the two disagree, as small as we could make it.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub seed: u64,
    pub ours: String,
    pub theirs: String,
    pub saved: Option<PathBuf>,
}

/// Programs from `count` seeds. With a folder, disagreements are made smaller and saved there;
/// of those with the same kind of answer, only the first.
pub fn differential(
    first: u64,
    count: u64,
    model: DataModel,
    save_in: Option<&Path>,
) -> Result<Vec<Disagreement>> {
    let seeds: Vec<u64> = (first..first + count).collect();
    let found = parallel::map(&seeds, Compiler::new, |compiler, &seed| {
        let text = generate::program(seed, model);
        Ok(disagreement(compiler, &text, model, seed)?.map(|(ours, theirs)| (seed, ours, theirs)))
    })?;
    let mut kinds: Vec<String> = Vec::new();
    let mut report = Vec::new();
    for (seed, ours, theirs) in found.into_iter().flatten() {
        let known = kinds.contains(&ours.kind());
        let saved = match save_in {
            Some(folder) if !known => Some(minimise(folder, seed, model, &ours)?),
            _ => None,
        };
        // Wrong output may have many reasons; refusals of one kind have one.
        if !matches!(ours, Answer::Exited { .. }) {
            kinds.push(ours.kind());
        }
        report.push(Disagreement { seed, ours: ours.describe(), theirs, saved });
    }
    Ok(report)
}

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
        _ => false,
    };
    Ok(if same { None } else { Some((ours, describe(&theirs))) })
}

/// A smaller program that is still defined and still shows this kind of disagreement.
fn minimise(folder: &Path, seed: u64, model: DataModel, ours: &Answer) -> Result<PathBuf> {
    let compiler = Compiler::new()?;
    let text = generate::program(seed, model);
    let keeps = |candidate: &str| {
        let answer = execute(candidate, model, seed);
        if answer.kind() != ours.kind() {
            return false;
        }
        let found = disagreement(&compiler, candidate, model, seed);
        matches!(found, Ok(Some(_))) && matches!(problem(&compiler, candidate, model), Ok(None))
    };
    let small = reduce(&text, keeps);
    let shown = match disagreement(&compiler, &small, model, seed)? {
        Some((ours, theirs)) => {
            format!("\n/* Lakatos: {}\n   the compiler: {theirs} */\n", ours.describe())
        }
        None => String::new(),
    };
    save(folder, &format!("differential-{model:?}-{seed}.c").to_lowercase(), &(small + &shown))
}
