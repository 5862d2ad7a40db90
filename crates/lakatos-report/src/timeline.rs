//! What happened in a run, in order, as plain data: who had a turn, what refinements added to an
//! abstraction and where, who gave up and who answered. [`crate::html`] shows it.

use crate::outcome::Position;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Who was asked, where an engine asks others.
    pub engines: Vec<Asked>,
    pub events: Vec<Event>,
}

/// An engine that was asked by another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub engine: String,
    pub turns: u32,
    pub refinements: u64,
    pub nodes: u64,
    /// What became of it, in words.
    pub end: String,
    /// Its answer is the answer.
    pub answered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub engine: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Turn(u32),
    Refined(Refined),
    /// So many refinements of the engine that were not kept.
    LeftOut(u64),
    /// Something else, in words; whether it is the end of the search.
    Said(String, bool),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refined {
    /// From 1; 0 is what the engine began with.
    pub number: u64,
    /// Nodes that had been made by then.
    pub nodes: u64,
    /// What it rests on, in words.
    pub how: String,
    /// The length of the counterexample, and where it ends.
    pub steps: Option<u64>,
    pub target: Option<Position>,
    pub learned: Vec<Learned>,
    /// Lessons that are not listed.
    pub left_out: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    pub kind: Kind,
    /// A formula, or the name of a variable.
    pub text: String,
    pub function: String,
    pub places: Vec<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Predicate,
    Variable,
}
