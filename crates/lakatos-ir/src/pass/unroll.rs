//! Loops written out, turn by turn, and then calls.
//!
//! Every loop becomes so many copies of its body, one after the other, inner loops in each of them
//! anew. Then calls are written out as well ([`inline`]). What a run does that takes no more turns is the same, step by step; one that takes more
//! comes to what is [`Beyond`]. So where no run reaches an error in the unrolled program, what is
//! beyond included, none does in the program.

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::loops::{LoopId, Loops};
use crate::pass::expect_no_blocks;
use crate::pass::inline::inline;
use crate::program::{AnnotationTarget, Cfa, Edge, Instr, Loc, LocId, Program};
use crate::property::{Property, Violation};

/// Programs that become larger are left alone.
const MOST_LOCATIONS: usize = 40_000;

/// What comes after the last turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// A violation of the property: a proof says that it is never reached.
    Error,
    /// Nothing. The program has fewer runs, so what is found in them tells about these only.
    Nothing,
}

/// The program with at most so many turns of each loop each time it is entered. `None`: it has
/// loops that are no natural ones, or becomes too large.
pub fn unroll(
    mut program: Program,
    property: Property,
    turns: u32,
    beyond: Beyond,
) -> Option<Program> {
    expect_no_blocks(&program);
    let mut size = 0;
    for proc in program.procs.ids() {
        let Some(old) = program.procs[proc].body.take() else { continue };
        let loops = Loops::new(&old);
        if !loops.is_reducible() {
            return None;
        }
        let last = match beyond {
            Beyond::Error => Last::Error(property),
            Beyond::Nothing => Last::Nothing,
        };
        let new = Unroller::new(&old, &loops, turns, last).run(MOST_LOCATIONS - size)?;
        size += new.locs.len();
        program.procs[proc].body = Some(new);
    }
    program.annotations.retain(|a| !matches!(a.target, AnnotationTarget::Statement(..)));
    inline(program, MOST_LOCATIONS, false)
}

/// The program with calls written out in `start` (`inline`), loops as they are. `None`: it becomes too
/// large.
pub fn in_one(program: &Program) -> Option<Program> {
    expect_no_blocks(program);
    inline(program.clone(), MOST_LOCATIONS, true)
}

/// Whether a program has a loop that could be unrolled.
pub fn has_loops(program: &Program) -> bool {
    program.defined().any(|(_, _, body)| !Loops::new(body).cut_points().is_empty())
}

/// A location in a turn of each loop around it, outermost first.
type Copy = (LocId, Vec<u32>);

/// What a turn too many is.
#[derive(Clone, Copy)]
pub(super) enum Last<'a> {
    /// A violation of the property.
    Error(Property),
    Nothing,
    /// With the second half of the turns the loop goes on anywhere, behind these instructions. But for
    /// the very last turn nothing is violated in them, and the loop is not left.
    Anywhere(&'a FxHashMap<LoopId, Vec<Instr>>),
}

/// Where an edge leads to.
enum Arrival {
    At(Copy),
    /// To the head of a loop that goes on anywhere.
    Anywhere(LoopId, Copy),
    TurnTooMany,
    /// No run goes on.
    Nowhere,
}

pub(super) struct Unroller<'a> {
    old: &'a Cfa,
    loops: &'a Loops,
    turns: u32,
    last: Last<'a>,
    new: Cfa,
    made: FxHashMap<Copy, LocId>,
    todo: Vec<Copy>,
}

impl<'a> Unroller<'a> {
    pub(super) fn new(old: &'a Cfa, loops: &'a Loops, turns: u32, last: Last<'a>) -> Unroller<'a> {
        let new = Cfa { locs: Arena::new(), edges: Arena::new(), labels: Vec::new(), ..*old };
        let (made, todo) = (FxHashMap::default(), Vec::new());
        Unroller { old, loops, turns, last, new, made, todo }
    }

    pub(super) fn run(mut self, most: usize) -> Option<Cfa> {
        let first = vec![0; self.around(self.old.entry).len()];
        self.new.entry = self.copy((self.old.entry, first));
        self.new.exit = self.copy((self.old.exit, Vec::new()));
        while let Some(from) = self.todo.pop() {
            for id in &self.old.locs[from.0].out {
                let edge = &self.old.edges[*id];
                let to = match self.arrival(&from, edge) {
                    Arrival::At(to) => self.copy(to),
                    Arrival::Anywhere(id, to) => self.anywhere(id, to),
                    Arrival::TurnTooMany => self.turn_too_many(edge),
                    Arrival::Nowhere => continue,
                };
                let at = self.made[&from];
                self.new.add_edge(at, to, edge.instr.clone(), edge.span);
            }
            if self.new.locs.len() > most {
                return None;
            }
        }
        Some(self.new)
    }

    /// The loops around a location, outermost first.
    fn around(&self, loc: LocId) -> Vec<LoopId> {
        let innermost = self.loops.innermost(loc);
        let parent = |id: &LoopId| self.loops.loops[*id].parent;
        let mut found: Vec<LoopId> = std::iter::successors(innermost, parent).collect();
        found.reverse();
        found
    }

    fn arrival(&self, from: &Copy, edge: &Edge) -> Arrival {
        if self.is_excluded(from, edge.to) {
            return Arrival::Nowhere;
        }
        let around = self.around(edge.to);
        let inside = |id: &&LoopId| self.loops.contains(**id, from.0);
        let kept = around.iter().take_while(inside).count();
        let mut arrived = from.1[..kept].to_vec();
        let back = (around.len() == kept).then(|| self.loops.headed_by(edge.to)).flatten();
        if let (Some(id), Some(last)) = (back, arrived.last_mut()) {
            *last += 1;
            match self.last {
                Last::Error(_) | Last::Nothing if *last > self.turns => {
                    return Arrival::TurnTooMany;
                }
                Last::Anywhere(_) if *last > self.turns => return Arrival::Nowhere,
                Last::Anywhere(_) if *last == self.half() => {
                    return Arrival::Anywhere(id, (edge.to, arrived));
                }
                _ => {}
            }
        }
        arrived.resize(around.len(), 0);
        Arrival::At((edge.to, arrived))
    }

    /// The first turn of the second half.
    fn half(&self) -> u32 {
        self.turns / 2
    }

    /// Whether runs to a location are excluded, since they leave a loop in a turn in which it is not left,
    /// or violate something in one in which nothing is violated.
    fn is_excluded(&self, (from, turns): &Copy, to: LocId) -> bool {
        if !matches!(self.last, Last::Anywhere(_)) {
            return false;
        }
        let goes_on = |turn: u32| (self.half()..self.turns).contains(&turn);
        let is_error = self.old.locs[to].error.is_some();
        let mut around = self.around(*from).into_iter().zip(turns);
        around.any(|(id, turn)| goes_on(*turn) && (is_error || !self.loops.contains(id, to)))
    }

    fn copy(&mut self, mut of: Copy) -> LocId {
        let one_error = self.one_error(of.0);
        if let Some(error) = one_error {
            of = (error, Vec::new());
        }
        if let Some(known) = self.made.get(&of) {
            return *known;
        }
        let Loc { span, error, .. } = &self.old.locs[of.0];
        let (span, error) = (*span, error.clone());
        let loc = self.new.locs.push(Loc { span, error, ..Loc::default() });
        for (name, _) in self.old.labels.iter().filter(|(_, at)| *at == of.0) {
            self.new.labels.push((name.clone(), loc));
        }
        self.made.insert(of.clone(), loc);
        match one_error {
            Some(_) => self.gather(of, loc),
            None => {
                self.todo.push(of);
                loc
            }
        }
    }

    /// A location before an error, where all ways to it meet.
    fn gather(&mut self, of: Copy, error: LocId) -> LocId {
        let span = self.new.locs[error].span;
        let before = self.new.add_loc(span);
        self.new.add_edge(before, error, Instr::Skip, span);
        self.made.insert(of, before);
        before
    }

    /// Where a loop goes on anywhere, it does not matter which error is reached, and a run ends there: all of
    /// them are the first, so that there is one question.
    fn one_error(&self, loc: LocId) -> Option<LocId> {
        let is_error = |loc: &LocId| self.old.locs[*loc].error.is_some();
        let goes_on = matches!(self.last, Last::Anywhere(_));
        let is_one = goes_on && is_error(&loc);
        is_one.then(|| self.old.locs.ids().find(is_error)).flatten()
    }

    /// A location before the head of a loop, from which the loop goes on anywhere.
    fn anywhere(&mut self, id: LoopId, head: Copy) -> LocId {
        let Last::Anywhere(instrs) = self.last else { unreachable!("no other loop goes on") };
        let span = self.old.locs[head.0].span;
        let head = self.copy(head);
        let first = self.new.add_loc(span);
        let mut at = first;
        for instr in instrs[&id].iter().cloned() {
            let next = self.new.add_loc(span);
            self.new.add_edge(at, next, instr, span);
            at = next;
        }
        self.new.add_edge(at, head, Instr::Skip, span);
        first
    }

    fn turn_too_many(&mut self, edge: &Edge) -> LocId {
        let span = self.old.locs[edge.to].span;
        let message = format!("the loop takes more than {} turns", self.turns);
        let error = match self.last {
            Last::Error(property) => Some(Violation { property, undefined: None, span, message }),
            Last::Nothing | Last::Anywhere(_) => None,
        };
        self.new.locs.push(Loc { span, error, ..Loc::default() })
    }
}
