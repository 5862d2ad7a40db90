//! Automata: adjacency, instructions, calls, scopes.

use std::collections::BTreeSet;

use super::{Report, in_range};
use crate::expr::{ExprId, PlaceId, PlaceKind};
use crate::program::{Call, Callee, Cfa, Edge, EdgeId, Instr, ProcId, Region, SiteId, VarId};
use crate::ty::{Signature, Type};
use crate::walk::{self, Node};

pub(super) fn check(report: &mut Report, proc: ProcId) {
    let Some(cfa) = &report.program.procs[proc].body else { return };
    if !check_ids(report, cfa) {
        return;
    }
    check_adjacency(report, cfa);
    for (id, edge) in cfa.edges.iter() {
        report.edge = Some(id);
        check_instr(report, proc, cfa, edge, &edge.instr);
    }
    report.edge = None;
}

fn check_ids(report: &mut Report, cfa: &Cfa) -> bool {
    let (locs, edges) = (cfa.locs.len(), cfa.edges.len());
    let ends = cfa.edges.iter().flat_map(|(_, e)| [e.from, e.to]);
    let labels = cfa.labels.iter().map(|(_, loc)| *loc);
    let all_locs = [cfa.entry, cfa.exit].into_iter().chain(ends).chain(labels);
    let listed = cfa.locs.iter().flat_map(|(_, l)| l.out.iter().chain(&l.into));
    let sound = all_locs.into_iter().all(|l| in_range(l, locs))
        && listed.into_iter().all(|&e| in_range(e, edges));
    report.require(sound, || "a location or edge does not exist".into());
    sound
}

/// Every edge is listed once where it leaves and once where it arrives, and nowhere else.
fn check_adjacency(report: &mut Report, cfa: &Cfa) {
    let listed = |pick: fn(&crate::program::Loc) -> &Vec<EdgeId>, end: fn(&Edge) -> _| {
        let mut seen = vec![0u8; cfa.edges.len()];
        let mut sound = true;
        for (loc, l) in cfa.locs.iter() {
            for &e in pick(l) {
                sound &= end(&cfa.edges[e]) == loc;
                seen[e.0 as usize] = seen[e.0 as usize].saturating_add(1);
            }
        }
        sound && seen.iter().all(|&n| n == 1)
    };
    report.require(listed(|l| &l.out, |e| e.from), || "leaving edges are not consistent".into());
    report.require(listed(|l| &l.into, |e| e.to), || "arriving edges are not consistent".into());
    report.require(cfa.locs[cfa.exit].out.is_empty(), || "edges leave the exit".into());
}

fn check_instr(report: &mut Report, proc: ProcId, cfa: &Cfa, edge: &Edge, instr: &Instr) {
    if !check_operands(report, proc, instr) {
        return;
    }
    let program = report.program;
    let ty = |e: ExprId| program.exprs[e].ty;
    match instr {
        Instr::Skip => {}
        Instr::Assign(place, value) => {
            let target = program.places[*place].ty;
            report.require(target == ty(*value), || {
                format!("a value of type {:?} is assigned to {target:?}", ty(*value))
            });
        }
        Instr::Assume(condition) => {
            report
                .require(ty(*condition) == Type::BOOL, || "assumes what is no truth value".into());
        }
        Instr::Havoc(place, site) => {
            let target = program.places[*place].ty;
            report.require(target.is_scalar() || target.is_aggregate(), || {
                format!("no value of type {target:?} can come from outside")
            });
            check_site(report, *site);
        }
        Instr::Call(call) => check_call(report, cfa, edge, call),
        Instr::Return(value) => {
            let result = program.procs[proc].result.map(|v| program.vars[v].ty);
            report.require(edge.to == cfa.exit, || "returns, but not to the exit".into());
            report.require(value.is_none_or(|v| result == Some(ty(v))), || {
                "returns a value of another type".into()
            });
        }
        Instr::Dead(var) => {
            let own = program.vars[*var].kind.frame() == Some(proc);
            report.require(own, || format!("{var:?} is no local that can die here"));
        }
        Instr::Block(region) => check_region(report, proc, cfa, edge, region),
    }
}

/// The operands exist, and name no variable of another frame.
fn check_operands(report: &mut Report, proc: ProcId, instr: &Instr) -> bool {
    let program = report.program;
    let exprs = walk::operands(instr).into_iter().map(Node::Expr);
    let nodes: Vec<Node> = exprs.chain(walk::written(instr).map(Node::Place)).collect();
    let known = |node: &Node| match *node {
        Node::Expr(e) => in_range(e, program.exprs.len()),
        Node::Place(p) => in_range(p, program.places.len()),
    };
    let dead = match instr {
        Instr::Dead(var) => in_range(*var, program.vars.len()),
        _ => true,
    };
    let sound = dead && nodes.iter().all(known);
    report.require(sound, || "an operand does not exist".into());
    if !sound {
        return false;
    }
    let mut foreign: Option<VarId> = None;
    for node in nodes {
        walk::walk(program, node, &mut |node| {
            if let Some(var) = named(report, node)
                && program.vars[var].kind.frame().is_some_and(|frame| frame != proc)
            {
                foreign = Some(var);
            }
        });
    }
    report.require(foreign.is_none(), || {
        format!("{:?} belongs to another procedure", foreign.expect("found one"))
    });
    true
}

fn named(report: &Report, node: Node) -> Option<VarId> {
    match node {
        Node::Place(p) => match report.program.places[p].kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        Node::Expr(_) => None,
    }
}

fn check_site(report: &mut Report, site: SiteId) {
    let known = in_range(site, report.program.sites.len());
    report.require(known, || format!("{site:?} does not exist"));
}

fn check_call(report: &mut Report, cfa: &Cfa, edge: &Edge, call: &Call) {
    let program = report.program;
    if let Some(site) = call.site {
        check_site(report, site);
    }
    match call.callee {
        Callee::Proc(proc) if !in_range(proc, program.procs.len()) => {
            report.require(false, || format!("calls {proc:?}, which does not exist"));
        }
        Callee::Proc(proc) => {
            let callee = &program.procs[proc];
            check_signature(report, call, program.types.signature(callee.signature));
            let answered = callee.body.is_some() || call.result.is_none() || call.site.is_some();
            report.require(answered, || "an external call has a result but no site".into());
        }
        Callee::Pointer(pointer) => match program.types.inner(program.exprs[pointer].ty) {
            Some(Type::Function(sig)) => {
                check_signature(report, call, program.types.signature(sig));
            }
            _ => report.require(false, || "calls what is no pointer to a function".into()),
        },
        Callee::Builtin(builtin) if builtin.ends() => {
            let ends = cfa.locs[edge.to].out.is_empty() && edge.to != cfa.exit;
            report.require(ends, || "the run ends, but the automaton goes on".into());
        }
        Callee::Builtin(_) => {}
    }
}

/// Number and types of arguments, and the type of the result.
fn check_signature(report: &mut Report, call: &Call, signature: &Signature) {
    let program = report.program;
    if let Some(params) = &signature.params {
        let enough = match signature.variadic {
            true => call.args.len() >= params.len(),
            false => call.args.len() == params.len(),
        };
        report.require(enough, || {
            format!("{} arguments for {} parameters", call.args.len(), params.len())
        });
        for (&arg, &param) in call.args.iter().zip(params) {
            let ty = program.exprs[arg].ty;
            report.require(ty == param, || format!("{ty:?} is passed for {param:?}"));
        }
    }
    let result = call.result.map(|place: PlaceId| program.places[place].ty);
    report.require(result.is_none_or(|ty| ty == signature.result), || {
        format!("the result {:?} goes into {result:?}", signature.result)
    });
}

/// A block is acyclic, in order, and connected: its locations are those of an earlier automaton.
fn check_region(report: &mut Report, proc: ProcId, cfa: &Cfa, edge: &Edge, region: &Region) {
    let mut entered = BTreeSet::from([region.entry]);
    let mut left = BTreeSet::new();
    let mut gets_out = false;
    for step in &region.edges {
        let allowed = !matches!(step.instr, Instr::Call(_) | Instr::Block(_));
        report.require(allowed, || "a block contains a call or a block".into());
        if allowed && !matches!(step.instr, Instr::Return(_)) {
            check_instr(report, proc, cfa, edge, &step.instr);
        }
        report.require(entered.contains(&step.from), || {
            format!("a block leaves {:?} before it gets there", step.from)
        });
        report.require(step.to == region.exit || !left.contains(&step.to), || {
            format!("a block comes back to {:?}", step.to)
        });
        left.insert(step.from);
        entered.insert(step.to);
        gets_out |= step.to == region.exit;
    }
    report.require(gets_out, || "a block has no way out".into());
}
