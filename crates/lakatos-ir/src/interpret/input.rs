//! Values from outside: asking the oracle and writing down what it said.

use std::ops::ControlFlow;

use super::Input;
use super::exec::{Machine, Res};
use super::observe::{AccessKind, Accessor, Watch};
use super::oracle::Request;
use super::value::{Pointer, Value, float_from_input, float_input};
use crate::arena::Id;
use crate::expr::PlaceId;
use crate::program::SiteId;
use crate::source::Span;
use crate::ty::{Field, IntType, RecordId, RecordKind, Type, Types};

/// One scalar of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub ty: Type,
    /// Bytes from the start of the aggregate.
    pub offset: u64,
    /// Its lowest bit, for a bit-field.
    pub bit: Option<u8>,
}

/// The scalars of a type in the order in which they are numbered as inputs: elements and fields
/// from first to last; of a union only the first of its largest members.
pub fn leaves(types: &Types, ty: Type) -> Vec<Leaf> {
    let mut found = Vec::new();
    let _ = walk(types, Leaf { ty, offset: 0, bit: None }, &mut |leaf| {
        found.push(leaf);
        ControlFlow::<()>::Continue(())
    });
    found
}

fn walk<B>(
    types: &Types,
    at: Leaf,
    visit: &mut dyn FnMut(Leaf) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match at.ty {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => visit(at),
        Type::Void | Type::Function(_) => ControlFlow::Continue(()),
        Type::Array(element, len) => {
            let ty = types.get(element);
            let size = types.size(ty);
            (0..len.unwrap_or(0)).try_for_each(|i| {
                walk(types, Leaf { ty, offset: at.offset + i * size, bit: None }, visit)
            })
        }
        Type::Record(id) => filled_fields(types, id).iter().try_for_each(|field| {
            let offset = at.offset + field.offset;
            walk(types, Leaf { ty: field.ty, offset, bit: field.bit }, visit)
        }),
    }
}

/// The fields that a value from outside consists of.
fn filled_fields(types: &Types, id: RecordId) -> &[Field] {
    let record = &types.records[id];
    let mut fields = record.fields.iter();
    match record.kind {
        RecordKind::Struct => fields.as_slice(),
        RecordKind::Union => {
            let largest = fields.clone().map(|f| types.size(f.ty)).max();
            let index = fields.position(|f| Some(types.size(f.ty)) == largest);
            index.map_or(&[][..], |i| &record.fields[i..=i])
        }
    }
}

/// How C gets to a scalar of an aggregate: `.a[3]`; nothing for a scalar itself.
pub fn leaf_path(types: &Types, ty: Type, element: u64) -> String {
    match ty {
        Type::Array(inner, _) => {
            let inner = types.get(inner);
            let each = leaf_count(types, inner).max(1);
            format!("[{}]{}", element / each, leaf_path(types, inner, element % each))
        }
        Type::Record(id) => {
            let mut before = 0;
            for field in filled_fields(types, id) {
                let own = leaf_count(types, field.ty);
                if element < before + own {
                    let name = field.name.as_ref().map_or(String::new(), |n| format!(".{n}"));
                    return name + &leaf_path(types, field.ty, element - before);
                }
                before += own;
            }
            String::new()
        }
        _ => String::new(),
    }
}

/// The number of the scalar that begins at an offset in an aggregate. `None` where it is no whole
/// number of bytes, or there is none.
pub fn leaf_at(types: &Types, ty: Type, offset: u64) -> Option<u64> {
    match ty {
        Type::Array(inner, length) => {
            let inner = types.get(inner);
            let index = offset.checked_div(types.size(inner))?;
            let before = index.checked_mul(leaf_count(types, inner))?;
            let within = leaf_at(types, inner, offset - index * types.size(inner))?;
            Some(before + within).filter(|_| index < length.unwrap_or(0))
        }
        Type::Record(id) => {
            let mut before = 0;
            for field in filled_fields(types, id) {
                if (field.offset..field.offset + types.size(field.ty)).contains(&offset) {
                    let within = leaf_at(types, field.ty, offset - field.offset)?;
                    return field.bit.is_none().then_some(before + within);
                }
                before += leaf_count(types, field.ty);
            }
            None
        }
        Type::Void | Type::Function(_) => None,
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => (offset == 0).then_some(0),
    }
}

fn leaf_count(types: &Types, ty: Type) -> u64 {
    match ty {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => 1,
        Type::Void | Type::Function(_) => 0,
        Type::Array(inner, len) => {
            len.unwrap_or(0).saturating_mul(leaf_count(types, types.get(inner)))
        }
        Type::Record(id) => {
            filled_fields(types, id).iter().map(|field| leaf_count(types, field.ty)).sum()
        }
    }
}

/// The bytes asked about when memory has no type yet.
const BYTE: Type = Type::Int(IntType::U8);

impl<W: Watch> Machine<'_, '_, W> {
    /// The place gets a value from outside.
    pub(super) fn havoc(&mut self, place: PlaceId, site: SiteId) -> Res<()> {
        self.write_by_name(place);
        if self.options.exhaustive {
            return self.havoc_exhaustively(place, site);
        }
        let occurrence = self.pass_site(site);
        let (ty, span) = (self.program.places[place].ty, self.program.places[place].span);
        if ty.is_scalar() {
            let value = self.ask(site, occurrence, 0, ty)?;
            return self.let_in(place, site, value);
        }
        let target = self.address_to_access(place)?;
        let size = self.program.types.size(ty);
        self.charge(size)?;
        self.fill(target, 0, size, span)?;
        self.observe(Accessor::Place(place), AccessKind::Write, target, size);
        let kind = self.program.sites[site].kind;
        if !self.oracle.wants_elements(site, kind) {
            return self.leave_indeterminate(place, site);
        }
        let mut element = 0;
        let program = self.program;
        let walked = walk(&program.types, Leaf { ty, offset: 0, bit: None }, &mut |leaf| {
            let asked = self.ask(site, occurrence, element, leaf.ty);
            element += 1;
            let at = self.memory.displace(target, i128::from(leaf.offset));
            let stored = asked.and_then(|value| self.store_at(at, leaf.bit, leaf.ty, value, span));
            match stored {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop),
            }
        });
        walked.break_value().map_or(Ok(()), Err)?;
        self.leave_indeterminate(place, site)
    }

    /// A scalar place gets a value that came from outside.
    fn let_in(&mut self, place: PlaceId, site: SiteId, value: Value) -> Res<()> {
        self.store(place, value)?;
        self.leave_indeterminate(place, site)
    }

    /// The same as [`Machine::havoc`] of a scalar, with an answer that nobody is asked for.
    pub(super) fn hear(&mut self, place: PlaceId, site: SiteId, answer: i128) -> Res<()> {
        self.pass_site(site);
        let (value, _) = self.read_answer(answer, self.program.places[place].ty);
        self.let_in(place, site, value)
    }

    /// What is in fresh memory comes from outside, byte by byte if the oracle wants that.
    pub(super) fn fresh(
        &mut self,
        memory: Pointer,
        from: u64,
        size: u64,
        site: Option<SiteId>,
        span: Span,
    ) -> Res<()> {
        if self.options.exhaustive {
            let first = self.memory.displace(memory, i128::from(from));
            return self.forget_written(first, size.saturating_sub(from), span);
        }
        let Some(site) = site else { return Ok(()) };
        let occurrence = self.pass_site(site);
        let kind = self.program.sites[site].kind;
        let first = self.memory.displace(memory, i128::from(from));
        if !self.oracle.wants_elements(site, kind) {
            return self.forget_written(first, size.saturating_sub(from), span);
        }
        for offset in from..size {
            let value = self.ask(site, occurrence, offset, BYTE)?;
            let at = self.memory.displace(memory, i128::from(offset));
            self.store_at(at, None, BYTE, value, span)?;
        }
        self.observe(self.made_accessor(), AccessKind::Write, memory, size);
        self.forget_written(first, size.saturating_sub(from), span)
    }

    /// The number of times the site was passed before.
    pub(super) fn pass_site(&mut self, site: SiteId) -> u32 {
        let count = &mut self.occurrences[site.index()];
        let before = *count;
        *count = before.saturating_add(1);
        before
    }

    fn ask(&mut self, site: SiteId, occurrence: u32, element: u64, ty: Type) -> Res<Value> {
        self.afford(size_of::<Input>() as u64)?;
        let program = self.program;
        let kind = program.sites[site].kind;
        if self.options.exhaustive {
            let data = &program.sites[site];
            return Err(self.open(format!("the value of `{}`", data.name), data.span));
        }
        let request = Request { program, kind, site, occurrence, element, ty };
        let answer = self.oracle.input(&request);
        let (value, number) = self.read_answer(answer, ty);
        self.inputs.push(Input { kind, site, occurrence, element, ty, value: number });
        Ok(value)
    }

    /// An answer as a value of the type, and the number to remember it by.
    fn read_answer(&self, answer: i128, ty: Type) -> (Value, i128) {
        match ty {
            Type::Int(IntType::BOOL) => {
                let truth = i128::from(answer != 0);
                (Value::Int(truth), truth)
            }
            Type::Int(ty) => (Value::Int(ty.wrap(answer)), ty.wrap(answer)),
            Type::Float(ty) => {
                let value = float_from_input(answer, ty);
                (Value::Float(value), float_input(value, ty))
            }
            _ => {
                let address = self.memory.layout.truncate(answer);
                (Value::Pointer(Pointer::wild(address)), i128::from(address))
            }
        }
    }
}
