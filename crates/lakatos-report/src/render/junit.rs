//! JUnit's XML, as servers for continuous integration read it: one test per property. What is
//! refuted is a failure, what is unknown an error.

use std::fmt::Write as _;

use super::words::{details, headline};
use crate::markup::escaped;
use crate::outcome::{Answer, Level, Message, Outcome, Verdict};

pub fn junit(outcome: &Outcome) -> String {
    let count = |verdict| outcome.results.iter().filter(|a| a.verdict == verdict).count();
    let invalid = outcome.verdict == Verdict::Invalid;
    let tests = outcome.results.len() + usize::from(invalid);
    let errors = count(Verdict::Unknown) + usize::from(invalid);
    let seconds: f64 = outcome.results.iter().map(seconds).sum();
    let counts = format!(
        "tests=\"{tests}\" failures=\"{}\" errors=\"{errors}\" skipped=\"0\" time=\"{seconds:.3}\"",
        count(Verdict::Refuted)
    );
    let file = attribute(&outcome.file);
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ = writeln!(out, "<testsuites name=\"lakatos\" {counts}>");
    let _ = writeln!(out, "<testsuite name=\"{file}\" {counts}>");
    if invalid {
        let said = outcome.diagnostics.iter().find(|said| said.severity == Level::Error);
        not_a_program(&mut out, &file, said);
    }
    for answer in &outcome.results {
        case(&mut out, &file, answer);
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

fn seconds(answer: &Answer) -> f64 {
    answer.statistics.map_or(0.0, |statistics| statistics.seconds)
}

fn not_a_program(out: &mut String, file: &str, said: Option<&Message>) {
    let text = said.map_or("there is no program".to_owned(), |said| {
        format!("{}: {}", said.position, said.message)
    });
    let _ = writeln!(
        out,
        "<testcase classname=\"{file}\" name=\"program\" time=\"0.000\">\n\
         <error type=\"invalid\" message=\"{}\"/>\n</testcase>",
        attribute(&text)
    );
}

fn case(out: &mut String, file: &str, answer: &Answer) {
    let (name, time) = (attribute(&answer.property), seconds(answer));
    let _ = writeln!(out, "<testcase classname=\"{file}\" name=\"{name}\" time=\"{time:.3}\">");
    let (message, text) = (attribute(&headline(answer)), escaped(&details(answer).join("\n")));
    let _ = match answer.verdict {
        Verdict::Refuted => {
            writeln!(out, "<failure type=\"refuted\" message=\"{message}\">{text}</failure>")
        }
        Verdict::Unknown | Verdict::Invalid => {
            writeln!(out, "<error type=\"unknown\" message=\"{message}\">{text}</error>")
        }
        Verdict::Proved if text.is_empty() => Ok(()),
        Verdict::Proved => writeln!(out, "<system-out>{text}</system-out>"),
    };
    out.push_str("</testcase>\n");
}

/// A reader of XML takes a line break in an attribute for a space, unless it is written so.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;")
}
