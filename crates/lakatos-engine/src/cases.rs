//! Cases: what variables can be together, in as many cases as the program's comparisons with constants
//! tell apart (`lakatos_analysis::ranges::Cases`). State machines are proved by it in the time that it takes to
//! look at each of their states once, however many numbers belong to one.

use lakatos_analysis::ranges::{Case, Cases as Known, Grain, NoCases};
use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_encode::machine::Encoding;
use lakatos_evidence::Proof;
use lakatos_ir::Program;
use lakatos_logic::smt::Smt;
use lakatos_logic::term::Term;

use crate::horn::why;
use crate::judge::{CHECKED, accepted, checked, verdict};
use crate::proof::Subject;
use crate::ranges::{slots, within};
use crate::{Engine, Report, Statistics, Task, Watch};

/// Steps of the analysis that are worth a node of a graph.
const STEPS: usize = 100;

/// A proof of more cases is left as it is: to find out what it can do without takes longer than to check it.
const MOST_MINIMISED: usize = 1_000;

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cases;

impl Engine for Cases {
    fn name(&self) -> &'static str {
        "cases"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let subject = Instrumented::new(task.program, task.property);
        let program = subject.program();
        let mut statistics = Statistics::default();
        let mut answer = Verdict::Unknown(Why::OpenCase);
        for grain in [Grain::Classes, Grain::Numbers] {
            let before = statistics.nodes;
            let known = Known::new(program, task.signed_overflow, grain, &mut |steps| {
                statistics.nodes = before + steps / STEPS;
                watch.progress(statistics)
            });
            answer = match known {
                Ok(known) => verdict(judged(task, &subject, &known, watch)),
                Err(NoCases::Open) => Verdict::Unknown(Why::OpenCase),
                Err(NoCases::TooMany) => Verdict::Unknown(Why::TooManyCases),
                Err(NoCases::Ended(reason)) => Verdict::Unknown(why(reason)),
            };
            match &answer {
                Verdict::Unknown(why) if !why.is_end() => {}
                _ => break,
            }
        }
        Report::new(answer, statistics)
    }
}

/// As integers, or else as bits: either may be what the solver can decide.
fn judged(
    task: &Task<'_>,
    subject: &Instrumented,
    known: &Known,
    watch: &mut dyn Watch,
) -> Result<Box<Checked>, Why> {
    let mut smt = Smt::new(CHECKED);
    watch.started(smt.cancel_handle());
    let mut judge = |encoding| {
        let proof = proof(task, subject.program(), known, encoding);
        match known.states() <= MOST_MINIMISED {
            true => checked(task, subject, proof, &mut smt),
            false => accepted(task, subject, proof, &mut smt),
        }
    };
    match judge(Encoding::Int) {
        Err(why) if !why.is_end() => judge(Encoding::Bv),
        judged => judged,
    }
}

/// What is the same in all cases, and no longer part of them.
fn common(cases: &mut [Case]) -> Case {
    let Some((first, others)) = cases.split_first() else { return Case::new() };
    let mut common = first.clone();
    common.retain(|var, number| others.iter().all(|case| case.get(var) == Some(number)));
    for case in cases {
        case.retain(|var, _| !common.contains_key(var));
    }
    common
}

/// That one of the cases is there, wherever proofs speak.
fn proof(task: &Task<'_>, program: &Program, known: &Known, encoding: Encoding) -> Proof {
    let mut draft = Subject::from(task).draft(program);
    for (proc, _, body) in program.defined() {
        for (slot, loc) in slots(proc, body) {
            let mut cases = known.at(proc, loc);
            let common = common(&mut cases);
            let mut numbers = |numbers: Case| {
                let numbers = numbers.iter();
                let bounds = numbers
                    .flat_map(|(var, number)| within(&mut draft, program, *var, number, encoding));
                bounds.collect::<Vec<Term>>()
            };
            let mut formulas = numbers(common);
            let cases: Vec<Vec<Term>> = cases.into_iter().map(numbers).collect();
            let terms = draft.terms();
            let cases: Vec<Term> = cases.into_iter().map(|bounds| terms.and(bounds)).collect();
            formulas.push(terms.or(cases));
            for formula in formulas {
                // Where a formula has no words there, nothing is claimed.
                let _ = draft.add(slot, formula);
            }
        }
    }
    draft.finish()
}
