//! Initialisers (C11 6.7.9): braces elided or not, designators, strings; made into a flat list
//! of stores, at most one for each part.
//!
//! A later initialiser of a part replaces the earlier ones of that part, which are not evaluated
//! (C leaves that open, GCC and Clang do so). What is left is evaluated in the order of the members,
//! as GCC and Clang do. Where the two compilers differ the initialiser is unsupported.

mod replace;

use lakatos_ir::{Diagnostic, Span};

use self::replace::{Path, Stores};
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

const FLEXIBLE_INSIDE: &str = "an initialised flexible array member of a part of an object";

/// A range designator stores its value this often at most, the product of nested ranges included.
const MAX_RANGE: u64 = 1 << 16;

/// An aggregate that a brace list fills: the one the braces belong to, or a part of it that is
/// filled without braces of its own.
struct Frame {
    ty: Ty,
    path: Path,
    /// The member that comes next.
    next: u64,
}

/// The part that an entry initialises.
struct Part {
    path: Path,
    ty: Ty,
    /// Ranges among the designators: the step in `path` (which has the upper bound) and the lower
    /// bound.
    ranges: Vec<(usize, u64)>,
}

impl Part {
    /// The parts that its ranges stand for.
    fn elements(&self) -> Vec<Path> {
        let mut paths = vec![self.path.clone()];
        for &(step, low) in &self.ranges {
            let InitStep::Index(high) = self.path[step] else { continue };
            let at = |path: &Path, i| {
                let mut path = path.clone();
                path[step] = InitStep::Index(i);
                path
            };
            paths = paths.iter().flat_map(|p| (low..=high).map(|i| at(p, i))).collect();
        }
        paths
    }
}

impl Sema {
    /// Checks an initialiser for an object of type `ty`; gives the stores and the completed type.
    pub fn initialiser(&mut self, ty: Ty, syntax: &InitSyntax) -> Res<(Init, Ty)> {
        let mut stores = Stores::default();
        let span = self.init_span(syntax);
        self.init_whole(ty, syntax, &Path::new(), &mut stores)?;
        let ty = match self.types.kind(ty) {
            TypeKind::Array(elem, ArrayLen::Unknown) => {
                self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(stores.reach)))
            }
            _ => ty,
        };
        let aggregate = self.is_aggregate(ty);
        let items = stores.into_items();
        let whole = items.first().is_some_and(|i| i.path.is_empty());
        let flexible = self.flexible_length(ty, &items);
        Ok((Init { zero: aggregate && !whole, items, flexible, span }, ty))
    }

    /// How many elements the initialiser gives to the flexible array at the end of a structure.
    fn flexible_length(&self, ty: Ty, items: &[InitItem]) -> Option<u64> {
        let record = &self.types.records[self.types.record(ty)?];
        record.fields.last().filter(|field| self.is_flexible(field.ty))?;
        let number = record.fields.len() as u32 - 1;
        let lengths = items.iter().filter_map(|item| match item.path[..] {
            [InitStep::Field(field), InitStep::Index(index), ..] if field == number => {
                Some(index + 1)
            }
            // A string.
            [InitStep::Field(field)] if field == number => {
                match self.types.kind(self.ty(item.value)) {
                    TypeKind::Array(_, ArrayLen::Fixed(length)) => Some(length),
                    _ => None,
                }
            }
            _ => None,
        });
        lengths.max()
    }

    fn is_aggregate(&self, ty: Ty) -> bool {
        let types = &self.types;
        types.element(ty).is_some() || types.record(ty).is_some() || types.vector(ty).is_some()
    }

    fn init_span(&self, syntax: &InitSyntax) -> Span {
        match syntax {
            InitSyntax::Expr(e) => self.exprs[*e].span,
            InitSyntax::List(_, span) => *span,
        }
    }

    /// An object (or part) that has an initialiser of its own: an expression or a brace list.
    /// What it had before is gone already.
    fn init_whole(
        &mut self,
        ty: Ty,
        syntax: &InitSyntax,
        path: &Path,
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

    fn init_expr(&mut self, ty: Ty, e: ExprId, path: &Path, stores: &mut Stores) -> Res<()> {
        if self.string_fits(ty, e) {
            return self.init_string(ty, e, path, stores);
        }
        let array = self.types.element(ty).is_some();
        if array && !self.is_compound_literal(e) {
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
        stores.put(path.clone(), value);
        Ok(())
    }

    /// One at file scope is an object without a name.
    fn is_compound_literal(&self, e: ExprId) -> bool {
        match self.exprs[e].kind {
            ExprKind::CompoundLiteral(_) => true,
            ExprKind::Var(decl) => self.name(self.decls[decl].name).is_empty(),
            _ => false,
        }
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

    fn init_string(&mut self, ty: Ty, e: ExprId, path: &Path, stores: &mut Stores) -> Res<()> {
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
        stores.put(path.clone(), value);
        Ok(())
    }

    fn init_braced(
        &mut self,
        ty: Ty,
        entries: &[Entry],
        span: Span,
        path: &Path,
        stores: &mut Stores,
    ) -> Res<()> {
        if self.is_aggregate(ty) {
            return self.init_members(ty, entries, path, stores);
        }
        match entries {
            [] => error(span, "empty braces for a scalar"),
            [first, ..] => {
                if entries.len() > 1 {
                    self.warn(span, "more values than the scalar can hold");
                }
                self.init_whole(ty, &first.value, path, stores)
            }
        }
    }

    /// Fills an aggregate from its own brace list.
    fn init_members(
        &mut self,
        ty: Ty,
        entries: &[Entry],
        path: &Path,
        stores: &mut Stores,
    ) -> Res<()> {
        let mut frames = vec![Frame { ty, path: path.clone(), next: 0 }];
        let mut excess = false;
        for entry in entries {
            let part = match entry.designators.as_slice() {
                [] => self.next_part(&mut frames),
                // GCC goes on at the designator, Clang drops the rest of the list.
                _ if excess => {
                    let construct = "a designator after more values than the object can hold";
                    return Err(Diagnostic::unsupported(entry.span, construct).into());
                }
                designators => Some(self.designated_part(designators, &mut frames, entry.span)?),
            };
            let Some(part) = part else {
                if !std::mem::replace(&mut excess, true) {
                    self.warn(entry.span, "more values than the initialised object can hold");
                }
                continue;
            };
            let part = self.without_braces(part, entry, &mut frames)?;
            let unions = frames.iter().filter(|frame| self.is_union(frame.ty));
            let unions: Vec<usize> = unions.map(|frame| frame.path.len()).collect();
            self.init_part(part, &unions, entry, stores)?;
        }
        Ok(())
    }

    /// The part after the one that was initialised last; `None` where there is no more room.
    fn next_part(&self, frames: &mut Vec<Frame>) -> Option<Part> {
        loop {
            let frame = frames.last_mut()?;
            let past_union = frame.next > 0 && self.is_union(frame.ty);
            match self.member_at(frame.ty, frame.next).filter(|_| !past_union) {
                Some((step, ty)) => {
                    frame.next += 1;
                    let mut path = frame.path.clone();
                    path.push(step);
                    return Some(Part { path, ty, ranges: Vec::new() });
                }
                None if frames.len() == 1 => return None,
                None => {
                    frames.pop();
                }
            }
        }
    }

    /// The part that designators name, from the aggregate of the brace list on. What comes after
    /// `.a.b =` goes on inside `.a`.
    fn designated_part(
        &self,
        designators: &[Designator],
        frames: &mut Vec<Frame>,
        span: Span,
    ) -> Res<Part> {
        frames.truncate(1);
        let mut part = Part { path: frames[0].path.clone(), ty: frames[0].ty, ranges: Vec::new() };
        for (depth, &designator) in designators.iter().enumerate() {
            if depth > 0 {
                frames.push(Frame { ty: part.ty, path: part.path.clone(), next: 0 });
            }
            self.designate(designator, frames, &mut part, span)?;
        }
        self.check_product(&part, span)?;
        Ok(part)
    }

    /// One designator, in the last frame.
    fn designate(
        &self,
        designator: Designator,
        frames: &mut Vec<Frame>,
        part: &mut Part,
        span: Span,
    ) -> Res<()> {
        match (designator, self.types.kind(part.ty)) {
            (Designator::Index { .. }, TypeKind::Array(_, ArrayLen::Unknown))
                if part.path.len() > 1 =>
            {
                Err(Diagnostic::unsupported(span, FLEXIBLE_INSIDE).into())
            }
            (Designator::Index { low, high }, TypeKind::Array(elem, len)) => {
                self.check_range(low, high, len, span)?;
                if low < high {
                    part.ranges.push((part.path.len(), low));
                }
                self.step(InitStep::Index(high), elem, high, frames, part);
                Ok(())
            }
            (Designator::Field(name), TypeKind::Record(record)) => {
                let Some(fields) = self.find_member(record, name) else {
                    let (ty, name) = (self.show(part.ty), self.name(name));
                    return error(span, format!("`{ty}` has no member `{name}`"));
                };
                // Through the anonymous records it lies in.
                for (depth, &field) in fields.iter().enumerate() {
                    if depth > 0 {
                        frames.push(Frame { ty: part.ty, path: part.path.clone(), next: 0 });
                    }
                    let record = self.types.record(part.ty).expect("members lie in records");
                    let member = self.types.records[record].fields[field as usize].ty;
                    self.step(InitStep::Field(field), member, u64::from(field), frames, part);
                }
                Ok(())
            }
            _ => error(span, format!("this designator does not fit `{}`", self.show(part.ty))),
        }
    }

    fn step(&self, step: InitStep, ty: Ty, at: u64, frames: &mut [Frame], part: &mut Part) {
        if let Some(frame) = frames.last_mut() {
            frame.next = at + 1;
        }
        part.path.push(step);
        part.ty = ty;
    }

    fn is_union(&self, ty: Ty) -> bool {
        let record = self.types.record(ty);
        record.is_some_and(|r| self.types.records[r].kind == lakatos_ir::RecordKind::Union)
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
            _ => {
                let vector = self.types.vector(ty).filter(|vector| position < vector.count)?;
                Some((InitStep::Index(position), vector.element))
            }
        }
    }

    /// Where braces are left out, an expression that is no value of the whole aggregate belongs to
    /// its first member.
    fn without_braces(&self, mut part: Part, entry: &Entry, frames: &mut Vec<Frame>) -> Res<Part> {
        let InitSyntax::Expr(e) = entry.value else { return Ok(part) };
        while self.is_aggregate(part.ty)
            && !self.string_fits(part.ty, e)
            && !self.is_record_value(part.ty, e)
            && (!self.is_flexible(part.ty) || part.path.len() == 1)
        {
            if !part.ranges.is_empty() {
                let construct = "a designated range of aggregates without braces";
                return Err(Diagnostic::unsupported(entry.span, construct).into());
            }
            let Some((step, ty)) = self.member_at(part.ty, 0) else {
                // An empty record takes nothing: the entry has no place.
                return error(entry.span, "nothing here can be initialised with this");
            };
            frames.push(Frame { ty: part.ty, path: part.path.clone(), next: 1 });
            part.path.push(step);
            part.ty = ty;
        }
        Ok(part)
    }

    /// A struct initialised by a value of its own type.
    fn is_record_value(&self, ty: Ty, e: ExprId) -> bool {
        let (a, b) = (self.types.record(ty), self.types.record(self.ty(e)));
        let (v, w) = (self.types.vector(ty), self.types.vector(self.ty(e)));
        a.is_some() && a == b || v.is_some() && v == w
    }

    fn is_flexible(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TypeKind::Array(_, ArrayLen::Unknown))
    }

    /// An entry for a part that takes all of it, in each element of its ranges. `unions`: how many
    /// steps lead to the unions that it lies in.
    fn init_part(
        &mut self,
        part: Part,
        unions: &[usize],
        entry: &Entry,
        stores: &mut Stores,
    ) -> Res<()> {
        if self.is_flexible(part.ty) && (part.path.len() > 1 || !self.fills_array(part.ty, entry)) {
            return Err(Diagnostic::unsupported(entry.span, FLEXIBLE_INSIDE).into());
        }
        if let Some(&InitStep::Index(i)) = part.path.first() {
            stores.reach = stores.reach.max(i + 1);
        }
        self.replace(stores, &part.path, unions, entry.span)?;
        self.init_whole(part.ty, &entry.value, &part.path, stores)?;
        if part.ranges.is_empty() {
            return Ok(());
        }
        let paths = part.elements();
        let constant = self.is_constant_part(stores, &part.path);
        stores.share(&part.path);
        for path in paths {
            if path != part.path {
                self.replace(stores, &path, unions, entry.span)?;
                stores.copy(&part.path, &path);
            }
            if !constant {
                stores.mark_range(path);
            }
        }
        Ok(())
    }

    fn fills_array(&self, ty: Ty, entry: &Entry) -> bool {
        match entry.value {
            InitSyntax::List(..) => true,
            InitSyntax::Expr(e) => self.string_fits(ty, e),
        }
    }

    fn check_range(&self, low: u64, high: u64, len: ArrayLen, span: Span) -> Res<()> {
        let inside = match len {
            ArrayLen::Fixed(n) => high < n,
            ArrayLen::Unknown | ArrayLen::Variable(_) => high < u64::MAX / 2,
        };
        if !inside || low > high {
            return error(span, "this index is outside the array");
        }
        Ok(())
    }

    /// Ranges name no more elements than are stored one by one.
    fn check_product(&self, part: &Part, span: Span) -> Res<()> {
        let mut product = 1u64;
        for &(step, low) in &part.ranges {
            let InitStep::Index(high) = part.path[step] else { continue };
            product = product.saturating_mul((high - low).saturating_add(1));
        }
        match product > MAX_RANGE {
            true => Err(Diagnostic::unsupported(span, "a designated range this long").into()),
            false => Ok(()),
        }
    }
}
