//! Contracts from proofs of small programs, in their source.

mod annotated;
mod gaps;
mod layout;
mod report;
mod shorter;

use lakatos_check::{Checked, Instrumented, Verdict};
use lakatos_contracts::{Annotated, Contracts, Proved, annotate, infer, simplify};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Engine, Task, Unwatched};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_rank::Measures;

fn compile(text: &str) -> Program {
    let options = lakatos_c::Options::of_model(DataModel::Ilp32);
    lakatos_c::compile(Source::new("t.c", text), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

fn prove(program: &Program, property: Property) -> (Instrumented, Box<Checked>, Measures) {
    let task = Task { program, property, signed_overflow: SignedOverflow::Undefined };
    match StackCegar::default().solve(&task, &mut Unwatched).verdict {
        Verdict::Proved(checked) => {
            let subject = Instrumented::new(program, property);
            let mut smt = Smt::new(Limits { resources: Some(2_000_000), time: None });
            let checked = simplify(&subject, checked, SignedOverflow::Undefined, &mut smt);
            let measures = Measures::new(&subject, &checked, SignedOverflow::Undefined, &mut smt);
            (subject, checked, measures)
        }
        other => panic!("{property}: {other:?}"),
    }
}

/// The contracts that proofs of a program's properties give.
fn contracts(program: &Program, properties: &[Property]) -> Contracts {
    let proofs: Vec<_> = properties.iter().map(|property| prove(program, *property)).collect();
    let proved: Vec<Proved<'_>> = proofs
        .iter()
        .map(|(subject, checked, measures)| Proved {
            program: subject.program(),
            proof: checked.proof(),
            measures,
        })
        .collect();
    infer(program, &proved)
}

fn annotated(text: &str) -> (Contracts, Annotated) {
    let program = compile(text);
    let contracts = contracts(&program, &[Property::UnreachCall]);
    let annotated = annotate(&program, text, &contracts);
    (contracts, annotated)
}
