//! Initialisers (C11 6.7.9): braces elided or not, designators, strings; made into a flat list
//! of stores.

use lakatos_ir::{Diagnostic, Span};

use super::{Res, Sema, error};
use crate::ast::{ExprId, ExprKind, Init, InitItem, InitStep};
use crate::symbol::Symbol;
use crate::types::{ArrayLen, Ty, TypeKind};

/// An initialiser as written.
#[derive(Clone, Debug)]
pub enum InitSyntax {
    Expr(ExprId),
    List(Vec<Entry>, Span),
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub designators: Vec<Designator>,
    pub value: InitSyntax,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `[low]`, or GNU `[low ... high]`.
    Index {
        low: u64,
        high: u64,
    },
    Field(Symbol),
}

/// A range designator stores its value this often at most.
const MAX_RANGE: u64 = 1 << 16;

/// The stores so far, and how far an open array reaches.
#[derive(Debug, Default)]
struct Stores {
    items: Vec<InitItem>,
    /// Length an array of unknown length gets: one past the largest index at the top level.
    reach: u64,
}

/// The entries of a brace list that are still to be used.
struct Cursor<'e> {
    entries: &'e [Entry],
    /// Of the first entry, the designators used up by enclosing levels.
    skip: usize,
}

impl Sema {
    /// Checks an initialiser for an object of type `ty`; gives the stores and the completed type.
    pub fn initialiser(&mut self, ty: Ty, syntax: &InitSyntax) -> Res<(Init, Ty)> {
        let mut stores = Stores::default();
        let span = self.init_span(syntax);
        self.init_whole(ty, syntax, &mut Vec::new(), &mut stores)?;
        let ty = match self.types.kind(ty) {
            TypeKind::Array(elem, ArrayLen::Unknown) => {
                self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(stores.reach)))
            }
            _ => ty,
        };
        let aggregate = self.types.element(ty).is_some() || self.types.record(ty).is_some();
        let whole = stores.items.last().is_some_and(|i| i.path.is_empty());
        Ok((Init { zero: aggregate && !whole, items: stores.items, span }, ty))
    }

    fn init_span(&self, syntax: &InitSyntax) -> Span {
        match syntax {
            InitSyntax::Expr(e) => self.exprs[*e].span,
            InitSyntax::List(_, span) => *span,
        }
    }

    /// An object (or part) that has an initialiser of its own: an expression or a brace list.
    fn init_whole(
        &mut self,
        ty: Ty,
        syntax: &InitSyntax,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<()> {
        match syntax {
            InitSyntax::Expr(e) => self.init_expr(ty, *e, path, stores),
            InitSyntax::List(entries, span) => {
                if let Some(e) = self.braced_string(ty, entries) {
                    return self.init_expr(ty, e, path, stores);
                }
                self.init_braced(ty, entries, *span, path, stores)
            }
        }
    }

    /// `char a[] = { "text" };`
    fn braced_string(&self, ty: Ty, entries: &[Entry]) -> Option<ExprId> {
        match entries {
            [Entry { designators, value: InitSyntax::Expr(e), .. }] if designators.is_empty() => {
                self.string_fits(ty, *e).then_some(*e)
            }
            _ => None,
        }
    }

    /// Does the string literal initialise the array as its characters?
    fn string_fits(&self, ty: Ty, e: ExprId) -> bool {
        let (Some(elem), ExprKind::Str(_)) = (self.types.element(ty), &self.exprs[e].kind) else {
            return false;
        };
        let literal = self.types.element(self.ty(e)).and_then(|t| self.types.int_type(t));
        let target = self.types.int_type(elem);
        target.map(|t| t.bits) == literal.map(|t| t.bits) && !self.is_bool(elem)
    }

    fn init_expr(
        &mut self,
        ty: Ty,
        e: ExprId,
        path: &mut [InitStep],
        stores: &mut Stores,
    ) -> Res<()> {
        if self.string_fits(ty, e) {
            return self.init_string(ty, e, path, stores);
        }
        let array = self.types.element(ty).is_some();
        if array && !matches!(self.exprs[e].kind, ExprKind::CompoundLiteral(_)) {
            return error(self.exprs[e].span, "an array needs a list in braces, or a string");
        }
        let value = if array {
            self.array_value(ty, e)?
        } else {
            self.assign_convert(e, ty, "the initialisation")?
        };
        if path.is_empty()
            && let TypeKind::Array(_, ArrayLen::Fixed(n)) = self.types.kind(self.ty(value))
        {
            stores.reach = n;
        }
        stores.items.push(InitItem { path: path.to_vec(), value });
        Ok(())
    }

    /// GNU: an array initialised by a compound literal of the same type.
    fn array_value(&mut self, ty: Ty, e: ExprId) -> Res<ExprId> {
        let (from, span) = (self.ty(e), self.exprs[e].span);
        let same = self.types.element(from).zip(self.types.element(ty)).is_some_and(|(a, b)| {
            let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
            self.compatible(a, b)
        });
        if !same {
            return error(span, "an array needs a list in braces, or a string");
        }
        Ok(self.expr(ExprKind::Load(e), from, span))
    }

    fn init_string(
        &mut self,
        ty: Ty,
        e: ExprId,
        path: &mut [InitStep],
        stores: &mut Stores,
    ) -> Res<()> {
        let span = self.exprs[e].span;
        let ExprKind::Str(id) = self.exprs[e].kind else { return error(span, "not a string") };
        let literal_len = match self.types.kind(self.ty(e)) {
            TypeKind::Array(_, ArrayLen::Fixed(n)) => n,
            _ => 0,
        };
        let target = match self.types.kind(ty) {
            TypeKind::Array(elem, ArrayLen::Unknown) => {
                self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(literal_len)))
            }
            _ => ty,
        };
        if path.is_empty() {
            stores.reach = literal_len;
        }
        let value = self.expr(ExprKind::Str(id), target, span);
        stores.items.push(InitItem { path: path.to_vec(), value });
        Ok(())
    }

    fn init_braced(
        &mut self,
        ty: Ty,
        entries: &[Entry],
        span: Span,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<()> {
        let aggregate = self.types.element(ty).is_some() || self.types.record(ty).is_some();
        if !aggregate {
            return match entries {
                [] => error(span, "empty braces for a scalar"),
                [first, ..] => {
                    if entries.len() > 1 {
                        self.warn(span, "more values than the scalar can hold");
                    }
                    self.init_whole(ty, &first.value, path, stores)
                }
            };
        }
        let mut cursor = Cursor { entries, skip: 0 };
        self.init_members(ty, 0, &mut cursor, path, stores, true)?;
        if let Some(extra) = cursor.entries.first() {
            self.warn(extra.span, "more values than the initialised object can hold");
        }
        Ok(())
    }

    /// Fills the members of an aggregate from the cursor, beginning at `position`. `braced`: this
    /// list belongs to this very object, so that designators may go anywhere in it; otherwise the
    /// braces were elided and the next designator ends our part.
    fn init_members(
        &mut self,
        ty: Ty,
        mut position: u64,
        cursor: &mut Cursor<'_>,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
        braced: bool,
    ) -> Res<()> {
        while let Some(entry) = cursor.entries.first() {
            let designators = &entry.designators[cursor.skip.min(entry.designators.len())..];
            if let Some(&designator) = designators.first() {
                if !braced {
                    return Ok(());
                }
                position = self.init_designated(ty, designator, cursor, path, stores)?;
                continue;
            }
            let past_union = position > 0 && self.is_union(ty);
            let Some((step, member)) = self.member_at(ty, position).filter(|_| !past_union) else {
                return Ok(());
            };
            path.push(step);
            self.note_reach(path, stores);
            self.init_member(member, cursor, path, stores)?;
            path.pop();
            position += 1;
        }
        Ok(())
    }

    fn is_union(&self, ty: Ty) -> bool {
        let record = self.types.record(ty);
        record.is_some_and(|r| self.types.records[r].kind == lakatos_ir::RecordKind::Union)
    }

    fn note_reach(&self, path: &[InitStep], stores: &mut Stores) {
        if let [InitStep::Index(i)] = path {
            stores.reach = stores.reach.max(i + 1);
        }
    }

    /// The `position`th member of an aggregate; `None` past its end.
    fn member_at(&self, ty: Ty, position: u64) -> Option<(InitStep, Ty)> {
        match self.types.kind(ty) {
            TypeKind::Array(elem, len) => {
                let inside = match len {
                    ArrayLen::Fixed(n) => position < n,
                    _ => position < u64::MAX,
                };
                inside.then_some((InitStep::Index(position), elem))
            }
            TypeKind::Record(id) => {
                let field = self.types.records[id].fields.get(usize::try_from(position).ok()?)?;
                Some((InitStep::Field(position as u32), field.ty))
            }
            _ => None,
        }
    }

    /// One member from the next entry (whose designators, if any, are used up).
    fn init_member(
        &mut self,
        ty: Ty,
        cursor: &mut Cursor<'_>,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<()> {
        let entry = &cursor.entries[0];
        if let TypeKind::Array(_, ArrayLen::Unknown) = self.types.kind(ty) {
            let construct = "an initialised flexible array member";
            return Err(Diagnostic::unsupported(entry.span, construct).into());
        }
        let InitSyntax::Expr(e) = entry.value else {
            cursor.advance();
            return self.init_whole(ty, &entry.value, path, stores);
        };
        let aggregate = self.types.element(ty).is_some() || self.types.record(ty).is_some();
        let whole = !aggregate || self.string_fits(ty, e) || self.is_record_value(ty, e);
        if whole {
            cursor.advance();
            return self.init_expr(ty, e, path, stores);
        }
        // Braces elided: the members take the entries from here on, as many as they need.
        let before = cursor.entries.len();
        cursor.skip = usize::MAX;
        self.init_members(ty, 0, cursor, path, stores, false)?;
        if cursor.entries.len() == before {
            // An empty record takes nothing: the entry has no place.
            return error(entry.span, "nothing here can be initialised with this");
        }
        Ok(())
    }

    /// A struct initialised by a value of its own type.
    fn is_record_value(&self, ty: Ty, e: ExprId) -> bool {
        let (a, b) = (self.types.record(ty), self.types.record(self.ty(e)));
        a.is_some() && a == b
    }

    /// An entry `.field… =` or `[i]… =` for this aggregate. Returns the position after it.
    fn init_designated(
        &mut self,
        ty: Ty,
        designator: Designator,
        cursor: &mut Cursor<'_>,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<u64> {
        let span = cursor.entries[0].span;
        cursor.skip += 1;
        match (designator, self.types.kind(ty)) {
            (Designator::Index { low, high }, TypeKind::Array(elem, len)) => {
                self.check_range(low, high, len, span)?;
                for i in low..high {
                    // Every element of a range takes the same entry, and only that.
                    let mut only = Cursor { entries: &cursor.entries[..1], skip: cursor.skip };
                    self.init_part(elem, InitStep::Index(i), &mut only, path, stores)?;
                }
                self.init_part(elem, InitStep::Index(high), cursor, path, stores)?;
                Ok(high + 1)
            }
            (Designator::Field(name), TypeKind::Record(record)) => {
                let Some(fields) = self.find_member(record, name) else {
                    let (ty, name) = (self.show(ty), self.name(name));
                    return error(span, format!("`{ty}` has no member `{name}`"));
                };
                self.init_along(ty, &fields, cursor, path, stores)
            }
            _ => error(span, format!("this designator does not fit `{}`", self.show(ty))),
        }
    }

    fn check_range(&self, low: u64, high: u64, len: ArrayLen, span: Span) -> Res<()> {
        let inside = match len {
            ArrayLen::Fixed(n) => high < n,
            _ => high < u64::MAX / 2,
        };
        if !inside || low > high {
            return error(span, "this index is outside the array");
        }
        if high - low >= MAX_RANGE {
            return Err(Diagnostic::unsupported(span, "a designated range this long").into());
        }
        Ok(())
    }

    /// A designated field, through the anonymous records it lies in.
    fn init_along(
        &mut self,
        ty: Ty,
        fields: &[u32],
        cursor: &mut Cursor<'_>,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<u64> {
        let record = self.types.record(ty).expect("members lie in records");
        let member = self.types.records[record].fields[fields[0] as usize].ty;
        let step = InitStep::Field(fields[0]);
        if fields.len() == 1 {
            self.init_part(member, step, cursor, path, stores)?;
        } else {
            path.push(step);
            let next = self.init_along(member, &fields[1..], cursor, path, stores)?;
            self.init_members(member, next, cursor, path, stores, false)?;
            path.pop();
        }
        Ok(u64::from(fields[0]) + 1)
    }

    /// The part a designator names: more designators of the entry follow, or its value. After
    /// `.a.b =`, what comes next goes on inside `.a`.
    fn init_part(
        &mut self,
        ty: Ty,
        step: InitStep,
        cursor: &mut Cursor<'_>,
        path: &mut Vec<InitStep>,
        stores: &mut Stores,
    ) -> Res<()> {
        path.push(step);
        self.note_reach(path, stores);
        match cursor.entries[0].designators.get(cursor.skip) {
            Some(&next) => {
                let position = self.init_designated(ty, next, cursor, path, stores)?;
                self.init_members(ty, position, cursor, path, stores, false)?;
            }
            None => self.init_member(ty, cursor, path, stores)?,
        }
        path.pop();
        Ok(())
    }
}

impl Cursor<'_> {
    fn advance(&mut self) {
        self.entries = &self.entries[1..];
        self.skip = 0;
    }
}
