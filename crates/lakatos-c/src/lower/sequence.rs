//! A warning where C leaves the order of two accesses open and it matters (C11 6.5p2): a plain
//! variable is changed in one operand and used in another, unsequenced one. Lakatos evaluates
//! left to right; a compiler may not.
//!
//! What a call changes and uses is known when the whole program is lowered: operands of which one
//! calls something are remembered until then.

use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::{Effects, ModSets, Regions};
use lakatos_ir::{Decision, Diagnostic, Id, ProcId, Program, Span};
use rustc_hash::FxHashSet;

use super::library::Role;
use super::{Lower, returns};
use crate::ast::{CBuiltin, DeclId, ExprId, ExprKind};

/// More variables than this in one expression are not looked at.
const MAX_VARIABLES: usize = 64;

/// Two operands in an order that C leaves open, one of which calls something.
#[derive(Debug)]
pub(super) struct OpenOrder {
    span: Span,
    proc: ProcId,
    sides: [Side; 2],
}

/// What an operand does itself, and what it calls.
#[derive(Debug)]
struct Side {
    own: Effects,
    calls: Vec<Called>,
    may_fail: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Called {
    Proc(ProcId),
    /// Whatever a pointer means.
    Any,
    /// `longjmp`.
    Leaves,
}

impl Side {
    fn may_leave(&self, program: &Program, lost: &FxHashSet<ProcId>) -> bool {
        self.calls.iter().any(|called| match called {
            Called::Proc(proc) => lost.contains(proc),
            Called::Any => lost.iter().any(|&proc| program.procs[proc].address_taken),
            Called::Leaves => true,
        })
    }

    fn effects(&self, program: &Program, mods: &ModSets) -> Effects {
        let mut all = self.own.clone();
        for called in &self.calls {
            match called {
                Called::Proc(proc) => all.union_with(mods.of_proc(*proc)),
                Called::Any => {
                    program.defined().for_each(|(proc, ..)| all.union_with(mods.of_proc(proc)));
                }
                Called::Leaves => {}
            }
        }
        all
    }
}

/// Warnings about calls whose order matters. `jumping`: procedures that `longjmp` may leave.
pub(super) fn warnings(
    program: &Program,
    open: &[OpenOrder],
    jumping: Vec<ProcId>,
) -> Vec<Diagnostic> {
    if open.is_empty() {
        return Vec::new();
    }
    let lost = returns::may_not_return(program, jumping);
    let calls = CallGraph::new(program);
    let mods = ModSets::new(program, &calls);
    let mut warned: Vec<Diagnostic> = Vec::new();
    for OpenOrder { span, proc, sides } in open {
        // One is enough for an expression and what it begins with.
        let known = warned.iter().any(|warning| warning.span.start == span.start);
        if known || !calls.is_reachable(*proc) {
            continue;
        }
        let [a, b] = [&sides[0], &sides[1]].map(|side| side.effects(program, &mods));
        let hits = |a: &Effects, b: &Effects| {
            a.writes.overlaps(program, &b.reads) || a.writes.overlaps(program, &b.writes)
        };
        let leaves = |side: &Side| side.may_leave(program, &lost);
        // Whether the other operand is evaluated at all depends on the order.
        let acts = |side: &Side| !side.calls.is_empty() || side.may_fail;
        let is_skipped = |side: &Side, other: &Side| leaves(side) && acts(other);
        if is_skipped(&sides[0], &sides[1]) || is_skipped(&sides[1], &sides[0]) {
            let message = "a call may not come back, and C leaves its order and that of another \
                           operand open; they are evaluated left to right here";
            warned.push(Diagnostic::warning(*span, message).decision(Decision::EvaluationOrder));
        } else if hits(&a, &b) || hits(&b, &a) {
            let message = "a call changes what another operand uses, and C leaves their order \
                           open; it is evaluated left to right here";
            warned.push(Diagnostic::warning(*span, message).decision(Decision::EvaluationOrder));
        }
    }
    warned
}

/// What an lvalue denotes.
#[derive(Clone, Copy, Debug)]
enum Lvalue {
    Variable(DeclId),
    /// A member or an element of a variable.
    Part(DeclId),
    Memory,
}

/// What is found out about a full expression.
#[derive(Debug, Default)]
struct Found {
    conflicts: Vec<(Span, DeclId)>,
    open: Vec<(Span, Accesses, Accesses)>,
}

impl Found {
    /// Two operands are unsequenced.
    fn compare(&mut self, span: Span, a: &Accesses, b: &Accesses) {
        if let Some(decl) = a.conflict(b) {
            return self.conflicts.push((span, decl));
        }
        let calls = !a.calls.is_empty() || !b.calls.is_empty();
        if calls && !a.is_empty() && !b.is_empty() && self.open.len() < MAX_VARIABLES {
            self.open.push((span, a.clone(), b.clone()));
        }
    }
}

/// Plain variables that an expression reads and changes, whether it reaches memory, and what it
/// calls.
#[derive(Clone, Debug, Default)]
struct Accesses {
    reads: Vec<DeclId>,
    changes: Vec<DeclId>,
    /// Variables of which a part is read, or changed.
    parts_read: Vec<DeclId>,
    parts_changed: Vec<DeclId>,
    reads_memory: bool,
    writes_memory: bool,
    calls: Vec<Called>,
    /// An operation of it may be undefined.
    may_fail: bool,
    /// Changes that need not be done when the value of the expression is known.
    pending: Vec<DeclId>,
}

impl Accesses {
    fn is_empty(&self) -> bool {
        let lists = [&self.reads, &self.changes, &self.parts_read, &self.parts_changed];
        let nothing = lists.iter().all(|list| list.is_empty()) && self.calls.is_empty();
        nothing && !self.reads_memory && !self.writes_memory
    }

    fn join(&mut self, other: Accesses) {
        let add = |list: &mut Vec<DeclId>, more: Vec<DeclId>| {
            list.extend(more);
            list.truncate(MAX_VARIABLES);
        };
        add(&mut self.reads, other.reads);
        add(&mut self.changes, other.changes);
        add(&mut self.parts_read, other.parts_read);
        add(&mut self.parts_changed, other.parts_changed);
        add(&mut self.pending, other.pending);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.may_fail |= other.may_fail;
        self.calls.extend(other.calls);
        self.calls.truncate(MAX_VARIABLES);
    }

    /// What an lvalue is a part of is read.
    fn read(&mut self, lvalue: Lvalue) {
        match lvalue {
            Lvalue::Variable(decl) => self.reads.push(decl),
            Lvalue::Part(decl) => self.parts_read.push(decl),
            Lvalue::Memory => self.reads_memory = true,
        }
    }

    /// `self` is sequenced before `other`.
    fn then(&mut self, other: Accesses) {
        self.pending.clear();
        self.join(other);
    }

    fn conflict(&self, other: &Accesses) -> Option<DeclId> {
        let hits = |changes: &[DeclId], there: &Accesses| {
            let used = |d: &&DeclId| there.reads.contains(d) || there.changes.contains(d);
            changes.iter().find(used).copied()
        };
        hits(&self.changes, other).or_else(|| hits(&other.changes, self))
    }
}

impl Lower<'_> {
    /// Checks a full expression.
    pub(super) fn warn_unsequenced(&mut self, e: ExprId) {
        if !self.has_effect(e) {
            return;
        }
        // `x = …`, `x++` and `f(…)` alone, the usual cases.
        let unit = self.unit;
        let inner = match &unit.exprs[e].kind {
            ExprKind::Assign { lhs, rhs } | ExprKind::AssignOp { lhs, rhs, .. } => {
                self.has_effect(*lhs) || self.has_effect(*rhs)
            }
            ExprKind::IncDec { lhs, .. } => self.has_effect(*lhs),
            ExprKind::Call { callee, args } => {
                self.has_effect(*callee) || args.iter().any(|arg| self.has_effect(*arg))
            }
            _ => true,
        };
        if inner {
            let mut found = Found::default();
            self.accesses(e, &mut found);
            let Found { mut conflicts, open } = found;
            for (span, a, b) in open {
                let sides = [self.side(a), self.side(b)];
                self.open_orders.push(OpenOrder { span, proc: self.f.proc, sides });
            }
            conflicts.sort_by_key(|&(span, decl)| (decl, span));
            conflicts.dedup_by_key(|&mut (_, decl)| decl);
            for (span, decl) in conflicts {
                let message = format!(
                    "`{}` is changed in one operand and used in another, and C leaves their order \
                     open; it is evaluated left to right here",
                    self.name(decl)
                );
                let warning = Diagnostic::warning(span, message);
                self.warnings.push(warning.decision(Decision::EvaluationOrder));
            }
        }
    }

    fn side(&self, accesses: Accesses) -> Side {
        let mut own = Effects::default();
        let var = |decl: &DeclId| self.vars[decl.index()];
        let read = accesses.reads.iter().chain(&accesses.parts_read);
        own.reads.vars.extend(read.filter_map(var));
        let changed = accesses.changes.iter().chain(&accesses.parts_changed);
        own.writes.vars.extend(changed.filter_map(var));
        if accesses.reads_memory {
            own.reads.memory = Regions::ALL;
        }
        if accesses.writes_memory {
            own.writes.memory = Regions::ALL;
        }
        Side { own, calls: accesses.calls, may_fail: accesses.may_fail }
    }

    fn lvalue(&self, e: ExprId) -> Lvalue {
        match self.unit.exprs[e].kind {
            ExprKind::Var(decl) => Lvalue::Variable(decl),
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => {
                match self.lvalue(base) {
                    Lvalue::Variable(decl) => Lvalue::Part(decl),
                    other => other,
                }
            }
            _ => Lvalue::Memory,
        }
    }

    fn accesses(&mut self, e: ExprId, found: &mut Found) -> Accesses {
        let mut all = self.accesses_of(e, found);
        all.may_fail |= self.operator_may_fail(e);
        all
    }

    /// The operator itself may be undefined.
    fn operator_may_fail(&self, e: ExprId) -> bool {
        let unit = self.unit;
        match unit.exprs[e].kind {
            ExprKind::Binary(op, ..) => !op.is_comparison(),
            // A number may not fit.
            ExprKind::Convert { operand, .. } => unit.types.is_float(unit.exprs[operand].ty),
            ExprKind::Unary(..)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::SizeofVla(_)
            | ExprKind::VaArg(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::Builtin { .. } => true,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::WideFloat(_)
            | ExprKind::Load(_)
            | ExprKind::Decay(_)
            | ExprKind::FnDecay(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Logical { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Cond { .. }
            | ExprKind::Elvis { .. }
            | ExprKind::Comma(..)
            | ExprKind::Call { .. }
            | ExprKind::Var(_)
            | ExprKind::Member { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Function(_) => false,
        }
    }

    fn accesses_of(&mut self, e: ExprId, found: &mut Found) -> Accesses {
        let unit = self.unit;
        let expr = &unit.exprs[e];
        match &expr.kind {
            ExprKind::Load(lvalue) => {
                let mut all = match unit.exprs[*lvalue].kind {
                    ExprKind::Var(_) => Accesses::default(),
                    _ => self.accesses(*lvalue, found),
                };
                all.read(self.lvalue(*lvalue));
                all
            }
            ExprKind::Comma(..)
            | ExprKind::Logical { .. }
            | ExprKind::Cond { .. }
            | ExprKind::Elvis { .. } => {
                let mut all = Accesses::default();
                expr.kind.for_each_operand(|o| all.then(self.accesses(o, found)));
                all
            }
            ExprKind::Assign { lhs, rhs } => {
                let left = self.accesses(*lhs, found);
                let right = self.accesses(*rhs, found);
                found.compare(expr.span, &left, &right);
                self.assigned(expr.span, *lhs, left, right, found)
            }
            ExprKind::AssignOp { lhs, rhs, .. } => {
                let left = self.accesses(*lhs, found);
                let right = self.accesses(*rhs, found);
                let mut reading = left.clone();
                reading.read(self.lvalue(*lhs));
                // To a call on the right the old value is read after it (C11 6.5.16.2p3).
                match reading.conflict(&right) {
                    Some(decl) => found.conflicts.push((expr.span, decl)),
                    None => found.compare(expr.span, &left, &right),
                }
                self.assigned(expr.span, *lhs, reading, right, found)
            }
            ExprKind::IncDec { lhs, .. } => {
                let left = self.accesses(*lhs, found);
                self.assigned(expr.span, *lhs, left, Accesses::default(), found)
            }
            ExprKind::Call { callee, .. } => {
                let mut all = self.unsequenced(expr.span, &expr.kind, found);
                all.pending.clear();
                match self.direct_callee(*callee).map(|decl| self.role(decl)) {
                    Some(Role::Defined(proc)) => all.calls.push(Called::Proc(proc)),
                    Some(Role::Model(model)) => all.calls.push(Called::Proc(self.proc(model))),
                    Some(
                        Role::Error(_)
                        | Role::External(_)
                        | Role::Library(_)
                        | Role::Environment(..)
                        | Role::Nondet
                        | Role::Unknown
                        | Role::SetJump
                        | Role::Assume
                        | Role::Assert,
                    ) => {}
                    Some(Role::LongJump) => all.calls.push(Called::Leaves),
                    None => all.calls.push(Called::Any),
                }
                all
            }
            ExprKind::Builtin { builtin: CBuiltin::Atomic(_), .. } => {
                let mut all = self.unsequenced(expr.span, &expr.kind, found);
                all.calls.push(Called::Any);
                all
            }
            kind => self.unsequenced(expr.span, kind, found),
        }
    }

    fn unsequenced(&mut self, span: Span, kind: &ExprKind, found: &mut Found) -> Accesses {
        let mut all = Accesses::default();
        kind.for_each_operand(|operand| {
            let accesses = self.accesses(operand, found);
            found.compare(span, &all, &accesses);
            all.join(accesses);
        });
        all
    }

    /// After both sides of an assignment were evaluated.
    fn assigned(
        &mut self,
        span: Span,
        lhs: ExprId,
        mut left: Accesses,
        right: Accesses,
        found: &mut Found,
    ) -> Accesses {
        left.join(right);
        match self.lvalue(lhs) {
            Lvalue::Variable(decl) => {
                if left.pending.contains(&decl) {
                    found.conflicts.push((span, decl));
                }
                left.changes.push(decl);
                left.pending.push(decl);
            }
            Lvalue::Part(decl) => left.parts_changed.push(decl),
            Lvalue::Memory => left.writes_memory = true,
        }
        left
    }
}
