//! `lakatos check`: is a witness right?
//!
//! Of a correctness witness: are its claims true, and are they enough? The independent checker is
//! asked first, since claims that are a proof by themselves are both. Otherwise every claim becomes
//! an assertion that the engine proves or refutes, and then it is asked about the property. Of a
//! violation witness: does a run through its waypoints end in the violation? Its values are tried
//! first, then the engine looks for such a run. What is refuted has been replayed, what is proved
//! has been checked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use lakatos_check::{Instrumented, Outcome, Verdict, Why, check as check_proof};
use lakatos_engine::auto::Auto;
use lakatos_engine::{Engine, Task, Watch, proof_of_remarks};
use lakatos_evidence::{Proof, Refutation};
use lakatos_ir::interpret::{self, Input, Interpreter, Keyed};
use lakatos_ir::{Program, Property, SignedOverflow, undefined};
use lakatos_logic::smt::{Limits as SolverLimits, Smt};
use lakatos_report::{diagnostic, evidence};
use lakatos_witness::expression::Reader;
use lakatos_witness::format::{self, Content, Invariant, Segment, Witness};
use lakatos_witness::invariants::{self, Claim, Problem, Spoken};
use lakatos_witness::outline::{Outline, same_file};
use lakatos_witness::run::{self, Restricted};

use crate::args::Check;
use crate::exit::Exit;
use crate::lemmas::{self, Known};
use crate::load::{Choice, choose, model_name};
use crate::task::Asked;
use crate::terminal::{BAD, BOLD, GOOD, UNSURE, note};
use crate::verify::ensure_sensible;
use crate::watch::{Ends, Limits, watched};
use crate::{input, witness};

/// A run along a witness may take so many steps.
const RUN_STEPS: u64 = 20_000_000;

pub fn check(args: &Check) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let name = input::display_name(&args.witness);
    let witnesses = read_witnesses(&args.witness)?;
    let hash = format::hash(&input::read(&choice.path)?);
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let (ends, limits) = (Ends::with_ctrl_c(), Limits::set(&args.limits));
    let out = &mut anstream::stdout().lock();
    writeln!(out, "{BOLD}{}{BOLD:#} ({}), {name}", choice.name(), model_name(choice.model))?;
    let mut exits = Vec::new();
    for question in questions(witnesses) {
        let property = match meant(args, &choice, &question.witness) {
            Ok(property) => property,
            Err(finding) => {
                exits.push(tell(out, "witness", finding)?);
                continue;
            }
        };
        ensure_sensible(args.signed_overflow, property)?;
        let signed_overflow = args.signed_overflow.into();
        let (choice, lemmas, before) = (&choice, &args.lemmas[..], &exits[..]);
        let (program, ends) = (&program, &ends);
        let judge =
            Judge { choice, lemmas, program, property, signed_overflow, ends, limits, before };
        let finding = match mismatch(choice, &hash, &question.witness) {
            Some(reason) => Finding::Rejected(reason, None),
            None => match &question.content {
                Content::Correctness(invariants) => judge.correctness(invariants),
                Content::Violation(segments) => judge.violation(segments),
            },
        };
        exits.push(tell(out, property.name(), finding)?);
    }
    Ok(Exit::overall(&exits))
}

/// What a file with witnesses holds.
pub fn read_witnesses(path: &Path) -> Result<Vec<Witness>> {
    let name = input::display_name(path);
    let text = input::decode(&name, input::read(path)?)?;
    let (witnesses, notes) =
        format::read(&text).map_err(|malformed| anyhow!("{name}:{malformed}"))?;
    for message in notes {
        note(&format!("{name}, {message}"));
    }
    Ok(witnesses)
}

/// What is asked about at a time.
struct Question {
    witness: Witness,
    content: Content,
}

/// All invariants of a file belong together; every violation is one by itself.
fn questions(witnesses: Vec<Witness>) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for witness in witnesses {
        if let Content::Correctness(more) = &witness.content {
            let same = |question: &&mut Question| {
                question.witness.metadata.task == witness.metadata.task
                    && matches!(question.content, Content::Correctness(_))
            };
            if let Some(question) = questions.iter_mut().find(same)
                && let Content::Correctness(invariants) = &mut question.content
            {
                invariants.extend(more.iter().cloned());
                continue;
            }
        }
        let content = witness.content.clone();
        questions.push(Question { witness, content });
    }
    questions
}

/// What became of a witness.
#[derive(Debug)]
enum Finding {
    Confirmed(String),
    /// With a run that shows it, if one does.
    Rejected(String, Option<String>),
    Unknown(String),
}

fn tell(out: &mut impl Write, what: &str, finding: Finding) -> io::Result<Exit> {
    match finding {
        Finding::Confirmed(how) => {
            writeln!(out, "{what}: {GOOD}confirmed{GOOD:#}: {how}")?;
            Ok(Exit::Good)
        }
        Finding::Rejected(reason, run) => {
            writeln!(out, "{what}: {BAD}rejected{BAD:#}: {reason}")?;
            write!(out, "{}", run.unwrap_or_default())?;
            Ok(Exit::Bad)
        }
        Finding::Unknown(reason) => {
            writeln!(out, "{what}: {UNSURE}unknown{UNSURE:#}: {reason}")?;
            Ok(Exit::Unknown)
        }
    }
}

/// The property that is asked about: of the command line, of the task, or of the witness; they
/// must not contradict each other.
fn meant(args: &Check, choice: &Choice, witness: &Witness) -> Result<Property, Finding> {
    let specification = &witness.metadata.task.specification;
    let Some(claimed) = format::property(specification) else {
        let reason = format!("the specification `{specification}` is not supported");
        return Err(Finding::Unknown(reason));
    };
    let asked: Vec<Property> = match args.property {
        Some(property) => vec![property],
        None => choice
            .asked
            .iter()
            .filter_map(|asked| match asked {
                Asked::Known(property) => Some(*property),
                Asked::Unsupported(_) => None,
            })
            .collect(),
    };
    match asked.is_empty() || asked.contains(&claimed) {
        true => Ok(claimed),
        false => {
            let names: Vec<&str> = asked.iter().map(|property| property.name()).collect();
            let reason = format!("the witness is about {claimed}, not about {}", names.join(", "));
            Err(Finding::Rejected(reason, None))
        }
    }
}

/// Why a witness is not about this program.
pub fn mismatch(choice: &Choice, hash: &str, witness: &Witness) -> Option<String> {
    let task = &witness.metadata.task;
    if task.language != "C" {
        return Some(format!("the witness is about a program in {}", task.language));
    }
    let model = &task.data_model;
    match format::model(model) {
        None => return Some(format!("`{model}` is no data model (ILP32 and LP64 are)")),
        Some(other) if other != choice.model => {
            return Some(format!(
                "the witness assumes the data model {model}, and the program is looked at in {}; \
                 `--data-model` chooses another one",
                format::model_name(choice.model)
            ));
        }
        Some(_) => {}
    }
    let own = witness::file_name(&choice.path);
    let named = task.files.iter().find(|(name, _)| same_file(name, &own));
    let right = |given: &String| given.eq_ignore_ascii_case(hash);
    match (named, &task.files[..]) {
        (Some((_, Some(given))), _) if !right(given) => Some(format!(
            "the hash of {own} is another one: the witness says {given}, the file has {hash}"
        )),
        (Some((_, None)), _) => {
            note("the witness has no hash of the program");
            None
        }
        (Some(_), _) => None,
        (None, [(name, Some(given))]) if right(given) => {
            note(&format!("the witness calls the program {name}"));
            None
        }
        (None, files) => {
            let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
            Some(format!("the witness is about {}, not about {own}", names.join(", ")))
        }
    }
}

/// Decides about the witnesses of one property.
struct Judge<'a> {
    choice: &'a Choice,
    lemmas: &'a [PathBuf],
    program: &'a Program,
    property: Property,
    signed_overflow: SignedOverflow,
    ends: &'a Ends,
    limits: Limits,
    /// What was found of the witnesses before.
    before: &'a [Exit],
}

/// What a correctness witness claims.
struct Claims<'c> {
    said: &'c [Invariant],
    outline: &'c Outline,
    reader: &'c Reader<'c>,
    /// Those that the reader could read.
    read: &'c [Claim],
}

/// Why claims are no proof by themselves.
struct Lacking {
    what: String,
    /// The checker has a formula for each of them.
    formula: bool,
}

/// What the engine says, with proofs checked.
enum Answer {
    Holds,
    Refuted(Box<Refutation>),
    Unknown(String),
}

impl Judge<'_> {
    fn correctness(&self, said: &[Invariant]) -> Finding {
        let outline = Outline::new(self.program);
        let mut reader = Reader::new(self.program.clone(), &outline);
        let (mut claims, mut unread) = (Vec::new(), Vec::new());
        for invariant in said {
            for claim in invariants::claims(&mut reader, &outline, std::slice::from_ref(invariant))
            {
                match claim {
                    Ok(claim) => claims.push(claim),
                    Err(Problem::Misplaced(reason)) => return Finding::Rejected(reason, None),
                    Err(Problem::Unreadable(reason)) => unread.push((reason, invariant)),
                }
            }
        }
        let claims = Claims { said, outline: &outline, reader: &reader, read: &claims };
        // What is written in C comes first: nothing else is tried with it.
        let in_c = unread.iter().find(|(_, invariant)| !is_acsl(invariant));
        let mut why = in_c.or(unread.first()).map(|(reason, _)| reason.clone());
        if why.is_some() && in_c.is_none() {
            let beyond: Vec<&Invariant> = unread.iter().map(|(_, invariant)| *invariant).collect();
            match self.of_arrays(&claims, &beyond) {
                Ok(finding) => return finding,
                Err(reason) => why = Some(reason),
            }
        }
        match (self.of_read(&claims), why) {
            (Finding::Confirmed(how), Some(reason)) => {
                Finding::Unknown(format!("{reason}; as for the rest, {how}"))
            }
            (finding, _) => finding,
        }
    }

    /// What becomes of the claims that could be read.
    fn of_read(&self, claims: &Claims<'_>) -> Finding {
        let number = claimed(claims.read.len());
        match self.alone(claims) {
            Ok(()) if claims.read.is_empty() => {
                Finding::Confirmed(format!("{number}, and nothing has to be"))
            }
            Ok(()) => Finding::Confirmed(format!("{number}, and enough alone")),
            Err(Lacking { what, formula }) => {
                // Of claims without a formula the texts serve as guesses about arrays.
                let guesses = if formula { None } else { self.guesses(claims, &[]).ok() };
                self.with_help(claims, &number, &what, guesses.as_ref())
            }
        }
    }

    /// What a witness says in ACSL that speaks of arrays and of all their elements: whether it is a
    /// proof by itself, with calls written out. Otherwise why not.
    fn of_arrays(&self, claims: &Claims<'_>, beyond: &[&Invariant]) -> Result<Finding, String> {
        let known = self.guesses(claims, beyond)?;
        self.by_remarks(self.program, self.property, &known)?;
        if let Err(finding) = self.all_true(claims, Some(&known)) {
            return Ok(finding);
        }
        let number = claimed(claims.read.len() + beyond.len());
        Ok(Finding::Confirmed(format!("{number}, and enough alone")))
    }

    /// Invariants of loops, read as ACSL: those beyond, all of which are needed, and the others as
    /// guesses, as far as they can be read.
    fn guesses(&self, claims: &Claims<'_>, beyond: &[&Invariant]) -> Result<Known, String> {
        let of_loop =
            |invariant: &&Invariant| invariants::of_loop(self.program, claims.outline, invariant);
        let needed: Option<Vec<Spoken>> = beyond.iter().map(of_loop).collect();
        let needed = needed.ok_or("arrays are supported in invariants of loops only")?;
        let others = claims.said.iter().filter(|invariant| !beyond.contains(invariant));
        let mut all = needed.clone();
        all.extend(others.filter_map(|invariant| of_loop(&invariant)));
        self.known(&all).or_else(|_| self.known(&needed))
    }

    /// Whether remarks are a proof by themselves, with calls written out; otherwise why not.
    fn by_remarks(
        &self,
        program: &Program,
        property: Property,
        known: &Known,
    ) -> Result<(), String> {
        let knowledge = known.knowledge.clone().without_assumptions();
        let subject = Instrumented::arrays(program, property, knowledge)
            .ok_or("the program is too large with calls written out")?;
        let task = Task { program, property, signed_overflow: self.signed_overflow };
        let proof = proof_of_remarks(&subject, &known.remarks, &task)
            .map_err(|number| format!("remark {} belongs to no loop", number + 1))?;
        self.checked(&subject, proof).map_err(|lacking| {
            format!("what is said about arrays is no proof by itself ({lacking})")
        })
    }

    /// Whether all claims that could be read are true wherever they stand; otherwise what becomes of
    /// the witness.
    fn all_true(&self, claims: &Claims<'_>, known: Option<&Known>) -> Result<(), Finding> {
        if claims.read.is_empty() {
            return Ok(());
        }
        let asserted = invariants::asserted(claims.reader, claims.read);
        let by_remarks = |known| self.by_remarks(&asserted, Property::UnreachCall, known);
        if known.is_some_and(|known| by_remarks(known).is_ok()) {
            return Ok(());
        }
        match self.asked(&asserted, Property::UnreachCall) {
            Answer::Holds => Ok(()),
            Answer::Refuted(run) => Err(false_claim(&asserted, claims.read, &run)),
            Answer::Unknown(why) => {
                Err(Finding::Unknown(format!("whether its claims are true: {why}")))
            }
        }
    }

    fn known(&self, spoken: &[Spoken]) -> Result<Known, String> {
        let known = lemmas::known_of_witness(self.lemmas, self.choice, self.program, spoken);
        match known.map_err(|error| error.to_string())? {
            Ok(known) => known,
            Err(_) => Err("the lemma files are refused".to_owned()),
        }
    }

    /// Whether the claims are a proof by themselves; if not, what is missing.
    fn alone(&self, claims: &Claims<'_>) -> Result<(), Lacking> {
        let subject = Instrumented::new(&claims.reader.program, self.property);
        let (proof, left_out) = invariants::proof(
            claims.reader,
            subject.program(),
            self.property,
            self.signed_overflow,
            claims.read,
        );
        if let Some(claim) = left_out.first() {
            let what = format!("the checker has no formula for {}", claim.what);
            return Err(Lacking { what, formula: false });
        }
        self.checked(&subject, proof).map_err(|what| Lacking { what, formula: true })
    }

    fn checked(&self, subject: &Instrumented, proof: Proof) -> Result<(), String> {
        let outcome = watched(
            self.ends,
            self.limits,
            |why| self.stuck(&why),
            |watcher| {
                let mut smt = Smt::new(SolverLimits::default());
                watcher.started(smt.cancel_handle());
                check_proof(subject, proof, self.signed_overflow, &mut smt)
            },
        );
        match outcome {
            Outcome::Checked(_) => Ok(()),
            Outcome::Rejected(rejected) => Err(rejected.condition.describe(subject.program())),
            Outcome::Undecided(undecided) => {
                let (condition, reason) = &undecided.conditions[0];
                Err(format!("{} ({reason})", condition.describe(subject.program())))
            }
        }
    }

    /// The verdict where something does not end when it has to.
    fn stuck(&self, why: &Why) -> Exit {
        let out = &mut anstream::stdout().lock();
        let why = why.describe(&self.program.source);
        // The process ends now, whether or not anybody reads this.
        let _ = writeln!(out, "{}: {UNSURE}unknown{UNSURE:#}: {why}", self.property);
        Exit::overall(&[self.before, &[Exit::Unknown]].concat())
    }

    /// The engine's answer about a program.
    fn asked(&self, program: &Program, property: Property) -> Answer {
        let task = Task { program, property, signed_overflow: self.signed_overflow };
        let report = watched(
            self.ends,
            self.limits,
            |why| self.stuck(&why),
            |watcher| Auto::default().solve(&task, watcher),
        );
        match report.verdict {
            Verdict::Refuted(refutation) => Answer::Refuted(refutation),
            Verdict::Unknown(why) => {
                Answer::Unknown(self.ends.explain(why).describe(&program.source))
            }
            Verdict::Proved(_) => Answer::Holds,
        }
    }

    /// Claims that are no proof by themselves may be true all the same.
    fn with_help(
        &self,
        claims: &Claims<'_>,
        number: &str,
        lacking: &str,
        known: Option<&Known>,
    ) -> Finding {
        if let Err(finding) = self.all_true(claims, known) {
            return finding;
        }
        let enough = |known| self.by_remarks(self.program, self.property, known).is_ok();
        if known.is_some_and(enough) {
            return Finding::Confirmed(format!("{number}, and enough alone"));
        }
        match self.asked(self.program, self.property) {
            Answer::Holds => Finding::Confirmed(format!(
                "{number}, but not enough alone ({lacking}); Lakatos proves the property"
            )),
            Answer::Refuted(run) => {
                let message = &run.violation().message;
                let reason = format!("the program violates the property: {message}");
                Finding::Rejected(reason, Some(shown(self.program, &run)))
            }
            Answer::Unknown(why) => Finding::Unknown(format!(
                "{number}, but not enough alone ({lacking}), and whether the property holds is not \
                 known: {why}"
            )),
        }
    }

    fn violation(&self, segments: &[Segment]) -> Finding {
        let outline = Outline::new(self.program);
        let allowed = match run::restricted(self.program, &outline, self.property, segments) {
            Ok(allowed) => allowed,
            Err(Problem::Misplaced(reason)) => return Finding::Rejected(reason, None),
            Err(Problem::Unreadable(reason)) => return Finding::Unknown(reason),
        };
        match (self.along(&allowed), allowed.left_out.first()) {
            // It need not be a run of the witness.
            (Finding::Confirmed(how), Some(left_out)) => {
                Finding::Unknown(format!("{left_out}; as for the rest, {how}"))
            }
            (finding, _) => finding,
        }
    }

    /// Whether a run that waypoints allow ends in the violation.
    fn along(&self, allowed: &Restricted) -> Finding {
        let options = interpret::Options {
            signed_overflow: self.signed_overflow,
            max_steps: RUN_STEPS,
            ..interpret::Options::default()
        };
        let first = Interpreter::new(&allowed.program).run(&options, &mut allowed.guide.clone());
        if matches!(first.outcome, interpret::Outcome::ErrorReached { .. })
            && let Ok(run) = self.replayed(&allowed.instrumented, &options, &first.inputs)
        {
            return Finding::Confirmed(format!("its values lead to the violation: {run}"));
        }
        match self.asked(&allowed.program, Property::UnreachCall) {
            Answer::Holds => {
                let reason = "no run through the waypoints reaches the target".to_owned();
                Finding::Rejected(reason, None)
            }
            Answer::Refuted(run) => {
                match self.replayed(&allowed.instrumented, &options, run.inputs()) {
                    Ok(run) => {
                        Finding::Confirmed(format!("a run through the waypoints exists: {run}"))
                    }
                    Err(reason) => Finding::Unknown(reason),
                }
            }
            Answer::Unknown(why) => Finding::Unknown(why),
        }
    }

    /// Runs the program itself with inputs; what is violated, and where.
    fn replayed(
        &self,
        program: &Program,
        options: &interpret::Options,
        inputs: &[Input],
    ) -> Result<String, String> {
        let keyed: Keyed =
            inputs.iter().map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
        match Refutation::replay(program, self.property, options, &keyed) {
            Ok(run) => {
                let violation = run.violation();
                let at = program.source.position(violation.span.start);
                Ok(format!("{} at {at}", violation.message))
            }
            Err(reason) => Err(reason.describe(&program.source)),
        }
    }
}

fn is_acsl(invariant: &Invariant) -> bool {
    invariant.format == "acsl_expression"
}

fn claimed(number: usize) -> String {
    match number {
        0 => "nothing is claimed".to_owned(),
        1 => "1 claim is true".to_owned(),
        number => format!("{number} claims are true"),
    }
}

/// A run in which a claim is false.
fn false_claim(program: &Program, claims: &[Claim], run: &Refutation) -> Finding {
    let message = &run.violation().message;
    let failed = claims
        .iter()
        .enumerate()
        .find(|(index, _)| message.contains(&format!("`{}`", invariants::error_name(*index))));
    let Some((_, claim)) = failed else {
        return Finding::Rejected(message.clone(), Some(shown(program, run)));
    };
    let is = match undefined::possible(program, claim.condition) {
        true => "false or undefined",
        false => "false",
    };
    let reason = format!("{} is {is} in this run: `{}`", claim.what, claim.text);
    let told = format!("{} is {is}", claim.what);
    Finding::Rejected(reason, Some(shown(program, run).replace(message, &told)))
}

/// A run with its inputs and its trace.
fn shown(program: &Program, run: &Refutation) -> String {
    // Colours are taken out where they are not wanted.
    let style = diagnostic::Style { color: true, ..diagnostic::Style::default() };
    evidence::refutation(program, run, style)
}
