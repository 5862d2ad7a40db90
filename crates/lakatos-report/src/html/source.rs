//! The source, with what is known between its lines: contracts above functions, invariants above
//! loops, violations and what the front-end says below their lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Report, code, escaped};
use crate::excerpt::shortened;
use crate::outcome::{Answer, Function, Level, Outcome, Position};

/// A formula is cut to so many characters.
const MAX_FORMULA: usize = 400;

/// What stands above and below lines, as HTML.
#[derive(Default)]
struct Notes {
    above: BTreeMap<u32, String>,
    below: BTreeMap<u32, String>,
}

pub(super) fn source(out: &mut String, report: &Report<'_>) {
    let notes = Notes::new(report.outcome);
    out.push_str("<section id=\"source\" tabindex=\"0\" aria-label=\"source\">\n");
    let mut lines = code::lines(report.text);
    if report.text.ends_with('\n') {
        lines.pop();
    }
    for (number, line) in (1u32..).zip(&lines) {
        out.push_str(notes.above.get(&number).map_or("", String::as_str));
        let _ = writeln!(
            out,
            "<div class=\"row\" id=\"L{number}\"><a class=\"no\" href=\"#L{number}\">{number}</a>\
             <code>{line}</code></div>"
        );
        out.push_str(notes.below.get(&number).map_or("", String::as_str));
    }
    out.push_str("</section>\n");
}

impl Notes {
    fn new(outcome: &Outcome) -> Notes {
        let mut notes = Notes::default();
        for (number, answer) in outcome.results.iter().enumerate() {
            notes.of(outcome, number, answer);
        }
        for said in &outcome.diagnostics {
            let class = match said.severity {
                Level::Warning => "warns",
                Level::Unsupported => "warns",
                Level::Error => "fails",
            };
            let text = escaped(&said.message);
            notes.add_below(outcome, &said.position, &note(class, None, &text));
        }
        notes
    }

    fn of(&mut self, outcome: &Outcome, number: usize, answer: &Answer) {
        for function in answer.proof().into_iter().flat_map(|proof| &proof.functions) {
            self.function(outcome, number, function);
        }
        if let Some(run) = answer.run() {
            let text = escaped(&run.violation.message);
            let html = note("fails", Some(number), &text);
            self.add_below(outcome, &run.violation.position, &html);
        }
    }

    fn function(&mut self, outcome: &Outcome, number: usize, function: &Function) {
        let mut said = clauses("requires", &function.requires);
        said += &clauses("ensures", &function.ensures);
        if function.has_contract() {
            let assigns = match function.assigns.is_empty() {
                true => "\\nothing".to_owned(),
                false => function.assigns.join(", "),
            };
            said += &clauses("assigns", &[assigns]);
            self.add_above(outcome, &function.position, &note("holds", Some(number), &said));
        }
        for invariant in &function.invariants {
            let said = clauses("loop invariant", &invariant.holds);
            self.add_above(outcome, &invariant.position, &note("holds", Some(number), &said));
        }
    }

    fn add_above(&mut self, outcome: &Outcome, at: &Position, html: &str) {
        if at.file == outcome.file {
            self.above.entry(at.line).or_default().push_str(html);
        }
    }

    fn add_below(&mut self, outcome: &Outcome, at: &Position, html: &str) {
        if at.file == outcome.file {
            self.below.entry(at.line).or_default().push_str(html);
        }
    }
}

/// A note of a property is seen when that is chosen.
fn note(class: &str, property: Option<usize>, html: &str) -> String {
    let of = property.map_or(String::new(), |number| format!(" data-of=\"{number}\""));
    format!("<div class=\"note {class}\"{of}>{html}</div>\n")
}

fn clauses(word: &str, formulas: &[String]) -> String {
    let line = |formula: &String| {
        let shown = escaped(&shortened(formula, MAX_FORMULA));
        format!("<div><span class=\"word\">{word}</span> <code>{shown}</code></div>")
    };
    formulas.iter().map(line).collect()
}
