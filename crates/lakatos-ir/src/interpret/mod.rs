//! The concrete interpreter: runs a [`Program`] with C's exact meaning and tells how it ended.
//!
//! It confirms refutations (DESIGN.md section 7), hunts bugs by long concrete runs, and is the
//! executable definition of what the IR means. Everything C leaves undefined ends the run at the
//! offending expression ([`Outcome::Undefined`]); what the interpreter does not know ends it as
//! [`Outcome::Unsupported`]; limits end it instead of the host. A run is a function of program,
//! options and oracle.
//!
//! The rooms: `plan` looks at the program once, `exec` and `call` walk the automata, `eval` and `place`
//! give meaning to expressions and places, `arith` and `float` hold the pure arithmetic, `memory`
//! the objects, `unset` what was never written there, `input` asks the [`Oracle`], `builtin`, `text` and `printf` are the C library,
//! and `message` speaks to people. `exhaustive` is for runs that are to be all runs of a program
//! ([`Options::exhaustive`]). No solver, no C syntax, no clock, no I/O.
//!
//! Known limits: `long double` and `__float128` values are moved, compared and converted as long
//! as a `double` holds them exactly, but not computed with; 32-bit x87 excess precision is not
//! modelled (`float` and `double` operations round to their type).

mod builtin;
mod call;
mod eval;
mod exec;
mod exhaustive;
mod float;
mod input;
mod memory;
mod message;
mod observe;
mod oracle;
mod place;
mod plan;
mod printf;
mod states;
mod text;
mod unset;
mod value;

pub use input::{Leaf, leaf_at, leaf_path, leaves};
pub use memory::places_objects;
pub use observe::{AccessKind, Accessor, Instance, Now, Observed, Observer};
pub use oracle::{BETWEEN, InOrder, Keyed, Oracle, Random, Request, Zeros};
pub(crate) use plan::variables_in_memory;
pub use states::{Next, State, States};
pub(crate) use unset::value_bytes;
pub use value::{Pointer, Value, float_input};

use std::ops::Range;

use crate::expr::{PlaceId, SignedOverflow, Undefined};
use crate::library::Gap;
use crate::program::{EdgeId, InputKind, ProcId, Program, SiteId, VarId};
use crate::property::{Property, Violation};
use crate::source::Span;
use crate::ty::Type;

/// What a run may use and how it sees signed overflow.
#[derive(Clone, Debug)]
pub struct Options {
    pub signed_overflow: SignedOverflow,
    /// Edges taken (work on bulk memory counts too).
    pub max_steps: u64,
    /// Call frames alive at once.
    pub max_depth: usize,
    /// Memory alive at once: objects, frames, inputs and output, in bytes.
    pub max_bytes: u64,
    /// Look at memory as its properties do: a pointer may point anywhere as long as nothing is
    /// accessed there, and what is lost in the end is listed ([`Run::lost`]).
    pub memory_safety: bool,
    /// Look for reads of what was never written; otherwise that is any value.
    pub uninitialised: bool,
    /// Keep every step; meant for runs already known to be of interest.
    pub record_trace: bool,
    /// Steps with these numbers are not kept: the middle of a long run.
    pub unrecorded: Range<u64>,
    /// The run is one of several that are to be all runs. What C or the outside leaves open is
    /// chosen by [`Oracle::choose`]; where there is no such choice the run ends
    /// ([`Outcome::Open`]).
    pub exhaustive: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            signed_overflow: SignedOverflow::Undefined,
            max_steps: 100_000_000,
            max_depth: 1_000_000,
            max_bytes: 1 << 30,
            memory_safety: false,
            uninitialised: false,
            record_trace: false,
            unrecorded: 0..0,
            exhaustive: false,
        }
    }
}

impl Options {
    /// The same, so that a run shows whether it violates a property.
    pub fn watching(self, property: Property) -> Options {
        let uninitialised = property == Property::UninitialisedRead;
        // What is read outside its array is no question of whether it was written.
        let memory_safety = property.is_about_memory() && !uninitialised;
        Options { memory_safety, uninitialised, ..self }
    }

    /// The same for runs that are to be all runs.
    pub fn exhaustive(self) -> Options {
        // Reads of what was never written have to be seen, whatever the property.
        Options { exhaustive: true, uninitialised: true, ..self }
    }
}

/// A scalar that came from outside.
///
/// `value` is an integer's value (the bit pattern of a 128-bit unsigned one), a float's bits (see
/// [`float_input`]) or a pointer's address: 0 is null, everything else points to no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub kind: InputKind,
    pub site: SiteId,
    /// How often the site was passed before.
    pub occurrence: u32,
    /// Which scalar of an aggregate (see [`leaves`]) or which byte of fresh memory; else 0.
    pub element: u64,
    /// The scalar's type.
    pub ty: Type,
    pub value: i128,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `main` returned this, or `exit` was called with it.
    Exited(i128),
    /// A procedure marked [`is_error`](crate::program::Procedure::is_error) was called.
    ErrorReached {
        function: String,
        span: Span,
    },
    /// A function was called after which nothing is known, or nothing for the properties of memory.
    NoModel {
        gap: Gap,
        span: Span,
    },
    /// An error location of an instrumented program was reached.
    Violated(Violation),
    Undefined {
        kind: Undefined,
        span: Span,
        message: String,
    },
    /// No edge's assumption holds: `__VERIFIER_assume(0)`, or a location without successors.
    Blocked {
        span: Span,
    },
    Aborted {
        span: Span,
    },
    StepLimit,
    DepthLimit,
    MemoryLimit,
    Unsupported {
        what: String,
        span: Span,
    },
    /// The run depends on something that this run alone does not tell, and that is no choice of
    /// the oracle. Only if [`Options::exhaustive`].
    Open {
        what: String,
        span: Span,
    },
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Every scalar the oracle was asked for, in order.
    pub inputs: Vec<Input>,
    pub steps: u64,
    /// What the program printed.
    pub output: Vec<u8>,
    /// When `main` has returned, if [`Options::memory_safety`]: the objects on the heap that no
    /// static variable leads to, in the order in which they were made.
    pub lost: Vec<Lost>,
    /// The first call of a function without a body that gets a pointer to memory of the program.
    pub lent: Option<Span>,
    /// The first call of a function of the C library without a model that may have changed memory:
    /// what comes after it may be otherwise on a machine.
    pub unknown_writes: Option<(ProcId, Span)>,
    /// The steps taken, if [`Options::record_trace`].
    pub trace: Vec<Step>,
    /// The call stack at the end, outermost first.
    pub stack: Vec<StackEntry>,
}

impl Run {
    /// A run that could not begin.
    fn unsupported(what: &str, span: Span) -> Run {
        Run {
            outcome: Outcome::Unsupported { what: what.to_owned(), span },
            inputs: Vec::new(),
            steps: 0,
            output: Vec::new(),
            lost: Vec::new(),
            lent: None,
            unknown_writes: None,
            trace: Vec::new(),
            stack: Vec::new(),
        }
    }
}

/// Memory that nobody can free any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The call that made it.
    pub span: Span,
    pub bytes: u64,
}

/// One edge taken. A call's edge appears when it is entered and, if it assigns a result, once
/// more when the callee has returned; inside a block the edge is the block's, the span is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// How many steps came before it.
    pub number: u64,
    pub proc: ProcId,
    pub edge: EdgeId,
    pub span: Span,
    /// The scalars that the step changed: one, or the parameters of a procedure that is called.
    pub assigned: Vec<Assigned>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Assigned {
    pub target: Target,
    /// The target as in the source: `a[i]`, `x`, `return`.
    pub name: String,
    pub value: Value,
    /// The value as a person writes it.
    pub shown: String,
}

/// What a step gives a value to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Place(PlaceId),
    Param(VarId),
    /// The value a `return` hands over.
    Result,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    pub proc: ProcId,
    /// The call that made this frame; `None` for the outermost one.
    pub call: Option<Span>,
}

/// A program made ready to run, any number of times.
#[derive(Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    plan: plan::Plan,
}

impl<'p> Interpreter<'p> {
    pub fn new(program: &'p Program) -> Self {
        Interpreter { program, plan: plan::Plan::new(program) }
    }

    pub fn run(&self, options: &Options, oracle: &mut dyn Oracle) -> Run {
        self.run_watched(options, oracle, ())
    }

    /// Runs the program before somebody who sees it touch memory.
    pub fn observe(
        &self,
        options: &Options,
        oracle: &mut dyn Oracle,
        observer: &mut dyn Observer,
    ) -> Run {
        self.run_watched(options, oracle, observer)
    }

    fn run_watched(
        &self,
        options: &Options,
        oracle: &mut dyn Oracle,
        watch: impl observe::Watch,
    ) -> Run {
        let start = &self.program.procs[self.program.start];
        match &start.body {
            Some(cfa) => {
                exec::Machine::new(self.program, &self.plan, cfa, options, oracle, watch).run()
            }
            None => Run::unsupported("a program that has no beginning", start.span),
        }
    }
}

/// Runs a program once.
pub fn run(program: &Program, options: &Options, oracle: &mut dyn Oracle) -> Run {
    Interpreter::new(program).run(options, oracle)
}
