//! Once around a loop, and the calls on the way.
//!
//! A turn begins at the head, where the invariant holds, and ends when the head is reached again
//! without leaving the loop. Cycles inside (inner loops) are passed any number of times: there the
//! variables that they change have any values that the invariant of a cut point allows, and all
//! others are as they were.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::Slot;
use lakatos_ir::graph::Graph;
use lakatos_ir::modset::Effects;
use lakatos_ir::{Id, Instr, LocId, ProcId, VarId};
use lakatos_logic::term::Term;

use super::{State, Walk};
use crate::check::Context;
use crate::condition::Source;
use crate::expr::Maker;
use crate::shape::Shape;

/// A call of a procedure that has a body.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub callee: ProcId,
    /// What it takes to make it.
    pub reach: Term,
    /// The callee's parameters, those that are tracked.
    pub params: BTreeMap<VarId, Term>,
}

/// All calls on the ways from one source.
#[derive(Debug)]
pub(crate) struct Calls {
    pub made: Vec<Made>,
    /// The procedure's own parameters when it was entered.
    pub params: BTreeMap<VarId, Term>,
    pub facts: Vec<Term>,
}

/// All ways around a loop.
#[derive(Debug)]
pub(crate) struct Round {
    /// Values at the head before; a variable that is missing does not matter.
    pub before: BTreeMap<VarId, Term>,
    /// What it takes to come back, and what has changed then; `None`: nothing comes back.
    pub after: Option<State>,
    pub facts: Vec<Term>,
}

/// A loop, and the cycles inside of it.
#[derive(Debug)]
pub(crate) struct Turn {
    head: LocId,
    body: BTreeSet<LocId>,
    /// Which cycles a cut point inside is on. Greater numbers come earlier on every way.
    component: BTreeMap<LocId, usize>,
    /// What the cycles change.
    written: BTreeMap<usize, BTreeSet<VarId>>,
}

impl Turn {
    /// The loop of a procedure with this head, which is a cut point, and this body.
    pub fn new(
        cx: &Context<'_>,
        proc: ProcId,
        cuts: &BTreeSet<LocId>,
        head: LocId,
        body: BTreeSet<LocId>,
    ) -> Turn {
        let cfa = cx.program.procs[proc].body.as_ref().expect("only bodies have loops");
        let inside = |loc: LocId| loc != head && body.contains(&loc);
        let edges: Vec<(usize, usize)> = cfa
            .edges
            .iter()
            .filter(|(_, edge)| inside(edge.from) && inside(edge.to))
            .map(|(_, edge)| (edge.from.index(), edge.to.index()))
            .collect();
        // Where ways end comes first in this order.
        let components = Graph::new(cfa.locs.len(), &edges).components();
        let of = |loc: LocId| components.of[loc.index()];
        let mut written: BTreeMap<usize, BTreeSet<VarId>> = BTreeMap::new();
        for (id, edge) in cfa.edges.iter() {
            if !inside(edge.from) || !inside(edge.to) || of(edge.from) != of(edge.to) {
                continue;
            }
            let vars = written.entry(of(edge.from)).or_default();
            vars.extend(Effects::of_instr(cx.program, proc, &edge.instr).writes.vars);
            if matches!(edge.instr, Instr::Call(_)) {
                for callee in cx.calls.targets(proc, id) {
                    vars.extend(&cx.mods.of_proc(*callee).writes.vars);
                }
            }
        }
        let component = cuts.iter().filter(|loc| inside(**loc)).map(|loc| (*loc, of(*loc)));
        Turn { head, component: component.collect(), written, body }
    }
}

/// Where a walk around a loop is.
#[derive(Debug)]
pub(super) struct Around<'c> {
    turn: &'c Turn,
    /// States that have come to cut points of cycles which are not passed yet.
    waiting: BTreeMap<usize, Vec<State>>,
    passed: BTreeSet<usize>,
    back: Vec<State>,
}

impl<'c, 'p> Walk<'c, 'p> {
    /// All ways around a loop.
    pub fn around(
        cx: &'c Context<'p>,
        maker: &'c mut Maker<'p>,
        shape: &'c Shape,
        proc: ProcId,
        turn: &'c Turn,
    ) -> Round {
        let mut walk = Walk::new(cx, maker, shape, proc, Source::Cut(turn.head));
        let (waiting, passed, back) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        walk.turn = Some(Around { turn, waiting, passed, back });
        walk.begin();
        walk.go_on();
        while let Some((component, states)) = walk.next_component() {
            walk.pass(turn, component, states);
            walk.go_on();
        }
        let back = walk.turn.take().map(|around| around.back).unwrap_or_default();
        let after = (!back.is_empty()).then(|| walk.join(back));
        let Walk { initial: before, maker, .. } = walk;
        Round { before, after, facts: std::mem::take(&mut maker.facts) }
    }

    /// All calls on the ways from a source.
    pub fn calls(
        cx: &'c Context<'p>,
        maker: &'c mut Maker<'p>,
        shape: &'c Shape,
        proc: ProcId,
        source: Source,
    ) -> Calls {
        let mut walk = Walk::new(cx, maker, shape, proc, source);
        walk.begin();
        walk.go_on();
        let mut params = BTreeMap::new();
        for &param in &cx.program.procs[proc].params {
            if walk.maker.tracks(param) {
                params.insert(param, walk.entry(param));
            }
        }
        let Walk { made, maker, .. } = walk;
        Calls { made, params, facts: std::mem::take(&mut maker.facts) }
    }

    pub(super) fn arrive_on_turn(&mut self, loc: LocId, state: State) {
        let is_end = self.is_end(loc);
        let position = self.shape.position[loc];
        let Some(around) = &mut self.turn else { return };
        if loc == around.turn.head {
            around.back.push(state);
        } else if is_end || !around.turn.body.contains(&loc) {
            // The loop is left.
        } else if let Some(component) = around.turn.component.get(&loc) {
            // What comes out of cycles that are passed has been there with any values.
            if !around.passed.contains(component) {
                around.waiting.entry(*component).or_default().push(state);
            }
        } else {
            self.pending.entry(position).or_default().push(state);
        }
    }

    /// Cycles that nothing comes to any more.
    fn next_component(&mut self) -> Option<(usize, Vec<State>)> {
        let around = self.turn.as_mut()?;
        let (component, states) = around.waiting.pop_last()?;
        around.passed.insert(component);
        Some((component, states))
    }

    /// Any number of times around the cycles: from each of their cut points.
    fn pass(&mut self, turn: &Turn, component: usize, states: Vec<State>) {
        let mut state = self.join(states);
        for var in turn.written.get(&component).into_iter().flatten() {
            self.forget(&mut state, *var);
        }
        let cuts = turn.component.iter().filter(|(_, own)| **own == component);
        for (loc, _) in cuts {
            let slot = Slot::Invariant(self.proc, *loc);
            let holds = self.assumed(slot, |walk, part| walk.formula(part, &state));
            let reach = self.maker.terms.and([state.reach, holds]);
            self.leave(*loc, &State { reach, values: state.values.clone() });
        }
    }
}
