//! `lakatos verify`: the properties to check, and what is known about each of them in the end.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use lakatos_analysis::bam::{Cache, Counts, Kinds, Settings};
use lakatos_analysis::cegar::{Accelerate, Prune};
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_contracts::claims::Claims;
use lakatos_engine::auto::Auto;
use lakatos_engine::bam::Bam;
use lakatos_engine::horn::Horn;
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{
    Arrays, Bmc, Cases, Engine, Helped, Induction, Laws, Means, Parts, Ranges, Report, Runs,
    Statistics, Task, Tried,
};
use lakatos_evidence::{Assumption, Refutation};
use lakatos_ir::{Program, Property, Source, Span};
use lakatos_report::outcome::{Execution, conditions};
use lakatos_report::{diagnostic, evidence};

use crate::args::{self, Cegar, EngineName, Overflow, Verify, Wanted};
use crate::execute;
use crate::exit::Exit;
use crate::lemmas::Known;
use crate::load::{self, Choice, Refused, choose};
use crate::modular;
use crate::open;
use crate::output::Outputs;
use crate::reuse::{self, Old, Reused};
use crate::second::SecondSolver;
use crate::supervise::pending::REASON;
use crate::task::{self, Asked};
use crate::terminal::{self, BAD, BOLD, DIM, GOOD, UNSURE};
use crate::timeline::{Candidate, became};
use crate::watch::{Ends, Limits, watched};
use crate::{lemmas, witness};

pub fn verify(args: &Verify) -> Result<Exit> {
    let choice = choose(&args.input())?;
    let asked = asked(&args.properties, args.signed_overflow, &choice)?;
    for property in &asked {
        if let Asked::Known(property) = property {
            ensure_sensible(args.signed_overflow, *property)?;
        }
    }
    if args.modular {
        return modular::verify(args, &choice, &asked);
    }
    let second = args.cross_check.as_deref().map(SecondSolver::find).transpose()?;
    // What is known beside the program comes from it, too, and its name is said before.
    let outputs = Outputs::new(args, &choice, engine(args, Known::default()).name())?;
    outputs.expect(asked.iter().map(Asked::name));
    let program = match outputs.compile(&choice)? {
        Ok(program) => program,
        Err(refused) => {
            if let Refused::Unsupported(reason) = &refused {
                outputs.say_headline()?;
                let out = &mut outputs.text();
                for property in &asked {
                    outputs.unknown(property.name(), reason);
                    unknown(out, property.name(), reason)?;
                }
            }
            return outputs.finish(refused.exit());
        }
    };
    let known = match lemmas::known(&args.lemmas, &choice, &program)? {
        Ok(known) => known,
        Err(exit) => return outputs.finish(exit),
    };
    let engine = engine(args, known);
    let old = args.reuse.as_deref().map(|path| Old::read(path, &choice, &program)).transpose()?;
    let claims = old.as_ref().map(|old| old.claims(&program));
    let program = claims.as_ref().map_or(program, |claims| claims.program().clone());
    outputs.say_headline()?;
    let known = asked.iter().filter(|asked| matches!(asked, Asked::Known(_))).count();
    let overflow = args.signed_overflow.into();
    let path = args.witness.as_ref();
    let writer = path.map(|path| witness::Writer::new(path, &choice, known, overflow));
    let session = Session {
        args,
        engine,
        program: &program,
        ends: Ends::with_ctrl_c(),
        limits: Limits::set(&args.limits),
        second,
        several: asked.len() > 1,
        writer: writer.transpose()?,
        claims,
        outputs: &outputs,
        shown: Mutex::default(),
    };
    let mut exits = Vec::new();
    for (number, property) in asked.iter().enumerate() {
        exits.push(match property {
            Asked::Known(property) => {
                let stuck = |why| session.stuck(&exits, &asked[number..], &why);
                let first = session.limits;
                let limits = if number == 0 { first } else { first.anew() };
                session.decide(*property, limits, stuck)?
            }
            Asked::Unsupported(name) => {
                let reason = "this property is not supported";
                outputs.unknown(name, reason);
                unknown(&mut outputs.text(), name, reason)?;
                Exit::Unknown
            }
        });
    }
    outputs.finish(Exit::overall(&exits))
}

/// A property that holds of every program is not asked for on purpose.
pub fn ensure_sensible(overflow: Overflow, property: Property) -> Result<()> {
    ensure!(
        overflow == Overflow::Undefined || property != Property::NoOverflow,
        "`--signed-overflow wrap` contradicts the property no-overflow: nothing overflows when \
         it wraps around\n  Check no-overflow without it, or leave the property out."
    );
    Ok(())
}

/// One run of the command.
struct Session<'a> {
    args: &'a Verify,
    engine: Box<dyn Engine>,
    program: &'a Program,
    ends: Ends,
    limits: Limits,
    second: Option<SecondSolver>,
    /// Several properties are asked for.
    several: bool,
    writer: Option<witness::Writer>,
    /// What an older proof says of the program.
    claims: Option<Claims<'a>>,
    outputs: &'a Outputs<'a>,
    /// Where properties were refuted.
    shown: Mutex<Vec<(Span, Property)>>,
}

impl Session<'_> {
    /// What is said of the properties that are left when something does not end when it has to.
    fn stuck(&self, exits: &[Exit], left: &[Asked], why: &Why) -> Exit {
        let reason = why.describe(&self.program.source);
        for asked in left {
            self.outputs.unknown(asked.name(), &reason);
            // The process ends now, whether or not anybody reads this.
            let _ = unknown(&mut self.outputs.text(), asked.name(), &reason);
        }
        let exit = Exit::overall(&[exits, &[Exit::Unknown]].concat());
        self.outputs.finish(exit).unwrap_or_else(|error| {
            terminal::error(&error);
            Exit::BadInput
        })
    }

    /// Asks the engine about one property and tells what it said.
    fn decide(
        &self,
        property: Property,
        limits: Limits,
        stuck: impl Fn(Why) -> Exit,
    ) -> Result<Exit> {
        let begin = Instant::now();
        let (report, reused) = self.solve(property, limits, stuck);
        if let Some(writer) = &self.writer {
            let written = writer.write(self.program, property, &report.verdict);
            written.unwrap_or_else(|error| self.outputs.lose(&error));
        }
        let out = &mut self.outputs.text();
        let exit = match report.verdict {
            Verdict::Proved(checked) if self.hides(&checked) => {
                let names = lemmas::assumed(checked.proof());
                let reason = format!("the proof rests on {names}, which no output here can say");
                self.outputs.unknown(property.name(), &reason);
                unknown(out, property.name(), &reason)?;
                Exit::Unknown
            }
            Verdict::Proved(checked) => {
                let second = self.second.as_ref().map(SecondSolver::name);
                let asked = checked.proof().runs().is_none();
                let solvers = ["Z3"].into_iter().chain(second).filter(|_| asked);
                let solvers: Vec<&str> = solvers.collect();
                self.outputs.proved(self.program, property, &checked, &solvers);
                self.proved(out, property, &checked)?;
                Exit::Good
            }
            Verdict::Refuted(refutation) => {
                let left = limits.left();
                let (confirmation, lost) =
                    execute::confirm(self.args, self.several, self.program, &refutation, left);
                if let Some(error) = lost {
                    self.outputs.lose(&error);
                }
                self.outputs.refuted(self.program, property, &refutation, &confirmation);
                let span = refutation.violation().span;
                match self.shown_at(span) {
                    Some(before) => {
                        refuted_again(out, self.program, &refutation, before, &confirmation)?;
                    }
                    None => refuted(out, self.program, property, &refutation, &confirmation)?,
                }
                self.seen().push((span, property));
                Exit::Bad
            }
            Verdict::Unknown(why) => {
                let mut reason = self.ends.explain(why).describe(&self.program.source);
                reason += &so_far(&reason, report.statistics, &report.tried);
                reason += &open::reads(self.program, property);
                let candidates = self.outputs.candidates();
                self.outputs.unknown(property.name(), &reason);
                unknown(out, property.name(), &reason)?;
                if self.args.explain {
                    show_candidates(out, &candidates)?;
                }
                Exit::Unknown
            }
        };
        if self.args.explain {
            explain(out, self.program, &report.tried)?;
        }
        self.outputs.took(report.statistics, begin.elapsed());
        if self.args.stats {
            stats(out, report.statistics, begin.elapsed())?;
        }
        if let Some(Reused { claims, kept, searched }) = reused.filter(|_| self.args.stats) {
            let rest = if searched { "the rest was searched" } else { "nothing was searched" };
            writeln!(out, "  {DIM}{kept} of {claims} old claims hold, {rest}{DIM:#}")?;
        }
        Ok(exit)
    }

    /// A proof rests on a lemma that was not proved, and what is printed has no place to say so.
    fn hides(&self, checked: &Checked) -> bool {
        let outputs = &self.args.outputs;
        (outputs.svcomp || outputs.quiet) && lemmas::rests_on_some(checked.proof())
    }

    fn seen(&self) -> MutexGuard<'_, Vec<(Span, Property)>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The property that was refuted at this place before.
    fn shown_at(&self, span: Span) -> Option<Property> {
        self.seen().iter().find(|(shown, _)| *shown == span).map(|(_, property)| *property)
    }

    /// The engine's answer; a proof only if the second solver agrees, where there is one.
    fn solve(
        &self,
        property: Property,
        limits: Limits,
        stuck: impl Fn(Why) -> Exit,
    ) -> (Report, Option<Reused>) {
        let signed_overflow = self.args.signed_overflow.into();
        let task = Task { program: self.program, property, signed_overflow };
        watched(&self.ends, limits, stuck, |watcher| {
            let (mut report, reused) = match &self.claims {
                Some(claims) => {
                    let (report, reused) =
                        reuse::solve(claims, self.engine.as_ref(), &task, watcher);
                    (report, Some(reused))
                }
                None => (self.outputs.solve(self.args, self.engine.as_ref(), &task, watcher), None),
            };
            if let (Some(second), Verdict::Proved(checked)) = (&self.second, &report.verdict)
                && let Err(why) = second.check(self.program, property, checked, signed_overflow)
            {
                report.verdict = Verdict::Unknown(why);
            }
            (report, reused)
        })
    }

    fn proved(
        &self,
        out: &mut impl Write,
        property: Property,
        checked: &Checked,
    ) -> io::Result<()> {
        let proof = checked.proof();
        let second = self.second.as_ref().map(SecondSolver::name);
        let checked_by = match (proof.runs(), second) {
            (Some(runs), None) => Execution::from(runs).describe(),
            (Some(runs), Some(second)) => {
                format!("{}; nothing to ask {second}", Execution::from(runs).describe())
            }
            (None, second) => {
                let by = second.map(|second| format!(" by Z3 and {second}")).unwrap_or_default();
                let (unrolled, inductive) = (proof.unrolled(), proof.inductive());
                conditions(checked.conditions().len(), &by, unrolled, inductive)
            }
        };
        let under = under_assumptions(proof.assumptions());
        writeln!(out, "{property}: {GOOD}proved{GOOD:#}{under} ({checked_by})")?;
        if self.args.proof {
            let subject = Instrumented::of(self.program, property, checked);
            return write!(out, "{}", evidence::proof(subject.program(), checked.proof(), style()));
        }
        for assumption in checked.proof().assumptions() {
            writeln!(out, "  {DIM}assuming:{DIM:#} {assumption}")?;
        }
        Ok(())
    }
}

/// What a proof assumes of functions and objects that are not defined in the program.
fn under_assumptions(assumptions: &BTreeSet<Assumption>) -> String {
    let outsiders: Vec<&str> = assumptions.iter().filter_map(Assumption::outsider).collect();
    let names: BTreeSet<String> = outsiders.iter().map(|name| format!("`{name}`")).collect();
    let names: Vec<String> = names.into_iter().collect();
    match outsiders.len() {
        0 => String::new(),
        1 => format!(" under 1 assumption about {}", names.join(", ")),
        many => format!(" under {many} assumptions about {}", names.join(", ")),
    }
}

/// The engine that flags choose.
pub fn engine(args: &Verify, known: Known) -> Box<dyn Engine> {
    let Known { knowledge, remarks } = known;
    let arrays = |means| {
        let precision = granularity(&args.cegar).unwrap_or(Arrays::default().precision);
        Arrays { knowledge: knowledge.clone(), remarks: remarks.clone(), precision, means }
    };
    let helped = |engine: Box<dyn Engine>, means| match knowledge.is_empty() {
        true => engine,
        false => Box::new(Helped { engine, lemmas: arrays(means) }),
    };
    match args.engine.unwrap_or(EngineName::Auto) {
        EngineName::Auto => Box::new(Auto {
            probe: !args.cegar.no_probe,
            jobs: args.jobs.map_or_else(cores, usize::from),
            knowledge,
            remarks,
            ..Auto::default()
        }),
        EngineName::Cegar => helped(Box::new(configure(&args.cegar)), Means::Abstraction),
        EngineName::Bam => helped(Box::new(by_blocks(&args.cegar)), Means::Abstraction),
        EngineName::Bmc => Box::new(Bmc::default()),
        EngineName::Induction => Box::new(Induction),
        EngineName::Arrays => Box::new(arrays(Means::All)),
        EngineName::Ranges => Box::new(Ranges),
        EngineName::Cases => Box::new(Cases),
        EngineName::Parts => Box::new(Parts),
        EngineName::Laws => Box::new(Laws),
        EngineName::Runs => Box::new(Runs),
        EngineName::Horn => {
            let encoding = args.encoding.into();
            let horn = Horn { probe: !args.cegar.no_probe, encoding, ..Horn::default() };
            helped(Box::new(horn), Means::Spacer)
        }
    }
}

/// Engines that are at work at the same time where nobody says how many.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(2))
}

/// Where something is used that matters somewhere, if flags say so.
fn granularity(args: &Cegar) -> Option<Granularity> {
    args.precision.map(|precision| match precision {
        args::Precision::Location => Granularity::Location,
        args::Precision::Function => Granularity::Function,
        args::Precision::Global => Granularity::Global,
    })
}

/// The engine as flags say.
pub fn configure(args: &Cegar) -> StackCegar {
    let precision = granularity(args);
    let explicit = explicit::Settings::default();
    StackCegar {
        domain: match args.domain {
            Some(args::Domain::Explicit) => Kind::Explicit,
            Some(args::Domain::Predicate) => Kind::Predicate,
            Some(args::Domain::Product) | None => Kind::Product,
        },
        explicit: explicit::Settings {
            granularity: precision.unwrap_or(explicit.granularity),
            successors: args.successors,
            ..explicit
        },
        abstracts: match args.abstraction {
            args::Abstraction::Boolean => Abstracts::Boolean,
            args::Abstraction::Cartesian => Abstracts::Cartesian,
        },
        granularity: precision.unwrap_or_default(),
        initial: match args.initial {
            Some(args::Initial::Empty) | None => Initial::Empty,
            Some(args::Initial::AllAssumes) => Initial::AllAssumes,
            Some(args::Initial::ParamAssumes) => Initial::ParamAssumes,
            Some(args::Initial::AllVars) => Initial::AllVars,
        },
        search: match args.search {
            args::Search::Bfs => Search::Bfs,
            args::Search::Dfs => Search::Dfs,
            args::Search::ErrorFirst => Search::ErrorFirst,
        },
        strategy: args.refine,
        pop: match args.pop {
            args::Pop::Off => Pop::Off,
            args::Pop::Havoc => Pop::Havoc,
            args::Pop::Summary => Pop::Summary,
        },
        prune: match args.prune {
            args::Prune::Lazy => Prune::Lazy,
            args::Prune::Full => Prune::Full,
        },
        accelerate: match args.accelerate {
            args::Accelerate::On => Accelerate::On,
            args::Accelerate::Off => Accelerate::Off,
            args::Accelerate::InvariantsOnly => Accelerate::Invariants,
        },
        probe: !args.no_probe,
        ..StackCegar::default()
    }
}

/// The engine `bam` as flags say.
pub fn by_blocks(args: &Cegar) -> Bam {
    let kinds = match args.blocks {
        args::Blocks::Functions => Kinds::Functions,
        args::Blocks::Loops => Kinds::Loops,
        args::Blocks::Both => Kinds::Both,
    };
    let cache = match args.cache {
        args::Cache::Off => Cache::Off,
        args::Cache::Exact => Cache::Exact,
        args::Cache::Aggressive => Cache::Aggressive,
    };
    Bam { blocks: Settings { kinds, cache }, abstraction: configure(args) }
}

pub fn refuted(
    out: &mut impl Write,
    program: &Program,
    property: Property,
    refutation: &Refutation,
    confirmation: &str,
) -> io::Result<()> {
    let violation = refutation.violation();
    let at = program.source.position(violation.span.start);
    writeln!(out, "{property}: {BAD}refuted{BAD:#}: {} at {at}{confirmation}", violation.message)?;
    write!(out, "{}", evidence::refutation(program, refutation, style()))
}

/// What has been shown already violates another property as well.
fn refuted_again(
    out: &mut impl Write,
    program: &Program,
    refutation: &Refutation,
    before: Property,
    confirmation: &str,
) -> io::Result<()> {
    let violation = refutation.violation();
    let at = program.source.position(violation.span.start);
    writeln!(
        out,
        "{}: {BAD}refuted{BAD:#}: {} at {at}, which {before} was refuted by{confirmation}",
        violation.property, violation.message
    )
}

/// Colours are taken out where they are not wanted.
fn style() -> diagnostic::Style {
    diagnostic::Style { color: true, ..diagnostic::Style::default() }
}

/// Candidates that are shown.
const MOST_CANDIDATES: usize = 12;

/// What engines took into consideration before the end came; nobody has shown that it holds.
fn show_candidates(out: &mut impl Write, candidates: &[Candidate]) -> io::Result<()> {
    for Candidate { engine, function, at, text } in candidates.iter().take(MOST_CANDIDATES) {
        let at = at.as_ref();
        let at = at.map(|at| format!(" at {}:{}:{}", at.file, at.line, at.column));
        let at = at.unwrap_or_default();
        writeln!(out, "  candidate{at}, in {function} ({engine}): {text}")?;
    }
    match candidates.len().saturating_sub(MOST_CANDIDATES) {
        0 => Ok(()),
        more => writeln!(out, "  {DIM}and {more} candidates more (`--report` has them){DIM:#}"),
    }
}

/// Which engines were asked, and what became of each.
fn explain(out: &mut impl Write, program: &Program, tried: &[Tried]) -> io::Result<()> {
    for Tried { engine, turns, end, statistics } in tried {
        let end = became(program, tried, end);
        let Statistics { refinements, nodes, queries, .. } = statistics;
        let spent = match turns {
            0 => String::new(),
            _ => format!(
                " (turns: {turns}, refinements: {refinements}, nodes: {nodes}, queries: {queries})"
            ),
        };
        writeln!(out, "  {DIM}{engine} {end}{spent}{DIM:#}")?;
    }
    Ok(())
}

/// What is known where there is no verdict, as the end of the reason.
fn so_far(reason: &str, statistics: Statistics, tried: &[Tried]) -> String {
    let bounds = tried.iter().map(|one| one.statistics.bound);
    let Some(turns @ 1..) = bounds.chain([statistics.bound]).max() else { return String::new() };
    let known = Why::Bounded { turns }.describe(&Source::new("", ""));
    if reason.contains(&known) { String::new() } else { format!("; {known}") }
}

pub fn stats(out: &mut impl Write, statistics: Statistics, time: Duration) -> io::Result<()> {
    let Statistics { probes, refinements, guesses, nodes, .. } = statistics;
    let Statistics { popped, predicates, variables, dropped, queries, .. } = statistics;
    writeln!(
        out,
        "  {DIM}{probes} probes, {refinements} refinements, {guesses} guesses, {nodes} nodes ({popped} popped), {predicates} predicates, \
         {variables} variables ({dropped} dropped), {queries} queries of the abstraction, \
         {:.3} s{DIM:#}",
        time.as_secs_f64()
    )?;
    if statistics.blocks == 0 {
        return Ok(());
    }
    let (blocks, Counts { misses, hits, recursive, rounds, removed }) =
        (statistics.blocks, statistics.bam);
    writeln!(
        out,
        "  {DIM}{blocks} blocks, {misses} analysed, {hits} used again, {recursive} recursive calls, \
         {rounds} rounds, {removed} removed{DIM:#}"
    )
}

/// What to check: as flags say, else the task file, else that no error is reachable.
pub fn asked(wanted: &[Wanted], overflow: Overflow, choice: &Choice) -> Result<Vec<Asked>> {
    let mut asked = Vec::new();
    for wanted in wanted {
        match wanted {
            Wanted::Property(property) => asked.push(Asked::Known(*property)),
            Wanted::All => {
                let sensible = |p: &Property| ensure_sensible(overflow, *p).is_ok();
                asked.extend(Property::DISTINCT.into_iter().filter(sensible).map(Asked::Known));
            }
            Wanted::File(path) => asked.extend(task::read_property(path)?),
        }
    }
    if asked.is_empty() {
        asked.clone_from(&choice.asked);
    }
    if asked.is_empty() {
        asked.push(Asked::Known(Property::UnreachCall));
    }
    let mut seen = Vec::new();
    asked.retain(|property| {
        let new = !seen.contains(property);
        seen.push(property.clone());
        new
    });
    Ok(asked)
}

/// The first line of what is said about a file.
pub fn headline(choice: &Choice) -> String {
    let (name, model) = (choice.name(), load::model_name(choice.model));
    format!("{BOLD}{name}{BOLD:#} ({model})\n")
}

/// The line of a property of which nothing is known, with a place for the reason.
pub fn pending_line(property: &str) -> String {
    format!("{property}: {UNSURE}unknown{UNSURE:#}: {REASON}\n")
}

pub fn unknown(out: &mut impl Write, property: &str, reason: &str) -> io::Result<()> {
    writeln!(out, "{property}: {UNSURE}unknown{UNSURE:#}: {reason}")
}
