//! The function being lowered: where control is, scopes, jumps, temporaries.

use lakatos_ir::{
    Annotation, AnnotationTarget, Cfa, Diagnostic, ExprId, ExprKind, InputKind, Instr, IntType,
    LocId, PlaceId, ProcId, Site, SiteId, Span, Type, VarId, VarKind,
};
use rustc_hash::FxHashMap;

use super::graph::{EXIT, Graph, Moved, NOWHERE};
use super::jump::{Goto, Label, Loop, Scope, ScopeId};
use super::nonlocal::{Landing, Unwinding};
use super::place::NAMED_REGISTER;
use super::switch::Switch;
use super::{Lower, Lowered};
use crate::ast::{self, DeclId, DeclKind};
use crate::symbol::Symbol;
use crate::types::Ty;

#[derive(Debug)]
pub(super) struct Func {
    pub proc: ProcId,
    pub graph: Graph,
    /// Where control is.
    pub at: LocId,
    pub locals: Vec<VarId>,
    /// All scopes of the function, as a tree; `scope` is the innermost open one.
    pub scopes: Vec<Scope>,
    pub scope: ScopeId,
    /// Variables declared so far, to know what a jump passes.
    pub declared: u32,
    pub loops: Vec<Loop>,
    pub switches: Vec<Switch>,
    pub labels: FxHashMap<Symbol, Label>,
    pub label_order: Vec<Symbol>,
    pub gotos: Vec<Goto>,
    /// Calls of `setjmp`, and variables for those that are still to come.
    pub landings: Vec<Landing>,
    pub numbers: Vec<VarId>,
    /// Where calls have ended by `longjmp`.
    pub unwindings: Vec<Unwinding>,
    /// Labels whose addresses are taken, each with an object that has this address.
    pub label_objects: Vec<(Symbol, DeclId)>,
    /// Where the variable arguments of this call are.
    pub arguments: Option<VarId>,
    /// Functions that are called with the address of a variable when its scope is left.
    pub cleanups: FxHashMap<VarId, DeclId>,
    /// Lengths of variable-length arrays by their expression; numbers of elements by type.
    pub lengths: FxHashMap<ast::ExprId, VarId>,
    pub counts: FxHashMap<Ty, VarId>,
    pub mentions: Vec<ProcId>,
    pub unsupported: Vec<Diagnostic>,
    /// Where variables are read or written that are in registers that the program names: calls and
    /// assembly may change these.
    pub register_uses: Vec<Span>,
    pub has_assembly: bool,
    /// ACSL comments with the location where their statement begins.
    pub notes: Vec<(usize, LocId)>,
    /// ACSL comments waiting for the head of the loop they stand before.
    pub loop_notes: Vec<usize>,
}

impl Func {
    pub(super) fn new(proc: ProcId, span: Span) -> Func {
        Func {
            proc,
            graph: Graph::new(span),
            at: super::graph::ENTRY,
            locals: Vec::new(),
            scopes: vec![Scope::default()],
            scope: 0,
            declared: 0,
            loops: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            label_order: Vec::new(),
            gotos: Vec::new(),
            landings: Vec::new(),
            numbers: Vec::new(),
            unwindings: Vec::new(),
            label_objects: Vec::new(),
            arguments: None,
            cleanups: FxHashMap::default(),
            lengths: FxHashMap::default(),
            counts: FxHashMap::default(),
            mentions: Vec::new(),
            unsupported: Vec::new(),
            register_uses: Vec::new(),
            has_assembly: false,
            notes: Vec::new(),
            loop_notes: Vec::new(),
        }
    }
}

impl Lower<'_> {
    pub(super) fn lower_function(&mut self, decl: DeclId) -> Lowered {
        let proc = self.proc(decl);
        let body = self.body(decl).expect("only defined functions are lowered");
        self.f = Func::new(proc, body.span);
        self.f.label_objects = body.labels.clone();
        if matches!(&self.unit.decls[decl].kind, DeclKind::Function(f) if f.weak) {
            self.warn_weak(decl);
        }
        let function = self.ty(self.unit.decls[decl].ty);
        self.take_over(function, body.span);
        for &param in &body.params {
            let ty = self.unit.decls[param].ty;
            self.evaluate_lengths(ty);
        }
        self.prepare_landings(decl, body.span);
        self.stmt(body.block);
        self.fall_off_end(decl);
        self.resolve_gotos();
        self.resolve_jumps();
        self.finish_function()
    }

    /// Control reaches the closing brace: `main` returns 0, a result that was promised but never
    /// given is any value.
    fn fall_off_end(&mut self, decl: DeclId) {
        if !self.is_live() {
            return;
        }
        let span = self.body(decl).map_or(Span::default(), |body| body.span);
        let span = Span { start: span.end.saturating_sub(1).max(span.start), end: span.end };
        self.interrupt(span);
        self.f.graph.begin(self.f.at, span);
        let result = self.ir.procs[self.f.proc].result.map(|var| self.ir.vars[var].ty);
        let value = match result {
            None => None,
            Some(Type::Int(int)) if self.f.proc == self.ir.main => Some(self.int(0, int, span)),
            Some(ty) => Some(self.outside_result(ty, span)),
        };
        self.leave_function(value, span);
    }

    /// The value of a function that returned none.
    pub(super) fn outside_result(&mut self, ty: Type, span: Span) -> ExprId {
        let name = self.ir.procs[self.f.proc].name.clone();
        let temp = self.temp_place(ty, span);
        self.havoc(temp, InputKind::Uninitialised, name, span);
        self.expr(ExprKind::Load(temp), ty, span)
    }

    pub(super) fn return_value(&mut self, value: Option<ExprId>, span: Span) {
        self.f.graph.edge(self.f.at, EXIT, Instr::Return(value), span);
        self.f.at = NOWHERE;
    }

    pub(super) fn finish_function(&mut self) -> Lowered {
        let mut f = std::mem::replace(&mut self.f, Func::new(ProcId(0), Span::default()));
        let (vars, arrays) = (&self.ir.vars, &self.ir.arrays);
        let (mut cfa, moved) = f.graph.finish(|var| {
            vars[var].address_taken || vars[var].ty.is_aggregate() || arrays.contains(&var)
        });
        self.name_labels(&mut cfa, &moved, &f.labels, &f.label_order);
        for &(index, loc) in &f.notes {
            if let Some(loc) = moved.get(loc) {
                let note = &self.unit.annotations[index];
                self.ir.annotations.push(Annotation {
                    span: note.span,
                    text: note.text.clone(),
                    target: AnnotationTarget::Statement(f.proc, loc),
                });
            }
        }
        let calls = || cfa.edges.iter().any(|(_, edge)| matches!(edge.instr, Instr::Call(_)));
        if !f.register_uses.is_empty() && (f.has_assembly || calls()) {
            let uses = f.register_uses.iter();
            f.unsupported.extend(uses.map(|&at| Diagnostic::unsupported(at, NAMED_REGISTER)));
        }
        let procedure = &mut self.ir.procs[f.proc];
        procedure.body = Some(cfa);
        procedure.locals = f.locals;
        Lowered { proc: f.proc, mentions: f.mentions, unsupported: f.unsupported }
    }

    fn name_labels(
        &self,
        cfa: &mut Cfa,
        moved: &Moved,
        labels: &FxHashMap<Symbol, Label>,
        order: &[Symbol],
    ) {
        for symbol in order {
            if let Some(loc) = moved.get(labels[symbol].loc) {
                cfa.labels.push((self.unit.symbols.name(*symbol).to_owned(), loc));
            }
        }
    }

    pub(super) fn is_live(&self) -> bool {
        self.f.graph.is_live(self.f.at)
    }

    /// Something that can be reached calls the procedure or takes its address.
    pub(super) fn mention(&mut self, proc: ProcId) {
        if self.is_live() {
            self.f.mentions.push(proc);
        }
    }

    pub(super) fn fresh(&mut self) -> LocId {
        self.f.graph.fresh()
    }

    pub(super) fn emit(&mut self, instr: Instr, span: Span) {
        if self.is_live() {
            let to = self.fresh();
            self.f.graph.edge(self.f.at, to, instr, span);
            self.f.at = to;
        }
    }

    /// An instruction after which no run goes on.
    pub(super) fn emit_last(&mut self, instr: Instr, span: Span) {
        self.emit(instr, span);
        self.f.at = NOWHERE;
    }

    pub(super) fn jump(&mut self, to: LocId, span: Span) {
        self.f.graph.edge(self.f.at, to, Instr::Skip, span);
        self.f.at = NOWHERE;
    }

    /// Goes on at a location that others lead to as well.
    pub(super) fn join(&mut self, at: LocId, span: Span) {
        self.jump(at, span);
        self.f.at = at;
    }

    /// Goes one way if the truth value holds, the other if not.
    pub(super) fn split(&mut self, truth: ExprId, then: LocId, els: LocId, span: Span) {
        match self.ir.exprs[truth].kind {
            ExprKind::Int(0) => self.jump(els, span),
            ExprKind::Int(_) => self.jump(then, span),
            _ => {
                let negated = self.negate(truth);
                let at = self.f.at;
                self.f.graph.edge(at, then, Instr::Assume(truth), span);
                self.f.graph.edge(at, els, Instr::Assume(negated), span);
                self.f.at = NOWHERE;
            }
        }
    }

    pub(super) fn assign_place(&mut self, place: PlaceId, value: ExprId, span: Span) {
        self.emit(Instr::Assign(place, value), span);
    }

    pub(super) fn temp(&mut self, ty: Type, span: Span) -> VarId {
        let kind = VarKind::Temp(self.f.proc);
        let var = self.add_var(String::new(), ty, kind, span, String::new());
        self.f.locals.push(var);
        var
    }

    pub(super) fn temp_place(&mut self, ty: Type, span: Span) -> PlaceId {
        let var = self.temp(ty, span);
        self.var_place(var, span)
    }

    /// Saves a value in a temporary.
    pub(super) fn spill(&mut self, value: ExprId) -> ExprId {
        let (ty, span) = (self.type_of(value), self.ir.exprs[value].span);
        let temp = self.temp_place(ty, span);
        self.assign_place(temp, value, span);
        self.expr(ExprKind::Load(temp), ty, span)
    }

    /// A value that later side effects cannot change.
    pub(super) fn hold(&mut self, value: ExprId) -> ExprId {
        if self.is_stable(value) { value } else { self.spill(value) }
    }

    /// Some value of the type, where lowering goes on after something unsupported.
    pub(super) fn placeholder(&mut self, ty: Type, span: Span) -> ExprId {
        match ty {
            Type::Void | Type::Function(_) => self.int(0, IntType::I32, span),
            _ => {
                let temp = self.temp_place(ty, span);
                self.expr(ExprKind::Load(temp), ty, span)
            }
        }
    }

    /// Code that cannot be reached may contain anything.
    pub(super) fn unsupported(&mut self, span: Span, construct: impl Into<String>) {
        if self.is_live() {
            self.f.unsupported.push(Diagnostic::unsupported(span, construct));
        }
    }

    pub(super) fn unsupported_value(
        &mut self,
        ty: Type,
        span: Span,
        construct: impl Into<String>,
    ) -> ExprId {
        self.unsupported(span, construct);
        self.placeholder(ty, span)
    }

    pub(super) fn site(&mut self, kind: InputKind, name: String, ty: Type, span: Span) -> SiteId {
        self.ir.sites.push(Site { kind, proc: self.f.proc, span, name, ty })
    }

    /// The place gets a value from outside.
    pub(super) fn havoc(&mut self, place: PlaceId, kind: InputKind, name: String, span: Span) {
        if self.is_live() {
            let site = self.site(kind, name, self.ir.places[place].ty, span);
            self.emit(Instr::Havoc(place, site), span);
        }
    }
}
