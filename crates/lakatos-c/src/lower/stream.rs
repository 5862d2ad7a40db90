//! `stdin`, `stdout` and `stderr`: they point to streams that are open before `main` is called
//! (C11 7.21.3), three different ones, of whose contents nothing is known.

use lakatos_ir::{IntType, Type, VarKind};

use super::Lower;
use crate::ast::{DeclId, Storage};
use crate::models::is_looked_into;
use crate::types::Ty;

const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

impl Lower<'_> {
    /// The type of the stream that a standard stream of the C library points to. A program that looks
    /// into such a structure gets `None`: the pointer is one from outside, like any other.
    pub(super) fn stream_type(&self, decl: DeclId) -> Option<Ty> {
        let is_outside = self.object(decl).is_some_and(|o| o.storage == Storage::Extern);
        if !is_outside || !STREAMS.contains(&self.link_name(decl)) {
            return None;
        }
        let stream = self.unit.types.pointee(self.unit.decls[decl].ty)?;
        let record = self.unit.types.record(stream)?;
        (!is_looked_into(self.unit, record)).then_some(stream)
    }

    /// Makes the stream and lets the pointer point there.
    pub(super) fn open_stream(&mut self, decl: DeclId, stream: Ty) {
        let span = self.unit.decls[decl].span;
        let ty = match self.unit.types.size(stream) {
            Some(1..) => self.ty(stream),
            Some(0) | None => Type::Int(IntType::U8),
        };
        let name = format!("the stream of {}", self.name(decl));
        let object = self.add_var(name, ty, VarKind::Global, span, String::new());
        let object = self.var_place(object, span);
        let pointer = self.var(decl);
        let value = self.address_of(object, self.ir.vars[pointer].ty, span);
        let pointer = self.var_place(pointer, span);
        self.assign_place(pointer, value, span);
    }
}
