//! Slicing: keeps what decides whether an error location is reached.
//!
//! The automata keep their shape; instructions that do not matter become [`Instr::Skip`]
//! ([`dead_code`](super::dead_code()) cleans up behind). Kept are, until nothing is to be added:
//!
//! - the decisions (assumptions, and calls that may not return) on which an error location, or
//!   anything kept, is control dependent, across procedures: what is kept in a procedure keeps
//!   every call of it, and a call kept because it may not return keeps what decides whether the
//!   callee's exit is reached;
//! - every instruction that may change something that a kept instruction reads: variables by
//!   name, memory as one region;
//! - every call through a pointer that has no target: engines must see it.
//!
//! **For proofs only.** Every run to an error location is a run of the slice too: what is kept
//! reads only values that are the same as before. The slice may have more runs: undefined
//! behaviour and endless loops in what was dropped no longer stop a run (assumptions, aborts and
//! blocked paths that errors depend on still do). So a proof of the slice proves the program,
//! but a run of the slice is only a guess: replay always runs on the unsliced program.

use crate::arena::Arena;
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind};
use crate::graph::Graph;
use crate::modset::{Effects, Footprint};
use crate::pass::control;
use crate::pass::inverse::{Inverse, Layer, ProcLayer};
use crate::program::{Call, Callee, Cfa, EdgeId, Instr, LocId, ProcId, Program, VarId, VarKind};
use crate::ty::Type;
use crate::{Id, walk};

/// Slices an instrumented program to its error locations.
pub fn slice(mut program: Program) -> (Program, Inverse) {
    super::expect_no_blocks(&program);
    let calls = CallGraph::new(&program);
    let mut slicer = Slicer::new(&program, &calls);
    slicer.run();
    let kept = slicer.kept;
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        if program.procs[proc].body.is_none() {
            continue;
        }
        let origins = super::rebuild(&mut program, proc, |program, id, edge| {
            Some(kept[proc].edges[id].rewrite(program, &edge.instr))
        });
        layer.procs.insert(proc, ProcLayer { origins, ..ProcLayer::default() });
    }
    (program, Inverse::of(layer))
}

/// What is kept of an edge.
#[derive(Clone, Debug, Default)]
struct Kept {
    instr: bool,
    /// Of a call: the result, and the arguments.
    result: bool,
    args: Vec<bool>,
}

impl Kept {
    fn rewrite(&self, program: &mut Program, instr: &Instr) -> Instr {
        match instr {
            _ if !self.instr => Instr::Skip,
            Instr::Call(call) => {
                let args = call.args.iter().zip(&self.args);
                let args = args.map(|(&arg, &kept)| if kept { arg } else { any(program, arg) });
                Instr::Call(Call {
                    args: args.collect(),
                    result: call.result.filter(|_| self.result),
                    ..call.clone()
                })
            }
            other => other.clone(),
        }
    }
}

/// Some value in place of an argument that nobody reads: what stood there may now be undefined,
/// since what it reads was not kept.
fn any(program: &mut Program, arg: ExprId) -> ExprId {
    let (ty, span) = (program.exprs[arg].ty, program.exprs[arg].span);
    let kind = match ty {
        Type::Int(_) => ExprKind::Int(0),
        Type::Float(_) => ExprKind::Float(0),
        Type::Pointer(_) => ExprKind::Null,
        Type::Array(..) | Type::Record(_) => ExprKind::Zero,
        Type::Void | Type::Function(_) => return arg,
    };
    program.expr(kind, ty, span)
}

/// What is known to matter in one procedure.
#[derive(Debug, Default)]
struct Marks {
    edges: Arena<EdgeId, Kept>,
    locs: Arena<LocId, bool>,
}

/// Something that matters and whose consequences are still to be drawn.
enum Fact {
    Loc(ProcId, LocId),
    Var(VarId),
    Memory,
    /// The instruction of an edge; of a call, not its result or arguments.
    Edge(ProcId, EdgeId),
    Result(ProcId, EdgeId),
    Arg(ProcId, EdgeId, usize),
}

struct Slicer<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    /// The decisions each location depends on.
    control: Arena<ProcId, Arena<LocId, Vec<LocId>>>,
    may_stop: Arena<ProcId, bool>,
    /// Who assigns each variable by name.
    writers: Vec<Vec<(ProcId, EdgeId)>>,
    memory_writers: Vec<(ProcId, EdgeId)>,
    callers: Arena<ProcId, Vec<(ProcId, EdgeId)>>,
    kept: Arena<ProcId, Marks>,
    vars: Vec<bool>,
    memory: bool,
    work: Vec<Fact>,
}

impl<'a> Slicer<'a> {
    fn new(program: &'a Program, calls: &'a CallGraph) -> Slicer<'a> {
        let may_stop = may_stop(program, calls);
        let mut slicer = Slicer {
            program,
            calls,
            control: program.procs.ids().map(|_| Arena::new()).collect(),
            may_stop,
            writers: vec![Vec::new(); program.vars.len()],
            memory_writers: Vec::new(),
            callers: program.procs.ids().map(|_| Vec::new()).collect(),
            kept: program.procs.ids().map(|_| Marks::default()).collect(),
            vars: vec![false; program.vars.len()],
            memory: false,
            work: Vec::new(),
        };
        for (proc, _, cfa) in program.defined().filter(|&(p, ..)| calls.is_reachable(p)) {
            slicer.index(proc, cfa);
        }
        slicer.kept = program.procs.iter().map(|(_, p)| Marks::of(p.body.as_ref())).collect();
        slicer
    }

    /// Who writes what, who calls whom, and what decides.
    fn index(&mut self, proc: ProcId, cfa: &Cfa) {
        for id in cfa.edges.ids() {
            let Effects { writes, .. } = Effects::of_edge_alone(self.program, self.calls, proc, id);
            for var in writes.vars {
                self.writers[var.index()].push((proc, id));
            }
            if !writes.memory.is_empty() {
                self.memory_writers.push((proc, id));
            }
            for &target in self.calls.targets(proc, id) {
                self.callers[target].push((proc, id));
            }
        }
        let may_end: Vec<bool> = cfa
            .locs
            .iter()
            .map(|(loc, l)| l.error.is_some() || self.may_end_at(proc, cfa, loc))
            .collect();
        self.control[proc] = control::dependence(cfa, &may_end);
    }

    /// A single assumption may block; a call may not come back.
    fn may_end_at(&self, proc: ProcId, cfa: &Cfa, loc: LocId) -> bool {
        let out = &cfa.locs[loc].out;
        let blocks = matches!(out[..], [only] if matches!(cfa.edges[only].instr, Instr::Assume(_)));
        blocks || out.iter().any(|&e| self.may_not_return(proc, e))
    }

    fn may_not_return(&self, proc: ProcId, edge: EdgeId) -> bool {
        self.calls.targets(proc, edge).iter().any(|&target| self.may_stop[target])
    }

    fn run(&mut self) {
        let program = self.program;
        for (proc, _, cfa) in program.defined().filter(|&(p, ..)| self.calls.is_reachable(p)) {
            let errors = cfa.locs.iter().filter(|(_, l)| l.error.is_some());
            self.work.extend(errors.map(|(loc, _)| Fact::Loc(proc, loc)));
            let lost = self.calls.sites(proc).iter().filter(|site| site.targets.is_empty());
            self.work.extend(lost.map(|site| Fact::Edge(proc, site.edge)));
        }
        while let Some(fact) = self.work.pop() {
            match fact {
                Fact::Loc(proc, loc) => self.loc(proc, loc),
                Fact::Var(var) => self.var(var),
                Fact::Memory => self.memory(),
                Fact::Edge(proc, edge) => self.edge(proc, edge),
                Fact::Result(proc, edge) => self.result(proc, edge),
                Fact::Arg(proc, edge, number) => self.arg(proc, edge, number),
            }
        }
    }

    fn cfa(&self, proc: ProcId) -> &'a Cfa {
        self.program.procs[proc].body.as_ref().expect("facts are about bodies")
    }

    /// It matters whether the location is reached.
    fn loc(&mut self, proc: ProcId, loc: LocId) {
        if std::mem::replace(&mut self.kept[proc].locs[loc], true) {
            return;
        }
        let calls = self.callers[proc].iter().map(|&(caller, e)| Fact::Edge(caller, e));
        self.work.extend(calls);
        let cfa = self.cfa(proc);
        for branch in self.control[proc][loc].clone() {
            self.work.push(Fact::Loc(proc, branch));
            for &e in &cfa.locs[branch].out {
                if matches!(cfa.edges[e].instr, Instr::Assume(_)) {
                    self.work.push(Fact::Edge(proc, e));
                }
                for &target in self.calls.targets(proc, e) {
                    if self.may_stop[target] {
                        self.work.push(Fact::Edge(proc, e));
                        let body = self.program.procs[target].body.as_ref();
                        self.work.extend(body.map(|body| Fact::Loc(target, body.exit)));
                    }
                }
            }
        }
    }

    fn var(&mut self, var: VarId) {
        if std::mem::replace(&mut self.vars[var.index()], true) {
            return;
        }
        for (proc, edge) in self.writers[var.index()].clone() {
            self.write(proc, edge);
        }
        if self.program.vars[var].address_taken {
            for (proc, edge) in self.memory_writers.clone() {
                self.write(proc, edge);
            }
        }
        if let VarKind::Param(callee) = self.program.vars[var].kind {
            let params = &self.program.procs[callee].params;
            let number = params.iter().position(|&p| p == var).expect("its own parameter");
            for &(caller, edge) in &self.callers[callee] {
                self.work.push(Fact::Arg(caller, edge, number));
            }
        }
    }

    fn memory(&mut self) {
        if std::mem::replace(&mut self.memory, true) {
            return;
        }
        for (proc, edge) in self.memory_writers.clone() {
            self.write(proc, edge);
        }
        let program = self.program;
        let exposed = program.vars.iter().filter(|(_, v)| v.address_taken);
        self.work.extend(exposed.map(|(var, _)| Fact::Var(var)));
    }

    /// What an edge writes matters.
    fn write(&mut self, proc: ProcId, edge: EdgeId) {
        self.work.push(Fact::Edge(proc, edge));
        if matches!(self.cfa(proc).edges[edge].instr, Instr::Call(Call { result: Some(_), .. })) {
            self.work.push(Fact::Result(proc, edge));
        }
    }

    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        if std::mem::replace(&mut self.kept[proc].edges[edge].instr, true) {
            return;
        }
        let cfa = self.cfa(proc);
        self.work.push(Fact::Loc(proc, cfa.edges[edge].from));
        let instr = &cfa.edges[edge].instr;
        let mut reads = Footprint::default();
        match instr {
            Instr::Call(call) => {
                if let Callee::Pointer(pointer) = call.callee {
                    reads.add_expr(self.program, pointer);
                }
                for number in 0..call.args.len() {
                    if self.argument_matters(proc, edge, call, number) {
                        self.work.push(Fact::Arg(proc, edge, number));
                    }
                }
            }
            _ => reads = Effects::of_instr(self.program, proc, instr).reads,
        }
        self.reads(reads);
    }

    /// An argument that goes to somebody whose body we do not see, or to no parameter, or to a
    /// parameter that matters.
    fn argument_matters(&self, proc: ProcId, edge: EdgeId, call: &Call, number: usize) -> bool {
        let targets = self.calls.targets(proc, edge);
        matches!(call.callee, Callee::Builtin(_))
            || targets.is_empty()
            || targets.iter().any(|&target| {
                let target = &self.program.procs[target];
                let param = target.params.get(number);
                target.body.is_none() || param.is_none_or(|&p| self.vars[p.index()])
            })
    }

    fn arg(&mut self, proc: ProcId, edge: EdgeId, number: usize) {
        self.work.push(Fact::Edge(proc, edge));
        let kept = &mut self.kept[proc].edges[edge].args;
        // Fewer arguments than parameters: a call without prototype.
        let Some(kept) = kept.get_mut(number) else { return };
        if std::mem::replace(kept, true) {
            return;
        }
        if let Instr::Call(call) = &self.cfa(proc).edges[edge].instr {
            let mut reads = Footprint::default();
            reads.add_expr(self.program, call.args[number]);
            self.reads(reads);
        }
    }

    fn result(&mut self, proc: ProcId, edge: EdgeId) {
        if std::mem::replace(&mut self.kept[proc].edges[edge].result, true) {
            return;
        }
        let mut reads = Footprint::default();
        let place = walk::written(&self.cfa(proc).edges[edge].instr).expect("it has a result");
        reads.add_address(self.program, place);
        for &target in self.calls.targets(proc, edge) {
            let target = &self.program.procs[target];
            reads.vars.extend(target.result.filter(|_| target.body.is_some()));
        }
        self.reads(reads);
    }

    fn reads(&mut self, reads: Footprint) {
        self.work.extend(reads.vars.into_iter().map(Fact::Var));
        if !reads.memory.is_empty() {
            self.work.push(Fact::Memory);
        }
    }
}

impl Marks {
    fn of(body: Option<&Cfa>) -> Marks {
        let Some(cfa) = body else { return Marks::default() };
        let nothing = |instr: &Instr| match instr {
            Instr::Call(call) => Kept { args: vec![false; call.args.len()], ..Kept::default() },
            _ => Kept::default(),
        };
        Marks {
            edges: cfa.edges.iter().map(|(_, e)| nothing(&e.instr)).collect(),
            locs: cfa.locs.ids().map(|_| false).collect(),
        }
    }
}

/// The procedures that may end the run, or block it, before they return. Endless loops and
/// recursion aside, but for procedures whose exit cannot be reached at all.
fn may_stop(program: &Program, calls: &CallGraph) -> Arena<ProcId, bool> {
    let stops_itself = |cfa: &Cfa| {
        let edges: Vec<_> = cfa.edges.iter().map(|(_, e)| (e.from.index(), e.to.index())).collect();
        let reached = Graph::new(cfa.locs.len(), &edges).depth_first([cfa.entry.index()]);
        let stops = |(loc, l): (LocId, &crate::program::Loc)| match l.out[..] {
            [] => loc != cfa.exit,
            [only] => matches!(cfa.edges[only].instr, Instr::Assume(_)),
            _ => false,
        };
        !reached.reached(cfa.exit.index())
            || cfa.locs.iter().any(|(loc, l)| {
                reached.reached(loc.index()) && (l.error.is_some() || stops((loc, l)))
            })
    };
    let mut stop: Arena<ProcId, bool> = program
        .procs
        .iter()
        .map(|(id, p)| {
            let lost = calls.sites(id).iter().any(|site| site.targets.is_empty());
            p.is_error || lost || p.body.as_ref().is_some_and(stops_itself)
        })
        .collect();
    let mut work: Vec<ProcId> = program.procs.ids().filter(|&p| stop[p]).collect();
    while let Some(proc) = work.pop() {
        for &caller in calls.callers(proc) {
            if !std::mem::replace(&mut stop[caller], true) {
                work.push(caller);
            }
        }
    }
    stop
}
