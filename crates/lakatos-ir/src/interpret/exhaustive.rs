//! Runs that are to be all runs of a program ([`Options::exhaustive`]).
//!
//! A run usually has one value for everything that C or the outside leaves open. Here each such
//! thing is treated in one of three ways:
//!
//! 1. Integers that the program asks for (`__VERIFIER_nondet_T()`, the number of `main`'s
//!    arguments) and results of which C tells only a range (`strcmp`, `printf`) are *pending*: an
//!    interval. A comparison divides the interval, and [`Oracle::choose`] says which part the run
//!    is about. Any other use chooses one value. A value that is never used is never chosen. A
//!    number made from an address is pending, too: it can become that pointer again, and is not 0.
//!    Any other use ends the run.
//! 2. What is unspecified or indeterminate in memory (never written, padding) has no value: a read
//!    ends the run.
//! 3. What else a run alone does not tell ends it as [`Outcome::Open`]: functions and objects of
//!    other files, assembly, the digits of an address, equality of pointers that the layout of
//!    memory decides, x87 arithmetic, bits of a NaN.
//!
//! So if every sequence of choices leads to a run that ends otherwise, these are all runs.
//!
//! [`Options::exhaustive`]: super::Options::exhaustive
//! [`Oracle::choose`]: super::Oracle::choose

use std::ops::RangeInclusive;

use super::eval::Bulk;
use super::exec::{Machine, Res};
use super::memory::{Access, Kind};
use super::observe::Watch;
use super::plan::{Quick, Storage};
use super::value::{Pointer, Value};
use super::{Input, Outcome};
use crate::arena::Id;
use crate::expr::{BinOp, Expr, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::program::{Builtin, InputKind, SiteId};
use crate::source::Span;
use crate::ty::{DataModel, Field, FloatType, IntType, RecordKind, Type};

/// An integer that is not chosen yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// What it may be; at least one value.
    range: RangeInclusive<i128>,
    /// For one from outside: the site, how often it was passed before, and the type.
    from: Option<(SiteId, u32, IntType)>,
    /// For an address: the pointer. Its number is never chosen.
    pointer: Option<Pointer>,
}

/// One of more values than this is never chosen: so many runs take too long.
const MOST_VALUES: i128 = 1 << 16;
/// Wider integers are not kept pending.
const WIDEST: u16 = 64;

impl<W: Watch> Machine<'_, '_, W> {
    #[cold]
    pub(super) fn open(&self, what: impl Into<String>, span: Span) -> Box<Outcome> {
        Box::new(Outcome::Open { what: what.into(), span })
    }

    #[cold]
    pub(super) fn address_is_read(&self, span: Span) -> Box<Outcome> {
        self.open("an address is used as a number", span)
    }

    /// How a run has ended. What the last step has seen of addresses counts, too. Memory that is
    /// lost is listed however the run has ended, also what only locals lead to.
    pub(super) fn ended_exhaustively(&mut self, outcome: Outcome) -> Outcome {
        self.inputs = self.pending_inputs().collect();
        if self.options.memory_safety {
            self.find_lost();
        }
        let is_limit = matches!(
            outcome,
            Outcome::StepLimit | Outcome::DepthLimit | Outcome::MemoryLimit | Outcome::Open { .. }
        );
        if self.memory.revealed && !is_limit {
            let span = self.frame.cfa.locs[self.frame.loc].span;
            return *self.address_is_read(span);
        }
        outcome
    }

    /// The site where a value comes in, of a kind that an exhaustive run can ask for; otherwise it
    /// ends here.
    fn expect_choice(&self, site: SiteId, span: Span) -> Res<()> {
        let site = &self.program.sites[site];
        let what = match site.kind {
            InputKind::Nondet
            | InputKind::Uninitialised
            | InputKind::Volatile
            | InputKind::Allocation => return Ok(()),
            InputKind::External => "belongs to another file",
            InputKind::Assembly => "depends on the compiler",
            InputKind::Library => "is a function without a model",
        };
        Err(self.open(format!("`{}`, which {what}", site.name), span))
    }

    /// A place gets a value from outside, which is not chosen yet.
    pub(super) fn havoc_exhaustively(&mut self, place: PlaceId, site: SiteId) -> Res<()> {
        let span = self.program.places[place].span;
        self.expect_choice(site, span)?;
        let ty = self.program.places[place].ty;
        let data = &self.program.sites[site];
        let is_input = match data.kind {
            InputKind::Nondet | InputKind::Volatile | InputKind::Allocation => true,
            InputKind::Uninitialised
            | InputKind::External
            | InputKind::Assembly
            | InputKind::Library => data.proc == self.program.start,
        };
        match ty {
            Type::Int(ty) if is_input => {
                let occurrence = self.pass_site(site);
                let value = self.pending_from(site, occurrence, ty, span)?;
                self.store(place, value)
            }
            _ if data.kind == InputKind::Uninitialised => self.forget_place(place),
            _ => Err(self.open(format!("the value of `{}`", data.name), span)),
        }
    }

    fn pending_from(
        &mut self,
        site: SiteId,
        occurrence: u32,
        ty: IntType,
        span: Span,
    ) -> Res<Value> {
        if ty.bits > WIDEST {
            return Err(self.open(format!("an integer of {} bits from outside", ty.bits), span));
        }
        let from = Some((site, occurrence, ty));
        self.keep_pending(Pending { range: ty.min()..=ty.max(), from, pointer: None })
    }

    /// The result of a library function, of which C tells only this range.
    fn pending_within(&mut self, range: RangeInclusive<i128>) -> Res<Value> {
        self.keep_pending(Pending { range, from: None, pointer: None })
    }

    fn keep_pending(&mut self, pending: Pending) -> Res<Value> {
        self.afford((self.pending.len() * size_of::<Pending>()) as u64)?;
        let number = u32::try_from(self.pending.len());
        let number = number.map_err(|_| Box::new(Outcome::MemoryLimit))?;
        self.pending.push(pending);
        Ok(Value::Pending(number))
    }

    /// Inputs with which the run is repeated: of what is still pending, any will do.
    pub(super) fn pending_inputs(&self) -> impl Iterator<Item = Input> {
        self.pending.iter().filter_map(|pending| {
            let (site, occurrence, ty) = pending.from?;
            let kind = self.program.sites[site].kind;
            let value = *pending.range.start();
            Some(Input { kind, site, occurrence, element: 0, ty: Type::Int(ty), value })
        })
    }

    /// A variable has no value.
    fn forget_place(&mut self, place: PlaceId) -> Res<()> {
        let data = &self.program.places[place];
        let PlaceKind::Var(var) = data.kind else {
            return Err(self.open("a part of an object that gets any value", data.span));
        };
        match self.plan.storage[var.index()] {
            Storage::Local(slot) => {
                self.slots[self.frame.slots + slot as usize] = Value::Indeterminate;
                Ok(())
            }
            Storage::Static(slot) => {
                self.slots[slot as usize] = Value::Indeterminate;
                Ok(())
            }
            Storage::Frame(_) | Storage::Object(_) => {
                let object = self.object_of(var)?;
                let size = self.program.types.size(self.program.vars[var].ty);
                self.forget_written(object, size, data.span)
            }
        }
    }

    /// A new object of a frame has no value yet.
    pub(super) fn nothing_written(&mut self, object: Pointer, size: u64) -> Res<()> {
        match self.options.exhaustive {
            true => self.forget_written(object, size, Span::default()),
            false => Ok(()),
        }
    }

    /// An integer, chosen now if it is pending.
    pub(super) fn choose(&mut self, number: u32, span: Span) -> Res<i128> {
        if self.pending[number as usize].pointer.is_some() {
            return Err(self.address_is_read(span));
        }
        let (low, high) = self.pending[number as usize].range.clone().into_inner();
        let more = high - low;
        if more >= MOST_VALUES {
            return Err(self.open(format!("an integer with {} values", more + 1), span));
        }
        let value = match more {
            0 => low,
            _ => low + i128::from(self.oracle.choose(more as u64 + 1)),
        };
        self.pending[number as usize].range = value..=value;
        Ok(value)
    }

    /// A value that can be in memory.
    pub(super) fn settled(&mut self, value: Value, span: Span) -> Res<Value> {
        match value {
            Value::Pending(number) => Ok(Value::Int(self.choose(number, span)?)),
            Value::Int(_) | Value::Float(_) | Value::Pointer(_) | Value::Indeterminate => Ok(value),
        }
    }

    /// The value of an integer expression, pending if it is the value of something pending.
    #[inline]
    pub(super) fn int_or_pending(&mut self, expr: ExprId) -> Res<Value> {
        if self.options.exhaustive
            && let Some(number) = self.pending_in(expr)
        {
            return Ok(Value::Pending(number));
        }
        if self.options.exhaustive
            && let Some((from, ty)) = self.address_in(expr)
        {
            let pointer = self.pointer(from)?;
            if self.memory.kind(pointer).is_some() {
                let range = ty.min()..=ty.max();
                return self.keep_pending(Pending { range, from: None, pointer: Some(pointer) });
            }
        }
        self.int(expr).map(Value::Int)
    }

    /// The pointer of which an expression is the address, as an integer type that has all addresses.
    fn address_in(&self, id: ExprId) -> Option<(ExprId, IntType)> {
        let expr = &self.program.exprs[id];
        let (ExprKind::Cast(from), Type::Int(to)) = (&expr.kind, expr.ty) else { return None };
        let is_pointer = matches!(self.program.exprs[*from].ty, Type::Pointer(_));
        let is_wide = to == self.program.types.model.size_type();
        (is_pointer && is_wide).then_some((*from, to))
    }

    /// The pointer that a pending number is the address of.
    pub(super) fn pointer_of_pending(&mut self, id: ExprId) -> Res<Option<Pointer>> {
        if !self.options.exhaustive {
            return Ok(None);
        }
        if let Some((from, _)) = self.address_in(id) {
            return self.pointer(from).map(Some);
        }
        let number = self.pending_in(id);
        Ok(number.and_then(|number| self.pending[number as usize].pointer))
    }

    /// What stands in output for something pending.
    pub(super) fn printed_pending(&self, expr: ExprId) -> Option<Value> {
        let is_pending = self.options.exhaustive && self.pending_in(expr).is_some();
        is_pending.then_some(Value::Int(0))
    }

    /// The pending integer that an expression is: a variable, or one converted to a type that has
    /// all its values.
    fn pending_in(&self, id: ExprId) -> Option<u32> {
        let slot = match self.plan.quick_exprs[id.index()] {
            Quick::Local(slot) => self.frame.slots + slot as usize,
            Quick::Static(slot) => slot as usize,
            Quick::Constant(_) => return None,
            Quick::No => return self.converted_pending(id),
        };
        match self.slots[slot] {
            Value::Pending(number) => Some(number),
            Value::Int(_) | Value::Float(_) | Value::Pointer(_) | Value::Indeterminate => None,
        }
    }

    fn converted_pending(&self, id: ExprId) -> Option<u32> {
        let expr = &self.program.exprs[id];
        let (ExprKind::Cast(from), Type::Int(to)) = (&expr.kind, expr.ty) else { return None };
        let number = self.pending_in(*from)?;
        let range = &self.pending[number as usize].range;
        (!to.is_u128() && to.contains(*range.start()) && to.contains(*range.end()))
            .then_some(number)
    }

    /// A comparison of something pending with a number: the part of its values is chosen in which
    /// the comparison has one result. `None` for any other comparison.
    pub(super) fn divide(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Res<Option<bool>> {
        let (number, op, other) = match (self.pending_in(a), self.pending_in(b)) {
            (Some(number), None) => (number, op, b),
            (None, Some(number)) => (number, mirrored(op), a),
            (Some(_), Some(_)) | (None, None) => return Ok(None),
        };
        let Type::Int(ty) = self.program.exprs[other].ty else { return Ok(None) };
        if ty.is_u128() {
            return Ok(None);
        }
        let bound = self.int(other)?;
        if let Some(pointer) = self.pending[number as usize].pointer {
            let is_object = self.memory.surely_differ(pointer, Pointer::NULL);
            return match (op, bound) {
                (BinOp::Eq, 0) if is_object => Ok(Some(false)),
                (BinOp::Ne, 0) if is_object => Ok(Some(true)),
                _ => Err(self.address_is_read(self.program.exprs[a].span)),
            };
        }
        let parts = divided(&self.pending[number as usize].range, op, bound);
        let chosen = match parts.len() {
            1 => 0,
            several => self.oracle.choose(several as u64) as usize,
        };
        let (holds, part) = parts.into_iter().nth(chosen).expect("the oracle chose one of these");
        self.pending[number as usize].range = part;
        Ok(Some(holds))
    }

    /// Whether two pointers are equal is not decided by where objects happen to be.
    pub(super) fn expect_comparable(&self, x: Pointer, y: Pointer, span: Span) -> Res<()> {
        if !self.options.exhaustive || x.object == y.object {
            return Ok(());
        }
        let is_elsewhere = [x, y].into_iter().any(|pointer| self.is_of_another_file(pointer));
        if !is_elsewhere && self.memory.surely_differ(x, y) {
            return Ok(());
        }
        Err(self.open("equality of pointers that the layout of memory decides", span))
    }

    /// Whether a pointer is to a function that is not defined here: two of these may be one, and a
    /// weak one may be missing.
    fn is_of_another_file(&self, pointer: Pointer) -> bool {
        match self.memory.kind(pointer) {
            Some(Kind::Function(proc)) => self.program.procs[proc].body.is_none(),
            Some(Kind::Var(_) | Kind::Literal(_) | Kind::Heap | Kind::Alloca) | None => false,
        }
    }

    /// Floating arithmetic is that of SSE: a result has its type's precision.
    pub(super) fn expect_sse(&self, expr: &Expr) -> Res<()> {
        if self.options.exhaustive && self.program.types.model == DataModel::Ilp32 {
            return Err(self.open("floating arithmetic of the x87 unit", expr.span));
        }
        Ok(())
    }

    /// The bytes of a float are known.
    pub(super) fn expect_known_bits(&self, value: f64, ty: FloatType, span: Span) -> Res<()> {
        if !self.options.exhaustive {
            return Ok(());
        }
        match ty {
            FloatType::F32 | FloatType::F64 if value.is_nan() => {
                Err(self.open("the bits of a NaN in memory", span))
            }
            FloatType::F32 | FloatType::F64 => Ok(()),
            FloatType::F80 | FloatType::F128 => {
                Err(self.open("the bytes of a `long double` in memory", span))
            }
        }
    }

    /// All bytes that are read as data have been written.
    pub(super) fn expect_data(&self, at: Pointer, length: u64, span: Span) -> Res<()> {
        if self.options.exhaustive && self.memory.first_unset(at, length, u128::MAX).is_some() {
            return Err(self.open("a byte that was never written, or is padding", span));
        }
        Ok(())
    }

    /// An aggregate is assigned from an object that overlaps with its place only if both are the
    /// same (C11 6.5.16.1p3).
    pub(super) fn expect_no_overlap(
        &self,
        to: Pointer,
        from: Pointer,
        size: u64,
        span: Span,
    ) -> Res<()> {
        let overlap = to.object == from.object
            && to.address != from.address
            && to.address.abs_diff(from.address) < size;
        match self.options.exhaustive && overlap {
            true => Err(self.open("an assignment of overlapping objects", span)),
            false => Ok(()),
        }
    }

    /// Where a value of an aggregate type was stored, its padding has any value. An object with
    /// static storage is all zero at first.
    pub(super) fn forget_padding(
        &mut self,
        target: Pointer,
        value: Bulk,
        ty: Type,
        span: Span,
    ) -> Res<()> {
        if self.frame.proc == self.program.start {
            return Ok(());
        }
        match value {
            Bulk::Zero | Bulk::Memory(_) => {
                self.forget_padding_of(target, matches!(value, Bulk::Zero), ty, span)
            }
            Bulk::Text(_) => Ok(()),
        }
    }

    /// `zero`: the value came from an initialiser that says less than all, of a union no more than
    /// its first member (as GCC 15 has it).
    fn forget_padding_of(&mut self, at: Pointer, zero: bool, ty: Type, span: Span) -> Res<()> {
        match ty {
            Type::Void | Type::Function(_) | Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                Ok(())
            }
            Type::Array(element, length) => {
                let element = self.program.types.get(element);
                if !element.is_aggregate() {
                    return Ok(());
                }
                let size = self.program.types.size(element);
                for index in 0..length.unwrap_or(0) {
                    let at = self.memory.displace(at, i128::from(index * size));
                    self.forget_padding_of(at, zero, element, span)?;
                }
                Ok(())
            }
            Type::Record(id) => {
                let program = self.program;
                let record = &program.types.records[id];
                let fields = match record.kind {
                    RecordKind::Struct => record.fields.as_slice(),
                    RecordKind::Union if zero => &record.fields[..record.fields.len().min(1)],
                    RecordKind::Union => return Ok(()),
                };
                self.forget_between(at, fields, program.types.size(ty), span)?;
                for field in fields.iter().filter(|field| field.bit.is_none()) {
                    let at = self.memory.displace(at, i128::from(field.offset));
                    self.forget_padding_of(at, zero, field.ty, span)?;
                }
                Ok(())
            }
        }
    }

    /// The bits of a record that belong to none of these fields have any value.
    fn forget_between(&mut self, at: Pointer, fields: &[Field], size: u64, span: Span) -> Res<()> {
        let mut padding = vec![u8::MAX; usize::try_from(size).unwrap_or(0)];
        for field in fields {
            let start = field.offset as usize;
            match (field.bit, field.ty) {
                (Some(bit), Type::Int(int)) => {
                    for bit in usize::from(bit)..usize::from(bit) + usize::from(int.bits) {
                        if let Some(byte) = padding.get_mut(start + bit / 8) {
                            *byte &= !(1 << (bit % 8));
                        }
                    }
                }
                _ => {
                    let end = start + self.program.types.size(field.ty) as usize;
                    let end = end.min(padding.len());
                    padding[start.min(end)..end].fill(0);
                }
            }
        }
        if padding.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        let forgotten = self.memory.unset_bits(at, &padding);
        forgotten.map_err(|fault| self.access_fault(fault, Access::Write, span))
    }

    /// The result of a library function, as far as C tells it.
    pub(super) fn told(&mut self, builtin: Builtin, value: Value) -> Res<Value> {
        use Builtin::*;
        let int = IntType::I32;
        match (builtin, value) {
            // C tells only the sign.
            (Memcmp | Strcmp | Strncmp, Value::Int(n)) if n > 0 => {
                self.pending_within(1..=int.max())
            }
            (Memcmp | Strcmp | Strncmp, Value::Int(n)) if n < 0 => {
                self.pending_within(int.min()..=-1)
            }
            (Memcmp | Strcmp | Strncmp, value) => Ok(value),
            // Output may fail.
            (Printf | Puts | Putchar, _) => self.pending_within(int.min()..=int.max()),
            (
                Abort | Exit | Unreachable | Malloc | Calloc | Realloc | Free | Alloca | Memcpy
                | Memmove | Memset | Memchr | Strlen | Strnlen | Strcpy | Strncpy | Strcat
                | Strncat | Strchr | Strrchr | Strstr | Clz | Ctz | Popcount | Parity | Ffs,
                value,
            ) => Ok(value),
        }
    }

    /// What `main` is called with is passed on without being read.
    pub(super) fn passed_on(&self, argument: ExprId) -> bool {
        if !self.options.exhaustive || self.frame.proc != self.program.start {
            return false;
        }
        match self.plan.quick_exprs[argument.index()] {
            Quick::Local(slot) => {
                self.slots[self.frame.slots + slot as usize] == Value::Indeterminate
            }
            Quick::Static(_) | Quick::Constant(_) | Quick::No => false,
        }
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// A part of a range, and whether a comparison holds of it.
type Part = (bool, RangeInclusive<i128>);

/// The parts of a range in which `value op bound` has one result, without empty ones.
fn divided(range: &RangeInclusive<i128>, op: BinOp, bound: i128) -> Vec<Part> {
    let (low, high) = (*range.start(), *range.end());
    let below = (low, high.min(bound.saturating_sub(1)));
    let at = (low.max(bound), high.min(bound));
    let above = (low.max(bound.saturating_add(1)), high);
    let parts = match op {
        BinOp::Lt => vec![(true, below), (false, (low.max(bound), high))],
        BinOp::Ge => vec![(false, below), (true, (low.max(bound), high))],
        BinOp::Le => vec![(true, (low, high.min(bound))), (false, above)],
        BinOp::Gt => vec![(false, (low, high.min(bound))), (true, above)],
        BinOp::Eq => vec![(true, at), (false, below), (false, above)],
        _ => vec![(false, at), (true, below), (true, above)],
    };
    let parts = parts.into_iter().filter(|(_, (low, high))| low <= high);
    parts.map(|(holds, (low, high))| (holds, low..=high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith;

    #[test]
    fn ranges_are_divided_by_what_comparisons_say() {
        use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
        for op in [Lt, Le, Gt, Ge, Eq, Ne] {
            for (low, high) in [(0, 0), (-3, 4), (1, 5), (i128::from(i64::MIN), -2)] {
                for bound in [low - 1, low, low + 1, high - 1, high, high + 1, 0] {
                    let parts = divided(&(low..=high), op, bound);
                    let mut covered = 0;
                    for (holds, part) in &parts {
                        covered += part.end() - part.start() + 1;
                        for value in [*part.start(), *part.end()] {
                            assert!((low..=high).contains(&value));
                            assert_eq!(arith::holds(op, value, bound), *holds, "{value} {op:?}");
                        }
                    }
                    assert_eq!(covered, high - low + 1, "{low}..={high} {op:?} {bound}");
                    let mut starts: Vec<i128> = parts.iter().map(|(_, p)| *p.start()).collect();
                    starts.sort_unstable();
                    starts.dedup();
                    assert_eq!(starts.len(), parts.len());
                    for value in [low, high] {
                        let exchanged = arith::holds(mirrored(op), bound, value);
                        assert_eq!(arith::holds(op, value, bound), exchanged);
                    }
                }
            }
        }
    }
}
