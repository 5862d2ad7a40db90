//! What `verify` says beside its text: the outcome as data, and the files and lines made from it.
//!
//! Everything is written in the end, files as a whole ([`crate::whole`]). One form may take the
//! place of the text on standard output.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, ensure};
use lakatos_check::{Checked, Instrumented};
use lakatos_engine::{Engine, Report, Statistics, Task, Watch, graph};
use lakatos_evidence::Refutation;
use lakatos_ir::pass::{Request, instrument};
use lakatos_ir::{Program, Property};
use lakatos_report::draw::reach;
use lakatos_report::html::{self, html};
use lakatos_report::outcome::{self, Answer, Evidence, Message, Outcome, Tool, Verdict};
use lakatos_report::render;
use lakatos_report::timeline::Timeline;

use crate::arg;
use crate::args::{self, Overflow, Verify};
use crate::execute;
use crate::exit::Exit;
use crate::load::{Choice, Refused, model_name};
use crate::supervise::pending::{Pending, REASON};
use crate::supervise::worker;
use crate::timeline::{Candidate, Listening, candidates};
use crate::verify::{headline, pending_line};
use crate::{input, terminal, whole};

/// Everything that is recorded of a run of the command.
#[derive(Debug)]
pub struct Outputs<'a> {
    args: &'a args::Outputs,
    outcome: Mutex<Outcome>,
    /// What only a report shows.
    page: Mutex<Page>,
    /// A witness or a harness is wanted, which others write.
    more: bool,
    /// A file that was asked for could not be written.
    lost: AtomicBool,
    /// The properties that nothing has been recorded of.
    left: Mutex<Vec<String>>,
    /// The first line of the text, until it has been said.
    headline: Mutex<Option<String>>,
}

/// What a report shows beside the outcome.
#[derive(Debug, Default)]
struct Page {
    text: String,
    program: Option<Program>,
    /// Of each answer.
    graphs: Vec<Option<reach::Graph>>,
    timelines: Vec<Option<Timeline>>,
    /// What the engine has just explored.
    explored: Option<graph::Graph>,
    /// What has just happened.
    happened: Option<Timeline>,
}

impl<'a> Outputs<'a> {
    /// What cannot be written is told now.
    pub fn new(args: &'a Verify, choice: &Choice, engine: &str) -> Result<Outputs<'a>> {
        let outputs = &args.outputs;
        ensure!(
            !(outputs.json_to_stdout() && (outputs.github || outputs.svcomp)),
            "`--json -` takes standard output, and so does {}\n  Give JSON a file.",
            if outputs.github { "`--github`" } else { "`--svcomp`" }
        );
        ensure_writable(args, choice)?;
        let outcome = Outcome {
            schema: outcome::SCHEMA,
            tool: Tool {
                name: "lakatos",
                version: env!("CARGO_PKG_VERSION").to_owned(),
                solver: format!("Z3 {}", lakatos_logic::z3_version()),
            },
            file: choice.name(),
            data_model: model_name(choice.model).to_owned(),
            signed_overflow: match args.signed_overflow {
                Overflow::Undefined => "undefined".to_owned(),
                Overflow::Wrap => "wrap".to_owned(),
            },
            engine: engine.to_owned(),
            verdict: Verdict::Invalid,
            results: Vec::new(),
            diagnostics: Vec::new(),
        };
        Ok(Outputs {
            args: outputs,
            outcome: Mutex::new(outcome),
            page: Mutex::default(),
            more: args.witness.is_some() || args.harness.is_some(),
            lost: AtomicBool::new(false),
            left: Mutex::default(),
            headline: Mutex::new(Some(headline(choice))),
        })
    }

    /// Says which file this is about.
    pub fn say_headline(&self) -> Result<()> {
        if let Some(line) = lock(&self.headline).take() {
            self.text().write_all(line.as_bytes())?;
        }
        self.prepare();
        Ok(())
    }

    /// These properties are asked about, and if there is an end, nothing is known of them.
    pub fn expect<'p>(&self, properties: impl Iterator<Item = &'p str>) {
        *lock(&self.left) = properties.map(str::to_owned).collect();
        self.prepare();
    }

    /// Prepares what is to be said if there is an end now.
    fn prepare(&self) {
        let mut outcome = self.outcome().clone();
        let left = lock(&self.left).clone();
        let reason = || Evidence::Reason(REASON.to_owned());
        outcome.results.extend(left.iter().map(|name| Answer::new(name, reason(), None)));
        outcome.verdict = Outcome::overall(&outcome.results);
        let text = lock(&self.page).text.clone();
        let page = html::Report {
            outcome: &outcome,
            text: &text,
            program: None,
            graphs: &[],
            timelines: &[],
        };
        let file = |(path, form): (&Path, Form)| {
            let text = match form {
                Form::Json | Form::Sarif | Form::Junit => self.render(form, &outcome),
                Form::Report => html(&page),
            };
            (path.to_owned(), text)
        };
        let text = match self.args.has_text() {
            true => {
                let lines = left.iter().map(|name| pending_line(name));
                lock(&self.headline).clone().into_iter().chain(lines).collect()
            }
            false => self.line(&outcome).unwrap_or_default(),
        };
        let is_bad = outcome.verdict == Verdict::Refuted;
        worker::expect(Pending { text, files: self.args.files().map(file).collect(), is_bad });
    }

    /// Where text for a person goes.
    pub fn text(&self) -> Text {
        match self.args.has_text() {
            // Who does not read the text to its end still gets the files.
            true => Text::Shown {
                out: anstream::stdout().lock(),
                alone: !(self.is_wanted() || self.more),
            },
            false => Text::Silent,
        }
    }

    /// The program; what the front-end says about it has been recorded, and shown if it should be.
    pub fn compile(&self, choice: &Choice) -> Result<Result<Program, Refused>> {
        let translated = choice.translate()?;
        let (source, said) = match &translated {
            Ok(program) => (&program.source, &program.warnings),
            Err(failure) => (&failure.source, &failure.diagnostics),
        };
        let messages = said.iter().map(|diagnostic| Message::new(source, diagnostic));
        self.outcome().diagnostics.extend(messages);
        if self.args.report.is_some() {
            let mut page = lock(&self.page);
            page.text = text_of(choice).unwrap_or_else(|| source.text().to_owned());
            page.program = translated.as_ref().ok().cloned();
        }
        self.prepare();
        let failed = translated.is_err();
        if !self.args.github && (failed || !self.args.quiet) {
            terminal::diagnostics(source, said);
        }
        Ok(translated.map_err(|failure| Refused::from(*failure)))
    }

    /// The engine's answer. A report shows what it has explored, too.
    pub fn solve(
        &self,
        args: &Verify,
        engine: &dyn Engine,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Report {
        if self.args.report.is_none() && !args.explain {
            return engine.solve(task, watch);
        }
        let mut listening = Listening::new(watch);
        let (report, graph) = match self.args.report {
            Some(_) => engine.explore(task, &mut listening),
            None => (engine.solve(task, &mut listening), None),
        };
        let page = &mut *lock(&self.page);
        page.explored = graph;
        page.happened = Some(listening.timeline(task.program, &report));
        report
    }

    /// What was learned in the last search, where somebody listened.
    pub fn candidates(&self) -> Vec<Candidate> {
        let page = &*lock(&self.page);
        page.happened.iter().flat_map(candidates).collect()
    }

    /// Whether anybody wants to know more than the text says.
    pub fn is_wanted(&self) -> bool {
        let Outputs { args, .. } = self;
        args.files().next().is_some() || args.json_to_stdout() || args.github || args.svcomp
    }

    pub fn unknown(&self, property: &str, reason: &str) {
        self.record(property, Evidence::Reason(reason.to_owned()));
    }

    /// A proof, and the solvers that agree to it.
    pub fn proved(&self, program: &Program, property: Property, checked: &Checked, by: &[&str]) {
        if !self.is_wanted() {
            return;
        }
        let subject = Instrumented::of(program, property, checked);
        let solvers = by.iter().map(|&name| name.to_owned()).collect();
        let conditions = checked.conditions().len();
        let proof = outcome::Proof::new(subject.program(), checked.proof(), conditions, solvers);
        self.record(property.name(), Evidence::Proof(proof));
    }

    pub fn refuted(
        &self,
        program: &Program,
        property: Property,
        refutation: &Refutation,
        confirmation: &str,
    ) {
        if !self.is_wanted() {
            return;
        }
        let subject = Instrumented::new(program, property);
        let execution = execute::plainly(confirmation);
        let run = outcome::Run::new(subject.program(), refutation, execution);
        self.record(property.name(), Evidence::Run(Box::new(run)));
    }

    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        lock(&self.outcome)
    }

    fn record(&self, property: &str, evidence: Evidence) {
        self.add(property, evidence);
        self.prepare();
    }

    fn add(&self, property: &str, evidence: Evidence) {
        lock(&self.left).retain(|left| left != property);
        let end = match &evidence {
            Evidence::Proof(_) => reach::End::Complete,
            Evidence::Run(_) => reach::End::Target,
            Evidence::Reason(reason) => reach::End::Stopped(reason.clone()),
        };
        let outcome = &mut *self.outcome();
        let page = &mut *lock(&self.page);
        let graph = page.explored.take();
        page.timelines.push(page.happened.take());
        page.graphs.push(graph.map(|graph| arg::plain(graph, &outcome.file, property, end)));
        outcome.results.push(Answer::new(property, evidence, None));
    }

    /// What the last answer took.
    pub fn took(&self, statistics: Statistics, time: Duration) {
        if let Some(answer) = self.outcome().results.last_mut() {
            answer.statistics = Some(plain(statistics, time));
        }
    }

    /// Tells that something could not be written. The answer stands, but not the exit code.
    pub fn lose(&self, error: &anyhow::Error) {
        terminal::error(error);
        self.lost.store(true, Ordering::SeqCst);
    }

    /// Writes everything. The answer stands on standard output even where a file fails.
    pub fn finish(&self, exit: Exit) -> Result<Exit> {
        if self.is_wanted() {
            self.write()?;
        }
        Ok(if self.lost.load(Ordering::SeqCst) { Exit::BadInput } else { exit })
    }

    fn write(&self) -> Result<()> {
        let outcome = &mut *self.outcome();
        outcome.verdict = Outcome::overall(&outcome.results);
        if let Some(text) = self.line(outcome) {
            let out = &mut io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        for (path, form) in self.args.files() {
            // What can be written is.
            let written = whole::write(path, &self.render(form, outcome));
            written.unwrap_or_else(|error| self.lose(&error));
        }
        Ok(())
    }

    fn render(&self, form: Form, outcome: &Outcome) -> String {
        match form {
            Form::Json => render::json(outcome),
            Form::Sarif => render::sarif(outcome),
            Form::Junit => render::junit(outcome),
            Form::Report => self.report(outcome),
        }
    }

    /// Automata are drawn with the errors of all properties that were asked for.
    fn report(&self, outcome: &Outcome) -> String {
        let page = lock(&self.page);
        let asked = outcome.results.iter().filter_map(|answer| answer.property.parse().ok());
        let asked: Vec<Property> = asked.collect();
        let program = page.program.clone().map(|program| {
            instrument(program, &Request { properties: &asked, error_label: None, is_run: true }).0
        });
        html(&html::Report {
            outcome,
            text: &page.text,
            program: program.as_ref(),
            graphs: &page.graphs,
            timelines: &page.timelines,
        })
    }

    /// What standard output gets in place of text.
    fn line(&self, outcome: &Outcome) -> Option<String> {
        match () {
            () if self.args.json_to_stdout() => Some(render::json(outcome)),
            () if self.args.github => Some(render::github(outcome)),
            () if self.args.svcomp => Some(render::svcomp(outcome)),
            () => None,
        }
    }
}

/// A form that goes to a file.
#[derive(Clone, Copy, Debug)]
enum Form {
    Json,
    Sarif,
    Junit,
    Report,
}

fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The user's text, which a preprocessor may have changed; standard input is read only once.
fn text_of(choice: &Choice) -> Option<String> {
    if choice.path == Path::new("-") {
        return None;
    }
    let bytes = input::read(&choice.path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

impl args::Outputs {
    fn json_to_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    fn has_text(&self) -> bool {
        !(self.quiet || self.github || self.svcomp || self.json_to_stdout())
    }

    fn files(&self) -> impl Iterator<Item = (&Path, Form)> {
        let json = self.json.as_deref().filter(|_| !self.json_to_stdout());
        let all = [
            (json, Form::Json),
            (self.sarif.as_deref(), Form::Sarif),
            (self.junit.as_deref(), Form::Junit),
            (self.report.as_deref(), Form::Report),
        ];
        all.into_iter().filter_map(|(path, form)| Some((path?, form)))
    }
}

/// Every file can be written, and none is another one or read.
fn ensure_writable(args: &Verify, choice: &Choice) -> Result<()> {
    let reuse = args.reuse.as_deref().map(|path| (path, "the older version's file"));
    let lemmas = args.lemmas.iter().map(|path| (path.as_path(), "a lemma file"));
    let read: Vec<_> = choice.files(&args.input).into_iter().chain(reuse).chain(lemmas).collect();
    let more = [args.witness.as_deref(), args.harness.as_deref()].into_iter().flatten();
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in args.outputs.files().map(|(path, _)| path).chain(more) {
        let file = whole::real(path);
        let device = path.exists() && !path.is_file();
        whole::ensure_possible(path)?;
        whole::ensure_apart(Some(path), &read)?;
        ensure!(device || !seen.contains(&file), "{} is given for two outputs", path.display());
        seen.push(file);
    }
    Ok(())
}

fn plain(statistics: Statistics, time: Duration) -> outcome::Statistics {
    outcome::Statistics {
        seconds: (time.as_secs_f64() * 1000.0).round() / 1000.0,
        probes: statistics.probes,
        refinements: statistics.refinements,
        guesses: statistics.guesses,
        nodes: statistics.nodes as u64,
        popped: statistics.popped,
        predicates: statistics.predicates as u64,
        variables: statistics.variables as u64,
        dropped: statistics.dropped as u64,
        queries: statistics.queries,
        blocks: statistics.blocks as u64,
    }
}

/// Standard output, if it is for a person.
pub enum Text {
    Shown {
        out: anstream::AutoStream<io::StdoutLock<'static>>,
        /// Nothing else is written, so it is in vain when nobody reads it.
        alone: bool,
    },
    Silent,
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Text::Shown { out, alone } => match out.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe && !*alone => {
                    *self = Text::Silent;
                    Ok(bytes.len())
                }
                written => written,
            },
            Text::Silent => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Text::Shown { out, .. } => out.flush(),
            Text::Silent => Ok(()),
        }
    }
}
