//! Scopes and jumps: which lives end and which objects come to be on the way.

use std::ops::Range;

use lakatos_ir::{
    BinOp, Builtin, Diagnostic, ExprId as IrExprId, InputKind, Instr, LocId, Span, Type, VarId,
};

use super::Lower;
use super::call::{Site, Want};
use super::graph::NOWHERE;
use crate::ast::ExprId;
use crate::symbol::Symbol;

/// An index into the scopes of the function.
pub(super) type ScopeId = usize;

#[derive(Debug, Default)]
pub(super) struct Scope {
    parent: ScopeId,
    depth: u32,
    vars: Vec<ScopeVar>,
}

#[derive(Clone, Copy, Debug)]
struct ScopeVar {
    var: VarId,
    /// How many variables of the function were declared before.
    order: u32,
    passed: Passed,
}

/// What a jump past the declaration of a variable means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// It has no value yet: any.
    AnyValue,
    /// Nothing: compound literals get their value whenever they are evaluated.
    Nothing,
    /// A variable-length array would have no size: not C. A jump back over the declaration ends
    /// its life.
    Error,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub break_to: LocId,
    /// `None` for a `switch`.
    pub continue_to: Option<LocId>,
    pub scope: ScopeId,
}

/// A position in the function as jumps see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub scope: ScopeId,
    pub declared: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub loc: LocId,
    /// `None` until the label is met.
    spot: Option<Spot>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Goto {
    from: LocId,
    spot: Spot,
    label: Symbol,
    span: Span,
}

impl Lower<'_> {
    pub(super) fn enter_scope(&mut self) {
        let parent = self.f.scope;
        let depth = self.f.scopes[parent].depth + 1;
        self.f.scope = self.f.scopes.len();
        self.f.scopes.push(Scope { parent, depth, vars: Vec::new() });
    }

    /// Ends the lives of the scope's variables and closes it.
    pub(super) fn leave_scope(&mut self, span: Span) {
        let parent = self.f.scopes[self.f.scope].parent;
        self.end_lives(parent, span);
        self.f.scope = parent;
    }

    pub(super) fn scope_has_variables(&self) -> bool {
        !self.f.scopes[self.f.scope].vars.is_empty()
    }

    /// Control goes from here to somewhere in `outer`, which surrounds the open scope.
    pub(super) fn end_lives(&mut self, outer: ScopeId, span: Span) {
        let mut scope = self.f.scope;
        while scope != outer {
            self.end_scope_lives(scope, u32::MAX, span);
            scope = self.f.scopes[scope].parent;
        }
    }

    fn end_scope_lives(&mut self, scope: ScopeId, declared: u32, span: Span) {
        for i in (0..self.f.scopes[scope].vars.len()).rev() {
            let ScopeVar { var, order, .. } = self.f.scopes[scope].vars[i];
            if order < declared {
                self.clean_up(var, span);
                self.emit(Instr::Dead(var), span);
            }
        }
    }

    /// `__attribute__((cleanup(function)))`: the call when the scope of a variable is left.
    fn clean_up(&mut self, var: VarId, span: Span) {
        let Some(&function) = self.f.cleanups.get(&var) else { return };
        let place = self.var_place(var, span);
        let pointer = self.pointer_to(self.ir.vars[var].ty);
        let address = self.address_of(place, pointer, span);
        let ty = self.declared_signature(function).result;
        let site = Site { span, ty, want: Want::Nothing };
        let role = self.role(function);
        self.call_as(role, function, vec![address], site);
    }

    /// A return: what the variables in scope want to be called is called, after the value is known.
    pub(super) fn leave_function(&mut self, mut value: Option<IrExprId>, span: Span) {
        if !self.f.cleanups.is_empty() {
            value = value.map(|value| self.hold(value));
            let mut scope = self.f.scope;
            loop {
                let vars: Vec<VarId> =
                    self.f.scopes[scope].vars.iter().rev().map(|own| own.var).collect();
                vars.into_iter().for_each(|var| self.clean_up(var, span));
                if scope == 0 {
                    break;
                }
                scope = self.f.scopes[scope].parent;
            }
        }
        self.return_value(value, span);
    }

    pub(super) fn declare_in_scope(&mut self, var: VarId, passed: Passed) {
        let order = self.f.declared;
        self.f.declared += 1;
        let scope = self.f.scope;
        self.f.scopes[scope].vars.push(ScopeVar { var, order, passed });
    }

    /// Variables in whose scope a spot is.
    pub(super) fn declared_before(&self, spot: Spot) -> Vec<VarId> {
        let (mut scope, mut found) = (spot.scope, Vec::new());
        loop {
            let vars = self.f.scopes[scope].vars.iter().filter(|v| v.order < spot.declared);
            found.extend(vars.map(|v| v.var));
            if scope == 0 {
                return found;
            }
            scope = self.f.scopes[scope].parent;
        }
    }

    pub(super) fn spot(&self) -> Spot {
        Spot { scope: self.f.scope, declared: self.f.declared }
    }

    pub(super) fn jump_out(&mut self, target: Loop, to: LocId, span: Span) {
        self.end_lives(target.scope, span);
        self.jump(to, span);
    }

    fn label_loc(&mut self, label: Symbol) -> LocId {
        if let Some(known) = self.f.labels.get(&label) {
            return known.loc;
        }
        let loc = self.fresh();
        self.f.labels.insert(label, Label { loc, spot: None });
        loc
    }

    pub(super) fn label(&mut self, label: Symbol, span: Span) {
        let loc = self.label_loc(label);
        self.f.labels.insert(label, Label { loc, spot: Some(self.spot()) });
        self.f.label_order.push(label);
        self.join(loc, span);
        self.f.graph.revive(loc);
    }

    /// The edges of a `goto` are made at the end of the function, when all labels are known.
    pub(super) fn goto(&mut self, label: Symbol, span: Span) {
        let loc = self.label_loc(label);
        if self.f.labels[&label].spot.is_some() {
            self.f.graph.mark_head(loc);
        }
        let (from, spot) = (self.f.at, self.spot());
        self.f.gotos.push(Goto { from, spot, label, span });
        self.f.at = NOWHERE;
    }

    /// GNU `goto *pointer`: a jump to the label whose address it is. Any other pointer is undefined.
    pub(super) fn goto_computed(&mut self, target: ExprId, span: Span) {
        self.warn_unsequenced(target);
        let target = self.value(target);
        let target = self.hold(target);
        let ty = self.type_of(target);
        for (label, object) in self.f.label_objects.clone() {
            let var = self.var(object);
            let place = self.var_place(var, span);
            let address = self.address_of(place, ty, span);
            let equal = self.binary(BinOp::Eq, target, address, Type::BOOL, span);
            let (here, on) = (self.fresh(), self.fresh());
            self.split(equal, here, on, span);
            self.f.at = here;
            self.goto(label, span);
            self.f.at = on;
        }
        self.end_run(Builtin::Unreachable, span);
        self.f.at = NOWHERE;
    }

    pub(super) fn resolve_gotos(&mut self) {
        for goto in std::mem::take(&mut self.f.gotos) {
            let Label { loc, spot } = self.f.labels[&goto.label];
            self.f.at = goto.from;
            match spot {
                Some(spot) => self.pass(goto.spot, spot, InputKind::Uninitialised, goto.span),
                None => {
                    let name = self.unit.symbols.name(goto.label);
                    let message = format!("label `{name}` is not defined");
                    self.f.unsupported.push(Diagnostic::error(goto.span, message));
                }
            }
            self.jump(loc, goto.span);
        }
    }

    /// What a jump does on its way: lives of the scopes it leaves end; variables whose
    /// declarations it passes have any value, of this kind.
    pub(super) fn pass(&mut self, from: Spot, to: Spot, kind: InputKind, span: Span) {
        let (mut left, mut entered) = (from.scope, to.scope);
        let mut path = Vec::new();
        while left != entered {
            let scopes = &self.f.scopes;
            if scopes[left].depth >= scopes[entered].depth {
                let parent = scopes[left].parent;
                self.end_scope_lives(left, from.declared, span);
                left = parent;
            } else {
                path.push(entered);
                entered = scopes[entered].parent;
            }
        }
        self.end_arrays(left, from.declared, to.declared, span);
        self.pass_declarations(left, from.declared..to.declared, kind, span);
        for scope in path.into_iter().rev() {
            self.pass_declarations(scope, 0..to.declared, kind, span);
        }
    }

    /// A jump back over declarations: of variable-length arrays each is another array when it is
    /// passed again (C11 6.2.4p7), other variables live as long as their block.
    fn end_arrays(&mut self, scope: ScopeId, from: u32, to: u32, span: Span) {
        let vars = self.f.scopes[scope].vars.clone();
        let passed = |v: &&ScopeVar| to <= v.order && v.order < from;
        for v in vars.iter().rev().filter(passed) {
            self.clean_up(v.var, span);
            if v.passed == Passed::Error {
                self.emit(Instr::Dead(v.var), span);
            }
        }
    }

    fn pass_declarations(
        &mut self,
        scope: ScopeId,
        passed: Range<u32>,
        kind: InputKind,
        span: Span,
    ) {
        let vars = &self.f.scopes[scope].vars;
        let first = vars.partition_point(|v| v.order < passed.start);
        let end = vars.partition_point(|v| v.order < passed.end);
        for i in first..end {
            let ScopeVar { var, passed, .. } = self.f.scopes[scope].vars[i];
            if self.f.cleanups.contains_key(&var) {
                self.unsupported(span, "a jump into the scope of a variable with a cleanup");
            }
            match passed {
                Passed::Nothing => {}
                Passed::AnyValue => {
                    let place = self.var_place(var, span);
                    let name = self.ir.vars[var].name.clone();
                    self.havoc(place, kind, name, span);
                }
                Passed::Error => {
                    self.unsupported(span, "a jump into the scope of a variable-length array");
                }
            }
        }
    }
}
