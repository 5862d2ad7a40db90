//! A task's program as engines want it: error locations for the property, less to look at, large
//! blocks.

use lakatos_ir::Program;
use lakatos_ir::pass::{self, Inverse, Request};

use crate::Task;

pub(crate) struct Prepared {
    /// With error locations; what proofs and replays speak of.
    pub instrumented: Program,
    /// What is explored.
    pub reduced: Program,
    /// From the one to the other.
    pub inverse: Inverse,
}

impl Prepared {
    pub fn new(task: &Task<'_>) -> Prepared {
        let request = Request { properties: &[task.property], error_label: None };
        let (instrumented, _) = pass::instrument(task.program.clone(), &request);
        let (reduced, known) = pass::constants(instrumented.clone());
        let (reduced, alive) = pass::dead_code(reduced);
        let (reduced, blocks) = pass::large_blocks(reduced);
        Prepared { instrumented, reduced, inverse: known.then(alive).then(blocks) }
    }
}
