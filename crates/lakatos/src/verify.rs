//! `lakatos verify`: the properties to check, and what is known about each of them in the end.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{Engine, Statistics, Task};
use lakatos_evidence::{Refutation, Verdict};
use lakatos_ir::{Program, Property};
use lakatos_report::{diagnostic, evidence};

use crate::args::{self, Cegar, EngineName, Overflow, Verify};
use crate::exit::Exit;
use crate::load::{self, Choice, Refused, choose};
use crate::task::Asked;
use crate::terminal::{BAD, BOLD, DIM, GOOD, UNSURE};
use crate::watch::{Ends, Limits, watched};
use crate::witness;

pub fn verify(args: &Verify) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let asked = asked(args, &choice);
    for property in &asked {
        if let Asked::Known(property) = property {
            ensure_sensible(args.signed_overflow, *property)?;
        }
    }
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => {
            if let Refused::Unsupported(reason) = &refused {
                let out = &mut anstream::stdout().lock();
                headline(out, &choice)?;
                for property in &asked {
                    unknown(out, property.name(), reason)?;
                }
            }
            return Ok(refused.exit());
        }
    };
    headline(&mut anstream::stdout().lock(), &choice)?;
    let engine = match args.engine {
        EngineName::Cegar => configure(&args.cegar),
    };
    let (ends, limits) = (Ends::with_ctrl_c(), Limits::set(&args.limits)?);
    let path = args.witness.as_ref();
    let known = asked.iter().filter(|asked| matches!(asked, Asked::Known(_))).count();
    let overflow = args.signed_overflow.into();
    let writer = path.map(|path| witness::Writer::new(path, &choice, known, overflow));
    let writer = writer.transpose()?;
    let mut exits = Vec::new();
    for property in &asked {
        exits.push(match property {
            Asked::Known(property) => {
                decide(args, &engine, &program, *property, writer.as_ref(), &ends, limits)?
            }
            Asked::Unsupported(name) => {
                let out = &mut anstream::stdout().lock();
                unknown(out, name, "this property is not supported")?;
                Exit::Unknown
            }
        });
    }
    Ok(overall(&exits))
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

/// One refuted property refutes all of them together, one unknown leaves them open.
fn overall(exits: &[Exit]) -> Exit {
    match exits {
        _ if exits.contains(&Exit::Bad) => Exit::Bad,
        _ if exits.contains(&Exit::Unknown) => Exit::Unknown,
        _ => Exit::Good,
    }
}

/// Asks the engine about one property and tells what it said.
fn decide(
    args: &Verify,
    engine: &dyn Engine,
    program: &Program,
    property: Property,
    writer: Option<&witness::Writer>,
    ends: &Ends,
    limits: Limits,
) -> Result<Exit> {
    let task = Task { program, property, signed_overflow: args.signed_overflow.into() };
    let begin = Instant::now();
    let report = watched(ends, limits, |watcher| engine.solve(&task, watcher));
    if let Some(writer) = writer {
        writer.write(program, property, &report.verdict)?;
    }
    let out = &mut anstream::stdout().lock();
    let exit = match report.verdict {
        Verdict::Proved(proof) => {
            writeln!(out, "{property}: {GOOD}proof{GOOD:#} (not yet independently checked)")?;
            for assumption in proof.assumptions() {
                writeln!(out, "  {DIM}assuming:{DIM:#} {assumption}")?;
            }
            Exit::Good
        }
        Verdict::Refuted(refutation) => {
            refuted(out, program, property, &refutation)?;
            Exit::Bad
        }
        Verdict::Unknown(why) => {
            unknown(out, property.name(), &ends.explain(why).describe(&program.source))?;
            Exit::Unknown
        }
    };
    if args.stats {
        stats(out, report.statistics, begin.elapsed())?;
    }
    Ok(exit)
}

/// The engine as flags say.
pub fn configure(args: &Cegar) -> StackCegar {
    let precision = args.precision.map(|precision| match precision {
        args::Precision::Location => Granularity::Location,
        args::Precision::Function => Granularity::Function,
        args::Precision::Global => Granularity::Global,
    });
    let explicit = explicit::Settings::default();
    StackCegar {
        domain: match args.domain {
            args::Domain::Explicit => Kind::Explicit,
            args::Domain::Predicate => Kind::Predicate,
            args::Domain::Product => Kind::Product,
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
            args::Initial::Empty => Initial::Empty,
            args::Initial::AllAssumes => Initial::AllAssumes,
            args::Initial::ParamAssumes => Initial::ParamAssumes,
            args::Initial::AllVars => Initial::AllVars,
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
        probe: !args.no_probe,
        ..StackCegar::default()
    }
}

fn refuted(
    out: &mut impl Write,
    program: &Program,
    property: Property,
    refutation: &Refutation,
) -> io::Result<()> {
    let violation = refutation.violation();
    let at = program.source.position(violation.span.start);
    writeln!(out, "{property}: {BAD}refuted{BAD:#}: {} at {at}", violation.message)?;
    // Colours are taken out where they are not wanted.
    let style = diagnostic::Style { color: true, ..diagnostic::Style::default() };
    write!(out, "{}", evidence::refutation(program, refutation, style))
}

fn stats(out: &mut impl Write, statistics: Statistics, time: Duration) -> io::Result<()> {
    let Statistics { probes, refinements, nodes, .. } = statistics;
    let Statistics { popped, predicates, variables, dropped, queries, .. } = statistics;
    writeln!(
        out,
        "  {DIM}{probes} probes, {refinements} refinements, {nodes} nodes ({popped} popped), {predicates} predicates, \
         {variables} variables ({dropped} dropped), {queries} queries of the abstraction, \
         {:.3} s{DIM:#}",
        time.as_secs_f64()
    )
}

/// What to check: as flags say, else the task file, else that no error is reachable.
fn asked(args: &Verify, choice: &Choice) -> Vec<Asked> {
    let mut asked: Vec<Asked> = args.properties.iter().copied().map(Asked::Known).collect();
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
    asked
}

fn headline(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    let (name, model) = (choice.name(), load::model_name(choice.model));
    writeln!(out, "{BOLD}{name}{BOLD:#} ({model})")
}

fn unknown(out: &mut impl Write, property: &str, reason: &str) -> io::Result<()> {
    writeln!(out, "{property}: {UNSURE}unknown{UNSURE:#}: {reason}")
}
