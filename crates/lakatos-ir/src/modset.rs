//! What procedures and edges may read and change (mod-sets), callees included.
//!
//! A variable whose address is not taken changes only by instructions that name it. Everything
//! that pointers can reach (variables whose address is taken, and the heap) is one region for
//! now; [`Regions`] is the place for finer ones, of which [`RegionSets`] already speaks. External
//! procedures may change all of it.
//!
//! A callee's own frame is nobody else's business, so the sets of a *procedure* speak of static
//! variables and memory only; those of an *edge* also of the frame it belongs to.
//!
//! [`RegionSets`]: crate::points_to::RegionSets

use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::library;
use crate::program::{Builtin, Call, Callee, EdgeId, Instr, ProcId, Procedure, Program, VarId};
use crate::walk;

/// Parts of the memory that pointers reach. One part so far: all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    everything: bool,
}

impl Regions {
    pub const NONE: Regions = Regions { everything: false };
    pub const ALL: Regions = Regions { everything: true };

    pub fn is_empty(self) -> bool {
        !self.everything
    }

    pub fn union(self, other: Regions) -> Regions {
        Regions { everything: self.everything || other.everything }
    }

    pub fn overlaps(self, other: Regions) -> bool {
        self.everything && other.everything
    }

    /// The variable may lie in one of the regions.
    pub fn holds(self, program: &Program, var: VarId) -> bool {
        self.everything && program.vars[var].address_taken
    }
}

/// A set of variables, and of memory reached through pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables that are named.
    pub vars: BTreeSet<VarId>,
    pub memory: Regions,
}

/// What something may read and may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: Footprint,
    pub writes: Footprint,
}

impl Footprint {
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty() && self.memory.is_empty()
    }

    /// The variable may be touched, by its name or through a pointer.
    pub fn touches(&self, program: &Program, var: VarId) -> bool {
        self.vars.contains(&var) || self.memory.holds(program, var)
    }

    pub fn overlaps(&self, program: &Program, other: &Footprint) -> bool {
        let (small, large) =
            if self.vars.len() < other.vars.len() { (self, other) } else { (other, self) };
        self.memory.overlaps(other.memory)
            || small.vars.iter().any(|&v| large.touches(program, v))
            || (!small.memory.is_empty()
                && large.vars.iter().any(|&v| small.memory.holds(program, v)))
    }

    pub fn union_with(&mut self, other: &Footprint) {
        self.vars.extend(&other.vars);
        self.memory = self.memory.union(other.memory);
    }

    /// What evaluating an expression reads.
    pub fn add_expr(&mut self, program: &Program, expr: ExprId) {
        match program.exprs[expr].kind {
            ExprKind::Load(place) => {
                self.add_place(program, place);
                self.add_address(program, place);
            }
            ExprKind::AddrOf(place) => self.add_address(program, place),
            ref kind => {
                for part in walk::parts(kind) {
                    if let walk::Node::Expr(e) = part {
                        self.add_expr(program, e);
                    }
                }
            }
        }
    }

    /// What finding out where a place is reads: pointers and indices on the way, not the place.
    pub fn add_address(&mut self, program: &Program, place: PlaceId) {
        match program.places[place].kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Deref(pointer) => self.add_expr(program, pointer),
            PlaceKind::Index(base, index) => {
                self.add_address(program, base);
                self.add_expr(program, index);
            }
            PlaceKind::Field(base, _) => self.add_address(program, base),
        }
    }

    /// The place itself.
    pub fn add_place(&mut self, program: &Program, place: PlaceId) {
        match program.places[place].kind {
            PlaceKind::Var(var) => {
                self.vars.insert(var);
            }
            PlaceKind::Deref(_) => self.memory = Regions::ALL,
            PlaceKind::Index(base, _) | PlaceKind::Field(base, _) => self.add_place(program, base),
        }
    }
}

impl Effects {
    pub fn union_with(&mut self, other: &Effects) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
    }

    /// What an instruction of `proc` does itself, without the bodies of procedures it calls.
    pub fn of_instr(program: &Program, proc: ProcId, instr: &Instr) -> Effects {
        let mut effects = Effects::default();
        for step in walk::steps(instr) {
            for operand in walk::operands(step) {
                effects.reads.add_expr(program, operand);
            }
            if let Some(place) = walk::written(step) {
                effects.reads.add_address(program, place);
                effects.writes.add_place(program, place);
            }
            match step {
                Instr::Return(Some(_)) => effects.writes.vars.extend(program.procs[proc].result),
                // The variable has no value any more.
                Instr::Dead(var) => {
                    effects.writes.vars.insert(*var);
                }
                Instr::Call(Call { callee: Callee::Builtin(builtin), .. }) => {
                    let (reads, writes) = builtin_memory(*builtin);
                    effects.reads.memory = effects.reads.memory.union(reads);
                    effects.writes.memory = effects.writes.memory.union(writes);
                }
                _ => {}
            }
        }
        effects
    }

    /// What an edge does without the bodies of procedures it calls, external ones included.
    pub fn of_edge_alone(
        program: &Program,
        calls: &CallGraph,
        proc: ProcId,
        edge: EdgeId,
    ) -> Effects {
        let body = program.procs[proc].body.as_ref().expect("an edge is in a body");
        let instr = &body.edges[edge].instr;
        let mut effects = Effects::of_instr(program, proc, instr);
        for &target in calls.targets(proc, edge) {
            let (reads, writes) = external_memory(&program.procs[target]);
            effects.reads.memory = effects.reads.memory.union(reads);
            effects.writes.memory = effects.writes.memory.union(writes);
        }
        effects
    }
}

/// The effects of all procedures of a program.
#[derive(Clone, Debug)]
pub struct ModSets {
    transitive: Arena<ProcId, Effects>,
}

impl ModSets {
    pub fn new(program: &Program, calls: &CallGraph) -> ModSets {
        let mut sets =
            ModSets { transitive: program.procs.ids().map(|_| Effects::default()).collect() };
        // Procedures of one component call each other, so they have the same effects.
        for component in calls.bottom_up() {
            let mut effects = Effects::default();
            for &proc in &component {
                let Some(body) = &program.procs[proc].body else { continue };
                for edge in body.edges.ids() {
                    effects.union_with(&sets.of_edge(program, calls, proc, edge));
                }
            }
            effects.reads.vars.retain(|&v| program.vars[v].kind.frame().is_none());
            effects.writes.vars.retain(|&v| program.vars[v].kind.frame().is_none());
            for &proc in &component {
                sets.transitive[proc] = effects.clone();
            }
        }
        sets
    }

    /// What a call of the procedure may read and change besides its own frame. (Nothing for an
    /// external procedure: what that does depends on the arguments, see [`ModSets::of_edge`].)
    pub fn of_proc(&self, proc: ProcId) -> &Effects {
        &self.transitive[proc]
    }

    /// What an edge may read and change, callees included.
    pub fn of_edge(
        &self,
        program: &Program,
        calls: &CallGraph,
        proc: ProcId,
        edge: EdgeId,
    ) -> Effects {
        let mut effects = Effects::of_edge_alone(program, calls, proc, edge);
        for &target in calls.targets(proc, edge) {
            effects.union_with(&self.transitive[target]);
        }
        effects
    }
}

/// The memory that a procedure without a body reads and changes. A run ends where an error function
/// is called, so nothing changes there.
fn external_memory(procedure: &Procedure) -> (Regions, Regions) {
    if procedure.body.is_some() || procedure.is_error {
        return (Regions::NONE, Regions::NONE);
    }
    match procedure.unmodelled() {
        Some(library::Effects::Value | library::Effects::Unbounded) => {
            (Regions::NONE, Regions::NONE)
        }
        Some(library::Effects::Reads) => (Regions::ALL, Regions::NONE),
        Some(library::Effects::Writes) | None => (Regions::ALL, Regions::ALL),
    }
}

/// The memory a builtin reads and changes; allocation and release change it.
fn builtin_memory(builtin: Builtin) -> (Regions, Regions) {
    let regions = |touches: bool| if touches { Regions::ALL } else { Regions::NONE };
    (regions(!builtin.is_free_of_memory()), regions(builtin.changes_memory()))
}
