//! The flags of `lakatos contracts`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};

use super::{
    Cegar, Environment, Input, Limits, MergeArgs, Model, Overflow, RecheckArgs, Wanted,
    parse_seconds, parse_wanted,
};

/// Put contracts and loop annotations (ACSL) into a program
///
/// What a checked proof of the program says becomes contracts of its functions and annotations of
/// its loops, in the source itself, nothing else of which is changed. The annotated source goes to
/// standard output, everything that is said about it to standard error. With several properties the
/// annotations say what all proofs say.
#[derive(Debug, Args)]
#[command(after_help = CONTRACTS_HELP, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Contracts {
    #[command(subcommand)]
    pub command: Option<ContractsCommand>,

    #[command(flatten)]
    pub infer: Infer,
}

#[derive(Debug, Subcommand)]
pub enum ContractsCommand {
    Merge(MergeArgs),
    Recheck(RecheckArgs),
}

/// How contracts are found, and where they go.
#[derive(Debug, Args)]
pub struct Infer {
    /// A C file, or an SV-COMP task file (.yml)
    ///
    /// A file with `#include`, `#define` or other directives is preprocessed with `cc -E -C`
    /// first (`CC` names another compiler, and may hold options such as `-Iinclude`).
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,

    /// Sizes of the basic types [default: the task file's, else lp64]
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,

    #[command(flatten)]
    pub environment: Environment,

    /// What finds the contracts [default: horn, and cegar where it does not know]
    #[arg(long, value_name = "SOURCE")]
    pub from: Option<Origin>,

    /// The witness of `--from witness`: a YAML file of format 2.0 or 2.1
    ///
    /// Its invariants and contracts are candidates: those that hold are kept, what is missing is
    /// found by the engines, and all of it is checked. What is left out is named.
    #[arg(long, value_name = "FILE", required_if_eq("from", "witness"))]
    pub witness: Option<PathBuf>,
    /// With `--from arg`: learn from so many counterexamples to each property before
    #[arg(long, value_name = "N")]
    pub refine_first: Option<u64>,

    /// What the contracts have to prove: a name, `all`, or a property file (.prp); may be given
    /// several times [default: the task file's, else unreach-call]
    #[arg(long = "property", value_name = "PROPERTY", value_parser = parse_wanted)]
    pub properties: Vec<Wanted>,

    /// What signed overflow means: the path ends there, or it wraps around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,

    #[command(flatten)]
    pub limits: Limits,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write the annotations into the file itself
    #[arg(long, conflicts_with_all = ["output", "diff", "json"])]
    pub in_place: bool,

    /// Print what would change, as a unified diff
    #[arg(long, conflicts_with = "json")]
    pub diff: bool,

    /// Print the contracts as JSON (schema `lakatos-contracts/1`)
    #[arg(long)]
    pub json: bool,

    /// Show the annotated program to Frama-C; may be given several times
    #[arg(long, value_name = "WITH", help_heading = "Validation")]
    pub validate: Vec<Validator>,

    /// Of each proof goal of Frama-C's provers
    #[arg(long, value_name = "SECONDS", default_value_t = 10, help_heading = "Validation")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub wp_timeout: u32,

    /// Of a whole run of Frama-C
    #[arg(long, value_name = "SECONDS", default_value = "600", help_heading = "Validation")]
    #[arg(value_parser = parse_seconds)]
    pub validate_timeout: Duration,

    #[command(flatten)]
    pub cegar: Cegar,
}

impl Infer {
    /// The witness that contracts are to be made from.
    pub fn claims(&self) -> Result<Option<&Path>> {
        match (self.from, self.witness.as_deref()) {
            (None | Some(Origin::Witness), witness) => Ok(witness),
            (Some(_), None) => Ok(None),
            (Some(_), Some(_)) => bail!(
                "`--witness` belongs to `--from witness`, and contracts are to come from elsewhere"
            ),
        }
    }

    /// The program; none is given where there is a command.
    pub fn input(&self) -> Option<Input> {
        let environment = self.environment.clone();
        Some(Input { file: self.file.clone()?, data_model: self.data_model, environment })
    }
}

/// Where contracts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// A proof of the engine `horn`
    Horn,
    /// A proof of the engine `cegar`
    Cegar,
    /// A proof of the engine `bam`
    Bam,
    /// What the correctness witness of another tool claims (`--witness`)
    Witness,
    /// How the functions are called in the program, whatever its properties: the states that the
    /// engine `cegar` reaches with what matters from the beginning (`--initial`)
    Arg,
}

/// What annotated programs are shown to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Validator {
    /// Frama-C's WP: contracts, invariants and assertions
    FramaC,
    /// The same, and that there is no undefined behaviour (`-wp-rte`)
    FramaCRte,
    /// Frama-C's Eva, for each function: the alarms that its contract removes
    FramaCEva,
}

const CONTRACTS_HELP: &str = "\
Validation needs Frama-C 25 or newer with its plug-in WP, Why3, and the provers cvc4 and z3:
  apt-get install --no-install-recommends frama-c-base why3 z3 cvc4 && why3 config detect
It counts only if every goal that the annotations make necessary is there and proved.

Examples:
  lakatos contracts examples/mccarthy91.c
  lakatos contracts --diff examples/loop.c
  lakatos contracts examples/loop.c -o annotated.c --validate frama-c
  lakatos contracts --property unreach-call --property no-overflow \\
      --validate frama-c-rte examples/loop.c
  lakatos contracts --from witness --witness loop.yml examples/loop.c
  lakatos contracts --json examples/loop.c | jq .
  lakatos contracts --from arg --initial param-assumes examples/mccarthy91.c
  lakatos contracts --from arg --refine-first 5 examples/loop.c

Exit codes:
  0  contracts are found (and validated, where asked)
  1  a property is refuted
  2  unknown: there is no proof, ACSL cannot say all of it, or it is not validated
  3  bad usage or input
  4  internal error";
