//! `lakatos contracts`: proofs as annotations in the source, and what Frama-C says of them.

mod assistant;
mod claims;
mod context;
mod eva;
mod frama_c;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_contracts::goals::goals;
use lakatos_contracts::kept::Kept;
use lakatos_contracts::lengths::{Lengths, lengths};
use lakatos_contracts::{Contracts, Proved, annotate_beside, infer_beside, simplify};
use lakatos_engine::bam::Bam;
use lakatos_engine::horn::Horn;
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{Engine, Ranges, Task, Watch};
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::{self, Smt};
use lakatos_rank::Measures;
use lakatos_witness::format;
use similar::TextDiff;

use self::assistant::Annotated;
use self::claims::Claimed;
use crate::args::{self, ContractsCommand, Origin, Validator};
use crate::exit::{Exit, Limited};
use crate::load::{Choice, choose};
use crate::supervise::worker;
use crate::task::Asked;
use crate::terminal::{self, GOOD, note};
use crate::verify::{asked, by_blocks, configure, ensure_sensible, refuted, unknown};
use crate::watch::{Ends, Limits, watched};
use crate::{input, merge, whole, witness};

/// Of each query that makes a proof simpler, or asks for a length.
const SIMPLIFIED: smt::Limits = smt::Limits { resources: Some(2_000_000), time: None };

pub fn contracts(args: &args::Contracts) -> Result<Exit> {
    match &args.command {
        Some(ContractsCommand::Merge(args)) => merge::merge(args),
        Some(ContractsCommand::Recheck(args)) => merge::recheck(args),
        None => contracts_of(&args.infer),
    }
}

fn contracts_of(args: &args::Infer) -> Result<Exit> {
    let input = args.input().context("a C file is needed")?;
    let choice = choose(&input)?;
    ensure!(
        choice.path != Path::new("-"),
        "contracts are written into a file's text, and standard input is read only once\n  \
         Give the program as a file."
    );
    let claimed = args.claims()?.map(|path| Claimed::read(path, &choice)).transpose()?;
    let mut asked = match &claimed {
        Some(claimed) if args.properties.is_empty() && choice.asked.is_empty() => {
            claimed.properties()
        }
        _ => asked(&args.properties, args.signed_overflow, &choice)?,
    };
    leave_out(&mut asked, Property::UninitialisedRead)?;
    for property in &asked {
        if let Asked::Known(property) = property {
            ensure_sensible(args.signed_overflow, *property)?;
        }
    }
    context::ensure_sensible(args)?;
    ensure_writable(args, &choice, &input)?;
    if !args.validate.is_empty() {
        frama_c::ensure_installed()?;
    }
    let text = text_of(&choice)?;
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let mut proving = Proving {
        args,
        program: &program,
        claimed,
        ends: Ends::with_ctrl_c(),
        limits: Limits::set(&args.limits),
    };
    let annotated = match args.from {
        // These say what others say, whatever the user does.
        Some(Origin::Arg | Origin::Witness) => None,
        _ => match Annotated::read(&program)? {
            Ok(annotated) => annotated,
            Err(exit) => return Ok(exit),
        },
    };
    let mut exits = Vec::new();
    let mut proofs = Vec::new();
    if let Some(annotated) = &annotated {
        (exits, proofs) = proving.assisted(annotated, &asked)?;
    } else if args.from == Some(Origin::Arg) {
        (exits, proofs) = proving.contexts(&asked)?;
    } else {
        for property in &asked {
            if !exits.is_empty() {
                proving.limits = proving.limits.anew();
            }
            let (exit, proof) = proving.prove(property)?;
            exits.push(exit);
            proofs.extend(proof);
        }
    }
    let exit = Exit::overall(&exits);
    if exit == Exit::Bad || proofs.is_empty() {
        return Ok(exit);
    }
    let kept = annotated.as_ref().map(|annotated| &annotated.kept);
    let found = Found::new(&program, &text, &proofs, kept, &proving.lengths());
    if annotated.is_some() {
        let properties = proved_of(&proofs);
        exits.push(proving.passes(&choice, &found.annotated.text, &properties)?);
        if Exit::overall(&exits) == Exit::Bad {
            return Ok(Exit::Bad);
        }
    }
    Limited::ensure_read()?;
    found.write(args, &choice)?;
    exits.push(found.tell());
    // From here on other limits hold.
    worker::left(None);
    for validator in &args.validate {
        let run = frama_c::Run::new(args, &choice, *validator, proving.ends.stop())?;
        exits.push(match validator {
            Validator::FramaCEva => run.alarms(&found)?,
            Validator::FramaC | Validator::FramaCRte => {
                run.validate(&found.annotated, &goals(&program, &found.annotated))?
            }
        });
    }
    Ok(Exit::overall(&exits))
}

/// The properties that proofs are about.
fn proved_of(proofs: &[Proof]) -> Vec<Property> {
    let about = |proof: &Proof| match &proof.retold {
        Some(retold) => retold.whole.property(),
        None => proof.checked.proof().property(),
    };
    proofs.iter().filter_map(about).collect()
}

/// Better told before the work. Only `--in-place` writes where something is read.
fn ensure_writable(args: &args::Infer, choice: &Choice, input: &args::Input) -> Result<()> {
    if args.in_place {
        return whole::ensure_possible(&choice.path);
    }
    let witness = args.witness.as_deref().map(|path| (path, "the witness"));
    let read: Vec<_> = choice.files(input).into_iter().chain(witness).collect();
    whole::ensure_apart(args.output.as_deref(), &read)
}

/// What the user's file holds, to the byte.
fn text_of(choice: &Choice) -> Result<String> {
    let name = choice.name();
    let bytes = input::read(&choice.path)?;
    input::refuse_binary(&name, &bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        let (line, column) = input::line_column(error.as_bytes(), error.utf8_error().valid_up_to());
        anyhow::anyhow!(
            "{name}:{line}:{column}: the text is not UTF-8 here, and what is written would be\n  \
             If it is Latin-1, convert the file: iconv -f latin1 -t utf-8 {name}"
        )
    })
}

/// A property of which contracts cannot speak, as none says what a caller has written.
fn leave_out(asked: &mut Vec<Asked>, property: Property) -> Result<()> {
    let before = asked.len();
    asked.retain(|asked| !matches!(asked, Asked::Known(known) if *known == property));
    let why = format!("no contract says what a caller has written, so none is made for {property}");
    ensure!(!asked.is_empty(), "{why}\n  Ask for it with `lakatos verify`.");
    if asked.len() < before {
        note(&why);
    }
    Ok(())
}

/// A property with its proof.
struct Proof {
    subject: Instrumented,
    checked: Box<Checked>,
    measures: Measures,
    /// Where annotations of the user are part of it.
    retold: Option<Retold>,
}

/// What a checked proof says, for whoever writes it down.
struct Retold {
    /// That the user does not say.
    added: lakatos_evidence::Proof,
    whole: lakatos_evidence::Proof,
}

struct Proving<'a> {
    args: &'a args::Infer,
    program: &'a Program,
    /// What contracts are made from, if not by engines alone.
    claimed: Option<Claimed>,
    ends: Ends,
    /// Of the property that is being looked at, with everything that is done for it.
    limits: Limits,
}

impl Proving<'_> {
    /// What is known of a property is said on standard error.
    fn prove(&self, asked: &Asked) -> Result<(Exit, Option<Proof>)> {
        let out = &mut terminal::stderr();
        let property = match asked {
            Asked::Known(property) => *property,
            Asked::Unsupported(name) => {
                unknown(out, name, "this property is not supported")?;
                return Ok((Exit::Unknown, None));
            }
        };
        let (subject, verdict) = self.solve(property);
        match verdict {
            Verdict::Proved(checked) => {
                writeln!(out, "{property}: {GOOD}proved{GOOD:#}")?;
                for assumption in checked.proof().assumptions() {
                    writeln!(out, "  assuming: {assumption}")?;
                }
                let overflow = self.args.signed_overflow.into();
                let (checked, measures) = self.simpler(property, &subject, checked, overflow);
                Ok((Exit::Good, Some(Proof { subject, checked, measures, retold: None })))
            }
            Verdict::Refuted(refutation) => {
                refuted(out, self.program, property, &refutation, "")?;
                Ok((Exit::Bad, None))
            }
            Verdict::Unknown(why) => {
                let why = self.ends.explain(why);
                unknown(out, property.name(), &why.describe(&self.program.source))?;
                Ok((Exit::Unknown, None))
            }
        }
    }

    /// The proof in fewer words, and what it shows of termination. What takes too long is left as
    /// it is.
    fn simpler(
        &self,
        property: Property,
        subject: &Instrumented,
        checked: Box<Checked>,
        overflow: SignedOverflow,
    ) -> (Box<Checked>, Measures) {
        let stuck = |why| self.stuck(property.name(), why);
        watched(&self.ends, self.limits, stuck, |watcher| {
            let mut smt = Smt::new(SIMPLIFIED);
            watcher.started(smt.cancel_handle());
            // What others claim is kept as they say it.
            let checked = match self.claimed {
                None => simplify(subject, checked, overflow, &mut smt),
                Some(_) => checked,
            };
            let measures = Measures::new(subject, &checked, overflow, &mut smt);
            (checked, measures)
        })
    }

    /// What is said when something does not end when it has to.
    fn stuck(&self, about: &str, why: Why) -> Exit {
        let why = why.describe(&self.program.source);
        // The process ends now, whether or not anybody reads this.
        let _ = unknown(&mut terminal::stderr(), about, &why);
        Exit::Unknown
    }

    /// A verdict, and what it is about.
    fn solve(&self, property: Property) -> (Instrumented, Verdict) {
        let (program, verdict) = match &self.claimed {
            Some(claimed) => self.completed(claimed, property),
            None => (self.program.clone(), self.by_engines(self.program, property)),
        };
        (Instrumented::new(&program, property), verdict)
    }

    /// Values that are followed one by one make proofs that no person wants to read, so predicates
    /// come first, and Horn clauses before them.
    fn by_engines(&self, program: &Program, property: Property) -> Verdict {
        let signed_overflow = self.args.signed_overflow.into();
        let task = Task { program, property, signed_overflow };
        let cegar = configure(&self.args.cegar);
        let bam = by_blocks(&self.args.cegar);
        let horn = Horn { probe: !self.args.cegar.no_probe, ..Horn::default() };
        match (self.args.from, self.args.cegar.domain) {
            (Some(Origin::Horn), _) => self.ask(&horn, &task, self.limits),
            (Some(Origin::Arg), _) => unreachable!("contexts are asked for no property"),
            (Some(Origin::Cegar), Some(_)) => self.ask(&cegar, &task, self.limits),
            (Some(Origin::Bam), Some(_)) => self.ask(&bam, &task, self.limits),
            (None | Some(Origin::Witness), _) => self.first_known(&horn, &cegar, &task),
            (Some(Origin::Bam), None) => {
                let first = StackCegar { domain: Kind::Predicate, ..cegar };
                self.first_known(&Bam { abstraction: first, ..bam }, &bam, &task)
            }
            (Some(Origin::Cegar), None) => {
                let first = StackCegar { domain: Kind::Predicate, ..cegar };
                self.first_known(&first, &cegar, &task)
            }
        }
    }

    /// The answer of the first engine that has one. They share the time.
    fn first_known(&self, first: &dyn Engine, then: &dyn Engine, task: &Task<'_>) -> Verdict {
        match self.ask(first, task, self.limits.first_of_two()) {
            Verdict::Unknown(_) => self.ask(then, task, self.limits),
            known => known,
        }
    }

    /// The lengths of what functions write, as far as a moment's work proves them.
    fn lengths(&self) -> Lengths {
        let signed_overflow = self.args.signed_overflow.into();
        lengths(self.program, &mut |program| {
            let task = Task { program, property: Property::UnreachCall, signed_overflow };
            let horn = Horn { probe: true, limits: SIMPLIFIED, ..Horn::default() };
            let mut engines = [&Ranges as &dyn Engine, &horn].into_iter();
            engines.any(|engine| {
                let verdict = self.ask(engine, &task, self.limits);
                matches!(verdict, Verdict::Proved(_))
            })
        })
    }

    fn ask(&self, engine: &dyn Engine, task: &Task<'_>, limits: Limits) -> Verdict {
        let stuck = |why| self.stuck(task.property.name(), why);
        watched(&self.ends, limits, stuck, |watcher| engine.solve(task, watcher)).verdict
    }
}

/// Contracts, and the source with them.
struct Found<'a> {
    program: &'a Program,
    text: &'a str,
    contracts: Contracts,
    /// With what the user has said, where that is not among the contracts.
    whole: Option<Contracts>,
    annotated: lakatos_contracts::Annotated,
}

impl<'a> Found<'a> {
    fn new(
        program: &'a Program,
        text: &'a str,
        proofs: &[Proof],
        kept: Option<&Kept>,
        lengths: &Lengths,
    ) -> Found<'a> {
        let proved = |of: fn(&Retold) -> &lakatos_evidence::Proof| -> Vec<Proved<'_>> {
            let all = proofs.iter().map(|proof| Proved {
                program: proof.subject.program(),
                proof: proof.retold.as_ref().map_or(proof.checked.proof(), of),
                measures: &proof.measures,
            });
            all.collect()
        };
        let mut contracts = infer_beside(program, &proved(|retold| &retold.added), kept, lengths);
        let annotated = annotate_beside(program, text, &contracts, kept);
        contracts.gaps.extend(annotated.gaps.iter().cloned());
        let whole = kept.map(|_| {
            let nothing = Kept::default();
            let mut whole = infer_beside(program, &proved(|r| &r.whole), Some(&nothing), lengths);
            whole.gaps.clone_from(&contracts.gaps);
            whole
        });
        Found { program, text, contracts, whole, annotated }
    }

    /// What is not said, and whether that is nothing.
    fn tell(&self) -> Exit {
        for gap in &self.contracts.gaps {
            note(&gap.to_string());
        }
        match self.contracts.is_complete() {
            true => Exit::Good,
            false => {
                note("the annotations are not complete: they do not say all that the proof needs");
                Exit::Unknown
            }
        }
    }

    fn write(&self, args: &args::Infer, choice: &Choice) -> Result<()> {
        let result = match (args.json, args.diff) {
            (true, _) => self.json(choice)?,
            (_, true) => self.diff(choice),
            _ => self.annotated.text.clone(),
        };
        match args.in_place {
            true => whole::write(&choice.path, &result),
            false => whole::write_or_print(args.output.as_deref(), &result),
        }
    }

    fn json(&self, choice: &Choice) -> Result<String> {
        let hash = format::hash(self.text.as_bytes());
        let file = witness::file_name(&choice.path);
        let contracts = self.whole.as_ref().unwrap_or(&self.contracts);
        let document = contracts.document(self.program, &file, &hash);
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    fn diff(&self, choice: &Choice) -> String {
        let name = choice.name();
        let diff = TextDiff::from_lines(self.text, &self.annotated.text);
        diff.unified_diff().header(&name, &name).to_string()
    }
}
