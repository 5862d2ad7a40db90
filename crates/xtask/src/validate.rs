//! The generator's own test, against the compiler alone: its programs compile, end soon, and do
//! the same with and without optimisation and under the sanitizers.

use anyhow::Result;
use lakatos_ir::DataModel;

use crate::cc::{Build, Compiler, Ran};
use crate::generate;
use crate::parallel;

/// Seeds whose programs are not what they should be, with the reason.
pub fn validate(first: u64, count: u64, model: DataModel) -> Result<Vec<(u64, String)>> {
    let seeds: Vec<u64> = (first..first + count).collect();
    let results = parallel::map(&seeds, Compiler::new, |compiler, &seed| {
        Ok((seed, problem(compiler, &generate::program(seed, model), model)?))
    })?;
    Ok(results.into_iter().filter_map(|(seed, p)| p.map(|p| (seed, p))).collect())
}

/// What is wrong with a program that should be closed, terminating and defined.
pub fn problem(compiler: &Compiler, text: &str, model: DataModel) -> Result<Option<String>> {
    let plain = match compiler.run(text, model, Build::Plain) {
        Err(error) => return Ok(Some(error.to_string())),
        Ok(ran) => ran,
    };
    if plain == Ran::CompilerCrashed {
        return Ok(None);
    }
    if !matches!(plain, Ran::Exited { .. }) {
        return Ok(Some(format!("unoptimised: {plain:?}")));
    }
    let mut builds = vec![Build::Optimised];
    if model == DataModel::Lp64 {
        builds.push(Build::Sanitized);
    }
    for build in builds {
        let other = compiler.run(text, model, build)?;
        if other != plain {
            return Ok(Some(format!("{build:?} differs: {}", describe(&other))));
        }
    }
    // What is not initialised must not matter. (GCC 12 gets some initialisers of wide bit-fields
    // wrong with these flags, so they are only compared with each other.)
    let zeroed = compiler.run(text, model, Build::Zeroed)?;
    if zeroed != compiler.run(text, model, Build::Patterned)? {
        return Ok(Some("something uninitialised is read".to_string()));
    }
    Ok(None)
}

pub fn describe(ran: &Ran) -> String {
    match ran {
        Ran::Exited { code, stdout, stderr } => format!(
            "exit code {code}\n{}{}",
            String::from_utf8_lossy(stdout),
            String::from_utf8_lossy(stderr)
        ),
        Ran::Killed { signal } => format!("killed by signal {signal}"),
        Ran::TimedOut => "does not end".to_string(),
        Ran::CompilerCrashed => "the compiler crashed".to_string(),
    }
}
