//! The command line as one table: every flag with its help beside it.

mod bench;
mod contracts;
mod engines;
mod environment;
mod horn;
mod lemmas;
mod lsp;
mod merge;
mod output;
mod tools;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lakatos_ir::{DataModel, Property, SignedOverflow};
use lakatos_logic::interpolate::Strategy;

pub use self::bench::{
    Bench, BenchCommand, BenchRun, DiffArgs, DiffFormat, Guard, PlotArgs, PlotBy, TableArgs,
    TableFormat,
};
pub use self::contracts::{Contracts, ContractsCommand, Infer, Origin, Validator};
pub use self::environment::{Environment, VolatileMeaning};
pub use self::horn::{HornArgs, Numbers, SolveArgs};
pub use self::lemmas::LemmasArgs;
pub use self::lsp::LspArgs;
pub use self::merge::{MergeArgs, RecheckArgs};
pub use self::output::Outputs;
pub use self::tools::ToolArgs;

const EXIT_CODES: &str = "\
Exit codes:
  0  verify: every property is proved     run: the program ended by itself
  1  verify: a property is refuted        run: a violation or undefined behaviour was found
  2  verify: unknown, with the reason     run: stopped before its end
  3  bad usage or input (missing file, syntax error, type error, ...)
  4  internal error: a bug in Lakatos";

const EXAMPLES: &str = "\
Examples:
  lakatos verify examples/mccarthy91.c       prove or refute its assertions
  lakatos run examples/deep_bug.c            execute it and show what happened
  lakatos cfa examples/loop.c -o loop.svg    draw its control-flow automata
  lakatos arg examples/loop.c -o arg.svg     draw what an engine explored
  lakatos check loop.c --witness loop.yml    check a witness of any verifier
  lakatos horn examples/loop.c               print it as Horn clauses
  lakatos solve clauses.smt2                 solve Horn clauses
  lakatos contracts examples/loop.c          put its contracts and invariants into the source
  lakatos contracts merge a.json b.json      contracts of several clients as one
  lakatos lemmas lemmas/sum.acsl             tell which lemmas are proved
  lakatos bench tasks/ --timeout 60          verify many tasks, count the correct verdicts
  lakatos lsp                                serve an editor

`lakatos help COMMAND` explains a command, with examples.";

/// What `--version` prints; a report about a proof is worth little without the solver's version.
static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\nZ3 {}", env!("CARGO_PKG_VERSION"), lakatos_logic::z3_version()));

/// Proofs and refutations for C.
///
/// Lakatos takes a C program and a property and ends with a proof, a refutation, or an honest
/// `unknown` with the reason.
#[derive(Debug, Parser)]
#[command(name = "lakatos", version, long_version = LONG_VERSION.as_str(), max_term_width = 100)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"), propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Verify(Box<Verify>),
    Run(Run),
    Cfa(CfaArgs),
    Arg(ArgArgs),
    Check(Check),
    Horn(HornArgs),
    Solve(SolveArgs),
    Contracts(Box<Contracts>),
    Lemmas(LemmasArgs),
    Bench(Box<Bench>),
    Lsp(LspArgs),
    #[command(hide = true)]
    Guard(Guard),
    Completions(Completions),
    Man(Man),
    /// Panics on purpose: shows (and lets a test see) what an internal error looks like.
    #[command(hide = true)]
    Crash,
}

/// Which program, and how its types are laid out.
#[derive(Clone, Debug, Args)]
pub struct Input {
    /// A C file, an SV-COMP task file (.yml), or `-` for standard input
    ///
    /// A file with `#include`, `#define` or other directives is preprocessed with `cc -E -C`
    /// first (`CC` names another compiler, and may hold options such as `-Iinclude`).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Sizes of the basic types [default: the task file's, else lp64]
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,

    #[command(flatten)]
    pub environment: Environment,
}

/// Prove or refute properties of a program
#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub struct Verify {
    #[command(flatten)]
    pub input: Input,

    /// The same as `--data-model ilp32`, as at SV-COMP
    #[arg(long = "32", conflicts_with_all = ["data_model", "lp64"])]
    pub ilp32: bool,

    /// The same as `--data-model lp64`, as at SV-COMP
    #[arg(long = "64", conflicts_with = "data_model")]
    pub lp64: bool,

    /// What to check: a name (see below), `all`, or a property file (.prp); may be given several
    /// times [default: the task file's, else unreach-call]
    #[arg(long = "property", value_name = "PROPERTY", value_parser = parse_wanted)]
    pub properties: Vec<Wanted>,

    /// What signed overflow means: the path ends there, or it wraps around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,

    #[command(flatten)]
    pub limits: Limits,

    /// Write what the verdict rests on to this file, as a witness (YAML 2.0, or 2.1 with contracts)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Ask a second solver about every condition of a proof: the command of cvc5 or z3
    #[arg(long, value_name = "SOLVER", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "cvc5")]
    pub cross_check: Option<PathBuf>,

    /// Look at each function by itself, against the ACSL contracts that the program has
    ///
    /// Calls of functions with a contract do what their contracts say, and functions are checked
    /// against theirs; so are assertions and loop invariants. A time limit is one for each function
    /// and question. docs/modular.md says what is supported.
    #[arg(long, conflicts_with_all = ["witness", "proof", "harness", "execute"])]
    pub modular: bool,

    /// Begin with what was found out about an older version: a file of `lakatos contracts --json`
    ///
    /// Its contracts and loop invariants are looked at in this program, functions by their names and
    /// loops by their order. What still holds is kept, and only the rest is searched for.
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub reuse: Option<PathBuf>,

    /// Definitions and lemmas that the proof may use: an ACSL file, or a lemma set; several may be given
    ///
    /// Lakatos proves lemmas itself where it can; others that a proof uses are named in the verdict as
    /// assumptions. Files that contradict themselves are refused. docs/lemmas.md has more.
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub lemmas: Vec<PathBuf>,

    /// Print the proof: what functions require and ensure, what holds in loops
    #[arg(long)]
    pub proof: bool,

    /// Print what it took: probes, refinements, nodes, predicates, queries, time
    #[arg(long)]
    pub stats: bool,

    /// If a property is refuted, write a C file that makes the violation happen
    ///
    /// It is the program with the inputs of the refutation in it; a comment says how to compile it.
    /// With several properties the file of each has the property's name in its own.
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// If a property is refuted, compile the program with the inputs found and run it, under limits
    ///
    /// This runs the code under test: its functions, and of the C library only those that Lakatos
    /// knows. The compiler is `cc`, or what the environment variable CC says.
    #[arg(long)]
    pub execute: bool,

    #[command(flatten)]
    pub outputs: Outputs,

    /// Which engine looks for the answer [default: the one whose options are given, else auto]
    #[arg(long, value_name = "ENGINE", help_heading = "Engine")]
    pub engine: Option<EngineName>,

    /// Engine `auto`: so many engines are at work at a time; with 1 a run is the same everywhere
    /// [default: 2, where there are two cores]
    #[arg(long, value_name = "N", help_heading = "Engine")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: Option<u8>,

    /// Say which engines were asked, and what became of each
    #[arg(long)]
    pub explain: bool,

    /// What numbers are in Horn clauses
    #[arg(long, value_name = "HOW", help_heading = "Engine", default_value = "int")]
    pub encoding: Numbers,

    #[command(flatten)]
    pub cegar: Cegar,
}

impl Verify {
    /// Which program, by all flags that say something of it.
    pub fn input(&self) -> Input {
        let model = match (self.ilp32, self.lp64) {
            (true, _) => Some(Model::Ilp32),
            (_, true) => Some(Model::Lp64),
            _ => self.input.data_model,
        };
        let mut environment = self.input.environment.clone();
        let svcomp = self.outputs.svcomp.then_some(VolatileMeaning::Memory);
        environment.volatile = environment.volatile.or(svcomp);
        Input { file: self.input.file.clone(), data_model: model, environment }
    }
}

/// What a person wants to know of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Property(Property),
    /// Everything that can be checked.
    All,
    /// What a property file says.
    File(PathBuf),
}

/// When an engine gives up.
#[derive(Debug, Args)]
pub struct Limits {
    /// Stop after this many seconds, for each property
    ///
    /// The time of the first one begins with the program: reading, preprocessing and writing count.
    /// A run that does not listen is ended from outside, at most a tenth later.
    #[arg(long, value_name = "SECONDS", value_parser = parse_time, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is in use, in megabytes [default: no limit]
    ///
    /// The solver may use three quarters of it. The memory of the whole process, some 40 MB from
    /// the start, is looked at many times a second on Linux; elsewhere only the solver's is
    /// limited. Limits of the system (`ulimit -v`) are kept without it; docs/limits.md says how.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(allow_negative_numbers = true)]
    pub memory: Option<u32>,
}

/// How the engine `cegar` works.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct Cegar {
    /// What is known of the program's states [default: product; contracts: predicate, then product]
    #[arg(long, value_name = "DOMAIN")]
    pub domain: Option<Domain>,

    /// How predicates describe a state
    #[arg(long, value_name = "HOW", default_value = "boolean")]
    pub abstraction: Abstraction,

    /// Where it is used that a predicate, a variable or (with --lemmas) a lemma matters [default:
    /// location for predicates, function for variables, global for lemmas]
    #[arg(long, value_name = "WHERE")]
    pub precision: Option<Precision>,

    /// What matters from the beginning [default: empty; contracts from the graph: all-assumes]
    #[arg(long, value_name = "WHAT")]
    pub initial: Option<Initial>,

    /// A variable with at most so many values after a step is followed with each of them
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub successors: usize,

    /// Which part of the program is looked at next
    #[arg(long, value_name = "ORDER", default_value = "bfs")]
    pub search: Search,

    /// How predicates are found: auto, farkas, spacer, newton, backward, tree, nested,
    /// well-scoped or binary-per-node
    #[arg(long, value_name = "STRATEGY", default_value = "auto")]
    pub refine: Strategy,

    /// What happens to a call like one that was looked at before
    #[arg(long, value_name = "HOW", default_value = "summary")]
    pub pop: Pop,

    /// What is looked at again when predicates are found
    #[arg(long, value_name = "WHAT", default_value = "lazy")]
    pub prune: Prune,

    /// What is done about loops on counterexamples, which stand for many
    #[arg(long, value_name = "WHAT", default_value = "on")]
    pub accelerate: Accelerate,

    /// Engine `bam`: of what an analysis is kept and used again
    #[arg(long, value_name = "WHAT", default_value = "functions")]
    pub blocks: Blocks,

    /// Engine `bam`: when an analysis of a block is used again
    #[arg(long, value_name = "WHEN", default_value = "exact")]
    pub cache: Cache,

    /// Do not execute the program a few times before the search; `arg` never does
    #[arg(long)]
    pub no_probe: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Several of the others by turns, as the program suggests; the first verdict counts
    Auto,
    /// Abstraction refinement with predicates and stack abstraction
    Cegar,
    /// Horn clauses, solved by Spacer: contracts and invariants at once
    Horn,
    /// Abstraction refinement by blocks, each analysed once for each abstract input
    Bam,
    /// Bounded model checking: loops written out, with more and more turns
    Bmc,
    /// Induction over the turns of loops, several at a time (k-induction): for proofs only
    Induction,
    /// Arrays as values, with invariants by guessing and with lemmas
    Arrays,
    /// Ranges of variables, without a search: quick, for proofs only
    Ranges,
    /// Ranges of variables, case by case, as comparisons tell them apart: for proofs only
    Cases,
    /// The errors one by one, each in the part of the program that decides about it
    Parts,
    /// Laws of numbers that runs have in common, products and powers included: for proofs only
    Laws,
    /// Concrete runs: all of them if they are few, which is a proof, and otherwise many
    Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Blocks {
    /// Of functions
    Functions,
    /// Of loops; functions are analysed for each call
    Loops,
    /// Of both
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cache {
    /// Never; recursion is a fixpoint nevertheless
    Off,
    /// For the same input with the same predicates and variables
    Exact,
    /// For the same input, also if more predicates and variables matter by now
    Aggressive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// Values of variables
    Explicit,
    /// Which predicates hold
    Predicate,
    /// Values first, predicates for variables with too many values
    Product,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Abstraction {
    /// Any combination of them
    Boolean,
    /// Each for itself
    Cartesian,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// Where that was found out
    Location,
    /// In the whole function
    Function,
    /// Everywhere
    Global,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Initial {
    /// Nothing
    Empty,
    /// What conditions speak of, around them
    AllAssumes,
    /// What conditions say of parameters and of what is given to other functions, in the whole
    /// function
    ParamAssumes,
    /// Every variable; no effect on predicates
    AllVars,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Breadth first
    Bfs,
    /// Depth first
    Dfs,
    /// What is nearest to an error
    ErrorFirst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pop {
    /// It is looked at again
    Off,
    /// It may do anything to what it can change
    Havoc,
    /// It does what the other one did
    Summary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prune {
    /// What they concern
    Lazy,
    /// Everything
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Accelerate {
    /// Solve for the number of turns, and look for what holds in all turns
    On,
    /// Nothing
    Off,
    /// Only look for what holds in all turns
    InvariantsOnly,
}

const VERIFY_HELP: &str = "\
Properties:
  unreach-call   no call of reach_error or __VERIFIER_error, no failing assert
  no-overflow    no signed integer overflow
  div-by-zero    no division by zero
  array-bounds   every array index is within its array
  valid-deref    every read and write is within an object that is alive
  valid-free     only the start of an object on the heap is freed, and only once
  valid-memtrack no memory on the heap is lost
  uninitialised-read  no local variable, and no memory, is read before it is written
  all            each of them; without no-overflow where overflow wraps around

  valid-memsafety is valid-deref, valid-free and valid-memtrack together, null-deref and use-after-free are parts of valid-deref.

Each gets a verdict of its own. A proof is printed only after an independent checker has accepted
it, a refutation only after the interpreter has replayed it.

Examples:
  lakatos verify examples/mccarthy91.c
  lakatos verify --property no-overflow --property div-by-zero average.c
  lakatos verify --data-model ilp32 --signed-overflow wrap counter.c
  lakatos verify --timeout 60 --stats program.c
  lakatos verify --proof --cross-check program.c
  lakatos verify --execute examples/deep_bug.c     run the counterexample, too
  lakatos verify program.c --witness witness.yml
  lakatos verify --modular annotated.c             functions against their contracts
  lakatos verify --reuse old.json new.c            what `lakatos contracts --json` found before
  lakatos verify task.yml        data model and properties as the SV-COMP task says
  lakatos verify --report report.html program.c    a page to look at, with a stepper
  lakatos verify --json - program.c | jq .verdict
  lakatos verify --svcomp --32 --property unreach-call.prp program.c

Exit codes:
  0  every property is proved
  1  at least one property is refuted
  2  none is refuted, at least one is unknown
  3  bad usage or input
  4  internal error";

/// Execute a program and show what happened
///
/// The program runs in Lakatos' interpreter, which watches for undefined behaviour; nothing is
/// compiled and nothing outside is touched. Results of `__VERIFIER_nondet_*` and of functions
/// without a body come from `--inputs`, in the order of the calls; when these are used up they
/// are 0. Uninitialised variables start as 0.
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct Run {
    #[command(flatten)]
    pub input: Input,

    /// Values for the program's inputs, in the order it asks for them
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(value_parser = parse_integer)]
    pub inputs: Vec<i128>,

    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub steps: u64,

    /// List every step with its source line and the value it sets
    #[arg(long)]
    pub trace: bool,

    /// What signed overflow means: undefined behaviour, or wrap around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,
}

const RUN_HELP: &str = "\
Examples:
  lakatos run examples/deep_bug.c
  lakatos run examples/mccarthy91.c --inputs 50
  lakatos run examples/loop.c --inputs 3,-1 --trace

Exit codes:
  0  the program ended by itself: main returned (any value), or exit or abort was called
  1  a violation or undefined behaviour was found
  2  stopped before its end: a limit, an assumption that does not hold, or something unsupported
  3  bad usage or input
  4  internal error";

/// Draw a program's control-flow automata
#[derive(Debug, Args)]
#[command(after_help = CFA_HELP)]
pub struct CfaArgs {
    #[command(flatten)]
    pub input: Input,

    /// Draw only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Mark where this property can be violated; may be given several times
    #[arg(long = "property", value_name = "PROPERTY", value_parser = property_parser())]
    #[arg(default_value = "unreach-call")]
    pub properties: Vec<Property>,

    #[command(flatten)]
    pub picture: Output,
}

/// How a drawing is written, and where to.
#[derive(Debug, Args)]
pub struct Output {
    /// Output format [default: from the ending of --output, else dot]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

const CFA_HELP: &str = "\
Examples:
  lakatos cfa examples/loop.c --function main
  lakatos cfa examples/loop.c -o loop.svg
  lakatos cfa examples/array.c --property array-bounds -o array.svg
  lakatos cfa examples/loop.c --format json | jq .

Exit codes:
  0  drawn
  2  the program uses something unsupported
  3  bad usage or input
  4  internal error";

/// Draw the abstract reachability graph that an engine ends with
///
/// One box per abstract state: its location, the calls it is under, what is known there. Covered
/// and popped states have a dashed line to the state they are left out for; what was pruned is
/// not shown. With `--engine bam` every block has a graph of its own: a bold line leads from where
/// it is entered to what it sees of that (reduce), another one from its exits back to where it was
/// entered (expand). A run that is stopped (a limit, Ctrl-C, a refinement that fails) gives the graph so
/// far, in which states that were not looked at are marked as open. SVG is for at most 5000 states.
#[derive(Debug, Args)]
#[command(after_help = ARG_HELP)]
pub struct ArgArgs {
    #[command(flatten)]
    pub input: Input,

    /// What to check [default: the first that the task file names, else unreach-call]
    #[arg(long, value_name = "PROPERTY", value_parser = property_parser())]
    pub property: Option<Property>,

    /// What signed overflow means: the path ends there, or it wraps around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub picture: Output,

    /// Whose graph is drawn
    #[arg(long, value_name = "ENGINE", help_heading = "Engine", default_value = "cegar")]
    pub engine: Drawn,

    #[command(flatten)]
    pub cegar: Cegar,
}

/// The engines that have a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Drawn {
    /// Abstraction refinement with predicates and stack abstraction
    Cegar,
    /// Abstraction refinement by blocks
    Bam,
}

const ARG_HELP: &str = "\
Examples:
  lakatos arg examples/loop.c -o arg.svg
  lakatos arg --timeout 5 examples/deep_bug.c -o arg.svg
  lakatos arg examples/mccarthy91.c --format json | jq .
  lakatos arg --engine bam examples/mccarthy91.c -o blocks.svg

Exit codes:
  0  drawn: the graph is complete, or leads to a violation that was replayed
  2  drawn as far as it goes: the run was stopped; or the program uses something unsupported
  3  bad usage or input
  4  internal error";

/// Check a witness of any verifier
///
/// Of a correctness witness: are its invariants and contracts true, and are they enough? Of a
/// violation witness: does a run through its waypoints end in the violation? Hash, data model and
/// specification must fit the program.
#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    /// The witness: a YAML file of format 2.0 or 2.1
    #[arg(long, value_name = "FILE")]
    pub witness: PathBuf,

    /// Definitions and lemmas that the witness may use; several may be given
    #[arg(long, value_name = "FILE")]
    pub lemmas: Vec<PathBuf>,

    /// What the witness must be about [default: the task file's, else what the witness says]
    #[arg(long, value_name = "PROPERTY", value_parser = property_parser())]
    pub property: Option<Property>,

    /// What signed overflow means: the path ends there, or it wraps around as with `cc -fwrapv`
    #[arg(long, value_name = "MEANING", default_value = "undefined")]
    pub signed_overflow: Overflow,

    #[command(flatten)]
    pub limits: Limits,
}

const CHECK_HELP: &str = "\
Examples:
  lakatos verify examples/loop.c --witness loop.yml
  lakatos check examples/loop.c --witness loop.yml
  lakatos check --data-model ilp32 --timeout 60 program.c --witness witness.yml

Exit codes:
  0  confirmed
  1  rejected, with the reason
  2  unknown, with the reason
  3  bad usage or input: a witness that is no YAML, say
  4  internal error";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  lakatos completions bash > ~/.local/share/bash-completion/completions/lakatos
  lakatos completions zsh  > ~/.zfunc/_lakatos
  lakatos completions fish > ~/.config/fish/completions/lakatos.fish";

/// Print a manual page (for `man`)
#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub struct Man {
    /// Of this command, instead of the page that lists them
    pub command: Option<String>,
}

const MAN_HELP: &str = "\
Examples:
  lakatos man verify | man -l -
  lakatos man > ~/.local/share/man/man1/lakatos.1";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Dot,
    Svg,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// int, long and pointers have 32 bits
    Ilp32,
    /// int has 32 bits, long and pointers have 64
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Overflow {
    Undefined,
    Wrap,
}

impl From<Overflow> for SignedOverflow {
    fn from(overflow: Overflow) -> SignedOverflow {
        match overflow {
            Overflow::Undefined => SignedOverflow::Undefined,
            Overflow::Wrap => SignedOverflow::Wrap,
        }
    }
}

/// Properties by name, listed in help, errors and completions.
fn property_parser() -> impl TypedValueParser<Value = Property> {
    PossibleValuesParser::new(Property::ALL.map(Property::name))
        .map(|name| name.parse().expect("only the names of properties get here"))
}

fn parse_wanted(text: &str) -> Result<Wanted, String> {
    match text {
        "all" => Ok(Wanted::All),
        file if file.ends_with(".prp") => Ok(Wanted::File(file.into())),
        name => name.parse().map(Wanted::Property).map_err(|_| {
            let names = Property::ALL.map(Property::name).join(", ");
            format!("neither a property ({names}), nor `all`, nor a property file (.prp)")
        }),
    }
}

/// A time, as seconds.
fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "not a number of seconds".to_owned())
}

/// A time that is more than none.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let more = parse_time(text).ok().filter(|time| !time.is_zero());
    more.ok_or_else(|| "not a number of seconds that is more than 0".to_owned())
}

/// An integer as C writes it: 42, -7 or 0x2a.
fn parse_integer(text: &str) -> Result<i128, String> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    match value.filter(|_| digits.starts_with(|c: char| c.is_ascii_digit())) {
        Some(value) => Ok(if negative { -value } else { value }),
        None => Err("not an integer (write 42, -7 or 0x2a)".to_owned()),
    }
}
