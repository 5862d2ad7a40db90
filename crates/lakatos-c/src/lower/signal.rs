//! Handlers of signals run between statements, in a program that registers them (`library/signal.c`).

use lakatos_ir::{Span, Type};

use super::Lower;
use super::call::{Site, Want};
use crate::models;

impl Lower<'_> {
    /// Handlers may run here, if this is code of the program.
    pub(super) fn interrupt(&mut self, span: Span) {
        if !self.is_in_model() {
            self.interrupt_anyway(span);
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
