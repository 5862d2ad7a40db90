//! `cargo xtask`: the command line of the project's tools.

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lakatos_ir::DataModel;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "The project's own tools")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Model {
    Ilp32,
    Lp64,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

/// Which random things to try.
#[derive(Debug, Args)]
struct Seeds {
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2000)]
    count: u64,
    #[arg(long, default_value = "lp64")]
    model: Model,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the random program that a seed names
    Generate {
        seed: u64,
        #[arg(long, default_value = "lp64")]
        model: Model,
    },
    /// Test the generator of random programs against the C compiler and its sanitizers
    Validate(Seeds),
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Generate { seed, model } => {
            print!("{}", xtask::generate::program(seed, model.into()));
        }
        Command::Validate(seeds) => {
            let found =
                xtask::validate::validate(seeds.seed, seeds.count, seeds.model.into())?;
            for (seed, problem) in &found {
                println!("seed {seed}: {problem}");
            }
            if !found.is_empty() {
                bail!("{} of {} programs are not defined", found.len(), seeds.count);
            }
            println!("{} programs: closed, terminating and defined", seeds.count);
        }
    }
    Ok(())
}
