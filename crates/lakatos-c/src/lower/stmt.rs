//! Statements.

use lakatos_ir::{Decision, Diagnostic, ExprId as IrExprId, InputKind, LocId, Span, Type};

use super::Lower;
use super::jump::Loop;
use crate::ast::{AsmEffect, DeclId, ExprId, ExprKind, StmtId, StmtKind, Storage};
use crate::symbol::Symbol;

impl Lower<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let stmt = &self.unit.stmts[id];
        let span = stmt.span;
        if is_step(&stmt.kind) {
            self.interrupt(span);
        }
        if !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Label(_)) {
            self.f.graph.begin(self.f.at, span);
        }
        if !self.notes.is_empty() {
            self.note(id);
        }
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.full(*e),
            StmtKind::Decl(decl) => self.declaration(*decl),
            StmtKind::VlaType(ty) => self.evaluate_lengths(*ty),
            StmtKind::Block(list) => {
                self.enter_scope();
                list.iter().for_each(|&stmt| self.stmt(stmt));
                self.leave_scope(closing(span));
            }
            StmtKind::If { arms, els } => {
                self.enter_scope();
                self.if_stmt(arms, *els, span);
                self.leave_scope(closing(span));
            }
            StmtKind::While { cond, body } => {
                self.enter_scope();
                self.while_stmt(*cond, *body, span);
                self.leave_scope(closing(span));
            }
            StmtKind::DoWhile { body, cond } => {
                self.enter_scope();
                self.do_while(*body, *cond, span);
                self.leave_scope(closing(span));
            }
            StmtKind::For { init, cond, step, body } => {
                self.enter_scope();
                init.iter().for_each(|&stmt| self.stmt(stmt));
                self.for_loop(*cond, *step, *body, span);
                self.leave_scope(closing(span));
            }
            StmtKind::Switch { cond, body } => {
                self.enter_scope();
                self.switch(*cond, *body, span);
                self.leave_scope(closing(span));
            }
            StmtKind::Case { low, high } => self.case(*low, *high, span),
            StmtKind::Default => self.default(span),
            StmtKind::Label(label) => self.label(*label, span),
            StmtKind::Goto(label) => self.goto(*label, span),
            StmtKind::GotoComputed(target) => self.goto_computed(*target, span),
            StmtKind::Break => {
                if let Some(&target) = self.f.loops.last() {
                    self.jump_out(target, target.break_to, span);
                }
            }
            StmtKind::Continue => {
                let target = self.f.loops.iter().rev().find(|l| l.continue_to.is_some()).copied();
                if let Some((target, to)) = target.and_then(|t| Some((t, t.continue_to?))) {
                    self.jump_out(target, to, span);
                }
            }
            StmtKind::Return(value) => self.return_stmt(*value, span),
            StmtKind::Asm { outputs, inputs, labels, effect } => {
                self.asm(outputs, inputs, *effect, span);
                labels.iter().for_each(|&label| self.perhaps_goto(label, span));
            }
        }
    }

    /// A full expression whose value is not used.
    fn full(&mut self, e: ExprId) {
        self.warn_unsequenced(e);
        self.effect(e);
    }

    /// A full expression that decides where to go.
    fn condition(&mut self, e: ExprId, yes: LocId, no: LocId) {
        self.warn_unsequenced(e);
        self.branch(e, yes, no);
    }

    /// Places the ACSL comments that stand before a statement. Those about a loop belong to its
    /// head, which in a `for` comes after the initialisation.
    fn note(&mut self, id: StmtId) {
        let Some(notes) = self.notes.get(&id) else { return };
        let kind = &self.unit.stmts[id].kind;
        let is_loop = matches!(
            kind,
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }
        );
        for &index in notes {
            if is_loop && self.unit.annotations[index].text.trim_start().starts_with("loop") {
                self.f.loop_notes.push(index);
            } else {
                self.f.graph.pin(self.f.at);
                self.f.notes.push((index, self.f.at));
            }
        }
    }

    fn loop_head(&mut self, span: Span) -> LocId {
        let head = self.fresh();
        self.f.graph.mark_head(head);
        self.join(head, span);
        // A jump into the body may be the only way here.
        self.f.graph.revive(head);
        self.f.graph.begin(head, span);
        for index in std::mem::take(&mut self.f.loop_notes) {
            self.f.notes.push((index, head));
        }
        head
    }

    fn if_stmt(&mut self, arms: &[(ExprId, StmtId)], els: Option<StmtId>, span: Span) {
        let end = self.fresh();
        for (number, &(cond, then)) in arms.iter().enumerate() {
            let (yes, no) = (self.fresh(), self.fresh());
            if number > 0 {
                self.interrupt(self.unit.exprs[cond].span);
            }
            self.f.graph.begin(self.f.at, self.unit.exprs[cond].span);
            self.condition(cond, yes, no);
            self.f.at = yes;
            self.inner(then);
            self.jump(end, span);
            self.f.at = no;
        }
        if let Some(els) = els {
            self.inner(els);
        }
        self.join(end, span);
    }

    /// What belongs to another statement is a block, with braces or not.
    fn inner(&mut self, body: StmtId) {
        self.enter_scope();
        self.stmt(body);
        self.leave_scope(closing(self.unit.stmts[body].span));
    }

    fn while_stmt(&mut self, cond: ExprId, body: StmtId, span: Span) {
        let head = self.loop_head(span);
        let (inside, end) = (self.fresh(), self.fresh());
        self.interrupt(span);
        self.condition(cond, inside, end);
        self.f.at = inside;
        self.loop_body(body, end, head);
        self.jump(head, span);
        self.f.at = end;
    }

    fn do_while(&mut self, body: StmtId, cond: ExprId, span: Span) {
        let head = self.loop_head(span);
        let (test, end) = (self.fresh(), self.fresh());
        self.loop_body(body, end, test);
        self.join(test, span);
        self.interrupt(span);
        self.f.graph.begin(test, self.unit.exprs[cond].span);
        self.condition(cond, head, end);
        self.f.at = end;
    }

    fn for_loop(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId, span: Span) {
        let head = self.loop_head(span);
        let (inside, next, end) = (self.fresh(), self.fresh(), self.fresh());
        self.interrupt(span);
        match cond {
            Some(cond) => self.condition(cond, inside, end),
            None => self.jump(inside, span),
        }
        self.f.at = inside;
        self.loop_body(body, end, next);
        self.join(next, span);
        if let Some(step) = step {
            self.interrupt(span);
            self.f.graph.begin(next, self.unit.exprs[step].span);
            self.full(step);
        }
        self.jump(head, span);
        self.f.at = end;
    }

    fn loop_body(&mut self, body: StmtId, break_to: LocId, continue_to: LocId) {
        let scope = self.f.scope;
        self.f.loops.push(Loop { break_to, continue_to: Some(continue_to), scope });
        self.inner(body);
        self.f.loops.pop();
    }

    fn return_stmt(&mut self, value: Option<ExprId>, span: Span) {
        let result = self.ir.procs[self.f.proc].result.map(|var| self.ir.vars[var].ty);
        let value = match (value, result) {
            (Some(e), Some(ty)) => {
                self.warn_unsequenced(e);
                let value = self.value(e);
                let scalar = ty.is_scalar();
                Some(if scalar { self.convert(value, ty, span) } else { value })
            }
            (Some(e), None) => {
                self.full(e);
                None
            }
            (None, Some(ty)) if self.is_live() => Some(self.outside_result(ty, span)),
            (None, _) => None,
        };
        self.leave_function(value, span);
    }

    /// Assembly jumps, or goes on.
    fn perhaps_goto(&mut self, label: Symbol, span: Span) {
        let choice = self.temp_place(Type::BOOL, span);
        self.havoc(choice, InputKind::Assembly, "asm goto".to_owned(), span);
        let choice = self.load(choice, span);
        let (jump, on) = (self.fresh(), self.fresh());
        self.split(choice, jump, on, span);
        self.f.at = jump;
        self.goto(label, span);
        self.f.at = on;
    }

    fn asm(&mut self, outputs: &[ExprId], inputs: &[ExprId], effect: AsmEffect, span: Span) {
        let message = match effect {
            AsmEffect::Nothing if outputs.is_empty() => None,
            AsmEffect::Nothing | AsmEffect::Outputs => Some(
                "inline assembly: its outputs get any value, and it is assumed to change nothing \
                 else",
            ),
            AsmEffect::Unknown => Some(
                "inline assembly: its outputs get any value, and it is assumed to change nothing \
                 else; a run through it refutes nothing, as it may not come back",
            ),
            AsmEffect::Memory => None,
        };
        if let Some(message) = message {
            let warning = Diagnostic::warning(span, message).decision(Decision::Assembly);
            self.external_warnings.push((self.f.proc, warning));
        }
        self.f.has_assembly |= effect != AsmEffect::Nothing;
        if effect == AsmEffect::Memory {
            self.unsupported(span, "assembly that changes memory");
        }
        for &input in inputs {
            self.warn_unsequenced(input);
            let ty = self.unit.exprs[input].ty;
            if self.register_object(input).is_some() {
                continue;
            }
            match self.unit.types.is_scalar(ty) {
                true => {
                    let value = self.value(input);
                    self.hold(value);
                }
                false => self.effect(input),
            }
        }
        for &output in outputs {
            let place = match self.register_object(output) {
                Some(decl) => {
                    let var = self.var(decl);
                    self.var_place(var, span)
                }
                None => self.place(output),
            };
            let any = |l: &mut Self| {
                l.havoc(place, InputKind::Assembly, "asm".to_owned(), span);
            };
            self.unless_register(output, place, span, any, |_| {});
        }
        if effect == AsmEffect::Unknown {
            let temp = self.temp_place(Type::BOOL, span);
            self.havoc(temp, InputKind::Assembly, "asm".to_owned(), span);
        }
    }

    /// An operand that is a local object kept in a register.
    fn register_object(&self, operand: ExprId) -> Option<DeclId> {
        match self.unit.exprs[operand].kind {
            ExprKind::Load(lvalue) => self.register_object(lvalue),
            ExprKind::Var(decl) => self
                .object(decl)
                .is_some_and(|object| object.register && object.storage == Storage::Local)
                .then_some(decl),
            _ => None,
        }
    }

    /// GNU `({ … })`; its value if wanted.
    pub(super) fn stmt_expr(
        &mut self,
        body: &[StmtId],
        result: Option<ExprId>,
        want: bool,
        span: Span,
    ) -> Option<IrExprId> {
        self.enter_scope();
        body.iter().for_each(|&stmt| self.stmt(stmt));
        let value = match result {
            Some(e) if want && !self.unit.types.is_void(self.unit.exprs[e].ty) => {
                self.warn_unsequenced(e);
                let value = self.value(e);
                // The variables it may be made of are about to go.
                Some(if self.scope_has_variables() { self.hold(value) } else { value })
            }
            Some(e) => {
                self.full(e);
                None
            }
            None => None,
        };
        self.leave_scope(closing(span));
        value
    }
}

/// A handler of a signal may run before it. (A loop has its own places for that.)
fn is_step(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Expr(_)
        | StmtKind::Decl(_)
        | StmtKind::VlaType(_)
        | StmtKind::If { .. }
        | StmtKind::Switch { .. }
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Return(_)
        | StmtKind::Asm { .. } => true,
        StmtKind::Empty
        | StmtKind::Block(_)
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::For { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Label(_)
        | StmtKind::Break
        | StmtKind::Continue => false,
    }
}

/// The closing brace of a block.
fn closing(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), end: span.end }
}
