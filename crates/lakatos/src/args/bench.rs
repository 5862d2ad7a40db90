//! The flags of `lakatos bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use lakatos_ir::Property;

use super::{parse_seconds, property_parser};

/// Run many tasks and compare the verdicts with the expected ones
///
/// Every task is verified in a process of its own. A table of correct, wrong and missing verdicts
/// ends the run.
#[derive(Debug, Args)]
#[command(after_help = BENCH_HELP)]
pub struct Bench {
    /// An index (.tsv), task files (.yml), lists of them (.set, .txt) or folders
    ///
    /// An index has the columns category, file, property, verdict and, if you like, data_model
    /// and semantics (`ub`, or `wrap` for `--signed-overflow wrap`). A folder stands for the
    /// `index.tsv` in it, or else for all task files below it.
    #[arg(value_name = "TASKS", required = true)]
    pub tasks: Vec<PathBuf>,

    /// Only tasks of this category (`loop*`: of those whose name begins so)
    #[arg(long = "category", value_name = "NAME")]
    pub categories: Vec<String>,

    /// Only tasks of this group of SV-COMP categories; it becomes one line of the table
    #[arg(long = "group", value_name = "GROUP", value_parser = group_parser())]
    pub groups: Vec<String>,

    /// Only tasks about this property; may be given several times
    #[arg(long = "property", value_name = "PROPERTY", value_parser = property_parser())]
    pub properties: Vec<Property>,

    /// Only the tasks named in this file, one per line
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// At most so many tasks for each line of the table, always the same ones
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,

    /// Only print the names of the tasks, for --list
    #[arg(long)]
    pub dry_run: bool,

    /// Processor time for each task, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub timeout: Duration,

    /// Time on the clock for each task, in seconds; more helps where other work goes on beside
    /// [default: the same as --timeout]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub wall: Option<Duration>,

    /// Memory for each task, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u64,

    /// How many tasks to run at a time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Write a row for each task to this file (JSON lines); rows that are in it are not run again
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Another verifier, with the flags, words and exit codes of this one
    #[arg(long, value_name = "PROGRAM", hide = true)]
    pub verifier: Option<PathBuf>,

    /// Flags for `lakatos verify`, after `--`
    #[arg(value_name = "FLAGS", last = true)]
    pub flags: Vec<String>,
}

const BENCH_HELP: &str = "\
Columns of the table:
  true, false    correct proofs and refutations
  wrong          verdicts that contradict the expected ones
  unknown, timeout, memory, error, open    no verdict, a limit, a crash, not run yet
  cpu (s)        processor time of the correct ones

Examples:
  lakatos bench tasks/index.tsv --group loops --group recursion --output loops.jsonl
  lakatos bench tasks/index.tsv --group loops --sample 60 --dry-run > loops.txt
  lakatos bench tasks/index.tsv --list loops.txt --timeout 10 --jobs 4
  lakatos bench task.yml -- --signed-overflow wrap

Exit codes:
  0  no verdict is wrong
  1  at least one verdict is wrong
  2  stopped before its end (Ctrl-C), no verdict is wrong so far
  3  bad usage or input
  4  internal error";

fn group_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(crate::bench::GROUPS.map(|(name, ..)| name))
}
