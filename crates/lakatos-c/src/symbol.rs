//! Interned identifiers.

use indexmap::IndexSet;
use lakatos_ir::{Id, define_ids};
use rustc_hash::FxBuildHasher;

define_ids! {
    /// An identifier; equal names have equal symbols.
    Symbol = "sym";
}

#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: IndexSet<Box<str>, FxBuildHasher>,
}

impl Symbols {
    pub fn intern(&mut self, name: &str) -> Symbol {
        let index = match self.names.get_index_of(name) {
            Some(index) => index,
            None => self.names.insert_full(name.into()).0,
        };
        Symbol::from_index(index)
    }

    /// The symbol of a name that occurs.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.names.get_index_of(name).map(Symbol::from_index)
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }
}
