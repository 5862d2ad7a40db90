//! `lakatos lemmas`: what definitions and lemmas rest on.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use lakatos_acsl::env::Table;
use lakatos_acsl::tree::{FileId, Theory};
use lakatos_engine::Remark;
use lakatos_evidence::{Assumption, Proof};
use lakatos_ir::{DataModel, Diagnostic, Program, Severity, Source};
use lakatos_lemmas::judge::{How, Reason};
use lakatos_lemmas::{Item, ItemKind, Judged, Standing, Translation, judge, translate};
use lakatos_logic::lemma::Knowledge;
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::Terms;
use lakatos_witness::invariants::Spoken;
use serde_json::{Value, json};

use crate::args::LemmasArgs;
use crate::exit::Exit;
use crate::input;
use crate::load::{Choice, Refused};
use crate::remarks::{Formula, Remarks, Said};
use crate::terminal::{self, BAD, BOLD, GOOD, UNSURE, note};

/// What a question of a proof may cost: a second or so.
const QUERY: Limits = Limits { resources: Some(2_000_000), time: None };

pub fn lemmas(args: &LemmasArgs) -> Result<Exit> {
    let model = args.data_model.into();
    let mut theory = Theory::default();
    let mut complete = true;
    for path in &args.files {
        match read(&mut theory, path, model)? {
            Ok(all) => complete &= all,
            Err(exit) => return Ok(exit),
        }
    }
    let mut terms = Terms::new();
    let translation = translate(&mut terms, &theory, model);
    for (file, refused) in &translation.refused {
        terminal::diagnostics(&theory.files[*file], std::slice::from_ref(refused));
        complete = false;
    }
    let judged = judge(&mut terms, &mut Smt::new(QUERY), &translation);
    let session = Session { theory: &theory, translation: &translation, judged: &judged };
    match args.json {
        true => session.json()?,
        false => session.text()?,
    }
    Ok(match judged.contradiction {
        Some(_) => Exit::Bad,
        None if judged.is_free() && complete => Exit::Good,
        None => Exit::Unknown,
    })
}

/// What engines are told beside a program.
#[derive(Debug, Default)]
pub struct Known {
    pub knowledge: Knowledge,
    pub remarks: Vec<Remark>,
}

/// What lemma files say, judged, and what the program's own annotations say of the logic and of loops.
/// What the program only assumes counts if it is given as a lemma file, too.
pub fn known(files: &[PathBuf], choice: &Choice, program: &Program) -> Result<Result<Known, Exit>> {
    let by = |theory: &mut Theory| Said::by_annotations(theory, program);
    Ok(gathered(files, choice, by)?.map(|Gathered { knowledge, said, formulas }| {
        let remarks = said.remarks(formulas);
        for refused in &remarks.refused {
            note(&format!("this invariant is not tried: {refused}"));
        }
        Known { knowledge, remarks: remarks.read }
    }))
}

/// The same for what a witness says of loops, all of which has to be read, or the reason why it is not.
pub fn known_of_witness(
    files: &[PathBuf],
    choice: &Choice,
    program: &Program,
    spoken: &[Spoken],
) -> Result<Result<Result<Known, String>, Exit>> {
    let by = |theory: &mut Theory| Said::by_witness(theory, program, spoken);
    Ok(gathered(files, choice, by)?.map(|Gathered { knowledge, said, formulas }| {
        let Remarks { read, refused } = said.remarks(formulas);
        match refused.into_iter().next() {
            Some(reason) => Err(reason),
            None => Ok(Known { knowledge, remarks: read }),
        }
    }))
}

struct Gathered<'p> {
    knowledge: Knowledge,
    said: Said<'p>,
    formulas: Vec<Formula>,
}

/// What is left out is told; a set that contradicts itself is refused.
fn gathered<'p>(
    files: &[PathBuf],
    choice: &Choice,
    say: impl FnOnce(&mut Theory) -> Said<'p>,
) -> Result<Result<Gathered<'p>, Exit>> {
    let mut theory = Theory::default();
    for path in files.iter().filter(|path| **path != choice.path) {
        if let Err(exit) = read(&mut theory, path, choice.model)? {
            return Ok(Err(exit));
        }
    }
    let said = say(&mut theory);
    let mut terms = Terms::new();
    let (translation, formulas) = said.translate(&mut terms, &theory);
    for (file, refused) in &translation.refused {
        if Some(*file) != said.file {
            terminal::diagnostics(&theory.files[*file], std::slice::from_ref(refused));
        }
    }
    let judged = judge(&mut terms, &mut Smt::new(QUERY), &translation);
    let session = Session { theory: &theory, translation: &translation, judged: &judged };
    if let Some(core) = &judged.contradiction {
        if !files.is_empty() {
            session.refuse(core);
            return Ok(Err(Exit::BadInput));
        }
        let names = session.names(core).join(", ");
        note(&format!("the annotations of the program are not used: {names} cannot all hold"));
        return Ok(Ok(Gathered {
            knowledge: Knowledge::default(),
            said: said.nothing(),
            formulas: Vec::new(),
        }));
    }
    let knowledge = judged.knowledge(Arc::new(terms), &translation);
    let is_given = files.contains(&choice.path);
    let own = |item: &&Item| Some(item.file) == said.file && !is_given;
    let own: BTreeSet<&str> = translation.items.iter().filter(own).map(|i| &*i.name).collect();
    let knowledge = knowledge.without(|name| own.contains(name));
    Ok(Ok(Gathered { knowledge, said, formulas }))
}

/// Adds a file to the theory; whether nothing of it is left out. What is said about it is shown.
fn read(theory: &mut Theory, path: &Path, model: DataModel) -> Result<Result<bool, Exit>> {
    let name = input::display_name(path);
    let text = || input::decode(&name, input::read(path)?);
    let env = Table { model, ..Table::default() };
    let (source, said) = match path.extension().and_then(|extension| extension.to_str()) {
        Some("acsl") => {
            let source = Source::new(name.clone(), text()?);
            (source.clone(), lakatos_acsl::read_file(theory, source, &env))
        }
        Some("yml" | "yaml") => {
            let source = Source::new(name.clone(), text()?);
            (source.clone(), lakatos_acsl::read_lemma_sets(theory, source, &env))
        }
        Some("c" | "i" | "h") => {
            let choice = Choice { path: path.to_owned(), model, asked: Vec::new() };
            let options = lakatos_c::Options { model };
            let unit = match lakatos_c::check(choice.source()?, &options) {
                Ok(unit) => unit,
                Err(failure) => {
                    terminal::diagnostics(&failure.source, &failure.diagnostics);
                    return Ok(Err(Refused::from(*failure).exit()));
                }
            };
            let read = lakatos_acsl::read_program(theory, &unit);
            (unit.source.clone(), read.map(|annotations| annotations.unsupported))
        }
        _ => bail!("{name} is no lemma file: its name ends with `.acsl`, `.yml` or `.c`"),
    };
    Ok(match said {
        Ok(said) => {
            terminal::diagnostics(&source, &said);
            Ok(!said.iter().any(|d: &Diagnostic| d.severity == Severity::Unsupported))
        }
        Err(failure) => {
            terminal::diagnostics(&failure.file, &failure.diagnostics);
            Err(Exit::BadInput)
        }
    })
}

/// Whether a proof assumes a lemma that was not proved.
pub fn rests_on_some(proof: &Proof) -> bool {
    proof.assumptions().iter().any(is_lemma)
}

/// The lemmas that a proof assumes, in words.
pub fn assumed(proof: &Proof) -> String {
    let lemmas = proof.assumptions().iter().filter(|assumption| is_lemma(assumption));
    lemmas.map(ToString::to_string).collect::<Vec<String>>().join(", and ")
}

fn is_lemma(assumption: &Assumption) -> bool {
    matches!(assumption, Assumption::Lemma(_))
}

struct Session<'s> {
    theory: &'s Theory,
    translation: &'s Translation,
    judged: &'s Judged,
}

impl Session<'_> {
    fn items(&self) -> impl Iterator<Item = (&Item, &Standing)> {
        self.translation.items.iter().zip(&self.judged.standings)
    }

    fn names(&self, items: &BTreeSet<usize>) -> Vec<String> {
        items.iter().map(|item| self.translation.items[*item].name.clone()).collect()
    }

    /// Says why files are refused.
    fn refuse(&self, core: &BTreeSet<usize>) {
        let mut diagnostics: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
        let names = self.names(core).join(", ");
        for item in core {
            let Item { name, file, span, .. } = &self.translation.items[*item];
            let said = match &self.judged.standings[*item] {
                Standing::False(values) if !values.is_empty() => {
                    format!("`{name}` is false, for example {values}")
                }
                Standing::False(_) => format!("`{name}` is false"),
                _ => format!("`{name}` is part of a contradiction"),
            };
            let said = Diagnostic::error(*span, said)
                .help(format!("correct one of {names}; `lakatos lemmas` tells what each rests on"));
            diagnostics.entry(*file).or_default().push(said);
        }
        for (file, said) in diagnostics {
            terminal::diagnostics(&self.theory.files[file], &said);
        }
    }

    fn text(&self) -> Result<()> {
        let out = &mut anstream::stdout().lock();
        for (item, standing) in self.items() {
            let at = self.theory.files[item.file].position(item.span.start);
            let (style, word, rest) = self.described(item, standing);
            writeln!(out, "{at}: {BOLD}{}{BOLD:#}: {style}{word}{style:#}{rest}", item.name)?;
        }
        if let Some(core) = &self.judged.contradiction {
            let names = self.names(core).join(", ");
            writeln!(out, "{BAD}refused{BAD:#}: a contradiction follows from {names}")?;
        }
        Ok(())
    }

    /// A word in its colour, and what else there is to say.
    fn described(&self, item: &Item, standing: &Standing) -> (anstyle::Style, &str, String) {
        match standing {
            Standing::Ends(None) => (GOOD, "defined", String::new()),
            Standing::Ends(Some(measure)) => {
                (GOOD, "defined", format!(", its recursion ends: {measure} gets smaller"))
            }
            Standing::Declared => {
                (UNSURE, "declared", ", nothing is known but what is assumed".into())
            }
            Standing::Proved(how) => (GOOD, "proved", shown(how)),
            Standing::Follows(how, from) => {
                let names = self.names(from).join(", ");
                (UNSURE, "follows", format!("{} from assumptions: {names}", shown(how)))
            }
            Standing::Assumed(reason) => (UNSURE, "assumed", format!(", {}", why(*reason, item))),
            Standing::False(values) if values.is_empty() => (BAD, "false", String::new()),
            Standing::False(values) => (BAD, "false", format!(", for example {values}")),
        }
    }

    fn json(&self) -> Result<()> {
        let items: Vec<Value> = self.items().map(|(item, s)| self.json_of(item, s)).collect();
        let left_out = self.translation.refused.iter().map(|(file, diagnostic)| {
            let at = self.theory.files[*file].position(diagnostic.span.start).to_string();
            json!({ "at": at, "what": diagnostic.message })
        });
        let document = json!({
            "items": items,
            "left_out": left_out.collect::<Vec<Value>>(),
            "contradiction": self.judged.contradiction.as_ref().map(|core| self.names(core)),
        });
        let out = &mut anstream::stdout().lock();
        Ok(writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?)
    }

    fn json_of(&self, item: &Item, standing: &Standing) -> Value {
        let at = self.theory.files[item.file].position(item.span.start).to_string();
        let (_, word, _) = self.described(item, standing);
        let mut value = json!({ "name": item.name, "at": at, "standing": word });
        match standing {
            Standing::Ends(measure) => value["measure"] = json!(measure),
            Standing::Declared => {}
            Standing::Proved(how) | Standing::Follows(how, _) => {
                value["induction"] = json!(how.induction);
                value["elements_in_range"] = json!(how.ranged);
                if let Standing::Follows(_, from) = standing {
                    value["from"] = json!(self.names(from));
                }
            }
            Standing::Assumed(reason) => value["why"] = json!(why(*reason, item)),
            Standing::False(values) => value["values"] = json!(values),
        }
        value
    }
}

fn shown(how: &How) -> String {
    let by = match &how.induction {
        None => " without induction".to_owned(),
        Some(measure) => format!(" by induction on {measure}"),
    };
    match how.ranged {
        true => format!("{by}, as elements are in the range of their type"),
        false => by,
    }
}

fn why(reason: Reason, item: &Item) -> &'static str {
    match (reason, &item.kind) {
        (Reason::Axiomatic, ItemKind::Definition { .. }) => "as it is part of an axiomatic block",
        (Reason::Axiomatic, _) => "as it is an axiom",
        (Reason::Admitted, _) => "as it is admitted",
        (Reason::NoMeasure, _) => "as its recursion was not seen to end",
        (Reason::NoProof, _) => "as no proof was found",
    }
}
