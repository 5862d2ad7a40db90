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
use crate::program::{AnnotationTarget, Cfa, Edge, Loc, LocId, Program};
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
        let error = (beyond == Beyond::Error).then_some(property);
        let new = Unroller::new(&old, &loops, turns, error).run(MOST_LOCATIONS - size)?;
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

struct Unroller<'a> {
    old: &'a Cfa,
    loops: &'a Loops,
    turns: u32,
    /// What a turn too many violates, if that is an error.
    error: Option<Property>,
    new: Cfa,
    made: FxHashMap<Copy, LocId>,
    todo: Vec<Copy>,
}

impl<'a> Unroller<'a> {
    fn new(old: &'a Cfa, loops: &'a Loops, turns: u32, error: Option<Property>) -> Unroller<'a> {
        let new = Cfa { locs: Arena::new(), edges: Arena::new(), labels: Vec::new(), ..*old };
        let (made, todo) = (FxHashMap::default(), Vec::new());
        Unroller { old, loops, turns, error, new, made, todo }
    }

    fn run(mut self, most: usize) -> Option<Cfa> {
        let first = vec![0; self.around(self.old.entry).len()];
        self.new.entry = self.copy((self.old.entry, first));
        self.new.exit = self.copy((self.old.exit, Vec::new()));
        while let Some(from) = self.todo.pop() {
            for id in &self.old.locs[from.0].out {
                let edge = &self.old.edges[*id];
                let to = match self.arrival(&from, edge) {
                    Some(to) => self.copy(to),
                    None => self.beyond(edge),
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

    /// Where an edge leads to; `None` for a turn too many.
    fn arrival(&self, (from, turns): &Copy, edge: &Edge) -> Option<Copy> {
        let around = self.around(edge.to);
        let inside = |id: &&LoopId| self.loops.contains(**id, *from);
        let kept = around.iter().take_while(inside).count();
        let mut arrived = turns[..kept].to_vec();
        let goes_back = around.len() == kept && self.loops.headed_by(edge.to).is_some();
        if let (true, Some(last)) = (goes_back, arrived.last_mut()) {
            *last += 1;
            if *last > self.turns {
                return None;
            }
        }
        arrived.resize(around.len(), 0);
        Some((edge.to, arrived))
    }

    fn copy(&mut self, of: Copy) -> LocId {
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
        self.todo.push(of);
        loc
    }

    fn beyond(&mut self, edge: &Edge) -> LocId {
        let span = self.old.locs[edge.to].span;
        let message = format!("the loop takes more than {} turns", self.turns);
        let error =
            self.error.map(|property| Violation { property, undefined: None, span, message });
        self.new.locs.push(Loc { span, error, ..Loc::default() })
    }
}
