//! Memory on the heap that is lost.
//!
//! An object is *held* by a static pointer variable, by a variable of a frame that is still read
//! later, and by such ones of the frames that wait for a call to return, which are counted. What
//! nobody holds is lost, and stays so. So it suffices to look at the heads of loops, at the
//! entries of procedures and at the ends of the program: there is no other way to go on for ever.
//! Pointers in memory do not hold anything here: that an object is lost is then only believed.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::read_in;
use super::objects::Kind;
use super::rewrite::{Rewriter, Step};
use crate::expr::{BinOp, ExprId, PlaceKind, Undefined};
use crate::program::{Cfa, LocId, Program, VarId, VarKind};
use crate::property::Property;
use crate::walk;

/// The variables that may be read before they are set again, by location.
pub(super) type Live = BTreeMap<LocId, BTreeSet<VarId>>;

/// Which of some variables are live where.
pub(super) fn live(program: &Program, body: &Cfa, vars: &BTreeSet<VarId>) -> Live {
    let mut live = Live::new();
    let mut open: Vec<LocId> = body.locs.ids().collect();
    while let Some(loc) = open.pop() {
        let mut here = BTreeSet::new();
        for edge in body.locs[loc].out.iter().map(|id| &body.edges[*id]) {
            let mut after = live.get(&edge.to).cloned().unwrap_or_default();
            if let Some(place) = walk::written(&edge.instr)
                && let PlaceKind::Var(var) = program.places[place].kind
            {
                after.remove(&var);
            }
            here.extend(after);
            read_in(program, &edge.instr, vars, &mut here);
        }
        if live.get(&loc) != Some(&here) {
            live.insert(loc, here);
            open.extend(body.predecessors(loc));
        }
    }
    live
}

impl Rewriter<'_> {
    pub fn watches_loss(&self) -> bool {
        self.cx.property.includes(Property::ValidMemtrack)
    }

    /// The objects on the heap.
    fn heap(&self) -> Vec<(i128, VarId, VarId)> {
        let objects = self.cx.objects.iter().filter(|(_, object)| object.kind == Kind::Heap);
        let heap =
            objects.filter_map(|(number, object)| Some((number, object.alive?, object.held?)));
        heap.collect()
    }

    /// Nothing is lost, where these variables of the frame are read later.
    pub fn nothing_lost(&mut self, live: &BTreeSet<VarId>) -> Vec<Step> {
        if !self.watches_loss() {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for (number, alive, held) in self.heap() {
            let (alive, held) = (self.make.load(alive), self.make.load(held));
            let none = self.make.bytes(0);
            let mut kept = self.make.compare(BinOp::Gt, held, none);
            for var in self.statics().into_iter().chain(live.iter().copied()) {
                if let Some(holds) = self.holds(var, number) {
                    kept = self.make.or(kept, holds);
                }
            }
            let gone = self.make.not(alive);
            let fine = self.make.or(gone, kept);
            let span = self.make.span;
            steps.extend(self.require(fine, Undefined::InvalidFree, span, "loses"));
        }
        steps
    }

    /// Pointer variables that live as long as the program.
    fn statics(&self) -> Vec<VarId> {
        let is_static = |var: &VarId| {
            let kind = self.make.program.vars[*var].kind;
            matches!(kind, VarKind::Global | VarKind::Static(_))
        };
        self.cx.flow.vars().filter(is_static).collect()
    }

    /// The variable points to the object, if it can.
    fn holds(&mut self, var: VarId, number: i128) -> Option<ExprId> {
        if !self.cx.flow.of_var(var).contains(&number) {
            return None;
        }
        let object = self.make.load(self.cx.ghosts.of(var).object);
        Some(self.make.is(object, number))
    }

    /// Counts what the variables of this frame hold while a call is under way, or takes it back.
    pub fn while_waiting(&mut self, live: &BTreeSet<VarId>, op: BinOp) -> Vec<Step> {
        if !self.watches_loss() {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for (number, _, held) in self.heap() {
            for var in live {
                let Some(holds) = self.holds(*var, number) else { continue };
                let (before, one) = (self.make.load(held), self.make.bytes(1));
                let changed = self.make.arithmetic(op, before, one);
                let now = self.make.choice(holds, changed, before);
                steps.push(self.assign(held, now));
            }
        }
        steps
    }
}
