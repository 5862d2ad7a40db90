//! Which stores of an initialiser are left when later ones replace earlier ones.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::{Diagnostic, Span};

use super::{Res, Sema};
use crate::ast::{ExprId, ExprKind, InitItem, InitStep};

/// From the object to one of its parts.
pub(super) type Path = Vec<InitStep>;

/// The stores so far, in the order of the members, and how far an open array reaches.
#[derive(Debug, Default)]
pub(super) struct Stores {
    /// The value of a part, and whether it is stored in other parts as well.
    items: BTreeMap<Path, (ExprId, bool)>,
    /// Parts that have copies of a value that is computed when the program runs.
    ranges: BTreeSet<Path>,
    /// Length an array of unknown length gets: one past the largest index at the top level.
    pub reach: u64,
}

impl Stores {
    pub fn put(&mut self, path: Path, value: ExprId) {
        self.items.insert(path, (value, false));
    }

    /// The values of a part are about to be copied.
    pub fn share(&mut self, part: &Path) {
        for (_, (_, shared)) in
            self.items.range_mut(part.clone()..).take_while(|(path, _)| path.starts_with(part))
        {
            *shared = true;
        }
    }

    /// Another part of the same type gets the same values.
    pub fn copy(&mut self, from: &Path, to: &Path) {
        let under: Vec<_> =
            self.under(from).map(|(path, &item)| (path[from.len()..].to_vec(), item)).collect();
        for (rest, item) in under {
            let path = to.iter().copied().chain(rest).collect();
            self.items.insert(path, item);
        }
    }

    pub fn mark_range(&mut self, part: Path) {
        self.ranges.insert(part);
    }

    pub fn into_items(self) -> Vec<InitItem> {
        let items = self.items.into_iter();
        items.map(|(path, (value, shared))| InitItem { path, value, shared }).collect()
    }

    fn under<'s>(&'s self, part: &'s Path) -> impl Iterator<Item = (&'s Path, &'s (ExprId, bool))> {
        self.items.range(part.clone()..).take_while(move |(path, _)| path.starts_with(part))
    }

    /// Drops what is stored in a part, except in one member of it.
    fn remove(&mut self, part: &[InitStep], except: Option<InitStep>) {
        let goes = |path: &Path| except.is_none() || path.get(part.len()).copied() != except;
        let inside = |path: &&Path| path.starts_with(part);
        let items = self.items.range(part.to_vec()..).map(|(path, _)| path);
        let gone: Vec<Path> = items.take_while(inside).filter(|p| goes(p)).cloned().collect();
        for path in &gone {
            self.items.remove(path);
        }
        let ranges = self.ranges.range(part.to_vec()..);
        let gone: Vec<Path> = ranges.take_while(inside).filter(|p| goes(p)).cloned().collect();
        for path in &gone {
            self.ranges.remove(path);
        }
    }
}

impl Sema {
    /// A part gets another initialiser: what it had is dropped, and what other members of the
    /// unions around it had.
    pub(super) fn replace(
        &self,
        stores: &mut Stores,
        part: &[InitStep],
        unions: &[usize],
        span: Span,
    ) -> Res<()> {
        stores.remove(part, None);
        for depth in 0..part.len() {
            let around = &part[..depth];
            if let Some(&(value, _)) = stores.items.get(around)
                && !matches!(self.exprs[value].kind, ExprKind::Str(_))
            {
                // Clang keeps the rest of the value, GCC makes it zero.
                let construct = "a part of a structure that has a value already, as an initialiser";
                return Err(Diagnostic::unsupported(span, construct).into());
            }
            if stores.ranges.contains(around) {
                // GCC forgets the rest of what the range stored.
                let construct = "an initialiser of a part of what a designated range initialises";
                return Err(Diagnostic::unsupported(span, construct).into());
            }
            if unions.contains(&depth) {
                stores.remove(around, Some(part[depth]));
            }
        }
        Ok(())
    }

    /// All values of the part are constants or strings.
    pub(super) fn is_constant_part(&self, stores: &Stores, part: &Path) -> bool {
        stores.under(part).all(|(_, &(value, _))| {
            matches!(self.exprs[value].kind, ExprKind::Str(_)) || self.constant(value).is_some()
        })
    }
}
