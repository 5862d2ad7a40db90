//! `cargo xtask`: the command line of the project's tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use lakatos_ir::{DataModel, Property};
use xtask::{
    chc, contracts, corpus, csmith, curves, differential, fuzz, generate, library, limits, mutate,
    oracle, probes, reduce, tables, tidy, validate,
};

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

/// Which random programs to try.
#[derive(Debug, Args)]
struct Programs {
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2000)]
    count: u64,
    #[arg(long, default_value = "lp64")]
    model: Model,
}

/// What is measured for the document, and how.
#[derive(Debug, Args)]
struct Tables {
    /// The folder with index.tsv
    #[arg(long, default_value = "../shared/bench")]
    bench: PathBuf,
    /// The program to run
    #[arg(long, default_value = "target/release/lakatos")]
    lakatos: PathBuf,
    /// Where the rows are kept
    #[arg(long, default_value = "target/tables", conflicts_with = "from")]
    rows: PathBuf,
    /// Run nothing, and take the rows in this folder
    #[arg(long, value_name = "ROWS")]
    from: Option<PathBuf>,
    /// Only this table; may be given several times
    #[arg(long = "table", value_name = "NAME")]
    tables: Vec<String>,
    /// Processor time of each task, in seconds
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,
    /// Time on the clock of each task [default: five times the processor time]
    #[arg(long)]
    wall: Option<f64>,
    /// Memory of each task, in megabytes
    #[arg(long, default_value_t = 4096)]
    memory: u64,
    /// Tasks at a time
    #[arg(short, long, default_value_t = 1)]
    jobs: usize,
    /// Only so many tasks of each group
    #[arg(long)]
    sample: Option<usize>,
}

#[derive(Debug, Args)]
struct Curves {
    /// The program to run
    #[arg(long, default_value = "target/release/lakatos")]
    lakatos: PathBuf,
    /// Where the programs and rows are kept
    #[arg(long, default_value = "target/curves", conflicts_with = "from")]
    rows: PathBuf,
    /// Run nothing, and take the rows in this folder
    #[arg(long, value_name = "ROWS")]
    from: Option<PathBuf>,
    /// Processor time of each program, in seconds
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,
    /// Time on the clock of each program [default: ten times the processor time]
    #[arg(long)]
    wall: Option<f64>,
    /// Memory of each program, in megabytes
    #[arg(long, default_value_t = 4096)]
    memory: u64,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the house rules: crate edges, file sizes, headers, forbidden words
    Tidy,
    /// Run the front-end over the benchmark tasks
    Corpus {
        /// The folder with index.tsv
        #[arg(long, default_value = "../shared/bench")]
        bench: PathBuf,
    },
    /// Infer contracts for the benchmark tasks and let Frama-C prove them; goes on from earlier rows
    Contracts {
        /// The folder with index.tsv
        #[arg(long, default_value = "../shared/bench")]
        bench: PathBuf,
        /// The program to run
        #[arg(long, default_value = "target/release/lakatos")]
        lakatos: PathBuf,
        /// Seconds for each property of a task
        #[arg(long, default_value_t = 60)]
        timeout: u32,
        /// Only every so many tasks
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// What finds the contracts: `--from` of `lakatos contracts`
        #[arg(long)]
        from: Option<String>,
        /// Where the rows are kept
        #[arg(short, long, default_value = "target/contracts.tsv")]
        output: PathBuf,
    },
    /// Measure the tables of docs/benchmarks.md and write them; goes on from rows that are there
    Tables(Tables),
    /// Measure how time grows with bounds and programs, and draw it for docs/benchmarks.md
    Curves(Curves),
    /// Compare answers about Horn clauses with those of the command `z3`
    Chc {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Random clauses, and as many random programs
        #[arg(long, default_value_t = 50)]
        count: u64,
        /// The folder with index.tsv
        #[arg(long, default_value = "../shared/bench")]
        bench: PathBuf,
        /// Only every so many of its integer tasks
        #[arg(long, default_value_t = 20)]
        every: usize,
        /// The command, which gets this many seconds for each problem
        #[arg(long, default_value = "z3")]
        z3: PathBuf,
        #[arg(long, default_value_t = 3)]
        timeout: u32,
    },
    /// Compare the interpreter with compiled code on random programs
    Differential {
        #[command(flatten)]
        programs: Programs,
        /// Make one program of each kind of disagreement smaller (takes minutes)
        #[arg(long)]
        reduce: bool,
    },
    /// Compare the interpreter with compiled code on programs of Csmith
    Csmith {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 300)]
        count: u64,
        /// The command, and the folder with its headers if it is not with those of the system
        #[arg(long, default_value = "csmith")]
        csmith: PathBuf,
        #[arg(long)]
        headers: Option<PathBuf>,
    },
    /// Check sizes, offsets, types and constants against the compiler
    Probes {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100)]
        count: u64,
    },
    /// Check the layout of random records with attributes and pragmas against the compiler
    Layout {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Sheets of ten records, each for both data models
        #[arg(long, default_value_t = 100)]
        count: u64,
    },
    /// Feed broken inputs and depth bombs to the front-end
    Mutate {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100_000)]
        count: u64,
        /// How deep bombs are nested
        #[arg(long, default_value_t = 100_000)]
        depth: usize,
        /// Files to break, besides examples/ and corpus/
        #[arg(long, default_value = "../shared/bench")]
        bench: PathBuf,
    },
    /// Compare the engine's verdicts with the truth, on random programs that are run with all inputs
    Fuzz {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 1000)]
        count: u64,
        /// Settings of the engine to try on each program
        #[arg(long, default_value_t = 4)]
        settings: usize,
        /// Engines to try
        #[arg(long, value_enum, default_value = "all")]
        engine: fuzz::Engines,
        /// Seconds for each run of the engine
        #[arg(long, default_value_t = 2.0)]
        timeout: f64,
        /// Print the programs, and do not try them
        #[arg(long)]
        print: bool,
        /// Programs about memory: pointers that walk, and lists
        #[arg(long)]
        memory: bool,
        /// Programs at the edge of C: library functions through pointers, layout, linkage and more;
        /// gcc and clang with sanitizers are the oracles
        #[arg(long, conflicts_with_all = ["memory", "settings", "engine"])]
        edge: bool,
        /// With --edge: the program to ask
        #[arg(long, default_value = "target/release/lakatos")]
        lakatos: PathBuf,
        /// With --edge: the folder for findings
        #[arg(long, requires = "edge")]
        findings: Option<PathBuf>,
        /// With --edge: make findings smaller
        #[arg(long, requires = "edge")]
        reduce: bool,
    },
    /// Change proofs of random programs and of corpus/pos in 24 ways, and the numbers of unwindings:
    /// where a run contradicts a changed proof, the checker must reject it
    Proofs {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many proofs
        #[arg(long, default_value_t = 200)]
        count: u64,
    },
    /// Run Lakatos under limits of the system, each with many values
    Limits {
        /// The program to run
        #[arg(long, default_value = "target/release/lakatos")]
        lakatos: PathBuf,
        /// Only this limit; may be given several times
        #[arg(long = "limit", value_name = "LIMIT")]
        limits: Vec<limits::Limit>,
        /// So many values of each limit
        #[arg(long, default_value_t = 200)]
        values: u64,
        /// Every command with every value, and not one after the other
        #[arg(long)]
        thorough: bool,
    },
    /// Confirm the verdicts of corpus/soundness with gcc and clang and their sanitizers
    Oracle {
        /// The folder with the programs
        #[arg(long, default_value = "corpus/soundness")]
        folder: PathBuf,
    },
    /// Compare the models of library functions with the C library of the machine
    Library {
        /// Links the library to compare with: `musl-gcc` links musl
        #[arg(long, default_value = "cc")]
        compiler: String,
        /// So many calls of each function
        #[arg(long, default_value_t = 1000)]
        calls: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the random program that a seed names
    Generate {
        seed: u64,
        #[arg(long, default_value = "lp64")]
        model: Model,
    },
    /// Test the generator of random programs against the C compiler and its sanitizers
    Validate(Programs),
    /// Make a file smaller while a command, given the path of a candidate, succeeds
    Reduce { file: PathBuf, command: PathBuf },
    #[command(hide = true)]
    MutateWorker {
        #[arg(long)]
        seed: u64,
        #[arg(long)]
        count: u64,
        #[arg(long)]
        folder: Vec<PathBuf>,
    },
    #[command(hide = true)]
    BombWorker {
        name: String,
        #[arg(long)]
        depth: usize,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Tidy => run_tidy(),
        Command::Corpus { bench } => run_corpus(&bench),
        Command::Contracts { bench, lakatos, timeout, every, from, output } => {
            let (bench, lakatos) = (root().join(bench), root().join(lakatos));
            let rows = root().join(output);
            run_contracts(&contracts::Options { bench, lakatos, timeout, every, from, rows })
        }
        Command::Tables(args) => run_tables(args),
        Command::Curves(args) => run_curves(args),
        Command::Chc { seed, count, bench, every, z3, timeout } => {
            let folders = ["examples", "corpus/pos", "corpus/neg"];
            let folders = folders.map(|name| root().join(name)).into();
            let bench = Some(root().join(bench));
            let (first, seconds) = (seed, timeout);
            run_chc(&chc::Options { first, count, folders, bench, every, z3, seconds })
        }
        Command::Differential { programs, reduce } => run_differential(&programs, reduce),
        Command::Csmith { seed, count, csmith, headers } => {
            run_csmith(&csmith::Options { first: seed, count, command: csmith, headers })
        }
        Command::Probes { seed, count } => run_probes(seed, count),
        Command::Layout { seed, count } => run_layout(seed, count),
        Command::Mutate { seed, count, depth, bench } => run_mutate(seed, count, depth, &bench),
        Command::Proofs { seed, count } => run_proofs(seed, count),
        Command::Fuzz {
            edge: true,
            seed,
            count,
            timeout,
            print,
            lakatos,
            findings,
            reduce,
            ..
        } => {
            if print {
                (seed..seed + count).for_each(|seed| println!("{}", fuzz::edge::show(seed)));
                return Ok(());
            }
            let lakatos = root().join(lakatos);
            let (first, findings) = (seed, findings.map(|folder| root().join(folder)));
            run_edge(&fuzz::edge::Options { first, count, lakatos, timeout, findings, reduce })
        }
        Command::Fuzz { seed, count, settings, engine, timeout, print, memory, .. } => {
            let seed = if memory { fuzz::MEMORY + seed } else { seed };
            if print {
                print_tasks(seed, count);
                return Ok(());
            }
            let timeout = Some(Duration::try_from_secs_f64(timeout)?);
            let (nodes, engines) = (20_000, engine);
            let options = fuzz::Options { first: seed, count, timeout, nodes, settings, engines };
            run_fuzz(&options)
        }
        Command::Limits { lakatos, limits, values, thorough } => {
            let limits = if limits.is_empty() { limits::ALL.to_vec() } else { limits };
            let lakatos = root().join(lakatos);
            run_limits(&limits::Options { lakatos, limits, values, thorough })
        }
        Command::Oracle { folder } => run_oracle(&root().join(folder)),
        Command::Library { compiler, calls, seed } => run_library(&compiler, calls, seed),
        Command::Generate { seed, model } => {
            print!("{}", generate::program(seed, model.into()));
            Ok(())
        }
        Command::Validate(programs) => run_validate(&programs),
        Command::Reduce { file, command } => run_reduce(&file, &command),
        Command::MutateWorker { seed, count, folder } => mutate::work(seed, count, &folder),
        Command::BombWorker { name, depth } => mutate::work_on_bomb(&name, depth),
    }
}

/// The repository that this program was built in.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/xtask is two deep")
}

fn run_library(compiler: &str, calls: u64, seed: u64) -> Result<()> {
    let summary = library::compare(compiler, calls, seed)?;
    if !summary.absent.is_empty() {
        println!("not in this library: {}", summary.absent.join(", "));
    }
    summary.differences.iter().for_each(|what| println!("different: {what}"));
    println!(
        "{} calls of {} functions, {} different",
        summary.calls,
        summary.functions,
        summary.differences.len()
    );
    if !summary.differences.is_empty() {
        bail!("models differ from the library");
    }
    Ok(())
}

fn run_oracle(folder: &Path) -> Result<()> {
    let summary = oracle::oracle(folder)?;
    summary.problems.iter().for_each(|problem| println!("{problem}"));
    println!("{} confirmed, {} left out", summary.confirmed, summary.left_out);
    match summary.problems.len() {
        0 => Ok(()),
        n => bail!("{n} programs are not confirmed"),
    }
}

fn run_tidy() -> Result<()> {
    let problems = tidy::tidy(root())?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        n => bail!("{n} problems"),
    }
}

fn run_corpus(bench: &Path) -> Result<()> {
    match corpus::corpus(&root().join(bench))? {
        None => println!("{} is absent: no benchmark tasks were tried", bench.display()),
        Some(summary) => {
            print!("{}", corpus::describe(&summary));
            if !summary.passes() {
                bail!("all integer tasks and 99 % of all tasks must be taken");
            }
        }
    }
    Ok(())
}

fn run_contracts(options: &contracts::Options) -> Result<()> {
    let line = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tasks, {eta} left");
    line.set_style(style.expect("the template is right"));
    let summary = contracts::contracts(options, |done, all| {
        line.set_length(all as u64);
        line.set_position(done as u64);
    })?;
    line.finish_and_clear();
    match summary {
        None => println!("{} is absent: no contracts were tried", options.bench.display()),
        Some(summary) => print!("{summary}"),
    }
    Ok(())
}

fn run_limits(options: &limits::Options) -> Result<()> {
    let line = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {pos} runs, {elapsed}");
    line.set_style(style.expect("the template is right"));
    let rows = limits::limits(options, || line.inc(1))?;
    line.finish_and_clear();
    rows.iter().for_each(|row| print!("{row}"));
    match rows.iter().map(|row| row.failures.len()).sum() {
        0 => Ok(()),
        failures => bail!("{failures} failures"),
    }
}

fn run_tables(args: Tables) -> Result<()> {
    let only_rows = args.from.is_some();
    let options = tables::Options {
        root: root().to_owned(),
        bench: root().join(args.bench),
        lakatos: root().join(args.lakatos),
        rows: root().join(args.from.unwrap_or(args.rows)),
        only_rows,
        tables: args.tables,
        timeout: args.timeout,
        wall: args.wall.unwrap_or(args.timeout * 5.0),
        memory: args.memory,
        jobs: args.jobs,
        sample: args.sample,
    };
    let told = tables::tables(&options, |line| eprintln!("{line}"))?;
    for line in &told {
        println!("{line}");
    }
    if told.iter().any(|line| line.contains("WRONG")) {
        bail!("the tables are written, and have wrong verdicts");
    }
    Ok(())
}

fn run_curves(args: Curves) -> Result<()> {
    let only_rows = args.from.is_some();
    let told = curves::curves(&curves::Options {
        root: root().to_owned(),
        lakatos: root().join(args.lakatos),
        folder: root().join(args.from.unwrap_or(args.rows)),
        only_rows,
        timeout: args.timeout,
        wall: args.wall.unwrap_or(args.timeout * 10.0),
        memory: args.memory,
    })?;
    told.iter().for_each(|line| println!("{line}"));
    if told.iter().any(|line| line.contains("WRONG")) {
        bail!("the curves are written, and have wrong verdicts");
    }
    Ok(())
}

fn run_chc(options: &chc::Options) -> Result<()> {
    let line = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} problems, {eta} left");
    line.set_style(style.expect("the template is right"));
    let summary = chc::chc(options, |done, all| {
        line.set_length(all as u64);
        line.set_position(done as u64);
    })?;
    line.finish_and_clear();
    let Some(summary) = summary else {
        println!("{} is absent: no clauses were compared", options.z3.display());
        return Ok(());
    };
    let wrong: Vec<&chc::Row> = summary.rows.iter().filter(|row| row.disagrees()).collect();
    for chc::Row { problem, ours, theirs } in &wrong {
        println!("{}: Lakatos {ours:?}, z3 {theirs:?}\n{}", problem.name, problem.script);
    }
    print!("{summary}");
    if !wrong.is_empty() {
        bail!("{} answers disagree", wrong.len());
    }
    Ok(())
}

fn run_differential(programs: &Programs, reduce: bool) -> Result<()> {
    let model = programs.model.into();
    let found = differential::differential(programs.seed, programs.count, model)?;
    for disagreement in &found {
        println!("{disagreement}");
    }
    if reduce {
        let save = root().join("target/differential");
        for disagreement in differential::distinct(&found) {
            let path = differential::minimise(&save, model, disagreement)?;
            println!("seed {} reduced to {}", disagreement.seed, path.display());
        }
    }
    if !found.is_empty() {
        bail!("{} of {} programs disagree", found.len(), programs.count);
    }
    println!("{} programs: the interpreter and the compiler agree", programs.count);
    Ok(())
}

fn run_csmith(options: &csmith::Options) -> Result<()> {
    let line = ProgressBar::new(options.count);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} programs, {eta} left");
    line.set_style(style.expect("the template is right"));
    let summary = csmith::csmith(options, |done| line.set_position(done as u64))?;
    line.finish_and_clear();
    let Some(summary) = summary else {
        println!("Csmith or its headers are absent: no programs were compared");
        return Ok(());
    };
    print!("{summary}");
    if !summary.passes() {
        bail!("not all programs of Csmith are run as the compiler's program runs");
    }
    Ok(())
}

fn print_tasks(first: u64, count: u64) {
    for seed in first..first + count {
        match fuzz::task(seed) {
            Some((text, question)) => println!("// seed {seed}: {question:?}\n{text}"),
            None => println!("// seed {seed}: no program"),
        }
    }
}

fn run_fuzz(options: &fuzz::Options) -> Result<()> {
    let line = ProgressBar::new(options.count);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} programs, {eta} left");
    line.set_style(style.expect("the template is right"));
    let summary = fuzz::fuzz(options, |done, findings| {
        line.set_position(done as u64);
        findings.iter().for_each(|finding| line.suspend(|| println!("{finding}")));
    })?;
    line.finish_and_clear();
    for finding in &summary.findings {
        println!("made smaller:\n{}", fuzz::minimise(finding, options)?);
    }
    print!("{summary}");
    if !summary.findings.is_empty() {
        bail!("{} wrong verdicts or panics", summary.findings.len());
    }
    Ok(())
}

fn run_edge(options: &fuzz::edge::Options) -> Result<()> {
    if !fuzz::edge::compilers_are_there() {
        println!("gcc or clang is absent: no programs at the edge of C were tried");
        return Ok(());
    }
    let line = ProgressBar::new(options.count);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} programs, {eta} left");
    line.set_style(style.expect("the template is right"));
    let summary = fuzz::edge::fuzz(options, |done, findings| {
        line.set_position(done);
        findings.iter().for_each(|finding| line.suspend(|| println!("{finding}")));
    })?;
    line.finish_and_clear();
    print!("{summary}");
    match summary.findings.len() {
        0 => Ok(()),
        n => bail!("{n} wrong verdicts"),
    }
}

/// The programs of a folder of the corpus, with their properties.
fn corpus_programs(folder: &Path) -> Result<Vec<(String, Property)>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    let mut programs = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        let header = tidy::corpus::header(&text);
        let get = |key: &str| header.iter().find(|(_, k, _)| *k == key).map(|(_, _, value)| *value);
        let is_usual = get("data-model") != Some("ilp32") && get("signed-overflow") != Some("wrap");
        if let Some(Ok(property)) = get("property").map(str::parse)
            && is_usual
        {
            programs.push((text, property));
        }
    }
    Ok(programs)
}

fn run_proofs(seed: u64, count: u64) -> Result<()> {
    let line = ProgressBar::new(count);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} proofs, {eta} left");
    line.set_style(style.expect("the template is right"));
    let corpus = corpus_programs(&root().join("corpus/pos"))?;
    let options = fuzz::proofs::Options { first: seed, proofs: count, corpus };
    let summary = fuzz::proofs::mutants(&options, |done| line.set_position(done))?;
    line.finish_and_clear();
    summary.findings.iter().for_each(|finding| println!("{finding}"));
    print!("{summary}");
    let (all, accepted) = summary.totals();
    println!("{all} mutants, {accepted} accepted");
    if !summary.findings.is_empty() {
        bail!("{} times the checker is wrong", summary.findings.len());
    }
    Ok(())
}

fn run_probes(seed: u64, count: u64) -> Result<()> {
    show_probes(&probes::probes(seed, count)?)
}

fn run_layout(seed: u64, count: u64) -> Result<()> {
    show_probes(&probes::layout(seed, count)?)?;
    println!("{} records for each data model", count * probes::RECORDS as u64);
    Ok(())
}

fn show_probes(summary: &probes::Summary) -> Result<()> {
    for m in &summary.mismatches {
        println!("{m}");
    }
    if !summary.mismatches.is_empty() {
        bail!("{} of {} answers are wrong", summary.mismatches.len(), summary.asked);
    }
    println!("{} questions: the front-end and the compiler agree", summary.asked);
    Ok(())
}

fn run_mutate(seed: u64, count: u64, depth: usize, bench: &Path) -> Result<()> {
    let worker = std::env::current_exe()?;
    let bombs = mutate::bombs(depth, &worker)?;
    for (name, problem) in &bombs {
        println!("bomb {name}: {problem}");
    }
    let folders = [Path::new("examples"), Path::new("corpus"), bench].map(|f| root().join(f));
    let folders = folders.to_vec();
    let save = root().join("target/mutate");
    let options = mutate::Options { first: seed, count, folders, save, worker };
    let found = mutate::mutate(&options)?;
    for f in &found {
        println!("{}: {}; saved as {}", f.input, f.problem, f.saved.display());
    }
    if bombs.len() + found.len() > 0 {
        bail!("{} bombs and {} inputs break the front-end", bombs.len(), found.len());
    }
    println!("{} bombs and {count} broken inputs: diagnostics or programs", mutate::BOMBS.len());
    Ok(())
}

fn run_reduce(file: &Path, command: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let candidate = folder.path().join("candidate.c");
    let keeps = |text: &str| {
        fs::write(&candidate, text).is_ok()
            && process::Command::new(command)
                .arg(&candidate)
                .stdout(process::Stdio::null())
                .stderr(process::Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
    };
    print!("{}", reduce::reduce(&fs::read_to_string(file)?, 10_000, keeps));
    Ok(())
}

fn run_validate(programs: &Programs) -> Result<()> {
    let found = validate::validate(programs.seed, programs.count, programs.model.into())?;
    for (seed, problem) in &found {
        println!("seed {seed}: {problem}");
    }
    if !found.is_empty() {
        bail!("{} of {} programs are not defined", found.len(), programs.count);
    }
    println!("{} programs: closed, terminating and defined", programs.count);
    let invalid = probes::invalid(programs.seed, programs.count)?;
    for m in &invalid {
        println!("{m}");
    }
    if !invalid.is_empty() {
        bail!("{} probes are not constant expressions", invalid.len());
    }
    Ok(())
}
