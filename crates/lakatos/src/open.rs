//! What an answer leaves open: the places that a person may want to look at.

use std::collections::BTreeSet;

use lakatos_ir::{Program, Property, Span, pass};

/// So many places are named.
const NAMED: usize = 3;

/// Reads of which it is not known that something was written before, for the end of a reason why
/// there is no verdict; nothing for other properties.
pub fn reads(program: &Program, property: Property) -> String {
    if property != Property::UninitialisedRead {
        return String::new();
    }
    let subject = pass::subject(program, Some(property));
    let bodies = subject.defined().flat_map(|(_, _, body)| body.locs.iter());
    let spans: BTreeSet<Span> =
        bodies.filter_map(|(_, loc)| loc.error.as_ref()).map(|error| error.span).collect();
    let named: Vec<String> = spans
        .iter()
        .take(NAMED)
        .map(|span| {
            let text = program.source.snippet(*span).split_whitespace().collect::<Vec<_>>();
            format!("`{}` at {}", text.join(" "), program.source.position(span.start))
        })
        .collect();
    let more = match spans.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match named.is_empty() {
        true => String::new(),
        false => format!("; it is not known that {}{more} was written before", named.join(", ")),
    }
}
