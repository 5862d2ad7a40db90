//! Which procedures may not come back to their caller: they end the program, are left by `longjmp`, or
//! run for ever. An operand that calls one may keep another operand from being evaluated.
//!
//! A loop runs for ever here if no way leads from it to the end of its procedure. One whose condition
//! always holds may be missed.

use lakatos_ir::graph::Graph;
use lakatos_ir::{Builtin, Callee, Cfa, Edge, Id, Instr, ProcId, Program};
use rustc_hash::FxHashSet;

/// `jumping`: procedures that `longjmp` may leave.
pub(super) fn may_not_return(program: &Program, jumping: Vec<ProcId>) -> FxHashSet<ProcId> {
    let returning = may_return(program);
    let mut found: FxHashSet<ProcId> = jumping.into_iter().collect();
    let stays = program.defined().filter(|(proc, _, body)| {
        !returning.contains(proc) || has_endless_loop(program, body, &returning)
    });
    found.extend(stays.map(|(proc, ..)| proc));
    loop {
        let before = found.len();
        for (proc, _, body) in program.defined() {
            if body.edges.iter().any(|(_, edge)| leaves(program, &edge.instr, &found)) {
                found.insert(proc);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The instruction may leave its procedure other than by its end.
fn leaves(program: &Program, instr: &Instr, found: &FxHashSet<ProcId>) -> bool {
    let is_taken = |proc: &ProcId| program.procs[*proc].address_taken;
    match instr {
        Instr::Call(call) => match call.callee {
            // What is undefined ends a path by itself.
            Callee::Builtin(builtin) => builtin.ends() && builtin != Builtin::Unreachable,
            Callee::Proc(callee) => found.contains(&callee),
            Callee::Pointer(_) => found.iter().any(is_taken),
        },
        // Only a pass makes these; its instructions are not looked at here.
        Instr::Block(_) => true,
        Instr::Skip
        | Instr::Assign(..)
        | Instr::Assume(_)
        | Instr::Havoc(..)
        | Instr::Return(_)
        | Instr::Dead(_) => false,
    }
}

/// Procedures from whose entry a way leads to their exit.
fn may_return(program: &Program) -> FxHashSet<ProcId> {
    let mut found = FxHashSet::default();
    loop {
        let before = found.len();
        for (proc, _, body) in program.defined() {
            if !found.contains(&proc) && reach_exit(program, body, &found)[body.entry.index()] {
                found.insert(proc);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Control may come to the end of the edge; `returning`: procedures with a body that may return.
fn goes_on(program: &Program, edge: &Edge, returning: &FxHashSet<ProcId>) -> bool {
    let Instr::Call(call) = &edge.instr else { return true };
    match call.callee {
        Callee::Builtin(builtin) => !builtin.ends(),
        Callee::Proc(proc) => program.procs[proc].body.is_none() || returning.contains(&proc),
        Callee::Pointer(_) => true,
    }
}

/// For each location whether a way leads from it to the exit.
fn reach_exit(program: &Program, body: &Cfa, returning: &FxHashSet<ProcId>) -> Vec<bool> {
    let edges = body.edges.iter().map(|(_, edge)| edge);
    let back = edges.filter(|edge| goes_on(program, edge, returning));
    let back: Vec<_> = back.map(|edge| (edge.to.index(), edge.from.index())).collect();
    let reached = Graph::new(body.locs.len(), &back).depth_first([body.exit.index()]);
    (0..body.locs.len()).map(|loc| reached.reached(loc)).collect()
}

/// Control may come to a loop that no way leaves.
fn has_endless_loop(program: &Program, body: &Cfa, returning: &FxHashSet<ProcId>) -> bool {
    let edges = body.edges.iter().map(|(_, edge)| edge);
    let on = edges.filter(|edge| goes_on(program, edge, returning));
    let on: Vec<_> = on.map(|edge| (edge.from.index(), edge.to.index())).collect();
    let graph = Graph::new(body.locs.len(), &on);
    let reached = graph.depth_first([body.entry.index()]);
    let leads_out = reach_exit(program, body, returning);
    let is_stuck = |loc: usize| reached.reached(loc) && !leads_out[loc];
    let components = graph.components();
    let is_cycle = |loc: usize| {
        let members = &components.members[components.of[loc]];
        members.len() > 1 || graph.successors(loc).any(|to| to == loc)
    };
    (0..body.locs.len()).any(|loc| is_stuck(loc) && is_cycle(loc))
}
