//! The engines (DESIGN.md section 6): from a task to a verdict. No I/O, no flags, no clock: whoever
//! runs an engine watches it and may stop it.

mod affine;
mod arrays;
pub mod auto;
pub mod bam;
mod bmc;
mod board;
mod cases;
pub mod contexts;
mod facts;
pub mod graph;
mod helped;
pub mod history;
pub mod horn;
mod induction;
mod judge;
mod laws;
mod parts;
mod prepare;
mod probe;
mod proof;
mod ranges;
mod search;
mod small;
pub mod stack_cegar;

use std::sync::Arc;

use lakatos_check::{Verdict, Why};
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::smt::{Cancel, Reason};

pub use self::arrays::{Arrays, Means, Remark, proof_of_remarks};
pub use self::bmc::Bmc;
pub use self::board::{News, Worth};
pub use self::cases::Cases;
pub use self::helped::Helped;
pub use self::induction::Induction;
pub use self::laws::Laws;
pub use self::parts::Parts;
pub use self::probe::Runs;
pub use self::ranges::Ranges;

/// A question: whether a program, as the front-end made it, has a property.
#[derive(Clone, Copy, Debug)]
pub struct Task<'p> {
    pub program: &'p Program,
    pub property: Property,
    pub signed_overflow: SignedOverflow,
}

/// An answer, and what it took.
#[derive(Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub statistics: Statistics,
    /// Whom the engine asked, if it asks others.
    pub tried: Vec<Tried>,
}

impl Report {
    pub fn new(verdict: Verdict, statistics: Statistics) -> Report {
        Report { verdict, statistics, tried: Vec::new() }
    }
}

/// What became of an engine that was asked by another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    pub engine: &'static str,
    /// How often it had its turn.
    pub turns: u32,
    pub end: End,
    pub statistics: Statistics,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Its verdict is the answer.
    Answered,
    /// It has no answer.
    GaveUp(Why),
    /// It was at work when the end came.
    Stopped,
    /// It never began.
    Waiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Concrete runs, and their steps.
    pub probes: u64,
    pub steps: u64,
    pub refinements: u64,
    /// Nodes of the reachability graph that were ever made.
    pub nodes: usize,
    pub popped: u64,
    pub predicates: usize,
    /// Variables that had values in states, and those of them that had too many.
    pub variables: usize,
    pub dropped: usize,
    /// Queries of the abstraction.
    pub queries: u64,
    /// Runs that were tried since closed forms of loops suggest them.
    pub guesses: u64,
    /// Nothing is violated within so many turns of each loop; 0 if nobody has looked.
    pub bound: u32,
    /// Blocks that the program was divided into.
    pub blocks: usize,
    pub bam: lakatos_analysis::bam::Counts,
}

/// Who watches an engine run.
pub trait Watch {
    /// The engine has begun on this thread; `cancel` ends its queries from another one.
    fn started(&mut self, cancel: Cancel);

    /// Called now and then; an error ends the run.
    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason>;

    /// Whether what [`happened`](Watch::happened) is of interest: to tell it costs something.
    fn listens(&self) -> bool {
        false
    }

    /// Something happened that is worth a line in the run's [`history`].
    fn happened(&mut self, _event: history::Event) {}

    /// Whether there are others who could use what is [told](Watch::tell).
    fn shares(&self) -> bool {
        false
    }

    fn tell(&mut self, _news: News) {}

    /// What others have told, in the order in which they did.
    fn heard(&self) -> Vec<Arc<News>> {
        Vec::new()
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
        Ok(())
    }
}

/// A way to answer.
pub trait Engine: Sync {
    /// As flags and reports call it.
    fn name(&self) -> &'static str;

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report;

    /// The same, and the graph that the run ends with, if it explores one.
    fn explore(&self, task: &Task<'_>, watch: &mut dyn Watch) -> (Report, Option<graph::Graph>) {
        (self.solve(task, watch), None)
    }
}
