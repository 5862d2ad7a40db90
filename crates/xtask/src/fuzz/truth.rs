//! What is true of a program: it is run with all its inputs.

use std::collections::BTreeMap;

use lakatos_ir::interpret::{Interpreter, Options, Oracle, Outcome, Request as Asked, Run};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{DataModel, InputKind, IntType, Program, Property, SignedOverflow, Source, Type};

use super::program::INPUTS;

/// Programs that take more are left out.
const MOST_RUNS: usize = 1_500;
const MOST_STEPS: u64 = 4_000;
const MOST_DEPTH: usize = 100;

/// A question about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    pub property: Property,
    pub signed_overflow: SignedOverflow,
}

/// What all runs together do.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Inputs, in order, with which the property is violated.
    pub violated_by: Option<Vec<i128>>,
    /// Lines that were printed, and by how many runs.
    pub printed: BTreeMap<String, usize>,
    pub runs: usize,
}

/// The program, if the front-end takes it.
pub fn compile(text: &str) -> Option<Program> {
    let options = lakatos_c::Options::of_model(DataModel::Lp64);
    lakatos_c::compile(Source::new("fuzz.c", text), &options).ok()
}

/// Runs a program with every input that is not outside of [`INPUTS`]; those must not matter.
/// `None` if there are too many runs, long ones, or unknown inputs.
pub fn truth(program: &Program, question: Question) -> Option<Truth> {
    let request = Request { properties: &[question.property], error_label: None, is_run: true };
    let (program, _) = pass::instrument(program.clone(), &request);
    let mut truth = Truth::default();
    truth.runs = each_run(&program, question, false, |run, inputs| {
        for line in String::from_utf8_lossy(&run.output).lines() {
            *truth.printed.entry(line.to_string()).or_default() += 1;
        }
        if let Outcome::Violated(violation) = &run.outcome
            && violation.property == question.property
        {
            truth.violated_by.get_or_insert_with(|| inputs.to_vec());
        }
    })?;
    Some(truth)
}

/// Every run of an instrumented program, with its inputs; says how many there are. `None` as for
/// [`truth`].
pub fn each_run(
    program: &Program,
    question: Question,
    record_trace: bool,
    mut visit: impl FnMut(&Run, &[i128]),
) -> Option<usize> {
    let interpreter = Interpreter::new(program);
    let options = Options {
        signed_overflow: question.signed_overflow,
        max_steps: MOST_STEPS,
        max_depth: MOST_DEPTH,
        record_trace,
        ..Options::default()
    };
    let mut chooser = Chooser::default();
    for runs in 1..=MOST_RUNS {
        chooser.at = 0;
        let run = interpreter.run(&options, &mut chooser);
        if chooser.lost {
            return None;
        }
        visit(&run, &chooser.values());
        match run.outcome {
            Outcome::Exited(_) | Outcome::Aborted { .. } | Outcome::Blocked { .. } => {}
            // The path ends there.
            Outcome::Undefined { .. } | Outcome::Violated(_) => {}
            Outcome::ErrorReached { .. } if question.property != Property::UnreachCall => {}
            _ => return None,
        }
        if !chooser.advance() {
            return Some(runs);
        }
    }
    None
}

/// Chooses inputs so that run after run all combinations come.
#[derive(Debug, Default)]
struct Chooser {
    /// The choices made: which one, and of what.
    choices: Vec<(usize, Vec<i128>)>,
    at: usize,
    /// An input was asked for whose values are not known.
    lost: bool,
}

impl Chooser {
    fn values(&self) -> Vec<i128> {
        self.choices.iter().map(|(at, values)| values[*at]).collect()
    }

    /// The next combination; `false`: all were there.
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.at);
        while let Some((at, values)) = self.choices.last_mut() {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

impl Oracle for Chooser {
    fn input(&mut self, asked: &Asked<'_>) -> i128 {
        if self.at == self.choices.len() {
            let values: Vec<i128> = match (asked.kind, asked.ty) {
                (InputKind::Nondet, Type::Int(IntType::BOOL)) => vec![0, 1],
                (InputKind::Nondet, Type::Int(ty)) => INPUTS.filter(|v| *v >= ty.min()).collect(),
                _ => {
                    self.lost = true;
                    vec![0]
                }
            };
            self.choices.push((0, values));
        }
        let (at, values) = &self.choices[self.at];
        self.at += 1;
        values[*at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
        extern void reach_error(void); extern _Bool __VERIFIER_nondet_bool(void);\n";

    fn check(body: &str, expect: Option<Option<&[i128]>>) {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}");
        let question = Question {
            property: Property::UnreachCall,
            signed_overflow: SignedOverflow::Undefined,
        };
        let found = truth(&compile(&text).expect("a program"), question);
        let expect = expect.map(|inputs| inputs.map(<[i128]>::to_vec));
        assert_eq!(found.map(|t| t.violated_by), expect, "{body}");
    }

    #[test]
    fn all_inputs_are_tried() {
        let two = "int x = __VERIFIER_nondet_int(); if (x < 0 || x > 3) abort();
                   _Bool b = __VERIFIER_nondet_bool();";
        check(&format!("{two} if (x == 3 && b) reach_error();"), Some(Some(&[3, 1])));
        check(&format!("{two} if (x == 4) reach_error();"), Some(None));
        // A path ends where it is undefined.
        check(&format!("{two} x = 1 / (x - x); reach_error();"), Some(None));
    }

    #[test]
    fn what_is_not_known() {
        check("while (1) {}", None);
        check("int x; if (x) reach_error();", None);
        check("for (int i = 0; i < 20; i++) __VERIFIER_nondet_bool();", None);
    }
}
