//! Refutations: the record of a run that violates a property. There is no way to make one but
//! [`Refutation::replay`].

use lakatos_ir::interpret::{Input, StackEntry, Step};
use lakatos_ir::{Property, Violation};

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
