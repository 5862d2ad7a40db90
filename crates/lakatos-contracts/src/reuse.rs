//! What was found out about an older version of a program, as claims about this one.
//!
//! A contracts file (schema `lakatos-contracts/1`) knows functions by their names, so what it says
//! of one is a claim about the function of that name, wherever it is now. Loops are known by their
//! order in a function; where there are more or fewer of them than there were, what was said of one
//! is claimed of each. Claims are candidates, so one that is wrong costs time and nothing else.

use lakatos_ir::{ProcId, Program};
use lakatos_witness::format::{Invariant, InvariantKind, Location};
use lakatos_witness::outline::{Kind, Outline};

use crate::model::{Document, FunctionRecord};

/// What a file says, of a program that may be another one. Every clause is a claim of its own.
pub fn claims(document: &Document, program: &Program, outline: &Outline) -> Vec<Invariant> {
    let mut claims = Vec::new();
    for record in &document.functions {
        let named = program.defined().find(|(_, procedure, _)| procedure.name == record.name);
        if let (Some((proc, ..)), Some(begin)) = (named, outline.begin_of(&record.name)) {
            let at = location(program, begin, &record.name);
            claims.extend(contract(record).map(|kind| claim(kind, &at)));
            claims.extend(in_loops(record, program, outline, proc));
        }
    }
    claims
}

fn claim(kind: InvariantKind, location: &Location) -> Invariant {
    Invariant { kind, location: location.clone(), format: "acsl_expression".to_owned() }
}

fn contract(record: &FunctionRecord) -> impl Iterator<Item = InvariantKind> {
    let requires = record.requires.iter().map(|text| (Some(text.clone()), None));
    let ensures = record.ensures.iter().map(|text| (None, Some(text.clone())));
    requires.chain(ensures).map(|(requires, ensures)| InvariantKind::Contract { requires, ensures })
}

fn in_loops(
    record: &FunctionRecord,
    program: &Program,
    outline: &Outline,
    proc: ProcId,
) -> Vec<Invariant> {
    let begins = outline.statements().iter().filter(|s| s.kind == Kind::Loop);
    let begins = begins.map(|statement| statement.span.start);
    let own: Vec<Location> = begins
        .filter(|begin| outline.function_at(program, *begin) == Some(proc))
        .map(|begin| location(program, begin, &record.name))
        .collect();
    let mut claims = Vec::new();
    for (number, said) in record.loops.iter().enumerate() {
        let meant = match own.len() == record.loops.len() {
            true => &own[number..=number],
            false => &own[..],
        };
        for text in &said.invariants {
            claims.extend(meant.iter().map(|at| claim(InvariantKind::Loop(text.clone()), at)));
        }
    }
    claims
}

fn location(program: &Program, at: u32, function: &str) -> Location {
    let position = program.source.position(at);
    Location {
        file_name: position.file.to_owned(),
        line: position.line,
        column: Some(position.column),
        function: Some(function.to_owned()),
    }
}
