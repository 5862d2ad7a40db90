//! A proof: contracts and invariants, function by function, as ACSL would say them. What is
//! `true` is left out.

use std::fmt::Write as _;

use lakatos_evidence::Proof;
use lakatos_ir::Program;

use super::Paint;
use crate::diagnostic::Style;
use crate::excerpt::{printable, shortened};
use crate::outcome::{Function, functions};

/// A formula is cut to so many characters.
const MAX_FORMULA: usize = 2000;

/// A proof in words, with the assumptions it is made under.
pub fn proof(program: &Program, proof: &Proof, style: Style) -> String {
    let paint = Paint::new(style.color);
    let mut text = String::new();
    if !proof.assumptions().is_empty() {
        text += &(paint.heading("assuming") + "\n");
        for assumption in proof.assumptions() {
            let _ = writeln!(text, "  {}", printable(&assumption.to_string()));
        }
    }
    for function in functions(program, proof) {
        let name = paint.heading(&printable(&function.name));
        let at = paint.aside(&printable(&format!("at {}", function.position)));
        let _ = writeln!(text, "{name} {at}");
        text += &describe(&function);
    }
    match text.is_empty() {
        true => "nothing had to be assumed, required or kept invariant\n".to_owned(),
        false => text,
    }
}

/// What a proof says about one function.
fn describe(function: &Function) -> String {
    let mut text = clauses("  ", "requires", &function.requires);
    text += &clauses("  ", "ensures", &function.ensures);
    if function.has_contract() {
        let assigns = match function.assigns.is_empty() {
            true => "\\nothing".to_owned(),
            false => printable(&function.assigns.join(", ")),
        };
        let _ = writeln!(text, "  assigns {assigns}");
    }
    for invariant in &function.invariants {
        let _ = writeln!(text, "  at {}", printable(&invariant.position.to_string()));
        text += &clauses("    ", "invariant", &invariant.holds);
    }
    text
}

/// One line each.
fn clauses(indent: &str, word: &str, lines: &[String]) -> String {
    let line =
        |part: &String| format!("{indent}{word} {}\n", printable(&shortened(part, MAX_FORMULA)));
    lines.iter().map(line).collect()
}
