//! The flags of `lakatos bench` and of its commands.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use lakatos_ir::Property;

use super::tools::Tools;
use super::{parse_seconds, property_parser};

/// Run many tasks and compare the verdicts with the expected ones
///
/// Every task is verified in a process of its own. A table of correct, wrong and missing verdicts
/// ends the run. The commands read what `--output` has written. (A folder of tasks that is called
/// like a command can be given as `./table`.)
#[derive(Debug, Args)]
#[command(after_help = BENCH_HELP, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Bench {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    #[command(flatten)]
    pub run: BenchRun,
}

#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    Table(TableArgs),
    Diff(DiffArgs),
    Plot(PlotArgs),
}

/// Which tasks, and how they are run.
#[derive(Debug, Args)]
pub struct BenchRun {
    /// An index (.tsv), task files (.yml), lists of them (.set, .txt), folders, or patterns
    ///
    /// An index has the columns category, file, property, verdict and, if you like, data_model,
    /// semantics (`ub`, or `wrap` for `--signed-overflow wrap`) and errfn (the error function,
    /// for {prp}). A folder stands for the `index.tsv` in it, or else for all task files below
    /// it. In a pattern, also in lists, `*`, `?` and `[a-z]` stand for characters of a name and
    /// `**` for folders.
    #[arg(value_name = "TASKS", required = true)]
    pub tasks: Vec<PathBuf>,

    /// Only tasks of this category, or of those like this pattern (`loop*`)
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

    /// Processor time for each task, in seconds; that of all processes it starts counts
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub timeout: Duration,

    /// Time on the clock for each task, in seconds; more helps where other work goes on beside
    /// [default: the same as --timeout]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub wall: Option<Duration>,

    /// Memory for each task, with all processes it starts, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u64,

    /// How many tasks to run at a time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Write a row for each task to this file (JSON lines); rows that are in it are not run again
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub tools: Tools,

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
  score          SV-COMP's: 2 for a proof, 1 for a refutation, -32 and -16 for wrong ones
  cpu (s)        processor time of the correct ones
Below it: how many proofs were checked and how many refutations confirmed by execution, as far
as `verify` says so, and every proof that the checker rejected or could not decide.

Examples:
  lakatos bench tasks/index.tsv --group loops --group recursion --output loops.jsonl
  lakatos bench 'tasks/loop-*/*.yml' --timeout 10
  lakatos bench tasks/index.tsv --group loops --sample 60 --dry-run > loops.txt
  lakatos bench tasks/index.tsv --list loops.txt --timeout 10 --jobs 4
  lakatos bench task.yml -- --signed-overflow wrap
  lakatos bench tasks/ -o rows.jsonl --tool 'cbmc --unwind 10 --{bits} {file}' \\
      --says 'VERIFICATION SUCCESSFUL=true' --says 'VERIFICATION FAILED=false'
  lakatos bench table rows.jsonl --format tsv > rows.tsv
  lakatos bench diff before.jsonl after.jsonl
  lakatos bench plot before.jsonl after.jsonl -o plot.svg

Exit codes:
  0  no verdict is wrong
  1  at least one verdict is wrong, of whichever tool
  2  stopped before its end (Ctrl-C), no verdict is wrong so far
  3  bad usage or input
  4  internal error";

/// Print the table of runs, or their rows for other programs
///
/// Tasks that were not run are not in the files, and so not in the table.
#[derive(Debug, Args)]
#[command(after_help = TABLE_HELP)]
pub struct TableArgs {
    /// What `lakatos bench --output` has written; several files are shown side by side
    #[arg(value_name = "ROWS", required = true)]
    pub rows: Vec<PathBuf>,

    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TableFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// The table, for people
    Text,
    /// A line for each task
    Tsv,
    /// Settings, table and rows (schema `lakatos-bench/1`)
    Json,
}

const TABLE_HELP: &str = "\
Examples:
  lakatos bench table rows.jsonl
  lakatos bench table rows.jsonl --format tsv > rows.tsv
  lakatos bench table before.jsonl after.jsonl --format json | jq .lines

Exit codes:
  0  no verdict is wrong
  1  at least one verdict is wrong
  3  bad usage or input
  4  internal error";

/// Compare two runs: what is newly solved, lost, wrong, slower, faster
#[derive(Debug, Args)]
#[command(after_help = DIFF_HELP)]
pub struct DiffArgs {
    /// The run before
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,

    /// The run after
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,

    /// Whose rows to compare, where there are several tools; given twice: before and after
    #[arg(long = "tool", value_name = "NAME")]
    pub tools: Vec<String>,

    /// A time counts as another one if it differs by at least this factor
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_factor)]
    pub factor: f64,

    /// And by at least this much, in seconds of processor time
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    pub least: Duration,

    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: DiffFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For other programs (schema `lakatos-bench-diff/1`)
    Json,
}

const DIFF_HELP: &str = "\
Examples:
  lakatos bench diff before.jsonl after.jsonl
  lakatos bench diff before.jsonl after.jsonl --factor 1.5 --least 0.5
  lakatos bench diff rows.jsonl rows.jsonl --tool cbmc --tool lakatos

Exit codes:
  0  nothing is lost, and no verdict of the run after is wrong
  1  a task that was solved before is not any more, or a verdict of the run after is wrong
  3  bad usage or input
  4  internal error";

/// Draw how many tasks runs solve in which time, as SVG
///
/// A quantile plot: the tasks that a run has solved are sorted by processor time, and a line goes
/// through the times. The further to the right a line reaches, the more is solved; the lower it
/// is, the faster.
#[derive(Debug, Args)]
#[command(after_help = PLOT_HELP)]
pub struct PlotArgs {
    /// What `lakatos bench --output` has written; each tool in each file is a line
    #[arg(value_name = "ROWS", required = true)]
    pub rows: Vec<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// What the horizontal axis counts
    #[arg(long, value_name = "WHAT", default_value = "tasks")]
    pub by: PlotBy,

    /// A heading [default: none]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// The name of a run, in the order of the lines; may be given several times
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotBy {
    /// Tasks with a correct verdict
    Tasks,
    /// Their score, beginning left of zero with what wrong verdicts cost, as SV-COMP does it
    Score,
}

const PLOT_HELP: &str = "\
Examples:
  lakatos bench plot rows.jsonl -o plot.svg
  lakatos bench plot before.jsonl after.jsonl --by score --title loops -o plot.svg

Exit codes:
  0  drawn
  3  bad usage or input
  4  internal error";

/// Run a command under limits for `bench`, which it must be started by.
#[derive(Debug, Args)]
pub struct Guard {
    #[arg(long, value_parser = parse_seconds)]
    pub cpu: Duration,

    #[arg(long, value_parser = parse_seconds)]
    pub wall: Duration,

    /// In bytes.
    #[arg(long)]
    pub memory: u64,

    #[arg(last = true, required = true)]
    pub command: Vec<OsString>,
}

/// A factor that makes a difference.
fn parse_factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor >= 1.0);
    factor.ok_or_else(|| "not a number that is at least 1".to_owned())
}

fn group_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(crate::bench::GROUPS.map(|(name, ..)| name))
}
