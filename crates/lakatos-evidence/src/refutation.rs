//! Refutations: the record of a run that violates a property. There is no way to make one but
//! [`Refutation::replay`].

use lakatos_ir::interpret::{Assigned, Input, StackEntry};
use lakatos_ir::{EdgeId, ProcId, Property, Span, Violation};

/// A run that ended in a violation.
#[derive(Clone, Debug)]
pub struct Refutation {
    pub(crate) violation: Violation,
    pub(crate) inputs: Vec<Input>,
    pub(crate) trace: Trace,
    pub(crate) stack: Vec<StackEntry>,
}

/// The steps of a run; of a long one the beginning and the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// From the start of the run.
    pub head: Vec<Step>,
    /// How many steps are left out.
    pub omitted: u64,
    /// Up to the violation; empty if nothing is left out.
    pub tail: Vec<Step>,
}

/// One edge taken; a call that hands back a value is there twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// How many steps came before it.
    pub number: u64,
    pub proc: ProcId,
    /// In the program that was replayed.
    pub edge: EdgeId,
    pub span: Span,
    /// What comes next is in another frame.
    pub turns: bool,
    /// The scalars that it changed, parameters of the procedure that is called among them.
    pub assigned: Vec<Assigned>,
}

impl Refutation {
    pub fn property(&self) -> Property {
        self.violation.property
    }

    pub fn violation(&self) -> &Violation {
        &self.violation
    }

    /// Every scalar from outside, in the order in which the run asked for them. Objects whose
    /// scalars are not listed were all zero.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The calls in progress at the end, the outermost first.
    pub fn stack(&self) -> &[StackEntry] {
        &self.stack
    }
}
