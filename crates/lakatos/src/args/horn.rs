//! Flags of `lakatos horn` and `lakatos solve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lakatos_engine::horn::Encoding;
use lakatos_ir::Property;

use super::{Input, Limits, Overflow, property_parser};

/// Print a program as constrained Horn clauses (SMT-LIB)
///
/// Every function has a predicate for what it is called with and one for what it returns, every
/// loop one for what holds there. The clauses have a solution if no violation is reached.
#[derive(Debug, Args)]
#[command(after_help = HORN_HELP)]
pub struct HornArgs {
    #[command(flatten)]
    pub input: Input,

    /// What a violation is [default: the task file's first property, else unreach-call]
    #[arg(long, value_name = "PROPERTY", value_parser = property_parser())]
    pub property: Option<Property>,

    /// What signed overflow means: the path ends there, or it wraps around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,

    /// What numbers are
    #[arg(long, value_name = "HOW", default_value = "int")]
    pub encoding: Numbers,

    /// Write the clauses to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What numbers are in clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Numbers {
    /// Mathematical integers, with what wraps around said in formulas
    Int,
    /// Bit-vectors: for bit operations; Spacer has fewer answers
    Bv,
}

impl From<Numbers> for Encoding {
    fn from(numbers: Numbers) -> Encoding {
        match numbers {
            Numbers::Int => Encoding::Int,
            Numbers::Bv => Encoding::Bv,
        }
    }
}

/// Solve constrained Horn clauses (SMT-LIB, logic HORN)
///
/// Prints `sat` and a solution for every predicate, which has been checked clause by clause; or
/// `unsat` and the steps that lead to a contradiction, each checked; or `unknown` and why.
#[derive(Debug, Args)]
#[command(after_help = SOLVE_HELP)]
pub struct SolveArgs {
    /// A file with Horn clauses (.smt2), or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub limits: Limits,

    /// Print only `sat`, `unsat` or `unknown`
    #[arg(long)]
    pub quiet: bool,
}

const HORN_HELP: &str = "\
Examples:
  lakatos horn examples/loop.c
  lakatos horn task.yml -o task.smt2
  lakatos horn examples/loop.c --property no-overflow | lakatos solve -";

const SOLVE_HELP: &str = "\
Exit codes:
  0  sat: there is a solution      2  unknown
  1  unsat: there is none          3  the file cannot be read as Horn clauses

Each `check-sat` is answered, in order: one that is unsat makes the exit code 1, else one that is
unknown makes it 2.

Examples:
  lakatos solve clauses.smt2
  lakatos solve clauses.smt2 --timeout 60 --quiet";
