//! Properties become error locations.
//!
//! - `unreach-call`: a call of an error function becomes an edge to an error location; a call
//!   through a pointer that may mean one branches on the pointer first; a C label may be an
//!   error location too.
//! - the others: before an operation that may be undefined ([`undefined`]) the run branches on
//!   the violating condition, to an error location or on to the operation.
//!
//! In programs that proofs are about, a call of a function after which nothing is known is an error
//! location as well, whatever the property.
//!
//! Every run of the program is kept; a run that violates a property now ends in an error
//! location, at the first violation. Calls of error functions stay as they are where
//! `unreach-call` is not asked for. Conditions of branches are checked once, before the branch;
//! where the conditions of one location are checked for different things, they are tried in
//! order, as the interpreter does (branches are exclusive). All checks of an instruction come
//! before it: where it is undefined in several ways, the first that a property watches for
//! counts. Locations keep their ids, new ones
//! come after them; facts at a location hold before its checks.

use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::callgraph::CallGraph;
use crate::expr::{BinOp, ExprId, ExprKind, UnOp, Undefined};
use crate::library::Gap;
use crate::pass::inverse::{Inverse, Layer, Origin, ProcLayer};
use crate::pass::same::Same;
use crate::pass::{expect_no_blocks, without_edges};
use crate::program::{
    Call, Callee, Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program, Var, VarId, VarKind,
};
use crate::property::{Property, Violation};
use crate::source::Span;
use crate::ty::Type;
use crate::undefined::{self, Check};

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    pub properties: &'a [Property],
    /// A C label that violates `unreach-call` when it is reached.
    pub error_label: Option<&'a str>,
    /// A call of a function without a model stays a call, for programs that are run; otherwise it is an
    /// error, which a proof excludes.
    pub is_run: bool,
}

/// Adds the error locations of a request.
pub fn instrument(mut program: Program, request: &Request) -> (Program, Inverse) {
    expect_no_blocks(&program);
    let calls = CallGraph::new(&program);
    let mut layer = Layer::default();
    for proc in program.procs.ids() {
        if let Some(old) = program.procs[proc].body.take() {
            let new = without_edges(&old);
            let mut builder = Builder {
                program: &mut program,
                calls: &calls,
                request,
                proc,
                new,
                origins: Arena::new(),
            };
            builder.body(&old);
            let Builder { new, origins, .. } = builder;
            program.procs[proc].body = Some(new);
            layer.procs.insert(proc, ProcLayer { origins, ..ProcLayer::default() });
        }
    }
    (program, Inverse::of(layer))
}

/// The property that watches for a kind of undefined behaviour. Those of memory need more than the
/// indices that are looked at here: see [`safety`](crate::pass::safety).
fn property_of(properties: &[Property], kind: Undefined) -> Option<Property> {
    properties.iter().copied().find(|property| property.is_violated_by(kind))
}

struct Builder<'a> {
    program: &'a mut Program,
    calls: &'a CallGraph,
    request: &'a Request<'a>,
    proc: ProcId,
    new: Cfa,
    origins: Arena<EdgeId, Origin>,
}

/// The edges of one location that are checked together: all assumptions, or one other edge.
enum Group<'a> {
    Branch(Vec<(EdgeId, &'a Edge, ExprId)>),
    Single(EdgeId, &'a Edge),
}

impl Builder<'_> {
    fn body(&mut self, old: &Cfa) {
        for (loc, l) in old.locs.iter() {
            let mut groups: Vec<Group> = Vec::new();
            for &id in &l.out {
                let edge = &old.edges[id];
                match (&edge.instr, groups.iter_mut().find(|g| matches!(g, Group::Branch(_)))) {
                    (&Instr::Assume(c), Some(Group::Branch(list))) => list.push((id, edge, c)),
                    (&Instr::Assume(c), _) => groups.push(Group::Branch(vec![(id, edge, c)])),
                    _ => groups.push(Group::Single(id, edge)),
                }
            }
            let alone = groups.len() == 1;
            for group in groups {
                match group {
                    Group::Branch(edges) => self.branch(loc, edges, alone),
                    Group::Single(id, edge) => self.single(loc, id, edge, alone),
                }
            }
        }
        if let Some(label) = self.request.error_label {
            for (_, loc) in old.labels.iter().filter(|(name, _)| name == label) {
                let span = self.new.locs[*loc].span;
                let message = format!("label `{label}` is reached");
                self.new.locs[*loc].error = Some(self.unreach_call(span, message));
            }
        }
    }

    fn checks(&mut self, instr: &Instr) -> undefined::Checks {
        let properties = self.request.properties;
        let wanted = |kind: Undefined| property_of(properties, kind).is_some();
        undefined::of_instr(self.program, instr, &wanted)
    }

    /// All assumptions that leave a location.
    fn branch(&mut self, from: LocId, edges: Vec<(EdgeId, &Edge, ExprId)>, alone: bool) {
        // The two sides of a branch evaluate the same things: check them once.
        let mut same = Same::default();
        let mut seen = BTreeSet::new();
        let mut fresh: Vec<Vec<Check>> = Vec::new();
        for (_, edge, _) in &edges {
            let mut checks = self.checks(&edge.instr).before;
            checks.retain(|c| seen.insert(same.expr(self.program, c.condition)));
            fresh.push(checks);
        }
        let last = fresh.iter().rposition(|checks| !checks.is_empty());
        let mut at = if last.is_some() { self.choose(from, alone, edges[0].1.span) } else { from };
        for (number, ((id, edge, condition), checks)) in edges.into_iter().zip(fresh).enumerate() {
            at = self.guard(at, &[id], checks);
            self.edge(at, edge.to, edge.instr.clone(), edge.span, vec![id]);
            if last.is_some_and(|last| number < last) {
                let negated = self.not(condition, edge.span);
                at = self.step(at, Instr::Assume(negated), edge.span);
            }
        }
    }

    /// An edge that is no assumption.
    fn single(&mut self, from: LocId, id: EdgeId, edge: &Edge, alone: bool) {
        let checks = self.checks(&edge.instr);
        let errors = self.error_targets(id, &edge.instr);
        if checks.before.is_empty() && checks.after.is_empty() && errors.is_empty() {
            self.edge(from, edge.to, edge.instr.clone(), edge.span, vec![id]);
            return;
        }
        let from = self.choose(from, alone, edge.span);
        let at = self.guard(from, &[id], checks.before);
        match &edge.instr {
            Instr::Call(call) => {
                let at = match call.callee {
                    Callee::Pointer(pointer) => {
                        self.pointer_call(at, id, edge, call, pointer, &errors)
                    }
                    _ if errors.is_empty() => at,
                    _ => return self.error_call(at, id, edge, call, errors[0]),
                };
                self.call(at, id, edge, call, checks.after);
            }
            instr => self.edge(at, edge.to, instr.clone(), edge.span, vec![id]),
        }
    }

    /// The procedures that an edge may call whose call is an error.
    fn error_targets(&self, id: EdgeId, instr: &Instr) -> Vec<ProcId> {
        if !matches!(instr, Instr::Call(_)) {
            return Vec::new();
        }
        let targets = self.calls.targets(self.proc, id).iter().copied();
        targets.filter(|&callee| self.error_of(callee).is_some()).collect()
    }

    /// The property that a call of a procedure violates, and how.
    fn error_of(&self, callee: ProcId) -> Option<(Property, String)> {
        let procedure = &self.program.procs[callee];
        let properties = self.request.properties;
        if procedure.is_error {
            let asked = properties.contains(&Property::UnreachCall);
            let message = format!("`{}` is called", procedure.name);
            return asked.then_some((Property::UnreachCall, message));
        }
        let is_about_memory = properties.iter().any(|property| property.is_about_memory());
        let needs_model = procedure.unmodelled()?.needs_model(is_about_memory);
        let property = properties.first().copied().unwrap_or(Property::UnreachCall);
        let message = Gap::of(self.program, callee).to_string();
        (needs_model && !self.request.is_run).then_some((property, message))
    }

    /// The arguments are evaluated, then the error function is called: an error.
    fn error_call(&mut self, at: LocId, id: EdgeId, edge: &Edge, call: &Call, callee: ProcId) {
        let mut at = at;
        for &arg in &call.args {
            if !undefined::possible(self.program, arg) {
                continue;
            }
            let (ty, span) = (self.program.exprs[arg].ty, self.program.exprs[arg].span);
            let temp = self.temp(ty, span);
            let place = self.program.var_place(temp, span);
            at = self.step(at, Instr::Assign(place, arg), span);
        }
        let Some((property, message)) = self.error_of(callee) else { return };
        let violation = Violation { property, undefined: None, span: edge.span, message };
        self.error(at, Instr::Skip, violation, &[id]);
    }

    /// Branches on the pointer for every error function that it may mean; what is left is the
    /// call itself.
    fn pointer_call(
        &mut self,
        at: LocId,
        id: EdgeId,
        edge: &Edge,
        call: &Call,
        pointer: ExprId,
        errors: &[ProcId],
    ) -> LocId {
        let mut at = at;
        for &callee in errors {
            let is_it = self.means(pointer, callee, edge.span);
            let taken = self.step(at, Instr::Assume(is_it), edge.span);
            self.error_call(taken, id, edge, call, callee);
            let is_not = self.not(is_it, edge.span);
            at = self.step(at, Instr::Assume(is_not), edge.span);
        }
        at
    }

    /// The call; checks of the place for its result come after it has returned.
    fn call(&mut self, at: LocId, id: EdgeId, edge: &Edge, call: &Call, after: Vec<Check>) {
        let (Some(place), false) = (call.result, after.is_empty()) else {
            return self.edge(at, edge.to, edge.instr.clone(), edge.span, vec![id]);
        };
        let temp = self.temp(self.program.places[place].ty, edge.span);
        let result = Some(self.program.var_place(temp, edge.span));
        let returned = self.new.add_loc(edge.span);
        let instr = Instr::Call(Call { result, ..call.clone() });
        self.edge(at, returned, instr, edge.span, vec![id]);
        // The call, in which it goes wrong, is on the way already.
        let at = self.guard(returned, &[], after);
        let value = self.program.load_var(temp, edge.span);
        self.edge(at, edge.to, Instr::Assign(place, value), edge.span, Vec::new());
    }

    /// `pointer == callee`.
    fn means(&mut self, pointer: ExprId, callee: ProcId, span: Span) -> ExprId {
        let ty = self.program.exprs[pointer].ty;
        let function = Type::Function(self.program.procs[callee].signature);
        let own = self.program.types.pointer_to(function);
        let mut address = self.program.expr(ExprKind::Function(callee), own, span);
        if own != ty {
            address = self.program.expr(ExprKind::Cast(address), ty, span);
        }
        let kind = ExprKind::Binary(BinOp::Eq, pointer, address);
        self.program.expr(kind, Type::BOOL, span)
    }

    fn not(&mut self, condition: ExprId, span: Span) -> ExprId {
        self.program.expr(ExprKind::Unary(UnOp::Not, condition), Type::BOOL, span)
    }

    /// Where checks of one of several groups of edges begin: behind a choice of the group.
    fn choose(&mut self, from: LocId, alone: bool, span: Span) -> LocId {
        if alone { from } else { self.step(from, Instr::Skip, span) }
    }

    /// Branches on each check: to an error location, or on. In the old program, `origin` is what
    /// goes wrong.
    fn guard(&mut self, at: LocId, origin: &[EdgeId], checks: Vec<Check>) -> LocId {
        let mut at = at;
        for check in checks {
            let Check { kind, span, condition, message } = check;
            let property = property_of(self.request.properties, kind);
            let property = property.expect("only what a property watches was asked for");
            let violation = Violation { property, undefined: Some(kind), span, message };
            self.error(at, Instr::Assume(condition), violation, origin);
            let passes = self.not(condition, span);
            at = self.step(at, Instr::Assume(passes), span);
        }
        at
    }

    /// An edge to a new error location.
    fn error(&mut self, at: LocId, instr: Instr, violation: Violation, origin: &[EdgeId]) {
        let span = violation.span;
        let error = self.new.add_loc(span);
        self.new.locs[error].error = Some(violation);
        self.edge(at, error, instr, span, origin.to_vec());
    }

    /// An added edge to a new location, which is returned.
    fn step(&mut self, at: LocId, instr: Instr, span: Span) -> LocId {
        let next = self.new.add_loc(span);
        self.edge(at, next, instr, span, Vec::new());
        next
    }

    fn edge(&mut self, from: LocId, to: LocId, instr: Instr, span: Span, origin: Vec<EdgeId>) {
        self.new.add_edge(from, to, instr, span);
        self.origins.push(Origin::Path(origin));
    }

    fn unreach_call(&self, span: Span, message: String) -> Violation {
        Violation { property: Property::UnreachCall, undefined: None, span, message }
    }

    fn temp(&mut self, ty: Type, span: Span) -> VarId {
        let temp = self.program.vars.push(Var {
            name: format!("tmp{}", self.program.vars.len()),
            ty,
            kind: VarKind::Temp(self.proc),
            span,
            address_taken: false,
            c_type: String::new(),
        });
        self.program.procs[self.proc].locals.push(temp);
        temp
    }
}
