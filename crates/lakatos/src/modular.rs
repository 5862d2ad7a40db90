//! `lakatos verify --modular`: every function by itself, against the contracts that the user wrote.
//!
//! First come the contracts: each module is asked whether its clauses hold. What fails with the
//! contracts of others is asked again with their bodies: then it is false, and a run shows it, or
//! those contracts say too little. Then comes the property, which rests on the contracts.

use std::collections::BTreeSet;
use std::io::Write;
use std::iter;
use std::time::Instant;

use anyhow::Result;
use lakatos_check::{Checked, Verdict, Why};
use lakatos_engine::{Engine, Report, Statistics, Task};
use lakatos_evidence::{Assumption, Refutation};
use lakatos_ir::{Diagnostic, Program, Property, Source, Span};
use lakatos_modular::{Calls, Modular, Module, ModuleKind, Piece, Question, violated};
use lakatos_report::{diagnostic, evidence};

use crate::args::Verify;
use crate::exit::Exit;
use crate::lemmas::Known;
use crate::load::{Choice, Refused};
use crate::second::SecondSolver;
use crate::supervise::pending::Pending;
use crate::supervise::worker;
use crate::task::Asked;
use crate::terminal::{self, BAD, DIM, GOOD};
use crate::verify::{engine, headline, pending_line, stats, unknown};
use crate::watch::{Ends, Limits, watched};

pub fn verify(args: &Verify, choice: &Choice, asked: &[Asked]) -> Result<Exit> {
    let second = args.cross_check.as_deref().map(SecondSolver::find).transpose()?;
    let names = || asked.iter().map(Asked::name);
    expect(headline(choice), names(), false);
    let (program, modular) = match cut(choice)? {
        Ok(cut) => cut,
        Err(exit) => return Ok(exit),
    };
    anstream::stdout().lock().write_all(headline(choice).as_bytes())?;
    expect(String::new(), names(), false);
    let session = Session {
        args,
        engine: engine(args, Known::default()),
        program: &program,
        modular: &modular,
        ends: Ends::with_ctrl_c(),
        limits: Limits::set(&args.limits),
        second,
    };
    let contracts = session.contracts()?;
    let mut exits = vec![contracts];
    for (number, property) in asked.iter().enumerate() {
        let is_bad = exits.contains(&Exit::Bad);
        expect(String::new(), names().skip(number), is_bad);
        exits.push(match property {
            Asked::Known(property) => session.property(*property, contracts)?,
            Asked::Unsupported(name) => {
                let out = &mut anstream::stdout().lock();
                unknown(out, name, "this property is not supported")?;
                Exit::Unknown
            }
        });
    }
    Ok(Exit::overall(&exits))
}

/// What is said of the properties that are left, if there is an end, below the text `above`.
fn expect<'a>(above: String, left: impl Iterator<Item = &'a str>, is_bad: bool) {
    let text = iter::once(above).chain(left.map(pending_line)).collect();
    worker::expect(Pending { text, is_bad, ..Pending::default() });
}

/// Text behind the user's program, so that there is one.
const NO_MAIN: &str = "\nint main(void) { return 0; }\n";

/// The program and its modules; what is wrong with it has been shown.
fn cut(choice: &Choice) -> Result<Result<(Program, Modular), Exit>> {
    let source = choice.source()?;
    let options = choice.options();
    let failed = |failure: lakatos_c::Failure| {
        terminal::diagnostics(&failure.source, &failure.diagnostics);
        Refused::from(failure).exit()
    };
    let mut unit = match lakatos_c::check(source, &options) {
        Ok(unit) => unit,
        Err(failure) => return Ok(Err(failed(*failure))),
    };
    let named = |decl: &lakatos_c::ast::DeclId| unit.symbols.name(unit.decls[*decl].name) == "main";
    let has_main = unit.functions.iter().any(named);
    if !has_main {
        let text = format!("{}{NO_MAIN}", unit.source.text());
        let source = Source::new(unit.source.name(), text);
        unit = match lakatos_c::check(source, &options) {
            Ok(unit) => unit,
            Err(failure) => return Ok(Err(failed(*failure))),
        };
    }
    let program = match lakatos_c::lower::lower(unit.clone()) {
        Ok(program) => program,
        Err(failure) => return Ok(Err(failed(*failure))),
    };
    let modular = match Modular::new(&program, &unit, has_main) {
        Ok(modular) => modular,
        Err(failure) => {
            terminal::diagnostics(&failure.file, &failure.diagnostics);
            return Ok(Err(Exit::BadInput));
        }
    };
    // A function that has a contract instead of a body is no surprise.
    let declared = modular.modules.iter().filter(|module| module.kind == ModuleKind::Declared);
    let declared: BTreeSet<Span> = declared.map(|module| module.span).collect();
    let warnings = program.warnings.iter().filter(|warning| !declared.contains(&warning.span));
    terminal::diagnostics(&program.source, &warnings.cloned().collect::<Vec<_>>());
    terminal::diagnostics(&program.source, &modular.problems);
    Ok(Ok((program, modular)))
}

struct Session<'a> {
    args: &'a Verify,
    engine: Box<dyn Engine>,
    program: &'a Program,
    modular: &'a Modular,
    ends: Ends,
    limits: Limits,
    second: Option<SecondSolver>,
}

/// What was found out about several modules.
#[derive(Default)]
struct Findings {
    conditions: usize,
    functions: usize,
    assumptions: Vec<String>,
    /// What does not hold: in words, with a run if there is one.
    refuted: Vec<(String, Option<String>)>,
    unknown: Vec<(String, Option<String>)>,
    statistics: Statistics,
}

impl Findings {
    fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    fn proved(&mut self, checked: &Checked) {
        self.conditions += checked.conditions().len();
        for assumption in checked.proof().assumptions() {
            let own =
                matches!(assumption, Assumption::ExternalFunction(name) if Modular::is_own(name));
            if !own {
                self.assume(assumption.to_string());
            }
        }
    }
}

impl Session<'_> {
    /// Whether all clauses hold.
    fn contracts(&self) -> Result<Exit> {
        let begin = Instant::now();
        let mut findings = Findings::default();
        for module in &self.modular.modules {
            self.can_be_called(module, &mut findings);
            self.clauses(module, &mut findings);
        }
        for problem in &self.modular.problems {
            findings.unknown.push((self.unsupported(problem), None));
        }
        for assumed in &self.modular.assumptions {
            let text = match assumed.span {
                Some(span) => format!("{} ({})", assumed.text, self.at(span)),
                None => assumed.text.clone(),
            };
            findings.assume(text);
        }
        self.tell("contracts", &findings, begin)
    }

    fn unsupported(&self, problem: &Diagnostic) -> String {
        format!("unsupported: {} at {}", problem.message, self.at(problem.span))
    }

    fn at(&self, span: Span) -> String {
        self.program.source.position(span.start).to_string()
    }

    /// A contract that no call fulfils proves everything.
    fn can_be_called(&self, module: &Module, findings: &mut Findings) {
        let name = &module.name;
        let mut questions = Vec::new();
        if self.modular.requires_something(module) {
            questions.push((Question::CanBeCalled, "no call fulfils what it requires"));
        }
        if module.kind == ModuleKind::Declared && self.modular.returns(module) {
            questions.push((Question::CanReturn, "no call can end as it ensures"));
        }
        for (question, contradiction) in questions {
            let piece = match self.modular.piece(module, question, Calls::ByContract) {
                Ok(piece) => piece,
                Err(problem) => return findings.unknown.push((self.unsupported(&problem), None)),
            };
            let at = self.at(self.modular.contract_span(module));
            match self.solve("contracts", &piece.program, Property::UnreachCall, findings).verdict {
                Verdict::Refuted(_) => {}
                Verdict::Proved(_) => {
                    let text = format!(
                        "the contract of `{name}` at {at} contradicts itself: {contradiction}"
                    );
                    return findings.refuted.push((text, None));
                }
                Verdict::Unknown(why) => {
                    let why = self.why(why, &piece.program);
                    let text = format!(
                        "the contract of `{name}` does not contradict itself ({at}): {why}"
                    );
                    findings.assume(text);
                }
            }
        }
    }

    fn why(&self, why: Why, program: &Program) -> String {
        self.ends.explain(why).describe(&program.source)
    }

    /// Whether the clauses hold that are checked in a module.
    fn clauses(&self, module: &Module, findings: &mut Findings) {
        let piece = match self.modular.piece(module, Question::Contracts, Calls::ByContract) {
            Ok(piece) => piece,
            Err(problem) => return findings.unknown.push((self.unsupported(&problem), None)),
        };
        let report = self.solve("contracts", &piece.program, Property::UnreachCall, findings);
        match report.verdict {
            Verdict::Proved(checked) => {
                findings.functions += 1;
                findings.proved(&checked);
            }
            Verdict::Unknown(why) => {
                let why = self.why(why, &piece.program);
                findings.unknown.push((format!("in `{}`: {why}", module.name), None));
            }
            Verdict::Refuted(run) => self.fails(module, &piece, &run, findings),
        }
    }

    /// A clause fails, given what the contracts of others say. Do their bodies make it fail, too?
    fn fails(&self, module: &Module, piece: &Piece, run: &Refutation, findings: &mut Findings) {
        let told = self.failing(piece, run);
        if self.modular.open {
            let text = format!(
                "{} (a function without a body has a contract that is not supported)",
                told.0
            );
            return findings.unknown.push((text, told.1));
        }
        if !module.uses_contracts {
            return findings.refuted.push(told);
        }
        let exact = match self.modular.piece(module, Question::Contracts, Calls::ByBody) {
            Ok(exact) => exact,
            Err(problem) => return findings.unknown.push((self.unsupported(&problem), None)),
        };
        let report = self.solve("contracts", &exact.program, Property::UnreachCall, findings);
        match report.verdict {
            Verdict::Refuted(run) => findings.refuted.push(self.failing(&exact, &run)),
            Verdict::Proved(_) => {
                let text = format!(
                    "{} does not follow from the contracts of the functions that `{}` calls, which \
                     say too little; with their bodies it holds",
                    self.clause(piece, run),
                    module.name
                );
                findings.unknown.push((text, told.1));
            }
            Verdict::Unknown(why) => {
                let text = format!(
                    "{} does not follow from the contracts of the functions that `{}` calls; \
                     whether it holds with their bodies is not known: {}",
                    self.clause(piece, run),
                    module.name,
                    self.why(why, &exact.program)
                );
                findings.unknown.push((text, told.1));
            }
        }
    }

    /// Which clause a run violates, and where it stands.
    fn clause(&self, piece: &Piece, run: &Refutation) -> String {
        match violated(&piece.goals, &run.violation().message) {
            Some(goal) => format!("{} at {}", goal.what, self.at(goal.span)),
            None => run.violation().message.clone(),
        }
    }

    /// The same in words, with the run.
    fn failing(&self, piece: &Piece, run: &Refutation) -> (String, Option<String>) {
        let message = &run.violation().message;
        let told = match violated(&piece.goals, message) {
            Some(goal) => format!("{} does not hold", goal.what),
            None => message.clone(),
        };
        let shown = evidence::refutation(&piece.program, run, style()).replace(message, &told);
        (format!("{} does not hold", self.clause(piece, run)), Some(shown))
    }

    /// Whether the program has a property, given that the contracts hold.
    fn property(&self, property: Property, contracts: Exit) -> Result<Exit> {
        let begin = Instant::now();
        let mut findings = Findings::default();
        if contracts != Exit::Good {
            let text = "it would rest on contracts that are not proved".to_owned();
            findings.unknown.push((text, None));
            return self.tell(property.name(), &findings, begin);
        }
        if property == Property::UninitialisedRead {
            let text = "no contract says what its caller has written: ask without `--modular`";
            findings.unknown.push((text.to_owned(), None));
            return self.tell(property.name(), &findings, begin);
        }
        for module in self.modular.modules.iter().filter(|m| m.kind != ModuleKind::Declared) {
            self.errors(module, property, &mut findings);
            if !findings.refuted.is_empty() {
                break;
            }
        }
        if !self.modular.assumptions.is_empty() {
            findings.assume("what the contracts assume".to_owned());
        }
        self.tell(property.name(), &findings, begin)
    }

    fn errors(&self, module: &Module, property: Property, findings: &mut Findings) {
        let piece = match self.modular.piece(module, Question::Property, Calls::ByContract) {
            Ok(piece) => piece,
            Err(problem) => return findings.unknown.push((self.unsupported(&problem), None)),
        };
        match self.solve(property.name(), &piece.program, property, findings).verdict {
            Verdict::Proved(checked) => {
                findings.functions += 1;
                findings.proved(&checked);
            }
            Verdict::Unknown(why) => {
                let why = self.why(why, &piece.program);
                findings.unknown.push((format!("in `{}`: {why}", module.name), None));
            }
            Verdict::Refuted(run) => self.violates(module, property, &piece, &run, findings),
        }
    }

    /// A function violates the property when it is called as its contract allows. Does the program?
    fn violates(
        &self,
        module: &Module,
        property: Property,
        piece: &Piece,
        run: &Refutation,
        findings: &mut Findings,
    ) {
        let told = |piece: &Piece, run: &Refutation| {
            let violation = run.violation();
            let text = format!("{} at {}", violation.message, self.at(violation.span));
            (text, Some(evidence::refutation(&piece.program, run, style())))
        };
        let main = self.modular.modules.iter().find(|m| m.kind == ModuleKind::Main);
        let exact = main.map(|main| self.modular.piece(main, Question::Property, Calls::ByBody));
        if let Some(Ok(exact)) = exact
            && let Verdict::Refuted(run) =
                self.solve(property.name(), &exact.program, property, findings).verdict
        {
            return findings.refuted.push(told(&exact, &run));
        }
        let (text, shown) = told(piece, run);
        let text = format!(
            "{text}, if `{}` is called as its contract allows; no run of the program is known",
            module.name
        );
        findings.unknown.push((text, shown));
    }

    /// The engine's answer; a proof only if the second solver agrees, where there is one.
    fn solve(
        &self,
        what: &str,
        program: &Program,
        property: Property,
        findings: &mut Findings,
    ) -> Report {
        let signed_overflow = self.args.signed_overflow.into();
        let task = Task { program, property, signed_overflow };
        let stuck = |why: Why| {
            let out = &mut anstream::stdout().lock();
            // The process ends now, whether or not anybody reads this.
            let _ = unknown(out, what, &why.describe(&program.source));
            Exit::Unknown
        };
        let report = watched(&self.ends, self.limits.anew(), stuck, |watcher| {
            let mut report = self.engine.solve(&task, watcher);
            if let (Some(second), Verdict::Proved(checked)) = (&self.second, &report.verdict)
                && let Err(why) = second.check(program, property, checked, signed_overflow)
            {
                report.verdict = Verdict::Unknown(why);
            }
            report
        });
        add(&mut findings.statistics, report.statistics);
        report
    }

    fn tell(&self, what: &str, findings: &Findings, begin: Instant) -> Result<Exit> {
        let out = &mut anstream::stdout().lock();
        let exit = match (&findings.refuted[..], &findings.unknown[..]) {
            ([], []) => {
                let Findings { functions, conditions, .. } = findings;
                let several = |n: usize, word: &str| match n {
                    1 => format!("1 {word}"),
                    n => format!("{n} {word}s"),
                };
                writeln!(
                    out,
                    "{what}: {GOOD}proved{GOOD:#} ({}, {} checked)",
                    several(*functions, "function"),
                    several(*conditions, "condition")
                )?;
                for assumption in &findings.assumptions {
                    writeln!(out, "  {DIM}assuming:{DIM:#} {assumption}")?;
                }
                Exit::Good
            }
            ([], _) => Exit::Unknown,
            _ => Exit::Bad,
        };
        for (text, run) in &findings.refuted {
            writeln!(out, "{what}: {BAD}refuted{BAD:#}: {text}")?;
            write!(out, "{}", run.as_deref().unwrap_or_default())?;
        }
        for (text, run) in &findings.unknown {
            unknown(out, what, text)?;
            write!(out, "{}", run.as_deref().unwrap_or_default())?;
        }
        if self.args.stats {
            stats(out, findings.statistics, begin.elapsed())?;
        }
        Ok(exit)
    }
}

fn add(sum: &mut Statistics, one: Statistics) {
    sum.probes += one.probes;
    sum.refinements += one.refinements;
    sum.nodes += one.nodes;
    sum.popped += one.popped;
    sum.predicates += one.predicates;
    sum.variables += one.variables;
    sum.dropped += one.dropped;
    sum.queries += one.queries;
    sum.guesses += one.guesses;
}

/// Colours are taken out where they are not wanted.
fn style() -> diagnostic::Style {
    diagnostic::Style { color: true, ..diagnostic::Style::default() }
}
