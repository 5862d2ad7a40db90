//! Is a program well formed? What every consumer relies on, checked in one place.
//!
//! Lowering and every pass must give programs without [`Problem`]s; the tests say so. The checks
//! are about form (ids, types, adjacency, scopes), not about what a program means.

mod cfa;
mod expr;

use std::fmt;

use crate::arena::Id;
use crate::expr::MAX_DEPTH;
use crate::program::{AnnotationTarget, EdgeId, ProcId, Program, VarId, VarKind};

/// How much deeper than [`MAX_DEPTH`] passes may make an expression: instrumentation turns an
/// operation into the condition under which it is undefined, a few levels above its operands.
pub const DEPTH_SLACK: u32 = 8;

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub proc: Option<ProcId>,
    pub edge: Option<EdgeId>,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(proc) = self.proc {
            write!(f, "{proc:?} ")?;
        }
        if let Some(edge) = self.edge {
            write!(f, "{edge:?} ")?;
        }
        f.write_str(&self.message)
    }
}

/// All problems of a program, in a fixed order; none if it is well formed.
pub fn validate(program: &Program) -> Vec<Problem> {
    let mut report = Report { program, proc: None, edge: None, problems: Vec::new() };
    // Later checks follow ids, so they need sound ones.
    expr::check_ids(&mut report);
    check_tables(&mut report);
    if !report.problems.is_empty() {
        return report.problems;
    }
    expr::check_depths(&mut report);
    if !report.problems.is_empty() {
        return report.problems;
    }
    expr::check_types(&mut report);
    for proc in program.procs.ids() {
        report.proc = Some(proc);
        check_frame(&mut report, proc);
        cfa::check(&mut report, proc);
    }
    report.problems
}

struct Report<'p> {
    program: &'p Program,
    proc: Option<ProcId>,
    edge: Option<EdgeId>,
    problems: Vec<Problem>,
}

impl Report<'_> {
    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            let (proc, edge) = (self.proc, self.edge);
            self.problems.push(Problem { proc, edge, message: message() });
        }
    }
}

fn in_range<I: Id>(id: I, len: usize) -> bool {
    id.index() < len
}

/// Ids in the tables of the program.
fn check_tables(report: &mut Report) {
    let program = report.program;
    let procs = program.procs.len();
    report.require(in_range(program.main, procs), || "`main` is out of range".into());
    let start = program.procs.get(program.start);
    report.require(start.is_some_and(|p| p.body.is_some()), || "`start` has no body".into());
    report.require(start.is_none_or(|p| p.params.is_empty()), || "`start` has parameters".into());
    for (id, var) in program.vars.iter() {
        let frame = var.kind.frame();
        report.require(frame.is_none_or(|p| in_range(p, procs)), || {
            format!("{id:?} belongs to a procedure that does not exist")
        });
    }
    for (id, site) in program.sites.iter() {
        report.require(in_range(site.proc, procs), || format!("{id:?} is in no procedure"));
    }
    for annotation in &program.annotations {
        let sound = match annotation.target {
            AnnotationTarget::Global => true,
            AnnotationTarget::Contract(proc) => in_range(proc, procs),
            AnnotationTarget::Statement(proc, loc) => program
                .procs
                .get(proc)
                .and_then(|p| p.body.as_ref())
                .is_some_and(|b| in_range(loc, b.locs.len())),
        };
        report.require(sound, || format!("annotation at {:?} has no target", annotation.span));
    }
    for (id, proc) in program.procs.iter() {
        let vars = proc.params.iter().chain(&proc.result).chain(&proc.locals);
        report.require(vars.clone().all(|&v| in_range(v, program.vars.len())), || {
            format!("{id:?} has variables that do not exist")
        });
    }
}

/// A procedure's variables are its own, and its parameters are those of its type.
fn check_frame(report: &mut Report, id: ProcId) {
    let program = report.program;
    let proc = &program.procs[id];
    let kind = |v: &VarId| program.vars[*v].kind;
    report.require(proc.params.iter().all(|v| kind(v) == VarKind::Param(id)), || {
        "a parameter is not of kind `Param`".into()
    });
    report.require(proc.result.iter().all(|v| kind(v) == VarKind::Result(id)), || {
        "the result is not of kind `Result`".into()
    });
    let local = |v| matches!(kind(v), VarKind::Local(p) | VarKind::Temp(p) if p == id);
    report.require(proc.locals.iter().all(local), || {
        "a local is not of kind `Local` or `Temp`".into()
    });
    let signature = program.types.signature(proc.signature);
    if let (Some(types), false) = (&signature.params, proc.body.is_none()) {
        let own: Vec<_> = proc.params.iter().map(|&v| program.vars[v].ty).collect();
        report.require(&own == types, || "parameters are not those of the signature".into());
    }
    if let Some(result) = proc.result {
        let ty = program.vars[result].ty;
        report.require(ty == signature.result, || "the result has another type".into());
    }
}
