//! Name spaces with nested scopes: constant-time look-up, undone in order when a scope ends.

use lakatos_ir::{Id, Span};

use crate::ast::DeclId;
use crate::symbol::Symbol;
use crate::types::{EnumId, RecordId, Ty};

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    Typedef(Ty),
    /// An object or a function.
    Decl(DeclId),
    EnumConst {
        value: i128,
        ty: Ty,
    },
}

/// What follows `struct`, `union` or `enum`.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Copy, Debug)]
pub struct Binding<E> {
    pub entity: E,
    pub span: Span,
    /// 0 is file scope.
    pub level: u32,
    pub symbol: Symbol,
    shadowed: u32,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Namespace<E> {
    /// Per symbol: the innermost binding.
    innermost: Vec<u32>,
    bindings: Vec<Binding<E>>,
    /// Where each open scope's bindings begin.
    scopes: Vec<usize>,
}

impl<E: Copy> Namespace<E> {
    pub fn new() -> Self {
        Namespace { innermost: Vec::new(), bindings: Vec::new(), scopes: Vec::new() }
    }

    pub fn level(&self) -> u32 {
        self.scopes.len() as u32
    }

    pub fn enter(&mut self) {
        self.scopes.push(self.bindings.len());
    }

    pub fn leave(&mut self) {
        let start = self.scopes.pop().expect("a scope to leave");
        for binding in self.bindings.drain(start..).rev() {
            self.innermost[binding.symbol.index()] = binding.shadowed;
        }
    }

    /// What the open scope declares.
    pub fn here(&self) -> &[Binding<E>] {
        &self.bindings[self.scopes.last().copied().unwrap_or(0)..]
    }

    /// Declares in the open scope what another one declared.
    pub fn declare_again(&mut self, bindings: &[Binding<E>]) {
        for binding in bindings {
            self.declare(binding.symbol, binding.entity, binding.span);
        }
    }

    pub fn lookup(&self, symbol: Symbol) -> Option<&Binding<E>> {
        match self.innermost.get(symbol.index()) {
            None | Some(&NONE) => None,
            Some(&index) => Some(&self.bindings[index as usize]),
        }
    }

    /// A binding made in the scope that is open now.
    pub fn lookup_here(&self, symbol: Symbol) -> Option<&Binding<E>> {
        self.lookup(symbol).filter(|b| b.level == self.level())
    }

    pub fn declare(&mut self, symbol: Symbol, entity: E, span: Span) {
        if self.innermost.len() <= symbol.index() {
            self.innermost.resize(symbol.index() + 1, NONE);
        }
        let level = self.level();
        let slot = &mut self.innermost[symbol.index()];
        self.bindings.push(Binding { entity, span, level, symbol, shadowed: *slot });
        *slot = self.bindings.len() as u32 - 1;
    }
}
