//! What `verify --json` says, as diagnostics of an editor.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range, Uri,
};
use serde::Deserialize;

use super::uri::uri;

/// Steps of a run that are shown, half of them from its end.
const MOST_STEPS: usize = 100;

/// How an editor counts columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    Characters,
    Utf16,
}

/// The part of the document that is looked at; docs/schema/verify-1.json describes all of it.
#[derive(Deserialize)]
struct Document {
    results: Vec<Answer>,
    diagnostics: Vec<Said>,
}

#[derive(Deserialize)]
struct Answer {
    property: String,
    reason: Option<String>,
    run: Option<Run>,
}

#[derive(Deserialize)]
struct Run {
    violation: Violation,
    inputs: Vec<Input>,
    trace: Trace,
}

#[derive(Deserialize)]
struct Violation {
    message: String,
    position: At,
}

#[derive(Deserialize)]
struct Input {
    source: String,
    position: At,
    value: String,
}

#[derive(Deserialize)]
struct Trace {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    function: String,
    position: At,
    assigned: Vec<Set>,
}

#[derive(Deserialize)]
struct Set {
    name: String,
    value: String,
}

#[derive(Deserialize)]
struct Said {
    severity: String,
    message: String,
    position: At,
    help: Option<String>,
}

#[derive(Deserialize)]
struct At {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// What there is to say about a file. The text is the document of a run that may have failed.
pub fn diagnostics(text: &str, path: &Path, units: Units) -> Vec<Diagnostic> {
    let places = Places { path, units, texts: RefCell::default() };
    match serde_json::from_str::<Document>(text) {
        Ok(document) => {
            let said = document.diagnostics.iter().map(|said| places.said(said));
            let answers = document.results.iter().filter_map(|answer| places.answer(answer));
            said.chain(answers).collect()
        }
        Err(_) => {
            let text = "lakatos could not read this file; `lakatos verify` says why";
            vec![places.about_file(DiagnosticSeverity::WARNING, "lakatos", text)]
        }
    }
}

/// Where things are for an editor.
struct Places<'a> {
    path: &'a Path,
    units: Units,
    /// Files that were read, in lines.
    texts: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Places<'_> {
    fn about_file(&self, severity: DiagnosticSeverity, code: &str, text: &str) -> Diagnostic {
        Diagnostic {
            range: Range::default(),
            severity: Some(severity),
            code: Some(NumberOrString::String(code.to_owned())),
            source: Some("lakatos".to_owned()),
            message: text.to_owned(),
            ..Diagnostic::default()
        }
    }

    /// Of another file only the beginning of this one can speak.
    fn at(&self, severity: DiagnosticSeverity, code: &str, text: &str, at: &At) -> Diagnostic {
        let here = Path::new(&at.file) == self.path;
        let text = match here {
            true => text.to_owned(),
            false => format!("{}:{}:{}: {text}", at.file, at.line, at.column),
        };
        let range = if here { self.range(at) } else { Range::default() };
        Diagnostic { range, ..self.about_file(severity, code, &text) }
    }

    fn said(&self, said: &Said) -> Diagnostic {
        let severity = match said.severity.as_str() {
            "error" => DiagnosticSeverity::ERROR,
            _ => DiagnosticSeverity::WARNING,
        };
        let text = match &said.help {
            Some(help) => format!("{}\n{help}", said.message),
            None => said.message.clone(),
        };
        self.at(severity, &said.severity, &text, &said.position)
    }

    /// Nothing for a proof.
    fn answer(&self, answer: &Answer) -> Option<Diagnostic> {
        if let Some(run) = &answer.run {
            let Violation { message, position } = &run.violation;
            let found = self.at(DiagnosticSeverity::ERROR, &answer.property, message, position);
            return Some(Diagnostic { related_information: Some(self.related(run)), ..found });
        }
        let text = format!("{} is unknown: {}", answer.property, answer.reason.as_ref()?);
        Some(self.about_file(DiagnosticSeverity::INFORMATION, &answer.property, &text))
    }

    /// Inputs, and the steps that change something.
    fn related(&self, run: &Run) -> Vec<DiagnosticRelatedInformation> {
        let input = |input: &Input| {
            let text = format!("input: {} = {}", input.source, input.value);
            self.information(&input.position, text)
        };
        let step = |step: &Step| {
            let values: Vec<String> =
                step.assigned.iter().map(|set| format!("{} = {}", set.name, set.value)).collect();
            let text = format!("{}: {}", step.function, values.join(", "));
            self.information(&step.position, text)
        };
        let inputs = run.inputs.iter().take(MOST_STEPS / 2).map(input);
        let steps: Vec<&Step> =
            run.trace.steps.iter().filter(|step| !step.assigned.is_empty()).collect();
        let left_out = steps.len().saturating_sub(MOST_STEPS);
        let shown = steps
            .iter()
            .enumerate()
            .filter(|(at, _)| !(MOST_STEPS / 2..MOST_STEPS / 2 + left_out).contains(at));
        inputs.chain(shown.map(|(_, told)| step(told))).flatten().collect()
    }

    fn information(&self, at: &At, message: String) -> Option<DiagnosticRelatedInformation> {
        let path = PathBuf::from(&at.file);
        let path = std::path::absolute(path).ok()?;
        let uri = Uri::from_str(&uri(&path)).ok()?;
        Some(DiagnosticRelatedInformation {
            location: Location { uri, range: self.range(at) },
            message,
        })
    }

    fn range(&self, at: &At) -> Range {
        let place = |line: u32, column: u32| {
            let (line, column) = (line.saturating_sub(1), column.saturating_sub(1));
            Position { line, character: self.column(&at.file, line, column) }
        };
        Range { start: place(at.line, at.column), end: place(at.end_line, at.end_column) }
    }

    /// A column, from 0 and in characters, as the editor counts.
    fn column(&self, file: &str, line: u32, column: u32) -> u32 {
        if self.units == Units::Characters {
            return column;
        }
        let mut texts = self.texts.borrow_mut();
        let lines = texts.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
        });
        let line = lines.get(line as usize).map_or("", String::as_str);
        let before: usize = line.chars().take(column as usize).map(char::len_utf16).sum();
        let missing = (column as usize).saturating_sub(line.chars().count());
        (before + missing) as u32
    }
}
