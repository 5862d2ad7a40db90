//! The conditions that make a claim a proof, and what became of them.

use std::fmt;

use lakatos_evidence::{Assumption, Proof};
use lakatos_ir::{LocId, ProcId, Program, Span};
use lakatos_logic::lemma::Knowledge;
use lakatos_logic::smt::Reason;

/// Something that has to be shown of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub kind: Kind,
    pub proc: ProcId,
    /// Where the way begins that it is about; `None` where it is about no way.
    pub from: Option<Source>,
    /// Where it has to hold.
    pub span: Span,
}

/// Where a way through a procedure begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// At the entry, where `requires` holds.
    Entry,
    /// At a cut point, where its invariant holds.
    Cut(LocId),
}

/// What a condition demands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The proof names what it could not do without.
    Assumes(Assumption),
    /// The proof is about the property, and about procedures, locations and variables that the
    /// program has.
    Fits,
    /// Every cycle passes a location that has an invariant.
    Cut,
    /// What `start` demands holds when a run begins.
    Start,
    /// The invariant of a location holds on arrival.
    Invariant(LocId),
    Ensures,
    /// Nothing is changed that `assigns` does not name.
    Assigns,
    /// A call is made as the procedure demands.
    Requires(ProcId),
    /// A call through a pointer has something to call.
    Target,
    /// An error location, with its message, is not reached.
    Unreachable(String),
    /// All runs have been made, and none violates the property.
    AllRuns,
}

/// A proof that has been checked. Only [`check`](crate::check) makes one.
#[derive(Debug)]
pub struct Checked {
    pub(crate) proof: Proof,
    pub(crate) conditions: Vec<Condition>,
    /// What it could use.
    pub(crate) knowledge: Knowledge,
}

impl Checked {
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    pub fn into_proof(self) -> Proof {
        self.proof
    }

    /// What was shown, in the order of the program.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }
}

/// A condition that does not hold.
#[derive(Debug)]
pub struct Rejected {
    /// As it was claimed.
    pub proof: Proof,
    pub condition: Condition,
    /// Values of variables at the point where it fails, by name.
    pub values: Vec<(String, String)>,
    /// On the way is something that the checker takes for any value (memory, a float): the
    /// condition may hold in the program.
    pub approximate: bool,
}

/// Conditions of which nobody knows.
#[derive(Debug)]
pub struct Undecided {
    /// As it was claimed.
    pub proof: Proof,
    pub conditions: Vec<(Condition, Reason)>,
}

/// What the checker says of a proof.
#[derive(Debug)]
pub enum Outcome {
    Checked(Box<Checked>),
    Rejected(Box<Rejected>),
    Undecided(Box<Undecided>),
}

impl Condition {
    /// For a person: what, where, and on which way. The program is the instrumented one.
    pub fn describe(&self, program: &Program) -> String {
        let position = |span: Span| program.source.position(span.start);
        let from = match self.from {
            None => String::new(),
            Some(Source::Entry) => ", from its entry".to_owned(),
            Some(Source::Cut(loc)) => {
                format!(", from the invariant at {}", position(span_of(program, self.proc, loc)))
            }
        };
        let what = Told { condition: self, program };
        let name = &program.procs[self.proc].name;
        format!("{}: in `{name}`{from}: {what}", position(self.span))
    }
}

/// A location's place in the source.
pub(crate) fn span_of(program: &Program, proc: ProcId, loc: LocId) -> Span {
    program.procs[proc].body.as_ref().map_or(Span::default(), |body| body.locs[loc].span)
}

struct Told<'a> {
    condition: &'a Condition,
    program: &'a Program,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.condition.kind {
            Kind::Assumes(assumption) => write!(f, "the proof assumes: {assumption}"),
            Kind::Fits => f.write_str("the proof is about this program"),
            Kind::Cut => f.write_str("the cycle here passes an invariant"),
            Kind::Start => f.write_str("`requires` holds when a run begins"),
            Kind::Invariant(loc) => {
                let span = span_of(self.program, self.condition.proc, *loc);
                write!(f, "the invariant at {} holds", self.program.source.position(span.start))
            }
            Kind::Ensures => f.write_str("`ensures` holds"),
            Kind::Assigns => f.write_str("nothing changes but what `assigns` names"),
            Kind::Requires(callee) => {
                write!(f, "`requires` of `{}` holds", self.program.procs[*callee].name)
            }
            Kind::Target => f.write_str("the pointer means a function that can be called"),
            Kind::Unreachable(message) => write!(f, "it never happens that {message}"),
            Kind::AllRuns => f.write_str("these are all runs, and none violates the property"),
        }
    }
}
