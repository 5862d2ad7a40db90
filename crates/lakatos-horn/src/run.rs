//! Derivations as runs: which inputs lead to the contradiction.
//!
//! The clauses of one frame are a path, and every exit in a body is a call on it. Where an exit was
//! derived from the entry of its procedure, the run goes on from the caller's entry: how that entry
//! was derived elsewhere does not matter, since its values are the same.

use std::collections::BTreeMap;

use lakatos_analysis::cegar::Inputs;
use lakatos_analysis::semantics::Semantics;
use lakatos_ir::{IntType, SiteId};
use lakatos_logic::horn::{Derivation, System};
use lakatos_logic::number::to_signed;
use lakatos_logic::term::{Terms, Value};

use super::{Encoded, Place};

/// What a site gives a run, by how often it was asked before.
type Asked = BTreeMap<SiteId, u32>;

/// What is still to be told, the next last.
enum Act {
    Derive { step: usize, called: bool },
    Mark { step: usize, mark: usize },
}

/// The inputs along a derivation from a system that was made of the encoded one.
pub fn inputs(
    terms: &Terms,
    semantics: &Semantics<'_>,
    encoded: &Encoded,
    system: &System,
    derivation: &Derivation,
) -> Inputs {
    let mut inputs = Inputs::new();
    let mut asked = Asked::new();
    let last = derivation.steps.len() - 1;
    let mut open = vec![Act::Derive { step: last, called: false }];
    while let Some(act) = open.pop() {
        match act {
            Act::Mark { step, mark } => {
                let step = &derivation.steps[step];
                let mark = &system.clauses[step.clause].marks[mark];
                if terms.holds(mark.when, &step.values) == Some(false) {
                    continue;
                }
                let (site, ty) = encoded.inputs[mark.tag];
                let number = asked.entry(site).or_default();
                if let Some(value) = terms.evaluate(mark.value, &step.values) {
                    inputs.extend(integer(&value, ty).map(|value| ((site, *number), value)));
                }
                *number += 1;
            }
            Act::Derive { step, called } => {
                let Some(head) = &system.clauses[derivation.steps[step].clause].head else {
                    open.extend(acts(semantics, encoded, system, derivation, step, called));
                    continue;
                };
                let is_entry = matches!(encoded.places[head.predicate.0], Place::Entry(_));
                if !(is_entry && called) {
                    open.extend(acts(semantics, encoded, system, derivation, step, called));
                }
            }
        }
    }
    inputs
}

/// What a step consists of, the first last.
fn acts(
    semantics: &Semantics<'_>,
    encoded: &Encoded,
    system: &System,
    derivation: &Derivation,
    step: usize,
    called: bool,
) -> Vec<Act> {
    let clause = &system.clauses[derivation.steps[step].clause];
    let mut acts = Vec::new();
    let marks_at = |at: usize, acts: &mut Vec<Act>| {
        let marks = clause.marks.iter().enumerate().filter(|(_, mark)| mark.after == at);
        acts.extend(marks.map(|(mark, _)| Act::Mark { step, mark }));
    };
    marks_at(0, &mut acts);
    for (number, application) in clause.body.iter().enumerate() {
        let premise = derivation.steps[step].premises[number];
        let called = called || encoded.is_exit(semantics, application.predicate);
        acts.push(Act::Derive { step: premise, called });
        marks_at(number + 1, &mut acts);
    }
    acts.reverse();
    acts
}

fn integer(value: &Value, ty: IntType) -> Option<i128> {
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => i128::try_from(value.clone()).ok(),
        Value::BitVec(value, width) if ty.signed => i128::try_from(to_signed(value, *width)).ok(),
        Value::BitVec(value, _) => i128::try_from(value.clone()).ok(),
        _ => None,
    }
}
