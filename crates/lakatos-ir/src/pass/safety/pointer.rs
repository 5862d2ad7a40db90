//! Pointers as integers: expressions for the object that a pointer points to and the offset in it,
//! and for what comparing pointers gives.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::flow::{Flow, Ids, gcd};
use super::objects::{Kind, NUMBER, OFFSET, Object, Objects, ghost};
use super::{NULL, OTHER, UNKNOWN};
use crate::expr::{BinOp, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::program::{Bytes, ProcId, Program, VarId, VarKind};
use crate::property::Property;
use crate::source::Span;
use crate::ty::{DataModel, IntType, Type};
use crate::undefined::bounds;
use crate::walk::{self, Node};

/// A pointer variable has no offset that is further outside its object. So addresses do not wrap
/// around in between, and comparing offsets is comparing addresses.
pub(super) const FAR: [i128; 2] = [1 << 24, 1 << 46];

/// No sum of an offset and what an expression of 64 bits can add to it is further away.
const NEAR_THE_END: i128 = 1 << 100;

/// The ghosts of a pointer variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub object: VarId,
    pub offset: VarId,
    /// So many bytes are one of the offset; 0 if that is always 0.
    pub unit: i128,
}

#[derive(Debug)]
pub(super) struct Ghosts {
    pairs: BTreeMap<VarId, Pair>,
    /// How parameters come to their procedure.
    given: BTreeMap<VarId, Pair>,
}

impl Ghosts {
    pub fn new(program: &mut Program, flow: &Flow) -> Ghosts {
        let (mut pairs, mut given) = (BTreeMap::new(), BTreeMap::new());
        for var in flow.vars() {
            let kind = program.vars[var].kind;
            // A result is read when the frame is gone.
            let frame = kind.frame().filter(|_| !matches!(kind, VarKind::Result(_)));
            let unit = flow.unit(var);
            pairs.insert(var, Pair::new(program, var, unit, frame));
            if let VarKind::Param(_) = kind {
                given.insert(var, Pair::new(program, var, unit, None));
            }
        }
        Ghosts { pairs, given }
    }

    pub fn of(&self, var: VarId) -> Pair {
        self.pairs[&var]
    }

    pub fn given(&self, param: VarId) -> Option<Pair> {
        self.given.get(&param).copied()
    }

    /// Parameters, as they come to their procedures.
    pub fn params(&self) -> impl Iterator<Item = (VarId, Pair)> {
        self.given.iter().map(|(param, pair)| (*param, *pair))
    }
}

impl Pair {
    fn new(program: &mut Program, var: VarId, unit: i128, frame: Option<ProcId>) -> Pair {
        let name = program.vars[var].name.clone();
        let object = ghost(program, &format!("{name} points to"), NUMBER, frame);
        let offset = ghost(program, &format!("{name} points at"), OFFSET, frame);
        Pair { object, offset, unit }
    }
}

/// The value of a pointer.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub object: ExprId,
    pub offset: ExprId,
    /// What the object may be.
    pub ids: Ids,
    /// It is not further outside its object, if that is one of the program.
    pub bound: i128,
    /// It is in a variable that is named here, and so alive, whichever instance it is.
    pub direct: bool,
}

/// Makes expressions. What it has made of an expression is known for one instruction.
pub(super) struct Maker<'a> {
    pub program: &'a mut Program,
    pub objects: &'a Objects,
    pub flow: &'a Flow,
    pub ghosts: &'a Ghosts,
    pub walks: &'a BTreeMap<ExprId, u64>,
    pub known: FxHashMap<ExprId, ExprId>,
    pub span: Span,
}

impl Maker<'_> {
    pub fn far(&self) -> i128 {
        match self.program.types.model {
            DataModel::Ilp32 => FAR[0],
            DataModel::Lp64 => FAR[1],
        }
    }

    // Pointers.

    pub fn constant(&mut self, number: i128) -> Pointer {
        let (object, offset) = (self.number(number), self.bytes(0));
        Pointer { object, offset, ids: [number].into(), bound: 0, direct: false }
    }

    pub fn of_var(&mut self, var: VarId) -> Pointer {
        let ids = self.flow.of_var(var).clone();
        self.of_pair(self.ghosts.of(var), ids)
    }

    pub fn of_pair(&mut self, pair: Pair, ids: Ids) -> Pointer {
        let (object, unit) = (self.load(pair.object), self.bytes(pair.unit));
        let offset = match pair.unit {
            0 => unit,
            _ => {
                let units = self.load(pair.offset);
                self.arithmetic(BinOp::Mul, units, unit)
            }
        };
        let object = match ids.iter().collect::<Vec<_>>()[..] {
            [only] => self.number(*only),
            _ => object,
        };
        Pointer { object, offset, ids, bound: self.far(), direct: false }
    }

    pub fn pointer(&mut self, e: ExprId) -> Pointer {
        match self.program.exprs[e].kind {
            ExprKind::Null => self.constant(NULL),
            ExprKind::Load(place) => match self.flow.var(self.program, place) {
                Some(var) => self.of_var(var),
                None => self.constant(UNKNOWN),
            },
            ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Function(proc) => {
                let number = self.objects.of_function(proc);
                self.constant(number.unwrap_or(UNKNOWN))
            }
            ExprKind::PtrAdd(base, count) => {
                let pointee = self.program.types.inner(self.program.exprs[e].ty);
                let size = self.program.types.size(pointee.unwrap_or(Type::Void));
                let base = self.pointer(base);
                self.plus(base, count, size, Some(self.program.types.model.diff_type()))
            }
            ExprKind::Cast(from) if matches!(self.program.exprs[from].ty, Type::Pointer(_)) => {
                self.pointer(from)
            }
            ExprKind::Ite(condition, yes, no) => {
                let condition = self.expr(condition);
                let (yes, no) = (self.pointer(yes), self.pointer(no));
                self.either(condition, yes, no)
            }
            _ => self.constant(UNKNOWN),
        }
    }

    pub fn either(&mut self, condition: ExprId, yes: Pointer, no: Pointer) -> Pointer {
        Pointer {
            object: self.choice(condition, yes.object, no.object),
            offset: self.choice(condition, yes.offset, no.offset),
            ids: yes.ids.union(&no.ids).copied().collect(),
            bound: yes.bound.max(no.bound),
            direct: false,
        }
    }

    fn address(&mut self, place: PlaceId) -> Pointer {
        match self.program.places[place].kind {
            PlaceKind::Var(var) => match self.objects.of_var(var) {
                Some(number) => Pointer { direct: true, ..self.instance(number) },
                None => self.constant(UNKNOWN),
            },
            PlaceKind::Deref(pointer) => self.pointer(pointer),
            PlaceKind::Field(base, number) => {
                let Type::Record(record) = self.program.places[base].ty else {
                    return self.constant(UNKNOWN);
                };
                let field = &self.program.types.records[record].fields[number as usize];
                let offset = i128::from(field.offset);
                let base = self.address(base);
                let bytes = self.bytes(offset);
                self.moved(base, bytes, offset)
            }
            PlaceKind::Index(base, index) => {
                let element = self.program.types.inner(self.program.places[base].ty);
                let size = self.program.types.size(element.unwrap_or(Type::Void));
                let base = self.address(base);
                self.plus(base, index, size, None)
            }
        }
    }

    /// An object of the frame, or its instance that is followed.
    pub fn instance(&mut self, number: i128) -> Pointer {
        let pointer = self.constant(number);
        match *self.objects.get(number) {
            Object { several: Some(_), own: Some(own), .. } => {
                let (own, other) = (self.load(own), self.constant(OTHER));
                self.either(own, pointer, other)
            }
            _ => pointer,
        }
    }

    /// So many elements further. Numbers are seen as ones of the given type first.
    fn plus(
        &mut self,
        base: Pointer,
        count: ExprId,
        size: u64,
        wrapped: Option<IntType>,
    ) -> Pointer {
        let size = i128::from(size);
        if let ExprKind::Int(value) = self.program.exprs[count].kind {
            let bytes = wrapped.map_or(value, |ty| ty.wrap(value)).saturating_mul(size);
            let offset = self.bytes(bytes);
            return self.moved(base, offset, bytes);
        }
        let Some((mut low, mut high)) = bounds(self.program, count) else {
            return self.constant(UNKNOWN);
        };
        let mut count = self.expr(count);
        if let Some(ty) = wrapped.filter(|&ty| low < ty.min() || ty.max() < high) {
            count = self.cast(count, Type::Int(ty));
            (low, high) = (ty.min(), ty.max());
        }
        let bound = low.saturating_neg().max(high).saturating_mul(size);
        if bound > NEAR_THE_END {
            return self.constant(UNKNOWN);
        }
        let count = self.cast(count, OFFSET);
        let size = self.bytes(size);
        let bytes = self.arithmetic(BinOp::Mul, count, size);
        self.moved(base, bytes, bound)
    }

    /// So many bytes further, at most `bound`.
    fn moved(&mut self, base: Pointer, bytes: ExprId, bound: i128) -> Pointer {
        if self.program.exprs[bytes].kind == ExprKind::Int(0) {
            return base;
        }
        let Pointer { mut object, offset, mut ids, bound: before, direct } = base;
        if ids.contains(&NULL) {
            // Null plus something is no object and not null.
            let (is_null, zero) = (self.is(object, NULL), self.bytes(0));
            let moves = self.compare(BinOp::Ne, bytes, zero);
            let lost = self.and(is_null, moves);
            let unknown = self.number(UNKNOWN);
            object = self.choice(lost, unknown, object);
            ids.insert(UNKNOWN);
        }
        let offset = self.arithmetic(BinOp::Add, offset, bytes);
        Pointer {
            object,
            offset,
            ids,
            bound: before.saturating_add(bound.saturating_abs()),
            direct,
        }
    }

    // What may be done with them.

    /// So many bytes may be read, or written.
    pub fn may_access(
        &mut self,
        property: Property,
        p: &Pointer,
        size: ExprId,
        write: bool,
    ) -> ExprId {
        let ids: Vec<i128> = p.ids.iter().copied().filter(|id| *id > 0 || !p.direct).collect();
        let mut allowed = self.truth(false);
        for id in &ids {
            let inside = match *id {
                NULL => self.truth(property == Property::UseAfterFree),
                UNKNOWN => self.truth(false),
                OTHER => self.truth(true),
                number => self.is_within(property, p, number, size, write),
            };
            let own = match ids.len() {
                1 => inside,
                _ => {
                    let is_it = self.is(p.object, *id);
                    self.and(is_it, inside)
                }
            };
            allowed = self.or(allowed, own);
        }
        allowed
    }

    fn is_within(
        &mut self,
        property: Property,
        p: &Pointer,
        number: i128,
        size: ExprId,
        write: bool,
    ) -> ExprId {
        let object = self.objects.get(number);
        let alive = match object.alive.filter(|_| !p.direct) {
            Some(alive) => self.load(alive),
            None => self.truth(true),
        };
        match property {
            Property::NullDeref => return self.truth(true),
            Property::UseAfterFree => return alive,
            _ if object.kind == Kind::Code || write && object.kind == Kind::Literal => {
                return self.truth(false);
            }
            _ => {}
        }
        let zero = self.bytes(0);
        let not_before = self.compare(BinOp::Le, zero, p.offset);
        let end = self.arithmetic(BinOp::Add, p.offset, size);
        let all = self.size(number);
        let not_behind = self.compare(BinOp::Le, end, all);
        let mut within = self.and(not_before, not_behind);
        if write {
            for part in self.objects.get(number).constant.clone() {
                let (first, behind) = (self.bytes(part.start.into()), self.bytes(part.end.into()));
                let before = self.compare(BinOp::Le, end, first);
                let after = self.compare(BinOp::Ge, p.offset, behind);
                let beside = self.or(before, after);
                within = self.and(within, beside);
            }
        }
        self.and(alive, within)
    }

    /// It may be freed.
    pub fn may_free(&mut self, p: &Pointer) -> ExprId {
        let mut allowed = self.truth(false);
        for id in &p.ids {
            let fine = match *id {
                NULL | OTHER => self.truth(true),
                UNKNOWN => self.truth(false),
                number => match self.objects.get(number) {
                    Object { kind: Kind::Heap, alive: Some(alive), .. } => {
                        let (alive, zero) = (self.load(*alive), self.bytes(0));
                        let at_start = self.compare(BinOp::Eq, p.offset, zero);
                        self.and(alive, at_start)
                    }
                    _ => self.truth(false),
                },
            };
            let is_it = self.is(p.object, *id);
            let own = self.and(is_it, fine);
            allowed = self.or(allowed, own);
        }
        allowed
    }

    /// It points into a string literal, and so to a string.
    pub fn is_text(&mut self, p: &Pointer) -> ExprId {
        let mut allowed = self.truth(false);
        for id in p.ids.iter().filter(|id| **id > 0) {
            if self.objects.get(*id).kind == Kind::Literal {
                let one = self.bytes(1);
                let inside = self.is_within(Property::ValidDeref, p, *id, one, false);
                let is_it = self.is(p.object, *id);
                let own = self.and(is_it, inside);
                allowed = self.or(allowed, own);
            }
        }
        allowed
    }

    /// It is outside its object by far.
    pub fn is_far(&mut self, p: &Pointer) -> ExprId {
        let far = self.far();
        let mut found = self.truth(false);
        if p.bound <= far {
            return found;
        }
        for id in p.ids.iter().filter(|id| **id > 0) {
            let (least, beyond) = (self.bytes(-far), self.bytes(far));
            let before = self.compare(BinOp::Lt, p.offset, least);
            let size = self.size(*id);
            let most = self.arithmetic(BinOp::Add, size, beyond);
            let behind = self.compare(BinOp::Gt, p.offset, most);
            let outside = self.or(before, behind);
            let is_it = self.is(p.object, *id);
            let own = self.and(is_it, outside);
            found = self.or(found, own);
        }
        found
    }

    pub fn size(&mut self, number: i128) -> ExprId {
        match self.objects.get(number).size {
            Bytes::Known(size) => self.bytes(i128::from(size)),
            Bytes::Held(var) => self.load(var),
        }
    }

    /// The object is the one with this number.
    pub fn is(&mut self, object: ExprId, number: i128) -> ExprId {
        let number = self.number(number);
        self.compare(BinOp::Eq, object, number)
    }

    // Expressions of the program.

    /// An expression in which pointers are compared by their ghosts.
    pub fn expr(&mut self, e: ExprId) -> ExprId {
        if let Some(known) = self.known.get(&e) {
            return *known;
        }
        let old = self.program.exprs[e].clone();
        let is_pointer =
            |maker: &Self, a: ExprId| matches!(maker.program.exprs[a].ty, Type::Pointer(_));
        let kind = walk::map_parts(&old.kind, &mut |part| self.node(part));
        let same = match kind == old.kind {
            true => e,
            false => self.program.expr(kind, old.ty, old.span),
        };
        let new = match old.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() && is_pointer(self, a) => {
                self.compared(op, a, b, same)
            }
            ExprKind::PtrDiff(a, _) if self.walks.contains_key(&e) => {
                self.walked(a, self.walks[&e], same)
            }
            ExprKind::PtrDiff(a, b) => self.difference(a, b, same),
            _ => same,
        };
        self.known.insert(e, new);
        new
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Expr(e) => Node::Expr(self.expr(e)),
            Node::Place(p) => Node::Place(self.place(p)),
        }
    }

    pub fn place(&mut self, p: PlaceId) -> PlaceId {
        let old = self.program.places[p].clone();
        let kind = walk::map_place_parts(old.kind, &mut |part| self.node(part));
        match kind == old.kind {
            true => p,
            false => self.program.place(kind, old.ty, old.span),
        }
    }

    /// Two pointers compared; as it was, which is anything, where it is not known.
    fn compared(&mut self, op: BinOp, a: ExprId, b: ExprId, as_it_was: ExprId) -> ExprId {
        let (a, b) = (self.pointer(a), self.pointer(b));
        let null: Ids = [NULL].into();
        let (known, value) = match op {
            BinOp::Eq | BinOp::Ne if a.ids == null || b.ids == null => {
                let p = if a.ids == null { &b } else { &a };
                let unknown = self.is(p.object, UNKNOWN);
                let unknown = if p.ids.contains(&UNKNOWN) { unknown } else { self.truth(false) };
                let null = self.number(NULL);
                (self.not(unknown), self.compare(op, p.object, null))
            }
            _ => {
                let same = self.same_object(&a, &b);
                let unit = match gcd(self.unit(a.offset), self.unit(b.offset)) {
                    0 => 1,
                    unit => unit,
                };
                let scaled = self.over(a.offset, unit).zip(self.over(b.offset, unit));
                let (left, right) = scaled.unwrap_or((a.offset, b.offset));
                (same, self.compare(op, left, right))
            }
        };
        self.choice(known, value, as_it_was)
    }

    /// Both point into, or near, the same instance of an object that is followed.
    fn same_object(&mut self, a: &Pointer, b: &Pointer) -> ExprId {
        let common: Vec<i128> = a.ids.intersection(&b.ids).copied().filter(|id| *id > 0).collect();
        if common.is_empty() {
            return self.truth(false);
        }
        let same = self.compare(BinOp::Eq, a.object, b.object);
        let zero = self.number(0);
        let followed = self.compare(BinOp::Lt, zero, a.object);
        let same = self.and(same, followed);
        let (a, b) = (self.is_far(a), self.is_far(b));
        let far = self.or(a, b);
        let near = self.not(far);
        self.and(same, near)
    }

    fn difference(&mut self, a: ExprId, b: ExprId, as_it_was: ExprId) -> ExprId {
        let ty = self.program.exprs[as_it_was].ty;
        let pointee = self.program.types.inner(self.program.exprs[a].ty);
        let size = self.program.types.size(pointee.unwrap_or(Type::Void));
        let (a, b) = (self.pointer(a), self.pointer(b));
        let known = self.same_object(&a, &b);
        if size == 0 {
            return as_it_was;
        }
        let bytes = self.arithmetic(BinOp::Sub, a.offset, b.offset);
        let value = self.elements(bytes, size);
        let value = self.cast(value, ty);
        self.choice(known, value, as_it_was)
    }

    /// How many elements a pointer is behind the first one, if it points into an object.
    fn walked(&mut self, pointer: ExprId, first: u64, as_it_was: ExprId) -> ExprId {
        let pointee = self.program.types.inner(self.program.exprs[pointer].ty);
        let size = self.program.types.size(pointee.unwrap_or(Type::Void));
        let p = self.pointer(pointer);
        if size == 0 {
            return as_it_was;
        }
        let (none, first) = (self.number(0), self.bytes(first.into()));
        let known = match p.ids.iter().all(|id| *id > 0) {
            true => self.truth(true),
            false => self.compare(BinOp::Lt, none, p.object),
        };
        let bytes = self.arithmetic(BinOp::Sub, p.offset, first);
        let value = self.elements(bytes, size);
        self.choice(known, value, as_it_was)
    }

    fn elements(&mut self, bytes: ExprId, size: u64) -> ExprId {
        let size = i128::from(size);
        self.over(bytes, size).unwrap_or_else(|| {
            let size = self.bytes(size);
            self.arithmetic(BinOp::Div, bytes, size)
        })
    }

    /// A sum of multiples, divided; `None` if some are no multiples by the look of it.
    pub fn over(&mut self, bytes: ExprId, unit: i128) -> Option<ExprId> {
        if unit == 1 {
            return Some(bytes);
        }
        match self.program.exprs[bytes].kind {
            ExprKind::Int(0) => Some(bytes),
            ExprKind::Int(value) if unit != 0 && value % unit == 0 => {
                Some(self.bytes(value / unit))
            }
            ExprKind::Binary(BinOp::Mul, count, size) => {
                let size = self.value(size).filter(|size| unit != 0 && size % unit == 0)?;
                let size = self.bytes(size / unit);
                Some(self.arithmetic(BinOp::Mul, count, size))
            }
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (a, b) = (self.over(a, unit)?, self.over(b, unit)?);
                Some(self.arithmetic(op, a, b))
            }
            ExprKind::Ite(condition, yes, no) => {
                let (yes, no) = (self.over(yes, unit)?, self.over(no, unit)?);
                Some(self.choice(condition, yes, no))
            }
            _ => None,
        }
    }

    /// What an offset is a multiple of by the look of it.
    fn unit(&self, bytes: ExprId) -> i128 {
        match self.program.exprs[bytes].kind {
            ExprKind::Int(value) => value.saturating_abs(),
            ExprKind::Binary(BinOp::Mul, _, size) => self.value(size).map_or(1, i128::abs),
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => gcd(self.unit(a), self.unit(b)),
            ExprKind::Ite(_, yes, no) => gcd(self.unit(yes), self.unit(no)),
            _ => 1,
        }
    }

    // Simple expressions, simplified.

    pub fn make(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.program.expr(kind, ty, self.span)
    }

    pub fn load(&mut self, var: VarId) -> ExprId {
        self.program.load_var(var, self.span)
    }

    pub fn truth(&mut self, value: bool) -> ExprId {
        self.make(ExprKind::Int(i128::from(value)), Type::BOOL)
    }

    pub fn number(&mut self, value: i128) -> ExprId {
        self.make(ExprKind::Int(value), NUMBER)
    }

    pub fn bytes(&mut self, value: i128) -> ExprId {
        self.make(ExprKind::Int(value), OFFSET)
    }

    pub fn value(&self, e: ExprId) -> Option<i128> {
        match self.program.exprs[e].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn cast(&mut self, e: ExprId, ty: Type) -> ExprId {
        match self.program.exprs[e].ty == ty {
            true => e,
            false => self.make(ExprKind::Cast(e), ty),
        }
    }

    pub fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        match (op, self.value(a), self.value(b)) {
            (BinOp::Add, Some(a), Some(b)) => self.bytes(a.saturating_add(b)),
            (BinOp::Add | BinOp::Sub, _, Some(0)) => a,
            (BinOp::Add, Some(0), _) => b,
            (BinOp::Mul, _, Some(0)) => self.bytes(0),
            (BinOp::Mul, _, Some(1)) => a,
            _ => self.make(ExprKind::Binary(op, a, b), OFFSET),
        }
    }

    pub fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => self.truth(crate::arith::holds(op, a, b)),
            _ => self.make(ExprKind::Binary(op, a, b), Type::BOOL),
        }
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(0), _) | (_, Some(1)) => a,
            (_, Some(0)) | (Some(1), _) => b,
            _ => self.make(ExprKind::Binary(BinOp::And, a, b), Type::BOOL),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(0), _) | (_, Some(1)) => b,
            (_, Some(0)) | (Some(1), _) => a,
            _ => self.make(ExprKind::Binary(BinOp::Or, a, b), Type::BOOL),
        }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.value(a) {
            Some(value) => self.truth(value == 0),
            None => self.make(ExprKind::Unary(UnOp::Not, a), Type::BOOL),
        }
    }

    pub fn choice(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        let same = self.value(yes).is_some() && self.value(yes) == self.value(no);
        match self.value(condition) {
            Some(0) => no,
            Some(_) => yes,
            None if same => yes,
            None => {
                let ty = self.program.exprs[yes].ty;
                self.make(ExprKind::Ite(condition, yes, no), ty)
            }
        }
    }
}
