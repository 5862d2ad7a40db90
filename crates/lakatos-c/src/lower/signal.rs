//! Handlers of signals run between statements, in a program that registers them (`library/signal.c`).

use lakatos_ir::{Id, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lower;
use super::call::{Site, Want};
use crate::ast::{DeclId, DeclKind, ExprId, ExprKind};
use crate::models;

/// Functions that register a handler, whose signal is blocked while it runs.
const BLOCKING: [&str; 3] = ["signal", "bsd_signal", "ssignal"];
/// Functions after which other signals may be blocked than the one that is handled.
const CHANGE_MASKS: [&str; 6] =
    ["sigaction", "sysv_signal", "__sysv_signal", "sigprocmask", "pthread_sigmask", "sigsuspend"];

impl Lower<'_> {
    /// Handlers may run here, if this is code of the program.
    pub(super) fn interrupt(&mut self, span: Span) {
        if !self.is_in_model() && !self.is_in_lone_handler() {
            self.interrupt_anyway(span);
        }
    }

    fn is_in_lone_handler(&self) -> bool {
        let mut handlers = self.lone_handlers.iter();
        handlers.any(|&handler| self.procs[handler.index()] == Some(self.f.proc))
    }

    /// Functions that only run as handlers of the one signal that the program handles, and so with this signal
    /// blocked: no handler runs inside of them.
    pub(super) fn find_lone_handlers(&self) -> FxHashSet<DeclId> {
        let none = FxHashSet::default();
        let mut uses: FxHashMap<DeclId, usize> = FxHashMap::default();
        let mut registered: FxHashMap<DeclId, usize> = FxHashMap::default();
        let mut signal = None;
        let own = self.unit.exprs.iter().filter(|(_, e)| e.span.start < self.models_from);
        for (_, expr) in own {
            match &expr.kind {
                ExprKind::Function(decl) => *uses.entry(*decl).or_default() += 1,
                ExprKind::Call { callee, args } => {
                    // A handler may be called through what `signal` gives.
                    let Some(decl) = self.direct_callee(*callee) else { return none };
                    if !BLOCKING.contains(&self.link_name(decl)) {
                        continue;
                    }
                    let [number, handler] = args[..] else { return none };
                    let ExprKind::Int(number) = self.unit.exprs[number].kind else { return none };
                    if *signal.get_or_insert(number) != number {
                        return none;
                    }
                    for decl in [Some(decl), self.function_named(handler)].into_iter().flatten() {
                        *registered.entry(decl).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        let is_registrar = |decl: DeclId| BLOCKING.contains(&self.link_name(decl));
        let is_open = |(&decl, count): (&DeclId, &usize)| {
            CHANGE_MASKS.contains(&self.link_name(decl))
                || is_registrar(decl)
                    && (self.body(decl).is_some() || registered.get(&decl) != Some(count))
        };
        if uses.iter().any(is_open) {
            return none;
        }
        let starts = self.unit.constructors.iter().chain(&self.unit.destructors);
        let mut called: Vec<DeclId> = starts.map(|&(decl, _, _)| decl).collect();
        // Functions that are called where the scope of a variable ends.
        called.extend(self.unit.decls.iter().filter_map(|(_, decl)| match &decl.kind {
            DeclKind::Object(object) => object.cleanup,
            DeclKind::Function(_) => None,
        }));
        let is_lone = |&(&decl, count): &(&DeclId, &usize)| {
            let name = self.link_name(decl);
            let mut others = self.unit.functions.iter().filter(|&&other| other != decl);
            self.body(decl).is_some()
                && uses.get(&decl) == Some(count)
                && name != "main"
                && !called.contains(&decl)
                && !others.any(|&other| self.link_name(other) == name)
        };
        registered.iter().filter(is_lone).map(|(&decl, _)| decl).collect()
    }

    /// The function that an argument is, without anything around it that decides.
    fn function_named(&self, mut expr: ExprId) -> Option<DeclId> {
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Function(decl) => return Some(decl),
                ExprKind::FnDecay(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Convert { operand: inner, .. } => expr = inner,
                _ => return None,
            }
        }
    }

    /// Handlers may run here, also in a model that ends the program.
    pub(super) fn interrupt_anyway(&mut self, span: Span) {
        let Some(model) = self.interrupt else { return };
        if self.is_live() {
            let site = Site { span, ty: Type::Void, want: Want::Nothing };
            self.model_call(model, model, Vec::new(), site);
        }
    }

    /// `abort` raises `SIGABRT`.
    pub(super) fn interrupt_before_abort(&mut self, span: Span) {
        if self.is_live()
            && !self.is_in_model()
            && let Some(model) = self.model_of(models::BEFORE_ABORT)
        {
            let site = Site { span, ty: Type::Void, want: Want::Nothing };
            self.model_call(model, model, Vec::new(), site);
        }
    }

    fn is_in_model(&self) -> bool {
        self.ir.procs[self.f.proc].library == Some(lakatos_ir::library::LibraryRole::Model)
    }
}
