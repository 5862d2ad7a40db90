//! Runs of the engine on C texts.

// Each test binary uses a part of it.
#![allow(dead_code)]

use lakatos_check::Verdict;
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Cancel, Reason};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Proof,
    Refutation,
    Unknown,
}

/// Ends a run when the graph has so many nodes.
pub struct Nodes(pub usize);

impl Watch for Nodes {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        if statistics.nodes < self.0 { Ok(()) } else { Err(Reason::Resources) }
    }
}

pub fn compile(text: &str) -> Program {
    let options = lakatos_c::Options::of_model(DataModel::Lp64);
    lakatos_c::compile(Source::new("test.c", text), &options)
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// Asks whether `reach_error` can be called, with a graph of so many nodes.
pub fn run(text: &str, engine: impl Engine, nodes: usize) -> (End, Statistics) {
    let program = compile(text);
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    let report = engine.solve(&task, &mut Nodes(nodes));
    let end = match report.verdict {
        Verdict::Proved(_) => End::Proof,
        Verdict::Refuted(_) => End::Refutation,
        Verdict::Unknown(_) => End::Unknown,
    };
    (end, report.statistics)
}
