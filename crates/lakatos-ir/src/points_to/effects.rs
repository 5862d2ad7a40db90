//! What procedures and edges may do to regions, callees included; beside the variables of
//! [`ModSets`](crate::modset::ModSets).

use std::collections::BTreeSet;

use super::{PointsTo, RegionId};
use crate::arena::Arena;
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::interpret::Accessor;
use crate::program::{Call, Callee, EdgeId, Instr, ProcId, Program};
use crate::walk::{self, Node};

/// Regions that something may read, and that it may change. Giving memory back changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionEffects {
    pub reads: BTreeSet<RegionId>,
    pub writes: BTreeSet<RegionId>,
}

impl RegionEffects {
    pub fn union_with(&mut self, other: &RegionEffects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn read(&mut self, memory: &PointsTo, by: Accessor) {
        if let Some(access) = memory.access(by) {
            self.reads.extend(&access.regions);
        }
    }

    fn write(&mut self, memory: &PointsTo, by: Accessor) {
        if let Some(access) = memory.access(by) {
            self.writes.extend(&access.regions);
        }
    }

    /// All that the access may do.
    fn touch(&mut self, memory: &PointsTo, by: Accessor) {
        let Some(access) = memory.access(by) else { return };
        if access.reads {
            self.reads.extend(&access.regions);
        }
        if access.writes || access.frees {
            self.writes.extend(&access.regions);
        }
    }

    /// What evaluating an expression reads.
    pub fn add_expr(&mut self, program: &Program, memory: &PointsTo, expr: ExprId) {
        match program.exprs[expr].kind {
            ExprKind::Load(place) => {
                self.read(memory, Accessor::Place(place));
                self.add_address(program, memory, place);
            }
            ExprKind::AddrOf(place) => self.add_address(program, memory, place),
            ref kind => {
                for part in walk::parts(kind) {
                    if let Node::Expr(part) = part {
                        self.add_expr(program, memory, part);
                    }
                }
            }
        }
    }

    /// What finding out where a place is reads.
    pub fn add_address(&mut self, program: &Program, memory: &PointsTo, place: PlaceId) {
        match program.places[place].kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Deref(pointer) => self.add_expr(program, memory, pointer),
            PlaceKind::Index(base, index) => {
                self.add_address(program, memory, base);
                self.add_expr(program, memory, index);
            }
            PlaceKind::Field(base, _) => self.add_address(program, memory, base),
        }
    }

    /// What an edge does without the bodies of the procedures it calls; external ones, and handing
    /// over arguments and results, included.
    pub fn of_edge_alone(
        program: &Program,
        memory: &PointsTo,
        proc: ProcId,
        edge: EdgeId,
    ) -> RegionEffects {
        let body = program.procs[proc].body.as_ref().expect("an edge is in a body");
        let mut effects = RegionEffects::default();
        for step in walk::steps(&body.edges[edge].instr) {
            for operand in walk::operands(step) {
                effects.add_expr(program, memory, operand);
            }
            if let Some(place) = walk::written(step) {
                effects.add_address(program, memory, place);
                effects.write(memory, Accessor::Place(place));
            }
            match step {
                Instr::Return(Some(_)) => {
                    let result = program.procs[proc].result;
                    result.into_iter().for_each(|var| effects.write(memory, Accessor::Var(var)));
                }
                Instr::Call(call) => effects.add_call(program, memory, proc, edge, call),
                _ => {}
            }
        }
        effects
    }

    /// What a call does without the body of the procedure, apart from its result.
    pub fn of_call(
        program: &Program,
        memory: &PointsTo,
        proc: ProcId,
        edge: EdgeId,
        call: &Call,
    ) -> RegionEffects {
        let mut effects = RegionEffects::default();
        effects.add_call(program, memory, proc, edge, call);
        effects
    }

    fn add_call(
        &mut self,
        program: &Program,
        memory: &PointsTo,
        proc: ProcId,
        edge: EdgeId,
        call: &Call,
    ) {
        if let Callee::Builtin(_) = call.callee {
            for number in 0..call.args.len() {
                self.touch(memory, Accessor::Argument(proc, edge, number as u32));
            }
            self.touch(memory, Accessor::Made(proc, edge));
            return;
        }
        for &target in memory.targets(proc, edge) {
            let target = &program.procs[target];
            for &param in &target.params {
                self.write(memory, Accessor::Var(param));
            }
            if let (Some(_), Some(result)) = (call.result, target.result) {
                self.read(memory, Accessor::Var(result));
            }
        }
        if let Some(effects) = memory.external_effects(proc, edge) {
            self.union_with(effects);
        }
    }
}

/// The effects of all procedures of a program on regions.
#[derive(Clone, Debug)]
pub struct RegionSets {
    transitive: Arena<ProcId, RegionEffects>,
}

impl RegionSets {
    pub fn new(program: &Program, calls: &CallGraph, memory: &PointsTo) -> RegionSets {
        let nothing = |_| RegionEffects::default();
        let mut sets = RegionSets { transitive: program.procs.ids().map(nothing).collect() };
        // Procedures of one component call each other, so they have the same effects.
        for component in calls.bottom_up() {
            let mut effects = RegionEffects::default();
            for &proc in &component {
                let Some(body) = &program.procs[proc].body else { continue };
                for edge in body.edges.ids() {
                    effects.union_with(&sets.of_edge(program, calls, memory, proc, edge));
                }
            }
            for &proc in &component {
                sets.transitive[proc] = effects.clone();
            }
        }
        sets
    }

    /// What a call of the procedure may read and change, regions of its own frame included.
    pub fn of_proc(&self, proc: ProcId) -> &RegionEffects {
        &self.transitive[proc]
    }

    /// What an edge may read and change, callees included.
    pub fn of_edge(
        &self,
        program: &Program,
        calls: &CallGraph,
        memory: &PointsTo,
        proc: ProcId,
        edge: EdgeId,
    ) -> RegionEffects {
        let mut effects = RegionEffects::of_edge_alone(program, memory, proc, edge);
        for &target in calls.targets(proc, edge) {
            effects.union_with(&self.transitive[target]);
        }
        effects
    }
}
