//! Induction over turns: *k*-induction as a program without loops (Donaldson, Haller, Kroening and Rümmer,
//! *Software Verification Using k-Induction*, 2011), inner loops first.
//!
//! The first turns of a loop are written out. Then it goes on anywhere: what it writes has any value,
//! in so many turns nothing is violated and the loop is not left, and one more turn comes last. A violation
//! in some turn is one in the first turns, or in the last one, after so many turns without; and a run that
//! leaves the loop leaves it in one of these. So where no error is reached in what is written out, none is in the program.
//!
//! What is known of variables at the heads of loops ([`Bound`]) is checked there as anything else is, and
//! so is assumed where nothing is violated.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::callgraph::CallGraph;
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::loops::{LoopId, Loops};
use crate::modset::{Footprint, ModSets};
use crate::pass::expect_no_blocks;
use crate::pass::unroll::{Last, Unroller};
use crate::program::{InputKind, Instr, Loc, LocId, Program, Site, VarId};
use crate::property::{Property, Violation};
use crate::source::Span;
use crate::splice;
use crate::ty::Type;

/// Programs that become larger are left alone: formulas of them are seldom decided.
const MOST_LOCATIONS: usize = 8_000;

/// How induction goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Induction {
    /// So many turns without a violation come before the last one.
    pub turns: u32,
    /// What holds whenever heads of loops are reached.
    pub bounds: Vec<Bound>,
}

/// The numbers that a variable can be at a location of `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub at: LocId,
    pub var: VarId,
    pub low: i128,
    pub high: i128,
}

/// The program without loops. It is one with error locations in which `start` calls nobody; `None`: it
/// is not, it has loops that are no natural ones, or becomes too large; or there are no turns, of which
/// nothing would follow.
pub fn induct(mut program: Program, property: Property, induction: &Induction) -> Option<Program> {
    expect_no_blocks(&program);
    let turns = induction.turns.checked_mul(2).filter(|turns| *turns > 0)?;
    if calls_somebody(&program) {
        return None;
    }
    let start = program.start;
    check_bounds(&mut program, property, &induction.bounds);
    let old = program.procs[start].body.clone()?;
    let loops = Loops::new(&old);
    if !loops.is_reducible() {
        return None;
    }
    let anywhere: FxHashMap<LoopId, Vec<Instr>> =
        loops.loops.ids().map(|id| (id, forget(&mut program, &loops, id))).collect();
    let last = Last::Anywhere(&anywhere);
    let new = Unroller::new(&old, &loops, turns, last).run(MOST_LOCATIONS)?;
    program.procs[start].body = Some(new);
    program.annotations.clear();
    Some(program)
}

fn calls_somebody(program: &Program) -> bool {
    let calls = CallGraph::new(program);
    program.defined().any(|(proc, ..)| proc != program.start && calls.is_reachable(proc))
}

/// A variable that is out of bounds is an error.
fn check_bounds(program: &mut Program, property: Property, bounds: &[Bound]) {
    let mut conditions: BTreeMap<LocId, ExprId> = BTreeMap::new();
    for bound in bounds {
        let holds = within(program, bound);
        let known = conditions.get(&bound.at).copied();
        let all = known.map_or(holds, |known| splice::and(program, known, holds));
        conditions.insert(bound.at, all);
    }
    for (at, holds) in conditions {
        let fails = splice::not(program, holds);
        let cfa = splice::body(program, program.start);
        let span = cfa.locs[at].span;
        let behind = splice::split(cfa, at);
        let message = "a variable is out of bounds".to_owned();
        let error = Some(Violation { property, undefined: None, span, message });
        let outside = cfa.locs.push(Loc { span, error, ..Loc::default() });
        cfa.add_edge(at, behind, Instr::Assume(holds), span);
        cfa.add_edge(at, outside, Instr::Assume(fails), span);
    }
}

fn within(program: &mut Program, bound: &Bound) -> ExprId {
    let ty = program.vars[bound.var].ty;
    let mut compare = |op: BinOp, value: i128| {
        let load = program.load_var(bound.var, Span::default());
        let value = program.expr(ExprKind::Int(value), ty, Span::default());
        program.expr(ExprKind::Binary(op, load, value), Type::BOOL, Span::default())
    };
    let sides = [compare(BinOp::Ge, bound.low), compare(BinOp::Le, bound.high)];
    splice::and(program, sides[0], sides[1])
}

/// Instructions after which all that a loop may write has any value.
fn forget(program: &mut Program, loops: &Loops, id: LoopId) -> Vec<Instr> {
    let written = written(program, loops, id);
    let vars: Vec<VarId> =
        program.vars.ids().filter(|var| written.touches(program, *var)).collect();
    let forget = |var: VarId| {
        let place = program.var_place(var, Span::default());
        let (name, ty) = (program.vars[var].name.clone(), program.vars[var].ty);
        let (kind, proc, span) = (InputKind::Uninitialised, program.start, Span::default());
        Instr::Havoc(place, program.sites.push(Site { kind, proc, span, name, ty }))
    };
    vars.into_iter().map(forget).collect()
}

fn written(program: &Program, loops: &Loops, id: LoopId) -> Footprint {
    let calls = CallGraph::new(program);
    let mods = ModSets::new(program, &calls);
    let start = program.start;
    let body = program.procs[start].body.as_ref().expect("the start has a body");
    let mut written = Footprint::default();
    for (edge, _) in body.edges.iter().filter(|(_, edge)| loops.contains(id, edge.from)) {
        written.union_with(&mods.of_edge(program, &calls, start, edge).writes);
    }
    written
}
