//! A combined contract as ACSL (DESIGN.md section 7).
//!
//! `requires` inside of behaviours would be conjoined, so there is one `requires` that is the
//! disjunction, and behaviours `assume` their part of it. That behaviours are complete or disjoint
//! is said only where the solver has shown it.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::merge::Merged;

pub(crate) fn render(merged: &Merged) -> String {
    let mut lines = Vec::new();
    lines.extend(merged.requires.as_ref().map(|text| format!("requires {text};")));
    lines.extend(assigns(merged.assigns.as_ref()));
    match &merged.behaviours[..] {
        [one] => lines.extend(one.ensures.iter().map(|text| format!("ensures {text};"))),
        several => {
            for behaviour in several {
                lines.push(format!("behavior {}:", behaviour.name));
                lines.push(format!("  assumes {};", behaviour.assumes));
                if behaviour.assigns != merged.assigns {
                    let own = assigns(behaviour.assigns.as_ref());
                    lines.extend(own.map(|text| format!("  {text}")));
                }
                let ensures = behaviour.ensures.iter();
                lines.extend(ensures.map(|text| format!("  ensures {text};")));
            }
            let claims = [(merged.complete, "complete"), (merged.disjoint, "disjoint")];
            let shown = claims.iter().filter(|(shown, _)| *shown);
            lines.extend(shown.map(|(_, word)| format!("{word} behaviors;")));
        }
    }
    let mut text = "/*@\n".to_owned();
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
    let _ = writeln!(text, "*/\n{}", declaration(merged));
    text
}

fn assigns(names: Option<&BTreeSet<String>>) -> Option<String> {
    let names = names?.iter().map(String::as_str).collect::<Vec<&str>>();
    let names = if names.is_empty() { "\\nothing".to_owned() } else { names.join(", ") };
    Some(format!("assigns {names};"))
}

fn declaration(merged: &Merged) -> String {
    let signature = &merged.words.signature;
    let result = signature.result.as_ref().map_or("void", |ty| ty.text());
    let parameters = signature.parameters.iter().map(|p| format!("{} {}", p.ty.text(), p.name));
    let parameters = parameters.collect::<Vec<String>>().join(", ");
    let parameters = if parameters.is_empty() { "void" } else { &parameters };
    format!("{result} {}({parameters});", signature.name)
}
